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

/* In mountinfo blanks and backslashes are written as "\\040": undone in place. */
static void
unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at != '\0';) {
		if (at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' &&
		    at[3] >= '0' && at[3] <= '7') {
			*to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
			at += 4;
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
}

/* Line by line as proc_pid_mountinfo(5) has it: ID PARENT MAJOR:MINOR ROOT POINT ... */
static bool
add_mount(struct arena *arena, char *line, struct fs_mount **mounts, size_t *count)
{
	char *fields[5];
	struct fs_mount *added;

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		fields[i] = strsep(&line, " ");
		if (fields[i] == NULL) {
			return false;
		}
	}
	added = arena_push(arena, mounts, count, sizeof(*added));
	if (added == NULL) {
		return false;
	}
	unescape(fields[3]);
	unescape(fields[4]);
	added->device = arena_strdup(arena, fields[2]);
	added->root = arena_strdup(arena, fields[3]);
	added->point = arena_strdup(arena, fields[4]);
	return !arena->failed;
}

static bool
real_mounts(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count)
{
	AUTO_FILE *file = fopen("/proc/self/mountinfo", "re");
	AUTO_FREE char *line = NULL;
	size_t room = 0;
	bool good = file != NULL;

	(void)data;
	*mounts = NULL;
	*count = 0;
	while (good && getline(&line, &room, file) > 0) {
		good = add_mount(arena, line, mounts, count);
	}
	return good && *count > 0;
}

const struct fs_view plan_real_fs = {
	.type = real_type,
	.list = real_list,
	.resolve = real_resolve,
	.first_line = real_first_line,
	.mounts = real_mounts,
};
