/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: the values of simple awk expressions: strings, whole numbers, concatenation,
 * arithmetic, and the functions that make text of text.
 *
 * Invariants:
 *   - an expression with anything else in it is unknown as a whole
 *   - recursion is bounded by AWK_DEPTH_MAX
 */

#include "command/code_awk.h"

static const uint8_t unknown_mark[] = { MARK_UNKNOWN };
static const char unknown_text[] = { FIELD_UNKNOWN, '\0' };

static const struct awk_value unknown_value = {
	.text = { .text = unknown_text, .marks = unknown_mark, .len = 1 },
};

struct cursor {
	struct awk_eval *eval;
	const struct awk_tokens *tokens;
	size_t at;
	size_t to;
};

static struct awk_value
number_value(int64_t number)
{
	return (struct awk_value){ .is_number = true, .number = number, .text = { .text = "" } };
}

static struct awk_value
text_value(const struct emulate_out *out)
{
	struct awk_value value = { .text = { .text = "" } };

	if (out->over) {
		return unknown_value;
	}
	if (out->len > 0) {
		value.text.text = out->text;
		value.text.len = out->len;
		value.text.marks = out->marks;
	}
	return value;
}

static struct emulate_out
new_out(const struct awk_eval *eval)
{
	return (struct emulate_out){ .arena = eval->out->arena, .shell = eval->out->shell };
}

struct emulate_text
awk_text(struct awk_eval *eval, const struct awk_value *value)
{
	struct emulate_out out = new_out(eval);

	if (!value->is_number) {
		return value->text;
	}
	emulate_put_number(&out, value->number);
	return text_value(&out).text;
}

/* A value as a number; false: not known, or not a whole one. */
static bool
as_number(const struct awk_value *value, int64_t *number)
{
	const struct emulate_text *text = &value->text;
	size_t i = 0;
	bool minus;

	*number = value->number;
	if (value->is_number) {
		return true;
	}
	*number = 0;
	if (!emulate_is_known(text)) {
		return false;
	}
	minus = text->len > 0 && text->text[0] == '-';
	for (i = minus; i < text->len; i++) {
		if (text->text[i] < '0' || text->text[i] > '9' || i > 16) {
			return false;
		}
		*number = *number * 10 + (text->text[i] - '0');
	}
	*number = minus ? -*number : *number;
	return !minus || text->len > 1;
}

/* ---- primary values ------------------------------------------------------------------------ */

static int
octal_escape(const char *text, size_t end, size_t *at)
{
	size_t start = *at;
	int value = 0;

	while (*at < end && *at - start < 3 && text[*at] >= '0' && text[*at] <= '7') {
		value = value * 8 + (text[*at] - '0');
		(*at)++;
	}
	return *at > start ? value & 0xff : -1;
}

/* One escape, *at being behind the backslash. -1: not the same in all awks. */
static int
string_escape(const char *text, size_t end, size_t *at)
{
	static const char letters[] = "abfnrtv\\\"/";
	static const char values[] = "\a\b\f\n\r\t\v\\\"/";
	const char *found = text[*at] == '\0' ? NULL : strchr(letters, text[*at]);

	if (found != NULL) {
		(*at)++;
		return (unsigned char)values[found - letters];
	}
	if (text[*at] == 'x') {
		size_t behind = *at;
		int value = sed_escape(text, end, &behind);

		/* More digits than two are read by some. */
		if (value < 0 || (behind < end && strchr("0123456789abcdefABCDEF", text[behind]))) {
			return -1;
		}
		*at = behind;
		return value;
	}
	return octal_escape(text, end, at);
}

static struct awk_value
string_value(struct awk_eval *eval, const struct awk_token *token)
{
	const char *text = eval->tokens->text;
	struct emulate_out out = new_out(eval);
	size_t at = token->start;

	while (at < token->end) {
		int c = (unsigned char)text[at++];

		if (c == '\\' && at < token->end && text[at] == '\n') {
			at++;
			continue;
		}
		if (c == '\\' && at < token->end) {
			eval->coded |= strchr("01234567x", text[at]) != NULL;
			c = string_escape(text, token->end, &at);
			if (c < 0) {
				at++;
			}
		}
		if (c < 0 || c == FIELD_UNKNOWN) {
			emulate_put_unknown(&out);
		} else {
			emulate_put_byte(&out, (char)c);
		}
	}
	return text_value(&out);
}

static struct awk_value
literal_number(const struct awk_eval *eval, const struct awk_token *token)
{
	int64_t number = 0;
	size_t i;

	for (i = token->start; i < token->end; i++) {
		char c = eval->tokens->text[i];

		if (c < '0' || c > '9' || i - token->start > 14) {
			return unknown_value;
		}
		number = number * 10 + (c - '0');
	}
	return number_value(number);
}

static struct awk_value parse_concat(struct cursor *c);

/* The value of the tokens in brackets, the cursor being at the opening one. */
static struct awk_value
parse_group(struct cursor *c)
{
	size_t close = c->tokens->items[c->at].match;
	struct awk_value value = unknown_value;

	if (close > c->at && close <= c->to) {
		value = awk_evaluate(c->eval, c->at + 1, close);
		c->at = close;
	}
	c->at++;
	return value;
}

/* ---- functions ---------------------------------------------------------------------------- */

#define ARGS_MAX 3

static size_t
read_args(struct awk_eval *eval, size_t from, size_t to, struct awk_value args[ARGS_MAX])
{
	size_t count = 0;

	while (from < to && count < ARGS_MAX) {
		size_t end = awk_comma(eval->tokens, from, to);

		args[count++] = awk_evaluate(eval, from, end);
		if (end == to) {
			return count;
		}
		from = end + 1;
	}
	return from < to ? ARGS_MAX + 1 : count;
}

static struct awk_value
call_substr(struct awk_eval *eval, const struct awk_value args[ARGS_MAX], size_t count)
{
	struct emulate_out out = new_out(eval);
	struct emulate_text text = awk_text(eval, &args[0]);
	int64_t start;
	int64_t len = (int64_t)text.len;
	int64_t i;

	if (count < 2 || !as_number(&args[1], &start) ||
	    (count == 3 && !as_number(&args[2], &len)) || !emulate_is_known(&text) ||
	    !emulate_is_ascii(text.text, text.len) || start < -1000000 || start > 1000000) {
		return unknown_value;
	}
	len = len > 1000000 ? 1000000 : len;
	for (i = count == 3 ? start : 1; count == 3 ? i < start + len : i <= (int64_t)text.len;
	     i++) {
		if (i >= 1 && i >= start && i <= (int64_t)text.len) {
			emulate_put_byte(&out, text.text[i - 1]);
		}
		if (i > (int64_t)text.len) {
			break;
		}
	}
	return text_value(&out);
}

static struct awk_value
call_case(struct awk_eval *eval, const struct awk_value *arg, bool upper)
{
	struct emulate_out out = new_out(eval);
	struct emulate_text text = awk_text(eval, arg);
	size_t i;

	if (!emulate_is_known(&text) || !emulate_is_ascii(text.text, text.len)) {
		return unknown_value;
	}
	for (i = 0; i < text.len; i++) {
		char c = text.text[i];

		if (upper && c >= 'a' && c <= 'z') {
			c = (char)(c - 32);
		} else if (!upper && c >= 'A' && c <= 'Z') {
			c = (char)(c + 32);
		}
		emulate_put_byte(&out, c);
	}
	return text_value(&out);
}

static struct awk_value
call_length(struct awk_eval *eval, const struct awk_value *arg)
{
	struct emulate_text text = awk_text(eval, arg);

	if (!emulate_is_known(&text) || !emulate_is_ascii(text.text, text.len)) {
		return unknown_value;
	}
	return number_value((int64_t)text.len);
}

static struct awk_value
call_function(struct cursor *c, size_t name)
{
	struct awk_eval *eval = c->eval;
	size_t from = c->at + 1;
	size_t to = c->tokens->items[c->at].match;
	struct awk_value args[ARGS_MAX];
	size_t count;

	if (to < from || to > c->to) {
		c->at = c->to;
		return unknown_value;
	}
	c->at = to + 1;
	if (awk_is_word(c->tokens, name, "sprintf")) {
		struct emulate_out out = new_out(eval);

		awk_format(eval, from, to, &out);
		return text_value(&out);
	}
	count = read_args(eval, from, to, args);
	if (count >= 2 && count <= 3 && awk_is_word(c->tokens, name, "substr")) {
		return call_substr(eval, args, count);
	}
	if (count != 1) {
		return unknown_value;
	}
	if (awk_is_word(c->tokens, name, "length")) {
		return call_length(eval, &args[0]);
	}
	if (awk_is_one_of(c->tokens, name, "toupper tolower")) {
		return call_case(eval, &args[0], awk_is_word(c->tokens, name, "toupper"));
	}
	return unknown_value;
}

/* ---- expressions -------------------------------------------------------------------------- */

static struct awk_value
parse_name(struct cursor *c)
{
	size_t name = c->at++;
	struct awk_value value;

	if (awk_is_op(c->tokens, c->at, '(') &&
	    (c->tokens->items[c->at].glued || !c->tokens->items[name].value ||
	     awk_is_one_of(c->tokens, name, "sprintf substr toupper tolower"))) {
		return call_function(c, name);
	}
	if (awk_is_op(c->tokens, c->at, '[')) {
		c->at = awk_skip(c->tokens, c->at);
		return unknown_value;
	}
	if (!c->tokens->items[name].value || c->eval->variable == NULL ||
	    !c->eval->variable(c->eval->data, name, c->eval->depth, &value)) {
		return unknown_value;
	}
	return value;
}

static struct awk_value parse_primary(struct cursor *c);

static struct awk_value
parse_field(struct cursor *c)
{
	struct awk_value index;
	struct awk_value value;
	int64_t number;

	c->at++;
	index = parse_primary(c);
	if (!as_number(&index, &number) || c->eval->field == NULL ||
	    !c->eval->field(c->eval->data, number, &value)) {
		return unknown_value;
	}
	return value;
}

static struct awk_value
parse_primary(struct cursor *c)
{
	const struct awk_token *token = &c->tokens->items[c->at];
	struct awk_value value = unknown_value;

	if (c->at >= c->to || c->eval->depth >= AWK_DEPTH_MAX) {
		c->at = c->to + 1;
		return unknown_value;
	}
	c->eval->depth++;
	if (token->kind == AWK_STRING) {
		value = string_value(c->eval, token);
		c->at++;
	} else if (token->kind == AWK_NUMBER) {
		value = literal_number(c->eval, token);
		c->at++;
	} else if (token->kind == AWK_NAME) {
		value = parse_name(c);
	} else if (awk_is_op(c->tokens, c->at, '(')) {
		value = parse_group(c);
	} else if (awk_is_op(c->tokens, c->at, '$')) {
		value = parse_field(c);
	} else {
		c->at = c->to + 1; /* something else: the whole is not known */
	}
	c->eval->depth--;
	return value;
}

static struct awk_value
parse_unary(struct cursor *c)
{
	bool minus = c->at < c->to && awk_is_op(c->tokens, c->at, '-');
	struct awk_value value;
	int64_t number;

	c->at += minus;
	value = parse_primary(c);
	if (!minus) {
		return value;
	}
	return as_number(&value, &number) ? number_value(-number) : unknown_value;
}

static struct awk_value
operate(uint32_t op, const struct awk_value *left, const struct awk_value *right)
{
	int64_t a;
	int64_t b;
	int64_t result = 0;
	bool bad = !as_number(left, &a) || !as_number(right, &b);

	if (bad) {
		return unknown_value;
	}
	switch (op) {
	case '+':
		bad = __builtin_add_overflow(a, b, &result);
		break;
	case '-':
		bad = __builtin_sub_overflow(a, b, &result);
		break;
	case '*':
		bad = __builtin_mul_overflow(a, b, &result);
		break;
	default:
		bad = b <= 0 || (op == '/' && a % b != 0);
		if (!bad) {
			result = op == '/' ? a / b : a % b;
		}
		break;
	}
	return bad || result > (INT64_C(1) << 52) || result < -(INT64_C(1) << 52)
		       ? unknown_value
		       : number_value(result);
}

static bool
at_one_of(const struct cursor *c, const char *ops, uint32_t *op)
{
	if (c->at >= c->to || c->tokens->items[c->at].kind != AWK_OP) {
		return false;
	}
	*op = c->tokens->items[c->at].op;
	return *op != 0 && *op < 0x80 && strchr(ops, (int)*op) != NULL;
}

static struct awk_value
parse_product(struct cursor *c)
{
	struct awk_value value = parse_unary(c);
	uint32_t op;

	while (at_one_of(c, "*/%", &op)) {
		struct awk_value right;

		c->at++;
		right = parse_unary(c);
		value = operate(op, &value, &right);
	}
	return value;
}

static struct awk_value
parse_sum(struct cursor *c)
{
	struct awk_value value = parse_product(c);
	uint32_t op;

	while (at_one_of(c, "+-", &op)) {
		struct awk_value right;

		c->at++;
		right = parse_product(c);
		value = operate(op, &value, &right);
	}
	return value;
}

/* Does a value begin at the cursor, which stands behind one? */
static bool
goes_on(const struct cursor *c)
{
	const struct awk_token *token = &c->tokens->items[c->at];
	uint32_t op;

	if (c->at >= c->to) {
		return false;
	}
	return token->kind == AWK_STRING || token->kind == AWK_NUMBER ||
	       (token->kind == AWK_NAME && !awk_is_word(c->tokens, c->at, "in")) ||
	       at_one_of(c, "($", &op);
}

static struct awk_value
parse_concat(struct cursor *c)
{
	struct awk_value value = parse_sum(c);
	struct emulate_out out;
	struct emulate_text text;

	if (!goes_on(c)) {
		return value;
	}
	out = new_out(c->eval);
	text = awk_text(c->eval, &value);
	emulate_put_text(&out, &text, 0, text.len);
	while (goes_on(c)) {
		value = parse_sum(c);
		text = awk_text(c->eval, &value);
		emulate_put_text(&out, &text, 0, text.len);
	}
	return text_value(&out);
}

struct awk_value
awk_evaluate(struct awk_eval *eval, size_t from, size_t to)
{
	struct cursor c = { .eval = eval, .tokens = eval->tokens, .at = from, .to = to };
	struct awk_value value;

	if (eval->depth >= AWK_DEPTH_MAX) {
		return unknown_value;
	}
	eval->depth++;
	value = parse_concat(&c);
	eval->depth--;
	return c.at == to ? value : unknown_value;
}
