/* SPDX-License-Identifier: MIT */

/*
 * Changing what a call is about while it is in flight: a thread rewrites the path or the address in
 * memory, or another process swaps a directory of the path for a symlink. Whoever judges first and
 * acts later acts on something else.
 *
 * Each goes on for a second, or for `tries` calls (run.py --tries).
 */

#include "attack.h"
#include "sockets.h"

#include "base/attr.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>

#define SECONDS 1
#define LOOK_EVERY 64

/* One call that is raced. `mine` is a file of the attacker's own, which is there before each try.
 */
struct raced {
	const struct scene *scene;
	const char *mine;
	const char *other; /* a second name of the attacker's own */
	char *shared;	   /* what is rewritten meanwhile */
};

typedef long (*raced_call)(const struct raced *r);

/* ---- the calls ------------------------------------------------------------------------------- */

static void
close_quietly(int fd)
{
	if (fd >= 0) {
		(void)close(fd);
	}
}

static long
open_and_close(int fd)
{
	close_quietly(fd);
	return fd;
}

static long
append_to(const char *name)
{
	AUTO_FD fd = open(name, O_WRONLY | O_APPEND | O_CLOEXEC);

	return fd >= 0 && write_mark(fd) == SUCCEEDED ? 0 : -1;
}

static long
call_create(const struct raced *r)
{
	return open_and_close(open(r->shared, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

static long
call_open_truncate(const struct raced *r)
{
	return open_and_close(open(r->shared, O_WRONLY | O_TRUNC | O_CLOEXEC));
}

static long
call_append(const struct raced *r)
{
	return append_to(r->shared);
}

static long
call_truncate(const struct raced *r)
{
	return truncate(r->shared, 1);
}

static long
call_mkdir(const struct raced *r)
{
	return mkdir(r->shared, 0755);
}

static long
call_mknod(const struct raced *r)
{
	return mknod(r->shared, S_IFIFO | 0600, 0);
}

static long
call_symlink(const struct raced *r)
{
	return symlink("x", r->shared);
}

static long
call_link_to(const struct raced *r)
{
	return link(r->mine, r->shared);
}

static long
call_link_from(const struct raced *r)
{
	(void)unlink(r->other);
	return link(r->shared, r->other) == 0 ? append_to(r->other) : -1;
}

static long
call_rename_to(const struct raced *r)
{
	return rename(r->mine, r->shared);
}

static long
call_rename_from(const struct raced *r)
{
	return rename(r->shared, r->other);
}

static long
call_exchange(const struct raced *r)
{
	return renameat2(AT_FDCWD, r->mine, AT_FDCWD, r->shared, RENAME_EXCHANGE) == 0
		       ? append_to(r->mine)
		       : -1;
}

static long
call_unlink(const struct raced *r)
{
	return unlink(r->shared);
}

static long
call_rmdir(const struct raced *r)
{
	return rmdir(r->shared);
}

static long
call_chmod(const struct raced *r)
{
	return chmod(r->shared, 0604);
}

static long
call_utimes(const struct raced *r)
{
	static const struct timespec long_ago[2] = { { 1, 0 }, { 1, 0 } };

	return utimensat(AT_FDCWD, r->shared, long_ago, 0);
}

static long
call_chown(const struct raced *r)
{
	return chown(r->shared, (uid_t)-1, (gid_t)r->scene->group);
}

static long
call_setxattr(const struct raced *r)
{
	return setxattr(r->shared, "user.raced", "1", 1, 0);
}

static long
call_unix_bind(const struct raced *r)
{
	AUTO_FD fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return bind(fd, (const void *)r->shared, sizeof(struct sockaddr_un));
}

/* What has to be at the harmless path for the call to work on it. */
enum good { NOTHING, FILE_, DIRECTORY };

/* By the name of the row. */
static const struct {
	const char *name;
	raced_call call;
	enum good good;
} calls[] = {
	{ "create", call_create, NOTHING },
	{ "truncate_open", call_open_truncate, FILE_ },
	{ "append", call_append, FILE_ },
	{ "truncate", call_truncate, FILE_ },
	{ "mkdir", call_mkdir, NOTHING },
	{ "mkdir_name", call_mkdir, NOTHING },
	{ "mknod", call_mknod, NOTHING },
	{ "symlink", call_symlink, NOTHING },
	{ "link_to", call_link_to, NOTHING },
	{ "link_from", call_link_from, FILE_ },
	{ "rename_to", call_rename_to, NOTHING },
	{ "rename_from", call_rename_from, FILE_ },
	{ "exchange", call_exchange, FILE_ },
	{ "unlink", call_unlink, FILE_ },
	{ "rmdir", call_rmdir, DIRECTORY },
	{ "chmod", call_chmod, FILE_ },
	{ "utimes", call_utimes, FILE_ },
	{ "chown", call_chown, FILE_ },
	{ "setxattr", call_setxattr, FILE_ },
	{ "chmod_outside", call_chmod, FILE_ },
	{ "create_outside", call_create, NOTHING },
	{ "mkdir_outside", call_mkdir, NOTHING },
	{ "rename_outside", call_rename_to, NOTHING },
	{ "unix_bind", call_unix_bind, NOTHING },
	{ "swap_create", call_create, NOTHING },
	{ "swap_mkdir", call_mkdir, NOTHING },
	{ "swap_unlink", call_unlink, FILE_ },
	{ "swap_rename", call_rename_to, NOTHING },
	{ "swap_chmod", call_chmod, FILE_ },
	{ "swap_outside", call_create, NOTHING },
};

static size_t
find_call(const char *name)
{
	size_t i = 0;

	while (strcmp(calls[i].name, name) != 0) {
		i++;
	}
	return i;
}

/* ---- has it been won? ------------------------------------------------------------------------ */

struct look {
	bool there;
	struct timespec changed;
	nlink_t links;
};

static struct look
look_at(const char *name)
{
	struct stat st;

	if (lstat(name, &st) != 0) {
		return (struct look){ 0 };
	}
	return (struct look){ true, st.st_ctim, st.st_nlink };
}

static bool
is_changed(const char *name, const struct look *before)
{
	struct look now = look_at(name);

	return now.there != before->there || now.links != before->links ||
	       now.changed.tv_sec != before->changed.tv_sec ||
	       now.changed.tv_nsec != before->changed.tv_nsec;
}

/* ---- racing ---------------------------------------------------------------------------------- */

/* What the other side keeps changing: bytes between two values, or a directory and a symlink. */
struct flipper {
	char *shared;
	const char *values[2];
	size_t len;
	const char *directory;
	const char *link;
};

static void *
flip_bytes(void *data)
{
	const struct flipper *f = data;

	for (unsigned int i = 0;; i++) {
		memcpy(f->shared, f->values[i & 1], f->len);
		for (unsigned int n = (i * 7919U) % 600U; n > 0; n--) {
			__asm__ volatile("" ::: "memory");
		}
	}
	return NULL;
}

/* The thread goes on until the process ends, longer than what its caller has on the stack. */
static bool
start_flipping(const struct flipper *f)
{
	static struct flipper kept;
	pthread_t thread;
	int rc;

	kept = *f;
	memcpy(kept.shared, kept.values[0], kept.len);
	rc = pthread_create(&thread, NULL, flip_bytes, &kept);
	errno = rc;
	return rc == 0;
}

static void
swap_directories(const struct flipper *f)
{
	(void)alarm(600);
	for (;;) {
		(void)renameat2(AT_FDCWD, f->directory, AT_FDCWD, f->link, RENAME_EXCHANGE);
	}
}

/* The attacker's own objects, as each try wants them. */
static void
make_ready(const struct raced *r, const char *harmless, enum good good)
{
	close_quietly(open(r->mine, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	if (good == NOTHING) {
		(void)remove(harmless);
	} else if (good == DIRECTORY) {
		(void)mkdir(harmless, 0755);
	} else {
		close_quietly(open(harmless, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	}
}

static bool
try_for_a_while(const struct raced *r, const char *harmless, const char *bad)
{
	size_t n = find_call(r->scene->row->name);
	struct look before = look_at(bad);
	time_t end = time(NULL) + SECONDS + 1;

	for (long i = 0;; i++) {
		bool over = r->scene->tries > 0 ? i >= r->scene->tries : time(NULL) >= end;

		if ((over || i % LOOK_EVERY == 0) && is_changed(bad, &before)) {
			return true;
		}
		if (over) {
			return false;
		}
		make_ready(r, harmless, calls[n].good);
		(void)calls[n].call(r);
	}
}

static enum outcome
outcome_of(bool won)
{
	return won ? succeeded("the race was won") : blocked("the race was never won");
}

/* A path of the workspace, or of the directory outside when it begins with an "@". */
static const char *
place(const struct scene *s, const char *name)
{
	return name[0] == '@' ? path("%s/%s", s->outside, name + 1)
			      : path("%s/%s", s->workspace, name);
}

static enum outcome
race_bytes(const struct raced *r, const struct flipper *f, const char *harmless, const char *bad)
{
	if (!start_flipping(f)) {
		return blocked("pthread_create");
	}
	return outcome_of(try_for_a_while(r, harmless, bad));
}

/* Two spellings of the same length, so that no byte is outside of either. */
static struct flipper
flipper_of(char *shared, const char *good, const char *bad)
{
	static const char slashes[] = "////////////////////////////////////////////////";
	int more = (int)strlen(bad) - (int)strlen(good);
	struct flipper f = { .shared = shared };

	f.values[0] = path("%.*s%s", more > 0 ? more : 0, slashes, good);
	f.values[1] = path("%.*s%s", more < 0 ? -more : 0, slashes, bad);
	f.len = strlen(f.values[0]) < strlen(f.values[1]) ? strlen(f.values[0])
							  : strlen(f.values[1]);
	return f;
}

static enum outcome
race_path(const struct scene *s)
{
	static char shared[4096];
	const char *bad = place(s, s->row->subject);
	const char *good = path("%s/good", s->work);
	struct raced r = { s, path("%s/mine", s->work), path("%s/other", s->work), shared };
	struct flipper f = flipper_of(shared, good, bad);

	if (s->group == (long)getgid() && strcmp(s->row->name, "chown") == 0) {
		return not_applicable("the user has no other group");
	}
	return race_bytes(&r, &f, good, bad);
}

/* One byte decides: "/work/xgit" and "/work/.git". */
static enum outcome
race_name(const struct scene *s)
{
	static char shared[4096];
	const char *bad = path("%s/.git", s->work);
	struct raced r = { s, path("%s/mine", s->work), path("%s/other", s->work), shared };
	struct flipper f = { shared, { path("%s/xgit", s->work), bad }, 0, NULL, NULL };

	f.len = strlen(bad) + 1;
	return race_bytes(&r, &f, f.values[0], bad);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static enum outcome
race_unix_bind(const struct scene *s)
{
	static struct address shared;
	static struct address values[2];
	const char *bad = path("%s/sock", s->outside);
	const char *good = path("%s/sock", s->work);
	struct raced r = { s, path("%s/mine", s->work), path("%s/other", s->work),
			   (char *)&shared.as };
	struct flipper f = { (char *)&shared.as,
			     { (const char *)&values[0].as, (const char *)&values[1].as },
			     sizeof(struct sockaddr_un),
			     NULL,
			     NULL };

	values[0] = local_path(good);
	values[1] = local_path(bad);
	return race_bytes(&r, &f, path("%s/good", s->work), bad);
}

static int
own_listener(const struct address *address)
{
	int fd = socket(address->as.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, &address->as.any, address->len) != 0 || listen(fd, 128) != 0) {
		return -1;
	}
	return fd;
}

/* Whoever outside is reached answers with a secret; the attacker's own listener says nothing. */
static enum outcome
race_connect(const struct scene *s, int own, struct address *values)
{
	static struct address shared;
	struct flipper f = { (char *)&shared.as,
			     { (const char *)&values[0].as, (const char *)&values[1].as },
			     sizeof(shared.as),
			     NULL,
			     NULL };
	time_t end = time(NULL) + SECONDS + 1;

	if (!start_flipping(&f)) {
		return blocked("pthread_create");
	}
	for (long i = 0; s->tries > 0 ? i < s->tries : time(NULL) < end; i++) {
		AUTO_FD fd = socket(values[0].as.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		struct sockaddr_storage peer = { 0 };
		socklen_t len = sizeof(peer);

		if (fd < 0 || connect(fd, &shared.as.any, values[0].len) != 0) {
			continue;
		}
		if (getpeername(fd, (struct sockaddr *)&peer, &len) == 0 &&
		    memcmp(&peer, &values[1].as, values[1].len) == 0) {
			return talk(fd);
		}
		close_quietly(accept4(own, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
	}
	return blocked("the race was never won");
}

static enum outcome
race_unix_connect(const struct scene *s)
{
	static struct address values[2];
	int own;

	values[0] = local_path(path("%s/own", s->work));
	values[1] = local_path(s->unix_stream);
	values[0].len = values[1].len = sizeof(struct sockaddr_un);
	own = own_listener(&values[0]);
	return own < 0 ? blocked("a listener of my own") : race_connect(s, own, values);
}

static enum outcome
race_tcp_connect(const struct scene *s)
{
	static struct address values[2];
	socklen_t len;
	int own;

	values[0] = loopback4(0);
	values[1] = loopback4(s->tcp4);
	len = values[0].len;
	own = own_listener(&values[0]);
	if (own < 0 || getsockname(own, &values[0].as.any, &len) != 0) {
		return blocked("a listener of my own");
	}
	return race_connect(s, own, values);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* With a writable home (run.py), in which the key is not to be read. */
static enum outcome
race_read(const struct scene *s)
{
	static char shared[4096];
	const char *good = path("%s/good", s->work);
	const char *bad = path("%s/.ssh/id_rsa", s->home);
	struct flipper f = flipper_of(shared, good, bad);
	time_t end = time(NULL) + SECONDS + 1;

	if (!put_text(good, "") || !start_flipping(&f)) {
		return blocked("pthread_create");
	}
	for (long i = 0; s->tries > 0 ? i < s->tries : time(NULL) < end; i++) {
		AUTO_FD fd = open(shared, O_RDONLY | O_CLOEXEC);
		char buf[100];
		ssize_t n = fd >= 0 ? read(fd, buf, sizeof(buf)) : 0;

		if (n > 0) {
			return show(buf, n);
		}
	}
	return blocked("the race was never won");
}

/* ---- directories ----------------------------------------------------------------------------- */

/* The path goes through a directory that is a symlink to somewhere else half of the time. */
static enum outcome
race_swap(const struct scene *s)
{
	const char *bad = place(s, s->row->subject);
	const char *name = strrchr(bad, '/') + 1;
	struct flipper f = {
		NULL, { NULL, NULL }, 0, path("%s/dir", s->work), path("%s/link", s->work)
	};
	struct raced r = { s, path("%s/mine", s->work), path("%s/other", s->work),
			   (char *)(uintptr_t)path("%s/dir/%s", s->work, name) };
	pid_t child;
	bool won;

	if (mkdir(f.directory, 0755) != 0 ||
	    symlink(path("%.*s", (int)(name - bad - 1), bad), f.link) != 0) {
		return blocked("make a directory and a symlink");
	}
	child = fork();
	if (child == 0) {
		swap_directories(&f);
	}
	/* What is to be removed has to be made on both ways. */
	won = try_for_a_while(
		&r,
		calls[find_call(s->row->name)].good == FILE_ ? r.shared : path("%s/good", s->work),
		bad);
	(void)kill(child, SIGKILL);
	(void)exit_status(child);
	return outcome_of(won);
}

/* What is moved from the temp directory into the workspace is a file, or a repository. */
static bool
move_in_for_a_while(const struct scene *s, const char *mine, const char *brought)
{
	unsigned int flags = strcmp(s->row->name, "exchange_in") == 0 ? RENAME_EXCHANGE : 0;
	const char *bad = path("%s/.git", brought);
	time_t end = time(NULL) + SECONDS + 1;

	for (long i = 0; s->tries > 0 ? i < s->tries : time(NULL) < end; i++) {
		close_quietly(open(mine, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
		if (flags != 0) {
			close_quietly(open(brought, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
		}
		(void)renameat2(AT_FDCWD, mine, AT_FDCWD, brought, flags);
		if (look_at(bad).there) {
			return true;
		}
		(void)unlink(brought);
	}
	return false;
}

static enum outcome
race_move_in(const struct scene *s)
{
	const char *mine = path("%s/raced-%s", temp_directory(), s->tag);
	const char *repository = path("%s/repository-%s", temp_directory(), s->tag);
	const char *git = path("%s/.git", repository);
	struct flipper f = { NULL, { NULL, NULL }, 0, mine, repository };
	pid_t child;
	bool won;

	if (mkdir(repository, 0755) != 0 || mkdir(git, 0755) != 0) {
		return blocked("make a repository");
	}
	child = fork();
	if (child == 0) {
		swap_directories(&f);
	}
	won = move_in_for_a_while(s, mine, path("%s/brought", s->work));
	(void)kill(child, SIGKILL);
	(void)exit_status(child);
	(void)rmdir(path("%s/.git", mine));
	(void)rmdir(git);
	(void)remove(mine);
	(void)remove(repository);
	return outcome_of(won);
}

const struct attack race_attacks[] = {
	{ "create", PROOF_FILES, "creates a hook", race_path, ".git/hooks/raced" },
	{ "truncate_open", PROOF_FILES, "opens with O_TRUNC", race_path, ".git/config" },
	{ "append", PROOF_FILES, "opens for appending", race_path, ".git/config" },
	{ "truncate", PROOF_FILES, "truncates by path", race_path, ".git/config" },
	{ "mkdir", PROOF_FILES, "makes a directory in .git", race_path, ".git/raced" },
	{ "mkdir_name", PROOF_FILES, "makes a nested .git", race_name },
	{ "mknod", PROOF_FILES, "makes a FIFO in .git", race_path, ".git/raced" },
	{ "symlink", PROOF_FILES, "makes a symlink in .git", race_path, ".git/raced" },
	{ "link_to", PROOF_FILES, "links a file into .git", race_path, ".git/raced" },
	{ "link_from", PROOF_FILES, "links .git/config elsewhere", race_path, ".git/config" },
	{ "rename_to", PROOF_FILES, "renames a file over .git/config", race_path, ".git/config" },
	{ "rename_from", PROOF_FILES, "renames .git/config away", race_path, ".git/config" },
	{ "exchange", PROOF_FILES, "exchanges .git/config", race_path, ".git/config" },
	{ "unlink", PROOF_FILES, "removes .git/HEAD", race_path, ".git/HEAD" },
	{ "rmdir", PROOF_FILES, "removes .git/hooks", race_path, ".git/hooks" },
	{ "chmod", PROOF_FILES, "changes the mode of .git/config", race_path, ".git/config" },
	{ "utimes", PROOF_FILES, "changes its times", race_path, ".git/config" },
	{ "chown", PROOF_FILES, "changes its group", race_path, ".git/config" },
	{ "setxattr", PROOF_FILES, "sets an attribute of it", race_path, ".git/config" },
	{ "chmod_outside", PROOF_FILES, "changes a mode outside", race_path, "@victim.txt" },
	{ "create_outside", PROOF_FILES, "creates a file outside", race_path, "@raced" },
	{ "mkdir_outside", PROOF_FILES, "makes a directory outside", race_path, "@raced" },
	{ "rename_outside", PROOF_FILES, "renames a file to outside", race_path, "@raced" },
	{ "home_read", PROOF_SECRET, "reads a key in a writable home", race_read },
	{ "unix_bind", PROOF_FILES, "binds a socket outside", race_unix_bind },
	{ "unix_connect", PROOF_RECEIVED, "connects to a socket outside", race_unix_connect },
	{ "tcp_connect", PROOF_RECEIVED, "connects to a service of the host", race_tcp_connect },
	{ "swap_create", PROOF_FILES, "creates a hook by a swapped directory", race_swap,
	  ".git/hooks/raced" },
	{ "swap_mkdir", PROOF_FILES, "makes a directory by one", race_swap, ".git/raced" },
	{ "swap_unlink", PROOF_FILES, "removes .git/HEAD by one", race_swap, ".git/HEAD" },
	{ "swap_rename", PROOF_FILES, "renames into .git by one", race_swap, ".git/raced" },
	{ "swap_chmod", PROOF_FILES, "changes a mode by one", race_swap, ".git/config" },
	{ "swap_outside", PROOF_FILES, "creates a file outside by one", race_swap, "@raced" },
	{ "move_in", PROOF_FILES, "moves what may be a repository out of the temp directory",
	  race_move_in },
	{ "exchange_in", PROOF_FILES, "exchanges it for a file", race_move_in },
	{ 0 },
};
