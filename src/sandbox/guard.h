/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_GUARD_H
#define SANDBOX_GUARD_H

/*
 * The guard: a process that does nothing but outlive the launcher. When the launcher is gone, by
 * whatever signal, it ends everything that the launcher started and removes the temp directory.
 *
 * How a tree is ended: the launcher first enters a Landlock domain that has nothing but a signal
 * scope; the guard, the command and all that it starts are born in there. kill(-1, SIGKILL) from
 * inside reaches every process of that domain, wherever setsid and double forks have moved it, at
 * one stroke while no fork can go on (the kernel holds its list of tasks), and nothing outside.
 * The command, in a further domain of its own, can signal neither the launcher nor the guard.
 */

#include "sandbox/tempdir.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Enters the domain, for good. False where the kernel has no signal scope: then kill(-1) must not
 * be used, since it would reach everything that the user runs. errno may say why: E2BIG.
 */
bool guard_enter_scope(void);

/* Starts the guard. It acts when the last copy of `*alive`, which the caller gets, is closed. `shm`
 * may be NULL. */
struct shm_record;
pid_t guard_start(struct tempdir *tmp, const struct shm_record *shm, bool scoped, int *alive);

#endif /* SANDBOX_GUARD_H */
