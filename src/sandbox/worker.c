/* SPDX-License-Identifier: MIT */

/*
 * The order of the steps is the design's: what loosens nothing comes first, the filter last, since
 * it may refuse what an earlier step needs. Each step is a row; the first that fails ends it.
 */

#include "sandbox/worker.h"

#include "base/attr.h"
#include "base/fd.h"
#include "sandbox/capabilities.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define STACK_SIZE ((size_t)64 * 1024)

/* ---- steps ------------------------------------------------------------------------------- */

/* Descriptors are capabilities: above 2 only those cross that were named. */
static int
close_descriptors(struct worker *w)
{
	if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
		return -1;
	}
	for (size_t i = 0; i < w->keep_fd_count; i++) {
		int flags = fcntl(w->keep_fds[i], F_GETFD);

		if (flags < 0 || fcntl(w->keep_fds[i], F_SETFD, flags & ~FD_CLOEXEC) != 0) {
			return -1;
		}
	}
	return 0;
}

static int
change_directory(struct worker *w)
{
	return w->cwd != NULL ? chdir(w->cwd) : 0;
}

static int
set_limits(struct worker *w)
{
	return w->plan->sandboxed ? limits_apply(&w->plan->limits) : 0;
}

static int
drop_capabilities(struct worker *w)
{
	return w->plan->sandboxed ? capabilities_drop() : 0;
}

static int
die_with_parent(struct worker *w)
{
	if (w->parent == 0) {
		return 0;
	}
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
		return -1;
	}
	if (getppid() != w->parent) {
		errno = ESRCH; /* it died before the signal was asked for */
		return -1;
	}
	return 0;
}

static int
no_new_privileges(struct worker *w)
{
	return w->plan->sandboxed ? prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) : 0;
}

static int
restrict_landlock(struct worker *w)
{
	return w->ruleset >= 0 ? landlock_restrict(w->ruleset) : 0;
}

/*
 * A call that is being served must not be broken off by a signal: shells do not expect EINTR of
 * open(2) or mkdir(2). The flag is there since Linux 5.19.
 */
static int
make_listener(struct worker *w)
{
	unsigned int flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				    flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &w->filter);

	if (listener < 0 && errno == EINVAL) {
		listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &w->filter);
	}
	return listener;
}

static int
install_filter(struct worker *w)
{
	int listener;

	if (w->filter.filter == NULL) {
		return 0;
	}
	if (w->channel < 0) {
		return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &w->filter);
	}
	listener = make_listener(w);
	return listener < 0 ? -1 : send_fd(w->channel, listener);
}

static const struct {
	const char *name;
	int (*run)(struct worker *w);
} steps[] = {
	{ "close descriptors", close_descriptors },
	{ "enter the working directory", change_directory },
	{ "set resource limits", set_limits },
	{ "drop capabilities", drop_capabilities },
	{ "ask to die with the launcher", die_with_parent },
	{ "set no_new_privs", no_new_privileges },
	{ "enforce the Landlock ruleset", restrict_landlock },
	{ "install the seccomp filter", install_filter },
};

int
worker_restrict(struct worker *worker)
{
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		if (steps[i].run(worker) != 0) {
			worker->failed_errno = errno;
			worker->failed_step = steps[i].name;
			return -1;
		}
	}
	return 0;
}

/* ---- exec -------------------------------------------------------------------------------- */

void
worker_exec(struct worker *worker)
{
	if (worker_restrict(worker) != 0) {
		return;
	}
	(void)sigprocmask(SIG_SETMASK, &worker->signals, NULL);
	(void)execve(worker->program, worker->argv, worker->envp);
	if (errno == ENOEXEC && worker->script_argv != NULL) {
		/* As execvp(3) and every shell do with a script that has no "#!" line. */
		(void)execve(worker->script_argv[0], worker->script_argv, worker->envp);
	}
	worker->failed_errno = errno;
	worker->failed_step = "exec";
}

static int
worker_main(void *data)
{
	struct worker *worker = data;

	worker_exec(worker);
	_exit(126);
}

pid_t
worker_start(struct worker *worker)
{
	pid_t pid;
	void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED) {
		return -1;
	}
	worker->parent = getpid();
	/* As vfork(2), with a stack of its own: no page table is copied, and this process waits
	 * until the child has called exec or ended, so failed_step is complete after it. */
	pid = clone(worker_main, (char *)stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | SIGCHLD,
		    worker);
	(void)munmap(stack, STACK_SIZE);
	return pid;
}
