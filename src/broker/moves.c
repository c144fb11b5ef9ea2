/* SPDX-License-Identifier: MIT */

/* Links and renames, which have two ends. Both are pinned before either is judged. */

#include "base/path.h"
#include "broker/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1U << 0)
#define RENAME_EXCHANGE (1U << 1)
#define RENAME_WHITEOUT (1U << 2)
#endif

#define RENAME_KNOWN ((unsigned int)(RENAME_NOREPLACE | RENAME_EXCHANGE))

/* ---- link --------------------------------------------------------------------------------- */

struct linking {
	int source; /* pinned */
	struct stat st;
	struct where from;
	struct end to;
};

static void
linking_close(const struct linking *l)
{
	close_fdp(&l->source);
	end_close(&l->to);
}

/* May what is at `from` be had at `to`? What is not to be read there could be read here. */
static bool
may_leave(struct request *r, const char *from, const char *to, struct answer *answer)
{
	if (!is_unreadable(r->broker, from) || is_unreadable(r->broker, to)) {
		return true;
	}
	*answer = refuse(r, EACCES, "read.sensitive", "", from);
	return false;
}

static int64_t
mount_of(int fd)
{
	struct statx sx;

	return statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &sx) == 0 ? (int64_t)sx.stx_mnt_id : -1;
}

static int
error_of_linking(struct linking *l)
{
	int error = end_making_error(&l->to, false);

	if (error != 0) {
		return error;
	}
	return mount_of(l->source) != mount_of(l->to.entry.dir) ? EXDEV : 0;
}

static struct answer
perform_link(struct request *r, struct linking *l)
{
	char source[PROC_FD_MAX];
	char leaf[LEAF_MAX];
	struct answer answer;

	if (!may_leave(r, l->from.path, l->to.where.path, &answer)) {
		return answer;
	}
	if (S_ISLNK(l->st.st_mode) && (could_bring_protected(r->broker, l->to.where.path) ||
				       is_in_open_git(r->broker, l->to.where.path))) {
		int error = error_of_linking(l);

		return error != 0 ? answer_error(error) : refuse_bringing(r, &l->to);
	}
	if (!caller_waits(r)) {
		return answer_error(EINTR);
	}
	proc_fd_path(l->source, source);
	end_leaf(&l->to, leaf);
	return answer_result(linkat(AT_FDCWD, source, l->to.entry.dir, leaf, AT_SYMLINK_FOLLOW));
}

static struct answer
link_judged(struct request *r, struct linking *l)
{
	bool from_writable = place_is_writable(l->from.place);
	bool to_writable = place_is_writable(l->to.where.place);
	int error;

	if (end_is_own_shm(r, &l->to)) {
		return shm_link_entry(r, l->source, &l->st, &l->from, &l->to);
	}
	if (l->from.place == PLACE_PROTECTED || l->to.where.place == PLACE_PROTECTED) {
		error = error_of_linking(l);
		return error != 0 ? answer_error(error)
				  : refuse_place(r, EACCES,
						 l->to.where.place == PLACE_PROTECTED ? &l->to.where
										      : &l->from);
	}
	if (from_writable && to_writable &&
	    (l->from.place == PLACE_SERVED || l->to.where.place == PLACE_SERVED)) {
		return perform_link(r, l);
	}
	if (l->to.where.place == PLACE_SERVED) {
		/* Programs that get this copy. */
		error = end_making_error(&l->to, false);
		return answer_error(error != 0 ? error : EXDEV);
	}
	return end_leave(r, &l->to);
}

static struct answer
do_link(struct request *r, struct linking *l)
{
	int error;
	LOCK_BROKER(r->broker);

	if (fstat(l->source, &l->st) != 0) {
		return answer_error(errno);
	}
	if (entry_is_special(&l->to.entry)) {
		return answer_error(EEXIST);
	}
	error = place_of_object(r->broker, l->source, &l->from);
	if (error == 0) {
		error = end_judge(r->broker, &l->to);
	}
	return error != 0 ? answer_error(error) : link_judged(r, l);
}

static struct answer
run_link(struct request *r, int old_dirfd, uint64_t old, int new_dirfd, uint64_t new, int flags)
{
	__attribute__((cleanup(linking_close))) struct linking l = { .source = -1, .to = END_NONE };
	unsigned int how = (flags & AT_SYMLINK_FOLLOW) != 0 ? 0 : WALK_NOFOLLOW;
	char path[PATH_MAX];
	struct answer answer;

	if (!copy_path(r, old, path, &answer)) {
		return answer;
	}
	how |= (flags & AT_EMPTY_PATH) != 0 ? WALK_EMPTY : 0;
	l.source = walk_object(r, old_dirfd, path, how);
	if (l.source < 0) {
		return answer_error(errno);
	}
	return end_walk(r, new_dirfd, new, &l.to, &answer) ? do_link(r, &l) : answer;
}

struct answer
handle_link(struct request *r)
{
	return run_link(r, AT_FDCWD, r->args[0], AT_FDCWD, r->args[1], 0);
}

struct answer
handle_linkat(struct request *r)
{
	int flags = arg_int(r, 4);

	if ((flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) != 0) {
		return answer_continue(); /* EINVAL */
	}
	return run_link(r, arg_int(r, 0), r->args[1], arg_int(r, 2), r->args[3], flags);
}

/* ---- rename ------------------------------------------------------------------------------- */

/* What is in the way that is no permission. The order is that of the kernel (do_renameat2 of Linux
 * 6.18). */
static int
error_of_types(const struct end *from, const struct end *to, unsigned int flags)
{
	bool exchange = (flags & RENAME_EXCHANGE) != 0;

	if (exchange && !end_is_dir(to) && to->entry.slash) {
		return ENOTDIR;
	}
	if (!end_is_dir(from) && (from->entry.slash || (to->entry.slash && !exchange))) {
		return ENOTDIR;
	}
	if (path_under(to->dir.path, from->where.path)) {
		return EINVAL;
	}
	if (path_under(from->dir.path, to->where.path)) {
		return exchange ? EINVAL : ENOTEMPTY;
	}
	return 0;
}

static int
error_of_renaming(struct end *from, struct end *to, unsigned int flags)
{
	int error;

	if (mount_of(from->entry.dir) != mount_of(to->entry.dir)) {
		return EXDEV;
	}
	error = end_look(from);
	if (error != 0 || !from->exists) {
		return error != 0 ? error : ENOENT;
	}
	error = end_look(to);
	if (error != 0) {
		return error;
	}
	if ((flags & RENAME_NOREPLACE) != 0 && to->exists) {
		return EEXIST;
	}
	if ((flags & RENAME_EXCHANGE) != 0 && !to->exists) {
		return ENOENT;
	}
	return error_of_types(from, to, flags);
}

/* A directory could hold symlinks, if it is not of the same .git. */
static bool
could_bring_link(const struct broker *b, const struct end *from, const struct end *to)
{
	return is_in_open_git(b, to->where.path) &&
	       !(end_is_dir(from) && is_same_git(b, from->where.path, to->where.path));
}

/*
 * May what `from` is come to where `to` is? A directory is not moved between the served roots and
 * the floor's own: out there names in it were not looked at. What is protected by its path stays
 * where it is, and so does what it is in. In a served root nothing but the broker replaces an
 * entry; on the floor a file can be something else by the time that it is moved.
 */
static bool
may_move(struct request *r, const struct end *from, const struct end *to, struct answer *answer)
{
	const struct broker *b = r->broker;
	bool directory = end_is_dir(from);
	bool stays_file = from->where.place == PLACE_SERVED && !S_ISLNK(from->st.st_mode);

	if (!may_leave(r, from->where.path, to->where.path, answer)) {
		return false;
	}
	if (directory && (place_holds_carve_out(b, from->where.path) ||
			  could_hold_git_part(b, from->where.path))) {
		*answer = refuse_bringing(r, from);
		return false;
	}
	if (to->where.place == PLACE_SERVED && (directory || !stays_file) &&
	    (could_bring_protected(b, to->where.path) || could_bring_link(b, from, to))) {
		*answer = refuse_bringing(r, to);
		return false;
	}
	*answer = answer_error(EXDEV);
	return !directory || from->where.place == to->where.place;
}

static struct answer
perform_rename(const struct end *from, const struct end *to, unsigned int flags)
{
	char old[LEAF_MAX];
	char new[LEAF_MAX];

	end_leaf(from, old);
	end_leaf(to, new);
	/* libc would make renameat(2) of it, which the broker's own filter does not let pass. */
	return answer_result(
		syscall(SYS_renameat2, from->entry.dir, old, to->entry.dir, new, flags));
}

/* Makes an empty file. 0 or an errno. */
static int
make_placeholder(const struct end *end)
{
	AUTO_FD fd = openat(end->entry.dir, end->entry.name,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? errno : 0;
}

/*
 * From the floor into a served root. What was a file may have been exchanged for a directory since
 * it was looked at, and that could hold any name. rename(2) puts no directory in the place of a
 * file, so there is a file first.
 */
static struct answer
move_in(struct end *from, struct end *to, unsigned int flags)
{
	bool made = false;
	struct answer answer;
	int error = error_of_renaming(from, to, flags);

	if (error == 0 && end_is_dir(to)) {
		error = EISDIR;
	}
	if (error == 0 && !to->exists) {
		error = make_placeholder(to);
		made = error == 0;
	}
	if (error != 0) {
		return answer_error(error);
	}
	answer = perform_rename(from, to, 0);
	if (answer.error != 0 && made) {
		(void)unlinkat(to->entry.dir, to->entry.name, 0);
	}
	return answer.error == ENOTDIR ? answer_error(EXDEV) : answer;
}

static bool
is_between_places(const struct end *from, const struct end *to)
{
	return from->where.place != to->where.place;
}

static struct answer
serve_rename(struct request *r, struct end *from, struct end *to, unsigned int flags)
{
	struct answer answer;
	int error;

	error = end_look(from);
	if (error == 0) {
		error = end_look(to);
	}
	if (error != 0) {
		return answer_error(error);
	}
	if ((from->exists && !may_move(r, from, to, &answer)) ||
	    ((flags & RENAME_EXCHANGE) != 0 && to->exists && !may_move(r, to, from, &answer))) {
		error = error_of_renaming(from, to, flags);
		return error != 0 ? answer_error(error) : answer;
	}
	if (is_between_places(from, to) && (flags & RENAME_EXCHANGE) != 0) {
		return answer_error(EXDEV); /* what comes from the floor could be anything */
	}
	if (!caller_waits(r)) {
		return answer_error(EINTR);
	}
	return from->where.place == PLACE_FLOOR ? move_in(from, to, flags)
						: perform_rename(from, to, flags);
}

static struct answer
rename_judged(struct request *r, struct end *from, struct end *to, unsigned int flags)
{
	enum place old = from->where.place;
	enum place new = to->where.place;

	if (end_is_own_shm(r, from) && end_is_own_shm(r, to)) {
		return shm_rename_entry(r, from, to, flags);
	}
	if (old == PLACE_PROTECTED || new == PLACE_PROTECTED) {
		int error = error_of_renaming(from, to, flags);

		return error != 0
			       ? answer_error(error)
			       : refuse_place(r, EACCES,
					      old == PLACE_PROTECTED ? &from->where : &to->where);
	}
	if (place_is_writable(old) && place_is_writable(new) &&
	    (old == PLACE_SERVED || new == PLACE_SERVED)) {
		return serve_rename(r, from, to, flags);
	}
	return end_leave(r, old == PLACE_OUTSIDE ? from : to);
}

static struct answer
do_rename(struct request *r, struct end *from, struct end *to, unsigned int flags)
{
	int error;
	LOCK_BROKER(r->broker);

	if (entry_is_special(&from->entry) || entry_is_special(&to->entry)) {
		return perform_rename(from, to, flags);
	}
	error = end_judge(r->broker, from);
	if (error == 0) {
		error = end_judge(r->broker, to);
	}
	return error != 0 ? answer_error(error) : rename_judged(r, from, to, flags);
}

struct answer
handle_rename(struct request *r)
{
	bool at = r->row->variant != CALL_PLAIN;
	unsigned int flags = r->row->variant == CALL_AT2 ? (unsigned int)arg_int(r, 4) : 0;
	AUTO_END from = END_NONE;
	AUTO_END to = END_NONE;
	struct answer answer;

	if ((flags & ~RENAME_KNOWN) != 0 || flags == RENAME_KNOWN) {
		/* A whiteout is a device, which nobody makes; the rest is EINVAL. */
		return (flags & ~RENAME_KNOWN) == RENAME_WHITEOUT ? answer_error(EPERM)
								  : answer_continue();
	}
	if (!end_walk(r, at ? arg_int(r, 0) : AT_FDCWD, r->args[at ? 1 : 0], &from, &answer) ||
	    !end_walk(r, at ? arg_int(r, 2) : AT_FDCWD, r->args[at ? 3 : 1], &to, &answer)) {
		return answer;
	}
	return do_rename(r, &from, &to, flags);
}
