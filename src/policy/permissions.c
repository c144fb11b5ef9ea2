/* SPDX-License-Identifier: MIT */
/*
 * What one command may ask for beyond the policy of its session, and the policy that comes out.
 * Whether somebody agrees to it is not decided here.
 */
#include "policy/places.h"

#include "base/attr.h"
#include "base/path.h"
#include "base/text.h"

#include <string.h>

#define PERMISSIONS 4

static const char *const permission_names[PERMISSIONS] = {
	[BAILEY_PERMISSIONS_USE_DEFAULT] = "use_default",
	[BAILEY_PERMISSIONS_WITH_ADDITIONAL] = "with_additional_permissions",
	[BAILEY_PERMISSIONS_REQUIRE_ESCALATED] = "require_escalated",
	[BAILEY_PERMISSIONS_BYPASS_SANDBOX] = "bypass_sandbox",
};

static int
fail_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a request");
}

const char *
bailey_permissions_name(enum bailey_permissions permissions)
{
	return (unsigned int)permissions < PERMISSIONS ? permission_names[permissions] : NULL;
}

int
bailey_permissions_parse(const char *name, enum bailey_permissions *out, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];
	const char *near;

	for (size_t i = 0; i < PERMISSIONS; i++) {
		if (strcmp(permission_names[i], name) == 0) {
			*out = (enum bailey_permissions)i;
			return BAILEY_OK;
		}
	}
	(void)text_shown(shown, name, strlen(name));
	near = suggest(name, permission_names, PERMISSIONS);
	if (near != NULL) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "unknown permissions '%s'; did you mean '%s'?", shown, near);
	}
	return bailey_fail(err, BAILEY_E_INVALID,
			   "unknown permissions '%s'; expected 'use_default', "
			   "'with_additional_permissions', 'require_escalated' or "
			   "'bypass_sandbox'",
			   shown);
}

bool
bailey_permissions_need_approval(enum bailey_permissions permissions)
{
	return permissions != BAILEY_PERMISSIONS_USE_DEFAULT;
}

bool
bailey_permissions_leave_sandbox(enum bailey_permissions permissions)
{
	return permissions == BAILEY_PERMISSIONS_REQUIRE_ESCALATED ||
	       permissions == BAILEY_PERMISSIONS_BYPASS_SANDBOX;
}

enum bailey_permissions
bailey_permissions_merge(enum bailey_permissions a, enum bailey_permissions b)
{
	return a > b ? a : b; /* the values are in order */
}

static bool
names_paths(const struct bailey_additional *additional)
{
	return additional != NULL &&
	       (additional->fs_read_count > 0 || additional->fs_write_count > 0);
}

enum bailey_permissions
bailey_permissions_normalize(enum bailey_permissions permissions,
			     const struct bailey_additional *additional)
{
	if (permissions == BAILEY_PERMISSIONS_USE_DEFAULT && names_paths(additional)) {
		return BAILEY_PERMISSIONS_WITH_ADDITIONAL;
	}
	return permissions;
}

static bool
is_blank(const char *text)
{
	return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

/* The request as a whole, without its paths. */
static int
check_form(const struct bailey_request *request, enum bailey_permissions permissions,
	   struct bailey_error *err)
{
	const char *name = bailey_permissions_name(permissions);

	if (name == NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "%d is not a kind of permissions",
				   (int)permissions);
	}
	if (bailey_permissions_leave_sandbox(permissions)) {
		if (names_paths(request->additional)) {
			return bailey_fail(err, BAILEY_E_INVALID,
					   "'%s' takes no additional paths; they need "
					   "'with_additional_permissions'",
					   name);
		}
		if (is_blank(request->justification)) {
			return bailey_fail(err, BAILEY_E_INVALID, "'%s' needs a justification",
					   name);
		}
	}
	if (permissions == BAILEY_PERMISSIONS_WITH_ADDITIONAL &&
	    !names_paths(request->additional)) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "'%s' names no path; expected one in 'fs_read' or 'fs_write'",
				   name);
	}
	return BAILEY_OK;
}

/* ---- paths --------------------------------------------------------------------------------- */

/* What the paths of a request are checked against. */
struct bounds {
	struct arena arena;
	struct bailey_policy *probe; /* writes in the places, and all that is kept out */
	const struct bailey_scene *scene;
	struct write_place *places;
	size_t count;
};

static void
bounds_finish(struct bounds *bounds)
{
	bailey_policy_free(bounds->probe);
	arena_finish(&bounds->arena);
}

#define AUTO_BOUNDS __attribute__((cleanup(bounds_finish))) struct bounds

static int
bounds_make(struct bounds *bounds, const struct bailey_request *request,
	    const struct bailey_policy *policy, const struct bailey_scene *scene,
	    struct bailey_error *err)
{
	int failed = bailey_policy_clone(policy, &bounds->probe, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	bounds->scene = scene;
	bounds->probe->type = BAILEY_POLICY_WORKSPACE_WRITE;
	bounds->probe->sensitive_defaults |= policy->type == BAILEY_POLICY_READ_ONLY;
	bounds->probe->read_roots = (struct strings){ 0 };
	if (request->workspace != NULL) {
		failed = bailey_policy_add_writable_root(bounds->probe, request->workspace, err);
	}
	if (failed == BAILEY_OK) {
		failed = places_writable(&bounds->arena, bounds->probe, scene, &bounds->places,
					 &bounds->count);
		failed = failed == BAILEY_OK ? BAILEY_OK : fail_memory(err);
	}
	return failed;
}

/* The innermost place that the path, as it is written, is in. */
static const struct place *
admitting(const struct bounds *bounds, const struct place *asked)
{
	const struct place *best = NULL;

	for (size_t i = 0; i < bounds->count; i++) {
		const struct place *place = &bounds->places[i].place;

		if (path_under(asked->text, place->text) &&
		    (best == NULL || strlen(place->text) > strlen(best->text))) {
			best = place;
		}
	}
	return best;
}

static int
check_answer(const struct bounds *bounds, const char *path, bool writing, struct bailey_error *err)
{
	struct bailey_answer answer;
	int failed =
		writing ? bailey_policy_can_write(bounds->probe, bounds->scene, path, &answer, err)
			: bailey_policy_can_read(bounds->probe, bounds->scene, path, &answer, err);

	if (failed == BAILEY_OK && !answer.allowed) {
		failed = bailey_fail(err, BAILEY_E_REFUSED, "%s: %s",
				     writing ? "fs_write" : "fs_read", answer.text);
	}
	return failed;
}

static int
check_path(struct bounds *bounds, const char *path, bool writing, struct place *asked,
	   struct bailey_error *err)
{
	const char *kind = writing ? "fs_write" : "fs_read";
	const struct place *root;
	char shown[TEXT_SHOWN_MAX];

	(void)text_shown(shown, path, strlen(path));
	if (path[0] == '\0') {
		return bailey_fail(err, BAILEY_E_INVALID, "%s: a path is empty", kind);
	}
	if (path_has_dotdot(path)) {
		return bailey_fail(err, BAILEY_E_REFUSED, "%s: '%s' has a '..' in it", kind, shown);
	}
	if (place_make(&bounds->arena, bounds->scene, path, asked) != BAILEY_OK) {
		return fail_memory(err);
	}
	root = admitting(bounds, asked);
	if (root == NULL) {
		return bailey_fail(err, BAILEY_E_REFUSED,
				   "%s: '%s' is outside the workspace and the temp directories",
				   kind, shown);
	}
	if (!place_holds(root, asked)) {
		return bailey_fail(err, BAILEY_E_REFUSED,
				   "%s: '%s' leads out of '%s' through a symlink", kind, shown,
				   root->text);
	}
	return check_answer(bounds, path, writing, err);
}

static int
check_paths(struct bounds *bounds, const char *const paths[], size_t count, bool writing,
	    struct bailey_error *err)
{
	int failed = BAILEY_OK;

	for (size_t i = 0; failed == BAILEY_OK && i < count; i++) {
		struct place asked;

		failed = check_path(bounds, paths[i], writing, &asked, err);
	}
	return failed;
}

int
bailey_permissions_check(const struct bailey_request *request, const struct bailey_policy *policy,
			 const struct bailey_scene *scene, struct bailey_error *err)
{
	const struct bailey_additional *additional = request->additional;
	enum bailey_permissions permissions =
		bailey_permissions_normalize(request->permissions, additional);
	AUTO_BOUNDS bounds = { 0 };
	int failed = check_form(request, permissions, err);

	if (failed != BAILEY_OK || permissions != BAILEY_PERMISSIONS_WITH_ADDITIONAL) {
		return failed;
	}
	failed = bounds_make(&bounds, request, policy, scene, err);
	if (failed == BAILEY_OK) {
		failed = check_paths(&bounds, additional->fs_read, additional->fs_read_count, false,
				     err);
	}
	if (failed == BAILEY_OK) {
		failed = check_paths(&bounds, additional->fs_write, additional->fs_write_count,
				     true, err);
	}
	return failed;
}

/* ---- applying ------------------------------------------------------------------------------ */

/* Appends what each path resolves to, unless it is there already. */
static int
add_roots(struct bailey_policy *policy, struct strings *list, const struct bailey_scene *scene,
	  const char *const paths[], size_t count, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct place place;
		bool known = false;

		if (place_make(&arena, scene, paths[i], &place) != BAILEY_OK) {
			return fail_memory(err);
		}
		for (size_t k = 0; place.real != NULL && k < list->count; k++) {
			known |= strcmp(list->items[k], place.real) == 0;
		}
		if (place.real != NULL && !known && !policy_append(policy, list, place.real)) {
			return fail_memory(err);
		}
	}
	return BAILEY_OK;
}

/* Does one of the paths open the working directory anyway? */
static int
check_opens_cwd(const struct bailey_scene *scene, const struct bailey_additional *additional,
		struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	struct place cwd;
	struct place place;

	if (place_make(&arena, scene, scene->cwd, &cwd) != BAILEY_OK) {
		return fail_memory(err);
	}
	for (size_t i = 0; i < additional->fs_write_count; i++) {
		if (place_make(&arena, scene, additional->fs_write[i], &place) != BAILEY_OK) {
			return fail_memory(err);
		}
		if (place_holds(&place, &cwd)) {
			return BAILEY_OK;
		}
	}
	return bailey_fail(err, BAILEY_E_REFUSED,
			   "fs_write: a read_only policy cannot open single paths, because "
			   "workspace_write opens the working directory too; ask for the working "
			   "directory, or begin with a workspace_write policy");
}

static int
add_paths(struct bailey_policy *policy, const struct bailey_scene *scene,
	  const struct bailey_additional *additional, struct bailey_error *err)
{
	int failed = BAILEY_OK;

	if (policy->type == BAILEY_POLICY_READ_ONLY && additional->fs_write_count > 0) {
		failed = check_opens_cwd(scene, additional, err);
	}
	if (failed == BAILEY_OK && policy->read_roots.count > 0) {
		failed = add_roots(policy, &policy->read_roots, scene, additional->fs_read,
				   additional->fs_read_count, err);
	}
	if (failed == BAILEY_OK && additional->fs_write_count > 0) {
		if (policy->type == BAILEY_POLICY_READ_ONLY) {
			policy->exclude_tmpdir_env_var = true;
			policy->exclude_slash_tmp = true;
			policy->type = BAILEY_POLICY_WORKSPACE_WRITE;
			policy->seccomp.allow_network_sockets |= policy_has_network(policy);
		}
		failed = add_roots(policy, &policy->writable_roots, scene, additional->fs_write,
				   additional->fs_write_count, err);
	}
	return failed;
}

int
bailey_permissions_apply(const struct bailey_request *request, const struct bailey_policy *policy,
			 const struct bailey_scene *scene, struct bailey_policy **out,
			 struct bailey_error *err)
{
	enum bailey_permissions permissions =
		bailey_permissions_normalize(request->permissions, request->additional);
	AUTO_POLICY *result = NULL;
	int failed = bailey_permissions_check(request, policy, scene, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (bailey_permissions_leave_sandbox(permissions)) {
		return bailey_policy_new(BAILEY_POLICY_DANGER_FULL_ACCESS, out, err);
	}
	failed = bailey_policy_clone(policy, &result, err);
	if (failed == BAILEY_OK && permissions == BAILEY_PERMISSIONS_WITH_ADDITIONAL &&
	    policy_is_sandboxed(policy)) {
		failed = add_paths(result, scene, request->additional, err);
	}
	if (failed == BAILEY_OK) {
		*out = take_ptr(result);
	}
	return failed;
}
