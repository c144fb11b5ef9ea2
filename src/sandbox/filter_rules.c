/* SPDX-License-Identifier: MIT */
/*
 * The argument rules: what a filter says about calls that are right or wrong by what they are
 * asked to do. Only registers can be seen from here, never what a pointer points at.
 *
 * The kernel reads most arguments as 32 bits and ignores the upper half of the register, so that
 * is how they are compared (MASKED_EQ); pointers are compared whole. libseccomp does not promise
 * an order of rules, so two that differ in their verdict must not match the same call. (OVER sees
 * the upper half as well, but serves to choose between errnos only.) test_filter.c runs it all.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/msdos_fs.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define ALWAYS FILTER_ALWAYS
#define STRICT FILTER_STRICT
#define NO_NAMESPACES FILTER_NO_NAMESPACES
#define NO_METADATA FILTER_NO_METADATA
#define INET FILTER_INET
#define NO_INET FILTER_NO_INET
#define UNIX FILTER_UNIX
#define NO_UNIX FILTER_NO_UNIX
#define LOOPBACK FILTER_LOOPBACK
#define OWN_PROCESS FILTER_OWN_PROCESS
#define ASK_PROCESS FILTER_ASK_PROCESS
#define NO_FLAGS FILTER_NO_FLAGS
#define PASS 0

/* clang-format off */
/* Argument `n`: its low 32 bits are `value`; it has this bit; it has none of these bits; it is a
 * null pointer; it is over `value`. */
#define IS(n, value) { (n), SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)(value) }
#define HAS(n, bit) { (n), SCMP_CMP_MASKED_EQ, (uint32_t)(bit), (uint32_t)(bit) }
#define LACKS(n, bits) { (n), SCMP_CMP_MASKED_EQ, (uint32_t)(bits), 0 }
#define IS_NULL(n) { (n), SCMP_CMP_EQ, 0, 0 }
#define OVER(n, value) { (n), SCMP_CMP_GT, (value), 0 }

/* A socket's type without SOCK_NONBLOCK and SOCK_CLOEXEC. AF_INET and AF_INET6 differ in a bit. */
#define TYPE(value) { 1, SCMP_CMP_MASKED_EQ, 0xf, (value) }
#define ANY_INET { 0, SCMP_CMP_MASKED_EQ, UINT32_MAX & ~(uint32_t)(AF_INET ^ AF_INET6), AF_INET }

#define IOCTL(when, request) { "ioctl", (when), EPERM, { IS(1, (request)) } }
/* clang-format on */

/* Not in the headers of every system, or only beside what clashes with the C library's. */
#define IOPRIO_ONE_PROCESS 1		    /* IOPRIO_WHO_PROCESS */
#define SET_DELEGATION 1040		    /* F_SETDELEG, since 6.19 */
#define EXT4_SET_VERSION _IOW('f', 4, long) /* EXT4_IOC_SETVERSION */

#define NEW_NAMESPACES                                                                             \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
	 CLONE_NEWPID | CLONE_NEWNET)
#define MAKES_FILE (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))
#define SET_ID (S_ISUID | S_ISGID)

static_assert((AF_INET & AF_INET6) == AF_INET, "AF_INET6 is AF_INET and one bit more");

const struct filter_rule filter_pass_rules[] = {
	/* Asking (all ones), and staying what every process here is. Others turn protection off. */
	{ "personality", STRICT, PASS, { IS(0, UINT32_MAX) } },
	{ "personality", STRICT, PASS, { IS(0, PER_LINUX) } },

	/* New namespaces come with privileges inside. (CLONE_NEWTIME is no flag of clone.) */
	{ "clone", NO_NAMESPACES, PASS, { LACKS(0, NEW_NAMESPACES) } },

	/* No file becomes setuid or setgid, when its mode is changed or when it is made. openat2
	 * has its mode in memory, where no filter looks. */
	{ "chmod", STRICT, PASS, { LACKS(1, SET_ID) } },
	{ "fchmod", STRICT, PASS, { LACKS(1, SET_ID) } },
	{ "fchmodat", STRICT, PASS, { LACKS(2, SET_ID) } },
	{ "fchmodat2", STRICT, PASS, { LACKS(2, SET_ID) } },
	{ "mknod", STRICT, PASS, { LACKS(1, SET_ID) } },
	{ "mknodat", STRICT, PASS, { LACKS(2, SET_ID) } },
	{ "creat", STRICT, PASS, { LACKS(1, SET_ID) } },
	{ "open", STRICT, PASS, { LACKS(1, MAKES_FILE) } }, /* the mode counts for nothing */
	{ "open", STRICT, PASS, { LACKS(2, SET_ID) } },
	{ "openat", STRICT, PASS, { LACKS(2, MAKES_FILE) } },
	{ "openat", STRICT, PASS, { LACKS(3, SET_ID) } },

	/* Oneself (0), and no other process of the user: Landlock does not shield them from these.
	 * Of a whole group or user, 0 would be everybody in it. */
	{ "setpriority", OWN_PROCESS, PASS, { IS(0, PRIO_PROCESS), IS(1, 0) } },
	{ "ioprio_set", OWN_PROCESS, PASS, { IS(0, IOPRIO_ONE_PROCESS), IS(1, 0) } },
	{ "sched_setscheduler", OWN_PROCESS, PASS, { IS(0, 0) } },
	{ "sched_setparam", OWN_PROCESS, PASS, { IS(0, 0) } },
	{ "sched_setattr", OWN_PROCESS, PASS, { IS(0, 0) } },
	{ "sched_setaffinity", OWN_PROCESS, PASS, { IS(0, 0) } },
	{ "prlimit64", OWN_PROCESS, PASS, { IS(0, 0) } },
	{ "prlimit64", OWN_PROCESS, PASS, { IS_NULL(2) } }, /* only reads the limit */
	{ "get_robust_list", STRICT, PASS, { IS(0, 0) } },

	/* One process, be it another: the broker is asked (filter_notify_rules). */
	{ "setpriority", ASK_PROCESS, PASS, { IS(0, PRIO_PROCESS) } },
	{ "ioprio_set", ASK_PROCESS, PASS, { IS(0, IOPRIO_ONE_PROCESS) } },

	/* Of TCP and UDP neither MPTCP and SCTP, which Landlock does not know, nor ICMP. Programs
	 * fall back to TCP on EPROTONOSUPPORT. A network that is closed is unreachable: that ends
	 * every attempt at once, while wget goes on for minutes after EACCES (tests/compat). */
	{ "socket", INET | LOOPBACK, PASS, { ANY_INET, TYPE(SOCK_STREAM), IS(2, 0) } },
	{ "socket", INET | LOOPBACK, PASS, { ANY_INET, TYPE(SOCK_STREAM), IS(2, IPPROTO_TCP) } },
	{ "socket",
	  INET | LOOPBACK,
	  EPROTONOSUPPORT,
	  { ANY_INET, TYPE(SOCK_STREAM), OVER(2, IPPROTO_TCP) } },
	{ "socket", INET, PASS, { ANY_INET, TYPE(SOCK_DGRAM), IS(2, 0) } },
	{ "socket", INET, PASS, { ANY_INET, TYPE(SOCK_DGRAM), IS(2, IPPROTO_UDP) } },
	{ "socket", INET, EPROTONOSUPPORT, { ANY_INET, TYPE(SOCK_DGRAM), OVER(2, IPPROTO_UDP) } },
	{ "socket", INET, EACCES, { ANY_INET, TYPE(SOCK_DGRAM), IS(2, IPPROTO_ICMP) } },
	{ "socket", INET | LOOPBACK, EACCES, { ANY_INET, TYPE(SOCK_RAW) } },
	{ "socket", LOOPBACK, ENETUNREACH, { ANY_INET, TYPE(SOCK_DGRAM) } },
	{ "socket", NO_INET, ENETUNREACH, { ANY_INET } },

	/* NETLINK_ROUTE alone: getaddrinfo and Node's networkInterfaces read it. */
	{ "socket", ALWAYS, PASS, { IS(0, AF_NETLINK), IS(2, NETLINK_ROUTE) } },
	{ "socket", ALWAYS, EPROTONOSUPPORT, { IS(0, AF_NETLINK), OVER(2, NETLINK_ROUTE) } },

	/* A datagram socket, of a pair too, names its peer in each sendmsg, behind a pointer. A
	 * connected stream cannot be connected elsewhere (test_filter_live.c). */
	{ "socket", UNIX, PASS, { IS(0, AF_UNIX), TYPE(SOCK_STREAM) } },
	{ "socket", UNIX, PASS, { IS(0, AF_UNIX), TYPE(SOCK_SEQPACKET) } },
	{ "socket", UNIX, EPROTONOSUPPORT, { IS(0, AF_UNIX), TYPE(SOCK_DGRAM) } },
	{ "socket", UNIX, EPROTONOSUPPORT, { IS(0, AF_UNIX), TYPE(SOCK_RAW) } },
	{ "socket", NO_UNIX, EACCES, { IS(0, AF_UNIX) } },
	{ "socketpair", ALWAYS, PASS, { IS(0, AF_UNIX), TYPE(SOCK_STREAM) } },
	{ "socketpair", ALWAYS, PASS, { IS(0, AF_UNIX), TYPE(SOCK_SEQPACKET) } },
	{ "socketpair", ALWAYS, EPROTONOSUPPORT, { IS(0, AF_UNIX), TYPE(SOCK_DGRAM) } },
	{ "socketpair", ALWAYS, EPROTONOSUPPORT, { IS(0, AF_UNIX), TYPE(SOCK_RAW) } },
};

const size_t filter_pass_rule_count = COUNT_OF(filter_pass_rules);

const struct filter_rule filter_refuse_rules[] = {
	/* Typing on a terminal for somebody else, and taking one over from its session (which takes
	 * the argument 1): descriptors 0 to 2 are the caller's terminal. Other requests stay, for
	 * programs that run a terminal of their own, such as script, tmux and Python's pty. */
	IOCTL(ALWAYS, TIOCSTI),
	IOCTL(ALWAYS, TIOCLINUX),
	{ "ioctl", STRICT, EPERM, { IS(1, TIOCSCTTY), IS(2, 1) } },
	IOCTL(STRICT, TIOCSETD),

	/* A btrfs subvolume or snapshot is made, and removed, by a request on a directory that is
	 * open for reading, where Landlock has no say: a snapshot of the home directory in the
	 * workspace would make every secret in it readable. */
	IOCTL(STRICT, BTRFS_IOC_SNAP_CREATE),
	IOCTL(STRICT, BTRFS_IOC_SNAP_CREATE_V2),
	IOCTL(STRICT, BTRFS_IOC_SUBVOL_CREATE),
	IOCTL(STRICT, BTRFS_IOC_SUBVOL_CREATE_V2),
	IOCTL(STRICT, BTRFS_IOC_SUBVOL_SETFLAGS),
	IOCTL(STRICT, BTRFS_IOC_SNAP_DESTROY),
	IOCTL(STRICT, BTRFS_IOC_SNAP_DESTROY_V2),

	/* Likewise: making a file unwritable for ever, encrypting a directory, locking it. */
	IOCTL(STRICT, FS_IOC_ENABLE_VERITY),
	IOCTL(STRICT, FS_IOC_SET_ENCRYPTION_POLICY),
	IOCTL(STRICT, FS_IOC_ADD_ENCRYPTION_KEY),
	IOCTL(STRICT, FS_IOC_REMOVE_ENCRYPTION_KEY),

	/* Attributes of files, again through a descriptor that is open for reading. Builds do not
	 * set them, so they are refused where other metadata may be changed too, unless the broker
	 * is asked about them. */
	IOCTL(NO_FLAGS, FS_IOC_SETFLAGS),
	IOCTL(NO_FLAGS, FS_IOC32_SETFLAGS),
	IOCTL(NO_FLAGS, FS_IOC_FSSETXATTR),
	IOCTL(STRICT, FS_IOC_SETVERSION),
	IOCTL(STRICT, FS_IOC32_SETVERSION),
	IOCTL(STRICT, EXT4_SET_VERSION),
	IOCTL(STRICT, FAT_IOCTL_SET_ATTRIBUTES),

	/* Who may only read has no business holding up others with a lock of its own. */
	{ "flock", NO_METADATA, EPERM, { HAS(1, LOCK_EX) } },

	{ "prctl", STRICT, EPERM, { IS(0, PR_SET_MM) } },
	{ "prctl", STRICT, EPERM, { IS(0, PR_SET_PTRACER) } },

	/* There is one listener for a whole tree of processes, and it is not theirs: EBUSY is what
	 * the kernel says of a second one. Filters without a listener may be added. */
	{ "seccomp", STRICT, EBUSY, { HAS(1, SECCOMP_FILTER_FLAG_NEW_LISTENER) } },

	/* A lease on a file that is only read holds up its writers; the others watch it. */
	{ "fcntl", STRICT, EPERM, { IS(1, F_SETLEASE) } },
	{ "fcntl", STRICT, EPERM, { IS(1, F_NOTIFY) } },
	{ "fcntl", STRICT, EPERM, { IS(1, SET_DELEGATION) } },

	/* A first segment that goes out with the connection passes no connect hook of Landlock. */
	{ "sendto", ALWAYS, EOPNOTSUPP, { HAS(3, MSG_FASTOPEN) } },
	{ "sendmsg", ALWAYS, EOPNOTSUPP, { HAS(2, MSG_FASTOPEN) } },
	{ "sendmmsg", ALWAYS, EOPNOTSUPP, { HAS(3, MSG_FASTOPEN) } },
};

const size_t filter_refuse_rule_count = COUNT_OF(filter_refuse_rules);

/* ---- what is asked of the broker ---------------------------------------------------------- */

/* clang-format off */
#define ENTRY (PART_FILES | PART_SHM)
#define SOCKETS (PART_UNIX | PART_LOOPBACK)
#define ASK(call, part) { (call), (part), { { TEST_NONE, 0, 0 } } }
#define ASK_IF(call, part, ...) { (call), (part), { __VA_ARGS__ } }
#define IF_IS(n, value) { TEST_IS, (n), (uint32_t)(value) }
#define IF_OTHER(n) { TEST_IS_NOT, (n), 0 }
#define IF_ANY(n, bits) { TEST_HAS_ANY, (n), (uint32_t)(bits) }
#define IF_SET(n) { TEST_POINTER, (n), 0 }
/* clang-format on */

/* An open that may change something: access mode 3 asks for both rights and gives neither. */
#define OPENS_TO_WRITE (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

const struct notify_rule filter_notify_rules[] = {
	ASK("open", PART_READS),
	ASK("openat", PART_READS),
	ASK_IF("open", ENTRY, IF_ANY(1, OPENS_TO_WRITE)),
	ASK_IF("openat", ENTRY, IF_ANY(2, OPENS_TO_WRITE)),
	ASK("creat", ENTRY),
	ASK("mkdir", ENTRY),
	ASK("mkdirat", ENTRY),
	ASK("mknod", ENTRY),
	ASK("mknodat", ENTRY),
	ASK("link", ENTRY),
	ASK("linkat", ENTRY),
	ASK("symlink", ENTRY),
	ASK("symlinkat", ENTRY),
	ASK("rename", ENTRY),
	ASK("renameat", ENTRY),
	ASK("renameat2", ENTRY),
	ASK("unlink", ENTRY),
	ASK("unlinkat", ENTRY),
	ASK("rmdir", ENTRY),
	ASK("truncate", ENTRY),

	ASK("chmod", PART_METADATA),
	ASK("fchmod", PART_METADATA),
	ASK("fchmodat", PART_METADATA),
	ASK("fchmodat2", PART_METADATA),
	ASK("chown", PART_METADATA),
	ASK("fchown", PART_METADATA),
	ASK("fchownat", PART_METADATA),
	ASK("lchown", PART_METADATA),
	ASK("utime", PART_METADATA),
	ASK("utimes", PART_METADATA),
	ASK("futimesat", PART_METADATA),
	ASK("utimensat", PART_METADATA),
	ASK("setxattr", PART_METADATA),
	ASK("lsetxattr", PART_METADATA),
	ASK("fsetxattr", PART_METADATA),
	ASK("setxattrat", PART_METADATA),
	ASK("removexattr", PART_METADATA),
	ASK("lremovexattr", PART_METADATA),
	ASK("fremovexattr", PART_METADATA),
	ASK("removexattrat", PART_METADATA),
	ASK("file_setattr", PART_METADATA),
	ASK_IF("ioctl", PART_METADATA, IF_IS(1, FS_IOC_SETFLAGS)),
	ASK_IF("ioctl", PART_METADATA, IF_IS(1, FS_IOC32_SETFLAGS)),
	ASK_IF("ioctl", PART_METADATA, IF_IS(1, FS_IOC_FSSETXATTR)),

	/* Other processes. 0 is the caller, and asking for a limit changes nothing. */
	ASK_IF("setpriority", PART_PROCESSES, IF_OTHER(1)),
	ASK_IF("ioprio_set", PART_PROCESSES, IF_OTHER(1)),
	ASK_IF("sched_setscheduler", PART_PROCESSES, IF_OTHER(0)),
	ASK_IF("sched_setparam", PART_PROCESSES, IF_OTHER(0)),
	ASK_IF("sched_setattr", PART_PROCESSES, IF_OTHER(0)),
	ASK_IF("sched_setaffinity", PART_PROCESSES, IF_OTHER(0)),
	ASK_IF("prlimit64", PART_PROCESSES, IF_OTHER(0), IF_SET(2)),

	ASK("connect", SOCKETS),
	ASK("bind", SOCKETS),
	ASK("listen", SOCKETS),

	/* A domain that the broker is not in. */
	ASK("landlock_restrict_self", ENTRY | SOCKETS),

	/* Memory that the broker may not read. */
	ASK_IF("prctl", ENTRY | SOCKETS | PART_METADATA, IF_IS(0, PR_SET_DUMPABLE), IF_IS(1, 0)),

	ASK("clone", PART_TASKS),
	ASK("fork", PART_TASKS),
	ASK("vfork", PART_TASKS),
};

const size_t filter_notify_rule_count = COUNT_OF(filter_notify_rules);
