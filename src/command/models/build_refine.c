/* SPDX-License-Identifier: MIT */

/*
 * Command lines inside the options of build tools. cmake -E is a small set of file tools of its
 * own, for builds that must not rely on a shell.
 */

#include "command/models/build_impl.h"

RULE(cmake_unknown, "cmake.tool", PROMPT, UNKNOWN, "runs a tool of cmake that is not known");

enum tool_kind {
	TOOL_PRINTS,
	TOOL_READS,   /* every operand is read */
	TOOL_REMOVES, /* every operand is removed */
	TOOL_REMOVES_DIRS,
	TOOL_COPIES, /* the last operand is written */
	TOOL_MOVES,
	TOOL_MAKES,
	TOOL_RUNS,    /* a command, behind NAME=VALUE words for env */
	TOOL_RUNS_IN, /* a directory, then a command */
	TOOL_LINKS,
};

static const struct {
	const char *name;
	enum tool_kind kind;
} tools[] = {
	{ "capabilities", TOOL_PRINTS },
	{ "echo", TOOL_PRINTS },
	{ "echo_append", TOOL_PRINTS },
	{ "true", TOOL_PRINTS },
	{ "false", TOOL_PRINTS },
	{ "sleep", TOOL_PRINTS },
	{ "cat", TOOL_READS },
	{ "compare_files", TOOL_READS },
	{ "md5sum", TOOL_READS },
	{ "sha1sum", TOOL_READS },
	{ "sha224sum", TOOL_READS },
	{ "sha256sum", TOOL_READS },
	{ "sha384sum", TOOL_READS },
	{ "sha512sum", TOOL_READS },
	{ "rm", TOOL_REMOVES },
	{ "remove", TOOL_REMOVES },
	{ "remove_directory", TOOL_REMOVES_DIRS },
	{ "copy", TOOL_COPIES },
	{ "copy_if_different", TOOL_COPIES },
	{ "copy_if_newer", TOOL_COPIES },
	{ "copy_directory", TOOL_COPIES },
	{ "copy_directory_if_different", TOOL_COPIES },
	{ "rename", TOOL_MOVES },
	{ "make_directory", TOOL_MAKES },
	{ "touch", TOOL_MAKES },
	{ "touch_nocreate", TOOL_MAKES },
	{ "env", TOOL_RUNS },
	{ "time", TOOL_RUNS },
	{ "chdir", TOOL_RUNS_IN },
	{ "create_symlink", TOOL_LINKS },
	{ "create_hardlink", TOOL_LINKS },
};

static bool
is_option(const struct field *word)
{
	return word->len > 1 && word->text[0] == '-';
}

/* One operand of a tool; `last` is the last of them. */
static void
tool_operand(struct findings *found, enum tool_kind kind, const struct field *word, bool last,
	     bool tree)
{
	switch (kind) {
	case TOOL_PRINTS:
	case TOOL_RUNS:
	case TOOL_RUNS_IN:
		break;
	case TOOL_READS:
		find_deed(found, DEED_READ, word);
		break;
	case TOOL_REMOVES:
		find_deed(found, tree ? DEED_DELETE_TREE : DEED_DELETE, word);
		break;
	case TOOL_REMOVES_DIRS:
		find_deed(found, DEED_DELETE_TREE, word);
		break;
	case TOOL_COPIES:
		find_deed(found, last ? DEED_WRITE : DEED_READ, word);
		break;
	case TOOL_MOVES:
		find_deed(found, last ? DEED_WRITE : DEED_MOVE, word);
		break;
	case TOOL_MAKES:
		find_deed(found, DEED_MAKE, word);
		break;
	case TOOL_LINKS:
		find_deed(found, last ? DEED_MAKE : DEED_LIST, word);
		break;
	}
}

/* The command of "env A=B CMD", "time CMD" and "chdir DIR CMD". */
static void
tool_command(struct findings *found, enum tool_kind kind, const struct field *words, size_t count)
{
	size_t at = 0;

	if (kind == TOOL_RUNS_IN) {
		at = 1;
	}
	while (kind == TOOL_RUNS && at < count &&
	       (is_option(&words[at]) || memchr(words[at].text, '=', words[at].len) != NULL)) {
		at++;
	}
	if (at < count) {
		struct inner *inner =
			find_argv(found, words + at, count - at, INNER_PROMPT, "cmake -E");

		inner->cwd = kind == TOOL_RUNS_IN ? &words[0] : NULL;
	}
}

void
build_cmake_tool(const struct match *match, struct findings *found, const struct field *tool)
{
	const struct field *words = tool + 1;
	size_t count = (size_t)(match->argv + match->argc - words);
	bool tree = false;

	for (size_t i = 0; i < count; i++) {
		tree |= is_option(&words[i]) && memchr(words[i].text, 'r', words[i].len) != NULL;
	}
	for (size_t t = 0; t < sizeof(tools) / sizeof(tools[0]); t++) {
		if (!field_is(tool, tools[t].name)) {
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			if (!is_option(&words[i])) {
				tool_operand(found, tools[t].kind, &words[i], i + 1 == count, tree);
			}
		}
		if (tools[t].kind == TOOL_RUNS || tools[t].kind == TOOL_RUNS_IN) {
			tool_command(found, tools[t].kind, words, count);
		}
		return;
	}
	find_rule(found, &cmake_unknown, tool);
}

void
build_split_commas(struct findings *found, const struct field *text)
{
	size_t count = 1;
	size_t from = 0;
	struct field *argv;

	for (size_t i = 0; i < text->len; i++) {
		count += text->text[i] == ',';
	}
	argv = arena_array(found->arena, count, sizeof(*argv));
	if (argv == NULL) {
		return;
	}
	count = 0;
	for (size_t i = 0; i <= text->len; i++) {
		if (i == text->len || text->text[i] == ',') {
			argv[count++] =
				field_literal(found->arena, text->text + from, i - from, text);
			from = i + 1;
		}
	}
	find_argv(found, argv, count, INNER_PROMPT, "gcc -wrapper");
}
