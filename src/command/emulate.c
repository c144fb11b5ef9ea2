/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: finding the tool that a command names.
 */

#include "command/emulate_impl.h"
#include "command/model.h"

/* In the order of their names, for the search. */
static const struct {
	const char *name;
	emulate_tool *run;
} tools[] = {
	{ ":", emulate_nothing },
	{ "awk", emulate_awk },
	{ "base32", emulate_base32 },
	{ "base64", emulate_base64 },
	{ "basename", emulate_basename },
	{ "basenc", emulate_basenc },
	{ "cat", emulate_cat },
	{ "command", emulate_command },
	{ "cut", emulate_cut },
	{ "dd", emulate_dd },
	{ "dirname", emulate_dirname },
	{ "echo", emulate_echo },
	{ "egrep", emulate_grep },
	{ "expr", emulate_expr },
	{ "false", emulate_nothing },
	{ "fgrep", emulate_grep },
	{ "fold", emulate_fold },
	{ "gawk", emulate_awk },
	{ "grep", emulate_grep },
	{ "gunzip", emulate_gunzip },
	{ "gzip", emulate_gunzip },
	{ "head", emulate_head },
	{ "mawk", emulate_awk },
	{ "nawk", emulate_awk },
	{ "node", emulate_script },
	{ "nodejs", emulate_script },
	{ "openssl", emulate_openssl },
	{ "paste", emulate_paste },
	{ "perl", emulate_script },
	{ "php", emulate_script },
	{ "printf", emulate_printf_tool },
	{ "pv", emulate_dd },
	{ "pwd", emulate_pwd },
	{ "python", emulate_script },
	{ "python2", emulate_script },
	{ "python3", emulate_script },
	{ "rev", emulate_rev },
	{ "ruby", emulate_script },
	{ "sed", emulate_sed },
	{ "seq", emulate_seq },
	{ "sort", emulate_sort },
	{ "sponge", emulate_dd },
	{ "tac", emulate_tac },
	{ "tail", emulate_tail },
	{ "tee", emulate_tee },
	{ "tr", emulate_tr },
	{ "true", emulate_nothing },
	{ "type", emulate_command },
	{ "uniq", emulate_uniq },
	{ "which", emulate_which },
	{ "xargs", emulate_xargs },
	{ "xxd", emulate_xxd },
	{ "yes", emulate_yes },
	{ "zcat", emulate_gunzip },
};

static emulate_tool *
find_tool(const char *name)
{
	size_t low = 0;
	size_t high = sizeof(tools) / sizeof(tools[0]);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, tools[middle].name);

		if (order == 0) {
			return tools[middle].run;
		}
		if (order < 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return NULL;
}

static enum flavour
flavour_of(const struct shell *shell, const struct field *program)
{
	if (memchr(program->text, '/', program->len) != NULL) {
		return FLAVOUR_GNU;
	}
	return shell != NULL && shell->dialect == DIALECT_SH ? FLAVOUR_SH : FLAVOUR_BASH;
}

static bool
run_tool(struct emulation *e, emulate_tool *run, struct stream *output)
{
	switch (run(e)) {
	case EMULATE_DONE:
		emulate_finish(&e->out, output);
		return true;
	case EMULATE_UNKNOWN:
		*output = stream_unknown(e->out.taint);
		return true;
	case EMULATE_NO:
	default:
		return false;
	}
}

/* What it prints when of what may not have been written nothing was. */
static const struct field *
sure_output(const struct emulation *e, emulate_tool *run)
{
	struct emulation again = *e;
	struct field *sure = arena_alloc(e->arena, sizeof(*sure));
	struct stream output;

	again.out = (struct emulate_out){ .arena = e->arena, .shell = e->shell };
	again.sure = true;
	if (sure != NULL) {
		*sure = run_tool(&again, run, &output) ? output.data
						       : field_unknown(e->out.taint, false, NULL);
	}
	return sure;
}

bool
emulate(struct arena *arena, struct shell *shell, const struct field *argv, size_t argc,
	const struct stream *input, struct stream *output)
{
	struct emulation e = {
		.arena = arena,
		.shell = shell,
		.argv = argv,
		.argc = argc,
		.input = input,
		.out = { .arena = arena, .shell = shell },
	};
	emulate_tool *run;

	if (argc == 0 || !field_is_literal(&argv[0])) {
		return false;
	}
	e.name = model_program_name(arena, &argv[0]);
	run = e.name == NULL ? NULL : find_tool(e.name);
	if (run == NULL) {
		return false;
	}
	e.flavour = flavour_of(shell, &argv[0]);
	if (!run_tool(&e, run, output)) {
		return false;
	}
	if (e.doubted) {
		output->sure = sure_output(&e, run);
	}
	return true;
}
