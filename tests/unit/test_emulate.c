/* SPDX-License-Identifier: MIT */
/*
 * Tests of the emulated tools. What the real tools print is compared in tests/oracle/emulate.py;
 * here stands what does not need them: some of their output written down, unknown parts, taints,
 * files and bounds.
 */
#include "command/emulate.h"
#include "emulate_rows.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct bailey_scene scene = { .cwd = "/w", .home = "/home/u" };

/* \x1a in a text is an unknown part. */
static struct field
field_of(struct arena *arena, const char *text)
{
	struct field field = field_static(text, NULL);
	uint8_t *marks;

	if (strchr(text, FIELD_UNKNOWN) == NULL) {
		return field;
	}
	marks = arena_alloc(arena, field.len);
	for (uint32_t i = 0; i < field.len; i++) {
		marks[i] = text[i] == FIELD_UNKNOWN ? MARK_UNKNOWN : MARK_LITERAL;
	}
	field.marks = marks;
	field.kind = BAILEY_WORD_DYNAMIC;
	return field;
}

static bool
emulate_words(struct arena *arena, struct shell *shell, const char *const *words,
	      struct stream input, struct stream *output)
{
	struct field argv[WORDS_MAX];
	size_t argc = 0;

	for (; words[argc] != NULL; argc++) {
		argv[argc] = field_of(arena, words[argc]);
	}
	return emulate(arena, shell, argv, argc, &input, output);
}

static bool
is_wrong(const struct row *row, enum dialect dialect)
{
	AUTO_ARENA arena = { 0 };
	struct shell shell;
	struct stream output = { 0 };
	bool known;

	assert_int_equal(shell_init(&shell, &arena, &scene), BAILEY_OK);
	shell.dialect = dialect;
	known = emulate_words(&arena, &shell, row->words,
			      (struct stream){ .data = field_of(&arena, row->input) }, &output);
	if (known ? row->output != NULL && strcmp(output.data.text, row->output) == 0
		  : row->output == NULL) {
		return false;
	}
	(void)fprintf(stderr, "%s %s ...\n  expected: %s\n  found:    %s\n", row->words[0],
		      row->words[1], row->output, known ? output.data.text : "(nothing)");
	return true;
}

static void
run_rows(const struct row *rows, size_t count, enum dialect dialect)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		wrong += is_wrong(&rows[i], dialect);
	}
	assert_int_equal(wrong, 0);
}

static void
output_is_that_of_the_tool_when_all_is_known(void **state)
{
	(void)state;
	run_rows(known_rows, COUNT_OF(known_rows), DIALECT_BASH);
}

#define U "\x1a"

static const struct row partial_rows[] = {
	{ "", { "echo", "rm", U }, "rm " U "\n" },
	{ "", { "echo", U, "rm -rf /" }, U "rm -rf /" U },
	{ "", { "echo", "rm" U, "x" }, "rm" U " x\n" },
	{ "", { "echo", "-n" U, "b" }, U "b" U },
	{ "", { "echo", "-e", "a\\x4" U }, "a" U },
	{ "", { "printf", "%s\n", "a" U }, "a" U "\n" },
	{ "", { "printf", "a%dz", U }, "a" U },
	{ "", { "printf", "a" U "b" }, "a" U },
	{ "", { "printf", U }, U },
	{ "a" U "b", { "cat" }, "a" U "b" },
	{ "a\nb" U, { "head", "-n1" }, "a\n" },
	{ "ab" U, { "head", "-n1" }, "ab" U },
	{ U "\nb\nc\n", { "tail", "-n1" }, "c\n" },
	{ U "b", { "tail", "-n1" }, U "b" },
	{ "a" U "b", { "tr", "ab", "xy" }, "x" U "y" },
	{ "a" U "b", { "tr", "-s", "ab" }, U },
	{ "cm0g" U, { "base64", "-d" }, "rm " U },
	{ "cm0g!cm0g", { "base64", "-d" }, "rm " U },
	{ "726d" U, { "xxd", "-r", "-p" }, "rm" U },
	{ U, { "base64", "-d" }, U },
	{ U, { "rev" }, U },
	{ U, { "sed", "s/a/b/" }, U },
	{ "a\n" U, { "paste", "-s" }, "a\t" U "\n" },
	{ "B\na\n", { "sort" }, U },
	{ "\303\251", { "rev" }, U },
	{ "\303\251", { "cut", "-c1" }, U },
	{ "abab\n", { "sed", "s/\\(ab\\)*/x/" }, U },
	{ "a\n", { "sed", "s/a\\|b/x/" }, U },
	{ "a\n", { "sed", ":a;ba" }, U },
	{ "a\n", { "sed", "s/a/\\U&/" }, U },
	{ "", { "printf", "%d", "x" }, U },
	{ "", { "printf", "%z", "x" }, U },
	{ "", { "printf", "\\x" }, U },
	{ "", { "tr", "z-a", "x" }, U },
	{ "", { "pwd" }, "/w\n" },
	{ "", { "command", "-v", "rm" }, "/usr/bin/rm\n" },
	{ "", { "which", "curl" }, "/usr/bin/curl\n" },
	{ "", { "command", "-v", "no-such-name" }, U },
	{ "", { "printf", "-v", "x", "abc" }, "" },
};

static void
what_is_certain_stays_when_parts_are_unknown(void **state)
{
	(void)state;
	run_rows(partial_rows, COUNT_OF(partial_rows), DIALECT_BASH);
}

static const struct row refused_rows[] = {
	{ "", { "rm", "-rf", "x" }, NULL },
	{ "", { "./cat" }, NULL },
	{ "", { U "cat" }, NULL },
	{ "", { "cat", "file" }, NULL },
	{ "", { "cat", U }, NULL },
	{ "", { "cat", "-A" }, NULL },
	{ "a", { "cat", "-", "file" }, NULL },
	{ "a", { "head", "a", "b" }, NULL },
	{ "a", { "head", "--no-such" }, NULL },
	{ "a", { "sort", "-o", "x" }, NULL },
	{ "a", { "grep", "a", "x" }, NULL },
	{ "a", { "grep", "-r", "a" }, NULL },
	{ "a", { "grep", "a\\|b" }, NULL },
	{ "a", { "dd", "of=x" }, NULL },
	{ "a", { "dd", "if=x" }, NULL },
	{ "a", { "uniq", "-", "x" }, NULL },
	{ "a", { "sed", "w x" }, NULL },
	{ "a", { "sed", "-i", "p", "x" }, NULL },
	{ "a", { "sed", "s/a/b/e" }, NULL },
	{ "a", { "awk", "{system(\"id\")}" }, NULL },
	{ "a", { "awk", "{print > \"x\"}" }, NULL },
	{ "a", { "awk", "-f", "x" }, NULL },
	{ "a", { "base64", "-d", "x" }, NULL },
	{ "a", { "xxd", "-r", "-p", "-", "out" }, NULL },
	{ "a", { "gunzip", "x.gz" }, NULL },
	{ "a", { "xargs", "rm" }, NULL },
	{ "", { "command", "ls" }, NULL },
	{ "", { "python3", "-c", "print(1)" }, NULL },
	{ "", { "python3", "-c", "print('a'); print('b')" }, NULL },
	{ "", { "perl", "-e", "print \"$x\"" }, NULL },
	{ "", { "perl", "-e", "print \"a\\n\"" }, NULL },
};

static void
nothing_is_said_when_the_command_is_not_one_of_these(void **state)
{
	(void)state;
	run_rows(refused_rows, COUNT_OF(refused_rows), DIALECT_BASH);
}

static const struct row sh_rows[] = {
	{ "", { "echo", "a b" }, "a b\n" },	   { "", { "echo", "-n", "a" }, "a" },
	{ "", { "echo", "a\\n" }, U "\n" },	   { "", { "echo", "-e", "a" }, U "a" U },
	{ "", { "printf", "%s\\n", "a" }, "a\n" }, { "", { "printf", "\\162" }, "r" },
	{ "", { "printf", "\\x72" }, U },	   { "", { "printf", "%b", "\\0162" }, "r" },
	{ "", { "printf", "%b", "\\162" }, U },	   { "", { "printf", "%q", "a" }, U },
	{ "", { "/bin/echo", "a\\n" }, "a\\n\n" },
};

static void
only_what_all_sh_do_is_known_when_the_dialect_is_sh(void **state)
{
	(void)state;
	run_rows(sh_rows, COUNT_OF(sh_rows), DIALECT_SH);
}

/* ---- taints, bytes, files ------------------------------------------------------------------ */

struct fixture {
	struct arena arena;
	struct shell shell;
};

static int
set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	return fixture == NULL || shell_init(&fixture->shell, &fixture->arena, &scene) != BAILEY_OK;
}

static int
tear_down(void **state)
{
	struct fixture *fixture = *state;

	arena_finish(&fixture->arena);
	free(fixture);
	return 0;
}

static struct stream
run(struct fixture *fixture, struct stream input, const char *const *words)
{
	struct stream output = { 0 };

	assert_true(emulate_words(&fixture->arena, &fixture->shell, words, input, &output));
	return output;
}

#define RUN(fixture, input, ...) run(fixture, input, (const char *const[]){ __VA_ARGS__, NULL })

static void
taints_come_out_when_they_went_in(void **state)
{
	struct stream secret = { .data = field_static("cm0g", NULL) };
	struct stream network = stream_unknown(TAINT_NETWORK);

	secret.data.taint = TAINT_SECRET;
	assert_int_equal(RUN(*state, secret, "cat").data.taint, TAINT_SECRET);
	assert_int_equal(RUN(*state, secret, "base64", "-d").data.taint,
			 TAINT_SECRET | TAINT_DECODED);
	assert_int_equal(RUN(*state, network, "base64", "-d").data.taint,
			 TAINT_NETWORK | TAINT_DECODED);
	assert_int_equal(RUN(*state, network, "gunzip").data.taint, TAINT_NETWORK | TAINT_DECODED);
	assert_int_equal(RUN(*state, network, "sed", "s/a/b/").data.taint,
			 TAINT_NETWORK | TAINT_DECODED);
	assert_int_equal(RUN(*state, secret, "echo", "a").data.taint, 0);
	assert_int_equal(RUN(*state, secret, "echo", "-e", "\\x41").data.taint, TAINT_DECODED);
	assert_int_equal(RUN(*state, secret, "printf", "\\162").data.taint, TAINT_DECODED);
	assert_int_equal(RUN(*state, secret, "printf", "%s\n", "a").data.taint, 0);
}

static void
input_is_unknown_when_it_comes_from_outside(void **state)
{
	struct stream open = { .data = field_static("", NULL), .open = true };
	struct stream output = RUN(*state, open, "cat");

	assert_int_equal(output.data.kind, BAILEY_WORD_DYNAMIC);
	assert_int_equal(output.data.taint, TAINT_INPUT);
}

static void
compressed_text_comes_out_when_it_passes_as_bytes(void **state)
{
	static const char text[] = "H4sIAAAAAAACAyvKVdAtSlOoAwA+LZ7wCAAAAA==\n";
	struct stream decoded =
		RUN(*state, (struct stream){ .data = field_static(text, NULL) }, "base64", "-d");

	assert_int_equal(decoded.data.kind, BAILEY_WORD_DYNAMIC);
	assert_non_null(decoded.bytes);
	decoded = RUN(*state, decoded, "cat");
	assert_string_equal(RUN(*state, decoded, "gunzip").data.text, "rm -rf ~");
	assert_string_equal(RUN(*state, decoded, "gzip", "-dc").data.text, "rm -rf ~");
	decoded.byte_count -= 10;
	assert_int_equal(RUN(*state, decoded, "zcat").data.kind, BAILEY_WORD_DYNAMIC);
}

static void
nul_is_kept_apart_when_a_tool_prints_one(void **state)
{
	struct stream none = { .data = field_static("", NULL) };
	struct stream output = RUN(*state, none, "printf", "a\\0b");

	assert_int_equal(output.data.kind, BAILEY_WORD_DYNAMIC);
	assert_int_equal(output.byte_count, 3);
	assert_memory_equal(output.bytes, "a\0b", 3);
	assert_string_equal(RUN(*state, output, "tr", "-d", "\\0").data.text, "ab");
}

static void
file_is_read_when_the_script_wrote_it(void **state)
{
	struct fixture *fixture = *state;
	struct file_note *note = shell_note_file(&fixture->shell, "/w/s.txt");
	struct stream none = { .data = field_static("", NULL) };

	assert_non_null(note);
	note->content.data = field_static("cm0gLXJm\n", NULL);
	assert_string_equal(RUN(fixture, none, "cat", "s.txt").data.text, "cm0gLXJm\n");
	assert_string_equal(RUN(fixture, none, "base64", "-d", "/w/s.txt").data.text, "rm -rf");
	assert_string_equal(RUN(fixture, none, "cat", "./s.txt", "/dev/null").data.text,
			    "cm0gLXJm\n");
}

static void
order_is_known_when_the_locale_is_c(void **state)
{
	struct fixture *fixture = *state;
	struct stream input = { .data = field_static("b\nA\n", NULL) };
	struct field c = field_static("C", NULL);

	shell_set(&fixture->shell, "LC_ALL", &c);
	assert_string_equal(RUN(fixture, input, "sort").data.text, "A\nb\n");
}

static void
head_takes_lines_when_yes_has_no_end(void **state)
{
	struct stream none = { .data = field_static("", NULL) };
	struct stream output = RUN(*state, none, "yes", "rm -rf ~");

	assert_int_equal(output.data.kind, BAILEY_WORD_DYNAMIC);
	assert_string_equal(RUN(*state, output, "head", "-1").data.text, "rm -rf ~\n");
}

static void
words_are_unknown_when_their_number_or_names_are(void **state)
{
	static const uint8_t glob_mark[] = { MARK_GLOB };
	struct fixture *fixture = *state;
	struct field many = field_unknown(0, true, NULL);
	struct field glob = field_static("*", NULL);
	struct stream none = { .data = field_static("", NULL) };
	struct field argv[] = { field_static("printf", NULL), field_static("%s-", NULL), many };
	struct stream output;

	glob.kind = BAILEY_WORD_GLOB;
	glob.marks = glob_mark;
	assert_true(emulate(&fixture->arena, &fixture->shell, argv, 3, &none, &output));
	assert_string_equal(output.data.text, "\x1a");
	argv[2] = glob;
	assert_true(emulate(&fixture->arena, &fixture->shell, argv, 3, &none, &output));
	assert_string_equal(output.data.text, "\x1a");
	argv[0] = field_static("echo", NULL);
	assert_true(emulate(&fixture->arena, &fixture->shell, argv, 3, &none, &output));
	assert_string_equal(output.data.text, "%s- \x1a\n");
	argv[0] = field_static("cat", NULL);
	argv[1] = many;
	assert_false(emulate(&fixture->arena, &fixture->shell, argv, 2, &none, &output));
}

static void
printf_gives_a_value_when_it_assigns(void **state)
{
	struct fixture *fixture = *state;
	struct field argv[] = { field_static("printf", NULL), field_static("-v", NULL),
				field_static("x", NULL), field_static("r%s", NULL),
				field_static("m", NULL) };
	struct stream output;

	assert_true(emulate_printf(&fixture->arena, &fixture->shell, argv, 5, &output));
	assert_string_equal(output.data.text, "rm");
	assert_false(emulate_printf(&fixture->arena, &fixture->shell, argv, 3, &output));
}

/* ---- bounds ------------------------------------------------------------------------------- */

static void
output_is_unknown_when_it_would_be_too_long(void **state)
{
	struct stream none = { .data = field_static("", NULL) };

	assert_int_equal(RUN(*state, none, "printf", "%2000000s", "").data.kind,
			 BAILEY_WORD_DYNAMIC);
	assert_int_equal(RUN(*state, none, "seq", "99999999999").data.kind, BAILEY_WORD_DYNAMIC);
	assert_int_equal(RUN(*state, none, "printf", "%1000000s", "").data.len, 1000000);
}

static void
output_is_unknown_when_the_account_is_empty(void **state)
{
	struct fixture *fixture = *state;
	struct stream none = { .data = field_static("", NULL) };

	(void)shell_spend(&fixture->shell, SHELL_SPEND_MAX);
	assert_int_equal(RUN(fixture, none, "echo", "a").data.kind, BAILEY_WORD_DYNAMIC);
}

static void
search_ends_when_the_regex_is_built_to_be_slow(void **state)
{
	static char text[3001];
	struct stream input = { .data = { 0 } };

	memset(text, 'a', sizeof(text) - 1);
	input.data = field_static(text, NULL);
	assert_int_equal(RUN(*state, input, "sed", "s/a*a*a*a*a*a*a*a*a*a*b/x/").data.kind,
			 BAILEY_WORD_DYNAMIC);
}

/* Leaves room for about `bytes` in an arena, and no other block to be had. */
static void
leave_room(struct arena *arena, size_t bytes)
{
	size_t pieces[2] = { 0 };

	/* To the end of the block that there is, and of the next one, which tells its size. */
	for (size_t i = 0; i < 2; i++) {
		const struct arena_block *block = arena->blocks;

		while (arena->blocks == block || pieces[i] == 0) {
			assert_non_null(arena_alloc(arena, 16));
			pieces[i]++;
		}
	}
	assert_non_null(arena_alloc(arena, (pieces[1] - 2) * 16 - bytes));
	arena_fail_nth = 1;
}

static void
check_without_memory(const struct row *row, size_t room)
{
	AUTO_ARENA arena = { 0 };
	struct shell shell;
	struct stream output = { 0 };
	struct stream input = { .data = field_static(row->input, NULL) };

	assert_int_equal(shell_init(&shell, &arena, &scene), BAILEY_OK);
	leave_room(&arena, room);
	if (emulate_words(&arena, &shell, row->words, input, &output) &&
	    field_is_literal(&output.data) && !arena.failed) {
		assert_string_equal(output.data.text, row->output);
	}
	arena_fail_nth = 0;
}

static void
output_is_right_or_unknown_when_memory_is_out_anywhere(void **state)
{
	(void)state;
	for (size_t room = 0; room < 3000; room += 112) {
		for (size_t i = 0; i < COUNT_OF(known_rows); i++) {
			check_without_memory(&known_rows[i], room);
		}
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_is_that_of_the_tool_when_all_is_known),
		cmocka_unit_test(what_is_certain_stays_when_parts_are_unknown),
		cmocka_unit_test(nothing_is_said_when_the_command_is_not_one_of_these),
		cmocka_unit_test(only_what_all_sh_do_is_known_when_the_dialect_is_sh),
		TEST(taints_come_out_when_they_went_in),
		TEST(input_is_unknown_when_it_comes_from_outside),
		TEST(compressed_text_comes_out_when_it_passes_as_bytes),
		TEST(nul_is_kept_apart_when_a_tool_prints_one),
		TEST(file_is_read_when_the_script_wrote_it),
		TEST(order_is_known_when_the_locale_is_c),
		TEST(head_takes_lines_when_yes_has_no_end),
		TEST(words_are_unknown_when_their_number_or_names_are),
		TEST(printf_gives_a_value_when_it_assigns),
		TEST(output_is_unknown_when_it_would_be_too_long),
		TEST(output_is_unknown_when_the_account_is_empty),
		TEST(search_ends_when_the_regex_is_built_to_be_slow),
		cmocka_unit_test(output_is_right_or_unknown_when_memory_is_out_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
