/* SPDX-License-Identifier: MIT */

/* The private temp directory of a run. What happens to it at the end is run.py's to see. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>

static const char *
own_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory != NULL ? directory : "/tmp";
}

/* run.py looks whether the file is still there after the end. */
static enum outcome
leave_file(const struct scene *s)
{
	const char *name = path("%s/attack-%s", own_directory(), s->tag);

	return put_text(name, "left") ? succeeded("left=%s", name) : blocked("create a file");
}

static enum outcome
read_other(const struct scene *s)
{
	return show_file(open(path("%s/secret", s->other_tmp), O_RDONLY | O_CLOEXEC));
}

static enum outcome
list_other(const struct scene *s)
{
	AUTO_DIR *dir = opendir(s->other_tmp);

	return dir != NULL ? succeeded("opendir") : blocked("opendir");
}

static enum outcome
write_other(const struct scene *s)
{
	return write_mark(open(path("%s/secret", s->other_tmp), O_WRONLY | O_APPEND));
}

static enum outcome
create_in_other(const struct scene *s)
{
	return write_mark(open(path("%s/new", s->other_tmp), O_WRONLY | O_CREAT, 0600));
}

const struct attack tmp_attacks[] = {
	{ "leave_file", PROOF_LEFT, "leaves a file in the temp directory", leave_file },
	{ "read_other", PROOF_SECRET, "reads in the temp directory of another run", read_other },
	{ "list_other", PROOF_CALL, "lists the temp directory of another run", list_other },
	{ "write_other", PROOF_FILES, "writes in the temp directory of another run", write_other },
	{ "create_in_other", PROOF_FILES, "creates in the temp directory of another run",
	  create_in_other },
	{ 0 },
};
