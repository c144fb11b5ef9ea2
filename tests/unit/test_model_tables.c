/* SPDX-License-Identifier: MIT */
/* The tables of all programs and the index of their names, and what must not go wrong with any. */
#include "model_fixture.h"

#include "base/attr.h"
#include "command/models/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- names --------------------------------------------------------------------------------- */

static void
knows_a_program_when_its_path_is_the_systems(void **state)
{
	static const struct {
		const char *word;
		const char *name;
	} rows[] = {
		{ "rm", "rm" },
		{ "/bin/rm", "rm" },
		{ "/usr/bin/../bin/./rm", "rm" },
		{ "//usr//local/bin/rm", "rm" },
		{ "/home/u/../../bin/rm", "rm" },
		{ "/nix/store/abc-coreutils/bin/rm", "rm" },
		{ "/opt/homebrew/bin/git", "git" },
		{ "/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2" },
		{ "./rm", NULL },
		{ "bin/rm", NULL },
		{ "../../bin/rm", NULL },
		{ "/tmp/rm", NULL },
		{ "/home/u/bin/rm", NULL },
		{ "/bin/x/rm", NULL },
		{ "/nix/store/rm", NULL },
		{ "/lib/rm", NULL },
		{ "/", NULL },
		{ "''", NULL },
		{ "$x", NULL },
		{ "r*", NULL },
		{ "/bin/r*", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		struct field word;
		const char *name;

		(void)fixture_word(&arena, rows[i].word, &word);
		name = model_program_name(&arena, &word);
		assert_int_equal(name == NULL, rows[i].name == NULL);
		if (name != NULL) {
			assert_string_equal(name, rows[i].name);
		}
	}
}

static const struct program *const all_tables[] = {
#define TABLE(name) models_##name,
	MODELS_TABLES(TABLE)
#undef TABLE
};

static void
finds_every_name_when_the_index_is_asked(void **state)
{
	size_t count = 0;

	(void)state;
	for (size_t t = 0; t < COUNT_OF(all_tables); t++) {
		for (const struct program *program = all_tables[t]; program->names != NULL;
		     program++) {
			for (const char *name = program->names; *name != '\0';) {
				size_t len = strcspn(name, " ");

				assert_ptr_equal(model_find(name, len), program);
				count++;
				name += len;
				name += *name == ' ' ? 1 : 0;
			}
		}
	}
	assert_true(count >= 2800); /* README.md says so */
	assert_null(model_find("no-such-program", 15));
	assert_null(model_find("", 0));
	assert_null(model_find("12", 2));
	assert_null(model_find("ls2", 3));
}

/* A program, and one name of one of its subcommands, as a command line. */
static int
check_sub(const struct program *program, const char *name, size_t len)
{
	AUTO_ARENA arena = { 0 };
	size_t first = strcspn(program->names, " ");
	AUTO_FREE char *with = NULL;
	AUTO_FREE char *without = NULL;
	char *text =
		arena_printf(&arena, "%.*s %.*s a", (int)first, program->names, (int)len, name);

	with = fixture_judge(&arena, NULL, text, NULL);
	without = fixture_judge(&arena, program, text, NULL);
	if (strcmp(with, without) != 0) {
		print_message("%s\n  %s\n  %s\n", text, with, without);
		return 1;
	}
	return 0;
}

static int
check_subs(const struct program *program)
{
	int wrong = 0;

	for (const struct program *sub = program->subcommands; sub != NULL && sub->names != NULL;
	     sub++) {
		const char *name = sub->names;

		while (*name != '\0') {
			size_t len = strcspn(name, "|");

			wrong += check_sub(program, name, len);
			name += len;
			name += *name == '|' ? 1 : 0;
		}
	}
	return wrong;
}

static void
finds_the_same_subcommand_when_the_index_is_asked(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t t = 0; t < COUNT_OF(all_tables); t++) {
		for (const struct program *program = all_tables[t]; program->names != NULL;
		     program++) {
			wrong += check_subs(program);
		}
	}
	assert_int_equal(wrong, 0);
}

/* ---- the tables ---------------------------------------------------------------------------- */

static int
check_pattern(const struct program *program)
{
	const char *p = program->operands;

	for (; p != NULL && *p != '\0'; p++) {
		if (strchr(" .pflwaemdDEvcCxsXhu!*?$", *p) == NULL) {
			print_message("%s: operands \"%s\"\n", program->names, program->operands);
			return 1;
		}
	}
	return 0;
}

static bool
row_has_name(const struct option_row *row, const char *name, size_t len)
{
	for (const char *at = row->names; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, " ");

		if (n == len && memcmp(at, name, len) == 0) {
			return true;
		}
		at += n;
		at += *at == ' ' ? 1 : 0;
	}
	return false;
}

/* The first row of a name counts, so a later one that says something else says nothing. */
static int
check_name(const struct program *program, const struct option_row *row, const char *name,
	   size_t len)
{
	for (const struct option_row *other = program->options; other < row; other++) {
		if (row_has_name(other, name, len) &&
		    (other->use != row->use || other->arity != row->arity)) {
			print_message("%s: option '%.*s' twice\n", program->names, (int)len, name);
			return 1;
		}
	}
	return 0;
}

static int
check_letter(const struct program *program, const struct option_row *row, char letter)
{
	for (const struct option_row *other = program->options; other < row; other++) {
		if (other->letters != NULL && strchr(other->letters, letter) != NULL &&
		    (other->use != row->use || other->arity != row->arity)) {
			print_message("%s: letter '%c' twice\n", program->names, letter);
			return 1;
		}
	}
	return 0;
}

static int
check_rows(const struct program *program)
{
	int wrong = 0;

	for (const struct option_row *row = program->options;
	     row != NULL && (row->letters != NULL || row->names != NULL); row++) {
		for (const char *p = row->letters; p != NULL && *p != '\0'; p++) {
			wrong += check_letter(program, row, *p);
		}
		for (const char *at = row->names; at != NULL && *at != '\0';) {
			size_t n = strcspn(at, " ");

			wrong += check_name(program, row, at, n);
			at += n;
			at += *at == ' ' ? 1 : 0;
		}
	}
	return wrong;
}

static int
check_program(const struct program *program, int depth)
{
	int wrong = check_pattern(program) + check_rows(program);

	for (const struct program *sub = program->subcommands;
	     depth < MATCH_LEVELS && sub != NULL && sub->names != NULL; sub++) {
		wrong += check_program(sub, depth + 1);
	}
	return wrong;
}

static void
says_everything_once_when_a_table_is_read(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t t = 0; t < COUNT_OF(all_tables); t++) {
		for (const struct program *program = all_tables[t]; program->names != NULL;
		     program++) {
			wrong += check_program(program, 1);
		}
	}
	assert_int_equal(wrong, 0);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void
survives_when_memory_runs_out(void **state)
{
	static const char *const commands[] = {
		"sudo -D d A=b env -S 'a b' c",
		"env -S 'a b' c -S d",
		"find a b -name x -execdir sh -c 'rm {}' ; -delete",
		"parallel 'rm {}' ::: a b",
		"fd x d -x mv {} {.}.bak",
		"bash -s a b",
		"xargs -I{} rm {}",
		"watch a b c",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		for (unsigned int nth = 1; nth < 4; nth++) {
			AUTO_ARENA arena = { 0 };
			struct arena words_arena = { 0 };
			struct field words[FIXTURE_WORDS];
			size_t count = fixture_words(&words_arena, commands[i], words);
			struct findings found;

			/* Only whole blocks can fail: use most of the first one up. */
			(void)arena_alloc(&arena, 16384 - 64 - 64 * (size_t)(nth + i));
			findings_init(&found, &arena);
			arena_fail_nth = 1;
			model_judge(NULL, words, count, NULL, &found);
			arena_fail_nth = 0;
			arena_finish(&words_arena);
		}
	}
}

static void
stays_linear_when_there_are_very_many_words(void **state)
{
	enum { COUNT = 200000 };
	static const char *const starts[] = { "find", "rm", "env", "sudo", "xargs", "git", "bash" };
	struct field *words = calloc(COUNT, sizeof(*words));

	(void)state;
	assert_non_null(words);
	for (size_t s = 0; s < COUNT_OF(starts); s++) {
		AUTO_ARENA arena = { 0 };
		struct findings found;

		words[0] = field_static(starts[s], NULL);
		for (size_t i = 1; i < COUNT; i++) {
			words[i] = field_static(i % 2 == 0 ? "-v" : "a", NULL);
		}
		findings_init(&found, &arena);
		model_judge(NULL, words, COUNT, NULL, &found);
		assert_false(arena.failed);
	}
	free(words);
}

/* ---- whoever talks ------------------------------------------------------------------------- */

/* What the table says talks to other machines is never let pass. */
static void
check_talker(const char *const *argv, size_t argc)
{
	AUTO_ARENA arena = { 0 };
	struct stream input = { .open = true };
	struct field words[4];
	struct findings found;
	struct shell shell = { 0 };
	struct bailey_verdict *verdict = NULL;
	static const struct bailey_scene scene = { .cwd = "/w", .home = "/h" };

	assert_int_equal(shell_init(&shell, &arena, &scene), 0);
	for (size_t i = 0; i < argc; i++) {
		words[i] = field_literal(&arena, argv[i], strlen(argv[i]), NULL);
	}
	findings_init(&found, &arena);
	model_judge(&shell, words, argc, &input, &found);
	if ((found.flags & FIND_NETWORK) == 0) {
		return;
	}
	assert_int_equal(bailey_judge_argv(argv, argc, &scene, &verdict, NULL), BAILEY_OK);
	if (verdict->decision == BAILEY_ALLOW) {
		fail_msg("%s %s is allowed, and talks to other machines", argv[0],
			 argc > 1 ? argv[1] : "");
	}
	bailey_verdict_free(verdict);
}

static void
check_talkers_below(const char *name, const struct program *program)
{
	const char *const argv[] = { name, "x", "y" };

	for (size_t argc = 1; argc <= COUNT_OF(argv); argc++) {
		check_talker(argv, argc);
	}
	for (const struct program *sub = program->subcommands; sub != NULL && sub->names != NULL;
	     sub++) {
		AUTO_FREE char *word = strndup(sub->names, strcspn(sub->names, " |"));
		const char *const sub_argv[] = { name, word, "x", "y" };

		assert_non_null(word);
		for (size_t argc = 2; argc <= COUNT_OF(sub_argv); argc++) {
			check_talker(sub_argv, argc);
		}
	}
}

static void
asks_about_every_program_that_talks(void **state)
{
	(void)state;
	for (size_t t = 0; t < COUNT_OF(all_tables); t++) {
		for (const struct program *program = all_tables[t]; program->names != NULL;
		     program++) {
			AUTO_FREE char *name =
				strndup(program->names, strcspn(program->names, " "));

			assert_non_null(name);
			check_talkers_below(name, program);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_a_program_when_its_path_is_the_systems),
		cmocka_unit_test(finds_every_name_when_the_index_is_asked),
		cmocka_unit_test(finds_the_same_subcommand_when_the_index_is_asked),
		cmocka_unit_test(says_everything_once_when_a_table_is_read),
		cmocka_unit_test(asks_about_every_program_that_talks),
		cmocka_unit_test(survives_when_memory_runs_out),
		cmocka_unit_test(stays_linear_when_there_are_very_many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
