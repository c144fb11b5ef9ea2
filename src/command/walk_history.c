/* SPDX-License-Identifier: MIT */
/*
 * Builtins on keys, completions and the history of commands, all of which can have text run.
 */
#include "command/walk_impl.h"

#include <string.h>

/* bind -x '"KEY": COMMAND' */
static void
bind_command(struct walk *w, const struct field *arg)
{
	size_t known = field_known_prefix(arg);
	const char *colon = memchr(arg->text, ':', known);
	struct field text = *arg;

	if (colon != NULL) {
		text = field_tail(w->arena, arg, (size_t)(colon - arg->text) + 1);
	}
	(void)walk_code_try(w, &text, LANG_BASH);
}

void
walk_bind(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "lpPsSvVXm:q:u:r:f:x:" };
	bool changes = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		changes = changes || strchr("urfx", c) != NULL;
		if (c == 'x') {
			bind_command(w, &o.arg);
		} else if (c == 'f') {
			(void)walk_deed_on(w, DEED_READ, &o.arg);
		}
	}
	if (changes || o.next < command->argc) {
		walk_reason(w, WHY_BUILTIN_BINDS, &command->argv[0]);
	}
}

void
walk_complete(struct walk *w, const struct command *command)
{
	struct options o = { .command = command,
			     .letters = "abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:V:" };
	bool generates = field_is(&command->argv[0], "compgen");
	bool runs = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		if (c == 'C') {
			(void)walk_code_try(w, &o.arg, LANG_BASH);
			runs = true;
		} else if (c == 'W') {
			(void)w->hooks.evaluate(w, &w->shell, &o.arg);
		} else if (c == 'F') {
			runs = true;
		}
	}
	if (runs || (!generates && command->argc > 1 && !field_is(&command->argv[1], "-p"))) {
		walk_reason(w, WHY_BUILTIN_BINDS, &command->argv[0]);
	}
}

void
walk_fc(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "e:lnrs" };
	bool list = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		list = list || c == 'l';
		if (c == 'e' && !field_is(&o.arg, "-")) {
			(void)walk_code_try(w, &o.arg, LANG_BASH);
		}
	}
	if (!list) {
		walk_reason(w, WHY_UNKNOWN_CODE, &command->argv[0]);
	}
}

static void
history_add(struct walk *w, const struct command *command, size_t from)
{
	struct field blank = field_static(" ", NULL);
	struct field newline = field_static("\n", NULL);

	for (size_t i = from; i < command->argc && w->history.len < EMULATE_MAX; i++) {
		if (w->history.text == NULL) {
			w->history = field_static("", NULL);
		}
		if (!shell_spend(&w->shell, w->history.len)) {
			w->history = field_unknown(TAINT_INPUT, false, NULL);
			return;
		}
		w->history = field_join(w->arena, &w->history, &command->argv[i]);
		w->history = field_join(w->arena, &w->history,
					i + 1 < command->argc ? &blank : &newline);
	}
}

static void
history_file(struct walk *w, const struct command *command, size_t at, enum deed deed)
{
	struct effect effect = { .deed = deed };
	struct stream nothing = { .data = field_static("", NULL) };

	if (at >= command->argc) {
		walk_reason(w, WHY_BUILTIN_HISTORY, &command->argv[0]);
		return;
	}
	effect.target = &command->argv[at];
	(void)walk_deed(w, &effect);
	if (deed != DEED_READ && w->history.text != NULL) {
		effect.flags = EFFECT_DATA;
		effect.data.data = w->history;
		walk_note_effect(w, &effect, &nothing, &nothing);
	}
}

void
walk_history(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "cd:anrwps" };

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		switch (c) {
		case 'a':
			history_file(w, command, o.next, DEED_APPEND);
			break;
		case 'w':
			history_file(w, command, o.next, DEED_WRITE);
			break;
		case 'r':
		case 'n':
			history_file(w, command, o.next, DEED_READ);
			break;
		case 's':
			history_add(w, command, o.next);
			walk_reason(w, WHY_BUILTIN_HISTORY, &command->argv[0]);
			break;
		case 'c':
		case 'd':
			walk_reason(w, WHY_BUILTIN_HISTORY, &command->argv[0]);
			break;
		default:
			break;
		}
	}
}
