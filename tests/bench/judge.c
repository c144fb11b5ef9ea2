/* SPDX-License-Identifier: MIT */

/*
 * What a judgement costs, in one process: typical commands one by one, beside parsing them with
 * tree-sitter's grammar of bash where that library is given, and how time grows with the length of
 * the text.
 *
 *   bench_judge [--quick] [--tree-sitter LIBRARY] [FILE]
 *
 * LIBRARY is a shared object with libtree-sitter and tree_sitter_bash() in it. FILE holds commands,
 * each ended by a NUL; they are judged one after the other, for the time per command of a whole
 * corpus. Prints tab-separated lines for run_judge.py, and microseconds.
 */

#include <bailey/command.h>

#include "base/attr.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct parser; /* tree-sitter's */

struct tree_sitter {
	struct parser *parser;
	void *(*parse)(struct parser *parser, const void *old, const char *text, uint32_t len);
	void (*drop)(void *tree);
};

static double
now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool
tree_sitter_open(struct tree_sitter *ts, const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	struct parser *(*create)(void);
	const void *(*language)(void);
	bool (*use)(struct parser *, const void *);

	if (library == NULL) {
		(void)fprintf(stderr, "bench_judge: %s\n", dlerror());
		return false;
	}
	/* POSIX has dlsym() give functions as objects. */
	*(void **)&create = dlsym(library, "ts_parser_new");
	*(void **)&language = dlsym(library, "tree_sitter_bash");
	*(void **)&use = dlsym(library, "ts_parser_set_language");
	*(void **)&ts->parse = dlsym(library, "ts_parser_parse_string");
	*(void **)&ts->drop = dlsym(library, "ts_tree_delete");
	if (create == NULL || language == NULL || use == NULL || ts->parse == NULL ||
	    ts->drop == NULL) {
		return false;
	}
	ts->parser = create();
	return use(ts->parser, language());
}

static void
judge(const char *text, size_t len)
{
	struct bailey_verdict *verdict = NULL;

	if (bailey_judge_shell(text, len, NULL, &verdict, NULL) != BAILEY_OK) {
		(void)fprintf(stderr, "bench_judge: cannot judge\n");
		exit(1);
	}
	bailey_verdict_free(verdict);
}

static void
parse(const struct tree_sitter *ts, const char *text, size_t len)
{
	ts->drop(ts->parse(ts->parser, NULL, text, (uint32_t)len));
}

static int
compare(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return *x < *y ? -1 : *x > *y;
}

#define BATCHES 31

/* The median over batches, so that what else the machine does is left out; in turns. */
static void
measure(const char *name, const char *text, const struct tree_sitter *ts, unsigned rounds)
{
	double ours[BATCHES];
	double theirs[BATCHES] = { 0 };
	size_t len = strlen(text);

	for (size_t b = 0; b < BATCHES; b++) {
		double start = now_us();

		for (unsigned i = 0; i < rounds; i++) {
			judge(text, len);
		}
		ours[b] = (now_us() - start) / rounds;
		start = now_us();
		for (unsigned i = 0; ts != NULL && i < rounds; i++) {
			parse(ts, text, len);
		}
		theirs[b] = (now_us() - start) / rounds;
	}
	qsort(ours, BATCHES, sizeof(ours[0]), compare);
	qsort(theirs, BATCHES, sizeof(theirs[0]), compare);
	(void)printf("one\t%.*s\t%.3f\t%.3f\n", (int)strcspn(name, "\n"), name, ours[BATCHES / 2],
		     ts != NULL ? theirs[BATCHES / 2] : 0);
}

static const char *const typical[] = {
	"ls -la",
	"git status",
	"git diff --stat HEAD~1 | head -20",
	"cd src && grep -rn 'TODO' . | wc -l",
	"rm -rf build && mkdir -p build && cd build && cmake ..",
	"for f in *.c; do wc -l \"$f\"; done",
	"sudo -n env -i A=b nice -n 5 timeout 3 bash -lc 'ls -la /tmp'",
	"find . -name '*.o' -newer Makefile -exec ls -l {} +",
	"cat <<'EOF' > notes.md\n# title\nsome text\nEOF",
	"curl -fsSL https://example.com/install.sh | sh",
};

/* Pieces whose repetition makes a long text: each construct has its own way of being slow. */
static const char *const shapes[] = {
	"echo hello world\n",
	"x=1; y=$x; echo \"$y\" | cat; ",
	"(echo a); ",
	"if true; then echo a; fi\n",
	"cat <<E\nsome text\nE\n",
	"echo 'a b' \"c $(pwd) d\" `date`\n",
	"f() { echo $1; }; f a\n",
	"echo {a,b,c} *.c ~/x; ",
	"rm -rf /tmp/x; ",
	"# a comment\n",
};

static void
grow(const char *shape, size_t size)
{
	size_t unit = strlen(shape);
	AUTO_FREE char *text = malloc(size + 1);
	size_t len = 0;
	double best = 1e12;

	while (text != NULL && len + unit <= size) {
		memcpy(text + len, shape, unit);
		len += unit;
	}
	if (text == NULL) {
		exit(1);
	}
	text[len] = '\0';
	for (int i = 0; i < 3; i++) {
		double start = now_us();
		double took;

		judge(text, len);
		took = now_us() - start;
		best = took < best ? took : best;
	}
	(void)printf("grow\t%.*s\t%zu\t%.1f\n", (int)strcspn(shape, "\n"), shape, size, best);
}

static void
corpus(const char *path, const struct tree_sitter *ts)
{
	AUTO_FILE *file = fopen(path, "re");
	AUTO_FREE char *text = NULL;
	size_t room = 0;
	ssize_t len;
	double ours = 0;
	double theirs = 0;
	unsigned long count = 0;

	while (file != NULL && (len = getdelim(&text, &room, '\0', file)) > 0) {
		size_t n = text[len - 1] == '\0' ? (size_t)len - 1 : (size_t)len;
		double start = now_us();

		judge(text, n);
		ours += now_us() - start;
		start = now_us();
		if (ts != NULL) {
			parse(ts, text, n);
		}
		theirs += now_us() - start;
		count++;
	}
	if (count > 0) {
		(void)printf("corpus\t%lu commands\t%.3f\t%.3f\n", count, ours / (double)count,
			     ts != NULL ? theirs / (double)count : 0);
	}
}

int
main(int argc, char **argv)
{
	struct tree_sitter ts = { 0 };
	bool have = false;
	bool quick = false;
	const char *path = NULL;
	const size_t largest = (size_t)1 << 20;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--quick") == 0) {
			quick = true;
		} else if (strcmp(argv[i], "--tree-sitter") == 0 && i + 1 < argc) {
			have = tree_sitter_open(&ts, argv[++i]);
			if (!have) {
				(void)fprintf(stderr, "bench_judge: no parser in %s\n", argv[i]);
			}
		} else {
			path = argv[i];
		}
	}
	for (size_t i = 0; i < COUNT_OF(typical); i++) {
		measure(typical[i], typical[i], have ? &ts : NULL, quick ? 20 : 2000);
	}
	if (path != NULL) {
		corpus(path, have ? &ts : NULL);
	}
	for (size_t i = 0; i < COUNT_OF(shapes); i++) {
		for (size_t size = quick ? largest / 16 : largest / 64; size <= largest;
		     size *= quick ? 16 : 4) {
			grow(shapes[i], size);
		}
	}
	return 0;
}
