/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: the regular expressions of emulated tools, of the plain kind: a sequence of
 * characters, . and [...], each maybe with * + ? or {m,n}, with groups around parts of it, and
 * anchors at its ends. No alternatives, no back references, no repeated groups.
 *
 * Invariants:
 *   - what is compiled matches as POSIX says: the leftmost, and of these the longest match. The
 *     first match of greedy backtracking is that one nearly always; where it is not, the search
 *     says that it does not know.
 *   - patterns and texts are ASCII: the caller sees to the texts
 *   - recursion is as deep as the expression has parts, ATOMS_MAX
 */

#include "command/emulate_impl.h"

#define ATOMS_MAX 96
#define REPEAT_MAX 1000000U

enum atom_kind {
	ATOM_SET,
	ATOM_OPEN, /* a group begins */
	ATOM_CLOSE,
	ATOM_END, /* $ */
};

struct atom {
	enum atom_kind kind;
	uint8_t group;
	uint32_t set[4]; /* ASCII */
	uint32_t min;
	uint32_t max;
};

struct emulate_regex {
	struct atom atoms[ATOMS_MAX];
	size_t count;
	unsigned groups;
	bool anchored; /* ^ */
	bool plain;    /* at most one part may match in more than one length */
};

struct compiler {
	const char *text;
	size_t len;
	size_t at;
	bool extended;
	bool nocase;
	unsigned groups;
	uint8_t open[EMULATE_GROUPS];
	unsigned depth;
	struct emulate_regex *regex;
};

/* ---- sets --------------------------------------------------------------------------------- */

static void
set_add(struct atom *atom, unsigned c)
{
	atom->set[c >> 5 & 3] |= UINT32_C(1) << (c & 31);
}

static bool
set_has(const struct atom *atom, unsigned char c)
{
	return c < 0x80 && (atom->set[c >> 5] >> (c & 31) & 1) != 0;
}

static void
set_add_range(struct atom *atom, unsigned from, unsigned to)
{
	for (; from <= to; from++) {
		set_add(atom, from);
	}
}

static void
set_invert(struct atom *atom)
{
	size_t i;

	for (i = 0; i < 4; i++) {
		atom->set[i] = ~atom->set[i];
	}
}

static void
set_fold(struct atom *atom)
{
	unsigned c;

	for (c = 'a'; c <= 'z'; c++) {
		if (set_has(atom, (unsigned char)c) || set_has(atom, (unsigned char)(c - 32))) {
			set_add(atom, c);
			set_add(atom, c - 32);
		}
	}
}

static const struct {
	const char *name;
	const char *ranges; /* pairs: from, to */
} classes[] = {
	{ "[:alpha:]", "azAZ" },   { "[:digit:]", "09" },	{ "[:alnum:]", "azAZ09" },
	{ "[:upper:]", "AZ" },	   { "[:lower:]", "az" },	{ "[:blank:]", "  \t\t" },
	{ "[:space:]", "  \t\r" }, { "[:punct:]", "!/:@[`{~" }, { "[:xdigit:]", "afAF09" },
	{ "[:print:]", " ~" },	   { "[:graph:]", "!~" },
};

static void
add_ranges(struct atom *atom, const char *ranges)
{
	for (; *ranges != '\0'; ranges += 2) {
		set_add_range(atom, (unsigned char)ranges[0], (unsigned char)ranges[1]);
	}
}

static bool
add_class(struct compiler *c, struct atom *atom)
{
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t len = strlen(classes[i].name);

		if (len <= c->len - c->at && memcmp(c->text + c->at, classes[i].name, len) == 0) {
			add_ranges(atom, classes[i].ranges);
			c->at += len;
			return true;
		}
	}
	return false;
}

/* One character in a bracket expression; -1: not known what it means. */
static int
bracket_char(struct compiler *c)
{
	int value = (unsigned char)c->text[c->at++];

	if (value == '\\' && c->at < c->len) {
		char next = c->text[c->at];

		if (next == 'n' || next == 't') {
			c->at++;
			return next == 'n' ? '\n' : '\t';
		}
		if (strchr("afvdoxc", next) != NULL) {
			return -1;
		}
	}
	return value < 0x80 && value > 0 ? value : -1;
}

static bool
add_bracket_item(struct compiler *c, struct atom *atom)
{
	int from;
	int to;

	if (c->text[c->at] == '[' && c->at + 1 < c->len && strchr(":.=", c->text[c->at + 1])) {
		return add_class(c, atom);
	}
	from = to = bracket_char(c);
	if (c->at + 1 < c->len && c->text[c->at] == '-' && c->text[c->at + 1] != ']') {
		c->at++;
		to = c->text[c->at] == '[' ? -1 : bracket_char(c);
	}
	if (from < 0 || to < from) {
		return false;
	}
	set_add_range(atom, (unsigned)from, (unsigned)to);
	return true;
}

static bool
read_bracket(struct compiler *c, struct atom *atom)
{
	bool inverted = c->at < c->len && c->text[c->at] == '^';
	size_t first;

	c->at += inverted;
	for (first = c->at; c->at < c->len && (c->text[c->at] != ']' || c->at == first);) {
		if (!add_bracket_item(c, atom)) {
			return false;
		}
	}
	if (c->at >= c->len) {
		return false;
	}
	c->at++;
	if (c->nocase) {
		set_fold(atom);
	}
	if (inverted) {
		set_invert(atom);
	}
	return true;
}

/* ---- compiling ---------------------------------------------------------------------------- */

static struct atom *
new_atom(struct compiler *c, enum atom_kind kind)
{
	struct atom *atom;

	if (c->regex->count == ATOMS_MAX) {
		return NULL;
	}
	atom = &c->regex->atoms[c->regex->count++];
	atom->kind = kind;
	atom->min = atom->max = 1;
	return atom;
}

static bool
add_char(struct compiler *c, int value)
{
	struct atom *atom = new_atom(c, ATOM_SET);

	if (atom == NULL || value <= 0 || value >= 0x80) {
		return false;
	}
	set_add(atom, (unsigned)value);
	if (c->nocase) {
		set_fold(atom);
	}
	return true;
}

static bool
open_group(struct compiler *c)
{
	struct atom *atom = new_atom(c, ATOM_OPEN);

	if (atom == NULL || c->groups + 1 >= EMULATE_GROUPS) {
		return false;
	}
	atom->group = (uint8_t)++c->groups;
	c->open[c->depth++] = atom->group;
	return true;
}

/* Is there an operator that repeats at the compiler? */
static bool
at_repeat(const struct compiler *c)
{
	char here = c->at < c->len ? c->text[c->at] : '\0';

	if (c->extended) {
		return here == '*' || here == '+' || here == '?' || here == '{';
	}
	return here == '*' || (here == '\\' && c->at + 1 < c->len &&
			       (c->text[c->at + 1] == '+' || c->text[c->at + 1] == '?' ||
				c->text[c->at + 1] == '{'));
}

static bool
close_group(struct compiler *c)
{
	struct atom *atom = new_atom(c, ATOM_CLOSE);

	if (atom == NULL || c->depth == 0) {
		return false;
	}
	atom->group = c->open[--c->depth];
	return !at_repeat(c);
}

static bool
read_bound(struct compiler *c, uint32_t *number)
{
	size_t start = c->at;

	*number = 0;
	for (; c->at < c->len && c->text[c->at] >= '0' && c->text[c->at] <= '9'; c->at++) {
		*number = *number * 10 + (uint32_t)(c->text[c->at] - '0');
		if (*number > 255) {
			return false;
		}
	}
	return c->at > start;
}

/* {m} {m,} {m,n}, behind the brace. */
static bool
read_bounds(struct compiler *c, struct atom *atom)
{
	if (!read_bound(c, &atom->min)) {
		return false;
	}
	atom->max = atom->min;
	if (c->at < c->len && c->text[c->at] == ',') {
		c->at++;
		if (!read_bound(c, &atom->max)) {
			atom->max = REPEAT_MAX;
		}
	}
	if (!c->extended && (c->at >= c->len || c->text[c->at++] != '\\')) {
		return false;
	}
	return atom->max >= atom->min && c->at < c->len && c->text[c->at++] == '}';
}

/* The operator behind an atom, if there is one. */
static bool
read_repeat(struct compiler *c, struct atom *atom)
{
	char op;

	if (!at_repeat(c)) {
		return true;
	}
	if (c->text[c->at] == '\\') {
		c->at++;
	}
	op = c->text[c->at++];
	if (op == '{') {
		return read_bounds(c, atom) && !at_repeat(c);
	}
	atom->min = op == '+';
	atom->max = op == '?' ? 1 : REPEAT_MAX;
	return !at_repeat(c);
}

static bool
read_escaped(struct compiler *c)
{
	char here = c->at < c->len ? c->text[c->at] : '\0';
	struct atom *atom;
	int escape;

	if (!c->extended && (here == '(' || here == ')')) {
		c->at++;
		return here == '(' ? open_group(c) : close_group(c);
	}
	if (here == 'w' || here == 's') {
		c->at++;
		atom = new_atom(c, ATOM_SET);
		if (atom != NULL) {
			add_ranges(atom, here == 'w' ? "azAZ09__" : "  \t\r");
		}
		return atom != NULL && read_repeat(c, atom);
	}
	escape = sed_escape(c->text, c->len, &c->at);
	if (escape < 0) {
		/* What means something, or means something to some, is not matched. */
		if (here == '\0' || strchr("./*[]^$+?(){}|-,:;%#@!~&=\"\\", here) == NULL ||
		    (!c->extended && strchr("+?{}|", here) != NULL)) {
			return false;
		}
		escape = (unsigned char)here;
		c->at++;
	}
	return add_char(c, escape) && read_repeat(c, &c->regex->atoms[c->regex->count - 1]);
}

static bool
read_special(struct compiler *c, char here, bool first)
{
	struct atom *atom;

	if (here == '$') {
		if (c->at < c->len) {
			return !c->extended && c->text[c->at] != '\\' && add_char(c, '$') &&
			       read_repeat(c, &c->regex->atoms[c->regex->count - 1]);
		}
		return new_atom(c, ATOM_END) != NULL;
	}
	if (here == '^') {
		return !c->extended && c->regex->count > 0 &&
		       c->regex->atoms[c->regex->count - 1].kind == ATOM_SET && add_char(c, '^') &&
		       read_repeat(c, &c->regex->atoms[c->regex->count - 1]);
	}
	if (here == '*') {
		return first && !c->extended && add_char(c, '*') && !at_repeat(c);
	}
	atom = new_atom(c, ATOM_SET);
	if (atom == NULL) {
		return false;
	}
	if (here == '.') {
		set_invert(atom);
	} else if (!read_bracket(c, atom)) {
		return false;
	}
	return read_repeat(c, atom);
}

static bool
read_atom(struct compiler *c)
{
	bool first = c->regex->count == 0;
	char here = c->text[c->at++];

	if (here == '\\') {
		return read_escaped(c);
	}
	if (strchr(".[*^$", here) != NULL) {
		return here != '\0' && read_special(c, here, first);
	}
	if (c->extended && strchr("()+?{|", here) != NULL) {
		if (here == '(') {
			return open_group(c);
		}
		return here == ')' && close_group(c);
	}
	return add_char(c, here) && read_repeat(c, &c->regex->atoms[c->regex->count - 1]);
}

struct emulate_regex *
emulate_regex(struct arena *arena, const char *text, size_t len, bool extended, bool nocase)
{
	struct compiler c = { .text = text, .len = len, .extended = extended, .nocase = nocase };
	size_t variable = 0;
	size_t i;

	c.regex = len == 0 ? NULL : arena_alloc(arena, sizeof(*c.regex));
	if (c.regex == NULL) {
		return NULL;
	}
	if (text[0] == '^') {
		c.regex->anchored = true;
		c.at = 1;
	}
	while (c.at < len) {
		if (!read_atom(&c)) {
			return NULL;
		}
	}
	for (i = 0; i < c.regex->count; i++) {
		variable += c.regex->atoms[i].min != c.regex->atoms[i].max;
	}
	c.regex->plain = variable <= 1;
	c.regex->groups = c.groups;
	return c.depth == 0 ? c.regex : NULL;
}

unsigned
emulate_regex_groups(const struct emulate_regex *regex)
{
	return regex->groups;
}

/* ---- matching ----------------------------------------------------------------------------- */

struct matcher {
	const struct emulate_regex *regex;
	const char *text;
	size_t len;
	size_t *steps;
	bool all; /* go on behind a match: only the longest end is wanted */
	size_t longest;
	struct emulate_match *match;
};

static bool match_from(struct matcher *m, size_t index, size_t at);

static bool
match_set(struct matcher *m, size_t index, size_t at)
{
	const struct atom *atom = &m->regex->atoms[index];
	size_t count = 0;

	while (count < atom->max && at + count < m->len &&
	       set_has(atom, (unsigned char)m->text[at + count])) {
		count++;
	}
	*m->steps -= count < *m->steps ? count : *m->steps;
	for (; count >= atom->min; count--) {
		if (match_from(m, index + 1, at + count)) {
			return true;
		}
		if (count == 0 || *m->steps == 0) {
			break;
		}
	}
	return false;
}

static bool
match_from(struct matcher *m, size_t index, size_t at)
{
	const struct atom *atom = &m->regex->atoms[index];

	if (*m->steps == 0) {
		return false;
	}
	--*m->steps;
	if (index == m->regex->count) {
		if (at > m->longest) {
			m->longest = at;
		}
		if (!m->all) {
			m->match->to[0] = at;
		}
		return !m->all;
	}
	switch (atom->kind) {
	case ATOM_OPEN:
		m->match->from[atom->group] = at;
		return match_from(m, index + 1, at);
	case ATOM_CLOSE:
		m->match->to[atom->group] = at;
		return match_from(m, index + 1, at);
	case ATOM_END:
		return at == m->len && match_from(m, index + 1, at);
	case ATOM_SET:
	default:
		return match_set(m, index, at);
	}
}

int
emulate_search(const struct emulate_regex *regex, const char *text, size_t len, size_t at,
	       size_t *steps, struct emulate_match *match)
{
	struct emulate_match unused;
	struct matcher m = { .regex = regex, .text = text, .len = len, .steps = steps };

	for (; at <= len; at++) {
		memset(match, 0, sizeof(*match));
		m.match = match;
		match->from[0] = at;
		if (regex->anchored && at > 0) {
			return 0;
		}
		if (match_from(&m, 0, at)) {
			break;
		}
		if (*steps == 0) {
			return -1;
		}
	}
	if (at > len) {
		return 0;
	}
	if (!regex->plain) {
		m.match = &unused;
		m.all = true;
		(void)match_from(&m, 0, at);
		if (*steps == 0 || m.longest != match->to[0]) {
			return -1;
		}
	}
	return 1;
}
