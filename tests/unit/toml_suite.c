/* SPDX-License-Identifier: MIT */
/*
 * Runs the toml-test suite: every file that `files-toml-1.0.0` lists in the directory given. Valid
 * documents must hold what the JSON beside them says, invalid ones must be refused with a place in
 * the text. Prints each case that fails, and a count; with "-v" what is said of invalid ones too.
 */
#include "toml_tag.h"

#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)1 << 20)

static bool verbose;

/*
 * jansson parses no key with a NUL in it, and the suite has one. So each \u0000 becomes \ufdd0, a
 * code point that is not a character and nowhere in the suite, on both sides before comparing.
 */
static json_t *
parse_expected(char *text)
{
	for (char *at = strchr(text, '\\'); at != NULL; at = strchr(at, '\\')) {
		if (strncmp(at, "\\u0000", 6) == 0) {
			memcpy(at, "\\ufdd0", 6);
		}
		at += at[1] != '\0' ? 2 : 1;
	}
	return json_loads(text, 0, NULL);
}

static json_t *
parse_tagged(const struct toml_table *root)
{
	json_t *tagged = toml_tag_table(root);
	AUTO_FREE char *text = json_dumps(tagged, JSON_INDENT(2));

	json_decref(tagged);
	return text != NULL ? parse_expected(text) : NULL;
}

/* NULL when the case passes, or what is wrong. */
static const char *
run_valid(struct arena *arena, const char *file, const struct toml_table *root)
{
	char *name = arena_strdup(arena, file);
	char *text = NULL;
	size_t len;
	json_t *want;
	json_t *have;
	bool same;

	memcpy(strrchr(name, '.'), ".json", sizeof(".json"));
	if (read_file(arena, name, FILE_MAX, &text, &len, NULL) != 0) {
		return "the expected JSON cannot be read";
	}
	want = parse_expected(text);
	have = parse_tagged(root);
	same = want != NULL && have != NULL && toml_tag_equal(want, have);
	if (!same) {
		(void)json_dumpf(have, stdout, JSON_INDENT(2));
		(void)putchar('\n');
	}
	json_decref(want);
	json_decref(have);
	return same ? NULL : "is read as something else";
}

static const char *
run_case(const char *file, bool valid)
{
	static char message[BAILEY_ERROR_MESSAGE_MAX + BAILEY_ERROR_SOURCE_MAX];
	AUTO_ARENA arena = { 0 };
	struct bailey_error err = { 0 };
	struct toml_table *root = NULL;
	char *text = NULL;
	size_t len = 0;

	if (read_file(&arena, file, FILE_MAX, &text, &len, &err) != 0) {
		return "cannot be read";
	}
	if (toml_parse(&arena, path_base(file), text, len, &root, &err) == 0) {
		return valid ? run_valid(&arena, file, root) : "is not refused";
	}
	(void)bailey_error_format(&err, message, sizeof(message));
	if (valid) {
		return message;
	}
	if (verbose) {
		(void)printf("%s\n", message);
	}
	if (err.status != BAILEY_E_SYNTAX || err.at.line == 0 || err.at.column == 0) {
		return "is refused without a place in the text";
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	AUTO_ARENA arena = { 0 };
	unsigned int failed = 0;
	unsigned int passed = 0;
	char *list = NULL;
	size_t len;

	verbose = argc == 3 && strcmp(argv[2], "-v") == 0;
	if (argc < 2 || read_file(&arena, path_join(&arena, argv[1], "files-toml-1.0.0"), FILE_MAX,
				  &list, &len, NULL) != 0) {
		(void)fprintf(stderr, "usage: toml_suite DIRECTORY [-v]\n");
		return 2;
	}
	for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		const char *dot = strrchr(line, '.');
		const char *wrong;

		if (dot == NULL || strcmp(dot, ".toml") != 0) {
			continue;
		}
		wrong = run_case(path_join(&arena, argv[1], line), strncmp(line, "valid/", 6) == 0);
		if (wrong != NULL) {
			(void)printf("FAIL %s: %s\n", line, wrong);
		}
		failed += wrong != NULL ? 1 : 0;
		passed += wrong != NULL ? 0 : 1;
	}
	(void)printf("%u passed, %u failed\n", passed, failed);
	return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
