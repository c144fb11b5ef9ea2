/* SPDX-License-Identifier: MIT */

/* What a plan lets a command read and write by the kernel alone; test_plan_broker.c has the rest.
 */

#include "plan_fixture.h"

/* ---- reading ------------------------------------------------------------------------------- */

static const struct {
	const char *path;
	bool read;
} reads[] = {
	{ "/usr/bin/tool", true },
	{ "/etc/passwd", true },
	{ "/home/other/file", true },
	{ "/home/u/.bashrc", true },
	{ "/home/u/plain/a", true },
	{ "/home/u/plain/new", true },
	{ "/home/u/.config/app/x", true },
	{ "/home/u/moved/else", true },
	{ "/home/u/.ssh", false },
	{ "/home/u/.ssh/id", false },
	{ "/home/u/moved/aws", false }, /* the target of ~/.aws */
	{ "/home/u/moved/aws/creds", false },
	{ "/home/u/.config/gcloud/x", false }, /* does not exist at the start */
	{ "/home/u/.netrc", false },
	{ "/home/u/appears-later", false },
	{ "/dev/sda", false },
	{ "/dev/shm/x", false },
	{ "/dev/null", true },
};

static void
reads_everything_but_what_is_kept_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	for (size_t i = 0; i < COUNT_OF(reads); i++) {
		if (may(&s, reads[i].path, LL_READ_FILE) != reads[i].read) {
			fail_msg("%s: expected %s", reads[i].path, reads[i].read ? "yes" : "no");
		}
	}
	assert_true(may(&s, "/home/u/.ssh", LL_READ_DIR)); /* names stay visible */
	assert_no_rule_follows_a_link(&s);
	end(&s);
}

static void
read_only_writes_nothing_but_devices(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	for (size_t i = 0; i < s.plan->rule_count; i++) {
		const struct plan_rule *rule = &s.plan->rules[i];

		assert_true(rule->why == WHY_DEVICE || (rule->access & RIGHTS_WRITE) == 0);
	}
	assert_false(s.plan->filter.metadata);
	assert_false(s.plan->private_tmp);
	end(&s);
}

static void
hides_names_when_asked(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	assert_int_equal(bailey_policy_set_hide_names(s.policy, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(may(&s, "/home/u", LL_READ_DIR));
	assert_false(may(&s, "/home/u/.ssh", LL_READ_DIR));
	assert_true(may(&s, "/home/u/plain", LL_READ_DIR));
	end(&s);
}

static void
read_roots_limit_reading_to_them_and_the_system(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	assert_int_equal(bailey_policy_add_read_root(s.policy, "/home/other", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/home/other/x", LL_READ_FILE));
	assert_true(may(&s, "/usr/bin/tool", LL_READ_FILE | LL_EXECUTE));
	assert_true(may(&s, "/home/u/plain/a", LL_READ_FILE)); /* the working directory */
	assert_false(may(&s, "/home/u/.bashrc", LL_READ_FILE));
	assert_false(may(&s, "/", LL_READ_DIR));
	end(&s);
}

static void
exec_roots_limit_running(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_exec_root(s.policy, "/usr/bin", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/usr/bin/tool", LL_EXECUTE));
	assert_false(may(&s, "/home/u/plain/built", LL_EXECUTE));
	end(&s);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void
writes_the_working_directory_and_nothing_beside_it(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/link"); /* a symlink to plain */
	s.request.no_broker = true;
	must_compile(&s);
	assert_true(may(&s, "/home/u/plain", RIGHTS_WRITE & s.plan->handled_fs));
	assert_true(may(&s, "/home/u/plain/new/file", LL_WRITE_FILE | LL_MAKE_REG));
	assert_false(may(&s, "/home/u/.bashrc", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u", LL_MAKE_REG));
	assert_false(may(&s, "/tmp/x", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_CHAR));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_BLOCK));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_SOCK));
	assert_non_null(find_note(&s, "metadata-not-confined"));
	assert_true(has_gap(&s, "protected-names-can-be-made"));
	end(&s);
}

static void
protected_names_are_granted_around(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/home/u/repo/.git/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo", LL_MAKE_REG));
	assert_true(may(&s, "/home/u/repo/top.txt", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo/src/x.c", LL_WRITE_FILE));
	/* a nested repository, with a name in capitals */
	assert_false(may(&s, "/home/u/repo/src/deep/.GIT/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo/src/deep", LL_MAKE_REG));
	/* other people's code is not searched: granted as it is */
	assert_true(may(&s, "/home/u/repo/node_modules/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo/.git/config", LL_READ_FILE));
	assert_non_null(find_note(&s, "protected-name"));

	assert_int_equal(bailey_policy_set_protect(s.policy, false, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/home/u/repo/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo", LL_MAKE_REG));
	assert_null(find_note(&s, "protected-name"));
	end(&s);
}

static void
git_file_of_a_worktree_protects_what_it_names(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/tree");
	assert_int_equal(bailey_policy_add_writable_root(s.policy, "/home/u/base", &s.err),
			 BAILEY_OK);
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/home/u/tree/.git", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/worktrees/tree/HEAD", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/base/free/x", LL_WRITE_FILE));
	end(&s);
}

static void
symlinked_git_protects_link_and_target(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/linked");
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/home/u/linked/store/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/linked", LL_REMOVE_FILE));
	assert_true(may(&s, "/home/u/linked/work/x", LL_WRITE_FILE));
	assert_no_rule_follows_a_link(&s);
	end(&s);
}

static void
home_as_workspace_keeps_credentials_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u");
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/home/u/.ssh/id", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/.ssh/id", LL_READ_FILE));
	assert_false(may(&s, "/home/u/moved/aws/x", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/plain/x", LL_WRITE_FILE));
	end(&s);
}

static void
denied_path_is_neither_read_nor_written(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_deny(s.policy, "a", &s.err), BAILEY_OK);
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/home/u/plain/a", LL_READ_FILE));
	assert_false(may(&s, "/home/u/plain/a", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_REG));
	end(&s);
}

static void
real_tmp_is_writable_only_when_not_excluded(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.no_broker = true;
	must_compile(&s);
	assert_false(may(&s, "/tmp", LL_MAKE_REG));
	assert_int_equal(bailey_policy_set_real_tmp(s.policy, true, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/tmp", LL_MAKE_REG));
	end(&s);
}

static void
pseudo_terminals_are_opened_where_no_other_terminal_is(void **state)
{
	const char *own = "/dev/pts/1";
	struct terminals terminals = { { &own, 1 }, false };
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	assert_false(may(&s, "/dev/pts/2", LL_READ_FILE)); /* nothing is known of terminals */
	s.request.terminals = &terminals;
	must_compile(&s);
	assert_true(may(&s, "/dev/pts/2", RIGHTS_DEVICE));
	terminals.others = true;
	must_compile(&s);
	assert_false(may(&s, "/dev/pts/2", LL_READ_FILE));
	assert_non_null(strstr(note_text(&s, "pseudo-terminals"), "no pseudo-terminals"));
	assert_true(may(&s, "/dev/pts/1", RIGHTS_DEVICE));
	assert_int_equal(bailey_policy_add_device(s.policy, "pty", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/dev/pts/2", RIGHTS_DEVICE));
	assert_non_null(strstr(note_text(&s, "pseudo-terminals"), "every terminal"));
	end(&s);
}

static void
devices_are_opened_by_group(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	assert_false(may(&s, "/dev/dri/card0", LL_READ_FILE));
	assert_int_equal(bailey_policy_add_device(s.policy, "gpu", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/dev/dri/card0", RIGHTS_DEVICE));
	assert_false(may(&s, "/dev/sda", LL_READ_FILE));
	end(&s);
}

/* ---- mounts -------------------------------------------------------------------------------- */

static bool
mounted_twice(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count)
{
	static struct fs_mount table[] = {
		{ "8:1", "/", "/" },
		{ "0:6", "/", "/dev" },
		{ "8:1", "/home", "/usr/bin" },	   /* all of it */
		{ "8:1", "/home/u/.ssh", "/etc" }, /* the secret itself */
		{ "8:1", "/home/u/.ssh/sub", "/proc" },
		{ "0:6", "/", "/home/other" },
		{ "9:9", "/home", "/tmp" }, /* another file system */
	};

	(void)data;
	(void)arena;
	*mounts = table;
	*count = COUNT_OF(table);
	return true;
}

static void
keeps_out_where_it_is_mounted_again(void **state)
{
	struct fs_view fs = table_fs;
	struct setup s;

	(void)state;
	fs.mounts = mounted_twice;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/repo");
	must_compile(&s);
	assert_true(may(&s, "/etc", LL_READ_FILE));
	assert_true(may(&s, "/home/other", LL_READ_FILE));
	s.request.fs = &fs;
	must_compile(&s);
	assert_false(may(&s, "/usr/bin/u/.ssh/id", LL_READ_FILE));
	assert_true(may(&s, "/usr/bin/tool", LL_READ_FILE));
	assert_false(may(&s, "/etc", LL_READ_FILE));
	assert_false(may(&s, "/proc", LL_READ_FILE));
	assert_false(may(&s, "/home/other", LL_READ_FILE));
	assert_true(may(&s, "/tmp", LL_READ_FILE));
	assert_null(find_note(&s, "mounts-unknown"));
	end(&s);
}

static bool
mounted_over(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count)
{
	static struct fs_mount table[] = {
		{ "8:1", "/", "/" },
		{ "9:9", "/", "/home/u/.ssh" },
		{ "8:1", "/home", "/usr/bin" }, /* without what is mounted in it */
	};

	(void)data;
	(void)arena;
	*mounts = table;
	*count = COUNT_OF(table);
	return true;
}

/* A rule on the second name of a directory holds for what is mounted below its first. */
static void
grants_no_second_name_of_what_it_is_mounted_on(void **state)
{
	struct fs_view fs = table_fs;
	struct setup s;

	(void)state;
	fs.mounts = mounted_over;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/repo");
	s.request.fs = &fs;
	must_compile(&s);
	assert_false(may(&s, "/home/u/.ssh/id", LL_READ_FILE));
	assert_false(may(&s, "/usr/bin/u/.ssh", LL_READ_FILE));
	assert_true(may(&s, "/usr/bin/tool", LL_READ_FILE));
	end(&s);
}

static void
protects_names_where_they_are_mounted_again(void **state)
{
	struct fs_view fs = table_fs;
	struct setup s;

	(void)state;
	fs.mounts = mounted_twice;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	s.request.fs = &fs;
	assert_int_equal(bailey_policy_add_writable_root(s.policy, "/usr/bin", &s.err), 0);
	s.request.no_broker = true;
	must_compile(&s);
	assert_true(may(&s, "/usr/bin/tool", LL_WRITE_FILE));
	assert_false(may(&s, "/usr/bin/u/repo/.git/config", LL_WRITE_FILE));
	end(&s);
}

static bool
no_mounts(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count)
{
	(void)data;
	(void)arena;
	*mounts = NULL;
	*count = 0;
	return false;
}

static void
says_so_when_mounts_are_unknown(void **state)
{
	struct fs_view fs = table_fs;
	struct setup s;

	(void)state;
	fs.mounts = no_mounts;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/repo");
	s.request.fs = &fs;
	must_compile(&s);
	assert_non_null(find_note(&s, "mounts-unknown"));
	end(&s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_everything_but_what_is_kept_out),
		cmocka_unit_test(keeps_out_where_it_is_mounted_again),
		cmocka_unit_test(grants_no_second_name_of_what_it_is_mounted_on),
		cmocka_unit_test(protects_names_where_they_are_mounted_again),
		cmocka_unit_test(says_so_when_mounts_are_unknown),
		cmocka_unit_test(read_only_writes_nothing_but_devices),
		cmocka_unit_test(hides_names_when_asked),
		cmocka_unit_test(read_roots_limit_reading_to_them_and_the_system),
		cmocka_unit_test(exec_roots_limit_running),
		cmocka_unit_test(writes_the_working_directory_and_nothing_beside_it),
		cmocka_unit_test(protected_names_are_granted_around),
		cmocka_unit_test(git_file_of_a_worktree_protects_what_it_names),
		cmocka_unit_test(symlinked_git_protects_link_and_target),
		cmocka_unit_test(home_as_workspace_keeps_credentials_out),
		cmocka_unit_test(denied_path_is_neither_read_nor_written),
		cmocka_unit_test(real_tmp_is_writable_only_when_not_excluded),
		cmocka_unit_test(pseudo_terminals_are_opened_where_no_other_terminal_is),
		cmocka_unit_test(devices_are_opened_by_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
