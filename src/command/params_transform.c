/* SPDX-License-Identifier: MIT */
/*
 * ${x@Q} and its kind.
 */
#include "command/expand_impl.h"

#include <string.h>

/* Only characters that need no escape of their own. */
static bool
is_printable(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] < ' ' || text[i] > '~') {
			return false;
		}
	}
	return true;
}

/* As bash quotes it for reading it again. */
static struct field
quote(struct expander *ex, const struct field *value, const char *before)
{
	struct build b;
	size_t plain = 0;

	if (!is_printable(value->text, value->len)) {
		return field_unknown(value->taint, false, value);
	}
	build_init(&b, ex, 0, NULL);
	build_quoted(&b, before, strlen(before), false);
	if (field_is(value, "'")) {
		build_quoted(&b, "\\'", 2, false);
	} else {
		build_quoted(&b, "'", 1, false);
		for (size_t i = 0; i < value->len; i++) {
			if (value->text[i] == '\'') {
				build_quoted(&b, value->text + plain, i - plain, false);
				build_quoted(&b, "'\\''", 4, false);
				plain = i + 1;
			}
		}
		build_quoted(&b, value->text + plain, value->len - plain, false);
		build_quoted(&b, "'", 1, false);
	}
	b.taint = value->taint;
	return build_finish(&b);
}

static struct field
change_letters(struct expander *ex, const struct field *value, char how)
{
	size_t end = how == 'u' && value->len > 0 ? 1 : value->len;
	struct field result = *value;
	char *text;

	if (!expand_is_ascii(value->text, value->len) || !shell_spend(ex->shell, value->len)) {
		return field_unknown(value->taint, false, value);
	}
	text = arena_strndup(ex->shell->arena, value->text, value->len);
	if (text == NULL) {
		return field_unknown(value->taint, false, value);
	}
	for (size_t i = 0; i < end; i++) {
		char c = text[i];

		if (how == 'L') {
			text[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
		} else {
			text[i] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
		}
	}
	result.text = text;
	result.exact = UINT32_MAX;
	return result;
}

static int
octal(const char *text, size_t len, size_t *used)
{
	int value = 0;

	for (*used = 0; *used < 3 && *used < len; (*used)++) {
		if (text[*used] < '0' || text[*used] > '7') {
			break;
		}
		value = value * 8 + text[*used] - '0';
	}
	return *used > 0 ? value & 0xff : 0;
}

/* Expanded like a prompt: backslashes first, and then what they leave is evaluated. */
static struct field
prompt(struct expander *ex, const struct field *value)
{
	struct stream stream;
	struct field plain = *value;
	size_t len = 0;
	char *text;

	if (memchr(value->text, '\\', value->len) == NULL) {
		if (memchr(value->text, '$', value->len) == NULL &&
		    memchr(value->text, '`', value->len) == NULL && value->marks == NULL) {
			return *value;
		}
		stream = expand_evaluate(ex, value);
		return stream.data;
	}
	/* What the escapes stand for depends on the shell and the user, so the result is unknown;
	 * the code in it is looked for as it stands, and with octal escapes decoded. */
	(void)expand_evaluate(ex, value);
	text = shell_spend(ex->shell, value->len) ? arena_alloc(ex->shell->arena, value->len + 1)
						  : NULL;
	for (size_t i = 0; text != NULL && i < value->len;) {
		size_t used = 0;
		int c = 0;

		if (value->text[i] == '\\') {
			c = octal(value->text + i + 1, value->len - i - 1, &used);
		}
		text[len++] = c > 0 ? (char)c : value->text[i];
		i += c > 0 ? used + 1 : 1;
	}
	if (text != NULL) {
		plain.text = text;
		plain.len = (uint32_t)len;
		plain.marks = NULL;
		(void)expand_evaluate(ex, &plain);
	}
	return field_unknown((uint16_t)(value->taint | TAINT_VARIABLE), false, value);
}

struct field
param_transform(struct expander *ex, const struct param *param, const struct pvalue *value,
		const struct field *item)
{
	const struct var *var = value->name != NULL ? shell_get(ex->shell, value->name) : NULL;
	struct field unknown = field_unknown(item->taint, false, item);
	char *before;

	if (param->transform == 'P') {
		return prompt(ex, item);
	}
	if (!field_is_literal(item)) {
		return unknown;
	}
	switch (param->transform) {
	case 'Q':
		return quote(ex, item, "");
	case 'K':
	case 'k':
		return value->list ? unknown : quote(ex, item, "");
	case 'U':
	case 'L':
	case 'u':
		return change_letters(ex, item, param->transform);
	case 'E':
		return memchr(item->text, '\\', item->len) == NULL ? *item : unknown;
	case 'A':
		if (value->list || var == NULL || var->array || var->exported || var->integer ||
		    var->readonly || var->nameref) {
			return unknown;
		}
		before = arena_printf(ex->shell->arena, "%s=", value->name);
		return before != NULL ? quote(ex, item, before) : unknown;
	default:
		return unknown;
	}
}
