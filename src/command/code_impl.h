/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_IMPL_H
#define COMMAND_CODE_IMPL_H

/*
 * What the readers of the languages share. Private to code_*.c.
 *
 * A reader gets a struct code and adds to code->found. It sets FIND_KNOWN, by code_known(), only
 * when it has read everything and nothing but its findings happens; a reader that only looks for
 * what is plainly bad never does. FIELD_UNKNOWN bytes in the text stand for anything: code_known()
 * refuses a text that has any, so a reader may treat them as one odd character.
 */

#include "command/code.h"

struct code {
	enum language language;
	const struct field *field; /* the code as it came */
	const char *text;	   /* its bytes, NUL behind */
	size_t len;
	const struct field *args;
	size_t arg_count;
	const struct stream *input;
	struct findings *found;
	struct arena *arena; /* that of `found` */
};

/* Everything was read: FIND_KNOWN, unless the text has unknown parts or find_unknown() was called
 * by the reader. */
void code_known(struct code *code);

/* The bytes [from, to) of the code as a field, with their marks, taints and place in the source.
 * NULL when memory is out. */
const struct field *code_piece(struct code *code, size_t from, size_t to);

/* A text that the code makes (a string after its escapes), with the taints of the code and its
 * span. Bytes FIELD_UNKNOWN in it become unknown parts. NULL when memory is out or the text holds a
 * NUL. The text is copied. */
const struct field *code_made(struct code *code, const char *text, size_t len);

/* A text of which nothing is known, with the taints of the code. */
const struct field *code_unknown_text(struct code *code);

/* Hands `text` to a shell: INNER_CODE in LANG_SH that is at least prompt. `via` is static. `text`
 * NULL (memory is out) adds nothing but find_unknown(). */
struct inner *code_shell(struct code *code, const struct field *text, const char *via);

/* find_unknown() with the bytes from `at` to `to` as the place. */
void code_unknown(struct code *code, const char *why, size_t at, size_t to);

/* ---- the languages: one function each, in code_<topic>.c ----------------------------------- */

void code_python(struct code *code);
void code_perl(struct code *code);
void code_ruby(struct code *code);
void code_node(struct code *code);
void code_php(struct code *code);
void code_lua(struct code *code);
void code_tcl(struct code *code);
void code_r(struct code *code);
void code_osascript(struct code *code);
void code_awk(struct code *code);
void code_sed(struct code *code);
void code_jq(struct code *code);
void code_sql(struct code *code);
void code_redis(struct code *code);
void code_mongo(struct code *code);
void code_vim(struct code *code);
void code_ed(struct code *code);
void code_less(struct code *code);
void code_gdb(struct code *code);
void code_make(struct code *code);
void code_bc(struct code *code);
void code_dc(struct code *code);
void code_m4(struct code *code);
void code_crontab(struct code *code);
void code_powershell(struct code *code);
void code_cmd(struct code *code);
void code_scheme(struct code *code);
void code_other(struct code *code);

#endif /* COMMAND_CODE_IMPL_H */
