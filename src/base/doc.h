/* SPDX-License-Identifier: MIT */
#ifndef BASE_DOC_H
#define BASE_DOC_H

/*
 * A structured document, whether it was written as JSON or TOML: a tree of jansson values, and for
 * each of them the place in the text it came from, so that an error about a value can point there.
 *
 * A value is named by its path from the root in the form of RFC 6901 (JSON Pointer), such as
 * "/writable_roots/0/root"; "" is the root.
 *
 * Ownership: the document owns the tree and a copy of what it needs of the text; everything that
 * is read out of it is borrowed until doc_free().
 */

#include <bailey/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text that is read. */
#define DOC_SIZE_MAX ((size_t)4 << 20)

struct doc;

/* Both refuse duplicate keys, NUL in strings, invalid UTF-8 and nesting deeper than 128. A TOML
 * date or time becomes a string. `source` names the input in errors. */
int doc_parse_json(const char *source, const char *text, size_t len, struct doc **out,
		   struct bailey_error *err);
int doc_parse_toml(const char *source, const char *text, size_t len, struct doc **out,
		   struct bailey_error *err);

/* Reads a file: as TOML when its name ends in ".toml", else as JSON. */
int doc_load(const char *path, struct doc **out, struct bailey_error *err);

void doc_free(struct doc *doc);

static inline void
doc_freep(struct doc **doc)
{
	doc_free(*doc);
}

#define AUTO_DOC __attribute__((cleanup(doc_freep))) struct doc

/*
 * A value of a document together with its path: what the readers below take and give. Small, to
 * be passed by value. `value` is NULL where the key is absent.
 */
struct node {
	const struct doc *doc;
	json_t *value;
	const char *path;
};

struct node doc_root(const struct doc *doc);

/* The member `key` of an object, or the element `index` of an array; value NULL when absent. */
struct node node_get(struct node object, const char *key);
struct node node_at(struct node array, size_t index);

/* Fails with the document's name and the value's line and column. Returns `status`. */
int node_fail(struct node node, enum bailey_status status, struct bailey_error *err,
	      const char *format, ...) BAILEY_PRINTF(4, 5);

/*
 * Is it an object, and are all its keys among `keys`? An unknown key is an error at its place that
 * names the nearest known key ("unknown key 'writeable_roots'; did you mean 'writable_roots'?")
 * or, when none is near, all of them.
 */
int node_keys(struct node object, const char *const keys[], size_t count, struct bailey_error *err);

/*
 * Typed readers. Each leaves `*out` alone when the value is absent (value NULL), so defaults are
 * set before the call, and fails with "expected a string, found a number" at the value's place.
 * node_uint refuses negative numbers, fractions and what is over `max`. Strings are borrowed.
 */
int node_bool(struct node node, bool *out, struct bailey_error *err);
int node_string(struct node node, const char **out, struct bailey_error *err);
int node_uint(struct node node, uint64_t max, uint64_t *out, struct bailey_error *err);
/* An index into `names`; an unknown name is an error with a suggestion. */
int node_enum(struct node node, const char *const names[], size_t count, size_t *out,
	      struct bailey_error *err);
/* An array of strings: `*items` is allocated in `arena`, the strings are copied into it. */
struct arena;
int node_strings(struct node node, struct arena *arena, const char ***items, size_t *count,
		 struct bailey_error *err);

/* The candidate nearest to `word` by edit distance, or NULL when none is near enough to mean. */
const char *suggest(const char *word, const char *const candidates[], size_t count);

#endif /* BASE_DOC_H */
