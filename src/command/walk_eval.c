/* SPDX-License-Identifier: MIT */
/*
 * Builtins that run code in this shell, and tests, whose operands may be code.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- eval, source, exec, command, builtin ------------------------------------------------- */

void
walk_eval(struct walk *w, const struct command *command)
{
	struct field blank = field_static(" ", NULL);
	struct field text;
	size_t at = 1;

	if (at < command->argc && field_is(&command->argv[at], "--")) {
		at++;
	}
	if (at >= command->argc) {
		return;
	}
	text = command->argv[at];
	for (at++; at < command->argc; at++) {
		bool many = text.many;

		if (!shell_spend(&w->shell, text.len)) {
			text = field_unknown(text.taint, true, &text);
		}
		text = field_join(w->arena, &text, &blank);
		text = field_join(w->arena, &text, &command->argv[at]);
		text.many = text.many || many;
		text.exact = UINT32_MAX;
	}
	if (text.len > 0) {
		walk_text_here(w, &text, "eval");
	}
}

void
walk_source_file(struct walk *w, const struct command *command)
{
	struct code_run run = { .language = LANG_BASH, .flags = INNER_HERE, .via = "source" };
	struct field *positional = w->shell.positional;
	size_t count = w->shell.positional_count;
	bool known = w->shell.positional_known;
	bool returned = w->returned;
	const struct field *own = NULL;
	size_t at = 1;

	if (at < command->argc && field_is(&command->argv[at], "--")) {
		at++;
	}
	if (at >= command->argc) {
		walk_reason(w, WHY_BUILTIN_OPTION, &command->argv[0]);
		return;
	}
	run.text = &command->argv[at];
	if (at + 1 < command->argc) {
		struct field *copy = arena_array(w->arena, command->argc, sizeof(*copy));

		if (copy == NULL) {
			return;
		}
		memcpy(copy, command->argv + at + 1, (command->argc - at - 1) * sizeof(*copy));
		w->shell.positional = copy;
		w->shell.positional_count = command->argc - at - 1;
		w->shell.positional_known =
			shell_countable(&w->shell, copy, w->shell.positional_count);
		own = copy;
	}
	walk_code_file(w, &run);
	w->returned = returned;
	if (own == NULL) {
		return; /* what the file has set stays */
	}
	w->shell.positional_known = known && w->shell.positional_known &&
				    w->shell.positional >= own &&
				    w->shell.positional <= own + command->argc;
	w->shell.positional = positional;
	w->shell.positional_count = count;
}

/* The words from `at` on as a command of their own, which `via` runs. */
static void
run_rest(struct walk *w, const struct command *command, size_t at, unsigned flags)
{
	struct command rest = *command;
	struct bailey_span span = { 0, 0 };
	struct subject subject = w->subject;
	const char *via = w->via;
	size_t parent = w->parent;

	if (at >= command->argc || !walk_enter(w)) {
		return;
	}
	rest.argv = command->argv + at;
	rest.argc = command->argc - at;
	rest.assigned_count = 0;
	rest.flags = flags;
	if (rest.argv[0].source != NULL) {
		span = source_outermost(rest.argv[0].source, rest.argv[0].span);
	}
	w->via = field_is_literal(&command->argv[0]) ? command->argv[0].text : NULL;
	if (w->subject.command != SIZE_MAX) {
		w->parent = w->subject.command;
	}
	walk_add_command(w, &rest, NULL, span);
	walk_run(w, &rest);
	w->subject = subject;
	w->via = via;
	w->parent = parent;
	walk_leave(w);
}

void
walk_exec(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "cla:" };

	while (walk_option(w, &o) != 0) {
	}
	if (o.next < command->argc) {
		run_rest(w, command, o.next, COMMAND_NO_FUNCTION | COMMAND_NO_BUILTIN);
		walk_end_shell(w);
	}
}

/* command -v NAME: where it is found, for what the shell or the system has; nothing for what is not
 * there. */
static struct stream
place_of_name(struct walk *w, const struct field *name)
{
	static const struct field nothing = { .text = "", .exact = UINT32_MAX };
	struct stream line = { .data = field_unknown(TAINT_OUTPUT, false, name) };
	const struct function_def *def;
	const char *path;

	if (!field_is_literal(name) ||
	    shell_alias(&w->shell, name->text, UINT32_MAX, NULL) != NULL) {
		return line;
	}
	def = shell_function(&w->shell, name->text);
	if (strchr(name->text, '/') != NULL || (def != NULL && def->unsure)) {
		line.data = *name;
		line.sure = &nothing;
	} else if (def != NULL || walk_builtin(name->text) != NULL) {
		line.data = *name;
	} else {
		path = arena_printf(w->arena, "/usr/bin/%s", name->text);
		line.data = path != NULL ? field_static(path, name) : line.data;
		line.sure = emulate_is_everywhere(name->text) ? NULL : &nothing;
	}
	return line;
}

static void
print_where(struct walk *w, const struct command *command, size_t at)
{
	struct field newline = field_static("\n", NULL);

	for (; at < command->argc && walk_wants_output(w, 1); at++) {
		struct stream line = place_of_name(w, &command->argv[at]);

		line.data = field_join(w->arena, &line.data, &newline);
		walk_emit_stream(w, walk_fd(w, 1), &line);
	}
}

void
walk_command_builtin(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "pvV" };
	bool looks = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		looks = looks || c == 'v' || c == 'V';
	}
	if (looks) {
		print_where(w, command, o.next);
		return;
	}
	run_rest(w, command, o.next, COMMAND_NO_FUNCTION);
}

void
walk_builtin_builtin(struct walk *w, const struct command *command)
{
	size_t at = 1;

	if (at < command->argc && field_is(&command->argv[at], "--")) {
		at++;
	}
	run_rest(w, command, at, COMMAND_NO_FUNCTION);
}

/* ---- trap --------------------------------------------------------------------------------- */

static void
remember_trap(struct walk *w, const struct field *text, bool at_end, bool acts)
{
	struct trap_text *trap = arena_alloc(w->arena, sizeof(*trap));

	if (trap != NULL) {
		trap->text = *text;
		trap->at_end = at_end;
		trap->acts = acts;
		trap->any = acts || (w->traps != NULL && w->traps->any);
		trap->next = w->traps;
		w->traps = trap;
	}
}

/* Gives whether it changed anything. */
static bool
run_trap(struct walk *w, const struct field *text)
{
	struct branch branch;
	bool changed;

	walk_branch(w, &branch);
	walk_text_here(w, text, "trap");
	changed = shell_mark(&w->shell).log != branch.mark.log;
	walk_branch_end(w, &branch);
	return changed;
}

/* Is it for the end of the shell only? */
static bool
is_at_end(const struct command *command, size_t at)
{
	for (; at < command->argc; at++) {
		if (!field_is(&command->argv[at], "EXIT") && !field_is(&command->argv[at], "0")) {
			return false;
		}
	}
	return true;
}

/* The text runs at some time from here on, with what the variables are then: it is judged now, and
 * at the end once more. */
void
walk_trap(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "lpP" };
	const struct field *text;
	bool changes;
	bool at_end;

	while (walk_option(w, &o) != 0) {
	}
	if (o.next + 1 >= command->argc) {
		return;
	}
	text = &command->argv[o.next];
	if (text->len == 0 || field_is(text, "-")) {
		return;
	}
	changes = run_trap(w, text);
	at_end = is_at_end(command, o.next + 1);
	remember_trap(w, text, at_end, changes && !at_end);
}

/* Those of DEBUG, ERR and signals may run between any two commands. */
void
walk_traps_between(struct walk *w)
{
	w->in_trap = true;
	w->quiet++;
	for (struct trap_text *trap = w->traps; trap != NULL && trap->any && !walk_spent(w);
	     trap = trap->next) {
		w->visits++;
		if (trap->acts) {
			(void)run_trap(w, &trap->text);
		}
	}
	w->quiet--;
	w->in_trap = false;
}

void
walk_traps_end(struct walk *w)
{
	struct trap_text *trap = w->traps;

	w->traps = NULL;
	w->quiet++;
	for (; trap != NULL && !w->arena->failed; trap = trap->next) {
		(void)run_trap(w, &trap->text);
	}
	w->quiet--;
}

/* ---- tests -------------------------------------------------------------------------------- */

bool
walk_is_test(const struct field *name)
{
	return field_is(name, "test") || field_is(name, "[");
}

void
walk_test(struct walk *w, const struct command *command)
{
	walk_program(w, command);
}

static bool
is_arithmetic(const struct field *op)
{
	static const char *const ops[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge" };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (field_is(op, ops[i])) {
			return true;
		}
	}
	return false;
}

static struct field
cond_word(struct expander *ex, const struct word *word, char role)
{
	if (role == COND_PATTERN || role == COND_REGEX) {
		return expand_pattern(ex, word);
	}
	return expand_plain(ex, word);
}

/* [[ ... ]]: its words are data, but for the operands of -v and of comparisons of numbers. */
void
walk_cond(struct walk *w, const struct node *node)
{
	struct expander ex = walk_expander(w);
	struct field before = field_static("", NULL);
	struct field op = before;
	struct field unknown = field_unknown(TAINT_VARIABLE, false, NULL);
	size_t i = 0;

	walk_check_words(w, node->words);
	for (const struct word *word = node->words; word != NULL; word = word->next, i++) {
		char role = node->roles != NULL ? node->roles[i] : COND_OPERAND;
		struct field value = cond_word(&ex, word, role);
		int64_t number;

		if (role != COND_OPERATOR && (field_is(&op, "-v") || field_is(&op, "-R"))) {
			(void)walk_name_is_code(w, &value);
			expand_check_foreign(&ex, &value);
		}
		if (role != COND_OPERATOR && is_arithmetic(&op)) {
			(void)expand_arith_text(&ex, &before, &number);
			(void)expand_arith_text(&ex, &value, &number);
		}
		if (role == COND_OPERATOR && field_is(&value, "=~")) {
			shell_set(&w->shell, "BASH_REMATCH", &unknown);
		}
		if (role == COND_OPERATOR) {
			op = value;
		} else {
			before = value;
			op = field_static("", NULL);
		}
	}
}
