/* SPDX-License-Identifier: MIT */
#ifndef BROKER_CASES_H
#define BROKER_CASES_H

/* What takes more than one call, for test_broker_files.c: done bare and in a sandbox, in the
 * directory that broker_rows.h describes. Each returns what it saw as one number. */

#include "broker_rows.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long
in_removed_directory(void)
{
	long found = 0;

	if (chdir("empty") != 0 || rmdir("../empty") != 0) {
		return -1;
	}
	found = found * 1000 + (open("x", NEW, 0644) < 0 ? errno : 0);
	found = found * 1000 + (mkdir("x", 0755) < 0 ? errno : 0);
	found = found * 1000 + (unlink("x") < 0 ? errno : 0);
	return found * 1000 + (open("../file", O_RDWR) < 0 ? errno : 0);
}

static long
link_unnamed(int flags, int how)
{
	int fd = open("dir", O_TMPFILE | O_RDWR | flags, 0640);
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (how == AT_EMPTY_PATH) {
		return linkat(fd, "", AT_FDCWD, "linked", how) < 0 ? errno : 0;
	}
	return linkat(AT_FDCWD, path, AT_FDCWD, "linked", how) < 0 ? errno : 0;
}

static long
link_unnamed_by_proc(void)
{
	return link_unnamed(0, AT_SYMLINK_FOLLOW);
}

static long
link_unnamed_by_descriptor(void)
{
	return link_unnamed(0, AT_EMPTY_PATH);
}

static long
link_unnamed_for_ever(void)
{
	return link_unnamed(O_EXCL, AT_SYMLINK_FOLLOW);
}

/* Opens `path` for reading, and that descriptor again below `descriptors` for writing. */
static long
reopen(const char *path, const char *descriptors, int flags, bool unlinked)
{
	int fd = open(path, O_RDONLY);
	char again[64];

	if (fd < 0 || (unlinked && unlink(path) != 0)) {
		return -1;
	}
	(void)snprintf(again, sizeof(again), "%s/%d", descriptors, fd);
	fd = open(again, flags, 0644);
	return fd < 0 ? errno : write(fd, "new", 3);
}

static long
reopen_by_proc(void)
{
	return reopen("file", "/proc/self/fd", O_RDWR, false);
}

static long
reopen_by_thread(void)
{
	return reopen("file", "/proc/thread-self/fd", O_RDWR, false);
}

static long
reopen_by_dev(void)
{
	return reopen("file", "/dev/fd", NEW_TRUNC, false);
}

static long
reopen_removed(void)
{
	return reopen("file", "/proc/self/fd", O_RDWR, true);
}

static long
reopen_not_following(void)
{
	return reopen("file", "/proc/self/fd", O_RDWR | O_NOFOLLOW, false);
}

static long
reopen_protected(void)
{
	return reopen(".git/config", "/proc/self/fd", O_RDWR, false);
}

static long
reopen_pinned_protected(void)
{
	int fd = open(".git/config", O_PATH);
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return truncate(path, 0) < 0 ? errno : 0;
}

static long
make_below_descriptor(void)
{
	int fd = open("dir", O_PATH);
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d/x", fd);
	return open(path, NEW, 0644) < 0 ? errno : 0;
}

static long
make_below_cwd(void)
{
	return open("/proc/self/cwd/dir/x", NEW, 0644) < 0 ? errno : 0;
}

static long
make_protected_below_cwd(void)
{
	return mkdir("/proc/self/cwd/dir/.git", 0755) < 0 ? errno : 0;
}

static long
write_through_inherited_name(void)
{
	int fd = memfd_create("x", 0);
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDWR | O_TRUNC) < 0 ? errno : 0;
}

static long
in_protected_directory(void)
{
	if (chdir(".git") != 0) {
		return -1;
	}
	return open("config", O_RDWR) < 0 ? errno : 0;
}

/* A reader comes later than the writer. */
static long
meet_in_fifo(void)
{
	char byte = 0;
	pid_t reader = fork();
	int status = 0;
	int fd;

	if (reader == 0) {
		(void)usleep(30000);
		fd = open("fifo", O_RDONLY);
		_exit(read(fd, &byte, 1) == 1 ? byte : 1);
	}
	fd = open("fifo", O_WRONLY);
	if (fd < 0 || write(fd, "y", 1) != 1 || waitpid(reader, &status, 0) != reader) {
		return -1;
	}
	return WEXITSTATUS(status);
}

static void
on_alarm(int number)
{
	(void)number;
}

static long
interrupt_fifo(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval soon = { .it_value = { .tv_usec = 30000 } };

	(void)sigaction(SIGALRM, &action, NULL);
	(void)setitimer(ITIMER_REAL, &soon, NULL);
	return open("fifo", O_WRONLY) < 0 ? errno : 0;
}

/* A name in /dev/shm: of this directory's own, or, with "foreign", the one that was there before.
 */
static void
shm_path(char out[256], const char *suffix, bool foreign)
{
	char cwd[PATH_MAX];
	char *name = getcwd(cwd, sizeof(cwd)) != NULL ? strstr(cwd, "bailey-test") : NULL;

	if (name == NULL) {
		_exit(9);
	}
	name[strcspn(name, foreign ? "/" : "")] = '\0';
	for (char *at = name; *at != '\0'; at++) {
		*at = *at == '/' ? '-' : *at;
	}
	(void)snprintf(out, 256, "/dev/shm/%.200s-%s", name, suffix);
}

static long
share_memory(void)
{
	char temporary[256];
	char path[256];
	long found = 0;

	shm_path(temporary, "temporary", false);
	shm_path(path, "shared", false);
	found = found * 100 + (open(temporary, O_RDWR | O_CREAT | O_EXCL, 0600) < 0 ? errno : 0);
	found = found * 100 + (open(temporary, O_RDWR | O_CREAT | O_EXCL, 0600) < 0 ? errno : 0);
	found = found * 100 + (link(temporary, path) < 0 ? errno : 0);
	found = found * 100 + (link(temporary, path) < 0 ? errno : 0);
	found = found * 100 + (unlink(temporary) < 0 ? errno : 0);
	found = found * 100 + (unlink(temporary) < 0 ? errno : 0);
	found = found * 100 + (open(path, O_RDWR | O_NOFOLLOW) < 0 ? errno : 0);
	return found * 100 + (unlink(path) < 0 ? errno : 0);
}

static long
leave_shared_memory(void)
{
	char path[256];
	int fd;

	shm_path(path, "left", false);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	return fd < 0 || ftruncate(fd, 4096) != 0 ? errno : 0;
}

static long
open_foreign_memory(void)
{
	char path[256];

	shm_path(path, "foreign", true);
	return open(path, O_RDWR) < 0 ? errno : 0;
}

static long
remove_foreign_memory(void)
{
	char path[256];

	shm_path(path, "foreign", true);
	return unlink(path) < 0 ? errno : 0;
}

static long
replace_foreign_memory(void)
{
	char path[256];
	char own[256];

	shm_path(path, "foreign", true);
	shm_path(own, "own", false);
	if (open(own, O_RDWR | O_CREAT, 0600) < 0) {
		return -1;
	}
	return rename(own, path) < 0 ? errno : 0;
}

static const struct {
	const char *name;
	long (*run)(void);
	int inside; /* as in struct row */
} cases[] = {
	{ "in a removed directory", in_removed_directory, 0 },
	{ "link O_TMPFILE by /proc", link_unnamed_by_proc, 0 },
	{ "link O_TMPFILE by AT_EMPTY_PATH", link_unnamed_by_descriptor, 0 },
	{ "link O_TMPFILE | O_EXCL", link_unnamed_for_ever, 0 },
	{ "reopen by /proc/self", reopen_by_proc, 0 },
	{ "reopen by /proc/thread-self", reopen_by_thread, 0 },
	{ "reopen by /dev/fd", reopen_by_dev, 0 },
	{ "reopen what was removed", reopen_removed, 0 },
	{ "reopen with O_NOFOLLOW", reopen_not_following, 0 },
	{ "reopen a protected file", reopen_protected, EACCES },
	{ "truncate a pinned protected file", reopen_pinned_protected, EACCES },
	{ "make below /proc/self/fd", make_below_descriptor, 0 },
	{ "make below /proc/self/cwd", make_below_cwd, 0 },
	{ "make .git below /proc/self/cwd", make_protected_below_cwd, EACCES },
	{ "reopen a memfd", write_through_inherited_name, 0 },
	{ "inside of .git", in_protected_directory, EACCES },
	{ "shared memory", share_memory, 0 },
	{ "shared memory that is left", leave_shared_memory, 0 },
	{ "open the shared memory of others", open_foreign_memory, EACCES },
	{ "remove the shared memory of others", remove_foreign_memory, EACCES },
	{ "replace the shared memory of others", replace_foreign_memory, EACCES },
	{ "a writer and a reader meet", meet_in_fifo, 0 },
	{ "a signal for a waiting writer", interrupt_fifo, 0 },
};

#endif /* BROKER_CASES_H */
