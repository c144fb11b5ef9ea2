/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TREE_H
#define SANDBOX_TREE_H

/*
 * The tree of processes below one: who is in it, and what it has used up. Read from
 * /proc/PID/task/TID/children (proc_pid_task_children(5); needs CONFIG_PROC_CHILDREN), which is
 * accurate for processes that are not moving; a caller that wants all of them looks again until
 * nothing is left.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TREE_PIDS_MAX 4096U

struct tree {
	pid_t pids[TREE_PIDS_MAX];
	size_t count; /* TREE_PIDS_MAX when there are more */
};

/*
 * Everything below `root`, without it, but no more than `most` processes: looking at a fork bomb
 * must not take longer than it takes to see that it is one. `known` (may be NULL) are direct
 * children to leave out.
 */
void tree_collect(pid_t root, const struct tree *known, size_t most, struct tree *out);

struct tree_usage {
	uint64_t tasks;		/* processes and their threads */
	uint64_t memory_kib;	/* sum of the proportional set sizes when near the limit, else of
				 * the resident ones, which count shared pages more than once */
	uint64_t cpu_ms;	/* with what was reaped, user and system */
	uint64_t written_bytes; /* caused to be sent to storage; grows with dirtied pages */
};

/* From where on exact figures do not matter; 0: no limit. */
struct tree_bounds {
	uint64_t tasks;
	uint64_t memory_kib;
};

/*
 * What the tree below `root` uses, as far as it is within the bounds: of one that has more tasks
 * only that is told. `known` as in tree_collect(). Includes what ended and was waited for, since a
 * parent inherits that.
 */
void tree_measure(pid_t root, const struct tree *known, const struct tree_bounds *bounds,
		  struct tree_usage *out);

/* Is `pid` the calling thread's only child? */
bool tree_only_child(pid_t pid);

/* Is there such a file in /proc at all? */
bool tree_supported(void);

#endif /* SANDBOX_TREE_H */
