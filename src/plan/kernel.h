/* SPDX-License-Identifier: MIT */
#ifndef PLAN_KERNEL_H
#define PLAN_KERNEL_H

/* What this kernel and this version can hold of a policy; inside of the plan room. */

#include "plan/compile.h"

/* Fails when the kernel lacks what the policy needs; with best_effort, notes the gap instead. */
int kernel_check(struct compile *c);

/* Fails when the policy asks for what a later version will hold, or for what only the broker can
 * where there is none. */
int version_check(struct compile *c);

/* Does the policy allow every unix socket ("*")? */
bool policy_any_unix_socket(const struct bailey_policy *policy);

#endif /* PLAN_KERNEL_H */
