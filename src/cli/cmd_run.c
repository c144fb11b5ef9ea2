/* SPDX-License-Identifier: MIT */

/* bailey run: one command under a policy. */

#include "cli/cli.h"

#include "base/attr.h"

#include <string.h>

static const char synopsis[] = "bailey run [OPTIONS] [--] COMMAND [ARGUMENT...]";

static const char summary[] =
	"Runs a command that may read everything but credentials, write the current directory and\n"
	"a temp directory of its own, and reach no network. When it ends, everything that it\n"
	"started ends with it, unless --keep-background is given.";

static const char closing[] =
	"Exit status: the command's own; 2 wrong usage, 124 time is over, 125 the sandbox could "
	"not\n"
	"be set up (nothing was run), 126 the program cannot be executed, 127 it does not exist,\n"
	"128+n it was ended by signal n (137: also by a limit, with a line that says which).\n"
	"The default timeout is 300 s, 120 s with --read-only, none when stdin is a terminal.";

/* Nobody wants a shell to end under their fingers; a clock is for what runs unattended. */
static int
default_timeout(struct cli *cli, struct bailey_error *err)
{
	if (cli->timeout_set || !isatty(STDIN_FILENO) ||
	    bailey_policy_type(cli->policy) != BAILEY_POLICY_WORKSPACE_WRITE) {
		return BAILEY_OK;
	}
	return bailey_policy_set_limit(cli->policy, "timeout_secs", 0, err);
}

static int
run(struct cli *cli, struct bailey_error *err)
{
	int status = BAILEY_EXIT_FAILED;
	int rc = default_timeout(cli, err);

	if (rc == BAILEY_OK) {
		rc = cli_prepare_run(cli, err);
	}
	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	cli->run.tell = cli->quiet ? NULL : cli_tell;
	rc = bailey_run(&cli->run, &status, err);
	return rc == BAILEY_OK ? status : cli_error(err, status);
}

/* Is this a mistake on the command line, or a policy that cannot be had? */
static bool
is_usage(const struct cli *cli, const struct bailey_error *err)
{
	return err->status == BAILEY_E_INVALID && !cli->no_policy;
}

/* Whoever has the descriptor could write events of its own. */
static bool
gives_status_away(const struct cli *cli)
{
	for (size_t i = 0; i < cli->run.keep_fd_count; i++) {
		if (cli->run.event != NULL && cli->keep_fds[i] == cli->status.fd) {
			return true;
		}
	}
	return false;
}

/* What a command line asks for that cannot be; NULL: nothing. */
static const char *
contradiction(const struct cli *cli)
{
	if (cli->operand_count == 0) {
		return "a command is missing";
	}
	if (gives_status_away(cli)) {
		return "--keep-fd and --json-status-fd name the same descriptor";
	}
	if (cli->run.in_place && cli->run.keep_background) {
		return "--in-place and --keep-background exclude each other: in place no process "
		       "stays that could keep anything";
	}
	return NULL;
}

int
cmd_run(int argc, char **argv)
{
	struct cli cli = { .command = "run", .options = cli_run_options };
	struct bailey_error err = { 0 };
	int status;

	if (cli_parse(&cli, argc, argv, &err) != BAILEY_OK) {
		status = is_usage(&cli, &err) ? cli_usage_error(&cli, &err)
					      : cli_error(&err, BAILEY_EXIT_FAILED);
	} else if (cli.help) {
		cli_help(synopsis, summary, cli_run_options, closing);
		status = 0;
	} else if (contradiction(&cli) != NULL) {
		(void)bailey_fail(&err, BAILEY_E_INVALID, "%s", contradiction(&cli));
		status = cli_usage_error(&cli, &err);
	} else {
		status = run(&cli, &err);
	}
	cli_finish(&cli);
	return status;
}
