/* SPDX-License-Identifier: MIT */

/*
 * bailey sandbox-exec: the launcher of a sandbox manager. It takes the arguments that
 * bailey_sandbox_transform() and the managers it is compatible with emit, so Bailey can serve as
 * their helper program.
 */

#include "cli/cli.h"

#include "base/attr.h"

#include <string.h>

static const char synopsis[] =
	"bailey sandbox-exec --sandbox-policy-cwd DIR --sandbox-policy JSON\n"
	"           [--seccomp-profile JSON] [--resource-limits JSON] [--] COMMAND [ARGUMENT...]";

static const char summary[] = "Runs a command under a policy given as JSON. The environment is "
			      "taken as it is: the manager\n"
			      "has filtered it. Exit status as with `bailey run`.";

static int
keep(const char **slot, const char *option, const char *arg, struct bailey_error *err)
{
	if (*slot != NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "%s is given twice", option);
	}
	*slot = arg;
	return BAILEY_OK;
}

static int
take_policy(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return keep(&cli->policy_json, "--sandbox-policy", arg, err);
}

static int
take_seccomp(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return keep(&cli->seccomp_json, "--seccomp-profile", arg, err);
}

static int
take_limits(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return keep(&cli->limits_json, "--resource-limits", arg, err);
}

static int
take_cwd(struct cli *cli, const char *arg, struct bailey_error *err)
{
	return cli_set_cwd(cli, "--sandbox-policy-cwd", arg, err);
}

static const struct cli_option options[] = {
	{ "sandbox-policy-cwd", "DIR", "the workspace; relative paths of the policy start there",
	  take_cwd, 0, true },
	{ "sandbox-policy", "JSON", "the policy in its wire form", take_policy, 0, true },
	{ "seccomp-profile", "JSON", "the seccomp profile", take_seccomp, 0, true },
	{ "resource-limits", "JSON", "the limits", take_limits, 0, true },
	{ "best-effort", NULL, "run although this kernel cannot hold a part", cli_take_best_effort,
	  0, true },
	{ "help", NULL, "this text", cli_take_help, 'h', true },
	{ NULL, NULL, NULL, NULL, 0, false },
};

/* The policy with the profile and the limits that came beside it. */
static int
make_policy(struct cli *cli, struct bailey_error *err)
{
	int rc;

	bailey_policy_free(cli->policy);
	cli->policy = NULL;
	rc = bailey_policy_from_json("--sandbox-policy", cli->policy_json, strlen(cli->policy_json),
				     &cli->policy, err);
	if (rc == BAILEY_OK && cli->seccomp_json != NULL) {
		rc = bailey_policy_use_seccomp_json(cli->policy, "--seccomp-profile",
						    cli->seccomp_json, err);
		cli->run.no_inet =
			rc == BAILEY_OK && !bailey_policy_has_network_sockets(cli->policy);
	}
	if (rc == BAILEY_OK && cli->limits_json != NULL) {
		rc = bailey_policy_use_limits_json(cli->policy, "--resource-limits",
						   cli->limits_json, err);
	}
	return rc;
}

/* The command starts where the manager started this program; the policy is about the workspace. */
static int
run(struct cli *cli, struct bailey_error *err)
{
	int status = BAILEY_EXIT_FAILED;
	int rc = make_policy(cli, err);

	if (rc == BAILEY_OK) {
		rc = cli_prepare_run(cli, err);
	}
	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	cli->run.env_mode = BAILEY_ENV_KEEP;
	cli->run.tell = cli_tell;
	rc = bailey_run(&cli->run, &status, err);
	return rc == BAILEY_OK ? status : cli_error(err, status);
}

static int
check(struct cli *cli, struct bailey_error *err)
{
	if (cli->policy_json == NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "--sandbox-policy is missing");
	}
	return cli->operand_count > 0 ? BAILEY_OK
				      : bailey_fail(err, BAILEY_E_INVALID, "a command is missing");
}

int
cmd_sandbox_exec(int argc, char **argv)
{
	struct cli cli = { .command = "sandbox-exec", .options = options };
	struct bailey_error err = { 0 };
	int status;

	if (cli_parse(&cli, argc, argv, &err) != BAILEY_OK) {
		status = cli_usage_error(&cli, &err);
	} else if (cli.help) {
		cli_help(synopsis, summary, options, NULL);
		status = 0;
	} else if (check(&cli, &err) != BAILEY_OK) {
		status = cli_usage_error(&cli, &err);
	} else {
		status = run(&cli, &err);
	}
	cli_finish(&cli);
	return status;
}
