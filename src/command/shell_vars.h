/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_SHELL_VARS_H
#define COMMAND_SHELL_VARS_H

/* What shell_vars.c and shell_arrays.c share. */

#include "command/shell_table.h"

/* Where home is when the scene does not say: known as home, and nowhere real. */
#define SHELL_NO_HOME "/home/user"

/* The entry that an assignment to `name` goes to, namerefs followed; NULL when that is not known
 * (every variable is unsure then) or when it is `*element`, "x[i]". */
struct shell_entry *shell_target(struct shell *shell, const char *name, const char **element);

/* The variable of an entry, made when it is not there, for changing in place. */
struct var *shell_var_for_writing(struct shell *shell, struct shell_entry *entry);

/* `entry` is about to be set by the text: see on_assign. */
void shell_tell(struct shell *shell, const struct shell_entry *entry, const struct field *value);

/* The one value of a variable that is no array; NULL: empty. */
void shell_put_scalar(struct shell *shell, struct var *var, const struct field *value);

/* `a` followed by `b`, or their sum when `var` is an integer. */
struct field shell_concat(struct shell *shell, const struct var *var, const struct field *a,
			  const struct field *b);

/* Has nothing read or set it so far? Then it is what it was at the start. */
bool shell_untouched(struct shell *shell, const char *name);

/* What it is now becomes one of what it may be. */
void shell_make_unsure(struct shell *shell, struct var *var);

/* Where the element with this subscript is, or would go; false: the subscript says nothing. */
bool shell_place(struct shell *shell, const struct var *var, const struct field *index,
		 size_t *place, bool *found);

#endif /* COMMAND_SHELL_VARS_H */
