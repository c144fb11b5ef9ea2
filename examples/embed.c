/* SPDX-License-Identifier: MIT */

/*
 * embed - the library instead of the program: runs a command that may look and not touch
 *
 *     cc -D_GNU_SOURCE embed.c $(pkg-config --cflags --libs libbailey) -o embed && ./embed ls
 *
 * The library reads no environment and prints nothing, so both are said here. bailey_run() changes
 * the calling process for good, as far as its signals go; a program that does more than this one
 * calls it in a child.
 */

#include <bailey/bailey.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int
run_read_only(char **argv, const struct bailey_policy *policy, struct bailey_error *err)
{
	char cwd[4096];
	int status = BAILEY_EXIT_FAILED;
	int rc;
	struct bailey_run run = {
		.size = sizeof(run),
		.policy = policy,
		.argv = argv,
		.envp = environ,
		.cwd = getcwd(cwd, sizeof(cwd)),
		.home = getenv("HOME"),
	};

	/* On an error the status is 125, 126 or 127: what a program like this should exit with. */
	rc = bailey_run(&run, &status, err);
	return rc == BAILEY_OK || status != 0 ? status : BAILEY_EXIT_FAILED;
}

int
main(int argc, char **argv)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };
	char text[1024];
	int status = BAILEY_EXIT_FAILED;

	if (argc < 2) {
		fprintf(stderr, "usage: embed COMMAND [ARGUMENT]...\n");
		return BAILEY_EXIT_USAGE;
	}
	if (bailey_policy_new(BAILEY_POLICY_READ_ONLY, &policy, &err) == BAILEY_OK &&
	    bailey_policy_set_limit(policy, "timeout_secs", 30, &err) == BAILEY_OK) {
		status = run_read_only(argv + 1, policy, &err);
	}
	if (err.status != BAILEY_OK) {
		fprintf(stderr, "embed: %s\n", bailey_error_format(&err, text, sizeof(text)));
	}
	bailey_policy_free(policy);
	return status;
}
