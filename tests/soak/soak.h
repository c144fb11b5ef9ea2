/* SPDX-License-Identifier: MIT */
#ifndef SOAK_SOAK_H
#define SOAK_SOAK_H

/*
 * What runs inside of the sandbox: many workers, each in a directory of its own, make calls that
 * the broker performs, and hold each result against what they know to be true. Since nobody else
 * works in that directory, they know.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What goes wrong on purpose. */
enum fault {
	FAULT_SIGNALS = 1U, /* a thousand a second, without SA_RESTART */
	FAULT_RESTART = 2U, /* the same with it */
	FAULT_FILES = 4U,   /* hardly any descriptors */
	FAULT_MEMORY = 8U,  /* hardly any memory */
	FAULT_BROKER = 16U, /* somebody takes descriptors and memory from the broker */
};

#define WORKERS_MAX 128

/* Shared by all processes. */
struct tally {
	atomic_ulong calls;	  /* that succeeded or failed as they should */
	atomic_ulong interrupted; /* EINTR, and made again */
	atomic_ulong refused;	  /* for a fault: ENOMEM and the like */
	atomic_ulong wrong;
	atomic_ulong beats[WORKERS_MAX]; /* grow while the worker does something */
	atomic_bool stop;
};

struct worker {
	struct tally *tally;
	unsigned int number;
	unsigned int faults;
	uint64_t random;
	unsigned int turn;
	const char *token;    /* part of names that all runs share */
	unsigned int foreign; /* port of a server outside, which must stay out of reach; 0: none */
};

uint64_t next_random(struct worker *w);

/* One deed of several calls in the current directory, which is empty before. */
void work_once(struct worker *w);

/* Removes all that is in the current directory, and what else the worker may have left. */
void scrub(struct worker *w);

/* True: a call that failed with EINTR is to be made again. */
bool is_interrupted(struct worker *w);

/* Counts the result of a call: false when it failed, which is an error unless a fault explains it.
 */
bool went_well(struct worker *w, long rc, const char *what);

/* Says what is wrong, and counts it. */
void complain(struct worker *w, const char *what);

/* Makes a call, again when a signal interrupted it, and counts it. */
#define CALL(w, call)                                                                              \
	__extension__({                                                                            \
		long rc_;                                                                          \
		do {                                                                               \
			rc_ = (long)(call);                                                        \
		} while (rc_ < 0 && is_interrupted(w));                                            \
		went_well((w), rc_, #call) ? rc_ : -1;                                             \
	})

#endif /* SOAK_SOAK_H */
