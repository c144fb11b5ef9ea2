/* SPDX-License-Identifier: MIT */
/*
 * Reads TOML from standard input and writes what is in it as the toml-test suite's tagged JSON; a
 * message and status 1 where it is not TOML. So the suite's own runner can be used on the reader.
 */
#include "toml_tag.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

int
main(void)
{
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF text = STRBUF_INIT;
	struct bailey_error err = { 0 };
	struct toml_table *root = NULL;
	char message[BAILEY_ERROR_MESSAGE_MAX + BAILEY_ERROR_SOURCE_MAX];
	char part[4096];
	size_t n;
	json_t *tagged;

	while ((n = fread(part, 1, sizeof(part), stdin)) > 0) {
		strbuf_add(&text, part, n);
	}
	if (toml_parse(&arena, "stdin", text.text, text.len, &root, &err) != 0) {
		(void)fprintf(stderr, "%s\n", bailey_error_format(&err, message, sizeof(message)));
		return EXIT_FAILURE;
	}
	tagged = toml_tag_table(root);
	(void)json_dumpf(tagged, stdout, JSON_INDENT(2));
	(void)putchar('\n');
	json_decref(tagged);
	return EXIT_SUCCESS;
}
