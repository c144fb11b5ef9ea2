/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_LINES_H
#define COMMAND_CODE_LINES_H

/*
 * Small helps for readers of languages that go line by line. Private to code_*.c.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

struct line {
	size_t from;
	size_t to; /* the newline, or the end */
};

/* The next line of the code; *next is where it starts and goes behind it. false: none. */
bool line_next(const struct code *code, size_t *next, struct line *line);

/* Cuts blanks from both ends. */
struct line line_trim(const struct code *code, struct line line);

/* The first word of a trimmed line, and in *rest what follows it. */
struct line line_word(const struct code *code, struct line line, struct line *rest);

/* Is the word an abbreviation of `name` (lower case) of `least` characters or more? */
bool line_abbreviates(const struct code *code, struct line word, const char *name, size_t least);

/* Hands the piece to a shell. */
void line_shell(struct code *code, struct line line, unsigned flags, const char *via);

/* The deed on the path that the piece is; nothing when it is empty. */
void line_deed(struct code *code, struct line line, enum deed deed);

/* The piece is code in another language. */
void line_code(struct code *code, struct line line, enum language language, const char *via);

/* Strings in [from, to) that stand as the first argument of a call of one of `names`:
 * system("..."). Each goes to a shell. */
void line_calls(struct code *code, struct line line, const char *names, const char *via);

#endif /* COMMAND_CODE_LINES_H */
