/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/attr.h"

#include <fcntl.h>
#include <string.h>

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

static const struct command commands[] = {
	{ "check", cmd_check, "judge a command: what would it do, and may it run?" },
	{ "run", cmd_run, "run a command under a policy" },
	{ "policy", cmd_policy, "show, explain or validate a policy" },
	{ "why", cmd_why, "say whether a path or a host may be reached, and why" },
	{ "debug", cmd_debug, "what this machine can hold, and a self-test" },
	{ "sandbox-exec", cmd_sandbox_exec, "run a command as a sandbox manager asks for it" },
	{ "help", cmd_help, "this text, or the help of a command" },
	{ "version", cmd_version, "the version" },
};

int
cmd_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	(void)printf("bailey %s\n", bailey_version());
	return 0;
}

static const struct command *
find(const char *name)
{
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
		name = "help";
	} else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		name = "version";
	}
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		if (strcmp(commands[i].name, name) == 0) {
			return &commands[i];
		}
	}
	return NULL;
}

int
cmd_help(int argc, char **argv)
{
	const struct command *command = argc > 1 ? find(argv[1]) : NULL;
	char help[] = "--help";
	char *asked[] = { argc > 1 ? argv[1] : NULL, help, NULL };

	if (command != NULL && command->run != cmd_help) {
		return command->run(2, asked);
	}
	(void)printf("Usage: bailey COMMAND [OPTIONS] ...\n\n"
		     "Runs commands that somebody else wrote, and holds them to a policy.\n\n"
		     "Commands:\n");
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		(void)printf("  %-14s%s\n", commands[i].name, commands[i].summary);
	}
	(void)printf("\n`bailey COMMAND --help` lists the options of a command.\n"
		     "Try: bailey run -- sh -c 'echo hello > here; cat ~/.ssh/id_ed25519'\n");
	return 0;
}

/*
 * With 0, 1 or 2 closed, the next file to be opened would become a standard stream, and messages
 * would go into it.
 */
static bool
standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0) {
		return false;
	}
	(void)close(fd);
	return true;
}

static int
no_command(const char *name)
{
	struct bailey_error err = { 0 };

	if (name == NULL) {
		(void)bailey_fail(&err, BAILEY_E_INVALID,
				  "a command is missing; `bailey help` lists them");
	} else {
		(void)bailey_fail(
			&err, BAILEY_E_INVALID,
			"unknown command '%s'; `bailey help` lists them, `bailey run -- %s` "
			"runs a program of that name",
			name, name);
	}
	return cli_error(&err, BAILEY_EXIT_USAGE);
}

/* A manager with a helper program of its own calls it without the word "sandbox-exec". */
static bool
is_launcher_option(const char *arg)
{
	static const char *const options[] = { "--sandbox-policy", "--seccomp-profile",
					       "--resource-limits" };

	for (size_t i = 0; i < COUNT_OF(options); i++) {
		if (strncmp(arg, options[i], strlen(options[i])) == 0) {
			return true;
		}
	}
	return false;
}

static int
run(int argc, char **argv)
{
	const struct command *command = argc > 1 ? find(argv[1]) : NULL;

	if (argc > 1 && is_launcher_option(argv[1])) {
		return cmd_sandbox_exec(argc, argv);
	}
	if (command == NULL) {
		return no_command(argc > 1 ? argv[1] : NULL);
	}
	return command->run(argc - 1, argv + 1);
}

int
main(int argc, char **argv)
{
	int status;

	if (!standard_streams()) {
		return BAILEY_EXIT_FAILED;
	}
	status = run(argc, argv);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == 0) {
		(void)fprintf(stderr, "bailey: cannot write the output\n");
		status = BAILEY_EXIT_FAILED;
	}
	return status;
}
