/* SPDX-License-Identifier: MIT */

/*
 * Workspaces that were prepared before the sandbox started, as an earlier command in the same
 * workspace could do. run.py makes each of them.
 */

#include "attack.h"

#include <fcntl.h>

static enum outcome
append(const struct scene *s)
{
	return write_mark(open(path("%s/%s", s->workspace, s->row->subject), O_WRONLY | O_APPEND));
}

static enum outcome
create(const struct scene *s)
{
	return write_mark(
		open(path("%s/%s", s->workspace, s->row->subject), O_WRONLY | O_CREAT, 0644));
}

const struct attack start_attacks[] = {
	{ "linked_git", PROOF_FILES, "writes to the directory to which .git is a symlink", append,
	  "sub/real-git/config" },
	{ "git_file", PROOF_FILES, "writes to the directory that a file .git names", append,
	  "sub/real-git/config" },
	{ "linked_root", PROOF_FILES, "has a symlink in the place of a writable root", create,
	  "granted/new.txt" },
	{ "linked_directory", PROOF_FILES, "has a symlink in the place of a directory", create,
	  "sub/new.txt" },
	{ 0 },
};
