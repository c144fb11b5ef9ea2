/* SPDX-License-Identifier: MIT */

/* Unix sockets by the broker: who may be connected to, and sockets made in served roots. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "broker/sockets.h"
#include "broker_command.h"

#include "plan/landlock_abi.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/time.h>

#define TRIES 8000
#define NAME_AT offsetof(struct sockaddr_un, sun_path)

/* The test's directory, in it a served root "ws", a place that the floor grants, "tmp", and
 * listeners of the host. */
static struct {
	char dir[64];
	char root[80];
	char floor[96];
	char outside[96]; /* paths of sockets */
	char listed[96];
	char inside[128]; /* of a program outside, in the served root */
	char shared[128]; /* in a directory like /tmp */
	char abstract[32];
	int outside_fd;
	int shared_fd;
	int listed_fd;
	int inside_fd;
	int abstract_fd;
} host;

/* ---- addresses ----------------------------------------------------------------------------- */

static socklen_t
at_path(struct sockaddr_un *a, const char *path)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(a->sun_path, path, strnlen(path, sizeof(a->sun_path)));
	return (socklen_t)(NAME_AT + strnlen(path, sizeof(a->sun_path) - 1) + 1);
}

static socklen_t
at_name(struct sockaddr_un *a, const char *name)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(a->sun_path + 1, name, strlen(name));
	return (socklen_t)(NAME_AT + 1 + strlen(name));
}

static int
new_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* 0 or an errno. */
static int
bind_fd(int fd, const struct sockaddr_un *a, socklen_t len)
{
	return bind(fd, (const struct sockaddr *)a, len) == 0 ? 0 : errno;
}

static int
connect_fd(int fd, const struct sockaddr_un *a, socklen_t len)
{
	return connect(fd, (const struct sockaddr *)a, len) == 0 ? 0 : errno;
}

static int
try_bind(const char *path)
{
	struct sockaddr_un a;
	socklen_t len = at_path(&a, path);
	int fd = new_socket();
	int error = bind_fd(fd, &a, len);

	(void)close(fd);
	return error;
}

static int
try_path(const char *path)
{
	struct sockaddr_un a;
	socklen_t len = at_path(&a, path);
	int fd = new_socket();
	int error = connect_fd(fd, &a, len);

	(void)close(fd);
	return error;
}

static int
serve_path(const char *path, int backlog)
{
	struct sockaddr_un a;
	socklen_t len = at_path(&a, path);
	int fd = new_socket();

	return bind_fd(fd, &a, len) == 0 && listen(fd, backlog) == 0 ? fd : -1;
}

static int
serve_name(const char *name)
{
	struct sockaddr_un a;
	socklen_t len = at_name(&a, name);
	int fd = new_socket();

	return bind_fd(fd, &a, len) == 0 && listen(fd, 16) == 0 ? fd : -1;
}

static const char *
in_root(const char *name)
{
	static char path[256];

	(void)snprintf(path, sizeof(path), "%s/%s", host.root, name);
	return path;
}

static bool
is_lonely(int listener)
{
	struct pollfd ready = { .fd = listener, .events = POLLIN };

	return poll(&ready, 1, 20) == 0;
}

/* ---- connect ------------------------------------------------------------------------------- */

static int
sockets_outside(void *data)
{
	char by_fd[64];
	int pinned = open(host.outside, O_PATH | O_CLOEXEC);

	(void)data;
	CHECK(try_path(host.outside) == EACCES);
	CHECK(symlink(host.outside, in_root("alias")) == 0 && try_path(in_root("alias")) == EACCES);
	(void)snprintf(by_fd, sizeof(by_fd), "/proc/self/fd/%d", pinned);
	CHECK(try_path(by_fd) == EACCES);
	(void)snprintf(by_fd, sizeof(by_fd), "/proc/%d/fd/%d", getpid(), pinned);
	CHECK(try_path(by_fd) == EACCES);
	CHECK(chdir(host.dir) == 0 && try_path("out.sock") == EACCES);
	CHECK(try_path("ws/../out.sock") == EACCES);
	CHECK(try_path("no.sock") == ENOENT);
	CHECK(try_path("file") == ECONNREFUSED);
	CHECK(try_path("file/x") == ENOTDIR);
	CHECK(try_path("") == ECONNREFUSED); /* an abstract name of no bytes */
	return 0;
}

static int
sockets_allowed(void *data)
{
	(void)data;
	CHECK(try_path(host.listed) == 0);
	CHECK(try_path(host.inside) == 0);
	CHECK(try_path(in_root("stale")) == ECONNREFUSED);
	return 0;
}

/* In a directory that others use too, it is who listens that counts, not where. */
static int
shared_places(void *data)
{
	char path[128];
	char other[128];
	int fd;

	(void)data;
	CHECK(try_path(host.shared) == EACCES);
	(void)snprintf(path, sizeof(path), "%s/all/own.sock", host.dir);
	fd = serve_path(path, 4);
	CHECK(fd >= 0 && try_path(path) == 0);
	(void)snprintf(other, sizeof(other), "%s/all/link.sock", host.dir);
	CHECK(link(path, other) == 0 && try_path(other) == 0);
	(void)close(fd);
	CHECK(try_path(path) == EACCES || try_path(path) == ECONNREFUSED);
	return 0;
}

/* The name of a socket that is about to listen, given to that of somebody else. */
static int
name_is_passed_on(void *data)
{
	struct sockaddr_un a;
	char path[128];
	socklen_t len;
	int fd = new_socket();

	(void)data;
	(void)snprintf(path, sizeof(path), "%s/all/first.sock", host.dir);
	len = at_path(&a, path);
	CHECK(bind_fd(fd, &a, len) == 0);
	CHECK(unlink(path) == 0 && link(host.shared, path) == 0);
	CHECK(listen(fd, 4) == 0);
	CHECK(try_path(path) == EACCES);
	CHECK(try_path(host.shared) == EACCES);
	return 0;
}

static int
many_sockets(void *data)
{
	char path[128];
	char last[128];
	int fd;

	(void)data;
	(void)snprintf(last, sizeof(last), "%s/all/last.sock", host.dir);
	fd = serve_path(last, 4);
	CHECK(fd >= 0);
	/* Their files stay, so that no inode number comes twice. */
	for (int i = 0; i < 1100; i++) {
		(void)snprintf(path, sizeof(path), "%s/all/%d.sock", host.dir, i);
		fd = serve_path(path, 1);
		CHECK(fd >= 0 && try_path(path) == 0);
		(void)close(fd);
	}
	CHECK(try_path(last) == 0);
	return 0;
}

static int
abstract_names(void *data)
{
	struct sockaddr_un a;
	socklen_t len = at_name(&a, host.abstract);
	int own = serve_name("bailey-test-own");
	int fd = new_socket();
	socklen_t size = sizeof(a);

	(void)data;
	CHECK(own >= 0);
	CHECK(connect_fd(new_socket(), &a, len) == ECONNREFUSED);
	len = at_name(&a, "bailey-test-nobody");
	CHECK(connect_fd(new_socket(), &a, len) == ECONNREFUSED);
	len = at_name(&a, "bailey-test-own");
	CHECK(connect_fd(new_socket(), &a, len) == 0);
	CHECK(bind_fd(fd, &a, sizeof(sa_family_t)) == 0); /* the kernel chooses a name */
	CHECK(getsockname(fd, (struct sockaddr *)&a, &size) == 0 && size == NAME_AT + 6);
	CHECK(listen(fd, 1) == 0 && connect_fd(new_socket(), &a, size) == 0);
	return 0;
}

static int
lengths(void *data)
{
	struct sockaddr_un a;
	socklen_t len = at_path(&a, host.inside);
	int fd = new_socket();

	(void)data;
	CHECK(connect_fd(fd, &a, 0) == EINVAL);
	CHECK(connect_fd(fd, &a, 1) == EINVAL);
	CHECK(connect_fd(fd, &a, NAME_AT) == EINVAL);
	CHECK(connect_fd(fd, &a, sizeof(a) + 1) == EINVAL);
	CHECK(connect_fd(fd, &a, (socklen_t)-1) == EINVAL);
	CHECK(connect_fd(fd, (const struct sockaddr_un *)8, len) == EFAULT);
	a.sun_family = AF_INET;
	CHECK(connect_fd(fd, &a, len) == EINVAL);
	a.sun_family = AF_UNSPEC;
	CHECK(connect_fd(fd, &a, len) == EINVAL);
	a.sun_family = AF_UNIX;
	CHECK(connect_fd(fd, &a, len - 1) == 0); /* without the NUL */
	CHECK(connect_fd(fd, &a, len) == EISCONN);
	CHECK(connect_fd(new_socket(), &a, sizeof(a)) == 0);
	return 0;
}

static void *
accept_soon(void *data)
{
	(void)usleep(100 * 1000);
	for (int i = 0; i < 4; i++) {
		(void)accept(*(int *)data, NULL, NULL);
	}
	return NULL;
}

static int
full_queue(void *data)
{
	const struct timeval patience = { .tv_usec = 100 * 1000 };
	struct sockaddr_un a;
	socklen_t len = at_path(&a, in_root("full.sock"));
	int listener = serve_path(in_root("full.sock"), 0);
	int eager = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	int patient = new_socket();
	pthread_t thread;

	(void)data;
	CHECK(listener >= 0);
	CHECK(connect_fd(new_socket(), &a, len) == 0);
	CHECK(connect_fd(eager, &a, len) == EAGAIN);
	(void)setsockopt(patient, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	CHECK(connect_fd(patient, &a, len) == EAGAIN);
	CHECK((fcntl(patient, F_GETFL) & O_NONBLOCK) == 0);
	CHECK(pthread_create(&thread, NULL, accept_soon, &listener) == 0);
	CHECK(connect_fd(new_socket(), &a, len) == 0);
	return 0;
}

/* ---- bind ---------------------------------------------------------------------------------- */

/* The name that a socket has after it was bound to `path`, or what went wrong. */
static const char *
name_after_bind(const char *path, int *fd)
{
	static struct sockaddr_un a;
	socklen_t len = at_path(&a, path);
	socklen_t size = sizeof(a);

	*fd = new_socket();
	if (bind_fd(*fd, &a, len) != 0) {
		return strerrorname_np(errno);
	}
	return getsockname(*fd, (struct sockaddr *)&a, &size) == 0 ? a.sun_path : "";
}

static int
names_stay(void *data)
{
	struct stat st;
	char path[256];
	int fd;

	(void)data;
	(void)snprintf(path, sizeof(path), "%s", in_root("a.sock"));
	CHECK(strcmp(name_after_bind(path, &fd), path) == 0);
	CHECK(stat(path, &st) == 0 && S_ISSOCK(st.st_mode));
	CHECK(listen(fd, 1) == 0 && try_path(path) == 0);
	CHECK(chdir(host.root) == 0);
	CHECK(strcmp(name_after_bind("b.sock", &fd), "b.sock") == 0);
	CHECK(strcmp(name_after_bind("./sub//c.sock", &fd), "./sub//c.sock") == 0);
	CHECK(stat("sub/c.sock", &st) == 0);
	CHECK(chdir("sub") == 0);
	CHECK(strcmp(name_after_bind("d.sock", &fd), "d.sock") == 0);
	CHECK(stat("d.sock", &st) == 0);
	return 0;
}

/* By a symlink or "..", the socket is where it should be, under its true name. */
static int
detours(void *data)
{
	struct stat st;
	int fd;

	(void)data;
	CHECK(chdir(host.root) == 0);
	CHECK(symlink("sub", "link") == 0);
	CHECK(strcmp(name_after_bind("link/e.sock", &fd), in_root("sub/e.sock")) == 0);
	CHECK(stat("sub/e.sock", &st) == 0);
	CHECK(strcmp(name_after_bind("sub/../f.sock", &fd), in_root("f.sock")) == 0);
	CHECK(stat("f.sock", &st) == 0);
	return 0;
}

static int
modes(void *data)
{
	struct stat st;

	(void)data;
	(void)umask(077);
	CHECK(try_bind(in_root("mode77")) == 0);
	CHECK(stat(in_root("mode77"), &st) == 0 && (st.st_mode & 0777) == 0700);
	(void)umask(002);
	CHECK(try_bind(in_root("mode2")) == 0);
	CHECK(stat(in_root("mode2"), &st) == 0 && (st.st_mode & 0777) == 0775);
	return 0;
}

static int
bind_errors(void *data)
{
	char longest[120];

	(void)data;
	CHECK(chdir(host.root) == 0);
	CHECK(try_bind("stale") == EADDRINUSE);
	CHECK(try_bind(".") == EADDRINUSE);
	CHECK(try_bind("..") == EADDRINUSE);
	CHECK(try_bind("/") == EADDRINUSE);
	CHECK(try_bind("none/x") == ENOENT);
	CHECK(try_bind("stale/x") == ENOTDIR);
	CHECK(try_bind("new/") == ENOENT);
	(void)memset(longest, 'x', sizeof(longest));
	CHECK(try_bind(longest) == 0); /* 108 bytes without a NUL: at_path() takes 107 */
	CHECK(try_bind(".git/x") == EACCES);
	CHECK(try_bind("sub/.GIT/x") == ENOENT);
	CHECK(try_bind("sub/.GIT") == EACCES);
	CHECK(try_bind(".claude") == EACCES);
	CHECK(try_bind("sub/../.claude") == EACCES);
	return 0;
}

static int
floor_places(void *data)
{
	char path[128];
	int fd;

	(void)data;
	(void)snprintf(path, sizeof(path), "%s/x.sock", host.floor);
	CHECK(strcmp(name_after_bind(path, &fd), path) == 0);
	CHECK(listen(fd, 1) == 0 && try_path(path) == 0);
	return 0;
}

/* ---- races --------------------------------------------------------------------------------- */

struct swap {
	struct sockaddr_un address;
	char paths[2][108];
	volatile bool over;
};

static void *
swap_paths(void *data)
{
	struct swap *swap = data;

	for (unsigned int i = 0; !swap->over; i++) {
		memcpy(swap->address.sun_path, swap->paths[i % 2], sizeof(swap->paths[0]));
		__asm__ volatile("" ::: "memory");
	}
	return NULL;
}

static int
path_is_swapped(void *data)
{
	struct swap swap = { .over = false };
	int listener = serve_path(in_root("own.sock"), 128);
	pthread_t thread;
	int made = 0;

	(void)data;
	CHECK(listener >= 0);
	(void)at_path(&swap.address, host.outside);
	memcpy(swap.paths[0], in_root("own.sock"), strlen(in_root("own.sock")) + 1);
	memcpy(swap.paths[1], host.outside, strlen(host.outside) + 1);
	(void)fcntl(listener, F_SETFL, O_NONBLOCK);
	CHECK(pthread_create(&thread, NULL, swap_paths, &swap) == 0);
	for (int i = 0; i < TRIES; i++) {
		int fd = new_socket();

		made += connect_fd(fd, &swap.address, sizeof(swap.address)) == 0;
		(void)close(fd);
		(void)close(accept(listener, NULL, NULL));
	}
	swap.over = true;
	(void)pthread_join(thread, NULL);
	CHECK(made > 0 && made < TRIES);
	return 0;
}

static void *
swap_links(void *data)
{
	struct swap *swap = data;
	char link[128];
	char other[128];

	(void)snprintf(link, sizeof(link), "%s/link", host.floor);
	(void)snprintf(other, sizeof(other), "%s/other", host.floor);
	for (unsigned int i = 0; !swap->over; i++) {
		(void)!symlink(swap->paths[i % 2], other);
		(void)rename(other, link);
	}
	return NULL;
}

/* A symlink in a place of the command's, which leads to an allowed socket and to another; and to a
 * directory for a new socket and to a protected one. */
static int
links_are_swapped(void *data)
{
	struct swap swap = { .over = false };
	char path[128];
	struct stat st;
	pthread_t thread;
	int listener = serve_path(in_root("sub/s"), 128);

	(void)data;
	CHECK(listener >= 0);
	(void)fcntl(listener, F_SETFL, O_NONBLOCK);
	memcpy(swap.paths[0], in_root("sub"), strlen(in_root("sub")) + 1);
	memcpy(swap.paths[1], in_root(".git"), strlen(in_root(".git")) + 1);
	CHECK(pthread_create(&thread, NULL, swap_links, &swap) == 0);
	for (int i = 0; i < TRIES / 10; i++) {
		int fd = new_socket();
		struct sockaddr_un a;
		socklen_t len;

		(void)snprintf(path, sizeof(path), "%s/link/new", host.floor);
		len = at_path(&a, path);
		(void)bind_fd(fd, &a, len);
		(void)close(fd);
		(void)unlink(in_root("sub/new"));
		(void)snprintf(path, sizeof(path), "%s/link/s", host.floor);
		(void)try_path(path);
		(void)close(accept(listener, NULL, NULL));
	}
	swap.over = true;
	(void)pthread_join(thread, NULL);
	CHECK(lstat(in_root(".git/new"), &st) != 0 && errno == ENOENT);
	return 0;
}

/* ---- the outside --------------------------------------------------------------------------- */

static void
make_file(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", host.dir, name);
	(void)close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static void
make_dir(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", host.dir, name);
	(void)mkdir(path, 0700);
}

static int
set_up_host(void **state)
{
	static const char *const dirs[] = { "ws", "ws/sub", "ws/.git", "tmp", "all" };

	(void)state;
	(void)snprintf(host.dir, sizeof(host.dir), "/var/tmp/bailey-unix-XXXXXX");
	if (mkdtemp(host.dir) == NULL) {
		return 1;
	}
	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		make_dir(dirs[i]);
	}
	make_file("file");
	(void)snprintf(host.root, sizeof(host.root), "%s/ws", host.dir);
	(void)snprintf(host.floor, sizeof(host.floor), "%s/tmp", host.dir);
	(void)snprintf(host.outside, sizeof(host.outside), "%s/out.sock", host.dir);
	(void)snprintf(host.listed, sizeof(host.listed), "%s/listed.sock", host.dir);
	(void)snprintf(host.inside, sizeof(host.inside), "%s/in.sock", host.root);
	(void)snprintf(host.abstract, sizeof(host.abstract), "bailey-unix-%d", getpid());
	(void)close(serve_path(in_root("stale"), 1));
	(void)snprintf(host.shared, sizeof(host.shared), "%s/all/agent.sock", host.dir);
	host.shared_fd = serve_path(host.shared, 16);
	host.outside_fd = serve_path(host.outside, 16);
	host.listed_fd = serve_path(host.listed, 16);
	host.inside_fd = serve_path(host.inside, 16);
	host.abstract_fd = serve_name(host.abstract);
	return host.outside_fd < 0 || host.listed_fd < 0 || host.inside_fd < 0 ||
	       host.abstract_fd < 0;
}

static int
remove_host(void **state)
{
	char command[128];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", host.dir);
	return system(command);
}

static void
assert_inside(command_fn run)
{
	const char *roots[] = { host.root };
	const char *names[] = { ".git", ".claude" };
	const char *listed[] = { host.listed };
	const uint64_t access = LL_WRITE_FILE | LL_MAKE_REG | LL_MAKE_SOCK;
	char all[96];
	struct plan_rule rules[] = {
		{ .path = host.floor, .access = access, .why = WHY_TMP, .directory = true },
		{ .path = all, .access = access, .why = WHY_WRITE_ROOT, .directory = true },
	};
	struct plan plan = {
		.broker = { .parts = PART_UNIX | PART_LOOPBACK,
			    .roots = { .items = roots, .count = 1 },
			    .protected = { .items = names, .count = COUNT_OF(names) },
			    .unix_paths = { .items = listed, .count = 1 } },
		.rules = rules,
		.rule_count = COUNT_OF(rules),
	};

	(void)snprintf(all, sizeof(all), "%s/all", host.dir);
	assert_int_equal(run_command(&plan, &socket_calls, run, NULL), 0);
	assert_true(is_lonely(host.outside_fd));
	assert_true(is_lonely(host.shared_fd));
	assert_true(is_lonely(host.abstract_fd));
}

#define INSIDE(name, run)                                                                          \
	static void name(void **state)                                                             \
	{                                                                                          \
		(void)state;                                                                       \
		assert_inside(run);                                                                \
	}

INSIDE(refuses_sockets_outside, sockets_outside)
INSIDE(reaches_sockets_in_writable_places_and_named_ones, sockets_allowed)
INSIDE(reaches_its_own_alone_in_a_shared_place, shared_places)
INSIDE(goes_by_the_socket_and_not_by_its_name, name_is_passed_on)
INSIDE(forgets_dead_sockets_only, many_sockets)
INSIDE(reaches_abstract_names_made_inside_only, abstract_names)
INSIDE(checks_lengths_as_the_kernel_does, lengths)
INSIDE(waits_for_room_in_a_full_queue, full_queue)
INSIDE(keeps_names_when_it_binds_in_a_served_root, names_stay)
INSIDE(binds_by_the_true_name_behind_a_detour, detours)
INSIDE(honours_the_umask, modes)
INSIDE(fails_as_the_kernel_does_when_binding, bind_errors)
INSIDE(leaves_other_places_to_the_floor, floor_places)
INSIDE(connects_to_what_was_judged_when_the_path_is_swapped, path_is_swapped)
INSIDE(binds_where_it_was_judged_when_a_link_is_swapped, links_are_swapped)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_sockets_outside),
		cmocka_unit_test(reaches_sockets_in_writable_places_and_named_ones),
		cmocka_unit_test(reaches_its_own_alone_in_a_shared_place),
		cmocka_unit_test(goes_by_the_socket_and_not_by_its_name),
		cmocka_unit_test(forgets_dead_sockets_only),
		cmocka_unit_test(reaches_abstract_names_made_inside_only),
		cmocka_unit_test(checks_lengths_as_the_kernel_does),
		cmocka_unit_test(waits_for_room_in_a_full_queue),
		cmocka_unit_test(keeps_names_when_it_binds_in_a_served_root),
		cmocka_unit_test(binds_by_the_true_name_behind_a_detour),
		cmocka_unit_test(honours_the_umask),
		cmocka_unit_test(fails_as_the_kernel_does_when_binding),
		cmocka_unit_test(leaves_other_places_to_the_floor),
		cmocka_unit_test(connects_to_what_was_judged_when_the_path_is_swapped),
		cmocka_unit_test(binds_where_it_was_judged_when_a_link_is_swapped),
	};

	return cmocka_run_group_tests(tests, set_up_host, remove_host);
}
