/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: tools that put lines into another order or leave some out: tac, sort, uniq.
 * Invariant: the order of sort depends on the locale; what does not sort the same in all of them is
 * unknown, unless the script says LC_ALL=C.
 */

#include "command/emulate_impl.h"

struct line {
	const char *text;
	size_t len; /* without its newline */
	int64_t number;
};

struct lines {
	struct line *items;
	size_t count;
	bool ends; /* the last one ends in a newline */
};

static bool
read_lines(struct emulation *e, const struct emulate_text *text, struct lines *lines)
{
	size_t at;

	memset(lines, 0, sizeof(*lines));
	lines->ends = text->len == 0 || text->text[text->len - 1] == '\n';
	for (at = 0; at < text->len;) {
		size_t end = emulate_line_end(text, at);
		struct line *line =
			arena_push(e->arena, &lines->items, &lines->count, sizeof(*line));

		if (line == NULL) {
			return false;
		}
		line->text = text->text + at;
		line->len = end - at - (text->text[end - 1] == '\n');
		at = end;
	}
	return e->shell == NULL || shell_spend(e->shell, lines->count * sizeof(struct line) * 3);
}

/* All that these tools begin with. */
static enum emulated
start(struct emulation *e, const char *letters, const char *names, struct emulate_args *args,
      struct lines *lines)
{
	struct emulate_text text;
	enum emulated result;

	if (!emulate_args(e, letters, names, args)) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, args, 0, &text);
	if (result == EMULATE_DONE && !read_lines(e, &text, lines)) {
		return EMULATE_UNKNOWN;
	}
	return result;
}

static void
put_line(struct emulation *e, const struct line *line)
{
	emulate_put(&e->out, line->text, line->len);
	emulate_put_byte(&e->out, '\n');
}

enum emulated
emulate_tac(struct emulation *e)
{
	struct emulate_args args;
	struct lines lines;
	enum emulated result = start(e, "", "", &args, &lines);
	size_t i;

	if (result != EMULATE_DONE || args.count > 1) {
		return result == EMULATE_DONE ? EMULATE_UNKNOWN : result;
	}
	for (i = lines.count; i > 0; i--) {
		const struct line *line = &lines.items[i - 1];

		emulate_put(&e->out, line->text, line->len);
		if (i < lines.count || lines.ends) {
			emulate_put_byte(&e->out, '\n');
		}
	}
	return EMULATE_DONE;
}

/* ---- uniq --------------------------------------------------------------------------------- */

static bool
same_line(const struct line *a, const struct line *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static void
put_count(struct emulation *e, size_t count)
{
	size_t width = 1;
	size_t rest;

	for (rest = count; rest >= 10; rest /= 10) {
		width++;
	}
	for (; width < 7; width++) {
		emulate_put_byte(&e->out, ' ');
	}
	emulate_put_number(&e->out, (int64_t)count);
	emulate_put_byte(&e->out, ' ');
}

enum emulated
emulate_uniq(struct emulation *e)
{
	struct emulate_args args;
	struct lines lines;
	enum emulated result = start(e, "cdu", "c=count d=repeated u=unique", &args, &lines);
	size_t i;
	size_t end;

	/* A second operand is a file that is written. */
	if (result != EMULATE_DONE || args.count > 1) {
		return result == EMULATE_DONE ? EMULATE_NO : result;
	}
	for (i = 0; i < lines.count; i = end) {
		for (end = i + 1;
		     end < lines.count && same_line(&lines.items[i], &lines.items[end]);) {
			end++;
		}
		if ((emulate_given(&args, 'd') && end == i + 1) ||
		    (emulate_given(&args, 'u') && end > i + 1)) {
			continue;
		}
		if (emulate_given(&args, 'c')) {
			put_count(e, end - i);
		}
		put_line(e, &lines.items[i]);
	}
	return EMULATE_DONE;
}

/* ---- sort --------------------------------------------------------------------------------- */

struct order {
	bool numeric;
	bool reverse;
	bool stable; /* -u: what is equal by its number is one */
};

static int
compare_bytes(const struct line *a, const struct line *b)
{
	size_t len = a->len < b->len ? a->len : b->len;
	int result = memcmp(a->text, b->text, len);

	if (result != 0) {
		return result;
	}
	return a->len < b->len ? -1 : a->len > b->len;
}

static int
compare(const struct order *order, const struct line *a, const struct line *b)
{
	int result = 0;

	if (order->numeric) {
		result = a->number < b->number ? -1 : a->number > b->number;
	}
	if (result == 0 && !order->stable) {
		result = compare_bytes(a, b);
	}
	return order->reverse ? -result : result;
}

/* Merges [low, middle) and [middle, high) of `from` into `to`. */
static void
merge(const struct order *order, const struct line *from, struct line *to, size_t low,
      size_t middle, size_t high)
{
	size_t left = low;
	size_t right = middle;
	size_t i;

	for (i = low; i < high; i++) {
		if (left < middle &&
		    (right >= high || compare(order, &from[left], &from[right]) <= 0)) {
			to[i] = from[left++];
		} else {
			to[i] = from[right++];
		}
	}
}

static bool
sort_lines(struct emulation *e, const struct order *order, struct lines *lines)
{
	struct line *other = arena_array(e->arena, lines->count, sizeof(*other));
	size_t width;

	if (other == NULL) {
		return false;
	}
	for (width = 1; width < lines->count; width *= 2) {
		struct line *swap = lines->items;
		size_t low;

		for (low = 0; low < lines->count; low += 2 * width) {
			size_t middle = low + width < lines->count ? low + width : lines->count;
			size_t high = middle + width < lines->count ? middle + width : lines->count;

			merge(order, lines->items, other, low, middle, high);
		}
		lines->items = other;
		other = swap;
	}
	return true;
}

/* The number that a line starts with, for sort -n: a whole one of a few digits, and nothing that
 * could go on with it in some locale. */
static bool
line_number(struct line *line)
{
	size_t i = 0;
	size_t start;
	bool minus;

	while (i < line->len && (line->text[i] == ' ' || line->text[i] == '\t')) {
		i++;
	}
	minus = i < line->len && line->text[i] == '-';
	i += minus;
	for (start = i; i < line->len && line->text[i] >= '0' && line->text[i] <= '9'; i++) {
		if (i - start > 15) {
			return false;
		}
		line->number = line->number * 10 + (line->text[i] - '0');
	}
	line->number = minus ? -line->number : line->number;
	return i == line->len || (line->text[i] != '.' && line->text[i] != ',' &&
				  line->text[i] != '\'' && line->text[i] > 0);
}

/* Digits and small letters sort alike everywhere. */
static bool
sorts_alike(const struct line *line)
{
	size_t i;

	for (i = 0; i < line->len; i++) {
		char c = line->text[i];

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'))) {
			return false;
		}
	}
	return true;
}

static bool
is_c_locale(struct shell *shell)
{
	const struct var *var = shell == NULL ? NULL : shell_get(shell, "LC_ALL");

	return var != NULL && var->set && !var->unsure && !var->array && var->count == 1 &&
	       (field_is(&var->values[0], "C") || field_is(&var->values[0], "POSIX"));
}

/* Can the order be told? Lines with different numbers need no more. */
static bool
order_is_known(struct emulation *e, const struct order *order, const struct lines *lines)
{
	size_t i;

	if (is_c_locale(e->shell) || order->stable || lines->count < 2) {
		return true;
	}
	for (i = 0; i < lines->count; i++) {
		bool apart = order->numeric &&
			     (i == 0 || lines->items[i - 1].number != lines->items[i].number) &&
			     (i + 1 == lines->count ||
			      lines->items[i + 1].number != lines->items[i].number);

		if (!apart && !sorts_alike(&lines->items[i])) {
			return false;
		}
	}
	return true;
}

enum emulated
emulate_sort(struct emulation *e)
{
	struct emulate_args args;
	struct lines lines;
	struct order order;
	enum emulated result = start(e, "nru", "n=numeric-sort r=reverse u=unique", &args, &lines);
	bool unique = emulate_given(&args, 'u');
	size_t i;

	if (result != EMULATE_DONE) {
		return result;
	}
	order = (struct order){
		.numeric = emulate_given(&args, 'n'),
		.reverse = emulate_given(&args, 'r'),
		.stable = emulate_given(&args, 'n') && unique,
	};
	for (i = 0; i < lines.count && order.numeric; i++) {
		if (!line_number(&lines.items[i])) {
			return EMULATE_UNKNOWN;
		}
	}
	if (!sort_lines(e, &order, &lines) || !order_is_known(e, &order, &lines)) {
		return EMULATE_UNKNOWN;
	}
	for (i = 0; i < lines.count; i++) {
		if (unique && i > 0 && compare(&order, &lines.items[i - 1], &lines.items[i]) == 0) {
			continue;
		}
		put_line(e, &lines.items[i]);
	}
	return EMULATE_DONE;
}
