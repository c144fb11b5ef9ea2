/* SPDX-License-Identifier: MIT */
#ifndef BROKER_OWN_H
#define BROKER_OWN_H

/*
 * Which listeners are the command's own. Every listen() of the tree passes the broker, which
 * remembers the socket by its cookie: ports and paths go from hand to hand, a cookie does not.
 * All of it is guarded by the broker's lock.
 */

#include "broker/sockdiag.h"

#include <sys/stat.h>

#define LISTENERS_MAX 4096U
#define LOCAL_MAX 1024U

/* A unix socket that listens, and the file that it is bound to. */
struct local_listener {
	uint64_t cookie;
	uint32_t number; /* inode number of the socket */
	struct local_file file;
};

struct sockets {
	struct diag diag;
	uint64_t netns;	      /* cookie of the network namespace; 0: this kernel has none */
	unsigned int watched; /* connections that nobody waits for (sockets.c) */
	size_t count;
	uint64_t own[LISTENERS_MAX * 2]; /* cookies, hashed; 0: free */
	uint64_t kept[LISTENERS_MAX];
	size_t local_count;
	struct local_listener local[LOCAL_MAX];
};

/* NULL and errno. */
struct sockets *own_new(void);

/* 0: there is none. */
uint64_t socket_cookie(int fd);

/* Is it of the network namespace that is asked about listeners? */
bool own_namespace(const struct sockets *s, int fd);

bool own_listener(const struct sockets *s, uint64_t cookie);

/* False: there are too many. */
bool own_add_listener(struct sockets *s, uint64_t cookie);

/* Remembers a unix socket that is bound to a file. What cannot be found out about is not the
 * command's own. */
void own_add_local(struct sockets *s, int fd);

/* Does one of them listen that is bound to this file? */
bool own_local(struct sockets *s, const struct stat *file);

#endif /* BROKER_OWN_H */
