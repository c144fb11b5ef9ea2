/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are a TOML document or an error that can be shown; a document survives being written
 * as JSON and read back, and each of its values is where the document says it is.
 */
#include "check.h"

#include "base/toml.h"

#include <string.h>

/* A table may begin at its key. A date is a string that begins with a digit. */
static void
visit(struct node node, const char *text, size_t offset)
{
	static const char *const starts[] = {
		[JSON_ARRAY] = "[",
		[JSON_STRING] = "\"'0123456789",
		[JSON_INTEGER] = "+-0123456789",
		[JSON_REAL] = "+-0123456789",
		[JSON_TRUE] = "t",
		[JSON_FALSE] = "f",
	};
	json_type type = json_typeof(node.value);
	bool of_tables = type == JSON_ARRAY && json_is_object(json_array_get(node.value, 0));

	MUST(type != JSON_NULL);
	if (type != JSON_OBJECT && !of_tables) {
		MUST(text[offset] != '\0' && strchr(starts[type], text[offset]) != NULL);
	}
}

/* Every member is found by its key, so no key can be there twice. Depth is bounded by the reader.
 */
static void
check_members(const struct toml_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct toml_member *member = &table->members[i];

		MUST(toml_find(table, member->key.text, member->key.len) == member);
		if (member->value.type == TOML_TABLE) {
			check_members(member->value.table);
		}
	}
}

static void
check_tree(const char *text, size_t len)
{
	AUTO_ARENA arena = { 0 };
	struct toml_table *root = NULL;
	char *copy = arena_strndup(&arena, text, len);

	if (toml_parse(&arena, "fuzz", copy, len, &root, NULL) == 0) {
		check_members(root);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	AUTO_DOC *doc = NULL;
	struct bailey_error err = { 0 };

	check_tree(text, size);
	if (doc_parse_toml("fuzz", text, size, &doc, &err) != 0) {
		MUST(doc == NULL);
		check_error(&err, text, size);
		return 0;
	}
	MUST(err.status == BAILEY_OK);
	check_round_trip(doc);
	check_places(doc, text, size, visit);
	return 0;
}
