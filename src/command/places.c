/* SPDX-License-Identifier: MIT */

/*
 * Where a path leads, by its text alone. What is known of files comes from places_table.c; a path
 * with globs counts as every known path that it can match, one with unknown parts as what its
 * literal beginning says.
 */

#include "command/places.h"

#include "command/expand.h"

#include "base/path.h"

#include <string.h>

/* A path or the rest of one: `len` bytes with their marks (NULL: all literal). */
struct slice {
	const char *text;
	const uint8_t *marks;
	size_t len;
};

enum hit { HIT_NONE, HIT_WEAK, HIT_YES, HIT_ABOVE };

static bool
is_literal(struct slice s)
{
	if (s.marks == NULL) {
		return true;
	}
	for (size_t i = 0; i < s.len; i++) {
		if (s.marks[i] != MARK_LITERAL) {
			return false;
		}
	}
	return true;
}

static bool
has_unknown(struct slice s)
{
	return s.marks != NULL && memchr(s.marks, MARK_UNKNOWN, s.len) != NULL;
}

static struct slice
rest_of(struct slice s, size_t from)
{
	return (struct slice){ s.text + from, s.marks != NULL ? s.marks + from : NULL,
			       s.len - from };
}

static size_t
component_length(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	return slash != NULL ? (size_t)(slash - text) : len;
}

/* Only wildcards, with or without a dot in front: stands for whatever is in the directory. */
static bool
is_wild(struct slice s)
{
	bool star = false;

	if (s.marks == NULL) {
		return false;
	}
	for (size_t i = 0; i < s.len; i++) {
		if (s.marks[i] == MARK_UNKNOWN || (s.marks[i] == MARK_LITERAL && s.text[i] != '.' &&
						   s.text[i] != '/' && s.text[i] != '!')) {
			return false;
		}
		star = star || (s.text[i] == '*' && s.marks[i] == MARK_GLOB);
	}
	return star;
}

static enum hit
match_component(struct slice part, const char *name, size_t len)
{
	struct field pattern = { .text = part.text,
				 .marks = part.marks,
				 .len = (uint32_t)part.len,
				 .kind = BAILEY_WORD_GLOB };

	if (is_literal(part)) {
		return part.len == len && memcmp(part.text, name, len) == 0 ? HIT_YES : HIT_NONE;
	}
	if (has_unknown(part) || pattern_match(&pattern, name, len, false) == 0) {
		return HIT_NONE;
	}
	return is_wild(part) ? HIT_WEAK : HIT_YES;
}

/* Is `path` (relative to the base of the entry) the entry, below it, or above it? */
static enum hit
match_entry(struct slice path, const char *entry)
{
	enum hit all = HIT_YES;

	while (*entry != '\0') {
		size_t want = component_length(entry, strlen(entry));
		size_t have = component_length(path.text, path.len);
		enum hit one;

		if (path.len == 0) {
			return HIT_ABOVE;
		}
		one = match_component((struct slice){ path.text, path.marks, have }, entry, want);
		if (one == HIT_NONE) {
			return HIT_NONE;
		}
		all = one == HIT_WEAK ? HIT_WEAK : all;
		entry += entry[want] == '/' ? want + 1 : want;
		path = rest_of(path, have < path.len ? have + 1 : have);
	}
	return all;
}

/* Secrets that a wildcard may or may not meant are asked about; so is what else it may match. */
static bool
look_up(struct slice path, const struct known_path *table, struct place *out)
{
	bool literal = is_literal(path);

	for (const struct known_path *known = table; known->path != NULL; known++) {
		enum hit match;

		if (literal && path.len > 0 && known->path[0] != path.text[0]) {
			continue;
		}
		match = match_entry(path, known->path);
		if (match == HIT_ABOVE || (match == HIT_WEAK && path.len > 0)) {
			out->holds = out->holds || known->place == BAILEY_PLACE_SENSITIVE;
		}
		if (match == HIT_YES) {
			out->place = known->place;
			out->critical = known->critical;
			return true;
		}
	}
	return false;
}

static bool
ends_with(struct slice s, const char *tail)
{
	size_t len = strlen(tail);

	return s.len >= len && memcmp(s.text + s.len - len, tail, len) == 0;
}

static struct slice
last_component(struct slice path)
{
	const char *slash = path.len > 0 ? memrchr(path.text, '/', path.len) : NULL;

	return rest_of(path, slash != NULL ? (size_t)(slash - path.text) + 1 : 0);
}

/* Names that hold secrets or may hold them, in whatever directory. */
static bool
known_name(struct slice path, struct place *out)
{
	struct slice name = last_component(path);

	if (has_unknown(name)) {
		const uint8_t *last = memrchr(name.marks, MARK_UNKNOWN, name.len);

		name = rest_of(name, (size_t)(last - name.marks) + 1);
	}
	if (name.len == 0 || is_wild(name)) {
		return false;
	}
	if (look_up(name, places_by_name, out)) {
		return true;
	}
	if (ends_with(name, ".kdbx") || ends_with(name, ".p12") || ends_with(name, ".pfx") ||
	    ends_with(name, "_rsa") || ends_with(name, "_ed25519")) {
		out->place = BAILEY_PLACE_PRIVATE;
		return true;
	}
	return false;
}

/* The part of `path` below `dir`, which is normal; false when it is not there. */
static bool
below(struct slice path, const char *dir, struct slice *out)
{
	size_t len = dir != NULL ? strlen(dir) : 0;

	if (len == 0 || (len == 1 && dir[0] == '/') || path.len < len ||
	    memcmp(path.text, dir, len) != 0 || (path.len > len && path.text[len] != '/')) {
		return false;
	}
	if (path.marks != NULL && !is_literal((struct slice){ path.text, path.marks, len })) {
		return false;
	}
	*out = rest_of(path, path.len > len ? len + 1 : len);
	return true;
}

/* Another user's home: /root, /home/NAME, /Users/NAME. */
static bool
below_any_home(struct slice path, struct slice *out)
{
	static const char *const parents[] = { "/home", "/Users" };

	if (below(path, "/root", out) || below(path, "/var/root", out)) {
		return true;
	}
	for (size_t i = 0; i < 2; i++) {
		struct slice rest;

		if (below(path, parents[i], &rest) && rest.len > 0) {
			size_t name = component_length(rest.text, rest.len);

			*out = rest_of(rest, name < rest.len ? name + 1 : name);
			return true;
		}
	}
	return false;
}

/* Is the working directory itself in such a place of the home directory: a worktree that an agent
 * keeps below its settings? Then what is in it is work. */
static bool
works_inside(const struct bailey_scene *scene, struct slice path, enum bailey_place place)
{
	struct slice cwd = { scene->cwd, NULL, strlen(scene->cwd) };
	struct place of_cwd = { .place = BAILEY_PLACE_NONE };
	struct slice rest;

	return below(path, scene->cwd, &rest) && below(cwd, scene->home, &rest) && rest.len > 0 &&
	       look_up(rest, places_of_home, &of_cwd) && of_cwd.place == place;
}

/* The rest after the home directory ends the search when it is known; else only notes it. */
static bool
place_in_home(const struct bailey_scene *scene, struct slice path, struct place *out)
{
	struct slice rest;
	bool own = below(path, scene->home, &rest);

	if (!own && !below_any_home(path, &rest)) {
		return false;
	}
	if (own && (rest.len == 0 || is_wild(rest))) {
		out->place = BAILEY_PLACE_ROOT;
		out->all = true;
		return true;
	}
	if (rest.len > 0 && look_up(rest, places_of_home, out) &&
	    !works_inside(scene, path, out->place)) {
		return true;
	}
	out->critical = false;
	out->place = own ? BAILEY_PLACE_HOME : BAILEY_PLACE_SYSTEM;
	return false;
}

/* A component named `name` anywhere in the path. */
static bool
has_component(struct slice path, const char *name)
{
	while (path.len > 0) {
		size_t len = component_length(path.text, path.len);

		if (match_component((struct slice){ path.text, path.marks, len }, name,
				    strlen(name)) == HIT_YES) {
			return true;
		}
		path = rest_of(path, len < path.len ? len + 1 : len);
	}
	return false;
}

static bool
place_in_root(struct slice path, const char *root, struct place *out)
{
	struct slice rest;

	if (!below(path, root, &rest)) {
		return false;
	}
	if (rest.len == 0 || is_wild(rest)) {
		out->place = BAILEY_PLACE_TOP;
		out->all = true;
		return true;
	}
	if (look_up(rest, places_of_workspace, out)) {
		return true;
	}
	out->place = has_component(rest, ".git") ? BAILEY_PLACE_PROTECTED : BAILEY_PLACE_WORKSPACE;
	return true;
}

static bool
place_in_workspace(const struct bailey_scene *scene, struct slice path, struct place *out)
{
	if (place_in_root(path, scene->cwd, out)) {
		return true;
	}
	for (size_t i = 0; i < scene->root_count; i++) {
		if (place_in_root(path, scene->roots[i], out)) {
			return true;
		}
	}
	return false;
}

static bool
place_in_tmp(const struct bailey_scene *scene, struct slice path, struct place *out)
{
	const char *const dirs[] = { "/tmp", "/var/tmp", "/private/tmp", scene->tmpdir };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		struct slice rest;

		if (below(path, dirs[i], &rest)) {
			out->place = rest.len > 0 ? BAILEY_PLACE_TMP : BAILEY_PLACE_OTHER;
			return true;
		}
	}
	return false;
}

/* The caller's own list: absolute, or below the home directory when it starts with "~/". */
static bool
place_of_sensitive(const struct bailey_scene *scene, struct slice path, struct place *out)
{
	for (size_t i = 0; i < scene->sensitive_count; i++) {
		const char *entry = scene->sensitive[i];
		struct slice rest = path;
		bool home = entry[0] == '~' && entry[1] == '/';

		if (home && !below(path, scene->home, &rest)) {
			continue;
		}
		if (!home) {
			rest = rest_of(path, path.len > 0 ? 1 : 0);
		}
		switch (match_entry(rest, entry + (home ? 2 : 1))) {
		case HIT_YES:
			out->place = BAILEY_PLACE_SENSITIVE;
			return true;
		case HIT_WEAK:
		case HIT_ABOVE:
			out->holds = true;
			break;
		case HIT_NONE:
			break;
		}
	}
	return false;
}

/* /proc/PID/environ, mem and the like. */
static bool
place_in_proc(struct slice path, struct place *out)
{
	struct slice rest;

	if (!below(path, "/proc", &rest) || rest.len == 0) {
		return false;
	}
	if (ends_with(rest, "/environ")) {
		out->place = BAILEY_PLACE_PRIVATE;
		return true;
	}
	if (ends_with(rest, "/mem") || ends_with(rest, "/maps")) {
		out->place = BAILEY_PLACE_DEVICE;
		return true;
	}
	if (memmem(rest.text, rest.len, "/fd/", 4) != NULL) {
		out->place = BAILEY_PLACE_NULL;
		return true;
	}
	return false;
}

/* /proc/PID/root/X is X. */
static struct slice
see_through_proc(struct slice path)
{
	struct slice rest;
	size_t pid;

	if (!below(path, "/proc", &rest)) {
		return path;
	}
	pid = component_length(rest.text, rest.len);
	rest = rest_of(rest, pid);
	if (rest.len >= 6 && memcmp(rest.text, "/root/", 6) == 0) {
		return rest_of(rest, 5);
	}
	return path;
}

/* A path with an unknown part: what its literal directory says, and names in its known end. */
static struct slice
known_directory(struct slice path, struct place *out)
{
	const uint8_t *unknown = memchr(path.marks, MARK_UNKNOWN, path.len);
	size_t len = (size_t)(unknown - path.marks);

	while (len > 0 && path.text[len - 1] != '/') {
		len--;
	}
	out->below = true;
	if (len > 1) {
		len--;
	}
	return (struct slice){ path.text, path.marks, len };
}

static void
find_place(const struct bailey_scene *scene, struct slice path, struct place *out)
{
	bool in_home = false;

	if (path.len == 1 || is_wild(path)) {
		out->place = BAILEY_PLACE_ROOT;
		out->all = true;
		return;
	}
	if (place_of_sensitive(scene, path, out) || place_in_home(scene, path, out)) {
		return;
	}
	in_home = out->place != BAILEY_PLACE_NONE;
	if (place_in_workspace(scene, path, out) || place_in_tmp(scene, path, out) || in_home ||
	    place_in_proc(path, out)) {
		return;
	}
	if (!look_up(rest_of(path, 1), places_of_root, out)) {
		out->place = BAILEY_PLACE_OTHER;
	}
}

/* The public half of a key: nothing secret, and still nobody else's business. */
static bool
is_public_key(struct slice path)
{
	size_t at = path.len - 4;

	if (path.len < 4 || memcmp(path.text + at, ".pub", 4) != 0 ||
	    !has_component(path, ".ssh")) {
		return false;
	}
	for (size_t i = at; path.marks != NULL && i < path.len; i++) {
		if (path.marks[i] != MARK_LITERAL) {
			return false;
		}
	}
	return true;
}

struct place
place_of(const struct bailey_scene *scene, const struct field *path)
{
	struct place out = { .place = BAILEY_PLACE_NONE };
	struct place named = { .place = BAILEY_PLACE_NONE };
	struct slice whole = see_through_proc((struct slice){ path->text, path->marks, path->len });
	struct slice dir = whole;

	if (has_unknown(whole)) {
		dir = known_directory(whole, &out);
	}
	if (dir.len == 0 || dir.text[0] != '/') {
		out.place = BAILEY_PLACE_UNKNOWN;
	} else {
		find_place(scene, dir, &out);
		out.all = (out.all || is_wild(last_component(whole))) && !out.below;
		out.below = out.below || (!out.all && !is_literal(whole));
	}
	if (out.place == BAILEY_PLACE_SENSITIVE && is_public_key(whole)) {
		out.place = BAILEY_PLACE_PRIVATE;
	}
	if (known_name(whole, &named) && out.place != BAILEY_PLACE_SENSITIVE &&
	    out.place != BAILEY_PLACE_GUARD) {
		/* A key in a workspace is a test's as a rule. */
		out.place =
			out.place == BAILEY_PLACE_WORKSPACE ? BAILEY_PLACE_PRIVATE : named.place;
	}
	return out;
}
