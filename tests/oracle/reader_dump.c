/* SPDX-License-Identifier: MIT */
/*
 * What the reader says of scripts: each is ended by a NUL on the standard input, and answered with
 * a line, "ok" or "trouble RULE OFFSET early|late MESSAGE". With --tree the answer is the tree
 * instead, ended by a NUL, and empty where there is a trouble.
 */
#include "../unit/syntax_print.h"

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
print_tree(const struct script *script, const struct trouble *trouble)
{
	AUTO_STRBUF out = STRBUF_INIT;

	if (trouble->rule == NULL) {
		print_script(&out, script);
	}
	return !out.failed && fwrite(out.text, 1, out.len + 1, stdout) > 0;
}

static bool
answer(const char *text, bool tree)
{
	AUTO_ARENA arena = { 0 };
	struct source source = { .text = text, .len = strlen(text) };
	struct script *script;
	struct trouble trouble;

	script = syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble);
	if (script == NULL) {
		return false;
	}
	if (tree) {
		return print_tree(script, &trouble);
	}
	if (trouble.rule == NULL) {
		return puts("ok") >= 0;
	}
	return printf("trouble %s %u %s %s\n", trouble.rule, trouble.span.start,
		      trouble.late ? "late" : "early", trouble.message) >= 0;
}

int
main(int argc, char **argv)
{
	bool tree = argc > 1 && strcmp(argv[1], "--tree") == 0;
	struct strbuf input = STRBUF_INIT;
	bool fine = read_all(&input);
	size_t pos = 0;

	while (fine && pos < input.len) {
		fine = answer(input.text + pos, tree);
		pos += strlen(input.text + pos) + 1;
	}
	strbuf_finish(&input);
	return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
