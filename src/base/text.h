/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/*
 * Text that came from outside: reading it as UTF-8, naming places in it and showing pieces of it
 * in messages. Nothing here allocates or fails.
 */

#include <bailey/error.h>

#include <stddef.h>
#include <stdint.h>

/*
 * The code point that `text` begins with, and as return value the number of its bytes (1 to 4).
 * 0 when `text` is empty or does not begin with well-formed UTF-8 (overlong forms, surrogates and
 * what is above U+10FFFF are not).
 */
size_t text_decode(const char *text, size_t len, uint32_t *code);

/* Writes `code`, a Unicode scalar value, as UTF-8 and returns the number of bytes. */
size_t text_encode(uint32_t code, char out[4]);

/* The offset of the first byte that is not part of well-formed UTF-8, or `len`. */
size_t text_valid(const char *text, size_t len);

/* Line and column of the byte at `offset`. Walks the text: for errors, not for each token. */
struct bailey_position text_position(const char *text, size_t offset);

/* The value of a digit, or -1: of hexadecimal in either case, and of base64 as RFC 4648 has it in
 * section 4. */
int text_hex(char c);
int text_base64(char c);

/*
 * The number of bytes of the character that `text` begins with, when it may be shown as it is; 0
 * for control characters, invisible ones and what is not UTF-8.
 */
size_t text_plain(const char *text, size_t len);

/* Room for what text_shown() writes, its NUL included. */
#define TEXT_SHOWN_MAX 80

/*
 * A piece of input made fit for a message: control characters, invisible ones and bytes that are
 * not UTF-8 as "\x1b", cut with "..." where it is long. So input cannot command a terminal or
 * disguise itself. Returns `buf`.
 */
const char *text_shown(char buf[TEXT_SHOWN_MAX], const char *text, size_t len);

#endif /* BASE_TEXT_H */
