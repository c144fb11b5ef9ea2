/* SPDX-License-Identifier: MIT */
#ifndef BROKER_METADATA_H
#define BROKER_METADATA_H

/*
 * What the calls that change metadata share (metadata.c): finding the object, judging its place,
 * changing it. A handler copies what is to be set, and hands it on as `how`.
 */

#include "broker/request.h"

/* The object of a call, pinned. */
struct object {
	int fd;
	bool descriptor; /* the caller's own descriptor, open as the caller has it; else O_PATH */
	char link[32];	 /* a path that leads to it, for the calls that take no O_PATH descriptor */
};

/* Changes the object; -1 and errno. */
typedef long (*change_fn)(const struct object *object, const void *how);

/* The object at `path`, an address in the caller; `flags` are AT_SYMLINK_NOFOLLOW and
 * AT_EMPTY_PATH. */
struct answer change_path(struct request *r, int dirfd, uint64_t path, unsigned int flags,
			  change_fn change, const void *how);

/* What the caller's descriptor `fd` is open on. EBADF for O_PATH, as in the kernel. */
struct answer change_descriptor(struct request *r, int fd, change_fn change, const void *how);

/*
 * As the newer calls do it (xattrat, file_setattr): with AT_EMPTY_PATH a path that is empty or NULL
 * means the descriptor `dirfd`, opened for something.
 */
struct answer change_path_or_descriptor(struct request *r, int dirfd, uint64_t path,
					unsigned int flags, change_fn change, const void *how);

/* Which arguments a call has: bits of call_row.variant. */
#define WITH_DIRFD 1 /* the first is a directory, the path comes behind it */
#define WITH_FLAGS 2 /* the last are AT_* flags */
#define OF_LINK 4    /* a symlink at the end is the object */
#define OF_FD 8	     /* the first is a descriptor, and there is no path */
#define REMOVES 16   /* an extended attribute, instead of setting it */

/* Not in the headers of every system; the numbers are the same on all architectures. */
#define NR_FCHMODAT2 452     /* Linux 6.6 */
#define NR_SETXATTRAT 463    /* 6.13 */
#define NR_REMOVEXATTRAT 466 /* 6.13 */
#define NR_FILE_SETATTR 469  /* 6.17 */

struct answer change_xattr(struct request *r);	    /* xattr.c: [lf]setxattr, [lf]removexattr */
struct answer change_xattr_at(struct request *r);   /* setxattrat, removexattrat */
struct answer change_attributes(struct request *r); /* file_setattr */
struct answer change_flags(struct request *r);	    /* ioctl(FS_IOC_SETFLAGS) and its like */

#endif /* BROKER_METADATA_H */
