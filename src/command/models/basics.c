/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the everyday programs' models. None of them fails: when memory is out they give a
 * field of static storage, and arena->failed says so to whoever judges.
 */
#include "command/models/basics.h"

#include <string.h>

const struct rule basics_helper = { "option.names-program", BAILEY_PROMPT, BAILEY_EFFECT_EXECUTES,
				    "names a program to be run" };

const struct rule basics_network = { "network.uses", BAILEY_PROMPT, BAILEY_EFFECT_NETWORK,
				     "talks to another machine" };

static const struct field no_field = { .text = "", .exact = UINT32_MAX };

void
basics_flag(struct findings *found, enum deed deed, unsigned flags)
{
	for (struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		if (effect->deed == deed) {
			effect->flags |= flags;
		}
	}
}

const struct field *
basics_keep(struct findings *found, struct field field)
{
	struct field *kept = arena_alloc(found->arena, sizeof(*kept));

	if (kept == NULL || field.text == NULL) {
		return &no_field;
	}
	*kept = field;
	return kept;
}

const struct field *
basics_tail(struct findings *found, const struct field *field, size_t from)
{
	return basics_keep(found, field_tail(found->arena, field, from));
}

const struct field *
basics_static(struct findings *found, const char *text, const struct field *like)
{
	return basics_keep(found, field_static(text, like));
}

const struct field *
basics_glue(struct findings *found, const struct field *a, const char *text)
{
	struct field suffix = field_static(text, a);

	return basics_keep(found, field_join(found->arena, a, &suffix));
}

const struct field *
basics_below(struct findings *found, const struct field *dir, const struct field *path)
{
	const struct field *parent;

	if (path->text[0] == '/' || path->tilde) {
		return path;
	}
	parent =
		dir->len > 0 && dir->text[dir->len - 1] == '/' ? dir : basics_glue(found, dir, "/");
	return basics_keep(found, field_join(found->arena, parent, path));
}

size_t
basics_base(const struct field *path)
{
	size_t from = path->len;

	while (from > 0 && path->text[from - 1] != '/') {
		from--;
	}
	return from;
}

const struct field *
basics_into(struct findings *found, const struct field *dir, const struct field *source)
{
	struct field path = *source;
	struct field base;

	/* "dir/" is dir: the copy is called so too. */
	while (path.len > 1 && path.text[path.len - 1] == '/') {
		path.len--;
	}
	base = field_tail(found->arena, source, basics_base(&path));
	if (base.text == NULL || base.len == 0 || base.text[0] == '/' || field_is(&base, ".") ||
	    field_is(&base, "..") || field_is(&base, "./") || field_is(&base, "../")) {
		return NULL;
	}
	return basics_below(found, dir, basics_keep(found, base));
}

bool
basics_is_directory(const struct shell *shell, const struct field *path)
{
	const char *base = path->text + basics_base(path);

	if (path->len > 0 && path->text[path->len - 1] == '/') {
		return true;
	}
	if (!field_is_literal(path)) {
		return false;
	}
	if (strcmp(base, ".") == 0 || strcmp(base, "..") == 0) {
		return true;
	}
	return shell != NULL && shell->scene != NULL && shell->scene->home != NULL &&
	       strcmp(path->text, shell->scene->home) == 0;
}

/* Letters, digits and "+-." in front of "://". */
static bool
has_scheme(const struct field *field)
{
	const char *colon = strstr(field->text, "://");

	if (colon == NULL || colon == field->text) {
		return false;
	}
	for (const char *at = field->text; at < colon; at++) {
		if (strchr("/ \t\n", *at) != NULL) {
			return false;
		}
	}
	return true;
}

void
basics_urls(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (has_scheme(&match->operands[i])) {
			found->flags |= FIND_NETWORK | FIND_OUT_NETWORK;
			find_unknown(found, "a path on another machine", &match->operands[i]);
		}
	}
	for (size_t i = 0; i < match->option_count; i++) {
		const struct field *arg = match->options[i].arg;

		if (arg != NULL && has_scheme(arg)) {
			found->flags |= FIND_NETWORK | FIND_OUT_NETWORK;
			find_unknown(found, "a path on another machine", arg);
		}
	}
}

void
basics_response_files(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (match->operands[i].text[0] == '@') {
			find_unknown(found, "options from a file", &match->operands[i]);
		}
	}
}

/* A dot, and a letter that is no digit of an address. */
static bool
is_name_of_host(const struct field *word)
{
	if (!field_is_literal(word)) {
		return true;
	}
	return strchr(word->text, '.') != NULL &&
	       strpbrk(word->text, "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

void
basics_names(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (is_name_of_host(&match->operands[i])) {
			found->flags |= FIND_NETWORK;
			find_rule(found, &basics_network, &match->operands[i]);
		}
	}
}

static void
flag_written(struct findings *found, unsigned flags)
{
	basics_flag(found, DEED_WRITE, flags);
	basics_flag(found, DEED_APPEND, flags);
}

void
basics_from_stdin(const struct match *match, struct findings *found)
{
	(void)match;
	flag_written(found, EFFECT_FROM_STDIN);
}

void
basics_from_output(const struct match *match, struct findings *found)
{
	(void)match;
	flag_written(found, EFFECT_FROM_OUTPUT);
}
