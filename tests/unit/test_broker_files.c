/* SPDX-License-Identifier: MIT */

/*
 * The broker makes, opens and moves files for the command as the kernel would: each call of a table
 * is made by this program bare, and again in a sandbox whose workspace is a repository, and has to
 * end alike. Run by root it becomes nobody first, since in a sandbox root has no privileges.
 *
 *   test_broker_files --calls FIRST    is what runs in there
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/attr.h"
#include "base/fd.h"
#include "broker_cases.h"
#include "broker_rows.h"

#include <bailey/bailey.h>

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define NOBODY 65534
#define REPORT_MAX 40000
#define TREE_MAX 60000
#define BATCH 100 /* rows in one run: repositories are looked for in so many directories only */

/* ---- the rows, in whichever world ---------------------------------------------------------- */

/* What an argument is in memory. */
static const char *
path_of(const char *text, char *room)
{
	if (text == NULL || strcmp(text, "!") == 0) {
		return text == NULL ? "" : (const char *)(uintptr_t)16;
	}
	if (text[0] != '%') {
		return text;
	}
	if (getcwd(room, PATH_MAX) == NULL) {
		_exit(9);
	}
	return strcat(room, text + 1);
}

static int
dirfd_of(const char *dir)
{
	if (dir == NULL) {
		return AT_FDCWD;
	}
	return strcmp(dir, "-") == 0 ? 999 : open(dir, O_RDONLY);
}

static long
call(const struct row *row)
{
	static char room[2][PATH_MAX * 2];
	const char *a = path_of(row->a, room[0]);
	const char *b = path_of(row->b, room[1]);
	int dir = dirfd_of(row->dir);
	int dir2 = dirfd_of(row->dir2);
	const struct {
		const char *name;
		long nr;
		long args[5];
	} calls[] = {
#ifdef SYS_open
		{ "open", SYS_open, { (long)a, row->flags, row->mode } },
		{ "creat", SYS_creat, { (long)a, row->mode } },
		{ "mkdir", SYS_mkdir, { (long)a, row->mode } },
		{ "mknod", SYS_mknod, { (long)a, row->mode, 0 } },
		{ "symlink", SYS_symlink, { (long)a, (long)b } },
		{ "link", SYS_link, { (long)a, (long)b } },
		{ "rename", SYS_rename, { (long)a, (long)b } },
		{ "renameat", SYS_renameat, { dir, (long)a, dir2, (long)b } },
		{ "unlink", SYS_unlink, { (long)a } },
		{ "rmdir", SYS_rmdir, { (long)a } },
#endif
		{ "openat", SYS_openat, { dir, (long)a, row->flags, row->mode } },
		{ "truncate", SYS_truncate, { (long)a, (int)row->mode } },
		{ "mkdirat", SYS_mkdirat, { dir, (long)a, row->mode } },
		{ "mknodat", SYS_mknodat, { dir, (long)a, row->mode, 0 } },
		{ "symlinkat", SYS_symlinkat, { (long)a, dir2, (long)b } },
		{ "linkat", SYS_linkat, { dir, (long)a, dir2, (long)b, row->flags } },
		{ "renameat2", SYS_renameat2, { dir, (long)a, dir2, (long)b, row->flags } },
		{ "unlinkat", SYS_unlinkat, { dir, (long)a, row->flags } },
	};

	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		if (strcmp(calls[i].name, row->call) == 0) {
			const long *v = calls[i].args;

			(void)umask(row->mask != 0 ? row->mask : 022);
			return syscall((int)calls[i].nr, v[0], v[1], v[2], v[3], v[4]);
		}
	}
	errno = ENOSYS; /* not on this architecture, in neither world */
	return -1;
}

static bool
opens(const struct row *row)
{
	return strncmp(row->call, "open", 4) == 0 || strcmp(row->call, "creat") == 0;
}

/* O_NOFOLLOW shows on a descriptor or not: nothing comes of it. */
static void
report(size_t i, const struct row *row, long rc)
{
	int error = rc < 0 ? errno : 0;
	struct stat st = { 0 };

	if (rc < 0 || !opens(row)) {
		printf("%zu %d\n", i, error);
		return;
	}
	(void)fstat((int)rc, &st);
	printf("%zu %d mode %o size %lld flags %o %o at %lld\n", i, error, st.st_mode,
	       S_ISREG(st.st_mode) ? (long long)st.st_size : 0,
	       (unsigned int)fcntl((int)rc, F_GETFL) & ~(unsigned int)O_NOFOLLOW,
	       (unsigned int)fcntl((int)rc, F_GETFD), (long long)lseek((int)rc, 0, SEEK_CUR));
}

#define ROW_COUNT COUNT_OF(rows)
#define ALL_COUNT (ROW_COUNT + COUNT_OF(cases))

static int
inside_of(size_t i)
{
	return i < ROW_COUNT ? rows[i].inside : cases[i - ROW_COUNT].inside;
}

static void
describe(size_t i, char out[512])
{
	const struct row *row = &rows[i];

	if (i >= ROW_COUNT) {
		(void)snprintf(out, 512, "%s", cases[i - ROW_COUNT].name);
		return;
	}
	(void)snprintf(out, 512, "%s %.60s %.60s flags 0%o mode 0%o dirs %s %s", row->call, row->a,
		       row->b != NULL ? row->b : "", (unsigned int)row->flags, row->mode,
		       row->dir != NULL ? row->dir : "", row->dir2 != NULL ? row->dir2 : "");
}

static size_t
end_of(size_t first)
{
	return first + BATCH < ALL_COUNT ? first + BATCH : ALL_COUNT;
}

/* Each row in a process of its own, in the directory of its number. */
static void
make_one(size_t i)
{
	char name[16];

	(void)snprintf(name, sizeof(name), "%zu", i);
	if (chdir(name) != 0) {
		printf("%zu no directory\n", i);
	} else if (i < ROW_COUNT) {
		report(i, &rows[i], call(&rows[i]));
	} else {
		printf("%zu %ld\n", i, cases[i - ROW_COUNT].run());
	}
	(void)fflush(stdout);
}

static int
make_calls(size_t first)
{
	for (size_t i = first; i < end_of(first); i++) {
		pid_t pid = fork();

		if (pid == 0) {
			make_one(i);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
	}
	return 0;
}

/* ---- the worlds ---------------------------------------------------------------------------- */

static void
make_entry(size_t i)
{
	const char *path = fixture[i].path;
	AUTO_FD fd = -1;

	switch (fixture[i].kind) {
	case A_FILE:
		fd = open(path, NEW_EXCL, 0600);
		assert_int_equal(write_all(fd, fixture[i].text, strlen(fixture[i].text)), 0);
		assert_int_equal(fchmod(fd, fixture[i].mode), 0);
		break;
	case A_DIR:
		assert_int_equal(mkdir(path, 0700), 0);
		assert_int_equal(chmod(path, fixture[i].mode), 0);
		break;
	case A_LINK:
		assert_int_equal(symlink(fixture[i].text, path), 0);
		break;
	case A_FIFO:
		assert_int_equal(mkfifo(path, fixture[i].mode), 0);
		break;
	case A_HARD_LINK:
		assert_int_equal(link(fixture[i].text, path), 0);
		break;
	}
}

/* TOP/ws/N for each row, and TOP/out beside it. Leaves the process in TOP. */
static void
make_world(const char *top, size_t first)
{
	char name[16];
	AUTO_FD fd = -1;

	assert_int_equal(mkdir(top, 0755), 0);
	assert_int_equal(chdir(top), 0);
	assert_int_equal(mkdir("ws", 0755), 0);
	assert_int_equal(mkdir("out", 0755), 0);
	fd = open("out/file", NEW_EXCL, 0644);
	assert_int_equal(write_all(fd, "outside", 7), 0);
	for (size_t i = first; i < end_of(first); i++) {
		(void)snprintf(name, sizeof(name), "ws/%zu", i);
		assert_int_equal(mkdir(name, 0755), 0);
		assert_int_equal(chdir(name), 0);
		for (size_t k = 0; k < COUNT_OF(fixture); k++) {
			make_entry(k);
		}
		assert_int_equal(chdir(top), 0);
	}
}

struct tree {
	char text[TREE_MAX];
	size_t len;
};

static void
add_file(struct tree *tree, const char *path)
{
	AUTO_FD fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	ssize_t len = read(fd, tree->text + tree->len, 64);

	tree->len += len > 0 ? (size_t)len : 0;
	tree->text[tree->len++] = '\n';
	tree->text[tree->len] = '\0';
}

static void add_tree(struct tree *tree, const char *path);

static void
add_entry(struct tree *tree, const char *path)
{
	char target[64] = "";
	struct stat st;

	assert_true(tree->len + PATH_MAX < TREE_MAX);
	assert_int_equal(lstat(path, &st), 0);
	(void)!readlink(path, target, sizeof(target) - 1);
	tree->len += (size_t)snprintf(tree->text + tree->len, TREE_MAX - tree->len,
				      "%.300s %o %d %s ", path, st.st_mode,
				      S_ISDIR(st.st_mode) ? 0 : (int)st.st_nlink, target);
	if (S_ISREG(st.st_mode)) {
		add_file(tree, path);
	} else if (S_ISDIR(st.st_mode)) {
		add_tree(tree, path);
	}
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* All that can be seen of a directory. */
static void
add_tree(struct tree *tree, const char *path)
{
	struct dirent **entries = NULL;
	int count = access(path, X_OK) == 0 ? scandir(path, &entries, is_entry, by_name) : 0;
	char below[PATH_MAX];

	tree->text[tree->len++] = '\n';
	for (int i = 0; i < count; i++) {
		(void)snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name);
		add_entry(tree, below);
		free(entries[i]);
	}
	free(entries);
}

/* Of `path` below `top`. */
static void
look(struct tree *tree, const char *top, const char *path)
{
	tree->len = 0;
	tree->text[0] = '\0';
	assert_int_equal(chdir(top), 0);
	assert_int_equal(chdir(path), 0);
	add_tree(tree, ".");
}

/* ---- running ------------------------------------------------------------------------------- */

/* Runs in a child whose standard output is TOP/report. */
static void
run_in(const char *top, size_t first, void (*run)(char *const argv[]), const char *program)
{
	char number[16];
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		int fd = chdir(top) == 0 ? open("report", NEW_EXCL, 0644) : -1;

		if (fd < 0 || dup2(fd, 1) < 0 || chdir("ws") != 0) {
			_exit(9);
		}
		(void)snprintf(number, sizeof(number), "%zu", first);
		run((char *[]){ strdup(program), strdup("--calls"), number, NULL });
		_exit(8);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
run_bare(char *const argv[])
{
	(void)execv(argv[0], argv);
}

static void
tell(void *data, const char *line)
{
	(void)data;
	if (strncmp(line, "refused", 7) != 0) {
		fprintf(stderr, "%s\n", line);
	}
}

static void
run_inside(char *const argv[])
{
	char cwd[PATH_MAX];
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };
	struct bailey_run run = {
		.size = sizeof(run), .argv = argv, .envp = environ, .tell = tell
	};
	int status = 7;

	run.cwd = getcwd(cwd, sizeof(cwd));
	run.home = "/nonexistent";
	if (bailey_policy_new(BAILEY_POLICY_WORKSPACE_WRITE, &policy, &err) != 0) {
		_exit(6);
	}
	run.policy = policy;
	if (bailey_run(&run, &status, &err) != 0) {
		fprintf(stderr, "%s\n", err.message);
	}
	_exit(status);
}

/* The report of a world: lines from row `first` on. They point into `text`. */
static void
read_report(const char *top, size_t first, char *text, char *lines[BATCH])
{
	char path[PATH_MAX];
	AUTO_FD fd = -1;
	ssize_t len;

	(void)snprintf(path, sizeof(path), "%s/report", top);
	fd = open(path, O_RDONLY);
	len = read(fd, text, REPORT_MAX - 1);
	assert_true(len > 0);
	text[len] = '\0';
	for (size_t i = first; i < end_of(first); i++) {
		lines[i - first] = strsep(&text, "\n");
		assert_non_null(lines[i - first]);
	}
}

/* ---- comparing ----------------------------------------------------------------------------- */

struct worlds {
	char top[64];
	char program[96];
	char bare[96]; /* of the batch */
	char inside[96];
};

/* Is row `i` as it has to be? What was refused has changed nothing. */
static bool
is_alike(const struct worlds *w, size_t i, const char *bare, const char *inside)
{
	static struct tree trees[2];
	char name[32];
	char expected[64];
	char what[512];

	(void)snprintf(name, sizeof(name), "ws/%zu", i);
	(void)snprintf(expected, sizeof(expected), "%zu %d", i, inside_of(i));
	look(&trees[1], w->inside, name);
	if (inside_of(i) != 0) {
		bare = expected;
		(void)snprintf(name, sizeof(name), "pristine");
	}
	look(&trees[0], inside_of(i) != 0 ? w->top : w->bare, name);
	if (strcmp(bare, inside) == 0 && strcmp(trees[0].text, trees[1].text) == 0) {
		return true;
	}
	describe(i, what);
	print_error("%s\n  wanted \"%s\", got \"%s\"%s\n", what, bare, inside,
		    strcmp(trees[0].text, trees[1].text) == 0 ? "" : ", and another tree");
	return false;
}

/* ---- /dev/shm ------------------------------------------------------------------------------- */

/* The name in /dev/shm that is there before each run, and is nobody's in a sandbox. */
static void
make_foreign_memory(const struct worlds *w)
{
	char path[128];
	int fd;

	(void)snprintf(path, sizeof(path), "/dev/shm/%s-foreign", strrchr(w->top, '/') + 1);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

/* Removes all of this test's names in /dev/shm; how many were of the world inside. */
static int
clear_memory(const struct worlds *w)
{
	const char *name = strrchr(w->top, '/') + 1;
	size_t len = strlen(name);
	AUTO_DIR *dir = opendir("/dev/shm");
	struct dirent *entry;
	int inside = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, name, len) == 0) {
			inside += strncmp(entry->d_name + len, "-inside", 7) == 0 ? 1 : 0;
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
		}
	}
	return inside;
}

/* ---- the tests ------------------------------------------------------------------------------ */

/* How many rows of a batch end otherwise. */
static int
compare_batch(struct worlds *w, size_t first)
{
	static struct tree out;
	static char text[2][REPORT_MAX];
	static char *bare[BATCH];
	static char *inside[BATCH];
	int wrong = 0;

	(void)snprintf(w->bare, sizeof(w->bare), "%s/bare%zu", w->top, first);
	(void)snprintf(w->inside, sizeof(w->inside), "%s/inside%zu", w->top, first);
	make_world(w->bare, first);
	make_world(w->inside, first);
	make_foreign_memory(w);
	run_in(w->bare, first, run_bare, w->program);
	make_foreign_memory(w);
	run_in(w->inside, first, run_inside, w->program);
	assert_int_equal(clear_memory(w), 0);
	read_report(w->bare, first, text[0], bare);
	read_report(w->inside, first, text[1], inside);
	for (size_t i = first; i < end_of(first); i++) {
		wrong += is_alike(w, i, bare[i - first], inside[i - first]) ? 0 : 1;
	}
	look(&out, w->inside, "out");
	assert_string_equal(out.text, "\n./file 100644 1  outside\n");
	return wrong;
}

static void
ends_alike_in_both_worlds(void **state)
{
	int wrong = 0;

	for (size_t first = 0; first < ALL_COUNT; first += BATCH) {
		wrong += compare_batch(*state, first);
	}
	assert_int_equal(wrong, 0);
}

/* This program, where nobody can run it. */
static void
copy_program(const char *to)
{
	AUTO_FD in = open("/proc/self/exe", O_RDONLY);
	AUTO_FD out = open(to, NEW_EXCL, 0755);
	static char buffer[1 << 16];
	ssize_t len;

	while ((len = read(in, buffer, sizeof(buffer))) > 0) {
		assert_int_equal(write_all(out, buffer, (size_t)len), 0);
	}
	assert_int_equal(len, 0);
}

/* What a refused row's directory has to be like. */
static void
make_pristine(const char *top)
{
	assert_int_equal(chdir(top), 0);
	assert_int_equal(mkdir("pristine", 0755), 0);
	assert_int_equal(chdir("pristine"), 0);
	for (size_t k = 0; k < COUNT_OF(fixture); k++) {
		make_entry(k);
	}
}

static int
set_up(void **state)
{
	static struct worlds w;

	(void)umask(022);
	(void)snprintf(w.top, sizeof(w.top), "/var/tmp/bailey-test.XXXXXX");
	assert_non_null(mkdtemp(w.top));
	if (geteuid() == 0) {
		assert_int_equal(chown(w.top, NOBODY, NOBODY), 0);
		assert_int_equal(setresgid(NOBODY, NOBODY, NOBODY), 0);
		assert_int_equal(setresuid(NOBODY, NOBODY, NOBODY), 0);
	}
	(void)snprintf(w.program, sizeof(w.program), "%s/program", w.top);
	copy_program(w.program);
	make_pristine(w.top);
	*state = &w;
	return 0;
}

static int
tear_down(void **state)
{
	const struct worlds *w = *state;

	(void)clear_memory(w);
	(void)remove_tree(AT_FDCWD, w->top);
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ends_alike_in_both_worlds, set_up, tear_down),
	};

	if (argc > 2 && strcmp(argv[1], "--calls") == 0) {
		return make_calls(strtoul(argv[2], NULL, 10));
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
