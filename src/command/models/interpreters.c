/* SPDX-License-Identifier: MIT */
/*
 * Interpreters of programming languages: how their command lines name the code that they run. The
 * first row of every table are the options that only print something, given alone: where an
 * interpreter does not know them it may read its standard input instead, so they are few.
 */

#include "command/models/interpreters_impl.h"
#include "command/models/models.h"

#define STYLE (PARSE_POSIX | PARSE_LOOSE | PARSE_NO_ABBREV)

/* A language, one line: its names, options, further style, and what it runs. */
#define INTERPRETER(names_, options_, style_, refine_)                                             \
	{                                                                                          \
		.names = (names_), .operands = ".*", .options = (options_),                        \
		.style = STYLE | (style_), .refine = (refine_)                                     \
	}

static const struct option_row python_options[] = {
	ROW_SHOWS("Vh", "version help help-env help-xoptions help-all"),
	ROW_PROGRAM_LAST("c", NULL, LANG_PYTHON),
	ROW("m", NULL, ARG_REST, USE_NOTHING),
	ROW_TAKES("WX", "check-hash-based-pycs"),
	ROW_FLAG("bBdEiIOPqRsStuvx", NULL),
	OPTIONS_END,
};

/* Others that take the same options, but not the same short ones for help. */
static const struct option_row python_like_options[] = {
	ROW_SHOWS(NULL, "version help"),       ROW_PROGRAM_LAST("c", NULL, LANG_PYTHON),
	ROW("m", NULL, ARG_REST, USE_NOTHING), ROW_TAKES("WX", NULL),
	ROW_FLAG("bBdEiIOPqRsStuvx", NULL),    OPTIONS_END,
};

static const struct option_row perl_options[] = {
	ROW_SHOWS("vh?", "help version"),
	ROW_PROGRAM_TEXT("eE", NULL, LANG_PERL),
	ROW_TAKES("IMm", NULL),
	ROW_MAYBE("iFCVxdD", NULL),
	ROW_FLAG("0123456789lnpacwWXsStTuUfgk", NULL),
	OPTIONS_END,
};

static const struct option_row ruby_options[] = {
	ROW_SHOWS("vh", "version help copyright"),
	ROW_PROGRAM_TEXT("e", NULL, LANG_RUBY),
	ROW_TAKES("IrCXE", "encoding external-encoding internal-encoding"),
	ROW_MAYBE("iFWxKT", "enable disable yjit jit"),
	ROW_FLAG("01234567lnpacwsSdyU", "verbose debug"),
	OPTIONS_END,
};

static const struct option_row node_options[] = {
	ROW_SHOWS("vh", "version help v8-options completion-bash"),
	ROW_PROGRAM_TEXT("e", "eval", LANG_NODE),
	{ "p", "print", ARG_ONE, USE_NOTHING, LANG_NODE, 0, NULL, 0 },
	ROW_PATH("r", "require import loader experimental-loader", DEED_EXECUTE),
	ROW_TAKES("C", "conditions input-type env-file icu-data-dir openssl-config title "
		       "experimental-default-type stack-trace-limit max-http-header-size"),
	ROW_FLAG("ci", "check interactive test watch inspect inspect-brk no-warnings"),
	OPTIONS_END,
};

static const struct option_row node_like_options[] = {
	ROW_SHOWS(NULL, "version help"),
	ROW_PROGRAM_TEXT("ep", "eval print", LANG_NODE),
	ROW_PATH("r", "require import loader", DEED_EXECUTE),
	OPTIONS_END,
};

static const struct option_row deno_options[] = {
	ROW_SHOWS("Vvh", "version help"),
	OPTIONS_END,
};

static const struct option_row php_options[] = {
	ROW_SHOWS("vh", "version help"),
	ROW_PROGRAM_TEXT("rBRE", "run process-begin process-code process-end", LANG_PHP),
	ROW_PATH("fF", "file process-file", DEED_EXECUTE),
	ROW_HOST("S", "server"),
	ROW_TAKES("cdtz", "php-ini define docroot zend-extension"),
	ROW_FLAG("aCeHilmnqsw", "interactive no-php-ini info syntax-check modules no-header"),
	OPTIONS_END,
};

static const struct option_row php_like_options[] = {
	ROW_PROGRAM_TEXT("rBRE", "run", LANG_PHP),
	ROW_PATH("fF", "file", DEED_EXECUTE),
	ROW_TAKES("cdtz", NULL),
	OPTIONS_END,
};

static const struct option_row lua_options[] = {
	ROW_SHOWS("v", NULL),
	ROW_PROGRAM_TEXT("e", NULL, LANG_LUA),
	ROW_TAKES("ljO", NULL),
	ROW_FLAG("iEWb", NULL),
	OPTIONS_END,
};

static const struct option_row lua_like_options[] = {
	ROW_PROGRAM_TEXT("e", NULL, LANG_LUA),
	ROW_TAKES("l", NULL),
	OPTIONS_END,
};

static const struct option_row tcl_options[] = {
	ROW_TAKES(NULL, "encoding"),
	OPTIONS_END,
};

static const struct option_row expect_options[] = {
	ROW_SHOWS("v", NULL),
	ROW_PROGRAM_TEXT("c", NULL, LANG_TCL),
	ROW_PATH("f", NULL, DEED_EXECUTE),
	ROW_TAKES("D", NULL),
	ROW_FLAG("bdinN", NULL),
	OPTIONS_END,
};

static const struct option_row r_options[] = {
	ROW_SHOWS(NULL, "version help"),
	ROW_PROGRAM_TEXT("e", NULL, LANG_R),
	ROW_PATH("f", "file", DEED_EXECUTE),
	ROW_TAKES("gd", "encoding gui debugger args"),
	ROW_FLAG("q",
		 "no-save save no-environ no-site-file no-init-file restore no-restore vanilla "
		 "quiet silent no-echo interactive verbose slave no-readline"),
	OPTIONS_END,
};

static const struct option_row osascript_options[] = {
	ROW_SHOWS("h", "help"),
	ROW_PROGRAM_TEXT("e", NULL, LANG_OSASCRIPT),
	ROW_TAKES("ls", NULL),
	ROW_FLAG("i", NULL),
	OPTIONS_END,
};

/* guile -c, sbcl --eval, clisp -x, racket -e, csi -e. */
#define LISP_ROWS                                                                                  \
	ROW_PROGRAM_TEXT("cex", "eval", LANG_SCHEME), ROW_PATH("ls", "load script", DEED_EXECUTE), \
		ROW_FLAG("nqi", "non-interactive quit no-userinit noinform batch"), OPTIONS_END

static const struct option_row lisp_options[] = { ROW_SHOWS(NULL, "version help"), LISP_ROWS };
static const struct option_row lisp_plain_options[] = { LISP_ROWS };

/* julia -e, scala -e, groovy -e, elixir -e, erl -eval, swift -e, ghc -e, crystal eval. */
#define OTHER_ROWS                                                                                 \
	ROW_PROGRAM_TEXT("eEr", "eval print e rpc-eval run", LANG_OTHER),                          \
		ROW_PATH("L", "load jar require", DEED_EXECUTE),                                   \
		ROW_TAKES("cp",                                                                    \
			  "cp classpath class-path project threads module-path add-modules"),      \
		OPTIONS_END

static const struct option_row other_short_options[] = { ROW_SHOWS("v", "version help"),
							 OTHER_ROWS };
static const struct option_row other_options[] = { ROW_SHOWS(NULL, "version help"), OTHER_ROWS };
static const struct option_row other_plain_options[] = { OTHER_ROWS };

static const struct option_row java_options[] = {
	ROW_SHOWS("h?", "version help showversion show-version"),
	ROW_PATH(NULL, "jar javaagent agentpath agentlib", DEED_EXECUTE),
	ROW_TAKES("pm", "cp classpath class-path module-path module add-modules source"),
	OPTIONS_END,
};

static const struct option_row m4_options[] = {
	ROW_SHOWS(NULL, "version help"),
	ROW_TAKES("BDHILNSTUot", "define include undefine debugfile"),
	ROW_PATH("FR", "freeze-state reload-state", DEED_WRITE),
	ROW_MAYBE("d", "debug synclines"),
	ROW_FLAG("EGPQceis", NULL),
	OPTIONS_END,
};

static const struct option_row gdb_options[] = {
	ROW_SHOWS("vh", "version help configuration"),
	ROW_PROGRAM_TEXT("o", "ex eval-command iex init-eval-command one-line", LANG_GDB),
	ROW_PATH("xs", "command x ix init-command source", DEED_EXECUTE),
	ROW_TAKES("pcdl", "pid core cd directory tty symbols exec se data-directory baud"),
	ROW("a", "args", ARG_REST, USE_COMMAND),
	ROW_FLAG("nqwb",
		 "nx nh batch batch-silent quiet silent nw tui readnow return-child-result"),
	OPTIONS_END,
};

const struct program models_interpreters[] = {
	INTERPRETER("python python2 python3 pypy pypy3 pythonw", python_options, PARSE_VERSIONED,
		    interpreter_python),
	INTERPRETER("ipython ipython3 bpython ptpython micropython jython", python_like_options, 0,
		    interpreter_python),
	INTERPRETER("perl", perl_options, PARSE_VERSIONED, interpreter_perl),
	INTERPRETER("ruby irb jruby truffleruby", ruby_options, PARSE_VERSIONED, interpreter_ruby),
	INTERPRETER("node nodejs tsx ts-node", node_options, PARSE_VERSIONED, interpreter_node),
	INTERPRETER("ts-node-esm ts-node-script esno babel-node swc-node zx", node_like_options, 0,
		    interpreter_node),
	{ .names = "deno",
	  .operands = ".*",
	  .options = deno_options,
	  .style = PARSE_LOOSE | PARSE_NO_ABBREV,
	  .refine = interpreter_deno },
	INTERPRETER("php php-cgi", php_options, PARSE_VERSIONED, interpreter_php),
	INTERPRETER("phpdbg hhvm", php_like_options, 0, interpreter_php),
	INTERPRETER("lua luajit", lua_options, PARSE_VERSIONED, interpreter_lua),
	INTERPRETER("luau texlua", lua_like_options, 0, interpreter_lua),
	INTERPRETER("tclsh wish jimsh", tcl_options, PARSE_VERSIONED, interpreter_tcl),
	INTERPRETER("expect expectk", expect_options, PARSE_VERSIONED, interpreter_tcl),
	INTERPRETER("Rscript R littler", r_options, PARSE_NO_CLUSTER, interpreter_r),
	INTERPRETER("osascript", osascript_options, 0, interpreter_osascript),
	INTERPRETER("guile sbcl clisp racket csi chicken-csi mit-scheme ecl", lisp_options,
		    PARSE_LONG_ONE | PARSE_VERSIONED, interpreter_lisp),
	INTERPRETER("scheme gosh chez petite newlisp janet", lisp_plain_options, PARSE_LONG_ONE,
		    interpreter_lisp),
	INTERPRETER("julia groovy elixir iex raku rakudo perl6", other_short_options,
		    PARSE_LONG_ONE, interpreter_other),
	INTERPRETER("scala ghci runghc runhaskell jshell kotlin dart ocaml "
		    "octave octave-cli maxima gp sage",
		    other_options, PARSE_LONG_ONE, interpreter_other),
	INTERPRETER("erl matlab groovysh kotlinc-jvm", other_plain_options, PARSE_LONG_ONE,
		    interpreter_other),
	INTERPRETER("java javaw", java_options, PARSE_LONG_ONE | PARSE_NO_CLUSTER,
		    interpreter_other),
	INTERPRETER("m4 gm4", m4_options, 0, interpreter_m4),
	{ .names = "gdb gdb-multiarch lldb rust-gdb rust-lldb cgdb",
	  .operands = ".*",
	  .options = gdb_options,
	  .style = PARSE_LONG_ONE | PARSE_LOOSE,
	  .refine = interpreter_gdb },
	PROGRAMS_END,
};
