/* SPDX-License-Identifier: MIT */
/* Paths that a search finds, as far as they are known, and commands with these paths in them. */
#include "command/models/search_impl.h"

#include <string.h>

/* Where `mark` begins in the literal bytes of `word` from `from` on; its length when nowhere. */
static size_t
find_mark(const struct field *word, size_t from, const char *mark)
{
	const char *at = from < word->len ? strstr(word->text + from, mark) : NULL;

	return at != NULL ? (size_t)(at - word->text) : word->len;
}

/* Appends to a field that is being put together, with room for all of it. */
static void
append(struct field *out, char *text, uint8_t *marks, const struct field *piece, size_t from,
       size_t to)
{
	memcpy(text + out->len, piece->text + from, to - from);
	if (piece->marks != NULL) {
		memcpy(marks + out->len, piece->marks + from, to - from);
	}
	out->len += (uint32_t)(to - from);
}

const struct field *
search_replace(struct findings *found, const struct field *word, const char *mark,
	       const struct field *path)
{
	size_t mark_len = strlen(mark);
	size_t count = 0;
	struct field *out;
	char *text;
	uint8_t *marks;
	size_t from = 0;

	for (size_t at = find_mark(word, 0, mark); at < word->len;
	     at = find_mark(word, at + mark_len, mark)) {
		count++;
	}
	if (count == 0) {
		return word;
	}
	if (count == 1 && word->len == mark_len) {
		return path;
	}
	if (count > 64) {
		out = arena_alloc(found->arena, sizeof(*out));
		if (out != NULL) {
			*out = field_unknown(word->taint | path->taint, true, word);
		}
		return out != NULL ? out : word;
	}
	out = arena_alloc(found->arena, sizeof(*out));
	text = arena_alloc(found->arena, word->len + count * path->len + 1);
	marks = arena_alloc(found->arena, word->len + count * path->len + 1);
	if (out == NULL || text == NULL || marks == NULL) {
		return word;
	}
	*out = *word;
	out->len = 0;
	for (size_t at = find_mark(word, 0, mark); from < word->len;
	     at = find_mark(word, from, mark)) {
		append(out, text, marks, word, from, at);
		if (at < word->len) {
			append(out, text, marks, path, 0, path->len);
			at += mark_len;
		}
		from = at;
	}
	out->text = text;
	out->kind = path->kind > word->kind ? path->kind : word->kind;
	out->marks = out->kind == BAILEY_WORD_LITERAL ? NULL : marks;
	out->taint |= path->taint;
	out->exact = UINT32_MAX;
	return out;
}

/* "/" and the unknown, and then the end of the pattern `name`, in which * and the like are unknown
 * in turn. */
static struct field
tail_of(struct findings *found, const struct field *start, const struct field *name)
{
	size_t room = 4 + (name != NULL ? name->len : 0);
	char *text = arena_alloc(found->arena, room);
	uint8_t *marks = arena_alloc(found->arena, room);
	struct field tail = field_unknown(TAINT_FILE, false, start);
	uint32_t len = 0;

	if (text == NULL || marks == NULL) {
		return tail;
	}
	text[len++] = '/';
	marks[len] = MARK_UNKNOWN;
	text[len++] = FIELD_UNKNOWN;
	for (size_t i = 0; name != NULL && i < name->len; i++) {
		char c = name->text[i];
		bool open = strchr("*?[]\\", c) != NULL ||
			    (name->marks != NULL && name->marks[i] != MARK_LITERAL);

		if (i == 0 && !open) {
			text[len++] = '/';
		}
		if (c == '[') {
			const char *close = strchr(name->text + i, ']');

			i = close != NULL ? (size_t)(close - name->text) : i;
		}
		if (!open) {
			text[len++] = c;
		} else if (marks[len - 1] != MARK_UNKNOWN) {
			marks[len] = MARK_UNKNOWN;
			text[len++] = FIELD_UNKNOWN;
		}
	}
	tail.text = text;
	tail.marks = marks;
	tail.len = len;
	return tail;
}

const struct field *
search_below(struct findings *found, const struct field *start, const struct field *name)
{
	struct field *below = arena_alloc(found->arena, sizeof(*below));
	struct field tail = tail_of(found, start, name);
	struct field cut = *start;

	if (below == NULL) {
		return start;
	}
	/* "/" and "dir/" have their slash already. */
	while (cut.marks == NULL && cut.len > 0 && cut.text[cut.len - 1] == '/') {
		cut.len--;
	}
	if (cut.len < start->len) {
		cut.text = arena_strndup(found->arena, start->text, cut.len);
		if (cut.text == NULL) {
			return start;
		}
	}
	*below = field_join(found->arena, &cut, &tail);
	below->tilde = start->tilde;
	return below;
}
