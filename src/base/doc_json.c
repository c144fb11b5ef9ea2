/* SPDX-License-Identifier: MIT */
/*
 * JSON for documents. jansson parses; it keeps no places of values and speaks of errors in its own
 * words, so when an error is to be told the text is walked once more, token by token, by a small
 * push-down automaton: it finds the place of a value by its pointer, and what was expected where
 * the text is not JSON. Only the bound on depth is checked on every parse.
 *
 * The automaton does not judge strings and numbers: what is wrong inside of one is jansson's say.
 */
#include "base/attr.h"
#include "base/doc_impl.h"
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* TOKEN_OPEN is a string without a closing quote; TOKEN_OTHER begins nothing in JSON. */
enum token_kind { TOKEN_END, TOKEN_MARK, TOKEN_STRING, TOKEN_OPEN, TOKEN_WORD, TOKEN_OTHER };

/* The order of `expected` below. */
enum expect {
	EXPECT_VALUE,
	EXPECT_ELEMENT,
	EXPECT_MEMBER,
	EXPECT_KEY,
	EXPECT_COLON,
	EXPECT_NEXT_ELEMENT,
	EXPECT_NEXT_MEMBER,
	EXPECT_END,
};

static const char *const expected[] = {
	"a value",
	"a value or ']'",
	"a key in double quotes or '}'",
	"a key in double quotes",
	"':'",
	"',' or ']'",
	"',' or '}'",
	"the end of the text",
};

struct walk {
	const char *text;
	size_t len;
	/* the current token */
	size_t start;
	size_t end;
	enum token_kind kind;
	/* where the automaton is */
	enum expect expect;
	size_t depth;
	bool in_object[DOC_DEPTH_MAX];
	size_t index[DOC_DEPTH_MAX]; /* of the element that is next, in an array */
};

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '+' || c == '-' || c == '.' || c == '_';
}

/* To behind the closing quote, or to the end of the line when there is none. */
static size_t
next_string(struct walk *walk, size_t pos)
{
	for (pos++; pos < walk->len && walk->text[pos] != '\n'; pos++) {
		if (walk->text[pos] == '"') {
			walk->kind = TOKEN_STRING;
			return pos + 1;
		}
		if (walk->text[pos] == '\\' && pos + 1 < walk->len) {
			pos++;
		}
	}
	walk->kind = TOKEN_OPEN;
	return pos < walk->len ? pos : walk->len;
}

static void
next_token(struct walk *walk)
{
	const char *text = walk->text;
	size_t pos = walk->end;
	uint32_t code;
	size_t n;

	while (pos < walk->len && is_space(text[pos])) {
		pos++;
	}
	walk->start = pos;
	if (pos == walk->len) {
		walk->kind = TOKEN_END;
	} else if (text[pos] == '"') {
		pos = next_string(walk, pos);
	} else if (text[pos] != '\0' && strchr("{}[]:,", text[pos]) != NULL) {
		walk->kind = TOKEN_MARK;
		pos++;
	} else if (is_word(text[pos])) {
		walk->kind = TOKEN_WORD;
		while (pos < walk->len && is_word(text[pos])) {
			pos++;
		}
	} else {
		walk->kind = TOKEN_OTHER;
		n = text_decode(text + pos, walk->len - pos, &code);
		pos += n > 0 ? n : 1;
	}
	walk->end = pos;
}

static bool
at_mark(const struct walk *walk, char mark)
{
	return walk->kind == TOKEN_MARK && walk->text[walk->start] == mark;
}

/* What comes behind a value, or behind a container that was just closed. */
static void
after_value(struct walk *walk)
{
	if (walk->depth == 0) {
		walk->expect = EXPECT_END;
		return;
	}
	walk->expect = walk->in_object[walk->depth - 1] ? EXPECT_NEXT_MEMBER : EXPECT_NEXT_ELEMENT;
}

static bool
accept_value(struct walk *walk)
{
	bool object = at_mark(walk, '{');

	if (walk->kind == TOKEN_STRING || walk->kind == TOKEN_WORD) {
		after_value(walk);
		return true;
	}
	if ((!object && !at_mark(walk, '[')) || walk->depth == DOC_DEPTH_MAX) {
		return false;
	}
	walk->in_object[walk->depth] = object;
	walk->index[walk->depth] = 0;
	walk->depth++;
	walk->expect = object ? EXPECT_MEMBER : EXPECT_ELEMENT;
	return true;
}

static bool
accept_close(struct walk *walk, char mark)
{
	if (!at_mark(walk, mark)) {
		return false;
	}
	walk->depth--;
	after_value(walk);
	return true;
}

static bool
accept_comma(struct walk *walk, enum expect then)
{
	if (!at_mark(walk, ',')) {
		return false;
	}
	walk->index[walk->depth - 1]++;
	walk->expect = then;
	return true;
}

static bool
accept_key(struct walk *walk)
{
	walk->expect = walk->kind == TOKEN_STRING ? EXPECT_COLON : walk->expect;
	return walk->kind == TOKEN_STRING;
}

/* Takes the current token; false, and no step, when it is not what may stand here. */
static bool
accept(struct walk *walk)
{
	switch (walk->expect) {
	case EXPECT_VALUE:
		return accept_value(walk);
	case EXPECT_ELEMENT:
		return accept_close(walk, ']') || accept_value(walk);
	case EXPECT_MEMBER:
		return accept_close(walk, '}') || accept_key(walk);
	case EXPECT_KEY:
		return accept_key(walk);
	case EXPECT_COLON:
		walk->expect = at_mark(walk, ':') ? EXPECT_VALUE : EXPECT_COLON;
		return walk->expect == EXPECT_VALUE;
	case EXPECT_NEXT_ELEMENT:
		return accept_close(walk, ']') || accept_comma(walk, EXPECT_VALUE);
	case EXPECT_NEXT_MEMBER:
		return accept_close(walk, '}') || accept_comma(walk, EXPECT_KEY);
	case EXPECT_END:
		return walk->kind == TOKEN_END;
	}
	return false;
}

/* Does the string token, a key, name the first segment of `pointer`? jansson takes its escapes. */
static bool
key_matches(const struct walk *walk, const char *pointer, const char **rest)
{
	json_t *key = json_loadb(walk->text + walk->start, walk->end - walk->start, JSON_DECODE_ANY,
				 NULL);
	bool matches = json_is_string(key) && doc_pointer_names(pointer, json_string_value(key),
								json_string_length(key), rest);

	json_decref(key);
	return matches;
}

/*
 * In a container whose opening mark was just taken: goes on to the value that the first segment of
 * `pointer` names, which is the current token then. False where the container has no such value.
 */
static bool
find_child(struct walk *walk, const char *pointer, const char **rest, size_t *key)
{
	size_t level = walk->depth;
	bool hit = false;

	for (next_token(walk); walk->kind != TOKEN_END; next_token(walk)) {
		enum expect state = walk->depth == level ? walk->expect : EXPECT_END;

		if (state == EXPECT_MEMBER || state == EXPECT_KEY) {
			hit = walk->kind == TOKEN_STRING && key_matches(walk, pointer, rest);
			*key = walk->start;
		} else if (state == EXPECT_VALUE || state == EXPECT_ELEMENT) {
			if (!walk->in_object[level - 1]) {
				hit = doc_pointer_is_index(pointer, walk->index[level - 1], rest);
				*key = walk->start;
			}
			if (hit && !at_mark(walk, ']')) {
				return true;
			}
		}
		if (!accept(walk) || walk->depth < level) {
			return false;
		}
	}
	return false;
}

struct bailey_position
doc_json_place(const struct doc *doc, const char *pointer, bool key)
{
	struct walk walk = { .text = doc->text, .len = doc->len };
	size_t found;
	size_t key_start;

	next_token(&walk);
	found = walk.start;
	key_start = found;
	while (*pointer != '\0' && walk.kind == TOKEN_MARK && accept(&walk) &&
	       find_child(&walk, pointer, &pointer, &key_start)) {
		found = walk.start;
	}
	return text_position(doc->text, key && *pointer == '\0' ? key_start : found);
}

static int fail_at(const struct doc *doc, size_t offset, struct bailey_error *err,
		   const char *format, ...) BAILEY_PRINTF(4, 5);

static int
fail_at(const struct doc *doc, size_t offset, struct bailey_error *err, const char *format, ...)
{
	char message[BAILEY_ERROR_MESSAGE_MAX] = "";
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return bailey_fail_at(err, BAILEY_E_SYNTAX, doc->source, text_position(doc->text, offset),
			      "%s", message);
}

static int
fail_memory(const struct doc *doc, struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for '%s'", doc->source);
}

/* The value of the escape \uXXXX at `at`, or UINT32_MAX when there is none. */
static uint32_t
unicode_escape(const char *at, size_t len)
{
	uint32_t value = 0;

	if (len < 6 || at[0] != '\\' || at[1] != 'u') {
		return UINT32_MAX;
	}
	for (size_t i = 2; i < 6; i++) {
		if (!isxdigit((unsigned char)at[i])) {
			return UINT32_MAX;
		}
		value = value << 4 | (uint32_t)(at[i] <= '9' ? at[i] - '0' : (at[i] & 7) + 9);
	}
	return value;
}

/* What is wrong with the `len` bytes from the byte `at` of a string, or NULL. `*step` is how many
 * bytes to go on. */
static const char *
wrong_in_string(const char *at, size_t len, size_t *step)
{
	uint32_t code = unicode_escape(at, len);
	uint32_t low = code != UINT32_MAX ? unicode_escape(at + 6, len - 6) : 0;
	bool pair = code >= 0xd800 && code <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;

	*step = at[0] == '\\' ? 2 : 1;
	if ((unsigned char)at[0] < 0x20) {
		return "expected an escape such as \\n or \\u001b, found a control character in a "
		       "string";
	}
	if (at[0] != '\\') {
		return NULL;
	}
	if (len < 2 || at[1] == '\0' || strchr("\"\\/bfnrtu", at[1]) == NULL) {
		return "expected one of \" \\ / b f n r t u behind a backslash";
	}
	if (at[1] != 'u') {
		return NULL;
	}
	if (code == UINT32_MAX) {
		return "expected four hexadecimal digits behind \\u";
	}
	*step = pair ? 12 : 6;
	return code >= 0xd800 && code <= 0xdfff && !pair
		       ? "expected a Unicode character, found half of a surrogate pair"
		       : NULL;
}

/* jansson minds something inside of a string, or it had no memory for it. */
static int
fail_in_string(const struct doc *doc, const struct walk *walk, struct bailey_error *err)
{
	size_t step;

	for (size_t i = walk->start + 1; i < walk->end; i += step) {
		const char *wrong = wrong_in_string(walk->text + i, walk->end - i, &step);

		if (wrong != NULL) {
			return fail_at(doc, i, err, "%s", wrong);
		}
	}
	if (walk->kind == TOKEN_OPEN) {
		return fail_at(doc, walk->start, err, "expected a closing double quote");
	}
	return fail_memory(doc, err);
}

/* jansson took offence at the current token although a token of its kind may stand here. */
static int
fail_in_token(const struct doc *doc, const struct walk *walk, enum json_error_code code,
	      struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];
	char first = walk->text[walk->start];
	bool number = first == '-' || (first >= '0' && first <= '9');

	(void)text_shown(shown, doc->text + walk->start, walk->end - walk->start);
	if (code == json_error_duplicate_key) {
		return fail_at(doc, walk->start, err, "expected each key once, found %s again",
			       shown);
	}
	if (code == json_error_null_character || code == json_error_null_byte_in_key) {
		return fail_at(doc, walk->start, err,
			       "expected a string without the character NUL");
	}
	if (code == json_error_numeric_overflow) {
		return fail_at(doc, walk->start, err, "expected a number in range, found '%s'",
			       shown);
	}
	if (walk->kind == TOKEN_STRING) {
		return fail_in_string(doc, walk, err);
	}
	if (walk->kind != TOKEN_WORD) {
		return fail_memory(doc, err);
	}
	return fail_at(doc, walk->start, err,
		       number ? "expected a number such as 10, -1 or 2.5e3, found '%s'"
			      : "expected a value (text needs double quotes), found '%s'",
		       shown);
}

static int
fail_unexpected(const struct doc *doc, const struct walk *walk, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];
	const char *want = expected[walk->expect];
	const char *quote = walk->kind == TOKEN_STRING ? "" : "'";

	if (walk->depth == 0 && walk->expect == EXPECT_VALUE) {
		want = "'{' or '['";
	}
	if (walk->kind == TOKEN_OPEN) {
		return fail_in_string(doc, walk, err);
	}
	if (walk->kind == TOKEN_END) {
		return fail_at(doc, walk->start, err, "expected %s, found the end of the text",
			       want);
	}
	(void)text_shown(shown, doc->text + walk->start, walk->end - walk->start);
	return fail_at(doc, walk->start, err, "expected %s, found %s%s%s", want, quote, shown,
		       quote);
}

/* Tells in our words and with our places what jansson found. */
static int
explain(const struct doc *doc, const json_error_t *error, struct bailey_error *err)
{
	struct walk walk = { .text = doc->text, .len = doc->len };
	enum json_error_code code = json_error_code(error);
	size_t place = error->position > 0 ? (size_t)error->position : 0;

	/* jansson gives most failures of an allocation no code, and a few that of bad syntax. */
	if (code == json_error_out_of_memory || code == json_error_unknown) {
		return fail_memory(doc, err);
	}
	if (code == json_error_invalid_utf8) {
		return fail_at(doc, text_valid(doc->text, doc->len), err,
			       "expected UTF-8, found a byte that is none");
	}
	if (code == json_error_premature_end_of_input) {
		place = doc->len + 1;
	}
	do {
		next_token(&walk);
		if ((walk.depth == 0 && walk.expect == EXPECT_VALUE && walk.kind != TOKEN_MARK) ||
		    !accept(&walk)) {
			return fail_unexpected(doc, &walk, err);
		}
	} while (walk.end < place && walk.kind != TOKEN_END);
	return fail_in_token(doc, &walk, code, err);
}

static int
check_depth(const struct doc *doc, struct bailey_error *err)
{
	struct walk walk = { .text = doc->text, .len = doc->len };
	size_t depth = 0;

	for (next_token(&walk); walk.kind != TOKEN_END; next_token(&walk)) {
		if (at_mark(&walk, '{') || at_mark(&walk, '[')) {
			depth++;
		} else if (depth > 0 && (at_mark(&walk, '}') || at_mark(&walk, ']'))) {
			depth--;
		}
		if (depth > DOC_DEPTH_MAX) {
			return bailey_fail_at(err, BAILEY_E_LIMIT, doc->source,
					      text_position(doc->text, walk.start),
					      "nested deeper than %d levels", DOC_DEPTH_MAX);
		}
	}
	return BAILEY_OK;
}

int
doc_json_parse(struct doc *doc, struct bailey_error *err)
{
	json_error_t error = { 0 };
	const char *nul = memchr(doc->text, '\0', doc->len);
	int rc;

	if (nul != NULL) { /* which jansson swallows behind a number */
		return fail_at(doc, (size_t)(nul - doc->text), err,
			       "expected text, found a byte that is 0");
	}
	rc = check_depth(doc, err);
	if (rc != BAILEY_OK) {
		return rc;
	}
	doc->root = json_loadb(doc->text, doc->len, JSON_REJECT_DUPLICATES, &error);
	return doc->root != NULL ? BAILEY_OK : explain(doc, &error, err);
}
