/* SPDX-License-Identifier: MIT */

/*
 * Repositories under protect_git = "hooks": commits are let through, and what makes git run code
 * stays as it is (hooks, configuration, attributes). The broker judges each path by its name; the
 * carve-outs here are for what it cannot see a name in, and for the kernel.
 *
 * A `.git` that is a file names the repository's real directory ("gitdir: PATH"; gitrepository-
 * layout(5)): a worktree or a submodule. To commit there, this directory must be writable, and the
 * common directory of a worktree as well. But anybody can write such a file: an archive that is
 * unpacked can hold one, and name the home directory. So it is believed only where the directory
 * that it names says the same.
 */

#include "base/attr.h"
#include "base/path.h"
#include "plan/compile.h"

#include <string.h>

#define SCAN_DEPTH_MAX 6U      /* directories below modules/ and worktrees/ */
#define SCAN_ENTRIES_MAX 8192U /* directory entries looked at in one repository */

/* ---- what a .git file names -------------------------------------------------------------- */

/* The first line of `name` in `dir`, as a path. NULL: there is none, or no memory. */
static char *
path_in_file(struct compile *c, const char *dir, const char *name)
{
	char *file = path_join(c->arena, dir, name);
	char *line = file != NULL ? c->fs->first_line(c->fs->data, c->arena, file) : NULL;

	return line != NULL && line[0] != '\0' ? path_normalize(c->arena, dir, line) : NULL;
}

/* Without symlinks: one in an archive must not lead elsewhere than it seems. NULL: no directory. */
static char *
real_dir(struct compile *c, const char *path)
{
	enum fs_type type = FS_MISSING;
	char *real = path != NULL ? dirs_resolve(c, path, &type) : NULL;

	return type == FS_DIR ? real : NULL;
}

/* A worktree's directory names the `.git` file that names it, in its file `gitdir`, and lies in the
 * common directory's `worktrees`. */
static bool
is_worktree_of(struct compile *c, const char *gitdir, const char *common, const char *file)
{
	char *back = path_in_file(c, gitdir, "gitdir");
	char *worktrees = path_join(c->arena, common, "worktrees");
	enum fs_type type;
	char *real = back != NULL ? dirs_resolve(c, back, &type) : NULL;

	return real != NULL && worktrees != NULL && strcmp(real, file) == 0 &&
	       path_under(gitdir, worktrees);
}

/* A submodule's lies below the `.git/modules` of a directory above. */
static bool
is_submodule_in(struct compile *c, const char *gitdir, const char *dir)
{
	while (strcmp(dir, "/") != 0) {
		char *modules;

		dir = path_parent(c->arena, dir);
		modules = dir != NULL ? path_join(c->arena, dir, ".git/modules") : NULL;
		if (modules == NULL) {
			return false;
		}
		if (path_under(gitdir, modules) && strcmp(gitdir, modules) != 0) {
			return true;
		}
	}
	return false;
}

static int
add_root(struct compile *c, const char *real)
{
	const char **slot =
		arena_push(c->arena, &c->git_roots.items, &c->git_roots.count, sizeof(*slot));

	if (slot == NULL) {
		return compile_nomem(c);
	}
	*slot = real;
	return BAILEY_OK;
}

/* `file`, in `dir`, has no symlink in it. */
static int
serve(struct compile *c, const char *dir, const char *file, const struct git_file *git)
{
	const char *gitdir = real_dir(c, git->gitdir);
	const char *common = gitdir != NULL ? real_dir(c, git->common) : NULL;
	int rc = BAILEY_OK;

	if (common != NULL && is_worktree_of(c, gitdir, common, file)) {
		rc = add_root(c, gitdir);
		return rc == BAILEY_OK ? add_root(c, common) : rc;
	}
	if (gitdir != NULL && is_submodule_in(c, gitdir, dir)) {
		rc = add_root(c, gitdir);
	}
	return rc;
}

int
git_file_read(struct compile *c, const char *dir, const char *file, struct git_file *out)
{
	static const char key[] = "gitdir: ";
	char *line = c->fs->first_line(c->fs->data, c->arena, file);
	int rc = BAILEY_OK;

	*out = (struct git_file){ NULL, NULL };
	if (line == NULL || strncmp(line, key, sizeof(key) - 1) != 0) {
		return BAILEY_OK;
	}
	out->gitdir = path_normalize(c->arena, dir, line + sizeof(key) - 1);
	if (out->gitdir == NULL) {
		return compile_nomem(c);
	}
	out->common = path_in_file(c, out->gitdir, "commondir");
	if (c->policy->protect_git == PROTECT_GIT_HOOKS) {
		rc = serve(c, dir, file, out);
	}
	return c->arena->failed ? compile_nomem(c) : rc;
}

/* ---- the parts that run code ------------------------------------------------------------- */

static int
carve_part(struct compile *c, const char *gitdir, const char *part)
{
	char *path = path_join(c->arena, gitdir, part);
	enum fs_type type = path != NULL ? c->fs->type(c->fs->data, path) : FS_MISSING;

	return path != NULL ? carve_exact(c, path, path_base(part), type != FS_MISSING)
			    : compile_nomem(c);
}

struct git_scan {
	const char *gitdir;
	const char **queue; /* directories, relative to it */
	size_t queued;
	size_t budget;
};

static int
queue_dir(struct compile *c, struct git_scan *scan, const char *rest)
{
	const char **slot = arena_push(c->arena, &scan->queue, &scan->queued, sizeof(*slot));

	if (slot == NULL || rest == NULL) {
		return compile_nomem(c);
	}
	*slot = rest;
	return BAILEY_OK;
}

static bool
is_store(const char *name)
{
	return strcmp(name, "objects") == 0 || strcmp(name, "refs") == 0 ||
	       strcmp(name, "logs") == 0 || strcmp(name, "lfs") == 0;
}

static unsigned int
depth_of(const char *rest)
{
	unsigned int depth = 0;

	for (; *rest != '\0'; rest++) {
		depth += *rest == '/';
	}
	return depth;
}

/* Carves out what is protected in one directory below modules/ or worktrees/, queues the rest. */
static int
scan_dir(struct compile *c, struct git_scan *scan, const char *rest)
{
	char *path = path_join(c->arena, scan->gitdir, rest);
	struct fs_entry *entries = NULL;
	size_t count = 0;
	int rc = BAILEY_OK;

	if (path == NULL || !c->fs->list(c->fs->data, c->arena, path, &entries, &count)) {
		return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
	}
	scan->budget -= count < scan->budget ? count : scan->budget;
	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		char *at = path_join(c->arena, rest, entries[i].name);

		if (at == NULL) {
			return compile_nomem(c);
		}
		if (git_part_is_protected(PROTECT_GIT_HOOKS, at)) {
			rc = carve_part(c, scan->gitdir, at);
		} else if (entries[i].type == FS_DIR && !is_store(entries[i].name) &&
			   depth_of(at) < SCAN_DEPTH_MAX) {
			rc = queue_dir(c, scan, at);
		}
	}
	return rc;
}

int
carve_git_parts(struct compile *c, const char *gitdir)
{
	static const char *const parts[] = { "hooks", "config", "config.worktree", "commondir",
					     "info/attributes" };
	struct git_scan scan = { .gitdir = gitdir, .budget = SCAN_ENTRIES_MAX };
	int rc = BAILEY_OK;

	for (size_t i = 0; i < COUNT_OF(parts) && rc == BAILEY_OK; i++) {
		rc = carve_part(c, gitdir, parts[i]);
	}
	if (rc == BAILEY_OK) {
		rc = queue_dir(c, &scan, "modules");
	}
	if (rc == BAILEY_OK) {
		rc = queue_dir(c, &scan, "worktrees");
	}
	for (size_t i = 0; i < scan.queued && scan.budget > 0 && rc == BAILEY_OK; i++) {
		rc = scan_dir(c, &scan, scan.queue[i]);
	}
	return rc;
}
