/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdio.h>

int
main(int argc, char **argv)
{
	const char *text = argc > 1 ? argv[1] : "a word and another";
	int length;
	const char *longest = longest_word(text, &length);

	printf("%u words, the longest is %.*s\n", count_words(text), length, longest);
	return 0;
}
