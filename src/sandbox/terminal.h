/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TERMINAL_H
#define SANDBOX_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

/*
 * The terminal, and the standard streams, as they were found: the command shares them with the
 * caller, and they are left so whatever it did to them. The terminal is stdin, else the one that
 * controls this process, also when all streams are redirected.
 */
struct terminal {
	int fd;		 /* -1: there is none */
	bool own;	 /* opened here, to be closed */
	bool foreground; /* this process group had it */
	bool exclusive;
	pid_t group;
	struct termios modes;
	int flags[3]; /* of the descriptors 0 to 2, as of fcntl(F_GETFL); -1: not open */
};

void terminal_save(struct terminal *terminal);

/*
 * Gives the terminal back to the group that had it, with its modes, and the streams their flags.
 * SIGTTOU must be blocked.
 */
void terminal_restore(struct terminal *terminal);

/*
 * Does `shell` wait for this process as for one of its jobs, so that it must stop with the command?
 * The command decides when it stops: to stop with it where nobody will continue it would leave it
 * without clock and limits.
 */
bool terminal_is_job(const struct terminal *terminal, pid_t shell);

/*
 * Has the command had this signal already? One from the terminal went to the whole foreground
 * group; any other went to this process alone. That includes SIGHUP to the leader of a session,
 * whose terminal is gone, and the alarm that was set before bailey was executed.
 */
struct signalfd_siginfo;
bool terminal_sent(const struct signalfd_siginfo *info);

#endif /* SANDBOX_TERMINAL_H */
