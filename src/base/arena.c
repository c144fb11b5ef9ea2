/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)16384 - 64)
#define ALIGN alignof(max_align_t)

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) unsigned char data[];
};

unsigned int arena_fail_nth;

static struct arena_block *
new_block(struct arena *arena, size_t size)
{
	struct arena_block *block = NULL;
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

	if (room > SIZE_MAX - sizeof(*block) || (arena_fail_nth > 0 && --arena_fail_nth == 0)) {
		arena->failed = true;
		return NULL;
	}
	block = calloc(1, sizeof(*block) + room);
	if (block == NULL) {
		arena->failed = true;
		return NULL;
	}
	block->size = room;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	size_t rounded;
	void *piece;

	if (__builtin_add_overflow(size, ALIGN - 1, &rounded)) {
		arena->failed = true;
		return NULL;
	}
	rounded &= ~(ALIGN - 1);
	if (block == NULL || block->size - block->used < rounded) {
		block = new_block(arena, rounded);
		if (block == NULL) {
			return NULL;
		}
	}
	piece = block->data + block->used;
	block->used += rounded;
	return piece;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		arena->failed = true;
		return NULL;
	}
	return arena_alloc(arena, bytes);
}

char *
arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = len < SIZE_MAX ? arena_alloc(arena, len + 1) : NULL;

	if (copy != NULL) {
		memcpy(copy, text, len);
	}
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	va_list again;
	char *text = NULL;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n >= 0) {
		text = arena_alloc(arena, (size_t)n + 1);
	}
	if (text != NULL) {
		(void)vsnprintf(text, (size_t)n + 1, format, again);
	}
	va_end(again);
	va_end(args);
	return text;
}

void *
arena_push(struct arena *arena, void *items, size_t *count, size_t size)
{
	unsigned char *array = NULL;
	size_t n = *count;

	memcpy(&array, items, sizeof(array)); /* `items` is the address of a pointer of any type */

	/* The capacity is the power of two at or above the count (4 at least): full when equal. */
	if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
		unsigned char *bigger = arena_array(arena, n == 0 ? 4 : n * 2, size);

		if (bigger == NULL) {
			return NULL;
		}
		if (n > 0) {
			memcpy(bigger, array, n * size);
		}
		memcpy(items, &bigger, sizeof(bigger));
		array = bigger;
	}
	*count = n + 1;
	return array + n * size;
}

void
arena_finish(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block != NULL) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*arena = (struct arena){ 0 };
}
