/* SPDX-License-Identifier: MIT */
/*
 * Which function, builtin or program the name of a command means, and running it.
 */
#include "command/walk_impl.h"

#include <assert.h>
#include <string.h>

static bool
has_unicode(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text >= 0x80) {
			return true;
		}
	}
	return false;
}

static void
run_with(struct walk *w, const struct command *command, struct field name, size_t skip)
{
	struct command changed = *command;
	size_t argc = command->argc - skip;
	struct field *argv = arena_array(w->arena, argc, sizeof(*argv));

	if (argv == NULL || !walk_enter(w)) {
		return;
	}
	memcpy(argv, command->argv + skip, argc * sizeof(*argv));
	argv[0] = name;
	changed.argv = argv;
	changed.argc = argc;
	walk_run(w, &changed);
	walk_leave(w);
}

WALK_APART static void
try_with(struct walk *w, const struct command *command, struct field name, size_t skip)
{
	struct trial trial;

	walk_try(w, &trial, w->shell.attempt);
	run_with(w, command, name, skip);
	walk_try_end(w, &trial);
}

/* Programs that a pattern in the place of a name is held against. */
WALK_APART static void
try_pattern(struct walk *w, const struct command *command)
{
	static const char *const names[] = {
		"rm",	"dd",	 "sh",	    "bash", "shred",   "chmod",	   "chown",  "mkfs",
		"find", "cat",	 "mv",	    "tee",  "cp",      "curl",	   "wget",   "env",
		"sudo", "xargs", "python3", "perl", "busybox", "truncate", "unlink", "dash",
	};
	const struct field *name = &command->argv[0];
	const char *slash = memrchr(name->text, '/', name->len);
	size_t from = slash != NULL ? (size_t)(slash - name->text) + 1 : 0;
	struct field last = field_tail(w->arena, name, from);
	struct field dir = field_literal(w->arena, name->text, from, name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && from > 0; i++) {
		struct field full = field_static(names[i], name);

		if (pattern_match(&last, names[i], strlen(names[i]), false) == 1) {
			full = field_join(w->arena, &dir, &full);
			try_with(w, command, full, 0);
		}
	}
}

/* The name without its unknown parts: variables that are not set are empty as a rule. */
static struct field
without_unknown(struct walk *w, const struct field *name)
{
	char *text = arena_alloc(w->arena, name->len + 1);
	size_t len = 0;

	for (size_t i = 0; i < name->len && text != NULL; i++) {
		if (name->marks[i] != MARK_UNKNOWN) {
			text[len++] = name->text[i];
		}
	}
	return field_literal(w->arena, text != NULL ? text : "", len, name);
}

WALK_APART static void
run_unknown(struct walk *w, const struct command *command)
{
	const struct field *name = &command->argv[0];
	bool dynamic = name->kind == BAILEY_WORD_DYNAMIC;
	struct field rest;

	if (dynamic && (name->taint & TAINT_NETWORK) != 0) {
		walk_reason(w, WHY_REMOTE_CODE, name);
		walk_emit_unknown(w, name->taint);
		return;
	}
	walk_reason(w, WHY_UNKNOWN_NAME, name);
	walk_emit_unknown(w, name->taint);
	if (w->floor >= BAILEY_FORBIDDEN && w->shell.attempt != 0) {
		return;
	}
	if (name->kind == BAILEY_WORD_GLOB) {
		try_pattern(w, command);
		return;
	}
	if (!dynamic || (name->taint & ~(unsigned)TAINT_VARIABLE) != 0) {
		return;
	}
	rest = without_unknown(w, name);
	if (rest.len > 0) {
		try_with(w, command, rest, 0);
	} else if (command->argc > 1) {
		try_with(w, command, command->argv[1], 1);
	}
}

static const struct hashed *
find_hashed(const struct hashed *list, const char *name)
{
	for (; list != NULL; list = list->next) {
		if (strcmp(list->name, name) == 0) {
			return list;
		}
	}
	return NULL;
}

/* Is it used to print what the shell has, not to change it? When in doubt, it prints. */
static bool
prints_list(const struct command *command)
{
	bool options = command->argc > 1 && command->argv[1].text[0] == '-';
	bool changes = command->declared_count > 0;

	if (field_is(&command->argv[0], "set")) {
		return command->argc < 2 ||
		       (command->argc == 2 && command->argv[1].text[0] != '\0' &&
			command->argv[1].text[1] == 'o' && command->argv[1].len == 2);
	}
	if (field_is(&command->argv[0], "trap")) {
		return command->argc < 3 || options;
	}
	if (field_is(&command->argv[0], "readonly") && command->argc > 1 && !options) {
		return false;
	}
	for (size_t i = 1; i < command->argc; i++) {
		const struct field *word = &command->argv[i];

		changes = changes || memchr(word->text, '=', word->len) != NULL ||
			  field_is(word, "-s") || field_is(word, "-u");
	}
	return !changes;
}

/* Prefix assignments of functions and builtins are gone when those end. */
WALK_APART static void
run_here(struct walk *w, const struct command *command, struct function_def *def,
	 const struct builtin *builtin)
{
	struct saved_var *saved = NULL;

	w->prefixed += command->assigned_count > 0;
	for (size_t i = 0; i < command->assigned_count; i++) {
		const struct assigned *a = &command->assigned[i];

		walk_save_var(w, a->name, &saved);
		walk_environment(w, a->name, &a->value, ENV_FOR_BUILTIN);
		shell_set(&w->shell, a->name, &a->value);
	}
	if (def != NULL) {
		walk_call(w, def, command);
	} else {
		assert(builtin != NULL); /* it is one or the other */
		builtin->run(w, command);
		if (builtin->prints && prints_list(command)) {
			walk_emit_unknown(w, 0);
		}
	}
	w->prefixed -= command->assigned_count > 0;
	walk_restore_vars(w, saved);
}

static void
run_program(struct walk *w, const struct command *command)
{
	struct subshell sub;

	if (command->assigned_count == 0) {
		walk_program(w, command);
		return;
	}
	walk_fork(w, &sub);
	for (size_t i = 0; i < command->assigned_count; i++) {
		const struct assigned *a = &command->assigned[i];
		struct var *var;

		walk_environment(w, a->name, &a->value, ENV_PREFIX);
		shell_set(&w->shell, a->name, &a->value);
		var = shell_declare(&w->shell, a->name);
		if (var != NULL) {
			var->exported = true;
		}
	}
	walk_program(w, command);
	walk_fork_end(w, &sub);
}

void
walk_run(struct walk *w, const struct command *command)
{
	const struct field *name = &command->argv[0];
	const struct builtin *builtin = NULL;
	struct function_def *def = NULL;
	const struct hashed *hashed;

	if (!field_is_literal(name)) {
		run_unknown(w, command);
		return;
	}
	if (has_unicode(name->text)) {
		walk_reason(w, WHY_LOOK_ALIKE, name);
	}
	/* A function's name may have slashes, and goes before the file. */
	if ((command->flags & COMMAND_NO_FUNCTION) == 0) {
		def = shell_function(&w->shell, name->text);
	}
	if ((command->flags & COMMAND_NO_BUILTIN) == 0) {
		builtin = walk_builtin(name->text);
	}
	if (def != NULL) {
		run_here(w, command, def, NULL);
		if (!def->unsure) {
			return;
		}
	}
	if (builtin != NULL) {
		run_here(w, command, NULL, builtin);
		return;
	}
	hashed = w->hashed != NULL && strchr(name->text, '/') == NULL
			 ? find_hashed(w->hashed, name->text)
			 : NULL;
	if (hashed != NULL && !field_is(&hashed->path, name->text)) {
		run_with(w, command, hashed->path, 0);
		return;
	}
	run_program(w, command);
}
