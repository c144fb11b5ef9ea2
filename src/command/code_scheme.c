/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: Lisps, Emacs Lisp above all: forms whose first word names what they do.
 * Invariant: Lisp is never known to be harmless; every form is looked at once.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define ARGS_MAX 32

enum lisp_use { LISP_SHELL, LISP_ARGV, LISP_PROCESS, LISP_CALL, LISP_DEED };

static const struct {
	const char *names;
	enum lisp_use use;
	enum deed deed;
	enum deed recursive; /* with a second argument that is not nil */
} rows[] = {
	{ "shell-command shell-command-to-string async-shell-command compile shell system "
	  "system* uiop:run-program run-shell-command sh process-lines-ignore-status "
	  "call-process-shell-command run-program",
	  LISP_SHELL, DEED_NONE, DEED_NONE },
	{ "process-lines execl execlp", LISP_ARGV, DEED_NONE, DEED_NONE },
	{ "call-process process-file", LISP_CALL, DEED_NONE, DEED_NONE },
	{ "start-process", LISP_PROCESS, DEED_NONE, DEED_NONE },
	{ "delete-directory delete-directory-tree delete-file-recursively", LISP_DEED, DEED_DELETE,
	  DEED_DELETE_TREE },
	{ "delete-file rmdir", LISP_DEED, DEED_DELETE, DEED_DELETE },
	{ "insert-file-contents insert-file find-file find-file-noselect open-input-file",
	  LISP_DEED, DEED_READ, DEED_READ },
	{ "load load-file", LISP_DEED, DEED_EXECUTE, DEED_EXECUTE },
	{ "write-file open-output-file", LISP_DEED, DEED_WRITE, DEED_WRITE },
	{ "make-directory", LISP_DEED, DEED_MAKE, DEED_MAKE },
};

struct lisp {
	struct code *code;
	const char *text;
	size_t len;
	size_t fuel;
};

static void
skip_blank(const struct lisp *lisp, size_t *at)
{
	while (*at < lisp->len && lex_is_space(lisp->text[*at])) {
		(*at)++;
	}
}

/* Behind the string that starts at `at`. */
static size_t
string_end(const struct lisp *lisp, size_t at)
{
	for (at++; at < lisp->len && lisp->text[at] != '"'; at++) {
		at += lisp->text[at] == '\\' ? 1U : 0U;
	}
	return at < lisp->len ? at + 1 : lisp->len;
}

/* The string at `at` as a field, ~ being home. */
static struct field *
string(struct lisp *lisp, size_t at)
{
	size_t end = string_end(lisp, at);
	char *text = arena_alloc(lisp->code->arena, end - at + 1);
	struct field *field = arena_alloc(lisp->code->arena, sizeof *field);
	const struct field *made;
	size_t len = 0;

	if (text == NULL || field == NULL) {
		return NULL;
	}
	for (size_t i = at + 1; i < end && lisp->text[i] != '"'; i++) {
		i += lisp->text[i] == '\\' && i + 1 < end ? 1U : 0U;
		text[len] = lisp->text[i];
		len++;
	}
	made = code_made(lisp->code, text, len);
	if (made == NULL) {
		return NULL;
	}
	*field = *made;
	field->tilde = len > 0 && text[0] == '~' && (len == 1 || text[1] == '/');
	return field;
}

/* The next argument: a field of a string, unknown for a form, NULL for nil. false: no more. */
static bool
argument(struct lisp *lisp, size_t *at, const struct field **out)
{
	size_t depth = 0;
	size_t start;

	*out = NULL;
	skip_blank(lisp, at);
	start = *at;
	if (start >= lisp->len || lisp->text[start] == ')') {
		return false;
	}
	if (lisp->text[start] == '"') {
		*out = string(lisp, start);
		*at = string_end(lisp, start);
		return true;
	}
	while (*at < lisp->len) {
		char c = lisp->text[*at];

		if (depth == 0 && *at > start && (lex_is_space(c) || c == ')')) {
			break;
		}
		depth += c == '(' ? 1U : 0U;
		depth -= c == ')' && depth > 0 ? 1U : 0U;
		*at = c == '"' ? string_end(lisp, *at) : *at + 1;
	}
	if (*at - start != 3 || memcmp(lisp->text + start, "nil", 3) != 0) {
		*out = code_unknown_text(lisp->code);
	}
	return true;
}

static void
run(struct lisp *lisp, enum lisp_use use, const struct field *const *args, size_t count)
{
	/* call-process PROGRAM infile buffer display args, start-process name buffer PROGRAM args
	 */
	size_t program = use == LISP_PROCESS ? 2 : 0;
	size_t first = use == LISP_CALL ? 4 : program + 1;
	struct field *argv = arena_array(lisp->code->arena, count + 1, sizeof *argv);
	size_t argc = 0;

	if (argv == NULL || program >= count || args[program] == NULL) {
		return;
	}
	argv[argc++] = *args[program];
	for (size_t i = first; i < count; i++) {
		if (args[i] != NULL) {
			argv[argc++] = *args[i];
		}
	}
	find_argv(lisp->code->found, argv, argc, INNER_PROMPT | INNER_PROGRAM_ONLY, "lisp");
}

static void
form(struct lisp *lisp, size_t at, size_t name)
{
	const struct field *args[ARGS_MAX];
	size_t next = at + name;
	size_t count = 0;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (!lex_in(rows[i].names, lisp->text + at, name)) {
			continue;
		}
		while (count < ARGS_MAX && argument(lisp, &next, &args[count])) {
			count++;
		}
		lisp->fuel -= next - at < lisp->fuel ? next - at : lisp->fuel;
		if (count == 0 || args[0] == NULL) {
			return;
		}
		if (rows[i].use == LISP_SHELL) {
			(void)code_shell(lisp->code, args[0], "lisp");
		} else if (rows[i].use == LISP_DEED) {
			find_deed(lisp->code->found,
				  count > 1 && args[1] != NULL ? rows[i].recursive : rows[i].deed,
				  args[0]);
		} else {
			run(lisp, rows[i].use, args, count);
		}
		return;
	}
}

void
code_scheme(struct code *code)
{
	struct lisp lisp = { .code = code, .text = code->text, .len = code->len };
	size_t i = 0;

	find_unknown(code->found, "code that may do anything", code->field);
	lisp.fuel = code->len * 8 + 1000;
	while (i < lisp.len && lisp.fuel > 0) {
		char c = lisp.text[i];
		size_t start;

		if (c == '"') {
			i = string_end(&lisp, i);
			continue;
		}
		if (c == ';') {
			const char *end = memchr(lisp.text + i, '\n', lisp.len - i);

			i = end == NULL ? lisp.len : (size_t)(end - lisp.text);
			continue;
		}
		i++;
		if (c != '(') {
			continue;
		}
		skip_blank(&lisp, &i);
		start = i;
		while (i < lisp.len && !lex_is_space(lisp.text[i]) &&
		       memchr("()\"';", lisp.text[i], 5) == NULL) {
			i++;
		}
		form(&lisp, start, i - start);
	}
}
