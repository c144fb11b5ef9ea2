/* SPDX-License-Identifier: MIT */

/*
 * What the broker holds of a policy: which of its parts this run needs, which roots it serves and
 * which names it protects in them. Without a broker the plan stays with what the kernel holds by
 * itself, and the rest becomes gap notes or errors (notes.c, kernel.c).
 */

#include "plan/compile.h"

#include "base/attr.h"
#include "base/path.h"
#include "plan/rights.h"

#include <string.h>
#include <strings.h>

#define SHM_DIR "/dev/shm"

/* ---- is there one? ----------------------------------------------------------------------- */

const char *
broker_excluded(const struct compile *c)
{
	const struct plan_filter *filter = &c->plan->filter;

	if (c->request->no_broker) {
		return "leave out --no-broker";
	}
	if (c->request->in_place) {
		return "leave out --in-place, which leaves nobody behind to be it";
	}
	if (filter->namespaces) {
		return "do not allow namespaces (seccomp_profile.allow_namespaces), in which it "
		       "would not find its way";
	}
	if (filter->log_only) {
		return "do not only log (seccomp_profile.log_only), since nothing is asked of it "
		       "then";
	}
	return NULL;
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Landlock has to refuse the connections that the broker does not make itself. */
static bool
can_hold_loopback(const struct compile *c)
{
	uint64_t needed = LL_NET_BIND_TCP | LL_NET_CONNECT_TCP;

	return (c->request->host->landlock_net & needed) == needed;
}

static bool
has_scope(const struct compile *c, uint64_t scope)
{
	return (c->request->host->landlock_scope & scope) != 0;
}

/* By its scopes the broker tells the command's processes and abstract sockets from others'. */
static unsigned int
socket_parts(const struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	bool workspace = policy->type == BAILEY_POLICY_WORKSPACE_WRITE;
	unsigned int parts = 0;

	if ((workspace || policy->unix_sockets.count > 0) && !c->plan->filter.unix_sockets &&
	    has_scope(c, LL_SCOPE_ABSTRACT_UNIX)) {
		parts |= PART_UNIX;
	}
	if (!c->plan->network && !c->request->no_inet && policy_own_loopback(policy) &&
	    can_hold_loopback(c)) {
		parts |= PART_LOOPBACK;
	}
	return parts;
}

static bool
serves_shm(const struct compile *c)
{
	return c->fs->type(c->fs->data, SHM_DIR) == FS_DIR;
}

static unsigned int
workspace_parts(const struct compile *c)
{
	unsigned int parts = PART_METADATA;

	if (has_scope(c, LL_SCOPE_SIGNAL)) {
		parts |= PART_PROCESSES;
	}
	if (serves_shm(c)) {
		parts |= PART_SHM;
	}
	if (c->plan->limits.max_pids > 0 && c->request->exact_pids) {
		parts |= PART_TASKS;
	}
	return parts;
}

/* What the filter passes because the broker is asked about it. */
static void
open_filter(struct plan *plan)
{
	struct plan_filter *filter = &plan->filter;
	unsigned int parts = plan->broker.parts;

	filter->notify = parts;
	if ((parts & PART_METADATA) != 0) {
		filter->metadata = true;
	}
	if ((parts & PART_UNIX) != 0) {
		filter->unix_sockets = true;
	}
	if ((parts & PART_LOOPBACK) != 0) {
		filter->loopback = true;
	}
}

static int
push(struct compile *c, struct strings *list, const char *text)
{
	const char **slot;

	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0) {
			return BAILEY_OK;
		}
	}
	slot = arena_push(c->arena, &list->items, &list->count, sizeof(*slot));
	if (slot == NULL) {
		return compile_nomem(c);
	}
	*slot = arena_strdup(c->arena, text);
	return *slot != NULL ? BAILEY_OK : compile_nomem(c);
}

/* Paths of sockets, as far as they can be resolved now: one that appears later counts too. */
static int
resolve_sockets(struct compile *c)
{
	const struct strings *sockets = &c->policy->unix_sockets;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < sockets->count && rc == BAILEY_OK; i++) {
		const char *written = sockets->items[i];
		char *path = path_expand(c->arena, c->request->home, c->request->cwd, written);
		char *real = path != NULL ? c->fs->resolve(c->fs->data, c->arena, path) : NULL;

		if (path == NULL) {
			return compile_nomem(c);
		}
		if (real == NULL) {
			return bailey_fail_sys(c->err, errno, "cannot resolve the unix socket '%s'",
					       written);
		}
		rc = push(c, &c->plan->broker.unix_paths, real);
	}
	return rc;
}

int
broker_choose(struct compile *c)
{
	struct plan_broker *broker = &c->plan->broker;

	broker->any_unix = c->plan->filter.unix_sockets;
	if (broker_excluded(c) != NULL) {
		return BAILEY_OK;
	}
	broker->parts = socket_parts(c);
	if (c->policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		broker->parts |= workspace_parts(c);
	}
	open_filter(c->plan);
	return (broker->parts & PART_UNIX) != 0 ? resolve_sockets(c) : BAILEY_OK;
}

/* ---- served roots ------------------------------------------------------------------------ */

static int
add_names(struct compile *c)
{
	struct strings *names = &c->plan->broker.protected;
	bool git = c->policy->protect_git != PROTECT_GIT_NONE;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < policy_protected_name_count && rc == BAILEY_OK; i++) {
		if (git || strcmp(policy_protected_names[i], ".git") != 0) {
			rc = push(c, names, policy_protected_names[i]);
		}
	}
	for (size_t i = 0; i < c->policy->protected.count && rc == BAILEY_OK; i++) {
		rc = push(c, names, c->policy->protected.items[i]);
	}
	return rc;
}

/* Is something kept out below one of the named roots? */
static bool
carved_in_roots(const struct compile *c, uint64_t access)
{
	for (size_t i = 0; i < c->named_root_count; i++) {
		if (carved_below(c->plan, c->plan->write_roots.items[i], access)) {
			return true;
		}
	}
	return false;
}

static bool
any_holds(const struct strings *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++) {
		if (path_under(path, roots->items[i])) {
			return true;
		}
	}
	return false;
}

bool
served_at(const struct compile *c, const char *path)
{
	return any_holds(&c->served_names, path);
}

bool
served_below(const struct compile *c, const char *path)
{
	for (size_t i = 0; i < c->served_names.count; i++) {
		const char *name = c->served_names.items[i];

		if (path_under(name, path) && strcmp(name, path) != 0) {
			return true;
		}
	}
	return false;
}

static int
add_root(struct compile *c, const char *root)
{
	int rc = push(c, &c->plan->broker.roots, root);

	if (rc == BAILEY_OK) {
		rc = push(c, &c->served_names, root);
	}
	return rc == BAILEY_OK ? mounts_names(c, root, &c->served_names) : rc;
}

/*
 * The named roots, and the repositories of worktrees. A temp directory that holds a served root is
 * served as well: what Landlock grants on a directory it grants on all below, and in a served root
 * nothing may be made but by the broker.
 */
static int
add_roots(struct compile *c)
{
	const struct strings *roots = &c->plan->write_roots;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < c->git_roots.count && rc == BAILEY_OK; i++) {
		rc = add_root(c, c->git_roots.items[i]);
	}
	for (size_t i = 0; i < roots->count && rc == BAILEY_OK; i++) {
		const char *root = roots->items[i];

		/* A root in /dev is left to the kernel: it was named against /dev's carve-out. */
		if (c->fs->type(c->fs->data, root) == FS_DIR && !path_under(root, "/dev") &&
		    (i < c->named_root_count || served_below(c, root))) {
			rc = add_root(c, root);
		}
	}
	return rc;
}

/* Who may write all of /dev/shm needs nobody to serve names in it. */
static void
leave_shm(struct plan *plan)
{
	for (size_t i = 0; i < plan->write_roots.count; i++) {
		if (path_under(SHM_DIR, plan->write_roots.items[i])) {
			plan->broker.parts &= ~PART_SHM;
		}
	}
}

int
broker_serve(struct compile *c)
{
	struct plan *plan = c->plan;
	struct plan_broker *broker = &plan->broker;
	bool protect = c->policy->protect;
	int rc = BAILEY_OK;

	if (broker_excluded(c) != NULL) {
		return BAILEY_OK;
	}
	leave_shm(plan);
	if (protect || carved_in_roots(c, RIGHTS_WRITE)) {
		broker->parts |= PART_FILES;
		broker->git_hooks = protect && c->policy->protect_git == PROTECT_GIT_HOOKS;
		rc = add_roots(c);
	}
	if (rc == BAILEY_OK && protect) {
		rc = add_names(c);
	}
	if (rc == BAILEY_OK && broker->roots.count > 0 && carved_in_roots(c, LL_READ_FILE)) {
		broker->parts |= PART_READS;
	}
	open_filter(plan);
	return rc;
}

/* ---- asking ------------------------------------------------------------------------------ */

static bool
component_is(const char *path, const char *name)
{
	size_t len = strcspn(path, "/");

	return len == strlen(name) && strncasecmp(path, name, len) == 0;
}

/* Does a protected name stand in `rest`, which is relative to a served root? */
static bool
has_protected_name(const struct plan_broker *broker, const char *rest)
{
	enum protect_git how = broker->git_hooks ? PROTECT_GIT_HOOKS : PROTECT_GIT_ALL;

	while (*rest != '\0') {
		const char *next = rest + strcspn(rest, "/");

		next += strspn(next, "/");
		for (size_t i = 0; i < broker->protected.count; i++) {
			const char *name = broker->protected.items[i];

			if (component_is(rest, name) &&
			    (strcmp(name, ".git") != 0 || git_part_is_protected(how, next))) {
				return true;
			}
		}
		rest = next;
	}
	return false;
}

bool
plan_serves(const struct plan *plan, const char *path)
{
	const struct plan_broker *broker = &plan->broker;
	bool served = false;

	for (size_t i = 0; i < broker->roots.count; i++) {
		const char *root = broker->roots.items[i];

		if (!path_under(path, root)) {
			continue;
		}
		if (has_protected_name(broker, path + strlen(root))) {
			return false;
		}
		served = true;
	}
	return served && (carved_away(plan, path, NULL) & LL_WRITE_FILE) == 0;
}

bool
plan_serves_reading(const struct plan *plan, const char *path)
{
	return (plan->broker.parts & PART_READS) != 0 && any_holds(&plan->broker.roots, path) &&
	       (carved_away(plan, path, NULL) & LL_READ_FILE) == 0;
}
