/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an empty buffer points at; never written but with the NUL that it already holds. */
char strbuf_empty[1];

static bool
reserve(struct strbuf *buf, size_t more)
{
	size_t need;
	size_t room;
	char *bigger;

	if (buf->failed || __builtin_add_overflow(buf->len, more, &need) || need > SIZE_MAX / 2) {
		buf->failed = true;
		return false;
	}
	if (need < buf->room) {
		return true;
	}
	room = buf->room < 64 ? 64 : buf->room;
	while (room <= need) {
		room *= 2;
	}
	bigger = realloc(buf->room > 0 ? buf->text : NULL, room);
	if (bigger == NULL) {
		buf->failed = true;
		return false;
	}
	buf->text = bigger;
	buf->room = room;
	buf->text[buf->len] = '\0';
	return true;
}

void
strbuf_add(struct strbuf *buf, const char *text, size_t len)
{
	if (len > 0 && reserve(buf, len)) {
		memcpy(buf->text + buf->len, text, len);
		buf->len += len;
		buf->text[buf->len] = '\0';
	}
}

void
strbuf_puts(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void
strbuf_shown(struct strbuf *buf, const char *text)
{
	size_t len = strlen(text);

	for (size_t pos = 0; pos < len;) {
		size_t n = text_plain(text + pos, len - pos);

		if (n > 0) {
			strbuf_add(buf, text + pos, n);
		} else {
			strbuf_printf(buf, "\\x%02x", (unsigned char)text[pos]);
		}
		pos += n > 0 ? n : 1;
	}
}

void
strbuf_putc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

void
strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n < 0) {
		buf->failed = true;
	} else if (reserve(buf, (size_t)n)) {
		(void)vsnprintf(buf->text + buf->len, (size_t)n + 1, format, again);
		buf->len += (size_t)n;
	}
	va_end(again);
}

void
strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(buf, format, args);
	va_end(args);
}

char *
strbuf_take(struct strbuf *buf)
{
	char *text = NULL;

	if (!buf->failed) {
		text = buf->room > 0 ? buf->text : strdup("");
	} else if (buf->room > 0) {
		free(buf->text);
	}
	*buf = (struct strbuf)STRBUF_INIT;
	return text;
}

void
strbuf_finish(struct strbuf *buf)
{
	if (buf->room > 0) {
		free(buf->text);
	}
	*buf = (struct strbuf)STRBUF_INIT;
}
