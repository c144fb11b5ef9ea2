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
 */

#include "command/model.h"

#include <stdint.h>
#include <string.h>

struct model_slot {
	const struct program *program; /* NULL: free */
	const char *name;
	uint32_t len;
	uint32_t sub_from; /* the words of its subcommands in model_subs */
	uint32_t sub_count;
};

/* The first word of one name of a subcommand. */
struct model_sub {
	const char *word;
	uint16_t len;
	uint16_t row; /* in the program's table of subcommands */
};

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

/* NULL: there is no such program. */
static inline const struct model_slot *
model_index_find(const char *name, size_t len)
{
	uint32_t mask = model_slot_count - 1;
	uint32_t at = model_hash(name, len) & mask;

	while (model_slots[at].program != NULL) {
		if (model_slots[at].len == len && memcmp(model_slots[at].name, name, len) == 0) {
			return &model_slots[at];
		}
		at = (at + 1) & mask;
	}
	return NULL;
}

/* The order of words: by length, and then by bytes. */
static inline int
model_sub_compare(const struct model_sub *sub, const char *word, size_t len)
{
	if (sub->len != len) {
		return sub->len < len ? -1 : 1;
	}
	return memcmp(sub->word, word, len);
}

/* The first subcommand of the slot's program that begins with `word`; sub_from + sub_count: none.
 */
static inline uint32_t
model_sub_find(const struct model_slot *slot, const char *word, size_t len)
{
	uint32_t low = slot->sub_from;
	uint32_t high = slot->sub_from + slot->sub_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (model_sub_compare(&model_subs[middle], word, len) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

#endif /* COMMAND_MODEL_INDEX_H */
