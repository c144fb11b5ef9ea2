/* SPDX-License-Identifier: MIT */
#include "broker/sockdiag.h"

#include "base/attr.h"

#include <assert.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define KERNEL_MINOR_BITS 20 /* of a device number within the kernel (linux/kdev_t.h) */
#define LOOPBACK_DEVICE 1    /* the index of "lo" in every network namespace */

struct question {
	struct nlmsghdr header;
	struct inet_diag_req_v2 what;
};

static_assert(sizeof(struct unix_diag_msg) % NLMSG_ALIGNTO == 0, "attributes follow at once");

static const int families[] = { AF_INET, AF_INET6 };

bool
diag_open(struct diag *d)
{
	d->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	return d->fd >= 0;
}

static int
ask(struct diag *d, struct nlmsghdr *question, size_t len, unsigned int flags)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	ssize_t sent;

	question->nlmsg_len = (uint32_t)len;
	question->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	question->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	question->nlmsg_seq = ++d->sequence;
	sent = sendto(d->fd, question, len, 0, (const struct sockaddr *)&kernel, sizeof(kernel));
	return sent == (ssize_t)len ? 0 : sent < 0 ? errno : EIO;
}

static struct question
question_about(int family)
{
	return (struct question){ .what = { .sdiag_family = (uint8_t)family,
					    .sdiag_protocol = IPPROTO_TCP,
					    .idiag_states = 1U << TCP_LISTEN } };
}

/* The kernel has answered by the time that the question is sent, so nothing is waited for. */
static ssize_t
receive(struct diag *d)
{
	struct sockaddr_nl from;
	socklen_t size = sizeof(from);
	ssize_t len;

	do {
		len = recvfrom(d->fd, d->buffer, sizeof(d->buffer), MSG_DONTWAIT,
			       (struct sockaddr *)&from, &size);
	} while (len < 0 && errno == EINTR);
	if (len >= 0 && from.nl_pid != 0) {
		errno = EPROTO;
		return -1;
	}
	return len;
}

static uint64_t
cookie_of(const struct inet_diag_msg *found)
{
	return (uint64_t)found->id.idiag_cookie[1] << 32 | found->id.idiag_cookie[0];
}

static int
error_of(struct nlmsghdr *message)
{
	const struct nlmsgerr *error = NLMSG_DATA(message);

	return message->nlmsg_len >= NLMSG_LENGTH(sizeof(*error)) ? -error->error : EPROTO;
}

static const void *
found_in(struct nlmsghdr *message, size_t size)
{
	return message->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
			       message->nlmsg_len >= NLMSG_LENGTH(size)
		       ? NLMSG_DATA(message)
		       : NULL;
}

/* The one message that answers a question about one socket. 0 or an errno. */
static int
receive_one(struct diag *d, struct nlmsghdr **message)
{
	ssize_t len;

	*message = (struct nlmsghdr *)(void *)d->buffer;
	do {
		len = receive(d);
		if (len < 0) {
			return errno;
		}
		if (!NLMSG_OK(*message, (size_t)len)) {
			return EPROTO;
		}
	} while ((*message)->nlmsg_seq != d->sequence);
	return (*message)->nlmsg_type == NLMSG_ERROR ? error_of(*message) : 0;
}

int
diag_find(struct diag *d, const struct endpoint *to, const struct endpoint *from, uint64_t *cookie)
{
	struct question question = question_about(to->family);
	struct inet_diag_sockid *id = &question.what.id;
	struct nlmsghdr *message;
	const struct inet_diag_msg *found;
	int error;

	*cookie = 0;
	/* The source is the end that is looked for. */
	memcpy(id->idiag_src, to->address, sizeof(id->idiag_src));
	id->idiag_sport = to->port;
	if (from != NULL) {
		memcpy(id->idiag_dst, from->address, sizeof(id->idiag_dst));
		id->idiag_dport = from->port;
	}
	id->idiag_if = LOOPBACK_DEVICE;
	id->idiag_cookie[0] = INET_DIAG_NOCOOKIE;
	id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
	error = ask(d, &question.header, sizeof(question), 0);
	error = error != 0 ? error : receive_one(d, &message);
	if (error != 0) {
		return error == ENOENT ? 0 : error;
	}
	found = found_in(message, sizeof(*found));
	if (found == NULL) {
		return EPROTO;
	}
	*cookie = from != NULL || found->idiag_state == TCP_LISTEN ? cookie_of(found) : 0;
	return 0;
}

/* One packet of a long answer. True: it was the last, or an error, in *error. */
static bool
take_listeners(struct diag *d, size_t len, void (*each)(void *data, uint64_t cookie), void *data,
	       int *error)
{
	struct nlmsghdr *message = (struct nlmsghdr *)(void *)d->buffer;

	for (; NLMSG_OK(message, len); message = NLMSG_NEXT(message, len)) {
		const struct inet_diag_msg *found = found_in(message, sizeof(*found));

		if (message->nlmsg_seq != d->sequence) {
			continue;
		}
		if (message->nlmsg_type == NLMSG_DONE) {
			return true;
		}
		if (message->nlmsg_type == NLMSG_ERROR) {
			*error = error_of(message);
			return true;
		}
		if (found != NULL) {
			each(data, cookie_of(found));
		}
	}
	return false;
}

int
diag_listeners(struct diag *d, void (*each)(void *data, uint64_t cookie), void *data)
{
	for (size_t i = 0; i < COUNT_OF(families); i++) {
		struct question question = question_about(families[i]);
		int error = ask(d, &question.header, sizeof(question), NLM_F_DUMP);
		bool last = error != 0;

		while (!last) {
			ssize_t len = receive(d);

			if (len <= 0) {
				return len == 0 ? EPROTO : errno;
			}
			last = take_listeners(d, (size_t)len, each, data, &error);
		}
		if (error != 0) {
			return error;
		}
	}
	return 0;
}

/* ---- unix sockets -------------------------------------------------------------------------- */

/* Attributes are aligned to 4 bytes, as messages are (netlink(7)). */
static const struct unix_diag_vfs *
file_in(struct nlmsghdr *message)
{
	size_t left = message->nlmsg_len - NLMSG_LENGTH(sizeof(struct unix_diag_msg));
	const char *at = (const char *)NLMSG_DATA(message) + sizeof(struct unix_diag_msg);
	struct nlattr one;

	while (left >= sizeof(one)) {
		size_t step;

		memcpy(&one, at, sizeof(one));
		if (one.nla_len < sizeof(one) || one.nla_len > left) {
			return NULL;
		}
		if (one.nla_type == UNIX_DIAG_VFS &&
		    one.nla_len >= sizeof(one) + sizeof(struct unix_diag_vfs)) {
			return (const struct unix_diag_vfs *)(const void *)(at + sizeof(one));
		}
		step = NLMSG_ALIGN(one.nla_len);
		if (step >= left) {
			return NULL;
		}
		at += step;
		left -= step;
	}
	return NULL;
}

int
diag_local_file(struct diag *d, uint32_t number, uint64_t cookie, struct local_file *file)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req what;
	} question = { .what = { .sdiag_family = AF_UNIX,
				 .udiag_states = ~0U,
				 .udiag_ino = number,
				 .udiag_show = UDIAG_SHOW_VFS,
				 .udiag_cookie = { (uint32_t)cookie, (uint32_t)(cookie >> 32) } } };
	struct nlmsghdr *message;
	const struct unix_diag_vfs *vfs;
	int error = ask(d, &question.header, sizeof(question), 0);

	error = error != 0 ? error : receive_one(d, &message);
	if (error != 0) {
		return error;
	}
	if (found_in(message, sizeof(struct unix_diag_msg)) == NULL) {
		return EPROTO;
	}
	vfs = file_in(message);
	if (vfs == NULL) {
		return ENOENT;
	}
	file->inode = vfs->udiag_vfs_ino;
	file->major = vfs->udiag_vfs_dev >> KERNEL_MINOR_BITS;
	file->minor = vfs->udiag_vfs_dev & ((1U << KERNEL_MINOR_BITS) - 1);
	return 0;
}
