/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls of Lua do.
 */

#include "command/code_calls.h"

static const struct call_row rows[] = {
	CALL("call", "redis server", ACT_REDIS, 0, 0),
	CALL("char", NULL, VAL_CHARS, 0, 0),
	CALL("chdir", NULL, ACT_CHDIR, 0, 0),
	CALL("concat", NULL, VAL_JOIN, 0, 0),
	CALL("connect", NULL, VAL_CONNECT, 0, 0),
	CALL("dofile", NULL, ACT_LOAD, 0, 0),
	CALL("dostring", NULL, ACT_EVAL, 0, 0),
	CALL("execute", NULL, ACT_SHELL, 0, 0),
	CALL("fs_delete", NULL, ACT_DELETE, 0, 0),
	CALL("lines", "io", ACT_READ, 0, 0),
	CALL("load", NULL, ACT_EVAL, 0, 0),
	CALL("loadfile", NULL, ACT_LOAD, 0, 0),
	CALL("loadstring", NULL, ACT_EVAL, 0, 0),
	CALL("mkdir", NULL, ACT_MAKE, 0, 0),
	CALL("open", "io", ACT_OPEN, 0, 0),
	CALL("pcall", "redis server", ACT_REDIS, 0, 0),
	CALL("popen", NULL, ACT_SHELL, 0, 0),
	CALL("receive", NULL, VAL_NET, 0, 0),
	CALL("remove", "os lfs -", ACT_DELETE, 0, 0),
	CALL("rename", "os", ACT_MOVE, 0, 0),
	CALL("request", NULL, VAL_NET, 0, 0),
	CALL("reverse", NULL, VAL_REVERSE, 0, 0),
	CALL("rmdir", "os lfs -", ACT_DELETE, 0, 0),
	CALL("spawn", NULL, ACT_SHELL, 0, 0),
	CALL("system", NULL, ACT_SHELL, 0, 0),
	CALL("tcp", NULL, VAL_CONNECT, 0, 0),
	CALL("write", NULL, ACT_DATA, 0, 0),
};

const struct call_language calls_lua = {
	.via = "lua",
	.lex = LEX_DASHES,
	.style = CALLS_BARE,
	.concat = OP2('.', '.'),
	CALLS_ROWS(rows),
};

void
code_lua(struct code *code)
{
	calls_read(code, &calls_lua);
}
