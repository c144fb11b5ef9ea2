/* SPDX-License-Identifier: MIT */
/*
 * Words: unquoted text, with quotes and expansions in it.
 *
 * Invariant: unquoted text is cut into parts only where something else stands between, so that a
 * pattern or a brace is whole in one part; where a line continuation had cut it, it is joined.
 */
#include "command/reader.h"

#include <string.h>

/* ---- parts ---------------------------------------------------------------------------------- */

static void
append(struct parts *parts, struct part *part)
{
	if (parts->last != NULL) {
		parts->last->next = part;
	} else {
		parts->first = part;
	}
	parts->last = part;
}

static void
set_part(struct part *part, enum part_kind kind, bool quoted, uint32_t start, uint32_t end)
{
	part->kind = kind;
	part->quoted = quoted;
	part->span = (struct bailey_span){ start, end };
	part->exact = UINT32_MAX;
}

static void
set_text(const struct reader *r, struct part *part, uint32_t start, uint32_t end)
{
	part->text = r->text + start;
	part->len = end - start;
	part->exact = start;
}

struct part *
parts_add(struct reader *r, struct parts *parts, enum part_kind kind, bool quoted, uint32_t start,
	  uint32_t end)
{
	struct part *part = rd_alloc(r, sizeof(*part));

	if (part != NULL) {
		set_part(part, kind, quoted, start, end);
		append(parts, part);
	}
	return part;
}

struct part *
parts_text(struct reader *r, struct parts *parts, bool quoted, uint32_t start, uint32_t end)
{
	struct part *part = parts_add(r, parts, PART_TEXT, quoted, start, end);

	if (part != NULL) {
		set_text(r, part, start, end);
	}
	return part;
}

struct word *
rd_make_word(struct reader *r, const struct parts *parts, uint32_t start)
{
	struct word *word = r->stopped ? NULL : rd_alloc(r, sizeof(*word));

	if (word != NULL) {
		word->parts = parts->first;
		word->span = (struct bailey_span){ start, r->pos };
	}
	return word;
}

/* ---- unquoted text -------------------------------------------------------------------------- */

#define QUOTING (CHAR_DOLLAR | CHAR_BACKSLASH | CHAR_BACKQUOTE | CHAR_DQUOTE | CHAR_SQUOTE)

static const uint16_t live_stops[] = {
	[LIVE_WORD] = QUOTING | CHAR_META,
	[LIVE_GROUP] = QUOTING | CHAR_PAREN | CHAR_ANGLE,
	[LIVE_BRACE] = QUOTING | CHAR_RBRACE | CHAR_ANGLE | CHAR_PAREN,
	[LIVE_BRACE_SLASH] = QUOTING | CHAR_RBRACE | CHAR_ANGLE | CHAR_PAREN | CHAR_SLASH,
	[LIVE_SUBSCRIPT] = QUOTING | CHAR_BRACKET | CHAR_ANGLE,
	[LIVE_KEY] = QUOTING | CHAR_BRACKET | CHAR_ANGLE | CHAR_RBRACE,
	[LIVE_RANGE] = QUOTING | CHAR_ANGLE,
};

struct live {
	struct reader *r;
	struct parts *parts;
	uint32_t run;	/* the text since the last part starts here */
	bool joined;	/* a line continuation has cut unquoted text */
	unsigned nest;	/* open parentheses, or brackets of a subscript */
	unsigned flags; /* enum word_flag */
	enum live_mode mode;
	enum live_mode within; /* LIVE_GROUP: what it stands in */
};

enum step {
	STEP_ON,
	STEP_END,
};

/* Adds the text up to `end`; false when that failed, and nothing is left to read. */
static bool
live_flush(struct live *live, uint32_t end)
{
	if (end > live->run) {
		(void)parts_text(live->r, live->parts, false, live->run, end);
	}
	return !live->r->stopped;
}

/* Steps over a backslash and the character behind it. */
static void
step_escape(struct live *live)
{
	struct reader *r = live->r;
	char c = r->text[r->pos + 1];

	if (live->mode == LIVE_WORD && r->in_array && r->in_parens &&
	    strchr(";&|<>()\"'`", c) != NULL) {
		rd_fail(r, "has a \\ in an array in $( ), where bash loses it", r->pos, r->pos + 2);
		return;
	}
	if (r->in_array && r->in_parens &&
	    (c == ' ' || c == '\t' || (c == '\\' && rd_at(r, r->pos + 2) == '\n'))) {
		rd_doubt(r, "has \\ at a blank in an array in $( ), where bash loses one of them",
			 r->pos, r->pos + 2);
	}
	r->pos += 2;
	while ((unsigned char)c >= 0x80 && ((unsigned char)rd_at(r, r->pos) & 0xc0) == 0x80) {
		r->pos++;
	}
}

/* \x: one part, and one for a run of them. */
static void
live_escapes(struct live *live)
{
	struct reader *r = live->r;
	uint32_t start = r->pos;
	uint32_t first;
	struct part *part;
	char *text;
	size_t len = 0;

	if (r->pos + 1 == r->end) { /* the backslash at the very end stands for itself */
		r->pos++;
	} else {
		step_escape(live);
	}
	first = r->pos;
	while (!r->stopped && rd_at(r, r->pos) == '\\' && r->pos + 1 < r->end &&
	       r->text[r->pos + 1] != '\n') {
		step_escape(live);
	}
	if (r->stopped) {
		return;
	}
	part = parts_text(r, live->parts, true, first > start + 1 ? start + 1 : start, r->pos);
	if (part == NULL) {
		return;
	}
	part->span.start = start;
	part->single = true;
	if (r->pos == first) {
		return;
	}
	text = rd_alloc(r, r->pos - start);
	for (uint32_t i = start; text != NULL && i < r->pos; i++) {
		if (r->text[i] == '\\') {
			i++;
		}
		text[len++] = r->text[i];
	}
	part->text = text;
	part->len = len;
	part->exact = UINT32_MAX;
}

/* '...' */
static void
live_squote(struct live *live)
{
	struct reader *r = live->r;
	uint32_t start = r->pos;
	const char *close = memchr(r->text + start + 1, '\'', r->end - start - 1);
	struct part *part;

	if (close == NULL) {
		rd_fail(r, "has a ' without an end", start, start + 1);
		return;
	}
	r->pos = (uint32_t)(close - r->text) + 1;
	part = parts_text(r, live->parts, true, start + 1, r->pos - 1);
	if (part != NULL) {
		part->span = (struct bailey_span){ start, r->pos };
		part->single = true;
	}
}

/* $ and what it starts; a $ that starts nothing is text. */
static void
live_dollar(struct live *live)
{
	struct reader *r = live->r;
	uint32_t start = r->pos;
	char next = rd_after(r, start);

	if (next == '\'' || next == '"') {
		if (!live_flush(live, start)) {
			return;
		}
		rd_only_bash(r, "has a quote behind $, which sh does not know", start, start + 1);
		if (next == '\'') {
			(void)rd_ansi(r, live->parts, false);
		} else {
			rd_next(r);
			(void)rd_dquote(r, live->parts, start, false);
		}
	} else if (rd_is_expansion(r, start)) {
		if (live_flush(live, start)) {
			(void)rd_dollar(r, live->parts, false);
		}
	} else {
		r->pos++;
		return;
	}
	if (live->mode == LIVE_GROUP && !r->stopped && !rd_balanced(r, start, r->pos, '(', ')')) {
		rd_fail(r, "has parentheses in a pattern that do not match", start, r->pos);
	}
	live->run = r->pos;
}

static void
live_quoting(struct live *live, char c)
{
	struct reader *r = live->r;

	if (c == '$') {
		live_dollar(live);
		return;
	}
	if (!live_flush(live, r->pos)) {
		return;
	}
	if (c == '\'') {
		live_squote(live);
	} else if (c == '"') {
		(void)rd_dquote(r, live->parts, r->pos, false);
	} else if (c == '`') {
		(void)rd_backquote(r, live->parts, false, false);
	} else if (rd_at(r, r->pos + 1) == '\n') {
		r->pos += 2;
		live->joined = true;
	} else {
		live_escapes(live);
	}
	live->run = r->pos;
}

/* ?( and the like, the reader on the parenthesis. */
static void
live_extglob(struct live *live)
{
	struct reader *r = live->r;
	uint32_t start = r->pos - 1;
	struct parts inner;
	struct part *part;

	if (!live_flush(live, start)) {
		return;
	}
	parts_init(&inner);
	r->pos = start;
	if (rd_enter(r)) {
		(void)rd_live(r, &inner, LIVE_GROUP, live->mode);
		rd_leave(r);
	}
	part = r->stopped ? NULL : parts_add(r, live->parts, PART_EXTGLOB, false, start, r->pos);
	if (part != NULL) {
		rd_only_bash(r, "has an extended pattern, which sh does not know", start, r->pos);
		part->text = r->text + start;
		part->len = r->pos - start;
		part->word = rd_make_word(r, &inner, start);
	}
	live->run = r->pos;
}

static bool
is_extglob(const struct live *live)
{
	const struct reader *r = live->r;

	return (r->extglob || (live->flags & WORD_EXTGLOB) != 0) && r->pos > live->run &&
	       strchr("?*+@!", r->text[r->pos - 1]) != NULL;
}

/* NAME=( behind declare, the reader on the parenthesis. */
static bool
is_array(const struct live *live)
{
	const struct reader *r = live->r;
	uint32_t end;

	if ((live->flags & WORD_ARRAYS) == 0 || live->parts->first != NULL ||
	    r->pos - live->run < 2 || r->text[r->pos - 1] != '=') {
		return false;
	}
	end = rd_name_end(r, live->run);
	return end > live->run && (end == r->pos - 1 || (end == r->pos - 2 && r->text[end] == '+'));
}

static void
live_array(struct live *live)
{
	struct reader *r = live->r;
	uint32_t start = r->pos;
	struct word *elements = NULL;
	struct part *part;

	if (!live_flush(live, start) || !rd_elements(r, &elements)) {
		return;
	}
	part = parts_add(r, live->parts, PART_ARRAY, false, start, r->pos);
	if (part != NULL) {
		part->word = elements;
	}
	live->run = r->pos;
	if (rd_word_starts(r)) {
		rd_doubt(r, "has text behind the parenthesis of an array", start, r->pos);
	}
}

/* An operator in a word: does it belong to it? */
static enum step
live_operator(struct live *live, char c)
{
	struct reader *r = live->r;

	if (c == '(' && (live->flags & WORD_REGEX) != 0) {
		live->within = live->mode;
		live->mode = LIVE_GROUP;
		return STEP_ON;
	}
	if (c == '(' && is_extglob(live)) {
		live_extglob(live);
		return STEP_ON;
	}
	if (c == '(' && is_array(live)) {
		live_array(live);
		return STEP_ON;
	}
	if (c == '|' && (live->flags & WORD_REGEX) != 0) {
		r->pos++;
		return STEP_ON;
	}
	return STEP_END;
}

static enum step
live_paren(struct live *live, char c)
{
	live->r->pos++;
	if (c == '(') {
		live->nest++;
		return STEP_ON;
	}
	live->nest--;
	if (live->nest > 0) {
		return STEP_ON;
	}
	if ((live->flags & WORD_REGEX) == 0) {
		return STEP_END;
	}
	live->mode = live->within;
	return STEP_ON;
}

static enum step
live_bracket(struct live *live, char c)
{
	if (c == ']' && live->nest == 0) {
		return STEP_END;
	}
	live->nest += c == '[' ? 1 : UINT32_MAX;
	live->r->pos++;
	return STEP_ON;
}

/* What stops a mode and is no quoting. */
static enum step
live_special(struct live *live, char c)
{
	struct reader *r = live->r;

	if (char_is(c, CHAR_ANGLE) && rd_after(r, r->pos) == '(') {
		if (live_flush(live, r->pos)) {
			(void)rd_process(r, live->parts);
		}
		live->run = r->pos;
		return STEP_ON;
	}
	switch (live->mode) {
	case LIVE_WORD:
		return live_operator(live, c);
	case LIVE_GROUP:
		if (!char_is(c, CHAR_PAREN)) {
			break;
		}
		return live_paren(live, c);
	case LIVE_SUBSCRIPT:
	case LIVE_KEY:
		if (c == '}') {
			return STEP_END;
		}
		if (!char_is(c, CHAR_BRACKET)) {
			break;
		}
		return live_bracket(live, c);
	case LIVE_BRACE:
	case LIVE_BRACE_SLASH:
		if (char_is(c, CHAR_RBRACE | CHAR_SLASH)) {
			return STEP_END;
		}
		if (c == '(' && is_extglob(live)) {
			live_extglob(live);
			return STEP_ON;
		}
		break;
	case LIVE_RANGE:
		break;
	}
	r->pos++;
	return STEP_ON;
}

/* Puts unquoted texts together that a line continuation has cut. */
static void
join(struct reader *r, struct parts *parts)
{
	struct part *part = parts->first;

	while (part != NULL && !r->stopped) {
		struct part *last = part;
		size_t len = part->len;
		char *text;

		while (last->next != NULL && last->kind == PART_TEXT && !last->quoted &&
		       last->next->kind == PART_TEXT && !last->next->quoted) {
			last = last->next;
			len += last->len;
		}
		text = last != part ? rd_alloc(r, len + 1) : NULL;
		if (text != NULL) {
			len = 0;
			for (struct part *p = part; p != last->next; p = p->next) {
				memcpy(text + len, p->text, p->len);
				len += p->len;
			}
			part->text = text;
			part->len = len;
			part->exact = UINT32_MAX;
			part->span.end = last->span.end;
			part->next = last->next;
		}
		parts->last = part;
		part = part->next;
	}
}

/* A } or / in a group inside of ${...} ends that for bash, not for the group. */
static bool
group_is_certain(const struct live *live, uint32_t start)
{
	const struct reader *r = live->r;
	size_t len = r->pos - start;

	return live->within == LIVE_WORD ||
	       (memchr(r->text + start, '}', len) == NULL &&
		(live->within == LIVE_BRACE || memchr(r->text + start, '/', len) == NULL));
}

bool
rd_live(struct reader *r, struct parts *parts, enum live_mode mode, unsigned flags)
{
	struct live live = { .r = r, .parts = parts, .run = r->pos, .mode = mode };
	uint32_t start = r->pos;
	enum step step = STEP_ON;

	if (mode == LIVE_GROUP) {
		live.within = (enum live_mode)flags;
	} else {
		live.flags = flags;
	}
	while (step == STEP_ON && !r->stopped) {
		char c;

		while (r->pos < r->end && !char_is(r->text[r->pos], live_stops[live.mode])) {
			r->pos++;
		}
		c = rd_at(r, r->pos);
		if (c == '\0') {
			break;
		}
		if (char_is(c, QUOTING)) {
			live_quoting(&live, c);
		} else {
			step = live_special(&live, c);
		}
	}
	if (!r->stopped && step == STEP_ON && live.mode != LIVE_WORD && live.mode != LIVE_RANGE) {
		rd_fail(r, "has something that is opened and not closed", start, r->end);
	}
	if (!r->stopped && mode == LIVE_GROUP && !group_is_certain(&live, start)) {
		rd_fail(r, "has a } or / in a pattern inside of ${", start, r->pos);
	}
	if (!r->stopped) {
		(void)live_flush(&live, r->pos);
	}
	if (live.joined) {
		join(r, parts);
	}
	return !r->stopped;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* A word and the one text in it, which is what most words are. */
struct plain {
	struct word word;
	struct part part;
};

bool
rd_word_starts(const struct reader *r)
{
	uint32_t pos = rd_skip(r, r->pos);
	char c = rd_at(r, pos);

	if (c == '\0') {
		return false;
	}
	return !char_is(c, CHAR_META) || (char_is(c, CHAR_ANGLE) && rd_after(r, pos) == '(');
}

struct word *
rd_word(struct reader *r, unsigned flags)
{
	uint32_t start = r->pos;
	struct parts parts;
	struct plain *plain;
	char c;

	while (r->pos < r->end && !char_is(r->text[r->pos], live_stops[LIVE_WORD])) {
		r->pos++;
	}
	c = rd_at(r, r->pos);
	if (char_is(c, QUOTING | CHAR_PAREN | CHAR_ANGLE) ||
	    (c == '|' && (flags & WORD_REGEX) != 0)) {
		r->pos = start;
		parts_init(&parts);
		(void)rd_live(r, &parts, LIVE_WORD, flags);
		r->last_end = r->pos;
		return rd_make_word(r, &parts, start);
	}
	plain = rd_alloc(r, sizeof(*plain));
	if (plain == NULL) {
		return NULL;
	}
	set_part(&plain->part, PART_TEXT, false, start, r->pos);
	set_text(r, &plain->part, start, r->pos);
	if (r->stray_in && plain->part.len == 2 && memcmp(plain->part.text, "in", 2) == 0) {
		rd_fail(r, "has `in` behind a loop in braces, where bash loses track", start,
			r->pos);
		return NULL;
	}
	plain->word.parts = &plain->part;
	plain->word.span = plain->part.span;
	r->last_end = r->pos;
	return &plain->word;
}

const char *
rd_literal(struct reader *r, const struct word *word, size_t *len)
{
	const struct part *part = word->parts;
	size_t total = 0;
	char *text;

	if (part != NULL && part->kind == PART_TEXT && part->next == NULL) {
		*len = part->len;
		return part->text;
	}
	for (part = word->parts; part != NULL; part = part->next) {
		if (part->kind != PART_TEXT) {
			return NULL;
		}
		total += part->len;
	}
	text = rd_alloc(r, total + 1);
	if (text == NULL) {
		return NULL;
	}
	*len = total;
	total = 0;
	for (part = word->parts; part != NULL; part = part->next) {
		memcpy(text + total, part->text, part->len);
		total += part->len;
	}
	return text;
}
