/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_SANDBOX_H
#define BAILEY_SANDBOX_H

/**
 * bailey/sandbox.h - running a command under a policy, and asking what this kernel can hold
 *
 * Model:      a `struct bailey_run` says what to run and under which policy. It is compiled into a
 *             plan; the plan is what the kernel is told: a Landlock ruleset, a seccomp filter,
 *             resource limits, an environment. bailey_explain() shows the plan, bailey_run()
 *             carries it out in a child, bailey_restrict_self() in the calling process.
 * Processes:  bailey_run() leaves two processes beside the command: the caller, which ends the
 *             whole tree when the command ends or its time is over, and a guard, which does that
 *             when the caller dies, by whatever signal. For this the caller enters a Landlock
 *             domain that keeps its signals inside: for good it can signal only what it starts
 *             afterwards. With keep_background the first is a process of its own, a child of the
 *             caller that may outlive the call, and the caller is not changed.
 * Ownership:  everything in a `struct bailey_run` is borrowed for the call.
 * Errors:     as in bailey/error.h. Nothing is half applied: what can fail fails before the command
 *             starts, and a sandbox that cannot be held completely is an error (see best_effort).
 * Threads:    bailey_run() and bailey_restrict_self() change the calling process for good (no new
 *             privileges, the domain, subreaper) and belong in a process that has one thread and
 *             was made for this. bailey_debug_sandbox() and the tests below make one themselves.
 *             The others may be called from any thread.
 */

#include <bailey/error.h>
#include <bailey/policy.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exit statuses of `bailey run` besides the command's own; a signal n of it becomes 128 + n. */
enum bailey_exit {
	BAILEY_EXIT_USAGE = 2,	      /**< the command line of bailey itself is wrong */
	BAILEY_EXIT_TIMEOUT = 124,    /**< the wall clock limit ended the command */
	BAILEY_EXIT_FAILED = 125,     /**< the sandbox could not be set up: nothing was run */
	BAILEY_EXIT_CANNOT_RUN = 126, /**< the program was found and cannot be executed */
	BAILEY_EXIT_NOT_FOUND = 127,  /**< there is no such program */
	BAILEY_EXIT_SIGNAL = 128,     /**< added to the number of the signal that ended it */
};

/** How the environment of the command is made from the given one. */
enum bailey_env_mode {
	BAILEY_ENV_FILTER = 0, /**< drop credentials and what runs code (the default) */
	BAILEY_ENV_SANITIZE,   /**< keep only the preserved names */
	BAILEY_ENV_KEEP,       /**< keep everything */
	BAILEY_ENV_CLEAR,      /**< keep nothing but what the sandbox sets */
};

/**
 * What is told while a command runs, as JSON: {"event":"started","pid":N}; for each refusal
 * {"event":"refused","rule":R,"call":C,"subject":S,"errno":"EACCES","option":O,"value":V,
 * "advice":"policy, do not retry","pid":N,"comm":NAME}, where option and value (if it takes one)
 * would allow it; and at the end {"event":"ended","status":N,"reason":W,"refused":N,"lost":N}, W
 * being "exit", "signal", "timeout", "memory", "tasks", "disk", "cpu", "parent", "guard", "broker"
 * or, with a "message", "failed". Keys may be added.
 */
enum bailey_event {
	BAILEY_EVENT_STARTED = 1,
	BAILEY_EVENT_REFUSED,
	BAILEY_EVENT_ENDED, /**< always comes, and is the last */
};

/** What to run. Start from `{ .size = sizeof(struct bailey_run) }`: zero is the safe value. */
struct bailey_run {
	size_t size; /**< of this struct as the caller knows it; fields are only ever added */
	const struct bailey_policy *policy;
	char *const *argv; /**< NULL-terminated; argv[0] is looked up in PATH unless it has a "/" */
	char *const *envp; /**< NULL-terminated base environment; NULL: empty */
	char *const *env_set; /**< NULL-terminated "NAME=VALUE" set after filtering; may be NULL */
	const char *cwd;      /**< absolute; where the command starts, and writable by it */
	const char *home;     /**< absolute, for "~" in policies; may be NULL */
	const char
		*user_home; /**< the user's home of passwd(5) when that is another: sensitive paths
			     * are kept out in both, whatever HOME was set to; may be NULL */
	const char *tmpdir; /**< the value of TMPDIR; NULL for /tmp */
	const char *cache;  /**< absolute directory for private tool caches; NULL: none */
	enum bailey_env_mode env_mode;
	const int *keep_fds;  /**< descriptors besides 0, 1, 2 that the command gets */
	size_t keep_fd_count; /**< number of keep_fds */
	bool best_effort;     /**< run though the kernel cannot hold a part; tell() is told */
	bool in_place;	      /**< exec in the calling process; nobody stays behind */
	bool no_inet;	      /**< no INET sockets even where the policy allows the network */
	bool exact_pids;      /**< with a limit on processes: one more fails with EAGAIN, instead of
			       * ending      the tree; a signal can then end a fork with EINTR */
	bool no_broker;	      /**< only what the kernel holds by itself: no process outside performs
			       * anything for the command, and tell() is told what is not held */
	bool outlive_parent;  /**< do not end when the process that called the caller ends */
	bool keep_background; /**< what the command leaves running lives on, confined, when it has
			       * ended: see Processes */
	bool vtcode_markers;  /**< also set the VTCODE_SANDBOX_* variables */
	unsigned int grace_ms; /**< between TERM and KILL; 0 means 2000 */
	int pretend_abi; /**< for tests: a Landlock ABI below the kernel's; 0 means the real */
	/** Told what a person should know, one line without newline at a time; may be NULL. */
	void (*tell)(void *data, const char *line);
	void *tell_data;
	/**
	 * Told each event when it happens, as one JSON object in one line without newline; may be
	 * NULL. It should not wait: the clock of the run is not looked at meanwhile. False: the
	 * event did not reach whom it was for; the last one says how many did not.
	 */
	bool (*event)(void *data, enum bailey_event kind, const char *json);
	void *event_data;
};

/**
 * Run a command to its end. Returns 0 and its exit status (0 to 255, see enum bailey_exit) in
 * `*status`, or an error when it was not run; then `*status` says what a program such as `bailey
 * run` should exit with (125, 126 or 127). SIGCHLD must not be ignored in the calling process.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_run(const struct bailey_run *run, int *status,
					    struct bailey_error *err);

/**
 * Apply the policy to the calling process for good, as far as that is possible without a process
 * that stays behind: descriptors above 2, limits, capabilities, no_new_privs, Landlock, seccomp.
 * The environment, the signal mask and the working directory are left alone. Policies with a
 * timeout, a limit on processes or a private temp directory are refused (BAILEY_E_INVALID).
 * argv is not used. On error the process may be partly restricted and should end.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_restrict_self(const struct bailey_run *run,
						      struct bailey_error *err);

/**
 * The plan of a run, for people or (json) as one JSON object, in text that the caller free()s.
 * Nothing is run or changed. argv may be NULL.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_explain(const struct bailey_run *run, bool json,
						char **text, struct bailey_error *err);

/** What a command can really do with one path: by the rules that the kernel is told, or because the
 * broker performs it. */
struct bailey_reach {
	bool read;    /**< read a file, list a directory's files' contents */
	bool write;   /**< change what exists there */
	bool create;  /**< make or remove entries: in it if it is a directory, else beside it */
	bool execute; /**< run it */
	bool exists;
};

/**
 * As bailey_policy_can_read() and its sisters say what the policy means, this says what is held,
 * which can be another thing without the broker: see `create` in a directory that holds protected
 * names. `path` may be relative to run->cwd or start with "~".
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_reach_path(const struct bailey_run *run, const char *path,
						   struct bailey_reach *out,
						   struct bailey_error *err);

/** What this machine offers. All masks are the kernel's bits of linux/landlock.h. */
struct bailey_capabilities {
	int landlock_abi;   /**< 0: Landlock is not available */
	int landlock_errno; /**< why not: ENOSYS, EOPNOTSUPP, EPERM */
	uint64_t landlock_fs;
	uint64_t landlock_net;
	uint64_t landlock_scope;
	bool seccomp;		/**< filters with errno and kill-process actions */
	bool user_notification; /**< a listener can be created (a broker could work) */
	bool user_namespaces;	/**< an unprivileged process may create one */
	bool pidfd;		/**< pidfd_open(2) works */
	bool proc_children;	/**< /proc/PID/task/TID/children exists: limits of a tree work */
	char lsms[256];		/**< active security modules, or "" where securityfs is hidden */
	char kernel[128];	/**< release of uname(2) */
};

/** Probe by trying, never by version number. Takes well below a millisecond. */
BAILEY_API void bailey_probe(struct bailey_capabilities *out);

/** Is Landlock available, whatever its ABI? */
BAILEY_API bool bailey_landlock_supported(void);

/** A right by its bit number in the kernel's header: "read_file"; NULL when unknown. */
BAILEY_API const char *bailey_landlock_right_name(unsigned int bit);

/** The first ABI with that right; 0 when unknown. */
BAILEY_API int bailey_landlock_right_abi(unsigned int bit);

/** What bailey_debug_sandbox() saw. */
struct bailey_debug_result {
	bool success;	   /**< the command ran and returned 0 */
	int exit_code;	   /**< as bailey_run()'s status */
	char *output;	   /**< stdout and stderr, at most 1 MiB, NUL-terminated; free() it */
	size_t output_len; /**< bytes of output, without the NUL */
	bool active;	   /**< a sandbox was in force */
};

/** Run a command as bailey_run() does and collect what it prints. stdin is /dev/null. */
BAILEY_API BAILEY_MUST_CHECK int bailey_debug_sandbox(const struct bailey_run *run,
						      struct bailey_debug_result *out,
						      struct bailey_error *err);

/**
 * Would a command under this run's policy be able to create and remove a file in the directory
 * `path` (absolute)? Tried in a sandboxed child, not computed. Returns 1 yes, 0 no, or an error.
 */
BAILEY_API BAILEY_MUST_CHECK int
bailey_test_path_writable(const struct bailey_run *run, const char *path, struct bailey_error *err);

/** Is a TCP connection to a listener on 127.0.0.1 refused? Tried. Returns 1 yes, 0 no, or error. */
BAILEY_API BAILEY_MUST_CHECK int bailey_test_network_blocked(const struct bailey_run *run,
							     struct bailey_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_SANDBOX_H */
