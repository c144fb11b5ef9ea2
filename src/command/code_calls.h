/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_CALLS_H
#define COMMAND_CODE_CALLS_H

/*
 * One reader for all languages whose calls look like name(arguments): it walks the tokens, knows
 * values as far as they are literal, and looks calls up in the language's table of what they do.
 * Such a language is never known to be harmless; the reader finds what is plainly done. Private
 * to code_*.c.
 *
 * Invariants:
 *   - nothing is executed and no flow is followed: the text is read once, from front to back
 *   - work is bounded by `fuel`, recursion by CALLS_DEPTH_MAX; what lies beyond is not looked at
 *   - the home directory is the byte CALLS_HOME in a value; what is not known is FIELD_UNKNOWN
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#define CALLS_DEPTH_MAX 12
#define CALLS_ARGS_MAX 6
#define CALLS_HOME '\x01'
#define CALLS_TEXT_MAX ((size_t)64 << 10)

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_TEXT,   /* with unknown parts, maybe */
	VALUE_NUMBER, /* the digits */
	VALUE_WORDS,  /* a list of words, blanks between them */
	VALUE_LIST,   /* the tokens [from, to) of `tokens`, with commas between */
	VALUE_NAME,   /* a function or a module: its own name */
	VALUE_FILE,   /* an open file: its path */
};

struct value {
	uint8_t kind;	/* enum value_kind */
	char mode;	/* of VALUE_FILE: r w a */
	uint16_t taint; /* enum taint */
	uint32_t from, to;
	const char *text;
	size_t len;
	struct tokens tokens;
};

/* What a call is, or does. Up to VAL_LAST: its value; behind: a deed. */
enum call_act {
	ACT_NONE,
	VAL_HOME,   /* the home directory */
	VAL_EXPAND, /* its argument, a leading ~ being home */
	VAL_GETENV, /* an environment variable: HOME is home */
	VAL_PATH,   /* its arguments as one path */
	VAL_SAME,   /* its argument or receiver, as a text that means the same */
	VAL_BASE64, /* decoders */
	VAL_HEX,
	VAL_ROT13,
	VAL_CODEC, /* the second argument says which */
	VAL_PACK,  /* the format says which; the text is the receiver or the second argument */
	VAL_REVERSE,
	VAL_CHARS,   /* characters from numbers */
	VAL_JOIN,    /* a list with a text between */
	VAL_FORMAT,  /* a format and its arguments */
	VAL_MODULE,  /* a module by name */
	VAL_GETATTR, /* the function whose name is the second argument */
	VAL_LIST,    /* a list of its arguments */
	VAL_NET,     /* what comes over the network */
	VAL_CONNECT, /* the same, from a connection that can carry a shell */
	VAL_LAST = VAL_CONNECT,
	ACT_SHELL, /* a shell runs argument `arg`; a list, or several texts, are an argv */
	ACT_ARGV,  /* argument `arg` is a program, what follows its arguments, or a list of them */
	ACT_ARGV_ZERO, /* the same, the first of them being the program's own name again */
	ACT_DELETE,
	ACT_DELETE_TREE,
	ACT_DELETE_HOW, /* a tree when an argument says recursive */
	ACT_OPEN,	/* a path, then a mode */
	ACT_OPEN_PERL,
	ACT_READ,
	ACT_WRITE,	    /* a path, then data */
	ACT_WRITE_RECEIVER, /* data into the file or path before the dot */
	ACT_APPEND,
	ACT_DATA, /* data into an open file */
	ACT_COPY,
	ACT_MOVE,
	ACT_LINK,
	ACT_META,
	ACT_META_TREE,
	ACT_MAKE,
	ACT_EMPTY,
	ACT_EVAL,  /* code of this language */
	ACT_DUP,   /* puts a descriptor in the place of another */
	ACT_FETCH, /* a URL into a file */
	ACT_CHDIR,
	ACT_LOAD, /* code from a file, or from a URL */
	ACT_RULE,
	ACT_RULE_EMPTY, /* the rule holds when the first argument is {} or missing */
	ACT_OBJECT,	/* the first argument is an object; see `rule` and `keys` */
	ACT_ARRAY_MAP,	/* the first argument names a function that gets the second */
	ACT_CALLBACK,	/* the first argument names a function that gets what is before the dot */
	ACT_REDIS,	/* arguments are a command of redis */
};

enum call_flag {
	CALL_ALL = 1,	   /* all arguments from `arg` on */
	CALL_RECEIVER = 2, /* the path is what stands before the dot */
};

struct call_row {
	const char *name;
	const char *owners; /* NULL: any; else one of these must stand before the dot, "-" being
			     * none */
	uint8_t act;
	uint8_t arg;
	uint16_t flags;
	const struct rule *rule;
	const char *keys; /* ACT_OBJECT: names of members that the rule is for */
};

enum call_style {
	CALLS_BARE = 1,	 /* arguments need no parentheses: Perl, Ruby */
	CALLS_TILDE = 2, /* its functions take ~ for home */
	CALLS_LINES = 4, /* a newline ends a statement */
	CALLS_CONST = 8, /* a property without parentheses is a call: Ruby */
};

struct call_language {
	const char *via;
	unsigned lex;
	unsigned style;
	uint16_t concat;	     /* the operator that joins texts */
	const struct call_row *rows; /* by name, in the order of strcmp */
	size_t count;
};

/* Reads all of `code` as `language`. */
void calls_read(struct code *code, const struct call_language *language);

/* A row without a rule. */
#define CALL(name_, owners_, act_, arg_, flags_)                                                   \
	{                                                                                          \
		.name = (name_), .owners = (owners_), .act = (act_), .arg = (arg_),                \
		.flags = (flags_)                                                                  \
	}

extern const struct call_language calls_python, calls_perl, calls_ruby, calls_node, calls_php,
	calls_lua, calls_r, calls_other, calls_mongo;

#define CALLS_ROWS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

/* ---- between code_value.c and code_act.c --------------------------------------------------- */

#define VARS_SLOTS 256
#define VARS_MAX 160

struct binding {
	const char *name;
	size_t len;
	struct value value;
};

enum machine_seen {
	SEEN_CONNECT = 1,
	SEEN_DUP = 2,
	SEEN_SHELL = 4,	   /* runs a shell */
	SEEN_SINK = 8,	   /* runs anything */
	SEEN_FETCHED = 16, /* reads from the network */
	SEEN_EVAL = 32,	   /* evaluates what is not known */
};

struct machine {
	struct code *code;
	struct arena *arena;
	const struct call_language *language;
	struct tokens tokens;
	size_t fuel;
	unsigned depth;
	unsigned seen;	      /* enum machine_seen */
	unsigned inside;      /* brackets around: newlines do not count */
	struct value *words;  /* room of code_act.c, or NULL */
	struct binding *vars; /* VARS_SLOTS, or NULL */
	size_t var_count;
	struct value cwd; /* what a chdir said; VALUE_UNKNOWN without a text: nothing */
	bool moved;
};

struct args {
	struct value items[CALLS_ARGS_MAX];
	struct {
		const char *text;
		size_t len;
	} keys[CALLS_ARGS_MAX]; /* of keyword arguments */
	size_t count;		/* at most CALLS_ARGS_MAX */
	size_t from, to;	/* the tokens of all of them */
};

/* A call that is being read. */
struct call {
	const struct call_row *row;
	struct value receiver;
	struct args args;
};

bool calls_burn(struct machine *machine, size_t amount);
struct value calls_text(const char *text, size_t len);
struct value calls_unknown(unsigned taint);
/* Texts joined; unknown when neither is known or it would be too long. */
struct value calls_join(struct machine *machine, const struct value *a, const struct value *b);
struct value calls_string(struct machine *machine, const struct token *token);
/* The value of the expression at *at; *at goes behind it, at most to `end`. */
struct value calls_expression(struct machine *machine, size_t *at, size_t end);
/* The elements of a list, at most `max`. */
size_t calls_elements(struct machine *machine, const struct value *list, struct value *out,
		      size_t max);
void calls_args(struct machine *machine, size_t from, size_t to, struct args *args);
/* A chain of names, calls and subscripts; with `act`, its calls are done. */
struct value calls_chain(struct machine *machine, size_t *at, size_t end, bool act);
void calls_bind(struct machine *machine, const char *name, size_t len, const struct value *value);
const struct value *calls_bound(const struct machine *machine, const char *name, size_t len);
const struct call_row *calls_row(const struct call_language *language, const char *name, size_t len,
				 const char *owner, size_t owner_len);
/* What a VAL_ call gives. */
struct value calls_value(struct machine *machine, const struct call *call);
/* The mode that the arguments of an open name: r w x a or + */
char calls_open_mode(const struct call *call);
/* Does what the call does. */
void calls_act(struct machine *machine, const struct call *call);
/* Walks a text in the same language: an interpolation, an eval. */
void calls_walk(struct machine *machine, const char *text, size_t len);
/* Backquotes. */
void calls_shell_token(struct machine *machine, const struct token *token);

#endif /* COMMAND_CODE_CALLS_H */
