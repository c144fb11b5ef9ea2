/* SPDX-License-Identifier: MIT */

/*
 * connect, bind and listen by the broker: commands whose calls are stopped by the kernel, and
 * services of the host that they must not reach.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "broker/sockets.h"
#include "broker_command.h"
#include "broker_inet.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/time.h>

#define TRIES 8000

/* Not in the headers of every system. */
#ifndef TCP_FASTOPEN_CONNECT
#define TCP_FASTOPEN_CONNECT 30
#endif
#ifndef TCP_FASTOPEN_NO_COOKIE
#define TCP_FASTOPEN_NO_COOKIE 34
#endif

/* Services of the host, in the test's own process, and what the command knows of them. */
static struct {
	int tcp4; /* listeners */
	int tcp6;
	int shared;   /* with SO_REUSEPORT */
	int ports[2]; /* a pipe: which port to take */
	int done[2];
	int taken[16];
	size_t taken_count;
} host;

/* ---- own servers --------------------------------------------------------------------------- */

static int
own_servers(void *data)
{
	static const struct {
		const char *at;
		const char *from;
	} pairs[] = {
		{ "127.0.0.1", "127.0.0.1" },
		{ "127.0.0.1", "::ffff:127.0.0.1" },
		{ "127.0.0.1", "0.0.0.0" },
		{ "127.3.2.1", "127.3.2.1" },
		{ "0.0.0.0", "127.0.0.1" },
		{ "0.0.0.0", "127.9.9.9" },
		{ "0.0.0.0", "0.0.0.0" },
		{ "::1", "::1" },
		{ "::1", "::" },
		{ "::", "::1" },
		{ "::", "127.0.0.1" },
		{ "::", "::" },
		{ "::", "::ffff:127.0.0.1" },
		{ "::ffff:127.0.0.1", "127.0.0.1" },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		union address named = { 0 };
		union address asked;
		socklen_t len = sizeof(named);
		int listener = serve_at(pairs[i].at, 4);
		int client = socket(family_of(pairs[i].from), SOCK_STREAM, 0);
		char byte = 0;
		int server;

		CHECK(listener >= 0);
		CHECK(getsockname(listener, &named.any, &len) == 0);
		CHECK(len == address(&asked, pairs[i].at, ntohs(named.v4.sin_port)));
		CHECK(memcmp(&named, &asked, len) == 0);
		CHECK(connect_fd(client, pairs[i].from, port_of(listener)) == 0);
		server = accept(listener, NULL, NULL);
		CHECK(server >= 0);
		CHECK(write(client, "x", 1) == 1 && read(server, &byte, 1) == 1 && byte == 'x');
		CHECK(connect_fd(client, pairs[i].from, port_of(listener)) == EISCONN);
		(void)close(server);
		(void)close(client);
		(void)close(listener);
	}
	return 0;
}

static int
nothing_listens(void *data)
{
	(void)data;
	int fd = serve_at("127.0.0.1", 4);
	int port = port_of(fd);

	CHECK(try_to_connect("127.0.0.1", port) == 0);
	CHECK(try_to_connect("127.0.0.2", port) == ECONNREFUSED);
	CHECK(try_to_connect("::1", port) == ECONNREFUSED);
	(void)close(fd);
	CHECK(try_to_connect("127.0.0.1", port) == ECONNREFUSED);
	CHECK(try_to_connect("127.0.0.1", 0) == ECONNREFUSED);
	CHECK(try_to_connect("192.0.2.77", 80) == ENETUNREACH);
	CHECK(try_to_connect("2001:db8::1", 80) == ENETUNREACH);
	CHECK(try_to_connect("fe80::1", 80) == ENETUNREACH);
	CHECK(try_to_connect("::ffff:192.0.2.77", 80) == ENETUNREACH);
	return 0;
}

static int
unbound_listener(void *data)
{
	char device[16] = "";
	socklen_t size = sizeof(device);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int second = socket(AF_INET, SOCK_STREAM, 0);

	(void)data;
	CHECK(listen(fd, 4) == 0);
	CHECK(port_of(fd) > 0);
	CHECK(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size) == 0);
	CHECK(strcmp(device, "lo") == 0);
	CHECK(try_to_connect("127.0.0.1", port_of(fd)) == 0);
	CHECK(listen(fd, 8) == 0); /* again, with a longer queue */
	/* Of a child and a thread, too: the set is the tree's. */
	CHECK(shutdown(fd, SHUT_RDWR) == 0);
	CHECK(listen(fd, 4) == 0);
	CHECK(try_to_connect("127.0.0.1", port_of(fd)) == 0);
	CHECK(listen(second, -1) == 0);
	CHECK(listen(-1, 1) == -1 && errno == EBADF);
	CHECK(listen(0, 1) == -1 && errno == ENOTSOCK);
	return 0;
}

static int
bind_rules(void *data)
{
	union address a;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int six = socket(AF_INET6, SOCK_STREAM, 0);
	int busy = serve_at("127.0.0.1", 1);
	socklen_t len = v4(&a, "192.0.2.2", 0);

	(void)data;
	CHECK(bind(fd, &a.any, len) == -1 && errno == EADDRNOTAVAIL);
	len = v4(&a, "127.0.0.1", port_of(busy));
	CHECK(bind(fd, &a.any, len) == -1 && errno == EADDRINUSE);
	CHECK(bind(six, &a.any, len) == -1 && errno == EINVAL);
	len = v6(&a, "fd00::2", 0);
	CHECK(bind(six, &a.any, len) == -1 && errno == EADDRNOTAVAIL);
	CHECK(bind(fd, &a.any, len) == -1 && errno == EAFNOSUPPORT);
	len = v4(&a, "127.0.0.1", 0);
	CHECK(bind(fd, &a.any, 0) == -1 && errno == EINVAL);
	CHECK(bind(fd, &a.any, 15) == -1 && errno == EINVAL);
	CHECK(bind(fd, &a.any, 129) == -1 && errno == EINVAL);
	CHECK(bind(fd, &a.any, (socklen_t)-1) == -1 && errno == EINVAL);
	CHECK(bind(fd, (const struct sockaddr *)8, 16) == -1 && errno == EFAULT);
	CHECK(bind(-1, &a.any, len) == -1 && errno == EBADF);
	CHECK(bind(fd, &a.any, 128) == 0);
	CHECK(bind(fd, &a.any, len) == -1 && errno == EINVAL);
	return 0;
}

static int
connect_rules(void *data)
{
	union address a;
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int listener = serve_at("127.0.0.1", 4);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = v4(&a, "127.0.0.1", port_of(listener));

	(void)data;
	CHECK(connect(fd, &a.any, 0) == -1 && errno == EINVAL);
	CHECK(connect(fd, &a.any, 1) == -1 && errno == EINVAL);
	CHECK(connect(fd, &a.any, 15) == -1 && errno == EINVAL);
	CHECK(connect(fd, &a.any, 4096) == -1 && errno == EINVAL);
	CHECK(connect(fd, (const struct sockaddr *)8, 16) == -1 && errno == EFAULT);
	CHECK(connect(fd, &none, sizeof(none)) == 0);
	CHECK(connect(fd, &a.any, 128) == 0);
	CHECK(connect(fd, &none, sizeof(none)) == 0);
	CHECK(connect(fd, &a.any, len) == 0);
	CHECK(connect(listener, &a.any, len) == -1 && errno == EISCONN);
	a.any.sa_family = AF_INET6;
	CHECK(connect(socket(AF_INET, SOCK_STREAM, 0), &a.any, len) == -1 && errno == EAFNOSUPPORT);
	CHECK(connect(0, &a.any, len) == -1 && errno == ENOTSOCK);
	return 0;
}

static int
without_blocking(void *data)
{
	struct pollfd ready = { .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = -1;
	int listener = serve_at("127.0.0.1", 4);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	(void)data;
	ready.fd = fd;
	CHECK(connect_fd(fd, "127.0.0.1", port_of(listener)) == EINPROGRESS);
	CHECK(poll(&ready, 1, 1000) == 1 && ready.revents == POLLOUT);
	CHECK(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
	CHECK(accept(listener, NULL, NULL) >= 0);
	(void)close(listener); /* as `nc -l` does; what has been connected stays so */
	CHECK(connect_fd(fd, "127.0.0.1", 1) == 0);
	CHECK(connect_fd(fd, "127.0.0.1", 1) == EISCONN);
	CHECK((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
	return 0;
}

static int
self_connect(void *data)
{
	union address a;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = v4(&a, "127.0.0.1", 0);

	(void)data;
	CHECK(bind(fd, &a.any, len) == 0);
	CHECK(connect_fd(fd, "127.0.0.1", port_of(fd)) == ECONNREFUSED);
	return 0;
}

/* ---- full queues --------------------------------------------------------------------------- */

/* Fills the queue of a listener with a length of 0, so that the next must wait. */
static int
fill(int listener)
{
	int port = port_of(listener);

	for (int i = 0; i < 8; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		struct pollfd ready = { .fd = fd, .events = POLLOUT };

		if (connect_fd(fd, "127.0.0.1", port) != EINPROGRESS) {
			return -1;
		}
		if (poll(&ready, 1, 20) == 0) {
			return fd;
		}
	}
	return -1;
}

static void *
accept_soon(void *data)
{
	int listener = *(int *)data;

	(void)usleep(100 * 1000);
	for (int i = 0; i < 8; i++) {
		(void)accept(listener, NULL, NULL);
	}
	return NULL;
}

static int
full_queue(void *data)
{
	struct timeval patience = { .tv_usec = 200 * 1000 };
	struct timeval left = { 0 };
	socklen_t size = sizeof(left);
	int listener = serve_at("127.0.0.1", 0);
	int pending = fill(listener);
	struct pollfd ready = { .fd = pending, .events = POLLOUT };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	pthread_t thread;

	(void)data;
	CHECK(pending >= 0);
	CHECK(connect_fd(pending, "127.0.0.1", port_of(listener)) == EALREADY);
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	CHECK(connect_fd(fd, "127.0.0.1", port_of(listener)) == EINPROGRESS);
	CHECK(getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, &size) == 0);
	CHECK(left.tv_usec / 1000 == 200 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
	(void)close(fd);
	/* Both are served when there is room, a second later, when the kernel tries again. */
	CHECK(pthread_create(&thread, NULL, accept_soon, &listener) == 0);
	CHECK(try_to_connect("127.0.0.1", port_of(listener)) == 0);
	CHECK(poll(&ready, 1, 4000) == 1 && ready.revents == POLLOUT);
	return 0;
}

static int
take_port(int port)
{
	char done = 0;

	if (write(host.ports[1], &port, sizeof(port)) != sizeof(port)) {
		return -1;
	}
	return read(host.done[0], &done, 1) == 1 && done == 1 ? 0 : -1;
}

/* A connection that is still waiting when its listener goes must not go to the next one. */
static int
queue_is_inherited(void *data)
{
	int listener = serve_at("127.0.0.1", 0);
	int port = port_of(listener);
	int pending = fill(listener);
	struct pollfd ready = { .fd = pending, .events = POLLOUT };
	int error = 0;
	socklen_t size = sizeof(error);

	(void)data;
	CHECK(pending >= 0);
	(void)close(listener);
	CHECK(take_port(port) == 0);
	CHECK(poll(&ready, 1, 3000) == 1);
	CHECK(getsockopt(pending, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error != 0);
	return 0;
}

/* ---- services of the host ------------------------------------------------------------------ */

static int
host_services(void *data)
{
	(void)data;
	CHECK(try_to_connect("127.0.0.1", port_of(host.tcp4)) == ECONNREFUSED);
	CHECK(try_to_connect("0.0.0.0", port_of(host.tcp4)) == ECONNREFUSED);
	CHECK(try_to_connect("::ffff:127.0.0.1", port_of(host.tcp4)) == ECONNREFUSED);
	CHECK(try_to_connect("::ffff:0.0.0.0", port_of(host.tcp4)) == ECONNREFUSED);
	CHECK(try_to_connect("::1", port_of(host.tcp6)) == ECONNREFUSED);
	CHECK(try_to_connect("::", port_of(host.tcp6)) == ECONNREFUSED);
	CHECK(try_to_connect("127.0.0.1", port_of(host.shared)) == ECONNREFUSED);
	return 0;
}

static int
port_changes_hands(void *data)
{
	int fd = serve_at("127.0.0.1", 4);
	int port = port_of(fd);

	(void)data;
	CHECK(try_to_connect("127.0.0.1", port) == 0);
	(void)close(fd);
	CHECK(take_port(port) == 0);
	CHECK(try_to_connect("127.0.0.1", port) == ECONNREFUSED);
	return 0;
}

static int
shared_socket(int port)
{
	union address a;
	socklen_t len = v4(&a, "127.0.0.1", port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int on = 1;

	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
	return bind(fd, &a.any, len) == 0 ? fd : -1;
}

static int
port_is_shared(void *data)
{
	int fd = shared_socket(port_of(host.shared));
	int first = shared_socket(0);
	int second = shared_socket(port_of(first));

	(void)data;
	CHECK(fd >= 0);
	CHECK(listen(fd, 4) == -1 && errno == EADDRINUSE);
	/* Among the command's own, it works. */
	CHECK(first >= 0 && second >= 0);
	CHECK(listen(first, 16) == 0 && listen(second, 16) == 0);
	for (int i = 0; i < 8; i++) {
		CHECK(try_to_connect("127.0.0.1", port_of(first)) == 0);
	}
	return 0;
}

/* More listeners than are remembered: those that are closed are forgotten, and no other. */
static int
many_listeners(void *data)
{
	int long_lived = serve_at("127.0.0.1", 4);

	(void)data;
	for (int i = 0; i < 4300; i++) {
		int fd = serve_at("::", 1);

		CHECK(fd >= 0);
		(void)close(fd);
	}
	CHECK(try_to_connect("127.0.0.1", port_of(long_lived)) == 0);
	return 0;
}

static int
tied_to_another_device(void *data)
{
	static const char device[] = "eth0";
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	int own = serve_at("127.0.0.1", 4);

	(void)data;
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, sizeof(device)) != 0 ||
	    setsockopt(client, SOL_SOCKET, SO_BINDTODEVICE, device, sizeof(device)) != 0) {
		return 0; /* no such device */
	}
	/* (With CAP_NET_RAW, which no broker has, it can be undone.) */
	if (geteuid() != 0) {
		CHECK(listen(fd, 4) == -1 && errno == EADDRNOTAVAIL);
		CHECK(connect_fd(client, "127.0.0.1", port_of(own)) == ENETUNREACH);
	}
	return 0;
}

/* ---- races --------------------------------------------------------------------------------- */

struct swap {
	union address address;
	in_port_t ports[2];
	volatile int fd;
	int fds[2];
	volatile bool over;
};

static void *
swap_ports(void *data)
{
	struct swap *swap = data;

	for (unsigned int i = 0; !swap->over; i++) {
		*(volatile in_port_t *)&swap->address.v4.sin_port = swap->ports[i % 2];
	}
	return NULL;
}

static int
address_is_swapped(void *data)
{
	int listener = serve_at("127.0.0.1", 128);
	struct swap swap = { .ports = { htons((uint16_t)port_of(listener)),
					htons((uint16_t)port_of(host.tcp4)) } };
	pthread_t thread;
	int made = 0;

	(void)data;
	(void)v4(&swap.address, "127.0.0.1", port_of(listener));
	CHECK(pthread_create(&thread, NULL, swap_ports, &swap) == 0);
	set_blocking(listener, false);
	for (int i = 0; i < TRIES; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		made += connect(fd, &swap.address.any, sizeof(swap.address.v4)) == 0;
		(void)close(fd);
		(void)close(accept(listener, NULL, NULL));
	}
	swap.over = true;
	(void)pthread_join(thread, NULL);
	CHECK(made > 0 && made < TRIES);
	return 0;
}

static void *
put_off(void *data)
{
	struct swap *swap = data;
	int on = 1;

	while (!swap->over) {
		(void)setsockopt(swap->fd, IPPROTO_TCP, TCP_FASTOPEN_NO_COOKIE, &on, sizeof(on));
		(void)setsockopt(swap->fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof(on));
	}
	return NULL;
}

/* A connection that is made when something is sent could go to whoever listens then. */
static int
connection_is_put_off(void *data)
{
	int listener = serve_at("127.0.0.1", 128);
	struct swap swap = { .fd = -1 };
	pthread_t thread;
	int made = 0;

	(void)data;
	set_blocking(listener, false);
	CHECK(pthread_create(&thread, NULL, put_off, &swap) == 0);
	for (int i = 0; i < TRIES / 2; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		union address peer;
		socklen_t len = sizeof(peer);

		swap.fd = fd;
		if (connect_fd(fd, "127.0.0.1", port_of(listener)) == 0) {
			CHECK(getpeername(fd, &peer.any, &len) == 0);
			made++;
		} else {
			CHECK(send(fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == -1);
		}
		(void)close(fd);
		(void)close(accept(listener, NULL, NULL));
	}
	swap.over = true;
	(void)pthread_join(thread, NULL);
	CHECK(made > 0);
	return 0;
}

static void *
swap_sockets(void *data)
{
	struct swap *swap = data;

	for (unsigned int i = 0; !swap->over; i++) {
		(void)dup2(swap->fds[i % 2], swap->fd);
	}
	return NULL;
}

/* An IP socket where a unix one was, at the moment of listen(): it may not get past the device. */
static int
socket_is_swapped(void *data)
{
	struct swap swap = { .fd = socket(AF_UNIX, SOCK_STREAM, 0) };
	char device[16] = "";
	socklen_t size;
	pthread_t thread;

	(void)data;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, swap.fds) == 0);
	swap.fds[1] = socket(AF_INET, SOCK_STREAM, 0);
	CHECK(pthread_create(&thread, NULL, swap_sockets, &swap) == 0);
	for (int i = 0; i < TRIES && port_of(swap.fds[1]) == 0; i++) {
		(void)listen(swap.fd, 4);
	}
	swap.over = true;
	(void)pthread_join(thread, NULL);
	size = sizeof(device);
	CHECK(getsockopt(swap.fds[1], SOL_SOCKET, SO_BINDTODEVICE, device, &size) == 0);
	CHECK(port_of(swap.fds[1]) > 0 && strcmp(device, "lo") == 0);
	return 0;
}

/* ---- the outside --------------------------------------------------------------------------- */

static void *
take_ports(void *data)
{
	int port;

	while (read(host.ports[0], &port, sizeof(port)) == sizeof(port)) {
		union address a;
		socklen_t len = v4(&a, "127.0.0.1", port);
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		int on = 1;
		char done;

		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		done = bind(fd, &a.any, len) == 0 && listen(fd, 16) == 0;
		host.taken[host.taken_count++] = fd;
		(void)!write(host.done[1], &done, 1);
	}
	return data;
}

static int
set_up_host(void **state)
{
	pthread_t thread;

	(void)state;
	host.tcp4 = serve_at("127.0.0.1", 16);
	host.tcp6 = serve_at("::1", 16);
	host.shared = shared_socket(0);
	return host.tcp4 < 0 || host.tcp6 < 0 || listen(host.shared, 16) != 0 ||
	       pipe2(host.ports, O_CLOEXEC) != 0 || pipe2(host.done, O_CLOEXEC) != 0 ||
	       pthread_create(&thread, NULL, take_ports, NULL) != 0;
}

/* Runs it as a command that has a loopback of its own; no service of the host hears from it. */
static void
assert_inside(command_fn run)
{
	static const struct plan plan = { .broker = { .parts = PART_UNIX | PART_LOOPBACK } };

	assert_int_equal(run_command(&plan, &socket_calls, run, NULL), 0);
	assert_true(is_lonely(host.tcp4));
	assert_true(is_lonely(host.tcp6));
	assert_true(is_lonely(host.shared));
	while (host.taken_count > 0) {
		int fd = host.taken[--host.taken_count];

		assert_true(is_lonely(fd));
		(void)close(fd);
	}
}

#define INSIDE(name, run)                                                                          \
	static void name(void **state)                                                             \
	{                                                                                          \
		(void)state;                                                                       \
		assert_inside(run);                                                                \
	}

INSIDE(serves_itself_at_every_loopback_address, own_servers)
INSIDE(refuses_as_the_kernel_does_where_nobody_listens, nothing_listens)
INSIDE(keeps_an_unbound_listener_on_the_device, unbound_listener)
INSIDE(binds_to_loopback_only, bind_rules)
INSIDE(checks_addresses_as_the_kernel_does, connect_rules)
INSIDE(connects_without_blocking, without_blocking)
INSIDE(refuses_a_connection_to_oneself, self_connect)
INSIDE(waits_for_room_in_a_full_queue, full_queue)
INSIDE(takes_back_an_attempt_when_its_listener_goes, queue_is_inherited)
INSIDE(hides_services_of_the_host, host_services)
INSIDE(follows_the_socket_when_a_port_changes_hands, port_changes_hands)
INSIDE(shares_no_port_with_the_host, port_is_shared)
INSIDE(forgets_closed_listeners_only, many_listeners)
INSIDE(leaves_no_other_device, tied_to_another_device)
INSIDE(connects_to_what_was_judged_when_the_address_is_swapped, address_is_swapped)
INSIDE(puts_no_connection_off, connection_is_put_off)
INSIDE(listens_on_the_device_when_the_socket_is_swapped, socket_is_swapped)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(serves_itself_at_every_loopback_address),
		cmocka_unit_test(refuses_as_the_kernel_does_where_nobody_listens),
		cmocka_unit_test(keeps_an_unbound_listener_on_the_device),
		cmocka_unit_test(binds_to_loopback_only),
		cmocka_unit_test(checks_addresses_as_the_kernel_does),
		cmocka_unit_test(connects_without_blocking),
		cmocka_unit_test(refuses_a_connection_to_oneself),
		cmocka_unit_test(waits_for_room_in_a_full_queue),
		cmocka_unit_test(takes_back_an_attempt_when_its_listener_goes),
		cmocka_unit_test(hides_services_of_the_host),
		cmocka_unit_test(follows_the_socket_when_a_port_changes_hands),
		cmocka_unit_test(shares_no_port_with_the_host),
		cmocka_unit_test(forgets_closed_listeners_only),
		cmocka_unit_test(leaves_no_other_device),
		cmocka_unit_test(connects_to_what_was_judged_when_the_address_is_swapped),
		cmocka_unit_test(puts_no_connection_off),
		cmocka_unit_test(listens_on_the_device_when_the_socket_is_swapped),
	};

	return cmocka_run_group_tests(tests, set_up_host, NULL);
}
