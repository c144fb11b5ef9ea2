/* SPDX-License-Identifier: MIT */

/* The manager: what has to be spawned to hold a command to a policy. */

#include "sandbox/manager.h"

#include "base/arena.h"
#include "base/attr.h"
#include "policy/pieces.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define LIST(name)                                                                                 \
	{                                                                                          \
		.items = (name), .count = COUNT_OF(name)                                           \
	}
#define STRINGS(list) ((char *const *)(uintptr_t)(list))

static const struct manager_host linux_host = { .landlock = true };
static const struct manager_host macos_host = { .seatbelt = true, .seatbelt_program = "/bin/sh" };

static const char *const args[] = { "-la", "a b", "", NULL };
static const char *const environment[] = {
	"PATH=/bin", "HOME=/home/u", "GH_TOKEN=t", "PWD=/old", "LANG=C", "LANG=de", NULL,
};
static const char *roots[] = { "~/other" };

static struct bailey_policy
workspace(void)
{
	return (struct bailey_policy){
		.type = BAILEY_POLICY_WORKSPACE_WRITE,
		.writable_roots = LIST(roots),
		.sensitive_defaults = true,
		.protect = true,
		.seccomp = { .strict = true },
		.limits = { .timeout_secs = 300 },
		.exclude_tmpdir_env_var = true,
		.exclude_slash_tmp = true,
	};
}

static struct bailey_command_spec
listing(void)
{
	return (struct bailey_command_spec){
		.program = "ls",
		.args = STRINGS(args),
		.cwd = "/w/sub",
		.env = STRINGS(environment),
		.expiration = { BAILEY_EXPIRATION_TIMEOUT, 1500 },
	};
}

static void
exec_env_freep(struct bailey_exec_env **env)
{
	bailey_exec_env_free(*env);
}

#define AUTO_EXEC __attribute__((cleanup(exec_env_freep))) struct bailey_exec_env

static struct bailey_exec_env *
transform(const struct manager_request *request)
{
	struct bailey_error err = { 0 };
	struct bailey_exec_env *out = NULL;

	if (manager_transform(request, &out, &err) != BAILEY_OK) {
		fail_msg("%s", err.message);
	}
	return out;
}

static void
same_strings(char *const *found, const char *const *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_non_null(found[i]);
		assert_string_equal(found[i], expected[i]);
	}
	assert_null(found[count]);
}

/* ---- with a sandbox ---------------------------------------------------------------------- */

static void
writes_the_arguments_of_a_launcher(void **state)
{
	static const char *const options[] = {
		"--sandbox-policy-cwd",
		"--sandbox-policy",
		"--seccomp-profile",
		"--resource-limits",
	};
	static const char *const command[] = { "--", "ls", "-la", "a b", "" };
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	AUTO_EXEC *out = transform(&request);

	(void)state;
	assert_string_equal(out->program, "/bin/sh");
	assert_string_equal(out->argv[0], "/bin/sh");
	assert_ptr_equal(out->args, out->argv + 1);
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		assert_string_equal(out->args[2 * i], options[i]);
	}
	assert_string_equal(out->args[1], "/w");
	same_strings(out->args + 8, command, COUNT_OF(command));
	assert_string_equal(out->cwd, "/w/sub");
	assert_true(out->sandbox_active);
	assert_int_equal(out->sandbox_type, BAILEY_SANDBOX_LINUX_LANDLOCK);
	assert_int_equal(out->expiration.kind, BAILEY_EXPIRATION_TIMEOUT);
	assert_int_equal(out->expiration.timeout_ms, 1500);
}

static void
writes_json_that_the_launcher_reads_back(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	AUTO_EXEC *out = transform(&request);
	AUTO_FREE char *again = NULL;
	struct bailey_policy *read = NULL;
	json_t *written = json_loads(out->args[3], 0, NULL);
	json_t *seccomp = json_loads(out->args[5], 0, NULL);
	json_t *limits = json_loads(out->args[7], 0, NULL);

	(void)state;
	assert_string_equal(json_string_value(json_object_get(written, "type")), "workspace_write");
	assert_true(json_equal(json_object_get(written, "seccomp_profile"), seccomp));
	assert_true(json_equal(json_object_get(written, "resource_limits"), limits));
	assert_true(json_array_size(json_object_get(seccomp, "blocked_syscalls")) > 30);
	assert_true(json_is_false(json_object_get(seccomp, "allow_network_sockets")));
	assert_int_equal(json_integer_value(json_object_get(limits, "timeout_secs")), 300);
	assert_int_equal(bailey_policy_from_json("argument", out->args[3], strlen(out->args[3]),
						 &read, NULL),
			 BAILEY_OK);
	assert_int_equal(bailey_policy_use_seccomp_json(read, "argument", out->args[5], NULL),
			 BAILEY_OK);
	assert_int_equal(bailey_policy_use_limits_json(read, "argument", out->args[7], NULL),
			 BAILEY_OK);
	assert_int_equal(bailey_policy_to_json(read, &again, NULL), BAILEY_OK);
	assert_string_equal(again, out->args[3]);
	bailey_policy_free(read);
	json_decref(written);
	json_decref(seccomp);
	json_decref(limits);
}

/* A read_only policy has no such keys of its own in the wire form, but it has both in force. */
static void
writes_the_profile_and_the_limits_in_force(void **state)
{
	struct bailey_policy policy = {
		.type = BAILEY_POLICY_READ_ONLY,
		.network_access = true,
		.seccomp = { .strict = true },
		.limits = { .max_memory_mb = 512, .timeout_secs = 120 },
	};
	AUTO_FREE char *seccomp = NULL;
	AUTO_FREE char *limits = NULL;

	(void)state;
	assert_int_equal(policy_seccomp_json(&policy, &seccomp, NULL), BAILEY_OK);
	assert_int_equal(policy_limits_json(&policy, &limits, NULL), BAILEY_OK);
	assert_non_null(strstr(seccomp, "\"allow_network_sockets\":true"));
	assert_non_null(strstr(limits, "\"max_memory_mb\":512"));
	assert_non_null(strstr(limits, "\"timeout_secs\":120"));
	assert_false(policy.seccomp.allow_network_sockets);
}

static void
names_the_subcommand_when_the_helper_is_bailey(void **state)
{
	AUTO_ARENA arena = { 0 };
	char dir[] = "/tmp/bailey-manager-XXXXXX";
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.host = &linux_host,
	};
	AUTO_EXEC *out = NULL;
	AUTO_FILE *file = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	request.helper = arena_printf(&arena, "%s/bailey", dir);
	file = fopen(request.helper, "w");
	assert_non_null(file);
	assert_int_equal(chmod(request.helper, 0700), 0);
	out = transform(&request);
	assert_int_equal(unlink(request.helper), 0);
	assert_int_equal(rmdir(dir), 0);
	assert_string_equal(out->args[0], "sandbox-exec");
	assert_string_equal(out->args[1], "--sandbox-policy-cwd");
}

static const char *const sandboxed[] = {
	"PATH=/bin",
	"HOME=/home/u",
	"PWD=/w/sub",
	"LANG=de",
	"BAILEY_SANDBOX_ACTIVE=1",
	"BAILEY_SANDBOX_TYPE=linux_landlock",
	"BAILEY_SANDBOX_WRITABLE_ROOTS=/w:/home/u/other",
	"BAILEY_SANDBOX_NETWORK_DISABLED=1",
	"VTCODE_SANDBOX_ACTIVE=1",
	"VTCODE_SANDBOX_TYPE=linux_landlock",
	"VTCODE_SANDBOX_WRITABLE_ROOTS=/w:/home/u/other",
	"VTCODE_SANDBOX_NETWORK_DISABLED=1",
};

static void
filters_and_marks_the_environment(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	AUTO_EXEC *closed = transform(&request);
	AUTO_EXEC *open = NULL;

	(void)state;
	same_strings(closed->env, sandboxed, COUNT_OF(sandboxed));
	policy.network_access = true;
	policy.exclude_slash_tmp = false;
	spec.home = "/home/u";
	open = transform(&request);
	assert_string_equal(open->env[6], "BAILEY_SANDBOX_WRITABLE_ROOTS=/w:/home/u/other:/tmp");
	assert_string_equal(open->env[7], "VTCODE_SANDBOX_ACTIVE=1");
	assert_string_equal(open->env[1], "HOME=/home/u");
}

static void
takes_the_policys_directory_when_the_command_has_none(void **state)
{
	struct bailey_policy policy = { .type = BAILEY_POLICY_READ_ONLY };
	struct bailey_command_spec spec = { .program = "/bin/true" };
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	AUTO_EXEC *out = transform(&request);

	(void)state;
	assert_string_equal(out->cwd, "/w");
	assert_string_equal(out->env[0], "PWD=/w");
	assert_string_equal(out->env[2], "BAILEY_SANDBOX_TYPE=linux_landlock");
	assert_string_equal(out->env[3], "BAILEY_SANDBOX_NETWORK_DISABLED=1");
	assert_string_equal(out->args[9], "/bin/true");
	assert_null(out->args[10]);
	assert_int_equal(bailey_exec_expiration_ms(&out->expiration), 30000);
}

static void
writes_a_seatbelt_profile_on_macos(void **state)
{
	static const char *const command[] = { "--", "ls", "-la", "a b", "" };
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_MACOS_SEATBELT,
		.host = &macos_host,
	};
	AUTO_EXEC *out = transform(&request);

	(void)state;
	assert_string_equal(out->argv[0], "/bin/sh");
	assert_string_equal(out->args[0], "-p");
	assert_memory_equal(out->args[1], "(version 1)\n", 12);
	assert_non_null(strstr(out->args[1], "(subpath \"/home/u/other\")"));
	same_strings(out->args + 2, command, COUNT_OF(command));
	assert_int_equal(out->sandbox_type, BAILEY_SANDBOX_MACOS_SEATBELT);
	assert_string_equal(out->env[5], "BAILEY_SANDBOX_TYPE=macos_seatbelt");
}

/* ---- without one ------------------------------------------------------------------------- */

static const struct {
	enum bailey_policy_type policy;
	enum bailey_permissions permissions;
} plain[] = {
	{ BAILEY_POLICY_DANGER_FULL_ACCESS, BAILEY_PERMISSIONS_USE_DEFAULT },
	{ BAILEY_POLICY_EXTERNAL_SANDBOX, BAILEY_PERMISSIONS_USE_DEFAULT },
	{ BAILEY_POLICY_READ_ONLY, BAILEY_PERMISSIONS_BYPASS_SANDBOX },
	{ BAILEY_POLICY_WORKSPACE_WRITE, BAILEY_PERMISSIONS_REQUIRE_ESCALATED },
};

static void
leaves_a_command_without_a_sandbox_as_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(plain); i++) {
		struct bailey_policy policy = { .type = plain[i].policy };
		struct bailey_command_spec spec = listing();
		struct manager_request request = {
			.spec = &spec,
			.policy = &policy,
			.policy_cwd = "/w",
			.type = BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN,
			.host = &linux_host,
		};
		AUTO_EXEC *out = NULL;

		spec.sandbox_permissions = plain[i].permissions;
		spec.justification = "asked for";
		out = transform(&request);
		assert_string_equal(out->program, "ls");
		same_strings(out->args, args, 3);
		same_strings(out->env, environment, COUNT_OF(environment) - 1);
		assert_false(out->sandbox_active);
		assert_int_equal(out->sandbox_type, BAILEY_SANDBOX_NONE);
	}
}

/* ---- errors ------------------------------------------------------------------------------ */

/* What is left out of a row is sound; MISSING stands for NULL. */
struct mistake {
	const char *about;
	enum bailey_status status;
	bool other_type;
	enum bailey_sandbox_type type;
	enum bailey_permissions permissions;
	const char *helper;
	const char *program;
	const char *cwd;
	const char *policy_cwd;
	const char *justification;
	struct bailey_exec_expiration expiration;
};

static const char MISSING[] = "missing";

#define OTHER(t) .other_type = true, .type = (t)

static const struct mistake mistakes[] = {
	{ "not available", BAILEY_E_UNSUPPORTED, OTHER(BAILEY_SANDBOX_MACOS_SEATBELT) },
	{ "not available", BAILEY_E_UNSUPPORTED, OTHER(BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN) },
	{ "not available", BAILEY_E_UNSUPPORTED, OTHER((enum bailey_sandbox_type)77) },
	{ "asks for a sandbox", BAILEY_E_REFUSED, OTHER(BAILEY_SANDBOX_NONE) },
	{ "no sandbox helper", BAILEY_E_NOT_FOUND, .helper = MISSING },
	{ "no sandbox helper", BAILEY_E_NOT_FOUND, .helper = "" },
	{ "missing or not", BAILEY_E_NOT_FOUND, .helper = "/nonexistent/bailey" },
	{ "missing or not", BAILEY_E_NOT_FOUND, .helper = "/etc/passwd" },
	{ "missing or not", BAILEY_E_NOT_FOUND, .helper = "/bin" },
	{ "absolute", BAILEY_E_INVALID, .helper = "bailey" },
	{ "no program", BAILEY_E_INVALID, .program = MISSING },
	{ "no program", BAILEY_E_INVALID, .program = "" },
	{ "absolute", BAILEY_E_INVALID, .cwd = "w" },
	{ "absolute", BAILEY_E_INVALID, .policy_cwd = MISSING },
	{ "absolute", BAILEY_E_INVALID, .policy_cwd = "w" },
	{ "'bypass_sandbox' needs a justification", BAILEY_E_INVALID,
	  .permissions = BAILEY_PERMISSIONS_BYPASS_SANDBOX },
	{ "'require_escalated' needs", BAILEY_E_INVALID,
	  .permissions = BAILEY_PERMISSIONS_REQUIRE_ESCALATED, .justification = "" },
	{ "at least 1", BAILEY_E_INVALID, .expiration = { BAILEY_EXPIRATION_TIMEOUT, 0 } },
	{ "expiration", BAILEY_E_INVALID, .expiration = { (enum bailey_expiration_kind)9, 0 } },
};

static const char *
or_sound(const char *value, const char *sound)
{
	if (value == MISSING) {
		return NULL;
	}
	return value != NULL ? value : sound;
}

static void
fails(const struct manager_request *request, enum bailey_status status, const char *about)
{
	struct bailey_error err = { 0 };
	struct bailey_exec_env *out = (struct bailey_exec_env *)(uintptr_t)&err;
	int rc = manager_transform(request, &out, &err);

	if (rc != (int)status || strstr(err.message, about) == NULL) {
		fail_msg("%d '%s', not about '%s'", rc, err.message, about);
	}
	assert_null(out);
}

static void
fails_and_hands_out_nothing(void **state)
{
	struct bailey_policy policy = workspace();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
		const struct mistake *m = &mistakes[i];
		struct bailey_command_spec spec = {
			.program = or_sound(m->program, "ls"),
			.cwd = or_sound(m->cwd, "/w"),
			.env = STRINGS(environment),
			.sandbox_permissions = m->permissions,
			.justification = m->justification,
			.expiration = m->expiration,
		};
		struct manager_request request = {
			.spec = &spec,
			.policy = &policy,
			.policy_cwd = or_sound(m->policy_cwd, "/w"),
			.type = m->other_type ? m->type : BAILEY_SANDBOX_LINUX_LANDLOCK,
			.helper = or_sound(m->helper, "/bin/sh"),
			.host = &linux_host,
		};

		fails(&request, m->status, m->about);
	}
}

/* The command must not choose which home directory's secrets are kept. */
static void
fails_when_the_command_moves_its_home(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	AUTO_EXEC *out = NULL;

	(void)state;
	spec.home = "/home/real";
	fails(&request, BAILEY_E_REFUSED, "HOME of the command is '/home/u'");
	spec.env = NULL;
	fails(&request, BAILEY_E_REFUSED, "HOME");
	spec.env = STRINGS(environment);
	request.type = BAILEY_SANDBOX_MACOS_SEATBELT;
	request.host = &macos_host;
	out = transform(&request);
	assert_non_null(strstr(out->args[1], "(subpath \"/home/real/.ssh\")"));
}

static void
fails_when_seatbelt_cannot_hold_the_policy(void **state)
{
	static struct net_entry host = { "example.org", 443, 443, false };
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_host bare = { .seatbelt = true, .seatbelt_program = "/nonexistent" };
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_MACOS_SEATBELT,
		.host = &macos_host,
	};

	(void)state;
	policy.network_access = true;
	policy.allowlist = &host;
	policy.allowlist_count = 1;
	fails(&request, BAILEY_E_UNSUPPORTED, "allowed hosts");
	request.host = &bare;
	fails(&request, BAILEY_E_NOT_FOUND, "Seatbelt launcher");
}

static void
fails_when_the_policy_is_too_long_for_an_argument(void **state)
{
	static char root[200000];
	const char *one[] = { root };
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};

	(void)state;
	memset(root, '/', sizeof(root) - 1);
	policy.writable_roots = (struct strings)LIST(one);
	fails(&request, BAILEY_E_LIMIT, "longer than the 131071 bytes");
}

static void
fails_when_a_path_is_no_text(void **state)
{
	static const char *one[] = { "/w/\xff" };
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};

	(void)state;
	policy.writable_roots = (struct strings)LIST(one);
	fails(&request, BAILEY_E_INVALID, "UTF-8");
}

static void
fails_when_memory_is_out(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct manager_request request = {
		.spec = &spec,
		.policy = &policy,
		.policy_cwd = "/w",
		.type = BAILEY_SANDBOX_LINUX_LANDLOCK,
		.helper = "/bin/sh",
		.host = &linux_host,
	};
	bool finished = false;

	(void)state;
	for (unsigned int n = 1; n < 100 && !finished; n++) {
		struct bailey_error err = { 0 };
		AUTO_EXEC *out = NULL;

		arena_fail_nth = n;
		finished = manager_transform(&request, &out, &err) == BAILEY_OK;
		assert_int_equal(err.status, finished ? BAILEY_OK : BAILEY_E_NOMEM);
		assert_true((out != NULL) == finished);
		assert_true(finished == (arena_fail_nth > 0));
	}
	arena_fail_nth = 0;
	assert_true(finished);
	bailey_exec_env_free(NULL);
}

/* ---- the public side --------------------------------------------------------------------- */

static void
knows_which_types_this_system_has(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_command_spec spec = listing();
	struct bailey_exec_env *out = NULL;
	struct bailey_error err = { 0 };

	(void)state;
	assert_true(bailey_sandbox_type_available(BAILEY_SANDBOX_NONE));
	assert_false(bailey_sandbox_type_available(BAILEY_SANDBOX_MACOS_SEATBELT));
	assert_false(bailey_sandbox_type_available(BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN));
	assert_int_equal(bailey_sandbox_transform(&spec, &policy, "/w",
						  BAILEY_SANDBOX_MACOS_SEATBELT, NULL, &out, &err),
			 BAILEY_E_UNSUPPORTED);
	assert_null(out);
}

static void
knows_how_long_a_command_may_take(void **state)
{
	static const struct {
		struct bailey_exec_expiration expiration;
		uint64_t ms;
	} table[] = {
		{ { BAILEY_EXPIRATION_DEFAULT, 5 }, 30000 },
		{ { BAILEY_EXPIRATION_TIMEOUT, 5 }, 5 },
		{ { BAILEY_EXPIRATION_CANCELLATION, 5 }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		assert_int_equal(bailey_exec_expiration_ms(&table[i].expiration), table[i].ms);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_arguments_of_a_launcher),
		cmocka_unit_test(writes_json_that_the_launcher_reads_back),
		cmocka_unit_test(writes_the_profile_and_the_limits_in_force),
		cmocka_unit_test(names_the_subcommand_when_the_helper_is_bailey),
		cmocka_unit_test(filters_and_marks_the_environment),
		cmocka_unit_test(takes_the_policys_directory_when_the_command_has_none),
		cmocka_unit_test(writes_a_seatbelt_profile_on_macos),
		cmocka_unit_test(leaves_a_command_without_a_sandbox_as_it_is),
		cmocka_unit_test(fails_and_hands_out_nothing),
		cmocka_unit_test(fails_when_the_command_moves_its_home),
		cmocka_unit_test(fails_when_seatbelt_cannot_hold_the_policy),
		cmocka_unit_test(fails_when_the_policy_is_too_long_for_an_argument),
		cmocka_unit_test(fails_when_a_path_is_no_text),
		cmocka_unit_test(fails_when_memory_is_out),
		cmocka_unit_test(knows_which_types_this_system_has),
		cmocka_unit_test(knows_how_long_a_command_may_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
