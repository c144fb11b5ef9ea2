/* SPDX-License-Identifier: MIT */

/* How the broker tells of refusals: what is in an event, not twice, never waiting, and not what the
 * command could not have done anyway. */

#include "broker/request.h"

#include "base/attr.h"
#include "broker/parts.h"
#include "plan/landlock_abi.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
	struct broker broker;
	struct plan plan;
	struct call_row row;
	struct request request;
	int told; /* read end */
	char dir[32];
};

static int
set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int ends[2];

	assert_non_null(f);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	f->told = ends[0];
	f->broker.events = ends[1];
	f->broker.plan = &f->plan;
	assert_true(denials_set_up(&f->broker));
	f->row.name = "openat";
	f->request = (struct request){ .broker = &f->broker, .row = &f->row, .tid = getpid() };
	(void)snprintf(f->dir, sizeof(f->dir), "/tmp/denials-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	(void)rmdir(f->dir);
	(void)close(f->told);
	(void)close(f->broker.events);
	free(f->broker.denials);
	free(f);
	return 0;
}

static bool
next(const struct fixture *f, struct broker_event *event)
{
	return read(f->told, event, sizeof(*event)) == (ssize_t)sizeof(*event);
}

static void
event_has_all_of_it(void **state)
{
	struct fixture *f = *state;
	struct broker_event event;
	struct answer answer = refuse(&f->request, EPERM, "some.rule", "--net", "1.2.3.4:5");
	char name[16];

	assert_int_equal(answer.kind, ANSWER_ERROR);
	assert_int_equal(answer.error, EPERM);
	assert_true(next(f, &event));
	assert_int_equal(event.kind, BROKER_DENIED);
	assert_string_equal(event.denial.rule, "some.rule");
	assert_string_equal(event.denial.call, "openat");
	assert_string_equal(event.denial.option, "--net");
	assert_string_equal(event.denial.subject, "1.2.3.4:5");
	assert_int_equal(event.denial.error, EPERM);
	assert_int_equal(event.denial.pid, getpid());
	assert_int_equal(prctl(PR_GET_NAME, name, 0, 0, 0), 0);
	assert_string_equal(event.denial.comm, name);
}

static void
what_is_too_long_is_cut(void **state)
{
	struct fixture *f = *state;
	struct broker_event event;
	struct where where = { .rule = "write.outside", .option = "--write" };

	memset(where.path, 'x', sizeof(where.path) - 1);
	f->row.name = "a_name_that_no_system_call_will_ever_have";
	assert_int_equal(refuse_place(&f->request, EACCES, &where).error, EACCES);
	assert_true(next(f, &event));
	assert_int_equal(strlen(event.denial.subject), DENIAL_PATH_MAX - 1);
	assert_int_equal(strlen(event.denial.call), sizeof(event.denial.call) - 1);
}

static void
same_is_told_once(void **state)
{
	struct fixture *f = *state;
	struct broker_event event;

	for (int i = 0; i < 1000; i++) {
		assert_int_equal(refuse(&f->request, EACCES, "r", "", "/a").error, EACCES);
		assert_int_equal(refuse(&f->request, EACCES, "r", "", "/b").error, EACCES);
	}
	assert_true(next(f, &event) && next(f, &event));
	assert_false(next(f, &event));
	/* the texts are kept apart */
	(void)refuse(&f->request, EACCES, "r/", "", "a");
	assert_true(next(f, &event));
}

/* The first moment of a second, so that a test is within one. */
static void
wait_for_a_second(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec++;
	now.tv_nsec = 0;
	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL);
}

static void
refuse_many(struct fixture *f, int from, int to)
{
	for (int i = from; i < to; i++) {
		char path[32];

		(void)snprintf(path, sizeof(path), "/%d", i);
		(void)refuse(&f->request, EACCES, "r", "", path);
	}
}

static void
full_pipe_is_no_reason_to_wait(void **state)
{
	struct fixture *f = *state;
	struct broker_event event;
	int told = 0;
	int lost = 0;

	wait_for_a_second();
	refuse_many(f, 0, 90);
	denials_flush(&f->broker);
	while (next(f, &event)) {
		told += event.kind == BROKER_DENIED;
		lost += event.kind == BROKER_LOST ? event.error : 0; /* it takes of the other half */
	}
	assert_in_range(told, 10, 60); /* half of a pipe */
	assert_int_equal(told + lost, 90);
	denials_flush(&f->broker);
	assert_false(next(f, &event));
	/* what was lost is told when it happens again */
	refuse_many(f, 89, 90);
	assert_true(next(f, &event));
	assert_string_equal(event.denial.subject, "/89");
}

static void
flood_is_cut_off(void **state)
{
	struct fixture *f = *state;
	struct broker_event event;
	int told = 0;

	wait_for_a_second();
	for (int i = 0; i < 5000; i += 10) {
		refuse_many(f, i, i + 10);
		while (next(f, &event)) {
			told++;
		}
	}
	assert_in_range(told, 100, 210); /* it may have run into the next second */
	denials_flush(&f->broker);
	assert_true(next(f, &event) && event.kind == BROKER_LOST);
}

/* ---- what the floor refuses --------------------------------------------------------------- */

static bool
is_noted(struct fixture *f, const char *call, const char *path)
{
	struct where where = { .rule = "write.outside", .option = "--write" };
	struct broker_event event;
	bool noted;

	(void)snprintf(where.path, sizeof(where.path), "%s", path);
	f->row.name = call;
	note_floor(&f->request, &where);
	noted = next(f, &event);
	assert_false(next(f, &event));
	return noted;
}

static void
only_what_would_work_outside_is_noted(void **state)
{
	struct fixture *f = *state;
	char file[64];
	char missing[64];
	char deep[80];
	AUTO_FD fd = -1;

	(void)snprintf(file, sizeof(file), "%s/file", f->dir);
	(void)snprintf(missing, sizeof(missing), "%s/missing", f->dir);
	(void)snprintf(deep, sizeof(deep), "%s/missing/deep", f->dir);
	fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_true(is_noted(f, "openat", file));
	assert_false(is_noted(f, "openat", file));
	assert_true(is_noted(f, "openat", missing));
	assert_false(is_noted(f, "openat", deep));
	/* these say EEXIST and ENOENT before anybody is asked */
	assert_false(is_noted(f, "mkdirat", f->dir));
	assert_true(is_noted(f, "mkdirat", missing));
	assert_true(is_noted(f, "unlink", file));
	assert_false(is_noted(f, "unlink", missing));
	assert_true(is_noted(f, "renameat2", file));
	(void)unlink(file);
}

static void
system_places_and_devices_make_no_noise(void **state)
{
	struct fixture *f = *state;

	assert_false(is_noted(f, "openat", "/dev/tty"));
	assert_false(is_noted(f, "openat", "/dev/shm/x"));
	assert_false(is_noted(f, "openat", "/proc/1/comm"));
	assert_false(is_noted(f, "openat", "/proc"));
}

/* As nobody: what the mode forbids is not worth a word. */
static void
what_the_mode_forbids_is_not_noted(void **state)
{
	struct fixture *f = *state;
	char file[64];
	AUTO_FD fd = -1;

	if (geteuid() != 0) {
		skip();
	}
	(void)snprintf(file, sizeof(file), "%s/file", f->dir);
	fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	assert_int_equal(chmod(f->dir, 0755), 0);
	/* of this thread alone, and it comes back: setresuid(2) as the kernel has it */
	assert_int_equal(syscall(SYS_setresuid, -1, 65534, -1), 0);
	assert_false(is_noted(f, "openat", file));
	assert_false(is_noted(f, "unlink", file));
	assert_false(is_noted(f, "openat", "/usr/lib/new"));
	assert_int_equal(syscall(SYS_setresuid, -1, 0, -1), 0);
	(void)unlink(file);
}

static void
file_with_a_rule_of_its_own_is_not_noted(void **state)
{
	struct fixture *f = *state;
	char file[64];
	struct plan_rule rule = { .path = file, .access = LL_WRITE_FILE };
	AUTO_FD fd = -1;

	(void)snprintf(file, sizeof(file), "%s/file", f->dir);
	fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	f->plan.rules = &rule;
	f->plan.rule_count = 1;
	assert_false(is_noted(f, "openat", file));
	f->plan.rule_count = 0;
	(void)unlink(file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(event_has_all_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_too_long_is_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(same_is_told_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(full_pipe_is_no_reason_to_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(flood_is_cut_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_would_work_outside_is_noted, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(system_places_and_devices_make_no_noise, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_the_mode_forbids_is_not_noted, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(file_with_a_rule_of_its_own_is_not_noted, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
