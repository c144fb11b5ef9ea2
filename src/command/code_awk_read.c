/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: the tokens of awk programs.
 *
 * Invariants:
 *   - one pass, no recursion
 *   - whether a slash begins a regex or divides is decided by what stands before it; where awks may
 *     differ in that, or in where a regex ends, the tokens are not certain
 */

#include "command/code_awk.h"

#define TEXT_MAX ((size_t)1 << 20)
#define NO_TOKEN UINT32_MAX

struct reader {
	struct arena *arena;
	const char *text;
	size_t len;
	size_t at;
	struct awk_tokens *tokens;
	uint32_t open; /* the innermost bracket; its `match` is the next one outwards */
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static char
look(const struct reader *r, size_t ahead)
{
	return r->at + ahead < r->len ? r->text[r->at + ahead] : '\0';
}

static void
doubt(struct reader *r)
{
	if (r->tokens->certain) {
		r->tokens->certain = false;
		r->tokens->odd_at = r->at;
	}
}

static struct awk_token *
last_token(const struct reader *r)
{
	return r->tokens->count == 0 ? NULL : &r->tokens->items[r->tokens->count - 1];
}

static struct awk_token *
add_token(struct reader *r, enum awk_kind kind, size_t start, size_t end)
{
	struct awk_token *token =
		arena_push(r->arena, &r->tokens->items, &r->tokens->count, sizeof(*token));

	if (token == NULL) {
		return NULL;
	}
	token->kind = (uint8_t)kind;
	token->start = (uint32_t)start;
	token->end = (uint32_t)end;
	token->match = (uint32_t)(r->tokens->count - 1);
	token->glued = start > 0 && r->text[start - 1] != ' ' && r->text[start - 1] != '\t';
	return token;
}

/* ---- strings and regexes ------------------------------------------------------------------- */

static void
read_string(struct reader *r)
{
	size_t start = ++r->at;
	struct awk_token *token;

	while (r->at < r->len && r->text[r->at] != '"' && r->text[r->at] != '\n') {
		r->at += r->text[r->at] == '\\' && r->at + 1 < r->len ? 2 : 1;
	}
	token = add_token(r, AWK_STRING, start, r->at);
	if (token != NULL) {
		token->value = true;
	}
	if (look(r, 0) != '"') {
		doubt(r);
	}
	r->at++;
}

/* Goes to the end of a regex: the first slash without a backslash. In brackets that is one for some
 * awks and not for others. */
static void
read_regex(struct reader *r)
{
	size_t start = ++r->at;
	size_t bracket = 0; /* where a bracket expression began, plus one */
	struct awk_token *token;

	while (r->at < r->len && r->text[r->at] != '/' && r->text[r->at] != '\n') {
		char c = r->text[r->at];

		if (c == '\\' && r->at + 1 < r->len) {
			r->at++;
		} else if (c == '[' && bracket == 0) {
			bracket = r->at + 1;
			bracket += look(r, 1) == '^';
		} else if (c == ']' && bracket != 0 && r->at > bracket) {
			bracket = 0;
		}
		r->at++;
	}
	token = add_token(r, AWK_REGEX, start, r->at);
	if (token != NULL) {
		token->value = true;
	}
	if (look(r, 0) != '/' || bracket != 0) {
		doubt(r);
	}
	r->at++;
}

/* Does a slash here begin a regex? */
static bool
begins_regex(struct reader *r)
{
	static const char before[] = "print printf return in case else do delete exit";
	const struct awk_token *last = last_token(r);
	size_t at = r->tokens->count - 1;

	if (last == NULL || last->kind == AWK_NEWLINE) {
		return true;
	}
	if (last->kind == AWK_NAME) {
		if (awk_is_one_of(r->tokens, at, before)) {
			return true;
		}
		if (!last->value) {
			doubt(r); /* length / 2, getline / x, next / */
		}
		return false;
	}
	if (last->kind == AWK_REGEX) {
		doubt(r);
	}
	if (last->kind == AWK_OP &&
	    (last->op == '$' || last->op == AWK_OP2('+', '+') || last->op == AWK_OP2('-', '-'))) {
		if (!last->value) {
			doubt(r);
		}
		return false;
	}
	return !last->value;
}

/* ---- names, numbers, operators ------------------------------------------------------------- */

static void
read_name(struct reader *r)
{
	static const char words[] =
		"BEGIN END BEGINFILE ENDFILE if else while for do switch case default break "
		"continue next nextfile exit return delete in function func print printf getline "
		"length";
	size_t start = r->at;
	struct awk_token *token;

	while (r->at < r->len && is_name(r->text[r->at])) {
		r->at++;
	}
	token = add_token(r, AWK_NAME, start, r->at);
	if (token != NULL) {
		token->value = !awk_is_one_of(r->tokens, r->tokens->count - 1, words);
	}
}

static void
read_number(struct reader *r)
{
	size_t start = r->at;
	struct awk_token *token;

	while (is_digit(look(r, 0)) || look(r, 0) == '.') {
		r->at++;
	}
	if ((look(r, 0) == 'e' || look(r, 0) == 'E') &&
	    (is_digit(look(r, 1)) ||
	     ((look(r, 1) == '-' || look(r, 1) == '+') && is_digit(look(r, 2))))) {
		r->at += 2;
		while (is_digit(look(r, 0))) {
			r->at++;
		}
	}
	token = add_token(r, AWK_NUMBER, start, r->at);
	if (token != NULL) {
		token->value = true;
	}
}

/* A parenthesis behind these ends no value. */
static bool
closes_header(const struct reader *r, uint32_t open)
{
	return open > 0 && awk_is_one_of(r->tokens, open - 1, "if while for switch");
}

static void
close_bracket(struct reader *r, struct awk_token *token)
{
	struct awk_token *open;
	uint32_t index = (uint32_t)(r->tokens->count - 1);
	char wanted = token->op == ')' ? '(' : token->op == ']' ? '[' : '{';

	token->value = token->op != '}';
	if (r->open == NO_TOKEN || r->tokens->items[r->open].op != (uint32_t)wanted) {
		doubt(r);
		return;
	}
	open = &r->tokens->items[r->open];
	token->match = r->open;
	if (token->op == ')' && closes_header(r, token->match)) {
		token->value = false;
	}
	r->open = open->match;
	open->match = index;
}

static void
set_op_value(struct reader *r, struct awk_token *token)
{
	const struct awk_token *before = r->tokens->count < 2 ? NULL : token - 1;

	switch (token->op) {
	case '(':
	case '[':
	case '{':
		token->match = r->open;
		r->open = (uint32_t)(r->tokens->count - 1);
		break;
	case ')':
	case ']':
	case '}':
		close_bracket(r, token);
		break;
	case AWK_OP2('+', '+'):
	case AWK_OP2('-', '-'):
		token->value = before != NULL && before->value;
		break;
	default:
		break;
	}
}

static size_t
op_length(const struct reader *r)
{
	static const char pairs[] = "&& || == <= >= != !~ ++ -- += -= *= /= %= ^= ** >> |&";
	char two[3] = { look(r, 0), look(r, 1), '\0' };
	const char *found = two[1] == ' ' || two[1] == '\0' ? NULL : strstr(pairs, two);

	if (found == NULL || (found - pairs) % 3 != 0) {
		return 1;
	}
	return found[0] == '*' && found[1] == '*' && look(r, 2) == '=' ? 3 : 2;
}

static void
read_op(struct reader *r)
{
	char first = look(r, 0);
	size_t len = op_length(r);
	struct awk_token *token;

	if (first == '\0' || strchr("(){}[];,+-*/%^!<>=~|&?:$", first) == NULL ||
	    (first == '&' && len == 1) || (first == ':' && look(r, 1) == ':')) {
		doubt(r);
	}
	token = add_token(r, AWK_OP, r->at, r->at + len);
	if (token != NULL) {
		token->op = len == 1 ? (unsigned char)first
				     : AWK_OP2((unsigned char)first, (unsigned char)look(r, 1));
		set_op_value(r, token);
	}
	r->at += len;
}

/* ---- the text ----------------------------------------------------------------------------- */

static void
read_token(struct reader *r)
{
	char c = look(r, 0);

	if (c == ' ' || c == '\t') {
		r->at++;
	} else if (c == '\\' && look(r, 1) == '\n') {
		r->at += 2;
	} else if (c == '#') {
		const char *end = memchr(r->text + r->at, '\n', r->len - r->at);

		r->at = end == NULL ? r->len : (size_t)(end - r->text);
	} else if (c == '\n') {
		(void)add_token(r, AWK_NEWLINE, r->at, r->at + 1);
		r->at++;
	} else if (c == '"') {
		read_string(r);
	} else if (c == '/' && begins_regex(r)) {
		read_regex(r);
	} else if (is_digit(c) || (c == '.' && is_digit(look(r, 1)))) {
		read_number(r);
	} else if (is_name(c)) {
		read_name(r);
	} else {
		read_op(r);
	}
}

bool
awk_read(struct arena *arena, const char *text, size_t len, struct awk_tokens *tokens)
{
	struct reader r = {
		.arena = arena, .text = text, .len = len, .tokens = tokens, .open = NO_TOKEN
	};

	memset(tokens, 0, sizeof(*tokens));
	tokens->text = text;
	tokens->certain = true;
	if (len > TEXT_MAX) {
		return false;
	}
	while (r.at < len && !arena->failed) {
		read_token(&r);
	}
	r.at = len;
	if (r.open != NO_TOKEN) {
		doubt(&r);
	}
	while (r.open != NO_TOKEN && !arena->failed) {
		uint32_t next = tokens->items[r.open].match;

		tokens->items[r.open].match = r.open;
		r.open = next;
	}
	return add_token(&r, AWK_END, len, len) != NULL && !arena->failed;
}

/* ---- looking at tokens --------------------------------------------------------------------- */

bool
awk_is_op(const struct awk_tokens *tokens, size_t at, uint32_t op)
{
	return at < tokens->count && tokens->items[at].kind == AWK_OP && tokens->items[at].op == op;
}

bool
awk_is_word(const struct awk_tokens *tokens, size_t at, const char *word)
{
	const struct awk_token *token = &tokens->items[at];
	size_t len;

	if (at >= tokens->count || token->kind != AWK_NAME) {
		return false;
	}
	len = strlen(word);
	return token->end - token->start == len &&
	       memcmp(tokens->text + token->start, word, len) == 0;
}

bool
awk_is_one_of(const struct awk_tokens *tokens, size_t at, const char *words)
{
	const struct awk_token *token = &tokens->items[at];
	const char *name;
	size_t len;

	if (at >= tokens->count || token->kind != AWK_NAME) {
		return false;
	}
	name = tokens->text + token->start;
	len = token->end - token->start;
	while (*words != '\0') {
		size_t same = 0;

		while (same < len && words[same] == name[same]) {
			same++;
		}
		if (same == len && (words[len] == ' ' || words[len] == '\0')) {
			return true;
		}
		for (words += same; *words != ' ' && *words != '\0';) {
			words++;
		}
		words += *words == ' ';
	}
	return false;
}

size_t
awk_skip(const struct awk_tokens *tokens, size_t at)
{
	const struct awk_token *token = &tokens->items[at];

	return token->match > at ? token->match + 1 : at + 1;
}

size_t
awk_comma(const struct awk_tokens *tokens, size_t from, size_t to)
{
	while (from < to && !awk_is_op(tokens, from, ',')) {
		from = awk_skip(tokens, from);
	}
	return from < to ? from : to;
}
