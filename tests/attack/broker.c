/* SPDX-License-Identifier: MIT */

/*
 * Asking the broker for what is off limits, in other words than the plain ones: by descriptors, by
 * every form of /proc/self, by links, moves and files without a name, by names that are made
 * somewhere else first. What races it is in race.c, what is done to its process in launcher.c.
 */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>

#define APPEND (O_WRONLY | O_APPEND | O_CLOEXEC)
#define CREATE (O_WRONLY | O_CREAT | O_CLOEXEC)
#define READ (O_RDONLY | O_CLOEXEC)
#define LOOK (O_PATH | O_CLOEXEC)

static const char *
git(const struct scene *s, const char *name)
{
	return path("%s/.git/%s", s->workspace, name);
}

/* ---- forms of /proc/self --------------------------------------------------------------------- */

/*
 * The row's subject, in which %d is a number that its arguments name: the descriptor of .git, of
 * .git/config (both O_PATH), the process, its parent or the parent of that.
 */
enum number { THE_DIRECTORY, THE_FILE, THE_PROCESS, THE_PARENT };

static int
number_for(const struct scene *s, enum number what)
{
	switch (what) {
	case THE_DIRECTORY:
		return open(git(s, ""), LOOK | O_DIRECTORY);
	case THE_FILE:
		return open(git(s, "config"), LOOK);
	case THE_PROCESS:
		return getpid();
	case THE_PARENT:
		return getppid();
	}
	return -1;
}

/* Replaces "%d" and "%s" (the workspace) of the row's subject. */
static const char *
form_of(const struct scene *s)
{
	int number = number_for(s, (enum number)s->row->args[0]);
	const char *d = strstr(s->row->subject, "%d");
	const char *w;
	const char *text = s->row->subject;

	if (d != NULL) {
		text = path("%.*s%d%s", (int)(d - text), text, number, d + 2);
	}
	w = strstr(text, "%s");
	if (w != NULL) {
		text = path("%.*s%s%s", (int)(w - text), text, s->workspace, w + 2);
	}
	return text;
}

static enum outcome
append_by_form(const struct scene *s)
{
	if (chdir(s->workspace) != 0) {
		return blocked("chdir");
	}
	return write_mark(open(form_of(s), APPEND));
}

static enum outcome
make_by_form(const struct scene *s)
{
	if (chdir(s->workspace) != 0) {
		return blocked("chdir");
	}
	return tried(mkdir(form_of(s), 0755), "mkdir");
}

static enum outcome
chmod_by_form(const struct scene *s)
{
	if (chdir(s->workspace) != 0) {
		return blocked("chdir");
	}
	return tried(chmod(form_of(s), 0600), "chmod");
}

static enum outcome
truncate_by_form(const struct scene *s)
{
	if (chdir(s->workspace) != 0) {
		return blocked("chdir");
	}
	return tried(truncate(form_of(s), 1), "truncate");
}

/* A symlink of the attacker's own, whose target only means something to the broker's own self. */
static enum outcome
append_by_link_to_form(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (chdir(s->workspace) != 0 || symlink(form_of(s), alias) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(alias, APPEND));
}

/* ---- by descriptors -------------------------------------------------------------------------- */

static enum outcome
create_below_dirfd(const struct scene *s)
{
	int dir = open(git(s, "hooks"), READ | O_DIRECTORY);

	return write_mark(openat(dir, "pre-commit", CREATE, 0755));
}

static enum outcome
create_after_fchdir(const struct scene *s)
{
	int dir = open(git(s, "hooks"), LOOK | O_DIRECTORY);

	if (fchdir(dir) != 0) {
		return blocked("fchdir");
	}
	return write_mark(open("pre-commit", CREATE, 0755));
}

static enum outcome
rename_below_dirfd(const struct scene *s)
{
	int dir = open(git(s, ""), LOOK | O_DIRECTORY);

	if (!put_text(path("%s/mine", s->work), "[core]\n")) {
		return blocked("make a file");
	}
	return tried(renameat(AT_FDCWD, path("%s/mine", s->work), dir, "config"), "renameat");
}

static enum outcome
unlink_below_dirfd(const struct scene *s)
{
	return tried(unlinkat(open(git(s, ""), LOOK | O_DIRECTORY), "HEAD", 0), "unlinkat");
}

/* The descriptor number means another file by the time that it is looked at. */
static enum outcome
reopen_passed_fd(const struct scene *s)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	char byte = 'x';
	struct iovec data = { &byte, 1 };
	struct msghdr message = { .msg_iov = &data,
				  .msg_iovlen = 1,
				  .msg_control = control.room,
				  .msg_controllen = sizeof(control.room) };
	int pair[2];
	int fd;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		return blocked("socketpair");
	}
	if (fork() == 0) {
		fd = open(git(s, "config"), READ);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		_exit(sendmsg(pair[0], &message, 0) == 1 ? 0 : 1);
	}
	if (recvmsg(pair[1], &message, MSG_CMSG_CLOEXEC) != 1) {
		return blocked("recvmsg");
	}
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return write_mark(open(path("/proc/self/fd/%d", fd), APPEND));
}

/* ---- metadata by a descriptor that can only read --------------------------------------------- */

static const struct timespec long_ago[2] = { { 1, 0 }, { 1, 0 } };

static enum outcome
change_by_fd(const struct scene *s)
{
	int fd = open(git(s, "config"), READ);
	int flags = FS_NODUMP_FL;
	long result = -1;

	switch (s->row->args[0]) {
	case 0:
		result = fchmod(fd, 0600);
		break;
	case 1:
		result = futimens(fd, long_ago);
		break;
	case 2:
		result = fsetxattr(fd, "user.attack", "1", 1, 0);
		break;
	case 3:
		result = ioctl(fd, FS_IOC_SETFLAGS, &flags);
		break;
	case 4:
		result = syscall(SYS_utimensat, fd, NULL, long_ago, 0);
		break;
	case 5:
		result = utimensat(fd, "", long_ago, AT_EMPTY_PATH);
		break;
	default:
		result = syscall(SYS_fchmodat2, fd, "", 0600, AT_EMPTY_PATH);
		break;
	}
	if (result != 0 && (errno == EOPNOTSUPP || errno == ENOTTY || errno == ENOSYS)) {
		return not_applicable("it is not supported here");
	}
	return tried(result, s->row->name);
}

static enum outcome
append_by_long_path(const struct scene *s)
{
	const char *name = path("%s/", s->workspace);

	while (strlen(name) < 3900) {
		name = path("%s./work/../", name);
	}
	return write_mark(open(path("%s.git/config", name), APPEND));
}

/* ---- links and files without a name ---------------------------------------------------------- */

static enum outcome
link_in(const struct scene *s)
{
	const char *mine = path("%s/mine", s->work);

	if (!put_text(mine, "#!/bin/sh\n")) {
		return blocked("make a file");
	}
	return tried(link(mine, git(s, "hooks/pre-commit")), "link");
}

/* Under a name that is not protected it can be written to by whoever may write there. */
static enum outcome
link_out_by_fd(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);
	int fd = open(git(s, "config"), READ);
	const char *name = path("/proc/self/fd/%d", fd);

	if (linkat(AT_FDCWD, name, AT_FDCWD, alias, AT_SYMLINK_FOLLOW) != 0) {
		return blocked("linkat");
	}
	return write_mark(open(alias, APPEND));
}

static enum outcome
link_out_by_empty_path(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);
	int fd = open(git(s, "config"), READ);

	if (linkat(fd, "", AT_FDCWD, alias, AT_EMPTY_PATH) != 0) {
		return blocked("linkat");
	}
	return write_mark(open(alias, APPEND));
}

static int
unnamed_file(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0755);

	if (fd >= 0 && write(fd, "#!/bin/sh\n", 10) != 10) {
		return -1;
	}
	return fd;
}

static enum outcome
name_unnamed_in_git(const struct scene *s)
{
	int fd = unnamed_file(s->work);

	return tried(linkat(AT_FDCWD, path("/proc/self/fd/%d", fd), AT_FDCWD,
			    git(s, "hooks/pre-commit"), AT_SYMLINK_FOLLOW),
		     "linkat");
}

static enum outcome
name_unnamed_git(const struct scene *s)
{
	int fd = unnamed_file(s->work);

	return tried(linkat(AT_FDCWD, path("/proc/self/fd/%d", fd), AT_FDCWD,
			    path("%s/.git", s->work), AT_SYMLINK_FOLLOW),
		     "linkat");
}

static enum outcome
unnamed_in_git(const struct scene *s)
{
	int fd = unnamed_file(git(s, "hooks"));

	if (fd < 0) {
		return blocked("open with O_TMPFILE");
	}
	return tried(linkat(AT_FDCWD, path("/proc/self/fd/%d", fd), AT_FDCWD,
			    git(s, "hooks/pre-commit"), AT_SYMLINK_FOLLOW),
		     "linkat");
}

/* ---- what holds protected names is moved ----------------------------------------------------- */

static enum outcome
exchange_ancestor(const struct scene *s)
{
	const char *mine = path("%s/mine", s->work);

	if (mkdir(mine, 0755) != 0) {
		return blocked("mkdir");
	}
	return tried(renameat2(AT_FDCWD, path("%s/sub/nested", s->workspace), AT_FDCWD, mine,
			       RENAME_EXCHANGE),
		     "renameat2");
}

static enum outcome
whiteout_config(const struct scene *s)
{
	if (!put_text(path("%s/mine", s->work), "[core]\n")) {
		return blocked("make a file");
	}
	return tried(renameat2(AT_FDCWD, path("%s/mine", s->work), AT_FDCWD, git(s, "config"),
			       RENAME_WHITEOUT),
		     "renameat2");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static enum outcome
make_device(const struct scene *s)
{
	const char *name = path("%s/disk", s->work);

	if (mknod(name, S_IFBLK | 0600, makedev(7, 0)) != 0) {
		return geteuid() == 0 ? blocked("mknod")
				      : not_applicable("only root makes devices");
	}
	(void)unlink(name);
	return succeeded("mknod");
}

static enum outcome
make_setuid(const struct scene *s)
{
	const char *name = path("%s/tool", s->work);
	struct stat st;

	if (mknod(name, S_IFREG | 0755, 0) != 0) {
		return blocked("make a file");
	}
	if (chmod(name, 04755) != 0 || stat(name, &st) != 0) {
		return blocked("chmod");
	}
	return (st.st_mode & S_ISUID) != 0 ? succeeded("chmod") : blocked("without effect");
}

static enum outcome
create_setuid(const struct scene *s)
{
	const char *name = path("%s/tool", s->work);
	int fd = open(name, CREATE, 04755);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0) {
		return blocked("open");
	}
	return (st.st_mode & S_ISUID) != 0 ? succeeded("open") : blocked("without effect");
}

/* ---- the home directory as a workspace ------------------------------------------------------- */

/* It is writable for these, run with --write, and its credentials are not to be read. */
static const char *
private_key(const struct scene *s)
{
	return path("%s/.ssh/id_rsa", s->home);
}

static enum outcome
read_at_home(const struct scene *s)
{
	return show_file(open(private_key(s), READ));
}

static enum outcome
read_at_home_by_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (symlink(path("%s/.ssh", s->home), alias) != 0) {
		return blocked("symlink");
	}
	return show_file(open(path("%s/id_rsa", alias), READ));
}

static enum outcome
read_at_home_by_hard_link(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (link(private_key(s), alias) != 0) {
		return blocked("link");
	}
	return show_file(open(alias, READ));
}

static enum outcome
read_at_home_moved(const struct scene *s)
{
	const char *moved = path("%s/moved", s->work);

	if (rename(path("%s/%s", s->home, s->row->subject), moved) != 0) {
		return blocked("rename");
	}
	return show_file(open(path("%s/id_rsa", moved), READ));
}

static enum outcome
read_at_home_by_dirfd(const struct scene *s)
{
	int dir = open(path("%s/.ssh", s->home), LOOK | O_DIRECTORY);

	return show_file(openat(dir, "id_rsa", READ));
}

/* What is at the place of the key afterwards is the attacker's, and the key at another. */
static enum outcome
read_at_home_exchanged(const struct scene *s)
{
	const char *mine = path("%s/mine", s->work);

	if (!make_file(mine) ||
	    renameat2(AT_FDCWD, mine, AT_FDCWD, private_key(s), RENAME_EXCHANGE) != 0) {
		return blocked("renameat2");
	}
	return show_file(open(mine, READ));
}

const struct attack broker_attacks[] = {
	{ "self_cwd", PROOF_FILES, "appends by /proc/self/cwd", append_by_form,
	  "/proc/self/cwd/.git/config" },
	{ "thread_cwd", PROOF_FILES, "appends by /proc/thread-self/cwd", append_by_form,
	  "/proc/thread-self/cwd/.git/config" },
	{ "self_root", PROOF_FILES, "appends by /proc/self/root", append_by_form,
	  "/proc/self/root%s/.git/config" },
	{ "pid_cwd",
	  PROOF_FILES,
	  "appends by /proc/PID/cwd",
	  append_by_form,
	  "/proc/%d/cwd/.git/config",
	  { THE_PROCESS } },
	{ "task_cwd",
	  PROOF_FILES,
	  "appends by /proc/self/task/TID/cwd",
	  append_by_form,
	  "/proc/self/task/%d/cwd/.git/config",
	  { THE_PROCESS } },
	{ "parent_cwd",
	  PROOF_FILES,
	  "appends by /proc/PPID/cwd",
	  append_by_form,
	  "/proc/%d/cwd/.git/config",
	  { THE_PARENT } },
	{ "parent_root",
	  PROOF_FILES,
	  "appends by /proc/PPID/root",
	  append_by_form,
	  "/proc/%d/root%s/.git/config",
	  { THE_PARENT } },
	{ "winding_self", PROOF_FILES, "appends by /proc/self/../self/./cwd", append_by_form,
	  "/proc/../proc//self/../self/./cwd/.git/../.git/config" },
	{ "self_fd",
	  PROOF_FILES,
	  "appends by /proc/self/fd/N",
	  append_by_form,
	  "/proc/self/fd/%d",
	  { THE_FILE } },
	{ "dev_fd",
	  PROOF_FILES,
	  "appends by /dev/fd/N",
	  append_by_form,
	  "/dev/fd/%d",
	  { THE_FILE } },
	{ "self_fd_below",
	  PROOF_FILES,
	  "appends below /proc/self/fd/N",
	  append_by_form,
	  "/proc/self/fd/%d/config",
	  { THE_DIRECTORY } },
	{ "dev_fd_below",
	  PROOF_FILES,
	  "appends below /dev/fd/N",
	  append_by_form,
	  "/dev/fd/%d/config",
	  { THE_DIRECTORY } },
	{ "thread_fd_below",
	  PROOF_FILES,
	  "appends below /proc/thread-self/fd/N",
	  append_by_form,
	  "/proc/thread-self/fd/%d/../.git/config",
	  { THE_DIRECTORY } },
	{ "mkdir_self_cwd", PROOF_FILES, "makes a directory by /proc/self/cwd", make_by_form,
	  "/proc/self/cwd/.git/new" },
	{ "mkdir_fd_below",
	  PROOF_FILES,
	  "makes one below /proc/self/fd/N",
	  make_by_form,
	  "/proc/self/fd/%d/new",
	  { THE_DIRECTORY } },
	{ "chmod_self_fd",
	  PROOF_FILES,
	  "changes a mode by /proc/self/fd/N",
	  chmod_by_form,
	  "/proc/self/fd/%d",
	  { THE_FILE } },
	{ "chmod_self_cwd", PROOF_FILES, "changes one by /proc/self/cwd", chmod_by_form,
	  "/proc/self/cwd/.git/config" },
	{ "truncate_self_fd",
	  PROOF_FILES,
	  "truncates by /proc/self/fd/N",
	  truncate_by_form,
	  "/proc/self/fd/%d",
	  { THE_FILE } },
	{ "link_to_self", PROOF_FILES, "appends by a symlink to /proc/self/cwd",
	  append_by_link_to_form, "/proc/self/cwd/.git/config" },
	{ "link_to_fd",
	  PROOF_FILES,
	  "appends by a symlink to /proc/self/fd/N",
	  append_by_link_to_form,
	  "/proc/self/fd/%d",
	  { THE_FILE } },
	{ "dirfd", PROOF_FILES, "creates a hook by a directory's descriptor", create_below_dirfd },
	{ "fchdir", PROOF_FILES, "creates a hook after fchdir", create_after_fchdir },
	{ "dirfd_rename", PROOF_FILES, "renames to below a descriptor", rename_below_dirfd },
	{ "dirfd_unlink", PROOF_FILES, "removes below a descriptor", unlink_below_dirfd },
	{ "passed_fd", PROOF_FILES, "reopens a descriptor that a child sent", reopen_passed_fd },
	{ "fchmod", PROOF_FILES, "changes a mode by a descriptor", change_by_fd, NULL, { 0 } },
	{ "futimens", PROOF_FILES, "changes times by a descriptor", change_by_fd, NULL, { 1 } },
	{ "fsetxattr", PROOF_FILES, "sets an attribute by one", change_by_fd, NULL, { 2 } },
	{ "setflags", PROOF_FILES, "sets flags by one", change_by_fd, NULL, { 3 } },
	{ "utimens_null", PROOF_FILES, "changes times without a path", change_by_fd, NULL, { 4 } },
	{ "utimens_empty", PROOF_FILES, "... with an empty path", change_by_fd, NULL, { 5 } },
	{ "fchmodat2_empty",
	  PROOF_FILES,
	  "changes a mode with an empty path",
	  change_by_fd,
	  NULL,
	  { 6 } },
	{ "link_in", PROOF_FILES, "links a hook into .git", link_in },
	{ "link_out_fd", PROOF_FILES, "links .git/config by a descriptor", link_out_by_fd },
	{ "link_out_empty", PROOF_FILES, "... with an empty path", link_out_by_empty_path },
	{ "unnamed_hook", PROOF_FILES, "names an O_TMPFILE file in .git", name_unnamed_in_git },
	{ "unnamed_git", PROOF_FILES, "names one .git", name_unnamed_git },
	{ "unnamed_in_git", PROOF_FILES, "makes one in .git", unnamed_in_git },
	{ "long_path", PROOF_FILES, "appends by a path of 3900 bytes", append_by_long_path },
	{ "exchange_ancestor", PROOF_FILES, "exchanges what holds a .git", exchange_ancestor },
	{ "whiteout", PROOF_FILES, "renames with a whiteout", whiteout_config },
	{ "device", PROOF_CALL, "makes a block device", make_device },
	{ "setuid", PROOF_CALL, "makes a file setuid", make_setuid },
	{ "create_setuid", PROOF_CALL, "creates one setuid", create_setuid },
	{ "home_read", PROOF_SECRET, "reads a key in a writable home", read_at_home },
	{ "home_symlink", PROOF_SECRET, "reads it by a symlink", read_at_home_by_symlink },
	{ "home_link", PROOF_SECRET, "reads it by a hard link", read_at_home_by_hard_link },
	{ "home_rename", PROOF_SECRET, "moves its directory", read_at_home_moved, ".ssh" },
	{ "home_dirfd", PROOF_SECRET, "reads it below a descriptor", read_at_home_by_dirfd },
	{ "home_exchange", PROOF_SECRET, "exchanges it", read_at_home_exchanged },
	{ 0 },
};
