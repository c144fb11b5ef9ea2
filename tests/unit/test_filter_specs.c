/* SPDX-License-Identifier: MIT */
/*
 * Sockets; which specs are standard, and the filters of those that are not: lists of one's own,
 * allowlists, logging; and wrong names.
 */
#include "filter_sim.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* ---- sockets of the standard filters ------------------------------------------------------ */

static int
socket_verdict(const struct plan_filter *spec, uint32_t family, uint32_t type, uint32_t protocol)
{
	bool tcp = (type & 0xf) == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP);
	bool udp = (type & 0xf) == SOCK_DGRAM && (protocol == 0 || protocol == IPPROTO_UDP);

	switch (family) {
	case AF_UNIX:
		return spec->unix_sockets &&
		       ((type & 0xf) == SOCK_STREAM || (type & 0xf) == SOCK_SEQPACKET);
	case AF_INET:
	case AF_INET6:
		return ((spec->inet || spec->loopback) && tcp) || (spec->inet && udp);
	case AF_NETLINK:
		return protocol == 0;
	default:
		return false;
	}
}

static void
compare_protocols(const struct sock_fprog *program, const struct plan_filter *spec, uint32_t family,
		  uint32_t type)
{
	static const uint32_t protocols[] = { 0,   1,	2,   3,		 4,	     5,
					      6,   7,	8,   16,	 17,	     18,
					      33,  58,	115, 132,	 136,	     255,
					      256, 262, 263, 0x80000000, 0x80000006, UINT32_MAX };

	for (size_t p = 0; p < COUNT_OF(protocols); p++) {
		uint64_t args[5] = { family, type, protocols[p] };

		assert_int_equal(passes(run_call(program, "socket", args, 0)),
				 socket_verdict(spec, family, type, protocols[p]));
	}
}

static void
allows_no_socket_beyond_those_that_are_listed(void **state)
{
	struct filters *filters = *state;

	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		const struct sock_fprog *program = &filters->standard[i];
		struct plan_filter spec = filter_standard_spec(i);

		for (uint32_t n = 0; n < 80 * 32; n++) {
			compare_protocols(program, &spec, n / 32, n % 32);
		}
		for (unsigned int bit = 5; bit < 32; bit++) {
			uint64_t args[5] = { AF_INET | UINT64_C(1) << bit, SOCK_STREAM, 0 };

			assert_int_equal(run_call(program, "socket", args, 0), EAFNOSUPPORT);
		}
	}
}

/* ---- other specs ------------------------------------------------------------------------- */

static struct strings
words(const char *const *items, size_t count)
{
	return (struct strings){ (const char **)(uintptr_t)items, count };
}

static void
refuses_only_what_is_named_in_a_list_that_is_not_strict(void **state)
{
	static const char *const blocked[] = { "ptrace", "kexec_load", "kexec_file_load",
					       "reboot", "umount",     "socketcall" };
	static const char *const additional[] = { "personality", "socketpair" };
	const struct plan_filter spec = {
		.blocked = words(blocked, COUNT_OF(blocked)),
		.additional = words(additional, COUNT_OF(additional)),
		.inet = true,
		.unix_sockets = true,
		.metadata = true,
		.ipc = true,
	};
	static const struct call rows[] = {
		CALL("ptrace", 0, EPERM, 0),
		CALL("reboot", 0, EPERM, 0),
		CALL("umount2", 0, EPERM, 0),
		CALL("mount", 0, 0, 0),
		CALL("bpf", 0, 0, 0),
		CALL("io_uring_setup", 0, 0, 0),
		CALL("personality", 0, EPERM, 0),
		CALL("socketpair", 0, EAFNOSUPPORT, AF_UNIX, SOCK_STREAM),
		CALL("chmod", 0, 0, PTR, 04755),
		CALL("openat", 0, 0, 3, PTR, O_CREAT, 04755),
		CALL("fcntl", 0, 0, 3, F_SETLEASE),
		CALL("setpriority", 0, 0, 0, 1234),
		CALL("ioctl", 0, EPERM, 0, TIOCSTI),
		CALL("ioctl", 0, EPERM, 0, TIOCLINUX),
		CALL("ioctl", 0, 0, 0, TIOCSCTTY),
		CALL("ioctl", 0, 0, 0, FS_IOC_SETFLAGS),
		CALL("clone", 0, EPERM, CLONE_NEWUSER),
		CALL("clone", 0, 0, SIGCHLD),
		CALL("clone3", 0, ENOSYS, PTR),
		CALL("unshare", 0, EPERM, CLONE_NEWUSER),
		CALL("socket", 0, 0, AF_INET, SOCK_STREAM, 0),
		CALL("socket", 0, EPROTONOSUPPORT, AF_INET, SOCK_STREAM, 262),
		CALL("socket", 0, EAFNOSUPPORT, AF_PACKET, SOCK_RAW, 0),
		CALL("shmget", 0, 0, 0),
	};
	struct sock_fprog program = compile(*state, &spec);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (exists(rows[i].name)) {
			assert_int_equal(run_call(&program, rows[i].name, rows[i].args, 0),
					 rows[i].verdict);
		}
	}
	assert_int_equal(run_number(&program, NATIVE, SYSCALL_FIRST_UNKNOWN), 0);
}

/* A switch that is off refuses its families in every kind of filter. */
static void
heeds_the_switches_in_a_list_that_is_not_strict(void **state)
{
	const struct plan_filter spec = { .namespaces = true };
	const uint64_t user[5] = { CLONE_NEWUSER };
	const uint64_t chmod[5] = { PTR, 0644 };
	struct sock_fprog program = compile(*state, &spec);

	assert_int_equal(run_call(&program, "clone", user, 0), 0);
	assert_int_equal(run_call(&program, "clone3", user, 0), 0);
	assert_int_equal(run_call(&program, "unshare", user, 0), 0);
	assert_int_equal(run_call(&program, "fchmod", chmod, 0), EPERM);
	assert_int_equal(run_call(&program, "shmget", chmod, 0), EPERM);
}

static void
adds_to_the_strict_list(void **state)
{
	static const char *const additional[] = { "@event", "inotify_init1", "openat" };
	const struct plan_filter spec = { .strict = true,
					  .additional = words(additional, 3),
					  .namespaces = true };
	const uint64_t args[5] = { CLONE_NEWUSER };
	struct sock_fprog program = compile(*state, &spec);

	assert_int_equal(run_call(&program, "ppoll", args, 0), EPERM);
	assert_int_equal(run_call(&program, "inotify_init1", args, 0), EPERM);
	assert_int_equal(run_call(&program, "openat", args, 0), EPERM);
	assert_int_equal(run_call(&program, "ptrace", args, 0), EPERM);
	assert_int_equal(run_call(&program, "read", args, 0), 0);
	assert_int_equal(run_call(&program, "unshare", args, 0), 0);
	assert_int_equal(run_call(&program, "setns", args, 0), 0);
	assert_int_equal(run_call(&program, "clone", args, 0), 0);
	assert_int_equal(run_call(&program, "clone3", args, 0), ENOSYS);
	assert_int_equal(run_call(&program, "mount", args, 0), EPERM);
}

static bool
is_basic(const char *name)
{
	bool found = false;

	for (size_t i = 0; i < filter_basic_syscall_count; i++) {
		found = found || strcmp(filter_basic_syscalls[i], name) == 0;
	}
	return found;
}

static void
allows_only_what_is_listed_in_an_allowlist(void **state)
{
	static const char *const allowed[] = { "socket",  "@sched", "ioctl", "ptrace",
					       "unshare", "clone3", "chmod", "fchmodat" };
	static const char *const additional[] = { "sched_yield" };
	const struct plan_filter spec = { .mode = SECCOMP_ALLOWLIST,
					  .allowed = words(allowed, COUNT_OF(allowed)),
					  .additional = words(additional, 1),
					  .inet = true,
					  .metadata = true };
	static const struct call rows[] = {
		CALL("socket", 0, 0, AF_INET, SOCK_STREAM),
		CALL("socket", 0, EACCES, AF_UNIX, SOCK_STREAM),
		CALL("socket", 0, EAFNOSUPPORT, AF_VSOCK, SOCK_STREAM),
		CALL("socketpair", 0, EAFNOSUPPORT, AF_UNIX, SOCK_STREAM),
		CALL("setpriority", 0, 0, 0, 0),
		CALL("setpriority", 0, EPERM, 0, 1234),
		CALL("sched_yield", 0, EPERM, 0),
		CALL("ioctl", 0, 0, 0, TCGETS),
		CALL("ioctl", 0, EPERM, 0, TIOCSTI),
		CALL("ptrace", 0, 0, 0),
		CALL("unshare", 0, EPERM, 0),
		CALL("clone3", 0, ENOSYS, 0),
		CALL("fchmodat", 0, 0, 3, PTR, 0644),
		CALL("fchmodat", 0, EPERM, 3, PTR, 04644),
		CALL("clone", 0, EPERM, SIGCHLD),
		CALL("openat", 0, 0, 3, PTR, O_RDONLY),
		CALL("openat", 0, EPERM, 3, PTR, O_CREAT, 04755),
		CALL("io_uring_setup", 0, ENOSYS, 0),
		CALL("getpid", 0, EPERM, 0),
	};
	struct sock_fprog program = compile(*state, &spec);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (exists(rows[i].name)) {
			assert_int_equal(run_call(&program, rows[i].name, rows[i].args, 0),
					 rows[i].verdict);
		}
	}
	for (uint32_t nr = SYSCALL_FIRST_UNKNOWN; nr < 1000; nr++) {
		assert_int_equal(run_number(&program, NATIVE, nr), ENOSYS);
	}
	assert_int_equal(run_number(&program, NATIVE, UINT32_MAX), ENOSYS);
}

static void
allows_the_basic_calls_alone_in_an_empty_allowlist(void **state)
{
	const struct plan_filter spec = { .mode = SECCOMP_ALLOWLIST };
	const uint64_t args[5] = { 0 };
	struct sock_fprog program = compile(*state, &spec);

	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];

		if (syscall_number(row) >= 0) {
			assert_int_equal(run_call(&program, row->name, args, 0),
					 is_basic(row->name) ? 0 : row->error);
		}
	}
}

static void
logs_in_an_allowlist_with_log_only(void **state)
{
	const struct plan_filter spec = { .mode = SECCOMP_ALLOWLIST, .log_only = true };
	const uint64_t args[5] = { 3, PTR, O_CREAT, 04755 };
	struct sock_fprog program = compile(*state, &spec);

	assert_int_equal(run_call(&program, "read", args, 0), 0);
	assert_int_equal(run_call(&program, "getpid", args, 0), LOGGED);
	assert_int_equal(run_call(&program, "openat", args, 0), LOGGED);
	assert_int_equal(run_number(&program, NATIVE, 900), LOGGED);
}

/* ---- the standard programs and names ----------------------------------------------------- */

static void
has_standard_programs_that_equal_fresh_ones(void **state)
{
	struct filters *filters = *state;

	for (unsigned int i = 0; i < filter_standard_count; i++) {
		struct plan_filter spec = filter_standard_spec(i);
		struct sock_fprog fresh = { 0 };
		struct bailey_error err = { 0 };

		assert_int_equal(filter_standard_index(&spec), i);
		assert_ptr_equal(filters->standard[i].filter, filter_standards[i].code);
		assert_int_equal(filter_build(&spec, &filters->arena, &fresh, &err), 0);
		assert_int_equal(fresh.len, filter_standards[i].len);
		assert_memory_equal(fresh.filter, filter_standards[i].code,
				    fresh.len * sizeof(fresh.filter[0]));
	}
}

static void
takes_a_standard_program_for_no_other_spec(void **state)
{
	static const char *const one[] = { "read" };
	struct plan_filter spec = filter_standard_spec(5);

	(void)state;
	spec.blocked = words(one, 1); /* means nothing while it is strict */
	assert_int_equal(filter_standard_index(&spec), 5);
	spec.additional = words(one, 1);
	assert_int_equal(filter_standard_index(&spec), FILTER_STANDARDS);
	spec = filter_standard_spec(5);
	spec.namespaces = true;
	assert_int_equal(filter_standard_index(&spec), FILTER_STANDARDS);
	spec = filter_standard_spec(5);
	spec.log_only = true;
	assert_int_equal(filter_standard_index(&spec), FILTER_STANDARDS);
	spec = filter_standard_spec(5);
	spec.strict = false;
	assert_int_equal(filter_standard_index(&spec), FILTER_STANDARDS);
	spec = filter_standard_spec(5);
	spec.mode = SECCOMP_ALLOWLIST;
	assert_int_equal(filter_standard_index(&spec), FILTER_STANDARDS);
}

/* filter_impl.h promises it; a name that is not in the table would be a rule that does nothing. */
static void
has_argument_rules_for_known_calls_in_one_table_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < filter_pass_rule_count; i++) {
		assert_non_null(syscall_find(filter_pass_rules[i].name));
		for (size_t j = 0; j < filter_refuse_rule_count; j++) {
			assert_string_not_equal(filter_pass_rules[i].name,
						filter_refuse_rules[j].name);
		}
	}
	for (size_t j = 0; j < filter_refuse_rule_count; j++) {
		assert_non_null(syscall_find(filter_refuse_rules[j].name));
		assert_int_not_equal(filter_refuse_rules[j].error, 0);
	}
	for (size_t i = 0; i < filter_basic_syscall_count; i++) {
		assert_non_null(syscall_find(filter_basic_syscalls[i]));
	}
}

/* ---- names and failures -------------------------------------------------------------------- */

static void
names_the_nearest_word_when_one_is_unknown(void **state)
{
	static const struct {
		const char *word;
		const char *part; /* of the message, or NULL: the word is fine */
	} rows[] = {
		{ "ptrace", NULL },	     { "umount", NULL },
		{ "@mount", NULL },	     { "sysv_ipc", NULL },
		{ "socketcall", NULL },	     { "ptrce", "did you mean 'ptrace'?" },
		{ "sysvipc", "'sysv_ipc'" }, { "@mont", "did you mean 'mount'?" },
		{ "@ptrace", "unknown" },    { "", "unknown" },
		{ "@", "unknown" },	     { "xyzzyxyzzyxyzzy", "unknown" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct plan_filter spec = { .allowed = words(&rows[i].word, 1) };
		struct bailey_error err = { 0 };
		int rc = filter_check_names(&spec, &err);

		assert_int_equal(rc, rows[i].part == NULL ? 0 : BAILEY_E_INVALID);
		if (rows[i].part != NULL) {
			assert_non_null(strstr(err.message, rows[i].part));
			assert_non_null(strstr(err.message, rows[i].word));
			assert_non_null(strstr(err.message, "allowed"));
		}
	}
}

static void
fails_to_compile_with_an_unknown_name(void **state)
{
	static const char *const bad[] = { "read", "ptrce" };
	struct plan_filter specs[] = {
		{ .blocked = words(bad, 2) },
		{ .strict = true, .additional = words(bad, 2) },
		{ .mode = SECCOMP_ALLOWLIST, .allowed = words(bad, 2) },
	};

	for (size_t i = 0; i < COUNT_OF(specs); i++) {
		struct filters *filters = *state;
		struct sock_fprog program = { 0 };
		struct bailey_error err = { 0 };

		assert_int_equal(filter_compile(&specs[i], &filters->arena, &program, &err),
				 BAILEY_E_INVALID);
		assert_null(program.filter);
	}
}

static void
fails_cleanly_when_memory_is_out(void **state)
{
	const struct plan_filter spec = { .mode = SECCOMP_ALLOWLIST };
	bool done = false;

	(void)state;
	for (unsigned int n = 1; !done && n < 50; n++) {
		AUTO_ARENA arena = { 0 };
		struct sock_fprog program = { 0 };
		struct bailey_error err = { 0 };
		int rc;

		arena_fail_nth = n;
		rc = filter_compile(&spec, &arena, &program, &err);
		arena_fail_nth = 0;
		assert_true(rc == 0 || rc == BAILEY_E_NOMEM);
		assert_int_equal(err.status, rc);
		done = rc == 0;
	}
	assert_true(done);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(allows_no_socket_beyond_those_that_are_listed),
		cmocka_unit_test(refuses_only_what_is_named_in_a_list_that_is_not_strict),
		cmocka_unit_test(heeds_the_switches_in_a_list_that_is_not_strict),
		cmocka_unit_test(adds_to_the_strict_list),
		cmocka_unit_test(allows_only_what_is_listed_in_an_allowlist),
		cmocka_unit_test(allows_the_basic_calls_alone_in_an_empty_allowlist),
		cmocka_unit_test(logs_in_an_allowlist_with_log_only),
		cmocka_unit_test(has_standard_programs_that_equal_fresh_ones),
		cmocka_unit_test(takes_a_standard_program_for_no_other_spec),
		cmocka_unit_test(has_argument_rules_for_known_calls_in_one_table_each),
		cmocka_unit_test(names_the_nearest_word_when_one_is_unknown),
		cmocka_unit_test(fails_to_compile_with_an_unknown_name),
		cmocka_unit_test(fails_cleanly_when_memory_is_out),
	};

	return cmocka_run_group_tests(tests, make_filters, free_filters);
}
