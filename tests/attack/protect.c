/* SPDX-License-Identifier: MIT */

/* Changing protected names of a writable workspace: .git and directories of agents' settings. */

#include "attack.h"
#include "reach.h"

#include "base/attr.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define APPEND (O_WRONLY | O_APPEND | O_CLOEXEC)
#define CREATE (O_WRONLY | O_CREAT | O_CLOEXEC)

static const char *
git_config(const struct scene *s)
{
	return path("%s/.git/config", s->workspace);
}

static enum outcome
append(const struct scene *s)
{
	return write_mark(open(path("%s/%s", s->workspace, s->row->subject), APPEND));
}

static enum outcome
append_to_config(const struct scene *s)
{
	return write_mark(open(git_config(s), APPEND));
}

static enum outcome
create_hook(const struct scene *s)
{
	return write_mark(
		open(path("%s/.git/hooks/pre-commit", s->workspace), CREATE | O_EXCL, 0755));
}

static enum outcome
unlink_head(const struct scene *s)
{
	return tried(unlink(path("%s/.git/HEAD", s->workspace)), "unlink");
}

static enum outcome
make_git_subdirectory(const struct scene *s)
{
	return tried(mkdir(path("%s/.git/worktrees", s->workspace), 0755), "mkdir");
}

/* ---- other spellings ------------------------------------------------------------------------- */

static enum outcome
append_by_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (symlink("../.git", alias) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(path("%s/config", alias), APPEND));
}

static enum outcome
append_by_hard_link(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (link(git_config(s), alias) != 0) {
		return blocked("link");
	}
	return write_mark(open(alias, APPEND));
}

static enum outcome
append_by_proc_cwd(const struct scene *s)
{
	if (chdir(s->workspace) != 0) {
		return blocked("chdir");
	}
	return write_mark(open("/proc/self/cwd/.git/config", APPEND));
}

static enum outcome
append_from_inside(const struct scene *s)
{
	if (chdir(path("%s/.git/refs", s->workspace)) != 0) {
		return blocked("chdir");
	}
	return write_mark(open("../config", APPEND));
}

static enum outcome
append_by_winding_path(const struct scene *s)
{
	return write_mark(open(path("%s//./.git//hooks/../config", s->workspace), APPEND));
}

static enum outcome
append_by_other_case(const struct scene *s)
{
	const char *name = path("%s/.GIT/config", s->workspace);
	struct stat st;

	if (stat(name, &st) != 0) {
		return not_applicable("names are case-sensitive here");
	}
	return write_mark(open(name, APPEND));
}

static enum outcome
append_by_uring(const struct scene *s)
{
	struct ring ring;

	if (ring_open(&ring) != 0) {
		return blocked("io_uring_setup");
	}
	return write_mark(ring_openat(&ring, git_config(s), APPEND, 0));
}

/* ---- moving them away ------------------------------------------------------------------------ */

static enum outcome
replace_config(const struct scene *s)
{
	const char *mine = path("%s/config", s->work);

	if (!put_text(mine, "[core]\n")) {
		return blocked("make a file to move");
	}
	return tried(rename(mine, git_config(s)), "rename");
}

static enum outcome
replace_by_symlink(const struct scene *s)
{
	const char *git = path("%s/.git", s->workspace);
	const char *mine = path("%s/git", s->work);

	if (rename(git, path("%s.old", git)) != 0) {
		return blocked("rename");
	}
	if (mkdir(mine, 0755) != 0 || symlink("work/git", git) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(git_config(s), CREATE, 0644));
}

static enum outcome
exchange_git(const struct scene *s)
{
	const char *mine = path("%s/git", s->work);

	if (mkdir(mine, 0755) != 0) {
		return blocked("mkdir");
	}
	return tried(
		renameat2(AT_FDCWD, mine, AT_FDCWD, path("%s/.git", s->workspace), RENAME_EXCHANGE),
		"renameat2");
}

static enum outcome
rename_workspace(const struct scene *s)
{
	return tried(rename(s->workspace, path("%s-moved", s->workspace)), "rename");
}

static enum outcome
rename_ancestor(const struct scene *s)
{
	const char *moved = path("%s/sub/moved", s->workspace);

	if (rename(path("%s/sub/nested", s->workspace), moved) != 0) {
		return blocked("rename");
	}
	return write_mark(open(path("%s/.git/config", moved), APPEND));
}

static enum outcome
rename_far_ancestor(const struct scene *s)
{
	const char *moved = path("%s/sub-moved", s->work);

	if (rename(path("%s/sub", s->workspace), moved) != 0) {
		return blocked("rename");
	}
	return write_mark(open(path("%s/nested/.git/config", moved), APPEND));
}

static enum outcome
remove_and_recreate(const struct scene *s)
{
	if (unlink(git_config(s)) != 0) {
		return blocked("unlink");
	}
	return write_mark(open(git_config(s), CREATE, 0644));
}

/* ---- mounts in a namespace of one's own ------------------------------------------------------ */

static enum outcome
bind_elsewhere(const struct scene *s)
{
	const char *mine = path("%s/mnt", s->work);

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mkdir(mine, 0755);
	if (mount(s->workspace, mine, NULL, MS_BIND, NULL) != 0) {
		return blocked("mount --bind");
	}
	return write_mark(open(path("%s/.git/config", mine), APPEND));
}

static enum outcome
unmount(const struct scene *s)
{
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)umount2(path("%s/.git", s->workspace), MNT_DETACH);
	return append_to_config(s);
}

static enum outcome
remount_writable(const struct scene *s)
{
	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	(void)mount("none", path("%s/.git", s->workspace), NULL, MS_BIND | MS_REMOUNT, NULL);
	return append_to_config(s);
}

static enum outcome
clone_tree(const struct scene *s)
{
	int tree;

	if (enter_mount_namespace() != 0) {
		return blocked("unshare");
	}
	tree = (int)syscall(SYS_open_tree, AT_FDCWD, s->workspace, OPEN_TREE_CLONE);
	if (tree < 0) {
		return blocked("open_tree");
	}
	return write_mark(openat(tree, ".git/config", APPEND));
}

/* ---- metadata -------------------------------------------------------------------------------- */

static enum outcome
change_mode(const struct scene *s)
{
	return tried(chmod(git_config(s), 0777), "chmod");
}

static enum outcome
change_times(const struct scene *s)
{
	static const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

	return tried(utimensat(AT_FDCWD, git_config(s), times, 0), "utimensat");
}

const struct attack protect_attacks[] = {
	{ "git_config", PROOF_FILES, "appends to .git/config", append_to_config },
	{ "git_hook", PROOF_FILES, "creates a hook", create_hook },
	{ "git_head", PROOF_FILES, "removes .git/HEAD", unlink_head },
	{ "git_mkdir", PROOF_FILES, "makes a directory in .git", make_git_subdirectory },
	{ "vtcode", PROOF_FILES, "appends to .vtcode", append, ".vtcode/vtcode.toml" },
	{ "codex", PROOF_FILES, "appends to .codex", append, ".codex/config.toml" },
	{ "agents", PROOF_FILES, "appends to .agents", append, ".agents/skill.md" },
	{ "claude", PROOF_FILES, "appends to .claude", append, ".claude/settings.json" },
	{ "bailey", PROOF_FILES, "appends to .bailey", append, ".bailey/policy.toml" },
	{ "nested", PROOF_FILES, "appends to .git/config of a repository below", append,
	  "sub/nested/.git/config" },
	/* In the fixture sub/linked/.git is a file that names this directory. */
	{ "gitfile_target", PROOF_FILES, "appends to a directory that a .git file names", append,
	  "sub/gitdirs/linked/config" },
	{ "gitfile", PROOF_FILES, "appends to a .git file", append, "sub/linked/.git" },
	{ "symlink", PROOF_FILES, "writes through a symlink to .git", append_by_symlink },
	{ "hard_link", PROOF_FILES, "writes through a hard link", append_by_hard_link },
	{ "proc_cwd", PROOF_FILES, "writes by way of /proc/self/cwd", append_by_proc_cwd },
	{ "from_inside", PROOF_FILES, "writes relative to .git/refs", append_from_inside },
	{ "winding_path", PROOF_FILES, "writes by a path with //, . and ..",
	  append_by_winding_path },
	{ "other_case", PROOF_FILES, "writes to .GIT", append_by_other_case },
	{ "uring", PROOF_FILES, "opens .git/config through io_uring", append_by_uring },
	{ "replace_config", PROOF_FILES, "renames a file over .git/config", replace_config },
	{ "replace_git", PROOF_FILES, "puts a symlink in the place of .git", replace_by_symlink },
	{ "exchange_git", PROOF_FILES, "exchanges .git with a directory", exchange_git },
	{ "rename_workspace", PROOF_FILES, "renames the workspace", rename_workspace },
	{ "rename_ancestor", PROOF_FILES, "renames the directory above a .git", rename_ancestor },
	{ "rename_far_ancestor", PROOF_FILES, "renames a directory further above",
	  rename_far_ancestor },
	{ "recreate", PROOF_FILES, "removes and recreates .git/config", remove_and_recreate },
	{ "ns_bind", PROOF_FILES, "bind-mounts the workspace elsewhere", bind_elsewhere },
	{ "ns_umount", PROOF_FILES, "unmounts what covers .git", unmount },
	{ "ns_remount", PROOF_FILES, "remounts .git writable", remount_writable },
	{ "ns_open_tree", PROOF_FILES, "clones the mount of the workspace", clone_tree },
	{ "chmod", PROOF_FILES, "changes the mode of .git/config", change_mode },
	{ "utimes", PROOF_FILES, "changes the times of .git/config", change_times },
	{ 0 },
};
