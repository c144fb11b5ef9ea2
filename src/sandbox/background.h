/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_BACKGROUND_H
#define SANDBOX_BACKGROUND_H

/*
 * --keep-background: what the command leaves running lives on, in its sandbox, when the command has
 * ended. For this the launcher is a process of its own, and the caller only stands in front of it:
 * it passes signals on, stops and goes on with it, and returns when it is told the exit status. The
 * launcher stays until the last process is gone, and removes the temp directory then.
 */

#include <bailey/error.h>

#include <stdbool.h>

struct background {
	bool front;  /* this is the caller's process, and it is all over */
	bool killed; /* in front: the launcher was, and has told nothing */
	int report;  /* in the launcher: where the result goes; -1 once it is told */
	int rc;	     /* in front: what the launcher's run came to */
	int status;  /* in front: the exit status */
};

/*
 * Splits the process. In the launcher it returns at once, with the signal mask as it was; in
 * front when the launcher has reported, with `err` filled if that failed. BAILEY_OK, or an error
 * without any split.
 */
int background_split(struct background *background, struct bailey_error *err);

/*
 * In the launcher: the result. Only the first counts. `stays`: the launcher does not end yet, and
 * nobody waits for it. `err` may be NULL.
 */
void background_report(struct background *background, int rc, int status, bool stays,
		       const struct bailey_error *err);

/* In the launcher, when the command has ended and others live on: lets go of the standard streams
 * and of the working directory. */
void background_detach(void);

#endif /* SANDBOX_BACKGROUND_H */
