/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_ENVIRONMENT_H
#define BAILEY_ENVIRONMENT_H

/**
 * bailey/environment.h - which environment variables a sandboxed program gets
 *
 * Three kinds of variable stay outside: those that hold credentials, those that make an innocent
 * program run code which somebody named in them, and those that lead to a service of the user's
 * session which acts outside the sandbox. Everything here is computed from its arguments: the
 * library never reads the environment of its process.
 *
 * An environment is an array of "NAME=value" strings that ends in NULL, as in environ(7).
 *
 * Contract:   a name is what execve(2) passes: any bytes but '=' and NUL, at least one. The rules
 *             compare letters of ASCII without regard to case, in every locale.
 * Threads:    all functions may be called from any thread; the tables are constant.
 */

#include <bailey/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a rule compares its text with a variable's name. Values are ABI. */
enum bailey_env_match {
	BAILEY_ENV_NAME = 0,   /**< the whole name */
	BAILEY_ENV_PREFIX = 1, /**< the beginning of the name */
	BAILEY_ENV_SUFFIX = 2, /**< the end of the name */
	BAILEY_ENV_PART = 3, /**< one whole part between characters that are no letters or digits */
};

/** One rule of the filter. Both strings are static. */
struct bailey_env_rule {
	enum bailey_env_match match;
	const char *text;
	const char *reason; /**< for a person: "makes bash run a file before every script" */
};

/**
 * The rules of the filter, `*count` of them; the array is static. It contains the names, prefixes,
 * words and suffixes of vtcode-safety's FILTERED_ENV_VARS, and further ones.
 */
BAILEY_API const struct bailey_env_rule *bailey_filtered_env_vars(size_t *count);

/**
 * The names that a sanitized environment keeps, `*count` of them; the array is static and ends in
 * NULL. They are vtcode-safety's PRESERVED_ENV_VARS.
 */
BAILEY_API const char *const *bailey_preserved_env_vars(size_t *count);

/** Does the filter drop a variable of this name? True for PWD, which the builders set anew. */
BAILEY_API bool bailey_should_filter_env_var(const char *name);

/** Why the filter drops a variable of this name: static text, or NULL when it keeps it. */
BAILEY_API const char *bailey_env_filter_reason(const char *name);

/** What stands between a program and the system. Values are ABI. */
enum bailey_sandbox_type {
	BAILEY_SANDBOX_NONE = 0,
	BAILEY_SANDBOX_MACOS_SEATBELT = 1,
	BAILEY_SANDBOX_LINUX_LANDLOCK = 2,
	BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN =
		3, /**< named in data of others, never available */
};

/** "none", "macos_seatbelt", "linux_landlock", "windows_restricted_token". Never NULL. */
BAILEY_API const char *bailey_sandbox_type_name(enum bailey_sandbox_type type);

/**
 * The variables that tell a program about its sandbox: BAILEY_SANDBOX_ACTIVE=1, _TYPE, and as they
 * apply _NETWORK_DISABLED=1 and _WRITABLE_ROOTS, joined by ':'. They inform and grant nothing. All
 * pointers are borrowed for the call. A root whose name has a ':' in it is left out of the list,
 * since the rest of its name would read as a root of its own.
 */
struct bailey_sandbox_marks {
	enum bailey_sandbox_type type;
	bool network_disabled;
	const char *const *writable_roots; /**< absolute paths; may be NULL when there are none */
	size_t writable_root_count;
	bool vtcode_names; /**< set VTCODE_SANDBOX_* as well */
};

/**
 * `env` without what the filter drops: for a program that gets no sandbox but should not see
 * credentials. PWD and OLDPWD are dropped too, as the program's shell sets them. Of entries with
 * the same name the last counts; entries without '=' or without a name are dropped; the order is
 * that of first appearance. `env` is borrowed, NULL counts as empty.
 *
 * `*out` is one block of memory that the caller releases with free(3).
 * Errors: BAILEY_E_NOMEM.
 */
BAILEY_API int bailey_filter_sensitive_env(char *const env[], char ***out,
					   struct bailey_error *err);

/**
 * The environment of a sandboxed program: as bailey_filter_sensitive_env(), then PWD set to `cwd`
 * (absolute; NULL leaves it out) and the marks set (NULL: none). `only_preserved` keeps nothing of
 * `env` but bailey_preserved_env_vars().
 *
 * `*out` is one block of memory that the caller releases with free(3).
 * Errors: BAILEY_E_NOMEM.
 */
BAILEY_API int bailey_build_sanitized_env(char *const env[], bool only_preserved, const char *cwd,
					  const struct bailey_sandbox_marks *marks, char ***out,
					  struct bailey_error *err);

/**
 * Asks the kernel to send this process SIGTERM when the thread that created it ends, and makes
 * sure that this has not happened already. To be called in the child, after fork(2); `parent` is
 * the parent's process id, which the parent read before the fork. The setting is inherited by no
 * child and is lost when a program is run whose credentials differ (prctl(2), PR_SET_PDEATHSIG).
 *
 * Errors: BAILEY_E_NOT_FOUND when the parent has gone already, BAILEY_E_SYSTEM. Async-signal-safe.
 */
BAILEY_API int bailey_setup_parent_death_signal(pid_t parent, struct bailey_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_ENVIRONMENT_H */
