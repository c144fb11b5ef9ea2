/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls of PHP do.
 */

#include "command/code_calls.h"

static const struct call_row rows[] = {
	CALL("SplFileObject", NULL, ACT_OPEN, 0, 0),
	CALL("array", NULL, VAL_LIST, 0, 0),
	CALL("array_filter", NULL, ACT_ARRAY_MAP, 0, 0),
	CALL("array_map", NULL, ACT_ARRAY_MAP, 0, 0),
	CALL("array_walk", NULL, ACT_ARRAY_MAP, 0, 0),
	CALL("assert", NULL, ACT_EVAL, 0, 0),
	CALL("base64_decode", NULL, VAL_BASE64, 0, 0),
	CALL("call_user_func", NULL, ACT_ARRAY_MAP, 0, 0),
	CALL("call_user_func_array", NULL, ACT_ARRAY_MAP, 0, 0),
	CALL("chdir", NULL, ACT_CHDIR, 0, 0),
	CALL("chgrp", NULL, ACT_META, 0, 0),
	CALL("chmod", NULL, ACT_META, 0, 0),
	CALL("chown", NULL, ACT_META, 0, 0),
	CALL("chr", NULL, VAL_CHARS, 0, 0),
	CALL("copy", NULL, ACT_COPY, 0, 0),
	CALL("create_function", NULL, ACT_EVAL, 0, 0),
	CALL("curl_exec", NULL, VAL_NET, 0, 0),
	CALL("deleteDirectory", "File Filesystem", ACT_DELETE_TREE, 0, 0),
	CALL("escapeshellcmd", NULL, VAL_SAME, 0, 0),
	CALL("eval", NULL, ACT_EVAL, 0, 0),
	CALL("exec", NULL, ACT_SHELL, 0, 0),
	CALL("fgets", NULL, VAL_NET, 0, 0),
	CALL("file", NULL, ACT_READ, 0, 0),
	CALL("file_get_contents", NULL, ACT_READ, 0, 0),
	CALL("file_put_contents", NULL, ACT_WRITE, 0, 0),
	CALL("fopen", NULL, ACT_OPEN, 0, 0),
	CALL("fread", NULL, VAL_NET, 0, 0),
	CALL("fsockopen", NULL, VAL_CONNECT, 0, 0),
	CALL("glob", NULL, VAL_SAME, 0, 0),
	CALL("hex2bin", NULL, VAL_HEX, 0, 0),
	CALL("highlight_file", NULL, ACT_READ, 0, 0),
	CALL("implode", NULL, VAL_JOIN, 0, 0),
	CALL("include", NULL, ACT_LOAD, 0, 0),
	CALL("include_once", NULL, ACT_LOAD, 0, 0),
	CALL("link", NULL, ACT_LINK, 0, 0),
	CALL("mkdir", NULL, ACT_MAKE, 0, 0),
	CALL("pack", NULL, VAL_PACK, 0, 0),
	CALL("parse_ini_file", NULL, ACT_READ, 0, 0),
	CALL("passthru", NULL, ACT_SHELL, 0, 0),
	CALL("pcntl_exec", NULL, ACT_ARGV, 0, 0),
	CALL("pfsockopen", NULL, VAL_CONNECT, 0, 0),
	CALL("popen", NULL, ACT_SHELL, 0, 0),
	CALL("proc_open", NULL, ACT_SHELL, 0, 0),
	CALL("readfile", NULL, ACT_READ, 0, 0),
	CALL("realpath", NULL, VAL_SAME, 0, 0),
	CALL("remove", "File Filesystem", ACT_DELETE_TREE, 0, 0),
	CALL("rename", NULL, ACT_MOVE, 0, 0),
	CALL("require", NULL, ACT_LOAD, 0, 0),
	CALL("require_once", NULL, ACT_LOAD, 0, 0),
	CALL("rmdir", NULL, ACT_DELETE, 0, 0),
	CALL("shell_exec", NULL, ACT_SHELL, 0, 0),
	CALL("show_source", NULL, ACT_READ, 0, 0),
	CALL("socket_connect", NULL, VAL_CONNECT, 0, 0),
	CALL("socket_create", NULL, VAL_CONNECT, 0, 0),
	CALL("socket_read", NULL, VAL_NET, 0, 0),
	CALL("str_rot13", NULL, VAL_ROT13, 0, 0),
	CALL("stream_get_contents", NULL, VAL_NET, 0, 0),
	CALL("stream_socket_client", NULL, VAL_CONNECT, 0, 0),
	CALL("strrev", NULL, VAL_REVERSE, 0, 0),
	CALL("strval", NULL, VAL_SAME, 0, 0),
	CALL("symlink", NULL, ACT_LINK, 0, 0),
	CALL("system", NULL, ACT_SHELL, 0, 0),
	CALL("touch", NULL, ACT_MAKE, 0, 0),
	CALL("unlink", NULL, ACT_DELETE, 0, 0),
	CALL("unpack", NULL, VAL_PACK, 0, 0),
	CALL("usort", NULL, ACT_ARRAY_MAP, 0, 0),
};

const struct call_language calls_php = {
	.via = "php",
	.lex = LEX_HASH | LEX_SLASHES | LEX_TICK_SHELL | LEX_HEREDOC_PHP | LEX_SINGLE_RAW |
	       LEX_INTER_DOLLAR | LEX_SIGILS,
	.style = CALLS_BARE,
	.concat = '.',
	CALLS_ROWS(rows),
};

void
code_php(struct code *code)
{
	calls_read(code, &calls_php);
}
