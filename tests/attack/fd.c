/* SPDX-License-Identifier: MIT */

/* Descriptors that the caller of the sandbox left open. run.py opens them; where does not matter.
 */

#include "attack.h"

#include "base/attr.h"

#include "sockets.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST 3
#define LAST 255

static bool
is_a(int fd, mode_t type)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

static enum outcome
nothing_found(void)
{
	errno = EBADF;
	return blocked("nothing was left open");
}

static enum outcome
read_file(const struct scene *s)
{
	char buf[300];
	int fd;

	(void)s;
	for (fd = FIRST; fd <= LAST; fd++) {
		ssize_t n = is_a(fd, S_IFREG) ? pread(fd, buf, sizeof(buf), 0) : -1;

		if (n > 0 && memmem(buf, (size_t)n, "SECRET-", 7) != NULL) {
			return show(buf, n);
		}
	}
	return nothing_found();
}

static enum outcome
write_file(const struct scene *s)
{
	int fd;

	(void)s;
	for (fd = FIRST; fd <= LAST; fd++) {
		if (is_a(fd, S_IFREG) && write(fd, "ATTACKED\n", 9) == 9) {
			return succeeded("wrote to descriptor %d", fd);
		}
	}
	return nothing_found();
}

static enum outcome
create_in_directory(const struct scene *s)
{
	int fd;

	(void)s;
	for (fd = FIRST; fd <= LAST; fd++) {
		if (is_a(fd, S_IFDIR)) {
			return write_mark(openat(fd, "new.txt", O_WRONLY | O_CREAT, 0644));
		}
	}
	return nothing_found();
}

static enum outcome
create_in_standard_input(const struct scene *s)
{
	(void)s;
	return write_mark(openat(STDIN_FILENO, "new.txt", O_WRONLY | O_CREAT, 0644));
}

static enum outcome
change_mode_of_standard_input(const struct scene *s)
{
	(void)s;
	return tried(fchmod(STDIN_FILENO, 0777), "fchmod");
}

/* Connected sockets answer, others may be sent from, those that listen may be accepted from. */
static enum outcome
talk_on_socket(const struct scene *s)
{
	int fd;

	(void)s;
	for (fd = FIRST; fd <= LAST; fd++) {
		if (is_a(fd, S_IFSOCK)) {
			return talk(fd);
		}
	}
	return nothing_found();
}

static enum outcome
send_from_socket(const struct scene *s)
{
	struct address listener = local_path(s->unix_datagram);
	int fd;

	for (fd = FIRST; fd <= LAST; fd++) {
		if (is_a(fd, S_IFSOCK)) {
			return send_tag(fd, &listener, s);
		}
	}
	return nothing_found();
}

static enum outcome
find_any(const struct scene *s)
{
	int fd;

	(void)s;
	for (fd = FIRST; fd <= LAST; fd++) {
		char target[100] = "";

		if (fcntl(fd, F_GETFD) >= 0) {
			(void)!readlink(path("/proc/self/fd/%d", fd), target, sizeof(target) - 1);
			return succeeded("descriptor %d is %s", fd, target);
		}
	}
	return nothing_found();
}

/* The caller closed 0 and 2: whatever the sandbox opens itself gets their numbers. */
static enum outcome
find_in_place_of_standard(const struct scene *s)
{
	static const int closed[] = { STDIN_FILENO, STDERR_FILENO };
	size_t i;

	(void)s;
	for (i = 0; i < COUNT_OF(closed); i++) {
		char target[100] = "";

		if (fcntl(closed[i], F_GETFD) < 0) {
			continue;
		}
		(void)!readlink(path("/proc/self/fd/%d", closed[i]), target, sizeof(target) - 1);
		if (strcmp(target, "/dev/null") != 0) {
			return succeeded("descriptor %d is %s", closed[i], target);
		}
	}
	return nothing_found();
}

const struct attack fd_attacks[] = {
	{ "read", PROOF_SECRET, "reads a file that was left open", read_file },
	{ "write", PROOF_FILES, "writes to a file that was left open", write_file },
	{ "directory", PROOF_FILES, "creates in a directory that was left open",
	  create_in_directory },
	{ "stdin_directory", PROOF_FILES, "creates in a directory that is its standard input",
	  create_in_standard_input },
	{ "stdin_chmod", PROOF_FILES, "changes the mode of what its standard input is",
	  change_mode_of_standard_input },
	{ "tcp", PROOF_RECEIVED, "talks on a connection that was left open", talk_on_socket },
	{ "unix", PROOF_RECEIVED, "talks on a local connection that was left open",
	  talk_on_socket },
	{ "datagram", PROOF_RECEIVED, "sends from a socket that was left open", send_from_socket },
	{ "any", PROOF_CALL, "finds any descriptor that was left open", find_any },
	{ "closed_stdio", PROOF_CALL, "finds a descriptor in the place of a closed one",
	  find_in_place_of_standard },
	{ 0 },
};
