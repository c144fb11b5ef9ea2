/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_INTERPRETERS_IMPL_H
#define COMMAND_MODELS_INTERPRETERS_IMPL_H

/*
 * Between the tables of interpreters (interpreters.c), what they share (interpreters_refine.c), and
 * the tools whose programs are read whole (scripts.c).
 */

#include "command/models/services.h"

/* An option whose argument is code; the same options together are one program, line by line. */
#define ROW_PROGRAM_TEXT(letters, names, language)                                                 \
	{                                                                                          \
		letters, names, ARG_ONE, USE_NOTHING, language, 0, NULL, 0                         \
	}
/* The same, and what follows is the program's. */
#define ROW_PROGRAM_LAST(letters, names, language)                                                 \
	{                                                                                          \
		letters, names, ARG_REST, USE_NOTHING, language, 0, NULL, 0                        \
	}
/* The first row of an interpreter's options: those that only print something, given alone. */
#define ROW_SHOWS(letters, names) ROW_FLAG(letters, names)

/*
 * What an interpreter of a full language does: code of options, a script, or the standard input.
 * Only a question for help or a version, with nothing else, leaves the command known.
 */
void interpreter_judge(const struct match *match, struct findings *found, enum language language);

/* The arguments of all code options in `language`, joined by newlines; NULL when there is none. */
const struct field *interpreter_code(const struct match *match, struct findings *found,
				     enum language language);

/* Was the command a question for help or a version alone? */
bool interpreter_shows(const struct match *match);

void interpreter_python(const struct match *match, struct findings *found);
void interpreter_perl(const struct match *match, struct findings *found);
void interpreter_ruby(const struct match *match, struct findings *found);
void interpreter_node(const struct match *match, struct findings *found);
void interpreter_deno(const struct match *match, struct findings *found);
void interpreter_php(const struct match *match, struct findings *found);
void interpreter_lua(const struct match *match, struct findings *found);
void interpreter_tcl(const struct match *match, struct findings *found);
void interpreter_r(const struct match *match, struct findings *found);
void interpreter_osascript(const struct match *match, struct findings *found);
void interpreter_lisp(const struct match *match, struct findings *found);
void interpreter_other(const struct match *match, struct findings *found);
void interpreter_gdb(const struct match *match, struct findings *found);
void interpreter_m4(const struct match *match, struct findings *found);

/* The commands of a framework, as words behind a script or a program: "migrate:fresh". Finds what
 * deletes a database; `django`: among them those that only Django has. */
void framework_words(const struct field *words, size_t count, bool django, struct findings *found);

#endif /* COMMAND_MODELS_INTERPRETERS_IMPL_H */
