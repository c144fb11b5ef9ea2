/* SPDX-License-Identifier: MIT */
/*
 * NAME=VALUE, NAME[i]=VALUE and NAME=( ... ), in front of a command or as one of their own.
 */
#include "command/reader.h"

uint32_t
rd_name_end(const struct reader *r, uint32_t pos)
{
	uint32_t end = pos;

	if (!char_is(rd_at(r, pos), CHAR_NAME)) {
		return pos;
	}
	while (char_is(rd_at(r, end), CHAR_NAME | CHAR_DIGIT)) {
		end = rd_skip(r, end + 1);
	}
	return end;
}

bool
rd_array_starts(const struct reader *r)
{
	uint32_t end = rd_name_end(r, r->pos);

	if (end == r->pos) {
		return false;
	}
	if (rd_at(r, end) == '+') {
		end = rd_skip(r, end + 1);
	}
	return rd_at(r, end) == '[' || (rd_at(r, end) == '=' && rd_after(r, end) == '(');
}

const char *
rd_name(struct reader *r, uint32_t start, uint32_t end)
{
	char *name = rd_alloc(r, (size_t)(end - start) + 1);
	size_t len = 0;

	for (uint32_t i = start; name != NULL && i < end; i = rd_skip(r, i + 1)) {
		name[len++] = r->text[i];
	}
	return name;
}

struct word *
rd_subscript(struct reader *r, bool braced)
{
	struct parts parts;
	struct word *word;
	uint32_t start;

	parts_init(&parts);
	if (!rd_enter(r)) {
		return NULL;
	}
	r->pos++;
	start = r->pos;
	(void)rd_live(r, &parts, braced ? LIVE_KEY : LIVE_SUBSCRIPT, 0);
	rd_leave(r);
	word = rd_make_word(r, &parts, start);
	for (const struct part *part = parts.first; word != NULL && part != NULL;
	     part = part->next) {
		if (part->kind != PART_TEXT || !part->single) {
			continue;
		}
		for (size_t i = 0; i < part->len; i++) {
			if (char_is(part->text[i], CHAR_DOLLAR | CHAR_BACKQUOTE)) {
				rd_doubt(r, "has quotes in a subscript, where they protect nothing",
					 part->span.start, part->span.end);
			}
		}
	}
	r->pos += word != NULL && rd_at(r, r->pos) == ']' ? 1 : 0;
	return word;
}

/* [i]= or [i]+= in front of an element; nothing when that does not follow. */
static bool
element_key(struct reader *r, struct parts *parts)
{
	uint32_t start = r->pos;
	struct word *index = rd_subscript(r, false);
	struct part *part;
	bool append;

	if (index == NULL) {
		return false;
	}
	append = rd_cur(r) == '+' && rd_after(r, r->pos) == '=';
	if (!append && rd_at(r, r->pos) != '=') { /* a pattern, as it seems */
		(void)parts_text(r, parts, false, start, start + 1);
		if (index->parts != NULL && !r->stopped) {
			parts->last->next = index->parts;
		}
		while (parts->last != NULL && parts->last->next != NULL) {
			parts->last = parts->last->next;
		}
		(void)parts_text(r, parts, false, index->span.end, index->span.end + 1);
		return !r->stopped;
	}
	if (append) {
		rd_next(r);
	}
	rd_next(r);
	part = parts_add(r, parts, PART_SUBSCRIPT, false, start, r->pos);
	if (part != NULL) {
		part->word = index;
		part->text = append ? "+=" : "=";
		part->len = append ? 2 : 1;
	}
	return part != NULL;
}

static struct word *
element(struct reader *r)
{
	uint32_t start = r->pos;
	struct parts parts;

	if (rd_at(r, r->pos) != '[') {
		return rd_word(r, 0);
	}
	parts_init(&parts);
	if (!element_key(r, &parts) || !rd_live(r, &parts, LIVE_WORD, 0)) {
		return NULL;
	}
	r->last_end = r->pos;
	return rd_make_word(r, &parts, start);
}

bool
rd_elements(struct reader *r, struct word **elements)
{
	struct word **tail = elements;
	bool within = r->in_array;
	uint32_t open = r->pos;

	if (!rd_enter(r)) {
		return false;
	}
	r->in_array = true;
	r->pos++;
	rd_only_bash(r, "has an array, which sh does not know", open, r->pos);
	(void)rd_newlines(r);
	while (!r->stopped && rd_at(r, r->pos) != ')') {
		if (!rd_word_starts(r) || rd_redirect_starts(r)) {
			(void)rd_unexpected(r);
			break;
		}
		*tail = element(r);
		if (*tail != NULL) {
			tail = &(*tail)->next;
		}
		(void)rd_newlines(r);
	}
	r->in_array = within;
	rd_leave(r);
	if (r->stopped) {
		return false;
	}
	r->pos++;
	r->last_end = r->pos;
	return true;
}

/* What stands behind = or +=. */
static bool
assigned(struct reader *r, struct assignment *assign)
{
	struct word *value;
	uint32_t start;

	if (rd_cur(r) == '(') {
		assign->array = true;
		if (!rd_elements(r, &assign->value)) {
			return false;
		}
		if (assign->index != NULL || rd_word_starts(r)) {
			rd_doubt(r, "has an array where bash takes none", assign->span.start,
				 r->pos);
		}
		return !rd_word_starts(r) || rd_word(r, 0) != NULL;
	}
	if (!rd_word_starts(r)) {
		return true;
	}
	start = r->pos;
	value = rd_word(r, 0);
	if (value != NULL) {
		value->span.start = start;
	}
	assign->value = value;
	return value != NULL;
}

/* name[...] that is no assignment: a word that goes on. */
static struct word *
bracket_word(struct reader *r, uint32_t start, uint32_t bracket, const struct word *index)
{
	uint32_t close = index->span.end;
	struct parts parts;

	parts_init(&parts);
	(void)parts_text(r, &parts, false, start, bracket + 1);
	if (index->parts != NULL && !r->stopped) {
		parts.last->next = index->parts;
	}
	while (parts.last != NULL && parts.last->next != NULL) {
		parts.last = parts.last->next;
	}
	if (parts_text(r, &parts, false, close, close + 1) == NULL ||
	    !rd_live(r, &parts, LIVE_WORD, 0)) {
		return NULL;
	}
	return rd_make_word(r, &parts, start);
}

bool
rd_assignment(struct reader *r, struct assignment **assign, struct word **word)
{
	uint32_t start = r->pos;
	uint32_t name_end = rd_name_end(r, start);
	char c = rd_at(r, name_end);
	struct word *index = NULL;
	struct assignment *made;

	if (name_end == start ||
	    (c != '=' && c != '[' && (c != '+' || rd_after(r, name_end) != '='))) {
		return true;
	}
	r->pos = name_end;
	if (c == '[') {
		index = rd_subscript(r, false);
		c = index != NULL ? rd_cur(r) : '\0';
		if (index != NULL && c != '=' && (c != '+' || rd_after(r, r->pos) != '=')) {
			*word = bracket_word(r, start, name_end, index);
			r->last_end = r->pos;
			return *word != NULL;
		}
		rd_only_bash(r, "has an array, which sh does not know", start, r->pos);
	}
	made = index != NULL || c != '[' ? rd_alloc(r, sizeof(*made)) : NULL;
	if (made == NULL) {
		return false;
	}
	made->name = rd_name(r, start, name_end);
	made->index = index;
	made->append = c == '+';
	if (made->append) {
		rd_only_bash(r, "has +=, which sh does not know", start, r->pos);
		rd_next(r);
	}
	rd_next(r);
	made->span.start = start;
	*assign = made;
	r->last_end = r->pos;
	if (!assigned(r, made)) {
		return false;
	}
	made->span.end = r->last_end;
	return true;
}
