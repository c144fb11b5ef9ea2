/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_SCENE_H
#define BAILEY_SCENE_H

/** bailey/scene.h - where something happens: the places that paths are held against */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Filled by the caller and owned by it; start from `{ 0 }`. The policy's queries use the first four
 * members, the judge all of them.
 */
struct bailey_scene {
	const char *cwd;    /**< absolute */
	const char *home;   /**< absolute, or NULL: "~" is a name like any other then */
	const char *tmpdir; /**< the value of $TMPDIR, or NULL */
	bool lexical;	    /**< no system call: symlinks and .git files are not looked at */

	/** Absolute directories that a command may work in beside `cwd`, which always counts. */
	const char *const *roots;
	size_t root_count;
	/** Paths that hold secrets, absolute or starting with "~/", beside the built-in ones. */
	const char *const *sensitive;
	size_t sensitive_count;
};

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_SCENE_H */
