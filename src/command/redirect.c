/* SPDX-License-Identifier: MIT */
/*
 * Redirections, with the number or {name} in front.
 */
#include "command/reader.h"

#include <string.h>

/* Longest first. `fd`: what is redirected when nothing is written in front. */
static const struct {
	const char *text;
	enum redir_op op;
	int fd;
	bool only_bash;
} operators[] = {
	{ "<<<", REDIR_HERESTRING, 0, true },  { "<<-", REDIR_HEREDOC, 0, false },
	{ "<<", REDIR_HEREDOC, 0, false },     { "<&", REDIR_DUP_IN, 0, false },
	{ "<>", REDIR_BOTH, 0, false },	       { "<", REDIR_IN, 0, false },
	{ "&>>", REDIR_ALL_APPEND, -1, true }, { "&>", REDIR_ALL, -1, true },
	{ ">>", REDIR_APPEND, 1, false },      { ">&", REDIR_DUP_OUT, 1, false },
	{ ">|", REDIR_CLOBBER, 1, false },     { ">", REDIR_OUT, 1, false },
};

/* < or > that is no process substitution */
static bool
is_angle(const struct reader *r, uint32_t pos)
{
	return char_is(rd_at(r, pos), CHAR_ANGLE) && rd_after(r, pos) != '(';
}

static uint32_t
digits_end(const struct reader *r, uint32_t pos)
{
	while (char_is(rd_at(r, pos), CHAR_DIGIT)) {
		pos = rd_skip(r, pos + 1);
	}
	return pos;
}

/* Behind {name} or {name[subscript]}; `pos` when there is none. */
static uint32_t
variable_end(const struct reader *r, uint32_t pos)
{
	uint32_t start = rd_skip(r, pos + 1);
	uint32_t end = rd_name_end(r, start);

	if (end == start) {
		return pos;
	}
	if (rd_at(r, end) == '[') {
		while (rd_at(r, end) != '\0' && rd_at(r, end) != ']' &&
		       !char_is(rd_at(r, end), CHAR_META | CHAR_SQUOTE | CHAR_DQUOTE)) {
			end++;
		}
		end = rd_skip(r, end + 1);
	}
	return rd_at(r, end) == '}' ? rd_skip(r, end + 1) : pos;
}

bool
rd_redirect_starts(const struct reader *r)
{
	uint32_t pos = rd_skip(r, r->pos);
	char c = rd_at(r, pos);

	if (char_is(c, CHAR_ANGLE)) {
		return rd_after(r, pos) != '(';
	}
	if (char_is(c, CHAR_DIGIT)) {
		return is_angle(r, digits_end(r, pos));
	}
	if (c == '{') {
		uint32_t end = variable_end(r, pos);

		return end > pos && is_angle(r, end);
	}
	return c == '&' && rd_after(r, pos) == '>';
}

/* Steps over the operator at the reader; its index in the table. */
static size_t
operator(struct reader *r)
{
	size_t count = sizeof(operators) / sizeof(operators[0]);

	for (size_t i = 0; i < count; i++) {
		const char *text = operators[i].text;
		uint32_t pos = r->pos;

		while (*text != '\0' && rd_at(r, pos) == *text) {
			pos = rd_skip(r, pos + 1);
			text++;
		}
		if (*text == '\0') {
			r->pos = pos;
			return i;
		}
	}
	return count - 1;
}

/* What stands in front of the operator. */
static void
descriptor(struct reader *r, struct redirect *redirect, bool *given)
{
	uint32_t start = r->pos;
	uint32_t end;
	char c = rd_at(r, start);

	*given = true;
	if (char_is(c, CHAR_DIGIT)) {
		end = digits_end(r, start);
		if (end - start > 1) {
			rd_only_bash(r, "has a descriptor above 9, which sh does not know", start,
				     end);
		}
		for (uint32_t i = start; i < end; i = rd_skip(r, i + 1)) {
			if (redirect->fd > 100000000) {
				rd_doubt(r, "has a descriptor that there is not", start, end);
				break;
			}
			redirect->fd = redirect->fd * 10 + (r->text[i] - '0');
		}
		r->pos = end;
	} else if (c == '{') {
		rd_only_bash(r, "has {name} for a descriptor, which sh does not know", start,
			     start + 1);
		end = variable_end(r, start);
		redirect->variable = rd_strndup(r, r->text + start + 1, end - start - 2);
		redirect->fd = -1;
		r->pos = end;
	} else {
		*given = false;
	}
}

/* Is the text of the word all digits, or digits and a dash, or a dash? Also when it cannot be
 * told. */
static bool
may_be_number(struct reader *r, const struct word *word)
{
	size_t len;
	const char *text = rd_literal(r, word, &len);
	size_t i = 0;

	if (text == NULL || len == 0) {
		return true;
	}
	while (i < len && char_is(text[i], CHAR_DIGIT)) {
		i++;
	}
	return i == len || (i == len - 1 && text[i] == '-');
}

static struct word *
target(struct reader *r, bool dup)
{
	struct parts parts;

	rd_blanks(r);
	if (dup && rd_at(r, r->pos) == '-') {
		parts_init(&parts);
		(void)parts_text(r, &parts, false, r->pos, r->pos + 1);
		r->pos++;
		r->last_end = r->pos;
		return rd_make_word(r, &parts, r->pos - 1);
	}
	if (!rd_word_starts(r) ||
	    (rd_redirect_starts(r) && !(dup && char_is(rd_at(r, r->pos), CHAR_DIGIT)))) {
		return rd_unexpected(r);
	}
	return rd_word(r, 0);
}

struct redirect *
rd_redirect(struct reader *r)
{
	struct redirect *redirect = rd_alloc(r, sizeof(*redirect));
	bool given;
	bool dup;
	size_t i;

	if (redirect == NULL) {
		return NULL;
	}
	redirect->span.start = r->pos;
	descriptor(r, redirect, &given);
	i = operator(r);
	if (operators[i].only_bash) {
		rd_only_bash(r, "has a redirection that sh does not know", redirect->span.start,
			     r->pos);
	}
	redirect->op = operators[i].op;
	if (!given) {
		redirect->fd = operators[i].fd;
	}
	dup = redirect->op == REDIR_DUP_IN || redirect->op == REDIR_DUP_OUT;
	redirect->word = target(r, dup);
	if (redirect->word == NULL) {
		return NULL;
	}
	redirect->span.end = r->last_end;
	if (redirect->op == REDIR_DUP_OUT && !given && !may_be_number(r, redirect->word)) {
		rd_only_bash(r, "has >& with a file, which sh does not know", redirect->span.start,
			     redirect->span.end);
		redirect->op = REDIR_ALL;
		redirect->fd = -1;
	}
	if (redirect->op == REDIR_HEREDOC &&
	    !rd_heredoc_pend(r, redirect, redirect->word, operators[i].text[2] == '-')) {
		return NULL;
	}
	return r->stopped ? NULL : redirect;
}
