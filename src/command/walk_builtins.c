/* SPDX-License-Identifier: MIT */
/*
 * Builtins that change the shell and have no file of their own, and the table of all of them. What
 * only prints or computes has a model like any program.
 */
#include "command/walk_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------------------ */

static bool
next_word(struct options *o)
{
	const struct field *word;

	if (o->next >= o->command->argc) {
		return false;
	}
	word = &o->command->argv[o->next];
	if (!field_is_literal(word) || word->len < 2 || word->text[0] != '-') {
		return false;
	}
	o->next++;
	if (field_is(word, "--")) {
		return false;
	}
	o->word = word;
	o->at = 1;
	return true;
}

char
walk_option(struct walk *w, struct options *o)
{
	const char *known;
	char letter;

	if (o->next == 0) {
		o->next = 1;
	}
	if (o->at == 0 && !next_word(o)) {
		return 0;
	}
	letter = o->word->text[o->at++];
	known = letter != ':' ? strchr(o->letters, letter) : NULL;
	if (o->word->text[o->at] == '\0') {
		o->at = 0;
	}
	if (known == NULL) {
		walk_reason(w, WHY_BUILTIN_OPTION, o->word);
		o->at = 0;
		return '?';
	}
	if (known[1] != ':') {
		return letter;
	}
	o->arg = field_static("", o->word);
	if (o->at > 0) {
		o->arg = field_tail(w->arena, o->word, o->at);
		o->at = 0;
	} else if (o->next < o->command->argc) {
		o->arg = o->command->argv[o->next++];
	}
	return letter;
}

/* Goes over all options; gives the index of the first operand. */
static size_t
skip_options(struct walk *w, const struct command *command, const char *letters)
{
	struct options o = { .command = command, .letters = letters };

	while (walk_option(w, &o) != 0) {
	}
	return o.next;
}

/* ---- directories -------------------------------------------------------------------------- */

static struct field
variable(struct walk *w, const char *name)
{
	const struct var *var = shell_get(&w->shell, name);

	if (var == NULL || var->unsure || var->array || !var->set || var->count == 0) {
		return field_unknown(TAINT_VARIABLE, false, NULL);
	}
	return var->values[0];
}

static struct field
directory(struct walk *w, const struct command *command, size_t at)
{
	const struct field *word;

	if (at >= command->argc) {
		return shell_home(&w->shell);
	}
	word = &command->argv[at];
	if (field_is(word, "-")) {
		return variable(w, "OLDPWD");
	}
	if (word->len == 0) {
		return w->shell.cwd;
	}
	return shell_path(&w->shell, word);
}

static void
builtin_cd(struct walk *w, const struct command *command)
{
	size_t at = skip_options(w, command, "LPe@");
	struct field dir = directory(w, command, at);

	if (at < command->argc && !field_is_literal(&command->argv[at])) {
		walk_emit_unknown(w, 0);
	}
	if (at < command->argc && field_is(&command->argv[at], "-")) {
		walk_emit_unknown(w, 0);
	}
	shell_chdir(&w->shell, &dir);
}

static void
push_dir(struct walk *w)
{
	struct dir_entry *entry = arena_alloc(w->arena, sizeof(*entry));

	if (entry != NULL) {
		entry->dir = w->shell.cwd;
		entry->next = w->dirs;
		w->dirs = entry;
	}
}

static void
builtin_pushd(struct walk *w, const struct command *command)
{
	struct field dir = field_unknown(TAINT_VARIABLE, false, NULL);

	if (command->argc > 1 && field_is(&command->argv[1], "-n")) {
		return;
	}
	if (command->argc < 2) {
		if (w->dirs != NULL) {
			dir = w->dirs->dir;
			w->dirs = w->dirs->next;
		}
	} else if (command->argv[1].text[0] != '+') {
		dir = directory(w, command, 1);
	}
	push_dir(w);
	shell_chdir(&w->shell, &dir);
}

static void
builtin_popd(struct walk *w, const struct command *command)
{
	struct field dir = field_unknown(TAINT_VARIABLE, false, NULL);

	if (command->argc < 2 && w->dirs != NULL) {
		dir = w->dirs->dir;
		w->dirs = w->dirs->next;
	}
	shell_chdir(&w->shell, &dir);
}

/* ---- set, shift, shopt -------------------------------------------------------------------- */

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
	w->shell.positional_known = true;
	for (size_t i = 0; i < count; i++) {
		copy[i] = command->argv[from + i];
		w->shell.positional_known = w->shell.positional_known && !copy[i].many;
	}
}

static void
set_letter(struct walk *w, char letter, bool on, const struct field *at)
{
	switch (letter) {
	case 'f':
		w->shell.noglob = on;
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
		if (strchr("CETbhmHn", letter) == NULL) {
			walk_reason(w, WHY_BUILTIN_TRACE, at);
		}
		break;
	}
}

static void
set_name(struct walk *w, const struct field *name, bool on)
{
	static const char *const plain[] = { "noclobber", "errtrace",  "functrace", "pipefail",
					     "hashall",	  "monitor",   "notify",    "physical",
					     "emacs",	  "vi",	       "noexec",    "nolog",
					     "history",	  "histexpand" };

	if (field_is(name, "noglob")) {
		w->shell.noglob = on;
		return;
	}
	if (field_is(name, "errexit") || field_is(name, "nounset")) {
		w->fails = w->fails || on;
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

static void
builtin_set(struct walk *w, const struct command *command)
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

static void
builtin_shift(struct walk *w, const struct command *command)
{
	size_t count = 1;

	if (command->argc > 1) {
		if (!field_is_literal(&command->argv[1])) {
			w->shell.positional_known = false;
			return;
		}
		count = strtoul(command->argv[1].text, NULL, 10);
	}
	if (count > 0 && count <= w->shell.positional_count) {
		w->shell.positional += count;
		w->shell.positional_count -= count;
	}
}

static void
shopt_name(struct walk *w, const struct field *name, int on)
{
	static const char *const plain[] = {
		"nullglob",
		"dotglob",
		"globstar",
		"failglob",
		"inherit_errexit",
		"cdspell",
		"dirspell",
		"autocd",
		"checkwinsize",
		"checkhash",
		"checkjobs",
		"histappend",
		"cmdhist",
		"lithist",
		"huponexit",
		"progcomp",
		"promptvars",
		"nocaseglob",
		"nocasematch",
		"globasciiranges",
		"extquote",
		"force_fignore",
		"interactive_comments",
		"globskipdots",
	};

	if (on < 0) {
		return;
	}
	if (field_is(name, "expand_aliases")) {
		w->shell.expand_aliases = on != 0;
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

static void
builtin_shopt(struct walk *w, const struct command *command)
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

/* ---- aliases ------------------------------------------------------------------------------ */

static bool
is_reserved(const char *name)
{
	static const char *const words[] = { "if",   "then",   "else",	 "elif",  "fi",
					     "case", "esac",   "for",	 "while", "until",
					     "do",   "done",   "select", "in",	  "function",
					     "time", "coproc", "{",	 "}",	  "[[",
					     "]]",   "!" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* An alias that nobody uses is asked about when it would do harm, and no more. */
static void
judge_alias(struct walk *w, const struct field *value)
{
	struct code_run run = { .language = LANG_BASH, .text = value };
	enum bailey_decision cap = w->subject.cap;

	w->subject.cap = BAILEY_PROMPT;
	w->quiet++;
	if (value->len > 0) {
		walk_code(w, &run);
	}
	w->quiet--;
	w->subject.cap = cap;
}

static void
builtin_alias(struct walk *w, const struct command *command)
{
	for (size_t i = skip_options(w, command, "p"); i < command->argc; i++) {
		const struct field *word = &command->argv[i];
		size_t known = field_known_prefix(word);
		const char *equals = memchr(word->text, '=', known);
		const char *name;
		struct field value;

		if (equals == NULL) {
			if (!field_is_literal(word)) {
				walk_reason(w, WHY_ALIAS, word);
			}
			continue;
		}
		name = arena_strndup(w->arena, word->text, (size_t)(equals - word->text));
		value = field_tail(w->arena, word, (size_t)(equals - word->text) + 1);
		if (name == NULL) {
			return;
		}
		if (is_reserved(name)) {
			walk_reason(w, WHY_ALIAS, word);
		}
		judge_alias(w, &value);
		shell_set_alias(&w->shell, name, field_is_literal(&value) ? value.text : "\x1a",
				w->line);
	}
}

static void
builtin_unalias(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "a" };

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		if (c == 'a') {
			shell_unset_alias(&w->shell, NULL);
		}
	}
	for (size_t i = o.next; i < command->argc; i++) {
		if (field_is_literal(&command->argv[i])) {
			shell_unset_alias(&w->shell, command->argv[i].text);
		}
	}
}

/* ---- names of programs -------------------------------------------------------------------- */

#define HASHED_MAX 64 /* they are searched one by one */

static void
remember_path(struct walk *w, const struct field *name, const struct field *path)
{
	struct hashed *hashed;
	size_t count = 0;

	if (!field_is_literal(name)) {
		return;
	}
	for (hashed = w->hashed; hashed != NULL; hashed = hashed->next) {
		count++;
		if (strcmp(hashed->name, name->text) == 0) {
			hashed->path = *path;
			return;
		}
	}
	hashed = count < HASHED_MAX ? arena_alloc(w->arena, sizeof(*hashed)) : NULL;
	if (hashed != NULL) {
		hashed->name = name->text;
		hashed->path = *path;
		hashed->next = w->hashed;
		w->hashed = hashed;
	}
}

static void
builtin_hash(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "lrp:dt" };
	struct field path = { .text = NULL };

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		if (c == 'p') {
			path = o.arg;
		}
	}
	if (path.text == NULL) {
		return;
	}
	walk_reason(w, WHY_BUILTIN_LOADS, &path);
	for (size_t i = o.next; i < command->argc; i++) {
		remember_path(w, &command->argv[i], &path);
	}
}

static void
builtin_enable(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "anpsdf:" };
	bool changes = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		changes = changes || c == 'f' || c == 'd' || c == 'n';
	}
	if (changes && (o.next < command->argc || o.arg.text != NULL)) {
		walk_reason(w, WHY_BUILTIN_LOADS, &command->argv[command->argc > 1 ? 1 : 0]);
	}
}

/* ---- the flow of the script --------------------------------------------------------------- */

static void
builtin_break(struct walk *w, const struct command *command)
{
	unsigned long count = 1;

	if (command->argc > 1 && field_is_literal(&command->argv[1])) {
		count = strtoul(command->argv[1].text, NULL, 10);
	}
	if (count < 1 || count > 64) {
		count = 64;
	}
	if (w->jump_loops < count) {
		w->jump_loops = (unsigned)count;
	}
}

static void
builtin_return(struct walk *w, const struct command *command)
{
	(void)command;
	w->returned = true;
}

static void
builtin_exit(struct walk *w, const struct command *command)
{
	(void)command;
	walk_end_shell(w);
}

static void
builtin_suspend(struct walk *w, const struct command *command)
{
	walk_reason(w, WHY_BUILTIN_STOPS, &command->argv[0]);
}

static void
builtin_limits(struct walk *w, const struct command *command)
{
	size_t at = 1;

	while (at < command->argc && command->argv[at].text[0] == '-') {
		at++;
	}
	if (at < command->argc) {
		walk_reason(w, WHY_BUILTIN_LIMITS, &command->argv[at]);
	}
}

/* ---- the table ---------------------------------------------------------------------------- */

static const struct builtin builtins[] = {
	{ ".", walk_source_file, false },
	{ "[", walk_test, false },
	{ "alias", builtin_alias, true },
	{ "bind", walk_bind, true },
	{ "break", builtin_break, false },
	{ "builtin", walk_builtin_builtin, false },
	{ "cd", builtin_cd, false },
	{ "command", walk_command_builtin, false },
	{ "compgen", walk_complete, true },
	{ "complete", walk_complete, true },
	{ "compopt", builtin_suspend, false },
	{ "continue", builtin_break, false },
	{ "declare", walk_declare, true },
	{ "enable", builtin_enable, true },
	{ "eval", walk_eval, false },
	{ "exec", walk_exec, false },
	{ "exit", builtin_exit, false },
	{ "export", walk_declare, true },
	{ "fc", walk_fc, true },
	{ "getopts", walk_getopts, false },
	{ "hash", builtin_hash, true },
	{ "history", walk_history, true },
	{ "let", walk_let, false },
	{ "local", walk_declare, true },
	{ "logout", builtin_exit, false },
	{ "mapfile", walk_mapfile, false },
	{ "popd", builtin_popd, true },
	{ "printf", walk_printf, false },
	{ "pushd", builtin_pushd, true },
	{ "read", walk_read, false },
	{ "readarray", walk_mapfile, false },
	{ "readonly", walk_declare, true },
	{ "return", builtin_return, false },
	{ "set", builtin_set, true },
	{ "shift", builtin_shift, false },
	{ "shopt", builtin_shopt, true },
	{ "source", walk_source_file, false },
	{ "suspend", builtin_suspend, false },
	{ "test", walk_test, false },
	{ "trap", walk_trap, true },
	{ "typeset", walk_declare, true },
	{ "ulimit", builtin_limits, true },
	{ "umask", builtin_limits, true },
	{ "unalias", builtin_unalias, false },
	{ "unset", walk_unset, false },
};

const struct builtin *
walk_builtin(const char *name)
{
	size_t low = 0;
	size_t high = sizeof(builtins) / sizeof(builtins[0]);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, builtins[middle].name);

		if (order == 0) {
			return &builtins[middle];
		}
		if (order < 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return NULL;
}
