/* SPDX-License-Identifier: MIT */
#ifndef BASE_DOC_IMPL_H
#define BASE_DOC_IMPL_H

/*
 * What a document is made of: shared by the files that implement base/doc.h, and by nobody else.
 *
 * A document lives in its own arena, the struct included. The arena is reached through a pointer
 * because paths of nodes are added to it while the document is only read; a document therefore
 * belongs to one thread at a time.
 */

#include "base/arena.h"
#include "base/doc.h"

#define DOC_DEPTH_MAX 128

struct toml_table;

struct doc {
	struct arena *arena;
	const char *source;
	const char *text; /* of JSON: where the places of values are looked up */
	size_t len;
	const struct toml_table *toml; /* of TOML: holds the places itself; NULL for JSON */
	json_t *root;
};

/* Parses doc->text into doc->root. */
int doc_json_parse(struct doc *doc, struct bailey_error *err);

/*
 * The place of the value at `pointer`, or of its key when `key`. Where there is no such value:
 * that of the innermost value around it that there is.
 */
struct bailey_position doc_json_place(const struct doc *doc, const char *pointer, bool key);

/* The same two for TOML. */
int doc_toml_parse(struct doc *doc, struct bailey_error *err);
struct bailey_position doc_toml_place(const struct doc *doc, const char *pointer, bool key);

/* One step along a pointer: does its first segment name `key`? `*rest` is what follows then. */
bool doc_pointer_names(const char *pointer, const char *key, size_t len, const char **rest);

/* The same for an element of an array. */
bool doc_pointer_is_index(const char *pointer, size_t index, const char **rest);

/* node_fail() at the key of the node instead of its value. */
int doc_fail_key(struct node node, enum bailey_status status, struct bailey_error *err,
		 const char *format, ...) BAILEY_PRINTF(4, 5);

#endif /* BASE_DOC_IMPL_H */
