/* SPDX-License-Identifier: MIT */
/*
 * Tests of command/shell.h: what is known from the start, that a rollback leaves no trace, what
 * branches make unsure, functions, aliases, and paths.
 */
#include "expand_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct fixture f;

static int
setup(void **state)
{
	(void)state;
	return fixture_start(&f) ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	fixture_end(&f);
	return 0;
}

static void
put(const char *name, const char *value)
{
	struct field field = field_static(value, NULL);

	shell_set(&f.shell, name, &field);
}

/* The value of a variable: "-" when the text never set it, "unset", "unsure: a|b", or the value. */
static const char *
get(const char *name)
{
	static char text[512];
	const struct var *var = shell_get(&f.shell, name);
	size_t n;

	if (var == NULL) {
		return "-";
	}
	if (!var->unsure) {
		return !var->set ? "unset" : var->values[0].text;
	}
	n = (size_t)snprintf(text, sizeof(text), "unsure:");
	for (size_t i = 0; i < var->alternative_count; i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i > 0 ? "|" : " ",
				      var->alternatives[i].text);
	}
	return text;
}

/* ---- variables ---------------------------------------------------------------------------- */

static void
knows_some_variables_from_the_start(void **state)
{
	(void)state;
	assert_string_equal(get("HOME"), "/home/u");
	assert_string_equal(get("PWD"), "/work");
	assert_string_equal(get("IFS"), " \t\n");
	assert_string_equal(get("PATH"), "-");
	assert_string_equal(get("TMPDIR"), "-");
	assert_true(f.shell.positional_known);
	assert_int_equal(f.shell.positional_count, 0);
}

static void
tells_names_of_secrets(void **state)
{
	static const char *const secret[] = { "GITHUB_TOKEN", "my_api_key",	   "PASSWORD",
					      "DB_PASS",      "AWS_ACCESS_KEY_ID", "DATABASE_URL",
					      "TOKEN" };
	static const char *const others[] = { "PWD",	    "OLDPWD", "KEYBOARD", "PATH",
					      "TOKENS_DIR", "USER",   "" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(secret); i++) {
		assert_true(shell_is_secret_name(secret[i]));
	}
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		assert_false(shell_is_secret_name(others[i]));
	}
}

static void
assigns_appends_and_unsets(void **state)
{
	struct field b = field_static("b", NULL);

	(void)state;
	put("x", "a");
	shell_append(&f.shell, "x", &b);
	assert_string_equal(get("x"), "ab");
	shell_unset(&f.shell, "x");
	assert_string_equal(get("x"), "unset");
	shell_append(&f.shell, "x", &b);
	assert_string_equal(get("x"), "b");
	/* What the environment has of it is not known, what the text adds is. */
	shell_append(&f.shell, "y", &b);
	assert_string_equal(get("y"), "unsure: b");
}

static void
assigns_through_namerefs(void **state)
{
	(void)state;
	put("ref", "x");
	shell_declare(&f.shell, "ref")->nameref = true;
	put("ref", "v");
	assert_string_equal(get("x"), "v");
	put("loop", "loop");
	shell_declare(&f.shell, "loop")->nameref = true;
	put("loop", "v");
	assert_string_equal(get("x"), "unsure: v"); /* it may have been anything */
}

static void
keeps_both_values_of_a_readonly(void **state)
{
	(void)state;
	put("x", "a");
	shell_declare(&f.shell, "x")->readonly = true;
	put("x", "b");
	assert_string_equal(get("x"), "unsure: b|a");
	shell_unset(&f.shell, "x");
	assert_string_equal(get("x"), "unsure: b|a");
}

static void
set_at(const char *name, const char *index, const char *value)
{
	struct field at = field_static(index, NULL);
	struct field field = field_static(value, NULL);

	shell_set_element(&f.shell, name, &at, &field, false);
}

static void
keeps_elements_in_order(void **state)
{
	const struct var *var;

	(void)state;
	set_at("a", "5", "five");
	set_at("a", "1", "one");
	set_at("a", "9", "nine");
	set_at("a", "5", "cinq");
	set_at("a", "-1", "neuf");
	var = shell_get(&f.shell, "a");
	assert_int_equal(var->count, 3);
	assert_string_equal(var->keys[0], "1");
	assert_string_equal(var->values[1].text, "cinq");
	assert_string_equal(var->values[2].text, "neuf");
	set_at("a", "x+1", "?");
	assert_true(shell_get(&f.shell, "a")->unsure);
}

static void
leaves_older_arrays_alone_when_elements_change(void **state)
{
	struct shell_mark mark;

	(void)state;
	set_at("a", "0", "zero");
	set_at("a", "1", "one");
	mark = shell_mark(&f.shell);
	set_at("a", "1", "uno");
	set_at("a", "2", "due");
	shell_rollback(&f.shell, &mark);
	set_at("a", "2", "two");
	assert_int_equal(shell_get(&f.shell, "a")->count, 3);
	assert_string_equal(shell_get(&f.shell, "a")->values[1].text, "one");
	assert_string_equal(shell_get(&f.shell, "a")->values[2].text, "two");
}

/* ---- marks -------------------------------------------------------------------------------- */

static void
leaves_no_trace_when_rolled_back(void **state)
{
	struct shell_mark outer;
	struct shell_mark inner;
	struct field dir = field_static("/tmp", NULL);

	(void)state;
	put("x", "1");
	outer = shell_mark(&f.shell);
	put("x", "2");
	put("new", "2");
	inner = shell_mark(&f.shell);
	put("x", "3");
	put("HOME", "/else");
	shell_chdir(&f.shell, &dir);
	f.shell.noglob = true;
	shell_define(&f.shell, "fn", NULL, NULL);
	shell_rollback(&f.shell, &inner);
	assert_string_equal(get("x"), "2");
	assert_string_equal(get("HOME"), "/home/u");
	assert_string_equal(get("PWD"), "/work");
	assert_null(shell_function(&f.shell, "fn"));
	assert_false(f.shell.noglob);
	put("x", "4");
	shell_rollback(&f.shell, &inner); /* a mark holds more than once */
	assert_string_equal(get("x"), "2");
	shell_rollback(&f.shell, &outer);
	assert_string_equal(get("x"), "1");
	assert_string_equal(get("new"), "-");
}

static void
makes_unsure_what_a_branch_assigned(void **state)
{
	struct shell_mark mark;

	(void)state;
	put("x", "1");
	put("same", "s");
	mark = shell_mark(&f.shell);
	put("x", "2");
	put("same", "s");
	put("new", "n");
	shell_unset(&f.shell, "HOME");
	shell_join(&f.shell, &mark);
	assert_string_equal(get("x"), "unsure: 2|1");
	assert_string_equal(get("same"), "s");
	assert_string_equal(get("new"), "unsure: n");
	assert_string_equal(get("HOME"), "unsure: |/home/u");
	mark = shell_mark(&f.shell);
	put("x", "3");
	shell_join(&f.shell, &mark);
	assert_string_equal(get("x"), "unsure: 3|2|1");
	put("x", "4");
	assert_string_equal(get("x"), "4");
}

static void
forgets_what_was_only_in_the_middle_of_a_branch(void **state)
{
	struct shell_mark outer;
	struct shell_mark inner;

	(void)state;
	put("x", "1");
	outer = shell_mark(&f.shell);
	inner = shell_mark(&f.shell);
	put("x", "2");
	shell_join(&f.shell, &inner);
	put("x", "3");
	shell_join(&f.shell, &outer);
	assert_string_equal(get("x"), "unsure: 3|1");
}

static void
joins_inside_of_a_rollback(void **state)
{
	struct shell_mark outer;
	struct shell_mark inner;

	(void)state;
	put("x", "1");
	outer = shell_mark(&f.shell);
	inner = shell_mark(&f.shell);
	put("x", "2");
	shell_join(&f.shell, &inner);
	assert_string_equal(get("x"), "unsure: 2|1");
	put("x", "3");
	shell_rollback(&f.shell, &outer);
	assert_string_equal(get("x"), "1");
}

static void
keeps_the_first_alternatives_when_there_are_many(void **state)
{
	(void)state;
	put("x", "first");
	for (int i = 0; i < 20; i++) {
		struct shell_mark mark = shell_mark(&f.shell);
		char *text = arena_printf(&f.arena, "%d", i);

		put("x", text);
		shell_join(&f.shell, &mark);
	}
	assert_true(shell_get(&f.shell, "x")->unsure);
	assert_int_equal(shell_get(&f.shell, "x")->alternative_count, SHELL_ALTERNATIVES);
}

static void
knows_no_directory_after_a_branch_that_changed_it(void **state)
{
	struct shell_mark mark = shell_mark(&f.shell);
	struct field dir = field_static("/tmp", NULL);

	(void)state;
	shell_chdir(&f.shell, &dir);
	assert_string_equal(get("PWD"), "/tmp");
	assert_string_equal(get("OLDPWD"), "/work");
	shell_join(&f.shell, &mark);
	assert_int_equal(f.shell.cwd.kind, BAILEY_WORD_DYNAMIC);
	assert_string_equal(get("PWD"), "unsure: /tmp|/work");
}

static void
is_unsure_of_everything_when_told_to_forget(void **state)
{
	struct shell_mark mark = shell_mark(&f.shell);

	(void)state;
	put("x", "1");
	shell_forget(&f.shell);
	assert_string_equal(get("x"), "unsure: 1");
	assert_string_equal(get("IFS"), "unsure:  \t\n");
	put("x", "2");
	assert_string_equal(get("x"), "2");
	shell_rollback(&f.shell, &mark);
	assert_string_equal(get("IFS"), " \t\n");
}

static void
takes_linear_time_with_many_variables(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct shell_mark mark = shell_mark(&f.shell);

		put(arena_printf(&f.arena, "v%d", i), "x");
		put("one", i % 2 == 0 ? "a" : "b");
		shell_join(&f.shell, &mark);
	}
	assert_string_equal(get("v77777"), "unsure: x");
	assert_string_equal(get("one"), "unsure: b|a");
}

/* ---- functions and aliases ---------------------------------------------------------------- */

static void
keeps_both_functions_after_a_branch(void **state)
{
	struct node *first = arena_alloc(&f.arena, sizeof(*first));
	struct node *second = arena_alloc(&f.arena, sizeof(*second));
	struct shell_mark mark;
	struct function_def *def;

	(void)state;
	shell_define(&f.shell, "f", first, NULL);
	mark = shell_mark(&f.shell);
	shell_define(&f.shell, "f", second, NULL);
	shell_define(&f.shell, "g", second, NULL);
	shell_join(&f.shell, &mark);
	def = shell_function(&f.shell, "f");
	assert_ptr_equal(def->body, second);
	assert_ptr_equal(def->older->body, first);
	assert_false(def->unsure);
	assert_true(shell_function(&f.shell, "g")->unsure);
	mark = shell_mark(&f.shell);
	shell_undefine(&f.shell, "f");
	assert_null(shell_function(&f.shell, "f"));
	shell_join(&f.shell, &mark);
	assert_ptr_equal(shell_function(&f.shell, "f")->body, second);
	assert_true(shell_function(&f.shell, "f")->unsure);
}

static void
lists_functions_that_were_never_called(void **state)
{
	struct shell_mark mark = shell_mark(&f.shell);
	const char *name = NULL;
	size_t cursor = 0;

	(void)state;
	shell_define(&f.shell, "a", NULL, NULL);
	shell_rollback(&f.shell, &mark);
	shell_define(&f.shell, "b", NULL, NULL);
	shell_define(&f.shell, "c", NULL, NULL);
	*shell_function(&f.shell, "b")->called = true;
	assert_non_null(shell_uncalled(&f.shell, &cursor, &name));
	assert_string_equal(name, "a");
	assert_non_null(shell_uncalled(&f.shell, &cursor, &name));
	assert_string_equal(name, "c");
	assert_null(shell_uncalled(&f.shell, &cursor, &name));
}

static void
aliases_act_from_the_next_line(void **state)
{
	struct shell_mark mark;

	(void)state;
	shell_set_alias(&f.shell, "ls", "rm", 3);
	assert_null(shell_alias(&f.shell, "ls", 3, NULL));
	assert_string_equal(shell_alias(&f.shell, "ls", 4, NULL), "rm");
	shell_set_alias(&f.shell, "ls", "cat", 4);
	assert_string_equal(shell_alias(&f.shell, "ls", 4, NULL), "rm");
	assert_string_equal(shell_alias(&f.shell, "ls", 5, NULL), "cat");
	shell_unset_alias(&f.shell, NULL);
	assert_string_equal(shell_alias(&f.shell, "ls", 5, NULL), "cat");
	assert_null(shell_alias(&f.shell, "ls", 6, NULL));
	shell_set_alias(&f.shell, "ll", "x", 6);
	mark = shell_mark(&f.shell);
	shell_set_alias(&f.shell, "ll", "y", 7);
	shell_join(&f.shell, &mark);
	assert_string_equal(shell_alias(&f.shell, "ll", 8, NULL), "\x1a");
}

/* ---- paths -------------------------------------------------------------------------------- */

/* A field in which ? is unknown and * is live. */
static struct field
path_field(const char *text)
{
	struct field field = field_static(text, NULL);
	char *bytes = arena_strdup(&f.arena, text);
	uint8_t *marks = arena_alloc(&f.arena, field.len + 1);

	for (size_t i = 0; i < field.len; i++) {
		if (bytes[i] == '?') {
			bytes[i] = FIELD_UNKNOWN;
			marks[i] = MARK_UNKNOWN;
			field.kind = BAILEY_WORD_DYNAMIC;
		} else if (bytes[i] == '*') {
			marks[i] = MARK_GLOB;
			field.kind = field.kind > BAILEY_WORD_GLOB ? field.kind : BAILEY_WORD_GLOB;
		}
	}
	field.text = bytes;
	field.marks = field.kind != BAILEY_WORD_LITERAL ? marks : NULL;
	return field;
}

static void
assert_path(const char *path, const char *expected)
{
	struct field field = path_field(path);
	struct field made = shell_path(&f.shell, &field);

	(void)show_field(f.shown, &made);
	assert_string_equal(f.shown, expected);
}

static void
makes_paths_absolute_and_normal(void **state)
{
	static const struct {
		const char *path, *made;
	} rows[] = {
		{ "a", "/work/a" },
		{ "./a//b/", "/work/a/b" },
		{ "..", "/" },
		{ "../../../etc", "/etc" },
		{ "/", "/" },
		{ "//usr/./lib/../bin", "/usr/bin" },
		{ "/home/u/.ssh", "/home/u/.ssh" },
		{ "*.c", "/work/*.c#" },
		{ "/tmp/?", "/tmp/?" },
		{ "/tmp/a?/b", "/tmp/a?/b" },
		{ "/tmp/?/../y", "/tmp/?/y" },
		{ "/tmp/*/..", "/tmp/?" },
		{ "/tmp/a/../?", "/tmp/?" },
		{ "?", "?" },
		{ "?/y", "?/y" },
		{ "?/../..", "?" },
		{ "?/y/../..", "?" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_path(rows[i].path, rows[i].made);
	}
}

static void
knows_no_relative_path_when_the_directory_is_unknown(void **state)
{
	(void)state;
	f.shell.cwd = field_unknown(TAINT_VARIABLE, false, NULL);
	assert_path("a", "?/a");
	assert_path("../a", "?/a");
	assert_path("/etc/../a", "/a");
}

static void
takes_the_path_itself_when_it_is_normal(void **state)
{
	struct field field = field_static("/usr/bin/env", NULL);

	(void)state;
	assert_ptr_equal(shell_path(&f.shell, &field).text, field.text);
}

static void
follows_links_that_the_script_made(void **state)
{
	struct field name = field_static("h", NULL);
	struct field slash = field_static("h/", NULL);

	(void)state;
	shell_note_file(&f.shell, "/work/h")->link = "/home/u";
	shell_note_file(&f.shell, "/work/i")->link = "/work/h";
	shell_note_file(&f.shell, "/work/loop")->link = "/work/loop";
	assert_path("h/x", "/home/u/x");
	assert_path("h", "/home/u");
	assert_path("i/../v", "/home/v");
	assert_path("loop/x", "?");
	assert_string_equal(shell_path_name(&f.shell, &name).text, "/work/h");
	assert_string_equal(shell_path_name(&f.shell, &slash).text, "/home/u");
}

static void
forgets_files_when_rolled_back(void **state)
{
	struct shell_mark mark = shell_mark(&f.shell);

	(void)state;
	shell_note_file(&f.shell, "/work/s")->executable = true;
	shell_rollback(&f.shell, &mark);
	assert_null(shell_file(&f.shell, "/work/s"));
	mark = shell_mark(&f.shell);
	shell_note_file(&f.shell, "/work/s")->executable = true;
	shell_join(&f.shell, &mark);
	assert_true(shell_file(&f.shell, "/work/s")->unsure);
}

/* ---- limits ------------------------------------------------------------------------------- */

static void
stops_copying_when_it_costs_too_much(void **state)
{
	struct field big = field_literal(&f.arena, "x", 1, NULL);

	(void)state;
	put("x", "");
	for (int i = 0; i < 20000; i++) {
		shell_append(&f.shell, "x", &big);
	}
	assert_int_equal(shell_get(&f.shell, "x")->values[0].kind, BAILEY_WORD_DYNAMIC);
	assert_false(shell_spend(&f.shell, 1));
}

static void
survives_when_memory_is_out(void **state)
{
	(void)state;
	for (unsigned n = 1; n < 12; n++) {
		struct fixture small;
		bool ready;

		arena_fail_nth = n;
		ready = fixture_start(&small);
		for (int i = 0; ready && i < 2000; i++) {
			struct shell_mark mark = shell_mark(&small.shell);
			struct field value = field_static("v", NULL);
			struct field index = field_static("3", NULL);
			char name[16];

			(void)snprintf(name, sizeof(name), "v%d", i);
			shell_set(&small.shell, name, &value);
			shell_append(&small.shell, "x", &value);
			shell_set_element(&small.shell, "a", &index, &value, true);
			shell_define(&small.shell, name, NULL, NULL);
			shell_set_alias(&small.shell, name, "x", 1);
			(void)shell_note_file(&small.shell, name);
			shell_chdir(&small.shell, &value);
			shell_join(&small.shell, &mark);
		}
		assert_true(small.arena.failed || arena_fail_nth > 0);
		fixture_end(&small);
	}
	arena_fail_nth = 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(knows_some_variables_from_the_start),
		TEST(tells_names_of_secrets),
		TEST(assigns_appends_and_unsets),
		TEST(assigns_through_namerefs),
		TEST(keeps_both_values_of_a_readonly),
		TEST(keeps_elements_in_order),
		TEST(leaves_older_arrays_alone_when_elements_change),
		TEST(leaves_no_trace_when_rolled_back),
		TEST(makes_unsure_what_a_branch_assigned),
		TEST(forgets_what_was_only_in_the_middle_of_a_branch),
		TEST(joins_inside_of_a_rollback),
		TEST(keeps_the_first_alternatives_when_there_are_many),
		TEST(knows_no_directory_after_a_branch_that_changed_it),
		TEST(is_unsure_of_everything_when_told_to_forget),
		TEST(takes_linear_time_with_many_variables),
		TEST(keeps_both_functions_after_a_branch),
		TEST(lists_functions_that_were_never_called),
		TEST(aliases_act_from_the_next_line),
		TEST(makes_paths_absolute_and_normal),
		TEST(knows_no_relative_path_when_the_directory_is_unknown),
		TEST(takes_the_path_itself_when_it_is_normal),
		TEST(follows_links_that_the_script_made),
		TEST(forgets_files_when_rolled_back),
		TEST(stops_copying_when_it_costs_too_much),
		TEST(survives_when_memory_is_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
