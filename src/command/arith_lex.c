/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic: names, numbers and operators in the text.
 */
#include "command/arith.h"

#include "base/attr.h"

#include <string.h>

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_unknown(const struct arith *a, size_t i)
{
	return a->marks != NULL && a->marks[i] != MARK_LITERAL;
}

void
arith_blanks(struct arith *a)
{
	while (a->pos < a->len &&
	       (a->text[a->pos] == ' ' || a->text[a->pos] == '\t' || a->text[a->pos] == '\n')) {
		a->pos++;
	}
}

bool
arith_at(const struct arith *a, const char *text)
{
	size_t n = strlen(text);

	return a->len - a->pos >= n && memcmp(a->text + a->pos, text, n) == 0;
}

const char *
expand_decimal(struct expander *ex, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (value < 0) {
		digits[--at] = '-';
	}
	return arena_strndup(ex->shell->arena, digits + at, sizeof(digits) - at);
}

/* ---- operands ----------------------------------------------------------------------------- */

/* Behind the letters, digits and unknown parts that stand here. */
static size_t
word_end(const struct arith *a, bool *unknown)
{
	size_t end = a->pos;

	*unknown = false;
	while (end < a->len) {
		char c = a->text[end];

		if (is_unknown(a, end)) {
			*unknown = true;
		} else if (!is_letter(c) && !is_digit(c) && c != '#' && c != '@') {
			break;
		}
		end++;
	}
	return end;
}

bool
arith_unknown_text(struct arith *a)
{
	bool unknown;
	size_t end;

	if (a->marks == NULL) {
		return false;
	}
	end = word_end(a, &unknown);
	if (unknown) {
		a->pos = end;
	}
	return unknown;
}

/* The bracket that closes the one at `open`, or the end. */
static size_t
subscript_end(const struct arith *a, size_t open)
{
	size_t level = 0;
	size_t parens = 0;

	for (size_t i = open; i < a->len; i++) {
		char c = a->text[i];

		if (c == '(' && i > open && a->text[i - 1] == '$') {
			parens++;
		} else if (c == '(' && parens > 0) {
			parens++;
		} else if (c == ')' && parens > 0) {
			parens--;
		} else if (c == '[' && parens == 0) {
			level++;
		} else if (c == ']' && parens == 0 && --level == 0) {
			return i;
		}
	}
	return a->len;
}

bool
arith_place(struct arith *a, struct place *place)
{
	size_t start = a->pos;
	size_t end;
	bool unknown;

	*place = (struct place){ 0 };
	if (start >= a->len || !is_letter(a->text[start])) {
		return false;
	}
	(void)word_end(a, &unknown);
	if (unknown) {
		return false;
	}
	while (a->pos < a->len && (is_letter(a->text[a->pos]) || is_digit(a->text[a->pos]))) {
		a->pos++;
	}
	place->name = arena_strndup(a->ex->shell->arena, a->text + start, a->pos - start);
	if (place->name == NULL) {
		a->failed = true;
		place->name = "";
	}
	if (a->pos >= a->len || a->text[a->pos] != '[') {
		return true;
	}
	end = subscript_end(a, a->pos);
	if (end >= a->len) {
		a->failed = true;
		a->pos = a->len;
		return true;
	}
	place->index = a->text + a->pos + 1;
	place->index_len = end - a->pos - 1;
	a->pos = end + 1;
	return true;
}

static int
digit_value(char c, uint64_t base)
{
	if (is_digit(c)) {
		return c - '0';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'Z') {
		return c - 'A' + (base <= 36 ? 10 : 36);
	}
	if (c == '@') {
		return 62;
	}
	return c == '_' ? 63 : 64;
}

/* The digits of [at, end) in a base; false when one is none, or there are too many. */
static bool
digits(const char *text, size_t len, uint64_t base, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < len; i++) {
		uint64_t digit = (uint64_t)digit_value(text[i], base);

		if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, digit, value) || *value > INT64_MAX) {
			return false;
		}
	}
	return len > 0;
}

struct num
arith_constant(struct arith *a)
{
	const char *text = a->text + a->pos;
	const char *hash;
	bool unknown;
	bool good;
	uint64_t base = 10;
	uint64_t value = 0;
	size_t len;

	if (a->pos >= a->len || !is_digit(*text)) {
		a->failed = true;
		return arith_unknown();
	}
	len = word_end(a, &unknown) - a->pos;
	a->pos += len;
	hash = memchr(text, '#', len);
	if (hash != NULL) {
		size_t n = (size_t)(hash - text);

		good = *text != '0' && digits(text, n, 10, &base) && base >= 2 && base <= 64 &&
		       digits(hash + 1, len - n - 1, base, &value);
	} else if (len > 2 && *text == '0' && (text[1] == 'x' || text[1] == 'X')) {
		good = digits(text + 2, len - 2, 16, &value);
	} else {
		good = digits(text, len, *text == '0' && len > 1 ? 8 : 10, &value);
	}
	if (!good) {
		a->failed = true;
		return arith_unknown();
	}
	return arith_number((int64_t)value);
}

/* ---- operators ---------------------------------------------------------------------------- */

struct operator
{
	char text[4];
	enum arith_op op;
	int level;
};

/* Longer ones first, where one is the start of another. */
static const struct operator operators[] = {
	{ "||", OP_OR, 0 },	  { "&&", OP_AND, 1 },	      { "**", OP_POWER, 10 },
	{ "<<", OP_LEFT, 7 },	  { ">>", OP_RIGHT, 7 },      { "==", OP_EQUAL, 5 },
	{ "!=", OP_UNEQUAL, 5 },  { "<=", OP_LESS_EQUAL, 6 }, { ">=", OP_GREATER_EQUAL, 6 },
	{ "|", OP_BIT_OR, 2 },	  { "^", OP_BIT_XOR, 3 },     { "&", OP_BIT_AND, 4 },
	{ "<", OP_LESS, 6 },	  { ">", OP_GREATER, 6 },     { "+", OP_ADD, 8 },
	{ "-", OP_SUBTRACT, 8 },  { "*", OP_MULTIPLY, 9 },    { "/", OP_DIVIDE, 9 },
	{ "%", OP_REMAINDER, 9 },
};

static const struct operator* find_operator(const struct arith *a)
{
	if (a->pos >= a->len || strchr("|&*<>=!^+-/%", a->text[a->pos]) == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		if (arith_at(a, operators[i].text)) {
			return &operators[i];
		}
	}
	return NULL;
}

/* An operator that takes part in an assignment: x += 1. */
static bool
can_assign(enum arith_op op)
{
	switch ((int)op) {
	case OP_BIT_OR:
	case OP_BIT_XOR:
	case OP_BIT_AND:
	case OP_LEFT:
	case OP_RIGHT:
	case OP_ADD:
	case OP_SUBTRACT:
	case OP_MULTIPLY:
	case OP_DIVIDE:
	case OP_REMAINDER:
		return true;
	default:
		return false;
	}
}

enum arith_op
arith_operator(struct arith *a, int level, int *found)
{
	const struct operator* operator;
	size_t n;

	arith_blanks(a);
	operator= find_operator(a);
	if (operator== NULL || operator->level<level) {
		return OP_NONE;
	}
	n = strlen(operator->text);
	if (can_assign(operator->op) && a->pos + n < a->len && a->text[a->pos + n] == '=' &&
	    !(a->pos + n + 1 < a->len && a->text[a->pos + n + 1] == '=')) {
		return OP_NONE; /* x += 1 where no assignment can be */
	}
	a->pos += n;
	*found = operator->level;
	return operator->op;
}

bool
arith_assigns(struct arith *a, enum arith_op *op)
{
	const struct operator* operator;
	size_t n;

	arith_blanks(a);
	*op = OP_NONE;
	if (arith_at(a, "=") && !arith_at(a, "==")) {
		a->pos++;
		return true;
	}
	operator= find_operator(a);
	if (operator== NULL || !can_assign(operator->op)) {
		return false;
	}
	n = strlen(operator->text);
	if (a->pos + n >= a->len || a->text[a->pos + n] != '=') {
		return false;
	}
	*op = operator->op;
	a->pos += n + 1;
	return true;
}
