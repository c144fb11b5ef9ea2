/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_LIMITS_H
#define SANDBOX_LIMITS_H

#include "policy/policy.h"

/*
 * Sets the rlimits of the calling process from a policy's limits; never raises one. What they
 * cannot say of a whole tree is sampled by the launcher (tree.h).
 *
 *   max_memory_mb   RLIMIT_DATA: private writable memory. Not RLIMIT_AS, which counts address
 *                   space and so breaks programs that reserve much (V8, Go, the JVM, sanitizers)
 *   max_disk_mb     RLIMIT_FSIZE: the length of a file
 *   cpu_time_secs   RLIMIT_CPU: SIGXCPU, and SIGKILL a second later
 *   max_open_files  RLIMIT_NOFILE
 *   max_pids        RLIMIT_NPROC, but far above it, as a backstop against fork bombs: it counts all
 *                   of the user's processes and exempts root (setrlimit(2)), so it cannot be the
 *                   limit itself, which the launcher measures
 * Core dumps are off: they would write a process's memory into the workspace.
 *
 * 0, or -1 and errno. For use between fork and exec.
 */
int limits_apply(const struct limits *limits);

#endif /* SANDBOX_LIMITS_H */
