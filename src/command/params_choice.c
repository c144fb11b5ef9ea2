/* SPDX-License-Identifier: MIT */
/*
 * ${x:-w}, ${x:=w}, ${x:?w}, ${x:+w}: the value or the word.
 *
 * When the text does not say which, the result is unknown, and an attempt takes the word. The
 * commands in a word that is not taken count all the same, as in a branch that may not run.
 */
#include "command/expand_impl.h"

#include <string.h>

enum choice {
	CHOOSE_VALUE,
	CHOOSE_WORD,
	CHOOSE_UNKNOWN,
};

/* Is it certain that the value has a byte, or that it has none? */
static bool
has_text(const struct field *field, bool *certain)
{
	*certain = true;
	if (field->marks == NULL) {
		return field->len > 0;
	}
	for (size_t i = 0; i < field->len; i++) {
		if (field->marks[i] != MARK_UNKNOWN) {
			return true;
		}
	}
	*certain = field->len == 0;
	return false;
}

static enum choice
choose(const struct build *b, const struct param *param, const struct pvalue *value)
{
	bool there = value->set;
	bool certain = true;

	if (value->unknown) {
		return value->word ? CHOOSE_VALUE : CHOOSE_UNKNOWN;
	}
	if (there && param->colon && value->count <= 1) {
		there = value->count > 0 && has_text(&value->items[0], &certain);
		/* In an assignment, bash takes a list of one empty element for text. */
		certain = certain && (there || !value->list || (b->mode & BUILD_SPLIT) != 0);
	} else if (there && param->colon) {
		/* Of several, one with text is enough; only empty ones are rare enough to ask. */
		there = false;
		for (size_t i = 0; i < value->count && !there; i++) {
			there = has_text(&value->items[i], &certain) && certain;
		}
		certain = there;
	}
	if (!certain) {
		return CHOOSE_UNKNOWN;
	}
	return there ? CHOOSE_VALUE : CHOOSE_WORD;
}

static void
emit_word(struct build *b, const struct param *param, bool quoted)
{
	unsigned mode = b->mode;

	b->mode &= ~(unsigned)BUILD_ASSIGN;
	expand_parts(b, param->arg, quoted, true);
	b->mode = mode;
	b->started = b->started || quoted;
}

/* ${x=w}: assigns, and gives what was assigned. */
static void
assign(struct build *b, const struct param *param, bool quoted, bool certain)
{
	struct shell *shell = b->ex->shell;
	struct field value = expand_one(b->ex, param->arg, BUILD_TILDE, quoted);
	struct field index;
	struct shell_mark mark;

	b->ifs_touched = true;
	if (!param_is_name(param->name, strlen(param->name)) || param->indirect) {
		build_unknown(b, TAINT_VARIABLE, !quoted);
		return;
	}
	mark = shell_mark(shell);
	if (param->index != NULL) {
		index = expand_index(b->ex, param->name, param->index);
		shell_set_element(shell, param->name, &index, &value, false);
	} else {
		shell_set(shell, param->name, &value);
	}
	if (!certain) {
		shell_join(shell, &mark);
	}
	if (certain || shell->attempt > 0) {
		build_result(b, &value, quoted);
		return;
	}
	build_unknown(b, (uint16_t)(value.taint | TAINT_VARIABLE), !quoted);
}

static bool has_list(const struct word *word);

static bool
is_list(const struct param *param)
{
	const struct part *index = param->index != NULL ? param->index->parts : NULL;
	bool all = *param->name == '@' || param->op == PARAM_NAMES;

	if (index != NULL && index->kind == PART_TEXT && index->len == 1) {
		all = all || *index->text == '@';
	}
	return all || param->indirect || has_list(param->arg);
}

/* Is there anything in it that makes several words also inside of double quotes? */
static bool
has_list(const struct word *word)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	for (; part != NULL; part = part->next) {
		if (part->kind == PART_PARAM && is_list(part->param)) {
			return true;
		}
	}
	return false;
}

/* Either may be: the word is what an attempt takes. */
static void
emit_either(struct build *b, const struct part *part, const struct pvalue *value, bool quoted)
{
	const struct param *param = part->param;
	struct shell *shell = b->ex->shell;
	bool many = (b->mode & BUILD_SPLIT) != 0 && (!quoted || has_list(param->arg));
	uint16_t taint = value->unknown ? value->taint : 0;

	if (param->op == PARAM_ERROR) {
		expand_unused(b->ex, param->arg);
		param_emit_value(b, value, quoted);
		return;
	}
	if (shell->attempts_seen < 1) {
		shell->attempts_seen = 1;
	}
	if (param->op == PARAM_ASSIGN) {
		assign(b, param, quoted, false);
		return;
	}
	if (shell->attempt > 0) {
		emit_word(b, param, quoted);
		return;
	}
	expand_unused(b->ex, param->arg);
	for (size_t i = 0; i < value->count; i++) {
		taint |= value->items[i].taint;
	}
	if (param->op == PARAM_ALTERNATE) {
		taint = TAINT_VARIABLE;
	}
	build_unknown(b, taint, many || (value->list && (b->mode & BUILD_SPLIT) != 0));
}

/* ${x=w} where what x may be was put together while less was known: w again, by what is tried now.
 */
static bool
assigns_again(struct build *b, const struct param *param, const struct pvalue *value)
{
	const struct var *var;

	if (param->op != PARAM_ASSIGN || b->ex->shell->attempt == 0 || value->count != 1 ||
	    value->items[0].kind != BAILEY_WORD_DYNAMIC || value->name == NULL) {
		return false;
	}
	var = shell_get(b->ex->shell, value->name);
	return var != NULL && var->unsure;
}

void
param_choose(struct build *b, const struct part *part, bool quoted, bool result)
{
	const struct param *param = part->param;
	struct pvalue value = { 0 };
	enum choice which;

	param_read(b->ex, param, &value);
	which = choose(b, param, &value);
	if (value.list && param_odd_list(b, param, result)) {
		b->odd = true;
	}
	if (which == CHOOSE_VALUE && assigns_again(b, param, &value)) {
		which = CHOOSE_UNKNOWN;
	}
	if (which == CHOOSE_UNKNOWN) {
		emit_either(b, part, &value, quoted);
		return;
	}
	if (param->op == PARAM_ALTERNATE) {
		if (which == CHOOSE_VALUE) {
			emit_word(b, param, quoted);
			return;
		}
		expand_unused(b->ex, param->arg);
		b->started = b->started || (quoted && !(value.list && !value.star));
		return;
	}
	if (which == CHOOSE_VALUE) {
		expand_unused(b->ex, param->arg);
		param_emit_value(b, &value, quoted);
		return;
	}
	if (param->op == PARAM_ASSIGN) {
		assign(b, param, quoted, true);
		return;
	}
	if (param->op == PARAM_ERROR) {
		expand_unused(b->ex, param->arg);
		build_unknown(b, 0, !quoted); /* the shell ends here */
		return;
	}
	emit_word(b, param, quoted);
}
