/* SPDX-License-Identifier: MIT */
#ifndef TESTS_JUDGE_ROWS_H
#define TESTS_JUDGE_ROWS_H

/*
 * Tables of texts and what becomes of them: the decision, and a part of the id of a reason with
 * that decision ("": none is looked for). All rows of a table are tried before it fails.
 */
#include <bailey/command.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *text;
	enum bailey_decision decision;
	const char *rule;
};

#define A BAILEY_ALLOW
#define P BAILEY_PROMPT
#define F BAILEY_FORBIDDEN

static const struct bailey_scene scene = {
	.cwd = "/home/dev/project",
	.home = "/home/dev",
	.lexical = true,
};

static bool
has_rule(const struct bailey_verdict *verdict, const char *rule)
{
	if (*rule == '\0') {
		return true;
	}
	for (size_t i = 0; i < verdict->reason_count; i++) {
		if (verdict->reasons[i].decision == verdict->decision &&
		    strstr(verdict->reasons[i].rule, rule) != NULL) {
			return true;
		}
	}
	return false;
}

static unsigned
check_row(const struct row *row)
{
	struct bailey_verdict *verdict = NULL;
	struct bailey_error err;
	unsigned failed = 0;

	assert_int_equal(bailey_judge_shell(row->text, strlen(row->text), &scene, &verdict, &err),
			 BAILEY_OK);
	if (verdict->decision != row->decision || !has_rule(verdict, row->rule)) {
		failed = 1;
		print_error("%s: expected %s %s, got %s:", row->text,
			    bailey_decision_name(row->decision), row->rule,
			    bailey_decision_name(verdict->decision));
		for (size_t i = 0; i < verdict->reason_count; i++) {
			print_error(" %s", verdict->reasons[i].rule);
		}
		print_error("\n");
	}
	bailey_verdict_free(verdict);
	return failed;
}

static inline void
check_rows(const struct row *rows, size_t count)
{
	unsigned failed = 0;

	for (size_t i = 0; i < count; i++) {
		failed += check_row(&rows[i]);
	}
	assert_int_equal(failed, 0);
}

#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof((rows)[0]))

#endif /* TESTS_JUDGE_ROWS_H */
