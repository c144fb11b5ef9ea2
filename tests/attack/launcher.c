/* SPDX-License-Identifier: MIT */

/*
 * Reaching into the processes that hold the sandbox: the launcher, the broker, and what else they
 * leave beside the command to guard it. They are the ancestors of this process up to run.py, and
 * their other children. Without a sandbox a shell stands in their place.
 */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define ANCESTORS_MAX 8

static pid_t
parent_of(pid_t pid)
{
	char buf[500];
	const char *rest;
	int parent = 0;

	if (pid == getpid()) {
		return getppid();
	}
	if (read_text(path("/proc/%d/stat", pid), buf, sizeof(buf)) <= 0) {
		return 0;
	}
	rest = strrchr(buf, ')');
	return rest != NULL && sscanf(rest, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Does one thing to an ancestor; negative when it was refused. */
typedef long on_process(pid_t pid);

/* Does it to the children of one that are not on the way to this process. 0: to none. */
static pid_t
try_children(pid_t parent, pid_t below, on_process *act)
{
	char buf[2000];
	const char *rest = buf;
	int child = 0;
	int used = 0;

	if (read_text(path("/proc/%d/task/%d/children", parent, parent), buf, sizeof(buf)) <= 0) {
		return 0;
	}
	for (; sscanf(rest, "%d %n", &child, &used) == 1; rest += used) {
		if (child != below && act(child) >= 0) {
			return child;
		}
	}
	return 0;
}

/* Succeeds when it works for any of the ancestors, or a child of theirs. */
static enum outcome
try_ancestors(const struct scene *s, on_process *act)
{
	pid_t pid = getpid();

	for (int i = 0; i < ANCESTORS_MAX; i++) {
		pid_t below = pid;
		pid_t child;

		pid = parent_of(pid);
		if (pid <= 0 || pid == (pid_t)s->runner) {
			break;
		}
		if (act(pid) >= 0) {
			return succeeded("process %d", pid);
		}
		child = try_children(pid, below, act);
		if (child > 0) {
			return succeeded("process %d, a child of %d", child, pid);
		}
	}
	return blocked("none of the ancestors");
}

/* ---- looking --------------------------------------------------------------------------------- */

/* What was found, for the report. */
static char found[200];

static long
find_secret(const char *data, ssize_t len)
{
	const char *secret = len > 0 ? memmem(data, (size_t)len, "=SECRET-", 8) : NULL;

	if (secret == NULL) {
		return -1;
	}
	(void)snprintf(found, sizeof(found), "%.100s", secret);
	return 0;
}

static long
read_environ(pid_t pid)
{
	static char buf[70000];

	return find_secret(buf, read_text(path("/proc/%d/environ", pid), buf, sizeof(buf)));
}

/* The last pages of the stack, where the environment lies: "start-end perms ... [stack]". */
static bool
find_stack(pid_t pid, unsigned long *start, unsigned long *end)
{
	AUTO_FILE *maps = fopen(path("/proc/%d/maps", pid), "re");
	char line[500];

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, "[stack]") != NULL) {
			return sscanf(line, "%lx-%lx", start, end) == 2;
		}
	}
	return false;
}

static long
read_stack_by_mem(pid_t pid)
{
	AUTO_FD fd = open(path("/proc/%d/mem", pid), O_RDONLY | O_CLOEXEC);
	static char buf[1 << 16];
	unsigned long start;
	unsigned long end;

	if (fd < 0 || !find_stack(pid, &start, &end)) {
		return -1;
	}
	return find_secret(buf, pread(fd, buf, sizeof(buf), (off_t)(end - sizeof(buf))));
}

static long
read_stack_by_vm_readv(pid_t pid)
{
	static char buf[1 << 16];
	unsigned long start;
	unsigned long end;
	struct iovec here = { buf, sizeof(buf) };
	struct iovec there = { NULL, sizeof(buf) };

	if (!find_stack(pid, &start, &end)) {
		return -1;
	}
	there.iov_base = (void *)(uintptr_t)(end - sizeof(buf));
	return find_secret(buf, process_vm_readv(pid, &here, 1, &there, 1, 0));
}

/* ---- taking hold ----------------------------------------------------------------------------- */

static long
attach(pid_t pid)
{
	long result = ptrace(PTRACE_SEIZE, pid, NULL, NULL);

	(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return result;
}

static long
copy_fd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return syscall(SYS_pidfd_getfd, fd, STDOUT_FILENO, 0);
}

static long
open_fd(pid_t pid)
{
	return open(path("/proc/%d/fd/0", pid), O_PATH | O_CLOEXEC);
}

static long
open_mounts(pid_t pid)
{
	return open(path("/proc/%d/ns/mnt", pid), O_RDONLY | O_CLOEXEC);
}

static long
urge(pid_t pid)
{
	return kill(pid, SIGURG); /* which is ignored by default: only the permission counts */
}

static long
terminate(pid_t pid)
{
	return kill(pid, SIGKILL);
}

static long
lower_priority(pid_t pid)
{
	return setpriority(PRIO_PROCESS, (id_t)pid, 15);
}

static long
set_scheduler(pid_t pid)
{
	struct sched_param parameters = { 0 };

	return sched_setscheduler(pid, SCHED_BATCH, &parameters);
}

static long
set_affinity(pid_t pid)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	return sched_setaffinity(pid, sizeof(cpus), &cpus);
}

static long
set_limit(pid_t pid)
{
	static const struct rlimit none = { 0, 0 };

	return prlimit(pid, RLIMIT_CORE, &none, NULL);
}

static long
lower_group_priority(pid_t pid)
{
	return setpriority(PRIO_PGRP, (id_t)getpgid(pid), 15);
}

static long
set_io_priority(pid_t pid)
{
	return syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, pid, 3 << 13 /* idle */);
}

static long
set_attributes(pid_t pid)
{
	/* struct sched_attr of sched_setattr(2), in its first version */
	struct {
		uint32_t size;
		uint32_t policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t times[3];
	} attributes = { .size = 48, .policy = SCHED_BATCH };

	return syscall(SYS_sched_setattr, pid, &attributes, 0);
}

/* What it may use from now on: nothing is what it is ended by. */
static long
stop_by_cpu_limit(pid_t pid)
{
	static const struct rlimit none = { 0, 0 };

	return prlimit(pid, RLIMIT_CPU, &none, NULL);
}

static long
stop(pid_t pid)
{
	return kill(pid, SIGSTOP) == 0 ? kill(pid, SIGCONT) : -1;
}

static long
signal_thread(pid_t pid)
{
	return syscall(SYS_tgkill, pid, pid, SIGURG);
}

static long
signal_by_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return syscall(SYS_pidfd_send_signal, fd, SIGURG, NULL, 0);
}

static long
queue_signal(pid_t pid)
{
	return sigqueue(pid, SIGURG, (union sigval){ .sival_int = 1 });
}

static long
write_memory(pid_t pid)
{
	AUTO_FD fd = open(path("/proc/%d/mem", pid), O_RDWR | O_CLOEXEC);

	return fd;
}

static long
open_directory(pid_t pid)
{
	return open(path("/proc/%d/root/", pid), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static long
clear_references(pid_t pid)
{
	return write_to(path("/proc/%d/clear_refs", pid), "1") ? 0 : -1;
}

static long
set_oom_score(pid_t pid)
{
	return write_to(path("/proc/%d/oom_score_adj", pid), "900") ? 0 : -1;
}

/* ---- the attacks ----------------------------------------------------------------------------- */

/* What the attack of each name does. */
static const struct {
	const char *name;
	on_process *act;
} acts[] = {
	{ "environ", read_environ },
	{ "memory", read_stack_by_mem },
	{ "vm_readv", read_stack_by_vm_readv },
	{ "ptrace", attach },
	{ "pidfd_getfd", copy_fd },
	{ "fd", open_fd },
	{ "mounts", open_mounts },
	{ "signal", urge },
	{ "kill", terminate },
	{ "setpriority", lower_priority },
	{ "sched_setscheduler", set_scheduler },
	{ "sched_setaffinity", set_affinity },
	{ "prlimit", set_limit },
	{ "oom_score", set_oom_score },
	{ "setpriority_group", lower_group_priority },
	{ "ioprio_set", set_io_priority },
	{ "sched_setattr", set_attributes },
	{ "prlimit_cpu", stop_by_cpu_limit },
	{ "stop", stop },
	{ "tgkill", signal_thread },
	{ "pidfd_signal", signal_by_pidfd },
	{ "sigqueue", queue_signal },
	{ "memory_write", write_memory },
	{ "root", open_directory },
	{ "clear_refs", clear_references },
};

static on_process *
find_act(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(acts); i++) {
		if (strcmp(acts[i].name, name) == 0) {
			return acts[i].act;
		}
	}
	abort();
}

static enum outcome
act_on_launcher(const struct scene *s)
{
	return try_ancestors(s, find_act(s->row->name));
}

static enum outcome
look_at_launcher(const struct scene *s)
{
	enum outcome outcome = try_ancestors(s, find_act(s->row->name));

	return outcome == SUCCEEDED ? succeeded("data: %s", found) : outcome;
}

const struct attack launcher_attacks[] = {
	{ "environ", PROOF_SECRET, "reads the launcher's environment", look_at_launcher },
	{ "memory", PROOF_SECRET, "reads its stack by /proc/PID/mem", look_at_launcher },
	{ "vm_readv", PROOF_SECRET, "reads its stack by process_vm_readv", look_at_launcher },
	{ "ptrace", PROOF_CALL, "traces the launcher", act_on_launcher },
	{ "pidfd_getfd", PROOF_CALL, "takes a copy of its descriptor", act_on_launcher },
	{ "fd", PROOF_CALL, "opens its descriptor by /proc/PID/fd", act_on_launcher },
	{ "mounts", PROOF_CALL, "opens its mount namespace", act_on_launcher },
	{ "signal", PROOF_CALL, "sends it a harmless signal", act_on_launcher },
	{ "kill", PROOF_LAUNCHER, "kills it", act_on_launcher },
	{ "setpriority", PROOF_CALL, "lowers its priority", act_on_launcher },
	{ "sched_setscheduler", PROOF_CALL, "changes its scheduling policy", act_on_launcher },
	{ "sched_setaffinity", PROOF_CALL, "pins it to a processor", act_on_launcher },
	{ "prlimit", PROOF_CALL, "lowers its limits", act_on_launcher },
	{ "oom_score", PROOF_CALL, "makes it the first to die without memory", act_on_launcher },
	{ "setpriority_group", PROOF_CALL, "lowers its group's priority", act_on_launcher },
	{ "ioprio_set", PROOF_CALL, "lowers its priority for disks", act_on_launcher },
	{ "sched_setattr", PROOF_CALL, "changes its scheduling attributes", act_on_launcher },
	{ "prlimit_cpu", PROOF_CALL, "takes its processor time away", act_on_launcher },
	{ "stop", PROOF_CALL, "stops it", act_on_launcher },
	{ "tgkill", PROOF_CALL, "signals its first thread", act_on_launcher },
	{ "pidfd_signal", PROOF_CALL, "signals it by a pidfd", act_on_launcher },
	{ "sigqueue", PROOF_CALL, "queues a signal for it", act_on_launcher },
	{ "memory_write", PROOF_CALL, "opens its memory for writing", act_on_launcher },
	{ "root", PROOF_CALL, "opens its root directory", act_on_launcher },
	{ "clear_refs", PROOF_CALL, "writes to its file in /proc", act_on_launcher },
	{ 0 },
};
