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
#include "command/expand_impl.h"

#include <stdlib.h>
#include <string.h>

#define OPAQUE '\x01'
#define NESTING_MAX 64
#define NUMBER_DIGITS 18

struct brace_piece {
	const char *text; /* of a sequence; NULL: the flat bytes from start to end */
	size_t start, end;
};

struct choice {
	struct brace_piece *pieces;
	size_t count;
};

struct choices {
	struct choice *items;
	size_t count;
};

struct braces {
	struct shell *shell;
	const struct source *source; /* of the word; NULL */
	const char *flat;
	const struct part **parts; /* of each opaque byte */
	bool over;
	unsigned depth;
};

static void expand_range(struct braces *br, size_t start, size_t end, struct choices *out);

static bool
pay(struct braces *br, size_t bytes)
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

	if (!pay(br, sizeof(*pieces))) {
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

			if (pay(br, n * sizeof(*pieces))) {
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
	(void)pay(br, i - from + 1);
	return i;
}

/* ---- sequences ---------------------------------------------------------------------------- */

struct term {
	bool number;
	bool zeros;
	long long value;
	size_t len;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A number or a letter at `text`, up to the end or the dots. */
static bool
read_term(const char *text, size_t len, struct term *term)
{
	size_t sign = len > 0 && (*text == '-' || *text == '+') ? 1 : 0;
	size_t n = sign;

	*term = (struct term){ 0 };
	while (n < len && is_digit(text[n])) {
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
	if (sign == 0 && len > 0 && is_letter(*text)) {
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
	if (!is_letter(c)) {
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

		expand_range(br, from, comma, &one);
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

static void
expand_range(struct braces *br, size_t start, size_t end, struct choices *out)
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

/* ---- words in and out --------------------------------------------------------------------- */

static bool
is_live(const struct part *part)
{
	return part->kind == PART_TEXT && !part->quoted;
}

static bool
flatten(struct braces *br, const struct word *word, size_t *len)
{
	size_t n = 0;
	char *flat;

	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		n += is_live(part) ? part->len : 1;
	}
	*len = n;
	if (!pay(br, n * sizeof(*br->parts))) {
		return false;
	}
	flat = arena_alloc(br->shell->arena, n + 1);
	br->parts = arena_array(br->shell->arena, n + 1, sizeof(*br->parts));
	if (flat == NULL || br->parts == NULL) {
		return false;
	}
	br->flat = flat;
	n = 0;
	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		if (is_live(part)) {
			memcpy(flat + n, part->text, part->len);
			n += part->len;
			continue;
		}
		br->parts[n] = part;
		flat[n++] = OPAQUE;
	}
	return true;
}

struct word_build {
	struct braces *br;
	const struct word *like;
	struct part **end;
	struct part *last;
	char *text; /* live text that waits to become a part */
	size_t len;
};

static bool
is_name_byte(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* $x without braces, as it stands in the source: name characters that come to stand behind it
 * become part of its name. */
static bool
is_bare_name(const struct braces *br, const struct part *part)
{
	const struct source *source = br->source;

	return part->kind == PART_PARAM && !part->quoted && part->param->op == PARAM_PLAIN &&
	       !is_digit(*part->param->name) && is_name_byte(*part->param->name) &&
	       source != NULL && (size_t)part->span.start + 1 < source->len &&
	       source->text[part->span.start] == '$' && source->text[part->span.start + 1] != '{';
}

/* $x and then "y": $xy. Gives how much of the text went into the name. */
static size_t
lengthen_name(struct word_build *build)
{
	struct part *last = build->last;
	struct arena *arena = build->br->shell->arena;
	struct param *param;
	size_t n = 0;

	while (n < build->len && is_name_byte(build->text[n])) {
		n++;
	}
	if (n == 0 || last == NULL || !is_bare_name(build->br, last)) {
		return 0;
	}
	param = arena_alloc(arena, sizeof(*param));
	if (param == NULL) {
		return 0;
	}
	*param = *last->param;
	param->name = arena_printf(arena, "%s%.*s", last->param->name, (int)n, build->text);
	if (param->name == NULL) {
		return 0;
	}
	last->param = param;
	return n;
}

static void
add_part(struct word_build *build, struct part *part)
{
	part->next = NULL;
	*build->end = part;
	build->end = &part->next;
	build->last = part;
}

static void
flush(struct word_build *build)
{
	struct part *part;
	size_t used;

	if (build->len == 0) {
		return;
	}
	used = lengthen_name(build);
	part = arena_alloc(build->br->shell->arena, sizeof(*part));
	if (part == NULL) {
		return;
	}
	part->kind = PART_TEXT;
	part->span = build->like->span;
	part->exact = UINT32_MAX;
	part->text = build->text + used;
	part->len = build->len - used;
	if (part->len > 0) {
		add_part(build, part);
	}
	/* Behind the text comes a NUL, and then the next one. */
	build->text[build->len] = '\0';
	build->text += build->len + 1;
	build->len = 0;
}

static void
put_opaque(struct word_build *build, const struct part *like)
{
	struct part *part = arena_alloc(build->br->shell->arena, sizeof(*part));

	if (part != NULL) {
		*part = *like;
		add_part(build, part);
	}
}

static void
put_piece(struct word_build *build, const struct brace_piece *piece)
{
	struct braces *br = build->br;
	const char *text = piece->text != NULL ? piece->text : br->flat;

	/* A dollar that gets something behind it starts another expansion. */
	if (build->len > 0 && build->text[build->len - 1] == '$' && piece->end > piece->start) {
		br->over = true;
	}
	for (size_t i = piece->start; i < piece->end; i++) {
		if (piece->text == NULL && br->parts[i] != NULL) {
			flush(build);
			put_opaque(build, br->parts[i]);
			continue;
		}
		build->text[build->len++] = text[i];
	}
}

static struct word *
make_word(struct braces *br, const struct word *like, const struct choice *item)
{
	struct word *word = arena_alloc(br->shell->arena, sizeof(*word));
	struct word_build build = { .br = br, .like = like };
	size_t room = 1;

	for (size_t i = 0; i < item->count; i++) {
		room += (item->pieces[i].end - item->pieces[i].start) * 2 + 1;
	}
	if (word == NULL || !pay(br, room)) {
		return NULL;
	}
	build.text = arena_alloc(br->shell->arena, room);
	if (build.text == NULL) {
		return NULL;
	}
	build.end = &word->parts;
	word->span = like->span;
	for (size_t i = 0; i < item->count; i++) {
		put_piece(&build, &item->pieces[i]);
	}
	flush(&build);
	return word;
}

struct word *
expand_braces(struct expander *ex, const struct word *word, bool *over)
{
	struct braces br = { .shell = ex->shell, .source = ex->source };
	struct choices list = { 0 };
	struct word *first = NULL;
	struct word **end = &first;
	size_t len = 0;

	*over = false;
	if (!flatten(&br, word, &len)) {
		*over = true;
		return NULL;
	}
	expand_range(&br, 0, len, &list);
	if (!br.over && list.count == 1 && list.items[0].count == 1 &&
	    list.items[0].pieces[0].text == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < list.count && !br.over; i++) {
		*end = make_word(&br, word, &list.items[i]);
		if (*end == NULL) {
			br.over = true;
			break;
		}
		end = &(*end)->next;
	}
	*over = br.over;
	return br.over ? NULL : first;
}
