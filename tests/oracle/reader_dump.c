/* SPDX-License-Identifier: MIT */
/*
 * What the reader says of scripts: each is ended by a NUL on the standard input, and answered with
 * a line, "ok" or "trouble RULE OFFSET early|late MESSAGE".
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/strbuf.h"
#include "command/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
read_all(struct strbuf *out)
{
	char buf[65536];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), stdin)) > 0) {
		strbuf_add(out, buf, n);
	}
	return !ferror(stdin) && !out->failed;
}

static bool
answer(const char *text)
{
	AUTO_ARENA arena = { 0 };
	struct source source = { .text = text, .len = strlen(text) };
	struct trouble trouble;

	if (syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble) == NULL) {
		return false;
	}
	if (trouble.rule == NULL) {
		return puts("ok") >= 0;
	}
	return printf("trouble %s %u %s %s\n", trouble.rule, trouble.span.start,
		      trouble.late ? "late" : "early", trouble.message) >= 0;
}

int
main(void)
{
	struct strbuf input = STRBUF_INIT;
	bool fine = read_all(&input);
	size_t pos = 0;

	while (fine && pos < input.len) {
		fine = answer(input.text + pos);
		pos += strlen(input.text + pos) + 1;
	}
	strbuf_finish(&input);
	return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
