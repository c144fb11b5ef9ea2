/* SPDX-License-Identifier: MIT */
#ifndef BROKER_SOCKDIAG_H
#define BROKER_SOCKDIAG_H

/*
 * Asking the kernel which socket is where (sock_diag(7)): no privilege is needed. A
 * socket is known by its cookie, which no other socket has while the machine is up (SO_COOKIE,
 * since Linux 4.12).
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* An address and port as they are in packets: an IPv4-mapped address is AF_INET. */
struct endpoint {
	int family;
	in_port_t port; /* network byte order, as the address */
	uint32_t address[4];
};

struct diag {
	int fd;
	uint32_t sequence;
	char buffer[16384] __attribute__((aligned(8)));
};

/* The file that a unix socket is bound to, as the file system itself has it: on btrfs and overlayfs
 * stat(2) says another device. */
struct local_file {
	uint32_t inode; /* its low 32 bits */
	uint32_t major;
	uint32_t minor;
};

/* False and errno. */
bool diag_open(struct diag *d);

/*
 * The socket that would get a packet from `from` to `to` on the loopback device; `from` NULL: a
 * connection's first, so that it is a listener. The cookie is 0 when there is none. 0 or an errno.
 */
int diag_find(struct diag *d, const struct endpoint *to, const struct endpoint *from,
	      uint64_t *cookie);

/* Calls `each` with the cookie of every listener of this machine. 0 or an errno. */
int diag_listeners(struct diag *d, void (*each)(void *data, uint64_t cookie), void *data);

/* The file of the unix socket with that inode number and cookie. 0 or an errno: ENOENT when the
 * socket is gone, or bound to no file. */
int diag_local_file(struct diag *d, uint32_t number, uint64_t cookie, struct local_file *file);

#endif /* BROKER_SOCKDIAG_H */
