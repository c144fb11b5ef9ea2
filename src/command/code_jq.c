/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: filters of jq. They compute and print; what reads the environment or other
 * files by name is found, and anything that is not understood leaves the filter unknown.
 *
 * Invariant: the filter is known only when every byte of it was read as a token of jq.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define NESTING_MAX 64

struct jq {
	struct code *code;
	const char *text;
	size_t len;
	size_t at;
	/* Brackets that are open, as their closing ones; '"' for the string around \( ... ). */
	char open[NESTING_MAX];
	size_t depth;
	bool odd;
};

static char
peek(const struct jq *jq, size_t ahead)
{
	return jq->at + ahead < jq->len ? jq->text[jq->at + ahead] : '\0';
}

static void
push(struct jq *jq, char close)
{
	if (jq->depth >= NESTING_MAX) {
		jq->odd = true;
		return;
	}
	jq->open[jq->depth] = close;
	jq->depth++;
}

/* The inside of a string, up to its end or to a \( in it. */
static void
string(struct jq *jq)
{
	while (jq->at < jq->len) {
		char c = jq->text[jq->at];

		jq->at++;
		if (c == '"') {
			return;
		}
		if (c != '\\') {
			continue;
		}
		c = peek(jq, 0);
		jq->at++;
		if (c == '(') {
			push(jq, '"');
			return;
		}
		if (c == '\0' || memchr("\"\\/bfnrtu", c, 9) == NULL) {
			jq->odd = true;
			return;
		}
	}
	jq->odd = true;
}

static void
name(struct jq *jq, bool field, bool variable)
{
	static const char unsafe[] = "env import include modulemeta get_search_list load load_str "
				     "load_xml load_props load_base64 strenv envsubst eval system";
	size_t start = jq->at;
	size_t next;

	while (lex_is_name(peek(jq, 0)) || (peek(jq, 0) == ':' && peek(jq, 1) == ':')) {
		jq->odd |= (unsigned char)peek(jq, 0) >= 0x80;
		jq->at += peek(jq, 0) == ':' ? 2U : 1U;
	}
	if (field) {
		return;
	}
	next = jq->at;
	while (next < jq->len && lex_is_space(jq->text[next])) {
		next++;
	}
	if (variable) {
		if (lex_in("ENV __prog_args", jq->text + start, jq->at - start)) {
			jq->code->found->flags |= FIND_OUT_SECRET;
			code_unknown(jq->code, "a filter that reads the environment", start,
				     jq->at);
		}
		return;
	}
	if (next < jq->len && jq->text[next] == ':' && jq->depth > 0 &&
	    jq->open[jq->depth - 1] == '}') {
		return; /* the key of an object */
	}
	if (lex_in(unsafe, jq->text + start, jq->at - start)) {
		if (lex_same(jq->text + start, jq->at - start, "env")) {
			jq->code->found->flags |= FIND_OUT_SECRET;
		}
		code_unknown(jq->code, "a filter that reads more than its input", start, jq->at);
	}
}

static void
bracket(struct jq *jq, char c)
{
	jq->at++;
	if (c == '(' || c == '[' || c == '{') {
		push(jq, c == '(' ? ')' : c == '[' ? ']' : '}');
		return;
	}
	if (jq->depth == 0) {
		jq->odd = true;
		return;
	}
	jq->depth--;
	if (jq->open[jq->depth] == '"' && c == ')') {
		string(jq);
	} else if (jq->open[jq->depth] != c) {
		jq->odd = true;
	}
}

static void
next(struct jq *jq)
{
	char c = peek(jq, 0);

	if (lex_is_space(c)) {
		jq->at++;
	} else if (c == '#') {
		const char *end = memchr(jq->text + jq->at, '\n', jq->len - jq->at);

		size_t stop = end == NULL ? jq->len : (size_t)(end - jq->text);

		/* Versions differ on what a backslash or a carriage return in it does. */
		jq->odd |= memchr(jq->text + jq->at, '\\', stop - jq->at) != NULL ||
			   memchr(jq->text + jq->at, '\r', stop - jq->at) != NULL;
		jq->at = stop;
	} else if (c == '"') {
		jq->at++;
		string(jq);
	} else if (c == '.' && (lex_is_alpha(peek(jq, 1)) || peek(jq, 1) == '_')) {
		jq->at++;
		name(jq, true, false);
	} else if (c == '$') {
		jq->at++;
		name(jq, false, true);
	} else if (c == '@') {
		jq->at++;
		name(jq, true, false);
	} else if (lex_is_digit(c)) {
		while (lex_is_name(peek(jq, 0)) || peek(jq, 0) == '.') {
			jq->at++;
		}
	} else if (lex_is_alpha(c) || c == '_') {
		name(jq, false, false);
	} else if (c != '\0' && memchr("()[]{}", c, 6) != NULL) {
		bracket(jq, c);
	} else if (c != '\0' && memchr(".,:;|?=<>!+-*/%", c, 15) != NULL) {
		jq->at++;
	} else {
		jq->odd = true;
	}
}

void
code_jq(struct code *code)
{
	struct jq jq = { .code = code, .text = code->text, .len = code->len };

	while (jq.at < jq.len && !jq.odd) {
		next(&jq);
	}
	if (jq.odd || jq.depth > 0) {
		find_unknown(code->found, "a filter that cannot be read", code->field);
	}
	code_known(code);
}
