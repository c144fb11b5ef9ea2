/* SPDX-License-Identifier: MIT */
/*
 * Fields: making, cutting and joining them.
 *
 * Invariants:
 *   - what is made here keeps the invariants of command/field.h
 *   - when memory is out the result is unknown, never an empty literal that looks like an answer
 */
#include "command/field.h"

#include <string.h>

/* Beyond this a text is not worth keeping: nothing that is judged is that long. */
#define FIELD_LEN_MAX ((size_t)256 << 20)

static const uint8_t unknown_marks[] = { MARK_UNKNOWN };

static struct field
blank_like(const struct field *like)
{
	struct field field = { .text = "", .exact = UINT32_MAX };

	if (like != NULL) {
		field.source = like->source;
		field.span = like->span;
	}
	return field;
}

struct field
field_unknown(uint16_t taint, bool many, const struct field *like)
{
	struct field field = blank_like(like);

	field.text = "\x1a";
	field.marks = unknown_marks;
	field.len = 1;
	field.kind = BAILEY_WORD_DYNAMIC;
	field.many = many;
	field.taint = taint;
	return field;
}

struct field
field_literal(struct arena *arena, const char *text, size_t len, const struct field *like)
{
	struct field field = blank_like(like);
	char *copy = len <= FIELD_LEN_MAX ? arena_strndup(arena, text, len) : NULL;

	if (copy == NULL) {
		return field_unknown(0, false, like);
	}
	field.text = copy;
	field.len = (uint32_t)len;
	return field;
}

struct field
field_static(const char *text, const struct field *like)
{
	struct field field = blank_like(like);
	size_t len = strlen(text);

	if (len > FIELD_LEN_MAX) {
		return field_unknown(0, false, like);
	}
	field.text = text;
	field.len = (uint32_t)len;
	return field;
}

/* The kind that marks give, which are at least one. Sets *plain when none of them says anything. */
static enum bailey_word_kind
kind_of_marks(const uint8_t *marks, size_t len, bool *plain)
{
	bool glob = memchr(marks, MARK_GLOB, len) != NULL;
	bool unknown = memchr(marks, MARK_UNKNOWN, len) != NULL;

	*plain = !glob && !unknown;
	if (unknown) {
		return BAILEY_WORD_DYNAMIC;
	}
	return glob ? BAILEY_WORD_GLOB : BAILEY_WORD_LITERAL;
}

struct field
field_tail(struct arena *arena, const struct field *field, size_t from)
{
	struct field tail = *field;
	bool plain = true;

	(void)arena;
	if (from == 0) {
		return tail;
	}
	if (from >= field->len) {
		from = field->len;
		tail.many = false;
	}
	tail.text = field->text + from;
	tail.len = field->len - (uint32_t)from;
	tail.tilde = false;
	if (field->exact != UINT32_MAX) {
		tail.exact = field->exact + (uint32_t)from;
	}
	tail.kind = BAILEY_WORD_LITERAL;
	if (field->marks != NULL && tail.len > 0) {
		tail.kind = kind_of_marks(field->marks + from, tail.len, &plain);
	}
	tail.marks = plain ? NULL : field->marks + from;
	return tail;
}

struct field
field_join(struct arena *arena, const struct field *a, const struct field *b)
{
	struct field joined = *a;
	size_t len = (size_t)a->len + b->len;
	uint8_t *marks = NULL;
	char *text;

	joined.taint = (uint16_t)(a->taint | b->taint);
	joined.many = a->many || b->many;
	if (b->len == 0) {
		return joined;
	}
	if (len > FIELD_LEN_MAX) {
		return field_unknown(joined.taint, joined.many, a);
	}
	text = arena_alloc(arena, len + 1);
	if (a->marks != NULL || b->marks != NULL) {
		marks = arena_alloc(arena, len);
	}
	if (text == NULL || (marks == NULL && (a->marks != NULL || b->marks != NULL))) {
		return field_unknown(joined.taint, joined.many, a);
	}
	memcpy(text, a->text, a->len);
	memcpy(text + a->len, b->text, b->len);
	if (marks != NULL && a->marks != NULL) {
		memcpy(marks, a->marks, a->len);
	}
	if (marks != NULL && b->marks != NULL) {
		memcpy(marks + a->len, b->marks, b->len);
	}
	joined.text = text;
	joined.marks = marks;
	joined.len = (uint32_t)len;
	joined.kind = a->kind > b->kind ? a->kind : b->kind;
	joined.exact = UINT32_MAX;
	joined.tilde = a->len > 0 ? a->tilde : b->tilde;
	return joined;
}

bool
field_is(const struct field *field, const char *text)
{
	return field_is_literal(field) && strcmp(field->text, text) == 0;
}

bool
field_is_several(const struct field *field)
{
	return field->many || (field->kind != BAILEY_WORD_LITERAL && field->marks != NULL &&
			       memchr(field->marks, MARK_GLOB, field->len) != NULL);
}

size_t
field_known_prefix(const struct field *field)
{
	size_t n = 0;

	if (field->marks == NULL) {
		return field->len;
	}
	while (n < field->len && field->marks[n] == MARK_LITERAL) {
		n++;
	}
	return n;
}

struct stream
stream_unknown(uint16_t taint)
{
	return (struct stream){ .data = field_unknown(taint, false, NULL) };
}
