/* SPDX-License-Identifier: MIT */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * An arena: memory that is handed out piece by piece and given back all at once. Everything that a
 * parse or a plan allocates lives in one, so nothing in there has a destructor of its own.
 *
 * Invariants:
 *   - a zeroed struct is an empty arena, and arena_finish() leaves one behind
 *   - pieces never move, are aligned for any type and zeroed
 *   - after an allocation failed, `failed` stays set: a caller may allocate many times and ask once
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
	struct arena_block *blocks; /* newest first */
	bool failed;
};

/* `size` zeroed bytes, or NULL when memory is out. A size of 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((malloc, alloc_size(2)));

/* Room for `count` elements of `size` bytes each, checked for overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Copies with a NUL behind. NULL when memory is out. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Appends one zeroed element to a growing array of `*count` elements that lives in the arena, and
 * returns the new element. `*items` may move (old room is kept until the arena ends, so growth is
 * by doubling). NULL when memory is out; nothing has changed then.
 */
void *arena_push(struct arena *arena, void *items, size_t *count, size_t size);

void arena_finish(struct arena *arena);

#define AUTO_ARENA __attribute__((cleanup(arena_finish))) struct arena

/* Test hook: the nth allocation of a block from now fails, 0 for never. Not for threads. */
extern unsigned int arena_fail_nth;

#endif /* BASE_ARENA_H */
