/* SPDX-License-Identifier: MIT */
#ifndef TEST_CODE_ROWS_H
#define TEST_CODE_ROWS_H

/* Code, and the findings that it gives as model_fixture.h writes them. */

#include "model_fixture.h"

#include "command/code.h"

struct code_row {
	const char *code;
	const char *findings;
};

static inline char *
code_rows_judge(struct arena *arena, enum language language, const char *text, size_t len)
{
	struct field field = field_literal(arena, text, len, NULL);
	struct stream input = stream_unknown(TAINT_INPUT);
	struct findings found;

	findings_init(&found, arena);
	code_judge(language, &field, NULL, 0, &input, &found);
	return fixture_describe(&found);
}

/* The number of rows that give something else than what they say, each printed. */
static inline int
code_rows_run(enum language language, const struct code_row *rows, size_t count)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct arena arena = { 0 };
		char *got = code_rows_judge(&arena, language, rows[i].code, strlen(rows[i].code));

		if (got == NULL || strcmp(got, rows[i].findings) != 0) {
			(void)fprintf(stderr, "%s\n  expected: %s\n  found:    %s\n", rows[i].code,
				      rows[i].findings, got);
			wrong++;
		}
		free(got);
		arena_finish(&arena);
	}
	return wrong;
}

/* Judges `len` bytes of `piece` over and over. */
static inline bool
code_rows_repeat(enum language language, const char *piece, size_t len)
{
	struct arena arena = { 0 };
	char *text = arena_alloc(&arena, len + 1);
	char *got;

	for (size_t i = 0; text != NULL && i < len; i++) {
		text[i] = piece[i % strlen(piece)];
	}
	got = text != NULL ? code_rows_judge(&arena, language, text, len) : NULL;
	free(got);
	arena_finish(&arena);
	return got != NULL;
}

#endif /* TEST_CODE_ROWS_H */
