/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: base64, base32, basenc and openssl's base64.
 * Invariant: behind what a decoder would complain about, the output is unknown; what it gives
 * before that is certain.
 */

#include "base/attr.h"
#include "command/emulate_impl.h"

struct base {
	const char *digits;
	unsigned bits;	/* of one digit */
	unsigned group; /* digits of one group, which is padded with = */
};

static const struct base base64 = {
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 4
};
static const struct base base64url = {
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 6, 4
};
static const struct base base32 = { "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 8 };
static const struct base base32hex = { "0123456789ABCDEFGHIJKLMNOPQRSTUV", 5, 8 };
static const struct base base16 = { "0123456789ABCDEF", 4, 2 };

/* ---- decoding ----------------------------------------------------------------------------- */

struct decoder {
	struct emulate_out *out;
	uint64_t bits;
	unsigned digits; /* in `bits` */
	unsigned padding;
};

/* The bytes of the digits so far. false: bits are left over that no encoder leaves. */
static bool
put_group(struct decoder *d, const struct base *base)
{
	unsigned bits = d->digits * base->bits;
	unsigned rest = bits % 8;
	bool clean = (d->bits & ((UINT64_C(1) << rest) - 1)) == 0 && rest < base->bits;

	for (; clean && bits >= 8; bits -= 8) {
		emulate_put_byte(d->out, (char)(d->bits >> (bits - 8) & 0xff));
	}
	d->bits = 0;
	d->digits = 0;
	d->padding = 0;
	return clean;
}

static bool
fill_group(struct decoder *d, const struct base *base)
{
	return d->digits + d->padding < base->group || (d->digits > 0 && put_group(d, base));
}

/* false: the rest is not known. */
static bool
decode_byte(struct decoder *d, const struct base *base, char c, bool garbage)
{
	const char *digit = c == '\0' ? NULL : strchr(base->digits, c);

	if (c == '\n') {
		return true;
	}
	if (c == '=' && base->bits != 4) {
		d->padding++;
		return fill_group(d, base);
	}
	if (digit == NULL || d->padding > 0) {
		return digit == NULL && garbage;
	}
	d->bits = d->bits << base->bits | (uint64_t)(digit - base->digits);
	d->digits++;
	return fill_group(d, base);
}

static void
decode(struct emulate_out *out, const struct base *base, const struct emulate_text *text,
       bool garbage)
{
	struct decoder d = { .out = out };
	size_t i;

	for (i = 0; i < text->len; i++) {
		if (emulate_is_unknown(text, i) || !decode_byte(&d, base, text->text[i], garbage)) {
			emulate_put_unknown(out);
			return;
		}
	}
	/* A last group without its padding: base64 gives its bytes, and complains. */
	if (d.digits > 0 && (base->bits != 6 || d.digits < 2 || !put_group(&d, base))) {
		emulate_put_unknown(out);
	}
}

/* ---- encoding ----------------------------------------------------------------------------- */

struct encoder {
	struct emulate_out *out;
	uint64_t wrap;
	uint64_t column;
};

static void
put_digit(struct encoder *e, char c)
{
	if (e->wrap > 0 && e->column == e->wrap) {
		emulate_put_byte(e->out, '\n');
		e->column = 0;
	}
	e->column++;
	emulate_put_byte(e->out, c);
}

static void
encode(struct emulate_out *out, const struct base *base, const char *text, size_t len,
       uint64_t wrap)
{
	struct encoder e = { .out = out, .wrap = wrap };
	size_t size = base->group * base->bits / 8;
	size_t at;

	for (at = 0; at < len && !out->over; at += size) {
		size_t count = len - at < size ? len - at : size;
		uint64_t bits = 0;
		unsigned digit;
		size_t i;

		for (i = 0; i < size; i++) {
			bits = bits << 8 | (i < count ? (unsigned char)text[at + i] : 0);
		}
		for (digit = 0; digit < base->group; digit++) {
			unsigned shift = (base->group - 1 - digit) * base->bits;
			bool pads = (size_t)digit * base->bits >= count * 8;

			put_digit(&e,
				  pads ? '='
				       : base->digits[bits >> shift & ((1U << base->bits) - 1)]);
		}
	}
	if (wrap > 0 && e.column > 0) {
		emulate_put_byte(out, '\n');
	}
}

/* ---- base64, base32, basenc ---------------------------------------------------------------- */

static enum emulated
run_base(struct emulation *e, const struct base *base, const struct emulate_args *args)
{
	struct emulate_text text;
	enum emulated result;
	uint64_t wrap = 76;

	if (args->count > 1 ||
	    (emulate_given(args, 'w') && !emulate_number(emulate_value(args, 'w'), &wrap))) {
		return EMULATE_NO;
	}
	e->out.taint |= emulate_given(args, 'd') ? TAINT_DECODED : 0;
	result = emulate_files(e, args, 0, &text);
	if (result != EMULATE_DONE) {
		return result;
	}
	if (emulate_given(args, 'd')) {
		decode(&e->out, base, &text, emulate_given(args, 'i'));
		return EMULATE_DONE;
	}
	if (!emulate_is_known(&text)) {
		return EMULATE_UNKNOWN;
	}
	encode(&e->out, base, text.text, text.len, wrap);
	return EMULATE_DONE;
}

#define BASE_NAMES "d=decode i=ignore-garbage w=wrap"

enum emulated
emulate_base64(struct emulation *e)
{
	struct emulate_args args;

	/* -D is the decoder's option elsewhere. */
	return emulate_args(e, "diw:", BASE_NAMES, &args) ? run_base(e, &base64, &args)
							  : EMULATE_NO;
}

enum emulated
emulate_base32(struct emulation *e)
{
	struct emulate_args args;

	return emulate_args(e, "diw:", BASE_NAMES, &args) ? run_base(e, &base32, &args)
							  : EMULATE_NO;
}

enum emulated
emulate_basenc(struct emulation *e)
{
	static const struct base *const bases[] = { &base64, &base64url, &base32, &base32hex,
						    &base16 };
	struct emulate_args args;
	const struct base *base = NULL;

	if (!emulate_args(e, "diw:12345",
			  BASE_NAMES " 1=base64 2=base64url 3=base32 4=base32hex 5=base16",
			  &args)) {
		return EMULATE_NO;
	}
	for (size_t i = 0; i < COUNT_OF(bases); i++) {
		if (emulate_given(&args, "12345"[i])) {
			if (base != NULL) {
				return EMULATE_NO;
			}
			base = bases[i];
		}
	}
	return base == NULL ? EMULATE_NO : run_base(e, base, &args);
}

/* ---- openssl ------------------------------------------------------------------------------ */

struct openssl {
	bool decodes;
	bool one_line;
	bool base64;
	struct emulate_args file; /* -in */
};

static bool
read_openssl(struct emulation *e, struct openssl *options)
{
	size_t i;

	for (i = 2; i < e->argc; i++) {
		const struct field *word = &e->argv[i];

		if (field_is(word, "-d")) {
			options->decodes = true;
		} else if (field_is(word, "-A")) {
			options->one_line = true;
		} else if (field_is(word, "-a") || field_is(word, "-base64")) {
			options->base64 = true;
		} else if (field_is(word, "-in") && i + 1 < e->argc && options->file.count == 0) {
			i++;
			options->file.operands[0] = &e->argv[i];
			options->file.count = 1;
		} else if (!field_is(word, "-e")) {
			return false;
		}
	}
	return options->base64;
}

/* Does openssl take the text in every version: whole groups, in short lines that are all ended? */
static bool
suits_openssl(const struct emulate_text *text, bool one_line)
{
	size_t digits = 0;
	size_t at;

	for (at = 0; at < text->len;) {
		size_t end = emulate_line_end(text, at);
		bool ended = text->text[end - 1] == '\n';

		if (one_line ? end < text->len || end - at > 1000 : !ended || end - at > 77) {
			return false;
		}
		digits += end - at - ended;
		at = end;
	}
	return text->len > 0 && digits % 4 == 0;
}

enum emulated
emulate_openssl(struct emulation *e)
{
	const struct field *operand[1] = { NULL };
	struct openssl options = { .file = { .operands = operand, .letters = "" } };
	struct emulate_text text;
	enum emulated result;

	if (e->argc < 2) {
		return EMULATE_NO;
	}
	options.base64 = field_is(&e->argv[1], "base64");
	if ((!options.base64 && !field_is(&e->argv[1], "enc")) || !read_openssl(e, &options)) {
		return EMULATE_NO;
	}
	e->out.taint |= options.decodes ? TAINT_DECODED : 0;
	result = emulate_known_files(e, &options.file, 0, &text);
	if (result != EMULATE_DONE) {
		return result;
	}
	if (!options.decodes) {
		encode(&e->out, &base64, text.text, text.len, options.one_line ? 0 : 64);
		return EMULATE_DONE;
	}
	if (!suits_openssl(&text, options.one_line)) {
		return EMULATE_UNKNOWN;
	}
	decode(&e->out, &base64, &text, false);
	return e->out.marks == NULL ? EMULATE_DONE : EMULATE_UNKNOWN;
}
