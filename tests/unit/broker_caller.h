/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BROKER_CALLER_H
#define TESTS_BROKER_CALLER_H

/*
 * A process that plays the caller of the broker: it is told calls, makes them and says what the
 * kernel said. What it opened comes along, so that identities are compared while both hold them.
 */

#include "broker/request.h"

#include "base/attr.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum ask_op {
	ASK_TID,
	ASK_OBJECT, /* open with O_PATH and `flags` */
	ASK_ENTRY, /* exchange it with itself: looks up as whatever makes or removes entries does */
	ASK_OPEN,  /* open with `flags` and keep it: `value` is the descriptor */
	ASK_CHDIR,
	ASK_UMASK,
	ASK_NAME, /* of the thread */
	ASK_UNDUMPABLE,
	ASK_POINTER, /* open with O_PATH what `address` points at */
};

struct ask {
	enum ask_op op;
	int dirfd;
	int flags;
	uint64_t address;
	char path[PATH_MAX];
};

struct told {
	int error;
	int value;
	int fd; /* received */
};

struct caller {
	pid_t pid;
	int socket;
	struct broker broker;
	struct request request;
};

static void
answer_told(int to, int error, int value, int fd)
{
	int payload[2] = { error, value };
	struct iovec iov = { payload, sizeof(payload) };
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	(void)sendmsg(to, &msg, 0);
}

static void
answer_opened(int to, int fd)
{
	answer_told(to, fd >= 0 ? 0 : errno, 0, fd);
	close_fdp(&fd);
}

static void
make_call(int to, const struct ask *ask)
{
	int rc;

	switch (ask->op) {
	case ASK_TID:
		answer_told(to, 0, (int)syscall(SYS_gettid), -1);
		return;
	case ASK_OBJECT:
		answer_opened(to, openat(ask->dirfd, ask->path, O_PATH | ask->flags));
		return;
	case ASK_POINTER:
		answer_opened(to, (int)syscall(SYS_openat, AT_FDCWD, ask->address, O_PATH));
		return;
	case ASK_ENTRY:
		rc = renameat2(ask->dirfd, ask->path, ask->dirfd, ask->path, RENAME_EXCHANGE);
		break;
	case ASK_OPEN:
		rc = openat(ask->dirfd, ask->path, ask->flags, 0600);
		break;
	case ASK_CHDIR:
		rc = chdir(ask->path);
		break;
	case ASK_UMASK:
		rc = (int)umask((mode_t)ask->flags);
		break;
	case ASK_NAME:
		rc = prctl(PR_SET_NAME, ask->path);
		break;
	case ASK_UNDUMPABLE:
		rc = prctl(PR_SET_DUMPABLE, 0);
		break;
	default:
		rc = -1;
	}
	answer_told(to, rc < 0 ? errno : 0, rc, -1);
}

static void *
make_calls(void *data)
{
	int to = *(int *)data;
	struct ask ask;

	while (recv(to, &ask, sizeof(ask), 0) == (ssize_t)sizeof(ask)) {
		make_call(to, &ask);
	}
	_exit(0);
}

/* Like make_calls(), with a directory, umask and descriptors of the thread's own. */
static void *
make_calls_alone(void *data)
{
	if (unshare(CLONE_FS | CLONE_FILES) != 0) {
		_exit(1);
	}
	return make_calls(data);
}

static struct told
tell_caller(struct caller *c, const struct ask *ask)
{
	int payload[2] = { EIO, 0 };
	struct iovec iov = { payload, sizeof(payload) };
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = control.bytes,
			      .msg_controllen = sizeof(control.bytes) };
	struct told told = { .fd = -1 };
	struct cmsghdr *cmsg;

	if (send(c->socket, ask, sizeof(*ask), 0) < 0 ||
	    recvmsg(c->socket, &msg, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof(payload)) {
		return (struct told){ EIO, 0, -1 };
	}
	cmsg = CMSG_FIRSTHDR(&msg);
	if (cmsg != NULL) {
		memcpy(&told.fd, CMSG_DATA(cmsg), sizeof(int));
	}
	told.error = payload[0];
	told.value = payload[1];
	return told;
}

static struct told
tell(struct caller *c, enum ask_op op, int dirfd, const char *path, int flags)
{
	struct ask ask = { .op = op, .dirfd = dirfd, .flags = flags };

	memcpy(ask.path, path, strlen(path) + 1);
	return tell_caller(c, &ask);
}

/* Starts a caller; `alone`: the calls are made by a thread that shares nothing but memory. */
static void
start_caller(struct caller *c, bool alone)
{
	int pair[2];

	*c = (struct caller){ .socket = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		return;
	}
	c->pid = fork();
	if (c->pid == 0) {
		pthread_t thread;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(pair[0]);
		if (!alone) {
			(void)make_calls(&pair[1]);
		}
		(void)pthread_create(&thread, NULL, make_calls_alone, &pair[1]);
		(void)pthread_join(thread, NULL);
		_exit(0);
	}
	(void)close(pair[1]);
	c->socket = pair[0];
	c->broker.listener = -1;
	c->broker.self = getpid();
	c->request.broker = &c->broker;
	c->request.tid = tell(c, ASK_TID, -1, "", 0).value;
}

static void
end_caller(struct caller *c)
{
	(void)close(c->socket);
	(void)kill(c->pid, SIGKILL);
	(void)waitpid(c->pid, NULL, 0);
}

#endif /* TESTS_BROKER_CALLER_H */
