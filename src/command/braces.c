/* SPDX-License-Identifier: MIT */
/*
 * Brace expansion: {a,b} and {1..5..2}, as bash does it before anything else.
 *
 * The word becomes a flat text in which every part that is quoted or an expansion is one byte,
 * OPAQUE. Ranges of it, and the numbers of sequences, are the pieces that the results are made of.
 *
 * Invariants:
 *   - at most EXPAND_FIELDS_MAX results; more is `over`
 *   - every scan is paid for, so open braces without end do not cost the square of their number
 */
#include "command/braces.h"

#include <stdlib.h>
#include <string.h>

#define NESTING_MAX 64
#define NUMBER_DIGITS 18

bool
braces_pay(struct braces *br, size_t bytes)
{
	if (br->over || !shell_spend(br->shell, bytes)) {
		br->over = true;
	}
	return !br->over;
}

/* ---- lists -------------------------------------------------------------------------------- */

static void
add_item(struct braces *br, struct choices *list, struct brace_piece *pieces, size_t count)
{
	struct choice *item = NULL;

	if (list->count >= EXPAND_FIELDS_MAX) {
		br->over = true;
	}
	if (!br->over) {
		item = arena_push(br->shell->arena, &list->items, &list->count, sizeof(*item));
	}
	if (item == NULL) {
		br->over = true;
		return;
	}
	item->pieces = pieces;
	item->count = count;
}

static void
add_piece(struct braces *br, struct choices *list, struct brace_piece piece)
{
	struct brace_piece *pieces;

	if (!braces_pay(br, sizeof(*pieces))) {
		return;
	}
	pieces = arena_alloc(br->shell->arena, sizeof(*pieces));
	if (pieces == NULL) {
		br->over = true;
		return;
	}
	*pieces = piece;
	add_item(br, list, pieces, 1);
}

static void
add_range(struct braces *br, struct choices *list, size_t start, size_t end)
{
	add_piece(br, list, (struct brace_piece){ .start = start, .end = end });
}

/* Each of `list` followed by each of `tail`. */
static void
multiply(struct braces *br, struct choices *list, const struct choices *tail)
{
	struct choices product = { 0 };

	if (br->over) {
		return;
	}
	if (list->count > EXPAND_FIELDS_MAX / (tail->count > 0 ? tail->count : 1)) {
		br->over = true;
	}
	for (size_t i = 0; i < list->count && !br->over; i++) {
		const struct choice *a = &list->items[i];

		for (size_t j = 0; j < tail->count && !br->over; j++) {
			const struct choice *b = &tail->items[j];
			size_t n = a->count + b->count;
			struct brace_piece *pieces = NULL;

			if (braces_pay(br, n * sizeof(*pieces))) {
				pieces = arena_array(br->shell->arena, n, sizeof(*pieces));
			}
			if (pieces == NULL) {
				br->over = true;
				return;
			}
			memcpy(pieces, a->pieces, a->count * sizeof(*pieces));
			memcpy(pieces + a->count, b->pieces, b->count * sizeof(*pieces));
			add_item(br, &product, pieces, n);
		}
	}
	*list = product;
}

/* ---- finding braces ----------------------------------------------------------------------- */

/* The place of the next `wanted` outside of inner braces, or `end`. A closing brace counts only
 * behind a comma or a range. An opening one at the very start that closes at once is none. */
static size_t
find(struct braces *br, size_t start, size_t from, size_t end, char wanted)
{
	const char *flat = br->flat;
	size_t level = 0;
	bool separated = wanted != '}';
	size_t i = from;

	for (; i < end; i++) {
		char c = flat[i];

		if (c == wanted && level == 0 && separated) {
			if (c != '{' || i != start || i + 1 >= end || flat[i + 1] != '}') {
				break;
			}
			continue;
		}
		if (c == '{') {
			level++;
		} else if (c == '}' && level > 0) {
			level--;
		} else if (wanted == '}' && level == 0) {
			bool dots = c == '.' && i + 1 < end && flat[i + 1] == '.' &&
				    !(i + 2 < end && flat[i + 2] == '}');

			separated = separated || c == ',' || dots;
		}
	}
	(void)braces_pay(br, i - from + 1);
	return i;
}

/* ---- sequences ---------------------------------------------------------------------------- */

struct term {
	bool number;
	bool zeros;
	long long value;
	size_t len;
};

/* A number or a letter at `text`, up to the end or the dots. */
static bool
read_term(const char *text, size_t len, struct term *term)
{
	size_t sign = len > 0 && (*text == '-' || *text == '+') ? 1 : 0;
	size_t n = sign;

	*term = (struct term){ 0 };
	while (n < len && braces_is_digit(text[n])) {
		term->value = n - sign < NUMBER_DIGITS ? term->value * 10 + (text[n] - '0') : 0;
		n++;
	}
	if (n > sign) {
		term->number = true;
		term->zeros = text[sign] == '0' && n - sign > 1 && *text != '+';
		term->value = *text == '-' ? -term->value : term->value;
		term->len = n;
		return true;
	}
	if (sign == 0 && len > 0 && braces_is_letter(*text)) {
		term->value = (unsigned char)*text;
		term->len = 1;
		return true;
	}
	return false;
}

static bool
dots_at(const char *text, size_t len, size_t at)
{
	return at + 2 < len && text[at] == '.' && text[at + 1] == '.';
}

/* first..last or first..last..step */
static bool
read_sequence(const char *text, size_t len, struct term *first, struct term *last,
	      struct term *step)
{
	size_t pos;

	*step = (struct term){ .number = true, .value = 1 };
	if (!read_term(text, len, first) || !dots_at(text, len, first->len)) {
		return false;
	}
	pos = first->len + 2;
	if (!read_term(text + pos, len - pos, last) || first->number != last->number) {
		return false;
	}
	pos += last->len;
	if (dots_at(text, len, pos)) {
		pos += 2;
		if (!read_term(text + pos, len - pos, step) || !step->number) {
			return false;
		}
		pos += step->len;
	}
	return pos == len;
}

static const char *
show_term(struct braces *br, bool number, long long value, int width)
{
	char c = (char)value;

	if (number) {
		return arena_printf(br->shell->arena, "%0*lld", width, value);
	}
	/* Between Z and a are characters that would be read again. */
	if (!braces_is_letter(c)) {
		br->over = true;
	}
	return arena_strndup(br->shell->arena, &c, 1);
}

/* false: no sequence. */
static bool
expand_sequence(struct braces *br, size_t start, size_t end, struct choices *out)
{
	const char *text = br->flat + start;
	struct term first;
	struct term last;
	struct term step;
	long long by;
	int width = 0;

	if (!read_sequence(text, end - start, &first, &last, &step)) {
		return false;
	}
	if (first.len > NUMBER_DIGITS || last.len > NUMBER_DIGITS || step.len > NUMBER_DIGITS) {
		br->over = true; /* near the largest numbers, bash has rules of its own */
		return true;
	}
	if (first.number && (first.zeros || last.zeros)) {
		width = (int)(first.len > last.len ? first.len : last.len);
	}
	by = step.value == 0 ? 1 : llabs(step.value);
	by = first.value > last.value ? -by : by;
	for (long long n = first.value; by > 0 ? n <= last.value : n >= last.value; n += by) {
		struct brace_piece piece = { .text = show_term(br, first.number, n, width) };

		if (piece.text == NULL || br->over) {
			br->over = true;
			return true;
		}
		piece.end = strlen(piece.text);
		add_piece(br, out, piece);
	}
	return true;
}

/* ---- expanding ---------------------------------------------------------------------------- */

static void
expand_commas(struct braces *br, size_t start, size_t end, struct choices *out)
{
	size_t from = start;

	while (!br->over) {
		struct choices one = { 0 };
		size_t comma = find(br, start, from, end, ',');

		braces_expand(br, from, comma, &one);
		for (size_t i = 0; i < one.count && !br->over; i++) {
			add_item(br, out, one.items[i].pieces, one.items[i].count);
		}
		if (comma >= end) {
			return;
		}
		from = comma + 1;
	}
}

/* The next brace that opens something, or `end`; `*close` is where it closes. */
static size_t
find_group(struct braces *br, size_t start, size_t from, size_t end, size_t *close)
{
	while (!br->over) {
		size_t open = find(br, start, from, end, '{');

		if (open >= end) {
			return end;
		}
		*close = find(br, open + 1, open + 1, end, '}');
		if (*close < end) {
			return open;
		}
		from = open + 1;
	}
	return end;
}

/* Where bash looks for a comma, it does not care for quotes. */
static bool
has_hidden_comma(const struct braces *br, size_t start, size_t end)
{
	const struct source *source = br->source;

	for (size_t i = start; i < end; i++) {
		const struct part *part = br->parts[i];

		if (part == NULL) {
			continue;
		}
		if (source == NULL || part->span.end > source->len ||
		    part->span.start > part->span.end ||
		    memchr(source->text + part->span.start, ',',
			   part->span.end - part->span.start) != NULL) {
			return true;
		}
	}
	return false;
}

static void
expand_group(struct braces *br, size_t open, size_t close, struct choices *out)
{
	if (memchr(br->flat + open + 1, ',', close - open - 1) != NULL) {
		expand_commas(br, open + 1, close, out);
		return;
	}
	if (has_hidden_comma(br, open + 1, close)) {
		br->over = true;
	} else if (!expand_sequence(br, open + 1, close, out)) {
		add_range(br, out, open, close + 1);
	}
}

void
braces_expand(struct braces *br, size_t start, size_t end, struct choices *out)
{
	size_t close = 0;
	size_t open;
	bool first = true;

	if (++br->depth > NESTING_MAX) {
		br->over = true;
	}
	/* Each turn takes what is before a group and the group. */
	while (!br->over) {
		struct choices group = { 0 };

		open = find_group(br, start, start, end, &close);
		if (first) {
			add_range(br, out, start, open);
		} else if (open > start) {
			add_range(br, &group, start, open);
			multiply(br, out, &group);
			group = (struct choices){ 0 };
		}
		first = false;
		if (open >= end || br->over) {
			break;
		}
		expand_group(br, open, close, &group);
		multiply(br, out, &group);
		start = close + 1;
		if (start >= end) {
			break;
		}
	}
	br->depth--;
}
