/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_SYNTAX_H
#define COMMAND_SYNTAX_H

/*
 * The reader: text in, syntax tree out. It knows the grammar of bash and nothing of what commands
 * mean. Nothing is expanded here: quotes are removed and marked, expansions are parts of words.
 *
 * Invariants:
 *   - everything lives in the arena that syntax_parse() is given
 *   - time is linear in the length of the text (times the depth of nested backquotes)
 *   - recursion is bounded by SYNTAX_DEPTH_MAX; deeper is trouble, like anything that bash would
 *     reject or that the reader does not know for certain
 *   - spans are bytes of the source in which the node stands
 */

#include "base/arena.h"

#include <bailey/command.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYNTAX_DEPTH_MAX 200

/* A text that is read: what the caller gave, or what a word of an outer source turned out as. */
struct source {
	const char *text; /* `len` bytes and a NUL */
	size_t len;
	const struct source *outer; /* NULL for the caller's */
	struct bailey_span at;	    /* the word in `outer` that it comes from */
	bool exact; /* byte i is byte at.start + i of `outer`: spans inside can be mapped */
};

/* The span of `source` in the outermost text. */
struct bailey_span source_outermost(const struct source *source, struct bailey_span span);

/* ---- words ------------------------------------------------------------------------------- */

enum part_kind {
	PART_TEXT,    /* `text`: bytes as they are when `quoted`; else with live * ? [ ] { , } ~ */
	PART_PARAM,   /* $x ${x...} */
	PART_COMMAND, /* $(...) `...` and ${ ...; }: `script` */
	PART_FILE,    /* $(<file): `script` is that redirection alone */
	PART_IN,      /* <(...): `script` */
	PART_OUT,     /* >(...): `script` */
	PART_ARITH,   /* $((...)) and $[...]: `word` is the expression, itself with parts */
	PART_EXTGLOB, /* ?( *( +( @( !( ... ): `text` is the pattern as written, parentheses and
		       * all; `word` the same with its expansions as parts */
	PART_SUBSCRIPT, /* in words of a compound assignment, [i]= in front: `word`; `text` is "="
			 * or
			 * "+=" */
	PART_ARRAY, /* ( elements ) of an argument, `declare a=(x y)`: `word` is the list of them,
		     * maybe NULL. PART_TEXT with "a=" or "a+=" stands in front */
};

/* The operators of ${...}. Those with a colon also act on what is set and empty: `colon`. */
enum param_op {
	PARAM_PLAIN,	     /* ${x} */
	PARAM_LENGTH,	     /* ${#x} */
	PARAM_DEFAULT,	     /* ${x-w} ${x:-w} */
	PARAM_ASSIGN,	     /* ${x=w} */
	PARAM_ERROR,	     /* ${x?w} */
	PARAM_ALTERNATE,     /* ${x+w} */
	PARAM_SUFFIX,	     /* ${x%w} */
	PARAM_SUFFIX_LONG,   /* ${x%%w} */
	PARAM_PREFIX,	     /* ${x#w} */
	PARAM_PREFIX_LONG,   /* ${x##w} */
	PARAM_REPLACE,	     /* ${x/w/v} */
	PARAM_REPLACE_ALL,   /* ${x//w/v} */
	PARAM_REPLACE_START, /* ${x/#w/v} */
	PARAM_REPLACE_END,   /* ${x/%w/v} */
	PARAM_UPPER,	     /* ${x^w} */
	PARAM_UPPER_ALL,     /* ${x^^w} */
	PARAM_LOWER,	     /* ${x,w} */
	PARAM_LOWER_ALL,     /* ${x,,w} */
	PARAM_SUBSTRING,     /* ${x:w} ${x:w:v}: arithmetic */
	PARAM_TRANSFORM,     /* ${x@Q}: `transform` is the letter */
	PARAM_NAMES,	     /* ${!x*} ${!x@}: `transform` is * or @ */
	PARAM_KEYS,	     /* ${!x[@]} ${!x[*]} */
};

struct word;

struct param {
	const char *name;   /* "HOME", "1", "10", or one of @ * # ? - $ ! 0 _; "" for what bash
			     * does not accept between the braces (trouble) */
	struct word *index; /* of ${x[i]}; "@" and "*" as written; NULL */
	enum param_op op;
	bool indirect; /* ${!x...} */
	bool colon;
	char transform;
	struct word *arg;  /* w; NULL where there is none */
	struct word *arg2; /* v; NULL where there is none */
};

struct part {
	enum part_kind kind;
	bool quoted; /* inside '...', "...", $'...' or behind a backslash */
	bool single; /* quoted, and not by double quotes: no parts beside it were live */
	struct bailey_span span; /* with its quotes */
	uint32_t exact; /* PART_TEXT: `text` stands in the source from here; UINT32_MAX when not */
	const char *text;
	size_t len;
	struct param *param;
	struct script *script;
	struct word *word;
	struct part *next;
};

/* '' is a word with one quoted, empty PART_TEXT. A word without parts occurs only as ${x-}. */
struct word {
	struct part *parts;
	struct bailey_span span;
	struct word *next; /* in a list of words */
};

/* ---- commands ---------------------------------------------------------------------------- */

enum redir_op {
	REDIR_IN,	  /* < */
	REDIR_OUT,	  /* > */
	REDIR_APPEND,	  /* >> */
	REDIR_CLOBBER,	  /* >| */
	REDIR_BOTH,	  /* <> */
	REDIR_ALL,	  /* &> and >& WORD where WORD is known and no number or - */
	REDIR_ALL_APPEND, /* &>> */
	REDIR_DUP_IN,	  /* <& */
	REDIR_DUP_OUT,	  /* >&: the word is "2", "-", "2-", or not known yet */
	REDIR_HEREDOC,	  /* << and <<-: `word` is the body, tabs removed, as if in double quotes
			   * (or one single-quoted part when the delimiter was quoted) */
	REDIR_HERESTRING, /* <<< */
};

struct redirect {
	enum redir_op op;
	int fd;		      /* as written or by default; -1 with `variable`, and for REDIR_ALL* */
	const char *variable; /* {name}> */
	struct word *word;
	struct bailey_span span;
	struct redirect *next;
};

struct assignment {
	const char *name;
	struct word *index; /* a[i]=; NULL */
	bool append;	    /* += */
	bool array;	    /* =( ... ): `value` is a list of words, maybe empty */
	struct word *value; /* NULL: NAME= with nothing */
	struct bailey_span span;
	struct assignment *next;
};

enum node_kind {
	NODE_SIMPLE,	/* assigns, words, redirects */
	NODE_PIPELINE,	/* `first`: stages by `next`; `negated`, `timed` */
	NODE_AND,	/* first && second */
	NODE_OR,	/* first || second */
	NODE_SUBSHELL,	/* ( body ) */
	NODE_GROUP,	/* { body } */
	NODE_IF,	/* if condition; then body; else other: elif is an if in `other` */
	NODE_WHILE,	/* while condition; do body */
	NODE_UNTIL,	/* until */
	NODE_FOR,	/* for name [in words]; do body; `has_in` */
	NODE_SELECT,	/* the same */
	NODE_FOR_ARITH, /* for ((word; word->next; word->next->next)); do body: always three */
	NODE_CASE,	/* case `words` in `cases` */
	NODE_FUNCTION,	/* name() `first`: any compound command, with its redirects */
	NODE_COND,	/* [[ words ]]: flat, operators and parentheses as words; `word_kinds` */
	NODE_ARITH,	/* (( words )): one word */
	NODE_COPROC,	/* coproc [name] first */
};

/* Words of [[ ]]: which are operators, and how operands are read. */
enum cond_role {
	COND_OPERATOR = 'o', /* ! && || ( ) -f == =~ < and so on */
	COND_OPERAND = 'w',
	COND_PATTERN = 'p', /* right of == = != */
	COND_REGEX = 'r',   /* right of =~ */
};

enum case_end {
	CASE_BREAK, /* ;; or esac */
	CASE_FALL,  /* ;& the next body runs too */
	CASE_TEST,  /* ;;& the next patterns are tried */
};

struct case_arm {
	struct word *patterns;
	struct script *body;
	enum case_end end;
	struct case_arm *next;
};

struct node {
	enum node_kind kind;
	struct bailey_span span;
	struct node *next; /* next stage of a pipeline */
	struct assignment *assigns;
	struct word *words;
	struct redirect *redirects; /* of any kind of node, in order */
	const char *roles;	    /* NODE_COND: one enum cond_role for each word */
	const char *name;	    /* of for, select, function, coproc */
	struct node *first, *second;
	struct script *condition, *body, *other;
	struct case_arm *cases;
	bool negated, timed, has_in;
	bool pipe_err; /* |& behind this stage */
};

/* One command of a list: up to ; & or a newline. */
struct item {
	struct node *node;
	bool background; /* & */
	uint32_t line;	 /* items with the same number were read together: a line of input */
	struct item *next;
};

struct script {
	struct item *items; /* NULL: empty */
	struct bailey_span span;
	const struct source *source;
};

/* ---- reading ------------------------------------------------------------------------------ */

enum dialect {
	DIALECT_BASH,
	DIALECT_SH, /* POSIX sh, as dash has it: what only bash has is trouble */
};

/* Why a text is not readable. `rule` is a stable id: "syntax.unreadable", "syntax.characters"
 * (carriage returns, NUL, zero-width and bidirectional characters), "nesting-too-deep". */
struct trouble {
	const char *rule; /* NULL: there is none */
	const char *message;
	struct bailey_span span;
	bool late; /* a shell would find this out only where it runs that part, if at all: the tree
		    * is whole, and all of it may have run before */
};

/*
 * Reads `source`, which stays referenced by the tree. Always gives a script: with trouble, that of
 * the lines of input that are complete before it, which a shell would have run already.
 * NULL only when memory is out. `extglob`: is that option on at the start? A line of its own with
 * `shopt -s extglob` switches it on for the lines after it.
 */
struct script *syntax_parse(struct arena *arena, const struct source *source, enum dialect dialect,
			    bool extglob, struct trouble *trouble);

/*
 * One word by itself, as if in double quotes when `quoted` (what ${x@P} and arithmetic read).
 */
struct word *syntax_parse_word(struct arena *arena, const struct source *source, bool quoted,
			       struct trouble *trouble);

#endif /* COMMAND_SYNTAX_H */
