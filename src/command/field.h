/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_FIELD_H
#define COMMAND_FIELD_H

/*
 * What a word is after expansion: a field, one argument as a program gets it, as far as it is
 * known. Unknown parts are one byte, FIELD_UNKNOWN, that stands for any text, none included.
 *
 * Invariants:
 *   - `marks` is NULL for a literal; otherwise it has one enum mark for each byte of `text`
 *   - `kind` follows from the marks: dynamic when any byte is MARK_UNKNOWN, else glob when any is
 *     MARK_GLOB, else literal
 *   - `text` ends in a NUL and holds none
 */

#include "base/arena.h"
#include "command/syntax.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELD_UNKNOWN '\x1a'

enum mark {
	MARK_LITERAL = 0,
	MARK_GLOB,    /* live * ? [ ] and the characters of an extglob pattern */
	MARK_UNKNOWN, /* the byte is FIELD_UNKNOWN */
};

/* Where unknown or secret text comes from. Also set on literal text that is secret or fetched. */
enum taint {
	TAINT_VARIABLE = 1, /* a variable that the text does not set */
	TAINT_OUTPUT = 2,   /* what a command prints */
	TAINT_INPUT = 4,    /* read from the standard input or the terminal */
	TAINT_FILE = 8,	    /* a file's content */
	TAINT_NETWORK = 16, /* came over the network */
	TAINT_SECRET = 32,  /* a key, a token, the environment */
	TAINT_DECODED = 64, /* went through a decoder */
};

struct field {
	const char *text;
	const uint8_t *marks;
	uint32_t len;
	enum bailey_word_kind kind;
	bool many;  /* any number of words, none included */
	bool tilde; /* starts with what was an unquoted ~: text begins with the home directory; or,
		     * in fields that come from code in other languages, still with the ~ itself */
	uint16_t taint; /* enum taint */
	const struct source *source;
	struct bailey_span span; /* in `source` */
	uint32_t exact; /* literal, and stands in the source from here; UINT32_MAX when not */
};

/* A literal field with the span of `like` (may be NULL). The text is copied unless it is static:
 * field_literal() copies, field_static() keeps the pointer. */
struct field field_literal(struct arena *arena, const char *text, size_t len,
			   const struct field *like);
struct field field_static(const char *text, const struct field *like);

/* A field that is wholly unknown. */
struct field field_unknown(uint16_t taint, bool many, const struct field *like);

/* The bytes [from, len) of a field; from = len gives an empty literal. */
struct field field_tail(struct arena *arena, const struct field *field, size_t from);

/* `a` followed by `b`, marks and taints kept. */
struct field field_join(struct arena *arena, const struct field *a, const struct field *b);

/* Is it literally `text`? */
bool field_is(const struct field *field, const char *text);

static inline bool
field_is_literal(const struct field *field)
{
	return field->kind == BAILEY_WORD_LITERAL && !field->many;
}

/* May it be several words, or none, when it stands for itself in a command? Names are not looked
 * up, so a pattern may be; also one that has unknown parts. */
bool field_is_several(const struct field *field);

/* The number of bytes in front that are literal. */
size_t field_known_prefix(const struct field *field);

/* ---- streams ------------------------------------------------------------------------------ */

/* What flows through a pipe, out of a substitution or into a file, as far as it is known: a text
 * as a field, without the limits of a word. An empty known stream is a literal of length 0. */
struct stream {
	struct field data;
	bool open; /* from outside: the terminal or whatever the caller has there */
	/* Not NULL: `data` is what is there when everything ran that may run, in one of its orders,
	 * and this is what is there when none of it did; what really is there may be another text
	 * still. Who judges code looks at both, and no word that is made of it is known. */
	const struct field *sure;
	/* All of it is known and holds NULs (compressed data): `data` is wholly unknown then. Only
	 * tools that are emulated look here. NULL: `data` says what is known. */
	const char *bytes;
	size_t byte_count;
};

struct stream stream_unknown(uint16_t taint);

#endif /* COMMAND_FIELD_H */
