/* SPDX-License-Identifier: MIT */
/*
 * The known word that a mistyped one was most likely meant to be: by the number of letters that
 * were left out, added, mistaken or swapped with their neighbour.
 */
#include "base/doc.h"

#include <ctype.h>
#include <string.h>

#define WORD_MAX ((size_t)64)

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Case and the kind of dash do not count. */
static int
fold(char c)
{
	return c == '-' ? '_' : tolower((unsigned char)c);
}

/* The optimal string alignment distance, row by row. Both words are at most WORD_MAX long. */
static size_t
distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1] = { { 0 } };
	size_t na = strlen(a);
	size_t nb = strlen(b);

	for (size_t j = 0; j <= nb; j++) {
		rows[0][j] = j;
	}
	for (size_t i = 1; i <= na; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3];
		const size_t *before = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t differ = fold(a[i - 1]) != fold(b[j - 1]) ? 1 : 0;

			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + differ);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
			    fold(a[i - 2]) == fold(b[j - 1])) {
				row[j] = least(row[j], before[j - 2] + 1);
			}
		}
	}
	return rows[na % 3][nb];
}

const char *
suggest(const char *word, const char *const candidates[], size_t count)
{
	size_t len = strlen(word);
	const char *nearest = NULL;
	/* A third of the word may be wrong; of a word of two letters one, of one letter none. */
	size_t bound = len < 2 ? 1 : (len + 1) / 3 + 1;

	if (len > WORD_MAX) {
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		size_t d =
			strlen(candidates[i]) <= WORD_MAX ? distance(word, candidates[i]) : bound;

		if (d < bound) {
			bound = d;
			nearest = candidates[i];
		}
	}
	return nearest;
}
