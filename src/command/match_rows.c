/* SPDX-License-Identifier: MIT */
/* The rows of the tables that a command line is matched against: finding one, and what any of them
 * could do. */
#include "command/match_impl.h"

#include <string.h>

/* ---- what a word that is not known could do ------------------------------------------------ */

static bool
use_is_harmless(int use)
{
	switch (use) {
	case DEED_NONE:
	case DEED_READ:
	case DEED_LIST:
	case USE_HELP:
	case USE_VERSION:
	case USE_DRY:
	case USE_DIR:
	case USE_PATTERN:
	case USE_SECRET:
		return true;
	default:
		return false;
	}
}

static bool
row_is_harmless(const struct option_row *row)
{
	const unsigned harm = FIND_NETWORK | FIND_OUT_NETWORK | FIND_OUT_SECRET | FIND_SANDBOX;

	if (row->rule != NULL || row->arity == ARG_REST || (row->flags >> 16 & harm) != 0) {
		return false;
	}
	if (row->use == USE_MODE || row->use == USE_PATTERN) {
		return use_is_harmless(row->operand);
	}
	return use_is_harmless(row->use);
}

static bool
row_executes(const struct option_row *row)
{
	switch (row->use) {
	case DEED_EXECUTE:
	case USE_CODE:
	case USE_CODE_FILE:
	case USE_SHELL:
	case USE_PROGRAM:
	case USE_COMMAND:
		return true;
	default:
		return row->arity == ARG_REST;
	}
}

static bool
row_is_end(const struct option_row *row)
{
	return row->letters == NULL && row->names == NULL;
}

/* Could an option do harm, or (with `executes`) run something? */
bool
match_could_harm(const struct matcher *matcher, bool executes)
{
	for (size_t level = 0; level < matcher->level_count; level++) {
		const struct program *program = matcher->levels[level];

		if (!executes &&
		    ((program->style & PARSE_LOOSE) != 0 ||
		     (program->refine != NULL && (program->style & PARSE_ANY_WORD) == 0))) {
			return true;
		}
		for (const struct option_row *row = program->options;
		     row != NULL && !row_is_end(row); row++) {
			if (executes ? row_executes(row) : !row_is_harmless(row)) {
				return true;
			}
		}
	}
	return false;
}

/* ---- rows ---------------------------------------------------------------------------------- */

const struct option_row *
match_letter(const struct matcher *matcher, char letter)
{
	for (size_t level = 0; level < matcher->level_count; level++) {
		const struct option_row *row = matcher->levels[level]->options;

		for (; row != NULL && !row_is_end(row); row++) {
			if (row->letters != NULL && strchr(row->letters, letter) != NULL) {
				return row;
			}
		}
	}
	return NULL;
}

static void
scan_names(const struct option_row *row, const char *text, size_t len, struct match_name *best)
{
	const char *name = row->names;

	while (*name != '\0' && !best->exact) {
		const char *end = name;

		/* The names are short: a loop is faster here than a call. */
		while (*end > ' ') {
			end++;
		}
		if (name[0] == text[0] && (size_t)(end - name) >= len &&
		    memcmp(name, text, len) == 0) {
			best->ambiguous |= best->row != NULL && best->row != row;
			best->exact = (size_t)(end - name) == len;
			if (best->row == NULL || best->exact) {
				best->name = name;
				best->len = (size_t)(end - name);
				best->row = row;
			}
		}
		name = *end == ' ' ? end + 1 : end;
	}
}

/*
 * The row of a long name or of a prefix that only one row has. An exact name wins over prefixes.
 * Names of one row do the same, so a prefix of two of them is none too many.
 */
bool
match_name(const struct matcher *matcher, const char *text, size_t len, struct match_name *best)
{
	memset(best, 0, sizeof(*best));
	if (len == 0) {
		return false;
	}
	for (size_t level = 0; level < matcher->level_count && !best->exact; level++) {
		const struct option_row *row = matcher->levels[level]->options;

		for (; row != NULL && !row_is_end(row) && !best->exact; row++) {
			if (row->names != NULL) {
				scan_names(row, text, len, best);
			}
		}
	}
	if (best->exact) {
		return true;
	}
	return best->row != NULL && !best->ambiguous && (matcher->style & PARSE_NO_ABBREV) == 0;
}
