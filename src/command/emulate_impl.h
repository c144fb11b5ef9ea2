/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_EMULATE_IMPL_H
#define COMMAND_EMULATE_IMPL_H

/*
 * What the emulated tools share. Private to emulate*.c and to the reader of sed programs.
 *
 * Invariants:
 *   - what a tool writes goes through emulate_put*(), which keep the bound, and what they cost is
 *     taken from the shell's account
 *   - texts may hold NULs here; emulate() sorts that out at the end
 */

#include "command/code_sed.h"
#include "command/emulate.h"

#include <string.h>

enum emulated {
	EMULATE_NO,	 /* not known here: emulate() gives false */
	EMULATE_UNKNOWN, /* the command is known and its output is not */
	EMULATE_DONE,
};

/* Whose printf and echo: they differ. */
enum flavour {
	FLAVOUR_BASH, /* its builtins */
	FLAVOUR_SH,   /* those of some sh: what dash and bash agree on */
	FLAVOUR_GNU,  /* the programs of coreutils */
};

/* A text that is read. */
struct emulate_text {
	const char *text;
	const uint8_t *marks; /* NULL: all is known */
	size_t len;
};

struct emulate_out {
	struct arena *arena;
	struct shell *shell; /* NULL: bounded by EMULATE_MAX alone */
	char *text;
	uint8_t *marks; /* NULL: nothing unknown so far */
	size_t len;
	size_t room;
	uint16_t taint;
	bool over; /* too long, or memory is out: unknown */
};

struct emulation {
	struct arena *arena;
	struct shell *shell;
	const char *name; /* of the program, without its directory */
	enum flavour flavour;
	const struct field *argv;
	size_t argc;
	const struct stream *input;
	bool sure;    /* of what may not have been written, nothing was */
	bool doubted; /* something was read that may not be all there */
	struct emulate_out out;
};

/* ---- output ------------------------------------------------------------------------------- */

void emulate_put(struct emulate_out *out, const char *text, size_t len);
void emulate_put_byte(struct emulate_out *out, char c);
void emulate_put_unknown(struct emulate_out *out);
/* The bytes [from, to) of a text, with their marks. */
void emulate_put_text(struct emulate_out *out, const struct emulate_text *text, size_t from,
		      size_t to);
void emulate_put_number(struct emulate_out *out, int64_t number);
/* As a stream. */
void emulate_finish(struct emulate_out *out, struct stream *output);

/* ---- input and arguments ------------------------------------------------------------------- */

struct emulate_text emulate_field(const struct field *field);

/* What is on a stream; its taints go to the output. */
struct emulate_text emulate_stream(struct emulation *e, const struct stream *stream);

/* The standard input. */
struct emulate_text emulate_input(struct emulation *e);

/* Is the byte at `at` unknown? */
static inline bool
emulate_is_unknown(const struct emulate_text *text, size_t at)
{
	return text->marks != NULL && text->marks[at] == MARK_UNKNOWN;
}

bool emulate_is_known(const struct emulate_text *text);

/* Behind the end of the line that starts at `at`: behind its newline, or the end of the text. */
static inline size_t
emulate_line_end(const struct emulate_text *text, size_t at)
{
	const char *end = memchr(text->text + at, '\n', text->len - at);

	return end == NULL ? text->len : (size_t)(end - text->text) + 1;
}

#define EMULATE_OPTIONS_MAX 16

/* Options and operands, sorted out as GNU tools do it: options may stand behind operands. */
struct emulate_args {
	const char *letters;
	bool given[EMULATE_OPTIONS_MAX];
	const char *values[EMULATE_OPTIONS_MAX];
	const struct field **operands;
	size_t count;
};

/*
 * `letters` as getopt() has them: "d:f:s". `names` are their long forms, "d=delimiter f=fields"; a
 * letter that no user can type (a digit) makes a long option without a letter. false: something
 * here is not known, or not literal where it might be an option.
 */
bool emulate_args(struct emulation *e, const char *letters, const char *names,
		  struct emulate_args *args);
bool emulate_given(const struct emulate_args *args, char letter);
/* NULL when it was not given. */
const char *emulate_value(const struct emulate_args *args, char letter);

/* A decimal number without a sign and nothing else. */
bool emulate_number(const char *text, uint64_t *number);

/*
 * What the files named by the operands from `first` on hold, one behind the other; the standard
 * input when there are none. EMULATE_NO when one is not known.
 */
enum emulated emulate_files(struct emulation *e, const struct emulate_args *args, size_t first,
			    struct emulate_text *text);

/* The same, and all of it has to be known. */
enum emulated emulate_known_files(struct emulation *e, const struct emulate_args *args,
				  size_t first, struct emulate_text *text);

/* Is all of the text ASCII without NULs, so that characters are bytes in every locale? */
bool emulate_is_ascii(const char *text, size_t len);

/* ---- tools -------------------------------------------------------------------------------- */

typedef enum emulated emulate_tool(struct emulation *e);

emulate_tool emulate_echo, emulate_printf_tool, emulate_yes;
emulate_tool emulate_cat, emulate_tee, emulate_tac, emulate_rev, emulate_head, emulate_tail,
	emulate_cut, emulate_grep, emulate_dd, emulate_sort, emulate_uniq, emulate_paste,
	emulate_fold;
emulate_tool emulate_tr;
emulate_tool emulate_base64, emulate_base32, emulate_basenc, emulate_xxd, emulate_openssl,
	emulate_gunzip;
emulate_tool emulate_seq, emulate_basename, emulate_dirname, emulate_expr, emulate_which,
	emulate_command, emulate_pwd, emulate_xargs, emulate_nothing;
emulate_tool emulate_sed, emulate_awk, emulate_script;

/* ---- escapes ------------------------------------------------------------------------------ */

enum place_of_escape {
	IN_ECHO,   /* echo -e: octal only behind \0, \c stops */
	IN_FORMAT, /* printf: \NNN, \" and \? */
	IN_VALUE,  /* printf %b: \NNN and \0NNN, \c stops */
};

struct emulate_escape {
	struct emulate_out *out;
	enum flavour flavour;
	enum place_of_escape place;
	const struct emulate_text *text;
	size_t at;
	bool stop; /* \c */
	bool bad;  /* not known what it gives */
};

/* The escape behind a backslash; `at` is behind that and not at the end. */
void emulate_put_escape(struct emulate_escape *e);

/* All of the text, up to \c or to what is not known. */
void emulate_put_escaped(struct emulate_escape *e);

/* Does printf into `out`, `args` being what stands behind its name. */
enum emulated emulate_format(struct emulate_out *out, enum flavour flavour,
			     const struct field *args, size_t count);

/*
 * Runs a sed program that only prints: s, y, d, p, q and the like. false: it is not all of that
 * kind, or its output is not known. An e flag of s counts as not there.
 */
bool emulate_sed_program(struct emulate_out *out, const struct sed_program *program,
			 const struct emulate_text *input, bool quiet, bool extended);

/* ---- regular expressions ------------------------------------------------------------------- */

#define EMULATE_GROUPS 10

struct emulate_regex; /* opaque: emulate_regex.c */

struct emulate_match {
	size_t from[EMULATE_GROUPS];
	size_t to[EMULATE_GROUPS];
};

/* NULL: the expression is not one that can be matched exactly here, or memory is out. */
struct emulate_regex *emulate_regex(struct arena *arena, const char *text, size_t len,
				    bool extended, bool nocase);

/* How many groups it has. */
unsigned emulate_regex_groups(const struct emulate_regex *regex);

/* Searches [at, len). 1: found, 0: not there, -1: it would take too long to find out. `steps` is
 * what may still be spent. */
int emulate_search(const struct emulate_regex *regex, const char *text, size_t len, size_t at,
		   size_t *steps, struct emulate_match *match);

#endif /* COMMAND_EMULATE_IMPL_H */
