/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls commonly do in languages that have no reader of their own: Java's,
 * Scala's, Groovy's and Swift's, Go's, Julia's and Haskell's.
 */

#include "command/code_calls.h"

static const struct call_row rows[] = {
	CALL("Command", NULL, ACT_ARGV, 0, 0),
	CALL("File", NULL, VAL_SAME, 0, 0),
	CALL("FileInputStream", NULL, ACT_READ, 0, 0),
	CALL("FileOutputStream", NULL, ACT_WRITE, 0, 0),
	CALL("FileReader", NULL, ACT_READ, 0, 0),
	CALL("FileWriter", NULL, ACT_WRITE, 0, 0),
	CALL("Path", NULL, VAL_SAME, 0, 0),
	CALL("Paths", NULL, VAL_SAME, 0, 0),
	CALL("Process", NULL, ACT_ARGV, 0, 0),
	CALL("ProcessBuilder", NULL, ACT_ARGV, 0, 0),
	CALL("ReadFile", NULL, ACT_READ, 0, 0),
	CALL("Remove", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("RemoveAll", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("Socket", NULL, VAL_CONNECT, 0, 0),
	CALL("WriteFile", NULL, ACT_WRITE, 0, 0),
	CALL("appendFile", NULL, ACT_APPEND, 0, 0),
	CALL("callCommand", NULL, ACT_SHELL, 0, 0),
	CALL("callProcess", NULL, ACT_ARGV, 0, 0),
	CALL("cleanDirectory", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("cmd", "System", ACT_ARGV, 0, 0),
	CALL("decode", NULL, VAL_BASE64, 0, 0),
	CALL("delete", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("deleteDir", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("deleteDirectory", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("deleteIfExists", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("deleteRecursively", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("eval", NULL, ACT_EVAL, 0, 0),
	CALL("evaluate", NULL, ACT_EVAL, 0, 0),
	CALL("exec", NULL, ACT_SHELL, 0, 0),
	CALL("execute", NULL, ACT_SHELL, 0, 0),
	CALL("forceDelete", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("get", NULL, VAL_SAME, 0, 0),
	CALL("launch", NULL, ACT_ARGV, 0, 0),
	CALL("newBufferedReader", NULL, ACT_READ, 0, 0),
	CALL("of", NULL, VAL_SAME, 0, 0),
	CALL("openStream", NULL, VAL_NET, 0, 0),
	CALL("proc", NULL, ACT_ARGV, 0, 0),
	CALL("rawSystem", NULL, ACT_ARGV, 0, 0),
	CALL("readAllBytes", NULL, ACT_READ, 0, 0),
	CALL("readAllLines", NULL, ACT_READ, 0, 0),
	CALL("readCreateProcess", NULL, ACT_SHELL, 0, 0),
	CALL("readFile", NULL, ACT_READ, 0, 0),
	CALL("readProcess", NULL, ACT_ARGV, 0, 0),
	CALL("readString", NULL, ACT_READ, 0, 0),
	CALL("removeDirectory", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("removeDirectoryRecursive", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("removeFile", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("removeItem", NULL, ACT_DELETE, 0, CALL_RECEIVER),
	CALL("removePathForcibly", NULL, ACT_DELETE_TREE, 0, CALL_RECEIVER),
	CALL("rm", NULL, ACT_DELETE_HOW, 0, 0),
	CALL("run", "Process sys", ACT_SHELL, 0, 0),
	CALL("shell", NULL, ACT_SHELL, 0, 0),
	CALL("shellOut", NULL, ACT_SHELL, 0, 0),
	CALL("system", NULL, ACT_SHELL, 0, 0),
	CALL("toString", NULL, VAL_SAME, 0, 0),
	CALL("trim", NULL, VAL_SAME, 0, 0),
	CALL("writeFile", NULL, ACT_WRITE, 0, 0),
	CALL("writeString", NULL, ACT_WRITE, 0, 0),
};

const struct call_language calls_other = {
	.via = "code",
	.lex = LEX_SLASHES | LEX_CHARS | LEX_TICK_SHELL,
	.style = CALLS_BARE,
	.concat = '+',
	CALLS_ROWS(rows),
};

void
code_other(struct code *code)
{
	calls_read(code, &calls_other);
}
