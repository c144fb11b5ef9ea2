/* SPDX-License-Identifier: MIT */

/*
 * The least that a Landlock launcher can do, as a measure for what the kernel itself costs: a few
 * rules (everything may be read and run, the working directory and /tmp may be written) and exec.
 * It keeps no secret, refuses no system call and leaves nobody behind.
 */

#include "plan/landlock_abi.h"
#include "plan/rights.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
allow(int ruleset, const char *path, uint64_t access)
{
	struct ll_path_beneath_attr attr = { access, open(path, O_PATH | O_CLOEXEC) };

	return (int)syscall(SYS_landlock_add_rule, ruleset, LL_RULE_PATH_BENEATH, &attr, 0);
}

int
main(int argc, char **argv)
{
	struct ll_ruleset_attr attr = {
		.handled_fs = RIGHTS_READ | RIGHTS_WRITE | LL_EXECUTE,
		.handled_net = LL_NET_BIND_TCP | LL_NET_CONNECT_TCP,
		.scoped = LL_SCOPE_ABSTRACT_UNIX | LL_SCOPE_SIGNAL,
	};
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);

	if (argc < 2 || ruleset < 0 || allow(ruleset, "/", RIGHTS_READ | LL_EXECUTE) != 0 ||
	    allow(ruleset, "/dev", LL_WRITE_FILE) != 0 || allow(ruleset, ".", RIGHTS_WRITE) != 0 ||
	    allow(ruleset, "/tmp", RIGHTS_WRITE) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
		perror("landlock_only");
		return 125;
	}
	(void)execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
