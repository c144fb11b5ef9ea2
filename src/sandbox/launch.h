/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_LAUNCH_H
#define SANDBOX_LAUNCH_H

/*
 * The launcher: the process that the caller sees. It starts the command, adopts what the command
 * orphans (child subreaper), holds the clock and the limits of the whole tree, passes signals on,
 * stops and goes on with the command as job control wants it, watches its own parent, ends the
 * tree, puts the terminal back as it was, and gives the command's status.
 */

#include "sandbox/tempdir.h"
#include "sandbox/worker.h"

#include <stdbool.h>

enum end_reason {
	END_SELF,
	END_TIMEOUT,
	END_MEMORY,
	END_TASKS,
	END_DISK,
	END_CPU,
	END_PARENT,
	END_GUARD,
	END_BROKER,
};

struct outcome;

struct launch {
	struct worker *worker;
	struct tempdir *tmp;
	unsigned int grace_ms;
	pid_t caller; /* who started the process that asked for the run: maybe a shell, with jobs */
	int caller_end; /* a pidfd: the run ends with it; -1: it does not */
	int report; /* a pipe to a process in front of this one: the run ends with it; -1: none */
	struct told *told; /* what the broker refused is told to; may be NULL */
	/* The command has ended, and others of its tree live on and shall: called once, then the
	 * launcher stays until the last is gone. NULL: they are ended with it. */
	void (*handover)(void *data, const struct outcome *outcome);
	void *handover_data;
	struct shm_record *shm; /* names in /dev/shm that the command made; may be NULL */
};

/* How it ended. */
struct outcome {
	int status;	     /* wait status of the command */
	enum end_reason end; /* who ended it */
};

/*
 * Runs to the end. An error means that the launcher itself failed, or that the command was not
 * started: then worker->failed_step says which step.
 */
int launch_run(struct launch *launch, struct outcome *out, struct bailey_error *err);

#endif /* SANDBOX_LAUNCH_H */
