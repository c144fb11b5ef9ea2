/* SPDX-License-Identifier: MIT */
/*
 * Feeds files to a fuzz target without a fuzzer, so that a corpus is a test like any other. The
 * arguments are files, and directories of files.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The number of inputs that were run. */
static unsigned int
replay(const char *path)
{
	AUTO_ARENA arena = { 0 };
	AUTO_DIR *dir = opendir(path);
	unsigned int count = 0;
	char *text = NULL;
	size_t len;
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		count += entry->d_name[0] != '.' ? replay(path_join(&arena, path, entry->d_name))
						 : 0;
	}
	if (dir == NULL && read_file(&arena, path, (size_t)1 << 24, &text, &len, NULL) == 0) {
		(void)LLVMFuzzerTestOneInput((const uint8_t *)text, len);
		count = 1;
	}
	return count;
}

int
main(int argc, char **argv)
{
	unsigned int count = 0;

	for (int i = 1; i < argc; i++) {
		count += replay(argv[i]);
	}
	(void)printf("%u inputs\n", count);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
