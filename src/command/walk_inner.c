/* SPDX-License-Identifier: MIT */
/*
 * What commands run in turn: the words behind a wrapper, or code. All of it is judged in a subshell
 * unless it acts on this shell.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- coming in and going out -------------------------------------------------------------- */

static bool
too_deep(struct walk *w, const struct field *at)
{
	if (w->depth >= BAILEY_COMMAND_DEPTH) {
		walk_reason(w, WHY_TOO_DEEP, at);
		return true;
	}
	/* Texts that make texts could go on for ever: that is said, and they end. */
	return w->visits > 8 * w->budget && walk_spent(w);
}

bool
walk_come_in(struct walk *w, struct visit *visit, unsigned flags, const char *via,
	     const struct field *at)
{
	if (too_deep(w, at) || !walk_enter(w)) {
		return false;
	}
	w->depth++;
	visit->subject = w->subject;
	visit->via = w->via;
	visit->parent = w->parent;
	visit->here = (flags & INNER_HERE) != 0;
	if (!visit->here) {
		walk_fork(w, &visit->sub);
	}
	if (via != NULL) {
		w->via = via;
	}
	if (w->subject.command != SIZE_MAX) {
		w->parent = w->subject.command;
	}
	if ((flags & INNER_REMOTE) != 0) {
		w->subject.remote = true;
		w->shell.cwd = field_unknown(0, false, NULL);
	}
	return true;
}

void
walk_go_out(struct walk *w, struct visit *visit)
{
	if (!visit->here) {
		walk_fork_end(w, &visit->sub);
	}
	w->subject = visit->subject;
	w->via = visit->via;
	w->parent = visit->parent;
	w->depth--;
	walk_leave(w);
}

static void
say_flags(struct walk *w, unsigned flags, const struct field *at)
{
	static const struct {
		unsigned flag;
		enum why why;
	} rows[] = {
		{ INNER_REMOTE, WHY_ELSEWHERE },
		{ INNER_PRIVILEGED, WHY_PRIVILEGED },
		{ INNER_LATER, WHY_LATER },
		{ INNER_PROMPT, WHY_WRAPPER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((flags & rows[i].flag) != 0) {
			walk_reason(w, rows[i].why, at);
		}
	}
}

/* Has the shell an option with this letter? */
static bool
has_option(const struct command *command, char letter)
{
	for (size_t i = 1; i < command->argc; i++) {
		const struct field *word = &command->argv[i];

		if (word->text[0] == '-' && word->text[1] != '-' &&
		    strchr(word->text, letter) != NULL) {
			return true;
		}
	}
	return false;
}

/* ---- code from the standard input --------------------------------------------------------- */

/* The standard input is code. */
static void
walk_code_input(struct walk *w, const struct command *command, const struct code_run *run,
		const struct stream *input)
{
	struct flow *in = walk_fd(w, 0);
	struct flow *out = walk_fd(w, 1);
	bool shell = run->language == LANG_BASH || run->language == LANG_SH;
	bool to_network = walk_is_network(out);
	struct field hint = field_unknown(TAINT_OUTPUT | WALK_TAINT_SHELL, false, NULL);
	bool fifo = (in != NULL && in->fifo) || (input->data.taint & WALK_TAINT_FIFO) != 0;
	struct flow *rest;

	if (walk_is_network(in)) {
		walk_reason(w, WHY_REVERSE_SHELL, &command->argv[0]);
		return;
	}
	if (to_network && (input->open || shell)) {
		walk_reason(w, WHY_REVERSE_SHELL, &command->argv[0]);
	}
	rest = walk_flow_new(w, FLOW_TEXT);
	if (rest != NULL) {
		rest->reads = true;
		rest->text = stream_unknown(input->data.taint);
	}
	walk_code_stream(w, run, input, &command->argv[0]);
	if (in != NULL) {
		in->touched = true;
	}
	if (shell && (fifo || (input->open && has_option(command, 'i')))) {
		walk_emit(w, 1, &hint);
	}
}

/* ---- argument vectors --------------------------------------------------------------------- */

static void
set_environment(struct walk *w, const struct inner *inner)
{
	for (size_t i = 0; inner->assignments != NULL && inner->assignments[i] != NULL; i++) {
		struct assigned a;
		struct var *var;

		if (!walk_split_assignment(w, inner->assignments[i], &a)) {
			walk_reason(w, WHY_VARIABLE, inner->assignments[i]);
			continue;
		}
		walk_environment(w, a.name, &a.value, ENV_PREFIX);
		shell_set(&w->shell, a.name, &a.value);
		var = shell_declare(&w->shell, a.name);
		if (var != NULL) {
			var->exported = true;
		}
	}
}

static void
run_argv(struct walk *w, const struct inner *inner, const struct field *argv, size_t argc)
{
	struct command command = { .argv = argv, .argc = argc };
	struct bailey_span span = { 0, 0 };
	struct visit visit;

	if (argc == 0 || !walk_come_in(w, &visit, inner->flags, inner->via, &argv[0])) {
		walk_emit_unknown(w, 0);
		return;
	}
	if (!visit.here) {
		command.flags = COMMAND_NO_FUNCTION | COMMAND_NO_BUILTIN;
	} else if ((inner->flags & INNER_PROGRAM_ONLY) != 0) {
		command.flags = COMMAND_NO_FUNCTION;
	}
	set_environment(w, inner);
	if (inner->cwd != NULL) {
		struct field dir = shell_path(&w->shell, inner->cwd);

		walk_chdir(w, &dir);
	}
	if ((inner->flags & INNER_NO_INPUT) != 0) {
		w->io.fd[0] = walk_flow_new(w, FLOW_NULL);
	}
	if (argv[0].source != NULL) {
		span = source_outermost(argv[0].source, argv[0].span);
	}
	walk_add_command(w, &command, NULL, span);
	walk_run(w, &command);
	walk_go_out(w, &visit);
}

static void
split_argv(struct walk *w, const struct inner *inner)
{
	struct fields words = { NULL, 0 };

	walk_split_words(w, inner->text, false, false, &words);
	run_argv(w, inner, words.items, words.count);
}

static void
follow(struct walk *w, const struct command *command, const struct inner *inner,
       const struct stream *input)
{
	struct code_run run = { .language = inner->language,
				.text = inner->text,
				.argv = inner->argv,
				.argc = inner->argc,
				.flags = inner->flags,
				.via = inner->via };
	const struct field *at = inner->text != NULL ? inner->text : inner->argv;

	run.fails =
		inner->kind != INNER_ARGV &&
		(has_option(command, 'e') || has_option(command, 'u') || has_option(command, 'o'));
	say_flags(w, inner->flags, inner->argc > 0 || inner->text != NULL ? at : NULL);
	if ((inner->flags & INNER_INPUT) != 0 || (inner->flags & INNER_MORE) != 0) {
		walk_inner_input(w, command, inner, input, run_argv);
		return;
	}
	switch (inner->kind) {
	case INNER_ARGV:
		run_argv(w, inner, inner->argv, inner->argc);
		break;
	case INNER_CODE:
		if ((inner->flags & INNER_SPLIT) != 0) {
			split_argv(w, inner);
		} else if (inner->text != NULL) {
			walk_code(w, &run);
		}
		break;
	case INNER_FILE:
		if (inner->text != NULL) {
			walk_code_file(w, &run);
		}
		break;
	case INNER_STDIN:
		walk_code_input(w, command, &run, input);
		break;
	}
}

/* Does what it runs run for certain? Other wrappers may refuse, find nothing to run it for, or not
 * be there. */
static bool
runs_for_certain(const struct command *command, const struct inner *inner)
{
	static const char *const names[] = { "sh",	  "bash",	 "/bin/sh",
					     "/bin/bash", "/usr/bin/sh", "/usr/bin/bash" };

	if ((inner->flags & INNER_HERE) != 0) {
		return true;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (command->argc > 0 && field_is(&command->argv[0], names[i])) {
			return inner->kind != INNER_ARGV;
		}
	}
	return false;
}

void
walk_inner(struct walk *w, const struct command *command, const struct inner *inner,
	   const struct stream *input)
{
	struct outputs outputs;

	walk_outputs(w, &outputs);
	follow(w, command, inner, input);
	if (!runs_for_certain(command, inner)) {
		walk_outputs_doubt(w, &outputs);
	}
}
