/* SPDX-License-Identifier: MIT */
/*
 * Brace expansion: words into flat texts, and pieces of these into words again.
 */
#include "command/braces.h"

#include <string.h>

static bool
is_live(const struct part *part)
{
	return part->kind == PART_TEXT && !part->quoted;
}

static bool
flatten(struct braces *br, const struct word *word, size_t *len)
{
	size_t n = 0;
	char *flat;

	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		n += is_live(part) ? part->len : 1;
	}
	*len = n;
	if (!braces_pay(br, n * sizeof(*br->parts))) {
		return false;
	}
	flat = arena_alloc(br->shell->arena, n + 1);
	br->parts = arena_array(br->shell->arena, n + 1, sizeof(*br->parts));
	if (flat == NULL || br->parts == NULL) {
		return false;
	}
	br->flat = flat;
	n = 0;
	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		if (is_live(part)) {
			memcpy(flat + n, part->text, part->len);
			n += part->len;
			continue;
		}
		br->parts[n] = part;
		flat[n++] = OPAQUE;
	}
	return true;
}

struct word_build {
	struct braces *br;
	const struct word *like;
	struct part **end;
	struct part *last;
	char *text; /* live text that waits to become a part */
	size_t len;
};

static bool
is_name_byte(char c)
{
	return braces_is_letter(c) || braces_is_digit(c) || c == '_';
}

/* $x without braces, as it stands in the source: name characters that come to stand behind it
 * become part of its name. */
static bool
is_bare_name(const struct braces *br, const struct part *part)
{
	const struct source *source = br->source;

	return part->kind == PART_PARAM && !part->quoted && part->param->op == PARAM_PLAIN &&
	       !braces_is_digit(*part->param->name) && is_name_byte(*part->param->name) &&
	       source != NULL && (size_t)part->span.start + 1 < source->len &&
	       source->text[part->span.start] == '$' && source->text[part->span.start + 1] != '{';
}

/* $x and then "y": $xy. Gives how much of the text went into the name. */
static size_t
lengthen_name(struct word_build *build)
{
	struct part *last = build->last;
	struct arena *arena = build->br->shell->arena;
	struct param *param;
	size_t n = 0;

	while (n < build->len && is_name_byte(build->text[n])) {
		n++;
	}
	if (n == 0 || last == NULL || !is_bare_name(build->br, last)) {
		return 0;
	}
	param = arena_alloc(arena, sizeof(*param));
	if (param == NULL) {
		return 0;
	}
	*param = *last->param;
	param->name = arena_printf(arena, "%s%.*s", last->param->name, (int)n, build->text);
	if (param->name == NULL) {
		return 0;
	}
	last->param = param;
	return n;
}

static void
add_part(struct word_build *build, struct part *part)
{
	part->next = NULL;
	*build->end = part;
	build->end = &part->next;
	build->last = part;
}

static void
flush(struct word_build *build)
{
	struct part *part;
	size_t used;

	if (build->len == 0) {
		return;
	}
	used = lengthen_name(build);
	part = arena_alloc(build->br->shell->arena, sizeof(*part));
	if (part == NULL) {
		return;
	}
	part->kind = PART_TEXT;
	part->span = build->like->span;
	part->exact = UINT32_MAX;
	part->text = build->text + used;
	part->len = build->len - used;
	if (part->len > 0) {
		add_part(build, part);
	}
	/* Behind the text comes a NUL, and then the next one. */
	build->text[build->len] = '\0';
	build->text += build->len + 1;
	build->len = 0;
}

static void
put_opaque(struct word_build *build, const struct part *like)
{
	struct part *part = arena_alloc(build->br->shell->arena, sizeof(*part));

	if (part != NULL) {
		*part = *like;
		add_part(build, part);
	}
}

static void
put_piece(struct word_build *build, const struct brace_piece *piece)
{
	struct braces *br = build->br;
	const char *text = piece->text != NULL ? piece->text : br->flat;

	/* A dollar that gets something behind it starts another expansion. */
	if (build->len > 0 && build->text[build->len - 1] == '$' && piece->end > piece->start) {
		br->over = true;
	}
	for (size_t i = piece->start; i < piece->end; i++) {
		if (piece->text == NULL && br->parts[i] != NULL) {
			flush(build);
			put_opaque(build, br->parts[i]);
			continue;
		}
		build->text[build->len++] = text[i];
	}
}

static struct word *
make_word(struct braces *br, const struct word *like, const struct choice *item)
{
	struct word *word = arena_alloc(br->shell->arena, sizeof(*word));
	struct word_build build = { .br = br, .like = like };
	size_t room = 1;

	for (size_t i = 0; i < item->count; i++) {
		room += (item->pieces[i].end - item->pieces[i].start) * 2 + 1;
	}
	if (word == NULL || !braces_pay(br, room)) {
		return NULL;
	}
	build.text = arena_alloc(br->shell->arena, room);
	if (build.text == NULL) {
		return NULL;
	}
	build.end = &word->parts;
	word->span = like->span;
	for (size_t i = 0; i < item->count; i++) {
		put_piece(&build, &item->pieces[i]);
	}
	flush(&build);
	return word;
}

struct word *
expand_braces(struct expander *ex, const struct word *word, bool *over)
{
	struct braces br = { .shell = ex->shell, .source = ex->source };
	struct choices list = { 0 };
	struct word *first = NULL;
	struct word **end = &first;
	size_t len = 0;

	*over = false;
	if (!flatten(&br, word, &len)) {
		*over = true;
		return NULL;
	}
	braces_expand(&br, 0, len, &list);
	if (!br.over && list.count == 1 && list.items[0].count == 1 &&
	    list.items[0].pieces[0].text == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < list.count && !br.over; i++) {
		*end = make_word(&br, word, &list.items[i]);
		if (*end == NULL) {
			br.over = true;
			break;
		}
		end = &(*end)->next;
	}
	*over = br.over;
	return br.over ? NULL : first;
}
