/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_H
#define COMMAND_CODE_H

/*
 * Code in languages other than the shell: what can be told of it without running it. sed and awk
 * programs are read whole and may be harmless; of full languages only what plainly does something
 * is found (a shell command in a string, a removal, a reverse shell), and the rest stays prompt.
 */

#include "command/model.h"

/*
 * What `text` does in `language` (not LANG_BASH, LANG_SH: those are the walker's). Commands that
 * the code hands to a shell come out as inners. Sets FIND_KNOWN when everything in it was read and
 * nothing but the findings happens. `args` are the code's arguments (files of awk and sed are the
 * model's affair, not this one's). `input` is what it reads, for sed's e and awk's pipes.
 */
void code_judge(enum language language, const struct field *text, const struct field *args,
		size_t arg_count, const struct stream *input, struct findings *found);

#endif /* COMMAND_CODE_H */
