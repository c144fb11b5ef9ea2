/* SPDX-License-Identifier: MIT */
/* Other processes of the tree, and the limit on tasks. */
#include "broker_live.h"

#include <sched.h>
#include <sys/resource.h>

#define IOPRIO_ONE_PROCESS 1
#define IOPRIO_IDLE (3 << 13)
#define SCHED_ATTR_SIZE 48
#define NO_PROCESS 4194301 /* over the default limit of pids */

/* ---- other processes ---------------------------------------------------------------------- */

struct attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t more[8];
};

static pid_t
start_child(void)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == parent) { /* else it ended before that was set */
			(void)pause();
		}
		_exit(0);
	}
	if (pid < 0) {
		_exit(16);
	}
	return pid;
}

static void
end_child(pid_t pid)
{
	if (kill(pid, SIGKILL) != 0 || waitpid(pid, NULL, 0) != pid) {
		_exit(17);
	}
}

static void *
wait_for_ever(void *tid)
{
	*(_Atomic pid_t *)tid = gettid();
	for (;;) {
		(void)pause();
	}
	return NULL;
}

static pid_t
start_thread(void)
{
	static _Atomic pid_t tid;
	pthread_t thread;

	tid = 0;
	if (pthread_create(&thread, NULL, wait_for_ever, &tid) != 0) {
		return 0;
	}
	while (tid == 0) {
		(void)sched_yield();
	}
	return tid;
}

static void
show_child(struct scene *s, pid_t child)
{
	struct rlimit limit = { 0, 0 };
	cpu_set_t cpus;
	struct sched_param param = { 0 };

	CPU_ZERO(&cpus);
	(void)syscall(SYS_prlimit64, child, RLIMIT_NOFILE, NULL, &limit);
	(void)sched_getaffinity(child, sizeof(cpus), &cpus);
	(void)sched_getparam(child, &param);
	s->len +=
		(size_t)snprintf(s->log + s->len, sizeof(s->log) - s->len,
				 "nice %d, policy %d %d, files %llu %llu, cpus %d, io %ld\n",
				 getpriority(PRIO_PROCESS, (id_t)child), sched_getscheduler(child),
				 param.sched_priority, (unsigned long long)limit.rlim_cur,
				 (unsigned long long)limit.rlim_max, CPU_COUNT(&cpus),
				 syscall(SYS_ioprio_get, IOPRIO_ONE_PROCESS, child));
}

static void
schedule(struct scene *s, pid_t child)
{
	struct sched_param param = { 0 };
	struct sched_param one = { 1 };
	struct attr attr = { .size = SCHED_ATTR_SIZE, .policy = SCHED_BATCH, .nice = 7 };
	struct attr longer = { .size = sizeof(attr), .policy = SCHED_BATCH, .nice = 8 };

	TRY(sched_setscheduler(child, SCHED_BATCH, &param));
	TRY(sched_setscheduler(child, SCHED_FIFO, &one));
	TRY(sched_setscheduler(child, SCHED_FIFO, &param));
	TRY(sched_setscheduler(child, 99, &param));
	TRY(sched_setscheduler(child, -1, &param));
	TRY(sched_setscheduler(child, SCHED_BATCH, NULL));
	TRY(syscall(SYS_sched_setscheduler, child, SCHED_BATCH, 8));
	TRY(sched_setscheduler(NO_PROCESS, SCHED_BATCH, &param));
	TRY(sched_setscheduler(-1, SCHED_BATCH, &param));
	TRY(sched_setscheduler(0, SCHED_BATCH, &param));
	TRY(sched_setparam(child, &param));
	TRY(sched_setparam(child, &one));
	TRY(sched_setparam(child, NULL));
	TRY(syscall(SYS_sched_setattr, child, &attr, 0));
	TRY(syscall(SYS_sched_setattr, child, &attr, 1));
	TRY(syscall(SYS_sched_setattr, child, NULL, 0));
	TRY(syscall(SYS_sched_setattr, child, 8, 0));
	TRY(syscall(SYS_sched_setattr, child, &longer, 0));
	longer.more[7] = 1;
	TRY(syscall(SYS_sched_setattr, child, &longer, 0));
	attr.size = 47;
	TRY(syscall(SYS_sched_setattr, child, &attr, 0));
	s->len += (size_t)sprintf(s->log + s->len, "size %u\n", attr.size);
	attr.size = 5000;
	TRY(syscall(SYS_sched_setattr, child, &attr, 0));
	s->len += (size_t)sprintf(s->log + s->len, "size %u\n", attr.size);
	attr.size = 0;
	attr.policy = SCHED_IDLE;
	TRY(syscall(SYS_sched_setattr, child, &attr, 0));
}

static void
change_processes(struct scene *s)
{
	pid_t child = start_child();
	pid_t thread = start_thread();
	struct rlimit limit = { 100, 200 };
	struct rlimit more = { 100, RLIM_INFINITY };
	struct rlimit old = { 0, 0 };
	unsigned char cpus[4096] = { 1 };

	TRY(setpriority(PRIO_PROCESS, (id_t)child, 5));
	TRY(setpriority(PRIO_PROCESS, (id_t)child, -5));
	TRY(setpriority(PRIO_PROCESS, (id_t)child, 1000));
	TRY(setpriority(PRIO_PROCESS, (id_t)thread, 6));
	TRY(setpriority(PRIO_PROCESS, (id_t)getpid(), 3));
	TRY(setpriority(PRIO_PROCESS, 0, 4));
	TRY(setpriority(PRIO_PROCESS, (id_t)-5, 5));
	TRY(setpriority(PRIO_PROCESS, NO_PROCESS, 5));
	TRY(setpriority(99, (id_t)child, 5));
	show_child(s, child);
	show_child(s, thread);
	schedule(s, child);
	TRY(syscall(SYS_ioprio_set, IOPRIO_ONE_PROCESS, child, IOPRIO_IDLE));
	TRY(syscall(SYS_ioprio_set, IOPRIO_ONE_PROCESS, child, 0x7fff));
	TRY(syscall(SYS_ioprio_set, 0, child, IOPRIO_IDLE));
	TRY(syscall(SYS_sched_setaffinity, child, 4096, cpus));
	TRY(syscall(SYS_sched_setaffinity, child, 1, cpus));
	TRY(syscall(SYS_sched_setaffinity, child, 0, cpus));
	TRY(syscall(SYS_sched_setaffinity, child, 8, 8));
	TRY(syscall(SYS_sched_setaffinity, thread, 8, cpus));
	TRY(syscall(SYS_sched_setaffinity, child, 8, cpus + 8));
	TRY(syscall(SYS_prlimit64, child, RLIMIT_NOFILE, &limit, &old));
	s->len += (size_t)sprintf(s->log + s->len, "old %d\n", old.rlim_max > 200);
	TRY(syscall(SYS_prlimit64, child, RLIMIT_NOFILE, &limit, 8));
	TRY(syscall(SYS_prlimit64, child, RLIMIT_NOFILE, 8, &old));
	TRY(syscall(SYS_prlimit64, child, RLIMIT_NOFILE, &more, NULL));
	TRY(syscall(SYS_prlimit64, child, 99, &limit, NULL));
	TRY(syscall(SYS_prlimit64, thread, RLIMIT_CORE, &limit, NULL));
	TRY(syscall(SYS_prlimit64, NO_PROCESS, RLIMIT_CORE, &limit, NULL));
	TRY(syscall(SYS_prlimit64, -1, RLIMIT_CORE, &limit, NULL));
	show_child(s, child);
	show_child(s, thread);
	end_child(child);
	TRY(setpriority(PRIO_PROCESS, (id_t)child, 5));
}

static void
changes_processes_of_the_tree_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(change_processes);
}

static void
change_outsiders(struct scene *s)
{
	const pid_t outside[] = { s->outsider, getppid(), 1 };
	unsigned char cpus[8] = { 1 };
	struct rlimit limit = { 0, 0 };
	struct sched_param param = { 0 };
	struct attr attr = { .size = SCHED_ATTR_SIZE, .policy = SCHED_BATCH };

	for (size_t i = 0; i < COUNT_OF(outside); i++) {
		pid_t pid = outside[i];

		TRY(setpriority(PRIO_PROCESS, (id_t)pid, 19));
		TRY(syscall(SYS_ioprio_set, IOPRIO_ONE_PROCESS, pid, IOPRIO_IDLE));
		TRY(sched_setscheduler(pid, SCHED_IDLE, &param));
		TRY(sched_setparam(pid, &param));
		TRY(syscall(SYS_sched_setattr, pid, &attr, 0));
		TRY(syscall(SYS_sched_setaffinity, pid, 8, cpus));
		TRY(syscall(SYS_prlimit64, pid, RLIMIT_CORE, &limit, NULL));
		TRY(syscall(SYS_prlimit64, pid, RLIMIT_CORE, NULL, &limit));
	}
	TRY(setpriority(PRIO_PGRP, 0, 19));
	TRY(setpriority(PRIO_USER, 0, 19));
	TRY(syscall(SYS_ioprio_set, 2, 0, IOPRIO_IDLE));
	TRY(syscall(SYS_ioprio_set, 3, 0, IOPRIO_IDLE));
}

/* The broker, which is the parent, counts as outside. */
static void
refuses_processes_outside_of_the_tree(void **state)
{
	struct scene *s = run(change_outsiders, true, 0);
	char *line = strtok(s->log, "\n");

	(void)state;
	for (; line != NULL; line = strtok(NULL, "\n")) {
		if (strcmp(strrchr(line, ':'), ": EPERM") != 0) {
			fail_msg("%s", line);
		}
	}
	assert_true(s->denials > 0);
	assert_string_equal(s->denial.rule, "process");
	(void)munmap(s, sizeof(*s));
}

/* ---- the limit on tasks ------------------------------------------------------------------- */

#define TASKS 8

/* As many children as there may be; their number. */
static int
fill_up(pid_t *pids, int most)
{
	int count = 0;

	while (count < most) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)pause();
			_exit(0);
		}
		if (pid < 0) {
			break;
		}
		pids[count++] = pid;
	}
	return count;
}

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			s->len += (size_t)sprintf(s->log + s->len, "line %d: %s, errno %d\n",      \
						  __LINE__, #what, errno);                         \
			_exit(18);                                                                 \
		}                                                                                  \
	} while (0)

static void
fork_to_the_limit(struct scene *s)
{
	pid_t pids[64];

	CHECK(fill_up(pids, 64) == TASKS - 1);
	CHECK(errno == EAGAIN);
	for (int i = 0; i < 100; i++) {
		CHECK(fork() < 0 && errno == EAGAIN);
	}
	end_child(pids[0]);
	CHECK(fill_up(pids, 1) == 1);
	CHECK(fork() < 0 && errno == EAGAIN);
	for (int i = 1; i < TASKS - 1; i++) {
		end_child(pids[i]);
	}
	end_child(pids[0]);
}

static void
stops_forks_at_the_limit(void **state)
{
	struct scene *s = run(fork_to_the_limit, true, TASKS);

	(void)state;
	assert_string_equal(s->denial.rule, "limit.tasks");
	assert_string_equal(s->denial.option, "--pids");
	assert_int_equal(s->denials, 1);
	(void)munmap(s, sizeof(*s));
}

static void
start_threads_to_the_limit(struct scene *s)
{
	pid_t pid;

	for (int i = 1; i < TASKS - 1; i++) {
		CHECK(start_thread() != 0);
	}
	pid = start_child();
	CHECK(start_thread() == 0);
	CHECK(fork() < 0);
	end_child(pid);
	CHECK(start_thread() != 0);
}

static void
counts_threads(void **state)
{
	(void)state;
	(void)munmap(run(start_threads_to_the_limit, true, TASKS), sizeof(struct scene));
}

/* More than the limit in all, never more at once. */
static void
fork_many(struct scene *s)
{
	for (int i = 0; i < 1000; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			_exit(0);
		}
		CHECK(pid > 0);
		CHECK(waitpid(pid, NULL, 0) == pid);
	}
}

static void
counts_no_more_what_has_ended(void **state)
{
	(void)state;
	(void)munmap(run(fork_many, true, TASKS), sizeof(struct scene));
}

/* Orphans are counted too, whoever their parent is now, and so is whoever hides in a session. */
static void
fork_orphans(struct scene *s)
{
	pid_t orphans[TASKS - 2];
	pid_t child;
	int ready[2];

	CHECK(pipe(ready) == 0);
	for (int i = 0; i < TASKS - 2; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			pid_t self;

			if (setsid() > 0 && fork() == 0) {
				self = getpid();
				(void)!write(ready[1], &self, sizeof(self));
				(void)pause();
			}
			_exit(0);
		}
		CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
		CHECK(read(ready[0], &orphans[i], sizeof(pid_t)) == sizeof(pid_t));
	}
	child = start_child();
	CHECK(child > 0);
	CHECK(fork() < 0 && errno == EAGAIN);
	end_child(child);
	for (int i = 0; i < TASKS - 2; i++) {
		CHECK(kill(orphans[i], SIGKILL) == 0);
	}
}

static void
counts_orphans(void **state)
{
	(void)state;
	(void)munmap(run(fork_orphans, true, TASKS), sizeof(struct scene));
}

/* Who spins after a fork looks as if it were forking still. */
static void
fork_and_spin(struct scene *s)
{
	pid_t pids[2];

	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)start_child();
			for (;;) {
			}
		}
	}
	(void)poll(NULL, 0, 100);
	for (int i = 0; i < TASKS - 5; i++) {
		CHECK(start_child() > 0); /* 1 and 2 times 2 are there */
	}
	CHECK(fork() < 0 && errno == EAGAIN);
	end_child(pids[0]);
	end_child(pids[1]);
}

static void
finds_room_beside_what_is_busy(void **state)
{
	(void)state;
	(void)munmap(run(fork_and_spin, true, TASKS), sizeof(struct scene));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_processes_of_the_tree_as_the_kernel_does),
		cmocka_unit_test(refuses_processes_outside_of_the_tree),
		cmocka_unit_test(stops_forks_at_the_limit),
		cmocka_unit_test(counts_threads),
		cmocka_unit_test(counts_no_more_what_has_ended),
		cmocka_unit_test(counts_orphans),
		cmocka_unit_test(finds_room_beside_what_is_busy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
