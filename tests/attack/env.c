/* SPDX-License-Identifier: MIT */

/* Secrets, and programs that others would run, in the environment. run.py sets each variable. */

#include "attack.h"

#include "base/attr.h"

static enum outcome
show_variable(const struct scene *s)
{
	const char *value = getenv(s->row->subject);

	errno = ENOENT;
	return value != NULL ? succeeded("data: %s", value) : blocked("%s", s->row->subject);
}

const struct attack env_attacks[] = {
	{ "openai", PROOF_SECRET, "reads an API key", show_variable, "OPENAI_API_KEY" },
	{ "aws", PROOF_SECRET, "reads a cloud key", show_variable, "AWS_SECRET_ACCESS_KEY" },
	{ "token", PROOF_SECRET, "reads a token with an own name", show_variable, "ACME_TOKEN" },
	{ "lower_case", PROOF_SECRET, "reads a token in lower case", show_variable,
	  "my_custom_token" },
	{ "mixed_case", PROOF_SECRET, "reads a password in mixed case", show_variable,
	  "Db_Password" },
	{ "ssh_agent", PROOF_SECRET, "finds the ssh agent", show_variable, "SSH_AUTH_SOCK" },
	{ "ld_preload", PROOF_SECRET, "has a library loaded into all programs", show_variable,
	  "LD_PRELOAD" },
	{ "ld_library_path", PROOF_SECRET, "has libraries of its own choice", show_variable,
	  "LD_LIBRARY_PATH" },
	{ "bash_env", PROOF_SECRET, "has a script run by bash", show_variable, "BASH_ENV" },
	{ "env", PROOF_SECRET, "has a script run by sh", show_variable, "ENV" },
	{ "ps4", PROOF_SECRET, "has a command run by traces", show_variable, "PS4" },
	{ "git_ssh", PROOF_SECRET, "has a program run by git", show_variable, "GIT_SSH_COMMAND" },
	{ "git_askpass", PROOF_SECRET, "has another run by git", show_variable, "GIT_ASKPASS" },
	{ "node_options", PROOF_SECRET, "has code run by node", show_variable, "NODE_OPTIONS" },
	{ "python_startup", PROOF_SECRET, "has code run by python", show_variable,
	  "PYTHONSTARTUP" },
	{ "perl5opt", PROOF_SECRET, "has code run by perl", show_variable, "PERL5OPT" },
	{ 0 },
};
