/* SPDX-License-Identifier: MIT */
/*
 * Tests of base/fd.h on real files. Each test gets an empty directory of its own, which is removed
 * afterwards. Where permissions are what is tested, root becomes somebody else meanwhile.
 */
#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define NOBODY 65534

struct place {
	char path[256]; /* without a symlink in it */
	int fd;
	bool was_root;
};

static int
make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	AUTO_FREE char *real = realpath("/tmp", NULL);

	if (place == NULL || real == NULL) {
		free(place);
		return -1;
	}
	(void)snprintf(place->path, sizeof(place->path), "%s/bailey-test-XXXXXX", real);
	if (mkdtemp(place->path) == NULL) {
		free(place);
		return -1;
	}
	place->fd = open(place->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*state = place;
	return place->fd >= 0 ? 0 : -1;
}

static int
remove_place(void **state)
{
	struct place *place = *state;

	if (place->was_root && seteuid(0) != 0) {
		return -1;
	}
	(void)close(place->fd);
	if (remove_tree(AT_FDCWD, place->path) != 0) {
		return -1;
	}
	free(place);
	return 0;
}

/* Skips the test where there is no way to be a user whom permissions bind. */
static void
become_ordinary(struct place *place)
{
	if (geteuid() != 0) {
		return;
	}
	if (chown(place->path, NOBODY, NOBODY) != 0 || seteuid(NOBODY) != 0) {
		skip();
	}
	place->was_root = true;
}

static void
make_directory(const struct place *place, const char *name)
{
	assert_int_equal(mkdirat(place->fd, name, 0755), 0);
}

static void
make_file(const struct place *place, const char *name, const char *text)
{
	AUTO_FD fd = openat(place->fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, text, strlen(text)), 0);
}

static void
make_link(const struct place *place, const char *target, const char *name)
{
	assert_int_equal(symlinkat(target, place->fd, name), 0);
}

static bool
exists(const struct place *place, const char *name)
{
	return faccessat(place->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* read_file */

static int
read_at(const struct place *place, struct arena *arena, const char *name, size_t max, char **text,
	struct bailey_error *err)
{
	size_t len = 0;
	int rc = read_file(arena, path_join(arena, place->path, name), max, text, &len, err);

	assert_int_equal(err->status, rc);
	if (rc == 0) {
		assert_int_equal(len, strlen(*text));
	}
	return rc;
}

static void
read_file_gives_all_of_it(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct bailey_error err = { 0 };
	char *text = NULL;

	make_file(*state, "f", "some text\n");
	make_file(*state, "empty", "");
	make_link(*state, "f", "l");
	assert_int_equal(read_at(*state, &arena, "f", 100, &text, &err), 0);
	assert_string_equal(text, "some text\n");
	assert_int_equal(read_at(*state, &arena, "l", 100, &text, &err), 0);
	assert_string_equal(text, "some text\n");
	assert_int_equal(read_at(*state, &arena, "empty", 0, &text, &err), 0);
	assert_string_equal(text, "");
}

static void
read_file_refuses_above_limit(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct bailey_error err = { 0 };
	char *text = NULL;

	make_file(*state, "f", "0123456789");
	assert_int_equal(read_at(*state, &arena, "f", 11, &text, &err), 0);
	assert_int_equal(read_at(*state, &arena, "f", 10, &text, &err), 0);
	assert_int_equal(read_at(*state, &arena, "f", 9, &text, &err), BAILEY_E_LIMIT);
}

static void
read_file_refuses_what_is_no_file(void **state)
{
	static const struct {
		const char *name;
		int status;
	} rows[] = {
		{ "fifo", BAILEY_E_INVALID },	    { "directory", BAILEY_E_INVALID },
		{ "missing", BAILEY_E_NOT_FOUND },  { "file/x", BAILEY_E_NOT_FOUND },
		{ "dangling", BAILEY_E_NOT_FOUND }, { "loop", BAILEY_E_SYSTEM },
		{ "socket", BAILEY_E_SYSTEM },
	};
	const struct place *place = *state;
	AUTO_ARENA arena = { 0 };

	assert_int_equal(mkfifoat(place->fd, "fifo", 0600), 0);
	assert_int_equal(mknodat(place->fd, "socket", S_IFSOCK | 0600, 0), 0);
	make_directory(place, "directory");
	make_file(place, "file", "");
	make_link(place, "nowhere", "dangling");
	make_link(place, "loop", "loop");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct bailey_error err = { 0 };
		char *text = NULL;

		assert_int_equal(read_at(place, &arena, rows[i].name, 10, &text, &err),
				 rows[i].status);
		assert_non_null(strstr(err.message, rows[i].name));
		assert_null(text);
	}
}

static void
read_file_fails_without_memory(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct bailey_error err = { 0 };
	char *text = NULL;
	size_t len;
	char path[300];

	make_file(*state, "f", "text");
	(void)snprintf(path, sizeof(path), "%s/f", ((struct place *)*state)->path);
	arena_fail_nth = 1;
	assert_int_equal(read_file(&arena, path, 10, &text, &len, &err), BAILEY_E_NOMEM);
	assert_null(text);
}

/* path_resolve */

static void
assert_resolves(const struct place *place, const char *from, const char *to)
{
	AUTO_ARENA arena = { 0 };
	char *path = path_resolve(&arena, path_join(&arena, place->path, from));

	assert_non_null(path);
	assert_string_equal(path, path_join(&arena, place->path, to));
}

static void
path_resolve_follows_every_link(void **state)
{
	const struct place *place = *state;
	AUTO_ARENA arena = { 0 };

	make_directory(place, "d");
	make_directory(place, "d/e");
	make_file(place, "d/f", "");
	make_link(place, "d", "to_d");
	make_link(place, "e", "d/to_e");
	make_link(place, "../d/./e/", "d/dots");
	make_link(place, path_join(&arena, place->path, "to_d//to_e"), "absolute");
	assert_resolves(place, "d/f", "d/f");
	assert_resolves(place, "to_d/f", "d/f");
	assert_resolves(place, "to_d/to_e", "d/e");
	assert_resolves(place, "to_d/dots//.", "d/e");
	assert_resolves(place, "absolute/../f", "d/f");
	assert_resolves(place, "d/f/", "d/f");
}

static void
path_resolve_takes_dotdot_from_where_a_link_leads(void **state)
{
	const struct place *place = *state;

	make_directory(place, "a");
	make_directory(place, "a/b");
	make_directory(place, "c");
	make_file(place, "a/secret", "");
	make_link(place, "../a/b", "c/link");
	assert_resolves(place, "c/link/../secret", "a/secret");
	assert_resolves(place, "c/link/../../c", "c");
}

static void
path_resolve_keeps_what_does_not_exist(void **state)
{
	const struct place *place = *state;

	make_directory(place, "d");
	make_file(place, "f", "");
	make_link(place, "d/new", "dangling");
	make_link(place, "dangling/x", "twice");
	make_link(place, "f/below", "below_file");
	assert_resolves(place, "x/y/z", "x/y/z");
	assert_resolves(place, "x/../y", "y");
	assert_resolves(place, "dangling", "d/new");
	assert_resolves(place, "dangling/more", "d/new/more");
	assert_resolves(place, "twice/y", "d/new/x/y");
	assert_resolves(place, "below_file", "f/below");
}

static void
path_resolve_knows_the_root(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	assert_string_equal(path_resolve(&arena, "/"), "/");
	assert_string_equal(path_resolve(&arena, "/../.."), "/");
	assert_string_equal(path_resolve(&arena, "//."), "/");
}

static void
path_resolve_fails_in_a_loop(void **state)
{
	const struct place *place = *state;
	AUTO_ARENA arena = { 0 };

	make_link(place, "loop", "loop");
	make_link(place, "b", "a");
	make_link(place, "a/x", "b");
	errno = 0;
	assert_null(path_resolve(&arena, path_join(&arena, place->path, "loop")));
	assert_int_equal(errno, ELOOP);
	errno = 0;
	assert_null(path_resolve(&arena, path_join(&arena, place->path, "a/y")));
	assert_int_equal(errno, ELOOP);
}

static void
path_resolve_follows_as_many_links_as_the_kernel(void **state)
{
	const struct place *place = *state;
	AUTO_ARENA arena = { 0 };

	make_file(place, "0", "");
	for (unsigned int i = 1; i <= 41; i++) {
		make_link(place, arena_printf(&arena, "%u", i - 1), arena_printf(&arena, "%u", i));
	}
	assert_resolves(place, "39", "0");
	assert_resolves(place, "40", "0");
	assert_int_equal(faccessat(place->fd, "40", F_OK, 0), 0);
	assert_null(path_resolve(&arena, path_join(&arena, place->path, "41")));
	assert_int_equal(errno, ELOOP);
	assert_int_not_equal(faccessat(place->fd, "41", F_OK, 0), 0);
}

static void
path_resolve_fails_where_it_may_not_look(void **state)
{
	struct place *place = *state;
	AUTO_ARENA arena = { 0 };

	become_ordinary(place);
	make_directory(place, "closed");
	make_link(place, "/", "closed/link");
	assert_int_equal(fchmodat(place->fd, "closed", 0, 0), 0);
	assert_null(path_resolve(&arena, path_join(&arena, place->path, "closed/link/x")));
	assert_int_equal(errno, EACCES);
	assert_int_equal(fchmodat(place->fd, "closed", 0700, 0), 0);
}

/* Each allocation that may fail makes it fail, and never makes it take a link for something else.
 */
static void
path_resolve_fails_without_memory(void **state)
{
	const struct place *place = *state;
	AUTO_ARENA paths = { 0 };
	char *path = path_join(&paths, place->path, "link/x");
	unsigned int failures = 0;

	make_directory(place, "d");
	make_link(place, "d", "link");
	for (size_t taken = 0; taken < 16384; taken += 16) {
		AUTO_ARENA arena = { 0 };
		char *resolved;

		assert_non_null(arena_alloc(&arena, taken));
		arena_fail_nth = 1;
		errno = 0;
		resolved = path_resolve(&arena, path);
		arena_fail_nth = 0;
		if (resolved == NULL) {
			failures++;
			assert_int_equal(errno, ENOMEM);
			continue;
		}
		assert_string_equal(resolved, path_join(&paths, place->path, "d/x"));
	}
	assert_true(failures > 10);
}

/* open_beneath */

static void
open_beneath_stays_below(void **state)
{
	static const struct {
		const char *path;
		int error; /* 0: it opens */
	} rows[] = {
		{ "d/f", 0 },	       { "d/../d/f", 0 },    { "d/./f", 0 },
		{ "../x", EXDEV },     { "/etc", EXDEV },    { "d/../../x", EXDEV },
		{ "link", ELOOP },     { "to_d/f", ELOOP },  { "outside", ELOOP },
		{ "missing", ENOENT }, { "d/f/x", ENOTDIR },
	};
	const struct place *place = *state;
	AUTO_FD dir = openat(place->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	make_directory(place, "d");
	make_file(place, "d/f", "");
	make_link(place, "d/f", "link");
	make_link(place, "d", "to_d");
	make_link(place, "/", "outside");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_FD fd = open_beneath(dir, rows[i].path, O_RDONLY);

		assert_int_equal(fd < 0 ? errno : 0, rows[i].error);
		assert_true(fd < 0 || (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	}
}

/* remove_tree */

static void
remove_tree_removes_all_below(void **state)
{
	const struct place *place = *state;

	make_directory(place, "t");
	make_directory(place, "t/a");
	make_directory(place, "t/a/b");
	make_file(place, "t/a/b/f", "x");
	make_file(place, "t/.hidden", "x");
	assert_int_equal(mkfifoat(place->fd, "t/a/fifo", 0600), 0);
	make_file(place, "beside", "x");
	assert_int_equal(remove_tree(place->fd, "t"), 0);
	assert_false(exists(place, "t"));
	assert_true(exists(place, "beside"));
	assert_int_equal(remove_tree(place->fd, "beside"), 0);
	assert_false(exists(place, "beside"));
}

static void
remove_tree_does_not_follow_links(void **state)
{
	const struct place *place = *state;

	make_directory(place, "keep");
	make_file(place, "keep/f", "x");
	make_directory(place, "t");
	make_link(place, "../keep", "t/link");
	make_link(place, "../keep/f", "t/file");
	make_link(place, "keep", "itself");
	assert_int_equal(remove_tree(place->fd, "t"), 0);
	assert_int_equal(remove_tree(place->fd, "itself"), 0);
	assert_false(exists(place, "t"));
	assert_false(exists(place, "itself"));
	assert_true(exists(place, "keep/f"));
}

static void
remove_tree_opens_closed_directories(void **state)
{
	static const mode_t modes[] = { 0, 0100, 0200, 0400, 0500, 0600 };
	struct place *place = *state;

	become_ordinary(place);
	for (size_t i = 0; i < COUNT_OF(modes); i++) {
		make_directory(place, "t");
		make_directory(place, "t/d");
		make_directory(place, "t/d/e");
		make_file(place, "t/d/e/f", "x");
		assert_int_equal(fchmodat(place->fd, "t/d/e", modes[i], 0), 0);
		assert_int_equal(fchmodat(place->fd, "t/d", modes[i], 0), 0);
		assert_int_equal(fchmodat(place->fd, "t", modes[i], 0), 0);
		assert_int_equal(remove_tree(place->fd, "t"), 0);
		assert_false(exists(place, "t"));
	}
}

/* `levels` directories in each other, made from the inside out. */
static void
make_deep(const struct place *place, const char *name, unsigned int levels)
{
	make_directory(place, "inner");
	make_file(place, "inner/f", "x");
	for (unsigned int i = 1; i < levels; i++) {
		make_directory(place, "outer");
		assert_int_equal(renameat(place->fd, "inner", place->fd, "outer/d"), 0);
		assert_int_equal(renameat(place->fd, "outer", place->fd, "inner"), 0);
	}
	assert_int_equal(renameat(place->fd, "inner", place->fd, name), 0);
}

static void
remove_tree_removes_any_depth(void **state)
{
	static const unsigned int levels[] = { 1, 63, 64, 65, 66, 128, 129, 130, 300 };
	const struct place *place = *state;

	for (size_t i = 0; i < COUNT_OF(levels); i++) {
		make_directory(place, "t");
		make_deep(place, "t/a", levels[i]);
		make_deep(place, "t/b", levels[i]);
		make_directory(place, "t/.removed-0");
		make_file(place, "t/.removed-1", "x");
		assert_int_equal(remove_tree(place->fd, "t"), 0);
		assert_false(exists(place, "t"));
	}
}

static void
remove_tree_says_why_it_cannot(void **state)
{
	struct place *place = *state;

	assert_int_equal(remove_tree(place->fd, "missing"), -1);
	assert_int_equal(errno, ENOENT);
	if (geteuid() != 0) {
		skip();
	}
	make_directory(place, "t");
	make_directory(place, "t/of_root");
	make_file(place, "t/of_root/f", "x");
	make_file(place, "t/own", "x");
	make_directory(place, "keep");
	make_file(place, "keep/f", "x");
	make_link(place, "../../keep", "t/of_root/link"); /* which cannot be removed either */
	assert_int_equal(fchownat(place->fd, "keep", NOBODY, NOBODY, 0), 0);
	assert_int_equal(fchownat(place->fd, "t", NOBODY, NOBODY, 0), 0);
	become_ordinary(place);
	assert_int_equal(remove_tree(place->fd, "t"), -1);
	assert_int_equal(errno, EACCES);
	assert_true(exists(place, "t/of_root/f"));
	assert_true(exists(place, "keep/f"));
	assert_false(exists(place, "t/own")); /* it went on */
}

/* write_all */

static void
write_all_writes_more_than_fits_at_once(void **state)
{
	enum { SIZE = 1 << 20 };
	int pair[2];
	static const char data[SIZE];
	size_t got = 0;
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	child = fork();
	if (child == 0) {
		_exit(write_all(pair[1], data, SIZE) == 0 ? 0 : 1);
	}
	(void)close(pair[1]);
	for (ssize_t n = 1; n > 0; got += (size_t)n) {
		char part[5000];

		n = read(pair[0], part, sizeof(part));
		assert_true(n >= 0);
	}
	(void)close(pair[0]);
	assert_int_equal(got, SIZE);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(write_all(-1, "x", 1), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(write_all(-1, "", 0), 0);
}

#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLACED(read_file_gives_all_of_it),
		PLACED(read_file_refuses_above_limit),
		PLACED(read_file_refuses_what_is_no_file),
		PLACED(read_file_fails_without_memory),
		PLACED(path_resolve_follows_every_link),
		PLACED(path_resolve_takes_dotdot_from_where_a_link_leads),
		PLACED(path_resolve_keeps_what_does_not_exist),
		PLACED(path_resolve_knows_the_root),
		PLACED(path_resolve_fails_in_a_loop),
		PLACED(path_resolve_follows_as_many_links_as_the_kernel),
		PLACED(path_resolve_fails_where_it_may_not_look),
		PLACED(path_resolve_fails_without_memory),
		PLACED(open_beneath_stays_below),
		PLACED(remove_tree_removes_all_below),
		PLACED(remove_tree_does_not_follow_links),
		PLACED(remove_tree_opens_closed_directories),
		PLACED(remove_tree_removes_any_depth),
		PLACED(remove_tree_says_why_it_cannot),
		PLACED(write_all_writes_more_than_fits_at_once),
	};

	return cmocka_run_group_tests_name("fd", tests, NULL, NULL);
}
