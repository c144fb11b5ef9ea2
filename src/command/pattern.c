/* SPDX-License-Identifier: MIT */
/*
 * Matching of patterns: * ? [...] and the extended ones. Ranges are by byte, as bash has them
 * without a locale's help.
 *
 * Invariants:
 *   - the number of steps is bounded by the lengths; what would take more is not known (-1)
 *   - what depends on the locale is not known: ? and [...] against a byte above 127, [=a=] and
 *     [.a.]
 */
#include "command/expand_impl.h"

#include <string.h>

#define NOT_KNOWN (-1)
#define NO_BRACKET (-2) /* a [ that is not closed is itself */
#define EXTGLOB_DEPTH 40
#define EXTGLOB_STEPS 20000
#define TRIES_MAX 1024 /* of the places where a match may end, for patterns with a star */

struct matching {
	const char *text; /* of the pattern */
	const uint8_t *marks;
	bool nocase;
	size_t steps; /* left */
	unsigned depth;
};

static bool
is_live(const struct matching *m, size_t i, char c)
{
	return m->marks != NULL && m->marks[i] == MARK_GLOB && m->text[i] == c;
}

static unsigned char
fold(const struct matching *m, char c)
{
	return (unsigned char)(m->nocase && c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool
expand_is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)text[i] >= 128) {
			return false;
		}
	}
	return true;
}

/* ---- brackets ----------------------------------------------------------------------------- */

static bool
between(char c, char low, char high)
{
	return c >= low && c <= high;
}

static bool
is_punct(char c)
{
	return between(c, '!', '/') || between(c, ':', '@') || between(c, '[', '`') ||
	       between(c, '{', '~');
}

static bool
in_class(const char *name, size_t len, char c, bool nocase)
{
	bool lower = between(c, 'a', 'z') || (nocase && between(c, 'A', 'Z'));
	bool upper = between(c, 'A', 'Z') || (nocase && between(c, 'a', 'z'));
	bool digit = between(c, '0', '9');
	const struct {
		const char *name;
		bool is;
	} classes[] = {
		{ "alpha", lower || upper },
		{ "digit", digit },
		{ "alnum", lower || upper || digit },
		{ "upper", upper },
		{ "lower", lower },
		{ "space", c == ' ' || between(c, '\t', '\r') },
		{ "blank", c == ' ' || c == '\t' },
		{ "punct", is_punct(c) },
		{ "print", between(c, ' ', '~') },
		{ "graph", between(c, '!', '~') },
		{ "cntrl", (unsigned char)c < 32 || c == 127 },
		{ "xdigit", digit || between(c, 'a', 'f') || between(c, 'A', 'F') },
		{ "ascii", (unsigned char)c < 128 },
		{ "word", lower || upper || digit || c == '_' },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strlen(classes[i].name) == len && memcmp(classes[i].name, name, len) == 0) {
			return classes[i].is;
		}
	}
	return false;
}

/* Where the bracket that opens at `at` closes, or 0. */
static size_t
bracket_end(const struct matching *m, size_t at, size_t end)
{
	bool classes = true; /* there may be a ":]" further on */
	size_t i = at + 1;

	if (i < end && (is_live(m, i, '!') || is_live(m, i, '^'))) {
		i++;
	}
	if (i < end && is_live(m, i, ']')) {
		i++;
	}
	while (i < end && !is_live(m, i, ']')) {
		const char *close = NULL;

		if (classes && is_live(m, i, '[') && i + 1 < end && m->text[i + 1] == ':') {
			close = memmem(m->text + i + 2, end - i - 2, ":]", 2);
			classes = close != NULL;
		}
		i = close != NULL ? (size_t)(close - m->text) + 2 : i + 1;
	}
	return i < end ? i : 0;
}

/* One member at *i: a class, a range or a character. */
static int
member(const struct matching *m, size_t *i, size_t close, char c)
{
	const char *text = m->text;
	const char *end;
	size_t at = *i;
	unsigned char low;
	unsigned char high;

	if (is_live(m, at, '[') && at + 1 < close) {
		if (text[at + 1] == '=' || text[at + 1] == '.') {
			return NOT_KNOWN;
		}
		end = text[at + 1] == ':' ? memmem(text + at + 2, close - at - 2, ":]", 2) : NULL;
		if (end != NULL) {
			*i = (size_t)(end - text) + 2;
			return in_class(text + at + 2, (size_t)(end - text) - at - 2, c, m->nocase);
		}
	}
	low = fold(m, text[at]);
	high = low;
	*i = at + 1;
	if (at + 2 < close && is_live(m, at + 1, '-')) {
		if (is_live(m, at + 2, '[')) {
			return NOT_KNOWN;
		}
		high = fold(m, text[at + 2]);
		*i = at + 3;
	}
	if (low >= 128 || high >= 128) {
		return NOT_KNOWN;
	}
	return fold(m, c) >= low && fold(m, c) <= high;
}

/* Does the bracket at `at` match `c`? `*next` is behind it. */
static int
match_bracket(struct matching *m, size_t at, size_t end, char c, size_t *next)
{
	size_t close = bracket_end(m, at, end);
	size_t i = at + 1;
	size_t cost = (close > 0 ? close : end) - at;
	bool negated;
	bool found = false;

	if (cost >= m->steps) {
		m->steps = 1;
		return NOT_KNOWN;
	}
	m->steps -= cost;
	if (close == 0) {
		return NO_BRACKET;
	}
	*next = close + 1;
	negated = is_live(m, i, '!') || is_live(m, i, '^');
	i += negated;
	while (i < close) {
		int is = member(m, &i, close, c);

		if (is == NOT_KNOWN) {
			return NOT_KNOWN;
		}
		found = found || is == 1;
	}
	if ((unsigned char)c >= 128) {
		return NOT_KNOWN;
	}
	return found != negated;
}

/* Does what stands at `at`, which is no star, match `c`? */
static int
match_one(struct matching *m, size_t at, size_t end, char c, size_t *next)
{
	int is;

	*next = at + 1;
	if (is_live(m, at, '?')) {
		return (unsigned char)c >= 128 ? NOT_KNOWN : 1;
	}
	if (is_live(m, at, '[')) {
		is = match_bracket(m, at, end, c, next);
		if (is != NO_BRACKET) {
			return is;
		}
	}
	if (m->nocase && ((unsigned char)c >= 128 || (unsigned char)m->text[at] >= 128)) {
		return m->text[at] == c ? 1 : NOT_KNOWN;
	}
	return fold(m, m->text[at]) == fold(m, c);
}

/* ---- without extended patterns ------------------------------------------------------------- */

static int
match_plain(struct matching *m, size_t at, size_t end, const char *text, size_t len)
{
	size_t pos = 0;
	size_t star = SIZE_MAX; /* behind the last star */
	size_t star_pos = 0;

	while (pos < len || at < end) {
		size_t next = at;
		int is = 0;

		if (m->steps-- == 0) {
			return NOT_KNOWN;
		}
		if (at < end && is_live(m, at, '*')) {
			star = ++at;
			star_pos = pos;
			continue;
		}
		if (at < end && pos < len) {
			is = match_one(m, at, end, text[pos], &next);
		}
		if (is == NOT_KNOWN) {
			return NOT_KNOWN;
		}
		if (is == 1) {
			at = next;
			pos++;
			continue;
		}
		if (star == SIZE_MAX || star_pos >= len) {
			return 0;
		}
		at = star;
		pos = ++star_pos;
	}
	return 1;
}

/* ---- extended patterns --------------------------------------------------------------------- */

static int match_extended(struct matching *m, size_t at, size_t end, const char *text, size_t len);

/* The parenthesis that closes the one at `open`, or `end`. */
static size_t
group_end(const struct matching *m, size_t open, size_t end)
{
	size_t level = 0;

	for (size_t i = open; i < end; i++) {
		if (is_live(m, i, '(')) {
			level++;
		} else if (is_live(m, i, ')') && --level == 0) {
			return i;
		}
	}
	return end;
}

/* Does any alternative between the parentheses match the whole text? */
static int
match_any(struct matching *m, size_t open, size_t close, const char *text, size_t len)
{
	size_t start = open + 1;
	size_t level = 0;
	int result = 0;

	for (size_t i = start; i <= close; i++) {
		int is;

		if (i < close && is_live(m, i, '(')) {
			level++;
		} else if (i < close && is_live(m, i, ')')) {
			level--;
		}
		if (i < close && (level > 0 || !is_live(m, i, '|'))) {
			continue;
		}
		is = match_extended(m, start, i, text, len);
		if (is != 0) {
			result = is;
			break;
		}
		start = i + 1;
	}
	return result;
}

struct group {
	char kind;
	size_t at, open, close;
	size_t end; /* of the whole pattern */
};

/* The group takes the first `take` bytes; does all of it match then? */
static int
match_taking(struct matching *m, const struct group *g, const char *text, size_t len, size_t take)
{
	int is = match_any(m, g->open, g->close, text, take);
	int rest;

	if (g->kind == '!') {
		is = is == NOT_KNOWN ? is : !is;
	}
	if (is != 1) {
		return is;
	}
	rest = match_extended(m, g->close + 1, g->end, text + take, len - take);
	if (rest == 0 && (g->kind == '*' || g->kind == '+') && take > 0) {
		rest = match_extended(m, g->at, g->end, text + take, len - take);
	}
	return rest;
}

static int
match_group(struct matching *m, const struct group *g, const char *text, size_t len)
{
	int is = 0;

	if (g->kind == '*' || g->kind == '?') {
		is = match_extended(m, g->close + 1, g->end, text, len);
	}
	for (size_t take = 0; take <= len && is == 0; take++) {
		is = match_taking(m, g, text, len, take);
	}
	return is;
}

static int
match_extended_here(struct matching *m, size_t at, size_t end, const char *text, size_t len)
{
	while (at < end) {
		struct group g = { .kind = m->text[at], .at = at, .open = at + 1, .end = end };
		size_t next;
		int is;

		if (m->steps == 0 || --m->steps == 0) {
			return NOT_KNOWN;
		}
		if (at + 1 < end && is_live(m, at + 1, '(') && m->marks[at] == MARK_GLOB) {
			g.close = group_end(m, at + 1, end);
			return g.close < end ? match_group(m, &g, text, len) : NOT_KNOWN;
		}
		if (is_live(m, at, '*')) {
			is = 0;
			for (size_t skip = 0; skip <= len && is == 0; skip++) {
				is = match_extended(m, at + 1, end, text + skip, len - skip);
			}
			return is;
		}
		is = len > 0 ? match_one(m, at, end, *text, &next) : 0;
		if (is != 1) {
			return is;
		}
		at = next;
		text++;
		len--;
	}
	return len == 0;
}

static int
match_extended(struct matching *m, size_t at, size_t end, const char *text, size_t len)
{
	int is = NOT_KNOWN;

	if (++m->depth <= EXTGLOB_DEPTH) {
		is = match_extended_here(m, at, end, text, len);
	}
	m->depth--;
	return is;
}

static bool
is_extended(const struct field *pattern)
{
	for (size_t i = 0; pattern->marks != NULL && i < pattern->len; i++) {
		if (pattern->marks[i] == MARK_GLOB && pattern->text[i] == '(') {
			return true;
		}
	}
	return false;
}

int
pattern_match(const struct field *pattern, const char *text, size_t len, bool nocase)
{
	struct matching m = { .text = pattern->text, .marks = pattern->marks, .nocase = nocase };

	if (pattern->kind == BAILEY_WORD_DYNAMIC || pattern->many) {
		return NOT_KNOWN;
	}
	if (pattern->marks == NULL && !nocase) {
		return pattern->len == len && memcmp(pattern->text, text, len) == 0;
	}
	if (is_extended(pattern)) {
		m.steps = EXTGLOB_STEPS;
		return match_extended(&m, 0, pattern->len, text, len);
	}
	m.steps = 100000 + 64 * (len + pattern->len); /* a bracket costs its length */
	return match_plain(&m, 0, pattern->len, text, len);
}

/* ---- parts of a text ------------------------------------------------------------------------ */

/* The number of characters that a pattern without stars matches; false: it has stars, or brackets
 * that take long to find. */
static bool
fixed_width(struct shell *shell, const struct field *pattern, size_t *width)
{
	struct matching m = { .text = pattern->text, .marks = pattern->marks };
	size_t n = 0;

	for (size_t i = 0; i < pattern->len; n++) {
		size_t close;

		if (is_live(&m, i, '*') || is_live(&m, i, '(')) {
			return false;
		}
		close = 0;
		if (is_live(&m, i, '[')) {
			close = bracket_end(&m, i, pattern->len);
			if (!shell_spend(shell, (close > 0 ? close : pattern->len) - i)) {
				return false;
			}
		}
		i = close > 0 ? close + 1 : i + 1;
	}
	*width = n;
	return true;
}

static bool
literal_between(const struct field *pattern, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (pattern->marks[i] != MARK_LITERAL) {
			return false;
		}
	}
	return to > from;
}

/* The first or last place of `what`, or -1. */
static long
find_text(const char *text, size_t len, const char *what, size_t n, bool last)
{
	const char *at = memmem(text, len, what, n);
	const char *next = at;

	while (last && next != NULL) {
		at = next;
		next = memmem(at + 1, len - (size_t)(at + 1 - text), what, n);
	}
	return at != NULL ? (long)(at - text) : -1;
}

/* Every length in turn; a bound keeps the square of it small. */
static long
try_lengths(struct shell *shell, const struct field *pattern, const char *text, size_t len,
	    bool longest, bool at_end)
{
	if (len > TRIES_MAX || !shell_spend(shell, len * len / 8)) {
		return -2;
	}
	for (size_t i = 0; i <= len; i++) {
		size_t n = longest ? len - i : i;
		int is = pattern_match(pattern, at_end ? text + len - n : text, n, false);

		if (is != 0) {
			return is == 1 ? (long)n : -2;
		}
	}
	return -1;
}

static long
fixed(const struct field *pattern, const char *text, size_t len, size_t width, bool at_end)
{
	int is;

	if (width > len) {
		/* With characters of several bytes the width would say nothing. */
		return -1;
	}
	is = pattern_match(pattern, at_end ? text + len - width : text, width, false);
	if (is == 0 && pattern->marks != NULL && !expand_is_ascii(text, len)) {
		return -2;
	}
	if (is == 1) {
		return (long)width;
	}
	return is == 0 ? -1 : -2;
}

long
pattern_prefix(struct shell *shell, const struct field *pattern, const char *text, size_t len,
	       bool longest)
{
	size_t width;
	long at;

	if (pattern->kind == BAILEY_WORD_DYNAMIC || pattern->many ||
	    !shell_spend(shell, 16 + pattern->len / 2)) {
		return -2;
	}
	if (fixed_width(shell, pattern, &width)) {
		return fixed(pattern, text, len, width, false);
	}
	if (pattern->text[0] == '*' && pattern->marks[0] == MARK_GLOB &&
	    literal_between(pattern, 1, pattern->len)) {
		at = find_text(text, len, pattern->text + 1, pattern->len - 1, longest);
		return at < 0 ? -1 : at + (long)pattern->len - 1;
	}
	return try_lengths(shell, pattern, text, len, longest, false);
}

long
pattern_suffix(struct shell *shell, const struct field *pattern, const char *text, size_t len,
	       bool longest)
{
	size_t width;
	size_t n = pattern->len;
	long at;

	if (pattern->kind == BAILEY_WORD_DYNAMIC || pattern->many ||
	    !shell_spend(shell, 16 + pattern->len / 2)) {
		return -2;
	}
	if (fixed_width(shell, pattern, &width)) {
		return fixed(pattern, text, len, width, true);
	}
	if (pattern->text[n - 1] == '*' && pattern->marks[n - 1] == MARK_GLOB &&
	    literal_between(pattern, 0, n - 1)) {
		at = find_text(text, len, pattern->text, n - 1, !longest);
		return at < 0 ? -1 : (long)len - at;
	}
	return try_lengths(shell, pattern, text, len, longest, true);
}
