/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BROKER_PATHS_H
#define TESTS_BROKER_PATHS_H

/* A tree with all that a walk can meet, and the paths that are walked in it. */

#include "broker_caller.h"

#include "base/fd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- a tree ------------------------------------------------------------------------------- */

#define CHAIN 42

static const char *const dirs[] = { "d", "d/e", "d/e/g", "shut", "blind", "sticky", "dev" };

static const struct {
	const char *name;
	const char *target;
} links[] = {
	{ "lf", "f" },
	{ "ld", "d" },
	{ "lds", "d/" },
	{ "lfs", "f/" },
	{ "ldd", "ld/.//e/../" },
	{ "dangling", "nothing" },
	{ "dangling2", "nothing/at/all" },
	{ "dangling3", "d/nothing" },
	{ "dangling4", "d/nothing/" },
	{ "loop", "loop" },
	{ "loop1", "loop2" },
	{ "loop2", "d/../loop1" },
	{ "up", ".." },
	{ "here", "." },
	{ "root", "/" },
	{ "slashes", "///" },
	{ "self", "/proc/self" },
	{ "cwd", "/proc/self/cwd" },
	{ "cwd2", "self/cwd/" },
	{ "fds", "/proc/self/fd" },
	{ "thread", "/proc/thread-self" },
	{ "tcwd", "/proc/thread-self/cwd" },
	{ "std", "/dev/fd/0" },
	{ "proc", "/proc" },
	{ "d/back", "../d/e" },
	{ "d/self", "self" },
	{ "shut/link", "../f" },
	{ "sticky/link", "../f" },
	{ "sticky/dir", "../d" },
};

static void
touch(int at, const char *name)
{
	int fd = openat(at, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	(void)close(fd);
}

static void
make_chain(int at)
{
	char name[16];
	char target[16] = "f";

	for (int i = 0; i < CHAIN; i++) {
		(void)snprintf(name, sizeof(name), "c%d", i + 1);
		assert_int_equal(symlinkat(target, at, name), 0);
		(void)snprintf(target, sizeof(target), "c%d", i + 1);
	}
}

/* Makes the tree and goes there. */
static void
make_tree(char *base)
{
	char target[PATH_MAX];
	int at;

	assert_non_null(mkdtemp(base));
	at = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(at >= 0);
	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		assert_int_equal(mkdirat(at, dirs[i], 0700), 0);
	}
	touch(at, "f");
	touch(at, "d/f");
	touch(at, "d/e/f");
	touch(at, "shut/f");
	touch(at, "blind/f");
	touch(at, " (deleted)");
	for (size_t i = 0; i < COUNT_OF(links); i++) {
		assert_int_equal(symlinkat(links[i].target, at, links[i].name), 0);
	}
	(void)snprintf(target, sizeof(target), "%s/d/f", base);
	assert_int_equal(symlinkat(target, at, "absolute"), 0);
	(void)snprintf(target, sizeof(target), "%s/", base);
	assert_int_equal(symlinkat(target, at, "d/top"), 0);
	make_chain(at);
	assert_int_equal(mknodat(at, "fifo", S_IFIFO | 0600, 0), 0);
	assert_int_equal(fchmodat(at, "shut", 0600, 0), 0);
	assert_int_equal(fchmodat(at, "blind", 0300, 0), 0);
	assert_int_equal(fchmodat(at, "sticky", 01777, 0), 0);
	assert_int_equal(fchdir(at), 0);
	(void)close(at);
}

static void
remove_base(const char *base)
{
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(remove_tree(AT_FDCWD, base), 0);
}

/* ---- paths -------------------------------------------------------------------------------- */

static const char *const places[] = {
	"",
	"/",
	"//",
	".",
	"..",
	"/.",
	"/..",
	"./",
	"../",
	"./.",
	"d/.",
	"d/..",
	"f/.",
	"f/..",
	"f",
	"d",
	"d/f",
	"d//e///f",
	"./d/./e/./f",
	"d/../f",
	"d/e/../../f",
	"f/x",
	"f/x/y",
	"nothing",
	"nothing/x",
	"d/nothing",
	"d/nothing/x",
	"nothing/..",
	"nothing/.",
	"lf",
	"ld",
	"lds",
	"lfs",
	"ldd",
	"lf/x",
	"ld/f",
	"lds/f",
	"lfs/x",
	"ldd/f",
	"ldd/e",
	"dangling",
	"dangling2",
	"dangling3",
	"dangling4",
	"dangling/x",
	"dangling3/x",
	"loop",
	"loop/x",
	"loop1",
	"loop2/..",
	"up",
	"here",
	"here/here/here/f",
	"root",
	"slashes",
	"root/etc",
	"slashes/usr/bin",
	"absolute",
	"absolute/x",
	"d/back",
	"d/back/f",
	"d/self",
	"d/top",
	"d/top/d/top/d/top/f",
	"d/back/../top",
	"c1",
	"c39",
	"c40",
	"c41",
	"c42",
	"c38/x",
	"ld/../c39",
	"ld/../c40",
	"here/c40",
	"ld/../c38",
	"shut",
	"shut/f",
	"shut/link",
	"shut/.",
	"shut/..",
	"shut/nothing",
	"shut/../f",
	"shut/f/x",
	"blind",
	"blind/f",
	"blind/nothing",
	"blind/..",
	"sticky",
	"sticky/link",
	"sticky/dir",
	"sticky/dir/f",
	"fifo",
	"fifo/x",
	" (deleted)",
	/* procfs */
	"/proc",
	"/proc/",
	"/proc/.",
	"/proc/..",
	"/proc/self",
	"/proc/self/.",
	"/proc/self/..",
	"/proc/self/cwd",
	"/proc/self/cwd/f",
	"/proc/self/cwd/d/..",
	"/proc/self/cwd/lf",
	"/proc/self/cwd/nothing",
	"/proc/self/cwd/loop",
	"/proc/self/root",
	"/proc/self/root/etc",
	"/proc/self/root/..",
	"/proc/self/exe",
	"/proc/self/exe/x",
	"/proc/self/exe/..",
	"/proc/self/status",
	"/proc/self/status/x",
	"/proc/self/nothing",
	"/proc/self/fd",
	"/proc/self/fd/..",
	"/proc/self/fdinfo",
	"/proc/self/ns/mnt",
	"/proc/self/ns/mnt/x",
	"/proc/self/task",
	"/proc/self/task/..",
	"/proc/self/task/../cwd/f",
	"/proc/self/../self/cwd",
	"/proc/self/task/../../self/fd",
	"/proc/self/attr/..",
	"/proc/self/map_files",
	"/proc/thread-self",
	"/proc/thread-self/cwd",
	"/proc/thread-self/cwd/f",
	"/proc/thread-self/..",
	"/proc/thread-self/../../cwd",
	"/proc/thread-self/../../../cpuinfo",
	"/proc/./self/./cwd/./f",
	"//proc//self//cwd//f",
	"/proc/mounts",
	"/proc/net",
	"/proc/net/dev",
	"/proc/net/..",
	"/proc/cpuinfo",
	"/proc/cpuinfo/x",
	"/proc/nothing",
	"/proc/nothing/x",
	"/proc/1",
	"/proc/1/nothing",
	"/proc/sys/kernel/hostname",
	"/proc/sys/nothing",
	"/proc/self/fd/99",
	"/proc/self/fd/99/x",
	"/proc/self/fd/-1",
	"/proc/self/fd/000",
	"/proc/self/fd/4294967296",
	"/proc/self/fd/x",
	"/proc/thread-self/fd/99",
	"/dev/fd/99",
	"/proc/self/fdinfo/0",
	"/proc/self/fdinfo/99",
	"/dev/stdin",
	"/dev/stdout",
	"/dev/stderr",
	"/dev/fd",
	"/dev/fd/0",
	"/dev/fd/0/x",
	"/dev/null",
	"/dev/null/x",
	"/dev",
	"/dev/nothing",
	"/sys",
	"/sys/nothing",
	"/dev/shm",
	"/dev/shm/..",
	"self",
	"self/cwd",
	"self/cwd/f",
	"self/fd/0",
	"self/fd/99",
	"cwd",
	"cwd/f",
	"cwd/d/..",
	"cwd/cwd/cwd/f",
	"cwd2",
	"cwd2/f",
	"fds",
	"fds/0",
	"fds/99",
	"fds/..",
	"fds/../cwd/f",
	"thread/cwd/f",
	"thread/fd/0",
	"tcwd",
	"tcwd/f",
	"tcwd/loop",
	"std",
	"std/x",
	"proc",
	"proc/self/cwd/f",
	"proc/nothing",
	"proc/self/fd/99",
	"proc/../etc",
	"cwd/shut/f",
	"cwd/blind/f",
	"cwd/dangling",
	"cwd/dangling/x",
	"cwd/sticky/link",
	"cwd/c39",
	"cwd/c40",
	"cwd/c38",
	"cwd/absolute",
	"cwd/root/proc/self/cwd/f",
	"cwd/f/x",
	"cwd/up",
	"self/../self/cwd",
	"self/root/proc/self/root/proc/thread-self/root/etc/passwd",
};

/* Descriptors of the caller, by what they are open on. */
static const struct {
	const char *path;
	int flags;
} opens[] = {
	{ "d", O_RDONLY | O_DIRECTORY },
	{ "d", O_PATH },
	{ "f", O_RDWR },
	{ "f", O_PATH },
	{ "lf", O_PATH | O_NOFOLLOW },
	{ "dangling", O_PATH | O_NOFOLLOW },
	{ "fifo", O_RDWR | O_NONBLOCK },
	{ ".", O_TMPFILE | O_RDWR },
	{ "shut", O_PATH },
	{ "/proc/self", O_PATH },
	{ "/proc/self/fd", O_RDONLY | O_DIRECTORY },
	{ "/proc", O_PATH },
	{ "/dev/null", O_RDWR },
	{ "/", O_PATH },
};

/* Behind a descriptor's name in /proc. */
static const char *const tails[] = {
	"",	 "/",	   "/.",       "/..",	      "/f",
	"/e",	 "/e/f",   "/nothing", "/back/f",     "/nothing/x",
	"/../f", "/self",  "/cwd",     "/cwd/f",      "/self/cwd/f",
	"/99",	 "/fd/99", "/status",  "/etc/passwd", "/thread-self/cwd",
};

#endif /* TESTS_BROKER_PATHS_H */
