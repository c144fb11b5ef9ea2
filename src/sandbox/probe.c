/* SPDX-License-Identifier: MIT */

/* What this machine offers, found out by trying in a child that ends at once. */

#include <bailey/sandbox.h>
#include <bailey/version.h>

#include "base/attr.h"
#include "plan/rights.h"
#include "sandbox/landlock.h"
#include "sandbox/tree.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

const char *
bailey_version(void)
{
	return BAILEY_VERSION;
}

static bool
can_unshare_user(void)
{
	return unshare(CLONE_NEWUSER) == 0;
}

static bool
can_listen(void)
{
	static struct sock_filter allow[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { COUNT_OF(allow), allow };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		       &program) >= 0;
}

/* Does it hold in a child? A child, because what is tried cannot be undone. */
static bool
in_child(bool (*try)(void))
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		_exit(try() ? 0 : 1);
	}
	if (pid < 0) {
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
read_line(const char *path, char *buf, size_t size)
{
	AUTO_FILE *file = fopen(path, "re");

	buf[0] = '\0';
	if (file != NULL && fgets(buf, (int)size, file) != NULL) {
		buf[strcspn(buf, "\n")] = '\0';
	}
}

void
bailey_probe(struct bailey_capabilities *out)
{
	struct host host;
	struct utsname name;
	AUTO_FD pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	host_probe(&host, 0);
	*out = (struct bailey_capabilities){
		.landlock_abi = host.landlock_abi,
		.landlock_errno = host.landlock_errno,
		.landlock_fs = host.landlock_fs,
		.landlock_net = host.landlock_net,
		.landlock_scope = host.landlock_scope,
		.seccomp = host.seccomp,
		.user_notification = in_child(can_listen),
		.user_namespaces = in_child(can_unshare_user),
		.pidfd = pidfd >= 0,
		.proc_children = tree_supported(),
	};
	read_line("/sys/kernel/security/lsm", out->lsms, sizeof(out->lsms));
	if (uname(&name) == 0) {
		(void)snprintf(out->kernel, sizeof(out->kernel), "%s", name.release);
	}
}

bool
bailey_landlock_supported(void)
{
	struct host host;

	host_probe(&host, 0);
	return host.landlock_abi > 0;
}

const char *
bailey_landlock_right_name(unsigned int bit)
{
	return plan_fs_right_name(bit);
}

int
bailey_landlock_right_abi(unsigned int bit)
{
	const struct right_table *table = plan_right_table(RIGHTS_FS);

	for (size_t i = 0; i < table->count; i++) {
		if (bit < 64 && table->rights[i].bit == BIT(bit)) {
			return table->rights[i].abi;
		}
	}
	return 0;
}
