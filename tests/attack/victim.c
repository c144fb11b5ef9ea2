/* SPDX-License-Identifier: MIT */

/*
 * A process that attacks may not touch.
 *
 *     victim DIRECTORY SECRET
 *
 * It holds a secret in its memory, in its environment (run.py sets that) and behind a descriptor,
 * another descriptor that writes, and DIRECTORY/victim as its working directory. Each signal that
 * it gets becomes a line in DIRECTORY/signals.log. It prints where all of that is, as key=value.
 *
 *     victim --namespaces
 *
 * It only sits in a user and mount namespace of its own.
 */

#include "base/attr.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#define LIFETIME 1800 /* seconds, should run.py be gone */

/* On pages of its own, so that they can be acted on alone. */
static struct {
	char secret[128];
	char mark[128]; /* run.py watches it */
} memory __attribute__((aligned(4096)));

static int log_fd;

static void
on_signal(int number)
{
	char line[] = "signal 00\n";

	line[7] = (char)('0' + number / 10);
	line[8] = (char)('0' + number % 10);
	if (write(log_fd, line, sizeof(line) - 1) < 0) {
		_exit(1);
	}
}

static int
open_in(const char *directory, const char *name, int flags)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	return open(path, flags, 0644);
}

static void
wait_for_attacks(void)
{
	(void)fflush(stdout);
	(void)close(STDOUT_FILENO);
	(void)alarm(LIFETIME);
	for (;;) {
		(void)pause();
	}
}

static void
show_self(const char *directory)
{
	int read_fd = open_in(directory, "victim/read.txt", O_RDONLY);
	int write_fd = open_in(directory, "victim/write.txt", O_WRONLY | O_APPEND);

	(void)printf("victim=%d\nvictim_secret=%lu\nvictim_read_fd=%d\nvictim_write_fd=%d\n",
		     getpid(), (unsigned long)(uintptr_t)&memory, read_fd, write_fd);
}

int
main(int argc, char *argv[])
{
	static const int signals[] = { SIGUSR1, SIGUSR2, SIGIO, SIGURG };
	char place[4096];
	size_t i;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc == 2 && strcmp(argv[1], "--namespaces") == 0) {
		(void)unshare(CLONE_NEWUSER | CLONE_NEWNS);
		(void)printf("namespace_victim=%d\n", getpid());
		wait_for_attacks();
	}
	if (argc != 3) {
		(void)fprintf(stderr, "usage: victim DIRECTORY SECRET | --namespaces\n");
		return 2;
	}
	(void)snprintf(memory.secret, sizeof(memory.secret), "%s", argv[2]);
	(void)snprintf(memory.mark, sizeof(memory.mark), "untouched");
	/* The secret is in memory only, not in what /proc shows of the arguments. */
	memset(argv[2], 'x', strlen(argv[2]));
	log_fd = open_in(argv[1], "signals.log", O_WRONLY | O_APPEND | O_CREAT | O_TRUNC);
	(void)snprintf(place, sizeof(place), "%s/victim", argv[1]);
	if (log_fd < 0 || chdir(place) != 0 || setpgid(0, 0) != 0) {
		perror("victim");
		return 1;
	}
	for (i = 0; i < COUNT_OF(signals); i++) {
		(void)signal(signals[i], on_signal);
	}
	show_self(argv[1]);
	wait_for_attacks();
}
