/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_WORKER_H
#define SANDBOX_WORKER_H

/*
 * The worker: what happens between fork and exec, and nothing else. Everything here was prepared
 * before; the worker only makes system calls, so it may share its parent's memory (vfork).
 */

#include "plan/plan.h"

#include <linux/filter.h>
#include <signal.h>
#include <sys/types.h>

struct worker {
	const struct plan *plan;
	const char *program; /* resolved path */
	char **argv;
	char **envp;
	char **script_argv; /* "/bin/sh" PROGRAM ARGS...: for a file without an exec format */
	const char *cwd;
	const int *keep_fds;
	size_t keep_fd_count;
	int ruleset; /* -1: none */
	struct sock_fprog filter;
	int domain;	  /* -1, or the ruleset of a broker that starts this worker (launch.c) */
	int channel;	  /* -1, or where the listener of the filter's notifications is sent */
	sigset_t signals; /* the mask to start with */
	pid_t parent;	  /* 0: no parent to die with */
	/* Where it failed; written through memory that is shared with the parent. */
	const char *failed_step;
	int failed_errno;
};

/* All steps but exec. 0, or -1 with failed_step and failed_errno set. */
int worker_restrict(struct worker *worker);

/* All steps and exec. Returns only on failure. */
void worker_exec(struct worker *worker);

/*
 * Starts the worker as a child. Its pid, or -1 and errno. When the child could not exec, the pid
 * is valid, failed_step is set and the child has ended with 126 or 127.
 */
pid_t worker_start(struct worker *worker);

#endif /* SANDBOX_WORKER_H */
