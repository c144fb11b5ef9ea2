/* SPDX-License-Identifier: MIT */
#ifndef BASE_TOML_IMPL_H
#define BASE_TOML_IMPL_H

/*
 * The inside of the TOML reader: toml.c reads documents, tables, keys and containers,
 * toml_string.c strings, toml_scalar.c numbers and booleans, toml_time.c dates and times,
 * toml_table.c finds and adds members.
 *
 * Before anything is parsed, the whole text was found to be UTF-8 without control characters
 * other than tab and line ends, so what comes after need not look for them. A NUL ends the text:
 * text[len] may be read.
 */

#include "base/toml.h"

struct toml_reader {
	struct arena *arena;
	const char *source;
	const char *text;
	size_t len;
	size_t pos;
	uint32_t line;
	size_t line_start;
	char *scratch; /* room for `len` bytes: what is decoded is never longer than as written */
	struct toml_table *root;
	struct toml_table *table; /* of the header that was last */
	struct bailey_error *err;
};

/* toml.c: places and errors. */
struct bailey_position toml_here(const struct toml_reader *reader);
int toml_fail(const struct toml_reader *reader, struct bailey_position at, const char *format, ...)
	BAILEY_PRINTF(3, 4);
/* "expected `what`, found ..." with what is at the reader's position. */
int toml_expected(const struct toml_reader *reader, const char *what);
int toml_no_memory(const struct toml_reader *reader);

/* The byte at the position, NUL at the end. */
static inline char
toml_peek(const struct toml_reader *reader)
{
	return reader->text[reader->pos];
}

bool toml_skip_line_end(struct toml_reader *reader);

/* toml_string.c: at the opening quote. */
int toml_read_string(struct toml_reader *reader, bool multi_line, struct toml_string *out);

/* toml_scalar.c: a number, boolean, date or time. */
int toml_read_scalar(struct toml_reader *reader, struct toml_value *out);

/*
 * toml_time.c: does the token look like a date or time (then it is nothing else)? And the value of
 * one; false when it has not the form, or some part is out of range.
 */
bool toml_is_time(const char *token, size_t len);
bool toml_read_time(const char *token, size_t len, struct toml_value *out);

/*
 * toml_table.c: adds a member, whose value is zeroed, and returns it. NULL with `*old` set: there
 * is one of that name. NULL without: out of memory. The key is copied.
 */
struct toml_member *toml_add(struct arena *arena, struct toml_table *table,
			     const struct toml_string *key, struct toml_member **old);

#endif /* BASE_TOML_IMPL_H */
