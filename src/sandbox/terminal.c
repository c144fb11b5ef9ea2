/* SPDX-License-Identifier: MIT */
#include "sandbox/terminal.h"

#include <unistd.h>

void
terminal_save(struct terminal *terminal)
{
	terminal->is = tcgetattr(STDIN_FILENO, &terminal->modes) == 0;
	terminal->group = terminal->is ? tcgetpgrp(STDIN_FILENO) : -1;
	terminal->foreground = terminal->group == getpgrp();
}

void
terminal_restore(const struct terminal *terminal)
{
	if (!terminal->is || !terminal->foreground) {
		return;
	}
	if (tcgetpgrp(STDIN_FILENO) != terminal->group) {
		(void)tcsetpgrp(STDIN_FILENO, terminal->group);
	}
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->modes);
}
