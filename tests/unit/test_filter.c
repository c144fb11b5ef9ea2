/* SPDX-License-Identifier: MIT */
/*
 * What the standard filters say, without a kernel. Every row of the table of calls is run in all
 * of them, and a second time with rubbish in the upper halves of the arguments that the
 * kernel reads as 32 bits.
 */
#include "filter_sim.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

static const struct call calls[] = {
	CALL("read", A0, 0, 0, PTR, 10),
	CALL("execve", 0, 0, PTR, PTR, PTR),
	CALL("execveat", A0, 0, 3, PTR, PTR, PTR),
	CALL("fork", 0, 0, 0),
	CALL("vfork", 0, 0, 0),
	CALL("openat2", A0, ENOSYS, 3, PTR, PTR, 24),
	CALL("kill", A0 | A1, 0, 1, 9),
	CALL("landlock_restrict_self", A0 | A1, 0, 3, 0),
	CALL("rseq", A1, 0, PTR, 32, 0, 0),
	CALL("inotify_init1", A0, 0, 0),
	CALL("uretprobe", 0, 0, 0),
	CALL("getxattr", 0, 0, PTR, PTR, PTR, 10),
	CALL("file_getattr", A0, 0, 3, PTR, PTR, 24),

	CALL("ptrace", 0, EPERM, 0),
	CALL("kcmp", 0, EPERM, 1, 2, 0, 0, 0),
	CALL("open_tree_attr", 0, EPERM, 3, PTR, 0, PTR, 32),
	CALL("io_uring_setup", A0, ENOSYS, 8, PTR),
	CALL("io_uring_enter", A0, ENOSYS, 3, 1, 1, 0, 0),
	CALL("io_uring_register", A0, ENOSYS, 3, 1, PTR, 1),
	CALL("name_to_handle_at", A0, EOPNOTSUPP, 3, PTR, PTR, PTR, 0),
	CALL("open_by_handle_at", A0, EPERM, 3, PTR, 0),
	CALL("statmount", A3, ENOSYS, PTR, PTR, 100, 0),
	CALL("listmount", A3, ENOSYS, PTR, PTR, 100, 0),
	CALL("memfd_secret", A0, ENOSYS, 0),
	CALL("memfd_create", A1, 0, PTR, 1),
	CALL("userfaultfd", A0, EPERM, 1),
	CALL("unshare", A0, EPERM, CLONE_NEWUSER),
	CALL("unshare", A0, EPERM, 0),
	CALL("setns", A0 | A1, EPERM, 3, 0),
	CALL("umount2", A1, EPERM, PTR, 0),
	CALL("listns", 0, ENOSYS, PTR, PTR, 10, 0),

	/* New processes and threads, but no new namespaces. */
	CALL("clone", A0, 0, SIGCHLD),
	CALL("clone", A0, 0, THREAD | CLONE_SYSVSEM | CLONE_SETTLS, PTR, PTR, PTR, PTR),
	CALL("clone", A0, 0, CLONE_VM | CLONE_VFORK | SIGCHLD),
	CALL("clone", A0, 0, 0xff | CLONE_PIDFD),
	CALL("clone", A0, EPERM, CLONE_NEWNS | SIGCHLD),
	CALL("clone", A0, EPERM, CLONE_NEWCGROUP),
	CALL("clone", A0, EPERM, CLONE_NEWUTS),
	CALL("clone", A0, EPERM, CLONE_NEWIPC),
	CALL("clone", A0, EPERM, CLONE_NEWUSER | SIGCHLD),
	CALL("clone", A0, EPERM, CLONE_NEWPID),
	CALL("clone", A0, EPERM, CLONE_NEWNET),
	CALL("clone", A0, EPERM, CLONE_NEWUSER | CLONE_NEWNET | THREAD),
	CALL("clone3", 0, ENOSYS, PTR, 88),

	/* Terminals. */
	CALL("ioctl", A0 | A1, EPERM, 0, TIOCSTI, PTR),
	CALL("ioctl", A0 | A1, EPERM, 0, TIOCLINUX, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSCTTY, 0),
	CALL("ioctl", A0 | A1, EPERM, 0, TIOCSCTTY, 1),
	CALL("ioctl", A0 | A1, EPERM, 0, TIOCSETD, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSTI - 1, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSTI + 1, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSTI | 0x10000, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TCGETS, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TCSETS, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCGWINSZ, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSWINSZ, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSPGRP, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCNOTTY, 0),
	CALL("ioctl", A0 | A1, 0, 0, TIOCGPTN, PTR),
	CALL("ioctl", A0 | A1, 0, 0, TIOCSPTLCK, PTR),
	CALL("ioctl", A0 | A1, 0, TIOCSTI, TCGETS, TIOCSTI),
	CALL("ioctl", A0 | A1, 0, 0, FIONREAD, PTR),
	CALL("ioctl", A0 | A1, 0, 0, FIOCLEX, 0),

	/* Requests that change files through a descriptor that only reads. */
	CALL("ioctl", A0 | A1, 0, 3, FS_IOC_GETFLAGS, PTR),
	CALL_ON(FLAGS, "ioctl", A0 | A1, EPERM, ASKED, 3, FS_IOC_SETFLAGS, PTR),
	CALL_ON(FLAGS, "ioctl", A0 | A1, EPERM, ASKED, 3, FS_IOC32_SETFLAGS, PTR),
	CALL("ioctl", A0 | A1, 0, 3, FS_IOC_FSGETXATTR, PTR),
	CALL_ON(FLAGS, "ioctl", A0 | A1, EPERM, ASKED, 3, FS_IOC_FSSETXATTR, PTR),
	CALL("ioctl", A0 | A1, EPERM, 3, FS_IOC_SETVERSION, PTR),
	CALL("ioctl", A0 | A1, 0, 3, FICLONE, 4),
	CALL("ioctl", A0 | A1, 0, 3, FIDEDUPERANGE, PTR),
	CALL("ioctl", A0 | A1, EPERM, 3, 0x50009401 /* BTRFS_IOC_SNAP_CREATE */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x5000940e /* BTRFS_IOC_SUBVOL_CREATE */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x50009417 /* BTRFS_IOC_SNAP_CREATE_V2 */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x50009418 /* BTRFS_IOC_SUBVOL_CREATE_V2 */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x5000940f /* BTRFS_IOC_SNAP_DESTROY */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x5000943f /* BTRFS_IOC_SNAP_DESTROY_V2 */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x4008941a /* BTRFS_IOC_SUBVOL_SETFLAGS */, PTR),
	CALL("ioctl", A1, 0, 3, 0x80089419 /* BTRFS_IOC_SUBVOL_GETFLAGS */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x40806685 /* FS_IOC_ENABLE_VERITY */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x800c6613 /* FS_IOC_SET_ENCRYPTION_POLICY */, PTR),
	CALL("ioctl", A1, 0, 3, 0x400c6615 /* FS_IOC_GET_ENCRYPTION_POLICY */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0xc0506617 /* FS_IOC_ADD_ENCRYPTION_KEY */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0xc0406618 /* FS_IOC_REMOVE_ENCRYPTION_KEY */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x40047602 /* FS_IOC32_SETVERSION */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x40086604 /* EXT4_IOC_SETVERSION */, PTR),
	CALL("ioctl", A1, EPERM, 3, 0x40047211 /* FAT_IOCTL_SET_ATTRIBUTES */, PTR),

	/* Modes. */
	CALL_ON(META, "chmod", A1, EPERM, 0, PTR, 0644),
	CALL_ON(META, "chmod", A1, EPERM, 0, PTR, 01777),
	CALL("chmod", A1, EPERM, PTR, 04755),
	CALL("chmod", A1, EPERM, PTR, 02755),
	CALL_ON(META, "fchmod", A0 | A1, EPERM, 0, 3, 0777),
	CALL("fchmod", A0 | A1, EPERM, 3, 06777),
	CALL_ON(META, "fchmodat", A0 | A2, EPERM, 0, 3, PTR, 0600),
	CALL("fchmodat", A0 | A2, EPERM, 3, PTR, 04600),
	CALL_ON(META, "fchmodat2", A0 | A2, EPERM, 0, 3, PTR, 0600, 0),
	CALL("fchmodat2", A0 | A2, EPERM, 3, PTR, 02600, 0),
	CALL_ON(META, "chown", A1 | A2, EPERM, 0, PTR, 1, 1),
	CALL_ON(META, "fchownat", A0, EPERM, 0, 3, PTR, 1, 1, 0),
	CALL_ON(META, "utimensat", A0, EPERM, 0, 3, PTR, PTR, 0),
	CALL_ON(META, "utime", 0, EPERM, 0, PTR, PTR),
	CALL_ON(META, "setxattr", 0, EPERM, 0, PTR, PTR, PTR, 1, 0),
	CALL_ON(META, "setxattrat", A0, EPERM, 0, 3, PTR, 0, PTR, PTR),
	CALL_ON(META, "removexattrat", A0, EPERM, 0, 3, PTR, 0, PTR),
	CALL_ON(FLAGS, "file_setattr", A0, EPERM, ASKED, 3, PTR, PTR, 24, 0),
	CALL("mknod", A1, 0, PTR, S_IFREG | 0644, 0),
	CALL("mknod", A1, EPERM, PTR, S_IFREG | 04755, 0),
	CALL("mknodat", A0 | A2, 0, 3, PTR, S_IFIFO | 0644, 0),
	CALL("mknodat", A0 | A2, EPERM, 3, PTR, S_IFREG | 02755, 0),
	CALL("mkdirat", A0 | A2, 0, 3, PTR, 02755),
	CALL("creat", A1, 0, PTR, 0644),
	CALL("creat", A1, EPERM, PTR, 04644),
	CALL("open", A1 | A2, 0, PTR, O_RDONLY, 0xffffffff),
	CALL("open", A1 | A2, 0, PTR, O_WRONLY | O_CREAT, 0666),
	CALL("open", A1 | A2, EPERM, PTR, O_WRONLY | O_CREAT, 04755),
	CALL("open", A1 | A2, EPERM, PTR, O_RDWR | UNNAMED, 02755),
	CALL("openat", A0 | A2 | A3, 0, 3, PTR, O_RDONLY | O_CLOEXEC, 0),
	CALL("openat", A0 | A2 | A3, 0, 3, PTR, O_RDONLY | O_DIRECTORY, 06777),
	CALL("openat", A0 | A2 | A3, 0, 3, PTR, O_WRONLY | O_CREAT, 0777),
	CALL("openat", A0 | A2 | A3, 0, 3, PTR, O_WRONLY | O_CREAT, 01777),
	CALL("openat", A0 | A2 | A3, EPERM, 3, PTR, O_WRONLY | O_CREAT, 04755),
	CALL("openat", A0 | A2 | A3, EPERM, 3, PTR, O_WRONLY | O_CREAT, 02755),
	CALL("openat", A0 | A2 | A3, 0, 3, PTR, O_RDWR | UNNAMED, 0600),
	CALL("openat", A0 | A2 | A3, EPERM, 3, PTR, O_RDWR | UNNAMED, 04600),

	/* Oneself and others. */
	CALL("setpriority", A0 | A1 | A2, 0, PRIO_PROCESS, 0, 10),
	CALL_ON(OTHERS, "setpriority", A0 | A1 | A2, EPERM, ASKED, PRIO_PROCESS, 1234, 10),
	CALL("setpriority", A0 | A1 | A2, EPERM, PRIO_PGRP, 0, 10),
	CALL("setpriority", A0 | A1 | A2, EPERM, PRIO_USER, 0, 10),
	CALL("getpriority", A0 | A1, 0, PRIO_USER, 0),
	CALL("ioprio_set", A0 | A1 | A2, 0, 1, 0, 3 << 13),
	CALL_ON(OTHERS, "ioprio_set", A0 | A1 | A2, EPERM, ASKED, 1, 1234, 3 << 13),
	CALL("ioprio_set", A0 | A1 | A2, EPERM, 2, 0, 3 << 13),
	CALL("ioprio_set", A0 | A1 | A2, EPERM, 3, 0, 3 << 13),
	CALL("sched_setscheduler", A0 | A1, 0, 0, 3, PTR),
	CALL_ON(OTHERS, "sched_setscheduler", A0 | A1, EPERM, ASKED, 1234, 3, PTR),
	CALL("sched_setparam", A0, 0, 0, PTR),
	CALL_ON(OTHERS, "sched_setparam", A0, EPERM, ASKED, 1, PTR),
	CALL("sched_setattr", A0 | A2, 0, 0, PTR, 0),
	CALL_ON(OTHERS, "sched_setattr", A0 | A2, EPERM, ASKED, 0x80000000, PTR, 0),
	CALL("sched_setaffinity", A0 | A1, 0, 0, 8, PTR),
	CALL_ON(OTHERS, "sched_setaffinity", A0 | A1, EPERM, ASKED, 1234, 8, PTR),
	CALL("sched_getaffinity", A0 | A1, 0, 1234, 8, PTR),
	CALL("prlimit64", A0 | A1, 0, 0, 7, PTR, PTR),
	CALL("prlimit64", A0 | A1, 0, 1234, 7, 0, PTR),
	CALL_ON(OTHERS, "prlimit64", A0 | A1, EPERM, ASKED, 1234, 7, PTR, PTR),
	CALL_ON(OTHERS, "prlimit64", A0 | A1, EPERM, ASKED, 1234, 7, 0x100000000, 0),
	CALL("get_robust_list", A0, 0, 0, PTR, PTR),
	CALL("get_robust_list", A0, EPERM, 1234, PTR, PTR),
	CALL("set_robust_list", 0, 0, PTR, 24),

	CALL("personality", A0, 0, 0xffffffff),
	CALL("personality", A0, 0, UINT64_MAX),
	CALL("personality", A0, 0, 0),
	CALL("personality", A0, EPERM, 0x0040000 /* ADDR_NO_RANDOMIZE */),
	CALL("personality", A0, EPERM, 0x0400000 /* READ_IMPLIES_EXEC */),
	CALL("personality", A0, EPERM, 0xfffffffe),
	CALL("personality", A0, EPERM, 0x7fffffff),
	CALL("personality", A0, EPERM, 8 /* PER_LINUX32 */),

	CALL("prctl", A0, EPERM, PR_SET_MM, 1, 2),
	CALL("prctl", A0, EPERM, PR_SET_PTRACER, UINT64_MAX),
	CALL("prctl", A0, 0, PR_SET_NAME, PTR),
	CALL("prctl", A0, 0, PR_SET_PDEATHSIG, 15),
	CALL("prctl", A0, 0, PR_SET_NO_NEW_PRIVS, 1),
	CALL("prctl", A0, 0, PR_SET_SECCOMP, 2, PTR),
	CALL("prctl", A0, 0, PR_SET_DUMPABLE, 0),
	CALL("seccomp", A0 | A1, 0, 1, 0, PTR),
	CALL("seccomp", A0 | A1, 0, 1, 1 /* TSYNC */, PTR),
	CALL("seccomp", A0 | A1, EBUSY, 1, 8 /* NEW_LISTENER */, PTR),
	CALL("seccomp", A0 | A1, EBUSY, 1, 8 | 16 | 32, PTR),
	CALL("seccomp", A0 | A1, 0, 3, 0, PTR),

	CALL("fcntl", A0 | A1, EPERM, 3, F_SETLEASE, F_WRLCK),
	CALL("fcntl", A0 | A1, 0, 3, F_GETLEASE, 0),
	CALL("fcntl", A0 | A1, EPERM, 3, F_NOTIFY, 0),
	CALL("fcntl", A0 | A1, EPERM, 3, 1040 /* F_SETDELEG */, PTR),
	CALL("fcntl", A0 | A1, 0, 3, F_DUPFD_CLOEXEC, 3),
	CALL("fcntl", A0 | A1, 0, 3, F_SETLK, PTR),
	CALL("fcntl", A0 | A1, 0, 3, F_OFD_SETLK, PTR),
	CALL("fcntl", A0 | A1, 0, 3, F_ADD_SEALS, 1),
	CALL("fcntl", A0 | A1, 0, 3, F_SETPIPE_SZ, 4096),
	CALL_ON(META, "flock", A0 | A1, EPERM, 0, 3, LOCK_EX),
	CALL_ON(META, "flock", A0 | A1, EPERM, 0, 3, LOCK_EX | LOCK_NB),
	CALL("flock", A0 | A1, 0, 3, LOCK_SH),
	CALL("flock", A0 | A1, 0, 3, LOCK_UN),

	/* IPC. */
	CALL_ON(IPC, "shmget", A0 | A2, EPERM, 0, 1, 4096, 01600),
	CALL_ON(IPC, "shmat", A0 | A2, EPERM, 0, 1, 0, 0),
	CALL_ON(IPC, "semget", A0, EPERM, 0, 1, 1, 0600),
	CALL_ON(IPC, "semtimedop", A0, EPERM, 0, 1, PTR, 1, PTR),
	CALL_ON(IPC, "msgget", A0, EPERM, 0, 1, 0600),
	CALL_ON(IPC, "msgsnd", A0, EPERM, 0, 1, PTR, 1, 0),
	CALL_ON(IPC, "mq_open", A1, EPERM, 0, PTR, O_RDWR, 0, 0),
	CALL_ON(IPC, "mq_timedsend", A0, EPERM, 0, 3, PTR, 1, 0, 0),

	/* Sockets. */
	CALL_ON(UNIX, "socket", A0 | A1 | A2, EACCES, 0, AF_UNIX, SOCK_STREAM, 0),
	CALL_ON(UNIX, "socket", A0 | A1 | A2, EACCES, 0, AF_UNIX, SOCK_STREAM | TYPE_FLAGS, 1),
	CALL_ON(UNIX, "socket", A0 | A1 | A2, EACCES, 0, AF_UNIX, SOCK_SEQPACKET, 0),
	CALL_ON(UNIX, "socket", A0 | A1 | A2, EACCES, EPROTONOSUPPORT, AF_UNIX, SOCK_DGRAM, 0),
	CALL_ON(UNIX, "socket", A0 | A1, EACCES, EPROTONOSUPPORT, AF_UNIX, SOCK_DGRAM | TYPE_FLAGS,
		0),
	CALL_ON(UNIX, "socket", A0 | A1 | A2, EACCES, EPROTONOSUPPORT, AF_UNIX, SOCK_RAW, 0),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, 0, AF_INET, SOCK_STREAM, 0),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, 0, AF_INET, SOCK_STREAM | TYPE_FLAGS, 6),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, 0, AF_INET6, SOCK_STREAM, 6),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, 0, AF_INET, SOCK_DGRAM, 0),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, 0, AF_INET6, SOCK_DGRAM | TYPE_FLAGS,
		17),
	CALL_ON(INET, "socket", A0, ENETUNREACH, EPROTONOSUPPORT, AF_INET, SOCK_STREAM,
		262 /* MPTCP */),
	CALL_ON(INET, "socket", A0, ENETUNREACH, EPROTONOSUPPORT, AF_INET6, SOCK_STREAM, 262),
	CALL_ON(INET, "socket", A0, ENETUNREACH, EPROTONOSUPPORT, AF_INET, SOCK_STREAM,
		132 /* SCTP */),
	CALL_ON(INET, "socket", A0, ENETUNREACH, EPROTONOSUPPORT, AF_INET, SOCK_DGRAM,
		136 /* UDPLITE */),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, EACCES, AF_INET, SOCK_DGRAM,
		IPPROTO_ICMP),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, EACCES, AF_INET, SOCK_RAW, IPPROTO_ICMP),
	CALL_ON(INET, "socket", A0 | A1 | A2, ENETUNREACH, EACCES, AF_INET6, SOCK_RAW, 58),
	CALL("socket", A0 | A1 | A2, 0, AF_NETLINK, SOCK_RAW, 0),
	CALL("socket", A0 | A1 | A2, 0, AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, 0),
	CALL("socket", A0, EPROTONOSUPPORT, AF_NETLINK, SOCK_RAW, 4 /* SOCK_DIAG */),
	CALL("socket", A0, EPROTONOSUPPORT, AF_NETLINK, SOCK_RAW, 12 /* NETFILTER */),
	CALL("socket", A0, EPROTONOSUPPORT, AF_NETLINK, SOCK_RAW, 15 /* UEVENT */),
	CALL("socket", A0 | A1 | A2, EAFNOSUPPORT, AF_PACKET, SOCK_RAW, 0),
	CALL("socket", A0 | A1 | A2, EAFNOSUPPORT, AF_VSOCK, SOCK_STREAM, 0),
	CALL("socket", A0 | A1 | A2, EAFNOSUPPORT, AF_ALG, SOCK_SEQPACKET, 0),
	CALL("socket", A0 | A1 | A2, EAFNOSUPPORT, AF_BLUETOOTH, SOCK_RAW, 1),
	CALL("socket", A0 | A1 | A2, EAFNOSUPPORT, AF_UNSPEC, SOCK_STREAM, 0),
	CALL("socketpair", A0 | A1 | A2, 0, AF_UNIX, SOCK_STREAM, 0, PTR),
	CALL("socketpair", A0 | A1 | A2, 0, AF_UNIX, SOCK_STREAM | TYPE_FLAGS, 0, PTR),
	CALL("socketpair", A0 | A1 | A2, 0, AF_UNIX, SOCK_SEQPACKET, 0, PTR),
	CALL("socketpair", A0 | A1, EPROTONOSUPPORT, AF_UNIX, SOCK_DGRAM, 0, PTR),
	CALL("socketpair", A0 | A1, EPROTONOSUPPORT, AF_UNIX, SOCK_RAW, 0, PTR),
	CALL("socketpair", A0 | A1, EAFNOSUPPORT, AF_TIPC, SOCK_STREAM, 0, PTR),
	CALL("connect", A0 | A2, 0, 3, PTR, 16),
	CALL("sendto", A0 | A3, 0, 3, PTR, 5, MSG_NOSIGNAL, 0),
	CALL("sendto", A0 | A3, EOPNOTSUPP, 3, PTR, 5, MSG_FASTOPEN, PTR),
	CALL("sendto", A0 | A3, EOPNOTSUPP, 3, PTR, 5, MSG_FASTOPEN | MSG_NOSIGNAL, PTR),
	CALL("sendmsg", A0 | A2, 0, 3, PTR, MSG_DONTWAIT),
	CALL("sendmsg", A0 | A2, EOPNOTSUPP, 3, PTR, MSG_FASTOPEN),
	CALL("sendmmsg", A0 | A2 | A3, 0, 3, PTR, 1, 0),
	CALL("sendmmsg", A0 | A2 | A3, EOPNOTSUPP, 3, PTR, 1, MSG_FASTOPEN),
};

static bool
is_on(enum on on, const struct plan_filter *spec)
{
	return (on == INET && spec->inet) || (on == UNIX && spec->unix_sockets) ||
	       (on == META && spec->metadata) || (on == IPC && spec->ipc) ||
	       (on == OTHERS && (spec->notify & PART_PROCESSES) != 0) ||
	       (on == FLAGS && (spec->notify & PART_METADATA) != 0);
}

/* An INET socket where there are none but for the loopback interface. */
static int
wanted_on_loopback(const struct call *call)
{
	switch (call->args[1] & 0xf) {
	case SOCK_STREAM:
		return call->otherwise; /* as where the network is open */
	case SOCK_DGRAM:
		return ENETUNREACH;
	default:
		return EACCES;
	}
}

static int
wanted_in(const struct call *call, const struct plan_filter *spec)
{
	int wanted = is_on(call->on, spec) ? call->otherwise : call->verdict;

	if (call->on == INET && spec->loopback) {
		wanted = wanted_on_loopback(call);
	}
	return wanted == 0 && is_asked(call->name, spec->notify, call->args) ? ASKED : wanted;
}

static void
gives_the_verdict_of_the_table_in_all_standard_filters(void **state)
{
	struct filters *filters = *state;

	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		struct plan_filter spec = filter_standard_spec(i);

		for (size_t c = 0; c < COUNT_OF(calls); c++) {
			const struct call *call = &calls[c];
			int wanted;
			int plain;
			int dirty;

			if (!exists(call->name)) {
				continue;
			}
			wanted = wanted_in(call, &spec);
			plain = run_call(&filters->standard[i], call->name, call->args, 0);
			dirty = run_call(&filters->standard[i], call->name, call->args, call->ints);
			if (plain != wanted || passes(dirty) != passes(wanted) ||
			    (dirty == 0) != (wanted == 0)) {
				fail_msg("filter %u, row %zu (%s): wanted %d, is %d, with rubbish "
					 "%d",
					 i, c, call->name, wanted, plain, dirty);
			}
		}
	}
}

/* ---- calls as a whole -------------------------------------------------------------------- */

static uint64_t
rng(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Is the call among those that argument rules are about? */
static bool
has_rules(const char *name)
{
	bool found = false;

	for (size_t i = 0; i < filter_pass_rule_count; i++) {
		found = found || strcmp(filter_pass_rules[i].name, name) == 0;
	}
	for (size_t i = 0; i < filter_refuse_rule_count; i++) {
		found = found || strcmp(filter_refuse_rules[i].name, name) == 0;
	}
	return found;
}

static bool
is_refused(const struct syscall_row *row, const struct plan_filter *spec)
{
	switch ((int)row->family) {
	case FAMILY_METADATA:
		return !spec->metadata;
	case FAMILY_SYSV_IPC:
	case FAMILY_POSIX_MQ:
		return !spec->ipc;
	default:
		return row->reason != NULL && !filter_asks(row->name, spec->notify);
	}
}

static struct seccomp_data
random_call(const struct syscall_row *row, uint64_t *seed)
{
	struct seccomp_data data = { .nr = syscall_number(row), .arch = NATIVE };

	for (int a = 0; a < 6; a++) {
		data.args[a] = rng(seed) >> (rng(seed) % 64);
	}
	return data;
}

static void
judges_by_number_alone_without_an_argument_rule(void **state)
{
	struct filters *filters = *state;
	uint64_t seed = 88172645463325252;

	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		struct plan_filter spec = filter_standard_spec(i);

		for (size_t r = 0; r < syscall_row_count; r++) {
			const struct syscall_row *row = &syscall_rows[r];
			bool refused = is_refused(row, &spec);

			if (syscall_number(row) < 0 || (!refused && has_rules(row->name))) {
				continue;
			}
			for (int n = 0; n < 20; n++) {
				struct seccomp_data data = random_call(row, &seed);
				uint64_t args[6];
				int passed;

				memcpy(args, data.args, sizeof(args));
				passed = is_asked(row->name, spec.notify, args) ? ASKED : 0;
				assert_int_equal(run(&filters->standard[i], &data),
						 refused ? row->error : passed);
			}
		}
	}
}

static void
refuses_the_next_numbers_as_an_old_kernel_would(void **state)
{
	struct filters *filters = *state;

	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		for (uint32_t nr = SYSCALL_FIRST_UNKNOWN; nr < 2000; nr++) {
			assert_int_equal(run_number(&filters->standard[i], NATIVE, nr), ENOSYS);
		}
	}
}

/* ---- the rules, read as they stand ------------------------------------------------------- */

static bool
arg_matches(const struct scmp_arg_cmp *cmp, const uint64_t args[6])
{
	uint64_t value = args[cmp->arg];

	switch ((int)cmp->op) {
	case SCMP_CMP_MASKED_EQ:
		return (value & cmp->datum_a) == cmp->datum_b;
	case SCMP_CMP_EQ:
		return value == cmp->datum_a;
	case SCMP_CMP_GT:
		return value > cmp->datum_a;
	default:
		fail_msg("comparison %d is not known here", (int)cmp->op);
		return false;
	}
}

static bool
rule_matches(const struct filter_rule *rule, const char *name, unsigned int in_force,
	     const uint64_t args[6])
{
	bool matches = strcmp(rule->name, name) == 0 && (rule->when & in_force) != 0;

	for (size_t i = 0; matches && i < FILTER_ARGS && rule->args[i].op != 0; i++) {
		matches = arg_matches(&rule->args[i], args);
	}
	return matches;
}

static bool
rules_allow(const char *name, unsigned int in_force, const uint64_t args[6])
{
	bool judged = false;
	bool passes = false;
	bool refused = false;

	for (size_t i = 0; i < filter_pass_rule_count; i++) {
		const struct filter_rule *rule = &filter_pass_rules[i];

		judged = judged || (strcmp(rule->name, name) == 0 && (rule->when & in_force) != 0);
		passes = passes || (rule->error == 0 && rule_matches(rule, name, in_force, args));
	}
	for (size_t i = 0; i < filter_refuse_rule_count; i++) {
		refused = refused || rule_matches(&filter_refuse_rules[i], name, in_force, args);
	}
	return judged ? passes : !refused;
}

/* A value that some rule is interested in, or near to one, or none. */
static uint64_t
interesting_value(uint64_t *seed, unsigned int arg)
{
	const struct filter_rule *rule = &filter_pass_rules[rng(seed) % filter_pass_rule_count];
	uint64_t value = rng(seed) >> (rng(seed) % 64);

	if (rng(seed) % 3 == 0) {
		rule = &filter_refuse_rules[rng(seed) % filter_refuse_rule_count];
	}
	for (size_t i = 0; i < FILTER_ARGS; i++) {
		const struct scmp_arg_cmp *cmp = &rule->args[i];

		if (cmp->arg == arg && cmp->op == SCMP_CMP_MASKED_EQ && rng(seed) % 4 != 0) {
			value = (value & ~cmp->datum_a) | cmp->datum_b;
		}
	}
	return rng(seed) % 8 == 0 ? value + 1 - rng(seed) % 3 : value;
}

/* libseccomp orders, joins and shares the rules of a call; the result must mean the same. */
static void
does_what_the_rules_say_for_calls_at_random(void **state)
{
	struct filters *filters = *state;
	uint64_t seed = 20;

	for (int n = 0; n < 400000; n++) {
		unsigned int i = (unsigned int)(rng(&seed) % FILTER_STANDARDS);
		struct plan_filter spec = filter_standard_spec(i);
		const struct syscall_row *row = &syscall_rows[rng(&seed) % syscall_row_count];
		unsigned int in_force = filter_conditions(&spec);
		struct seccomp_data data = { .nr = syscall_number(row), .arch = NATIVE };
		uint64_t args[6];
		int verdict;

		if (data.nr < 0 || is_refused(row, &spec) || !has_rules(row->name)) {
			continue;
		}
		for (unsigned int a = 0; a < 6; a++) {
			args[a] = interesting_value(&seed, a);
			data.args[a] = args[a];
		}
		verdict = run(&filters->standard[i], &data);
		assert_int_equal(passes(verdict), rules_allow(row->name, in_force, args));
		if (passes(verdict)) {
			assert_int_equal(verdict == ASKED, is_asked(row->name, spec.notify, args));
		}
	}
}

/* ---- architectures ----------------------------------------------------------------------- */

static void
expect_foreign_calls_to_kill(const struct sock_fprog *program)
{
	static const uint32_t archs[] = { AUDIT_ARCH_I386,	AUDIT_ARCH_ARM,
					  AUDIT_ARCH_PPC64LE,	0,
					  NATIVE ^ 0x80000000U, NATIVE ^ 0x40000000U,
					  AUDIT_ARCH_RISCV64,	UINT32_MAX };

	for (size_t a = 0; a < COUNT_OF(archs); a++) {
		for (uint32_t nr = 0; nr < 600; nr++) {
			assert_int_equal(run_number(program, archs[a], nr), KILLED);
		}
		assert_int_equal(run_number(program, archs[a], UINT32_MAX), KILLED);
	}
}

static void
expect_x32_calls_to_kill(const struct sock_fprog *program)
{
#if defined(__x86_64__)
	for (uint32_t nr = 0; nr < 600; nr++) {
		assert_int_equal(run_number(program, NATIVE, nr | 0x40000000U), KILLED);
		assert_int_equal(run_number(program, NATIVE, nr | 0x80000000U), KILLED);
		assert_int_equal(run_number(program, NATIVE, UINT32_MAX - 1 - nr), KILLED);
	}
#else
	(void)program;
#endif
}

static void
kills_calls_of_other_architectures(void **state)
{
	struct filters *filters = *state;
	static const char *const listed[] = { "@file_io" };
	struct plan_filter specs[] = {
		{ .mode = SECCOMP_DENYLIST },
		{ .mode = SECCOMP_DENYLIST, .strict = true, .log_only = true },
		{ .mode = SECCOMP_ALLOWLIST, .allowed = { (const char **)(uintptr_t)listed, 1 } },
	};

	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		expect_foreign_calls_to_kill(&filters->standard[i]);
		expect_x32_calls_to_kill(&filters->standard[i]);
	}
	for (size_t i = 0; i < COUNT_OF(specs); i++) {
		struct sock_fprog program = compile(filters, &specs[i]);

		expect_foreign_calls_to_kill(&program);
		expect_x32_calls_to_kill(&program);
	}
}

/* The number that tracers write to skip a call. No kernel serves it. */
static void
answers_the_number_minus_one_as_unknown(void **state)
{
	struct filters *filters = *state;

	assert_int_equal(run_number(&filters->standard[0], NATIVE, UINT32_MAX), ENOSYS);
}

/* ---- what a table cannot hold ------------------------------------------------------------ */

static void
allows_exactly_the_personas_zero_and_query(void **state)
{
	struct filters *filters = *state;
	uint64_t seed = 42;

	for (int n = 0; n < 20000; n++) {
		uint32_t persona = (uint32_t)(rng(&seed) >> (rng(&seed) % 64));
		uint64_t args[5] = { persona };

		assert_int_equal(run_call(&filters->standard[(unsigned int)n % FILTER_STANDARDS],
					  "personality", args, 0) == 0,
				 persona == 0 || persona == UINT32_MAX);
	}
}

static void
looks_at_every_bit_of_clone_flags_and_modes(void **state)
{
	const uint64_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
				    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
	struct filters *filters = *state;
	uint64_t seed = 7;

	for (int n = 0; n < 20000; n++) {
		unsigned int i = (unsigned int)n % FILTER_STANDARDS;
		unsigned int parts = filter_standard_spec(i).notify;
		const struct sock_fprog *program = &filters->standard[i];
		uint64_t flags = rng(&seed) & rng(&seed) & rng(&seed);
		uint64_t mode = rng(&seed) & rng(&seed);
		uint64_t clone[5] = { flags };
		uint64_t openat[5] = { 3, PTR, flags, mode };
		bool makes = (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) != 0;

		assert_int_equal(run_call(program, "clone", clone, 0),
				 (flags & namespaces) != 0	   ? EPERM
				 : is_asked("clone", parts, clone) ? ASKED
								   : 0);
		assert_int_equal(run_call(program, "openat", openat, 0),
				 makes && (mode & 06000) != 0	     ? EPERM
				 : is_asked("openat", parts, openat) ? ASKED
								     : 0);
	}
}

static void
only_logs_with_log_only(void **state)
{
	const struct plan_filter spec = { .strict = true, .log_only = true };
	struct sock_fprog program = compile(*state, &spec);

	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		if (exists(calls[i].name)) {
			assert_int_equal(run_call(&program, calls[i].name, calls[i].args, 0),
					 calls[i].verdict == 0 ? 0 : LOGGED);
		}
	}
	assert_int_equal(run_number(&program, NATIVE, SYSCALL_FIRST_UNKNOWN), LOGGED);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_verdict_of_the_table_in_all_standard_filters),
		cmocka_unit_test(judges_by_number_alone_without_an_argument_rule),
		cmocka_unit_test(does_what_the_rules_say_for_calls_at_random),
		cmocka_unit_test(refuses_the_next_numbers_as_an_old_kernel_would),
		cmocka_unit_test(kills_calls_of_other_architectures),
		cmocka_unit_test(answers_the_number_minus_one_as_unknown),
		cmocka_unit_test(allows_exactly_the_personas_zero_and_query),
		cmocka_unit_test(looks_at_every_bit_of_clone_flags_and_modes),
		cmocka_unit_test(only_logs_with_log_only),
	};

	return cmocka_run_group_tests(tests, make_filters, free_filters);
}
