/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic, as bash has it: 64 bits that wrap, assignments that take effect, and variables whose
 * values are expressions again.
 *
 * A subscript with $ or ` that comes out of a variable's value is code, which is evaluated. What is
 * not known makes the result unknown, but everything else in the expression still happens.
 *
 * Invariants:
 *   - recursion is bounded: parentheses by ARITH_NESTING, variables and what they evaluate by
 *     EXPAND_EVALUATE_MAX
 *   - every text that is evaluated is paid for, so values that use each other twice come to an end
 */
#include "command/arith.h"

#include <string.h>

#define ARITH_NESTING 100

static struct num comma(struct arith *a);
static struct num assignment(struct arith *a);
static struct num binary(struct arith *a, int level);

/* ---- variables ---------------------------------------------------------------------------- */

static struct num
evaluate_text(struct arith *a, const struct field *text)
{
	struct arith inner = {
		.ex = a->ex, .text = text->text, .marks = text->marks, .len = text->len
	};
	struct shell *shell = a->ex->shell;
	struct num result;

	if (text->many || shell->evaluating >= EXPAND_EVALUATE_MAX ||
	    !shell_spend(shell, 512 + (size_t)text->len)) {
		return arith_unknown();
	}
	expand_check_foreign(a->ex, text);
	shell->evaluating++;
	result = arith_run(&inner);
	shell->evaluating--;
	return result;
}

/* The subscript as a key: code in it is evaluated, and it is arithmetic unless the array is
 * associative. */
static struct field
key_of(struct arith *a, const struct place *place)
{
	struct expander *ex = a->ex;
	struct field text = field_literal(ex->shell->arena, place->index, place->index_len, NULL);
	const struct var *var = shell_get(ex->shell, place->name);
	struct stream stream;
	struct num number;
	const char *decimal;

	if (memchr(place->index, '$', place->index_len) != NULL ||
	    memchr(place->index, '`', place->index_len) != NULL) {
		stream = expand_evaluate(ex, &text);
		text = stream.data;
	}
	if (var != NULL && var->assoc) {
		return text;
	}
	number = evaluate_text(a, &text);
	decimal = number.known ? expand_decimal(ex, number.value) : NULL;
	return decimal != NULL ? field_static(decimal, NULL)
			       : field_unknown(TAINT_VARIABLE, false, NULL);
}

static struct num
read_place(struct arith *a, const struct place *place, const struct field *key)
{
	struct pvalue value = { 0 };
	struct field unknown;

	if (a->skip > 0) {
		return arith_number(0);
	}
	if (place->index != NULL) {
		param_element(a->ex, place->name, key, &value);
	} else {
		param_variable(a->ex, place->name, &value);
	}
	if (value.unknown || value.list) {
		unknown = field_unknown(value.taint, false, NULL);
		expand_check_foreign(a->ex, &unknown);
		return arith_unknown();
	}
	if (value.count == 0 || value.items[0].len == 0) {
		return arith_number(0);
	}
	return evaluate_text(a, &value.items[0]);
}

static void
write_place(struct arith *a, const struct place *place, const struct field *key, struct num num)
{
	struct shell *shell = a->ex->shell;
	struct field value = field_unknown(0, false, NULL);
	const char *decimal;

	if (a->skip > 0) {
		return;
	}
	if (num.known) {
		decimal = expand_decimal(a->ex, num.value);
		value = decimal != NULL ? field_static(decimal, NULL) : value;
	}
	if (place->index != NULL) {
		shell_set_element(shell, place->name, key, &value, false);
	} else {
		shell_set(shell, place->name, &value);
	}
}

/* ---- operators ---------------------------------------------------------------------------- */

static int64_t
power(int64_t base, int64_t exponent)
{
	uint64_t result = 1;
	uint64_t factor = (uint64_t)base;

	for (; exponent > 0; exponent >>= 1) {
		if ((exponent & 1) != 0) {
			result *= factor;
		}
		factor *= factor;
	}
	return (int64_t)result;
}

static bool
divide(enum arith_op op, int64_t x, int64_t y, int64_t *result)
{
	if (y == 0) {
		return false;
	}
	if (y == -1) {
		*result = op == OP_DIVIDE ? (int64_t)(0 - (uint64_t)x) : 0;
		return true;
	}
	*result = op == OP_DIVIDE ? x / y : x % y;
	return true;
}

static bool
shift(enum arith_op op, int64_t x, int64_t y, int64_t *result)
{
	if (y < 0 || y > 63) {
		return false;
	}
	*result = op == OP_LEFT ? (int64_t)((uint64_t)x << y) : x >> y;
	return true;
}

/* Those that can go wrong; false: they did, or it is none of these. */
static bool
risky(enum arith_op op, int64_t x, int64_t y, int64_t *result)
{
	switch ((int)op) {
	case OP_DIVIDE:
	case OP_REMAINDER:
		return divide(op, x, y, result);
	case OP_LEFT:
	case OP_RIGHT:
		return shift(op, x, y, result);
	case OP_POWER:
		*result = y >= 0 ? power(x, y) : 0;
		return y >= 0;
	default:
		return false;
	}
}

static struct num
apply(struct arith *a, enum arith_op op, struct num left, struct num right)
{
	int64_t x = left.value;
	int64_t y = right.value;
	int64_t result = 0;

	if (!left.known || !right.known) {
		return arith_unknown();
	}
	switch ((int)op) {
	case OP_OR:
		return arith_number(x != 0 || y != 0);
	case OP_AND:
		return arith_number(x != 0 && y != 0);
	case OP_BIT_OR:
		return arith_number(x | y);
	case OP_BIT_XOR:
		return arith_number(x ^ y);
	case OP_BIT_AND:
		return arith_number(x & y);
	case OP_EQUAL:
		return arith_number(x == y);
	case OP_UNEQUAL:
		return arith_number(x != y);
	case OP_LESS_EQUAL:
		return arith_number(x <= y);
	case OP_GREATER_EQUAL:
		return arith_number(x >= y);
	case OP_LESS:
		return arith_number(x < y);
	case OP_GREATER:
		return arith_number(x > y);
	case OP_ADD:
		return arith_number((int64_t)((uint64_t)x + (uint64_t)y));
	case OP_SUBTRACT:
		return arith_number((int64_t)((uint64_t)x - (uint64_t)y));
	case OP_MULTIPLY:
		return arith_number((int64_t)((uint64_t)x * (uint64_t)y));
	default:
		break;
	}
	if (risky(op, x, y, &result)) {
		return arith_number(result);
	}
	a->failed = a->failed || a->skip == 0;
	return arith_unknown();
}

/* ---- operands ----------------------------------------------------------------------------- */

/* x++ and x-- behind, ++x and --x in front: `by` is 1 or -1. */
static struct num
step(struct arith *a, const struct place *place, int by, bool before)
{
	struct field key = { 0 };
	struct num old;
	struct num new;

	if (place->index != NULL && a->skip == 0) {
		key = key_of(a, place);
	}
	old = read_place(a, place, &key);
	new = apply(a, OP_ADD, old, arith_number(by));
	write_place(a, place, &key, new);
	return before ? new : old;
}

static struct num
place_value(struct arith *a, const struct place *place)
{
	struct field key = { 0 };

	if (place->index != NULL && a->skip == 0) {
		key = key_of(a, place);
	}
	return read_place(a, place, &key);
}

static struct num
operand(struct arith *a)
{
	struct place place;
	struct num value;

	arith_blanks(a);
	if (arith_at(a, "(")) {
		a->pos++;
		value = comma(a);
		arith_blanks(a);
		if (!arith_at(a, ")")) {
			a->failed = true;
		}
		a->pos++;
		return value;
	}
	if (arith_unknown_text(a)) {
		return arith_unknown();
	}
	if (arith_place(a, &place)) {
		arith_blanks(a);
		if (arith_at(a, "++") || arith_at(a, "--")) {
			int by = a->text[a->pos] == '+' ? 1 : -1;

			a->pos += 2;
			return step(a, &place, by, false);
		}
		return place_value(a, &place);
	}
	return arith_constant(a);
}

static struct num
unary(struct arith *a)
{
	struct place place;
	struct num value;
	size_t start;
	char c;

	arith_blanks(a);
	c = a->pos < a->len ? a->text[a->pos] : '\0';
	if (c == '\0' || strchr("+-!~", c) == NULL) {
		return operand(a);
	}
	start = a->pos;
	if (arith_at(a, "++") || arith_at(a, "--")) {
		a->pos += 2;
		arith_blanks(a);
		if (arith_place(a, &place)) {
			return step(a, &place, c == '+' ? 1 : -1, true);
		}
		a->pos = start; /* two signs */
	}
	a->pos++;
	if (++a->nesting > ARITH_NESTING) {
		a->failed = true;
	}
	value = a->failed ? arith_unknown() : unary(a);
	a->nesting--;
	if (!value.known || c == '+') {
		return value;
	}
	if (c == '-') {
		return arith_number((int64_t)(0 - (uint64_t)value.value));
	}
	return arith_number(c == '!' ? value.value == 0 : ~value.value);
}

/* ---- binary operators --------------------------------------------------------------------- */

/* The right side of && and ||, and the branches of ?: - what may not be evaluated. `when` says
 * whether it is: known and 0 is not. */
static struct num
maybe(struct arith *a, struct num when, struct num (*read)(struct arith *, int), int level)
{
	struct num value;
	struct shell_mark mark;

	if (!when.known && a->skip == 0) {
		mark = shell_mark(a->ex->shell);
		value = read(a, level);
		shell_join(a->ex->shell, &mark);
		return value;
	}
	a->skip += when.value == 0;
	value = read(a, level);
	a->skip -= when.value == 0;
	return value;
}

static struct num
logical(struct arith *a, enum arith_op op, struct num left, int level)
{
	struct num when = left;
	struct num right;

	if (op == OP_OR && left.known) {
		when.value = left.value == 0;
	}
	right = maybe(a, when, binary, level);
	/* What one side decides needs no other. */
	if (left.known && when.value == 0) {
		return arith_number(op == OP_OR);
	}
	if (right.known && (right.value != 0) == (op == OP_OR)) {
		return arith_number(op == OP_OR);
	}
	return apply(a, op, left, right);
}

/* Operators from `level` on. Those of one level go from left to right, but for **. */
static struct num
binary(struct arith *a, int level)
{
	struct num left;

	if (++a->nesting > ARITH_NESTING || a->failed) {
		a->failed = true;
		a->nesting--;
		return arith_unknown();
	}
	left = unary(a);
	while (!a->failed) {
		int found;
		enum arith_op op = arith_operator(a, level, &found);

		if (op == OP_NONE) {
			break;
		}
		if (op == OP_OR || op == OP_AND) {
			left = logical(a, op, left, found + 1);
		} else {
			struct num right = binary(a, op == OP_POWER ? found : found + 1);

			left = apply(a, op, left, right);
		}
	}
	a->nesting--;
	return left;
}

static struct num
branch(struct arith *a, int last)
{
	return last ? assignment(a) : comma(a);
}

static struct num
conditional(struct arith *a)
{
	struct num when = binary(a, 0);
	struct num not_when = when;
	struct num yes;
	struct num no;

	arith_blanks(a);
	if (a->failed || !arith_at(a, "?")) {
		return when;
	}
	a->pos++;
	not_when.value = when.value == 0;
	yes = maybe(a, when, branch, 0);
	arith_blanks(a);
	if (!arith_at(a, ":")) {
		a->failed = true;
		return arith_unknown();
	}
	a->pos++;
	no = maybe(a, not_when, branch, 1);
	if (!when.known) {
		return yes.known && no.known && yes.value == no.value ? yes : arith_unknown();
	}
	return when.value != 0 ? yes : no;
}

/* x = y, x += y and so on; else whatever is less than an assignment. */
static struct num
assignment(struct arith *a)
{
	struct place place;
	struct field key = { 0 };
	enum arith_op op = OP_NONE;
	struct num old = arith_unknown();
	struct num value;
	size_t start;

	if (++a->nesting > ARITH_NESTING || a->failed) {
		a->failed = true;
		a->nesting--;
		return arith_unknown();
	}
	arith_blanks(a);
	start = a->pos;
	if (!arith_place(a, &place) || !arith_assigns(a, &op)) {
		a->pos = start;
		value = conditional(a);
		a->nesting--;
		return value;
	}
	if (place.index != NULL && a->skip == 0) {
		key = key_of(a, &place);
	}
	if (op != OP_NONE) {
		old = read_place(a, &place, &key);
	}
	value = assignment(a);
	if (op != OP_NONE) {
		value = apply(a, op, old, value);
	}
	write_place(a, &place, &key, value);
	a->nesting--;
	return value;
}

static struct num
comma(struct arith *a)
{
	struct num value = assignment(a);

	arith_blanks(a);
	while (!a->failed && arith_at(a, ",")) {
		a->pos++;
		value = assignment(a);
		arith_blanks(a);
	}
	return value;
}

struct num
arith_run(struct arith *a)
{
	struct num value;

	arith_blanks(a);
	if (a->pos == a->len) {
		return arith_number(0);
	}
	value = comma(a);
	arith_blanks(a);
	if (a->failed || a->pos < a->len) {
		a->failed = true;
		return arith_unknown();
	}
	return value;
}

/* Where the text could not be read, the variables in it may still hold code. */
static void
run_names(struct arith *a)
{
	struct place place;

	a->pos = 0;
	a->failed = false;
	while (a->pos < a->len) {
		if (!arith_place(a, &place)) {
			a->pos++;
			continue;
		}
		(void)place_value(a, &place);
		a->failed = false;
	}
}

bool
expand_arith_text(struct expander *ex, const struct field *text, int64_t *value)
{
	struct arith a = { .ex = ex, .text = text->text, .marks = text->marks, .len = text->len };
	struct num result;

	*value = 0;
	if (!shell_spend(ex->shell, text->len)) {
		return false;
	}
	expand_check_foreign(ex, text);
	result = arith_run(&a);
	if (a.failed && !text->many) {
		a.skip = 0;
		a.nesting = 0;
		run_names(&a);
		return false;
	}
	if (!result.known || text->many) {
		return false;
	}
	*value = result.value;
	return true;
}

bool
expand_arith(struct expander *ex, const struct word *word, int64_t *value)
{
	const struct part *part = word != NULL ? word->parts : NULL;
	struct field text;

	*value = 0;
	if (part == NULL) {
		return true;
	}
	if (part->next == NULL && part->kind == PART_TEXT && part->len <= EXPAND_BYTES_MAX) {
		text = (struct field){ .text = part->text, .len = (uint32_t)part->len };
		return expand_arith_text(ex, &text, value);
	}
	text = expand_one(ex, word, 0, true);
	return expand_arith_text(ex, &text, value);
}
