/* SPDX-License-Identifier: MIT */

/* bailey check: what would this command do, and may it run? Nothing is run. */

#include "cli/check.h"
#include "cli/cli.h"

#include "base/attr.h"

#include <string.h>

static const char synopsis[] = "bailey check [OPTIONS] TEXT\n"
			       "       bailey check [OPTIONS] -- PROGRAM [ARGUMENT]...\n"
			       "       bailey check [OPTIONS] --stdin|--stdin0 < COMMANDS";

static const char summary[] =
	"Judges a command without running it: a shell's text in one argument, or a program and "
	"its\n"
	"arguments. Says allow (it only reads), prompt (somebody should look at it) or forbidden,\n"
	"with the reasons and where they stand. Relative paths are those of the working "
	"directory,\n"
	"which counts as a workspace, like every directory that the policy lets it write.";

static const char closing[] =
	"Exit status: 0 allow, 3 prompt, 4 forbidden (of several commands, the worst), 2 wrong\n"
	"usage, 125 the command could not be judged.";

/* By enum bailey_decision. */
static const int statuses[] = { 0, CHECK_EXIT_PROMPT, CHECK_EXIT_FORBIDDEN };

static void
verdict_freep(struct bailey_verdict **verdict)
{
	bailey_verdict_free(*verdict);
}

/* ---- the scene ------------------------------------------------------------------------------ */

struct places {
	struct bailey_scene scene;
	const char **roots;
	const char **sensitive;
};

static void
places_finish(struct places *places)
{
	free(places->roots);
	free(places->sensitive);
}

static int
add_root(struct places *places, const char *dir)
{
	size_t count = places->scene.root_count;
	const char **roots = reallocarray(places->roots, count + 1, sizeof(*roots));

	if (roots == NULL) {
		return BAILEY_E_NOMEM;
	}
	roots[count] = dir;
	places->roots = roots;
	places->scene.roots = roots;
	places->scene.root_count = count + 1;
	return BAILEY_OK;
}

static int
add_sensitive(struct places *places, const char *path)
{
	size_t count = places->scene.sensitive_count;
	const char **paths = reallocarray(places->sensitive, count + 1, sizeof(*paths));

	if (paths == NULL) {
		return BAILEY_E_NOMEM;
	}
	paths[count] = path;
	places->sensitive = paths;
	places->scene.sensitive = paths;
	places->scene.sensitive_count = count + 1;
	return BAILEY_OK;
}

/* The judge knows the usual places of secrets, and tells those that may hold some from those that
 * do; only what a policy names beyond them has to be said. */
static bool
is_default(const char *path)
{
	size_t count = 0;
	const char *const *paths = bailey_default_sensitive_paths(&count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(paths[i], path) == 0) {
			return true;
		}
	}
	return false;
}

/* What the policy opens for writing are roots; what it keeps from being read is sensitive. */
static int
set_scene(struct cli *cli, struct places *places, struct bailey_error *err)
{
	struct bailey_sensitive entry;
	const char *root;
	int rc = BAILEY_OK;

	places->scene = (struct bailey_scene){
		.cwd = cli->cwd, .home = cli->home, .tmpdir = getenv("TMPDIR"), .lexical = true
	};
	if (cli->cwd == NULL) {
		return bailey_fail(err, BAILEY_E_NOT_FOUND,
				   "the current directory does not exist any more; change to "
				   "another or use --cwd");
	}
	for (size_t i = 0;
	     rc == BAILEY_OK && (root = bailey_policy_writable_root(cli->policy, i)) != NULL; i++) {
		rc = root[0] == '/' ? add_root(places, root) : BAILEY_OK;
	}
	for (size_t i = 0; rc == BAILEY_OK && bailey_policy_sensitive(cli->policy, i, &entry);
	     i++) {
		bool placed = entry.path[0] == '/' || strncmp(entry.path, "~/", 2) == 0;

		if (entry.block_read && placed && !is_default(entry.path)) {
			rc = add_sensitive(places, entry.path);
		}
	}
	return rc == BAILEY_OK ? rc : bailey_fail(err, BAILEY_E_NOMEM, "no memory for the scene");
}

/* ---- one command, or many ------------------------------------------------------------------- */

static void
show(const struct cli *cli, const struct bailey_verdict *verdict, bool bulk)
{
	if (cli->quiet) {
		return;
	}
	if (cli->json) {
		check_print_json(verdict);
		return;
	}
	if (bulk) {
		check_print_line(verdict);
	} else {
		check_print(verdict);
	}
	if (cli->explain) {
		check_explain(verdict);
	}
}

static bool
is_argv(const struct cli *cli)
{
	return cli->operand_count > 1 || strcmp(cli->operands[-1], "--") == 0;
}

static int
check_operands(const struct cli *cli, const struct bailey_scene *scene, int *status,
	       struct bailey_error *err)
{
	__attribute__((cleanup(verdict_freep))) struct bailey_verdict *verdict = NULL;
	const char *const *operands = (const char *const *)cli->operands;
	int rc = is_argv(cli) ? bailey_judge_argv(operands, (size_t)cli->operand_count, scene,
						  &verdict, err)
			      : bailey_judge_shell(operands[0], strlen(operands[0]), scene,
						   &verdict, err);

	if (rc == BAILEY_OK) {
		show(cli, verdict, false);
		*status = statuses[verdict->decision];
	}
	return rc;
}

static int
check_one_of_many(const struct cli *cli, const char *text, size_t len,
		  const struct bailey_scene *scene, int *status, struct bailey_error *err)
{
	__attribute__((cleanup(verdict_freep))) struct bailey_verdict *verdict = NULL;
	int rc = bailey_judge_shell(text, len, scene, &verdict, err);

	if (rc == BAILEY_OK) {
		show(cli, verdict, true);
		if (statuses[verdict->decision] > *status) {
			*status = statuses[verdict->decision];
		}
	}
	return rc;
}

static int
check_input(const struct cli *cli, const struct bailey_scene *scene, int *status,
	    struct bailey_error *err)
{
	AUTO_FREE char *line = NULL;
	size_t room = 0;
	int separator = cli->stdin_separator == CLI_STDIN_LINES ? '\n' : '\0';
	ssize_t len;
	int rc = BAILEY_OK;

	while (rc == BAILEY_OK && (len = getdelim(&line, &room, separator, stdin)) >= 0) {
		size_t n = (size_t)len;

		if (n > 0 && line[n - 1] == separator) {
			n--;
		}
		rc = check_one_of_many(cli, line, n, scene, status, err);
	}
	if (rc == BAILEY_OK && ferror(stdin)) {
		rc = bailey_fail(err, BAILEY_E_SYSTEM, "cannot read the standard input");
	}
	return rc;
}

static int
check(struct cli *cli, struct bailey_error *err)
{
	__attribute__((cleanup(places_finish))) struct places places = { 0 };
	int status = 0;
	int rc = set_scene(cli, &places, err);

	if (rc == BAILEY_OK) {
		rc = cli->stdin_separator != CLI_STDIN_NONE
			     ? check_input(cli, &places.scene, &status, err)
			     : check_operands(cli, &places.scene, &status, err);
	}
	return rc == BAILEY_OK ? status : cli_error(err, BAILEY_EXIT_FAILED);
}

static int
check_usage(const struct cli *cli, struct bailey_error *err)
{
	if (cli->stdin_separator != CLI_STDIN_NONE && cli->operand_count > 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "commands come from the standard input or as arguments, not "
				   "both");
	}
	if (cli->stdin_separator == CLI_STDIN_NONE && cli->operand_count == 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "a command is missing: TEXT in one argument, or -- PROGRAM "
				   "ARGUMENTS");
	}
	return BAILEY_OK;
}

int
cmd_check(int argc, char **argv)
{
	struct cli cli = { .command = "check", .options = cli_check_options };
	struct bailey_error err = { 0 };
	int status;

	if (cli_parse(&cli, argc, argv, &err) != BAILEY_OK) {
		/* A policy that cannot be had is no mistake of usage. */
		status = err.status == BAILEY_E_INVALID && !cli.no_policy
				 ? cli_usage_error(&cli, &err)
				 : cli_error(&err, BAILEY_EXIT_FAILED);
	} else if (cli.help) {
		cli_help(synopsis, summary, cli_check_options, closing);
		status = 0;
	} else if (check_usage(&cli, &err) != BAILEY_OK) {
		status = cli_usage_error(&cli, &err);
	} else {
		status = check(&cli, &err);
	}
	cli_finish(&cli);
	return status;
}
