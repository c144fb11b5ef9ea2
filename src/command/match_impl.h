/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MATCH_IMPL_H
#define COMMAND_MATCH_IMPL_H

/*
 * Matching an argument vector against a table: what match.c (options), match_operands.c (operands
 * and what all of it does) and model.c (which table) share.
 *
 * Invariant: what a word may be, it is taken for. A word that is not known and may be an option
 * makes the command unknown where an option of the table could do harm, and it makes the places of
 * the operands behind it uncertain in any case.
 */

#include "command/model.h"
#include "command/model_index.h"

#include <stdint.h>

/* A program and its subcommands of subcommands. */
#define MATCH_LEVELS 4

struct matcher {
	struct match match;
	struct arena *arena;
	struct findings *found;
	const struct program *levels[MATCH_LEVELS]; /* the innermost first */
	size_t level_count;
	const struct model_slot *slot; /* of the program in the index, or NULL */
	unsigned style;
	size_t at;	      /* the word of argv that comes next */
	size_t uncertain_at;  /* the first word of argv that may be what it is not; SIZE_MAX */
	size_t command_after; /* so many operands stand before a command; SIZE_MAX */
	struct matched_option *options; /* match.options */
	struct field *copied;		/* the operands, when they do not stand side by side */
	size_t *operand_at;		/* their places in argv then */
	bool ended;			/* no more options: after "--" */
	bool guessed;			/* PARSE_LOOSE let an option through: it may take a word */
};

/* What `words` (argv and its surroundings) do when `program` describes them. `slot` is that of the
 * program in the index, or NULL: it only makes the search for subcommands faster. */
void match_program(const struct program *program, const struct model_slot *slot,
		   const struct match *words, struct findings *found);

/* Matches options and operands from matcher->at on; with `to_operand`, up to the first operand. */
void match_words(struct matcher *matcher, bool to_operand);

/* Stands for an argument that should be there and is not, so that no refinement meets NULL: as
 * many as the longest arity takes. */
extern const struct field match_missing[2];

/* The place in argv of an operand. */
size_t match_operand_at(const struct matcher *matcher, size_t index);

/* What a long option was found as. */
struct match_name {
	const struct option_row *row;
	const char *name;
	size_t len;
	bool exact;
	bool ambiguous;
};

/* The row of a letter; NULL: none has it. */
const struct option_row *match_letter(const struct matcher *matcher, char letter);

/* Finds the row of a long name or of a prefix of it. false: there is none, or more than one. */
bool match_name(const struct matcher *matcher, const char *text, size_t len,
		struct match_name *best);

/* Could an option of the tables do harm, or (with `executes`) run something? */
bool match_could_harm(const struct matcher *matcher, bool executes);

/* Puts into the findings what the matched words do. */
void match_apply(struct matcher *matcher);

/* `field` from byte `from` on, in the arena. */
const struct field *match_tail(struct matcher *matcher, const struct field *field, size_t from);

/* `dir` + "/" + `path`, or `path` where that is not relative for certain. `dir` may be NULL. */
const struct field *match_join(struct arena *arena, const struct field *dir,
			       const struct field *path);

/* Where one is after going from `dir` (may be NULL) into `arg` (may be NULL or empty: stays). */
const struct field *match_enter(struct arena *arena, const struct field *dir,
				const struct field *arg);

/* An option that the table does not have: "option --foo". */
void match_unknown(struct matcher *matcher, const char *what, const struct field *word);

#endif /* COMMAND_MATCH_IMPL_H */
