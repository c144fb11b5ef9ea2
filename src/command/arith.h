/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_ARITH_H
#define COMMAND_ARITH_H

/* Arithmetic: what its parser (arith.c) and its lexer (arith_lex.c) share. */

#include "command/expand_impl.h"

struct num {
	bool known;
	int64_t value;
};

/* A variable or an element, as something to read or to assign to. */
struct place {
	const char *name;
	const char *index; /* the text between the brackets; NULL */
	size_t index_len;
};

enum arith_op {
	OP_NONE,
	OP_OR,
	OP_AND,
	OP_BIT_OR,
	OP_BIT_XOR,
	OP_BIT_AND,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_LESS_EQUAL,
	OP_GREATER_EQUAL,
	OP_LESS,
	OP_GREATER,
	OP_LEFT,
	OP_RIGHT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	OP_POWER,
};

struct arith {
	struct expander *ex;
	const char *text;
	const uint8_t *marks;
	size_t len;
	size_t pos;
	unsigned nesting; /* of the parser */
	unsigned skip;	  /* read but not evaluated: the right side of 0 && */
	bool failed;
};

static inline struct num
arith_number(int64_t value)
{
	return (struct num){ .known = true, .value = value };
}

static inline struct num
arith_unknown(void)
{
	return (struct num){ .known = false };
}

struct num arith_run(struct arith *a);

void arith_blanks(struct arith *a);
bool arith_at(const struct arith *a, const char *text);
/* Unknown text, with the letters and digits that touch it. */
bool arith_unknown_text(struct arith *a);
/* A name with its subscript. */
bool arith_place(struct arith *a, struct place *place);
/* A number; anything else fails. */
struct num arith_constant(struct arith *a);
/* The operator at hand when its level is `level` or higher. */
enum arith_op arith_operator(struct arith *a, int level, int *found);
/* = or an operator with =: `*op` is OP_NONE for the first. */
bool arith_assigns(struct arith *a, enum arith_op *op);

#endif /* COMMAND_ARITH_H */
