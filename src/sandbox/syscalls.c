/* SPDX-License-Identifier: MIT */
/*
 * Every system call of x86_64 and aarch64 up to Linux 6.19, with what it is about, and for those
 * that the built-in denylist refuses, why and with which errno: ENOSYS and EOPNOTSUPP where
 * programs then fall back to something else, else EPERM.
 *
 * Numbers: the kernel's arch/x86/entry/syscalls/syscall_64.tbl and scripts/syscall.tbl. First
 * kernels: syscalls(2). libseccomp 2.5.4 stops at 5.17, so nothing here is looked up by name.
 *
 * Invariant: sorted by name, names are unique (test_filter.c).
 */
#include "sandbox/filter.h"

#include "base/attr.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reasons that several calls share. */
#define REASON_MOVES_MEMORY "moves the memory of another process"
#define REASON_MOUNTS "changes what is mounted"
#define REASON_ROOT "changes the root directory"
#define REASON_COPIES_TREE "copies a part of the file tree out of reach of its rules"
#define REASON_PREPARES_MOUNT "prepares a new mount"
#define REASON_PREPARES_CHANGE "prepares a change of a mount"
#define REASON_LISTS_MOUNTS "lists what is mounted"
#define REASON_MODULE "puts code into the kernel"
#define REASON_SYMBOLS "asks for the kernel's modules and symbols"
#define REASON_KEXEC "loads another kernel"
#define REASON_IO_URING "performs other system calls where no filter sees them"
#define REASON_SWAP "changes the swap space"
#define REASON_CLOCK "sets the clock"
#define REASON_KEYS "reaches keys and secrets that the kernel holds"
#define REASON_IO_PORT "reaches the ports of devices"
#define REASON_QUOTA "changes and reads disk quotas"
#define REASON_SYSV_IPC "shares memory and messages with processes outside"
#define REASON_POSIX_MQ "exchanges messages with processes outside"
#define REASON_METADATA "changes mode, owner, times or attributes, which no path rule covers"
#define REASON_FANOTIFY "watches, and may hold up, access to files"
#define REASON_LEGACY "is obsolete and has a history of faults"

const struct syscall_row syscall_rows[] = {
	{ "_sysctl", 156, -1, FAMILY_LEGACY, ENOSYS, "2.0", REASON_LEGACY },
	{ "accept", 43, 202, FAMILY_NET, EPERM, "2.0", NULL },
	{ "accept4", 288, 242, FAMILY_NET, EPERM, "2.6.28", NULL },
	{ "access", 21, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "acct", 163, 89, FAMILY_ACCT, EPERM, "1.0", "switches process accounting" },
	{ "add_key", 248, 217, FAMILY_KEYRING, EPERM, "2.6.10", REASON_KEYS },
	{ "adjtimex", 159, 171, FAMILY_CLOCK, EPERM, "1.0", REASON_CLOCK },
	{ "afs_syscall", 183, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "alarm", 37, -1, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "arch_prctl", 158, -1, FAMILY_PROCESS, EPERM, "2.6", NULL },
	{ "bind", 49, 200, FAMILY_NET, EPERM, "2.0", NULL },
	{ "bpf", 321, 280, FAMILY_BPF, EPERM, "3.18", "loads programs into the kernel" },
	{ "brk", 12, 214, FAMILY_MEMORY, EPERM, "1.0", NULL },
	{ "cachestat", 451, 451, FAMILY_FILE_IO, EPERM, "6.5", NULL },
	{ "capget", 125, 90, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "capset", 126, 91, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "chdir", 80, 49, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "chmod", 90, -1, FAMILY_METADATA, EPERM, "1.0", REASON_METADATA },
	{ "chown", 92, -1, FAMILY_METADATA, EPERM, "2.2", REASON_METADATA },
	{ "chroot", 161, 51, FAMILY_MOUNT, EPERM, "1.0", REASON_ROOT },
	{ "clock_adjtime", 305, 266, FAMILY_CLOCK, EPERM, "2.6.39", REASON_CLOCK },
	{ "clock_getres", 229, 114, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "clock_gettime", 228, 113, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "clock_nanosleep", 230, 115, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "clock_settime", 227, 112, FAMILY_CLOCK, EPERM, "2.6", REASON_CLOCK },
	{ "clone", 56, 220, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "clone3", 435, 435, FAMILY_PROCESS, ENOSYS, "5.3",
	  "makes namespaces, with flags that lie where no filter can look" },
	{ "close", 3, 57, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "close_range", 436, 436, FAMILY_FILE_IO, EPERM, "5.9", NULL },
	{ "connect", 42, 203, FAMILY_NET, EPERM, "2.0", NULL },
	{ "copy_file_range", 326, 285, FAMILY_FILE_IO, EPERM, "4.5", NULL },
	{ "creat", 85, -1, FAMILY_FILE_OPEN, EPERM, "1.0", NULL },
	{ "create_module", 174, -1, FAMILY_MODULE, ENOSYS, "1.0", REASON_MODULE },
	{ "delete_module", 176, 106, FAMILY_MODULE, EPERM, "1.0", "takes code out of the kernel" },
	{ "dup", 32, 23, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "dup2", 33, -1, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "dup3", 292, 24, FAMILY_FILE_IO, EPERM, "2.6.27", NULL },
	{ "epoll_create", 213, -1, FAMILY_EVENT, EPERM, "2.6", NULL },
	{ "epoll_create1", 291, 20, FAMILY_EVENT, EPERM, "2.6.27", NULL },
	{ "epoll_ctl", 233, 21, FAMILY_EVENT, EPERM, "2.6", NULL },
	{ "epoll_ctl_old", 214, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "epoll_pwait", 281, 22, FAMILY_EVENT, EPERM, "2.6.19", NULL },
	{ "epoll_pwait2", 441, 441, FAMILY_EVENT, EPERM, "5.11", NULL },
	{ "epoll_wait", 232, -1, FAMILY_EVENT, EPERM, "2.6", NULL },
	{ "epoll_wait_old", 215, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "eventfd", 284, -1, FAMILY_EVENT, EPERM, "2.6.22", NULL },
	{ "eventfd2", 290, 19, FAMILY_EVENT, EPERM, "2.6.27", NULL },
	{ "execve", 59, 221, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "execveat", 322, 281, FAMILY_PROCESS, EPERM, "3.19", NULL },
	{ "exit", 60, 93, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "exit_group", 231, 94, FAMILY_PROCESS, EPERM, "2.6", NULL },
	{ "faccessat", 269, 48, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "faccessat2", 439, 439, FAMILY_FILE_SYSTEM, EPERM, "5.8", NULL },
	{ "fadvise64", 221, 223, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "fallocate", 285, 47, FAMILY_FILE_IO, EPERM, "2.6.23", NULL },
	{ "fanotify_init", 300, 262, FAMILY_FANOTIFY, EPERM, "2.6.37", REASON_FANOTIFY },
	{ "fanotify_mark", 301, 263, FAMILY_FANOTIFY, EPERM, "2.6.37", REASON_FANOTIFY },
	{ "fchdir", 81, 50, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "fchmod", 91, 52, FAMILY_METADATA, EPERM, "1.0", REASON_METADATA },
	{ "fchmodat", 268, 53, FAMILY_METADATA, EPERM, "2.6.16", REASON_METADATA },
	{ "fchmodat2", 452, 452, FAMILY_METADATA, EPERM, "6.6", REASON_METADATA },
	{ "fchown", 93, 55, FAMILY_METADATA, EPERM, "1.0", REASON_METADATA },
	{ "fchownat", 260, 54, FAMILY_METADATA, EPERM, "2.6.16", REASON_METADATA },
	{ "fcntl", 72, 25, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "fdatasync", 75, 83, FAMILY_FILE_IO, EPERM, "2.0", NULL },
	{ "fgetxattr", 193, 10, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "file_getattr", 468, 468, FAMILY_FILE_SYSTEM, EPERM, "6.17", NULL },
	{ "file_setattr", 469, 469, FAMILY_FILE_ATTR, EPERM, "6.17", REASON_METADATA },
	{ "finit_module", 313, 273, FAMILY_MODULE, EPERM, "3.8", REASON_MODULE },
	{ "flistxattr", 196, 13, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "flock", 73, 32, FAMILY_FILE_IO, EPERM, "2.0", NULL },
	{ "fork", 57, -1, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "fremovexattr", 199, 16, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "fsconfig", 431, 431, FAMILY_MOUNT, EPERM, "5.2", REASON_PREPARES_MOUNT },
	{ "fsetxattr", 190, 7, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "fsmount", 432, 432, FAMILY_MOUNT, EPERM, "5.2", REASON_PREPARES_MOUNT },
	{ "fsopen", 430, 430, FAMILY_MOUNT, EPERM, "5.2", REASON_PREPARES_MOUNT },
	{ "fspick", 433, 433, FAMILY_MOUNT, EPERM, "5.2", REASON_PREPARES_CHANGE },
	{ "fstat", 5, 80, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "fstatfs", 138, 44, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "fsync", 74, 82, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "ftruncate", 77, 46, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "futex", 202, 98, FAMILY_THREAD, EPERM, "2.6", NULL },
	{ "futex_requeue", 456, 456, FAMILY_THREAD, EPERM, "6.7", NULL },
	{ "futex_wait", 455, 455, FAMILY_THREAD, EPERM, "6.7", NULL },
	{ "futex_waitv", 449, 449, FAMILY_THREAD, EPERM, "5.16", NULL },
	{ "futex_wake", 454, 454, FAMILY_THREAD, EPERM, "6.7", NULL },
	{ "futimesat", 261, -1, FAMILY_METADATA, EPERM, "2.6.16", REASON_METADATA },
	{ "get_kernel_syms", 177, -1, FAMILY_MODULE, ENOSYS, "1.0", REASON_SYMBOLS },
	{ "get_mempolicy", 239, 236, FAMILY_MEMORY, EPERM, "2.6.6", NULL },
	{ "get_robust_list", 274, 100, FAMILY_THREAD, EPERM, "2.6.17", NULL },
	{ "get_thread_area", 211, -1, FAMILY_UNBUILT, ENOSYS, "2.6", NULL },
	{ "getcpu", 309, 168, FAMILY_THREAD, EPERM, "2.6.19", NULL },
	{ "getcwd", 79, 17, FAMILY_FILE_SYSTEM, EPERM, "2.2", NULL },
	{ "getdents", 78, -1, FAMILY_FILE_SYSTEM, EPERM, "2.0", NULL },
	{ "getdents64", 217, 61, FAMILY_FILE_SYSTEM, EPERM, "2.4", NULL },
	{ "getegid", 108, 177, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "geteuid", 107, 175, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "getgid", 104, 176, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "getgroups", 115, 158, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "getitimer", 36, 102, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "getpeername", 52, 205, FAMILY_NET, EPERM, "2.0", NULL },
	{ "getpgid", 121, 155, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getpgrp", 111, -1, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getpid", 39, 172, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getpmsg", 181, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "getppid", 110, 173, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getpriority", 140, 141, FAMILY_SCHED, EPERM, "1.0", NULL },
	{ "getrandom", 318, 278, FAMILY_RANDOM, EPERM, "3.17", NULL },
	{ "getresgid", 120, 150, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "getresuid", 118, 148, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "getrlimit", 97, 163, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getrusage", 98, 165, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "getsid", 124, 156, FAMILY_PROCESS, EPERM, "2.0", NULL },
	{ "getsockname", 51, 204, FAMILY_NET, EPERM, "2.0", NULL },
	{ "getsockopt", 55, 209, FAMILY_NET, EPERM, "2.0", NULL },
	{ "gettid", 186, 178, FAMILY_THREAD, EPERM, "2.4.11", NULL },
	{ "gettimeofday", 96, 169, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "getuid", 102, 174, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "getxattr", 191, 8, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "getxattrat", 464, 464, FAMILY_FILE_SYSTEM, EPERM, "6.13", NULL },
	{ "init_module", 175, 105, FAMILY_MODULE, EPERM, "1.0", REASON_MODULE },
	{ "inotify_add_watch", 254, 27, FAMILY_EVENT, EPERM, "2.6.13", NULL },
	{ "inotify_init", 253, -1, FAMILY_EVENT, EPERM, "2.6.13", NULL },
	{ "inotify_init1", 294, 26, FAMILY_EVENT, EPERM, "2.6.27", NULL },
	{ "inotify_rm_watch", 255, 28, FAMILY_EVENT, EPERM, "2.6.13", NULL },
	{ "io_cancel", 210, 3, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "io_destroy", 207, 1, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "io_getevents", 208, 4, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "io_pgetevents", 333, 292, FAMILY_FILE_IO, EPERM, "4.18", NULL },
	{ "io_setup", 206, 0, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "io_submit", 209, 2, FAMILY_FILE_IO, EPERM, "2.6", NULL },
	{ "io_uring_enter", 426, 426, FAMILY_IO_URING, ENOSYS, "5.1", REASON_IO_URING },
	{ "io_uring_register", 427, 427, FAMILY_IO_URING, ENOSYS, "5.1", REASON_IO_URING },
	{ "io_uring_setup", 425, 425, FAMILY_IO_URING, ENOSYS, "5.1", REASON_IO_URING },
	{ "ioctl", 16, 29, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "ioperm", 173, -1, FAMILY_IO_PORT, EPERM, "1.0", REASON_IO_PORT },
	{ "iopl", 172, -1, FAMILY_IO_PORT, EPERM, "1.0", REASON_IO_PORT },
	{ "ioprio_get", 252, 31, FAMILY_SCHED, EPERM, "2.6.13", NULL },
	{ "ioprio_set", 251, 30, FAMILY_SCHED, EPERM, "2.6.13", NULL },
	{ "kcmp", 312, 272, FAMILY_DEBUG, EPERM, "3.5",
	  "compares the kernel objects of two processes" },
	{ "kexec_file_load", 320, 294, FAMILY_KEXEC, EPERM, "3.17", REASON_KEXEC },
	{ "kexec_load", 246, 104, FAMILY_KEXEC, EPERM, "2.6.13", REASON_KEXEC },
	{ "keyctl", 250, 219, FAMILY_KEYRING, EPERM, "2.6.10", REASON_KEYS },
	{ "kill", 62, 129, FAMILY_SIGNAL, EPERM, "1.0", NULL },
	{ "landlock_add_rule", 445, 445, FAMILY_CONFINE, EPERM, "5.13", NULL },
	{ "landlock_create_ruleset", 444, 444, FAMILY_CONFINE, EPERM, "5.13", NULL },
	{ "landlock_restrict_self", 446, 446, FAMILY_CONFINE, EPERM, "5.13", NULL },
	{ "lchown", 94, -1, FAMILY_METADATA, EPERM, "1.0", REASON_METADATA },
	{ "lgetxattr", 192, 9, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "link", 86, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "linkat", 265, 37, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "listen", 50, 201, FAMILY_NET, EPERM, "2.0", NULL },
	{ "listmount", 458, 458, FAMILY_MOUNT, ENOSYS, "6.8", REASON_LISTS_MOUNTS },
	{ "listns", 470, 470, FAMILY_NAMESPACE, ENOSYS, "6.19",
	  "lists the namespaces of the machine" },
	{ "listxattr", 194, 11, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "listxattrat", 465, 465, FAMILY_FILE_SYSTEM, EPERM, "6.13", NULL },
	{ "llistxattr", 195, 12, FAMILY_FILE_SYSTEM, EPERM, "2.6", NULL },
	{ "lookup_dcookie", 212, 18, FAMILY_LEGACY, ENOSYS, "2.6", REASON_LEGACY },
	{ "lremovexattr", 198, 15, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "lseek", 8, 62, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "lsetxattr", 189, 6, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "lsm_get_self_attr", 459, 459, FAMILY_CONFINE, EPERM, "6.8", NULL },
	{ "lsm_list_modules", 461, 461, FAMILY_CONFINE, EPERM, "6.8", NULL },
	{ "lsm_set_self_attr", 460, 460, FAMILY_LSM, EPERM, "6.8",
	  "changes the label of another security module" },
	{ "lstat", 6, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "madvise", 28, 233, FAMILY_MEMORY, EPERM, "2.4", NULL },
	{ "map_shadow_stack", 453, 453, FAMILY_MEMORY, EPERM, "6.6", NULL },
	{ "mbind", 237, 235, FAMILY_MEMORY, EPERM, "2.6.6", NULL },
	{ "membarrier", 324, 283, FAMILY_THREAD, EPERM, "4.3", NULL },
	{ "memfd_create", 319, 279, FAMILY_FILE_OPEN, EPERM, "3.17", NULL },
	{ "memfd_secret", 447, 447, FAMILY_SECRET_MEMORY, ENOSYS, "5.14",
	  "hides memory from the kernel itself" },
	{ "migrate_pages", 256, 238, FAMILY_PROCESS_VM, EPERM, "2.6.16", REASON_MOVES_MEMORY },
	{ "mincore", 27, 232, FAMILY_MEMORY, EPERM, "2.4", NULL },
	{ "mkdir", 83, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "mkdirat", 258, 34, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "mknod", 133, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "mknodat", 259, 33, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "mlock", 149, 228, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "mlock2", 325, 284, FAMILY_MEMORY, EPERM, "4.4", NULL },
	{ "mlockall", 151, 230, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "mmap", 9, 222, FAMILY_MEMORY, EPERM, "1.0", NULL },
	{ "modify_ldt", 154, -1, FAMILY_LEGACY, ENOSYS, "1.0",
	  "changes descriptor tables of the processor" },
	{ "mount", 165, 40, FAMILY_MOUNT, EPERM, "1.0", REASON_MOUNTS },
	{ "mount_setattr", 442, 442, FAMILY_MOUNT, EPERM, "5.12", REASON_PREPARES_CHANGE },
	{ "move_mount", 429, 429, FAMILY_MOUNT, EPERM, "5.2", REASON_MOUNTS },
	{ "move_pages", 279, 239, FAMILY_PROCESS_VM, EPERM, "2.6.18", REASON_MOVES_MEMORY },
	{ "mprotect", 10, 226, FAMILY_MEMORY, EPERM, "1.0", NULL },
	{ "mq_getsetattr", 245, 185, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mq_notify", 244, 184, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mq_open", 240, 180, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mq_timedreceive", 243, 183, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mq_timedsend", 242, 182, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mq_unlink", 241, 181, FAMILY_POSIX_MQ, EPERM, "2.6.6", REASON_POSIX_MQ },
	{ "mremap", 25, 216, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "mseal", 462, 462, FAMILY_MEMORY, EPERM, "6.10", NULL },
	{ "msgctl", 71, 187, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "msgget", 68, 186, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "msgrcv", 70, 188, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "msgsnd", 69, 189, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "msync", 26, 227, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "munlock", 150, 229, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "munlockall", 152, 231, FAMILY_MEMORY, EPERM, "2.0", NULL },
	{ "munmap", 11, 215, FAMILY_MEMORY, EPERM, "1.0", NULL },
	{ "name_to_handle_at", 303, 264, FAMILY_FILE_HANDLE, EOPNOTSUPP, "2.6.39",
	  "names a file in a way that no path rule sees" },
	{ "nanosleep", 35, 101, FAMILY_TIMER, EPERM, "2.0", NULL },
	{ "newfstatat", 262, 79, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "nfsservctl", 180, 42, FAMILY_LEGACY, ENOSYS, "2.2", REASON_LEGACY },
	{ "open", 2, -1, FAMILY_FILE_OPEN, EPERM, "1.0", NULL },
	{ "open_by_handle_at", 304, 265, FAMILY_FILE_HANDLE, EPERM, "2.6.39",
	  "opens a file past all directories above it" },
	{ "open_tree", 428, 428, FAMILY_MOUNT, EPERM, "5.2", REASON_COPIES_TREE },
	{ "open_tree_attr", 467, 467, FAMILY_MOUNT, EPERM, "6.15", REASON_COPIES_TREE },
	{ "openat", 257, 56, FAMILY_FILE_OPEN, EPERM, "2.6.16", NULL },
	{ "openat2", 437, 437, FAMILY_FILE_OPEN, ENOSYS, "5.6",
	  "its mode sits behind a pointer, where no filter sees a setuid bit" },
	{ "pause", 34, -1, FAMILY_SIGNAL, EPERM, "1.0", NULL },
	{ "perf_event_open", 298, 241, FAMILY_PERF, EPERM, "2.6.31",
	  "watches the processor, the kernel and other processes" },
	{ "personality", 135, 92, FAMILY_PERSONALITY, EPERM, "1.2", NULL },
	{ "pidfd_getfd", 438, 438, FAMILY_DEBUG, EPERM, "5.6",
	  "takes an open file out of another process" },
	{ "pidfd_open", 434, 434, FAMILY_PROCESS, EPERM, "5.3", NULL },
	{ "pidfd_send_signal", 424, 424, FAMILY_SIGNAL, EPERM, "5.1", NULL },
	{ "pipe", 22, -1, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "pipe2", 293, 59, FAMILY_FILE_IO, EPERM, "2.6.27", NULL },
	{ "pivot_root", 155, 41, FAMILY_MOUNT, EPERM, "2.4", REASON_ROOT },
	{ "pkey_alloc", 330, 289, FAMILY_MEMORY, EPERM, "4.8", NULL },
	{ "pkey_free", 331, 290, FAMILY_MEMORY, EPERM, "4.8", NULL },
	{ "pkey_mprotect", 329, 288, FAMILY_MEMORY, EPERM, "4.8", NULL },
	{ "poll", 7, -1, FAMILY_EVENT, EPERM, "2.2", NULL },
	{ "ppoll", 271, 73, FAMILY_EVENT, EPERM, "2.6.16", NULL },
	{ "prctl", 157, 167, FAMILY_PROCESS, EPERM, "2.2", NULL },
	{ "pread64", 17, 67, FAMILY_FILE_IO, EPERM, "2.2", NULL },
	{ "preadv", 295, 69, FAMILY_FILE_IO, EPERM, "2.6.30", NULL },
	{ "preadv2", 327, 286, FAMILY_FILE_IO, EPERM, "4.6", NULL },
	{ "prlimit64", 302, 261, FAMILY_PROCESS, EPERM, "2.6.36", NULL },
	{ "process_madvise", 440, 440, FAMILY_PROCESS_VM, EPERM, "5.10",
	  "advises on the memory of another process" },
	{ "process_mrelease", 448, 448, FAMILY_PROCESS_VM, EPERM, "5.15",
	  "frees the memory of a dying process" },
	{ "process_vm_readv", 310, 270, FAMILY_PROCESS_VM, EPERM, "3.2",
	  "reads the memory of another process" },
	{ "process_vm_writev", 311, 271, FAMILY_PROCESS_VM, EPERM, "3.2",
	  "writes the memory of another process" },
	{ "pselect6", 270, 72, FAMILY_EVENT, EPERM, "2.6.16", NULL },
	{ "ptrace", 101, 117, FAMILY_DEBUG, EPERM, "1.0", "takes control of another process" },
	{ "putpmsg", 182, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "pwrite64", 18, 68, FAMILY_FILE_IO, EPERM, "2.2", NULL },
	{ "pwritev", 296, 70, FAMILY_FILE_IO, EPERM, "2.6.30", NULL },
	{ "pwritev2", 328, 287, FAMILY_FILE_IO, EPERM, "4.6", NULL },
	{ "query_module", 178, -1, FAMILY_MODULE, ENOSYS, "2.2", REASON_SYMBOLS },
	{ "quotactl", 179, 60, FAMILY_QUOTA, EPERM, "1.0", REASON_QUOTA },
	{ "quotactl_fd", 443, 443, FAMILY_QUOTA, EPERM, "5.14", REASON_QUOTA },
	{ "read", 0, 63, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "readahead", 187, 213, FAMILY_FILE_IO, EPERM, "2.4.13", NULL },
	{ "readlink", 89, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "readlinkat", 267, 78, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "readv", 19, 65, FAMILY_FILE_IO, EPERM, "2.0", NULL },
	{ "reboot", 169, 142, FAMILY_REBOOT, EPERM, "1.0", "restarts or stops the machine" },
	{ "recvfrom", 45, 207, FAMILY_NET, EPERM, "2.0", NULL },
	{ "recvmmsg", 299, 243, FAMILY_NET, EPERM, "2.6.33", NULL },
	{ "recvmsg", 47, 212, FAMILY_NET, EPERM, "2.0", NULL },
	{ "remap_file_pages", 216, 234, FAMILY_LEGACY, ENOSYS, "2.6", REASON_LEGACY },
	{ "removexattr", 197, 14, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "removexattrat", 466, 466, FAMILY_METADATA, EPERM, "6.13", REASON_METADATA },
	{ "rename", 82, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "renameat", 264, 38, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "renameat2", 316, 276, FAMILY_FILE_SYSTEM, EPERM, "3.15", NULL },
	{ "request_key", 249, 218, FAMILY_KEYRING, EPERM, "2.6.10", REASON_KEYS },
	{ "restart_syscall", 219, 128, FAMILY_SIGNAL, EPERM, "2.6", NULL },
	{ "rmdir", 84, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "rseq", 334, 293, FAMILY_THREAD, EPERM, "4.18", NULL },
	{ "rt_sigaction", 13, 134, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigpending", 127, 136, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigprocmask", 14, 135, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigqueueinfo", 129, 138, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigreturn", 15, 139, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigsuspend", 130, 133, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_sigtimedwait", 128, 137, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "rt_tgsigqueueinfo", 297, 240, FAMILY_SIGNAL, EPERM, "2.6.31", NULL },
	{ "sched_get_priority_max", 146, 125, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_get_priority_min", 147, 126, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_getaffinity", 204, 123, FAMILY_SCHED, EPERM, "2.6", NULL },
	{ "sched_getattr", 315, 275, FAMILY_SCHED, EPERM, "3.14", NULL },
	{ "sched_getparam", 143, 121, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_getscheduler", 145, 120, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_rr_get_interval", 148, 127, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_setaffinity", 203, 122, FAMILY_SCHED, EPERM, "2.6", NULL },
	{ "sched_setattr", 314, 274, FAMILY_SCHED, EPERM, "3.14", NULL },
	{ "sched_setparam", 142, 118, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_setscheduler", 144, 119, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "sched_yield", 24, 124, FAMILY_SCHED, EPERM, "2.0", NULL },
	{ "seccomp", 317, 277, FAMILY_CONFINE, EPERM, "3.17", NULL },
	{ "security", 185, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "select", 23, -1, FAMILY_EVENT, EPERM, "1.0", NULL },
	{ "semctl", 66, 191, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "semget", 64, 190, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "semop", 65, 193, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "semtimedop", 220, 192, FAMILY_SYSV_IPC, EPERM, "2.6", REASON_SYSV_IPC },
	{ "sendfile", 40, 71, FAMILY_FILE_IO, EPERM, "2.2", NULL },
	{ "sendmmsg", 307, 269, FAMILY_NET, EPERM, "3.0", NULL },
	{ "sendmsg", 46, 211, FAMILY_NET, EPERM, "2.0", NULL },
	{ "sendto", 44, 206, FAMILY_NET, EPERM, "2.0", NULL },
	{ "set_mempolicy", 238, 237, FAMILY_MEMORY, EPERM, "2.6.6", NULL },
	{ "set_mempolicy_home_node", 450, 450, FAMILY_MEMORY, EPERM, "5.17", NULL },
	{ "set_robust_list", 273, 99, FAMILY_THREAD, EPERM, "2.6.17", NULL },
	{ "set_thread_area", 205, -1, FAMILY_UNBUILT, ENOSYS, "2.6", NULL },
	{ "set_tid_address", 218, 96, FAMILY_THREAD, EPERM, "2.6", NULL },
	{ "setdomainname", 171, 162, FAMILY_SYSTEM, EPERM, "1.0", NULL },
	{ "setfsgid", 123, 152, FAMILY_IDENTITY, EPERM, "1.2", NULL },
	{ "setfsuid", 122, 151, FAMILY_IDENTITY, EPERM, "1.2", NULL },
	{ "setgid", 106, 144, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "setgroups", 116, 159, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "sethostname", 170, 161, FAMILY_SYSTEM, EPERM, "1.0", NULL },
	{ "setitimer", 38, 103, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "setns", 308, 268, FAMILY_NAMESPACE, EPERM, "3.0",
	  "enters the namespace of another process" },
	{ "setpgid", 109, 154, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "setpriority", 141, 140, FAMILY_SCHED, EPERM, "1.0", NULL },
	{ "setregid", 114, 143, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "setresgid", 119, 149, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "setresuid", 117, 147, FAMILY_IDENTITY, EPERM, "2.2", NULL },
	{ "setreuid", 113, 145, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "setrlimit", 160, 164, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "setsid", 112, 157, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "setsockopt", 54, 208, FAMILY_NET, EPERM, "2.0", NULL },
	{ "settimeofday", 164, 170, FAMILY_CLOCK, EPERM, "1.0", REASON_CLOCK },
	{ "setuid", 105, 146, FAMILY_IDENTITY, EPERM, "1.0", NULL },
	{ "setxattr", 188, 5, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "setxattrat", 463, 463, FAMILY_METADATA, EPERM, "6.13", REASON_METADATA },
	{ "shmat", 30, 196, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "shmctl", 31, 195, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "shmdt", 67, 197, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "shmget", 29, 194, FAMILY_SYSV_IPC, EPERM, "2.0", REASON_SYSV_IPC },
	{ "shutdown", 48, 210, FAMILY_NET, EPERM, "2.0", NULL },
	{ "sigaltstack", 131, 132, FAMILY_SIGNAL, EPERM, "2.2", NULL },
	{ "signalfd", 282, -1, FAMILY_SIGNAL, EPERM, "2.6.22", NULL },
	{ "signalfd4", 289, 74, FAMILY_SIGNAL, EPERM, "2.6.27", NULL },
	{ "socket", 41, 198, FAMILY_NET, EAFNOSUPPORT, "2.0", NULL },
	{ "socketpair", 53, 199, FAMILY_NET, EAFNOSUPPORT, "2.0", NULL },
	{ "splice", 275, 76, FAMILY_FILE_IO, EPERM, "2.6.17", NULL },
	{ "stat", 4, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "statfs", 137, 43, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "statmount", 457, 457, FAMILY_MOUNT, ENOSYS, "6.8", REASON_LISTS_MOUNTS },
	{ "statx", 332, 291, FAMILY_FILE_SYSTEM, EPERM, "4.11", NULL },
	{ "swapoff", 168, 225, FAMILY_SWAP, EPERM, "1.0", REASON_SWAP },
	{ "swapon", 167, 224, FAMILY_SWAP, EPERM, "1.0", REASON_SWAP },
	{ "symlink", 88, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "symlinkat", 266, 36, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "sync", 162, 81, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "sync_file_range", 277, 84, FAMILY_FILE_IO, EPERM, "2.6.17", NULL },
	{ "syncfs", 306, 267, FAMILY_FILE_IO, EPERM, "2.6.39", NULL },
	{ "sysfs", 139, -1, FAMILY_LEGACY, ENOSYS, "1.2", REASON_LEGACY },
	{ "sysinfo", 99, 179, FAMILY_SYSTEM, EPERM, "1.0", NULL },
	{ "syslog", 103, 116, FAMILY_CONSOLE, EPERM, "1.0", "reads and clears the kernel's log" },
	{ "tee", 276, 77, FAMILY_FILE_IO, EPERM, "2.6.17", NULL },
	{ "tgkill", 234, 131, FAMILY_SIGNAL, EPERM, "2.6", NULL },
	{ "time", 201, -1, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "timer_create", 222, 107, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "timer_delete", 226, 111, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "timer_getoverrun", 225, 109, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "timer_gettime", 224, 108, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "timer_settime", 223, 110, FAMILY_TIMER, EPERM, "2.6", NULL },
	{ "timerfd_create", 283, 85, FAMILY_TIMER, EPERM, "2.6.25", NULL },
	{ "timerfd_gettime", 287, 87, FAMILY_TIMER, EPERM, "2.6.25", NULL },
	{ "timerfd_settime", 286, 86, FAMILY_TIMER, EPERM, "2.6.25", NULL },
	{ "times", 100, 153, FAMILY_TIMER, EPERM, "1.0", NULL },
	{ "tkill", 200, 130, FAMILY_SIGNAL, EPERM, "2.6", NULL },
	{ "truncate", 76, 45, FAMILY_FILE_OPEN, EPERM, "1.0", NULL },
	{ "tuxcall", 184, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "umask", 95, 166, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "umount2", 166, 39, FAMILY_MOUNT, EPERM, "2.2", REASON_MOUNTS },
	{ "uname", 63, 160, FAMILY_SYSTEM, EPERM, "1.0", NULL },
	{ "unlink", 87, -1, FAMILY_FILE_SYSTEM, EPERM, "1.0", NULL },
	{ "unlinkat", 263, 35, FAMILY_FILE_SYSTEM, EPERM, "2.6.16", NULL },
	{ "unshare", 272, 97, FAMILY_NAMESPACE, EPERM, "2.6.16",
	  "leaves for a namespace of its own with new privileges in it" },
	{ "uprobe", 336, -1, FAMILY_PROCESS, EPERM, "6.18", NULL },
	{ "uretprobe", 335, -1, FAMILY_PROCESS, EPERM, "6.11", NULL },
	{ "uselib", 134, -1, FAMILY_LEGACY, ENOSYS, "1.0", REASON_LEGACY },
	{ "userfaultfd", 323, 282, FAMILY_UFFD, EPERM, "4.3",
	  "lets a program decide when the kernel's access to memory returns" },
	{ "ustat", 136, -1, FAMILY_LEGACY, ENOSYS, "1.0", REASON_LEGACY },
	{ "utime", 132, -1, FAMILY_METADATA, EPERM, "1.0", REASON_METADATA },
	{ "utimensat", 280, 88, FAMILY_METADATA, EPERM, "2.6.22", REASON_METADATA },
	{ "utimes", 235, -1, FAMILY_METADATA, EPERM, "2.6", REASON_METADATA },
	{ "vfork", 58, -1, FAMILY_PROCESS, EPERM, "2.2", NULL },
	{ "vhangup", 153, 58, FAMILY_CONSOLE, EPERM, "1.0", "hangs up the terminal" },
	{ "vmsplice", 278, 75, FAMILY_FILE_IO, EPERM, "2.6.17", NULL },
	{ "vserver", 236, -1, FAMILY_UNBUILT, ENOSYS, "", NULL },
	{ "wait4", 61, 260, FAMILY_PROCESS, EPERM, "1.0", NULL },
	{ "waitid", 247, 95, FAMILY_PROCESS, EPERM, "2.6.10", NULL },
	{ "write", 1, 64, FAMILY_FILE_IO, EPERM, "1.0", NULL },
	{ "writev", 20, 66, FAMILY_FILE_IO, EPERM, "2.0", NULL },
};

const size_t syscall_row_count = COUNT_OF(syscall_rows);

static_assert(COUNT_OF(syscall_rows) <= SYSCALL_ROWS_MAX, "callers keep one flag per row");

static const char *const family_names[FAMILIES] = {
	[FAMILY_FILE_IO] = "file_io",
	[FAMILY_FILE_OPEN] = "file_open",
	[FAMILY_FILE_SYSTEM] = "file_system",
	[FAMILY_METADATA] = "metadata",
	[FAMILY_FILE_ATTR] = "file_attr",
	[FAMILY_FILE_HANDLE] = "file_handle",
	[FAMILY_MOUNT] = "mount",
	[FAMILY_QUOTA] = "quota",
	[FAMILY_EVENT] = "event",
	[FAMILY_FANOTIFY] = "fanotify",
	[FAMILY_TIMER] = "timer",
	[FAMILY_CLOCK] = "clock",
	[FAMILY_SIGNAL] = "signal",
	[FAMILY_PROCESS] = "process",
	[FAMILY_THREAD] = "thread",
	[FAMILY_SCHED] = "sched",
	[FAMILY_IDENTITY] = "identity",
	[FAMILY_MEMORY] = "memory",
	[FAMILY_SECRET_MEMORY] = "secret_memory",
	[FAMILY_PROCESS_VM] = "process_vm",
	[FAMILY_UFFD] = "uffd",
	[FAMILY_DEBUG] = "debug",
	[FAMILY_PERF] = "perf",
	[FAMILY_BPF] = "bpf",
	[FAMILY_IO_URING] = "io_uring",
	[FAMILY_NET] = "net",
	[FAMILY_SYSV_IPC] = "sysv_ipc",
	[FAMILY_POSIX_MQ] = "posix_mq",
	[FAMILY_NAMESPACE] = "namespace",
	[FAMILY_PERSONALITY] = "personality",
	[FAMILY_CONFINE] = "confine",
	[FAMILY_LSM] = "lsm",
	[FAMILY_RANDOM] = "random",
	[FAMILY_SYSTEM] = "system",
	[FAMILY_CONSOLE] = "console",
	[FAMILY_KEYRING] = "keyring",
	[FAMILY_MODULE] = "module",
	[FAMILY_KEXEC] = "kexec",
	[FAMILY_REBOOT] = "reboot",
	[FAMILY_SWAP] = "swap",
	[FAMILY_ACCT] = "acct",
	[FAMILY_IO_PORT] = "io_port",
	[FAMILY_LEGACY] = "legacy",
	[FAMILY_UNBUILT] = "unbuilt",
};

int
syscall_number(const struct syscall_row *row)
{
#if defined(__x86_64__) && !defined(__ILP32__)
	return row->x86_64;
#elif defined(__aarch64__)
	return row->aarch64;
#else
#error "the table has no system call numbers for this architecture"
#endif
}

static int
compare_name(const void *name, const void *row)
{
	return strcmp(name, ((const struct syscall_row *)row)->name);
}

const struct syscall_row *
syscall_find(const char *name)
{
	if (strcmp(name, "umount") == 0) {
		name = "umount2";
	}
	return bsearch(name, syscall_rows, syscall_row_count, sizeof(syscall_rows[0]),
		       compare_name);
}

const char *
syscall_family_name(enum syscall_family family)
{
	return family_names[family];
}

enum syscall_family
syscall_family_find(const char *name)
{
	int family = 0;

	while (family < FAMILIES && strcmp(name, family_names[family]) != 0) {
		family++;
	}
	return (enum syscall_family)family;
}

bool
syscall_choose(const char *word, bool chosen[])
{
	const struct syscall_row *row = syscall_find(word);
	enum syscall_family family;

	if (row != NULL) {
		chosen[row - syscall_rows] = true;
		return true;
	}
	family = syscall_family_find(word[0] == '@' ? word + 1 : word);
	for (size_t i = 0; i < syscall_row_count; i++) {
		if (syscall_rows[i].family == family) {
			chosen[i] = true;
		}
	}
	return family != FAMILIES;
}
