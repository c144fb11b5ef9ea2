/* SPDX-License-Identifier: MIT */
#ifndef BASE_FD_H
#define BASE_FD_H

/*
 * Files and descriptors: the part of base/ that makes system calls. Every descriptor that comes
 * out of here is close-on-exec and belongs to the caller.
 */

#include "base/arena.h"

#include <bailey/error.h>

#include <stddef.h>

/*
 * The whole of a file, NUL-terminated, into the arena. Refuses what is not a regular file (a FIFO
 * would block for ever) and what is longer than `max` bytes.
 */
int read_file(struct arena *arena, const char *path, size_t max, char **text, size_t *len,
	      struct bailey_error *err);

/*
 * Resolves every symlink of `path` (absolute) as far as the path exists; the components that do
 * not exist are appended as they are. A dangling symlink resolves to where it points. NULL with
 * errno set when there is a loop, a directory that may not be searched, or no memory.
 */
char *path_resolve(struct arena *arena, const char *path);

/*
 * openat2(2) below `dirfd` with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS: the
 * result is below the directory or it is an error. -1 and errno. Since Linux 5.6.
 */
int open_beneath(int dirfd, const char *path, int flags);

/*
 * Removes a tree below `dirfd` without ever following a symlink, however deep it is. Goes on after
 * a failure; returns 0, or -1 with the first errno. Restores search permission on directories that
 * lack it. Nobody else may be adding to the tree at the time.
 */
int remove_tree(int dirfd, const char *name);

/* write(2) until all is written. 0, or -1 and errno. */
int write_all(int fd, const char *data, size_t len);

/*
 * One descriptor over a unix socket (SCM_RIGHTS, unix(7)). send_fd() only makes system calls and
 * returns 0, or -1 and errno; receive_fd() returns the descriptor, or -1 and errno (ENODATA when
 * the other end was closed without sending one).
 */
int send_fd(int channel, int fd);
int receive_fd(int channel);

/* Closes all descriptors but these; -1 is none. Only makes system calls. 0, or -1 and errno. */
int close_all_but(const int *kept, size_t count);

#endif /* BASE_FD_H */
