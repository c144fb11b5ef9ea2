/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_PROGRAM_H
#define SANDBOX_PROGRAM_H

#include "base/arena.h"

#include <bailey/error.h>

/*
 * The file that `name` would run, as execvp(3) finds it: in `path` (a PATH value, or NULL for the
 * usual places) unless the name has a slash; relative to `cwd` then, and so are relative entries
 * of the path. Only what is a regular file that may be executed counts.
 *
 * Errors: BAILEY_E_NOT_FOUND, BAILEY_E_REFUSED (it is there and cannot be executed), _NOMEM.
 */
int program_find(struct arena *arena, const char *name, const char *path, const char *cwd,
		 const char **out, struct bailey_error *err);

#endif /* SANDBOX_PROGRAM_H */
