/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: command lines of cmd.exe, roughly: separators, carets and quotes. Each command
 * comes out as an argv, which the models of Windows programs judge.
 * Invariant: nothing is known to be harmless.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define WORDS_MAX 64

struct cmd {
	struct code *code;
	struct field *argv;
	size_t argc;
	char *word;
	size_t len;
	bool quoted;
	bool any; /* the word exists, even when it is empty */
};

static void
end_word(struct cmd *cmd)
{
	const struct field *made;

	if (!cmd->any) {
		return;
	}
	made = cmd->argc < WORDS_MAX ? code_made(cmd->code, cmd->word, cmd->len) : NULL;
	if (made != NULL) {
		cmd->argv[cmd->argc] = *made;
		cmd->argc++;
	}
	cmd->len = 0;
	cmd->any = false;
}

/* Words that come before a command: @echo, if exist x, call, start, do. */
static size_t
leading(const struct field *argv, size_t argc)
{
	size_t i = 0;

	while (i < argc && lex_in_nocase("call start do else @ (", argv[i].text, argv[i].len)) {
		i++;
	}
	if (i + 2 < argc && lex_in_nocase("if", argv[i].text, argv[i].len)) {
		i += lex_in_nocase("not", argv[i + 1].text, argv[i + 1].len) ? 2U : 1U;
		i += 2; /* exist and a name, or the two sides of == */
	}
	return i;
}

static void
end_command(struct cmd *cmd)
{
	struct field *argv;
	size_t first;

	end_word(cmd);
	if (cmd->argc == 0) {
		return;
	}
	if (cmd->argv[0].len > 1 && cmd->argv[0].text[0] == '@') {
		cmd->argv[0] = field_tail(cmd->code->arena, &cmd->argv[0], 1);
	}
	first = leading(cmd->argv, cmd->argc);
	argv = arena_array(cmd->code->arena, cmd->argc, sizeof *argv);
	if (first < cmd->argc && argv != NULL) {
		memcpy(argv, cmd->argv, cmd->argc * sizeof *argv);
		find_argv(cmd->code->found, argv + first, cmd->argc - first,
			  INNER_PROMPT | INNER_PROGRAM_ONLY, "cmd");
	}
	cmd->argc = 0;
}

static void
put(struct cmd *cmd, char c)
{
	cmd->word[cmd->len] = c;
	cmd->len++;
	cmd->any = true;
}

/* %NAME%: the home directory's or nothing known. Gives where it ends, or `at` for a plain sign. */
static size_t
variable(struct cmd *cmd, size_t at)
{
	const char *text = cmd->code->text;
	size_t end = at + 1;

	while (end < cmd->code->len && end - at < 64 &&
	       (lex_is_name(text[end]) || text[end] == '~')) {
		end++;
	}
	if (end >= cmd->code->len || text[end] != '%' || end == at + 1) {
		put(cmd, '%');
		return at;
	}
	if (cmd->len == 0 && lex_in_nocase("userprofile homepath", text + at + 1, end - at - 1)) {
		put(cmd, '~');
	} else if (lex_in_nocase("systemdrive", text + at + 1, end - at - 1)) {
		put(cmd, 'C');
		put(cmd, ':');
	} else if (lex_in_nocase("systemroot windir", text + at + 1, end - at - 1)) {
		memcpy(cmd->word + cmd->len, "C:\\Windows", 10);
		cmd->len += 10;
		cmd->any = true;
	} else {
		put(cmd, FIELD_UNKNOWN);
	}
	return end;
}

static void
plain(struct cmd *cmd, char c)
{
	if (c == '"') {
		cmd->quoted = !cmd->quoted;
		cmd->any = true;
	} else if (cmd->quoted && c != '\n') {
		put(cmd, c);
	} else if (c == '&' || c == '|' || c == '\n' || c == '(' || c == ')') {
		cmd->quoted = false;
		end_command(cmd);
	} else if (lex_is_blank(c) || c == ',' || c == ';' || c == '=') {
		end_word(cmd);
	} else {
		put(cmd, c);
	}
}

static size_t
step(struct cmd *cmd, size_t i)
{
	char c = cmd->code->text[i];

	if (c == '%') {
		return variable(cmd, i) + 1;
	}
	if (c == '^' && !cmd->quoted && i + 1 < cmd->code->len) {
		if (cmd->code->text[i + 1] != '\n') {
			put(cmd, cmd->code->text[i + 1]);
		}
		return i + 2;
	}
	plain(cmd, c);
	return i + 1;
}

void
code_cmd(struct code *code)
{
	struct cmd cmd = { .code = code };
	size_t i = 0;

	find_unknown(code->found, "commands of another system", code->field);
	cmd.argv = arena_array(code->arena, WORDS_MAX, sizeof *cmd.argv);
	cmd.word = arena_alloc(code->arena, code->len * 2 + 16);
	while (cmd.argv != NULL && cmd.word != NULL && i < code->len) {
		i = step(&cmd, i);
	}
	if (cmd.argv != NULL && cmd.word != NULL) {
		end_command(&cmd);
	}
}
