/* SPDX-License-Identifier: MIT */
#ifndef PLAN_LANDLOCK_ABI_H
#define PLAN_LANDLOCK_ABI_H

/*
 * Landlock's user-space interface, under Bailey's own names: the header of the C library's
 * kernel package is often older than the kernel. Values from include/uapi/linux/landlock.h; the
 * number behind each is the ABI that brought it (Documentation/userspace-api/landlock.rst).
 */

#include <stdint.h>

#define LL_EXECUTE UINT64_C(0x1)	  /* 1 */
#define LL_WRITE_FILE UINT64_C(0x2)	  /* 1 */
#define LL_READ_FILE UINT64_C(0x4)	  /* 1 */
#define LL_READ_DIR UINT64_C(0x8)	  /* 1 */
#define LL_REMOVE_DIR UINT64_C(0x10)	  /* 1 */
#define LL_REMOVE_FILE UINT64_C(0x20)	  /* 1 */
#define LL_MAKE_CHAR UINT64_C(0x40)	  /* 1 */
#define LL_MAKE_DIR UINT64_C(0x80)	  /* 1 */
#define LL_MAKE_REG UINT64_C(0x100)	  /* 1 */
#define LL_MAKE_SOCK UINT64_C(0x200)	  /* 1 */
#define LL_MAKE_FIFO UINT64_C(0x400)	  /* 1 */
#define LL_MAKE_BLOCK UINT64_C(0x800)	  /* 1 */
#define LL_MAKE_SYM UINT64_C(0x1000)	  /* 1 */
#define LL_REFER UINT64_C(0x2000)	  /* 2 */
#define LL_TRUNCATE UINT64_C(0x4000)	  /* 3 */
#define LL_IOCTL_DEV UINT64_C(0x8000)	  /* 5 */
#define LL_RESOLVE_UNIX UINT64_C(0x10000) /* 9 */

#define LL_NET_BIND_TCP UINT64_C(0x1)	 /* 4 */
#define LL_NET_CONNECT_TCP UINT64_C(0x2) /* 4 */
#define LL_NET_BIND_UDP UINT64_C(0x4)	 /* 10 */
#define LL_NET_CONNECT_UDP UINT64_C(0x8) /* 10 */

#define LL_SCOPE_ABSTRACT_UNIX UINT64_C(0x1) /* 6 */
#define LL_SCOPE_SIGNAL UINT64_C(0x2)	     /* 6 */

#define LL_ABI_KNOWN 10

struct ll_ruleset_attr {
	uint64_t handled_fs;
	uint64_t handled_net; /* 4 */
	uint64_t scoped;      /* 6 */
};

struct ll_path_beneath_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

struct ll_net_port_attr {
	uint64_t allowed_access;
	uint64_t port;
};

#define LL_CREATE_RULESET_VERSION 1U
#define LL_RULE_PATH_BENEATH 1
#define LL_RULE_NET_PORT 2

#endif /* PLAN_LANDLOCK_ABI_H */
