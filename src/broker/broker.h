/* SPDX-License-Identifier: MIT */
#ifndef BROKER_BROKER_H
#define BROKER_BROKER_H

/*
 * The broker: a process outside of the sandbox that performs what the floor cannot say. The
 * kernel stops a system call of the command and hands it to the broker (seccomp user notification,
 * seccomp_unotify(2)); the broker answers with an errno, with a value, with a descriptor, or lets
 * the kernel go on (CONTINUE), which is safe only where the floor judges the call again.
 *
 *   launcher ── broker ── worker ── whatever the command starts
 *
 * It is the parent of the command, because Yama lets nobody but an ancestor read a process's
 * memory, and the subreaper of all that the command orphans. It is in a Landlock domain of its own,
 * in which the command is born: so it can reach into the command and no further, signals included,
 * and writes nowhere but where the command may. It takes no input but notifications.
 *
 * Invariants:
 *   - an argument in memory is copied once; what was judged is the copy, and it is what is
 * performed
 *   - no decision is CONTINUE unless Landlock refuses all that the call could be changed into
 *   - every error, also of the broker itself, is a refusal
 *   - one lock is held from judging a place to performing in it, so no two performed calls race
 *   - nothing it does blocks: what would is kept pending
 *   - when it ends, the tree ends: the command by PDEATHSIG, the rest by the launcher
 */

#include "plan/plan.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- what it tells the launcher ----------------------------------------------------------- */

enum broker_event_kind {
	BROKER_STARTED, /* the command was executed; pid */
	BROKER_FAILED,	/* it was not: step (an index for the launcher), error; pid or 0 */
	BROKER_STATUS,	/* a wait status of the command: it stopped or ended; `alone` */
	BROKER_DENIED,	/* something was refused; `denial` */
	BROKER_LOST,	/* that many refusals could not be told, the pipe being full; `error` */
};

#define DENIAL_PATH_MAX 1024

/* One refusal. Fixed size, so that it passes a pipe in one piece (PIPE_BUF is 4096). */
struct broker_denial {
	char rule[32];	 /* stable id, such as "write.outside", "protected", "connect" */
	char call[24];	 /* name of the system call */
	char option[32]; /* of `bailey run`, that would allow it, without a value: "--write"; or ""
			  */
	char comm[16];	 /* of the calling thread, as the command set it */
	char subject[DENIAL_PATH_MAX]; /* a path, or ADDRESS:PORT; cut off at the end when longer */
	pid_t pid;
	int error; /* the errno that the command got */
};

struct broker_event {
	enum broker_event_kind kind;
	pid_t pid;
	int status;
	int error;
	bool alone;	  /* with BROKER_STATUS: nothing else of the tree was alive */
	const char *step; /* with BROKER_FAILED: a string constant of the launcher's own program */
	struct broker_denial denial;
};

/* ---- running it --------------------------------------------------------------------------- */

/* What starting the command came to. */
struct broker_child {
	pid_t pid;	  /* 0: there is none */
	int listener;	  /* descriptor of the filter's notifications; -1: it was killed before */
	const char *step; /* NULL: it was executed */
	int error;
};

struct broker_setup {
	const struct plan *plan;
	int events;		/* write end of a pipe to the launcher, non-blocking */
	struct shm_record *shm; /* memory shared with the launcher and the guard; see shm.h */
	/* Starts the command as a child, with a listener. Runs once, in the broker. */
	void (*start)(void *data, struct broker_child *child);
	void *data;
};

/*
 * The life of the broker, in a process that was forked for it: with one thread, all signals blocked
 * that can be, no capabilities, in its domain. Ends with 0 when the whole tree has ended.
 */
void broker_run(const struct broker_setup *setup) __attribute__((noreturn));

#endif /* BROKER_BROKER_H */
