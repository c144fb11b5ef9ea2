/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

/* Landlock rulesets: from a plan to a descriptor. */

#include "plan/plan.h"

/* What the running kernel offers, by trying. `pretend_abi` above 0 hides what came later. */
void host_probe(struct host *host, int pretend_abi);

/*
 * A ruleset with all rules of the plan, ready for landlock_restrict_self(2), as a close-on-exec
 * descriptor of the caller's. A path that vanished since the plan was made is skipped, unless it
 * was named by somebody. Makes the directories of rules that say so.
 */
int landlock_build(const struct plan *plan, int *ruleset, struct bailey_error *err);

/*
 * The ruleset of the plan's broker, in whose domain the command is born: it writes where the
 * command may and in the served roots, reads everything, and keeps signals and abstract sockets
 * inside.
 */
int landlock_build_broker(const struct plan *plan, int *ruleset, struct bailey_error *err);

/* A ruleset that does nothing but keep signals inside; -1 and errno where there is no such scope.
 */
int landlock_signal_scope(void);

/* 0, or -1 and errno. For use between fork and exec. */
int landlock_restrict(int ruleset);

#endif /* SANDBOX_LANDLOCK_H */
