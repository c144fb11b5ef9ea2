/* SPDX-License-Identifier: MIT */
#ifndef BROKER_CONFINE_H
#define BROKER_CONFINE_H

/*
 * The broker's own seccomp filter: the calls that serving needs, and nothing that starts a program,
 * signals a process or makes a kernel object of another kind. Whatever else the broker could be
 * tricked into fails with EPERM. 0, or -1 and errno. Threads that are made afterwards have it too.
 */
int confine_self(void);

#endif /* BROKER_CONFINE_H */
