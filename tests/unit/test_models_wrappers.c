/* SPDX-License-Identifier: MIT */
/* Wrappers and shells: which command, with which words, they run. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void
finds_the_command_when_a_wrapper_has_options(void **state)
{
	static const struct fixture_row rows[] = {
		{ "nohup rm -rf x", "append:nohup.out [nohup: rm -rf x]", NULL },
		{ "nice rm -rf x", "[nice: rm -rf x]", NULL },
		{ "nice -n 19 rm -rf x", "[nice: rm -rf x]", NULL },
		{ "nice -n19 ls", "[nice: ls]", NULL },
		{ "nice -19 ls", "[nice: ls]", NULL },
		{ "nice --adj=5 ls", "[nice: ls]", NULL },
		{ "nice --adjustment 5 ls -n 3", "[nice: ls -n 3]", NULL },
		{ "nice", "", NULL },
		{ "nice --help", "", NULL },
		{ "nice -q ls", "[nice: ls] unknown", NULL },
		{ "ionice -c 2 -n 7 rm -rf /srv", "[ionice: rm -rf /srv]", NULL },
		{ "ionice -c3 wc -c f", "[ionice: wc -c f]", NULL },
		{ "ionice -c3 -p 12", "rule:process.priority", NULL },
		{ "timeout 5 ls", "[timeout: ls]", NULL },
		{ "timeout -k 5 10 rm -rf x", "[timeout: rm -rf x]", NULL },
		{ "timeout --signal=KILL -k 2s 10s ls", "[timeout: ls]", NULL },
		{ "timeout --preserve-status 1h rm -rf /", "[timeout: rm -rf /]", NULL },
		{ "timeout 5 ls --help", "[timeout: ls --help]", NULL },
		{ "timeout -- 5 ls -k", "[timeout: ls -k]", NULL },
		{ "timeout $x rm -rf /",
		  "[timeout: ? rm -rf /] [timeout: rm -rf /] [timeout: -rf /] unknown", NULL },
		{ "stdbuf -oL -e 0 grep x f", "[stdbuf: grep x f]", NULL },
		{ "stdbuf --output=L grep x", "[stdbuf: grep x]", NULL },
		{ "setsid -f rm -rf /", "[setsid: rm -rf /]", NULL },
		{ "chrt -i 0 ls", "[chrt: ls]", NULL },
		{ "taskset -c 0 rm -rf x", "[taskset: rm -rf x]", NULL },
		{ "taskset -p 0x1 44", "rule:process.priority", NULL },
		{ "taskset -p 44", "", NULL },
		{ "/usr/bin/time -o t.log -f %e ls -l", "write:t.log [time: ls -l]", NULL },
		{ "chroot / rm -rf /home", "[chroot!prompt: rm -rf /home]", NULL },
		{ "chroot --userspec=u /mnt ls", "[chroot!prompt: ls]", NULL },
		{ "unshare -rm rm -rf /", "[unshare!prompt: rm -rf /]", NULL },
		{ "unshare --map-root-user --mount=/x id", "[unshare!prompt: id]", NULL },
		{ "nsenter -t 1 -m -- rm -rf /", "[nsenter!priv!prompt: rm -rf /]", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
finds_the_text_when_a_wrapper_has_its_own_way(void **state)
{
	static const struct fixture_row rows[] = {
		{ "flock /tmp/l make deploy", "make:/tmp/l [flock: make deploy]", NULL },
		{ "flock -n /tmp/l -c 'rm -rf x'", "make:/tmp/l [flock sh: rm -rf x]", NULL },
		{ "flock 9", "", NULL },
		{ "watch -n1 'rm -rf x'", "[watch sh: rm -rf x]", NULL },
		{ "watch -n 5 -d make status", "[watch sh: make status]", NULL },
		{ "watch -x ls 'a b'", "[watch: ls a b]", NULL },
		{ "script -c make build.log", "write:build.log [script sh: make]", NULL },
		{ "script -q /dev/null ls -l", "write:/dev/null [script: ls -l]", NULL },
		{ "script", "rule:shell.interactive write:typescript [script!prompt bash stdin:]",
		  NULL },
		{ "busybox rm -rf x", "[busybox: rm -rf x]", NULL },
		{ "busybox --list", "", NULL },
		{ "strace -o t ls", "write:t [strace: ls]", NULL },
		{ "strace -f -e trace=open -o '|rm -rf x' ls",
		  "[strace: ls] [strace -o sh: rm -rf x]", NULL },
		{ "strace -p 12", "rule:process.trace", NULL },
		{ "setarch x86_64 -R ls -v", "[setarch: ls -v]", NULL },
		{ "setarch -R ls", "[setarch: ls]", NULL },
		{ "setarch", "", NULL },
		{ "linux32 -R ls", "[linux32: ls]", NULL },
		{ "systemd-run --user rm -rf x", "[systemd-run!prompt: rm -rf x]", NULL },
		{ "systemd-run --on-active=60 rm -rf /",
		  "[systemd-run!priv!later!prompt: rm -rf /]", NULL },
		{ "bwrap --bind / / rm -rf /home", "[bwrap!prompt: rm -rf /home]", NULL },
		{ "hyperfine --prepare 'make x' 'ls -l' pwd",
		  "[hyperfine sh: make x] [hyperfine sh: ls -l] [hyperfine sh: pwd]", NULL },
		{ "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf x",
		  "[ld-linux-x86-64.so.2!prompt: /bin/rm -rf x]", NULL },
		{ "entr -s 'rm x'", "[entr!prompt sh: rm x]", NULL },
		{ "run-parts --test d", "list:d", NULL },
		{ "run-parts d", "execute:d", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
runs_as_another_user_when_asked(void **state)
{
	static const struct fixture_row rows[] = {
		{ "sudo rm -rf /", "rule:privilege.acts-as-other [sudo!priv: rm -rf /]", NULL },
		{ "sudo -n -- sh -c 'rm -rf /'",
		  "rule:privilege.acts-as-other [sudo!priv: sh -c rm -rf /]", NULL },
		{ "sudo -u postgres psql -l", "rule:privilege.acts-as-other [sudo!priv: psql -l]",
		  NULL },
		{ "sudo -nu root A=b ls", "rule:privilege.acts-as-other [sudo!priv: A=b ls]",
		  NULL },
		{ "sudo -h host rm -rf /", "rule:privilege.acts-as-other [sudo!priv: rm -rf /]",
		  NULL },
		{ "sudo -D / rm -rf usr",
		  "rule:privilege.acts-as-other [sudo!priv in /: rm -rf usr]", NULL },
		{ "sudo -e /etc/hosts", "edit:/etc/hosts rule:privilege.acts-as-other", NULL },
		{ "sudo -i",
		  "rule:privilege.shell rule:privilege.acts-as-other [sudo!priv bash stdin:]",
		  NULL },
		{ "sudo -l", "rule:privilege.acts-as-other", NULL },
		{ "sudo --version", "", NULL },
		{ "doas rm -rf /etc", "rule:privilege.acts-as-other [doas!priv: rm -rf /etc]",
		  NULL },
		{ "doas -u www ls", "rule:privilege.acts-as-other [doas!priv: ls]", NULL },
		{ "su root -c 'rm -rf /'", "rule:privilege.acts-as-other [su!priv bash: rm -rf /]",
		  NULL },
		{ "su - deploy -c ls", "rule:privilege.acts-as-other [su!priv bash: ls]", NULL },
		{ "su -c ls root a b", "rule:privilege.acts-as-other [su!priv bash: ls < a b]",
		  NULL },
		{ "su", "rule:privilege.shell rule:privilege.acts-as-other [su!priv bash stdin:]",
		  NULL },
		{ "su root x.sh", "rule:privilege.acts-as-other [su!priv: bash x.sh]", NULL },
		{ "runuser -u root -- rm -rf /var",
		  "rule:privilege.acts-as-other [runuser!priv: rm -rf /var]", NULL },
		{ "runuser root -c ls", "rule:privilege.acts-as-other [runuser!priv bash: ls]",
		  NULL },
		{ "pkexec --user root rm -rf /etc",
		  "rule:privilege.acts-as-other [pkexec!priv: rm -rf /etc]", NULL },
		{ "gosu root ls", "[gosu!priv: ls]", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
splits_like_env_when_env_is_asked_to(void **state)
{
	static const struct fixture_row rows[] = {
		{ "env", "rule:env.prints secret", NULL },
		{ "env -i", "", NULL },
		{ "env A=b", "rule:env.prints secret", NULL },
		{ "env A=b B=c ls -l", "[env: A=b B=c ls -l]", NULL },
		{ "env -i PATH=/usr/bin:/bin ls", "[env: PATH=/usr/bin:/bin ls]", NULL },
		{ "env - ls", "[env: ls]", NULL },
		{ "env -u PATH -C / rm -rf usr", "[env in /: rm -rf usr]", NULL },
		{ "env -- rm x", "[env: rm x]", NULL },
		{ "env -S 'rm -rf /'", "[env -S: env rm -rf /]", NULL },
		{ "env '-vSrm -rf /home'", "[env -S: env rm -rf /home]", NULL },
		{ "env --split-string='bash -c \"rm -rf x\"' y", "[env -S: env bash -c rm -rf x y]",
		  NULL },
		{ "env -S 'a  b\tc\\_d\\te'", "[env -S: env a b c d\te]", NULL },
		{ "env -S 'rm # x'", "[env -S: env rm]", NULL },
		{ "env -S 'a#b'", "[env -S: env a#b]", NULL },
		{ "env -S 'rm \\c x' y", "[env -S: env rm y]", NULL },
		{ "env -S 'rm ${HOME}/x'", "[env -S: env rm ?]", NULL },
		{ "env -S 'rm $HOME'", "unknown", NULL },
		{ "env -S 'rm \"x'", "unknown", NULL },
		{ "env -S \"rm $x\" z", "[env -S: env rm ? z]", NULL },
		{ "env -C / -S 'rm -rf' usr", "[env -S in /: env rm -rf usr]", NULL },
		{ "env -S", "[env -S: env] unknown", NULL },
		{ "env --help", "", NULL },
		{ "env ls --help", "[env: ls --help]", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

static void
finds_the_text_when_a_shell_is_run(void **state)
{
	static const struct fixture_row rows[] = {
		{ "bash -c 'rm x'", "[bash -c bash: rm x]", NULL },
		{ "sh -c 'cat \"$1\"' _ README.md", "[sh -c sh: cat \"$1\" < _ README.md]", NULL },
		{ "bash -lc 'ls'", "[bash -c bash: ls]", NULL },
		{ "bash -lc -- 'rm x'", "[bash -c bash: rm x]", NULL },
		{ "bash -xec 'ls'", "[bash -c bash: ls]", NULL },
		{ "bash -c -e 'ls'", "[bash -c bash: ls]", NULL },
		{ "bash -eo pipefail -c 'ls'", "[bash -c bash: ls]", NULL },
		{ "bash -oec pipefail 'ls' a", "[bash -c bash: ls < a]", NULL },
		{ "bash -euxo pipefail run.sh a", "[bash bash file: run.sh < run.sh a]", NULL },
		{ "bash --norc -c ls", "[bash -c bash: ls]", NULL },
		{ "bash -norc -c ls", "[bash -c bash: ls]", NULL },
		{ "bash --rcfile r -i",
		  "rule:shell.start-files [bash bash file: r] [bash bash stdin: < bash]", NULL },
		{ "bash +x -c ls", "[bash -c bash: ls]", NULL },
		{ "bash -n run.sh", "read:run.sh", NULL },
		{ "bash -nc 'rm x'", "", NULL },
		{ "bash -o noexec run.sh", "read:run.sh", NULL },
		{ "bash -n +n run.sh", "[bash bash file: run.sh < run.sh]", NULL },
		{ "bash -in run.sh", "rule:shell.start-files [bash bash file: run.sh < run.sh]",
		  NULL },
		{ "bash", "[bash bash stdin: < bash]", NULL },
		{ "bash -s a b", "[bash bash stdin: < bash a b]", NULL },
		{ "bash - run.sh", "[bash bash file: run.sh < run.sh]", NULL },
		{ "bash --version", "", NULL },
		{ "bash --version -c 'rm x'", "", NULL },
		{ "bash -c 'rm x' --version", "[bash -c bash: rm x < --version]", NULL },
		{ "bash -O extglob -c ls", "[bash -c bash: ls] unknown", NULL },
		{ "bash -ac ls", "[bash -c bash: ls] unknown", NULL },
		{ "bash $x", "[bash bash file: ? < ?] unknown", NULL },
		{ "bash -c \"$x\"", "[bash -c bash: ?] unknown", NULL },
		{ "dash -c ls", "[sh -c sh: ls]", NULL },
		{ "/bin/sh -ec ls", "[sh -c sh: ls]", NULL },
		{ "./sh -c ls", "unknown", NULL },
		{ "zsh -fc 'rm x'", "[bash -c bash: rm x] unknown", NULL },
		{ "bash -p", "rule:shell.privileged [bash bash stdin: < bash]", NULL },
		{ "test -v 'a[$(id)]'", "[test -v bash: : \"a[$(id)]\"] unknown", NULL },
		{ "test -f a", "", NULL },
		{ "[ \"$x\" = b ]", "", NULL },
		{ "echo $x *", "", NULL },
		{ "printf %s \"$x\"", "", NULL },
		{ "printf -v a %s", "unknown", NULL },
	};

	(void)state;
	assert_int_equal(fixture_run(NULL, rows, COUNT_OF(rows)), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_command_when_a_wrapper_has_options),
		cmocka_unit_test(finds_the_text_when_a_wrapper_has_its_own_way),
		cmocka_unit_test(runs_as_another_user_when_asked),
		cmocka_unit_test(splits_like_env_when_env_is_asked_to),
		cmocka_unit_test(finds_the_text_when_a_shell_is_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
