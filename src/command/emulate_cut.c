/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: cut.
 */

#include "command/emulate_impl.h"

#define RANGES_MAX 64

struct cut {
	struct {
		uint64_t from;
		uint64_t to;
	} ranges[RANGES_MAX];
	size_t count;
	bool fields;
	bool others; /* --complement */
	bool only_delimited;
	char delimiter;
	const char *between; /* what stands between pieces; NULL: nothing, or the delimiter */
};

static bool
read_place(const char **at, uint64_t *number)
{
	uint64_t value = 0;
	const char *start = *at;

	for (; **at >= '0' && **at <= '9' && *at - start < 18; (*at)++) {
		value = value * 10 + (uint64_t)(**at - '0');
	}
	*number = value;
	return *at > start && value > 0;
}

static bool
read_range(struct cut *cut, const char **at)
{
	uint64_t from = 1;
	uint64_t to = UINT64_MAX;
	bool has_from = **at != '-';

	if (has_from && !read_place(at, &from)) {
		return false;
	}
	if (**at == '-') {
		(*at)++;
		if (**at >= '0' && **at <= '9') {
			if (!read_place(at, &to) || to < from) {
				return false;
			}
		} else if (!has_from) {
			return false;
		}
	} else {
		to = from;
	}
	if (cut->count == RANGES_MAX) {
		return false;
	}
	cut->ranges[cut->count].from = from;
	cut->ranges[cut->count++].to = to;
	return true;
}

static bool
read_list(struct cut *cut, const char *list)
{
	if (list == NULL) {
		return false;
	}
	for (;;) {
		if (!read_range(cut, &list)) {
			return false;
		}
		if (*list == '\0') {
			return true;
		}
		if (*list != ',' && *list != ' ') {
			return false;
		}
		list++;
	}
}

static bool
is_chosen(const struct cut *cut, uint64_t place)
{
	size_t i;

	for (i = 0; i < cut->count; i++) {
		if (place >= cut->ranges[i].from && place <= cut->ranges[i].to) {
			return !cut->others;
		}
	}
	return cut->others;
}

static void
cut_bytes(struct emulation *e, const struct cut *cut, const char *line, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (is_chosen(cut, i + 1)) {
			emulate_put_byte(&e->out, line[i]);
		}
	}
	emulate_put_byte(&e->out, '\n');
}

static void
cut_fields(struct emulation *e, const struct cut *cut, const char *line, size_t len)
{
	uint64_t place = 1;
	size_t start = 0;
	bool any = false;
	size_t i;

	if (memchr(line, cut->delimiter, len) == NULL) {
		if (!cut->only_delimited) {
			emulate_put(&e->out, line, len);
			emulate_put_byte(&e->out, '\n');
		}
		return;
	}
	for (i = 0; i <= len; i++) {
		if (i < len && line[i] != cut->delimiter) {
			continue;
		}
		if (is_chosen(cut, place++)) {
			if (any) {
				emulate_put(&e->out, cut->between, strlen(cut->between));
			}
			any = true;
			emulate_put(&e->out, line + start, i - start);
		}
		start = i + 1;
	}
	emulate_put_byte(&e->out, '\n');
}

static bool
read_options(struct cut *cut, const struct emulate_args *args, char delimiter[2])
{
	const char *list = emulate_value(args, 'f');
	const char *given = emulate_value(args, 'd');

	cut->fields = list != NULL;
	list = list == NULL ? emulate_value(args, 'c') : list;
	list = list == NULL ? emulate_value(args, 'b') : list;
	if (emulate_given(args, 'f') + emulate_given(args, 'c') + emulate_given(args, 'b') != 1 ||
	    (!cut->fields &&
	     (given != NULL || emulate_given(args, 's') || emulate_given(args, '1')))) {
		return false;
	}
	delimiter[0] = '\t';
	if (given != NULL) {
		if (strlen(given) != 1 || given[0] < 0) {
			return false;
		}
		delimiter[0] = given[0];
	}
	cut->delimiter = delimiter[0];
	cut->between = emulate_given(args, '1') ? emulate_value(args, '1') : delimiter;
	cut->others = emulate_given(args, '2');
	cut->only_delimited = emulate_given(args, 's');
	return cut->delimiter != '\n' && read_list(cut, list);
}

enum emulated
emulate_cut(struct emulation *e)
{
	struct emulate_args args;
	struct emulate_text text;
	struct cut cut = { .count = 0 };
	char delimiter[2] = "";
	enum emulated result;
	size_t at;

	if (!emulate_args(e, "b:c:d:f:sn1:2",
			  "b=bytes c=characters d=delimiter f=fields s=only-delimited "
			  "1=output-delimiter 2=complement",
			  &args) ||
	    !read_options(&cut, &args, delimiter)) {
		return EMULATE_NO;
	}
	result = emulate_known_files(e, &args, 0, &text);
	if (result == EMULATE_DONE && !cut.fields && !emulate_is_ascii(text.text, text.len)) {
		return EMULATE_UNKNOWN;
	}
	for (at = 0; result == EMULATE_DONE && at < text.len && !e->out.over;) {
		size_t end = emulate_line_end(&text, at);
		size_t len = end - at - (text.text[end - 1] == '\n');

		(cut.fields ? cut_fields : cut_bytes)(e, &cut, text.text + at, len);
		at = end;
	}
	return result;
}
