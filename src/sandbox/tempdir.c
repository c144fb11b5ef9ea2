/* SPDX-License-Identifier: MIT */
#include "sandbox/tempdir.h"

#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#define RUN_PREFIX "run-"
#define NEW_PREFIX "new-" /* made and not yet locked */
#define NEW_TRIES 16
#define NEW_SECONDS 3600 /* a directory that was not locked for so long never will be */
#define SWEEP_MAX 64	 /* directories removed by one sweep */

/* The user's own directory: made by others or open to others, it is not used. */
static int
open_base(const char *path, struct bailey_error *err)
{
	AUTO_FD fd = -1;
	struct stat st;

	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		return bailey_fail_sys(err, errno, "cannot make the temp directory '%s'", path);
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0) {
		return bailey_fail_sys(err, errno, "cannot open the temp directory '%s'", path);
	}
	if (st.st_uid != geteuid() || (st.st_mode & 077) != 0) {
		return bailey_fail(err, BAILEY_E_REFUSED,
				   "the temp directory '%s' is not this user's own, or is open to "
				   "others (mode %04o); remove it, or set TMPDIR",
				   path, (unsigned int)(st.st_mode & 07777));
	}
	return take_fd(&fd);
}

/* Locks a directory under a name that no sweep takes. 1: somebody else has locked it. */
static int
lock_new(const char *path, struct tempdir *dir, struct bailey_error *err)
{
	const char *name = path_base(path);
	int why;

	dir->lock_fd = openat(dir->base_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir->lock_fd >= 0 && flock(dir->lock_fd, LOCK_EX | LOCK_NB) == 0) {
		return BAILEY_OK;
	}
	why = errno;
	close_fdp(&dir->lock_fd);
	dir->lock_fd = -1;
	(void)unlinkat(dir->base_fd, name, AT_REMOVEDIR);
	return why == EWOULDBLOCK
		       ? 1
		       : bailey_fail_sys(err, why, "cannot lock the temp directory '%s'", path);
}

/*
 * No lock is ever waited for: a command can open these directories for reading, and so lock them.
 * One that locks a directory before its owner does only makes the owner try another.
 */
static int
make_new(char *path, struct tempdir *dir, struct bailey_error *err)
{
	char *random = path + strlen(path) - 6;
	int rc = 1;

	for (int i = 0; i < NEW_TRIES && rc == 1; i++) {
		memcpy(random, "XXXXXX", 6);
		if (mkdtemp(path) == NULL) {
			return bailey_fail_sys(err, errno, "cannot make the temp directory '%s'",
					       path);
		}
		rc = lock_new(path, dir, err);
	}
	return rc != 1 ? rc
		       : bailey_fail(err, BAILEY_E_SYSTEM,
				     "cannot lock a temp directory such as '%s': somebody else "
				     "locks each first",
				     path);
}

static int
make_run(struct arena *arena, const char *base, struct tempdir *dir, struct bailey_error *err)
{
	char *path = path_join(arena, base, NEW_PREFIX "XXXXXX");
	char *kept;
	int rc;

	if (path == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the temp directory");
	}
	rc = make_new(path, dir, err);
	if (rc != BAILEY_OK) {
		return rc;
	}
	kept = arena_printf(arena, "%s/" RUN_PREFIX "%s", base, path + strlen(path) - 6);
	if (kept == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the temp directory");
	}
	if (renameat2(dir->base_fd, path_base(path), dir->base_fd, path_base(kept),
		      RENAME_NOREPLACE) != 0) {
		return bailey_fail_sys(err, errno, "cannot name the temp directory '%s'", kept);
	}
	dir->path = kept;
	dir->name = path_base(kept);
	return BAILEY_OK;
}

int
tempdir_make(struct arena *arena, const char *parent, struct tempdir *dir, struct bailey_error *err)
{
	char *base = arena_printf(arena, "%s/bailey-%u", strcmp(parent, "/") == 0 ? "" : parent,
				  (unsigned int)geteuid());
	int rc;

	*dir = (struct tempdir)TEMPDIR_INIT;
	if (base == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the temp directory");
	}
	rc = open_base(base, err);
	if (rc < 0) {
		return rc;
	}
	dir->base_fd = rc;
	rc = make_run(arena, base, dir, err);
	if (rc != BAILEY_OK) {
		tempdir_close(dir);
	}
	return rc;
}

void
tempdir_close(struct tempdir *dir)
{
	close_fdp(&dir->lock_fd);
	close_fdp(&dir->base_fd);
	dir->lock_fd = -1;
	dir->base_fd = -1;
}

void
tempdir_remove(struct tempdir *dir)
{
	if (dir->base_fd >= 0) {
		(void)remove_tree(dir->base_fd, dir->name);
	}
	tempdir_close(dir);
}

/* The lock of a directory that nobody holds, or -1. */
static int
take_over(int base_fd, const char *name)
{
	bool is_new = strncmp(name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0;
	AUTO_FD fd = -1;
	struct stat st;

	if (!is_new && strncmp(name, RUN_PREFIX, strlen(RUN_PREFIX)) != 0) {
		return -1;
	}
	fd = openat(base_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || (is_new && time(NULL) - st.st_mtime < NEW_SECONDS) ||
	    flock(fd, LOCK_EX | LOCK_NB) != 0) {
		return -1;
	}
	return take_fd(&fd);
}

bool
tempdir_needs_sweep(const struct tempdir *dir)
{
	AUTO_DIR *list = NULL;
	int fd = dir->base_fd >= 0 ? openat(dir->base_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
				   : -1;

	if (fd < 0 || (list = fdopendir(fd)) == NULL) {
		close_fdp(&fd);
		return false;
	}
	for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, dir->name) != 0) {
			return true;
		}
	}
	return false;
}

void
tempdir_sweep(const struct tempdir *dir)
{
	AUTO_DIR *list = NULL;
	int fd = dir->base_fd >= 0 ? openat(dir->base_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
				   : -1;
	int swept = 0;

	if (fd < 0) {
		return;
	}
	list = fdopendir(fd);
	if (list == NULL) {
		(void)close(fd);
		return;
	}
	for (struct dirent *entry; (entry = readdir(list)) != NULL && swept < SWEEP_MAX;) {
		AUTO_FD lock = take_over(dir->base_fd, entry->d_name);

		if (lock >= 0) {
			(void)remove_tree(dir->base_fd, entry->d_name);
			swept++;
		}
	}
}
