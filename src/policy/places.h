/* SPDX-License-Identifier: MIT */
#ifndef POLICY_PLACES_H
#define POLICY_PLACES_H

/*
 * Places in the file system as the path queries compare them: every path of the question and of
 * the policy in two forms, as text and with its symlinks resolved.
 *
 * What takes a right away counts when either form matches, what gives one only when the resolved
 * form does. So no spelling of a path gets more than the file behind it.
 */

#include "policy/parts.h"

struct place {
	const char *name; /* as it was written */
	const char *text; /* absolute and lexically normal */
	const char *real; /* symlinks resolved, or `text` in a lexical scene; NULL: cannot be */
};

/* Somewhere that may be written: resolved, and never "/". */
struct write_place {
	struct place place;
	const char *rule;
};

/* BAILEY_OK or BAILEY_E_NOMEM. */
int place_make(struct arena *arena, const struct bailey_scene *scene, const char *name,
	       struct place *out);

/* Is `inner` at or below `outer`, in any form (for refusals)? */
bool place_touches(const struct place *outer, const struct place *inner);

/* Is what `inner` resolves to at or below what `outer` resolves to (for grants)? */
bool place_holds(const struct place *outer, const struct place *inner);

/* The writable places of a workspace_write policy. BAILEY_OK or BAILEY_E_NOMEM. */
int places_writable(struct arena *arena, const struct bailey_policy *policy,
		    const struct bailey_scene *scene, struct write_place **out, size_t *count);

/*
 * What keeps `asked`, which is in one of the writable places, from being written because of a
 * protected name, at any depth: its path, or NULL. Unless the scene is lexical, also what a .git
 * that is a file or a symlink names, for the .git of each writable place and of each directory
 * above `asked` in it.
 */
const char *places_protected(struct arena *arena, const struct bailey_policy *policy,
			     const struct bailey_scene *scene, const struct write_place *places,
			     size_t count, const struct place *asked);

#endif /* POLICY_PLACES_H */
