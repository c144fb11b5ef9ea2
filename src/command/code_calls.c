/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: reading code that calls functions, from front to back, in any of the languages
 * that code_script_*.c describe.
 * Invariant: every token is visited once for each level of code in code; see code_calls.h for what
 * bounds that.
 */

#include "command/code_calls.h"

#include "base/attr.h"

#include <string.h>

static const struct rule reverse_shell = { "shell.reverse-shell", BAILEY_FORBIDDEN,
					   BAILEY_EFFECT_NETWORK,
					   "hands a shell to another machine" };
static const struct rule remote_code = { "code.from-network", BAILEY_FORBIDDEN,
					 BAILEY_EFFECT_EXECUTES,
					 "runs code that comes over the network" };

/* Calls that mean the same in every language. */
static const struct call_row common_rows[] = {
	{ .name = "atob", .act = VAL_BASE64 },
	{ .name = "decode", .act = VAL_CODEC },
	{ .name = "expanduser", .act = VAL_EXPAND },
	{ .name = "format", .act = VAL_FORMAT },
	{ .name = "getenv", .act = VAL_GETENV },
	{ .name = "homedir", .act = VAL_HOME },
	{ .name = "join", .owners = "path Path File posixpath", .act = VAL_PATH },
	{ .name = "join", .act = VAL_JOIN },
	{ .name = "require", .act = VAL_MODULE },
	{ .name = "reverse", .act = VAL_REVERSE },
	{ .name = "sprintf", .act = VAL_FORMAT },
	{ .name = "strip", .act = VAL_SAME },
	{ .name = "toString", .act = VAL_SAME },
	{ .name = "trim", .act = VAL_SAME },
};

/* ---- tables -------------------------------------------------------------------------------- */

static int
compare(const char *row, const char *name, size_t len)
{
	int order = strncmp(row, name, len);

	return order != 0 ? order : row[len] == '\0' ? 0 : 1;
}

static bool
owner_fits(const struct call_row *row, const char *owner, size_t len)
{
	if (row->owners == NULL) {
		return true;
	}
	if (owner == NULL) {
		return lex_in(row->owners, "-", 1);
	}
	return lex_in(row->owners, owner, len);
}

static const struct call_row *
find_row(const struct call_row *rows, size_t count, const char *name, size_t len, const char *owner,
	 size_t owner_len)
{
	size_t low = 0;
	size_t high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(rows[middle].name, name, len) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	while (low < count && compare(rows[low].name, name, len) == 0) {
		if (owner_fits(&rows[low], owner, owner_len)) {
			return &rows[low];
		}
		low++;
	}
	return NULL;
}

const struct call_row *
calls_row(const struct call_language *language, const char *name, size_t len, const char *owner,
	  size_t owner_len)
{
	const struct call_row *row;

	if (len == 0 || len > 64 || memchr(name, '\0', len) != NULL) {
		return NULL;
	}
	row = find_row(language->rows, language->count, name, len, owner, owner_len);
	if (row == NULL) {
		row = find_row(common_rows, COUNT_OF(common_rows), name, len, owner, owner_len);
	}
	return row;
}

/* ---- statements ---------------------------------------------------------------------------- */

static bool
is_op(const struct machine *machine, size_t at, uint16_t op)
{
	return at < machine->tokens.count && machine->tokens.items[at].kind == LEX_PUNCT &&
	       machine->tokens.items[at].op == op;
}

/* Is it a name of this class (enum lex_word)? */
static bool
is_word(const struct machine *machine, size_t at, unsigned class)
{
	return at < machine->tokens.count && machine->tokens.items[at].kind == LEX_NAME &&
	       (machine->tokens.items[at].style & class) != 0;
}

/* Is it the name "in" or "of"? */
static bool
is_in(const struct machine *machine, size_t at)
{
	return at < machine->tokens.count && machine->tokens.items[at].kind == LEX_NAME &&
	       lex_in("in of", machine->tokens.text + machine->tokens.items[at].start,
		      machine->tokens.items[at].len);
}

static const char *
name_at(const struct machine *machine, size_t at, size_t *len)
{
	*len = machine->tokens.items[at].len;
	return machine->tokens.text + machine->tokens.items[at].start;
}

static void
bind_at(struct machine *machine, size_t at, const struct value *value)
{
	size_t len;
	const char *name;

	if (at < machine->tokens.count && machine->tokens.items[at].kind == LEX_NAME) {
		name = name_at(machine, at, &len);
		calls_bind(machine, name, len, value);
	}
}

/* NAME = value, and the like. */
static void
assignment(struct machine *machine, size_t at)
{
	size_t op = at + 1;
	size_t from = at + 2;
	const struct value *before;
	struct value value;
	size_t len;
	const char *name = name_at(machine, at, &len);
	bool adds = is_op(machine, op, OP2('+', '=')) || is_op(machine, op, OP2('.', '='));

	if (!adds && !is_op(machine, op, '=') && !is_op(machine, op, OP2('<', '-')) &&
	    !is_op(machine, op, OP2(':', '=')) && !is_op(machine, op, OP2('|', '='))) {
		return;
	}
	before = calls_bound(machine, name, len);
	if (from >= machine->tokens.count) {
		return;
	}
	value = calls_expression(machine, &from, machine->tokens.count);
	if (adds && before != NULL) {
		value = calls_join(machine, before, &value);
	}
	calls_bind(machine, name, len, &value);
}

/* X as Y: Y is another name for X. */
static void
renaming(struct machine *machine, size_t at)
{
	struct value value = calls_unknown(0);

	if (at == 0 || machine->tokens.items[at - 1].kind != LEX_NAME) {
		return;
	}
	value.kind = VALUE_NAME;
	value.text = name_at(machine, at - 1, &value.len);
	bind_at(machine, at + 1, &value);
}

/* with EXPRESSION as NAME, foreach (EXPRESSION as NAME). */
static void
binding_as(struct machine *machine, size_t at)
{
	size_t from = at + 1;
	struct value value;

	from += is_op(machine, from, '(') ? 1U : 0U;
	if (from >= machine->tokens.count) {
		return;
	}
	value = calls_expression(machine, &from, machine->tokens.count);
	if (is_word(machine, from, WORD_AS)) {
		bind_at(machine, from + 1, &value);
	}
}

/* for NAME in EXPRESSION, of EXPRESSION, foreach NAME (LIST). */
static void
loop(struct machine *machine, size_t at)
{
	size_t name = at + 1;
	size_t from;
	struct value value;

	name += is_op(machine, name, '(') ? 1U : 0U;
	name += is_word(machine, name, WORD_PREFIX) ? 1U : 0U;
	if (name + 2 >= machine->tokens.count || machine->tokens.items[name].kind != LEX_NAME) {
		return;
	}
	from = name + 1;
	if (is_in(machine, from)) {
		from++;
	} else if (!is_op(machine, from, '(')) {
		return;
	}
	value = calls_expression(machine, &from, machine->tokens.count);
	bind_at(machine, name, &value);
}

/* { a: b } = ...: b is another name for a. */
static void
destructuring(struct machine *machine, size_t at)
{
	size_t close = machine->tokens.items[at].match;

	if (close <= at || !is_op(machine, close + 1, '=')) {
		return;
	}
	for (size_t i = at + 1; i + 2 < close && calls_burn(machine, 1); i++) {
		if (machine->tokens.items[i].kind == LEX_NAME && is_op(machine, i + 1, ':')) {
			struct value value = calls_unknown(0);

			value.kind = VALUE_NAME;
			value.text = name_at(machine, i, &value.len);
			bind_at(machine, i + 2, &value);
		}
	}
}

/* import ... from "https://...". */
static void
import(struct machine *machine, size_t at)
{
	const struct token *token;
	struct value url;

	if (at + 1 >= machine->tokens.count) {
		return;
	}
	token = &machine->tokens.items[at + 1];
	if (token->kind != LEX_STRING) {
		return;
	}
	url = calls_string(machine, token);
	if (url.kind == VALUE_TEXT && url.len > 8 &&
	    (memcmp(url.text, "https://", 8) == 0 || memcmp(url.text, "http://", 7) == 0)) {
		find_rule(machine->code->found, &remote_code, NULL);
	}
}

static void
keyword(struct machine *machine, size_t at)
{
	unsigned class = machine->tokens.items[at].style;

	if (class == 0) {
		return;
	}
	if ((class & WORD_AS) != 0) {
		renaming(machine, at);
	} else if ((class & WORD_WITH) != 0 && !is_op(machine, at + 1, '=')) {
		binding_as(machine, at);
	}
	if ((class & WORD_FOR) != 0) {
		loop(machine, at);
	} else if ((class & WORD_IMPORT) != 0) {
		import(machine, at);
	}
}

/* ---- walking ------------------------------------------------------------------------------- */

static void
interpolations(struct machine *machine, const struct token *token)
{
	const char *text = machine->tokens.text + token->start;
	size_t at = 0;

	if ((token->style & STYLE_INTERPOLATES) == 0) {
		return;
	}
	while (at < token->len) {
		size_t from = 0;
		size_t to = 0;
		size_t stop = lex_interpolation(text, token->len, token->style, &at, &from, &to);

		if (stop >= token->len) {
			break;
		}
		if (memchr(text + from, '(', to - from) != NULL ||
		    memchr(text + from, '`', to - from) != NULL ||
		    memchr(text + from, ' ', to - from) != NULL) {
			calls_walk(machine, text + from, to - from);
		}
	}
}

/* Does a chain begin here, and not go on? */
static bool
begins(const struct machine *machine, size_t at)
{
	const struct token *before;

	if (at == 0) {
		return true;
	}
	before = &machine->tokens.items[at - 1];
	if (before->kind == LEX_PUNCT) {
		return before->op != OP2('-', '>') && before->op != OP2('?', '.') &&
		       before->op != OP2(':', ':') &&
		       (before->op != '.' || machine->language->concat == '.');
	}
	return before->kind != LEX_NAME || (before->style & WORD_DEFINES) == 0;
}

static void
chain_at(struct machine *machine, size_t at)
{
	size_t end = machine->tokens.count;

	(void)calls_chain(machine, &at, end, true);
}

/* A bracket whose value goes on: ("a" + "b").run(), ["x"].each. */
static void
open_bracket(struct machine *machine, size_t at)
{
	size_t close = machine->tokens.items[at].match;
	const struct token *before = at > 0 ? &machine->tokens.items[at - 1] : NULL;

	if (machine->tokens.items[at].op == '{') {
		destructuring(machine, at);
		return;
	}
	if (close > at && close + 1 < machine->tokens.count &&
	    (before == NULL || before->kind == LEX_NEWLINE ||
	     (before->kind == LEX_PUNCT && before->op != ')' && before->op != ']' &&
	      before->op != '}')) &&
	    machine->tokens.items[close + 1].kind == LEX_PUNCT && begins(machine, at)) {
		chain_at(machine, at);
	}
}

static void
visit(struct machine *machine, size_t at)
{
	const struct token *token = &machine->tokens.items[at];

	switch (token->kind) {
	case LEX_NAME:
		if (begins(machine, at) && !is_word(machine, at, WORD_PREFIX)) {
			keyword(machine, at);
			assignment(machine, at);
			chain_at(machine, at);
		}
		break;
	case LEX_STRING:
		interpolations(machine, token);
		/* Behind the last token stands LEX_END. */
		if (machine->tokens.items[at + 1].kind == LEX_PUNCT && begins(machine, at)) {
			chain_at(machine, at);
		}
		break;
	case LEX_SHELL:
		interpolations(machine, token);
		calls_shell_token(machine, token);
		break;
	case LEX_CODE:
		calls_walk(machine, machine->tokens.text + token->start, token->len);
		break;
	case LEX_PUNCT:
		if (token->op == '(' || token->op == '[' || token->op == '{') {
			open_bracket(machine, at);
		}
		break;
	default:
		break;
	}
}

void
calls_walk(struct machine *machine, const char *text, size_t len)
{
	struct tokens saved = machine->tokens;
	unsigned inside = machine->inside;

	if (machine->depth >= CALLS_DEPTH_MAX || !calls_burn(machine, len)) {
		return;
	}
	if (lex_tokens(machine->arena, text, len, machine->language->lex, &machine->tokens)) {
		machine->depth += 3;
		machine->inside = 0;
		for (size_t i = 0; i < machine->tokens.count && calls_burn(machine, 1); i++) {
			visit(machine, i);
		}
		machine->depth -= 3;
	}
	machine->inside = inside;
	machine->tokens = saved;
}

void
calls_read(struct code *code, const struct call_language *language)
{
	struct machine machine = { .code = code, .arena = code->arena, .language = language };
	unsigned seen;

	find_unknown(code->found, "code that may do anything", code->field);
	machine.fuel = code->len * 12 + 20000;
	machine.tokens.text = code->text;
	calls_walk(&machine, code->text, code->len);
	seen = machine.seen;
	if ((seen & SEEN_CONNECT) != 0 &&
	    ((seen & SEEN_SHELL) != 0 || ((seen & SEEN_DUP) != 0 && (seen & SEEN_SINK) != 0))) {
		find_rule(code->found, &reverse_shell, NULL);
	}
	if ((seen & SEEN_EVAL) != 0 && (seen & (SEEN_FETCHED | SEEN_CONNECT)) != 0) {
		find_rule(code->found, &remote_code, NULL);
	}
}
