/* SPDX-License-Identifier: MIT */

/* Writing in the workspace, which the policy read-only keeps as it is. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static const char *
readme(const struct scene *s)
{
	return path("%s/README.md", s->workspace);
}

static enum outcome
create(const struct scene *s)
{
	return write_mark(open(path("%s/new.txt", s->workspace), O_WRONLY | O_CREAT, 0644));
}

static enum outcome
create_below(const struct scene *s)
{
	return write_mark(open(path("%s/new.txt", s->work), O_WRONLY | O_CREAT, 0644));
}

static enum outcome
append(const struct scene *s)
{
	return write_mark(open(readme(s), O_WRONLY | O_APPEND));
}

static enum outcome
append_by_reopening(const struct scene *s)
{
	int fd = open(readme(s), O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return blocked("open for reading");
	}
	return write_mark(open(path("/proc/self/fd/%d", fd), O_WRONLY | O_APPEND));
}

static enum outcome
truncate_file(const struct scene *s)
{
	return tried(truncate(readme(s), 0), "truncate");
}

static enum outcome
make_directory(const struct scene *s)
{
	return tried(mkdir(path("%s/new", s->work), 0755), "mkdir");
}

static enum outcome
make_symlink(const struct scene *s)
{
	return tried(symlink("README.md", path("%s/new", s->work)), "symlink");
}

static enum outcome
make_hard_link(const struct scene *s)
{
	return tried(link(readme(s), path("%s/new", s->work)), "link");
}

static enum outcome
unlink_file(const struct scene *s)
{
	return tried(unlink(readme(s)), "unlink");
}

static enum outcome
rename_file(const struct scene *s)
{
	return tried(rename(readme(s), path("%s/README.md", s->work)), "rename");
}

static enum outcome
change_mode(const struct scene *s)
{
	return tried(chmod(readme(s), 0777), "chmod");
}

static enum outcome
change_times(const struct scene *s)
{
	static const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

	return tried(utimensat(AT_FDCWD, readme(s), times, 0), "utimensat");
}

static enum outcome
set_attribute(const struct scene *s)
{
	int result = setxattr(readme(s), "user.attack", "1", 1, 0);

	if (result != 0 && errno == EOPNOTSUPP) {
		return not_applicable("no extended attributes here");
	}
	return tried(result, "setxattr");
}

static enum outcome
create_in_tmp(const struct scene *s)
{
	return write_mark(open(path("/tmp/attack-%s", s->tag), O_WRONLY | O_CREAT, 0644));
}

const struct attack readonly_attacks[] = {
	{ "create", PROOF_FILES, "creates a file in the workspace", create },
	{ "create_below", PROOF_FILES, "creates a file below the workspace", create_below },
	{ "append", PROOF_FILES, "appends to a file", append },
	{ "append_by_reopening", PROOF_FILES, "reopens a descriptor for writing",
	  append_by_reopening },
	{ "truncate", PROOF_FILES, "truncates a file", truncate_file },
	{ "mkdir", PROOF_FILES, "makes a directory", make_directory },
	{ "symlink", PROOF_FILES, "makes a symlink", make_symlink },
	{ "hard_link", PROOF_FILES, "makes a hard link", make_hard_link },
	{ "unlink", PROOF_FILES, "removes a file", unlink_file },
	{ "rename", PROOF_FILES, "renames a file", rename_file },
	{ "chmod", PROOF_FILES, "changes a file's mode", change_mode },
	{ "utimes", PROOF_FILES, "changes a file's times", change_times },
	{ "setxattr", PROOF_FILES, "sets an extended attribute", set_attribute },
	{ "tmp", PROOF_FILES, "creates a file in /tmp", create_in_tmp },
	{ 0 },
};
