/* SPDX-License-Identifier: MIT */
/*
 * Runs while Bailey is built: writes the index of the names of all programs and subcommands as a C
 * file to standard output. It is no part of the library. A name in two places is an error, and it
 * names both.
 */
#include "command/model_index.h"
#include "command/models/models.h"

#include <stdio.h>
#include <stdlib.h>

/* The library's own lookup is linked in with the models, and never called here. */
const struct program *const model_tables[] = { NULL };
const struct model_slot model_slots[] = { { 0 } };
const uint32_t model_slot_count = 1;
const struct model_sub model_subs[] = { { 0 } };

struct table {
	const char *name;
	const struct program *programs;
};

#define TABLE(name) { #name, models_##name },
static const struct table tables[] = { MODELS_TABLES(TABLE) };
#undef TABLE

struct entry {
	const struct table *table; /* NULL: free */
	size_t index;
	const char *name;
	size_t len;
};

static int
add_name(struct entry *entries, uint32_t slots, const struct entry *entry)
{
	uint32_t at = model_hash(entry->name, entry->len) & (slots - 1);

	while (entries[at].table != NULL) {
		if (entries[at].len == entry->len &&
		    memcmp(entries[at].name, entry->name, entry->len) == 0) {
			(void)fprintf(stderr,
				      "model_index_gen: %.*s is in %s[%zu] and in %s[%zu]\n",
				      (int)entry->len, entry->name, entries[at].table->name,
				      entries[at].index, entry->table->name, entry->index);
			return -1;
		}
		at = (at + 1) & (slots - 1);
	}
	entries[at] = *entry;
	return 0;
}

/* Adds the names of one program, or only counts them when `entries` is NULL. */
static int
add_names(struct entry *entries, uint32_t slots, struct entry entry, uint32_t *count)
{
	const char *name = entry.table->programs[entry.index].names;
	int failed = 0;

	while (*name != '\0') {
		entry.name = name;
		entry.len = strcspn(name, " ");
		name += entry.len;
		name += *name == ' ' ? 1 : 0;
		(*count)++;
		if (entries != NULL && add_name(entries, slots, &entry) != 0) {
			failed = -1;
		}
	}
	return failed;
}

static int
each_name(struct entry *entries, uint32_t slots, uint32_t *count)
{
	int failed = 0;

	*count = 0;
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (size_t i = 0; tables[t].programs[i].names != NULL; i++) {
			struct entry entry = { &tables[t], i, NULL, 0 };

			failed |= add_names(entries, slots, entry, count);
		}
	}
	return failed;
}

/* ---- subcommands --------------------------------------------------------------------------- */

struct sub_word {
	const char *text;
	struct model_sub sub;
};

/* All words of all programs, those of one program side by side. */
struct words {
	struct sub_word *items;
	uint32_t count;
	uint32_t room; /* 0: only count */
};

static void
add_words(struct words *words, const struct program *program)
{
	const struct program *subs = program->subcommands;

	for (uint16_t row = 0; subs != NULL && subs[row].names != NULL; row++) {
		const char *name = subs[row].names;

		for (;;) {
			size_t len = strcspn(name, " |");

			if (len > 0 && words->count < words->room) {
				words->items[words->count] = (struct sub_word){
					name,
					{ row, (uint16_t)(name - subs[row].names), (uint16_t)len },
				};
			}
			words->count += len > 0 ? 1 : 0;
			name += strcspn(name, "|");
			if (*name++ == '\0') {
				break;
			}
		}
	}
}

static int
compare_words(const void *a, const void *b)
{
	const struct sub_word *x = a;
	const struct sub_word *y = b;
	int order;

	if (x->sub.len != y->sub.len) {
		return x->sub.len < y->sub.len ? -1 : 1;
	}
	order = memcmp(x->text, y->text, x->sub.len);
	return order != 0 ? order : (int)x->sub.row - (int)y->sub.row;
}

/* Where the words of each program begin: `from` has a place for each program in order. */
static void
each_word(struct words *words, uint32_t *from)
{
	size_t n = 0;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (size_t i = 0; tables[t].programs[i].names != NULL; i++) {
			uint32_t first = words->count;

			add_words(words, &tables[t].programs[i]);
			if (words->room > 0) {
				from[n] = first;
				qsort(words->items + first, words->count - first,
				      sizeof(*words->items), compare_words);
			}
			n++;
		}
	}
	if (words->room > 0) {
		from[n] = words->count;
	}
}

/* The place of a program among all. */
static size_t
order_of(const struct entry *entry)
{
	size_t n = entry->index;

	for (const struct table *table = tables; table < entry->table; table++) {
		for (size_t i = 0; table->programs[i].names != NULL; i++) {
			n++;
		}
	}
	return n;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void
write_index(const struct entry *entries, uint32_t slots, const struct words *words,
	    const uint32_t *from)
{
	(void)printf("/* Written by model_index_gen. */\n#include \"command/model_index.h\"\n"
		     "#include \"command/models/models.h\"\n\n"
		     "const struct program *const model_tables[] = {\n");
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		(void)printf("\tmodels_%s,\n", tables[t].name);
	}
	(void)printf("};\n\nconst struct model_sub model_subs[] = {\n");
	for (uint32_t i = 0; i < words->count; i++) {
		const struct model_sub *sub = &words->items[i].sub;

		(void)printf("\t{ %u, %u, %u }, /* %.*s */\n", sub->row, sub->at, sub->len,
			     (int)sub->len, words->items[i].text);
	}
	(void)printf("\t{ 0 },\n};\n\nconst uint32_t model_slot_count = %u;\n\n"
		     "const struct model_slot model_slots[%u] = {\n",
		     slots, slots);
	for (uint32_t i = 0; i < slots; i++) {
		const struct entry *entry = &entries[i];
		size_t n = entry->table != NULL ? order_of(entry) : 0;

		if (entry->table != NULL) {
			(void)printf(
				"\t[%u] = { %zu, %zu, %zu, %zu, %u, %u }, /* %.*s */\n", i,
				(size_t)(entry->table - tables) + 1, entry->index,
				(size_t)(entry->name - entry->table->programs[entry->index].names),
				entry->len, from[n], from[n + 1] - from[n], (int)entry->len,
				entry->name);
		}
	}
	(void)printf("};\n");
}

/* Collects the words, and writes all. */
static int
write_all(const struct entry *entries, uint32_t slots, uint32_t programs)
{
	struct words words = { 0 };
	uint32_t *from = calloc((size_t)programs + 1, sizeof(*from));
	int failed = -1;

	each_word(&words, from);
	words = (struct words){
		.items = calloc((size_t)words.count + 1, sizeof(*words.items)),
		.room = words.count + 1,
	};
	if (from != NULL && words.items != NULL) {
		each_word(&words, from);
		write_index(entries, slots, &words, from);
		failed = 0;
	}
	free(words.items);
	free(from);
	return failed;
}

int
main(void)
{
	uint32_t count;
	uint32_t slots = 64;
	struct entry *entries;
	int failed;

	(void)each_name(NULL, 0, &count);
	while (slots < count * 2) {
		slots *= 2;
	}
	entries = calloc(slots, sizeof(*entries));
	if (entries == NULL) {
		return 1;
	}
	failed = each_name(entries, slots, &count);
	if (failed == 0) {
		failed = write_all(entries, slots, count);
	}
	free(entries);
	return failed == 0 && fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
