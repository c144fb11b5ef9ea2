/* SPDX-License-Identifier: MIT */
#ifndef POLICY_PIECES_H
#define POLICY_PIECES_H

/*
 * Parts of a policy's wire form on their own, as sandbox launchers take them: what is in force,
 * not what was written. The caller frees `*text` with free(3). BAILEY_E_NOMEM.
 */

#include "policy/policy.h"

/* {"max_memory_mb":...}: policy_limits(). */
int policy_limits_json(const struct bailey_policy *policy, char **text, struct bailey_error *err);

/* {"blocked_syscalls":[...],...}: policy_seccomp(). */
int policy_seccomp_json(const struct bailey_policy *policy, char **text, struct bailey_error *err);

#endif /* POLICY_PIECES_H */
