/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

/*
 * The system call filter of a plan: what the kernel is told about system calls, as one classic BPF
 * program for seccomp(2). Nothing is installed here.
 *
 * Three things decide about a call, and each is data: the table of all system calls below, with a
 * reason for each that the built-in denylist refuses; the argument rules in filter_build.c; and
 * the switches of `struct plan_filter`.
 *
 * Invariants of every program:
 *   - a call of another architecture kills the process, and so does every x32 number
 *     (0x40000000 and up) on x86_64; only 0xffffffff, which no kernel serves, is treated as
 *     any unknown number
 *   - arguments that the kernel takes as 32 bits are compared as 32 bits, or a set upper half is
 *     refused; it never helps a call through
 *   - it depends on nothing but the spec: no environment, no kernel version
 */

#include "base/arena.h"
#include "plan/plan.h"

#include <bailey/error.h>

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the table of system calls ----------------------------------------------------------- */

/* What a call is about. The built-in denylist refuses a family whole or not at all (but for clone3
 * in "process" and openat2 in "file_open", whose flags and modes lie in memory, where no filter
 * looks, and for which every program has a fallback). Names in syscall_family_name(): lower case,
 * without FAMILY_. */
enum syscall_family {
	FAMILY_FILE_IO,
	FAMILY_FILE_OPEN,
	FAMILY_FILE_SYSTEM,
	FAMILY_METADATA,
	FAMILY_FILE_ATTR,
	FAMILY_FILE_HANDLE,
	FAMILY_MOUNT,
	FAMILY_QUOTA,
	FAMILY_EVENT,
	FAMILY_FANOTIFY,
	FAMILY_TIMER,
	FAMILY_CLOCK,
	FAMILY_SIGNAL,
	FAMILY_PROCESS,
	FAMILY_THREAD,
	FAMILY_SCHED,
	FAMILY_IDENTITY,
	FAMILY_MEMORY,
	FAMILY_SECRET_MEMORY,
	FAMILY_PROCESS_VM,
	FAMILY_UFFD,
	FAMILY_DEBUG,
	FAMILY_PERF,
	FAMILY_BPF,
	FAMILY_IO_URING,
	FAMILY_NET,
	FAMILY_SYSV_IPC,
	FAMILY_POSIX_MQ,
	FAMILY_NAMESPACE,
	FAMILY_PERSONALITY,
	FAMILY_CONFINE,
	FAMILY_LSM,
	FAMILY_RANDOM,
	FAMILY_SYSTEM,
	FAMILY_CONSOLE,
	FAMILY_KEYRING,
	FAMILY_MODULE,
	FAMILY_KEXEC,
	FAMILY_REBOOT,
	FAMILY_SWAP,
	FAMILY_ACCT,
	FAMILY_IO_PORT,
	FAMILY_LEGACY,
	FAMILY_UNBUILT,
	FAMILIES
};

struct syscall_row {
	const char *name;
	int16_t x86_64;	 /* number, or -1 where this architecture does not have it */
	int16_t aarch64; /* likewise */
	enum syscall_family family;
	int error;	    /* the errno of a refusal */
	const char *since;  /* first kernel that has it, "5.13"; "" for one that was never built */
	const char *reason; /* why the built-in denylist refuses it, as "unshare REASON"; or NULL */
};

/* Sorted by name. Complete for x86_64 and aarch64 up to Linux 6.19. */
extern const struct syscall_row syscall_rows[];
extern const size_t syscall_row_count;

#define SYSCALL_ROWS_MAX 400

/* New calls get the next number, the same on both architectures. From the first that the table does
 * not know, strict filters refuse all. */
#define SYSCALL_FIRST_UNKNOWN 471

/* The row's number on the architecture that this is built for, or -1. */
int syscall_number(const struct syscall_row *row);

/* By the kernel's name; "umount" finds umount2, which is what it is called today. NULL: none. */
const struct syscall_row *syscall_find(const char *name);

const char *syscall_family_name(enum syscall_family family);

/* FAMILIES when there is none of this name. */
enum syscall_family syscall_family_find(const char *name);

/*
 * A word of a profile (`blocked`, `additional`, `allowed`) names a system call or a family. Where
 * a call and a family share a name ("mount", "bpf", "reboot"), the bare word is the call, and
 * "@mount" is the family; "@" may stand before every family.
 *
 * Sets `chosen[i]` for each row i that the word names. False when the table knows no such word.
 */
bool syscall_choose(const char *word, bool chosen[]);

/* ---- the filter -------------------------------------------------------------------------- */

/*
 * Are all words of the spec known? A word that the table does not know, but libseccomp does (a
 * call of another architecture, "socketcall"), is accepted and names nothing here. BAILEY_E_INVALID
 * names the word and the nearest known one.
 */
int filter_check_names(const struct plan_filter *spec, struct bailey_error *err);

/*
 * Compiles the filter. `out` points into the arena or at static memory and must not be written to.
 *
 * SECCOMP_DENYLIST
 *   strict      every row with a reason is refused with its `error`, "namespace" unless
 *               `namespaces`, "metadata" unless `metadata`, "sysv_ipc" and "posix_mq" unless `ipc`;
 *               clone3 always; numbers that the table does not know yet are ENOSYS; all argument
 *               rules
 *   not strict  only `blocked` and `additional`, and what the four switches above say; of the
 *               argument rules those on terminal input, namespaces and sockets
 * SECCOMP_ALLOWLIST
 *   `allowed` and filter_basic_syscalls (and sendmsg, where the broker is asked); another known
 * call is refused with its row's error, an unknown number with ENOSYS. All argument rules, the
 * switches and `additional` apply on top, `strict` and `blocked` do not.
 *
 * With `notify`, what has passed all of this is asked of the broker (SECCOMP_RET_USER_NOTIF) when a
 * rule of one of these parts says so (filter_notify_rules), and what would do the same where no
 * filter sees it is refused in either mode. Nothing is asked that a launch needs once the filter is
 * in force: rt_sigprocmask, sendmsg, execve, exit.
 *
 * With `log_only` a refusal becomes a line in the kernel's log and the call goes ahead (another
 * architecture still kills).
 *
 * Names are checked as filter_check_names() does. BAILEY_E_SYSTEM when libseccomp fails,
 * BAILEY_E_LIMIT when the program is too long for the kernel.
 *
 * The strict denylists without additions, namespaces or logging, where nobody is asked or what
 * `bailey run` usually asks, are compiled while Bailey is built, and cost nothing here.
 */
int filter_compile(const struct plan_filter *spec, struct arena *arena, struct sock_fprog *out,
		   struct bailey_error *err);

/* What an allowlist always holds: enough for a dynamically linked program to start and to end. */
extern const char *const filter_basic_syscalls[];
extern const size_t filter_basic_syscall_count;

#endif /* SANDBOX_FILTER_H */
