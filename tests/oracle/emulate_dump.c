/* SPDX-License-Identifier: MIT */
/*
 * Emulates commands and prints what is known of their output, for comparison with the tools.
 *
 * Input: a line for each command: "b" or "s" for the shell (bash, sh), the standard input, and the
 * arguments, separated by blanks, in hexadecimal ("-" for nothing). The byte 1a is an unknown part.
 * Output: "no" when the command is not emulated, "?" when nothing is known; otherwise the bytes in
 * hexadecimal, with ?? for an unknown part.
 */
#include "command/emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 64

static int
hex_value(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static struct field
read_field(struct arena *arena, const char *hex)
{
	struct field field = field_static("", NULL);
	size_t len = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;
	char *text = arena_alloc(arena, len + 1);
	uint8_t *marks = arena_alloc(arena, len + 1);

	if (text == NULL || marks == NULL) {
		exit(1);
	}
	for (size_t i = 0; i < len; i++) {
		text[i] = (char)(hex_value(hex[2 * i]) << 4 | hex_value(hex[2 * i + 1]));
		if (text[i] == FIELD_UNKNOWN) {
			marks[i] = MARK_UNKNOWN;
			field.kind = BAILEY_WORD_DYNAMIC;
		}
	}
	field.text = text;
	field.len = (uint32_t)len;
	field.marks = field.kind == BAILEY_WORD_DYNAMIC ? marks : NULL;
	return field;
}

static void
print_stream(const struct stream *stream)
{
	const struct field *data = &stream->data;

	if (stream->bytes != NULL) {
		for (size_t i = 0; i < stream->byte_count; i++) {
			printf("%02x", (unsigned char)stream->bytes[i]);
		}
	} else if (data->len == 1 && data->kind == BAILEY_WORD_DYNAMIC) {
		printf("?");
	} else {
		for (size_t i = 0; i < data->len; i++) {
			if (data->marks != NULL && data->marks[i] == MARK_UNKNOWN) {
				printf("??");
			} else {
				printf("%02x", (unsigned char)data->text[i]);
			}
		}
	}
	printf("\n");
}

static void
emulate_line(char *line)
{
	AUTO_ARENA arena = { 0 };
	static const struct bailey_scene scene = { .cwd = "/", .home = "/" };
	struct shell shell;
	struct field argv[ARGS_MAX];
	struct stream input = { .data = field_static("", NULL) };
	struct stream output;
	size_t argc = 0;
	char *rest = NULL;

	if (shell_init(&shell, &arena, &scene) != BAILEY_OK) {
		exit(1);
	}
	shell.dialect = *strtok_r(line, " \n", &rest) == 's' ? DIALECT_SH : DIALECT_BASH;
	input.data = read_field(&arena, strtok_r(NULL, " \n", &rest));
	for (char *word = strtok_r(NULL, " \n", &rest); word != NULL && argc < ARGS_MAX;
	     word = strtok_r(NULL, " \n", &rest)) {
		argv[argc++] = read_field(&arena, word);
	}
	if (emulate(&arena, &shell, argv, argc, &input, &output)) {
		print_stream(&output);
	} else {
		printf("no\n");
	}
}

int
main(void)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		emulate_line(line);
	}
	free(line);
	return 0;
}
