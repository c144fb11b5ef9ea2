/* SPDX-License-Identifier: MIT */

/* bailey debug: what this machine can hold, whether it does, and what a policy looks like for it.
 */

#include "cli/cli.h"

#include "base/attr.h"

#include <jansson.h>
#include <string.h>

#include <bailey/export.h>

static const char summary[] =
	"  capabilities  what this kernel offers, and what each part of a policy is held by\n"
	"  landlock      run COMMAND under the policy and report; without one, a self-test that\n"
	"                what is refused is really refused\n"
	"  seatbelt      print the policy as a macOS Seatbelt profile";

/* ---- capabilities ------------------------------------------------------------------------- */

struct part {
	const char *what;
	const char *by;
	int abi; /* of Landlock that it needs; 0: none */
};

static const struct part parts[] = {
	{ "reading and writing files", "Landlock", 1 },
	{ "truncating files", "Landlock", 3 },
	{ "TCP, beside the refusal of sockets", "Landlock", 4 },
	{ "device ioctls", "Landlock", 5 },
	{ "signals to other processes", "Landlock", 6 },
	{ "abstract unix sockets", "Landlock", 6 },
	{ "unix sockets by path", "seccomp (all or none)", 0 },
	{ "the network", "seccomp (all or none)", 0 },
	{ "file metadata", "seccomp (read_only); not held in workspace_write", 0 },
	{ "dangerous system calls", "seccomp", 0 },
	{ "time, tasks, memory, disk, cpu", "the launcher, and rlimits", 0 },
	{ "what outlives the command", "the launcher and its guard", 0 },
	{ "credentials in the environment", "the environment filter", 0 },
};

static void
print_rights(const struct bailey_capabilities *caps)
{
	const char *name;

	for (unsigned int bit = 0; (name = bailey_landlock_right_name(bit)) != NULL; bit++) {
		bool has = (caps->landlock_fs >> bit & 1) != 0;

		(void)printf("  %-14s %-4s (since ABI %d)\n", name, has ? "yes" : "no",
			     bailey_landlock_right_abi(bit));
	}
}

static void
print_yes(const char *what, bool yes, const char *otherwise)
{
	(void)printf("%-20s %s%s%s\n", what, yes ? "yes" : "no", yes ? "" : ": ",
		     yes ? "" : otherwise);
}

static void
print_capabilities(const struct bailey_capabilities *caps)
{
	(void)printf("%-20s %s\n", "kernel", caps->kernel);
	(void)printf("%-20s %s\n", "security modules",
		     caps->lsms[0] != '\0' ? caps->lsms : "unknown (securityfs is not mounted)");
	if (caps->landlock_abi > 0) {
		(void)printf("%-20s ABI %d\n", "Landlock", caps->landlock_abi);
		print_rights(caps);
	} else {
		(void)printf("%-20s no: %s\n", "Landlock", strerror(caps->landlock_errno));
	}
	print_yes("TCP rights", (caps->landlock_net & 3) == 3, "needs ABI 4");
	print_yes("signal scope", (caps->landlock_scope & 2) != 0, "needs ABI 6");
	print_yes("abstract scope", (caps->landlock_scope & 1) != 0, "needs ABI 6");
	print_yes("seccomp filters", caps->seccomp, "nothing can be run without");
	print_yes("seccomp listener", caps->user_notification,
		  "another supervisor may have one; only a broker needs it");
	print_yes("user namespaces", caps->user_namespaces, "not needed");
	print_yes("pidfd", caps->pidfd, "the parent cannot be watched");
	print_yes("/proc children", caps->proc_children,
		  "limits of a whole tree cannot be measured (CONFIG_PROC_CHILDREN)");
	(void)printf("\nheld by:\n");
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		bool held = parts[i].abi <= caps->landlock_abi;

		(void)printf("  %-36s %s%s\n", parts[i].what,
			     held ? "" : "NOT on this kernel; would be ", parts[i].by);
	}
}

static int
capabilities(struct cli *cli, struct bailey_error *err)
{
	struct bailey_capabilities caps;
	AUTO_FREE char *text = NULL;
	json_t *object;

	(void)err;
	bailey_probe(&caps);
	if (!cli->json) {
		print_capabilities(&caps);
		return 0;
	}
	object = json_pack(
		"{s:s, s:s, s:i, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:b}", "kernel", caps.kernel,
		"lsms", caps.lsms, "landlock_abi", caps.landlock_abi, "landlock_fs",
		(json_int_t)caps.landlock_fs, "landlock_net", (json_int_t)caps.landlock_net,
		"landlock_scope", (json_int_t)caps.landlock_scope, "seccomp", caps.seccomp,
		"user_notification", caps.user_notification, "user_namespaces",
		caps.user_namespaces, "pidfd", caps.pidfd, "proc_children", caps.proc_children);
	text = object != NULL ? json_dumps(object, JSON_INDENT(2)) : NULL;
	json_decref(object);
	(void)printf("%s\n", text != NULL ? text : "{}");
	return 0;
}

/* ---- self-test ---------------------------------------------------------------------------- */

static bool
report(const char *what, int rc, bool held, const struct bailey_error *err)
{
	char text[BAILEY_ERROR_MESSAGE_MAX + BAILEY_ERROR_SOURCE_MAX + 32];

	if (rc < 0) {
		(void)printf("error  %s: %s\n", what, bailey_error_format(err, text, sizeof(text)));
		return false;
	}
	(void)printf("%s %s\n", held ? "ok    " : "FAILED", what);
	return held;
}

static bool
test_home(struct cli *cli)
{
	struct bailey_error err = { 0 };
	int rc = cli->home != NULL ? bailey_test_path_writable(&cli->run, cli->home, &err) : 0;
	bool inside = cli->home != NULL && strcmp(cli->home, cli->cwd) == 0;

	return inside || report("a file cannot be made in the home directory", rc, rc == 0, &err);
}

static bool
test_cwd(struct cli *cli)
{
	struct bailey_error err = { 0 };
	bool wanted = bailey_policy_type(cli->policy) == BAILEY_POLICY_WORKSPACE_WRITE;
	int rc = bailey_test_path_writable(&cli->run, cli->cwd, &err);

	if (wanted && rc == 0) {
		(void)printf(
			"note   no file can be made in the working directory itself (protected "
			"names)\n");
		return true;
	}
	return report(wanted ? "a file can be made in the working directory"
			     : "a file cannot be made in the working directory",
		      rc, (rc == 1) == wanted, &err);
}

static bool
test_network(struct cli *cli)
{
	struct bailey_error err = { 0 };
	bool open = bailey_policy_has_full_network(cli->policy);
	int rc = bailey_test_network_blocked(&cli->run, &err);

	return report(open ? "a connection to 127.0.0.1 can be made"
			   : "a connection to 127.0.0.1 is refused",
		      rc, (rc == 0) == open, &err);
}

static int
self_test(struct cli *cli)
{
	bool good = test_home(cli);

	good = test_cwd(cli) && good;
	good = test_network(cli) && good;
	return good ? 0 : 1;
}

static int
landlock(struct cli *cli, struct bailey_error *err)
{
	struct bailey_debug_result result;
	int rc = cli_prepare_run(cli, err);

	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	if (cli->operand_count == 0) {
		return self_test(cli);
	}
	rc = bailey_debug_sandbox(&cli->run, &result, err);
	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	(void)printf("sandbox: %s\nexit status: %d\noutput (%zu bytes):\n",
		     result.active ? "linux_landlock" : "none", result.exit_code,
		     result.output_len);
	(void)fwrite(result.output, 1, result.output_len, stdout);
	free(result.output);
	return result.success ? 0 : 1;
}

static int
seatbelt(struct cli *cli, struct bailey_error *err)
{
	struct bailey_scene scene = { .cwd = cli->cwd, .home = cli->home };
	AUTO_FREE char *text = NULL;

	if (bailey_export_seatbelt(cli->policy, &scene, &text, err) != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	(void)fputs(text, stdout);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct cli *cli, struct bailey_error *err);
} subcommands[] = {
	{ "capabilities", capabilities },
	{ "landlock", landlock },
	{ "seatbelt", seatbelt },
};

static int
dispatch(struct cli *cli, const char *name, struct bailey_error *err)
{
	for (size_t i = 0; i < COUNT_OF(subcommands); i++) {
		if (strcmp(subcommands[i].name, name) == 0) {
			return subcommands[i].run(cli, err);
		}
	}
	(void)bailey_fail(
		err, BAILEY_E_INVALID,
		"unknown command 'debug %s'; there are capabilities, landlock and seatbelt", name);
	return cli_usage_error(cli, err);
}

int
cmd_debug(int argc, char **argv)
{
	struct cli cli = { .command = "debug", .options = cli_ask_options };
	struct bailey_error err = { 0 };
	const char *name = argc > 1 ? argv[1] : "--help";
	bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
	int status;

	if (!help && cli_parse(&cli, argc - 1, argv + 1, &err) != BAILEY_OK) {
		status = cli_usage_error(&cli, &err);
	} else if (help || cli.help) {
		cli_help("bailey debug capabilities|landlock|seatbelt [OPTIONS] [--] [COMMAND...]",
			 summary, cli_ask_options, NULL);
		status = argc > 1 ? 0 : BAILEY_EXIT_USAGE;
	} else {
		status = dispatch(&cli, name, &err);
	}
	cli_finish(&cli);
	return status;
}
