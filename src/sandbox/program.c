/* SPDX-License-Identifier: MIT */
#include "sandbox/program.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* 0 when the file can be run; else an errno. */
static int
cannot_run(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		return errno;
	}
	if (S_ISDIR(st.st_mode)) {
		return EISDIR;
	}
	if (!S_ISREG(st.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0) {
		return EACCES;
	}
	return 0;
}

static int
refuse(struct bailey_error *err, const char *path, int why)
{
	return bailey_fail(err, BAILEY_E_REFUSED, "cannot execute '%s': %s", path,
			   why == EISDIR ? "it is a directory"
					 : "it is not an executable file (chmod +x makes it one)");
}

int
program_find(struct arena *arena, const char *name, const char *path, const char *cwd,
	     const char **out, struct bailey_error *err)
{
	const char *refused = NULL;
	const char *entry = path != NULL ? path : USUAL_PATH;
	bool named = strchr(name, '/') != NULL;

	for (bool more = true; more && name[0] != '\0';) {
		size_t len = strcspn(entry, ":");
		char *dir = named ? arena_strdup(arena, cwd)
				  : path_normalize(arena, cwd, arena_strndup(arena, entry, len));
		char *file = dir != NULL ? path_normalize(arena, dir, name) : NULL;
		int why;

		if (file == NULL) {
			return bailey_fail(err, BAILEY_E_NOMEM, "no memory to look for '%s'", name);
		}
		why = cannot_run(file);
		if (why == 0) {
			*out = file;
			return BAILEY_OK;
		}
		if (why == EACCES || (named && why == EISDIR)) {
			refused = file;
		}
		if (named && refused != NULL) {
			return refuse(err, file, why);
		}
		more = !named && entry[len] != '\0';
		entry += len + 1;
	}
	if (refused != NULL) {
		return refuse(err, refused, EACCES);
	}
	return bailey_fail(err, BAILEY_E_NOT_FOUND, "there is no %s '%s'%s",
			   named ? "file" : "program", name, named ? "" : " in PATH");
}
