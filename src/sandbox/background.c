/* SPDX-License-Identifier: MIT */
#include "sandbox/background.h"

#include "base/attr.h"
#include "base/fd.h"
#include "sandbox/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

struct report {
	int rc;
	int status;
	bool stays;
	struct bailey_error err;
};

/* A pipe takes it in one piece (PIPE_BUF is 4096), also when the launcher is killed amid. */
_Static_assert(sizeof(struct report) <= 4096, "a report is written at once");

/* In front of a launcher. */
struct front {
	pid_t launcher;
	int signals;
	int report;
};

/* A stopped launcher has stopped the command before; a shell waits for this process to stop too. */
static void
follow_stop(const struct front *front)
{
	int status;

	while (waitpid(front->launcher, &status, WNOHANG | WUNTRACED) > 0) {
		if (WIFSTOPPED(status)) {
			(void)raise(SIGSTOP);
			(void)kill(front->launcher, SIGCONT);
		}
	}
}

/* What comes from the terminal goes to the launcher's group as well, which is the same. */
static void
pass_signal(const struct front *front)
{
	struct signalfd_siginfo info;

	if (read(front->signals, &info, sizeof(info)) != (ssize_t)sizeof(info)) {
		return;
	}
	if (info.ssi_signo == SIGCHLD) {
		follow_stop(front);
	} else if (!terminal_sent(&info)) {
		(void)kill(front->launcher, (int)info.ssi_signo);
	}
}

static void
await_report(const struct front *front, struct background *background, struct bailey_error *err)
{
	struct report report = { 0 };
	struct pollfd ready[] = { { .fd = front->report, .events = POLLIN },
				  { .fd = front->signals, .events = POLLIN } };

	while ((ready[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0) {
		(void)poll(ready, COUNT_OF(ready), -1);
		if (ready[1].revents != 0) {
			pass_signal(front);
		}
	}
	if (read(front->report, &report, sizeof(report)) != (ssize_t)sizeof(report)) {
		background->killed = true;
		background->status = 128 + SIGKILL;
		background->rc = bailey_fail(err, BAILEY_E_SYSTEM, "the launcher was killed");
		(void)waitpid(front->launcher, NULL, 0);
		return;
	}
	if (!report.stays) {
		(void)waitpid(front->launcher, NULL, 0);
	}
	background->rc = report.rc;
	background->status = report.status;
	if (report.rc != BAILEY_OK && err != NULL) {
		*err = report.err;
	}
}

static int
stand_in_front(struct front *front, struct background *background, const sigset_t *before,
	       struct bailey_error *err)
{
	/* Ignored, as a caller may have left it, it would not tell that the launcher stops. */
	const struct sigaction tell_of_children = { .sa_handler = SIG_DFL };
	struct sigaction on_child;

	background->front = true;
	(void)sigaction(SIGCHLD, &tell_of_children, &on_child);
	await_report(front, background, err);
	(void)sigaction(SIGCHLD, &on_child, NULL);
	(void)close(front->report);
	(void)close(front->signals);
	(void)sigprocmask(SIG_SETMASK, before, NULL);
	return BAILEY_OK;
}

int
background_split(struct background *background, struct bailey_error *err)
{
	struct front front;
	sigset_t all;
	sigset_t before;
	int ends[2];

	*background = (struct background){ .report = -1 };
	(void)sigfillset(&all);
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return bailey_fail_sys(err, errno, "cannot make a pipe");
	}
	front.report = ends[0];
	front.signals = signalfd(-1, &all, SFD_CLOEXEC);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	front.launcher = front.signals >= 0 ? fork() : -1;
	if (front.launcher < 0) {
		int error = errno;

		(void)sigprocmask(SIG_SETMASK, &before, NULL);
		(void)close(ends[0]);
		(void)close(ends[1]);
		close_fdp(&front.signals);
		return bailey_fail_sys(err, error, "cannot start the launcher");
	}
	if (front.launcher > 0) {
		(void)close(ends[1]);
		return stand_in_front(&front, background, &before, err);
	}
	(void)close(ends[0]);
	(void)close(front.signals);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	background->report = ends[1];
	return BAILEY_OK;
}

void
background_report(struct background *background, int rc, int status, bool stays,
		  const struct bailey_error *err)
{
	struct report report = { .rc = rc, .status = status, .stays = stays };

	if (background->report < 0) {
		return;
	}
	if (err != NULL) {
		report.err = *err;
	}
	(void)write_all(background->report, (const char *)&report, sizeof(report));
	(void)close(background->report);
	background->report = -1;
}

void
background_detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2 && null >= 0; fd++) {
		(void)dup2(null, fd);
	}
	if (null > 2) {
		(void)close(null);
	}
	(void)!chdir("/");
}
