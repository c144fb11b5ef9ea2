/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: cutting code into tokens.
 * Invariant: every search for an end that fails either takes all that is left or is never tried
 * again, so that the whole stays linear.
 */

#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

struct lexer {
	struct arena *arena;
	const char *text;
	size_t len;
	size_t at;
	unsigned flags;
	size_t resume; /* behind the bodies of the here-documents of this line; 0: none */
	size_t open;   /* the innermost open bracket plus 1; 0: none */
	struct tokens out;
};

bool
lex_same(const char *text, size_t len, const char *word)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (word[i] == '\0' || lex_lower(text[i]) != word[i]) {
			return false;
		}
	}
	return word[len] == '\0';
}

static bool
in_list(const char *list, const char *text, size_t len, bool nocase)
{
	const char *word = list;

	if (len == 0) {
		return false;
	}
	while (*word != '\0') {
		size_t size = strcspn(word, " ");

		if (size == len) {
			size_t i = 0;

			while (i < len &&
			       word[i] == (nocase ? lex_lower(text[i]) : text[i])) {
				i++;
			}
			if (i == len) {
				return true;
			}
		}
		word += size;
		word += *word == ' ';
	}
	return false;
}

bool
lex_in(const char *list, const char *text, size_t len)
{
	return in_list(list, text, len, false);
}

bool
lex_in_nocase(const char *list, const char *text, size_t len)
{
	return in_list(list, text, len, true);
}

/* ---- tokens -------------------------------------------------------------------------------- */

static char
peek(const struct lexer *lexer, size_t ahead)
{
	return lexer->at + ahead < lexer->len ? lexer->text[lexer->at + ahead] : '\0';
}

static struct token *
push(struct lexer *lexer, enum lex_kind kind, size_t start, size_t len)
{
	struct token *token = arena_push(lexer->arena, &lexer->out.items, &lexer->out.count,
					 sizeof *lexer->out.items);

	if (token != NULL) {
		token->kind = (uint8_t)kind;
		token->start = (uint32_t)start;
		token->len = (uint32_t)len;
		token->match = (uint32_t)(lexer->out.count - 1);
	}
	return token;
}

static void
push_string(struct lexer *lexer, enum lex_kind kind, size_t start, size_t end, unsigned style)
{
	struct token *token = push(lexer, kind, start, end - start);

	if (token != NULL) {
		token->style = (uint8_t)style;
	}
}

static const struct token *
last_token(const struct lexer *lexer)
{
	return lexer->out.count == 0 ? NULL : &lexer->out.items[lexer->out.count - 1];
}

/* May a value begin here, so that a slash opens a pattern? */
static bool
value_expected(const struct lexer *lexer)
{
	static const char words[] = "return typeof case in of and or not if unless while when split "
				    "grep map join push print puts x";
	const struct token *last = last_token(lexer);

	if (last == NULL || last->kind == LEX_NEWLINE) {
		return true;
	}
	if (last->kind == LEX_NAME) {
		return lex_in(words, lexer->text + last->start, last->len);
	}
	return last->kind == LEX_PUNCT && last->op != ')' && last->op != ']' && last->op != '}';
}

static char
closing(char open)
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
delimited_end(const struct lexer *lexer, size_t from, char open)
{
	char close = closing(open);
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
	char close = closing(open);
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

/* ---- comments ------------------------------------------------------------------------------ */

static void
skip_line(struct lexer *lexer)
{
	const char *end = memchr(lexer->text + lexer->at, '\n', lexer->len - lexer->at);

	lexer->at = end == NULL ? lexer->len : (size_t)(end - lexer->text);
}

static void
skip_to(struct lexer *lexer, const char *end)
{
	size_t size = strlen(end);
	const char *found = memmem(lexer->text + lexer->at, lexer->len - lexer->at, end, size);

	lexer->at = found == NULL ? lexer->len : (size_t)(found - lexer->text) + size;
}

/* The end of a Lua long bracket that opens at `at`: its content is [*from, *to). false: none. */
static bool
long_bracket(struct lexer *lexer, size_t at, size_t *from, size_t *to)
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

static bool
comment(struct lexer *lexer)
{
	char c = peek(lexer, 0);
	size_t from, to;

	if (c == '#' && (lexer->flags & LEX_HASH) != 0) {
		skip_line(lexer);
		return true;
	}
	if (c == '/' && (lexer->flags & LEX_SLASHES) != 0 && peek(lexer, 1) == '/') {
		skip_line(lexer);
		return true;
	}
	if (c == '/' && (lexer->flags & LEX_SLASHES) != 0 && peek(lexer, 1) == '*') {
		lexer->at += 2;
		skip_to(lexer, "*/");
		return true;
	}
	if (c == '-' && (lexer->flags & LEX_DASHES) != 0 && peek(lexer, 1) == '-') {
		if (!long_bracket(lexer, lexer->at + 2, &from, &to)) {
			skip_line(lexer);
		}
		return true;
	}
	if (c == '=' && (lexer->flags & LEX_PERL) != 0 && lex_is_alpha(peek(lexer, 1)) &&
	    (lexer->at == 0 || lexer->text[lexer->at - 1] == '\n')) {
		skip_to(lexer, "\n=cut");
		skip_line(lexer);
		return true;
	}
	return false;
}

/* ---- strings ------------------------------------------------------------------------------- */

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
		} else if (lexer->text[i] == sign && i + 1 < lexer->len && lexer->text[i + 1] == '{') {
			i = closed_at(lexer->text, i + 2, lexer->len);
		}
	}
	return i < lexer->len ? i : lexer->len;
}

/* A string in `quote` that opens at the reading place. */
static void
quoted(struct lexer *lexer, enum lex_kind kind, char quote, unsigned style)
{
	size_t start = lexer->at + 1;
	size_t end;

	if ((lexer->flags & LEX_TRIPLE) != 0 && peek(lexer, 1) == quote &&
	    peek(lexer, 2) == quote) {
		char close[4] = { quote, quote, quote, '\0' };

		lexer->at += 3;
		start += 2;
		skip_to(lexer, close);
		end = lexer->at;
		if (end >= start + 3 && memcmp(lexer->text + end - 3, close, 3) == 0) {
			end -= 3;
		}
		push_string(lexer, kind, start, end, style);
		return;
	}
	end = (style & (STYLE_HASH | STYLE_BRACE)) != 0 ? nested_end(lexer, start, quote, style)
							: delimited_end(lexer, start, quote);
	push_string(lexer, kind, start, end, style);
	lexer->at = end < lexer->len ? end + 1 : end;
}

static bool
string(struct lexer *lexer)
{
	char c = peek(lexer, 0);
	size_t from, to;

	if (c == '"') {
		quoted(lexer, LEX_STRING, c, double_style(lexer));
		return true;
	}
	if (c == '\'') {
		quoted(lexer, LEX_STRING, c, single_style(lexer));
		return true;
	}
	if (c == '`' && (lexer->flags & LEX_TICK_SHELL) != 0) {
		quoted(lexer, LEX_SHELL, c, double_style(lexer));
		return true;
	}
	if (c == '`' && (lexer->flags & LEX_TICK_STRING) != 0) {
		quoted(lexer, LEX_STRING, c, STYLE_ESCAPES | STYLE_BRACE);
		return true;
	}
	if (c == '[' && (lexer->flags & LEX_DASHES) != 0 &&
	    long_bracket(lexer, lexer->at, &from, &to)) {
		push_string(lexer, LEX_STRING, from, to, STYLE_RAW);
		return true;
	}
	return false;
}

/* Perl's and Ruby's own quotes: the delimiter stands at `at`, the kind is `form`. */
static void
own_quote(struct lexer *lexer, size_t at, char form)
{
	char open = lexer->text[at];
	size_t end = delimited_end(lexer, at + 1, open);
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
	push_string(lexer, kind, at + 1, end, style);
	lexer->at = end < lexer->len ? end + 1 : end;
}

/* s/.../.../flags and tr: the second part is code when the flags say so. */
static void
substitution(struct lexer *lexer, size_t at)
{
	char open = lexer->text[at];
	size_t first = delimited_end(lexer, at + 1, open);
	size_t start = first < lexer->len ? first + 1 : first;
	size_t end, flags;

	if (closing(open) != open) {
		while (start < lexer->len && lex_is_space(lexer->text[start])) {
			start++;
		}
		open = start < lexer->len ? lexer->text[start] : open;
		start += start < lexer->len ? 1U : 0U;
	}
	end = delimited_end(lexer, start, open);
	flags = end < lexer->len ? end + 1 : end;
	lexer->at = flags;
	while (lexer->at < lexer->len && lex_is_alpha(lexer->text[lexer->at])) {
		lexer->at++;
	}
	if (memchr(lexer->text + flags, 'e', lexer->at - flags) != NULL) {
		push_string(lexer, LEX_CODE, start, end, STYLE_RAW);
	} else {
		push_string(lexer, LEX_NUMBER, start, end, STYLE_RAW);
	}
}

/* Perl's quote-like words. `name` of `len` bytes stands right before the reading place. */
static bool
perl_quote(struct lexer *lexer, const char *name, size_t len)
{
	static const struct {
		const char *name;
		char form;
	} forms[] = {
		{ "q", 'q' }, { "qq", 'Q' }, { "qw", 'w' }, { "qx", 'x' }, { "m", 'm' },
		{ "qr", 'm' }, { "s", 's' }, { "tr", 's' }, { "y", 's' },
	};
	const struct token *last = last_token(lexer);
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
static bool
percent(struct lexer *lexer)
{
	char form = peek(lexer, 1);
	char open = peek(lexer, 2);
	size_t at = lexer->at + 2;

	if (!value_expected(lexer) && last_token(lexer)->kind != LEX_NAME) {
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
static bool
regex(struct lexer *lexer)
{
	bool class = false;
	size_t i;

	if (!value_expected(lexer)) {
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
			push(lexer, LEX_NUMBER, lexer->at, i - lexer->at);
			lexer->at = i + 1;
			return true;
		}
	}
	lexer->flags &= ~(unsigned)LEX_REGEX;
	return false;
}

/* ---- here-documents ------------------------------------------------------------------------ */

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

static bool
heredoc(struct lexer *lexer, size_t sign)
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
	push_string(lexer, LEX_STRING, from, end, quote == '\'' ? STYLE_RAW : double_style(lexer));
	lexer->at = at;
	lexer->resume = end;
	while (lexer->resume < lexer->len && lex_is_blank(lexer->text[lexer->resume])) {
		lexer->resume++;
	}
	lexer->resume += size; /* what follows on that line, as PHP allows, is read on */
	return true;
}

/* ---- names, numbers, punctuation ----------------------------------------------------------- */

static void
newline(struct lexer *lexer)
{
	const struct token *last = last_token(lexer);

	if (last != NULL && last->kind != LEX_NEWLINE) {
		push(lexer, LEX_NEWLINE, lexer->at, 1);
	}
	lexer->at++;
	if (lexer->resume > lexer->at) {
		lexer->at = lexer->resume;
	}
	lexer->resume = 0;
}

static bool
in_name(const struct lexer *lexer, char c)
{
	return lex_is_name(c) || (c == '.' && (lexer->flags & LEX_DOT_NAMES) != 0);
}

static bool
name(struct lexer *lexer)
{
	size_t start = lexer->at;
	size_t at = start;
	bool sigil = false;

	while (at < lexer->len && (lexer->flags & LEX_SIGILS) != 0 &&
	       (lexer->text[at] == '$' || lexer->text[at] == '@') && at - start < 3) {
		at++;
		sigil = true;
	}
	while (at < lexer->len && in_name(lexer, lexer->text[at])) {
		at++;
	}
	if (at == start) {
		return false;
	}
	if (sigil && at == start + 1 && (lexer->flags & LEX_PERL) != 0 && at < lexer->len &&
	    memchr("'\"&`!/\\;,.0", lexer->text[at], 11) != NULL) {
		at++;
	}
	lexer->at = at;
	if (!sigil && (lexer->flags & LEX_PERL) != 0 &&
	    perl_quote(lexer, lexer->text + start, at - start)) {
		return true;
	}
	if ((lexer->flags & LEX_TRIPLE) != 0 && at - start <= 2 && at < lexer->len &&
	    (lexer->text[at] == '"' || lexer->text[at] == '\'') &&
	    lex_in_nocase("r u b f br rb fr rf t", lexer->text + start, at - start)) {
		bool raw = lex_lower(lexer->text[start]) == 'r' ||
			   lex_lower(lexer->text[at - 1]) == 'r';
		bool format = lex_lower(lexer->text[start]) == 'f' ||
			      lex_lower(lexer->text[at - 1]) == 'f';

		quoted(lexer, LEX_STRING, lexer->text[at],
		       (raw ? (unsigned)STYLE_RAW : (unsigned)STYLE_ESCAPES) |
			       (format ? (unsigned)STYLE_FORMAT : 0U));
		return true;
	}
	push(lexer, LEX_NAME, start, at - start);
	return true;
}

static bool
number(struct lexer *lexer)
{
	size_t start = lexer->at;

	if (!lex_is_digit(peek(lexer, 0))) {
		return false;
	}
	while (lex_is_digit(peek(lexer, 0)) || lex_is_alpha(peek(lexer, 0)) ||
	       peek(lexer, 0) == '_' ||
	       (peek(lexer, 0) == '.' && lex_is_digit(peek(lexer, 1)))) {
		lexer->at++;
	}
	push(lexer, LEX_NUMBER, start, lexer->at - start);
	return true;
}

static void
bracket(struct lexer *lexer, char c)
{
	struct token *items = lexer->out.items;
	size_t self = lexer->out.count - 1;
	size_t open;

	if (c == '(' || c == '[' || c == '{') {
		items[self].match = (uint32_t)lexer->open; /* the one around it, for now */
		lexer->open = self + 1;
		return;
	}
	if ((c != ')' && c != ']' && c != '}') || lexer->open == 0) {
		return;
	}
	open = lexer->open - 1;
	if (closing((char)items[open].op) != c) {
		return;
	}
	lexer->open = items[open].match;
	items[open].match = (uint32_t)self;
	items[self].match = (uint32_t)open;
}

static void
punctuation(struct lexer *lexer)
{
	static const char pairs[] = "::->=>==!=<=>==~&&||..**+=-=.=<<>>|>?.:=<-++--*=/=~>?:%=|=??"
				    "//";
	char c = peek(lexer, 0);
	char second = peek(lexer, 1);
	struct token *token = push(lexer, LEX_PUNCT, lexer->at, 1);
	size_t i;

	lexer->at++;
	if (token == NULL) {
		return;
	}
	token->op = (unsigned char)c;
	for (i = 0; i + 1 < sizeof pairs; i += 2) {
		if (pairs[i] == c && pairs[i + 1] == second && second != '\0') {
			token->op = OP2(c, second);
			token->len = 2;
			lexer->at++;
			return;
		}
	}
	bracket(lexer, c);
}

/* 'x' of languages where single quotes hold one character. */
static bool
character(struct lexer *lexer)
{
	size_t size = peek(lexer, 1) == '\\' ? 4 : 3;

	if (peek(lexer, 0) != '\'' || peek(lexer, size - 1) != '\'') {
		return false;
	}
	push_string(lexer, LEX_STRING, lexer->at + 1, lexer->at + size - 1, STYLE_ESCAPES);
	lexer->at += size;
	return true;
}

static void
next(struct lexer *lexer)
{
	char c = peek(lexer, 0);

	if (c == '\n') {
		newline(lexer);
		return;
	}
	if (lex_is_blank(c) || (c == '\\' && peek(lexer, 1) == '\n')) {
		lexer->at += c == '\\' ? 2U : 1U;
		return;
	}
	if (c == '#' && (lexer->flags & LEX_SIGILS) != 0 && lexer->at > 0 &&
	    lexer->text[lexer->at - 1] == '$') {
		punctuation(lexer);
		return;
	}
	if (comment(lexer)) {
		return;
	}
	if (c == '<' && peek(lexer, 1) == '<' &&
	    ((peek(lexer, 2) == '<' && (lexer->flags & LEX_HEREDOC_PHP) != 0 &&
	      heredoc(lexer, 3)) ||
	     ((lexer->flags & LEX_HEREDOC) != 0 && heredoc(lexer, 2)))) {
		return;
	}
	if (c == '\'' && (lexer->flags & LEX_CHARS) != 0) {
		if (!character(lexer)) {
			punctuation(lexer);
		}
		return;
	}
	if (string(lexer) || (c == '/' && (lexer->flags & LEX_REGEX) != 0 && regex(lexer)) ||
	    (c == '%' && (lexer->flags & LEX_PERCENT) != 0 && percent(lexer)) || number(lexer) ||
	    name(lexer)) {
		return;
	}
	punctuation(lexer);
}

bool
lex_tokens(struct arena *arena, const char *text, size_t len, unsigned flags, struct tokens *out)
{
	struct lexer lexer = { .arena = arena, .text = text, .len = len, .flags = flags };

	while (lexer.at < len && lexer.out.count < LEX_TOKENS_MAX && !arena->failed) {
		next(&lexer);
	}
	while (lexer.open != 0) { /* brackets that nothing closes */
		size_t open = lexer.open - 1;

		lexer.open = lexer.out.items[open].match;
		lexer.out.items[open].match = (uint32_t)open;
	}
	lexer.out.text = text;
	if (push(&lexer, LEX_END, len, 0) == NULL || arena->failed) {
		return false;
	}
	lexer.out.count--;
	*out = lexer.out;
	return true;
}

/* ---- interpolations ------------------------------------------------------------------------ */

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
