/* SPDX-License-Identifier: MIT */
#ifndef BAILEY_ERROR_H
#define BAILEY_ERROR_H

/**
 * bailey/error.h - how every call that can fail reports it
 *
 * Such a function returns 0 or a negative `enum bailey_status` and takes a trailing
 * `struct bailey_error *err`. The status is for the program to branch on, the struct is for a
 * person to read. `err` may be NULL.
 *
 * Lifecycle:  none. The caller owns the storage and starts from `{ 0 }`. Nothing is allocated, so
 *             an error can be told when memory is short and between fork and exec.
 * Contract:   untouched on success; the first failure wins; callers on the way up may put context
 *             in front with bailey_error_wrap().
 * Threads:    one error object belongs to one thread at a time; there is no global state.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BAILEY_API __attribute__((visibility("default")))
#define BAILEY_MUST_CHECK __attribute__((warn_unused_result))
#define BAILEY_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define BAILEY_API
#define BAILEY_MUST_CHECK
#define BAILEY_PRINTF(format_at, args_at)
#endif

/** Room for a message, its terminating NUL included. Longer ones are cut and end in "...". */
#define BAILEY_ERROR_MESSAGE_MAX 512
/** Room for the name of an input (a file, "argument of --memory"), its NUL included. */
#define BAILEY_ERROR_SOURCE_MAX 256

/** Values are ABI: append only, never renumber. */
enum bailey_status {
	BAILEY_OK = 0,
	BAILEY_E_NOMEM = -1,	 /**< an allocation failed */
	BAILEY_E_SYNTAX = -2,	 /**< input is not in its language; the position is set */
	BAILEY_E_INVALID = -3,	 /**< input is readable, but a value in it is not acceptable */
	BAILEY_E_LIMIT = -4,	 /**< input is over a documented limit of size, depth or number */
	BAILEY_E_NOT_FOUND = -5, /**< a file, profile, program or user that was named is missing */
	BAILEY_E_SYSTEM = -6,	 /**< a system call failed; `sys` holds its errno */
	BAILEY_E_UNSUPPORTED = -7, /**< this kernel, or this version of Bailey, cannot enforce it */
	BAILEY_E_REFUSED = -8,	   /**< the request would loosen what must not be loosened */
};

/** Where in some input an error was found. All are 0 when it is not about a place in input. */
struct bailey_position {
	uint32_t line;	 /**< from 1 */
	uint32_t column; /**< in bytes, from 1 */
};

/** Start from a zeroed struct: `struct bailey_error err = { 0 };` */
struct bailey_error {
	enum bailey_status status;
	int sys; /**< errno, or 0 */
	struct bailey_position at;
	char source[BAILEY_ERROR_SOURCE_MAX]; /**< the input's name, or "" */
	char message[BAILEY_ERROR_MESSAGE_MAX];
};

/**
 * Record a failure and return `status`, so that failing is one statement:
 *
 *     return bailey_fail(err, BAILEY_E_LIMIT, "'%s' has more than %zu rules", name, max);
 *
 * Does nothing but return when `err` is NULL or holds a failure already. Async-signal-safe as far
 * as vsnprintf(3) is, which for integers and strings holds in glibc.
 */
BAILEY_API int bailey_fail(struct bailey_error *err, enum bailey_status status, const char *format,
			   ...) BAILEY_PRINTF(3, 4);

/** As bailey_fail() with BAILEY_E_SYSTEM; keeps `sys` and appends strerror of it to the message. */
BAILEY_API int bailey_fail_sys(struct bailey_error *err, int sys, const char *format, ...)
	BAILEY_PRINTF(3, 4);

/** As bailey_fail(), with the name of the input (borrowed for the call) and a place in it. */
BAILEY_API int bailey_fail_at(struct bailey_error *err, enum bailey_status status,
			      const char *source, struct bailey_position at, const char *format,
			      ...) BAILEY_PRINTF(5, 6);

/** Put context in front of a recorded message: "context: old message". Nothing if none is there. */
BAILEY_API void bailey_error_wrap(struct bailey_error *err, const char *format, ...)
	BAILEY_PRINTF(2, 3);

/**
 * Write "source:line:column: message" (without the parts that are not set) into `buf`, at most
 * `size` bytes with the NUL. Returns `buf`.
 */
BAILEY_API const char *bailey_error_format(const struct bailey_error *err, char *buf, size_t size);

/** A static lower-case name for a status, such as "syntax". Never NULL. */
BAILEY_API const char *bailey_status_name(enum bailey_status status);

#ifdef __cplusplus
}
#endif

#endif /* BAILEY_ERROR_H */
