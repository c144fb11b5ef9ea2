/* SPDX-License-Identifier: MIT */
/* Responsible for: what readers that go line by line share. */

#include "command/code_lines.h"

#include <string.h>

bool
line_next(const struct code *code, size_t *next, struct line *line)
{
	const char *end;

	if (*next >= code->len) {
		return false;
	}
	end = memchr(code->text + *next, '\n', code->len - *next);
	line->from = *next;
	line->to = end == NULL ? code->len : (size_t)(end - code->text);
	*next = line->to + 1;
	return true;
}

struct line
line_trim(const struct code *code, struct line line)
{
	while (line.from < line.to && lex_is_space(code->text[line.from])) {
		line.from++;
	}
	while (line.to > line.from && lex_is_space(code->text[line.to - 1])) {
		line.to--;
	}
	return line;
}

struct line
line_word(const struct code *code, struct line line, struct line *rest)
{
	struct line word = { .from = line.from, .to = line.from };

	while (word.to < line.to && !lex_is_space(code->text[word.to])) {
		word.to++;
	}
	rest->from = word.to;
	rest->to = line.to;
	*rest = line_trim(code, *rest);
	return word;
}

bool
line_abbreviates(const struct code *code, struct line word, const char *name, size_t least)
{
	size_t len = word.to - word.from;

	return len >= least && len <= strlen(name) &&
	       memcmp(code->text + word.from, name, len) == 0;
}

static const struct field *
piece(struct code *code, struct line line)
{
	return line.from < line.to ? code_made(code, code->text + line.from, line.to - line.from)
				   : NULL;
}

void
line_shell(struct code *code, struct line line, unsigned flags, const char *via)
{
	const struct field *text;

	line = line_trim(code, line);
	text = piece(code, line);
	if (text != NULL) {
		find_code(code->found, LANG_SH, text, INNER_PROMPT | flags, via);
	}
}

void
line_deed(struct code *code, struct line line, enum deed deed)
{
	const struct field *path;

	line = line_trim(code, line);
	path = piece(code, line);
	if (path != NULL) {
		find_deed(code->found, deed, path);
	}
}

void
line_code(struct code *code, struct line line, enum language language, const char *via)
{
	const struct field *text = piece(code, line);

	if (text != NULL) {
		find_code(code->found, language, text, INNER_PROMPT, via);
	}
}

/* The string at text[at], a quote, without its quotes and backslashes, for a shell. Gives where it
 * ends. */
static size_t
string_to_shell(struct code *code, size_t at, size_t to, const char *via)
{
	char quote = code->text[at];
	size_t from = at + 1;
	size_t end = from;
	char *text = NULL;
	size_t len = 0;

	while (end < to && code->text[end] != quote) {
		end += code->text[end] == '\\' && quote == '"' ? 2U : 1U;
	}
	end = end < to ? end : to;
	text = arena_alloc(code->arena, end - from + 1);
	for (size_t i = from; text != NULL && i < end; i++) {
		if (code->text[i] == '\\' && quote == '"' && i + 1 < end) {
			i++;
		}
		text[len] = code->text[i];
		len++;
	}
	if (text != NULL) {
		(void)code_shell(code, code_made(code, text, len), via);
	}
	return end;
}

void
line_calls(struct code *code, struct line line, const char *names, const char *via)
{
	size_t i = line.from;

	while (i < line.to) {
		size_t start = i;
		size_t open;

		while (i < line.to && (lex_is_name(code->text[i]))) {
			i++;
		}
		if (i == start) {
			i++;
			continue;
		}
		open = i;
		while (open < line.to && (code->text[open] == ' ' || code->text[open] == '(' ||
					  code->text[open] == '[')) {
			open++;
		}
		if (open < line.to && (code->text[open] == '"' || code->text[open] == '\'') &&
		    lex_in(names, code->text + start, i - start)) {
			i = string_to_shell(code, open, line.to, via);
		}
	}
}
