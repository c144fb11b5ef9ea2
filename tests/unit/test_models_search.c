/* SPDX-License-Identifier: MIT */
/* Search tools: what they read, and the commands that they run on what they find. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void
reads_the_expression_when_find_has_one(void **state)
{
	static const struct fixture_row rows[] = {
		{ "find", "list:.", NULL },
		{ "find . -name '*.c'", "list:.", NULL },
		{ "find src doc -type f -size +10M -printf '%s %p\\n'", "list:src list:doc", NULL },
		{ "find -L src -maxdepth 2", "list:src", NULL },
		{ "find -D exec -O3 src", "list:src", NULL },
		{ "find . -name delete -o -name exec", "list:.", NULL },
		{ "find . -path '*-delete*' -print", "list:.", NULL },
		{ "find . -perm -4000 -ls", "list:.", NULL },
		{ "find . ! -name a ( -name b -o -name c ) -print0", "list:.", NULL },
		{ "find . -newermt 2020-01-01", "list:.", NULL },
		{ "find . -newer ref", "list:. list:ref", NULL },
		{ "find --help", "list:.", NULL },
		{ "find . -fprintf report.txt %p", "list:. write:report.txt", NULL },
		{ "find . -fls list.txt", "list:. write:list.txt", NULL },
		{ "find . -unknown", "list:. unknown", NULL },
		{ "find . -name", "list:. unknown", NULL },
		{ "find $x -name a", "list:? unknown", NULL },
		{ "find \"$x\" -name a", "list:? unknown", NULL },
		{ "find ./\"$x\" -name a", "list:./?", NULL },
		{ "find . $x", "list:. list:? unknown", NULL },
		{ "find . -name a $x", "list:. unknown", NULL },
		{ "find . -name \"$x\"", "list:.", NULL },
		{ "find . -name $x", "list:. unknown", NULL },
		{ "find . -name *.c", "list:.", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
says_whether_it_is_filtered_when_find_deletes(void **state)
{
	static const struct fixture_row rows[] = {
		{ "find . -name '*.pyc' -delete", "list:. delete-tree:.+filtered", NULL },
		{ "find / -delete", "list:/ delete-tree:/", NULL },
		{ "find -delete", "list:. delete-tree:.", NULL },
		{ "find x -type f -delete", "list:x delete-tree:x", NULL },
		{ "find x -mindepth 1 -delete", "list:x delete-tree:x", NULL },
		{ "find . -name '*' -delete", "list:. delete-tree:.", NULL },
		{ "find . ! -name a -delete", "list:. delete-tree:.", NULL },
		{ "find . -not ( -name a ) -delete", "list:. delete-tree:.", NULL },
		{ "find . ! ! -name a -delete", "list:. delete-tree:.+filtered", NULL },
		{ "find . -name a -o -delete", "list:. delete-tree:.", NULL },
		{ "find . -name a , -delete", "list:. delete-tree:.", NULL },
		{ "find . -name a -prune -o -type f -delete", "list:. delete-tree:.", NULL },
		{ "find . ( -name a -o -name b ) -delete", "list:. delete-tree:.+filtered", NULL },
		{ "find . ( -name a -o -type f ) -delete", "list:. delete-tree:.", NULL },
		{ "find . -name a ( -type f -o -type l -delete )", "list:. delete-tree:.+filtered",
		  NULL },
		{ "find . -mtime +3 -delete", "list:. delete-tree:.+filtered", NULL },
		{ "find . -empty -delete", "list:. delete-tree:.+filtered", NULL },
		{ "find a b -delete -delete", "list:a list:b delete-tree:a delete-tree:b", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
gives_the_command_when_find_runs_one(void **state)
{
	static const struct fixture_row rows[] = {
		{ "find . -exec rm -rf {} ;", "list:. [find -exec: rm -rf .]", NULL },
		{ "find .. -type d -exec rm -r {} +", "list:.. [find -exec: rm -r ..]", NULL },
		{ "find / -name '*.log' -exec rm -rf {} +", "list:/ [find -exec: rm -rf /?.log]",
		  NULL },
		{ "find / -name id_rsa -exec cat {} ;", "list:/ [find -exec: cat /?/id_rsa]",
		  NULL },
		{ "find a/ -name '[ab].key' -exec cat {} ;", "list:a/ [find -exec: cat a/?.key]",
		  NULL },
		{ "find a b -size +1 -exec wc -l {} +",
		  "list:a list:b [find -exec: wc -l a/?] [find -exec: wc -l b/?]", NULL },
		{ "find . -exec echo {} + {} ;", "list:. [find -exec: echo .] unknown", NULL },
		{ "find . -exec echo + x{}y ;", "list:. [find -exec: echo + x.y]", NULL },
		{ "find . -name x -exec env sh -c 'rm -rf /' {} +",
		  "list:. [find -exec: env sh -c rm -rf / ./?/x]", NULL },
		{ "find . -name x -ok rm {} ;", "list:. [find -exec: rm ./?/x]", NULL },
		{ "find d -name x -execdir rm {} ;", "list:d [find -execdir in d/?: rm ./?/x]",
		  NULL },
		{ "find . -maxdepth 0 -exec sh -c 'rm {}' ;", "list:. [find -exec: sh -c rm .]",
		  NULL },
		{ "find . -exec rm {}", "list:. [find -exec: rm .] unknown", NULL },
		{ "find . -exec rm {} ; -delete", "list:. delete-tree:. [find -exec: rm .]", NULL },
		{ "find . -exec $x {} ;", "list:. [find -exec: ? .]", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
knows_helpers_when_a_search_names_them(void **state)
{
	static const struct fixture_row rows[] = {
		{ "rg --pretty TODO src", "read:src", NULL },
		{ "rg -e --pre notes.md", "read:notes.md", NULL },
		{ "rg --pre-glob '*.pdf' invoice docs", "read:docs", NULL },
		{ "rg --pre=pdftotext invoice docs", "read:docs [rg!prompt!split sh: pdftotext]",
		  NULL },
		{ "rg --pre 'a b' x", "[rg!prompt!split sh: a b]", NULL },
		{ "rg -- --pre x", "read:x", NULL },
		{ "rg -f pats src", "read:pats read:src", NULL },
		{ "rg --files src", "read:src", NULL },
		{ "rg -nC3 x a b", "read:a read:b", NULL },
		{ "rg -z x", "rule:search.decompressor", NULL },
		{ "rg --hostname-bin=h x", "[rg!prompt!split sh: h]", NULL },
		{ "rg --pret x", "unknown", NULL },
		{ "rg needle $x", "read:? unknown", NULL },
		{ "rg x *.c", "read:*.c", NULL },
		{ "rg x *", "read:* unknown", NULL },
		{ "ag --pager 'less x' a b", "rule:search.pager read:b [ag sh: less x]", NULL },
		{ "ack --pager=x --python a", "rule:search.pager [ack sh: x]", NULL },
		{ "locate -i stdio.h", "", NULL },
		{ "locate -d db x", "read:db", NULL },
		{ "fzf --preview 'cat {}'", "rule:search.pager [fzf sh: cat {}]", NULL },
		{ "fzf --bind 'ctrl-x:execute(rm -rf x)'",
		  "[fzf --bind!later sh: rm -rf x] unknown", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
appends_words_when_a_list_is_worked_through(void **state)
{
	static const struct fixture_row rows[] = {
		{ "xargs rm -rf", "[xargs!input: rm -rf]", "/" },
		{ "xargs rm -rf", "[xargs!more!input: rm -rf]", NULL },
		{ "xargs -n1 -P 4 basename", "[xargs!more!input: basename]", NULL },
		{ "xargs -0 grep -il x", "[xargs!more!input!lines: grep -il x]", NULL },
		{ "xargs -I{} sh -c 'rm {}'", "[xargs!input!lines for {}: sh -c rm {}]", "/" },
		{ "xargs -I % mv % x", "[xargs!more!input!lines for %: mv % x]", NULL },
		{ "xargs -i rm {}", "[xargs!more!input!lines for {}: rm {}]", NULL },
		{ "xargs --replace=X rm X", "[xargs!more!input!lines for X: rm X]", NULL },
		{ "xargs -a cmds.txt -L1 sh -c", "read:cmds.txt [xargs!more: sh -c]", NULL },
		{ "xargs -t touch", "[xargs!more!input: touch]", NULL },
		{ "xargs", "[xargs!more!input!prompt: echo]", NULL },
		{ "xargs -r0 -- rm -x", "[xargs!more!input!lines: rm -x]", NULL },
		{ "xargs -Z rm", "[xargs!more!input: rm] unknown", NULL },
		{ "parallel ::: 'rm -rf /' ls", "[parallel sh: rm -rf /] [parallel sh: ls]", NULL },
		{ "parallel rm -rf ::: a 'b c'",
		  "[parallel sh: rm -rf 'a'] [parallel sh: rm -rf 'b c']", NULL },
		{ "parallel -j4 'gzip {}' ::: a", "[parallel sh: gzip 'a']", NULL },
		{ "parallel echo :::: f", "read:f unknown", NULL },
		{ "parallel rm -rf", "[parallel sh: rm -rf '/']", "/\n" },
		{ "parallel", "[parallel sh stdin:]", NULL },
		{ "parallel 'echo {= exit =}' ::: a",
		  "[parallel other:  exit =}] [parallel sh: echo {= exit =} 'a'] unknown", NULL },
		{ "parallel --rpl '{x} s/a/b/' ls ::: a", "[parallel sh: ls 'a'] unknown", NULL },
		{ "parallel --pipe wc", "[parallel sh: wc]", NULL },
		{ "parallel -S h ls ::: a", "rule:parallel.remote [parallel!remote sh: ls 'a'] net",
		  NULL },
		{ "fd -e rs . crates", "list:crates", NULL },
		{ "fd -e c -x wc -l", "[fd --exec: wc -l ./?]", NULL },
		{ "fd . d -X rm -rf", "list:d [fd --exec: rm -rf d]", NULL },
		{ "fd x d -x mv {} {.}.bak ;", "list:d [fd --exec: mv d/? d/?.bak]", NULL },
		{ "fd -X rm", "[fd --exec: rm .]", NULL },
		{ "fd --exec=rm x", "[fd --exec: rm x .]", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_expression_when_find_has_one),
		cmocka_unit_test(says_whether_it_is_filtered_when_find_deletes),
		cmocka_unit_test(gives_the_command_when_find_runs_one),
		cmocka_unit_test(knows_helpers_when_a_search_names_them),
		cmocka_unit_test(appends_words_when_a_list_is_worked_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
