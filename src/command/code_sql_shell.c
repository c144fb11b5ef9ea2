/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what psql, sqlite3 and mysql read beside SQL: \! ls, .shell ls, system ls.
 * Invariant: a command reaches to the end of its line at most.
 */

#include "command/code_sql.h"

#include "base/attr.h"

#include <string.h>

enum sql_use {
	SQL_NOTHING,
	SQL_SHELL,  /* the rest of the line is for a shell */
	SQL_OUTPUT, /* a file, or a pipe */
	SQL_APPENDS,
	SQL_INPUT,	 /* a file that is read, or a pipe */
	SQL_SCRIPT,	 /* a file of statements, or a pipe */
	SQL_COPY,	 /* \copy ... to or from */
	SQL_EXTENSION,	 /* a library */
	SQL_LAST_OUTPUT, /* the last word is a file that is made */
	SQL_CODE,	 /* SQL to the end of the line */
};

struct sql_row {
	const char *name; /* lower case */
	size_t least;	  /* characters of it that are enough */
	enum sql_use use;
};

static const struct rule extension = { "sql.load-code", BAILEY_PROMPT, BAILEY_EFFECT_EXECUTES,
				       "loads code into a database" };

static const struct sql_row dot_rows[] = {
	{ "shell", 2, SQL_SHELL },	  { "system", 2, SQL_SHELL },
	{ "output", 1, SQL_OUTPUT },	  { "once", 2, SQL_OUTPUT },
	{ "log", 2, SQL_OUTPUT },	  { "trace", 2, SQL_OUTPUT },
	{ "read", 3, SQL_SCRIPT },	  { "import", 2, SQL_INPUT },
	{ "restore", 3, SQL_INPUT },	  { "save", 3, SQL_LAST_OUTPUT },
	{ "backup", 1, SQL_LAST_OUTPUT }, { "clone", 2, SQL_LAST_OUTPUT },
	{ "open", 2, SQL_LAST_OUTPUT },	  { "load", 2, SQL_EXTENSION },
};

static const struct sql_row backslash_rows[] = {
	{ "!", 1, SQL_SHELL },
	{ "o", 1, SQL_OUTPUT },
	{ "out", 3, SQL_OUTPUT },
	{ "g", 1, SQL_OUTPUT },
	{ "gx", 2, SQL_OUTPUT },
	{ "w", 1, SQL_OUTPUT },
	{ "write", 5, SQL_OUTPUT },
	{ "s", 1, SQL_OUTPUT },
	{ "i", 1, SQL_SCRIPT },
	{ "ir", 2, SQL_SCRIPT },
	{ "include", 7, SQL_SCRIPT },
	{ "include_relative", 16, SQL_SCRIPT },
	{ ".", 1, SQL_SCRIPT },
	{ "copy", 4, SQL_COPY },
	{ "lo_export", 9, SQL_LAST_OUTPUT },
	{ "lo_import", 9, SQL_INPUT },
	{ "t", 1, SQL_NOTHING },
	{ "p", 1, SQL_NOTHING },
};

/* Those of mysql are words at the start of a line, or letters behind a backslash. */
static const struct sql_row word_rows[] = {
	{ "system", 6, SQL_SHELL },
	{ "pager", 5, SQL_SHELL },
	{ "source", 6, SQL_SCRIPT },
	{ "tee", 3, SQL_APPENDS },
};

static const struct sql_row *
find(const struct sql_row *rows, size_t count, const char *name, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(rows[i].name);
		size_t j = 0;

		while (j < len && j < size && lex_lower(name[j]) == rows[i].name[j]) {
			j++;
		}
		if (j == len && len >= rows[i].least) {
			return &rows[i];
		}
	}
	return NULL;
}

/* The word at *at, without its quotes; *at goes behind it. */
static const struct field *
argument(struct sql *sql, size_t *at, size_t end)
{
	size_t start, stop;
	char quote;

	while (*at < end && lex_is_blank(sql->text[*at])) {
		(*at)++;
	}
	if (*at >= end) {
		return NULL;
	}
	quote = sql->text[*at];
	if (quote == '\'' || quote == '"') {
		const char *close = memchr(sql->text + *at + 1, quote, end - *at - 1);

		start = *at + 1;
		stop = close == NULL ? end : (size_t)(close - sql->text);
		*at = close == NULL ? end : stop + 1;
	} else {
		start = *at;
		while (*at < end && !lex_is_space(sql->text[*at])) {
			(*at)++;
		}
		stop = *at;
		while (stop > start + 1 && sql->text[stop - 1] == ';') {
			stop--;
		}
	}
	return code_made(sql->code, sql->text + start, stop - start);
}

static void
shell(struct sql *sql, size_t from, size_t to)
{
	while (from < to && lex_is_blank(sql->text[from])) {
		from++;
	}
	if (from < to) {
		(void)code_shell(sql->code, code_made(sql->code, sql->text + from, to - from),
				 "sql");
	}
}

/* \copy table to program 'x'. */
static void
copy(struct sql *sql, size_t from, size_t to)
{
	struct sql line = *sql;
	struct sql_token before = { .kind = SQL_END };
	struct sql_token token;

	line.at = from;
	line.end = to;
	for (sql_next(&line, &token); token.kind != SQL_END; sql_next(&line, &token)) {
		bool reads = sql_is(&line, &before, "from");
		const struct field *text = code_made(sql->code, sql->text + token.start, token.len);

		if (sql_is(&line, &before, "program")) {
			(void)code_shell(sql->code, text, "sql");
		} else if ((reads || sql_is(&line, &before, "to")) && text != NULL &&
			   !sql_is(&line, &token, "program stdin stdout pstdin pstdout")) {
			if (token.kind != SQL_STRING) { /* a bare file name */
				line.at = token.start;
				text = argument(&line, &line.at, to);
			}
			find_deed(sql->code->found, reads ? DEED_READ : DEED_WRITE, text);
		}
		before = token;
	}
}

static void
file(struct sql *sql, enum sql_use use, size_t from, size_t to)
{
	const struct field *path;
	size_t pipe = from;

	while (pipe < to && (lex_is_blank(sql->text[pipe]) || sql->text[pipe] == '"' ||
			     sql->text[pipe] == '\'')) {
		pipe++;
	}
	if (pipe < to && sql->text[pipe] == '|') {
		const char *close =
			pipe > from && !lex_is_blank(sql->text[pipe - 1])
				? memchr(sql->text + pipe, sql->text[pipe - 1], to - pipe)
				: NULL;

		shell(sql, pipe + 1, close == NULL ? to : (size_t)(close - sql->text));
		return;
	}
	path = argument(sql, &from, to);
	while (use == SQL_LAST_OUTPUT && from < to) {
		const struct field *next = argument(sql, &from, to);

		path = next != NULL ? next : path;
	}
	if (path == NULL || path->len == 0 || path->text[0] == '-') {
		return;
	}
	if (use == SQL_EXTENSION) {
		find_rule(sql->code->found, &extension, path);
	} else if (use == SQL_SCRIPT) {
		find_file(sql->code->found, LANG_SQL, path, INNER_PROMPT, "sql");
	} else {
		find_deed(sql->code->found,
			  use == SQL_INPUT     ? DEED_READ
			  : use == SQL_APPENDS ? DEED_APPEND
					       : DEED_WRITE,
			  path);
	}
}

static void
run(struct sql *sql, enum sql_use use, size_t from, size_t to)
{
	const char *tick = memchr(sql->text + from, '`', to - from);
	const char *close;

	if (tick != NULL && use != SQL_SHELL && sql->text[sql->at] == '\\') {
		size_t start = (size_t)(tick - sql->text) + 1;

		close = memchr(sql->text + start, '`', to - start);
		shell(sql, start, close == NULL ? to : (size_t)(close - sql->text));
	}
	switch (use) {
	case SQL_SHELL:
		shell(sql, from, to);
		break;
	case SQL_COPY:
		copy(sql, from, to);
		break;
	case SQL_OUTPUT:
	case SQL_APPENDS:
	case SQL_INPUT:
	case SQL_SCRIPT:
	case SQL_EXTENSION:
	case SQL_LAST_OUTPUT:
		file(sql, use, from, to);
		break;
	case SQL_NOTHING:
	case SQL_CODE:
	default:
		break;
	}
}

/* A backslash and what follows: psql's and mysql's. One letter may end a statement of mysql, and
 * another may follow on the line. */
static void
backslash(struct sql *sql, size_t to)
{
	size_t name = sql->at + 1;
	size_t from = name;
	const struct sql_row *row;

	while (from < to && lex_is_name(sql->text[from])) {
		from++;
	}
	from += from == name && from < to ? 1U : 0U;
	row = find(backslash_rows, COUNT_OF(backslash_rows), sql->text + name, from - name);
	run(sql, row != NULL ? row->use : SQL_NOTHING, from, to);
	if (from - name > 1 || (row != NULL && row->use == SQL_SHELL)) {
		sql->at = to;
	} else {
		sql->at = from;
	}
}

#define COMMANDS_MAX 2000
#define LINE_MAX_READ ((size_t)4096)

bool
sql_command(struct sql *sql, bool start)
{
	const struct sql_row *row;
	size_t name, from, to;
	const char *end;

	while (sql->at < sql->end && lex_is_space(sql->text[sql->at])) {
		sql->line_start |= sql->text[sql->at] == '\n';
		sql->at++;
	}
	if (sql->at >= sql->end || sql->commands >= COMMANDS_MAX ||
	    (sql->text[sql->at] != '\\' && (!start || !sql->line_start))) {
		return false;
	}
	to = sql->end - sql->at > LINE_MAX_READ ? sql->at + LINE_MAX_READ : sql->end;
	end = memchr(sql->text + sql->at, '\n', to - sql->at);
	to = end == NULL ? to : (size_t)(end - sql->text);
	if (sql->text[sql->at] == '\\') {
		sql->commands++;
		backslash(sql, to);
		return true;
	}
	name = sql->at + (sql->text[sql->at] == '.' ? 1U : 0U);
	from = name;
	while (from < to && lex_is_name(sql->text[from])) {
		from++;
	}
	if (name > sql->at) {
		row = find(dot_rows, COUNT_OF(dot_rows), sql->text + name, from - name);
	} else {
		row = find(word_rows, COUNT_OF(word_rows), sql->text + name, from - name);
	}
	if (row == NULL && name == sql->at) {
		return false;
	}
	sql->commands++;
	run(sql, row != NULL ? row->use : SQL_NOTHING, from, to);
	sql->at = to;
	return true;
}
