/* SPDX-License-Identifier: MIT */
/*
 * Clients of databases: the queries and commands that they are given by options, operands or the
 * standard input go to the reader of their language. What they talk to is never harmless.
 */

#include "command/models/services.h"
#include "command/models/models.h"

#include <string.h>

RULE(drops_database, "database.drop", FORBIDDEN, DELETES, "deletes a whole database");
RULE(cleans, "database.restore-clean", FORBIDDEN, DELETES,
     "drops what is in the database before it is restored");
RULE(client, "database.client", PROMPT, NETWORK, "talks to a database");
RULE(admin, "database.server", PROMPT, SYSTEM, "changes a database server");
RULE(stops, "database.stop", FORBIDDEN, SYSTEM, "stops a database server");
RULE(edits_store, "redis.pipe", PROMPT, NETWORK, "sends commands to a store");

/* ---- queries ------------------------------------------------------------------------------- */

/* Options whose argument is a query, or a file of queries. */
#define ROW_QUERY(letters, names, language)                                                        \
	{                                                                                          \
		letters, names, ARG_ONE, USE_CODE, language, 0, NULL, 0                            \
	}
#define ROW_QUERY_FILE(letters, names, language)                                                   \
	{                                                                                          \
		letters, names, ARG_ONE, USE_CODE_FILE, language, 0, NULL, 0                       \
	}

static bool
has_query(const struct match *match)
{
	for (size_t i = 0; i < match->option_count; i++) {
		int use = match->options[i].row->use;

		if (use == USE_CODE || use == USE_CODE_FILE) {
			return true;
		}
	}
	return false;
}

/* Without a query among the options the standard input is one. */
static void
reads_input(const struct match *match, struct findings *found, enum language language,
	    const char *via)
{
	if (!has_query(match)) {
		find_stdin(found, language, 0, via);
	}
}

static void
sql_refine(const struct match *match, struct findings *found)
{
	reads_input(match, found, LANG_SQL, "sql");
}

/* DATABASE and then queries, or dot commands. */
static void
sqlite_refine(const struct match *match, struct findings *found)
{
	const struct field *database = service_operand(match, 0);

	/* -cmd is done before -version is seen: only alone does it do nothing else. */
	if (match->argc == 2 && match->option_count == 1 &&
	    match->options[0].row == match->program->options) {
		return;
	}
	find_rule(found, &client, NULL);
	if (database != NULL && !field_is(database, ":memory:") && database->len > 0) {
		find_deed(found, DEED_EDIT, database);
	}
	for (size_t i = 1; i < match->operand_count; i++) {
		find_code(found, LANG_SQL, &match->operands[i], 0, "sqlite3");
	}
	if (match->operand_count < 2) {
		reads_input(match, found, LANG_SQL, "sqlite3");
	}
}

/* ---- redis --------------------------------------------------------------------------------- */

/* The operands as one line, from `first` on. */
static const struct field *
line_of(const struct match *match, struct findings *found, size_t first)
{
	struct field blank = field_static(" ", NULL);
	struct field *line = arena_alloc(found->arena, sizeof *line);

	if (line == NULL || first >= match->operand_count) {
		return NULL;
	}
	*line = match->operands[first];
	for (size_t i = first + 1; i < match->operand_count && i < first + 8; i++) {
		*line = field_join(found->arena, line, &blank);
		*line = field_join(found->arena, line, &match->operands[i]);
	}
	return line;
}

static void
redis_refine(const struct match *match, struct findings *found)
{
	const struct field *line = line_of(match, found, 0);
	const struct field *script = service_operand(match, 1);

	if (service_has(match, 0, "pipe")) {
		find_rule(found, &edits_store, NULL);
	}
	if (service_has(match, 0, "eval") || service_has(match, 0, "ldb")) {
		return;
	}
	if (script != NULL && (service_operand_is(match, 0, "eval EVAL Eval eval_ro EVAL_RO"))) {
		find_code(found, LANG_LUA, script, INNER_REMOTE, "redis eval");
	}
	if (line != NULL) {
		find_code(found, LANG_REDIS, line, INNER_REMOTE, "redis-cli");
	} else {
		find_stdin(found, LANG_REDIS, INNER_REMOTE, "redis-cli");
	}
}

/* ---- mongo --------------------------------------------------------------------------------- */

static void
mongo_refine(const struct match *match, struct findings *found)
{
	bool script = false;

	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];

		if (operand->len > 3 && memcmp(operand->text + operand->len - 3, ".js", 3) == 0) {
			find_file(found, LANG_MONGO, operand, 0, "mongosh");
			script = true;
		}
	}
	if (!script) {
		reads_input(match, found, LANG_MONGO, "mongosh");
	}
}

/* ---- administration ------------------------------------------------------------------------ */

static void
mysqladmin_refine(const struct match *match, struct findings *found)
{
	if (service_operand_is(match, 0, "drop")) {
		find_rule(found, &drops_database, service_operand(match, 1));
	} else if (service_operand_is(match, 0, "shutdown")) {
		find_rule(found, &stops, NULL);
	}
}

/* influx and its kind: delete, bucket delete, -execute. */
static void
influx_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count && i < 2; i++) {
		if (service_operand_is(match, i, "delete")) {
			find_rule(found, &drops_database, NULL);
		}
	}
}

static const struct option_row psql_options[] = {
	ROW_HELP("V?", "version help"),
	ROW_QUERY("c", "command", LANG_SQL),
	ROW_QUERY_FILE("f", "file", LANG_SQL),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_PATH("L", "log-file", DEED_APPEND),
	ROW_TAKES("dhpUvFPRT", "dbname host port username set variable field-separator pset "
			       "record-separator table-attr"),
	ROW_FLAG("aAbeEHlnqsStwWxXz01",
		 "echo-all list no-align quiet tuples-only no-psqlrc "
		 "single-transaction csv html expanded no-password password"),
	OPTIONS_END,
};

static const struct option_row mysql_options[] = {
	ROW_HELP("V?", "version help"),
	ROW_QUERY("e", "execute init-command", LANG_SQL),
	ROW_SHELL(NULL, "pager"),
	ROW_PATH(NULL, "tee", DEED_APPEND),
	ROW_TAKES("huPDS", "host user port database socket default-character-set delimiter prompt "
			   "ssl-ca ssl-cert ssl-key protocol"),
	ROW("p", "password", ARG_OPTIONAL, USE_SECRET),
	ROW_PATH(NULL, "defaults-file defaults-extra-file", DEED_READ),
	ROW_FLAG("sNBtvwfrnqEACHXbcGiUT",
		 "silent batch table verbose force skip-column-names xml html"),
	OPTIONS_END,
};

/* -cmd and -init hold commands; everything has one dash or two. */
static const struct option_row sqlite_options[] = {
	ROW_FLAG("h", "version help"),
	ROW_QUERY("c", "cmd s", LANG_SQL),
	ROW_QUERY_FILE("f", "init", LANG_SQL),
	ROW_TAKES(NULL, "separator nullvalue newline vfs maxsize mmap heap"),
	ROW(NULL, "lookaside pagecache", ARG_TWO, USE_NOTHING),
	ROW_FLAG(NULL,
		 "A append ascii bail batch box column csv deserialize echo header noheader "
		 "html interactive json line list markdown nofollow quote readonly safe stats "
		 "table tabs unsigned"),
	OPTIONS_END,
};

/* sqlcmd -Q, clickhouse-client -q, cqlsh -e, trino --execute, snowsql -q, isql, usql -c. */
static const struct option_row query_options[] = {
	ROW_HELP(NULL, "version help"),
	ROW_QUERY("QqecK", "query execute command exec", LANG_SQL),
	ROW_QUERY_FILE("if", "file queries-file input-file filename", LANG_SQL),
	ROW_PATH("o", "output output-file", DEED_WRITE),
	ROW_TAKES("SUPdhukprwsab", "host port user database password server format"),
	OPTIONS_END,
};

static const struct option_row redis_options[] = {
	ROW_HELP("v", "version help"),
	ROW_QUERY_FILE(NULL, "eval", LANG_LUA),
	ROW_PATH(NULL, "rdb functions-rdb", DEED_WRITE),
	ROW_TAKES("hpsauniDdtrX",
		  "user pass host cacert cert key sni cacertdir tls-ciphers pattern "
		  "quoted-pattern cluster count lru-test intrinsic-latency"),
	ROW_FLAG("xce23", "pipe raw csv json tls scan bigkeys memkeys hotkeys stat latency ldb "
			  "ldb-sync-mode no-raw no-auth-warning insecure askpass show-pushes "
			  "latency-history latency-dist verbose replica"),
	OPTIONS_END,
};

static const struct option_row mongo_options[] = {
	ROW_HELP("h", "version help build-info"),
	ROW_QUERY(NULL, "eval", LANG_MONGO),
	ROW_QUERY_FILE("f", "file", LANG_MONGO),
	ROW_TAKES("up", "username password host port authenticationDatabase tlsCAFile "
			"tlsCertificateKeyFile authenticationMechanism apiVersion"),
	ROW_FLAG(NULL, "quiet norc nodb shell tls ssl json verbose"),
	OPTIONS_END,
};

static const struct option_row dump_options[] = {
	ROW_HELP("V?", "version help"),
	ROW_PATH("fro", "file result-file out output archive", DEED_WRITE),
	ROW_PATH("T", "tab", DEED_EXTRACT),
	OPTIONS_END,
};

static const struct option_row restore_options[] = {
	ROW_HELP("V?", "version help"),
	ROW_RULE("c", "clean drop", ARG_NONE, &cleans),
	ROW_PATH("f", "file", DEED_WRITE),
	ROW_TAKES("dhpUtnIjLPST", "dbname host port username table schema jobs uri db"),
	OPTIONS_END,
};

static const struct option_row help_options[] = {
	ROW_HELP("V?", "version help"),
	ROW_TAKES("hpUuPDSeE", "host port username user maintenance-db socket encoding"),
	OPTIONS_END,
};

#define CLIENT(names_, options_, style_, rule_, refine_)                                           \
	{                                                                                          \
		.names = (names_), .operands = ".*", .options = (options_),                        \
		.style = PARSE_LOOSE | (style_), .finds = FIND_NETWORK | FIND_OUT_NETWORK,         \
		.rule = (rule_), .refine = (refine_)                                               \
	}

const struct program models_databases[] = {
	CLIENT("psql pgcli vsql yugabyte ysqlsh cockroach-sql", psql_options, 0, &client,
	       sql_refine),
	CLIENT("mysql mariadb mycli mysqlsh", mysql_options, 0, &client, sql_refine),
	{ .names = "sqlite3 sqlite litecli sqlcipher duckdb",
	  .operands = ".*",
	  .options = sqlite_options,
	  .style = PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_CLUSTER,
	  .refine = sqlite_refine },
	CLIENT("sqlcmd bcp clickhouse-client clickhouse cqlsh trino presto-cli presto snowsql isql "
	       "usql osql tsql iusql beeline impala-shell spark-sql hive sqlplus fbsql db2",
	       query_options, PARSE_LONG_ONE | PARSE_NO_ABBREV, &client, sql_refine),
	CLIENT("redis-cli valkey-cli keydb-cli iredis", redis_options,
	       PARSE_POSIX | PARSE_NO_ABBREV, &client, redis_refine),
	CLIENT("mongosh mongo", mongo_options, PARSE_NO_ABBREV, &client, mongo_refine),
	CLIENT("pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup "
	       "mysqlpump",
	       dump_options, 0, &client, NULL),
	CLIENT("pg_restore mongorestore mongoimport mysqlimport", restore_options, 0, &client,
	       NULL),
	CLIENT("dropdb dropuser", help_options, 0, &drops_database, NULL),
	CLIENT("createdb createuser vacuumdb reindexdb clusterdb", help_options, 0, &client, NULL),
	CLIENT("mysqladmin mariadb-admin", help_options, 0, &client, mysqladmin_refine),
	CLIENT("influx", query_options, PARSE_LONG_ONE | PARSE_NO_ABBREV, &client, influx_refine),
	CLIENT("pg_ctl pg_ctlcluster initdb pg_resetwal pg_upgrade mongod mysqld mysqld_safe "
	       "mariadbd postgres redis-server valkey-server",
	       help_options, 0, &admin, NULL),
	CLIENT("pg_dropcluster", help_options, 0, &drops_database, NULL),
	{ .names = "pg_isready",
	  .operands = ".*",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &client },
	PROGRAMS_END,
};
