/* SPDX-License-Identifier: MIT */
#ifndef ATTACK_REACH_H
#define ATTACK_REACH_H

/*
 * Other doors into the same kernel: the system call tables of other ABIs, rings that make system
 * calls on a process's behalf, and namespaces in which an ordinary user is root.
 *
 * Each of these returns -1 with errno on failure, as a system call does.
 */

#include <linux/io_uring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* Numbers that are newer than the system's headers; the same on every architecture since 5.0. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_statmount
#define SYS_statmount 457
#endif
#ifndef SYS_listmount
#define SYS_listmount 458
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif
#ifndef SYS_file_getattr
#define SYS_file_getattr 468
#endif
#ifndef SYS_file_setattr
#define SYS_file_setattr 469
#endif

/* ---- other ABIs ------------------------------------------------------------------------------ */

/* Numbers of the 32-bit x86 table, for int80(). */
enum {
	I386_READ = 3,
	I386_WRITE = 4,
	I386_OPEN = 5,
	I386_CHMOD = 15,
	I386_GETPID = 20,
	I386_PTRACE = 26,
	I386_KILL = 37,
	I386_IOCTL = 54,
	I386_SOCKETCALL = 102,
	I386_IPC = 117,
	I386_CLONE = 120,
	I386_UNSHARE = 310,
	I386_SOCKET = 359,
	I386_CONNECT = 362,
};

/* A system call by the 32-bit x86 table, from a 64-bit program. ENOSYS on other machines. */
long int80(long number, long a, long b, long c, long d);

/* A system call by the x32 table. ENOSYS where the kernel has none. */
long x32(long number, long a, long b, long c);

/* Did it fail because the kernel has no x32 table? */
bool x32_is_missing(long result);

/* Zeroed memory below 4 GiB, for pointers that go through int80(). NULL when there is none. */
void *low_memory(size_t size);

/* The same address as the 32-bit table takes it. */
long low_address(const void *pointer);

/* ---- io_uring -------------------------------------------------------------------------------- */

struct ring {
	int fd;
	struct io_uring_params params;
	char *submissions;
	char *completions;
	struct io_uring_sqe *entries;
};

int ring_open(struct ring *ring);

/* Submits one request and waits for its result. */
int ring_submit(struct ring *ring, const struct io_uring_sqe *request);

int ring_openat(struct ring *ring, const char *name, int flags, mode_t mode);
int ring_unlink(struct ring *ring, const char *name);
int ring_socket(struct ring *ring, int family, int type);
int ring_connect(struct ring *ring, int fd, const void *address, socklen_t len);
int ring_send(struct ring *ring, int fd, const void *data, size_t len);
int ring_receive(struct ring *ring, int fd, void *data, size_t len);

/* ---- namespaces ------------------------------------------------------------------------------ */

/* Enters a new user namespace as its root, and the other namespaces in `flags` with it. */
int enter_namespaces(int flags);

/* The same for mount namespaces, made private, so that mounts can be tried. */
int enter_mount_namespace(void);

#endif /* ATTACK_REACH_H */
