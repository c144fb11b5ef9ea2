/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Per length of a sequence: the bits of its first byte, and the least code point it may hold. */
static const struct {
	unsigned char mask;
	unsigned char mark;
	uint32_t least;
} forms[] = {
	{ 0x80, 0x00, 0 },
	{ 0xe0, 0xc0, 0x80 },
	{ 0xf0, 0xe0, 0x800 },
	{ 0xf8, 0xf0, 0x10000 },
};

#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))

static bool
is_scalar(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

size_t
text_decode(const char *text, size_t len, uint32_t *code)
{
	unsigned char first = len > 0 ? (unsigned char)text[0] : 0xff;
	size_t form = 0;
	uint32_t value;

	while (form < FORM_COUNT && (first & forms[form].mask) != forms[form].mark) {
		form++;
	}
	if (form == FORM_COUNT || form >= len) {
		return 0;
	}
	value = first & (unsigned char)~forms[form].mask;
	for (size_t i = 1; i <= form; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c & 0xc0) != 0x80) {
			return 0;
		}
		value = value << 6 | (c & 0x3f);
	}
	if (value < forms[form].least || !is_scalar(value)) {
		return 0;
	}
	*code = value;
	return form + 1;
}

size_t
text_encode(uint32_t code, char out[4])
{
	size_t form = FORM_COUNT - 1;

	while (form > 0 && code < forms[form].least) {
		form--;
	}
	for (size_t i = form; i > 0; i--) {
		out[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	out[0] = (char)(forms[form].mark | code);
	return form + 1;
}

size_t
text_valid(const char *text, size_t len)
{
	size_t pos = 0;

	while (pos < len) {
		uint32_t code;
		size_t n = text_decode(text + pos, len - pos, &code);

		if (n == 0) {
			return pos;
		}
		pos += n;
	}
	return len;
}

struct bailey_position
text_position(const char *text, size_t offset)
{
	uint32_t line = 1;
	size_t begin = 0;

	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			line++;
			begin = i + 1;
		}
	}
	return (struct bailey_position){ .line = line, .column = (uint32_t)(offset - begin + 1) };
}

/* Code points that would do something to a terminal or to the order or look of a message. */
static bool
is_plain(uint32_t code)
{
	static const struct {
		uint32_t first;
		uint32_t last;
	} hidden[] = {
		{ 0x00, 0x1f },	    { 0x7f, 0x9f },	  { 0xad, 0xad },     { 0x61c, 0x61c },
		{ 0x200b, 0x200f }, { 0x2028, 0x202e },	  { 0x2060, 0x206f }, { 0xfeff, 0xfeff },
		{ 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last) {
			return false;
		}
	}
	return true;
}

size_t
text_plain(const char *text, size_t len)
{
	uint32_t code = 0;
	size_t n = text_decode(text, len, &code);

	return n > 0 && is_plain(code) ? n : 0;
}

const char *
text_shown(char buf[TEXT_SHOWN_MAX], const char *text, size_t len)
{
	size_t used = 0;
	size_t pos = 0;

	while (pos < len) {
		size_t n = text_plain(text + pos, len - pos);
		size_t need = n > 0 ? n : 4;

		if (used + need + sizeof("...") > TEXT_SHOWN_MAX) {
			memcpy(buf + used, "...", 3);
			used += 3;
			break;
		}
		if (n > 0) {
			memcpy(buf + used, text + pos, n);
		} else {
			(void)snprintf(buf + used, 5, "\\x%02x", (unsigned char)text[pos]);
		}
		used += need;
		pos += n > 0 ? n : 1;
	}
	buf[used] = '\0';
	return buf;
}

int
text_hex(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c = (char)(c | ('a' - 'A'));
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int
text_base64(char c)
{
	if (c >= 'A' && c <= 'Z') {
		return c - 'A';
	}
	if (c >= 'a' && c <= 'z') {
		return c - 'a' + 26;
	}
	if (c >= '0' && c <= '9') {
		return c - '0' + 52;
	}
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}
