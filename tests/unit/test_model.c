/* SPDX-License-Identifier: MIT */
/*
 * The matcher: options against the C library's own getopt_long(), operands against patterns,
 * subcommands, and what unknown words do.
 */
#include "model_fixture.h"

#include "base/attr.h"
#include "command/models/services.h"

#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* ---- against getopt_long() ----------------------------------------------------------------- */

static const struct option_row getopt_rows[] = {
	ROW("ab", NULL, ARG_NONE, USE_NOTHING),
	ROW("c", "colour color", ARG_OPTIONAL, USE_NOTHING),
	ROW("n", "number", ARG_ONE, USE_NOTHING),
	ROW(NULL, "compress-program", ARG_ONE, USE_NOTHING),
	ROW(NULL, "compress", ARG_NONE, USE_NOTHING),
	ROW(NULL, "no-colour", ARG_NONE, USE_NOTHING),
	ROW(NULL, "all", ARG_NONE, USE_NOTHING),
	ROW(NULL, "almost-all", ARG_NONE, USE_NOTHING),
	OPTIONS_END,
};

static const char getopt_letters[] = "+abc::n:";
static const struct option getopt_names[] = {
	{ "colour", optional_argument, NULL, 1001 },
	{ "color", optional_argument, NULL, 1001 },
	{ "number", required_argument, NULL, 1002 },
	{ "compress-program", required_argument, NULL, 1003 },
	{ "compress", no_argument, NULL, 1004 },
	{ "no-colour", no_argument, NULL, 1005 },
	{ "all", no_argument, NULL, 1006 },
	{ "almost-all", no_argument, NULL, 1007 },
	{ NULL, 0, NULL, 0 },
};

static int
getopt_value(const char *name)
{
	for (const struct option *option = getopt_names; option->name != NULL; option++) {
		if (strcmp(option->name, name) == 0) {
			return option->val;
		}
	}
	return 0;
}

/* "a n=5 1003=x | f g", or "error". */
static void
describe_match(const struct match *match, struct findings *found)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->letter != 0) {
			strbuf_putc(&out, option->letter);
		} else {
			strbuf_printf(&out, "%d", getopt_value(option->name));
		}
		if (option->arg != NULL) {
			strbuf_printf(&out, "=%s", option->arg->text);
		}
		strbuf_putc(&out, ' ');
	}
	strbuf_putc(&out, '|');
	for (size_t i = 0; i < match->operand_count; i++) {
		strbuf_printf(&out, " %s", match->operands[i].text);
	}
	found->unknown = (found->flags & FIND_KNOWN) != 0
				 ? arena_printf(found->arena, "%s", out.text)
				 : "error";
	strbuf_finish(&out);
}

static const struct program getopt_gnu = { .names = "g",
					   .options = getopt_rows,
					   .refine = describe_match };
static const struct program getopt_posix = {
	.names = "p", .options = getopt_rows, .style = PARSE_POSIX, .refine = describe_match
};

static char *
describe_getopt(int argc, char **argv, bool posix)
{
	struct strbuf out = STRBUF_INIT;
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, getopt_letters + (posix ? 0 : 1), getopt_names,
				     NULL)) != -1) {
		if (option == '?') {
			strbuf_finish(&out);
			return strdup("error");
		}
		if (option < 256) {
			strbuf_putc(&out, (char)option);
		} else {
			strbuf_printf(&out, "%d", option);
		}
		if (optarg != NULL) {
			strbuf_printf(&out, "=%s", optarg);
		}
		strbuf_putc(&out, ' ');
	}
	strbuf_putc(&out, '|');
	for (int i = optind; i < argc; i++) {
		strbuf_printf(&out, " %s", argv[i]);
	}
	return strbuf_take(&out);
}

#define ARGS_MAX 8

static void
check_against_getopt(int argc, const char *const *args, bool posix)
{
	AUTO_ARENA arena = { 0 };
	struct field words[ARGS_MAX];
	char *argv[ARGS_MAX + 1] = { NULL };
	struct match match = { .argv = words, .argc = (size_t)argc };
	struct findings found;
	AUTO_FREE char *expected = NULL;

	for (int i = 0; i < argc; i++) {
		words[i] = field_static(args[i], NULL);
		argv[i] = arena_strdup(&arena, args[i]);
	}
	findings_init(&found, &arena);
	match_program(posix ? &getopt_posix : &getopt_gnu, NULL, &match, &found);
	expected = describe_getopt(argc, argv, posix);
	if (strcmp(found.unknown, expected) != 0) {
		for (int i = 0; i < argc; i++) {
			print_message("%s ", args[i]);
		}
		print_message("\n");
	}
	assert_string_equal(found.unknown, expected);
}

/* clang-format off */
static const char *const pool[] = {
	"-a", "-b", "-ab", "-ba", "-c", "-cx", "-acx", "-n", "-n5", "-an", "-abn5", "-x", "-ax",
	"--", "-", "f", "g h", "", "--colour", "--color=x", "--col", "--colou=", "--number",
	"--number=5", "--num", "--n", "--no", "--compress", "--compress=", "--compress-",
	"--comp", "--al", "--all", "--alm", "--a", "--=x", "---", "--nosuch", "--all=x",
	"--no-colour", "--c", "--number=", "-n=5", "-c-", "--compress-program=x", "--compress-p",
	"-aab"
};
/* clang-format on */

static void
agrees_with_getopt_when_words_are_drawn(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (int round = 0; round < 40000; round++) {
		const char *args[ARGS_MAX] = { "prog" };
		int argc = 1;

		random = random * 1664525U + 1013904223U;
		for (uint32_t left = random >> 29; left > 0; left--) {
			random = random * 1664525U + 1013904223U;
			args[argc++] = pool[(random >> 8) % COUNT_OF(pool)];
		}
		check_against_getopt(argc, args, (random & 0x1000) != 0);
	}
}

/* ---- styles -------------------------------------------------------------------------------- */

static const struct option_row style_rows[] = {
	ROW("v", "verbose", ARG_NONE, USE_NOTHING),
	ROW("f", "file", ARG_ONE, DEED_READ),
	ROW("o", "out", ARG_ONE, DEED_WRITE),
	ROW("C", "dir", ARG_ONE, USE_DIR),
	ROW_HELP("h", "help"),
	ROW_DRY("n", "dry-run"),
	ROW(NULL, "+", ARG_OPTIONAL, USE_SHELL),
	ROW(NULL, "pair", ARG_TWO, USE_NOTHING),
	ROW("e", "exec", ARG_REST, USE_COMMAND),
	ROW("w", NULL, ARG_NONE, USE_COMMAND),
	OPTIONS_END,
};

#define STYLED(style, operands)                                                                    \
	{                                                                                          \
		"prog", operands, style_rows, NULL, style, 0, NULL, NULL                           \
	}

static void
reads_words_as_the_style_says(void **state)
{
	static const struct {
		struct program program;
		struct fixture_row row;
	} rows[] = {
		{ STYLED(0, "d*"), { "p a -f x b", "read:x delete:a delete:b", NULL } },
		{ STYLED(0, "d*"), { "p -vfx a", "read:x delete:a", NULL } },
		{ STYLED(0, "d*"), { "p -- -f x", "delete:-f delete:x", NULL } },
		{ STYLED(0, "d*"), { "p -x", "unknown", NULL } },
		{ STYLED(PARSE_POSIX, "d*"),
		  { "p -fx a -o y", "read:x delete:a delete:-o delete:y", NULL } },
		{ STYLED(PARSE_NO_ABBREV, "d*"), { "p --verb a", "delete:a unknown", NULL } },
		{ STYLED(PARSE_NO_CLUSTER, "d*"), { "p -vh a", "delete:a unknown", NULL } },
		{ STYLED(PARSE_NO_CLUSTER, "d*"), { "p -fx -v", "read:x", NULL } },
		{ STYLED(PARSE_LONG_ONE, "d*"),
		  { "p -file x -out=y a", "read:x write:y delete:a", NULL } },
		{ STYLED(PARSE_LONG_ONE, "d*"), { "p -f=x -vo y", "read:x write:y", NULL } },
		{ STYLED(0, "d*"), { "p +x", "delete:+x", NULL } },
		{ STYLED(PARSE_PLUS, "d*"), { "p +x y", "delete:y [prog sh: x]", NULL } },
		{ STYLED(PARSE_OLD_TAR, "d*"), { "p vfo x y a", "read:x write:y delete:a", NULL } },
		{ STYLED(PARSE_OLD_TAR, "d*"), { "p -vf x a", "read:x delete:a", NULL } },
		{ STYLED(PARSE_OLD_TAR, "d*"), { "p vx a", "delete:a unknown", NULL } },
		{ STYLED(PARSE_NONE, "d*"), { "p -f -- x", "delete:-f delete:-- delete:x", NULL } },
		{ STYLED(PARSE_NUMBER, "d*"), { "p -15 a", "delete:a", NULL } },
		{ STYLED(0, "d*"), { "p -15 a", "delete:a unknown", NULL } },
		{ STYLED(PARSE_LOOSE, "d*"), { "p -x --y a", "delete:a", NULL } },
		{ STYLED(PARSE_OPTIONAL_NEXT, "d*"), { "p --x y a", "delete:a unknown", NULL } },
		{ STYLED(PARSE_OPTIONAL_NEXT, "d*"), { "p --x=y a", "delete:a unknown", NULL } },
		{ STYLED(0, "d*"), { "p --pair a b c", "delete:c", NULL } },
		{ STYLED(0, "d*"), { "p --pair a", "unknown", NULL } },
		{ STYLED(0, "d*"), { "p a -e rm -rf x", "delete:a [prog: rm -rf x]", NULL } },
		{ STYLED(0, "d*"), { "p a -w rm -v x", "delete:a [prog: rm -v x]", NULL } },
		{ STYLED(0, "d*"), { "p -f", "unknown", NULL } },
		{ STYLED(0, "d*"), { "p -f -", "", NULL } },
	};
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		wrong += fixture_run(&rows[i].program, &rows[i].row, 1);
	}
	assert_int_equal(wrong, 0);
}

static void
does_nothing_when_help_is_certain(void **state)
{
	static const struct program gnu = STYLED(0, "d*");
	static const struct fixture_row rows[] = {
		{ "p --help", "", NULL },
		{ "p a --help", "", NULL },
		{ "p a -vh", "", NULL },
		{ "p --he a -o x", "", NULL },
		{ "p -- --help", "delete:--help", NULL },
		{ "p -f --help a", "read:--help delete:a", NULL },
		{ "p --nosuch --help a", "delete:a unknown", NULL },
		{ "p $x --help", "delete:? unknown", NULL },
		{ "p --help=x a", "delete:a unknown", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(&gnu, rows, COUNT_OF(rows)), 0);
}

static void
keeps_what_is_looked_at_when_it_is_a_trial(void **state)
{
	static const struct program gnu = STYLED(0, "d*");
	static const struct fixture_row rows[] = {
		{ "p a -n", "list:a", NULL },
		{ "p -C d a -C e b /c -f x", "read:d/e/x delete:d/a delete:d/e/b delete:/c", NULL },
		{ "p -C '' a -C d b -C '' c", "delete:a delete:d/b delete:d/c", NULL },
		{ "p a -C d \"$x\" x\"$x\"", "delete:a delete:? delete:d/x? unknown", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(&gnu, rows, COUNT_OF(rows)), 0);
}

/* ---- operands -------------------------------------------------------------------------------- */

static const struct option_row operand_rows[] = {
	ROW_MODE("r", "recursive", DEED_DELETE_TREE),
	ROW("t", "target", ARG_ONE, USE_LAST),
	ROW("e", NULL, ARG_ONE, USE_PATTERN),
	ROW_HELP("h", NULL),
	OPTIONS_END,
};

#define PATTERN(operands)                                                                          \
	{                                                                                          \
		"prog", operands, operand_rows, NULL, 0, 0, NULL, NULL                             \
	}

static void
gives_each_operand_its_deed_when_there_is_a_pattern(void **state)
{
	static const struct {
		struct program program;
		struct fixture_row row;
	} rows[] = {
		{ PATTERN("v* w$"), { "p a b c", "move:a move:b write:c", NULL } },
		{ PATTERN("v* w$"), { "p a", "write:a", NULL } },
		{ PATTERN("v* w$"), { "p -t d a b", "write:d move:a move:b", NULL } },
		{ PATTERN("v* w$"), { "p a*", "write:a* move:a*", NULL } },
		{ PATTERN("f? w?"), { "p a b", "read:a write:b", NULL } },
		{ PATTERN("f? w?"), { "p a b c", "read:a write:b unknown", NULL } },
		{ PATTERN("f? w?"), { "p a* b", "read:a* write:a* read:b write:b", NULL } },
		{ PATTERN("p f*"), { "p x a b", "read:a read:b", NULL } },
		{ PATTERN("p f*"), { "p -e x a b", "read:a read:b", NULL } },
		{ PATTERN("p f*"), { "p a -e x -e y", "read:a", NULL } },
		{ PATTERN("p f*"), { "p - -", "", NULL } },
		{ PATTERN("p f*"), { "p x $x y", "read:? read:y unknown", NULL } },
		{ PATTERN("p f*"), { "p x \"$x\" y", "read:? read:y unknown", NULL } },
		{ PATTERN(""), { "p", "", NULL } },
		{ PATTERN(""), { "p a", "unknown", NULL } },
		{ PATTERN(NULL), { "p a", "", NULL } },
		{ PATTERN(NULL), { "p -r a", "delete-tree:a", NULL } },
		{ PATTERN(". c*"), { "p -r 644 a", "delete-tree:a", NULL } },
		{ PATTERN("h s"), { "p host a", "send:a net", NULL } },
		{ PATTERN("u"), { "p a", "unknown", NULL } },
		{ PATTERN(". !"), { "p 5 rm -rf x", "[prog: rm -rf x]", NULL } },
		{ PATTERN(". !"), { "p -h 5 rm", "", NULL } },
	};
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		wrong += fixture_run(&rows[i].program, &rows[i].row, 1);
	}
	assert_int_equal(wrong, 0);
}

/* ---- unknown words --------------------------------------------------------------------------- */

static const struct option_row safe_rows[] = {
	ROW_FLAG("lv", "long"),
	ROW_TAKES("n", "lines"),
	ROW_PATH(NULL, "reference", DEED_READ),
	ROW_HELP(NULL, "help"),
	OPTIONS_END,
};

static const struct option_row writing_rows[] = {
	ROW_FLAG("l", NULL),
	ROW_PATH("o", "out", DEED_WRITE),
	OPTIONS_END,
};

static const struct option_row running_rows[] = {
	ROW_FLAG("l", NULL),
	ROW_PROGRAM(NULL, "pre"),
	OPTIONS_END,
};

static void
asks_when_an_unknown_word_may_be_a_harmful_option(void **state)
{
	static const struct program safe = { .names = "s", .operands = "f*", .options = safe_rows };
	static const struct program writing = { .names = "w",
						.operands = "f*",
						.options = writing_rows };
	static const struct program running = { .names = "r",
						.operands = "f*",
						.options = running_rows };
	static const struct fixture_row safe_words[] = {
		{ "s $x", "read:?", NULL },
		{ "s \"$x\"", "read:?", NULL },
		{ "s -$x", "", NULL },
		{ "s -n$x", "", NULL },
		{ "s -n $x a", "read:a", NULL },
		{ "s --lines=$x a", "read:a", NULL },
		{ "s --$x a", "read:a", NULL },
		{ "s *", "read:*", NULL },
		{ "s -- $x", "read:?", NULL },
		{ "s -q$x", "unknown", NULL },
		{ "s --nosuch=$x", "unknown", NULL },
	};
	static const struct fixture_row writing_words[] = {
		{ "w $x", "read:? unknown", NULL },
		{ "w \"$x\"", "read:? unknown", NULL },
		{ "w a$x", "read:a? unknown", NULL },
		{ "w a\"$x\"", "read:a?", NULL },
		{ "w -- $x", "read:?", NULL },
		{ "w -l$x", "unknown", NULL },
		{ "w -o\"$x\"", "write:?", NULL },
		{ "w -o \"$x\"", "write:?", NULL },
		{ "w -o $x", "write:? unknown", NULL },
		{ "w --out=\"$x\"", "write:?", NULL },
		{ "w --out=$x", "write:? unknown", NULL },
		{ "w *", "read:*", NULL },
		{ "w -*", "unknown", NULL },
	};
	static const struct fixture_row running_words[] = {
		{ "r *", "read:* unknown", NULL }, { "r *.c", "read:*.c", NULL },
		{ "r a*", "read:a*", NULL },	   { "r ./*", "read:./*", NULL },
		{ "r -- *", "read:*", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(&safe, safe_words, COUNT_OF(safe_words)), 0);
	assert_int_equal(fixture_run(&writing, writing_words, COUNT_OF(writing_words)), 0);
	assert_int_equal(fixture_run(&running, running_words, COUNT_OF(running_words)), 0);
}

/* ---- subcommands ----------------------------------------------------------------------------- */

static const struct option_row global_rows[] = {
	ROW_TAKES("c", "context"),
	ROW_FLAG("v", "verbose"),
	ROW_HELP(NULL, "help"),
	OPTIONS_END,
};

static const struct option_row sub_rows[] = {
	ROW_MODE("v", NULL, DEED_DELETE),
	OPTIONS_END,
};

static const struct program nested[] = {
	SUB("add|new", "w*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program subs[] = {
	SUB("status|st|", "l*", NULL, NULL, NULL, NULL),
	SUB("remote", "f*", sub_rows, NULL, NULL, NULL),
	SUB("remote add", "m*", NULL, NULL, NULL, NULL),
	SUB("remote rm|remote remove", "d*", NULL, NULL, NULL, NULL),
	SUB("tree", NULL, NULL, nested, NULL, NULL),
	SUB("start", "x*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static void
takes_the_longest_name_when_there_are_subcommands(void **state)
{
	static const struct program strict = { "prog", NULL, global_rows, subs, 0, 0, NULL, NULL };
	static const struct program abbrev = { "prog",		 NULL, global_rows, subs,
					       PARSE_SUB_ABBREV, 0,    NULL,	    NULL };
	static const struct program open = { "prog", "e*", global_rows, subs, 0, 0, NULL, NULL };
	static const struct fixture_row rows[] = {
		{ "p status a", "list:a", NULL },
		{ "p -c x st a", "list:a", NULL },
		{ "p --context=x st -v a", "list:a", NULL },
		{ "p", "", NULL },
		{ "p -v", "", NULL },
		{ "p remote a", "read:a", NULL },
		{ "p remote", "", NULL },
		{ "p remote add a", "make:a", NULL },
		{ "p remote -c y add a", "make:a", NULL },
		{ "p remote -v a", "delete:a", NULL },
		{ "p remote -q add", "unknown", NULL },
		{ "p remote rm a", "delete:a", NULL },
		{ "p remote remove a", "delete:a", NULL },
		{ "p tree new a", "write:a", NULL },
		{ "p -v tree -v add a", "write:a", NULL },
		{ "p tree a", "unknown", NULL },
		{ "p tree", "unknown", NULL },
		{ "p nosuch a", "unknown", NULL },
		{ "p $x a", "unknown", NULL },
		{ "p sta a", "unknown", NULL },
		{ "p remote --help add", "", NULL },
		{ "p --help nosuch", "", NULL },
	};
	static const struct fixture_row abbreviated[] = {
		{ "p sta a", "list:a", NULL },
		{ "p star a", "execute:a", NULL },
		{ "p rem add a", "make:a", NULL },
		{ "p t n a", "write:a", NULL },
	};
	static const struct fixture_row with_operands[] = {
		{ "p a b", "edit:a edit:b", NULL },
		{ "p -c x a", "edit:a", NULL },
		{ "p st a", "list:a", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(&strict, rows, COUNT_OF(rows)), 0);
	assert_int_equal(fixture_run(&abbrev, abbreviated, COUNT_OF(abbreviated)), 0);
	assert_int_equal(fixture_run(&open, with_operands, COUNT_OF(with_operands)), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_getopt_when_words_are_drawn),
		cmocka_unit_test(reads_words_as_the_style_says),
		cmocka_unit_test(does_nothing_when_help_is_certain),
		cmocka_unit_test(keeps_what_is_looked_at_when_it_is_a_trial),
		cmocka_unit_test(gives_each_operand_its_deed_when_there_is_a_pattern),
		cmocka_unit_test(asks_when_an_unknown_word_may_be_a_harmful_option),
		cmocka_unit_test(takes_the_longest_name_when_there_are_subcommands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
