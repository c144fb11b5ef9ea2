/* SPDX-License-Identifier: MIT */
#ifndef FILTER_LIVE_H
#define FILTER_LIVE_H

/*
 * For the tests of filters on the running kernel. Each case forks; the child sets no_new_privs,
 * installs a filter, makes real system calls and reports what went wrong. When root runs this,
 * every case is run as root and again as somebody without privileges.
 */
#include "sandbox/filter_impl.h"

#include "base/attr.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NOBODY 65534
#define SECONDS_MAX 60

/* ---- running a case ---------------------------------------------------------------------- */

struct scene {
	char dir[64]; /* a directory that everybody may write to */
	int report;   /* where the child writes what went wrong */
	int listener; /* a stream socket bound to dir/stream */
	int mailbox;  /* a datagram socket bound to dir/dgram */
};

/* In the child: what went wrong, then the end. */
#define FAIL(...)                                                                                  \
	do {                                                                                       \
		(void)dprintf(scene->report, __VA_ARGS__);                                         \
		_exit(1);                                                                          \
	} while (0)

#define WORKS(call)                                                                                \
	do {                                                                                       \
		if ((call) == -1) {                                                                \
			FAIL("%s: %s", #call, strerror(errno));                                    \
		}                                                                                  \
	} while (0)

static void
install(const struct scene *scene, const struct plan_filter *spec)
{
	struct arena arena = { 0 };
	struct sock_fprog program = { 0 };
	struct bailey_error err = { 0 };

	if (filter_compile(spec, &arena, &program, &err) != 0) {
		FAIL("%s", err.message);
	}
	WORKS(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	WORKS(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

typedef void (*live_case)(const struct scene *scene);

struct setting {
	const struct plan_filter *spec;
	live_case run;
	int killed_by; /* the signal that must end the child, or 0 */
};

static void
run_child(const struct scene *scene, const struct setting *setting, bool drop)
{
	(void)alarm(SECONDS_MAX);
	(void)setsid();
	WORKS(chdir(scene->dir));
	if (drop) {
		WORKS(setresgid(NOBODY, NOBODY, NOBODY));
		WORKS(setresuid(NOBODY, NOBODY, NOBODY));
	}
	if (setting->spec != NULL) {
		install(scene, setting->spec);
	}
	setting->run(scene);
	_exit(0);
}

static void
run_once(struct scene *scene, const struct setting *setting, bool drop)
{
	char message[512] = "";
	int ends[2];
	int status;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	scene->report = ends[1];
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		run_child(scene, setting, drop);
	}
	(void)close(ends[1]);
	if (read(ends[0], message, sizeof(message) - 1) > 0) {
		print_error("%s\n", message);
	}
	(void)close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (setting->killed_by != 0) {
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), setting->killed_by);
		return;
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
run_case(void **state, const struct plan_filter *spec, live_case run, int killed_by)
{
	const struct setting setting = { spec, run, killed_by };

	if (geteuid() == 0) {
		run_once(*state, &setting, true);
	}
	run_once(*state, &setting, false);
}

/* A bound socket of each kind outside the filter, for those inside to try to reach. */
static int
bind_socket(const char *dir, const char *name, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", dir, name);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    chmod(address.sun_path, 0777) != 0) {
		return -1;
	}
	return fd;
}

static int
make_scene(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	if (scene == NULL) {
		return -1;
	}
	*state = scene;
	(void)snprintf(scene->dir, sizeof(scene->dir), "/tmp/bailey-test-XXXXXX");
	if (mkdtemp(scene->dir) == NULL || chmod(scene->dir, 0777) != 0) {
		return -1;
	}
	scene->listener = bind_socket(scene->dir, "stream", SOCK_STREAM);
	scene->mailbox = bind_socket(scene->dir, "dgram", SOCK_DGRAM);
	return scene->listener >= 0 && scene->mailbox >= 0 && listen(scene->listener, 8) == 0 ? 0
											      : -1;
}

static int
remove_scene(void **state)
{
	static const char *const names[] = { "stream", "dgram", "file", "dir" };
	struct scene *scene = *state;
	char path[160];

	(void)close(scene->listener);
	(void)close(scene->mailbox);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", scene->dir, names[i]);
		(void)remove(path);
	}
	(void)rmdir(scene->dir);
	free(scene);
	return 0;
}

/* ---- specs ------------------------------------------------------------------------------- */

static const struct plan_filter closed = { .strict = true };
static const struct plan_filter open_wide = {
	.strict = true, .inet = true, .unix_sockets = true, .metadata = true, .ipc = true
};

#endif /* FILTER_LIVE_H */
