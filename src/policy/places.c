/* SPDX-License-Identifier: MIT */
#include "policy/places.h"

#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"

#include <string.h>
#include <strings.h>

#define GIT_FILE_MAX 4096
#define GIT_DEPTH_MAX 64 /* directories above the asked path whose .git is looked at */

/*
 * Absolute, but with its "..", which path_resolve() takes after following links, as the kernel
 * does.
 */
static const char *
absolute(struct arena *arena, const struct bailey_scene *scene, const char *name)
{
	if (scene->home != NULL && name[0] == '~' && (name[1] == '/' || name[1] == '\0')) {
		return path_join(arena, scene->home, name[1] == '/' ? name + 2 : "");
	}
	return name[0] == '/' ? name : path_join(arena, scene->cwd, name);
}

int
place_make(struct arena *arena, const struct bailey_scene *scene, const char *name,
	   struct place *out)
{
	const char *path = absolute(arena, scene, name);

	out->name = name;
	out->text = path != NULL ? path_normalize(arena, "/", path) : NULL;
	if (out->text == NULL) {
		return BAILEY_E_NOMEM;
	}
	out->real = scene->lexical ? out->text : path_resolve(arena, path);
	return arena->failed ? BAILEY_E_NOMEM : BAILEY_OK;
}

bool
place_touches(const struct place *outer, const struct place *inner)
{
	if (path_under(inner->text, outer->text)) {
		return true;
	}
	return inner->real != NULL &&
	       (path_under(inner->real, outer->text) ||
		(outer->real != NULL && path_under(inner->real, outer->real)));
}

bool
place_holds(const struct place *outer, const struct place *inner)
{
	return inner->real != NULL && outer->real != NULL && path_under(inner->real, outer->real);
}

/* ---- writable places ----------------------------------------------------------------------- */

struct place_list {
	struct arena *arena;
	const struct bailey_scene *scene;
	struct write_place *items;
	size_t count;
};

/* The whole file system is never a writable place: neither as a working directory, nor through a
 * TMPDIR that is not a directory of its own. The plan refuses to open it as well. */
static void
add_place(struct place_list *list, const char *name, const char *rule)
{
	struct place place;
	struct write_place *slot;

	if (place_make(list->arena, list->scene, name, &place) != BAILEY_OK || place.real == NULL ||
	    strcmp(place.real, "/") == 0) {
		return;
	}
	slot = arena_push(list->arena, &list->items, &list->count, sizeof(*slot));
	if (slot != NULL) {
		*slot = (struct write_place){ place, rule };
	}
}

int
places_writable(struct arena *arena, const struct bailey_policy *policy,
		const struct bailey_scene *scene, struct write_place **out, size_t *count)
{
	struct place_list list = { .arena = arena, .scene = scene };

	add_place(&list, scene->cwd, "write.cwd");
	for (size_t i = 0; i < policy->writable_roots.count; i++) {
		add_place(&list, policy->writable_roots.items[i], "write.root");
	}
	if (!policy->exclude_slash_tmp) {
		add_place(&list, "/tmp", "write.tmp");
	}
	if (!policy->exclude_tmpdir_env_var && scene->tmpdir != NULL && scene->tmpdir[0] == '/') {
		add_place(&list, scene->tmpdir, "write.tmp");
	}
	*out = list.items;
	*count = list.count;
	return arena->failed ? BAILEY_E_NOMEM : BAILEY_OK;
}

/* ---- protected names ----------------------------------------------------------------------- */

/* Does the path's first component equal `name`? Some file systems ignore case, so all do here. */
static bool
component_is(const char *path, const char *name)
{
	size_t len = strcspn(path, "/");

	return len == strlen(name) && strncasecmp(path, name, len) == 0;
}

static const char *
skip_component(const char *path)
{
	path += strcspn(path, "/");
	return path + strspn(path, "/");
}

/* Below modules/ and worktrees/, where the names of submodules may have several components: is
 * there a part that belongs to hooks or configuration? */
static bool
nested_part_is_protected(const char *rest)
{
	static const char *const names[] = { "hooks", "config", "config.worktree", "commondir" };

	for (rest = skip_component(rest); *rest != '\0'; rest = skip_component(rest)) {
		for (size_t i = 0; i < COUNT_OF(names); i++) {
			if (component_is(rest, names[i])) {
				return true;
			}
		}
		if (component_is(rest, "info") &&
		    component_is(skip_component(rest), "attributes")) {
			return true;
		}
	}
	return false;
}

bool
git_part_is_protected(enum protect_git how, const char *rest)
{
	static const char *const names[] = { "hooks", "config", "config.worktree", "commondir" };

	if (how != PROTECT_GIT_HOOKS || rest[0] == '\0') {
		return how != PROTECT_GIT_NONE; /* .git itself: it could be made to point away */
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (component_is(rest, names[i])) {
			return true;
		}
	}
	if (component_is(rest, "info")) {
		return component_is(skip_component(rest), "attributes");
	}
	if (component_is(rest, "modules") || component_is(rest, "worktrees")) {
		return nested_part_is_protected(rest);
	}
	return false;
}

static bool
is_protected_name(const struct bailey_policy *policy, const char *path)
{
	for (size_t i = 0; i < policy_protected_name_count; i++) {
		if (component_is(path, policy_protected_names[i])) {
			return !component_is(path, ".git");
		}
	}
	for (size_t i = 0; i < policy->protected.count; i++) {
		if (component_is(path, policy->protected.items[i])) {
			return true;
		}
	}
	return false;
}

/* `path` lies in `root`: up to and including the protected name in it, or NULL. */
static const char *
protected_name_in(struct arena *arena, const struct bailey_policy *policy, const char *root,
		  const char *path)
{
	const char *rest = path + strlen(root);

	rest += strspn(rest, "/");
	while (*rest != '\0') {
		const char *next = skip_component(rest);

		if (is_protected_name(policy, rest) ||
		    (component_is(rest, ".git") &&
		     git_part_is_protected(policy->protect_git, next))) {
			return arena_strndup(arena, path,
					     (size_t)(rest - path) + strcspn(rest, "/"));
		}
		rest = next;
	}
	return NULL;
}

/* ---- .git files and symlinks --------------------------------------------------------------- */

/* The text of a one-line file without the newline, or NULL. */
static char *
first_line(struct arena *arena, const char *path)
{
	char *text = NULL;
	size_t len = 0;

	if (read_file(arena, path, GIT_FILE_MAX, &text, &len, NULL) != BAILEY_OK) {
		return NULL;
	}
	text[strcspn(text, "\r\n")] = '\0';
	return text;
}

static const char *
resolve_from(struct arena *arena, const char *dir, const char *path)
{
	const char *full = path[0] == '/' ? path : path_join(arena, dir, path);

	return full != NULL ? path_resolve(arena, full) : NULL;
}

/* `asked` is at or below `dir`, which stands for a .git: is that part of it protected? */
static const char *
protected_in_git_dir(const struct bailey_policy *policy, const char *dir, const char *asked)
{
	const char *rest;

	if (dir == NULL || strcmp(dir, "/") == 0 || !path_under(asked, dir)) {
		return NULL;
	}
	rest = asked + strlen(dir);
	rest += strspn(rest, "/");
	return git_part_is_protected(policy->protect_git, rest) ? dir : NULL;
}

/*
 * What `dir`/.git names, when it is a symlink, or the file of a worktree, a submodule or a
 * repository whose directory is kept elsewhere; and where that leads on to by "commondir".
 */
static const char *
protected_by_link(struct arena *arena, const struct bailey_policy *policy, const char *dir,
		  const char *asked)
{
	static const char key[] = "gitdir: ";
	char *git = path_join(arena, dir, ".git");
	const char *target = git != NULL ? path_resolve(arena, git) : NULL;
	const char *found;
	char *line;

	if (target == NULL) {
		return NULL;
	}
	line = first_line(arena, target);
	if (line != NULL && strncmp(line, key, sizeof(key) - 1) == 0) {
		target = resolve_from(arena, dir, line + sizeof(key) - 1);
	} else if (line != NULL || strcmp(target, git) == 0) {
		return NULL; /* a plain file or directory: its name says it all */
	}
	found = protected_in_git_dir(policy, target, asked);
	if (found != NULL || target == NULL) {
		return found;
	}
	line = path_join(arena, target, "commondir");
	line = line != NULL ? first_line(arena, line) : NULL;
	return line != NULL ? protected_in_git_dir(policy, resolve_from(arena, target, line), asked)
			    : NULL;
}

/* The .git of `root` and of the directories between it and `asked`. */
static const char *
protected_by_links(struct arena *arena, const struct bailey_policy *policy, const char *root,
		   const char *asked)
{
	const char *found = protected_by_link(arena, policy, root, asked);
	const char *dir = asked;

	if (!path_under(asked, root)) {
		return found;
	}
	for (unsigned int i = 0; found == NULL && i < GIT_DEPTH_MAX; i++) {
		dir = path_parent(arena, dir);
		if (dir == NULL || strcmp(dir, root) == 0 || !path_under(dir, root)) {
			return NULL;
		}
		found = protected_by_link(arena, policy, dir, asked);
	}
	return found;
}

const char *
places_protected(struct arena *arena, const struct bailey_policy *policy,
		 const struct bailey_scene *scene, const struct write_place *places, size_t count,
		 const struct place *asked)
{
	const char *found = NULL;

	for (size_t i = 0; policy->protect && found == NULL && i < count; i++) {
		const struct place *root = &places[i].place;

		if (path_under(asked->text, root->text)) {
			found = protected_name_in(arena, policy, root->text, asked->text);
		}
		if (found == NULL && path_under(asked->real, root->real)) {
			found = protected_name_in(arena, policy, root->real, asked->real);
		}
		if (found == NULL && !scene->lexical && policy->protect_git != PROTECT_GIT_NONE) {
			found = protected_by_links(arena, policy, root->real, asked->real);
		}
	}
	return found;
}
