/* SPDX-License-Identifier: MIT */

/*
 * Opening, for the command, what has been pinned: through the descriptor that pins it, so that
 * nothing can come in between. The broker never blocks where the command would; it tries again.
 */

#include "broker/files.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* An open that would block: the object, pinned, and for a reader of a FIFO its descriptor. */
struct waiting {
	int object;
	int reader;
	int flags;
};

/* ---- objects ------------------------------------------------------------------------------ */

void
proc_fd_path(int fd, char out[PROC_FD_MAX])
{
	(void)snprintf(out, PROC_FD_MAX, "/proc/self/fd/%d", fd);
}

int
place_of_object(const struct broker *b, int fd, struct where *out)
{
	int error = place_of_fd(b, fd, out);

	return error == ENOENT && out->path[0] == '/' ? 0 : error;
}

bool
is_served(const struct broker *b, const struct where *where, const struct stat *st)
{
	return where->place == PLACE_SERVED ||
	       (where->place == PLACE_SHM && shm_owns(b, where->path, st));
}

static void
finish_waiting(void *state)
{
	struct waiting *waiting = state;

	close_fdp(&waiting->object);
	close_fdp(&waiting->reader);
	free(waiting);
}

/* The object through its descriptor, never blocking, with what the caller wants of the rest. */
static int
open_again(int object, int flags)
{
	char path[PROC_FD_MAX];

	proc_fd_path(object, path);
	return open(path,
		    (flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW)) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static struct answer
give(int fd, int flags)
{
	if ((flags & O_NONBLOCK) == 0) {
		(void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	}
	return answer_fd(fd, (flags & O_CLOEXEC) != 0);
}

/* Would the kernel wait, where the broker got an error? A writer of a FIFO waits for a reader, and
 * everybody for whoever holds a lease to give it up. */
static bool
would_wait(int error, mode_t type, int flags)
{
	if ((flags & O_NONBLOCK) != 0) {
		return false;
	}
	return type == S_IFIFO ? error == ENXIO : error == EWOULDBLOCK;
}

static struct answer wait_open(struct request *r, void *state);

static struct answer
wait_for(int object, int reader, int flags)
{
	struct waiting *waiting = calloc(1, sizeof(*waiting));
	struct answer answer = { .kind = ANSWER_PENDING,
				 .fd = -1,
				 .retry = wait_open,
				 .finish = finish_waiting,
				 .state = waiting };

	if (waiting == NULL) {
		close_fdp(&reader);
		return answer_error(ENOMEM);
	}
	waiting->reader = reader;
	waiting->flags = flags;
	waiting->object = fcntl(object, F_DUPFD_CLOEXEC, 0);
	if (waiting->object < 0) {
		int error = errno;

		finish_waiting(waiting);
		return answer_error(error);
	}
	return answer;
}

/* Has a writer come? It shows when it has written or gone; and to tee(2), which takes nothing out
 * and finds nothing to wait for (0) while there is no writer. */
static bool
has_writer(int reader)
{
	struct pollfd ready = { .fd = reader, .events = POLLIN };
	int ends[2];
	ssize_t n;
	bool waits;

	if (poll(&ready, 1, 0) > 0) {
		return true;
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	n = tee(reader, ends[1], 1, SPLICE_F_NONBLOCK);
	waits = n < 0 && errno == EAGAIN;
	(void)close(ends[0]);
	(void)close(ends[1]);
	return n > 0 || waits;
}

/*
 * A reader of a FIFO waits for a writer. While it does it counts as a reader already, so a writer
 * does not wait for it.
 */
static struct answer
open_reader(int object, int flags)
{
	int fd = open_again(object, flags);

	if (fd < 0) {
		return answer_error(errno);
	}
	return (flags & O_NONBLOCK) != 0 || has_writer(fd) ? give(fd, flags)
							   : wait_for(object, fd, flags);
}

struct answer
reopen(int object, const struct stat *st, int flags)
{
	int fd;

	if (S_ISFIFO(st->st_mode) && (flags & O_ACCMODE) == O_RDONLY) {
		return open_reader(object, flags);
	}
	fd = open_again(object, flags);
	if (fd >= 0) {
		return give(fd, flags);
	}
	return would_wait(errno, st->st_mode & S_IFMT, flags) ? wait_for(object, -1, flags)
							      : answer_error(errno);
}

static struct answer
wait_again(struct waiting *waiting, const struct stat *st)
{
	struct answer pending = { .kind = ANSWER_PENDING, .fd = -1 };
	int fd;

	if (waiting->reader >= 0) {
		return has_writer(waiting->reader) ? give(take_fd(&waiting->reader), waiting->flags)
						   : pending;
	}
	fd = open_again(waiting->object, waiting->flags);
	if (fd >= 0) {
		return give(fd, waiting->flags);
	}
	return would_wait(errno, st->st_mode & S_IFMT, waiting->flags) ? pending
								       : answer_error(errno);
}

/* It is judged again each time: it may have been moved. */
static struct answer
wait_open(struct request *r, void *state)
{
	struct waiting *waiting = state;
	struct where where;
	struct stat st;
	int error;
	LOCK_BROKER(r->broker);

	if (fstat(waiting->object, &st) != 0) {
		return answer_error(errno);
	}
	error = place_of_object(r->broker, waiting->object, &where);
	if (error != 0) {
		return answer_error(error);
	}
	if (!is_served(r->broker, &where, &st)) {
		return answer_error(EACCES);
	}
	return caller_waits(r) ? wait_again(waiting, &st) : answer_error(EINTR);
}

/* ---- truncate ----------------------------------------------------------------------------- */

/* RLIMIT_FSIZE is the caller's. (The signal that comes with it in the kernel is left out.) */
static bool
is_over_limit(const struct request *r, const struct stat *st, int64_t length)
{
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };

	if (length <= st->st_size) {
		return false;
	}
	return prlimit(r->tid, RLIMIT_FSIZE, NULL, &limit) != 0 ||
	       (limit.rlim_cur != RLIM_INFINITY && (uint64_t)length > limit.rlim_cur);
}

static struct answer wait_truncate(struct request *r, void *state);

/* By a descriptor of its own, since truncate(2) would wait for whoever holds a lease. */
static struct answer
cut_off(const struct request *r, int object, const struct stat *st)
{
	int64_t length = (int64_t)r->args[1];
	AUTO_FD fd = open_again(object, O_WRONLY);

	if (fd < 0 && would_wait(errno, S_IFREG, 0)) {
		struct answer answer = wait_for(object, -1, O_WRONLY);

		answer.retry = answer.kind == ANSWER_PENDING ? wait_truncate : NULL;
		return answer;
	}
	if (fd < 0) {
		return answer_error(errno);
	}
	return is_over_limit(r, st, length) ? answer_error(EFBIG)
					    : answer_result(ftruncate(fd, length));
}

static struct answer
truncate_object(struct request *r, int object)
{
	struct where where;
	struct stat st;
	int error;
	LOCK_BROKER(r->broker);

	if (fstat(object, &st) != 0) {
		return answer_error(errno);
	}
	if (!S_ISREG(st.st_mode)) {
		return answer_error(S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
	}
	error = place_of_object(r->broker, object, &where);
	if (error != 0) {
		return answer_error(error);
	}
	if (is_served(r->broker, &where, &st)) {
		return caller_waits(r) ? cut_off(r, object, &st) : answer_error(EINTR);
	}
	if (where.place == PLACE_PROTECTED) {
		return refuse_place(r, EACCES, &where);
	}
	if (where.place == PLACE_OUTSIDE) {
		note_floor(r, &where);
	}
	return answer_continue();
}

static struct answer
wait_truncate(struct request *r, void *state)
{
	const struct waiting *waiting = state;
	struct answer answer = truncate_object(r, waiting->object);

	if (answer.kind == ANSWER_PENDING) {
		finish_waiting(answer.state); /* the first one stays */
		answer.state = NULL;
	}
	return answer;
}

struct answer
handle_truncate(struct request *r)
{
	char path[PATH_MAX];
	AUTO_FD object = -1;
	int error;

	if ((int64_t)r->args[1] < 0) {
		return answer_continue(); /* EINVAL, whatever the path says */
	}
	error = caller_string(r, r->args[0], path, sizeof(path));
	if (error != 0) {
		return error == EPERM ? answer_continue() : answer_error(error);
	}
	object = walk_object(r, AT_FDCWD, path, 0);
	return object < 0 ? answer_error(errno) : truncate_object(r, object);
}
