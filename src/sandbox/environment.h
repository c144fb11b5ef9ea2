/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

/*
 * The environment of the sandboxed program: pure functions on arrays of "NAME=value" strings. The
 * rules are in env_names.c, the building is in environment.c.
 */

#include "base/arena.h"
#include "plan/plan.h"

#include <bailey/environment.h>

#include <stdbool.h>
#include <stddef.h>

/* Can execve(2) pass a variable of this name? */
bool env_name_valid(const char *name);

/* The first rule of the filter that a name of `len` bytes meets, or NULL. */
const struct bailey_env_rule *env_rule(const char *name, size_t len);

bool env_is_filtered(const char *name);
bool env_is_preserved(const char *name);

/* What an environment is made of. Everything is borrowed. */
struct env_source {
	/* The caller's environment, and what the caller laid over it: both go through the filter.
	 * Each ends in NULL and may itself be NULL. */
	char *const *base;
	char *const *overrides;
	/* The mode, and what is set after the filter: the user's own --env, private directories.
	 * A value of NULL removes the variable; an impossible name is passed over. */
	const struct plan_env *env;
	/* PWD. NULL leaves it out. OLDPWD is left out too: it names a place that the program has
	 * never been to. With ENV_KEEP and NULL both stay as they are. */
	const char *cwd;
	const struct bailey_sandbox_marks *marks; /* set last; NULL: none */
};

/*
 * Builds it in the arena. In the order of first appearance; of entries with the same name the
 * last counts; entries without '=' or without a name are dropped, and so is a value that an old
 * bash would read as an exported function. NULL: out of memory.
 *
 * ENV_CLEAR takes nothing from the caller, PWD included, ENV_KEEP everything.
 */
char **env_build(struct arena *arena, const struct env_source *source);

#endif /* SANDBOX_ENVIRONMENT_H */
