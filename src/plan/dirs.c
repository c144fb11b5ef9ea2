/* SPDX-License-Identifier: MIT */

/*
 * Directories that the compiling steps look at, each resolved and listed once. Most of what a
 * policy keeps out lies in few directories (the home directory above all), and the same ones are
 * walked when granting around it: one listing answers for all, instead of a look at each path.
 */

#include "base/path.h"
#include "plan/compile.h"

#include <errno.h>
#include <string.h>

/* Above this a listing is searched more slowly than the kernel looks up. */
#define LISTING_MAX 512U
#define DEPTH_MAX 256U

static struct known_dir *
find(struct compile *c, const char *path)
{
	for (size_t i = 0; i < c->dir_count; i++) {
		if (strcmp(c->dirs[i]->path, path) == 0) {
			return c->dirs[i];
		}
	}
	return NULL;
}

static struct known_dir *
remember(struct compile *c, const char *path, const char *real, bool exists)
{
	struct known_dir *dir = arena_alloc(c->arena, sizeof(*dir));
	struct known_dir **slot = arena_push(c->arena, &c->dirs, &c->dir_count, sizeof(*slot));

	if (dir == NULL || slot == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	*dir = (struct known_dir){ .path = path, .real = real, .exists = exists };
	*slot = dir;
	return dir;
}

bool
dirs_list(struct compile *c, struct known_dir *dir)
{
	if (!dir->asked) {
		dir->asked = true;
		dir->listed =
			c->fs->list(c->fs->data, c->arena, dir->real, &dir->entries, &dir->count);
	}
	return dir->listed;
}

/* What `name` is in an existing directory. */
static enum fs_type
type_in(struct compile *c, struct known_dir *dir, const char *name)
{
	char *path;

	if (dirs_list(c, dir) && dir->count <= LISTING_MAX) {
		for (size_t i = 0; i < dir->count; i++) {
			if (strcmp(dir->entries[i].name, name) == 0) {
				return dir->entries[i].type;
			}
		}
		return FS_MISSING;
	}
	path = path_join(c->arena, dir->real, name);
	return path != NULL ? c->fs->type(c->fs->data, path) : FS_MISSING;
}

static struct known_dir *get(struct compile *c, const char *path, unsigned int depth);

/* `path` through its parent; *type tells what is there. NULL and errno. */
static char *
resolve_at(struct compile *c, const char *path, unsigned int depth, enum fs_type *type)
{
	char *parent = path_parent(c->arena, path);
	struct known_dir *dir = parent != NULL ? get(c, parent, depth + 1) : NULL;
	char *real = dir != NULL ? path_join(c->arena, dir->real, path_base(path)) : NULL;

	if (real == NULL) {
		return NULL;
	}
	*type = dir->exists ? type_in(c, dir, path_base(path)) : FS_MISSING;
	if (*type == FS_LINK) {
		real = c->fs->resolve(c->fs->data, c->arena, real);
		*type = real != NULL ? c->fs->type(c->fs->data, real) : FS_MISSING;
	}
	return real;
}

static struct known_dir *
get(struct compile *c, const char *path, unsigned int depth)
{
	struct known_dir *dir = find(c, path);
	enum fs_type type = FS_DIR;
	const char *real = path;

	if (dir != NULL) {
		return dir;
	}
	if (depth > DEPTH_MAX) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	if (strcmp(path, "/") != 0) {
		real = resolve_at(c, path, depth, &type);
	}
	return real != NULL ? remember(c, path, real, type == FS_DIR) : NULL;
}

struct known_dir *
dirs_get(struct compile *c, const char *path)
{
	return get(c, path, 0);
}

char *
dirs_resolve(struct compile *c, const char *path, enum fs_type *type)
{
	*type = FS_DIR;
	if (strcmp(path, "/") == 0) {
		return arena_strdup(c->arena, path);
	}
	return resolve_at(c, path, 0, type);
}
