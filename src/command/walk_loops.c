/* SPDX-License-Identifier: MIT */
/*
 * Loops. Where the values are known the body is walked for each of the first LOOP_MAX; where they
 * are not, twice, since the second time sees what the first one set. Repetitions add no commands
 * to the account when they would be the same ones again.
 */
#include "command/walk_impl.h"

#define LOOP_MAX 64

/* The body once more, or not at all: there is nothing certain about it. */
static void
walk_again(struct walk *w, const struct script *condition, const struct script *body)
{
	if (walk_spent(w)) {
		return;
	}
	w->quiet++;
	if (condition != NULL) {
		walk_script(w, condition);
	}
	walk_script(w, body);
	w->quiet--;
}

/* ---- for ---------------------------------------------------------------------------------- */

static void
loop_values(struct walk *w, const struct node *node, struct fields *out)
{
	struct expander ex = walk_expander(w);

	if (node->has_in) {
		expand_words(&ex, node->words, out);
		walk_check_words(w, node->words);
		return;
	}
	out->items = w->shell.positional;
	out->count = w->shell.positional_count;
	if (!w->shell.positional_known) {
		out->items = arena_alloc(w->arena, sizeof(*out->items));
		out->count = out->items != NULL ? 1 : 0;
		if (out->items != NULL) {
			*out->items = field_unknown(TAINT_VARIABLE, true, NULL);
		}
	}
}

WALK_APART static void
walk_value(struct walk *w, const struct node *node, const struct field *value)
{
	bool unsure = walk_jumped(w); /* an earlier turn may have been the last one */
	struct field plain = *value;
	struct branch branch;

	if (unsure) {
		walk_branch(w, &branch);
	}
	plain.many = false;
	walk_environment(w, node->name, &plain, ENV_SHELL);
	shell_set(&w->shell, node->name, &plain);
	walk_script(w, node->body);
	if (value->kind != BAILEY_WORD_LITERAL || value->many) {
		shell_set(&w->shell, node->name, &plain);
		walk_again(w, NULL, node->body);
	}
	if (unsure) {
		walk_branch_end(w, &branch);
	}
}

/* The values are not known, but some that they may be. */
WALK_APART static void
try_values(struct walk *w, const struct node *node, unsigned seen, bool text)
{
	for (unsigned i = 1; i <= seen && i <= SHELL_ALTERNATIVES; i++) {
		struct fields values = { NULL, 0 };
		struct trial trial;

		if (text) {
			walk_try_in_full(w, &trial, i);
		} else {
			walk_try(w, &trial, i);
		}
		loop_values(w, node, &values);
		for (size_t k = 0; k < values.count && k < LOOP_MAX && !walk_spent(w); k++) {
			walk_value(w, node, &values.items[k]);
		}
		walk_try_end(w, &trial);
	}
}

WALK_APART static void
walk_for(struct walk *w, const struct node *node)
{
	struct fields values = { NULL, 0 };
	struct field unknown = field_unknown(TAINT_VARIABLE, false, NULL);
	unsigned seen = w->shell.attempts_seen;
	bool text = w->shell.attempts_text;
	struct branch branch;
	bool certain;
	size_t i = 0;

	w->shell.attempts_seen = 0;
	w->shell.attempts_text = false;
	loop_values(w, node, &values);
	if (w->shell.attempts_seen > 0 && w->shell.attempt == 0) {
		try_values(w, node, w->shell.attempts_seen, w->shell.attempts_text);
	}
	if (seen > w->shell.attempts_seen) {
		w->shell.attempts_seen = seen;
	}
	w->shell.attempts_text = w->shell.attempts_text || text;
	certain = values.count > 0 && values.count <= LOOP_MAX;
	for (i = 0; i < values.count && certain; i++) {
		certain = field_is_literal(&values.items[i]);
		unknown.taint |= values.items[i].taint;
	}
	walk_branch(w, &branch);
	for (i = 0; i < values.count && i < LOOP_MAX && !w->arena->failed; i++) {
		if (i > 0 && walk_spent(w)) {
			break;
		}
		walk_value(w, node, &values.items[i]);
	}
	if (i < values.count || values.count == 0) {
		walk_value(w, node, &unknown);
		certain = false;
	}
	if (!certain) {
		walk_branch_end(w, &branch);
	}
}

WALK_APART static void
walk_select(struct walk *w, const struct node *node)
{
	struct fields values = { NULL, 0 };
	struct field unknown = field_unknown(TAINT_VARIABLE | TAINT_INPUT, false, NULL);
	struct branch branch;

	loop_values(w, node, &values);
	walk_branch(w, &branch);
	shell_set(&w->shell, "REPLY", &unknown);
	walk_value(w, node, &unknown);
	walk_branch_end(w, &branch);
}

/* ---- for (( ; ; )) ------------------------------------------------------------------------ */

/* An empty condition is true. */
static bool
arith_holds(struct walk *w, const struct word *word, int64_t *value)
{
	struct expander ex = walk_expander(w);

	if (word == NULL || word->parts == NULL) {
		*value = 1;
		return true;
	}
	return expand_arith(&ex, word, value);
}

WALK_APART static void
walk_for_arith(struct walk *w, const struct node *node)
{
	const struct word *condition = node->words != NULL ? node->words->next : NULL;
	const struct word *step = condition != NULL ? condition->next : NULL;
	struct branch branch;
	struct shell_mark once;
	int64_t value = 0;
	size_t i;
	bool known;

	(void)arith_holds(w, node->words, &value);
	known = arith_holds(w, condition, &value);
	walk_branch(w, &branch);
	for (i = 0; known && value != 0 && i < LOOP_MAX && (i == 0 || !walk_spent(w)); i++) {
		walk_script(w, node->body);
		(void)arith_holds(w, step, &value);
		known = arith_holds(w, condition, &value) && !walk_jumped(w);
	}
	if (i > 0 && known && value == 0) {
		return;
	}
	/* What the step changes is not known from here on. */
	once = shell_mark(&w->shell);
	(void)arith_holds(w, step, &value);
	shell_join(&w->shell, &once);
	if (i == 0) {
		walk_script(w, node->body);
	}
	walk_again(w, NULL, node->body);
	walk_branch_end(w, &branch);
}

/* ---- while -------------------------------------------------------------------------------- */

/* `while read x`: one turn for each line of a known text. */
static void
walk_lines(struct walk *w, const struct node *node)
{
	bool more = w->read_more;

	walk_script(w, node->body);
	for (size_t i = 1; i < LOOP_MAX && more && !walk_spent(w); i++) {
		walk_script(w, node->condition);
		if (!w->read_line) {
			return;
		}
		more = w->read_more;
		walk_script(w, node->body);
	}
	if (more && w->io.fd[0] != NULL) {
		uint16_t taint = w->io.fd[0]->text.data.taint;

		w->io.fd[0]->text = stream_unknown((uint16_t)(taint | TAINT_INPUT));
		walk_again(w, node->condition, node->body);
	}
}

WALK_APART static void
walk_while(struct walk *w, const struct node *node)
{
	struct branch branch;

	walk_script(w, node->condition);
	walk_branch(w, &branch);
	if (w->read_line) {
		walk_lines(w, node);
	} else {
		walk_script(w, node->body);
		walk_again(w, node->condition, node->body);
	}
	walk_branch_end(w, &branch);
}

void
walk_loop(struct walk *w, const struct node *node)
{
	unsigned jump_loops = w->jump_loops;

	w->jump_loops = 0;
	switch ((int)node->kind) {
	case NODE_FOR:
		walk_for(w, node);
		break;
	case NODE_SELECT:
		walk_select(w, node);
		break;
	case NODE_FOR_ARITH:
		walk_for_arith(w, node);
		break;
	default:
		walk_while(w, node);
		break;
	}
	if (w->jump_loops > 0) {
		w->jump_loops--; /* `break 2` leaves the next one too */
	}
	if (w->jump_loops < jump_loops) {
		w->jump_loops = jump_loops;
	}
}
