/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODEL_H
#define COMMAND_MODEL_H

/*
 * Models of programs: what an argument vector does, as findings. A model is a table of options and
 * operands; a function (`refine`) says only what no table can. Models run nothing, look nothing up
 * and decide nothing about places: they say "deletes this path", verdict.c says what that means.
 *
 * Invariants:
 *   - a model sees arguments as fields: options that are not literal make the command unknown
 *     unless the operand at that place may be anything
 *   - what the table does not know (an option, a subcommand) is never harmless
 *   - an argument that names a program, and code in any language, is an `inner`: the walker judges
 *     it in turn
 */

#include "command/field.h"
#include "command/shell.h"

/* ---- findings ----------------------------------------------------------------------------- */

/* A consequence that does not depend on a place. `id` is stable: "PROGRAM.what" or "kind.what". */
struct rule {
	const char *id;
	enum bailey_decision decision;
	enum bailey_effect_kind kind;
	const char *message; /* "deletes the namespace and all that is in it": follows the span */
};

/* What is done to a path; verdict.c holds the place against it. */
enum deed {
	DEED_NONE,
	DEED_READ,  /* content is read */
	DEED_LIST,  /* names or metadata are read */
	DEED_WRITE, /* made, or overwritten */
	DEED_APPEND,
	DEED_EDIT,	  /* changed in place */
	DEED_MAKE,	  /* made when it is not there, nothing is overwritten: mkdir, touch, ln */
	DEED_DELETE,	  /* one file */
	DEED_DELETE_TREE, /* a directory and all below */
	DEED_EMPTY,	  /* all content is lost: truncate, shred, > of nothing */
	DEED_MOVE,	  /* leaves its place: source of mv */
	DEED_META,	  /* owner, mode, times, attributes */
	DEED_META_TREE,
	DEED_FORMAT,  /* a whole device or image is overwritten */
	DEED_EXECUTE, /* run as a program */
	DEED_SEND,    /* content leaves this machine */
	DEED_EXTRACT, /* files of unknown names are made below */
	DEED_SYNC,    /* made like another tree; what is not there is deleted (rsync --delete) */
	DEED_CONFIG,  /* used as a configuration that may name programs */
	DEED_COUNT_
};

enum effect_flag {
	EFFECT_FILTERED = 1,	   /* only some of what is below, by name or kind: find -name */
	EFFECT_FROM_STDIN = 2,	   /* what is written is the standard input */
	EFFECT_FROM_NETWORK = 4,   /* what is written came over the network */
	EFFECT_FROM_FILE = 8,	   /* what is written is the content of `other` */
	EFFECT_LINK = 16,	   /* `target` becomes a link to `other` */
	EFFECT_EXECUTABLE = 32,	   /* `target` becomes executable: chmod +x */
	EFFECT_REMOTE = 64,	   /* on another machine or in a container */
	EFFECT_SETUID = 128,	   /* the mode sets user or group id bits, or opens all to all */
	EFFECT_DATA = 256,	   /* what is written is `data` */
	EFFECT_FORCE = 512,	   /* --force, --no-preserve-root */
	EFFECT_FROM_OUTPUT = 1024, /* what is written is what the command itself prints */
};

struct effect {
	enum deed deed;		    /* with `target`; or */
	const struct rule *rule;    /* with or without a target, deed NONE */
	const struct field *target; /* NULL: none */
	const struct field *other;
	struct stream data;
	unsigned flags;
	struct effect *next;
};

enum language {
	LANG_BASH,
	LANG_SH,
	LANG_PYTHON,
	LANG_PERL,
	LANG_RUBY,
	LANG_NODE,
	LANG_PHP,
	LANG_LUA,
	LANG_TCL, /* tclsh, expect */
	LANG_R,
	LANG_OSASCRIPT,
	LANG_AWK,
	LANG_SED,
	LANG_JQ,
	LANG_SQL, /* psql, mysql, sqlite3: with their dot and backslash commands */
	LANG_REDIS,
	LANG_MONGO,
	LANG_VIM, /* ex commands */
	LANG_ED,
	LANG_LESS, /* commands of a pager: +!cmd */
	LANG_GDB,
	LANG_MAKE, /* makefile text */
	LANG_BC,
	LANG_DC,
	LANG_M4,
	LANG_CRONTAB, /* lines of times and commands */
	LANG_POWERSHELL,
	LANG_CMD,    /* cmd.exe */
	LANG_SCHEME, /* emacs --eval and lisps */
	LANG_OTHER,  /* code, of a language that nothing here reads */
	LANG_COUNT_
};

enum inner_kind {
	INNER_ARGV,  /* `argv` is a command */
	INNER_CODE,  /* `text` is code in `language` */
	INNER_FILE,  /* the file `text` holds code in `language` */
	INNER_STDIN, /* the standard input is code in `language` */
};

enum inner_flag {
	INNER_REMOTE = 1,     /* runs on another machine or in a container: never allow */
	INNER_PRIVILEGED = 2, /* runs as another user: never allow */
	INNER_MORE = 4,	      /* unknown words are appended: xargs with unknown input */
	INNER_INPUT = 8,      /* the words of the standard input are appended, when known: xargs */
	INNER_LATER = 16,     /* runs at another time: cron, at, a hook, a key: never allow */
	INNER_PROMPT = 32,    /* the wrapper itself is never allow */
	INNER_NO_INPUT = 64,  /* the inner command does not get the standard input */
	INNER_HERE = 128,     /* acts on the walking shell itself: eval, source, command, builtin */
	INNER_PROGRAM_ONLY = 256, /* skips functions and aliases: command, env, xargs */
	INNER_SOURCED = 512,	  /* INNER_FILE or STDIN that the shell itself reads: `.` */
	INNER_SPLIT = 1024,	  /* `text` is not for a shell: split at blanks into an argv (sort's
				   * --compress-program, git's sequence of words), no expansions */
	INNER_INPUT_LINES = 2048, /* with INNER_INPUT: each line is one word, and with `replace` the
				   * command is run for each */
};

struct inner {
	enum inner_kind kind;
	enum language language;
	const struct field *argv; /* ARGV: the command. Else: $0 and the arguments of the code */
	size_t argc;
	const struct field *text;
	const struct field *cwd;     /* where it runs: env -C, find -execdir; NULL: here */
	const struct field *replace; /* with INNER_INPUT: this text in argv becomes the input */
	const struct field *const *assignments; /* "NAME=VALUE": env's; NULL-terminated or NULL */
	unsigned flags;
	const char *via; /* "sudo", "bash -c": static */
	struct inner *next;
};

/* What the findings say of the command as a whole. */
enum finding_flag {
	FIND_KNOWN = 1,		 /* the table knows the program and everything in the argv */
	FIND_NETWORK = 2,	 /* talks to other machines: sends its input and operands */
	FIND_OUT_NETWORK = 4,	 /* prints what came over the network */
	FIND_OUT_SECRET = 8,	 /* prints secrets: env, gh auth token */
	FIND_OUT_NOTHING = 16,	 /* prints nothing that matters (cp, rm): its output is empty */
	FIND_SANDBOX = 32,	 /* harmless inside the sandbox only: git status */
	FIND_IGNORES_INPUT = 64, /* what is piped in is not read */
	FIND_DECODES = 128,	 /* its output is its input in another form */
};

struct findings {
	struct arena *arena;
	struct effect *effects, **effects_end;
	struct inner *inners, **inners_end;
	unsigned flags;
	const char *unknown; /* why FIND_KNOWN is not set: "option --foo" in a message; or NULL */
	const struct field *unknown_at;
	/* The paths that it prints, a line for each, as far as they are known: find, worktree list.
	 * Each may be there many times, with other unknown parts, or not at all. NULL: none. */
	const struct field *listed;
	size_t listed_count;
	struct effect spare_effect; /* what the find functions give when memory is out */
	struct inner spare_inner;
};

/* These add to the findings and give what they added, to be completed; never NULL. */
void findings_init(struct findings *found, struct arena *arena);
struct effect *find_deed(struct findings *found, enum deed deed, const struct field *target);
struct effect *find_rule(struct findings *found, const struct rule *rule,
			 const struct field *target);
struct inner *find_argv(struct findings *found, const struct field *argv, size_t argc,
			unsigned flags, const char *via);
struct inner *find_code(struct findings *found, enum language language, const struct field *text,
			unsigned flags, const char *via);
struct inner *find_file(struct findings *found, enum language language, const struct field *path,
			unsigned flags, const char *via);
struct inner *find_stdin(struct findings *found, enum language language, unsigned flags,
			 const char *via);
/* The command is not known for certain: prompt, with this reason. */
void find_unknown(struct findings *found, const char *why, const struct field *at);

/* ---- tables ------------------------------------------------------------------------------- */

enum arity {
	ARG_NONE,
	ARG_ONE,      /* -x VALUE, -xVALUE, --x VALUE, --x=VALUE */
	ARG_OPTIONAL, /* -xVALUE, --x=VALUE; never the next word */
	ARG_TWO,      /* takes the next two words (jq --arg, sqlite3): for words with names only */
	ARG_REST,     /* everything behind it, from `arg` to the end of match->argv (-xVALUE too):
		       * xterm -e, flatpak; find -exec is not that (see refine) */
};

/* What an option, or its argument, or an operand is. Values up to DEED_COUNT_ are deeds. */
enum use {
	USE_NOTHING = 0,
	USE_CODE = DEED_COUNT_, /* code in `language`: -c, -e */
	USE_CODE_FILE,		/* a file with code in `language` */
	USE_SHELL,		/* text that a shell runs: LANG_SH */
	USE_PROGRAM,		/* names a program, run without a shell: INNER_SPLIT */
	USE_COMMAND,		/* operands from here on are a command */
	USE_HELP,		/* only prints help or a version, whatever else is there (but for a
				 * subcommand that is not known): allow */
	USE_DRY,		/* nothing is done, only shown: effects of deeds become reads */
	USE_UNKNOWN,		/* known to be there, and not harmless: prompt */
	USE_RULE,		/* see `rule` */
	USE_HOST,		/* names a machine or a URL */
	USE_DIR,		/* relative paths are relative to this from here on (-C) */
	USE_MODE,    /* sets what the operands suffer to `operand` (rm -r: DELETE_TREE) */
	USE_SECRET,  /* argument is a password: fine */
	USE_ASSIGN,  /* NAME=VALUE for the environment of what is run */
	USE_CONFIG,  /* key=value of configuration: git -c; `refine` looks at it */
	USE_STDOUT,  /* argument "-" or none is the standard output, else DEED_WRITE of it */
	USE_PATTERN, /* the pattern came by option: the first operand is no pattern then; the
		      * argument suffers `operand`, when that is set: grep -f */
	USE_LAST,    /* the argument is what the operand with $ would be: cp -t */
	USE_VERSION, /* as USE_HELP, where it is the only argument: pip -V (but pip install -v) */
};

/* A set of options that take and do the same. */
struct option_row {
	const char *letters;	 /* "abc": -a, -b, -c; NULL */
	const char *names;	 /* "all almost-all": --all, --almost-all; NULL */
	uint8_t arity;		 /* enum arity */
	uint8_t use;		 /* enum deed or enum use: of the option or of its argument */
	uint8_t language;	 /* enum language, of USE_CODE and USE_CODE_FILE */
	uint8_t operand;	 /* USE_MODE: enum deed or use of all operands; see USE_PATTERN */
	const struct rule *rule; /* USE_RULE, or in addition to `use` */
	unsigned flags;		 /* enum effect_flag for what it does; enum finding_flag << 16 */
};

#define OPTIONS_END                                                                                \
	{                                                                                          \
		0                                                                                  \
	}
#define OPT_FINDS(flag) ((unsigned)(flag) << 16)

struct match;

/* How a program reads its command line. */
enum parse_style {
	PARSE_GNU = 0,	      /* getopt_long with permutation: options after operands, `--` */
	PARSE_POSIX = 1,      /* options end at the first operand */
	PARSE_LONG_ONE = 2,   /* long options with one dash as well (-name): terraform, go, java */
	PARSE_NO_CLUSTER = 4, /* letters do not cluster */
	PARSE_NO_ABBREV = 8,  /* long options must be whole */
	PARSE_PLUS = 16,      /* words that start with + are options, as if "-": vim, less, date
			       * need refine or rows whose name starts with '+' */
	PARSE_OLD_TAR = 32, /* the first word is a cluster of letters without a dash: tar, ar, ps */
	PARSE_NONE = 64,    /* no options: everything is an operand (echo, dd, expr, test) */
	PARSE_NUMBER = 128, /* -5 is a count: head, tail, git log */
	PARSE_LOOSE = 512,  /* unknown options are harmless: only where every dangerous one is
			     * listed and the program is prompt anyway */
	PARSE_OPTIONAL_NEXT = 1024, /* an unknown long option may take the next word (aws, az) */
	PARSE_VERSIONED = 2048,	    /* the name may end in a version: python3.11, gcc-12 */
	PARSE_SUB_ABBREV = 4096,    /* a prefix names a subcommand, the first of the table: ip a */
	PARSE_ANY_WORD = 8192,	    /* unknown words may stand anywhere, although there is a refine
				     * (it finds nothing that the table does not show) */
};

/*
 * Operands, as a pattern over words:
 *   "p f*"    first a pattern (USE_NOTHING), then files read
 *   letters:  . p nothing  f read  l list  w write  a append  e edit  m make  d delete  D tree
 *             E empty  v moved  c meta  C meta tree  x execute  s send  X extract  h host
 *             u unknown (prompt)  ! a command starts here
 *   suffix:   * any number from here  ? may be missing  $ the last one (before * is matched)
 *   "v* w$"   mv: all but the last are moved, the last is written
 * NULL: operands are USE_NOTHING; "" : none may be there (else unknown).
 */
struct program {
	const char *names; /* "grep egrep fgrep": blank-separated; see also subcommands */
	const char *operands;
	const struct option_row *options;
	/* The first operand chooses; ends with names NULL. In their names a blank joins words and
	 * | separates alternatives: "install|i|add", "remote add", "remote rm|remote remove"; the
	 * longest wins. An empty alternative ("install|") is taken when there is no operand. Their
	 * options come first, then those of the program; their style is that of the program unless
	 * they have one. Subcommands may have subcommands. When none fits, `operands` of the
	 * program hold; where that is NULL the command is unknown. */
	const struct program *subcommands;
	unsigned style;		 /* enum parse_style */
	unsigned finds;		 /* enum finding_flag always set */
	const struct rule *rule; /* always found (reboot; npm install); NULL: nothing beyond the
				  * options and operands */
	/* Says what the table cannot; runs after the table, with all that was matched. */
	void (*refine)(const struct match *match, struct findings *found);
};

#define PROGRAMS_END                                                                               \
	{                                                                                          \
		0                                                                                  \
	}

/* ---- matching ----------------------------------------------------------------------------- */

struct matched_option {
	const struct option_row *row;
	char letter;		  /* or 0 */
	const char *name;	  /* the whole long name, abbreviation resolved; or NULL */
	const struct field *word; /* the word that it stands in */
	const struct field *arg;  /* NULL: none; an empty one where a needed one is missing */
};

/* A command line matched against a program's table. */
struct match {
	const struct program *program; /* the subcommand's when there is one */
	const struct program *parent;  /* the program's then; else NULL */
	const struct shell *shell;     /* for what depends on variables: may be read, not set */
	const struct stream *input;    /* the standard input */
	const struct field *argv;      /* all words, program first */
	size_t argc;
	const struct matched_option *options;
	size_t option_count;
	const struct field *operands; /* the subcommand's words not included */
	size_t operand_count;
	size_t first_operand;	    /* index in argv of the first operand: where a command starts */
	bool operands_after_dashes; /* a "--" was seen */
	const struct field *dir;    /* USE_DIR, all of them joined; NULL: none */
	bool help;		    /* USE_HELP was seen: the findings are empty, no refine runs */
	bool dry;		    /* USE_DRY was seen */
	bool uncertain;		    /* an unknown word may be options, or shift the operands */
};

/* An operand or argument as a path: relative to match->dir where there is one. */
const struct field *match_path(const struct match *match, struct arena *arena,
			       const struct field *path);

/* The option with this letter or long name, or NULL; the last one when it was given twice. */
const struct matched_option *match_option(const struct match *match, char letter, const char *name);

/* What `argv` does. `argv[0]` is the program as written: a bare name or a path. Always gives
 * findings; a program without a model is FIND_KNOWN unset and nothing else. */
void model_judge(const struct shell *shell, const struct field *argv, size_t argc,
		 const struct stream *input, struct findings *found);

/* The model of a program by its base name; NULL: none. */
const struct program *model_find(const char *name, size_t len);

/* argv[0] as the name of a known program: the name itself when bare, the last component when the
 * path is absolute, normal after cleaning and in a system directory; NULL otherwise (./ls). */
const char *model_program_name(struct arena *arena, const struct field *program);

#endif /* COMMAND_MODEL_H */
