/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_EXPAND_H
#define COMMAND_EXPAND_H

/*
 * Words into fields, as bash does it: braces, tilde, parameters, arithmetic, command substitution,
 * field splitting, and quote removal; names are not looked up, so globs stay patterns.
 *
 * Expansion runs the scripts of $(...), `...`, <(...) and >(...) by asking the walker, through
 * expand_hooks: the room's arrows go walk -> expand, and this is how the answer comes back.
 *
 * Bounds: braces and known arrays may multiply words; more than EXPAND_FIELDS_MAX from one word
 * give one unknown field that is `many`, and expansion says so through hooks->note, as it does
 * when a word has more than a mebibyte or all expansions together cost too much.
 */

#include "command/shell.h"

#define EXPAND_FIELDS_MAX 4096

struct expand_hooks {
	void *data;
	/* Walks `script` in a subshell and gives what it would print, trailing newlines removed. */
	struct stream (*command)(void *data, struct shell *shell, struct script *script);
	/* <(...) or >(...): walks it and gives the path that stands for it. The path is a literal
	 * of the form /dev/fd/N that the walker knows again. */
	struct field (*process)(void *data, struct shell *shell, const struct part *part);
	/* A text that is evaluated as part of an expansion: ${x@P}, a[$(x)] in arithmetic. The
	 * word has been read by syntax_parse_word(). Gives its value. */
	struct stream (*evaluate)(void *data, struct shell *shell, const struct field *text);
	/* The content of the file of $(<file), and the effect of reading it. */
	struct stream (*file)(void *data, struct shell *shell, const struct part *part);
	/* Something is not known, or not followed: `rule` and `message` are static. */
	void (*note)(void *data, const char *rule, const char *message, const struct part *part);
};

struct fields {
	struct field *items;
	size_t count;
};

struct expander {
	struct shell *shell;
	const struct expand_hooks *hooks;
	const struct source *source;
};

/* Command words: all expansions with splitting. The list of words up to NULL. */
void expand_words(struct expander *ex, const struct word *words, struct fields *out);

/* What is not split: values of assignments (tilde after = and :), redirection targets, case words,
 * here-document bodies, here-strings. One field, which may be dynamic. */
struct field expand_value(struct expander *ex, const struct word *word);
struct field expand_target(struct expander *ex, const struct word *word); /* may be `many` */
struct field expand_plain(struct expander *ex, const struct word *word);  /* no tilde after : */
/* A pattern of case, [[ == ]] or ${x#...}: quoted characters are literal, others live. */
struct field expand_pattern(struct expander *ex, const struct word *word);

/* The subscript of an element of `name`: a key, or a decimal number; not literal when unknown. */
struct field expand_index(struct expander *ex, const char *name, const struct word *index);

/* Arithmetic: $((...)), ((...)), let, subscripts, declare -i. Assignments in it take effect.
 * false: not known; *value is then 0. A division by zero or a syntax error is not known. */
bool expand_arith(struct expander *ex, const struct word *word, int64_t *value);
bool expand_arith_text(struct expander *ex, const struct field *text, int64_t *value);

/* What is evaluated as arithmetic, or looked up as the name of a variable, may be a[$(...)], which
 * runs something: notes it where `text` is not known and comes from a file or a program. */
void expand_check_foreign(struct expander *ex, const struct field *text);

/* Does `text` match the pattern (both literal but for the pattern's globs)? 1, 0, or -1 for not
 * known. Linear in len(text) * stars at worst; extglob gives -1 where it would need backtracking
 * that is not bounded. */
int pattern_match(const struct field *pattern, const char *text, size_t len, bool nocase);

#endif /* COMMAND_EXPAND_H */
