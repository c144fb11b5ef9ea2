/* SPDX-License-Identifier: MIT */
/*
 * The shell's tables, marks, and what becomes of the state after a branch.
 */
#include "command/shell_table.h"

#include <string.h>

#define TABLE_ROOM_MIN 16

/* ---- hash tables -------------------------------------------------------------------------- */

/* Names come from the text, so the seed keeps anybody from choosing ones that collide. */
static uint64_t
hash_name(uint64_t seed, const char *name)
{
	uint64_t hash = seed;

	for (; *name != '\0'; name++) {
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
		hash ^= hash >> 29;
	}
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 32);
}

static size_t
find_slot(const struct shell_table *table, const char *name, uint64_t hash)
{
	size_t slot = hash & (table->room - 1);

	while (table->slots[slot] != NULL &&
	       (table->slots[slot]->hash != hash || strcmp(table->slots[slot]->name, name) != 0)) {
		slot = (slot + 1) & (table->room - 1);
	}
	return slot;
}

static bool
grow_table(struct shell *shell, struct shell_table *table)
{
	size_t room = table->room == 0 ? TABLE_ROOM_MIN : table->room * 2;
	struct shell_entry **slots = arena_array(shell->arena, room, sizeof(struct shell_entry *));

	if (slots == NULL) {
		return false;
	}
	for (size_t i = 0; i < table->room; i++) {
		struct shell_entry *entry = table->slots[i];
		size_t slot;

		if (entry == NULL) {
			continue;
		}
		slot = entry->hash & (room - 1);
		while (slots[slot] != NULL) {
			slot = (slot + 1) & (room - 1);
		}
		slots[slot] = entry;
	}
	table->slots = slots;
	table->room = room;
	return true;
}

struct shell_entry *
shell_entry(struct shell *shell, enum shell_kind kind, const char *name, bool make)
{
	struct shell_table *table = &shell->tables->kinds[kind];
	struct shell_entry *entry;
	uint64_t hash;
	size_t slot;

	if (table->count == 0 && !make) {
		return NULL;
	}
	hash = hash_name(shell->tables->seed, name);
	if (table->count > 0) {
		slot = find_slot(table, name, hash);
		if (table->slots[slot] != NULL || !make) {
			return table->slots[slot];
		}
	}
	if ((table->count + 1) * 2 > table->room && !grow_table(shell, table)) {
		return NULL;
	}
	entry = arena_alloc(shell->arena, sizeof(*entry));
	name = arena_strdup(shell->arena, name);
	if (entry == NULL || name == NULL) {
		return NULL;
	}
	entry->name = name;
	entry->hash = hash;
	entry->kind = kind;
	table->slots[find_slot(table, name, hash)] = entry;
	table->count++;
	return entry;
}

/* ---- the log ------------------------------------------------------------------------------ */

static struct shell_record *
new_record(struct shell *shell)
{
	struct shell_tables *tables = shell->tables;

	if (tables->log_count == tables->log_room) {
		size_t room = tables->log_room == 0 ? 32 : tables->log_room * 2;
		struct shell_record *log = arena_array(shell->arena, room, sizeof(*log));

		if (log == NULL) {
			return NULL;
		}
		if (tables->log_count > 0) {
			memcpy(log, tables->log, tables->log_count * sizeof(*log));
		}
		tables->log = log;
		tables->log_room = room;
	}
	return &tables->log[tables->log_count++];
}

static bool
must_log(const struct shell *shell, const struct shell_entry *entry)
{
	return shell->tables->marked && entry->logged <= shell->tables->floor;
}

void
shell_log(struct shell *shell, struct shell_entry *entry)
{
	struct shell_record *record = new_record(shell);

	if (record == NULL) {
		return;
	}
	record->entry = entry;
	record->old_generation = shell->tables->generation;
	record->old = NULL;
	record->old_logged = 0;
	if (entry != NULL) {
		record->old = entry->value;
		record->old_logged = entry->logged;
		record->old_generation = entry->generation;
		entry->logged = shell->tables->log_count;
	}
}

void
shell_replace(struct shell *shell, struct shell_entry *entry, void *value)
{
	if (must_log(shell, entry)) {
		shell_log(shell, entry);
	}
	entry->value = value;
}

void *
shell_writable(struct shell *shell, struct shell_entry *entry, size_t size)
{
	void *copy;

	if (entry->value != NULL && !must_log(shell, entry)) {
		return entry->value;
	}
	copy = arena_alloc(shell->arena, size);
	if (copy == NULL) {
		return NULL;
	}
	if (entry->value != NULL) {
		memcpy(copy, entry->value, size);
	}
	shell_replace(shell, entry, copy);
	return copy;
}

/* ---- the state as a whole ----------------------------------------------------------------- */

int
shell_init(struct shell *shell, struct arena *arena, const struct bailey_scene *scene)
{
	*shell = (struct shell){ .arena = arena, .scene = scene, .positional_known = true };
	shell->tables = arena_alloc(arena, sizeof(*shell->tables));
	if (shell->tables == NULL) {
		return BAILEY_E_NOMEM;
	}
	shell->tables->seed = UINT64_C(0xcbf29ce484222325) ^ (uintptr_t)shell->tables;
	shell->zero = field_static("bash", NULL);
	shell->cwd = field_unknown(0, false, NULL);
	if (scene->cwd != NULL) {
		shell->cwd = field_static(scene->cwd, NULL);
	}
	return BAILEY_OK;
}

bool
shell_spend(struct shell *shell, size_t bytes)
{
	size_t *spent = &shell->tables->spent;

	if (bytes > SHELL_SPEND_MAX - *spent) {
		*spent = SHELL_SPEND_MAX;
		return false;
	}
	*spent += bytes;
	return true;
}

bool
shell_countable(const struct shell *shell, const struct field *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count && !shell->nullglob && !items[i].many;

		if (!last && field_is_several(&items[i])) {
			return false;
		}
	}
	return true;
}

bool
shell_positional_open(const struct shell *shell)
{
	size_t count = shell->positional_count;

	return count > 0 && field_is_several(&shell->positional[count - 1]);
}

struct shell_mark
shell_mark(struct shell *shell)
{
	struct shell_tables *tables = shell->tables;

	tables->marked = true;
	tables->floor = tables->log_count;
	return (struct shell_mark){ .saved = *shell, .log = tables->log_count };
}

void
shell_rollback(struct shell *shell, const struct shell_mark *mark)
{
	struct shell_tables *tables = shell->tables;
	unsigned seen = shell->attempts_seen;
	unsigned attempt = shell->attempt;
	bool text = shell->attempts_text;

	while (tables->log_count > mark->log) {
		const struct shell_record *record = &tables->log[--tables->log_count];

		if (record->entry == NULL) {
			tables->generation = record->old_generation;
			continue;
		}
		record->entry->value = record->old;
		record->entry->logged = record->old_logged;
		record->entry->generation = record->old_generation;
	}
	tables->floor = tables->log_count;
	*shell = mark->saved;
	shell->attempts_seen = seen;
	shell->attempts_text = text;
	shell->attempt = attempt;
}

bool
shell_same(const struct field *a, const struct field *b)
{
	return a->kind == BAILEY_WORD_LITERAL && b->kind == BAILEY_WORD_LITERAL &&
	       a->many == b->many && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* Are the positional parameters still those that they were? */
static bool
same_positional(const struct shell *shell, const struct shell *saved)
{
	if (!shell->positional_known || !saved->positional_known ||
	    shell->positional_count != saved->positional_count) {
		return false;
	}
	if (shell->positional == saved->positional) {
		return true;
	}
	for (size_t i = 0; i < shell->positional_count; i++) {
		if (!shell_same(&shell->positional[i], &saved->positional[i])) {
			return false;
		}
	}
	return true;
}

static void
join_state(struct shell *shell, const struct shell *saved)
{
	if (!shell_same(&shell->cwd, &saved->cwd)) {
		shell->cwd = field_unknown(TAINT_VARIABLE, false, &shell->cwd);
	}
	if (!shell_same(&shell->zero, &saved->zero)) {
		shell->zero = field_unknown(TAINT_VARIABLE, false, &shell->zero);
	}
	if (!same_positional(shell, saved)) {
		shell->positional_known = false;
	}
	/* Whichever of the two lets more happen. */
	shell->noglob = shell->noglob && saved->noglob;
	shell->noexec = shell->noexec && saved->noexec;
	shell->nullglob = shell->nullglob || saved->nullglob;
	shell->extglob = shell->extglob || saved->extglob;
	shell->aliases_unsure = shell->aliases_unsure || saved->aliases_unsure ||
				shell->expand_aliases != saved->expand_aliases;
	shell->expand_aliases = shell->expand_aliases || saved->expand_aliases;
}

static void
join_entry(struct shell *shell, struct shell_entry *entry, void *old)
{
	switch (entry->kind) {
	case SHELL_VAR:
		shell_join_var(shell, entry, old);
		break;
	case SHELL_FUNCTION:
		shell_join_function(shell, entry, old);
		break;
	case SHELL_ALIAS:
		shell_join_alias(shell, entry, old);
		break;
	case SHELL_FILE:
		shell_join_file(shell, entry, old);
		break;
	case SHELL_KINDS:
	default:
		break;
	}
}

void
shell_join(struct shell *shell, const struct shell_mark *mark)
{
	struct shell_tables *tables = shell->tables;
	size_t end = tables->log_count;

	for (size_t i = mark->log; i < end && !shell->arena->failed; i++) {
		struct shell_record record = tables->log[i];

		/* The oldest record of an entry since the mark has what it was at the mark. */
		if (record.entry != NULL && record.old_logged <= mark->log) {
			join_entry(shell, record.entry, record.old);
		}
	}
	join_state(shell, &mark->saved);
	tables->floor = tables->log_count;
}
