/* SPDX-License-Identifier: MIT */

/* Talking to local sockets of other processes, as those of docker, the bus or an agent. */

#include "attack.h"
#include "reach.h"
#include "sockets.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int
stream_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int
datagram_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static enum outcome
connect_stream(const struct scene *s)
{
	struct address listener = local_path(s->unix_stream);

	return connect_and_talk(stream_socket(), &listener);
}

static enum outcome
connect_by_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);
	struct address listener = local_path(alias);

	if (symlink(s->unix_stream, alias) != 0) {
		return blocked("symlink");
	}
	return connect_and_talk(stream_socket(), &listener);
}

static enum outcome
connect_by_proc_fd(const struct scene *s)
{
	int directory = open(s->unix_stream, O_PATH | O_CLOEXEC);
	struct address listener = local_path(path("/proc/self/fd/%d", directory));

	if (directory < 0) {
		return blocked("open with O_PATH");
	}
	return connect_and_talk(stream_socket(), &listener);
}

/* A socket is where its file is; here that is a place where the command may write. */
static enum outcome
connect_by_link(const struct scene *s)
{
	const char *alias = path("%s/linked", s->work);
	struct address listener = local_path(alias);

	if (link(s->unix_stream, alias) != 0) {
		return blocked("link");
	}
	return connect_and_talk(stream_socket(), &listener);
}

static enum outcome
connect_by_uring(const struct scene *s)
{
	struct address listener = local_path(s->unix_stream);
	struct ring ring;
	int fd = stream_socket();

	if (fd < 0 || ring_open(&ring) != 0) {
		return blocked("socket or io_uring_setup");
	}
	if (ring_connect(&ring, fd, &listener.as.any, listener.len) != 0) {
		return blocked("connect in a ring");
	}
	return talk(fd);
}

static enum outcome
connect_with_high_bits(const struct scene *s)
{
	const unsigned long garbage = 0xdeadbeef00000000UL;
	struct address listener = local_path(s->unix_stream);
	long fd = syscall(SYS_socket, garbage | AF_UNIX, garbage | SOCK_STREAM, garbage);

	return connect_and_talk((int)fd, &listener);
}

static enum outcome
connect_seqpacket(const struct scene *s)
{
	(void)s;
	return try_socket(AF_UNIX, SOCK_SEQPACKET, 0);
}

static enum outcome
send_datagram(const struct scene *s)
{
	struct address listener = local_path(s->unix_datagram);

	return send_tag(datagram_socket(), &listener, s);
}

static enum outcome
send_datagram_by_sendmsg(const struct scene *s)
{
	struct address listener = local_path(s->unix_datagram);
	struct iovec data = tag_to_send(s);
	struct msghdr message = {
		.msg_name = &listener.as.any,
		.msg_namelen = listener.len,
		.msg_iov = &data,
		.msg_iovlen = 1,
	};
	int fd = datagram_socket();

	return fd < 0 ? blocked("socket") : tried(sendmsg(fd, &message, 0), "sendmsg");
}

static enum outcome
send_from_pair(const struct scene *s)
{
	struct address listener = local_path(s->unix_datagram);
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) {
		return blocked("socketpair");
	}
	return send_tag(pair[0], &listener, s);
}

static enum outcome
reconnect_pair(const struct scene *s)
{
	struct address listener = local_path(s->unix_datagram);
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) {
		return blocked("socketpair");
	}
	if (connect(pair[0], &listener.as.any, listener.len) != 0) {
		return blocked("connect");
	}
	return tried(send(pair[0], s->tag, strlen(s->tag), 0), "send");
}

static enum outcome
connect_abstract(const struct scene *s)
{
	struct address listener = local_abstract(s->abstract);

	return connect_and_talk(stream_socket(), &listener);
}

static enum outcome
send_to_abstract(const struct scene *s)
{
	struct address listener = local_abstract(path("%sd", s->abstract));

	return send_tag(datagram_socket(), &listener, s);
}

const struct attack unix_attacks[] = {
	{ "stream", PROOF_RECEIVED, "connects to a socket by path", connect_stream },
	{ "symlink", PROOF_RECEIVED, "connects through a new symlink", connect_by_symlink },
	{ "proc_fd", PROOF_RECEIVED, "connects by way of /proc/self/fd", connect_by_proc_fd },
	{ "link", PROOF_RECEIVED, "connects to a new hard link of a socket", connect_by_link },
	{ "uring", PROOF_RECEIVED, "connects through io_uring", connect_by_uring },
	{ "high_bits", PROOF_RECEIVED, "opens a socket with garbage in the upper halves",
	  connect_with_high_bits },
	{ "seqpacket", PROOF_CALL, "opens a socket of packets", connect_seqpacket },
	{ "datagram", PROOF_RECEIVED, "sends a datagram by path", send_datagram },
	{ "sendmsg", PROOF_RECEIVED, "sends a datagram by sendmsg", send_datagram_by_sendmsg },
	{ "pair_sendto", PROOF_RECEIVED, "sends from one end of a socketpair", send_from_pair },
	{ "pair_connect", PROOF_RECEIVED, "connects one end of a socketpair", reconnect_pair },
	{ "abstract", PROOF_RECEIVED, "connects to an abstract name", connect_abstract },
	{ "abstract_datagram", PROOF_RECEIVED, "sends a datagram to an abstract name",
	  send_to_abstract },
	{ 0 },
};
