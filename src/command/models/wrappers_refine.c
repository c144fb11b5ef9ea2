/* SPDX-License-Identifier: MIT */
/* What the tables of wrappers cannot say: other ways to name the command, files of their own. */
#include "command/models/wrappers_impl.h"

#include <string.h>

RULE(rule_interactive, "shell.interactive", PROMPT, EXECUTES, "opens a shell");
RULE(rule_priority, "process.priority", PROMPT, PROCESS, "changes how another process runs");
RULE(rule_trace, "process.trace", PROMPT, PROCESS, "takes hold of another process");
RULE(rule_network, "wrapper.network", PROMPT, NETWORK, "sends its traffic through a proxy");
RULE(rule_install, "busybox.install", PROMPT, WRITES, "makes links to itself for its commands");
RULE(rule_stops, "process.stops", PROMPT, PROCESS, "stops or signals a service");

/* ---- refinements --------------------------------------------------------------------------- */

/* Output goes to nohup.out where it would go to a terminal. */
void
wrapper_refine_nohup(const struct match *match, struct findings *found)
{
	struct field *file = arena_alloc(found->arena, sizeof(*file));

	if (file != NULL && found->inners != NULL) {
		*file = field_static("nohup.out", &match->argv[0]);
		find_deed(found, DEED_APPEND, file)->flags |= EFFECT_FROM_OUTPUT;
	}
}

/* With a process instead of a command, something is changed unless it is only asked. */
void
wrapper_refine_process(const struct match *match, struct findings *found)
{
	bool process = match_option(match, 'p', "pid") != NULL ||
		       match_option(match, 'P', "pgid") != NULL ||
		       match_option(match, 'u', "uid") != NULL;

	if (process) {
		found->inners = NULL;
		found->inners_end = &found->inners;
		find_rule(found, &rule_priority, NULL);
	}
}

/* taskset MASK COMMAND, or taskset -p [MASK] PID. */
void
wrapper_refine_taskset(const struct match *match, struct findings *found)
{
	if (match_option(match, 'p', "pid") != NULL) {
		found->inners = NULL;
		found->inners_end = &found->inners;
		if (match->operand_count > 1) {
			find_rule(found, &rule_priority, NULL);
		}
	}
}

/* flock FILE COMMAND..., flock FILE -c TEXT, flock NUMBER. */
void
wrapper_refine_flock(const struct match *match, struct findings *found)
{
	struct inner *inner = found->inners;

	if (match->operand_count < 2 || inner == NULL || inner->argc == 0) {
		return;
	}
	find_deed(found, DEED_MAKE, &match->operands[0]);
	if (field_is(&inner->argv[0], "-c") || field_is(&inner->argv[0], "--command")) {
		inner->kind = INNER_CODE;
		inner->language = LANG_SH;
		inner->text = inner->argc > 1 ? &inner->argv[1] : NULL;
		inner->argv = NULL;
		inner->argc = 0;
		if (inner->text == NULL) {
			found->inners = NULL;
			found->inners_end = &found->inners;
		}
	}
}

/* The words become one text for sh; with -x they are a command. */
void
wrapper_refine_watch(const struct match *match, struct findings *found)
{
	struct inner *inner = found->inners;

	if (inner == NULL || match_option(match, 'x', "exec") != NULL) {
		return;
	}
	inner->text = wrapper_join(found, inner->argv, inner->argc);
	inner->kind = INNER_CODE;
	inner->language = LANG_SH;
	inner->argv = NULL;
	inner->argc = 0;
	if (inner->text == NULL) {
		find_unknown(found, "the command", &match->argv[0]);
		found->inners = NULL;
		found->inners_end = &found->inners;
	}
}

/* Without a command, a shell. All is written to a file. */
void
wrapper_refine_script(const struct match *match, struct findings *found)
{
	struct field *file = arena_alloc(found->arena, sizeof(*file));

	if (found->inners == NULL) {
		find_rule(found, &rule_interactive, NULL);
		find_stdin(found, LANG_BASH, INNER_PROMPT, "script");
	}
	if (file != NULL && match->operand_count == 0 &&
	    match_option(match, 'O', "log-out") == NULL &&
	    match_option(match, 'B', "log-io") == NULL) {
		*file = field_static("typescript", &match->argv[0]);
		find_deed(found, DEED_WRITE, file)->flags |= EFFECT_FROM_OUTPUT;
	}
}

void
wrapper_refine_opens_shell(const struct match *match, struct findings *found)
{
	if (found->inners == NULL && !match->help) {
		find_rule(found, &rule_interactive, NULL);
		find_stdin(found, LANG_SH, INNER_PROMPT, match->program->names);
	}
	wrapper_flag(found, INNER_PROMPT);
}

void
wrapper_refine_nsenter(const struct match *match, struct findings *found)
{
	wrapper_refine_opens_shell(match, found);
	wrapper_flag(found, INNER_PRIVILEGED);
}

/* strace -o '|cmd' and -o '!cmd' hand the trace to a shell. */
void
wrapper_refine_strace(const struct match *match, struct findings *found)
{
	const struct matched_option *output = match_option(match, 'o', "output");
	struct field *text;

	if (output != NULL && output->arg != NULL &&
	    (output->arg->text[0] == '|' || output->arg->text[0] == '!')) {
		text = arena_alloc(found->arena, sizeof(*text));
		if (text != NULL) {
			*text = field_tail(found->arena, output->arg, 1);
			find_code(found, LANG_SH, text, 0, "strace -o");
		}
	} else if (output != NULL) {
		find_deed(found, DEED_WRITE, output->arg);
	}
	if (match_option(match, 'p', "attach") != NULL) {
		find_rule(found, &rule_trace, NULL);
	}
}

void
wrapper_refine_ssd(const struct match *match, struct findings *found)
{
	const struct matched_option *program = match_option(match, 'x', "exec");
	const struct matched_option *other = match_option(match, 'a', "startas");

	program = other != NULL ? other : program;
	if (match_option(match, 'K', "stop") != NULL) {
		find_rule(found, &rule_stops, NULL);
	}
	if (match_option(match, 'S', "start") != NULL && program != NULL && program->arg != NULL) {
		struct field *argv =
			arena_array(found->arena, match->operand_count + 1, sizeof(*argv));

		if (argv == NULL) {
			return;
		}
		argv[0] = *program->arg;
		if (match->operand_count > 0) {
			memcpy(argv + 1, match->operands, match->operand_count * sizeof(*argv));
		}
		find_argv(found, argv, match->operand_count + 1, INNER_PROGRAM_ONLY | INNER_PROMPT,
			  "start-stop-daemon");
	}
}

/* The text is a shell's, or the words are joined to one. */
void
wrapper_refine_sg(const struct match *match, struct findings *found)
{
	size_t at = match->operand_count > 1 && field_is(&match->operands[1], "-c") ? 2 : 1;

	if (at < match->operand_count) {
		find_code(found, LANG_SH, &match->operands[at], INNER_PRIVILEGED, "sg");
	} else {
		find_unknown(found, "a shell of another group", &match->argv[0]);
	}
}

/* Each operand is a text for a shell. */
void
wrapper_refine_texts(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		find_code(found, LANG_SH, &match->operands[i], 0, match->program->names);
	}
}

/* entr runs its command when files change; -s takes a text for a shell. */
void
wrapper_refine_entr(const struct match *match, struct findings *found)
{
	if (found->inners != NULL && match_option(match, 's', NULL) != NULL) {
		found->inners->kind = INNER_CODE;
		found->inners->language = LANG_SH;
		found->inners->text = found->inners->argv;
		found->inners->argc = 0;
	}
	wrapper_flag(found, INNER_PROMPT | INNER_NO_INPUT);
}

void
wrapper_refine_run_parts(const struct match *match, struct findings *found)
{
	bool shows =
		match_option(match, 0, "test") != NULL || match_option(match, 0, "list") != NULL;

	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, shows ? DEED_LIST : DEED_EXECUTE, &match->operands[i]);
	}
}

/* systemd-run: without --user it is the system's manager that runs it, with all rights. */
void
wrapper_refine_systemd_run(const struct match *match, struct findings *found)
{
	unsigned flags = INNER_PROMPT;

	flags |= match_option(match, 0, "user") == NULL ? INNER_PRIVILEGED : 0;
	for (size_t i = 0; i < match->option_count; i++) {
		const char *name = match->options[i].name;

		flags |= name != NULL && strncmp(name, "on-", 3) == 0 ? INNER_LATER : 0;
	}
	wrapper_prompt(match, found);
	wrapper_flag(found, flags);
}

void
wrapper_refine_proxy(const struct match *match, struct findings *found)
{
	wrapper_prompt(match, found);
	find_rule(found, &rule_network, NULL);
}

/* capsh -- ARG...: bash with these arguments. */
void
wrapper_refine_capsh(const struct match *match, struct findings *found)
{
	size_t at = match->first_operand;

	if (match->operands_after_dashes ||
	    (at < match->argc && field_is(&match->argv[at], "=="))) {
		wrapper_command(found, "bash", match->operands, match->operand_count,
				INNER_PROGRAM_ONLY | INNER_PROMPT, "capsh");
	}
}

void
wrapper_refine_busybox(const struct match *match, struct findings *found)
{
	if (match_option(match, 0, "install") != NULL) {
		find_rule(found, &rule_install, NULL);
	}
}
