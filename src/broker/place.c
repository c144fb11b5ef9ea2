/* SPDX-License-Identifier: MIT */

/*
 * Where in the policy a pinned object lies, by the path that the kernel gives it now. Paths from
 * the kernel have no symlinks, no "." and no "..", and a name in them cannot hold a slash, so they
 * are compared as text, component by component.
 *
 * The plan's paths are text from the start of the run. Where a directory was renamed since, text
 * and Landlock, which goes by inode, can disagree; then what is performed is what both allow.
 *
 * An object with several hard links has one path here, the one that it was reached by. Links out of
 * protected places are refused, so a second one was made by somebody else.
 */

#include "broker/request.h"

#include "base/attr.h"
#include "base/path.h"
#include "broker/names.h"
#include "plan/landlock_abi.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SHM_DIR "/dev/shm/"
#define CLIMB_MAX 4096U /* directories, up from one whose path is too long */

static const char deleted[] = " (deleted)"; /* what the kernel appends (fs/d_path.c) */

/* ---- carve-outs --------------------------------------------------------------------------- */

struct reason {
	const char *rule;
	const char *option;
};

static struct reason
reason_of(const struct carve_out *carve)
{
	if (carve->why == WHY_PROTECTED) {
		return (struct reason){ "protected", "--no-protect" };
	}
	return (struct reason){ carve->why == WHY_SENSITIVE ? "write.sensitive" : "denied", "" };
}

/* The order of carve-outs (plan.h): by path, as bytes. This is that of `path`, `len` bytes with
 * `last` behind, against one of them. */
static int
compare_carve(const struct carve_out *carve, const char *path, size_t len, char last)
{
	int order = strncmp(path, carve->path, len);

	return order != 0 ? order : (unsigned char)last - (unsigned char)carve->path[len];
}

/* The first carve-out that is not before `path`, `len` bytes with `last` behind. */
static size_t
find_carve(const struct plan *plan, const char *path, size_t len, char last)
{
	size_t low = 0;
	size_t high = plan->carve_out_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_carve(&plan->carve_outs[middle], path, len, last) > 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/*
 * Does the carve-out keep what is at `rest` below it ("": itself) from being written? Devices are
 * left to the floor, which opens some of them; and of a .git it depends on the part.
 */
static bool
is_kept_out(const struct broker *b, const struct carve_out *carve, const char *rest)
{
	if (!carve->block_write || carve->why == WHY_DEVICE) {
		return false;
	}
	if (carve->why == WHY_PROTECTED && b->spec->git_hooks &&
	    name_is_git(carve->name, strlen(carve->name))) {
		return name_is_kept_git_part(rest + strspn(rest, "/"));
	}
	return true;
}

/* The carve-out at or above `path` that keeps it from being written. */
static const struct carve_out *
carve_over(const struct broker *b, const char *path)
{
	const struct plan *plan = b->plan;
	size_t len = 0;

	do {
		size_t i;

		len += 1 + strcspn(path + len + 1, "/");
		i = find_carve(plan, path, len, '\0');
		if (i < plan->carve_out_count &&
		    compare_carve(&plan->carve_outs[i], path, len, '\0') == 0 &&
		    is_kept_out(b, &plan->carve_outs[i], path + len)) {
			return &plan->carve_outs[i];
		}
	} while (path[len] != '\0');
	return NULL;
}

/*
 * As carve_over(), for a carve-out below the served root of `len` bytes whose name differs in case
 * alone: a directory may fold it. Protected names are compared so anyway.
 */
static const struct carve_out *
carve_like(const struct broker *b, const char *path, size_t len)
{
	const struct plan *plan = b->plan;
	size_t end = find_carve(plan, path, len, '/' + 1);

	for (size_t i = find_carve(plan, path, len, '/'); i < end; i++) {
		const struct carve_out *carve = &plan->carve_outs[i];
		size_t own;

		if (carve->why == WHY_PROTECTED) {
			continue;
		}
		own = strlen(carve->path);
		if (strncasecmp(carve->path, path, own) == 0 &&
		    (path[own] == '\0' || path[own] == '/') && is_kept_out(b, carve, path + own)) {
			return carve;
		}
	}
	return NULL;
}

/* ---- protected names ---------------------------------------------------------------------- */

/* Is a component of `path` protected that begins behind `from` and no later than at `to`? */
static bool
has_protected_name(const struct broker *b, const char *path, size_t from, size_t to)
{
	const struct plan_broker *spec = b->spec;
	size_t at = from + strspn(path + from, "/");

	while (path[at] != '\0' && at < to) {
		const char *name = path + at;
		size_t len = strcspn(name, "/");
		const char *rest = name + len + (name[len] == '/');

		if (spec->git_hooks && name_is_git(name, len)) {
			if (name_is_kept_git_part(rest)) {
				return true;
			}
		} else if (name_is_any_of(&spec->protected, name, len)) {
			return true;
		}
		at = (size_t)(rest - path);
	}
	return false;
}

/* ---- judging ------------------------------------------------------------------------------ */

/* The longest path of a rule that grants all of writing at or above `path`; 0: none does. */
static size_t
floor_over(const struct plan *plan, const char *path)
{
	size_t longest = 0;

	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];
		size_t len;

		if ((rule->access & LL_MAKE_REG) == 0 || (rule->access & LL_WRITE_FILE) == 0 ||
		    !rule->directory || !path_under(path, rule->path)) {
			continue;
		}
		len = strlen(rule->path);
		longest = len > longest ? len : longest;
	}
	return longest;
}

static bool
is_shm_name(const struct broker *b, const char *path)
{
	size_t len = sizeof(SHM_DIR) - 1;

	return (b->spec->parts & PART_SHM) != 0 && strncmp(path, SHM_DIR, len) == 0 &&
	       path[len] != '\0' && strchr(path + len, '/') == NULL;
}

static void
tell(struct where *out, enum place place, struct reason reason)
{
	out->place = place;
	out->rule = reason.rule;
	out->option = reason.option;
}

/* Judges `path` in the served roots that it lies in; the longest's length, 0: it is in none. What
 * keeps it from being written goes to `*kept`. `floor` is floor_over(). */
static size_t
judge_roots(const struct broker *b, const char *path, size_t floor, struct reason *kept)
{
	const struct strings *roots = &b->spec->roots;
	size_t longest = 0;

	for (size_t i = 0; i < roots->count; i++) {
		size_t len = strlen(roots->items[i]);
		const struct carve_out *carve;

		if (!path_under(path, roots->items[i])) {
			continue;
		}
		longest = len > longest ? len : longest;
		carve = carve_like(b, path, len);
		if (carve != NULL) {
			*kept = reason_of(carve);
		} else if (has_protected_name(b, path, len, floor > len ? floor : SIZE_MAX)) {
			*kept = (struct reason){ "protected", "--no-protect" };
		}
	}
	return longest;
}

void
place_of_path(const struct broker *b, const char *path, struct where *out)
{
	const struct carve_out *carve = carve_over(b, path);
	size_t floor = floor_over(b->plan, path);
	struct reason kept = carve != NULL ? reason_of(carve) : (struct reason){ NULL, NULL };
	size_t root = kept.rule == NULL ? judge_roots(b, path, floor, &kept) : 0;

	if (kept.rule != NULL) {
		tell(out, PLACE_PROTECTED, kept);
	} else if (floor > root) {
		/* Also a temp or cache directory in a served root: its names are not protected. */
		tell(out, PLACE_FLOOR, (struct reason){ "", "" });
	} else if (root > 0) {
		tell(out, PLACE_SERVED, (struct reason){ "", "" });
	} else if (is_shm_name(b, path)) {
		tell(out, PLACE_SHM, (struct reason){ "", "" });
	} else {
		tell(out, PLACE_OUTSIDE, (struct reason){ "write.outside", "--write" });
	}
}

/* ---- by descriptor ------------------------------------------------------------------------ */

/* The path of `fd` as the kernel says it. 0 or an errno: ENAMETOOLONG over PATH_MAX. */
static int
read_path(int fd, char out[PATH_MAX])
{
	char link[40];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX - 1);
	if (n < 0 || n == PATH_MAX - 1) {
		return n < 0 ? errno : ENAMETOOLONG;
	}
	out[n] = '\0';
	return 0;
}

/* Is `path` a name of the object, now? */
static bool
is_at(int fd, const char *path)
{
	struct stat object;
	struct stat named;

	return fstat(fd, &object) == 0 &&
	       fstatat(AT_FDCWD, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       object.st_dev == named.st_dev && object.st_ino == named.st_ino;
}

/* Cuts off what the kernel appends to the path of something that has been removed, or made without
 * a name (O_TMPFILE). A file may really be called so. */
static bool
cut_deleted(int fd, char *path)
{
	size_t len = strlen(path);
	size_t more = sizeof(deleted) - 1;

	if (len <= more || strcmp(path + len - more, deleted) != 0 || is_at(fd, path)) {
		return false;
	}
	path[len - more] = '\0';
	return true;
}

/*
 * The place of a directory whose path has no room, by that of a directory above it. In a served
 * root the names in between would have to be known: there it has no place.
 */
static int
place_of_deep(const struct broker *b, int fd, struct where *out)
{
	AUTO_FD at = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	int failed = ENAMETOOLONG;

	for (unsigned int i = 0; failed == ENAMETOOLONG && i < CLIMB_MAX; i++) {
		int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (up < 0) {
			return ENAMETOOLONG;
		}
		close_fdp(&at);
		at = up;
		failed = read_path(at, out->path);
	}
	if (failed == 0) {
		place_of_path(b, out->path, out);
	}
	return failed == 0 && (out->place == PLACE_FLOOR || out->place == PLACE_OUTSIDE)
		       ? 0
		       : ENAMETOOLONG;
}

int
place_of_fd(const struct broker *b, int fd, struct where *out)
{
	int failed = read_path(fd, out->path);
	bool gone;

	tell(out, PLACE_OUTSIDE, (struct reason){ "write.outside", "--write" });
	if (failed == ENAMETOOLONG) {
		return place_of_deep(b, fd, out);
	}
	if (failed != 0) {
		out->path[0] = '\0';
		return failed;
	}
	if (out->path[0] != '/') {
		return 0; /* "pipe:[123]" and the like */
	}
	gone = cut_deleted(fd, out->path);
	place_of_path(b, out->path, out);
	return gone ? ENOENT : 0;
}

void
place_of_entry(const struct broker *b, const struct where *dir, const char *name, struct where *out)
{
	size_t len = strlen(dir->path);
	size_t more = strlen(name);
	bool slash = len > 1;

	if (out != dir) {
		memcpy(out->path, dir->path, len + 1);
	}
	if (len + slash + more >= sizeof(out->path)) {
		/* No room for it: as its directory, but nothing is made in a served root. */
		tell(out, dir->place, (struct reason){ dir->rule, dir->option });
		if (out->place == PLACE_SERVED) {
			tell(out, PLACE_PROTECTED, (struct reason){ "protected", "" });
		}
		return;
	}
	(void)memcpy(out->path + len, "/", 1);
	memcpy(out->path + len + slash, name, more + 1);
	place_of_path(b, out->path, out);
}

/* ---- moving ------------------------------------------------------------------------------- */

static bool
is_there(const struct carve_out *carve)
{
	struct stat st;

	return carve->exists || fstatat(AT_FDCWD, carve->path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Landlock's rules go with the directory: one that grants all of writing would go along to where
 * names are protected. */
static bool
holds_floor(const struct plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];

		if ((rule->access & LL_MAKE_REG) != 0 && path_under(rule->path, path)) {
			return true;
		}
	}
	return false;
}

bool
place_holds_carve_out(const struct broker *b, const char *path)
{
	const struct plan *plan = b->plan;
	size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);
	size_t at = find_carve(plan, path, len, '\0');
	size_t end = find_carve(plan, path, len, '/' + 1);

	if (at < plan->carve_out_count && strcmp(plan->carve_outs[at].path, path) == 0 &&
	    is_there(&plan->carve_outs[at])) {
		return true;
	}
	for (size_t i = find_carve(plan, path, len, '/'); i < end; i++) {
		if (is_there(&plan->carve_outs[i])) {
			return true;
		}
	}
	return holds_floor(plan, path);
}
