/* SPDX-License-Identifier: MIT */
/*
 * What may not have been printed, run or set is not taken for what is there: whatever becomes of
 * it, the answer is the one that holds when it is missing as well.
 */
#include "judge_rows.h"

static void
asks_when_the_name_of_a_program_may_not_be_printed(void **state)
{
	static const struct row rows[] = {
		{ "$(false && echo ls) rm -rf /", F, "delete-tree.root" },
		{ "$(true || echo ls) rm -rf /", F, "delete-tree.root" },
		{ "$(test -e x && echo rm) -rf /", F, "delete-tree.root" },
		{ "$(test -e x && echo echo) touch y", P, "command.unknown-program" },
		{ "$(if test -e x; then echo ls; fi) touch y", P, "command.unknown-program" },
		{ "$(if a; then :; elif b; then echo ls; fi) touch y", P, "" },
		{ "$(if ls; then echo ls; else echo touch; fi) y", P, "command.unknown-program" },
		{ "$(for i in *.x; do echo ls; done) touch y", P, "command.unknown-program" },
		{ "$(for i in $x; do echo ls; done) touch y", P, "command.unknown-program" },
		{ "$(for i; do echo ls; done) touch y", P, "command.unknown-program" },
		{ "$(while ls; do echo ls; done) touch y", P, "command.unknown-program" },
		{ "$(until ls; do echo ls; done) touch y", P, "command.unknown-program" },
		{ "$(for ((i = x; i < 2; i++)); do echo ls; done) touch y", P, "" },
		{ "$(case $x in a) echo ls;; esac) touch y", P, "command.unknown-program" },
		{ "$(case a in $x) echo ls;; esac) touch y", P, "command.unknown-program" },
		{ "f() { [ -e x ] && return; echo ls; }; $(f) touch y", P,
		  "command.unknown-program" },
		{ "$(for i in 1 2; do [ -e x ] && break; echo ls; done) touch y", P, "" },
		{ "$(for i in 1 2; do [ -e x ] && continue; echo ls; done) touch y", P, "" },
		{ "$([ -e x ] && exit; echo ls) touch y", P, "command.unknown-program" },
		{ "$([ -e x ] && exec true; echo ls) touch y", P, "command.unknown-program" },
		{ "$(set -e; ls; echo ls) touch y", P, "command.unknown-program" },
		{ "$(echo touch & echo ls) y", P, "command.unknown-program" },
		{ "$(true | { [ -e x ] && echo ls; }) touch y", P, "command.unknown-program" },
		{ "$([ -e x ] && echo ls | cat) touch y", P, "command.unknown-program" },
		{ "$({ [ -e x ] && echo ls; } | cat) touch y", P, "command.unknown-program" },
		{ "$({ [ -e x ] && echo x; } | tr x y; echo ls) touch y", P,
		  "command.unknown-program" },
		{ "$({ [ -e x ] && echo ls; echo touch; } | head -1) y", P,
		  "command.unknown-program" },
		{ "$({ [ -e x ] && echo ls; echo touch; } | sed q) y", P,
		  "command.unknown-program" },
		{ "$({ [ -e x ] && echo ls; echo touch; } | awk 'NR==1') y", P, "" },
		{ "$(echo $([ -e x ] && echo ls)) touch y", P, "command.unknown-program" },
		{ "$(echo \"$([ -e x ] && echo ls)\" | cat) touch y", P,
		  "command.unknown-program" },
		{ "`[ -e x ] && echo ls` touch y", P, "command.unknown-program" },
		{ "\"$(ls x && echo touch || echo ls)\" y", P, "command.unknown-program" },
		{ "$(trap 'echo ls' EXIT; ls) touch y", P, "command.unknown-program" },
		{ "$(ls > x && exec > z; echo ls) touch y", P, "command.unknown-program" },
		{ "$(echo ls) touch y", A, "" },
		{ "$(ls > /dev/null; echo ls) touch y", A, "" },
		{ "$(for i in 1; do echo ls; done) touch y", A, "" },
		{ "$( (echo ls) | cat) touch y", A, "" },
		{ "f() { echo ls; }; $(f) touch y", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
asks_when_a_value_may_not_be_there(void **state)
{
	static const struct row rows[] = {
		{ "x=$([ -e x ] && echo echo); $x touch y", P, "command.unknown-program" },
		{ "x=$([ -e x ] && echo rm); $x -rf /", F, "delete-tree.root" },
		{ "x=$([ -e x ] && echo ls); $x rm -rf /", F, "delete-tree.root" },
		{ "x=a$([ -e x ] && echo b); ${x#a} touch y", P, "command.unknown-program" },
		{ "declare x=$([ -e x ] && echo ls); $x touch y", P, "command.unknown-program" },
		{ "a=($([ -e x ] && echo ls) touch); ${a[0]} y", P, "command.unknown-program" },
		{ "set -- $([ -e x ] && echo ls) touch; $1 y", P, "command.unknown-program" },
		{ "x=$([ -e x ] && echo a); ${x:-touch} y", P, "command.unknown-program" },
		{ "x=$([ -e x ] && echo a); ${x:+ls} touch y", P, "command.unknown-program" },
		{ "x=$([ -e x ] && echo a); cat ${x:-/etc/shadow}", F, "read.secret" },
		{ "x=$(ls | rg x); ${x:+ls} touch y", P, "command.unknown-program" },
		{ "x=$(find . -exec true \\;); ${x:+ls} touch y", P, "command.unknown-program" },
		{ "read x < <([ -e x ] && echo ls; echo touch); $x y", P,
		  "command.unknown-program" },
		{ "{ read x; $x y; } < <({ [ -e x ] && echo ls; echo touch; } | head -1)", P, "" },
		{ "read x <<< $([ -e x ] && echo ls); $x touch y", P, "command.unknown-program" },
		{ "read x <<E\n$([ -e x ] && echo ls)\nE\n$x touch y", P,
		  "command.unknown-program" },
		{ "mapfile -t a < <({ [ -e x ] && echo ls; echo touch; } | head -1); ${a[0]} y", P,
		  "" },
		{ "printf -v x %s $([ -e x ] && echo ls); $x touch y", P,
		  "command.unknown-program" },
		{ "for i in $([ -e x ] && echo ls) touch; do $i y; done", P, "make.workspace" },
		{ "for i in $([ -e x ] && echo rm); do $i -rf /; done", F, "delete-tree.root" },
		{ "for i in \"$([ -e x ] && echo ls)\"; do $i touch y; done", P, "" },
		{ "ls && ls -la $([ -e x ] && echo src)", A, "" },
		{ "x=$([ -e x ] && echo src); ls $x", A, "" },
		{ "echo \"$(date && uptime)\"", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
asks_when_code_or_words_may_not_be_there(void **state)
{
	static const struct row rows[] = {
		{ "{ [ -e x ] && echo ls; echo 'touch y'; } | head -1 | sh", P,
		  "code.unknown-part" },
		{ "{ [ -e x ] && echo ls '\\'; echo 'touch y'; } | sh", P, "" },
		{ "{ [ -e x ] && echo '#' | tr -d '\\n'; echo 'rm -rf /'; } | sh", F, "" },
		{ "{ [ -e x ] && echo ls; } | sh", P, "code.unknown-part" },
		{ "{ [ -e x ] && echo 'rm -rf /'; } | sh", F, "delete-tree.root" },
		{ "eval \"$([ -e x ] && echo 'rm -rf /')\"", F, "delete-tree.root" },
		{ "eval \"$([ -e x ] && echo ls) touch y\"", P, "" },
		{ "eval \"$([ -e x ] && echo '#') rm -rf /\"", F, "delete-tree.root" },
		{ "sh -c \"$([ -e x ] && echo '#') rm -rf /\"", F, "delete-tree.root" },
		{ ". <({ [ -e x ] && echo ls; echo touch y; } | head -1)", P, "code.unknown-part" },
		{ "sh <<< \"$([ -e x ] && echo 'rm -rf /')\"", F, "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } | xargs -I{} {} y", P, "command.unknown-program" },
		{ "{ [ -e x ] && echo ls; echo touch; } | head -1 | xargs -I{} {} y", P, "" },
		{ "{ [ -e x ] && echo ls; echo /; } | xargs rm -rf", F, "delete-tree.root" },
		{ "{ [ -e x ] && echo rm -rf /; } | xargs env", F, "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; echo touch y; } | head -1 | xargs -I{} sh -c {}", P, "" },
		{ "{ [ -e x ] && echo ls; echo touch y; } | head -1 | parallel {}", P, "" },
		{ "{ [ -e x ] && echo x; echo y; } | head -1 | sed s/x/ls/e", P, "" },
		{ "{ [ -e x ] && echo '#'; } > s; echo 'rm -rf /' >> s; sh s", F,
		  "delete-tree.root" },
		{ "[ -e x ] && echo '# \\' > s; echo 'rm -rf /' >> s; sh s", F,
		  "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } > s; $(cat s) rm -rf /", F, "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } > s; $(< s) rm -rf /", F, "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } > s; cp s t; $(cat t) rm -rf /", F,
		  "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } | tee s; $(head -1 s) rm -rf /", F,
		  "delete-tree.root" },
		{ "{ [ -e x ] && echo ls; } | wc -l", A, "" },
		{ "{ [ -e x ] && echo src; } | xargs ls", A, "" },
	};

	(void)state;
	CHECK(rows);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_when_the_name_of_a_program_may_not_be_printed),
		cmocka_unit_test(asks_when_a_value_may_not_be_there),
		cmocka_unit_test(asks_when_code_or_words_may_not_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
