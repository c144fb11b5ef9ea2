/* SPDX-License-Identifier: MIT */

/*
 * Forges (gh, glab, hub, tea) and version control other than git.
 *
 * Whatever a forge's program does goes over the network, so its subcommands are prompt at least and
 * need no list of harmless options: the tables hold what destroys, what shows secrets and what
 * options take an argument.
 */

#include "command/models/models.h"
#include "command/models/services.h"

#define FORGE_FINDS (FIND_NETWORK | FIND_OUT_NETWORK)

RULE(forge_asks, "forge.network", PROMPT, NETWORK, "talks to the forge");
RULE(forge_deletes, "forge.delete", PROMPT, DELETES, "deletes something on the forge");
RULE(forge_deletes_repo, "forge.repo-delete", FORBIDDEN, DELETES,
     "deletes a repository, its issues and its history on the forge");
RULE(forge_api_delete, "forge.api-delete", FORBIDDEN, DELETES,
     "deletes something through the interface of the forge");
RULE(forge_archives, "forge.repo-archive", PROMPT, SYSTEM, "closes or renames a repository");
RULE(forge_token, "forge.token", FORBIDDEN, DISCLOSURE, "prints the token for the forge");
RULE(forge_secret, "forge.secret", PROMPT, DISCLOSURE, "sends or changes a secret of the forge");
RULE(forge_login, "forge.login", PROMPT, DISCLOSURE, "changes who is logged in");
RULE(forge_runs, "forge.extension", PROMPT, EXECUTES, "installs or runs an extension");
RULE(forge_key, "forge.add-key", PROMPT, PRIVILEGE, "gives a key access to the forge");

/* ---- gh ---------------------------------------------------------------------------------- */

static const struct option_row forge_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("RLHSsbtBlmpaqTFX", "repo hostname limit search state body title base head label "
				      "milestone project assignee jq template json reviewer host "
				      "method branch owner"),
	ROW_FLAG("wyd", "web yes draft"),
	OPTIONS_END,
};

static const struct option_row gh_api_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_TAKES("XHqtpfF", "method header jq template preview hostname cache field raw-field"),
	ROW_PATH(NULL, "input", DEED_SEND),
	ROW_FLAG("i", "include paginate silent slurp verbose"),
	OPTIONS_END,
};

static const struct option_row gh_status_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_FLAG("a", "active"),
	ROW_TAKES("h", "hostname"),
	ROW_RULE("t", "show-token", ARG_NONE, &forge_token),
	OPTIONS_END,
};

static const struct option_row gh_secret_options[] = {
	ROW_HELP("h", "help"),
	ROW_TAKES("Rboearv", "repo body org env app repos visibility user"),
	ROW_PATH("f", "env-file", DEED_SEND),
	OPTIONS_END,
};

static const struct option_row gh_gist_options[] = {
	ROW_HELP("h", "help"),
	ROW_TAKES("df", "desc filename"),
	ROW_PATH("a", "add", DEED_SEND),
	ROW_FLAG("pw", "public web secret"),
	OPTIONS_END,
};

static const struct option_row gh_download_options[] = {
	ROW_HELP("h", "help"),
	ROW_TAKES("pRAn", "pattern repo archive name"),
	ROW_PATH("DO", "dir output", DEED_EXTRACT),
	ROW_FLAG(NULL, "clobber skip-existing"),
	OPTIONS_END,
};

/* -X DELETE, and what is written to a file's field: "-F body=@file". */
static void
refine_api(const struct match *match, struct findings *found)
{
	const struct matched_option *method = match_option(match, 'X', "method");

	if (method != NULL && method->arg != NULL &&
	    (service_starts(method->arg, "DELETE") || service_starts(method->arg, "delete") ||
	     service_starts(method->arg, "Delete"))) {
		find_rule(found, &forge_api_delete, method->arg);
	}
	for (size_t i = 0; i < match->option_count; i++) {
		const struct field *arg = match->options[i].arg;
		const char *at = arg != NULL ? strstr(arg->text, "=@") : NULL;

		if (at != NULL && match->options[i].letter == 'F') {
			struct field *path = arena_alloc(found->arena, sizeof(*path));

			if (path == NULL) {
				return;
			}
			*path = field_tail(found->arena, arg, (size_t)(at + 2 - arg->text));
			find_deed(found, DEED_SEND, path);
		}
	}
	/* GraphQL names what it deletes in the query. */
	for (size_t i = 0; i < match->option_count; i++) {
		const struct field *arg = match->options[i].arg;

		if (arg != NULL && (strstr(arg->text, "deleteRepository") != NULL ||
				    strstr(arg->text, "deleteRef(") != NULL)) {
			find_rule(found, &forge_api_delete, arg);
		}
	}
}

#define FORGE(names, operands, options, rule)                                                      \
	{                                                                                          \
		names, operands, options, NULL, PARSE_LOOSE, FORGE_FINDS, rule, NULL               \
	}

static const struct program gh_subs[] = {
	{ "version|help|completion", NULL, NULL, NULL, PARSE_GNU, 0, NULL, NULL },
	{ "api", NULL, gh_api_options, NULL, PARSE_LOOSE, FORGE_FINDS, &forge_asks, refine_api },
	FORGE("auth token", NULL, NULL, &forge_token),
	FORGE("auth status", NULL, gh_status_options, &forge_asks),
	FORGE("auth login|auth logout|auth refresh|auth setup-git|auth switch", NULL, NULL,
	      &forge_login),
	FORGE("repo delete", NULL, NULL, &forge_deletes_repo),
	FORGE("repo archive|repo unarchive|repo rename|repo edit|repo sync", NULL, NULL,
	      &forge_archives),
	FORGE("repo deploy-key add|ssh-key add|gpg-key add", "s .*", NULL, &forge_key),
	FORGE("repo clone", ". m?", NULL, &forge_asks),
	FORGE("secret set|variable set", NULL, gh_secret_options, &forge_secret),
	FORGE("secret delete|secret remove|variable delete", NULL, NULL, &forge_secret),
	FORGE("gist create|gist new", "s*", gh_gist_options, &forge_asks),
	FORGE("gist edit", ". s?", gh_gist_options, &forge_asks),
	FORGE("release create|release upload", ". s*", NULL, &forge_asks),
	FORGE("release download|run download", NULL, gh_download_options, &forge_asks),
	FORGE("release delete|release delete-asset|gist delete|issue delete|run delete|cache delete"
	      "|label delete|project delete|project item-delete|project field-delete"
	      "|codespace delete|ssh-key delete|gpg-key delete|repo deploy-key delete",
	      NULL, NULL, &forge_deletes),
	FORGE("extension install|extension exec|extension upgrade|extension create|ext install"
	      "|extensions install|copilot|codespace ssh|cs ssh|models run",
	      NULL, NULL, &forge_runs),
	{ "alias set|alias import", NULL, NULL, NULL, PARSE_LOOSE, 0, &forge_runs, NULL },
	FORGE("pr|issue|repo|run|release|gist|workflow|label|project|search|browse|status|org|"
	      "ruleset"
	      "|cache|codespace|cs|ssh-key|gpg-key|secret|variable|attestation|auth",
	      NULL, NULL, &forge_asks),
	{ "alias list|config list", NULL, NULL, NULL, PARSE_GNU, 0, NULL, NULL },
	{ "config get|config set|config clear-cache|alias delete", NULL, NULL, NULL, PARSE_LOOSE, 0,
	  &forge_login, NULL },
	PROGRAMS_END,
};

/* What no table row names is prompt, with its words. */
#define FORGE_REST(names, options, subs)                                                           \
	{                                                                                          \
		names, ".*", options, subs, PARSE_LOOSE, 0, NULL, refine_forge                     \
	}

static void
refine_forge(const struct match *match, struct findings *found)
{
	if (match->parent == NULL && match->operand_count > 0) {
		found->flags |= FORGE_FINDS;
		service_find(match, found, &forge_asks);
	}
}

static const struct program glab_subs[] = {
	{ "version|help|completion", NULL, NULL, NULL, PARSE_GNU, 0, NULL, NULL },
	{ "api", NULL, gh_api_options, NULL, PARSE_LOOSE, FORGE_FINDS, &forge_asks, refine_api },
	FORGE("repo delete|project delete|project rm|group delete", NULL, NULL,
	      &forge_deletes_repo),
	FORGE("auth status", NULL, gh_status_options, &forge_asks),
	FORGE("auth login|auth logout", NULL, NULL, &forge_login),
	FORGE("config get token|token create|token rotate", NULL, NULL, &forge_token),
	FORGE("variable set|variable update|variable export|variable get|variable delete", NULL,
	      NULL, &forge_secret),
	FORGE("ssh-key add|deploy-key add|repo deploy-key add", "s .*", NULL, &forge_key),
	FORGE("snippet create", "s*", NULL, &forge_asks),
	FORGE("release create|release upload", ". s*", NULL, &forge_asks),
	FORGE("release delete|mr delete|issue delete|label delete|schedule delete|ci delete"
	      "|ssh-key delete|token revoke",
	      NULL, NULL, &forge_deletes),
	FORGE("alias set", NULL, NULL, &forge_runs),
	PROGRAMS_END,
};

static const struct program hub_subs[] = {
	{ "version|help", NULL, NULL, NULL, PARSE_GNU, 0, NULL, NULL },
	{ "api", NULL, gh_api_options, NULL, PARSE_LOOSE, FORGE_FINDS, &forge_asks, refine_api },
	FORGE("delete", NULL, NULL, &forge_deletes_repo),
	PROGRAMS_END,
};

static const struct program tea_subs[] = {
	{ "version|help|completion|autocomplete", NULL, NULL, NULL, PARSE_GNU, 0, NULL, NULL },
	FORGE("repos delete|repo delete|repos rm|repo rm", NULL, NULL, &forge_deletes_repo),
	FORGE("login|logins|logout", NULL, NULL, &forge_login),
	FORGE("release delete|releases delete|branches delete|labels delete|milestones delete",
	      NULL, NULL, &forge_deletes),
	PROGRAMS_END,
};

/* ---- Subversion -------------------------------------------------------------------------- */

RULE(vcs_changes, "vcs.changes", PROMPT, WRITES, "changes the repository or its working tree");
RULE(vcs_reverts, "vcs.revert-all", FORBIDDEN, DELETES,
     "throws away every change that is not committed");
RULE(vcs_purges, "vcs.purge", FORBIDDEN, DELETES, "deletes every file that is not tracked");
RULE(vcs_network, "vcs.network", PROMPT, NETWORK, "talks to another repository");
RULE(vcs_rewrites, "vcs.rewrites-history", FORBIDDEN, DELETES,
     "removes committed work from the repository");
RULE(vcs_config, "vcs.config-program", PROMPT, EXECUTES,
     "sets a key of the configuration, which may name programs");
RULE(vcs_shell, "vcs.runs-program", PROMPT, EXECUTES, "runs a program for each change");

static const struct option_row svn_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_RULE("rc", "revision change", ARG_ONE, &vcs_network),
	ROW_RULE("u", "show-updates", ARG_NONE, &vcs_network),
	ROW_TAKES("lxm", "limit extensions message depth set-depth username "
			 "password native-eol accept changelist search encoding old new "
			 "show-item strip"),
	ROW_PATH("F", "file targets", DEED_READ),
	ROW_SHELL(NULL, "diff-cmd diff3-cmd editor-cmd"),
	ROW_RULE(NULL, "config-option config-dir", ARG_ONE, &vcs_config),
	ROW_FLAG("qvgRN", "quiet verbose non-interactive no-auth-cache recursive no-ignore xml "
			  "incremental stop-on-copy force summarize git diff "
			  "remove-added remove-unversioned remove-ignored parents keep-local "
			  "trust-server-cert"),
	OPTIONS_END,
};

static void
refine_svn_revert(const struct match *match, struct findings *found)
{
	bool deep = service_has(match, 'R', "recursive") || service_has(match, 0, "depth");

	for (size_t i = 0; i < match->operand_count; i++) {
		if (deep && service_operand_is(match, i, ". ./ .. /")) {
			find_rule(found, &vcs_reverts, &match->operands[i]);
		}
	}
	service_find(match, found, &vcs_changes);
}

static void
refine_svn_cleanup(const struct match *match, struct findings *found)
{
	service_find(match, found,
		     service_has(match, 0, "remove-unversioned") ||
				     service_has(match, 0, "remove-ignored")
			     ? &vcs_purges
			     : &vcs_changes);
}

/* A URL operand makes a reader talk to a server, and a removal remove there. */
static void
refine_svn_url(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const char *scheme = strstr(match->operands[i].text, "://");

		if (scheme != NULL || match->operands[i].text[0] == '^') {
			found->flags |= FIND_NETWORK | FIND_OUT_NETWORK;
			find_rule(found, &vcs_network, &match->operands[i]);
		}
	}
}

#define LOCAL(names, operands, options, refine)                                                    \
	{                                                                                          \
		names, operands, options, NULL, PARSE_NUMBER, FIND_SANDBOX, NULL, refine           \
	}
#define ALTERS(names, options, rule)                                                               \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE, 0, rule, NULL                             \
	}
#define ASKS(names, options, rule)                                                                 \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE, FIND_NETWORK | FIND_OUT_NETWORK, rule,    \
			NULL                                                                       \
	}

static const struct program svn_subs[] = {
	LOCAL("status|stat|st|info|diff|di|proplist|pl|propget|pg|help", NULL, svn_options,
	      refine_svn_url),
	ASKS("log|blame|praise|annotate|ann|cat|list|ls|update|up|checkout|co|export|switch|sw"
	     "|commit|ci|import|lock|unlock|mergeinfo|relocate|x-shelve",
	     svn_options, &vcs_network),
	{ "revert", NULL, svn_options, NULL, PARSE_LOOSE, 0, NULL, refine_svn_revert },
	{ "cleanup", NULL, svn_options, NULL, PARSE_LOOSE, 0, NULL, refine_svn_cleanup },
	{ "delete|del|remove|rm", NULL, svn_options, NULL, PARSE_LOOSE, 0, &vcs_changes,
	  refine_svn_url },
	ALTERS("add|changelist|cl|copy|cp|merge|mkdir|move|mv|rename|ren|patch|propdel|pd|propedit"
	       "|pe|propset|ps|resolve|resolved|upgrade",
	       svn_options, &vcs_changes),
	PROGRAMS_END,
};

static const struct program svnadmin_subs[] = {
	{ "help|info|verify", NULL, NULL, NULL, PARSE_GNU, FIND_SANDBOX, NULL, NULL },
	ALTERS("create|dump|load|hotcopy|recover|upgrade|setlog|setrevprop|setuuid|pack|lock|unlock"
	       "|lslocks|lstxns|freeze|rmlocks|rmtxns|deltify|dump-revprops|load-revprops",
	       NULL, &vcs_changes),
	PROGRAMS_END,
};

/* ---- Mercurial --------------------------------------------------------------------------- */

static const struct option_row hg_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW("R", "repository", ARG_ONE, USE_DIR),
	ROW(NULL, "cwd", ARG_ONE, USE_DIR),
	ROW(NULL, "config", ARG_ONE, USE_CONFIG),
	ROW_FLAG("qvyagpsUuncdmiAMl0",
		 "quiet verbose noninteractive debug traceback time profile hidden all git patch "
		 "stat no-merges only-merges graph follow modified added removed deleted clean "
		 "unknown ignored no-status copies rev-all template-all text nodates closed "
		 "active branch bookmarks id num tags print0 line-number"),
	ROW_TAKES("rbkTXI", "rev limit change template include exclude keyword user date style "
			    "unified color pager encoding encodingmode ancestor copies-from"),
	OPTIONS_END,
};

RULE(hg_strips, "hg.strip", FORBIDDEN, DELETES, "removes committed work from the repository");
RULE(hg_update_clean, "hg.update-clean", FORBIDDEN, DELETES,
     "throws away every change that is not committed");

static const struct option_row hg_update_options[] = {
	ROW_RULE("C", "clean", ARG_NONE, &hg_update_clean),
	ROW_FLAG("cm", "check merge"),
	ROW_TAKES("rdt", "rev date tool"),
	OPTIONS_END,
};

static const struct option_row hg_revert_options[] = {
	ROW_RULE("a", "all", ARG_NONE, &vcs_reverts),
	ROW_FLAG("Cin", "no-backup interactive dry-run"),
	ROW_TAKES("rdIX", "rev date include exclude"),
	OPTIONS_END,
};

static const struct option_row hg_helper_options[] = {
	ROW_SHELL("e", "ssh"),
	ROW_SHELL(NULL, "remotecmd"),
	ROW_FLAG("fu", "force update insecure pull uncompressed stream noupdate new-branch"),
	ROW_TAKES("rbB", "rev branch bookmark updaterev"),
	OPTIONS_END,
};

static const struct option_row hg_run_options[] = {
	ROW_SHELL("cp", "command program"),
	OPTIONS_END,
};

/* Keys of hgrc: aliases, hooks and extensions run code; few others are harmless. */
static void
refine_hg(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		const char *value;
		struct field *text;

		if (option->row->use != USE_CONFIG || option->arg == NULL) {
			continue;
		}
		find_rule(found, &vcs_config, option->arg);
		value = memchr(option->arg->text, '=', option->arg->len);
		text = arena_alloc(found->arena, sizeof(*text));
		if (value == NULL || text == NULL) {
			continue;
		}
		value += value[1] == '!' ? 2 : 1;
		*text = field_tail(found->arena, option->arg, (size_t)(value - option->arg->text));
		if (service_starts(option->arg, "alias.") ||
		    service_starts(option->arg, "hooks.") ||
		    service_starts(option->arg, "ui.ssh") ||
		    service_starts(option->arg, "ui.editor") ||
		    service_starts(option->arg, "pager.pager") ||
		    service_starts(option->arg, "extdiff.") ||
		    service_starts(option->arg, "merge-tools.")) {
			find_code(found, LANG_SH, text, INNER_PROMPT, "hg --config");
		}
	}
}

static const struct program hg_subs[] = {
	LOCAL("status|st|log|history|diff|annotate|blame|branches|cat|config"
	      "|files|grep|heads|help|locate|manifest|parents|paths"
	      "|root|showconfig|summary|sum|tags|tip|version|verify|debugancestor",
	      NULL, hg_options, NULL),
	LOCAL("branch|identify|id", "", hg_options, NULL),
	{ "update|up|checkout|co", NULL, hg_update_options, NULL, PARSE_LOOSE, 0, &vcs_changes,
	  NULL },
	{ "revert", NULL, hg_revert_options, NULL, PARSE_LOOSE, 0, &vcs_changes, NULL },
	ALTERS("purge|clean", NULL, &vcs_purges),
	ALTERS("strip|debugstrip|prune|obsolete", NULL, &hg_strips),
	ASKS("clone|pull|push|incoming|in|outgoing|out|fetch|email|serve", hg_helper_options,
	     &vcs_network),
	{ "bisect|extdiff|vdiff|meld|fix|diffstat", NULL, hg_run_options, NULL, PARSE_LOOSE, 0,
	  &vcs_shell, NULL },
	ALTERS("add|addremove|amend|absorb|archive|backout|bookmarks|bookmark|phase|resolve|bundle|"
	       "commit|ci|copy|cp|evolve|export"
	       "|fold|forget|graft|histedit|import|init|merge|metaedit|mv|move|rename|ren|rebase"
	       "|recover|remove|rm|rollback|shelve|unshelve|split|tag|topic|transplant|unbundle"
	       "|uncommit|undo|qpush|qpop|qnew|qrefresh|qdelete|qfinish|convert|debugsetparents",
	       NULL, &vcs_changes),
	PROGRAMS_END,
};

/* ---- Jujutsu, Fossil, Bazaar and the rest ------------------------------------------------ */

static const struct option_row jj_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW("R", "repository", ARG_ONE, USE_DIR),
	ROW_RULE(NULL, "config config-toml config-file", ARG_ONE, &vcs_config),
	ROW_TAKES("rTnfot", "revisions revision template limit from to at-operation at-op color "
			    "ignore-working-copy-of context"),
	ROW_PROGRAM(NULL, "tool"),
	ROW_FLAG("spG", "summary stat types name-only git color-words patch no-graph reversed "
			"ignore-working-copy no-pager quiet debug ignore-immutable"),
	OPTIONS_END,
};

RULE(jj_changes, "jj.changes", PROMPT, WRITES, "changes the repository, which jj undo can undo");

static const struct program jj_subs[] = {
	LOCAL("status|st|log|diff|show|evolog|interdiff|root|help|version|op log|operation log"
	      "|op show|op diff|operation show|bookmark list|b l|b list|branch list|tag list"
	      "|file list|file show|file annotate|file search|config list|config get|config path"
	      "|workspace list|workspace root|git remote list|sparse list",
	      NULL, jj_options, NULL),
	ASKS("git fetch|git push|git clone", jj_options, &vcs_network),
	ALTERS("abandon|absorb|backout|bookmark|b|commit|ci|config set|config edit|config unset"
	       "|describe|desc|diffedit|duplicate|edit|file track|file untrack|file chmod|fix|git"
	       "|metaedit|new|next|op|operation|parallelize|prev|rebase|resolve|restore|revert"
	       "|sign|simplify-parents|sparse|split|squash|tag|undo|redo|unsign|util|workspace",
	       jj_options, &jj_changes),
	PROGRAMS_END,
};

RULE(fossil_reverts, "fossil.revert", PROMPT, DELETES,
     "throws away changes that are not committed");
RULE(fossil_cleans, "fossil.clean", FORBIDDEN, DELETES, "deletes every file that is not tracked");

static const struct program fossil_subs[] = {
	{ "status|timeline|diff|info|finfo|ls|changes|extras|branch list|branch ls|help|version"
	  "|tag list|stash list|stash show|annotate|blame|cat|whatis|describe",
	  NULL, NULL, NULL, PARSE_NUMBER, FIND_SANDBOX, NULL, NULL },
	ASKS("clone|pull|push|sync|update|open", NULL, &vcs_network),
	ALTERS("clean", NULL, &fossil_cleans),
	ALTERS("revert|undo", NULL, &fossil_reverts),
	ALTERS("scrub|purge|shun", NULL, &vcs_rewrites),
	ALTERS("add|addremove|amend|branch|checkout|close|commit|ci|init|merge|mv|new|rebuild|rm"
	       "|set|settings|stash|tag|ui|server|user|unversioned|uv|sql|sqlite3|test-shell",
	       NULL, &vcs_changes),
	PROGRAMS_END,
};

static const struct program bzr_subs[] = {
	{ "status|st|log|diff|info|ls|annotate|blame|cat|help|version|revno|root|tags|whoami|nick",
	  NULL, NULL, NULL, PARSE_NUMBER, FIND_SANDBOX, NULL, refine_svn_url },
	ASKS("branch|checkout|co|pull|push|update|up|send|bind|missing", NULL, &vcs_network),
	ALTERS("revert", NULL, &vcs_changes),
	ALTERS("clean-tree", NULL, &vcs_purges),
	ALTERS("uncommit", NULL, &vcs_changes),
	ALTERS("add|commit|ci|init|init-repo|merge|mkdir|mv|rm|remove|shelve|unshelve|switch|tag"
	       "|resolve|rebase|pack|break-lock",
	       NULL, &vcs_changes),
	PROGRAMS_END,
};

RULE(p4_obliterates, "p4.obliterate", FORBIDDEN, DELETES,
     "removes files and their history from the depot");

static const struct program p4_subs[] = {
	ASKS("obliterate", NULL, &p4_obliterates),
	{ "help|-V", NULL, NULL, NULL, PARSE_LOOSE, 0, NULL, NULL },
	PROGRAMS_END,
};

static void
refine_p4(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &vcs_network);
	}
}

/* ---- hooks, and scanners for secrets ----------------------------------------------------- */

RULE(hooks_installs, "hooks.install", PROMPT, EXECUTES, "installs hooks into the repository");
RULE(hooks_runs, "hooks.run", PROMPT, EXECUTES, "runs the hooks of the project");
RULE(hooks_removes, "hooks.uninstall", PROMPT, SYSTEM, "takes hooks out of the repository");
RULE(scans, "scanner.scan", PROMPT, DISCLOSURE, "prints the secrets that it finds");

static const struct option_row hooks_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	OPTIONS_END,
};

static const struct program hooks_subs[] = {
	{ "help|version|validate|validate-config|validate-manifest|sample-config|dump", NULL, NULL,
	  NULL, PARSE_GNU, FIND_SANDBOX, NULL, NULL },
	ALTERS("install|init-templatedir|add|set|install-hooks|init", NULL, &hooks_installs),
	ALTERS("uninstall|gc|clean", NULL, &hooks_removes),
	ALTERS("|run|run-all|try-repo|autoupdate|migrate-config|hook-impl|self-update|check-"
	       "install",
	       NULL, &hooks_runs),
	PROGRAMS_END,
};

const struct program models_forges[] = {
	FORGE_REST("gh", forge_options, gh_subs),
	FORGE_REST("glab", forge_options, glab_subs),
	FORGE_REST("hub", forge_options, hub_subs),
	FORGE_REST("tea", forge_options, tea_subs),
	FORGE_REST("bb berg forgejo gitea-cli jira linear act_runner", forge_options, NULL),
	{ "svn", NULL, svn_options, svn_subs, PARSE_GNU, 0, NULL, NULL },
	{ "svnadmin svndumpfilter svnsync svnlook", ".*", hooks_options, svnadmin_subs, PARSE_LOOSE,
	  0, &vcs_changes, NULL },
	{ "svnversion", NULL, svn_options, NULL, PARSE_GNU, FIND_SANDBOX, NULL, NULL },
	{ "hg chg", NULL, hg_options, hg_subs, PARSE_GNU, 0, NULL, refine_hg },
	{ "jj", NULL, jj_options, jj_subs, PARSE_GNU, 0, NULL, NULL },
	{ "fossil", NULL, hooks_options, fossil_subs, PARSE_LOOSE, 0, NULL, NULL },
	{ "bzr brz", NULL, hooks_options, bzr_subs, PARSE_LOOSE, 0, NULL, NULL },
	{ "p4", ".*", NULL, p4_subs, PARSE_LOOSE, FORGE_FINDS, NULL, refine_p4 },
	{ "cvs darcs pijul sl gt git-branchless", ".*", hooks_options, NULL, PARSE_LOOSE, 0,
	  &vcs_changes, NULL },
	{ "pre-commit prek lefthook husky overcommit", NULL, hooks_options, hooks_subs, PARSE_LOOSE,
	  0, NULL, NULL },
	{ "gitleaks trufflehog detect-secrets git-secrets ggshield", ".*", hooks_options, NULL,
	  PARSE_LOOSE, 0, &scans, NULL },
	PROGRAMS_END,
};
