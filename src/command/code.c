/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: choosing the reader of a language, and what all readers share.
 * Invariant: a language without a reader is never known.
 */

#include "base/attr.h"
#include "command/code_impl.h"

#include <string.h>

/* NULL: no reader. */
static void (*const readers[LANG_COUNT_])(struct code *code) = {
	[LANG_AWK] = code_awk,
	[LANG_SED] = code_sed,
	[LANG_PYTHON] = code_python,
	[LANG_PERL] = code_perl,
	[LANG_RUBY] = code_ruby,
	[LANG_NODE] = code_node,
	[LANG_PHP] = code_php,
	[LANG_LUA] = code_lua,
	[LANG_R] = code_r,
	[LANG_MONGO] = code_mongo,
	[LANG_TCL] = code_tcl,
	[LANG_OSASCRIPT] = code_osascript,
	[LANG_JQ] = code_jq,
	[LANG_SQL] = code_sql,
	[LANG_REDIS] = code_redis,
	[LANG_VIM] = code_vim,
	[LANG_ED] = code_ed,
	[LANG_LESS] = code_less,
	[LANG_GDB] = code_gdb,
	[LANG_MAKE] = code_make,
	[LANG_BC] = code_bc,
	[LANG_DC] = code_dc,
	[LANG_M4] = code_m4,
	[LANG_CRONTAB] = code_crontab,
	[LANG_POWERSHELL] = code_powershell,
	[LANG_CMD] = code_cmd,
	[LANG_SCHEME] = code_scheme,
	[LANG_OTHER] = code_other,
};

void
code_judge(enum language language, const struct field *text, const struct field *args,
	   size_t arg_count, const struct stream *input, struct findings *found)
{
	struct code code = {
		.language = language,
		.field = text,
		.text = text->text,
		.len = text->len,
		.args = args,
		.arg_count = arg_count,
		.input = input,
		.found = found,
		.arena = found->arena,
	};

	if ((unsigned)language >= LANG_COUNT_ || readers[language] == NULL || text->text == NULL) {
		find_unknown(found, "code that is not read", text);
		return;
	}
	readers[language](&code);
}

void
code_known(struct code *code)
{
	if (field_is_literal(code->field) && code->found->unknown == NULL) {
		code->found->flags |= FIND_KNOWN;
	}
}

const struct field *
code_piece(struct code *code, size_t from, size_t to)
{
	const struct field *all = code->field;
	struct field tail = field_tail(code->arena, all, from);
	struct field *piece = arena_alloc(code->arena, sizeof *piece);
	char *text = arena_strndup(code->arena, all->text + from, to - from);
	size_t i;

	if (piece == NULL || text == NULL) {
		return NULL;
	}
	*piece = tail;
	piece->text = text;
	piece->len = (uint32_t)(to - from);
	piece->kind = BAILEY_WORD_LITERAL;
	piece->many = false;
	if (all->exact != UINT32_MAX) {
		piece->span.end = piece->span.start + piece->len;
	}
	for (i = from; all->marks != NULL && i < to; i++) {
		if (all->marks[i] == MARK_UNKNOWN) {
			piece->kind = BAILEY_WORD_DYNAMIC;
		} else if (all->marks[i] == MARK_GLOB && piece->kind == BAILEY_WORD_LITERAL) {
			piece->kind = BAILEY_WORD_GLOB;
		}
	}
	if (piece->kind == BAILEY_WORD_LITERAL) {
		piece->marks = NULL;
	}
	return piece;
}

const struct field *
code_made(struct code *code, const char *text, size_t len)
{
	struct field *made;
	uint8_t *marks = NULL;
	size_t i;

	if (memchr(text, '\0', len) != NULL) {
		return NULL;
	}
	made = arena_alloc(code->arena, sizeof *made);
	if (made == NULL) {
		return NULL;
	}
	*made = field_literal(code->arena, text, len, code->field);
	made->taint = code->field->taint;
	if (memchr(text, FIELD_UNKNOWN, len) == NULL) {
		return made->text == NULL ? NULL : made;
	}
	marks = arena_alloc(code->arena, len);
	if (marks == NULL) {
		return NULL;
	}
	for (i = 0; i < len; i++) {
		marks[i] = text[i] == FIELD_UNKNOWN ? MARK_UNKNOWN : MARK_LITERAL;
	}
	made->marks = marks;
	made->kind = BAILEY_WORD_DYNAMIC;
	return made->text == NULL ? NULL : made;
}

const struct field *
code_unknown_text(struct code *code)
{
	struct field *made = arena_alloc(code->arena, sizeof *made);

	if (made != NULL) {
		*made = field_unknown(code->field->taint, false, code->field);
	}
	return made;
}

struct inner *
code_shell(struct code *code, const struct field *text, const char *via)
{
	if (text == NULL) {
		find_unknown(code->found, "a command that is not known", code->field);
		return NULL;
	}
	return find_code(code->found, LANG_SH, text, INNER_PROMPT, via);
}

void
code_unknown(struct code *code, const char *why, size_t at, size_t to)
{
	find_unknown(code->found, why, code_piece(code, at, to));
}
