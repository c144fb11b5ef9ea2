/* SPDX-License-Identifier: MIT */
#ifndef PLAN_COMPILE_H
#define PLAN_COMPILE_H

/* Inside of the plan room: what the compiling steps share. */

#include "plan/plan.h"

/* A directory that was looked at: where it really is, and what is in it. */
struct known_dir {
	const char *path; /* as it was asked for, normal */
	const char *real;
	bool exists; /* as a directory */
	bool asked;  /* the listing was tried */
	bool listed; /* and could be had */
	struct fs_entry *entries;
	size_t count;
};

struct mount_table;

struct compile {
	const struct plan_request *request;
	const struct bailey_policy *policy;
	const struct fs_view *fs;
	struct plan *plan;
	struct arena *arena;	 /* of the plan */
	size_t named_root_count; /* of plan->write_roots: all but the temp directories */
	struct known_dir **dirs;
	size_t dir_count;
	struct mount_table *mounts;  /* of mounts.c; NULL: not read yet */
	struct strings served_names; /* served roots, and where else they are mounted */
	struct strings git_roots;    /* directories of repositories that a .git file names */
	struct bailey_error *err;
};

/* ---- dirs.c: the file system, looked at once ---------------------------------------------- */

/* The directory at `path` (normal, absolute), which must outlive the plan. NULL and errno. */
struct known_dir *dirs_get(struct compile *c, const char *path);

/* Its entries, into dir->entries. False: it cannot be listed. */
bool dirs_list(struct compile *c, struct known_dir *dir);

/* Where `path` (normal) really is, and what is there. NULL and errno. */
char *dirs_resolve(struct compile *c, const char *path, enum fs_type *type);

/* ---- carve.c: what is kept out ----------------------------------------------------------- */

/* Sensitive paths, denied paths and /dev. */
int carve_private(struct compile *c);

/* The protected names in one writable root (absolute, resolved). */
int carve_protected(struct compile *c, const char *root);

/* One protected path as it is: nothing is resolved. Both strings must outlive the plan. */
int carve_exact(struct compile *c, const char *path, const char *name, bool exists);

/*
 * Keeps out what is kept out under its other names too: where the same part of a file system is
 * mounted a second time (mounts.c). To be called when all carve-outs but these have been added.
 */
int carve_mounts(struct compile *c);

/* Appends where else `path`, and what is mounted below it, can be seen. */
int mounts_names(struct compile *c, const char *path, struct strings *names);

/* Makes the carve-outs ready to be asked for; each path stands once after it. */
void carve_sort(struct plan *plan);

/* The rights that carve-outs at or above `path` take away. `by` (may be NULL) gets the strongest.
 */
uint64_t carved_away(const struct plan *plan, const char *path, const struct carve_out **by);

/* Is a carve-out strictly below `path` that takes away something of `access`? */
bool carved_below(const struct plan *plan, const char *path, uint64_t access);

/* ---- git.c: repositories whose commits are let through ------------------------------------- */

/* What a `.git` file says. Strings live in the arena; NULL: it says nothing of it. */
struct git_file {
	char *gitdir;
	char *common; /* of a worktree */
};

/*
 * Reads the `.git` file `file` in the directory `dir`. Where what it names is its own (a worktree's
 * or a submodule's), and parts of it may be written, it becomes a served root.
 */
int git_file_read(struct compile *c, const char *dir, const char *file, struct git_file *out);

/* Keeps out the parts of a repository's directory (resolved) that run code, there or not. */
int carve_git_parts(struct compile *c, const char *gitdir);

/* ---- broker.c: what the kernel cannot hold by itself --------------------------------------- */

/* Why there is no broker in this run, as what to do about it: "leave out --no-broker". NULL: there
 * may be one. The filter's switches must be known. */
const char *broker_excluded(const struct compile *c);

/* Chooses the parts that do not depend on what lies in the writable roots. */
int broker_choose(struct compile *c);

/* Chooses the served roots. The roots and all carve-outs must be known. */
int broker_serve(struct compile *c);

/* Is `path` a served root or in one, under any name that it has? */
bool served_at(const struct compile *c, const char *path);

/* Is a served root strictly below it? */
bool served_below(const struct compile *c, const char *path);

/* ---- grant.c: what is let in ------------------------------------------------------------- */

/*
 * Grants `access` on `root` and below, but not on what is carved out: where a carve-out lies
 * below, the directory's children are granted one by one instead of the directory. Rights to make
 * entries are granted around served roots in the same way, and rights to write without those are
 * the ones of a served root, granted on directories only.
 */
int grant_tree(struct compile *c, const char *root, uint64_t access, enum plan_reason why);

/* One rule as it is, without looking at carve-outs. */
struct plan_rule *grant_exact(struct compile *c, const char *path, uint64_t access,
			      enum plan_reason why);

int grant_reads(struct compile *c);
int grant_writes(struct compile *c);
int grant_devices(struct compile *c);
int grant_caches(struct compile *c);

/* Points the tools' cache variables into `dir`. False: no memory. */
bool caches_set_env(struct plan *plan, const char *dir);

/* ---- notes.c: what a person should know -------------------------------------------------- */

struct plan_note *plan_note(struct plan *plan, enum plan_enforcer by, const char *id,
			    const char *option, const char *format, ...) BAILEY_PRINTF(5, 6);

/* As plan_note(), for what the policy asks for and this run does not hold. */
struct plan_note *plan_gap(struct plan *plan, enum plan_enforcer by, const char *id,
			   const char *option, const char *format, ...) BAILEY_PRINTF(5, 6);

/* The notes about a plan that is complete. */
void note_all(struct compile *c);

int compile_nomem(struct compile *c);

#endif /* PLAN_COMPILE_H */
