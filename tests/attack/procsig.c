/* SPDX-License-Identifier: MIT */

/* Signals to a process outside. The victim writes down each that it gets. */

#include "attack.h"
#include "reach.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static pid_t
victim(const struct scene *s)
{
	return (pid_t)s->victim;
}

/* ---- direct ---------------------------------------------------------------------------------- */

static enum outcome
stop(const struct scene *s)
{
	return tried(kill(victim(s), SIGSTOP), "kill");
}

static enum outcome
terminate(const struct scene *s)
{
	return tried(kill(victim(s), SIGKILL), "kill");
}

static enum outcome
signal_group(const struct scene *s)
{
	return tried(kill(-victim(s), SIGUSR1), "kill of a group");
}

static enum outcome
signal_thread(const struct scene *s)
{
	return tried(syscall(SYS_tkill, victim(s), SIGUSR1), "tkill");
}

static enum outcome
signal_thread_of_group(const struct scene *s)
{
	return tried(syscall(SYS_tgkill, victim(s), victim(s), SIGUSR1), "tgkill");
}

static enum outcome
queue_signal(const struct scene *s)
{
	return tried(sigqueue(victim(s), SIGUSR1, (union sigval){ .sival_int = 1 }), "sigqueue");
}

static enum outcome
queue_signal_to_thread(const struct scene *s)
{
	siginfo_t info = { .si_code = SI_QUEUE };

	return tried(syscall(SYS_rt_tgsigqueueinfo, victim(s), victim(s), SIGUSR1, &info),
		     "rt_tgsigqueueinfo");
}

static enum outcome
signal_by_pidfd(const struct scene *s)
{
	int fd = (int)syscall(SYS_pidfd_open, victim(s), 0);

	return fd < 0 ? blocked("pidfd_open")
		      : tried(syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0),
			      "pidfd_send_signal");
}

static enum outcome
signal_by_proc_directory(const struct scene *s)
{
	int fd = open(path("/proc/%ld", s->victim), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? blocked("open")
		      : tried(syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0),
			      "pidfd_send_signal");
}

static enum outcome
signal_by_int80(const struct scene *s)
{
	return tried(int80(I386_KILL, s->victim, SIGUSR1, 0, 0), "int80 kill");
}

static enum outcome
signal_by_x32(const struct scene *s)
{
	long result = x32(SYS_kill, s->victim, SIGUSR1, 0);

	if (x32_is_missing(result)) {
		return not_applicable("no x32 system calls");
	}
	return tried(result, "x32 kill");
}

/* ---- through the owner of a descriptor ------------------------------------------------------- */

/* Makes `pair[0]` ready, which signals its owner. */
static enum outcome
raise_sigio(const int pair[2])
{
	if (fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK) != 0 || write(pair[1], "x", 1) != 1) {
		return blocked("make the descriptor ready");
	}
	(void)usleep(50000);
	return succeeded("the descriptor is ready");
}

static bool
make_pair(int pair[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
}

static enum outcome
signal_by_owner(const struct scene *s)
{
	int pair[2];

	if (!make_pair(pair) || fcntl(pair[0], F_SETSIG, SIGUSR1) != 0 ||
	    fcntl(pair[0], F_SETOWN, victim(s)) != 0) {
		return blocked("F_SETOWN");
	}
	return raise_sigio(pair);
}

static enum outcome
signal_by_owner_group(const struct scene *s)
{
	struct f_owner_ex owner = { .type = F_OWNER_PGRP, .pid = victim(s) };
	int pair[2];

	if (!make_pair(pair) || fcntl(pair[0], F_SETSIG, SIGUSR1) != 0 ||
	    fcntl(pair[0], F_SETOWN_EX, &owner) != 0) {
		return blocked("F_SETOWN_EX");
	}
	return raise_sigio(pair);
}

static enum outcome
signal_by_socket_owner(const struct scene *s)
{
	int owner = victim(s);
	int pair[2];

	if (!make_pair(pair) || ioctl(pair[0], FIOSETOWN, &owner) != 0) {
		return blocked("FIOSETOWN");
	}
	return raise_sigio(pair);
}

static enum outcome
signal_by_pipe_owner(const struct scene *s)
{
	int pair[2];

	if (pipe(pair) != 0 || fcntl(pair[0], F_SETOWN, victim(s)) != 0) {
		return blocked("F_SETOWN");
	}
	return raise_sigio(pair);
}

const struct attack procsig_attacks[] = {
	{ "stop", PROOF_VICTIM, "stops a process outside", stop },
	{ "kill", PROOF_VICTIM, "kills a process outside", terminate },
	{ "group", PROOF_VICTIM, "signals its process group", signal_group },
	{ "tkill", PROOF_VICTIM, "signals it by tkill", signal_thread },
	{ "tgkill", PROOF_VICTIM, "signals it by tgkill", signal_thread_of_group },
	{ "sigqueue", PROOF_VICTIM, "signals it by sigqueue", queue_signal },
	{ "tgsigqueue", PROOF_VICTIM, "signals it by rt_tgsigqueueinfo", queue_signal_to_thread },
	{ "pidfd", PROOF_VICTIM, "signals it by pidfd", signal_by_pidfd },
	{ "proc_directory", PROOF_VICTIM, "signals it by a descriptor of /proc/PID",
	  signal_by_proc_directory },
	{ "int80", PROOF_VICTIM, "signals it by the 32-bit table", signal_by_int80 },
	{ "x32", PROOF_VICTIM, "signals it by the x32 table", signal_by_x32 },
	{ "owner", PROOF_VICTIM, "makes it the owner of a socket with a signal", signal_by_owner },
	{ "owner_group", PROOF_VICTIM, "makes its group the owner", signal_by_owner_group },
	{ "owner_ioctl", PROOF_VICTIM, "makes it the owner by ioctl", signal_by_socket_owner },
	{ "owner_pipe", PROOF_VICTIM, "makes it the owner of a pipe", signal_by_pipe_owner },
	{ 0 },
};
