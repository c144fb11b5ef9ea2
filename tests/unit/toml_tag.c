/* SPDX-License-Identifier: MIT */
/* Writing and comparing the tagged JSON of the toml-test suite. */
#include "toml_tag.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum toml_type. */
static const char *const type_names[] = {
	"string",	  "integer",	"float",      "bool",  "datetime",
	"datetime-local", "date-local", "time-local", "array", "table",
};

static json_t *
must(json_t *json)
{
	if (json == NULL) {
		abort();
	}
	return json;
}

static json_t *
scalar_text(const struct toml_value *value)
{
	char text[TOML_TIME_TEXT_MAX] = "";

	switch (value->type) {
	case TOML_STRING:
		return json_stringn(value->string.text, value->string.len);
	case TOML_INTEGER:
		(void)snprintf(text, sizeof(text), "%" PRId64, value->integer);
		break;
	case TOML_FLOAT:
		(void)snprintf(text, sizeof(text), "%.17g", value->real);
		break;
	case TOML_BOOLEAN:
		(void)snprintf(text, sizeof(text), "%s", value->boolean ? "true" : "false");
		break;
	case TOML_OFFSET_DATETIME:
	case TOML_LOCAL_DATETIME:
	case TOML_LOCAL_DATE:
	case TOML_LOCAL_TIME:
		(void)toml_time_text(value, text);
		break;
	case TOML_ARRAY:
	case TOML_TABLE:
		abort();
	}
	return json_string(text);
}

json_t *
toml_tag_table(const struct toml_table *table)
{
	json_t *object = must(json_object());

	for (size_t i = 0; i < table->count; i++) {
		const struct toml_member *member = &table->members[i];

		if (json_object_setn_new(object, member->key.text, member->key.len,
					 toml_tag(&member->value)) != 0) {
			abort();
		}
	}
	return object;
}

json_t *
toml_tag(const struct toml_value *value)
{
	json_t *json;

	if (value->type == TOML_TABLE) {
		return toml_tag_table(value->table);
	}
	if (value->type == TOML_ARRAY) {
		json = must(json_array());
		for (size_t i = 0; i < value->array->count; i++) {
			if (json_array_append_new(json, toml_tag(&value->array->items[i])) != 0) {
				abort();
			}
		}
		return json;
	}
	json = must(json_object());
	if (json_object_set_new(json, "type", json_string(type_names[value->type])) != 0 ||
	    json_object_set_new(json, "value", must(scalar_text(value))) != 0) {
		abort();
	}
	return json;
}

static bool
same_number(const char *a, const char *b)
{
	double x = strtod(a, NULL);
	double y = strtod(b, NULL);

	return (isnan(x) && isnan(y)) || (x <= y && x >= y);
}

/* Copies a time without zeros at the end of its fraction, and with Z for an offset of nothing. */
static void
normal_time(const char *text, char out[TOML_TIME_TEXT_MAX])
{
	size_t whole = strcspn(text, ".");
	size_t digits = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	const char *zone = text + whole + (digits > 0 ? digits + 1 : 0);

	while (digits > 0 && text[whole + digits] == '0') {
		digits--;
	}
	(void)snprintf(out, TOML_TIME_TEXT_MAX, "%.*s%s",
		       (int)(digits > 0 ? whole + 1 + digits : whole), text,
		       strcmp(zone, "+00:00") == 0 ? "Z" : zone);
}

static bool
same_time(const char *a, const char *b)
{
	char normal_a[TOML_TIME_TEXT_MAX];
	char normal_b[TOML_TIME_TEXT_MAX];

	normal_time(a, normal_a);
	normal_time(b, normal_b);
	return strcmp(normal_a, normal_b) == 0;
}

static bool
is_leaf(json_t *json)
{
	return json_object_size(json) == 2 && json_is_string(json_object_get(json, "type")) &&
	       json_is_string(json_object_get(json, "value"));
}

static bool
same_leaf(json_t *a, json_t *b)
{
	const char *type = json_string_value(json_object_get(a, "type"));
	json_t *x = json_object_get(a, "value");
	json_t *y = json_object_get(b, "value");

	if (!is_leaf(b) || strcmp(type, json_string_value(json_object_get(b, "type"))) != 0) {
		return false;
	}
	if (strcmp(type, "float") == 0) {
		return same_number(json_string_value(x), json_string_value(y));
	}
	if (strncmp(type, "date", 4) == 0 || strncmp(type, "time", 4) == 0) {
		return same_time(json_string_value(x), json_string_value(y));
	}
	return json_equal(x, y) == 1;
}

bool
toml_tag_equal(json_t *a, json_t *b)
{
	const char *key;
	size_t len;
	size_t i;
	json_t *value;

	if (is_leaf(a)) {
		return same_leaf(a, b);
	}
	if (json_typeof(a) != json_typeof(b) || json_object_size(a) != json_object_size(b) ||
	    json_array_size(a) != json_array_size(b)) {
		return false;
	}
	json_object_keylen_foreach(a, key, len, value)
	{
		json_t *other = json_object_getn(b, key, len);

		if (other == NULL || !toml_tag_equal(value, other)) {
			return false;
		}
	}
	json_array_foreach(a, i, value)
	{
		if (!toml_tag_equal(value, json_array_get(b, i))) {
			return false;
		}
	}
	return true;
}
