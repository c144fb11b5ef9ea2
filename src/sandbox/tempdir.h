/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TEMPDIR_H
#define SANDBOX_TEMPDIR_H

/*
 * The private temp directory of one run: PARENT/bailey-UID/run-XXXXXX, mode 0700.
 *
 * Whoever holds the lock on a run's directory keeps it alive; a directory whose lock can be taken
 * belongs to a run that is gone, and the next run removes it. Locks end with their process however
 * that dies, and no pid that was given out again can be mistaken for a living owner.
 */

#include "base/arena.h"

#include <bailey/error.h>

struct tempdir {
	int base_fd;	  /* of PARENT/bailey-UID; -1: there is none */
	int lock_fd;	  /* of the directory, locked */
	const char *path; /* in the arena that made it */
	const char *name; /* of the directory in base_fd */
};

#define TEMPDIR_INIT                                                                               \
	{                                                                                          \
		.base_fd = -1, .lock_fd = -1                                                       \
	}

/* Makes and locks one below `parent` (absolute). The descriptors are close-on-exec. */
int tempdir_make(struct arena *arena, const char *parent, struct tempdir *dir,
		 struct bailey_error *err);

/* Removes the directory and everything in it, without following links, and closes. */
void tempdir_remove(struct tempdir *dir);

/* Is there another run's directory beside this one, living or left behind? */
bool tempdir_needs_sweep(const struct tempdir *dir);

/* Removes what runs left behind that are gone. Takes time; not before the command has started. */
void tempdir_sweep(const struct tempdir *dir);

/* Closes the descriptors and leaves the directory to whoever else holds the lock. */
void tempdir_close(struct tempdir *dir);

#endif /* SANDBOX_TEMPDIR_H */
