/* SPDX-License-Identifier: MIT */
/*
 * Wrappers that run a command as another user: sudo, doas, su, runuser. What they run is never
 * harmless, and they themselves are at least a question.
 */
#include "command/models/wrappers_impl.h"

#include <string.h>

RULE(rule_acts, "privilege.acts-as-other", PROMPT, PRIVILEGE, "acts with another user's rights");
RULE(rule_shell, "privilege.shell", PROMPT, PRIVILEGE, "opens a shell as another user");

const struct option_row wrapper_sudo_options[] = {
	ROW_FLAG("ABbEHKkNnPSsilv",
		 "askpass bell background set-home remove-timestamp reset-timestamp no-update "
		 "non-interactive preserve-groups stdin shell login list validate"),
	ROW_MAYBE(NULL, "preserve-env"),
	ROW("e", "edit", ARG_NONE, USE_NOTHING),
	/* Alone, -h asks for help; with more behind it, it takes a machine. */
	ROW_TAKES("acCghpRrTtUu", "close-from group prompt chroot role command-timeout type "
				  "other-user user host"),
	ROW("D", "chdir", ARG_ONE, USE_DIR),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_doas_options[] = {
	ROW_FLAG("Lns", NULL),
	ROW_TAKES("uCa", NULL),
	OPTIONS_END,
};

const struct option_row wrapper_pkexec_options[] = {
	ROW_FLAG(NULL, "disable-internal-agent keep-cwd"),
	ROW_TAKES("u", "user"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_su_options[] = {
	ROW_FLAG("lmpfPT", "login preserve-environment fast pty no-pty"),
	ROW_TAKES("gGw", "group supp-group whitelist-environment"),
	ROW("c", "command session-command", ARG_ONE, USE_CODE),
	ROW_TAKES("s", "shell"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_runuser_options[] = {
	ROW_FLAG("lmpfPT", "login preserve-environment fast pty no-pty"),
	ROW_TAKES("gGwu", "group supp-group whitelist-environment user"),
	ROW("c", "command session-command", ARG_ONE, USE_CODE),
	ROW_TAKES("s", "shell"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
drop_inners(struct findings *found)
{
	found->inners = NULL;
	found->inners_end = &found->inners;
}

/* Without a command, the shell of the other user reads the standard input. */
static void
open_shell(struct findings *found, const char *via)
{
	find_rule(found, &rule_shell, NULL);
	find_stdin(found, LANG_BASH, INNER_PRIVILEGED, via);
}

void
wrapper_sudo(const struct match *match, struct findings *found)
{
	struct inner *inner = found->inners;
	bool shell = service_has(match, 's', "shell") || service_has(match, 'i', "login");

	if (inner != NULL) {
		wrapper_take_assignments(found, inner);
		inner->cwd = match->dir;
	}
	if (service_has(match, 'e', "edit")) {
		drop_inners(found);
		for (size_t i = 0; i < match->operand_count; i++) {
			find_deed(found, DEED_EDIT, &match->operands[i]);
		}
	} else if (service_has(match, 'l', "list")) {
		drop_inners(found);
	} else if (inner != NULL && inner->argc == 0) {
		drop_inners(found);
	}
	if (found->inners == NULL && shell) {
		open_shell(found, "sudo");
	}
	if (service_has(match, 'R', "chroot")) {
		find_unknown(found, "another root directory", &match->argv[0]);
	}
	find_rule(found, &rule_acts, NULL);
	wrapper_flag(found, INNER_PRIVILEGED);
}

void
wrapper_doas(const struct match *match, struct findings *found)
{
	if (found->inners == NULL && service_has(match, 's', NULL)) {
		open_shell(found, "doas");
	}
	find_rule(found, &rule_acts, NULL);
	wrapper_flag(found, INNER_PRIVILEGED);
}

/* su [-] [USER [ARG...]]: the arguments are those of the user's shell. */
void
wrapper_su(const struct match *match, struct findings *found)
{
	size_t skip = match->operand_count > 0 && field_is(&match->operands[0], "-") ? 2 : 1;
	const char *via = match->program->names;
	bool code = found->inners != NULL;

	if (skip < match->operand_count && !code) {
		wrapper_command(found, "bash", match->operands + skip, match->operand_count - skip,
				INNER_PROGRAM_ONLY, via);
	} else if (skip < match->operand_count) {
		found->inners->argv = match->operands + skip;
		found->inners->argc = match->operand_count - skip;
	} else if (!code) {
		open_shell(found, via);
	}
	if (service_has(match, 's', "shell")) {
		const struct matched_option *shell = match_option(match, 's', "shell");

		find_deed(found, DEED_EXECUTE, shell->arg);
	}
	find_rule(found, &rule_acts, NULL);
	wrapper_flag(found, INNER_PRIVILEGED);
}

/* With -u it runs a command; without, it is su. */
void
wrapper_runuser(const struct match *match, struct findings *found)
{
	if (!service_has(match, 'u', "user")) {
		wrapper_su(match, found);
		return;
	}
	if (match->operand_count > 0) {
		find_argv(found, match->argv + match->first_operand,
			  match->argc - match->first_operand, INNER_PROGRAM_ONLY, "runuser");
	}
	find_rule(found, &rule_acts, NULL);
	wrapper_flag(found, INNER_PRIVILEGED);
}
