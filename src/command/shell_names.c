/* SPDX-License-Identifier: MIT */
/*
 * Functions and aliases of the shell's state.
 */
#include "command/shell_table.h"

#include <string.h>

/* ---- functions ---------------------------------------------------------------------------- */

static struct function_def *
new_function(struct shell *shell, const char *name, const struct function_def *like)
{
	struct shell_tables *tables = shell->tables;
	struct function_def *def = arena_alloc(shell->arena, sizeof(*def));
	struct shell_defined *defined = NULL;

	if (def != NULL) {
		defined = arena_push(shell->arena, &tables->defined, &tables->defined_count,
				     sizeof(*defined));
	}
	if (defined == NULL) {
		return NULL;
	}
	*def = *like;
	defined->name = name;
	defined->def = def;
	return def;
}

struct function_def *
shell_function(struct shell *shell, const char *name)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_FUNCTION, name, false);

	return entry != NULL ? entry->value : NULL;
}

void
shell_define(struct shell *shell, const char *name, struct node *body, const struct source *source)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_FUNCTION, name, true);
	struct function_def like = { .body = body,
				     .source = source,
				     .called = arena_alloc(shell->arena, sizeof(bool)) };
	struct function_def *def;

	if (entry == NULL || like.called == NULL) {
		return;
	}
	def = new_function(shell, entry->name, &like);
	if (def != NULL) {
		shell_replace(shell, entry, def);
	}
}

void
shell_undefine(struct shell *shell, const char *name)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_FUNCTION, name, false);

	if (entry != NULL) {
		shell_replace(shell, entry, NULL);
	}
}

void
shell_join_function(struct shell *shell, struct shell_entry *entry, struct function_def *old)
{
	struct function_def *now = entry->value;
	struct function_def *copy;

	if (now == old) {
		return;
	}
	/* A copy, because the original may still be what it is for sure in another state. */
	copy = new_function(shell, entry->name, now != NULL ? now : old);
	if (copy == NULL) {
		return;
	}
	copy->unsure = now == NULL || old == NULL || now->unsure || old->unsure;
	if (now != NULL && old != NULL && old->older_count < SHELL_ALTERNATIVES) {
		copy->older = old;
		copy->older_count = old->older_count + 1;
	}
	shell_replace(shell, entry, copy);
}

struct function_def *
shell_uncalled(struct shell *shell, size_t *cursor, const char **name)
{
	const struct shell_tables *tables = shell->tables;

	while (*cursor < tables->defined_count) {
		const struct shell_defined *defined = &tables->defined[(*cursor)++];

		if (!*defined->def->called) {
			*name = defined->name;
			return defined->def;
		}
	}
	return NULL;
}

/* ---- aliases ------------------------------------------------------------------------------ */

const char *
shell_alias(struct shell *shell, const char *name, uint32_t line, bool *unsure)
{
	const struct shell_entry *entry;
	const struct shell_alias_def *def;

	if (line != UINT32_MAX) {
		shell->tables->alias_line = line;
	}
	entry = shell_entry(shell, SHELL_ALIAS, name, false);
	def = entry != NULL ? entry->value : NULL;
	while (def != NULL && def->line >= line) {
		def = def->older;
	}
	if (unsure != NULL) {
		*unsure = def != NULL && def->unsure;
	}
	return def != NULL ? def->text : NULL;
}

static void
define_alias(struct shell *shell, struct shell_entry *entry, const char *text, uint32_t line)
{
	struct shell_alias_def *def = arena_alloc(shell->arena, sizeof(*def));
	struct shell_alias_def *older = entry->value;

	if (def == NULL) {
		return;
	}
	/* What was defined on this same line never acts. */
	while (older != NULL && older->line >= line) {
		older = older->older;
	}
	def->text = text;
	def->line = line;
	/* Lines are asked for in order, so nobody looks further back than this. */
	if (older != NULL && older->older != NULL) {
		struct shell_alias_def *last = arena_alloc(shell->arena, sizeof(*last));

		if (last != NULL) {
			last->text = older->text;
			last->line = older->line;
		}
		older = last;
	}
	def->older = older;
	shell_replace(shell, entry, def);
}

void
shell_set_alias(struct shell *shell, const char *name, const char *text, uint32_t line)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_ALIAS, name, true);

	if (entry != NULL) {
		define_alias(shell, entry, text, line);
	}
}

void
shell_unset_alias(struct shell *shell, const char *name)
{
	const struct shell_table *table = &shell->tables->kinds[SHELL_ALIAS];
	uint32_t line = shell->tables->alias_line;
	struct shell_entry *entry;

	if (name != NULL) {
		entry = shell_entry(shell, SHELL_ALIAS, name, false);
		if (entry != NULL && entry->value != NULL) {
			define_alias(shell, entry, NULL, line);
		}
		return;
	}
	if (!shell_spend(shell, table->room)) {
		return;
	}
	for (size_t i = 0; i < table->room; i++) {
		entry = table->slots[i];
		if (entry != NULL && entry->value != NULL) {
			define_alias(shell, entry, NULL, line);
		}
	}
}

void
shell_join_alias(struct shell *shell, struct shell_entry *entry, struct shell_alias_def *old)
{
	const struct shell_alias_def *now = entry->value;
	const struct shell_alias_def *kept = now;
	struct shell_alias_def *copy;

	if (now == NULL || now == old) {
		return;
	}
	if (now->text == NULL) {
		kept = old;
	}
	if (kept == NULL || kept->text == NULL) {
		return; /* there was none, and there is none */
	}
	copy = arena_alloc(shell->arena, sizeof(*copy));
	if (copy == NULL) {
		return;
	}
	*copy = *kept;
	copy->unsure = true;
	if (kept == now && old != NULL && old->text != NULL && strcmp(old->text, now->text) != 0) {
		copy->text = "\x1a";
	}
	shell_replace(shell, entry, copy);
}
