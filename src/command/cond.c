/* SPDX-License-Identifier: MIT */
/*
 * [[ ... ]]: read flat, with the role of each word. A newline may stand where a term or an operator
 * between terms may, and nowhere else.
 */
#include "command/reader.h"

#include <string.h>

struct cond {
	struct reader *r;
	struct word **words;
	char *roles;
	size_t count;
	unsigned open; /* parentheses */
};

/* Ends the reading. Gives NULL. */
static void *
bad(struct reader *r)
{
	rd_fail(r, "has a [[ that bash does not accept", r->pos, r->pos);
	return NULL;
}

static bool
add(struct cond *cond, struct word *word, enum cond_role role)
{
	char *slot =
		word != NULL ? arena_push(cond->r->arena, &cond->roles, &cond->count, 1) : NULL;

	if (slot == NULL) {
		if (word != NULL) {
			(void)rd_alloc(cond->r, SIZE_MAX);
		}
		return false;
	}
	*slot = (char)role;
	*cond->words = word;
	cond->words = &word->next;
	return true;
}

/* An operator of `len` characters that stands at the reader. */
static bool
add_operator(struct cond *cond, size_t len)
{
	struct reader *r = cond->r;
	uint32_t start = r->pos;
	struct parts parts;
	struct part *part;

	for (size_t i = 0; i < len; i++) {
		rd_next(r);
	}
	parts_init(&parts);
	part = parts_text(r, &parts, false, start, r->pos);
	if (part != NULL && part->len != len) { /* a continuation stands between */
		part->text = rd_strndup(r, r->text + start, 1);
		part->len = 1;
		if (len == 2 && !r->stopped) {
			part->text = r->text[start] == '&' ? "&&" : "||";
			part->len = 2;
		}
	}
	return add(cond, rd_make_word(r, &parts, start), COND_OPERATOR);
}

static bool
is_text(const struct word *word, const char *text)
{
	const struct part *part = word->parts;

	return part != NULL && part->next == NULL && part->kind == PART_TEXT && !part->quoted &&
	       part->len == strlen(text) && memcmp(part->text, text, part->len) == 0;
}

static bool
is_unary(const struct word *word)
{
	const struct part *part = word->parts;

	return part != NULL && part->next == NULL && part->kind == PART_TEXT && !part->quoted &&
	       part->len == 2 && part->text[0] == '-' &&
	       memchr("abcdefghknoprstuvwxzGLNORS", part->text[1], 26) != NULL;
}

/* How the right of a binary operator is read; 0 when it is none. */
static char
binary_role(const struct word *word)
{
	static const struct {
		const char *text;
		char role;
	} table[] = {
		{ "==", COND_PATTERN },	 { "=", COND_PATTERN },	  { "!=", COND_PATTERN },
		{ "=~", COND_REGEX },	 { "-eq", COND_OPERAND }, { "-ne", COND_OPERAND },
		{ "-lt", COND_OPERAND }, { "-le", COND_OPERAND }, { "-gt", COND_OPERAND },
		{ "-ge", COND_OPERAND }, { "-nt", COND_OPERAND }, { "-ot", COND_OPERAND },
		{ "-ef", COND_OPERAND },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (is_text(word, table[i].text)) {
			return table[i].role;
		}
	}
	return '\0';
}

/* A word that is no operator; `flags` as of rd_word(). */
static struct word *
operand(struct cond *cond, unsigned flags)
{
	struct reader *r = cond->r;
	uint32_t end;
	char c;

	rd_blanks(r);
	c = rd_at(r, r->pos);
	if ((flags & WORD_REGEX) != 0 && (c == '(' || c == '|')) {
		return rd_word(r, flags);
	}
	if (!rd_word_starts(r) || rd_redirect_starts(r) || rd_is_word(r, "]]", &end)) {
		return bad(r);
	}
	return rd_word(r, flags);
}

/* Does the test end behind its first word? */
static bool
test_ends(struct reader *r)
{
	uint32_t end;
	char c;

	rd_blanks(r);
	c = rd_at(r, r->pos);
	return c == ')' || ((c == '&' || c == '|') && rd_after(r, r->pos) == c) ||
	       rd_is_word(r, "]]", &end);
}

/* What is right of the operator `role` speaks of. */
static bool
right(struct cond *cond, char role)
{
	unsigned flags = role == COND_PATTERN ? WORD_EXTGLOB : role == COND_REGEX ? WORD_REGEX : 0;

	return add(cond, operand(cond, flags), (enum cond_role)role);
}

static bool
test(struct cond *cond)
{
	struct reader *r = cond->r;
	struct word *word = operand(cond, 0);
	char role;

	if (word == NULL) {
		return false;
	}
	if (is_unary(word)) {
		return add(cond, word, COND_OPERATOR) && right(cond, COND_OPERAND);
	}
	if (!add(cond, word, COND_OPERAND)) {
		return false;
	}
	if (test_ends(r)) {
		return true;
	}
	if (char_is(rd_at(r, r->pos), CHAR_ANGLE)) {
		char next = rd_after(r, r->pos);

		if (next != '\0' && strchr("<>&|(", next) != NULL) {
			(void)bad(r);
			return false;
		}
		return add_operator(cond, 1) && right(cond, COND_OPERAND);
	}
	word = operand(cond, 0);
	role = word != NULL ? binary_role(word) : '\0';
	if (role == '\0') {
		(void)bad(r);
		return false;
	}
	return add(cond, word, COND_OPERATOR) && right(cond, role);
}

/* A term, with what stands in front of it. */
static bool
term(struct cond *cond)
{
	struct reader *r = cond->r;
	uint32_t end;

	for (;;) {
		(void)rd_newlines(r);
		if (rd_at(r, r->pos) == '(') {
			if (!rd_enter(r)) {
				return false;
			}
			cond->open++;
		} else if (!rd_is_word(r, "!", &end)) {
			return test(cond);
		}
		if (!add_operator(cond, 1)) {
			return false;
		}
	}
}

/* What follows a term: 1 for one more, 0 at the end, -1 failed. */
static int
between(struct cond *cond)
{
	struct reader *r = cond->r;
	uint32_t end;
	char c;

	for (;;) {
		(void)rd_newlines(r);
		c = rd_at(r, r->pos);
		if (c != ')' || cond->open == 0) {
			break;
		}
		cond->open--;
		rd_leave(r);
		if (!add_operator(cond, 1)) {
			return -1;
		}
	}
	if ((c == '&' || c == '|') && rd_after(r, r->pos) == c) {
		return add_operator(cond, 2) ? 1 : -1;
	}
	if (cond->open == 0 && rd_is_word(r, "]]", &end)) {
		r->pos = end;
		r->last_end = end;
		return 0;
	}
	(void)bad(r);
	return -1;
}

bool
parse_cond(struct reader *r, struct node *node)
{
	struct cond cond = { .r = r, .words = &node->words };
	int more = 1;

	rd_only_bash(r, "has [[, which sh does not know", node->span.start, r->pos);
	while (more > 0) {
		more = term(&cond) ? between(&cond) : -1;
	}
	for (; cond.open > 0; cond.open--) {
		rd_leave(r);
	}
	node->roles = cond.roles;
	return more == 0;
}
