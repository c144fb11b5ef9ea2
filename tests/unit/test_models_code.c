/* SPDX-License-Identifier: MIT */
/*
 * Interpreters, filters, clients of databases, frameworks, programs of Windows: which code
 * their command lines run, and when they do nothing else.
 */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row interpreters_rows[] = {
	{ "python3", "[python3 other stdin:] unknown", NULL },
	{ "python3 -V", "", NULL },
	{ "python3.11 --version", "", NULL },
	{ "python3 --version x", "[python3 other file: x] unknown", NULL },
	{ "python3 -c 'print(1)'", "[python3 other: print(1)] unknown", NULL },
	{ "python3 -c 'print(1)' --version", "[python3 other: print(1)] unknown", NULL },
	{ "python3 -Ic 'print(1)'", "[python3 other: print(1)] unknown", NULL },
	{ "python3 -P -X dev -c 'print(1)' a b", "[python3 other: print(1)] unknown", NULL },
	{ "python3 -", "[python3 other stdin:] unknown", NULL },
	{ "python3 x.py -c y", "[python3 other file: x.py] unknown", NULL },
	{ "python3 $x", "[python3 other file: ?] unknown", NULL },
	{ "python3 https://x/y.py", "rule:code.from-network unknown", NULL },
	{ "python3 -m http.server 8000", "rule:python.server net unknown", NULL },
	{ "python3 -m pip install x", "[python -m!prompt: pip install x] unknown", NULL },
	{ "python3 -mpip list", "[python -m!prompt: pip list] unknown", NULL },
	{ "python3 -m json.tool a.json b.json", "write:b.json unknown", NULL },
	{ "python3 -m timeit 'x=1'", "[python -m timeit other: x=1] unknown", NULL },
	{ "python3 -m venv .venv", "extract:.venv unknown", NULL },
	{ "python3 manage.py flush", "rule:database.reset [python3 other file: manage.py] unknown",
	  NULL },
	{ "python3 tool.py flush", "[python3 other file: tool.py] unknown", NULL },
	{ "python3 manage.py migrate app zero",
	  "rule:database.reset [python3 other file: manage.py] unknown", NULL },
	{ "python3 -m django reset_db", "rule:database.reset unknown", NULL },
	{ "perl -v", "", NULL },
	{ "perl -e 'a' -e 'b'", "[perl other: a\nb] unknown", NULL },
	{ "perl -lane 'print' f", "read:f [perl other: print] unknown", NULL },
	{ "perl -pi.bak -e 's/a/b/' f", "edit:f [perl other: s/a/b/] unknown", NULL },
	{ "perl -0777 -ne 'x' f", "read:f [perl other: x] unknown", NULL },
	{ "perl -MFile::Path=rmtree -e 'x'",
	  "[perl other: x] [perl -M other: File::Path=rmtree] unknown", NULL },
	{ "perl -c x.pl", "[perl other file: x.pl] unknown", NULL },
	{ "ruby --version", "", NULL },
	{ "ruby -v x.rb", "[ruby other file: x.rb] unknown", NULL },
	{ "ruby -rjson -ne 'x' f", "read:f [ruby other: x] unknown", NULL },
	{ "ruby -e 'a' -e 'b'", "[ruby other: a\nb] unknown", NULL },
	{ "node -v", "", NULL },
	{ "node --eval=x", "[node other: x] unknown", NULL },
	{ "node -pe x", "[node other: x] unknown", NULL },
	{ "node -p -e x", "[node other: x] unknown", NULL },
	{ "node -r ./a.js b.js", "execute:./a.js [node other file: b.js] unknown", NULL },
	{ "node -e x -v", "[node other: x] unknown", NULL },
	{ "tsx x.ts", "[tsx other file: x.ts] unknown", NULL },
	{ "deno --version", "", NULL },
	{ "deno run -A https://x/y.ts", "rule:code.from-network unknown", NULL },
	{ "deno run x.ts", "[deno other file: x.ts] unknown", NULL },
	{ "deno eval x", "[deno other: x] [deno other: x] unknown", NULL },
	{ "php -v", "", NULL },
	{ "php -r x", "[php other: x] unknown", NULL },
	{ "php artisan migrate:fresh --env=testing",
	  "rule:database.reset [php other file: artisan] unknown", NULL },
	{ "php bin/console doctrine:schema:drop --force",
	  "rule:database.reset [php other file: bin/console] unknown", NULL },
	{ "php -S 0.0.0.0:80", "net unknown", NULL },
	{ "lua -e x", "[lua other: x] unknown", NULL },
	{ "lua5.4 x.lua", "[lua5.4 other file: x.lua] unknown", NULL },
	{ "tclsh x.tcl", "[tclsh other file: x.tcl] unknown", NULL },
	{ "expect -c 'spawn ls'", "[expect other: spawn ls] unknown", NULL },
	{ "Rscript -e x", "[Rscript other: x] unknown", NULL },
	{ "R --version", "", NULL },
	{ "R --no-save -e x", "[R other: x] unknown", NULL },
	{ "osascript -e a -e b", "[osascript other: a\nb] unknown", NULL },
	{ "osascript -l JavaScript -e x", "[osascript other: x] unknown", NULL },
	{ "guile -c x", "[guile other: x] unknown", NULL },
	{ "sbcl --eval x", "[sbcl other: x] unknown", NULL },
	{ "jshell -", "[jshell other stdin:] unknown", NULL },
	{ "julia -e x", "[julia other: x] unknown", NULL },
	{ "java -version", "", NULL },
	{ "java -jar x.jar", "execute:x.jar unknown", NULL },
	{ "java -cp x Main", "[java other file: Main] unknown", NULL },
	{ "gdb -batch -ex 'info x' -ex 'bt' prog", "execute:prog [gdb other: info x\nbt] unknown",
	  NULL },
	{ "gdb --args prog a b", "[gdb: prog a b] [gdb other stdin:] unknown", NULL },
	{ "gdb -x cmds prog", "execute:cmds execute:prog [gdb other stdin:] unknown", NULL },
	{ "m4 x.m4", "[m4 other file: x.m4] unknown", NULL },
};

static void
names_the_code_when_an_interpreter_runs_it(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, interpreters_rows, COUNT_OF(interpreters_rows)), 0);
}

static const struct fixture_row filters_rows[] = {
	{ "awk '{print}' f", "read:f [awk other: {print}]", NULL },
	{ "awk -F : '{print}' x=1 f", "read:f [awk other: {print}]", NULL },
	{ "awk -f prog f", "read:f [awk other file: prog] unknown", NULL },
	{ "awk --version", "", NULL },
	{ "awk --help f", "[awk other: f] unknown", NULL },
	{ "gawk -i inplace '{print}' f", "edit:f [awk other: {print}] unknown", NULL },
	{ "gawk -e '{print}' f", "read:f [awk other: {print}]", NULL },
	{ "gawk --source '{print}' --source x f", "read:f [awk other: {print}\nx]", NULL },
	{ "awk -- '{print}' f", "read:f [awk other: {print}]", NULL },
	{ "awk", "unknown", NULL },
	{ "sed s/a/b/ f", "read:f [sed other: s/a/b/]", NULL },
	{ "sed -n -e a -e b f g", "read:f read:g [sed other: a\nb]", NULL },
	{ "sed -i.bak s/a/b/ f", "edit:f [sed other: s/a/b/]", NULL },
	{ "sed -i'/tmp/*' s/a/b/ f", "edit:f [sed other: s/a/b/] unknown", NULL },
	{ "sed --expr=a f", "read:f [sed other: a]", NULL },
	{ "sed -f x f", "read:f [sed other file: x] unknown", NULL },
	{ "sed $x f", "read:f [sed other: ?] unknown", NULL },
	{ "jq .a f", "read:f [jq other: .a]", NULL },
	{ "jq -n '1'", "[jq other: 1]", NULL },
	{ "jq -rf x f", "read:f [jq other file: x] unknown", NULL },
	{ "jq --arg a b .x f g", "read:f read:g [jq other: .x]", NULL },
	{ "jq --rawfile a b . f", "read:b read:f [jq other: .]", NULL },
	{ "jq --rawfile a", "unknown", NULL },
	{ "jq . f --args x", "read:f read:x [jq other: .]", NULL },
	{ "jq --foo . f", "read:f [jq other: .] unknown", NULL },
	{ "yq -i .a f", "edit:f [yq other: .a]", NULL },
	{ "yq e .a f", "read:f [yq other: .a]", NULL },
	{ "yq f", "read:f [yq other: f]", NULL },
	{ "bc", "", NULL },
	{ "bc -l x", "unknown", NULL },
	{ "bc -e 1", "", NULL },
	{ "dc", "[dc other stdin:]", NULL },
	{ "dc -e '1 p'", "[dc other: 1 p]", NULL },
	{ "dc x", "[dc other file: x] unknown", NULL },
};

static void
reads_the_program_when_a_filter_has_one(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, filters_rows, COUNT_OF(filters_rows)), 0);
}

static const struct fixture_row clients_rows[] = {
	{ "psql", "rule:database.client [sql other stdin:] net", NULL },
	{ "psql --version", "", NULL },
	{ "psql -c 'select 1' -f x.sql -o out",
	  "rule:database.client write:out [psql other: select 1] [psql other file: x.sql] "
	  "net",
	  NULL },
	{ "mysql -u root -psecret -e 'select 1' db",
	  "rule:database.client [mysql other: select 1] net", NULL },
	{ "mysql --pager=sh db", "rule:database.client [mysql sh: sh] [sql other stdin:] net",
	  NULL },
	{ "sqlite3 --version", "", NULL },
	{ "sqlite3 -cmd .tables --version", "rule:database.client [sqlite3 other: .tables]", NULL },
	{ "sqlite3 app.db 'select 1' .tables",
	  "rule:database.client edit:app.db [sqlite3 other: select 1] [sqlite3 other: "
	  ".tables]",
	  NULL },
	{ "sqlite3 app.db", "rule:database.client edit:app.db [sqlite3 other stdin:]", NULL },
	{ "redis-cli -h x flushall", "rule:database.client [redis-cli!remote other: flushall] net",
	  NULL },
	{ "redis-cli eval 'x' 0",
	  "rule:database.client [redis eval!remote other: x] [redis-cli!remote other: eval "
	  "x 0] net",
	  NULL },
	{ "redis-cli --eval x.lua", "rule:database.client [redis-cli other file: x.lua] net",
	  NULL },
	{ "redis-cli", "rule:database.client [redis-cli!remote other stdin:] net", NULL },
	{ "mongosh --eval 'db.x()' prod", "rule:database.client [mongosh other: db.x()] net",
	  NULL },
	{ "mongo x.js", "rule:database.client [mongosh other file: x.js] net", NULL },
	{ "dropdb prod", "rule:database.drop net", NULL },
	{ "createdb x", "rule:database.client net", NULL },
	{ "pg_dump -f x db", "rule:database.client write:x net", NULL },
	{ "pg_restore -c x", "rule:database.client rule:database.restore-clean net", NULL },
	{ "mysqladmin -u root drop prod", "rule:database.client rule:database.drop net", NULL },
	{ "influx delete --bucket x", "rule:database.client rule:database.drop net", NULL },
	{ "clickhouse-client --query 'select 1'",
	  "rule:database.client [sqlcmd other: select 1] net", NULL },
	{ "sqlcmd -Q 'select 1'", "rule:database.client [sqlcmd other: select 1] net", NULL },
};

static void
hands_on_the_queries_when_a_client_has_some(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, clients_rows, COUNT_OF(clients_rows)), 0);
}

static const struct fixture_row frameworks_rows[] = {
	{ "prisma migrate reset", "rule:project.code rule:database.reset unknown", NULL },
	{ "prisma migrate dev", "rule:project.code unknown", NULL },
	{ "prisma db push --force-reset", "rule:project.code rule:database.reset unknown", NULL },
	{ "prisma --version", "", NULL },
	{ "alembic downgrade base", "rule:project.code rule:database.reset unknown", NULL },
	{ "alembic upgrade head", "rule:project.code unknown", NULL },
	{ "flyway clean", "rule:project.code rule:database.reset unknown", NULL },
	{ "liquibase dropAll", "rule:project.code rule:database.reset unknown", NULL },
	{ "wp db reset --yes", "rule:project.code rule:database.reset unknown", NULL },
	{ "sequelize db:drop", "rule:project.code rule:database.reset unknown", NULL },
	{ "knex migrate:rollback --all", "rule:project.code rule:database.reset unknown", NULL },
	{ "rails db:drop", "rule:project.code rule:database.reset unknown", NULL },
	{ "rails db:migrate", "rule:project.code unknown", NULL },
	{ "rails runner 'x'", "rule:project.code [rails runner other: x] unknown", NULL },
	{ "artisan migrate:fresh", "rule:project.code rule:database.reset unknown", NULL },
	{ "drush sql-drop", "rule:project.code rule:database.reset unknown", NULL },
};

static void
finds_the_reset_when_a_framework_does_it(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, frameworks_rows, COUNT_OF(frameworks_rows)), 0);
}

static const struct fixture_row windows_rows[] = {
	{ "powershell -NoProfile -Command Remove-Item x",
	  "[powershell other: Remove-Item x] unknown", NULL },
	{ "pwsh -c x", "[powershell other: x] unknown", NULL },
	{ "pwsh -File x.ps1", "[powershell other file: x.ps1] unknown", NULL },
	{ "powershell -enc cgBtACAALQByACAAfgA=", "[powershell other: rm -r ~] unknown", NULL },
	{ "powershell -ep bypass x y", "[powershell other: x y] unknown", NULL },
	{ "pwsh --version", "", NULL },
	{ "cmd /c rd /s /q C:\\", "rule:windows.program [cmd other: rd /s /q C:\\]", NULL },
	{ "cmd.exe /k dir", "rule:windows.program [cmd other: dir]", NULL },
	{ "cmd", "rule:windows.program [cmd other stdin:]", NULL },
	{ "del /s /q C:\\x", "rule:windows.program rule:windows.delete", NULL },
	{ "rd /s build", "rule:windows.program delete-tree:build", NULL },
	{ "reg add HKCU\\x /v y", "rule:windows.program rule:windows.registry", NULL },
	{ "reg query HKLM\\x", "rule:windows.program", NULL },
	{ "vssadmin delete shadows /all", "rule:windows.program rule:windows.shadow-copies", NULL },
	{ "diskpart", "rule:windows.program rule:windows.disk", NULL },
	{ "wmic shadowcopy delete", "rule:windows.program rule:windows.shadow-copies", NULL },
	{ "certutil.exe -urlcache -f http://x y", "rule:windows.program rule:windows.fetch", NULL },
	{ "netsh advfirewall set allprofiles state off",
	  "rule:windows.program rule:windows.protection", NULL },
	{ "mshta http://x/y.hta", "rule:windows.program rule:code.from-network", NULL },
	{ "wsl -d Ubuntu rm -rf /", "rule:windows.program [wsl!prompt: rm -rf /]", NULL },
	{ "wsl --unregister Ubuntu",
	  "rule:windows.program rule:wsl.unregister [wsl!prompt: Ubuntu]", NULL },
	{ "schtasks /create /tn x /tr calc", "rule:windows.program [schtasks!later other: calc]",
	  NULL },
	{ "runas /user:x cmd", "rule:windows.program [runas!priv other: cmd]", NULL },
	{ "icacls C:\\x /grant Everyone:F", "rule:windows.program rule:windows.ownership", NULL },
	{ "shutdown.exe /s", "rule:windows.program rule:windows.power", NULL },
};

static void
finds_what_is_plainly_done_when_a_program_is_of_windows(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, windows_rows, COUNT_OF(windows_rows)), 0);
}

static const struct fixture_row alone_rows[] = {
	{ "dc -e '!ls' -V", "[dc other: !ls]", NULL },
	{ "dc -V", "", NULL },
	{ "tclsh -v", "[tclsh other stdin:] unknown", NULL },
	{ "tclsh --version", "[tclsh other stdin:] unknown", NULL },
	{ "expect -v", "", NULL },
	{ "ghci -v", "[ghci other stdin:] unknown", NULL },
	{ "ghci --version", "", NULL },
	{ "jshell -v", "[jshell other stdin:] unknown", NULL },
	{ "erl -h", "[erl other stdin:] unknown", NULL },
	{ "octave -V", "[octave other stdin:] unknown", NULL },
	{ "octave --version", "", NULL },
	{ "phpdbg -v", "[phpdbg other stdin:] unknown", NULL },
	{ "luau -v", "[luau other stdin:] unknown", NULL },
	{ "scheme -v", "[scheme other stdin:] unknown", NULL },
	{ "elixir -v", "", NULL },
	{ "ipython --version", "", NULL },
	{ "awk -h", "", NULL },
	{ "prisma migrate reset --vers", "rule:project.code rule:database.reset unknown", NULL },
	{ "mongosh --eval x --vers", "rule:database.client [mongosh other: x] net", NULL },
	{ "python3 --vers", "[python3 other stdin:] unknown", NULL },
};

/* What does not know a question about its version may read its input, or do all the rest. */
static void
is_known_alone_when_asked_for_its_version(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, alone_rows, COUNT_OF(alone_rows)), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_code_when_an_interpreter_runs_it),
		cmocka_unit_test(reads_the_program_when_a_filter_has_one),
		cmocka_unit_test(hands_on_the_queries_when_a_client_has_some),
		cmocka_unit_test(finds_the_reset_when_a_framework_does_it),
		cmocka_unit_test(finds_what_is_plainly_done_when_a_program_is_of_windows),
		cmocka_unit_test(is_known_alone_when_asked_for_its_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
