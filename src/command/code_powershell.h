/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_POWERSHELL_H
#define COMMAND_CODE_POWERSHELL_H

/* Between the reader of PowerShell (code_powershell.c) and its commands (code_powershell_act.c). */

#include "command/code_impl.h"
#include "command/code_lex.h"
#include "command/code_windows.h"

#define WORDS_MAX 48
#define EVAL_DEPTH_MAX 4

#define RULE(name, id_, decision_, kind_, message_)                                                \
	static const struct rule name = { .id = (id_),                                             \
					  .decision = BAILEY_##decision_,                          \
					  .kind = BAILEY_EFFECT_##kind_,                           \
					  .message = (message_) }

struct ps_word {
	const char *text;
	size_t len;
	bool quoted;
	bool dash; /* a parameter */
};

struct ps {
	struct code *code;
	const char *text;
	size_t len;
	size_t at;
	struct ps_word words[WORDS_MAX];
	size_t count;
	const struct field *listed; /* what the stage before names */
	unsigned depth;
	bool evals;
	bool fetches;
	bool connects;
};

/* Does what the words of `ps` say, and forgets them. `piped`: they get what the command before
 * gives. */
void ps_command(struct ps *ps, bool piped);

/* Reads a text inside of `outer`: a literal that is evaluated. */
void ps_read(struct ps *outer, const char *text, size_t len);

#endif /* COMMAND_CODE_POWERSHELL_H */
