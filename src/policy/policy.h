/* SPDX-License-Identifier: MIT */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

/*
 * The policy room's answer to the rooms below it: what a command may touch, as plain data.
 *
 * A policy owns one arena; every string and array in it lives there, so a policy is freed in one
 * call and nothing in it has a destructor. Paths are kept as they were written ("~", relative and
 * all), because the wire form must come back without loss; the queries and the plan room make them
 * absolute against a scene.
 *
 * Invariants (policy_check() asserts them):
 *   - arrays with a count of 0 may be NULL
 *   - `domain` of an allowlist entry is normalised: lower case, A-labels, no trailing dot
 *   - `sensitive` is meaningful only when `sensitive_defaults` is false
 */

#include "base/arena.h"

#include <bailey/policy.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct net_entry {
	const char *domain; /* "example.org", "*.example.org" or an address literal */
	uint16_t port;	    /* first port, from 1 */
	uint16_t port_last; /* last port of a range, equal to `port` for a single one */
	bool udp;
};

struct sensitive_path {
	const char *path; /* as written; "~" means the home directory */
	bool block_read;
	bool block_write;
};

struct strings {
	const char **items;
	size_t count;
};

struct resolve_entry {
	const char *name;
	const char *address;
};

/* 0 means unlimited. */
struct limits {
	uint64_t max_memory_mb;
	uint64_t max_pids;
	uint64_t max_disk_mb;
	uint64_t cpu_time_secs;
	uint64_t timeout_secs;
	uint64_t max_open_files; /* Bailey's addition; hard limit of descriptors per process */
};

enum seccomp_mode {
	SECCOMP_DENYLIST,  /* all is allowed but what is listed */
	SECCOMP_ALLOWLIST, /* nothing is allowed but families and names that are listed */
};

/* The wire form names the blocked system calls; "strict" is the whole of the built-in list. */
struct seccomp_profile {
	enum seccomp_mode mode;
	bool strict; /* `blocked` is exactly the built-in list; `blocked` is then empty */
	struct strings blocked;
	struct strings additional; /* Bailey's addition: blocked on top of either form */
	struct strings allowed;	   /* families and names of the allowlist mode */
	bool allow_namespaces;
	bool allow_network_sockets;
	bool log_only;
};

enum protect_git { PROTECT_GIT_ALL, PROTECT_GIT_HOOKS, PROTECT_GIT_NONE };
enum tmp_mode { TMP_PRIVATE, TMP_NONE };
enum caches_mode { CACHES_PRIVATE, CACHES_SHARED, CACHES_NONE };
enum proc_mode { PROC_READ, PROC_NONE };

/* IP sockets among the command's own processes. */
enum loopback_mode {
	LOOPBACK_OWN,
	LOOPBACK_NONE,
	LOOPBACK_AS_SOCKETS, /* own where seccomp.allow_network_sockets, else none: the wire form
			      * of workspace_write without the key */
};

struct bailey_policy {
	struct arena arena;
	enum bailey_policy_type type;
	struct strings writable_roots; /* without the cwd, which always counts */
	bool network_access;
	struct net_entry *allowlist;
	size_t allowlist_count;
	bool sensitive_defaults; /* wire form: null */
	struct sensitive_path *sensitive;
	size_t sensitive_count;
	struct limits limits;
	struct seccomp_profile seccomp;
	bool exclude_tmpdir_env_var;
	bool exclude_slash_tmp;
	const char *description; /* of an external sandbox; NULL when there is none */

	/* Bailey's additions: optional keys, absent in the seed's wire form. */
	bool protect;		  /* false: no protected names at all (--no-protect) */
	struct strings protected; /* names beyond the built-in ones */
	enum protect_git protect_git;
	struct strings deny; /* paths that may be neither read nor written */
	enum tmp_mode tmp;   /* absent: private for workspace_write, none for read_only */
	bool tmp_is_set;
	enum caches_mode caches;
	enum proc_mode proc;
	bool hide_names;	     /* withhold READ_DIR from ancestors of carve-outs */
	bool ipc;		     /* allow System V IPC and POSIX message queues */
	struct strings unix_sockets; /* paths that may be connected to; "*" is any */
	enum loopback_mode loopback;
	uint16_t *bind_ports;
	size_t bind_port_count;
	struct strings exec_roots; /* empty: whatever may be read may be executed */
	struct strings read_roots; /* empty: everything but the sensitive paths may be read */
	struct strings devices;	   /* names of device groups, "gpu" */
	struct resolve_entry *resolve;
	size_t resolve_count;
};

/* The built-in protected names of a writable root: .git .vtcode .codex .agents .bailey .claude */
extern const char *const policy_protected_names[];
extern const size_t policy_protected_name_count;

/* The default sensitive paths, each with "~". */
extern const struct sensitive_path policy_sensitive_defaults[];
extern const size_t policy_sensitive_default_count;

/* What a program needs to run at all: may be read when a policy limits reading to named roots. */
extern const char *const policy_system_roots[];
extern const size_t policy_system_root_count;

/* Devices that every sandbox has. */
extern const char *const policy_devices[];
extern const size_t policy_device_count;

/* Devices that are opened by group: all in /dev whose names begin so. */
struct device_group {
	const char *name;
	const char *prefix; /* "/dev/nvidia" */
};
extern const struct device_group policy_device_groups[];
extern const size_t policy_device_group_count;

/* Does the policy open this group? */
bool policy_has_device_group(const struct bailey_policy *policy, const char *group);

/*
 * The sensitive paths in force for `policy`: the defaults (always for read_only), or its own.
 * The array is borrowed from the policy or static.
 */
const struct sensitive_path *policy_sensitive(const struct bailey_policy *policy, size_t *count);

/* The limits in force: full access has none, the others their own. Those of read_only begin as
 * "conservative". */
struct limits policy_limits(const struct bailey_policy *policy);

/* The profile in force (seed: read_only strict, + network when it has any; full and external
 * access permissive; workspace_write its own). Bailey's `additional`, `mode` and `allowed` count
 * for read_only too. Borrowed strings. */
struct seccomp_profile policy_seccomp(const struct bailey_policy *policy);

/* Is it held by this sandbox? Full and external access are not. */
bool policy_is_sandboxed(const struct bailey_policy *policy);

/* May the command's processes talk to each other by IP, where there is no network? */
bool policy_own_loopback(const struct bailey_policy *policy);

/* The part of a path in a repository's .git directory that `how` keeps as it is; "" is the
 * directory itself. Compared without case. */
bool git_part_is_protected(enum protect_git how, const char *rest);

/* Is the temp directory private? Absent: yes for workspace_write, no for read_only. */
bool policy_private_tmp(const struct bailey_policy *policy);

#endif /* POLICY_POLICY_H */
