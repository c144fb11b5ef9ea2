/* SPDX-License-Identifier: MIT */
/*
 * Operators on the values of parameters: lengths, parts, removal and replacement of patterns,
 * letters' case. ${x@...} is in params_transform.c.
 *
 * Invariant: a value with unknown parts, or with characters that the locale decides about, gives an
 * unknown result.
 */
#include "command/expand_impl.h"

#include <string.h>

/* What the operator needs beside the value, expanded once. */
struct operands {
	struct field pattern;
	struct field with;
	bool any;  /* no pattern: any character */
	bool none; /* a pattern that is empty, and quoted: no character */
	enum param_op op;
};

static struct field
not_known(const struct field *value, const struct operands *op)
{
	return field_unknown((uint16_t)(value->taint | op->pattern.taint | op->with.taint), false,
			     value);
}

static struct field
part_of(struct expander *ex, const struct field *value, size_t from, size_t to)
{
	struct field part = *value;

	part.tilde = false;
	if (from == 0 && to == value->len) {
		return part;
	}
	if (to == value->len) {
		return field_tail(ex->shell->arena, value, from);
	}
	if (!shell_spend(ex->shell, to - from)) {
		return field_unknown(value->taint, false, value);
	}
	part = field_literal(ex->shell->arena, value->text + from, to - from, value);
	part.taint |= value->taint;
	return part;
}

/* ---- removal ------------------------------------------------------------------------------ */

static struct field
remove_pattern(struct expander *ex, enum param_op op, const struct field *value,
	       const struct operands *operands)
{
	bool prefix = op == PARAM_PREFIX || op == PARAM_PREFIX_LONG;
	bool longest = op == PARAM_PREFIX_LONG || op == PARAM_SUFFIX_LONG;
	const struct field *pattern = &operands->pattern;
	long n;

	if (prefix) {
		n = pattern_prefix(ex->shell, pattern, value->text, value->len, longest);
	} else {
		n = pattern_suffix(ex->shell, pattern, value->text, value->len, longest);
	}
	if (n == -2) {
		return not_known(value, operands);
	}
	if (n <= 0) {
		return *value;
	}
	return prefix ? part_of(ex, value, (size_t)n, value->len)
		      : part_of(ex, value, 0, value->len - (size_t)n);
}

/* ---- replacement -------------------------------------------------------------------------- */

/* The replacement. An unquoted & is what was matched to bash 5.2, unless an option says otherwise,
 * and itself to older ones: not known. */
static void
put_replacement(struct build *b, const struct field *with)
{
	size_t plain = 0;

	if (with->marks == NULL) {
		build_quoted(b, with->text, with->len, false);
		return;
	}
	for (size_t i = 0; i < with->len; i++) {
		if (with->marks[i] == MARK_LITERAL) {
			continue;
		}
		build_quoted(b, with->text + plain, i - plain, false);
		plain = i + 1;
		build_unknown(b, with->taint, false);
	}
	build_quoted(b, with->text + plain, with->len - plain, false);
}

/* One match of `len` bytes at `at`; from there the rest. */
static struct field
replace_once(struct expander *ex, const struct field *value, const struct operands *op, size_t at,
	     size_t len)
{
	struct build b;

	build_init(&b, ex, 0, NULL);
	build_quoted(&b, value->text, at, false);
	put_replacement(&b, &op->with);
	build_quoted(&b, value->text + at + len, value->len - at - len, false);
	b.taint |= (uint16_t)(value->taint | op->with.taint);
	return build_finish(&b);
}

/* Everywhere, or at the first place where it matches. */
static struct field
replace_all(struct expander *ex, const struct field *value, const struct operands *op, bool once)
{
	const struct field *pattern = &op->pattern;
	size_t plain = 0;
	struct build b;

	if (!shell_spend(ex->shell, value->len)) {
		return not_known(value, op);
	}
	build_init(&b, ex, 0, NULL);
	for (size_t i = 0; i < value->len && !b.over;) {
		size_t left = value->len - i;
		const char *at = value->text + i;
		long n;

		if (pattern->marks == NULL) {
			at = memmem(at, left, pattern->text, pattern->len);
			if (at == NULL) {
				break;
			}
			i = (size_t)(at - value->text);
			n = (long)pattern->len;
		} else {
			n = pattern_prefix(ex->shell, pattern, at, left, true);
		}
		if (n == -2 || n == 0) {
			return not_known(value, op);
		}
		if (n < 0) {
			i++;
			continue;
		}
		if (once) {
			return replace_once(ex, value, op, i, (size_t)n);
		}
		build_quoted(&b, value->text + plain, i - plain, false);
		put_replacement(&b, &op->with);
		i += (size_t)n;
		plain = i;
	}
	if (plain == 0 && !b.over) {
		return *value;
	}
	build_quoted(&b, value->text + plain, value->len - plain, false);
	b.taint |= (uint16_t)(value->taint | op->with.taint);
	return build_finish(&b);
}

static struct field
replace(struct expander *ex, enum param_op op, const struct field *value,
	const struct operands *operands)
{
	const struct field *pattern = &operands->pattern;
	bool start = op == PARAM_REPLACE_START;
	long n;

	if (pattern->kind == BAILEY_WORD_DYNAMIC) {
		return not_known(value, operands);
	}
	if (op == PARAM_REPLACE || op == PARAM_REPLACE_ALL) {
		if (pattern->len == 0) {
			return *value;
		}
		if (value->len == 0 && pattern->marks != NULL) {
			n = pattern_prefix(ex->shell, pattern, "", 0, true);
			return n == -1 ? *value : not_known(value, operands);
		}
		return replace_all(ex, value, operands, op == PARAM_REPLACE);
	}
	n = start ? pattern_prefix(ex->shell, pattern, value->text, value->len, true)
		  : pattern_suffix(ex->shell, pattern, value->text, value->len, true);
	if (n == -2 || (n == 0 && pattern->len > 0)) {
		return not_known(value, operands);
	}
	if (n == -1) {
		return *value;
	}
	return replace_once(ex, value, operands, start ? 0 : value->len - (size_t)n, (size_t)n);
}

/* ---- case --------------------------------------------------------------------------------- */

static char
changed(char c, bool upper)
{
	if (upper) {
		return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
	}
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static struct field
change_case(struct expander *ex, enum param_op op, const struct field *value,
	    const struct operands *operands)
{
	bool upper = op == PARAM_UPPER || op == PARAM_UPPER_ALL;
	bool all = op == PARAM_UPPER_ALL || op == PARAM_LOWER_ALL;
	size_t end = all || value->len == 0 ? value->len : 1;
	size_t cost = operands->any ? 1 : operands->pattern.len + 1;
	char *text;
	struct field result = *value;

	/* bash takes ?( and the like here for what they are with extglob, whether that is on. */
	if (operands->pattern.kind == BAILEY_WORD_DYNAMIC ||
	    (!ex->shell->extglob &&
	     memchr(operands->pattern.text, '(', operands->pattern.len) != NULL) ||
	    !expand_is_ascii(value->text, value->len) || cost > SHELL_SPEND_MAX / 2 ||
	    !shell_spend(ex->shell, value->len + end * cost)) {
		return not_known(value, operands);
	}
	text = arena_strndup(ex->shell->arena, value->text, value->len);
	if (text == NULL) {
		return not_known(value, operands);
	}
	for (size_t i = 0; i < end && !operands->none; i++) {
		int is = operands->any ? 1 : pattern_match(&operands->pattern, text + i, 1, false);

		if (is < 0) {
			return not_known(value, operands);
		}
		text[i] = is == 1 ? changed(text[i], upper) : text[i];
	}
	result.text = text;
	result.exact = UINT32_MAX;
	return result;
}

/* Is one of them a pattern, which may be several? */
static bool
has_several(const struct pvalue *value)
{
	for (size_t i = 0; i < value->count; i++) {
		if (field_is_several(&value->items[i])) {
			return true;
		}
	}
	return false;
}

/* ---- substrings --------------------------------------------------------------------------- */

static bool
read_range(struct expander *ex, const struct param *param, int64_t *from, int64_t *count,
	   bool *counted)
{
	*counted = param->arg2 != NULL;
	*count = 0;
	if (param->arg == NULL || !expand_arith(ex, param->arg, from)) {
		*from = 0;
		if (*counted) {
			(void)expand_arith(ex, param->arg2, count);
		}
		return false;
	}
	return !*counted || expand_arith(ex, param->arg2, count);
}

/* [*from, *to) of `len`; false: bash would say that it is wrong. */
static bool
clip(int64_t len, int64_t from, int64_t count, bool counted, int64_t *start, int64_t *end)
{
	*start = from < 0 ? len + from : from;
	if (*start < 0 || *start > len) {
		*start = len;
		*end = len;
		return true;
	}
	*end = len;
	if (!counted) {
		return true;
	}
	if (count < 0) {
		*end = len + count;
		return *end >= *start;
	}
	*end = count < len - *start ? *start + count : len;
	return true;
}

/* ${@:n:m}: $0 counts as the first when n is 0. */
static bool
positional_slice(struct expander *ex, struct pvalue *value, int64_t from, int64_t count,
		 bool counted)
{
	const struct shell *shell = ex->shell;
	size_t n = value->count + 1;
	struct field *all;
	int64_t start;
	int64_t end;

	if (count < 0 || !clip((int64_t)n, from, count, counted, &start, &end)) {
		return false;
	}
	if (start >= 1) {
		value->items += start <= end ? start - 1 : 0;
		value->count = (size_t)(end - start);
		return true;
	}
	if (!shell_spend(ex->shell, n * sizeof(*all))) {
		return false;
	}
	all = arena_array(shell->arena, n, sizeof(*all));
	if (all == NULL) {
		return false;
	}
	all[0] = shell->zero;
	if (value->count > 0) {
		memcpy(all + 1, value->items, value->count * sizeof(*all));
	}
	value->items = all;
	value->count = (size_t)end;
	return true;
}

/* The elements with subscripts from `from` on. */
static bool
array_slice(struct expander *ex, struct pvalue *value, int64_t from, int64_t count, bool counted)
{
	const struct var *var = shell_get(ex->shell, value->name);
	int64_t start;
	int64_t end;

	if (count < 0 || var == NULL || var->keys != NULL) {
		return false;
	}
	if (!clip((int64_t)value->count, from, count, counted, &start, &end)) {
		return false;
	}
	value->items += start;
	value->count = (size_t)(end - start);
	return true;
}

/* With a pattern in the list only what goes to its end from an element in front of it is known. */
static bool
known_slice(const struct pvalue *value, int64_t from, bool counted)
{
	size_t first = value->name == NULL && from > 0 ? (size_t)from - 1 : (size_t)from;

	if (!has_several(value)) {
		return true;
	}
	for (size_t i = 0; i < value->count && i < first; i++) {
		if (field_is_several(&value->items[i])) {
			return false;
		}
	}
	return !counted && from >= 0 && first < value->count;
}

static void
substring(struct expander *ex, const struct param *param, struct pvalue *value)
{
	const struct field *item = value->items;
	struct field part;
	int64_t from;
	int64_t count;
	bool counted;
	bool known = read_range(ex, param, &from, &count, &counted);
	int64_t start = 0;
	int64_t end = 0;
	uint16_t taint = TAINT_VARIABLE;

	for (size_t i = 0; i < value->count && i < 64; i++) {
		taint |= value->items[i].taint;
	}
	if (value->unknown || !known) {
		param_unknown(value, (uint16_t)(value->taint | taint), false);
		return;
	}
	if (value->list) {
		known = known_slice(value, from, counted) &&
			(value->name == NULL ? positional_slice(ex, value, from, count, counted)
					     : array_slice(ex, value, from, count, counted));
		if (!known) {
			param_unknown(value, taint, false);
		}
		return;
	}
	if (value->count == 0) {
		return;
	}
	if (!field_is_literal(item) || !expand_is_ascii(item->text, item->len) ||
	    !clip(item->len, from, count, counted, &start, &end)) {
		param_unknown(value, item->taint, false);
		return;
	}
	part = part_of(ex, item, (size_t)start, (size_t)end);
	param_scalar(value, part);
}

/* ---- lengths ------------------------------------------------------------------------------ */

static void
length(struct expander *ex, struct pvalue *value)
{
	size_t n = value->count;
	const char *text;

	if (value->list && has_several(value)) {
		param_unknown(value, 0, true);
	} else if (!value->list && !value->unknown && n > 0) {
		const struct field *item = &value->items[0];

		n = item->len;
		if (!field_is_literal(item) || !expand_is_ascii(item->text, n)) {
			param_unknown(value, 0, true);
		}
	}
	value->list = false;
	if (value->unknown) {
		param_unknown(value, 0, true);
		return;
	}
	text = expand_decimal(ex, (int64_t)n);
	if (text != NULL) {
		param_scalar(value, field_static(text, NULL));
	}
}

/* ---- all of them -------------------------------------------------------------------------- */

static struct field
operate_on(struct expander *ex, const struct param *param, const struct pvalue *whole,
	   const struct field *value, const struct operands *operands)
{
	if (param->op == PARAM_TRANSFORM) {
		return param_transform(ex, param, whole, value);
	}
	if (!field_is_literal(value)) {
		return not_known(value, operands);
	}
	switch ((int)operands->op) {
	case PARAM_SUFFIX:
	case PARAM_SUFFIX_LONG:
	case PARAM_PREFIX:
	case PARAM_PREFIX_LONG:
		return remove_pattern(ex, operands->op, value, operands);
	case PARAM_REPLACE:
	case PARAM_REPLACE_ALL:
	case PARAM_REPLACE_START:
	case PARAM_REPLACE_END:
		return replace(ex, operands->op, value, operands);
	case PARAM_UPPER:
	case PARAM_UPPER_ALL:
	case PARAM_LOWER:
	case PARAM_LOWER_ALL:
		return change_case(ex, operands->op, value, operands);
	default:
		return not_known(value, operands);
	}
}

static void
operate_on_all(struct expander *ex, const struct param *param, struct pvalue *value,
	       const struct operands *operands)
{
	struct field *items;

	if (value->count == 1 && !value->list) {
		param_scalar(value, operate_on(ex, param, value, &value->items[0], operands));
		return;
	}
	if (value->count == 0) {
		return;
	}
	items = shell_spend(ex->shell, value->count * sizeof(*items))
			? arena_array(ex->shell->arena, value->count, sizeof(*items))
			: NULL;
	if (items == NULL) {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	for (size_t i = 0; i < value->count; i++) {
		items[i] = operate_on(ex, param, value, &value->items[i], operands);
		items[i].many = items[i].many || field_is_several(&value->items[i]);
	}
	value->items = items;
}

/* The pattern. Its first character may say where it has to match, also when it comes out of an
 * expansion. */
static struct field
pattern_of(struct expander *ex, const struct param *param, enum param_op *op)
{
	unsigned mode = BUILD_PATTERN | BUILD_TILDE;
	struct field pattern;

	if (*op == PARAM_REPLACE_START || *op == PARAM_REPLACE_END) {
		mode = BUILD_PATTERN; /* bash sees the # or % in front of a tilde */
	} else if (*op == PARAM_REPLACE) {
		mode |= BUILD_ANCHOR;
	}
	pattern = expand_one(ex, param->arg, mode, false);
	if (*op == PARAM_REPLACE && pattern.marks != NULL && pattern.marks[0] == MARK_GLOB &&
	    (pattern.text[0] == '#' || pattern.text[0] == '%')) {
		*op = pattern.text[0] == '#' ? PARAM_REPLACE_START : PARAM_REPLACE_END;
		pattern = field_tail(ex->shell->arena, &pattern, 1);
	}
	return pattern;
}

/* Is there a quote in the word, or what may bring one along? */
static bool
has_quotes(const struct word *word)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	while (part != NULL && !part->quoted) {
		part = part->next;
	}
	return part != NULL;
}

/* Is it anything but text and plain variables? */
static bool
has_more(const struct word *word)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	while (part != NULL && (part->kind == PART_TEXT ||
				(part->kind == PART_PARAM && part->param->op == PARAM_PLAIN &&
				 param_is_name(part->param->name, strlen(part->param->name))))) {
		part = part->next;
	}
	return part != NULL;
}

/* An empty pattern of ^ and ,: none at all matches every character, a quoted one none. */
static void
settle_empty(const struct param *param, struct operands *operands)
{
	if (param->op < PARAM_UPPER || param->op > PARAM_LOWER_ALL || operands->any ||
	    operands->pattern.len > 0) {
		return;
	}
	operands->none = has_quotes(param->arg);
	operands->any = !operands->none;
	if (has_more(param->arg)) {
		operands->pattern = field_unknown(operands->pattern.taint, false, NULL);
	}
}

void
param_operate(struct expander *ex, const struct param *param, struct pvalue *value)
{
	struct operands operands = { .any = param->arg == NULL };
	enum param_op op = param->op;

	if (param->op == PARAM_LENGTH) {
		length(ex, value);
		return;
	}
	if (param->op == PARAM_SUBSTRING) {
		substring(ex, param, value);
		return;
	}
	operands.with = field_static("", NULL);
	operands.pattern = pattern_of(ex, param, &op);
	settle_empty(param, &operands);
	if (param->arg2 != NULL) {
		operands.with = expand_one(ex, param->arg2, BUILD_REPLACEMENT | BUILD_TILDE, false);
	}
	if (param->op == PARAM_TRANSFORM && value->list &&
	    strchr("KkAa", param->transform) != NULL) {
		param_unknown(value, TAINT_VARIABLE, false);
	}
	if (value->unknown) {
		value->taint |= (uint16_t)(operands.pattern.taint | operands.with.taint);
		value->word = false;
		if (param->op == PARAM_TRANSFORM && param->transform == 'P') {
			struct field text = field_unknown(value->taint, false, NULL);

			(void)expand_evaluate(ex, &text);
		}
		return;
	}
	operands.op = op;
	operate_on_all(ex, param, value, &operands);
}
