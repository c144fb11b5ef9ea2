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

struct mount_table {
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
measure(struct compile *c, struct mount_table *table)
{
	table->lengths = arena_array(c->arena, table->count, sizeof(*table->lengths));
	for (size_t i = 0; table->lengths != NULL && i < table->count; i++) {
		const char *point = table->mounts[i].point;

		table->lengths[i] = strcmp(point, "/") == 0 ? 0 : strlen(point);
	}
	return table->lengths != NULL || table->count == 0;
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
mount_of(const struct mount_table *table, const char *path)
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

static bool
is_among(const struct strings *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->items[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Where `inside`, which is `path` and seen through `own`, is seen otherwise. */
static int
add_names(struct compile *c, const struct fs_mount *own, const char *inside, const char *path,
	  struct strings *names)
{
	for (size_t i = 0; i < c->mounts->count; i++) {
		const struct fs_mount *mount = &c->mounts->mounts[i];
		const char **slot;
		char *other;

		if (mount == own || strcmp(mount->device, own->device) != 0) {
			continue;
		}
		other = seen_at(c, mount, inside);
		if (other == NULL || path_under(other, path) || is_among(names, other) ||
		    mount_of(c->mounts, other) != mount) {
			continue; /* the last: something is mounted over it */
		}
		slot = arena_push(c->arena, &names->items, &names->count, sizeof(*slot));
		if (slot == NULL) {
			return compile_nomem(c);
		}
		*slot = other;
	}
	return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
}

/*
 * Where the directories are seen otherwise that `path` is mounted on, itself or what is above it. A
 * rule is on a directory, by whatever name, and holds for what is mounted below by any other: so
 * what grants the second name of such a directory grants `path`.
 */
static int
add_mount_points(struct compile *c, const struct fs_mount *own, struct strings *names)
{
	int rc = BAILEY_OK;

	while (rc == BAILEY_OK && own != NULL && strcmp(own->point, "/") != 0) {
		const char *parent = path_parent(c->arena, own->point);
		const struct fs_mount *under = parent != NULL ? mount_of(c->mounts, parent) : NULL;
		const char *inside =
			under != NULL ? join(c, under->root, behind(own->point, under->point))
				      : NULL;

		if (inside == NULL) {
			break;
		}
		rc = add_names(c, under, inside, own->point, names);
		own = under;
	}
	return c->arena->failed ? compile_nomem(c) : rc;
}

/* The other names of `path`, and of what is mounted below it. */
static int
add_all_names(struct compile *c, const char *path, struct strings *names)
{
	const struct mount_table *table = c->mounts;
	const struct fs_mount *own = mount_of(table, path);
	char *inside = own != NULL ? join(c, own->root, behind(path, own->point)) : NULL;
	int rc = inside != NULL ? add_names(c, own, inside, path, names) : BAILEY_OK;
	size_t len = strlen(path);

	for (size_t i = 0; i < table->count && rc == BAILEY_OK; i++) {
		const struct fs_mount *below = &table->mounts[i];

		if (below != own && lies_in(below->point, table->lengths[i], path, len)) {
			rc = add_names(c, below, below->root, path, names);
		}
	}
	if (rc == BAILEY_OK) {
		rc = add_mount_points(c, own, names);
	}
	/* Of the names found, which become more. */
	for (size_t i = 0; i < names->count && rc == BAILEY_OK; i++) {
		rc = add_mount_points(c, mount_of(table, names->items[i]), names);
	}
	return rc;
}

/* Is any file system mounted twice at all? Most often none is, and no carve-out has another name.
 */
static bool
any_twice(const struct mount_table *table)
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

/* Reads the table, once. It has no mounts when no file system is mounted twice. */
static int
read_table(struct compile *c)
{
	struct mount_table *table = c->mounts;

	if (table != NULL) {
		return BAILEY_OK;
	}
	table = arena_alloc(c->arena, sizeof(*table));
	if (table == NULL) {
		return compile_nomem(c);
	}
	*table = (struct mount_table){ 0 };
	c->mounts = table;
	if (c->fs->mounts == NULL) {
		return BAILEY_OK;
	}
	if (!c->fs->mounts(c->fs->data, c->arena, &table->mounts, &table->count)) {
		table->count = 0;
		plan_gap(c->plan, BY_NOTHING, "mounts-unknown", NULL,
			 "what is kept out may be reached by another mount of it: "
			 "/proc/self/mountinfo cannot be read");
		return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
	}
	if (!any_twice(table)) {
		table->count = 0;
	}
	return measure(c, table) ? BAILEY_OK : compile_nomem(c);
}

int
mounts_names(struct compile *c, const char *path, struct strings *names)
{
	int rc = read_table(c);

	return rc == BAILEY_OK && c->mounts->count > 0 ? add_all_names(c, path, names) : rc;
}

/* The same carve-out under another name. */
static int
carve_again(struct compile *c, size_t index, const char *path)
{
	struct carve_out *added = arena_push(c->arena, &c->plan->carve_outs,
					     &c->plan->carve_out_count, sizeof(*added));

	if (added == NULL) {
		return compile_nomem(c);
	}
	*added = c->plan->carve_outs[index]; /* the array may have moved */
	added->path = path;
	return BAILEY_OK;
}

int
carve_mounts(struct compile *c)
{
	size_t count = c->plan->carve_out_count;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		struct strings names = { 0 };

		rc = mounts_names(c, c->plan->carve_outs[i].path, &names);
		for (size_t k = 0; k < names.count && rc == BAILEY_OK; k++) {
			rc = carve_again(c, i, names.items[k]);
		}
	}
	return rc;
}
