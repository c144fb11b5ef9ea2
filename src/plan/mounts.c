/* SPDX-License-Identifier: MIT */

/*
 * Bind mounts: a directory that is mounted in two places has two names, and Landlock judges a file
 * by the name that it is opened with. What is kept out under one name is therefore kept out under
 * all that the table of mounts tells. Copies, snapshots and file systems that show another one
 * (overlay, network, FUSE) are other files to the kernel and cannot be found this way.
 */

#include "base/attr.h"
#include "base/path.h"
#include "plan/compile.h"

#include <string.h>

struct table {
	struct fs_mount *mounts;
	size_t *lengths; /* of the mount points; "/" counts as 0 */
	size_t count;
};

/* path_under() for lengths that are known: this is asked for each carve-out and mount. */
static bool
lies_in(const char *path, size_t path_len, const char *dir, size_t dir_len)
{
	return path_len >= dir_len && (path[dir_len] == '/' || path[dir_len] == '\0') &&
	       memcmp(path, dir, dir_len) == 0;
}

static bool
measure(struct compile *c, struct table *table)
{
	table->lengths = arena_array(c->arena, table->count, sizeof(*table->lengths));
	for (size_t i = 0; table->lengths != NULL && i < table->count; i++) {
		const char *point = table->mounts[i].point;

		table->lengths[i] = strcmp(point, "/") == 0 ? 0 : strlen(point);
	}
	return table->lengths != NULL;
}

/* What is behind the directory `dir` in `path`, which lies in it: "" or "/REST". */
static const char *
behind(const char *path, const char *dir)
{
	const char *rest = path + (strcmp(dir, "/") == 0 ? 0 : strlen(dir));

	return strcmp(rest, "/") == 0 ? "" : rest;
}

/* The mount that `path` is seen through: the deepest, and of several in one place the last. */
static const struct fs_mount *
mount_of(const struct table *table, const char *path)
{
	const struct fs_mount *best = NULL;
	size_t best_len = 0;
	size_t len = strlen(path);

	for (size_t i = 0; i < table->count; i++) {
		if (table->lengths[i] >= best_len &&
		    lies_in(path, len, table->mounts[i].point, table->lengths[i])) {
			best = &table->mounts[i];
			best_len = table->lengths[i];
		}
	}
	return best;
}

static char *
join(struct compile *c, const char *dir, const char *rest)
{
	if (rest[0] == '\0') {
		return arena_strdup(c->arena, dir);
	}
	return strcmp(dir, "/") == 0 ? arena_strdup(c->arena, rest)
				     : path_join(c->arena, dir, rest + 1);
}

/* Where `inside`, a path in the file system of `mount`, or a part of it is seen through `mount`. */
static char *
seen_at(struct compile *c, const struct fs_mount *mount, const char *inside)
{
	if (path_under(inside, mount->root)) {
		return join(c, mount->point, behind(inside, mount->root));
	}
	return path_under(mount->root, inside) ? arena_strdup(c->arena, mount->point) : NULL;
}

/* Where `inside`, which is seen through `own`, is seen otherwise: each place as `carve` says. */
static int
add_names(struct compile *c, const struct table *table, const struct fs_mount *own,
	  const char *inside, const struct carve_out *carve)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct fs_mount *mount = &table->mounts[i];
		struct carve_out *added;
		char *path;

		if (mount == own || strcmp(mount->device, own->device) != 0) {
			continue;
		}
		path = seen_at(c, mount, inside);
		if (path == NULL || path_under(path, carve->path)) {
			continue;
		}
		added = arena_push(c->arena, &c->plan->carve_outs, &c->plan->carve_out_count,
				   sizeof(*added));
		if (added == NULL) {
			return compile_nomem(c);
		}
		*added = *carve;
		added->path = path;
	}
	return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
}

/* The other names of one carve-out, and of what is mounted below it. */
static int
add_all_names(struct compile *c, const struct table *table, const struct carve_out *carve)
{
	const struct fs_mount *own = mount_of(table, carve->path);
	char *inside = own != NULL ? join(c, own->root, behind(carve->path, own->point)) : NULL;
	int rc = inside != NULL ? add_names(c, table, own, inside, carve) : BAILEY_OK;
	size_t len = strlen(carve->path);

	for (size_t i = 0; i < table->count && rc == BAILEY_OK; i++) {
		const struct fs_mount *below = &table->mounts[i];

		if (below != own && lies_in(below->point, table->lengths[i], carve->path, len)) {
			rc = add_names(c, table, below, below->root, carve);
		}
	}
	return rc;
}

/* Is any file system mounted twice at all? Most often none is, and no carve-out has another name.
 */
static bool
any_twice(const struct table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (strcmp(table->mounts[i].device, table->mounts[k].device) == 0) {
				return true;
			}
		}
	}
	return false;
}

int
carve_mounts(struct compile *c)
{
	struct table table = { 0 };
	size_t count = c->plan->carve_out_count;
	int rc = BAILEY_OK;

	if (c->fs->mounts == NULL) {
		return BAILEY_OK;
	}
	if (!c->fs->mounts(c->fs->data, c->arena, &table.mounts, &table.count)) {
		plan_gap(c->plan, BY_NOTHING, "mounts-unknown", NULL,
			 "what is kept out may be reached by another mount of it: "
			 "/proc/self/mountinfo cannot be read");
		return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
	}
	if (!any_twice(&table)) {
		return BAILEY_OK;
	}
	if (!measure(c, &table)) {
		return compile_nomem(c);
	}
	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		const struct carve_out carve = c->plan->carve_outs[i]; /* the array may move */

		rc = add_all_names(c, &table, &carve);
	}
	return rc;
}
