/* SPDX-License-Identifier: MIT */
#ifndef CLI_CLI_H
#define CLI_CLI_H

/*
 * The program: command lines, terminals and exit statuses. Everything else comes from the library
 * through its public headers.
 */

#include <bailey/bailey.h>

#include <stdbool.h>
#include <stddef.h>

/* ---- options ----------------------------------------------------------------------------- */

struct cli;

/* One option of a command. Tables of these make getopt_long(3)'s arrays and the help text. */
struct cli_option {
	const char *name; /* long, without dashes; NULL ends a table */
	const char *arg;  /* name of the argument in the help text, "[NAME]" when it may be left out
			   * (then take() gets NULL); NULL: takes none */
	const char *help;
	/* Takes one occurrence. Order is that of the command line. */
	int (*take)(struct cli *cli, const char *arg, struct bailey_error *err);
	char letter; /* short form, or 0 */
	/* The policy itself is chosen first, wherever the option stands; the others change it. */
	bool first;
};

/* Where events go (--json-status-fd); status.c. Zero is none. */
struct cli_status {
	int fd;
	bool socket;
	bool may_wait; /* writing to it could, so it is asked first */
	bool broken;   /* the reader is gone */
	size_t left_len;
	char left[16384]; /* of a line that was begun */
};

/* What a command line says. */
struct cli {
	const char *command; /* "run" */
	const struct cli_option *options;
	char **operands; /* what follows the options; NULL-terminated */
	int operand_count;

	struct bailey_policy *policy;
	struct bailey_run run;
	char **env_set;
	size_t env_set_count;
	int *keep_fds;
	char *cwd;
	char *home;
	char *user_home; /* where HOME says something else */
	char *cache;
	char *profiles; /* directory of the user's profiles */
	/* The pieces that sandbox-exec is given; put together once all are there. */
	const char *policy_json;
	const char *seccomp_json;
	const char *limits_json;

	/* Where `check` finds commands. */
	enum { CLI_STDIN_NONE, CLI_STDIN_LINES, CLI_STDIN_NUL } stdin_separator;

	struct cli_status status;

	bool json;
	bool quiet;
	bool explain;
	bool no_policy; /* the policy that was named cannot be had: not a mistake of usage */
	bool timeout_set;
	bool help;
};

/*
 * Parses argv (argv[0] is the command's name) up to the first operand or "--". Fails with
 * BAILEY_E_INVALID: the caller exits with BAILEY_EXIT_USAGE.
 */
int cli_parse(struct cli *cli, int argc, char **argv, struct bailey_error *err);

/* Releases what parsing allocated. */
void cli_finish(struct cli *cli);

/* Fills cli->run from the settings and the surroundings (cwd, HOME, TMPDIR, environment). */
int cli_prepare_run(struct cli *cli, struct bailey_error *err);

/* Number argument: decimal, at most `max`. */
int cli_number(const char *option, const char *text, unsigned long long max,
	       unsigned long long *out, struct bailey_error *err);

/* The options that choose and change a policy, and those that say how to run. */
extern const struct cli_option cli_run_options[];
extern const struct cli_option cli_ask_options[];
extern const struct cli_option cli_check_options[];

/* Takers that more than one table has. cli_set_cwd() names the option in its error. */
int cli_set_cwd(struct cli *cli, const char *option, const char *arg, struct bailey_error *err);
int cli_take_best_effort(struct cli *cli, const char *arg, struct bailey_error *err);
int cli_take_help(struct cli *cli, const char *arg, struct bailey_error *err);

/* ---- output ------------------------------------------------------------------------------ */

/* "bailey: MESSAGE" on stderr. Returns `status`, for `return cli_error(...)`. */
int cli_error(const struct bailey_error *err, int status);

/* A line of the library's for a person: bailey_run.tell. */
void cli_tell(void *data, const char *line);

/* A usage error with a hint at the command's help. Returns BAILEY_EXIT_USAGE. */
int cli_usage_error(const struct cli *cli, const struct bailey_error *err);

/* The help text of a command: synopsis, summary, options from the table, a closing text. */
void cli_help(const char *synopsis, const char *summary, const struct cli_option *options,
	      const char *closing);

/* Takes the descriptor, for as long as the program runs. */
int cli_status_open(struct cli_status *status, int fd, struct bailey_error *err);

/* bailey_run.event, with a struct cli_status. */
bool cli_status_event(void *data, enum bailey_event kind, const char *json);

/* ---- commands ---------------------------------------------------------------------------- */

int cmd_check(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_sandbox_exec(int argc, char **argv);
int cmd_policy(int argc, char **argv);
int cmd_why(int argc, char **argv);
int cmd_debug(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_version(int argc, char **argv);

#endif /* CLI_CLI_H */
