/* SPDX-License-Identifier: MIT */

/*
 * Repositories of the attacker's own below the workspace, which run their hooks when the user
 * enters them: each way in which the name .git can come to be, and from where one can be brought.
 */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define CREATE (O_WRONLY | O_CREAT | O_CLOEXEC)

/* In the directory `work` of the workspace, which has none. */
static const char *
nested(const struct scene *s)
{
	return path("%s/.git", s->work);
}

static enum outcome
make_nested(const struct scene *s)
{
	return tried(mkdir(path("%s/%s", s->work, s->row->subject), 0755), "mkdir");
}

static enum outcome
make_nested_file(const struct scene *s)
{
	return write_mark(open(nested(s), CREATE, 0644));
}

static enum outcome
make_nested_symlink(const struct scene *s)
{
	return tried(symlink("mine", nested(s)), "symlink");
}

static enum outcome
make_nested_fifo(const struct scene *s)
{
	return tried(mkfifo(nested(s), 0600), "mkfifo");
}

static enum outcome
make_nested_socket(const struct scene *s)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", nested(s));
	return fd < 0 ? blocked("socket")
		      : tried(bind(fd, (struct sockaddr *)&address, sizeof(address)), "bind");
}

static enum outcome
link_nested(const struct scene *s)
{
	if (!put_text(path("%s/mine", s->work), "gitdir: mine\n")) {
		return blocked("make a file");
	}
	return tried(link(path("%s/mine", s->work), nested(s)), "link");
}

static enum outcome
rename_nested(const struct scene *s)
{
	if (mkdir(path("%s/mine", s->work), 0755) != 0) {
		return blocked("mkdir");
	}
	return tried(rename(path("%s/mine", s->work), nested(s)), "rename");
}

/* A dangling symlink says where open(2) with O_CREAT makes the file. */
static enum outcome
create_through_dangling_symlink(const struct scene *s)
{
	const char *alias = path("%s/alias", s->work);

	if (symlink(".git", alias) != 0) {
		return blocked("symlink");
	}
	return write_mark(open(alias, CREATE, 0644));
}

/* The temp directory is the attacker's own, protected names included. */
static enum outcome
bring_nested_from_temp(const struct scene *s)
{
	const char *mine = path("%s/attack-%s", temp_directory(), s->tag);

	if (mkdir(mine, 0755) != 0 || mkdir(path("%s/.git", mine), 0755) != 0) {
		return blocked("make a repository");
	}
	if (rename(mine, path("%s/brought", s->work)) == 0) {
		return succeeded("rename");
	}
	(void)rmdir(path("%s/.git", mine));
	(void)rmdir(mine);
	return errno == EXDEV ? not_applicable("the temp directory is another file system")
			      : blocked("rename");
}

static enum outcome
exchange_nested_from_temp(const struct scene *s)
{
	const char *mine = path("%s/attack-%s", temp_directory(), s->tag);
	const char *place = path("%s/brought", s->work);

	if (mkdir(mine, 0755) != 0 || mkdir(path("%s/.git", mine), 0755) != 0 ||
	    mkdir(place, 0755) != 0) {
		return blocked("make a repository");
	}
	if (renameat2(AT_FDCWD, mine, AT_FDCWD, place, RENAME_EXCHANGE) == 0) {
		(void)rmdir(mine);
		return succeeded("renameat2");
	}
	(void)rmdir(path("%s/.git", mine));
	(void)rmdir(mine);
	return errno == EXDEV ? not_applicable("the temp directory is another file system")
			      : blocked("renameat2");
}

/* Moved out and back in: a repository that is in the way of nobody on the way. */
static enum outcome
move_git_away(const struct scene *s)
{
	const char *git = path("%s/.git", s->workspace);
	const char *away = path("%s/attack-%s", temp_directory(), s->tag);

	if (rename(git, away) != 0) {
		return errno == EXDEV ? not_applicable("the temp directory is another file system")
				      : blocked("rename");
	}
	return tried(rename(away, git), "rename there and back");
}

/* One step at a time, the second time deeper than any path is long (and than run.py looks). */
static enum outcome
make_deep_nested(const struct scene *s)
{
	char name[251];

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	if (chdir(s->work) != 0) {
		return blocked("chdir");
	}
	for (int i = 0; i < s->row->args[0]; i++) {
		if (mkdir(name, 0755) != 0 || chdir(name) != 0) {
			return blocked("go down");
		}
	}
	return tried(mkdir(".git", 0755), "mkdir");
}

const struct attack nested_attacks[] = {
	{ "plain", PROOF_FILES, "makes .git below", make_nested, ".git" },
	{ "slash", PROOF_FILES, "makes .git/ below", make_nested, ".git/" },
	{ "dots", PROOF_FILES, "makes .git by ..", make_nested, "../work/./.git//" },
	{ "case", PROOF_FILES, "makes .GiT below", make_nested, ".GiT" },
	{ "claude", PROOF_FILES, "makes .claude below", make_nested, ".claude" },
	{ "file", PROOF_FILES, "makes a file .git below", make_nested_file },
	{ "symlink", PROOF_FILES, "makes a symlink .git", make_nested_symlink },
	{ "fifo", PROOF_FILES, "makes a FIFO .git", make_nested_fifo },
	{ "socket", PROOF_FILES, "binds a socket .git", make_nested_socket },
	{ "link", PROOF_FILES, "links a file as .git", link_nested },
	{ "rename", PROOF_FILES, "renames a directory to .git", rename_nested },
	{ "dangling", PROOF_FILES, "creates .git through a symlink",
	  create_through_dangling_symlink },
	{ "deep", PROOF_FILES, "makes .git far below", make_deep_nested, NULL, { 14 } },
	{ "deeper", PROOF_CALL, "makes it where no path leads", make_deep_nested, NULL, { 20 } },
	{ "from_temp", PROOF_FILES, "moves a repository in from the temp directory",
	  bring_nested_from_temp },
	{ "exchange_temp", PROOF_FILES, "exchanges it in", exchange_nested_from_temp },
	{ "move_git", PROOF_CALL, "moves .git to the temp directory", move_git_away },
	{ 0 },
};
