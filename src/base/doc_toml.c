/* SPDX-License-Identifier: MIT */
/*
 * TOML for documents: the reader's tree is kept for the places of values, and turned into jansson
 * values, which is all that readers of a document see. What TOML can say and JSON cannot (NUL in
 * a string, infinity, "not a number") is refused.
 */
#include "base/doc_impl.h"
#include "base/toml.h"

#include <math.h>
#include <string.h>

static json_t *convert(const struct doc *doc, const struct toml_value *value,
		       struct bailey_error *err);

static int
fail_at(const struct doc *doc, struct bailey_position at, const char *what,
	struct bailey_error *err)
{
	return bailey_fail_at(err, BAILEY_E_SYNTAX, doc->source, at, "expected %s", what);
}

static json_t *
convert_table(const struct doc *doc, const struct toml_table *table, struct bailey_error *err)
{
	json_t *object = json_object();

	for (size_t i = 0; object != NULL && i < table->count; i++) {
		const struct toml_member *member = &table->members[i];
		json_t *value;

		if (memchr(member->key.text, '\0', member->key.len) != NULL) {
			(void)fail_at(doc, member->at, "a key without the character NUL", err);
			json_decref(object);
			return NULL;
		}
		value = convert(doc, &member->value, err);
		/* Takes the reference of `value` also when it fails. */
		if (value == NULL ||
		    json_object_set_new_nocheck(object, member->key.text, value) != 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *
convert_array(const struct doc *doc, const struct toml_array *items, struct bailey_error *err)
{
	json_t *array = json_array();

	for (size_t i = 0; array != NULL && i < items->count; i++) {
		json_t *value = convert(doc, &items->items[i], err);

		if (value == NULL || json_array_append_new(array, value) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* NULL without an error told: out of memory. The depth of the tree is bounded by the reader. */
static json_t *
convert(const struct doc *doc, const struct toml_value *value, struct bailey_error *err)
{
	char time[TOML_TIME_TEXT_MAX];

	switch (value->type) {
	case TOML_STRING:
		if (memchr(value->string.text, '\0', value->string.len) != NULL) {
			(void)fail_at(doc, value->at, "a string without the character NUL", err);
			return NULL;
		}
		return json_stringn_nocheck(value->string.text, value->string.len);
	case TOML_INTEGER:
		return json_integer(value->integer);
	case TOML_FLOAT:
		if (!isfinite(value->real)) {
			(void)fail_at(doc, value->at, "a finite number", err);
			return NULL;
		}
		return json_real(value->real);
	case TOML_BOOLEAN:
		return json_boolean(value->boolean);
	case TOML_OFFSET_DATETIME:
	case TOML_LOCAL_DATETIME:
	case TOML_LOCAL_DATE:
	case TOML_LOCAL_TIME:
		return json_string_nocheck(toml_time_text(value, time));
	case TOML_ARRAY:
		return convert_array(doc, value->array, err);
	case TOML_TABLE:
		return convert_table(doc, value->table, err);
	}
	return NULL;
}

int
doc_toml_parse(struct doc *doc, struct bailey_error *err)
{
	struct bailey_error local = { 0 };
	struct toml_table *root = NULL;
	int rc = toml_parse(doc->arena, doc->source, doc->text, doc->len, &root, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	doc->toml = root;
	doc->root = convert_table(doc, root, &local);
	if (doc->root != NULL) {
		return BAILEY_OK;
	}
	if (local.status == BAILEY_OK) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for '%s'", doc->source);
	}
	return bailey_fail_at(err, local.status, doc->source, local.at, "%s", local.message);
}

/* One step from `value` along `pointer`. */
static const struct toml_value *
child(const struct toml_value *value, const char *pointer, const char **rest,
      struct bailey_position *key)
{
	if (value->type == TOML_TABLE) {
		for (size_t i = 0; i < value->table->count; i++) {
			const struct toml_member *member = &value->table->members[i];

			if (doc_pointer_names(pointer, member->key.text, member->key.len, rest)) {
				*key = member->at;
				return &member->value;
			}
		}
	}
	for (size_t i = 0; value->type == TOML_ARRAY && i < value->array->count; i++) {
		if (doc_pointer_is_index(pointer, i, rest)) {
			*key = value->array->items[i].at;
			return &value->array->items[i];
		}
	}
	return NULL;
}

struct bailey_position
doc_toml_place(const struct doc *doc, const char *pointer, bool key)
{
	struct toml_table table = *doc->toml; /* a value wants one that is not const */
	const struct toml_value root = { .type = TOML_TABLE, .at = { 1, 1 }, .table = &table };
	struct bailey_position key_at = root.at;
	const struct toml_value *value = &root;

	while (*pointer != '\0') {
		const struct toml_value *next = child(value, pointer, &pointer, &key_at);

		if (next == NULL) {
			return value->at;
		}
		value = next;
	}
	return key ? key_at : value->at;
}
