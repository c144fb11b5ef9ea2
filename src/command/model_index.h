/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODEL_INDEX_H
#define COMMAND_MODEL_INDEX_H

/*
 * The index of the names of all programs, and of the first words of their subcommands: written by
 * model_index_gen.c when Bailey is built and constant from then on.
 *
 * Invariants:
 *   - the slots are a hash table with open addressing; their number is a power of two, and at least
 *     half of them are free, so that a search for a name that is not there ends
 *   - the words of one program's subcommands stand side by side, in order; equal ones in the order
 *     of the program's table
 *   - there is no pointer in it: a pointer is work each time the program starts, whether anything
 * is judged or not
 */

#include "command/model.h"

#include <stdint.h>
#include <string.h>

struct model_slot {
	uint16_t table; /* in model_tables, from 1; 0: free */
	uint16_t row;	/* in that table */
	uint16_t at;	/* of the name in the row's names */
	uint16_t len;
	uint32_t sub_from; /* the words of its subcommands in model_subs */
	uint32_t sub_count;
};

/* The first word of one name of a subcommand. */
struct model_sub {
	uint16_t row; /* in the program's table of subcommands */
	uint16_t at;  /* in the row's names */
	uint16_t len;
};

extern const struct program *const model_tables[];
extern const struct model_slot model_slots[];
extern const uint32_t model_slot_count;
extern const struct model_sub model_subs[];

static inline uint32_t
model_hash(const char *name, size_t len)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ (unsigned char)name[i]) * 16777619U;
	}
	return hash ^ hash >> 15;
}

static inline const struct program *
model_slot_program(const struct model_slot *slot)
{
	return &model_tables[slot->table - 1][slot->row];
}

/* NULL: there is no such program. */
static inline const struct model_slot *
model_index_find(const char *name, size_t len)
{
	uint32_t mask = model_slot_count - 1;
	uint32_t at = model_hash(name, len) & mask;

	while (model_slots[at].table != 0) {
		const struct model_slot *slot = &model_slots[at];

		if (slot->len == len &&
		    memcmp(model_slot_program(slot)->names + slot->at, name, len) == 0) {
			return slot;
		}
		at = (at + 1) & mask;
	}
	return NULL;
}

/* The order of words: by length, and then by bytes. `subs` are the program's subcommands. */
static inline int
model_sub_compare(const struct program *subs, const struct model_sub *sub, const char *word,
		  size_t len)
{
	if (sub->len != len) {
		return sub->len < len ? -1 : 1;
	}
	return memcmp(subs[sub->row].names + sub->at, word, len);
}

/* The first subcommand of the slot's program that begins with `word`; sub_from + sub_count: none.
 */
static inline uint32_t
model_sub_find(const struct model_slot *slot, const char *word, size_t len)
{
	const struct program *subs = model_slot_program(slot)->subcommands;
	uint32_t low = slot->sub_from;
	uint32_t high = slot->sub_from + slot->sub_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (model_sub_compare(subs, &model_subs[middle], word, len) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

#endif /* COMMAND_MODEL_INDEX_H */
