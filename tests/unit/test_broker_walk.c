/* SPDX-License-Identifier: MIT */

/*
 * Walking paths for somebody else. Most of it is a comparison: what the kernel says to a process
 * that opens a path, or looks an entry up, and what the broker finds for it. As root, a part of it
 * is done as a user without rights.
 */

#include "broker_paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <sys/mount.h>
#include <sys/prctl.h>

#include <cmocka.h>

#ifndef MS_NOSYMFOLLOW
#define MS_NOSYMFOLLOW 256 /* 5.10 */
#endif

/* ---- comparing ---------------------------------------------------------------------------- */

struct contest {
	struct caller caller;
	int differences;
	int compared;
};

static void
differ(struct contest *t, const char *what, int dirfd, const char *path, int theirs, int ours)
{
	(void)fprintf(stderr, "%s(%d, \"%.80s\"): kernel %s, broker %s\n", what, dirfd, path,
		      theirs == 0 ? "finds it" : strerrorname_np(theirs),
		      ours == 0 ? "finds another" : strerrorname_np(ours));
	t->differences++;
}

static bool
is_same_object(int a, int b)
{
	struct stat left;
	struct stat right;

	return fstat(a, &left) == 0 && fstat(b, &right) == 0 && left.st_dev == right.st_dev &&
	       left.st_ino == right.st_ino;
}

static void
compare_object(struct contest *t, int dirfd, const char *path, bool nofollow)
{
	struct told told = tell(&t->caller, ASK_OBJECT, dirfd, path, nofollow ? O_NOFOLLOW : 0);
	int fd = walk_object(&t->caller.request, dirfd, path, nofollow ? WALK_NOFOLLOW : 0);
	int error = fd >= 0 ? 0 : errno;

	t->compared++;
	if (told.error != error || (fd >= 0 && !is_same_object(fd, told.fd))) {
		differ(t, nofollow ? "nofollow" : "object", dirfd, path, told.error, error);
	}
	close_fdp(&told.fd);
	close_fdp(&fd);
}

/* The broker's answer to ASK_ENTRY. */
static int
use_entry(struct contest *t, int dirfd, const char *path)
{
	char name[NAME_MAX + 4];
	struct entry entry;
	int error = walk_entry(&t->caller.request, dirfd, path, &entry);

	if (error != 0) {
		return error;
	}
	(void)snprintf(name, sizeof(name), "%s%s", entry.name, entry.slash ? "/" : "");
	error = renameat2(entry.dir, name, entry.dir, name, RENAME_EXCHANGE) == 0 ? 0 : errno;
	(void)close(entry.dir);
	return error;
}

static void
compare_entry(struct contest *t, int dirfd, const char *path)
{
	struct told told = tell(&t->caller, ASK_ENTRY, dirfd, path, 0);
	int error = use_entry(t, dirfd, path);

	t->compared++;
	if (told.error != error) {
		differ(t, "entry", dirfd, path, told.error, error);
	}
}

static void
compare_at(struct contest *t, int dirfd, const char *path)
{
	char longer[PATH_MAX];

	compare_object(t, dirfd, path, false);
	compare_object(t, dirfd, path, true);
	compare_entry(t, dirfd, path);
	if (strlen(path) + 2 > sizeof(longer)) {
		return;
	}
	(void)snprintf(longer, sizeof(longer), "%s/", path);
	compare_object(t, dirfd, longer, false);
	compare_object(t, dirfd, longer, true);
	compare_entry(t, dirfd, longer);
}

/* ---- what is compared --------------------------------------------------------------------- */

static void
compare_places(struct contest *t, int dirfd)
{
	char path[2 * PATH_MAX];
	char base[PATH_MAX];

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		compare_at(t, dirfd, places[i]);
	}
	assert_non_null(getcwd(base, sizeof(base)));
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		if (places[i][0] != '/') {
			(void)snprintf(path, sizeof(path), "%s/%s", base, places[i]);
			compare_at(t, dirfd, path);
		}
	}
}

/* Too long, and as long as can be. */
static void
compare_long(struct contest *t, int dirfd)
{
	static const char *const pieces[] = { "d/../", "./",	 "here/",
					      "cwd/",  "ld/../", "d/back/../../" };
	char path[PATH_MAX];
	char name[NAME_MAX + 2];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (int cut = 0; cut < 2; cut++) {
		name[sizeof(name) - 1 - (size_t)cut] = '\0';
		compare_at(t, dirfd, name);
		(void)snprintf(path, sizeof(path), "d/%s/x", name);
		compare_at(t, dirfd, path);
		(void)snprintf(path, sizeof(path), "shut/%s", name);
		compare_at(t, dirfd, path);
		(void)snprintf(path, sizeof(path), "/proc/self/cwd/%s", name);
		compare_at(t, dirfd, path);
	}
	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		for (size_t most = 30; most < sizeof(path); most += most < 4000 ? 497 : 95) {
			size_t len = 0;

			while (len + strlen(pieces[i]) < most) {
				len += (size_t)snprintf(path + len, sizeof(path) - len, "%s",
							pieces[i]);
			}
			path[len] = 'f';
			path[len + 1] = '\0';
			compare_at(t, dirfd, path);
		}
	}
}

static void
compare_opens(struct contest *t)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < COUNT_OF(opens); i++) {
		struct told told =
			tell(&t->caller, ASK_OPEN, AT_FDCWD, opens[i].path, opens[i].flags);

		assert_int_equal(told.error, 0);
		for (size_t n = 0; n < COUNT_OF(tails); n++) {
			static const char *const forms[] = {
				"/proc/self/fd/%d%s", "/proc/thread-self/fd/%d%s", "/dev/fd/%d%s",
				"fds/%d%s",	      "self/task/../fd/%d%s",
			};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			(void)snprintf(path, sizeof(path), forms[(i + n) % COUNT_OF(forms)],
				       told.value, tails[n]);
#pragma GCC diagnostic pop
			compare_at(t, AT_FDCWD, path);
			(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d%s",
				       t->caller.request.tid, told.value, tails[n]);
			compare_at(t, AT_FDCWD, path);
			compare_at(t, told.value, tails[n] + (tails[n][0] == '/'));
		}
	}
}

/* The places once more, from working directories that are not the tree's. */
static void
compare_from(struct contest *t, const char *cwd)
{
	struct told told = tell(&t->caller, ASK_CHDIR, AT_FDCWD, cwd, 0);

	assert_int_equal(told.error, 0);
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		compare_at(t, AT_FDCWD, places[i]);
	}
	for (size_t i = 0; i < COUNT_OF(tails); i++) {
		compare_at(t, AT_FDCWD, tails[i] + (tails[i][0] == '/'));
	}
}

static void
compare_removed(struct contest *t)
{
	assert_int_equal(mkdir("removed", 0700), 0);
	assert_int_equal(tell(&t->caller, ASK_CHDIR, AT_FDCWD, "removed", 0).error, 0);
	assert_int_equal(rmdir("removed"), 0);
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		compare_at(t, AT_FDCWD, places[i]);
	}
}

static void
compare_bad(struct contest *t)
{
	static const int bad[] = { -1, -99, -101, 98, 99, 4096, INT32_MAX, INT32_MIN };
	int file = tell(&t->caller, ASK_OPEN, AT_FDCWD, "f", O_RDONLY).value;

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		compare_at(t, bad[i], "f");
		compare_at(t, bad[i], "");
		compare_at(t, bad[i], "/proc/self");
	}
	compare_at(t, file, "f");
	compare_at(t, file, ".");
	compare_at(t, file, "");
	compare_at(t, file, "/dev/null");
}

/* The number of differences. The broker has something on a descriptor that the caller has not. */
static int
run_contest(bool alone)
{
	static const char *const cwds[] = {
		"d/e", "..", "/", "/proc", "/proc/self", "/proc/self/fd", "/proc/thread-self",
		"/dev"
	};
	char base[] = "/tmp/broker-walk-XXXXXX";
	struct contest t = { .differences = 0 };
	int dir;

	make_tree(base);
	start_caller(&t.caller, alone);
	assert_true(dup2(open("/", O_PATH), 99) == 99);
	dir = tell(&t.caller, ASK_OPEN, AT_FDCWD, ".", O_PATH).value;
	compare_places(&t, AT_FDCWD);
	compare_places(&t, dir);
	compare_bad(&t);
	compare_long(&t, AT_FDCWD);
	compare_opens(&t);
	for (size_t i = 0; i < COUNT_OF(cwds); i++) {
		compare_from(&t, cwds[i]);
		assert_int_equal(tell(&t.caller, ASK_CHDIR, AT_FDCWD, base, 0).error, 0);
	}
	compare_removed(&t);
	end_caller(&t.caller);
	(void)close(99);
	remove_base(base);
	assert_true(t.compared > 5000);
	return t.differences;
}

/* ---- contests ----------------------------------------------------------------------------- */

static void
walks_as_the_kernel_for_a_process(void **state)
{
	(void)state;
	assert_int_equal(run_contest(false), 0);
}

static void
walks_as_the_kernel_for_a_thread(void **state)
{
	(void)state;
	/* For root the next case does it, without rights. */
	assert_int_equal(geteuid() == 0 ? 0 : run_contest(true), 0);
}

/* In a process of its own. */
static void
walks_as_the_kernel_without_rights(void **state)
{
	int status = 0;
	pid_t pid;

	(void)state;
	if (geteuid() != 0) {
		skip(); /* the others were already */
	}
	pid = fork();
	if (pid == 0) {
		bool failed = setresgid(65534, 65534, 65534) != 0 ||
			      setresuid(65534, 65534, 65534) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0;

		_exit(failed || run_contest(true) != 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* ---- mounts and other users' symlinks ------------------------------------------------------ */

/* As root, in a mount namespace of its own: symlinks in a file system without them, and in a sticky
 * directory. Then as nobody, as far as that goes here. The number of differences. */
static int
run_odd_contest(void)
{
	static const char *const paths[] = {
		"m/l",
		"m/l/x",
		"m/d/l",
		"m/ld/f",
		"m/d",
		"m/d/..",
		"m/d/../f",
		"m/d/../../d/f",
		"m/nothing",
		"m/d/nothing",
		"m/d/../../nothing",
		"s/theirs",
		"s/theirs/",
		"s/theirs/f",
		"s/mine",
		"s/dangling",
		"m/../s/theirs",
		"/proc/self/cwd/s/theirs",
		"/proc/self/cwd/s/mine",
		"/proc/self/cwd/m/l",
		"/proc/self/cwd/m/ld/f",
		"/proc/self/cwd/m/f",
		"cwd/s/theirs/f",
	};
	struct contest t = { .differences = 0 };

	if (mkdir("m", 0777) != 0 || mkdir("s", 01777) != 0 || chmod("s", 01777) != 0 ||
	    chmod(".", 0755) != 0 || chmod("d", 0755) != 0 || unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "m", "tmpfs", MS_NOSYMFOLLOW, "mode=0755") != 0) {
		return 0;
	}
	touch(AT_FDCWD, "m/f");
	if (mkdir("m/d", 0755) != 0 || symlink("f", "m/l") != 0 || symlink("../f", "m/d/l") != 0 ||
	    symlink("d", "m/ld") != 0 || symlink("../d", "s/theirs") != 0 ||
	    symlink("../nothing", "s/dangling") != 0 || symlink("../d", "s/mine") != 0 ||
	    lchown("s/theirs", 1, 1) != 0 || lchown("s/mine", 65534, 65534) != 0 ||
	    setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0 ||
	    prctl(PR_SET_DUMPABLE, 1) != 0) {
		return 1;
	}
	start_caller(&t.caller, false);
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		compare_at(&t, AT_FDCWD, paths[i]);
	}
	end_caller(&t.caller);
	return t.differences;
}

static void
walks_as_the_kernel_over_odd_mounts(void **state)
{
	char base[] = "/tmp/broker-walk-XXXXXX";
	int status = 0;
	pid_t pid;

	(void)state;
	if (geteuid() != 0) {
		skip();
	}
	make_tree(base);
	pid = fork();
	if (pid == 0) {
		_exit(run_odd_contest() != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	remove_base(base);
	assert_int_equal(status, 0);
}

/* ---- a moving tree ------------------------------------------------------------------------ */

/* Swaps a symlink, a directory and a file for each other until it is killed. */
static _Noreturn void
swap(void)
{
	for (;;) {
		(void)renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE);
		(void)renameat2(AT_FDCWD, "b", AT_FDCWD, "c", RENAME_EXCHANGE);
		(void)rename("d", "e");
		(void)rename("e", "d");
	}
}

static int
count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++) {
		count += fcntl(fd, F_GETFD) >= 0;
	}
	return count;
}

/* Whatever is found was there, no error is of the broker's making, and nothing stays open. */
static void
finds_only_what_is_there_while_it_moves(void **state)
{
	static const char *const paths[] = { "a", "/proc/self/cwd/a", "a/f", "/proc/self/cwd/b/f",
					     "/proc/self/cwd/d/x" };
	char base[] = "/tmp/broker-swap-XXXXXX";
	int before = count_descriptors();
	struct caller c;
	pid_t pid;

	(void)state;
	assert_non_null(mkdtemp(base));
	assert_int_equal(chdir(base), 0);
	assert_true(mkdir("a", 0700) == 0 && mkdir("d", 0700) == 0);
	touch(AT_FDCWD, "a/f");
	touch(AT_FDCWD, "d/x");
	touch(AT_FDCWD, "c");
	assert_int_equal(symlink("d", "b"), 0);
	start_caller(&c, false);
	pid = fork();
	if (pid == 0) {
		swap();
	}
	for (int i = 0; i < 20000; i++) {
		size_t n = (size_t)i % COUNT_OF(paths);
		unsigned int flags = i % 2 == 0 ? WALK_NOFOLLOW : 0;
		AUTO_FD fd = walk_object(&c.request, AT_FDCWD, paths[n], flags);
		struct entry entry;

		assert_true(fd >= 0 || errno == ENOENT || errno == ENOTDIR);
		if (walk_entry(&c.request, AT_FDCWD, paths[n], &entry) == 0) {
			(void)close(entry.dir);
		}
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	end_caller(&c);
	assert_int_equal(count_descriptors(), before);
	remove_base(base);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_as_the_kernel_for_a_process),
		cmocka_unit_test(walks_as_the_kernel_for_a_thread),
		cmocka_unit_test(walks_as_the_kernel_without_rights),
		cmocka_unit_test(walks_as_the_kernel_over_odd_mounts),
		cmocka_unit_test(finds_only_what_is_there_while_it_moves),
	};

	return cmocka_run_group_tests_name("broker walk", tests, NULL, NULL);
}
