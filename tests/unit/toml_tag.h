/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TOML_TAG_H
#define TESTS_TOML_TAG_H

/*
 * The notation in which the toml-test suite writes down what is in a document: JSON in which each
 * value that is no table or array is {"type": ..., "value": ...}, both strings.
 */

#include "base/toml.h"

#include <jansson.h>

/* A new reference. Aborts when memory is out. */
json_t *toml_tag(const struct toml_value *value);
json_t *toml_tag_table(const struct toml_table *table);

/* Do two tagged values mean the same? Numbers and times are compared by value. */
bool toml_tag_equal(json_t *a, json_t *b);

#endif /* TESTS_TOML_TAG_H */
