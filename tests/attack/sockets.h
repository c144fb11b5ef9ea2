/* SPDX-License-Identifier: MIT */
#ifndef ATTACK_SOCKETS_H
#define ATTACK_SOCKETS_H

/*
 * Addresses of the listeners outside, and talking to them: whatever a listener is sent, it answers
 * with a secret.
 */

#include "attack.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

struct address {
	socklen_t len;
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_un local;
	} as;
};

/* A port on loopback; for IPv6 `text` is the address. */
struct address loopback4(long port);
struct address loopback6(long port, const char *text);

struct address local_path(const char *name);
struct address local_abstract(const char *name);

/* Sends something and shows the answer. */
enum outcome talk(int fd);

/* Shows what the peer sends of itself. */
enum outcome show_answer(int fd);

/* Connects the socket, which may be -1, and talks. */
enum outcome connect_and_talk(int fd, const struct address *address);

/* The tag, which run.py looks for in the log of the listener, as what sendmsg takes. */
struct iovec tag_to_send(const struct scene *scene);

/* Sends a datagram that run.py finds in the log of the listener. */
enum outcome send_tag(int fd, const struct address *address, const struct scene *scene);

/* socket(), not applicable where the kernel does not know the family or the protocol. */
enum outcome try_socket(int family, int type, int protocol);

#endif /* ATTACK_SOCKETS_H */
