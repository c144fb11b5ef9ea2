/* SPDX-License-Identifier: MIT */

/*
 * What tools are told by their variables: where to keep caches, and what not to try.
 *
 * HOME is not writable inside, yet npm, pip, go and the like write caches there. They are pointed
 * into a private directory kept for this workspace (or, where the user has no cache directory, into
 * the temp directory of the run), or the real ones are granted.
 */

#include "base/attr.h"
#include "base/path.h"
#include "plan/compile.h"
#include "plan/rights.h"

struct cache_variable {
	const char *name;
	const char *below; /* of the private directory */
	bool downloads;	   /* holds what was downloaded: of no use without a network, so the real
			    * one, which can be read, stays in force then */
};

static const struct cache_variable variables[] = {
	{ "XDG_CACHE_HOME", "xdg", false },	{ "npm_config_cache", "npm", false },
	{ "YARN_CACHE_FOLDER", "yarn", false }, { "PIP_CACHE_DIR", "pip", false },
	{ "UV_CACHE_DIR", "uv", false },	{ "GOCACHE", "go-build", false },
	{ "GOMODCACHE", "go-mod", true },	{ "CCACHE_DIR", "ccache", false },
	{ "GRADLE_USER_HOME", "gradle", true }, { "MYPY_CACHE_DIR", "mypy", false },
	{ "RUFF_CACHE_DIR", "ruff", false },	{ "NODE_COMPILE_CACHE", "node", false },
};

static const char *const shared_caches[] = {
	"~/.cache",	     "~/.npm",
	"~/.cargo/registry", "~/.cargo/git",
	"~/.yarn",	     "~/go/pkg/mod",
	"~/.gradle/caches",  "~/.m2/repository",
	"~/.ccache",	     "~/.local/share/pnpm",
};

/* When a setting is made. */
enum setting_when { WITHOUT_NETWORK, WITHOUT_PTRACE, WITHOUT_GIT, AS_ROOT };

struct setting {
	const char *name;
	const char *value;
	enum setting_when when;
};

/* All of these spare a tool what cannot succeed in the sandbox; tests/compat has what happens
 * otherwise. They only ever turn something off, so a value of the user's is no loss. */
static const struct setting settings[] = {
	/* These try again and again when a name cannot be resolved: npm for 70 s. */
	{ "npm_config_fetch_retries", "0", WITHOUT_NETWORK },
	{ "PIP_RETRIES", "0", WITHOUT_NETWORK },
	{ "CARGO_NET_RETRY", "0", WITHOUT_NETWORK },
	/* What was built with AddressSanitizer looks for leaks by ptrace(2) when it ends, and
	 * turns success into failure when it may not. */
	{ "LSAN_OPTIONS", "detect_leaks=0", WITHOUT_PTRACE },
	/* `git status` writes a fresher index when it may; each time it may not is a refusal that
	 * somebody is told of. */
	{ "GIT_OPTIONAL_LOCKS", "0", WITHOUT_GIT },
	/* tar gives files to the owners that the archive names when root unpacks it, which takes a
	 * capability. Without it, it unpacks all and then fails. */
	{ "TAR_OPTIONS", "--no-same-owner", AS_ROOT },
};

/* FNV-1a: tells workspaces apart in a directory's name; nothing depends on its strength. */
static uint64_t
name_hash(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++) {
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	}
	return hash;
}

bool
caches_set_env(struct plan *plan, const char *dir)
{
	for (size_t i = 0; i < COUNT_OF(variables); i++) {
		if (variables[i].downloads && !plan->network) {
			continue;
		}
		if (!plan_set_env(plan, variables[i].name,
				  path_join(&plan->arena, dir, variables[i].below))) {
			return false;
		}
	}
	return true;
}

static bool
applies(const struct compile *c, enum setting_when when)
{
	switch (when) {
	case WITHOUT_NETWORK:
		return !c->plan->network;
	case WITHOUT_PTRACE:
		return c->plan->filtered && !c->plan->filter.log_only;
	case WITHOUT_GIT:
		return c->request->policy->protect &&
		       c->request->policy->protect_git == PROTECT_GIT_ALL;
	case AS_ROOT:
		return c->request->host->root;
	}
	return false;
}

static bool
settings_set_env(struct compile *c)
{
	for (size_t i = 0; i < COUNT_OF(settings); i++) {
		if (applies(c, settings[i].when) &&
		    !plan_set_env(c->plan, settings[i].name, settings[i].value)) {
			return false;
		}
	}
	return true;
}

static int
private_caches(struct compile *c)
{
	struct plan *plan = c->plan;
	struct plan_rule *rule;
	char *dir;

	if (c->request->cache == NULL) {
		plan->caches_in_tmp = plan->private_tmp;
		return BAILEY_OK;
	}
	dir = arena_printf(c->arena, "%s/%s-%016llx", c->request->cache, path_base(plan->cwd),
			   (unsigned long long)name_hash(plan->cwd));
	rule = dir != NULL ? grant_exact(c, dir, 0, WHY_CACHE) : NULL;
	if (rule == NULL) {
		return compile_nomem(c);
	}
	rule->access = (RIGHTS_READ | RIGHTS_WRITE | LL_EXECUTE |
			(plan->filter.unix_sockets ? LL_MAKE_SOCK : 0)) &
		       plan->handled_fs;
	rule->directory = true;
	rule->make = true;
	rule->must = true;
	return caches_set_env(plan, dir) ? BAILEY_OK : compile_nomem(c);
}

static int
real_caches(struct compile *c)
{
	for (size_t i = 0; c->request->home != NULL && i < COUNT_OF(shared_caches); i++) {
		char *path = path_expand(c->arena, c->request->home, "/", shared_caches[i]);
		char *real = path != NULL ? c->fs->resolve(c->fs->data, c->arena, path) : NULL;
		int rc;

		if (real == NULL || c->fs->type(c->fs->data, real) != FS_DIR) {
			continue;
		}
		rc = grant_tree(c, real, RIGHTS_WRITE, WHY_CACHE);
		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

int
grant_caches(struct compile *c)
{
	if (!settings_set_env(c)) {
		return compile_nomem(c);
	}
	if (c->policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		return BAILEY_OK;
	}
	switch (c->policy->caches) {
	case CACHES_PRIVATE:
		return private_caches(c);
	case CACHES_SHARED:
		return real_caches(c);
	case CACHES_NONE:
		break;
	}
	return BAILEY_OK;
}
