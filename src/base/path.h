/* SPDX-License-Identifier: MIT */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/*
 * Paths as text: no system call here, so nothing below knows about symlinks. What must know is in
 * base/fd.h (path_resolve, open_beneath).
 */

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * `path` made absolute against `base` (which is absolute) and lexically normal: no "", "." or ".."
 * component, no doubled or trailing slash; ".." at the root stays there. NULL: out of memory.
 */
char *path_normalize(struct arena *arena, const char *base, const char *path);

/*
 * As path_normalize() after "~" and "~/..." have become `home`. "~user" is kept as a name, as it
 * is when a shell finds no such user. `home` may be NULL: then "~" is a name too.
 */
char *path_expand(struct arena *arena, const char *home, const char *base, const char *path);

/* dir + "/" + name, without doubling the slash of "/". */
char *path_join(struct arena *arena, const char *dir, const char *name);

/* Is normal path `path` equal to normal directory `dir`, or below it? By whole components. */
bool path_under(const char *path, const char *dir);

/* The last component: "" for "/". Points into `path`. */
const char *path_base(const char *path);

/* The directory that holds normal path `path`; "/" for "/". NULL: out of memory. */
char *path_parent(struct arena *arena, const char *path);

/* Has the path, as it is written, a ".." component? */
bool path_has_dotdot(const char *path);

#endif /* BASE_PATH_H */
