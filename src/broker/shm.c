/* SPDX-License-Identifier: MIT */

/*
 * Shared memory of one's own. A name in /dev/shm is the command's when it was recorded as such and
 * the file is still the one that was made. Every other name is as if it belonged to another user:
 * it can be seen to exist (stat(2) is nobody's to forbid), it makes O_EXCL and link(2) fail with
 * EEXIST, and it can neither be opened nor removed nor replaced. So programs that look for a free
 * name find one, and nothing is said that was not known.
 *
 * A name is recorded before the file is made: whatever moment the broker is killed at, somebody
 * knows what to remove.
 */

#include "broker/shm.h"

#include "broker/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define SHM_DIR "/dev/shm"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1U << 0)
#define RENAME_EXCHANGE (1U << 1)
#endif

/* ---- the record --------------------------------------------------------------------------- */

struct shm_record *
shm_record_new(void)
{
	void *memory = mmap(NULL, sizeof(struct shm_record), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void
shm_record_free(struct shm_record *record)
{
	if (record != NULL) {
		(void)munmap(record, sizeof(*record));
	}
}

/* Slots beyond `count` were never used. */
static struct shm_name *
find_name(struct shm_record *record, const char *name)
{
	for (uint32_t i = 0; i < record->count && i < SHM_NAMES_MAX; i++) {
		if (strcmp(record->names[i].name, name) == 0) {
			return &record->names[i];
		}
	}
	return NULL;
}

static struct shm_name *
free_slot(struct shm_record *record)
{
	struct shm_name *slot = find_name(record, "");

	if (slot == NULL && record->count < SHM_NAMES_MAX) {
		slot = &record->names[record->count];
		record->count++;
	}
	return slot;
}

/* Whoever reads the record after the broker was killed sees the whole name or none. */
static void
set_name(struct shm_name *slot, const char *name)
{
	size_t len = strlen(name);

	memcpy(slot->name + 1, name + 1, len);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	slot->name[0] = name[0];
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void
set_file(struct shm_name *slot, uint64_t device, uint64_t inode)
{
	slot->device = device;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	slot->inode = inode;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void
forget(struct shm_name *slot)
{
	slot->name[0] = '\0';
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	slot->device = 0;
	slot->inode = 0;
}

/* A slot for the name, whose file (inode 0: not made yet) is what is said. NULL and ENOSPC. */
static struct shm_name *
record_name(struct shm_record *record, const char *name, uint64_t device, uint64_t inode)
{
	struct shm_name *slot = find_name(record, name);

	if (slot == NULL) {
		slot = free_slot(record);
	}
	if (slot == NULL) {
		errno = ENOSPC;
		return NULL;
	}
	slot->inode = 0;
	set_file(slot, device, inode);
	set_name(slot, name);
	return slot;
}

/* ---- whose it is -------------------------------------------------------------------------- */

static struct shm_name *
own_name(struct shm_record *record, const char *name, const struct stat *st)
{
	struct shm_name *slot = record != NULL && name[0] != '\0' ? find_name(record, name) : NULL;

	return slot != NULL && slot->inode != 0 && slot->inode == st->st_ino &&
			       slot->device == st->st_dev
		       ? slot
		       : NULL;
}

bool
shm_owns(const struct broker *b, const char *path, const struct stat *st)
{
	const char *slash = strrchr(path, '/');

	return S_ISREG(st->st_mode) &&
	       own_name(b->shm, slash != NULL ? slash + 1 : path, st) != NULL;
}

struct answer
shm_refuse(struct request *r, const struct where *where)
{
	return refuse(r, EACCES, "shm.foreign", "", where->path);
}

static struct shm_name *
own_end(struct request *r, const struct end *end)
{
	return end->exists && S_ISREG(end->st.st_mode)
		       ? own_name(r->broker->shm, end->entry.name, &end->st)
		       : NULL;
}

/* ---- making, linking, removing ------------------------------------------------------------ */

int
shm_create(struct request *r, const struct end *end, int flags, mode_t mode)
{
	struct shm_name *slot = record_name(r->broker->shm, end->entry.name, 0, 0);
	struct stat st;
	int fd;

	if (slot == NULL) {
		return -1;
	}
	fd = openat(end->entry.dir, end->entry.name, flags, mode);
	if (fd < 0) {
		int error = errno;

		forget(slot);
		errno = error;
		return -1;
	}
	if (fstat(fd, &st) == 0) {
		set_file(slot, st.st_dev, st.st_ino);
	}
	return fd;
}

struct answer
shm_unlink_entry(struct request *r, struct end *end)
{
	int error = end_look(end);
	struct shm_name *slot;

	if (error != 0 || !end->exists) {
		return answer_error(error != 0 ? error : ENOENT);
	}
	if (end->entry.slash) {
		return answer_error(S_ISDIR(end->st.st_mode) ? EISDIR : ENOTDIR);
	}
	slot = own_end(r, end);
	if (slot == NULL) {
		return shm_refuse(r, &end->where);
	}
	if (!caller_waits(r)) {
		return answer_error(EINTR);
	}
	if (unlinkat(end->entry.dir, end->entry.name, 0) != 0) {
		return answer_error(errno);
	}
	forget(slot);
	return answer_value(0);
}

/* sem_open(3) makes a file under a name that it made up, and links it to the one that was asked
 * for. */
struct answer
shm_link_entry(struct request *r, int source, const struct stat *st, const struct where *from,
	       struct end *to)
{
	char path[PROC_FD_MAX];
	struct shm_name *slot;
	int error = end_look(to);

	if (error != 0 || to->exists) {
		return answer_error(error != 0 ? error : EEXIST);
	}
	if (to->entry.slash) {
		return answer_error(ENOENT);
	}
	if (from->place != PLACE_SHM) {
		return answer_error(EXDEV);
	}
	if (!shm_owns(r->broker, from->path, st)) {
		return shm_refuse(r, from);
	}
	if (!caller_waits(r)) {
		return answer_error(EINTR);
	}
	slot = record_name(r->broker->shm, to->entry.name, st->st_dev, st->st_ino);
	if (slot == NULL) {
		return answer_error(errno);
	}
	proc_fd_path(source, path);
	if (linkat(AT_FDCWD, path, to->entry.dir, to->entry.name, AT_SYMLINK_FOLLOW) != 0) {
		error = errno;
		forget(slot);
		return answer_error(error);
	}
	return answer_value(0);
}

/* Both names are the command's, or the new one is free. Only files are moved, so no slash. */
static struct answer
rename_own(struct end *from, struct end *to, unsigned int flags, struct shm_name *old,
	   struct shm_name *new)
{
	bool same = to->exists && from->st.st_ino == to->st.st_ino;

	if (syscall(SYS_renameat2, from->entry.dir, from->entry.name, to->entry.dir, to->entry.name,
		    flags) != 0) {
		int error = errno;

		if (!to->exists) {
			forget(new);
		}
		return answer_error(error);
	}
	if ((flags & RENAME_EXCHANGE) != 0) {
		set_file(old, to->st.st_dev, to->st.st_ino);
	}
	set_file(new, from->st.st_dev, from->st.st_ino);
	if ((flags & RENAME_EXCHANGE) == 0 && !same) {
		forget(old);
	}
	return answer_value(0);
}

struct answer
shm_rename_entry(struct request *r, struct end *from, struct end *to, unsigned int flags)
{
	struct shm_name *old;
	struct shm_name *new;
	int error = end_look(from);

	if (error != 0 || !from->exists) {
		return answer_error(error != 0 ? error : ENOENT);
	}
	error = end_look(to);
	if (error != 0) {
		return answer_error(error);
	}
	if (from->entry.slash || to->entry.slash) {
		return answer_error(ENOTDIR);
	}
	if (to->exists && (flags & RENAME_NOREPLACE) != 0) {
		return answer_error(EEXIST);
	}
	old = own_end(r, from);
	if (old == NULL || (to->exists && own_end(r, to) == NULL)) {
		return shm_refuse(r, old == NULL ? &from->where : &to->where);
	}
	if (!caller_waits(r)) {
		return answer_error(EINTR);
	}
	new = to->exists ? own_end(r, to)
			 : record_name(r->broker->shm, to->entry.name, from->st.st_dev,
				       from->st.st_ino);
	return new == NULL ? answer_error(ENOSPC) : rename_own(from, to, flags, old, new);
}

/* ---- what is left at the end -------------------------------------------------------------- */

/*
 * A name without an inode is of a file that was about to be made when the broker was killed: it is
 * the command's when it is still empty, nobody else's file being made under that name just then.
 */
static bool
is_left(const struct shm_name *name, const struct stat *st)
{
	if (!S_ISREG(st->st_mode)) {
		return false;
	}
	return name->inode == 0 ? st->st_size == 0 && st->st_uid == geteuid()
				: name->inode == st->st_ino && name->device == st->st_dev;
}

void
shm_clear(const struct shm_record *record)
{
	AUTO_FD dir = open(SHM_DIR, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0 || record == NULL) {
		return;
	}
	for (uint32_t i = 0; i < record->count && i < SHM_NAMES_MAX; i++) {
		const struct shm_name *name = &record->names[i];
		struct stat st;

		if (name->name[0] != '\0' && memchr(name->name, '\0', sizeof(name->name)) != NULL &&
		    strchr(name->name, '/') == NULL &&
		    fstatat(dir, name->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_left(name, &st)) {
			(void)unlinkat(dir, name->name, 0);
		}
	}
}
