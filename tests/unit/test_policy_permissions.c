/* SPDX-License-Identifier: MIT */
/*
 * Tests of permissions of single commands: their order, what a request may ask for, and the policy
 * that comes out.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/fd.h"
#include "policy/parts.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define DEFAULT BAILEY_PERMISSIONS_USE_DEFAULT
#define ADDITIONAL BAILEY_PERMISSIONS_WITH_ADDITIONAL
#define ESCALATED BAILEY_PERMISSIONS_REQUIRE_ESCALATED
#define BYPASS BAILEY_PERMISSIONS_BYPASS_SANDBOX

static char top[64];
static char cwd[128];
static char home[128];
static char shown[1024];

static void
add(const char *path, const char *target)
{
	char full[256];

	(void)snprintf(full, sizeof(full), "%s/%s", top, path);
	if (target != NULL) {
		assert_int_equal(symlink(target, full), 0);
	} else {
		assert_int_equal(mkdir(full, 0700), 0);
	}
}

static int
set_up(void **state)
{
	(void)state;
	(void)snprintf(top, sizeof(top), "/var/tmp/bailey-perm-XXXXXX");
	assert_non_null(mkdtemp(top));
	(void)snprintf(cwd, sizeof(cwd), "%s/ws/cwd", top);
	(void)snprintf(home, sizeof(home), "%s/home", top);
	add("home", NULL);
	add("home/.ssh", NULL);
	add("ws", NULL);
	add("ws/cwd", NULL);
	add("ws/cwd/.git", NULL);
	add("ws/cwd/escape", "../../home");
	add("ws/cwd/within", ".git");
	add("ws/cwd/loop", "loop");
	add("ws/other", NULL);
	add("out", NULL);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return remove_tree(AT_FDCWD, top);
}

static struct bailey_scene
scene(void)
{
	return (struct bailey_scene){ .cwd = cwd, .home = home };
}

static struct bailey_policy *
read_json(const char *text)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };

	if (bailey_policy_from_json("p", text, strlen(text), &policy, &err) != BAILEY_OK) {
		fail_msg("%s", bailey_error_format(&err, shown, sizeof(shown)));
	}
	return policy;
}

static void
takes_the_more_permissive_when_merging(void **state)
{
	static const enum bailey_permissions order[] = { DEFAULT, ADDITIONAL, ESCALATED, BYPASS };

	(void)state;
	for (size_t a = 0; a < COUNT_OF(order); a++) {
		for (size_t b = 0; b < COUNT_OF(order); b++) {
			assert_int_equal(bailey_permissions_merge(order[a], order[b]),
					 order[a > b ? a : b]);
		}
		assert_int_equal(bailey_permissions_need_approval(order[a]), a > 0);
		assert_int_equal(bailey_permissions_leave_sandbox(order[a]), a > 1);
	}
}

static void
knows_its_words(void **state)
{
	static const char *const words[] = { "use_default", "with_additional_permissions",
					     "require_escalated", "bypass_sandbox" };
	enum bailey_permissions found;
	struct bailey_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		assert_int_equal(bailey_permissions_parse(words[i], &found, NULL), BAILEY_OK);
		assert_string_equal(bailey_permissions_name(found), words[i]);
	}
	assert_null(bailey_permissions_name((enum bailey_permissions)4));
	assert_int_equal(bailey_permissions_parse("use_defaults", &found, &err), BAILEY_E_INVALID);
	assert_string_equal(err.message,
			    "unknown permissions 'use_defaults'; did you mean 'use_default'?");
	assert_int_equal(bailey_permissions_parse("everything at once", &found, NULL),
			 BAILEY_E_INVALID);
}

static void
means_additional_when_default_comes_with_paths(void **state)
{
	static const char *const paths[] = { "x" };
	struct bailey_additional some = { .fs_read = paths, .fs_read_count = 1 };
	struct bailey_additional none = { 0 };

	(void)state;
	assert_int_equal(bailey_permissions_normalize(DEFAULT, &some), ADDITIONAL);
	assert_int_equal(bailey_permissions_normalize(DEFAULT, &none), DEFAULT);
	assert_int_equal(bailey_permissions_normalize(DEFAULT, NULL), DEFAULT);
	assert_int_equal(bailey_permissions_normalize(ESCALATED, &some), ESCALATED);
	assert_int_equal(bailey_permissions_normalize(BYPASS, &some), BYPASS);
}

#define RO "{\"type\":\"read_only\"}"
#define WW "{\"type\":\"workspace_write\",\"exclude_slash_tmp\":true}"
#define WW_TMP "{\"type\":\"workspace_write\"}"

/* One path each; "@" stands for the directory of the test. */
static const struct {
	enum bailey_permissions permissions;
	const char *policy;
	const char *read;
	const char *write;
	const char *justification;
	bool workspace; /* the workspace is the directory above the cwd */
	int status;
} requests[] = {
	{ DEFAULT, RO, NULL, NULL, NULL, false, BAILEY_OK },
	{ ADDITIONAL, RO, NULL, NULL, NULL, false, BAILEY_E_INVALID },
	{ ESCALATED, RO, NULL, NULL, NULL, false, BAILEY_E_INVALID },
	{ ESCALATED, RO, NULL, NULL, " \n", false, BAILEY_E_INVALID },
	{ ESCALATED, RO, NULL, NULL, "to publish", false, BAILEY_OK },
	{ ESCALATED, RO, "x", NULL, "to publish", false, BAILEY_E_INVALID },
	{ BYPASS, WW, NULL, NULL, NULL, false, BAILEY_E_INVALID },
	{ BYPASS, WW, NULL, NULL, "to publish", false, BAILEY_OK },
	{ BYPASS, WW, NULL, "x", "to publish", false, BAILEY_E_INVALID },
	{ (enum bailey_permissions)9, WW, NULL, NULL, "x", false, BAILEY_E_INVALID },
	{ DEFAULT, RO, "x", NULL, NULL, false, BAILEY_OK },
	{ DEFAULT, RO, NULL, "x", NULL, false, BAILEY_OK },
	{ DEFAULT, WW, NULL, "x", NULL, false, BAILEY_OK },
	{ DEFAULT, WW, NULL, "@/ws/cwd/new/deep", NULL, false, BAILEY_OK },
	{ DEFAULT, WW, NULL, "", NULL, false, BAILEY_E_INVALID },
	{ DEFAULT, WW, NULL, "../other", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "../other", NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "x/../x", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "@/ws/other", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "@/ws/other", NULL, true, BAILEY_OK },
	{ DEFAULT, WW, "@/ws/other", NULL, NULL, true, BAILEY_OK },
	{ DEFAULT, WW, NULL, "@/out", NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "/etc", NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, "/etc/passwd", NULL, NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "/", NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "escape/x", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, "escape/.ssh", NULL, NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "loop", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, "~/.ssh", NULL, NULL, true, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, ".git/config", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, NULL, "within/config", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, RO, NULL, ".git", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW, ".git/config", NULL, NULL, false, BAILEY_OK },
	{ DEFAULT, WW, NULL, "/tmp/x", NULL, false, BAILEY_E_REFUSED },
	{ DEFAULT, WW_TMP, NULL, "/tmp/x", NULL, false, BAILEY_OK },
};

static const char *
at_top(char *buf, size_t size, const char *path)
{
	if (path == NULL || path[0] != '@') {
		return path;
	}
	(void)snprintf(buf, size, "%s%s", top, path + 1);
	return buf;
}

static void
accepts_what_is_inside_and_refuses_the_rest(void **state)
{
	struct bailey_scene here = scene();
	char workspace[128];

	(void)state;
	(void)snprintf(workspace, sizeof(workspace), "%s/ws", top);
	for (size_t i = 0; i < COUNT_OF(requests); i++) {
		AUTO_POLICY *policy = read_json(requests[i].policy);
		char buf[2][256];
		const char *read = at_top(buf[0], sizeof(buf[0]), requests[i].read);
		const char *write = at_top(buf[1], sizeof(buf[1]), requests[i].write);
		struct bailey_additional additional = { &read, read != NULL, &write,
							write != NULL };
		struct bailey_request request = {
			.permissions = requests[i].permissions,
			.additional = &additional,
			.justification = requests[i].justification,
			.workspace = requests[i].workspace ? workspace : NULL,
		};
		struct bailey_error err = { 0 };
		int status = bailey_permissions_check(&request, policy, &here, &err);

		if (status != requests[i].status) {
			fail_msg("request %zu: %d %s", i, status, err.message);
		}
		assert_int_equal(err.status, status);
	}
}

static void
says_why_a_path_is_refused(void **state)
{
	static const struct {
		const char *path;
		const char *text;
	} refused[] = {
		{ "x/../y", "fs_write: 'x/../y' has a '..' in it" },
		{ "/etc/x",
		  "fs_write: '/etc/x' is outside the workspace and the temp directories" },
		{ "escape/x", "fs_write: 'escape/x' leads out of '" },
		{ ".git/x", "fs_write: '.git/x' is protected in a writable root: '" },
	};
	AUTO_POLICY *policy = read_json(WW);
	struct bailey_scene here = scene();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct bailey_additional additional = { NULL, 0, &refused[i].path, 1 };
		struct bailey_request request = { DEFAULT, &additional, NULL, NULL };
		struct bailey_error err = { 0 };

		assert_int_equal(bailey_permissions_check(&request, policy, &here, &err),
				 BAILEY_E_REFUSED);
		if (strncmp(err.message, refused[i].text, strlen(refused[i].text)) != 0) {
			fail_msg("%s", err.message);
		}
	}
}

static struct bailey_policy *
apply(const char *text, enum bailey_permissions permissions, const char *read, const char *write,
      int expected)
{
	AUTO_POLICY *policy = read_json(text);
	struct bailey_scene here = scene();
	struct bailey_additional additional = { &read, read != NULL, &write, write != NULL };
	struct bailey_request request = { permissions, &additional, "because", NULL };
	struct bailey_policy *out = NULL;
	struct bailey_error err = { 0 };
	AUTO_FREE char *before = NULL;
	AUTO_FREE char *after = NULL;
	int status;

	assert_int_equal(bailey_policy_to_json(policy, &before, NULL), BAILEY_OK);
	status = bailey_permissions_apply(&request, policy, &here, &out, &err);
	if (status != expected) {
		fail_msg("%d: %s", status, err.message);
	}
	assert_int_equal(bailey_policy_to_json(policy, &after, NULL), BAILEY_OK);
	assert_string_equal(after, before);
	assert_true((out != NULL) == (status == BAILEY_OK));
	return out;
}

static bool
may_write(const struct bailey_policy *policy, const char *path)
{
	struct bailey_scene here = scene();
	struct bailey_answer answer;

	assert_int_equal(bailey_policy_can_write(policy, &here, path, &answer, NULL), BAILEY_OK);
	return answer.allowed;
}

static void
opens_what_was_asked_for_when_applied(void **state)
{
	AUTO_POLICY *as_it_was = apply(WW, DEFAULT, NULL, NULL, BAILEY_OK);
	AUTO_POLICY *full = apply(RO, ESCALATED, NULL, NULL, BAILEY_OK);
	AUTO_POLICY *more = apply(WW, DEFAULT, NULL, "new", BAILEY_OK);
	AUTO_POLICY *read = apply("{\"type\":\"read_only\",\"read_roots\":[\"/usr\"]}", DEFAULT,
				  "within", NULL, BAILEY_OK);
	AUTO_POLICY *external =
		apply("{\"type\":\"external_sandbox\"}", DEFAULT, "x", NULL, BAILEY_OK);

	(void)state;
	assert_int_equal(as_it_was->type, BAILEY_POLICY_WORKSPACE_WRITE);
	assert_int_equal(full->type, BAILEY_POLICY_DANGER_FULL_ACCESS);
	assert_int_equal(more->writable_roots.count, 1);
	assert_non_null(strstr(more->writable_roots.items[0], "/ws/cwd/new"));
	assert_int_equal(read->read_roots.count, 2);
	assert_non_null(strstr(read->read_roots.items[1], "/ws/cwd/.git"));
	assert_int_equal(external->type, BAILEY_POLICY_EXTERNAL_SANDBOX);
}

static void
opens_the_cwd_only_when_it_was_asked_for_under_read_only(void **state)
{
	AUTO_POLICY *none = apply(RO, DEFAULT, NULL, "new", BAILEY_E_REFUSED);
	AUTO_POLICY *all = apply(RO, DEFAULT, NULL, ".", BAILEY_OK);

	(void)state;
	assert_null(none);
	assert_int_equal(all->type, BAILEY_POLICY_WORKSPACE_WRITE);
	assert_int_equal(bailey_policy_limits(all).max_memory_mb, 512);
	assert_true(may_write(all, "x"));
	assert_false(may_write(all, ".git/config"));
	assert_false(may_write(all, "/tmp/x"));
	assert_false(may_write(all, "~/.ssh/x"));
}

static void
fails_cleanly_when_memory_runs_out(void **state)
{
	unsigned int failures = 0;

	(void)state;
	for (unsigned int n = 1; n < 30; n++) {
		AUTO_POLICY *policy = read_json(WW);
		struct bailey_scene here = scene();
		const char *path = "new";
		struct bailey_additional additional = { &path, 1, &path, 1 };
		struct bailey_request request = { DEFAULT, &additional, NULL, NULL };
		struct bailey_policy *out = NULL;
		int status;

		arena_fail_nth = n;
		status = bailey_permissions_apply(&request, policy, &here, &out, NULL);
		arena_fail_nth = 0;
		assert_true(status == BAILEY_OK || status == BAILEY_E_NOMEM);
		assert_true((out != NULL) == (status == BAILEY_OK));
		failures += status != BAILEY_OK;
		bailey_policy_free(out);
	}
	assert_true(failures > 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_more_permissive_when_merging),
		cmocka_unit_test(knows_its_words),
		cmocka_unit_test(means_additional_when_default_comes_with_paths),
		cmocka_unit_test(accepts_what_is_inside_and_refuses_the_rest),
		cmocka_unit_test(says_why_a_path_is_refused),
		cmocka_unit_test(opens_what_was_asked_for_when_applied),
		cmocka_unit_test(opens_the_cwd_only_when_it_was_asked_for_under_read_only),
		cmocka_unit_test(fails_cleanly_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
