/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: commands of editors and pagers: ex commands of vim, ed, less.
 * Invariant: only movements and searches of less are known to be harmless.
 */

#include "command/code_lines.h"

#include "base/attr.h"

#include <string.h>

/* ---- vim ----------------------------------------------------------------------------------- */

#define VIM_DEPTH_MAX 4
#define VIM_PARTS_MAX 64 /* commands of one line that are looked at */

enum vim_use {
	VIM_SHELL, /* the rest is for a shell */
	VIM_BANG,  /* the rest is for a shell when it starts with ! */
	VIM_WRITE,
	VIM_READ,
	VIM_SOURCE,
	VIM_PYTHON,
	VIM_LUA,
	VIM_PERL,
	VIM_RUBY,
	VIM_AGAIN,  /* the rest is a command */
	VIM_STRING, /* the rest is an expression whose strings are commands */
};

static const struct {
	const char *name;
	size_t least;
	enum vim_use use;
} vim_rows[] = {
	{ "read", 1, VIM_BANG },      { "write", 1, VIM_WRITE },     { "update", 2, VIM_WRITE },
	{ "wq", 2, VIM_WRITE },	      { "xit", 1, VIM_WRITE },	     { "saveas", 3, VIM_WRITE },
	{ "edit", 1, VIM_READ },      { "view", 3, VIM_READ },	     { "split", 2, VIM_READ },
	{ "tabedit", 4, VIM_READ },   { "terminal", 3, VIM_SHELL },  { "make", 3, VIM_SHELL },
	{ "source", 2, VIM_SOURCE },  { "runtime", 2, VIM_SOURCE },  { "luafile", 4, VIM_SOURCE },
	{ "python", 2, VIM_PYTHON },  { "python3", 7, VIM_PYTHON },  { "py3", 3, VIM_PYTHON },
	{ "pythonx", 7, VIM_PYTHON }, { "pyx", 3, VIM_PYTHON },	     { "pydo", 3, VIM_PYTHON },
	{ "py3do", 4, VIM_PYTHON },   { "lua", 3, VIM_LUA },	     { "luado", 4, VIM_LUA },
	{ "perl", 2, VIM_PERL },      { "perldo", 5, VIM_PERL },     { "ruby", 3, VIM_RUBY },
	{ "rubydo", 5, VIM_RUBY },    { "silent", 3, VIM_AGAIN },    { "noautocmd", 3, VIM_AGAIN },
	{ "bufdo", 4, VIM_AGAIN },    { "windo", 4, VIM_AGAIN },     { "argdo", 4, VIM_AGAIN },
	{ "tabdo", 4, VIM_AGAIN },    { "keepjumps", 5, VIM_AGAIN }, { "verbose", 4, VIM_AGAIN },
	{ "execute", 3, VIM_STRING }, { "global", 1, VIM_AGAIN },    { "unsilent", 3, VIM_AGAIN },
	{ "sandbox", 3, VIM_AGAIN },  { "vertical", 4, VIM_AGAIN },  { "normal", 4, VIM_AGAIN },
	{ "try", 3, VIM_AGAIN },
};

static void vim_one(struct code *code, struct line line, struct line whole, unsigned depth);

/* Where the command ends: at a bar that is not escaped or quoted. */
static size_t
bar(const struct code *code, struct line line)
{
	char quote = '\0';

	for (size_t i = line.from; i < line.to; i++) {
		char c = code->text[i];

		if (c == '\\') {
			i++;
		} else if (quote != '\0') {
			quote = c == quote ? '\0' : quote;
		} else if (c == '\'') {
			quote = c;
		} else if (c == '"' && i > line.from && memchr("( ,.[", code->text[i - 1], 5)) {
			quote = c;
		} else if (c == '|') {
			return i;
		}
	}
	return line.to;
}

/* Skips a range: 1,$ % .+2 /pattern/ 'a */
static size_t
vim_range(const struct code *code, struct line line)
{
	size_t i = line.from;

	while (i < line.to) {
		char c = code->text[i];

		if (c == '\'' && i + 1 < line.to) {
			i += 2;
		} else if (c == '/' || c == '?') {
			const char *end = memchr(code->text + i + 1, c, line.to - i - 1);

			if (end == NULL) {
				return i;
			}
			i = (size_t)(end - code->text) + 1;
		} else if (lex_is_digit(c) || lex_is_space(c) || memchr(":%,;.$+-<>*", c, 11)) {
			i++;
		} else {
			return i;
		}
	}
	return i;
}

static void
vim_path(struct code *code, struct line rest, enum deed deed)
{
	struct line after;

	while (rest.from < rest.to &&
	       (code->text[rest.from] == '+' || code->text[rest.from] == '>')) {
		deed = code->text[rest.from] == '>' ? DEED_APPEND : deed;
		rest.from++;
		if (deed != DEED_APPEND) { /* ++opt or +cmd */
			(void)line_word(code, rest, &after);
			rest = after;
		}
	}
	line_deed(code, rest, deed);
}

static void
vim_do(struct code *code, enum vim_use use, struct line rest, struct line whole, unsigned depth)
{
	bool bang = rest.from < rest.to && code->text[rest.from] == '!';
	bool glued = bang && rest.from > 0 && !lex_is_blank(code->text[rest.from - 1]);
	struct line shell = { .from = rest.from + 1, .to = whole.to };

	switch (use) {
	case VIM_SHELL:
		shell.from -= bang ? 0U : 1U;
		line_shell(code, shell, 0, "vim");
		break;
	case VIM_BANG:
	case VIM_WRITE:
		if (bang && (use == VIM_BANG || !glued)) {
			line_shell(code, shell, 0, "vim");
			break;
		}
		rest.from += bang ? 1U : 0U;
		vim_path(code, line_trim(code, rest), use == VIM_WRITE ? DEED_WRITE : DEED_READ);
		break;
	case VIM_READ:
		rest.from += bang ? 1U : 0U;
		vim_path(code, line_trim(code, rest), DEED_READ);
		break;
	case VIM_SOURCE:
		line_deed(code, rest, DEED_EXECUTE);
		break;
	case VIM_PYTHON:
		rest.to = whole.to;
		line_code(code, rest, LANG_PYTHON, "vim");
		break;
	case VIM_LUA:
		rest.to = whole.to;
		line_code(code, rest, LANG_LUA, "vim");
		break;
	case VIM_PERL:
		line_code(code, rest, LANG_PERL, "vim");
		break;
	case VIM_RUBY:
		line_code(code, rest, LANG_RUBY, "vim");
		break;
	case VIM_AGAIN:
		rest.from += glued ? 1U : 0U;
		vim_one(code, line_trim(code, rest), whole, depth + 1);
		break;
	case VIM_STRING:
		while (rest.from < rest.to && memchr("\"'", code->text[rest.from], 2) != NULL) {
			rest.from++;
		}
		while (rest.to > rest.from && memchr("\"'", code->text[rest.to - 1], 2) != NULL) {
			rest.to--;
		}
		vim_one(code, rest, rest, depth + 1);
		break;
	default:
		break;
	}
}

/* delete("path", "rf") and writefile([...], "path"). */
static void
vim_functions(struct code *code, struct line line)
{
	static const char calls[] = "system systemlist job_start term_start jobstart termopen";
	const char *at = memmem(code->text + line.from, line.to - line.from, "delete(", 7);
	struct line path;
	char quote;

	line_calls(code, line, calls, "vim");
	if (at == NULL) {
		return;
	}
	path.from = (size_t)(at - code->text) + 8;
	path.to = path.from;
	quote = path.from <= line.to ? code->text[path.from - 1] : '\0';
	while (path.to < line.to && code->text[path.to] != quote) {
		path.to++;
	}
	if (quote == '"' || quote == '\'') {
		line_deed(code, path,
			  memmem(code->text + path.to, line.to - path.to, "rf", 2) != NULL
				  ? DEED_DELETE_TREE
				  : DEED_DELETE);
	}
}

static void
vim_one(struct code *code, struct line line, struct line whole, unsigned depth)
{
	struct line word, rest;

	line.from = vim_range(code, line);
	if (line.from >= line.to || code->text[line.from] == '"' || depth > VIM_DEPTH_MAX) {
		return;
	}
	if (code->text[line.from] == '!') {
		whole.from = line.from + 1;
		whole.from += whole.from < whole.to && code->text[whole.from] == '!' ? 1U : 0U;
		line_shell(code, whole, 0, "vim");
		return;
	}
	word = line;
	word.to = word.from;
	while (word.to < line.to &&
	       (lex_is_alpha(code->text[word.to]) || lex_is_digit(code->text[word.to]))) {
		word.to++;
	}
	rest.from = word.to;
	rest.to = line.to;
	rest = line_trim(code, rest);
	for (size_t i = 0; i < COUNT_OF(vim_rows); i++) {
		if (line_abbreviates(code, word, vim_rows[i].name, vim_rows[i].least)) {
			vim_do(code, vim_rows[i].use, rest, whole, depth);
			return;
		}
	}
}

static void
vim_command(struct code *code, struct line line)
{
	unsigned count = 0;

	line = line_trim(code, line);
	vim_functions(code, line);
	while (line.from < line.to && count < VIM_PARTS_MAX) {
		struct line one = line;

		one.to = bar(code, line);
		vim_one(code, line_trim(code, one), line, 0);
		line.from = one.to + 1;
		count++;
	}
}

void
code_vim(struct code *code)
{
	struct line line;
	size_t next = 0;

	find_unknown(code->found, "a command of an editor", code->field);
	while (line_next(code, &next, &line)) {
		vim_command(code, line);
	}
}

/* ---- ed ------------------------------------------------------------------------------------ */

static void
ed_command(struct code *code, struct line line, bool *inserting)
{
	struct line rest;
	char c;

	line.from = vim_range(code, line);
	if (line.from >= line.to) {
		return;
	}
	c = code->text[line.from];
	rest.from = line.from + 1;
	rest.to = line.to;
	rest.from += c == 'w' && rest.from < rest.to && code->text[rest.from] == 'q' ? 1U : 0U;
	rest = line_trim(code, rest);
	if (c == 'a' || c == 'i' || c == 'c') {
		*inserting = true;
	} else if (c == '!') {
		line_shell(code, rest, 0, "ed");
	} else if (memchr("reEwW", c, 5) != NULL && rest.from < rest.to &&
		   code->text[rest.from] == '!') {
		rest.from++;
		line_shell(code, rest, 0, "ed");
	} else if (c == 'r' || c == 'e' || c == 'E') {
		line_deed(code, rest, DEED_READ);
	} else if (c == 'w' || c == 'W') {
		line_deed(code, rest, c == 'w' ? DEED_WRITE : DEED_APPEND);
	}
}

void
code_ed(struct code *code)
{
	struct line line;
	size_t next = 0;
	bool inserting = false;

	find_unknown(code->found, "a command of an editor", code->field);
	while (line_next(code, &next, &line)) {
		if (inserting) {
			inserting = line.to != line.from + 1 || code->text[line.from] != '.';
		} else {
			ed_command(code, line, &inserting);
		}
	}
}

/* ---- less ---------------------------------------------------------------------------------- */

static bool
less_moves(const struct code *code, struct line line)
{
	static const char moves[] = "gGFfbdujkqQpP%<>nNeEyzhHrR0123456789.-^ ";
	char c;

	if (line.from >= line.to) {
		return true;
	}
	for (size_t i = line.from; i < line.to; i++) {
		if ((unsigned char)code->text[i] < ' ') {
			return false; /* keys that end or change what is typed */
		}
	}
	c = code->text[line.from];
	if (c == '/' || c == '?' || c == '&') {
		return true;
	}
	for (size_t i = line.from; i < line.to; i++) {
		if (memchr(moves, code->text[i], sizeof moves - 1) == NULL) {
			return false;
		}
	}
	return true;
}

void
code_less(struct code *code)
{
	struct line line;
	size_t next = 0;

	while (line_next(code, &next, &line)) {
		char c = line.from < line.to ? code->text[line.from] : '\0';
		struct line rest = { .from = line.from + 1, .to = line.to };

		if (less_moves(code, line)) {
			continue;
		}
		find_unknown(code->found, "a command of a pager", code->field);
		if (c == '!' || c == '#') {
			line_shell(code, rest, 0, "less");
		} else if (c == '|' && rest.from < rest.to) {
			rest.from++;
			line_shell(code, rest, 0, "less");
		} else if (c == 's' || c == 'o' || c == 'O') {
			line_deed(code, rest, DEED_WRITE);
		}
	}
	code_known(code);
}
