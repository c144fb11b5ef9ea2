/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_EXPORT_H
#define BAILEY_EXPORT_H

/**
 * bailey/export.h - the same policy in the language of another sandbox
 *
 * Nothing here changes the process or depends on the system it runs on: an export is text. What the
 * other sandbox cannot hold is an error (BAILEY_E_UNSUPPORTED) that names it, or, where somebody
 * else has to hold it anyway, a comment in the text.
 *
 * Threads:    may be called from any thread.
 */

#include <bailey/error.h>
#include <bailey/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The macOS Seatbelt profile (SBPL, version 1) of a policy, for `sandbox-exec -p TEXT -- PROGRAM`.
 *
 * Everything is denied but what is listed: running programs, reading all files but the sensitive
 * ones (or the read roots alone), writing the working directory, the writable roots and, where the
 * policy says so, $TMPDIR and /tmp, and the network as a whole or unix sockets in writable places.
 * The last rule that matches decides in SBPL, so what is denied comes last. What is granted is what
 * a path leads to; what is denied is also the path as it was written. /tmp, /var and /etc are
 * named below /private too, where macOS has them.
 *
 * `scene` says where the policy applies: `cwd` (absolute), `home` (needed when a path of the policy
 * starts with "~"), `tmpdir` (may be NULL). With `lexical` the file system is not looked at: right
 * for a profile that is meant for another machine; symlinks there are then unknown.
 *
 * Stricter than on Linux: what may not be read may not be written either (whoever may rename a file
 * can read it under another name), hard links and input into a terminal that was there before are
 * not possible, and neither the keychain nor applications can be reached.
 * Not part of the text: limits (a comment says so), private temp and cache directories, and the
 * seccomp profile. Protected names deeper in a writable root are kept where they are there already,
 * at most 3 directories deep, and the file system is looked at.
 *
 * `*text` is released by the caller with free(3).
 * Errors: BAILEY_E_UNSUPPORTED for a list of allowed hosts, for `resolve`, for `devices` and for a
 * path with control characters; BAILEY_E_INVALID for policies without a sandbox and for a scene
 * without cwd or, when it is needed, home; BAILEY_E_SYSTEM when a path cannot be resolved;
 * BAILEY_E_NOMEM.
 */
BAILEY_API BAILEY_MUST_CHECK int bailey_export_seatbelt(const struct bailey_policy *policy,
							const struct bailey_scene *scene,
							char **text, struct bailey_error *err);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_EXPORT_H */
