/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: cutting code into tokens.
 * Invariant: every search for an end that fails either takes all that is left or is never tried
 * again, so that the whole stays linear.
 */

#include "command/code_lex_impl.h"

#include "base/attr.h"

#include <string.h>

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

			while (i < len && word[i] == (nocase ? lex_lower(text[i]) : text[i])) {
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

struct token *
lexer_push(struct lexer *lexer, enum lex_kind kind, size_t start, size_t len)
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

void
lexer_push_string(struct lexer *lexer, enum lex_kind kind, size_t start, size_t end, unsigned style)
{
	struct token *token = lexer_push(lexer, kind, start, end - start);

	if (token != NULL) {
		token->style = (uint8_t)style;
	}
}

/* May a value begin here, so that a slash opens a pattern? */
bool
lexer_value_expected(const struct lexer *lexer)
{
	static const char words[] =
		"return typeof case in of and or not if unless while when split "
		"grep map join push print puts x";
	const struct token *last = lexer_last_token(lexer);

	if (last == NULL || last->kind == LEX_NEWLINE) {
		return true;
	}
	if (last->kind == LEX_NAME) {
		return lex_in(words, lexer->text + last->start, last->len);
	}
	return last->kind == LEX_PUNCT && last->op != ')' && last->op != ']' && last->op != '}';
}

/* ---- comments ------------------------------------------------------------------------------ */

void
lexer_skip_line(struct lexer *lexer)
{
	const char *end = memchr(lexer->text + lexer->at, '\n', lexer->len - lexer->at);

	lexer->at = end == NULL ? lexer->len : (size_t)(end - lexer->text);
}

void
lexer_skip_to(struct lexer *lexer, const char *end)
{
	size_t size = strlen(end);
	const char *found = memmem(lexer->text + lexer->at, lexer->len - lexer->at, end, size);

	lexer->at = found == NULL ? lexer->len : (size_t)(found - lexer->text) + size;
}

static bool
comment(struct lexer *lexer)
{
	char c = lexer_peek(lexer, 0);
	size_t from, to;

	if (c == '#' && (lexer->flags & LEX_HASH) != 0) {
		lexer_skip_line(lexer);
		return true;
	}
	if (c == '/' && (lexer->flags & LEX_SLASHES) != 0 && lexer_peek(lexer, 1) == '/') {
		lexer_skip_line(lexer);
		return true;
	}
	if (c == '/' && (lexer->flags & LEX_SLASHES) != 0 && lexer_peek(lexer, 1) == '*') {
		lexer->at += 2;
		lexer_skip_to(lexer, "*/");
		return true;
	}
	if (c == '-' && (lexer->flags & LEX_DASHES) != 0 && lexer_peek(lexer, 1) == '-') {
		if (!lexer_long_bracket(lexer, lexer->at + 2, &from, &to)) {
			lexer_skip_line(lexer);
		}
		return true;
	}
	if (c == '=' && (lexer->flags & LEX_PERL) != 0 && lex_is_alpha(lexer_peek(lexer, 1)) &&
	    (lexer->at == 0 || lexer->text[lexer->at - 1] == '\n')) {
		lexer_skip_to(lexer, "\n=cut");
		lexer_skip_line(lexer);
		return true;
	}
	return false;
}

/* ---- words that mean something -------------------------------------------------------------- */

static const struct {
	const char *word;
	uint8_t class;
} words[] = {
	{ "as", WORD_AS },
	{ "do", WORD_ENDS },
	{ "fn", WORD_DEFINES },
	{ "if", WORD_ENDS },
	{ "my", WORD_PREFIX },
	{ "or", WORD_ENDS },
	{ "and", WORD_ENDS },
	{ "def", WORD_DEFINES },
	{ "end", WORD_ENDS },
	{ "env", WORD_ENVIRONMENT },
	{ "ENV", WORD_ENVIRONMENT },
	{ "for", WORD_FOR | WORD_ENDS },
	{ "let", WORD_PREFIX },
	{ "new", WORD_PREFIX },
	{ "not", WORD_PREFIX },
	{ "our", WORD_PREFIX },
	{ "sub", WORD_DEFINES },
	{ "var", WORD_PREFIX },
	{ "$ENV", WORD_ENVIRONMENT },
	{ "from", WORD_IMPORT },
	{ "func", WORD_DEFINES },
	{ "then", WORD_ENDS },
	{ "with", WORD_WITH },
	{ "$_ENV", WORD_ENVIRONMENT },
	{ "async", WORD_PREFIX },
	{ "await", WORD_PREFIX },
	{ "class", WORD_DEFINES },
	{ "const", WORD_PREFIX },
	{ "final", WORD_PREFIX },
	{ "local", WORD_PREFIX },
	{ "until", WORD_ENDS },
	{ "while", WORD_ENDS },
	{ "yield", WORD_PREFIX },
	{ "import", WORD_IMPORT },
	{ "return", WORD_PREFIX },
	{ "unless", WORD_ENDS },
	{ "$_SERVER", WORD_ENVIRONMENT },
	{ "environ", WORD_ENVIRONMENT },
	{ "foreach", WORD_FOR | WORD_WITH | WORD_ENDS },
	{ "package", WORD_DEFINES },
	{ "function", WORD_DEFINES },
	{ "namespace", WORD_DEFINES },
};

static uint8_t
word_class(const char *text, size_t len)
{
	if (len < 2 || len > 9) {
		return 0;
	}
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (words[i].word[0] == text[0] && words[i].word[1] == text[1] &&
		    strncmp(words[i].word, text, len) == 0 && words[i].word[len] == '\0') {
			return words[i].class;
		}
	}
	return 0;
}

/* ---- names, numbers, punctuation ----------------------------------------------------------- */

static void
newline(struct lexer *lexer)
{
	const struct token *last = lexer_last_token(lexer);

	if (last != NULL && last->kind != LEX_NEWLINE) {
		lexer_push(lexer, LEX_NEWLINE, lexer->at, 1);
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
	    lexer_perl_quote(lexer, lexer->text + start, at - start)) {
		return true;
	}
	if ((lexer->flags & LEX_TRIPLE) != 0 && at - start <= 2 && at < lexer->len &&
	    (lexer->text[at] == '"' || lexer->text[at] == '\'') &&
	    lex_in_nocase("r u b f br rb fr rf t", lexer->text + start, at - start)) {
		bool raw = lex_lower(lexer->text[start]) == 'r' ||
			   lex_lower(lexer->text[at - 1]) == 'r';
		bool format = lex_lower(lexer->text[start]) == 'f' ||
			      lex_lower(lexer->text[at - 1]) == 'f';

		lexer_quoted(lexer, LEX_STRING, lexer->text[at],
			     (raw ? (unsigned)STYLE_RAW : (unsigned)STYLE_ESCAPES) |
				     (format ? (unsigned)STYLE_FORMAT : 0U));
		return true;
	}
	lexer_push_string(lexer, LEX_NAME, start, at, word_class(lexer->text + start, at - start));
	return true;
}

static bool
number(struct lexer *lexer)
{
	size_t start = lexer->at;

	if (!lex_is_digit(lexer_peek(lexer, 0))) {
		return false;
	}
	while (lex_is_digit(lexer_peek(lexer, 0)) || lex_is_alpha(lexer_peek(lexer, 0)) ||
	       lexer_peek(lexer, 0) == '_' ||
	       (lexer_peek(lexer, 0) == '.' && lex_is_digit(lexer_peek(lexer, 1)))) {
		lexer->at++;
	}
	lexer_push(lexer, LEX_NUMBER, start, lexer->at - start);
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
	if (lexer_closing((char)items[open].op) != c) {
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
	char c = lexer_peek(lexer, 0);
	char second = lexer_peek(lexer, 1);
	struct token *token = lexer_push(lexer, LEX_PUNCT, lexer->at, 1);
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

static void
next(struct lexer *lexer)
{
	char c = lexer_peek(lexer, 0);

	if (c == '\n') {
		newline(lexer);
		return;
	}
	if (lex_is_blank(c) || (c == '\\' && lexer_peek(lexer, 1) == '\n')) {
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
	if (c == '<' && lexer_peek(lexer, 1) == '<' &&
	    ((lexer_peek(lexer, 2) == '<' && (lexer->flags & LEX_HEREDOC_PHP) != 0 &&
	      lexer_heredoc(lexer, 3)) ||
	     ((lexer->flags & LEX_HEREDOC) != 0 && lexer_heredoc(lexer, 2)))) {
		return;
	}
	if (c == '\'' && (lexer->flags & LEX_CHARS) != 0) {
		if (!lexer_character(lexer)) {
			punctuation(lexer);
		}
		return;
	}
	if (lexer_string(lexer) ||
	    (c == '/' && (lexer->flags & LEX_REGEX) != 0 && lexer_regex(lexer)) ||
	    (c == '%' && (lexer->flags & LEX_PERCENT) != 0 && lexer_percent(lexer)) ||
	    number(lexer) || name(lexer)) {
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
	if (lexer_push(&lexer, LEX_END, len, 0) == NULL || arena->failed) {
		return false;
	}
	lexer.out.count--;
	*out = lexer.out;
	return true;
}
