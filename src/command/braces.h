/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_BRACES_H
#define COMMAND_BRACES_H

/* Brace expansion: what braces.c, which finds and multiplies, shares with braces_word.c, which
 * takes words apart and makes them. */

#include "command/expand_impl.h"

#define OPAQUE '\x01' /* a part that is quoted or an expansion */

struct brace_piece {
	const char *text; /* of a sequence; NULL: the flat bytes from start to end */
	size_t start, end;
};

struct choice {
	struct brace_piece *pieces;
	size_t count;
};

struct choices {
	struct choice *items;
	size_t count;
};

struct braces {
	struct shell *shell;
	const struct source *source; /* of the word; NULL */
	const char *flat;
	const struct part **parts; /* of each opaque byte */
	bool over;
	unsigned depth;
};

static inline bool
braces_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
braces_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What the flat bytes [start, end) expand to. */
void braces_expand(struct braces *br, size_t start, size_t end, struct choices *out);

/* Takes from the shell's account; false: it is used up, and `over` is set. */
bool braces_pay(struct braces *br, size_t bytes);

#endif /* COMMAND_BRACES_H */
