/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <ctype.h>

unsigned int
count_words(const char *text)
{
	unsigned int count = 0;

	for (int inside = 0; *text != '\0'; text++) {
		int space = isspace((unsigned char)*text);

		count += !space && !inside;
		inside = !space;
	}
	return count;
}
