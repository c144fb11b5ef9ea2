/* SPDX-License-Identifier: MIT */
#ifndef PLAN_RIGHTS_H
#define PLAN_RIGHTS_H

/* Landlock's rights by name and ABI, and the groups in which the plan grants them. */

#include "plan/landlock_abi.h"

#include <stddef.h>

enum right_kind { RIGHTS_FS, RIGHTS_NET, RIGHTS_SCOPE };

struct right {
	uint64_t bit;
	int abi; /* the first that has it */
	const char *name;
};

struct right_table {
	const struct right *rights;
	size_t count;
};

const struct right_table *plan_right_table(enum right_kind kind);

/* What makes sense on a file that is not a directory; the kernel refuses more (EINVAL). */
#define RIGHTS_ON_FILES                                                                            \
	(LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV | LL_RESOLVE_UNIX)

#define RIGHTS_READ (LL_READ_FILE | LL_READ_DIR)

/* Devices and sockets are made nowhere: a device node would be a way around every file rule. */
#define RIGHTS_WRITE                                                                               \
	(LL_WRITE_FILE | LL_TRUNCATE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR |              \
	 LL_MAKE_REG | LL_MAKE_FIFO | LL_MAKE_SYM | LL_REFER)

#define RIGHTS_DEVICE (LL_READ_FILE | LL_WRITE_FILE | LL_IOCTL_DEV)

#endif /* PLAN_RIGHTS_H */
