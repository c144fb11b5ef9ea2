/* SPDX-License-Identifier: MIT */
/*
 * Text that is as if in double quotes: strings, the bodies of here-documents, arithmetic, and the
 * words of ${...} in any of these. Dollar and backquote are live there and little else.
 */
#include "command/reader.h"

#include <string.h>

#define QUOTING (CHAR_DOLLAR | CHAR_BACKSLASH | CHAR_BACKQUOTE)
#define QUOTES (CHAR_DQUOTE | CHAR_SQUOTE)

/* What a mode stops at, and what a backslash is removed from: NULL for anything. */
static const struct {
	uint16_t stops;
	const char *escapes;
} modes[] = {
	[SOFT_DQUOTE] = { QUOTING | CHAR_DQUOTE, "$`\"\\" },
	[SOFT_EMBEDDED] = { QUOTING | CHAR_DQUOTE, NULL },
	[SOFT_RANGE] = { QUOTING | CHAR_DQUOTE, "$`\"\\" },
	[SOFT_BRACE_RANGE] = { QUOTING | CHAR_DQUOTE, "$`\"\\}" },
	[SOFT_HERE] = { QUOTING, "$`\\" },
	[SOFT_HERE_TABS] = { QUOTING, "$`\\" },
	[SOFT_BRACE] = { QUOTING | QUOTES | CHAR_RBRACE | CHAR_ANGLE, "$`\"\\}" },
	[SOFT_PAREN] = { QUOTING | QUOTES | CHAR_PAREN, "$`\"\\" },
	[SOFT_BRACKET] = { QUOTING | QUOTES | CHAR_BRACKET, "$`\"\\" },
	[SOFT_FOR] = { QUOTING | QUOTES | CHAR_PAREN | CHAR_SEMI, "$`\"\\" },
	[SOFT_SUBSTRING] = { QUOTING | QUOTES | CHAR_PAREN | CHAR_COLON | CHAR_RBRACE, "$`\"\\}" },
};

struct soft {
	struct reader *r;
	struct parts *parts;
	enum soft_mode mode;
	uint32_t run; /* the text since the last part starts here */
	bool dirty;   /* it holds what is to be removed */
	bool begins;  /* SOFT_HERE_TABS: it starts at the start of a line */
	unsigned nest;
	unsigned questions;
};

static bool
is_arith(enum soft_mode mode)
{
	return mode >= SOFT_PAREN;
}

static bool
is_escaped(const struct soft *soft, char c)
{
	const char *escapes = modes[soft->mode].escapes;

	return c != '\0' && (escapes == NULL || strchr(escapes, c) != NULL);
}

/* The text of the run without what is to be removed. */
static size_t
clean(const struct soft *soft, uint32_t end, char *out)
{
	const char *text = soft->r->text;
	bool tabs = soft->mode == SOFT_HERE_TABS;
	bool begins = soft->begins;
	size_t len = 0;

	for (uint32_t i = soft->run; i < end; i++) {
		if (tabs && begins && text[i] == '\t') {
			continue;
		}
		begins = text[i] == '\n';
		if (text[i] == '\\' && i + 1 < end) {
			i++;
			if (text[i] == '\n') {
				continue;
			}
			if (!is_escaped(soft, text[i])) {
				out[len++] = '\\';
			}
		}
		out[len++] = text[i];
	}
	return len;
}

/* Adds the text up to `end`; false when that failed, and nothing is left to read. */
static bool
soft_flush(struct soft *soft, uint32_t end)
{
	struct reader *r = soft->r;
	struct part *part;
	char *text;

	if (end > soft->run && !soft->dirty && soft->mode != SOFT_HERE_TABS) {
		(void)parts_text(r, soft->parts, true, soft->run, end);
	} else if (end > soft->run) {
		part = parts_add(r, soft->parts, PART_TEXT, true, soft->run, end);
		text = part != NULL ? rd_alloc(r, (size_t)(end - soft->run) + 1) : NULL;
		if (text != NULL) {
			part->text = text;
			part->len = clean(soft, end, text);
		}
	}
	soft->dirty = false;
	soft->begins = false;
	return !r->stopped;
}

static void
soft_backslash(struct soft *soft)
{
	struct reader *r = soft->r;
	char next = rd_at(r, r->pos + 1);

	if (next == '\n' || is_escaped(soft, next)) {
		soft->dirty = true;
	}
	r->pos += next != '\0' ? 2 : 1;
}

/*
 * "${x-"$a"b}": the inner quotes are removed before anything is expanded, so that the name is `ab`.
 * Is that so for the expansion between `start` and the reader?
 */
static bool
is_glued(const struct reader *r, uint32_t start)
{
	uint32_t pos = r->pos;

	if (!char_is(rd_after(r, start), CHAR_NAME)) {
		return false;
	}
	while (char_is(rd_at(r, pos), CHAR_DQUOTE | CHAR_BACKSLASH)) {
		pos++;
	}
	return pos > r->pos && char_is(rd_at(r, pos), CHAR_NAME | CHAR_DIGIT);
}

/* An expansion was read from `start` on. What brackets mean to bash in there depends on what it
 * looks for. */
static void
check_expansion(struct soft *soft, uint32_t start)
{
	struct reader *r = soft->r;
	bool bracket = soft->mode == SOFT_BRACKET;
	const char *newline;

	if (r->stopped) {
		return;
	}
	if ((soft->mode == SOFT_BRACE || soft->mode == SOFT_EMBEDDED) && is_glued(r, start)) {
		rd_doubt(r, "has a name with a quote inside of ${ in double quotes", start, r->pos);
	}
	if ((bracket || soft->mode == SOFT_PAREN || soft->mode == SOFT_FOR) &&
	    rd_after(r, start) == '{' &&
	    !rd_balanced(r, start, r->pos, bracket ? '[' : '(', bracket ? ']' : ')')) {
		rd_fail(r, "has brackets in arithmetic that do not match", start, r->pos);
	}
	if (soft->mode == SOFT_HERE_TABS) {
		newline = memchr(r->text + start, '\n', r->pos - start);
		if (newline != NULL) {
			rd_doubt(r, "has several lines in an expansion of a <<- document", start,
				 r->pos);
		}
	}
}

static void
soft_dollar(struct soft *soft)
{
	struct reader *r = soft->r;
	uint32_t start = r->pos;
	char next = rd_after(r, start);

	if (rd_is_expansion(r, start)) {
		if (soft_flush(soft, start) && rd_dollar(r, soft->parts, true)) {
			check_expansion(soft, start);
		}
		soft->run = r->pos;
		return;
	}
	if (soft->mode == SOFT_BRACE && next == '\'' && !r->in_body) {
		if (soft_flush(soft, start)) {
			(void)rd_ansi(r, soft->parts, true);
		}
		soft->run = r->pos;
		return;
	}
	if ((soft->mode == SOFT_BRACE && next == '"') ||
	    (soft->mode == SOFT_EMBEDDED && char_is(next, CHAR_DQUOTE | CHAR_BACKSLASH))) {
		rd_doubt(r, "has a quote behind $ inside of ${ in double quotes", start, start + 2);
	}
	r->pos++;
}

/* Is there nothing in the range that is live, or that arithmetic could be? */
static bool
is_inert(const struct soft *soft, uint32_t start, uint32_t end)
{
	const char *text = soft->r->text;

	for (uint32_t i = start; i < end; i++) {
		if (is_arith(soft->mode) ? !char_is(text[i], CHAR_NAME | CHAR_DIGIT) &&
						   strchr(" .-:@%+", text[i]) == NULL
					 : char_is(text[i], QUOTING | CHAR_DQUOTE)) {
			return false;
		}
	}
	return true;
}

/* What is between two of ', up to `close`. What is wrong in there bash finds only when it gets
 * there. */
static void
soft_range(struct soft *soft, uint32_t close)
{
	struct reader *r = soft->r;
	uint32_t end = r->end;
	bool late = r->late;

	r->end = close;
	r->late = true;
	(void)rd_soft(r, soft->parts, soft->mode == SOFT_BRACE ? SOFT_BRACE_RANGE : SOFT_RANGE);
	r->late = late;
	r->end = end;
	r->stopped = r->arena->failed;
	soft->run = close;
}

/*
 * A ' protects nothing here: it is text, and what is between two of them is live. But bash wants
 * two of them, and finds the end of what they stand in only behind the second.
 */
static void
soft_squote(struct soft *soft)
{
	struct reader *r = soft->r;
	uint32_t start = r->pos;
	const char *close = memchr(r->text + start + 1, '\'', r->end - start - 1);
	uint32_t pos = close != NULL ? (uint32_t)(close - r->text) : 0;

	rd_only_bash(r, "has a ' that bash pairs and sh does not", start, start + 1);
	if (close == NULL) {
		rd_fail(r, "has a ' without an end", start, start + 1);
		return;
	}
	if (!is_inert(soft, start + 1, pos)) {
		if (is_arith(soft->mode)) {
			rd_doubt(r, "has ' in arithmetic, where it protects nothing", start,
				 pos + 1);
		}
		r->pos = start + 1;
		if (!soft_flush(soft, r->pos)) {
			return;
		}
		soft_range(soft, pos);
	}
	if (!r->stopped) {
		r->pos = pos + 1;
	}
}

static bool
soft_double(struct soft *soft)
{
	struct reader *r = soft->r;

	if (soft->mode == SOFT_DQUOTE || soft->mode == SOFT_EMBEDDED) {
		return false;
	}
	if (soft->mode == SOFT_RANGE || soft->mode == SOFT_BRACE_RANGE) {
		rd_doubt(r, "has a \" between two ' inside of double quotes", r->pos, r->pos + 1);
		r->pos++;
		return true;
	}
	if (soft_flush(soft, r->pos)) {
		(void)rd_dquote(r, soft->parts, r->pos, soft->mode == SOFT_BRACE);
	}
	soft->run = r->pos;
	return true;
}

/* Brackets, and what ends a mode. false at the end. */
static bool
soft_special(struct soft *soft, char c)
{
	struct reader *r = soft->r;

	if (c == ';' && soft->nest > 0) {
		rd_fail(r, "has a for (( that bash does not accept", r->pos, r->pos + 1);
	}
	if (char_is(c, CHAR_RBRACE | CHAR_SEMI)) {
		return false;
	}
	if (char_is(c, CHAR_PAREN | CHAR_BRACKET)) {
		bool closes = c == ')' || c == ']';

		if (closes && soft->nest == 0 && soft->mode != SOFT_SUBSTRING) {
			return false;
		}
		if (!closes || soft->nest > 0) {
			soft->nest += closes ? UINT32_MAX : 1;
		}
	}
	if (c == ':' && soft->nest == 0 && soft->questions == 0) {
		return false;
	}
	if (c == ':' && soft->questions > 0) {
		soft->questions--;
	}
	if (c == '?') {
		soft->questions++;
	}
	if (char_is(c, CHAR_ANGLE) && rd_after(r, r->pos) == '(') {
		rd_doubt(r, "has a process substitution inside of double quotes", r->pos,
			 r->pos + 1);
	}
	r->pos++;
	return true;
}

static bool
soft_step(struct soft *soft, char c)
{
	struct reader *r = soft->r;

	switch (c) {
	case '$':
		soft_dollar(soft);
		return true;
	case '\\':
		soft_backslash(soft);
		return true;
	case '`':
		if (soft_flush(soft, r->pos)) {
			(void)rd_backquote(r, soft->parts, true, !r->in_body);
		}
		soft->run = r->pos;
		return true;
	case '\'':
		soft_squote(soft);
		return true;
	case '"':
		return soft_double(soft);
	default:
		return soft_special(soft, c);
	}
}

bool
rd_soft(struct reader *r, struct parts *parts, enum soft_mode mode)
{
	struct soft soft = { .r = r, .parts = parts, .mode = mode, .run = r->pos, .begins = true };
	uint32_t start = r->pos;
	bool goes_on = true;

	while (goes_on && !r->stopped) {
		char c;

		while (r->pos < r->end && !char_is(r->text[r->pos], modes[mode].stops)) {
			r->pos++;
		}
		c = rd_at(r, r->pos);
		if (c == '\0') {
			break;
		}
		goes_on = soft_step(&soft, c);
	}
	if (!r->stopped && goes_on && (mode < SOFT_RANGE || mode > SOFT_HERE_TABS)) {
		rd_fail(r,
			mode < SOFT_RANGE ? "has a \" without an end"
					  : "has something that is opened and not closed",
			start > 0 ? start - 1 : 0, start);
	}
	if (!r->stopped) {
		(void)soft_flush(&soft, r->pos);
	}
	return !r->stopped;
}

bool
rd_dquote(struct reader *r, struct parts *parts, uint32_t start, bool embedded)
{
	struct part *before = parts->last;
	struct part *first;

	if (!rd_enter(r)) {
		return false;
	}
	r->pos++;
	(void)rd_soft(r, parts, embedded ? SOFT_EMBEDDED : SOFT_DQUOTE);
	rd_leave(r);
	if (r->stopped) {
		return false;
	}
	r->pos++;
	if (parts->last == before) {
		(void)parts_text(r, parts, true, r->pos - 1, r->pos - 1);
	}
	first = before != NULL ? before->next : parts->first;
	if (!r->stopped) {
		first->span.start = start;
		parts->last->span.end = r->pos;
	}
	return !r->stopped;
}
