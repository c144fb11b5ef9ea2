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
	size_t count;
};

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

	for (size_t i = 0; i < table->count; i++) {
		const struct fs_mount *mount = &table->mounts[i];

		if (path_under(path, mount->point) &&
		    (best == NULL || strlen(mount->point) >= strlen(best->point))) {
			best = mount;
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
	return arena_printf(c->arena, "%s%s", strcmp(dir, "/") == 0 ? "" : dir, rest);
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

	for (size_t i = 0; i < table->count && rc == BAILEY_OK; i++) {
		const struct fs_mount *below = &table->mounts[i];

		if (below != own && path_under(below->point, carve->path)) {
			rc = add_names(c, table, below, below->root, carve);
		}
	}
	return rc;
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
	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		const struct carve_out carve = c->plan->carve_outs[i]; /* the array may move */

		rc = add_all_names(c, &table, &carve);
	}
	return rc;
}
