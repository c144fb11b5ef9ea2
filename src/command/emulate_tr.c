/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: tr. It works on bytes, one by one, so unknown parts of its input stay where they
 * are unless repeats are squeezed.
 */

#include "command/emulate_impl.h"

#define SET_MAX 1024

/* The bytes of a set in their order. */
struct set {
	uint8_t bytes[SET_MAX];
	size_t count;
	size_t classes; /* of them [:lower:] and [:upper:] at these places */
	size_t class_at[4];
	bool other_class;
};

static bool
add(struct set *set, unsigned byte)
{
	if (set->count == SET_MAX) {
		return false;
	}
	set->bytes[set->count++] = (uint8_t)byte;
	return true;
}

/* ---- sets --------------------------------------------------------------------------------- */

static bool
is_lower(unsigned c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_upper(unsigned c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_digit(unsigned c)
{
	return c >= '0' && c <= '9';
}

static bool
is_alpha(unsigned c)
{
	return is_lower(c) || is_upper(c);
}

static bool
is_alnum(unsigned c)
{
	return is_alpha(c) || is_digit(c);
}

static bool
is_blank(unsigned c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(unsigned c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
is_punct(unsigned c)
{
	return c > ' ' && c < 0x7f && !is_alnum(c);
}

static bool
is_graph(unsigned c)
{
	return c > ' ' && c < 0x7f;
}

static bool
is_print(unsigned c)
{
	return c >= ' ' && c < 0x7f;
}

static bool
is_control(unsigned c)
{
	return c < ' ' || c == 0x7f;
}

static bool
is_hex(unsigned c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static const struct {
	const char *name;
	bool (*has)(unsigned c);
} classes[] = {
	{ "lower", is_lower }, { "upper", is_upper },	{ "digit", is_digit },
	{ "alpha", is_alpha }, { "alnum", is_alnum },	{ "blank", is_blank },
	{ "space", is_space }, { "punct", is_punct },	{ "graph", is_graph },
	{ "print", is_print }, { "cntrl", is_control }, { "xdigit", is_hex },
};

/* [:name:] at `at`; the number of bytes that it takes, 0 when it is none. */
static size_t
add_class(struct set *set, const char *text, size_t at)
{
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t len = strlen(classes[i].name);
		unsigned c;

		if (strncmp(text + at + 2, classes[i].name, len) != 0 ||
		    strncmp(text + at + 2 + len, ":]", 2) != 0) {
			continue;
		}
		if (i < 2 && set->classes < 4) {
			set->class_at[set->classes++] = set->count;
		} else {
			set->other_class = true;
		}
		for (c = 0; c < 256; c++) {
			if (classes[i].has(c) && !add(set, c)) {
				return 0;
			}
		}
		return len + 4;
	}
	return 0;
}

/* The byte at *at, escapes done. -1: not known. */
static int
read_byte(const char *text, size_t *at)
{
	static const char letters[] = "abfnrtv\\";
	static const char values[] = "\a\b\f\n\r\t\v\\";
	size_t i = *at;
	const char *found;
	int value = 0;

	*at = i + 1;
	if (text[i] != '\\') {
		return (unsigned char)text[i] < 0x80 ? text[i] : -1;
	}
	i++;
	for (*at = i; *at < i + 3 && text[*at] >= '0' && text[*at] <= '7'; (*at)++) {
		value = value * 8 + text[*at] - '0';
	}
	if (*at > i) {
		return value < 256 ? value : -1;
	}
	found = text[i] == '\0' ? NULL : strchr(letters, text[i]);
	*at = i + 1;
	if (found != NULL) {
		return values[found - letters];
	}
	return text[i] == '-' || text[i] == ']' || text[i] == '[' ? text[i] : -1;
}

static bool
add_range(struct set *set, unsigned from, unsigned to)
{
	for (; from <= to; from++) {
		if (!add(set, from)) {
			return false;
		}
	}
	return true;
}

static bool
read_set(const char *text, struct set *set)
{
	size_t at = 0;

	memset(set, 0, sizeof(*set));
	while (text[at] != '\0') {
		int from;
		int to;

		if (text[at] == '[' && text[at + 1] == ':') {
			size_t len = add_class(set, text, at);

			if (len == 0) {
				return false;
			}
			at += len;
			continue;
		}
		/* [=c=] and [c*n] */
		if (text[at] == '[' && text[at + 1] != '\0' &&
		    (text[at + 1] == '=' || text[at + 2] == '*')) {
			return false;
		}
		from = to = read_byte(text, &at);
		if (text[at] == '-' && text[at + 1] != '\0') {
			at++;
			to = read_byte(text, &at);
		}
		if (from < 0 || to < from || !add_range(set, (unsigned)from, (unsigned)to)) {
			return false;
		}
	}
	return true;
}

static void
complement(struct set *set)
{
	bool has[256] = { false };
	unsigned c;
	size_t i;

	for (i = 0; i < set->count; i++) {
		has[set->bytes[i]] = true;
	}
	memset(set, 0, sizeof(*set));
	for (c = 0; c < 256; c++) {
		if (!has[c]) {
			(void)add(set, c);
		}
	}
}

/* ---- what to do --------------------------------------------------------------------------- */

struct translation {
	uint8_t map[256];
	bool deletes[256];
	bool squeezes[256];
	bool any_squeeze;
};

static void
mark_all(bool has[256], const struct set *set)
{
	size_t i;

	for (i = 0; i < set->count; i++) {
		has[set->bytes[i]] = true;
	}
}

/* Classes in the second set stand for the other case of those in the first, at the same places. */
static bool
classes_fit(const struct set *from, const struct set *to)
{
	size_t i;

	if (to->other_class || to->classes > from->classes) {
		return false;
	}
	for (i = 0; i < to->classes; i++) {
		if (to->class_at[i] != from->class_at[i]) {
			return false;
		}
	}
	return to->classes == 0 || to->count >= from->count;
}

static bool
set_map(struct translation *tr, const struct set *from, const struct set *to, bool truncate)
{
	size_t i;

	if (to->count == 0 || !classes_fit(from, to)) {
		return false;
	}
	for (i = 0; i < from->count; i++) {
		if (i < to->count) {
			tr->map[from->bytes[i]] = to->bytes[i];
		} else if (!truncate) {
			tr->map[from->bytes[i]] = to->bytes[to->count - 1];
		}
	}
	return true;
}

static bool
read_translation(struct translation *tr, const struct emulate_args *args, const struct set *first,
		 const struct set *second)
{
	bool deletes = emulate_given(args, 'd');
	bool squeezes = emulate_given(args, 's');
	unsigned i;

	memset(tr, 0, sizeof(*tr));
	for (i = 0; i < 256; i++) {
		tr->map[i] = (uint8_t)i;
	}
	if (deletes) {
		mark_all(tr->deletes, first);
	}
	tr->any_squeeze = squeezes;
	if (squeezes) {
		mark_all(tr->squeezes, args->count == 2 ? second : first);
	}
	if (deletes) {
		return args->count == (squeezes ? 2 : 1);
	}
	if (args->count == 1) {
		return squeezes;
	}
	return set_map(tr, first, second, emulate_given(args, 't'));
}

static void
translate(struct emulation *e, const struct translation *tr, const struct emulate_text *text)
{
	int last = -1;
	size_t i;

	for (i = 0; i < text->len && !e->out.over; i++) {
		uint8_t c = (uint8_t)text->text[i];

		if (emulate_is_unknown(text, i)) {
			emulate_put_unknown(&e->out);
			continue;
		}
		if (tr->deletes[c]) {
			continue;
		}
		c = tr->map[c];
		if (tr->squeezes[c] && last == c) {
			continue;
		}
		last = c;
		emulate_put_byte(&e->out, (char)c);
	}
}

enum emulated
emulate_tr(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	struct translation tr;
	struct set first;
	struct set second = { .count = 0 };

	if (!emulate_args(e, "cCdst", "c=complement d=delete s=squeeze-repeats t=truncate-set1",
			  &args) ||
	    args.count < 1 || args.count > 2) {
		return EMULATE_NO;
	}
	if (!field_is_literal(args.operands[0]) || !read_set(args.operands[0]->text, &first)) {
		return EMULATE_UNKNOWN;
	}
	if (args.count == 2 &&
	    (!field_is_literal(args.operands[1]) || !read_set(args.operands[1]->text, &second))) {
		return EMULATE_UNKNOWN;
	}
	if (emulate_given(&args, 'c') || emulate_given(&args, 'C')) {
		/* tr wants one character for all that is in no class. */
		if ((first.classes > 0 || first.other_class) && second.count > 1) {
			return EMULATE_UNKNOWN;
		}
		complement(&first);
	}
	text = emulate_input(e);
	e->out.taint |= TAINT_DECODED;
	if (!read_translation(&tr, &args, &first, &second) ||
	    (tr.any_squeeze && !emulate_is_known(&text))) {
		return EMULATE_UNKNOWN;
	}
	translate(e, &tr, &text);
	return EMULATE_DONE;
}
