/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: AppleScript: what it hands to a shell.
 * Invariant: AppleScript is never known to be harmless.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define OPERANDS_MAX ((size_t)200) /* tokens of one text for a shell */

struct apple {
	struct code *code;
	struct tokens tokens;
};

static bool
is_word(const struct apple *apple, size_t at, const char *word)
{
	const struct token *token =
		&apple->tokens.items[at < apple->tokens.count ? at : apple->tokens.count];

	return token->kind == LEX_NAME &&
	       lex_same(apple->tokens.text + token->start, token->len, word);
}

static bool
is_and(const struct apple *apple, size_t at)
{
	return at < apple->tokens.count && apple->tokens.items[at].kind == LEX_PUNCT &&
	       apple->tokens.items[at].op == '&';
}

/* One operand of &: a string as it is, anything else as an unknown part. Gives where it ends. */
static size_t
operand(const struct apple *apple, size_t at, size_t end, char *text, size_t *len)
{
	const struct token *token = &apple->tokens.items[at];

	if (token->kind == LEX_STRING) {
		const char *from = apple->tokens.text + token->start;

		for (size_t i = 0; i < token->len; i++) {
			if (from[i] == '\\' && i + 1 < token->len) {
				i++;
			}
			text[*len] = from[i];
			(*len)++;
		}
		return at + 1;
	}
	text[*len] = FIELD_UNKNOWN;
	(*len)++;
	while (at < end && !is_and(apple, at) && apple->tokens.items[at].kind != LEX_NEWLINE &&
	       apple->tokens.items[at].kind != LEX_STRING && !is_word(apple, at, "with")) {
		at++;
	}
	return at;
}

/* The expression at `at`, joined, for a shell. Gives where it ends. */
static size_t
shell(struct apple *apple, size_t at)
{
	struct code *code = apple->code;
	size_t start = at;
	size_t end =
		apple->tokens.count - at > OPERANDS_MAX ? at + OPERANDS_MAX : apple->tokens.count;
	size_t room = 1;
	size_t len = 0;
	unsigned flags = INNER_PROMPT;
	const struct field *made;
	char *text;

	for (size_t i = at; i < end && apple->tokens.items[i].kind != LEX_NEWLINE; i++) {
		room += apple->tokens.items[i].len + 1U;
		if (is_word(apple, i, "administrator")) {
			flags |= INNER_PRIVILEGED;
		}
	}
	text = arena_alloc(code->arena, room);
	if (text == NULL || at >= end) {
		return at;
	}
	at = operand(apple, at, end, text, &len);
	while (is_and(apple, at) && at + 1 < end) {
		at = operand(apple, at + 1, end, text, &len);
	}
	made = code_made(code, text, len);
	if (made != NULL) {
		find_code(code->found, LANG_SH, made, flags, "osascript");
	}
	return at > start ? at : start + 1;
}

void
code_osascript(struct code *code)
{
	struct apple apple = { .code = code };
	size_t i = 0;

	find_unknown(code->found, "code that may do anything", code->field);
	if (!lex_tokens(code->arena, code->text, code->len, LEX_DASHES | LEX_HASH, &apple.tokens)) {
		return;
	}
	while (i < apple.tokens.count) {
		if (is_word(&apple, i, "do") && is_word(&apple, i + 1, "shell") &&
		    is_word(&apple, i + 2, "script")) {
			i = shell(&apple, i + 3);
		} else if (is_word(&apple, i, "do") && is_word(&apple, i + 1, "script")) {
			i = shell(&apple, i + 2);
		} else {
			i++;
		}
	}
}
