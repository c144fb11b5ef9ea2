/* SPDX-License-Identifier: MIT */

/*
 * Modes, owners and times. Landlock has no say in them, so nothing here may go on in the kernel:
 * the broker changes the object itself, when it is in a place that may be written, and refuses
 * everything else. It has no capabilities and the caller's uid, so it can change nothing that the
 * caller could not outside of the sandbox.
 */

#include "broker/metadata.h"

#include "base/attr.h"
#include "broker/shm.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <utime.h>

#define SET_ID ((mode_t)(S_ISUID | S_ISGID))
#define AT_FLAGS ((unsigned int)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))

/* ---- judging ------------------------------------------------------------------------------ */

/* Pipes and sockets are in file systems of their own, where nothing has a name. Whoever holds one
 * can do more to it than change its mode. */
static bool
is_nameless(int fd, const struct stat *st)
{
	struct statfs fs;

	return (S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode)) && fstatfs(fd, &fs) == 0 &&
	       (fs.f_type == PIPEFS_MAGIC || fs.f_type == SOCKFS_MAGIC);
}

/* A memfd, or a file whose last name is gone, is whose descriptor it is. One that has a further
 * name counts as where this one was. */
static bool
may_change_deleted(const struct stat *st, const struct where *where)
{
	if (st->st_nlink == 0) {
		return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode);
	}
	return place_is_writable(where->place);
}

/* Shared memory that the command made itself. */
static bool
is_own_shm(const struct broker *b, const struct stat *st)
{
	const struct shm_record *record = b->shm;

	for (uint32_t i = 0; record != NULL && i < SHM_NAMES_MAX; i++) {
		if (record->names[i].name[0] != '\0' && record->names[i].device == st->st_dev &&
		    record->names[i].inode == st->st_ino) {
			return true;
		}
	}
	return false;
}

/* Where it is comes from the kernel, and stays true while the lock is held: what is in a served
 * root is moved by the broker alone, and what is on the floor stays on the floor. */
static bool
may_change(const struct broker *b, const struct object *object, const struct stat *st,
	   struct where *where)
{
	int error;

	if (is_nameless(object->fd, st)) {
		return true;
	}
	error = place_of_fd(b, object->fd, where);
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)) {
		where->option = ""; /* made by others, for others */
		return false;
	}
	if (error == ENOENT) {
		return may_change_deleted(st, where);
	}
	return error == 0 &&
	       (place_is_writable(where->place) ||
		(where->place == PLACE_SHM && S_ISREG(st->st_mode) && is_own_shm(b, st)));
}

/* Who does not own a file may not change it outside of the sandbox either: no news. */
static struct answer
refuse_change(struct request *r, const struct stat *st, const struct where *where)
{
	if (st->st_uid != geteuid()) {
		return answer_error(EPERM);
	}
	if (where->place == PLACE_PROTECTED) {
		return refuse_place(r, EPERM, where);
	}
	return refuse(r, EPERM, "metadata", where->option, where->path);
}

/* ---- changing ----------------------------------------------------------------------------- */

static struct answer
change_object(struct request *r, const struct object *object, change_fn change, const void *how)
{
	struct where where;
	struct stat st;
	LOCK_BROKER(r->broker);

	if (fstat(object->fd, &st) != 0) {
		return answer_error(errno);
	}
	if (!may_change(r->broker, object, &st, &where)) {
		return refuse_change(r, &st, &where);
	}
	if (!caller_waits(r)) {
		return answer_error(EPERM);
	}
	return answer_result(change(object, how));
}

static void
name_object(struct object *object)
{
	(void)snprintf(object->link, sizeof(object->link), "/proc/self/fd/%d", object->fd);
}

static struct answer
change_at(struct request *r, int dirfd, const char *path, unsigned int flags, change_fn change,
	  const void *how)
{
	unsigned int walk = ((flags & AT_SYMLINK_NOFOLLOW) != 0 ? WALK_NOFOLLOW : 0) |
			    ((flags & AT_EMPTY_PATH) != 0 ? WALK_EMPTY : 0);
	AUTO_FD fd = walk_object(r, dirfd, path, walk);
	struct object object = { .fd = fd };

	if (fd < 0) {
		return answer_error(errno);
	}
	name_object(&object);
	return change_object(r, &object, change, how);
}

struct answer
change_path(struct request *r, int dirfd, uint64_t path, unsigned int flags, change_fn change,
	    const void *how)
{
	char text[PATH_MAX];
	int error = caller_string(r, path, text, sizeof(text));

	return error != 0 ? answer_error(error) : change_at(r, dirfd, text, flags, change, how);
}

struct answer
change_descriptor(struct request *r, int fd, change_fn change, const void *how)
{
	AUTO_FD copy = caller_fd(r, fd);
	struct object object = { .fd = copy, .descriptor = true };
	int flags = copy >= 0 ? fcntl(copy, F_GETFL) : -1;

	if (flags < 0) {
		return answer_error(errno);
	}
	if ((flags & O_PATH) != 0) {
		return answer_error(EBADF);
	}
	name_object(&object);
	return change_object(r, &object, change, how);
}

struct answer
change_path_or_descriptor(struct request *r, int dirfd, uint64_t path, unsigned int flags,
			  change_fn change, const void *how)
{
	char text[PATH_MAX] = "";
	bool may_be_empty = (flags & AT_EMPTY_PATH) != 0;
	int error = 0;

	if (path != 0 || !may_be_empty) {
		error = caller_string(r, path, text, sizeof(text));
	}
	if (error != 0) {
		return answer_error(error);
	}
	if (may_be_empty && text[0] == '\0' && dirfd >= 0) {
		return change_descriptor(r, dirfd, change, how);
	}
	return change_at(r, dirfd, text, flags, change, how);
}

/* The arguments that most calls have in common: the directory, where the path is, the flags. */
struct place_arguments {
	int dirfd;
	unsigned int path; /* the number of the argument; what is to be set comes behind it */
	unsigned int flags;
};

static struct place_arguments
place_arguments(const struct request *r, unsigned int last)
{
	int variant = r->row->variant;
	struct place_arguments at = { .dirfd = AT_FDCWD };

	if ((variant & WITH_DIRFD) != 0) {
		at.dirfd = arg_int(r, 0);
		at.path = 1;
	}
	if ((variant & WITH_FLAGS) != 0) {
		at.flags = (unsigned int)arg_int(r, last);
	}
	at.flags |= (variant & OF_LINK) != 0 ? AT_SYMLINK_NOFOLLOW : 0;
	return at;
}

/* ---- modes -------------------------------------------------------------------------------- */

static long
set_mode(const struct object *object, const void *how)
{
	const mode_t *mode = how;

	return object->descriptor ? fchmod(object->fd, *mode)
				  : fchmodat(AT_FDCWD, object->link, *mode, 0);
}

/* The kernel takes 16 bits, and of these the last twelve. */
static mode_t
mode_argument(const struct request *r, unsigned int n)
{
	return (mode_t)(r->args[n] & 07777);
}

/* No file becomes setuid or setgid: the filter sees to it as well. */
static struct answer
refuse_set_id(struct request *r)
{
	return refuse(r, EPERM, "metadata.set-id", "", "a setuid or setgid bit");
}

static struct answer
change_mode(struct request *r)
{
	struct place_arguments at = place_arguments(r, 3);
	mode_t mode = mode_argument(r, at.path + 1);

	if ((at.flags & ~AT_FLAGS) != 0) {
		return answer_error(EINVAL);
	}
	if ((mode & SET_ID) != 0) {
		return refuse_set_id(r);
	}
	return change_path(r, at.dirfd, r->args[at.path], at.flags, set_mode, &mode);
}

static struct answer
change_mode_of_fd(struct request *r)
{
	mode_t mode = mode_argument(r, 1);

	return (mode & SET_ID) != 0 ? refuse_set_id(r)
				    : change_descriptor(r, arg_int(r, 0), set_mode, &mode);
}

/* ---- owners ------------------------------------------------------------------------------- */

struct owner {
	uid_t uid; /* (uid_t)-1: stays */
	gid_t gid;
};

static long
set_owner(const struct object *object, const void *how)
{
	const struct owner *owner = how;

	return object->descriptor ? fchown(object->fd, owner->uid, owner->gid)
				  : fchownat(AT_FDCWD, object->link, owner->uid, owner->gid, 0);
}

static struct owner
owner_arguments(const struct request *r, unsigned int n)
{
	return (struct owner){ (uid_t)r->args[n], (gid_t)r->args[n + 1] };
}

static struct answer
change_owner(struct request *r)
{
	struct place_arguments at = place_arguments(r, 4);
	struct owner owner = owner_arguments(r, at.path + 1);

	if ((at.flags & ~AT_FLAGS) != 0) {
		return answer_error(EINVAL);
	}
	return change_path(r, at.dirfd, r->args[at.path], at.flags, set_owner, &owner);
}

static struct answer
change_owner_of_fd(struct request *r)
{
	struct owner owner = owner_arguments(r, 1);

	return change_descriptor(r, arg_int(r, 0), set_owner, &owner);
}

/* ---- times -------------------------------------------------------------------------------- */

/* `how` may be NULL: now. */
static long
set_times(const struct object *object, const void *how)
{
	const struct timespec *times = how;

	return object->descriptor ? futimens(object->fd, times)
				  : utimensat(AT_FDCWD, object->link, times, 0);
}

static struct answer
change_times(struct request *r, int dirfd, uint64_t path, unsigned int flags,
	     const struct timespec *times)
{
	if (path == 0 && dirfd != AT_FDCWD) {
		return flags != 0 ? answer_error(EINVAL)
				  : change_descriptor(r, dirfd, set_times, times);
	}
	if ((flags & ~AT_FLAGS) != 0) {
		return answer_error(EINVAL);
	}
	return change_path(r, dirfd, path, flags, set_times, times);
}

static struct answer
change_times_at(struct request *r)
{
	struct timespec times[2];
	uint64_t address = r->args[2];
	int error = address != 0 ? caller_read(r, address, times, sizeof(times)) : 0;

	if (error != 0) {
		return answer_error(error);
	}
	if (address != 0 && times[0].tv_nsec == UTIME_OMIT && times[1].tv_nsec == UTIME_OMIT) {
		return answer_value(0); /* the kernel does not even look at the path */
	}
	return change_times(r, arg_int(r, 0), r->args[1], (unsigned int)arg_int(r, 3),
			    address != 0 ? times : NULL);
}

#ifdef SYS_utimes

static struct answer
change_times_in_seconds(struct request *r)
{
	struct utimbuf seconds;
	struct timespec times[2] = { { 0 }, { 0 } };
	uint64_t address = r->args[1];
	int error = address != 0 ? caller_read(r, address, &seconds, sizeof(seconds)) : 0;

	if (error != 0) {
		return answer_error(error);
	}
	if (address != 0) {
		times[0].tv_sec = seconds.actime;
		times[1].tv_sec = seconds.modtime;
	}
	return change_times(r, AT_FDCWD, r->args[0], 0, address != 0 ? times : NULL);
}

static struct answer
change_times_in_microseconds(struct request *r)
{
	struct place_arguments at = place_arguments(r, 0);
	struct timeval given[2];
	struct timespec times[2];
	uint64_t address = r->args[at.path + 1];
	int error = address != 0 ? caller_read(r, address, given, sizeof(given)) : 0;

	if (error != 0) {
		return answer_error(error);
	}
	for (unsigned int i = 0; address != 0 && i < 2; i++) {
		if (given[i].tv_usec < 0 || given[i].tv_usec >= 1000000) {
			return answer_error(EINVAL);
		}
		times[i] = (struct timespec){ given[i].tv_sec, given[i].tv_usec * 1000 };
	}
	return change_times(r, at.dirfd, r->args[at.path], 0, address != 0 ? times : NULL);
}

#endif

/* ---- the table ---------------------------------------------------------------------------- */

static const struct call_row rows[] = {
	{ SYS_fchmod, "fchmod", change_mode_of_fd, EPERM, 0 },
	{ SYS_fchmodat, "fchmodat", change_mode, EPERM, WITH_DIRFD },
	{ NR_FCHMODAT2, "fchmodat2", change_mode, EPERM, WITH_DIRFD | WITH_FLAGS },
	{ SYS_fchown, "fchown", change_owner_of_fd, EPERM, 0 },
	{ SYS_fchownat, "fchownat", change_owner, EPERM, WITH_DIRFD | WITH_FLAGS },
	{ SYS_utimensat, "utimensat", change_times_at, EPERM, 0 },
	{ SYS_setxattr, "setxattr", change_xattr, EPERM, 0 },
	{ SYS_lsetxattr, "lsetxattr", change_xattr, EPERM, OF_LINK },
	{ SYS_fsetxattr, "fsetxattr", change_xattr, EPERM, OF_FD },
	{ NR_SETXATTRAT, "setxattrat", change_xattr_at, EPERM, 0 },
	{ SYS_removexattr, "removexattr", change_xattr, EPERM, REMOVES },
	{ SYS_lremovexattr, "lremovexattr", change_xattr, EPERM, REMOVES | OF_LINK },
	{ SYS_fremovexattr, "fremovexattr", change_xattr, EPERM, REMOVES | OF_FD },
	{ NR_REMOVEXATTRAT, "removexattrat", change_xattr_at, EPERM, REMOVES },
	{ NR_FILE_SETATTR, "file_setattr", change_attributes, EPERM, 0 },
	{ SYS_ioctl, "ioctl", change_flags, EPERM, 0 },
#ifdef SYS_utimes
	{ SYS_chmod, "chmod", change_mode, EPERM, 0 },
	{ SYS_chown, "chown", change_owner, EPERM, 0 },
	{ SYS_lchown, "lchown", change_owner, EPERM, OF_LINK },
	{ SYS_utime, "utime", change_times_in_seconds, EPERM, 0 },
	{ SYS_utimes, "utimes", change_times_in_microseconds, EPERM, 0 },
	{ SYS_futimesat, "futimesat", change_times_in_microseconds, EPERM, WITH_DIRFD },
#endif
};

const struct call_table metadata_calls = { rows, COUNT_OF(rows) };
