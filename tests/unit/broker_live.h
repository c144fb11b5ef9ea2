/* SPDX-License-Identifier: MIT */
#ifndef BROKER_LIVE_H
#define BROKER_LIVE_H

/*
 * For the tests of the broker's handlers with real notifications: a broker in a process of its own
 * serves a child whose calls a filter hands over. What is allowed has to be as without a broker,
 * errno included, so a case can be run both ways and the results compared.
 */
#include "broker/parts.h"
#include "plan/landlock_abi.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <grp.h>

#include <cmocka.h>

#define NOBODY 65534
#define SECONDS_MAX 60
#define LOG_MAX 65536

/* ---- a run with a broker, and without ----------------------------------------------------- */

/* Seen by all processes of a run. */
struct scene {
	char dir[64];	/* the test's; work/ in it is served, and the working directory */
	pid_t outsider; /* a process outside of the tree */
	uint64_t limit; /* of tasks; 0: none */
	size_t len;
	char log[LOG_MAX]; /* a line for each call */
	int denials;
	struct broker_denial denial; /* the last one */
};

typedef void (*body_fn)(struct scene *s);

static void
note(struct scene *s, const char *what, long rc)
{
	const char *error = rc < 0 ? strerrorname_np(errno) : "works";
	int n = snprintf(s->log + s->len, sizeof(s->log) - s->len, "%s: %s\n", what, error);

	s->len += (size_t)n;
	if (s->len >= sizeof(s->log)) {
		abort();
	}
}

#define TRY(call) note(s, #call, (long)(call))

static void
put(struct sock_filter *code, unsigned short *len, uint16_t op, uint32_t k, uint8_t yes, uint8_t no)
{
	code[(*len)++] = (struct sock_filter){ op, yes, no, k };
}

/* All calls of the broker's tables, but ioctl by what it asks for. */
static int
listen_to(const struct scene *s)
{
	static const struct call_table *const tables[] = { &metadata_calls, &process_calls,
							   &task_calls };
	static const uint32_t requests[] = { FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS,
					     FS_IOC_FSSETXATTR };
	struct sock_filter code[256];
	struct sock_fprog program = { 0, code };
	size_t count = s->limit > 0 ? 3 : 2;

	put(code, &program.len, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	put(code, &program.len, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
	put(code, &program.len, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
	for (size_t t = 0; t < count; t++) {
		for (size_t i = 0; i < tables[t]->count; i++) {
			int nr = tables[t]->rows[i].nr;

			put(code, &program.len, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0,
			    nr == SYS_ioctl ? 0 : 1);
			if (nr != SYS_ioctl) {
				put(code, &program.len, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, 0,
				    0);
			}
		}
	}
	put(code, &program.len, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 1, 0);
	put(code, &program.len, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	put(code, &program.len, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1]), 0,
	    0);
	for (size_t i = 0; i < COUNT_OF(requests); i++) {
		put(code, &program.len, BPF_JMP | BPF_JEQ | BPF_K, requests[i], 0, 1);
		put(code, &program.len, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, 0, 0);
	}
	put(code, &program.len, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static _Noreturn void
play(struct scene *s, body_fn body)
{
	char work[80];

	(void)snprintf(work, sizeof(work), "%s/work", s->dir);
	if (chdir(work) != 0) {
		_exit(2);
	}
	body(s);
	_exit(0);
}

static _Noreturn void
play_command(struct scene *s, body_fn body, int report, int go)
{
	int listener = listen_to(s);
	char c;

	if (listener < 0 || write(report, &listener, sizeof(listener)) < 0 ||
	    read(go, &c, 1) != 1) {
		_exit(3);
	}
	(void)close(listener);
	play(s, body);
}

static void
collect_denials(struct scene *s, int events)
{
	struct broker_event event;

	while (read(events, &event, sizeof(event)) == (ssize_t)sizeof(event)) {
		s->denials++;
		s->denial = event.denial;
	}
}

static void
serve_one(struct broker *b, const struct seccomp_notif *n)
{
	struct receiver receiver = { .broker = b };
	struct request r = { .broker = b,
			     .receiver = &receiver,
			     .id = n->id,
			     .tid = (pid_t)n->pid,
			     .nr = n->data.nr };
	struct seccomp_notif_resp response = { .id = n->id };
	struct answer answer;

	memcpy(r.args, n->data.args, sizeof(r.args));
	r.row = call_find(r.nr);
	answer = r.row->handle(&r);
	while (answer.kind == ANSWER_PENDING) {
		struct answer next;

		(void)poll(NULL, 0, 2);
		next = answer.retry(&r, answer.state);
		if (next.kind != ANSWER_PENDING) {
			free(answer.state);
			answer = next;
		}
	}
	response.error = -answer.error;
	response.val = answer.value;
	response.flags = answer.kind == ANSWER_CONTINUE ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
	(void)ioctl(b->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void
serve(struct broker *b)
{
	struct pollfd ready = { .fd = b->listener, .events = POLLIN };

	while (poll(&ready, 1, -1) > 0 && (ready.revents & POLLHUP) == 0) {
		struct seccomp_notif n = { 0 };

		if (ioctl(b->listener, SECCOMP_IOCTL_NOTIF_RECV, &n) == 0) {
			serve_one(b, &n);
		}
	}
}

/* work/ is served, with .git protected; floor/ is all the floor's; the rest is outside. */
static void
make_plan(const struct scene *s, struct plan *plan)
{
	static char work[80];
	static char floor[80];
	static const char *roots[] = { work };
	static const char *names[] = { ".git" };
	static struct plan_rule rule = { .path = floor,
					 .access = LL_WRITE_FILE | LL_MAKE_REG,
					 .directory = true };

	(void)snprintf(work, sizeof(work), "%s/work", s->dir);
	(void)snprintf(floor, sizeof(floor), "%s/floor", s->dir);
	plan->broker = (struct plan_broker){ .parts = PART_METADATA | PART_PROCESSES |
						      (s->limit > 0 ? PART_TASKS : 0),
					     .roots = { roots, 1 },
					     .protected = { names, 1 } };
	plan->rules = &rule;
	plan->rule_count = 1;
	plan->limits.max_pids = s->limit;
}

static bool
enter_domain(void)
{
	struct ll_ruleset_attr attr = { .scoped = LL_SCOPE_SIGNAL };
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);

	return ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}

static _Noreturn void
play_broker(struct scene *s, body_fn body)
{
	struct plan plan = { 0 };
	struct broker b = { .plan = &plan,
			    .spec = &plan.broker,
			    .self = getpid(),
			    .lock = PTHREAD_MUTEX_INITIALIZER };
	int report[2];
	int go[2];
	int events[2];
	int number = -1;
	pid_t child;

	make_plan(s, &plan);
	if (!enter_domain() || pipe(report) != 0 || pipe(go) != 0 ||
	    pipe2(events, O_NONBLOCK) != 0) {
		_exit(4);
	}
	child = fork();
	if (child == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		play_command(s, body, report[1], go[0]);
	}
	if (read(report[0], &number, sizeof(number)) < 0) {
		_exit(5);
	}
	b.listener = (int)syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, child, 0), number, 0);
	b.events = events[1];
	if (b.listener < 0 || !denials_set_up(&b) || !tasks_set_up(&b) ||
	    write(go[1], "", 1) != 1) {
		_exit(6);
	}
	serve(&b);
	denials_flush(&b);
	collect_denials(s, events[0]);
	if (waitpid(child, &number, 0) != child) {
		_exit(7);
	}
	_exit(number != 0 ? 8 : 0);
}

/* Everybody may do what the owner may: so both runs are somebody without capabilities. */
static void
become_somebody(void)
{
	static const gid_t none[1];

	(void)alarm(SECONDS_MAX);
	if ((geteuid() == 0 && (setgroups(0, none) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
				setresuid(NOBODY, NOBODY, NOBODY) != 0)) ||
	    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		_exit(9);
	}
}

static void
make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) != 0) {
		_exit(10);
	}
}

static void
make_files(const struct scene *s)
{
	if (chdir(s->dir) != 0 || mkdir("work", 0755) != 0 || mkdir("work/d", 0755) != 0 ||
	    mkdir("work/.git", 0755) != 0 || mkdir("floor", 0755) != 0 ||
	    mkdir("outside", 0755) != 0 || symlink("f", "work/l") != 0 ||
	    symlink("nothing", "work/dangling") != 0 || symlink("loop", "work/loop") != 0 ||
	    symlink("../outside/f", "work/out") != 0 || symlink(".git/config", "work/git") != 0 ||
	    mkfifo("work/p", 0644) != 0) {
		_exit(11);
	}
	make_file("work/f");
	make_file("work/d/f");
	make_file("work/.git/config");
	make_file("floor/f");
	make_file("outside/f");
	(void)umask(022);
}

static _Noreturn void
play_run(struct scene *s, body_fn body, bool brokered)
{
	pid_t outsider;

	become_somebody();
	make_files(s);
	outsider = fork();
	if (outsider == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)pause();
		_exit(0);
	}
	s->outsider = outsider;
	if (brokered) {
		pid_t broker = fork();
		int status;

		if (broker == 0) {
			play_broker(s, body);
		}
		(void)waitpid(broker, &status, 0);
		(void)kill(outsider, SIGKILL);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 12);
	}
	(void)kill(outsider, SIGKILL);
	play(s, body);
}

static struct scene *
run(body_fn body, bool brokered, uint64_t limit)
{
	struct scene *s =
		mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char command[96];
	int status;
	pid_t pid;

	assert_true(s != MAP_FAILED);
	s->limit = limit;
	(void)strcpy(s->dir, "/tmp/broker-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	assert_int_equal(chmod(s->dir, 0777), 0);
	pid = fork();
	if (pid == 0) {
		play_run(s, body, brokered);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	(void)snprintf(command, sizeof(command), "rm -rf %s", s->dir);
	assert_int_equal(system(command), 0);
	if (status != 0) {
		print_error("status %x, log so far:\n%s", (unsigned int)status, s->log);
	}
	assert_int_equal(status, 0);
	return s;
}

static void
assert_same(body_fn body)
{
	struct scene *bare = run(body, false, 0);
	struct scene *brokered = run(body, true, 0);

	assert_true(bare->len > 0);
	assert_string_equal(brokered->log, bare->log);
	(void)munmap(bare, sizeof(*bare));
	(void)munmap(brokered, sizeof(*brokered));
}

#endif /* BROKER_LIVE_H */
