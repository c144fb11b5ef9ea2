/* SPDX-License-Identifier: MIT */

/*
 * Priorities, scheduling and limits of other processes. To the kernel all processes of a user are
 * equal in these, and Landlock has no say, so the broker asks itself who is meant: a process of the
 * tree is one that the broker may signal, because the signal scope of its Landlock domain ends
 * where the tree ends. What is allowed then depends on the limits of the one that is meant
 * (RLIMIT_NICE, RLIMIT_RTPRIO, the hard limits), not on those of the broker, and on capabilities,
 * which it has none of: so it can raise nothing that the caller could not raise.
 *
 * One gap remains: between the question and the deed the process may end, be waited for, and its
 * pid be given to another one. The kernel hands out all other pids before it comes to that.
 */

#include "broker/request.h"

#include "base/attr.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define STRUCT_MAX 4096U     /* a page: struct sched_attr may not be longer */
#define SCHED_ATTR_FIRST 48U /* its length in Linux 3.14 */
#define CPU_BYTES_MAX 4096U

#define IOPRIO_ONE_PROCESS 1 /* IOPRIO_WHO_PROCESS, ..._PGRP and ..._USER; in no header of libc */
#define IOPRIO_ONE_USER 3

/* ---- who is meant ------------------------------------------------------------------------- */

/* Does it to a thread or process; -1 and errno. */
typedef long (*deed_fn)(const struct request *r, pid_t pid, const void *how);

/* A thread or process of the tree: 0. ESRCH: there is none. EPERM: it is none of the caller's
 * business. Signal 0 reaches threads by their own id as well. */
static int
in_tree(const struct broker *b, pid_t pid)
{
	if (pid <= 0) {
		return ESRCH; /* to kill(2) these are groups of processes */
	}
	if (tgkill(b->self, pid, 0) == 0) {
		return EPERM; /* a thread of the broker */
	}
	return kill(pid, 0) == 0 ? 0 : errno;
}

static struct answer
refuse_process(struct request *r, pid_t pid)
{
	char subject[32];

	(void)snprintf(subject, sizeof(subject), "process %d", pid);
	return refuse(r, EPERM, "process", "", subject);
}

static struct answer
refuse_group(struct request *r)
{
	return refuse(r, EPERM, "process", "", "a process group or a user");
}

static struct answer
do_to(struct request *r, pid_t pid, deed_fn deed, const void *how)
{
	pid_t target = pid == 0 ? r->tid : pid; /* the filter lets 0 pass: oneself */
	int error = in_tree(r->broker, target);

	if (error == EPERM) {
		return refuse_process(r, target);
	}
	if (error != 0) {
		return answer_error(error);
	}
	return caller_waits(r) ? answer_result(deed(r, target, how)) : answer_error(EPERM);
}

/* ---- priorities --------------------------------------------------------------------------- */

static long
set_priority(const struct request *r, pid_t pid, const void *how)
{
	(void)how;
	return setpriority(PRIO_PROCESS, (id_t)pid, arg_int(r, 2));
}

/* Groups and users are more than the tree. */
static struct answer
change_priority(struct request *r)
{
	int which = arg_int(r, 0);

	if (which < PRIO_PROCESS || which > PRIO_USER) {
		return answer_error(EINVAL);
	}
	return which == PRIO_PROCESS ? do_to(r, arg_int(r, 1), set_priority, NULL)
				     : refuse_group(r);
}

static long
set_ioprio(const struct request *r, pid_t pid, const void *how)
{
	(void)how;
	return syscall(SYS_ioprio_set, IOPRIO_ONE_PROCESS, pid, arg_int(r, 2));
}

static struct answer
change_ioprio(struct request *r)
{
	int which = arg_int(r, 0);

	if (which < IOPRIO_ONE_PROCESS || which > IOPRIO_ONE_USER) {
		return answer_error(EINVAL);
	}
	return which == IOPRIO_ONE_PROCESS ? do_to(r, arg_int(r, 1), set_ioprio, NULL)
					   : refuse_group(r);
}

/* ---- scheduling --------------------------------------------------------------------------- */

/* musl's functions of this name only fail, so not by name. */
static long
set_scheduler(const struct request *r, pid_t pid, const void *how)
{
	return syscall(SYS_sched_setscheduler, pid, arg_int(r, 1), how);
}

static long
set_param(const struct request *r, pid_t pid, const void *how)
{
	(void)r;
	return syscall(SYS_sched_setparam, pid, how);
}

/* The structure is at argument `n`. */
static struct answer
change_param(struct request *r, unsigned int n, deed_fn deed)
{
	int priority; /* all of struct sched_param */
	int error;

	if (r->args[n] == 0 || arg_int(r, 0) < 0) {
		return answer_error(EINVAL);
	}
	error = caller_read(r, r->args[n], &priority, sizeof(priority));
	return error != 0 ? answer_error(error) : do_to(r, arg_int(r, 0), deed, &priority);
}

static struct answer
change_scheduler(struct request *r)
{
	return arg_int(r, 1) < 0 ? answer_error(EINVAL) : change_param(r, 2, set_scheduler);
}

static struct answer
change_scheduler_param(struct request *r)
{
	return change_param(r, 1, set_param);
}

/* struct sched_attr, which grows; its first word is its length. */
union attr {
	uint32_t size;
	unsigned char bytes[STRUCT_MAX];
};

/* On E2BIG the kernel writes the length that it knows where the length was. */
static long
set_attr(const struct request *r, pid_t pid, const void *how)
{
	union attr attr;
	long rc;

	memcpy(&attr, how, sizeof(attr));
	rc = syscall(SYS_sched_setattr, pid, &attr, 0);
	if (rc != 0 && errno == E2BIG) {
		(void)caller_write(r, r->args[1], &attr.size, sizeof(attr.size));
		errno = E2BIG;
	}
	return rc;
}

/* 0 or an errno. A length that the kernel would not take is left to the kernel. */
static int
copy_attr(const struct request *r, union attr *out)
{
	uint32_t size;
	int error = caller_read(r, r->args[1], &size, sizeof(size));
	uint32_t len = size == 0 ? SCHED_ATTR_FIRST : size;

	if (error != 0) {
		return error;
	}
	memset(out, 0, sizeof(*out));
	if (len >= SCHED_ATTR_FIRST && len <= STRUCT_MAX) {
		error = caller_read(r, r->args[1], out, len);
	}
	out->size = size;
	return error;
}

static struct answer
change_attr(struct request *r)
{
	union attr attr;
	int error;

	if (r->args[1] == 0 || arg_int(r, 0) < 0 || arg_int(r, 2) != 0) {
		return answer_error(EINVAL);
	}
	error = copy_attr(r, &attr);
	return error != 0 ? answer_error(error) : do_to(r, arg_int(r, 0), set_attr, &attr);
}

struct cpus {
	size_t len;
	unsigned char bytes[CPU_BYTES_MAX];
};

static long
set_affinity(const struct request *r, pid_t pid, const void *how)
{
	const struct cpus *cpus = how;

	(void)r;
	return syscall(SYS_sched_setaffinity, pid, cpus->len, cpus->bytes);
}

/* Of a mask that is longer than the kernel's own only as much is read. */
static struct answer
change_affinity(struct request *r)
{
	struct cpus cpus;
	long most = syscall(SYS_sched_getaffinity, 0, sizeof(cpus.bytes), cpus.bytes);
	int error;

	if (most < 0) {
		return answer_error(EPERM);
	}
	cpus.len = (uint32_t)r->args[1];
	cpus.len = cpus.len < (size_t)most ? cpus.len : (size_t)most;
	error = caller_read(r, r->args[2], cpus.bytes, cpus.len);
	return error != 0 ? answer_error(error) : do_to(r, arg_int(r, 0), set_affinity, &cpus);
}

/* ---- limits ------------------------------------------------------------------------------- */

/* `how` may be NULL: only reads. As in the kernel, the limit is set even if the old one cannot be
 * stored. */
static long
set_limit(const struct request *r, pid_t pid, const void *how)
{
	uint64_t old[2];
	long rc = syscall(SYS_prlimit64, pid, arg_int(r, 1), how, old);

	if (rc == 0 && r->args[3] != 0) {
		errno = caller_write(r, r->args[3], old, sizeof(old));
		return errno == 0 ? 0 : -1;
	}
	return rc;
}

static struct answer
change_limit(struct request *r)
{
	uint64_t limit[2]; /* struct rlimit64 */
	uint64_t address = r->args[2];
	int error = address != 0 ? caller_read(r, address, limit, sizeof(limit)) : 0;

	return error != 0 ? answer_error(error)
			  : do_to(r, arg_int(r, 0), set_limit, address != 0 ? limit : NULL);
}

/* ---- what a process hides ----------------------------------------------------------------- */

/*
 * PR_SET_DUMPABLE to 0: gpg-agent, ssh-agent and others close their memory to their own user. Then
 * the broker could not read the paths that they name, and nothing would be performed for them any
 * more. They ask for it as a second wall, and go on without.
 */
static struct answer
keep_dumpable(struct request *r)
{
	/* Registers, which nobody can change any more. */
	return arg_int(r, 0) == PR_SET_DUMPABLE ? answer_error(EPERM) : answer_continue();
}

/* ---- the table ---------------------------------------------------------------------------- */

static const struct call_row rows[] = {
	{ SYS_setpriority, "setpriority", change_priority, EPERM, 0 },
	{ SYS_ioprio_set, "ioprio_set", change_ioprio, EPERM, 0 },
	{ SYS_sched_setscheduler, "sched_setscheduler", change_scheduler, EPERM, 0 },
	{ SYS_sched_setparam, "sched_setparam", change_scheduler_param, EPERM, 0 },
	{ SYS_sched_setattr, "sched_setattr", change_attr, EPERM, 0 },
	{ SYS_sched_setaffinity, "sched_setaffinity", change_affinity, EPERM, 0 },
	{ SYS_prlimit64, "prlimit64", change_limit, EPERM, 0 },
	{ SYS_prctl, "prctl", keep_dumpable, EPERM, 0 },
};

const struct call_table process_calls = { rows, COUNT_OF(rows) };
