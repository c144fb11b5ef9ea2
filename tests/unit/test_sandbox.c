/* SPDX-License-Identifier: MIT */

/* The library's own interface on the real kernel: running, restricting, asking. What changes a
 * process for good is tried in a child. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/attr.h"
#include "base/fd.h"

#include <bailey/bailey.h>

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct place {
	char top[64];
	char workspace[96];
	struct bailey_policy *policy;
	struct bailey_run run;
};

static int
set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct bailey_error err = { 0 };

	assert_non_null(place);
	(void)snprintf(place->top, sizeof(place->top), "/tmp/bailey-test.XXXXXX");
	assert_non_null(mkdtemp(place->top));
	(void)snprintf(place->workspace, sizeof(place->workspace), "%s/ws", place->top);
	assert_int_equal(mkdir(place->workspace, 0755), 0);
	assert_int_equal(bailey_policy_new(BAILEY_POLICY_WORKSPACE_WRITE, &place->policy, &err), 0);
	assert_int_equal(bailey_policy_set_tmp(place->policy, "none", &err), 0);
	place->run = (struct bailey_run){ .size = sizeof(struct bailey_run),
					  .policy = place->policy,
					  .cwd = place->workspace,
					  .home = place->top,
					  .envp = environ };
	*state = place;
	return 0;
}

static int
tear_down(void **state)
{
	struct place *place = *state;

	bailey_policy_free(place->policy);
	(void)remove_tree(AT_FDCWD, place->top);
	free(place);
	return 0;
}

/* Runs `try` in a child; its exit status. */
static int
in_child(int (*try)(const struct place *place), const struct place *place)
{
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		_exit(try(place));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
run_command(const struct place *place, const char *script, int *status)
{
	char *argv[] = { strdup("sh"), strdup("-c"), strdup(script), NULL };
	struct bailey_run run = place->run;
	struct bailey_error err = { 0 };

	run.argv = argv;
	return bailey_run(&run, status, &err);
}

/* ---- running ------------------------------------------------------------------------------- */

static int
try_run(const struct place *place)
{
	int status = -1;

	if (run_command(place, "echo x > f && exit 7", &status) != BAILEY_OK || status != 7) {
		return 1;
	}
	return access("/proc/self", F_OK) == 0 ? 0 : 2;
}

static void
runs_a_command_and_gives_its_status(void **state)
{
	struct place *place = *state;
	char path[128];

	assert_int_equal(in_child(try_run, place), 0);
	(void)snprintf(path, sizeof(path), "%s/f", place->workspace);
	assert_int_equal(access(path, F_OK), 0);
}

static int
try_run_twice_beside_a_child(const struct place *place)
{
	int first = -1;
	int second = -1;
	int ends[2];
	int status;
	char byte;
	pid_t own;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return 9;
	}
	own = fork();
	if (own == 0) {
		/* Lives as long as the process that tries. */
		(void)close(ends[1]);
		_exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
	}
	if (run_command(place, "exit 3", &first) != BAILEY_OK ||
	    run_command(place, "(sleep 50 &) ; exit 4", &second) != BAILEY_OK) {
		return 1;
	}
	/* The caller's own child lives on; it is out of reach, being outside of the domain. */
	if (first != 3 || second != 4 || waitpid(own, &status, WNOHANG) != 0) {
		return 2;
	}
	return kill(own, SIGKILL) != 0 && errno == EPERM ? 0 : 3;
}

static int
try_keeping_beside_a_child(const struct place *place)
{
	struct place keeping = *place;
	int status = -1;
	pid_t own = fork();
	pid_t launcher;

	keeping.run.keep_background = true;
	if (own == 0) {
		(void)pause();
		_exit(0);
	}
	/* What stays ends by itself, after this has seen that it stays. */
	if (run_command(&keeping, "(sleep 0.5 &) ; exit 4", &status) != BAILEY_OK || status != 4) {
		return 1;
	}
	launcher = waitpid(-1, &status, WNOHANG);
	if (launcher != 0 || waitpid(own, &status, WNOHANG) != 0) {
		return 2;
	}
	/* The caller is in no domain: its child is in reach, and the launcher can be waited for. */
	if (kill(own, SIGKILL) != 0 || waitpid(own, &status, 0) != own) {
		return 3;
	}
	return waitpid(-1, &status, 0) > 0 && WIFEXITED(status) && waitpid(-1, NULL, 0) < 0 ? 0 : 4;
}

static void
keeps_what_is_left_running(void **state)
{
	assert_int_equal(in_child(try_keeping_beside_a_child, *state), 0);
}

static void
leaves_other_children_of_the_caller_alone(void **state)
{
	assert_int_equal(in_child(try_run_twice_beside_a_child, *state), 0);
}

static int
try_run_what_is_not_there(const struct place *place)
{
	char *argv[] = { strdup("no-such-program"), NULL };
	struct bailey_run run = place->run;
	struct bailey_error err = { 0 };
	int status = 0;

	run.argv = argv;
	return bailey_run(&run, &status, &err) == BAILEY_E_NOT_FOUND &&
			       status == BAILEY_EXIT_NOT_FOUND && err.message[0] != '\0'
		       ? 0
		       : 1;
}

static void
tells_a_missing_program(void **state)
{
	assert_int_equal(in_child(try_run_what_is_not_there, *state), 0);
}

static void
refuses_a_struct_of_another_size_and_relative_places(void **state)
{
	struct place *place = *state;
	struct bailey_run run = place->run;
	struct bailey_error err = { 0 };
	AUTO_FREE char *text = NULL;
	int status = 0;

	run.size = 8;
	assert_int_equal(bailey_run(&run, &status, &err), BAILEY_E_INVALID);
	assert_int_equal(status, BAILEY_EXIT_FAILED);
	run = place->run;
	run.cwd = "relative";
	err = (struct bailey_error){ 0 };
	assert_int_equal(bailey_explain(&run, false, &text, &err), BAILEY_E_INVALID);
	run.cwd = place->workspace;
	run.policy = NULL;
	err = (struct bailey_error){ 0 };
	assert_int_equal(bailey_explain(&run, false, &text, &err), BAILEY_E_INVALID);
}

/* ---- restricting the caller ---------------------------------------------------------------- */

static int
try_restricted(const struct place *place)
{
	struct bailey_error err = { 0 };
	int fd = open("/etc/passwd", O_RDONLY);

	if (bailey_restrict_self(&place->run, &err) != BAILEY_OK) {
		return 1;
	}
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2) {
		return 2;
	}
	if (open(place->top, O_WRONLY | O_TMPFILE, 0600) >= 0 ||
	    socket(AF_INET, SOCK_STREAM, 0) >= 0) {
		return 3;
	}
	if (chdir(place->workspace) != 0 || open("f", O_WRONLY | O_CREAT, 0600) < 0) {
		return 4;
	}
	return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0 ? 0 : 5;
}

static void
restricts_the_calling_process(void **state)
{
	struct place *place = *state;
	struct bailey_error err = { 0 };

	assert_int_equal(bailey_policy_set_limits_preset(place->policy, "unlimited", &err), 0);
	assert_int_equal(in_child(try_restricted, place), 0);
}

static int
try_restrict_with_a_clock(const struct place *place)
{
	struct bailey_error err = { 0 };

	return bailey_restrict_self(&place->run, &err) == BAILEY_E_INVALID ? 0 : 1;
}

static void
refuses_to_restrict_what_needs_somebody_behind(void **state)
{
	assert_int_equal(in_child(try_restrict_with_a_clock, *state), 0); /* 300 s by default */
}

/* ---- asking -------------------------------------------------------------------------------- */

static void
tries_questions_out(void **state)
{
	struct place *place = *state;
	struct bailey_error err = { 0 };

	assert_int_equal(bailey_test_path_writable(&place->run, place->workspace, &err), 1);
	assert_int_equal(bailey_test_path_writable(&place->run, place->top, &err), 0);
	assert_int_equal(bailey_test_network_blocked(&place->run, &err), 1);
	assert_int_equal(bailey_policy_set_network_access(place->policy, true, &err), 0);
	assert_int_equal(bailey_test_network_blocked(&place->run, &err), 0);
	assert_int_equal(bailey_test_path_writable(&place->run, "relative", &err),
			 BAILEY_E_INVALID);
}

static void
collects_what_a_command_prints(void **state)
{
	struct place *place = *state;
	char *argv[] = { strdup("sh"), strdup("-c"), strdup("echo out; echo err >&2; exit 5"),
			 NULL };
	struct bailey_run run = place->run;
	struct bailey_debug_result result;
	struct bailey_error err = { 0 };

	run.argv = argv;
	assert_int_equal(bailey_debug_sandbox(&run, &result, &err), BAILEY_OK);
	assert_string_equal(result.output, "out\nerr\n");
	assert_int_equal(result.exit_code, 5);
	assert_false(result.success);
	assert_true(result.active);
	free(result.output);
	for (size_t i = 0; argv[i] != NULL; i++) {
		free(argv[i]);
	}
}

static void
probes_the_machine(void **state)
{
	struct bailey_capabilities caps;

	(void)state;
	bailey_probe(&caps);
	assert_int_equal(bailey_landlock_supported(), caps.landlock_abi > 0);
	assert_true(caps.landlock_abi >= 6); /* the tests need a kernel that holds everything */
	assert_true(caps.seccomp);
	assert_int_not_equal(caps.landlock_scope & 2, 0);
	assert_string_equal(bailey_landlock_right_name(2), "read_file");
	assert_int_equal(bailey_landlock_right_abi(14), 3);
	assert_null(bailey_landlock_right_name(60));
	assert_string_equal(bailey_version(), BAILEY_VERSION);
}

/* What reach says is what the kernel does, for places of every kind. */
static int
try_reach(const struct place *place)
{
	static const char *const paths[] = { "/etc/passwd", "/usr/bin/env", "/dev/null", "/tmp" };
	struct bailey_reach said[COUNT_OF(paths)];
	struct bailey_error err = { 0 };

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		if (bailey_reach_path(&place->run, paths[i], &said[i], &err) != BAILEY_OK) {
			return 1;
		}
	}
	if (bailey_restrict_self(&place->run, &err) != BAILEY_OK) {
		return 2;
	}
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		int read = open(paths[i], O_RDONLY);
		int write = open(paths[i], O_WRONLY);
		bool directory = write < 0 && errno == EISDIR;

		if ((read >= 0) != (said[i].read || directory) ||
		    (write >= 0) != (said[i].write && !directory)) {
			return 10 + (int)i;
		}
	}
	return 0;
}

static void
says_what_the_floor_does(void **state)
{
	struct place *place = *state;
	struct bailey_error err = { 0 };

	assert_int_equal(bailey_policy_set_limits_preset(place->policy, "unlimited", &err), 0);
	assert_int_equal(in_child(try_reach, place), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_a_command_and_gives_its_status, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(leaves_other_children_of_the_caller_alone, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(keeps_what_is_left_running, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tells_a_missing_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			refuses_a_struct_of_another_size_and_relative_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(restricts_the_calling_process, set_up, tear_down),
		cmocka_unit_test_setup_teardown(refuses_to_restrict_what_needs_somebody_behind,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(tries_questions_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(collects_what_a_command_prints, set_up, tear_down),
		cmocka_unit_test(probes_the_machine),
		cmocka_unit_test_setup_teardown(says_what_the_floor_does, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
