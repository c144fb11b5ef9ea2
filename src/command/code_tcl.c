/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: Tcl and expect: commands of words, where braces and brackets hold commands too.
 *
 * Invariants:
 *   - Tcl is never known to be harmless
 *   - every place where a command may start is looked at once: after braces, brackets, quotes,
 *     semicolons and newlines
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define WORDS_MAX 64

enum tcl_use {
	TCL_ARGV,  /* exec, spawn: words are a command */
	TCL_SHELL, /* system: a text */
	TCL_OPEN,
	TCL_FILE, /* file delete, file copy ... */
	TCL_SOCKET,
	TCL_CHDIR,
	TCL_SOURCE,
};

static const struct {
	const char *name;
	enum tcl_use use;
} rows[] = {
	{ "exec", TCL_ARGV },	  { "spawn", TCL_ARGV },    { "overlay", TCL_ARGV },
	{ "system", TCL_SHELL },  { "open", TCL_OPEN },	    { "file", TCL_FILE },
	{ "socket", TCL_SOCKET }, { "source", TCL_SOURCE },
};

static const struct rule reverse_shell = { "shell.reverse-shell", BAILEY_FORBIDDEN,
					   BAILEY_EFFECT_NETWORK,
					   "hands a shell to another machine" };

struct tcl_word {
	const char *text;
	size_t len;
};

struct tcl {
	struct code *code;
	const char *text;
	size_t len;
	size_t fuel; /* bytes of words that may still be read: they nest */
	bool connects;
	bool runs;
};

/* Where a word without braces and quotes ends. */
static size_t
bare_end(const struct tcl *tcl, size_t at)
{
	while (at < tcl->len && !lex_is_space(tcl->text[at]) &&
	       memchr(";]}\"", tcl->text[at], 4) == NULL) {
		at += tcl->text[at] == '\\' ? 2U : 1U;
	}
	return at < tcl->len ? at : tcl->len;
}

/* Where what opens before `at` closes; braces nest. */
static size_t
closing(const struct tcl *tcl, size_t at, char close)
{
	size_t depth = 0;

	while (at < tcl->len && (tcl->text[at] != close || depth > 0)) {
		char c = tcl->text[at];

		if (close == '}') {
			depth += c == '{' ? 1U : 0U;
			depth -= c == '}' ? 1U : 0U;
		}
		at += c == '\\' ? 2U : 1U;
	}
	return at < tcl->len ? at : tcl->len;
}

/* Where the word at `at` ends; its content goes to *word, without braces or quotes. */
static size_t
word(const struct tcl *tcl, size_t at, struct tcl_word *word)
{
	char open = tcl->text[at];
	bool bare = open != '{' && open != '"';
	size_t from = bare ? at : at + 1;
	size_t end = bare ? bare_end(tcl, from) : closing(tcl, from, open == '{' ? '}' : '"');

	word->text = tcl->text + from;
	word->len = end - from;
	return bare || end == tcl->len ? end : end + 1;
}

/* The words of the command that starts at `at`. */
static size_t
words_of(struct tcl *tcl, size_t at, struct tcl_word *words)
{
	size_t count = 0;

	while (count < WORDS_MAX && tcl->fuel > 0) {
		size_t start = at;

		while (at < tcl->len && (lex_is_blank(tcl->text[at]) ||
					 (tcl->text[at] == '\\' && at + 1 < tcl->len &&
					  tcl->text[at + 1] == '\n'))) {
			at += tcl->text[at] == '\\' ? 2U : 1U;
		}
		if (at >= tcl->len || memchr("\n;]}", tcl->text[at], 4) != NULL) {
			break;
		}
		at = word(tcl, at, &words[count]);
		tcl->fuel -= at - start < tcl->fuel ? at - start : tcl->fuel;
		count++;
	}
	return count;
}

/* A word as a field: ~ and $env(HOME) in front are home, other substitutions are not known. */
static struct field
field_of(struct tcl *tcl, const struct tcl_word *word)
{
	static const char home[] = "$env(HOME)";
	char *text = arena_alloc(tcl->code->arena, word->len + 2);
	const struct field *made = NULL;
	struct field field;
	bool tilde = false;
	size_t len = 0;
	size_t i = 0;

	if (text == NULL) {
		return field_unknown(0, false, tcl->code->field);
	}
	if (word->len >= sizeof home - 1 && memcmp(word->text, home, sizeof home - 1) == 0) {
		text[0] = '~';
		len = 1;
		i = sizeof home - 1;
		tilde = true;
	} else if (word->len > 0 && word->text[0] == '~') {
		tilde = word->len == 1 || word->text[1] == '/';
	}
	for (; i < word->len; i++) {
		char c = word->text[i];

		if (c == '\\' && i + 1 < word->len) {
			i++;
			c = word->text[i];
		} else if (c == '$' || c == '[') {
			while (i + 1 < word->len && !lex_is_space(word->text[i + 1]) &&
			       word->text[i + 1] != '/') {
				i++;
			}
			c = FIELD_UNKNOWN;
		}
		text[len] = c;
		len++;
	}
	made = code_made(tcl->code, text, len);
	if (made == NULL) {
		return field_unknown(0, false, tcl->code->field);
	}
	field = *made;
	field.tilde = tilde;
	return field;
}

static struct field *
field_at(struct tcl *tcl, const struct tcl_word *words, size_t index, size_t count)
{
	struct field *field = arena_alloc(tcl->code->arena, sizeof *field);

	if (field != NULL) {
		*field = index < count ? field_of(tcl, &words[index])
				       : field_unknown(0, false, tcl->code->field);
	}
	return field;
}

static bool
word_is(const struct tcl_word *word, const char *list)
{
	return lex_in(list, word->text, word->len);
}

static bool
is_redirection(const struct tcl_word *word)
{
	return word->len > 0 && (word->text[0] == '<' || word->text[0] == '>' ||
				 (word->len > 1 && word->text[0] == '2' && word->text[1] == '>'));
}

/* exec with its pipes and redirections: each command of the pipe. */
static void
argv(struct tcl *tcl, const struct tcl_word *words, size_t count)
{
	struct field *fields = arena_array(tcl->code->arena, count, sizeof *fields);
	size_t start = 1;
	size_t first = 0;
	size_t argc = 0;

	tcl->runs = true;
	while (fields != NULL && start < count && words[start].len > 1 &&
	       words[start].text[0] == '-') {
		start++;
	}
	for (size_t i = start; fields != NULL && i <= count; i++) {
		bool ends = i >= count || word_is(&words[i], "| |&");

		if (!ends && is_redirection(&words[i])) {
			i += words[i].len <= 2 ? 1U : 0U;
			i = i < count ? i : count - 1;
		} else if (!ends) {
			fields[argc] = field_of(tcl, &words[i]);
			argc++;
		} else if (argc > first) {
			find_argv(tcl->code->found, fields + first, argc - first,
				  INNER_PROMPT | INNER_PROGRAM_ONLY, "tcl");
			first = argc;
		}
	}
	for (size_t i = 1; i + 1 < count; i++) {
		if (word_is(&words[i], "> >> >&")) {
			find_deed(tcl->code->found,
				  words[i].len == 2 && words[i].text[1] == '>' ? DEED_APPEND
									       : DEED_WRITE,
				  field_at(tcl, words, i + 1, count));
		}
	}
}

static void
open_file(struct tcl *tcl, const struct tcl_word *words, size_t count)
{
	enum deed deed = DEED_READ;

	if (count < 2) {
		return;
	}
	if (words[1].len > 0 && words[1].text[0] == '|') {
		struct tcl_word command = words[1];
		struct field *text;

		command.text++;
		command.len--;
		tcl->runs = true;
		text = field_at(tcl, &command, 0, 1);
		if (text != NULL) {
			(void)code_shell(tcl->code, text, "tcl");
		}
		return;
	}
	if (count > 2 && memchr(words[2].text, 'w', words[2].len) != NULL) {
		deed = DEED_WRITE;
	} else if (count > 2 && memchr(words[2].text, 'a', words[2].len) != NULL) {
		deed = DEED_APPEND;
	}
	find_deed(tcl->code->found, deed, field_at(tcl, words, 1, count));
}

static void
file(struct tcl *tcl, const struct tcl_word *words, size_t count)
{
	static const struct {
		const char *name;
		enum deed first;
		enum deed last;
	} verbs[] = {
		{ "delete", DEED_DELETE_TREE, DEED_DELETE_TREE },
		{ "rename", DEED_MOVE, DEED_WRITE },
		{ "copy", DEED_READ, DEED_WRITE },
		{ "mkdir", DEED_MAKE, DEED_MAKE },
		{ "link", DEED_MAKE, DEED_READ },
		{ "attributes", DEED_META, DEED_NONE },
	};

	for (size_t v = 0; count > 2 && v < COUNT_OF(verbs); v++) {
		if (!word_is(&words[1], verbs[v].name)) {
			continue;
		}
		for (size_t i = 2; i < count; i++) {
			enum deed deed = i + 1 == count && i > 2 ? verbs[v].last : verbs[v].first;

			if (deed != DEED_NONE && (words[i].len == 0 || words[i].text[0] != '-')) {
				find_deed(tcl->code->found, deed, field_at(tcl, words, i, count));
			}
		}
	}
}

static void
command(struct tcl *tcl, size_t at, size_t name)
{
	struct tcl_word words[WORDS_MAX];
	size_t count;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (strlen(rows[i].name) != name ||
		    memcmp(rows[i].name, tcl->text + at, name) != 0) {
			continue;
		}
		count = words_of(tcl, at, words);
		switch (rows[i].use) {
		case TCL_ARGV:
			argv(tcl, words, count);
			break;
		case TCL_SHELL:
			tcl->runs = true;
			(void)code_shell(tcl->code, field_at(tcl, words, 1, count), "tcl");
			break;
		case TCL_OPEN:
			open_file(tcl, words, count);
			break;
		case TCL_FILE:
			file(tcl, words, count);
			break;
		case TCL_SOCKET:
			tcl->connects = true;
			break;
		case TCL_SOURCE:
		case TCL_CHDIR:
		default:
			break;
		}
	}
}

void
code_tcl(struct code *code)
{
	struct tcl tcl = { .code = code, .text = code->text, .len = code->len };
	bool start = true;
	size_t i = 0;

	find_unknown(code->found, "code that may do anything", code->field);
	tcl.fuel = code->len * 16 + 1000;
	while (i < tcl.len) {
		char c = tcl.text[i];
		size_t end = i;

		if (c == '#' && start) {
			const char *line = memchr(tcl.text + i, '\n', tcl.len - i);

			i = line == NULL ? tcl.len : (size_t)(line - tcl.text);
			continue;
		}
		while (end < tcl.len && (lex_is_name(tcl.text[end]) || tcl.text[end] == ':')) {
			end++;
		}
		if (end > i) {
			i += start && end - i > 2 && tcl.text[i] == ':' ? 2U : 0U;
			if (start) {
				command(&tcl, i, end - i);
			}
			i = end;
			start = false;
			continue;
		}
		start = memchr("\n;[{\"", c, 5) != NULL || (start && lex_is_space(c));
		i += c == '\\' && i + 1 < tcl.len ? 2U : 1U;
	}
	if (tcl.connects && tcl.runs) {
		find_rule(code->found, &reverse_shell, NULL);
	}
}
