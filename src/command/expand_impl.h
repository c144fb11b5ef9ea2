/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_EXPAND_IMPL_H
#define COMMAND_EXPAND_IMPL_H

/*
 * What the files of the expansion share: the builder that puts fields together (builder.c,
 * split.c), values of parameters (params.c) and the operators on them (params_ops.c).
 *
 * Invariants:
 *   - a word gives at most EXPAND_FIELDS_MAX fields and EXPAND_BYTES_MAX bytes; more is unknown
 *   - what costs more than it is long is paid for with shell_spend()
 */

#include "command/expand.h"

#define EXPAND_BYTES_MAX ((size_t)1 << 20)
#define EXPAND_EVALUATE_MAX 20 /* texts that are evaluated inside of each other */

enum build_mode {
	BUILD_SPLIT = 1,	/* results of expansions are split */
	BUILD_GLOB = 2,		/* unquoted * ? [ are live */
	BUILD_PATTERN = 4,	/* for matching: a backslash in a result quotes what follows */
	BUILD_COLON = 8,	/* an assignment's value: tilde after a colon, too */
	BUILD_REPLACEMENT = 16, /* unquoted & is live */
	BUILD_TILDE = 32,	/* tilde at the start */
	BUILD_ANCHOR = 128,	/* an unquoted # or % in front is live */
	BUILD_ASSIGN = 64,	/* NAME=~ in a command's words */
};

/* While a field is being made: a backslash from a result, which quotes if the field turns out as a
 * pattern, and is itself if not. */
#define MARK_BACKSLASH 3

struct expand_ifs {
	bool unknown;
	bool standard; /* blank, tab, newline */
	const char *text;
	size_t len;
	uint64_t map[4];
};

struct build {
	struct expander *ex;
	unsigned mode;
	struct field like; /* source and span of what is made */
	struct field *items;
	size_t count, room;
	size_t base; /* fields of the words before this one */
	/* The field that is being made. */
	const char *only; /* all of it, not copied, ending in a NUL; else in `text` */
	char *text;
	uint8_t *marks;
	size_t len, text_room;
	bool marked;	/* `marks` says something */
	bool bracket;	/* a live [ was seen */
	bool escaped;	/* a backslash of a result goes before */
	bool backslash; /* results have backslashes, which quote if the field is a pattern */
	bool started;
	bool after_blank; /* the last field was ended by a blank of IFS */
	bool many;
	bool tilde;
	uint16_t taint;
	uint32_t exact;
	size_t bytes;	 /* in all fields */
	bool over;	 /* too many bytes or fields */
	bool several;	 /* the word at hand has more than one part */
	bool odd;	 /* bash splits this word in a way of its own: unknown */
	bool empty_list; /* a quoted $@ without elements: a field that is empty may not be there */
	bool ifs_known;
	bool ifs_touched; /* something in the word may have assigned to IFS */
	struct expand_ifs ifs;
};

void build_init(struct build *b, struct expander *ex, unsigned mode, const struct word *word);
/* Text that is quoted. It ends in a NUL when `whole`, and then need not be copied. */
void build_quoted(struct build *b, const char *text, size_t len, bool whole);
/* Text that stands in the word: live, but not split. */
void build_live(struct build *b, const char *text, size_t len);
/* A byte of an extglob pattern. */
void build_syntax(struct build *b, const char *text, size_t len);
/* The result of an expansion. */
void build_result(struct build *b, const struct field *value, bool quoted);
/* Live text of a word that is itself the result of an expansion: ${x:-a b}. */
void build_result_text(struct build *b, const char *text, size_t len);
void build_unknown(struct build *b, uint16_t taint, bool many);
/* What stands between the elements of $@ and $*, unquoted. */
void build_separator(struct build *b);
/* The field that is being made is complete. */
void build_end(struct build *b);
/* One field from all that was built. */
struct field build_finish(struct build *b);
/* The same for a word that is split: its fields are those of `b->items` from `b->base`. */
void build_finish_split(struct build *b);
/* Room for `count` fields in `b->items`. */
void build_room(struct build *b, size_t count);
/* Adds a field that was not built here. */
void build_push(struct build *b, const struct field *field);
const struct expand_ifs *build_ifs(struct build *b);
/* Is IFS still what the word was split with? bash splits when the whole word is expanded. */
bool build_same_ifs(struct build *b);
/* For split.c: a byte with its mark, text without marks, and how an unquoted byte is marked (inside
 * of brackets, what makes a range or a negation is live). */
void build_put(struct build *b, char c, unsigned mark);
void build_text(struct build *b, const char *text, size_t len);
enum mark build_mark_of(struct build *b, char c);

/* ---- words -------------------------------------------------------------------------------- */

/* The parts of `word`, appended. `quoted`: as if in double quotes. `result`: unquoted text is split
 * like the result of an expansion. */
void expand_parts(struct build *b, const struct word *word, bool quoted, bool result);
struct field expand_one(struct expander *ex, const struct word *word, unsigned mode, bool quoted);
/* Is everything in the word text? */
bool expand_is_text(const struct word *word);
/* A word whose expansion is not used, but whose commands count. */
void expand_unused(struct expander *ex, const struct word *word);
void expand_note(struct expander *ex, const char *rule, const char *message,
		 const struct part *part);
struct stream expand_evaluate(struct expander *ex, const struct field *text);

/* Unquoted text: of the word itself, or of a word that is a result. */
void expand_live(struct build *b, const char *text, size_t len, bool result);
/* Unquoted text in which a tilde counts at the start (`start`) and, with `colon`, after each colon.
 */
void expand_tilde(struct build *b, const struct part *part, size_t from, bool start, bool colon,
		  bool result);
/* NAME= or NAME+= in front: the length with the equals sign; 0 when there is none. */
size_t expand_assignment_length(const struct part *part);

/* Braces: gives a list of words, or NULL when there is nothing to expand. `*over`: too many. */
struct word *expand_braces(struct expander *ex, const struct word *word, bool *over);

/* ---- parameters --------------------------------------------------------------------------- */

/* The value of a parameter. */
struct pvalue {
	const struct field *items; /* of a scalar: one, or none when not set */
	size_t count;
	bool list;    /* $@, $*, ${x[@]}, ${x[*]} */
	bool star;    /* of these, the ones with * */
	bool unknown; /* with `taint`; `items` say nothing */
	bool word;    /* unknown, but one word for certain: a number */
	bool set;
	uint16_t taint;
	const char *name; /* of the variable, namerefs followed; NULL for others */
	struct field own; /* room for the item of a scalar */
};

void param_emit(struct build *b, const struct part *part, bool quoted, bool result);
void param_read(struct expander *ex, const struct param *param, struct pvalue *value);
/* The value of a variable by name: unsure ones as attempts have it. */
void param_variable(struct expander *ex, const char *name, struct pvalue *value);
void param_element(struct expander *ex, const char *name, const struct field *index,
		   struct pvalue *value);
/* What a nameref leads to: a variable, or `*element` with "x[i]". NULL for neither. */
const struct var *param_follow(struct shell *shell, const char **name, const char **element);
/* ${x[@]} and ${x[*]}, as written. 0: a subscript. */
char param_whole_index(const struct word *index);
bool param_is_name(const char *text, size_t len);
void param_scalar(struct pvalue *value, struct field field);
void param_unknown(struct pvalue *value, uint16_t taint, bool word);

void param_emit_value(struct build *b, const struct pvalue *value, bool quoted);
/* ${x:-w} and its kind. */
void param_choose(struct build *b, const struct part *part, bool quoted, bool result);
/* Does bash have rules of its own for this list in the word at hand? */
bool param_odd_list(struct build *b, const struct param *param, bool result);
/* The other operators: changes `value` into the result. */
void param_operate(struct expander *ex, const struct param *param, struct pvalue *value);
/* ${x@Q}, ${x@U} and the like on one item. */
struct field param_transform(struct expander *ex, const struct param *param,
			     const struct pvalue *value, const struct field *item);

/* ---- patterns ----------------------------------------------------------------------------- */

/* The number of bytes that `pattern` matches at the start of `text`, the most or the fewest; -1
 * for no match, -2 for not known. */
long pattern_prefix(struct shell *shell, const struct field *pattern, const char *text, size_t len,
		    bool longest);
/* The same at the end. */
long pattern_suffix(struct shell *shell, const struct field *pattern, const char *text, size_t len,
		    bool longest);

/* A number as text; NULL when memory is out. */
const char *expand_decimal(struct expander *ex, int64_t value);

/* Bytes above 127: how many characters they make depends on the locale. */
bool expand_is_ascii(const char *text, size_t len);

#endif /* COMMAND_EXPAND_IMPL_H */
