/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_SED_H
#define COMMAND_CODE_SED_H

/*
 * A sed program as a list of commands. The grammar is that of GNU sed 4.3 and later; where older
 * ones or other seds read the same text in another way, it is not read at all, or both ways.
 *
 * Invariant: text is never copied; ranges are bytes of the program.
 */

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sed_range {
	size_t from;
	size_t to;
};

enum sed_address_kind {
	SED_NONE,
	SED_LINE,
	SED_STEP, /* first~step */
	SED_LAST,
	SED_REGEX,
	SED_PLUS,     /* second address: +N */
	SED_MULTIPLE, /* second address: ~N */
};

struct sed_address {
	enum sed_address_kind kind;
	uint64_t number;
	uint64_t step;
	struct sed_range regex;
	char delimiter;
	bool nocase;
	bool lines; /* M */
};

struct sed_command {
	struct sed_address first;
	struct sed_address second;
	bool negated;
	char name;
	char delimiter;
	/* s: the regex, y: the characters; a c i e: the text; r R w W: the file; b t T : the label
	 */
	struct sed_range range;
	struct sed_range other; /* s: the replacement; y: what they become */
	struct sed_range file;	/* s: of the w flag; empty when there is none */
	uint64_t number;	/* s: which match; l q Q: their argument */
	bool global, print, nocase, lines, eval, has_number;
	struct sed_range whole;
	size_t partner; /* of { and }: the index of the other */
};

struct sed_program {
	const char *text;
	struct sed_command *commands;
	size_t count;
	bool quiet;	 /* #n in the first line */
	bool bracketed;	 /* a delimiter stood in a bracket expression: see sed_read() */
	size_t error_at; /* where reading stopped */
};

/*
 * Reads a program. false: it is not one, or not for certain; the commands before the error are
 * there. With `brackets`, a delimiter inside of [...] is part of the regex, as in GNU sed 4.9; when
 * there is one, the program may mean something else to other seds, which reading it again without
 * `brackets` tells.
 */
bool sed_read(struct arena *arena, const char *text, size_t len, bool brackets,
	      struct sed_program *program);

/* The character behind a backslash escape that makes one character (\n \t \xHH \oNNN \dNNN \cX),
 * *at being behind the backslash; *at goes behind it. -1: it is none of these. */
int sed_escape(const char *text, size_t end, size_t *at);

#endif /* COMMAND_CODE_SED_H */
