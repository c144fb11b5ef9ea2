/* SPDX-License-Identifier: MIT */

/* What many attacks need: paths, small files, marks, children. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

static const char mark[] = "ATTACKED\n";

enum outcome
tried(long result, const char *what)
{
	return result >= 0 ? succeeded("%s", what) : blocked("%s", what);
}

enum outcome
write_mark(int fd)
{
	if (fd < 0) {
		return blocked("open");
	}
	return tried(write(fd, mark, sizeof(mark) - 1), "write");
}

enum outcome
show(const char *data, ssize_t len)
{
	if (len <= 0) {
		return blocked("read");
	}
	return succeeded("data: %.*s", len > 300 ? 300 : (int)len, data);
}

enum outcome
show_file(int fd)
{
	char buf[4096];

	if (fd < 0) {
		return blocked("open");
	}
	return show(buf, read(fd, buf, sizeof(buf)));
}

const char *
path(const char *format, ...)
{
	char *text;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		abort();
	}
	return text;
}

const char *
temp_directory(void)
{
	const char *named = getenv("TMPDIR");

	return named != NULL ? named : "/tmp";
}

bool
make_file(const char *name)
{
	return put_text(name, "");
}

bool
put_text(const char *name, const char *text)
{
	AUTO_FD fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	size_t len = strlen(text);

	return fd >= 0 && write(fd, text, len) == (ssize_t)len;
}

bool
write_to(const char *name, const char *text)
{
	AUTO_FD fd = open(name, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);

	return fd >= 0 && write(fd, text, len) == (ssize_t)len;
}

ssize_t
read_text(const char *name, char *buf, size_t size)
{
	AUTO_FD fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, size - 1) : -1;

	buf[n > 0 ? n : 0] = '\0';
	return n;
}

bool
shell(const char *command)
{
	return system(command) == 0;
}

bool
bash(const char *command)
{
	pid_t child = fork();

	if (child == 0) {
		(void)execlp("bash", "bash", "-c", command, (char *)NULL);
		_exit(127);
	}
	return child > 0 && exit_status(child) == 0;
}

int
exit_status(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
		return -1;
	}
	return WEXITSTATUS(status);
}
