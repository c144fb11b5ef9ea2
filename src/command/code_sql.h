/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_SQL_H
#define COMMAND_CODE_SQL_H

/*
 * Between the readers of SQL (code_sql.c) and of the commands that the shells of databases have of
 * their own (code_sql_shell.c).
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#define SQL_DEPTH_MAX 4 /* statements in strings and bodies of statements */

enum sql_kind { SQL_END, SQL_WORD, SQL_STRING, SQL_QUOTED, SQL_BODY, SQL_PUNCT };

struct sql_token {
	enum sql_kind kind;
	size_t start;
	size_t len;
};

struct sql {
	struct code *code;
	const char *text;
	size_t at;
	size_t end;
	unsigned depth;
	bool backslashes;  /* they escape in strings */
	bool no_dollars;   /* a dollar quote had no end */
	bool line_start;   /* a newline was passed since the last token */
	unsigned commands; /* of the database's shell, so far */
	bool copies;	   /* inside of copy ... from or to */
};

void sql_next(struct sql *sql, struct sql_token *token);

/* Is the token one of these words, which are lower case? */
bool sql_is(const struct sql *sql, const struct sql_token *token, const char *words);

/* Reads the statements in [from, to) of the text. */
void sql_statements(struct sql *outer, size_t from, size_t to);

/* Reads the command of a database's shell that stands next, when there is one. `start`: a statement
 * could begin here. */
bool sql_command(struct sql *sql, bool start);

#endif /* COMMAND_CODE_SQL_H */
