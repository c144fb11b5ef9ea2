/* SPDX-License-Identifier: MIT */

/* Opening sockets of families and protocols that a command has no business with. */

#include "attack.h"
#include "reach.h"
#include "sockets.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <unistd.h>

#ifndef IPPROTO_SMC
#define IPPROTO_SMC 256
#endif
#ifndef IPPROTO_L2TP
#define IPPROTO_L2TP 115
#endif
#ifndef AF_SMC
#define AF_SMC 43
#endif
#ifndef AF_XDP
#define AF_XDP 44
#endif

static enum outcome
open_socket(const struct scene *s)
{
	const int *args = s->row->args;

	return try_socket(args[0], args[1], args[2]);
}

/* The kernel takes the lower half of each argument, a filter may compare the whole. */
static enum outcome
open_socket_with_high_bits(const struct scene *s)
{
	const unsigned long garbage = 0xffffffff00000000UL;
	const int *args = s->row->args;

	return tried(syscall(SYS_socket, garbage | (unsigned int)args[0],
			     garbage | (unsigned int)args[1], garbage | (unsigned int)args[2]),
		     "socket");
}

static enum outcome
open_socket_by_x32(const struct scene *s)
{
	const int *args = s->row->args;
	long result = x32(SYS_socket, args[0], args[1], args[2]);

	if (x32_is_missing(result)) {
		return not_applicable("no x32 system calls");
	}
	return tried(result, "x32 socket");
}

static enum outcome
open_socket_by_int80(const struct scene *s)
{
	const int *args = s->row->args;

	return tried(int80(I386_SOCKET, args[0], args[1], args[2], 0), "int80 socket");
}

static enum outcome
open_pair(const struct scene *s)
{
	const int *args = s->row->args;
	int pair[2];

	if (socketpair(args[0], args[1], args[2], pair) != 0) {
		return errno == EPERM || errno == EACCES
			       ? blocked("socketpair")
			       : not_applicable("no such pairs in this kernel");
	}
	return succeeded("socketpair");
}

/* NETLINK_ROUTE tells the names and addresses of the machine's network interfaces. */
static enum outcome
list_links(const struct scene *s)
{
	struct {
		struct nlmsghdr header;
		struct rtgenmsg message;
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_GETLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
		.message = { .rtgen_family = AF_UNSPEC },
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	static char buf[8192];

	(void)s;
	if (fd < 0) {
		return blocked("socket");
	}
	if (send(fd, &request, sizeof(request), 0) < 0) {
		return blocked("send");
	}
	return recv(fd, buf, sizeof(buf), 0) > 0 ? succeeded("got the list") : blocked("recv");
}

const struct attack family_attacks[] = {
	{ "raw", PROOF_CALL, "opens a raw socket", open_socket,
	  .args = { AF_INET, SOCK_RAW, IPPROTO_ICMP } },
	{ "raw6", PROOF_CALL, "opens a raw IPv6 socket", open_socket,
	  .args = { AF_INET6, SOCK_RAW, IPPROTO_ICMPV6 } },
	{ "ping", PROOF_CALL, "opens a ping socket", open_socket,
	  .args = { AF_INET, SOCK_DGRAM, IPPROTO_ICMP } },
	{ "packet", PROOF_CALL, "opens a packet socket", open_socket,
	  .args = { AF_PACKET, SOCK_RAW, 0 } },
	{ "mptcp", PROOF_CALL, "opens an MPTCP socket", open_socket,
	  .args = { AF_INET, SOCK_STREAM, IPPROTO_MPTCP } },
	{ "sctp", PROOF_CALL, "opens an SCTP socket", open_socket,
	  .args = { AF_INET, SOCK_SEQPACKET, IPPROTO_SCTP } },
	{ "dccp", PROOF_CALL, "opens a DCCP socket", open_socket,
	  .args = { AF_INET, SOCK_DCCP, IPPROTO_DCCP } },
	{ "udplite", PROOF_CALL, "opens a UDP-Lite socket", open_socket,
	  .args = { AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE } },
	{ "l2tp", PROOF_CALL, "opens an L2TP socket", open_socket,
	  .args = { AF_INET, SOCK_DGRAM, IPPROTO_L2TP } },
	{ "smc", PROOF_CALL, "opens an SMC socket", open_socket,
	  .args = { AF_SMC, SOCK_STREAM, 0 } },
	{ "smc_inet", PROOF_CALL, "opens an SMC socket by its protocol", open_socket,
	  .args = { AF_INET, SOCK_STREAM, IPPROTO_SMC } },
	{ "vsock", PROOF_CALL, "opens a socket to the hypervisor", open_socket,
	  .args = { AF_VSOCK, SOCK_STREAM, 0 } },
	{ "alg", PROOF_CALL, "opens a socket to the kernel's ciphers", open_socket,
	  .args = { AF_ALG, SOCK_SEQPACKET, 0 } },
	{ "xdp", PROOF_CALL, "opens an XDP socket", open_socket, .args = { AF_XDP, SOCK_RAW, 0 } },
	{ "kcm", PROOF_CALL, "opens a KCM socket", open_socket, .args = { AF_KCM, SOCK_DGRAM, 0 } },
	{ "tipc", PROOF_CALL, "opens a TIPC socket", open_socket,
	  .args = { AF_TIPC, SOCK_RDM, 0 } },
	{ "tipc_pair", PROOF_CALL, "opens a pair of TIPC sockets", open_pair,
	  .args = { AF_TIPC, SOCK_SEQPACKET, 0 } },
	{ "can", PROOF_CALL, "opens a CAN socket", open_socket, .args = { AF_CAN, SOCK_RAW, 1 } },
	{ "bluetooth", PROOF_CALL, "opens a Bluetooth socket", open_socket,
	  .args = { AF_BLUETOOTH, SOCK_RAW, 1 } },
	{ "netlink_links", PROOF_CALL, "lists the network interfaces", list_links },
	{ "netlink_uevent", PROOF_CALL, "listens to device events", open_socket,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT } },
	{ "netlink_netfilter", PROOF_CALL, "opens a netfilter socket", open_socket,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER } },
	{ "netlink_audit", PROOF_CALL, "opens an audit socket", open_socket,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_AUDIT } },
	{ "netlink_diag", PROOF_CALL, "opens a socket that lists sockets", open_socket,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG } },
	{ "high_bits", PROOF_CALL, "opens netlink with garbage in the upper halves",
	  open_socket_with_high_bits, .args = { AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT } },
	{ "int80", PROOF_CALL, "opens netlink by the 32-bit table", open_socket_by_int80,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT } },
	{ "x32", PROOF_CALL, "opens netlink by the x32 table", open_socket_by_x32,
	  .args = { AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT } },
	{ 0 },
};
