/* SPDX-License-Identifier: MIT */
/* Metadata through the broker. */
#include "broker_live.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

#define NR_FCHMODAT2 452
#define NR_SETXATTRAT 463
#define NR_REMOVEXATTRAT 466
#define NR_FILE_SETATTR 469

/* ---- what has to be as without a broker --------------------------------------------------- */

struct handles {
	int reading;
	int path; /* O_PATH */
	int link; /* O_PATH, of a symlink */
	int dir;
	int pipe[2];
	int pair[2];
	int memory; /* a memfd */
	int gone;   /* its only name was removed */
};

static struct handles
open_handles(void)
{
	struct handles h = { .reading = open("f", O_RDONLY),
			     .path = open("f", O_PATH),
			     .link = open("l", O_PATH | O_NOFOLLOW),
			     .dir = open("d", O_RDONLY | O_DIRECTORY),
			     .memory = memfd_create("m", 0),
			     .gone = open("gone", O_RDWR | O_CREAT, 0600) };

	if (pipe(h.pipe) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, h.pair) != 0 ||
	    unlink("gone") != 0 || h.gone < 0 || h.link < 0 || h.memory < 0) {
		_exit(13);
	}
	return h;
}

static const char *
too_long(void)
{
	static char path[PATH_MAX + 8];

	memset(path, 'a', sizeof(path) - 1);
	return path;
}

static const char *
long_name(void)
{
	return too_long() + PATH_MAX + 7 - 300;
}

/* The last bytes of a page that nothing follows. */
static char *
page_end(size_t bytes)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || munmap(pages + 4096, 4096) != 0) {
		_exit(14);
	}
	return pages + 4096 - bytes;
}

static void
show(struct scene *s, const char *path)
{
	struct stat st;
	char names[256] = "";
	ssize_t len = llistxattr(path, names, sizeof(names));

	if (lstat(path, &st) != 0) {
		_exit(15);
	}
	s->len += (size_t)snprintf(
		s->log + s->len, sizeof(s->log) - s->len, "%s %o %d %d %ld %ld %zd %s\n", path,
		st.st_mode, (int)st.st_uid, (int)st.st_gid,
		st.st_mtim.tv_sec < 1000000 ? st.st_mtim.tv_sec : 0,
		st.st_atim.tv_sec < 1000000 ? st.st_atim.tv_nsec : 0, len, names);
}

static void
set_modes(struct scene *s)
{
	struct handles h = open_handles();
	char *unterminated = memset(page_end(3), 'a', 3);

	TRY(chmod("f", 0640));
	TRY(syscall(SYS_chmod, "f", 0x10000 | 0600));
	show(s, "f");
	TRY(chmod("l", 0644));
	TRY(chmod("d", 01777));
	TRY(chmod("d/", 0755));
	TRY(chmod("p", 0600));
	TRY(chmod("../floor/f", 0600));
	TRY(chmod("d/../f", 0604));
	TRY(chmod("f/", 0604));
	TRY(chmod("f/x", 0604));
	TRY(chmod("missing", 0604));
	TRY(chmod("dangling", 0604));
	TRY(chmod("loop", 0604));
	TRY(chmod("", 0604));
	TRY(syscall(SYS_chmod, NULL, 0604));
	TRY(chmod(unterminated, 0604));
	TRY(chmod(too_long(), 0604));
	TRY(chmod(long_name(), 0604));
	TRY(chmod("/proc/self/cwd/f", 0606));
	TRY(fchmod(h.reading, 0644));
	TRY(fchmod(h.path, 0644));
	TRY(fchmod(h.dir, 0700));
	TRY(fchmod(h.pipe[0], 0600));
	TRY(fchmod(h.pair[0], 0600));
	TRY(fchmod(h.memory, 0600));
	TRY(fchmod(h.gone, 0640));
	TRY(fchmod(-1, 0600));
	TRY(fchmod(1000, 0600));
	TRY(fchmod(AT_FDCWD, 0600));
	TRY(syscall(SYS_fchmodat, h.dir, "f", 0600));
	TRY(syscall(SYS_fchmodat, h.reading, "f", 0600));
	TRY(syscall(SYS_fchmodat, h.path, "", 0600));
	TRY(syscall(SYS_fchmodat, -1, "f", 0600));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "f", 0620, 0));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "l", 0620, AT_SYMLINK_NOFOLLOW));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "f", 0640, AT_SYMLINK_NOFOLLOW));
	TRY(syscall(NR_FCHMODAT2, h.path, "", 0644, AT_EMPTY_PATH));
	TRY(syscall(NR_FCHMODAT2, h.path, NULL, 0644, AT_EMPTY_PATH));
	TRY(syscall(NR_FCHMODAT2, h.link, "", 0644, AT_EMPTY_PATH));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "", 0755, AT_EMPTY_PATH));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "f", 0620, 0x10000));
	show(s, "f");
	show(s, "d");
	show(s, ".");
}

static void
set_owners(struct scene *s)
{
	struct handles h = open_handles();
	uid_t u = getuid();
	gid_t g = getgid();

	TRY(chown("f", u, g));
	TRY(chown("f", (uid_t)-1, (gid_t)-1));
	TRY(chown("f", 0, (gid_t)-1));
	TRY(chown("f", (uid_t)-1, 12345));
	TRY(chown("dangling", u, g));
	TRY(chown("loop", u, g));
	TRY(lchown("dangling", u, g));
	TRY(lchown("loop", u, g));
	TRY(lchown("f", 0, 0));
	TRY(lchown("missing", u, g));
	TRY(syscall(SYS_lchown, NULL, u, g));
	TRY(fchown(h.reading, u, g));
	TRY(fchown(h.reading, 0, g));
	TRY(fchown(h.path, u, g));
	TRY(fchown(h.pipe[1], u, g));
	TRY(fchown(-1, u, g));
	TRY(fchownat(h.dir, "f", u, g, 0));
	TRY(fchownat(h.path, "", u, g, AT_EMPTY_PATH));
	TRY(fchownat(h.link, "", u, g, AT_EMPTY_PATH));
	TRY(fchownat(h.path, "", u, g, 0));
	TRY(syscall(SYS_fchownat, h.path, NULL, u, g, AT_EMPTY_PATH));
	TRY(fchownat(AT_FDCWD, "", u, g, AT_EMPTY_PATH));
	TRY(fchownat(AT_FDCWD, "l", u, g, AT_SYMLINK_NOFOLLOW));
	TRY(fchownat(AT_FDCWD, "f", u, g, 0x20000));
	TRY(fchownat(1000, "f", u, g, 0));
	TRY(fchownat(1000, "/proc/self/cwd/f", u, g, 0));
	show(s, "f");
	show(s, "l");
}

#define UTIMENSAT(dir, path, times, flags) syscall(SYS_utimensat, dir, path, times, flags)

static void
set_times(struct scene *s)
{
	struct handles h = open_handles();
	struct timespec t[2] = { { 11, 12 }, { 13, 14 } };
	struct timespec omit[2] = { { 0, UTIME_OMIT }, { 15, UTIME_OMIT } };
	struct timespec mixed[2] = { { 0, UTIME_NOW }, { 15, 16 } };
	struct timespec bad[2] = { { 0, 1000000000 }, { 15, 16 } };
	void *half = page_end(16);

	TRY(UTIMENSAT(AT_FDCWD, "f", t, 0));
	show(s, "f");
	TRY(UTIMENSAT(AT_FDCWD, "f", omit, 0));
	TRY(UTIMENSAT(AT_FDCWD, "missing", omit, 0x1234));
	TRY(UTIMENSAT(AT_FDCWD, "f", mixed, 0));
	show(s, "f");
	TRY(UTIMENSAT(AT_FDCWD, "f", bad, 0));
	TRY(UTIMENSAT(AT_FDCWD, "missing", bad, 0));
	TRY(UTIMENSAT(AT_FDCWD, "f", half, 0));
	TRY(UTIMENSAT(AT_FDCWD, "f", 8, 0));
	TRY(UTIMENSAT(AT_FDCWD, "f", t, 0x1234));
	TRY(UTIMENSAT(AT_FDCWD, "l", t, AT_SYMLINK_NOFOLLOW));
	TRY(UTIMENSAT(AT_FDCWD, "dangling", t, AT_SYMLINK_NOFOLLOW));
	TRY(UTIMENSAT(AT_FDCWD, "dangling", t, 0));
	TRY(UTIMENSAT(AT_FDCWD, NULL, t, 0));
	TRY(UTIMENSAT(h.reading, NULL, t, 0));
	TRY(UTIMENSAT(h.reading, NULL, t, AT_EMPTY_PATH));
	TRY(UTIMENSAT(h.path, NULL, t, 0));
	TRY(UTIMENSAT(h.path, "", t, AT_EMPTY_PATH));
	TRY(UTIMENSAT(h.link, "", t, AT_EMPTY_PATH));
	TRY(UTIMENSAT(-1, NULL, t, 0));
	TRY(UTIMENSAT(h.memory, NULL, t, 0));
	TRY(UTIMENSAT(h.dir, "f", NULL, 0));
	TRY(syscall(SYS_utime, "f", &((struct utimbuf){ 21, 22 })));
	show(s, "f");
	TRY(syscall(SYS_utime, "f", NULL));
	TRY(syscall(SYS_utime, "f", 8));
	TRY(syscall(SYS_utime, "missing", 8));
	TRY(syscall(SYS_utimes, "f", ((struct timeval[2]){ { 23, 24 }, { 25, 26 } })));
	show(s, "f");
	TRY(syscall(SYS_utimes, "f", ((struct timeval[2]){ { 23, 1000000 }, { 25, 26 } })));
	TRY(syscall(SYS_utimes, "missing", ((struct timeval[2]){ { 23, -1 }, { 25, 26 } })));
	TRY(syscall(SYS_utimes, NULL, NULL));
	TRY(syscall(SYS_futimesat, h.dir, "f", NULL));
	TRY(syscall(SYS_futimesat, h.reading, NULL, ((struct timeval[2]){ { 1, 2 }, { 3, 4 } })));
	TRY(syscall(SYS_futimesat, h.path, NULL, NULL));
	show(s, "f");
	show(s, "l");
}

#define SETXATTRAT(dir, path, flags, name, args, size)                                             \
	syscall(NR_SETXATTRAT, dir, path, flags, name, args, size)

static void
set_xattrs_at(struct scene *s, const struct handles *h)
{
	struct {
		uint64_t value;
		uint32_t size;
		uint32_t flags;
		uint64_t more;
	} args = { (uint64_t)(uintptr_t) "y", 1, 0, 0 };

	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 16));
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 24));
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 15));
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 4097));
	TRY(SETXATTRAT(AT_FDCWD, "f", 0x1000000, "user.at", &args, 16));
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", NULL, 16));
	TRY(SETXATTRAT(AT_FDCWD, "l", AT_SYMLINK_NOFOLLOW, "user.at", &args, 16));
	TRY(SETXATTRAT(h->reading, "", AT_EMPTY_PATH, "user.at", &args, 16));
	TRY(SETXATTRAT(h->reading, NULL, AT_EMPTY_PATH, "user.at", &args, 16));
	TRY(SETXATTRAT(h->path, NULL, AT_EMPTY_PATH, "user.at", &args, 16));
	TRY(SETXATTRAT(h->reading, NULL, 0, "user.at", &args, 16));
	TRY(SETXATTRAT(h->dir, "f", 0, "user.at", &args, 16));
	TRY(SETXATTRAT(AT_FDCWD, "", AT_EMPTY_PATH, "user.at", &args, 16));
	args.more = 1;
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 24));
	args.flags = XATTR_CREATE;
	TRY(SETXATTRAT(AT_FDCWD, "f", 0, "user.at", &args, 16));
	TRY(syscall(NR_REMOVEXATTRAT, h->reading, "", AT_EMPTY_PATH, "user.at"));
	TRY(syscall(NR_REMOVEXATTRAT, AT_FDCWD, "f", 0, "user.at"));
	TRY(syscall(NR_REMOVEXATTRAT, AT_FDCWD, "f", 0x40000, "user.at"));
	TRY(syscall(NR_REMOVEXATTRAT, AT_FDCWD, "f", 0, NULL));
}

static void
set_xattrs(struct scene *s)
{
	static char value[65537];
	struct handles h = open_handles();
	char *unterminated = memset(page_end(3), 'a', 3);

	TRY(setxattr("f", "user.a", "x", 1, 0));
	TRY(setxattr("f", "user.a", "xy", 2, XATTR_CREATE));
	TRY(setxattr("f", "user.b", "xy", 2, XATTR_REPLACE));
	TRY(setxattr("f", "user.b", NULL, 0, 0));
	TRY(setxattr("f", "user.c", "xy", 2, 4));
	TRY(setxattr("f", "user.big", value, 65536, 0));
	TRY(setxattr("f", "user.big", value, 65537, 0));
	TRY(syscall(SYS_setxattr, "f", "user.big", value, -1L, 0));
	TRY(syscall(SYS_setxattr, "f", "user.big", 8, 10, 0));
	TRY(setxattr("f", "", "x", 1, 0));
	TRY(setxattr("f", "user.", "x", 1, 0));
	TRY(setxattr("f", "nothing.a", "x", 1, 0));
	TRY(setxattr("f", "trusted.a", "x", 1, 0));
	TRY(setxattr("f", "security.a", "x", 1, 0));
	TRY(setxattr("f", "security.capability", "x", 1, 0));
	TRY(setxattr("f", "system.posix_acl_access", "x", 1, 0));
	TRY(setxattr("f", long_name(), "x", 1, 0));
	TRY(syscall(SYS_setxattr, "f", NULL, "x", 1, 0));
	TRY(setxattr("f", unterminated, "x", 1, 0));
	TRY(setxattr("missing", "user.a", "x", 1, 0));
	TRY(setxattr("missing", "", "x", 1, 0));
	TRY(setxattr("l", "user.l", "x", 1, 0));
	TRY(lsetxattr("l", "user.l", "x", 1, 0));
	TRY(lsetxattr("f", "user.m", "x", 1, 0));
	TRY(lsetxattr("dangling", "user.m", "x", 1, 0));
	TRY(fsetxattr(h.reading, "user.n", "x", 1, 0));
	TRY(fsetxattr(h.path, "user.n", "x", 1, 0));
	TRY(fsetxattr(h.dir, "user.n", "x", 1, 0));
	TRY(fsetxattr(h.memory, "user.n", "x", 1, 0));
	TRY(fsetxattr(-1, "user.n", "x", 1, 0));
	TRY(removexattr("f", "user.a"));
	TRY(removexattr("f", "user.a"));
	TRY(removexattr("f", ""));
	TRY(lremovexattr("f", "user.m"));
	TRY(lremovexattr("l", "user.l"));
	TRY(fremovexattr(h.reading, "user.l"));
	TRY(fremovexattr(h.path, "user.n"));
	set_xattrs_at(s, &h);
	show(s, "f");
	show(s, "d");
}

#define FILE_SETATTR(dir, path, attr, size, flags)                                                 \
	syscall(NR_FILE_SETATTR, dir, path, attr, size, flags)

static void
set_flags(struct scene *s)
{
	struct handles h = open_handles();
	uint64_t attr[8] = { 0 };
	struct fsxattr x = { 0 };
	int flags = 0;

	TRY(ioctl(h.reading, FS_IOC_GETFLAGS, &flags));
	TRY(ioctl(h.reading, FS_IOC_SETFLAGS, &flags));
	flags |= FS_NODUMP_FL;
	TRY(ioctl(h.reading, FS_IOC_SETFLAGS, &flags));
	TRY(ioctl(h.dir, FS_IOC_SETFLAGS, &flags));
	flags = 0;
	TRY(ioctl(h.reading, FS_IOC_GETFLAGS, &flags));
	s->len += (size_t)sprintf(s->log + s->len, "flags %x\n", (unsigned int)flags);
	TRY(ioctl(h.reading, FS_IOC_SETFLAGS, &((int){ FS_IMMUTABLE_FL })));
	TRY(ioctl(h.reading, FS_IOC_SETFLAGS, NULL));
	TRY(ioctl(h.path, FS_IOC_SETFLAGS, &flags));
	TRY(ioctl(-1, FS_IOC_SETFLAGS, &flags));
	TRY(ioctl(h.pipe[0], FS_IOC_SETFLAGS, &flags));
	TRY(ioctl(h.reading, FS_IOC32_SETFLAGS, &flags));
	TRY(ioctl(h.reading, FS_IOC_FSGETXATTR, &x));
	TRY(ioctl(h.reading, FS_IOC_FSSETXATTR, &x));
	TRY(ioctl(h.reading, FS_IOC_FSSETXATTR, 8));
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 24, 0));
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 64, 0));
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 23, 0));
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 5000, 0));
	TRY(FILE_SETATTR(AT_FDCWD, "f", NULL, 24, 0));
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 24, 0x10000));
	TRY(FILE_SETATTR(AT_FDCWD, "l", attr, 24, AT_SYMLINK_NOFOLLOW));
	TRY(FILE_SETATTR(AT_FDCWD, "missing", attr, 24, 0));
	TRY(FILE_SETATTR(h.reading, "", attr, 24, AT_EMPTY_PATH));
	TRY(FILE_SETATTR(h.reading, NULL, attr, 24, AT_EMPTY_PATH));
	TRY(FILE_SETATTR(h.path, "", attr, 24, AT_EMPTY_PATH));
	attr[7] = 1;
	TRY(FILE_SETATTR(AT_FDCWD, "f", attr, 64, 0));
}

/* ---- what is refused ---------------------------------------------------------------------- */

static void
chmod_elsewhere(struct scene *s)
{
	int config = open(".git/config", O_RDONLY);
	int passwd = open("/etc/passwd", O_RDONLY);
	int outside = open("../outside", O_RDONLY | O_DIRECTORY);

	TRY(chmod(".git/config", 0600));
	TRY(chmod(".git", 0700));
	TRY(chmod(".GIT", 0700));
	TRY(chmod("git", 0700));
	TRY(chmod("d/../.git/config", 0600));
	TRY(chmod("../outside/f", 0600));
	TRY(chmod("out", 0600));
	TRY(chmod("/etc/passwd", 0600));
	TRY(chmod("/dev/null", 0666));
	TRY(chmod("/proc/self/comm", 0666));
	TRY(chmod("..", 0777));
	TRY(fchmod(config, 0600));
	TRY(fchmod(passwd, 0600));
	TRY(fchmod(outside, 0700));
	TRY(syscall(NR_FCHMODAT2, config, "", 0600, AT_EMPTY_PATH));
	TRY(syscall(SYS_fchmodat, outside, "f", 0600));
	TRY(chmod("f", 04755));
	TRY(fchmod(open("f", O_RDONLY), 02755));
	TRY(syscall(NR_FCHMODAT2, AT_FDCWD, "f", 06755, 0));
}

static void
touch_elsewhere(struct scene *s)
{
	int config = open(".git/config", O_RDONLY);
	uint64_t attr[3] = { 0 };
	int flags = 0;
	char link[32];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", config);
	TRY(chmod(link, 0600));
	TRY(chown(".git/config", getuid(), getgid()));
	TRY(fchown(config, getuid(), getgid()));
	TRY(lchown("../outside/f", getuid(), getgid()));
	TRY(utimensat(AT_FDCWD, ".git/config", NULL, 0));
	TRY(futimens(config, NULL));
	TRY(utimensat(AT_FDCWD, link, NULL, 0));
	TRY(utimensat(AT_FDCWD, "../outside/f", NULL, 0));
	TRY(setxattr(".git/config", "user.a", "x", 1, 0));
	TRY(fsetxattr(config, "user.a", "x", 1, 0));
	TRY(removexattr("../outside/f", "user.a"));
	TRY(ioctl(config, FS_IOC_SETFLAGS, &flags));
	TRY(FILE_SETATTR(AT_FDCWD, ".git/config", attr, 24, 0));
	TRY(FILE_SETATTR(config, "", attr, 24, AT_EMPTY_PATH));
}

static void
assert_all_refused(body_fn body)
{
	struct scene *s = run(body, true, 0);
	char *line = strtok(s->log, "\n");

	for (; line != NULL; line = strtok(NULL, "\n")) {
		const char *result = strrchr(line, ':');

		if (strcmp(result, ": EPERM") != 0 &&
		    strcmp(line, "chmod(\".GIT\", 0700): ENOENT") != 0) {
			fail_msg("%s", line);
		}
	}
	assert_true(s->denials > 0);
	(void)munmap(s, sizeof(*s));
}

static void
sets_modes_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(set_modes);
}

static void
sets_owners_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(set_owners);
}

static void
sets_times_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(set_times);
}

static void
sets_xattrs_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(set_xattrs);
}

static void
sets_flags_as_the_kernel_does(void **state)
{
	(void)state;
	assert_same(set_flags);
}

static void
refuses_modes_elsewhere(void **state)
{
	(void)state;
	assert_all_refused(chmod_elsewhere);
}

static void
refuses_other_metadata_elsewhere(void **state)
{
	(void)state;
	assert_all_refused(touch_elsewhere);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_modes_as_the_kernel_does),
		cmocka_unit_test(sets_owners_as_the_kernel_does),
		cmocka_unit_test(sets_times_as_the_kernel_does),
		cmocka_unit_test(sets_xattrs_as_the_kernel_does),
		cmocka_unit_test(sets_flags_as_the_kernel_does),
		cmocka_unit_test(refuses_modes_elsewhere),
		cmocka_unit_test(refuses_other_metadata_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
