/* SPDX-License-Identifier: MIT */

/* Using more than the limits that run.py gave to the sandbox. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define MEBIBYTE (1L << 20)
#define CHILDREN_MAX 400
#define DESCRIPTORS 3000

/* ---- processes ------------------------------------------------------------------------------- */

static long
children_wanted(const struct scene *s)
{
	long wanted = 2 * s->pids + 100;

	return wanted < CHILDREN_MAX ? wanted : CHILDREN_MAX;
}

static void
end_children(const pid_t *children, long count)
{
	long i;

	for (i = 0; i < count; i++) {
		(void)kill(children[i], SIGKILL);
	}
	for (i = 0; i < count; i++) {
		(void)exit_status(children[i]);
	}
}

static void
wait_to_be_killed(void)
{
	(void)alarm(10);
	(void)pause();
	_exit(0);
}

/* Neither gone nor a child that is only waiting to be asked for its status. */
static bool
is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 && waitpid(pid, NULL, WNOHANG) != pid;
}

/*
 * A watcher may take its time: the children stay for a second, and those that are then still there
 * have escaped the limit.
 */
static enum outcome
count_survivors(const pid_t *children, long count, long wanted)
{
	struct timespec second = { .tv_sec = 1 };
	long alive = 0;
	long i;

	(void)nanosleep(&second, NULL);
	for (i = 0; i < count; i++) {
		alive += is_alive(children[i]);
	}
	end_children(children, count);
	return alive == wanted ? succeeded("%ld processes", alive)
			       : blocked("stopped at %ld processes", alive);
}

static enum outcome
fork_many(const struct scene *s)
{
	static pid_t children[CHILDREN_MAX];
	long wanted = children_wanted(s);
	long count;

	for (count = 0; count < wanted; count++) {
		children[count] = fork();
		if (children[count] < 0) {
			break;
		}
		if (children[count] == 0) {
			wait_to_be_killed();
		}
	}
	return count_survivors(children, count, wanted);
}

/* Orphans in sessions of their own: none of them is a child of this process. */
static enum outcome
fork_orphans(const struct scene *s)
{
	long wanted = children_wanted(s);
	pid_t *orphans = mmap(NULL, sizeof(pid_t) * CHILDREN_MAX, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long count;

	for (count = 0; count < wanted; count++) {
		pid_t child = fork();

		if (child == 0) {
			pid_t orphan = fork();

			if (orphan == 0) {
				(void)setsid();
				wait_to_be_killed();
			}
			orphans[count] = orphan;
			_exit(orphan > 0 ? 0 : 1);
		}
		if (child < 0 || exit_status(child) != 0) {
			break;
		}
	}
	return count_survivors(orphans, count, wanted);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Maps and touches; false when there is no more. */
static bool
take_memory(long mebibytes, int kind)
{
	size_t size = (size_t)(mebibytes * MEBIBYTE);
	volatile char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
	size_t at;

	if (memory == MAP_FAILED) {
		return false;
	}
	for (at = 0; at < size; at += 4096) {
		memory[at] = 1;
	}
	return true;
}

static enum outcome
stay_for_the_watcher(const char *what)
{
	struct timespec second = { .tv_sec = 1 };

	(void)nanosleep(&second, NULL);
	return succeeded("%s", what);
}

static enum outcome
use_private_memory(const struct scene *s)
{
	return take_memory(s->memory_mb + 256, MAP_PRIVATE) ? stay_for_the_watcher("private memory")
							    : blocked("mmap");
}

static enum outcome
use_shared_memory(const struct scene *s)
{
	return take_memory(s->memory_mb + 256, MAP_SHARED) ? stay_for_the_watcher("shared memory")
							   : blocked("mmap");
}

static enum outcome
use_memory_of_many(const struct scene *s)
{
	enum { PROCESSES = 4 };
	struct timespec second = { .tv_sec = 1 };
	pid_t children[PROCESSES];
	int i;
	int done = 0;

	for (i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			if (!take_memory(s->memory_mb / PROCESSES + 64, MAP_PRIVATE)) {
				_exit(1);
			}
			(void)nanosleep(&second, NULL);
			(void)nanosleep(&second, NULL);
			_exit(0);
		}
	}
	for (i = 0; i < PROCESSES; i++) {
		done += exit_status(children[i]) == 0;
	}
	return done == PROCESSES ? succeeded("%d processes", done) : blocked("memory of many");
}

/* ---- disk ------------------------------------------------------------------------------------ */

#define FILE_MEBIBYTES 32

static bool
fill_file(const char *name, long mebibytes)
{
	static char block[MEBIBYTE];
	AUTO_FD fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	long i;

	for (i = 0; fd >= 0 && i < mebibytes; i++) {
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block)) {
			return false;
		}
	}
	return fd >= 0;
}

static void
remove_files(const struct scene *s, long count)
{
	long i;

	for (i = 0; i < count; i++) {
		(void)unlink(path("%s/fill%ld", s->work, i));
	}
}

static enum outcome
fill_many_files(const struct scene *s)
{
	long wanted = (s->disk_mb + 64) / FILE_MEBIBYTES;
	long count;

	(void)signal(SIGXFSZ, SIG_IGN);
	for (count = 0; count < wanted; count++) {
		if (!fill_file(path("%s/fill%ld", s->work, count), FILE_MEBIBYTES)) {
			break;
		}
	}
	if (count < wanted) {
		remove_files(s, count + 1);
		return blocked("stopped after %ld MiB", count * FILE_MEBIBYTES);
	}
	(void)stay_for_the_watcher("");
	remove_files(s, count);
	return succeeded("%ld MiB", count * FILE_MEBIBYTES);
}

static enum outcome
fill_one_file(const struct scene *s)
{
	const char *name = path("%s/fill0", s->work);
	bool filled;

	(void)signal(SIGXFSZ, SIG_IGN);
	filled = fill_file(name, s->disk_mb + 64);
	(void)unlink(name);
	return filled ? succeeded("one file") : blocked("stopped");
}

/* A file without content may be as long as one likes; only a limit of its size stops it. */
static enum outcome
make_sparse_file(const struct scene *s)
{
	AUTO_FD fd = open(path("%s/fill0", s->work), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	(void)signal(SIGXFSZ, SIG_IGN);
	return fd < 0 ? blocked("open")
		      : tried(ftruncate(fd, (s->disk_mb + 64) * MEBIBYTE), "ftruncate");
}

/* ---- descriptors and time -------------------------------------------------------------------- */

static long
duplicate_descriptors(long have)
{
	while (have < DESCRIPTORS && dup(STDIN_FILENO) >= 0) {
		have++;
	}
	return have;
}

static enum outcome
open_many_descriptors(const struct scene *s)
{
	struct rlimit limit;
	long count = duplicate_descriptors(0);

	(void)s;
	if (count < DESCRIPTORS && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
		count = duplicate_descriptors(count);
	}
	return count >= DESCRIPTORS ? succeeded("%ld descriptors", count)
				    : blocked("stopped at %ld descriptors", count);
}

static enum outcome
raise_own_limits(const struct scene *s)
{
	static const __rlimit_resource_t limits[] = { RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_CORE,
						      RLIMIT_NOFILE };
	struct rlimit limit;
	size_t i;

	(void)s;
	for (i = 0; i < COUNT_OF(limits); i++) {
		if (getrlimit(limits[i], &limit) != 0 || limit.rlim_max == RLIM_INFINITY) {
			continue;
		}
		limit.rlim_max *= 2;
		if (setrlimit(limits[i], &limit) == 0) {
			return succeeded("limit %u was raised", (unsigned int)limits[i]);
		}
	}
	return not_applicable("the user may not, or all limits are infinite");
}

const struct attack limit_attacks[] = {
	{ "processes", PROOF_CALL, "has more processes than --pids", fork_many },
	{ "orphans", PROOF_CALL, "has more orphans than --pids", fork_orphans },
	{ "memory", PROOF_CALL, "uses more memory than --memory", use_private_memory },
	{ "memory_shared", PROOF_CALL, "uses more shared memory", use_shared_memory },
	{ "memory_of_many", PROOF_CALL, "uses more memory in several processes",
	  use_memory_of_many },
	{ "disk", PROOF_CALL, "writes more files than --disk", fill_many_files },
	{ "disk_one_file", PROOF_CALL, "writes a larger file than --disk", fill_one_file },
	{ "disk_sparse", PROOF_CALL, "makes a longer file than --disk", make_sparse_file },
	{ "descriptors", PROOF_CALL, "opens 3000 descriptors", open_many_descriptors },
	{ "raise", PROOF_CALL, "raises a hard limit", raise_own_limits },
	{ 0 },
};
