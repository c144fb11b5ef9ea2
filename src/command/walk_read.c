/* SPDX-License-Identifier: MIT */
/*
 * read and mapfile: variables from the standard input, or from another descriptor, as far as what
 * comes from there is known.
 */
#include "command/walk_impl.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	int fd;
	bool raw;	   /* -r */
	bool odd;	   /* options after which the line is not known */
	bool timed;	   /* -t: it may be over before anything was read */
	bool array;	   /* -a */
	struct field into; /* of -a */
	struct stream text;
	struct flow *flow;
};

static int
fd_of(const struct field *arg)
{
	return field_is_literal(arg) && arg->len > 0 && arg->len < 4 &&
			       strspn(arg->text, "0123456789") == arg->len
		       ? (int)strtol(arg->text, NULL, 10)
		       : WALK_FDS;
}

/* So that it can be given back when it turns out that this may not have been read. */
static void
remember(struct walk *w, struct flow *flow)
{
	struct consumed *slot =
		arena_push(w->arena, &w->consumed, &w->consumed_count, sizeof(*slot));

	if (slot != NULL) {
		slot->flow = flow;
		slot->data = flow->text.data;
	}
}

enum line { LINE_UNKNOWN, LINE_MAYBE, LINE_KNOWN };

/* Takes a line off what the descriptor has. Maybe: somebody may have read it before, or it may not
 * have been written. */
static enum line
take_line(struct walk *w, struct reading *r, struct field *line)
{
	const struct field *data;
	const char *end;
	size_t len;

	r->flow = walk_fd(w, r->fd);
	r->text = walk_input(w, r->fd);
	data = &r->text.data;
	if (r->odd || r->flow == NULL || r->text.open || data->kind != BAILEY_WORD_LITERAL) {
		if (r->flow != NULL) {
			r->flow->touched = true;
		}
		return LINE_UNKNOWN;
	}
	end = memchr(data->text, '\n', data->len);
	len = end != NULL ? (size_t)(end - data->text) : data->len;
	*line = field_literal(w->arena, data->text, len, data);
	line->taint = data->taint;
	if (r->flow->kind == FLOW_NULL) {
		return LINE_KNOWN;
	}
	remember(w, r->flow);
	if (end != NULL) {
		r->flow->text.data = field_tail(w->arena, data, len + 1);
	} else {
		r->flow->text.data = field_static("", data);
	}
	r->flow->text.data.taint = data->taint;
	r->flow->text.bytes = NULL;
	return r->timed || r->flow->touched || r->text.sure != NULL ? LINE_MAYBE : LINE_KNOWN;
}

static const char *
separators(struct walk *w)
{
	const struct var *ifs = shell_get(&w->shell, "IFS");

	if (ifs == NULL || !ifs->set) {
		return " \t\n";
	}
	if (ifs->unsure || ifs->array || ifs->count == 0 || !field_is_literal(&ifs->values[0])) {
		return NULL;
	}
	return ifs->values[0].text;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool
is_separator(const char *ifs, char c)
{
	return c != '\0' && strchr(ifs, c) != NULL;
}

/* A backslash keeps the next character, and goes, without -r. */
static struct field
without_backslashes(struct walk *w, const struct field *line)
{
	char *text;
	size_t len = 0;

	if (strchr(line->text, '\\') == NULL) {
		return *line;
	}
	text = arena_alloc(w->arena, line->len + 1);
	for (size_t i = 0; i < line->len && text != NULL; i++) {
		if (line->text[i] == '\\') {
			i++;
		}
		if (i < line->len) {
			text[len++] = line->text[i];
		}
	}
	return field_literal(w->arena, text != NULL ? text : "", len, line);
}

/* The next word of [*at, end) of `line`; the last variable gets all that is left. */
static struct field
next_word(struct walk *w, const struct field *line, size_t *at, const char *ifs, bool last)
{
	size_t end = line->len;
	size_t from;
	struct field word;

	while (*at < end && is_space(line->text[*at]) && is_separator(ifs, line->text[*at])) {
		(*at)++;
	}
	from = *at;
	if (last) {
		while (end > from && is_space(line->text[end - 1]) &&
		       is_separator(ifs, line->text[end - 1])) {
			end--;
		}
		*at = line->len;
	} else {
		while (*at < end && !is_separator(ifs, line->text[*at])) {
			(*at)++;
		}
		end = *at;
		*at += *at < line->len ? 1 : 0;
	}
	word = field_literal(w->arena, line->text + from, end - from, line);
	word.taint = line->taint;
	return word;
}

static void
set_words(struct walk *w, const struct field *line, const struct field *names, size_t count)
{
	const char *ifs = separators(w);
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		struct field word = field_unknown(line->taint, false, line);

		if (ifs != NULL) {
			word = next_word(w, line, &at, ifs, i + 1 == count);
		}
		walk_set_named(w, &names[i], &word);
	}
}

static void
set_list(struct walk *w, const struct field *line, const struct field *name)
{
	const char *ifs = separators(w);
	struct field *values = NULL;
	size_t count = 0;
	size_t at = 0;

	while (ifs != NULL && at < line->len) {
		struct field word = next_word(w, line, &at, ifs, false);
		struct field *slot = arena_push(w->arena, &values, &count, sizeof(*slot));

		if (slot != NULL) {
			*slot = word;
		}
	}
	if (field_is_literal(name) && !walk_name_is_code(w, name)) {
		shell_set_array(&w->shell, name->text, values, NULL, count, false);
	}
}

static void
set_unknown(struct walk *w, const struct reading *r, const struct field *names, size_t count)
{
	uint16_t taint = (uint16_t)(r->text.data.taint | TAINT_INPUT);
	struct field unknown = field_unknown(taint, r->array, NULL);

	if (r->array) {
		if (field_is_literal(&r->into) && !walk_name_is_code(w, &r->into)) {
			shell_set_array(&w->shell, r->into.text, &unknown, NULL, 1, false);
		}
		return;
	}
	for (size_t i = 0; i < count; i++) {
		walk_set_named(w, &names[i], &unknown);
	}
}

static void
read_options(struct walk *w, const struct command *command, struct options *o, struct reading *r)
{
	for (char c = walk_option(w, o); c != 0; c = walk_option(w, o)) {
		switch (c) {
		case 'r':
			r->raw = true;
			break;
		case 'u':
			r->fd = fd_of(&o->arg);
			break;
		case 't':
			r->timed = true;
			break;
		case 'a':
			r->array = true;
			r->into = o->arg;
			break;
		case 'd':
		case 'n':
		case 'N':
		case 'i':
			r->odd = true;
			break;
		default:
			break;
		}
	}
	(void)command;
}

static void
set_line(struct walk *w, const struct reading *r, const struct field *line,
	 const struct field *names, size_t count)
{
	if (r->array) {
		set_list(w, line, &r->into);
	} else if (names == NULL) {
		struct field reply = field_static("REPLY", NULL);

		walk_set_named(w, &reply, line);
	} else {
		set_words(w, line, names, count);
	}
}

void
walk_read(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "erst:d:n:N:p:u:a:i:" };
	struct reading r = { .fd = 0 };
	struct field reply = field_static("REPLY", NULL);
	const struct field *names = NULL;
	size_t count = 0;
	struct shell_mark mark;
	struct field line;
	enum line taken;

	read_options(w, command, &o, &r);
	if (o.next < command->argc) {
		names = &command->argv[o.next];
		count = command->argc - o.next;
	}
	taken = take_line(w, &r, &line);
	if (taken != LINE_KNOWN) {
		set_unknown(w, &r, names != NULL ? names : &reply, names != NULL ? count : 1);
	}
	w->read_line = taken != LINE_UNKNOWN;
	if (taken == LINE_UNKNOWN) {
		return;
	}
	if (!r.raw) {
		line = without_backslashes(w, &line);
	}
	mark = shell_mark(&w->shell);
	set_line(w, &r, &line, names, count);
	if (taken == LINE_MAYBE) {
		shell_join(&w->shell, &mark);
	}
	w->read_line = true;
	w->read_more = r.flow->kind != FLOW_NULL && r.flow->text.data.len > 0;
}

/* ---- mapfile ------------------------------------------------------------------------------ */

static void
map_lines(struct walk *w, const char *name, const struct field *data, bool trims)
{
	struct field *values = NULL;
	size_t count = 0;
	size_t at = 0;

	while (at < data->len) {
		const char *end = memchr(data->text + at, '\n', data->len - at);
		size_t to = end != NULL ? (size_t)(end - data->text) : data->len;
		size_t len = to - at + (end != NULL && !trims ? 1 : 0);
		struct field *slot = arena_push(w->arena, &values, &count, sizeof(*slot));

		if (slot == NULL) {
			return;
		}
		*slot = field_literal(w->arena, data->text + at, len, data);
		slot->taint = data->taint;
		at = to + 1;
	}
	shell_set_array(&w->shell, name, values, NULL, count, false);
}

void
walk_mapfile(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "d:n:O:s:tu:C:c:" };
	struct reading r = { .fd = 0 };
	struct field name = field_static("MAPFILE", NULL);
	bool trims = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		trims = trims || c == 't';
		r.odd = r.odd || strchr("dnOs", c) != NULL;
		if (c == 'u') {
			r.fd = fd_of(&o.arg);
		} else if (c == 'C') {
			walk_text_here(w, &o.arg, "mapfile -C");
		}
	}
	if (o.next < command->argc) {
		name = command->argv[o.next];
	}
	if (!field_is_literal(&name) || walk_name_is_code(w, &name)) {
		walk_reason(w, WHY_BUILTIN_OPTION, &name);
		return;
	}
	r.text = walk_input(w, r.fd);
	r.flow = walk_fd(w, r.fd);
	r.array = true;
	r.into = name;
	if (r.odd || r.text.open || r.text.data.kind != BAILEY_WORD_LITERAL ||
	    r.text.sure != NULL || (r.flow != NULL && r.flow->touched)) {
		set_unknown(w, &r, NULL, 0);
	} else {
		map_lines(w, name.text, &r.text.data, trims);
	}
	if (r.flow != NULL) {
		r.flow->touched = true;
	}
}
