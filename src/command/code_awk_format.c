/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: awk's printf and sprintf.
 */

#include "command/code_awk.h"

#include <stdlib.h>

struct format {
	struct awk_eval *eval;
	struct emulate_out *out;
	struct emulate_text text;
	size_t at;
	size_t from; /* the arguments that are left: [from, to) */
	size_t to;
	bool more;
};

struct conversion {
	bool left;
	bool zero;
	size_t width;
	bool has_precision;
	size_t precision;
};

static bool
next_arg(struct format *f, struct awk_value *value)
{
	size_t end;

	if (!f->more) {
		return false;
	}
	end = awk_comma(f->eval->tokens, f->from, f->to);
	*value = awk_evaluate(f->eval, f->from, end);
	f->more = end < f->to;
	f->from = end + 1;
	return true;
}

static size_t
read_count(struct format *f)
{
	size_t count = 0;

	while (f->at < f->text.len && f->text.text[f->at] >= '0' && f->text.text[f->at] <= '9' &&
	       count < EMULATE_MAX) {
		count = count * 10 + (size_t)(f->text.text[f->at++] - '0');
	}
	return count;
}

static void
put_padded(struct format *f, const struct conversion *c, const struct emulate_text *text)
{
	size_t i;

	for (i = text->len; !c->left && i < c->width && !f->out->over; i++) {
		emulate_put_byte(f->out, c->zero ? '0' : ' ');
	}
	emulate_put_text(f->out, text, 0, text->len);
	for (i = text->len; c->left && i < c->width && !f->out->over; i++) {
		emulate_put_byte(f->out, ' ');
	}
}

static bool
put_char(struct format *f, const struct conversion *c, const struct awk_value *value)
{
	struct emulate_text text = value->text;
	char code = (char)(value->number & 0x7f);

	if (value->is_number) {
		if (value->number <= 0 || value->number >= 0x80) {
			return false;
		}
		f->eval->coded = true;
		text = (struct emulate_text){ .text = &code, .len = 1 };
	} else if (text.len == 0 || emulate_is_unknown(&text, 0) || text.text[0] < 0) {
		return false;
	}
	text.marks = NULL;
	text.len = 1;
	put_padded(f, c, &text);
	return true;
}

static bool
put_string(struct format *f, const struct conversion *c, const struct awk_value *value)
{
	struct emulate_text text = awk_text(f->eval, value);

	if (c->width > 0 || c->has_precision) {
		if (c->zero || !emulate_is_known(&text) || !emulate_is_ascii(text.text, text.len)) {
			return false;
		}
		text.marks = NULL;
	}
	if (c->has_precision && c->precision < text.len) {
		text.len = c->precision;
	}
	put_padded(f, c, &text);
	return true;
}

/* Whole numbers that are not negative, in any base. */
static bool
put_number(struct format *f, const struct conversion *c, const struct awk_value *value, char name)
{
	const char *digits = name == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	unsigned base = name == 'o' ? 8 : name == 'x' || name == 'X' ? 16 : 10;
	struct awk_value number = *value;
	struct emulate_text text;
	char spelled[24];
	size_t start = sizeof(spelled);
	uint64_t rest;

	if (!value->is_number) {
		char *end;

		text = value->text;
		if (!emulate_is_known(&text) || text.len == 0 || text.len > 15 ||
		    text.text[0] < '0' || text.text[0] > '9') {
			return false;
		}
		number.number = strtoll(text.text, &end, 10);
		if (end != text.text + text.len) {
			return false;
		}
	}
	if (number.number < 0 || c->has_precision) {
		return false;
	}
	rest = (uint64_t)number.number;
	do {
		spelled[--start] = digits[rest % base];
		rest /= base;
	} while (rest != 0);
	text = (struct emulate_text){ .text = spelled + start, .len = sizeof(spelled) - start };
	put_padded(f, c, &text);
	return true;
}

/* What stands behind a %. false: the rest is not known. */
static bool
put_conversion(struct format *f)
{
	struct conversion c = { .left = false };
	struct awk_value value;
	char name;

	for (; f->at < f->text.len && strchr("-0", f->text.text[f->at]) != NULL; f->at++) {
		c.left |= f->text.text[f->at] == '-';
		c.zero |= f->text.text[f->at] == '0';
	}
	c.zero = c.zero && !c.left;
	c.width = read_count(f);
	if (f->at < f->text.len && f->text.text[f->at] == '.') {
		f->at++;
		c.has_precision = true;
		c.precision = read_count(f);
	}
	if (f->at >= f->text.len || c.width > EMULATE_MAX) {
		return false;
	}
	name = f->text.text[f->at++];
	if (name == '%') {
		emulate_put_byte(f->out, '%');
		return c.width == 0 && !c.has_precision;
	}
	if (name == '\0' || strchr("csdiouxX", name) == NULL || !next_arg(f, &value)) {
		return false;
	}
	if (name == 'c') {
		return put_char(f, &c, &value);
	}
	return name == 's' ? put_string(f, &c, &value) : put_number(f, &c, &value, name);
}

void
awk_format(struct awk_eval *eval, size_t from, size_t to, struct emulate_out *out)
{
	struct format f = { .eval = eval, .out = out, .from = from, .to = to, .more = from < to };
	struct awk_value value;

	if (!next_arg(&f, &value)) {
		emulate_put_unknown(out);
		return;
	}
	f.text = awk_text(eval, &value);
	while (f.at < f.text.len && !out->over) {
		size_t start = f.at++;

		if (emulate_is_unknown(&f.text, start) ||
		    (f.text.text[start] == '%' && !put_conversion(&f))) {
			emulate_put_unknown(out);
			return;
		}
		if (f.text.text[start] != '%') {
			emulate_put_byte(out, f.text.text[start]);
		}
	}
}
