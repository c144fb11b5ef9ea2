/* SPDX-License-Identifier: MIT */

/*
 * A loopback of one's own: TCP among the processes of the command, and nobody else's.
 *
 * Servers: a socket is bound to an address of the loopback device or to all addresses, and when it
 * begins to listen, to the device itself (SO_BINDTODEVICE, which nobody can undo without
 * CAP_NET_RAW). So its name stays what the program asked for, and nothing but this machine reaches
 * it. Its cookie is remembered.
 *
 * Clients: the kernel is asked which socket listens at the destination, and the connection is made
 * only to a socket whose cookie is remembered. A table of ports would not do: a service of the host
 * takes a port as soon as the command has left it. The client's socket is bound to the device too,
 * so no IP option can send its packets elsewhere. What has been connected is looked at again: the
 * listener must still be there, and the other end be a socket of this machine (a packet filter may
 * translate addresses).
 *
 * A listener that shares its port (SO_REUSEPORT) shares it with sockets on the same device alone,
 * and does not begin to listen where a socket of somebody else would be found.
 */

#include "broker/sockets.h"

#include "base/attr.h"
#include "broker/own.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define WATCHED_MAX 2048U
#define LOOPBACK_DEVICE 1 /* the index of "lo" in every network namespace */
#define SIN6_LEN_SHORTEST offsetof(struct sockaddr_in6, sin6_scope_id) /* ipv6(7) */

/* Not in the headers of every system. */
#ifndef SO_BINDTOIFINDEX
#define SO_BINDTOIFINDEX 62 /* Linux 5.1 */
#endif
#ifndef TCP_FASTOPEN_CONNECT
#define TCP_FASTOPEN_CONNECT 30 /* Linux 4.11 */
#endif

/* ---- addresses ----------------------------------------------------------------------------- */

static bool
is_any(const struct endpoint *e)
{
	static const struct in6_addr any;

	return e->family == AF_INET ? e->address[0] == htonl(INADDR_ANY)
				    : memcmp(e->address, &any, sizeof(any)) == 0;
}

static bool
is_loopback(const struct endpoint *e)
{
	return e->family == AF_INET
		       ? ntohl(e->address[0]) >> 24 == IN_LOOPBACKNET
		       : memcmp(e->address, &in6addr_loopback, sizeof(in6addr_loopback)) == 0;
}

static void
set_loopback(struct endpoint *e)
{
	if (e->family == AF_INET) {
		e->address[0] = htonl(INADDR_LOOPBACK);
	} else {
		memcpy(e->address, &in6addr_loopback, sizeof(in6addr_loopback));
	}
}

static struct endpoint
endpoint_of(const union address *a)
{
	struct endpoint e = { .family = AF_INET };

	if (a->any.sa_family != AF_INET6) {
		e.port = a->v4.sin_port;
		e.address[0] = a->v4.sin_addr.s_addr;
		return e;
	}
	e.port = a->v6.sin6_port;
	if (IN6_IS_ADDR_V4MAPPED(&a->v6.sin6_addr)) {
		memcpy(e.address, &a->v6.sin6_addr.s6_addr[12], sizeof(e.address[0]));
		return e;
	}
	e.family = AF_INET6;
	memcpy(e.address, &a->v6.sin6_addr, sizeof(e.address));
	return e;
}

/* The address to give the kernel, for a socket of that family. Its length. */
static socklen_t
address_of(const struct endpoint *e, int family, union address *out)
{
	memset(out, 0, sizeof(*out));
	out->any.sa_family = (sa_family_t)family;
	if (family == AF_INET) {
		out->v4.sin_port = e->port;
		out->v4.sin_addr.s_addr = e->address[0];
		return sizeof(out->v4);
	}
	out->v6.sin6_port = e->port;
	if (e->family == AF_INET6) {
		memcpy(&out->v6.sin6_addr, e->address, sizeof(e->address));
	} else {
		out->v6.sin6_addr.s6_addr[10] = 0xff;
		out->v6.sin6_addr.s6_addr[11] = 0xff;
		memcpy(&out->v6.sin6_addr.s6_addr[12], e->address, sizeof(e->address[0]));
	}
	return sizeof(out->v6);
}

static bool
name_of(int fd, bool peer, struct endpoint *out)
{
	union address name = { 0 };
	socklen_t len = sizeof(name);
	int rc = peer ? getpeername(fd, &name.any, &len) : getsockname(fd, &name.any, &len);

	*out = endpoint_of(&name);
	return rc == 0;
}

/* Both address families have a shortest length, and take no address of the other. 0 or an errno. */
static int
check_address(const struct socket_call *c)
{
	size_t shortest = c->family == AF_INET ? sizeof(c->address.v4) : SIN6_LEN_SHORTEST;

	if (c->len < shortest) {
		return EINVAL;
	}
	return c->address.any.sa_family == c->family ? 0 : EAFNOSUPPORT;
}

static struct answer
refuse_address(struct socket_call *c, int error, const char *rule, const struct endpoint *e)
{
	char text[INET6_ADDRSTRLEN] = "";
	char subject[INET6_ADDRSTRLEN + 16];

	(void)inet_ntop(e->family, e->address, text, sizeof(text));
	(void)snprintf(subject, sizeof(subject), e->family == AF_INET ? "%s:%u" : "[%s]:%u", text,
		       ntohs(e->port));
	return refuse(c->r, error, rule, "--net", subject);
}

/* ---- sockets ------------------------------------------------------------------------------- */

/* One that this file knows how to keep on loopback. Others come from outside. */
static bool
is_served(const struct socket_call *c)
{
	const struct broker *b = c->r->broker;

	return (b->spec->parts & PART_LOOPBACK) != 0 && c->type == SOCK_STREAM &&
	       c->protocol == IPPROTO_TCP && own_namespace(b->sockets, c->fd);
}

/* False and errno: it belongs to another device. */
static bool
keep_on_device(int fd)
{
	int device = 0;
	socklen_t size = sizeof(device);

	if (getsockopt(fd, SOL_SOCKET, SO_BINDTOIFINDEX, &device, &size) == 0 &&
	    device == LOOPBACK_DEVICE) {
		return true;
	}
	device = LOOPBACK_DEVICE;
	return setsockopt(fd, SOL_SOCKET, SO_BINDTOIFINDEX, &device, sizeof(device)) == 0;
}

static int
state_of(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_state : -1;
}

/* With TCP_FASTOPEN_CONNECT, the first segment goes out when something is sent: at another time,
 * when somebody else may listen. */
static void
forget_fast_open(int fd)
{
	int off = 0;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &off, sizeof(off));
}

/* Which socket listens there. ECONNREFUSED: none; EACCES: somebody else's. */
static int
find_own_listener(struct broker *b, const struct endpoint *to, uint64_t *cookie)
{
	LOCK_BROKER(b);

	if (diag_find(&b->sockets->diag, to, NULL, cookie) != 0 || *cookie == 0) {
		return ECONNREFUSED;
	}
	return own_listener(b->sockets, *cookie) ? 0 : EACCES;
}

/* ---- connect ------------------------------------------------------------------------------- */

/* Is the socket at the other end of the connection one of this machine? */
static bool
has_local_peer(struct broker *b, int fd)
{
	struct endpoint here;
	struct endpoint there;
	uint64_t cookie;

	if (!name_of(fd, false, &here) || !name_of(fd, true, &there)) {
		return false;
	}
	LOCK_BROKER(b);
	return diag_find(&b->sockets->diag, &there, &here, &cookie) == 0 && cookie != 0;
}

static bool
is_still_there(struct broker *b, const struct waiting *w)
{
	uint64_t cookie;

	return find_own_listener(b, &w->to, &cookie) == 0 && cookie == w->listener;
}

/* A connection was made: to what it was meant for? If not, it is taken back. A listener may have
 * gone since, and the connection with it. */
static int
check_connection(struct broker *b, int fd, const struct waiting *w)
{
	if ((is_still_there(b, w) && has_local_peer(b, fd)) || state_of(fd) == TCP_CLOSE) {
		return 0;
	}
	(void)disconnect(fd);
	return ECONNREFUSED;
}

static struct answer look_on(struct request *r, void *state);

/* The caller does not wait, or no longer; the connection may still come. */
static struct answer
go_on_watched(int *fd, const struct waiting *w, int error)
{
	if (__atomic_load_n(w->watches, __ATOMIC_RELAXED) < WATCHED_MAX) {
		return watch_connection(fd, w, look_on, error);
	}
	(void)disconnect(*fd);
	return answer_error(ECONNREFUSED);
}

/* A queue of connections is full. The kernel sends the first segment again after a second, and who
 * listens then may be another: so it is looked on until it is settled, or else taken back. */
static struct answer
look_on(struct request *r, void *state)
{
	struct waiting *w = state;
	int error = 0;

	if (!is_settled(w->fd)) {
		if (!is_still_there(r->broker, w)) {
			return answer_error(ECONNREFUSED);
		}
		return w->watched || !is_late(w)
			       ? (struct answer){ .kind = ANSWER_PENDING, .fd = -1 }
			       : go_on_watched(&w->fd, w, w->late);
	}
	w->guarded = false;
	/* The result is the caller's to fetch when it does not wait for it here. */
	if (!w->watched) {
		error = connection_result(w->fd, w->address.any.sa_family);
	}
	if (error == 0) {
		error = check_connection(r->broker, w->fd, w);
	}
	return error != 0 ? answer_error(error) : answer_value(0);
}

/* The first segment is on its way, and mostly the handshake is over already: nothing takes time
 * here but a full queue. */
static struct answer
connection_begun(struct socket_call *c, struct waiting *w, bool blocks)
{
	int error = EINPROGRESS;

	if (!is_settled(c->fd)) {
		return blocks ? wait_for_connection(c, w, look_on)
			      : go_on_watched(&c->fd, w, error);
	}
	if (blocks) {
		error = connection_result(c->fd, c->family);
	}
	if (error == 0 || error == EINPROGRESS) {
		int wrong = check_connection(c->r->broker, c->fd, w);

		error = wrong != 0 ? wrong : error;
	}
	return error != 0 ? answer_error(error) : answer_value(0);
}

/* On a socket that is past beginning: EISCONN, EALREADY, or what came of it. No connection can come
 * of this, so nothing is judged. */
static struct answer
connect_again(struct socket_call *c)
{
	bool blocks = (fcntl(c->fd, F_GETFL) & O_NONBLOCK) == 0;
	int error = connection_result(c->fd, c->family);

	if (error == EALREADY && blocks) {
		return wait_until_settled(c, error);
	}
	return error != 0 ? answer_error(error) : answer_value(0);
}

static struct answer
connect_to_own(struct socket_call *c, const struct endpoint *to)
{
	struct waiting w = { .pinned = -1,
			     .to = *to,
			     .guarded = true,
			     .watches = &c->r->broker->sockets->watched,
			     .late = EINPROGRESS };
	bool blocks = false;
	int error = find_own_listener(c->r->broker, to, &w.listener);

	if (error == EACCES) {
		return refuse_address(c, ECONNREFUSED, "connect", to);
	}
	if (error != 0) {
		return answer_error(error);
	}
	if (!keep_on_device(c->fd)) {
		return refuse_address(c, ENETUNREACH, "connect", to);
	}
	forget_fast_open(c->fd);
	w.len = address_of(to, c->family, &w.address);
	error = connect_at_once(c->fd, &w.address, w.len, &blocks);
	if (error == EINPROGRESS) {
		return connection_begun(c, &w, blocks);
	}
	if (error == EALREADY && blocks) {
		return wait_until_settled(c, error);
	}
	/* Nothing succeeds at once but a connection that is put off: see forget_fast_open(). */
	if (error == 0) {
		(void)disconnect(c->fd);
	}
	return answer_error(error != 0 ? error : ECONNREFUSED);
}

/* What an address that stands for "this machine" means for this socket. */
static void
settle_any(const struct socket_call *c, struct endpoint *to)
{
	struct endpoint bound;

	if (!is_any(to)) {
		return;
	}
	set_loopback(to);
	if (name_of(c->fd, false, &bound) && bound.family == to->family && is_loopback(&bound)) {
		memcpy(to->address, bound.address, sizeof(to->address));
	}
}

struct answer
loopback_connect(struct socket_call *c)
{
	struct endpoint to = endpoint_of(&c->address);
	int error;

	if (c->len < sizeof(sa_family_t)) {
		return answer_error(EINVAL);
	}
	if (!is_served(c)) {
		return refuse(c->r, ENETUNREACH, "connect", "--net", "");
	}
	if (c->address.any.sa_family == AF_UNSPEC) {
		error = disconnect(c->fd);
		return error != 0 ? answer_error(error) : answer_value(0);
	}
	if (state_of(c->fd) != TCP_CLOSE) {
		return connect_again(c);
	}
	error = check_address(c);
	if (error != 0) {
		return answer_error(error);
	}
	settle_any(c, &to);
	return is_loopback(&to) ? connect_to_own(c, &to)
				: refuse_address(c, ENETUNREACH, "connect", &to);
}

/* ---- bind ---------------------------------------------------------------------------------- */

struct answer
loopback_bind(struct socket_call *c)
{
	struct endpoint name = endpoint_of(&c->address);
	int error = check_address(c);

	if (!is_served(c)) {
		return refuse(c->r, EACCES, "bind", "--net", "");
	}
	/* inet_bind() takes AF_UNSPEC with INADDR_ANY for AF_INET. */
	if (error == EAFNOSUPPORT && c->family == AF_INET && is_any(&name) &&
	    c->address.any.sa_family == AF_UNSPEC) {
		error = 0;
	}
	if (error != 0) {
		return answer_error(error);
	}
	if (!is_any(&name) && !is_loopback(&name)) {
		return refuse_address(c, EADDRNOTAVAIL, "bind", &name);
	}
	return answer_result(bind(c->fd, &c->address.any, c->len));
}

/* ---- listen -------------------------------------------------------------------------------- */

static bool
only_version_6(int fd)
{
	int only = 0;
	socklen_t size = sizeof(only);

	return getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, &size) == 0 && only != 0;
}

/* A listener on the device is found before one that is not, so with SO_REUSEPORT the command could
 * take the place of a service of the host. */
static bool
is_taken(struct sockets *s, struct endpoint at)
{
	uint64_t cookie;

	if (at.port == 0) {
		return false;
	}
	if (is_any(&at)) {
		set_loopback(&at);
	}
	return diag_find(&s->diag, &at, NULL, &cookie) != 0 ||
	       (cookie != 0 && !own_listener(s, cookie));
}

static bool
is_name_taken(struct sockets *s, int fd, const struct endpoint *name)
{
	struct endpoint version_4 = { .family = AF_INET, .port = name->port };

	return is_taken(s, *name) || (name->family == AF_INET6 && is_any(name) &&
				      !only_version_6(fd) && is_taken(s, version_4));
}

static struct answer
begin_to_listen(struct socket_call *c, const struct endpoint *name)
{
	struct sockets *s = c->r->broker->sockets;
	LOCK_BROKER(c->r->broker);

	if (is_name_taken(s, c->fd, name)) {
		return answer_error(EADDRINUSE);
	}
	if (!own_add_listener(s, socket_cookie(c->fd))) {
		return answer_error(ENOBUFS);
	}
	return answer_result(listen(c->fd, arg_int(c->r, 1)));
}

static bool
listens(int fd)
{
	int listening = 0;
	socklen_t size = sizeof(listening);

	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening != 0;
}

static bool
is_own_socket(struct broker *b, int fd)
{
	LOCK_BROKER(b);

	return own_listener(b->sockets, socket_cookie(fd));
}

struct answer
loopback_listen(struct socket_call *c)
{
	struct endpoint name;

	if (!is_served(c) || !name_of(c->fd, false, &name)) {
		return refuse(c->r, EACCES, "listen", "--net", "");
	}
	/* One that came from outside goes on as it is; only the length of its queue would change.
	 */
	if (listens(c->fd) && !is_own_socket(c->r->broker, c->fd)) {
		return answer_value(0);
	}
	if (!is_any(&name) && !is_loopback(&name)) {
		return refuse_address(c, EADDRNOTAVAIL, "listen", &name);
	}
	if (!keep_on_device(c->fd)) {
		return refuse_address(c, EADDRNOTAVAIL, "listen", &name);
	}
	return begin_to_listen(c, &name);
}
