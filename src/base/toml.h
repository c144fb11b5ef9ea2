/* SPDX-License-Identifier: MIT */
#ifndef BASE_TOML_H
#define BASE_TOML_H

/*
 * A reader of TOML 1.0.0. The result is a tree of plain structs in the caller's arena, with the
 * place in the text of every key and value.
 *
 * Invariants:
 *   - time and memory are linear in the length of the text, whatever the text
 *   - nesting is at most TOML_DEPTH_MAX, so whoever walks the tree may recurse
 *   - strings are well-formed UTF-8 and NUL-terminated, but may hold a NUL (as \u0000)
 */

#include "base/arena.h"

#include <bailey/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tables and arrays around each other, the root included. */
#define TOML_DEPTH_MAX 128

enum toml_type {
	TOML_STRING,
	TOML_INTEGER,
	TOML_FLOAT,
	TOML_BOOLEAN,
	TOML_OFFSET_DATETIME,
	TOML_LOCAL_DATETIME,
	TOML_LOCAL_DATE,
	TOML_LOCAL_TIME,
	TOML_ARRAY,
	TOML_TABLE,
};

struct toml_string {
	const char *text;
	size_t len;
};

/* Parts that the type does not have are 0. Digits behind nanoseconds are dropped. */
struct toml_time {
	uint16_t year;
	uint8_t month; /* from 1 */
	uint8_t day;   /* from 1 */
	uint8_t hour;
	uint8_t minute;
	uint8_t second; /* 60 is a leap second */
	uint32_t nanosecond;
	int16_t offset; /* minutes east of UTC */
};

struct toml_value {
	enum toml_type type;
	struct bailey_position at;
	union {
		struct toml_string string;
		int64_t integer;
		double real;
		bool boolean;
		struct toml_time time;
		struct toml_array *array;
		struct toml_table *table;
	};
};

struct toml_array {
	struct toml_value *items;
	size_t count;
	bool of_tables; /* for the reader: written as [[name]] */
};

struct toml_member {
	struct toml_string key;
	struct bailey_position at; /* of the key */
	struct toml_value value;
};

/* For the reader: how a table came to be, which decides what may still be added to it. */
enum toml_origin {
	TOML_SUPER,  /* named on the way to a table in a [header] */
	TOML_HEADER, /* by its own [header] */
	TOML_DOTTED, /* by a dotted key */
	TOML_INLINE, /* between braces: complete */
};

struct toml_table {
	struct toml_member *members; /* in the order of the text */
	size_t count;
	/* The rest is for the reader. Members are found by a tree over the bits of their keys. */
	struct toml_branch *branches;
	size_t branch_count;
	uint32_t top;
	unsigned int depth;
	enum toml_origin origin;
};

/*
 * Parses `text`, of which text[len] must be a NUL. `source` names it in errors. The tree keeps
 * nothing of either.
 */
int toml_parse(struct arena *arena, const char *source, const char *text, size_t len,
	       struct toml_table **root, struct bailey_error *err);

/* The member of that name, or NULL. */
struct toml_member *toml_find(const struct toml_table *table, const char *key, size_t len);

#define TOML_TIME_TEXT_MAX 48

/* A date or time in the form of RFC 3339, such as "1979-05-27T07:32:00.5+01:00". Returns `buf`. */
const char *toml_time_text(const struct toml_value *value, char buf[TOML_TIME_TEXT_MAX]);

#endif /* BASE_TOML_H */
