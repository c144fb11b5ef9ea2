/* SPDX-License-Identifier: MIT */
#include "base/fd.h"

#include "base/attr.h"
#include "base/path.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/syscall.h>

#define LINKS_MAX 40	  /* as the kernel's own limit, MAXSYMLINKS */
#define TREE_DEPTH_MAX 64 /* so many descriptors are open at once; what is deeper is moved up */

static ssize_t
read_some(int fd, char *buf, size_t len)
{
	ssize_t n;

	do {
		n = read(fd, buf, len);
	} while (n < 0 && errno == EINTR);
	return n;
}

int
read_file(struct arena *arena, const char *path, size_t max, char **text, size_t *len,
	  struct bailey_error *err)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	char *buf;
	size_t have = 0;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		return bailey_fail(err, BAILEY_E_NOT_FOUND,
				   "cannot open '%s': there is no such file", path);
	}
	if (fd < 0) {
		return bailey_fail_sys(err, errno, "cannot open '%s'", path);
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		return bailey_fail(err, BAILEY_E_INVALID, "'%s' is not a regular file", path);
	}
	if (st.st_size < 0 || (uint64_t)st.st_size > max) {
		return bailey_fail(err, BAILEY_E_LIMIT, "'%s' is longer than %zu bytes", path, max);
	}
	buf = arena_alloc(arena, (size_t)st.st_size + 1);
	if (buf == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for '%s'", path);
	}
	while (have < (size_t)st.st_size) {
		ssize_t n = read_some(fd, buf + have, (size_t)st.st_size - have);

		if (n < 0) {
			return bailey_fail_sys(err, errno, "cannot read '%s'", path);
		}
		if (n == 0) {
			break;
		}
		have += (size_t)n;
	}
	buf[have] = '\0';
	*text = buf;
	*len = have;
	return BAILEY_OK;
}

enum found { FOUND_PLAIN, FOUND_LINK, FOUND_NOTHING, FOUND_ERROR };

/* One step of path_resolve(): what is at `path`; of a symlink also where it leads, absolute. */
static enum found
look(struct arena *arena, const char *path, char **target)
{
	char text[PATH_MAX];
	ssize_t n = readlink(path, text, sizeof(text) - 1);
	char *parent;

	if (n < 0 && errno == EINVAL) {
		return FOUND_PLAIN;
	}
	if (n < 0) {
		return errno == ENOENT || errno == ENOTDIR ? FOUND_NOTHING : FOUND_ERROR;
	}
	text[n] = '\0';
	parent = path_parent(arena, path);
	*target = parent != NULL ? path_join(arena, text[0] == '/' ? "" : parent, text) : NULL;
	return *target != NULL ? FOUND_LINK : FOUND_ERROR;
}

/* Of a path: the first component, and what is behind it. */
static char *
split_first(struct arena *arena, const char **path)
{
	const char *start = *path + strspn(*path, "/");
	size_t len = strcspn(start, "/");

	*path = start + len;
	return arena_strndup(arena, start, len);
}

/* Makes `name` below `done` the new `done`, or puts where it leads in front of what is to come. */
static enum found
resolve_name(struct arena *arena, const char *name, char **done, const char **todo)
{
	bool dots = name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
	char *path = path_normalize(arena, *done, name);
	char *target = NULL;
	enum found found;

	if (path == NULL) {
		return FOUND_ERROR;
	}
	found = dots ? FOUND_PLAIN : look(arena, path, &target);
	if (found == FOUND_LINK) {
		path = arena_strdup(arena, "/");
		*todo = arena_printf(arena, "%s/%s", target, *todo);
	} else if (found == FOUND_NOTHING) {
		target = path_join(arena, path, *todo);
		path = target != NULL ? path_normalize(arena, "/", target) : NULL;
		*todo = "";
	}
	*done = path;
	return found;
}

/* `done` has no symlink in it; `todo` is what is still to come. */
char *
path_resolve(struct arena *arena, const char *path)
{
	char *done = arena_strdup(arena, "/");
	const char *todo = path;
	unsigned int links = 0;

	while (!arena->failed && *todo != '\0') {
		char *name = split_first(arena, &todo);
		enum found found;

		if (name == NULL) {
			break;
		}
		found = resolve_name(arena, name, &done, &todo);
		if (found == FOUND_ERROR && !arena->failed) {
			return NULL;
		}
		if (found == FOUND_LINK && ++links > LINKS_MAX) {
			errno = ELOOP;
			return NULL;
		}
	}
	if (arena->failed) {
		errno = ENOMEM;
		return NULL;
	}
	return done;
}

int
open_beneath(int dirfd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS,
	};

	return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

struct removal {
	int top;	    /* the root of the tree */
	unsigned int moved; /* the number of the next directory that is moved up into it */
	bool again;	    /* one was moved up in this pass */
	int failed;	    /* the first errno */
};

static void
note(struct removal *removal, int sys)
{
	removal->failed = removal->failed != 0 ? removal->failed : sys;
}

/* Opens a directory for reading and makes it writable, as far as that is allowed. */
static int
open_to_empty(int dirfd, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dirfd, name, flags);

	if (fd < 0 && errno == EACCES && fchmodat(dirfd, name, 0700, AT_SYMLINK_NOFOLLOW) == 0) {
		fd = openat(dirfd, name, flags);
	}
	if (fd >= 0) {
		(void)fchmod(fd, 0700);
	}
	return fd;
}

/* A directory that is too deep goes to the top of the tree, where the next pass finds it. */
static void
move_up(struct removal *removal, int dirfd, const char *name)
{
	char to[32];

	for (unsigned int tries = 0; tries < 100; tries++) {
		(void)snprintf(to, sizeof(to), ".removed-%u", removal->moved++);
		if (renameat2(dirfd, name, removal->top, to, RENAME_NOREPLACE) == 0) {
			removal->again = true;
			return;
		}
		if (errno != EEXIST) {
			break;
		}
	}
	note(removal, errno);
}

static void remove_at(struct removal *removal, int dirfd, const char *name, unsigned int depth);

/* Takes `fd`. */
static void
remove_children(struct removal *removal, int fd, unsigned int depth)
{
	AUTO_DIR *dir = fdopendir(fd);

	if (dir == NULL) {
		note(removal, errno);
		(void)close(fd);
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			remove_at(removal, dirfd(dir), entry->d_name, depth);
		}
	}
}

static void
remove_at(struct removal *removal, int dirfd, const char *name, unsigned int depth)
{
	int why;
	int fd;

	if (unlinkat(dirfd, name, 0) == 0) {
		return;
	}
	why = errno;
	if (why != EISDIR && why != EPERM && why != EACCES) {
		note(removal, why);
		return;
	}
	fd = open_to_empty(dirfd, name);
	if (fd < 0) {
		note(removal, errno == ENOTDIR ? why : errno);
		return;
	}
	if (depth == TREE_DEPTH_MAX) {
		(void)close(fd);
		move_up(removal, dirfd, name);
		return;
	}
	remove_children(removal, fd, depth + 1);
	if (unlinkat(dirfd, name, AT_REMOVEDIR) != 0) {
		note(removal, errno);
	}
}

int
remove_tree(int dirfd, const char *name)
{
	struct removal removal = { 0 };
	AUTO_FD top = -1;
	int fd;

	if (unlinkat(dirfd, name, 0) == 0) {
		return 0;
	}
	if (errno != EISDIR && errno != EPERM && errno != EACCES) {
		return -1;
	}
	top = open_to_empty(dirfd, name);
	if (top < 0) {
		return -1;
	}
	removal.top = top;
	do {
		removal.again = false;
		fd = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0) {
			return -1;
		}
		remove_children(&removal, fd, 1);
	} while (removal.again);
	if (unlinkat(dirfd, name, AT_REMOVEDIR) != 0) {
		note(&removal, errno);
	}
	errno = removal.failed;
	return removal.failed == 0 ? 0 : -1;
}

int
write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return -1;
		}
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* ---- descriptors over sockets ------------------------------------------------------------- */

union fd_message {
	struct cmsghdr header; /* for its alignment */
	char room[CMSG_SPACE(sizeof(int))];
};

int
send_fd(int channel, int fd)
{
	char byte = 0;
	struct iovec data = { &byte, 1 };
	union fd_message control = { 0 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = control.room,
				  .msg_controllen = sizeof(control.room) };

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return sendmsg(channel, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int
receive_fd(int channel)
{
	char byte;
	struct iovec data = { &byte, 1 };
	union fd_message control = { 0 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = control.room,
				  .msg_controllen = sizeof(control.room) };
	ssize_t len = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
	int fd = -1;

	if (len < 0) {
		return -1;
	}
	if (message.msg_controllen < CMSG_LEN(sizeof(fd)) ||
	    control.header.cmsg_type != SCM_RIGHTS) {
		errno = ENODATA;
		return -1;
	}
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

/* The lowest of them from `low` on; ~0U: there is none. */
static unsigned int
next_kept(const int *kept, size_t count, unsigned int low)
{
	unsigned int next = ~0U;

	for (size_t i = 0; i < count; i++) {
		unsigned int fd = (unsigned int)kept[i]; /* -1 is ~0U */

		next = fd >= low && fd < next ? fd : next;
	}
	return next;
}

int
close_all_but(const int *kept, size_t count)
{
	unsigned int low = 0;
	unsigned int next;
	long rc = 0;

	while ((next = next_kept(kept, count, low)) != ~0U) {
		rc |= next > low ? syscall(SYS_close_range, low, next - 1, 0U) : 0;
		low = next + 1;
	}
	rc |= syscall(SYS_close_range, low, ~0U, 0U);
	return (int)rc;
}
