/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BROKER_INET_H
#define TESTS_BROKER_INET_H

/* TCP servers and clients in few words, for tests. */

#include "broker/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

static socklen_t
v4(union address *a, const char *text, int port)
{
	*a = (union address){ .v4 = { .sin_family = AF_INET } };
	a->v4.sin_port = htons((uint16_t)port);
	(void)inet_pton(AF_INET, text, &a->v4.sin_addr);
	return sizeof(a->v4);
}

static socklen_t
v6(union address *a, const char *text, int port)
{
	*a = (union address){ .v6 = { .sin6_family = AF_INET6 } };
	a->v6.sin6_port = htons((uint16_t)port);
	(void)inet_pton(AF_INET6, text, &a->v6.sin6_addr);
	return sizeof(a->v6);
}

static socklen_t
address(union address *a, const char *text, int port)
{
	return strchr(text, ':') != NULL ? v6(a, text, port) : v4(a, text, port);
}

static int
family_of(const char *text)
{
	return strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
}

static int
port_of(int fd)
{
	union address a = { 0 };
	socklen_t len = sizeof(a);

	return getsockname(fd, &a.any, &len) == 0 ? ntohs(a.v4.sin_port) : -1;
}

/* A listener on a port that the kernel chooses, or -1. */
static int
serve_at(const char *text, int backlog)
{
	union address a;
	socklen_t len = address(&a, text, 0);
	int fd = socket(family_of(text), SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd >= 0 && bind(fd, &a.any, len) == 0 && listen(fd, backlog) == 0 ? fd : -1;
}

/* 0 or an errno. */
static int
connect_fd(int fd, const char *text, int port)
{
	union address a;
	socklen_t len = address(&a, text, port);

	return connect(fd, &a.any, len) == 0 ? 0 : errno;
}

static int
try_to_connect(const char *text, int port)
{
	int fd = socket(family_of(text), SOCK_STREAM | SOCK_CLOEXEC, 0);
	int error = connect_fd(fd, text, port);

	(void)close(fd);
	return error;
}

static void
set_blocking(int fd, bool blocking)
{
	(void)fcntl(fd, F_SETFL, blocking ? 0 : O_NONBLOCK);
}

/* Nobody has come, and nobody does. */
static bool
is_lonely(int listener)
{
	struct pollfd ready = { .fd = listener, .events = POLLIN };

	return poll(&ready, 1, 50) == 0;
}

#endif /* TESTS_BROKER_INET_H */
