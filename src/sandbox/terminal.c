/* SPDX-License-Identifier: MIT */
#include "sandbox/terminal.h"

#include "base/attr.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>

void
terminal_save(struct terminal *terminal)
{
	int exclusive = 0;

	*terminal = (struct terminal){ .fd = STDIN_FILENO };
	for (int fd = 0; fd < (int)COUNT_OF(terminal->flags); fd++) {
		terminal->flags[fd] = fcntl(fd, F_GETFL);
	}
	if (tcgetattr(terminal->fd, &terminal->modes) != 0) {
		terminal->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
		terminal->own = true;
	}
	if (terminal->fd < 0 || tcgetattr(terminal->fd, &terminal->modes) != 0) {
		return;
	}
	terminal->group = tcgetpgrp(terminal->fd);
	terminal->foreground = terminal->group == getpgrp();
	terminal->exclusive = ioctl(terminal->fd, TIOCGEXCL, &exclusive) == 0 && exclusive != 0;
}

/* Flags such as O_NONBLOCK belong to the open file, which the caller goes on to use. */
static void
restore_flags(const struct terminal *terminal)
{
	for (int fd = 0; fd < (int)COUNT_OF(terminal->flags); fd++) {
		int now = fcntl(fd, F_GETFL);

		if (now >= 0 && terminal->flags[fd] >= 0 && now != terminal->flags[fd]) {
			(void)fcntl(fd, F_SETFL, terminal->flags[fd]);
		}
	}
}

void
terminal_restore(struct terminal *terminal)
{
	restore_flags(terminal);
	if (terminal->fd >= 0 && terminal->foreground) {
		if (tcgetpgrp(terminal->fd) != terminal->group) {
			(void)tcsetpgrp(terminal->fd, terminal->group);
		}
		/* Output that was stopped would block whoever writes next. */
		(void)tcflow(terminal->fd, TCOON);
		(void)tcsetattr(terminal->fd, TCSADRAIN, &terminal->modes);
		if (!terminal->exclusive) {
			(void)ioctl(terminal->fd, TIOCNXCL);
		}
	}
	if (terminal->own && terminal->fd >= 0) {
		(void)close(terminal->fd);
	}
	terminal->fd = -1;
}

bool
terminal_is_job(const struct terminal *terminal, pid_t shell)
{
	return (terminal->foreground || (terminal->fd == STDIN_FILENO && terminal->group > 0)) &&
	       getsid(shell) == getsid(0) && getpgid(shell) != getpgrp();
}

bool
terminal_sent(const struct signalfd_siginfo *info)
{
	static const uint32_t to_group[] = { SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN,
					     SIGTTOU, SIGCONT, SIGWINCH };

	if (info->ssi_code != SI_KERNEL) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(to_group); i++) {
		if (to_group[i] == info->ssi_signo) {
			return true;
		}
	}
	return info->ssi_signo == SIGHUP && getsid(0) != getpid();
}
