/* SPDX-License-Identifier: MIT */
/*
 * The members of a TOML table, found by key. A table has a tree of the bits in which its keys
 * differ (a crit-bit tree): a look-up takes steps in proportion to the length of the key alone, so
 * no choice of keys makes a document slow, as it could with a hash table.
 *
 * A key is seen as a row of 9-bit units, a byte each with a 9th bit that says "there is a byte";
 * behind the end all units are 0. So any bytes may be in a key, and "a" differs from "a\0".
 *
 * A reference is the number of a member, doubled plus 1, or that of a branch, doubled. Along a way
 * down `unit` never falls, so all members below a branch agree on the units before its own.
 */
#include "base/toml_impl.h"

#include <string.h>

struct toml_branch {
	uint32_t child[2]; /* by the value of the bit */
	uint32_t any;	   /* some member below */
	uint32_t unit;
	uint32_t bit; /* one bit set */
};

static uint32_t
unit_of(const struct toml_string *key, uint32_t unit)
{
	return unit < key->len ? 0x100U | (unsigned char)key->text[unit] : 0;
}

static size_t
side_of(const struct toml_branch *branch, const struct toml_string *key)
{
	return (unit_of(key, branch->unit) & branch->bit) != 0 ? 1 : 0;
}

/* The member that shares the longest beginning with `key`. The table is not empty. */
static struct toml_member *
nearest(const struct toml_table *table, const struct toml_string *key)
{
	uint32_t ref = table->top;

	while ((ref & 1) == 0) {
		const struct toml_branch *branch = &table->branches[ref >> 1];

		if (branch->unit > key->len) { /* from here on the key has no say */
			return &table->members[branch->any];
		}
		ref = branch->child[side_of(branch, key)];
	}
	return &table->members[ref >> 1];
}

struct toml_member *
toml_find(const struct toml_table *table, const char *key, size_t len)
{
	struct toml_string wanted = { .text = key, .len = len };
	struct toml_member *member = table->count > 0 ? nearest(table, &wanted) : NULL;

	if (member == NULL || member->key.len != len || memcmp(member->key.text, key, len) != 0) {
		return NULL;
	}
	return member;
}

/* Hangs member `added` into the tree where it differs from `other`. */
static bool
link_member(struct arena *arena, struct toml_table *table, uint32_t added,
	    const struct toml_string *other)
{
	const struct toml_string *key = &table->members[added].key;
	struct toml_branch *branch;
	uint32_t self = (uint32_t)table->branch_count;
	uint32_t unit = 0;
	uint32_t differ;
	uint32_t *place;
	size_t side;

	while (unit_of(key, unit) == unit_of(other, unit)) {
		unit++;
	}
	differ = unit_of(key, unit) ^ unit_of(other, unit);
	branch = arena_push(arena, &table->branches, &table->branch_count, sizeof(*branch));
	if (branch == NULL) {
		return false;
	}
	for (place = &table->top; (*place & 1) == 0;) {
		struct toml_branch *on_way = &table->branches[*place >> 1];

		if (on_way->unit > unit) {
			break;
		}
		place = &on_way->child[side_of(on_way, key)];
	}
	*branch = (struct toml_branch){ .any = added, .unit = unit, .bit = differ & -differ };
	side = side_of(branch, key);
	branch->child[side] = added << 1 | 1;
	branch->child[1 - side] = *place;
	*place = self << 1;
	return true;
}

struct toml_member *
toml_add(struct arena *arena, struct toml_table *table, const struct toml_string *key,
	 struct toml_member **old)
{
	uint32_t added = (uint32_t)table->count;
	struct toml_member *member;
	struct toml_string other = { 0 };
	char *copy;

	*old = toml_find(table, key->text, key->len);
	if (*old != NULL) {
		return NULL;
	}
	if (added > 0) {
		other = nearest(table, key)->key;
	}
	copy = arena_strndup(arena, key->text, key->len);
	member = arena_push(arena, &table->members, &table->count, sizeof(*member));
	if (copy == NULL || member == NULL) {
		return NULL;
	}
	member->key = (struct toml_string){ .text = copy, .len = key->len };
	if (added == 0) {
		table->top = 1;
	} else if (!link_member(arena, table, added, &other)) {
		return NULL;
	}
	return member;
}
