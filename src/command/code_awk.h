/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_CODE_AWK_H
#define COMMAND_CODE_AWK_H

/*
 * awk programs as tokens, and the values of simple expressions in them. Private to the reader of
 * awk programs and to the emulated awk.
 *
 * Invariants:
 *   - tokens are read to the end whatever the text is; `certain` says whether every awk reads the
 *     same ones
 *   - `match` of a bracket is the index of its partner, or its own index when it has none
 */

#include "command/emulate_impl.h"

enum awk_kind {
	AWK_END, /* the last token, which is always there */
	AWK_NEWLINE,
	AWK_NAME,
	AWK_NUMBER,
	AWK_STRING, /* start and end are those of its content */
	AWK_REGEX,  /* the same */
	AWK_OP,
};

struct awk_token {
	uint8_t kind;	/* enum awk_kind */
	bool value;	/* a value ends here: / divides behind it */
	bool glued;	/* no blank stood before it */
	uint32_t op;	/* AWK_OP: its bytes, the first the lowest */
	uint32_t start; /* in the text */
	uint32_t end;
	uint32_t match;
};

#define AWK_OP2(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)

struct awk_tokens {
	const char *text;
	struct awk_token *items;
	size_t count; /* with AWK_END */
	bool certain;
	size_t odd_at; /* where the first doubt is */
};

/* false: memory is out, or the text is too long. */
bool awk_read(struct arena *arena, const char *text, size_t len, struct awk_tokens *tokens);

bool awk_is_op(const struct awk_tokens *tokens, size_t at, uint32_t op);
bool awk_is_word(const struct awk_tokens *tokens, size_t at, const char *word);

/* Is the name at `at` one of the words of a list, which are separated by blanks? */
bool awk_is_one_of(const struct awk_tokens *tokens, size_t at, const char *words);

/* Behind the token at `at`, or behind its partner when it opens a bracket. */
size_t awk_skip(const struct awk_tokens *tokens, size_t at);

/* ---- values ------------------------------------------------------------------------------- */

/* A value: text with unknown parts, or a number that is whole. Unknown as a whole: one unknown
 * byte. */
struct awk_value {
	bool is_number;
	int64_t number;
	struct emulate_text text;
};

struct awk_eval {
	struct emulate_out *out; /* its arena and account are used */
	const struct awk_tokens *tokens;
	void *data;
	/* The value of the variable whose name is the token at `at`; false: not known. */
	bool (*variable)(void *data, size_t at, unsigned depth, struct awk_value *value);
	/* $number; false: not known. */
	bool (*field)(void *data, int64_t number, struct awk_value *value);
	unsigned depth;
	bool coded; /* characters were made from numbers */
};

#define AWK_DEPTH_MAX 40

/* The value of the tokens [from, to). */
struct awk_value awk_evaluate(struct awk_eval *eval, size_t from, size_t to);

/* The value as text: numbers are spelled out. */
struct emulate_text awk_text(struct awk_eval *eval, const struct awk_value *value);

/* printf's formatting, as awk does it: the arguments are the expressions in [from, to), which are
 * separated by commas. What is not known goes to `out` as that. */
void awk_format(struct awk_eval *eval, size_t from, size_t to, struct emulate_out *out);

/* The end of the expression that starts at `from`: a comma that is in no brackets, or `to`. */
size_t awk_comma(const struct awk_tokens *tokens, size_t from, size_t to);

#endif /* COMMAND_CODE_AWK_H */
