/* SPDX-License-Identifier: MIT */
#include "sandbox/launch.h"

#include "base/attr.h"
#include "base/fd.h"
#include "broker/shm.h"
#include "plan/landlock_abi.h"
#include "sandbox/brokered.h"
#include "sandbox/guard.h"
#include "sandbox/terminal.h"
#include "sandbox/told.h"
#include "sandbox/tree.h"

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define SAMPLE_TASKS_MS 10 /* a fork bomb grows by about ten tasks in a millisecond */
#define SAMPLE_MS 50
#define KILL_AGAIN_MS 20
#define SWEEP_WAIT_MS 500
#define KILL_GIVE_UP_MS 10000 /* what sleeps uninterruptibly in the kernel cannot be waited for */

struct state {
	struct launch *launch;
	const struct plan *plan;
	struct terminal *terminal;
	int signals;
	bool scoped;  /* kill(-1) reaches the tree and nothing else */
	pid_t worker; /* 0 once it has been waited for */
	pid_t guard;
	struct brokered broker; /* the parent of the worker, if there is one */
	int alive;		/* what the guard waits for the end of */
	pid_t sweeper;		/* clears away what earlier runs left; 0: none */
	struct tree *known;	/* children of the calling process that are not ours */
	int64_t deadline;	/* of the wall clock; 0: none */
	int64_t kill_at;	/* TERM was sent, KILL is due; 0: not */
	int64_t sample_at;	/* next look at the limits of the tree; 0: none */
	bool over;
	bool kept; /* handed over: the command has ended, its tree lives on */
	struct outcome *out;
};

static int64_t
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- ending the tree ---------------------------------------------------------------------- */

static void
signal_tree(const struct state *s, int sig)
{
	struct tree tree;

	if (s->scoped) {
		(void)kill(-1, sig);
		return;
	}
	tree_collect(getpid(), s->known, TREE_PIDS_MAX, &tree);
	for (size_t i = 0; i < tree.count; i++) {
		if (tree.pids[i] != s->guard || sig == SIGKILL) {
			(void)kill(tree.pids[i], sig);
		}
	}
}

/*
 * Stops as the shell that started this process expects of a job. While it does there is no clock
 * and no limit, so first everything that the command started stops as well.
 */
static void
stop_as_job(const struct state *s)
{
	if (!terminal_is_job(s->terminal, s->launch->caller)) {
		return;
	}
	signal_tree(s, SIGSTOP);
	(void)kill(s->guard, SIGCONT); /* this process can be killed while it is stopped */
	(void)raise(SIGSTOP);
	signal_tree(s, SIGCONT);
}

/* Of the command. The broker, if there is one, has looked when the command ended. */
static bool
nothing_left(const struct state *s)
{
	return s->broker.pid > 0 ? s->broker.alone && s->sweeper == 0 : tree_only_child(s->guard);
}

/* The command has ended, others of its tree live on: nothing of the caller's is held any more. */
static void
hand_over(struct state *s)
{
	const struct tempdir *tmp = s->launch->tmp;
	const int kept[] = { STDIN_FILENO,     STDOUT_FILENO, STDERR_FILENO, s->signals,
			     s->broker.events, s->alive,      tmp->base_fd,  tmp->lock_fd };

	s->kept = true;
	s->deadline = 0;
	terminal_restore(s->terminal);
	s->launch->handover(s->launch->handover_data, s->out);
	(void)close_all_but(kept, COUNT_OF(kept));
}

static void
note_worker(struct state *s, int status)
{
	if (WIFSTOPPED(status)) {
		stop_as_job(s);
		return;
	}
	s->out->status = status;
	s->worker = 0;
	if (s->launch->handover == NULL || s->out->end != END_SELF || nothing_left(s)) {
		s->over = true;
	} else {
		hand_over(s);
	}
}

/* Takes what the broker has told since. */
static void
take_events(struct state *s)
{
	struct broker_event event;

	while (brokered_next(&s->broker, &event)) {
		if (event.kind == BROKER_STATUS) {
			s->broker.alone = event.alone;
			note_worker(s, event.status);
		} else if (s->launch->told != NULL) {
			told_add(s->launch->told, &event);
		}
	}
}

/* The command ends with its broker (PDEATHSIG); what else there is must be ended here. */
static void
note_broker_end(struct state *s)
{
	take_events(s);
	s->broker.pid = 0;
	if (!s->over) {
		s->out->end = s->kept ? END_SELF : END_BROKER;
		s->over = true;
	}
}

static void
note_child(struct state *s, pid_t pid, int status)
{
	bool ended = !WIFSTOPPED(status);

	if (pid == s->worker && s->broker.pid > 0) {
		note_broker_end(s); /* else it would be the broker's to wait for */
		s->out->status = status;
		s->worker = 0;
	} else if (pid == s->worker) {
		note_worker(s, status);
	} else if (!ended && (pid == s->broker.pid || pid == s->guard)) {
		(void)kill(pid, SIGCONT); /* a run goes on, or stops as a whole */
	} else if (ended && pid == s->broker.pid) {
		note_broker_end(s);
	} else if (ended && pid == s->sweeper) {
		s->sweeper = 0;
	} else if (ended && pid == s->guard) {
		/* Without a guard the tree could outlive this process: it ends now. */
		s->guard = 0;
		s->out->end = s->over ? s->out->end : END_GUARD;
		s->over = true;
	}
}

/* Waits for what has ended of the children that the calling process did not have before. */
static bool
reap_ours(struct state *s)
{
	struct tree tree;
	int status;

	/* Whatever is deeper in the tree than a child is not waited for: the call fails. */
	tree_collect(getpid(), s->known, TREE_PIDS_MAX, &tree);
	for (size_t i = 0; i < tree.count; i++) {
		if (waitpid(tree.pids[i], &status, WNOHANG | WUNTRACED) > 0) {
			note_child(s, tree.pids[i], status);
		}
	}
	return tree.count > 0;
}

/* Waits for what has ended. False: there was no child of ours left. */
static bool
reap(struct state *s)
{
	if (s->known->count > 0) {
		return reap_ours(s);
	}
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED);

		if (pid <= 0) {
			return pid == 0;
		}
		note_child(s, pid, status);
	}
}

static void begin_end(struct state *s, enum end_reason why);

static void
take_signal(struct state *s)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != (ssize_t)sizeof(info)) {
		return;
	}
	if (info.ssi_signo == SIGCHLD) {
		(void)reap(s);
		s->over |= s->kept && s->broker.pid == 0 && tree_only_child(s->guard);
	} else if (s->kept && info.ssi_signo == SIGTERM) {
		begin_end(s, END_SELF);
	} else if (!terminal_sent(&info) && s->worker > 0) {
		(void)kill(s->worker, (int)info.ssi_signo);
	}
}

static void
kill_tree(struct state *s)
{
	int64_t give_up = now_ms() + KILL_GIVE_UP_MS;
	struct pollfd ready = { .fd = s->signals, .events = POLLIN };

	bool left = reap(s);

	while (left && now_ms() < give_up) {
		struct signalfd_siginfo info;

		signal_tree(s, SIGKILL);
		if (poll(&ready, 1, KILL_AGAIN_MS) > 0) {
			/* The loop looks at the processes, not at the signal. */
			(void)!read(s->signals, &info, sizeof(info));
		}
		left = reap(s);
	}
	if (!left && s->worker != 0) {
		s->worker = 0; /* the broker was killed with what it knew of its end */
		s->out->status = SIGKILL;
	}
}

/* A short command must not keep every sweep from getting anywhere; a long sweep must wait. */
static void
wait_for_sweeper(struct state *s)
{
	int64_t give_up = now_ms() + SWEEP_WAIT_MS;
	struct pollfd ready = { .fd = s->signals, .events = POLLIN };

	while (s->sweeper != 0 && now_ms() < give_up) {
		if (poll(&ready, 1, KILL_AGAIN_MS) > 0) {
			take_signal(s);
		}
	}
}

static void
end_broker(struct state *s)
{
	if (s->broker.pid > 0) {
		(void)kill(s->broker.pid, SIGKILL);
		(void)waitpid(s->broker.pid, NULL, 0);
		s->broker.pid = 0;
	}
}

/* Usually nothing is left but the guard, which then ends while the temp directory is removed. */
static void
end_tree(struct state *s)
{
	if (s->out->end == END_SELF) {
		wait_for_sweeper(s);
	}
	if (s->worker == 0 && s->guard > 0 && nothing_left(s)) {
		(void)kill(s->guard, SIGKILL);
		end_broker(s);
		return;
	}
	kill_tree(s);
}

/* TERM now, KILL after the grace. What is stopped must run to see the TERM. */
static void
begin_end(struct state *s, enum end_reason why)
{
	if (s->kill_at == 0) {
		s->out->end = why;
		s->kill_at = now_ms() + s->launch->grace_ms;
		signal_tree(s, SIGTERM);
		signal_tree(s, SIGCONT);
	}
}

/* ---- limits ------------------------------------------------------------------------------- */

static bool
over(uint64_t used, uint64_t limit)
{
	return limit > 0 && used > limit;
}

/*
 * The broker may keep the limit on tasks exactly (--exact-pids). A sample of a tree that moves can
 * count some twice, so what is far above it ends the run only as a backstop.
 */
static uint64_t
tasks_allowed(const struct state *s)
{
	uint64_t limit = s->plan->limits.max_pids;

	return (s->plan->broker.parts & PART_TASKS) != 0 ? limit * 2 : limit;
}

/* The guard, and a sweeper, are children of this process and not the command's. */
static void
check_limits(struct state *s)
{
	const struct limits *limits = &s->plan->limits;
	bool brokered = s->broker.pid > 0; /* then all of the tree is below it, and nothing else */
	uint64_t own = brokered ? 0 : 1 + (s->sweeper != 0 ? 1 : 0);
	struct tree_bounds bounds = {
		.tasks = limits->max_pids > 0 ? tasks_allowed(s) + own : 0,
		.memory_kib = limits->max_memory_mb * 1024,
	};
	struct tree_usage used;

	tree_measure(brokered ? s->broker.pid : getpid(), brokered ? NULL : s->known, &bounds,
		     &used);
	used.tasks -= own < used.tasks ? own : used.tasks;
	if (over(used.tasks, tasks_allowed(s))) {
		s->out->end = END_TASKS;
	} else if (over(used.memory_kib / 1024, limits->max_memory_mb)) {
		s->out->end = END_MEMORY;
	} else if (over(used.written_bytes >> 20, limits->max_disk_mb)) {
		s->out->end = END_DISK;
	} else if (over(used.cpu_ms / 1000, limits->cpu_time_secs)) {
		s->out->end = END_CPU;
	} else {
		s->sample_at = now_ms() + (limits->max_pids > 0 ? SAMPLE_TASKS_MS : SAMPLE_MS);
		return;
	}
	s->over = true;
}

static void
start_clocks(struct state *s)
{
	uint64_t secs = s->plan->limits.timeout_secs;

	if (secs > 0) {
		s->deadline = now_ms() + (int64_t)(secs < INT32_MAX ? secs : INT32_MAX) * 1000;
	}
	if (s->plan->sampled) {
		s->sample_at = now_ms() + SAMPLE_TASKS_MS;
	}
}

/* How long until something is due; -1: nothing is. */
static int
wait_ms(const struct state *s)
{
	int64_t due[] = { s->kill_at != 0 ? s->kill_at : s->deadline, s->sample_at };
	int64_t now = now_ms();
	int64_t left = -1;

	for (size_t i = 0; i < COUNT_OF(due); i++) {
		int64_t until = due[i] > now ? due[i] - now : 0;

		if (due[i] != 0 && (left < 0 || until < left)) {
			left = until;
		}
	}
	return left < INT32_MAX ? (int)left : INT32_MAX;
}

static void
check_clocks(struct state *s)
{
	int64_t now = now_ms();

	if (s->kill_at != 0 && now >= s->kill_at) {
		s->over = true;
	}
	if (s->kill_at == 0 && s->deadline != 0 && now >= s->deadline) {
		begin_end(s, END_TIMEOUT);
	}
	if (s->sample_at != 0 && now >= s->sample_at) {
		check_limits(s);
	}
}

/* ---- the loop ----------------------------------------------------------------------------- */

static void
loop(struct state *s)
{
	/* The last is a pipe that is written to: POLLERR says that nobody reads it any more. */
	struct pollfd ready[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->broker.events, .events = POLLIN },
		{ .fd = s->launch->caller_end, .events = POLLIN },
		{ .fd = s->launch->report },
	};

	while (!s->over) {
		(void)poll(ready, COUNT_OF(ready), wait_ms(s));
		if (ready[0].revents != 0) {
			take_signal(s);
		}
		if (ready[1].revents != 0) {
			take_events(s);
		}
		/* What is kept may outlive whoever asked for it. */
		if (!s->kept && !s->over && (ready[2].revents | ready[3].revents) != 0) {
			begin_end(s, END_PARENT);
		}
		ready[1].fd = s->broker.events;
		ready[2].fd = s->kept || s->kill_at != 0 ? -1 : ready[2].fd;
		ready[3].fd = s->kept || s->kill_at != 0 ? -1 : ready[3].fd;
		check_clocks(s);
	}
}

/* What earlier runs left may be much: a process of its own clears it away, and ends with the tree.
 */
static void
start_sweeper(struct state *s)
{
	if (!tempdir_needs_sweep(s->launch->tmp)) {
		return;
	}
	s->sweeper = fork();
	if (s->sweeper == 0) {
		const int kept[] = { s->launch->tmp->base_fd };

		(void)close_all_but(kept, COUNT_OF(kept));
		tempdir_sweep(s->launch->tmp);
		_exit(0);
	}
}

/* The children that the calling process has already; `bailey run` has none. */
static void
find_known(struct tree *known)
{
	siginfo_t info;

	known->count = 0;
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
		tree_collect(getpid(), NULL, TREE_PIDS_MAX, known);
	}
}

/* The kernel allows one listener in a chain of filters, and another supervisor has it already. */
static int
fail_worker(const struct worker *worker, struct bailey_error *err)
{
	if (worker->plan->broker.parts != 0 && worker->failed_errno == EBUSY) {
		return bailey_fail(err, BAILEY_E_SYSTEM,
				   "something around this process listens to its system calls "
				   "already (another bailey, a container runtime, WSL), and the "
				   "kernel allows one listener; --no-broker holds what the kernel "
				   "holds alone");
	}
	return bailey_fail_sys(err, worker->failed_errno, "cannot %s for '%s'", worker->failed_step,
			       worker->program);
}

/* The guard first: there is no moment in which the command runs without one. */
static int
start(struct state *s, struct bailey_error *err)
{
	struct worker *worker = s->launch->worker;

	errno = 0;
	s->scoped = s->plan->sandboxed && guard_enter_scope();
	if (s->plan->sandboxed && (s->plan->scoped & LL_SCOPE_SIGNAL) != 0 && !s->scoped) {
		if (errno == E2BIG) {
			return bailey_fail(err, BAILEY_E_SYSTEM,
					   "too many sandboxes around this one: the kernel nests "
					   "16 Landlock domains, and each run takes two or three");
		}
		return bailey_fail(
			err, BAILEY_E_SYSTEM,
			"signals cannot be kept inside: the kernel offers a scope and does "
			"not hold it, or the calling process has just ended");
	}
	s->guard = guard_start(s->launch->tmp, s->launch->shm, s->scoped, &s->alive);
	if (s->guard < 0) {
		return bailey_fail_sys(err, errno, "cannot start the guard process");
	}
	s->worker = s->plan->broker.parts == 0
			    ? worker_start(worker)
			    : brokered_start(&s->broker, worker, s->alive, s->launch->shm);
	if (worker->failed_step != NULL) {
		return fail_worker(worker, err);
	}
	if (s->worker < 0) {
		return bailey_fail_sys(err, errno, "cannot start a process");
	}
	if (s->worker == 0) {
		s->out->end = END_BROKER; /* it was killed, and the command may have begun */
		s->over = true;
	}
	return BAILEY_OK;
}

/*
 * A fork bomb leaves hardly any processor time to whoever is to end it. Root may claim it, for this
 * process alone; other users' bombs are slowed by the backstop in limits.c.
 */
static void
claim_processor(const struct state *s)
{
	static const struct sched_param lowest = { .sched_priority = 1 };

	if (s->plan->limits.max_pids > 0) {
		(void)sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
	}
}

static int
run(struct state *s, struct bailey_error *err)
{
	int rc;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	find_known(s->known);
	rc = start(s, err);
	if (rc == BAILEY_OK && !s->over) {
		told_started(s->launch->told, s->worker);
		claim_processor(s);
		start_clocks(s);
		start_sweeper(s);
		loop(s);
	}
	end_tree(s);
	take_events(s);
	close_fdp(&s->broker.events);
	close_fdp(&s->alive);
	tempdir_remove(s->launch->tmp);
	shm_clear(s->launch->shm);
	/* In a container what would adopt it often reaps nothing: a zombie would stay of each run.
	 */
	if (s->guard > 0) {
		(void)waitpid(s->guard, NULL, 0);
	}
	if (rc == BAILEY_OK && s->worker != 0) {
		return bailey_fail(err, BAILEY_E_SYSTEM,
				   "a process of the command could not be killed in %d s",
				   KILL_GIVE_UP_MS / 1000);
	}
	return rc;
}

int
launch_run(struct launch *launch, struct outcome *out, struct bailey_error *err)
{
	struct tree known __attribute__((uninitialized));
	struct terminal terminal;
	/* Ignored, as a caller may have left it, it would let children go without a status. */
	const struct sigaction wait_for_children = { .sa_handler = SIG_DFL };
	struct sigaction on_child;
	sigset_t all;
	sigset_t before;
	AUTO_FD signals = -1;
	struct state s = { .launch = launch,
			   .plan = launch->worker->plan,
			   .terminal = &terminal,
			   .alive = -1,
			   .broker = BROKERED_INIT,
			   .known = &known,
			   .out = out };
	int rc;

	*out = (struct outcome){ 0 };
	(void)sigfillset(&all);
	/* These come from errors in this process itself and must not be held back. */
	(void)sigdelset(&all, SIGSEGV);
	(void)sigdelset(&all, SIGBUS);
	(void)sigdelset(&all, SIGFPE);
	(void)sigdelset(&all, SIGILL);
	signals = signalfd(-1, &all, SFD_CLOEXEC);
	if (signals < 0) {
		return bailey_fail_sys(err, errno, "cannot make a signal descriptor");
	}
	s.signals = signals;
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	(void)sigaction(SIGCHLD, &wait_for_children, &on_child);
	terminal_save(&terminal);
	launch->worker->signals = before;
	rc = run(&s, err);
	if (!s.kept) {
		terminal_restore(&terminal);
	}
	(void)sigaction(SIGCHLD, &on_child, NULL);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
