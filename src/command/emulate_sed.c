/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: sed as a tool: its options, script and input.
 */

#include "command/emulate_impl.h"

struct sed_call {
	bool quiet;
	bool extended;
	bool has_script;
	struct emulate_out script;
	struct emulate_args files;
};

static void
add_script(struct sed_call *call, const char *text)
{
	if (call->has_script) {
		emulate_put_byte(&call->script, '\n');
	}
	emulate_put(&call->script, text, strlen(text));
	call->has_script = true;
}

/* One word of options: -n, -nE, -e SCRIPT, -eSCRIPT. */
static bool
read_options(struct emulation *e, struct sed_call *call, size_t *at)
{
	const char *word = e->argv[*at].text + 1;

	for (; *word != '\0'; word++) {
		if (*word == 'e') {
			if (word[1] != '\0') {
				add_script(call, word + 1);
				return true;
			}
			if (++*at >= e->argc || !field_is_literal(&e->argv[*at])) {
				return false;
			}
			add_script(call, e->argv[*at].text);
			return true;
		}
		if (*word == 'n') {
			call->quiet = true;
		} else if (*word == 'E' || *word == 'r') {
			call->extended = true;
		} else if (*word != 'u' && *word != 's') {
			return false;
		}
	}
	return true;
}

static bool
read_call(struct emulation *e, struct sed_call *call)
{
	size_t i;

	call->script.arena = e->arena;
	call->script.shell = e->shell;
	call->files.operands = arena_array(e->arena, e->argc, sizeof(struct field *));
	if (call->files.operands == NULL) {
		return false;
	}
	for (i = 1; i < e->argc; i++) {
		const struct field *word = &e->argv[i];

		if (!field_is_literal(word)) {
			return false;
		}
		e->out.taint |= word->taint;
		if (word->text[0] == '-' && word->len > 1) {
			if (!read_options(e, call, &i)) {
				return false;
			}
		} else {
			call->files.operands[call->files.count++] = word;
		}
	}
	if (!call->has_script && call->files.count > 0) {
		add_script(call, call->files.operands[0]->text);
		call->files.operands++;
		call->files.count--;
	}
	return call->has_script && call->files.count <= 1 && !call->script.over;
}

/* Does the program do nothing but print? */
static bool
only_prints(const struct sed_program *program)
{
	size_t i;

	for (i = 0; i < program->count; i++) {
		if (strchr("eFlrRwWQ", program->commands[i].name) != NULL ||
		    program->commands[i].eval) {
			return false;
		}
	}
	return !program->bracketed;
}

enum emulated
emulate_sed(struct emulation *e)
{
	struct sed_call call = { .quiet = false };
	struct sed_program program;
	struct emulate_text text;
	enum emulated result;

	if (!read_call(e, &call) || call.script.len == 0 ||
	    !sed_read(e->arena, call.script.text, call.script.len, true, &program) ||
	    !only_prints(&program)) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, &call.files, 0, &text);
	e->out.taint |= TAINT_DECODED;
	if (result == EMULATE_DONE &&
	    !emulate_sed_program(&e->out, &program, &text, call.quiet, call.extended)) {
		return EMULATE_UNKNOWN;
	}
	return result;
}
