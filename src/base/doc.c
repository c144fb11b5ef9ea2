/* SPDX-License-Identifier: MIT */
/*
 * Documents and the way through them: making, loading and freeing one, nodes and their paths, and
 * errors at a node's place. What is particular to JSON is in doc_json.c, to TOML in doc_toml.c;
 * the typed readers are in doc_read.c.
 */
#include "base/doc_impl.h"

#include "base/fd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The arena holds the document, which holds the arena: see doc_free(). */
static struct doc *
new_doc(const char *source)
{
	struct arena arena = { 0 };
	struct doc *doc = arena_alloc(&arena, sizeof(*doc));
	char *name = arena_strdup(&arena, source);
	struct arena *home = arena_alloc(&arena, sizeof(arena));

	if (doc == NULL || name == NULL || home == NULL) {
		arena_finish(&arena);
		return NULL;
	}
	doc->source = name;
	doc->arena = home;
	*doc->arena = arena;
	return doc;
}

void
doc_free(struct doc *doc)
{
	struct arena arena;

	if (doc == NULL) {
		return;
	}
	json_decref(doc->root);
	arena = *doc->arena;
	arena_finish(&arena);
}

typedef int (*parse_fn)(struct doc *doc, struct bailey_error *err);

static int
parse(const char *source, const char *text, size_t len, parse_fn parse_text, struct doc **out,
      struct bailey_error *err)
{
	AUTO_DOC *doc = new_doc(source);
	int rc;

	if (len > DOC_SIZE_MAX) {
		return bailey_fail(err, BAILEY_E_LIMIT, "'%s' is longer than %zu bytes", source,
				   DOC_SIZE_MAX);
	}
	if (doc != NULL) {
		doc->text = arena_strndup(doc->arena, text, len);
		doc->len = len;
	}
	if (doc == NULL || doc->text == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for '%s'", source);
	}
	rc = parse_text(doc, err);
	if (rc == BAILEY_OK) {
		*out = doc;
		doc = NULL;
	}
	return rc;
}

int
doc_parse_json(const char *source, const char *text, size_t len, struct doc **out,
	       struct bailey_error *err)
{
	return parse(source, text, len, doc_json_parse, out, err);
}

int
doc_parse_toml(const char *source, const char *text, size_t len, struct doc **out,
	       struct bailey_error *err)
{
	return parse(source, text, len, doc_toml_parse, out, err);
}

int
doc_load(const char *path, struct doc **out, struct bailey_error *err)
{
	AUTO_DOC *doc = new_doc(path);
	const char *dot = strrchr(path, '.');
	bool toml = dot != NULL && strcmp(dot, ".toml") == 0;
	char *text = NULL;
	int rc;

	if (doc == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for '%s'", path);
	}
	rc = read_file(doc->arena, path, DOC_SIZE_MAX, &text, &doc->len, err);
	if (rc != BAILEY_OK) {
		return rc;
	}
	doc->text = text;
	rc = toml ? doc_toml_parse(doc, err) : doc_json_parse(doc, err);
	if (rc == BAILEY_OK) {
		*out = doc;
		doc = NULL;
	}
	return rc;
}

struct node
doc_root(const struct doc *doc)
{
	return (struct node){ .doc = doc, .value = doc->root, .path = "" };
}

/* Appends "/" and `key` in the notation of a pointer. Out of memory it stays at `parent`, which
 * makes a later error less exact and nothing else. */
static const char *
extend(const struct doc *doc, const char *parent, const char *key)
{
	size_t have = strlen(parent);
	char *path = arena_alloc(doc->arena, have + 2 * strlen(key) + 2);
	char *to;

	if (path == NULL) {
		return parent;
	}
	memcpy(path, parent, have + 1);
	to = path + have;
	*to++ = '/';
	for (; *key != '\0'; key++) {
		if (*key == '~' || *key == '/') {
			*to++ = '~';
			*to++ = *key == '~' ? '0' : '1';
		} else {
			*to++ = *key;
		}
	}
	*to = '\0';
	return path;
}

struct node
node_get(struct node object, const char *key)
{
	return (struct node){
		.doc = object.doc,
		.value = json_object_get(object.value, key),
		.path = extend(object.doc, object.path, key),
	};
}

struct node
node_at(struct node array, size_t index)
{
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "%zu", index);
	return (struct node){
		.doc = array.doc,
		.value = json_array_get(array.value, index),
		.path = extend(array.doc, array.path, digits),
	};
}

bool
doc_pointer_names(const char *pointer, const char *key, size_t len, const char **rest)
{
	const char *at = pointer + 1;

	if (pointer[0] != '/') {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		char c = *at;

		if (c == '~') {
			c = *++at == '0' ? '~' : '/';
		} else if (c == '/' || c == '\0') {
			return false;
		}
		if (c != key[i]) {
			return false;
		}
		at++;
	}
	if (*at != '/' && *at != '\0') {
		return false;
	}
	*rest = at;
	return true;
}

bool
doc_pointer_is_index(const char *pointer, size_t index, const char **rest)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%zu", index);

	return n > 0 && doc_pointer_names(pointer, digits, (size_t)n, rest);
}

static int fail(struct node node, bool key, enum bailey_status status, struct bailey_error *err,
		const char *format, va_list args) BAILEY_PRINTF(5, 0);

static int
fail(struct node node, bool key, enum bailey_status status, struct bailey_error *err,
     const char *format, va_list args)
{
	char message[BAILEY_ERROR_MESSAGE_MAX + 1]; /* one more: a cut must show as a cut */
	struct bailey_position at;

	if (err == NULL || err->status != BAILEY_OK) {
		return status;
	}
	at = node.doc->toml != NULL ? doc_toml_place(node.doc, node.path, key)
				    : doc_json_place(node.doc, node.path, key);
	if (vsnprintf(message, sizeof(message), format, args) < 0) {
		message[0] = '\0';
	}
	return bailey_fail_at(err, status, node.doc->source, at, "%s", message);
}

int
node_fail(struct node node, enum bailey_status status, struct bailey_error *err, const char *format,
	  ...)
{
	va_list args;

	va_start(args, format);
	(void)fail(node, false, status, err, format, args);
	va_end(args);
	return status;
}

int
doc_fail_key(struct node node, enum bailey_status status, struct bailey_error *err,
	     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)fail(node, true, status, err, format, args);
	va_end(args);
	return status;
}
