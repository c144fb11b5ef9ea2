/* SPDX-License-Identifier: MIT */
#ifndef BROKER_REQUEST_H
#define BROKER_REQUEST_H

/*
 * What the files of the broker room share: a request, which is one stopped system call of the
 * command; the ways to answer it; and the caller, who is asked for what its arguments mean.
 *
 * A handler looks like this: copy what the arguments point at (caller.c), resolve it to pinned
 * objects (resolve.c), take the lock, judge the places (place.c), perform, answer. It holds nothing
 * when it returns; descriptors are AUTO_FD.
 */

#include "broker/broker.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* One per process, shared by its threads, constant after the start but for what the lock guards. */
struct broker {
	const struct plan *plan;
	const struct plan_broker *spec;
	int listener;
	int events;
	pid_t self;	      /* its pid */
	pthread_mutex_t lock; /* held while something is judged and performed */
	struct shm_record *shm;
	struct sockets *sockets;  /* of loopback.c: which listeners are the command's own */
	struct tasks *tasks;	  /* of tasks.c */
	struct denials *denials;  /* of denials.c */
	atomic_bool has_confined; /* there is somebody for whom caller_is_confined() */
};

/* What was opened for the last caller that was asked about, kept open (caller.c). Zero: nothing. */
struct task_file {
	atomic_flag busy; /* a pending request may be looked at by another thread */
	pid_t tid;
	int fd;
};

/* One thread that takes notifications. It has a working directory and umask of its own
 * (unshare(CLONE_FS)), so a handler may set both and need not put them back. */
struct receiver {
	struct broker *broker;
	struct pending *pending; /* what it keeps open; supervisor.c */
	struct task_file status; /* /proc/TID/status */
	struct task_file pidfd;
};

/* The one signal that the threads which serve requests do not block: it ends a call that waits,
 * against all odds (sockets.c). Nobody in the tree can send it, the broker being outside of its
 * signal scope. */
#define BROKER_WAKE_UP SIGALRM

struct request {
	struct broker *broker;
	struct receiver *receiver;
	const struct call_row *row;
	uint64_t id;
	pid_t tid; /* the calling thread, in the broker's pid namespace */
	int nr;
	uint64_t args[6];
	pid_t tgid; /* its process; 0: not asked yet (caller_tgid) */
};

/* ---- answers ------------------------------------------------------------------------------ */

enum answer_kind {
	ANSWER_ERROR,	 /* fails with errno `error`; 0 would be success with `value` */
	ANSWER_CONTINUE, /* the kernel goes on; only where the floor judges what is performed */
	ANSWER_FD,	 /* gets a copy of `fd` (close-on-exec if so), which is then closed */
	ANSWER_PENDING,	 /* would block: `retry` is called again about every 2 ms until it answers
			  * otherwise. A signal for the caller ends the call as it would in the
			  * kernel (`restart`). `state` is handed to retry, and free()d at the end.
			  */
	ANSWER_WATCH, /* fails with `error` at once, and `retry` is called until it answers, which
		       * nobody gets: for what goes on after the call */
};

/* What the kernel does with a call that a signal ended, once the signal is handled; its own
 * numbers, from include/linux/errno.h. */
#define RESTART_SYSCALL 512 /* ERESTARTSYS: EINTR, or again if the handler has SA_RESTART */
#define RESTART_ALWAYS 513  /* ERESTARTNOINTR: again */

struct answer;
typedef struct answer (*retry_fn)(struct request *r, void *state);

struct answer {
	enum answer_kind kind;
	int error;
	int64_t value;
	int fd;
	bool cloexec;
	int restart; /* RESTART_ of a pending call; 0 is RESTART_SYSCALL */
	retry_fn retry;
	void *state;
	void (*finish)(void *state); /* instead of free(), may be NULL */
	/* A signal has ended the pending call, but what it began goes on, and is watched from now
	 * as with ANSWER_WATCH. NULL: nothing goes on. */
	void (*linger)(void *state);
};

static inline struct answer
answer_error(int error)
{
	return (struct answer){ .kind = ANSWER_ERROR, .error = error, .fd = -1 };
}

/* From the result of a system call: its value, or errno. */
static inline struct answer
answer_value(int64_t value)
{
	return (struct answer){ .kind = ANSWER_ERROR, .value = value, .fd = -1 };
}

static inline struct answer
answer_continue(void)
{
	return (struct answer){ .kind = ANSWER_CONTINUE, .fd = -1 };
}

/* Takes the descriptor. */
static inline struct answer
answer_fd(int fd, bool cloexec)
{
	return (struct answer){ .kind = ANSWER_FD, .fd = fd, .cloexec = cloexec };
}

/* `rc` of a system call that was just made: 0 or more is the value, else errno is the error. */
struct answer answer_result(long rc);

/* ---- the table of calls (dispatch.c) ------------------------------------------------------ */

typedef struct answer (*handler_fn)(struct request *r);

struct call_row {
	int nr; /* -1 on an architecture that has no such call */
	const char *name;
	handler_fn handle;
	int refuse;  /* errno when the broker cannot do its work */
	int variant; /* tells calls of one handler apart: each file has an enum of its own */
};

/* NULL: not a call that the broker knows; answered with ENOSYS. */
const struct call_row *call_find(int nr);

/* The rows of one file; dispatch.c joins them. Each file exports one such table. */
struct call_table {
	const struct call_row *rows;
	size_t count;
};

extern const struct call_table open_calls;     /* files.c: open openat creat truncate */
extern const struct call_table entry_calls;    /* entries.c: mkdir mknod link symlink rename ... */
extern const struct call_table metadata_calls; /* metadata.c */
extern const struct call_table process_calls;  /* processes.c */
extern const struct call_table socket_calls;   /* sockets.c: connect bind listen, by family */
extern const struct call_table task_calls;     /* tasks.c: clone fork vfork */
extern const struct call_table domain_calls;   /* domain.c: landlock_restrict_self */

/* Serves the call by its row. */
struct answer call_serve(struct request *r);

/* ---- the caller (caller.c) ----------------------------------------------------------------- */

/* Argument n as the kernel takes an int: the low 32 bits. */
static inline int
arg_int(const struct request *r, unsigned int n)
{
	return (int)(uint32_t)r->args[n];
}

/*
 * Copies a NUL-terminated path from the caller's memory, once. 0, or an errno: EFAULT as the kernel
 * says it, ENAMETOOLONG without a NUL in `size` (PATH_MAX) bytes, EPERM where the memory may not be
 * read (the process made itself undumpable): see caller_unreadable().
 */
int caller_string(const struct request *r, uint64_t address, char *out, size_t size);

/* Copies bytes. 0 or an errno; all or nothing. */
int caller_read(const struct request *r, uint64_t address, void *out, size_t len);
int caller_write(const struct request *r, uint64_t address, const void *data, size_t len);

/*
 * A copy of the caller's descriptor `fd`, sharing its file description (pidfd_getfd(2), 5.6; the
 * thread's own table with PIDFD_THREAD, 6.9). -1 and errno, EBADF as the kernel says it.
 */
int caller_fd(const struct request *r, int fd);

/* An O_PATH descriptor of what `fd` (AT_FDCWD: the working directory) of the caller is open on, for
 * use as the start of a walk. -1 and errno, EBADF and ENOTDIR as the kernel says them. */
int caller_dir(const struct request *r, int fd);

/* Likewise of any kind of object, with more flags for open(2), such as O_DIRECTORY. EPERM where the
 * caller made itself undumpable. */
int caller_object(const struct request *r, int fd, int flags);

/* The umask of the calling thread. -1 and errno. */
int caller_umask(const struct request *r);

/* Makes it that of this thread, when the caller still waits: what is made next is the caller's. 0
 * or an errno. */
int caller_take_umask(const struct request *r);

/* The pid of the caller's process; 0: it is gone. */
pid_t caller_tgid(struct request *r);

/* The name of the calling thread ("" when it is gone). */
void caller_comm(const struct request *r, char out[16]);

/*
 * Is the caller still waiting for the answer? To be asked after the last look at the caller and
 * before anything is performed: a pid may be given to somebody else.
 */
bool caller_waits(const struct request *r);

/* Has it, or somebody before it, entered a further Landlock domain (domain.c)? Then nothing may be
 * performed for it that this domain could refuse. */
bool caller_is_confined(const struct request *r);

/* ---- places (place.c) ---------------------------------------------------------------------- */

enum place {
	PLACE_OUTSIDE,	 /* nothing may be written here */
	PLACE_FLOOR,	 /* Landlock grants all of writing here: temp and cache directories */
	PLACE_SERVED,	 /* below a served root, or the root itself */
	PLACE_PROTECTED, /* a protected name, a denied path, or below one */
	PLACE_SHM,	 /* a name in /dev/shm */
};

/* Where a pinned object is now. */
struct where {
	enum place place;
	const char *rule;    /* id for a refusal: "write.outside", "protected", "denied" */
	const char *option;  /* that would lift it: "--write", "--no-protect"; or "" */
	char path[PATH_MAX]; /* from the kernel (readlink of /proc/self/fd/N), for telling too */
};

/* By descriptor (O_PATH will do). 0 or an errno: ENOENT for what has been deleted or never had a
 * name (O_TMPFILE), where `out` says where it was; ENAMETOOLONG for what is too deep in a served
 * root to be judged. `out->path` is no path for what never was in a file system ("pipe:[123]"). */
int place_of_fd(const struct broker *b, int fd, struct where *out);

/* Of the entry `name` in the directory that `dir` was found to be. The name may not exist. */
void place_of_entry(const struct broker *b, const struct where *dir, const char *name,
		    struct where *out);

/* By absolute, resolved path; what the two above use. Fills place, rule and option. */
void place_of_path(const struct broker *b, const char *path, struct where *out);

/* Is a protected or denied path that exists at or below this one, or a place of the floor? Then it
 * must not be moved. */
bool place_holds_carve_out(const struct broker *b, const char *path);

/* May be written, one way or the other. */
static inline bool
place_is_writable(enum place place)
{
	return place == PLACE_FLOOR || place == PLACE_SERVED;
}

/* ---- walking paths (resolve.c) ------------------------------------------------------------- */

/* The last component of a path and the directory that it is in, pinned. */
struct entry {
	int dir;		 /* O_PATH; close it */
	char name[NAME_MAX + 2]; /* never "", may be "." or ".." or "/" for the root */
	bool slash;		 /* the path had a slash behind it: it must be a directory */
};

#define WALK_NOFOLLOW 1U /* a symlink at the end is the object */
#define WALK_EMPTY 2U	 /* AT_EMPTY_PATH: an empty path is `dirfd` itself */

/*
 * Walks `path` from the caller's root, working directory or `dirfd`, as the kernel would for the
 * caller, /proc/self and its descriptors included, and never through another process's magic link.
 * The object as an O_PATH descriptor, or -1 and the errno that the caller should get (ENOENT,
 * ENOTDIR, ELOOP, EACCES, ...).
 */
int walk_object(struct request *r, int dirfd, const char *path, unsigned int flags);

/* All but the last component, which need not exist. 0 or an errno. */
int walk_entry(struct request *r, int dirfd, const char *path, struct entry *out);

/* The target of the symlink `name` in `dir`, by the rules above, as an entry: for O_CREAT through a
 * dangling symlink. 0 or an errno; ELOOP after 40, EINVAL when it is no symlink any more. */
int walk_link(struct request *r, const struct entry *link, unsigned int *followed,
	      struct entry *out);

/* ---- telling (denials.c) ------------------------------------------------------------------- */

/* Records a refusal and answers with its errno. `subject` is a path or an address. */
struct answer refuse(struct request *r, int error, const char *rule, const char *option,
		     const char *subject);

/* refuse() for a place, with its rule, option and path. */
struct answer refuse_place(struct request *r, int error, const struct where *where);

/* Records what the floor is about to refuse, unless it would be refused outside as well. */
void note_floor(struct request *r, const struct where *where);

/* ---- the lock ------------------------------------------------------------------------------ */

static inline void
unlock_broker(struct broker **b)
{
	(void)pthread_mutex_unlock(&(*b)->lock);
}

/* Held until the end of the block. */
#define LOCK_BROKER(b)                                                                             \
	__attribute__((cleanup(unlock_broker))) struct broker *locked_ = (b);                      \
	(void)pthread_mutex_lock(&locked_->lock)

#endif /* BROKER_REQUEST_H */
