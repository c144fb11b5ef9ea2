/* SPDX-License-Identifier: MIT */
/*
 * Tildes at the start of words, and behind = and : in assignments.
 */
#include "command/expand_impl.h"

#include <string.h>

void
expand_live(struct build *b, const char *text, size_t len, bool result)
{
	if (len == 0) {
		return;
	}
	if (result) {
		build_result_text(b, text, len);
	} else {
		build_live(b, text, len);
	}
}

static bool
is_user_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (i == 0 || strchr("0123456789.-", c) == NULL)) {
			return false;
		}
	}
	return len > 0;
}

static void
tilde_variable(struct build *b, const char *name)
{
	struct pvalue value = { 0 };

	param_variable(b->ex, name, &value);
	if (value.unknown || value.count == 0) {
		build_unknown(b, TAINT_VARIABLE, false);
		return;
	}
	build_result(b, &value.items[0], true);
}

/* The prefix of `len` bytes, "~" first. false: it is text like any other. */
static bool
tilde_prefix(struct build *b, const char *text, size_t len)
{
	struct field home;
	bool first = b->len == 0;

	if (len == 1) {
		home = shell_home(b->ex->shell);
		build_result(b, &home, true);
		b->tilde = b->tilde || first;
		return true;
	}
	if (len == 2 && (text[1] == '+' || text[1] == '-') &&
	    b->ex->shell->dialect == DIALECT_BASH) {
		tilde_variable(b, text[1] == '+' ? "PWD" : "OLDPWD");
		return true;
	}
	if (len == 5 && memcmp(text, "~root", 5) == 0) {
		build_quoted(b, "/root", 5, true);
		return true;
	}
	if (is_user_name(text + 1, len - 1) || strchr("+-0123456789", text[1]) != NULL) {
		build_unknown(b, TAINT_VARIABLE, false);
		return true;
	}
	return false;
}

/* The length of the tilde prefix that starts at `text`, or 0: it may not touch another part. */
static size_t
tilde_length(const char *text, size_t len, bool more)
{
	size_t n = 1;

	while (n < len && text[n] != '/' && text[n] != ':') {
		n++;
	}
	return n == len && more ? 0 : n;
}

/* bash takes the text from a tilde to the next slash (in assignments: or colon) as it stands, $x
 * and all, when any of it is a tilde prefix. `from`: behind the tilde or its prefix. */
static bool
odd_tilde(const struct part *part, size_t from, bool colon, bool expanded)
{
	const char *rest = part->text + from;
	size_t len = part->len - from;

	if (expanded) {
		return !colon && len > 0 && *rest == ':' && part->next != NULL &&
		       memchr(rest, '/', len) == NULL;
	}
	if (!colon) {
		return false;
	}
	for (; part != NULL; part = part->next) {
		if (part->kind == PART_TEXT && !part->quoted && memchr(rest, '~', len) != NULL) {
			return true;
		}
		rest = part->next != NULL && part->next->kind == PART_TEXT ? part->next->text : "";
		len = *rest != '\0' ? part->next->len : 0;
	}
	return false;
}

/* Unquoted text in which a tilde counts at the start (`start`) and, with `colon`, after each
 * colon. */
void
expand_tilde(struct build *b, const struct part *part, size_t from, bool start, bool colon,
	     bool result)
{
	const char *text = part->text;
	size_t len = part->len;
	size_t plain = from;

	for (size_t i = from; i < len; i++) {
		bool here = text[i] == '~' &&
			    ((start && i == from) || (colon && i > 0 && text[i - 1] == ':'));
		size_t n = here ? tilde_length(text + i, len - i, part->next != NULL) : 0;

		if (!here) {
			continue;
		}
		if (memmem(text + i, len - i, "=~", 2) != NULL) {
			b->odd = true;
		}
		expand_live(b, text + plain, i - plain, result);
		plain = i;
		if (n > 0 && tilde_prefix(b, text + i, n)) {
			plain = i + n;
			i = plain - 1;
		}
		b->odd = b->odd || odd_tilde(part, i + 1, colon, n > 0 && plain == i + 1);
	}
	expand_live(b, text + plain, len - plain, result);
}

/* NAME= or NAME+= in front: the length with the equals sign; 0 when there is none. */
size_t
expand_assignment_length(const struct part *part)
{
	const char *equals;
	size_t n;

	if (part->quoted || part->kind != PART_TEXT || part->len == 0) {
		return 0;
	}
	equals = memchr(part->text, '=', part->len);
	if (equals == NULL) {
		return 0;
	}
	n = (size_t)(equals - part->text);
	if (n > 1 && part->text[n - 1] == '+') {
		n--;
	}
	return param_is_name(part->text, n) ? (size_t)(equals - part->text) + 1 : 0;
}
