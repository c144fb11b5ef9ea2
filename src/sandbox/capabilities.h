/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_CAPABILITIES_H
#define SANDBOX_CAPABILITIES_H

/*
 * Gives up every capability of the calling thread: the ambient, inheritable, effective and
 * permitted sets (capabilities(7)), and what uid 0 would gain at exec, so that uid 0 inside is a
 * name and no power. For good together with no_new_privs.
 * Free for a process that has none. 0, or -1 and errno. For use between fork and exec.
 */
int capabilities_drop(void);

#endif /* SANDBOX_CAPABILITIES_H */
