/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: xxd and gzip's decompressors.
 */

#include "base/text.h"
#include "command/emulate_impl.h"

#include <zlib.h>

/* ---- xxd ---------------------------------------------------------------------------------- */

struct xxd {
	bool plain;
	bool reverts;
	bool upper;
	uint64_t columns;
	struct emulate_args files;
};

static bool
is_any(const struct field *word, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (field_is(word, *names)) {
			return true;
		}
	}
	return false;
}

static bool
read_xxd(struct emulation *e, struct xxd *xxd)
{
	static const char *const plain[] = { "-p", "-ps", "-plain", "-postscript", NULL };
	static const char *const reverts[] = { "-r", "-revert", NULL };
	size_t i;

	for (i = 1; i < e->argc; i++) {
		const struct field *word = &e->argv[i];

		if (is_any(word, plain)) {
			xxd->plain = true;
		} else if (is_any(word, reverts)) {
			xxd->reverts = true;
		} else if (field_is(word, "-u")) {
			xxd->upper = true;
		} else if (field_is(word, "-c") && i + 1 < e->argc &&
			   field_is_literal(&e->argv[i + 1]) &&
			   emulate_number(e->argv[i + 1].text, &xxd->columns)) {
			i++;
		} else if (field_is_literal(word) && (word->text[0] != '-' || word->len == 1) &&
			   xxd->files.count == 0) {
			xxd->files.operands[xxd->files.count++] = word;
		} else {
			return false;
		}
	}
	return true;
}

/* xxd -r -p: digits with any blanks between them. */
static void
revert_plain(struct emulation *e, const struct emulate_text *text)
{
	int high = -1;
	size_t i;

	for (i = 0; i < text->len; i++) {
		int value = emulate_is_unknown(text, i) ? -1 : text_hex(text->text[i]);

		if (value >= 0 && high >= 0) {
			emulate_put_byte(&e->out, (char)(high << 4 | value));
			high = -1;
		} else if (value >= 0) {
			high = value;
		} else if (text->text[i] != ' ' && text->text[i] != '\n' && text->text[i] != '\t') {
			break;
		}
	}
	if (i < text->len || high >= 0) {
		emulate_put_unknown(&e->out);
	}
}

/* One line of xxd's own output: "00000010: 726d 202d  rm -". false: not quite that. */
static bool
revert_line(struct emulation *e, const char *line, size_t len)
{
	uint64_t offset = 0;
	size_t i;

	for (i = 0; i < len && i < 8 && text_hex(line[i]) >= 0; i++) {
		offset = offset << 4 | (unsigned)text_hex(line[i]);
	}
	if (i + 1 >= len || line[i] != ':' || line[i + 1] != ' ' || offset != e->out.len) {
		return false;
	}
	i += 2;
	while (i + 1 < len && text_hex(line[i]) >= 0 && text_hex(line[i + 1]) >= 0 &&
	       e->out.len - offset < 16) {
		emulate_put_byte(&e->out, (char)(text_hex(line[i]) << 4 | text_hex(line[i + 1])));
		i += 2;
		if (i < len && line[i] == ' ') {
			i++;
		}
	}
	return i >= len || line[i] == '\n' || line[i] == ' ' || line[i - 1] == ' ';
}

static enum emulated
revert_dump(struct emulation *e, const struct emulate_text *text)
{
	size_t at;

	for (at = 0; at < text->len;) {
		size_t end = emulate_line_end(text, at);

		if (!revert_line(e, text->text + at, end - at)) {
			return EMULATE_UNKNOWN;
		}
		at = end;
	}
	return EMULATE_DONE;
}

static void
dump_plain(struct emulation *e, const struct xxd *xxd, const struct emulate_text *text)
{
	const char *digits = xxd->upper ? "0123456789ABCDEF" : "0123456789abcdef";
	size_t i;

	for (i = 0; i < text->len && !e->out.over; i++) {
		unsigned char c = (unsigned char)text->text[i];

		emulate_put_byte(&e->out, digits[c >> 4]);
		emulate_put_byte(&e->out, digits[c & 0xf]);
		if ((i + 1) % xxd->columns == 0 || i + 1 == text->len) {
			emulate_put_byte(&e->out, '\n');
		}
	}
}

enum emulated
emulate_xxd(struct emulation *e)
{
	const struct field *operand[1] = { NULL };
	struct xxd xxd = { .columns = 30, .files = { .operands = operand, .letters = "" } };
	struct emulate_text text;
	enum emulated result;

	if (!read_xxd(e, &xxd) || xxd.columns == 0 || (!xxd.plain && !xxd.reverts)) {
		return EMULATE_NO;
	}
	e->out.taint |= xxd.reverts ? TAINT_DECODED : 0;
	if (xxd.reverts && xxd.plain) {
		result = emulate_files(e, &xxd.files, 0, &text);
		if (result == EMULATE_DONE) {
			revert_plain(e, &text);
		}
		return result;
	}
	result = emulate_known_files(e, &xxd.files, 0, &text);
	if (result != EMULATE_DONE) {
		return result;
	}
	if (xxd.reverts) {
		return revert_dump(e, &text);
	}
	dump_plain(e, &xxd, &text);
	return EMULATE_DONE;
}

/* ---- gzip --------------------------------------------------------------------------------- */

static void *
inflate_alloc(void *arena, unsigned int items, unsigned int size)
{
	return arena_array(arena, items, size);
}

static void
inflate_free(void *arena, void *memory)
{
	(void)arena;
	(void)memory;
}

/* One member of a gzip file; true when it is whole. */
static bool
inflate_member(struct emulate_out *out, z_stream *z)
{
	char buffer[4096];
	int result = Z_OK;

	while (result == Z_OK && !out->over) {
		z->next_out = (unsigned char *)buffer;
		z->avail_out = sizeof(buffer);
		result = inflate(z, Z_NO_FLUSH);
		emulate_put(out, buffer, sizeof(buffer) - z->avail_out);
	}
	return result == Z_STREAM_END;
}

static void
inflate_all(struct emulate_out *out, const char *data, size_t len)
{
	z_stream z = { .zalloc = inflate_alloc, .zfree = inflate_free, .opaque = out->arena };
	unsigned char *input = arena_alloc(out->arena, len);
	bool whole = input != NULL && len > 0;

	if (whole) {
		memcpy(input, data, len);
	}
	z.next_in = input;
	z.avail_in = (unsigned int)len;
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) {
		out->over = true;
		return;
	}
	whole = whole && inflate_member(out, &z);
	while (whole && z.avail_in > 0) {
		whole = inflateReset(&z) == Z_OK && inflate_member(out, &z);
	}
	if (!whole) {
		emulate_put_unknown(out);
	}
	(void)inflateEnd(&z);
}

/* gunzip, zcat, gzip -d: of the standard input only, since a file is replaced. */
enum emulated
emulate_gunzip(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	bool decodes = strcmp(e->name, "gzip") != 0;

	if (!emulate_args(e, "cdfq",
			  "c=stdout c=to-stdout d=decompress d=uncompress q=quiet f=force",
			  &args) ||
	    args.count > 1 || (args.count == 1 && !field_is(args.operands[0], "-"))) {
		return EMULATE_NO;
	}
	text = emulate_input(e);
	e->out.taint |= TAINT_DECODED;
	if (!(decodes || emulate_given(&args, 'd')) || !emulate_is_known(&text) ||
	    emulate_given(&args, 'f')) {
		return EMULATE_UNKNOWN;
	}
	inflate_all(&e->out, text.text, text.len);
	return EMULATE_DONE;
}
