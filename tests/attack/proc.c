/* SPDX-License-Identifier: MIT */

/* Reaching into another process of the same user: its memory, descriptors, limits, priority. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define MARK_OFFSET 128 /* of the mark behind the victim's secret; run.py watches it */
#define IOPRIO_WHO_PROCESS 1
#define IOPRIO_CLASS_IDLE 3
#define IOPRIO_CLASS_SHIFT 13
#define KCMP_VM 1

static const char new_mark[] = "ATTACKED";

static pid_t
victim(const struct scene *s)
{
	return (pid_t)s->victim;
}

static const char *
victim_proc(const struct scene *s, const char *name)
{
	return path("/proc/%ld/%s", s->victim, name);
}

/* The address of something in the victim, which means nothing here. */
static void *
remote(long address)
{
	return (void *)(uintptr_t)address;
}

static void *
remote_page(const struct scene *s)
{
	return remote(s->victim_secret & ~4095L);
}

static int
victim_pidfd(const struct scene *s)
{
	return (int)syscall(SYS_pidfd_open, victim(s), 0);
}

/* ---- ptrace ---------------------------------------------------------------------------------- */

/* Lets the victim go, which has stopped by being attached to. */
static enum outcome
attached(const struct scene *s, long result)
{
	if (result < 0) {
		return blocked("ptrace");
	}
	(void)waitpid(victim(s), NULL, __WALL);
	(void)ptrace(PTRACE_DETACH, victim(s), NULL, NULL);
	return succeeded("attached");
}

static enum outcome
attach(const struct scene *s)
{
	return attached(s, ptrace(PTRACE_ATTACH, victim(s), NULL, NULL));
}

static enum outcome
seize(const struct scene *s)
{
	return tried(ptrace(PTRACE_SEIZE, victim(s), NULL, NULL), "PTRACE_SEIZE");
}

static enum outcome
attach_by_int80(const struct scene *s)
{
	return attached(s, int80(I386_PTRACE, PTRACE_ATTACH, s->victim, 0, 0));
}

static enum outcome
attach_by_x32(const struct scene *s)
{
	long result = x32(521, PTRACE_ATTACH, s->victim, 0); /* ptrace in the x32 table */

	if (x32_is_missing(result)) {
		return not_applicable("no x32 system calls");
	}
	return attached(s, result);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static enum outcome
read_by_vm_readv(const struct scene *s)
{
	char buf[64];
	struct iovec here = { buf, sizeof(buf) };
	struct iovec there = { remote(s->victim_secret), sizeof(buf) };

	return show(buf, process_vm_readv(victim(s), &here, 1, &there, 1, 0));
}

static enum outcome
write_by_vm_writev(const struct scene *s)
{
	char buf[sizeof(new_mark)];
	struct iovec here = { buf, sizeof(buf) };
	struct iovec there = { remote(s->victim_secret + MARK_OFFSET), sizeof(buf) };

	memcpy(buf, new_mark, sizeof(buf));
	return tried(process_vm_writev(victim(s), &here, 1, &there, 1, 0), "process_vm_writev");
}

static enum outcome
read_by_mem(const struct scene *s)
{
	int fd = open(victim_proc(s, "mem"), O_RDONLY | O_CLOEXEC);
	char buf[64];

	return fd < 0 ? blocked("open")
		      : show(buf, pread(fd, buf, sizeof(buf), (off_t)s->victim_secret));
}

static enum outcome
write_by_mem(const struct scene *s)
{
	int fd = open(victim_proc(s, "mem"), O_RDWR | O_CLOEXEC);
	off_t at = (off_t)(s->victim_secret + MARK_OFFSET);

	return fd < 0 ? blocked("open")
		      : tried(pwrite(fd, new_mark, sizeof(new_mark), at), "pwrite");
}

static enum outcome
read_maps(const struct scene *s)
{
	char buf[300];

	if (read_text(victim_proc(s, "maps"), buf, sizeof(buf)) <= 0) {
		return blocked("read");
	}
	return strstr(buf, "victim") != NULL ? succeeded("it is the victim's")
					     : blocked("it is not the victim's");
}

static enum outcome
advise_memory(const struct scene *s)
{
	struct iovec range = { remote_page(s), 4096 };
	int fd = victim_pidfd(s);
	long result = syscall(SYS_process_madvise, fd, &range, 1UL, MADV_COLD, 0);

	if (fd >= 0 && result < 0 && errno == EPERM) {
		return not_applicable("process_madvise needs CAP_SYS_NICE");
	}
	return tried(result, "process_madvise");
}

static enum outcome
query_pages(const struct scene *s)
{
	void *page = remote_page(s);
	int status;

	return tried(syscall(SYS_move_pages, victim(s), 1UL, &page, NULL, &status, 0),
		     "move_pages");
}

static enum outcome
query_robust_list(const struct scene *s)
{
	void *head;
	size_t len;

	return tried(syscall(SYS_get_robust_list, victim(s), &head, &len), "get_robust_list");
}

static enum outcome
compare_memory(const struct scene *s)
{
	return tried(syscall(SYS_kcmp, getpid(), victim(s), KCMP_VM, 0UL, 0UL), "kcmp");
}

/* ---- what it holds --------------------------------------------------------------------------- */

static enum outcome
read_environ(const struct scene *s)
{
	char buf[20000];
	ssize_t n = read_text(victim_proc(s, "environ"), buf, sizeof(buf));

	return show(buf, n);
}

/* The API key in the environment of a process, or NULL. */
static const char *
key_of(const char *pid)
{
	static const char name[] = "OPENAI_API_KEY=";
	static char buf[70000];
	ssize_t n = read_text(path("/proc/%s/environ", pid), buf, sizeof(buf));
	char *key = n > 0 ? memmem(buf, (size_t)n, name, sizeof(name) - 1) : NULL;

	return key != NULL ? key + sizeof(name) - 1 : NULL;
}

static enum outcome
read_any_environ(const struct scene *s)
{
	AUTO_DIR *dir = opendir("/proc");
	const struct dirent *entry;
	const char *found = "";

	(void)s;
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *key = atoi(entry->d_name) == getpid() ? NULL : key_of(entry->d_name);

		/* Other runs of these tests have keys of their own. */
		if (key != NULL && strstr(found, key) == NULL) {
			found = path("%s %s", found, key);
		}
	}
	return *found != '\0' ? succeeded("data:%s", found)
			      : blocked("no environment with the key is readable");
}

static enum outcome
read_by_fd(const struct scene *s)
{
	return show_file(open(path("/proc/%ld/fd/%ld", s->victim, s->victim_read_fd), O_RDONLY));
}

static enum outcome
steal_fd(const struct scene *s)
{
	int fd = (int)syscall(SYS_pidfd_getfd, victim_pidfd(s), (int)s->victim_read_fd, 0);
	char buf[200];

	return fd < 0 ? blocked("pidfd_getfd") : show(buf, pread(fd, buf, sizeof(buf), 0));
}

static enum outcome
enter_its_namespaces(const struct scene *s)
{
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)s->namespace_victim, 0);

	return fd < 0 ? blocked("pidfd_open")
		      : tried(setns(fd, CLONE_NEWUSER | CLONE_NEWNS), "setns");
}

static enum outcome
enter_its_namespace_by_path(const struct scene *s)
{
	int fd = open(path("/proc/%ld/ns/user", s->namespace_victim), O_RDONLY | O_CLOEXEC);

	return fd < 0 ? blocked("open") : tried(setns(fd, CLONE_NEWUSER), "setns");
}

/* ---- priority and limits --------------------------------------------------------------------- */

static enum outcome
lower_priority(const struct scene *s)
{
	return tried(setpriority(PRIO_PROCESS, (id_t)s->victim, 15), "setpriority");
}

static enum outcome
lower_priority_of_group(const struct scene *s)
{
	return tried(setpriority(PRIO_PGRP, (id_t)s->victim, 14), "setpriority");
}

static enum outcome
set_scheduler(const struct scene *s)
{
	struct sched_param parameters = { 0 };

	return tried(sched_setscheduler(victim(s), SCHED_BATCH, &parameters), "sched_setscheduler");
}

static enum outcome
set_scheduler_attributes(const struct scene *s)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attributes = { .size = 48, .policy = SCHED_BATCH, .nice = 13 };

	return tried(syscall(SYS_sched_setattr, victim(s), &attributes, 0), "sched_setattr");
}

static enum outcome
set_affinity(const struct scene *s)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	return tried(sched_setaffinity(victim(s), sizeof(cpus), &cpus), "sched_setaffinity");
}

static enum outcome
set_io_priority(const struct scene *s)
{
	return tried(syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victim(s),
			     IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT),
		     "ioprio_set");
}

static enum outcome
set_limit(const struct scene *s)
{
	static const struct rlimit none = { 0, 0 };

	return tried(prlimit(victim(s), RLIMIT_CORE, &none, NULL), "prlimit");
}

static enum outcome
set_oom_score(const struct scene *s)
{
	return tried(write_to(victim_proc(s, "oom_score_adj"), "900") ? 0 : -1, "oom_score_adj");
}

static enum outcome
set_core_filter(const struct scene *s)
{
	return tried(write_to(victim_proc(s, "coredump_filter"), "0x7f") ? 0 : -1,
		     "coredump_filter");
}

const struct attack proc_attacks[] = {
	{ "ptrace_attach", PROOF_CALL, "attaches to a process outside", attach },
	{ "ptrace_seize", PROOF_CALL, "seizes a process outside", seize },
	{ "ptrace_int80", PROOF_CALL, "attaches by the 32-bit table", attach_by_int80 },
	{ "ptrace_x32", PROOF_CALL, "attaches by the x32 table", attach_by_x32 },
	{ "vm_readv", PROOF_SECRET, "reads its memory by process_vm_readv", read_by_vm_readv },
	{ "vm_writev", PROOF_VICTIM, "writes its memory by process_vm_writev", write_by_vm_writev },
	{ "mem_read", PROOF_SECRET, "reads its memory by /proc/PID/mem", read_by_mem },
	{ "mem_write", PROOF_VICTIM, "writes its memory by /proc/PID/mem", write_by_mem },
	{ "maps", PROOF_CALL, "reads its memory map", read_maps },
	{ "madvise", PROOF_CALL, "makes its memory cold", advise_memory },
	{ "move_pages", PROOF_CALL, "asks on which node its memory is", query_pages },
	{ "robust_list", PROOF_CALL, "asks for its robust futex list", query_robust_list },
	{ "kcmp", PROOF_CALL, "compares its memory with its own", compare_memory },
	{ "environ", PROOF_SECRET, "reads its environment", read_environ },
	{ "any_environ", PROOF_SECRET, "reads the API key in any process's environment",
	  read_any_environ },
	{ "fd", PROOF_SECRET, "reopens its descriptor by /proc/PID/fd", read_by_fd },
	{ "pidfd_getfd", PROOF_SECRET, "takes a copy of its descriptor", steal_fd },
	{ "setns_pidfd", PROOF_CALL, "enters its namespaces by pidfd", enter_its_namespaces },
	{ "setns_path", PROOF_CALL, "enters its user namespace by /proc/PID/ns",
	  enter_its_namespace_by_path },
	{ "setpriority", PROOF_VICTIM, "lowers its priority", lower_priority },
	{ "setpriority_group", PROOF_VICTIM, "lowers the priority of its process group",
	  lower_priority_of_group },
	{ "sched_setscheduler", PROOF_VICTIM, "changes its scheduling policy", set_scheduler },
	{ "sched_setattr", PROOF_VICTIM, "changes its scheduling attributes",
	  set_scheduler_attributes },
	{ "sched_setaffinity", PROOF_VICTIM, "pins it to a processor", set_affinity },
	{ "ioprio_set", PROOF_CALL, "makes its input and output idle-class", set_io_priority },
	{ "prlimit", PROOF_VICTIM, "lowers its limits", set_limit },
	{ "oom_score", PROOF_VICTIM, "makes it the first to die without memory", set_oom_score },
	{ "coredump_filter", PROOF_VICTIM, "changes what its core dump holds", set_core_filter },
	{ 0 },
};
