/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are a JSON document or an error that can be shown; a document survives being written
 * and read, and each of its values is where the document says it is.
 */
#include "check.h"

#include <string.h>

static void
visit(struct node node, const char *text, size_t offset)
{
	static const char *const starts[] = {
		[JSON_OBJECT] = "{",	     [JSON_ARRAY] = "[",
		[JSON_STRING] = "\"",	     [JSON_INTEGER] = "-0123456789",
		[JSON_REAL] = "-0123456789", [JSON_TRUE] = "t",
		[JSON_FALSE] = "f",	     [JSON_NULL] = "n",
	};

	MUST(text[offset] != '\0');
	MUST(strchr(starts[json_typeof(node.value)], text[offset]) != NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	AUTO_DOC *doc = NULL;
	struct bailey_error err = { 0 };

	if (doc_parse_json("fuzz", text, size, &doc, &err) != 0) {
		MUST(doc == NULL);
		check_error(&err, text, size);
		return 0;
	}
	MUST(err.status == BAILEY_OK);
	check_round_trip(doc);
	check_places(doc, text, size, visit);
	return 0;
}
