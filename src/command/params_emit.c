/* SPDX-License-Identifier: MIT */
/*
 * Parameters: how their values go into a word.
 *
 * Invariant: where bash has rules for joining and splitting lists that are not followed here, the
 * whole word is unknown.
 */
#include "command/expand_impl.h"

static void
emit_unknown(struct build *b, const struct pvalue *value, bool quoted)
{
	bool split = (b->mode & BUILD_SPLIT) != 0;
	bool many = split && (!quoted || (value->list && !value->star));

	if (value->word) {
		many = many && !quoted && !build_ifs(b)->standard;
	}
	build_unknown(b, value->taint, many);
}

/* Between the elements of "$*", and of any list where nothing is split. `ifs` NULL: a blank. */
static void
emit_joint(struct build *b, const struct expand_ifs *ifs)
{
	if (ifs == NULL) {
		build_quoted(b, " ", 1, false);
	} else if (ifs->unknown) {
		build_unknown(b, 0, false);
	} else if (ifs->len > 0) {
		build_quoted(b, ifs->text, 1, false);
	}
}

static void
emit_joined(struct build *b, const struct pvalue *value, bool quoted)
{
	const struct expand_ifs *ifs = value->star ? build_ifs(b) : NULL;

	for (size_t i = 0; i < value->count && !b->over; i++) {
		if (i > 0) {
			emit_joint(b, ifs);
		}
		if (field_is_several(&value->items[i])) {
			build_unknown(b, value->items[i].taint, false); /* several in one */
			continue;
		}
		build_result(b, &value->items[i], quoted);
	}
}

static void
emit_list(struct build *b, const struct pvalue *value, bool quoted)
{
	bool split = (b->mode & BUILD_SPLIT) != 0;

	if (!split || (quoted && value->star)) {
		emit_joined(b, value, quoted);
		b->started = b->started || (quoted && value->star);
		return;
	}
	b->empty_list = b->empty_list || (quoted && value->count == 0);
	for (size_t i = 0; i < value->count && !b->over; i++) {
		if (i > 0 && quoted) {
			build_end(b);
		} else if (i > 0) {
			build_separator(b);
		}
		build_result(b, &value->items[i], quoted);
	}
}

void
param_emit_value(struct build *b, const struct pvalue *value, bool quoted)
{
	if (value->unknown) {
		emit_unknown(b, value, quoted);
		return;
	}
	if (value->list) {
		emit_list(b, value, quoted);
		return;
	}
	if (value->count > 0) {
		build_result(b, &value->items[0], quoted);
	} else if (quoted) {
		b->started = true;
	}
}

/* bash joins and splits some lists by rules of their own: keys, "${*#x}" and what is inside of
 * ${x:-w}, each beside other parts; and, with an IFS that is not the usual one, any list beside
 * other parts or with an operator. */
bool
param_odd_list(struct build *b, const struct param *param, bool result)
{
	bool plain = param->op == PARAM_PLAIN || param->op == PARAM_KEYS;
	bool star = *param->name == '*' ||
		    (param->index != NULL && param_whole_index(param->index) == '*');

	if (b->several && (result || param->op == PARAM_KEYS || (star && !plain))) {
		return true;
	}
	if (!result && !b->several && plain) {
		return false;
	}
	return !build_ifs(b)->standard;
}

static void
emit_keys(struct build *b, const struct param *param, bool quoted, bool result)
{
	const char *name = param->name;
	const char *element;
	const struct var *var = param_follow(b->ex->shell, &name, &element);
	struct pvalue value = { .list = true, .star = param_whole_index(param->index) == '*' };
	struct field *keys;

	/* Unquoted, bash does not split keys like values: only the usual IFS makes no difference.
	 */
	b->odd = b->odd || param_odd_list(b, param, result);
	if (var == NULL || var->unsure || var->open || (var->assoc && var->count > 1) ||
	    ((b->mode & BUILD_SPLIT) != 0 && !quoted && !build_ifs(b)->standard) ||
	    !shell_spend(b->ex->shell, var->count * sizeof(*keys))) {
		param_unknown(&value, TAINT_VARIABLE, false);
		param_emit_value(b, &value, quoted);
		return;
	}
	keys = arena_array(b->ex->shell->arena, var->count, sizeof(*keys));
	for (size_t i = 0; i < var->count && keys != NULL; i++) {
		const char *key = var->keys != NULL ? var->keys[i]
						    : arena_printf(b->ex->shell->arena, "%zu", i);

		keys[i] = field_static(key != NULL ? key : "", NULL);
	}
	if (keys != NULL) {
		value.items = keys;
		value.count = var->count;
		value.set = var->count > 0;
		param_emit_value(b, &value, quoted);
	}
}

void
param_emit(struct build *b, const struct part *part, bool quoted, bool result)
{
	const struct param *param = part->param;
	struct pvalue value = { 0 };

	switch (param->op) {
	case PARAM_NAMES:
		value.list = true;
		value.star = param->transform == '*';
		param_unknown(&value, TAINT_VARIABLE, false);
		break;
	case PARAM_KEYS:
		emit_keys(b, param, quoted, result);
		return;
	case PARAM_DEFAULT:
	case PARAM_ASSIGN:
	case PARAM_ERROR:
	case PARAM_ALTERNATE:
		param_choose(b, part, quoted, result);
		return;
	case PARAM_PLAIN:
		param_read(b->ex, param, &value);
		break;
	case PARAM_LENGTH:
	case PARAM_SUFFIX:
	case PARAM_SUFFIX_LONG:
	case PARAM_PREFIX:
	case PARAM_PREFIX_LONG:
	case PARAM_REPLACE:
	case PARAM_REPLACE_ALL:
	case PARAM_REPLACE_START:
	case PARAM_REPLACE_END:
	case PARAM_UPPER:
	case PARAM_UPPER_ALL:
	case PARAM_LOWER:
	case PARAM_LOWER_ALL:
	case PARAM_SUBSTRING:
	case PARAM_TRANSFORM:
	default:
		param_read(b->ex, param, &value);
		param_operate(b->ex, param, &value);
		break;
	}
	if (value.list && param_odd_list(b, param, result)) {
		b->odd = true;
	}
	param_emit_value(b, &value, quoted);
}
