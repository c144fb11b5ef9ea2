/* SPDX-License-Identifier: MIT */
#include "reach.h"

#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

#define X32_BIT 0x40000000L

/* ---- other ABIs ------------------------------------------------------------------------------ */

#if defined(__x86_64__)
long
int80(long number, long a, long b, long c, long d)
{
	long result;
	int value;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory", "r8", "r9", "r10", "r11");
	value = (int)result;
	if (value < 0 && value > -4096) {
		errno = -value;
		return -1;
	}
	return value;
}

long
x32(long number, long a, long b, long c)
{
	return syscall(X32_BIT | number, a, b, c);
}

void *
low_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}
#else
long
int80(long number, long a, long b, long c, long d)
{
	(void)number, (void)a, (void)b, (void)c, (void)d;
	errno = ENOSYS;
	return -1;
}

long
x32(long number, long a, long b, long c)
{
	return int80(number, a, b, c, 0);
}

void *
low_memory(size_t size)
{
	(void)size;
	return NULL;
}
#endif

bool
x32_is_missing(long result)
{
	return result < 0 && errno == ENOSYS;
}

long
low_address(const void *pointer)
{
	return (long)(uintptr_t)pointer;
}

/* ---- io_uring -------------------------------------------------------------------------------- */

static void *
map_ring(const struct ring *ring, size_t size, off_t offset)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, offset);
}

int
ring_open(struct ring *ring)
{
	const struct io_uring_params *p = &ring->params;

	memset(ring, 0, sizeof(*ring));
	ring->fd = (int)syscall(SYS_io_uring_setup, 4, &ring->params);
	if (ring->fd < 0) {
		return -1;
	}
	ring->submissions = map_ring(ring, p->sq_off.array + p->sq_entries * sizeof(uint32_t),
				     IORING_OFF_SQ_RING);
	ring->completions =
		map_ring(ring, p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe),
			 IORING_OFF_CQ_RING);
	ring->entries =
		map_ring(ring, p->sq_entries * sizeof(struct io_uring_sqe), IORING_OFF_SQES);
	if (ring->submissions == MAP_FAILED || ring->completions == MAP_FAILED ||
	    (void *)ring->entries == MAP_FAILED) {
		return -1;
	}
	return 0;
}

/* A number in a ring that the kernel shares. */
static unsigned int *
shared_number(char *ring, uint32_t offset)
{
	return (unsigned int *)(void *)(ring + offset);
}

int
ring_submit(struct ring *ring, const struct io_uring_sqe *request)
{
	const struct io_uring_params *p = &ring->params;
	unsigned int *tail = shared_number(ring->submissions, p->sq_off.tail);
	unsigned int slot = *tail & *shared_number(ring->submissions, p->sq_off.ring_mask);
	unsigned int *head = shared_number(ring->completions, p->cq_off.head);
	const struct io_uring_cqe *results = (void *)(ring->completions + p->cq_off.cqes);
	int result;

	ring->entries[slot] = *request;
	shared_number(ring->submissions, p->sq_off.array)[slot] = slot;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) {
		return -1;
	}
	result = results[*head & *shared_number(ring->completions, p->cq_off.ring_mask)].res;
	*head += 1;
	if (result < 0) {
		errno = -result;
		return -1;
	}
	return result;
}

static uint64_t
address_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

int
ring_openat(struct ring *ring, const char *name, int flags, mode_t mode)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_OPENAT,
		.fd = AT_FDCWD,
		.addr = address_of(name),
		.open_flags = (uint32_t)flags,
		.len = mode,
	};

	return ring_submit(ring, &request);
}

int
ring_unlink(struct ring *ring, const char *name)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_UNLINKAT,
		.fd = AT_FDCWD,
		.addr = address_of(name),
	};

	return ring_submit(ring, &request);
}

int
ring_socket(struct ring *ring, int family, int type)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_SOCKET,
		.fd = family,
		.off = (unsigned int)type,
	};

	return ring_submit(ring, &request);
}

int
ring_connect(struct ring *ring, int fd, const void *address, socklen_t len)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_CONNECT,
		.fd = fd,
		.addr = address_of(address),
		.off = len,
	};

	return ring_submit(ring, &request);
}

int
ring_send(struct ring *ring, int fd, const void *data, size_t len)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_SEND,
		.fd = fd,
		.addr = address_of(data),
		.len = (uint32_t)len,
	};

	return ring_submit(ring, &request);
}

int
ring_receive(struct ring *ring, int fd, void *data, size_t len)
{
	struct io_uring_sqe request = {
		.opcode = IORING_OP_RECV,
		.fd = fd,
		.addr = address_of(data),
		.len = (uint32_t)len,
	};

	return ring_submit(ring, &request);
}

/* ---- namespaces ------------------------------------------------------------------------------ */

int
enter_namespaces(int flags)
{
	const char *uid_map = path("0 %u 1", getuid());
	const char *gid_map = path("0 %u 1", getgid());

	if (unshare(CLONE_NEWUSER | flags) != 0) {
		return -1;
	}
	/* A map that cannot be written shows in what is tried next. */
	(void)write_to("/proc/self/setgroups", "deny");
	(void)write_to("/proc/self/uid_map", uid_map);
	(void)write_to("/proc/self/gid_map", gid_map);
	return 0;
}

int
enter_mount_namespace(void)
{
	if (enter_namespaces(CLONE_NEWNS) != 0) {
		return -1;
	}
	(void)mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}
