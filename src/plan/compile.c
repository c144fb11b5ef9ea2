/* SPDX-License-Identifier: MIT */

/*
 * From a policy to a plan. The order matters: what is kept out is known before anything is let in,
 * and what cannot be held is refused before both.
 */

#include "plan/compile.h"

#include "base/attr.h"
#include "base/path.h"
#include "plan/kernel.h"
#include "plan/rights.h"

#include <string.h>

static const char *const policy_names[] = {
	[BAILEY_POLICY_READ_ONLY] = "read_only",
	[BAILEY_POLICY_WORKSPACE_WRITE] = "workspace_write",
	[BAILEY_POLICY_DANGER_FULL_ACCESS] = "danger_full_access",
	[BAILEY_POLICY_EXTERNAL_SANDBOX] = "external_sandbox",
};

/* ---- strings that outlive the policy ------------------------------------------------------ */

static struct strings
copy_strings(struct compile *c, const struct strings *from)
{
	struct strings copy = { arena_array(c->arena, from->count, sizeof(*from->items)), 0 };

	for (size_t i = 0; i < from->count && copy.items != NULL; i++) {
		copy.items[i] = arena_strdup(c->arena, from->items[i]);
		copy.count = i + 1;
	}
	return copy;
}

/* ---- seccomp ------------------------------------------------------------------------------ */

static void
compile_filter(struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	struct seccomp_profile profile = policy_seccomp(policy);
	bool writes = policy->type == BAILEY_POLICY_WORKSPACE_WRITE;

	c->plan->network = policy->network_access && policy->allowlist_count == 0 &&
			   profile.allow_network_sockets && !c->request->no_inet;
	c->plan->filtered = true;
	c->plan->filter = (struct plan_filter){
		.mode = profile.mode,
		.strict = profile.strict,
		.blocked = copy_strings(c, &profile.blocked),
		.additional = copy_strings(c, &profile.additional),
		.allowed = copy_strings(c, &profile.allowed),
		.namespaces = profile.allow_namespaces,
		.inet = c->plan->network,
		.unix_sockets = policy_any_unix_socket(policy),
		.metadata = writes,
		.ipc = policy->ipc,
		.log_only = profile.log_only,
	};
}

/* ---- Landlock ----------------------------------------------------------------------------- */

/* A ruleset of this kernel's rights; those it lacks cannot be handled and are not granted. */
static void
handle_rights(struct compile *c)
{
	const struct host *host = c->request->host;

	c->plan->handled_fs = host->landlock_fs;
	c->plan->handled_net = c->plan->network ? 0 : host->landlock_net;
	c->plan->scoped = host->landlock_scope;
	if (c->plan->broker.any_unix) {
		c->plan->handled_fs &= ~LL_RESOLVE_UNIX;
	}
}

uint64_t
plan_granted(const struct plan *plan, const char *path)
{
	uint64_t granted = 0;

	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];

		if (strcmp(rule->path, path) == 0 ||
		    (rule->directory && path_under(path, rule->path))) {
			granted |= rule->access;
		}
	}
	return granted;
}

/* A policy that hides the program or the cwd would fail later with a bare "permission denied". */
static int
check_visible(struct compile *c)
{
	const struct plan_request *request = c->request;
	uint64_t run = (LL_READ_FILE | LL_EXECUTE) & c->plan->handled_fs;
	const struct carve_out *by = NULL;
	char *real;

	if ((carved_away(c->plan, c->plan->cwd, &by) & LL_READ_DIR) != 0) {
		return bailey_fail(
			c->err, BAILEY_E_INVALID,
			"the policy hides the working directory '%s': '%s' is kept out; run "
			"from another directory or leave that out",
			request->cwd, by->name);
	}
	if (request->program == NULL) {
		return BAILEY_OK;
	}
	real = c->fs->resolve(c->fs->data, c->arena, request->program);
	if (real == NULL || (run & ~plan_granted(c->plan, real)) == 0) {
		return BAILEY_OK; /* a program that is not there is the launcher's to report */
	}
	by = NULL;
	(void)carved_away(c->plan, real, &by);
	return bailey_fail(c->err, BAILEY_E_INVALID, "the policy hides the program '%s': %s%s%s",
			   real,
			   by != NULL ? "it lies in '"
				      : "no root that may be read and executed holds "
					"it",
			   by != NULL ? by->name : "", by != NULL ? "', which is kept out" : "");
}

static int
compile_landlock(struct compile *c)
{
	int rc = carve_private(c);

	if (rc == BAILEY_OK) {
		rc = carve_mounts(c);
	}
	carve_sort(c->plan);
	if (rc == BAILEY_OK) {
		rc = grant_reads(c);
	}
	if (rc == BAILEY_OK) {
		rc = grant_writes(c);
	}
	if (rc == BAILEY_OK) {
		rc = grant_devices(c);
	}
	if (rc == BAILEY_OK) {
		rc = grant_caches(c);
	}
	if (rc == BAILEY_OK) {
		rc = check_visible(c);
	}
	return rc;
}

/* ---- limits and what stays behind --------------------------------------------------------- */

static int
compile_stay(struct compile *c)
{
	struct plan *plan = c->plan;
	const struct limits *limits = &plan->limits;
	const char *why = NULL;

	plan->sampled = limits->max_memory_mb > 0 || limits->max_pids > 0 ||
			limits->max_disk_mb > 0 || limits->cpu_time_secs > 0;
	plan->private_tmp = policy_private_tmp(c->policy);
	plan->stay = !c->request->in_place;
	if (!c->request->in_place) {
		return BAILEY_OK;
	}
	if (limits->timeout_secs > 0) {
		why = "a timeout";
	} else if (limits->max_pids > 0) {
		why = "a limit on processes";
	} else if (plan->private_tmp) {
		why = "a private temp directory";
	}
	if (why != NULL) {
		return bailey_fail(c->err, BAILEY_E_INVALID,
				   "--in-place leaves nobody behind to hold %s; set it to none or "
				   "leave --in-place out",
				   why);
	}
	plan_gap(plan, BY_NOTHING, "not-reaped", NULL,
		 "processes that outlive the command are not ended (--in-place)");
	return BAILEY_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static int
compile(struct compile *c)
{
	struct plan *plan = c->plan;
	const struct plan_request *request = c->request;
	int rc;

	plan->policy_name = policy_names[c->policy->type];
	plan->cwd = c->fs->resolve(c->fs->data, c->arena, request->cwd);
	plan->env.mode = request->env_mode;
	if (plan->cwd == NULL) {
		return bailey_fail_sys(c->err, errno, "cannot resolve the working directory '%s'",
				       request->cwd);
	}
	plan->sandboxed = policy_is_sandboxed(c->policy);
	plan->limits = policy_limits(c->policy);
	if (!plan->sandboxed) {
		plan->env.mode = ENV_KEEP;
		plan->network = true;
		plan->stay = !request->in_place && plan->limits.timeout_secs > 0;
		return BAILEY_OK;
	}
	compile_filter(c);
	rc = version_check(c);
	if (rc == BAILEY_OK) {
		rc = broker_choose(c);
	}
	if (rc == BAILEY_OK) {
		rc = kernel_check(c);
	}
	if (rc == BAILEY_OK) {
		handle_rights(c);
		rc = compile_stay(c);
	}
	if (rc == BAILEY_OK) {
		rc = compile_landlock(c);
	}
	if (rc == BAILEY_OK) {
		note_all(c);
	}
	return rc;
}

int
plan_compile(const struct plan_request *request, struct plan **out, struct bailey_error *err)
{
	AUTO_PLAN *plan = calloc(1, sizeof(*plan));
	struct compile c = { .request = request,
			     .policy = request->policy,
			     .fs = request->fs,
			     .plan = plan,
			     .err = err };
	int rc;

	if (plan == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the plan");
	}
	c.arena = &plan->arena;
	rc = compile(&c);
	if (plan->arena.failed) {
		/* Whatever it led to, this is the cause. */
		if (err != NULL) {
			*err = (struct bailey_error){ 0 };
		}
		return compile_nomem(&c);
	}
	if (rc == BAILEY_OK) {
		*out = take_ptr(plan);
	}
	return rc;
}

bool
plan_set_env(struct plan *plan, const char *name, const char *value)
{
	struct env_change *change =
		arena_push(&plan->arena, &plan->env.set, &plan->env.set_count, sizeof(*change));

	if (change == NULL || name == NULL || value == NULL) {
		return false;
	}
	*change = (struct env_change){ name, value };
	return true;
}

int
plan_add_tmp(struct plan *plan, const char *path, struct bailey_error *err)
{
	struct plan_rule *rule =
		arena_push(&plan->arena, &plan->rules, &plan->rule_count, sizeof(*rule));

	if (rule == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the plan");
	}
	*rule = (struct plan_rule){
		.path = arena_strdup(&plan->arena, path),
		.access = (RIGHTS_READ | LL_EXECUTE | RIGHTS_WRITE |
			   (plan->filter.unix_sockets ? LL_MAKE_SOCK : 0)) &
			  plan->handled_fs,
		.why = WHY_TMP,
		.directory = true,
		.must = true,
	};
	if (rule->path == NULL || (plan->caches_in_tmp &&
				   !caches_set_env(plan, path_join(&plan->arena, path, "cache")))) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the plan");
	}
	return BAILEY_OK;
}

void
plan_free(struct plan *plan)
{
	if (plan != NULL) {
		arena_finish(&plan->arena);
		free(plan);
	}
}
