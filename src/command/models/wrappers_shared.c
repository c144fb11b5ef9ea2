/* SPDX-License-Identifier: MIT */
/* What refinements of wrappers do with the command that is run. */
#include "command/models/wrappers_impl.h"

#include <string.h>

/* ---- shared -------------------------------------------------------------------------------- */

void
wrapper_flag(struct findings *found, unsigned flags)
{
	for (struct inner *inner = found->inners; inner != NULL; inner = inner->next) {
		inner->flags |= flags;
	}
}

void
wrapper_privileged(const struct match *match, struct findings *found)
{
	(void)match;
	wrapper_flag(found, INNER_PRIVILEGED);
}

void
wrapper_prompt(const struct match *match, struct findings *found)
{
	wrapper_flag(found, INNER_PROMPT);
	if (found->inners == NULL) {
		find_unknown(found, "what it runs", &match->argv[0]);
	}
}

size_t
wrapper_assignments(const struct field *argv, size_t argc)
{
	size_t count = 0;

	while (count < argc) {
		size_t known = field_is_literal(&argv[count]) ? argv[count].len
							      : field_known_prefix(&argv[count]);

		if (memchr(argv[count].text, '=', known) == NULL) {
			break;
		}
		count++;
	}
	return count;
}

void
wrapper_take_assignments(struct findings *found, struct inner *inner)
{
	size_t count = wrapper_assignments(inner->argv, inner->argc);
	const struct field **list;

	if (count == 0) {
		return;
	}
	list = arena_array(found->arena, count + 1, sizeof(*list));
	if (list == NULL) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		list[i] = &inner->argv[i];
	}
	inner->assignments = list;
	inner->argv += count;
	inner->argc -= count;
}

struct inner *
wrapper_command(struct findings *found, const char *first, const struct field *argv, size_t argc,
		unsigned flags, const char *via)
{
	struct field *words = arena_array(found->arena, argc + 1, sizeof(*words));

	if (words == NULL) {
		return find_argv(found, argv, 0, flags, via);
	}
	words[0] = field_static(first, argc > 0 ? argv : NULL);
	if (argc > 0) {
		memcpy(words + 1, argv, argc * sizeof(*words));
	}
	return find_argv(found, words, argc + 1, flags, via);
}

const struct field *
wrapper_join(struct findings *found, const struct field *words, size_t count)
{
	size_t len = count;
	char *text;
	uint8_t *marks;
	struct field *joined;
	size_t at = 0;

	if (count <= 1) {
		return count == 1 ? words : NULL;
	}
	for (size_t i = 0; i < count; i++) {
		len += words[i].len;
	}
	text = arena_alloc(found->arena, len);
	marks = arena_alloc(found->arena, len);
	joined = arena_alloc(found->arena, sizeof(*joined));
	if (text == NULL || marks == NULL || joined == NULL) {
		return NULL;
	}
	*joined = words[0];
	for (size_t i = 0; i < count; i++) {
		memcpy(text + at, words[i].text, words[i].len);
		if (words[i].marks != NULL) {
			memcpy(marks + at, words[i].marks, words[i].len);
		}
		at += words[i].len;
		text[at++] = i + 1 < count ? ' ' : '\0';
		joined->kind = words[i].kind > joined->kind ? words[i].kind : joined->kind;
		joined->many |= words[i].many;
		joined->taint |= words[i].taint;
	}
	joined->text = text;
	joined->marks = joined->kind == BAILEY_WORD_LITERAL ? NULL : marks;
	joined->len = (uint32_t)(len - 1);
	joined->exact = UINT32_MAX;
	joined->tilde = false;
	return joined;
}
