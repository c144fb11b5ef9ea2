/* SPDX-License-Identifier: MIT */
/* Tests of the typed readers of base/doc.h: what they take, and what they say of the rest. */
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

static void
unknown_keys_are_told_with_advice(void **state)
{
	static const char *const keys[] = { "type", "writable_roots", "tmp" };
	static const struct {
		const char *text;
		bool toml;
		const char *message; /* NULL: none is unknown */
	} rows[] = {
		{ "{}", false, NULL },
		{ "{\"tmp\":1,\"type\":2,\"writable_roots\":3}", false, NULL },
		{ "{\"type\":1,\n  \"writeable_roots\":[]}", false,
		  "d:2:3: unknown key 'writeable_roots'; did you mean 'writable_roots'?" },
		{ "{ \"zebra\":1}", false,
		  "d:1:3: unknown key 'zebra'; expected one of 'type', 'writable_roots', 'tmp'" },
		{ "{\"\\u001b[2J\":1}", false,
		  "d:1:2: unknown key '\\x1b[2J'; expected one of 'type', 'writable_roots', "
		  "'tmp'" },
		{ "[]", false, "d:1:1: expected an object, found an array" },
		{ "type = 1\n[tmpp]", true, "d:2:2: unknown key 'tmpp'; did you mean 'tmp'?" },
		{ "  typo = 1", true, "d:1:3: unknown key 'typo'; did you mean 'type'?" },
		{ "  typo.x = 1", true, "d:1:3: unknown key 'typo'; did you mean 'type'?" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };
		const char *text = rows[i].text;
		int rc = (rows[i].toml ? doc_parse_toml : doc_parse_json)("d", text, strlen(text),
									  &doc, &err);

		assert_int_equal(rc, 0);
		rc = node_keys(doc_root(doc), keys, COUNT_OF(keys), &err);
		if (rows[i].message == NULL) {
			assert_int_equal(rc, 0);
			continue;
		}
		assert_int_equal(rc, BAILEY_E_INVALID);
		assert_error(&err, rows[i].message);
	}
}

static void
unknown_keys_are_told_when_none_is_known(void **state)
{
	static const char *const keys[] = { "only" };
	AUTO_DOC *doc = json("{\"zebra\": 1}");
	struct bailey_error err = { 0 };

	(void)state;
	(void)node_keys(doc_root(doc), keys, 0, &err);
	assert_error(&err, "j:1:2: unknown key 'zebra'; expected none");
	err = (struct bailey_error){ 0 };
	(void)node_keys(doc_root(doc), keys, 1, &err);
	assert_error(&err, "j:1:2: unknown key 'zebra'; expected 'only'");
}

static void
readers_give_the_value(void **state)
{
	static const char *const names[] = { "none", "private", "shared" };
	AUTO_DOC *doc =
		json("{\"b\":true,\"s\":\"x\",\"u\":42,\"e\":\"shared\",\"a\":[\"p\",\"q\"],"
		     "\"z\":[]}");
	AUTO_ARENA arena = { 0 };
	struct node root = doc_root(doc);
	struct bailey_error err = { 0 };
	bool b = false;
	const char *s = NULL;
	uint64_t u = 0;
	size_t e = 0;
	const char **items = NULL;
	size_t count = 9;

	(void)state;
	assert_int_equal(node_bool(node_get(root, "b"), &b, &err), 0);
	assert_int_equal(node_string(node_get(root, "s"), &s, &err), 0);
	assert_int_equal(node_uint(node_get(root, "u"), 42, &u, &err), 0);
	assert_int_equal(node_enum(node_get(root, "e"), names, 3, &e, &err), 0);
	assert_int_equal(node_strings(node_get(root, "z"), &arena, &items, &count, &err), 0);
	assert_int_equal(count, 0);
	assert_int_equal(node_strings(node_get(root, "a"), &arena, &items, &count, &err), 0);
	assert_true(b);
	assert_string_equal(s, "x");
	assert_int_equal(u, 42);
	assert_int_equal(e, 2);
	assert_int_equal(count, 2);
	doc_free(doc);
	doc = NULL;
	assert_string_equal(items[0], "p"); /* copies: they outlive the document */
	assert_string_equal(items[1], "q");
	assert_int_equal(err.status, 0);
}

static void
readers_leave_the_default_when_absent(void **state)
{
	static const char *const names[] = { "a" };
	AUTO_DOC *doc = json("{}");
	AUTO_ARENA arena = { 0 };
	struct node absent = node_get(node_at(node_get(doc_root(doc), "no"), 3), "way");
	bool b = true;
	const char *s = "default";
	uint64_t u = 7;
	size_t e = 8;
	const char **items = &s;
	size_t count = 1;

	(void)state;
	assert_null(absent.value);
	assert_int_equal(node_keys(absent, names, 1, NULL), 0);
	assert_int_equal(node_bool(absent, &b, NULL), 0);
	assert_int_equal(node_string(absent, &s, NULL), 0);
	assert_int_equal(node_uint(absent, 1, &u, NULL), 0);
	assert_int_equal(node_enum(absent, names, 1, &e, NULL), 0);
	assert_int_equal(node_strings(absent, &arena, &items, &count, NULL), 0);
	assert_true(b && u == 7 && e == 8 && count == 1 && items == &s);
	assert_string_equal(s, "default");
}

enum reader { READ_BOOL, READ_STRING, READ_UINT, READ_ENUM, READ_STRINGS };

static int
read_as(enum reader reader, struct node node, struct bailey_error *err)
{
	static const char *const names[] = { "none", "private", "shared" };
	AUTO_ARENA arena = { 0 };
	bool b;
	const char *s;
	uint64_t u;
	size_t n;
	const char **items;

	switch (reader) {
	case READ_BOOL:
		return node_bool(node, &b, err);
	case READ_STRING:
		return node_string(node, &s, err);
	case READ_UINT:
		return node_uint(node, 100, &u, err);
	case READ_ENUM:
		return node_enum(node, names, COUNT_OF(names), &n, err);
	case READ_STRINGS:
		return node_strings(node, &arena, &items, &n, err);
	}
	return 0;
}

static void
readers_say_what_they_expected(void **state)
{
	static const struct {
		enum reader reader;
		const char *value;
		const char *message; /* NULL: it is taken */
	} rows[] = {
		{ READ_BOOL, "false", NULL },
		{ READ_BOOL, "\"true\"", "j:1:2: expected true or false, found a string" },
		{ READ_BOOL, "1", "j:1:2: expected true or false, found a number" },
		{ READ_STRING, "\"\"", NULL },
		{ READ_STRING, "5", "j:1:2: expected a string, found a number" },
		{ READ_STRING, "2.5", "j:1:2: expected a string, found a number" },
		{ READ_STRING, "null", "j:1:2: expected a string, found null" },
		{ READ_STRING, "true", "j:1:2: expected a string, found true" },
		{ READ_STRING, "{}", "j:1:2: expected a string, found an object" },
		{ READ_UINT, "0", NULL },
		{ READ_UINT, "99", NULL },
		{ READ_UINT, "100", NULL },
		{ READ_UINT, "101", "j:1:2: expected a number from 0 to 100, found 101" },
		{ READ_UINT, "-1", "j:1:2: expected a number from 0 to 100, found -1" },
		{ READ_UINT, "-9223372036854775808",
		  "j:1:2: expected a number from 0 to 100, found -9223372036854775808" },
		{ READ_UINT, "9223372036854775807",
		  "j:1:2: expected a number from 0 to 100, found 9223372036854775807" },
		{ READ_UINT, "1.0", "j:1:2: expected a whole number, found a fraction" },
		{ READ_UINT, "\"1\"", "j:1:2: expected a number, found a string" },
		{ READ_ENUM, "\"none\"", NULL },
		{ READ_ENUM, "\"prlvate\"",
		  "j:1:2: unknown value 'prlvate'; did you mean 'private'?" },
		{ READ_ENUM, "\"off\"",
		  "j:1:2: unknown value 'off'; expected one of 'none', 'private', 'shared'" },
		{ READ_ENUM, "true", "j:1:2: expected a string, found true" },
		{ READ_STRINGS, "[]", NULL },
		{ READ_STRINGS, "[\"a\"]", NULL },
		{ READ_STRINGS, "\"a\"", "j:1:2: expected an array of strings, found a string" },
		{ READ_STRINGS, "[\"a\", 3]", "j:1:8: expected a string, found a number" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_STRBUF text = STRBUF_INIT;
		AUTO_DOC *doc = NULL;
		struct bailey_error err = { 0 };
		int rc;

		strbuf_printf(&text, "[%s]", rows[i].value);
		doc = json(text.text);
		rc = read_as(rows[i].reader, node_at(doc_root(doc), 0), &err);
		if (rows[i].message == NULL) {
			assert_int_equal(rc, 0);
			continue;
		}
		assert_int_equal(rc, BAILEY_E_INVALID);
		assert_error(&err, rows[i].message);
	}
}

static void
toml_containers_are_called_tables(void **state)
{
	AUTO_DOC *doc = toml("a = {}\nb = []\n");
	struct bailey_error err = { 0 };

	(void)state;
	(void)read_as(READ_STRING, node_get(doc_root(doc), "a"), &err);
	assert_error(&err, "t:1:5: expected a string, found a table");
	err = (struct bailey_error){ 0 };
	(void)node_keys(node_get(doc_root(doc), "b"), NULL, 0, &err);
	assert_error(&err, "t:2:5: expected a table, found an array");
}

static void
numbers_below_nothing_are_refused_whatever_the_limit(void **state)
{
	AUTO_DOC *doc = json("[-1, 9223372036854775807]");
	struct bailey_error err = { 0 };
	uint64_t value = 0;

	(void)state;
	assert_int_equal(node_uint(node_at(doc_root(doc), 1), UINT64_MAX, &value, &err), 0);
	assert_int_equal(value, INT64_MAX);
	assert_int_equal(node_uint(node_at(doc_root(doc), 0), UINT64_MAX, &value, &err),
			 BAILEY_E_INVALID);
	assert_error(&err, "j:1:2: expected a number from 0 to 18446744073709551615, found -1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_keys_are_told_with_advice),
		cmocka_unit_test(unknown_keys_are_told_when_none_is_known),
		cmocka_unit_test(readers_give_the_value),
		cmocka_unit_test(readers_leave_the_default_when_absent),
		cmocka_unit_test(readers_say_what_they_expected),
		cmocka_unit_test(toml_containers_are_called_tables),
		cmocka_unit_test(numbers_below_nothing_are_refused_whatever_the_limit),
	};

	return cmocka_run_group_tests_name("doc_read", tests, NULL, NULL);
}
