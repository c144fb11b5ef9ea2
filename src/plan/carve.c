/* SPDX-License-Identifier: MIT */

/*
 * Carve-outs: paths that are kept out of what would otherwise be granted. Landlock can only allow,
 * so a carve-out is enforced by granting around it (grant.c); here they are found.
 *
 * Invariants:
 *   - a carve-out's path is absolute and has no symlink in it, as far as it exists
 *   - carve_sort() has been called since the last was added whenever one is asked for
 *   - one that does not exist still counts: nothing above it is granted as a whole, so it stays
 *     out of reach when it appears later
 */

#include "base/attr.h"
#include "base/path.h"
#include "plan/compile.h"
#include "plan/rights.h"

#include <string.h>
#include <strings.h>

#define SCAN_DEPTH_MAX 3U      /* directories below a writable root that are searched */
#define SCAN_ENTRIES_MAX 8192U /* directory entries looked at, for all roots together */

/* Directories that hold other people's code by the thousand and no repository of the user. */
static const char *const scan_skips[] = {
	"node_modules", "target", "build",  "dist",	     "vendor",	"venv",	 ".venv",
	"__pycache__",	".tox",	  ".cache", "site-packages", ".gradle", ".next",
};

struct carve_request {
	const char *name; /* as written */
	bool block_read;
	bool block_write;
	enum plan_reason why;
};

/* ---- asking ------------------------------------------------------------------------------ */

static uint64_t
taken_by(const struct carve_out *carve)
{
	uint64_t taken = 0;

	if (carve->block_read) {
		taken |= RIGHTS_READ | LL_EXECUTE;
	}
	if (carve->block_write) {
		taken |= RIGHTS_WRITE;
	}
	return taken;
}

/*
 * Sorted by path, so that a path's carve-outs are found by a binary search for each of its own
 * prefixes, and those below a directory stand together.
 */
static int
by_path(const void *a, const void *b)
{
	const struct carve_out *left = a;
	const struct carve_out *right = b;

	return strcmp(left->path, right->path);
}

void
carve_sort(struct plan *plan)
{
	size_t kept = 0;

	if (plan->carve_out_count > 0) {
		qsort(plan->carve_outs, plan->carve_out_count, sizeof(*plan->carve_outs), by_path);
	}
	for (size_t i = 0; i < plan->carve_out_count; i++) {
		struct carve_out *last = kept > 0 ? &plan->carve_outs[kept - 1] : NULL;
		const struct carve_out *carve = &plan->carve_outs[i];

		if (last != NULL && strcmp(last->path, carve->path) == 0) {
			last->block_read |= carve->block_read;
			last->block_write |= carve->block_write;
			continue;
		}
		plan->carve_outs[kept++] = *carve;
	}
	plan->carve_out_count = kept;
}

/* The first carve-out whose path is not before the `len` bytes of `path` with `last` behind. */
static size_t
lower_bound(const struct plan *plan, const char *path, size_t len, char last)
{
	size_t low = 0;
	size_t high = plan->carve_out_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *at = plan->carve_outs[middle].path;
		int order = strncmp(at, path, len);

		if (order == 0) {
			order = (unsigned char)at[len] - (unsigned char)last;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static const struct carve_out *
exactly_at(const struct plan *plan, const char *path, size_t len)
{
	size_t i = lower_bound(plan, path, len, '\0');
	const struct carve_out *carve = &plan->carve_outs[i];

	if (i >= plan->carve_out_count || strncmp(carve->path, path, len) != 0 ||
	    carve->path[len] != '\0') {
		return NULL;
	}
	return carve;
}

uint64_t
carved_away(const struct plan *plan, const char *path, const struct carve_out **by)
{
	uint64_t taken = 0;
	size_t len = 0;

	/* "/", then each longer prefix that ends before a slash, then the whole. */
	do {
		const struct carve_out *carve;

		len = len == 0 ? 1 : len + (len > 1) + strcspn(path + len + (len > 1), "/");
		carve = exactly_at(plan, path, len);
		if (carve != NULL) {
			if (by != NULL && (taken_by(carve) & ~taken) != 0) {
				*by = carve;
			}
			taken |= taken_by(carve);
		}
	} while (path[len] != '\0');
	return taken;
}

bool
carved_below(const struct plan *plan, const char *path, uint64_t access)
{
	size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);

	for (size_t i = lower_bound(plan, path, len, '/'); i < plan->carve_out_count; i++) {
		const struct carve_out *carve = &plan->carve_outs[i];

		if (strncmp(carve->path, path, len) != 0 || carve->path[len] != '/') {
			break;
		}
		if ((taken_by(carve) & access) != 0 && carve->path[len + 1] != '\0') {
			return true;
		}
	}
	return false;
}

/* ---- adding ------------------------------------------------------------------------------ */

static int
add(struct compile *c, const char *path, const struct carve_request *what)
{
	struct plan *plan = c->plan;
	enum fs_type type = FS_MISSING;
	char *real = dirs_resolve(c, path, &type);
	struct carve_out *carve;

	if (real == NULL && errno == EACCES) {
		/* Behind a directory that this user may not search: out of reach already. */
		real = arena_strdup(c->arena, path);
	}
	if (real == NULL) {
		return bailey_fail_sys(c->err, errno,
				       "cannot resolve '%s', which is to be kept out", path);
	}
	carve = arena_push(c->arena, &plan->carve_outs, &plan->carve_out_count, sizeof(*carve));
	if (carve == NULL) {
		return compile_nomem(c);
	}
	*carve = (struct carve_out){
		.path = real,
		.name = arena_strdup(c->arena, what->name),
		.block_read = what->block_read,
		.block_write = what->block_write,
		.why = what->why,
		.exists = type != FS_MISSING,
	};
	return carve->name != NULL ? BAILEY_OK : compile_nomem(c);
}

static int
add_written(struct compile *c, const struct carve_request *what)
{
	const struct plan_request *request = c->request;
	char *path;
	int rc;

	if (what->name[0] == '~' && request->home == NULL) {
		return bailey_fail(c->err, BAILEY_E_INVALID,
				   "'%s' names the home directory, but HOME is not known; set HOME",
				   what->name);
	}
	path = path_expand(c->arena, request->home, request->cwd, what->name);
	rc = path != NULL ? add(c, path, what) : compile_nomem(c);
	if (rc == BAILEY_OK && what->name[0] == '~' && request->user_home != NULL) {
		/* Whoever sets HOME does not move the user's credentials. */
		path = path_expand(c->arena, request->user_home, request->cwd, what->name);
		rc = path != NULL ? add(c, path, what) : compile_nomem(c);
	}
	return rc;
}

int
carve_private(struct compile *c)
{
	static const struct carve_request devices = { "/dev", true, true, WHY_DEVICE };
	static const struct carve_request proc = { "/proc", true, true, WHY_DENY };
	size_t count = 0;
	const struct sensitive_path *sensitive = policy_sensitive(c->policy, &count);
	int rc = add(c, "/dev", &devices);

	if (rc == BAILEY_OK && c->policy->proc == PROC_NONE) {
		rc = add(c, "/proc", &proc);
	}
	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		struct carve_request what = { sensitive[i].path, sensitive[i].block_read,
					      sensitive[i].block_write, WHY_SENSITIVE };

		rc = add_written(c, &what);
	}
	for (size_t i = 0; i < c->policy->deny.count && rc == BAILEY_OK; i++) {
		struct carve_request what = { c->policy->deny.items[i], true, true, WHY_DENY };

		rc = add_written(c, &what);
	}
	return rc;
}

int
carve_exact(struct compile *c, const char *path, const char *name, bool exists)
{
	struct carve_out *carve = arena_push(c->arena, &c->plan->carve_outs,
					     &c->plan->carve_out_count, sizeof(*carve));

	if (carve == NULL) {
		return compile_nomem(c);
	}
	*carve = (struct carve_out){ .path = path,
				     .name = name,
				     .block_write = true,
				     .why = WHY_PROTECTED,
				     .exists = exists };
	return BAILEY_OK;
}

/* ---- protected names --------------------------------------------------------------------- */

static bool
is_git(const char *name)
{
	return strcasecmp(name, ".git") == 0;
}

/* Names are compared without case: on a case-folding file system ".GIT" is ".git". */
static bool
is_protected(const struct compile *c, const char *name)
{
	for (size_t i = 0; i < policy_protected_name_count; i++) {
		const char *known = policy_protected_names[i];

		if (strcasecmp(known, name) == 0) {
			return !(is_git(known) && c->policy->protect_git == PROTECT_GIT_NONE);
		}
	}
	for (size_t i = 0; i < c->policy->protected.count; i++) {
		if (strcasecmp(c->policy->protected.items[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* A `.git` directory, or what one names: kept out as a whole, or only what runs code. */
static int
add_git(struct compile *c, const char *path, const struct carve_request *what)
{
	enum fs_type type = FS_MISSING;
	char *real;

	if (c->policy->protect_git != PROTECT_GIT_HOOKS) {
		return add(c, path, what);
	}
	real = dirs_resolve(c, path, &type);
	if (real == NULL || type != FS_DIR) {
		return real != NULL || errno == EACCES ? add(c, path, what) : compile_nomem(c);
	}
	return carve_git_parts(c, real);
}

static int
add_gitdir(struct compile *c, const char *dir, const char *file, const struct carve_request *what)
{
	struct git_file git;
	int rc = git_file_read(c, dir, file, &git);

	if (rc == BAILEY_OK && git.gitdir != NULL) {
		rc = add_git(c, git.gitdir, what);
	}
	if (rc == BAILEY_OK && git.common != NULL) {
		rc = add_git(c, git.common, what);
	}
	return rc;
}

static int
add_protected(struct compile *c, const char *dir, const struct fs_entry *entry)
{
	struct carve_request what = { entry->name, false, true, WHY_PROTECTED };
	bool git = is_git(entry->name);
	char *path = path_join(c->arena, dir, entry->name);
	int rc;

	if (path == NULL) {
		return compile_nomem(c);
	}
	rc = git ? add_git(c, path, &what) : add(c, path, &what); /* of a symlink: its target */
	if (rc == BAILEY_OK && entry->type == FS_LINK) {
		/* The link itself: nothing above it may be granted, or it could be replaced. */
		rc = carve_exact(c, path, entry->name, true);
	}
	if (rc == BAILEY_OK && git && entry->type == FS_FILE) {
		rc = add_gitdir(c, dir, path, &what);
	}
	return rc;
}

struct scan_dir {
	const char *path;
	unsigned int depth;
};

static bool
worth_scanning(const struct fs_entry *entry)
{
	if (entry->type != FS_DIR) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(scan_skips); i++) {
		if (strcmp(scan_skips[i], entry->name) == 0) {
			return false;
		}
	}
	return true;
}

/* Looks at one directory: what is protected becomes a carve-out, what may hold more is queued. */
static int
scan_one(struct compile *c, const struct scan_dir *at, struct scan_dir **queue, size_t *queued,
	 size_t *budget)
{
	struct fs_entry *entries;
	size_t count;

	if (!c->fs->list(c->fs->data, c->arena, at->path, &entries, &count)) {
		return BAILEY_OK; /* what cannot be listed is not granted below either */
	}
	*budget -= count < *budget ? count : *budget;
	for (size_t i = 0; i < count; i++) {
		struct scan_dir *next;
		int rc;

		if (is_protected(c, entries[i].name)) {
			rc = add_protected(c, at->path, &entries[i]);
			if (rc != BAILEY_OK) {
				return rc;
			}
			continue;
		}
		if (at->depth >= SCAN_DEPTH_MAX || !worth_scanning(&entries[i])) {
			continue;
		}
		next = arena_push(c->arena, queue, queued, sizeof(*next));
		if (next == NULL) {
			return compile_nomem(c);
		}
		next->path = path_join(c->arena, at->path, entries[i].name);
		next->depth = at->depth + 1;
		if (next->path == NULL) {
			return compile_nomem(c);
		}
	}
	return BAILEY_OK;
}

int
carve_protected(struct compile *c, const char *root)
{
	struct scan_dir *queue = NULL;
	size_t queued = 0;
	size_t budget = SCAN_ENTRIES_MAX;
	struct scan_dir *first;

	if (!c->policy->protect) {
		return BAILEY_OK;
	}
	first = arena_push(c->arena, &queue, &queued, sizeof(*first));
	if (first == NULL) {
		return compile_nomem(c);
	}
	first->path = root;
	/* Breadth first: what is near the root is found even when the budget runs out. */
	for (size_t i = 0; i < queued; i++) {
		struct scan_dir at = queue[i];
		int rc;

		if (budget == 0 && at.depth > 0) {
			plan_gap(c->plan, BY_NOTHING, "protected-scan-stopped", NULL,
				 "the search for protected names in '%s' stopped after %u entries",
				 root, SCAN_ENTRIES_MAX);
			break;
		}
		rc = scan_one(c, &at, &queue, &queued, &budget);
		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}
