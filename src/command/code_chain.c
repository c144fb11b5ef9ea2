/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: values of expressions: lists, arguments, chains of names, calls and subscripts.
 *
 * Invariants:
 *   - a value may be known less than it could be, never wrongly
 *   - *at only grows, by one token at least for each step
 */

#include "command/code_calls.h"

#include "base/attr.h"

#include <string.h>

/* ---- lists and arguments ------------------------------------------------------------------- */

static bool
is_op(const struct machine *machine, size_t at, uint16_t op)
{
	return at < machine->tokens.count && machine->tokens.items[at].kind == LEX_PUNCT &&
	       machine->tokens.items[at].op == op;
}

static void
skip_newlines(const struct machine *machine, size_t *at, size_t end)
{
	while (*at < end && machine->tokens.items[*at].kind == LEX_NEWLINE) {
		(*at)++;
	}
}

/* Goes behind the next comma that is not inside of brackets. */
static void
skip_element(struct machine *machine, size_t *at, size_t end)
{
	while (*at < end && calls_burn(machine, 1)) {
		const struct token *token = &machine->tokens.items[*at];

		if (token->kind == LEX_PUNCT &&
		    (token->op == ',' || token->op == OP2('=', '>') || token->op == ';')) {
			(*at)++;
			return;
		}
		*at = token->kind == LEX_PUNCT && token->match > *at ? token->match + 1U : *at + 1;
	}
	*at = end;
}

size_t
calls_elements(struct machine *machine, const struct value *list, struct value *out, size_t max)
{
	struct tokens saved = machine->tokens;
	size_t at = list->from;
	size_t count = 0;

	if (list->kind != VALUE_LIST || machine->depth >= CALLS_DEPTH_MAX) {
		return 0;
	}
	machine->tokens = list->tokens;
	machine->inside++;
	machine->depth++;
	skip_newlines(machine, &at, list->to);
	while (at < list->to && count < max && machine->fuel > 0) {
		if (at + 2 < list->to && is_op(machine, at + 1, ':')) {
			at += 2; /* a member of an object */
		}
		out[count] = calls_expression(machine, &at, list->to);
		count++;
		skip_element(machine, &at, list->to);
		skip_newlines(machine, &at, list->to);
	}
	machine->depth--;
	machine->inside--;
	machine->tokens = saved;
	return count;
}

void
calls_args(struct machine *machine, size_t from, size_t to, struct args *args)
{
	size_t at = from;

	*args = (struct args){ .from = from, .to = to };
	machine->inside++;
	skip_newlines(machine, &at, to);
	while (at < to && args->count < CALLS_ARGS_MAX && machine->fuel > 0) {
		const struct token *token = &machine->tokens.items[at];

		if (token->kind == LEX_NAME && at + 2 < to &&
		    (is_op(machine, at + 1, '=') || is_op(machine, at + 1, ':'))) {
			args->keys[args->count].text = machine->tokens.text + token->start;
			args->keys[args->count].len = token->len;
			at += 2;
		}
		args->items[args->count] = calls_expression(machine, &at, to);
		args->count++;
		skip_element(machine, &at, to);
		skip_newlines(machine, &at, to);
	}
	machine->inside--;
}

/* ---- chains -------------------------------------------------------------------------------- */

struct chain {
	struct value value;
	const char *name; /* that was read and not called yet; NULL */
	size_t len;
	const char *owner;
	size_t owner_len;
	bool env;   /* the environment was named */
	bool first; /* `name` is the first of the chain */
	bool act;
};

static struct value
list_of(const struct machine *machine, size_t from, size_t to)
{
	struct value value = calls_unknown(0);

	value.kind = VALUE_LIST;
	value.from = (uint32_t)from;
	value.to = (uint32_t)to;
	value.tokens = machine->tokens;
	return value;
}

/* What stands in brackets at *at: a list, or one value when there is no comma. */
static struct value
group(struct machine *machine, size_t *at)
{
	size_t open = *at;
	size_t close = machine->tokens.items[open].match;
	size_t inner = open + 1;
	struct value value;

	*at = close > open ? close + 1 : open + 1;
	if (close <= open) {
		return calls_unknown(0);
	}
	if (!is_op(machine, open, '(')) {
		return list_of(machine, open + 1, close);
	}
	machine->inside++;
	skip_newlines(machine, &inner, close);
	value = calls_expression(machine, &inner, close);
	skip_newlines(machine, &inner, close);
	machine->inside--;
	if (is_op(machine, inner, ',') && inner < close) {
		return list_of(machine, open + 1, close);
	}
	return value;
}

static void
set_name(struct chain *chain, const char *name, size_t len)
{
	chain->name = name;
	chain->len = len;
}

static void
primary(struct machine *machine, size_t *at, size_t end, struct chain *chain)
{
	const struct token *token = &machine->tokens.items[*at];
	const char *text = machine->tokens.text;
	const struct value *bound;

	while (*at + 1 < end && ((token->kind == LEX_NAME && (token->style & WORD_PREFIX) != 0) ||
				 (token->kind == LEX_PUNCT &&
				  (token->op == '&' || token->op == '\\' || token->op == '!')))) {
		(*at)++;
		token++;
	}
	if (token->kind == LEX_PUNCT &&
	    (token->op == '(' || token->op == '[' || token->op == '{')) {
		chain->value = group(machine, at);
		return;
	}
	(*at)++;
	if (token->kind == LEX_STRING) {
		chain->value = calls_string(machine, token);
	} else if (token->kind == LEX_SHELL) {
		chain->value = calls_unknown(TAINT_OUTPUT);
	} else if (token->kind == LEX_NUMBER) {
		chain->value = calls_text(text + token->start, token->len);
		chain->value.kind = VALUE_NUMBER;
	} else if (token->kind == LEX_NAME) {
		bound = calls_bound(machine, text + token->start, token->len);
		chain->first = true;
		chain->env = (token->style & WORD_ENVIRONMENT) != 0;
		set_name(chain, text + token->start, token->len);
		if (bound != NULL && bound->kind == VALUE_NAME) {
			set_name(chain, bound->text, bound->len);
			chain->value = calls_unknown(bound->taint);
		} else if (bound != NULL) {
			chain->value = *bound;
			chain->owner = chain->name;
			chain->owner_len = chain->len;
			chain->name = NULL;
		}
	}
}

/* What a loop's block or arrow function calls the elements of the list before it:
 * .each { |x| ... }, .forEach(x => ...). */
static void
bind_element(struct machine *machine, size_t at, const struct value *list)
{
	const struct token *token;

	if (list->kind == VALUE_UNKNOWN) {
		return;
	}
	if (is_op(machine, at, '(')) {
		at++;
	} else if (is_op(machine, at, '{') && is_op(machine, at + 1, '|')) {
		at += 2;
	}
	token = &machine->tokens.items[at];
	if (at + 1 < machine->tokens.count && token->kind == LEX_NAME &&
	    (is_op(machine, at + 1, OP2('=', '>')) ||
	     (is_op(machine, at + 1, ')') && is_op(machine, at + 2, OP2('=', '>'))) ||
	     (is_op(machine, at + 1, '|') && is_op(machine, at - 1, '|')))) {
		calls_bind(machine, machine->tokens.text + token->start, token->len, list);
	}
}

/* What the call gives; when the chain acts, does it. */
static void
finish(struct machine *machine, struct chain *chain, const struct args *args)
{
	struct call call = { .receiver = chain->value, .args = *args };
	unsigned taint = chain->value.taint;

	if (chain->act) {
		bind_element(machine, args->from, &chain->value);
	}
	if (chain->name == NULL && chain->value.kind == VALUE_NAME) {
		set_name(chain, chain->value.text, chain->value.len);
	}
	if (chain->name != NULL) {
		call.row = calls_row(machine->language, chain->name, chain->len, chain->owner,
				     chain->owner_len);
	}
	for (size_t i = 0; i < args->count; i++) {
		taint |= args->items[i].taint;
	}
	chain->value = calls_unknown(taint);
	if (call.row != NULL) {
		struct value value = calls_value(machine, &call);

		if (chain->act) {
			calls_act(machine, &call);
		}
		value.taint |= (uint16_t)taint;
		chain->value = value;
	}
	if (chain->name != NULL) {
		chain->owner = chain->name;
		chain->owner_len = chain->len;
	}
	chain->name = NULL;
	chain->first = false;
}

/* A name that no arguments follow. */
static void
property(struct machine *machine, struct chain *chain)
{
	struct args none = { 0 };
	const struct call_row *row;

	if (chain->name == NULL) {
		return;
	}
	if (chain->env && lex_in("HOME USERPROFILE", chain->name, chain->len)) {
		static const char home[] = { CALLS_HOME };

		chain->value = calls_text(home, sizeof home);
		chain->name = NULL;
		return;
	}
	row = calls_row(machine->language, chain->name, chain->len, chain->owner, chain->owner_len);
	if (row != NULL && (row->act == VAL_HOME ||
			    ((machine->language->style & CALLS_CONST) != 0 && !chain->first))) {
		finish(machine, chain, &none);
		return;
	}
	chain->value = calls_unknown(chain->value.taint);
	chain->value.kind = VALUE_NAME;
	chain->value.text = chain->name;
	chain->value.len = chain->len;
	chain->owner = chain->name;
	chain->owner_len = chain->len;
	chain->name = NULL;
	chain->first = false;
}

static void
member(struct machine *machine, struct chain *chain, const char *name, size_t len)
{
	property(machine, chain);
	set_name(chain, name, len);
	chain->first = false;
	if (chain->owner == NULL) { /* a method of a value that has no name */
		chain->owner = "";
	}
}

static bool
is_dot(const struct machine *machine, size_t at)
{
	return (is_op(machine, at, '.') && machine->language->concat != '.') ||
	       is_op(machine, at, OP2('-', '>')) || is_op(machine, at, OP2('?', '.')) ||
	       is_op(machine, at, OP2(':', ':')) ||
	       (is_op(machine, at, ':') && machine->language->concat == OP2('.', '.') &&
		is_op(machine, at + 2, '('));
}

/* ["name"], {name} and other subscripts. */
static void
subscript(struct machine *machine, size_t *at, struct chain *chain)
{
	size_t open = *at;
	size_t close = machine->tokens.items[open].match;
	const struct token *token = &machine->tokens.items[open + 1];

	*at = close > open ? close + 1 : open + 1;
	if (close == open + 2 && (token->kind == LEX_STRING || token->kind == LEX_NAME)) {
		struct value name = calls_text(machine->tokens.text + token->start, token->len);

		if (token->kind == LEX_STRING) {
			name = calls_string(machine, token);
		}
		if (name.kind == VALUE_TEXT && name.len > 0) {
			member(machine, chain, name.text, name.len);
			return;
		}
	}
	property(machine, chain);
	if (close == open + 4 && is_op(machine, open + 1, OP2(':', ':')) &&
	    is_op(machine, open + 2, '-')) {
		struct call call = { .receiver = chain->value };
		struct call_row reverse = { .name = "", .act = VAL_REVERSE };

		call.row = &reverse;
		chain->value = calls_value(machine, &call);
		return;
	}
	chain->value = calls_unknown(chain->value.taint);
}

/* Where the arguments of a call without parentheses end. */
static size_t
bare_end(struct machine *machine, size_t from, size_t end)
{
	size_t at = from;

	while (at < end && calls_burn(machine, 1)) {
		const struct token *token = &machine->tokens.items[at];

		if (token->kind == LEX_NEWLINE && (machine->language->style & CALLS_LINES) != 0 &&
		    !is_op(machine, at - 1, ',')) {
			break;
		}
		if (token->kind == LEX_NAME && (token->style & WORD_ENDS) != 0) {
			break;
		}
		if (token->kind == LEX_PUNCT && (token->op == ';' || token->op == ')' ||
						 token->op == ']' || token->op == '}')) {
			break;
		}
		at = token->kind == LEX_PUNCT && token->match > at ? token->match + 1U : at + 1;
	}
	return at < end ? at : end;
}

static bool
bare_arguments(struct machine *machine, size_t at, size_t end, const struct chain *chain)
{
	const struct token *token = &machine->tokens.items[at];
	const struct call_row *row;

	if (chain->name == NULL || at >= end || (machine->language->style & CALLS_BARE) == 0 ||
	    (token->kind != LEX_STRING && token->kind != LEX_NAME && token->kind != LEX_SHELL &&
	     token->kind != LEX_NUMBER && !is_op(machine, at, '[') && !is_op(machine, at, '{') &&
	     !is_op(machine, at, '%'))) {
		return false;
	}
	row = calls_row(machine->language, chain->name, chain->len, chain->owner, chain->owner_len);
	return row != NULL;
}

static bool
postfix(struct machine *machine, size_t *at, size_t end, struct chain *chain)
{
	const struct token *items = machine->tokens.items;
	struct args args;
	size_t next = *at;
	size_t close;

	if (!calls_burn(machine, 1)) {
		return false;
	}
	if (next + 1 < end && items[next].kind == LEX_NEWLINE && is_dot(machine, next + 1)) {
		next++;
	}
	if (next + 1 < end && is_dot(machine, next)) {
		*at = next + 1;
		if (items[*at].kind == LEX_NAME) {
			member(machine, chain, machine->tokens.text + items[*at].start,
			       items[*at].len);
			chain->env |= (items[*at].style & WORD_ENVIRONMENT) != 0;
			(*at)++;
		}
		return true;
	}
	if (*at >= end) {
		return false;
	}
	if (is_op(machine, *at, '(') && items[*at].match > *at) {
		close = items[*at].match;
		calls_args(machine, *at + 1, close, &args);
		finish(machine, chain, &args);
		*at = close + 1;
		return true;
	}
	if ((machine->language->style & CALLS_BARE) != 0 && chain->name != NULL &&
	    chain->name[0] != '$' && !chain->env && bare_arguments(machine, *at, end, chain)) {
		close = bare_end(machine, *at, end);
		calls_args(machine, *at, close, &args);
		finish(machine, chain, &args);
		*at = close;
		return true;
	}
	if (is_op(machine, *at, '[') ||
	    (is_op(machine, *at, '{') && (chain->env || is_op(machine, *at - 1, OP2('-', '>'))))) {
		subscript(machine, at, chain);
		return true;
	}
	return false;
}

struct value
calls_chain(struct machine *machine, size_t *at, size_t end, bool act)
{
	struct chain chain = { .act = act };

	if (*at >= end || machine->depth >= CALLS_DEPTH_MAX || !calls_burn(machine, 1)) {
		const struct token *token = &machine->tokens.items[*at];

		*at = *at < end && token->match > *at ? token->match + 1U : *at + 1;
		return calls_unknown(0);
	}
	machine->depth++;
	primary(machine, at, end, &chain);
	while (postfix(machine, at, end, &chain)) {
	}
	property(machine, &chain);
	if (act && (is_op(machine, *at, '{') || machine->tokens.items[*at].kind == LEX_NAME) &&
	    is_op(machine, *at + 1, '|')) {
		bind_element(machine, *at + 2, &chain.value);
	}
	machine->depth--;
	return chain.value;
}

/* ---- expressions --------------------------------------------------------------------------- */

static bool
ends_expression(const struct token *token, const char *text)
{
	static const uint16_t ends[] = { ',', ';', ')', ']', '}', ':', '=', '{', OP2('=', '>') };

	if (token->kind == LEX_NAME) {
		return token->len != 2 || memcmp(text + token->start, "or", 2) != 0;
	}
	if (token->kind != LEX_PUNCT) {
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		if (token->op == ends[i]) {
			return true;
		}
	}
	return false;
}

/* "..." % values, of Python and Ruby. */
static struct value
percent(struct machine *machine, const struct value *left, const struct value *right)
{
	struct call_row row = { .name = "", .act = VAL_FORMAT };
	struct call call = { .row = &row };

	call.receiver = *left;
	if (right->kind == VALUE_LIST) {
		call.args.count = calls_elements(machine, right, call.args.items, CALLS_ARGS_MAX);
	} else {
		call.args.items[0] = *right;
		call.args.count = 1;
	}
	return calls_value(machine, &call);
}

static struct value
combine(struct machine *machine, const struct token *op, const struct value *left,
	const struct value *right)
{
	static const char slash[] = "/";
	struct value path;

	if (op->kind == LEX_PUNCT && op->op == machine->language->concat) {
		return calls_join(machine, left, right);
	}
	if (op->kind == LEX_PUNCT && op->op == '%' && left->kind == VALUE_TEXT) {
		return percent(machine, left, right);
	}
	if (op->kind == LEX_PUNCT && op->op == '/' && left->kind == VALUE_TEXT) {
		path = calls_text(slash, 1);
		path = calls_join(machine, left, &path);
		return calls_join(machine, &path, right);
	}
	if ((op->kind == LEX_NAME || op->op == OP2('|', '|') || op->op == OP2('?', '?') ||
	     op->op == OP2('?', ':')) &&
	    left->kind != VALUE_UNKNOWN && left->kind != VALUE_NAME) {
		return *left;
	}
	if (op->kind == LEX_NAME || op->op == OP2('|', '|') || op->op == OP2('?', '?')) {
		return *right;
	}
	return calls_unknown((unsigned)left->taint | right->taint);
}

struct value
calls_expression(struct machine *machine, size_t *at, size_t end)
{
	bool lines = (machine->language->style & CALLS_LINES) != 0 && machine->inside == 0;
	struct value value = calls_chain(machine, at, end, false);

	while (*at < end && calls_burn(machine, 1)) {
		const struct token *op;
		struct value right;
		size_t next = *at;

		if (!lines) {
			skip_newlines(machine, &next, end);
		}
		op = &machine->tokens.items[next];
		if (next < end && op->kind == LEX_STRING &&
		    (machine->language->lex & LEX_TRIPLE) != 0) {
			*at = next;
			right = calls_chain(machine, at, end, false);
			value = calls_join(machine, &value, &right);
			continue;
		}
		if (next >= end || ends_expression(op, machine->tokens.text)) {
			break;
		}
		*at = next + 1;
		skip_newlines(machine, at, end);
		if (*at >= end) {
			break;
		}
		right = calls_chain(machine, at, end, false);
		value = combine(machine, op, &value, &right);
	}
	return value;
}
