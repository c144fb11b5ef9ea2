/* SPDX-License-Identifier: MIT */
#include "sandbox/guard.h"

#include "base/attr.h"
#include "base/fd.h"
#include "broker/shm.h"
#include "sandbox/landlock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A process of this user that is outside of the domain which is about to be entered. */
struct outsider {
	pid_t pid;
	int end; /* a child that was made for this ends when it is closed; -1: the parent serves */
};

/* The parent, unless it is another user's, whom no signal reaches anyway, or not to be seen. */
static bool
find_outsider(struct outsider *outsider)
{
	char path[32];
	struct stat st;
	int ends[2];
	char byte;

	*outsider = (struct outsider){ getppid(), -1 };
	(void)snprintf(path, sizeof(path), "/proc/%d", outsider->pid);
	if (outsider->pid > 0 && stat(path, &st) == 0 && st.st_uid == geteuid()) {
		return true;
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	outsider->pid = fork();
	if (outsider->pid == 0) {
		(void)close(ends[1]);
		_exit(read(ends[0], &byte, 1) < 0 ? 1 : 0);
	}
	(void)close(ends[0]);
	outsider->end = ends[1];
	return outsider->pid > 0;
}

static void
dismiss(struct outsider *outsider)
{
	if (outsider->end >= 0) {
		(void)close(outsider->end);
		(void)waitpid(outsider->pid, NULL, 0);
	}
}

/* The domain is believed in only once it shows: an outsider is out of reach now. */
bool
guard_enter_scope(void)
{
	AUTO_FD ruleset = landlock_signal_scope();
	struct outsider outsider;
	bool scoped = false;
	int why;

	if (ruleset < 0 || !find_outsider(&outsider)) {
		return false;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && landlock_restrict(ruleset) == 0) {
		scoped = kill(outsider.pid, 0) != 0 && errno == EPERM;
	}
	why = errno;
	dismiss(&outsider);
	errno = why;
	return scoped;
}

static void watch(struct tempdir *tmp, const struct shm_record *shm, bool scoped, int alive)
	__attribute__((noreturn));

static void
watch(struct tempdir *tmp, const struct shm_record *shm, bool scoped, int alive)
{
	const int kept[] = { alive, tmp->base_fd, tmp->lock_fd };
	char byte;

	(void)prctl(PR_SET_NAME, "bailey-guard", 0, 0, 0);
	/* Other ends of streams and pipes see the command and the launcher close them. */
	(void)close_all_but(kept, COUNT_OF(kept));
	while (read(alive, &byte, 1) < 0 && errno == EINTR) {
	}
	if (scoped) {
		(void)kill(-1, SIGKILL);
	}
	tempdir_remove(tmp);
	shm_clear(shm);
	_exit(0);
}

/* Called with all signals blocked, and so the guard is deaf to all but SIGKILL. */
pid_t
guard_start(struct tempdir *tmp, const struct shm_record *shm, bool scoped, int *alive)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return -1;
	}
	pid = fork();
	if (pid == 0) {
		watch(tmp, shm, scoped, ends[0]);
	}
	(void)close(ends[0]);
	/* Whoever kills the launcher's whole group (killpg(2)) leaves the guard. */
	(void)setpgid(pid, pid);
	if (pid < 0) {
		(void)close(ends[1]);
		return -1;
	}
	*alive = ends[1];
	return pid;
}
