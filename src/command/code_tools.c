/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: commands of gdb, makefiles, crontabs, and the input of bc, dc and m4.
 * Invariant: only arithmetic of bc, and of dc without strings and shells, is known to be harmless.
 */

#include "command/code_lines.h"

#include "base/attr.h"

#include <string.h>

/* ---- gdb ----------------------------------------------------------------------------------- */

static void
gdb_pipe(struct code *code, struct line rest)
{
	const char *bar = memchr(code->text + rest.from, '|', rest.to - rest.from);

	if (bar != NULL) {
		rest.from = (size_t)(bar - code->text) + 1;
		line_shell(code, rest, 0, "gdb");
	}
}

/* The lines up to one that is `end` are code of Python. */
static void
gdb_block(struct code *code, size_t *next)
{
	struct line block = { .from = *next, .to = *next };
	struct line line;

	while (line_next(code, next, &line)) {
		struct line trimmed = line_trim(code, line);

		if (line_abbreviates(code, trimmed, "end", 3)) {
			break;
		}
		block.to = line.to;
	}
	line_code(code, block, LANG_PYTHON, "gdb");
}

static void
gdb_line(struct code *code, struct line line, size_t *next)
{
	struct line rest;
	struct line word = line_word(code, line, &rest);

	if (code->text[line.from] == '!') {
		line.from++;
		line_shell(code, line, 0, "gdb");
	} else if (code->text[line.from] == '|') {
		line.from++;
		gdb_pipe(code, line);
	} else if (line_abbreviates(code, word, "pipe", 4)) {
		gdb_pipe(code, rest);
	} else if (line_abbreviates(code, word, "shell", 3) ||
		   line_abbreviates(code, word, "make", 4)) {
		line_shell(code, word.to - word.from == 4 ? line : rest, 0, "gdb");
	} else if (line_abbreviates(code, word, "python", 2) ||
		   line_abbreviates(code, word, "python-interactive", 7) ||
		   line_abbreviates(code, word, "pi", 2)) {
		if (rest.from < rest.to) {
			line_code(code, rest, LANG_PYTHON, "gdb");
		} else {
			gdb_block(code, next);
		}
	} else if (line_abbreviates(code, word, "source", 2)) {
		line_deed(code, rest, DEED_EXECUTE);
	} else {
		line_calls(code, line, "system popen execl execlp", "gdb");
	}
}

void
code_gdb(struct code *code)
{
	struct line line;
	size_t next = 0;

	find_unknown(code->found, "a command of a debugger", code->field);
	while (line_next(code, &next, &line)) {
		line = line_trim(code, line);
		if (line.from < line.to) {
			gdb_line(code, line, &next);
		}
	}
}

/* ---- make ---------------------------------------------------------------------------------- */

/* A recipe's line as the shell gets it: $$ is one dollar, other references are not known. */
static void
recipe(struct code *code, struct line line)
{
	char *text = NULL;
	size_t len = 0;

	while (line.from < line.to && memchr("@-+ \t", code->text[line.from], 5) != NULL) {
		line.from++;
	}
	text = arena_alloc(code->arena, line.to - line.from + 1);
	for (size_t i = line.from; text != NULL && i < line.to; i++) {
		char c = code->text[i];
		char second = i + 1 < line.to ? code->text[i + 1] : '\0';

		if (c == '$' && (second == '(' || second == '{')) {
			const char *end =
				memchr(code->text + i, second == '(' ? ')' : '}', line.to - i);

			text[len] = FIELD_UNKNOWN;
			i = end == NULL ? line.to : (size_t)(end - code->text);
		} else {
			text[len] = c == '$' && second != '$' ? FIELD_UNKNOWN : c;
			i += c == '$' ? 1U : 0U;
		}
		len++;
	}
	if (text != NULL && len > 0) {
		(void)code_shell(code, code_made(code, text, len), "make");
	}
}

/* $(shell ...) anywhere: its text, parentheses paired. */
static void
make_functions(struct code *code, struct line line)
{
	size_t i = line.from;

	while (i < line.to) {
		const char *at = memmem(code->text + i, line.to - i, "(shell ", 7);
		struct line text;
		size_t depth = 1;

		if (at == NULL) {
			break;
		}
		text.from = (size_t)(at - code->text) + 7;
		text.to = text.from;
		while (text.to < line.to && depth > 0) {
			depth += code->text[text.to] == '(' ? 1U : 0U;
			depth -= code->text[text.to] == ')' ? 1U : 0U;
			text.to += depth > 0 ? 1U : 0U;
		}
		recipe(code, text);
		i = text.to + 1;
	}
}

/* Where the recipe behind the ; of a rule starts, or the end. */
static size_t
rule_recipe(const struct code *code, struct line line)
{
	const char *colon = memchr(code->text + line.from, ':', line.to - line.from);
	const char *semicolon;

	if (colon == NULL) {
		return line.to;
	}
	semicolon = memchr(colon, ';', line.to - (size_t)(colon - code->text));
	return semicolon == NULL ? line.to : (size_t)(semicolon - code->text) + 1;
}

void
code_make(struct code *code)
{
	struct line line;
	size_t next = 0;

	find_unknown(code->found, "what a makefile says", code->field);
	while (line_next(code, &next, &line)) {
		const char *assigns;

		while (line.to < code->len && line.to > line.from &&
		       code->text[line.to - 1] == '\\') { /* goes on in the next line */
			struct line more;

			if (!line_next(code, &next, &more)) {
				break;
			}
			line.to = more.to;
		}
		make_functions(code, line);
		if (line.from < line.to && code->text[line.from] == '\t') {
			recipe(code, line);
			continue;
		}
		assigns = memmem(code->text + line.from, line.to - line.from, "!=", 2);
		line.from = assigns != NULL ? (size_t)(assigns - code->text) + 2
					    : rule_recipe(code, line);
		if (line.from < line.to) {
			recipe(code, line);
		}
	}
}

/* ---- crontab ------------------------------------------------------------------------------- */

/* Is the line NAME = value? */
static bool
cron_assignment(const struct code *code, struct line line)
{
	size_t i = line.from;

	while (i < line.to && lex_is_name(code->text[i])) {
		i++;
	}
	if (i == line.from || lex_is_digit(code->text[line.from])) {
		return false;
	}
	while (i < line.to && lex_is_blank(code->text[i])) {
		i++;
	}
	return i < line.to && code->text[i] == '=';
}

static void
cron_line(struct code *code, struct line line)
{
	unsigned fields = code->text[line.from] == '@' ? 1 : 5;
	struct line rest = line;
	const char *end;
	size_t from;

	for (unsigned i = 0; i < fields; i++) {
		(void)line_word(code, rest, &rest);
	}
	from = rest.from;
	do { /* a percent sign that no backslash escapes ends the command */
		end = memchr(code->text + from, '%', rest.to - from);
		from = end == NULL ? rest.to : (size_t)(end - code->text) + 1;
	} while (end != NULL && end > code->text + rest.from && end[-1] == '\\');
	rest.to = end == NULL ? rest.to : (size_t)(end - code->text);
	line_shell(code, rest, INNER_LATER, "cron");
}

void
code_crontab(struct code *code)
{
	struct line line;
	size_t next = 0;

	find_unknown(code->found, "commands that run at other times", code->field);
	while (line_next(code, &next, &line)) {
		line = line_trim(code, line);
		/* What is in front came from another command, and ends in a newline. */
		while (line.from < line.to && code->text[line.from] == FIELD_UNKNOWN) {
			line.from++;
		}
		if (line.from < line.to && code->text[line.from] != '#' &&
		    !cron_assignment(code, line)) {
			cron_line(code, line);
		}
	}
}

/* ---- calculators --------------------------------------------------------------------------- */

void
code_bc(struct code *code)
{
	code_known(code); /* it computes and prints, and has no way to do more */
}

void
code_dc(struct code *code)
{
	struct line line;
	size_t next = 0;

	while (line_next(code, &next, &line)) {
		bool string = false;
		size_t i;

		for (i = line.from; i < line.to; i++) {
			char c = code->text[i];
			const char *end;

			string |= c == '[';
			if (c == '!' && i + 1 < line.to && memchr("<=>", code->text[i + 1], 3)) {
				find_unknown(code->found, "a macro of dc", code->field);
			} else if (c == '!') {
				end = string ? memchr(code->text + i, ']', line.to - i) : NULL;
				line.from = i + 1;
				line.to = end == NULL ? line.to : (size_t)(end - code->text);
				line_shell(code, line, 0, "dc");
				find_unknown(code->found, "a shell's command", code->field);
				break;
			} else if (memchr("?xa<>=[", c, 7) != NULL) {
				find_unknown(code->found, "a macro of dc", code->field);
			}
		}
	}
	code_known(code);
}

/* Where the parenthesis that opens before `at` closes. */
static size_t
closing(const struct code *code, size_t at)
{
	size_t depth = 1;

	for (; at < code->len; at++) {
		depth += code->text[at] == '(' ? 1U : 0U;
		depth -= code->text[at] == ')' ? 1U : 0U;
		if (depth == 0) {
			break;
		}
	}
	return at;
}

/* Every call of `name`, parenthesis and all. */
static void
m4_calls(struct code *code, const char *name)
{
	size_t size = strlen(name);
	size_t i = 0;

	while (i < code->len) {
		const char *at = memmem(code->text + i, code->len - i, name, size);
		struct line text;

		if (at == NULL) {
			break;
		}
		text.from = (size_t)(at - code->text) + size;
		text.to = closing(code, text.from);
		i = text.to;
		text.from += text.from < text.to && code->text[text.from] == '`' ? 1U : 0U;
		text.to -= text.from < text.to && code->text[text.to - 1] == '\'' ? 1U : 0U;
		line_shell(code, text, 0, "m4");
	}
}

void
code_m4(struct code *code)
{
	find_unknown(code->found, "macros that may run programs", code->field);
	m4_calls(code, "syscmd("); /* and esyscmd( */
}
