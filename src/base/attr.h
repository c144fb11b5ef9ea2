/* SPDX-License-Identifier: MIT */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

/*
 * Scope-bound release. Every type with a cleanup has an initial value for which the cleanup does
 * nothing (NULL, or -1 for a descriptor), and every such variable is initialised where it is
 * declared. Ownership is given away with take_fd() and take_ptr().
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(n) (UINT64_C(1) << (n))

static inline void
close_fdp(const int *fd)
{
	int saved = errno;

	if (*fd >= 0) {
		(void)close(*fd);
	}
	errno = saved;
}

static inline void
free_ptrp(void *p)
{
	free(*(void **)p);
}

static inline void
close_dirp(DIR **dir)
{
	if (*dir != NULL) {
		(void)closedir(*dir);
	}
}

static inline void
close_filep(FILE **file)
{
	if (*file != NULL) {
		(void)fclose(*file);
	}
}

#define AUTO_FD __attribute__((cleanup(close_fdp))) int
#define AUTO_FREE __attribute__((cleanup(free_ptrp)))
#define AUTO_DIR __attribute__((cleanup(close_dirp))) DIR
#define AUTO_FILE __attribute__((cleanup(close_filep))) FILE

static inline int
take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Moves a pointer out of an AUTO_FREE variable. The type stays that of the variable. */
#define take_ptr(p)                                                                                \
	__extension__({                                                                            \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

#endif /* BASE_ATTR_H */
