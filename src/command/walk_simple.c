/* SPDX-License-Identifier: MIT */
/*
 * Simple commands: expansion, assignments, redirections, and which function, builtin or program
 * the name means.
 */
#include "command/walk_impl.h"

#include <string.h>

struct expander
walk_expander(struct walk *w)
{
	return (struct expander){ .shell = &w->shell, .hooks = &w->hooks, .source = w->source };
}

struct source *
walk_source(struct walk *w, const struct field *text)
{
	struct source *source = arena_alloc(w->arena, sizeof(*source));

	if (source == NULL) {
		return NULL;
	}
	source->text = text->text;
	source->len = text->len;
	source->outer = text->source;
	source->at = text->span;
	if (text->exact != UINT32_MAX && text->source != NULL) {
		source->exact = true;
		source->at = (struct bailey_span){ text->exact, text->exact + text->len };
	}
	return source;
}

/* ---- the account's list ------------------------------------------------------------------- */

struct bailey_word
walk_word(const struct field *field)
{
	struct bailey_word word = { field->text, field->kind, field->many, { 0, 0 } };

	if (field->source != NULL) {
		word.span = source_outermost(field->source, field->span);
	}
	return word;
}

static const struct bailey_assignment *
list_assignments(struct walk *w, const struct command *command, size_t *count)
{
	size_t total = command->assigned_count + command->declared_count;
	struct bailey_assignment *list;

	*count = 0;
	if (total == 0) {
		return NULL;
	}
	list = arena_array(w->arena, total, sizeof(*list));
	for (size_t i = 0; i < total && list != NULL; i++) {
		const struct assigned *from =
			i < command->assigned_count
				? &command->assigned[i]
				: &command->declared[i - command->assigned_count];

		list[i].name = from->name;
		list[i].value = walk_word(&from->value);
		list[i].appends = from->append;
		*count = i + 1;
	}
	return list;
}

/* Adds the command to the account; findings are its own from here on. */
void
walk_add_command(struct walk *w, const struct command *command, const struct redirected *redir,
		 struct bailey_span span)
{
	struct bailey_simple simple = { .via = w->via, .span = span };
	struct bailey_word *words;

	if (w->floor > BAILEY_ALLOW || w->quiet > 0 || w->subject.account != w->account) {
		return;
	}
	words = arena_array(w->arena, command->argc, sizeof(*words));
	if (words == NULL) {
		return;
	}
	for (size_t i = 0; i < command->argc; i++) {
		words[i] = walk_word(&command->argv[i]);
	}
	simple.words = words;
	simple.word_count = command->argc;
	simple.assignments = list_assignments(w, command, &simple.assignment_count);
	if (redir != NULL) {
		simple.redirections = redir->items;
		simple.redirection_count = redir->count;
	}
	simple.parent = w->parent != SIZE_MAX ? w->parent : w->command_count;
	w->subject.command = account_command(w->account, &simple);
	w->command_count++;
}

/* ---- which command a name means ----------------------------------------------------------- */

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

static void
try_with(struct walk *w, const struct command *command, struct field name, size_t skip)
{
	struct trial trial;

	walk_try(w, &trial, w->shell.attempt);
	run_with(w, command, name, skip);
	walk_try_end(w, &trial);
}

/* Programs that a pattern in the place of a name is held against. */
static void
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

static void
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
static void
run_here(struct walk *w, const struct command *command, struct function_def *def,
	 const struct builtin *builtin)
{
	struct saved_var *saved = NULL;

	for (size_t i = 0; i < command->assigned_count; i++) {
		const struct assigned *a = &command->assigned[i];

		walk_save_var(w, a->name, &saved);
		walk_environment(w, a->name, &a->value, ENV_FOR_BUILTIN);
		shell_set(&w->shell, a->name, &a->value);
	}
	if (def != NULL) {
		walk_call(w, def, command);
	} else {
		builtin->run(w, command);
		if (builtin->prints && prints_list(command)) {
			walk_emit_unknown(w, 0);
		}
	}
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
	if (strchr(name->text, '/') == NULL) {
		if ((command->flags & COMMAND_NO_FUNCTION) == 0) {
			def = shell_function(&w->shell, name->text);
		}
		if ((command->flags & COMMAND_NO_BUILTIN) == 0) {
			builtin = walk_builtin(name->text);
		}
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

/* ---- one simple command of the text ------------------------------------------------------- */

static bool
prints_nothing(const struct fields *words, const struct node *node)
{
	if (words->count == 0) {
		return node->assigns == NULL;
	}
	return field_is(&words->items[0], ":") || field_is(&words->items[0], "true");
}

/* The name of the command as it is written, when it is one of those whose words may be assignments.
 */
static bool
is_declaration(const struct node *node)
{
	static const char *const names[] = { "declare", "export", "local", "readonly", "typeset" };
	const struct part *part = node->words->parts;

	if (part == NULL || part->kind != PART_TEXT || part->next != NULL) {
		return false;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == part->len && memcmp(part->text, names[i], part->len) == 0) {
			return true;
		}
	}
	return false;
}

/* NAME=... or NAME+=... with nothing of that quoted. */
static bool
is_assignment(const struct word *word)
{
	const struct part *part = word->parts;
	size_t i = 0;

	if (part == NULL || part->kind != PART_TEXT || part->quoted) {
		return false;
	}
	while (i < part->len && walk_is_name_char(part->text[i])) {
		i++;
	}
	i += i + 1 < part->len && part->text[i] == '+';
	return i > 0 && i < part->len && part->text[i] == '=';
}

static void
push_words(struct walk *w, struct fields *out, const struct field *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t n = out->count;
		struct field *slot = arena_push(w->arena, &out->items, &n, sizeof(*slot));

		if (slot != NULL) {
			*slot = items[i];
			out->count = n;
		}
	}
}

static bool
has_letter(const struct fields *words, char letter)
{
	for (size_t i = 1; i < words->count; i++) {
		const struct field *word = &words->items[i];

		if (word->len > 1 && word->text[0] == '-' && strchr(word->text, letter) != NULL) {
			return true;
		}
	}
	return false;
}

/* The words of declare and the like: assignments among them are not split. */
static void
expand_declaration(struct walk *w, const struct node *node, struct command *command,
		   struct fields *out)
{
	struct expander ex = walk_expander(w);
	struct assigned *declared = NULL;
	size_t count = 0;

	for (const struct word *word = node->words; word != NULL; word = word->next) {
		struct assigned one = { .name = NULL };
		struct fields fields = { NULL, 0 };
		struct word alone = *word;
		struct field value;

		alone.next = NULL;
		if (walk_expand_declared(w, word, has_letter(out, 'A'), &one)) {
			struct assigned *slot =
				arena_push(w->arena, &declared, &count, sizeof(*slot));

			if (slot != NULL) {
				*slot = one;
			}
		} else if (is_assignment(word)) {
			value = expand_value(&ex, word);
			push_words(w, out, &value, 1);
		} else {
			expand_words(&ex, &alone, &fields);
			push_words(w, out, fields.items, fields.count);
		}
	}
	command->declared = declared;
	command->declared_count = count;
}

/* NAME=VALUE in front of the command. Each sees what those before it set; what stands in front of a
 * command is set again when it runs. */
static void
split_assigns(struct walk *w, const struct node *node, struct command *command,
	      const struct fields *words)
{
	struct shell_mark mark;
	struct assigned *all;
	size_t count = 0;

	for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
		count++;
	}
	all = count > 0 ? arena_array(w->arena, count, sizeof(*all)) : NULL;
	if (all == NULL) {
		return;
	}
	command->assigned = all;
	command->assigned_count = count;
	if (words->count > 0 && count > 1) {
		mark = shell_mark(&w->shell);
	}
	count = 0;
	for (const struct assignment *a = node->assigns; a != NULL; a = a->next, count++) {
		walk_expand_assign(w, a, false, &all[count]);
		if (words->count == 0) {
			walk_assign(w, &all[count]);
		} else if (a->next != NULL) {
			walk_put(w, &all[count]);
		}
	}
	if (words->count > 0 && count > 1) {
		shell_rollback(&w->shell, &mark);
	}
}

/* A plain assignment of what is unsure: the variable may become any of what it may be. */
static void
assign_alternatives(struct walk *w, const struct node *node, unsigned seen)
{
	for (unsigned i = 1; i <= seen && i <= SHELL_ALTERNATIVES; i++) {
		struct shell_mark mark = shell_mark(&w->shell);
		enum bailey_decision floor = w->floor;

		w->shell.attempt = i;
		w->floor = BAILEY_FORBIDDEN;
		for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
			struct assigned one = { .name = NULL };

			walk_expand_assign(w, a, false, &one);
			if (!a->array && a->index == NULL && !a->append) {
				walk_put(w, &one);
			}
		}
		w->floor = floor;
		w->shell.attempt = 0;
		shell_join(&w->shell, &mark);
	}
}

/* A single [ is no pattern. */
static bool
is_bracket(const struct field *name)
{
	return name->kind == BAILEY_WORD_GLOB && name->len == 1 && name->text[0] == '[';
}

static bool
is_plain_exec(const struct command *command)
{
	return command->argc == 1 && field_is(&command->argv[0], "exec");
}

/* A simple command after its expansions. */
struct ready {
	struct command command;
	struct fields words;
	struct io_scope scope;
	struct redirected redir;
	unsigned seen; /* how many alternatives there were */
};

static void
expand(struct walk *w, const struct node *node, struct ready *ready)
{
	struct expander ex = walk_expander(w);
	struct fields *words = &ready->words;

	w->shell.attempts_seen = 0;
	if (node->words != NULL && is_declaration(node)) {
		expand_declaration(w, node, &ready->command, words);
	} else if (node->words != NULL) {
		expand_words(&ex, node->words, words);
	}
	if (words->count > 0 && is_bracket(&words->items[0])) {
		words->items[0].kind = BAILEY_WORD_LITERAL;
		words->items[0].marks = NULL;
	}
	ready->command.argv = words->items;
	ready->command.argc = words->count;
	if (node->redirects != NULL) {
		walk_redirect(w, node->redirects, prints_nothing(words, node), &ready->scope,
			      &ready->redir);
	}
	split_assigns(w, node, &ready->command, words);
	ready->seen = w->shell.attempts_seen;
}

static void run_once(struct walk *w, const struct node *node);

/* What is unsure may be any of its alternatives: each is tried for what is forbidden, before the
 * command itself changes anything. */
static void
try_alternatives(struct walk *w, const struct node *node, unsigned seen)
{
	for (unsigned i = 1; i <= seen && i <= SHELL_ALTERNATIVES; i++) {
		struct trial trial;

		walk_try(w, &trial, i);
		run_once(w, node);
		walk_try_end(w, &trial);
	}
}

static void
run_ready(struct walk *w, const struct node *node, const struct ready *ready)
{
	struct field nothing = field_static("", NULL);

	nothing.source = w->source;
	nothing.span = node->span;
	if (ready->command.argc > 0) {
		walk_run(w, &ready->command);
	} else if (node->words != NULL) {
		walk_reason(w, WHY_UNKNOWN_NAME, &nothing);
	} else if (ready->seen > 0 && w->shell.attempt == 0) {
		assign_alternatives(w, node, ready->seen);
	}
}

/* Commands that have nothing to complain about. */
static bool
is_silent(const struct command *command)
{
	static const char *const names[] = { "echo", "printf", "true", "false", ":", "test", "[" };

	if (command->argc == 0) {
		return true;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (field_is(&command->argv[0], names[i])) {
			return true;
		}
	}
	return false;
}

/* Messages of errors, and what set -x shows, have words of the command in them. */
static void
emit_messages(struct walk *w, const struct command *command)
{
	struct field unknown = field_unknown(TAINT_OUTPUT, false, NULL);

	if (walk_wants_output(w, 2) && (w->traced || !is_silent(command))) {
		walk_emit(w, 2, &unknown);
	}
}

/* Does it have an expansion that may end the shell: ${x?}, a division by zero? */
static bool
may_fail(const struct word *word)
{
	for (; word != NULL; word = word->next) {
		for (const struct part *part = word->parts; part != NULL; part = part->next) {
			if (part->kind == PART_ARITH ||
			    (part->kind == PART_PARAM && part->param->op == PARAM_ERROR)) {
				return true;
			}
		}
	}
	return false;
}

static void
check_failure(struct walk *w, const struct node *node)
{
	bool fails = may_fail(node->words);

	for (const struct assignment *a = node->assigns; a != NULL && !fails; a = a->next) {
		const struct var *var = shell_get(&w->shell, a->name);

		fails = may_fail(a->value) || (var != NULL && var->readonly);
	}
	if (fails) {
		walk_end_shell(w);
	}
}

static void
run_once(struct walk *w, const struct node *node)
{
	struct ready ready = { .command = { .node = node } };
	struct flow *sinks = w->sinks;
	struct subject subject = w->subject;

	expand(w, node, &ready);
	walk_add_command(w, &ready.command, &ready.redir, source_outermost(w->source, node->span));
	if (ready.seen > 0 && w->shell.attempt == 0 && node->words != NULL) {
		try_alternatives(w, node, ready.seen);
	}
	run_ready(w, node, &ready);
	if (w->io.fd[2] != NULL) {
		emit_messages(w, &ready.command);
	}
	if (w->forks > 0 && !w->ended) {
		check_failure(w, node);
	}
	if (!is_plain_exec(&ready.command)) {
		walk_redirect_end(w, &ready.scope);
		walk_run_sinks(w, sinks);
	}
	w->subject.command = subject.command;
}

void
walk_simple(struct walk *w, const struct node *node)
{
	unsigned seen = w->shell.attempts_seen;

	if (w->frames != NULL) {
		w->frames->site = node;
	}
	if (w->shell.expand_aliases && walk_alias(w, node)) {
		return;
	}
	run_once(w, node);
	if (seen > w->shell.attempts_seen) {
		w->shell.attempts_seen = seen;
	}
}
