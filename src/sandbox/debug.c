/* SPDX-License-Identifier: MIT */

/* Trying a policy out: run something under it and say what was seen. */

#include <bailey/sandbox.h>

#include "base/attr.h"
#include "base/fd.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "policy/policy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define OUTPUT_MAX ((size_t)1 << 20)

/* What the child hands back when bailey_run() did not run the command. */
struct failure {
	int rc;
	struct bailey_error err;
};

static void run_child(const struct bailey_run *run, int output, int failures)
	__attribute__((noreturn));

static void
run_child(const struct bailey_run *run, int output, int failures)
{
	struct failure failure = { 0 };
	int status = BAILEY_EXIT_FAILED;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0) {
		_exit(BAILEY_EXIT_FAILED);
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	failure.rc = bailey_run(run, &status, &failure.err);
	if (failure.rc != BAILEY_OK) {
		(void)write_all(failures, (const char *)&failure, sizeof(failure));
	}
	_exit(status);
}

/* Reads until the writers are gone; what is over the limit is read and dropped. */
static void
collect(int fd, struct strbuf *out)
{
	char buf[8192];

	for (;;) {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return;
		}
		if (out->len < OUTPUT_MAX) {
			size_t room = OUTPUT_MAX - out->len;

			strbuf_add(out, buf, (size_t)n < room ? (size_t)n : room);
		}
	}
}

static int
finish(pid_t pid, int failures, struct strbuf *text, struct bailey_debug_result *out,
       struct bailey_error *err)
{
	struct failure failure;
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (read(failures, &failure, sizeof(failure)) == (ssize_t)sizeof(failure)) {
		if (err != NULL && err->status == BAILEY_OK) {
			*err = failure.err;
		}
		return failure.rc;
	}
	out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : BAILEY_EXIT_FAILED;
	out->success = out->exit_code == 0;
	out->output_len = text->len;
	out->output = strbuf_take(text);
	return out->output != NULL ? BAILEY_OK
				   : bailey_fail(err, BAILEY_E_NOMEM, "no memory for the output");
}

int
bailey_debug_sandbox(const struct bailey_run *run, struct bailey_debug_result *out,
		     struct bailey_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT;
	int output[2];
	int failures[2];
	pid_t pid;
	int rc;

	*out = (struct bailey_debug_result){ 0 };
	if (pipe2(output, O_CLOEXEC) != 0) {
		return bailey_fail_sys(err, errno, "cannot make a pipe");
	}
	if (pipe2(failures, O_CLOEXEC) != 0) {
		rc = bailey_fail_sys(err, errno, "cannot make a pipe");
		(void)close(output[0]);
		(void)close(output[1]);
		return rc;
	}
	pid = fork();
	if (pid == 0) {
		run_child(run, output[1], failures[1]);
	}
	(void)close(output[1]);
	(void)close(failures[1]);
	if (pid < 0) {
		rc = bailey_fail_sys(err, errno, "cannot start a process");
	} else {
		collect(output[0], &text);
		rc = finish(pid, failures[0], &text, out, err);
		out->active = policy_is_sandboxed(run->policy);
	}
	(void)close(output[0]);
	(void)close(failures[0]);
	return rc;
}

/* ---- questions ---------------------------------------------------------------------------- */

/* The child's answer, or 2 with an error in `failures`. */
static int
answer(const struct bailey_run *run, int (*try)(const void *data), const void *data, int failures)
{
	struct bailey_error err = { 0 };

	if (bailey_restrict_self(run, &err) == BAILEY_OK) {
		return try(data);
	}
	(void)write_all(failures, (const char *)&err, sizeof(err));
	return 2;
}

static int
ask_child(const struct bailey_run *run, int (*try)(const void *data), const void *data,
	  struct bailey_error *err)
{
	struct bailey_error told;
	int ends[2];
	int status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return bailey_fail_sys(err, errno, "cannot make a pipe");
	}
	pid = fork();
	if (pid == 0) {
		struct bailey_run kept = *run;

		kept.keep_fds = &ends[1];
		kept.keep_fd_count = 1;
		_exit(answer(&kept, try, data, ends[1]));
	}
	(void)close(ends[1]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (read(ends[0], &told, sizeof(told)) == (ssize_t)sizeof(told) && err != NULL) {
		*err = told;
	}
	(void)close(ends[0]);
	if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1) {
		return bailey_fail(err, BAILEY_E_SYSTEM, "cannot try the policy out in a process");
	}
	return WEXITSTATUS(status);
}

/*
 * Without what needs somebody behind the process that tries: clocks and the temp directory change
 * nothing about the question.
 */
static int
restricted_child(const struct bailey_run *run, int (*try)(const void *data), const void *data,
		 struct bailey_error *err)
{
	struct bailey_run bare = *run;
	struct bailey_policy *policy = NULL;
	int rc = bailey_policy_clone(run->policy, &policy, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	rc = bailey_policy_set_limits_preset(policy, "unlimited", err);
	if (rc == BAILEY_OK) {
		rc = bailey_policy_set_tmp(policy, "none", err);
	}
	bare.policy = policy;
	bare.tell = NULL;
	if (rc == BAILEY_OK) {
		rc = ask_child(&bare, try, data, err);
	}
	bailey_policy_free(policy);
	return rc;
}

static int
try_touch(const void *data)
{
	int fd = open(data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		return 0;
	}
	(void)close(fd);
	return unlink(data) == 0 ? 1 : 0;
}

int
bailey_test_path_writable(const struct bailey_run *run, const char *path, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	char *probe;

	if (path == NULL || path[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID, "the path to try must be absolute");
	}
	probe = arena_printf(&arena, "%s/.bailey-probe-%d", path, (int)getpid());
	if (probe == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory");
	}
	return restricted_child(run, try_touch, probe, err);
}

static int
try_connect(const void *data)
{
	const struct sockaddr_in *address = data;
	AUTO_FD fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 ? 1
											      : 0;
}

int
bailey_test_network_blocked(const struct bailey_run *run, struct bailey_error *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	AUTO_FD fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, 1) != 0 || getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
		return bailey_fail_sys(err, errno, "cannot listen on the loopback interface");
	}
	return restricted_child(run, try_connect, &address, err);
}
