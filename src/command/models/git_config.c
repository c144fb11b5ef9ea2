/* SPDX-License-Identifier: MIT */

/*
 * Keys of git's configuration that name programs or widen what git does, aliases, and the "ext"
 * transport.
 *
 * Invariants:
 *   - a key is harmless only when `harmless` lists it: git learns new keys that run something
 *   - sections and names compare without case, as git does; subsections are not looked at
 */

#include "command/models/git_impl.h"

/* What the value of a key is. */
enum key_kind {
	KEY_SHELL,   /* text that a shell runs */
	KEY_BANG,    /* a shell's text when it begins with "!" */
	KEY_ALIAS,   /* as above, else the words of a git command */
	KEY_HELPER,  /* "!text", a path, or the end of a program's name */
	KEY_PROGRAM, /* names a program */
	KEY_HOOKS,   /* names a directory of programs */
	KEY_FILE,    /* names a file of configuration */
	KEY_RISKY,   /* runs nothing by itself, and is not harmless */
};

struct key_row {
	const char *section;
	const char *name;
	enum key_kind kind;
};

static const struct key_row keys[] = {
	{ "alias", "*", KEY_ALIAS },
	{ "core", "pager", KEY_SHELL },
	{ "core", "editor", KEY_SHELL },
	{ "core", "sshcommand", KEY_SHELL },
	{ "core", "fsmonitor", KEY_SHELL },
	{ "core", "askpass", KEY_SHELL },
	{ "core", "gitproxy", KEY_SHELL },
	{ "core", "alternaterefscommand", KEY_SHELL },
	{ "core", "hookspath", KEY_HOOKS },
	{ "core", "worktree", KEY_RISKY },
	{ "pager", "*", KEY_SHELL },
	{ "sequence", "editor", KEY_SHELL },
	{ "diff", "external", KEY_SHELL },
	{ "diff", "command", KEY_SHELL },
	{ "diff", "textconv", KEY_SHELL },
	{ "interactive", "difffilter", KEY_SHELL },
	{ "filter", "clean", KEY_SHELL },
	{ "filter", "smudge", KEY_SHELL },
	{ "filter", "process", KEY_SHELL },
	{ "merge", "driver", KEY_SHELL },
	{ "difftool", "cmd", KEY_SHELL },
	{ "difftool", "path", KEY_PROGRAM },
	{ "mergetool", "cmd", KEY_SHELL },
	{ "mergetool", "path", KEY_PROGRAM },
	{ "browser", "cmd", KEY_SHELL },
	{ "browser", "path", KEY_PROGRAM },
	{ "man", "cmd", KEY_SHELL },
	{ "man", "path", KEY_PROGRAM },
	{ "guitool", "cmd", KEY_SHELL },
	{ "trailer", "command", KEY_SHELL },
	{ "trailer", "cmd", KEY_SHELL },
	{ "tar", "command", KEY_SHELL },
	{ "hook", "command", KEY_SHELL },
	{ "credential", "helper", KEY_HELPER },
	{ "submodule", "update", KEY_BANG },
	{ "remote", "uploadpack", KEY_SHELL },
	{ "remote", "receivepack", KEY_SHELL },
	{ "uploadpack", "packobjectshook", KEY_SHELL },
	{ "sendemail", "tocmd", KEY_SHELL },
	{ "sendemail", "cccmd", KEY_SHELL },
	{ "sendemail", "headercmd", KEY_SHELL },
	{ "sendemail", "sendmailcmd", KEY_SHELL },
	{ "sendemail", "smtpserver", KEY_PROGRAM },
	{ "imap", "tunnel", KEY_SHELL },
	{ "gpg", "program", KEY_PROGRAM },
	{ "gpg", "defaultkeycommand", KEY_SHELL },
	{ "instaweb", "httpd", KEY_SHELL },
	{ "web", "browser", KEY_RISKY },
	{ "ssh", "variant", KEY_RISKY },
	{ "include", "path", KEY_FILE },
	{ "includeif", "path", KEY_FILE },
};

/* Keys that only change what is shown, or how a name is spelt. "*": every key of the section. */
static const struct key_row harmless[] = {
	{ "advice", "*", KEY_RISKY },
	{ "color", "*", KEY_RISKY },
	{ "column", "*", KEY_RISKY },
	{ "i18n", "*", KEY_RISKY },
	{ "log", "*", KEY_RISKY },
	{ "pretty", "*", KEY_RISKY },
	{ "format", "pretty", KEY_RISKY },
	{ "core", "quotepath", KEY_RISKY },
	{ "core", "abbrev", KEY_RISKY },
	{ "core", "precomposeunicode", KEY_RISKY },
	{ "core", "ignorecase", KEY_RISKY },
	{ "core", "longpaths", KEY_RISKY },
	{ "core", "preloadindex", KEY_RISKY },
	{ "core", "untrackedcache", KEY_RISKY },
	{ "core", "commentchar", KEY_RISKY },
	{ "core", "whitespace", KEY_RISKY },
	{ "diff", "renames", KEY_RISKY },
	{ "diff", "renamelimit", KEY_RISKY },
	{ "diff", "noprefix", KEY_RISKY },
	{ "diff", "mnemonicprefix", KEY_RISKY },
	{ "diff", "context", KEY_RISKY },
	{ "diff", "interhunkcontext", KEY_RISKY },
	{ "diff", "algorithm", KEY_RISKY },
	{ "diff", "colormoved", KEY_RISKY },
	{ "diff", "colormovedws", KEY_RISKY },
	{ "diff", "indentheuristic", KEY_RISKY },
	{ "diff", "wserrorhighlight", KEY_RISKY },
	{ "diff", "submodule", KEY_RISKY },
	{ "diff", "ignoresubmodules", KEY_RISKY },
	{ "diff", "suppressblankempty", KEY_RISKY },
	{ "diff", "statgraphwidth", KEY_RISKY },
	{ "diff", "relative", KEY_RISKY },
	{ "grep", "linenumber", KEY_RISKY },
	{ "grep", "patterntype", KEY_RISKY },
	{ "grep", "fullname", KEY_RISKY },
	{ "grep", "column", KEY_RISKY },
	{ "grep", "threads", KEY_RISKY },
	{ "status", "*", KEY_RISKY },
	{ "blame", "*", KEY_RISKY },
	{ "user", "name", KEY_RISKY },
	{ "user", "email", KEY_RISKY },
	{ "gc", "auto", KEY_RISKY },
	{ "branch", "sort", KEY_RISKY },
	{ "tag", "sort", KEY_RISKY },
	{ "versionsort", "suffix", KEY_RISKY },
	{ "init", "defaultbranch", KEY_RISKY },
};

RULE(override_helper, "git.config-program", PROMPT, EXECUTES,
     "sets a configuration key that names a program");
RULE(override_key, "git.config-override", PROMPT, UNKNOWN,
     "sets a configuration key for this command");
RULE(override_file, "git.config-include", PROMPT, EXECUTES,
     "reads configuration, which may name programs, from another file");
RULE(override_hooks, "git.hooks-path", PROMPT, EXECUTES, "takes hooks from another directory");
RULE(override_programs, "git.exec-path", PROMPT, EXECUTES,
     "takes the programs of git from another directory");
RULE(ext_transport, "git.ext-transport", PROMPT, EXECUTES,
     "runs a command as the other end of the transport");

/* ---- keys -------------------------------------------------------------------------------- */

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does text[0..len) say `word` (lower case), in any case? */
static bool
says(const char *text, size_t len, const char *word)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\0' || lower(text[i]) != word[i]) {
			return false;
		}
	}
	return word[len] == '\0';
}

static const struct key_row *
key_find(const struct key_row *rows, size_t count, const char *key, size_t len)
{
	size_t section = 0;
	size_t name = len;

	while (section < len && key[section] != '.') {
		section++;
	}
	while (name > 0 && key[name - 1] != '.') {
		name--;
	}
	if (section == len) {
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (says(key, section, rows[i].section) &&
		    (rows[i].name[0] == '*' || says(key + name, len - name, rows[i].name))) {
			return &rows[i];
		}
	}
	return NULL;
}

#define KEY_FIND(rows, key, len) key_find(rows, sizeof(rows) / sizeof((rows)[0]), key, len)

/* The words of an alias, and what follows its name, as a git command. */
static void
find_alias(const struct match *match, struct findings *found, const struct field *value,
	   unsigned flags)
{
	struct field *text = arena_alloc(found->arena, sizeof(*text));
	struct field git;

	if (text == NULL) {
		return;
	}
	if (value->len > 0 && value->text[0] == '!') {
		*text = field_tail(found->arena, value, 1);
		find_code(found, LANG_SH, text, flags, "git alias")->argv = match->operands;
		return;
	}
	git = field_static("git ", value);
	*text = field_join(found->arena, &git, value);
	if (match->parent == NULL && (flags & INNER_LATER) == 0) {
		for (size_t i = 1; i < match->operand_count; i++) {
			struct field blank = field_static(" ", value);

			*text = field_join(found->arena, text, &blank);
			*text = field_join(found->arena, text, &match->operands[i]);
		}
	}
	find_code(found, LANG_SH, text, flags | INNER_SPLIT, "git alias");
}

static void
find_helper(struct findings *found, const struct field *value, unsigned flags)
{
	struct field *text = arena_alloc(found->arena, sizeof(*text));

	if (text == NULL) {
		return;
	}
	if (value->len > 0 && value->text[0] == '!') {
		*text = field_tail(found->arena, value, 1);
		find_code(found, LANG_SH, text, flags, "git credential helper");
	} else if (value->len > 0 && value->text[0] == '/') {
		find_code(found, LANG_SH, value, flags, "git credential helper");
	}
}

/* Hooks that the most common commands run. */
static void
find_hooks(struct findings *found, const struct field *dir)
{
	static const char *const hooks[] = { "/pre-commit",    "/commit-msg", "/post-commit",
					     "/post-checkout", "/post-merge", "/pre-push" };

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		struct field name = field_static(hooks[i], dir);
		struct field *path = arena_alloc(found->arena, sizeof(*path));

		if (path == NULL) {
			return;
		}
		*path = field_join(found->arena, dir, &name);
		find_file(found, LANG_SH, path, INNER_LATER, "git hook");
	}
}

static bool
is_boolean(const struct field *value)
{
	return value->kind == BAILEY_WORD_LITERAL &&
	       service_word_in(value->text, "true false yes no on off 0 1");
}

/* A pager that only shows. */
static bool
is_plain_pager(const struct key_row *row, const struct field *value)
{
	if (strcmp(row->section, "pager") != 0 && strcmp(row->name, "pager") != 0) {
		return false;
	}
	return value != NULL &&
	       (is_boolean(value) || (value->kind == BAILEY_WORD_LITERAL &&
				      (value->len == 0 || field_is(value, "cat"))));
}

static void
find_value(const struct match *match, struct findings *found, const struct key_row *row,
	   const struct field *value, unsigned flags)
{
	switch (row->kind) {
	case KEY_ALIAS:
		find_alias(match, found, value, flags);
		break;
	case KEY_BANG:
		if (value->len > 0 && value->text[0] == '!') {
			find_alias(match, found, value, flags);
		}
		break;
	case KEY_SHELL:
		if (value->len > 0 && !is_boolean(value)) {
			find_code(found, LANG_SH, value, flags, "git config");
		}
		break;
	case KEY_HELPER:
		find_helper(found, value, flags);
		break;
	case KEY_PROGRAM:
		find_code(found, LANG_SH, value, flags | INNER_SPLIT, "git config");
		break;
	case KEY_HOOKS:
		find_hooks(found, value);
		break;
	case KEY_FILE:
		find_deed(found, DEED_READ, value);
		break;
	case KEY_RISKY:
		break;
	}
}

static const struct rule *
key_rule(enum key_kind kind)
{
	switch (kind) {
	case KEY_HOOKS:
		return &override_hooks;
	case KEY_FILE:
		return &override_file;
	case KEY_RISKY:
		return &override_key;
	case KEY_SHELL:
	case KEY_BANG:
	case KEY_ALIAS:
	case KEY_HELPER:
	case KEY_PROGRAM:
		break;
	}
	return &override_helper;
}

void
git_config_key(const struct match *match, struct findings *found, const struct field *key,
	       const struct field *value, bool later)
{
	const struct key_row *row;
	unsigned flags = INNER_PROMPT | (later ? (unsigned)INNER_LATER : 0);

	if (!field_is_literal(key)) {
		find_rule(found, &override_key, key);
		return;
	}
	row = KEY_FIND(keys, key->text, key->len);
	if (row != NULL && !later && is_plain_pager(row, value)) {
		return;
	}
	if (row != NULL) {
		find_rule(found, key_rule(row->kind), key);
		if (value != NULL) {
			find_value(match, found, row, value, flags);
		}
		return;
	}
	if (!later && KEY_FIND(harmless, key->text, key->len) == NULL) {
		find_rule(found, &override_key, key);
	}
}

/* ---- what the options in front say ------------------------------------------------------- */

/* The length of the key in "key=value"; an argument without "=" is all key. */
static size_t
key_length(const struct field *arg)
{
	size_t known = field_known_prefix(arg);

	for (size_t i = 0; i < known; i++) {
		if (arg->text[i] == '=') {
			return i;
		}
	}
	return arg->len;
}

static void
refine_override(const struct match *match, struct findings *found, const struct field *arg)
{
	size_t len = key_length(arg);
	struct field *parts = arena_alloc(found->arena, 2 * sizeof(*parts));

	if (parts == NULL) {
		return;
	}
	if (len == arg->len) {
		git_config_key(match, found, arg, NULL, false);
		return;
	}
	parts[0] = field_literal(found->arena, arg->text, len, arg);
	parts[1] = field_tail(found->arena, arg, len + 1);
	git_config_key(match, found, &parts[0], &parts[1], false);
}

bool
git_config_off(const struct match *match, const char *key)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		size_t len;

		if (option->row->use != USE_CONFIG || option->arg == NULL) {
			continue;
		}
		len = key_length(option->arg);
		if (len < option->arg->len && says(option->arg->text, len, key) &&
		    !service_word_in(option->arg->text + len + 1, "true yes on 1")) {
			return true;
		}
	}
	return false;
}

void
git_refine_all(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->row->use == USE_CONFIG && option->arg != NULL) {
			refine_override(match, found, option->arg);
		} else if (option->arg != NULL && option->name != NULL &&
			   strcmp(option->name, "exec-path") == 0) {
			find_rule(found, &override_programs, option->arg);
		}
	}
}

/* ---- ext:: ------------------------------------------------------------------------------- */

/* Takes the next word off `text` as git's ext transport reads it: "% " is a blank, "%%" a percent
 * sign, and the others stand for what git puts in. */
static size_t
ext_word(const char *text, size_t len, size_t from, char *out, size_t *out_len)
{
	size_t at = from;

	*out_len = 0;
	while (at < len && text[at] != ' ') {
		if (text[at] == '%' && at + 1 < len) {
			at++;
		}
		out[(*out_len)++] = text[at++];
	}
	while (at < len && text[at] == ' ') {
		at++;
	}
	return at;
}

static void
find_ext_command(struct findings *found, const struct field *url, size_t from)
{
	size_t room = 1;
	size_t count = 0;
	char *buffer = arena_alloc(found->arena, url->len + 1);
	struct field *argv;

	for (size_t i = from; i < url->len; i++) {
		room += url->text[i] == ' ';
	}
	argv = arena_alloc(found->arena, (room + 1) * sizeof(*argv));
	if (buffer == NULL || argv == NULL) {
		return;
	}
	for (size_t at = from; at < url->len && count < room; count++) {
		size_t len;

		at = ext_word(url->text, url->len, at, buffer, &len);
		argv[count] = field_literal(found->arena, buffer, len, url);
	}
	if (count > 0) {
		find_argv(found, argv, count, INNER_PROMPT, "git ext::");
	}
}

void
git_find_ext(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *url = &match->operands[i];

		if (!service_starts(url, "ext::")) {
			continue;
		}
		find_rule(found, &ext_transport, url);
		if (field_is_literal(url)) {
			find_ext_command(found, url, strlen("ext::"));
		}
	}
}
