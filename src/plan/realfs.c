/* SPDX-License-Identifier: MIT */

/* The real file system as the plan looks at it. Nothing is opened for reading but directories and
 * `.git` files; nothing is ever written. */

#include "base/attr.h"
#include "base/fd.h"
#include "plan/plan.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_MAX_BYTES 4096

static enum fs_type
type_of_mode(mode_t mode)
{
	if (S_ISDIR(mode)) {
		return FS_DIR;
	}
	if (S_ISREG(mode)) {
		return FS_FILE;
	}
	return S_ISLNK(mode) ? FS_LINK : FS_OTHER;
}

static enum fs_type
real_type(void *data, const char *path)
{
	struct stat st;

	(void)data;
	return lstat(path, &st) == 0 ? type_of_mode(st.st_mode) : FS_MISSING;
}

static enum fs_type
type_of_entry(int dirfd, const struct dirent *entry)
{
	struct stat st;

	switch (entry->d_type) {
	case DT_DIR:
		return FS_DIR;
	case DT_REG:
		return FS_FILE;
	case DT_LNK:
		return FS_LINK;
	case DT_UNKNOWN:
		break;
	default:
		return FS_OTHER;
	}
	if (fstatat(dirfd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		return FS_MISSING;
	}
	return type_of_mode(st.st_mode);
}

static bool
real_list(void *data, struct arena *arena, const char *path, struct fs_entry **entries,
	  size_t *count)
{
	AUTO_DIR *dir = opendir(path);

	(void)data;
	*entries = NULL;
	*count = 0;
	if (dir == NULL) {
		return false;
	}
	for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		struct fs_entry *added;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
			continue;
		}
		added = arena_push(arena, entries, count, sizeof(**entries));
		if (added == NULL) {
			return false;
		}
		added->type = type_of_entry(dirfd(dir), entry);
		added->name = arena_strdup(arena, entry->d_name);
		if (added->name == NULL) {
			return false;
		}
	}
	return true;
}

static char *
real_resolve(void *data, struct arena *arena, const char *path)
{
	(void)data;
	return path_resolve(arena, path);
}

static char *
real_first_line(void *data, struct arena *arena, const char *path)
{
	char *text = NULL;
	size_t len = 0;

	(void)data;
	if (read_file(arena, path, LINE_MAX_BYTES, &text, &len, NULL) != BAILEY_OK) {
		return NULL;
	}
	text[strcspn(text, "\r\n")] = '\0';
	return text;
}

const struct fs_view plan_real_fs = {
	.type = real_type,
	.list = real_list,
	.resolve = real_resolve,
	.first_line = real_first_line,
};
