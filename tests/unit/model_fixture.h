/* SPDX-License-Identifier: MIT */
#ifndef TEST_MODEL_FIXTURE_H
#define TEST_MODEL_FIXTURE_H

/*
 * Command lines as short texts, and findings written out as text to compare with.
 *
 * Words stand between blanks; a word in '...' may hold blanks. $x is an unknown number of unknown
 * words, "$x" exactly one; * is live outside of quotes. ~ stands for nothing special.
 *
 * Findings: effects first, "read:a write:b rule:some.id", flags of an effect behind a plus sign;
 * then what is run, in brackets: "[sudo!priv: rm -rf /]", code as "[bash -c sh: text]", a file of
 * code as "[sh file: a.sh]", the standard input as "[sh stdin]"; then "secret", "net", "sandbox";
 * at last "unknown" when not everything is known. Unknown text is written as a question mark.
 */

#include "command/match_impl.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_WORDS 64

/* One word. `text` is its source; returns what is behind it. */
static inline const char *
fixture_word(struct arena *arena, const char *text, struct field *out)
{
	size_t room = strlen(text) + 1;
	char *bytes = arena_alloc(arena, room);
	uint8_t *marks = arena_alloc(arena, room);
	uint32_t len = 0;
	char quote = 0;

	*out = field_static("", NULL);
	while (*text != '\0' && (quote != 0 || *text != ' ')) {
		if (*text == quote) {
			quote = 0;
		} else if (quote == 0 && (*text == '\'' || *text == '"')) {
			quote = *text;
		} else if (*text == '$' && quote != '\'') {
			out->kind = BAILEY_WORD_DYNAMIC;
			out->many |= quote == 0;
			marks[len] = MARK_UNKNOWN;
			bytes[len++] = FIELD_UNKNOWN;
			text++;
		} else {
			if (quote == 0 && *text == '*') {
				marks[len] = MARK_GLOB;
				out->kind = out->kind == BAILEY_WORD_LITERAL ? BAILEY_WORD_GLOB
									     : out->kind;
			}
			bytes[len++] = *text;
		}
		text++;
	}
	out->text = bytes;
	out->len = len;
	out->marks = out->kind == BAILEY_WORD_LITERAL ? NULL : marks;
	return text;
}

static inline size_t
fixture_words(struct arena *arena, const char *text, struct field words[FIXTURE_WORDS])
{
	size_t count = 0;

	while (*text != '\0' && count < FIXTURE_WORDS) {
		text += strspn(text, " ");
		if (*text != '\0') {
			text = fixture_word(arena, text, &words[count++]);
		}
	}
	return count;
}

static inline void
fixture_field(struct strbuf *out, const struct field *field)
{
	for (size_t i = 0; field != NULL && i < field->len; i++) {
		bool unknown = field->marks != NULL && field->marks[i] == MARK_UNKNOWN;

		strbuf_putc(out, unknown ? '?' : field->text[i]);
	}
}

static inline void
fixture_effect(struct strbuf *out, const struct effect *effect)
{
	static const char *const names[DEED_COUNT_] = {
		"none",	   "read",	  "list",    "write", "append", "edit",	     "make",
		"delete",  "delete-tree", "empty",   "move",  "meta",	"meta-tree", "format",
		"execute", "send",	  "extract", "sync",  "config",
	};

	if (effect->rule != NULL) {
		strbuf_printf(out, "rule:%s ", effect->rule->id);
		return;
	}
	strbuf_printf(out, "%s:", names[effect->deed]);
	fixture_field(out, effect->target);
	strbuf_puts(out, (effect->flags & EFFECT_FILTERED) != 0 ? "+filtered " : " ");
}

static inline const char *
fixture_language(enum language language)
{
	if (language == LANG_BASH) {
		return "bash";
	}
	return language == LANG_SH ? "sh" : "other";
}

static inline void
fixture_inner(struct strbuf *out, const struct inner *inner)
{
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = {
		{ INNER_REMOTE, "!remote" }, { INNER_PRIVILEGED, "!priv" },
		{ INNER_MORE, "!more" },     { INNER_INPUT, "!input" },
		{ INNER_LATER, "!later" },   { INNER_PROMPT, "!prompt" },
		{ INNER_SPLIT, "!split" },   { INNER_INPUT_LINES, "!lines" },
	};

	strbuf_printf(out, "[%s", inner->via);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		strbuf_puts(out, (inner->flags & flags[i].flag) != 0 ? flags[i].name : "");
	}
	if (inner->cwd != NULL) {
		strbuf_puts(out, " in ");
		fixture_field(out, inner->cwd);
	}
	if (inner->replace != NULL) {
		strbuf_puts(out, " for ");
		fixture_field(out, inner->replace);
	}
	if (inner->kind != INNER_ARGV) {
		strbuf_printf(out, " %s%s", fixture_language(inner->language),
			      inner->kind == INNER_FILE	   ? " file"
			      : inner->kind == INNER_STDIN ? " stdin"
							   : "");
	}
	strbuf_puts(out, ":");
	for (size_t i = 0; inner->assignments != NULL && inner->assignments[i] != NULL; i++) {
		strbuf_puts(out, " ");
		fixture_field(out, inner->assignments[i]);
	}
	if (inner->text != NULL) {
		strbuf_puts(out, " ");
		fixture_field(out, inner->text);
	}
	if (inner->kind != INNER_ARGV && inner->argc > 0) {
		strbuf_puts(out, " <");
	}
	for (size_t i = 0; i < inner->argc; i++) {
		strbuf_puts(out, " ");
		fixture_field(out, &inner->argv[i]);
	}
	strbuf_puts(out, "] ");
}

/* The findings as one line, to be freed. */
static inline char *
fixture_describe(const struct findings *found)
{
	struct strbuf out = STRBUF_INIT;

	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		fixture_effect(&out, effect);
	}
	for (const struct inner *inner = found->inners; inner != NULL; inner = inner->next) {
		fixture_inner(&out, inner);
	}
	strbuf_puts(&out, (found->flags & FIND_OUT_SECRET) != 0 ? "secret " : "");
	strbuf_puts(&out, (found->flags & FIND_NETWORK) != 0 ? "net " : "");
	strbuf_puts(&out, (found->flags & FIND_SANDBOX) != 0 ? "sandbox " : "");
	strbuf_puts(&out, (found->flags & FIND_KNOWN) == 0 ? "unknown " : "");
	if (out.len > 0) {
		out.text[--out.len] = '\0';
	}
	return strbuf_take(&out);
}

/* What the words of `text` do, with `program` or (when it is NULL) the model of the first word. */
static inline char *
fixture_judge(struct arena *arena, const struct program *program, const char *text,
	      const char *input)
{
	struct field words[FIXTURE_WORDS];
	size_t count = fixture_words(arena, text, words);
	struct stream stream = { .open = true };
	struct match match = { .argv = words, .argc = count, .input = &stream };
	struct findings found;

	stream.data = field_unknown(TAINT_INPUT, false, NULL);
	if (input != NULL) {
		stream.data = field_static(input, NULL);
		stream.open = false;
	}
	findings_init(&found, arena);
	if (program != NULL) {
		match_program(program, NULL, &match, &found);
	} else {
		model_judge(NULL, words, count, &stream, &found);
	}
	return fixture_describe(&found);
}

struct fixture_row {
	const char *command;
	const char *findings;
	const char *input;
};

/* The number of rows that give something else than what they say, each printed. */
static inline int
fixture_run(const struct program *program, const struct fixture_row *rows, size_t count)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct arena arena = { 0 };
		char *got = fixture_judge(&arena, program, rows[i].command, rows[i].input);

		if (got == NULL || strcmp(got, rows[i].findings) != 0) {
			(void)fprintf(stderr, "%s\n  expected: %s\n  found:    %s\n",
				      rows[i].command, rows[i].findings, got);
			wrong++;
		}
		free(got);
		arena_finish(&arena);
	}
	return wrong;
}

#endif /* TEST_MODEL_FIXTURE_H */
