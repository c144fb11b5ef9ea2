/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_LEX_IMPL_H
#define COMMAND_CODE_LEX_IMPL_H

/* Between the tokenizer (code_lex.c) and its strings and patterns (code_lex_strings.c). */

#include "command/code_lex.h"

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

static inline char
lexer_peek(const struct lexer *lexer, size_t ahead)
{
	return lexer->at + ahead < lexer->len ? lexer->text[lexer->at + ahead] : '\0';
}

static inline const struct token *
lexer_last_token(const struct lexer *lexer)
{
	return lexer->out.count == 0 ? NULL : &lexer->out.items[lexer->out.count - 1];
}

struct token *lexer_push(struct lexer *lexer, enum lex_kind kind, size_t start, size_t len);
void lexer_push_string(struct lexer *lexer, enum lex_kind kind, size_t start, size_t end,
		       unsigned style);

/* May a value begin here, so that a slash opens a pattern? */
bool lexer_value_expected(const struct lexer *lexer);

/* To the end of the line; behind the next `end`, or to the end of all. */
void lexer_skip_line(struct lexer *lexer);
void lexer_skip_to(struct lexer *lexer, const char *end);

/* The bracket that closes `open`; other characters close themselves. */
char lexer_closing(char open);

/* Each reads one thing that starts at the reading place, when there is one. */
bool lexer_string(struct lexer *lexer);
bool lexer_percent(struct lexer *lexer);   /* Ruby's %w(...) */
bool lexer_regex(struct lexer *lexer);	   /* /.../ */
bool lexer_character(struct lexer *lexer); /* 'x' where quotes hold one character */
/* <<NAME, whose sign has `sign` characters. */
bool lexer_heredoc(struct lexer *lexer, size_t sign);
/* Perl's quote-like words: `name` stands right before the reading place. */
bool lexer_perl_quote(struct lexer *lexer, const char *name, size_t len);
/* A string in `quote`. */
void lexer_quoted(struct lexer *lexer, enum lex_kind kind, char quote, unsigned style);
/* A Lua long bracket at `at`: its content is [*from, *to). */
bool lexer_long_bracket(struct lexer *lexer, size_t at, size_t *from, size_t *to);

#endif /* COMMAND_CODE_LEX_IMPL_H */
