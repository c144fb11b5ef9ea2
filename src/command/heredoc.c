/* SPDX-License-Identifier: MIT */
/*
 * Here-documents. The operator puts one on the list of what is pending; the next newline that is a
 * token reads the bodies of all of them, in order.
 *
 * bash looks at a body only when the command runs: what is wrong inside of it does not end the
 * reading.
 */
#include "command/reader.h"

#include <string.h>

#define PENDING_MAX 16 /* bash gives up at more */

bool
rd_heredoc_pend(struct reader *r, struct redirect *redirect, struct word *delimiter, bool tabs)
{
	struct pending *pending = rd_alloc(r, sizeof(*pending));

	if (pending == NULL) {
		return false;
	}
	if (r->pending_count == PENDING_MAX) {
		rd_fail(r, "has more here-documents on a line than bash takes",
			redirect->span.start, redirect->span.end);
		return false;
	}
	pending->redirect = redirect;
	pending->tabs = tabs;
	pending->delimiter = rd_literal(r, delimiter, &pending->len);
	for (const struct part *part = delimiter->parts; part != NULL; part = part->next) {
		pending->quoted = pending->quoted || part->quoted;
	}
	if (pending->delimiter == NULL && !r->stopped) { /* $x stands for itself here */
		rd_doubt(r, "has an expansion in the delimiter of a here-document",
			 delimiter->span.start, delimiter->span.end);
		pending->delimiter = r->text + delimiter->span.start;
		pending->len = delimiter->span.end - delimiter->span.start;
	}
	redirect->word = NULL;
	*r->pending_end = pending;
	r->pending_end = &pending->next;
	r->pending_count++;
	return !r->stopped;
}

/* ---- where a body ends ---------------------------------------------------------------------- */

/* A line of input as bash compares it with the delimiter. */
struct line {
	const char *text;
	size_t len;
	uint32_t start;
	uint32_t next; /* behind its newline */
};

/* The end of the line of text at `pos`: its newline, or the end of all. */
static uint32_t
newline_at(const struct reader *r, uint32_t pos)
{
	const char *newline = pos < r->end ? memchr(r->text + pos, '\n', r->end - pos) : NULL;

	return newline != NULL ? (uint32_t)(newline - r->text) : r->end;
}

/* Does an odd number of backslashes stand in front of the newline? */
static bool
is_continued(const struct reader *r, uint32_t start, uint32_t newline)
{
	uint32_t pos = newline;

	while (pos > start && r->text[pos - 1] == '\\') {
		pos--;
	}
	return newline < r->end && (newline - pos) % 2 == 1;
}

static bool
read_line(struct reader *r, const struct pending *pending, struct line *line)
{
	uint32_t start = line->next;
	uint32_t end = newline_at(r, start);
	char *joined;

	line->start = start;
	line->text = r->text + start;
	if (!pending->quoted && is_continued(r, start, end)) {
		uint32_t from = start;

		while (is_continued(r, from, end)) {
			from = end + 1;
			end = newline_at(r, from);
		}
		joined = rd_alloc(r, (size_t)(end - start) + 1);
		line->text = joined;
		line->len = 0;
		for (uint32_t i = start; joined != NULL && i < end; i++) {
			if (r->text[i] == '\\' && i + 1 < end && r->text[i + 1] == '\n') {
				i++;
				continue;
			}
			joined[line->len++] = r->text[i];
			if (r->text[i] == '\\' && i + 1 < end) {
				joined[line->len++] = r->text[++i];
			}
		}
	} else {
		line->len = end - start;
	}
	line->next = end < r->end ? end + 1 : r->end;
	return !r->stopped;
}

static bool
is_delimiter(struct reader *r, const struct pending *pending, struct line *line)
{
	const char *text = line->text;
	size_t len = line->len;
	bool starts;

	starts = len >= pending->len && memcmp(text, pending->delimiter, pending->len) == 0;
	if (pending->tabs && !(starts && len == pending->len)) {
		while (len > 0 && *text == '\t') {
			text++;
			len--;
		}
		starts = len >= pending->len && memcmp(text, pending->delimiter, pending->len) == 0;
	}
	if (starts && len == pending->len) {
		return true;
	}
	if (starts && r->in_parens && memchr(text + pending->len, ')', len - pending->len)) {
		rd_doubt(r, "has a here-document that ends in front of a )", line->start,
			 line->next);
		line->next = line->start + (uint32_t)(line->len - len + pending->len);
		return true;
	}
	return false;
}

/* ---- bodies --------------------------------------------------------------------------------- */

static bool
has_tabs(const struct reader *r, uint32_t start, uint32_t end)
{
	return start < end &&
	       (r->text[start] == '\t' || memmem(r->text + start, end - start, "\n\t", 2) != NULL);
}

/* A body that is text and nothing else. */
static void
text_body(struct reader *r, struct parts *parts, uint32_t start, uint32_t end, bool tabs)
{
	struct part *part = parts_text(r, parts, true, start, end);
	bool begins = true;
	size_t len = 0;
	char *text;

	if (part == NULL) {
		return;
	}
	part->single = true;
	text = tabs ? rd_alloc(r, (size_t)(end - start) + 1) : NULL;
	for (uint32_t i = start; text != NULL && i < end; i++) {
		if (!begins || r->text[i] != '\t') {
			begins = r->text[i] == '\n';
			text[len++] = r->text[i];
		}
	}
	if (text != NULL) {
		part->text = text;
		part->len = len;
		part->exact = UINT32_MAX;
	}
}

static void
read_body(struct reader *r, const struct pending *pending, uint32_t start, uint32_t end)
{
	bool tabs = pending->tabs && has_tabs(r, start, end);
	uint32_t whole = r->end;
	uint32_t pos = r->pos;
	bool late = r->late;
	bool within = r->in_body;
	struct parts parts;

	parts_init(&parts);
	if (pending->quoted) {
		text_body(r, &parts, start, end, tabs);
	} else {
		r->pos = start;
		r->end = end;
		r->late = true;
		r->in_body = true;
		(void)rd_soft(r, &parts, tabs ? SOFT_HERE_TABS : SOFT_HERE);
		r->late = late;
		r->in_body = within;
		r->end = whole;
		r->stopped = r->arena->failed;
	}
	if (parts.first == NULL) {
		(void)parts_text(r, &parts, true, start, start);
	}
	r->pos = end;
	pending->redirect->word = rd_make_word(r, &parts, start);
	r->pos = r->stopped ? r->end : pos;
}

void
rd_heredocs(struct reader *r)
{
	struct pending *pending = r->pending;

	r->pending = NULL;
	r->pending_end = &r->pending;
	r->pending_count = 0;
	for (; pending != NULL && !r->stopped; pending = pending->next) {
		struct line line = { .start = r->pos, .next = r->pos };
		uint32_t start = r->pos;
		bool found = false;

		while (!found && line.next < r->end && read_line(r, pending, &line)) {
			found = is_delimiter(r, pending, &line);
		}
		if (!found) {
			rd_doubt(r, "has a here-document without an end",
				 pending->redirect->span.start, pending->redirect->span.end);
			line.start = r->end;
		}
		r->pos = line.next;
		read_body(r, pending, start, line.start);
		r->bodies++;
	}
	r->after_body = true;
}

void
rd_heredocs_aside(struct reader *r, struct heredocs *outer)
{
	*outer = (struct heredocs){ r->pending, r->pending_end, r->pending_count };
	r->pending = NULL;
	r->pending_end = &r->pending;
	r->pending_count = 0;
}

void
rd_heredocs_resume(struct reader *r, const struct heredocs *outer)
{
	for (struct pending *pending = r->pending; !r->stopped && pending != NULL;
	     pending = pending->next) {
		read_body(r, pending, r->pos, r->pos);
	}
	r->pending = outer->first;
	r->pending_end = outer->first != NULL ? outer->end : &r->pending;
	r->pending_count = outer->count;
}
