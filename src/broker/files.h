/* SPDX-License-Identifier: MIT */
#ifndef BROKER_FILES_H
#define BROKER_FILES_H

/* What files.c, entries.c and shm.c share. */

#include "base/attr.h"
#include "broker/request.h"

/* ---- ends.c: entries of directories ------------------------------------------------------- */

/* An entry that a call names, and where it is. The directory is pinned. */
struct end {
	struct entry entry;
	struct where dir;
	struct where where; /* of the entry, which may not exist */
	bool exists;	    /* by end_look() */
	struct stat st;	    /* of the entry itself, when it exists */
};

#define END_NONE                                                                                   \
	{                                                                                          \
		.entry = {.dir = -1 }                                                              \
	}

static inline void
end_close(const struct end *end)
{
	close_fdp(&end->entry.dir);
}

#define AUTO_END __attribute__((cleanup(end_close))) struct end

/* As a component that the kernel takes: the name, with the slash that stood behind it. */
#define LEAF_MAX (NAME_MAX + 3)
void end_leaf(const struct end *end, char out[LEAF_MAX]);

/* ".", ".." or "/": nothing can be made, moved or removed under such a name, and the kernel says so
 * in its own words when it is asked to. */
bool entry_is_special(const struct entry *entry);

/* Copies a path. False: `answer` is the answer. What may not be looked at is left to the floor,
 * which lets nobody make or move anything where names are protected. */
bool copy_path(const struct request *r, uint64_t address, char path[PATH_MAX],
	       struct answer *answer);

/* Copies the path that an argument points at and walks to its last component. False: `answer` is
 * the answer. */
bool end_walk(struct request *r, int dirfd, uint64_t address, struct end *end,
	      struct answer *answer);

/* Judges where the entry is. Under the lock. 0 or an errno. */
int end_judge(const struct broker *b, struct end *end);

/* Looks what is there now: `exists` and `st`. 0 or an errno. */
int end_look(struct end *end);

static inline bool
end_is_dir(const struct end *end)
{
	return end->exists && S_ISDIR(end->st.st_mode);
}

static inline bool
end_is_own_shm(const struct request *r, const struct end *end)
{
	return end->where.place == PLACE_SHM && r->broker->shm != NULL;
}

/* Looks, and says what keeps something new from being made there before permissions do; 0: nothing.
 * Nothing but a directory may be called "name/". */
int end_making_error(struct end *end, bool directory);

/* Leaves a call to the floor, which refuses it or not. */
struct answer end_leave(struct request *r, const struct end *end);

/*
 * Could a directory or a symlink, put at `path`, bring along what is protected by its place? A hook
 * into .git/modules/NAME/hooks where .git may be written to, or a denied path that does not exist
 * yet.
 */
bool could_bring_protected(const struct broker *b, const char *path);

/* Is `path` below a .git that may be written to? No symlink is made there: git, outside, would
 * write through it to its hooks and configuration (a message, a line of the log). */
bool is_in_open_git(const struct broker *b, const char *path);

/* Of two such paths. */
bool is_same_git(const struct broker *b, const char *path, const char *other);

/* Is `path`, of a directory below a .git that may be written to, one in which names are protected
 * that need not be protected elsewhere (hooks of modules, info/attributes)? */
bool could_hold_git_part(const struct broker *b, const char *path);

struct answer refuse_bringing(struct request *r, const struct end *end);

/* May nobody read there, although all may write? Then the broker reads nothing there either, and
 * nothing leaves that place. */
bool is_unreadable(const struct broker *b, const char *path);

/* ---- moves.c: the calls with two ends ------------------------------------------------------- */

struct answer handle_link(struct request *r);
struct answer handle_linkat(struct request *r);
struct answer handle_rename(struct request *r); /* with an enum entry_variant */

enum entry_variant { CALL_PLAIN, CALL_AT, CALL_AT2 };

/* ---- reopen.c: objects ---------------------------------------------------------------------- */

#define PROC_FD_MAX 32

/* The way to open again, or to link, what a descriptor of the broker's is open on. */
void proc_fd_path(int fd, char out[PROC_FD_MAX]);

/* As place_of_fd(); what has been deleted is judged by where it was. */
int place_of_object(const struct broker *b, int fd, struct where *out);

/* Served places, and own names in /dev/shm. */
bool is_served(const struct broker *b, const struct where *where, const struct stat *st);

/* Opens a pinned object for the caller, whose flags these are, or waits as the kernel would. */
struct answer reopen(int object, const struct stat *st, int flags);

struct answer handle_truncate(struct request *r);

/* ---- shm.c: own names in /dev/shm; under the lock ------------------------------------------- */

/* Is what is at this path in /dev/shm the command's own file? */
bool shm_owns(const struct broker *b, const char *path, const struct stat *st);

/* The refusal of a name that is not. */
struct answer shm_refuse(struct request *r, const struct where *where);

/* Makes the file; as openat(2) with O_CREAT | O_EXCL: a descriptor, or -1 and errno. */
int shm_create(struct request *r, const struct end *end, int flags, mode_t mode);

struct answer shm_unlink_entry(struct request *r, struct end *end);
struct answer shm_link_entry(struct request *r, int source, const struct stat *st,
			     const struct where *from, struct end *to);
struct answer shm_rename_entry(struct request *r, struct end *from, struct end *to,
			       unsigned int flags);

#endif /* BROKER_FILES_H */
