/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_POLICY_H
#define BAILEY_POLICY_H

/**
 * bailey/policy.h - what may a command touch?
 *
 * A policy says which files, hosts, system calls and resources a command may use. It is plain data:
 * nothing in here changes the process or asks the kernel, except that the path queries follow
 * symlinks unless they are told not to.
 *
 * Lifecycle:  bailey_policy_new(), _from_json(), _load() or _profile() make one, the setters change
 *             it, bailey_policy_free() ends it. Strings that go in are copied; strings that come
 *             out are borrowed and live until the policy is changed or freed.
 * Wire form:  one JSON object tagged by "type", as vtcode-safety writes it, plus optional keys of
 *             Bailey's own that are written only where they differ from their default.
 * Paths:      kept as they were written. "~" and "~/..." mean the home directory of the scene;
 *             other relative paths are relative to its working directory.
 * Threads:    a policy that nobody changes may be read by several threads; the functions keep no
 *             state of their own.
 */

#include <bailey/error.h>
#include <bailey/scene.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Values are ABI: append only, never renumber. */
enum bailey_policy_type {
	BAILEY_POLICY_READ_ONLY = 0,	  /**< "read_only": no writes */
	BAILEY_POLICY_WORKSPACE_WRITE,	  /**< "workspace_write": cwd and named roots */
	BAILEY_POLICY_DANGER_FULL_ACCESS, /**< "danger_full_access": no sandbox */
	BAILEY_POLICY_EXTERNAL_SANDBOX,	  /**< "external_sandbox": somebody else's sandbox */
};

struct bailey_policy;

/* ---- making, copying, reading and writing ------------------------------------------------- */

/**
 * A policy of `type` with the defaults of that type: no network, the default sensitive paths,
 * protected names on, seccomp "strict". read_only has the limits of "conservative";
 * workspace_write has 300 s of wall-clock time and leaves the real /tmp and $TMPDIR out.
 * Fails with BAILEY_E_NOMEM.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_new(enum bailey_policy_type type,
						   struct bailey_policy **out,
						   struct bailey_error *err);

/** A deep copy, independent of `policy`. Fails with BAILEY_E_NOMEM. */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_clone(const struct bailey_policy *policy,
						     struct bailey_policy **out,
						     struct bailey_error *err);

/** Ends a policy. NULL is allowed. */
BAILEY_API void bailey_policy_free(struct bailey_policy *policy);

/**
 * Reads the wire form. `source` names the input in errors. Keys that are left out take the wire
 * form's defaults (both "exclude_..." keys false); unknown keys, wrong types and values out of
 * range are errors with their line and column.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_from_json(const char *source, const char *text,
							 size_t len, struct bailey_policy **out,
							 struct bailey_error *err);

/**
 * Writes the wire form as one line of JSON without a newline: all keys of the seed for this type,
 * Bailey's own only where they differ from their default. The caller frees `*text` with free(3).
 * Fails with BAILEY_E_NOMEM.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_to_json(const struct bailey_policy *policy,
						       char **text, struct bailey_error *err);

/**
 * Reads a policy from a file: TOML when its name ends in ".toml", else JSON. Three forms are told
 * apart by their keys: a configuration file with a [sandbox] table, a profile (which may have
 * "extends" and "about"), and the wire form itself (a JSON file without "extends").
 *
 * `profile_dir` is where names in "extends" are looked for before the built-in profiles; NULL for
 * the built-in ones alone. Fails with BAILEY_E_NOT_FOUND, BAILEY_E_SYNTAX, BAILEY_E_INVALID or
 * BAILEY_E_LIMIT.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_load(const char *path, const char *profile_dir,
						    struct bailey_policy **out,
						    struct bailey_error *err);

/* ---- profiles ----------------------------------------------------------------------------- */

/** A policy by name that comes with the library. */
struct bailey_profile {
	const char *name;  /**< "node" */
	const char *about; /**< one line for people */
	const char *text;  /**< the TOML document */
};

/** The built-in profiles, sorted by name; static. */
BAILEY_API const struct bailey_profile *bailey_builtin_profiles(size_t *count);

/**
 * The policy of a named profile. A `name` with a "/" is the path of a file; else it is
 * PROFILE_DIR/NAME.toml, then PROFILE_DIR/NAME.json, then a built-in profile. `profile_dir` may be
 * NULL. A profile "extends" at most 8 others; lists are appended to, single values replaced.
 * BAILEY_E_NOT_FOUND names the nearest profile there is.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_policy_profile(const char *name, const char *profile_dir,
						       struct bailey_policy **out,
						       struct bailey_error *err);

/* ---- changing a policy --------------------------------------------------------------------
 *
 * Each setter either does all that it says or changes nothing and fails: BAILEY_E_INVALID for a
 * value or for a kind of policy that does not have the setting, BAILEY_E_NOMEM.
 */

/** Write access to DIR and everything below. Absolute, or "~" or "~/...". workspace_write only. */
BAILEY_API int bailey_policy_add_writable_root(struct bailey_policy *policy, const char *dir,
					       struct bailey_error *err);

/** With at least one read root, only what lies below the read roots may be read, the working
 * directory, writable places, and what programs need to run (/usr, /etc and the like); with none,
 * everything but the sensitive and denied paths. */
BAILEY_API int bailey_policy_add_read_root(struct bailey_policy *policy, const char *path,
					   struct bailey_error *err);

/** With at least one exec root, only programs below the exec roots may be executed. */
BAILEY_API int bailey_policy_add_exec_root(struct bailey_policy *policy, const char *path,
					   struct bailey_error *err);

/** PATH and everything below may be neither read nor written, whatever else allows it. */
BAILEY_API int bailey_policy_add_deny(struct bailey_policy *policy, const char *path,
				      struct bailey_error *err);

/**
 * Adds a sensitive path to those in force (the defaults stay). workspace_write only: a read_only
 * policy always has exactly the defaults; use bailey_policy_add_deny() there.
 */
BAILEY_API int bailey_policy_add_sensitive(struct bailey_policy *policy, const char *path,
					   bool block_read, bool block_write,
					   struct bailey_error *err);

/** No sensitive path at all from now on, the defaults neither. workspace_write only. */
BAILEY_API int bailey_policy_clear_sensitive(struct bailey_policy *policy,
					     struct bailey_error *err);

/** Network on or off as a whole: forgets the destinations that were allowed one by one. Also lets
 * the seccomp profile have network sockets exactly when some network is allowed. */
BAILEY_API int bailey_policy_set_network_access(struct bailey_policy *policy, bool allowed,
						struct bailey_error *err);

/**
 * Allows one destination: "HOST[:PORT][/tcp|/udp]". HOST is a name, "*.name" (also the name
 * itself), an IPv4 address, or an IPv6 address, in brackets when a port follows. PORT is a number,
 * a range "8000-8010" or "*"; 443 when left out. Turns the network on, for the entries alone.
 */
BAILEY_API int bailey_policy_allow_net(struct bailey_policy *policy, const char *destination,
				       struct bailey_error *err);

/** Lets the command listen on a TCP port of the loopback interface. */
BAILEY_API int bailey_policy_add_bind_port(struct bailey_policy *policy, uint16_t port,
					   struct bailey_error *err);

/** Makes NAME stand for ADDRESS (IPv4 or IPv6) inside the sandbox. */
BAILEY_API int bailey_policy_add_resolve(struct bailey_policy *policy, const char *name,
					 const char *address, struct bailey_error *err);

/** "own" or "none": IP sockets on 127.0.0.1 and ::1 among the command's own processes. */
BAILEY_API int bailey_policy_set_loopback(struct bailey_policy *policy, const char *how,
					  struct bailey_error *err);

/** Lets the command connect to the unix socket at PATH (absolute or "~/..."); "*" is any. */
BAILEY_API int bailey_policy_add_unix_socket(struct bailey_policy *policy, const char *path,
					     struct bailey_error *err);

/** Opens a group of devices by name: "gpu", "kvm", "fuse", or "pty" (all pseudo-terminals). */
BAILEY_API int bailey_policy_add_device(struct bailey_policy *policy, const char *group,
					struct bailey_error *err);

/** Protected names of writable roots on or off (bailey_protected_names() and added ones). */
BAILEY_API int bailey_policy_set_protect(struct bailey_policy *policy, bool on,
					 struct bailey_error *err);

/** One more name that may not be written in any writable root; a single path component. */
BAILEY_API int bailey_policy_add_protected(struct bailey_policy *policy, const char *name,
					   struct bailey_error *err);

/** How much of .git is protected: "all", "hooks" (commits work; hooks and configuration stay as
 * they are) or "none". */
BAILEY_API int bailey_policy_set_protect_git(struct bailey_policy *policy, const char *how,
					     struct bailey_error *err);

/**
 * One limit by its name in the wire form: max_memory_mb, max_pids, max_disk_mb, cpu_time_secs,
 * timeout_secs or max_open_files; 0 is unlimited. Megabytes are 2^20 bytes. max_pids and
 * max_open_files are below 2^32.
 */
BAILEY_API int bailey_policy_set_limit(struct bailey_policy *policy, const char *name,
				       uint64_t value, struct bailey_error *err);

/** All limits at once: "conservative", "moderate", "generous" or "unlimited". */
BAILEY_API int bailey_policy_set_limits_preset(struct bailey_policy *policy, const char *preset,
					       struct bailey_error *err);

/** The temp directory: "private" (one per run, removed at its end) or "none". */
BAILEY_API int bailey_policy_set_tmp(struct bailey_policy *policy, const char *how,
				     struct bailey_error *err);

/** May the real $TMPDIR, and the real /tmp, be written? workspace_write only. */
BAILEY_API int bailey_policy_set_real_tmp(struct bailey_policy *policy, bool tmpdir, bool slash_tmp,
					  struct bailey_error *err);

/** The caches of tools such as npm and cargo: "private", "shared" or "none". */
BAILEY_API int bailey_policy_set_caches(struct bailey_policy *policy, const char *how,
					struct bailey_error *err);

/** /proc: "read" or "none". */
BAILEY_API int bailey_policy_set_proc(struct bailey_policy *policy, const char *how,
				      struct bailey_error *err);

/** Hides the names beside a path that is kept out, not only its contents. */
BAILEY_API int bailey_policy_set_hide_names(struct bailey_policy *policy, bool on,
					    struct bailey_error *err);

/** System V IPC and POSIX message queues on or off. */
BAILEY_API int bailey_policy_set_ipc(struct bailey_policy *policy, bool on,
				     struct bailey_error *err);

/** The seccomp profile by name: "strict", "permissive" or "logging" (strict, but only logged).
 * Names that were added to block stay. A read_only policy is always strict. */
BAILEY_API int bailey_policy_set_seccomp(struct bailey_policy *policy, const char *profile,
					 struct bailey_error *err);

/** Blocks one more system call by name, whatever the profile is. */
BAILEY_API int bailey_policy_block_syscall(struct bailey_policy *policy, const char *name,
					   struct bailey_error *err);

/** Turns the profile into an allowlist (on) or back into a denylist (off). */
BAILEY_API int bailey_policy_set_seccomp_allowlist(struct bailey_policy *policy, bool on,
						   struct bailey_error *err);

/** Allows a system call, or a family of them, by name when the profile is an allowlist. */
BAILEY_API int bailey_policy_allow_syscall(struct bailey_policy *policy, const char *name,
					   struct bailey_error *err);

/**
 * Replaces the seccomp profile, or the limits, by one given as JSON in the wire form, as a sandbox
 * manager gives them to its launcher beside the policy. `source` names the text in errors. For
 * read_only the profile in force stays "strict".
 */
BAILEY_API int bailey_policy_use_seccomp_json(struct bailey_policy *policy, const char *source,
					      const char *text, struct bailey_error *err);
BAILEY_API int bailey_policy_use_limits_json(struct bailey_policy *policy, const char *source,
					     const char *text, struct bailey_error *err);

/** Does the policy's seccomp profile, as it was given, let network sockets be made? */
BAILEY_API bool bailey_policy_has_network_sockets(const struct bailey_policy *policy);

/** What the external sandbox is. external_sandbox only. */
BAILEY_API int bailey_policy_set_description(struct bailey_policy *policy, const char *text,
					     struct bailey_error *err);

/* ---- reading a policy --------------------------------------------------------------------- */

/** 0 is unlimited. */
struct bailey_limits {
	uint64_t max_memory_mb; /**< 2^20 bytes */
	uint64_t max_pids;
	uint64_t max_disk_mb; /**< 2^20 bytes written */
	uint64_t cpu_time_secs;
	uint64_t timeout_secs;	 /**< wall clock */
	uint64_t max_open_files; /**< descriptors per process; Bailey's addition */
};

/** A destination that is allowed. */
struct bailey_net_entry {
	const char *domain; /**< normalised: lower case, A-labels, no trailing dot */
	uint16_t port;	    /**< first port */
	uint16_t port_last; /**< last port, equal to `port` for a single one */
	bool udp;
};

struct bailey_sensitive {
	const char *path; /**< as it was written */
	bool block_read;
	bool block_write;
};

/** The type that it was made with; no setter changes it. */
BAILEY_API enum bailey_policy_type bailey_policy_type(const struct bailey_policy *policy);

/** The word of the wire form, such as "read_only". NULL for a value that is not a type. */
BAILEY_API const char *bailey_policy_type_name(enum bailey_policy_type type);

/** The type by its word; "-" counts as "_". BAILEY_E_INVALID with a suggestion. */
BAILEY_API int bailey_policy_type_parse(const char *name, enum bailey_policy_type *out,
					struct bailey_error *err);

/** The limits in force. */
BAILEY_API struct bailey_limits bailey_policy_limits(const struct bailey_policy *policy);

/** The writable root at `index` from 0, or NULL beyond the last; without the working directory,
 * which is always one in a workspace_write policy. */
BAILEY_API const char *bailey_policy_writable_root(const struct bailey_policy *policy,
						   size_t index);

/** Is every destination allowed? */
BAILEY_API bool bailey_policy_has_full_network(const struct bailey_policy *policy);

/** Is some destination allowed? */
BAILEY_API bool bailey_policy_has_network(const struct bailey_policy *policy);

/** The allowed destination at `index` from 0. False beyond the last. */
BAILEY_API bool bailey_policy_net_entry(const struct bailey_policy *policy, size_t index,
					struct bailey_net_entry *out);

/** The sensitive path in force at `index` from 0. False beyond the last. */
BAILEY_API bool bailey_policy_sensitive(const struct bailey_policy *policy, size_t index,
					struct bailey_sensitive *out);

/**
 * One line for people, such as "workspace write, 1 more root, network to 2 destinations". At most
 * `size` bytes with the NUL; returns `buf`.
 */
BAILEY_API const char *bailey_policy_describe(const struct bailey_policy *policy, char *buf,
					      size_t size);

/* ---- the lists behind the defaults; all static -------------------------------------------- */

/** The version of the list of blocked system calls (vtcode-safety's SECCOMP_PROFILE_VERSION). */
#define BAILEY_SECCOMP_PROFILE_VERSION 1

/** The sensitive paths that apply unless a policy names its own, each with "~". Neither readable
 * nor writable. */
BAILEY_API const char *const *bailey_default_sensitive_paths(size_t *count);

/** The names that may not be written in a writable root, existing or not. */
BAILEY_API const char *const *bailey_protected_names(size_t *count);

/** The system calls that "strict" stands for in the wire form. */
BAILEY_API const char *const *bailey_blocked_syscalls(size_t *count);

/** The system calls that are allowed or refused by their arguments. */
BAILEY_API const char *const *bailey_filtered_syscalls(size_t *count);

/* ---- questions ---------------------------------------------------------------------------- */

/** Room for the entry of an answer, its NUL included. */
#define BAILEY_ANSWER_ENTRY_MAX 4096

struct bailey_answer {
	bool allowed;
	const char *rule;		     /**< stable id, such as "write.protected"; static */
	char entry[BAILEY_ANSWER_ENTRY_MAX]; /**< the path or entry that decided, or "" */
	char text[BAILEY_ERROR_MESSAGE_MAX]; /**< one sentence for people */
};

/**
 * May `path` be read, or written? `path` may be relative, start with "~", and need not exist.
 * Unless the scene is lexical, symlinks are resolved in it and in the paths of the policy. A
 * refusal is an answer, not an error; errors are BAILEY_E_INVALID for an empty path or a scene
 * without an absolute cwd, and BAILEY_E_NOMEM.
 */
BAILEY_API int bailey_policy_can_read(const struct bailey_policy *policy,
				      const struct bailey_scene *scene, const char *path,
				      struct bailey_answer *answer, struct bailey_error *err);
BAILEY_API int bailey_policy_can_write(const struct bailey_policy *policy,
				       const struct bailey_scene *scene, const char *path,
				       struct bailey_answer *answer, struct bailey_error *err);

/** May `host` (a name or an address, normalised as the entries are) be reached at `port`? Errors
 * are BAILEY_E_INVALID for what is no host or port 0, and BAILEY_E_NOMEM. */
BAILEY_API int bailey_policy_can_connect(const struct bailey_policy *policy, const char *host,
					 uint16_t port, bool udp, struct bailey_answer *answer,
					 struct bailey_error *err);

/** May a session under `from` go on under `to`? 0, or BAILEY_E_REFUSED: read_only may not become
 * workspace_write or danger_full_access. */
BAILEY_API int bailey_policy_can_become(const struct bailey_policy *from,
					const struct bailey_policy *to, struct bailey_error *err);

/* ---- permissions of one command ------------------------------------------------------------ */

/** From the least permissive to the most. Values are ABI. */
enum bailey_permissions {
	BAILEY_PERMISSIONS_USE_DEFAULT = 0,   /**< "use_default" */
	BAILEY_PERMISSIONS_WITH_ADDITIONAL,   /**< "with_additional_permissions" */
	BAILEY_PERMISSIONS_REQUIRE_ESCALATED, /**< "require_escalated": without the sandbox */
	BAILEY_PERMISSIONS_BYPASS_SANDBOX,    /**< "bypass_sandbox": without the sandbox */
};

/** Paths that a command asks for beyond its policy. Borrowed. */
struct bailey_additional {
	const char *const *fs_read;
	size_t fs_read_count;
	const char *const *fs_write;
	size_t fs_write_count;
};

/** The word of the wire form. NULL for a value that is none. */
BAILEY_API const char *bailey_permissions_name(enum bailey_permissions permissions);

/** By its word. BAILEY_E_INVALID with a suggestion. */
BAILEY_API int bailey_permissions_parse(const char *name, enum bailey_permissions *out,
					struct bailey_error *err);

/** All but "use_default" need somebody's approval. */
BAILEY_API bool bailey_permissions_need_approval(enum bailey_permissions permissions);

/** Does the command run without the sandbox? */
BAILEY_API bool bailey_permissions_leave_sandbox(enum bailey_permissions permissions);

/** The more permissive of the two. */
BAILEY_API enum bailey_permissions bailey_permissions_merge(enum bailey_permissions a,
							    enum bailey_permissions b);

/** "use_default" with additional paths means "with_additional_permissions"; the others stay.
 * `additional` may be NULL. */
BAILEY_API enum bailey_permissions
bailey_permissions_normalize(enum bailey_permissions permissions,
			     const struct bailey_additional *additional);

/** One command's request. Borrowed. */
struct bailey_request {
	enum bailey_permissions permissions;
	const struct bailey_additional *additional; /**< NULL for none */
	const char *justification;		    /**< NULL for none */
	const char *workspace;			    /**< absolute; NULL for the scene's cwd */
};

/**
 * Is the request well-formed and acceptable under `policy`? It is refused when additional paths
 * come with permissions that leave the sandbox, when those come without a justification, and when
 * a path has "..", is not inside the workspace, a writable root or a temp root (also after
 * symlinks), or is sensitive, denied or protected. 0, BAILEY_E_INVALID or BAILEY_E_REFUSED.
 */
BAILEY_API int bailey_permissions_check(const struct bailey_request *request,
					const struct bailey_policy *policy,
					const struct bailey_scene *scene, struct bailey_error *err);

/**
 * The policy that the command runs under: a new one, `policy` is not changed. The caller has asked
 * for approval. Checks the request first. Under read_only, fs_write is refused unless it names the
 * working directory or a directory above it, because workspace_write always opens that.
 */
BAILEY_API int bailey_permissions_apply(const struct bailey_request *request,
					const struct bailey_policy *policy,
					const struct bailey_scene *scene,
					struct bailey_policy **out, struct bailey_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_POLICY_H */
