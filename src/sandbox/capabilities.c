/* SPDX-License-Identifier: MIT */
#include "sandbox/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
capabilities_drop(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	static const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
	unsigned int any = 0;

	if (syscall(SYS_capget, &header, sets) != 0) {
		return -1;
	}
	for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		any |= sets[i].permitted | sets[i].inheritable;
	}
	if (any == 0) {
		return 0;
	}
	if ((sets[0].effective & (1U << CAP_SETPCAP)) != 0) {
		/* uid 0 gains nothing at exec any more; locked, so that it stays so. The bounding
		 * set needs no emptying (41 calls): no_new_privs, set next and for good, keeps an
		 * exec from ever adding a permitted capability. */
		if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0) != 0) {
			return -1;
		}
	}
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &header, none) == 0 ? 0 : -1;
}
