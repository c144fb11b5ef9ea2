/* SPDX-License-Identifier: MIT */

/* connect, bind and listen: copying what they are about, and connecting without waiting. */

#include "broker/sockets.h"

#include "base/attr.h"
#include "broker/own.h"
#include "broker/parts.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

/* Not in the headers of every C library. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define WAKE_NS (5 * 1000 * 1000) /* longer than what does not wait takes */

enum { CALL_CONNECT, CALL_BIND, CALL_LISTEN, CALL_COUNT };

struct family {
	int number;
	struct answer (*serve[CALL_COUNT])(struct socket_call *c); /* NULL: refused */
};

static void
wake_up(int sig)
{
	(void)sig;
}

bool
sockets_set_up(struct broker *b)
{
	const struct sigaction waking = { .sa_handler = wake_up };

	if ((b->spec->parts & (PART_UNIX | PART_LOOPBACK)) == 0) {
		return true;
	}
	b->sockets = own_new();
	return b->sockets != NULL && sigaction(BROKER_WAKE_UP, &waking, NULL) == 0;
}

/* ---- connecting without waiting ------------------------------------------------------------ */

/* Wakes this thread up again and again. -1 and errno. */
static int
start_waking(timer_t *timer)
{
	static const struct itimerspec soon = { { 0, WAKE_NS }, { 0, WAKE_NS } };
	struct sigevent to_thread = { .sigev_notify = SIGEV_THREAD_ID,
				      .sigev_signo = BROKER_WAKE_UP };

	to_thread.sigev_notify_thread_id = gettid();
	if (timer_create(CLOCK_MONOTONIC, &to_thread, timer) != 0) {
		return -1;
	}
	return timer_settime(*timer, 0, &soon, NULL);
}

/* As connect(2) on a socket that should not block. The caller shares the description, and may
 * have taken its O_NONBLOCK away: then the wait is broken off. */
static int
connect_briefly(int fd, const union address *address, socklen_t len)
{
	timer_t timer;
	int error;

	if (start_waking(&timer) != 0) {
		return EAGAIN;
	}
	error = connect(fd, &address->any, len) == 0 ? 0 : errno;
	(void)timer_delete(timer);
	if (error != EINTR) {
		return error;
	}
	return address->any.sa_family == AF_UNIX ? EAGAIN : EINPROGRESS;
}

/*
 * O_NONBLOCK belongs to the description that the caller's descriptors share, so it is there for a
 * moment only. (SO_SNDTIMEO would do as well, but waits for a tick of the kernel at least.)
 */
int
connect_at_once(int fd, const union address *address, socklen_t len, bool *blocks)
{
	int flags = fcntl(fd, F_GETFL);
	int error;

	if (flags < 0) {
		return errno;
	}
	*blocks = (flags & O_NONBLOCK) == 0;
	if (*blocks && fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
		return errno;
	}
	error = connect_briefly(fd, address, len);
	if (*blocks) {
		(void)fcntl(fd, F_SETFL, flags);
	}
	return error;
}

bool
is_settled(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	return poll(&ready, 1, 0) > 0;
}

/* A second connect() fetches the result of the first. Should there be none any more, it makes a
 * first one, to a port that nobody can listen on. */
int
connection_result(int fd, int family)
{
	union address nowhere = { .any = { .sa_family = (sa_family_t)family } };
	socklen_t len = sizeof(nowhere.v4);
	bool blocks;

	if (family == AF_INET6) {
		nowhere.v6.sin6_addr = in6addr_loopback;
		len = sizeof(nowhere.v6);
	} else {
		nowhere.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	}
	return connect_at_once(fd, &nowhere, len, &blocks);
}

int
disconnect(int fd)
{
	static const struct sockaddr nothing = { .sa_family = AF_UNSPEC };

	return connect(fd, &nothing, sizeof(nothing)) == 0 ? 0 : errno;
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* When the caller's own patience is over. */
static uint64_t
deadline_of(int fd)
{
	struct timeval timeout = { 0 };
	socklen_t size = sizeof(timeout);

	if (getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, &size) != 0 ||
	    (timeout.tv_sec == 0 && timeout.tv_usec == 0)) {
		return 0;
	}
	return now_ns() + (uint64_t)timeout.tv_sec * 1000000000U +
	       (uint64_t)timeout.tv_usec * 1000U;
}

bool
is_late(const struct waiting *w)
{
	return w->deadline != 0 && now_ns() >= w->deadline;
}

static void
end_waiting(void *state)
{
	struct waiting *w = state;

	if (w->guarded) {
		(void)disconnect(w->fd);
	}
	if (w->watched) {
		(void)__atomic_sub_fetch(w->watches, 1, __ATOMIC_RELAXED);
	}
	close_fdp(&w->fd);
	close_fdp(&w->pinned);
	free(w);
}

static struct waiting *
copy_waiting(int *fd, const struct waiting *start)
{
	struct waiting *w = malloc(sizeof(*w));

	if (w != NULL) {
		*w = *start;
		w->fd = take_fd(fd);
	} else if (start->pinned >= 0) {
		(void)close(start->pinned);
	}
	return w;
}

static void
begin_watch(void *state)
{
	struct waiting *w = state;

	w->watched = true;
	(void)__atomic_add_fetch(w->watches, 1, __ATOMIC_RELAXED);
}

struct answer
wait_for_connection(struct socket_call *c, const struct waiting *start, retry_fn retry)
{
	uint64_t deadline = deadline_of(c->fd);
	struct waiting *w = copy_waiting(&c->fd, start);

	if (w == NULL) {
		return answer_error(ENOMEM);
	}
	w->deadline = deadline;
	return (struct answer){ .kind = ANSWER_PENDING,
				.retry = retry,
				.state = w,
				.finish = end_waiting,
				.linger = w->watches != NULL ? begin_watch : NULL,
				.fd = -1 };
}

struct answer
watch_connection(int *fd, const struct waiting *start, retry_fn retry, int error)
{
	struct waiting *w = copy_waiting(fd, start);

	if (w == NULL) {
		(void)disconnect(*fd);
		return answer_error(ENOMEM);
	}
	begin_watch(w);
	return (struct answer){ .kind = ANSWER_WATCH,
				.error = error,
				.retry = retry,
				.state = w,
				.finish = end_waiting,
				.fd = -1 };
}

/* ---- what nobody needs to judge ------------------------------------------------------------ */

static struct answer
retry_any(struct request *r, void *state)
{
	const struct waiting *w = state;
	int error;

	(void)r;
	if (is_settled(w->fd)) {
		error = connection_result(w->fd, w->address.any.sa_family);
		return error != 0 ? answer_error(error) : answer_value(0);
	}
	if (is_late(w)) {
		return answer_error(w->late);
	}
	return (struct answer){ .kind = ANSWER_PENDING, .fd = -1 };
}

struct answer
wait_until_settled(struct socket_call *c, int late)
{
	struct waiting start = { .pinned = -1, .late = late };

	start.address.any.sa_family = (sa_family_t)c->family;
	if (is_settled(c->fd)) {
		start.fd = c->fd;
		return retry_any(c->r, &start);
	}
	return wait_for_connection(c, &start, retry_any);
}

static struct answer
connect_any(struct socket_call *c)
{
	bool blocks = false;
	int error = connect_at_once(c->fd, &c->address, c->len, &blocks);

	if (blocks && (error == EINPROGRESS || error == EALREADY)) {
		return wait_until_settled(c, error);
	}
	return error != 0 ? answer_error(error) : answer_value(0);
}

static struct answer
inet_connect(struct socket_call *c)
{
	return c->r->broker->plan->network ? connect_any(c) : loopback_connect(c);
}

/* Where the network is open, there is nothing that a socket might not listen on, whichever it is by
 * the time that the kernel looks. */
static struct answer
inet_bind(struct socket_call *c)
{
	return c->r->broker->plan->network ? answer_continue() : loopback_bind(c);
}

static struct answer
inet_listen(struct socket_call *c)
{
	return c->r->broker->plan->network ? answer_continue() : loopback_listen(c);
}

static struct answer
listen_any(struct socket_call *c)
{
	return answer_result(listen(c->fd, arg_int(c->r, 1)));
}

static struct answer
bind_by_floor(struct socket_call *c)
{
	(void)c;
	return answer_continue();
}

/* ---- the calls ----------------------------------------------------------------------------- */

static const struct family families[] = {
	{ AF_UNIX, { unix_connect, unix_bind, unix_listen } },
	{ AF_INET, { inet_connect, inet_bind, inet_listen } },
	{ AF_INET6, { inet_connect, inet_bind, inet_listen } },
	{ AF_NETLINK, { connect_any, bind_by_floor, listen_any } },
};

static int
option_of(int fd, int name, int *value)
{
	socklen_t size = sizeof(*value);

	return getsockopt(fd, SOL_SOCKET, name, value, &size) == 0 ? 0 : errno;
}

/* 0 or an errno, EBADF and ENOTSOCK as the kernel says them. */
static int
take_socket(struct socket_call *c)
{
	int error;

	c->fd = caller_fd(c->r, arg_int(c->r, 0));
	if (c->fd < 0) {
		return errno;
	}
	error = option_of(c->fd, SO_DOMAIN, &c->family);
	error = error != 0 ? error : option_of(c->fd, SO_TYPE, &c->type);
	return error != 0 ? error : option_of(c->fd, SO_PROTOCOL, &c->protocol);
}

/* As the kernel's move_addr_to_kernel() takes it. */
static int
take_address(struct socket_call *c)
{
	int len = arg_int(c->r, 2);

	if (len < 0 || (size_t)len > sizeof(c->address)) {
		return EINVAL;
	}
	c->len = (socklen_t)len;
	return len == 0 ? 0 : caller_read(c->r, c->r->args[1], &c->address, (size_t)len);
}

static int
take_call(struct socket_call *c)
{
	int error = take_socket(c);

	if (error == 0 && c->r->row->variant != CALL_LISTEN) {
		error = take_address(c);
	}
	return error == 0 && !caller_waits(c->r) ? ESRCH : error;
}

/* A kind of socket that no command can make: it came with a descriptor from outside. */
static struct answer
refuse_family(struct socket_call *c)
{
	char number[24];

	(void)snprintf(number, sizeof(number), "address family %d", c->family);
	return refuse(c->r, EACCES, "socket.family", "", number);
}

static struct answer
serve(struct socket_call *c)
{
	int variant = c->r->row->variant;

	for (size_t i = 0; i < COUNT_OF(families); i++) {
		if (families[i].number == c->family) {
			return families[i].serve[variant](c);
		}
	}
	return refuse_family(c);
}

/* The process has made itself undumpable, as ssh-agent does: nothing of it may be looked at. */
static struct answer
without_looking(struct request *r)
{
	char comm[16];

	if (r->row->variant == CALL_BIND ||
	    (r->row->variant == CALL_LISTEN && r->broker->plan->network)) {
		return answer_continue();
	}
	caller_comm(r, comm);
	return refuse(r, EPERM, "undumpable", "", comm);
}

static struct answer
handle(struct request *r)
{
	struct socket_call c = { .r = r, .fd = -1 };
	struct answer answer;
	int error = take_call(&c);

	answer = error == 0 ? serve(&c) : error == EPERM ? without_looking(r) : answer_error(error);
	close_fdp(&c.fd);
	return answer;
}

static const struct call_row rows[] = {
	{ SYS_connect, "connect", handle, EACCES, CALL_CONNECT },
	{ SYS_bind, "bind", handle, EACCES, CALL_BIND },
	{ SYS_listen, "listen", handle, EACCES, CALL_LISTEN },
};

const struct call_table socket_calls = { rows, COUNT_OF(rows) };
