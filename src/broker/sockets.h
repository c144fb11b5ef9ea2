/* SPDX-License-Identifier: MIT */
#ifndef BROKER_SOCKETS_H
#define BROKER_SOCKETS_H

/*
 * connect, bind and listen: what they are asked to do is behind a pointer, and on which socket
 * another thread of the caller can change until the kernel looks (dup2). So the broker takes a copy
 * of the descriptor and one of the address, judges those, and makes the call itself with them.
 *
 * What is left to the kernel (CONTINUE) is a bind() that Landlock judges: whatever it could be
 * turned into, a path needs the right to make a socket there, a TCP port the right to bind, and a
 * bound socket is no server before listen(). Neither connect() nor listen() is left to it, unless
 * the whole network is open.
 *
 * A socket that the broker has connected, or made listen, shows the broker to SO_PEERCRED: the uid
 * is the right one, the pid is not.
 */

#include "broker/request.h"
#include "broker/sockdiag.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un local;
	struct sockaddr_storage room; /* the longest that the kernel takes */
};

/* One stopped call on a socket. */
struct socket_call {
	struct request *r;
	int fd;	    /* shares the description with the caller's; closed by who made this */
	int family; /* the socket's own, not the address's */
	int type;
	int protocol;
	socklen_t len; /* at most sizeof(address) */
	union address address;
};

/* ---- connecting without waiting (sockets.c) ------------------------------------------------ */

/* What a connection that is not there yet needs to go on. */
struct waiting {
	int fd;
	int pinned; /* unix: the socket that is connected to, or -1 */
	socklen_t len;
	union address address;
	struct endpoint to;    /* loopback: where it goes */
	uint64_t listener;     /* loopback: what listened there */
	bool guarded;	       /* the attempt ends with the wait: it may not go on unwatched */
	bool watched;	       /* the caller has its answer already */
	unsigned int *watches; /* how many are watched; NULL: this is never */
	int late;	       /* what the caller gets when its SO_SNDTIMEO is over */
	uint64_t deadline;     /* CLOCK_MONOTONIC in ns; 0: none */
};

/*
 * connect(2) that never waits, also on a blocking socket (*blocks says whether it is one). 0, or an
 * errno, which is EINPROGRESS, EALREADY or (unix) EAGAIN where there is something to wait for.
 */
int connect_at_once(int fd, const union address *address, socklen_t len, bool *blocks);

/* Keeps the call pending. Takes c->fd and start->pinned. */
struct answer wait_for_connection(struct socket_call *c, const struct waiting *start,
				  retry_fn retry);

/* Gives `error` at once and looks on; the answer of `retry` is for nobody. Takes *fd. */
struct answer watch_connection(int *fd, const struct waiting *start, retry_fn retry, int error);

/* Keeps the call pending until there is a result; `late`: what the caller gets otherwise. */
struct answer wait_until_settled(struct socket_call *c, int late);

bool is_late(const struct waiting *w);

/* Is there something to be said about the connection: it is made, or has failed? */
bool is_settled(int fd);

/* What came of a TCP connection that was begun: 0 or an errno. Begins none, whatever else happens
 * to the socket meanwhile. */
int connection_result(int fd, int family);

/* Takes a connection, or an attempt at one, back. 0 or an errno. */
int disconnect(int fd);

/* ---- families ------------------------------------------------------------------------------ */

struct answer unix_connect(struct socket_call *c);
struct answer unix_bind(struct socket_call *c);
struct answer unix_listen(struct socket_call *c);

struct answer loopback_connect(struct socket_call *c);
struct answer loopback_bind(struct socket_call *c);
struct answer loopback_listen(struct socket_call *c);

#endif /* BROKER_SOCKETS_H */
