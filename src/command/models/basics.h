/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_BASICS_H
#define COMMAND_MODELS_BASICS_H

/*
 * What the refinements of the everyday programs share: questions about arguments, and paths put
 * together from them. The short forms of rows are those of services.h.
 */

#include "command/models/models.h"
#include "command/models/services.h"

#include <string.h>

/* The two long options that every GNU program has. */
#define ROW_VERSION ROW_HELP(NULL, "help version")
/* Known, and not harmless: without and with an argument. */
#define ROW_DOUBT(letters, names) ROW(letters, names, ARG_NONE, USE_UNKNOWN)
#define ROW_DOUBT_TAKES(letters, names) ROW(letters, names, ARG_ONE, USE_UNKNOWN)
/* A row with everything: what it is, and the flags of what it does. */
#define ROW_FLAGGED(letters, names, arity, use, flags)                                             \
	{                                                                                          \
		letters, names, arity, use, LANG_BASH, 0, NULL, flags                              \
	}

/* A file that what is printed goes to. */
#define ROW_OUTPUT(letters, names)                                                                 \
	ROW_FLAGGED(letters, names, ARG_ONE, DEED_WRITE, EFFECT_FROM_OUTPUT)
/* The argument is a program, run by that name alone, or text for a shell: never harmless. */
extern const struct rule basics_helper;
#define ROW_RUNS(letters, names) ROW_BOTH(letters, names, ARG_ONE, USE_COMMAND, &basics_helper)
#define ROW_RUNS_SHELL(letters, names) ROW_BOTH(letters, names, ARG_ONE, USE_SHELL, &basics_helper)
/* The argument is a machine or an address that is talked to. */
extern const struct rule basics_network;
#define ROW_REMOTE(letters, names) ROW_BOTH(letters, names, ARG_ONE, USE_HOST, &basics_network)
/* The option's argument may be the pattern, or a set of them, that comes first otherwise. */
#define ROW_PATTERN(letters, names) ROW(letters, names, ARG_ONE, USE_PATTERN)

/* Programs that only do, and only look: what they print and read does not matter. */
#define FIND_QUIET (FIND_OUT_NOTHING | FIND_IGNORES_INPUT)

/* Puts `flags` on everything that was found to be `deed`. */
void basics_flag(struct findings *found, enum deed deed, unsigned flags);

/* A field of its own in the arena; an empty one when memory is out. */
const struct field *basics_keep(struct findings *found, struct field field);
/* The bytes of `field` from `from` on, as a field in the arena. */
const struct field *basics_tail(struct findings *found, const struct field *field, size_t from);
/* `text`, which is static, as a field in the arena with the span of `like`. */
const struct field *basics_static(struct findings *found, const char *text,
				  const struct field *like);
/* The two texts one behind the other: a prefix and its suffix. */
const struct field *basics_glue(struct findings *found, const struct field *a, const char *text);
/* `path` below `dir`; `path` itself when it is absolute. */
const struct field *basics_below(struct findings *found, const struct field *dir,
				 const struct field *path);

/* Where the last component of a path begins; its whole length when the path ends in a slash. */
size_t basics_base(const struct field *path);
/* The path that `source` gets when it is put into the directory `dir`; NULL when its last component
 * is no name (".", ".." or nothing), so that any names may come to be in `dir`. */
const struct field *basics_into(struct findings *found, const struct field *dir,
				const struct field *source);
/* Does the text alone say that this is a directory? */
bool basics_is_directory(const struct shell *shell, const struct field *path);

/* Does any operand or argument begin with a scheme ("sftp://host/x")? These leave this machine. */
void basics_urls(const struct match *match, struct findings *found);

/* Operands "@file" whose content becomes options, among them such as run something. */
void basics_response_files(const struct match *match, struct findings *found);

/* Operands that are names of machines, which are looked up; addresses are not. */
void basics_names(const struct match *match, struct findings *found);

/* refine: what is written to files is the standard input, or what the program prints. */
void basics_from_stdin(const struct match *match, struct findings *found);
void basics_from_output(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_BASICS_H */
