/* SPDX-License-Identifier: MIT */

/* bailey policy: look at policies without running anything. */

#include "cli/cli.h"

#include "base/attr.h"

#include <string.h>

static const char summary[] =
	"  show      print the policy that the options make, in its wire form (JSON)\n"
	"  explain   print what the kernel would be told, and what would not be held\n"
	"  validate  check policy files; 0 when all are good, 1 when one is not\n"
	"  profiles  list the built-in profiles";

static int
show(struct cli *cli, struct bailey_error *err)
{
	AUTO_FREE char *text = NULL;
	int rc = bailey_policy_to_json(cli->policy, &text, err);

	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	(void)printf("%s\n", text);
	return 0;
}

static int
explain(struct cli *cli, struct bailey_error *err)
{
	AUTO_FREE char *text = NULL;
	int rc = cli_prepare_run(cli, err);

	if (rc == BAILEY_OK) {
		rc = bailey_explain(&cli->run, cli->json, &text, err);
	}
	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	(void)fputs(text, stdout);
	return 0;
}

/* A file is good when it can be read and a plan can be made of it, here and for this kernel. */
static bool
validate_one(struct cli *cli, const char *path)
{
	struct bailey_error err = { 0 };
	struct bailey_policy *policy = NULL;
	struct bailey_run run = cli->run;
	AUTO_FREE char *text = NULL;
	int rc = bailey_policy_load(path, cli->profiles, &policy, &err);

	if (rc == BAILEY_OK) {
		run.policy = policy;
		run.argv = NULL;
		rc = bailey_explain(&run, true, &text, &err);
		if (rc != BAILEY_OK) {
			bailey_error_wrap(&err, "%s", path);
		}
	}
	bailey_policy_free(policy);
	if (rc != BAILEY_OK) {
		(void)cli_error(&err, 1);
		return false;
	}
	(void)printf("%s: good\n", path);
	return true;
}

static int
validate(struct cli *cli, struct bailey_error *err)
{
	bool good = true;

	if (cli->operand_count == 0) {
		(void)bailey_fail(err, BAILEY_E_INVALID, "a file to validate is missing");
		return cli_usage_error(cli, err);
	}
	if (cli_prepare_run(cli, err) != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	for (int i = 0; i < cli->operand_count; i++) {
		good = validate_one(cli, cli->operands[i]) && good;
	}
	return good ? 0 : 1;
}

static int
profiles(struct cli *cli, struct bailey_error *err)
{
	size_t count = 0;
	const struct bailey_profile *list = bailey_builtin_profiles(&count);

	(void)cli;
	(void)err;
	for (size_t i = 0; i < count; i++) {
		(void)printf("%-18s%s\n", list[i].name, list[i].about);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct cli *cli, struct bailey_error *err);
	const char *synopsis;
} subcommands[] = {
	{ "show", show, "bailey policy show [OPTIONS]" },
	{ "explain", explain, "bailey policy explain [OPTIONS] [--] [COMMAND [ARGUMENT...]]" },
	{ "validate", validate, "bailey policy validate [OPTIONS] FILE..." },
	{ "profiles", profiles, "bailey policy profiles" },
};

int
cmd_policy(int argc, char **argv)
{
	struct cli cli = { .command = "policy", .options = cli_ask_options };
	struct bailey_error err = { 0 };
	int status = -1;

	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		cli_help("bailey policy show|explain|validate|profiles [OPTIONS] ...", summary,
			 cli_ask_options, NULL);
		return argc < 2 ? BAILEY_EXIT_USAGE : 0;
	}
	for (size_t i = 0; i < COUNT_OF(subcommands) && status < 0; i++) {
		if (strcmp(subcommands[i].name, argv[1]) != 0) {
			continue;
		}
		if (cli_parse(&cli, argc - 1, argv + 1, &err) != BAILEY_OK) {
			status = cli_usage_error(&cli, &err);
		} else if (cli.help) {
			cli_help(subcommands[i].synopsis, summary, cli_ask_options, NULL);
			status = 0;
		} else {
			status = subcommands[i].run(&cli, &err);
		}
	}
	if (status < 0) {
		(void)bailey_fail(&err, BAILEY_E_INVALID,
				  "unknown command 'policy %s'; there are show, explain, validate "
				  "and profiles",
				  argv[1]);
		status = cli_usage_error(&cli, &err);
	}
	cli_finish(&cli);
	return status;
}
