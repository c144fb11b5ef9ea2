/* SPDX-License-Identifier: MIT */

/* Finding the repositories that lie nested in a writable root, for the protection of their .git. */

#include "export/seatbelt.h"

#include "base/attr.h"
#include "base/path.h"

#include <string.h>
#include <strings.h>

#define DEPTH_MAX 3U	  /* directories below the root */
#define ENTRIES_MAX 8192U /* looked at, below one root */

struct place {
	const char *path;
	unsigned int depth;
};

struct search {
	struct arena *arena;
	const struct fs_view *fs;
	struct place *queue;
	size_t queued;
	size_t seen;
	struct strings *dirs;
};

static bool
is_worth_it(const struct fs_entry *entry)
{
	static const char *const skipped[] = {
		"node_modules", "target", "vendor", "venv", ".venv", "site-packages", ".cache",
	};

	for (size_t i = 0; i < COUNT_OF(skipped); i++) {
		if (strcmp(skipped[i], entry->name) == 0) {
			return false;
		}
	}
	return entry->type == FS_DIR;
}

static void
add_dir(struct search *s, const char *path)
{
	const char **dir = arena_push(s->arena, &s->dirs->items, &s->dirs->count, sizeof(*dir));

	if (dir != NULL) {
		*dir = path;
	}
}

static void
look_at(struct search *s, const struct place *at, const struct fs_entry *entry)
{
	struct place *next;

	if (strcasecmp(entry->name, ".git") == 0) {
		add_dir(s, at->path);
		return;
	}
	if (at->depth == DEPTH_MAX || !is_worth_it(entry)) {
		return;
	}
	next = arena_push(s->arena, &s->queue, &s->queued, sizeof(*next));
	if (next != NULL) {
		next->path = path_join(s->arena, at->path, entry->name);
		next->depth = at->depth + 1;
	}
}

bool
seatbelt_find_repositories(struct arena *arena, const struct fs_view *fs, const char *root,
			   struct strings *dirs)
{
	struct search s = { .arena = arena, .fs = fs, .dirs = dirs };
	struct place *first = arena_push(arena, &s.queue, &s.queued, sizeof(*first));

	if (first != NULL) {
		first->path = root;
	}
	/* Breadth first: what is near the root is found even when the bound is met. */
	for (size_t i = 0; i < s.queued && s.seen < ENTRIES_MAX && !arena->failed; i++) {
		struct place at = s.queue[i];
		struct fs_entry *entries;
		size_t count;

		if (!fs->list(fs->data, arena, at.path, &entries, &count)) {
			continue;
		}
		s.seen += count;
		for (size_t k = 0; k < count && !arena->failed; k++) {
			look_at(&s, &at, &entries[k]);
		}
	}
	return !arena->failed;
}
