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
#include "base/fd.h"
#include "broker/confine.h"
#include "broker/parts.h"

#include <fcntl.h>
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
#define SIGNAL_LOOKS 15 /* so many retries may a signal be another thread's */
#define STACK_SIZE ((size_t)256 * 1024)

/* Linux 6.6; not in the headers of every system. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

struct kept {
	struct request request;
	struct answer answer;
	unsigned int signal_looks; /* so often a signal was seen that any thread may take */
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
status_number(const char *status, const char *name, int base)
{
	const char *at = strstr(status, name);

	return at != NULL ? strtoull(at + strlen(name), NULL, base) : 0;
}

/* A short file: the thread has ended, or the broker has no descriptor or memory for it just now. */
static bool
read_status(pid_t tid, char *status, size_t size)
{
	char path[48];
	AUTO_FD fd = -1;
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd >= 0 ? read(fd, status, size - 1) : -1;
	status[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/*
 * A call that waits for an answer is deaf to all signals but deadly ones (WAIT_KILLABLE_RECV), so
 * the broker looks for them. Returns what the call ends with, 0: it goes on.
 *
 * The kernel replaces its own numbers only in a thread that a signal is on its way to, and the
 * command would see them else. So they are for a signal of the thread's own, or of a process that
 * has no other thread. One of a process with several may be for any of them, and be taken by
 * another in a moment. When none takes it, it is for this one as like as not, and EINTR is a number
 * for both.
 */
static int
end_by_signal(struct kept *kept)
{
	char status[4096];
	int restart = kept->answer.restart != 0 ? kept->answer.restart : RESTART_SYSCALL;
	uint64_t open;

	if (!read_status(kept->request.tid, status, sizeof(status))) {
		return 0; /* whoever has ended waits no more, which shows */
	}
	open = ~status_number(status, "\nSigBlk:", 16);
	if ((status_number(status, "\nSigPnd:", 16) & open) != 0) {
		return restart;
	}
	if ((status_number(status, "\nShdPnd:", 16) & open) == 0) {
		kept->signal_looks = 0;
		return 0;
	}
	if (status_number(status, "\nThreads:", 10) == 1) {
		return restart;
	}
	return restart == RESTART_ALWAYS || ++kept->signal_looks < SIGNAL_LOOKS ? 0 : EINTR;
}

/* True: it is over, and has been answered if anybody waits for that. */
static bool
retry(struct kept *kept)
{
	struct request *r = &kept->request;
	struct answer answer;
	int end;

	if (kept->answer.kind == ANSWER_WATCH) {
		return kept->answer.retry(r, kept->answer.state).kind != ANSWER_PENDING;
	}
	if (!caller_waits(r)) {
		return true;
	}
	end = end_by_signal(kept);
	if (end != 0) {
		send_answer(r, 0, end, 0);
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

/* Else requests would change each other's directories and umasks. */
static void
begin_thread(void)
{
	sigset_t wake;

	(void)sigemptyset(&wake);
	(void)sigaddset(&wake, BROKER_WAKE_UP);
	if (unshare(CLONE_FS) != 0 || pthread_sigmask(SIG_UNBLOCK, &wake, NULL) != 0) {
		_exit(1);
	}
}

static void *
keep(void *data)
{
	struct pending *pending = data;
	static const struct timespec interval = { 0, RETRY_NS };

	begin_thread();
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
			       : call_serve(&r);
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

	begin_thread();
	for (;;) {
		int error;

		memset(&buffer, 0, sizeof(buffer));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &buffer.notification) == 0) {
			serve(receiver, &buffer.notification);
			continue;
		}
		error = errno;
		if (error == ENOENT && is_over(listener)) {
			return NULL; /* nobody is left who could call; else the caller has died */
		}
		if (error != ENOENT && error != EINTR) {
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

/* Somebody outside killed it before it could send a listener: as if it was killed later. */
static void
tell_early_end(int events, pid_t command)
{
	struct broker_event started = { .kind = BROKER_STARTED, .pid = command };
	struct broker_event ended = { .kind = BROKER_STATUS, .pid = command, .alone = true };

	(void)kill(command, SIGKILL);
	(void)waitpid(command, &ended.status, 0);
	tell(events, &started);
	tell(events, &ended);
	_exit(0);
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
	const int kept[] = { b->listener, b->events };

	/* What the launcher had open is not the broker's. */
	if (close_all_but(kept, COUNT_OF(kept)) != 0) {
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
	if (!parts_set_up(b)) {
		return "set up its parts";
	}
	return confine_self() == 0 ? NULL : "confine itself";
}

/* The command runs already: what fails here ends it, with the broker. */
static void
start_threads(struct broker *b, struct receiver *receivers)
{
	struct pending *pending = receivers[0].pending;

	if (start_thread(keep, pending) != 0) {
		_exit(1);
	}
	for (size_t i = 0; i < RECEIVERS; i++) {
		receivers[i].broker = b;
		receivers[i].pending = pending;
		if (start_thread(receive, &receivers[i]) != 0) {
			_exit(1);
		}
	}
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
	if (child.listener < 0) {
		tell_early_end(b.events, child.pid);
	}
	b.listener = child.listener;
	child.step = set_up(&b);
	if (child.step != NULL) {
		child.error = errno;
		(void)kill(child.pid, SIGKILL);
		tell_failure(b.events, &child);
	}
	/* Before anything can be refused, which is told by the same pipe. */
	started.pid = child.pid;
	tell(b.events, &started);
	start_threads(&b, receivers);
	reap(&b, child.pid);
	_exit(0);
}
