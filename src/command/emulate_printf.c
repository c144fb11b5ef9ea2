/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: printf, bash's builtin and the others.
 * Invariant: what printf would complain about is unknown, and so is everything behind it.
 */

#include "command/emulate_impl.h"

#include <stdlib.h>

struct conversion {
	bool left, plus, space, zero, sharp;
	size_t width;
	bool has_precision;
	size_t precision;
	char name;
};

struct format {
	struct emulate_out *out;
	enum flavour flavour;
	struct emulate_text text; /* the format */
	size_t at;
	const struct field *args;
	size_t count;
	size_t used;
	bool stop;
	bool bad; /* the rest is not known */
};

static const struct field *
next_arg(struct format *f)
{
	static const struct field none = { .text = "" };
	const struct field *arg = f->used < f->count ? &f->args[f->used] : &none;

	f->used++;
	f->out->taint |= arg->taint;
	if (field_is_several(arg)) {
		f->bad = true;
		return &none;
	}
	return arg;
}

/* An integer as printf reads it; false: one that it complains about, or none. */
static bool
arg_number(const struct field *arg, int64_t *number)
{
	const char *text = arg->text;
	char *end;

	*number = 0;
	if (!field_is_literal(arg)) {
		return false;
	}
	if (text[0] == '\'' || text[0] == '"') {
		*number = (unsigned char)text[1];
		return text[1] > 0;
	}
	if (text[0] == '\0') {
		return true;
	}
	if (arg->len > 18) {
		return false;
	}
	*number = strtoll(text, &end, 0);
	return *end == '\0';
}

/* A number or * in a conversion. */
static bool
read_count(struct format *f, size_t *count, bool *negative)
{
	int64_t number = 0;

	*negative = false;
	if (f->at < f->text.len && f->text.text[f->at] == '*') {
		f->at++;
		if (!arg_number(next_arg(f), &number)) {
			return false;
		}
		*negative = number < 0;
		number = number < 0 ? -number : number;
	}
	while (f->at < f->text.len && f->text.text[f->at] >= '0' && f->text.text[f->at] <= '9') {
		number = number * 10 + (f->text.text[f->at++] - '0');
		if (number > (int64_t)EMULATE_MAX) {
			return false;
		}
	}
	*count = (size_t)number;
	return number <= (int64_t)EMULATE_MAX;
}

static void
read_conversion_flags(struct format *f, struct conversion *c)
{
	for (; f->at < f->text.len; f->at++) {
		switch (f->text.text[f->at]) {
		case '-':
			c->left = true;
			break;
		case '+':
			c->plus = true;
			break;
		case ' ':
			c->space = true;
			break;
		case '0':
			c->zero = true;
			break;
		case '#':
			c->sharp = true;
			break;
		default:
			return;
		}
	}
}

/* What stands behind a %. */
static bool
read_conversion(struct format *f, struct conversion *c)
{
	bool negative;

	read_conversion_flags(f, c);
	if (!read_count(f, &c->width, &negative)) {
		return false;
	}
	c->left |= negative;
	if (f->at < f->text.len && f->text.text[f->at] == '.') {
		f->at++;
		c->has_precision = true;
		if (!read_count(f, &c->precision, &negative) || negative) {
			return false;
		}
	}
	while (f->at < f->text.len && f->text.text[f->at] != '\0' &&
	       strchr("hlLjzt", f->text.text[f->at]) != NULL && f->flavour != FLAVOUR_SH) {
		f->at++;
	}
	if (f->at >= f->text.len) {
		return false;
	}
	c->name = f->text.text[f->at++];
	return true;
}

static void
put_padding(struct format *f, size_t width, size_t len)
{
	size_t i;

	for (i = len; i < width && !f->out->over; i++) {
		emulate_put_byte(f->out, ' ');
	}
}

static void
put_padded(struct format *f, const struct conversion *c, const struct emulate_text *text)
{
	size_t len = text->len;

	if (c->width == 0 && !c->has_precision) {
		emulate_put_text(f->out, text, 0, len);
		return;
	}
	if (text->marks != NULL || !emulate_is_ascii(text->text, len)) {
		f->bad = true;
		return;
	}
	if (c->has_precision && c->precision < len) {
		len = c->precision;
	}
	put_padding(f, c->left ? 0 : c->width, len);
	emulate_put_text(f->out, text, 0, len);
	put_padding(f, c->left ? c->width : 0, len);
}

static void
put_string(struct format *f, const struct conversion *c)
{
	const struct field *arg = next_arg(f);
	struct emulate_text text = emulate_field(arg);

	put_padded(f, c, &text);
}

static void
put_char(struct format *f, const struct conversion *c)
{
	const struct field *arg = next_arg(f);
	struct emulate_text text = { .text = arg->text, .len = 1 };

	if (f->bad || c->has_precision || (arg->len == 0 && c->width > 0) || arg->text[0] < 0 ||
	    (arg->len > 0 && field_known_prefix(arg) == 0)) {
		f->bad = true;
		return;
	}
	put_padded(f, c, &text); /* without an argument it is a NUL */
}

static void
put_value(struct format *f, const struct conversion *c)
{
	const struct field *arg = next_arg(f);
	struct emulate_text text = emulate_field(arg);
	struct emulate_out value = { .arena = f->out->arena, .shell = f->out->shell };
	struct emulate_escape escape = {
		.out = &value, .text = &text, .flavour = f->flavour, .place = IN_VALUE
	};
	struct emulate_text done;

	emulate_put_escaped(&escape);
	f->bad |= escape.bad || value.over;
	f->stop = escape.stop;
	f->out->taint |= value.taint;
	done = (struct emulate_text){ .text = value.text, .marks = value.marks, .len = value.len };
	if (c->width == 0 ? value.len > 0 : !f->bad) {
		done.text = value.len > 0 ? value.text : "";
		put_padded(f, c, &done);
	}
}

/* ---- numbers ------------------------------------------------------------------------------ */

struct number_text {
	char digits[24]; /* the last ones */
	size_t start;
	const char *prefix;
};

static void
spell_number(const struct conversion *c, int64_t number, struct number_text *text)
{
	bool is_signed = c->name == 'd' || c->name == 'i';
	const char *digits = c->name == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	uint64_t rest = is_signed && number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	bool is_hex = c->name == 'x' || c->name == 'X';
	const unsigned base = is_hex ? 16 : c->name == 'o' ? 8 : 10;

	text->prefix = "";
	if (is_signed) {
		text->prefix = number < 0 ? "-" : c->plus ? "+" : c->space ? " " : "";
	} else if (c->sharp && is_hex && rest != 0) {
		text->prefix = c->name == 'x' ? "0x" : "0X";
	}
	text->start = sizeof(text->digits);
	while (rest != 0) {
		text->digits[--text->start] = digits[rest % base];
		rest /= base;
	}
	if (c->sharp && base == 8 && c->precision <= sizeof(text->digits) - text->start) {
		text->digits[--text->start] = '0';
	}
}

static void
put_number(struct format *f, const struct conversion *c)
{
	const struct field *arg = next_arg(f);
	struct number_text text;
	size_t wanted = c->has_precision ? c->precision : 1;
	int64_t number;
	size_t len;
	size_t prefix;
	size_t zeros;

	if (!arg_number(arg, &number) || (arg->len == 0 && f->flavour != FLAVOUR_BASH)) {
		f->bad = true;
		return;
	}
	spell_number(c, number, &text);
	prefix = strlen(text.prefix);
	len = sizeof(text.digits) - text.start;
	if (c->zero && !c->left && !c->has_precision && c->width > prefix) {
		wanted = c->width - prefix;
	}
	wanted = wanted > len ? wanted : len;
	put_padding(f, c->left ? 0 : c->width, wanted + prefix);
	emulate_put(f->out, text.prefix, prefix);
	for (zeros = len; zeros < wanted && !f->out->over; zeros++) {
		emulate_put_byte(f->out, '0');
	}
	emulate_put(f->out, text.digits + text.start, len);
	put_padding(f, c->left ? c->width : 0, wanted + prefix);
}

/* ---- %q ----------------------------------------------------------------------------------- */

static bool
needs_backslash(const char *text, size_t at)
{
	if (text[at] == '#') {
		return at == 0;
	}
	if (text[at] == '~') {
		return at == 0 || text[at - 1] == ':' || text[at - 1] == '=';
	}
	return strchr(" !\"$&'()*,;<>?[\\]^`{|}", text[at]) != NULL;
}

static void
put_quoted(struct format *f, const struct conversion *c)
{
	const struct field *arg = next_arg(f);
	struct emulate_out quoted = { .arena = f->out->arena, .shell = f->out->shell };
	struct emulate_text text;
	size_t i;

	if (!field_is_literal(arg) || f->flavour != FLAVOUR_BASH) {
		f->bad = true;
		return;
	}
	for (i = 0; i < arg->len; i++) {
		if (arg->text[i] < ' ' || arg->text[i] == 0x7f) {
			f->bad = true;
			return;
		}
		if (needs_backslash(arg->text, i)) {
			emulate_put_byte(&quoted, '\\');
		}
		emulate_put_byte(&quoted, arg->text[i]);
	}
	if (arg->len == 0) {
		emulate_put(&quoted, "''", 2);
	}
	text = (struct emulate_text){ .text = quoted.text, .len = quoted.len };
	f->bad = quoted.over;
	put_padded(f, c, &text);
}

/* ---- the format --------------------------------------------------------------------------- */

static const struct {
	const char *names;
	bool sh; /* the same in every sh */
	void (*put)(struct format *f, const struct conversion *c);
} conversions[] = {
	{ "s", true, put_string },  { "c", true, put_char },	    { "b", true, put_value },
	{ "q", false, put_quoted }, { "dioxXu", true, put_number },
};

static void
put_conversion(struct format *f)
{
	struct conversion c = { .left = false };
	size_t i;

	if (f->at < f->text.len && f->text.text[f->at] == '%') {
		f->at++;
		emulate_put_byte(f->out, '%');
		return;
	}
	if (!read_conversion(f, &c)) {
		f->bad = true;
		return;
	}
	for (i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
		if (c.name != '\0' && strchr(conversions[i].names, c.name) != NULL &&
		    (conversions[i].sh || f->flavour != FLAVOUR_SH)) {
			conversions[i].put(f, &c);
			return;
		}
	}
	f->bad = true;
}

/* One run through the format. */
static void
put_format(struct format *f)
{
	const struct emulate_text *text = &f->text;
	struct emulate_escape escape = {
		.out = f->out, .text = text, .flavour = f->flavour, .place = IN_FORMAT
	};

	f->at = 0;
	while (f->at < text->len && !f->stop && !f->bad && !f->out->over) {
		size_t start = f->at++;

		if (emulate_is_unknown(text, start)) {
			f->bad = true;
		} else if (text->text[start] == '%') {
			put_conversion(f);
		} else if (text->text[start] == '\\' && f->at < text->len) {
			escape.at = f->at;
			emulate_put_escape(&escape);
			f->at = escape.at;
			f->bad = escape.bad;
			f->stop = escape.stop;
		} else {
			while (f->at < text->len && strchr("%\\\x1a", text->text[f->at]) == NULL) {
				f->at++;
			}
			emulate_put(f->out, text->text + start, f->at - start);
		}
	}
}

enum emulated
emulate_format(struct emulate_out *out, enum flavour flavour, const struct field *args,
	       size_t count)
{
	struct format f = {
		.out = out,
		.flavour = flavour,
		.text = emulate_field(&args[0]),
		.args = args + 1,
		.count = count - 1,
	};
	size_t used;

	out->taint |= args[0].taint;
	if (field_is_several(&args[0])) {
		return EMULATE_UNKNOWN;
	}
	do {
		used = f.used;
		put_format(&f);
	} while (f.used > used && f.used < f.count && !f.stop && !f.bad && !out->over);
	if (f.bad) {
		emulate_put_unknown(out);
	}
	return EMULATE_DONE;
}

/* The index of the format, or 0 when there is none, or it may be an option. *assigns: there is a
 * -v, and nothing is printed. */
static size_t
find_format(const struct field *argv, size_t argc, enum flavour flavour, bool *assigns)
{
	size_t at = 1;

	*assigns = flavour == FLAVOUR_BASH && at < argc && strncmp(argv[at].text, "-v", 2) == 0;
	if (*assigns) {
		at += argv[at].len == 2 ? 2 : 1;
	}
	if (at < argc && field_is(&argv[at], "--")) {
		at++;
	} else if (at < argc && argv[at].len > 0 &&
		   (field_known_prefix(&argv[at]) == 0 ||
		    (argv[at].text[0] == '-' && argv[at].len > 1))) {
		return 0; /* an option, or it may be one */
	}
	return at < argc ? at : 0;
}

enum emulated
emulate_printf_tool(struct emulation *e)
{
	bool assigns;
	size_t at = find_format(e->argv, e->argc, e->flavour, &assigns);

	if (assigns) {
		return EMULATE_DONE;
	}
	if (at == 0) {
		return EMULATE_UNKNOWN;
	}
	return emulate_format(&e->out, e->flavour, e->argv + at, e->argc - at);
}

bool
emulate_printf(struct arena *arena, struct shell *shell, const struct field *argv, size_t argc,
	       struct stream *output)
{
	struct emulate_out out = { .arena = arena, .shell = shell };
	bool assigns;
	size_t at = find_format(argv, argc, FLAVOUR_BASH, &assigns);

	if (at == 0 || emulate_format(&out, FLAVOUR_BASH, argv + at, argc - at) != EMULATE_DONE) {
		return false;
	}
	emulate_finish(&out, output);
	return true;
}
