/* SPDX-License-Identifier: MIT */

/* Entries of directories, pinned and judged: what entries.c, moves.c and files.c start from. */

#include "base/path.h"
#include "broker/files.h"

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

bool
could_bring_protected(const struct broker *b, const char *path)
{
	static const char *const inside[] = { "hooks", "attributes" };
	char probe[PATH_MAX];
	struct where where;

	for (size_t i = 0; i < COUNT_OF(inside); i++) {
		int len = snprintf(probe, sizeof(probe), "%s/%s", path, inside[i]);

		if (len < 0 || len >= (int)sizeof(probe)) {
			return true;
		}
		place_of_path(b, probe, &where);
		if (where.place == PLACE_PROTECTED) {
			return true;
		}
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
