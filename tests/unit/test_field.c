/* SPDX-License-Identifier: MIT */
/*
 * Tests of command/field.h: that kinds follow from marks when fields are cut and joined, and that
 * running out of memory never looks like a known answer.
 */
#include "command/field.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct field like = { .text = "", .span = { 3, 9 }, .exact = UINT32_MAX };

/* A field from text in which ? is unknown and * is live. */
static struct field
make(struct arena *arena, const char *text)
{
	struct field field = field_literal(arena, text, strlen(text), &like);
	uint8_t *marks = arena_alloc(arena, strlen(text) + 1);
	char *bytes = arena_strdup(arena, text);

	for (size_t i = 0; i < field.len; i++) {
		marks[i] = bytes[i] == '?'   ? MARK_UNKNOWN
			   : bytes[i] == '*' ? MARK_GLOB
					     : MARK_LITERAL;
		bytes[i] = bytes[i] == '?' ? FIELD_UNKNOWN : bytes[i];
	}
	field.text = bytes;
	if (strpbrk(text, "?*") != NULL) {
		field.marks = marks;
		field.kind = strchr(text, '?') != NULL ? BAILEY_WORD_DYNAMIC : BAILEY_WORD_GLOB;
	}
	return field;
}

static void
keeps_text_and_span_when_made(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct field literal = field_literal(&arena, "abcdef", 3, &like);
	struct field fixed = field_static("xyz", NULL);
	struct field unknown = field_unknown(TAINT_FILE, true, &like);

	(void)state;
	assert_string_equal(literal.text, "abc");
	assert_int_equal(literal.len, 3);
	assert_int_equal(literal.span.start, 3);
	assert_null(literal.marks);
	assert_true(field_is_literal(&literal));
	assert_true(field_is(&fixed, "xyz"));
	assert_false(field_is(&fixed, "xy"));
	assert_int_equal(unknown.kind, BAILEY_WORD_DYNAMIC);
	assert_true(unknown.many);
	assert_int_equal(unknown.taint, TAINT_FILE);
	assert_int_equal(unknown.text[0], FIELD_UNKNOWN);
	assert_int_equal(unknown.marks[0], MARK_UNKNOWN);
}

static void
kind_follows_marks_when_cut(void **state)
{
	static const struct {
		const char *text;
		size_t from;
		const char *tail;
		enum bailey_word_kind kind;
	} rows[] = {
		{ "--x=a", 4, "a", BAILEY_WORD_LITERAL },
		{ "?=a", 2, "a", BAILEY_WORD_LITERAL },
		{ "--x=*", 4, "*", BAILEY_WORD_GLOB },
		{ "*=?", 1, "=\x1a", BAILEY_WORD_DYNAMIC },
		{ "?*", 1, "*", BAILEY_WORD_GLOB },
		{ "ab", 2, "", BAILEY_WORD_LITERAL },
		{ "a?", 9, "", BAILEY_WORD_LITERAL },
		{ "a?", 0, "a\x1a", BAILEY_WORD_DYNAMIC },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		struct field field = make(&arena, rows[i].text);
		struct field tail = field_tail(&arena, &field, rows[i].from);

		assert_string_equal(tail.text, rows[i].tail);
		assert_int_equal(tail.kind, rows[i].kind);
		assert_int_equal(tail.len, strlen(rows[i].tail));
		assert_true((tail.marks == NULL) == (tail.kind == BAILEY_WORD_LITERAL));
	}
}

static void
says_where_it_stands_when_cut(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct field field = field_literal(&arena, "a=b", 3, &like);
	struct field tail;

	(void)state;
	field.exact = 20;
	field.tilde = true;
	tail = field_tail(&arena, &field, 2);
	assert_int_equal(tail.exact, 22);
	assert_false(tail.tilde);
}

static void
keeps_marks_when_joined(void **state)
{
	static const struct {
		const char *a, *b;
		const char *text;
		enum bailey_word_kind kind;
		size_t prefix;
	} rows[] = {
		{ "a", "b", "ab", BAILEY_WORD_LITERAL, 2 },
		{ "a", "", "a", BAILEY_WORD_LITERAL, 1 },
		{ "", "b", "b", BAILEY_WORD_LITERAL, 1 },
		{ "a*", "b", "a*b", BAILEY_WORD_GLOB, 1 },
		{ "ab", "?", "ab\x1a", BAILEY_WORD_DYNAMIC, 2 },
		{ "?", "*", "\x1a*", BAILEY_WORD_DYNAMIC, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		struct field a = make(&arena, rows[i].a);
		struct field b = make(&arena, rows[i].b);
		struct field joined;

		a.taint = TAINT_SECRET;
		b.taint = TAINT_FILE;
		joined = field_join(&arena, &a, &b);
		assert_string_equal(joined.text, rows[i].text);
		assert_int_equal(joined.kind, rows[i].kind);
		assert_int_equal(joined.taint, TAINT_SECRET | TAINT_FILE);
		assert_int_equal(field_known_prefix(&joined), rows[i].prefix);
	}
}

static void
is_unknown_when_memory_is_out(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct field a = field_static("rm", NULL);
	struct field b = field_static("x", NULL);
	struct field made;

	(void)state;
	arena_fail_nth = 1;
	made = field_literal(&arena, "rm", 2, NULL);
	assert_true(arena.failed);
	assert_int_equal(made.kind, BAILEY_WORD_DYNAMIC);
	arena_finish(&arena);
	arena_fail_nth = 1;
	made = field_join(&arena, &a, &b);
	assert_true(arena.failed);
	assert_int_equal(made.kind, BAILEY_WORD_DYNAMIC);
	arena_fail_nth = 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_text_and_span_when_made),
		cmocka_unit_test(kind_follows_marks_when_cut),
		cmocka_unit_test(says_where_it_stands_when_cut),
		cmocka_unit_test(keeps_marks_when_joined),
		cmocka_unit_test(is_unknown_when_memory_is_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
