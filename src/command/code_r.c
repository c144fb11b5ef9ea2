/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls of R do.
 */

#include "command/code_calls.h"

static const struct call_row rows[] = {
	CALL("GET", NULL, VAL_NET, 0, 0),
	CALL("Sys.chmod", NULL, ACT_META, 0, 0),
	CALL("Sys.getenv", NULL, VAL_GETENV, 0, 0),
	CALL("Sys.glob", NULL, VAL_SAME, 0, 0),
	CALL("as.character", NULL, VAL_SAME, 0, 0),
	CALL("base64_dec", NULL, VAL_BASE64, 0, 0),
	CALL("base64decode", NULL, VAL_BASE64, 0, 0),
	CALL("c", NULL, VAL_LIST, 0, 0),
	CALL("dir.create", NULL, ACT_MAKE, 0, 0),
	CALL("dir_delete", NULL, ACT_DELETE, 0, CALL_ALL),
	CALL("download.file", NULL, ACT_FETCH, 1, 0),
	CALL("eval", NULL, ACT_EVAL, 0, 0),
	CALL("exec_wait", NULL, ACT_ARGV, 0, 0),
	CALL("file", NULL, ACT_OPEN, 0, 0),
	CALL("file.copy", NULL, ACT_COPY, 0, 0),
	CALL("file.create", NULL, ACT_MAKE, 0, 0),
	CALL("file.path", NULL, VAL_PATH, 0, 0),
	CALL("file.remove", NULL, ACT_DELETE, 0, CALL_ALL),
	CALL("file.rename", NULL, ACT_MOVE, 0, 0),
	CALL("file.symlink", NULL, ACT_LINK, 0, 0),
	CALL("file_delete", NULL, ACT_DELETE, 0, CALL_ALL),
	CALL("getURL", NULL, VAL_NET, 0, 0),
	CALL("intToUtf8", NULL, VAL_CHARS, 0, 0),
	CALL("list", NULL, VAL_LIST, 0, 0),
	CALL("load", NULL, ACT_LOAD, 0, 0),
	CALL("normalizePath", NULL, VAL_SAME, 0, 0),
	CALL("parse", NULL, ACT_EVAL, 0, 0),
	CALL("path.expand", NULL, VAL_EXPAND, 0, 0),
	CALL("pipe", NULL, ACT_SHELL, 0, 0),
	CALL("read.csv", NULL, ACT_READ, 0, 0),
	CALL("read.table", NULL, ACT_READ, 0, 0),
	CALL("readChar", NULL, ACT_READ, 0, 0),
	CALL("readLines", NULL, ACT_READ, 0, 0),
	CALL("readLines_url", NULL, VAL_NET, 0, 0),
	CALL("readRDS", NULL, ACT_READ, 0, 0),
	CALL("run", NULL, ACT_ARGV, 0, 0),
	CALL("scan", NULL, ACT_READ, 0, 0),
	CALL("setwd", NULL, ACT_CHDIR, 0, 0),
	CALL("shell", NULL, ACT_SHELL, 0, 0),
	CALL("socketConnection", NULL, VAL_CONNECT, 0, 0),
	CALL("source", NULL, ACT_LOAD, 0, 0),
	CALL("sys.source", NULL, ACT_LOAD, 0, 0),
	CALL("system", NULL, ACT_SHELL, 0, 0),
	CALL("system2", NULL, ACT_ARGV, 0, 0),
	CALL("unlink", NULL, ACT_DELETE_HOW, 0, 0),
	CALL("url", NULL, VAL_NET, 0, 0),
};

const struct call_language calls_r = {
	.via = "R",
	.lex = LEX_HASH | LEX_DOT_NAMES,
	.style = CALLS_LINES | CALLS_TILDE,
	.concat = '+',
	CALLS_ROWS(rows),
};

void
code_r(struct code *code)
{
	calls_read(code, &calls_r);
}
