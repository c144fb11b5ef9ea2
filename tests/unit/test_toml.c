/* SPDX-License-Identifier: MIT */
/*
 * Tests of the TOML reader beyond what the toml-test suite covers (see toml_suite.c): places,
 * messages, limits, and what happens without memory or with hostile input.
 */
#include "base/attr.h"
#include "base/strbuf.h"
#include "base/toml.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct toml_table *
parse(struct arena *arena, const char *text)
{
	struct bailey_error err = { 0 };
	struct toml_table *root = NULL;
	int rc = toml_parse(arena, "t", text, strlen(text), &root, &err);

	if (rc != 0) {
		fail_msg("%u:%u: %s", err.at.line, err.at.column, err.message);
	}
	return root;
}

static const struct toml_member *
member(const struct toml_table *table, const char *key)
{
	const struct toml_member *found = toml_find(table, key, strlen(key));

	assert_non_null(found);
	return found;
}

static void
assert_at(struct bailey_position at, uint32_t line, uint32_t column)
{
	assert_int_equal(at.line, line);
	assert_int_equal(at.column, column);
}

static void
reads_every_type(void **state)
{
	AUTO_ARENA arena = { 0 };
	const struct toml_table *root = parse(&arena, "s = 'x'\n"
						      "i = -9223372036854775808\n"
						      "f = 6.626e-34\n"
						      "b = true\n"
						      "odt = 1979-05-27t07:32:00.25-07:30\n"
						      "ldt = 1979-05-27 07:32:00.999999999999\n"
						      "ld = 1979-05-27\n"
						      "lt = 00:32:00\n"
						      "a = [1, [2], {x = 3}]\n"
						      "t = {}\n");
	static const enum toml_type types[] = {
		TOML_STRING,	      TOML_INTEGER,	   TOML_FLOAT,	    TOML_BOOLEAN,
		TOML_OFFSET_DATETIME, TOML_LOCAL_DATETIME, TOML_LOCAL_DATE, TOML_LOCAL_TIME,
		TOML_ARRAY,	      TOML_TABLE,
	};

	(void)state;
	assert_int_equal(root->count, COUNT_OF(types));
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		assert_int_equal(root->members[i].value.type, types[i]);
	}
	assert_int_equal(member(root, "i")->value.integer, INT64_MIN);
	assert_true(member(root, "f")->value.real >= 6.626e-34);
	assert_int_equal(member(root, "odt")->value.time.offset, -450);
	assert_int_equal(member(root, "odt")->value.time.nanosecond, 250000000);
	assert_int_equal(member(root, "ldt")->value.time.nanosecond, 999999999);
	assert_int_equal(member(root, "a")->value.array->count, 3);
	assert_null(toml_find(root, "missing", 7));
	assert_null(toml_find(member(root, "t")->value.table, "x", 1));
}

static void
time_text_is_normal(void **state)
{
	static const char *const rows[][2] = {
		{ "1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z" },
		{ "1979-05-27 07:32:00z", "1979-05-27T07:32:00Z" },
		{ "1979-05-27t07:32:00+00:00", "1979-05-27T07:32:00Z" },
		{ "1979-05-27T07:32:00.500-07:30", "1979-05-27T07:32:00.5-07:30" },
		{ "0000-01-01T00:00:00.000000001+23:59", "0000-01-01T00:00:00.000000001+23:59" },
		{ "2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z" },
		{ "1979-05-27T07:32:00.000", "1979-05-27T07:32:00" },
		{ "2000-02-29", "2000-02-29" },
		{ "10:20:30.120", "10:20:30.12" },
	};
	char buf[TOML_TIME_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		struct toml_table *root = parse(&arena, arena_printf(&arena, "x = %s", rows[i][0]));

		assert_string_equal(toml_time_text(&root->members[0].value, buf), rows[i][1]);
	}
}

static void
strings_may_hold_nul(void **state)
{
	AUTO_ARENA arena = { 0 };
	const struct toml_table *root = parse(&arena, "\"a\\u0000b\" = \"c\\u0000d\"\na = 1\n");

	(void)state;
	assert_non_null(toml_find(root, "a\0b", 3));
	assert_non_null(toml_find(root, "a", 1));
	assert_null(toml_find(root, "a\0c", 3));
	assert_null(toml_find(root, "a\0", 2));
	assert_memory_equal(root->members[0].value.string.text, "c\0d", 4);
	assert_int_equal(root->members[0].value.string.len, 3);
}

static void
line_ends_in_strings_become_line_feeds(void **state)
{
	AUTO_ARENA arena = { 0 };
	const struct toml_table *root =
		parse(&arena, "a = \"\"\"\r\nx\r\ny \\  \r\n\r\n  z\"\"\"\r\n"
			      "b = '''\r\nx\r\n'''\r\n"
			      "c = \"\"\"\"\"two quotes\"\"\"\"\"\r\n");

	(void)state;
	assert_string_equal(member(root, "a")->value.string.text, "x\ny z");
	assert_string_equal(member(root, "b")->value.string.text, "x\n");
	assert_string_equal(member(root, "c")->value.string.text, "\"\"two quotes\"\"");
	assert_at(member(root, "c")->at, 9, 1);
}

static void
positions_are_of_keys_and_values(void **state)
{
	AUTO_ARENA arena = { 0 };
	const struct toml_table *root = parse(&arena, "\xef\xbb\xbf"
						      "# comment \xc3\xa9\r\n"
						      "\"\xc3\xa9\"  = 'x'\n"
						      "a.b . c = [ 1,\n"
						      "\t{ d = 2 } ]\n"
						      "[t . u]\n"
						      "s = \"\"\"\n"
						      "\n"
						      "\"\"\"\n"
						      "k = 1\n"
						      "[[ e ]]\n"
						      "[[e]]\n"
						      "[t]\n");
	const struct toml_value *c;
	const struct toml_table *u;

	(void)state;
	assert_at(member(root, "\xc3\xa9")->at, 2, 1);
	assert_at(member(root, "\xc3\xa9")->value.at, 2, 9);
	assert_at(member(root, "a")->at, 3, 1);
	assert_at(member(member(root, "a")->value.table, "b")->at, 3, 3);
	c = &member(member(member(root, "a")->value.table, "b")->value.table, "c")->value;
	assert_at(c->at, 3, 11);
	assert_at(c->array->items[0].at, 3, 13);
	assert_at(c->array->items[1].at, 4, 2);
	assert_at(member(c->array->items[1].table, "d")->value.at, 4, 8);
	u = member(member(root, "t")->value.table, "u")->value.table;
	assert_at(member(u, "s")->value.at, 6, 5);
	assert_at(member(u, "k")->at, 9, 1);
	assert_at(member(root, "e")->value.array->items[0].at, 10, 4);
	assert_at(member(root, "e")->value.array->items[1].at, 11, 3);
	assert_at(member(root, "t")->at, 12, 2); /* where it is defined, not where first named */
}

static const struct {
	const char *text;
	const char *message;
} bad_toml[] = {
	{ "a", "t:1:2: expected '.' or '=', found the end of the text" },
	{ "a\n", "t:1:2: expected '.' or '=', found the end of the line" },
	{ "a = \n", "t:1:5: expected a value, found the end of the line" },
	{ "= 1", "t:1:1: expected a key, found '='" },
	{ "a = 1 b = 2", "t:1:7: expected the end of the line, found 'b'" },
	{ "a = x", "t:1:5: expected a value (text needs quotes), found 'x'" },
	{ "a = 01", "t:1:5: expected a number such as 10, 1_000, 0x1f or 2.5e3, found '01'" },
	{ "a = 9223372036854775808",
	  "t:1:5: expected a number in range, found '9223372036854775808'" },
	{ "a = 1e400", "t:1:5: expected a number in range, found '1e400'" },
	{ "a = 0x10000000000000000",
	  "t:1:5: expected a number in range, found '0x10000000000000000'" },
	{ "a = 1979-02-29", "t:1:5: expected a date or time such as 1979-05-27T07:32:00Z, "
			    "found '1979-02-29'" },
	{ "a = \"b", "t:1:5: expected a closing quote \" on the same line" },
	{ "a = 'b\n'", "t:1:5: expected a closing quote ' on the same line" },
	{ "\n\na = '''\n''", "t:3:5: expected three closing quotes '''" },
	{ "a = \"\\x\"", "t:1:6: expected one of b t n f r \" \\ u U behind a backslash; "
			 "in single quotes a backslash stands for itself" },
	{ "a = \"\\u12g4\"", "t:1:6: expected 4 hexadecimal digits behind '\\u'" },
	{ "a = \"\\ud800\"", "t:1:6: expected a Unicode character, found U+D800" },
	{ "a = [1 2]", "t:1:8: expected ',' or ']', found '2'" },
	{ "a = [1,\n", "t:2:1: expected a value, found the end of the text" },
	{ "a = { b = 1\n}",
	  "t:1:12: expected ',' or '}' on the same line, found the end of the line" },
	{ "a = { b = 1, }", "t:1:14: expected a key, found '}'" },
	{ "[a", "t:1:3: expected '.' or ']', found the end of the text" },
	{ "[[a]", "t:1:4: expected '.' or ']]', found ']'" },
	{ "[a] b = 1", "t:1:5: expected the end of the line, found 'b'" },
	{ "a = 1\nb = 2\na = 3", "t:3:1: expected a new key, found 'a', defined in line 1" },
	{ "a = 1\n[a]", "t:2:2: expected a new key, found 'a', defined in line 1" },
	{ "a = 1\n[a.b]", "t:2:2: expected a new key, found 'a', defined in line 1" },
	{ "[a]\n[[a]]", "t:2:3: expected a new key, found 'a', defined in line 1" },
	{ "a = []\n[[a]]", "t:2:3: expected a new key, found 'a', defined in line 1" },
	{ "a = {}\na.b = 1", "t:2:1: expected a new key, found 'a', defined in line 1" },
	{ "[a.b]\n[a]\nb.c = 1", "t:3:1: expected a new key, found 'b', defined in line 1" },
	{ "[a.b.c]\n[a]\nb.x = 1\n[a.b]",
	  "t:4:4: expected a new key, found 'b', defined in line 3" },
	{ "a = \"\x1b[1m\"", "t:1:6: expected no control character but tab, found 0x1b" },
	{ "a = 1\rb = 2", "t:1:6: expected a line feed behind the carriage return" },
	{ "a = 1\r", "t:1:6: expected a line feed behind the carriage return" },
	{ "# \xff", "t:1:3: expected UTF-8, found the byte 0xff" },
	{ "a = \xe2\x80\x8b", "t:1:5: expected a value, found '\\xe2\\x80\\x8b'" },
};

static void
says_what_was_expected(void **state)
{
	char buf[1024];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad_toml); i++) {
		AUTO_ARENA arena = { 0 };
		struct bailey_error err = { 0 };
		struct toml_table *root = NULL;
		const char *text = bad_toml[i].text;

		assert_int_equal(toml_parse(&arena, "t", text, strlen(text), &root, &err),
				 BAILEY_E_SYNTAX);
		assert_string_equal(bailey_error_format(&err, buf, sizeof(buf)),
				    bad_toml[i].message);
		assert_null(root);
	}
}

static void
refuses_nul_anywhere(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct bailey_error err = { 0 };
	struct toml_table *root = NULL;

	(void)state;
	assert_int_equal(toml_parse(&arena, "t", "a=1\n\0b=2", 8, &root, &err), BAILEY_E_SYNTAX);
	assert_at(err.at, 2, 1);
}

/* A value (or header, or dotted key) with so many containers around it, the root included. */
static void
add_nested(struct strbuf *out, const char *before, const char *open, const char *inner,
	   const char *close, unsigned int levels)
{
	strbuf_puts(out, before);
	for (unsigned int i = 0; i < levels; i++) {
		strbuf_puts(out, open);
	}
	strbuf_puts(out, inner);
	for (unsigned int i = 0; i < levels; i++) {
		strbuf_puts(out, close);
	}
}

static void
nests_up_to_the_limit(void **state)
{
	static const struct {
		const char *before;
		const char *open;
		const char *inner;
		const char *close;
		unsigned int fixed; /* levels beside those of `open`, the root included */
	} forms[] = {
		{ "a = ", "[", "", "]", 1 },	      { "a = ", "{a=", "1", "}", 1 },
		{ "", "a.", "a = 1", "", 1 },	      { "[", "a.", "a]", "", 2 },
		{ "[[", "a.", "a]]", "", 3 },	      { "[t]\n", "a.", "a = []", "", 3 },
		{ "[[t]]\n", "a.", "a = {}", "", 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		for (unsigned int depth = TOML_DEPTH_MAX - 1; depth <= TOML_DEPTH_MAX + 1;
		     depth++) {
			AUTO_ARENA arena = { 0 };
			AUTO_STRBUF text = STRBUF_INIT;
			struct bailey_error err = { 0 };
			struct toml_table *root = NULL;
			int rc;

			add_nested(&text, forms[i].before, forms[i].open, forms[i].inner,
				   forms[i].close, depth - forms[i].fixed);
			rc = toml_parse(&arena, "t", text.text, text.len, &root, &err);
			assert_int_equal(rc, depth <= TOML_DEPTH_MAX ? 0 : BAILEY_E_LIMIT);
			assert_true(rc == 0 || err.at.line > 0);
		}
	}
}

static void
survives_input_far_over_the_limit(void **state)
{
	static const char *const opens[] = { "[", "{a=", "[{a=" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(opens); i++) {
		AUTO_ARENA arena = { 0 };
		AUTO_STRBUF text = STRBUF_INIT;
		struct bailey_error err = { 0 };
		struct toml_table *root = NULL;

		add_nested(&text, "a = ", opens[i], "", "", 100000);
		assert_int_equal(toml_parse(&arena, "t", text.text, text.len, &root, &err),
				 BAILEY_E_LIMIT);
	}
}

static double
seconds_to_parse(const struct strbuf *text, size_t members)
{
	AUTO_ARENA arena = { 0 };
	struct timespec start;
	struct timespec end;
	struct toml_table *root = NULL;

	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start), 0);
	assert_int_equal(toml_parse(&arena, "t", text->text, text->len, &root, NULL), 0);
	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end), 0);
	assert_int_equal(root->count, members);
	return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
}

/*
 * A reader that compared each key with all others would take minutes here. The second half has
 * keys that share long beginnings, or none, or are each other's beginnings.
 */
static void
takes_linear_time_with_many_keys(void **state)
{
	AUTO_STRBUF text = STRBUF_INIT;
	char key[4097];

	(void)state;
	for (unsigned int i = 0; i < 100000; i++) {
		strbuf_printf(&text, "key_%u = %u\n", i * 7919, i);
	}
	assert_true(seconds_to_parse(&text, 100000) < 5);
	strbuf_finish(&text);

	memset(key, 'a', sizeof(key));
	for (unsigned int len = 1; len < 2000; len++) {
		strbuf_printf(&text, "%.*s = 1\n", (int)len, key);
		strbuf_printf(&text, "%.*sb = 1\n", (int)len, key);
	}
	for (unsigned int i = 0; i < 100000; i++) {
		strbuf_printf(&text, "b%x = 1\n", i);
	}
	assert_true(seconds_to_parse(&text, 103998) < 5);
	strbuf_finish(&text);

	for (unsigned int i = 0; i < 50000; i++) {
		strbuf_printf(&text, "[t.a%u.b]\n[[u]]\n", i);
	}
	assert_true(seconds_to_parse(&text, 2) < 5);
}

/* Keys that are not there are as quick to miss, however long the keys are that are. */
static void
misses_short_keys_among_long_ones_at_once(void **state)
{
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF text = STRBUF_INIT;
	char key[3001];
	const struct toml_table *root;
	clock_t start;

	(void)state;
	memset(key, 'b', sizeof(key));
	for (int len = 0; len < 3000; len++) {
		strbuf_printf(&text, "%.*sa = 1\n", len, key);
	}
	root = parse(&arena, text.text);
	start = clock();
	for (unsigned int i = 0; i < 1000000; i++) {
		assert_null(toml_find(root, "d", 1));
	}
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

static void
finds_every_one_of_many_keys(void **state)
{
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF text = STRBUF_INIT;
	const struct toml_table *root;

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		strbuf_printf(&text, "%u = %u\n", i * i, i);
	}
	root = parse(&arena, text.text);
	for (unsigned int i = 0; i < 3000; i++) {
		char key[16];
		int n = snprintf(key, sizeof(key), "%u", i * i);
		const struct toml_member *found = toml_find(root, key, (size_t)n);

		assert_non_null(found);
		assert_int_equal(found->value.integer, i);
		assert_ptr_equal(found, &root->members[i]);
		key[n] = '.';
		assert_null(toml_find(root, key, (size_t)n + 1));
	}
	assert_null(toml_find(root, "", 0));
}

static void
reads_numbers_alike_in_every_locale(void **state)
{
	static const char *const names[] = { "C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		AUTO_ARENA arena = { 0 };
		const struct toml_table *root;

		(void)setlocale(LC_ALL, names[i]); /* where it is missing, the last one stays */
		root = parse(&arena, "a = 2.5\nb = -inf\nc = +nan\nv = 1_0.0_1e+1\n");
		assert_true(member(root, "a")->value.real >= 2.5);
		assert_true(isinf(member(root, "b")->value.real) &&
			    member(root, "b")->value.real < 0);
		assert_true(isnan(member(root, "c")->value.real));
		assert_true(member(root, "v")->value.real >= 100.1);
	}
	(void)setlocale(LC_ALL, "C");
}

static void
fails_cleanly_at_every_allocation(void **state)
{
	AUTO_STRBUF text = STRBUF_INIT;
	unsigned int nth = 0;
	int rc;

	(void)state;
	for (unsigned int i = 0; i < 300; i++) {
		strbuf_printf(&text,
			      "[t%u.x]\na.b = [1, 2, 3, 4, 5, {k = '%0200u'}]\n\"q\\n\" = 1\n"
			      "[[e.e]]\n[[e.e.f]]\n",
			      i, i);
	}
	do {
		AUTO_ARENA arena = { 0 };
		struct bailey_error err = { 0 };
		struct toml_table *root = NULL;

		arena_fail_nth = ++nth;
		rc = toml_parse(&arena, "t", text.text, text.len, &root, &err);
		arena_fail_nth = 0;
		assert_true(rc == 0 || rc == BAILEY_E_NOMEM);
		assert_int_equal(err.status, rc);
		assert_true((rc == 0) == (root != NULL));
	} while (rc != 0);
	assert_true(nth > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_type),
		cmocka_unit_test(time_text_is_normal),
		cmocka_unit_test(strings_may_hold_nul),
		cmocka_unit_test(line_ends_in_strings_become_line_feeds),
		cmocka_unit_test(positions_are_of_keys_and_values),
		cmocka_unit_test(says_what_was_expected),
		cmocka_unit_test(refuses_nul_anywhere),
		cmocka_unit_test(nests_up_to_the_limit),
		cmocka_unit_test(survives_input_far_over_the_limit),
		cmocka_unit_test(takes_linear_time_with_many_keys),
		cmocka_unit_test(misses_short_keys_among_long_ones_at_once),
		cmocka_unit_test(finds_every_one_of_many_keys),
		cmocka_unit_test(reads_numbers_alike_in_every_locale),
		cmocka_unit_test(fails_cleanly_at_every_allocation),
	};

	return cmocka_run_group_tests_name("toml", tests, NULL, NULL);
}
