/* SPDX-License-Identifier: MIT */

/* Running what has been prepared, and the exit status that comes of it. */

#include <bailey/sandbox.h>

#include "base/attr.h"
#include "base/strbuf.h"
#include "sandbox/launch.h"
#include "sandbox/prepare.h"

#include <string.h>
#include <sys/wait.h>

#define GRACE_MS 2000

/* Why a run was ended that did not end by itself. */
struct end_text {
	const char *what;
	const char *unit;
	const char *option;
	bool killed; /* 137, as with any SIGKILL */
};

static const struct end_text ends[] = {
	[END_SELF] = { NULL, NULL, NULL, false },
	[END_TIMEOUT] = { "time limit", " s", "--timeout", false },
	[END_MEMORY] = { "memory limit", " MiB", "--memory", true },
	[END_TASKS] = { "limit on processes and threads", "", "--pids", true },
	[END_DISK] = { "disk limit", " MiB", "--disk", true },
	[END_CPU] = { "cpu limit", " s", "--cpu", true },
	[END_PARENT] = { NULL, NULL, NULL, false },
	[END_GUARD] = { NULL, NULL, NULL, true },
};

static uint64_t
limit_of(const struct limits *limits, enum end_reason end)
{
	switch (end) {
	case END_TIMEOUT:
		return limits->timeout_secs;
	case END_MEMORY:
		return limits->max_memory_mb;
	case END_TASKS:
		return limits->max_pids;
	case END_DISK:
		return limits->max_disk_mb;
	case END_CPU:
		return limits->cpu_time_secs;
	case END_SELF:
	case END_PARENT:
	case END_GUARD:
		break;
	}
	return 0;
}

static void
tell_end(const struct prepared *p, enum end_reason end)
{
	AUTO_STRBUF line = STRBUF_INIT;
	const struct end_text *text = &ends[end];

	if (end == END_GUARD) {
		strbuf_puts(&line, "ended: the guard process was killed, so the command was ended");
	} else if (text->what != NULL) {
		strbuf_printf(&line, "ended: the %s of %llu%s is exceeded (%s)", text->what,
			      (unsigned long long)limit_of(&p->plan->limits, end), text->unit,
			      text->option);
	} else {
		return;
	}
	prepare_tell(p->run, &line);
}

static int
exit_status(const struct prepared *p, const struct outcome *outcome)
{
	tell_end(p, outcome->end);
	if (outcome->end == END_TIMEOUT) {
		return BAILEY_EXIT_TIMEOUT;
	}
	if (ends[outcome->end].killed) {
		return BAILEY_EXIT_SIGNAL + 9;
	}
	if (WIFSIGNALED(outcome->status)) {
		return BAILEY_EXIT_SIGNAL + WTERMSIG(outcome->status);
	}
	return WEXITSTATUS(outcome->status);
}

/* The command was not started: what the caller should exit with. */
static int
step_status(const struct worker *worker)
{
	return strcmp(worker->failed_step, "exec") == 0 ? BAILEY_EXIT_CANNOT_RUN
							: BAILEY_EXIT_FAILED;
}

static int
run_in_place(struct prepared *p, struct bailey_error *err)
{
	(void)sigprocmask(SIG_SETMASK, NULL, &p->worker.signals);
	worker_exec(&p->worker);
	p->exit_status = step_status(&p->worker);
	return bailey_fail_sys(err, p->worker.failed_errno, "cannot %s for '%s'",
			       p->worker.failed_step, p->worker.program);
}

static int
run_watched(struct prepared *p, struct bailey_error *err)
{
	struct launch launch = {
		.worker = &p->worker,
		.tmp = &p->tmp,
		.grace_ms = p->run->grace_ms > 0 ? p->run->grace_ms : GRACE_MS,
		.outlive_parent = p->run->outlive_parent,
	};
	struct outcome outcome;
	int rc = launch_run(&launch, &outcome, err);

	if (rc == BAILEY_OK) {
		p->exit_status = exit_status(p, &outcome);
	} else if (p->worker.failed_step != NULL) {
		p->exit_status = step_status(&p->worker);
	}
	return rc;
}

int
bailey_run(const struct bailey_run *run, int *status, struct bailey_error *err)
{
	struct prepared p = PREPARED_INIT(run);
	int rc = prepare_run(&p, err);

	if (rc == BAILEY_OK) {
		rc = p.plan->stay ? run_watched(&p, err) : run_in_place(&p, err);
	}
	if (rc != BAILEY_OK) {
		tempdir_remove(&p.tmp);
	}
	*status = p.exit_status;
	prepared_finish(&p);
	return rc;
}

int
bailey_restrict_self(const struct bailey_run *run, struct bailey_error *err)
{
	struct bailey_run in_place = *run;
	struct prepared p = PREPARED_INIT(&in_place);
	int rc;

	in_place.in_place = true;
	rc = prepare_plan(&in_place, NULL, &p.plan, err);
	if (rc == BAILEY_OK && p.plan->sandboxed) {
		p.worker.plan = p.plan;
		p.worker.keep_fds = run->keep_fds;
		p.worker.keep_fd_count = run->keep_fd_count;
		rc = prepare_floor(&p, err);
		if (rc == BAILEY_OK) {
			prepare_tell_notes(run, p.plan);
		}
		if (rc == BAILEY_OK && worker_restrict(&p.worker) != 0) {
			rc = bailey_fail_sys(err, p.worker.failed_errno, "cannot %s",
					     p.worker.failed_step);
		}
	}
	prepared_finish(&p);
	return rc;
}
