/* SPDX-License-Identifier: MIT */

/* Which parts of a policy the broker holds, which roots it serves, and what the kernel is told
 * about them. */

#include "plan_fixture.h"

#include "sandbox/filter_impl.h"

#define WORKSPACE (PART_FILES | PART_METADATA | PART_PROCESSES | PART_UNIX | PART_SHM)

static bool
holds(const struct strings *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0) {
			return true;
		}
	}
	return false;
}

static const struct carve_out *
carved(const struct setup *s, const char *path)
{
	for (size_t i = 0; i < s->plan->carve_out_count; i++) {
		if (strcmp(s->plan->carve_outs[i].path, path) == 0) {
			return &s->plan->carve_outs[i];
		}
	}
	return NULL;
}

static void
assert_parts(const struct setup *s, unsigned int parts)
{
	assert_int_equal(s->plan->broker.parts, parts);
	assert_int_equal(s->plan->filter.notify, parts);
}

/* ---- parts ------------------------------------------------------------------------------- */

static void
workspace_has_all_parts_that_it_needs(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_parts(&s, WORKSPACE | PART_LOOPBACK);
	assert_true(s.plan->filter.metadata);
	assert_true(s.plan->filter.unix_sockets);
	assert_true(s.plan->filter.loopback);
	assert_false(s.plan->filter.inet);
	assert_false(s.plan->network);
	assert_int_equal(s.plan->handled_net, LL_NET_BIND_TCP | LL_NET_CONNECT_TCP);
	assert_false(s.plan->broker.any_unix);
	for (size_t i = 0; i < s.plan->note_count; i++) {
		assert_false(s.plan->notes[i].gap);
	}
	assert_int_equal(bailey_policy_set_limit(s.policy, "max_pids", 5, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, WORKSPACE | PART_LOOPBACK);
	s.request.exact_pids = true;
	must_compile(&s);
	assert_parts(&s, WORKSPACE | PART_LOOPBACK | PART_TASKS);
	assert_int_equal(find_note(&s, "limit-pids")->by, BY_BROKER);
	end(&s);
}

static void
there_is_no_broker_where_it_cannot_be(void **state)
{
	static const struct {
		bool no_broker, namespaces, log_only;
	} rows[] = { { true, false, false }, { false, true, false }, { false, false, true } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
		s.request.no_broker = rows[i].no_broker;
		s.policy->seccomp.allow_namespaces = rows[i].namespaces;
		s.policy->seccomp.log_only = rows[i].log_only;
		must_compile(&s);
		assert_parts(&s, 0);
		assert_int_equal(s.plan->broker.roots.count, 0);
		assert_false(s.plan->filter.unix_sockets);
		assert_false(s.plan->filter.loopback);
		assert_true(has_gap(&s, "metadata-not-confined"));
		assert_true(has_gap(&s, "protected-names-can-be-made"));
		end(&s);
	}
}

static void
sockets_follow_the_policy(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_set_loopback(s.policy, "none", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, WORKSPACE);
	assert_false(s.plan->filter.loopback);
	assert_int_equal(bailey_policy_set_loopback(s.policy, "own", &s.err), BAILEY_OK);
	s.request.no_inet = true;
	must_compile(&s);
	assert_parts(&s, WORKSPACE);
	s.request.no_inet = false;
	assert_int_equal(bailey_policy_set_network_access(s.policy, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, WORKSPACE);
	assert_true(s.plan->filter.inet);
	assert_int_equal(bailey_policy_add_unix_socket(s.policy, "*", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, WORKSPACE & ~PART_UNIX);
	assert_true(s.plan->broker.any_unix);
	assert_true(s.plan->filter.unix_sockets);
	assert_null(find_note(&s, "unix-sockets-not-confined"));
	assert_non_null(find_note(&s, "unix-sockets-open"));
	end(&s);
}

static void
unix_sockets_are_resolved(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_unix_socket(s.policy, "~/link/sock", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(holds(&s.plan->broker.unix_paths, "/home/u/plain/sock"));
	assert_int_equal(s.plan->broker.unix_paths.count, 1);
	end(&s);
}

static void
read_only_has_a_broker_only_for_sockets_that_were_asked_for(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/repo");
	must_compile(&s);
	assert_parts(&s, 0);
	assert_int_equal(bailey_policy_add_unix_socket(s.policy, "/run/x", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, PART_UNIX);
	assert_int_equal(bailey_policy_set_loopback(s.policy, "own", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, PART_UNIX | PART_LOOPBACK);
	assert_false(s.plan->filter.metadata);
	assert_int_equal(s.plan->broker.roots.count, 0);
	end(&s);
}

/* Its scopes tell the broker what is the command's own: without them it must not be asked. */
static void
older_kernels_have_fewer_parts(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.best_effort = true;
	set_abi(&s.host, 5);
	must_compile(&s);
	assert_parts(&s, PART_FILES | PART_METADATA | PART_SHM | PART_LOOPBACK);
	assert_false(s.plan->filter.unix_sockets);
	set_abi(&s.host, 3);
	must_compile(&s);
	assert_parts(&s, PART_FILES | PART_METADATA | PART_SHM);
	assert_false(s.plan->filter.loopback);
	end(&s);
}

static void
whoever_may_write_dev_shm_has_it_not_served(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_false(may(&s, "/dev/shm/x", LL_READ_FILE));
	assert_false(may(&s, "/dev/shm", LL_MAKE_REG));
	assert_int_equal(bailey_policy_add_writable_root(s.policy, "/dev/shm", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, (WORKSPACE & ~PART_SHM) | PART_LOOPBACK);
	assert_true(may(&s, "/dev/shm", LL_MAKE_REG));
	assert_false(holds(&s.plan->broker.roots, "/dev/shm"));
	end(&s);
}

/* libseccomp needs as long as all the rest of a start: the usual filters are made at build time. */
static void
usual_runs_have_a_filter_that_is_ready(void **state)
{
	static const struct {
		bool net, pids, no_protect;
		const char *loopback;
	} rows[] = {
		{ false, false, false, "own" },	 { true, false, false, "own" },
		{ false, true, false, "own" },	 { true, true, false, "own" },
		{ false, false, true, "own" },	 { false, true, true, "own" },
		{ false, false, false, "none" }, { false, true, false, "none" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
		assert_int_equal(bailey_policy_set_loopback(s.policy, rows[i].loopback, &s.err), 0);
		assert_int_equal(bailey_policy_set_network_access(s.policy, rows[i].net, &s.err),
				 0);
		assert_int_equal(
			bailey_policy_set_limit(s.policy, "max_pids", rows[i].pids, &s.err), 0);
		assert_int_equal(bailey_policy_set_protect(s.policy, !rows[i].no_protect, &s.err),
				 0);
		must_compile(&s);
		if (filter_standard_index(&s.plan->filter) == FILTER_STANDARDS) {
			fail_msg("row %zu", i);
		}
		end(&s);
	}
}

/* ---- served roots ------------------------------------------------------------------------ */

/* What nobody but the broker may do there. */
#define MAKES                                                                                      \
	(LL_MAKE_REG | LL_MAKE_DIR | LL_MAKE_SYM | LL_MAKE_FIFO | LL_MAKE_SOCK | LL_MAKE_CHAR |    \
	 LL_MAKE_BLOCK | LL_REFER)

static void
assert_nothing_is_made_below(const struct setup *s, const char *root)
{
	for (size_t i = 0; i < s->plan->rule_count; i++) {
		const struct plan_rule *rule = &s->plan->rules[i];

		if ((rule->access & MAKES) != 0 &&
		    (path_under(rule->path, root) || path_under(root, rule->path))) {
			fail_msg("rule on %s", rule->path);
		}
		if (path_under(rule->path, root) && !rule->directory) {
			assert_int_equal(rule->access & RIGHTS_WRITE, 0);
		}
	}
}

static void
served_root_is_granted_no_writing_at_all(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_int_equal(s.plan->broker.roots.count, 1);
	assert_true(holds(&s.plan->broker.roots, "/home/u/plain"));
	assert_false(may(&s, "/home/u/plain/a", LL_WRITE_FILE));
	assert_nothing_is_made_below(&s, "/home/u/plain");
	assert_true(plan_serves(s.plan, "/home/u/plain/new/file"));
	assert_false(plan_serves(s.plan, "/home/u/plain2"));
	end(&s);
}

static void
served_root_is_walked_around_what_is_kept_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	must_compile(&s);
	assert_nothing_is_made_below(&s, "/home/u/repo");
	assert_false(may(&s, "/home/u/repo", LL_REMOVE_FILE));
	assert_false(may(&s, "/home/u/repo/.git/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo/top.txt", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo/node_modules/x/.git/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo/src", LL_REMOVE_FILE)); /* has .GIT below */
	assert_null(find_note(&s, "protected-name"));
	assert_int_equal(find_note(&s, "protected-names")->by, BY_BROKER);
	end(&s);
}

static const struct {
	const char *path;
	bool served;
} served[] = {
	{ "/home/u/repo", true },
	{ "/home/u/repo/top.txt", true },
	{ "/home/u/repo/new", true },
	{ "/home/u/repo/.git", false },
	{ "/home/u/repo/.git/index", false },
	{ "/home/u/repo/.GiT/index", false },
	{ "/home/u/repo/.gitignore", true },
	{ "/home/u/repo/x.git/y", true },
	{ "/home/u/repo/.claude", false },
	{ "/home/u/repo/a/b/c/d/e/.bailey/x", false },
	{ "/home/u/repo/own", false },
	{ "/home/u/repo/node_modules/.git/config", false },
	{ "/home/u/repository", false },
	{ "/home/u", false },
};

static void
protected_names_are_served_at_no_depth(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	assert_int_equal(bailey_policy_add_protected(s.policy, "own", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_int_equal(s.plan->broker.protected.count, policy_protected_name_count + 1);
	for (size_t i = 0; i < COUNT_OF(served); i++) {
		if (plan_serves(s.plan, served[i].path) != served[i].served) {
			fail_msg("%s", served[i].path);
		}
	}
	assert_int_equal(bailey_policy_set_protect_git(s.policy, "none", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(holds(&s.plan->broker.protected, ".git"));
	assert_true(plan_serves(s.plan, "/home/u/repo/.git/config"));
	assert_false(plan_serves(s.plan, "/home/u/repo/.claude"));
	end(&s);
}

static void
unprotected_root_is_left_to_the_kernel_unless_something_is_kept_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	assert_int_equal(bailey_policy_set_protect(s.policy, false, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, (WORKSPACE & ~PART_FILES) | PART_LOOPBACK);
	assert_int_equal(s.plan->broker.roots.count, 0);
	assert_true(may(&s, "/home/u/repo", LL_MAKE_REG | LL_MAKE_SOCK));
	assert_int_equal(bailey_policy_add_deny(s.policy, "/home/u/repo/src", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_parts(&s, WORKSPACE | PART_LOOPBACK | PART_READS);
	assert_int_equal(s.plan->broker.protected.count, 0);
	assert_true(plan_serves(s.plan, "/home/u/repo/.git/config"));
	assert_false(plan_serves(s.plan, "/home/u/repo/src/x"));
	assert_nothing_is_made_below(&s, "/home/u/repo");
	end(&s);
}

static void
home_as_workspace_is_read_by_the_broker_too(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u");
	must_compile(&s);
	assert_parts(&s, WORKSPACE | PART_LOOPBACK | PART_READS);
	assert_true(plan_serves_reading(s.plan, "/home/u/appears-later"));
	assert_false(plan_serves_reading(s.plan, "/home/u/.ssh/id"));
	assert_false(plan_serves_reading(s.plan, "/home/other/x"));
	assert_false(plan_serves(s.plan, "/home/u/.ssh/id"));
	assert_false(plan_serves(s.plan, "/home/u/moved/aws/x"));
	assert_nothing_is_made_below(&s, "/home/u");
	end(&s);
}

/* ---- other writable places ----------------------------------------------------------------- */

static void
private_places_are_granted_whole(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.cache = "/home/u/.cache/bailey";
	must_compile(&s);
	assert_int_equal(plan_add_tmp(s.plan, "/tmp/private", &s.err), BAILEY_OK);
	assert_true(may(&s, "/tmp/private/x", (RIGHTS_WRITE | LL_MAKE_SOCK) & s.plan->handled_fs));
	assert_false(plan_serves(s.plan, "/tmp/private/x"));
	for (size_t i = 0; i < s.plan->rule_count; i++) {
		if (s.plan->rules[i].why == WHY_CACHE) {
			assert_true((s.plan->rules[i].access & LL_MAKE_SOCK) != 0);
		}
	}
	end(&s);
}

static void
temp_directory_is_served_only_with_a_served_root_in_it(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_set_real_tmp(s.policy, true, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/tmp", LL_MAKE_REG));
	assert_int_equal(s.plan->broker.roots.count, 1);
	s.request.tmpdir = "/home";
	must_compile(&s);
	assert_true(holds(&s.plan->broker.roots, "/home"));
	assert_nothing_is_made_below(&s, "/home");
	assert_true(may(&s, "/tmp", LL_MAKE_REG));
	s.request.tmpdir = "/home/u/plain"; /* the root itself */
	must_compile(&s);
	assert_int_equal(s.plan->broker.roots.count, 1);
	assert_nothing_is_made_below(&s, "/home/u/plain");
	end(&s);
}

static void
shared_caches_are_granted_around_served_roots(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/other/.cache/work");
	assert_int_equal(bailey_policy_set_caches(s.policy, "shared", &s.err), BAILEY_OK);
	s.request.home = "/home/other";
	must_compile(&s);
	assert_nothing_is_made_below(&s, "/home/other/.cache/work");
	assert_true(may(&s, "/home/other/.cache/more", LL_MAKE_REG));
	s.request.cwd = "/home/other"; /* now they lie in the served root */
	must_compile(&s);
	assert_nothing_is_made_below(&s, "/home/other");
	assert_true(plan_serves(s.plan, "/home/other/.cache/more/x"));
	end(&s);
}

static bool
mounted_in_tmp(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count)
{
	static struct fs_mount table[] = {
		{ "8:1", "/", "/" },
		{ "8:1", "/home/u/plain", "/tmp" },
	};

	(void)data;
	(void)arena;
	*mounts = table;
	*count = COUNT_OF(table);
	return true;
}

/* Landlock grants by directory, and would grant making entries in the root by its other name. */
static void
nothing_is_made_in_a_served_root_by_another_mount_of_it(void **state)
{
	struct fs_view fs = table_fs;
	struct setup s;

	(void)state;
	fs.mounts = mounted_in_tmp;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_set_real_tmp(s.policy, true, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/tmp", LL_MAKE_REG));
	s.request.fs = &fs;
	must_compile(&s);
	assert_false(may(&s, "/tmp", LL_MAKE_REG));
	end(&s);
}

/* ---- protect_git = "hooks" ----------------------------------------------------------------- */

static void
begin_hooks(struct setup *s, const char *cwd)
{
	begin(s, BAILEY_POLICY_WORKSPACE_WRITE, cwd);
	assert_int_equal(bailey_policy_set_protect_git(s->policy, "hooks", &s->err), BAILEY_OK);
	must_compile(s);
}

static void
commits_are_let_through_and_code_is_not(void **state)
{
	struct setup s;

	(void)state;
	begin_hooks(&s, "/home/u/base");
	assert_true(s.plan->broker.git_hooks);
	assert_true(holds(&s.plan->broker.protected, ".git"));
	assert_null(carved(&s, "/home/u/base/.git"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/index.lock"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/refs/heads/main"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/modules/lib/sub/index"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/config"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/hooks/pre-commit"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/info/attributes"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/modules/lib/sub/config"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/modules/lib/sub/hooks/x"));
	assert_false(plan_serves(s.plan, "/home/u/base/.claude"));
	/* the kernel keeps to it as well */
	assert_false(may(&s, "/home/u/base/.git/refs/heads/main", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/hooks/x", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/config", LL_WRITE_FILE));
	assert_true(carved(&s, "/home/u/base/.git/hooks")->exists);
	assert_false(carved(&s, "/home/u/base/.git/config.worktree")->exists);
	assert_nothing_is_made_below(&s, "/home/u/base");
	end(&s);
}

static void
worktree_may_commit_where_its_repository_is(void **state)
{
	struct setup s;

	(void)state;
	begin_hooks(&s, "/home/u/tree");
	assert_int_equal(s.plan->broker.roots.count, 3);
	assert_true(holds(&s.plan->broker.roots, "/home/u/base/.git"));
	assert_true(holds(&s.plan->broker.roots, "/home/u/base/.git/worktrees/tree"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/refs/heads/main"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/worktrees/tree/HEAD"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/config"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/hooks/pre-commit"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/worktrees/tree/config.worktree"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/worktrees/tree/commondir"));
	assert_false(plan_serves(s.plan, "/home/u/base/code/x"));
	assert_false(plan_serves(s.plan, "/home/u/tree/.git"));
	assert_false(holds(&s.plan->write_roots, "/home/u/base/.git"));
	assert_nothing_is_made_below(&s, "/home/u/base");
	end(&s);
}

static void
submodule_may_commit_where_its_repository_is(void **state)
{
	struct setup s;

	(void)state;
	begin_hooks(&s, "/home/u/base/code/sub");
	assert_int_equal(s.plan->broker.roots.count, 2);
	assert_true(holds(&s.plan->broker.roots, "/home/u/base/.git/modules/lib/sub"));
	assert_true(plan_serves(s.plan, "/home/u/base/.git/modules/lib/sub/index"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/modules/lib/sub/config"));
	assert_false(plan_serves(s.plan, "/home/u/base/.git/index"));
	end(&s);
}

/* A `.git` file may come from an archive: it opens nothing that does not name it in turn. */
static void
git_file_is_not_believed_on_its_own_word(void **state)
{
	static const char *const liars[] = { "/home/u/liar", "/home/u/forged",
					     "/home/u/base/code/evil" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(liars); i++) {
		struct setup s;

		begin_hooks(&s, liars[i]);
		assert_int_equal(s.plan->broker.roots.count, 1);
		assert_false(plan_serves(s.plan, "/home/u/base/.git/worktrees/tree/HEAD"));
		assert_false(plan_serves(s.plan, "/home/other/x"));
		end(&s);
	}
}

static void
every_failing_allocation_is_an_error_with_hooks(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/tree");
	assert_int_equal(bailey_policy_set_protect_git(s.policy, "hooks", &s.err), BAILEY_OK);
	assert_int_equal(bailey_policy_add_unix_socket(s.policy, "/run/x", &s.err), BAILEY_OK);
	for (unsigned int nth = 1; nth < 500; nth++) {
		int rc;

		arena_fail_nth = nth;
		rc = compile(&s);
		if (arena_fail_nth > 0) {
			arena_fail_nth = 0;
			assert_int_equal(rc, BAILEY_OK);
			end(&s);
			return;
		}
		assert_int_equal(rc, BAILEY_E_NOMEM);
	}
	fail();
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(workspace_has_all_parts_that_it_needs),
		cmocka_unit_test(there_is_no_broker_where_it_cannot_be),
		cmocka_unit_test(sockets_follow_the_policy),
		cmocka_unit_test(unix_sockets_are_resolved),
		cmocka_unit_test(read_only_has_a_broker_only_for_sockets_that_were_asked_for),
		cmocka_unit_test(older_kernels_have_fewer_parts),
		cmocka_unit_test(usual_runs_have_a_filter_that_is_ready),
		cmocka_unit_test(whoever_may_write_dev_shm_has_it_not_served),
		cmocka_unit_test(served_root_is_granted_no_writing_at_all),
		cmocka_unit_test(served_root_is_walked_around_what_is_kept_out),
		cmocka_unit_test(protected_names_are_served_at_no_depth),
		cmocka_unit_test(
			unprotected_root_is_left_to_the_kernel_unless_something_is_kept_out),
		cmocka_unit_test(home_as_workspace_is_read_by_the_broker_too),
		cmocka_unit_test(private_places_are_granted_whole),
		cmocka_unit_test(temp_directory_is_served_only_with_a_served_root_in_it),
		cmocka_unit_test(shared_caches_are_granted_around_served_roots),
		cmocka_unit_test(nothing_is_made_in_a_served_root_by_another_mount_of_it),
		cmocka_unit_test(commits_are_let_through_and_code_is_not),
		cmocka_unit_test(worktree_may_commit_where_its_repository_is),
		cmocka_unit_test(submodule_may_commit_where_its_repository_is),
		cmocka_unit_test(git_file_is_not_believed_on_its_own_word),
		cmocka_unit_test(every_failing_allocation_is_an_error_with_hooks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
