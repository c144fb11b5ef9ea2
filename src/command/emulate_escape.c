/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: backslash escapes as echo -e and printf know them.
 *
 * Invariants:
 *   - bash's builtins, the programs of coreutils and what sh may be differ: what is not the same in
 *     all that it may be is unknown
 *   - an escape that an unknown part may go on with is unknown
 */

#include "base/text.h"
#include "command/emulate_impl.h"

static bool
is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Digits at the escape; -1 when there are none, or when an unknown part may go on with them. */
static int64_t
escape_number(struct emulate_escape *e, int base, size_t digits)
{
	const struct emulate_text *text = e->text;
	size_t start = e->at;
	int64_t value = 0;

	while (e->at < text->len && e->at - start < digits &&
	       (unsigned)text_hex(text->text[e->at]) < (unsigned)base) {
		value = value * base + text_hex(text->text[e->at]);
		e->at++;
	}
	if (e->at == start ||
	    (e->at < text->len && e->at - start < digits && emulate_is_unknown(text, e->at))) {
		e->bad = true;
		return -1;
	}
	e->out->taint |= TAINT_DECODED;
	return value;
}

static void
put_value(struct emulate_escape *e, int64_t value)
{
	if (value >= 0) {
		emulate_put_byte(e->out, (char)(value & 0xff));
	}
}

static void
put_code(struct emulate_escape *e, size_t digits)
{
	int64_t code = escape_number(e, 16, digits);
	char bytes[4];

	/* What is not ASCII depends on the locale; coreutils takes no ASCII at all. */
	if (code < 0 || code >= 0x80 || e->flavour != FLAVOUR_BASH) {
		e->bad = true;
		return;
	}
	emulate_put(e->out, bytes, text_encode((uint32_t)code, bytes));
}

static void
put_octal(struct emulate_escape *e)
{
	bool zero = e->text->text[e->at] == '0';

	if (zero && e->place != IN_FORMAT) {
		e->at++;
		if (e->at >= e->text->len || !is_octal(e->text->text[e->at])) {
			e->bad = e->at < e->text->len && emulate_is_unknown(e->text, e->at);
			emulate_put_byte(e->out, '\0');
			return;
		}
	}
	put_value(e, escape_number(e, 8, 3));
}

/* \a and the like: the byte, or NUL when it is none of them. */
static char
letter_escape(const struct emulate_escape *e, char c)
{
	static const char letters[] = "abfnrtv\\";
	static const char values[] = "\a\b\f\n\r\t\v\\";
	const char *found = c == '\0' ? NULL : strchr(letters, c);

	if (found != NULL) {
		return values[found - letters];
	}
	if (e->place == IN_FORMAT && (c == '"' || c == '\'' || c == '?')) {
		return c;
	}
	return c == 'e' || (c == 'E' && e->flavour == FLAVOUR_BASH) ? '\x1b' : '\0';
}

static bool
is_octal_escape(const struct emulate_escape *e, char c)
{
	return c == '0' || (is_octal(c) && e->place != IN_ECHO);
}

/* What only some of the shells that sh may be know. */
static bool
differs_in_sh(const struct emulate_escape *e, char c)
{
	return e->flavour == FLAVOUR_SH &&
	       (strchr("xuUeEc\"'?", c) != NULL || (e->place == IN_VALUE && c >= '1' && c <= '7'));
}

void
emulate_put_escape(struct emulate_escape *e)
{
	char c = e->text->text[e->at];
	char letter = letter_escape(e, c);

	if (emulate_is_unknown(e->text, e->at) || c == '\0' || differs_in_sh(e, c)) {
		e->bad = true;
		return;
	}
	if (letter != '\0') {
		e->at++;
		emulate_put_byte(e->out, letter);
	} else if (is_octal_escape(e, c)) {
		put_octal(e);
	} else if (c == 'x') {
		e->at++;
		put_value(e, escape_number(e, 16, 2));
	} else if (c == 'u' || c == 'U') {
		e->at++;
		put_code(e, c == 'u' ? 4 : 8);
	} else if (c == 'c' && (e->place != IN_FORMAT || e->flavour != FLAVOUR_BASH)) {
		e->stop = true;
	} else if (e->flavour != FLAVOUR_BASH) {
		e->bad = true;
	} else {
		emulate_put_byte(e->out, '\\');
	}
}

void
emulate_put_escaped(struct emulate_escape *e)
{
	const struct emulate_text *text = e->text;

	while (e->at < text->len && !e->stop && !e->bad) {
		size_t start = e->at;

		if (text->text[e->at] == '\\' && e->at + 1 < text->len) {
			e->at++;
			emulate_put_escape(e);
			continue;
		}
		for (e->at++; e->at < text->len && text->text[e->at] != '\\';) {
			e->at++;
		}
		emulate_put_text(e->out, text, start, e->at);
	}
}
