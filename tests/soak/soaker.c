/* SPDX-License-Identifier: MIT */

/*
 * usage: soaker --calls N [--workers N] [--kill] [--broker-faults] [--token TEXT] [--foreign PORT]
 *
 * Starts the workers and, if so, kills them at random and starts others in their place. It speaks
 * with run.py, which looks at the broker in between:
 *
 *     READY          a short round has warmed everything up; waits for a line
 *     WRONG ...      what is not as it should be, as it comes
 *     RESULT ...     all calls have been made and no worker is left; waits for the end of stdin
 */

#include "soak.h"

#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP 2000UL
#define STUCK_SECONDS 30
#define STACK_TOUCHED 65536
#define KILL_EVERY_US 2500

struct soak {
	struct tally *tally;
	unsigned long calls; /* to be made */
	unsigned int workers;
	bool kills;
	bool broker_faults;
	const char *token;
	unsigned int foreign;
	uint64_t random;
	unsigned long killed;
	pid_t pids[WORKERS_MAX];
	unsigned long beats[WORKERS_MAX]; /* as last seen, and when */
	time_t beat_at[WORKERS_MAX];
	unsigned int generations;
};

static time_t
now(void)
{
	struct timespec time = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* ---- a worker ----------------------------------------------------------------------------- */

static void
on_alarm(int number)
{
	(void)number;
}

static void
start_signals(unsigned int faults)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = on_alarm };

	if ((faults & (FAULT_SIGNALS | FAULT_RESTART)) == 0) {
		return;
	}
	action.sa_flags = (faults & FAULT_RESTART) != 0 ? SA_RESTART : 0;
	(void)sigaction(SIGALRM, &action, NULL);
	(void)setitimer(ITIMER_REAL, &often, NULL);
}

/* The stack does not grow where there is no memory for it. */
static void
touch_stack(void)
{
	volatile char room[STACK_TOUCHED];

	for (size_t i = 0; i < sizeof(room); i += 1024) {
		room[i] = 0;
	}
}

static void
set_limit(int what, rlim_t value)
{
	struct rlimit limit;

	(void)getrlimit(what, &limit);
	limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
	(void)setrlimit(what, &limit);
}

/* Puts a fault on for one deed. */
static void
work_under_limits(struct worker *w)
{
	if ((w->faults & FAULT_FILES) != 0) {
		set_limit(RLIMIT_NOFILE, 3 + next_random(w) % 3);
	}
	if ((w->faults & FAULT_MEMORY) != 0) {
		set_limit(RLIMIT_AS, 4096);
	}
	work_once(w);
	set_limit(RLIMIT_NOFILE, RLIM_INFINITY);
	set_limit(RLIMIT_AS, RLIM_INFINITY);
}

static void
enter_directory(unsigned int number)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "w%u", number);
	for (unsigned int i = 0; chdir(name) != 0; i++) {
		(void)mkdir(name, 0755);
		(void)usleep(i * 100);
	}
}

static void
be_worker(struct soak *s, unsigned int number, unsigned int faults, unsigned long calls)
{
	struct worker w = { .tally = s->tally,
			    .number = number,
			    .faults = faults,
			    .random = s->random ^ (UINT64_C(0x9e3779b97f4a7c15) * (number + 1)),
			    .token = s->token,
			    .foreign = s->foreign };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)umask(022);
	touch_stack();
	enter_directory(number);
	scrub(&w);
	start_signals(faults);
	while (atomic_load(&s->tally->calls) < calls) {
		work_under_limits(&w);
		scrub(&w);
	}
	_exit(0);
}

/* ---- all of them -------------------------------------------------------------------------- */

static uint64_t
draw(struct soak *s)
{
	s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return s->random >> 33;
}

/* Each worker has faults of its own, by its number. */
static unsigned int
faults_of(const struct soak *s, unsigned int number)
{
	static const unsigned int kinds[] = {
		0,	     FAULT_SIGNALS, FAULT_RESTART,
		FAULT_FILES, FAULT_MEMORY,  FAULT_SIGNALS | FAULT_FILES,
		0,	     FAULT_RESTART
	};

	return kinds[number % (sizeof(kinds) / sizeof(kinds[0]))] |
	       (s->broker_faults ? (unsigned int)FAULT_BROKER : 0);
}

/* There may be no room for one more (--pids): then later. */
static void
start_worker(struct soak *s, unsigned int number, unsigned long calls)
{
	(void)draw(s);
	s->beat_at[number] = now();
	s->pids[number] = fork();
	if (s->pids[number] == 0) {
		be_worker(s, number, faults_of(s, number), calls);
	}
	s->pids[number] = s->pids[number] > 0 ? s->pids[number] : 0;
}

static void
note_end(struct soak *s, pid_t pid, int status)
{
	for (unsigned int i = 0; i < s->workers; i++) {
		if (s->pids[i] != pid) {
			continue;
		}
		s->pids[i] = 0;
		if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) {
			printf("WRONG worker %u ended by signal %d\n", i, WTERMSIG(status));
			atomic_fetch_add(&s->tally->wrong, 1);
		}
	}
}

static void
reap(struct soak *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		note_end(s, pid, status);
	}
}

static void
look_for_stuck(struct soak *s, unsigned int i)
{
	unsigned long beats = atomic_load(&s->tally->beats[i]);

	if (beats != s->beats[i] || s->pids[i] == 0) {
		s->beats[i] = beats;
		s->beat_at[i] = now();
	} else if (now() - s->beat_at[i] > STUCK_SECONDS) {
		printf("WRONG worker %u (faults %u) has not moved for %d s\n", i, faults_of(s, i),
		       STUCK_SECONDS);
		atomic_fetch_add(&s->tally->wrong, 1);
		(void)kill(s->pids[i], SIGKILL);
		s->beat_at[i] = now();
	}
}

static void
kill_one(struct soak *s)
{
	pid_t pid = s->pids[draw(s) % s->workers];

	if (pid > 0 && kill(pid, SIGKILL) == 0) {
		s->killed++;
	}
}

static bool
is_any_alive(const struct soak *s)
{
	for (unsigned int i = 0; i < s->workers; i++) {
		if (s->pids[i] != 0) {
			return true;
		}
	}
	return false;
}

/* Until that many calls have been made. */
static void
make_calls(struct soak *s, unsigned long calls)
{
	bool more = true;

	while (more || is_any_alive(s)) {
		more = atomic_load(&s->tally->calls) < calls;
		for (unsigned int i = 0; more && i < s->workers; i++) {
			if (s->pids[i] == 0) {
				start_worker(s, i, calls);
			}
		}
		if (s->kills && more) {
			kill_one(s);
		}
		(void)usleep((useconds_t)(draw(s) % KILL_EVERY_US));
		reap(s);
		for (unsigned int i = 0; i < s->workers; i++) {
			look_for_stuck(s, i);
		}
	}
}

static void
remove_directories(struct soak *s)
{
	for (unsigned int i = 0; i < s->workers; i++) {
		struct worker w = { .tally = s->tally, .number = i, .token = s->token };
		char name[32];

		(void)snprintf(name, sizeof(name), "w%u", i);
		if (chdir(name) == 0) {
			scrub(&w);
			(void)!chdir("..");
		}
		for (unsigned int tries = 0; rmdir(name) != 0 && tries < 1000; tries++) {
			(void)usleep(1000);
		}
	}
}

static bool
read_options(struct soak *s, int argc, char **argv)
{
	static const struct option options[] = {
		{ "calls", required_argument, NULL, 'n' },
		{ "workers", required_argument, NULL, 'w' },
		{ "kill", no_argument, NULL, 'k' },
		{ "broker-faults", no_argument, NULL, 'b' },
		{ "token", required_argument, NULL, 't' },
		{ "foreign", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'n':
			s->calls = strtoul(optarg, NULL, 10);
			break;
		case 'w':
			s->workers = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		case 'k':
			s->kills = true;
			break;
		case 'b':
			s->broker_faults = true;
			break;
		case 't':
			s->token = optarg;
			break;
		case 'f':
			s->foreign = (unsigned int)strtoul(optarg, NULL, 10);
			break;
		default:
			return false;
		}
	}
	return s->calls > 0 && s->workers > 0 && s->workers <= WORKERS_MAX;
}

int
main(int argc, char **argv)
{
	struct soak s = { .workers = 64, .token = "soak", .random = (uint64_t)time(NULL) };
	bool faults;
	char line[16];

	if (!read_options(&s, argc, argv)) {
		return 2;
	}
	s.tally = mmap(NULL, sizeof(*s.tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (s.tally == MAP_FAILED) {
		return 2;
	}
	(void)setvbuf(stdout, NULL, _IONBF, 0);
	faults = s.broker_faults;
	s.broker_faults = false;
	make_calls(&s, WARM_UP);
	printf("READY\n");
	if (fgets(line, sizeof(line), stdin) == NULL) {
		return 1;
	}
	s.broker_faults = faults;
	make_calls(&s, WARM_UP + s.calls);
	remove_directories(&s);
	printf("RESULT calls=%lu killed=%lu interrupted=%lu refused=%lu wrong=%lu\n",
	       atomic_load(&s.tally->calls), s.killed, atomic_load(&s.tally->interrupted),
	       atomic_load(&s.tally->refused), atomic_load(&s.tally->wrong));
	(void)!fgets(line, sizeof(line), stdin);
	return atomic_load(&s.tally->wrong) == 0 ? 0 : 1;
}
