/* SPDX-License-Identifier: MIT */

/*
 * A process that tries to outlive its sandbox.
 *
 *     sleeper TOKEN MODE
 *
 * It runs itself again under the name "sleeper-TOKEN", by which run.py finds it from outside.
 */

#include "base/attr.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#define LIFETIME 40 /* seconds */
#define BOMB_SIZE 300

static void
sleep_on(void)
{
	(void)alarm(LIFETIME);
	for (;;) {
		(void)pause();
	}
}

/* Takes the name and sleeps. */
static void
become_sleeper(const char *program, const char *token)
{
	char name[200];
	char *argv[] = { name, NULL };

	(void)snprintf(name, sizeof(name), "sleeper-%s", token);
	(void)execv("/proc/self/exe", argv);
	(void)execv(program, argv);
	_exit(1);
}

static void
ignore_signals(void)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT };
	size_t i;

	for (i = 0; i < COUNT_OF(signals); i++) {
		(void)signal(signals[i], SIG_IGN);
	}
	(void)prctl(PR_SET_PDEATHSIG, 0);
}

/*
 * In the way of daemons: a session of its own, no parent, no terminal, no descriptors. True in the
 * daemon, false in the process that called, once the daemon had time to start.
 */
static bool
become_daemon(void)
{
	int fd;

	if (fork() != 0) {
		(void)usleep(300000);
		return false;
	}
	(void)setsid();
	if (fork() != 0) {
		_exit(0);
	}
	ignore_signals();
	(void)close_range(0, 1023, 0);
	fd = open("/dev/null", O_RDWR);
	(void)dup2(fd, STDOUT_FILENO);
	(void)dup2(fd, STDERR_FILENO);
	return true;
}

static void
explode(const char *program, const char *token)
{
	int i;

	for (i = 0; i < BOMB_SIZE; i++) {
		if (fork() == 0) {
			become_sleeper(program, token);
		}
	}
	sleep_on();
}

/* ---- modes ----------------------------------------------------------------------------------- */

static void
be_plain(const char *program, const char *token)
{
	become_sleeper(program, token);
}

static void
be_stubborn(const char *program, const char *token)
{
	ignore_signals();
	become_sleeper(program, token);
}

/* Without descriptors nobody sees the end of its output. */
static void
be_closed(const char *program, const char *token)
{
	ignore_signals();
	(void)close_range(0, 2, 0);
	become_sleeper(program, token);
}

static void
be_daemon(const char *program, const char *token)
{
	if (become_daemon()) {
		become_sleeper(program, token);
	}
	sleep_on();
}

static void
be_daemon_and_exit(const char *program, const char *token)
{
	if (become_daemon()) {
		become_sleeper(program, token);
	}
	exit(0);
}

static const struct {
	const char *name;
	void (*run)(const char *program, const char *token);
} modes[] = {
	{ "plain", be_plain },	 { "stubborn", be_stubborn }, { "closed", be_closed },
	{ "daemon", be_daemon }, { "bomb", explode },	      { "daemon-exit", be_daemon_and_exit },
};

int
main(int argc, char *argv[])
{
	size_t i;

	if (argc == 1 && strncmp(argv[0], "sleeper-", 8) == 0) {
		sleep_on();
	}
	for (i = 0; argc == 3 && i < COUNT_OF(modes); i++) {
		if (strcmp(modes[i].name, argv[2]) == 0) {
			modes[i].run(argv[0], argv[1]);
		}
	}
	(void)fprintf(stderr, "usage: sleeper TOKEN MODE\n");
	return 2;
}
