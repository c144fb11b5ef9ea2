/* SPDX-License-Identifier: MIT */

/*
 * Unix sockets. By path, they are what stands before docker, the session bus and the user's agents:
 * one is connected to when it is the command's own, lies where the command works, or was named in
 * the policy. By abstract
 * name, the broker's Landlock domain reaches those alone that were made inside.
 *
 * Binding makes a file. Landlock judges that, but for the served roots, in which the floor makes
 * none: there the broker binds, by the caller's own words for the place, so that the name of the
 * socket is what the program expects.
 */

#include "broker/sockets.h"

#include "base/attr.h"
#include "base/path.h"
#include "broker/own.h"
#include "plan/landlock_abi.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_AT offsetof(struct sockaddr_un, sun_path)
#define LOCAL_PATH_MAX (sizeof(((struct sockaddr_un *)0)->sun_path) - 1)

/* What the C library and its helpers try wherever they run, and do without. */
static const char *const asked_by_habit[] = {
	"/run/nscd/socket",
	"/run/avahi-daemon/socket",
	"/run/systemd/resolve/io.systemd.Resolve",
	"/run/systemd/userdb/io.systemd.DynamicUser",
};

/* As unix_validate_addr() does. */
static bool
is_valid(const struct socket_call *c)
{
	return c->len > PATH_AT && c->len <= sizeof(c->address.local) &&
	       c->address.local.sun_family == AF_UNIX;
}

static bool
is_abstract(const struct socket_call *c)
{
	return c->address.local.sun_path[0] == '\0';
}

/* The path, which need not have a NUL within the address. */
static void
path_of(const struct socket_call *c, char out[LOCAL_PATH_MAX + 2])
{
	size_t room = c->len - PATH_AT;

	memcpy(out, c->address.local.sun_path, room);
	out[room] = '\0';
}

/* ---- connect ------------------------------------------------------------------------------- */

static struct answer
retry_unix(struct request *r, void *state)
{
	const struct waiting *w = state;
	bool blocks;
	int error = connect_at_once(w->fd, &w->address, w->len, &blocks);

	(void)r;
	if (error != EAGAIN) {
		return error != 0 ? answer_error(error) : answer_value(0);
	}
	return is_late(w) ? answer_error(EAGAIN)
			  : (struct answer){ .kind = ANSWER_PENDING, .fd = -1 };
}

/* EAGAIN: the queue of the listener is full. Takes `pinned`. */
static struct answer
connect_unless_full(struct socket_call *c, const union address *address, socklen_t len, int pinned)
{
	struct waiting start = { .pinned = pinned, .len = len, .address = *address };
	bool blocks = false;
	int error = connect_at_once(c->fd, address, len, &blocks);

	if (error == EAGAIN && blocks) {
		return wait_for_connection(c, &start, retry_unix);
	}
	close_fdp(&pinned);
	return error != 0 ? answer_error(error) : answer_value(0);
}

static struct answer
connect_abstract(struct socket_call *c)
{
	struct answer answer = connect_unless_full(c, &c->address, c->len, -1);
	char subject[LOCAL_PATH_MAX + 2];

	/* EPERM is Landlock's: it was made outside. */
	if (answer.kind != ANSWER_ERROR || answer.error != EPERM) {
		return answer;
	}
	path_of(c, subject);
	subject[0] = '@';
	return refuse(c->r, ECONNREFUSED, "unix", "--allow-unix", subject);
}

static bool
is_listed(const struct strings *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], path) == 0) {
			return true;
		}
	}
	return false;
}

static bool
is_habit(const char *path)
{
	for (size_t i = 0; i < COUNT_OF(asked_by_habit); i++) {
		if (strcmp(asked_by_habit[i], path) == 0) {
			return true;
		}
	}
	return false;
}

/* The rule by which the floor grants a place: that with the longest path. */
static const struct plan_rule *
rule_over(const struct plan *plan, const char *path)
{
	const struct plan_rule *longest = NULL;
	size_t most = 0;

	for (size_t i = 0; i < plan->rule_count; i++) {
		const struct plan_rule *rule = &plan->rules[i];
		size_t len = strlen(rule->path);

		if ((rule->access & LL_MAKE_REG) != 0 && path_under(path, rule->path) &&
		    len >= most) {
			longest = rule;
			most = len;
		}
	}
	return longest;
}

/* The served root that a place lies in, the innermost; NULL: in none. */
static const char *
served_root_of(const struct plan_broker *spec, const char *path)
{
	const char *longest = NULL;

	for (size_t i = 0; i < spec->roots.count; i++) {
		const char *root = spec->roots.items[i];

		if (path_under(path, root) && (longest == NULL || strlen(root) > strlen(longest))) {
			longest = root;
		}
	}
	return longest;
}

/* Where everybody may make files, nobody works. */
static bool
is_shared_by_all(const char *dir)
{
	struct stat st;

	return stat(dir, &st) != 0 || (st.st_mode & S_ISVTX) != 0;
}

/*
 * Is the place the command's alone, or its work? What listens there may be talked to. In the temp
 * directory of the machine, which is served when a writable root lies in it, and among the caches
 * of the user, there are sockets of terminals (tmux), agents and displays, which a command could
 * take over what is outside by.
 */
static bool
is_open_place(const struct broker *b, const struct where *where)
{
	const struct plan_rule *rule;
	const char *root;

	if (where->place == PLACE_SERVED) {
		root = served_root_of(b->spec, where->path);
		return root != NULL && !is_shared_by_all(root);
	}
	rule = where->place == PLACE_FLOOR ? rule_over(b->plan, where->path) : NULL;
	if (rule == NULL || rule->why == WHY_CACHE) {
		return false;
	}
	/* A writable root is served, when names are protected, unless it holds nobody's work. */
	return rule->why == WHY_TMP || (b->spec->roots.count == 0 && !is_shared_by_all(rule->path));
}

/* Success, or a refusal that has been told. */
static struct answer
judge_socket(struct request *r, int object, const struct stat *st)
{
	const struct plan_broker *spec = r->broker->spec;
	struct where where;
	int error = place_of_fd(r->broker, object, &where);

	if (error != 0) {
		return answer_error(error);
	}
	if (spec->any_unix || is_open_place(r->broker, &where) ||
	    is_listed(&spec->unix_paths, where.path) ||
	    (place_is_writable(where.place) && own_local(r->broker->sockets, st))) {
		return answer_value(0);
	}
	return is_habit(where.path) ? answer_error(EACCES)
				    : refuse(r, EACCES, "unix", "--allow-unix", where.path);
}

static struct answer
connect_by_path(struct socket_call *c)
{
	struct answer answer;
	union address address = { .local = { .sun_family = AF_UNIX } };
	char path[LOCAL_PATH_MAX + 2];
	AUTO_FD object = -1;
	struct stat st;
	int len;

	path_of(c, path);
	object = walk_object(c->r, AT_FDCWD, path, 0);
	if (object < 0 || fstat(object, &st) != 0) {
		return answer_error(errno);
	}
	if (!S_ISSOCK(st.st_mode)) {
		return answer_error(ECONNREFUSED);
	}
	LOCK_BROKER(c->r->broker);
	answer = judge_socket(c->r, object, &st);
	if (answer.error != 0) {
		return answer;
	}
	len = snprintf(address.local.sun_path, sizeof(address.local.sun_path), "/proc/self/fd/%d",
		       object);
	return connect_unless_full(c, &address, (socklen_t)(PATH_AT + (size_t)len + 1),
				   take_fd(&object));
}

struct answer
unix_connect(struct socket_call *c)
{
	/* A datagram socket, which can only come from outside, forgets its peer. */
	if (c->type == SOCK_DGRAM && c->len >= sizeof(sa_family_t) &&
	    c->address.any.sa_family == AF_UNSPEC) {
		return answer_result(disconnect(c->fd) == 0 ? 0 : -1);
	}
	if (!is_valid(c)) {
		return answer_error(EINVAL);
	}
	if (is_abstract(c)) {
		/* As a scope of its own would say it. */
		return caller_is_confined(c->r) ? answer_error(EPERM) : connect_abstract(c);
	}
	return connect_by_path(c);
}

/* ---- listen -------------------------------------------------------------------------------- */

/* Where the network is open, it may be any socket that listens in the end; so the kernel does it
 * for the caller itself, whom clients see then (SO_PEERCRED). */
struct answer
unix_listen(struct socket_call *c)
{
	bool left = c->r->broker->plan->network;
	struct answer answer =
		left ? answer_continue() : answer_result(listen(c->fd, arg_int(c->r, 1)));
	LOCK_BROKER(c->r->broker);

	if (answer.error == 0) {
		own_add_local(c->r->broker->sockets, c->fd);
	}
	return answer;
}

/* ---- bind ---------------------------------------------------------------------------------- */

/* Appends a path, without "." and doubled slashes. False: it has "..", or does not fit. */
static bool
append_plain(char out[PATH_MAX], const char *path)
{
	size_t len = strlen(out);

	while (*path != '\0') {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.') {
			return false;
		}
		if (n > 0 && !(n == 1 && path[0] == '.')) {
			if (len + 1 + n >= PATH_MAX) {
				return false;
			}
			out[len] = '/';
			memcpy(out + len + 1, path, n);
			len += 1 + n;
			out[len] = '\0';
		}
		path += n + (path[n] == '/' ? 1 : 0);
	}
	return true;
}

/*
 * Does the caller's string name the place without a detour, from the directory `cwd`? In a served
 * root only the broker makes and moves names, and nobody inside can above it, so such a string
 * means the same as long as the lock is held. One that goes through a symlink or ".." may pass
 * through a place where the command has its way.
 */
static bool
names_plainly(const char *path, const char *cwd, const char *place)
{
	char plain[PATH_MAX] = "";

	return (path[0] == '/' || append_plain(plain, cwd)) && append_plain(plain, path) &&
	       strcmp(plain, place) == 0;
}

/* Where a name that cannot be made is one that the kernel finds at once. */
static int
check_entry(const struct entry *entry)
{
	struct stat st;
	bool special = strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0 ||
		       strcmp(entry->name, "/") == 0;

	if (special || fstatat(entry->dir, entry->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		return EADDRINUSE;
	}
	return errno == ENOENT && !entry->slash ? 0 : errno;
}

/* By the caller's own string where it is safe, else by the true path, or the bare name when that is
 * too long. The thread's working directory is set to what it has to be. */
static int
bind_in(struct socket_call *c, const char *path, const struct entry *entry,
	const struct where *place)
{
	union address address = { .local = { .sun_family = AF_UNIX } };
	AUTO_FD cwd = path[0] == '/' ? -1 : caller_dir(c->r, AT_FDCWD);
	struct where at = { .path = "" };
	const char *name = strlen(place->path) <= LOCAL_PATH_MAX ? place->path : entry->name;

	int error = path[0] == '/' ? 0 : cwd < 0 ? errno : place_of_fd(c->r->broker, cwd, &at);

	if (error == 0) {
		error = caller_take_umask(c->r);
	}
	if (error != 0) {
		errno = error;
		return -1;
	}
	if (names_plainly(path, at.path, place->path)) {
		return cwd >= 0 && fchdir(cwd) != 0 ? -1 : bind(c->fd, &c->address.any, c->len);
	}
	if (strlen(name) > LOCAL_PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address.local.sun_path, name, strlen(name));
	return fchdir(entry->dir) != 0
		       ? -1
		       : bind(c->fd, &address.any, (socklen_t)(PATH_AT + strlen(name) + 1));
}

static struct answer
bind_entry(struct socket_call *c, const char *path, const struct entry *entry)
{
	struct where dir;
	struct where place;
	int error;
	LOCK_BROKER(c->r->broker);

	error = place_of_fd(c->r->broker, entry->dir, &dir);
	if (error != 0) {
		return answer_error(error);
	}
	place_of_entry(c->r->broker, &dir, entry->name, &place);
	switch (place.place) {
	case PLACE_OUTSIDE:
		note_floor(c->r, &place);
		return answer_continue();
	case PLACE_FLOOR:
		return answer_continue();
	case PLACE_PROTECTED:
	case PLACE_SHM:
		return refuse_place(c->r, EACCES, &place);
	case PLACE_SERVED:
		break;
	}
	error = check_entry(entry);
	return error != 0 ? answer_error(error) : answer_result(bind_in(c, path, entry, &place));
}

struct answer
unix_bind(struct socket_call *c)
{
	struct entry entry = { .dir = -1 };
	char path[LOCAL_PATH_MAX + 2];
	struct answer answer;
	int error;

	/* Abstract names, also those that the kernel chooses, and what is an error anyway. */
	if (!is_valid(c) || is_abstract(c) || caller_is_confined(c->r)) {
		return answer_continue();
	}
	path_of(c, path);
	error = walk_entry(c->r, AT_FDCWD, path, &entry);
	answer = error != 0 ? answer_error(error) : bind_entry(c, path, &entry);
	close_fdp(&entry.dir);
	return answer;
}
