/* SPDX-License-Identifier: MIT */
#include "base/path.h"

#include <string.h>

/* Appends the components of `path` to the normal path of `*len` bytes in `out`. */
static void
append(char *out, size_t *len, const char *path)
{
	size_t n = *len;

	while (*path != '\0') {
		size_t part = strcspn(path, "/");

		if (part == 2 && memcmp(path, "..", 2) == 0) {
			while (n > 0 && out[n - 1] != '/') {
				n--;
			}
			n -= n > 0 ? 1 : 0;
		} else if (part > 0 && !(part == 1 && path[0] == '.')) {
			out[n++] = '/';
			memcpy(out + n, path, part);
			n += part;
		}
		path += part;
		path += strspn(path, "/");
	}
	*len = n;
}

char *
path_normalize(struct arena *arena, const char *base, const char *path)
{
	size_t len = 0;
	char *out = arena_alloc(arena, strlen(base) + strlen(path) + 3);

	if (out == NULL) {
		return NULL;
	}
	if (path[0] != '/') {
		append(out, &len, base);
	}
	append(out, &len, path);
	if (len == 0) {
		out[len++] = '/';
	}
	out[len] = '\0';
	return out;
}

char *
path_expand(struct arena *arena, const char *home, const char *base, const char *path)
{
	if (home != NULL && path[0] == '~' && (path[1] == '\0' || path[1] == '/')) {
		char *rest = path_join(arena, home, path[1] == '/' ? path + 2 : "");

		return rest != NULL ? path_normalize(arena, base, rest) : NULL;
	}
	return path_normalize(arena, base, path);
}

char *
path_join(struct arena *arena, const char *dir, const char *name)
{
	size_t n = strlen(dir);
	size_t slash = n > 0 && dir[n - 1] == '/' ? 0 : 1;
	size_t len = strlen(name);
	char *path = arena_alloc(arena, n + slash + len + 1);

	if (path == NULL) {
		return NULL;
	}
	memcpy(path, dir, n);
	if (slash > 0) {
		path[n] = '/';
	}
	memcpy(path + n + slash, name, len + 1);
	return path;
}

bool
path_under(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	if (n == 1 && dir[0] == '/') {
		return path[0] == '/';
	}
	return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

char *
path_parent(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path) {
		return arena_strdup(arena, "/");
	}
	return arena_strndup(arena, path, (size_t)(slash - path));
}

bool
path_has_dotdot(const char *path)
{
	while (*path != '\0') {
		size_t part = strcspn(path, "/");

		if (part == 2 && memcmp(path, "..", 2) == 0) {
			return true;
		}
		path += part;
		path += strspn(path, "/");
	}
	return false;
}
