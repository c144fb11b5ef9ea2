/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_PLAN_FIXTURE_H
#define TESTS_UNIT_PLAN_FIXTURE_H

/* Plans are compiled against a file system that is a table, and a kernel that is a struct: no
 * system call decides about any of this. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/attr.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "plan/plan.h"
#include "plan/rights.h"

#include <string.h>

/* ---- a file system in a table -------------------------------------------------------------- */

struct file {
	const char *path;
	enum fs_type type;
	const char *text; /* of a link: its target; of a file: its first line */
};

static const struct file files[] = {
	{ "/", FS_DIR, NULL },
	{ "/bin", FS_LINK, "/usr/bin" },
	{ "/usr", FS_DIR, NULL },
	{ "/usr/bin", FS_DIR, NULL },
	{ "/usr/bin/tool", FS_FILE, NULL },
	{ "/etc", FS_DIR, NULL },
	{ "/proc", FS_DIR, NULL },
	{ "/tmp", FS_DIR, NULL },
	{ "/dev", FS_DIR, NULL },
	{ "/dev/null", FS_OTHER, NULL },
	{ "/dev/sda", FS_OTHER, NULL },
	{ "/dev/shm", FS_DIR, NULL },
	{ "/dev/pts", FS_DIR, NULL },
	{ "/dev/pts/1", FS_OTHER, NULL },
	{ "/dev/dri", FS_DIR, NULL },
	{ "/home", FS_DIR, NULL },
	{ "/home/other", FS_DIR, NULL },
	{ "/home/other/.cache", FS_DIR, NULL },
	{ "/home/other/.cache/work", FS_DIR, NULL },
	{ "/home/other/.cache/more", FS_DIR, NULL },
	{ "/home/u", FS_DIR, NULL },
	{ "/home/u/.bashrc", FS_FILE, NULL },
	{ "/home/u/.ssh", FS_DIR, NULL },
	{ "/home/u/.ssh/id", FS_FILE, NULL },
	{ "/home/u/.aws", FS_LINK, "/home/u/moved/aws" },
	{ "/home/u/moved", FS_DIR, NULL },
	{ "/home/u/moved/aws", FS_DIR, NULL },
	{ "/home/u/moved/else", FS_FILE, NULL },
	{ "/home/u/.config", FS_DIR, NULL },
	{ "/home/u/.config/app", FS_DIR, NULL },
	{ "/home/u/plain", FS_DIR, NULL },
	{ "/home/u/plain/a", FS_FILE, NULL },
	{ "/home/u/link", FS_LINK, "/home/u/plain" },
	{ "/home/u/repo", FS_DIR, NULL },
	{ "/home/u/repo/.git", FS_DIR, NULL },
	{ "/home/u/repo/.git/config", FS_FILE, NULL },
	{ "/home/u/repo/src", FS_DIR, NULL },
	{ "/home/u/repo/src/x.c", FS_FILE, NULL },
	{ "/home/u/repo/src/deep", FS_DIR, NULL },
	{ "/home/u/repo/src/deep/.GIT", FS_DIR, NULL },
	{ "/home/u/repo/node_modules", FS_DIR, NULL },
	{ "/home/u/repo/node_modules/.git", FS_DIR, NULL },
	{ "/home/u/repo/top.txt", FS_FILE, NULL },
	{ "/home/u/tree", FS_DIR, NULL },
	{ "/home/u/tree/.git", FS_FILE, "gitdir: ../base/.git/worktrees/tree" },
	{ "/home/u/base", FS_DIR, NULL },
	{ "/home/u/base/.git", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees/tree", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees/tree/commondir", FS_FILE, "../.." },
	{ "/home/u/base/.git/worktrees/tree/gitdir", FS_FILE, "/home/u/tree/.git" },
	{ "/home/u/base/.git/worktrees/tree/config.worktree", FS_FILE, NULL },
	{ "/home/u/base/.git/hooks", FS_DIR, NULL },
	{ "/home/u/base/.git/config", FS_FILE, NULL },
	{ "/home/u/base/.git/refs", FS_DIR, NULL },
	{ "/home/u/base/.git/objects", FS_DIR, NULL },
	{ "/home/u/base/.git/modules", FS_DIR, NULL },
	{ "/home/u/base/.git/modules/lib", FS_DIR, NULL },
	{ "/home/u/base/.git/modules/lib/sub", FS_DIR, NULL },
	{ "/home/u/base/.git/modules/lib/sub/config", FS_FILE, NULL },
	{ "/home/u/base/.git/modules/lib/sub/hooks", FS_DIR, NULL },
	{ "/home/u/base/.git/modules/lib/sub/refs", FS_DIR, NULL },
	{ "/home/u/base/.git/modules/away", FS_LINK, "/home/other" },
	{ "/home/u/base/free", FS_DIR, NULL },
	{ "/home/u/base/code/sub", FS_DIR, NULL },
	{ "/home/u/base/code/sub/.git", FS_FILE, "gitdir: ../../.git/modules/lib/sub" },
	{ "/home/u/base/code/evil", FS_DIR, NULL },
	{ "/home/u/base/code/evil/.git", FS_FILE, "gitdir: ../../.git/modules/away" },
	{ "/home/u/liar", FS_DIR, NULL },
	{ "/home/u/liar/.git", FS_FILE, "gitdir: /home/u/base/.git/worktrees/tree" },
	{ "/home/u/forged", FS_DIR, NULL },
	{ "/home/u/forged/.git", FS_FILE, "gitdir: store/worktrees/x" },
	{ "/home/u/forged/store", FS_DIR, NULL },
	{ "/home/u/forged/store/worktrees", FS_DIR, NULL },
	{ "/home/u/forged/store/worktrees/x", FS_DIR, NULL },
	{ "/home/u/forged/store/worktrees/x/gitdir", FS_FILE, "/home/u/forged/.git" },
	{ "/home/u/forged/store/worktrees/x/commondir", FS_FILE, "/home/other" },
	{ "/home/u/base/code", FS_DIR, NULL },
	{ "/home/u/linked", FS_DIR, NULL },
	{ "/home/u/linked/.git", FS_LINK, "store" },
	{ "/home/u/linked/store", FS_DIR, NULL },
	{ "/home/u/linked/work", FS_DIR, NULL },
};

static const struct file *
find_file(const char *path)
{
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		if (strcmp(files[i].path, path) == 0) {
			return &files[i];
		}
	}
	return NULL;
}

static enum fs_type
table_type(void *data, const char *path)
{
	const struct file *file = find_file(path);

	(void)data;
	return file != NULL ? file->type : FS_MISSING;
}

static bool
table_list(void *data, struct arena *arena, const char *path, struct fs_entry **entries,
	   size_t *count)
{
	size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);

	(void)data;
	*entries = NULL;
	*count = 0;
	if (table_type(NULL, path) != FS_DIR) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		const char *at = files[i].path;
		struct fs_entry *entry;

		if (strncmp(at, path, len) != 0 || at[len] != '/' || at[len + 1] == '\0' ||
		    strchr(at + len + 1, '/') != NULL) {
			continue;
		}
		entry = arena_push(arena, entries, count, sizeof(*entry));
		if (entry == NULL) {
			return false;
		}
		*entry = (struct fs_entry){ at + len + 1, files[i].type };
	}
	return true;
}

static char *
table_resolve(void *data, struct arena *arena, const char *path)
{
	char *real = path_normalize(arena, "/", path);

	for (int hops = 0; hops < 20; hops++) {
		bool changed = false;

		if (real == NULL) {
			errno = ENOMEM;
			return NULL;
		}
		for (size_t i = 0; i < COUNT_OF(files) && !changed; i++) {
			const struct file *link = &files[i];
			char *target;

			if (link->type != FS_LINK || !path_under(real, link->path)) {
				continue;
			}
			target = link->text[0] == '/'
					 ? arena_strdup(arena, link->text)
					 : arena_printf(arena, "%s/../%s", link->path, link->text);
			target = target != NULL ? arena_printf(arena, "%s/%s", target,
							       real + strlen(link->path))
						: NULL;
			real = target != NULL ? path_normalize(arena, "/", target) : NULL;
			changed = true;
		}
		if (!changed) {
			return real;
		}
	}
	(void)data;
	errno = ELOOP;
	return NULL;
}

static char *
table_first_line(void *data, struct arena *arena, const char *path)
{
	const struct file *file = find_file(path);

	(void)data;
	return file != NULL && file->text != NULL && file->type == FS_FILE
		       ? arena_strdup(arena, file->text)
		       : NULL;
}

static const struct fs_view table_fs = { NULL,		table_type,	  table_list,
					 table_resolve, table_first_line, NULL };

/* ---- helpers ------------------------------------------------------------------------------- */

struct setup {
	struct bailey_policy *policy;
	struct host host;
	struct plan_request request;
	struct plan *plan;
	struct bailey_error err;
};

static inline void
set_abi(struct host *host, int abi)
{
	host->landlock_abi = abi;
	host->landlock_fs = plan_fs_rights(abi);
	host->landlock_net = plan_net_rights(abi);
	host->landlock_scope = plan_scopes(abi);
}

static inline void
begin(struct setup *s, enum bailey_policy_type type, const char *cwd)
{
	*s = (struct setup){ .host = { .seccomp = true } };
	set_abi(&s->host, 7);
	assert_int_equal(bailey_policy_new(type, &s->policy, &s->err), BAILEY_OK);
	s->request = (struct plan_request){ .policy = s->policy,
					    .host = &s->host,
					    .fs = &table_fs,
					    .cwd = cwd,
					    .home = "/home/u" };
}

static int
compile(struct setup *s)
{
	plan_free(s->plan);
	s->plan = NULL;
	s->err = (struct bailey_error){ 0 };
	return plan_compile(&s->request, &s->plan, &s->err);
}

static inline void
must_compile(struct setup *s)
{
	if (compile(s) != BAILEY_OK) {
		fail_msg("%s", s->err.message);
	}
}

static inline void
end(struct setup *s)
{
	plan_free(s->plan);
	bailey_policy_free(s->policy);
}

static inline bool
may(const struct setup *s, const char *path, uint64_t access)
{
	return (access & ~plan_granted(s->plan, path)) == 0;
}

static inline const struct plan_note *
find_note(const struct setup *s, const char *id)
{
	for (size_t i = 0; i < s->plan->note_count; i++) {
		if (strcmp(s->plan->notes[i].id, id) == 0) {
			return &s->plan->notes[i];
		}
	}
	return NULL;
}

static inline void
assert_no_rule_follows_a_link(const struct setup *s)
{
	for (size_t i = 0; i < s->plan->rule_count; i++) {
		assert_int_not_equal(table_type(NULL, s->plan->rules[i].path), FS_LINK);
	}
}

static inline const char *
note_text(const struct setup *s, const char *id)
{
	const struct plan_note *note = find_note(s, id);

	return note != NULL ? note->text : "";
}

static inline bool
has_gap(const struct setup *s, const char *id)
{
	const struct plan_note *note = find_note(s, id);

	return note != NULL && note->gap;
}

#endif /* TESTS_UNIT_PLAN_FIXTURE_H */
