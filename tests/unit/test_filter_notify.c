/* SPDX-License-Identifier: MIT */
/*
 * What is asked of the broker: each call of each part, and nothing else; and that a filter with
 * questions refuses whatever it would refuse without them.
 */
#include "filter_sim.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define PARTS_ALL 255U
#define ENTRY (PART_FILES | PART_SHM)
#define SOCKETS (PART_UNIX | PART_LOOPBACK)

/* A call and the parts with which it is asked about; with the others it passes. `ints` has a bit
 * for each argument that the kernel reads as 32 bits. */
struct question {
	const char *name;
	unsigned int parts;
	unsigned int ints;
	uint64_t args[5];
};

static const struct question questions[] = {
	{ "open", PART_READS, A1 | A2, { PTR, O_RDONLY } },
	{ "open", PART_READS, A1 | A2, { PTR, O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0xffffffff } },
	{ "open", PART_READS, A1 | A2, { PTR, O_PATH | O_NOFOLLOW } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, O_WRONLY } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, O_RDWR } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, O_ACCMODE } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, O_RDONLY | O_CREAT, 0600 } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, O_RDONLY | O_TRUNC } },
	{ "open", PART_READS | ENTRY, A1 | A2, { PTR, UNNAMED & ~O_DIRECTORY, 0600 } },
	{ "openat", PART_READS, A0 | A2 | A3, { 3, PTR, O_RDONLY | O_NONBLOCK } },
	{ "openat", PART_READS, A0 | A2 | A3, { 3, PTR, O_RDONLY | O_DIRECTORY, 0xffffffff } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, O_WRONLY | O_APPEND } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, O_RDWR } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, O_ACCMODE } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, O_CREAT | O_EXCL, 0600 } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, O_TRUNC } },
	{ "openat", PART_READS | ENTRY, A0 | A2 | A3, { 3, PTR, UNNAMED | O_RDWR, 0600 } },
	{ "creat", ENTRY, A1, { PTR, 0600 } },
	{ "mkdir", ENTRY, A1, { PTR, 0777 } },
	{ "mkdirat", ENTRY, A0 | A2, { 3, PTR, 0777 } },
	{ "mknod", ENTRY, A1, { PTR, S_IFIFO | 0600 } },
	{ "mknodat", ENTRY, A0 | A2, { 3, PTR, S_IFREG | 0600 } },
	{ "link", ENTRY, 0, { PTR, PTR } },
	{ "linkat", ENTRY, A0, { 3, PTR, 3, PTR, AT_EMPTY_PATH } },
	{ "symlink", ENTRY, 0, { PTR, PTR } },
	{ "symlinkat", ENTRY, A1, { PTR, 3, PTR } },
	{ "rename", ENTRY, 0, { PTR, PTR } },
	{ "renameat", ENTRY, A0 | A2, { 3, PTR, 3, PTR } },
	{ "renameat2", ENTRY, A0 | A2, { 3, PTR, 3, PTR, RENAME_EXCHANGE } },
	{ "unlink", ENTRY, 0, { PTR } },
	{ "unlinkat", ENTRY, A0 | A2, { 3, PTR, AT_REMOVEDIR } },
	{ "rmdir", ENTRY, 0, { PTR } },
	{ "truncate", ENTRY, 0, { PTR, 0 } },
	{ "ftruncate", 0, A0, { 3, 0 } },
	{ "fallocate", 0, A0 | A1, { 3, 0, 0, 4096 } },
	{ "readlinkat", 0, A0, { 3, PTR, PTR, 100 } },
	{ "newfstatat", 0, A0, { 3, PTR, PTR, 0 } },
	{ "chdir", 0, 0, { PTR } },

	{ "chmod", PART_METADATA, A1, { PTR, 0644 } },
	{ "fchmod", PART_METADATA, A0 | A1, { 3, 0644 } },
	{ "fchmodat", PART_METADATA, A0 | A2, { 3, PTR, 0644 } },
	{ "fchmodat2", PART_METADATA, A0 | A2, { 3, PTR, 0644, AT_EMPTY_PATH } },
	{ "chown", PART_METADATA, A1 | A2, { PTR, 1, 1 } },
	{ "fchown", PART_METADATA, A0, { 3, 1, 1 } },
	{ "fchownat", PART_METADATA, A0, { 3, PTR, 1, 1, 0 } },
	{ "lchown", PART_METADATA, A1, { PTR, 1, 1 } },
	{ "utime", PART_METADATA, 0, { PTR, PTR } },
	{ "utimes", PART_METADATA, 0, { PTR, PTR } },
	{ "futimesat", PART_METADATA, A0, { 3, PTR, PTR } },
	{ "utimensat", PART_METADATA, A0, { 3, 0, PTR, 0 } },
	{ "setxattr", PART_METADATA, 0, { PTR, PTR, PTR, 1, 0 } },
	{ "lsetxattr", PART_METADATA, 0, { PTR, PTR, PTR, 1, 0 } },
	{ "fsetxattr", PART_METADATA, A0, { 3, PTR, PTR, 1, 0 } },
	{ "setxattrat", PART_METADATA, A0, { 3, PTR, 0, PTR, PTR } },
	{ "removexattr", PART_METADATA, 0, { PTR, PTR } },
	{ "lremovexattr", PART_METADATA, 0, { PTR, PTR } },
	{ "fremovexattr", PART_METADATA, A0, { 3, PTR } },
	{ "removexattrat", PART_METADATA, A0, { 3, PTR, 0, PTR } },
	{ "file_setattr", PART_METADATA, A0, { 3, PTR, PTR, 24, 0 } },
	{ "ioctl", PART_METADATA, A0 | A1, { 3, FS_IOC_SETFLAGS, PTR } },
	{ "ioctl", PART_METADATA, A0 | A1, { 3, FS_IOC32_SETFLAGS, PTR } },
	{ "ioctl", PART_METADATA, A0 | A1, { 3, FS_IOC_FSSETXATTR, PTR } },
	{ "ioctl", 0, A0 | A1, { 3, FS_IOC_GETFLAGS, PTR } },
	{ "ioctl", 0, A0 | A1, { 3, FICLONE, 4 } },
	{ "ioctl", 0, A0 | A1, { FS_IOC_SETFLAGS, 0x5401, FS_IOC_SETFLAGS } },
	{ "getxattr", 0, 0, { PTR, PTR, PTR, 1 } },
	{ "flock", 0, A0 | A1, { 3, 2 } },

	{ "setpriority", 0, A0 | A1 | A2, { PRIO_PROCESS, 0, 10 } },
	{ "setpriority", PART_PROCESSES, A0 | A1 | A2, { PRIO_PROCESS, 1234, 10 } },
	{ "setpriority", PART_PROCESSES, A0 | A1 | A2, { PRIO_PROCESS, 0x80000000, 10 } },
	{ "ioprio_set", 0, A0 | A1 | A2, { 1, 0, 3 << 13 } },
	{ "ioprio_set", PART_PROCESSES, A0 | A1 | A2, { 1, 1234, 3 << 13 } },
	{ "sched_setscheduler", 0, A0 | A1, { 0, 3, PTR } },
	{ "sched_setscheduler", PART_PROCESSES, A0 | A1, { 1, 3, PTR } },
	{ "sched_setparam", 0, A0, { 0, PTR } },
	{ "sched_setparam", PART_PROCESSES, A0, { 1, PTR } },
	{ "sched_setattr", 0, A0 | A2, { 0, PTR, 0 } },
	{ "sched_setattr", PART_PROCESSES, A0 | A2, { 0xffffffff, PTR, 0 } },
	{ "sched_setaffinity", 0, A0 | A1, { 0, 8, PTR } },
	{ "sched_setaffinity", PART_PROCESSES, A0 | A1, { 1234, 8, PTR } },
	{ "prlimit64", 0, A0 | A1, { 0, 7, PTR, PTR } },
	{ "prlimit64", 0, A0 | A1, { 1234, 7, 0, PTR } },
	{ "prlimit64", PART_PROCESSES, A0 | A1, { 1234, 7, PTR, PTR } },
	{ "prlimit64", PART_PROCESSES, A0 | A1, { 1234, 7, UINT64_C(1) << 32, 0 } },
	{ "prlimit64", PART_PROCESSES, A0 | A1, { 1234, 7, 1, 0 } },
	{ "sched_getaffinity", 0, A0, { 1234, 8, PTR } },
	{ "kill", 0, A0 | A1, { 1234, 9 } },

	{ "connect", SOCKETS, A0 | A2, { 3, PTR, 16 } },
	{ "bind", SOCKETS, A0 | A2, { 3, PTR, 16 } },
	{ "listen", SOCKETS, A0 | A1, { 3, 16 } },
	{ "accept4", 0, A0, { 3, 0, 0, 0 } },
	{ "sendto", 0, A0 | A3, { 3, PTR, 5, 0, PTR } },
	{ "sendmsg", 0, A0 | A2, { 3, PTR, 0 } },

	{ "landlock_restrict_self", ENTRY | SOCKETS, A0 | A1, { 3, 0 } },
	{ "prctl", ENTRY | SOCKETS | PART_METADATA, A0, { PR_SET_DUMPABLE, 0 } },
	{ "prctl", 0, A0, { PR_SET_DUMPABLE, 1 } },
	{ "prctl", 0, A0, { PR_GET_DUMPABLE } },
	{ "landlock_add_rule", 0, A0 | A1, { 3, 1, PTR, 0 } },

	{ "clone", PART_TASKS, A0, { SIGCHLD } },
	{ "clone", PART_TASKS, A0, { THREAD } },
	{ "fork", PART_TASKS, 0, { 0 } },
	{ "vfork", PART_TASKS, 0, { 0 } },

	/* What the launch itself does when the filter is in force, and what must cost nothing. */
	{ "rt_sigprocmask", 0, A0, { 0, PTR, PTR, 8 } },
	{ "execve", 0, 0, { PTR, PTR, PTR } },
	{ "exit", 0, A0, { 0 } },
	{ "exit_group", 0, A0, { 0 } },
	{ "read", 0, A0, { 3, PTR, 1 } },
	{ "write", 0, A0, { 3, PTR, 1 } },
	{ "close", 0, A0, { 3 } },
	{ "mmap", 0, 0, { 0, 4096, 3, 2, 3 } },
	{ "futex", 0, A1, { PTR, 0, 0 } },
	{ "wait4", 0, A0, { 1, PTR, 0 } },
};

static struct plan_filter
spec_asking(unsigned int parts, bool strict)
{
	return (struct plan_filter){
		.strict = strict,
		.unix_sockets = true,
		.metadata = true,
		.loopback = true,
		.notify = parts,
	};
}

static void
ask_each(const struct sock_fprog *program, unsigned int parts)
{
	for (size_t i = 0; i < COUNT_OF(questions); i++) {
		const struct question *q = &questions[i];
		int wanted = (q->parts & parts) != 0 ? ASKED : 0;
		int plain;
		int dirty;

		if (!exists(q->name)) {
			continue;
		}
		plain = run_call(program, q->name, q->args, 0);
		dirty = run_call(program, q->name, q->args, q->ints);
		if (wanted == 0 && parts != PARTS_ALL && !passes(plain)) {
			continue; /* refused: that is the business of the other tests */
		}
		if (plain != wanted || dirty != wanted) {
			fail_msg("parts 0x%x, row %zu (%s): wanted %d, is %d, with rubbish %d",
				 parts, i, q->name, wanted, plain, dirty);
		}
	}
}

static void
asks_what_belongs_to_its_parts_and_nothing_else(void **state)
{
	for (unsigned int part = 1; part <= PARTS_ALL; part <<= 1) {
		for (int strict = 0; strict < 2; strict++) {
			struct plan_filter spec = spec_asking(part, strict);
			struct sock_fprog program = compile(*state, &spec);

			ask_each(&program, part);
		}
	}
	for (int strict = 0; strict < 2; strict++) {
		struct plan_filter spec = spec_asking(PARTS_ALL, strict);
		struct sock_fprog program = compile(*state, &spec);

		ask_each(&program, PARTS_ALL);
	}
}

/* Each rule has a question of its own, so that none is there untried. */
static void
every_rule_is_asked_for(void **state)
{
	(void)state;
	for (size_t r = 0; r < filter_notify_rule_count; r++) {
		const struct notify_rule *rule = &filter_notify_rules[r];
		bool found = false;

		assert_non_null(syscall_find(rule->name));
		assert_int_not_equal(rule->parts, 0);
		for (size_t i = 0; i < COUNT_OF(questions); i++) {
			found = found || (strcmp(questions[i].name, rule->name) == 0 &&
					  (questions[i].parts & rule->parts) == rule->parts &&
					  test_holds(&rule->tests[0], questions[i].args) &&
					  test_holds(&rule->tests[1], questions[i].args));
		}
		if (!found) {
			fail_msg("no question for rule %zu (%s)", r, rule->name);
		}
	}
}

/* The whole family, by its name in the table, and what belongs to it elsewhere. */
static void
asks_about_the_whole_family_of_metadata(void **state)
{
	struct plan_filter spec = spec_asking(PART_METADATA, true);
	struct sock_fprog program = compile(*state, &spec);
	const uint64_t args[5] = { 0 };

	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];

		if (row->family == FAMILY_METADATA && syscall_number(row) >= 0) {
			assert_int_equal(run_call(&program, row->name, args, 0), ASKED);
		}
	}
}

/* ---- what stays refused ------------------------------------------------------------------ */

static const struct call refused[] = {
	CALL("chmod", A1, EPERM, PTR, 04755),
	CALL("fchmod", A0 | A1, EPERM, 3, 02755),
	CALL("fchmodat2", A0 | A2, EPERM, 3, PTR, 06755, 0),
	CALL("openat", A0 | A2 | A3, EPERM, 3, PTR, O_WRONLY | O_CREAT, 04755),
	CALL("mknodat", A0 | A2, EPERM, 3, PTR, S_IFREG | 02755),
	CALL("creat", A1, EPERM, PTR, 04755),
	CALL("openat2", 0, ENOSYS, 3, PTR, PTR, 24),
	CALL("clone3", 0, ENOSYS, PTR, 88),
	CALL("clone", A0, EPERM, SIGCHLD | CLONE_NEWUSER),
	CALL("io_uring_setup", 0, ENOSYS, 1, PTR),
	CALL("io_uring_enter", 0, ENOSYS, 3, 1, 0),
	CALL("io_uring_register", 0, ENOSYS, 3, 1, 0),
	CALL("userfaultfd", A0, EPERM, 0),
	CALL("setpriority", A0 | A1 | A2, EPERM, PRIO_PGRP, 1234, 10),
	CALL("setpriority", A0 | A1 | A2, EPERM, PRIO_USER, 0, 10),
	CALL("ioprio_set", A0 | A1 | A2, EPERM, 2, 1234, 3 << 13),
	CALL("ioprio_set", A0 | A1 | A2, EPERM, 3, 0, 3 << 13),
	CALL("ioctl", A0 | A1, EPERM, 3, FS_IOC_SETVERSION, PTR),
	CALL("ioctl", A0 | A1, EPERM, 3, 0x40047211 /* FAT_IOCTL_SET_ATTRIBUTES */, PTR),
	CALL("socket", A0 | A1 | A2, EPROTONOSUPPORT, AF_UNIX, SOCK_DGRAM, 0),
	CALL("socket", A0 | A1 | A2, ENETUNREACH, AF_INET, SOCK_DGRAM, 0),
	CALL("socket", A0 | A1 | A2, ENETUNREACH, AF_INET6, SOCK_DGRAM, 17),
	CALL("socket", A0 | A1, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, 262 /* MPTCP */),
	CALL("socket", A0 | A1 | A2, EACCES, AF_INET, SOCK_RAW, 1),
	CALL("sendto", A0 | A3, EOPNOTSUPP, 3, PTR, 5, MSG_FASTOPEN, PTR),
	CALL("mount", 0, EPERM, PTR, PTR, PTR),
};

static void
refuses_in_front_of_every_question(void **state)
{
	for (unsigned int parts = 1; parts <= PARTS_ALL; parts++) {
		struct plan_filter spec = spec_asking(parts, true);
		struct sock_fprog program = compile(*state, &spec);

		for (size_t i = 0; i < COUNT_OF(refused); i++) {
			const struct call *call = &refused[i];

			if (exists(call->name)) {
				assert_int_equal(run_call(&program, call->name, call->args, 0),
						 call->verdict);
				assert_false(passes(
					run_call(&program, call->name, call->args, call->ints)));
			}
		}
		assert_int_equal(run_number(&program, NATIVE, SYSCALL_FIRST_UNKNOWN), ENOSYS);
		assert_int_equal(run_number(&program, NATIVE, UINT32_MAX), ENOSYS);
	}
}

/* What would do behind the filter's back what is asked about. */
static void
closes_ways_around_the_broker_in_a_list_that_is_not_strict(void **state)
{
	static const char *const names[] = { "openat2",		  "clone3",
					     "io_uring_setup",	  "io_uring_enter",
					     "io_uring_register", "userfaultfd" };
	struct plan_filter spec = spec_asking(PART_METADATA, false);
	struct sock_fprog program = compile(*state, &spec);
	const uint64_t args[5] = { 3 };
	const uint64_t group[5] = { PRIO_PGRP, 1234, 10 };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_false(passes(run_call(&program, names[i], args, 0)));
	}
	spec = spec_asking(PART_PROCESSES, false);
	program = compile(*state, &spec);
	assert_int_equal(run_call(&program, "setpriority", group, 0), EPERM);
	assert_int_equal(run_number(&program, NATIVE, SYSCALL_FIRST_UNKNOWN), 0);
}

static void
refuses_what_is_blocked_by_name_before_it_asks(void **state)
{
	static const char *const names[] = { "chmod", "fchmodat", "connect" };
	struct plan_filter spec = spec_asking(PARTS_ALL, true);
	const uint64_t args[5] = { 3, 0, 0 };
	struct sock_fprog program;

	spec.additional = (struct strings){ (const char **)(uintptr_t)names, COUNT_OF(names) };
	program = compile(*state, &spec);
	assert_int_equal(run_call(&program, "fchmodat", args, 0), EPERM);
	assert_int_equal(run_call(&program, "connect", args, 0), EPERM);
	assert_int_equal(run_call(&program, "fchmod", args, 0), ASKED);
}

static void
asks_about_what_an_allowlist_lets_pass_only(void **state)
{
	static const char *const names[] = { "fchmod", "mkdirat" };
	struct plan_filter spec = spec_asking(PARTS_ALL & ~PART_READS, false);
	const uint64_t args[5] = { 3, 0, 0 };
	struct sock_fprog program;

	spec.mode = SECCOMP_ALLOWLIST;
	spec.allowed = (struct strings){ (const char **)(uintptr_t)names, COUNT_OF(names) };
	program = compile(*state, &spec);
	assert_int_equal(run_call(&program, "fchmod", args, 0), ASKED);
	assert_int_equal(run_call(&program, "mkdirat", args, 0), ASKED);
	assert_int_equal(run_call(&program, "fchown", args, 0), EPERM);
	assert_int_equal(run_call(&program, "openat", args, 0), 0); /* basic, and only reads */
	assert_int_equal(run_call(&program, "unlinkat", args, 0), EPERM);
	assert_int_equal(run_call(&program, "sendmsg", args, 0), 0); /* the launch needs it */
	assert_int_equal(run_call(&program, "sendto", args, 0), EPERM);
}

/* ---- form -------------------------------------------------------------------------------- */

/* Every set of parts compiles, and is short enough that loading it is not felt. */
static void
stays_short_whatever_is_asked(void **state)
{
	struct plan_filter alone = spec_asking(0, true);
	unsigned short least = compile(*state, &alone).len;

	for (unsigned int parts = 1; parts <= PARTS_ALL; parts++) {
		struct plan_filter spec = spec_asking(parts, true);

		assert_true(compile(*state, &spec).len < least + 120);
	}
}

/* How many loads of something else than number and architecture a call goes through, with all
 * arguments 0. */
static unsigned int
arguments_loaded(const struct sock_fprog *program, uint32_t number)
{
	const struct seccomp_data data = { .nr = (int)number, .arch = NATIVE };
	unsigned int loads = 0;
	uint32_t a = 0;

	for (size_t pc = 0; pc < program->len; pc++) {
		const struct sock_filter *at = &program->filter[pc];

		if (at->code == (BPF_LD | BPF_W | BPF_ABS)) {
			loads += at->k >= offsetof(struct seccomp_data, instruction_pointer);
			memcpy(&a, (const char *)&data + at->k, 4);
		} else if (at->code == (BPF_JMP | BPF_JA)) {
			pc += at->k;
		} else if (at->code == (BPF_RET | BPF_K)) {
			break;
		} else if (at->code != (BPF_ALU | BPF_AND | BPF_K)) {
			pc += holds(at->code, a, at->k) ? at->jt : at->jf;
		} else {
			a &= at->k;
		}
	}
	return loads;
}

/* The kernel takes the verdict on a number for granted when no argument was loaded for it
 * (seccomp_cache_prepare): that must not be lost by calls that nobody asks about. */
static void
loads_no_argument_for_calls_that_are_decided_by_number(void **state)
{
	static const char *const names[] = { "read", "write", "close", "mmap", "futex", "execve" };
	struct plan_filter spec = spec_asking(PARTS_ALL, true);
	struct sock_fprog program = compile(*state, &spec);

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const struct syscall_row *row = syscall_find(names[i]);

		assert_int_equal(arguments_loaded(&program, (uint32_t)syscall_number(row)), 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_what_belongs_to_its_parts_and_nothing_else),
		cmocka_unit_test(every_rule_is_asked_for),
		cmocka_unit_test(asks_about_the_whole_family_of_metadata),
		cmocka_unit_test(refuses_in_front_of_every_question),
		cmocka_unit_test(closes_ways_around_the_broker_in_a_list_that_is_not_strict),
		cmocka_unit_test(refuses_what_is_blocked_by_name_before_it_asks),
		cmocka_unit_test(asks_about_what_an_allowlist_lets_pass_only),
		cmocka_unit_test(stays_short_whatever_is_asked),
		cmocka_unit_test(loads_no_argument_for_calls_that_are_decided_by_number),
	};

	return cmocka_run_group_tests(tests, make_filters, free_filters);
}
