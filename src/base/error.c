/* SPDX-License-Identifier: MIT */
#include <bailey/error.h>

#include "base/attr.h"

#include <stdarg.h>
#include <string.h>

static void put(char *buf, size_t size, const char *format, va_list args) BAILEY_PRINTF(3, 0);

/* vsnprintf with an honest mark where the text did not fit. */
static void
put(char *buf, size_t size, const char *format, va_list args)
{
	int n = vsnprintf(buf, size, format, args);

	if (n < 0) {
		buf[0] = '\0';
	} else if ((size_t)n >= size) {
		memcpy(buf + size - 4, "...", 4);
	}
}

/* Appends ": " and `text`, with the same mark. */
static void
append(char *buf, size_t size, const char *text)
{
	size_t used = strlen(buf);

	if ((size_t)snprintf(buf + used, size - used, ": %s", text) >= size - used) {
		memcpy(buf + size - 4, "...", 4);
	}
}

static int record(struct bailey_error *err, enum bailey_status status, const char *format,
		  va_list args) BAILEY_PRINTF(3, 0);

static int
record(struct bailey_error *err, enum bailey_status status, const char *format, va_list args)
{
	if (err == NULL || err->status != BAILEY_OK) {
		return status;
	}
	err->status = status;
	put(err->message, sizeof(err->message), format, args);
	return status;
}

int
bailey_fail(struct bailey_error *err, enum bailey_status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)record(err, status, format, args);
	va_end(args);
	return status;
}

int
bailey_fail_sys(struct bailey_error *err, int sys, const char *format, ...)
{
	va_list args;
	const char *name;

	if (err == NULL || err->status != BAILEY_OK) {
		return BAILEY_E_SYSTEM;
	}
	va_start(args, format);
	(void)record(err, BAILEY_E_SYSTEM, format, args);
	va_end(args);
	err->sys = sys;
	name = strerrordesc_np(sys);
	append(err->message, sizeof(err->message), name != NULL ? name : "unknown error");
	return BAILEY_E_SYSTEM;
}

int
bailey_fail_at(struct bailey_error *err, enum bailey_status status, const char *source,
	       struct bailey_position at, const char *format, ...)
{
	va_list args;

	if (err == NULL || err->status != BAILEY_OK) {
		return status;
	}
	err->at = at;
	if (source != NULL) {
		(void)snprintf(err->source, sizeof(err->source), "%s", source);
	}
	va_start(args, format);
	(void)record(err, status, format, args);
	va_end(args);
	return status;
}

void
bailey_error_wrap(struct bailey_error *err, const char *format, ...)
{
	char old[BAILEY_ERROR_MESSAGE_MAX];
	va_list args;

	if (err == NULL || err->status == BAILEY_OK) {
		return;
	}
	memcpy(old, err->message, sizeof(old));
	va_start(args, format);
	put(err->message, sizeof(err->message), format, args);
	va_end(args);
	append(err->message, sizeof(err->message), old);
}

const char *
bailey_error_format(const struct bailey_error *err, char *buf, size_t size)
{
	char where[BAILEY_ERROR_SOURCE_MAX + 32] = "";

	if (err->at.line > 0) {
		(void)snprintf(where, sizeof(where),
			       "%s:%u:%u: ", err->source[0] != '\0' ? err->source : "input",
			       err->at.line, err->at.column);
	} else if (err->source[0] != '\0') {
		(void)snprintf(where, sizeof(where), "%s: ", err->source);
	}
	(void)snprintf(buf, size, "%s%s", where, err->message);
	return buf;
}

const char *
bailey_status_name(enum bailey_status status)
{
	switch (status) {
	case BAILEY_OK:
		return "ok";
	case BAILEY_E_NOMEM:
		return "out of memory";
	case BAILEY_E_SYNTAX:
		return "syntax";
	case BAILEY_E_INVALID:
		return "invalid";
	case BAILEY_E_LIMIT:
		return "limit";
	case BAILEY_E_NOT_FOUND:
		return "not found";
	case BAILEY_E_SYSTEM:
		return "system";
	case BAILEY_E_UNSUPPORTED:
		return "unsupported";
	case BAILEY_E_REFUSED:
		return "refused";
	}
	return "unknown";
}
