/* SPDX-License-Identifier: MIT */
/* The four kinds of TOML strings. A string is decoded into the scratch room and then copied. */
#include "base/toml_impl.h"

#include "base/text.h"

#include <string.h>

struct sink {
	char *text;
	size_t len;
};

static void
put(struct sink *sink, const char *text, size_t len)
{
	memcpy(sink->text + sink->len, text, len);
	sink->len += len;
}

static bool
hex_digit(char c, uint32_t *value)
{
	int digit = text_hex(c);

	if (digit < 0) {
		return false;
	}
	*value = *value << 4 | (uint32_t)digit;
	return true;
}

/* Behind "\u" or "\U". */
static int
read_code(struct toml_reader *reader, struct bailey_position at, size_t digits, struct sink *sink)
{
	uint32_t code = 0;
	char bytes[4];

	for (size_t i = 0; i < digits; i++) {
		if (!hex_digit(toml_peek(reader), &code)) {
			return toml_fail(reader, at,
					 "expected %zu hexadecimal digits behind '\\%c'", digits,
					 digits == 4 ? 'u' : 'U');
		}
		reader->pos++;
	}
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
		return toml_fail(reader, at, "expected a Unicode character, found U+%04X", code);
	}
	put(sink, bytes, text_encode(code, bytes));
	return BAILEY_OK;
}

/* A backslash at the end of a line: all white space up to the next other character goes. */
static bool
skip_folded_line(struct toml_reader *reader)
{
	size_t pos = reader->pos;

	pos += strspn(reader->text + pos, " \t");
	if (reader->text[pos] != '\n' && reader->text[pos] != '\r') {
		return false;
	}
	reader->pos = pos;
	while (toml_skip_line_end(reader)) {
		reader->pos += strspn(reader->text + reader->pos, " \t");
	}
	return true;
}

static int
read_escape(struct toml_reader *reader, bool multi_line, struct sink *sink)
{
	static const char names[] = "btnfr\"\\";
	static const char values[] = "\b\t\n\f\r\"\\";
	struct bailey_position at = toml_here(reader);
	const char *name;
	char c;

	reader->pos++;
	if (multi_line && skip_folded_line(reader)) {
		return BAILEY_OK;
	}
	c = toml_peek(reader);
	name = c != '\0' ? strchr(names, c) : NULL;
	if (c != 'u' && c != 'U' && name == NULL) {
		return toml_fail(
			reader, at,
			"expected one of b t n f r \" \\ u U behind a backslash; in single "
			"quotes a backslash stands for itself");
	}
	reader->pos++;
	if (name == NULL) {
		return read_code(reader, at, c == 'u' ? 4 : 8, sink);
	}
	put(sink, &values[name - names], 1);
	return BAILEY_OK;
}

/*
 * At a quote inside of a string. One that does not end it is taken as text. In a multi-line string
 * three quotes end it, and up to two more before these belong to the text.
 */
static bool
ends_here(struct toml_reader *reader, char quote, bool multi_line, struct sink *sink)
{
	size_t run = 1;

	if (!multi_line) {
		reader->pos++;
		return true;
	}
	while (run < 5 && reader->text[reader->pos + run] == quote) {
		run++;
	}
	put(sink, reader->text + reader->pos, run < 3 ? run : run - 3);
	reader->pos += run;
	return run >= 3;
}

static int
read_body(struct toml_reader *reader, char quote, bool multi_line, struct sink *sink)
{
	const char stops[] = { '\r', '\n', quote, quote == '"' ? '\\' : '\0', '\0' };
	struct bailey_position at = toml_here(reader);
	int rc = BAILEY_OK;

	reader->pos += multi_line ? 3 : 1;
	if (multi_line) {
		(void)toml_skip_line_end(reader);
	}
	while (rc == BAILEY_OK) {
		size_t plain = strcspn(reader->text + reader->pos, stops);
		char c;

		put(sink, reader->text + reader->pos, plain);
		reader->pos += plain;
		c = toml_peek(reader);
		if (c == '\0' || (!multi_line && c != quote && c != '\\')) {
			return toml_fail(reader, at,
					 multi_line
						 ? "expected three closing quotes %c%c%c"
						 : "expected a closing quote %c on the same line",
					 quote, quote, quote);
		}
		if (c == quote) {
			if (ends_here(reader, quote, multi_line, sink)) {
				break;
			}
		} else if (c == '\\') {
			rc = read_escape(reader, multi_line, sink);
		} else {
			(void)toml_skip_line_end(reader);
			put(sink, "\n", 1);
		}
	}
	return rc;
}

int
toml_read_string(struct toml_reader *reader, bool multi_line, struct toml_string *out)
{
	const char *start = reader->text + reader->pos;
	struct sink sink = { .text = reader->scratch };
	bool triple = multi_line && start[1] == start[0] && start[2] == start[0];
	int rc = read_body(reader, start[0], triple, &sink);

	if (rc != BAILEY_OK) {
		return rc;
	}
	out->text = arena_strndup(reader->arena, sink.text, sink.len);
	out->len = sink.len;
	return out->text != NULL ? BAILEY_OK : toml_no_memory(reader);
}
