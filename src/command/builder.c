/* SPDX-License-Identifier: MIT */
/*
 * The builder: puts a field together from text and results of expansions. What is split, and where,
 * is in split.c.
 *
 * Invariant: a field that is one piece of text is not copied.
 */
#include "command/expand_impl.h"

#include <string.h>

#define FIELD_ROOM_MIN 64

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

void
build_put(struct build *b, char c, unsigned mark)
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

void
build_text(struct build *b, const char *text, size_t len)
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
	build_text(b, text, len);
}

void
build_unknown(struct build *b, uint16_t taint, bool many)
{
	b->taint |= taint;
	b->many = b->many || many;
	b->escaped = false;
	build_put(b, FIELD_UNKNOWN, MARK_UNKNOWN);
}

/* ---- live text ---------------------------------------------------------------------------- */

enum mark
build_mark_of(struct build *b, char c)
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
		enum mark mark = build_mark_of(b, text[i]);

		if (mark == MARK_LITERAL) {
			continue;
		}
		build_text(b, text + plain, i - plain);
		build_put(b, text[i], mark);
		plain = i + 1;
	}
	build_text(b, text + plain, len - plain);
}

void
build_syntax(struct build *b, const char *text, size_t len)
{
	bool live = (b->mode & (BUILD_GLOB | BUILD_PATTERN)) != 0;

	for (size_t i = 0; i < len; i++) {
		build_put(b, text[i], live ? MARK_GLOB : MARK_LITERAL);
	}
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
	if (b->marked && b->marks != NULL && memchr(b->marks, MARK_UNKNOWN, b->len) != NULL) {
		field.kind = BAILEY_WORD_DYNAMIC;
	} else if (b->marked && b->marks != NULL && memchr(b->marks, MARK_GLOB, b->len) != NULL) {
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
		build_put(b, '\\', MARK_LITERAL);
	}
	if (b->over) {
		return too_much(b, false);
	}
	return b->odd ? taints_only(b, false) : take(b);
}

void
build_finish_split(struct build *b)
{
	struct field unknown;

	if (b->started && !b->over) {
		build_end(b);
	}
	if (b->ifs_touched && b->ifs_known && !build_same_ifs(b)) {
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
