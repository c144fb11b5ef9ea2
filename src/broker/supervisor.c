/* SPDX-License-Identifier: MIT */

/*
 * The supervisor: takes notifications, has them served, answers.
 *
 * Threads: the first only waits for children. Receivers take notifications and serve them. One
 * more keeps what is pending, since a receiver that waits for a notification cannot look at a
 * clock.
 */

#include "broker/request.h"

#include "base/attr.h"
#include "broker/confine.h"
#include "broker/parts.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define RECEIVERS 2
#define RETRY_NS (2 * 1000 * 1000)
#define STACK_SIZE ((size_t)256 * 1024)

/* Linux 6.6; not in the headers of every system. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

struct kept {
	struct request request;
	struct answer answer;
	struct kept *next;
};

/* What is pending, of all receivers. */
struct pending {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	struct kept *first;
	size_t count;
};

/* ---- telling the launcher ----------------------------------------------------------------- */

static void
tell(int events, const struct broker_event *event)
{
	struct pollfd ready = { .fd = events, .events = POLLOUT };

	/* What must arrive waits for room: refusals leave some (denials.c), and a launcher reads.
	 */
	while (write(events, event, sizeof(*event)) < 0 && (errno == EAGAIN || errno == EINTR)) {
		(void)poll(&ready, 1, -1);
	}
}

/* ---- answering ---------------------------------------------------------------------------- */

static void
send_answer(const struct request *r, int64_t value, int error, uint32_t flags)
{
	struct seccomp_notif_resp response = {
		.id = r->id, .val = value, .error = -error, .flags = flags
	};

	/* Whoever was killed meanwhile needs no answer (ENOENT). */
	(void)ioctl(r->broker->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* The broker's own reference goes before the caller runs on: a second one would keep an exec
 * (ETXTBSY), a lock or a lease of the caller's from working. */
static void
send_descriptor(const struct request *r, const struct answer *answer)
{
	struct seccomp_notif_addfd add = {
		.id = r->id,
		.srcfd = (uint32_t)answer->fd,
		.newfd_flags = answer->cloexec ? O_CLOEXEC : 0,
	};
	int number = ioctl(r->broker->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
	int error = number < 0 ? errno : 0;

	(void)close(answer->fd);
	send_answer(r, number < 0 ? 0 : number, error, 0);
}

static void
keep_pending(const struct request *r, const struct answer *answer)
{
	struct pending *pending = r->receiver->pending;
	struct kept *kept = calloc(1, sizeof(*kept));

	if (kept == NULL) {
		send_answer(r, 0, ENOMEM, 0);
		if (answer->finish != NULL) {
			answer->finish(answer->state);
		} else {
			free(answer->state);
		}
		return;
	}
	kept->request = *r;
	kept->answer = *answer;
	(void)pthread_mutex_lock(&pending->lock);
	kept->next = pending->first;
	pending->first = kept;
	pending->count++;
	(void)pthread_cond_signal(&pending->filled);
	(void)pthread_mutex_unlock(&pending->lock);
}

static void
give_answer(const struct request *r, const struct answer *answer)
{
	switch (answer->kind) {
	case ANSWER_ERROR:
		send_answer(r, answer->error != 0 ? 0 : answer->value, answer->error, 0);
		break;
	case ANSWER_CONTINUE:
		send_answer(r, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
		break;
	case ANSWER_FD:
		send_descriptor(r, answer);
		break;
	case ANSWER_PENDING:
		keep_pending(r, answer);
		break;
	case ANSWER_WATCH:
		send_answer(r, 0, answer->error, 0);
		keep_pending(r, answer);
		break;
	}
}

/* ---- what is pending ---------------------------------------------------------------------- */

static uint64_t
status_mask(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at != NULL ? strtoull(at + strlen(name), NULL, 16) : 0;
}

/*
 * A call that waits for an answer is deaf to all signals but deadly ones (WAIT_KILLABLE_RECV), so
 * the broker looks for them. What it cannot see has ended.
 */
static bool
has_signal(pid_t tid)
{
	char path[48];
	char status[4096];
	AUTO_FD fd = -1;
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd >= 0 ? read(fd, status, sizeof(status) - 1) : -1;
	if (len < 0) {
		return true;
	}
	status[len] = '\0';
	return ((status_mask(status, "\nSigPnd:") | status_mask(status, "\nShdPnd:")) &
		~status_mask(status, "\nSigBlk:")) != 0;
}

/* True: it is over, and has been answered if anybody waits for that. */
static bool
retry(struct kept *kept)
{
	struct request *r = &kept->request;
	struct answer answer;

	if (kept->answer.kind == ANSWER_WATCH) {
		return kept->answer.retry(r, kept->answer.state).kind != ANSWER_PENDING;
	}
	if (!caller_waits(r)) {
		return true;
	}
	if (has_signal(r->tid)) {
		send_answer(r, 0,
			    kept->answer.restart != 0 ? kept->answer.restart : RESTART_SYSCALL, 0);
		if (kept->answer.linger == NULL) {
			return true;
		}
		kept->answer.linger(kept->answer.state);
		kept->answer.kind = ANSWER_WATCH;
		return false;
	}
	answer = kept->answer.retry(r, kept->answer.state);
	if (answer.kind == ANSWER_PENDING) {
		return false;
	}
	give_answer(r, &answer);
	return true;
}

static void
drop(struct kept *kept)
{
	if (kept->answer.finish != NULL) {
		kept->answer.finish(kept->answer.state);
	} else {
		free(kept->answer.state);
	}
	free(kept);
}

/* Goes through a list that nobody else sees; what is left of it comes back. */
static struct kept *
retry_all(struct kept *list, size_t *ended)
{
	struct kept *left = NULL;

	while (list != NULL) {
		struct kept *kept = list;

		list = kept->next;
		if (retry(kept)) {
			drop(kept);
			(*ended)++;
			continue;
		}
		kept->next = left;
		left = kept;
	}
	return left;
}

static void
put_back(struct pending *pending, struct kept *list, size_t ended)
{
	(void)pthread_mutex_lock(&pending->lock);
	pending->count -= ended;
	while (list != NULL) {
		struct kept *kept = list;

		list = kept->next;
		kept->next = pending->first;
		pending->first = kept;
	}
	(void)pthread_mutex_unlock(&pending->lock);
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Without either, requests would change each other's directories, or the broker could do more than
 * it should: then there is no broker, and the tree ends with it. */
static void
begin_thread(const char *name)
{
	(void)prctl(PR_SET_NAME, name, 0, 0, 0);
	if (unshare(CLONE_FS) != 0 || confine_self() != 0) {
		_exit(1);
	}
}

static void *
keep(void *data)
{
	struct pending *pending = data;
	static const struct timespec interval = { 0, RETRY_NS };

	begin_thread("bailey-pending");
	for (;;) {
		struct kept *list;
		size_t ended = 0;

		(void)pthread_mutex_lock(&pending->lock);
		while (pending->first == NULL) {
			(void)pthread_cond_wait(&pending->filled, &pending->lock);
		}
		list = pending->first;
		pending->first = NULL;
		(void)pthread_mutex_unlock(&pending->lock);
		list = retry_all(list, &ended);
		put_back(pending, list, ended);
		(void)nanosleep(&interval, NULL);
	}
	return NULL;
}

static void
serve(struct receiver *receiver, const struct seccomp_notif *notification)
{
	struct request r = {
		.broker = receiver->broker,
		.receiver = receiver,
		.row = call_find(notification->data.nr),
		.id = notification->id,
		.tid = (pid_t)notification->pid,
		.nr = notification->data.nr,
	};
	struct answer answer;

	memcpy(r.args, notification->data.args, sizeof(r.args));
	/* A caller in another pid namespace has no pid here, and cannot be asked anything. */
	answer = r.row == NULL ? answer_error(ENOSYS)
		 : r.tid == 0  ? answer_error(r.row->refuse)
			       : r.row->handle(&r);
	if (answer.kind == ANSWER_ERROR && answer.error < 0) {
		answer.error = r.row->refuse;
	}
	give_answer(&r, &answer);
}

static bool
is_over(int listener)
{
	struct pollfd ready = { .fd = listener, .events = POLLIN };

	return poll(&ready, 1, 0) > 0 && (ready.revents & (POLLHUP | POLLERR)) != 0;
}

static void *
receive(void *data)
{
	struct receiver *receiver = data;
	int listener = receiver->broker->listener;
	union {
		struct seccomp_notif notification;
		char room[512]; /* later kernels may write more */
	} buffer;

	begin_thread("bailey-broker");
	for (;;) {
		memset(&buffer, 0, sizeof(buffer));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &buffer.notification) == 0) {
			serve(receiver, &buffer.notification);
		} else if (errno == ENOENT && is_over(listener)) {
			return NULL; /* nobody is left who could call; ENOENT else: the caller died
				      */
		} else if (errno != ENOENT && errno != EINTR) {
			_exit(1);
		}
	}
}

static int
start_thread(void *(*run)(void *), void *data)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int rc = pthread_attr_init(&attributes);

	if (rc == 0) {
		(void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
		(void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
		rc = pthread_create(&thread, &attributes, run, data);
		(void)pthread_attr_destroy(&attributes);
	}
	return rc;
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* Waits for the end of all that the command started, and says how the command itself goes. */
static void
reap(struct broker *b, pid_t command)
{
	for (;;) {
		struct broker_event event = { .kind = BROKER_STATUS, .pid = command };
		siginfo_t any;
		pid_t pid = waitpid(-1, &event.status, WUNTRACED | __WALL);

		if (pid < 0 && errno != EINTR) {
			return;
		}
		if (pid == command) {
			event.alone = waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) != 0;
			denials_flush(b);
			tell(b->events, &event);
		}
	}
}

/* ---- the beginning ------------------------------------------------------------------------ */

static void
tell_failure(int events, const struct broker_child *child)
{
	struct broker_event event = {
		.kind = BROKER_FAILED, .pid = child->pid, .step = child->step, .error = child->error
	};

	tell(events, &event);
	if (child->pid > 0) {
		(void)waitpid(child->pid, NULL, 0);
	}
	_exit(1);
}

/* Everything but two descriptors; what the launcher had open is not the broker's. */
static int
close_all_but(int a, int b)
{
	unsigned int low = (unsigned int)(a < b ? a : b);
	unsigned int high = (unsigned int)(a < b ? b : a);
	long rc = 0;

	rc |= low > 0 ? syscall(SYS_close_range, 0U, low - 1, 0U) : 0;
	rc |= high > low + 1 ? syscall(SYS_close_range, low + 1, high - 1, 0U) : 0;
	rc |= syscall(SYS_close_range, high + 1, ~0U, 0U);
	return (int)rc;
}

/* Its memory cannot be looked at, and there is nothing in it worth looking for. */
static void
forget_environment(void)
{
	for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
		explicit_bzero(*variable, strlen(*variable));
	}
}

static const char *
set_up(struct broker *b)
{
	struct seccomp_notif_sizes sizes;
	uint64_t sync = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;

	if (close_all_but(b->listener, b->events) != 0) {
		return "close descriptors";
	}
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
		return "become undumpable";
	}
	forget_environment();
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0 ||
	    sizes.seccomp_notif > 512 ||
	    sizes.seccomp_notif_resp > sizeof(struct seccomp_notif_resp)) {
		return "learn the size of notifications";
	}
	/* Only makes it faster: the caller's processor is the broker's while it waits. */
	(void)ioctl(b->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, sync);
	return parts_set_up(b) ? NULL : "set up its parts";
}

static const char *
start_threads(struct broker *b, struct receiver *receivers)
{
	struct pending *pending = receivers[0].pending;

	if (start_thread(keep, pending) != 0) {
		return "start a thread";
	}
	for (size_t i = 0; i < RECEIVERS; i++) {
		receivers[i].broker = b;
		receivers[i].pending = pending;
		if (start_thread(receive, &receivers[i]) != 0) {
			return "start a thread";
		}
	}
	return confine_self() == 0 ? NULL : "confine itself";
}

void
broker_run(const struct broker_setup *setup)
{
	struct pending pending = { .lock = PTHREAD_MUTEX_INITIALIZER,
				   .filled = PTHREAD_COND_INITIALIZER };
	struct receiver receivers[RECEIVERS] = { { .pending = &pending } };
	struct broker b = { .plan = setup->plan,
			    .spec = &setup->plan->broker,
			    .events = setup->events,
			    .self = getpid(),
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .shm = setup->shm };
	struct broker_child child = { .listener = -1 };
	struct broker_event started = { .kind = BROKER_STARTED };

	(void)prctl(PR_SET_NAME, "bailey-broker", 0, 0, 0);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	setup->start(setup->data, &child);
	if (child.step != NULL) {
		tell_failure(b.events, &child);
	}
	b.listener = child.listener;
	child.step = set_up(&b);
	if (child.step == NULL) {
		/* Before anything can be refused, which is told by the same pipe. */
		started.pid = child.pid;
		tell(b.events, &started);
		child.step = start_threads(&b, receivers);
	}
	if (child.step != NULL) {
		child.error = errno;
		(void)kill(child.pid, SIGKILL);
		tell_failure(b.events, &child);
	}
	reap(&b, child.pid);
	_exit(0);
}
