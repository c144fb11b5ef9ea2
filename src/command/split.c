/* SPDX-License-Identifier: MIT */
/*
 * Results of expansions: what of them is live, and where IFS splits them.
 *
 * Invariant: splitting runs over all results of a word as if they were one text in which everything
 * quoted or literal is no separator.
 */
#include "command/expand_impl.h"

#include "command/shell_vars.h"

#include <string.h>

/* ---- IFS ---------------------------------------------------------------------------------- */

const struct expand_ifs *
build_ifs(struct build *b)
{
	static const struct expand_ifs usual = {
		.standard = true, .text = " \t\n", .len = 3, .map = { UINT64_C(0x100000600) }
	};
	struct expand_ifs *ifs = &b->ifs;
	struct pvalue value = { 0 };

	if (b->ifs_known) {
		return ifs;
	}
	b->ifs_known = true;
	if (shell_untouched(b->ex->shell, "IFS")) {
		*ifs = usual;
		return ifs;
	}
	param_variable(b->ex, "IFS", &value);
	ifs->text = " \t\n";
	ifs->len = 3;
	if (value.unknown || (value.count > 0 && value.items[0].kind == BAILEY_WORD_DYNAMIC)) {
		ifs->unknown = true;
	} else if (value.set && value.count > 0) {
		ifs->text = value.items[0].text;
		ifs->len = value.items[0].len;
	}
	/* A backslash in IFS does more than split. */
	ifs->unknown = ifs->unknown || memchr(ifs->text, '\\', ifs->len) != NULL;
	ifs->standard = !ifs->unknown && ifs->len == 3 && memcmp(ifs->text, " \t\n", 3) == 0;
	for (size_t i = 0; i < ifs->len; i++) {
		unsigned char c = (unsigned char)ifs->text[i];

		ifs->map[c >> 6] |= UINT64_C(1) << (c & 63);
	}
	return ifs;
}

static inline bool
in_ifs(const struct expand_ifs *ifs, char c)
{
	unsigned char u = (unsigned char)c;

	return (ifs->map[u >> 6] >> (u & 63) & 1) != 0;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* ---- results ------------------------------------------------------------------------------ */

/* A byte of an unquoted result that is no separator. */
static void
put_result(struct build *b, char c)
{
	bool quotes = (b->mode & (BUILD_PATTERN | BUILD_REPLACEMENT)) != 0;

	if (b->escaped) {
		b->escaped = false;
		build_put(b, c, MARK_LITERAL);
		return;
	}
	if (c == '\\' && quotes) {
		b->escaped = true;
		b->started = true;
		return;
	}
	if (c == '\\' && (b->mode & BUILD_GLOB) != 0) {
		b->backslash = true;
		build_put(b, c, MARK_BACKSLASH);
		return;
	}
	build_put(b, c, build_mark_of(b, c));
}

static void
separator(struct build *b, char c)
{
	if (is_blank(c)) {
		if (b->started) {
			build_end(b);
			b->after_blank = true;
		}
		return;
	}
	if (!b->started && b->after_blank) {
		b->after_blank = false;
		return;
	}
	build_end(b);
	b->after_blank = false;
}

void
build_separator(struct build *b)
{
	const struct expand_ifs *ifs;

	if ((b->mode & BUILD_SPLIT) == 0) {
		build_quoted(b, " ", 1, false);
		return;
	}
	ifs = build_ifs(b);
	if (ifs->len > 0) {
		separator(b, ifs->text[0]);
	} else if (b->started) {
		build_end(b);
	}
}

/* Nothing in the text is special where it goes. */
static bool
is_plain(struct build *b, const char *text, size_t len)
{
	const struct expand_ifs *ifs = NULL;

	if ((b->mode & BUILD_SPLIT) != 0) {
		ifs = build_ifs(b);
	}
	if (b->escaped || (b->mode & BUILD_ANCHOR) != 0) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if ((ifs != NULL && in_ifs(ifs, c)) || c == '\\' || c == '*' || c == '?' ||
		    c == '[' || c == '&' || c == FIELD_UNKNOWN) {
			return false;
		}
	}
	return !b->bracket;
}

/* A byte of a value that has marks: in a pattern, the name that live characters stand for is not
 * known. */
static void
put_marked(struct build *b, char c, unsigned mark)
{
	if (mark == MARK_GLOB && (b->mode & (BUILD_PATTERN | BUILD_REPLACEMENT)) != 0) {
		mark = MARK_UNKNOWN;
		c = FIELD_UNKNOWN;
	}
	build_put(b, c, mark);
}

static void
result_bytes(struct build *b, const struct field *value)
{
	bool split = (b->mode & BUILD_SPLIT) != 0;
	const struct expand_ifs *ifs = split ? build_ifs(b) : NULL;

	for (size_t i = 0; i < value->len && !b->over; i++) {
		char c = value->text[i];

		if (value->marks != NULL && value->marks[i] == MARK_UNKNOWN) {
			build_unknown(b, value->taint, split);
			continue;
		}
		if (ifs != NULL && in_ifs(ifs, c)) {
			separator(b, c);
			continue;
		}
		if (value->marks != NULL && value->marks[i] == MARK_GLOB) {
			put_marked(b, c, MARK_GLOB);
		} else {
			put_result(b, c);
		}
		b->taint |= value->taint;
	}
}

void
build_result(struct build *b, const struct field *value, bool quoted)
{
	bool bare = (b->mode & (BUILD_SPLIT | BUILD_GLOB | BUILD_PATTERN | BUILD_REPLACEMENT)) == 0;

	if (quoted || bare) {
		b->taint |= value->taint;
		if (value->many) {
			b->many = true;
		}
		if (value->marks == NULL) {
			build_quoted(b, value->text, value->len, true);
			return;
		}
		/* Live characters of a value stand for a name that it has: they stay so. */
		b->started = true;
		for (size_t i = 0; i < value->len && !b->over; i++) {
			put_marked(b, value->text[i], value->marks[i]);
		}
		return;
	}
	if ((b->mode & BUILD_SPLIT) != 0 && build_ifs(b)->unknown) {
		build_unknown(b, (uint16_t)(value->taint | TAINT_VARIABLE), true);
		return;
	}
	if (value->marks == NULL && is_plain(b, value->text, value->len)) {
		if (value->len > 0) {
			b->taint |= value->taint;
			build_quoted(b, value->text, value->len, true);
		}
		return;
	}
	result_bytes(b, value);
}

void
build_result_text(struct build *b, const char *text, size_t len)
{
	struct field value = { .text = text, .len = (uint32_t)len };

	if ((b->mode & BUILD_SPLIT) == 0) {
		build_live(b, text, len);
		return;
	}
	if (build_ifs(b)->unknown) {
		build_unknown(b, TAINT_VARIABLE, true);
		return;
	}
	result_bytes(b, &value);
}

bool
build_same_ifs(struct build *b)
{
	struct expand_ifs was = b->ifs;

	b->ifs = (struct expand_ifs){ 0 };
	b->ifs_known = false;
	(void)build_ifs(b);
	return was.unknown == b->ifs.unknown && was.len == b->ifs.len &&
	       memcmp(was.text, b->ifs.text, was.len) == 0;
}
