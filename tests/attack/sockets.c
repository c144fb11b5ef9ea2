/* SPDX-License-Identifier: MIT */
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define PATIENCE_MS 1500

struct address
loopback4(long port)
{
	struct address address = { .len = sizeof(address.as.v4) };

	address.as.v4.sin_family = AF_INET;
	address.as.v4.sin_port = htons((uint16_t)port);
	address.as.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

struct address
loopback6(long port, const char *text)
{
	struct address address = { .len = sizeof(address.as.v6) };

	address.as.v6.sin6_family = AF_INET6;
	address.as.v6.sin6_port = htons((uint16_t)port);
	(void)inet_pton(AF_INET6, text, &address.as.v6.sin6_addr);
	return address;
}

struct address
local_path(const char *name)
{
	struct address address = { .len = sizeof(address.as.local) };

	address.as.local.sun_family = AF_UNIX;
	(void)snprintf(address.as.local.sun_path, sizeof(address.as.local.sun_path), "%s", name);
	return address;
}

struct address
local_abstract(const char *name)
{
	struct address address = { .len = 0 };
	char *after_nul = address.as.local.sun_path + 1;

	address.as.local.sun_family = AF_UNIX;
	(void)snprintf(after_nul, sizeof(address.as.local.sun_path) - 1, "%s", name);
	address.len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(after_nul));
	return address;
}

enum outcome
show_answer(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char buf[512];

	if (poll(&wait, 1, PATIENCE_MS) <= 0) {
		errno = ETIMEDOUT;
		return blocked("wait for an answer");
	}
	return show(buf, recv(fd, buf, sizeof(buf), 0));
}

enum outcome
talk(int fd)
{
	if (send(fd, "HELLO", 5, MSG_NOSIGNAL) < 0) {
		return blocked("send");
	}
	return show_answer(fd);
}

enum outcome
connect_and_talk(int fd, const struct address *address)
{
	static const struct timeval patience = { .tv_sec = 2 };

	if (fd < 0) {
		return blocked("socket");
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, &address->as.any, address->len) != 0) {
		return blocked("connect");
	}
	return talk(fd);
}

struct iovec
tag_to_send(const struct scene *scene)
{
	/* sendmsg only reads, though the type does not say so. */
	return (struct iovec){ (void *)(uintptr_t)scene->tag, strlen(scene->tag) };
}

enum outcome
send_tag(int fd, const struct address *address, const struct scene *scene)
{
	if (fd < 0) {
		return blocked("socket");
	}
	return tried(sendto(fd, scene->tag, strlen(scene->tag), 0, &address->as.any, address->len),
		     "sendto");
}

enum outcome
try_socket(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0 &&
	    (errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT)) {
		return not_applicable("this kernel has no such socket");
	}
	if (fd < 0 && (errno == EPERM || errno == EACCES)) {
		return not_applicable("the user may not open such a socket");
	}
	return tried(fd, "socket");
}
