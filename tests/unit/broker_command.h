/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BROKER_COMMAND_H
#define TESTS_BROKER_COMMAND_H

/*
 * Handlers for sockets with real callers and real services of the host: the test is a process
 * outside; in it there is a broker, in a Landlock domain with a scope for abstract names; and in
 * that a command, some of whose calls the kernel hands to the broker. This broker has one thread.
 */

#include "broker/parts.h"
#include "broker/request.h"

#include "base/attr.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PENDING_ROOM 512
#define SCOPE_ABSTRACT_NAMES 1 /* LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET */
#define NR_LANDLOCK_CREATE_RULESET 444
#define NR_LANDLOCK_RESTRICT_SELF 446

/* A command returns 0, or the number of the line at which it saw something wrong. */
typedef int (*command_fn)(void *data);

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			(void)fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__,        \
				      #condition, errno);                                          \
			return __LINE__;                                                           \
		}                                                                                  \
	} while (0)

struct kept_call {
	struct request request;
	struct answer answer;
};

struct small_broker {
	struct broker broker;
	const struct call_table *table;
	struct kept_call kept[PENDING_ROOM];
	size_t count;
};

/* ---- the command --------------------------------------------------------------------------- */

static int
install_listener(const struct call_table *table)
{
	struct sock_filter program[32] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						    offsetof(struct seccomp_data, nr)) };
	struct sock_fprog filter = { 1, program };

	for (size_t i = 0; i < table->count && filter.len < 30; i++) {
		program[filter.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)table->rows[i].nr, 0, 1);
		program[filter.len++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	}
	program[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		return -1;
	}
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &filter);
}

static void
be_command(const struct call_table *table, command_fn run, void *data, int ready[2])
{
	int number;
	char end;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	number = install_listener(table);
	(void)!write(ready[1], &number, sizeof(number));
	/* The broker takes its copy and closes its end. */
	(void)close(ready[0]);
	(void)!read(ready[1], &end, 1);
	(void)close(ready[1]);
	(void)close(number);
	_exit(run(data) == 0 ? 0 : 1);
}

static pid_t
start_command(struct small_broker *s, command_fn run, void *data)
{
	int ready[2];
	int number = -1;
	pid_t pid;
	AUTO_FD pidfd = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ready) != 0) {
		return -1;
	}
	pid = fork();
	if (pid == 0) {
		be_command(s->table, run, data, ready);
	}
	(void)close(ready[1]);
	if (read(ready[0], &number, sizeof(number)) == sizeof(number) && number >= 0) {
		pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
		s->broker.listener = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);
	}
	(void)close(ready[0]);
	return pid;
}

/* ---- the broker ---------------------------------------------------------------------------- */

static void
send_answer(struct small_broker *s, uint64_t id, const struct answer *answer)
{
	struct seccomp_notif_resp response = { .id = id };

	if (answer->kind == ANSWER_CONTINUE) {
		response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	} else if (answer->error != 0) {
		response.error = -answer->error;
	} else {
		response.val = answer->value;
	}
	(void)ioctl(s->broker.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void
give_answer(struct small_broker *s, const struct request *r, const struct answer *answer)
{
	if (answer->kind != ANSWER_PENDING) {
		send_answer(s, r->id, answer);
	}
	if (answer->kind == ANSWER_PENDING || answer->kind == ANSWER_WATCH) {
		s->kept[s->count++] = (struct kept_call){ *r, *answer };
	}
}

static void
retry_kept(struct small_broker *s)
{
	for (size_t i = s->count; i-- > 0;) {
		struct kept_call *kept = &s->kept[i];
		struct answer answer = kept->answer.retry(&kept->request, kept->answer.state);

		if (answer.kind == ANSWER_PENDING) {
			continue;
		}
		if (kept->answer.kind == ANSWER_PENDING) {
			send_answer(s, kept->request.id, &answer);
		}
		kept->answer.finish(kept->answer.state);
		*kept = s->kept[--s->count];
	}
}

static void
serve_one(struct small_broker *s)
{
	union {
		struct seccomp_notif notification;
		char room[512];
	} buffer = { .room = { 0 } };
	struct request r = { .broker = &s->broker };
	struct answer answer;

	if (ioctl(s->broker.listener, SECCOMP_IOCTL_NOTIF_RECV, &buffer.notification) != 0) {
		return;
	}
	for (size_t i = 0; i < s->table->count; i++) {
		if (s->table->rows[i].nr == buffer.notification.data.nr) {
			r.row = &s->table->rows[i];
		}
	}
	r.id = buffer.notification.id;
	r.tid = (pid_t)buffer.notification.pid;
	r.nr = buffer.notification.data.nr;
	memcpy(r.args, buffer.notification.data.args, sizeof(r.args));
	answer = r.row->handle(&r);
	give_answer(s, &r, &answer);
}

static void
serve_all(struct small_broker *s)
{
	struct pollfd ready = { .fd = s->broker.listener, .events = POLLIN };

	for (;;) {
		int n = poll(&ready, 1, s->count > 0 ? 2 : 1000);

		if (n > 0 && (ready.revents & POLLIN) != 0) {
			serve_one(s);
		} else if (n > 0) {
			return;
		}
		retry_kept(s);
	}
}

static bool
scope_abstract_names(void)
{
	struct {
		uint64_t fs;
		uint64_t net;
		uint64_t scoped;
	} attributes = { .scoped = SCOPE_ABSTRACT_NAMES };
	AUTO_FD ruleset =
		(int)syscall(NR_LANDLOCK_CREATE_RULESET, &attributes, sizeof(attributes), 0);

	return ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(NR_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0;
}

static void
be_broker(const struct plan *plan, const struct call_table *table, command_fn run, void *data)
{
	static struct small_broker s;
	int events[2];
	int status = -1;
	pid_t pid;

	s.table = table;
	s.broker = (struct broker){ .plan = plan,
				    .spec = &plan->broker,
				    .listener = -1,
				    .self = getpid(),
				    .lock = PTHREAD_MUTEX_INITIALIZER };
	if (!scope_abstract_names() || pipe2(events, O_NONBLOCK) != 0) {
		_exit(2);
	}
	s.broker.events = events[1];
	pid = start_command(&s, run, data);
	if (!denials_set_up(&s.broker) || !sockets_set_up(&s.broker)) {
		_exit(2);
	}
	serve_all(&s);
	(void)waitpid(pid, &status, 0);
	_exit(status == 0 ? 0 : 1);
}

/* Runs a command under a broker with that plan. 0: all was as it should be. */
static int
run_command(const struct plan *plan, const struct call_table *table, command_fn run, void *data)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		be_broker(plan, table, run, data);
	}
	(void)waitpid(pid, &status, 0);
	return status;
}

#endif /* TESTS_BROKER_COMMAND_H */
