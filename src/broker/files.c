/* SPDX-License-Identifier: MIT */

/*
 * Opening files for the command, and cutting them off.
 *
 * What exists is pinned by a descriptor that opens nothing (O_PATH), judged by where it is, and
 * opened again through that descriptor. What does not is made by O_EXCL in a pinned directory: then
 * it is what was just made, whatever else happens there.
 */

#include "broker/files.h"

#include <fcntl.h>
#include <sys/syscall.h>

/* Only the architectures of old have these. */
#ifndef SYS_open
#define SYS_open (-1)
#endif
#ifndef SYS_creat
#define SYS_creat (-1)
#endif

enum open_variant { CALL_OPEN, CALL_OPENAT, CALL_CREAT };

#define UNNAMED (O_TMPFILE & ~O_DIRECTORY) /* the bit that O_TMPFILE has of its own */
#define SET_ID_BITS (S_ISUID | S_ISGID)
#define RACED (-1)  /* somebody outside of the sandbox was quicker; not an errno */
#define ATTEMPTS 16 /* before that is given up */

/* What a call of the open family asks for. */
struct opening {
	int dirfd;
	int flags;
	mode_t mode;
	char path[PATH_MAX];
};

/* What has no name (memfd_create(2), a pipe) is no place that could be allowed. */
static struct answer
leave_to_floor(struct request *r, const struct where *where, const struct stat *st)
{
	if (where->place == PLACE_OUTSIDE && (st == NULL || st->st_nlink != 0)) {
		note_floor(r, where);
	}
	return answer_continue();
}

/* ---- flags -------------------------------------------------------------------------------- */

static bool
is_writing(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC) != 0;
}

/* What the kernel decides by the flags alone, so that the path does not matter: it refuses, or it
 * opens nothing. */
static bool
is_up_to_flags(int flags)
{
	if ((flags & O_PATH) != 0) {
		return true;
	}
	if ((flags & UNNAMED) != 0) {
		return (flags & O_DIRECTORY) == 0 || (flags & O_CREAT) != 0 ||
		       (flags & O_ACCMODE) == O_RDONLY;
	}
	return (flags & O_DIRECTORY) != 0 && (flags & O_CREAT) != 0; /* since Linux 6.4 */
}

/* ---- opening what exists ------------------------------------------------------------------ */

/* fs.protected_regular and fs.protected_fifos (proc_sys_fs(5)): what others own in a sticky
 * directory is not opened with O_CREAT. The kernel does not see that flag when it opens again. */
static bool
is_trap(int dir, const struct stat *st)
{
	struct stat parent;

	if (dir < 0 || st->st_uid == geteuid()) {
		return false;
	}
	return fstat(dir, &parent) != 0 ||
	       ((parent.st_mode & S_ISVTX) != 0 && (parent.st_mode & S_IWOTH) != 0 &&
		st->st_uid != parent.st_uid);
}

/* What the kernel says before it looks at permissions. 0: nothing. */
static int
error_of_type(const struct stat *st, int flags)
{
	if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
		return EEXIST;
	}
	if (S_ISDIR(st->st_mode) && (flags & (O_CREAT | UNNAMED)) == O_CREAT) {
		return EISDIR;
	}
	if (!S_ISDIR(st->st_mode) && (flags & O_DIRECTORY) != 0) {
		return ENOTDIR;
	}
	if (S_ISLNK(st->st_mode)) {
		return ELOOP;
	}
	return S_ISDIR(st->st_mode) && is_writing(flags) ? EISDIR : 0;
}

static struct answer
open_in_place(struct request *r, const struct opening *o, int object, int dir,
	      const struct stat *st)
{
	const struct broker *b = r->broker;
	struct where where;
	int error;
	LOCK_BROKER(r->broker);

	error = place_of_object(b, object, &where);
	if (error != 0) {
		return answer_error(error);
	}
	if (is_served(b, &where, st)) {
		if ((o->flags & O_ACCMODE) != O_WRONLY && is_unreadable(b, where.path)) {
			return answer_continue();
		}
		if ((o->flags & O_CREAT) != 0 && is_trap(dir, st)) {
			return answer_error(EACCES);
		}
		return caller_waits(r) ? reopen(object, st, o->flags) : answer_error(EINTR);
	}
	if (is_writing(o->flags) && where.place == PLACE_PROTECTED) {
		return refuse_place(r, EACCES, &where);
	}
	if (where.place == PLACE_SHM && b->shm != NULL) {
		return shm_refuse(r, &where);
	}
	/* Reading is the floor's own affair, and what it grants there is not looked up here. */
	return is_writing(o->flags) ? leave_to_floor(r, &where, st) : answer_continue();
}

/*
 * Opens a pinned object. `dir`, or -1, is the directory that it was found in. Devices are left to
 * the kernel, as what opening them does is not foreseen, and readers of FIFOs where it lets them
 * read, since it waits better.
 */
static struct answer
open_known(struct request *r, const struct opening *o, int object, int dir, const struct stat *st)
{
	bool reads_all = (r->broker->spec->parts & PART_READS) == 0;
	int error = error_of_type(st, o->flags);

	if (error != 0) {
		return answer_error(error);
	}
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode) ||
	    (S_ISFIFO(st->st_mode) && (o->flags & O_ACCMODE) == O_RDONLY && reads_all)) {
		return answer_continue();
	}
	return open_in_place(r, o, object, dir, st);
}

static struct answer
open_object(struct request *r, const struct opening *o, int object)
{
	struct stat st;

	return fstat(object, &st) == 0 ? open_known(r, o, object, -1, &st) : answer_error(errno);
}

/* ---- making ------------------------------------------------------------------------------- */

static int
make_file(struct request *r, const struct opening *o, const struct end *end)
{
	int flags = o->flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY;
	int error = caller_take_umask(r);

	if (error != 0) {
		errno = error;
		return -1;
	}
	return end->where.place == PLACE_SHM
		       ? shm_create(r, end, flags, o->mode)
		       : openat(end->entry.dir, end->entry.name, flags, o->mode);
}

/* What is there is no matter of permission. 0: nothing is. */
static int
error_of_making(const struct opening *o, struct end *end)
{
	int error = end_making_error(end, false);

	return error == EEXIST && (o->flags & O_EXCL) == 0 ? RACED : error;
}

/* Makes the file. RACED: it was not there, and is now. */
static struct answer
create(struct request *r, const struct opening *o, struct end *end)
{
	bool sets_id = (o->mode & SET_ID_BITS) != 0;
	int error;
	int fd;
	LOCK_BROKER(r->broker);

	error = end_judge(r->broker, end);
	if (error == 0 && (end->where.place != PLACE_SERVED || sets_id)) {
		error = error_of_making(o, end); /* else it is making that tells */
	}
	if (error != 0) {
		return answer_error(error);
	}
	if (end->where.place == PLACE_PROTECTED) {
		return refuse_place(r, EACCES, &end->where);
	}
	if (end->where.place != PLACE_SERVED &&
	    (end->where.place != PLACE_SHM || r->broker->shm == NULL)) {
		return leave_to_floor(r, &end->where, NULL);
	}
	if (sets_id) {
		return refuse(r, EPERM, "metadata.set-id", "", end->where.path);
	}
	fd = make_file(r, o, end);
	if (fd < 0) {
		return answer_error(errno == EEXIST && (o->flags & O_EXCL) == 0 ? RACED : errno);
	}
	return answer_fd(fd, (o->flags & O_CLOEXEC) != 0);
}

/* ---- O_CREAT ------------------------------------------------------------------------------ */

static int
pin(const struct entry *entry)
{
	return openat(entry->dir, entry->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* One more of a chain of symlinks whose end is missing. 0: `end` is the next entry of it. */
static int
next_link(struct request *r, struct end *end, unsigned int *followed)
{
	struct entry next = { .dir = -1 };
	int error = walk_link(r, &end->entry, followed, &next);

	if (error != 0) {
		return error;
	}
	close_fdp(&end->entry.dir);
	end->entry = next;
	return 0;
}

/* The end of a chain of symlinks is made where the last one points. */
static struct answer
create_at_target(struct request *r, const struct opening *o, struct end *end)
{
	unsigned int followed = 0;

	for (;;) {
		AUTO_FD object = -1;
		struct stat st;
		int error = next_link(r, end, &followed);

		if (error != 0) {
			return answer_error(error);
		}
		if (end->entry.slash || entry_is_special(&end->entry)) {
			return answer_error(EISDIR);
		}
		object = pin(&end->entry);
		if (object < 0) {
			return errno == ENOENT ? create(r, o, end) : answer_error(errno);
		}
		if (fstat(object, &st) != 0 || !S_ISLNK(st.st_mode)) {
			return answer_error(RACED);
		}
	}
}

static struct answer
open_through_link(struct request *r, const struct opening *o, struct end *end)
{
	AUTO_FD object = walk_object(r, o->dirfd, o->path, 0);

	if (object >= 0) {
		return open_object(r, o, object);
	}
	return errno == ENOENT ? create_at_target(r, o, end) : answer_error(errno);
}

static struct answer
open_entry(struct request *r, const struct opening *o, struct end *end)
{
	AUTO_FD object = -1;
	struct stat st;

	if (end->entry.slash) {
		return answer_error(EISDIR);
	}
	if (entry_is_special(&end->entry)) {
		return answer_error((o->flags & O_EXCL) != 0 ? EEXIST : EISDIR);
	}
	if ((o->flags & O_EXCL) != 0) {
		return create(r, o, end);
	}
	object = pin(&end->entry);
	if (object < 0) {
		return errno == ENOENT ? create(r, o, end) : answer_error(errno);
	}
	if (fstat(object, &st) != 0) {
		return answer_error(errno);
	}
	if (S_ISLNK(st.st_mode) && (o->flags & O_NOFOLLOW) == 0) {
		return open_through_link(r, o, end);
	}
	return open_known(r, o, object, end->entry.dir, &st);
}

static struct answer
open_or_create(struct request *r, const struct opening *o)
{
	struct answer answer = answer_error(RACED);

	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		AUTO_END end = END_NONE;
		int error = walk_entry(r, o->dirfd, o->path, &end.entry);

		answer = error != 0 ? answer_error(error) : open_entry(r, o, &end);
		if (answer.kind != ANSWER_ERROR || answer.error != RACED) {
			break;
		}
	}
	return answer;
}

/* ---- O_TMPFILE ---------------------------------------------------------------------------- */

static struct answer
make_unnamed(struct request *r, const struct opening *o, int dir)
{
	int error = caller_take_umask(r);
	int fd;

	if (error != 0) {
		return answer_error(error);
	}
	fd = openat(dir, ".", (o->flags & ~O_NOFOLLOW) | O_CLOEXEC, o->mode);
	return fd < 0 ? answer_error(errno) : answer_fd(fd, (o->flags & O_CLOEXEC) != 0);
}

/* A file without a name; what is judged is the directory, whose name it would get. */
static struct answer
open_unnamed(struct request *r, const struct opening *o)
{
	AUTO_FD dir =
		walk_object(r, o->dirfd, o->path, (o->flags & O_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0);
	struct where where;
	struct stat st;
	int error;
	LOCK_BROKER(r->broker);

	if (dir < 0 || fstat(dir, &st) != 0) {
		return answer_error(errno);
	}
	if (!S_ISDIR(st.st_mode)) {
		return answer_error(ENOTDIR);
	}
	error = place_of_fd(r->broker, dir, &where);
	if (error != 0) {
		return answer_error(error);
	}
	if (where.place == PLACE_PROTECTED) {
		return refuse_place(r, EACCES, &where);
	}
	if (where.place != PLACE_SERVED) {
		return leave_to_floor(r, &where, NULL);
	}
	if ((o->mode & SET_ID_BITS) != 0) {
		return refuse(r, EPERM, "metadata.set-id", "", where.path);
	}
	return make_unnamed(r, o, dir);
}

/* ---- open, openat, creat ------------------------------------------------------------------ */

static void
read_arguments(const struct request *r, struct opening *o, uint64_t *address)
{
	unsigned int at = r->row->variant == CALL_OPENAT ? 1 : 0;
	unsigned int mode_at = r->row->variant == CALL_CREAT ? 1 : at + 2;

	o->dirfd = at == 1 ? arg_int(r, 0) : AT_FDCWD;
	o->flags =
		r->row->variant == CALL_CREAT ? O_CREAT | O_WRONLY | O_TRUNC : arg_int(r, at + 1);
	o->mode = (mode_t)r->args[mode_at] & 07777;
	*address = r->args[at];
}

static struct answer
handle_open(struct request *r)
{
	struct opening o;
	AUTO_FD object = -1;
	uint64_t address;
	int error;

	read_arguments(r, &o, &address);
	if (is_up_to_flags(o.flags)) {
		return answer_continue();
	}
	error = caller_string(r, address, o.path, sizeof(o.path));
	if (error != 0) {
		/* What may not be looked at has what the floor gives. */
		return error == EPERM ? answer_continue() : answer_error(error);
	}
	if ((o.flags & UNNAMED) != 0) {
		return open_unnamed(r, &o);
	}
	if ((o.flags & O_CREAT) != 0) {
		return open_or_create(r, &o);
	}
	object = walk_object(r, o.dirfd, o.path, (o.flags & O_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0);
	return object < 0 ? answer_error(errno) : open_object(r, &o, object);
}

static const struct call_row rows[] = {
	{ SYS_open, "open", handle_open, EACCES, CALL_OPEN },
	{ SYS_openat, "openat", handle_open, EACCES, CALL_OPENAT },
	{ SYS_creat, "creat", handle_open, EACCES, CALL_CREAT },
	{ SYS_truncate, "truncate", handle_truncate, EACCES, 0 },
};

const struct call_table open_calls = { rows, COUNT_OF(rows) };
