/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TERMINAL_H
#define SANDBOX_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

/* The terminal on stdin as it was found, to leave it so whatever the command did to it. */
struct terminal {
	bool is;
	bool foreground; /* this process group had it */
	pid_t group;
	struct termios modes;
};

void terminal_save(struct terminal *terminal);

/* Gives the terminal back to the group that had it, with its modes. SIGTTOU must be blocked. */
void terminal_restore(const struct terminal *terminal);

#endif /* SANDBOX_TERMINAL_H */
