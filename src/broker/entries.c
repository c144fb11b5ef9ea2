/* SPDX-License-Identifier: MIT */

/*
 * Making, moving and removing entries of directories for the command.
 *
 * The directory is pinned, the name is one component: what the kernel is asked to do is what was
 * judged. It does it for the caller's user, so permissions, limits and the order of its errors are
 * its own. Where nothing is performed, the errors that it gives before it looks at permissions are
 * found out (error_of_...), so that `mkdir -p` of what exists is no refusal.
 */

#include "broker/files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

/* Only the architectures of old have these. */
#if !defined(SYS_mkdir)
#define SYS_mkdir (-1)
#define SYS_mknod (-1)
#define SYS_link (-1)
#define SYS_symlink (-1)
#define SYS_unlink (-1)
#define SYS_rmdir (-1)
#endif
#ifndef SYS_rename
#define SYS_rename (-1)
#endif
#ifndef SYS_renameat
#define SYS_renameat (-1)
#endif

/* ---- what is to be done with one entry ---------------------------------------------------- */

enum deed { MAKE_DIR, MAKE_NODE, MAKE_LINK, REMOVE_FILE, REMOVE_DIR };

struct task {
	enum deed deed;
	mode_t mode;
	dev_t device;
	const char *target; /* of a symlink */
};

/* (The kernel looks at permissions first; but then a program sees what it did wrong.) */
static int
error_of_removing(struct end *end, bool directory)
{
	int error = end_look(end);

	if (error != 0) {
		return error;
	}
	if (!end->exists) {
		return ENOENT;
	}
	if (directory) {
		return end_is_dir(end) ? 0 : ENOTDIR;
	}
	if (end_is_dir(end)) {
		return EISDIR;
	}
	return end->entry.slash ? ENOTDIR : 0;
}

static int
error_of_task(struct end *end, const struct task *task)
{
	return task->deed == REMOVE_FILE || task->deed == REMOVE_DIR
		       ? error_of_removing(end, task->deed == REMOVE_DIR)
		       : end_making_error(end, task->deed == MAKE_DIR);
}

static long
perform(const struct end *end, const struct task *task)
{
	char leaf[LEAF_MAX];

	end_leaf(end, leaf);
	switch (task->deed) {
	case MAKE_DIR:
		return mkdirat(end->entry.dir, leaf, task->mode);
	case MAKE_NODE:
		return mknodat(end->entry.dir, leaf, task->mode, task->device);
	case MAKE_LINK:
		return symlinkat(task->target, end->entry.dir, leaf);
	case REMOVE_FILE:
		return unlinkat(end->entry.dir, leaf, 0);
	case REMOVE_DIR:
		return unlinkat(end->entry.dir, leaf, AT_REMOVEDIR);
	}
	errno = EPERM;
	return -1;
}

static struct answer
perform_for_caller(const struct request *r, const struct end *end, const struct task *task)
{
	bool has_mode = task->deed == MAKE_DIR || task->deed == MAKE_NODE;
	int error = has_mode ? caller_take_umask(r) : caller_waits(r) ? 0 : EINTR;

	return error != 0 ? answer_error(error) : answer_result(perform(end, task));
}

/* In a served place: what the kernel would do, but not the caller. */
static struct answer
serve(struct request *r, struct end *end, const struct task *task)
{
	if (task->deed == MAKE_NODE && (S_ISCHR(task->mode) || S_ISBLK(task->mode))) {
		int error = end_making_error(end, false);

		return answer_error(error != 0 ? error : EPERM);
	}
	if (task->deed == MAKE_NODE && (task->mode & (S_ISUID | S_ISGID)) != 0) {
		return refuse(r, EPERM, "metadata.set-id", "", end->where.path);
	}
	if (task->deed == MAKE_LINK && (could_bring_protected(r->broker, end->where.path) ||
					is_in_open_git(r->broker, end->where.path))) {
		int error = end_making_error(end, false);

		return error != 0 ? answer_error(error) : refuse_bringing(r, end);
	}
	return perform_for_caller(r, end, task);
}

static struct answer
do_task(struct request *r, struct end *end, const struct task *task)
{
	int error;
	LOCK_BROKER(r->broker);

	if (entry_is_special(&end->entry)) {
		return answer_result(perform(end, task));
	}
	error = end_judge(r->broker, end);
	if (error != 0) {
		return answer_error(error);
	}
	switch (end->where.place) {
	case PLACE_SERVED:
		return serve(r, end, task);
	case PLACE_PROTECTED:
		error = error_of_task(end, task);
		return error != 0 ? answer_error(error) : refuse_place(r, EACCES, &end->where);
	case PLACE_SHM:
		return end_is_own_shm(r, end) && task->deed == REMOVE_FILE
			       ? shm_unlink_entry(r, end)
			       : answer_continue();
	case PLACE_FLOOR:
	case PLACE_OUTSIDE:
		break;
	}
	return end_leave(r, end);
}

/* Argument `n` of the form without a directory; the one with it has that in front. */
static unsigned int
shifted(const struct request *r, unsigned int n)
{
	return r->row->variant == CALL_PLAIN ? n : n + 1;
}

static struct answer
run_task(struct request *r, int dirfd, uint64_t address, const struct task *task)
{
	AUTO_END end = END_NONE;
	struct answer answer;

	return end_walk(r, dirfd, address, &end, &answer) ? do_task(r, &end, task) : answer;
}

static int
first_dir(const struct request *r)
{
	return r->row->variant == CALL_PLAIN ? AT_FDCWD : arg_int(r, 0);
}

/* ---- one entry ---------------------------------------------------------------------------- */

static struct answer
handle_mkdir(struct request *r)
{
	const struct task task = { .deed = MAKE_DIR, .mode = (mode_t)r->args[shifted(r, 1)] };

	return run_task(r, first_dir(r), r->args[shifted(r, 0)], &task);
}

static struct answer
handle_mknod(struct request *r)
{
	mode_t mode = (mode_t)(r->args[shifted(r, 1)] & 0xffff); /* umode_t */
	uint32_t device = (uint32_t)r->args[shifted(r, 2)];
	struct task task = { .deed = MAKE_NODE, .mode = mode };

	switch (mode & S_IFMT) {
	case 0:
		task.mode |= S_IFREG;
		break;
	case S_IFREG:
	case S_IFIFO:
		break;
	case S_IFCHR:
	case S_IFBLK:
		task.device = device;
		break;
	case S_IFSOCK:
		/* Nothing connects to it, as nobody is bound to it: no harm, and no use. */
		if ((r->broker->spec->parts & PART_UNIX) == 0) {
			return answer_continue();
		}
		break;
	default:
		return answer_continue(); /* EPERM or EINVAL, whatever the path says */
	}
	return run_task(r, first_dir(r), r->args[shifted(r, 0)], &task);
}

/* What the new name says is for whoever follows it; he is judged then. */
static struct answer
handle_symlink(struct request *r)
{
	bool at = r->row->variant == CALL_AT;
	char target[PATH_MAX];
	struct task task = { .deed = MAKE_LINK, .target = target };
	struct answer answer;

	if (!copy_path(r, r->args[0], target, &answer)) {
		return answer;
	}
	if (target[0] == '\0') {
		return answer_error(ENOENT);
	}
	return run_task(r, at ? arg_int(r, 1) : AT_FDCWD, r->args[at ? 2 : 1], &task);
}

static struct answer
handle_unlink(struct request *r)
{
	const struct task task = { .deed = REMOVE_FILE };

	return run_task(r, AT_FDCWD, r->args[0], &task);
}

static struct answer
handle_rmdir(struct request *r)
{
	const struct task task = { .deed = REMOVE_DIR };

	return run_task(r, AT_FDCWD, r->args[0], &task);
}

static struct answer
handle_unlinkat(struct request *r)
{
	int flags = arg_int(r, 2);
	const struct task task = { .deed = (flags & AT_REMOVEDIR) != 0 ? REMOVE_DIR : REMOVE_FILE };

	if ((flags & ~AT_REMOVEDIR) != 0) {
		return answer_continue(); /* EINVAL */
	}
	return run_task(r, arg_int(r, 0), r->args[1], &task);
}

static const struct call_row rows[] = {
	{ SYS_mkdir, "mkdir", handle_mkdir, EACCES, CALL_PLAIN },
	{ SYS_mkdirat, "mkdirat", handle_mkdir, EACCES, CALL_AT },
	{ SYS_mknod, "mknod", handle_mknod, EACCES, CALL_PLAIN },
	{ SYS_mknodat, "mknodat", handle_mknod, EACCES, CALL_AT },
	{ SYS_link, "link", handle_link, EACCES, CALL_PLAIN },
	{ SYS_linkat, "linkat", handle_linkat, EACCES, CALL_AT },
	{ SYS_symlink, "symlink", handle_symlink, EACCES, CALL_PLAIN },
	{ SYS_symlinkat, "symlinkat", handle_symlink, EACCES, CALL_AT },
	{ SYS_rename, "rename", handle_rename, EACCES, CALL_PLAIN },
	{ SYS_renameat, "renameat", handle_rename, EACCES, CALL_AT },
	{ SYS_renameat2, "renameat2", handle_rename, EACCES, CALL_AT2 },
	{ SYS_unlink, "unlink", handle_unlink, EACCES, CALL_PLAIN },
	{ SYS_unlinkat, "unlinkat", handle_unlinkat, EACCES, CALL_AT },
	{ SYS_rmdir, "rmdir", handle_rmdir, EACCES, CALL_PLAIN },
};

const struct call_table entry_calls = { rows, COUNT_OF(rows) };
