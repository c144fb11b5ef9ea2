/* SPDX-License-Identifier: MIT */
/*
 * Variables that programs act on: those that name programs to run, those that change what is loaded
 * or where files come from, and the few that may be set without a question.
 */
#include "command/walk_impl.h"

#include <string.h>

enum meaning {
	MEANS_NOTHING, /* harmless whatever the value */
	MEANS_PAGER,   /* a command line; plain pagers are harmless */
	MEANS_COMMAND, /* a command line */
	MEANS_FILE,    /* a file whose text a shell runs */
	MEANS_PROMPT,  /* text in which $(...) is run: PS4 */
	MEANS_LOADS,   /* what is loaded, or where from */
	MEANS_PATH,    /* directories of programs */
	MEANS_HISTORY,
	MEANS_LESS,  /* options of less; letters that only show are harmless */
	MEANS_SHELL, /* matters to the shell alone, which follows it */
};

struct meant {
	const char *name; /* NAME, or NAME* for all that start with it */
	enum meaning meaning;
};

/* By use, not by name: what is common stands in front. */
static const struct meant names[] = {
	{ "LANG", MEANS_NOTHING },
	{ "LANGUAGE", MEANS_NOTHING },
	{ "LC_*", MEANS_NOTHING },
	{ "TZ", MEANS_NOTHING },
	{ "TERM", MEANS_NOTHING },
	{ "COLUMNS", MEANS_NOTHING },
	{ "LINES", MEANS_NOTHING },
	{ "NO_COLOR", MEANS_NOTHING },
	{ "FORCE_COLOR", MEANS_NOTHING },
	{ "CLICOLOR", MEANS_NOTHING },
	{ "CLICOLOR_FORCE", MEANS_NOTHING },
	{ "COLORTERM", MEANS_NOTHING },
	{ "LS_COLORS", MEANS_NOTHING },
	{ "GREP_COLOR", MEANS_NOTHING },
	{ "GREP_COLORS", MEANS_NOTHING },
	{ "CI", MEANS_NOTHING },
	{ "BLOCKSIZE", MEANS_NOTHING },
	{ "BLOCK_SIZE", MEANS_NOTHING },
	{ "TIME_STYLE", MEANS_NOTHING },
	{ "LESSCHARSET", MEANS_NOTHING },
	{ "GIT_OPTIONAL_LOCKS", MEANS_NOTHING },
	{ "GIT_TERMINAL_PROMPT", MEANS_NOTHING },
	{ "GIT_PAGER_IN_USE", MEANS_NOTHING },
	{ "RUST_BACKTRACE", MEANS_NOTHING },
	{ "PYTHONUNBUFFERED", MEANS_NOTHING },
	{ "PYTHONDONTWRITEBYTECODE", MEANS_NOTHING },
	{ "DEBIAN_FRONTEND", MEANS_NOTHING },
	{ "PWD", MEANS_NOTHING },
	{ "OLDPWD", MEANS_NOTHING },
	{ "SHLVL", MEANS_NOTHING },
	{ "IFS", MEANS_SHELL },
	{ "OPTIND", MEANS_SHELL },
	{ "REPLY", MEANS_SHELL },
	{ "TIMEFORMAT", MEANS_SHELL },
	{ "SECONDS", MEANS_SHELL },
	{ "PS3", MEANS_SHELL },
	{ "PAGER", MEANS_PAGER },
	{ "GIT_PAGER", MEANS_PAGER },
	{ "MANPAGER", MEANS_PAGER },
	{ "SYSTEMD_PAGER", MEANS_PAGER },
	{ "BAT_PAGER", MEANS_PAGER },
	{ "DELTA_PAGER", MEANS_PAGER },
	{ "PSQL_PAGER", MEANS_PAGER },
	{ "GH_PAGER", MEANS_PAGER },
	{ "AWS_PAGER", MEANS_PAGER },
	{ "EDITOR", MEANS_PAGER },
	{ "VISUAL", MEANS_PAGER },
	{ "GIT_EDITOR", MEANS_PAGER },
	{ "GIT_SEQUENCE_EDITOR", MEANS_PAGER },
	{ "GIT_SSH_COMMAND", MEANS_COMMAND },
	{ "GIT_SSH", MEANS_COMMAND },
	{ "GIT_EXTERNAL_DIFF", MEANS_COMMAND },
	{ "GIT_ASKPASS", MEANS_COMMAND },
	{ "GIT_PROXY_COMMAND", MEANS_COMMAND },
	{ "GIT_CONFIG_VALUE_*", MEANS_COMMAND },
	{ "GIT_CONFIG_PARAMETERS", MEANS_COMMAND },
	{ "SSH_ASKPASS", MEANS_COMMAND },
	{ "SUDO_ASKPASS", MEANS_COMMAND },
	{ "SUDO_EDITOR", MEANS_COMMAND },
	{ "LESSOPEN", MEANS_COMMAND },
	{ "LESSCLOSE", MEANS_COMMAND },
	{ "LESSEDIT", MEANS_COMMAND },
	{ "MANOPT", MEANS_COMMAND },
	{ "MANROFFOPT", MEANS_COMMAND },
	{ "BROWSER", MEANS_COMMAND },
	{ "GH_BROWSER", MEANS_COMMAND },
	{ "GH_EDITOR", MEANS_PAGER },
	{ "FCEDIT", MEANS_COMMAND },
	{ "HISTEDIT", MEANS_COMMAND },
	{ "PROMPT_COMMAND", MEANS_COMMAND },
	{ "RSYNC_RSH", MEANS_COMMAND },
	{ "CVS_RSH", MEANS_COMMAND },
	{ "SVN_SSH", MEANS_COMMAND },
	{ "TAPE", MEANS_LOADS },
	{ "TAR_OPTIONS", MEANS_COMMAND },
	{ "MAKEFLAGS", MEANS_COMMAND },
	{ "RUSTC_WRAPPER", MEANS_COMMAND },
	{ "CARGO_TARGET_*", MEANS_COMMAND },
	{ "NODE_OPTIONS", MEANS_LOADS },
	{ "VIMINIT", MEANS_COMMAND },
	{ "EXINIT", MEANS_COMMAND },
	{ "XTERM_SHELL", MEANS_COMMAND },
	{ "SHELL", MEANS_COMMAND },
	{ "BASH_ENV", MEANS_FILE },
	{ "ENV", MEANS_FILE },
	{ "PS4", MEANS_PROMPT },
	{ "PS0", MEANS_PROMPT },
	{ "PS1", MEANS_PROMPT },
	{ "PS2", MEANS_PROMPT },
	{ "PATH", MEANS_PATH },
	{ "HISTFILE", MEANS_HISTORY },
	{ "HISTSIZE", MEANS_HISTORY },
	{ "HISTFILESIZE", MEANS_HISTORY },
	{ "HISTCONTROL", MEANS_HISTORY },
	{ "HISTIGNORE", MEANS_HISTORY },
	{ "LD_*", MEANS_LOADS },
	{ "DYLD_*", MEANS_LOADS },
	{ "PYTHON*", MEANS_LOADS },
	{ "PERL*", MEANS_LOADS },
	{ "RUBY*", MEANS_LOADS },
	{ "GEM_*", MEANS_LOADS },
	{ "NODE_*", MEANS_LOADS },
	{ "NPM_CONFIG_*", MEANS_LOADS },
	{ "npm_config_*", MEANS_LOADS },
	{ "PIP_*", MEANS_LOADS },
	{ "JAVA_TOOL_OPTIONS", MEANS_LOADS },
	{ "_JAVA_OPTIONS", MEANS_LOADS },
	{ "JDK_JAVA_OPTIONS", MEANS_LOADS },
	{ "CLASSPATH", MEANS_LOADS },
	{ "GIT_*", MEANS_LOADS },
	{ "DOCKER_*", MEANS_LOADS },
	{ "KUBECONFIG", MEANS_LOADS },
	{ "HOME", MEANS_LOADS },
	{ "XDG_*", MEANS_LOADS },
	{ "TMPDIR", MEANS_LOADS },
	{ "CDPATH", MEANS_LOADS },
	{ "FPATH", MEANS_LOADS },
	{ "MANPATH", MEANS_LOADS },
	{ "LESS", MEANS_LESS },
	{ "LESSKEY", MEANS_LOADS },
	{ "LESSKEYIN", MEANS_LOADS },
	{ "LESSKEY_CONTENT", MEANS_LOADS },
	{ "MORE", MEANS_LOADS },
	{ "GREP_OPTIONS", MEANS_LOADS },
	{ "RIPGREP_CONFIG_PATH", MEANS_LOADS },
	{ "AWKPATH", MEANS_LOADS },
	{ "AWKLIBPATH", MEANS_LOADS },
	{ "INPUTRC", MEANS_LOADS },
	{ "TERMINFO*", MEANS_LOADS },
	{ "TERMCAP", MEANS_LOADS },
	{ "GCONV_PATH", MEANS_LOADS },
	{ "LOCPATH", MEANS_LOADS },
	{ "NLSPATH", MEANS_LOADS },
	{ "HOSTALIASES", MEANS_LOADS },
	{ "OPENSSL_*", MEANS_LOADS },
	{ "SSL_CERT_*", MEANS_LOADS },
	{ "http_proxy", MEANS_LOADS },
	{ "https_proxy", MEANS_LOADS },
	{ "all_proxy", MEANS_LOADS },
	{ "HTTP_PROXY", MEANS_LOADS },
	{ "HTTPS_PROXY", MEANS_LOADS },
	{ "ALL_PROXY", MEANS_LOADS },
	{ "POSIXLY_CORRECT", MEANS_LOADS },
	{ "BASH_ARGV0", MEANS_LOADS },
	{ "BASH_CMDS", MEANS_LOADS },
	{ "BASH_ALIASES", MEANS_LOADS },
	{ "BASH_COMPAT", MEANS_LOADS },
	{ "BASHOPTS", MEANS_LOADS },
	{ "SHELLOPTS", MEANS_LOADS },
	{ "BASH_FUNC_*", MEANS_LOADS },
	{ "BASH_LOADABLES_PATH", MEANS_LOADS },
	{ "BASH_XTRACEFD", MEANS_LOADS },
	{ "EXECIGNORE", MEANS_LOADS },
	{ "GLOBIGNORE", MEANS_LOADS },
	{ "CC", MEANS_COMMAND },
	{ "CXX", MEANS_COMMAND },
};

static bool
fits(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*') {
		return strncmp(pattern, name, len - 1) == 0;
	}
	return strcmp(pattern, name) == 0;
}

static const struct meant *
find_meaning(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].name[0] == name[0] && fits(names[i].name, name)) {
			return &names[i];
		}
	}
	return NULL;
}

/* Programs that do nothing by themselves, in the place of a pager or an editor. */
static bool
is_plain(const struct field *value)
{
	static const char *const plain[] = { "", "cat", "less", "more", "true", ":" };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (field_is(value, plain[i])) {
			return true;
		}
	}
	return false;
}

static bool
is_less_letters(const struct field *value)
{
	return field_is_literal(value) &&
	       value->text[strspn(value->text, "-FRXSNiIqQeEMmsu ")] == '\0';
}

static bool
is_system_path(const struct field *value)
{
	static const char *const dirs[] = { "/bin",	 "/sbin",	   "/usr/bin",
					    "/usr/sbin", "/usr/local/bin", "/usr/local/sbin" };
	const char *at = value->text;

	if (!field_is_literal(value) || value->len == 0) {
		return false;
	}
	for (;;) {
		size_t len = strcspn(at, ":");
		bool known = false;

		for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
			known = known || (strlen(dirs[i]) == len && memcmp(dirs[i], at, len) == 0);
		}
		if (!known) {
			return false;
		}
		if (at[len] == '\0') {
			return true;
		}
		at += len + 1;
	}
}

/* A command line: only what is forbidden in it counts beside the question that is asked anyway. */
static void
try_command(struct walk *w, const struct field *value)
{
	struct field text = *value;
	size_t skip = 0;

	while (skip < text.len && (text.text[skip] == '|' || text.text[skip] == '!' ||
				   (skip > 0 && text.text[skip] == '-'))) {
		skip++;
	}
	if (skip > 0) {
		text = field_tail(w->arena, value, skip);
	}
	if (w->shell.attempt == 0 && text.len > 0) {
		(void)walk_code_try(w, &text, LANG_BASH);
	}
}

/* Behind a plus stands a command of less, which may be one for the shell. */
static void
try_less(struct walk *w, const struct field *value)
{
	const char *plus = memchr(value->text, '+', value->len);
	struct field text;

	if (plus != NULL && w->shell.attempt == 0) {
		text = field_tail(w->arena, value, (size_t)(plus - value->text) + 1);
		(void)walk_code_try(w, &text, LANG_LESS);
	}
}

static void
try_file(struct walk *w, const struct field *value)
{
	struct code_run run = { .language = LANG_BASH, .text = value };
	struct trial trial;

	walk_try(w, &trial, w->shell.attempt);
	walk_code_file(w, &run);
	walk_try_end(w, &trial);
}

/* $(...) in a prompt: as the shell would expand it. */
static void
judge_prompt(struct walk *w, const struct field *value)
{
	if (value->kind != BAILEY_WORD_LITERAL || strstr(value->text, "$(") != NULL ||
	    strchr(value->text, '`') != NULL) {
		walk_reason(w, WHY_VARIABLE_PROGRAM, value);
		if (value->kind == BAILEY_WORD_LITERAL) {
			(void)w->hooks.evaluate(w, &w->shell, value);
		}
	}
}

static void
judge_meaning(struct walk *w, enum meaning meaning, const struct field *value)
{
	switch (meaning) {
	case MEANS_PAGER:
		if (is_plain(value)) {
			return;
		}
		walk_reason(w, WHY_VARIABLE_PROGRAM, value);
		try_command(w, value);
		break;
	case MEANS_COMMAND:
		walk_reason(w, WHY_VARIABLE_PROGRAM, value);
		try_command(w, value);
		break;
	case MEANS_FILE:
		if (value->len > 0) {
			walk_reason(w, WHY_VARIABLE_LOADS, value);
			try_file(w, value);
		}
		break;
	case MEANS_PROMPT:
		judge_prompt(w, value);
		break;
	case MEANS_PATH:
		if (!is_system_path(value)) {
			walk_reason(w, WHY_VARIABLE_LOADS, value);
		}
		break;
	case MEANS_LESS:
		if (!is_less_letters(value)) {
			walk_reason(w, WHY_VARIABLE_LOADS, value);
			try_less(w, value);
		}
		break;
	case MEANS_LOADS:
		walk_reason(w, WHY_VARIABLE_LOADS, value);
		break;
	case MEANS_HISTORY:
		walk_reason(w, WHY_BUILTIN_SHELL, value);
		break;
	case MEANS_NOTHING:
	case MEANS_SHELL:
	default:
		break;
	}
}

/* Says what is wrong with the value, without looking into it as code. */
static bool
is_harmless(enum meaning meaning, const struct field *value)
{
	switch (meaning) {
	case MEANS_NOTHING:
	case MEANS_SHELL:
		return true;
	case MEANS_PAGER:
		return value != NULL && is_plain(value);
	case MEANS_LESS:
		return value != NULL && is_less_letters(value);
	case MEANS_PATH:
		return value != NULL && is_system_path(value);
	case MEANS_FILE:
		return value == NULL || value->len == 0;
	case MEANS_PROMPT:
		return value == NULL ||
		       (value->kind == BAILEY_WORD_LITERAL && strstr(value->text, "$(") == NULL &&
			strchr(value->text, '`') == NULL);
	case MEANS_COMMAND:
	case MEANS_LOADS:
	case MEANS_HISTORY:
	default:
		return false;
	}
}

/* Every way to set a variable comes by here: arithmetic, namerefs, ${x:=y}, {x}<file. */
void
walk_assigned(void *context, const char *name, const struct field *value)
{
	struct walk *w = context;
	const struct meant *meant = find_meaning(name);

	if (strcmp(name, "OLDPWD") == 0) {
		w->at.old = NULL;
	}
	if (meant == NULL || w->floor > BAILEY_PROMPT || is_harmless(meant->meaning, value)) {
		return;
	}
	walk_reason(w, WHY_VARIABLE_LOADS, value != NULL && value->source != NULL ? value : NULL);
}

/* A variable that nobody here knows: a short plain word as its value means nothing to the programs
 * that are allowed, unless its name says that it names a program, a place or options. */
static bool
is_plain_setting(const char *name, const struct field *value)
{
	static const char *const telling[] = {
		"OPT",	"FLAG", "PATH", "CMD",	 "COMMAND", "EDIT", "PAGE",   "SHELL",
		"HOME", "DIR",	"CONF", "LIB",	 "LOAD",    "RC",   "TOOL",   "PROG",
		"EXEC", "SSH",	"RSH",	"PROX",	 "HOST",    "FILE", "HOOK",   "ARG",
		"BIN",	"PLUG", "MOD",	"VIEW",	 "BROWS",   "DIFF", "FILT",   "CONV",
		"HELP", "WRAP", "EVAL", "INIT",	 "START",   "URL",  "PROMPT", "LESS",
		"MAN",	"GIT",	"BASH", "SECUR", "PASS",    "SYS",  "LOG"
	};

	if (value == NULL || !field_is_literal(value) || value->len > 16) {
		return false;
	}
	for (uint32_t i = 0; i < value->len; i++) {
		char c = value->text[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      c == '_' || c == '.')) {
			return false;
		}
	}
	for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++) {
		if (strstr(name, telling[i]) != NULL) {
			return false;
		}
	}
	for (const char *c = name; *c != '\0'; c++) {
		if (*c >= 'a' && *c <= 'z') {
			return false;
		}
	}
	return true;
}

void
walk_environment(struct walk *w, const char *name, const struct field *value, enum env_use use)
{
	const struct meant *meant = find_meaning(name);

	if (meant != NULL) {
		judge_meaning(w, meant->meaning, value);
		return;
	}
	if ((use == ENV_PREFIX || use == ENV_EXPORTED) && !is_plain_setting(name, value)) {
		walk_reason(w, WHY_VARIABLE, value);
	}
}
