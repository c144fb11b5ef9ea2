/* SPDX-License-Identifier: MIT */

/*
 * Grants: the Landlock rules that let a run at what the policy allows.
 *
 * Invariants:
 *   - no rule is put on a carve-out, above one (but the bare listing of names), or on a symlink
 *   - every rule's path is absolute and resolved
 */

#include "base/attr.h"
#include "base/path.h"
#include "plan/compile.h"
#include "plan/rights.h"

#include <string.h>

static const char *const loaders[] = {
	"/lib64/ld-linux-x86-64.so.2",
	"/lib/ld-linux-aarch64.so.1",
	"/lib/ld-musl-x86_64.so.1",
	"/lib/ld-musl-aarch64.so.1",
};

/* ---- rules ------------------------------------------------------------------------------- */

struct plan_rule *
grant_exact(struct compile *c, const char *path, uint64_t access, enum plan_reason why)
{
	struct plan *plan = c->plan;
	struct plan_rule *rule;

	if (plan->rule_count >= PLAN_RULES_MAX) {
		(void)bailey_fail(
			c->err, BAILEY_E_LIMIT,
			"the policy needs more than %d rules: too many entries beside the "
			"paths that are kept out; name narrower roots",
			PLAN_RULES_MAX);
		return NULL;
	}
	rule = arena_push(c->arena, &plan->rules, &plan->rule_count, sizeof(*rule));
	if (rule == NULL) {
		(void)compile_nomem(c);
		return NULL;
	}
	rule->path = path;
	rule->why = why;
	rule->directory = c->fs->type(c->fs->data, path) == FS_DIR;
	rule->access = (rule->directory ? access : access & RIGHTS_ON_FILES) & plan->handled_fs;
	return rule;
}

static int
add_rule(struct compile *c, const struct fs_entry *at, uint64_t access, enum plan_reason why)
{
	struct plan *plan = c->plan;
	struct plan_rule *rule;

	access &= plan->handled_fs;
	if (at->type != FS_DIR) {
		access &= RIGHTS_ON_FILES;
	}
	if (access == 0) {
		return BAILEY_OK;
	}
	if (plan->rule_count >= PLAN_RULES_MAX) {
		(void)grant_exact(c, at->name, access, why); /* records the error */
		return BAILEY_E_LIMIT;
	}
	rule = arena_push(c->arena, &plan->rules, &plan->rule_count, sizeof(*rule));
	if (rule == NULL) {
		return compile_nomem(c);
	}
	rule->path = at->name;
	rule->access = access;
	rule->why = why;
	rule->directory = at->type == FS_DIR;
	return BAILEY_OK;
}

/* Queues the children of a directory above a carve-out. Symlinks lead elsewhere: no rule. */
static int
queue_children(struct compile *c, const char *path, struct fs_entry **queue, size_t *queued)
{
	struct known_dir *dir = dirs_get(c, path);

	if (dir == NULL || !dirs_list(c, dir)) {
		return c->arena->failed ? compile_nomem(c) : BAILEY_OK;
	}
	for (size_t i = 0; i < dir->count; i++) {
		const struct fs_entry *entry = &dir->entries[i];
		struct fs_entry *next;

		if (entry->type == FS_LINK || entry->type == FS_MISSING) {
			continue;
		}
		next = arena_push(c->arena, queue, queued, sizeof(*next));
		if (next == NULL) {
			return compile_nomem(c);
		}
		next->name = path_join(c->arena, path, entry->name);
		next->type = entry->type;
		if (next->name == NULL) {
			return compile_nomem(c);
		}
	}
	return BAILEY_OK;
}

/* One step of a walk: a rule on `at`, or its children onto the queue, or nothing. */
static int
grant_at(struct compile *c, const struct fs_entry *at, uint64_t access, enum plan_reason why,
	 struct fs_entry **queue, size_t *queued)
{
	uint64_t left = access & ~carved_away(c->plan, at->name, NULL);
	bool writes = (access & LL_WRITE_FILE) != 0;

	if (writes && served_at(c, at->name)) {
		return BAILEY_OK; /* nothing is written in a served root but by the broker */
	}
	if (at->type == FS_DIR &&
	    (carved_below(c->plan, at->name, left) || (writes && served_below(c, at->name)))) {
		return queue_children(c, at->name, queue, queued);
	}
	return add_rule(c, at, left, why);
}

int
grant_tree(struct compile *c, const char *root, uint64_t access, enum plan_reason why)
{
	struct fs_entry *queue = NULL;
	size_t queued = 0;
	struct fs_entry *first = arena_push(c->arena, &queue, &queued, sizeof(*first));

	if (first == NULL) {
		return compile_nomem(c);
	}
	first->name = root;
	first->type = c->fs->type(c->fs->data, root);
	for (size_t i = 0; i < queued; i++) {
		struct fs_entry at = queue[i]; /* the queue may move */
		int rc = grant_at(c, &at, access, why, &queue, &queued);

		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

/* ---- what the policy lets in -------------------------------------------------------------- */

/* A path that somebody wrote: absolute, resolved, there. NULL: an error is recorded. */
static const char *
named_root(struct compile *c, const char *written, const char *what)
{
	const struct plan_request *request = c->request;
	char *path = path_expand(c->arena, request->home, request->cwd, written);
	char *real = path != NULL ? c->fs->resolve(c->fs->data, c->arena, path) : NULL;

	if (path == NULL) {
		(void)compile_nomem(c);
	} else if (real == NULL) {
		(void)bailey_fail_sys(c->err, errno, "cannot resolve the %s '%s'", what, written);
	} else if (c->fs->type(c->fs->data, real) == FS_MISSING) {
		(void)bailey_fail(c->err, BAILEY_E_NOT_FOUND,
				  "the %s '%s' does not exist; make it first or leave it out", what,
				  written);
		return NULL;
	}
	return real;
}

static int
grant_named(struct compile *c, const struct strings *names, uint64_t access, const char *what,
	    enum plan_reason why)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *path = named_root(c, names->items[i], what);
		int rc = path != NULL ? grant_tree(c, path, access, why) : BAILEY_E_NOT_FOUND;

		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

/* Paths that a system may or may not have; those that are there. */
static int
grant_known(struct compile *c, const char *const *paths, size_t count, uint64_t access,
	    enum plan_reason why)
{
	for (size_t i = 0; i < count; i++) {
		char *real = c->fs->resolve(c->fs->data, c->arena, paths[i]);
		int rc;

		if (real == NULL || c->fs->type(c->fs->data, real) == FS_MISSING) {
			continue;
		}
		rc = grant_tree(c, real, access, why);
		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

/* What reading a place means: its files, its names and, unless exec_roots say where, running. */
static uint64_t
read_access(const struct bailey_policy *policy)
{
	return RIGHTS_READ | (policy->exec_roots.count == 0 ? LL_EXECUTE : 0);
}

/*
 * Reading. READ_DIR alone goes on the root: names stay visible, as stat(2) shows them anyway, and
 * `ls` of a directory above a carve-out works. hide_names withholds it there.
 */
int
grant_reads(struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	bool everything = policy->read_roots.count == 0;
	uint64_t access = read_access(policy);
	int rc;

	if (everything) {
		if (!policy->hide_names) {
			access &= ~LL_READ_DIR;
			if (grant_exact(c, "/", LL_READ_DIR, WHY_ANCESTOR) == NULL) {
				return BAILEY_E_LIMIT;
			}
		}
		rc = grant_tree(c, "/", access, WHY_SYSTEM);
	} else {
		const char *working[] = { c->request->cwd };
		const struct strings cwd = { working, 1 };

		rc = grant_known(c, policy_system_roots, policy_system_root_count, access,
				 WHY_SYSTEM);
		if (rc == BAILEY_OK) {
			rc = grant_named(c, &policy->read_roots, access, "readable root",
					 WHY_READ_ROOT);
		}
		if (rc == BAILEY_OK) {
			rc = grant_named(c, &cwd, access, "working directory", WHY_READ_ROOT);
		}
	}
	if (rc == BAILEY_OK && policy->exec_roots.count > 0) {
		rc = grant_known(c, loaders, COUNT_OF(loaders), LL_EXECUTE, WHY_EXEC_ROOT);
	}
	if (rc == BAILEY_OK) {
		rc = grant_named(c, &policy->exec_roots, LL_EXECUTE, "executable root",
				 WHY_EXEC_ROOT);
	}
	return rc;
}

/* May this directory be granted for writing at all? */
static int
check_root(struct compile *c, const char *written, const char *path)
{
	const struct carve_out *by = NULL;

	if (strcmp(path, "/") == 0) {
		return bailey_fail(c->err, BAILEY_E_INVALID,
				   "the writable root '%s' is the whole file system; name "
				   "directories, or use the policy danger_full_access",
				   written);
	}
	if ((carved_away(c->plan, path, &by) & LL_WRITE_FILE) != 0 && by->why != WHY_DEVICE) {
		return bailey_fail(
			c->err, BAILEY_E_INVALID,
			"the writable root '%s' lies in '%s', which the policy keeps out; "
			"leave one of the two out",
			written, by->name);
	}
	return BAILEY_OK;
}

static int
add_write_root(struct compile *c, const char *path)
{
	struct strings *roots = &c->plan->write_roots;
	const char **slot;

	for (size_t i = 0; i < roots->count; i++) {
		if (strcmp(roots->items[i], path) == 0) {
			return BAILEY_OK;
		}
	}
	slot = arena_push(c->arena, &roots->items, &roots->count, sizeof(*slot));
	if (slot == NULL) {
		return compile_nomem(c);
	}
	*slot = path;
	return BAILEY_OK;
}

/* The writable roots of the policy, resolved and checked, into plan->write_roots. */
static int
collect_roots(struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	const char *extra[2] = { policy->exclude_slash_tmp ? NULL : "/tmp",
				 policy->exclude_tmpdir_env_var ? NULL : c->request->tmpdir };
	int rc = BAILEY_OK;

	for (size_t i = 0; i <= policy->writable_roots.count && rc == BAILEY_OK; i++) {
		const char *written =
			i == 0 ? c->request->cwd : policy->writable_roots.items[i - 1];
		const char *path =
			named_root(c, written, i == 0 ? "working directory" : "writable root");

		if (path == NULL) {
			return BAILEY_E_NOT_FOUND;
		}
		rc = check_root(c, written, path);
		rc = rc == BAILEY_OK ? add_write_root(c, path) : rc;
	}
	c->named_root_count = c->plan->write_roots.count;
	for (size_t i = 0; i < COUNT_OF(extra) && rc == BAILEY_OK; i++) {
		char *path =
			extra[i] != NULL ? c->fs->resolve(c->fs->data, c->arena, extra[i]) : NULL;

		if (path != NULL && c->fs->type(c->fs->data, path) == FS_DIR &&
		    strcmp(path, "/") != 0) {
			rc = add_write_root(c, path);
		}
	}
	return rc;
}

/* One writable root: served by the broker, or granted as it is. */
static int
grant_root(struct compile *c, const char *root)
{
	uint64_t access = RIGHTS_WRITE | (c->plan->filter.unix_sockets ? LL_MAKE_SOCK : 0);
	int rc;

	/* A root in /dev, such as /dev/shm, was named: /dev's own carve-out yields. */
	if (path_under(root, "/dev")) {
		return grant_exact(c, root, access | RIGHTS_READ, WHY_WRITE_ROOT) != NULL
			       ? BAILEY_OK
			       : BAILEY_E_LIMIT;
	}
	rc = grant_tree(c, root, access, WHY_WRITE_ROOT);
	if (rc == BAILEY_OK && c->policy->read_roots.count > 0) {
		rc = grant_tree(c, root, read_access(c->policy), WHY_WRITE_ROOT);
	}
	return rc;
}

int
grant_writes(struct compile *c)
{
	const struct strings *roots = &c->plan->write_roots;
	size_t before = c->plan->carve_out_count;
	int rc;

	if (c->policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		return BAILEY_OK;
	}
	rc = collect_roots(c);
	/* Temp directories are not searched: what others unpacked there would close them. */
	for (size_t i = 0; i < c->named_root_count && rc == BAILEY_OK; i++) {
		rc = carve_protected(c, roots->items[i]);
	}
	if (rc == BAILEY_OK && c->plan->carve_out_count > before) {
		rc = carve_mounts(c);
	}
	carve_sort(c->plan);
	if (rc == BAILEY_OK) {
		rc = broker_serve(c);
	}
	for (size_t i = 0; i < roots->count && rc == BAILEY_OK; i++) {
		rc = grant_root(c, roots->items[i]);
	}
	return rc;
}

/* ---- devices ----------------------------------------------------------------------------- */

static int
grant_device(struct compile *c, const char *path)
{
	struct fs_entry at = { path, path != NULL ? c->fs->type(c->fs->data, path) : FS_MISSING };

	if (at.type == FS_LINK) {
		at.name = c->fs->resolve(c->fs->data, c->arena, path);
		at.type = at.name != NULL ? c->fs->type(c->fs->data, at.name) : FS_MISSING;
	}
	if (at.type == FS_MISSING) {
		return BAILEY_OK;
	}
	return add_rule(c, &at, RIGHTS_DEVICE | LL_READ_DIR, WHY_DEVICE);
}

static int
grant_group(struct compile *c, const char *group)
{
	struct fs_entry *entries = NULL;
	size_t count = 0;
	bool known = false;

	(void)c->fs->list(c->fs->data, c->arena, "/dev", &entries, &count);
	for (size_t g = 0; g < policy_device_group_count; g++) {
		const struct device_group *row = &policy_device_groups[g];

		if (strcmp(row->name, group) != 0) {
			continue;
		}
		known = true;
		for (size_t i = 0; i < count; i++) {
			char *path = path_join(c->arena, "/dev", entries[i].name);

			if (path == NULL) {
				return compile_nomem(c);
			}
			if (strncmp(path, row->prefix, strlen(row->prefix)) == 0 &&
			    grant_device(c, path) != BAILEY_OK) {
				return BAILEY_E_LIMIT;
			}
		}
	}
	if (!known) {
		return bailey_fail(c->err, BAILEY_E_INVALID,
				   "unknown device group '%s'; known are gpu, kvm, fuse and pty",
				   group);
	}
	return BAILEY_OK;
}

/*
 * Landlock cannot name a pseudo-terminal before it exists, only the directory of all: whoever may
 * make one may open the user's other terminals too, and take what is typed there. So all are opened
 * only when there are no others, or by name.
 */
static int
grant_terminals(struct compile *c)
{
	static const struct terminals unknown = { .others = true };
	const struct terminals *terminals =
		c->request->terminals != NULL ? c->request->terminals : &unknown;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < terminals->own.count && rc == BAILEY_OK; i++) {
		rc = grant_device(c, arena_strdup(c->arena, terminals->own.items[i]));
	}
	if (rc != BAILEY_OK || policy_has_device_group(c->policy, "pty")) {
		plan_note(c->plan, BY_NOTHING, "pseudo-terminals", NULL,
			  "every terminal of the user can be opened (--device pty)");
		return rc; /* the group is granted with the others */
	}
	if (terminals->others) {
		plan_note(c->plan, BY_LANDLOCK, "pseudo-terminals", "--device pty",
			  "no pseudo-terminals can be opened, since the user's other terminals "
			  "would be open with them");
		return rc;
	}
	plan_note(c->plan, BY_NOTHING, "pseudo-terminals", NULL,
		  "pseudo-terminals can be opened, the user having no other terminal now; one that "
		  "is opened during the run is within reach");
	for (size_t i = 0; i < policy_device_group_count && rc == BAILEY_OK; i++) {
		if (strcmp(policy_device_groups[i].name, "pty") == 0) {
			rc = grant_device(c, policy_device_groups[i].prefix);
		}
	}
	return rc;
}

int
grant_devices(struct compile *c)
{
	int rc = grant_terminals(c);

	for (size_t i = 0; i < policy_device_count && rc == BAILEY_OK; i++) {
		rc = grant_device(c, policy_devices[i]);
	}
	for (size_t i = 0; i < c->policy->devices.count && rc == BAILEY_OK; i++) {
		rc = grant_group(c, c->policy->devices.items[i]);
	}
	return rc;
}
