/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_COMMAND_H
#define BAILEY_COMMAND_H

/**
 * bailey/command.h - what would this command do?
 *
 * The judge reads a command, as a shell's text or as an argument vector, finds every simple command
 * in it, works out what each would do, and answers allow, prompt or forbidden with its reasons. It
 * runs nothing and asks the system nothing: the answer depends on the text and the scene alone.
 *
 * Allow means: only reads, prints or computes, and nothing in it is unknown. Forbidden means: clear
 * and lasting damage, secrets taken or sent, privileges raised, code from the network run,
 * protections switched off. Everything else, and whatever cannot be read for certain, is prompt.
 * A verdict is a seat belt and a source of good questions; it is no wall. That is the sandbox.
 *
 * Lifecycle:  a verdict is one allocation, ended by bailey_verdict_free(); everything in it is
 *             borrowed from it. The scene and the text are borrowed for the call only.
 * Shell:      the text is judged as non-interactive bash 5 would run it (`bash -c TEXT`); text that
 *             a command hands to sh is read with what sh does not have made unreadable.
 * Limits:     a text of more than BAILEY_COMMAND_MAX bytes is an error (BAILEY_E_LIMIT), commands
 *             inside of commands more than BAILEY_COMMAND_DEPTH deep are forbidden. Nothing else is
 *             cut: what would take too long to follow is prompt at least, with a reason.
 * Threads:    no state but the verdict's; any number of judgements may run at once.
 */

#include <bailey/error.h>
#include <bailey/scene.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_COMMAND_MAX ((size_t)16 << 20) /**< bytes of a text to judge */
#define BAILEY_COMMAND_DEPTH 16		      /**< commands that run commands */

/** From the mildest to the most severe, so that the larger of two is the worse. Values are ABI. */
enum bailey_decision {
	BAILEY_ALLOW = 0, /**< "allow": runs without a question */
	BAILEY_PROMPT,	  /**< "prompt": somebody should look at it first */
	BAILEY_FORBIDDEN, /**< "forbidden": should not run */
};

/** What a command does to the world. Values are ABI: append only. */
enum bailey_effect_kind {
	BAILEY_EFFECT_READS = 0,
	BAILEY_EFFECT_WRITES,	  /**< makes or changes files */
	BAILEY_EFFECT_DELETES,	  /**< removes or empties files, or data elsewhere */
	BAILEY_EFFECT_EXECUTES,	  /**< runs code that is not in the text */
	BAILEY_EFFECT_NETWORK,	  /**< talks to other machines */
	BAILEY_EFFECT_PRIVILEGE,  /**< acts as another user, or gives rights away */
	BAILEY_EFFECT_PROCESS,	  /**< signals or changes other processes */
	BAILEY_EFFECT_SYSTEM,	  /**< changes services, disks, devices, the kernel, containers */
	BAILEY_EFFECT_DISCLOSURE, /**< takes, shows or sends secrets */
	BAILEY_EFFECT_UNKNOWN,	  /**< cannot be told */
};

/** Where a path leads, as far as the text says. Values are ABI: append only. */
enum bailey_place {
	BAILEY_PLACE_NONE = 0,	/**< no path */
	BAILEY_PLACE_UNKNOWN,	/**< depends on what is not in the text */
	BAILEY_PLACE_NULL,	/**< /dev/null, the standard streams, the terminal */
	BAILEY_PLACE_WORKSPACE, /**< inside a root */
	BAILEY_PLACE_TOP,	/**< a root itself, or all that is in it */
	BAILEY_PLACE_PROTECTED, /**< inside a .git of a root */
	BAILEY_PLACE_TMP,	/**< below /tmp, /var/tmp or $TMPDIR */
	BAILEY_PLACE_HOME,	/**< below the home directory */
	BAILEY_PLACE_STARTUP,	/**< what a shell, a login or cron runs by itself */
	BAILEY_PLACE_SENSITIVE, /**< keys, tokens, password files */
	BAILEY_PLACE_PRIVATE,	/**< may hold secrets: .env, ~/.npmrc */
	BAILEY_PLACE_SYSTEM,	/**< /etc, /usr and the like */
	BAILEY_PLACE_ROOT,	/**< the root or home directory itself, or all that is in it */
	BAILEY_PLACE_DEVICE,	/**< disks, memory, the kernel's switches */
	BAILEY_PLACE_OTHER,	/**< anywhere else */
	BAILEY_PLACE_NETWORK,	/**< /dev/tcp/... of bash */
	BAILEY_PLACE_GUARD, /**< what keeps agents in check: .claude, .codex, .vscode/settings.json
			     */
};

/** Bytes of the verdict's text; `end` is behind the last. */
struct bailey_span {
	uint32_t start;
	uint32_t end;
};

/** How much is known of a word after quoting and expansion. Values are ABI. */
enum bailey_word_kind {
	BAILEY_WORD_LITERAL = 0, /**< exactly `text` */
	BAILEY_WORD_GLOB,	 /**< the names that the pattern `text` matches */
	BAILEY_WORD_DYNAMIC,	 /**< not known: unknown parts are "\x1a" in `text` */
};

struct bailey_word {
	const char *text;
	enum bailey_word_kind kind;
	bool many; /**< may turn out as several words, or as none */
	struct bailey_span span;
};

struct bailey_assignment {
	const char *name;
	struct bailey_word value; /**< of an array: its elements, joined by blanks */
	bool appends;		  /**< NAME+=VALUE */
};

struct bailey_redirection {
	int fd;		/**< that is redirected; -1 when a variable names it, or for both of &> */
	const char *op; /**< "<", ">", ">>", "<>", ">|", "&>", "&>>", ">&", "<&", "<<", "<<<" */
	struct bailey_word target; /**< the body for "<<" and "<<<" */
};

/** One simple command, after unwrapping and expansion. */
struct bailey_simple {
	const struct bailey_word *words; /**< the program first; may be empty */
	size_t word_count;
	const struct bailey_assignment *assignments;
	size_t assignment_count;
	const struct bailey_redirection *redirections;
	size_t redirection_count;
	enum bailey_decision decision; /**< of this command alone */
	bool requires_sandbox;
	const char *via; /**< what runs it: "sudo", "xargs", "bash -c"; NULL for the shell */
	size_t parent;	 /**< index of the command that runs it, or its own index */
	struct bailey_span span; /**< where it stands, or the word that it comes from */
};

struct bailey_reason {
	enum bailey_decision decision;
	const char *rule;    /**< stable id, "rm.recursive-home" */
	const char *message; /**< "deletes /home/u, your home directory, and everything in it" */
	struct bailey_span span;
	size_t command; /**< index of the simple command, or SIZE_MAX */
};

struct bailey_effect {
	enum bailey_effect_kind kind;
	enum bailey_place place;
	enum bailey_decision decision;
	const char *target; /**< the path made absolute, the host, or NULL */
	size_t command;	    /**< index of the simple command, or SIZE_MAX */
	struct bailey_span span;
};

struct bailey_verdict {
	enum bailey_decision decision;
	/** Allow holds only inside the sandbox: the command runs what a repository's or a
	 * project's own settings may name. */
	bool requires_sandbox;
	bool readable;	  /**< false: the text is not bash for certain */
	const char *text; /**< what was judged; an argv is written as a shell would take it */
	const struct bailey_reason *reasons; /**< the most severe first, then as they stand */
	size_t reason_count;
	const struct bailey_effect *effects;
	size_t effect_count;
	const struct bailey_simple *commands; /**< in the order in which they would run */
	size_t command_count;
};

/** "allow", "prompt" or "forbidden". */
BAILEY_API const char *bailey_decision_name(enum bailey_decision decision);

/** "reads", "writes", ... as in the enum, lower case. */
BAILEY_API const char *bailey_effect_name(enum bailey_effect_kind kind);

/** "workspace", "home", ... as in the enum, lower case; "" for none. */
BAILEY_API const char *bailey_place_name(enum bailey_place place);

/**
 * Judge a shell's text of `len` bytes (it need not end in a NUL). `scene` may be NULL: then the
 * working directory is a workspace of its own and home lies outside it.
 * `*verdict` is the caller's, for bailey_verdict_free().
 * Errors: BAILEY_E_LIMIT, BAILEY_E_NOMEM, BAILEY_E_INVALID for a scene with relative directories.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_judge_shell(const char *text, size_t len,
						    const struct bailey_scene *scene,
						    struct bailey_verdict **verdict,
						    struct bailey_error *err);

/** Judge a program and its arguments: `argc` strings, none of which a shell looks at. As above. */
BAILEY_API BAILEY_MUST_CHECK int bailey_judge_argv(const char *const *argv, size_t argc,
						   const struct bailey_scene *scene,
						   struct bailey_verdict **verdict,
						   struct bailey_error *err);

/** Ends a verdict. NULL is allowed. */
BAILEY_API void bailey_verdict_free(struct bailey_verdict *verdict);

/* ---- the questions of vtcode-safety --------------------------------------------------------- */

/** Is the verdict on this argv forbidden? true also when it cannot be had for want of memory. */
BAILEY_API bool bailey_command_might_be_dangerous(const char *const *argv, size_t argc);

/** The same for a shell's text. */
BAILEY_API bool bailey_shell_string_might_be_dangerous(const char *text);

/**
 * 0 when the text is readable, not forbidden, and names nothing that is never taken as safe: `find`
 * with arguments that are not known, and programs such as curl, ssh, rmdir, chmod and sudo,
 * whatever their arguments. BAILEY_E_REFUSED with the first reason in `err` otherwise,
 * BAILEY_E_SYNTAX when it cannot be read.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_validate_command_safety(const char *text,
								struct bailey_error *err);

/** Values are ABI. */
enum bailey_safety {
	BAILEY_SAFETY_ALLOW = 0, /**< known to read only */
	BAILEY_SAFETY_DENY,	 /**< a known program, used in a way that does more */
	BAILEY_SAFETY_UNKNOWN,	 /**< not in the registry */
};

/** Room for a reason, its NUL included. */
#define BAILEY_SAFETY_REASON_MAX 256

/**
 * The registry of safe commands: does a known reading program only read, used like this? `reason`
 * (may be NULL) gets the first reason when the answer is DENY, "" otherwise.
 */
BAILEY_API enum bailey_safety bailey_safe_command(const char *const *argv, size_t argc,
						  char reason[BAILEY_SAFETY_REASON_MAX]);

/** What decided an evaluation. Values are ABI. */
enum bailey_evaluation_reason {
	BAILEY_BY_POLICY_ALLOW = 0, /**< "policy_allow": the caller's policy allows it */
	BAILEY_BY_POLICY_DENY,	    /**< "policy_deny" */
	BAILEY_BY_SAFETY_ALLOW,	    /**< "safety_allow": it only reads */
	BAILEY_BY_SAFETY_DENY,	    /**< "safety_deny": it does more than read */
	BAILEY_BY_DANGER,	    /**< "dangerous_command": the verdict is forbidden */
};

struct bailey_evaluation {
	bool allowed;
	enum bailey_evaluation_reason primary;
	char reason[BAILEY_SAFETY_REASON_MAX];
};

/** The name of a reason, as in the comments of the enum. */
BAILEY_API const char *bailey_evaluation_reason_name(enum bailey_evaluation_reason reason);

/**
 * One answer for an argv. `policy` is what the caller's own rules say of it, or NULL when they say
 * nothing: a denial stands, an allowance stands unless the verdict is forbidden, and without either
 * only what is known to read only is allowed. Errors: as bailey_judge_argv().
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_evaluate(const char *const *argv, size_t argc,
						 const struct bailey_scene *scene,
						 const bool *policy, struct bailey_evaluation *out,
						 struct bailey_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_COMMAND_H */
