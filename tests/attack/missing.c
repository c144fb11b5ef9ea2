/* SPDX-License-Identifier: MIT */

/* Creating protected names that the workspace does not have yet. run.py removes them first. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <sys/stat.h>

#define CREATE (O_WRONLY | O_CREAT | O_CLOEXEC)

/* Makes the directory of the workspace that the row names, and a file in it. */
static enum outcome
create(const struct scene *s)
{
	const char *directory = path("%s/%s", s->workspace, s->row->subject);

	if (mkdir(directory, 0755) != 0) {
		return blocked("mkdir");
	}
	return write_mark(open(path("%s/config", directory), CREATE, 0644));
}

static enum outcome
create_git_file(const struct scene *s)
{
	return tried(put_text(path("%s/.git", s->workspace), "gitdir: work/git\n") ? 0 : -1,
		     "create a file .git");
}

static enum outcome
create_symlink(const struct scene *s)
{
	if (mkdir(path("%s/codex", s->work), 0755) != 0) {
		return blocked("mkdir");
	}
	return tried(symlink("work/codex", path("%s/.codex", s->workspace)), "symlink");
}

static enum outcome
rename_to_name(const struct scene *s)
{
	const char *mine = path("%s/codex", s->work);

	if (mkdir(mine, 0755) != 0) {
		return blocked("mkdir");
	}
	return tried(rename(mine, path("%s/.codex", s->workspace)), "rename");
}

const struct attack missing_attacks[] = {
	{ "git", PROOF_FILES, "makes .git", create, ".git" },
	{ "git_file", PROOF_FILES, "makes a file .git", create_git_file },
	{ "vtcode", PROOF_FILES, "makes .vtcode", create, ".vtcode" },
	{ "agents", PROOF_FILES, "makes .agents", create, ".agents" },
	{ "claude", PROOF_FILES, "makes .claude", create, ".claude" },
	{ "symlink", PROOF_FILES, "makes a symlink .codex", create_symlink },
	{ "rename", PROOF_FILES, "renames a directory to .codex", rename_to_name },
	{ "codex", PROOF_FILES, "makes .codex", create, ".codex" },
	{ "bailey", PROOF_FILES, "makes .bailey", create, ".bailey" },
	{ "codex_beside_git", PROOF_FILES, "makes .codex where there is .git", create, ".codex" },
	/* A repository of the attacker's own, which runs its hooks when the user enters it. */
	{ "nested_git", PROOF_FILES, "makes .git in a directory below", create, "sub/.git" },
	{ 0 },
};
