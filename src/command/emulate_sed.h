/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_EMULATE_SED_H
#define COMMAND_EMULATE_SED_H

/*
 * A sed that runs. Private to emulate_sed*.c.
 */

#include "command/emulate_impl.h"

/* A buffer of sed's, and whether a newline stood behind what is in it. */
struct space {
	struct emulate_out text;
	bool newline;
};

enum range_state { RANGE_BEFORE, RANGE_INSIDE, RANGE_CLOSED };

/* What is kept of a command while it runs. */
struct command_state {
	struct emulate_regex *regex;
	struct emulate_regex *first;
	struct emulate_regex *second;
	enum range_state range;
	uint64_t end;
};

enum step {
	STEP_NEXT,
	STEP_END,    /* of the cycle */
	STEP_DELETE, /* the same, and nothing is printed */
	STEP_AGAIN,  /* the same, and no line is read */
	STEP_LAST,   /* there is no next line for n or N */
	STEP_QUIT,
	STEP_UNKNOWN,
};

struct sed {
	struct arena *arena;
	struct shell *shell;
	const struct sed_program *program;
	struct command_state *states;
	bool extended;
	bool quiet;
	struct emulate_text input;
	size_t at; /* in the input */
	uint64_t line;
	struct space pattern;
	struct space hold;
	struct emulate_out scratch;
	struct emulate_out later; /* what a appends */
	struct emulate_out *out;
	bool missing;  /* the newline of the last line that was printed */
	bool replaced; /* for t */
	size_t next;   /* the command to go on with */
	size_t steps;
};

/* Was the last line read? */
static inline bool
sed_at_end(const struct sed *sed)
{
	return sed->at >= sed->input.len;
}

void sed_print_text(struct sed *sed, const char *text, size_t len, bool newline);
void sed_print_pattern(struct sed *sed);

/* Is the command at `index` for this line? 1, 0, or -1 for not known. */
int sed_is_selected(struct sed *sed, size_t index);

enum step sed_substitute(struct sed *sed, const struct sed_command *command);
enum step sed_translate(struct sed *sed, const struct sed_command *command);

#endif /* COMMAND_EMULATE_SED_H */
