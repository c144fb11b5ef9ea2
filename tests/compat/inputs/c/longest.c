/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <string.h>

const char *
longest_word(const char *text, int *length)
{
	const char *best = text;

	*length = 0;
	while (*(text += strspn(text, " ")) != '\0') {
		int here = (int)strcspn(text, " ");

		if (here > *length) {
			best = text;
			*length = here;
		}
		text += here;
	}
	return best;
}
