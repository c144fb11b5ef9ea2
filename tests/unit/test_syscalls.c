/* SPDX-License-Identifier: MIT */
/* The table of system calls: sorted, complete, without contradictions, and as libseccomp has it. */
#include "sandbox/filter.h"

#include "base/attr.h"

#include <ctype.h>
#include <errno.h>
#include <seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
is_sorted_by_name_without_duplicates(void **state)
{
	(void)state;
	for (size_t i = 1; i < syscall_row_count; i++) {
		if (strcmp(syscall_rows[i - 1].name, syscall_rows[i].name) >= 0) {
			fail_msg("'%s' does not come before '%s'", syscall_rows[i - 1].name,
				 syscall_rows[i].name);
		}
	}
}

static void
has_each_number_once(void **state)
{
	bool x86_64[512] = { false };
	bool aarch64[512] = { false };

	(void)state;
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];

		assert_in_range(row->x86_64 + 1, 0, SYSCALL_FIRST_UNKNOWN);
		assert_in_range(row->aarch64 + 1, 0, SYSCALL_FIRST_UNKNOWN);
		assert_true(row->x86_64 >= 0 || row->aarch64 >= 0);
		if (row->x86_64 >= 0) {
			assert_false(x86_64[row->x86_64]);
			x86_64[row->x86_64] = true;
		}
		if (row->aarch64 >= 0) {
			assert_false(aarch64[row->aarch64]);
			aarch64[row->aarch64] = true;
		}
	}
	/* Both are without holes but for these. */
	for (int nr = 0; nr < SYSCALL_FIRST_UNKNOWN; nr++) {
		assert_int_equal(x86_64[nr], nr <= 336 || nr >= 424);
		assert_int_equal(aarch64[nr], nr <= 243 || (nr >= 260 && nr <= 294) || nr >= 424);
	}
}

/* libseccomp calls what it does not know, or what the architecture does not have, a number < 0. */
static void
agrees_with_libseccomp_for_each_name(void **state)
{
	size_t known = 0;

	(void)state;
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];
		int x86_64 = seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, row->name);
		int aarch64 = seccomp_syscall_resolve_name_arch(SCMP_ARCH_AARCH64, row->name);

		if ((x86_64 >= 0 && x86_64 != row->x86_64) ||
		    (aarch64 >= 0 && aarch64 != row->aarch64)) {
			fail_msg("'%s' is %d and %d, in the table %d and %d", row->name, x86_64,
				 aarch64, row->x86_64, row->aarch64);
		}
		known += x86_64 >= 0 || aarch64 >= 0 ? 1 : 0;
	}
	assert_true(known >= 360);
}

static void
has_every_name_that_libseccomp_has(void **state)
{
	static const uint32_t archs[] = { SCMP_ARCH_X86_64, SCMP_ARCH_AARCH64 };

	(void)state;
	for (size_t a = 0; a < COUNT_OF(archs); a++) {
		for (int nr = 0; nr < SYSCALL_FIRST_UNKNOWN; nr++) {
			char *name = seccomp_syscall_resolve_num_arch(archs[a], nr);
			const struct syscall_row *row = name != NULL ? syscall_find(name) : NULL;

			if (name != NULL && row == NULL) {
				fail_msg("'%s' is missing", name);
			}
			if (row != NULL) {
				assert_int_equal(a == 0 ? row->x86_64 : row->aarch64, nr);
			}
			free(name);
		}
	}
}

static void
has_well_formed_columns(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];
		size_t len = strspn(row->since, "0123456789.");

		assert_true(row->error > 0 && row->error < 4096);
		assert_int_equal(row->since[len], '\0');
		assert_true(len == 0 ? row->family == FAMILY_UNBUILT : len >= 3);
		if (row->reason != NULL) {
			assert_true(islower((unsigned char)row->reason[0]));
			assert_int_not_equal(row->reason[strlen(row->reason) - 1], '.');
		}
	}
}

static bool
is_exception(const struct syscall_row *row)
{
	return strcmp(row->name, "clone3") == 0 || strcmp(row->name, "openat2") == 0;
}

/* filter.h promises it, so that a family in an allowlist brings no surprises. */
static void
refuses_a_family_whole_or_not_at_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_row_count; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct syscall_row *a = &syscall_rows[i];
			const struct syscall_row *b = &syscall_rows[j];

			if (a->family == b->family && !is_exception(a) && !is_exception(b) &&
			    (a->reason == NULL) != (b->reason == NULL)) {
				fail_msg("'%s' and '%s' differ", a->name, b->name);
			}
		}
	}
}

static void
gives_every_family_a_name_and_a_call(void **state)
{
	(void)state;
	for (int f = 0; f < FAMILIES; f++) {
		enum syscall_family family = (enum syscall_family)f;
		size_t members = 0;

		assert_non_null(syscall_family_name(family));
		assert_int_equal(syscall_family_find(syscall_family_name(family)), family);
		for (size_t i = 0; i < syscall_row_count; i++) {
			members += syscall_rows[i].family == family ? 1 : 0;
		}
		assert_true(members > 0);
	}
	assert_int_equal(syscall_family_find("nonsense"), FAMILIES);
}

static void
finds_each_row_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_row_count; i++) {
		assert_ptr_equal(syscall_find(syscall_rows[i].name), &syscall_rows[i]);
	}
	assert_ptr_equal(syscall_find("umount"), syscall_find("umount2"));
	assert_null(syscall_find(""));
	assert_null(syscall_find("reads"));
	assert_null(syscall_find("zzz"));
}

static size_t
count_chosen(const char *word)
{
	bool chosen[SYSCALL_ROWS_MAX] = { false };
	size_t count = 0;

	(void)syscall_choose(word, chosen);
	for (size_t i = 0; i < syscall_row_count; i++) {
		count += chosen[i] ? 1 : 0;
	}
	return count;
}

static void
takes_a_bare_word_for_the_call_and_an_at_sign_for_the_family(void **state)
{
	(void)state;
	assert_int_equal(count_chosen("mount"), 1);
	assert_int_equal(count_chosen("@mount"), 14);
	assert_int_equal(count_chosen("sysv_ipc"), 12);
	assert_int_equal(count_chosen("@sysv_ipc"), 12);
	assert_int_equal(count_chosen("@read"), 0);
	assert_int_equal(count_chosen("nonsense"), 0);
	assert_int_equal(count_chosen("@"), 0);
}

/* What the built-in list has to hold, by name, whatever families come and go. */
/* clang-format off */
static const char *const builtin[] = {
	"ptrace", "kcmp", "pidfd_getfd", "process_madvise", "process_mrelease", "mount",
	"umount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen",
	"fsconfig", "fsmount", "fspick", "mount_setattr", "open_tree_attr", "open_by_handle_at",
	"name_to_handle_at", "init_module", "finit_module", "delete_module", "kexec_load",
	"kexec_file_load", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
	"io_uring_enter", "io_uring_register", "process_vm_readv", "process_vm_writev", "reboot",
	"swapon", "swapoff", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime",
	"add_key", "request_key", "keyctl", "ioperm", "iopl", "acct", "quotactl", "quotactl_fd",
	"unshare", "setns", "lookup_dcookie", "nfsservctl", "syslog", "vhangup", "fanotify_init",
	"listmount", "statmount", "memfd_secret", "modify_ldt", "migrate_pages", "move_pages",
	"msgget", "semget", "shmget", "mq_open", "clone3",
};
/* clang-format on */

static void
gives_a_reason_for_every_call_of_the_builtin_list(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(builtin); i++) {
		const struct syscall_row *row = syscall_find(builtin[i]);

		if (row == NULL || row->reason == NULL) {
			fail_msg("'%s' has no reason", builtin[i]);
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_sorted_by_name_without_duplicates),
		cmocka_unit_test(has_each_number_once),
		cmocka_unit_test(agrees_with_libseccomp_for_each_name),
		cmocka_unit_test(has_every_name_that_libseccomp_has),
		cmocka_unit_test(has_well_formed_columns),
		cmocka_unit_test(refuses_a_family_whole_or_not_at_all),
		cmocka_unit_test(gives_every_family_a_name_and_a_call),
		cmocka_unit_test(finds_each_row_and_nothing_else),
		cmocka_unit_test(takes_a_bare_word_for_the_call_and_an_at_sign_for_the_family),
		cmocka_unit_test(gives_a_reason_for_every_call_of_the_builtin_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
