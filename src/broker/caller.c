/* SPDX-License-Identifier: MIT */

/*
 * The caller: what the arguments of its stopped call mean.
 *
 * Its memory is read by process_vm_readv(2), all else through /proc/TID, by the thread's own id: a
 * thread may have descriptors, a working directory and a umask of its own. An id may pass to
 * somebody else when the caller is killed, so what is learned here counts only if caller_waits()
 * says so afterwards; and the broker's Landlock domain keeps it out of every process but its own
 * tree's, whoever has the id.
 */

#include "broker/request.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* The smallest page of any architecture: reading up to its multiples never touches a page that the
 * kernel would not have touched for the call. */
#define PAGE_BYTES UINT64_C(4096)

#define TASK_FILE_MAX 64 /* "/proc/TID/fd/N" */
#define TASK_NAME_MAX 24
#define STATUS_HEAD_MAX                                                                            \
	256		    /* of /proc/TID/status: Name, Umask, State, Tgid are its first lines   \
			     */
#define THREAD_PIDFD O_EXCL /* PIDFD_THREAD (6.9), which headers do not have yet */

/* ---- memory ------------------------------------------------------------------------------- */

/* One transfer, which ends early at the first page that is not there. */
static ssize_t
read_some(const struct request *r, uint64_t address, void *out, size_t len)
{
	struct iovec local = { .iov_base = out, .iov_len = len };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = len };

	return process_vm_readv(r->tid, &local, 1, &remote, 1, 0);
}

int
caller_string(const struct request *r, uint64_t address, char *out, size_t size)
{
	size_t have = 0;

	while (have < size) {
		uint64_t from = address + have;
		size_t room = PAGE_BYTES - (from & (PAGE_BYTES - 1));
		size_t want = room < size - have ? room : size - have;
		ssize_t n = read_some(r, from, out + have, want);

		if (n < 0) {
			return errno;
		}
		if (memchr(out + have, '\0', (size_t)n) != NULL) {
			return 0;
		}
		if ((size_t)n < want) {
			return EFAULT;
		}
		have += want;
	}
	return ENAMETOOLONG;
}

int
caller_read(const struct request *r, uint64_t address, void *out, size_t len)
{
	ssize_t n = len > 0 ? read_some(r, address, out, len) : 0;

	if (n < 0) {
		return errno;
	}
	return (size_t)n == len ? 0 : EFAULT;
}

int
caller_write(const struct request *r, uint64_t address, const void *data, size_t len)
{
	struct iovec local = { .iov_base = (void *)(uintptr_t)data, .iov_len = len };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = len };
	ssize_t n = len > 0 ? process_vm_writev(r->tid, &local, 1, &remote, 1, 0) : 0;

	if (n < 0) {
		return errno;
	}
	return (size_t)n == len ? 0 : EFAULT;
}

/* ---- /proc/TID ---------------------------------------------------------------------------- */

/* Opens /proc/TID/name. */
static int
open_task_file(const struct request *r, const char *name, int flags)
{
	char path[TASK_FILE_MAX];

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)r->tid, name);
	return open(path, flags | O_CLOEXEC | O_NOCTTY);
}

/* The text of a small file of /proc/TID, cut off at `size`. Its length, or -1 and errno. */
static ssize_t
read_task_file(const struct request *r, const char *name, char *out, size_t size)
{
	AUTO_FD fd = open_task_file(r, name, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;

	out[n > 0 ? n : 0] = '\0';
	return n;
}

/* As read_task_file() of `status`. The last caller's file is kept open, which saves a third of the
 * time; of a task that has ended it cannot be read (ESRCH), whoever has its id now. */
static ssize_t
read_kept_status(const struct request *r, struct task_file *kept, char *out, size_t size)
{
	ssize_t n = kept->tid == r->tid ? pread(kept->fd, out, size - 1, 0) : -1;

	if (n < 0) {
		if (kept->tid != 0) {
			(void)close(kept->fd);
		}
		kept->fd = open_task_file(r, "status", O_RDONLY);
		kept->tid = kept->fd >= 0 ? r->tid : 0;
		n = kept->fd >= 0 ? pread(kept->fd, out, size - 1, 0) : -1;
	}
	out[n > 0 ? n : 0] = '\0';
	return n;
}

static ssize_t
read_status_text(const struct request *r, char *out, size_t size)
{
	struct task_file *kept = r->receiver != NULL ? &r->receiver->status : NULL;
	ssize_t n;

	if (kept == NULL || atomic_flag_test_and_set_explicit(&kept->busy, memory_order_acquire)) {
		return read_task_file(r, "status", out, size);
	}
	n = read_kept_status(r, kept, out, size);
	atomic_flag_clear_explicit(&kept->busy, memory_order_release);
	return n;
}

static bool
is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* A number of /proc/TID/status, whose line begins with `key`; -1 and ESRCH. A name cannot forge a
 * line: the kernel writes its newlines as "\n" (fs/proc/array.c, proc_task_name()). */
static long
read_status(const struct request *r, const char *key, int base)
{
	char text[STATUS_HEAD_MAX];
	bool seen = read_status_text(r, text, sizeof(text)) > 0;
	const char *line = seen ? strstr(text, key) : NULL;

	if (line == NULL) {
		/* Gone, or a zombie, which has no umask; or the broker is short of something. */
		errno = !seen && is_shortage(errno) ? errno : ESRCH;
		return -1;
	}
	return strtol(line + strlen(key), NULL, base);
}

int
caller_umask(const struct request *r)
{
	return (int)read_status(r, "\nUmask:\t", 8);
}

int
caller_take_umask(const struct request *r)
{
	int mask = caller_umask(r);

	if (mask < 0) {
		return errno;
	}
	if (!caller_waits(r)) {
		return EINTR;
	}
	(void)umask((mode_t)mask);
	return 0;
}

static pid_t
find_tgid(const struct request *r)
{
	long tgid;

	if (r->tgid != 0) {
		return r->tgid;
	}
	/* Nearly every caller is the first thread of its process, which is cheap to see. */
	if (syscall(SYS_tgkill, r->tid, r->tid, 0) == 0) {
		return r->tid;
	}
	tgid = read_status(r, "\nTgid:\t", 10);
	return tgid > 0 ? (pid_t)tgid : 0;
}

pid_t
caller_tgid(struct request *r)
{
	r->tgid = find_tgid(r);
	return r->tgid;
}

void
caller_comm(const struct request *r, char out[16])
{
	char text[32];
	ssize_t n = read_task_file(r, "comm", text, sizeof(text));

	if (n > 0 && text[n - 1] == '\n') {
		text[n - 1] = '\0';
	}
	(void)snprintf(out, 16, "%.15s", text);
}

/* ---- descriptors -------------------------------------------------------------------------- */

static int
open_thread(const struct request *r)
{
	return (int)syscall(SYS_pidfd_open, r->tid, THREAD_PIDFD);
}

static int
open_pidfd(const struct request *r)
{
	int fd = open_thread(r);

	if (fd < 0 && errno == EINVAL) {
		/* Before 6.9: the table of the process. A thread that has unshared its own
		 * (CLONE_FILES) gets the wrong file, but what is judged is what is used. */
		fd = (int)syscall(SYS_pidfd_open, find_tgid(r), 0);
	}
	return fd;
}

static int
copy_of(int pidfd, int fd)
{
	return (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
}

static int
get_fd(const struct request *r, int fd)
{
	AUTO_FD pidfd = open_pidfd(r);

	return pidfd >= 0 ? copy_of(pidfd, fd) : -1;
}

/* Of the last caller the pidfd is kept open, which saves half of the time. It names one thread:
 * when that has ended (ESRCH), it is nobody's, whoever has the id now. */
static int
get_fd_of_kept(const struct request *r, struct task_file *kept, int fd)
{
	int copy = kept->tid == r->tid ? copy_of(kept->fd, fd) : -1;

	if (copy >= 0 || (kept->tid == r->tid && errno != ESRCH)) {
		return copy;
	}
	if (kept->tid != 0) {
		(void)close(kept->fd);
	}
	kept->fd = open_thread(r);
	kept->tid = kept->fd >= 0 ? r->tid : 0;
	return kept->fd >= 0 ? copy_of(kept->fd, fd) : get_fd(r, fd);
}

int
caller_fd(const struct request *r, int fd)
{
	struct task_file *kept = r->receiver != NULL ? &r->receiver->pidfd : NULL;
	int copy;

	if (fd < 0) {
		errno = EBADF;
		return -1;
	}
	if (kept == NULL || atomic_flag_test_and_set_explicit(&kept->busy, memory_order_acquire)) {
		return get_fd(r, fd);
	}
	copy = get_fd_of_kept(r, kept, fd);
	atomic_flag_clear_explicit(&kept->busy, memory_order_release);
	return copy;
}

int
caller_object(const struct request *r, int fd, int flags)
{
	char name[TASK_NAME_MAX];
	int opened;

	if (fd < 0 && fd != AT_FDCWD) {
		errno = EBADF;
		return -1;
	}
	(void)snprintf(name, sizeof(name), "fd/%d", fd);
	opened = open_task_file(r, fd == AT_FDCWD ? "cwd" : name, O_PATH | flags);
	if (opened < 0 && errno == ENOENT) {
		errno = fd == AT_FDCWD ? ESRCH : EBADF;
	} else if (opened < 0 && errno == EACCES) {
		errno = EPERM; /* undumpable: as process_vm_readv(2) says it */
	}
	return opened;
}

int
caller_dir(const struct request *r, int fd)
{
	return caller_object(r, fd, O_DIRECTORY);
}

/* ---- is it still there? ------------------------------------------------------------------- */

bool
caller_waits(const struct request *r)
{
	uint64_t id = r->id;

	return ioctl(r->broker->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}
