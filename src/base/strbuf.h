/* SPDX-License-Identifier: MIT */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

/*
 * A growing string.
 *
 * Invariants:
 *   - `text` is never NULL and always ends in a NUL at `len`
 *   - after memory ran out, `failed` stays set and appending does nothing: append freely, ask once
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *text;
	size_t len;
	size_t room; /* 0 while `text` is the shared empty string */
	bool failed;
};

extern char strbuf_empty[1];

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		.text = strbuf_empty                                                               \
	}

void strbuf_add(struct strbuf *buf, const char *text, size_t len);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
/* As text_shown() makes it fit for a message, but whole. */
void strbuf_shown(struct strbuf *buf, const char *text);
void strbuf_printf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Gives the text to the caller, who frees it; the buffer is empty again. NULL if it had failed. */
char *strbuf_take(struct strbuf *buf);

void strbuf_finish(struct strbuf *buf);

#define AUTO_STRBUF __attribute__((cleanup(strbuf_finish))) struct strbuf

#endif /* BASE_STRBUF_H */
