/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_PREPARE_H
#define SANDBOX_PREPARE_H

/* A run that has everything it needs and has not started. */

#include "sandbox/tempdir.h"
#include "sandbox/worker.h"

#include <bailey/sandbox.h>

struct prepared {
	const struct bailey_run *run;
	struct plan *plan;
	struct worker worker;
	struct tempdir tmp;
	int exit_status; /* for a program that runs commands, such as `bailey run` */
};

/* The file that argv[0] of the run names, looked up in the PATH that the command will have. */
int prepare_program(struct arena *arena, const struct bailey_run *run, const char **out,
		    struct bailey_error *err);

/* All of it. On failure, exit_status is what a program that runs commands should exit with. */
int prepare_run(struct prepared *p, struct bailey_error *err);

/* The ruleset and the filter alone. */
int prepare_floor(struct prepared *p, struct bailey_error *err);

/* Releases everything but the temp directory's contents. */
void prepared_finish(struct prepared *p);

#define PREPARED_INIT(of)                                                                          \
	{                                                                                          \
		.run = (of), .worker = { .ruleset = -1, .domain = -1, .channel = -1 },             \
		.tmp = TEMPDIR_INIT, .exit_status = BAILEY_EXIT_FAILED                             \
	}

/* One line for a person, through the run's tell(). */
struct strbuf;
void prepare_tell(const struct bailey_run *run, const struct strbuf *line);

/* What is not held in this run, and what is more closed than it looks. */
void prepare_tell_notes(const struct bailey_run *run, const struct plan *plan);

/* The plan of a run on this host. `program` is the resolved file, or NULL when it is not known. */
int prepare_plan(const struct bailey_run *run, const char *program, struct plan **out,
		 struct bailey_error *err);

#endif /* SANDBOX_PREPARE_H */
