/* SPDX-License-Identifier: MIT */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

/*
 * The plan room's answer to the sandbox: everything that the kernel must be told about one run, as
 * plain data. It is compiled from a policy, a scene and facts about the host, and after that no
 * decision is left: the sandbox room only carries it out.
 *
 * Everything a plan points at lives in its arena.
 */

#include "base/arena.h"
#include "policy/policy.h"

#include <bailey/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- facts about the host ---------------------------------------------------------------- */

/* What plan_compile() may know of the machine. host_probe() in the sandbox room fills it from the
 * running kernel; tests fill it by hand ("pretend ABI 3"). */
struct host {
	int landlock_abi;	 /* 0: no Landlock */
	int landlock_errno;	 /* why not: ENOSYS (not built), EOPNOTSUPP (not started), EPERM */
	uint64_t landlock_fs;	 /* rights that a ruleset could really be created with */
	uint64_t landlock_net;	 /* likewise */
	uint64_t landlock_scope; /* likewise */
	bool seccomp;		 /* filters can be installed */
	bool root;		 /* the effective uid is 0 */
};

/*
 * How the plan looks at the file system. Production uses the real one (plan_real_fs), tests a
 * table, so that compiling needs no system call.
 */
enum fs_type { FS_MISSING, FS_DIR, FS_FILE, FS_LINK, FS_OTHER };

struct fs_entry {
	const char *name;
	enum fs_type type;
};

/* A mount: the directory (or file) `root` of the file system `device` is seen at `point`. */
struct fs_mount {
	const char *device; /* "MAJOR:MINOR" */
	const char *root;
	const char *point;
};

struct fs_view {
	void *data;
	enum fs_type (*type)(void *data, const char *path); /* lstat: a link is FS_LINK */
	/* Children of a directory without "." and "..", in the arena. False: not listable. */
	bool (*list)(void *data, struct arena *arena, const char *path, struct fs_entry **entries,
		     size_t *count);
	/* All symlinks resolved, missing rest kept (path_resolve). NULL: cannot be resolved. */
	char *(*resolve)(void *data, struct arena *arena, const char *path);
	/* First line of a small file without the newline, for a `.git` file. NULL: none. */
	char *(*first_line)(void *data, struct arena *arena, const char *path);
	/* What is mounted, a later mount above an earlier one. False: not known. NULL: nothing is
	 * mounted twice. */
	bool (*mounts)(void *data, struct arena *arena, struct fs_mount **mounts, size_t *count);
};

extern const struct fs_view plan_real_fs;

/* ---- the parts of a plan ----------------------------------------------------------------- */

/* Why a rule, a carve-out or a note is there; names in plan_reason_name(). */
enum plan_reason {
	WHY_SYSTEM,	/* readable because everything is */
	WHY_READ_ROOT,	/* named in read_roots or --read */
	WHY_EXEC_ROOT,	/* named in exec_roots */
	WHY_WRITE_ROOT, /* a writable root or the working directory */
	WHY_TMP,	/* a temp directory */
	WHY_CACHE,	/* a tool's cache */
	WHY_DEVICE,	/* /dev/null and the like */
	WHY_SENSITIVE,	/* a sensitive path */
	WHY_DENY,	/* named in deny or --deny */
	WHY_PROTECTED,	/* a protected name in a writable root */
	WHY_ANCESTOR,	/* a directory above a carve-out: its names only */
	WHY_COUNT
};

/* One Landlock rule: `access` on what is at `path` and, for a directory, below it. */
struct plan_rule {
	const char *path;
	uint64_t access; /* LANDLOCK_ACCESS_FS_* */
	enum plan_reason why;
	bool directory;
	bool make; /* made (mode 0700, parents too) when it does not exist */
	bool must; /* named by somebody: that it cannot be opened is an error */
};

/* A path that is kept out of what would otherwise be granted. */
struct carve_out {
	const char *path; /* absolute, symlinks resolved */
	const char *name; /* as it was written in the policy */
	bool block_read;
	bool block_write;
	enum plan_reason why;
	bool exists;
};

/*
 * The broker's parts: what a process outside of the sandbox performs for the command, because
 * neither Landlock nor seccomp can say it. Each is a set of system calls that the filter hands to
 * the broker instead of passing or refusing them (filter_rules.c), and a file of the broker room.
 */
#define PART_FILES 1U	  /* opens for writing, and all that makes, moves or removes an entry */
#define PART_READS 2U	  /* opens for reading too: a served root has carve-outs for reading */
#define PART_METADATA 4U  /* chmod, chown, utimes, xattr families, inode flags */
#define PART_PROCESSES 8U /* priorities, scheduling and limits of other processes of the tree */
#define PART_UNIX 16U	  /* unix sockets by path: connect, bind, listen */
#define PART_LOOPBACK 32U /* IP sockets among the command's own processes: likewise */
#define PART_SHM 64U	  /* names in /dev/shm that the command made itself */
#define PART_TASKS 128U	  /* clone, fork, vfork: the limit on tasks, exact */

struct plan_broker {
	unsigned int parts; /* 0: no broker is needed */
	/* Served roots: Landlock grants no writing in them, the broker does all of it. Absolute,
	 * resolved. */
	struct strings roots;
	struct strings protected;  /* names that nobody may make or change in a served root */
	bool git_hooks;		   /* .git may be written, but not what runs code */
	bool any_unix;		   /* every unix socket may be connected to */
	struct strings unix_paths; /* sockets outside of writable places that may be: resolved */
};

/* What the seccomp filter has to refuse. Compiled to BPF by filter_compile(). */
struct plan_filter {
	enum seccomp_mode mode;
	bool strict;		   /* the whole built-in denylist */
	struct strings blocked;	   /* when not strict: the names to block */
	struct strings additional; /* more names to block */
	struct strings allowed;	   /* families and names, in allowlist mode */
	bool namespaces;	   /* clone, unshare, setns with new namespaces are allowed */
	bool inet;		   /* AF_INET and AF_INET6: stream and datagram */
	bool loopback;		   /* without inet: AF_INET and AF_INET6 streams (TCP) alone */
	bool unix_sockets;	   /* socket(AF_UNIX); socketpair is always allowed for streams */
	bool metadata;		   /* chmod, chown, utimes, xattr families are allowed */
	bool ipc;		   /* System V IPC and POSIX message queues are allowed */
	bool log_only;		   /* log instead of refusing */
	unsigned int notify;	   /* PART_*: what is asked of the broker */
};

enum plan_enforcer { BY_LANDLOCK, BY_SECCOMP, BY_WATCHER, BY_BROKER, BY_NOTHING };

/* Something that a person should know: a limit and what holds it, or what is not held. */
struct plan_note {
	const char *id; /* stable, such as "metadata-not-confined" */
	const char *text;
	const char *option; /* what changes it, or NULL */
	enum plan_enforcer by;
	bool gap; /* true: the policy asks for it, and it is not enforced in this run */
};

struct env_change {
	const char *name;
	const char *value;
};

enum env_mode { ENV_FILTER, ENV_SANITIZE, ENV_KEEP, ENV_CLEAR };

struct plan_env {
	enum env_mode mode;
	struct env_change *set; /* after filtering */
	size_t set_count;
};

struct plan {
	struct arena arena;
	bool sandboxed; /* false: full or external access, nothing is applied */
	const char *policy_name;
	const char *cwd;

	uint64_t handled_fs; /* LANDLOCK_ACCESS_FS_*, only what this kernel has */
	uint64_t handled_net;
	uint64_t scoped;
	struct plan_rule *rules;
	size_t rule_count;
	struct carve_out *carve_outs;
	size_t carve_out_count;
	struct strings write_roots; /* absolute, resolved: what is really writable */

	struct plan_filter filter;
	bool filtered; /* a filter is installed */
	struct plan_broker broker;

	struct limits limits;
	bool private_tmp;
	bool caches_in_tmp; /* the cache variables point into the private temp directory */
	struct plan_env env;
	bool network; /* INET sockets exist */
	bool stay;    /* something stays behind: a wall clock, a temp directory, a tree to reap */
	bool sampled; /* a limit of the whole tree is in force, which the launcher measures */

	struct plan_note *notes;
	size_t note_count;
};

/* The terminals of the user: those that the command gets anyway, and whether there are others. */
struct terminals {
	struct strings own; /* paths */
	bool others;
};

/* What the caller says about a run beside the policy. Strings are borrowed for the call. */
struct plan_request {
	const struct bailey_policy *policy;
	const struct host *host;
	const struct fs_view *fs;
	const char *cwd;       /* absolute */
	const char *home;      /* absolute, or NULL */
	const char *user_home; /* another home in which sensitive paths are kept out, or NULL */
	const char *tmpdir;    /* $TMPDIR, or NULL */
	const char *program;   /* resolved path of the program, or NULL when not known yet */
	const char *cache;     /* directory for private tool caches, or NULL */
	const struct terminals *terminals; /* NULL: none are known, none are opened */
	bool best_effort; /* accept what this kernel cannot enforce; each becomes a gap note */
	bool in_place;	  /* nothing may stay behind */
	bool no_inet;	  /* no INET sockets, whatever the policy says of the network */
	bool exact_pids;  /* the broker counts tasks when they are made */
	bool no_broker;	  /* only what the kernel holds by itself; the rest becomes gap notes */
	enum env_mode env_mode;
};

/*
 * Compiles a plan. Fails with BAILEY_E_UNSUPPORTED naming the feature when the kernel, or this
 * version, cannot hold a part of the policy (see best_effort), with BAILEY_E_INVALID when the
 * policy hides the program or the working directory, with BAILEY_E_LIMIT over PLAN_RULES_MAX.
 */
int plan_compile(const struct plan_request *request, struct plan **out, struct bailey_error *err);

/* Adds what only the launcher knows: the private temp directory that it has just made. */
int plan_add_tmp(struct plan *plan, const char *path, struct bailey_error *err);

/* Sets a variable of the command's environment, after the filter. Both are borrowed by the plan and
 * may be NULL, out of memory. False: no memory. */
bool plan_set_env(struct plan *plan, const char *name, const char *value);

/* The rights that the rules give on `path`, which is absolute and resolved. */
uint64_t plan_granted(const struct plan *plan, const char *path);

/* Does the broker write, make and remove at `path` (absolute, resolved) for the command? */
bool plan_serves(const struct plan *plan, const char *path);

/* Does it read there? */
bool plan_serves_reading(const struct plan *plan, const char *path);

void plan_free(struct plan *plan);

static inline void
plan_freep(struct plan **plan)
{
	plan_free(*plan);
}

#define AUTO_PLAN __attribute__((cleanup(plan_freep))) struct plan

#define PLAN_RULES_MAX 65536

/* ---- explaining -------------------------------------------------------------------------- */

struct strbuf;

/* The plan for people, and as one JSON object for programs. */
void plan_print(const struct plan *plan, struct strbuf *out);
void plan_print_json(const struct plan *plan, struct strbuf *out);
const char *plan_reason_name(enum plan_reason why);
const char *plan_enforcer_name(enum plan_enforcer by);

/* "read_file", "write_file", ... of one right by its bit, or NULL beyond the table. */
const char *plan_fs_right_name(unsigned int bit);

/* The rights of a kernel with Landlock ABI `abi`, from the table of constants (up to ABI 10). */
uint64_t plan_fs_rights(int abi);
uint64_t plan_net_rights(int abi);
uint64_t plan_scopes(int abi);

#endif /* PLAN_PLAN_H */
