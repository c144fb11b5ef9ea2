/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls of MongoDB's shell do to the data of a server.
 */

#include "command/code_calls.h"

#define DESTROYS(name, id_, message_)                                                              \
	static const struct rule name = { .id = (id_),                                             \
					  .decision = BAILEY_FORBIDDEN,                            \
					  .kind = BAILEY_EFFECT_DELETES,                           \
					  .message = (message_) }

DESTROYS(drop_database, "mongo.drop-database", "deletes the database and all that is in it");
DESTROYS(drop_collection, "mongo.drop", "deletes the collection and all that is in it");
DESTROYS(drop_other, "mongo.drop", "deletes indexes or users of the database");
DESTROYS(delete_all, "mongo.delete-all", "deletes every document of the collection");
DESTROYS(shutdown, "mongo.shutdown", "stops the database server");
DESTROYS(command_destroys, "mongo.drop", "deletes data or stops the server by a command");

static const struct call_row rows[] = {
	CALL("Function", NULL, ACT_EVAL, 0, 0),
	{ .name = "adminCommand",
	  .owners = NULL,
	  .act = ACT_OBJECT,
	  .arg = 0,
	  .rule = &command_destroys,
	  .keys = "dropdatabase drop shutdown dropallusersfromdatabase" },
	CALL("cat", NULL, ACT_READ, 0, 0),
	{ .name = "deleteMany",
	  .owners = NULL,
	  .act = ACT_RULE_EMPTY,
	  .arg = 0,
	  .rule = &delete_all },
	{ .name = "drop", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &drop_collection },
	{ .name = "dropAllRoles", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &drop_other },
	{ .name = "dropAllUsers", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &drop_other },
	{ .name = "dropDatabase",
	  .owners = NULL,
	  .act = ACT_RULE,
	  .arg = 0,
	  .rule = &drop_database },
	{ .name = "dropIndexes", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &drop_other },
	{ .name = "dropUser", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &drop_other },
	CALL("eval", NULL, ACT_EVAL, 0, 0),
	CALL("exec", NULL, ACT_SHELL, 0, 0),
	CALL("execFile", NULL, ACT_ARGV, 0, 0),
	CALL("execFileSync", NULL, ACT_ARGV, 0, 0),
	CALL("execSync", NULL, ACT_SHELL, 0, 0),
	CALL("fetch", NULL, VAL_NET, 0, 0),
	CALL("homedir", NULL, VAL_HOME, 0, 0),
	CALL("load", NULL, ACT_LOAD, 0, 0),
	CALL("readFileSync", NULL, ACT_READ, 0, 0),
	{ .name = "remove", .owners = NULL, .act = ACT_RULE_EMPTY, .arg = 0, .rule = &delete_all },
	CALL("removeFile", NULL, ACT_DELETE, 0, 0),
	CALL("require", NULL, VAL_MODULE, 0, 0),
	CALL("rmSync", NULL, ACT_DELETE_HOW, 0, 0),
	CALL("run", NULL, ACT_ARGV, 0, 0),
	{ .name = "runCommand",
	  .owners = NULL,
	  .act = ACT_OBJECT,
	  .arg = 0,
	  .rule = &command_destroys,
	  .keys = "dropdatabase drop shutdown dropallusersfromdatabase" },
	CALL("runMongoProgram", NULL, ACT_ARGV, 0, 0),
	CALL("runProgram", NULL, ACT_ARGV, 0, 0),
	{ .name = "shutdownServer", .owners = NULL, .act = ACT_RULE, .arg = 0, .rule = &shutdown },
	CALL("spawn", NULL, ACT_ARGV, 0, 0),
	CALL("spawnSync", NULL, ACT_ARGV, 0, 0),
	CALL("unlinkSync", NULL, ACT_DELETE, 0, 0),
	CALL("writeFile", NULL, ACT_WRITE, 0, 0),
	CALL("writeFileSync", NULL, ACT_WRITE, 0, 0),
};

const struct call_language calls_mongo = {
	.via = "mongosh",
	.lex = LEX_SLASHES | LEX_TICK_STRING | LEX_REGEX | LEX_SIGILS,
	.style = 0,
	.concat = '+',
	CALLS_ROWS(rows),
};

void
code_mongo(struct code *code)
{
	calls_read(code, &calls_mongo);
}
