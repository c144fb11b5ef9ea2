/* SPDX-License-Identifier: MIT */

/* The environment of a sandboxed program: which variables it gets, in which order, and why. */

#include "sandbox/environment.h"

#include "base/attr.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define WITH_SET(list) .set = (struct env_change *)(uintptr_t)(list), .set_count = COUNT_OF(list)

/* String literals as an environment, which execve(2) declares without const. */
#define ENV(strings) ((char *const *)(uintptr_t)(strings))

/* "A=1 B=2" of an environment, for comparing. */
static char *
joined(struct arena *arena, char *const *env)
{
	char *text = arena_strdup(arena, "");

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		text = arena_printf(arena, "%s%s%s", text, i > 0 ? " " : "", env[i]);
	}
	return text;
}

/* ---- names ------------------------------------------------------------------------------- */

static const char *const seed_names[] = {
	"OPENAI_API_KEY",
	"ANTHROPIC_API_KEY",
	"GEMINI_API_KEY",
	"XAI_API_KEY",
	"DEEPSEEK_API_KEY",
	"META_API_KEY",
	"MODEL_API_KEY",
	"OPENROUTER_API_KEY",
	"GROQ_API_KEY",
	"MISTRAL_API_KEY",
	"COHERE_API_KEY",
	"AZURE_OPENAI_API_KEY",
	"HUGGINGFACE_API_KEY",
	"HF_TOKEN",
	"AWS_ACCESS_KEY_ID",
	"AWS_SECRET_ACCESS_KEY",
	"AWS_SESSION_TOKEN",
	"GOOGLE_APPLICATION_CREDENTIALS",
	"GOOGLE_CLOUD_PROJECT",
	"AZURE_CLIENT_ID",
	"AZURE_CLIENT_SECRET",
	"AZURE_TENANT_ID",
	"AZURE_SUBSCRIPTION_ID",
	"GITHUB_TOKEN",
	"GH_TOKEN",
	"GITHUB_PAT",
	"NPM_TOKEN",
	"NPM_AUTH_TOKEN",
	"CARGO_REGISTRY_TOKEN",
	"PYPI_TOKEN",
	"DATABASE_URL",
	"DB_PASSWORD",
	"PGPASSWORD",
	"MYSQL_PWD",
	"REDIS_PASSWORD",
	"MONGO_PASSWORD",
	"SSH_AUTH_SOCK",
	"GPG_AGENT_INFO",
	"LD_PRELOAD",
	"LD_LIBRARY_PATH",
	"LD_AUDIT",
	"LD_DEBUG",
	"LD_PROFILE",
	"DYLD_INSERT_LIBRARIES",
	"DYLD_LIBRARY_PATH",
	"DYLD_FRAMEWORK_PATH",
	"DYLD_FALLBACK_LIBRARY_PATH",
	"VAULT_TOKEN",
	"CONSUL_HTTP_TOKEN",
	"DOCKER_AUTH_CONFIG",
	"KUBECONFIG",
	"KUBE_TOKEN",
	"SLACK_TOKEN",
	"SLACK_BOT_TOKEN",
	"DISCORD_TOKEN",
	"TELEGRAM_BOT_TOKEN",
};

static bool
table_has_name(const char *name)
{
	size_t count;
	const struct bailey_env_rule *rules = bailey_filtered_env_vars(&count);

	for (size_t i = 0; i < count; i++) {
		if (rules[i].match == BAILEY_ENV_NAME && strcmp(rules[i].text, name) == 0) {
			return true;
		}
	}
	return false;
}

static void
lists_every_name_of_the_seed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(seed_names); i++) {
		if (!table_has_name(seed_names[i]) ||
		    !bailey_should_filter_env_var(seed_names[i])) {
			fail_msg("%s", seed_names[i]);
		}
	}
}

static const char *const dropped[] = {
	/* by rule of the seed: prefix, word, suffix, in any case */
	"AWS_REGION",
	"aws_profile",
	"Azure_x",
	"GOOGLE_X",
	"gcp_project",
	"CLOUDSDK_CONFIG",
	"LD_BIND_NOW",
	"DYLD_PRINT_LIBRARIES",
	"TOKEN",
	"token",
	"SECRET",
	"PASSWORD",
	"PASS",
	"Pass",
	"PWD",
	"CREDENTIALS",
	"MY_TOKEN",
	"my_token",
	"STRIPE_KEY",
	"X_SECRET",
	"X_PASS",
	"X_PWD",
	"X_PASSWORD",
	"X_CREDENTIALS",
	"_KEY",
	"openai_api_key",
	/* credentials by Bailey's rules */
	"SECRET_KEY_BASE",
	"TOKEN_GITHUB",
	"RESTIC_PASSWORD_COMMAND",
	"GPG_PASSPHRASE",
	"npm_config_//registry.example/:_authToken",
	"npm_config__auth",
	"COMPOSER_AUTH",
	"STAGING_DATABASE_URL",
	"SENTRY_DSN",
	"OP_SESSION_my",
	"BW_SESSION",
	"NETRC",
	"SERVICE_APIKEY",
	"AZ_CONNECTION_STRING",
	"db.password",
	/* code */
	"BASH_ENV",
	"ENV",
	"PROMPT_COMMAND",
	"PS4",
	"IFS",
	"SHELLOPTS",
	"BASHOPTS",
	"BASH_FUNC_ls%%",
	"BASH_FUNC_git()",
	"ZDOTDIR",
	"GIT_SSH",
	"GIT_SSH_COMMAND",
	"GIT_EXTERNAL_DIFF",
	"GIT_ASKPASS",
	"SSH_ASKPASS",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_KEY_0",
	"GIT_CONFIG_VALUE_0",
	"GIT_CONFIG_PARAMETERS",
	"GIT_CONFIG_GLOBAL",
	"GIT_EXEC_PATH",
	"NODE_OPTIONS",
	"PYTHONSTARTUP",
	"PYTHONHOME",
	"PERL5OPT",
	"PERL5DB",
	"RUBYOPT",
	"JAVA_TOOL_OPTIONS",
	"_JAVA_OPTIONS",
	"JDK_JAVA_OPTIONS",
	"GCONV_PATH",
	"GLIBC_TUNABLES",
	"HOSTALIASES",
	"RESOLV_HOST_CONF",
	"LUA_INIT_5_4",
	"LESSOPEN",
	"OPENSSL_CONF",
	"RUSTC_WRAPPER",
	"TAR_OPTIONS",
	"npm_config_script_shell",
	/* ways out of the sandbox */
	"DBUS_SESSION_BUS_ADDRESS",
	"DISPLAY",
	"XAUTHORITY",
	"WAYLAND_DISPLAY",
	"DOCKER_HOST",
	"CONTAINER_HOST",
	"TMUX",
	"STY",
	"NVIM",
	"SWAYSOCK",
	"VSCODE_IPC_HOOK_CLI",
	"VSCODE_GIT_ASKPASS_MAIN",
	"NOTIFY_SOCKET",
};

/* Names that must survive, many of them near to a rule. */
static const char *const kept[] = {
	"PATH",
	"HOME",
	"USER",
	"LOGNAME",
	"TERM",
	"SHELL",
	"LANG",
	"LC_ALL",
	"TZ",
	"TMPDIR",
	"CC",
	"CXX",
	"LD",
	"LDFLAGS",
	"CFLAGS",
	"MAKEFLAGS",
	"EDITOR",
	"PAGER",
	"GIT_EDITOR",
	"GIT_PAGER",
	"GIT_AUTHOR_NAME",
	"GIT_DIR",
	"GIT_TERMINAL_PROMPT",
	"PYTHONPATH",
	"NODE_PATH",
	"NODE_ENV",
	"GOFLAGS",
	"GOPATH",
	"RUSTFLAGS",
	"RUST_BACKTRACE",
	"CARGO_HOME",
	"VIRTUAL_ENV",
	"CONDA_PREFIX",
	"NIX_PATH",
	"LOCPATH",
	"LOCALE_ARCHIVE",
	"TERMINFO",
	"TERMINFO_DIRS",
	"CI",
	"GITHUB_ACTIONS",
	"GITHUB_OUTPUT",
	"SSH_CONNECTION",
	"HTTP_PROXY",
	"https_proxy",
	"NO_PROXY",
	"SSL_CERT_FILE",
	"NODE_EXTRA_CA_CERTS",
	"TOKENIZERS_PARALLELISM",
	"MAX_THINKING_TOKENS",
	"KEY",
	"KEYBOARD",
	"MONKEY",
	"KEYS_DIR",
	"COMPASS",
	"BYPASS",
	"PASSENGER",
	"SECRETARY",
	"PASSWORDLESS",
	"XPWD",
	"ENVIRONMENT",
	"BUN_OPTIONS",
	"AWS",
	"LUA_PATH",
	"PS1",
	"XDG_RUNTIME_DIR",
	"BASH",
	"COLUMNS",
	"ASAN_OPTIONS",
	"DSN",
	"AUTH",
	"PAT",
	"",
	"_",
	"__",
	"=",
};

static void
drops_credentials_code_and_ways_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(dropped); i++) {
		if (!env_is_filtered(dropped[i]) || bailey_env_filter_reason(dropped[i]) == NULL) {
			fail_msg("%s was kept", dropped[i]);
		}
	}
}

static void
keeps_what_programs_need(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(kept); i++) {
		if (env_is_filtered(kept[i]) || bailey_env_filter_reason(kept[i]) != NULL) {
			fail_msg("%s: %s", kept[i], bailey_env_filter_reason(kept[i]));
		}
	}
}

/* The comparison folds the name only, so a rule in lower case would never match. */
static void
writes_every_rule_in_upper_case_with_a_reason_and_once(void **state)
{
	size_t count;
	const struct bailey_env_rule *rules = bailey_filtered_env_vars(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		assert_non_null(rules[i].reason);
		assert_int_not_equal(rules[i].text[0], '\0');
		assert_null(strpbrk(rules[i].text, "abcdefghijklmnopqrstuvwxyz="));
		for (size_t k = 0; k < i; k++) {
			if (rules[k].match == rules[i].match &&
			    strcmp(rules[k].text, rules[i].text) == 0) {
				fail_msg("%s is there twice", rules[i].text);
			}
		}
	}
}

static void
preserves_the_names_of_the_seed_and_filters_none_of_them(void **state)
{
	size_t count;
	const char *const *names = bailey_preserved_env_vars(&count);

	(void)state;
	assert_int_equal(count, 41);
	assert_null(names[count]);
	for (size_t i = 0; i < count; i++) {
		assert_true(env_is_preserved(names[i]));
		assert_false(env_is_filtered(names[i]));
	}
	assert_true(env_is_preserved("VTCODE_CONFIG_PATH"));
	assert_false(env_is_preserved("VTCODE_OTHER"));
	assert_false(env_is_preserved("path"));
	assert_false(env_is_preserved("PATHX"));
	assert_false(env_is_preserved(""));
}

/* ---- building ---------------------------------------------------------------------------- */

static const char *const callers[] = {
	"PATH=/bin",  "EDITOR=vi", "CC=gcc", "OLDPWD=/old", "PWD=/stale",
	"GH_TOKEN=t", "TMUX=x",	   "f=() {", "f=() { :; }", NULL,
};

static const struct {
	enum env_mode mode;
	const char *cwd;
	const char *expected;
} modes[] = {
	{ ENV_FILTER, "/w", "PATH=/bin EDITOR=vi CC=gcc PWD=/w" },
	{ ENV_FILTER, NULL, "PATH=/bin EDITOR=vi CC=gcc" },
	{ ENV_SANITIZE, "/w", "PATH=/bin EDITOR=vi PWD=/w" },
	{ ENV_KEEP, "/w", "PATH=/bin EDITOR=vi CC=gcc PWD=/w GH_TOKEN=t TMUX=x f=() { :; }" },
	{ ENV_KEEP, NULL,
	  "PATH=/bin EDITOR=vi CC=gcc OLDPWD=/old PWD=/stale GH_TOKEN=t TMUX=x f=() { :; }" },
	{ ENV_CLEAR, "/w", "" },
};

static void
keeps_what_the_mode_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(modes); i++) {
		AUTO_ARENA arena = { 0 };
		struct plan_env env = { .mode = modes[i].mode };
		struct env_source source = { .base = ENV(callers),
					     .env = &env,
					     .cwd = modes[i].cwd };

		assert_string_equal(joined(&arena, env_build(&arena, &source)), modes[i].expected);
	}
}

static void
lets_the_last_entry_count_in_the_place_of_the_first(void **state)
{
	AUTO_ARENA arena = { 0 };
	const char *const base[] = { "A=1", "B=2", "A=3", NULL };
	const char *const overrides[] = { "C=4", "B=5", "C=6", NULL };
	struct plan_env env = { .mode = ENV_FILTER };
	struct env_source source = { .base = ENV(base), .overrides = ENV(overrides), .env = &env };

	(void)state;
	assert_string_equal(joined(&arena, env_build(&arena, &source)), "A=3 B=5 C=6");
}

static void
drops_malformed_entries(void **state)
{
	AUTO_ARENA arena = { 0 };
	const char *const base[] = { "NOEQUALS", "", "=", "=x", "=C:=y", "A=", "B==", NULL };
	struct plan_env env = { .mode = ENV_KEEP };
	struct env_source source = { .base = ENV(base), .env = &env };

	(void)state;
	assert_string_equal(joined(&arena, env_build(&arena, &source)), "A= B==");
}

/* A filtered name comes back neither through an override nor through a second entry. */
static void
filters_the_overrides_of_the_caller_too(void **state)
{
	AUTO_ARENA arena = { 0 };
	const char *const base[] = { "A=1", NULL };
	const char *const overrides[] = { "LD_PRELOAD=x.so", "BASH_ENV=x", "A=() { :; }", NULL };
	struct plan_env env = { .mode = ENV_FILTER };
	struct env_source source = { .base = ENV(base), .overrides = ENV(overrides), .env = &env };

	(void)state;
	assert_string_equal(joined(&arena, env_build(&arena, &source)), "");
}

static void
sets_what_the_user_names_after_the_filter(void **state)
{
	AUTO_ARENA arena = { 0 };
	const struct env_change changes[] = {
		{ "GH_TOKEN", "mine" }, { "PATH", NULL },	 { "NEVER_SET", NULL },
		{ "TMPDIR", "/t" },	{ "BAD=NAME", "x" },	 { "", "x" },
		{ NULL, "x" },		{ "PWD", "/elsewhere" }, { "TMPDIR", "/u" },
	};
	struct plan_env env = { .mode = ENV_FILTER, WITH_SET(changes) };
	struct env_source source = { .base = ENV(callers), .env = &env, .cwd = "/w" };

	(void)state;
	assert_string_equal(joined(&arena, env_build(&arena, &source)),
			    "EDITOR=vi CC=gcc PWD=/elsewhere GH_TOKEN=mine TMPDIR=/u");
	env.mode = ENV_CLEAR;
	assert_string_equal(joined(&arena, env_build(&arena, &source)),
			    "GH_TOKEN=mine TMPDIR=/u PWD=/elsewhere");
}

static void
builds_an_empty_environment_from_nothing(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct plan_env env = { .mode = ENV_FILTER };
	struct env_source source = { .env = &env };
	char **built = env_build(&arena, &source);

	(void)state;
	assert_non_null(built);
	assert_null(built[0]);
}

static const char *const roots[] = { "/w", "/with:colon", "/x y" };

static const struct {
	struct bailey_sandbox_marks marks;
	const char *expected;
} marks[] = {
	{ { .type = BAILEY_SANDBOX_LINUX_LANDLOCK,
	    .network_disabled = true,
	    .writable_roots = roots,
	    .writable_root_count = 3 },
	  "BAILEY_SANDBOX_ACTIVE=1 BAILEY_SANDBOX_TYPE=linux_landlock "
	  "BAILEY_SANDBOX_WRITABLE_ROOTS=/w:/x y BAILEY_SANDBOX_NETWORK_DISABLED=1" },
	{ { .type = BAILEY_SANDBOX_MACOS_SEATBELT },
	  "BAILEY_SANDBOX_ACTIVE=1 BAILEY_SANDBOX_TYPE=macos_seatbelt" },
	{ { .type = BAILEY_SANDBOX_LINUX_LANDLOCK, .network_disabled = true, .vtcode_names = true },
	  "BAILEY_SANDBOX_ACTIVE=1 BAILEY_SANDBOX_TYPE=linux_landlock "
	  "BAILEY_SANDBOX_NETWORK_DISABLED=1 VTCODE_SANDBOX_ACTIVE=1 "
	  "VTCODE_SANDBOX_TYPE=linux_landlock VTCODE_SANDBOX_NETWORK_DISABLED=1" },
};

static void
marks_a_sandboxed_environment(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		AUTO_ARENA arena = { 0 };
		struct plan_env env = { .mode = ENV_CLEAR };
		struct env_source source = { .env = &env, .marks = &marks[i].marks };

		assert_string_equal(joined(&arena, env_build(&arena, &source)), marks[i].expected);
	}
}

/* Neither the caller nor --env can say that there is no sandbox, or that its network is open. */
static void
overwrites_marks_that_were_there(void **state)
{
	AUTO_ARENA arena = { 0 };
	const char *const base[] = { "BAILEY_SANDBOX_ACTIVE=0",
				     "BAILEY_SANDBOX_WRITABLE_ROOTS=/old",
				     "BAILEY_SANDBOX_NETWORK_DISABLED=1", NULL };
	const struct env_change changes[] = { { "BAILEY_SANDBOX_TYPE", "none" } };
	struct plan_env env = { .mode = ENV_FILTER, WITH_SET(changes) };
	struct bailey_sandbox_marks m = { .type = BAILEY_SANDBOX_LINUX_LANDLOCK };
	struct env_source source = { .base = ENV(base), .env = &env, .marks = &m };

	(void)state;
	assert_string_equal(joined(&arena, env_build(&arena, &source)),
			    "BAILEY_SANDBOX_ACTIVE=1 BAILEY_SANDBOX_NETWORK_DISABLED=1 "
			    "BAILEY_SANDBOX_TYPE=linux_landlock");
}

static void
stays_linear_in_a_large_environment(void **state)
{
	AUTO_ARENA arena = { 0 };
	const size_t many = 100000;
	char **base = arena_array(&arena, 2 * many + 1, sizeof(*base));
	struct plan_env env = { .mode = ENV_FILTER };
	struct env_source source = { .env = &env };
	char **built;

	(void)state;
	for (size_t i = 0; i < 2 * many; i++) {
		base[i] = arena_printf(&arena, "V%zu=%zu", i % many, i);
	}
	source.base = ENV(base);
	built = env_build(&arena, &source);
	assert_string_equal(built[0], "V0=100000");
	assert_string_equal(built[many - 1], "V99999=199999");
	assert_null(built[many]);
}

static void
fails_when_memory_is_out(void **state)
{
	char *big = test_malloc(1 << 20);
	const char *base[] = { "A=1", big, NULL };
	struct plan_env env = { .mode = ENV_SANITIZE };
	struct bailey_sandbox_marks m = { .type = BAILEY_SANDBOX_LINUX_LANDLOCK };
	struct env_source source = { .base = ENV(base), .env = &env, .marks = &m };
	bool finished = false;

	(void)state;
	memset(big, 'x', 1 << 20);
	memcpy(big, "TMP=", 4);
	big[(1 << 20) - 1] = '\0';
	for (unsigned int n = 1; n < 100 && !finished; n++) {
		AUTO_ARENA arena = { 0 };

		arena_fail_nth = n;
		finished = env_build(&arena, &source) != NULL;
		assert_true(finished || arena.failed);
		if (n == 1) {
			assert_false(finished);
		}
	}
	arena_fail_nth = 0;
	assert_true(finished);
	test_free(big);
}

/* ---- the public side --------------------------------------------------------------------- */

static void
gives_the_caller_one_block(void **state)
{
	AUTO_ARENA arena = { 0 };
	AUTO_FREE char **env = NULL;
	AUTO_FREE char **plain = NULL;
	AUTO_FREE char **few = NULL;
	struct bailey_sandbox_marks m = { .type = BAILEY_SANDBOX_LINUX_LANDLOCK };

	(void)state;
	assert_int_equal(bailey_build_sanitized_env(ENV(callers), false, "/w", &m, &env, NULL), 0);
	assert_string_equal(joined(&arena, env),
			    "PATH=/bin EDITOR=vi CC=gcc PWD=/w BAILEY_SANDBOX_ACTIVE=1 "
			    "BAILEY_SANDBOX_TYPE=linux_landlock");
	assert_int_equal(bailey_build_sanitized_env(ENV(callers), true, NULL, NULL, &few, NULL), 0);
	assert_string_equal(joined(&arena, few), "PATH=/bin EDITOR=vi");
	assert_int_equal(bailey_filter_sensitive_env(NULL, &plain, NULL), 0);
	assert_null(plain[0]);
}

static void
reports_that_memory_is_out(void **state)
{
	struct bailey_error err = { 0 };
	char **env = NULL;

	(void)state;
	arena_fail_nth = 1;
	assert_int_equal(bailey_filter_sensitive_env(ENV(callers), &env, &err), BAILEY_E_NOMEM);
	arena_fail_nth = 0;
	assert_null(env);
	assert_string_equal(err.message, "no memory for the environment");
}

static void
names_every_sandbox_type(void **state)
{
	(void)state;
	assert_string_equal(bailey_sandbox_type_name(BAILEY_SANDBOX_NONE), "none");
	assert_string_equal(bailey_sandbox_type_name(BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN),
			    "windows_restricted_token");
	assert_string_equal(bailey_sandbox_type_name((enum bailey_sandbox_type)99), "unknown");
}

/* ---- the parent's death ------------------------------------------------------------------ */

static void
asks_for_a_signal_when_the_parent_dies(void **state)
{
	pid_t parent = getpid();
	pid_t child = fork();
	int status = 0;

	(void)state;
	if (child == 0) {
		int sig = 0;
		int failed = bailey_setup_parent_death_signal(parent, NULL);

		(void)prctl(PR_GET_PDEATHSIG, &sig);
		_exit(failed == BAILEY_OK && sig == SIGTERM ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void
notices_a_parent_that_is_gone(void **state)
{
	pid_t child = fork();
	int status = 0;

	(void)state;
	if (child == 0) {
		struct bailey_error err = { 0 };

		_exit(bailey_setup_parent_death_signal(getpid(), &err) == BAILEY_E_NOT_FOUND ? 0
											     : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_every_name_of_the_seed),
		cmocka_unit_test(drops_credentials_code_and_ways_out),
		cmocka_unit_test(keeps_what_programs_need),
		cmocka_unit_test(writes_every_rule_in_upper_case_with_a_reason_and_once),
		cmocka_unit_test(preserves_the_names_of_the_seed_and_filters_none_of_them),
		cmocka_unit_test(keeps_what_the_mode_says),
		cmocka_unit_test(lets_the_last_entry_count_in_the_place_of_the_first),
		cmocka_unit_test(drops_malformed_entries),
		cmocka_unit_test(filters_the_overrides_of_the_caller_too),
		cmocka_unit_test(sets_what_the_user_names_after_the_filter),
		cmocka_unit_test(builds_an_empty_environment_from_nothing),
		cmocka_unit_test(marks_a_sandboxed_environment),
		cmocka_unit_test(overwrites_marks_that_were_there),
		cmocka_unit_test(stays_linear_in_a_large_environment),
		cmocka_unit_test(fails_when_memory_is_out),
		cmocka_unit_test(gives_the_caller_one_block),
		cmocka_unit_test(reports_that_memory_is_out),
		cmocka_unit_test(names_every_sandbox_type),
		cmocka_unit_test(asks_for_a_signal_when_the_parent_dies),
		cmocka_unit_test(notices_a_parent_that_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
