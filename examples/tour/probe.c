/* SPDX-License-Identifier: MIT */

/*
 * probe - the deeds that the tour tries, and what they are done to
 *
 * One word says which. The first three are the tour's own: they run outside the sandbox, and what
 * they write into their FILE shows whether somebody reached them. The others are what a command
 * might try; they exit 0 when it worked as far as they can tell, 1 when it was refused. The tour
 * does not believe them: it looks at the effect.
 */

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ENVIRON_MAX ((size_t)1 << 20)

struct deed {
	const char *name;
	int arguments;
	int (*run)(char **argv);
	const char *usage;
};

/* What the tracer changes in the victim. Volatile: another process writes it. */
static volatile long touched;

static int
refused(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
	return 1;
}

static void
wait_ms(long ms)
{
	const struct timespec time = { ms / 1000, (ms % 1000) * 1000000 };

	(void)nanosleep(&time, NULL);
}

/* Writes one line under another name and renames it, so that a reader never sees half of it. */
static int
say(const char *path, const char *text)
{
	char temporary[4096];
	FILE *file;

	if (snprintf(temporary, sizeof(temporary), "%s.new", path) >= (int)sizeof(temporary)) {
		return -1;
	}
	file = fopen(temporary, "we");
	if (file == NULL) {
		return -1;
	}
	fprintf(file, "%s\n", text);
	if (fclose(file) != 0) {
		return -1;
	}
	return rename(temporary, path);
}

/* ---- the tour's own ---------------------------------------------------------------------- */

/* Accepts connections on a free port of 127.0.0.1 and writes what the last one sent. */
static int
listen_on_loopback(char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	char text[64];
	ssize_t got;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int peer;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
	    listen(listener, 8) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
		return refused("listen");
	}
	snprintf(text, sizeof(text), "%u", (unsigned int)ntohs(address.sin_port));
	if (say(argv[0], text) != 0) {
		return refused(argv[0]);
	}
	while ((peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		got = read(peer, text, sizeof(text) - 1);
		text[got > 0 ? got : 0] = '\0';
		(void)say(argv[1], text);
		(void)close(peer);
	}
	return refused("accept");
}

/* Waits until somebody changes `touched` in its memory, and writes that it happened. */
static int
be_a_victim(char **argv)
{
	char text[64];

	/* Where Yama lets only parents trace, this one agrees to anybody: the control must work. */
	(void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	snprintf(text, sizeof(text), "%p", (void *)(uintptr_t)&touched);
	if (say(argv[0], text) != 0) {
		return refused(argv[0]);
	}
	while (touched == 0) {
		wait_ms(10);
	}
	return say(argv[1], "touched") == 0 ? 0 : 1;
}

/* Stays, whatever it is asked to do, and writes its pid. */
static int
be_stuck(char **argv)
{
	char text[64];

	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	snprintf(text, sizeof(text), "%d", (int)getpid());
	if (say(argv[0], text) != 0) {
		return refused(argv[0]);
	}
	wait_ms(60000);
	return 0;
}

/* ---- deeds ------------------------------------------------------------------------------- */

static int
connect_to(char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return refused("socket");
	}
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)strtoul(argv[0], NULL, 10));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		return refused("connect");
	}
	if (write(fd, "reached", 7) != 7) {
		return refused("write");
	}
	return close(fd) == 0 ? 0 : 1;
}

static int
trace(char **argv)
{
	pid_t pid = (pid_t)strtol(argv[0], NULL, 10);
	void *address = (void *)(uintptr_t)strtoull(argv[1], NULL, 16);
	int status;

	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL) != 0) {
		return refused("ptrace");
	}
	if (waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_POKEDATA, pid, address, (void *)1) != 0) {
		return refused("poke");
	}
	return ptrace(PTRACE_DETACH, pid, NULL, NULL) == 0 ? 0 : refused("detach");
}

/*
 * Mounts on a directory, in a mount namespace of its own where that is to be had, so that the
 * control leaves nothing behind. Another device behind the same name is the proof.
 */
static int
mount_on(char **argv)
{
	const int flags = geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
	struct stat before;
	struct stat after;
	bool own = unshare(flags) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;

	if (stat(argv[0], &before) != 0) {
		return refused(argv[0]);
	}
	if (mount("tour", argv[0], "tmpfs", 0, "size=64k") != 0) {
		return refused("mount");
	}
	if (stat(argv[0], &after) != 0 || before.st_dev == after.st_dev) {
		return refused("mount had no effect");
	}
	if (!own) {
		(void)umount2(argv[0], MNT_DETACH);
	}
	puts("mounted");
	return 0;
}

/* Looks for NAME in the environment that a process was started with. */
static bool
leaks(const char *pid, const char *name)
{
	char path[64];
	char *text = malloc(ENVIRON_MAX);
	size_t length = 0;
	ssize_t got = 0;
	bool found = false;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (text == NULL || fd < 0) {
		free(text);
		return false;
	}
	while (length < ENVIRON_MAX && (got = read(fd, text + length, ENVIRON_MAX - length)) > 0) {
		length += (size_t)got;
	}
	(void)close(fd);
	for (size_t at = 0; at < length; at += strnlen(text + at, length - at) + 1) {
		size_t size = strnlen(text + at, length - at);

		if (size > strlen(name) && text[at + strlen(name)] == '=' &&
		    memcmp(text + at, name, strlen(name)) == 0) {
			printf("%.*s\n", (int)size, text + at);
			found = true;
		}
	}
	free(text);
	return found;
}

/* Prints a variable from wherever it can be had: the own environment, or anybody's. */
static int
leak(char **argv)
{
	const char *value = getenv(argv[0]);
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	bool found = value != NULL;

	if (value != NULL) {
		printf("%s=%s\n", argv[0], value);
	}
	while (proc != NULL && (entry = readdir(proc)) != NULL) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
			found |= leaks(entry->d_name, argv[0]);
		}
	}
	if (proc != NULL) {
		(void)closedir(proc);
	}
	return found ? 0 : 1;
}

/* Leaves a process behind in a session of its own, without a parent, which writes after a while. */
static int
outlive(char **argv)
{
	pid_t child = fork();
	int null;

	if (child != 0) {
		return child < 0 ? refused("fork") : 0;
	}
	(void)setsid();
	if (fork() != 0) {
		_exit(0);
	}
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; null >= 0 && fd < 3; fd++) {
		(void)dup2(null, fd);
	}
	wait_ms(700);
	return say(argv[0], "still here") == 0 ? 0 : 1;
}

static int
kill_it(char **argv)
{
	return kill((pid_t)strtol(argv[0], NULL, 10), SIGKILL) == 0 ? 0 : refused("kill");
}

static const struct deed deeds[] = {
	{ "connect", 1, connect_to, "PORT" },
	{ "kill", 1, kill_it, "PID" },
	{ "leak", 1, leak, "NAME" },
	{ "listen", 2, listen_on_loopback, "PORT-FILE FILE" },
	{ "mount", 1, mount_on, "DIR" },
	{ "outlive", 1, outlive, "FILE" },
	{ "stuck", 1, be_stuck, "PID-FILE" },
	{ "trace", 2, trace, "PID ADDRESS" },
	{ "victim", 2, be_a_victim, "ADDRESS-FILE FILE" },
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		if (strcmp(argv[1], deeds[i].name) == 0 && argc - 2 == deeds[i].arguments) {
			return deeds[i].run(argv + 2);
		}
	}
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		fprintf(stderr, "usage: probe %s %s\n", deeds[i].name, deeds[i].usage);
	}
	return 2;
}
