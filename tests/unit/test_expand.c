/* SPDX-License-Identifier: MIT */
/*
 * Tests of command/expand.h: what words turn out as, what stays unknown and why, and the bounds.
 * That known fields are what bash makes of them is held against bash itself by
 * tests/oracle/expand.py; here are the cases that it cannot see, and one of each kind.
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

struct row {
	const char *text, *shown;
};

/* Each row in a shell of its own. */
static void
check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		(void)teardown(NULL);
		assert_int_equal(setup(NULL), 0);
		if (strcmp(fixture_show(&f, rows[i].text), rows[i].shown) != 0) {
			fail_msg("%s: %s, not %s", rows[i].text, f.shown, rows[i].shown);
		}
	}
}

#define CHECK(rows) check(rows, COUNT_OF(rows))

/* ---- words -------------------------------------------------------------------------------- */

static void
takes_literal_words_as_they_are(void **state)
{
	static const char text[] = "rm -rf 'a b' \"c\"d";
	struct fields fields = fixture_expand(&f, text);

	(void)state;
	assert_int_equal(fields.count, 4);
	assert_true(field_is(&fields.items[0], "rm"));
	assert_int_equal(fields.items[1].exact, 3);
	assert_int_equal(fields.items[2].exact, 8);
	assert_true(field_is(&fields.items[2], "a b"));
	assert_int_equal(fields.items[2].span.start, 7);
	assert_true(field_is(&fields.items[3], "cd"));
	assert_int_equal(fields.items[3].exact, UINT32_MAX);
}

static void
expands_braces(void **state)
{
	static const struct row rows[] = {
		{ "{a,b}", "a|b" },
		{ "x{a,{b,c}d}y", "xay|xbdy|xcdy" },
		{ "{1..3}{,.}", "1|1.|2|2.|3|3." },
		{ "{01..3}", "01|02|03" },
		{ "{3..1}{c..a..2}", "3c|3a|2c|2a|1c|1a" },
		{ "{-1..1}", "-1|0|1" },
		{ "{a} {} {a,b {a..1} {1..2..x}", "{a}|{}|{a,b|{a..1}|{1..2..x}" },
		{ "{a,b}} {{a,b}", "a}|b}|{a|{b" },
		{ "{'a,b',c} \\{a,b}", "a,b|c|{a,b}" },
		{ "{rm,-rf,~}", "rm|-rf|/home/u" },
		{ "xc=1 x{a,b} $x{c,d}", "xa|xb|1|?+" },
		{ "{1..$n} {a,$}b", "{1..?}+|?+" },
		{ "{Z..a}", "?+" },
		{ "{1..99999}", "?+" },
		{ "q={~,a}", "" },
	};

	(void)state;
	CHECK(rows);
	f.shell.dialect = DIALECT_SH;
	assert_string_equal(fixture_show(&f, "echo {a,b} a=~ ~+"), "echo|{a,b}|a=~|?");
}

static void
expands_tildes(void **state)
{
	static const struct row rows[] = {
		{ "~ ~/x ~root ~root/x", "/home/u|/home/u/x|/root|/root/x" },
		{ "'~' \\~ \"~\"/x x~ a:~", "~|~|~/x|x~|a:~" },
		{ "~+ ~-/x ~bin/x", "/work|?/x|?/x" },
		{ "~\"x\" ~$y", "~x|~?+" },
		{ "p a=~ a=x:~ --a=~ 1=~", "p|a=/home/u|a=x:/home/u|--a=~|1=~" },
		{ "HOME=/h ~", "/h" },
		{ "HOME= ~ ~/x", "|/x" },
		{ "x=~:~/a:b~ $x", "/home/u:/home/u/a:b~" },
		{ "${x-~} \"${x-~}\"", "?+|?" },
		{ "x= ${x:-~}", "/home/u" },
	};
	struct fields fields;

	(void)state;
	CHECK(rows);
	fields = fixture_expand(&f, "~/x /home/u x$x~");
	assert_true(fields.items[0].tilde);
	assert_false(fields.items[1].tilde);
	assert_false(fields.items[2].tilde);
}

static void
splits_only_what_was_expanded_and_not_quoted(void **state)
{
	static const struct row rows[] = {
		{ "x='a  b' $x \"$x\" c$x", "a|b|a  b|ca|b" },
		{ "x=' a ' <$x", "" },
		{ "x= $x \"$x\" ''", "|" },
		{ "x=' a' y$x z", "y|a|z" },
		{ "IFS=: x=a:b::c: $x", "a|b||c" },
		{ "IFS=' :' x=' a : b ::c ' $x", "a|b||c" },
		{ "IFS=: a:b", "a:b" },
		{ "IFS= x='a b' $x", "a b" },
		{ "x=rm y='-rf /' $x$IFS$y", "rm|-rf|/" },
		{ "rm${IFS}-rf${IFS:0:1}/", "rm|-rf|/" },
		{ "IFS=1 $((212))", "2|2" },
		{ "IFS=$x y=ab $y", "?+" },
		{ "$(known) \"$(known)\" x$(known)y", "a|b| a  b |x|a|b|y" },
		{ "$(rm) \"$(rm)\" -$(rm)", "?+|?|-?+" },
	};

	(void)state;
	CHECK(rows);
}

static void
keeps_patterns_live(void **state)
{
	static const struct row rows[] = {
		{ "*.c '*' \\* a[b]", "*.c#|*|*|a[b]#" }, { "x='*' $x \"$x\"", "*#|*" },
		{ "x='\\*' $x y$x", "\\*|y\\*" },	  { "x='\\a*' $x", "a*#" },
		{ "/etc/sh[a]dow", "/etc/sh[a]dow#" },	  { "@(a|b) $x*", "@(a|b)#|?*+" },
	};

	(void)state;
	CHECK(rows);
	f.shell.noglob = true;
	assert_string_equal(fixture_show(&f, "*"), "*");
}

/* ---- parameters --------------------------------------------------------------------------- */

static void
knows_what_the_text_set(void **state)
{
	static const struct row rows[] = {
		{ "x=rm $x ${x} ${#x} ${x:0:1} ${x: -1} ${x^^} ${x^}", "rm|rm|2|r|m|RM|Rm" },
		{ "x=RM ${x,,} ${x,} ${x@L} ${x@Q}", "rm|rM|rm|'RM'" },
		{ "x=a.b.c ${x#*.} ${x##*.} ${x%.*} ${x%%.*} ${x%z}", "b.c|c|a.b|a|a.b.c" },
		{ "x=abab ${x/a/X} ${x//a/X} ${x/#a/X} ${x/%b/X} ${x//[ab]}",
		  "Xbab|XbXb|Xbab|abaX" },
		{ "x=abc ${x/b/[&]} ${x/b/\\&} ${x/b/'&'}", "a[?]c+|a&c|a&c" },
		{ "x=a ${x:-b} ${x:+b} ${x-b} ${x+b}", "a|b|a|b" },
		{ "x= ${x:-b} ${x-b} \"${x-b}\" ${x:+b} ${x+b} ${x:=c} $x", "b||b|c|c" },
		{ "x=y y=rm ${!x}", "rm" },
		{ "x=(a 'b c' d) ${x} ${x[1]} \"${x[@]}\" ${#x[@]} ${x[-1]} ${!x[@]}",
		  "a|b|c|a|b c|d|3|d|0|1|2" },
		{ "x=(a b c) \"${x[*]}\" \"${x[@]:1}\" \"${x[@]/#/-}\"", "a b c|b|c|-a|-b|-c" },
		{ "x=(r m) IFS= \"${x[*]}\"", "rm" },
		{ "$HOME $PWD $OLDPWD", "/home/u|/work|?+" },
		{ "x=a x+=b $x", "ab" },
		{ "x='é' ${#x} ${x:0:1} ${x^}", "?|?+|?+" },
		{ "x=rm e= ${x^''} ${x^^\"\"} ${x^^\"$e\"} ${x^$e} ${x^^$e}", "rm|rm|rm|Rm|RM" },
		{ "x=RM e= ${x,''} ${x,,\"\"} ${x,$''} ${x,,$e}", "RM|RM|RM|rm" },
		{ "x=rm ${x^^+(r)} ${x^${e-''}}", "?+|?+" },
	};

	(void)state;
	CHECK(rows);
}

static void
knows_that_there_are_no_arguments(void **state)
{
	static const struct row rows[] = {
		{ "$1 $@ $* r$@m r$9m \"$1\" \"$@\" \"$*\" $# ${@:0}", "rm|rm|||0|bash" },
		{ "\"$x$@\"", "?+" },
	};
	struct fields set;

	(void)state;
	CHECK(rows);
	set = fixture_expand(&f, "a 'b c' d");
	f.shell.positional = set.items;
	f.shell.positional_count = set.count;
	assert_string_equal(fixture_show(&f, "$1 \"$2\" \"${@:2}\" $# ${!#} ${@: -1} x\"$@\"y"),
			    "a|b c|b c|d|3|d|d|xa|b c|dy");
	f.shell.positional_known = false;
	assert_string_equal(fixture_show(&f, "\"$1\" \"$@\" \"$*\" $#"), "?|?+|?|?");
}

static void
does_not_know_what_the_environment_has(void **state)
{
	static const struct row rows[] = {
		{ "$x \"$x\" a$x \"a$x\"", "?+|?|a?+|a?" },
		{ "$? $$ $UID $RANDOM \"$_\" $-", "?|?|?|?|?|?" },
		{ "RANDOM=rm $RANDOM", "?" },
		{ "${x:-rm} ${x:+rm} ${#x}", "?+|?+|?" },
		{ "${x/a/b} ${x%.c} ${x[1]} ${!x} ${!x*}", "?+|?+|?+|?+|?+" },
		{ "x=a$y $x ${x/a/b}", "a?+|?+" },
	};
	struct fields fields;

	(void)state;
	CHECK(rows);
	fields = fixture_expand(&f, "$x $API_KEY $(rm) $?");
	assert_int_equal(fields.items[0].taint, TAINT_VARIABLE);
	assert_int_equal(fields.items[1].taint, TAINT_VARIABLE | TAINT_SECRET);
	assert_int_equal(fields.items[2].taint, TAINT_OUTPUT);
	assert_int_equal(fields.items[3].taint, 0);
}

static void
tries_alternatives_one_by_one(void **state)
{
	struct shell_mark mark;

	(void)state;
	(void)fixture_show(&f, "x=ls");
	mark = shell_mark(&f.shell);
	(void)fixture_show(&f, "x=rm");
	shell_join(&f.shell, &mark);
	assert_string_equal(fixture_show(&f, "$x a"), "?+|a");
	assert_int_equal(f.shell.attempts_seen, 2);
	f.shell.attempt = 1;
	assert_string_equal(fixture_show(&f, "$x a"), "rm|a");
	f.shell.attempt = 2;
	assert_string_equal(fixture_show(&f, "$x a"), "ls|a");
	f.shell.attempt = 3;
	assert_string_equal(fixture_show(&f, "$x a"), "?+|a");
	f.shell.attempt = 1;
	assert_string_equal(fixture_show(&f, "${new:-rm}"), "rm");
}

/* ---- arithmetic --------------------------------------------------------------------------- */

static void
computes_like_bash(void **state)
{
	static const struct row rows[] = {
		{ "$((1+2*3)) $((7/2)) $((-7/2)) $((7%3)) $((2**10))", "7|3|-3|1|1024" },
		{ "$((-2**2)) $((010)) $((0x1f)) $((2#101)) $((36#z))", "4|8|31|5|35" },
		{ "$((1<2)) $((1&&0)) $((1||0)) $((!5)) $((~0)) $((1?2:3))", "1|0|1|0|-1|2" },
		{ "$((9223372036854775807+1)) $((1<<63))",
		  "-9223372036854775808|-9223372036854775808" },
		{ "x=3 $((x++)) $((x)) $((++x)) $((x+=2)) $x", "3|4|5|7|7" },
		{ "x=y+1 y=2 $((x*2))", "6" },
		{ "x=1 $((0 && x++)) $x $((1 ? x : (x=9))) $x", "0|1|1|1" },
		{ "a=(4 5 6) $((a[1]+a[-1])) $((a[1]=7)) ${a[1]}", "11|7|7" },
		{ "$(( )) $((1,2))", "0|2" },
		{ "$((1/0)) $((08)) $((1+)) $((y)) $((x=x))", "?|?|?|?|?" },
		{ "x=x $((x))", "?" },
		{ "$((1+$z)) $((z ? 1 : 1)) $((0*z)) $((0 && z))", "?|1|?|0" },
	};

	(void)state;
	CHECK(rows);
}

static void
evaluates_code_in_subscripts(void **state)
{
	(void)state;
	(void)fixture_show(&f, "x='a[$(rm)]' $((x))");
	assert_string_equal(f.ran, "@$(rm);$rm");
	f.ran[0] = '\0';
	(void)fixture_show(&f, "n='b[`rm`]' ${!n}");
	assert_string_equal(f.ran, "@`rm`;$rm");
	f.ran[0] = '\0';
	/* Text that is not known may stand beside it. */
	(void)fixture_show(&f, "$(($unknown + x))");
	assert_string_equal(f.ran, "@$(rm);$rm");
	f.ran[0] = '\0';
	(void)fixture_show(&f, "y='$(rm)' ${y@P}");
	assert_string_equal(f.ran, "@$(rm);$rm");
}

static void
runs_commands_in_words_that_are_not_taken(void **state)
{
	(void)state;
	(void)fixture_show(&f, "x=1 ${x:-$(one)} ${x:+$(two)} ${new:-$(three)} \"${x#$(four)}\"");
	assert_string_equal(f.ran, "$one;$two;$three;$four");
}

/* ---- one field ---------------------------------------------------------------------------- */

static const char *
show_one(struct field field)
{
	(void)show_field(f.shown, &field);
	return f.shown;
}

static void
does_not_split_values_and_targets(void **state)
{
	const struct node *node;

	(void)state;
	(void)fixture_show(&f, "x='a b' e=");
	node = fixture_read(&f, "y=$x$@\"$*\"~:~ >$x <<<~$x");
	assert_string_equal(show_one(expand_value(&f.ex, node->assigns->value)), "a b~:/home/u");
	assert_string_equal(show_one(expand_target(&f.ex, node->redirects->word)), "?+");
	assert_string_equal(show_one(expand_plain(&f.ex, node->redirects->next->word)), "~a b");
	node = fixture_read(&f, "y=~ >*.c >$e >a$unknown");
	assert_string_equal(show_one(expand_value(&f.ex, node->assigns->value)), "/home/u");
	assert_string_equal(show_one(expand_target(&f.ex, node->redirects->word)), "*.c#");
	assert_string_equal(show_one(expand_target(&f.ex, node->redirects->next->word)), "?+");
	assert_string_equal(show_one(expand_target(&f.ex, node->redirects->next->next->word)),
			    "a?+");
}

static void
does_not_split_arguments_of_declaring_builtins(void **state)
{
	static const struct row rows[] = {
		{ "x='a b' export y=$x $x", "export|y=a b|a|b" },
		{ "x='a b' command declare y=$x", "command|declare|y=a b" },
		{ "x='a b' \\export y=$x", "export|y=a|b" },
		{ "x='a b' echo y=$x", "echo|y=a|b" },
	};

	(void)state;
	CHECK(rows);
}

/* ---- patterns ----------------------------------------------------------------------------- */

static int
match(const char *pattern, const char *text, bool nocase)
{
	char line[256];
	const struct node *node;
	struct field field;

	(void)snprintf(line, sizeof(line), "echo %s", pattern);
	node = fixture_read(&f, line);
	field = expand_pattern(&f.ex, node->words->next);
	return pattern_match(&field, text, strlen(text), nocase);
}

static void
matches_patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		int is;
	} rows[] = {
		{ "abc", "abc", 1 },
		{ "abc", "abd", 0 },
		{ "a*", "a", 1 },
		{ "*b*", "abc", 1 },
		{ "*b", "abc", 0 },
		{ "'*'", "*", 1 },
		{ "'*'", "a", 0 },
		{ "?", "a", 1 },
		{ "?", "", 0 },
		{ "?", "é", -1 },
		{ "[ab]c", "bc", 1 },
		{ "[!ab]", "a", 0 },
		{ "[^ab]", "c", 1 },
		{ "[a-c]", "b", 1 },
		{ "[a'-'c]", "b", 0 },
		{ "[]a]", "]", 1 },
		{ "[a", "[a", 1 },
		{ "[[:upper:]]", "A", 1 },
		{ "[[:upper:]]", "a", 0 },
		{ "[[=a=]]", "a", -1 },
		{ "*.@(c|h)", "x.h", 1 },
		{ "*.@(c|h)", "x.o", 0 },
		{ "!(a|b)", "c", 1 },
		{ "!(a|b)", "a", 0 },
		{ "+(ab)", "abab", 1 },
		{ "+(ab)", "aba", 0 },
		{ "?(x)y", "y", 1 },
		{ "*(a|b)c", "abbac", 1 },
		{ "\"$unset\"*", "a", -1 },
		{ "a\\*", "a*", 1 },
	};
	char deep[] = "*a*a*a*a*a*a*a*a*a*a*a*b";
	char text[4000];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (match(rows[i].pattern, rows[i].text, false) != rows[i].is) {
			fail_msg("%s and %s", rows[i].pattern, rows[i].text);
		}
	}
	assert_int_equal(match("ABC*", "abcd", true), 1);
	assert_int_equal(match("[A-C]", "b", true), 1);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_not_equal(match(deep, text, false), 1);
	assert_int_not_equal(match("+(a|aa|+(a))b", text, false), 1);
}

/* ---- bounds ------------------------------------------------------------------------------- */

static void
gives_up_when_it_gets_too_much(void **state)
{
	static const char *const texts[] = {
		"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		"{1..5000}",
		"{1..9}{1..9}{1..9}{1..9}{1..9}",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		assert_string_equal(fixture_show(&f, texts[i]), "?+");
	}
	assert_int_equal(f.notes, COUNT_OF(texts));
	/* A value that doubles until it is too long. */
	(void)fixture_show(&f, "x=aaaaaaaaaaaaaaaa");
	for (int i = 0; i < 30; i++) {
		(void)fixture_show(&f, "x=$x$x");
	}
	assert_string_equal(fixture_show(&f, "$x"), "?+");
	(void)fixture_show(&f, "x=aaaaaaaaaaaaaaaa");
	for (int i = 0; i < 10; i++) {
		(void)fixture_show(&f, "x=${x//a/$x}");
	}
	assert_string_equal(fixture_show(&f, "$x"), "?+");
}

static char *
repeat(const char *before, const char *what, size_t times, const char *after)
{
	size_t n = strlen(what);
	char *text = arena_alloc(&f.arena, strlen(before) + n * times + strlen(after) + 1);
	char *at = stpcpy(text, before);

	for (size_t i = 0; i < times; i++) {
		at = stpcpy(at, what);
	}
	(void)stpcpy(at, after);
	return text;
}

static void
takes_no_time_for_texts_made_to_take_long(void **state)
{
	static const struct {
		const char *before, *what;
		size_t times;
		const char *after;
	} rows[] = {
		{ "", "{", 200000, "" },
		{ "", "{a,", 100000, "" },
		{ "", "{a,", 1000, "" },
		{ "$((", "(", 100000, "" },
		{ "x=x+x $((", "x+", 100000, "1))" },
		{ "a=b+b+b+b b=c+c+c+c c=d+d+d+d d=e+e+e+e e=f+f+f+f f=a+a+a+a $((", "a+", 1000,
		  "0))" },
		{ "x='a[$((x+x+x+x+x+x+x+x))]' $((", "x+", 100, "0))" },
		{ "x='${x@P}${x@P}${x@P}${x@P}' ${x@P}", "", 0, "" },
		{ "x=aaaaaaaaaa ", "${x//a/$x$x$x$x}", 10000, "" },
		{ "x=(a b c d e f g h) ", "\"${x[@]}\"${x[@]}", 20000, "" },
		{ "", "~:~", 100000, "" },
		{ "IFS=ab x=abababababab ", "$x ", 50000, "" },
		{ "", "$x ", 100000, "" },
		{ "x='", "a", 100000, "b' ${x##*a*b*c*} ${x//*a*c/x} ${x%%*(a)*(a)c}" },
		{ "x='", "[", 10000, "' y=aaaaaaaaaa ${y//$x/z} $x" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		(void)teardown(NULL);
		assert_int_equal(setup(NULL), 0);
		(void)fixture_expand(
			&f, repeat(rows[i].before, rows[i].what, rows[i].times, rows[i].after));
	}
}

static void
survives_when_memory_is_out(void **state)
{
	static const char text[] =
		"x='a b' y=(1 2 3) y[7]=z IFS=': ' {a,b}{1..3}$x \"${y[@]}\" ${x//a/$x} ${!y[@]} "
		"$((x[1]=2)) ~/x ${x@Q} ${x^^} ${x:1:1} $(known) *[a]$x ${z:=w} ${x/#a/b} @(a|b)";
	bool failed = true;

	(void)state;
	for (unsigned n = 1; failed && n < 200; n++) {
		/* Blocks are large, so something small goes in front to move where they end. */
		for (size_t pad = 0; pad < 16000; pad += 997) {
			struct fixture small;

			if (!fixture_start(&small)) {
				continue;
			}
			(void)arena_alloc(&small.arena, pad);
			arena_fail_nth = n;
			(void)fixture_show(&small, text);
			failed = small.arena.failed;
			arena_fail_nth = 0;
			fixture_end(&small);
		}
	}
	assert_false(failed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(takes_literal_words_as_they_are),
		TEST(expands_braces),
		TEST(expands_tildes),
		TEST(splits_only_what_was_expanded_and_not_quoted),
		TEST(keeps_patterns_live),
		TEST(knows_what_the_text_set),
		TEST(knows_that_there_are_no_arguments),
		TEST(does_not_know_what_the_environment_has),
		TEST(tries_alternatives_one_by_one),
		TEST(computes_like_bash),
		TEST(evaluates_code_in_subscripts),
		TEST(runs_commands_in_words_that_are_not_taken),
		TEST(does_not_split_values_and_targets),
		TEST(does_not_split_arguments_of_declaring_builtins),
		TEST(matches_patterns),
		TEST(gives_up_when_it_gets_too_much),
		TEST(takes_no_time_for_texts_made_to_take_long),
		TEST(survives_when_memory_is_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
