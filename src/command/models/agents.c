/* SPDX-License-Identifier: MIT */

/*
 * Programs of agents, which run commands by themselves. To start one is prompt; to start one with
 * its questions and its sandbox switched off is forbidden.
 */

#include "command/models/models.h"
#include "command/models/services.h"

#include "base/path.h"

RULE(starts, "agent.run", PROMPT, EXECUTES, "starts an agent, which runs commands by itself");
RULE(unguarded, "agent.unguarded", FORBIDDEN, SYSTEM,
     "starts an agent with its questions or its sandbox switched off");
RULE(settings, "agent.settings", PROMPT, WRITES, "changes the settings or tools of an agent");

static const struct option_row agent_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hvV", "version"),
	ROW_RULE(NULL,
		 "dangerously-skip-permissions dangerously-bypass-approvals-and-sandbox yolo "
		 "allow-dangerously-skip-permissions dangerously-allow-all allow-all-tools "
		 "trust-all-tools yes-always auto-approve-all no-sandbox allow-all-paths "
		 "dangerously-disable-sandbox allow-all force-approve",
		 ARG_NONE, &unguarded),
	ROW_TAKES(NULL, "permission-mode approval-mode sandbox ask-for-approval approval-policy"),
	ROW_TAKES("msacCi", "model config cd add-dir output-format input-format resume "
			    "allowedTools disallowedTools system-prompt append-system-prompt"),
	ROW_PATH(NULL, "settings mcp-config", DEED_CONFIG),
	ROW_FLAG("p", "print continue"),
	OPTIONS_END,
};

static void
refine_agent(const struct match *match, struct findings *found)
{
	static const char off[] = "bypassPermissions yolo danger-full-access never dontAsk "
				  "full-access off auto_approve";

	for (size_t i = 1; i < match->argc; i++) {
		if (field_is(&match->argv[i], "-y") &&
		    service_word_in(path_base(match->argv[0].text), "gemini qwen")) {
			find_rule(found, &unguarded, &match->argv[i]);
		}
	}
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		bool mode = option->name != NULL &&
			    service_word_in(option->name, "permission-mode approval-mode sandbox "
							  "ask-for-approval approval-policy");

		mode |= option->letter == 'a' || option->letter == 's' || option->letter == 'c';
		if (mode && option->arg != NULL && service_word_in(option->arg->text, off)) {
			find_rule(found, &unguarded, option->word);
		}
		if (option->arg != NULL &&
		    (strstr(option->arg->text, "danger-full-access") != NULL ||
		     strstr(option->arg->text, "approval_policy=never") != NULL ||
		     strstr(option->arg->text, "approval_policy=\"never\"") != NULL)) {
			find_rule(found, &unguarded, option->word);
		}
	}
}

static const struct program agent_subs[] = {
	{ "version|help|doctor", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	{ "mcp|config|plugin|plugins|extensions|login|logout|auth|install|update|upgrade|setup-"
	  "token"
	  "|migrate-installer|hooks|settings|models|providers|trust",
	  NULL, NULL, NULL, PARSE_LOOSE, FIND_NETWORK, &settings, NULL },
	{ "|exec|e|run|resume|fork|cloud|apply|sandbox|debug|chat|tui|serve|web|acp|app-server|"
	  "review",
	  NULL, NULL, NULL, PARSE_LOOSE, FIND_NETWORK | FIND_OUT_NETWORK, &starts, NULL },
	PROGRAMS_END,
};

static void
refine_start(const struct match *match, struct findings *found)
{
	refine_agent(match, found);
	if (match->parent == NULL) {
		found->flags |= FIND_NETWORK | FIND_OUT_NETWORK;
		service_find(match, found, &starts);
	}
}

const struct program models_agents[] = {
	{ "claude codex gemini qwen opencode goose amp crush cursor-agent copilot aider cline "
	  "kiro-cli "
	  "droid auggie plandex openhands interpreter vibe kimi grok kilo roo forge",
	  ".*", agent_options, agent_subs, PARSE_LOOSE, 0, NULL, refine_start },
	PROGRAMS_END,
};
