/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_CHECK_H
#define TESTS_FUZZ_CHECK_H

/*
 * What the fuzz targets for documents demand: of an error, that it can be shown to a person; of a
 * document, that it survives being written as JSON and that its values are found in its text.
 */

#include "must.h"

#include "base/doc.h"

/* Is `err` of the kinds that a bad document gives, with a place that is in `text`? */
void check_error(const struct bailey_error *err, const char *text, size_t len);

/* Dumps the tree as JSON and reads that: the same values must come back. */
void check_round_trip(const struct doc *doc);

/*
 * Calls `visit` for values of the document, as far as depth and number are bounded, with the
 * offset in the text that an error about the value names.
 */
typedef void (*check_visit)(struct node node, const char *text, size_t offset);
void check_places(const struct doc *doc, const char *text, size_t len, check_visit visit);

#endif /* TESTS_FUZZ_CHECK_H */
