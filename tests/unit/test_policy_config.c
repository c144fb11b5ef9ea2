/* SPDX-License-Identifier: MIT */
/*
 * Tests of files: the [sandbox] table of a configuration, profiles and what they extend, and the
 * built-in profiles, which must say what the files in data/profiles say.
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

static char dir[64];
static char shown[1024];

static int
set_up(void **state)
{
	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/bailey-config-XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	return remove_tree(AT_FDCWD, dir);
}

static const char *
file(const char *name, const char *text)
{
	static char path[128];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, text, strlen(text)), 0);
	close(fd);
	return path;
}

static struct bailey_policy *
load(const char *name, const char *text)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };

	if (bailey_policy_load(file(name, text), dir, &policy, &err) != BAILEY_OK) {
		fail_msg("%s: %s", text, bailey_error_format(&err, shown, sizeof(shown)));
	}
	assert_true(policy_check(policy));
	return policy;
}

/* The error without the directory in front. */
static const char *
load_error(const char *name, const char *text, int *status)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };

	*status = bailey_policy_load(file(name, text), dir, &policy, &err);
	if (*status == BAILEY_OK) {
		fail_msg("accepted: %s", text);
	}
	assert_null(policy);
	(void)bailey_error_format(&err, shown, sizeof(shown));
	return strncmp(shown, dir, strlen(dir)) == 0 ? shown + strlen(dir) + 1 : shown;
}

/* ---- [sandbox] ----------------------------------------------------------------------------- */

static void
assert_writes(const struct bailey_policy *policy, const char *part)
{
	AUTO_FREE char *text = NULL;

	assert_int_equal(bailey_policy_to_json(policy, &text, NULL), BAILEY_OK);
	if (strstr(text, part) == NULL) {
		fail_msg("'%s' is not in %s", part, text);
	}
}

static const struct {
	const char *text;
	const char *parts[4]; /* of the wire form */
} configs[] = {
	{ "[sandbox]\n", { "{\"type\":\"read_only\",\"network_access\":false," } },
	{ "[agent]\nmodel = 1\n[sandbox]\nenabled = false\n[tools]\n",
	  { "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[]}" } },
	{ "[sandbox]\ndefault_policy = \"danger_full_access\"\n",
	  { "{\"type\":\"danger_full_access\"}" } },
	{ "[sandbox]\ndefault_policy = \"external\"\n[sandbox.external]\n"
	  "sandbox_type = \"docker\"\n[sandbox.external.docker]\nimage = \"x\"\n",
	  { "{\"type\":\"external_sandbox\",\"description\":\"docker\"}" } },
	/* workspace_write: limits are moderate, temp directories are left out */
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n",
	  { "\"max_memory_mb\":2048,\"max_pids\":256", "\"sensitive_paths\":null",
	    "\"exclude_tmpdir_env_var\":true,\"exclude_slash_tmp\":true" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.network]\n"
	  "allowlist = [{domain = \"a.example\"}, {domain = \"b.example\", port = 80}, "
	  "\"c.example:1-9/udp\"]\n",
	  { "\"network_access\":true,\"network_allowlist\":[{\"domain\":\"a.example\","
	    "\"port\":443,\"protocol\":\"tcp\"},{\"domain\":\"b.example\",\"port\":80",
	    "{\"domain\":\"c.example\",\"port\":\"1-9\",\"protocol\":\"udp\"}]",
	    "\"allow_network_sockets\":true" } },
	{ "[sandbox.network]\npolicy = \"allow_all\"\nallowlist = [{domain = \"a.example\"}]\n",
	  { "\"network_access\":true,\"network_allowlist\":[]" } },
	{ "[sandbox.network]\npolicy = \"allow_all\"\nblock_all = true\n",
	  { "\"network_access\":false,\"network_allowlist\":[]" } },
	{ "[sandbox.network]\npolicy = \"block_all\"\nallow_all = true\n",
	  { "\"network_access\":true,\"network_allowlist\":[]" } },
	{ "[sandbox.network]\npolicy = \"block_all\"\nallowlist = [{domain = \"a.example\"}]\n",
	  { "\"network_access\":false,\"network_allowlist\":[]" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.resource_limits]\n"
	  "preset = \"generous\"\nmax_pids = 5\nmax_memory_mb = 0\n",
	  { "\"max_memory_mb\":8192,\"max_pids\":5", "\"timeout_secs\":3600" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.resource_limits]\n"
	  "preset = \"custom\"\nmax_pids = 5\n",
	  { "\"max_memory_mb\":0,\"max_pids\":5", "\"timeout_secs\":0" } },
	{ "[sandbox.resource_limits]\ntimeout_secs = 5\n",
	  { "\"max_memory_mb\":512", "\"timeout_secs\":5" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.sensitive_paths]\n"
	  "additional = [\"~/k\"]\nexceptions = [\"~/.ssh/\"]\n",
	  { "\"sensitive_paths\":[{\"path\":\"~/.aws\"",
	    "{\"path\":\"~/k\",\"block_read\":true,\"block_write\":true}]" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.sensitive_paths]\n"
	  "use_defaults = false\nadditional = [\"~/k\"]\n",
	  { "\"sensitive_paths\":[{\"path\":\"~/k\"" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.sensitive_paths]\n"
	  "use_defaults = true\n",
	  { "\"sensitive_paths\":null" } },
	/* read_only has always the defaults; what is added is denied */
	{ "[sandbox.sensitive_paths]\nuse_defaults = false\nadditional = [\"~/k\"]\n"
	  "exceptions = [\"~/.ssh\"]\n",
	  { "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[],"
	    "\"deny\":[\"~/k\"]}" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.seccomp]\n"
	  "profile = \"permissive\"\nadditional_blocked = [\"bpf\"]\nlog_only = true\n",
	  { "\"blocked_syscalls\":[\"ptrace\",\"kexec_load\",\"kexec_file_load\",\"reboot\"]",
	    "\"log_only\":true", "\"additional_blocked\":[\"bpf\"]" } },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.seccomp]\nenabled = false\n",
	  { "\"blocked_syscalls\":[\"ptrace\",\"kexec_load\",\"kexec_file_load\",\"reboot\"]" } },
	{ "[sandbox.seccomp]\nprofile = \"disabled\"\nlog_only = true\n",
	  { "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[]" } },
	/* Bailey's own keys */
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\nwritable_roots = [\"~/out\"]\n"
	  "exclude_slash_tmp = false\nprotect_git = \"hooks\"\ndeny = [\".env\"]\n"
	  "tmp = \"none\"\nresolve = { \"a.example\" = \"127.0.0.1\" }\n",
	  { "\"writable_roots\":[{\"root\":\"~/out\"}]", "\"exclude_slash_tmp\":false",
	    "\"protect_git\":\"hooks\",\"deny\":[\".env\"],\"tmp\":\"none\","
	    "\"loopback\":\"own\",\"resolve\":{\"a.example\":\"127.0.0.1\"}" } },
};

static void
reads_the_sandbox_table_of_a_configuration(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(configs); i++) {
		AUTO_POLICY *policy = load("c.toml", configs[i].text);

		for (size_t k = 0; k < 4 && configs[i].parts[k] != NULL; k++) {
			assert_writes(policy, configs[i].parts[k]);
		}
	}
}

static const struct {
	const char *text;
	const char *expected;
} config_errors[] = {
	{ "[sandbox]\ndefault_policy = \"readonly\"\n",
	  "c.toml:2:18: unknown value 'readonly'; did you mean 'read_only'?" },
	{ "[sandbox]\nenable = true\n",
	  "c.toml:2:1: unknown key 'enable'; did you mean 'enabled'?" },
	{ "[sandbox]\nenabled = 1\n", "c.toml:2:11: expected true or false, found a number" },
	{ "[sandbox]\nnetwork_access = true\n", NULL },
	{ "[sandbox.network]\nalow_all = true\n",
	  "c.toml:2:1: unknown key 'alow_all'; did you mean 'allow_all'?" },
	{ "[sandbox.network]\nallowlist = [{domain = \"*\"}]\n",
	  "c.toml:2:24: '*' would be every host; to allow them all, set network_access without "
	  "an allowlist" },
	{ "[sandbox]\ndefault_policy = \"workspace_write\"\n[sandbox.sensitive_paths]\n"
	  "exceptions = [\"~/.ssh/config\"]\n",
	  "c.toml:4:15: '~/.ssh/config' is not one of the sensitive paths; an exception names one "
	  "of them as a whole" },
	{ "[sandbox.resource_limits]\npreset = \"huge\"\n", NULL },
	{ "[sandbox.resource_limits]\nmax_pids = -1\n", NULL },
	{ "[sandbox.seccomp]\nprofile = \"loose\"\n", NULL },
	{ "[sandbox]\nwritable_roots = [\"/x\"]\n",
	  "c.toml:2:18: 'writable_roots' does not apply to a policy of type 'read_only'" },
	{ "sandbox = 1\n", NULL },
	{ "[sandbox.external]\nkind = 1\n", NULL },
	/* errors in tables that this type has no use for */
	{ "[sandbox]\ndefault_policy = \"danger_full_access\"\n[sandbox.network]\npolicy = 1\n",
	  "c.toml:4:10: expected a string, found a number" },
};

static void
says_what_is_wrong_and_where_when_a_configuration_is_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(config_errors); i++) {
		int status;
		const char *text = load_error("c.toml", config_errors[i].text, &status);

		assert_int_equal(status, BAILEY_E_INVALID);
		if (config_errors[i].expected != NULL) {
			assert_string_equal(text, config_errors[i].expected);
		}
	}
}

/* ---- profiles ------------------------------------------------------------------------------ */

static void
appends_lists_and_replaces_values_when_extending(void **state)
{
	AUTO_POLICY *policy = NULL;

	(void)state;
	(void)file("base.toml", "type = \"workspace_write\"\nabout = \"base\"\nipc = true\n"
				"deny = [\"/a\"]\nprotect_git = \"none\"\n"
				"network_allowlist = [\"a.example\"]\n"
				"[resource_limits]\npreset = \"moderate\"\nmax_pids = 1\n"
				"[seccomp_profile]\nadditional_blocked = [\"chmod\"]\n");
	policy = load(
		"child.toml",
		"extends = \"base\"\nipc = false\ndeny = [\"/b\"]\nprotect_git = \"hooks\"\n"
		"sensitive_paths = [{path = \"~/k\"}]\n"
		"network_allowlist = [{domain = \"b.example\"}]\n"
		"[resource_limits]\nmax_pids = 2\n"
		"[seccomp_profile]\nadditional_blocked = [\"chown\"]\nprofile = \"logging\"\n");
	assert_writes(policy, "\"deny\":[\"/a\",\"/b\"]");
	assert_writes(policy, "\"protect_git\":\"hooks\"");
	assert_writes(policy, "\"max_memory_mb\":2048,\"max_pids\":2");
	assert_writes(policy, "\"additional_blocked\":[\"chmod\",\"chown\"]");
	assert_writes(policy, "\"log_only\":true");
	assert_writes(policy, "{\"domain\":\"a.example\",\"port\":443,\"protocol\":\"tcp\"},"
			      "{\"domain\":\"b.example\"");
	assert_writes(policy, "\"sensitive_paths\":[{\"path\":\"~/.ssh\"");
	assert_writes(policy, "{\"path\":\"~/k\"");
	assert_false(policy->ipc);
	assert_true(policy->seccomp.allow_network_sockets);
}

static void
follows_the_network_unless_sockets_are_named(void **state)
{
	AUTO_POLICY *open = load("p.toml", "type = \"workspace_write\"\nnetwork_access = true\n");
	AUTO_POLICY *closed = load("p.toml", "type = \"workspace_write\"\nnetwork_access = true\n"
					     "seccomp_profile = {allow_network_sockets = false}\n");

	(void)state;
	assert_true(open->seccomp.allow_network_sockets);
	assert_false(closed->seccomp.allow_network_sockets);
}

static void
extends_the_built_in_one_when_a_user_has_the_same_name(void **state)
{
	AUTO_POLICY *policy = NULL;

	(void)state;
	(void)file("node.toml", "extends = \"node\"\ndeny = [\"/mine\"]\n");
	assert_int_equal(bailey_policy_profile("node", dir, &policy, NULL), BAILEY_OK);
	assert_writes(policy, "\"deny\":[\"/mine\"]");
	assert_writes(policy, "\".husky\"");
	bailey_policy_free(policy);
	policy = NULL;
	assert_int_equal(bailey_policy_profile("node", NULL, &policy, NULL), BAILEY_OK);
	assert_int_equal(policy->deny.count, 0);
}

static void
finds_files_by_path_relative_to_the_one_that_extends(void **state)
{
	char sub[128];
	AUTO_POLICY *policy = NULL;

	(void)state;
	(void)snprintf(sub, sizeof(sub), "%s/sub", dir);
	assert_int_equal(mkdir(sub, 0700), 0);
	(void)file("sub/c.toml", "extends = \"./b.json\"\ndeny = [\"/c\"]\n");
	(void)file("sub/b.json", "{\"extends\":\"../a.toml\",\"deny\":[\"/b\"]}");
	(void)file("a.toml", "type = \"read_only\"\ndeny = [\"/a\"]\n");
	(void)snprintf(sub, sizeof(sub), "%s/sub/c.toml", dir);
	assert_int_equal(bailey_policy_profile(sub, NULL, &policy, NULL), BAILEY_OK);
	assert_writes(policy, "\"deny\":[\"/a\",\"/b\",\"/c\"]");
}

static void
takes_json_for_the_wire_form_unless_it_extends(void **state)
{
	AUTO_POLICY *wire = load("w.json", "{\"type\":\"workspace_write\"}");
	AUTO_POLICY *profile = load("w.json", "{\"type\":\"workspace_write\",\"about\":\"x\"}");
	AUTO_POLICY *toml = load("w.toml", "type = \"workspace_write\"\n");
	int status;

	(void)state;
	assert_false(wire->exclude_slash_tmp);
	assert_true(profile->exclude_slash_tmp);
	assert_true(toml->exclude_slash_tmp);
	assert_string_equal(load_error("w.json",
				       "{\"type\":\"workspace_write\",\"writable_roots\":["
				       "\"/a\"]}",
				       &status),
			    "w.json:1:45: expected an object, found a string");
}

static void
refuses_circles_and_long_chains(void **state)
{
	char name[32];
	char text[64];
	int status;
	struct bailey_policy *policy = NULL;

	(void)state;
	(void)file("x.toml", "extends = \"y\"\n");
	assert_string_equal(load_error("y.toml", "extends = \"./x.toml\"\n", &status),
			    "x.toml:1:11: 'y' extends itself, directly or through others");
	assert_int_equal(status, BAILEY_E_INVALID);
	assert_string_equal(load_error("z.toml", "extends = \"./z.toml\"\n", &status),
			    "z.toml:1:11: './z.toml' extends itself, directly or through others");
	assert_string_equal(load_error("self.toml", "extends = \"self\"\n", &status),
			    "self.toml:1:11: 'self' extends itself, directly or through others");
	for (int i = 0; i < 12; i++) {
		(void)snprintf(name, sizeof(name), "l%d.toml", i);
		(void)snprintf(text, sizeof(text),
			       i < 11 ? "extends = \"l%d\"\n" : "type = \"read_only\" # %d\n",
			       i + 1);
		(void)file(name, text);
	}
	assert_int_equal(bailey_policy_profile("l0", dir, &policy, NULL), BAILEY_E_LIMIT);
	assert_int_equal(bailey_policy_profile("l3", dir, &policy, NULL), BAILEY_OK);
	bailey_policy_free(policy);
}

static const struct {
	const char *text;
	int status;
	const char *expected;
} profile_errors[] = {
	{ "extends = \"nod\"\n", BAILEY_E_NOT_FOUND,
	  "e.toml:1:11: there is no profile 'nod'; did you mean 'node'?" },
	{ "extends = \"./none.toml\"\n", BAILEY_E_NOT_FOUND, NULL },
	{ "extends = \"\"\n", BAILEY_E_INVALID, NULL },
	{ "extends = 1\n", BAILEY_E_INVALID, "e.toml:1:11: expected a string, found a number" },
	{ "extends = [\"node\"]\n", BAILEY_E_INVALID, NULL },
	{ "about = 1\n", BAILEY_E_INVALID, NULL },
	{ "ipc = true\n", BAILEY_E_INVALID, NULL },
	{ "extends = \"node\"\ntype = \"read_only\"\n", BAILEY_E_INVALID,
	  "e.toml:2:8: a profile cannot have another type than the one that it extends, which is "
	  "'workspace_write'" },
	{ "extends = \"node\"\nipcs = true\n", BAILEY_E_INVALID,
	  "e.toml:2:1: unknown key 'ipcs'; did you mean 'ipc'?" },
	{ "extends = \"node\"\nwritable_roots = [\"out\"]\n", BAILEY_E_INVALID,
	  "e.toml:2:19: 'out' is relative; expected an absolute path, or one that begins with "
	  "'~/'" },
	{ "type = \"read_only\"\n[seccomp_profile]\nprofile = \"permissive\"\n", BAILEY_E_INVALID,
	  NULL },
	{ "extends = \"node\"\nnetwork_allowlist = [\"*\"]\n", BAILEY_E_INVALID, NULL },
	{ "type = \n", BAILEY_E_SYNTAX, NULL },
};

static void
says_what_is_wrong_and_where_when_a_profile_is_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(profile_errors); i++) {
		int status;
		const char *text = load_error("e.toml", profile_errors[i].text, &status);

		assert_int_equal(status, profile_errors[i].status);
		if (profile_errors[i].expected != NULL) {
			assert_string_equal(text, profile_errors[i].expected);
		}
	}
}

static void
names_the_built_in_profiles_when_there_is_no_such(void **state)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };

	(void)state;
	assert_int_equal(bailey_policy_profile("qqqqqqqq", dir, &policy, &err), BAILEY_E_NOT_FOUND);
	assert_non_null(strstr(err.message, "'workspace-write'"));
	assert_int_equal(bailey_policy_profile("..", dir, &policy, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_profile("", dir, &policy, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_policy_load("/nonexistent.toml", NULL, &policy, NULL),
			 BAILEY_E_NOT_FOUND);
}

/* ---- built-in profiles --------------------------------------------------------------------- */

static void
has_the_profiles_that_are_in_the_data_files(void **state)
{
	size_t count;
	const struct bailey_profile *profiles = bailey_builtin_profiles(&count);
	AUTO_DIR *data = opendir(PROFILES);
	size_t files = 0;

	(void)state;
	assert_non_null(data);
	for (struct dirent *entry; (entry = readdir(data)) != NULL;) {
		files += strstr(entry->d_name, ".toml") != NULL;
	}
	assert_int_equal(files, count);
	for (size_t i = 0; i < count; i++) {
		AUTO_ARENA arena = { 0 };
		char path[256];
		char *text = NULL;
		size_t len;

		(void)snprintf(path, sizeof(path), PROFILES "/%s.toml", profiles[i].name);
		assert_int_equal(read_file(&arena, path, 1 << 16, &text, &len, NULL), BAILEY_OK);
		assert_string_equal(profiles[i].text, text);
		assert_non_null(strstr(text, profiles[i].about));
		assert_true(i == 0 || strcmp(profiles[i - 1].name, profiles[i].name) < 0);
	}
}

static void
loads_every_built_in_profile_without_network(void **state)
{
	size_t count;
	const struct bailey_profile *profiles = bailey_builtin_profiles(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		AUTO_POLICY *policy = NULL;
		struct bailey_error err = { 0 };

		if (bailey_policy_profile(profiles[i].name, NULL, &policy, &err) != BAILEY_OK) {
			fail_msg("%s", bailey_error_format(&err, shown, sizeof(shown)));
		}
		assert_true(policy_check(policy));
		assert_false(bailey_policy_has_network(policy));
		assert_true(policy->sensitive_defaults);
		assert_true(policy->protect);
		assert_int_not_equal(bailey_policy_limits(policy).timeout_secs, 0);
	}
}

static void
fails_cleanly_when_memory_runs_out(void **state)
{
	unsigned int failures = 0;

	(void)state;
	(void)file("m.toml", "extends = \"node\"\nsensitive_paths = {additional = [\"/a\"]}\n");
	for (unsigned int n = 1; n < 60; n++) {
		struct bailey_policy *policy = NULL;
		struct bailey_error err = { 0 };
		int status;

		arena_fail_nth = n;
		status = bailey_policy_profile("m", dir, &policy, &err);
		arena_fail_nth = 0;
		assert_true(status == BAILEY_OK || status == BAILEY_E_NOMEM);
		assert_true((policy != NULL) == (status == BAILEY_OK));
		failures += status != BAILEY_OK;
		bailey_policy_free(policy);
	}
	assert_true(failures > 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_sandbox_table_of_a_configuration),
		cmocka_unit_test(says_what_is_wrong_and_where_when_a_configuration_is_invalid),
		cmocka_unit_test(appends_lists_and_replaces_values_when_extending),
		cmocka_unit_test(follows_the_network_unless_sockets_are_named),
		cmocka_unit_test(extends_the_built_in_one_when_a_user_has_the_same_name),
		cmocka_unit_test(finds_files_by_path_relative_to_the_one_that_extends),
		cmocka_unit_test(takes_json_for_the_wire_form_unless_it_extends),
		cmocka_unit_test(refuses_circles_and_long_chains),
		cmocka_unit_test(says_what_is_wrong_and_where_when_a_profile_is_invalid),
		cmocka_unit_test(names_the_built_in_profiles_when_there_is_no_such),
		cmocka_unit_test(has_the_profiles_that_are_in_the_data_files),
		cmocka_unit_test(loads_every_built_in_profile_without_network),
		cmocka_unit_test(fails_cleanly_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
