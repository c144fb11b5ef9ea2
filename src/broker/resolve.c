/* SPDX-License-Identifier: MIT */

/*
 * Walking a path as the kernel would for the caller.
 *
 * The kernel does the walk itself (openat2(2)) from the caller's directory, since broker and caller
 * have the same user, the same mounts and, there being no chroot(2) in a sandbox, the same root.
 * Only procfs looks different to the two: "self" is the broker, and magic links lead to what
 * somebody has open. So no magic link is followed by that walk, and what ended in procfs, or failed
 * where it could have been there, is walked again slowly: one component at a time, with "self" made
 * the caller, and magic links followed in the directories of the caller's own process only.
 */

#include "broker/request.h"

#include "base/attr.h"

#include <ctype.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#define LINKS_MAX 40U /* the kernel's MAXSYMLINKS, namei.h */
#define PROC_ROOT_INO 1U
#define MOUNT_NOSYMFOLLOW 0x2000 /* ST_NOSYMFOLLOW of statfs(2), 5.10 */
#define PIN (O_PATH | O_CLOEXEC)
#define PIN_DIR (PIN | O_DIRECTORY | O_NOFOLLOW)

/* What is still to be walked: the rest of the path and of a few symlinks in front of it. The kernel
 * has no such limit, but no path of a program comes near. */
#define TEXT_MAX ((size_t)3 * PATH_MAX)

struct walk {
	struct request *r;
	int dir; /* where it is; O_PATH on a directory */
	unsigned int links;
	bool nofollow;
	size_t at;	     /* of `text`: what is still to be walked begins here */
	char text[TEXT_MAX]; /* ends at the very end */
};

static void
close_walkp(const struct walk *w)
{
	close_fdp(&w->dir);
}

/* ---- procfs ------------------------------------------------------------------------------- */

static bool
is_on_procfs(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool
is_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i])) {
			return false;
		}
	}
	return len > 0;
}

/* Cuts off the last component and returns it: "" in the end. */
static const char *
pop_component(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL) {
		return "";
	}
	*slash = '\0';
	return slash + 1;
}

/*
 * The process or thread whose directory, or directory of descriptors and the like, `dir` is: the
 * last but one or the last component of its path. 0: it is none of those.
 */
static pid_t
proc_owner(int dir)
{
	char link[40];
	char path[PATH_MAX];
	const char *name;
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	name = pop_component(path);
	if (!is_number(name, strlen(name))) {
		name = pop_component(path);
	}
	return is_number(name, strlen(name)) ? (pid_t)strtol(name, NULL, 10) : 0;
}

static bool
is_own_task(struct request *r, pid_t task)
{
	return task == r->tid || task == caller_tgid(r) ||
	       syscall(SYS_tgkill, caller_tgid(r), task, 0) == 0;
}

/* What the symlinks that mean "whoever asks" mean for the caller. False: it is not one of them. */
static bool
proc_self_text(struct request *r, const char *name, char *out, size_t size)
{
	if (strcmp(name, "self") == 0) {
		(void)snprintf(out, size, "%d", (int)caller_tgid(r));
		return true;
	}
	if (strcmp(name, "thread-self") == 0) {
		(void)snprintf(out, size, "%d/task/%d", (int)caller_tgid(r), (int)r->tid);
		return true;
	}
	return false;
}

/* ---- symlinks ----------------------------------------------------------------------------- */

enum link_kind { LINK_TEXT, LINK_MAGIC };

/*
 * fs.protected_symlinks (proc(5), 3.6) for the last symlink of a path: in a sticky directory that
 * all may write, only those of the directory's owner and one's own are followed.
 */
static bool
is_refused_link(int dir, const char *name)
{
	struct stat link;
	struct stat parent;
	char value = '1';
	AUTO_FD fd = -1;

	if (fstatat(dir, name, &link, AT_SYMLINK_NOFOLLOW) != 0 || fstat(dir, &parent) != 0 ||
	    link.st_uid == geteuid() || link.st_uid == parent.st_uid ||
	    (parent.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH)) {
		return false;
	}
	fd = open("/proc/sys/fs/protected_symlinks", O_RDONLY | O_CLOEXEC);
	return fd < 0 || read(fd, &value, 1) != 1 || value != '0';
}

/* The text of the symlink `name`, into `out`, not terminated. Its length, or -1 and errno: EINVAL
 * when it is no symlink. */
static ssize_t
read_link(int dir, const char *name, char *out, size_t size)
{
	ssize_t n = readlinkat(dir, name, out, size);

	if (n == 0 || (n > 0 && (size_t)n == size)) {
		errno = n == 0 ? ENOENT : ENAMETOOLONG;
		return -1;
	}
	return n;
}

/* As read_link(), in procfs and for the caller. LINK_MAGIC: leads to an object, whatever its text.
 */
static ssize_t
read_proc_link(struct request *r, int dir, const char *name, char *out, size_t size,
	       enum link_kind *kind)
{
	struct stat st;
	pid_t owner;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		return -1;
	}
	if (!S_ISLNK(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	if (fstat(dir, &st) == 0 && st.st_ino == PROC_ROOT_INO &&
	    proc_self_text(r, name, out, size)) {
		return (ssize_t)strlen(out);
	}
	owner = proc_owner(dir);
	if (owner == 0) {
		return read_link(dir, name, out, size);
	}
	if (!is_own_task(r, owner)) {
		errno = EACCES;
		return -1;
	}
	*kind = LINK_MAGIC;
	return 0;
}

static ssize_t
read_callers_link(struct request *r, int dir, const char *name, char *out, size_t size,
		  enum link_kind *kind)
{
	struct statfs fs;
	ssize_t n;

	*kind = LINK_TEXT;
	if (fstatfs(dir, &fs) != 0) {
		return -1;
	}
	if (fs.f_type == PROC_SUPER_MAGIC) {
		return read_proc_link(r, dir, name, out, size, kind);
	}
	n = read_link(dir, name, out, size);
	if (n >= 0 && (fs.f_flags & MOUNT_NOSYMFOLLOW) != 0) {
		errno = ELOOP;
		return -1;
	}
	return n;
}

/* ---- the slow walk ------------------------------------------------------------------------ */

/* 0, or an errno. Takes `dir`. */
static int
move_to(struct walk *w, int dir)
{
	if (dir < 0) {
		return errno;
	}
	close_fdp(&w->dir);
	w->dir = dir;
	return 0;
}

/* `len` bytes at the start of the text are a symlink's, to be walked before the rest at `rest`. */
static int
push_text(struct walk *w, size_t len, size_t rest)
{
	bool absolute = w->text[0] == '/';

	w->at = rest - len;
	memmove(w->text + w->at, w->text, len);
	return absolute ? move_to(w, open("/", PIN_DIR)) : 0;
}

/* Follows the symlink `name`, which ends where `rest` begins, if it is one: else ENOTDIR. A magic
 * link's object goes to `*object`. 0 or an errno. */
static int
follow(struct walk *w, const char *name, size_t rest, int *object)
{
	bool last = w->text[rest + strspn(w->text + rest, "/")] == '\0';
	enum link_kind kind;
	ssize_t n = read_callers_link(w->r, w->dir, name, w->text, rest, &kind);

	if (n < 0) {
		return errno == EINVAL ? ENOTDIR : errno;
	}
	if (++w->links > LINKS_MAX) {
		return ELOOP;
	}
	if (kind == LINK_MAGIC) {
		w->at = rest;
		*object = openat(w->dir, name, PIN);
		return *object >= 0 ? 0 : errno;
	}
	if (last && is_refused_link(w->dir, name)) {
		return EACCES;
	}
	return push_text(w, (size_t)n, rest);
}

/* A component that more comes behind, if only a slash: a directory, or a symlink to one. */
static int
step_into(struct walk *w, const char *name, size_t rest)
{
	AUTO_FD object = -1;
	struct stat st;
	int dir = openat(w->dir, name, PIN_DIR);
	int failed;

	if (dir >= 0) {
		w->at = rest;
		return move_to(w, dir);
	}
	if (errno != ENOTDIR) {
		return errno;
	}
	failed = follow(w, name, rest, &object);
	if (failed != 0 || object < 0) {
		return failed;
	}
	if (fstat(object, &st) != 0 || !S_ISDIR(st.st_mode)) {
		return ENOTDIR;
	}
	return move_to(w, take_fd(&object));
}

/* The last component. 0 with the object, or with none when a symlink was followed; or an errno. */
static int
step_last(struct walk *w, const char *name, size_t rest, int *object)
{
	AUTO_FD fd = openat(w->dir, name, PIN | O_NOFOLLOW);
	struct stat st;
	int failed;

	if (fd < 0 || fstat(fd, &st) != 0) {
		return errno;
	}
	if (!S_ISLNK(st.st_mode) || w->nofollow) {
		*object = take_fd(&fd);
		return 0;
	}
	failed = follow(w, name, rest, object);
	/* Replaced by something else in between: looked at again, but not for ever. */
	return failed == ENOTDIR && ++w->links <= LINKS_MAX ? 0 : failed;
}

/* Walks one component. The object when it was the last: 0 without one goes on. */
static int
step(struct walk *w, int *object)
{
	char *name = w->text + w->at + strspn(w->text + w->at, "/");
	size_t rest = (size_t)(name - w->text) + strcspn(name, "/");
	char behind = w->text[rest];
	char copy[PATH_MAX];

	if (name[0] == '\0') {
		*object = take_fd(&w->dir);
		return 0;
	}
	memcpy(copy, name, (size_t)(w->text + rest - name));
	copy[w->text + rest - name] = '\0';
	return behind == '/' ? step_into(w, copy, rest) : step_last(w, copy, rest, object);
}

/* 0 with the object, or an errno. */
static int
walk_slowly(struct request *r, int start, const char *path, bool nofollow, int *object)
{
	__attribute__((cleanup(close_walkp))) struct walk w = { .r = r, .dir = -1 };
	size_t len = strlen(path);
	int failed;

	w.nofollow = nofollow;
	w.at = sizeof(w.text) - 1 - len;
	memcpy(w.text + w.at, path, len + 1);
	failed =
		move_to(&w, path[0] == '/' ? open("/", PIN_DIR) : fcntl(start, F_DUPFD_CLOEXEC, 0));
	while (failed == 0 && *object < 0) {
		failed = step(&w, object);
	}
	return failed;
}

/* ---- the kernel's walk -------------------------------------------------------------------- */

static int
walk_fast(int start, const char *path, bool nofollow, uint64_t more)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned int)(PIN | (nofollow ? O_NOFOLLOW : 0)),
		.resolve = RESOLVE_NO_MAGICLINKS | more,
	};

	return (int)syscall(SYS_openat2, start, path, &how, sizeof(how));
}

/* The walk failed with `error`. Did it also fail for the caller, having never been in procfs? It
 * was not if it fails in the same way without leaving the mount that it starts on. */
static bool
is_sure(int start, const char *path, bool nofollow, int error)
{
	int fd;

	if (error == ELOOP || (path[0] != '/' && is_on_procfs(start))) {
		return false;
	}
	fd = walk_fast(start, path, nofollow, RESOLVE_NO_XDEV);
	if (fd >= 0) {
		(void)close(fd);
		return false;
	}
	return errno == error;
}

/* From a descriptor of the broker. The object, or -1 and errno. */
static int
walk_from(struct request *r, int start, const char *path, bool nofollow)
{
	AUTO_FD fd = walk_fast(start, path, nofollow, 0);
	int error = errno;
	int object = -1;

	if (fd >= 0 && !is_on_procfs(fd)) {
		return take_fd(&fd);
	}
	if (fd >= 0 || !is_sure(start, path, nofollow, error)) {
		error = walk_slowly(r, start, path, nofollow, &object);
	}
	errno = error;
	return object;
}

/* The caller's directory to start from, which for an absolute path nobody looks at. */
static int
start_of(const struct request *r, int dirfd, const char *path, int *start)
{
	*start = path[0] == '/' ? -1 : caller_dir(r, dirfd);
	return path[0] == '/' || *start >= 0 ? 0 : errno;
}

int
walk_object(struct request *r, int dirfd, const char *path, unsigned int flags)
{
	AUTO_FD start = -1;
	int failed;

	if (path[0] == '\0' && (flags & WALK_EMPTY) != 0) {
		return caller_object(r, dirfd, 0);
	}
	if (path[0] == '\0') {
		errno = ENOENT;
		return -1;
	}
	failed = start_of(r, dirfd, path, &start);
	if (failed != 0) {
		errno = failed;
		return -1;
	}
	return walk_from(r, start, path, (flags & WALK_NOFOLLOW) != 0);
}

/* ---- entries ------------------------------------------------------------------------------ */

struct split {
	size_t parent; /* bytes in front of the last component */
	size_t end;    /* of it; 0: the path is nothing but slashes */
};

static struct split
split_last(const char *path)
{
	struct split at = { .end = strlen(path) };

	while (at.end > 0 && path[at.end - 1] == '/') {
		at.end--;
	}
	at.parent = at.end;
	while (at.parent > 0 && path[at.parent - 1] != '/') {
		at.parent--;
	}
	return at;
}

/* A single name that is used as it is, so that whatever uses it asks for search permission. */
static bool
is_plain(const char *name, size_t len)
{
	return len <= NAME_MAX && !(name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')));
}

/* The directory of the last component, from a descriptor of the broker, which it may be itself:
 * then `*start` is taken. -1 and errno. */
static int
parent_of(struct request *r, int *start, const char *path, struct split at)
{
	size_t len = at.end - at.parent;
	char parent[PATH_MAX + 1];

	if (len > 0 && at.parent == 0 && is_plain(path, len)) {
		return take_fd(start);
	}
	/* "dir/." asks for search permission too, as a walk through the directory does. */
	memcpy(parent, path, at.parent);
	memcpy(parent + at.parent, ".", sizeof("."));
	return walk_from(r, *start, at.end > 0 ? parent : "/", false);
}

/* From a descriptor of the broker, which may be taken. 0 or an errno. */
static int
walk_entry_from(struct request *r, int *start, const char *path, struct entry *out)
{
	struct split at = split_last(path);
	size_t len = at.end - at.parent;
	AUTO_FD dir = parent_of(r, start, path, at);

	if (dir < 0) {
		return errno;
	}
	if (len > NAME_MAX) {
		return ENAMETOOLONG;
	}
	memcpy(out->name, at.end > 0 ? path + at.parent : "/", len > 0 ? len : 1);
	out->name[len > 0 ? len : 1] = '\0';
	out->slash = at.end > 0 && path[at.end] == '/';
	out->dir = take_fd(&dir);
	return 0;
}

int
walk_entry(struct request *r, int dirfd, const char *path, struct entry *out)
{
	AUTO_FD start = -1;
	int failed = path[0] != '\0' ? start_of(r, dirfd, path, &start) : ENOENT;

	out->dir = -1;
	return failed != 0 ? failed : walk_entry_from(r, &start, path, out);
}

int
walk_link(struct request *r, const struct entry *link, unsigned int *followed, struct entry *out)
{
	char text[PATH_MAX];
	enum link_kind kind;
	ssize_t n = read_callers_link(r, link->dir, link->name, text, sizeof(text), &kind);
	AUTO_FD start = -1;
	int failed;

	out->dir = -1;
	if (n < 0) {
		return errno;
	}
	if (++*followed > LINKS_MAX) {
		return ELOOP;
	}
	if (kind == LINK_MAGIC) {
		return ENOENT; /* an object and no entry; walk_object() finds it while it is open */
	}
	if (is_refused_link(link->dir, link->name)) {
		return EACCES;
	}
	text[n] = '\0';
	start = fcntl(link->dir, F_DUPFD_CLOEXEC, 0);
	failed = start >= 0 ? walk_entry_from(r, &start, text, out) : errno;
	out->slash |= failed == 0 && link->slash;
	return failed;
}
