/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_READER_H
#define COMMAND_READER_H

/*
 * The inside of the reader, for its files alone. One pass over the text, without a token list: what
 * a character means depends on where the parser stands, so the parser asks for what it needs.
 *
 *   syntax.c           the entry points of syntax.h
 *   characters.c       which characters are trouble wherever they stand
 *   lexer.c            character classes, blanks, comments, newlines, reserved words
 *   words.c            words: unquoted text and the quotes in it
 *   quoted.c           text that is as if in double quotes
 *   ansi.c             $'...'
 *   substitution.c     $(...) `...` <(...) $((...)) $[...]
 *   param.c            ${...}
 *   assign.c           NAME=VALUE, subscripts, NAME=( ... )
 *   redirect.c         redirections
 *   heredoc.c          bodies of here-documents
 *   cond.c             [[ ... ]]
 *   parser.c           texts, lists, pipelines
 *   parser_simple.c    simple commands
 *   parser_compound.c  if, for, case and the like
 *
 * Invariants:
 *   - positions are offsets in `text`; what is at or behind `end` reads as 0. There is no NUL
 * before
 *   - a backslash and a newline behind it are nothing at all, outside of single quotes, comments
 *     and quoted here-documents: rd_skip() steps over them
 *   - after rd_fail(), `stopped` is set and nothing is left to read, so every loop ends; a function
 *     that reads gives NULL or false then. Troubles of rd_note() change nothing in the reading
 *   - every newline that is a token goes through rd_newline(), which reads pending here-documents
 */

#include "command/syntax.h"

/* ---- character classes ---------------------------------------------------------------------- */

enum char_class {
	CHAR_META = 1, /* ends a word: blanks, newline, ; & | < > ( ) */
	CHAR_DOLLAR = 2,
	CHAR_BACKSLASH = 4,
	CHAR_BACKQUOTE = 8,
	CHAR_DQUOTE = 16,
	CHAR_SQUOTE = 32,
	CHAR_RBRACE = 64,
	CHAR_SLASH = 128,
	CHAR_COLON = 256,    /* : and ? */
	CHAR_PAREN = 512,    /* ( and ) */
	CHAR_BRACKET = 1024, /* [ and ] */
	CHAR_SEMI = 2048,
	CHAR_ANGLE = 4096, /* < and > */
	CHAR_DIGIT = 8192,
	CHAR_NAME = 16384,    /* letters and _ */
	CHAR_KEYWORD = 32768, /* a reserved word may start with it */
};

extern const uint16_t char_classes[256];

static inline bool
char_is(char c, unsigned classes)
{
	return (char_classes[(unsigned char)c] & classes) != 0;
}

/* ---- state ---------------------------------------------------------------------------------- */

/* A here-document whose body has not been reached. */
struct pending {
	struct redirect *redirect;
	const char *delimiter;
	size_t len;
	bool quoted;
	bool tabs; /* <<-: leading tabs are removed */
	struct pending *next;
};

struct reader {
	struct arena *arena;
	const struct source *source;
	const char *text;
	uint32_t pos;
	uint32_t end;
	enum dialect dialect;
	bool extglob;
	bool stopped;
	bool after_compound; /* the last command ended in a way that lets a reserved word follow */
	bool in_parens;	     /* inside $( ) */
	bool stray_in;	     /* bash still waits for an `in` */
	bool in_case;	     /* bash believes to be in a `case` */
	bool late;	     /* in what the shell reads only when it runs it */
	bool in_body;	     /* in the body of a here-document */
	bool in_array;	     /* among the elements of an array */
	bool after_body;     /* in $( ), behind a here-document: bash may lose the next ; */
	uint32_t depth;
	uint32_t deepest; /* of the tree read last; see and_or() */
	uint32_t line;
	uint32_t last_end;     /* behind the last token */
	uint32_t script_start; /* of the last $( ): where its text starts, blanks left out */
	size_t budget;	       /* bytes that may be read a second time */
	struct pending *pending, **pending_end;
	unsigned pending_count;
	unsigned bodies; /* of here-documents that have been read */
	struct trouble *trouble;
	const struct bailey_span *trouble_at; /* where all troubles are said to be; NULL: where */
};

static inline char
rd_at(const struct reader *r, uint32_t pos)
{
	return pos < r->end ? r->text[pos] : '\0';
}

/* `pos`, or behind the line continuations that stand there. */
static inline uint32_t
rd_skip(const struct reader *r, uint32_t pos)
{
	while (rd_at(r, pos) == '\\' && rd_at(r, pos + 1) == '\n') {
		pos += 2;
	}
	return pos;
}

/* The character at the reader, continuations stepped over. */
static inline char
rd_cur(struct reader *r)
{
	r->pos = rd_skip(r, r->pos);
	return rd_at(r, r->pos);
}

/* The character behind that at `pos`, continuations stepped over. */
static inline char
rd_after(const struct reader *r, uint32_t pos)
{
	return rd_at(r, rd_skip(r, pos + 1));
}

/* Steps over one character. */
static inline void
rd_next(struct reader *r)
{
	r->pos = rd_skip(r, r->pos + 1);
}

/* ---- characters.c, lexer.c ------------------------------------------------------------------ */

/* The offset and in `*len` the length of the first character that is trouble; `len` when none. */
size_t characters_check(const char *text, size_t len, size_t *bad_len);

/* Notes a trouble and reads on. */
void rd_note(struct reader *r, const char *rule, const char *message, uint32_t start, uint32_t end);
#define rd_doubt(r, message, start, end) rd_note(r, "syntax.unreadable", message, start, end)
/* Notes what sh does not have. */
void rd_only_bash(struct reader *r, const char *message, uint32_t start, uint32_t end);
/* Notes a trouble and ends the reading. */
void rd_fail(struct reader *r, const char *message, uint32_t start, uint32_t end);
/* rd_fail() for what stands at the reader. Gives NULL. */
void *rd_unexpected(struct reader *r);

/* Memory: NULL ends the reading. */
void *rd_alloc(struct reader *r, size_t size);
char *rd_strndup(struct reader *r, const char *text, size_t len);

/* A place to go back to, when what was tried does not work out. Going back is charged to the budget
 * and fails when that is used up, so that trials inside of trials cannot add up. */
struct mark {
	uint32_t pos;
	bool in_case;
	bool after_body;
	struct trouble trouble;
	struct pending *pending, **pending_end;
	unsigned pending_count;
};
struct mark rd_mark(const struct reader *r);
bool rd_back(struct reader *r, const struct mark *mark);

/* One deeper; false when that is too deep. Each true needs an rd_leave(). */
bool rd_enter(struct reader *r);
void rd_leave(struct reader *r);

/* Steps over blanks, continuations and a comment; stops before the newline. */
void rd_blanks(struct reader *r);
/* Steps over one newline and the bodies of here-documents that follow it. */
void rd_newline(struct reader *r);
/* Steps over blanks, comments and newlines; true when there was a newline. */
bool rd_newlines(struct reader *r);

enum keyword {
	KW_NONE = 0,
	KW_BANG,
	KW_TIME,
	KW_OPENS_, /* from here on: a compound command starts */
	KW_IF = KW_OPENS_,
	KW_WHILE,
	KW_UNTIL,
	KW_FOR,
	KW_SELECT,
	KW_CASE,
	KW_LBRACE,
	KW_COND,
	KW_FUNCTION,
	KW_COPROC,
	KW_CLOSES_, /* from here on: ends a list */
	KW_THEN = KW_CLOSES_,
	KW_ELIF,
	KW_ELSE,
	KW_FI,
	KW_DO,
	KW_DONE,
	KW_ESAC,
	KW_RBRACE,
	KW_CONDEND,
	KW_IN,
	KW_COUNT_
};

/* The reserved word at the reader, which stands at the start of a token; `*end` is behind it. It is
 * not stepped over. */
enum keyword rd_keyword(const struct reader *r, uint32_t *end);
/* Is the whole, unquoted word at the reader this one? */
bool rd_is_word(const struct reader *r, const char *word, uint32_t *end);
/* Steps over the reserved word, after blanks; fails when something else stands there. */
bool rd_expect(struct reader *r, enum keyword keyword);

/* ---- words.c -------------------------------------------------------------------------------- */

/* A list of parts that grows. */
struct parts {
	struct part *first;
	struct part *last;
};

static inline void
parts_init(struct parts *parts)
{
	parts->first = NULL;
	parts->last = NULL;
}

/* A new part at the end; NULL when memory is out. */
struct part *parts_add(struct reader *r, struct parts *parts, enum part_kind kind, bool quoted,
		       uint32_t start, uint32_t end);
/* Text that stands in the source from `start` to `end`. */
struct part *parts_text(struct reader *r, struct parts *parts, bool quoted, uint32_t start,
			uint32_t end);
struct word *rd_make_word(struct reader *r, const struct parts *parts, uint32_t start);

enum word_flag {
	WORD_ARRAYS = 1,  /* behind declare and the like: name=( ... ) is an array */
	WORD_REGEX = 2,	  /* right of =~: ( ) and | belong to it */
	WORD_EXTGLOB = 4, /* extended patterns, whatever the option says */
	WORD_ELEMENT = 8, /* of a compound assignment: [i]= may stand in front */
};

/* Does a word start here? (No blank or operator, but perhaps a process substitution.) */
bool rd_word_starts(const struct reader *r);
/* Reads the word at the reader, which starts here. */
struct word *rd_word(struct reader *r, unsigned flags);
/* Unquoted text with live quotes, up to an end that is left to be stepped over. */
enum live_mode {
	LIVE_WORD,	  /* blanks and operators: for rd_word() */
	LIVE_GROUP,	  /* behind the ) that matches: for extended patterns */
	LIVE_BRACE,	  /* } */
	LIVE_BRACE_SLASH, /* } or / */
	LIVE_SUBSCRIPT,	  /* ] that matches */
	LIVE_KEY,	  /* the same, or } */
	LIVE_RANGE,	  /* the end of the range that is read */
};
bool rd_live(struct reader *r, struct parts *parts, enum live_mode mode, unsigned flags);

/* Text as if in double quotes, up to an end that is left to be stepped over. */
enum soft_mode {
	SOFT_DQUOTE,	  /* " */
	SOFT_EMBEDDED,	  /* the same, in a ${...} in double quotes: bash removes every backslash */
	SOFT_RANGE,	  /* the end of the range that is read */
	SOFT_BRACE_RANGE, /* the same, in a ${...} in double quotes */
	SOFT_HERE,	  /* the same, in a here-document: a " is no quote */
	SOFT_HERE_TABS,	  /* the same, tabs at the start of lines removed */
	SOFT_BRACE,	  /* } */
	SOFT_PAREN,	  /* ) that matches: arithmetic, as all below */
	SOFT_BRACKET,	  /* ] that matches */
	SOFT_FOR,	  /* ; or ) that matches */
	SOFT_SUBSTRING,	  /* } or a : that is not of ?: or in parentheses */
};
bool rd_soft(struct reader *r, struct parts *parts, enum soft_mode mode);

/* "...": the reader stands on the quote, `start` is that or the $ before it. */
bool rd_dquote(struct reader *r, struct parts *parts, uint32_t start, bool embedded);
/* $'...': the reader stands on the dollar sign. `soft`: inside of a ${...} in double quotes. */
bool rd_ansi(struct reader *r, struct parts *parts, bool soft);

/* The one text that all of the word is, without its quotes; NULL when it has other parts. */
const char *rd_literal(struct reader *r, const struct word *word, size_t *len);

/* ---- substitution.c, param.c ---------------------------------------------------------------- */

/* Does the $ at the reader start an expansion ($x, ${, $(, $[)? Not $' and $". */
bool rd_is_expansion(const struct reader *r, uint32_t pos);
/* Reads that expansion. `soft`: as if in double quotes. */
bool rd_dollar(struct reader *r, struct parts *parts, bool soft);
/* `escaped`: a backslash before a double quote is removed too. */
bool rd_backquote(struct reader *r, struct parts *parts, bool soft, bool escaped);
/* <(...) and >(...): the reader stands on the angle. */
bool rd_process(struct reader *r, struct parts *parts);
/* ${...}: the reader stands on the dollar sign. */
bool rd_param(struct reader *r, struct parts *parts, bool soft);
/* The rest of arithmetic behind "((", up to and with "))". `exact`: nothing may stand between those
 * two. 1: it was; 0: it is no arithmetic, and the reader is behind what would be the end of a
 * command in parentheses; -1: failed. */
int rd_arith(struct reader *r, struct parts *parts, bool exact);
/* Are `open` and `close` balanced in that range, outside of quotes? */
bool rd_balanced(const struct reader *r, uint32_t start, uint32_t end, char open, char close);

/* ---- assign.c ------------------------------------------------------------------------------- */

/* Behind the name at `pos`, or `pos`. */
uint32_t rd_name_end(const struct reader *r, uint32_t pos);
/* Does name[ or name=( stand at the reader? */
bool rd_array_starts(const struct reader *r);
/* The name between the two, continuations removed. */
const char *rd_name(struct reader *r, uint32_t start, uint32_t end);
/* Reads an assignment, or with a subscript what turns out to be a word: one of the two is set when
 * it is true, none when nothing was read. */
bool rd_assignment(struct reader *r, struct assignment **assign, struct word **word);
/* ( elements ): the reader stands on the parenthesis. */
bool rd_elements(struct reader *r, struct word **elements);
/* [ ... ]: the reader stands on the bracket. `braced`: in ${...}, whose } ends it too and is left.
 */
struct word *rd_subscript(struct reader *r, bool braced);

/* ---- redirect.c, heredoc.c ------------------------------------------------------------------ */

/* Does a redirection start here, its number or {name} included? */
bool rd_redirect_starts(const struct reader *r);
/* Reads it. */
struct redirect *rd_redirect(struct reader *r);
bool rd_heredoc_pend(struct reader *r, struct redirect *redirect, struct word *delimiter,
		     bool tabs);
/* Reads the bodies of all that are pending. */
void rd_heredocs(struct reader *r);
/* Those that are pending outside of what is read next, which has its own; and back to them: what is
 * pending inside gets an empty body then. */
struct heredocs {
	struct pending *first, **end;
	unsigned count;
};
void rd_heredocs_aside(struct reader *r, struct heredocs *outer);
void rd_heredocs_resume(struct reader *r, const struct heredocs *outer);

/* ---- the parser ----------------------------------------------------------------------------- */

/* A text of its own: lines as bash -c reads them. */
struct script *parse_text(struct reader *r);
/* A list up to what ends one, which is left; `script` gets its items. `lines`: each line of it is
 * one of its own for what is read together, as in $( ). */
bool parse_list(struct reader *r, struct script *script, bool lines);
/* A list that may not be empty. */
struct script *parse_compound_list(struct reader *r);
struct script *parse_new_script(struct reader *r);
/* Does it read the same when the `time` in front of it is the name of a program? */
bool parse_is_program_time(const struct node *first);
struct node *parse_new_node(struct reader *r, enum node_kind kind, uint32_t start);
/* A compound command (not a function or coproc), without redirections; NULL: fails. */
struct node *parse_compound(struct reader *r);
/* The same with redirections: the body of a function. */
struct node *parse_body(struct reader *r);
bool parse_compound_starts(const struct reader *r);
struct node *parse_function(struct reader *r);
struct node *parse_coproc(struct reader *r);
struct node *parse_simple(struct reader *r);
bool parse_redirects(struct reader *r, struct node *node);
/* [[ ... ]], the reader behind the brackets. */
bool parse_cond(struct reader *r, struct node *node);

#endif /* COMMAND_READER_H */
