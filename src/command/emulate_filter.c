/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: tools that pass their input on, whole or in part: cat, tee, head, tail, cut,
 * paste, fold, rev.
 * Invariant: an unknown part may hold newlines and may be empty; only what does not depend on that
 * stays known.
 */

#include "command/emulate_impl.h"

enum emulated
emulate_cat(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	enum emulated result;

	if (!emulate_args(e, "u", "", &args)) {
		return EMULATE_NO;
	}
	result = emulate_files(e, &args, 0, &text);
	if (result == EMULATE_DONE) {
		emulate_put_text(&e->out, &text, 0, text.len);
	}
	return result;
}

enum emulated
emulate_tee(struct emulation *e)
{
	struct emulate_text text = emulate_input(e);
	size_t i;

	for (i = 1; i < e->argc; i++) {
		if (field_is_several(&e->argv[i]) ||
		    (e->argv[i].text[0] == '-' && e->argv[i].len > 1 &&
		     !field_is(&e->argv[i], "-a") && !field_is(&e->argv[i], "--append"))) {
			return EMULATE_UNKNOWN;
		}
	}
	emulate_put_text(&e->out, &text, 0, text.len);
	return EMULATE_DONE;
}

/* dd, pv and sponge without operands pass their input on; dd may be told how to do that. */
enum emulated
emulate_dd(struct emulation *e)
{
	static const char *const harmless[] = { "bs=", "ibs=", "obs=", "status=none",
						"status=noxfer" };
	struct emulate_text text = emulate_input(e);
	size_t i;

	for (i = 1; i < e->argc; i++) {
		size_t k = 0;

		while (k < sizeof(harmless) / sizeof(harmless[0]) &&
		       strncmp(e->argv[i].text, harmless[k], strlen(harmless[k])) != 0) {
			k++;
		}
		if (k == sizeof(harmless) / sizeof(harmless[0]) || !field_is_literal(&e->argv[i]) ||
		    strcmp(e->name, "dd") != 0) {
			return EMULATE_NO;
		}
	}
	emulate_put_text(&e->out, &text, 0, text.len);
	return EMULATE_DONE;
}

/* ---- head and tail ------------------------------------------------------------------------ */

/* A count of lines or bytes, with the sign that stands before it. */
struct count {
	uint64_t number;
	char sign;
	bool bytes;
};

static bool
read_sized(const char *text, struct count *count)
{
	count->sign = '\0';
	if (*text == '-' || *text == '+') {
		count->sign = *text++;
	}
	return emulate_number(text, &count->number);
}

/* The arguments of head and tail; -5 in the first place is a count too. */
static bool
read_count(struct emulation *e, struct emulate_args *args, struct count *count)
{
	struct emulation rest = *e;
	bool number = e->argc > 1 && field_is_literal(&e->argv[1]) && e->argv[1].text[0] == '-' &&
		      emulate_number(e->argv[1].text + 1, &count->number);
	const char *value;

	count->sign = '\0';
	count->bytes = false;
	if (number) {
		rest.argv++;
		rest.argc--;
	}
	if (!emulate_args(&rest, "n:c:q", "n=lines c=bytes q=quiet q=silent", args)) {
		return false;
	}
	if (number) {
		return !emulate_given(args, 'n') && !emulate_given(args, 'c');
	}
	value = emulate_value(args, 'n');
	count->number = 10;
	if (emulate_given(args, 'c')) {
		count->bytes = true;
		return value == NULL && read_sized(emulate_value(args, 'c'), count);
	}
	return value == NULL || read_sized(value, count);
}

/* Behind the first `count` lines or bytes, at most `end`. */
static size_t
skip_front(const struct emulate_text *text, const struct count *count, uint64_t number, size_t end)
{
	size_t at = 0;

	if (count->bytes) {
		return number < end ? (size_t)number : end;
	}
	while (number > 0 && at < end) {
		at = emulate_line_end(text, at);
		number--;
	}
	return at < end ? at : end;
}

/* Where the last `count` lines or bytes start, at least `start`. */
static size_t
skip_back(const struct emulate_text *text, const struct count *count, uint64_t number, size_t start)
{
	size_t at = text->len;

	if (count->bytes) {
		return number < at - start ? at - (size_t)number : start;
	}
	if (number == 0) {
		return at;
	}
	if (at > start && text->text[at - 1] == '\n') {
		at--;
	}
	for (; at > start; at--) {
		if (text->text[at - 1] == '\n' && --number == 0) {
			return at;
		}
	}
	return start;
}

static size_t
first_unknown(const struct emulate_text *text)
{
	const uint8_t *found = NULL;

	if (text->marks != NULL) {
		found = memchr(text->marks, MARK_UNKNOWN, text->len);
	}
	return found == NULL ? text->len : (size_t)(found - text->marks);
}

/* What head and tail start with: how much of which one file. */
static enum emulated
read_counted(struct emulation *e, struct count *count, struct emulate_text *text)
{
	struct emulate_args args;

	if (!read_count(e, &args, count) || args.count > 1) {
		return EMULATE_NO;
	}
	return emulate_files(e, &args, 0, text);
}

enum emulated
emulate_head(struct emulation *e)
{
	struct emulate_text text;
	struct count count;
	enum emulated result = read_counted(e, &count, &text);
	size_t known;
	size_t end;

	if (result != EMULATE_DONE) {
		return result;
	}
	known = first_unknown(&text);
	if (count.sign == '-') {
		if (known < text.len) {
			return EMULATE_UNKNOWN;
		}
		end = skip_back(&text, &count, count.number, 0);
		emulate_put(&e->out, text.text, end);
		return EMULATE_DONE;
	}
	end = skip_front(&text, &count, count.number, text.len);
	emulate_put_text(&e->out, &text, 0, end < known ? end : known);
	if (end > known) {
		emulate_put_unknown(&e->out);
	}
	return EMULATE_DONE;
}

enum emulated
emulate_tail(struct emulation *e)
{
	struct emulate_text text;
	struct count count;
	enum emulated result = read_counted(e, &count, &text);
	size_t known;
	size_t start;

	if (result != EMULATE_DONE) {
		return result;
	}
	known = first_unknown(&text);
	if (count.sign == '+') {
		start = skip_front(&text, &count, count.number > 0 ? count.number - 1 : 0,
				   text.len);
		if (start > known) {
			return EMULATE_UNKNOWN;
		}
	} else {
		for (known = text.len; known > 0 && !emulate_is_unknown(&text, known - 1);) {
			known--;
		}
		start = skip_back(&text, &count, count.number, known);
		if (start == known && known > 0) {
			start--;
		}
	}
	emulate_put_text(&e->out, &text, start, text.len);
	return EMULATE_DONE;
}

/* ---- rev ---------------------------------------------------------------------------------- */

enum emulated
emulate_rev(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	enum emulated result;
	size_t at;

	if (!emulate_args(e, "", "", &args)) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, &args, 0, &text);
	e->out.taint |= TAINT_DECODED;
	if (result == EMULATE_DONE && !emulate_is_ascii(text.text, text.len)) {
		return EMULATE_UNKNOWN;
	}
	for (at = 0; result == EMULATE_DONE && at < text.len && !e->out.over;) {
		size_t end = emulate_line_end(&text, at);
		bool newline = text.text[end - 1] == '\n';
		size_t i;

		for (i = end - newline; i > at; i--) {
			emulate_put_byte(&e->out, text.text[i - 1]);
		}
		emulate_put(&e->out, "\n", newline);
		at = end;
	}
	return result;
}

/* ---- paste -------------------------------------------------------------------------------- */

/* The delimiters of paste -d with their escapes done; \0 is none at all. */
static bool
read_delimiters(const char *list, char bytes[16], size_t *count)
{
	*count = 0;
	for (; *list != '\0'; list++) {
		char c = *list;

		if (*count == 16 || c < 0) {
			return false;
		}
		if (c == '\\') {
			static const char letters[] = "nt\\0";
			static const char values[] = "\n\t\\";
			const char *found = *++list == '\0' ? NULL : strchr(letters, *list);

			if (found == NULL) {
				return false;
			}
			c = values[found - letters];
		}
		bytes[(*count)++] = c;
	}
	return true;
}

enum emulated
emulate_paste(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	enum emulated result;
	char delimiters[16] = "\t";
	size_t count = 1;
	size_t at;
	size_t next = 0;

	if (!emulate_args(e, "sd:", "s=serial d=delimiters", &args) || args.count > 1 ||
	    !emulate_given(&args, 's')) {
		return EMULATE_NO;
	}
	if (emulate_given(&args, 'd') &&
	    !read_delimiters(emulate_value(&args, 'd'), delimiters, &count)) {
		return EMULATE_NO;
	}
	result = emulate_files(e, &args, 0, &text);
	for (at = 0; result == EMULATE_DONE && at < text.len && !e->out.over;) {
		size_t end = emulate_line_end(&text, at);

		/* How many lines there are before it is not known behind an unknown part. */
		if (count > 1 && !emulate_is_known(&text)) {
			return EMULATE_UNKNOWN;
		}
		emulate_put_text(&e->out, &text, at, end - (text.text[end - 1] == '\n'));
		at = end;
		if (at < text.len && count > 0 && delimiters[next] != '\0') {
			emulate_put_byte(&e->out, delimiters[next]);
		}
		next = count > 0 ? (next + 1) % count : 0;
	}
	emulate_put_byte(&e->out, '\n');
	return result;
}

/* ---- fold --------------------------------------------------------------------------------- */

/* Where a line of [at, end) that is longer than `width` is broken. */
static size_t
fold_at(const struct emulate_text *text, size_t at, size_t width, bool blanks)
{
	size_t i;

	for (i = at + width; blanks && i > at; i--) {
		if (text->text[i - 1] == ' ') {
			return i;
		}
	}
	return at + width;
}

static void
fold_line(struct emulation *e, const struct emulate_text *text, size_t at, size_t end, size_t width,
	  bool blanks)
{
	size_t last = end > at && text->text[end - 1] == '\n' ? end - 1 : end;

	while (last - at > width && !e->out.over) {
		size_t cut = fold_at(text, at, width, blanks);

		emulate_put(&e->out, text->text + at, cut - at);
		emulate_put_byte(&e->out, '\n');
		at = cut;
	}
	emulate_put(&e->out, text->text + at, end - at);
}

static bool
is_plain(char c)
{
	return c == '\n' || (c >= ' ' && c < 0x7f);
}

enum emulated
emulate_fold(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	enum emulated result;
	uint64_t width = 80;
	size_t at;

	if (!emulate_args(e, "w:bs", "w=width b=bytes s=spaces", &args) ||
	    (emulate_given(&args, 'w') && !emulate_number(emulate_value(&args, 'w'), &width)) ||
	    width == 0 || width > EMULATE_MAX) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, &args, 0, &text);
	for (at = 0; result == EMULATE_DONE && at < text.len; at++) {
		if (!is_plain(text.text[at])) {
			return EMULATE_UNKNOWN;
		}
	}
	for (at = 0; result == EMULATE_DONE && at < text.len && !e->out.over;) {
		size_t end = emulate_line_end(&text, at);

		fold_line(e, &text, at, end, (size_t)width, emulate_given(&args, 's'));
		at = end;
	}
	return result;
}
