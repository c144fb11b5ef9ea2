/* SPDX-License-Identifier: MIT */
#ifndef WORDS_H
#define WORDS_H

unsigned int count_words(const char *text);
const char *longest_word(const char *text, int *length);

#endif
