/* SPDX-License-Identifier: MIT */
/* Options of builtins that change nothing in the shell, and test, which may run code. */
#include "command/models/shells_impl.h"

#include <string.h>

const struct option_row shells_zf_rm[] = {
	ROW_MODE("r", NULL, DEED_DELETE_TREE),
	ROW_FLAG("dfis", NULL),
	OPTIONS_END,
};

const struct option_row shells_zf_plain[] = {
	ROW_FLAG("dfhinpsRv", NULL),
	ROW_TAKES("m", NULL),
	OPTIONS_END,
};

const struct option_row shells_printf[] = {
	/* The name of the variable may have a subscript, which is evaluated. */
	ROW("v", NULL, ARG_ONE, USE_UNKNOWN),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row shells_pwd[] = {
	ROW_FLAG("LP", "logical physical"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row shells_type[] = {
	ROW_FLAG("afptP", NULL),
	ROW_HELP(NULL, "help"),
	OPTIONS_END,
};

const struct option_row shells_which[] = {
	ROW_FLAG("ais",
		 "all read-alias skip-alias read-functions skip-functions skip-dot skip-tilde "
		 "show-dot show-tilde tty-only"),
	ROW_HELP("vV", "help version"),
	OPTIONS_END,
};

const struct option_row shells_plain[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row shells_wait[] = {
	ROW_FLAG("nf", NULL),
	ROW("p", NULL, ARG_ONE, USE_UNKNOWN),
	OPTIONS_END,
};

const struct option_row shells_jobs[] = {
	ROW_FLAG("lnprs", NULL),
	/* jobs -x runs its operands. */
	ROW("x", NULL, ARG_NONE, USE_COMMAND),
	OPTIONS_END,
};

/* A text in which bash would expand a subscript as in double quotes, for the walker. */
static void
find_subscript(struct findings *found, const struct field *name)
{
	struct field *text = arena_alloc(found->arena, sizeof(*text));
	struct field before = field_static(": \"", name);
	struct field after = field_static("\"", name);

	if (text == NULL) {
		return;
	}
	before = field_join(found->arena, &before, name);
	*text = field_join(found->arena, &before, &after);
	find_code(found, LANG_BASH, text, 0, "test -v");
}

void
shells_refine_test(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i + 1 < match->operand_count; i++) {
		const struct field *word = &match->operands[i];
		const struct field *name = &match->operands[i + 1];

		if (!field_is(word, "-v") && !field_is(word, "-R")) {
			continue;
		}
		if (!field_is_literal(name)) {
			find_unknown(found, "a name whose subscript may run a command", name);
		} else if (memchr(name->text, '[', name->len) != NULL) {
			find_unknown(found, "a subscript", name);
			find_subscript(found, name);
		}
	}
}
