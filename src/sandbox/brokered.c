/* SPDX-License-Identifier: MIT */
#include "sandbox/brokered.h"

#include "base/attr.h"
#include "base/fd.h"
#include "sandbox/capabilities.h"
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define LOOK_MS 50

/* ---- in the broker ------------------------------------------------------------------------ */

static void
fail(struct broker_child *child, const char *step)
{
	child->step = step;
	child->error = errno;
}

/* With no more rights than the command has but for what its domain lets it write. */
static void
start_worker(void *data, struct broker_child *child)
{
	struct worker *worker = data;
	AUTO_FD near = -1;
	AUTO_FD far = -1;
	int ends[2];

	if (capabilities_drop() != 0 || landlock_restrict(worker->domain) != 0) {
		fail(child, "confine the broker");
		return;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		fail(child, "make a socket for the listener");
		return;
	}
	near = ends[0];
	far = ends[1];
	worker->channel = far;
	child->pid = worker_start(worker);
	if (child->pid < 0) {
		child->pid = 0;
		fail(child, "start a process");
		return;
	}
	if (worker->failed_step != NULL) {
		errno = worker->failed_errno;
		fail(child, worker->failed_step);
		return;
	}
	close_fdp(&far);
	far = -1;
	child->listener = receive_fd(near);
	if (child->listener < 0 && errno != ENODATA) {
		fail(child, "receive the listener");
	}
}

/* ---- in the launcher ---------------------------------------------------------------------- */

static bool
read_event(int events, struct broker_event *event)
{
	ssize_t len;

	do {
		len = read(events, event, sizeof(*event));
	} while (len < 0 && errno == EINTR);
	return len == (ssize_t)sizeof(*event);
}

/* If somebody stops it now, nobody else would notice. */
static void
keep_going(const struct brokered *b)
{
	struct pollfd ready = { .fd = b->events, .events = POLLIN };
	siginfo_t stopped;

	while (poll(&ready, 1, LOOK_MS) == 0) {
		stopped.si_pid = 0;
		if (waitid(P_PID, (id_t)b->pid, &stopped, WSTOPPED | WNOHANG) == 0 &&
		    stopped.si_pid == b->pid) {
			(void)kill(b->pid, SIGCONT);
		}
	}
}

static pid_t
await_start(struct brokered *b, struct worker *worker)
{
	struct broker_event event;

	keep_going(b);
	if (!read_event(b->events, &event)) {
		return 0;
	}
	if (event.kind == BROKER_STARTED) {
		return event.pid;
	}
	worker->failed_step = event.step;
	worker->failed_errno = event.error;
	return -1;
}

pid_t
brokered_start(struct brokered *b, struct worker *worker, int alive, struct shm_record *shm)
{
	struct broker_setup setup = {
		.plan = worker->plan, .shm = shm, .start = start_worker, .data = worker
	};
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return -1;
	}
	b->pid = fork();
	if (b->pid == 0) {
		(void)close(ends[0]);
		(void)close(alive);
		(void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
		setup.events = ends[1];
		broker_run(&setup);
	}
	(void)close(ends[1]);
	b->events = ends[0];
	if (b->pid < 0) {
		b->pid = 0;
		return -1;
	}
	return await_start(b, worker);
}

bool
brokered_next(struct brokered *b, struct broker_event *event)
{
	struct pollfd ready = { .fd = b->events, .events = POLLIN };

	if (b->events < 0 || poll(&ready, 1, 0) <= 0) {
		return false;
	}
	if ((ready.revents & POLLIN) != 0 && read_event(b->events, event)) {
		return true;
	}
	close_fdp(&b->events); /* its other end is gone */
	b->events = -1;
	return false;
}
