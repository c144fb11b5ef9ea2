/* SPDX-License-Identifier: MIT */

/* What the broker learns of a caller: memory, descriptors, umask; and links that are not its own.
 */

#include "broker_caller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cmocka.h>

#include "base/fd.h"

#define PAGE ((size_t)4096)

/* ---- memory ------------------------------------------------------------------------------- */

/* Before a caller is started, so that it has the same. */
struct memory {
	char *pages;  /* three, of which the last cannot be read */
	char *hidden; /* cannot be read at all */
	char *cut;    /* of a file that has been made empty since */
};

static void
make_memory(struct memory *m)
{
	FILE *file = tmpfile();

	m->pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	m->hidden = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), (off_t)PAGE), 0);
	m->cut = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fileno(file), 0);
	assert_int_equal(ftruncate(fileno(file), 0), 0);
	assert_true(m->pages != MAP_FAILED && m->hidden != MAP_FAILED && m->cut != MAP_FAILED);
	memset(m->pages, '/', 2 * PAGE);
	m->pages[PAGE + 10] = '\0';
	assert_int_equal(mprotect(m->pages + 2 * PAGE, PAGE, PROT_NONE), 0);
	(void)fclose(file);
}

static void
free_memory(struct memory *m)
{
	(void)munmap(m->pages, 3 * PAGE);
	(void)munmap(m->hidden, PAGE);
	(void)munmap(m->cut, PAGE);
}

/* The kernel's EFAULT and ENAMETOOLONG are the broker's, and all else is a path that it copied. */
static void
compare_pointer(struct caller *c, uint64_t address)
{
	struct ask ask = { .op = ASK_POINTER, .address = address };
	struct told told = tell_caller(c, &ask);
	char path[PATH_MAX];
	int error = caller_string(&c->request, address, path, sizeof(path));

	if (told.error == EFAULT || told.error == ENAMETOOLONG) {
		assert_int_equal(error, told.error);
	} else {
		assert_int_equal(error, 0);
	}
	close_fdp(&told.fd);
}

static void
copies_strings_as_the_kernel_does(void **state)
{
	struct memory m;
	struct caller c;
	char path[PATH_MAX];

	(void)state;
	make_memory(&m);
	m.pages[2 * PAGE - 1] = '\0';
	start_caller(&c, false);
	for (size_t back = 0; back < PAGE; back += back < 40 ? 1 : 509) {
		compare_pointer(&c, (uintptr_t)(m.pages + 2 * PAGE - back));
		compare_pointer(&c, (uintptr_t)(m.pages + PAGE + 10 - back));
	}
	end_caller(&c);
	m.pages[2 * PAGE - 1] = 'a'; /* the end of what can be read, and no NUL */
	start_caller(&c, false);
	for (size_t back = 0; back < PAGE + 20; back += back < 40 ? 1 : 509) {
		compare_pointer(&c, (uintptr_t)(m.pages + 2 * PAGE - back));
	}
	compare_pointer(&c, 0);
	compare_pointer(&c, 1);
	compare_pointer(&c, UINT64_MAX);
	compare_pointer(&c, UINT64_MAX - PAGE + 1);
	compare_pointer(&c, UINT64_C(0xffff800000000000));
	compare_pointer(&c, UINT64_C(0x00007ffffffff000));
	compare_pointer(&c, UINT64_C(0x00007fffffffffff));
	compare_pointer(&c, UINT64_C(0x8000000000000000));
	compare_pointer(&c, (uintptr_t)m.hidden);
	compare_pointer(&c, (uintptr_t)m.cut);
	assert_int_equal(caller_string(&c.request, (uintptr_t)(m.pages + PAGE), path, 11), 0);
	assert_int_equal(strlen(path), 10);
	assert_int_equal(caller_string(&c.request, (uintptr_t)(m.pages + PAGE), path, 10),
			 ENAMETOOLONG);
	end_caller(&c);
	free_memory(&m);
}

static void
copies_long_strings_as_the_kernel_does(void **state)
{
	char *text =
		mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct caller c;

	(void)state;
	assert_true(text != MAP_FAILED);
	memset(text, '/', 4 * PAGE);
	text[3 * PAGE + 100] = '\0';
	start_caller(&c, false);
	for (size_t len = PATH_MAX - 4; len < PATH_MAX + 4; len++) {
		compare_pointer(&c, (uintptr_t)(text + 3 * PAGE + 100 - len));
	}
	end_caller(&c);
	(void)munmap(text, 4 * PAGE);
}

static void
copies_all_bytes_or_none(void **state)
{
	struct memory m;
	struct caller c;
	char bytes[64];

	(void)state;
	make_memory(&m);
	start_caller(&c, false);
	assert_int_equal(caller_read(&c.request, (uintptr_t)(m.pages + PAGE - 8), bytes, 16), 0);
	assert_memory_equal(bytes, m.pages + PAGE - 8, 16);
	assert_int_equal(caller_read(&c.request, (uintptr_t)(m.pages + 2 * PAGE - 8), bytes, 8), 0);
	assert_int_equal(caller_read(&c.request, (uintptr_t)(m.pages + 2 * PAGE - 8), bytes, 9),
			 EFAULT);
	assert_int_equal(caller_read(&c.request, 0, bytes, 1), EFAULT);
	assert_int_equal(caller_read(&c.request, UINT64_MAX - 3, bytes, 16), EFAULT);
	assert_int_equal(caller_read(&c.request, 0, bytes, 0), 0);
	assert_int_equal(caller_write(&c.request, (uintptr_t)m.pages, "word", 5), 0);
	assert_int_equal(caller_read(&c.request, (uintptr_t)m.pages, bytes, 5), 0);
	assert_string_equal(bytes, "word");
	assert_int_equal(caller_write(&c.request, (uintptr_t)m.hidden, "word", 5), EFAULT);
	assert_int_equal(caller_write(&c.request, (uintptr_t)m.cut, "word", 5), EFAULT);
	end_caller(&c);
	free_memory(&m);
}

/* ---- /proc/TID ---------------------------------------------------------------------------- */

static void
knows_umask_name_and_process(bool alone)
{
	struct caller c;
	char comm[16];

	start_caller(&c, alone);
	assert_int_equal(tell(&c, ASK_UMASK, 0, "", 0027).error, 0);
	assert_int_equal(caller_umask(&c.request), 0027);
	assert_int_equal(tell(&c, ASK_UMASK, 0, "", 0777).error, 0);
	assert_int_equal(tell(&c, ASK_NAME, 0, "a\nUmask:\t0111", 0).error, 0);
	assert_int_equal(caller_umask(&c.request), 0777);
	assert_int_equal(tell(&c, ASK_UMASK, 0, "", 0).error, 0);
	assert_int_equal(tell(&c, ASK_NAME, 0, "\nTgid:\t1\n\\)(", 0).error, 0);
	assert_int_equal(caller_umask(&c.request), 0);
	caller_comm(&c.request, comm);
	assert_string_equal(comm, "\nTgid:\t1\n\\)(");
	assert_int_equal(caller_tgid(&c.request), c.pid);
	assert_int_equal(caller_tgid(&c.request), c.pid);
	assert_int_equal(c.request.tid == c.pid, !alone);
	end_caller(&c);
}

static void
knows_a_process(void **state)
{
	(void)state;
	knows_umask_name_and_process(false);
}

static void
knows_a_thread(void **state)
{
	(void)state;
	knows_umask_name_and_process(true);
}

/* The file that is kept open is never another's. */
static void
keeps_no_umask_of_others(void **state)
{
	static struct receiver receiver;
	struct caller callers[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		start_caller(&callers[i], i == 1);
		callers[i].request.receiver = &receiver;
		assert_int_equal(tell(&callers[i], ASK_UMASK, 0, "", 0100 + i).error, 0);
	}
	for (int i = 0; i < 6; i++) {
		assert_int_equal(caller_umask(&callers[i / 2 % 2].request), 0100 + i / 2 % 2);
	}
	assert_int_equal(tell(&callers[0], ASK_UMASK, 0, "", 0111).error, 0);
	assert_int_equal(caller_umask(&callers[0].request), 0111);
	/* While another thread has it, and after that. */
	assert_false(atomic_flag_test_and_set(&receiver.status.busy));
	assert_int_equal(caller_umask(&callers[1].request), 0101);
	atomic_flag_clear(&receiver.status.busy);
	assert_int_equal(receiver.status.tid, callers[0].request.tid);
	end_caller(&callers[0]);
	assert_int_equal(caller_umask(&callers[0].request), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(caller_umask(&callers[1].request), 0101);
	end_caller(&callers[1]);
	assert_int_equal(caller_umask(&callers[1].request), -1);
	assert_int_equal(receiver.status.tid, 0);
}

static void
copies_descriptors_with_their_mode(void **state)
{
	static const int flags[] = { O_RDONLY, O_WRONLY | O_APPEND, O_RDWR | O_NONBLOCK, O_PATH };
	struct caller c;

	(void)state;
	start_caller(&c, true);
	for (size_t i = 0; i < COUNT_OF(flags); i++) {
		int number = tell(&c, ASK_OPEN, AT_FDCWD, "/dev/null", flags[i]).value;
		AUTO_FD fd = caller_fd(&c.request, number);

		assert_true(fd >= 0);
		assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_PATH),
				 flags[i]);
		assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	}
	for (int bad = -101; bad <= 1000; bad += bad < 0 ? 100 : 1001) {
		assert_int_equal(caller_fd(&c.request, bad), -1);
		assert_int_equal(errno, EBADF);
	}
	assert_int_equal(caller_fd(&c.request, INT32_MAX), -1);
	assert_int_equal(errno, EBADF);
	end_caller(&c);
}

/* ---- other processes ---------------------------------------------------------------------- */

static void
refuses_links_of_other_processes(void **state)
{
	static const char *const forms[] = { "/proc/%d/cwd",	       "/proc/%d/root/",
					     "/proc/%d/exe",	       "/proc/%d/fd/0",
					     "/proc/%d/task/%d/cwd/f", "/proc/%d/task/../cwd/." };
	struct caller c;
	struct caller other;
	char path[PATH_MAX];

	(void)state;
	start_caller(&c, false);
	start_caller(&other, false);
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		pid_t pids[] = { other.pid, getpid(), 1 };

		for (size_t k = 0; k < COUNT_OF(pids); k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			(void)snprintf(path, sizeof(path), forms[i], (int)pids[k], (int)pids[k]);
#pragma GCC diagnostic pop
			assert_int_equal(walk_object(&c.request, AT_FDCWD, path, 0), -1);
			assert_int_equal(errno, EACCES);
		}
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/cwd", (int)c.pid);
	assert_true(close(walk_object(&c.request, AT_FDCWD, path, 0)) == 0);
	end_caller(&other);
	end_caller(&c);
}

/* Everything fails, and nothing is found in whose place it was. */
static void
learns_nothing_of_the_dead(void **state)
{
	struct caller c;
	struct entry entry;
	char text[16];

	(void)state;
	start_caller(&c, false);
	end_caller(&c);
	assert_int_equal(caller_string(&c.request, (uintptr_t)&c, text, sizeof(text)), ESRCH);
	assert_int_equal(caller_read(&c.request, (uintptr_t)&c, text, sizeof(text)), ESRCH);
	assert_int_equal(caller_write(&c.request, (uintptr_t)text, text, sizeof(text)), ESRCH);
	assert_int_equal(caller_fd(&c.request, 0), -1);
	assert_int_equal(caller_dir(&c.request, AT_FDCWD), -1);
	assert_int_equal(caller_dir(&c.request, 0), -1);
	assert_int_equal(caller_umask(&c.request), -1);
	assert_int_equal(caller_tgid(&c.request), 0);
	caller_comm(&c.request, text);
	assert_string_equal(text, "");
	assert_int_equal(walk_object(&c.request, AT_FDCWD, "/proc/self/cwd", 0), -1);
	assert_int_equal(walk_object(&c.request, AT_FDCWD, "/proc/self", 0), -1);
	assert_int_not_equal(walk_entry(&c.request, AT_FDCWD, "/proc/self/fd/0", &entry), 0);
	assert_false(caller_waits(&c.request));
}

/* The number of what went wrong. */
static int
look_at_undumpable(void)
{
	struct caller c;
	char text[16];
	int wrong = 0;

	start_caller(&c, false);
	wrong += tell(&c, ASK_UNDUMPABLE, 0, "", 0).error != 0;
	wrong += caller_string(&c.request, (uintptr_t)&c, text, sizeof(text)) != EPERM;
	wrong += caller_read(&c.request, (uintptr_t)&c, text, sizeof(text)) != EPERM;
	wrong += caller_write(&c.request, (uintptr_t)text, text, sizeof(text)) != EPERM;
	wrong += caller_fd(&c.request, 0) != -1 || errno != EPERM;
	wrong += caller_dir(&c.request, 0) != -1 || errno != EPERM;
	wrong += caller_dir(&c.request, AT_FDCWD) != -1 || errno != EPERM;
	wrong += walk_object(&c.request, AT_FDCWD, "/proc/self/fd/0", 0) != -1 || errno != EACCES;
	end_caller(&c);
	return wrong;
}

static void
leaves_the_undumpable_alone(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		if (geteuid() == 0 &&
		    (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)) {
			_exit(100);
		}
		(void)prctl(PR_SET_DUMPABLE, 1);
		_exit(look_at_undumpable());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* ---- dangling links ----------------------------------------------------------------------- */

/* Where the kernel makes the file for the caller, the broker would have made it. */
static void
compare_made(struct caller *c, const char *path)
{
	unsigned int followed = 0;
	struct entry entry;
	struct stat st;
	struct told told;
	int error = walk_entry(&c->request, AT_FDCWD, path, &entry);

	while (error == 0 && fstatat(entry.dir, entry.name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		struct entry next;

		assert_true(S_ISLNK(st.st_mode));
		error = walk_link(&c->request, &entry, &followed, &next);
		(void)close(entry.dir);
		entry = next;
	}
	told = tell(c, ASK_OPEN, AT_FDCWD, path, O_CREAT | O_WRONLY);
	assert_int_equal(told.error, error == 0 && entry.slash ? EISDIR : error);
	if (error == 0 && !entry.slash) {
		assert_int_equal(fstatat(entry.dir, entry.name, &st, AT_SYMLINK_NOFOLLOW), 0);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(unlinkat(entry.dir, entry.name, 0), 0);
	}
	if (error == 0) {
		(void)close(entry.dir);
	}
}

static void
finds_where_a_dangling_link_leads(void **state)
{
	static const char *const links[][2] = {
		{ "one", "new" },
		{ "two", "one" },
		{ "three", "d/../two" },
		{ "absolute", "/proc/self/cwd/d/new" },
		{ "out", "nothing/new" },
		{ "slash", "new/" },
		{ "d/up", "../new" },
		{ "d/over", "up" },
		{ "loop", "loop" },
		{ "file", "/dev/null/x" },
		{ "dots", "d/../d/./over" },
	};
	char base[] = "/tmp/broker-links-XXXXXX";
	char name[] = "c00";
	char target[] = "new";
	struct caller c;

	(void)state;
	assert_non_null(mkdtemp(base));
	assert_int_equal(chdir(base), 0);
	assert_int_equal(mkdir("d", 0700), 0);
	start_caller(&c, false);
	for (size_t i = 0; i < COUNT_OF(links); i++) {
		assert_int_equal(symlink(links[i][1], links[i][0]), 0);
	}
	for (size_t i = 0; i < COUNT_OF(links); i++) {
		compare_made(&c, links[i][0]);
	}
	for (int i = 0; i <= 41; i++) {
		name[1] = (char)('0' + i / 10);
		name[2] = (char)('0' + i % 10);
		assert_int_equal(symlink(target, name), 0);
		memcpy(target, name, sizeof(target));
		compare_made(&c, name);
	}
	end_caller(&c);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(remove_tree(AT_FDCWD, base), 0);
}

/* ---- a real notification ------------------------------------------------------------------ */

static int
listen_to_getppid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT_OF(code), code };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static void
sees_whether_the_caller_waits(void **state)
{
	struct seccomp_notif n = { 0 };
	struct caller c = { .pid = -1 };
	int pair[2];
	int number = -1;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	c.pid = fork();
	if (c.pid == 0) {
		number = listen_to_getppid();
		(void)send(pair[1], &number, sizeof(number), 0);
		(void)getppid();
		_exit(0);
	}
	assert_int_equal(recv(pair[0], &number, sizeof(number), 0), (ssize_t)sizeof(number));
	c.request.broker = &c.broker;
	c.request.tid = c.pid;
	c.broker.listener = caller_fd(&c.request, number);
	assert_true(c.broker.listener >= 0);
	assert_int_equal(ioctl(c.broker.listener, SECCOMP_IOCTL_NOTIF_RECV, &n), 0);
	c.request.id = n.id;
	assert_true(caller_waits(&c.request));
	c.request.id++;
	assert_false(caller_waits(&c.request));
	c.request.id = n.id;
	assert_int_equal(kill(c.pid, SIGKILL), 0);
	assert_int_equal(waitpid(c.pid, NULL, 0), c.pid);
	assert_false(caller_waits(&c.request));
	(void)close(c.broker.listener);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_strings_as_the_kernel_does),
		cmocka_unit_test(copies_long_strings_as_the_kernel_does),
		cmocka_unit_test(copies_all_bytes_or_none),
		cmocka_unit_test(knows_a_process),
		cmocka_unit_test(knows_a_thread),
		cmocka_unit_test(keeps_no_umask_of_others),
		cmocka_unit_test(copies_descriptors_with_their_mode),
		cmocka_unit_test(refuses_links_of_other_processes),
		cmocka_unit_test(learns_nothing_of_the_dead),
		cmocka_unit_test(leaves_the_undumpable_alone),
		cmocka_unit_test(finds_where_a_dangling_link_leads),
		cmocka_unit_test(sees_whether_the_caller_waits),
	};

	return cmocka_run_group_tests_name("broker caller", tests, NULL, NULL);
}
