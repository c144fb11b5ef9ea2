/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EXPAND_FIXTURE_H
#define TESTS_EXPAND_FIXTURE_H

/*
 * A shell for tests: expands the words of small texts and shows fields as text.
 *
 * Shown: fields joined by "|"; "?" for unknown parts; behind each, "+" when it may be many and "#"
 * when it is a pattern with live characters.
 */

#include "command/expand.h"

#include <stdio.h>
#include <string.h>

struct fixture {
	struct arena arena;
	struct shell shell;
	struct bailey_scene scene;
	struct expand_hooks hooks;
	struct expander ex;
	struct source source;
	char shown[8192];
	char ran[512]; /* what the hooks were asked, joined by ";" */
	unsigned notes;
};

static inline size_t
show_field(char *out, const struct field *field)
{
	size_t n = 0;

	for (size_t i = 0; i < field->len; i++) {
		bool unknown = field->marks != NULL && field->marks[i] == MARK_UNKNOWN;

		/* An unknown part is one certain byte: "!" shows that it is another. */
		out[n++] = !unknown ? field->text[i] : field->text[i] == FIELD_UNKNOWN ? '?' : '!';
	}
	if (field->many) {
		out[n++] = '+';
	}
	if (field->kind == BAILEY_WORD_GLOB) {
		out[n++] = '#';
	}
	out[n] = '\0';
	return n;
}

static inline void
record(struct fixture *f, const char *what, const char *text, size_t len)
{
	size_t n = strlen(f->ran);

	(void)snprintf(f->ran + n, sizeof(f->ran) - n, "%s%s%.*s", n > 0 ? ";" : "", what, (int)len,
		       text);
}

/* $(name ...): "known" gives the text " a  b ", everything else is not known. */
static inline struct stream
fixture_command(void *data, struct shell *shell, struct script *script)
{
	struct fixture *f = data;
	struct stream out = stream_unknown(TAINT_OUTPUT);
	struct bailey_span span = script->span;
	const char *text = script->source->text;

	(void)shell;
	if (script->items != NULL) {
		span = script->items->node->span;
	}
	record(f, "$", text + span.start, span.end - span.start);
	if (strncmp(text + span.start, "known", 5) == 0) {
		out.data = field_static(" a  b ", NULL);
		out.data.taint = TAINT_OUTPUT;
	}
	return out;
}

static inline struct stream
fixture_evaluate(void *data, struct shell *shell, const struct field *text)
{
	struct fixture *f = data;
	struct trouble trouble = { 0 };
	struct source *source = arena_alloc(&f->arena, sizeof(*source));
	struct word *word = NULL;

	(void)shell;
	record(f, "@", text->text, text->len);
	if (source != NULL && field_is_literal(text)) {
		source->text = text->text;
		source->len = text->len;
		word = syntax_parse_word(&f->arena, source, true, &trouble);
	}
	if (word == NULL || trouble.rule != NULL) {
		return stream_unknown(TAINT_OUTPUT);
	}
	return (struct stream){ .data = expand_plain(&f->ex, word) };
}

static inline void
fixture_note(void *data, const char *rule, const char *message, const struct part *part)
{
	struct fixture *f = data;

	(void)rule;
	(void)message;
	(void)part;
	f->notes++;
}

static inline bool
fixture_start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->scene = (struct bailey_scene){ .cwd = "/work", .home = "/home/u" };
	f->hooks = (struct expand_hooks){ .data = f,
					  .command = fixture_command,
					  .evaluate = fixture_evaluate,
					  .note = fixture_note };
	f->ex = (struct expander){ .shell = &f->shell, .hooks = &f->hooks, .source = &f->source };
	return shell_init(&f->shell, &f->arena, &f->scene) == BAILEY_OK;
}

static inline void
fixture_assign(struct fixture *f, const struct assignment *a)
{
	struct fields fields = { 0 };
	struct field value;
	struct field index;

	if (a->array) {
		expand_words(&f->ex, a->value, &fields);
		shell_set_array(&f->shell, a->name, fields.items, NULL, fields.count, a->append);
		return;
	}
	value = expand_value(&f->ex, a->value);
	if (a->index != NULL) {
		index = expand_index(&f->ex, a->name, a->index);
		shell_set_element(&f->shell, a->name, &index, &value, a->append);
	} else if (a->append) {
		shell_append(&f->shell, a->name, &value);
	} else {
		shell_set(&f->shell, a->name, &value);
	}
}

/* The node of the text's first command; NULL when it cannot be read. */
static inline const struct node *
fixture_read(struct fixture *f, const char *text)
{
	struct trouble trouble = { 0 };
	struct script *script;

	f->source = (struct source){ .text = text, .len = strlen(text) };
	script = syntax_parse(&f->arena, &f->source, f->shell.dialect, true, &trouble);
	if (script == NULL || trouble.rule != NULL || script->items == NULL) {
		return NULL;
	}
	return script->items->node;
}

/* Carries out the assignments in front of a command, then expands its words. */
static inline struct fields
fixture_expand(struct fixture *f, const char *text)
{
	const struct node *node = fixture_read(f, text);
	struct fields fields = { 0 };

	if (node == NULL) {
		return fields;
	}
	for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
		fixture_assign(f, a);
	}
	if (node->words != NULL) {
		expand_words(&f->ex, node->words, &fields);
	}
	return fields;
}

static inline const char *
fixture_show(struct fixture *f, const char *text)
{
	struct fields fields = fixture_expand(f, text);
	size_t n = 0;

	for (size_t i = 0; i < fields.count && n + fields.items[i].len + 8 < sizeof(f->shown);
	     i++) {
		if (i > 0) {
			f->shown[n++] = '|';
		}
		n += show_field(f->shown + n, &fields.items[i]);
	}
	f->shown[n] = '\0';
	return f->shown;
}

static inline void
fixture_end(struct fixture *f)
{
	arena_finish(&f->arena);
}

#endif /* TESTS_EXPAND_FIXTURE_H */
