/* SPDX-License-Identifier: MIT */
/*
 * The builder: puts a field together from text and results of expansions, and splits where IFS
 * says so.
 *
 * Invariants:
 *   - a field that is one piece of text is not copied
 *   - splitting runs over all results of a word as if they were one text in which everything
 *     quoted or literal is no separator
 */
#include "command/expand_impl.h"

#include "command/shell_vars.h"

#include <string.h>

#define FIELD_ROOM_MIN 64

/* While a field is being made: a backslash from a result, which quotes if the field turns out as a
 * pattern, and is itself if not. */
#define MARK_BACKSLASH 3

void
build_init(struct build *b, struct expander *ex, unsigned mode, const struct word *word)
{
	*b = (struct build){ .ex = ex, .mode = mode, .exact = UINT32_MAX };
	b->like.source = ex->source;
	b->like.exact = UINT32_MAX;
	if (word != NULL) {
		b->like.span = word->span;
	}
}

/* ---- IFS ---------------------------------------------------------------------------------- */

const struct expand_ifs *
build_ifs(struct build *b)
{
	static const struct expand_ifs usual = {
		.standard = true, .text = " \t\n", .len = 3, .map = { UINT64_C(0x100000600) }
	};
	struct expand_ifs *ifs = &b->ifs;
	struct pvalue value = { 0 };

	if (b->ifs_known) {
		return ifs;
	}
	b->ifs_known = true;
	if (shell_untouched(b->ex->shell, "IFS")) {
		*ifs = usual;
		return ifs;
	}
	param_variable(b->ex, "IFS", &value);
	ifs->text = " \t\n";
	ifs->len = 3;
	if (value.unknown || (value.count > 0 && value.items[0].kind == BAILEY_WORD_DYNAMIC)) {
		ifs->unknown = true;
	} else if (value.set && value.count > 0) {
		ifs->text = value.items[0].text;
		ifs->len = value.items[0].len;
	}
	/* A backslash in IFS does more than split. */
	ifs->unknown = ifs->unknown || memchr(ifs->text, '\\', ifs->len) != NULL;
	ifs->standard = !ifs->unknown && ifs->len == 3 && memcmp(ifs->text, " \t\n", 3) == 0;
	for (size_t i = 0; i < ifs->len; i++) {
		unsigned char c = (unsigned char)ifs->text[i];

		ifs->map[c >> 6] |= UINT64_C(1) << (c & 63);
	}
	return ifs;
}

static inline bool
in_ifs(const struct expand_ifs *ifs, char c)
{
	unsigned char u = (unsigned char)c;

	return (ifs->map[u >> 6] >> (u & 63) & 1) != 0;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* ---- the text of a field ------------------------------------------------------------------ */

static bool
grow(struct build *b, size_t more)
{
	struct arena *arena = b->ex->shell->arena;
	size_t room = b->text_room == 0 ? FIELD_ROOM_MIN : b->text_room;
	char *text;
	uint8_t *marks;

	while (room <= b->len + more) {
		room *= 2;
	}
	text = arena_alloc(arena, room);
	marks = b->marks != NULL ? arena_alloc(arena, room) : NULL;
	if (text == NULL || (marks == NULL && b->marks != NULL)) {
		b->over = true;
		return false;
	}
	if (b->len > 0) {
		memcpy(text, b->only != NULL ? b->only : b->text, b->len);
	}
	if (marks != NULL && b->len > 0) {
		memcpy(marks, b->marks, b->len);
	}
	b->text = text;
	b->marks = marks;
	b->text_room = room;
	b->only = NULL;
	return true;
}

/* Room for `more` bytes and a NUL behind what is there, in a copy of its own. */
static bool
reserve(struct build *b, size_t more)
{
	b->bytes += more;
	if (b->over || b->bytes > EXPAND_BYTES_MAX || !shell_spend(b->ex->shell, more)) {
		b->over = true;
		return false;
	}
	if (b->only == NULL && b->len + more < b->text_room) {
		return true;
	}
	return grow(b, more);
}

/* Marks from here on: those before are literal. */
static bool
need_marks(struct build *b)
{
	if (b->marks == NULL) {
		b->marks = arena_alloc(b->ex->shell->arena, b->text_room);
		if (b->marks == NULL) {
			b->over = true;
			return false;
		}
	}
	b->marked = true;
	return true;
}

static void
put(struct build *b, char c, unsigned mark)
{
	/* Two unknown parts beside each other are one. */
	if (mark == MARK_UNKNOWN && b->marked && b->len > 0 &&
	    b->marks[b->len - 1] == MARK_UNKNOWN) {
		return;
	}
	if (!reserve(b, 1) || (mark != MARK_LITERAL && !need_marks(b))) {
		return;
	}
	b->text[b->len] = c;
	if (b->marks != NULL) {
		b->marks[b->len] = (uint8_t)mark;
	}
	b->len++;
	b->started = true;
	b->after_blank = false;
}

static void
put_literal(struct build *b, const char *text, size_t len)
{
	if (len == 0 || !reserve(b, len)) {
		return;
	}
	memcpy(b->text + b->len, text, len);
	if (b->marks != NULL) {
		memset(b->marks + b->len, MARK_LITERAL, len);
	}
	b->len += len;
	b->started = true;
	b->after_blank = false;
}

void
build_quoted(struct build *b, const char *text, size_t len, bool whole)
{
	b->started = true;
	b->after_blank = false;
	b->escaped = false;
	if (len == 0) {
		return;
	}
	if (whole && b->len == 0 && b->text_room == 0) {
		if (len > EXPAND_BYTES_MAX) {
			b->over = true;
			return;
		}
		b->only = text;
		b->len = len;
		b->bytes += len;
		return;
	}
	put_literal(b, text, len);
}

void
build_unknown(struct build *b, uint16_t taint, bool many)
{
	b->taint |= taint;
	b->many = b->many || many;
	b->escaped = false;
	put(b, FIELD_UNKNOWN, MARK_UNKNOWN);
}

/* ---- live text ---------------------------------------------------------------------------- */

/* How an unquoted byte is marked. Inside of brackets, what makes a range or a negation is live. */
static enum mark
mark_of(struct build *b, char c)
{
	if ((b->mode & BUILD_REPLACEMENT) != 0) {
		return c == '&' ? MARK_GLOB : MARK_LITERAL;
	}
	if ((b->mode & (BUILD_GLOB | BUILD_PATTERN)) == 0) {
		return MARK_LITERAL;
	}
	switch (c) {
	case '[':
		b->bracket = true;
		return MARK_GLOB;
	case '#':
	case '%':
		return (b->mode & BUILD_ANCHOR) != 0 && b->len == 0 ? MARK_GLOB : MARK_LITERAL;
	case '*':
	case '?':
		return MARK_GLOB;
	case ']':
	case '-':
	case '!':
	case '^':
		return b->bracket ? MARK_GLOB : MARK_LITERAL;
	default:
		return MARK_LITERAL;
	}
}

void
build_live(struct build *b, const char *text, size_t len)
{
	size_t plain = 0;

	b->escaped = false;
	for (size_t i = 0; i < len; i++) {
		enum mark mark = mark_of(b, text[i]);

		if (mark == MARK_LITERAL) {
			continue;
		}
		put_literal(b, text + plain, i - plain);
		put(b, text[i], mark);
		plain = i + 1;
	}
	put_literal(b, text + plain, len - plain);
}

void
build_syntax(struct build *b, const char *text, size_t len)
{
	bool live = (b->mode & (BUILD_GLOB | BUILD_PATTERN)) != 0;

	for (size_t i = 0; i < len; i++) {
		put(b, text[i], live ? MARK_GLOB : MARK_LITERAL);
	}
}

/* A byte of an unquoted result that is no separator. */
static void
put_result(struct build *b, char c)
{
	bool quotes = (b->mode & (BUILD_PATTERN | BUILD_REPLACEMENT)) != 0;

	if (b->escaped) {
		b->escaped = false;
		put(b, c, MARK_LITERAL);
		return;
	}
	if (c == '\\' && quotes) {
		b->escaped = true;
		b->started = true;
		return;
	}
	if (c == '\\' && (b->mode & BUILD_GLOB) != 0) {
		b->backslash = true;
		put(b, c, MARK_BACKSLASH);
		return;
	}
	put(b, c, mark_of(b, c));
}

/* ---- results ------------------------------------------------------------------------------ */

static void
separator(struct build *b, char c)
{
	if (is_blank(c)) {
		if (b->started) {
			build_end(b);
			b->after_blank = true;
		}
		return;
	}
	if (!b->started && b->after_blank) {
		b->after_blank = false;
		return;
	}
	build_end(b);
	b->after_blank = false;
}

void
build_separator(struct build *b)
{
	const struct expand_ifs *ifs;

	if ((b->mode & BUILD_SPLIT) == 0) {
		build_quoted(b, " ", 1, false);
		return;
	}
	ifs = build_ifs(b);
	if (ifs->len > 0) {
		separator(b, ifs->text[0]);
	} else if (b->started) {
		build_end(b);
	}
}

/* Nothing in the text is special where it goes. */
static bool
is_plain(struct build *b, const char *text, size_t len)
{
	const struct expand_ifs *ifs = NULL;

	if ((b->mode & BUILD_SPLIT) != 0) {
		ifs = build_ifs(b);
	}
	if (b->escaped || (b->mode & BUILD_ANCHOR) != 0) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if ((ifs != NULL && in_ifs(ifs, c)) || c == '\\' || c == '*' || c == '?' ||
		    c == '[' || c == '&' || c == FIELD_UNKNOWN) {
			return false;
		}
	}
	return !b->bracket;
}

/* A byte of a value that has marks: in a pattern, the name that live characters stand for is not
 * known. */
static void
put_marked(struct build *b, char c, unsigned mark)
{
	if (mark == MARK_GLOB && (b->mode & (BUILD_PATTERN | BUILD_REPLACEMENT)) != 0) {
		mark = MARK_UNKNOWN;
		c = FIELD_UNKNOWN;
	}
	put(b, c, mark);
}

static void
result_bytes(struct build *b, const struct field *value)
{
	bool split = (b->mode & BUILD_SPLIT) != 0;
	const struct expand_ifs *ifs = split ? build_ifs(b) : NULL;

	for (size_t i = 0; i < value->len && !b->over; i++) {
		char c = value->text[i];

		if (value->marks != NULL && value->marks[i] == MARK_UNKNOWN) {
			build_unknown(b, value->taint, split);
			continue;
		}
		if (ifs != NULL && in_ifs(ifs, c)) {
			separator(b, c);
			continue;
		}
		if (value->marks != NULL && value->marks[i] == MARK_GLOB) {
			put_marked(b, c, MARK_GLOB);
		} else {
			put_result(b, c);
		}
		b->taint |= value->taint;
	}
}

void
build_result(struct build *b, const struct field *value, bool quoted)
{
	bool bare = (b->mode & (BUILD_SPLIT | BUILD_GLOB | BUILD_PATTERN | BUILD_REPLACEMENT)) == 0;

	if (quoted || bare) {
		b->taint |= value->taint;
		if (value->many) {
			b->many = true;
		}
		if (value->marks == NULL) {
			build_quoted(b, value->text, value->len, true);
			return;
		}
		/* Live characters of a value stand for a name that it has: they stay so. */
		b->started = true;
		for (size_t i = 0; i < value->len && !b->over; i++) {
			put_marked(b, value->text[i], value->marks[i]);
		}
		return;
	}
	if ((b->mode & BUILD_SPLIT) != 0 && build_ifs(b)->unknown) {
		build_unknown(b, (uint16_t)(value->taint | TAINT_VARIABLE), true);
		return;
	}
	if (value->marks == NULL && is_plain(b, value->text, value->len)) {
		if (value->len > 0) {
			b->taint |= value->taint;
			build_quoted(b, value->text, value->len, true);
		}
		return;
	}
	result_bytes(b, value);
}

void
build_result_text(struct build *b, const char *text, size_t len)
{
	struct field value = { .text = text, .len = (uint32_t)len };

	if ((b->mode & BUILD_SPLIT) == 0) {
		build_live(b, text, len);
		return;
	}
	if (build_ifs(b)->unknown) {
		build_unknown(b, TAINT_VARIABLE, true);
		return;
	}
	result_bytes(b, &value);
}

/* ---- fields ------------------------------------------------------------------------------- */

/* In a pattern, backslashes that came out of results quote what follows them. */
static void
settle_backslashes(struct build *b)
{
	bool pattern = false;
	size_t to = 0;

	for (size_t i = 0; i < b->len; i++) {
		pattern = pattern || b->marks[i] == MARK_GLOB;
		i += b->marks[i] == MARK_BACKSLASH;
	}
	for (size_t i = 0; i < b->len; i++, to++) {
		bool quotes = pattern && b->marks[i] == MARK_BACKSLASH && i + 1 < b->len;

		i += quotes;
		b->text[to] = b->text[i];
		b->marks[to] = b->marks[i];
		if (b->marks[to] == MARK_BACKSLASH || (quotes && b->marks[to] == MARK_GLOB)) {
			b->marks[to] = MARK_LITERAL;
		} else if (!pattern && b->marks[to] == MARK_GLOB) {
			b->marks[to] = MARK_LITERAL;
		}
	}
	b->len = to;
}

/* What has been built, as a field. */
static struct field
take(struct build *b)
{
	struct field field = b->like;

	field.many = b->many;
	field.taint = b->taint;
	field.tilde = b->tilde;
	field.exact = b->exact;
	field.text = "";
	if (b->backslash && b->marked) {
		settle_backslashes(b);
	}
	field.len = (uint32_t)b->len;
	if (b->only != NULL) {
		field.text = b->only;
	} else if (b->len > 0) {
		b->text[b->len] = '\0';
		field.text = b->text;
	}
	field.kind = BAILEY_WORD_LITERAL;
	if (b->marked && memchr(b->marks, MARK_UNKNOWN, b->len) != NULL) {
		field.kind = BAILEY_WORD_DYNAMIC;
	} else if (b->marked && memchr(b->marks, MARK_GLOB, b->len) != NULL) {
		field.kind = BAILEY_WORD_GLOB;
	}
	if (field.kind != BAILEY_WORD_LITERAL) {
		field.marks = b->marks;
	}
	return field;
}

static void
reset(struct build *b)
{
	b->only = NULL;
	b->text = NULL;
	b->marks = NULL;
	b->len = 0;
	b->text_room = 0;
	b->marked = false;
	b->bracket = false;
	b->escaped = false;
	b->backslash = false;
	b->started = false;
	b->many = false;
	b->tilde = false;
	b->empty_list = false;
	b->taint = 0;
	b->exact = UINT32_MAX;
}

void
build_room(struct build *b, size_t count)
{
	struct field *items;

	if (b->over || count <= b->room) {
		return;
	}
	if (count < b->room * 2) {
		count = b->room * 2;
	}
	items = arena_array(b->ex->shell->arena, count, sizeof(*items));
	if (items == NULL) {
		b->over = true;
		return;
	}
	if (b->count > 0) {
		memcpy(items, b->items, b->count * sizeof(*items));
	}
	b->items = items;
	b->room = count;
}

void
build_push(struct build *b, const struct field *field)
{
	if (b->count == b->room) {
		build_room(b, b->count + 4);
	}
	if (b->count < b->room) {
		b->items[b->count++] = *field;
	}
}

void
build_end(struct build *b)
{
	struct field field;

	if (b->count > b->base && !shell_spend(b->ex->shell, sizeof(*b->items))) {
		b->over = true;
	}
	if (b->count - b->base >= EXPAND_FIELDS_MAX) {
		b->over = true;
	}
	if (!b->over) {
		field = take(b);
		if (b->empty_list && field.len == 0) {
			field = field_unknown(field.taint, true, &field);
		}
		field.many = field.many || (b->empty_list && field.kind == BAILEY_WORD_DYNAMIC);
		build_push(b, &field);
	}
	reset(b);
}

/* Nothing of the word is known but where it comes from. */
static struct field
taints_only(struct build *b, bool many)
{
	uint16_t taint = b->taint;

	for (size_t i = b->base; i < b->count; i++) {
		taint |= b->items[i].taint;
	}
	return field_unknown(taint, many, &b->like);
}

static struct field
too_much(struct build *b, bool many)
{
	struct part where = { .kind = PART_TEXT, .text = "", .span = b->like.span };

	expand_note(b->ex, "expansion.too-long", "expands to more than can be followed", &where);
	return taints_only(b, many);
}

struct field
build_finish(struct build *b)
{
	if (b->escaped) {
		b->escaped = false;
		put(b, '\\', MARK_LITERAL);
	}
	if (b->over) {
		return too_much(b, false);
	}
	return b->odd ? taints_only(b, false) : take(b);
}

/* Is IFS still what the word was split with? bash splits when the whole word is expanded. */
static bool
same_ifs(struct build *b)
{
	struct expand_ifs was = b->ifs;

	b->ifs = (struct expand_ifs){ 0 };
	b->ifs_known = false;
	(void)build_ifs(b);
	return was.unknown == b->ifs.unknown && was.len == b->ifs.len &&
	       memcmp(was.text, b->ifs.text, was.len) == 0;
}

void
build_finish_split(struct build *b)
{
	struct field unknown;

	if (b->started && !b->over) {
		build_end(b);
	}
	if (b->ifs_touched && b->ifs_known && !same_ifs(b)) {
		b->over = true;
	}
	if (b->over || b->odd) {
		unknown = b->over ? too_much(b, true) : taints_only(b, true);
		b->count = b->base;
		b->over = false;
		build_push(b, &unknown);
	}
	reset(b);
	b->base = b->count;
	b->bytes = 0;
	b->after_blank = false;
	b->odd = false;
	b->ifs_known = false;
	b->ifs_touched = false;
	b->ifs = (struct expand_ifs){ 0 };
}
