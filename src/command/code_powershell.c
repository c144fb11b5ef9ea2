/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: PowerShell: the words of its commands, one command after the other.
 *
 * Invariants:
 *   - nothing is known to be harmless; only what plainly destroys, takes or runs is found
 *   - every command is looked at once, in braces and parentheses too
 */

#include "command/code_powershell.h"

#include "base/attr.h"

#include <string.h>

RULE(remote_code, "code.from-network", FORBIDDEN, EXECUTES,
     "runs code that comes over the network");
RULE(shell_out, "shell.reverse-shell", FORBIDDEN, NETWORK, "hands a shell to another machine");
RULE(shadows, "powershell.shadow-copies", FORBIDDEN, DELETES,
     "deletes the copies that restore files");

/* ---- words --------------------------------------------------------------------------------- */

static char
peek(const struct ps *ps, size_t ahead)
{
	return ps->at + ahead < ps->len ? ps->text[ps->at + ahead] : '\0';
}

static bool
ends_word(char c)
{
	return c == '\0' || lex_is_space(c) || memchr(";|&(){},\"'", c, 10) != NULL;
}

/* $env:USERPROFILE, $HOME and ~ are home; other variables are not known. */
static size_t
variable(const struct ps *ps, size_t at, char *out)
{
	size_t end = at + 1;
	bool braces = end < ps->len && ps->text[end] == '{';

	end += braces ? 1U : 0U;
	while (end < ps->len && (lex_is_name(ps->text[end]) || ps->text[end] == ':')) {
		end++;
	}
	end += braces && end < ps->len && ps->text[end] == '}' ? 1U : 0U;
	*out = lex_in_nocase("$home $env:userprofile ${home} $env:home $env:homepath",
			     ps->text + at, end - at)
		       ? '~'
		       : FIELD_UNKNOWN;
	return end;
}

/* One word, its quotes and backticks off, into `out` (room for the rest of the text). */
static void
read_word(struct ps *ps, char *out)
{
	struct ps_word *word = &ps->words[ps->count];
	char quote = '\0';
	size_t len = 0;

	*word = (struct ps_word){ .text = out, .dash = peek(ps, 0) == '-' };
	while (ps->at < ps->len) {
		char c = ps->text[ps->at];

		if (quote == '\0' && (c == '"' || c == '\'')) {
			quote = c;
			word->quoted = true;
		} else if (quote == '\0' && ends_word(c)) {
			break;
		} else if (c == quote && peek(ps, 1) != quote) {
			quote = '\0';
		} else if (c == '`' && quote != '\'' && ps->at + 1 < ps->len) {
			ps->at++;
			out[len++] = ps->text[ps->at];
		} else if (c == '$' && quote != '\'' &&
			   (lex_is_name(peek(ps, 1)) || peek(ps, 1) == '{')) {
			ps->at = variable(ps, ps->at, &out[len]) - 1;
			len++;
		} else {
			ps->at += c == quote ? 1U : 0U;
			out[len++] = c;
		}
		ps->at++;
	}
	word->len = len;
	ps->count++;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Methods of .NET that appear in the text. */
static void
methods(struct ps *ps)
{
	static const struct {
		const char *text;
		bool fetches, evals, connects;
	} names[] = {
		{ "downloadstring", true, false, false },
		{ "downloaddata", true, false, false },
		{ "downloadfile", true, false, false },
		{ "invoke-expression", false, true, false },
		{ "scriptblock]::create", false, true, false },
		{ "tcpclient(", false, false, true },
		{ "getstream(", false, false, true },
	};

	for (size_t i = 0; i + 8 < ps->len; i++) {
		char c = lex_lower(ps->text[i]);

		for (size_t n = 0; n < COUNT_OF(names); n++) {
			size_t len = strlen(names[n].text);

			if (c == names[n].text[0] && ps->len - i >= len &&
			    lex_same(ps->text + i, len, names[n].text)) {
				ps->fetches |= names[n].fetches;
				ps->evals |= names[n].evals;
				ps->connects |= names[n].connects;
			}
		}
	}
}

static void
skip_comment(struct ps *ps)
{
	const char *end;

	if (peek(ps, 0) == '<') {
		end = memmem(ps->text + ps->at, ps->len - ps->at, "#>", 2);
		ps->at = end == NULL ? ps->len : (size_t)(end - ps->text) + 2;
		return;
	}
	end = memchr(ps->text + ps->at, '\n', ps->len - ps->at);
	ps->at = end == NULL ? ps->len : (size_t)(end - ps->text);
}

void
ps_read(struct ps *outer, const char *text, size_t len)
{
	struct ps ps = { .code = outer->code, .text = text, .len = len, .depth = outer->depth + 1 };
	char *room = arena_alloc(outer->code->arena, len * 2 + 2);
	bool piped = false;

	if (room == NULL) {
		return;
	}
	methods(&ps);
	while (ps.at < len) {
		char c = text[ps.at];

		if ((c == '#' && ps.count == 0) || (c == '<' && peek(&ps, 1) == '#')) {
			skip_comment(&ps);
		} else if (c == '\n' || (c != '\0' && memchr(";|&(){}=", c, 8) != NULL)) {
			ps_command(&ps, piped);
			piped = c == '|' && peek(&ps, 1) != '|';
			ps.listed = piped ? ps.listed : NULL;
			ps.at++;
		} else if (lex_is_space(c) || c == ',' || c == '\0' || ps.count >= WORDS_MAX) {
			ps.at++;
		} else {
			size_t before = ps.at;

			read_word(&ps, room);
			room += ps.words[ps.count - 1].len;
			ps.at += ps.at == before ? 1U : 0U;
		}
	}
	ps_command(&ps, piped);
	outer->evals |= ps.evals;
	outer->fetches |= ps.fetches;
	outer->connects |= ps.connects;
}

void
code_powershell(struct code *code)
{
	struct ps ps = { .code = code };

	find_unknown(code->found, "commands of PowerShell", code->field);
	ps_read(&ps, code->text, code->len);
	if (ps.evals && ps.fetches) {
		find_rule(code->found, &remote_code, NULL);
	}
	if (ps.connects && ps.evals) {
		find_rule(code->found, &shell_out, NULL);
	}
	if (memmem(code->text, code->len, "Win32_ShadowCopy", 16) != NULL &&
	    memmem(code->text, code->len, "elete", 5) != NULL) {
		find_rule(code->found, &shadows, NULL);
	}
}
