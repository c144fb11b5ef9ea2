/* SPDX-License-Identifier: MIT */
#include "sandbox/ptys.h"

#include "base/attr.h"
#include "base/path.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static bool
is_own(const struct terminals *terminals, const char *path)
{
	for (size_t i = 0; i < terminals->own.count; i++) {
		if (strcmp(terminals->own.items[i], path) == 0) {
			return true;
		}
	}
	return false;
}

static void
add_own(struct arena *arena, struct terminals *terminals, int fd)
{
	char path[PATH_MAX];
	const char **slot;

	if (ttyname_r(fd, path, sizeof(path)) != 0 || is_own(terminals, path)) {
		return;
	}
	slot = arena_push(arena, &terminals->own.items, &terminals->own.count, sizeof(*slot));
	if (slot != NULL) {
		*slot = arena_strdup(arena, path);
	}
}

/* Root may open everybody's. */
static bool
is_reachable(int dirfd, const char *name)
{
	struct stat st;

	return fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (geteuid() == 0 || st.st_uid == geteuid());
}

void
ptys_find(struct arena *arena, struct terminals *out)
{
	AUTO_DIR *dir = opendir("/dev/pts");

	*out = (struct terminals){ .others = dir == NULL };
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		add_own(arena, out, fd);
	}
	for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
		char *path;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9') {
			continue;
		}
		path = path_join(arena, "/dev/pts", entry->d_name);
		if (path != NULL && !is_own(out, path) && is_reachable(dirfd(dir), entry->d_name)) {
			out->others = true;
			return;
		}
	}
}
