/* SPDX-License-Identifier: MIT */

/* bailey why: may this path or this host be reached, and what decides it? */

#include "cli/cli.h"

#include "base/attr.h"
#include "base/strbuf.h"

#include <jansson.h>
#include <string.h>

static const char synopsis[] = "bailey why [OPTIONS] PATH|HOST:PORT...";

static const char summary[] =
	"Says for each path whether a command could read and write it, and for each HOST:PORT\n"
	"whether it could be reached, under the policy that the options make; and why. Nothing is\n"
	"run. A path has a \"/\" in it or exists here; anything else is taken for a host.";

static const char closing[] =
	"Exit status: 0 when everything asked about may be read or reached, 1 when not, 2 wrong\n"
	"usage, 125 an answer could not be had.";

struct verdict {
	const char *subject;
	const char *verb;
	bool allowed;
	const char *rule;
	const char *text;
};

/* A path may hold any bytes; JSON only UTF-8. What is not is shown as in messages. */
static void
print_verdict(const struct cli *cli, const struct verdict *v)
{
	AUTO_STRBUF shown = STRBUF_INIT;
	AUTO_FREE char *line = NULL;
	json_t *subject = cli->json ? json_string(v->subject) : NULL;
	json_t *object;

	strbuf_shown(&shown, v->subject);
	if (!cli->json) {
		(void)printf("%-7s %s %s: %s [%s]\n", v->allowed ? "yes" : "no", v->verb,
			     shown.text, v->text, v->rule);
		return;
	}
	subject = subject != NULL ? subject : json_string(shown.text);
	object = json_pack("{s:o, s:s, s:b, s:s, s:s}", "subject", subject, "action", v->verb,
			   "allowed", v->allowed, "rule", v->rule, "text", v->text);
	line = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
	(void)printf("%s\n", line != NULL ? line : "{\"error\":\"no memory\"}");
	json_decref(object);
}

/* The policy's answer, unless the floor's is another: no verdict is reported that is not held. */
static bool
print_answer(const struct cli *cli, const char *path, const char *verb,
	     const struct bailey_answer *answer, bool reached)
{
	struct verdict verdict = { path, verb, reached, answer->rule, answer->text };

	if (answer->allowed && !reached) {
		verdict.rule = "floor.new-entries";
		verdict.text =
			"the policy allows it, but the directory holds protected names or "
			"paths that are kept out, and without the broker no entry can be made "
			"beside them (--no-protect lifts the first)";
	} else if (!answer->allowed && reached) {
		verdict.rule = "floor.not-held";
		verdict.text =
			"the policy refuses it, and nothing holds that here: without the broker, a "
			"protected name that does not exist yet or lies too deep to be found; a "
			"link that leads out of what is kept out; the repository of a worktree in "
			"which commits are let through";
	}
	print_verdict(cli, &verdict);
	return verdict.allowed;
}

static int
why_path(struct cli *cli, const char *path, bool *good, struct bailey_error *err)
{
	struct bailey_scene scene = { .cwd = cli->cwd,
				      .home = cli->home,
				      .tmpdir = cli->run.tmpdir };
	struct bailey_answer answer;
	struct bailey_reach reach;
	int rc = bailey_policy_can_read(cli->policy, &scene, path, &answer, err);

	if (rc == BAILEY_OK) {
		rc = bailey_reach_path(&cli->run, path, &reach, err);
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	/* There is nothing to be read, whatever is granted, of what does not exist. */
	*good = print_answer(cli, path, "read", &answer,
			     reach.exists ? reach.read : answer.allowed) &&
		*good;
	rc = bailey_policy_can_write(cli->policy, &scene, path, &answer, err);
	if (rc == BAILEY_OK) {
		(void)print_answer(cli, path, "write", &answer, reach.write);
	}
	return rc;
}

/* Splits "HOST:PORT", "[v6]:PORT" or "HOST" (443) in place. */
static int
split_host(char *text, const char **host, unsigned long long *port, struct bailey_error *err)
{
	char *colon = strrchr(text, ':');
	char *bracket = text[0] == '[' ? strchr(text, ']') : NULL;

	*host = text;
	*port = 443;
	if (bracket != NULL) {
		*bracket = '\0';
		*host = text + 1;
		colon = bracket[1] == ':' ? bracket + 1 : NULL;
	} else if (colon != NULL && strchr(text, ':') != colon) {
		colon = NULL; /* an IPv6 address without a port */
	}
	if (colon == NULL) {
		return BAILEY_OK;
	}
	*colon = '\0';
	return cli_number("the port", colon + 1, 65535, port, err);
}

static int
why_host(struct cli *cli, const char *subject, bool *good, struct bailey_error *err)
{
	AUTO_FREE char *text = strdup(subject);
	struct bailey_answer answer;
	const char *host = NULL;
	unsigned long long port = 0;
	int rc = text != NULL ? split_host(text, &host, &port, err) : BAILEY_E_NOMEM;

	if (rc == BAILEY_OK) {
		rc = bailey_policy_can_connect(cli->policy, host, (uint16_t)port, false, &answer,
					       err);
	}
	if (rc == BAILEY_OK) {
		struct verdict verdict = { subject, "connect", answer.allowed, answer.rule,
					   answer.text };

		if (answer.allowed && !bailey_policy_has_full_network(cli->policy)) {
			verdict.allowed = false;
			verdict.rule = "floor.by-name";
			verdict.text = "the policy allows it by name, which this version cannot "
				       "hold: it refuses to run such a policy";
		}
		print_verdict(cli, &verdict);
		*good = verdict.allowed && *good;
	}
	return rc;
}

static int
answer_all(struct cli *cli, struct bailey_error *err)
{
	bool good = true;
	int rc = cli_prepare_run(cli, err);

	cli->run.argv = NULL;
	for (int i = 0; i < cli->operand_count && rc == BAILEY_OK; i++) {
		const char *subject = cli->operands[i];
		bool path = strchr(subject, '/') != NULL || subject[0] == '~' ||
			    access(subject, F_OK) == 0;

		rc = path ? why_path(cli, subject, &good, err) : why_host(cli, subject, &good, err);
	}
	if (rc != BAILEY_OK) {
		return cli_error(err, BAILEY_EXIT_FAILED);
	}
	return good ? 0 : 1;
}

int
cmd_why(int argc, char **argv)
{
	struct cli cli = { .command = "why", .options = cli_ask_options };
	struct bailey_error err = { 0 };
	int status;

	if (cli_parse(&cli, argc, argv, &err) != BAILEY_OK) {
		status = cli_usage_error(&cli, &err);
	} else if (cli.help) {
		cli_help(synopsis, summary, cli_ask_options, closing);
		status = 0;
	} else if (cli.operand_count == 0) {
		(void)bailey_fail(&err, BAILEY_E_INVALID, "a PATH or HOST:PORT is missing");
		status = cli_usage_error(&cli, &err);
	} else {
		status = answer_all(&cli, &err);
	}
	cli_finish(&cli);
	return status;
}
