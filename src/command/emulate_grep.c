/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: grep on one input: the lines that match, or what matches in them.
 */

#include "command/emulate_impl.h"

#define STEPS_MAX ((size_t)1 << 18)

struct grep {
	const char *pattern;
	size_t len;
	struct emulate_regex *regex; /* NULL: `pattern` as it stands */
	bool inverted;
	bool only;  /* -o */
	bool whole; /* -x */
	size_t steps;
};

/* Finds the pattern in [at, len). 1, 0, or -1 for not known. */
static int
find(struct grep *grep, const char *line, size_t len, size_t at, struct emulate_match *match)
{
	const char *found;

	if (grep->regex != NULL) {
		return emulate_search(grep->regex, line, len, at, &grep->steps, match);
	}
	found = grep->len > len - at ? NULL : memmem(line + at, len - at, grep->pattern, grep->len);
	if (found != NULL) {
		match->from[0] = (size_t)(found - line);
		match->to[0] = match->from[0] + grep->len;
	}
	return found != NULL;
}

/* -o: each match on a line of its own. */
static int
put_matches(struct emulation *e, struct grep *grep, const char *line, size_t len)
{
	struct emulate_match match;
	size_t at = 0;
	int found = 0;

	while (at <= len && !e->out.over) {
		found = find(grep, line, len, at, &match);
		if (found != 1) {
			break;
		}
		if (match.to[0] > match.from[0]) {
			emulate_put(&e->out, line + match.from[0], match.to[0] - match.from[0]);
			emulate_put_byte(&e->out, '\n');
		}
		at = match.to[0] > match.from[0] ? match.to[0] : match.to[0] + 1;
	}
	return found;
}

/* false: not known. */
static bool
grep_line(struct emulation *e, struct grep *grep, const char *line, size_t len)
{
	struct emulate_match match;
	int found;

	if (grep->only) {
		return put_matches(e, grep, line, len) >= 0;
	}
	found = find(grep, line, len, 0, &match);
	if (found == 1 && grep->whole && (match.from[0] > 0 || match.to[0] < len)) {
		if (grep->regex != NULL) {
			return false; /* another match may be the whole line */
		}
		found = 0;
	}
	if (found == !grep->inverted) {
		emulate_put(&e->out, line, len);
		emulate_put_byte(&e->out, '\n');
	}
	return found >= 0;
}

/* A pattern that grep and sed read alike: sed's escapes are letters, which grep does not know. */
static bool
is_common(const char *pattern)
{
	for (; *pattern != '\0'; pattern++) {
		if (*pattern == '\n') {
			return false;
		}
		if (*pattern == '\\') {
			pattern++;
			if ((*pattern >= 'a' && *pattern <= 'z') || *pattern == '\0') {
				return false;
			}
		}
	}
	return true;
}

static bool
read_pattern(struct emulation *e, const struct emulate_args *args, struct grep *grep)
{
	bool fixed = emulate_given(args, 'F') || strcmp(e->name, "fgrep") == 0;
	bool extended = emulate_given(args, 'E') || strcmp(e->name, "egrep") == 0;
	const struct field *operand = args->count > 0 ? args->operands[0] : NULL;

	grep->pattern = emulate_value(args, 'e');
	if (grep->pattern == NULL) {
		if (operand == NULL || !field_is_literal(operand)) {
			return false;
		}
		grep->pattern = operand->text;
		e->out.taint |= operand->taint;
	}
	grep->len = strlen(grep->pattern);
	if (fixed) {
		return !extended && !emulate_given(args, 'i') && grep->len > 0 &&
		       memchr(grep->pattern, '\n', grep->len) == NULL;
	}
	if (!is_common(grep->pattern)) {
		return false;
	}
	grep->regex = emulate_regex(e->arena, grep->pattern, grep->len, extended,
				    emulate_given(args, 'i'));
	return grep->regex != NULL;
}

enum emulated
emulate_grep(struct emulation *e)
{
	struct grep grep = { .steps = STEPS_MAX };
	struct emulate_args args;
	struct emulate_text text;
	enum emulated result;
	size_t first;
	size_t at;

	if (!emulate_args(e, "viFEe:oxha",
			  "v=invert-match i=ignore-case F=fixed-strings E=extended-regexp "
			  "e=regexp o=only-matching x=line-regexp h=no-filename a=text",
			  &args) ||
	    !read_pattern(e, &args, &grep)) {
		return EMULATE_NO;
	}
	first = emulate_given(&args, 'e') ? 0 : 1;
	grep.inverted = emulate_given(&args, 'v');
	grep.only = emulate_given(&args, 'o');
	grep.whole = emulate_given(&args, 'x');
	if (args.count > first + 1 || (grep.only && (grep.inverted || grep.whole))) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, &args, first, &text);
	if (result == EMULATE_DONE && !emulate_is_ascii(text.text, text.len)) {
		return EMULATE_UNKNOWN;
	}
	for (at = 0; result == EMULATE_DONE && at < text.len && !e->out.over;) {
		size_t end = emulate_line_end(&text, at);

		if (!grep_line(e, &grep, text.text + at, end - at - (text.text[end - 1] == '\n'))) {
			return EMULATE_UNKNOWN;
		}
		at = end;
	}
	return result;
}
