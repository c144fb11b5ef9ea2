/* SPDX-License-Identifier: MIT */

/* Running what has been prepared, and the exit status that comes of it. */

#include <bailey/sandbox.h>

#include "base/attr.h"
#include "base/strbuf.h"
#include "broker/shm.h"
#include "sandbox/background.h"
#include "sandbox/launch.h"
#include "sandbox/prepare.h"
#include "sandbox/told.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define GRACE_MS 2000

/* Why a run was ended that did not end by itself. */
struct end_text {
	const char *what;
	const char *unit;
	const char *option;
	bool killed;	  /* 137, as with any SIGKILL */
	const char *word; /* for programs */
};

static const struct end_text ends[] = {
	[END_SELF] = { NULL, NULL, NULL, false, "exit" },
	[END_TIMEOUT] = { "time limit", " s", "--timeout", false, "timeout" },
	[END_MEMORY] = { "memory limit", " MiB", "--memory", true, "memory" },
	[END_TASKS] = { "limit on processes and threads", "", "--pids", true, "tasks" },
	[END_DISK] = { "disk limit", " MiB", "--disk", true, "disk" },
	[END_CPU] = { "cpu limit", " s", "--cpu", true, "cpu" },
	[END_PARENT] = { NULL, NULL, NULL, false, "parent" },
	[END_GUARD] = { NULL, NULL, NULL, true, "guard" },
	[END_BROKER] = { NULL, NULL, NULL, true, "broker" },
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
	case END_BROKER:
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
	} else if (end == END_BROKER) {
		strbuf_puts(&line, "ended: the broker was killed, so the command was ended");
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

/* Memory that the launcher, the guard and the broker share. */
static int
make_shared(const struct prepared *p, struct launch *launch, struct bailey_error *err)
{
	if ((p->plan->broker.parts & PART_SHM) == 0) {
		return BAILEY_OK;
	}
	launch->shm = shm_record_new();
	return launch->shm != NULL
		       ? BAILEY_OK
		       : bailey_fail_sys(err, errno, "cannot make memory for names in /dev/shm");
}

/* Why it ended, in one word. */
static const char *
word_of(const struct outcome *outcome)
{
	return outcome->end == END_SELF && WIFSIGNALED(outcome->status) ? "signal"
									: ends[outcome->end].word;
}

/* A run with a launcher. */
struct watched {
	struct prepared *p;
	pid_t caller; /* the parent of this process, at first */
	int caller_end;
	struct told told;
	struct background background; /* --keep-background */
	bool over;		      /* the end has been told */
};

static void
tell_outcome(struct watched *w, const struct outcome *outcome)
{
	struct prepared *p = w->p;

	p->exit_status = exit_status(p, outcome);
	told_list(&w->told);
	told_ended(&w->told, p->exit_status, word_of(outcome), NULL);
	w->over = true;
}

/* The command has ended, what it left running has not: for the caller the run is over. */
static void
hand_over(void *data, const struct outcome *outcome)
{
	struct watched *w = data;

	tell_outcome(w, outcome);
	background_report(&w->background, BAILEY_OK, w->p->exit_status, true, NULL);
	background_detach();
}

static int
run_watched(struct watched *w, struct bailey_error *err)
{
	struct prepared *p = w->p;
	struct launch launch = {
		.worker = &p->worker,
		.tmp = &p->tmp,
		.grace_ms = p->run->grace_ms > 0 ? p->run->grace_ms : GRACE_MS,
		.caller = w->caller,
		.caller_end = w->caller_end,
		.report = w->background.report,
		.told = &w->told,
		.handover = w->background.report >= 0 ? hand_over : NULL,
		.handover_data = w,
	};
	struct outcome outcome;
	int rc = make_shared(p, &launch, err);

	if (rc == BAILEY_OK) {
		rc = launch_run(&launch, &outcome, err);
	}
	if (rc == BAILEY_OK && !w->over) {
		tell_outcome(w, &outcome);
	} else if (p->worker.failed_step != NULL) {
		p->exit_status = step_status(&p->worker);
	}
	shm_record_free(launch.shm);
	return rc;
}

/* In the launcher this does not return. */
static int
run_behind(struct watched *w, struct bailey_error *err)
{
	struct prepared *p = w->p;
	int rc = background_split(&w->background, err);

	if (rc != BAILEY_OK || w->background.front) {
		p->exit_status = rc == BAILEY_OK ? w->background.status : p->exit_status;
		if (w->background.killed) {
			told_ended(&w->told, p->exit_status, "failed", err->message);
		}
		return rc == BAILEY_OK ? w->background.rc : rc;
	}
	rc = run_watched(w, err);
	if (rc != BAILEY_OK) {
		tempdir_remove(&p->tmp);
		told_ended(&w->told, p->exit_status, "failed", err->message);
	}
	background_report(&w->background, rc, p->exit_status, false, err);
	_exit(0);
}

static int
run_prepared(struct watched *w, struct bailey_error *err)
{
	const struct bailey_run *run = w->p->run;

	if (!w->p->plan->stay && (run->event == NULL || run->in_place)) {
		return run_in_place(w->p, err);
	}
	/* Whoever wants to hear of the end needs somebody who sees it. */
	return run->keep_background ? run_behind(w, err) : run_watched(w, err);
}

/* A pidfd does not follow the thread that started this process, as PDEATHSIG would. */
static void
watch_caller(struct watched *w)
{
	AUTO_FD fd = -1;

	w->caller = getppid();
	w->caller_end = -1;
	if (w->caller <= 1 || w->p->run->outlive_parent) {
		return;
	}
	fd = (int)syscall(SYS_pidfd_open, w->caller, 0);
	w->caller_end = getppid() == w->caller ? take_fd(&fd) : -1;
}

int
bailey_run(const struct bailey_run *run, int *status, struct bailey_error *err)
{
	struct bailey_error local = { 0 };
	struct bailey_error *e = err != NULL ? err : &local;
	struct prepared p = PREPARED_INIT(run);
	struct watched w = { .p = &p, .told = { .run = run }, .background = { .report = -1 } };
	int rc = prepare_run(&p, e);

	if (rc == BAILEY_OK) {
		watch_caller(&w);
		rc = run_prepared(&w, e);
		close_fdp(&w.caller_end);
	}
	if (rc != BAILEY_OK && !w.background.front) {
		tempdir_remove(&p.tmp);
		if (run->size == sizeof(*run)) {
			told_ended(&w.told, p.exit_status, "failed", e->message);
		}
	}
	*status = p.exit_status;
	told_finish(&w.told);
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
	in_place.event = NULL;
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
