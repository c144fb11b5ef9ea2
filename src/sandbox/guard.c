/* SPDX-License-Identifier: MIT */
#include "sandbox/guard.h"

#include "base/attr.h"
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

bool
guard_enter_scope(void)
{
	AUTO_FD ruleset = landlock_signal_scope();
	pid_t parent = getppid();

	if (ruleset < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    landlock_restrict(ruleset) != 0) {
		return false;
	}
	/* Believed only if it shows: this process's parent is out of reach now. */
	return parent == 0 || kill(parent, 0) != 0;
}

static void watch(struct tempdir *tmp, bool scoped, int alive) __attribute__((noreturn));

static void
watch(struct tempdir *tmp, bool scoped, int alive)
{
	char byte;

	(void)prctl(PR_SET_NAME, "bailey-guard", 0, 0, 0);
	/* The standard streams belong to the command: their other ends see it close them. */
	(void)close(STDIN_FILENO);
	(void)close(STDOUT_FILENO);
	(void)close(STDERR_FILENO);
	while (read(alive, &byte, 1) < 0 && errno == EINTR) {
	}
	if (scoped) {
		(void)kill(-1, SIGKILL);
	}
	tempdir_remove(tmp);
	_exit(0);
}

/* Called with all signals blocked, and so the guard is deaf to all but SIGKILL. */
pid_t
guard_start(struct tempdir *tmp, bool scoped, int *alive)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return -1;
	}
	pid = fork();
	if (pid == 0) {
		(void)close(ends[1]);
		watch(tmp, scoped, ends[0]);
	}
	(void)close(ends[0]);
	if (pid < 0) {
		(void)close(ends[1]);
		return -1;
	}
	*alive = ends[1];
	return pid;
}
