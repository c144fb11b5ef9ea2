/* SPDX-License-Identifier: MIT */
/*
 * Files that the script wrote, and paths made absolute and normal against the shell's directory.
 */
#include "command/shell_table.h"

#include <assert.h>
#include <string.h>

#define PATH_LEN_MAX ((size_t)16384) /* longer than any that a kernel takes */
#define LINKS_MAX 16

/* ---- notes -------------------------------------------------------------------------------- */

struct file_note *
shell_file(struct shell *shell, const char *path)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_FILE, path, false);

	return entry != NULL ? entry->value : NULL;
}

struct file_note *
shell_note_file(struct shell *shell, const char *path)
{
	struct shell_entry *entry = shell_entry(shell, SHELL_FILE, path, true);
	struct file_note *note;

	if (entry == NULL) {
		return NULL;
	}
	note = shell_writable(shell, entry, sizeof(*note));
	if (note != NULL && note->path == NULL) {
		note->path = entry->name;
		note->content = stream_unknown(TAINT_FILE);
	}
	shell->tables->noted = true;
	return note;
}

void
shell_join_file(struct shell *shell, struct shell_entry *entry, struct file_note *old)
{
	struct file_note *note = entry->value;

	if (note == NULL || note == old) {
		return;
	}
	note = shell_writable(shell, entry, sizeof(*note));
	if (note == NULL) {
		return;
	}
	note->unsure = true;
	note->older = old;
}

/* ---- paths -------------------------------------------------------------------------------- */

struct path_build {
	struct shell *shell;
	char *text; /* "" for the root */
	uint8_t *marks;
	size_t len;
	size_t room;
	unsigned links;
	bool lost; /* too long, or links without end */
};

static bool
reserve(struct path_build *out, size_t more)
{
	size_t room = out->len + more + 2;
	char *text;
	uint8_t *marks;

	if (room <= out->room) {
		return true;
	}
	if (room > PATH_LEN_MAX || !shell_spend(out->shell, room)) {
		out->lost = true;
		return false;
	}
	text = arena_alloc(out->shell->arena, room);
	marks = arena_alloc(out->shell->arena, room);
	if (text == NULL || marks == NULL) {
		out->lost = true;
		return false;
	}
	if (out->len > 0) {
		memcpy(text, out->text, out->len);
		memcpy(marks, out->marks, out->len);
	}
	out->text = text;
	out->marks = marks;
	out->room = room;
	return true;
}

static bool
all_literal(const uint8_t *marks, size_t len)
{
	for (size_t i = 0; marks != NULL && i < len; i++) {
		if (marks[i] != MARK_LITERAL) {
			return false;
		}
	}
	return true;
}

/* "..": the last component goes, unless it is not known what it is. */
static void
climb(struct path_build *out)
{
	size_t start = out->len;

	while (start > 0 && out->text[start - 1] != '/') {
		start--;
	}
	if (out->len == 0) {
		return;
	}
	if (all_literal(out->marks + start, out->len - start)) {
		out->len = start > 0 ? start - 1 : 0;
		return;
	}
	out->text[start] = FIELD_UNKNOWN;
	out->marks[start] = MARK_UNKNOWN;
	out->len = start + 1;
}

/* What has been built so far is a link that the script made: go on from its target. */
static void
follow(struct path_build *out)
{
	while (all_literal(out->marks, out->len) && !out->lost) {
		const struct file_note *note;
		size_t len;

		out->text[out->len] = '\0';
		note = shell_file(out->shell, out->text);
		if (note == NULL || note->link == NULL) {
			return;
		}
		if (++out->links > LINKS_MAX) {
			out->lost = true;
			return;
		}
		len = strlen(note->link);
		out->len = 0;
		if (!reserve(out, len)) {
			return;
		}
		memcpy(out->text, note->link, len);
		memset(out->marks, MARK_LITERAL, len);
		out->len = len == 1 && *note->link == '/' ? 0 : len;
	}
}

static void
add_component(struct path_build *out, const char *text, const uint8_t *marks, size_t len)
{
	bool literal = all_literal(marks, len);

	if (len == 0 || (literal && len == 1 && *text == '.')) {
		return;
	}
	if (literal && len == 2 && text[0] == '.' && text[1] == '.') {
		climb(out);
		return;
	}
	if (!reserve(out, len + 1)) {
		return;
	}
	out->text[out->len] = '/';
	out->marks[out->len++] = MARK_LITERAL;
	memcpy(out->text + out->len, text, len);
	if (marks != NULL) {
		memcpy(out->marks + out->len, marks, len);
	} else {
		memset(out->marks + out->len, MARK_LITERAL, len);
	}
	out->len += len;
}

/* Adds the components of `path`; the last one is followed only when `last` says so. */
static void
add_path(struct path_build *out, const struct field *path, bool last)
{
	size_t pos = 0;

	while (pos < path->len && !out->lost) {
		size_t start = pos;
		size_t end;

		while (pos < path->len && path->text[pos] != '/') {
			pos++;
		}
		end = pos;
		while (pos < path->len && path->text[pos] == '/') {
			pos++;
		}
		add_component(out, path->text + start,
			      path->marks != NULL ? path->marks + start : NULL, end - start);
		if (out->shell->tables->noted && (last || path->text[pos - 1] == '/') &&
		    out->len > 0) {
			follow(out);
		}
	}
}

/* Puts the cwd, or an unknown first component, in front. Gives where the rest starts. */
static size_t
add_start(struct path_build *out, const struct field *path)
{
	const struct field *cwd = &out->shell->cwd;
	const struct field *base = NULL;
	size_t end = 0;

	if (path->text[0] == '/') {
		return 0;
	}
	if (path->marks != NULL && path->marks[0] == MARK_UNKNOWN) {
		base = path;
		while (end < path->len && path->text[end] != '/') {
			end++;
		}
	} else if (cwd->len > 1 || cwd->text[0] != '/') {
		base = cwd;
	}
	if (base == NULL || !reserve(out, (base == path ? end : cwd->len) + path->len)) {
		return end;
	}
	assert(out->text != NULL && out->marks != NULL); /* there is room */
	out->len = base == path ? end : cwd->len;
	memcpy(out->text, base->text, out->len);
	if (base->marks != NULL) {
		memcpy(out->marks, base->marks, out->len);
	}
	return end;
}

/* Is it normal as it stands, and absolute? */
static bool
is_normal(const char *path, size_t len)
{
	if (path[0] != '/' || (len > 1 && path[len - 1] == '/')) {
		return false;
	}
	for (size_t i = 0; i + 1 < len; i++) {
		if (path[i] == '/' && (path[i + 1] == '/' || path[i + 1] == '.')) {
			return false; /* "/.name" too: those take the longer way */
		}
	}
	return true;
}

/* ~ and ~/... as code in other languages has them, with the home directory in front. */
static struct field
from_home(struct shell *shell, const struct field *path)
{
	struct field home = field_static(shell->scene->home, path);
	struct field rest = field_tail(shell->arena, path, 1);

	return field_join(shell->arena, &home, &rest);
}

static bool
is_tilde(const struct shell *shell, const struct field *path)
{
	return path->tilde && path->text[0] == '~' && (path->len == 1 || path->text[1] == '/') &&
	       shell->scene != NULL && shell->scene->home != NULL;
}

static struct field
make_path(struct shell *shell, const struct field *path, bool last)
{
	struct path_build out = { .shell = shell };
	struct field rest = *path;
	struct field made = *path;
	size_t start;

	if (is_tilde(shell, path)) {
		rest = from_home(shell, path);
		return make_path(shell, &rest, last);
	}
	if (path->len == 0 || (path->kind == BAILEY_WORD_LITERAL && !shell->tables->noted &&
			       is_normal(path->text, path->len))) {
		return *path;
	}
	start = add_start(&out, path);
	rest = field_tail(shell->arena, path, start);
	if (reserve(&out, rest.len + 1)) {
		add_path(&out, &rest, last);
	}
	if (out.lost) {
		return field_unknown(path->taint, path->many, path);
	}
	if (out.len == 0) {
		out.text[out.len++] = '/';
		out.marks[0] = MARK_LITERAL;
	}
	out.text[out.len] = '\0';
	made.text = out.text;
	made.len = (uint32_t)out.len;
	made.marks = all_literal(out.marks, out.len) ? NULL : out.marks;
	made.kind = BAILEY_WORD_LITERAL;
	if (made.marks != NULL) {
		made.kind = memchr(out.marks, MARK_UNKNOWN, out.len) != NULL ? BAILEY_WORD_DYNAMIC
									     : BAILEY_WORD_GLOB;
	}
	made.taint = (uint16_t)(path->taint | (path->text[0] != '/' ? shell->cwd.taint : 0));
	made.exact = UINT32_MAX;
	return made;
}

struct field
shell_path(struct shell *shell, const struct field *path)
{
	return make_path(shell, path, true);
}

struct field
shell_path_name(struct shell *shell, const struct field *path)
{
	return make_path(shell, path, false);
}
