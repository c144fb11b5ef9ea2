/* SPDX-License-Identifier: MIT */
/*
 * $'...': quoted text with escapes. It becomes one part. A NUL that is written as an escape ends
 * the text, as it does in bash.
 */
#include "base/text.h"
#include "command/reader.h"

#include <string.h>

struct ansi {
	const char *text; /* between the quotes */
	size_t len;
	size_t pos;
	char *out;
	size_t used;
	bool ended; /* a NUL was written */
	bool doubt; /* an escape that stands for no character */
};

static void
put(struct ansi *ansi, char c)
{
	if (c == '\0') {
		ansi->ended = true;
	} else if (!ansi->ended) {
		ansi->out[ansi->used++] = c;
	}
}

/* Up to `max` digits; the number of them. */
static unsigned
digits(struct ansi *ansi, unsigned max, unsigned base, uint32_t *value)
{
	unsigned count = 0;

	*value = 0;
	while (count < max && ansi->pos < ansi->len) {
		int digit = text_hex(ansi->text[ansi->pos]);

		if (digit < 0 || (unsigned)digit >= base) {
			break;
		}
		*value = *value * base + (unsigned)digit;
		ansi->pos++;
		count++;
	}
	return count;
}

/* \xHH and \x{H...} */
static void
put_hex(struct ansi *ansi)
{
	size_t start = ansi->pos;
	bool brace = start < ansi->len && ansi->text[start] == '{';
	uint32_t value;
	unsigned count;

	ansi->pos += brace ? 1 : 0;
	count = digits(ansi, brace ? 16 : 2, 16, &value);
	if (count == 0) {
		ansi->doubt = ansi->doubt || brace;
		ansi->pos = start;
		put(ansi, '\\');
		put(ansi, 'x');
		return;
	}
	if (brace && ansi->pos < ansi->len && ansi->text[ansi->pos] == '}') {
		ansi->pos++;
	} else if (brace) {
		ansi->doubt = true;
	}
	put(ansi, (char)(value & 0xff));
}

/* \uHHHH and \UHHHHHHHH */
static void
put_code(struct ansi *ansi, char letter)
{
	char bytes[4];
	uint32_t value;
	size_t n;

	if (digits(ansi, letter == 'u' ? 4 : 8, 16, &value) == 0) {
		put(ansi, '\\');
		put(ansi, letter);
		return;
	}
	if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
		ansi->doubt = true;
		return;
	}
	n = text_encode(value, bytes);
	for (size_t i = 0; i < n; i++) {
		put(ansi, bytes[i]);
	}
}

/* \cX: `\c\\` is a control character too. */
static void
put_control(struct ansi *ansi)
{
	unsigned char c;

	if (ansi->pos == ansi->len) {
		put(ansi, '\\');
		put(ansi, 'c');
		return;
	}
	c = (unsigned char)ansi->text[ansi->pos++];
	if (c == '\\' && ansi->pos < ansi->len && ansi->text[ansi->pos] == '\\') {
		ansi->pos++;
	}
	if (c >= 0x80) {
		ansi->doubt = true;
	}
	put(ansi, c == '?' ? 0x7f : (char)(c & 0x1f));
}

static void
put_escape(struct ansi *ansi)
{
	static const char letters[] = "abeEfnrtv\\'\"?";
	static const char values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	char c = ansi->text[ansi->pos++];
	const char *found = strchr(letters, c);
	uint32_t value;

	if (found != NULL) {
		put(ansi, values[found - letters]);
	} else if (c >= '0' && c <= '7') {
		ansi->pos--;
		(void)digits(ansi, 3, 8, &value);
		put(ansi, (char)(value & 0xff));
	} else if (c == 'x') {
		put_hex(ansi);
	} else if (c == 'u' || c == 'U') {
		put_code(ansi, c);
	} else if (c == 'c') {
		put_control(ansi);
	} else {
		put(ansi, '\\');
		put(ansi, c);
	}
}

/* The text without escapes; nothing grows by that. */
static void
decode(struct reader *r, struct part *part, uint32_t start, uint32_t end)
{
	struct ansi ansi = { .text = r->text + start, .len = end - start };

	ansi.out = rd_alloc(r, ansi.len + 1);
	if (ansi.out == NULL) {
		return;
	}
	while (ansi.pos < ansi.len) {
		char c = ansi.text[ansi.pos++];

		if (c == '\\' && ansi.pos < ansi.len) {
			put_escape(&ansi);
		} else {
			put(&ansi, c);
		}
	}
	if (ansi.doubt) {
		rd_doubt(r, "has an escape in $'...' that stands for no character", start, end);
	}
	part->text = ansi.out;
	part->len = ansi.used;
	part->exact = UINT32_MAX;
}

bool
rd_ansi(struct reader *r, struct parts *parts, bool soft)
{
	uint32_t start = r->pos;
	bool escapes = false;
	struct part *part;
	uint32_t pos;

	rd_next(r);
	pos = r->pos + 1;
	while (pos < r->end && r->text[pos] != '\'') {
		escapes = escapes || r->text[pos] == '\\';
		pos += r->text[pos] == '\\' ? 2 : 1;
	}
	if (pos >= r->end) {
		rd_fail(r, "has a ' without an end", start, start + 2);
		return false;
	}
	part = parts_text(r, parts, true, r->pos + 1, pos);
	if (part == NULL) {
		return false;
	}
	part->single = !soft;
	if (escapes) {
		decode(r, part, r->pos + 1, pos);
	}
	r->pos = pos + 1;
	part->span = (struct bailey_span){ start, r->pos };
	for (size_t i = 0; soft && !r->stopped && i < part->len; i++) {
		if (strchr("$`\"\\}'", part->text[i]) != NULL) {
			rd_doubt(r, "has $'...' inside of ${ in double quotes, whose text is live",
				 start, r->pos);
		}
	}
	return !r->stopped;
}
