/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_LEX_H
#define COMMAND_CODE_LEX_H

/*
 * A tokenizer for programming languages: names, numbers, strings with their quotes off, code for a
 * shell in backquotes, punctuation. Each language is a set of flags. Private to code_*.c.
 *
 * Invariants:
 *   - any bytes give tokens; what is not understood is punctuation of one byte
 *   - time and room are linear in the text; texts of more than LEX_TOKENS_MAX tokens are cut, so
 *     a language that is read by tokens is never known to be harmless by them alone
 *   - `match` of a bracket is the index of its partner, or its own index when it has none
 */

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEX_TOKENS_MAX ((size_t)1 << 20)

enum lex_flag {
	LEX_HASH = 1,		   /* # comment */
	LEX_SLASHES = 2,	   /* // comment, and between slashes and stars */
	LEX_DASHES = 4,		   /* -- comment, --[[ comment ]], [[string]] */
	LEX_TRIPLE = 8,		   /* three quotes; prefixes r b f u */
	LEX_TICK_SHELL = 16,	   /* `...` is for a shell */
	LEX_TICK_STRING = 32,	   /* `...` is a string with ${...} */
	LEX_PERL = 64,		   /* q qq qw qx m qr s tr y, =pod */
	LEX_PERCENT = 128,	   /* %w %i %q %Q %x %( */
	LEX_HEREDOC = 256,	   /* <<NAME <<~NAME <<-'NAME' */
	LEX_HEREDOC_PHP = 512,	   /* <<<NAME */
	LEX_REGEX = 1024,	   /* /.../ where a value may stand */
	LEX_DOT_NAMES = 2048,	   /* dots are part of names */
	LEX_SINGLE_RAW = 4096,	   /* '...' knows only \\ and \' */
	LEX_INTER_HASH = 8192,	   /* "#{...}" */
	LEX_INTER_DOLLAR = 16384,  /* "$x @x ${x}" */
	LEX_CHARS = 32768,	   /* 'x' is one character: Java, C */
	LEX_SIGILS = 65536,	   /* $ and @ belong to names */
	LEX_DOUBLED_QUOTE = 131072 /* 'it''s' */
};

enum lex_kind {
	LEX_END,
	LEX_NEWLINE,
	LEX_NAME,
	LEX_NUMBER,
	LEX_STRING,
	LEX_SHELL,
	LEX_CODE,
	LEX_PUNCT
};

/* How the bytes of a string are meant. */
enum lex_style {
	STYLE_RAW = 0,
	STYLE_SINGLE = 1,  /* backslash before a quote or a backslash only */
	STYLE_ESCAPES = 2, /* backslash as in C */
	STYLE_HASH = 4,	   /* #{...} */
	STYLE_DOLLAR = 8,  /* $x @x ${x} {$x} */
	STYLE_BRACE = 16,  /* ${...} */
	STYLE_FORMAT = 32, /* {...} */
	STYLE_WORDS = 64,  /* a list of words */
};
#define STYLE_INTERPOLATES (STYLE_HASH | STYLE_DOLLAR | STYLE_BRACE | STYLE_FORMAT)

/* What a name is in one language or another, so that it is looked up once. */
enum lex_word {
	WORD_PREFIX = 1,  /* stands before a value and changes nothing: new, await, my */
	WORD_DEFINES = 2, /* a definition's name follows: def, function */
	WORD_ENDS = 4,	  /* ends arguments that have no parentheses: if, unless, or */
	WORD_AS = 8,
	WORD_WITH = 16,	  /* with, foreach: EXPRESSION as NAME may follow */
	WORD_FOR = 32,	  /* for, foreach */
	WORD_IMPORT = 64, /* import, from: a string may follow */
	WORD_ENVIRONMENT = 128,
};

struct token {
	uint8_t kind;  /* enum lex_kind */
	uint8_t style; /* LEX_STRING, LEX_SHELL: enum lex_style; LEX_NAME: enum lex_word */
	uint16_t op;   /* LEX_PUNCT: one or two bytes, the first in the low half */
	uint32_t start;
	uint32_t len; /* of the content, quotes not counted */
	uint32_t match;
};

#define OP2(a, b) ((uint16_t)((unsigned char)(a) | (unsigned)(unsigned char)(b) << 8))

struct tokens {
	const char *text;
	struct token *items; /* ends with LEX_END */
	size_t count;	     /* LEX_END not counted */
};

/* false: memory is out. */
bool lex_tokens(struct arena *arena, const char *text, size_t len, unsigned flags,
		struct tokens *out);

/* Finds the next interpolation at or behind *at: its code is [*from, *to), and *at goes behind it.
 * Gives the offset of its first byte, or `end` when there is none. */
size_t lex_interpolation(const char *text, size_t end, unsigned style, size_t *at, size_t *from,
			 size_t *to);

/* ---- ASCII, whatever the locale ------------------------------------------------------------ */

static inline bool
lex_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
lex_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool
lex_is_name(char c)
{
	return lex_is_alpha(c) || lex_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool
lex_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline bool
lex_is_space(char c)
{
	return lex_is_blank(c) || c == '\n';
}

static inline char
lex_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Is [text, len) this word, whatever the case of its letters? `word` is lower case. */
bool lex_same(const char *text, size_t len, const char *word);

/* Is [text, len) one of the blank-separated words of `list`, exactly? */
bool lex_in(const char *list, const char *text, size_t len);

/* The same, whatever the case; `list` is lower case. */
bool lex_in_nocase(const char *list, const char *text, size_t len);

#endif /* COMMAND_CODE_LEX_H */
