/* SPDX-License-Identifier: MIT */
/* What a filter refuses, on the running kernel. */
#include "filter_live.h"

#include <arpa/inet.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <termios.h>

static void
expect_errno(const struct scene *scene, const char *what, long result, int wanted)
{
	int error = result == -1 ? errno : 0;

	if (error != wanted) {
		FAIL("%s: errno %d, wanted %d", what, error, wanted);
	}
}

#define REFUSED(call, wanted) expect_errno(scene, #call, (long)(call), (wanted))

/* ---- what is refused --------------------------------------------------------------------- */

/* With arguments that the kernel would refuse as well, in case the filter does not. */
static void
call_everything_refused(const struct scene *scene)
{
	for (size_t i = 0; i < syscall_row_count; i++) {
		const struct syscall_row *row = &syscall_rows[i];

		if (row->reason != NULL && syscall_number(row) >= 0) {
			expect_errno(scene, row->name,
				     syscall(syscall_number(row), -1L, -1L, -1L, -1L, -1L, -1L),
				     row->error);
		}
	}
	REFUSED(syscall(SYSCALL_FIRST_UNKNOWN, 0, 0, 0), ENOSYS);
}

static void
refuses_every_call_of_the_builtin_list(void **state)
{
	run_case(state, &closed, call_everything_refused, 0);
}

static void
try_terminals(const struct scene *scene)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	char c = 'x';
	int slave;

	WORKS(master);
	WORKS(grantpt(master));
	WORKS(unlockpt(master));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	WORKS(slave);
	REFUSED(ioctl(slave, TIOCSTI, &c), EPERM);
	REFUSED(syscall(SYS_ioctl, slave, 0xffffffff00000000UL | TIOCSTI, &c), EPERM);
	REFUSED(ioctl(slave, TIOCLINUX, &c), EPERM);
	REFUSED(ioctl(slave, TIOCSETD, &c), EPERM);
	REFUSED(ioctl(slave, TIOCSCTTY, 1), EPERM);
	WORKS(ioctl(slave, TIOCSWINSZ, &(struct winsize){ .ws_row = 24, .ws_col = 80 }));
	WORKS(tcsetattr(slave, TCSANOW, &(struct termios){ 0 }));
}

static void
refuses_to_type_on_terminals(void **state)
{
	run_case(state, &closed, try_terminals, 0);
}

static void
try_others(const struct scene *scene)
{
	struct rlimit limit = { 0, 0 };
	struct sched_param param = { 0 };
	cpu_set_t cpus;
	pid_t parent = getppid();

	REFUSED(setpriority(PRIO_PROCESS, (id_t)parent, 19), EPERM);
	REFUSED(setpriority(PRIO_USER, 0, 19), EPERM);
	REFUSED(sched_setscheduler(parent, SCHED_BATCH, &param), EPERM);
	REFUSED(sched_setparam(parent, &param), EPERM);
	WORKS(sched_getaffinity(0, sizeof(cpus), &cpus));
	REFUSED(sched_setaffinity(parent, sizeof(cpus), &cpus), EPERM);
	REFUSED(syscall(SYS_ioprio_set, 1, parent, 3 << 13), EPERM);
	REFUSED(prlimit(parent, RLIMIT_CORE, &limit, NULL), EPERM);
	REFUSED(syscall(SYS_get_robust_list, parent, &limit, &limit), EPERM);

	WORKS(sched_setaffinity(0, sizeof(cpus), &cpus));
	WORKS(setpriority(PRIO_PROCESS, 0, 10));
	WORKS(setrlimit(RLIMIT_CORE, &limit));
	WORKS(syscall(SYS_ioprio_set, 1, 0, 3 << 13));
	WORKS(sched_setscheduler(0, SCHED_BATCH, &param));
}

static void
refuses_to_slow_down_other_processes(void **state)
{
	run_case(state, &closed, try_others, 0);
}

static void
try_modes(const struct scene *scene)
{
	struct stat st;
	int fd = open("file", O_RDWR | O_CREAT, 0644);
	long flags = 0;

	WORKS(fd);
	REFUSED(chmod("file", 04755), EPERM);
	REFUSED(fchmod(fd, 02755), EPERM);
	REFUSED(fchmodat(AT_FDCWD, "file", 06755, 0), EPERM);
	REFUSED(syscall(452, AT_FDCWD, "file", 04755, 0), EPERM);
	REFUSED(open("new", O_RDWR | O_CREAT, 04755), EPERM);
	REFUSED(open(".", O_RDWR | O_TMPFILE, 04755), EPERM);
	REFUSED(mknod("new", S_IFREG | 04755, 0), EPERM);
	REFUSED(access("new", F_OK), ENOENT);
	WORKS(chmod("file", 0755));
	WORKS(fchmod(fd, 0700));
	WORKS(mkdir("dir", 02755));
	WORKS(fstat(fd, &st));
	if ((st.st_mode & 07777) != 0700) {
		FAIL("mode %o", st.st_mode);
	}
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
		REFUSED(ioctl(fd, FS_IOC_SETFLAGS, &flags), EPERM);
	}
	REFUSED(fcntl(fd, F_SETLEASE, F_RDLCK), EPERM);
	WORKS(rmdir("dir"));
	WORKS(unlink("file"));
}

static void
refuses_setuid_and_setgid_where_modes_may_change(void **state)
{
	run_case(state, &open_wide, try_modes, 0);
}

static void
try_metadata(const struct scene *scene)
{
	int fd = open("file", O_RDWR | O_CREAT, 0644);
	long flags = 0;

	WORKS(fd);
	REFUSED(chmod("file", 0600), EPERM);
	REFUSED(fchmod(fd, 0600), EPERM);
	REFUSED(fchown(fd, getuid(), getgid()), EPERM);
	REFUSED(futimens(fd, NULL), EPERM);
	REFUSED(ioctl(fd, FS_IOC_SETFLAGS, &flags), EPERM);
	WORKS(ftruncate(fd, 10));
	WORKS(unlink("file"));
}

static void
refuses_metadata_where_it_may_not_change(void **state)
{
	run_case(state, &closed, try_metadata, 0);
}

static void
try_listeners(const struct scene *scene)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	unsigned int listener = SECCOMP_FILTER_FLAG_NEW_LISTENER;

	REFUSED(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, listener, &program), EBUSY);
	WORKS(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
	WORKS(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	install(scene, &closed);
	WORKS(getppid());
	WORKS(personality(0xffffffff));
	REFUSED(personality(ADDR_NO_RANDOMIZE), EPERM);
	REFUSED(prctl(PR_SET_PTRACER, -1L, 0, 0, 0), EPERM);
}

static void
takes_further_filters_but_no_listener(void **state)
{
	run_case(state, &closed, try_listeners, 0);
}

static void
log_only(const struct scene *scene)
{
	REFUSED(syscall(SYS_ptrace, -1L, 0, 0, 0), ESRCH);
	REFUSED(syscall(SYS_io_uring_setup, 0, NULL), EFAULT);
	WORKS(socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){ 0 }));
}

static void
refuses_nothing_when_it_only_logs(void **state)
{
	static const struct plan_filter spec = { .strict = true, .log_only = true };

	run_case(state, &spec, log_only, 0);
}

/* ---- sockets ----------------------------------------------------------------------------- */

static void
try_closed_network(const struct scene *scene)
{
	REFUSED(socket(AF_INET, SOCK_STREAM, 0), ENETUNREACH);
	REFUSED(socket(AF_INET6, SOCK_DGRAM, 0), ENETUNREACH);
	REFUSED(socket(AF_UNIX, SOCK_STREAM, 0), EACCES);
	REFUSED(socket(AF_UNIX, SOCK_DGRAM, 0), EACCES);
	REFUSED(socket(AF_PACKET, SOCK_RAW, 0), EAFNOSUPPORT);
	REFUSED(socket(AF_VSOCK, SOCK_STREAM, 0), EAFNOSUPPORT);
	REFUSED(socket(AF_NETLINK, SOCK_RAW, 15), EPROTONOSUPPORT);
	WORKS(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
}

static void
refuses_sockets_where_there_is_no_network(void **state)
{
	run_case(state, &closed, try_closed_network, 0);
}

static void
try_open_network(const struct scene *scene)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	char byte = 'x';
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = &data, .msg_iovlen = 1
	};
	int tcp = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	WORKS(tcp);
	WORKS(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, IPPROTO_UDP));
	WORKS(socket(AF_UNIX, SOCK_STREAM, 0));
	REFUSED(socket(AF_INET, SOCK_STREAM, 262), EPROTONOSUPPORT);
	REFUSED(socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP), EACCES);
	REFUSED(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), EACCES);
	REFUSED(socket(AF_UNIX, SOCK_DGRAM, 0), EPROTONOSUPPORT);
	REFUSED(sendto(tcp, "x", 1, MSG_FASTOPEN, (const struct sockaddr *)&to, sizeof(to)),
		EOPNOTSUPP);
	REFUSED(sendmsg(tcp, &message, MSG_FASTOPEN | MSG_NOSIGNAL), EOPNOTSUPP);
}

static void
refuses_what_passes_by_landlock_where_there_is_a_network(void **state)
{
	run_case(state, &open_wide, try_open_network, 0);
}

static void
reach(const struct scene *scene, int fd, const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct sockaddr nowhere = { .sa_family = AF_UNSPEC };
	char byte = 'x';
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = &data, .msg_iovlen = 1
	};

	(void)snprintf(to.sun_path, sizeof(to.sun_path), "%s/%s", scene->dir, name);
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0) {
		FAIL("a socket of a pair was connected to %s", name);
	}
	(void)connect(fd, &nowhere, sizeof(nowhere));
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0) {
		FAIL("a disconnected socket of a pair was connected to %s", name);
	}
	/* The address is ignored or refused; nothing may arrive, which the parent looks at. */
	(void)sendto(fd, "x", 1, MSG_NOSIGNAL, (const struct sockaddr *)&to, sizeof(to));
	(void)sendmsg(fd, &message, MSG_NOSIGNAL);
	if (listen(fd, 1) == 0) {
		FAIL("a socket of a pair listens");
	}
}

static void
try_pairs(const struct scene *scene)
{
	static const int types[] = { SOCK_STREAM, SOCK_SEQPACKET };
	char byte = 'y';
	int pair[2];

	REFUSED(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), EPROTONOSUPPORT);
	REFUSED(socketpair(AF_UNIX, SOCK_RAW, 0, pair), EPROTONOSUPPORT);
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		WORKS(socketpair(AF_UNIX, types[i] | SOCK_CLOEXEC, 0, pair));
		WORKS(write(pair[0], &byte, 1));
		WORKS(read(pair[1], &byte, 1));
		reach(scene, pair[0], "stream");
		reach(scene, pair[0], "dgram");
		WORKS(close(pair[1]));
		reach(scene, pair[0], "stream");
		reach(scene, pair[0], "dgram");
		WORKS(shutdown(pair[0], SHUT_RDWR));
		reach(scene, pair[0], "stream");
	}
}

static void
keeps_the_ends_of_a_stream_pair_from_reaching_elsewhere(void **state)
{
	const struct scene *scene = *state;
	char byte;

	run_case(state, &closed, try_pairs, 0);
	assert_int_equal(accept(scene->listener, NULL, NULL), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(recv(scene->mailbox, &byte, 1, 0), -1);
	assert_int_equal(errno, EAGAIN);
}

/* ---- other architectures ----------------------------------------------------------------- */

#if defined(__x86_64__)
static void
call_i386(const struct scene *scene)
{
	long result = 20; /* getpid */

	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "cc");
	FAIL("a call of i386 returned %ld", result);
}

static void
call_x32(const struct scene *scene)
{
	FAIL("a call of x32 returned %ld", syscall(0x40000000L | SYS_getpid));
}

static void
kills_the_process_on_a_call_of_another_architecture(void **state)
{
	run_case(state, &open_wide, call_i386, SIGSYS);
	run_case(state, &open_wide, call_x32, SIGSYS);
}
#endif

static void
call_minus_one(const struct scene *scene)
{
	REFUSED(syscall(-1L), ENOSYS);
	REFUSED(syscall(1000), ENOSYS);
}

static void
lets_the_kernel_refuse_numbers_that_it_has_not(void **state)
{
	run_case(state, &open_wide, call_minus_one, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_every_call_of_the_builtin_list),
		cmocka_unit_test(refuses_to_type_on_terminals),
		cmocka_unit_test(refuses_to_slow_down_other_processes),
		cmocka_unit_test(refuses_setuid_and_setgid_where_modes_may_change),
		cmocka_unit_test(refuses_metadata_where_it_may_not_change),
		cmocka_unit_test(takes_further_filters_but_no_listener),
		cmocka_unit_test(refuses_nothing_when_it_only_logs),
		cmocka_unit_test(refuses_sockets_where_there_is_no_network),
		cmocka_unit_test(refuses_what_passes_by_landlock_where_there_is_a_network),
		cmocka_unit_test(keeps_the_ends_of_a_stream_pair_from_reaching_elsewhere),
#if defined(__x86_64__)
		cmocka_unit_test(kills_the_process_on_a_call_of_another_architecture),
#endif
		cmocka_unit_test(lets_the_kernel_refuse_numbers_that_it_has_not),
	};

	return cmocka_run_group_tests(tests, make_scene, remove_scene);
}
