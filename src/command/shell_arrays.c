/* SPDX-License-Identifier: MIT */
/*
 * Arrays of the shell's state. Without keys, element i has subscript i; with keys, the elements of
 * an indexed array are in the order of their subscripts, which are decimal numbers.
 *
 * Invariants:
 *   - room for elements is as arena_push() wants it; elements below `count` are never changed where
 *     they lie, because older states may share them
 */
#include "command/shell_vars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copy of `count` elements with the room that arena_push() takes for granted. */
static void *
own_copy(struct shell *shell, const void *items, size_t count, size_t size)
{
	size_t room = 4;
	void *copy;

	while (room < count) {
		room *= 2;
	}
	if (!shell_spend(shell, count * size)) {
		return NULL;
	}
	copy = arena_array(shell->arena, room, size);
	if (copy != NULL && count > 0) {
		memcpy(copy, items, count * size);
	}
	return copy;
}

/* What is in the array is not known from here on. */
static void
lose_array(struct shell *shell, struct var *var)
{
	var->array = true;
	shell_make_unsure(shell, var);
}

static void
start_array(struct shell *shell, struct var *var)
{
	if (!var->set && var->unsure) {
		var->unsure = false;
		var->count = 0;
	}
	if (var->array) {
		return;
	}
	var->array = true;
	var->open = false;
	if (!var->set) {
		var->count = 0;
		var->values = NULL;
	}
	if (var->count > 0) {
		var->values = own_copy(shell, var->values, var->count, sizeof(*var->values));
		if (var->values == NULL) {
			var->count = 0;
			lose_array(shell, var);
		}
	}
	var->keys = NULL;
}

/* ---- subscripts --------------------------------------------------------------------------- */

static bool
read_subscript(const struct field *index, long long *number)
{
	const char *s = index->text;

	if (!field_is_literal(index) || index->len == 0 || index->len > 18) {
		return false;
	}
	s += *s == '-';
	if (*s == '\0' || s[strspn(s, "0123456789")] != '\0') {
		return false;
	}
	*number = strtoll(index->text, NULL, 10);
	return true;
}

static long long
subscript_of(const struct var *var, size_t i)
{
	return var->keys != NULL ? strtoll(var->keys[i], NULL, 10) : (long long)i;
}

/* The place of subscript `number`: where it is, or where it would go. */
static size_t
place_of_number(const struct var *var, long long number, bool *found)
{
	size_t low = 0;
	size_t high = var->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (subscript_of(var, middle) < number) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*found = low < var->count && subscript_of(var, low) == number;
	return low;
}

static size_t
place_of_key(const struct var *var, const char *key, bool *found)
{
	for (size_t i = 0; var->keys != NULL && i < var->count; i++) {
		if (strcmp(var->keys[i], key) == 0) {
			*found = true;
			return i;
		}
	}
	*found = false;
	return var->count;
}

bool
shell_place(struct shell *shell, const struct var *var, const struct field *index, size_t *place,
	    bool *found)
{
	long long number;

	if (var->array && var->assoc) {
		if (!field_is_literal(index) || !shell_spend(shell, var->count)) {
			return false;
		}
		*place = place_of_key(var, index->text, found);
		return true;
	}
	if (!read_subscript(index, &number)) {
		return false;
	}
	if (number < 0) {
		number += var->count > 0 ? subscript_of(var, var->count - 1) + 1 : 0;
	}
	if (number < 0) {
		return false;
	}
	if (var->keys == NULL) {
		*found = (size_t)number < var->count;
		*place = (size_t)number;
		return true;
	}
	*place = place_of_number(var, number, found);
	return true;
}

/* ---- one element -------------------------------------------------------------------------- */

/* Keys for an array that has none so far. */
static bool
make_keys(struct shell *shell, struct var *var)
{
	const char **keys;

	if (var->keys != NULL) {
		return true;
	}
	keys = own_copy(shell, NULL, 0, sizeof(*keys));
	for (size_t i = 0, n = 0; i < var->count && keys != NULL; i++) {
		const char **key = arena_push(shell->arena, &keys, &n, sizeof(*keys));

		if (key == NULL || !shell_spend(shell, 32)) {
			return false;
		}
		*key = arena_printf(shell->arena, "%zu", i);
	}
	var->keys = keys;
	return keys != NULL;
}

static void
replace_element(struct shell *shell, struct var *var, size_t place, const struct field *value)
{
	var->values = own_copy(shell, var->values, var->count, sizeof(*var->values));
	if (var->values == NULL) {
		var->count = 0;
		lose_array(shell, var);
		return;
	}
	var->values[place] = *value;
}

/* At the end: nothing that an older state knows of is touched. */
static bool
push_element(struct shell *shell, struct var *var, const char *key, const struct field *value)
{
	const char **keys = NULL;
	size_t count = var->count;
	size_t key_count = var->count;
	struct field *slot = arena_push(shell->arena, &var->values, &count, sizeof(*slot));
	const char **key_slot;

	if (slot == NULL) {
		return false;
	}
	*slot = *value;
	if (var->keys != NULL) {
		memcpy(&keys, &var->keys, sizeof(keys));
		key_slot = arena_push(shell->arena, &keys, &key_count, sizeof(*keys));
		if (key_slot == NULL) {
			return false;
		}
		*key_slot = key;
		var->keys = keys;
	}
	var->count = count;
	return true;
}

static void
insert_element(struct shell *shell, struct var *var, size_t place, const char *key,
	       const struct field *value)
{
	size_t tail = var->count - place;
	struct field *values;
	const char **keys;

	if (place == var->count) {
		if (!push_element(shell, var, key, value)) {
			lose_array(shell, var);
		}
		return;
	}
	values = own_copy(shell, var->values, var->count + 1, sizeof(*values));
	keys = own_copy(shell, var->keys, var->count + 1, sizeof(*keys));
	if (values == NULL || keys == NULL) {
		lose_array(shell, var);
		return;
	}
	memmove(values + place + 1, values + place, tail * sizeof(*values));
	memmove(keys + place + 1, keys + place, tail * sizeof(*keys));
	values[place] = *value;
	keys[place] = key;
	var->values = values;
	var->keys = keys;
	var->count++;
}

static const char *
key_text(struct shell *shell, const struct var *var, const struct field *index)
{
	return var->assoc ? arena_strndup(shell->arena, index->text, index->len)
			  : arena_printf(shell->arena, "%lld", strtoll(index->text, NULL, 10));
}

static void
put_element(struct shell *shell, struct var *var, const struct field *index,
	    const struct field *value, bool append)
{
	struct field grown = *value;
	const char *key;
	size_t place;
	bool found;

	if (!shell_place(shell, var, index, &place, &found)) {
		lose_array(shell, var);
		return;
	}
	if (found) {
		if (append) {
			grown = shell_concat(shell, var, &var->values[place], value);
		}
		replace_element(shell, var, place, &grown);
		return;
	}
	if (!var->assoc && var->keys == NULL && place == var->count) {
		if (!push_element(shell, var, NULL, value)) {
			lose_array(shell, var);
		}
		return;
	}
	key = key_text(shell, var, index);
	if (key == NULL || !make_keys(shell, var)) {
		lose_array(shell, var);
		return;
	}
	if (!var->assoc) {
		place = place_of_number(var, strtoll(key, NULL, 10), &found);
	}
	insert_element(shell, var, place, key, value);
}

/* The variable for an assignment to one or all of its elements; NULL: nothing to be done. */
static struct var *
array_for_writing(struct shell *shell, const char *name)
{
	const char *element;
	struct shell_entry *entry = shell_target(shell, name, &element);
	struct var *var;

	if (element != NULL) {
		shell_forget(shell);
	}
	if (entry != NULL) {
		shell_tell(shell, entry, NULL);
	}
	var = entry != NULL ? shell_var_for_writing(shell, entry) : NULL;
	if (var != NULL && var->readonly) {
		shell_make_unsure(shell, var);
	}
	return var;
}

void
shell_set_element(struct shell *shell, const char *name, const struct field *index,
		  const struct field *value, bool append)
{
	struct field empty = field_static("", NULL);
	struct field plain = value != NULL ? *value : empty;
	struct var *var = array_for_writing(shell, name);

	if (var == NULL) {
		return;
	}
	plain.many = false;
	plain.tilde = false;
	start_array(shell, var);
	var->set = true;
	if (var->open) {
		lose_array(shell, var);
	}
	put_element(shell, var, index, &plain, append);
}

/* A pattern becomes an element: with nullglob it may be none. */
static void
note_open(struct shell *shell, struct var *var)
{
	var->open = true;
	if (var->assoc || shell->nullglob) {
		lose_array(shell, var);
	}
}

void
shell_set_array(struct shell *shell, const char *name, const struct field *values,
		const char *const *keys, size_t count, bool append)
{
	struct var *var = array_for_writing(shell, name);
	long long next = 0;

	if (var == NULL) {
		return;
	}
	start_array(shell, var);
	var->set = true;
	if (!append) {
		var->values = NULL;
		var->keys = NULL;
		var->count = 0;
		var->unsure = var->readonly;
		var->open = false;
	}
	if (var->count > 0 && !var->assoc) {
		next = subscript_of(var, var->count - 1) + 1;
	}
	for (size_t i = 0; i < count && !shell->arena->failed; i++) {
		char number[24];
		struct field index;

		if (values[i].many || (var->open && keys != NULL && keys[i] != NULL)) {
			lose_array(shell, var);
		}
		if (field_is_several(&values[i])) {
			note_open(shell, var);
		}
		if (keys != NULL && keys[i] != NULL) {
			index = field_static(keys[i], NULL);
			next = var->assoc ? 0 : strtoll(keys[i], NULL, 10);
		} else {
			(void)snprintf(number, sizeof(number), "%lld", next);
			index = field_static(number, NULL);
		}
		put_element(shell, var, &index, &values[i], false);
		next++;
	}
}

void
shell_unset_element(struct shell *shell, const char *name, const struct field *index)
{
	struct var *var = array_for_writing(shell, name);
	size_t place;
	bool found;
	const char **keys = NULL;

	if (var == NULL || (!var->set && !var->unsure)) {
		return;
	}
	start_array(shell, var);
	if (var->open || !shell_place(shell, var, index, &place, &found)) {
		lose_array(shell, var);
		return;
	}
	if (!found) {
		return;
	}
	if (!make_keys(shell, var)) {
		lose_array(shell, var);
		return;
	}
	var->values = own_copy(shell, var->values, var->count, sizeof(*var->values));
	keys = own_copy(shell, var->keys, var->count, sizeof(*keys));
	var->count = var->values != NULL && keys != NULL ? var->count - 1 : 0;
	var->keys = keys;
	if (var->values == NULL || keys == NULL) {
		lose_array(shell, var);
		return;
	}
	memmove(var->values + place, var->values + place + 1,
		(var->count - place) * sizeof(*var->values));
	memmove(keys + place, keys + place + 1, (var->count - place) * sizeof(*keys));
}
