/* SPDX-License-Identifier: MIT */

/*
 * The limit on tasks (processes and threads), exact: clone, fork and vfork go on in the kernel as
 * long as there is room, and fail with EAGAIN otherwise, as programs know it from RLIMIT_NPROC.
 *
 * `bound` is never less than the number of tasks that there are. It grows with each call that goes
 * on, and is set right when it has reached the limit: by counting. Counted are the processes that
 * the broker may signal, which are those of the tree (see processes.c), with their threads. A
 * process keeps its pid as long as it lives, so a pass over all pids misses none that lived
 * throughout, whoever its parent is by now.
 *
 * What the count cannot see is a child that is being made. So every call that went on is
 * remembered until it is certain that it is over, and counts as a task of its own until then.
 */

#include "broker/request.h"

#include "base/attr.h"
#include "broker/parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>

#define FLIGHTS_MAX 1024U
#define LISTING_SIZE 16384U
#define RESTING 2		/* after a count that found no room: times as long as it took */
#define ENOUGH_CPU_NS 100000000 /* longer than making the child of a large process takes */
#define PATIENCE_NS                                                                                \
	UINT64_C(20000000000)                                                                      \
	/* a machine may be that busy */ /* as long may a call wait for what is not certain */

/* A call that went on and may not be over: only the caller's last one can be. */
struct flight {
	pid_t tid;
	uint64_t id;  /* of the notification */
	uint64_t cpu; /* what the caller had used when `seen`, in ns */
	bool seen;
};

struct tasks {
	pthread_mutex_t lock;
	int proc; /* /proc, to be listed */
	uint64_t limit;
	uint64_t bound;
	uint64_t counted;    /* at the last count */
	uint64_t counted_at; /* when that began, in ns */
	uint64_t rest;	     /* no other count before that time */
	struct flight flights[FLIGHTS_MAX];
	size_t flight_count;
};

static void
unlock_tasks(struct tasks **t)
{
	(void)pthread_mutex_unlock(&(*t)->lock);
}

#define LOCK_TASKS(t)                                                                              \
	__attribute__((cleanup(unlock_tasks))) struct tasks *locked_tasks_ = (t);                  \
	(void)pthread_mutex_lock(&locked_tasks_->lock)

bool
tasks_set_up(struct broker *b)
{
	if ((b->spec->parts & PART_TASKS) == 0) {
		return true;
	}
	b->tasks = calloc(1, sizeof(*b->tasks));
	if (b->tasks == NULL || pthread_mutex_init(&b->tasks->lock, NULL) != 0) {
		return false;
	}
	b->tasks->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	b->tasks->limit = b->plan->limits.max_pids;
	b->tasks->bound = 1; /* the command */
	return b->tasks->proc >= 0;
}

static uint64_t
now_ns(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- counting ----------------------------------------------------------------------------- */

/* What getdents64(2) writes. */
struct listed {
	uint64_t inode;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

/* A directory has a link for each directory in it: ".", ".." and one for each thread. */
static uint64_t
threads_of(int proc, pid_t pid)
{
	char path[32];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%d/task", pid);
	return fstatat(proc, path, &st, 0) == 0 && st.st_nlink > 2 ? st.st_nlink - 2 : 0;
}

static uint64_t
count_listed(const struct broker *b, const char *listing, size_t len)
{
	uint64_t count = 0;

	for (size_t at = 0; at < len;) {
		const struct listed *entry = (const void *)(listing + at);
		pid_t pid = (pid_t)strtol(entry->name, NULL, 10);

		if (pid > 0 && pid != b->self && kill(pid, 0) == 0) {
			count += threads_of(b->tasks->proc, pid);
		}
		at += entry->length;
	}
	return count;
}

/* UINT64_MAX when it cannot be counted. */
static uint64_t
count_tasks(const struct broker *b)
{
	alignas(uint64_t) char listing[LISTING_SIZE];
	uint64_t count = 0;

	if (lseek(b->tasks->proc, 0, SEEK_SET) != 0) {
		return UINT64_MAX;
	}
	for (;;) {
		long len = syscall(SYS_getdents64, b->tasks->proc, listing, sizeof(listing));

		if (len < 0) {
			return UINT64_MAX;
		}
		if (len == 0) {
			return count;
		}
		count += count_listed(b, listing, (size_t)len);
	}
}

/* ---- calls that are not over -------------------------------------------------------------- */

/* Reads a file of a thread. False: it has ended. */
static bool
read_of(const struct tasks *t, pid_t tid, const char *file, char *out, size_t size)
{
	char path[32];
	AUTO_FD fd = -1;
	ssize_t len;

	(void)snprintf(path, sizeof(path), "%d/%s", tid, file);
	fd = openat(t->proc, path, O_RDONLY | O_CLOEXEC);
	len = fd >= 0 ? read(fd, out, size - 1) : -1;
	if (len <= 0) {
		return false;
	}
	out[len] = '\0';
	return true;
}

/* Has it used the processor for longer, since it was first seen, than any fork takes? Time alone
 * says nothing: a task may be kept waiting for it as long as others want. */
static bool
has_run_long(const struct tasks *t, struct flight *flight)
{
	char text[64];
	uint64_t cpu;

	if (!read_of(t, flight->tid, "schedstat", text, sizeof(text))) {
		return false;
	}
	cpu = strtoull(text, NULL, 10);
	if (!flight->seen) {
		flight->cpu = cpu;
		flight->seen = true;
	}
	return cpu - flight->cpu > ENOUGH_CPU_NS;
}

/* Does it wait in a call that makes no task, or in none? */
static bool
waits_elsewhere(const struct tasks *t, pid_t tid)
{
	char text[128];
	char *end;
	long nr;

	if (!read_of(t, tid, "syscall", text, sizeof(text))) {
		return false; /* undumpable */
	}
	nr = strtol(text, &end, 10);
	if (end == text) {
		return false; /* "running" */
	}
	for (size_t i = 0; i < task_calls.count; i++) {
		if (task_calls.rows[i].nr == nr) {
			return false;
		}
	}
	return true;
}

/*
 * Is it certain that the call is over? It is when the caller has ended, and when it sleeps as
 * programs do (S), is stopped or traced (T, t) or dead (Z, X): making a task waits for memory and
 * locks in states that no signal ends (D), and nowhere else.
 */
static bool
is_over(const struct broker *b, struct flight *flight)
{
	const struct tasks *t = b->tasks;
	char text[512];
	const char *state;

	if (ioctl(b->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &flight->id) == 0) {
		return false; /* not answered yet */
	}
	if (!read_of(t, flight->tid, "stat", text, sizeof(text))) {
		return true;
	}
	state = strrchr(text, ')'); /* behind the name, which may hold anything */
	if (state == NULL || state[1] == '\0') {
		return false;
	}
	if (strchr("STtZX", state[2]) != NULL) {
		return true;
	}
	return state[2] == 'D' ? waits_elsewhere(t, flight->tid) : has_run_long(t, flight);
}

static void
drop_flights(const struct broker *b)
{
	struct tasks *t = b->tasks;
	size_t kept = 0;

	for (size_t i = 0; i < t->flight_count; i++) {
		if (!is_over(b, &t->flights[i])) {
			t->flights[kept++] = t->flights[i];
		}
	}
	t->flight_count = kept;
}

/* Who asks again is back from what it asked before. */
static void
forget(struct tasks *t, pid_t tid)
{
	for (size_t i = 0; i < t->flight_count; i++) {
		if (t->flights[i].tid == tid) {
			t->flights[i] = t->flights[--t->flight_count];
			return;
		}
	}
}

/* The order matters: what is over before the count is in the count. */
static void
recount(const struct broker *b)
{
	struct tasks *t = b->tasks;
	uint64_t end;

	t->counted_at = now_ns();
	drop_flights(b);
	t->counted = count_tasks(b);
	t->bound =
		t->counted > UINT64_MAX - FLIGHTS_MAX ? UINT64_MAX : t->counted + t->flight_count;
	end = now_ns();
	t->rest = t->bound >= t->limit ? end + RESTING * (end - t->counted_at) : 0;
}

/* ---- the decision ------------------------------------------------------------------------- */

enum room { ROOM, NO_ROOM, NOT_CERTAIN };

static bool
has_room(const struct tasks *t)
{
	return t->bound < t->limit && t->flight_count < FLIGHTS_MAX;
}

/* Nobody hears that there is no room but after a count that began when the call was made
 * already (`since`), and that did not depend on calls that may not be over. */
static bool
is_certain(const struct tasks *t, uint64_t since)
{
	return t->counted_at >= since && t->counted >= t->limit;
}

/* A bomb that keeps asking must not keep the broker counting: in between, calls wait. */
static enum room
look_for_room(const struct request *r, uint64_t since)
{
	struct tasks *t = r->broker->tasks;
	LOCK_TASKS(t);

	forget(t, r->tid);
	if (!has_room(t) && !is_certain(t, since) && now_ns() >= t->rest) {
		recount(r->broker);
	}
	if (has_room(t)) {
		t->bound++;
		t->flights[t->flight_count++] = (struct flight){ .tid = r->tid, .id = r->id };
		return ROOM;
	}
	return is_certain(t, since) ? NO_ROOM : NOT_CERTAIN;
}

static struct answer
refuse_task(struct request *r)
{
	char subject[48];

	(void)snprintf(subject, sizeof(subject), "more than %llu tasks",
		       (unsigned long long)r->broker->tasks->limit);
	return refuse(r, EAGAIN, "limit.tasks", "--pids", subject);
}

/* `state` is when the call was made. */
static struct answer
look_again(struct request *r, void *state)
{
	const uint64_t *since = state;
	enum room room = look_for_room(r, *since);

	if (room == ROOM) {
		return answer_continue();
	}
	if (room == NOT_CERTAIN && now_ns() - *since < PATIENCE_NS) {
		return (struct answer){ .kind = ANSWER_PENDING, .fd = -1 };
	}
	return refuse_task(r);
}

static struct answer
wait_for_room(struct request *r, uint64_t since)
{
	uint64_t *state = malloc(sizeof(*state));

	if (state == NULL) {
		return refuse_task(r);
	}
	*state = since;
	return (struct answer){
		.kind = ANSWER_PENDING,
		.fd = -1,
		.restart = RESTART_ALWAYS, /* fork(2) knows no EINTR */
		.retry = look_again,
		.state = state,
	};
}

/* All that matters of these calls is in registers, and the filter has seen to the namespaces. */
static struct answer
make_task(struct request *r)
{
	uint64_t since;

	if (r->broker->tasks == NULL) {
		return answer_continue();
	}
	since = now_ns();
	switch (look_for_room(r, since)) {
	case ROOM:
		return answer_continue();
	case NOT_CERTAIN:
		return wait_for_room(r, since);
	case NO_ROOM:
		break;
	}
	return refuse_task(r);
}

static const struct call_row rows[] = {
	{ SYS_clone, "clone", make_task, EAGAIN, 0 },
#ifdef SYS_fork
	{ SYS_fork, "fork", make_task, EAGAIN, 0 },
	{ SYS_vfork, "vfork", make_task, EAGAIN, 0 },
#endif
};

const struct call_table task_calls = { rows, COUNT_OF(rows) };
