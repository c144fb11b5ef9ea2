/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: finding the tool that a command names.
 */

#include "command/emulate_impl.h"
#include "command/model.h"

/* In the order of their names, for the search. */
static const struct tool {
	const char *name;
	emulate_tool *run;
	bool optional; /* not there on every system: then it prints nothing */
} tools[] = {
	{ ":", emulate_nothing, false },
	{ "awk", emulate_awk, false },
	{ "base32", emulate_base32, false },
	{ "base64", emulate_base64, false },
	{ "basename", emulate_basename, false },
	{ "basenc", emulate_basenc, true },
	{ "cat", emulate_cat, false },
	{ "command", emulate_command, false },
	{ "cut", emulate_cut, false },
	{ "dd", emulate_dd, false },
	{ "dirname", emulate_dirname, false },
	{ "echo", emulate_echo, false },
	{ "egrep", emulate_grep, false },
	{ "expr", emulate_expr, false },
	{ "false", emulate_nothing, false },
	{ "fgrep", emulate_grep, false },
	{ "fold", emulate_fold, false },
	{ "gawk", emulate_awk, true },
	{ "grep", emulate_grep, false },
	{ "gunzip", emulate_gunzip, false },
	{ "gzip", emulate_gunzip, false },
	{ "head", emulate_head, false },
	{ "mawk", emulate_awk, true },
	{ "nawk", emulate_awk, true },
	{ "node", emulate_script, true },
	{ "nodejs", emulate_script, true },
	{ "openssl", emulate_openssl, true },
	{ "paste", emulate_paste, false },
	{ "perl", emulate_script, true },
	{ "php", emulate_script, true },
	{ "printf", emulate_printf_tool, false },
	{ "pv", emulate_dd, true },
	{ "pwd", emulate_pwd, false },
	{ "python", emulate_script, true },
	{ "python2", emulate_script, true },
	{ "python3", emulate_script, true },
	{ "rev", emulate_rev, false },
	{ "ruby", emulate_script, true },
	{ "sed", emulate_sed, false },
	{ "seq", emulate_seq, false },
	{ "sort", emulate_sort, false },
	{ "sponge", emulate_dd, true },
	{ "tac", emulate_tac, false },
	{ "tail", emulate_tail, false },
	{ "tee", emulate_tee, false },
	{ "tr", emulate_tr, false },
	{ "true", emulate_nothing, false },
	{ "type", emulate_command, false },
	{ "uniq", emulate_uniq, false },
	{ "which", emulate_which, false },
	{ "xargs", emulate_xargs, false },
	{ "xxd", emulate_xxd, true },
	{ "yes", emulate_yes, false },
	{ "zcat", emulate_gunzip, false },
};

static const struct tool *
find_tool(const char *name)
{
	size_t low = 0;
	size_t high = sizeof(tools) / sizeof(tools[0]);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, tools[middle].name);

		if (order == 0) {
			return &tools[middle];
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

static const struct field nothing = { .text = "", .exact = UINT32_MAX };

/* Where the programs are on every system. */
static bool
is_common_place(const struct field *program)
{
	return memchr(program->text, '/', program->len) == NULL ||
	       strncmp(program->text, "/bin/", 5) == 0 ||
	       strncmp(program->text, "/usr/bin/", 9) == 0;
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
	const struct tool *tool;

	if (argc == 0 || !field_is_literal(&argv[0])) {
		return false;
	}
	e.name = model_program_name(arena, &argv[0]);
	tool = e.name == NULL ? NULL : find_tool(e.name);
	if (tool == NULL) {
		return false;
	}
	e.flavour = flavour_of(shell, &argv[0]);
	if (!run_tool(&e, tool->run, output)) {
		return false;
	}
	if (e.doubted) {
		output->sure = sure_output(&e, tool->run);
	} else if (tool->optional || !is_common_place(&argv[0])) {
		output->sure = &nothing;
	}
	return true;
}
