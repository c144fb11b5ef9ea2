/* SPDX-License-Identifier: MIT */
/* The demands of check.h. */
#include "check.h"

#include "base/attr.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISITS_MAX 40
#define DEPTH_MAX 10

void
check_failed(const char *condition, const char *file, int line)
{
	(void)fprintf(stderr, "%s:%d: must hold: %s\n", file, line, condition);
	abort();
}

/* The offset of a place, which must be in the text or right behind it. */
static size_t
offset_of(struct bailey_position at, const char *text, size_t len)
{
	size_t offset = 0;

	MUST(at.line > 0 && at.column > 0);
	for (uint32_t line = 1; line < at.line; line++) {
		const char *end = memchr(text + offset, '\n', len - offset);

		MUST(end != NULL);
		offset = (size_t)(end - text) + 1;
	}
	MUST(at.column - 1 <= len - offset);
	return offset + at.column - 1;
}

void
check_error(const struct bailey_error *err, const char *text, size_t len)
{
	size_t length = strlen(err->message);

	MUST(err->status == BAILEY_E_SYNTAX || err->status == BAILEY_E_LIMIT);
	MUST(length > 0 && text_valid(err->message, length) == length);
	for (size_t i = 0; i < length; i++) {
		MUST((unsigned char)err->message[i] >= ' ' && err->message[i] != 0x7f);
	}
	(void)offset_of(err->at, text, len);
}

void
check_round_trip(const struct doc *doc)
{
	AUTO_FREE char *text = json_dumps(doc_root(doc).value, JSON_COMPACT);
	AUTO_DOC *again = NULL;
	struct bailey_error err = { 0 };

	MUST(text != NULL);
	MUST(doc_parse_json("dump", text, strlen(text), &again, &err) == 0);
	MUST(json_equal(doc_root(doc).value, doc_root(again).value) == 1);
}

struct visits {
	const char *text;
	size_t len;
	check_visit visit;
	unsigned int left;
};

static void
visit_node(struct visits *visits, struct node node, unsigned int depth)
{
	struct bailey_error err = { 0 };
	size_t i = 0;
	const char *key;
	json_t *value;

	if (visits->left == 0 || depth == DEPTH_MAX) {
		return;
	}
	visits->left--;
	(void)node_fail(node, BAILEY_E_INVALID, &err, "x");
	visits->visit(node, visits->text, offset_of(err.at, visits->text, visits->len));
	json_object_foreach(node.value, key, value)
	{
		struct node member = node_get(node, key);

		MUST(member.value == value);
		visit_node(visits, member, depth + 1);
	}
	json_array_foreach(node.value, i, value)
	{
		visit_node(visits, node_at(node, i), depth + 1);
	}
}

void
check_places(const struct doc *doc, const char *text, size_t len, check_visit visit)
{
	struct visits visits = { .text = text, .len = len, .visit = visit, .left = VISITS_MAX };

	visit_node(&visits, doc_root(doc), 0);
}
