/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: strings, patterns and here-documents of the tokenizer, and what is interpolated
 * into them.
 * Invariant: as in code_lex.c: a search that fails takes all that is left, or is the last one.
 */

#include "command/code_lex_impl.h"

#include "base/attr.h"

#include <string.h>

char
lexer_closing(char open)
{
	switch (open) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	case '<':
		return '>';
	default:
		return open;
	}
}

/* Behind an opening delimiter at `from`: where its closing one stands, or the end of the text.
 * Brackets nest. */
static size_t
lexer_delimited_end(const struct lexer *lexer, size_t from, char open)
{
	char close = lexer_closing(open);
	size_t depth = 1;
	size_t i;

	for (i = from; i < lexer->len; i++) {
		char c = lexer->text[i];

		if (c == '\\' && i + 1 < lexer->len) {
			i++;
		} else if (c == close) {
			depth--;
			if (depth == 0) {
				return i;
			}
		} else if (c == open) {
			depth++;
		}
	}
	return lexer->len;
}

/* Behind an opening bracket at `from` - 1: where it closes, or `end`. */
static size_t
closed_at(const char *text, size_t from, size_t end)
{
	char open = text[from - 1];
	char close = lexer_closing(open);
	size_t depth = 1;
	size_t i;

	for (i = from; i < end; i++) {
		if (text[i] == '\\') {
			i++;
		} else if (text[i] == open) {
			depth++;
		} else if (text[i] == close && --depth == 0) {
			return i;
		}
	}
	return end;
}

/* The end of a Lua long bracket that opens at `at`: its content is [*from, *to). false: none. */
bool
lexer_long_bracket(struct lexer *lexer, size_t at, size_t *from, size_t *to)
{
	size_t level = 0;
	size_t i;

	while (at + 1 + level < lexer->len && lexer->text[at + 1 + level] == '=') {
		level++;
	}
	if (at + 1 + level >= lexer->len || lexer->text[at] != '[' ||
	    lexer->text[at + 1 + level] != '[') {
		return false;
	}
	*from = at + level + 2;
	for (i = *from; i + level + 1 < lexer->len; i++) {
		size_t equals = 0;

		if (lexer->text[i] != ']') {
			continue;
		}
		while (equals < level && lexer->text[i + 1 + equals] == '=') {
			equals++;
		}
		if (equals == level && lexer->text[i + 1 + level] == ']') {
			*to = i;
			lexer->at = i + level + 2;
			return true;
		}
		i += equals;
	}
	*to = lexer->len;
	lexer->at = lexer->len;
	return true;
}

static unsigned
double_style(const struct lexer *lexer)
{
	unsigned style = STYLE_ESCAPES;

	style |= (lexer->flags & LEX_INTER_HASH) != 0 ? STYLE_HASH : 0U;
	style |= (lexer->flags & LEX_INTER_DOLLAR) != 0 ? STYLE_DOLLAR : 0U;
	return style;
}

static unsigned
single_style(const struct lexer *lexer)
{
	return (lexer->flags & LEX_SINGLE_RAW) != 0 ? STYLE_SINGLE : STYLE_ESCAPES;
}

/* The end of a string whose interpolations may hold the quote as well. */
static size_t
nested_end(const struct lexer *lexer, size_t from, char quote, unsigned style)
{
	char sign = (style & STYLE_HASH) != 0 ? '#' : '$';
	size_t i;

	for (i = from; i < lexer->len && lexer->text[i] != quote; i++) {
		if (lexer->text[i] == '\\') {
			i++;
		} else if (lexer->text[i] == sign && i + 1 < lexer->len &&
			   lexer->text[i + 1] == '{') {
			i = closed_at(lexer->text, i + 2, lexer->len);
		}
	}
	return i < lexer->len ? i : lexer->len;
}

/* A string in `quote` that opens at the reading place. */
void
lexer_quoted(struct lexer *lexer, enum lex_kind kind, char quote, unsigned style)
{
	size_t start = lexer->at + 1;
	size_t end;

	if ((lexer->flags & LEX_TRIPLE) != 0 && lexer_peek(lexer, 1) == quote &&
	    lexer_peek(lexer, 2) == quote) {
		char close[4] = { quote, quote, quote, '\0' };

		lexer->at += 3;
		start += 2;
		lexer_skip_to(lexer, close);
		end = lexer->at;
		if (end >= start + 3 && memcmp(lexer->text + end - 3, close, 3) == 0) {
			end -= 3;
		}
		lexer_push_string(lexer, kind, start, end, style);
		return;
	}
	end = (style & (STYLE_HASH | STYLE_BRACE)) != 0 ? nested_end(lexer, start, quote, style)
							: lexer_delimited_end(lexer, start, quote);
	lexer_push_string(lexer, kind, start, end, style);
	lexer->at = end < lexer->len ? end + 1 : end;
}

bool
lexer_string(struct lexer *lexer)
{
	char c = lexer_peek(lexer, 0);
	size_t from, to;

	if (c == '"') {
		lexer_quoted(lexer, LEX_STRING, c, double_style(lexer));
		return true;
	}
	if (c == '\'') {
		lexer_quoted(lexer, LEX_STRING, c, single_style(lexer));
		return true;
	}
	if (c == '`' && (lexer->flags & LEX_TICK_SHELL) != 0) {
		lexer_quoted(lexer, LEX_SHELL, c, double_style(lexer));
		return true;
	}
	if (c == '`' && (lexer->flags & LEX_TICK_STRING) != 0) {
		lexer_quoted(lexer, LEX_STRING, c, STYLE_ESCAPES | STYLE_BRACE);
		return true;
	}
	if (c == '[' && (lexer->flags & LEX_DASHES) != 0 &&
	    lexer_long_bracket(lexer, lexer->at, &from, &to)) {
		lexer_push_string(lexer, LEX_STRING, from, to, STYLE_RAW);
		return true;
	}
	return false;
}

/* Perl's and Ruby's own quotes: the delimiter stands at `at`, the kind is `form`. */
static void
own_quote(struct lexer *lexer, size_t at, char form)
{
	char open = lexer->text[at];
	size_t end = lexer_delimited_end(lexer, at + 1, open);
	unsigned style = double_style(lexer);
	enum lex_kind kind = LEX_STRING;

	if (form == 'q') {
		style = STYLE_SINGLE;
	} else if (form == 'w') {
		style = STYLE_SINGLE | STYLE_WORDS;
	} else if (form == 'x') {
		kind = LEX_SHELL;
		style = open == '\'' ? (unsigned)STYLE_SINGLE : style;
	} else if (form == 'm') {
		kind = LEX_NUMBER;
	}
	lexer_push_string(lexer, kind, at + 1, end, style);
	lexer->at = end < lexer->len ? end + 1 : end;
}

/* s/.../.../flags and tr: the second part is code when the flags say so. */
static void
substitution(struct lexer *lexer, size_t at)
{
	char open = lexer->text[at];
	size_t first = lexer_delimited_end(lexer, at + 1, open);
	size_t start = first < lexer->len ? first + 1 : first;
	size_t end, flags;

	if (lexer_closing(open) != open) {
		while (start < lexer->len && lex_is_space(lexer->text[start])) {
			start++;
		}
		open = start < lexer->len ? lexer->text[start] : open;
		start += start < lexer->len ? 1U : 0U;
	}
	end = lexer_delimited_end(lexer, start, open);
	flags = end < lexer->len ? end + 1 : end;
	lexer->at = flags;
	while (lexer->at < lexer->len && lex_is_alpha(lexer->text[lexer->at])) {
		lexer->at++;
	}
	if (memchr(lexer->text + flags, 'e', lexer->at - flags) != NULL) {
		lexer_push_string(lexer, LEX_CODE, start, end, STYLE_RAW);
	} else {
		lexer_push_string(lexer, LEX_NUMBER, start, end, STYLE_RAW);
	}
}

/* Perl's quote-like words. `name` of `len` bytes stands right before the reading place. */
bool
lexer_perl_quote(struct lexer *lexer, const char *name, size_t len)
{
	static const struct {
		const char *name;
		char form;
	} forms[] = {
		{ "q", 'q' },  { "qq", 'Q' }, { "qw", 'w' }, { "qx", 'x' }, { "m", 'm' },
		{ "qr", 'm' }, { "s", 's' },  { "tr", 's' }, { "y", 's' },
	};
	const struct token *last = lexer_last_token(lexer);
	size_t at = lexer->at;
	size_t i;

	if (last != NULL && last->kind == LEX_PUNCT &&
	    (last->op == OP2('-', '>') || last->op == '&')) {
		return false;
	}
	while (at < lexer->len && lex_is_space(lexer->text[at])) {
		at++;
	}
	if (at >= lexer->len || lex_is_name(lexer->text[at]) ||
	    memchr("=,;)}", lexer->text[at], 5) != NULL ||
	    (at > lexer->at && lexer->text[at] == '#')) {
		return false;
	}
	for (i = 0; i < COUNT_OF(forms); i++) {
		if (strlen(forms[i].name) == len && memcmp(forms[i].name, name, len) == 0) {
			if (forms[i].form == 's') {
				substitution(lexer, at);
			} else {
				own_quote(lexer, at, forms[i].form);
			}
			return true;
		}
	}
	return false;
}

/* Ruby's %w(...), %x{...} and %(...). */
bool
lexer_percent(struct lexer *lexer)
{
	char form = lexer_peek(lexer, 1);
	char open = lexer_peek(lexer, 2);
	const struct token *last = lexer_last_token(lexer);
	size_t at = lexer->at + 2;

	if (last != NULL && last->kind != LEX_NAME && !lexer_value_expected(lexer)) {
		return false;
	}
	if (form != '\0' && memchr("([{<|!", form, 6) != NULL) {
		open = form;
		form = 'Q';
		at--;
	}
	if (open == '\0' || memchr("([{<|!/^-", open, 9) == NULL || form == '\0' ||
	    memchr("wWiIqQxrs", form, 9) == NULL) {
		return false;
	}
	form = form == 'W' || form == 'i' || form == 'I' ? 'w' : form;
	form = form == 'r' ? 'm' : form;
	form = form == 's' ? 'q' : form;
	own_quote(lexer, at, form);
	return true;
}

/* /.../ on one line. A slash that turns out to be none ends the search for good. */
bool
lexer_regex(struct lexer *lexer)
{
	bool class = false;
	size_t i;

	if (!lexer_value_expected(lexer)) {
		return false;
	}
	for (i = lexer->at + 1; i < lexer->len && lexer->text[i] != '\n'; i++) {
		char c = lexer->text[i];

		if (c == '\\') {
			i++;
		} else if (c == '[') {
			class = true;
		} else if (c == ']') {
			class = false;
		} else if (c == '/' && !class) {
			lexer_push(lexer, LEX_NUMBER, lexer->at, i - lexer->at);
			lexer->at = i + 1;
			return true;
		}
	}
	lexer->flags &= ~(unsigned)LEX_REGEX;
	return false;
}

/* The offset of the line that is `name` alone but for blanks in front and a ; behind, or `len`. */
static size_t
heredoc_end(const struct lexer *lexer, size_t from, const char *name, size_t size)
{
	size_t line = from;

	while (line < lexer->len) {
		size_t at = line;
		const char *end = memchr(lexer->text + line, '\n', lexer->len - line);

		while (at < lexer->len && lex_is_blank(lexer->text[at])) {
			at++;
		}
		if (lexer->len - at >= size && memcmp(lexer->text + at, name, size) == 0 &&
		    (at + size == lexer->len || !lex_is_name(lexer->text[at + size]))) {
			return line;
		}
		if (end == NULL) {
			break;
		}
		line = (size_t)(end - lexer->text) + 1;
	}
	return lexer->len;
}

bool
lexer_heredoc(struct lexer *lexer, size_t sign)
{
	size_t at = lexer->at + sign;
	char quote = '\0';
	size_t name, size, from, end;
	const char *line;

	while (at < lexer->len && (lexer->text[at] == '~' || lexer->text[at] == '-' ||
				   (sign == 3 && lexer->text[at] == ' '))) {
		at++;
	}
	if (at < lexer->len && (lexer->text[at] == '"' || lexer->text[at] == '\'')) {
		quote = lexer->text[at];
		at++;
	}
	name = at;
	while (at < lexer->len && lex_is_name(lexer->text[at])) {
		at++;
	}
	size = at - name;
	if (size == 0 || lex_is_digit(lexer->text[name])) {
		return false;
	}
	at += quote != '\0' ? 1U : 0U;
	line = memchr(lexer->text + name, '\n', lexer->len - name);
	from = lexer->resume != 0 ? lexer->resume
	       : line == NULL	  ? lexer->len
				  : (size_t)(line - lexer->text) + 1;
	end = heredoc_end(lexer, from, lexer->text + name, size);
	if (end == lexer->len || at > from) {
		lexer->flags &= ~(unsigned)(LEX_HEREDOC | LEX_HEREDOC_PHP);
		return false;
	}
	lexer_push_string(lexer, LEX_STRING, from, end,
			  quote == '\'' ? STYLE_RAW : double_style(lexer));
	lexer->at = at;
	lexer->resume = end;
	while (lexer->resume < lexer->len && lex_is_blank(lexer->text[lexer->resume])) {
		lexer->resume++;
	}
	lexer->resume += size; /* what follows on that line, as PHP allows, is read on */
	return true;
}

/* 'x' of languages where single quotes hold one character. */
bool
lexer_character(struct lexer *lexer)
{
	size_t size = lexer_peek(lexer, 1) == '\\' ? 4 : 3;

	if (lexer_peek(lexer, 0) != '\'' || lexer_peek(lexer, size - 1) != '\'') {
		return false;
	}
	lexer_push_string(lexer, LEX_STRING, lexer->at + 1, lexer->at + size - 1, STYLE_ESCAPES);
	lexer->at += size;
	return true;
}

/* $name with the subscripts behind it. */
static size_t
variable_end(const char *text, size_t at, size_t end)
{
	while (at < end && (text[at] == '$' || text[at] == '@')) {
		at++;
	}
	while (at < end && lex_is_name(text[at])) {
		at++;
	}
	while (at < end) {
		size_t arrow = at + 1 < end && text[at] == '-' && text[at + 1] == '>' ? 2 : 0;

		if (at + arrow >= end || (text[at + arrow] != '{' && text[at + arrow] != '[')) {
			break;
		}
		at = closed_at(text, at + arrow + 1, end);
		at += at < end ? 1U : 0U;
	}
	return at;
}

static bool
in_braces(const char *text, size_t i, size_t end, unsigned style, size_t *open)
{
	char c = text[i];
	char second = i + 1 < end ? text[i + 1] : '\0';

	*open = i + 1;
	if ((c == '#' && (style & STYLE_HASH) != 0) || (c == '$' && (style & STYLE_BRACE) != 0) ||
	    ((c == '$' || c == '@') && (style & STYLE_DOLLAR) != 0)) {
		return second == '{';
	}
	*open = i;
	return c == '{' && (((style & STYLE_FORMAT) != 0 && second != '{') ||
			    ((style & STYLE_DOLLAR) != 0 && second == '$'));
}

size_t
lex_interpolation(const char *text, size_t end, unsigned style, size_t *at, size_t *from,
		  size_t *to)
{
	size_t i;

	for (i = *at; i < end; i++) {
		char c = text[i];
		size_t open;

		if (c == '\\' && (style & STYLE_ESCAPES) != 0) {
			i++;
			continue;
		}
		if (c == '{' && (style & STYLE_FORMAT) != 0 && i + 1 < end && text[i + 1] == '{') {
			i++;
			continue;
		}
		if (in_braces(text, i, end, style, &open)) {
			*from = open + 1;
			*to = closed_at(text, open + 1, end);
			*at = *to < end ? *to + 1 : end;
			return i;
		}
		if ((style & STYLE_DOLLAR) != 0 && (c == '$' || c == '@') && i + 1 < end &&
		    (lex_is_name(text[i + 1]) || text[i + 1] == '$')) {
			*from = i;
			*to = variable_end(text, i, end);
			*at = *to;
			return i;
		}
	}
	*at = end;
	return end;
}
