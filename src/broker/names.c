/* SPDX-License-Identifier: MIT */
#include "broker/names.h"

#include "base/attr.h"
#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#define SHORT_NAME_MAX 8U /* of VFAT, without its extension */

struct range {
	uint32_t first;
	uint32_t last;
};

/* Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt: a case-folding directory of
 * ext4 or f2fs looks names up without them (fs/unicode). HFS+ ignores a part of these. */
static const struct range ignored[] = {
	{ 0xAD, 0xAD },	      { 0x34F, 0x34F },	  { 0x61C, 0x61C },	{ 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },   { 0x180B, 0x180F }, { 0x200B, 0x200F },	{ 0x202A, 0x202E },
	{ 0x2060, 0x206F },   { 0x3164, 0x3164 }, { 0xFE00, 0xFE0F },	{ 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 },   { 0xFFF0, 0xFFF8 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE0FFF },
};

/* All that CaseFolding.txt (C and F) and the canonical decompositions turn into ASCII letters. */
static const struct {
	uint32_t code;
	const char *text;
} letters[] = {
	{ 0xDF, "ss" },	   { 0x17F, "s" },   { 0x1E9E, "ss" }, { 0x212A, "k" },
	{ 0xFB00, "ff" },  { 0xFB01, "fi" }, { 0xFB02, "fl" }, { 0xFB03, "ffi" },
	{ 0xFB04, "ffl" }, { 0xFB05, "st" }, { 0xFB06, "st" },
};

static bool
is_ignored(uint32_t code)
{
	for (size_t i = 0; i < COUNT_OF(ignored); i++) {
		if (code >= ignored[i].first && code <= ignored[i].last) {
			return true;
		}
	}
	return false;
}

static const char *
letters_of(uint32_t code)
{
	for (size_t i = 0; i < COUNT_OF(letters); i++) {
		if (letters[i].code == code) {
			return letters[i].text;
		}
	}
	return NULL;
}

/* Is there anything in the text that fold() would change? Hardly ever. */
static bool
is_odd(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		bool ends = i + 1 == len || text[i + 1] == '/';

		if (c >= 0x80 || c == '~' || c == ':' || (ends && (c == '.' || c == ' '))) {
			return true;
		}
	}
	return false;
}

/* The next character of a name, folded, to `out`, which moves on. Returns the bytes taken. */
static size_t
fold_one(const char *name, size_t len, char **out)
{
	uint32_t code = 0;
	size_t size = text_decode(name, len, &code);
	const char *text = size > 1 ? letters_of(code) : NULL;

	if (text != NULL) {
		memcpy(*out, text, strlen(text));
		*out += strlen(text);
		return size;
	}
	size = size > 0 ? size : 1;
	if (!is_ignored(code)) {
		memcpy(*out, name, size);
		*out += size;
	}
	return size;
}

/* One component into `out`, which has room for it and a NUL: folding makes nothing longer. Returns
 * the end of what was written. */
static char *
fold_component(const char *name, size_t len, char *out)
{
	const char *stream = memchr(name, ':', len);
	char *at = out;

	len = stream != NULL ? (size_t)(stream - name) : len;
	for (size_t i = 0; i < len;) {
		i += fold_one(name + i, len - i, &at);
	}
	while (at > out && (at[-1] == '.' || at[-1] == ' ')) {
		at--;
	}
	*at = '\0';
	return at;
}

/*
 * Could `name` be the short name that VFAT or NTFS gives to `known`? It begins with letters of it
 * (or with two, and four hexadecimal digits of a checksum) and ends with "~" and a number.
 */
static bool
is_short_name(const char *known, const char *name)
{
	const char *tilde = strchr(name, '~');
	size_t len = tilde != NULL ? (size_t)(tilde - name) : 0;

	known += strspn(known, ". ");
	if (len < 2 || len >= SHORT_NAME_MAX || !isdigit((unsigned char)tilde[1])) {
		return false;
	}
	if (len == 6 && strncasecmp(known, name, 2) == 0 &&
	    strspn(name + 2, "0123456789abcdefABCDEF") >= 4) {
		return true;
	}
	return strncasecmp(known, name, len) == 0;
}

static bool
is_same(const char *known, const char *name, size_t len)
{
	return strncasecmp(known, name, len) == 0 && known[len] == '\0';
}

/* As is_same(), by what the folded name is too. */
static bool
is_like(const char *known, const char *folded)
{
	return strcasecmp(known, folded) == 0 || is_short_name(known, folded);
}

bool
name_is_any_of(const struct strings *known, const char *name, size_t len)
{
	char folded[PATH_MAX];

	for (size_t i = 0; i < known->count; i++) {
		if (is_same(known->items[i], name, len)) {
			return true;
		}
	}
	if (!is_odd(name, len) || len >= sizeof(folded)) {
		return false;
	}
	(void)fold_component(name, len, folded);
	for (size_t i = 0; i < known->count; i++) {
		if (is_like(known->items[i], folded)) {
			return true;
		}
	}
	return false;
}

bool
name_is_git(const char *name, size_t len)
{
	static const char *git[] = { ".git" };
	static const struct strings only = { git, 1 };

	return name_is_any_of(&only, name, len);
}

bool
name_is_kept_git_part(const char *rest)
{
	char folded[PATH_MAX];
	char *at = folded;
	size_t len = strlen(rest);

	if (git_part_is_protected(PROTECT_GIT_HOOKS, rest)) {
		return true;
	}
	if (!is_odd(rest, len)) {
		return false;
	}
	if (len >= sizeof(folded)) {
		return true;
	}
	/* Git has no names with a tilde, so one with a number is not told apart further. */
	for (const char *tilde = strchr(rest, '~'); tilde != NULL; tilde = strchr(tilde + 1, '~')) {
		if (isdigit((unsigned char)tilde[1])) {
			return true;
		}
	}
	while (*rest != '\0') {
		size_t part = strcspn(rest, "/");

		at = fold_component(rest, part, at);
		rest += part + (rest[part] == '/');
		*at++ = '/';
	}
	at[-1] = '\0';
	return git_part_is_protected(PROTECT_GIT_HOOKS, folded);
}
