/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_SERVICES_H
#define COMMAND_MODELS_SERVICES_H

/*
 * Short forms for the tables of git, forges, packages, builds, containers, clouds and the network,
 * and the small questions that their refinements ask. Nothing here is for the engine.
 */

#include "command/model.h"

#include <string.h>

/* ---- rows -------------------------------------------------------------------------------- */

#define ROW(letters, names, arity, use)                                                            \
	{                                                                                          \
		letters, names, arity, use, LANG_BASH, 0, NULL, 0                                  \
	}

/* Options that change nothing that matters: without, with, or perhaps with an argument. */
#define ROW_FLAG(letters, names) ROW(letters, names, ARG_NONE, USE_NOTHING)
#define ROW_TAKES(letters, names) ROW(letters, names, ARG_ONE, USE_NOTHING)
#define ROW_MAYBE(letters, names) ROW(letters, names, ARG_OPTIONAL, USE_NOTHING)
#define ROW_HELP(letters, names) ROW(letters, names, ARG_NONE, USE_HELP)
/* The same when it is the only argument: a version, or help that means something else elsewhere. */
#define ROW_ALONE(letters, names) ROW(letters, names, ARG_NONE, USE_VERSION)
#define ROW_DRY(letters, names) ROW(letters, names, ARG_NONE, USE_DRY)
/* The argument is a path that suffers `deed`. */
#define ROW_PATH(letters, names, deed) ROW(letters, names, ARG_ONE, deed)
/* The argument is a machine or a URL. */
#define ROW_HOST(letters, names) ROW(letters, names, ARG_ONE, USE_HOST)
/* The argument is text that a shell runs. */
#define ROW_SHELL(letters, names) ROW(letters, names, ARG_ONE, USE_SHELL)
/* The argument names a program. */
#define ROW_PROGRAM(letters, names) ROW(letters, names, ARG_ONE, USE_PROGRAM)
/* The option itself has a consequence. */
#define ROW_RULE(letters, names, arity, rule)                                                      \
	{                                                                                          \
		letters, names, arity, USE_RULE, LANG_BASH, 0, rule, 0                             \
	}
/* A use of the argument, and a consequence besides. */
#define ROW_BOTH(letters, names, arity, use, rule)                                                 \
	{                                                                                          \
		letters, names, arity, use, LANG_BASH, 0, rule, 0                                  \
	}
#define ROW_CODE(letters, names, language)                                                         \
	{                                                                                          \
		letters, names, ARG_ONE, USE_CODE, language, 0, NULL, 0                            \
	}
/* The option changes what the operands suffer. */
#define ROW_MODE(letters, names, deed)                                                             \
	{                                                                                          \
		letters, names, ARG_NONE, USE_MODE, LANG_BASH, deed, NULL, 0                       \
	}

#define RULE(name, id, decision, kind, message)                                                    \
	static const struct rule name = { id, BAILEY_##decision, BAILEY_EFFECT_##kind, message }

/* A subcommand: names, operands, options, the ones below it, always found, its own refinement. */
#define SUB(names, operands, options, below, rule, refine)                                         \
	{                                                                                          \
		names, operands, options, below, 0, 0, rule, refine                                \
	}

/* A subcommand that is known by its consequence, whatever its options; and one that also talks to
 * other machines and prints what they say. */
#define SUB_DOES(names, rule)                                                                      \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE, 0, rule, NULL                                \
	}
#define SUB_TALKS(names, rule, refine)                                                             \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE, FIND_NETWORK | FIND_OUT_NETWORK, rule,       \
			refine                                                                     \
	}

/* ---- questions --------------------------------------------------------------------------- */

/* Does the literal beginning of a field say `prefix`? */
static inline bool
service_starts(const struct field *field, const char *prefix)
{
	size_t len = strlen(prefix);

	return field_known_prefix(field) >= len && memcmp(field->text, prefix, len) == 0;
}

/* The operand at `index`, or NULL. */
static inline const struct field *
service_operand(const struct match *match, size_t index)
{
	return index < match->operand_count ? &match->operands[index] : NULL;
}

/* Is the operand at `index` literally one of `words` (blank-separated)? */
bool service_operand_is(const struct match *match, size_t index, const char *words);

/* Is the literal `text` one of `words`? */
bool service_word_in(const char *text, const char *words);

/* Was one of these options (letter or 0, name or NULL) given? */
static inline bool
service_has(const struct match *match, char letter, const char *name)
{
	return match_option(match, letter, name) != NULL;
}

/* May any operand stand for more than one word, or for words that are not in the text? */
bool service_many_operands(const struct match *match);

/* Finds `rule` at the first operand, or at the command as a whole. */
void service_find(const struct match *match, struct findings *found, const struct rule *rule);

/* The command that begins with the operand at `index`, to be judged. */
void service_inner(const struct match *match, struct findings *found, size_t index, unsigned flags,
		   const char *via);

/* The command behind the first "--", to be judged. */
void service_after_dashes(const struct match *match, struct findings *found, unsigned flags,
			  const char *via);

/* Is this the option of a row that has `letter` alone? Says so for "-sofile" as well. */
static inline bool
service_is(const struct matched_option *option, char letter)
{
	return option->row->letters != NULL && option->row->letters[0] == letter &&
	       option->row->letters[1] == '\0';
}

/* The bytes of `field` from `from` on, but not those from `end` on, in the arena; never NULL. */
const struct field *service_part(struct findings *found, const struct field *field, size_t from,
				 size_t end);

/* Does a URL or host name a service that gives out the credentials of a machine in a cloud? */
bool service_is_metadata(const struct field *url);

/* HOST:PATH or REMOTE:PATH, and URLs: a colon in front of any slash. */
bool service_is_remote(const struct field *path);

/* What a copy does to its target: a directory gets files of unknown names. */
enum deed service_copy_deed(const struct field *target);

#endif /* COMMAND_MODELS_SERVICES_H */
