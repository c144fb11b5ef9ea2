/* SPDX-License-Identifier: MIT */
/*
 * The builtins set, shift and shopt: options of the shell and its positional parameters.
 */
#include "command/walk_impl.h"

#include <stdlib.h>
#include <string.h>

static void
set_positional(struct walk *w, const struct command *command, size_t from)
{
	size_t count = command->argc - from;
	struct field *copy = arena_array(w->arena, count, sizeof(*copy));

	if (copy == NULL) {
		return;
	}
	w->shell.positional = copy;
	w->shell.positional_count = count;
	for (size_t i = 0; i < count; i++) {
		copy[i] = command->argv[from + i];
	}
	w->shell.positional_known = shell_countable(&w->shell, copy, count);
}

static void
set_letter(struct walk *w, char letter, bool on, const struct field *at)
{
	switch (letter) {
	case 'f':
		w->shell.noglob = on;
		break;
	case 'n':
		if (on) {
			walk_end_shell(w); /* nothing runs from here on */
		}
		break;
	case 'E':
	case 'T':
		w->inherits_traps = w->inherits_traps || on;
		break;
	case 'x':
	case 'v':
		w->traced = w->traced || on;
		break;
	case 'e':
	case 'u':
		w->fails = w->fails || on;
		break;
	default:
		if (strchr("CbhmH", letter) == NULL) {
			walk_reason(w, WHY_BUILTIN_TRACE, at);
		}
		break;
	}
}

static void
set_name(struct walk *w, const struct field *name, bool on)
{
	static const char *const plain[] = { "noclobber", "pipefail",  "hashall", "monitor",
					     "notify",	  "physical",  "emacs",	  "vi",
					     "nolog",	  "histexpand" };

	if (field_is(name, "noglob")) {
		w->shell.noglob = on;
		return;
	}
	if (field_is(name, "errexit") || field_is(name, "nounset")) {
		w->fails = w->fails || on;
		return;
	}
	if (field_is(name, "noexec")) {
		set_letter(w, 'n', on, name);
		return;
	}
	if (field_is(name, "errtrace") || field_is(name, "functrace")) {
		w->inherits_traps = w->inherits_traps || on;
		return;
	}
	if (field_is(name, "xtrace") || field_is(name, "verbose")) {
		w->traced = w->traced || on;
		return;
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (field_is(name, plain[i])) {
			return;
		}
	}
	walk_reason(w, WHY_BUILTIN_TRACE, name);
}

/* One word of options of `set`; gives the index of the next word. */
static size_t
set_word(struct walk *w, const struct command *command, size_t i)
{
	const struct field *word = &command->argv[i];
	bool on = word->text[0] == '-';

	for (size_t k = 1; k < word->len; k++) {
		if (word->text[k] != 'o') {
			set_letter(w, word->text[k], on, word);
		} else if (i + 1 < command->argc) {
			i++;
			set_name(w, &command->argv[i], on);
		}
	}
	return i + 1;
}

void
walk_set(struct walk *w, const struct command *command)
{
	size_t i = 1;

	if (command->argc < 2) {
		walk_reason(w, WHY_BUILTIN_SECRET, &command->argv[0]);
		return;
	}
	while (i < command->argc) {
		const struct field *word = &command->argv[i];

		if (field_is(word, "--")) {
			set_positional(w, command, i + 1);
			return;
		}
		if (!field_is_literal(word) || word->len < 2 ||
		    (word->text[0] != '-' && word->text[0] != '+')) {
			break;
		}
		i = set_word(w, command, i);
	}
	if (i < command->argc) {
		if (!field_is_literal(&command->argv[i])) {
			walk_reason(w, WHY_BUILTIN_OPTION, &command->argv[i]);
		}
		set_positional(w, command, i);
	}
}

void
walk_shift(struct walk *w, const struct command *command)
{
	size_t count = 1;

	if (command->argc > 1) {
		if (!field_is_literal(&command->argv[1])) {
			w->shell.positional_known = false;
			return;
		}
		count = strtoul(command->argv[1].text, NULL, 10);
	}
	if (count >= w->shell.positional_count && shell_positional_open(&w->shell)) {
		w->shell.positional_known = false;
	} else if (count > 0 && count <= w->shell.positional_count) {
		w->shell.positional += count;
		w->shell.positional_count -= count;
	}
}

static void
shopt_name(struct walk *w, const struct field *name, int on)
{
	static const char *const plain[] = {
		"dotglob",	"globstar",	 "inherit_errexit",
		"cdspell",	"dirspell",	 "autocd",
		"checkwinsize", "checkhash",	 "checkjobs",
		"histappend",	"cmdhist",	 "lithist",
		"huponexit",	"progcomp",	 "promptvars",
		"nocaseglob",	"force_fignore", "interactive_comments",
		"globskipdots",
	};

	if (on < 0) {
		return;
	}
	if (field_is(name, "expand_aliases")) {
		w->shell.expand_aliases = on != 0;
		w->shell.aliases_unsure = false;
		return;
	}
	if (field_is(name, "nullglob")) {
		w->shell.nullglob = on != 0;
		return;
	}
	if (field_is(name, "extglob")) {
		w->shell.extglob = on != 0;
		return;
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (field_is(name, plain[i])) {
			return;
		}
	}
	walk_reason(w, WHY_BUILTIN_TRACE, name);
}

void
walk_shopt(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "suqpo" };
	bool of_set = false;
	int on = -1;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		on = c == 's' ? 1 : c == 'u' ? 0 : on;
		of_set = of_set || c == 'o';
	}
	for (size_t i = o.next; i < command->argc; i++) {
		if (of_set && on >= 0) {
			set_name(w, &command->argv[i], on == 1);
		} else {
			shopt_name(w, &command->argv[i], on);
		}
	}
}
