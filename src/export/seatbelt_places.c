/* SPDX-License-Identifier: MIT */

/*
 * The places that a policy speaks of, as a Seatbelt profile has to name them.
 *
 * Seatbelt compares with the path that the kernel has after following symlinks. So what is granted
 * is what a path leads to, and nothing that merely reads like it ("link/.." is not "."); what is
 * denied is both, since a form too many takes nothing away that somebody needs.
 */

#include "export/seatbelt.h"

#include "base/attr.h"
#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

struct finder {
	struct arena *arena;
	const struct seatbelt_request *request;
	struct seatbelt_places *out;
	struct bailey_error *err;
};

/* Top-level directories of macOS that are symlinks to the same name below /private. */
static const char *const private_dirs[] = { "/tmp", "/var", "/etc" };

/* What macOS keeps secrets of the user in, beyond the defaults, which are those of Linux. */
static const char *const macos_sensitive[] = {
	"~/Library/Keychains",
	"~/Library/Cookies",
	"~/Library/Messages",
	"~/Library/Mail",
	"~/Library/Safari",
	"~/Library/Application Support/Google/Chrome",
	"~/Library/Application Support/Chromium",
	"~/Library/Application Support/BraveSoftware",
	"~/Library/Application Support/Microsoft Edge",
	"~/Library/Application Support/Firefox",
	"~/Library/Application Support/Thunderbird",
	"~/Library/Application Support/com.apple.TCC",
};

static const char *const shared_caches[] = { "~/Library/Caches", "~/.cache" };

/* What protect_git "hooks" keeps as it is: what git runs, and what tells it what to run. */
static const char *const git_parts[] = {
	"hooks", "config", "config.worktree", "commondir", "info/attributes",
};

static int
no_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a Seatbelt profile");
}

/* ---- lists and forms --------------------------------------------------------------------- */

static bool
has(const struct strings *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], text) == 0) {
			return true;
		}
	}
	return false;
}

static int
add_once(struct finder *f, struct strings *list, const char *text)
{
	const char **item;

	if (has(list, text)) {
		return BAILEY_OK;
	}
	item = arena_push(f->arena, &list->items, &list->count, sizeof(*item));
	if (item == NULL) {
		return no_memory(f->err);
	}
	*item = text;
	return BAILEY_OK;
}

/* A path, and the same below /private where macOS has a symlink. */
static int
add_private(struct finder *f, struct strings *list, const char *path)
{
	int rc = add_once(f, list, path);

	for (size_t i = 0; i < COUNT_OF(private_dirs) && rc == BAILEY_OK; i++) {
		if (path_under(path, private_dirs[i])) {
			char *real = arena_printf(f->arena, "/private%s", path);

			return real != NULL ? add_once(f, list, real) : no_memory(f->err);
		}
	}
	return rc;
}

/* `path` with its symlinks resolved, "link/.." as the kernel takes it. NULL: the error is set. */
static const char *
resolve(struct finder *f, const char *path)
{
	const struct fs_view *fs = f->request->fs;
	char *real = fs != NULL ? fs->resolve(fs->data, f->arena, path)
				: path_normalize(f->arena, "/", path);

	if (real == NULL && f->arena->failed) {
		(void)no_memory(f->err);
	} else if (real == NULL) {
		(void)bailey_fail_sys(f->err, errno, "cannot resolve '%s'", path);
	}
	return real;
}

/* For a denial: every form of an absolute path. */
static int
add_forms(struct finder *f, struct strings *list, const char *path)
{
	const char *text = path_normalize(f->arena, "/", path);
	const char *real = resolve(f, path);
	int rc;

	if (text == NULL || real == NULL) {
		return real == NULL ? (int)f->err->status : no_memory(f->err);
	}
	rc = add_private(f, list, text);
	return rc == BAILEY_OK ? add_private(f, list, real) : rc;
}

/* A path of the policy, made absolute but not normal. NULL: the error is set. */
static const char *
absolute(struct finder *f, const char *written)
{
	const struct bailey_scene *scene = f->request->scene;
	bool home = written[0] == '~' && (written[1] == '/' || written[1] == '\0');
	const char *path = written;

	if (home && scene->home == NULL) {
		(void)bailey_fail(f->err, BAILEY_E_INVALID,
				  "'%s' names the home directory, which is not known here",
				  written);
		return NULL;
	}
	if (home) {
		path = path_join(f->arena, scene->home, written[1] == '/' ? written + 2 : "");
	} else if (written[0] != '/') {
		path = path_join(f->arena, scene->cwd, written);
	}
	if (path == NULL) {
		(void)no_memory(f->err);
	}
	return path;
}

/* For a grant: what the path leads to, and only that. */
static int
add_grant(struct finder *f, struct strings *list, const char *written)
{
	const char *path = absolute(f, written);
	const char *real = path != NULL ? resolve(f, path) : NULL;

	return real != NULL ? add_private(f, list, real) : (int)f->err->status;
}

static int
add_grants(struct finder *f, struct strings *list, const char *const written[], size_t count)
{
	int rc = BAILEY_OK;

	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		rc = add_grant(f, list, written[i]);
	}
	return rc;
}

/* ---- what is granted --------------------------------------------------------------------- */

static int
find_writable(struct finder *f)
{
	const struct bailey_policy *policy = f->request->policy;
	const struct bailey_scene *scene = f->request->scene;
	struct seatbelt_places *out = f->out;
	int rc = BAILEY_OK;

	if (policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		return BAILEY_OK;
	}
	rc = add_grant(f, &out->roots, scene->cwd);
	if (rc == BAILEY_OK) {
		rc = add_grants(f, &out->roots, policy->writable_roots.items,
				policy->writable_roots.count);
	}
	if (rc == BAILEY_OK && !policy->exclude_tmpdir_env_var && scene->tmpdir != NULL) {
		rc = add_grant(f, &out->temps, scene->tmpdir);
	}
	if (rc == BAILEY_OK && !policy->exclude_slash_tmp) {
		rc = add_grant(f, &out->temps, "/tmp");
	}
	if (rc == BAILEY_OK && policy->caches == CACHES_SHARED) {
		rc = add_grants(f, &out->temps, shared_caches, COUNT_OF(shared_caches));
	}
	return rc;
}

static int
find_granted(struct finder *f)
{
	const struct bailey_policy *policy = f->request->policy;
	struct seatbelt_places *out = f->out;
	int rc = find_writable(f);

	if (rc == BAILEY_OK) {
		rc = add_grants(f, &out->read_roots, policy->read_roots.items,
				policy->read_roots.count);
	}
	if (rc == BAILEY_OK) {
		rc = add_grants(f, &out->exec_roots, policy->exec_roots.items,
				policy->exec_roots.count);
	}
	for (size_t i = 0; i < policy->unix_sockets.count && rc == BAILEY_OK; i++) {
		const char *path = policy->unix_sockets.items[i];

		if (strcmp(path, "*") == 0) {
			out->any_socket = true;
		} else {
			rc = add_grant(f, &out->sockets, path);
		}
	}
	return rc;
}

/* ---- what is denied ---------------------------------------------------------------------- */

static int
deny_form(struct finder *f, const char *path, bool read)
{
	struct seatbelt_places *out = f->out;
	struct seatbelt_denial *denial;

	for (size_t i = 0; i < out->denial_count; i++) {
		denial = &out->denials[i];
		if (strcmp(denial->path, path) == 0) {
			denial->read = denial->read || read;
			return BAILEY_OK;
		}
	}
	denial = arena_push(f->arena, &out->denials, &out->denial_count, sizeof(*denial));
	if (denial == NULL) {
		return no_memory(f->err);
	}
	*denial = (struct seatbelt_denial){ .path = path, .read = read };
	return BAILEY_OK;
}

static int
deny_path(struct finder *f, const char *path, bool read)
{
	struct strings forms = { 0 };
	int rc = add_forms(f, &forms, path);

	for (size_t i = 0; i < forms.count && rc == BAILEY_OK; i++) {
		rc = deny_form(f, forms.items[i], read);
	}
	return rc;
}

static int
deny_written(struct finder *f, const char *written, bool read)
{
	const char *path = absolute(f, written);

	return path != NULL ? deny_path(f, path, read) : (int)f->err->status;
}

static int
find_sensitive(struct finder *f)
{
	const struct bailey_policy *policy = f->request->policy;
	size_t count = 0;
	const struct sensitive_path *sensitive = policy_sensitive(policy, &count);
	bool defaults = policy->type == BAILEY_POLICY_READ_ONLY || policy->sensitive_defaults;
	int rc = BAILEY_OK;

	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		if (sensitive[i].block_read || sensitive[i].block_write) {
			rc = deny_written(f, sensitive[i].path, sensitive[i].block_read);
		}
	}
	for (size_t i = 0; defaults && i < COUNT_OF(macos_sensitive) && rc == BAILEY_OK; i++) {
		rc = deny_written(f, macos_sensitive[i], true);
	}
	for (size_t i = 0; i < policy->deny.count && rc == BAILEY_OK; i++) {
		rc = deny_written(f, policy->deny.items[i], true);
	}
	return rc;
}

const char *
seatbelt_protected_name(const struct bailey_policy *policy, size_t index)
{
	size_t built_in = policy_protected_name_count;

	if (!policy->protect) {
		return NULL;
	}
	for (size_t i = 0; i < built_in + policy->protected.count; i++) {
		const char *name = i < built_in ? policy_protected_names[i]
						: policy->protected.items[i - built_in];

		if (policy->protect_git == PROTECT_GIT_NONE && strcmp(name, ".git") == 0) {
			continue;
		}
		if (index-- == 0) {
			return name;
		}
	}
	return NULL;
}

/*
 * Where a `.git` file leads: the repository's directory of a worktree or submodule, and what that
 * one's `commondir` names (gitrepository-layout(5)).
 */
static int
deny_gitdir(struct finder *f, const char *root, const char *git)
{
	const struct fs_view *fs = f->request->fs;
	char *line = fs->first_line(fs->data, f->arena, git);
	const char *dir;
	int rc;

	if (line == NULL || strncmp(line, "gitdir: ", 8) != 0) {
		return f->arena->failed ? no_memory(f->err) : BAILEY_OK;
	}
	dir = path_normalize(f->arena, root, line + 8);
	git = dir != NULL ? path_join(f->arena, dir, "commondir") : NULL;
	if (git == NULL) {
		return no_memory(f->err);
	}
	rc = deny_path(f, dir, false);
	line = fs->first_line(fs->data, f->arena, git);
	if (rc != BAILEY_OK || line == NULL || line[0] == '\0') {
		return f->arena->failed ? no_memory(f->err) : rc;
	}
	dir = path_normalize(f->arena, dir, line);
	return dir != NULL ? deny_path(f, dir, false) : no_memory(f->err);
}

/* With "hooks" the directory stays writable, but for the parts that decide what git runs. */
static int
deny_git_parts(struct finder *f, const char *git)
{
	int rc = add_forms(f, &f->out->fixed, git);

	for (size_t i = 0; i < COUNT_OF(git_parts) && rc == BAILEY_OK; i++) {
		char *part = path_join(f->arena, git, git_parts[i]);

		rc = part != NULL ? deny_path(f, part, false) : no_memory(f->err);
	}
	return rc;
}

static int
protect_in(struct finder *f, const char *root, const char *name)
{
	const struct bailey_policy *policy = f->request->policy;
	const struct fs_view *fs = f->request->fs;
	bool git = strcasecmp(name, ".git") == 0;
	char *path = path_join(f->arena, root, name);
	int rc = BAILEY_OK;

	if (path == NULL) {
		return no_memory(f->err);
	}
	if (git && fs != NULL && fs->type(fs->data, path) == FS_FILE) {
		rc = deny_gitdir(f, root, path);
		git = false;
	}
	if (rc == BAILEY_OK && git && policy->protect_git == PROTECT_GIT_HOOKS) {
		return deny_git_parts(f, path);
	}
	return rc == BAILEY_OK ? deny_path(f, path, false) : rc;
}

/* The protected names that are there now, in any spelling and deeper in a root. */
static int
protect_nested(struct finder *f, const char *root)
{
	struct seatbelt_found *found = NULL;
	size_t count = 0;
	int rc = BAILEY_OK;

	if (f->request->fs == NULL || !f->request->policy->protect) {
		return BAILEY_OK;
	}
	if (!seatbelt_find_nested(f->arena, f->request, root, &found, &count)) {
		return no_memory(f->err);
	}
	for (size_t i = 0; i < count && rc == BAILEY_OK; i++) {
		rc = protect_in(f, found[i].dir, found[i].name);
	}
	return rc;
}

static int
find_protected(struct finder *f)
{
	const struct bailey_policy *policy = f->request->policy;
	const struct strings *roots = &f->out->roots;
	const char *name;

	for (size_t i = 0; i < roots->count; i++) {
		int rc = BAILEY_OK;

		for (size_t k = 0; (name = seatbelt_protected_name(policy, k)) != NULL; k++) {
			rc = rc == BAILEY_OK ? protect_in(f, roots->items[i], name) : rc;
		}
		if (rc == BAILEY_OK) {
			rc = protect_nested(f, roots->items[i]);
		}
		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

/* ---- what holds the denials in place ----------------------------------------------------- */

static bool
is_writable(const struct seatbelt_places *places, const char *path)
{
	for (size_t i = 0; i < places->roots.count; i++) {
		if (path_under(path, places->roots.items[i])) {
			return true;
		}
	}
	for (size_t i = 0; i < places->temps.count; i++) {
		if (path_under(path, places->temps.items[i])) {
			return true;
		}
	}
	return false;
}

/*
 * What follows for the directories above a denied path, but for the root. A rule goes by the path,
 * so one that is writable must not get another name; and with hide_names the names in those above
 * a path that must not be read are withheld.
 */
static int
find_above(struct finder *f, const struct seatbelt_denial *denial)
{
	bool hide = denial->read && f->request->policy->hide_names;
	char *above = path_parent(f->arena, denial->path);

	while (above != NULL && strcmp(above, "/") != 0) {
		int rc = BAILEY_OK;

		if (is_writable(f->out, above)) {
			rc = add_once(f, &f->out->anchors, above);
		}
		if (rc == BAILEY_OK && hide) {
			rc = add_once(f, &f->out->hidden, above);
		}
		if (rc != BAILEY_OK) {
			return rc;
		}
		above = path_parent(f->arena, above);
	}
	return above != NULL ? BAILEY_OK : no_memory(f->err);
}

int
seatbelt_find_places(struct arena *arena, const struct seatbelt_request *request,
		     struct seatbelt_places *out, struct bailey_error *err)
{
	struct bailey_error own = { 0 };
	struct finder f = { arena, request, out, err != NULL ? err : &own };
	int rc = find_granted(&f);

	if (rc == BAILEY_OK) {
		rc = find_sensitive(&f);
	}
	if (rc == BAILEY_OK) {
		rc = find_protected(&f);
	}
	for (size_t i = 0; i < out->denial_count && rc == BAILEY_OK; i++) {
		rc = find_above(&f, &out->denials[i]);
	}
	return rc;
}
