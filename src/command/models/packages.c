/* SPDX-License-Identifier: MIT */

/*
 * Package managers of languages: npm and its relatives, pip, uv, poetry, gem, composer and so on.
 *
 * To install is to run code of strangers: prompt, in any spelling. Only what reads local lists is
 * harmless, and its rows are strict about options. What such a program runs for its user (npx CMD,
 * poetry run CMD, bundle exec CMD) is a command of its own.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(installs, "package.install", PROMPT, EXECUTES,
     "installs packages, whose scripts run when they are installed");
RULE(removes, "package.remove", PROMPT, DELETES, "removes packages");
RULE(changes, "package.change", PROMPT, WRITES, "changes the project, its settings or a cache");
RULE(runs, "package.run", PROMPT, EXECUTES, "runs code of the project");
RULE(fetches_runs, "package.fetch-and-run", PROMPT, EXECUTES,
     "runs a package's program, which is fetched when it is not there");
RULE(asks, "package.network", PROMPT, NETWORK, "asks a registry");
RULE(publishes, "package.publish", PROMPT, NETWORK, "publishes a release for everybody");
RULE(unpublishes, "package.unpublish", FORBIDDEN, DELETES,
     "takes back a release that others may depend on");
RULE(gives_access, "package.access", PROMPT, PRIVILEGE, "changes who may publish");
RULE(logs_in, "package.login", PROMPT, DISCLOSURE, "stores or shows an account of a registry");
RULE(script_shell, "package.script-shell", PROMPT, EXECUTES, "names the shell that runs scripts");

/* A subcommand that only reads. */
#define READS(names, options)                                                                      \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL              \
	}
/* The operands are a command. */
#define RUNS(names, operands, options, rule)                                                       \
	{                                                                                          \
		names, operands, options, NULL, PARSE_POSIX, 0, rule, NULL                         \
	}

/* ---- npm, pnpm, yarn, bun ---------------------------------------------------------------- */

static const struct option_row list_options[] = {
	ROW_FLAG("agl", "all json long parseable global link unicode production dev prod no-color "
			"omit-dev only-names silent quiet"),
	ROW_MAYBE(NULL, "depth omit include color"),
	ROW_TAKES("C", "prefix dir workspace loglevel"),
	OPTIONS_END,
};

static const struct option_row node_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_TAKES("CwF",
		  "prefix cwd dir workspace filter loglevel registry cache userconfig tag otp "
		  "access scope"),
	ROW_BOTH(NULL, "script-shell shell", ARG_ONE, USE_PROGRAM, &script_shell),
	ROW_FLAG("gDyfsq", "global save-dev yes force silent quiet json workspaces "
			   "include-workspace-root if-present ignore-scripts offline"),
	OPTIONS_END,
};

static const struct option_row npx_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_FLAG("yqs", "yes no no-install ignore-existing quiet silent prefer-offline offline "
			"workspaces bun verbose"),
	ROW_TAKES("pw", "package workspace cache userconfig registry loglevel prefix"),
	ROW_SHELL("c", "call"),
	ROW_BOTH(NULL, "script-shell shell", ARG_ONE, USE_PROGRAM, &script_shell),
	OPTIONS_END,
};

/* The program in a package with a scope, where its name is another: agents. */
static const char *
scoped_program(const struct field *name)
{
	static const char *const scoped[][2] = {
		{ "@anthropic-ai/claude-code", "claude" }, { "@openai/codex", "codex" },
		{ "@google/gemini-cli", "gemini" },	   { "@qwen-code/qwen-code", "qwen" },
		{ "@github/copilot", "copilot" },
	};

	for (size_t i = 0; i < sizeof(scoped) / sizeof(scoped[0]); i++) {
		size_t len = strlen(scoped[i][0]);

		if (strncmp(name->text, scoped[i][0], len) == 0 &&
		    (name->text[len] == '\0' || name->text[len] == '@')) {
			return scoped[i][1];
		}
	}
	return NULL;
}

/* The command behind npx and its like; "prisma@5.1" is the program prisma. */
static void
refine_npx(const struct match *match, struct findings *found)
{
	const struct field *name = service_operand(match, 0);
	struct field *argv;
	const char *at;

	if (name == NULL) {
		return;
	}
	argv = arena_array(found->arena, match->operand_count, sizeof(*argv));
	if (argv == NULL) {
		return;
	}
	memcpy(argv, match->operands, match->operand_count * sizeof(*argv));
	at = field_is_literal(name) && name->len > 1 ? strchr(name->text + 1, '@') : NULL;
	if (at != NULL && name->text[0] != '@') {
		argv[0] = field_literal(found->arena, name->text, (size_t)(at - name->text), name);
	} else if (field_is_literal(name) && scoped_program(name) != NULL) {
		argv[0] = field_static(scoped_program(name), name);
	}
	find_argv(found, argv, match->operand_count, INNER_PROMPT, "npx");
}

/* npm config set script-shell PROGRAM: later, npm runs scripts with it. */
static void
refine_npm_set(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];
		static const char *const keys[] = { "script-shell", "shell", "editor",
						    "viewer",	    "git",   "node-options",
						    "init-module" };

		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
			size_t len = strlen(keys[k]);
			struct field *value = arena_alloc(found->arena, sizeof(*value));

			if (value == NULL || !service_starts(operand, keys[k])) {
				continue;
			}
			if (operand->text[len] == '=') {
				*value = field_tail(found->arena, operand, len + 1);
			} else if (operand->text[len] == '\0' && i + 1 < match->operand_count) {
				*value = match->operands[i + 1];
			} else {
				continue;
			}
			find_code(found, LANG_SH, value, INNER_LATER | INNER_PROMPT, "npm config");
		}
	}
}

/* "npm explore PACKAGE -- CMD" */
static void
refine_explore(const struct match *match, struct findings *found)
{
	service_after_dashes(match, found, INNER_PROMPT, "npm explore");
}

#define NPX(names)                                                                                 \
	{                                                                                          \
		names, NULL, npx_options, NULL, PARSE_POSIX, FIND_NETWORK, &fetches_runs,          \
			refine_npx                                                                 \
	}

static const struct program npm_subs[] = {
	READS("ls|list|la|ll|root|prefix|bin|explain|why|config list|config ls|config get|c "
	      "list|get|help"
	      "|pkg get|completion",
	      list_options),
	SUB_TALKS("view|info|show|v|search|find|s|se|outdated|audit|ping|fund|docs|home|bugs|issues"
		  "|repo|stars|whoami|profile|diff|doctor|sbom|query",
		  &asks, NULL),
	SUB_TALKS("install|i|in|ins|isntall|add|ci|clean-install|install-clean|update|up|upgrade|"
		  "udpate"
		  "|install-test|it|cit|link|ln|rebuild|rb|dedupe|ddp|audit fix|create|init|innit"
		  "|import|self-update|env|setup|approve-builds|patch|patch-commit",
		  &installs, NULL),
	NPX("exec|x|dlx"),
	{ "explore", NULL, NULL, NULL, PARSE_POSIX, 0, &runs, refine_explore },
	SUB_DOES("run|run-script|rum|urn|test|t|tst|start|stop|restart|pack|prepare|recursive "
		 "run|deploy",
		 &runs),
	SUB_DOES("uninstall|un|unlink|remove|rm|r|prune", &removes),
	SUB_TALKS("publish|stage", &publishes, NULL),
	SUB_TALKS("unpublish", &unpublishes, NULL),
	SUB_TALKS("deprecate|undeprecate|dist-tag|dist-tags|version|star|unstar", &publishes, NULL),
	SUB_TALKS("owner|author|access|team|org|hook|trust", &gives_access, NULL),
	SUB_TALKS("login|logout|adduser|add-user|token|profile set|npm-token", &logs_in, NULL),
	{ "config set|set|c set", NULL, NULL, NULL, PARSE_LOOSE, 0, &changes, refine_npm_set },
	SUB_DOES("config|c|config edit|config delete|config fix|cache|pkg|shrinkwrap|edit|store"
		 "|server|fetch|licenses|hooks",
		 &changes),
	PROGRAMS_END,
};

static const struct program pnpm_subs[] = {
	READS("ls|list|la|ll|why|root|bin|help|config list|store path", list_options),
	NPX("exec|dlx"),
	SUB_TALKS("outdated|audit|view|info|search|licenses|whoami", &asks, NULL),
	SUB_TALKS("install|i|add|update|up|upgrade|import|link|ln|rebuild|rb|fetch|create|init|env"
		  "|self-update|setup|install-test|it|approve-builds|dedupe|patch|patch-commit",
		  &installs, NULL),
	SUB_DOES("remove|rm|uninstall|un|prune|unlink", &removes),
	SUB_TALKS("publish", &publishes, NULL),
	{ "config set|set", NULL, NULL, NULL, PARSE_LOOSE, 0, &changes, refine_npm_set },
	SUB_DOES("config|store|cache|pack|deploy|server|doctor|catalog", &changes),
	SUB_DOES("run|test|t|start|stop|restart|recursive|multi|m", &runs),
	PROGRAMS_END,
};

static const struct program yarn_subs[] = {
	{ "help", NULL, NULL, NULL, PARSE_LOOSE, FIND_SANDBOX, NULL, NULL },
	NPX("exec|dlx"),
	RUNS("run|node", "!", node_options, &runs),
	SUB_TALKS("|install|add|up|upgrade|upgrade-interactive|import|link|create|init|set "
		  "version|plugin"
		  "|rebuild|global add|dedupe|policies|self-update",
		  &installs, NULL),
	SUB_DOES("remove|global remove|unlink|autoclean", &removes),
	SUB_TALKS("publish|npm publish|npm tag", &publishes, NULL),
	SUB_TALKS("outdated|audit|info|npm info|npm audit|owner list|search", &asks, NULL),
	SUB_TALKS("owner|team|access", &gives_access, NULL),
	SUB_TALKS("login|logout|npm login|npm logout", &logs_in, NULL),
	{ "config set", NULL, NULL, NULL, PARSE_LOOSE, 0, &changes, refine_npm_set },
	SUB_DOES("config|cache|pack|workspace|workspaces|list|why|bin|licenses|version|versions|"
		 "check"
		 "|generate-lock-entry|patch|patch-commit|constraints|stage|unplug",
		 &runs),
	PROGRAMS_END,
};

static const struct option_row bun_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version revision"),
	ROW_CODE("ep", "eval print", LANG_NODE),
	ROW_TAKES("rcl", "preload require config loader cwd env-file port define external"),
	ROW_FLAG("b", "bun watch hot smol no-install prefer-offline silent if-present"),
	OPTIONS_END,
};

static const struct program bun_subs[] = {
	{ "help|pm ls|pm bin|pm cache|pm hash", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX,
	  NULL, NULL },
	NPX("x"),
	SUB_TALKS("install|i|add|a|update|link|create|c|init|upgrade|patch|patch-commit|pm trust",
		  &installs, NULL),
	SUB_DOES("remove|rm|unlink|pm cache rm", &removes),
	SUB_TALKS("publish", &publishes, NULL),
	SUB_TALKS("outdated|audit|info|why|pm view|pm whoami", &asks, NULL),
	SUB_DOES("run|test|build|exec|repl|dev|pm", &runs),
	PROGRAMS_END,
};

static void
refine_bun(const struct match *match, struct findings *found)
{
	if (match->parent == NULL && match->operand_count > 0) {
		service_find(match, found, &runs);
		find_file(found, LANG_NODE, &match->operands[0], 0, "bun");
	}
}

/* ---- Python ------------------------------------------------------------------------------ */

static const struct option_row pip_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("qvIU", "quiet verbose isolated no-input require-virtualenv no-color "
			 "no-python-version-warning disable-pip-version-check no-cache-dir debug"),
	ROW_PATH("rc", "requirement constraint", DEED_READ),
	ROW_TAKES("itef", "index-url extra-index-url target editable "
			  "find-links proxy retries timeout cert client-cert trusted-host "
			  "exists-action cache-dir use-feature use-deprecated keyring-provider "
			  "platform python-version"),
	ROW_BOTH(NULL, "python", ARG_ONE, USE_PROGRAM, &runs),
	ROW_PATH(NULL, "log", DEED_APPEND),
	OPTIONS_END,
};

static const struct option_row pip_list_options[] = {
	ROW_FLAG("lefv", "local user editable include-editable exclude-editable not-required pre "
			 "files verbose all"),
	ROW_TAKES(NULL, "format exclude path"),
	ROW_RULE("ou", "outdated uptodate", ARG_NONE, &asks),
	OPTIONS_END,
};

static const struct program pip_subs[] = {
	READS("list|show|freeze|check|help|config list|config get|config debug|cache dir|cache list"
	      "|cache info|inspect|completion|hash|debug",
	      pip_list_options),
	SUB_TALKS("index|search", &asks, NULL),
	SUB_TALKS("install|download|wheel|lock", &installs, NULL),
	SUB_DOES("uninstall|cache purge|cache remove", &removes),
	SUB_DOES("config set|config edit|config unset", &changes),
	PROGRAMS_END,
};

static const struct option_row run_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_TAKES("npCP", "name prefix cwd project python with from package spec with-requirements "
			  "env-file extra index-url directory env environment manifest-path "
			  "group only-group pip-args"),
	ROW_FLAG("qv", "quiet verbose isolated no-sync frozen locked offline no-cache active "
		       "all-extras no-project no-capture-output live-stream"),
	OPTIONS_END,
};

static const struct option_row uv_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("qvn", "quiet verbose offline no-cache no-progress native-tls no-config"),
	ROW_TAKES(NULL, "directory project cache-dir config-file color allow-insecure-host"),
	OPTIONS_END,
};

#define UVX(names)                                                                                 \
	{                                                                                          \
		names, NULL, run_options, NULL, PARSE_POSIX | PARSE_LOOSE, FIND_NETWORK,           \
			&fetches_runs, refine_npx                                                  \
	}

static const struct program uv_subs[] = {
	READS("version|help|pip list|pip show|pip freeze|pip tree|pip check|python list|python find"
	      "|tool list|tool dir|cache dir|python dir",
	      pip_list_options),
	UVX("tool run|x"),
	RUNS("run", "!", run_options, &runs),
	SUB_TALKS("add|sync|lock|pip install|pip sync|pip compile|python install|tool install"
		  "|tool upgrade|self update|tree|export|build|init|venv|python upgrade|python pin",
		  &installs, NULL),
	SUB_DOES("remove|pip uninstall|tool uninstall|python uninstall|cache clean|cache prune",
		 &removes),
	SUB_TALKS("publish", &publishes, NULL),
	SUB_DOES("auth|format|generate-shell-completion|self", &changes),
	PROGRAMS_END,
};

static const struct program pipx_subs[] = {
	READS("list|environment|help", list_options),
	UVX("run"),
	SUB_TALKS("install|upgrade|upgrade-all|inject|reinstall|reinstall-all|runpip|ensurepath"
		  "|install-all|upgrade-shared",
		  &installs, NULL),
	SUB_DOES("uninstall|uninstall-all|uninject", &removes),
	PROGRAMS_END,
};

static const struct program poetry_subs[] = {
	READS("about|help|list|env info|env list|config --list", list_options),
	RUNS("run", "!", run_options, &runs),
	SUB_TALKS(
		"install|add|update|lock|sync|self|init|new|build|env use|python|check|show|search",
		&installs, NULL),
	SUB_DOES("remove|env remove|cache", &removes),
	SUB_TALKS("publish", &publishes, NULL),
	SUB_DOES("config|version|shell|export|source", &changes),
	PROGRAMS_END,
};

static const struct program pipenv_subs[] = {
	{ "graph|help", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	RUNS("run", "!", run_options, &runs),
	SUB_TALKS("|install|sync|update|lock|upgrade|check|audit|verify|requirements", &installs,
		  NULL),
	SUB_DOES("uninstall|clean", &removes),
	SUB_DOES("shell|scripts|open", &runs),
	PROGRAMS_END,
};

static const struct option_row conda_list_options[] = {
	ROW_FLAG("aefs", "all envs export full-name json canonical show-channel-urls explicit "
			 "revisions no-pip base system license"),
	ROW_TAKES("np", "name prefix"),
	OPTIONS_END,
};

static const struct program conda_subs[] = {
	READS("list|info|env list|help|config --show|compare", conda_list_options),
	RUNS("run", "!", run_options, &runs),
	SUB_TALKS("search|repoquery", &asks, NULL),
	SUB_TALKS("install|create|update|upgrade|env create|env update|build|render|self-update",
		  &installs, NULL),
	SUB_DOES("remove|uninstall|env remove|clean", &removes),
	SUB_DOES("config|init|activate|deactivate|rename|package|notices|env config|shell",
		 &changes),
	PROGRAMS_END,
};

static const struct program project_subs[] = {
	RUNS("run|exec", "!", run_options, &runs),
	SUB_TALKS("add|install|sync|update|lock|build|fetch|init|new|shell|test|fmt|env", &installs,
		  NULL),
	SUB_DOES("remove|uninstall|clean|prune", &removes),
	SUB_TALKS("publish|upload", &publishes, NULL),
	READS("list|show|version|help|info", list_options),
	PROGRAMS_END,
};

/* ---- Ruby, PHP, Perl, Elixir, Haskell, OCaml, Lua, .NET, Java ---------------------------- */

static const struct program gem_subs[] = {
	READS("list|environment|env|contents|which|help|dependency|specification|query",
	      list_options),
	SUB_TALKS("search|outdated|info|sources --list", &asks, NULL),
	SUB_TALKS("install|i|update|fetch|build|pristine|unpack|rebuild|exec", &installs, NULL),
	SUB_DOES("uninstall|cleanup", &removes),
	SUB_TALKS("push", &publishes, NULL),
	SUB_TALKS("yank", &unpublishes, NULL),
	SUB_TALKS("owner", &gives_access, NULL),
	SUB_TALKS("signin|signout", &logs_in, NULL),
	SUB_DOES("sources|cert|generate_index|lock|check|server|setup|stale|mirror", &changes),
	PROGRAMS_END,
};

static const struct program bundle_subs[] = {
	RUNS("exec|e", "!", run_options, &runs),
	SUB_TALKS("|install|update|add|outdated|lock|package|cache|init|gem|plugin|pristine|fund",
		  &installs, NULL),
	SUB_DOES("remove|clean", &removes),
	SUB_DOES(
		"config|binstubs|console|open|show|list|info|check|doctor|env|platform|viz|licenses"
		"|version|help|issue",
		&runs),
	PROGRAMS_END,
};

static const struct program composer_subs[] = {
	{ "about|help|--list", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	RUNS("exec", "!", run_options, &runs),
	SUB_TALKS(
		"install|i|update|u|upgrade|require|r|create-project|global|self-update|selfupdate"
		"|reinstall|init|archive",
		&installs, NULL),
	SUB_DOES("remove|rm|uninstall|clear-cache|clearcache|cc", &removes),
	SUB_TALKS("audit|outdated|search|show|info|browse|home|fund|suggests|diagnose", &asks,
		  NULL),
	SUB_DOES("run-script|run|dump-autoload|dumpautoload|config|validate|status|check-platform-"
		 "reqs"
		 "|bump|depends|why|prohibits|why-not|licenses",
		 &runs),
	PROGRAMS_END,
};

RULE(mix_drops, "mix.drop", FORBIDDEN, DELETES, "deletes the project's database");
RULE(retires, "hex.retire", PROMPT, NETWORK, "changes what is said of a release");

static const struct program mix_subs[] = {
	{ "help", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	SUB_DOES("ecto.drop|ecto.reset", &mix_drops),
	SUB_TALKS("deps.get|deps.update|local.hex|local.rebar|archive.install|escript.install|hex."
		  "outdated"
		  "|hex.audit|hex.info|hex.search|hex.package",
		  &installs, NULL),
	SUB_TALKS("hex.publish", &publishes, NULL),
	SUB_TALKS("hex.retire", &retires, NULL),
	SUB_TALKS("hex.owner|hex.organization", &gives_access, NULL),
	PROGRAMS_END,
};

static const struct program dotnet_subs[] = {
	{ "help|sdk check", NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	SUB_TALKS("nuget delete", &unpublishes, NULL),
	SUB_TALKS("nuget push", &publishes, NULL),
	SUB_TALKS(
		"restore|add|add package|package add|tool install|tool update|workload install|new"
		"|workload update|tool restore",
		&installs, NULL),
	SUB_DOES("remove|package remove|tool uninstall|workload uninstall|clean|nuget locals",
		 &removes),
	SUB_DOES("ef database drop", &mix_drops),
	PROGRAMS_END,
};

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hVv", "version info list-sdks list-runtimes"),
	OPTIONS_END,
};

static const struct option_row long_help_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("V", "version"),
	OPTIONS_END,
};

static const struct program opam_subs[] = {
	READS("list|show|info|help|switch list|repository list|env|config list|config env",
	      list_options),
	RUNS("exec", "!", run_options, &runs),
	SUB_TALKS("install|update|upgrade|switch|init|pin|reinstall|source|build|lock", &installs,
		  NULL),
	SUB_DOES("remove|uninstall|clean|switch remove", &removes),
	SUB_TALKS("publish|admin", &publishes, NULL),
	PROGRAMS_END,
};

/* ---- managers of versions ---------------------------------------------------------------- */

static const struct option_row exec_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", NULL),
	ROW_TAKES("CEcj", "cd env command jobs"),
	ROW_FLAG("qvy", "quiet verbose yes raw no-prepare"),
	OPTIONS_END,
};

static const struct program version_subs[] = {
	{ "version|help|versions|list|ls|current|which|where|root|prefix|commands|shims|whence"
	  "|bin-paths|completions|plugin list|toolchain list|target list",
	  NULL, NULL, NULL, PARSE_NO_ABBREV, FIND_SANDBOX, NULL, NULL },
	{ "exec|x|run", "!", exec_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, &runs, NULL },
	SUB_TALKS(
		"install|i|update|upgrade|up|use|default|toolchain install|component add|target add"
		"|plugin add|plugin-add|ls-remote|list all|list-all|list-remote|self update"
		"|self-update|add",
		&installs, NULL),
	SUB_DOES("uninstall|remove|rm|prune|implode|self uninstall|toolchain uninstall", &removes),
	PROGRAMS_END,
};

/* What no row names. */
static void
refine_rest(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &runs);
	}
}

/* yarn NAME runs a script, or a program of a package; of programs, those that reset databases
 * matter. */
static void
refine_script(const struct match *match, struct findings *found)
{
	const struct field *name = service_operand(match, 0);

	refine_rest(match, found);
	if (match->parent == NULL && name != NULL && field_is_literal(name) &&
	    service_word_in(name->text, "prisma sequelize sequelize-cli knex typeorm mikro-orm "
					"drizzle-kit rimraf")) {
		find_argv(found, match->operands, match->operand_count, INNER_PROMPT, "yarn");
	}
}

#define MANAGER(names, options, subs)                                                              \
	{                                                                                          \
		names, ".*", options, subs, PARSE_LOOSE, 0, NULL, refine_rest                      \
	}

const struct program models_packages[] = {
	{ "npm", ".*", node_options, npm_subs, PARSE_LOOSE, 0, NULL, refine_rest },
	{ "pnpm", ".*", node_options, pnpm_subs, PARSE_LOOSE, 0, NULL, refine_script },
	{ "yarn yarnpkg", ".*", node_options, yarn_subs, PARSE_LOOSE, 0, NULL, refine_script },
	{ "bun", ".*", bun_options, bun_subs, PARSE_POSIX | PARSE_LOOSE, 0, NULL, refine_bun },
	NPX("npx bunx pnpx"),
	MANAGER("corepack jsr ni nr nun", long_help_options, NULL),
	{ "pip", ".*", pip_options, pip_subs, PARSE_LOOSE | PARSE_VERSIONED, 0, NULL, refine_rest },
	{ "uv", ".*", uv_options, uv_subs, PARSE_LOOSE, 0, NULL, refine_rest },
	UVX("uvx"),
	MANAGER("pipx", help_options, pipx_subs),
	MANAGER("poetry", long_help_options, poetry_subs),
	MANAGER("pipenv", help_options, pipenv_subs),
	MANAGER("conda mamba micromamba", help_options, conda_subs),
	MANAGER("hatch pdm rye pixi flit", help_options, project_subs),
	MANAGER("pip-compile pip-sync pip-audit easy_install pip-tools virtualenv venv",
		help_options, NULL),
	{ "twine", ".*", help_options, NULL, PARSE_LOOSE, FIND_NETWORK, &publishes, NULL },
	MANAGER("gem", help_options, gem_subs),
	MANAGER("bundle bundler", help_options, bundle_subs),
	MANAGER("composer", help_options, composer_subs),
	MANAGER("mix", help_options, mix_subs),
	MANAGER("dotnet nuget paket", help_options, dotnet_subs),
	MANAGER("cabal stack ghcup", long_help_options, project_subs),
	MANAGER("opam esy", long_help_options, opam_subs),
	MANAGER("luarocks cpan cpanm cpanminus carton pear pecl rebar3 lein clojure clj shards "
		"nimble "
		"zef raco dub pub bower jspm volta-shim spago elm-package hex vcpkg conan",
		long_help_options, NULL),
	MANAGER("nvm fnm volta n asdf mise rtx rbenv pyenv nodenv jenv goenv tfenv tfswitch sdk "
		"rvm "
		"chruby rustup proto",
		help_options, version_subs),
	PROGRAMS_END,
};
