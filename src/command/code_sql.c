/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: queries of SQL databases, as their shells read them: statements, and the
 * commands of psql (backslash), sqlite3 (dot) and mysql among them.
 *
 * Invariants:
 *   - a query is never known to be harmless; what destroys data, runs programs or touches files is
 *     found in strings, comments and nested statements as the servers would read them
 *   - where servers differ on backslashes in strings, the text is read both ways
 */

#include "command/code_sql.h"

#include "base/attr.h"

#include <string.h>

#define DELETES(name, id_, message_)                                                               \
	static const struct rule name = { .id = (id_),                                             \
					  .decision = BAILEY_FORBIDDEN,                            \
					  .kind = BAILEY_EFFECT_DELETES,                           \
					  .message = (message_) }

DELETES(drops, "sql.drop", "drops what a database holds");
DELETES(truncates, "sql.truncate", "empties a table");
DELETES(deletes_all, "sql.delete-all", "deletes every row of a table");
DELETES(drops_column, "sql.drop-column", "drops a column or a partition and its data");
DELETES(resets, "sql.reset", "deletes the logs of a database server");
static const struct rule updates_all = { "sql.update-all", BAILEY_PROMPT, BAILEY_EFFECT_WRITES,
					 "changes every row of a table" };
static const struct rule stops = { "sql.shutdown", BAILEY_FORBIDDEN, BAILEY_EFFECT_SYSTEM,
				   "stops the database server" };
static const struct rule loads = { "sql.load-code", BAILEY_PROMPT, BAILEY_EFFECT_EXECUTES,
				   "loads code into a database" };

/* ---- tokens -------------------------------------------------------------------------------- */

static char
at(const struct sql *sql, size_t i)
{
	return i < sql->end ? sql->text[i] : '\0';
}

/* Goes behind the comment that starts here; false when there is none. What MySQL runs of a comment
 * is no comment. */
static bool
skip_comment(struct sql *sql)
{
	char c = at(sql, sql->at);
	const char *end;

	if ((c == '-' && at(sql, sql->at + 1) == '-') ||
	    (c == '#' && (sql->at == 0 || lex_is_space(sql->text[sql->at - 1])))) {
		end = memchr(sql->text + sql->at, '\n', sql->end - sql->at);
		sql->at = end == NULL ? sql->end : (size_t)(end - sql->text);
		return true;
	}
	if (c == '*' && at(sql, sql->at + 1) == '/') {
		sql->at += 2;
		return true;
	}
	if (c != '/' || at(sql, sql->at + 1) != '*') {
		return false;
	}
	sql->at += 2;
	if (at(sql, sql->at) == '!') {
		sql->at++;
		while (lex_is_digit(at(sql, sql->at))) {
			sql->at++;
		}
		return true;
	}
	end = memmem(sql->text + sql->at, sql->end - sql->at, "*/", 2);
	sql->at = end == NULL ? sql->end : (size_t)(end - sql->text) + 2;
	return true;
}

/* A string in `quote`, which doubles to stand for itself. */
static void
quoted(struct sql *sql, char quote, struct sql_token *token)
{
	bool backslash = sql->backslashes && quote != '`';
	size_t i = sql->at + 1;

	token->start = i;
	while (i < sql->end) {
		if (sql->text[i] == '\\' && backslash) {
			i++;
		} else if (sql->text[i] == quote && at(sql, i + 1) == quote) {
			i++;
		} else if (sql->text[i] == quote) {
			break;
		}
		i++;
	}
	i = i < sql->end ? i : sql->end;
	token->len = i - token->start;
	token->kind = quote == '\'' ? SQL_STRING : SQL_QUOTED;
	sql->at = i < sql->end ? i + 1 : i;
}

/* $tag$ ... $tag$. */
static bool
dollar(struct sql *sql, struct sql_token *token)
{
	size_t tag = sql->at + 1;
	const char *end;

	while (lex_is_name(at(sql, tag))) {
		tag++;
	}
	if (sql->no_dollars || at(sql, tag) != '$') {
		return false;
	}
	tag++;
	end = memmem(sql->text + tag, sql->end - tag, sql->text + sql->at, tag - sql->at);
	if (end == NULL) {
		sql->no_dollars = true;
		return false;
	}
	token->kind = SQL_BODY;
	token->start = tag;
	token->len = (size_t)(end - sql->text) - tag;
	sql->at = tag + token->len + (tag - sql->at);
	return true;
}

void
sql_next(struct sql *sql, struct sql_token *token)
{
	char c;

	sql->line_start = false;
	while (sql->at < sql->end) {
		c = sql->text[sql->at];
		if (c == '\n') {
			sql->line_start = true;
		}
		if (!lex_is_space(c) && !skip_comment(sql)) {
			break;
		}
		sql->at += lex_is_space(c) ? 1U : 0U;
	}
	*token = (struct sql_token){ .kind = SQL_END, .start = sql->at };
	if (sql->at >= sql->end) {
		return;
	}
	c = sql->text[sql->at];
	if (c == '\'' || c == '"' || c == '`') {
		quoted(sql, c, token);
		return;
	}
	if (c == '$' && dollar(sql, token)) {
		return;
	}
	token->kind = SQL_PUNCT;
	token->len = 1;
	if (lex_is_name(c)) {
		token->kind = SQL_WORD;
		while (lex_is_name(at(sql, token->start + token->len))) {
			token->len++;
		}
	}
	sql->at += token->len;
}

bool
sql_is(const struct sql *sql, const struct sql_token *token, const char *words)
{
	return token->kind == SQL_WORD &&
	       lex_in_nocase(words, sql->text + token->start, token->len);
}

static bool
is_char(const struct sql *sql, const struct sql_token *token, char c)
{
	return token->kind == SQL_PUNCT && sql->text[token->start] == c;
}

/* ---- statements ---------------------------------------------------------------------------- */

#define LEVELS_MAX 32

/* What stands inside one pair of parentheses, or outside of all. */
struct level {
	bool begins; /* nothing of a statement was read yet */
	char verb;   /* d: delete, u: update, a: alter */
	bool sets;   /* update ... set */
	bool where;
	bool limit;
	unsigned said;		  /* tokens behind where */
	struct sql_token says[3]; /* the first of them */
};

struct statement {
	struct level levels[LEVELS_MAX];
	size_t depth;
	struct sql_token before; /* the last token */
	struct sql_token earlier;
};

static bool
same(const struct sql *sql, const struct sql_token *a, const struct sql_token *b)
{
	return a->kind == b->kind && a->len == b->len &&
	       memcmp(sql->text + a->start, sql->text + b->start, a->len) == 0;
}

/* Does the condition hold for every row: 1, true, 1=1? */
static bool
holds_always(const struct sql *sql, const struct level *level)
{
	const struct sql_token *says = level->says;

	if (level->said == 1) {
		return sql_is(sql, &says[0], "true") ||
		       (says[0].kind == SQL_WORD && says[0].len == 1 &&
			lex_is_digit(sql->text[says[0].start]) && sql->text[says[0].start] != '0');
	}
	return level->said == 3 && is_char(sql, &says[1], '=') && same(sql, &says[0], &says[2]);
}

static void
finish_level(struct sql *sql, struct level *level)
{
	bool all = !level->where || holds_always(sql, level);

	if (level->verb == 'd' && all && !level->limit) {
		find_rule(sql->code->found, &deletes_all, NULL);
	} else if (level->verb == 'u' && level->sets && all && !level->limit) {
		find_rule(sql->code->found, &updates_all, NULL);
	}
	*level = (struct level){ .begins = true };
}

static void
finish(struct sql *sql, struct statement *statement)
{
	for (size_t i = 0; i <= statement->depth; i++) {
		finish_level(sql, &statement->levels[i]);
	}
	statement->depth = 0;
}

/* The first word of a statement. */
static void
verb(struct sql *sql, struct level *level, const struct sql_token *token)
{
	size_t saved = sql->at;
	struct sql_token next;

	sql_next(sql, &next);
	sql->at = saved;
	if (sql_is(sql, token, "drop") && next.kind != SQL_END &&
	    !sql_is(sql, &next, "temporary temp prepare")) {
		find_rule(sql->code->found, &drops, NULL);
	} else if (sql_is(sql, token, "truncate") && next.kind != SQL_END &&
		   !is_char(sql, &next, '(')) {
		find_rule(sql->code->found, &truncates, NULL);
	} else if (sql_is(sql, token, "delete")) {
		level->verb = 'd';
	} else if (sql_is(sql, token, "update")) {
		level->verb = 'u';
	} else if (sql_is(sql, token, "alter")) {
		level->verb = 'a';
	} else if (sql_is(sql, token, "shutdown")) {
		find_rule(sql->code->found, &stops, NULL);
	} else if ((sql_is(sql, token, "reset") && sql_is(sql, &next, "master")) ||
		   (sql_is(sql, token, "purge") && sql_is(sql, &next, "binary master"))) {
		find_rule(sql->code->found, &resets, NULL);
	}
}

/* alter ... drop what? */
static void
altered(struct sql *sql, const struct sql_token *token)
{
	static const char harmless[] = "not default constraint index key foreign primary check "
				       "identity expression";
	size_t saved = sql->at;
	struct sql_token next;

	sql_next(sql, &next);
	sql->at = saved;
	if (next.kind != SQL_END && !sql_is(sql, &next, harmless)) {
		find_rule(sql->code->found, sql_is(sql, token, "drop") ? &drops_column : &truncates,
			  NULL);
	}
}

static void
word(struct sql *sql, struct statement *statement, const struct sql_token *token)
{
	struct level *level = &statement->levels[statement->depth];

	if (sql_is(sql, token, "begin then else loop do analyze explain")) {
		level->begins = true;
		return;
	}
	if (level->begins || is_char(sql, &statement->before, ')')) {
		verb(sql, level, token);
	}
	level->begins = false;
	if (sql_is(sql, token, "where")) {
		level->where = true;
		level->said = 0;
		return;
	}
	level->limit |= sql_is(sql, token, "limit using");
	level->sets |= sql_is(sql, token, "set");
	if (level->verb == 'a' && sql_is(sql, token, "drop truncate")) {
		altered(sql, token);
	}
}

static void
note_condition(const struct sql *sql, struct level *level, const struct sql_token *token)
{
	if (!level->where || is_char(sql, token, ';') || is_char(sql, token, ')')) {
		return;
	}
	if (level->said < COUNT_OF(level->says)) {
		level->says[level->said] = *token;
	}
	level->said += level->said < 8 ? 1U : 0U;
}

static void
punctuation(struct sql *sql, struct statement *statement, const struct sql_token *token)
{
	char c = sql->text[token->start];

	if (c == ';') {
		finish(sql, statement);
	} else if (c == '(' && statement->depth + 1 < LEVELS_MAX) {
		statement->depth++;
		statement->levels[statement->depth] = (struct level){ .begins = true };
	} else if (c == ')' && statement->depth > 0) {
		finish_level(sql, &statement->levels[statement->depth]);
		statement->depth--;
	}
}

/* ---- strings in places that mean something ------------------------------------------------- */

static void
string(struct sql *sql, const struct statement *statement, const struct sql_token *token)
{
	static const struct {
		const char *before;
		enum deed deed;
	} rows[] = {
		{ "outfile dumpfile into lo_export writefile pg_file_write", DEED_WRITE },
		{ "infile readfile pg_read_file pg_read_binary_file load_file lo_import "
		  "pg_ls_dir read_csv read_text read_parquet read_json",
		  DEED_READ },
		{ "attach database", DEED_EDIT },
	};
	const struct sql_token *before = &statement->before;
	const struct field *text;

	if (is_char(sql, before, '(')) {
		before = &statement->earlier;
	}
	text = code_made(sql->code, sql->text + token->start, token->len);
	if (sql_is(sql, before, "program sys_exec sys_eval system")) {
		(void)code_shell(sql->code, text, "sql");
		return;
	}
	if (sql_is(sql, before, "xp_cmdshell")) {
		find_code(sql->code->found, LANG_CMD, text, INNER_PROMPT, "sql");
		return;
	}
	if (sql_is(sql, before, "execute prepare immediate exec eval sp_executesql") &&
	    sql->depth < SQL_DEPTH_MAX) {
		sql_statements(sql, token->start, token->start + token->len);
		return;
	}
	if (sql_is(sql, before, "load_extension load install")) {
		find_rule(sql->code->found, &loads, text);
	}
	for (size_t i = 0; i < COUNT_OF(rows) && text != NULL; i++) {
		if (sql_is(sql, before, rows[i].before)) {
			find_deed(sql->code->found, rows[i].deed, text);
		}
	}
	if (sql->copies && sql_is(sql, before, "from to")) {
		find_deed(sql->code->found, sql_is(sql, before, "from") ? DEED_READ : DEED_WRITE,
			  text);
	}
}

void
sql_statements(struct sql *outer, size_t from, size_t to)
{
	struct sql sql = *outer;
	struct statement statement = { 0 };
	struct sql_token token;

	sql.at = from;
	sql.end = to;
	sql.depth++;
	sql.line_start = true;
	statement.levels[0].begins = true;
	for (;;) {
		bool start = statement.depth == 0 && statement.levels[0].begins;

		if (sql.depth == 1 && sql_command(&sql, start)) {
			statement.levels[0].begins = true;
			continue;
		}
		sql_next(&sql, &token);
		if (token.kind == SQL_END) {
			break;
		}
		sql.copies = start ? sql_is(&sql, &token, "copy") : sql.copies;
		note_condition(&sql, &statement.levels[statement.depth], &token);
		if (token.kind == SQL_WORD) {
			word(&sql, &statement, &token);
		} else if (token.kind == SQL_PUNCT) {
			punctuation(&sql, &statement, &token);
		} else if (token.kind == SQL_STRING || token.kind == SQL_QUOTED) {
			string(&sql, &statement, &token);
		} else if (token.kind == SQL_BODY && sql.depth < SQL_DEPTH_MAX) {
			sql_statements(&sql, token.start, token.start + token.len);
		}
		statement.earlier = statement.before;
		statement.before = token;
	}
	finish(&sql, &statement);
}

void
code_sql(struct code *code)
{
	struct sql sql = { .code = code, .text = code->text };

	find_unknown(code->found, "a query that may change data", code->field);
	sql_statements(&sql, 0, code->len);
	if (memmem(code->text, code->len, "\\'", 2) != NULL ||
	    memmem(code->text, code->len, "\\\"", 2) != NULL) {
		sql.backslashes = true;
		sql_statements(&sql, 0, code->len);
	}
}
