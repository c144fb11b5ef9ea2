/* SPDX-License-Identifier: MIT */

/* Talking to the internet protocols' listeners outside, all of them on loopback. */

#include "attack.h"
#include "reach.h"
#include "sockets.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef TCP_FASTOPEN_CONNECT
#define TCP_FASTOPEN_CONNECT 30
#endif

static int
tcp_socket(void)
{
	return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int
udp_socket(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* ---- TCP ------------------------------------------------------------------------------------- */

static enum outcome
connect_tcp4(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);

	return connect_and_talk(tcp_socket(), &listener);
}

static enum outcome
connect_tcp6(const struct scene *s)
{
	struct address listener = loopback6(s->tcp6, "::1");

	if (s->tcp6 == 0) {
		return not_applicable("no IPv6 on this machine");
	}
	return connect_and_talk(socket(AF_INET6, SOCK_STREAM, 0), &listener);
}

static enum outcome
connect_mapped(const struct scene *s)
{
	struct address listener = loopback6(s->tcp4, "::ffff:127.0.0.1");

	return connect_and_talk(socket(AF_INET6, SOCK_STREAM, 0), &listener);
}

/* Addresses that stand for this machine. */
static enum outcome
connect_any4(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);

	listener.as.v4.sin_addr.s_addr = INADDR_ANY;
	return connect_and_talk(tcp_socket(), &listener);
}

static enum outcome
connect_any6(const struct scene *s)
{
	struct address listener = loopback6(s->tcp6, "::");

	if (s->tcp6 == 0) {
		return not_applicable("no IPv6 on this machine");
	}
	return connect_and_talk(socket(AF_INET6, SOCK_STREAM, 0), &listener);
}

static enum outcome
connect_mptcp(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP);

	if (fd < 0 && errno == EPROTONOSUPPORT) {
		return not_applicable("no MPTCP in this kernel");
	}
	return connect_and_talk(fd, &listener);
}

static enum outcome
fast_open_by_sendto(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	int fd = tcp_socket();

	if (fd < 0) {
		return blocked("socket");
	}
	if (sendto(fd, "HELLO", 5, MSG_FASTOPEN | MSG_NOSIGNAL, &listener.as.any, listener.len) <
	    0) {
		return blocked("sendto with MSG_FASTOPEN");
	}
	return show_answer(fd);
}

static enum outcome
fast_open_by_sendmsg(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	char hello[] = "HELLO";
	struct iovec data = { hello, 5 };
	struct msghdr message = {
		.msg_name = &listener.as.any,
		.msg_namelen = listener.len,
		.msg_iov = &data,
		.msg_iovlen = 1,
	};
	int fd = tcp_socket();

	if (fd < 0) {
		return blocked("socket");
	}
	if (sendmsg(fd, &message, MSG_FASTOPEN | MSG_NOSIGNAL) < 0) {
		return blocked("sendmsg with MSG_FASTOPEN");
	}
	return show_answer(fd);
}

static enum outcome
fast_open_by_option(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	int fd = tcp_socket();
	int on = 1;

	if (fd < 0) {
		return blocked("socket");
	}
	(void)setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &on, sizeof(on));
	return connect_and_talk(fd, &listener);
}

static enum outcome
connect_after_unspec(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	struct sockaddr unspecified = { .sa_family = AF_UNSPEC };
	int fd = tcp_socket();

	if (fd < 0) {
		return blocked("socket");
	}
	(void)connect(fd, &unspecified, sizeof(unspecified));
	return connect_and_talk(fd, &listener);
}

static enum outcome
connect_by_bash(const struct scene *s)
{
	const char *answer = path("%s/answer", s->work);
	char buf[300];
	ssize_t n;

	/* The answer goes to standard output when there is no file to keep it in. */
	(void)bash(path("exec 3<>/dev/tcp/127.0.0.1/%ld && echo HELLO >&3 && read -t 2 -r l <&3 "
			"&& { echo \"$l\" >'%s' || echo \"$l\"; }",
			s->tcp4, answer));
	n = read_text(answer, buf, sizeof(buf));
	return n > 0 ? show(buf, n) : blocked("/dev/tcp");
}

static enum outcome
listen_for_prober(const struct scene *s)
{
	struct address port = loopback4(s->prober);
	struct pollfd wait = { .fd = tcp_socket(), .events = POLLIN };
	int on = 1;

	if (wait.fd < 0) {
		return blocked("socket");
	}
	(void)setsockopt(wait.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(wait.fd, &port.as.any, port.len) != 0 || listen(wait.fd, 4) != 0) {
		return blocked("bind or listen");
	}
	if (poll(&wait, 1, 2500) <= 0) {
		errno = ETIMEDOUT;
		return blocked("wait for a connection");
	}
	return show_answer(accept(wait.fd, NULL, NULL));
}

/* A socket that listens without bind() gets a port by itself, and nothing has asked for it. */
static enum outcome
listen_without_bind(const struct scene *s)
{
	int fd = tcp_socket();

	(void)s;
	return fd < 0 ? blocked("socket") : tried(listen(fd, 4), "listen");
}

/* ---- the same by other doors ----------------------------------------------------------------- */

static enum outcome
connect_by_uring(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	struct ring ring;
	char buf[300];
	int fd;

	if (ring_open(&ring) != 0) {
		return blocked("io_uring_setup");
	}
	fd = ring_socket(&ring, AF_INET, SOCK_STREAM);
	if (fd < 0 || ring_connect(&ring, fd, &listener.as.any, listener.len) != 0 ||
	    ring_send(&ring, fd, "HELLO", 5) < 0) {
		return blocked("connect in a ring");
	}
	return show(buf, ring_receive(&ring, fd, buf, sizeof(buf)));
}

static enum outcome
connect_by_socketcall(const struct scene *s)
{
	enum { CALL_SOCKET = 1, CALL_CONNECT = 3 };
	struct address listener = loopback4(s->tcp4);
	uint32_t *args = low_memory(4096);
	char *address;
	long fd;

	if (args == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	address = (char *)args + 1024;
	args[0] = AF_INET;
	args[1] = SOCK_STREAM;
	fd = int80(I386_SOCKETCALL, CALL_SOCKET, low_address(args), 0, 0);
	if (fd < 0) {
		return blocked("int80 socketcall");
	}
	memcpy(address, &listener.as.v4, sizeof(listener.as.v4));
	args[0] = (uint32_t)fd;
	args[1] = (uint32_t)low_address(address);
	args[2] = listener.len;
	if (int80(I386_SOCKETCALL, CALL_CONNECT, low_address(args), 0, 0) != 0) {
		return blocked("int80 connect");
	}
	return talk((int)fd);
}

static enum outcome
connect_by_int80(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	char *address = low_memory(4096);
	long fd;

	if (address == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	fd = int80(I386_SOCKET, AF_INET, SOCK_STREAM, 0, 0);
	if (fd < 0) {
		return blocked("int80 socket");
	}
	memcpy(address, &listener.as.v4, sizeof(listener.as.v4));
	if (int80(I386_CONNECT, fd, low_address(address), (long)listener.len, 0) != 0) {
		return blocked("int80 connect");
	}
	return talk((int)fd);
}

static enum outcome
connect_by_x32(const struct scene *s)
{
	struct address listener = loopback4(s->tcp4);
	long fd = x32(SYS_socket, AF_INET, SOCK_STREAM, 0);

	if (x32_is_missing(fd)) {
		return not_applicable("no x32 system calls");
	}
	return connect_and_talk((int)fd, &listener);
}

/* The kernel takes the lower half of each argument, a filter may compare the whole. */
static enum outcome
connect_with_high_bits(const struct scene *s)
{
	const unsigned long garbage = 0xdeadbeef00000000UL;
	struct address listener = loopback4(s->tcp4);
	long fd = syscall(SYS_socket, garbage | AF_INET, garbage | SOCK_STREAM, garbage);

	return connect_and_talk((int)fd, &listener);
}

/* ---- UDP ------------------------------------------------------------------------------------- */

static enum outcome
connect_udp(const struct scene *s)
{
	struct address listener = loopback4(s->udp);

	return connect_and_talk(udp_socket(), &listener);
}

static enum outcome
send_udp(const struct scene *s)
{
	struct address listener = loopback4(s->udp);

	return send_tag(udp_socket(), &listener, s);
}

static enum outcome
send_udp_by_sendmmsg(const struct scene *s)
{
	struct address listener = loopback4(s->udp);
	struct iovec data = tag_to_send(s);
	struct mmsghdr message = {
		.msg_hdr = {
			.msg_name = &listener.as.any,
			.msg_namelen = listener.len,
			.msg_iov = &data,
			.msg_iovlen = 1,
		},
	};
	int fd = udp_socket();

	return fd < 0 ? blocked("socket") : tried(sendmmsg(fd, &message, 1, 0), "sendmmsg");
}

static enum outcome
ask_dns(const struct scene *s)
{
	/* A query for the address of "secret.test". */
	static const unsigned char query[] = { 0x12, 0x34, 1,	0,   0,	  1,   0,   0,	 0,   0,
					       0,    0,	   6,	's', 'e', 'c', 'r', 'e', 't', 4,
					       't',  'e',  's', 't', 0,	  0,   1,   0,	 1 };
	struct address listener = loopback4(s->dns);
	struct pollfd wait = { .fd = udp_socket(), .events = POLLIN };
	char buf[512];
	ssize_t n;

	if (wait.fd < 0) {
		return blocked("socket");
	}
	if (sendto(wait.fd, query, sizeof(query), 0, &listener.as.any, listener.len) < 0) {
		return blocked("sendto");
	}
	if (poll(&wait, 1, 1500) <= 0) {
		errno = ETIMEDOUT;
		return blocked("wait for an answer");
	}
	n = recv(wait.fd, buf, sizeof(buf), 0);
	return n > (ssize_t)sizeof(query) ? show(buf + sizeof(query), n - (ssize_t)sizeof(query))
					  : blocked("answer");
}

const struct attack net_attacks[] = {
	{ "tcp4", PROOF_RECEIVED, "connects by TCP", connect_tcp4 },
	{ "tcp6", PROOF_RECEIVED, "connects by TCP over IPv6", connect_tcp6 },
	{ "tcp_mapped", PROOF_RECEIVED, "connects to an IPv4-mapped address", connect_mapped },
	{ "tcp_any", PROOF_RECEIVED, "connects to 0.0.0.0", connect_any4 },
	{ "tcp6_any", PROOF_RECEIVED, "connects to ::", connect_any6 },
	{ "mptcp", PROOF_RECEIVED, "connects by MPTCP", connect_mptcp },
	{ "fastopen_sendto", PROOF_RECEIVED, "connects by sendto", fast_open_by_sendto },
	{ "fastopen_sendmsg", PROOF_RECEIVED, "connects by sendmsg", fast_open_by_sendmsg },
	{ "fastopen_option", PROOF_RECEIVED, "connects with TCP_FASTOPEN_CONNECT",
	  fast_open_by_option },
	{ "after_unspec", PROOF_RECEIVED, "connects to AF_UNSPEC first", connect_after_unspec },
	{ "bash_dev_tcp", PROOF_RECEIVED, "connects by bash's /dev/tcp", connect_by_bash },
	{ "listen", PROOF_RECEIVED, "accepts a connection from outside", listen_for_prober },
	{ "listen_unbound", PROOF_CALL, "listens without a port", listen_without_bind },
	{ "uring", PROOF_RECEIVED, "connects through io_uring", connect_by_uring },
	{ "int80_socketcall", PROOF_RECEIVED, "connects by the 32-bit socketcall",
	  connect_by_socketcall },
	{ "int80_socket", PROOF_RECEIVED, "connects by the 32-bit socket", connect_by_int80 },
	{ "x32", PROOF_RECEIVED, "connects by the x32 table", connect_by_x32 },
	{ "high_bits", PROOF_RECEIVED, "opens a socket with garbage in the upper halves",
	  connect_with_high_bits },
	{ "udp", PROOF_RECEIVED, "connects by UDP", connect_udp },
	{ "udp_sendto", PROOF_RECEIVED, "sends by UDP", send_udp },
	{ "udp_sendmmsg", PROOF_RECEIVED, "sends by sendmmsg", send_udp_by_sendmmsg },
	{ "dns", PROOF_RECEIVED, "asks a resolver", ask_dns },
	{ 0 },
};
