/* SPDX-License-Identifier: MIT */

/* The judge's front: what callers of the library see, and the questions of vtcode-safety. */

#include <bailey/command.h>

#include "base/arena.h"
#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct bailey_verdict *
judge(const char *text)
{
	struct bailey_verdict *verdict = NULL;

	assert_int_equal(bailey_judge_shell(text, strlen(text), NULL, &verdict, NULL), BAILEY_OK);
	return verdict;
}

static void
names_reasons_and_places_in_the_text(void **state)
{
	const char *text = "git status && rm -rf ~/src/..";
	struct bailey_verdict *verdict = judge(text);

	(void)state;
	assert_int_equal(verdict->decision, BAILEY_FORBIDDEN);
	assert_true(verdict->readable);
	assert_true(verdict->requires_sandbox);
	assert_string_equal(verdict->text, text);
	assert_string_equal(verdict->reasons[0].rule, "delete-tree.root");
	assert_int_equal(verdict->reasons[0].span.start, 21);
	assert_int_equal(verdict->reasons[0].span.end, 29);
	assert_int_equal(verdict->reasons[0].command, 1);
	assert_int_equal(verdict->command_count, 2);
	assert_string_equal(verdict->commands[0].words[0].text, "git");
	assert_int_equal(verdict->commands[0].decision, BAILEY_ALLOW);
	assert_int_equal(verdict->commands[1].decision, BAILEY_FORBIDDEN);
	assert_int_equal(verdict->commands[1].word_count, 3);
	bailey_verdict_free(verdict);
}

static void
lists_what_runs_what(void **state)
{
	struct bailey_verdict *verdict = judge("sudo env A=1 nice sh -c 'ls \"$1\" > o' _ x");
	const struct bailey_simple *last = &verdict->commands[verdict->command_count - 1];

	(void)state;
	assert_int_equal(verdict->decision, BAILEY_PROMPT);
	assert_true(verdict->command_count >= 5);
	assert_string_equal(last->words[0].text, "ls");
	assert_string_equal(last->words[1].text, "x");
	assert_non_null(last->via);
	assert_true(last->parent < verdict->command_count - 1);
	assert_int_equal(last->redirection_count, 1);
	assert_string_equal(last->redirections[0].op, ">");
	assert_string_equal(last->redirections[0].target.text, "o");
	bailey_verdict_free(verdict);
}

static void
writes_an_argv_as_a_shell_takes_it(void **state)
{
	const char *const argv[] = { "rm", "-rf", "it's", "", "a b", "~" };
	struct bailey_verdict *verdict = NULL;

	(void)state;
	assert_int_equal(bailey_judge_argv(argv, COUNT_OF(argv), NULL, &verdict, NULL), BAILEY_OK);
	assert_string_equal(verdict->text, "rm -rf 'it'\\''s' '' 'a b' '~'");
	/* No shell has looked at it: "~" is a name. */
	assert_int_equal(verdict->decision, BAILEY_PROMPT);
	assert_int_equal(verdict->commands[0].word_count, COUNT_OF(argv));
	bailey_verdict_free(verdict);
}

static void
judges_by_the_scene(void **state)
{
	static const char *const roots[] = { "/data/work" };
	static const char *const secrets[] = { "/data/secret", "~/hidden" };
	static const struct bailey_scene scene = { .cwd = "/srv/app/../app",
						   .home = "/home/me/",
						   .roots = roots,
						   .root_count = 1,
						   .sensitive = secrets,
						   .sensitive_count = 2 };
	static const struct {
		const char *text;
		enum bailey_decision decision;
	} rows[] = {
		{ "rm -rf build", BAILEY_PROMPT },
		{ "rm -rf /srv/app/build", BAILEY_PROMPT },
		{ "rm -rf /srv/app", BAILEY_FORBIDDEN },
		{ "rm -rf /srv/other", BAILEY_FORBIDDEN },
		{ "rm -rf /data/work/x", BAILEY_PROMPT },
		{ "rm -rf /home/me", BAILEY_FORBIDDEN },
		{ "cat /data/secret/x", BAILEY_FORBIDDEN },
		{ "cat ~/hidden", BAILEY_FORBIDDEN },
		{ "cat ~/plain", BAILEY_ALLOW },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct bailey_verdict *verdict = NULL;

		assert_int_equal(bailey_judge_shell(rows[i].text, strlen(rows[i].text), &scene,
						    &verdict, NULL),
				 BAILEY_OK);
		if (verdict->decision != rows[i].decision) {
			fail_msg("%s is %s", rows[i].text, bailey_decision_name(verdict->decision));
		}
		bailey_verdict_free(verdict);
	}
}

static void
refuses_scenes_and_texts_that_cannot_be_judged(void **state)
{
	static const struct bailey_scene relative = { .cwd = "src", .home = "/home/me" };
	static const char *const roots[] = { "x" };
	static const struct bailey_scene bad_root = { .cwd = "/", .roots = roots, .root_count = 1 };
	struct bailey_verdict *verdict = NULL;
	struct bailey_error err = { 0 };

	(void)state;
	assert_int_equal(bailey_judge_shell("ls", 2, &relative, &verdict, &err), BAILEY_E_INVALID);
	assert_non_null(strstr(err.message, "'src'"));
	assert_int_equal(bailey_judge_shell("ls", 2, &bad_root, &verdict, NULL), BAILEY_E_INVALID);
	assert_int_equal(bailey_judge_shell("ls", BAILEY_COMMAND_MAX + 1, NULL, &verdict, NULL),
			 BAILEY_E_LIMIT);
	assert_null(verdict);
	bailey_verdict_free(NULL);
}

static void
takes_bytes_of_any_kind(void **state)
{
	struct bailey_verdict *verdict = NULL;

	(void)state;
	assert_int_equal(bailey_judge_shell("ls\0rm", 5, NULL, &verdict, NULL), BAILEY_OK);
	assert_false(verdict->readable);
	assert_int_equal(verdict->decision, BAILEY_PROMPT);
	bailey_verdict_free(verdict);
	verdict = judge("");
	assert_int_equal(verdict->decision, BAILEY_ALLOW);
	assert_int_equal(verdict->command_count, 0);
	bailey_verdict_free(verdict);
}

static void
fails_cleanly_when_memory_runs_out(void **state)
{
	static const char text[] =
		"x=rm; f() { for d in a{1..40} \"$@\"; do $x -rf \"$d\" | tee log >> out; done; }\n"
		"f / ~; echo cm0gLXJmIC8K | base64 -d | sh; git -c alias.x='!ls' x";
	unsigned int nth = 0;
	int rc;

	(void)state;
	do {
		struct bailey_verdict *verdict = NULL;
		struct bailey_error err = { 0 };

		arena_fail_nth = ++nth;
		rc = bailey_judge_shell(text, sizeof(text) - 1, NULL, &verdict, &err);
		arena_fail_nth = 0;
		assert_int_equal(rc == BAILEY_OK, verdict != NULL);
		assert_true(rc == BAILEY_OK || rc == BAILEY_E_NOMEM);
		bailey_verdict_free(verdict);
	} while (rc != BAILEY_OK);
	assert_true(nth > 3);
}

static void
says_what_is_dangerous(void **state)
{
	const char *const danger[] = { "sudo", "rm", "-v", "--recursive", "--force", "/" };
	const char *const harmless[] = { "git", "log" };

	(void)state;
	assert_true(bailey_command_might_be_dangerous(danger, COUNT_OF(danger)));
	assert_false(bailey_command_might_be_dangerous(harmless, COUNT_OF(harmless)));
	assert_true(bailey_shell_string_might_be_dangerous("bash -lc 'git reset --hard'"));
	assert_false(bailey_shell_string_might_be_dangerous("echo 'rm -rf /'"));
}

static void
validates_texts(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} rows[] = {
		{ "ls -la | head", BAILEY_OK },
		{ "make", BAILEY_OK },
		{ "rm -rf /", BAILEY_E_REFUSED },
		{ "wget https://example.com/x", BAILEY_E_REFUSED },
		{ "rmdir old", BAILEY_E_REFUSED },
		{ "find \"$x\" -name y", BAILEY_E_REFUSED },
		{ "ls && (", BAILEY_E_SYNTAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct bailey_error err = { 0 };
		int rc = bailey_validate_command_safety(rows[i].text, &err);

		if (rc != rows[i].rc) {
			fail_msg("%s gives %d: %s", rows[i].text, rc, err.message);
		}
		assert_int_equal(err.status, rc);
	}
}

static void
has_a_registry_of_safe_commands(void **state)
{
	static const struct {
		const char *argv[4];
		size_t argc;
		enum bailey_safety safety;
	} rows[] = {
		{ { "ls", "-la" }, 2, BAILEY_SAFETY_ALLOW },
		{ { "git", "status" }, 2, BAILEY_SAFETY_ALLOW },
		{ { "git", "push", "-f" }, 3, BAILEY_SAFETY_DENY },
		{ { "cargo", "check" }, 2, BAILEY_SAFETY_ALLOW },
		{ { "cargo", "fmt", "--check" }, 3, BAILEY_SAFETY_ALLOW },
		{ { "cargo", "install", "x" }, 3, BAILEY_SAFETY_DENY },
		{ { "find", ".", "-delete" }, 3, BAILEY_SAFETY_DENY },
		{ { "rg", "--pre", "x", "y" }, 4, BAILEY_SAFETY_DENY },
		{ { "sed", "-n", "1,5p", "f" }, 4, BAILEY_SAFETY_ALLOW },
		{ { "sed", "-i", "s/a/b/", "f" }, 4, BAILEY_SAFETY_DENY },
		{ { "./ls" }, 1, BAILEY_SAFETY_UNKNOWN },
		{ { "frobnicate" }, 1, BAILEY_SAFETY_UNKNOWN },
		{ { "reset" }, 1, BAILEY_SAFETY_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char reason[BAILEY_SAFETY_REASON_MAX];
		enum bailey_safety safety = bailey_safe_command(rows[i].argv, rows[i].argc, reason);

		if (safety != rows[i].safety) {
			fail_msg("%s %s gives %d: %s", rows[i].argv[0],
				 rows[i].argc > 1 ? rows[i].argv[1] : "", safety, reason);
		}
		assert_int_equal(reason[0] != '\0', safety == BAILEY_SAFETY_DENY);
	}
}

static void
evaluates_with_and_without_a_policy(void **state)
{
	const char *const reads[] = { "ls" };
	const char *const writes[] = { "touch", "x" };
	const char *const destroys[] = { "rm", "-rf", "/" };
	const bool yes = true;
	const bool no = false;
	struct bailey_evaluation out;

	(void)state;
	assert_int_equal(bailey_evaluate(reads, 1, NULL, NULL, &out, NULL), BAILEY_OK);
	assert_true(out.allowed && out.primary == BAILEY_BY_SAFETY_ALLOW);
	assert_int_equal(bailey_evaluate(reads, 1, NULL, &no, &out, NULL), BAILEY_OK);
	assert_true(!out.allowed && out.primary == BAILEY_BY_POLICY_DENY);
	assert_int_equal(bailey_evaluate(writes, 2, NULL, NULL, &out, NULL), BAILEY_OK);
	assert_true(!out.allowed && out.primary == BAILEY_BY_SAFETY_DENY);
	assert_int_equal(bailey_evaluate(writes, 2, NULL, &yes, &out, NULL), BAILEY_OK);
	assert_true(out.allowed && out.primary == BAILEY_BY_POLICY_ALLOW);
	assert_int_equal(bailey_evaluate(destroys, 3, NULL, &yes, &out, NULL), BAILEY_OK);
	assert_true(!out.allowed && out.primary == BAILEY_BY_DANGER);
	assert_string_equal(bailey_evaluation_reason_name(out.primary), "dangerous_command");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_reasons_and_places_in_the_text),
		cmocka_unit_test(lists_what_runs_what),
		cmocka_unit_test(writes_an_argv_as_a_shell_takes_it),
		cmocka_unit_test(judges_by_the_scene),
		cmocka_unit_test(refuses_scenes_and_texts_that_cannot_be_judged),
		cmocka_unit_test(takes_bytes_of_any_kind),
		cmocka_unit_test(fails_cleanly_when_memory_runs_out),
		cmocka_unit_test(says_what_is_dangerous),
		cmocka_unit_test(validates_texts),
		cmocka_unit_test(has_a_registry_of_safe_commands),
		cmocka_unit_test(evaluates_with_and_without_a_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
