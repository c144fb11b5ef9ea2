/* SPDX-License-Identifier: MIT */
/*
 * The lowest layer of the reader: classes of characters, blanks and comments, newlines, reserved
 * words, and how troubles are noted.
 */
#include "command/reader.h"

#include <string.h>

#define META_(c) [c] = CHAR_META
#define NAME_(c) [c] = CHAR_NAME
#define KEY_(c) [c] = (CHAR_NAME | CHAR_KEYWORD)
#define DIGIT_(c) [c] = CHAR_DIGIT

const uint16_t char_classes[256] = {
	META_(' '),
	META_('\t'),
	META_('\n'),
	META_('&'),
	META_('|'),
	[';'] = CHAR_META | CHAR_SEMI,
	['<'] = CHAR_META | CHAR_ANGLE,
	['>'] = CHAR_META | CHAR_ANGLE,
	['('] = CHAR_META | CHAR_PAREN,
	[')'] = CHAR_META | CHAR_PAREN,
	['$'] = CHAR_DOLLAR,
	['\\'] = CHAR_BACKSLASH,
	['`'] = CHAR_BACKQUOTE,
	['"'] = CHAR_DQUOTE,
	['\''] = CHAR_SQUOTE,
	['}'] = CHAR_RBRACE | CHAR_KEYWORD,
	['{'] = CHAR_KEYWORD,
	['!'] = CHAR_KEYWORD,
	['/'] = CHAR_SLASH,
	[':'] = CHAR_COLON,
	['?'] = CHAR_COLON,
	['['] = CHAR_BRACKET | CHAR_KEYWORD,
	[']'] = CHAR_BRACKET | CHAR_KEYWORD,
	DIGIT_('0'),
	DIGIT_('1'),
	DIGIT_('2'),
	DIGIT_('3'),
	DIGIT_('4'),
	DIGIT_('5'),
	DIGIT_('6'),
	DIGIT_('7'),
	DIGIT_('8'),
	DIGIT_('9'),
	NAME_('_'),
	NAME_('a'),
	NAME_('b'),
	KEY_('c'),
	KEY_('d'),
	KEY_('e'),
	KEY_('f'),
	NAME_('g'),
	NAME_('h'),
	KEY_('i'),
	NAME_('j'),
	NAME_('k'),
	NAME_('l'),
	NAME_('m'),
	NAME_('n'),
	NAME_('o'),
	NAME_('p'),
	NAME_('q'),
	NAME_('r'),
	KEY_('s'),
	KEY_('t'),
	KEY_('u'),
	NAME_('v'),
	KEY_('w'),
	NAME_('x'),
	NAME_('y'),
	NAME_('z'),
	NAME_('A'),
	NAME_('B'),
	NAME_('C'),
	NAME_('D'),
	NAME_('E'),
	NAME_('F'),
	NAME_('G'),
	NAME_('H'),
	NAME_('I'),
	NAME_('J'),
	NAME_('K'),
	NAME_('L'),
	NAME_('M'),
	NAME_('N'),
	NAME_('O'),
	NAME_('P'),
	NAME_('Q'),
	NAME_('R'),
	NAME_('S'),
	NAME_('T'),
	NAME_('U'),
	NAME_('V'),
	NAME_('W'),
	NAME_('X'),
	NAME_('Y'),
	NAME_('Z'),
};

/* ---- troubles ------------------------------------------------------------------------------- */

void
rd_note(struct reader *r, const char *rule, const char *message, uint32_t start, uint32_t end)
{
	if (r->trouble->rule != NULL) {
		return;
	}
	r->trouble->rule = rule;
	r->trouble->message = message;
	r->trouble->span = (struct bailey_span){ start, end };
	r->trouble->late = true;
	if (r->trouble_at != NULL) {
		r->trouble->span = *r->trouble_at;
	}
}

void
rd_only_bash(struct reader *r, const char *message, uint32_t start, uint32_t end)
{
	if (r->dialect == DIALECT_SH) {
		rd_note(r, "syntax.not-sh", message, start, end);
	}
}

static void
stop(struct reader *r)
{
	r->stopped = true;
	r->pos = r->end;
}

/* What ends the reading counts for more than what was noted before; but for characters, since those
 * may be why. */
static void
fail(struct reader *r, const char *rule, const char *message, uint32_t start, uint32_t end)
{
	if (r->stopped) {
		return;
	}
	if (!r->late && r->trouble->rule != NULL &&
	    strcmp(r->trouble->rule, "syntax.characters") != 0) {
		r->trouble->rule = NULL;
	}
	rd_note(r, rule, message, start, end);
	if (!r->late) {
		r->trouble->late = false;
	}
	stop(r);
}

void
rd_fail(struct reader *r, const char *message, uint32_t start, uint32_t end)
{
	fail(r, "syntax.unreadable", message, start, end);
}

void *
rd_unexpected(struct reader *r)
{
	uint32_t pos = r->pos;

	if (pos >= r->end) {
		rd_fail(r, "ends before the command is complete", r->end, r->end);
	} else {
		rd_fail(r, "does not fit the grammar of the shell here", pos, pos + 1);
	}
	return NULL;
}

void *
rd_alloc(struct reader *r, size_t size)
{
	void *piece = arena_alloc(r->arena, size);

	if (piece == NULL) {
		stop(r);
	}
	return piece;
}

char *
rd_strndup(struct reader *r, const char *text, size_t len)
{
	char *copy = arena_strndup(r->arena, text, len);

	if (copy == NULL) {
		stop(r);
	}
	return copy;
}

bool
rd_enter(struct reader *r)
{
	if (r->depth >= SYNTAX_DEPTH_MAX) {
		fail(r, "nesting-too-deep", "is nested too deeply to follow", r->pos,
		     r->pos < r->end ? r->pos + 1 : r->pos);
		return false;
	}
	r->depth++;
	if (r->depth > r->deepest) {
		r->deepest = r->depth;
	}
	return true;
}

void
rd_leave(struct reader *r)
{
	r->depth--;
}

struct mark
rd_mark(const struct reader *r)
{
	return (struct mark){
		.pos = r->pos,
		.in_case = r->in_case,
		.after_body = r->after_body,
		.trouble = *r->trouble,
		.pending = r->pending,
		.pending_end = r->pending_end,
		.pending_count = r->pending_count,
	};
}

bool
rd_back(struct reader *r, const struct mark *mark)
{
	size_t bytes = r->end - mark->pos;

	if (!r->stopped && r->pos >= mark->pos) {
		bytes = r->pos - mark->pos;
	}
	if (r->arena->failed) {
		stop(r);
		return false;
	}
	r->stopped = false;
	r->pos = mark->pos;
	r->in_case = mark->in_case;
	r->after_body = mark->after_body;
	*r->trouble = mark->trouble;
	r->pending = mark->pending;
	r->pending_end = mark->pending_end;
	*r->pending_end = NULL;
	r->pending_count = mark->pending_count;
	if (bytes > r->budget) {
		rd_fail(r, "has too many brackets that may be one thing or another", r->pos,
			r->pos);
		return false;
	}
	r->budget -= bytes;
	return true;
}

/* ---- blanks --------------------------------------------------------------------------------- */

void
rd_blanks(struct reader *r)
{
	char c = rd_cur(r);
	const char *newline;

	while (c == ' ' || c == '\t') {
		r->pos++;
		c = rd_cur(r);
	}
	if (c == '#') {
		newline = memchr(r->text + r->pos, '\n', r->end - r->pos);
		r->pos = newline != NULL ? (uint32_t)(newline - r->text) : r->end;
	}
}

void
rd_newline(struct reader *r)
{
	r->pos++;
	if (r->pending != NULL) {
		rd_heredocs(r);
	}
}

bool
rd_newlines(struct reader *r)
{
	bool any = false;

	rd_blanks(r);
	while (rd_at(r, r->pos) == '\n') {
		rd_newline(r);
		rd_blanks(r);
		any = true;
	}
	return any;
}

/* ---- reserved words ------------------------------------------------------------------------- */

#define KEYWORD_MAX 8

/* By first letter, so that a word is compared with the few that it can be. */
static const struct {
	const char *text;
	enum keyword keyword;
} keywords[] = {
	{ "!", KW_BANG },
	{ "[[", KW_COND },
	{ "]]", KW_CONDEND },
	{ "case", KW_CASE },
	{ "coproc", KW_COPROC },
	{ "do", KW_DO },
	{ "done", KW_DONE },
	{ "elif", KW_ELIF },
	{ "else", KW_ELSE },
	{ "esac", KW_ESAC },
	{ "fi", KW_FI },
	{ "for", KW_FOR },
	{ "function", KW_FUNCTION },
	{ "if", KW_IF },
	{ "in", KW_IN },
	{ "select", KW_SELECT },
	{ "then", KW_THEN },
	{ "time", KW_TIME },
	{ "until", KW_UNTIL },
	{ "while", KW_WHILE },
	{ "{", KW_LBRACE },
	{ "}", KW_RBRACE },
};

/* The unquoted word at the reader into `word`: its length, or 0 when it is longer than `max`, has
 * quotes or expansions, or goes on with a parenthesis that belongs to it. */
static size_t
plain_word(const struct reader *r, char *word, size_t max, uint32_t *end)
{
	uint32_t pos = rd_skip(r, r->pos);
	size_t len = 0;
	char c = rd_at(r, pos);

	while (c != '\0' && !char_is(c, CHAR_META)) {
		if (len == max || char_is(c, CHAR_DOLLAR | CHAR_BACKSLASH | CHAR_BACKQUOTE |
						     CHAR_DQUOTE | CHAR_SQUOTE)) {
			return 0;
		}
		word[len++] = c;
		pos = rd_skip(r, pos + 1);
		c = rd_at(r, pos);
	}
	*end = pos;
	if (char_is(c, CHAR_ANGLE) && rd_after(r, pos) == '(') {
		return 0;
	}
	if (c == '(' && r->extglob && len > 0 && strchr("?*+@!", word[len - 1]) != NULL) {
		return 0;
	}
	return len;
}

enum keyword
rd_keyword(const struct reader *r, uint32_t *end)
{
	char word[KEYWORD_MAX];
	size_t len;

	if (!char_is(rd_at(r, r->pos), CHAR_KEYWORD)) {
		return KW_NONE;
	}
	len = plain_word(r, word, sizeof(word), end);
	if (len == 0) {
		return KW_NONE;
	}
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		const char *text = keywords[i].text;

		if (text[0] == word[0] && strlen(text) == len && memcmp(text, word, len) == 0) {
			return keywords[i].keyword;
		}
	}
	return KW_NONE;
}

bool
rd_is_word(const struct reader *r, const char *word, uint32_t *end)
{
	char text[KEYWORD_MAX];
	size_t len = plain_word(r, text, sizeof(text), end);

	return len == strlen(word) && memcmp(text, word, len) == 0;
}

bool
rd_expect(struct reader *r, enum keyword keyword)
{
	uint32_t end = r->pos;

	rd_blanks(r);
	if (rd_keyword(r, &end) != keyword) {
		(void)rd_unexpected(r);
		return false;
	}
	r->pos = end;
	r->last_end = end;
	return true;
}
