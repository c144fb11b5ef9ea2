/* SPDX-License-Identifier: MIT */
#ifndef BROKER_NAMES_H
#define BROKER_NAMES_H

/*
 * Which names might be a protected one. File systems do not agree when two names are the same, so
 * a name is taken for a protected one when any would do so: without case; without the code points
 * that a case-folding ext4 or HFS+ ignores; with a dot or space behind it or a stream, as on VFAT
 * and NTFS; or as its short name there (GIT~1).
 *
 * Beyond ASCII, names are compared as bytes.
 */

#include "policy/policy.h"

/* `len` bytes at `name` are one component of a path. */
bool name_is_any_of(const struct strings *known, const char *name, size_t len);
bool name_is_git(const char *name, size_t len);

/* Is the part `rest` of a .git directory (relative, "" for itself) one that is kept as it is when
 * the others may be written? */
bool name_is_kept_git_part(const char *rest);

#endif /* BROKER_NAMES_H */
