/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are code in any language, or a command to emulate. A first byte from C on, which is
 * Python, says which language; any other that they are a command, its words separated by newlines
 * and its input behind an empty line. Findings are
 * complete, a text with unknown parts is never known, and what is emulated is a proper stream.
 */
#include "must.h"

#include "command/code.h"
#include "command/emulate.h"

#include <string.h>

#define WORDS_MAX 16
#define INNERS_MAX 100000

static void
check_field(const struct field *field)
{
	bool unknown = false;
	bool glob = false;

	MUST(field->text != NULL && field->text[field->len] == '\0');
	MUST(memchr(field->text, '\0', field->len) == NULL);
	for (uint32_t i = 0; field->marks != NULL && i < field->len; i++) {
		MUST(field->marks[i] <= MARK_UNKNOWN);
		unknown |= field->marks[i] == MARK_UNKNOWN;
		glob |= field->marks[i] == MARK_GLOB;
	}
	MUST((field->kind == BAILEY_WORD_DYNAMIC) == unknown);
	MUST((field->kind == BAILEY_WORD_GLOB) == (glob && !unknown));
}

/* A field over the bytes; the byte 1a is an unknown part, NULs end it. */
static struct field
make_field(struct arena *arena, const char *text, size_t len)
{
	struct field field = field_literal(arena, text, strnlen(text, len), NULL);
	uint8_t *marks = arena_alloc(arena, len + 1);

	MUST(marks != NULL);
	for (uint32_t i = 0; i < field.len; i++) {
		if (field.text[i] == FIELD_UNKNOWN) {
			marks[i] = MARK_UNKNOWN;
			field.kind = BAILEY_WORD_DYNAMIC;
		}
	}
	field.marks = field.kind == BAILEY_WORD_DYNAMIC ? marks : NULL;
	return field;
}

static void
check_findings(const struct findings *found, const struct field *code)
{
	size_t count = 0;

	MUST(field_is_literal(code) || (found->flags & FIND_KNOWN) == 0);
	MUST(found->unknown == NULL || (found->flags & FIND_KNOWN) == 0);
	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		MUST(effect->rule != NULL || effect->deed != DEED_NONE);
		if (effect->target != NULL) {
			check_field(effect->target);
		}
		MUST(++count < INNERS_MAX * 10);
	}
	for (const struct inner *inner = found->inners; inner != NULL; inner = inner->next) {
		MUST(inner->via != NULL);
		if (inner->text != NULL) {
			check_field(inner->text);
		}
		for (size_t i = 0; i < inner->argc; i++) {
			check_field(&inner->argv[i]);
		}
		MUST(++count < INNERS_MAX * 10);
	}
}

static void
judge(struct arena *arena, enum language language, const char *text, size_t len)
{
	struct field code = make_field(arena, text, len);
	struct stream input = { .data = field_static("rm -rf x\n", NULL) };
	struct findings found;

	findings_init(&found, arena);
	code_judge(language, &code, NULL, 0, &input, &found);
	check_findings(&found, &code);
}

static void
run(struct arena *arena, const char *text, size_t len)
{
	static const struct bailey_scene scene = { .cwd = "/w", .home = "/home/u" };
	struct field argv[WORDS_MAX];
	struct stream input = { .data = field_static("", NULL) };
	struct stream output = { .data = field_static("", NULL) };
	struct shell shell;
	size_t argc = 0;

	MUST(shell_init(&shell, arena, &scene) == BAILEY_OK);
	while (argc < WORDS_MAX && len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t size = end == NULL ? len : (size_t)(end - text);

		argv[argc++] = make_field(arena, text, size);
		text += end == NULL ? size : size + 1;
		len -= end == NULL ? size : size + 1;
		if (len > 0 && text[0] == '\n') {
			input.data = make_field(arena, text + 1, len - 1);
			break;
		}
	}
	if (emulate(arena, &shell, argv, argc, &input, &output)) {
		check_field(&output.data);
		MUST(output.data.len <= EMULATE_MAX && output.byte_count <= EMULATE_MAX);
		MUST(output.bytes == NULL || output.data.kind == BAILEY_WORD_DYNAMIC);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };

	if (size == 0) {
		return 0;
	}
	if (data[0] >= 'A' + LANG_PYTHON && data[0] < 'A' + LANG_COUNT_) {
		judge(&arena, data[0] - 'A', (const char *)data + 1, size - 1);
	} else {
		run(&arena, (const char *)data + 1, size - 1);
	}
	arena_finish(&arena);
	return 0;
}
