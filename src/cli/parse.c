/* SPDX-License-Identifier: MIT */

/* From argv to a struct cli: getopt_long(3) driven by an option table, twice. The first pass makes
 * the policy, the second changes it, so the order of options on the command line does not matter.
 */

#include "cli/cli.h"

#include "base/attr.h"

#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>

#define OPTIONS_MAX 64
#define LONG_ONLY 256
#define OPEN_FILES_DEFAULT 2048

struct getopt_tables {
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 4];
};

/* "[NAME]" may be left out, and follows a "=" otherwise; only long options have such arguments. */
static int
argument_of(const struct cli_option *option)
{
	if (option->arg == NULL) {
		return no_argument;
	}
	return option->arg[0] == '[' ? optional_argument : required_argument;
}

static void
make_tables(const struct cli_option *options, struct getopt_tables *tables)
{
	char *letter = tables->shorts;
	size_t i;

	*letter++ = '+'; /* stop at the first operand: it begins the command */
	*letter++ = ':'; /* tell a missing argument apart */
	for (i = 0; i < OPTIONS_MAX && options[i].name != NULL; i++) {
		tables->longs[i] = (struct option){
			.name = options[i].name,
			.has_arg = argument_of(&options[i]),
			.val = LONG_ONLY + (int)i,
		};
		if (options[i].letter != 0) {
			*letter++ = options[i].letter;
			if (options[i].arg != NULL) {
				*letter++ = ':';
			}
		}
	}
	tables->longs[i] = (struct option){ 0 };
	*letter = '\0';
}

static const struct cli_option *
option_of(const struct cli_option *options, int c)
{
	if (c >= LONG_ONLY) {
		return &options[c - LONG_ONLY];
	}
	for (; options->name != NULL; options++) {
		if (options->letter == c) {
			return options;
		}
	}
	return NULL;
}

static int
unknown_option(char **argv, int c, struct bailey_error *err)
{
	const char *last = argv[optind - 1];

	if (c == ':') {
		return bailey_fail(err, BAILEY_E_INVALID, "option '%s' needs an argument", last);
	}
	if (optopt >= LONG_ONLY) {
		return bailey_fail(err, BAILEY_E_INVALID, "option '%s' takes no argument", last);
	}
	if (optopt != 0) {
		return bailey_fail(err, BAILEY_E_INVALID, "unknown option '-%c'", optopt);
	}
	return bailey_fail(err, BAILEY_E_INVALID, "unknown or ambiguous option '%s'", last);
}

static int
pass(struct cli *cli, int argc, char **argv, bool first, struct bailey_error *err)
{
	struct getopt_tables tables;
	int c;

	make_tables(cli->options, &tables);
	optind = 0; /* glibc: start over, also with a '+' */
	opterr = 0;
	while ((c = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
		const struct cli_option *option =
			c == '?' || c == ':' ? NULL : option_of(cli->options, c);
		int rc;

		if (option == NULL) {
			return unknown_option(argv, c, err);
		}
		rc = option->first == first ? option->take(cli, optarg, err) : BAILEY_OK;
		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	cli->operands = argv + optind;
	cli->operand_count = argc - optind;
	return BAILEY_OK;
}

/* Not getpwuid(3): a static program must not load the name service's modules. */
static char *
home_of_user(void)
{
	AUTO_FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry;

	while (file != NULL && (entry = fgetpwent(file)) != NULL) {
		if (entry->pw_uid == getuid() && entry->pw_dir[0] == '/') {
			return strdup(entry->pw_dir);
		}
	}
	return NULL;
}

/* REST below the directory that a variable names, or that is usual in HOME; if there is one which
 * this user may use in that `mode` (of access(2)). Symlinks above REST are the user's, such as a
 * /home that is one, and are followed here; later none is. */
static char *
below(const char *variable, int mode, const char *home, const char *fallback, const char *rest)
{
	const char *named = getenv(variable);
	AUTO_FREE char *dir = NULL;
	AUTO_FREE char *real = NULL;
	char *path = NULL;
	int n = -1;

	if (named != NULL && named[0] == '/') {
		dir = strdup(named);
	} else if (home != NULL && asprintf(&dir, "%s/%s", home, fallback) < 0) {
		dir = NULL;
	}
	if (dir != NULL && access(dir, mode) == 0) {
		real = realpath(dir, NULL);
	}
	if (real != NULL) {
		n = asprintf(&path, "%s/%s", real, rest);
	}
	return n >= 0 ? path : NULL;
}

static void
look_around(struct cli *cli)
{
	const char *home = getenv("HOME");

	cli->user_home = home_of_user();
	cli->home = home != NULL && home[0] == '/' ? strdup(home) : NULL;
	if (cli->home == NULL) {
		cli->home = take_ptr(cli->user_home);
	}
	cli->cache = below("XDG_CACHE_HOME", W_OK, cli->home, ".cache", "bailey");
	cli->profiles = below("XDG_CONFIG_HOME", R_OK, cli->home, ".config", "bailey/profiles");
	cli->cwd = getcwd(NULL, 0);
}

/* workspace_write, and a bound on descriptors that ordinary programs never meet. */
static int
default_policy(struct cli *cli, struct bailey_error *err)
{
	int rc = bailey_policy_new(BAILEY_POLICY_WORKSPACE_WRITE, &cli->policy, err);

	return rc == BAILEY_OK ? bailey_policy_set_limit(cli->policy, "max_open_files",
							 OPEN_FILES_DEFAULT, err)
			       : rc;
}

int
cli_parse(struct cli *cli, int argc, char **argv, struct bailey_error *err)
{
	int rc;

	cli->run.size = sizeof(cli->run);
	look_around(cli);
	rc = pass(cli, argc, argv, true, err);
	if (rc == BAILEY_OK && cli->policy == NULL) {
		rc = default_policy(cli, err);
	}
	return rc == BAILEY_OK ? pass(cli, argc, argv, false, err) : rc;
}

int
cli_prepare_run(struct cli *cli, struct bailey_error *err)
{
	if (cli->cwd == NULL) {
		return bailey_fail(
			err, BAILEY_E_NOT_FOUND,
			"the current directory does not exist any more; change to another "
			"or use --cwd");
	}
	cli->run.policy = cli->policy;
	cli->run.argv = cli->operands;
	cli->run.envp = environ;
	cli->run.env_set = cli->env_set;
	cli->run.cwd = cli->cwd;
	cli->run.home = cli->home;
	cli->run.user_home = cli->user_home;
	cli->run.tmpdir = getenv("TMPDIR");
	cli->run.cache = cli->cache;
	cli->run.keep_fds = cli->keep_fds;
	return BAILEY_OK;
}

void
cli_finish(struct cli *cli)
{
	for (size_t i = 0; i < cli->env_set_count; i++) {
		free(cli->env_set[i]);
	}
	free(cli->env_set);
	free(cli->keep_fds);
	free(cli->cwd);
	free(cli->home);
	free(cli->user_home);
	free(cli->cache);
	free(cli->profiles);
	bailey_policy_free(cli->policy);
	*cli = (struct cli){ 0 };
}

int
cli_number(const char *option, const char *text, unsigned long long max, unsigned long long *out,
	   struct bailey_error *err)
{
	char *end = NULL;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > max) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "%s expects a whole number from 0 to %llu, not '%s'", option,
				   max, text);
	}
	*out = value;
	return BAILEY_OK;
}
