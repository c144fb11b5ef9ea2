/* SPDX-License-Identifier: MIT */

/* Entries of directories, pinned and judged: what entries.c, moves.c and files.c start from. */

#include "base/path.h"
#include "broker/files.h"
#include "broker/names.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

void
end_leaf(const struct end *end, char out[LEAF_MAX])
{
	(void)snprintf(out, LEAF_MAX, "%s%s", end->entry.name, end->entry.slash ? "/" : "");
}

bool
entry_is_special(const struct entry *entry)
{
	return strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0 ||
	       strcmp(entry->name, "/") == 0;
}

bool
copy_path(const struct request *r, uint64_t address, char path[PATH_MAX], struct answer *answer)
{
	int error = caller_string(r, address, path, PATH_MAX);

	*answer = error == EPERM ? answer_continue() : answer_error(error);
	return error == 0;
}

bool
end_walk(struct request *r, int dirfd, uint64_t address, struct end *end, struct answer *answer)
{
	char path[PATH_MAX];
	int error;

	if (!copy_path(r, address, path, answer)) {
		return false;
	}
	error = walk_entry(r, dirfd, path, &end->entry);
	*answer = answer_error(error);
	return error == 0;
}

/*
 * A served root is an entry of a directory that is not served: outside of it the floor refuses to
 * move or remove the root, and where the floor would let that happen, it has to stay all the same.
 * (What is in a .git may be served, although the .git itself is not.)
 */
int
end_judge(const struct broker *b, struct end *end)
{
	int error = place_of_fd(b, end->entry.dir, &end->dir);

	if (error != 0) {
		return error;
	}
	place_of_entry(b, &end->dir, end->entry.name, &end->where);
	if (end->where.place == PLACE_SERVED && end->dir.place == PLACE_OUTSIDE) {
		end->where.place = PLACE_OUTSIDE;
		end->where.rule = end->dir.rule;
		end->where.option = end->dir.option;
	} else if (end->where.place == PLACE_SERVED && end->dir.place == PLACE_FLOOR) {
		end->where.place = PLACE_PROTECTED;
		end->where.rule = "protected";
		end->where.option = "";
	}
	return 0;
}

int
end_look(struct end *end)
{
	end->exists = fstatat(end->entry.dir, end->entry.name, &end->st, AT_SYMLINK_NOFOLLOW) == 0;
	return end->exists || errno == ENOENT ? 0 : errno;
}

struct answer
end_leave(struct request *r, const struct end *end)
{
	if (end->where.place == PLACE_OUTSIDE) {
		note_floor(r, &end->where);
	}
	return answer_continue();
}

int
end_making_error(struct end *end, bool directory)
{
	int error = end_look(end);

	if (error != 0) {
		return error;
	}
	if (end->exists) {
		return EEXIST;
	}
	return end->entry.slash && !directory ? ENOENT : 0;
}

/* Up to and with the first component ".git" of `path`; 0: it has none. */
static size_t
named_git_length(const char *path)
{
	const char *at = path;

	while (*at != '\0') {
		size_t len;

		at += strspn(at, "/");
		len = strcspn(at, "/");
		if (name_is_git(at, len)) {
			return (size_t)(at - path) + len;
		}
		at += len;
	}
	return 0;
}

static bool
is_protected_in(const struct broker *b, const char *dir, const char *name)
{
	char probe[PATH_MAX];
	struct where where;
	int len = snprintf(probe, sizeof(probe), "%s/%s", dir, name);

	if (len < 0 || len >= (int)sizeof(probe)) {
		return true;
	}
	place_of_path(b, probe, &where);
	return where.place == PLACE_PROTECTED;
}

/* The repository that `path` is in, which is called ".git" or, as the common one of worktrees, a
 * root of its own: the length of its path. 0: none that may be written to. */
static size_t
git_length(const struct broker *b, const char *path)
{
	const struct strings *roots = &b->spec->roots;
	size_t len = b->spec->git_hooks ? named_git_length(path) : 0;

	for (size_t i = 0; b->spec->git_hooks && len == 0 && i < roots->count; i++) {
		const char *root = roots->items[i];

		if (path_under(path, root) && is_protected_in(b, root, "commondir") &&
		    is_protected_in(b, root, "config.worktree")) {
			len = strlen(root);
		}
	}
	return len;
}

bool
is_in_open_git(const struct broker *b, const char *path)
{
	return git_length(b, path) > 0;
}

bool
is_same_git(const struct broker *b, const char *path, const char *other)
{
	size_t len = git_length(b, path);

	return len == git_length(b, other) && strncmp(path, other, len) == 0;
}

bool
could_hold_git_part(const struct broker *b, const char *path)
{
	return is_in_open_git(b, path) &&
	       (is_protected_in(b, path, "hooks") || is_protected_in(b, path, "attributes"));
}

bool
could_bring_protected(const struct broker *b, const char *path)
{
	if (could_hold_git_part(b, path)) {
		return true;
	}
	for (size_t i = 0; i < b->plan->carve_out_count; i++) {
		const struct carve_out *carve_out = &b->plan->carve_outs[i];

		if (carve_out->block_write && path_under(carve_out->path, path)) {
			return true;
		}
	}
	return false;
}

struct answer
refuse_bringing(struct request *r, const struct end *end)
{
	return refuse(r, EACCES, "protected", "--no-protect", end->where.path);
}

bool
is_unreadable(const struct broker *b, const char *path)
{
	for (size_t i = 0; i < b->plan->carve_out_count; i++) {
		const struct carve_out *carve_out = &b->plan->carve_outs[i];

		if (carve_out->block_read && !carve_out->block_write &&
		    path_under(path, carve_out->path)) {
			return true;
		}
	}
	return false;
}
