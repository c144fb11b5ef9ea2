/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_MANAGER_H
#define BAILEY_MANAGER_H

/**
 * bailey/manager.h - turning a command and a policy into what has to be spawned
 *
 * For programs that start processes themselves: a command goes in, and out comes another command,
 * the launcher of a sandbox with the policy as arguments, or the same one where no sandbox is
 * asked for. Nothing is run here.
 *
 * The shape is that of vtcode-safety's SandboxManager, so that its data can be used as it is.
 *
 * Threads:    may be called from any thread.
 */

#include <bailey/environment.h>
#include <bailey/error.h>
#include <bailey/policy.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What ends a command that does not end by itself. Values are ABI. */
enum bailey_expiration_kind {
	BAILEY_EXPIRATION_DEFAULT = 0,	    /**< after BAILEY_EXPIRATION_DEFAULT_MS */
	BAILEY_EXPIRATION_TIMEOUT = 1,	    /**< after `timeout_ms` */
	BAILEY_EXPIRATION_CANCELLATION = 2, /**< when the caller cancels it, and only then */
};

/** vtcode-safety's default of 30 seconds. */
#define BAILEY_EXPIRATION_DEFAULT_MS 30000

struct bailey_exec_expiration {
	enum bailey_expiration_kind kind;
	uint64_t timeout_ms; /**< milliseconds of wall clock; for BAILEY_EXPIRATION_TIMEOUT */
};

/** The time in milliseconds; 0 when only the caller ends the command. `*expiration` is borrowed. */
BAILEY_API uint64_t bailey_exec_expiration_ms(const struct bailey_exec_expiration *expiration);

/** A command as somebody asks for it. Start from `{ 0 }`. Everything is borrowed. */
struct bailey_command_spec {
	const char *program; /**< a path, or a name that the launcher looks up in PATH */
	char *const *args;   /**< without the program, NULL-terminated; NULL for none */
	const char *cwd;     /**< absolute; NULL for the policy's */
	/** Its environment, NULL-terminated; of entries with the same name the last counts, so that
	 * overrides may simply be appended. NULL for an empty one. */
	char *const *env;
	/** The user's home directory, absolute: where "~" in a policy is. NULL takes HOME of `env`,
	 * which is right only when nobody untrusted can set it. A Linux launcher knows HOME alone,
	 * so a HOME that differs from this is refused there. */
	const char *home;
	struct bailey_exec_expiration expiration;
	/** With additional permissions, pass the policy of bailey_permissions_apply(). */
	enum bailey_permissions sandbox_permissions;
	const char *justification; /**< needed where the permissions leave the sandbox */
};

/** A command as it has to be spawned. Owned by bailey_exec_env_free(). */
struct bailey_exec_env {
	const char *program; /**< as execve(2) takes it; a bare name only without a sandbox */
	char *const *argv;   /**< program and args, NULL-terminated */
	char *const *args;   /**< the same without the program */
	const char *cwd;
	char *const *env;
	struct bailey_exec_expiration expiration;
	bool sandbox_active;
	enum bailey_sandbox_type sandbox_type;
};

/** Can this system run a sandbox of that type? Asks the kernel. BAILEY_SANDBOX_NONE always is. */
BAILEY_API bool bailey_sandbox_type_available(enum bailey_sandbox_type type);

/**
 * Turns `spec` into what has to be spawned to hold it to `policy`.
 *
 * Without a sandbox (policies danger_full_access and external_sandbox, and permissions that leave
 * it), the command and its environment stay as they are. Otherwise the environment is filtered
 * (bailey_build_sanitized_env(), with the marks under both names), and the command becomes
 *
 *     HELPER [sandbox-exec] --sandbox-policy-cwd DIR --sandbox-policy JSON --seccomp-profile JSON
 *            --resource-limits JSON -- PROGRAM ARGS...            (BAILEY_SANDBOX_LINUX_LANDLOCK)
 *     /usr/bin/sandbox-exec -p PROFILE -- PROGRAM ARGS...         (BAILEY_SANDBOX_MACOS_SEATBELT)
 *
 * `sandbox_policy_cwd` (absolute) is the directory that relative paths of the policy start from.
 * `helper_path` (absolute) is the launcher on Linux; when its last component is "bailey", the word
 * "sandbox-exec" comes first. Seatbelt has no use for it, and it may be NULL there.
 *
 * Errors: BAILEY_E_UNSUPPORTED when the type is not available here or cannot hold the policy;
 * BAILEY_E_NOT_FOUND when the helper is missing or not executable; BAILEY_E_REFUSED for the type
 * "none" with a policy that asks for a sandbox, and for a HOME that is not `home`; BAILEY_E_INVALID
 * for a command, directory or policy that makes no sense and for a missing justification;
 * BAILEY_E_LIMIT when the policy is longer than an argument may be; BAILEY_E_NOMEM. `*out` is NULL
 * then.
 */
BAILEY_API BAILEY_MUST_CHECK int
bailey_sandbox_transform(const struct bailey_command_spec *spec, const struct bailey_policy *policy,
			 const char *sandbox_policy_cwd, enum bailey_sandbox_type type,
			 const char *helper_path, struct bailey_exec_env **out,
			 struct bailey_error *err);

/** Ends what bailey_sandbox_transform() made. NULL is allowed. */
BAILEY_API void bailey_exec_env_free(struct bailey_exec_env *env);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_MANAGER_H */
