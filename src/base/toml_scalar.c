/* SPDX-License-Identifier: MIT */
/* TOML values of one word: numbers and booleans, and telling which kind a word is. */
#include "base/toml_impl.h"

#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define WORD_CHARS DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+-.:"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Copies the word without its underscores to `out`, NUL-terminated. False where an underscore has
 * not a digit of `digits` on both sides.
 */
static bool
strip(const char *word, size_t len, const char *digits, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (word[i] != '_') {
			out[n++] = word[i];
			continue;
		}
		if (i == 0 || i + 1 == len || strchr(digits, word[i - 1]) == NULL ||
		    strchr(digits, word[i + 1]) == NULL) {
			return false;
		}
	}
	out[n] = '\0';
	return true;
}

/* Takes a run of decimal digits. */
static bool
skip_digits(const char **at)
{
	size_t n = strspn(*at, DIGITS);

	*at += n;
	return n > 0;
}

/* A decimal integer, or a float: sign, digits without a leading zero, fraction, exponent. */
static bool
is_decimal(const char *at, bool *whole)
{
	*whole = true;
	at += *at == '+' || *at == '-' ? 1 : 0;
	if (at[0] == '0' && is_digit(at[1])) {
		return false;
	}
	if (!skip_digits(&at)) {
		return false;
	}
	if (*at == '.') {
		*whole = false;
		at++;
		if (!skip_digits(&at)) {
			return false;
		}
	}
	if (*at == 'e' || *at == 'E') {
		*whole = false;
		at++;
		at += *at == '+' || *at == '-' ? 1 : 0;
		if (!skip_digits(&at)) {
			return false;
		}
	}
	return *at == '\0';
}

enum outcome { IS_VALUE, IS_WRONG, IS_TOO_LARGE };

static enum outcome
accumulate(const char *at, unsigned int base, bool negative, int64_t *out)
{
	static const char digits[] = "0123456789abcdef";
	int64_t value = 0;

	for (; *at != '\0'; at++) {
		char c = (char)(*at >= 'A' && *at <= 'F' ? *at + ('a' - 'A') : *at);
		const char *digit = memchr(digits, c, base);
		int64_t step;

		if (digit == NULL) {
			return IS_WRONG;
		}
		step = negative ? -(digit - digits) : digit - digits;
		if (__builtin_mul_overflow(value, (int64_t)base, &value) ||
		    __builtin_add_overflow(value, step, &value)) {
			return IS_TOO_LARGE;
		}
	}
	*out = value;
	return IS_VALUE;
}

/* 0x, 0o and 0b. A prefix stands without a sign, and its letter is small. */
static enum outcome
read_prefixed(const char *word, size_t len, unsigned int base, char *scratch, int64_t *out)
{
	if (len < 3 || !strip(word + 2, len - 2, "0123456789abcdefABCDEF", scratch)) {
		return IS_WRONG;
	}
	return accumulate(scratch, base, false, out);
}

static enum outcome
read_float(const char *word, double *out)
{
	/* The host program may have set a locale with another decimal point. Of the C locale glibc
	 * has one that is there already, so this neither allocates nor fails. */
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	if (c == (locale_t)0) {
		return IS_WRONG;
	}
	*out = strtod_l(word, NULL, c);
	freelocale(c);
	return isinf(*out) ? IS_TOO_LARGE : IS_VALUE;
}

static bool
read_special(const char *word, size_t len, double *out)
{
	bool sign = len == 4 && (word[0] == '+' || word[0] == '-');
	const char *name = word + (sign ? 1 : 0);

	if (len != (sign ? 4 : 3) || (memcmp(name, "inf", 3) != 0 && memcmp(name, "nan", 3) != 0)) {
		return false;
	}
	*out = name[0] == 'i' ? HUGE_VAL : (double)NAN;
	*out = word[0] == '-' ? -*out : *out;
	return true;
}

static enum outcome
read_number(const char *word, size_t len, char *scratch, struct toml_value *out)
{
	static const struct {
		char letter;
		unsigned int base;
	} prefixes[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
	bool whole;
	char first;

	out->type = TOML_INTEGER;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (len > 1 && word[0] == '0' && word[1] == prefixes[i].letter) {
			return read_prefixed(word, len, prefixes[i].base, scratch, &out->integer);
		}
	}
	if (read_special(word, len, &out->real)) {
		out->type = TOML_FLOAT;
		return IS_VALUE;
	}
	if (!strip(word, len, DIGITS, scratch) || !is_decimal(scratch, &whole)) {
		return IS_WRONG;
	}
	if (!whole) {
		out->type = TOML_FLOAT;
		return read_float(scratch, &out->real);
	}
	first = scratch[0];
	return accumulate(scratch + (first == '+' || first == '-' ? 1 : 0), 10, first == '-',
			  &out->integer);
}

static bool
read_boolean(const char *word, size_t len, struct toml_value *out)
{
	out->type = TOML_BOOLEAN;
	out->boolean = len == 4;
	return (len == 4 && memcmp(word, "true", 4) == 0) ||
	       (len == 5 && memcmp(word, "false", 5) == 0);
}

/* The length of the word, with the time behind it when it is a date and a blank is in between. */
static size_t
word_length(const char *word)
{
	size_t len = strspn(word, WORD_CHARS);

	if (len == 10 && toml_is_time(word, len) && word[10] == ' ' && is_digit(word[11])) {
		len += 1 + strspn(word + 11, WORD_CHARS);
	}
	return len;
}

static int
fail_number(const struct toml_reader *reader, size_t len, enum outcome outcome)
{
	char shown[TEXT_SHOWN_MAX];
	const char *word = reader->text + reader->pos;
	bool number =
		is_digit(word[0]) || ((word[0] == '+' || word[0] == '-') && is_digit(word[1]));

	(void)text_shown(shown, word, len);
	if (outcome == IS_TOO_LARGE) {
		return toml_fail(reader, toml_here(reader),
				 "expected a number in range, found '%s'", shown);
	}
	if (number) {
		return toml_fail(reader, toml_here(reader),
				 "expected a number such as 10, 1_000, 0x1f or 2.5e3, found '%s'",
				 shown);
	}
	return toml_fail(reader, toml_here(reader),
			 "expected a value (text needs quotes), found '%s'", shown);
}

int
toml_read_scalar(struct toml_reader *reader, struct toml_value *out)
{
	const char *word = reader->text + reader->pos;
	size_t len = word_length(word);
	char shown[TEXT_SHOWN_MAX];
	enum outcome outcome = IS_VALUE;

	if (len == 0) {
		return toml_expected(reader, "a value");
	}
	if (toml_is_time(word, len)) {
		if (!toml_read_time(word, len, out)) {
			return toml_fail(reader, toml_here(reader),
					 "expected a date or time such as 1979-05-27T07:32:00Z, "
					 "found '%s'",
					 text_shown(shown, word, len));
		}
	} else if (!read_boolean(word, len, out)) {
		outcome = read_number(word, len, reader->scratch, out);
	}
	if (outcome != IS_VALUE) {
		return fail_number(reader, len, outcome);
	}
	reader->pos += len;
	return BAILEY_OK;
}
