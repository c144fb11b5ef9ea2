/* SPDX-License-Identifier: MIT */
/*
 * Shells, and builtins that change nothing in the shell that is walked. How a shell reads its
 * command line is unlike any getopt: -o takes the next word from within a cluster, and -c takes the
 * first operand, wherever it stands.
 */
#include "command/models/shells_impl.h"

#include <string.h>

RULE(rule_interactive, "shell.start-files", PROMPT, EXECUTES,
     "runs the start-up files of an interactive shell");
RULE(rule_privileged, "shell.privileged", PROMPT, PRIVILEGE,
     "keeps the rights of a setuid program");

/* ---- reading the command line -------------------------------------------------------------- */

/* What is known of a shell's options, and of what it runs. */
struct shell_line {
	const struct field *argv;
	size_t argc;
	size_t at;
	const struct shell_kind *kind;
	bool command, input, interactive, login, noexec, help, privileged;
	const struct field *rcfile;
	const struct field *strange; /* an option that changes how the text is read, or an unknown
				      * one */
};

/* Names of set -o that do not change what a text does. */
static const char harmless_names[] = "errexit nounset pipefail xtrace verbose errtrace functrace "
				     "hashall monitor notify ignoreeof physical noclobber vi emacs "
				     "nolog braceexpand onecmd interactive-comments noglob";

static bool
is_long_name(const char *text, const char *names)
{
	return service_word_in(text, names);
}

/* --name, and with bash -name. false: it is a cluster of letters. */
static bool
take_long(struct shell_line *line, const char *text)
{
	static const char plain[] = "noediting noprofile norc verbose restricted debugger "
				    "no-rcs no-globalrcs";
	bool two = text[0] == '-';
	const char *name = text + (two ? 1 : 0);

	if (!line->kind->long_names || name[0] == '\0' || (!two && name[1] == '\0')) {
		return false;
	}
	if (is_long_name(name, "rcfile init-file")) {
		line->rcfile = line->at < line->argc ? &line->argv[line->at++] : NULL;
	} else if (is_long_name(name, "help version")) {
		line->help = true;
	} else if (is_long_name(name, "login")) {
		line->login = true;
	} else if (is_long_name(name, "dump-strings dump-po-strings pretty-print")) {
		line->noexec = true;
	} else if (!is_long_name(name, plain)) {
		if (!two) {
			return false;
		}
		line->strange = &line->argv[line->at - 1];
	}
	return true;
}

/* -o NAME, -O NAME: from a cluster, the next word. */
static void
take_name(struct shell_line *line, char letter, bool on)
{
	const struct field *name;

	if (line->at >= line->argc) {
		return;
	}
	name = &line->argv[line->at++];
	if (letter == 'o' && field_is(name, "noexec")) {
		line->noexec = on;
	} else if (letter != 'o' || !field_is_literal(name) ||
		   !service_word_in(name->text, harmless_names)) {
		line->strange = name;
	}
}

static void
take_letter(struct shell_line *line, const struct field *word, char letter, bool on)
{
	/* What these do to a text, the reader of the text does not ask: they stop it earlier, show
	 * it, or make it do less. */
	static const char plain[] = "efuvxbhmBCEPTdIVqrtKY123";

	switch (letter) {
	case 'c':
		line->command = true;
		break;
	case 's':
		line->input = true;
		break;
	case 'i':
		line->interactive = on;
		break;
	case 'l':
		line->login = true;
		break;
	case 'n':
		line->noexec = on;
		break;
	case 'D':
		line->noexec = true;
		break;
	case 'p':
		line->privileged = on;
		break;
	case 'o':
	case 'O':
		take_name(line, letter, on);
		break;
	default:
		if (strchr(plain, letter) == NULL || (!on && letter == 'B')) {
			line->strange = word;
		}
		break;
	}
}

/* The options of a shell; `at` is the first operand then. */
static void
read_options(struct shell_line *line)
{
	bool letters = false;

	while (line->at < line->argc) {
		const struct field *word = &line->argv[line->at];
		char sign = word->text[0];

		if (!field_is_literal(word)) {
			/* It may be options, or none. */
			line->strange = sign == '-' || sign == '+' || field_known_prefix(word) == 0
						? word
						: line->strange;
			return;
		}
		if ((sign != '-' && sign != '+') || (sign == '+' && word->len == 1)) {
			return;
		}
		line->at++;
		if (word->len == 1 || (sign == '-' && word->len == 2 && word->text[1] == '-')) {
			return;
		}
		if (!letters && sign == '-' && take_long(line, word->text + 1)) {
			if (line->help) {
				return;
			}
			continue;
		}
		letters = true;
		for (size_t i = 1; i < word->len; i++) {
			take_letter(line, word, word->text[i], sign == '-');
		}
	}
}

/* ---- what it runs -------------------------------------------------------------------------- */

static const char *
via_command(const struct shell_kind *kind)
{
	return kind->language == LANG_SH ? "sh -c" : "bash -c";
}

/* bash -s ARG...: $0 is the shell's own name. */
static const struct field *
with_name(const struct shell_line *line, struct findings *found)
{
	size_t rest = line->argc - line->at;
	struct field *argv = arena_array(found->arena, rest + 1, sizeof(*argv));

	if (argv == NULL) {
		return line->argv;
	}
	argv[0] = line->argv[0];
	if (rest > 0) {
		memcpy(argv + 1, &line->argv[line->at], rest * sizeof(*argv));
	}
	return argv;
}

static void
find_what_runs(const struct shell_line *line, struct findings *found)
{
	const struct shell_kind *kind = line->kind;
	const struct field *argv = line->argv;
	struct inner *inner;

	if (line->command) {
		if (line->at >= line->argc) {
			return;
		}
		inner = find_code(found, kind->language, &argv[line->at], 0, via_command(kind));
		inner->argv = &argv[line->at + 1];
		inner->argc = line->argc - line->at - 1;
	} else if (line->input || line->at >= line->argc) {
		inner = find_stdin(found, kind->language, 0, kind->name);
		inner->argv = with_name(line, found);
		inner->argc = line->argc - line->at + 1;
	} else {
		inner = find_file(found, kind->language, &argv[line->at], 0, kind->name);
		inner->argv = &argv[line->at];
		inner->argc = line->argc - line->at;
	}
}

/* With -n nothing runs, but a file is read. */
static void
find_what_is_read(const struct shell_line *line, struct findings *found)
{
	if (!line->command && !line->input && line->at < line->argc) {
		find_deed(found, DEED_READ, &line->argv[line->at]);
	}
}

void
shells_judge(const struct shell_kind *kind, const struct match *match, struct findings *found)
{
	struct shell_line line = {
		.argv = match->argv,
		.argc = match->argc,
		.at = 1,
		.kind = kind,
	};

	read_options(&line);
	if (line.help && line.strange == NULL) {
		return;
	}
	if (line.strange != NULL) {
		find_unknown(found, "an option of the shell", line.strange);
	}
	if (line.noexec && !line.interactive && line.strange == NULL) {
		find_what_is_read(&line, found);
		return;
	}
	if (!kind->read) {
		find_unknown(found, "a text in a grammar of its own", &match->argv[0]);
	}
	if (line.rcfile != NULL) {
		find_file(found, kind->language, line.rcfile, 0, kind->name);
	}
	if (line.interactive) {
		find_rule(found, &rule_interactive, NULL);
	}
	if (line.privileged) {
		find_rule(found, &rule_privileged, NULL);
	}
	find_what_runs(&line, found);
}

/* ---- the shells ---------------------------------------------------------------------------- */

static const struct shell_kind kind_bash = { "bash", LANG_BASH, true, true };
static const struct shell_kind kind_sh = { "sh", LANG_SH, true, true };
static const struct shell_kind kind_dash = { "sh", LANG_SH, false, true };
/* Close enough to find what is forbidden, too far to say that something is harmless. */
static const struct shell_kind kind_other = { "another shell", LANG_BASH, true, false };

static void
refine_bash(const struct match *match, struct findings *found)
{
	shells_judge(&kind_bash, match, found);
}

static void
refine_sh(const struct match *match, struct findings *found)
{
	shells_judge(&kind_sh, match, found);
}

static void
refine_dash(const struct match *match, struct findings *found)
{
	shells_judge(&kind_dash, match, found);
}

static void
refine_other(const struct match *match, struct findings *found)
{
	shells_judge(&kind_other, match, found);
}

#define SHELL(names, refine)                                                                       \
	{                                                                                          \
		names, ".*", NULL, NULL, PARSE_NONE, 0, NULL, refine                               \
	}

const struct program models_shells[] = {
	SHELL("bash rbash", refine_bash),
	SHELL("sh", refine_sh),
	SHELL("dash ash", refine_dash),
	SHELL("zsh ksh ksh93 mksh oksh pdksh lksh yash posh fish csh tcsh nu elvish xonsh rc es "
	      "oil osh ysh",
	      refine_other),
	/* Files by zsh's own builtins (zsh/files). */
	{ "zf_rm", "d*", shells_zf_rm, NULL, 0, 0, NULL, NULL },
	{ "zf_rmdir", "d*", NULL, NULL, 0, 0, NULL, NULL },
	{ "zf_mv", "v* w$", shells_zf_plain, NULL, 0, 0, NULL, NULL },
	{ "zf_ln", "f* w$", shells_zf_plain, NULL, 0, 0, NULL, NULL },
	{ "zf_chmod zf_chown zf_chgrp", ". c*", shells_zf_plain, NULL, 0, 0, NULL, NULL },
	{ "zf_mkdir", "m*", shells_zf_plain, NULL, 0, 0, NULL, NULL },
	/* Builtins. */
	{ "echo", ".*", NULL, NULL, PARSE_NONE, FIND_IGNORES_INPUT, NULL, NULL },
	{ "printf", ".*", shells_printf, NULL, PARSE_POSIX | PARSE_NO_CLUSTER, FIND_IGNORES_INPUT,
	  NULL, NULL },
	{ "true false :", ".*", NULL, NULL, PARSE_NONE, FIND_OUT_NOTHING | FIND_IGNORES_INPUT, NULL,
	  NULL },
	{ "test [", ".*", NULL, NULL, PARSE_NONE, FIND_OUT_NOTHING | FIND_IGNORES_INPUT, NULL,
	  shells_refine_test },
	{ "pwd", ".*", shells_pwd, NULL, 0, FIND_IGNORES_INPUT, NULL, NULL },
	{ "type", ".*", shells_type, NULL, 0, FIND_IGNORES_INPUT, NULL, NULL },
	{ "which", ".*", shells_which, NULL, 0, FIND_IGNORES_INPUT, NULL, NULL },
	{ "sleep", ".*", shells_plain, NULL, 0, FIND_OUT_NOTHING | FIND_IGNORES_INPUT, NULL, NULL },
	{ "times", NULL, NULL, NULL, PARSE_NONE, FIND_IGNORES_INPUT, NULL, NULL },
	{ "wait", ".*", shells_wait, NULL, 0, FIND_OUT_NOTHING | FIND_IGNORES_INPUT, NULL, NULL },
	{ "jobs", ".*", shells_jobs, NULL, 0, FIND_IGNORES_INPUT, NULL, NULL },
	{ "dirs caller fg bg disown umask ulimit logout exit return break continue help", ".*",
	  NULL, NULL, PARSE_NONE, FIND_IGNORES_INPUT, NULL, NULL },
	PROGRAMS_END,
};
