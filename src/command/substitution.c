/* SPDX-License-Identifier: MIT */
/*
 * What a dollar sign or a backquote starts, and process substitution.
 *
 * "$((" is arithmetic when the two parentheses close together, and a command in parentheses when
 * they do not: the first is tried.
 */
#include "command/reader.h"

#include <assert.h>
#include <string.h>

static const char specials[] = "@*#?-$!";

/* ---- $x ------------------------------------------------------------------------------------- */

bool
rd_is_expansion(const struct reader *r, uint32_t pos)
{
	char c = rd_after(r, pos);

	return c != '\0' && (char_is(c, CHAR_NAME | CHAR_DIGIT) || c == '{' || c == '(' ||
			     c == '[' || strchr(specials, c) != NULL);
}

/* $x, $1, $@: the reader behind the dollar sign. */
static bool
plain_param(struct reader *r, struct parts *parts, bool soft, uint32_t start)
{
	static const char *const digits[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	static const char *const signs[] = { "@", "*", "#", "?", "-", "$", "!" };
	struct param *param = rd_alloc(r, sizeof(*param));
	uint32_t from = r->pos;
	char c = rd_at(r, from);

	if (param == NULL) {
		return false;
	}
	if (char_is(c, CHAR_NAME)) {
		r->pos = rd_name_end(r, from);
		param->name = rd_name(r, from, r->pos);
	} else if (c >= '0' && c <= '9') {
		r->pos++;
		param->name = digits[c - '0'];
	} else {
		const char *sign = strchr(specials, c);

		assert(sign != NULL && *sign != '\0'); /* rd_is_expansion() has seen it */
		r->pos++;
		param->name = signs[sign - specials];
	}
	if (!r->stopped) {
		struct part *part = parts_add(r, parts, PART_PARAM, soft, start, r->pos);

		if (part != NULL) {
			part->param = param;
		}
	}
	return !r->stopped;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* < file and nothing else */
static bool
is_file(const struct script *script)
{
	const struct item *item = script->items;
	const struct redirect *redirect;

	if (item == NULL || item->node == NULL || item->next != NULL || item->background ||
	    item->node->kind != NODE_SIMPLE || item->node->words != NULL ||
	    item->node->assigns != NULL) {
		return false;
	}
	redirect = item->node->redirects;
	return redirect != NULL && redirect->next == NULL && redirect->op == REDIR_IN &&
	       redirect->fd == 0;
}

static bool
add_script(struct reader *r, struct parts *parts, enum part_kind kind, bool soft, uint32_t start,
	   struct script *script)
{
	struct part *part;

	if (kind == PART_COMMAND && is_file(script)) {
		kind = PART_FILE;
	}
	part = parts_add(r, parts, kind, soft, start, r->pos);
	if (part != NULL) {
		part->script = script;
	}
	return part != NULL;
}

/* bash 5.2 runs what it has printed, and then `time` stands right behind $( although a newline was
 * in between: it is a program there for as long as the end is looked for. */
static void
doubt_time(struct reader *r, const struct script *script)
{
	const struct node *node = script->items != NULL ? script->items->node : NULL;

	while (node != NULL && (node->kind == NODE_AND || node->kind == NODE_OR)) {
		node = node->first;
	}
	if (node != NULL && node->kind == NODE_PIPELINE && node->timed &&
	    !parse_is_program_time(node->first)) {
		rd_doubt(r, "times a command at the start of $( ), where bash loses the newline",
			 node->span.start, node->span.end);
	}
}

/* The script between parentheses, the reader on the first; NULL: failed. */
static struct script *
in_parens(struct reader *r)
{
	struct heredocs outer;
	uint32_t line = r->line;
	bool within = r->in_parens;
	bool in_array = r->in_array;
	bool in_body = r->in_body;
	bool in_case = r->in_case;
	bool after_body = r->after_body;
	struct script *script = NULL;

	if (!rd_enter(r)) {
		return NULL;
	}
	rd_heredocs_aside(r, &outer);
	r->line++;
	r->in_parens = true;
	r->in_array = false;
	r->in_body = false;
	r->after_body = false;
	r->pos++;
	script = parse_new_script(r);
	rd_blanks(r);
	if (within && rd_newlines(r)) { /* which the outer one does not keep */
		r->line++;
	}
	r->script_start = r->pos;
	if (script != NULL && parse_list(r, script, true) && rd_at(r, r->pos) != ')') {
		(void)rd_unexpected(r);
	}
	if (!r->stopped && script != NULL) {
		script->span.end = r->pos;
		r->pos++;
		doubt_time(r, script);
	}
	if (!r->stopped && script != NULL && r->pending != NULL) {
		rd_doubt(r, "has a here-document that is not complete in its $( )",
			 script->span.start, r->pos);
	}
	rd_heredocs_resume(r, &outer);
	r->line = line;
	r->in_parens = within;
	r->in_array = in_array;
	r->in_body = in_body;
	r->in_case = in_case;
	r->after_body = after_body;
	rd_leave(r);
	return r->stopped ? NULL : script;
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static bool
add_arith(struct reader *r, struct parts *parts, const struct parts *inner, bool soft,
	  uint32_t start, struct bailey_span span)
{
	struct part *part = parts_add(r, parts, PART_ARITH, soft, start, r->pos);

	if (part == NULL) {
		return false;
	}
	part->word = rd_make_word(r, inner, span.start);
	if (part->word != NULL) {
		part->word->span = span;
	}
	return part->word != NULL;
}

int
rd_arith(struct reader *r, struct parts *parts, bool exact)
{
	int found = -1;

	if (!rd_enter(r)) {
		return -1;
	}
	if (rd_soft(r, parts, SOFT_PAREN)) {
		char next = exact ? rd_at(r, r->pos + 1) : rd_after(r, r->pos);

		found = next == ')' ? 1 : 0;
	}
	if (found == 0 && !exact) {
		r->pos++;
		found = rd_soft(r, parts, SOFT_PAREN) ? 0 : -1;
	} else if (found == 1) {
		rd_next(r);
	}
	r->pos += found >= 0 ? 1 : 0;
	rd_leave(r);
	return found;
}

/* Behind the quote or parenthesis that ends what starts at `at`; UINT32_MAX: it does not end. */
static uint32_t
skip_group(const struct reader *r, uint32_t at, uint32_t end, char close)
{
	unsigned depth = 0;

	while (at < end) {
		char c = r->text[at++];
		char next = at < end ? r->text[at] : '\0';

		if (c == close && depth-- == 0) {
			return at;
		}
		if (c == '\\' && close != '\'') {
			at++;
		} else if (close == '\'' || close == '`') {
			continue;
		} else if (c == '$' && (next == '(' || next == '{')) {
			at = skip_group(r, at + 1, end, next == '(' ? ')' : '}');
		} else if (c == '`' || c == '"' || (c == '\'' && close == ')')) {
			at = skip_group(r, at, end, c);
		} else if (c == '(' && close == ')') {
			depth++;
		}
	}
	return UINT32_MAX;
}

/* Do the parentheses match outside of quotes, as bash counts them? */
static bool
parens_match(const struct reader *r, uint32_t at, uint32_t end)
{
	uint32_t depth = 0;

	while (at < end) {
		char c = r->text[at++];

		if (c == '\\') {
			at++;
		} else if (c == '\'' || c == '"') {
			at = skip_group(r, at, end, c);
		} else if (c == '(') {
			depth++;
		} else if (c == ')' && depth-- == 0) {
			return false;
		}
	}
	return depth == 0 && at != UINT32_MAX;
}

/* Is there a `case`, or what needs several lines: a comment, a here-document? */
static bool
may_print_parens(const struct reader *r, uint32_t start, uint32_t end)
{
	if (memchr(r->text + start, '\n', end - start) != NULL) {
		return true;
	}
	for (uint32_t at = start; at + 1 < end; at++) {
		if (r->text[at] == '$' && r->text[at + 1] == '\'') {
			return true;
		}
		if (end - at > 4 && memcmp(r->text + at, "case", 4) == 0 &&
		    !char_is(r->text[at - 1], CHAR_NAME | CHAR_DIGIT) &&
		    !char_is(r->text[at + 4], CHAR_NAME | CHAR_DIGIT)) {
			return true;
		}
	}
	return false;
}

/*
 * What reads as arithmetic is a command in parentheses to bash all the same when the parentheses do
 * not match once it has printed the scripts that are in there: without comments and without the (
 * in front of a pattern of `case`.
 */
static void
doubt_arithmetic(struct reader *r, const struct parts *inner, uint32_t start, uint32_t end)
{
	bool runs = false;

	for (const struct part *part = inner->first; part != NULL; part = part->next) {
		runs = runs || part->kind != PART_TEXT;
	}
	if (!parens_match(r, start, end) || (runs && may_print_parens(r, start, end))) {
		rd_doubt(r, "has arithmetic that bash may take for a command", start, end);
	}
}

/* In double quotes bash 5.2 has undone the quotes of $'...' while it took this for arithmetic: what
 * was one word of data is then read as commands. */
static void
doubt_undone_quotes(struct reader *r, uint32_t start, uint32_t end)
{
	for (uint32_t at = start; at < end; at++) {
		char next = r->text[at] == '$' ? rd_after(r, at) : '\0';

		if (next == '\'' || next == '"') {
			rd_doubt(r, "has $'...' in what bash takes for arithmetic at first", at,
				 at + 1);
			return;
		}
	}
}

/* A command after all, up to `end`. bash reads it only when it runs it, so what is wrong in it does
 * not end the reading. */
static bool
late_command(struct reader *r, struct parts *parts, enum part_kind kind, bool soft, uint32_t start,
	     uint32_t end)
{
	uint32_t whole = r->end;
	bool late = r->late;
	struct script *script;

	doubt_undone_quotes(r, start, end);
	r->end = end;
	r->late = true;
	script = in_parens(r);
	r->late = late;
	r->end = whole;
	if (script == NULL && !r->arena->failed) {
		r->stopped = false;
		r->pos = end;
		script = parse_new_script(r);
	}
	if (script != NULL && r->pos != end) {
		rd_fail(r, "has parentheses that do not match", start, end);
	}
	return script != NULL && !r->stopped && add_script(r, parts, kind, soft, start, script);
}

/*
 * Parentheses of `kind`, the reader on the first. Two of them at the start are taken as arithmetic
 * by bash as long as it looks for the end, whatever comes of it.
 */
static bool
parens(struct reader *r, struct parts *parts, enum part_kind kind, bool soft, uint32_t start)
{
	struct mark mark = rd_mark(r);
	struct parts inner;
	uint32_t from;
	uint32_t end;
	int found;

	if (rd_after(r, r->pos) != '(') {
		struct script *script = in_parens(r);

		return script != NULL && add_script(r, parts, kind, soft, start, script);
	}
	parts_init(&inner);
	rd_next(r);
	from = r->pos + 1;
	r->pos = from;
	found = rd_arith(r, &inner, false);
	end = r->pos;
	if (found > 0 && kind == PART_COMMAND) {
		uint32_t close = end - 1;

		while (r->text[close - 1] != ')') { /* continuations between the two */
			close--;
		}
		doubt_arithmetic(r, &inner, from, close - 1);
		return add_arith(r, parts, &inner, soft, start,
				 (struct bailey_span){ from, close - 1 });
	}
	if (found < 0 || !rd_back(r, &mark)) {
		return false;
	}
	return late_command(r, parts, kind, soft, start, end);
}

bool
rd_process(struct reader *r, struct parts *parts)
{
	uint32_t start = r->pos;
	enum part_kind kind = rd_at(r, start) == '<' ? PART_IN : PART_OUT;

	rd_only_bash(r, "has a process substitution, which sh does not know", start, start + 1);
	rd_next(r);
	return parens(r, parts, kind, false, start);
}

/* $[...] */
static bool
dollar_bracket(struct reader *r, struct parts *parts, bool soft, uint32_t start)
{
	uint32_t from = r->pos + 1;
	struct parts inner;
	bool read;

	rd_only_bash(r, "has $[, which sh does not know", start, from);
	parts_init(&inner);
	if (!rd_enter(r)) {
		return false;
	}
	r->pos = from;
	read = rd_soft(r, &inner, SOFT_BRACKET);
	rd_leave(r);
	if (!read) {
		return false;
	}
	r->pos++;
	return add_arith(r, parts, &inner, soft, start, (struct bailey_span){ from, r->pos - 1 });
}

bool
rd_dollar(struct reader *r, struct parts *parts, bool soft)
{
	uint32_t start = r->pos;
	char c;

	rd_next(r);
	c = rd_at(r, r->pos);
	if (c == '{') {
		r->pos = start;
		return rd_param(r, parts, soft);
	}
	if (c == '(') {
		return parens(r, parts, PART_COMMAND, soft, start);
	}
	if (c == '[') {
		return dollar_bracket(r, parts, soft, start);
	}
	return plain_param(r, parts, soft, start);
}

/* ---- `...` ---------------------------------------------------------------------------------- */

/* The text between backquotes as a source of its own: one level of backslashes is removed. */
static struct source *
backquoted(struct reader *r, uint32_t start, uint32_t end, bool escaped)
{
	struct source *source = rd_alloc(r, sizeof(*source));
	char *text = source != NULL ? rd_alloc(r, (size_t)(end - start) + 1) : NULL;
	size_t len = 0;

	if (text == NULL) {
		return NULL;
	}
	for (uint32_t i = start; i < end; i++) {
		char next = r->text[i] == '\\' && i + 1 < end ? r->text[i + 1] : '\0';

		if (next == '\n') {
			i++;
			continue;
		}
		if (next == '$' || next == '`' || next == '\\' || (escaped && next == '"')) {
			i++;
		} else if (next != '\0') {
			text[len++] = '\\';
			i++;
		}
		text[len++] = r->text[i];
	}
	source->text = text;
	source->len = len;
	source->outer = r->source;
	source->at = (struct bailey_span){ start, end };
	source->exact = len == end - start;
	return source;
}

static struct script *
read_backquoted(struct reader *r, const struct source *source, const struct bailey_span *at)
{
	struct reader inner = *r;
	struct script *script;

	inner.source = source;
	inner.text = source->text;
	inner.pos = 0;
	inner.end = (uint32_t)source->len;
	inner.in_parens = false;
	inner.in_array = false;
	inner.in_body = false;
	inner.in_case = false;
	inner.late = true;
	inner.pending = NULL;
	inner.pending_end = &inner.pending;
	inner.pending_count = 0;
	inner.line = r->line + 1;
	if (inner.trouble_at == NULL) {
		inner.trouble_at = at;
	}
	script = parse_text(&inner);
	r->budget = inner.budget;
	r->deepest = inner.deepest;
	if (r->arena->failed) {
		(void)rd_alloc(r, SIZE_MAX);
		return NULL;
	}
	return script;
}

bool
rd_backquote(struct reader *r, struct parts *parts, bool soft, bool escaped)
{
	uint32_t start = r->pos;
	uint32_t pos = start + 1;
	struct bailey_span at;
	struct source *source;
	struct script *script;

	while (pos < r->end && r->text[pos] != '`') {
		pos += r->text[pos] == '\\' ? 2 : 1;
	}
	if (pos >= r->end) {
		rd_fail(r, "has a ` without an end", start, start + 1);
		return false;
	}
	at = (struct bailey_span){ start, pos + 1 };
	source = rd_enter(r) ? backquoted(r, start + 1, pos, escaped) : NULL;
	if (source == NULL) {
		return false;
	}
	script = read_backquoted(r, source, &at);
	rd_leave(r);
	r->pos = pos + 1;
	return script != NULL && add_script(r, parts, PART_COMMAND, soft, start, script);
}

/* ---- brackets ------------------------------------------------------------------------------- */

bool
rd_balanced(const struct reader *r, uint32_t start, uint32_t end, char open, char close)
{
	size_t depth = 0;
	char quote = '\0';

	for (uint32_t i = start; i < end; i++) {
		char c = r->text[i];

		if (c == '\\' && quote != '\'') {
			i++;
		} else if (quote != '\0') {
			quote = c == quote ? '\0' : quote;
		} else if (char_is(c, CHAR_SQUOTE | CHAR_DQUOTE | CHAR_BACKQUOTE)) {
			quote = c;
		} else if (c == open) {
			depth++;
		} else if (c == close && depth-- == 0) {
			return false;
		}
	}
	return depth == 0;
}
