/* SPDX-License-Identifier: MIT */

/* What cannot be held and is refused, on which kernel, and what a plan holds besides paths. */

#include "plan_fixture.h"

#include <jansson.h>

/* ---- refusals ------------------------------------------------------------------------------ */

static void
refuse(struct setup *s, int status, const char *part)
{
	assert_int_equal(compile(s), status);
	if (strstr(s->err.message, part) == NULL) {
		fail_msg("'%s' is not in '%s'", part, s->err.message);
	}
}

static void
missing_and_impossible_roots_are_errors(void **state)
{
	static const struct {
		const char *root;
		int status;
		const char *part;
	} cases[] = {
		{ "/nowhere", BAILEY_E_NOT_FOUND, "does not exist" },
		{ "/", BAILEY_E_INVALID, "whole file system" },
		{ "/home/u/.ssh", BAILEY_E_INVALID, "keeps out" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
		assert_int_equal(bailey_policy_add_writable_root(s.policy, cases[i].root, &s.err),
				 BAILEY_OK);
		refuse(&s, cases[i].status, cases[i].part);
		end(&s);
	}
}

static void
policy_that_hides_cwd_or_program_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/.ssh");
	refuse(&s, BAILEY_E_INVALID, "hides the working directory");
	s.request.cwd = "/home/u/plain";
	s.request.program = "/home/u/.ssh/id";
	refuse(&s, BAILEY_E_INVALID, "hides the program");
	s.request.program = "/bin/tool"; /* through the link */
	must_compile(&s);
	assert_int_equal(bailey_policy_add_deny(s.policy, "/usr/bin", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_INVALID, "hides the program");
	end(&s);
}

static void
unknown_home_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	s.request.home = NULL;
	refuse(&s, BAILEY_E_INVALID, "HOME");
	end(&s);
}

static void
needs_of_a_later_version_are_refused(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.best_effort = true; /* changes nothing about it */
	assert_int_equal(bailey_policy_allow_net(s.policy, "example.org", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "network_allowlist");
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_bind_port(s.policy, 8080, &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "bind_ports");
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_resolve(s.policy, "a.test", "127.0.0.1", &s.err),
			 BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "resolve");
	end(&s);
}

/* What the broker alone can hold is refused where there is none, and the message says why. */
static void
needs_of_the_broker_are_refused_without_it(void **state)
{
	static const struct {
		bool no_broker, in_place, namespaces, log_only;
		const char *part;
	} rows[] = {
		{ true, false, false, false, "leave out --no-broker" },
		{ false, true, false, false, "leave out --in-place" },
		{ false, false, true, false, "allow_namespaces" },
		{ false, false, false, true, "log_only" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
		s.request.no_broker = rows[i].no_broker;
		s.request.in_place = rows[i].in_place;
		s.policy->seccomp.allow_namespaces = rows[i].namespaces;
		s.policy->seccomp.log_only = rows[i].log_only;
		assert_int_equal(bailey_policy_set_protect_git(s.policy, "hooks", &s.err),
				 BAILEY_OK);
		refuse(&s, BAILEY_E_UNSUPPORTED, rows[i].part);
		refuse(&s, BAILEY_E_UNSUPPORTED, "protect_git");
		assert_int_equal(bailey_policy_set_protect_git(s.policy, "all", &s.err), BAILEY_OK);
		assert_int_equal(bailey_policy_add_unix_socket(s.policy, "/run/x.sock", &s.err),
				 BAILEY_OK);
		refuse(&s, BAILEY_E_UNSUPPORTED, "unix_sockets");
		refuse(&s, BAILEY_E_UNSUPPORTED, rows[i].part);
		end(&s);
	}
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void
older_kernels_are_refused_unless_the_loss_is_accepted(void **state)
{
	static const struct {
		int abi;
		const char *part;   /* of the error; NULL: none */
		const char *gap[3]; /* with best effort */
	} cases[] = {
		{ 1, "truncate", { "truncate", "signal-scope", NULL } },
		{ 2, "truncate", { "truncate", "signal-scope", NULL } },
		{ 3, "signal-scope", { "signal-scope", NULL, NULL } },
		{ 5, "signal-scope", { "signal-scope", NULL, NULL } },
		{ 6, NULL, { NULL, NULL, NULL } },
		{ 10, NULL, { NULL, NULL, NULL } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
		set_abi(&s.host, cases[i].abi);
		if (cases[i].part != NULL) {
			refuse(&s, BAILEY_E_UNSUPPORTED, cases[i].part);
			assert_non_null(strstr(s.err.message, "--best-effort"));
			s.request.best_effort = true;
		}
		must_compile(&s);
		for (size_t k = 0; cases[i].gap[k] != NULL; k++) {
			assert_true(has_gap(&s, cases[i].gap[k]));
		}
		assert_int_equal(s.plan->handled_fs & ~plan_fs_rights(cases[i].abi), 0);
		for (size_t k = 0; k < s.plan->rule_count; k++) {
			assert_int_equal(s.plan->rules[k].access & ~s.plan->handled_fs, 0);
		}
		end(&s);
	}
}

static void
kernel_without_landlock_or_seccomp_is_refused_always(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	s.request.best_effort = true;
	set_abi(&s.host, 0);
	s.host.landlock_errno = EOPNOTSUPP;
	refuse(&s, BAILEY_E_UNSUPPORTED, "lsm=");
	s.host.landlock_errno = ENOSYS;
	refuse(&s, BAILEY_E_UNSUPPORTED, "5.13");
	set_abi(&s.host, 7);
	s.host.seccomp = false;
	refuse(&s, BAILEY_E_UNSUPPORTED, "seccomp");
	end(&s);
}

static void
handles_every_right_of_the_abi(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	set_abi(&s.host, LL_ABI_KNOWN);
	must_compile(&s);
	assert_int_equal(s.plan->handled_fs, 0x1ffff);
	assert_int_equal(s.plan->handled_net, 0xf);
	assert_int_equal(s.plan->scoped, 0x3);
	end(&s);
}

static void
abi_table_matches_the_kernels_history(void **state)
{
	(void)state;
	assert_int_equal(plan_fs_rights(0), 0);
	assert_int_equal(plan_fs_rights(1), 0x1fff);
	assert_int_equal(plan_fs_rights(2), 0x3fff);
	assert_int_equal(plan_fs_rights(3), 0x7fff);
	assert_int_equal(plan_fs_rights(5), 0xffff);
	assert_int_equal(plan_fs_rights(9), 0x1ffff);
	assert_int_equal(plan_net_rights(3), 0);
	assert_int_equal(plan_net_rights(4), 0x3);
	assert_int_equal(plan_net_rights(10), 0xf);
	assert_int_equal(plan_scopes(5), 0);
	assert_int_equal(plan_scopes(6), 0x3);
	assert_string_equal(plan_fs_right_name(14), "truncate");
	assert_null(plan_fs_right_name(17));
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void
full_access_plans_nothing(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_DANGER_FULL_ACCESS, "/home/u/plain");
	set_abi(&s.host, 0);
	must_compile(&s);
	assert_false(s.plan->sandboxed);
	assert_int_equal(s.plan->rule_count, 0);
	assert_false(s.plan->filtered);
	assert_int_equal(s.plan->env.mode, ENV_KEEP);
	end(&s);
}

static void
network_opens_sockets_and_leaves_tcp_unhandled(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_false(s.plan->filter.inet);
	assert_int_equal(s.plan->handled_net, 0x3);
	assert_int_equal(bailey_policy_set_network_access(s.policy, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(s.plan->filter.inet);
	assert_int_equal(s.plan->handled_net, 0);
	s.request.no_inet = true;
	must_compile(&s);
	assert_false(s.plan->filter.inet);
	end(&s);
}

static void
in_place_refuses_what_needs_somebody_behind(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.in_place = true;
	refuse(&s, BAILEY_E_INVALID, "a timeout");
	assert_int_equal(bailey_policy_set_limits_preset(s.policy, "unlimited", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_INVALID, "temp directory");
	assert_int_equal(bailey_policy_set_tmp(s.policy, "none", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(s.plan->stay);
	assert_true(has_gap(&s, "not-reaped"));
	end(&s);
}

static void
caches_go_into_a_directory_of_the_workspace(void **state)
{
	struct setup s;
	bool found = false;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.cache = "/home/u/.cache/bailey";
	must_compile(&s);
	for (size_t i = 0; i < s.plan->rule_count; i++) {
		const struct plan_rule *rule = &s.plan->rules[i];

		if (rule->why == WHY_CACHE) {
			found = rule->make && path_under(rule->path, "/home/u/.cache/bailey");
		}
	}
	assert_true(found);
	assert_true(s.plan->env.set_count > 5);
	end(&s);
}

static const char *
env_value(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->env.set_count; i++) {
		if (strcmp(plan->env.set[i].name, name) == 0) {
			return plan->env.set[i].value;
		}
	}
	return NULL;
}

static void
assert_setting(const struct plan *plan, const char *name, const char *value)
{
	const char *found = env_value(plan, name);

	if (value == NULL) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, value);
}

static void
tells_tools_what_cannot_succeed(void **state)
{
	static const struct {
		bool read_only, net, log_only, root;
		const char *retries, *leaks, *tar;
	} rows[] = {
		{ false, false, false, false, "0", "detect_leaks=0", NULL },
		{ true, false, false, true, "0", "detect_leaks=0", "--no-same-owner" },
		{ false, true, false, false, NULL, "detect_leaks=0", NULL },
		{ false, false, true, true, "0", NULL, "--no-same-owner" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct setup s;

		begin(&s,
		      rows[i].read_only ? BAILEY_POLICY_READ_ONLY : BAILEY_POLICY_WORKSPACE_WRITE,
		      "/home/u/plain");
		s.host.root = rows[i].root;
		s.policy->seccomp.log_only = rows[i].log_only;
		if (rows[i].net) {
			assert_int_equal(bailey_policy_set_network_access(s.policy, true, &s.err),
					 BAILEY_OK);
		}
		must_compile(&s);
		assert_setting(s.plan, "npm_config_fetch_retries", rows[i].retries);
		assert_setting(s.plan, "PIP_RETRIES", rows[i].retries);
		assert_setting(s.plan, "CARGO_NET_RETRY", rows[i].retries);
		assert_setting(s.plan, "LSAN_OPTIONS", rows[i].leaks);
		assert_setting(s.plan, "TAR_OPTIONS", rows[i].tar);
		assert_setting(s.plan, "GIT_OPTIONAL_LOCKS", "0");
		end(&s);
	}
}

/* git may keep its index fresh where it may write it. */
static void
git_that_may_be_written_is_left_alone(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.policy->protect_git = PROTECT_GIT_HOOKS;
	must_compile(&s);
	assert_setting(s.plan, "GIT_OPTIONAL_LOCKS", NULL);
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.policy->protect = false;
	must_compile(&s);
	assert_setting(s.plan, "GIT_OPTIONAL_LOCKS", NULL);
	end(&s);
}

static void
prints_as_text_and_as_json(void **state)
{
	struct setup s;
	AUTO_STRBUF text = STRBUF_INIT;
	AUTO_STRBUF json = STRBUF_INIT;
	json_t *root;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	must_compile(&s);
	plan_print(s.plan, &text);
	assert_non_null(strstr(text.text, "/home/u/.ssh"));
	assert_non_null(strstr(text.text, "asked of the broker: files metadata processes "
					  "unix_sockets loopback shared_memory"));
	assert_non_null(strstr(text.text, "served roots: /home/u/repo"));
	plan_print_json(s.plan, &json);
	root = json_loads(json.text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(root, "landlock"), "rules")),
		s.plan->rule_count);
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "broker"), "parts")),
			 6);
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "broker"), "roots")),
			 1);
	json_decref(root);
	end(&s);
}

static void
every_failing_allocation_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	for (unsigned int nth = 1; nth < 200; nth++) {
		int rc;

		arena_fail_nth = nth;
		rc = compile(&s);
		if (arena_fail_nth > 0) {
			arena_fail_nth = 0;
			assert_int_equal(rc, BAILEY_OK);
			assert_true(nth > 1);
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
		cmocka_unit_test(missing_and_impossible_roots_are_errors),
		cmocka_unit_test(policy_that_hides_cwd_or_program_is_an_error),
		cmocka_unit_test(unknown_home_is_an_error),
		cmocka_unit_test(needs_of_a_later_version_are_refused),
		cmocka_unit_test(needs_of_the_broker_are_refused_without_it),
		cmocka_unit_test(older_kernels_are_refused_unless_the_loss_is_accepted),
		cmocka_unit_test(kernel_without_landlock_or_seccomp_is_refused_always),
		cmocka_unit_test(handles_every_right_of_the_abi),
		cmocka_unit_test(abi_table_matches_the_kernels_history),
		cmocka_unit_test(full_access_plans_nothing),
		cmocka_unit_test(network_opens_sockets_and_leaves_tcp_unhandled),
		cmocka_unit_test(in_place_refuses_what_needs_somebody_behind),
		cmocka_unit_test(caches_go_into_a_directory_of_the_workspace),
		cmocka_unit_test(tells_tools_what_cannot_succeed),
		cmocka_unit_test(git_that_may_be_written_is_left_alone),
		cmocka_unit_test(prints_as_text_and_as_json),
		cmocka_unit_test(every_failing_allocation_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
