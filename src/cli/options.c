/* SPDX-License-Identifier: MIT */

/* Every option that chooses or changes a policy or a run, as a table; nothing is decided here. */

#include "cli/cli.h"

#include "base/attr.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* ---- which policy ------------------------------------------------------------------------- */

static int
use_policy(struct cli *cli, int rc, struct bailey_policy *policy, struct bailey_error *err)
{
	if (rc != BAILEY_OK) {
		cli->no_policy = true;
		return rc;
	}
	if (cli->policy != NULL) {
		bailey_policy_free(policy);
		return bailey_fail(
			err, BAILEY_E_INVALID,
			"--read-only, --policy, --profile and --full-access exclude each "
			"other; give one of them once");
	}
	cli->policy = policy;
	return BAILEY_OK;
}

static int
take_read_only(struct cli *cli, const char *arg, struct bailey_error *err)
{
	struct bailey_policy *policy = NULL;
	int rc = bailey_policy_new(BAILEY_POLICY_READ_ONLY, &policy, err);

	(void)arg;
	return use_policy(cli, rc, policy, err);
}

static int
take_full_access(struct cli *cli, const char *arg, struct bailey_error *err)
{
	struct bailey_policy *policy = NULL;
	int rc = bailey_policy_new(BAILEY_POLICY_DANGER_FULL_ACCESS, &policy, err);

	(void)arg;
	return use_policy(cli, rc, policy, err);
}

static int
take_policy(struct cli *cli, const char *arg, struct bailey_error *err)
{
	struct bailey_policy *policy = NULL;
	int rc = arg[0] == '{' ? bailey_policy_from_json("--policy", arg, strlen(arg), &policy, err)
			       : bailey_policy_load(arg, cli->profiles, &policy, err);

	return use_policy(cli, rc, policy, err);
}

static int
take_profile(struct cli *cli, const char *arg, struct bailey_error *err)
{
	struct bailey_policy *policy = NULL;
	int rc = bailey_policy_profile(arg, cli->profiles, &policy, err);

	return use_policy(cli, rc, policy, err);
}

/* ---- changing the policy ------------------------------------------------------------------ */

#define TAKE_TEXT(function, setter)                                                                \
	static int function(struct cli *cli, const char *arg, struct bailey_error *err)            \
	{                                                                                          \
		return setter(cli->policy, arg, err);                                              \
	}

TAKE_TEXT(take_read, bailey_policy_add_read_root)
TAKE_TEXT(take_exec, bailey_policy_add_exec_root)
TAKE_TEXT(take_deny, bailey_policy_add_deny)
TAKE_TEXT(take_protect, bailey_policy_add_protected)
TAKE_TEXT(take_protect_git, bailey_policy_set_protect_git)
TAKE_TEXT(take_allow_net, bailey_policy_allow_net)
TAKE_TEXT(take_device, bailey_policy_add_device)
TAKE_TEXT(take_caches, bailey_policy_set_caches)
TAKE_TEXT(take_proc, bailey_policy_set_proc)
TAKE_TEXT(take_loopback, bailey_policy_set_loopback)
TAKE_TEXT(take_seccomp, bailey_policy_set_seccomp)
TAKE_TEXT(take_block, bailey_policy_block_syscall)
TAKE_TEXT(take_limits, bailey_policy_set_limits_preset)

#undef TAKE_TEXT

#define TAKE_FLAG(function, call)                                                                  \
	static int function(struct cli *cli, const char *arg, struct bailey_error *err)            \
	{                                                                                          \
		(void)arg;                                                                         \
		return call;                                                                       \
	}

TAKE_FLAG(take_no_protect, bailey_policy_set_protect(cli->policy, false, err))
TAKE_FLAG(take_net, bailey_policy_set_network_access(cli->policy, true, err))
TAKE_FLAG(take_tmp, bailey_policy_set_tmp(cli->policy, "private", err))
TAKE_FLAG(take_no_tmp, bailey_policy_set_tmp(cli->policy, "none", err))
TAKE_FLAG(take_real_tmp, bailey_policy_set_real_tmp(cli->policy, true, true, err))
TAKE_FLAG(take_hide_names, bailey_policy_set_hide_names(cli->policy, true, err))
TAKE_FLAG(take_ipc, bailey_policy_set_ipc(cli->policy, true, err))

#undef TAKE_FLAG

static int
take_limit(struct cli *cli, const char *option, const char *name, const char *arg,
	   struct bailey_error *err)
{
	unsigned long long value = 0;
	int rc = cli_number(option, arg, INT32_MAX, &value, err);

	return rc == BAILEY_OK ? bailey_policy_set_limit(cli->policy, name, value, err) : rc;
}

static int
take_timeout(struct cli *cli, const char *arg, struct bailey_error *err)
{
	cli->timeout_set = true;
	return take_limit(cli, "--timeout", "timeout_secs", arg, err);
}

static int
take_memory(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return take_limit(cli, "--memory", "max_memory_mb", arg, err);
}

static int
take_pids(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return take_limit(cli, "--pids", "max_pids", arg, err);
}

static int
take_disk(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return take_limit(cli, "--disk", "max_disk_mb", arg, err);
}

static int
take_cpu(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return take_limit(cli, "--cpu", "cpu_time_secs", arg, err);
}

static int
take_files(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return take_limit(cli, "--files", "max_open_files", arg, err);
}

/* On a command line a relative path is one below the current directory. */
static int
add_path(struct cli *cli, const char *arg,
	 int (*add)(struct bailey_policy *policy, const char *path, struct bailey_error *err),
	 struct bailey_error *err)
{
	AUTO_FREE char *whole = NULL;

	if (arg[0] == '/' || arg[0] == '~' || arg[0] == '\0' || cli->cwd == NULL) {
		return add(cli->policy, arg, err);
	}
	if (asprintf(&whole, "%s/%s", strcmp(cli->cwd, "/") == 0 ? "" : cli->cwd, arg) < 0) {
		whole = NULL;
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the path '%s'", arg);
	}
	return add(cli->policy, whole, err);
}

static int
take_write(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return add_path(cli, arg, bailey_policy_add_writable_root, err);
}

static int
take_allow_unix(struct cli *cli, const char *arg, struct bailey_error *err)
{
	if (arg == NULL || strcmp(arg, "*") == 0) {
		return bailey_policy_add_unix_socket(cli->policy, "*", err);
	}
	return add_path(cli, arg, bailey_policy_add_unix_socket, err);
}

/* ---- the run ------------------------------------------------------------------------------ */

static int
take_env(struct cli *cli, const char *arg, struct bailey_error *err)
{
	char **bigger;
	const char *equals = strchr(arg, '=');

	if (equals == NULL || equals == arg) {
		return bailey_fail(err, BAILEY_E_INVALID, "--env expects NAME=VALUE, not '%s'",
				   arg);
	}
	bigger = realloc(cli->env_set, (cli->env_set_count + 2) * sizeof(*bigger));
	if (bigger == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for --env");
	}
	cli->env_set = bigger;
	cli->env_set[cli->env_set_count++] = strdup(arg);
	cli->env_set[cli->env_set_count] = NULL;
	return BAILEY_OK;
}

static int
set_env_mode(struct cli *cli, enum bailey_env_mode mode, struct bailey_error *err)
{
	if (cli->run.env_mode != BAILEY_ENV_FILTER && cli->run.env_mode != mode) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "--keep-env, --clear-env and --sanitize-env exclude each other");
	}
	cli->run.env_mode = mode;
	return BAILEY_OK;
}

static int
take_keep_env(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	return set_env_mode(cli, BAILEY_ENV_KEEP, err);
}

static int
take_clear_env(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	return set_env_mode(cli, BAILEY_ENV_CLEAR, err);
}

static int
take_sanitize_env(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	return set_env_mode(cli, BAILEY_ENV_SANITIZE, err);
}

static int
take_keep_fd(struct cli *cli, const char *arg, struct bailey_error *err)
{
	unsigned long long fd = 0;
	int *bigger;
	int rc = cli_number("--keep-fd", arg, INT_MAX, &fd, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	if (fcntl((int)fd, F_GETFD) < 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "--keep-fd %s: no such descriptor is open", arg);
	}
	bigger = realloc(cli->keep_fds, (cli->run.keep_fd_count + 1) * sizeof(*bigger));
	if (bigger == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for --keep-fd");
	}
	cli->keep_fds = bigger;
	cli->keep_fds[cli->run.keep_fd_count++] = (int)fd;
	return BAILEY_OK;
}

static int
take_status_fd(struct cli *cli, const char *arg, struct bailey_error *err)
{
	unsigned long long fd = 0;
	int rc = cli_number("--json-status-fd", arg, INT_MAX, &fd, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	if (fd <= STDERR_FILENO) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "--json-status-fd expects a descriptor above 2: the command has "
				   "0, 1 and 2");
	}
	if (cli->run.event != NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "--json-status-fd is given twice");
	}
	cli->run.event = cli_status_event;
	cli->run.event_data = &cli->status;
	return cli_status_open(&cli->status, (int)fd, err);
}

int
cli_set_cwd(struct cli *cli, const char *option, const char *arg, struct bailey_error *err)
{
	char *path = realpath(arg, NULL);

	if (path == NULL) {
		return bailey_fail_sys(err, errno, "%s '%s'", option, arg);
	}
	free(cli->cwd);
	cli->cwd = path;
	return BAILEY_OK;
}

static int
take_cwd(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return cli_set_cwd(cli, "--cwd", arg, err);
}

static int
take_grace(struct cli *cli, const char *arg, struct bailey_error *err)
{
	unsigned long long secs = 0;
	int rc = cli_number("--grace", arg, 3600, &secs, err);

	cli->run.grace_ms = secs > 0 ? (unsigned int)secs * 1000 : 1;
	return rc;
}

static int
take_compat(struct cli *cli, const char *arg, struct bailey_error *err)
{
	if (strcmp(arg, "vtcode") != 0) {
		return bailey_fail(err, BAILEY_E_INVALID, "--compat knows 'vtcode', not '%s'", arg);
	}
	cli->run.vtcode_markers = true;
	return BAILEY_OK;
}

static int
take_pretend_abi(struct cli *cli, const char *arg, struct bailey_error *err)
{
	unsigned long long abi = 0;
	int rc = cli_number("--pretend-abi", arg, 99, &abi, err);

	cli->run.pretend_abi = abi > 0 ? (int)abi : -1;
	return rc;
}

static int
take_explain(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)cli;
	(void)arg;
	return bailey_fail(
		err, BAILEY_E_UNSUPPORTED,
		"--explain is not in this version of Bailey; `bailey policy explain` shows the "
		"plan, "
		"`bailey why PATH` answers for one path, and --json-status-fd tells what was "
		"refused");
}

static int
take_no_broker(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	(void)err;
	cli->run.no_broker = true;
	return BAILEY_OK;
}

#define TAKE_BOOL(function, field)                                                                 \
	int function(struct cli *cli, const char *arg, struct bailey_error *err)                   \
	{                                                                                          \
		(void)arg;                                                                         \
		(void)err;                                                                         \
		(field) = true;                                                                    \
		return BAILEY_OK;                                                                  \
	}

TAKE_BOOL(cli_take_best_effort, cli->run.best_effort)
static TAKE_BOOL(take_exact_pids, cli->run.exact_pids) static TAKE_BOOL(take_in_place, cli->run.in_place) static TAKE_BOOL(
	take_keep_background,
	cli->run.keep_background) static TAKE_BOOL(take_outlive,
						   cli->run.outlive_parent) static TAKE_BOOL(take_quiet,
											     cli->quiet) static TAKE_BOOL(take_json,
															  cli->json)
	TAKE_BOOL(cli_take_help, cli->help)

#undef TAKE_BOOL

#define POLICY_OPTIONS                                                                                  \
	{ "read-only", NULL, "no writes at all (limits: conservative)", take_read_only, 0, true },      \
		{ "policy",    "FILE|JSON", "a policy file (.json, .toml), or the JSON itself",         \
		  take_policy, 0,	    true },                                                     \
		{ "profile",	"NAME", "a named policy: a file of yours or a built-in one",            \
		  take_profile, 0,	true },                                                         \
		{ "full-access",    NULL, "no sandbox at all (danger_full_access)",                     \
		  take_full_access, 0,	  true },                                                       \
		{ "write", "DIR", "let it write there too", take_write, 'w', false },                   \
		{ "read", "PATH", "read only there and in system directories", take_read, 'r', false }, \
		{ "exec", "PATH", "run programs from there only", take_exec, 0, false },                \
		{ "deny", "PATH", "neither read nor write there", take_deny, 0, false },                \
		{ "no-protect",	   NULL, "let it write .git and the other protected names",             \
		  take_no_protect, 0,	 false },                                                       \
		{ "protect", "NAME", "one more protected name", take_protect, 0, false },               \
		{ "protect-git",    "HOW", "all (default), hooks (commits work) or none",               \
		  take_protect_git, 0,	   false },                                                     \
		{ "net", NULL, "open the whole network", take_net, 0, false },                          \
		{ "allow-net",                                                                          \
		  "HOST[:PORT]",                                                                        \
		  "open one destination (not in this version)",                                         \
		  take_allow_net,                                                                       \
		  0,                                                                                    \
		  false },                                                                              \
		{ "allow-unix",	   "[PATH]", "open the unix socket at PATH, or all of them",            \
		  take_allow_unix, 0,	     false },                                                   \
		{ "loopback",	 "HOW", "IP among its own processes: own (default) or none",            \
		  take_loopback, 0,	false },                                                        \
		{ "tmp",    NULL, "a private temp directory (default unless --read-only)",              \
		  take_tmp, 0,	  false },                                                              \
		{ "no-tmp", NULL, "no private temp directory", take_no_tmp, 0, false },                 \
		{ "real-tmp",	 NULL, "let it write the real /tmp and $TMPDIR too",                    \
		  take_real_tmp, 0,    false },                                                         \
		{ "caches",    "HOW", "tool caches: private (default), shared or none",                 \
		  take_caches, 0,     false },                                                          \
		{ "device", "GROUP", "open devices: gpu, kvm, fuse or pty", take_device, 0, false },    \
		{ "proc", "HOW", "/proc: read (default) or none", take_proc, 0, false },                \
		{ "hide-names",	   NULL, "hide the names beside what is kept out",                      \
		  take_hide_names, 0,	 false },                                                       \
		{ "ipc", NULL, "allow System V IPC and POSIX message queues", take_ipc, 0, false },     \
		{ "seccomp",	"PROFILE", "strict (default), permissive or logging",                   \
		  take_seccomp, 0,	   false },                                                     \
		{ "block-syscall", "NAME", "refuse one more system call", take_block, 0, false },       \
		{ "limits",    "PRESET", "conservative, moderate, generous or unlimited",               \
		  take_limits, 0,	 false },                                                       \
		{ "timeout", "SECONDS", "wall clock; 0 is unlimited", take_timeout, 0, false },         \
		{ "memory", "MIB", "memory of the whole tree; 0 is unlimited", take_memory, 0, false }, \
		{ "pids", "N", "processes and threads of the whole tree", take_pids, 0, false },        \
		{ "disk", "MIB", "bytes written by the whole tree", take_disk, 0, false },              \
		{ "cpu", "SECONDS", "cpu time of the whole tree", take_cpu, 0, false },                 \
		{ "files", "N", "open descriptors of each process", take_files, 0, false },             \
		{ "no-broker",	  NULL, "only what the kernel holds: no process performs anything",     \
		  take_no_broker, 0,	false },                                                        \
		{ "best-effort",	NULL, "run although this kernel cannot hold a part",            \
		  cli_take_best_effort, 0,    false },                                                  \
		{ "cwd", "DIR", "start there (and let it write there)", take_cwd, 0, false },           \
		{ "pretend-abi", "N", NULL, take_pretend_abi, 0, false },                               \
	{                                                                                               \
		"help", NULL, "this text", cli_take_help, 'h', false                                    \
	}

		const
	struct cli_option cli_run_options[] = {
		POLICY_OPTIONS,
		{ "env", "NAME=VALUE", "set a variable, whatever the filter says", take_env, 0,
		  false },
		{ "keep-env", NULL, "pass the whole environment on", take_keep_env, 0, false },
		{ "clear-env", NULL, "pass nothing of it on", take_clear_env, 0, false },
		{ "sanitize-env", NULL, "pass on only names known to be harmless",
		  take_sanitize_env, 0, false },
		{ "keep-fd", "N", "let descriptor N through", take_keep_fd, 0, false },
		{ "grace", "SECONDS", "from TERM to KILL (default 2)", take_grace, 0, false },
		{ "exact-pids", NULL, "with --pids: one process too many fails, and ends nothing",
		  take_exact_pids, 0, false },
		{ "in-place", NULL, "become the command: no launcher stays behind it",
		  take_in_place, 0, false },
		{ "keep-background", NULL, "what the command leaves running lives on after it",
		  take_keep_background, 0, false },
		{ "outlive-parent", NULL, "go on when the calling process ends", take_outlive, 0,
		  false },
		{ "compat", "vtcode", "also set the VTCODE_SANDBOX_* variables", take_compat, 0,
		  false },
		{ "quiet", NULL, "no notes on stderr, only errors", take_quiet, 'q', false },
		{ "json-status-fd", "N", "tell events to descriptor N, as lines of JSON",
		  take_status_fd, 0, false },
		{ "explain", NULL, NULL, take_explain, 0, true },
		{ NULL, NULL, NULL, NULL, 0, false },
	};

static int
take_stdin(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	(void)err;
	cli->stdin_separator = CLI_STDIN_LINES;
	return BAILEY_OK;
}

static int
take_stdin0(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	(void)err;
	cli->stdin_separator = CLI_STDIN_NUL;
	return BAILEY_OK;
}

static int
take_check_explain(struct cli *cli, const char *arg, struct bailey_error *err)
{
	(void)arg;
	(void)err;
	cli->explain = true;
	return BAILEY_OK;
}

const struct cli_option cli_check_options[] = {
	{ "policy", "FILE|JSON", "a policy file (.json, .toml), or the JSON itself", take_policy, 0,
	  true },
	{ "profile", "NAME", "a named policy: a file of yours or a built-in one", take_profile, 0,
	  true },
	{ "write", "DIR", "a directory that belongs to the work too", take_write, 'w', false },
	{ "cwd", "DIR", "judge as if it ran there", take_cwd, 0, false },
	{ "stdin", NULL, "commands from the standard input, one a line", take_stdin, 0, false },
	{ "stdin0", NULL, "commands from the standard input, each ended by a NUL", take_stdin0, 0,
	  false },
	{ "explain", NULL, "show every simple command and what it does", take_check_explain, 0,
	  false },
	{ "json", NULL, "answer as JSON, one object a line", take_json, 0, false },
	{ "quiet", NULL, "no output, only the exit status", take_quiet, 'q', false },
	{ "help", NULL, "this text", cli_take_help, 'h', false },
	{ NULL, NULL, NULL, NULL, 0, false },
};

const struct cli_option cli_ask_options[] = {
	POLICY_OPTIONS,
	{ "json", NULL, "answer as JSON", take_json, 0, false },
	{ NULL, NULL, NULL, NULL, 0, false },
};
