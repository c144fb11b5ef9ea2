/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what a sed program does beyond printing its input in another form: the commands
 * w W r R e and the flags w and e of s.
 * Invariant: a program that is not read to its end is never known.
 */

#include "command/code_sed.h"
#include "command/code_impl.h"
#include "command/emulate_impl.h"

#include <string.h>

/* What a command of a program may run is worked out for short programs and inputs: each one does
 * it again from the start. */
#define INPUT_MAX ((size_t)1 << 14)
#define COMMANDS_MAX 16

static bool
is_stream(const char *text, size_t len)
{
	return (len == 11 &&
		(memcmp(text, "/dev/stdout", 11) == 0 || memcmp(text, "/dev/stderr", 11) == 0)) ||
	       (len == 10 && memcmp(text, "/dev/stdin", 10) == 0);
}

static void
find_file_of(struct code *code, enum deed deed, struct sed_range range, bool all)
{
	struct effect *effect;
	const struct field *file;

	if (is_stream(code->text + range.from, range.to - range.from)) {
		return;
	}
	file = code_piece(code, range.from, range.to);
	if (file == NULL) {
		find_unknown(code->found, "a file that is not known", code->field);
		return;
	}
	effect = find_deed(code->found, deed, file);
	effect->flags |= all ? EFFECT_FROM_STDIN : 0;
}

/* ---- commands for a shell ------------------------------------------------------------------ */

/* The text of e with its backslashes off. */
static const struct field *
command_text(struct code *code, struct sed_range range)
{
	char *text = arena_alloc(code->arena, range.to - range.from + 1);
	size_t len = 0;
	size_t i = range.from;

	if (text == NULL) {
		return NULL;
	}
	if (memchr(code->text + range.from, '\\', range.to - range.from) == NULL) {
		return code_piece(code, range.from, range.to);
	}
	while (i < range.to) {
		int c = (unsigned char)code->text[i++];

		if (c == '\\' && i < range.to) {
			int escape =
				code->text[i] == 'n' ? -1 : sed_escape(code->text, range.to, &i);

			c = escape >= 0 ? escape : (unsigned char)code->text[i++];
		}
		text[len++] = (char)c;
	}
	return code_made(code, text, len);
}

/* What a replacement becomes: unknown where the match goes in. `folded` says that letters change
 * their case, which is not followed. */
static const struct field *
replacement_text(struct code *code, const struct sed_command *command)
{
	size_t i = command->other.from;
	size_t end = command->other.to;
	char *text = arena_alloc(code->arena, end - i + 1);
	size_t len = 0;

	while (text != NULL && i < end) {
		int c = (unsigned char)code->text[i++];

		if (c == '&') {
			c = FIELD_UNKNOWN;
		} else if (c == '\\' && i < end) {
			int escape = sed_escape(code->text, end, &i);

			if (escape >= 0) {
				c = escape;
			} else {
				c = (unsigned char)code->text[i++];
				c = (c >= '0' && c <= '9') || strchr("LUElu", c) != NULL
					    ? FIELD_UNKNOWN
					    : c;
			}
		}
		text[len++] = (char)c;
	}
	return text == NULL ? NULL : code_made(code, text, len);
}

/* What the pattern space is when the program has done all that stands before command `upto`, as
 * text of all lines. NULL: not known. */
static const struct field *
pattern_space(struct code *code, const struct sed_program *program, size_t upto)
{
	struct emulate_out out = { .arena = code->arena };
	struct sed_program part = *program;
	struct emulate_text input;
	struct stream output;
	struct field *text;

	if (code->input == NULL || code->input->open || code->input->sure != NULL ||
	    code->input->data.len > INPUT_MAX || upto > COMMANDS_MAX) {
		return NULL;
	}
	part.count = upto;
	input = emulate_field(&code->input->data);
	if (!emulate_sed_program(&out, &part, &input, false, false)) {
		return NULL;
	}
	out.taint = code->field->taint | code->input->data.taint;
	emulate_finish(&out, &output);
	text = arena_alloc(code->arena, sizeof(*text));
	if (text != NULL) {
		*text = output.data;
	}
	return text;
}

static void
find_execution(struct code *code, const struct sed_program *program, size_t index)
{
	const struct sed_command *command = &program->commands[index];
	const struct field *text;

	if (command->name == 'e' && command->range.to > command->range.from) {
		code_shell(code, command_text(code, command->range), "sed e");
		return;
	}
	text = pattern_space(code, program, command->name == 's' ? index + 1 : index);
	if (text == NULL) {
		text = command->name == 's' ? replacement_text(code, command)
					    : code_unknown_text(code);
	}
	code_shell(code, text, "sed e");
}

/* ---- the program --------------------------------------------------------------------------- */

static void
find_command(struct code *code, const struct sed_program *program, size_t index)
{
	const struct sed_command *command = &program->commands[index];
	bool all = program->count == 1 && command->first.kind == SED_NONE;

	switch (command->name) {
	case 'w':
	case 'W':
		find_file_of(code, DEED_WRITE, command->range, all && command->name == 'w');
		break;
	case 'r':
	case 'R':
		find_file_of(code, DEED_READ, command->range, false);
		break;
	case 'e':
		find_execution(code, program, index);
		break;
	case 's':
		if (command->file.to > command->file.from) {
			find_file_of(code, DEED_WRITE, command->file, false);
		}
		if (command->eval) {
			find_execution(code, program, index);
		}
		break;
	default:
		break;
	}
}

static void
find_all(struct code *code, const struct sed_program *program)
{
	size_t i;

	for (i = 0; i < program->count; i++) {
		find_command(code, program, i);
	}
}

void
code_sed(struct code *code)
{
	struct sed_program program;
	struct sed_program other;
	bool read = sed_read(code->arena, code->text, code->len, true, &program);

	find_all(code, &program);
	if (program.bracketed && sed_read(code->arena, code->text, code->len, false, &other)) {
		find_all(code, &other);
	}
	if (!read) {
		code_unknown(code, "a sed program that cannot be read", program.error_at,
			     code->len);
	}
	code_known(code);
}
