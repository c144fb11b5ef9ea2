/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TOLD_H
#define SANDBOX_TOLD_H

/*
 * What is told of a run: to a person, at its end, what was refused and what would allow it; to a
 * program (bailey_run.event), each event as a line of JSON when it happens.
 *
 * Both are services and change nothing in the run: without memory less is told.
 */

#include "broker/broker.h"

#include <bailey/sandbox.h>

#include <stddef.h>
#include <stdint.h>

#define TOLD_MAX 256U

struct told {
	const struct bailey_run *run;
	struct broker_denial *items[TOLD_MAX]; /* refusals, each kind of them once */
	size_t count;
	uint64_t more; /* refusals that were not kept */
	uint64_t lost; /* events that did not reach the program */
};

/* `told` may be NULL in all of these but told_finish(). */

/* The command is running. */
void told_started(struct told *told, pid_t pid);

/* What the broker says, a refusal (BROKER_DENIED) or that some were lost (BROKER_LOST); any other
 * event is passed over. */
void told_add(struct told *told, const struct broker_event *event);

/* The list for a person, through the run's tell(). Says nothing where nothing was refused. */
void told_list(const struct told *told);

/* The last event: the exit status, and in one word why. `message`, which may be NULL: what failed.
 */
void told_ended(struct told *told, int status, const char *reason, const char *message);

void told_finish(struct told *told);

#define AUTO_TOLD __attribute__((cleanup(told_finish))) struct told

/* ---- for tests ---------------------------------------------------------------------------- */

struct strbuf;

/* "openat /home/u/.bashrc: outside of the writable roots (--write /home/u)". */
void told_text(const struct broker_denial *denial, struct strbuf *out);

/* {"event":"refused",...}, which the caller frees. NULL: no memory. */
char *told_json(const struct broker_denial *denial);

#endif /* SANDBOX_TOLD_H */
