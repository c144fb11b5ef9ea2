/* SPDX-License-Identifier: MIT */
/*
 * Simple commands of the text: expansion, assignments, redirections.
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
	bool many = field->many || (field->kind == BAILEY_WORD_DYNAMIC && field_is_several(field));
	struct bailey_word word = { field->text, field->kind, many, { 0, 0 } };

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
WALK_APART static void
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
WALK_APART static void
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
	bool text;     /* of a text that the script prints */
};

static void
expand(struct walk *w, const struct node *node, struct ready *ready)
{
	struct expander ex = walk_expander(w);
	struct fields *words = &ready->words;

	w->shell.attempts_seen = 0;
	w->shell.attempts_text = false;
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
	walk_say_expansion(w, &ready->command);
	if (node->redirects != NULL) {
		walk_redirect(w, node->redirects, prints_nothing(words, node), &ready->scope,
			      &ready->redir);
	}
	split_assigns(w, node, &ready->command, words);
	ready->seen = w->shell.attempts_seen;
	ready->text = w->shell.attempts_text;
}

static void run_once(struct walk *w, const struct node *node);

/* What is unsure may be any of its alternatives: each is tried for what is forbidden, before the
 * command itself changes anything. */
WALK_APART static void
try_alternatives(struct walk *w, const struct node *node, unsigned seen, bool text)
{
	for (unsigned i = 1; i <= seen && i <= SHELL_ALTERNATIVES; i++) {
		struct trial trial;

		if (text) {
			walk_try_in_full(w, &trial, i);
		} else {
			walk_try(w, &trial, i);
		}
		run_once(w, node);
		walk_try_end(w, &trial);
	}
}

/* The same for the directories that the shell may be in. Where it only is when `cd` failed, what
 * would be forbidden is asked about. */
WALK_APART static void
try_directories(struct walk *w, const struct node *node)
{
	const struct dir_entry *entry = w->at.maybe;
	struct flow *nowhere = walk_flow_new(w, FLOW_NULL);
	enum bailey_decision cap = w->subject.cap;

	if (w->floor > BAILEY_ALLOW) {
		return;
	}
	for (; entry != NULL && !walk_spent(w); entry = entry->next) {
		struct trial trial;

		if (!entry->stayed && field_is_literal(&w->shell.cwd)) {
			continue;
		}
		walk_try(w, &trial, 1);
		w->shell.cwd = entry->dir;
		shell_set(&w->shell, "PWD", &entry->dir);
		if (entry->stayed) {
			w->floor = BAILEY_PROMPT;
			w->subject.cap = cap < BAILEY_PROMPT ? cap : BAILEY_PROMPT;
		}
		/* It prints the same as where the directory is not known, and that is said then. */
		w->io.fd[1] = nowhere;
		run_once(w, node);
		walk_try_end(w, &trial);
		w->subject.cap = cap;
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

/* It does not run when a redirection fails, and with `exec` the shell ends. */
WALK_APART static void
run_redirected(struct walk *w, const struct node *node, const struct ready *ready)
{
	struct branch branch;

	if (is_plain_exec(&ready->command)) {
		run_ready(w, node, ready);
		walk_end_shell(w);
		return;
	}
	walk_redirected(w, &branch, &ready->scope);
	run_ready(w, node, ready);
	walk_branch_end(w, &branch);
}

static bool may_fail(const struct word *word);

/* Is it an expansion that may end the shell: ${x?}, a division by zero? */
static bool
part_may_fail(const struct part *part)
{
	if (part->kind == PART_PARAM) {
		return part->param->op == PARAM_ERROR || part->param->op == PARAM_SUBSTRING ||
		       part->param->op == PARAM_ASSIGN || part->param->op == PARAM_TRANSFORM ||
		       part->param->indirect || part->param->index != NULL ||
		       may_fail(part->param->arg) || may_fail(part->param->arg2);
	}
	return part->kind == PART_ARITH;
}

static bool
may_fail(const struct word *word)
{
	for (; word != NULL; word = word->next) {
		for (const struct part *part = word->parts; part != NULL; part = part->next) {
			if (part_may_fail(part)) {
				return true;
			}
		}
	}
	return false;
}

void
walk_check_words(struct walk *w, const struct word *words)
{
	if (w->forks > 0 && !w->ended && may_fail(words)) {
		walk_end_shell(w);
	}
}

/* Variables that nobody may assign to. */
static bool
is_of_bash(const char *name)
{
	static const char *const names[] = { "BASHOPTS", "BASH_VERSINFO", "EUID",
					     "PPID",	 "SHELLOPTS",	  "UID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Is it a declaration of an integer, whose value may be wrong? */
static bool
declares_integer(struct walk *w, const struct command *command)
{
	for (size_t i = 1; i < command->argc; i++) {
		const struct field *word = &command->argv[i];

		if (word->text[0] == '-' && strchr(word->text, 'i') != NULL) {
			return true;
		}
	}
	for (size_t i = 0; i < command->declared_count; i++) {
		const struct var *var = shell_get(&w->shell, command->declared[i].name);

		if (var != NULL && (var->integer || var->nameref)) {
			return true;
		}
	}
	return false;
}

static void
check_failure(struct walk *w, const struct node *node, const struct command *command)
{
	bool fails = may_fail(node->words);

	if (node->words != NULL && is_declaration(node)) {
		fails = fails || declares_integer(w, command);
	}
	for (const struct assignment *a = node->assigns; a != NULL && !fails; a = a->next) {
		const struct var *var = shell_get(&w->shell, a->name);

		fails = may_fail(a->value) || a->index != NULL || is_of_bash(a->name) ||
			(var != NULL && (var->readonly || var->nameref || var->integer));
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
		try_alternatives(w, node, ready.seen, ready.text);
	}
	if (w->at.maybe != NULL && node->words != NULL) {
		try_directories(w, node);
	}
	walk_say_command(w, &ready.command);
	if (ready.scope.fails) {
		run_redirected(w, node, &ready);
	} else {
		run_ready(w, node, &ready);
	}
	walk_say_command(w, &ready.command);
	if (w->forks > 0 && !w->ended) {
		check_failure(w, node, &ready.command);
	}
	if (!is_plain_exec(&ready.command)) {
		walk_redirect_end(w, &ready.scope);
		walk_run_sinks(w, sinks);
	}
	w->subject.command = subject.command;
}

/* What the name means when the alias is not there. */
WALK_APART static void
run_instead(struct walk *w, const struct node *node)
{
	struct branch branch;

	walk_branch(w, &branch);
	run_once(w, node);
	walk_branch_end(w, &branch);
}

void
walk_simple(struct walk *w, const struct node *node)
{
	unsigned seen = w->shell.attempts_seen;
	bool text = w->shell.attempts_text;
	enum alias_run alias = ALIAS_NONE;

	if (w->frames != NULL) {
		w->frames->site = node;
	}
	if (w->shell.expand_aliases) {
		alias = walk_alias(w, node);
	}
	if (alias == ALIAS_RAN) {
		return;
	}
	if (alias == ALIAS_MAYBE) {
		run_instead(w, node);
	} else {
		run_once(w, node);
	}
	if (seen > w->shell.attempts_seen) {
		w->shell.attempts_seen = seen;
	}
	w->shell.attempts_text = w->shell.attempts_text || text;
}
