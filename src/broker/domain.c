/* SPDX-License-Identifier: MIT */

/*
 * Processes that confine themselves further with Landlock: a sandbox within the sandbox. What the
 * broker performs is judged by its own domain, which knows nothing of theirs, so it performs
 * nothing for them where Landlock has a say: the kernel goes on, and the floor, which grants no
 * writing in served roots, and their own domain decide.
 *
 * Whoever is in such a domain has children in it. The kernel tells nobody so, but it hands the
 * limits of a process on in the same way, and no limit can be raised again without a capability. So
 * RLIMIT_LOCKS, which has had no meaning since Linux 2.4.25, is the mark.
 */

#include "broker/request.h"

#include "base/attr.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

/* Nobody sets the limit, so it is infinite but for the marked. */
static bool
is_marked(const struct request *r)
{
	struct rlimit limit;

	return prlimit(r->tid, RLIMIT_LOCKS, NULL, &limit) != 0 || limit.rlim_max != RLIM_INFINITY;
}

bool
caller_is_confined(const struct request *r)
{
	return atomic_load(&r->broker->has_confined) && is_marked(r);
}

/* Whether it works or not: too much is left to the kernel then. */
static struct answer
enter_domain(struct request *r)
{
	static const struct rlimit mark = { RLIM_INFINITY - 1, RLIM_INFINITY - 1 };

	if (kill(r->tid, 0) != 0 || !caller_waits(r)) {
		return answer_error(EPERM);
	}
	atomic_store(&r->broker->has_confined, true);
	return is_marked(r) || prlimit(r->tid, RLIMIT_LOCKS, &mark, NULL) == 0
		       ? answer_continue()
		       : answer_error(EPERM);
}

static const struct call_row rows[] = {
	{ SYS_landlock_restrict_self, "landlock_restrict_self", enter_domain, EPERM, 0 },
};

const struct call_table domain_calls = { rows, COUNT_OF(rows) };
