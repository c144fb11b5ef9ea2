/* SPDX-License-Identifier: MIT */
/*
 * Assignments: expanding them, carrying them out, and putting back what was only for one command
 * or one function.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- expanding ---------------------------------------------------------------------------- */

static struct field
index_field(struct walk *w, const char *name, const struct word *index, bool assoc)
{
	struct expander ex = walk_expander(w);

	return assoc ? expand_plain(&ex, index) : expand_index(&ex, name, index);
}

static void
push_value(struct walk *w, struct assigned *out, const struct field *value, const char *key)
{
	size_t count = out->count;
	struct field *slot = arena_push(w->arena, &out->values, &count, sizeof(*slot));
	const char **key_slot;

	count = out->count;
	key_slot = arena_push(w->arena, &out->keys, &count, sizeof(*key_slot));
	if (slot != NULL && key_slot != NULL) {
		*slot = *value;
		*key_slot = key;
		out->count = count;
	}
}

/* [i]=value in an array. */
static void
push_keyed(struct walk *w, struct assigned *out, const struct word *word, bool assoc)
{
	struct expander ex = walk_expander(w);
	struct word rest = { .parts = word->parts->next, .span = word->span };
	struct field key = index_field(w, out->name, word->parts->word, assoc);
	struct field value = expand_value(&ex, &rest);

	if (!field_is_literal(&key)) {
		value = field_unknown((uint16_t)(key.taint | value.taint), true, &value);
		push_value(w, out, &value, NULL);
		return;
	}
	push_value(w, out, &value, key.text);
}

static void
expand_array(struct walk *w, const struct word *words, struct assigned *out, bool assoc)
{
	struct expander ex = walk_expander(w);

	for (const struct word *word = words; word != NULL; word = word->next) {
		struct word alone = *word;
		struct fields fields = { NULL, 0 };

		if (word->parts != NULL && word->parts->kind == PART_SUBSCRIPT) {
			push_keyed(w, out, word, assoc);
			continue;
		}
		alone.next = NULL;
		expand_words(&ex, &alone, &fields);
		for (size_t i = 0; i < fields.count; i++) {
			push_value(w, out, &fields.items[i], NULL);
		}
	}
}

/* Of an array: the elements, joined by blanks, for who lists it. */
static struct field
joined(struct walk *w, const struct assigned *array)
{
	struct field all = field_static("", NULL);
	struct field blank = field_static(" ", NULL);

	for (size_t i = 0; i < array->count && i < 64; i++) {
		if (i > 0) {
			all = field_join(w->arena, &all, &blank);
		}
		all = field_join(w->arena, &all, &array->values[i]);
	}
	all.many = false;
	return all;
}

void
walk_expand_assign(struct walk *w, const struct assignment *node, bool assoc, struct assigned *out)
{
	struct expander ex = walk_expander(w);

	out->name = node->name;
	out->append = node->append;
	out->array = node->array;
	if (node->index != NULL) {
		out->index = index_field(w, node->name, node->index, assoc);
	}
	if (node->array) {
		expand_array(w, node->value, out, assoc);
		out->value = joined(w, out);
	} else if (node->value != NULL) {
		out->value = expand_value(&ex, node->value);
	} else {
		out->value = field_static("", NULL);
	}
	if (out->value.source == NULL) {
		out->value.source = w->source;
		out->value.span = node->span;
	}
}

/* NAME=(...) as an argument of declare. */
bool
walk_expand_declared(struct walk *w, const struct word *word, bool assoc, struct assigned *out)
{
	const struct part *name = word->parts;
	size_t len;

	if (name == NULL || name->kind != PART_TEXT || name->next == NULL ||
	    name->next->kind != PART_ARRAY || name->len < 2) {
		return false;
	}
	len = name->len - 1;
	out->append = name->text[len - 1] == '+';
	len -= out->append;
	out->name = arena_strndup(w->arena, name->text, len);
	if (out->name == NULL) {
		return false;
	}
	out->array = true;
	expand_array(w, name->next->word, out, assoc);
	out->value = joined(w, out);
	out->value.source = w->source;
	out->value.span = word->span;
	return true;
}

/* NAME=VALUE as an argument, of export or of env. */
bool
walk_split_assignment(struct walk *w, const struct field *word, struct assigned *out)
{
	size_t known = field_known_prefix(word);
	const char *equals = memchr(word->text, '=', known);
	size_t len = equals != NULL ? (size_t)(equals - word->text) : 0;
	size_t name = len;

	*out = (struct assigned){ .name = "" };
	if (len == 0) {
		return false;
	}
	if (word->text[len - 1] == '+') {
		out->append = true;
		name--;
	}
	for (size_t i = 0; i < name; i++) {
		if (!walk_is_name_char(word->text[i])) {
			return false;
		}
	}
	out->name = arena_strndup(w->arena, word->text, name);
	out->value = field_tail(w->arena, word, len + 1);
	out->value.many = false;
	return out->name != NULL && name > 0;
}

/* ---- carrying out ------------------------------------------------------------------------- */

static struct field
integer_value(struct walk *w, const struct field *value)
{
	struct expander ex = walk_expander(w);
	int64_t number;
	char *text;

	if (!expand_arith_text(&ex, value, &number)) {
		return field_unknown(value->taint, false, value);
	}
	text = arena_printf(w->arena, "%lld", (long long)number);
	return text != NULL ? field_static(text, value) : field_unknown(0, false, value);
}

void
walk_put(struct walk *w, const struct assigned *a)
{
	const struct var *var = shell_get(&w->shell, a->name);
	struct field value = a->value;

	if (a->array) {
		shell_set_array(&w->shell, a->name, a->values, a->keys, a->count, a->append);
		return;
	}
	if (var != NULL && var->integer) {
		value = integer_value(w, &value);
	}
	if (a->index.text != NULL) {
		shell_set_element(&w->shell, a->name, &a->index, &value, a->append);
	} else if (a->append) {
		shell_append(&w->shell, a->name, &value);
	} else {
		shell_set(&w->shell, a->name, &value);
	}
}

void
walk_assign(struct walk *w, const struct assigned *assigned)
{
	walk_environment(w, assigned->name, &assigned->value, ENV_SHELL);
	walk_put(w, assigned);
}

/* ---- putting back ------------------------------------------------------------------------- */

void
walk_save_var(struct walk *w, const char *name, struct saved_var **list)
{
	const struct var *var = shell_get(&w->shell, name);
	struct saved_var *saved;

	for (saved = *list; saved != NULL; saved = saved->next) {
		if (strcmp(saved->name, name) == 0) {
			return;
		}
	}
	saved = arena_alloc(w->arena, sizeof(*saved));
	if (saved == NULL) {
		return;
	}
	saved->name = arena_strdup(w->arena, name);
	saved->next = *list;
	if (saved->name == NULL) {
		return;
	}
	if (var != NULL) {
		saved->var = *var;
		saved->there = true;
	}
	*list = saved;
}

#define LOOSE_MAX 64

static bool
is_loose(const struct walk *w, const char *name)
{
	for (size_t i = 0; i < w->loose_count; i++) {
		if (strcmp(w->loose[i], name) == 0) {
			return true;
		}
	}
	return w->loose_count >= LOOSE_MAX;
}

void
walk_loosen(struct walk *w, const char *name)
{
	const char **slot;

	if (!is_loose(w, name)) {
		slot = arena_push(w->arena, &w->loose, &w->loose_count, sizeof(*slot));
		if (slot != NULL) {
			*slot = arena_strdup(w->arena, name);
		}
	}
}

/* It may be what it was set to while it was hidden. */
static void
make_loose(struct walk *w, const char *name, const struct field *inner)
{
	struct shell_mark mark = shell_mark(&w->shell);

	shell_unset(&w->shell, name);
	shell_set(&w->shell, name, inner);
	shell_join(&w->shell, &mark);
}

static void
restore_var(struct walk *w, const struct saved_var *saved)
{
	struct var *var = shell_declare(&w->shell, saved->name);
	struct field unknown = field_unknown(TAINT_VARIABLE, false, NULL);
	struct field inner = unknown;
	const char *name;

	if (var == NULL) {
		return;
	}
	if (var->set && !var->unsure && !var->array && var->count == 1) {
		inner = var->values[0];
	}
	name = var->name;
	*var = (struct var){ .name = name };
	w->shell.on_assign = NULL;
	if (saved->there) {
		*var = saved->var;
		var->name = name;
	} else {
		/* It was whatever the environment says. */
		shell_set(&w->shell, saved->name, &unknown);
		var = shell_declare(&w->shell, saved->name);
		if (var != NULL) {
			var->secret = shell_is_secret_name(saved->name);
		}
	}
	if (w->loose_count > 0 && is_loose(w, saved->name)) {
		make_loose(w, saved->name, &inner);
	}
	w->shell.on_assign = walk_assigned;
}

void
walk_restore_vars(struct walk *w, struct saved_var *list)
{
	for (; list != NULL; list = list->next) {
		restore_var(w, list);
	}
}
