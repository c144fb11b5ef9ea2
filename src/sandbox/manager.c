/* SPDX-License-Identifier: MIT */

/*
 * The manager: from a command and a policy to what has to be spawned. It decides nothing about the
 * policy; it checks that somebody is there to hold it, and writes it down for them.
 *
 * Invariant: whatever fails, nothing comes out that would run the command without its sandbox.
 */

#include "sandbox/manager.h"

#include "base/attr.h"
#include "base/path.h"
#include "plan/plan.h"
#include "policy/pieces.h"
#include "sandbox/environment.h"

#include <bailey/export.h>
#include <bailey/sandbox.h>

#include <string.h>
#include <sys/stat.h>

/* The kernel's limit on one argument (MAX_ARG_STRLEN), its NUL included. */
#define ARGUMENT_MAX ((size_t)32 * 4096)

#define SEATBELT_PROGRAM "/usr/bin/sandbox-exec"

/* What is handed out, with the arena that it lives in. */
struct owned {
	struct bailey_exec_env env; /* first: the caller's pointer is ours */
	struct arena arena;
};

struct build {
	const struct manager_request *request;
	struct arena *arena;
	const char **argv;
	size_t count;
	struct bailey_error *err;
};

static int
no_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a command");
}

/* ---- is there somebody to hold it? ------------------------------------------------------- */

static bool
is_absolute(const char *path)
{
	return path != NULL && path[0] == '/';
}

static int
check_expiration(const struct bailey_exec_expiration *expiration, struct bailey_error *err)
{
	if ((unsigned int)expiration->kind > BAILEY_EXPIRATION_CANCELLATION) {
		return bailey_fail(err, BAILEY_E_INVALID, "%d is no kind of expiration",
				   (int)expiration->kind);
	}
	if (expiration->kind == BAILEY_EXPIRATION_TIMEOUT && expiration->timeout_ms == 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "a timeout must be at least 1 millisecond");
	}
	return BAILEY_OK;
}

static int
check_spec(const struct manager_request *request, struct bailey_error *err)
{
	const struct bailey_command_spec *spec = request->spec;

	if (spec->program == NULL || spec->program[0] == '\0') {
		return bailey_fail(err, BAILEY_E_INVALID, "the command names no program");
	}
	if (!is_absolute(request->policy_cwd)) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the policy's working directory must be an absolute path");
	}
	if (spec->cwd != NULL && !is_absolute(spec->cwd)) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the working directory '%s' must be an absolute path",
				   spec->cwd);
	}
	if (spec->home != NULL && !is_absolute(spec->home)) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the home directory '%s' must be an absolute path", spec->home);
	}
	if (bailey_permissions_leave_sandbox(spec->sandbox_permissions) &&
	    (spec->justification == NULL || spec->justification[0] == '\0')) {
		return bailey_fail(err, BAILEY_E_INVALID, "'%s' needs a justification",
				   bailey_permissions_name(spec->sandbox_permissions));
	}
	return check_expiration(&spec->expiration, err);
}

static bool
is_available(const struct manager_host *host, enum bailey_sandbox_type type)
{
	switch (type) {
	case BAILEY_SANDBOX_NONE:
		return true;
	case BAILEY_SANDBOX_LINUX_LANDLOCK:
		return host->landlock;
	case BAILEY_SANDBOX_MACOS_SEATBELT:
		return host->seatbelt;
	case BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN:
		return false;
	}
	return false;
}

static int
check_program(const char *path, const char *what, struct bailey_error *err)
{
	struct stat st;

	if (path == NULL || path[0] == '\0') {
		return bailey_fail(err, BAILEY_E_NOT_FOUND, "no %s was named", what);
	}
	if (!is_absolute(path)) {
		return bailey_fail(err, BAILEY_E_INVALID, "the %s '%s' must be an absolute path",
				   what, path);
	}
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || access(path, X_OK) != 0) {
		return bailey_fail(err, BAILEY_E_NOT_FOUND,
				   "the %s '%s' is missing or not executable", what, path);
	}
	return BAILEY_OK;
}

static int
check_type(const struct manager_request *request, struct bailey_error *err)
{
	const char *name = bailey_sandbox_type_name(request->type);

	if (request->type == BAILEY_SANDBOX_NONE) {
		return bailey_fail(err, BAILEY_E_REFUSED,
				   "the policy '%s' asks for a sandbox, and the type is 'none'; to "
				   "run without one, say so with 'danger_full_access'",
				   bailey_policy_type_name(bailey_policy_type(request->policy)));
	}
	if (!is_available(request->host, request->type)) {
		return bailey_fail(err, BAILEY_E_UNSUPPORTED,
				   "the sandbox type '%s' is not available on this system", name);
	}
	if (request->type == BAILEY_SANDBOX_MACOS_SEATBELT) {
		return check_program(request->host->seatbelt_program, "Seatbelt launcher", err);
	}
	return check_program(request->helper, "sandbox helper", err);
}

/* ---- arguments --------------------------------------------------------------------------- */

static int
add(struct build *b, const char *text)
{
	const char **item;

	if (text == NULL) {
		return no_memory(b->err);
	}
	if (strlen(text) >= ARGUMENT_MAX) {
		return bailey_fail(b->err, BAILEY_E_LIMIT,
				   "an argument is longer than the %zu bytes that the kernel takes",
				   ARGUMENT_MAX - 1);
	}
	item = arena_push(b->arena, &b->argv, &b->count, sizeof(*item));
	if (item == NULL) {
		return no_memory(b->err);
	}
	*item = arena_strdup(b->arena, text);
	return *item != NULL ? BAILEY_OK : no_memory(b->err);
}

static int
add_option(struct build *b, const char *option, const char *value)
{
	int rc = add(b, option);

	return rc == BAILEY_OK ? add(b, value) : rc;
}

static int
add_command(struct build *b)
{
	const struct bailey_command_spec *spec = b->request->spec;
	int rc = add(b, spec->program);

	for (size_t i = 0; spec->args != NULL && spec->args[i] != NULL && rc == BAILEY_OK; i++) {
		rc = add(b, spec->args[i]);
	}
	return rc;
}

typedef int (*write_json)(const struct bailey_policy *policy, char **text,
			  struct bailey_error *err);

static int
add_json(struct build *b, const char *option, write_json write)
{
	AUTO_FREE char *text = NULL;
	int rc = write(b->request->policy, &text, b->err);

	return rc == BAILEY_OK ? add_option(b, option, text) : rc;
}

static int
add_landlock(struct build *b)
{
	static const struct {
		const char *option;
		write_json write;
	} pieces[] = {
		{ "--sandbox-policy", bailey_policy_to_json },
		{ "--seccomp-profile", policy_seccomp_json },
		{ "--resource-limits", policy_limits_json },
	};
	const struct manager_request *request = b->request;
	int rc = add(b, request->helper);

	if (rc == BAILEY_OK && strcmp(path_base(request->helper), "bailey") == 0) {
		rc = add(b, "sandbox-exec");
	}
	if (rc == BAILEY_OK) {
		rc = add_option(b, "--sandbox-policy-cwd", request->policy_cwd);
	}
	for (size_t i = 0; i < COUNT_OF(pieces) && rc == BAILEY_OK; i++) {
		rc = add_json(b, pieces[i].option, pieces[i].write);
	}
	return rc;
}

static int
add_seatbelt(struct build *b, const struct bailey_scene *scene)
{
	AUTO_FREE char *profile = NULL;
	int rc = bailey_export_seatbelt(b->request->policy, scene, &profile, b->err);

	if (rc == BAILEY_OK) {
		rc = add(b, b->request->host->seatbelt_program);
	}
	return rc == BAILEY_OK ? add_option(b, "-p", profile) : rc;
}

/* ---- environment ------------------------------------------------------------------------- */

/* The absolute path that a variable of the command's environment holds, or NULL. */
static const char *
directory_of(char *const *env, const char *name)
{
	size_t len = strlen(name);
	const char *value = NULL;

	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		if (strncmp(env[i], name, len) == 0 && env[i][len] == '=') {
			value = env[i] + len + 1;
		}
	}
	return is_absolute(value) ? value : NULL;
}

static void
add_root(struct build *b, const struct bailey_scene *scene, const char *written,
	 struct strings *roots)
{
	const char **root = arena_push(b->arena, &roots->items, &roots->count, sizeof(*root));

	if (root != NULL) {
		*root = path_expand(b->arena, scene->home, scene->cwd, written);
	}
}

/* For the marks; a failure is left in the arena. */
static struct strings
writable_roots(struct build *b, const struct bailey_scene *scene)
{
	const struct bailey_policy *policy = b->request->policy;
	struct strings roots = { 0 };

	if (policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		return roots;
	}
	add_root(b, scene, scene->cwd, &roots);
	for (size_t i = 0; i < policy->writable_roots.count; i++) {
		add_root(b, scene, policy->writable_roots.items[i], &roots);
	}
	if (!policy->exclude_tmpdir_env_var && scene->tmpdir != NULL) {
		add_root(b, scene, scene->tmpdir, &roots);
	}
	if (!policy->exclude_slash_tmp) {
		add_root(b, scene, "/tmp", &roots);
	}
	return roots;
}

static char *const *
sandboxed_env(struct build *b, const struct bailey_scene *scene, const char *cwd)
{
	static const struct plan_env filter = { .mode = ENV_FILTER };
	struct strings roots = writable_roots(b, scene);
	struct bailey_sandbox_marks marks = {
		.type = b->request->type,
		.network_disabled = !bailey_policy_has_network(b->request->policy),
		.writable_roots = roots.items,
		.writable_root_count = roots.count,
		.vtcode_names = true,
	};
	struct env_source source = {
		.base = b->request->spec->env,
		.env = &filter,
		.cwd = cwd,
		.marks = &marks,
	};

	return b->arena->failed ? NULL : env_build(b->arena, &source);
}

static char *const *
copied_env(struct build *b)
{
	char *const *env = b->request->spec->env;
	size_t count = 0;
	char **copy;

	while (env != NULL && env[count] != NULL) {
		count++;
	}
	copy = arena_array(b->arena, count + 1, sizeof(*copy));
	for (size_t i = 0; copy != NULL && i < count; i++) {
		copy[i] = arena_strdup(b->arena, env[i]);
	}
	return b->arena->failed ? NULL : copy;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bool
wants_sandbox(const struct manager_request *request)
{
	enum bailey_policy_type type = bailey_policy_type(request->policy);

	return type != BAILEY_POLICY_DANGER_FULL_ACCESS && type != BAILEY_POLICY_EXTERNAL_SANDBOX &&
	       !bailey_permissions_leave_sandbox(request->spec->sandbox_permissions);
}

/*
 * A launcher on Linux finds "~" by the HOME of its environment, which is the command's. Where that
 * is not the user's home, the sensitive paths in the real one would lie open.
 */
static int
check_home(const struct manager_request *request, struct bailey_error *err)
{
	const char *home = request->spec->home;
	const char *told = directory_of(request->spec->env, "HOME");

	if (request->type != BAILEY_SANDBOX_LINUX_LANDLOCK || home == NULL ||
	    (told != NULL && strcmp(told, home) == 0)) {
		return BAILEY_OK;
	}
	return bailey_fail(err, BAILEY_E_REFUSED,
			   "HOME of the command is '%s' and the home directory is '%s': the "
			   "launcher finds the policy's '~' by HOME, so leave it as it is",
			   told != NULL ? told : "", home);
}

static int
build_sandboxed(struct build *b, struct bailey_exec_env *out)
{
	const struct manager_request *request = b->request;
	const struct bailey_command_spec *spec = request->spec;
	const struct bailey_scene scene = {
		.cwd = request->policy_cwd,
		.home = spec->home != NULL ? spec->home : directory_of(spec->env, "HOME"),
		.tmpdir = directory_of(spec->env, "TMPDIR"),
	};
	int rc = check_type(request, b->err);

	if (rc == BAILEY_OK) {
		rc = check_home(request, b->err);
	}
	if (rc == BAILEY_OK) {
		rc = request->type == BAILEY_SANDBOX_MACOS_SEATBELT ? add_seatbelt(b, &scene)
								    : add_landlock(b);
	}
	if (rc == BAILEY_OK) {
		rc = add(b, "--");
	}
	if (rc == BAILEY_OK) {
		rc = add_command(b);
	}
	if (rc == BAILEY_OK) {
		out->env = sandboxed_env(b, &scene, out->cwd);
		out->sandbox_active = true;
		out->sandbox_type = request->type;
	}
	return rc;
}

static int
build_plain(struct build *b, struct bailey_exec_env *out)
{
	int rc = add_command(b);

	out->env = copied_env(b);
	return rc;
}

/* The pointers of an argv are never written through; execve(2) merely declares them without const.
 */
static char *const *
as_argv(struct build *b)
{
	char **argv = arena_array(b->arena, b->count + 1, sizeof(*argv));

	if (argv != NULL && b->count > 0) {
		memcpy(argv, b->argv, b->count * sizeof(*argv));
	}
	return argv;
}

static int
fill(struct build *b, struct bailey_exec_env *out)
{
	const struct bailey_command_spec *spec = b->request->spec;
	int rc = check_spec(b->request, b->err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	out->expiration = spec->expiration;
	out->cwd = arena_strdup(b->arena, spec->cwd != NULL ? spec->cwd : b->request->policy_cwd);
	rc = wants_sandbox(b->request) ? build_sandboxed(b, out) : build_plain(b, out);
	if (rc != BAILEY_OK) {
		return rc;
	}
	out->argv = as_argv(b);
	if (b->arena->failed || out->argv == NULL || out->env == NULL || out->cwd == NULL) {
		return no_memory(b->err);
	}
	out->program = out->argv[0];
	out->args = out->argv + 1;
	return BAILEY_OK;
}

int
manager_transform(const struct manager_request *request, struct bailey_exec_env **out,
		  struct bailey_error *err)
{
	struct owned *owned = calloc(1, sizeof(*owned));
	struct build b = { .request = request, .err = err };
	int rc;

	*out = NULL;
	if (owned == NULL) {
		return no_memory(err);
	}
	b.arena = &owned->arena;
	rc = fill(&b, &owned->env);
	if (rc != BAILEY_OK) {
		bailey_exec_env_free(&owned->env);
		return rc;
	}
	*out = &owned->env;
	return BAILEY_OK;
}

/* ---- the public side --------------------------------------------------------------------- */

static struct manager_host
this_host(void)
{
	struct manager_host host = { .seatbelt_program = SEATBELT_PROGRAM };

#if defined(__linux__)
	host.landlock = bailey_landlock_supported();
#elif defined(__APPLE__)
	host.seatbelt = true;
#endif
	return host;
}

bool
bailey_sandbox_type_available(enum bailey_sandbox_type type)
{
	struct manager_host host = this_host();

	return is_available(&host, type);
}

int
bailey_sandbox_transform(const struct bailey_command_spec *spec, const struct bailey_policy *policy,
			 const char *sandbox_policy_cwd, enum bailey_sandbox_type type,
			 const char *helper_path, struct bailey_exec_env **out,
			 struct bailey_error *err)
{
	struct manager_host host = this_host();
	struct manager_request request = {
		.spec = spec,
		.policy = policy,
		.policy_cwd = sandbox_policy_cwd,
		.type = type,
		.helper = helper_path,
		.host = &host,
	};

	return manager_transform(&request, out, err);
}

void
bailey_exec_env_free(struct bailey_exec_env *env)
{
	struct owned *owned = (struct owned *)env;

	if (owned != NULL) {
		arena_finish(&owned->arena);
		free(owned);
	}
}

uint64_t
bailey_exec_expiration_ms(const struct bailey_exec_expiration *expiration)
{
	switch (expiration->kind) {
	case BAILEY_EXPIRATION_DEFAULT:
		return BAILEY_EXPIRATION_DEFAULT_MS;
	case BAILEY_EXPIRATION_TIMEOUT:
		return expiration->timeout_ms;
	case BAILEY_EXPIRATION_CANCELLATION:
		return 0;
	}
	return BAILEY_EXPIRATION_DEFAULT_MS;
}
