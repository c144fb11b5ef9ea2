/* SPDX-License-Identifier: MIT */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

/* How a verdict is shown: to a person, to a person who wants all of it, and as JSON. */

#include <bailey/command.h>

#include <stdbool.h>

#define CHECK_EXIT_PROMPT 3
#define CHECK_EXIT_FORBIDDEN 4

/* The decision, the reasons, and where they stand in the text. */
void check_print(const struct bailey_verdict *verdict);

/* One line: decision, first rule, text; blanks in between are tabs. */
void check_print_line(const struct bailey_verdict *verdict);

/* Every simple command after unwrapping and expansion, and what it does. */
void check_explain(const struct bailey_verdict *verdict);

/* One JSON object on one line. */
void check_print_json(const struct bailey_verdict *verdict);

#endif /* CLI_CHECK_H */
