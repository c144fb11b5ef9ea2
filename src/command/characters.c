/* SPDX-License-Identifier: MIT */
/*
 * Characters that have no place in a command, wherever they stand: a person who looks at the text
 * does not see them, or sees something else than a shell does.
 */
#include "base/text.h"
#include "command/reader.h"

#include <string.h>

/* Control characters, blanks other than space, tab and newline, and what is not seen at all. */
static const struct {
	uint32_t first;
	uint32_t last;
} hidden[] = {
	{ 0x80, 0xa0 },	      { 0xad, 0xad },	  { 0x34f, 0x34f },	{ 0x61c, 0x61c },
	{ 0x115f, 0x1160 },   { 0x1680, 0x1680 }, { 0x17b4, 0x17b5 },	{ 0x180b, 0x180f },
	{ 0x2000, 0x200f },   { 0x2028, 0x202f }, { 0x205f, 0x206f },	{ 0x2800, 0x2800 },
	{ 0x3000, 0x3000 },   { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },	{ 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

/* Behind these a variation selector is usual: it says that they are shown as a picture. */
static bool
is_symbol(uint32_t code)
{
	return (code >= 0x203c && code <= 0x2bff && code != 0x2800) || code == 0x3030 ||
	       code == 0x303d || code == 0x3297 || code == 0x3299 || code == 0xa9 || code == 0xae ||
	       (code >= 0x1f000 && code <= 0x1faff);
}

static bool
is_hidden(uint32_t code, uint32_t before)
{
	if ((code == 0xfe0e || code == 0xfe0f) && is_symbol(before)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last) {
			return true;
		}
	}
	return false;
}

static bool
is_ordinary(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

/* The number of ordinary bytes from here on, or fewer: whole words of eight at a time. A byte is
 * not ordinary when it is below 0x20, is 0x7f, or has its highest bit set. */
static size_t
ordinary_run(const char *text, size_t len)
{
	const uint64_t ones = UINT64_MAX / 255;
	const uint64_t high = ones << 7;
	size_t pos = 0;

	while (len - pos >= sizeof(uint64_t)) {
		uint64_t word;
		uint64_t below;
		uint64_t del;

		memcpy(&word, text + pos, sizeof(word));
		below = (word - ones * 0x20) & ~word;
		del = word ^ ones * 0x7f;
		del = (del - ones) & ~del;
		if (((word | below | del) & high) != 0) {
			break;
		}
		pos += sizeof(word);
	}
	return pos;
}

size_t
characters_check(const char *text, size_t len, size_t *bad_len)
{
	uint32_t before = 0;
	size_t pos = 0;

	*bad_len = 1;
	while (pos < len) {
		uint32_t code = (unsigned char)text[pos];
		size_t n = ordinary_run(text + pos, len - pos);

		if (n == 0 && code < 0x80 && !is_ordinary((unsigned char)code)) {
			return pos;
		}
		if (n == 0 && code >= 0x80) {
			n = text_decode(text + pos, len - pos, &code);
			if (n == 0) {
				return pos;
			}
			if (is_hidden(code, before)) {
				*bad_len = n;
				return pos;
			}
		}
		before = code;
		pos += n > 0 ? n : 1;
	}
	return len;
}
