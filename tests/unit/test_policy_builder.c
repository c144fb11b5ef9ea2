/* SPDX-License-Identifier: MIT */
/*
 * Tests of the setters and getters: what they change shows in the wire form, and what they refuse
 * changes nothing.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "policy/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char shown[1024];

static struct bailey_policy *
make(enum bailey_policy_type type)
{
	struct bailey_policy *policy = NULL;

	assert_int_equal(bailey_policy_new(type, &policy, NULL), BAILEY_OK);
	return policy;
}

static char *
write_json(const struct bailey_policy *policy)
{
	char *text = NULL;

	assert_int_equal(bailey_policy_to_json(policy, &text, NULL), BAILEY_OK);
	return text;
}

static void
assert_writes(const struct bailey_policy *policy, const char *part)
{
	AUTO_FREE char *text = write_json(policy);

	if (strstr(text, part) == NULL) {
		fail_msg("'%s' is not in %s", part, text);
	}
}

/* One setter with one text. */
typedef int (*text_setter)(struct bailey_policy *, const char *, struct bailey_error *);

static const struct {
	text_setter set;
	const char *text;
	const char *written; /* NULL: refused */
} texts[] = {
	{ bailey_policy_add_writable_root, "/w", "\"writable_roots\":[{\"root\":\"/w\"}]" },
	{ bailey_policy_add_writable_root, "~", "\"writable_roots\":[{\"root\":\"~\"}]" },
	{ bailey_policy_add_writable_root, "w", NULL },
	{ bailey_policy_add_writable_root, "~user", NULL },
	{ bailey_policy_add_writable_root, "", NULL },
	{ bailey_policy_add_read_root, "/usr", "\"read_roots\":[\"/usr\"]" },
	{ bailey_policy_add_exec_root, "bin", "\"exec_roots\":[\"bin\"]" },
	{ bailey_policy_add_deny, ".env", "\"deny\":[\".env\"]" },
	{ bailey_policy_add_deny, "", NULL },
	{ bailey_policy_allow_net, "A.example:80-90/udp",
	  "\"network_access\":true,\"network_allowlist\":[{\"domain\":\"a.example\","
	  "\"port\":\"80-90\",\"protocol\":\"udp\"}]" },
	{ bailey_policy_allow_net, "a.example", "\"allow_network_sockets\":true" },
	{ bailey_policy_allow_net, "*", NULL },
	{ bailey_policy_add_unix_socket, "*", "\"unix_sockets\":[\"*\"]" },
	{ bailey_policy_add_unix_socket, "rel", NULL },
	{ bailey_policy_add_device, "gpu", "\"devices\":[\"gpu\"]" },
	{ bailey_policy_add_device, "sound", NULL },
	{ bailey_policy_add_protected, ".husky", "\"protected\":[\".husky\"]" },
	{ bailey_policy_add_protected, "a/b", NULL },
	{ bailey_policy_add_protected, "..", NULL },
	{ bailey_policy_set_protect_git, "hooks", "\"protect_git\":\"hooks\"" },
	{ bailey_policy_set_protect_git, "hook", NULL },
	{ bailey_policy_set_limits_preset, "moderate", "\"max_memory_mb\":2048" },
	{ bailey_policy_set_limits_preset, "generous", "\"max_open_files\":8192" },
	{ bailey_policy_set_limits_preset, "big", NULL },
	{ bailey_policy_set_tmp, "none", "\"tmp\":\"none\"" },
	{ bailey_policy_set_tmp, "private", "\"tmp\":\"private\"" },
	{ bailey_policy_set_tmp, "yes", NULL },
	{ bailey_policy_set_caches, "shared", "\"caches\":\"shared\"" },
	{ bailey_policy_set_caches, "share", NULL },
	{ bailey_policy_set_loopback, "own", "\"loopback\":\"own\"" },
	{ bailey_policy_set_loopback, "none", "\"loopback\":\"none\"" },
	{ bailey_policy_set_loopback, "all", NULL },
	{ bailey_policy_set_proc, "none", "\"proc\":\"none\"" },
	{ bailey_policy_set_seccomp, "permissive",
	  "\"blocked_syscalls\":[\"ptrace\",\"kexec_load\",\"kexec_file_load\",\"reboot\"]" },
	{ bailey_policy_set_seccomp, "logging", "\"log_only\":true" },
	{ bailey_policy_set_seccomp, "none", NULL },
	{ bailey_policy_block_syscall, "chmod", "\"additional_blocked\":[\"chmod\"]" },
	{ bailey_policy_block_syscall, "ch mod", NULL },
	{ bailey_policy_allow_syscall, "IoUring", "\"allowed\":[\"IoUring\"]" },
};

static void
shows_in_the_wire_form_when_set_and_changes_nothing_when_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);
		AUTO_FREE char *before = write_json(policy);
		struct bailey_error err = { 0 };
		int status = texts[i].set(policy, texts[i].text, &err);

		assert_true(policy_check(policy));
		if (texts[i].written != NULL) {
			assert_int_equal(status, BAILEY_OK);
			assert_writes(policy, texts[i].written);
		} else {
			AUTO_FREE char *after = write_json(policy);

			assert_int_equal(status, BAILEY_E_INVALID);
			assert_int_not_equal(err.message[0], '\0');
			assert_string_equal(after, before);
		}
	}
}

static void
refuses_settings_when_the_type_has_none(void **state)
{
	AUTO_POLICY *read_only = make(BAILEY_POLICY_READ_ONLY);
	AUTO_POLICY *full = make(BAILEY_POLICY_DANGER_FULL_ACCESS);
	struct bailey_error err = { 0 };

	(void)state;
	assert_int_equal(bailey_policy_add_writable_root(read_only, "/w", &err), BAILEY_E_INVALID);
	assert_string_equal(err.message,
			    "'writable_roots' does not apply to a policy of type 'read_only'");
	assert_int_equal(bailey_policy_add_sensitive(read_only, "/s", true, true, NULL),
			 BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_clear_sensitive(read_only, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_real_tmp(read_only, true, true, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_seccomp(read_only, "permissive", NULL),
			 BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_seccomp(read_only, "strict", NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_set_description(read_only, "x", NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_network_access(full, true, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_limit(full, "max_pids", 1, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_protect(full, false, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_add_bind_port(full, 1, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_add_resolve(full, "a", "::1", NULL), BAILEY_E_INVALID);
}

static void
sets_flags_ports_and_limits(void **state)
{
	AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);
	struct bailey_error err = { 0 };

	(void)state;
	assert_int_equal(bailey_policy_set_protect(policy, false, NULL), BAILEY_OK);
	assert_writes(policy, "\"protect\":false");
	assert_int_equal(bailey_policy_set_hide_names(policy, true, NULL), BAILEY_OK);
	assert_writes(policy, "\"hide_names\":true");
	assert_int_equal(bailey_policy_set_ipc(policy, true, NULL), BAILEY_OK);
	assert_writes(policy, "\"ipc\":true");
	assert_writes(policy, "\"exclude_tmpdir_env_var\":true,\"exclude_slash_tmp\":true");
	assert_int_equal(bailey_policy_set_real_tmp(policy, true, false, NULL), BAILEY_OK);
	assert_writes(policy, "\"exclude_tmpdir_env_var\":false,\"exclude_slash_tmp\":true");
	assert_int_equal(bailey_policy_set_seccomp_allowlist(policy, true, NULL), BAILEY_OK);
	assert_writes(policy, "\"mode\":\"allowlist\"");
	assert_int_equal(bailey_policy_add_bind_port(policy, 8080, NULL), BAILEY_OK);
	assert_writes(policy, "\"bind_ports\":[8080]");
	assert_int_equal(bailey_policy_add_bind_port(policy, 0, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_add_resolve(policy, "A.example", "1.2.3.4", NULL),
			 BAILEY_OK);
	assert_int_equal(bailey_policy_add_resolve(policy, "a.example", "::1", NULL), BAILEY_OK);
	assert_writes(policy, "\"resolve\":{\"a.example\":\"::1\"}");
	assert_int_equal(bailey_policy_add_resolve(policy, "a.example", "b", NULL),
			 BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_limit(policy, "max_pids", 9, NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_limits(policy).max_pids, 9);
	assert_int_equal(bailey_policy_set_limit(policy, "max_pids", UINT64_C(1) << 32, NULL),
			 BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_set_limit(policy, "max_pid", 1, &err), BAILEY_E_INVALID);
	assert_string_equal(err.message, "unknown limit 'max_pid'; did you mean 'max_pids'?");
}

static void
keeps_the_defaults_when_a_sensitive_path_is_added(void **state)
{
	AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);
	struct bailey_sensitive entry;
	size_t count;

	(void)state;
	assert_int_equal(bailey_policy_add_sensitive(policy, "~/k", true, false, NULL), BAILEY_OK);
	(void)bailey_default_sensitive_paths(&count);
	assert_true(bailey_policy_sensitive(policy, 0, &entry));
	assert_string_equal(entry.path, "~/.ssh");
	assert_true(bailey_policy_sensitive(policy, count, &entry));
	assert_string_equal(entry.path, "~/k");
	assert_true(entry.block_read);
	assert_false(entry.block_write);
	assert_false(bailey_policy_sensitive(policy, count + 1, &entry));
	assert_int_equal(bailey_policy_clear_sensitive(policy, NULL), BAILEY_OK);
	assert_false(bailey_policy_sensitive(policy, 0, &entry));
}

static void
forgets_destinations_when_the_network_is_set_as_a_whole(void **state)
{
	AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);
	struct bailey_net_entry entry;

	(void)state;
	assert_false(bailey_policy_has_network(policy));
	assert_int_equal(bailey_policy_allow_net(policy, "a.example", NULL), BAILEY_OK);
	assert_true(bailey_policy_has_network(policy));
	assert_false(bailey_policy_has_full_network(policy));
	assert_true(bailey_policy_net_entry(policy, 0, &entry));
	assert_string_equal(entry.domain, "a.example");
	assert_int_equal(bailey_policy_set_network_access(policy, true, NULL), BAILEY_OK);
	assert_true(bailey_policy_has_full_network(policy));
	assert_true(policy->seccomp.allow_network_sockets);
	assert_int_equal(bailey_policy_set_network_access(policy, false, NULL), BAILEY_OK);
	assert_false(bailey_policy_has_network(policy));
	assert_false(policy->seccomp.allow_network_sockets);
}

static void
keeps_blocked_names_when_the_profile_changes(void **state)
{
	AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);

	(void)state;
	assert_int_equal(bailey_policy_block_syscall(policy, "chmod", NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_set_seccomp(policy, "permissive", NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_set_seccomp(policy, "strict", NULL), BAILEY_OK);
	assert_true(policy->seccomp.strict);
	assert_int_equal(policy->seccomp.additional.count, 1);
}

static void
describes_itself_in_one_line(void **state)
{
	AUTO_POLICY *workspace = make(BAILEY_POLICY_WORKSPACE_WRITE);
	AUTO_POLICY *full = make(BAILEY_POLICY_DANGER_FULL_ACCESS);
	AUTO_POLICY *external = make(BAILEY_POLICY_EXTERNAL_SANDBOX);
	char small[6];

	(void)state;
	assert_string_equal(bailey_policy_describe(workspace, shown, sizeof(shown)),
			    "workspace write, no network");
	assert_int_equal(bailey_policy_add_writable_root(workspace, "/a", NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_allow_net(workspace, "a.example", NULL), BAILEY_OK);
	assert_string_equal(bailey_policy_describe(workspace, shown, sizeof(shown)),
			    "workspace write, 1 more root, network to 1 destination");
	assert_string_equal(bailey_policy_describe(full, shown, sizeof(shown)),
			    "full access, no sandbox");
	assert_int_equal(bailey_policy_set_description(external, "a container", NULL), BAILEY_OK);
	assert_string_equal(bailey_policy_describe(external, shown, sizeof(shown)),
			    "external sandbox: a container");
	assert_string_equal(bailey_policy_describe(workspace, small, sizeof(small)), "works");
}

static void
may_not_become_more_when_read_only(void **state)
{
	static const bool refused[POLICY_TYPES][POLICY_TYPES] = {
		[BAILEY_POLICY_READ_ONLY] = { [BAILEY_POLICY_WORKSPACE_WRITE] = true,
					      [BAILEY_POLICY_DANGER_FULL_ACCESS] = true },
	};

	(void)state;
	for (unsigned int from = 0; from < POLICY_TYPES; from++) {
		for (unsigned int to = 0; to < POLICY_TYPES; to++) {
			AUTO_POLICY *a = make((enum bailey_policy_type)from);
			AUTO_POLICY *b = make((enum bailey_policy_type)to);

			assert_int_equal(bailey_policy_can_become(a, b, NULL),
					 refused[from][to] ? BAILEY_E_REFUSED : BAILEY_OK);
		}
	}
}

static void
knows_its_types_by_name(void **state)
{
	enum bailey_policy_type type = BAILEY_POLICY_READ_ONLY;
	struct bailey_error err = { 0 };

	(void)state;
	assert_int_equal(bailey_policy_type_parse("workspace-write", &type, NULL), BAILEY_OK);
	assert_int_equal(type, BAILEY_POLICY_WORKSPACE_WRITE);
	assert_string_equal(bailey_policy_type_name(type), "workspace_write");
	assert_null(bailey_policy_type_name((enum bailey_policy_type)9));
	assert_int_equal(bailey_policy_type_parse("readonly", &type, &err), BAILEY_E_INVALID);
	assert_string_equal(err.message,
			    "unknown kind of policy 'readonly'; did you mean 'read_only'?");
}

static void
refuses_to_write_json_when_a_path_is_not_utf8(void **state)
{
	AUTO_POLICY *policy = make(BAILEY_POLICY_READ_ONLY);
	char *text = NULL;

	(void)state;
	assert_int_equal(bailey_policy_add_deny(policy, "/a\xff", NULL), BAILEY_OK);
	assert_int_equal(bailey_policy_to_json(policy, &text, NULL), BAILEY_E_INVALID);
	assert_null(text);
}

static void
lists_the_seeds_paths_first_and_no_path_twice(void **state)
{
	size_t count;
	const char *const *paths = bailey_default_sensitive_paths(&count);

	(void)state;
	assert_int_equal(count, policy_sensitive_default_count);
	assert_string_equal(paths[16], "~/.netrc");
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(paths[i], policy_sensitive_defaults[i].path);
		assert_int_equal(strncmp(paths[i], "~/", 2), 0);
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(paths[i], paths[k]);
		}
	}
}

/* Growing by setters alone: every block of the arena fails once. */
static void
stays_as_it_was_when_memory_runs_out(void **state)
{
	static char path[3000];
	AUTO_POLICY *policy = make(BAILEY_POLICY_WORKSPACE_WRITE);
	unsigned int failures = 0;

	(void)state;
	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	for (int i = 0; i < 200; i++) {
		AUTO_FREE char *before = write_json(policy);
		int status;

		arena_fail_nth = 1;
		status = i % 2 == 0 ? bailey_policy_add_writable_root(policy, path, NULL)
				    : bailey_policy_add_sensitive(policy, path, true, true, NULL);
		arena_fail_nth = 0;
		if (status != BAILEY_OK) {
			AUTO_FREE char *after = write_json(policy);

			assert_int_equal(status, BAILEY_E_NOMEM);
			assert_string_equal(after, before);
			failures++;
			assert_int_equal(bailey_policy_add_deny(policy, path, NULL), BAILEY_OK);
		}
	}
	assert_true(failures > 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_in_the_wire_form_when_set_and_changes_nothing_when_refused),
		cmocka_unit_test(refuses_settings_when_the_type_has_none),
		cmocka_unit_test(sets_flags_ports_and_limits),
		cmocka_unit_test(keeps_the_defaults_when_a_sensitive_path_is_added),
		cmocka_unit_test(forgets_destinations_when_the_network_is_set_as_a_whole),
		cmocka_unit_test(keeps_blocked_names_when_the_profile_changes),
		cmocka_unit_test(describes_itself_in_one_line),
		cmocka_unit_test(may_not_become_more_when_read_only),
		cmocka_unit_test(knows_its_types_by_name),
		cmocka_unit_test(refuses_to_write_json_when_a_path_is_not_utf8),
		cmocka_unit_test(lists_the_seeds_paths_first_and_no_path_twice),
		cmocka_unit_test(stays_as_it_was_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
