/* SPDX-License-Identifier: MIT */
/*
 * Runs while Bailey is built: writes the standard filters as a C file to standard output. It is no
 * part of the library.
 */
#include "sandbox/filter_impl.h"

#include "base/arena.h"

#include <stdio.h>

static int
write_program(unsigned int index, struct arena *arena, unsigned int *len)
{
	struct plan_filter spec = filter_standard_spec(index);
	struct sock_fprog program = { 0 };
	struct bailey_error err = { 0 };

	if (filter_build(&spec, arena, &program, &err) < 0) {
		(void)fprintf(stderr, "filter_gen: %s\n", err.message);
		return -1;
	}
	(void)printf("static const struct sock_filter standard_%u[] = {\n", index);
	for (unsigned int i = 0; i < program.len; i++) {
		const struct sock_filter *at = &program.filter[i];

		(void)printf("\t{ 0x%02x, %u, %u, 0x%08x },\n", at->code, at->jt, at->jf, at->k);
	}
	(void)printf("};\n\n");
	*len = program.len;
	return 0;
}

int
main(void)
{
	unsigned int len[FILTER_STANDARDS];
	struct arena arena = { 0 };
	int failed = 0;

	/* The machine that builds may have an older kernel than the one that runs: ask it nothing.
	 */
	(void)seccomp_api_set(3);
	(void)printf("/* Written by filter_gen. */\n#include \"sandbox/filter_impl.h\"\n\n");
	for (unsigned int i = 0; i < FILTER_STANDARDS && failed == 0; i++) {
		failed = write_program(i, &arena, &len[i]);
	}
	(void)printf("const struct filter_program filter_standards[] = {\n");
	for (unsigned int i = 0; i < FILTER_STANDARDS && failed == 0; i++) {
		(void)printf("\t{ standard_%u, %u },\n", i, len[i]);
	}
	(void)printf("};\n\nconst unsigned int filter_standard_count = FILTER_STANDARDS;\n");
	arena_finish(&arena);
	return failed == 0 && fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
