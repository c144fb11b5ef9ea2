/* SPDX-License-Identifier: MIT */
/*
 * Findings are lists in the order in which they were found. What does not fit into memory goes to
 * the spare of the findings: arena->failed is set then, and whoever judges asks for that once.
 */
#include "command/model.h"

#include <string.h>

void
findings_init(struct findings *found, struct arena *arena)
{
	memset(found, 0, sizeof(*found));
	found->arena = arena;
	found->effects_end = &found->effects;
	found->inners_end = &found->inners;
}

static struct effect *
add_effect(struct findings *found)
{
	struct effect *effect = arena_alloc(found->arena, sizeof(*effect));

	if (effect == NULL) {
		memset(&found->spare_effect, 0, sizeof(found->spare_effect));
		return &found->spare_effect;
	}
	*found->effects_end = effect;
	found->effects_end = &effect->next;
	return effect;
}

struct effect *
find_deed(struct findings *found, enum deed deed, const struct field *target)
{
	struct effect *effect = add_effect(found);

	effect->deed = deed;
	effect->target = target;
	return effect;
}

struct effect *
find_rule(struct findings *found, const struct rule *rule, const struct field *target)
{
	struct effect *effect = add_effect(found);

	effect->rule = rule;
	effect->target = target;
	return effect;
}

static struct inner *
add_inner(struct findings *found, enum inner_kind kind, unsigned flags, const char *via)
{
	struct inner *inner = arena_alloc(found->arena, sizeof(*inner));

	if (inner == NULL) {
		inner = &found->spare_inner;
		memset(inner, 0, sizeof(*inner));
	} else {
		*found->inners_end = inner;
		found->inners_end = &inner->next;
	}
	inner->kind = kind;
	inner->flags = flags;
	inner->via = via;
	return inner;
}

struct inner *
find_argv(struct findings *found, const struct field *argv, size_t argc, unsigned flags,
	  const char *via)
{
	struct inner *inner = add_inner(found, INNER_ARGV, flags, via);

	inner->argv = argv;
	inner->argc = argc;
	return inner;
}

static struct inner *
add_code(struct findings *found, enum inner_kind kind, enum language language,
	 const struct field *text, unsigned flags, const char *via)
{
	struct inner *inner = add_inner(found, kind, flags, via);

	inner->language = language;
	inner->text = text;
	return inner;
}

struct inner *
find_code(struct findings *found, enum language language, const struct field *text, unsigned flags,
	  const char *via)
{
	return add_code(found, INNER_CODE, language, text, flags, via);
}

struct inner *
find_file(struct findings *found, enum language language, const struct field *path, unsigned flags,
	  const char *via)
{
	return add_code(found, INNER_FILE, language, path, flags, via);
}

struct inner *
find_stdin(struct findings *found, enum language language, unsigned flags, const char *via)
{
	return add_code(found, INNER_STDIN, language, NULL, flags, via);
}

void
find_unknown(struct findings *found, const char *why, const struct field *at)
{
	found->flags &= ~(unsigned)FIND_KNOWN;
	if (found->unknown == NULL) {
		found->unknown = why;
		found->unknown_at = at;
	}
}
