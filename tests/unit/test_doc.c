/* SPDX-License-Identifier: MIT */
/*
 * Tests of base/doc.h: that values of JSON and TOML are found at their places, what is said of
 * errors, limits, and what happens when memory runs out at any point. The typed readers are in
 * test_doc_read.c.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/doc.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char shown[1024];

static struct doc *
json(const char *text)
{
	struct bailey_error err = { 0 };
	struct doc *doc = NULL;

	if (doc_parse_json("j", text, strlen(text), &doc, &err) != 0) {
		fail_msg("%s", bailey_error_format(&err, shown, sizeof(shown)));
	}
	return doc;
}

static struct doc *
toml(const char *text)
{
	struct bailey_error err = { 0 };
	struct doc *doc = NULL;

	if (doc_parse_toml("t", text, strlen(text), &doc, &err) != 0) {
		fail_msg("%s", bailey_error_format(&err, shown, sizeof(shown)));
	}
	return doc;
}

static void
assert_error(const struct bailey_error *err, const char *text)
{
	assert_string_equal(bailey_error_format(err, shown, sizeof(shown)), text);
}

/* Walks "a/0/b": parts of digits are indices of arrays. */
static struct node
walk(const struct doc *doc, const char *way)
{
	struct node node = doc_root(doc);
	char copy[128];
	char *rest = copy;

	(void)snprintf(copy, sizeof(copy), "%s", way);
	for (char *part = strsep(&rest, "|"); part != NULL && way[0] != '\0';
	     part = strsep(&rest, "|")) {
		node = json_is_array(node.value) ? node_at(node, strtoul(part, NULL, 10))
						 : node_get(node, part);
	}
	return node;
}

static void
assert_place(const struct doc *doc, const char *way, const char *expected)
{
	struct bailey_error err = { 0 };
	struct node node = walk(doc, way);

	assert_int_equal(node_fail(node, BAILEY_E_INVALID, &err, "%s %s", node.path,
				   node.value != NULL ? "is there" : "is not"),
			 BAILEY_E_INVALID);
	assert_int_equal(err.status, BAILEY_E_INVALID);
	assert_error(&err, expected);
}

static void
json_values_are_found_at_their_places(void **state)
{
	AUTO_DOC *doc = json("\n {\"x\": [1, {\"a~/b\": {\"q\\u0041\\\"\": \"s,]}\"}},\r\n"
			     "\t[], -5.5e3, null],\n"
			     "\"\xc3\xa9\": {\"\": true}, \"y\":[[[7]]] }");

	(void)state;
	assert_place(doc, "", "j:2:2:  is there");
	assert_place(doc, "x", "j:2:8: /x is there");
	assert_place(doc, "x|0", "j:2:9: /x/0 is there");
	assert_place(doc, "x|1", "j:2:12: /x/1 is there");
	assert_place(doc, "x|1|a~/b", "j:2:21: /x/1/a~0~1b is there");
	assert_place(doc, "x|1|a~/b|qA\"", "j:2:35: /x/1/a~0~1b/qA\" is there");
	assert_place(doc, "x|2", "j:3:2: /x/2 is there");
	assert_place(doc, "x|3", "j:3:6: /x/3 is there");
	assert_place(doc, "x|4", "j:3:14: /x/4 is there");
	assert_place(doc, "\xc3\xa9", "j:4:7: /\xc3\xa9 is there");
	assert_place(doc, "\xc3\xa9|", "j:4:12: /\xc3\xa9/ is there");
	assert_place(doc, "y|0|0|0", "j:4:26: /y/0/0/0 is there");
	/* What is absent is told at what is around it. */
	assert_place(doc, "z", "j:2:2: /z is not");
	assert_place(doc, "x|5", "j:2:8: /x/5 is not");
	assert_place(doc, "x|2|0", "j:3:2: /x/2/0 is not");
	assert_place(doc, "x|1|q|r|s", "j:2:12: /x/1/q/r/s is not");
	assert_place(doc, "x|0|q", "j:2:9: /x/0/q is not");
}

static void
toml_values_are_found_at_their_places(void **state)
{
	AUTO_DOC *doc =
		toml("x.y = 1\n[t]\n\"a~/b\" = [ 1, {q = 2} ]\n\n[[t.e]]\n[[t.e]]\nz = {}\n");

	(void)state;
	assert_place(doc, "", "t:1:1:  is there");
	assert_place(doc, "x", "t:1:1: /x is there");
	assert_place(doc, "x|y", "t:1:7: /x/y is there");
	assert_place(doc, "t", "t:2:2: /t is there");
	assert_place(doc, "t|a~/b|1|q", "t:3:20: /t/a~0~1b/1/q is there");
	assert_place(doc, "t|e|0", "t:5:5: /t/e/0 is there");
	assert_place(doc, "t|e|1|z", "t:7:5: /t/e/1/z is there");
	assert_place(doc, "t|e|2", "t:5:5: /t/e/2 is not");
	assert_place(doc, "t|none", "t:2:2: /t/none is not");
	assert_place(doc, "none", "t:1:1: /none is not");
}

static const char *const bad_json[][2] = {
	{ "", "j:1:1: expected '{' or '[', found the end of the text" },
	{ "\n \n", "j:3:1: expected '{' or '[', found the end of the text" },
	{ "3", "j:1:1: expected '{' or '[', found '3'" },
	{ "\"x\"", "j:1:1: expected '{' or '[', found \"x\"" },
	{ "\xef\xbb\xbf{}", "j:1:1: expected '{' or '[', found '\\xef\\xbb\\xbf'" },
	{ "[", "j:1:2: expected a value or ']', found the end of the text" },
	{ "{", "j:1:2: expected a key in double quotes or '}', found the end of the text" },
	{ "{a:1}", "j:1:2: expected a key in double quotes or '}', found 'a'" },
	{ "{\"a\":1,}", "j:1:8: expected a key in double quotes, found '}'" },
	{ "{\"a\" 1}", "j:1:6: expected ':', found '1'" },
	{ "{\"a\":}", "j:1:6: expected a value, found '}'" },
	{ "{\"a\":1 \"b\":2}", "j:1:8: expected ',' or '}', found \"b\"" },
	{ "{\"a\":1]", "j:1:7: expected ',' or '}', found ']'" },
	{ "[1,]", "j:1:4: expected a value, found ']'" },
	{ "[1 2]", "j:1:4: expected ',' or ']', found '2'" },
	{ "[1,2", "j:1:5: expected ',' or ']', found the end of the text" },
	{ "{} x", "j:1:4: expected the end of the text, found 'x'" },
	{ "{}}", "j:1:3: expected the end of the text, found '}'" },
	{ "[\n\t// no\n]", "j:2:2: expected a value or ']', found '/'" },
	{ "['a']", "j:1:2: expected a value or ']', found '''" },
	{ "[\"\xc3\xa9\", tru]",
	  "j:1:8: expected a value (text needs double quotes), found 'tru'" },
	{ "[01]", "j:1:2: expected a number such as 10, -1 or 2.5e3, found '01'" },
	{ "[-]", "j:1:2: expected a number such as 10, -1 or 2.5e3, found '-'" },
	{ "[1e999]", "j:1:2: expected a number in range, found '1e999'" },
	{ "[9223372036854775808]",
	  "j:1:2: expected a number in range, found '9223372036854775808'" },
	{ "{\"a\":1,\n \"\\u0061\":2}", "j:2:2: expected each key once, found \"\\u0061\" again" },
	{ "{\"a\":{\"b\":1,\"c\":{\"b\":1},\"b\":1}}",
	  "j:1:25: expected each key once, found \"b\" again" },
	{ "[\"a\nb\"]", "j:1:2: expected a closing double quote" },
	{ "[\"abc", "j:1:2: expected a closing double quote" },
	{ "[\"a\tb\"]", "j:1:4: expected an escape such as \\n or \\u001b, found a control "
			"character in a string" },
	{ "[\"\\q\"]", "j:1:3: expected one of \" \\ / b f n r t u behind a backslash" },
	{ "[\"\\u12\", \"x\"]", "j:1:3: expected four hexadecimal digits behind \\u" },
	{ "[\"\\uD83D\\uDE00\\uD800\"]",
	  "j:1:15: expected a Unicode character, found half of a surrogate pair" },
	{ "[\"\\udc00\"]", "j:1:3: expected a Unicode character, found half of a surrogate pair" },
	{ "[\"\\n\\u12\n\"]", "j:1:5: expected four hexadecimal digits behind \\u" },
	{ "[\"\\u0000\"]", "j:1:2: expected a string without the character NUL" },
	{ "{\"a\\u0000\":1}", "j:1:2: expected a string without the character NUL" },
	{ "[1,\n\"a\xff\"]", "j:2:3: expected UTF-8, found a byte that is none" },
	{ "[\x1b[31m]", "j:1:2: expected a value or ']', found '\\x1b'" },
};

static void
places_are_not_those_of_keys_that_begin_alike(void **state)
{
	AUTO_DOC *from_json = json("{\"a\":1,\"ab\":2,\"\":3,\"a/b\":4}");
	AUTO_DOC *from_toml = toml("a = 1\nab = 2\n'' = 3\n'a/b' = 4\n");

	(void)state;
	assert_place(from_json, "a", "j:1:6: /a is there");
	assert_place(from_json, "ab", "j:1:13: /ab is there");
	assert_place(from_json, "a/b", "j:1:26: /a~1b is there");
	assert_place(from_toml, "a", "t:1:5: /a is there");
	assert_place(from_toml, "ab", "t:2:6: /ab is there");
	assert_place(from_toml, "a/b", "t:4:9: /a~1b is there");
}

static void
json_errors_say_what_was_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad_json); i++) {
		struct bailey_error err = { 0 };
		struct doc *doc = NULL;

		assert_int_equal(
			doc_parse_json("j", bad_json[i][0], strlen(bad_json[i][0]), &doc, &err),
			BAILEY_E_SYNTAX);
		assert_error(&err, bad_json[i][1]);
		assert_null(doc);
	}
}

static void
json_refuses_nul_bytes(void **state)
{
	static const char *const texts[] = { "[1,$ 2]", "[\"$\"]", "{}$", "[1$,2]", "$", "[1]\n$" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct bailey_error err = { 0 };
		struct doc *doc = NULL;
		size_t len = strlen(texts[i]);
		char text[16];

		memcpy(text, texts[i], len + 1);
		text[strcspn(text, "$")] = '\0';
		assert_int_equal(doc_parse_json("j", text, len, &doc, &err), BAILEY_E_SYNTAX);
		assert_string_equal(err.message, "expected text, found a byte that is 0");
		assert_int_equal(err.at.line, i == 5 ? 2 : 1);
		assert_int_equal(err.at.column, i == 5 ? 1 : strlen(text) + 1);
	}
}

static void
toml_becomes_the_same_values(void **state)
{
	AUTO_DOC *doc = toml("s = 'x'\ni = -1\nf = 2.0\nb = false\nday = 1979-05-27 07:32:00z\n"
			     "t = 10:20:30\na = [1, [], {}]\n[n.m]\n");
	AUTO_DOC *same = json("{\"s\":\"x\",\"i\":-1,\"f\":2.0,\"b\":false,"
			      "\"day\":\"1979-05-27T07:32:00Z\",\"t\":\"10:20:30\","
			      "\"a\":[1,[],{}],\"n\":{\"m\":{}}}");

	(void)state;
	assert_true(json_equal(doc_root(doc).value, doc_root(same).value));
}

static void
toml_refuses_what_json_cannot_say(void **state)
{
	static const char *const rows[][2] = {
		{ "a = 1\nb = [inf]", "t:2:6: expected a finite number" },
		{ "b = nan", "t:1:5: expected a finite number" },
		{ "b = \"\\u0000\"", "t:1:5: expected a string without the character NUL" },
		{ "\"a\\u0000\" = 1", "t:1:1: expected a key without the character NUL" },
		{ "a = 1\na = 2", "t:2:1: expected a new key, found 'a', defined in line 1" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct bailey_error err = { 0 };
		struct doc *doc = NULL;

		assert_int_equal(doc_parse_toml("t", rows[i][0], strlen(rows[i][0]), &doc, &err),
				 BAILEY_E_SYNTAX);
		assert_error(&err, rows[i][1]);
		assert_null(doc);
	}
}

static void
messages_that_are_cut_are_marked(void **state)
{
	AUTO_DOC *doc = json("[]");

	(void)state;
	for (int len = 510; len <= 513; len++) {
		struct bailey_error err = { 0 };

		(void)node_fail(doc_root(doc), BAILEY_E_INVALID, &err, "%0*d", len, 0);
		assert_string_equal(err.message + strlen(err.message) - 3,
				    len < 512 ? "000" : "...");
	}
}

static void
first_error_is_kept(void **state)
{
	AUTO_DOC *doc = json("[]");
	struct bailey_error err = { 0 };

	(void)state;
	(void)bailey_fail(&err, BAILEY_E_LIMIT, "first");
	assert_int_equal(node_fail(doc_root(doc), BAILEY_E_INVALID, &err, "second"),
			 BAILEY_E_INVALID);
	assert_error(&err, "first");
	assert_int_equal(node_fail(doc_root(doc), BAILEY_E_INVALID, NULL, "x"), BAILEY_E_INVALID);
}

static void
nests_up_to_the_limit(void **state)
{
	static const unsigned int depths[] = { 1, 127, 128, 129, 130, 2049, 100000 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(depths); i++) {
		AUTO_STRBUF text = STRBUF_INIT;
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };
		int rc;

		for (unsigned int d = 0; d < depths[i]; d++) {
			strbuf_puts(&text, d % 2 == 0 ? "[" : "{\"[\\\"[\":");
		}
		strbuf_puts(&text, depths[i] % 2 == 0 ? "1" : "");
		for (unsigned int d = depths[i]; d > 0; d--) {
			strbuf_puts(&text, d % 2 == 1 ? "]" : "}");
		}
		rc = doc_parse_json("j", text.text, text.len, &doc, &err);
		assert_int_equal(rc, depths[i] <= 128 ? 0 : BAILEY_E_LIMIT);
		if (rc != 0) {
			assert_string_equal(err.message, "nested deeper than 128 levels");
			assert_int_equal(err.at.column, 128 / 2 * (1 + 8) + 1);
		}
	}
}

static void
reads_text_up_to_the_limit(void **state)
{
	static char text[DOC_SIZE_MAX + 2];

	(void)state;
	memset(text, ' ', sizeof(text));
	for (size_t len = DOC_SIZE_MAX - 1; len <= DOC_SIZE_MAX + 1; len++) {
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };
		int expected = len <= DOC_SIZE_MAX ? 0 : BAILEY_E_LIMIT;

		text[0] = '{';
		text[1] = '}';
		assert_int_equal(doc_parse_json("j", text, len, &doc, &err), expected);
		assert_int_equal(err.status, expected);
		doc_free(doc);
		doc = NULL;
		text[0] = text[1] = ' ';
		assert_int_equal(doc_parse_toml("t", text, len, &doc, NULL), expected);
	}
}

static void
write_file(const char *path, const char *text)
{
	AUTO_FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
}

static void
load_goes_by_the_ending_of_the_name(void **state)
{
	static const struct {
		const char *name;
		const char *text;
		const char *message; /* NULL: it loads */
	} rows[] = {
		{ "a.toml", "a = 1", NULL },
		{ "a.json", "{\"a\":1}", NULL },
		{ "a", "{\"a\":1}", NULL },
		{ ".toml", "a = 1", NULL },
		{ "a.toml.json", "{\"a\":1}", NULL },
		{ "a.toml", "{\"a\":1}", ":1:1: expected a key, found '{'" },
		{ "a.json", "a = 1", ":1:1: expected '{' or '[', found 'a'" },
		{ "a.TOML", "a = 1", ":1:1: expected '{' or '[', found 'a'" },
	};
	char dir[] = "/tmp/bailey-test-XXXXXX";
	char path[128];

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };
		int rc;

		(void)snprintf(path, sizeof(path), "%s/%s", dir, rows[i].name);
		write_file(path, rows[i].text);
		rc = doc_load(path, &doc, &err);
		assert_int_equal(rc, rows[i].message == NULL ? 0 : BAILEY_E_SYNTAX);
		if (rc == 0) {
			assert_int_equal(json_integer_value(node_get(doc_root(doc), "a").value), 1);
		} else {
			assert_string_equal(err.source, path);
			assert_string_equal(bailey_error_format(&err, shown, sizeof(shown)) +
						    strlen(path),
					    rows[i].message);
		}
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(doc_load(path, &(struct doc *){ NULL }, NULL), BAILEY_E_NOT_FOUND);
	assert_int_equal(doc_load(dir, &(struct doc *){ NULL }, NULL), BAILEY_E_INVALID);
	assert_int_equal(rmdir(dir), 0);
}

static unsigned int malloc_fail_nth;

static void *
failing_malloc(size_t size)
{
	if (malloc_fail_nth > 0 && --malloc_fail_nth == 0) {
		return NULL;
	}
	return malloc(size);
}

typedef int (*parse_fn)(const char *source, const char *text, size_t len, struct doc **out,
			struct bailey_error *err);

static void
fail_each_allocation(parse_fn parse, const char *text, unsigned int *counter)
{
	unsigned int nth = 0;
	int rc;

	do {
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };

		*counter = ++nth;
		rc = parse("d", text, strlen(text), &doc, &err);
		*counter = 0;
		assert_true(rc == 0 || rc == BAILEY_E_NOMEM);
		assert_int_equal(err.status, rc);
		assert_true((rc == 0) == (doc != NULL));
	} while (rc != 0);
	assert_true(nth > 1);
}

static void
parsing_fails_cleanly_at_every_allocation(void **state)
{
	static const char json_text[] =
		"{\"a\":[1,2.5,\"text\",{\"b\":null}],\"\\u00e9\":{\"c\":true}}";
	static const char toml_text[] = "a = [1, 2.5, 'text', {b = 1979-05-27}]\n[c.d]\n[[e]]\n";

	(void)state;
	fail_each_allocation(doc_parse_json, json_text, &arena_fail_nth);
	fail_each_allocation(doc_parse_toml, toml_text, &arena_fail_nth);
	json_set_alloc_funcs(failing_malloc, free);
	fail_each_allocation(doc_parse_json, json_text, &malloc_fail_nth);
	fail_each_allocation(doc_parse_toml, toml_text, &malloc_fail_nth);
	json_set_alloc_funcs(malloc, free);
}

/* Paths of nodes are a convenience for errors: without memory for them, reading still works. */
static void
nodes_work_without_memory_for_paths(void **state)
{
	AUTO_DOC *doc = json("{\"a\":[5]}");
	struct node node = doc_root(doc);
	struct bailey_error err = { 0 };
	uint64_t value = 0;

	(void)state;
	while (strcmp(node_get(node, "a").path, "/a") == 0) {
		arena_fail_nth = 1;
	}
	node = node_at(node_get(node, "a"), 0);
	arena_fail_nth = 0;
	assert_int_equal(node_uint(node, 10, &value, &err), 0);
	assert_int_equal(value, 5);
	assert_int_equal(node_uint(node, 4, &value, &err), BAILEY_E_INVALID);
	assert_int_equal(err.at.line, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_values_are_found_at_their_places),
		cmocka_unit_test(toml_values_are_found_at_their_places),
		cmocka_unit_test(places_are_not_those_of_keys_that_begin_alike),
		cmocka_unit_test(json_errors_say_what_was_expected),
		cmocka_unit_test(json_refuses_nul_bytes),
		cmocka_unit_test(toml_becomes_the_same_values),
		cmocka_unit_test(toml_refuses_what_json_cannot_say),
		cmocka_unit_test(messages_that_are_cut_are_marked),
		cmocka_unit_test(first_error_is_kept),
		cmocka_unit_test(nests_up_to_the_limit),
		cmocka_unit_test(reads_text_up_to_the_limit),
		cmocka_unit_test(load_goes_by_the_ending_of_the_name),
		cmocka_unit_test(parsing_fails_cleanly_at_every_allocation),
		cmocka_unit_test(nodes_work_without_memory_for_paths),
	};

	return cmocka_run_group_tests_name("doc", tests, NULL, NULL);
}
