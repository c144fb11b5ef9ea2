/* SPDX-License-Identifier: MIT */

/*
 * --json-status-fd: events of a run, a line of JSON each, on a descriptor that the caller named.
 *
 * Invariants:
 *   - nothing waits for a slow reader but the last line, and that not for long
 *   - a line is written whole or not at all, the last that fits at the end of a full pipe included
 *   - the flags of the descriptor, which the caller may share with others, stay as they are
 *   - a reader that is gone ends nothing
 */

#include "cli/cli.h"

#include "base/attr.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#define LAST_LINE_MS 500

int
cli_status_open(struct cli_status *status, int fd, struct bailey_error *err)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;
	char path[32];
	AUTO_FD own = -1;

	if (flags < 0 || fstat(fd, &st) != 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "--json-status-fd %d: no such descriptor is open", fd);
	}
	if ((flags & O_ACCMODE) == O_RDONLY) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "--json-status-fd %d is not open for writing", fd);
	}
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	status->fd = fd;
	status->socket = S_ISSOCK(st.st_mode);
	status->may_wait = S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode);
	if (!status->may_wait) {
		return BAILEY_OK;
	}
	/* Opened again it has flags of its own. A pipe of another user cannot be. */
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (own >= 0 && dup3(own, fd, O_CLOEXEC) == fd) {
		status->may_wait = false;
	}
	return BAILEY_OK;
}

/* write(2) without its signal, which would end this process or be taken for one to pass on. */
static ssize_t
write_quietly(int fd, const char *data, size_t len)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t broken;
	sigset_t before;
	sigset_t pending;
	ssize_t n;
	int saved;

	(void)sigemptyset(&broken);
	(void)sigaddset(&broken, SIGPIPE);
	(void)sigemptyset(&pending);
	(void)sigpending(&pending);
	(void)sigprocmask(SIG_BLOCK, &broken, &before);
	n = write(fd, data, len);
	saved = errno;
	if (n < 0 && saved == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
		(void)sigtimedwait(&broken, NULL, &at_once);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return n;
}

/* A pipe that is ready for writing takes PIPE_BUF bytes without waiting; pipe(7). */
static ssize_t
put(const struct cli_status *status, const char *data, size_t len)
{
	struct pollfd ready = { .fd = status->fd, .events = POLLOUT };

	if (status->socket) {
		return send(status->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	if (status->may_wait && poll(&ready, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write_quietly(status->fd, data, status->may_wait && len > PIPE_BUF ? PIPE_BUF : len);
}

/* Writes what is left, as far as there is room. */
static void
flush(struct cli_status *status)
{
	while (status->left_len > 0 && !status->broken) {
		ssize_t n = put(status, status->left, status->left_len);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			status->broken = n == 0 || errno != EAGAIN;
			return;
		}
		status->left_len -= (size_t)n;
		memmove(status->left, status->left + n, status->left_len);
	}
}

static int64_t
now_ms(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The end of a run is what its reader waits for: it gets a moment to make room. */
static void
flush_last(struct cli_status *status)
{
	int64_t give_up = now_ms() + LAST_LINE_MS;

	flush(status);
	while (status->left_len > 0 && !status->broken && now_ms() < give_up) {
		struct pollfd room = { .fd = status->fd, .events = POLLOUT };

		(void)poll(&room, 1, (int)(give_up - now_ms()));
		flush(status);
	}
}

static bool
put_line(struct cli_status *status, enum bailey_event kind, const char *json)
{
	void (*out)(struct cli_status *) = kind == BAILEY_EVENT_ENDED ? flush_last : flush;
	size_t len = strlen(json);

	out(status);
	if (status->left_len > 0 || status->broken || len >= sizeof(status->left)) {
		return false;
	}
	memcpy(status->left, json, len);
	status->left[len] = '\n';
	status->left_len = len + 1;
	out(status);
	if (status->left_len == len + 1) {
		status->left_len = 0;
		return false;
	}
	return !status->broken;
}

bool
cli_status_event(void *data, enum bailey_event kind, const char *json)
{
	struct cli_status *status = data;
	bool told = put_line(status, kind, json);

	/* Its reader waits for the end, and this process may stay (--keep-background). */
	if (kind == BAILEY_EVENT_ENDED) {
		(void)close(status->fd);
		status->fd = -1;
		status->broken = true;
	}
	return told;
}
