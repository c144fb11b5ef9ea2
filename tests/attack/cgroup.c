/* SPDX-License-Identifier: MIT */

/* Leaving the control group, where the user has one to write to. */

#include "attack.h"

#include <sys/stat.h>
#include <unistd.h>

static enum outcome
move_self(const struct scene *s)
{
	if (*s->cgroup == '\0') {
		return not_applicable("no control group to write to");
	}
	return tried(write_to(path("%s/cgroup.procs", s->cgroup), path("%d", getpid())) ? 0 : -1,
		     "write to cgroup.procs");
}

static enum outcome
make_group(const struct scene *s)
{
	if (*s->cgroup == '\0') {
		return not_applicable("no control group to write to");
	}
	return tried(mkdir(path("%s/new", s->cgroup), 0755), "mkdir");
}

const struct attack cgroup_attacks[] = {
	{ "escape", PROOF_CALL, "moves itself to another control group", move_self },
	{ "mkdir", PROOF_CALL, "makes a control group", make_group },
	{ 0 },
};
