/* SPDX-License-Identifier: MIT */
/*
 * The typed readers of documents, and what they say when a value is not of the type. All of a
 * document that ends up in a message goes through text_shown().
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/doc_impl.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const char *
type_name(struct node node)
{
	switch (json_typeof(node.value)) {
	case JSON_OBJECT:
		return node.doc->toml != NULL ? "a table" : "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
		return "null";
	}
	return "something else";
}

static int
fail_type(struct node node, const char *expected, struct bailey_error *err)
{
	return node_fail(node, BAILEY_E_INVALID, err, "expected %s, found %s", expected,
			 type_name(node));
}

/* "did you mean 'x'?" or "expected one of 'x', 'y', 'z'". */
static void
add_advice(struct strbuf *out, const char *word, const char *const names[], size_t count)
{
	const char *near = suggest(word, names, count);

	if (near != NULL) {
		strbuf_printf(out, "did you mean '%s'?", near);
		return;
	}
	if (count == 0) {
		strbuf_puts(out, "expected none");
		return;
	}
	strbuf_puts(out, count > 1 ? "expected one of " : "expected ");
	for (size_t i = 0; i < count; i++) {
		strbuf_printf(out, "%s'%s'", i > 0 ? ", " : "", names[i]);
	}
}

static bool
is_among(const char *name, const char *const names[], size_t count, size_t *at)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			*at = i;
			return true;
		}
	}
	return false;
}

static int
fail_unknown_key(struct node object, const char *key, const char *const keys[], size_t count,
		 struct bailey_error *err)
{
	AUTO_STRBUF advice = STRBUF_INIT;
	char shown[TEXT_SHOWN_MAX];

	add_advice(&advice, key, keys, count);
	return doc_fail_key(node_get(object, key), BAILEY_E_INVALID, err, "unknown key '%s'; %s",
			    text_shown(shown, key, strlen(key)), advice.text);
}

int
node_keys(struct node object, const char *const keys[], size_t count, struct bailey_error *err)
{
	json_t *members = object.value;
	size_t at;

	if (members == NULL) {
		return BAILEY_OK;
	}
	if (!json_is_object(members)) {
		return fail_type(object, object.doc->toml != NULL ? "a table" : "an object", err);
	}
	for (void *i = json_object_iter(members); i != NULL;
	     i = json_object_iter_next(members, i)) {
		const char *key = json_object_iter_key(i);

		if (!is_among(key, keys, count, &at)) {
			return fail_unknown_key(object, key, keys, count, err);
		}
	}
	return BAILEY_OK;
}

int
node_bool(struct node node, bool *out, struct bailey_error *err)
{
	if (node.value == NULL) {
		return BAILEY_OK;
	}
	if (!json_is_boolean(node.value)) {
		return fail_type(node, "true or false", err);
	}
	*out = json_is_true(node.value);
	return BAILEY_OK;
}

int
node_string(struct node node, const char **out, struct bailey_error *err)
{
	if (node.value == NULL) {
		return BAILEY_OK;
	}
	if (!json_is_string(node.value)) {
		return fail_type(node, "a string", err);
	}
	*out = json_string_value(node.value);
	return BAILEY_OK;
}

int
node_uint(struct node node, uint64_t max, uint64_t *out, struct bailey_error *err)
{
	json_int_t value;

	if (node.value == NULL) {
		return BAILEY_OK;
	}
	if (json_is_real(node.value)) {
		return node_fail(node, BAILEY_E_INVALID, err,
				 "expected a whole number, found a fraction");
	}
	if (!json_is_integer(node.value)) {
		return fail_type(node, "a number", err);
	}
	value = json_integer_value(node.value);
	if (value < 0 || (uint64_t)value > max) {
		return node_fail(node, BAILEY_E_INVALID, err,
				 "expected a number from 0 to %" PRIu64
				 ", found %" JSON_INTEGER_FORMAT,
				 max, value);
	}
	*out = (uint64_t)value;
	return BAILEY_OK;
}

int
node_enum(struct node node, const char *const names[], size_t count, size_t *out,
	  struct bailey_error *err)
{
	AUTO_STRBUF advice = STRBUF_INIT;
	char shown[TEXT_SHOWN_MAX];
	const char *word = NULL;
	int rc = node_string(node, &word, err);

	if (rc != BAILEY_OK || word == NULL || is_among(word, names, count, out)) {
		return rc;
	}
	add_advice(&advice, word, names, count);
	return node_fail(node, BAILEY_E_INVALID, err, "unknown value '%s'; %s",
			 text_shown(shown, word, strlen(word)), advice.text);
}

int
node_strings(struct node node, struct arena *arena, const char ***items, size_t *count,
	     struct bailey_error *err)
{
	const char **array;
	size_t n;

	if (node.value == NULL) {
		return BAILEY_OK;
	}
	if (!json_is_array(node.value)) {
		return fail_type(node, "an array of strings", err);
	}
	n = json_array_size(node.value);
	array = arena_array(arena, n, sizeof(*array));
	for (size_t i = 0; i < n && array != NULL; i++) {
		json_t *value = json_array_get(node.value, i);

		if (!json_is_string(value)) {
			return fail_type(node_at(node, i), "a string", err);
		}
		array[i] =
			arena_strndup(arena, json_string_value(value), json_string_length(value));
		if (array[i] == NULL) {
			array = NULL;
		}
	}
	if (array == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for an array of strings");
	}
	*items = array;
	*count = n;
	return BAILEY_OK;
}
