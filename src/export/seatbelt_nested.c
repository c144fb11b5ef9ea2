/* SPDX-License-Identifier: MIT */

/* Finding the protected names that lie deeper in a writable root, such as a nested repository's. */

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
	const struct seatbelt_request *request;
	struct place *queue;
	size_t queued;
	size_t seen;
	struct seatbelt_found *found;
	size_t found_count;
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

static bool
is_protected(const struct bailey_policy *policy, const char *name)
{
	const char *known;

	for (size_t i = 0; (known = seatbelt_protected_name(policy, i)) != NULL; i++) {
		if (strcasecmp(known, name) == 0) {
			return true;
		}
	}
	return false;
}

/* A failure is left in the arena. */
static void
look_at(struct search *s, const struct place *at, const struct fs_entry *entry)
{
	struct seatbelt_found *found;
	struct place *next;

	if (is_protected(s->request->policy, entry->name)) {
		found = arena_push(s->arena, &s->found, &s->found_count, sizeof(*found));
		if (found != NULL) {
			*found = (struct seatbelt_found){ .dir = at->path, .name = entry->name };
		}
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
seatbelt_find_nested(struct arena *arena, const struct seatbelt_request *request, const char *root,
		     struct seatbelt_found **found, size_t *count)
{
	struct search s = { .arena = arena, .request = request };
	const struct fs_view *fs = request->fs;
	struct place *first = arena_push(arena, &s.queue, &s.queued, sizeof(*first));

	if (first != NULL) {
		first->path = root;
	}
	/* Breadth first: what is near the root is found even when the bound is met. */
	for (size_t i = 0; i < s.queued && s.seen < ENTRIES_MAX && !arena->failed; i++) {
		struct place at = s.queue[i];
		struct fs_entry *entries;
		size_t entry_count;

		if (!fs->list(fs->data, arena, at.path, &entries, &entry_count)) {
			continue;
		}
		s.seen += entry_count;
		for (size_t k = 0; k < entry_count && !arena->failed; k++) {
			look_at(&s, &at, &entries[k]);
		}
	}
	*found = s.found;
	*count = s.found_count;
	return !arena->failed;
}
