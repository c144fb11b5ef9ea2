/* SPDX-License-Identifier: MIT */

/* Writing where nothing may be written: outside of the workspace. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#define APPEND (O_WRONLY | O_APPEND | O_CLOEXEC)
#define CREATE (O_WRONLY | O_CREAT | O_CLOEXEC)

static const char *
victim_file(const struct scene *s)
{
	return path("%s/victim.txt", s->outside);
}

/* ---- plain calls ----------------------------------------------------------------------------- */

static enum outcome
create(const struct scene *s)
{
	return write_mark(open(path("%s/new.txt", s->outside), CREATE | O_EXCL, 0644));
}

static enum outcome
append(const struct scene *s)
{
	return write_mark(open(victim_file(s), APPEND));
}

static enum outcome
append_to_shell_rc(const struct scene *s)
{
	return write_mark(open(path("%s/.bashrc", s->home), APPEND | O_CREAT, 0644));
}

static enum outcome
append_by_openat2(const struct scene *s)
{
	struct open_how how = { .flags = APPEND };

	return write_mark((int)syscall(SYS_openat2, AT_FDCWD, victim_file(s), &how, sizeof(how)));
}

static enum outcome
truncate_by_open(const struct scene *s)
{
	int fd = open(victim_file(s), O_RDONLY | O_TRUNC | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		return blocked("open");
	}
	return st.st_size == 0 ? succeeded("truncated") : blocked("not truncated");
}

static enum outcome
truncate_file(const struct scene *s)
{
	return tried(truncate(victim_file(s), 0), "truncate");
}

static enum outcome
make_directory(const struct scene *s)
{
	return tried(mkdir(path("%s/new", s->outside), 0755), "mkdir");
}

static enum outcome
remove_directory(const struct scene *s)
{
	return tried(rmdir(path("%s/empty", s->outside)), "rmdir");
}

static enum outcome
make_fifo(const struct scene *s)
{
	return tried(mkfifo(path("%s/fifo", s->outside), 0600), "mkfifo");
}

static enum outcome
make_socket(const struct scene *s)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return blocked("socket");
	}
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/sock", s->outside);
	return tried(bind(fd, (struct sockaddr *)&address, sizeof(address)), "bind");
}

static enum outcome
unlink_file(const struct scene *s)
{
	return tried(unlink(victim_file(s)), "unlink");
}

static enum outcome
make_symlink(const struct scene *s)
{
	return tried(symlink("/etc/passwd", path("%s/link", s->outside)), "symlink");
}

/* ---- renaming and linking across the border -------------------------------------------------- */

static enum outcome
rename_in(const struct scene *s)
{
	const char *mine = path("%s/mine.txt", s->work);

	if (!make_file(mine)) {
		return blocked("make a file to move");
	}
	return tried(rename(mine, path("%s/mine.txt", s->outside)), "rename");
}

static enum outcome
rename_out(const struct scene *s)
{
	return tried(rename(victim_file(s), path("%s/stolen.txt", s->work)), "rename");
}

static enum outcome
rename_secrets_out(const struct scene *s)
{
	return tried(rename(path("%s/.ssh", s->home), path("%s/ssh", s->work)), "rename");
}

static enum outcome
rename_exchange(const struct scene *s)
{
	const char *mine = path("%s/mine.txt", s->work);

	if (!make_file(mine)) {
		return blocked("make a file to exchange");
	}
	return tried(renameat2(AT_FDCWD, mine, AT_FDCWD, victim_file(s), RENAME_EXCHANGE),
		     "renameat2");
}

static enum outcome
write_by_hard_link(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (link(victim_file(s), alias) != 0) {
		return blocked("link");
	}
	return write_mark(open(alias, APPEND));
}

static enum outcome
write_by_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (symlink(victim_file(s), alias) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(alias, APPEND));
}

static enum outcome
write_by_symlinked_dir(const struct scene *s)
{
	if (symlink(s->outside, path("%s/alias", s->work)) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(path("%s/alias/new.txt", s->work), CREATE, 0644));
}

static enum outcome
write_by_planted_symlink(const struct scene *s)
{
	return write_mark(open(path("%s/planted-link/new.txt", s->workspace), CREATE, 0644));
}

static enum outcome
swap_directory(const struct scene *s)
{
	const char *inner = path("%s/inner", s->work);

	if (mkdir(inner, 0755) != 0 || rename(inner, path("%s/kept", s->work)) != 0) {
		return blocked("make a directory to swap");
	}
	if (symlink(s->outside, inner) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(path("%s/new.txt", inner), CREATE, 0644));
}

/* ---- detours --------------------------------------------------------------------------------- */

static enum outcome
reopen_path_fd(const struct scene *s)
{
	int fd = open(victim_file(s), O_PATH | O_CLOEXEC);

	if (fd < 0) {
		return blocked("open with O_PATH");
	}
	return write_mark(open(path("/proc/self/fd/%d", fd), APPEND));
}

static enum outcome
reopen_read_fd(const struct scene *s)
{
	int fd = open(victim_file(s), O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return blocked("open for reading");
	}
	return write_mark(open(path("/proc/self/fd/%d", fd), APPEND));
}

static enum outcome
link_unnamed_file(const struct scene *s)
{
	int fd = open(s->outside, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);

	if (fd < 0) {
		return blocked("open with O_TMPFILE");
	}
	return tried(linkat(AT_FDCWD, path("/proc/self/fd/%d", fd), AT_FDCWD,
			    path("%s/new.txt", s->outside), AT_SYMLINK_FOLLOW),
		     "linkat");
}

static enum outcome
write_below_dirfd(const struct scene *s)
{
	int dir = open(s->outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0) {
		return blocked("open the directory");
	}
	return write_mark(openat(dir, "new.txt", CREATE, 0644));
}

static enum outcome
write_by_victim_cwd(const struct scene *s)
{
	return write_mark(open(path("/proc/%ld/cwd/new.txt", s->victim), CREATE, 0644));
}

static enum outcome
write_by_victim_fd(const struct scene *s)
{
	return write_mark(open(path("/proc/%ld/fd/%ld", s->victim, s->victim_write_fd), APPEND));
}

static enum outcome
write_by_parent_root(const struct scene *s)
{
	return write_mark(open(path("/proc/%d/root%s", getppid(), victim_file(s)), APPEND));
}

static enum outcome
create_by_uring(const struct scene *s)
{
	struct ring ring;

	if (ring_open(&ring) != 0) {
		return blocked("io_uring_setup");
	}
	return write_mark(ring_openat(&ring, path("%s/new.txt", s->outside), CREATE, 0644));
}

static enum outcome
unlink_by_uring(const struct scene *s)
{
	struct ring ring;

	if (ring_open(&ring) != 0) {
		return blocked("io_uring_setup");
	}
	return tried(ring_unlink(&ring, victim_file(s)), "unlinkat in a ring");
}

static enum outcome
append_by_int80(const struct scene *s)
{
	char *name = low_memory(4096);
	long fd;

	if (name == NULL) {
		return not_applicable("no memory below 4 GiB");
	}
	(void)snprintf(name, 4096, "%s", victim_file(s));
	fd = int80(I386_OPEN, low_address(name), O_WRONLY | O_APPEND, 0, 0);
	return fd < 0 ? blocked("int80 open") : write_mark((int)fd);
}

static enum outcome
append_by_x32(const struct scene *s)
{
	long fd = x32(SYS_open, (long)victim_file(s), O_WRONLY | O_APPEND, 0);

	if (x32_is_missing(fd)) {
		return not_applicable("no x32 system calls");
	}
	return write_mark((int)fd);
}

static enum outcome
create_by_python(const struct scene *s)
{
	return shell(path("python3 -c \"open('%s/new.txt', 'w').write('x')\"", s->outside))
		       ? succeeded("python wrote")
		       : blocked("python");
}

/* Keeps changing the path between one that may be written and one that may not. */
static void
flip_path(volatile char *shared, const char *good, const char *bad)
{
	const char *next = bad;
	int i;

	(void)alarm(5);
	for (;;) {
		memcpy((char *)(uintptr_t)shared, next, strlen(next) + 1);
		for (i = 0; i < 200; i++) {
			__asm__ volatile("" ::: "memory");
		}
		next = next == bad ? good : bad;
	}
}

static bool
is_open_as(int fd, const char *name)
{
	char buf[4096];
	ssize_t n = readlink(path("/proc/self/fd/%d", fd), buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = '\0';
	return strcmp(buf, name) == 0;
}

static enum outcome
change_path_while_checked(const struct scene *s)
{
	const char *good = path("%s/good.txt", s->work);
	const char *bad = path("%s/raced.txt", s->outside);
	char *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	time_t end = time(NULL) + 2;
	bool raced = false;
	pid_t child;

	strcpy(shared, good);
	child = fork();
	if (child == 0) {
		flip_path(shared, good, bad);
	}
	while (!raced && time(NULL) < end) {
		AUTO_FD fd = open(shared, CREATE, 0644);

		raced = fd >= 0 && is_open_as(fd, bad);
	}
	(void)kill(child, SIGKILL);
	(void)exit_status(child);
	return raced ? succeeded("the race was won") : blocked("the race was never won");
}

/* Another workspace's cache: what is put there, the other runs. */
static enum outcome
append_to_other_cache(const struct scene *s)
{
	return write_mark(
		open(path("%s/.cache/bailey/other-0123456789abcdef/pip/wheel", s->home), APPEND));
}

/* ---- places that all users share ------------------------------------------------------------- */

static enum outcome
create_in_var_tmp(const struct scene *s)
{
	return write_mark(open(path("/var/tmp/attack-%s", s->tag), CREATE, 0644));
}

static enum outcome
create_in_dev_shm(const struct scene *s)
{
	return write_mark(open(path("/dev/shm/attack-%s-new", s->tag), CREATE, 0644));
}

const struct attack fswrite_attacks[] = {
	{ "create", PROOF_FILES, "creates a file outside", create },
	{ "append", PROOF_FILES, "appends to a file outside", append },
	{ "append_to_shell_rc", PROOF_FILES, "appends to ~/.bashrc", append_to_shell_rc },
	{ "other_cache", PROOF_FILES, "appends to the cache of another workspace",
	  append_to_other_cache },
	{ "append_by_openat2", PROOF_FILES, "appends by openat2", append_by_openat2 },
	{ "truncate_by_open", PROOF_FILES, "opens for reading with O_TRUNC", truncate_by_open },
	{ "truncate", PROOF_FILES, "truncates by path", truncate_file },
	{ "mkdir", PROOF_FILES, "makes a directory outside", make_directory },
	{ "rmdir", PROOF_FILES, "removes a directory outside", remove_directory },
	{ "mkfifo", PROOF_FILES, "makes a FIFO outside", make_fifo },
	{ "bind_socket", PROOF_FILES, "binds a socket to a path outside", make_socket },
	{ "unlink", PROOF_FILES, "removes a file outside", unlink_file },
	{ "symlink", PROOF_FILES, "makes a symlink outside", make_symlink },
	{ "rename_in", PROOF_FILES, "moves a file from the workspace outside", rename_in },
	{ "rename_out", PROOF_FILES, "moves a file from outside to the workspace", rename_out },
	{ "rename_secrets_out", PROOF_FILES, "moves ~/.ssh to the workspace", rename_secrets_out },
	{ "rename_exchange", PROOF_FILES, "exchanges a file with one outside", rename_exchange },
	{ "hard_link", PROOF_FILES, "writes through a new hard link", write_by_hard_link },
	{ "symlink_file", PROOF_FILES, "writes through a symlink to a file", write_by_symlink },
	{ "symlink_dir", PROOF_FILES, "writes through a symlink to a directory",
	  write_by_symlinked_dir },
	{ "symlink_planted", PROOF_FILES, "writes through a symlink that was there before",
	  write_by_planted_symlink },
	{ "swap_directory", PROOF_FILES, "puts a symlink in a directory's place", swap_directory },
	{ "reopen_path_fd", PROOF_FILES, "reopens an O_PATH descriptor", reopen_path_fd },
	{ "reopen_read_fd", PROOF_FILES, "reopens a descriptor for writing", reopen_read_fd },
	{ "link_unnamed", PROOF_FILES, "names an O_TMPFILE file", link_unnamed_file },
	{ "dirfd", PROOF_FILES, "creates relative to a directory outside", write_below_dirfd },
	{ "victim_cwd", PROOF_FILES, "creates in the cwd of a process outside",
	  write_by_victim_cwd },
	{ "victim_fd", PROOF_FILES, "reopens a descriptor of a process outside",
	  write_by_victim_fd },
	{ "parent_root", PROOF_FILES, "appends by way of /proc/PPID/root", write_by_parent_root },
	{ "uring_create", PROOF_FILES, "creates a file through io_uring", create_by_uring },
	{ "uring_unlink", PROOF_FILES, "removes a file through io_uring", unlink_by_uring },
	{ "int80_append", PROOF_FILES, "opens by the 32-bit table", append_by_int80 },
	{ "x32_append", PROOF_FILES, "opens by the x32 table", append_by_x32 },
	{ "python_create", PROOF_FILES, "creates a file from python", create_by_python },
	{ "race", PROOF_FILES, "changes the path while it is being checked",
	  change_path_while_checked },
	{ "var_tmp", PROOF_FILES, "creates a file in /var/tmp", create_in_var_tmp },
	{ "dev_shm", PROOF_FILES, "creates a file in /dev/shm", create_in_dev_shm },
	{ 0 },
};
