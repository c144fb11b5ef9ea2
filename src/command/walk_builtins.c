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
size_t
walk_skip_options(struct walk *w, const struct command *command, const char *letters)
{
	struct options o = { .command = command, .letters = letters };

	while (walk_option(w, &o) != 0) {
	}
	return o.next;
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
	} else if (command->argc > 1) {
		count = 64;
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
	{ "alias", walk_alias_builtin, true },
	{ "bind", walk_bind, true },
	{ "break", builtin_break, false },
	{ "builtin", walk_builtin_builtin, false },
	{ "cd", walk_cd, false },
	{ "command", walk_command_builtin, false },
	{ "compgen", walk_complete, true },
	{ "complete", walk_complete, true },
	{ "compopt", builtin_suspend, false },
	{ "continue", builtin_break, false },
	{ "declare", walk_declare, true },
	{ "dirs", walk_dirs, false },
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
	{ "popd", walk_popd, true },
	{ "printf", walk_printf, false },
	{ "pushd", walk_pushd, true },
	{ "read", walk_read, false },
	{ "readarray", walk_mapfile, false },
	{ "readonly", walk_declare, true },
	{ "return", builtin_return, false },
	{ "set", walk_set, true },
	{ "shift", walk_shift, false },
	{ "shopt", walk_shopt, true },
	{ "source", walk_source_file, false },
	{ "suspend", builtin_suspend, false },
	{ "test", walk_test, false },
	{ "trap", walk_trap, true },
	{ "typeset", walk_declare, true },
	{ "ulimit", builtin_limits, true },
	{ "umask", builtin_limits, true },
	{ "unalias", walk_unalias_builtin, false },
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
