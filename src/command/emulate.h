/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_EMULATE_H
#define COMMAND_EMULATE_H

/*
 * Tools whose output follows from their arguments and input alone: echo, printf, cat, base64, tr,
 * rev, xxd, sed 's/a/b/' ... When those are known, so is what they print, and a hidden command in
 * it comes to light where a shell reads it.
 *
 * Invariants:
 *   - what is not certain is unknown output, never a guess: an option that is not known here, an
 *     argument that is not literal where it matters
 *   - literal parts stay: echo "rm $x" prints "rm " and then an unknown part
 *   - output is bounded by EMULATE_MAX; what would be longer is unknown
 */

#include "command/shell.h"

#define EMULATE_MAX ((size_t)1 << 20)

/*
 * The output of `argv` on `input`. true: `*output` is set (it may have unknown parts, and has the
 * taints of what went in). false: this tool is none of these, or its output cannot be told.
 * `shell` gives files that the script wrote (cat s.txt) and $IFS and the like.
 */
bool emulate(struct arena *arena, struct shell *shell, const struct field *argv, size_t argc,
	     const struct stream *input, struct stream *output);

/* What printf would print. `argv` is the whole command; -v NAME is allowed in it and not looked at,
 * which makes this the value that the builtin assigns. */
bool emulate_printf(struct arena *arena, struct shell *shell, const struct field *argv, size_t argc,
		    struct stream *output);

/* Is the program there on every system? */
bool emulate_is_everywhere(const char *name);

#endif /* COMMAND_EMULATE_H */
