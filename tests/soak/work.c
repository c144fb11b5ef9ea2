/* SPDX-License-Identifier: MIT */

/* The deeds of a worker. */

#include "soak.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define REMOVE_TRIES 500
#define COMPLAINTS 20 /* more are counted and not said */

uint64_t
next_random(struct worker *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random;
}

/* ---- results ------------------------------------------------------------------------------ */

void
complain(struct worker *w, const char *what)
{
	char line[256];
	int len = snprintf(line, sizeof(line), "WRONG %u (faults %u): %s: %s\n", w->number,
			   w->faults, what, strerror(errno));

	if (atomic_fetch_add(&w->tally->wrong, 1) < COMPLAINTS) {
		(void)!write(STDOUT_FILENO, line,
			     (size_t)(len < (int)sizeof(line) ? len : (int)sizeof(line) - 1));
	}
}

bool
is_interrupted(struct worker *w)
{
	if (errno != EINTR || (w->faults & FAULT_SIGNALS) == 0) {
		return false;
	}
	atomic_fetch_add(&w->tally->interrupted, 1);
	return true;
}

/* Could a fault have made the call fail with this? Nothing explains EINTR: it says "again". */
static bool
is_explained(const struct worker *w, int error)
{
	static const int of_broker[] = { EMFILE, ENFILE,  ENOMEM, EACCES,	EPERM,
					 EAGAIN, ENOBUFS, ENOSPC, ECONNREFUSED, ENETUNREACH };

	if ((w->faults & FAULT_FILES) != 0 && error == EMFILE) {
		return true;
	}
	if ((w->faults & FAULT_MEMORY) != 0 && error == ENOMEM) {
		return true;
	}
	for (size_t i = 0; (w->faults & FAULT_BROKER) != 0 && i < COUNT_OF(of_broker); i++) {
		if (of_broker[i] == error) {
			return true;
		}
	}
	return false;
}

bool
went_well(struct worker *w, long rc, const char *what)
{
	if (rc >= 0) {
		atomic_fetch_add(&w->tally->calls, 1);
		return true;
	}
	if (is_explained(w, errno)) {
		atomic_fetch_add(&w->tally->refused, 1);
	} else {
		complain(w, what);
	}
	return false;
}

static void
check(struct worker *w, bool good, const char *what)
{
	if (!good) {
		complain(w, what);
	}
}

/* Must fail, whatever else happens. */
static void
check_refused(struct worker *w, long rc, const char *what)
{
	if (rc >= 0) {
		errno = 0;
		complain(w, what);
		return;
	}
	if (errno != EACCES && errno != EPERM && errno != EEXIST && errno != ECONNREFUSED &&
	    !is_interrupted(w) && !is_explained(w, errno)) {
		complain(w, what);
		return;
	}
	atomic_fetch_add(&w->tally->calls, 1);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool
has_mode(const char *name, mode_t mode)
{
	struct stat st;

	return lstat(name, &st) == 0 && (st.st_mode & 07777) == mode;
}

static bool
is_missing(const char *name)
{
	struct stat st;

	return lstat(name, &st) != 0 && errno == ENOENT;
}

/* A new file with some bytes. False: a fault has hit. */
static bool
make_file(struct worker *w, const char *name)
{
	int fd = (int)CALL(w, open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));

	if (fd < 0) {
		/* With no descriptor of its own left, what was made for the caller stays. */
		check(w, (w->faults & FAULT_FILES) != 0 || is_missing(name),
		      "a file that could not be made is there");
		return false;
	}
	check(w, write(fd, "bytes", 5) == 5, "writing to a new file");
	(void)close(fd);
	check(w, has_mode(name, 0644), "the mode of a new file");
	return true;
}

static void
do_files(struct worker *w)
{
	char bytes[8] = "";
	struct stat st;
	int fd;

	if (!make_file(w, "a")) {
		return;
	}
	if (CALL(w, rename("a", "b")) < 0) {
		check(w, has_mode("a", 0644) && is_missing("b"), "a rename that failed was made");
		return;
	}
	check(w, is_missing("a") && has_mode("b", 0644), "the names after a rename");
	if (CALL(w, link("b", "c")) < 0) {
		return;
	}
	check(w, stat("c", &st) == 0 && st.st_nlink == 2, "the links of a file");
	fd = (int)CALL(w, open("c", O_RDWR | O_APPEND | O_CLOEXEC));
	if (fd < 0) {
		return;
	}
	check(w, read(fd, bytes, sizeof(bytes)) == 5 && memcmp(bytes, "bytes", 5) == 0,
	      "what is in a file");
	(void)close(fd);
	if (CALL(w, truncate("b", 2)) >= 0) {
		check(w, stat("c", &st) == 0 && st.st_size == 2, "the size of a file");
	}
	if (CALL(w, unlink("c")) >= 0) {
		check(w, is_missing("c") && has_mode("b", 0644), "the names after an unlink");
	}
}

static void
do_directories(struct worker *w)
{
	if (CALL(w, mkdir("d", 0777)) < 0) {
		return;
	}
	check(w, has_mode("d", 0755), "the mode of a new directory");
	if (CALL(w, symlink("nowhere", "d/link")) < 0) {
		return;
	}
	check(w, rmdir("d") != 0, "a directory that is not empty went away");
	if (CALL(w, rename("d", "e")) >= 0 && CALL(w, unlink("e/link")) >= 0 &&
	    CALL(w, rmdir("e")) >= 0) {
		check(w, is_missing("d") && is_missing("e"), "the names after an rmdir");
	}
}

static void
do_metadata(struct worker *w)
{
	const struct timespec times[2] = { { 1000000, 5 }, { 2000000, 7 } };
	struct stat st;
	char value[4];

	if (!make_file(w, "m")) {
		return;
	}
	if (CALL(w, chmod("m", 0640)) >= 0) {
		check(w, has_mode("m", 0640), "the mode after chmod");
	}
	if (CALL(w, utimensat(AT_FDCWD, "m", times, 0)) >= 0) {
		check(w,
		      stat("m", &st) == 0 && st.st_mtim.tv_sec == 2000000 &&
			      st.st_mtim.tv_nsec == 7,
		      "the times after utimensat");
	}
	if (setxattr("m", "user.soak", "abc", 3, 0) < 0 && errno == ENOTSUP) {
		return;
	}
	if (CALL(w, setxattr("m", "user.soak", "xyz", 3, 0)) >= 0) {
		check(w, getxattr("m", "user.soak", value, sizeof(value)) == 3 && value[0] == 'x',
		      "an attribute");
	}
}

/* By descriptor, which the broker copies from the caller. */
static void
do_descriptors(struct worker *w)
{
	const struct timespec times[2] = { { 3, 0 }, { 4, 0 } };
	struct stat st;
	int fd;

	if (!make_file(w, "n")) {
		return;
	}
	fd = (int)CALL(w, open("n", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
	if (fd < 0) {
		return;
	}
	check(w, fstat(fd, &st) == 0 && st.st_size == 0, "the size after O_TRUNC");
	if (CALL(w, fchmod(fd, 0604)) >= 0) {
		check(w, has_mode("n", 0604), "the mode after fchmod");
	}
	if (CALL(w, futimens(fd, times)) >= 0) {
		check(w, fstat(fd, &st) == 0 && st.st_mtim.tv_sec == 4, "the times after futimens");
	}
	(void)close(fd);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* A child that ends with this one. -1: a fault, or the limit on tasks, has hit. */
static pid_t
start_child(struct worker *w)
{
	pid_t parent = getpid();
	pid_t pid;

	do {
		pid = fork();
	} while (pid < 0 && is_interrupted(w));
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (getppid() != parent) {
			_exit(1);
		}
	} else if (pid < 0 && errno == EAGAIN) {
		atomic_fetch_add(&w->tally->refused, 1);
	} else {
		(void)went_well(w, pid, "fork()");
	}
	return pid;
}

static int
end_of(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}

static void
do_fork(struct worker *w)
{
	pid_t pid = start_child(w);

	if (pid == 0) {
		_exit(7);
	}
	if (pid > 0) {
		int status = end_of(pid);

		check(w, WIFEXITED(status) && WEXITSTATUS(status) == 7, "the status of a child");
	}
}

/* ---- FIFOs -------------------------------------------------------------------------------- */

/* What the child does at its end, which waits for the other one to be opened. */
static void
use_end(bool writes)
{
	char byte = 'x';
	int fd;

	do {
		fd = open("fifo", writes ? O_WRONLY : O_RDONLY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		_exit(1);
	}
	if (writes) {
		_exit(write(fd, &byte, 1) == 1 ? 0 : 1);
	}
	while (read(fd, &byte, 1) < 0 && errno == EINTR) {
	}
	_exit(byte == 'y' ? 0 : 1);
}

static void
use_other_end(struct worker *w, int fd, bool reads)
{
	char byte = 'y';
	ssize_t n;

	do {
		n = reads ? read(fd, &byte, 1) : write(fd, &byte, 1);
	} while (n < 0 && is_interrupted(w));
	check(w, n == 1 && byte == (reads ? 'x' : 'y'), "a byte through a FIFO");
}

static void
do_fifo(struct worker *w)
{
	bool reads = next_random(w) % 2 == 0;
	pid_t pid;
	int fd;

	if ((w->faults & FAULT_BROKER) != 0 || CALL(w, mkfifo("fifo", 0600)) < 0) {
		return; /* a child without its end would be waited for */
	}
	pid = start_child(w);
	if (pid == 0) {
		use_end(reads);
	}
	if (pid < 0) {
		return;
	}
	fd = (w->faults & FAULT_FILES) == 0
		     ? (int)CALL(w, open("fifo", (reads ? O_RDONLY : O_WRONLY) | O_CLOEXEC))
		     : -1;
	if (fd < 0) {
		(void)kill(pid, SIGKILL); /* while its call is pending */
		(void)end_of(pid);
		return;
	}
	use_other_end(w, fd, reads);
	(void)close(fd);
	check(w, end_of(pid) == 0, "the other end of a FIFO");
}

/* ---- sockets ------------------------------------------------------------------------------ */

static void
talk(struct worker *w, int client, int server)
{
	char byte = 's';
	int fd;

	do {
		fd = accept4(server, NULL, NULL, SOCK_CLOEXEC);
	} while (fd < 0 && is_interrupted(w));
	if (!went_well(w, fd, "accept()")) {
		return;
	}
	check(w, write(client, &byte, 1) == 1, "a byte to a socket");
	byte = '\0';
	while (read(fd, &byte, 1) < 0 && is_interrupted(w)) {
	}
	check(w, byte == 's', "a byte from a socket");
	(void)close(fd);
}

/* A connection that a signal interrupted is made all the same. */
static bool
connects(struct worker *w, int client, const void *address, socklen_t len)
{
	unsigned int times = 0;

	for (;; times++) {
		int rc = connect(client, address, len);

		if (rc == 0 || (times > 0 && errno == EISCONN)) {
			return went_well(w, 0, "");
		}
		if (!is_interrupted(w) && !(times > 0 && errno == EALREADY)) {
			return went_well(w, rc, "connect()");
		}
	}
}

static void
serve_on(struct worker *w, int family, void *address, socklen_t len)
{
	const struct linger at_once = { .l_onoff = 1 };
	int server = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (client >= 0 && server >= 0 && CALL(w, bind(server, address, len)) >= 0 &&
	    CALL(w, listen(server, 4)) >= 0) {
		(void)getsockname(server, address, &len);
		(void)setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		if (connects(w, client, address, len)) {
			talk(w, client, server);
		}
	}
	(void)close(client);
	(void)close(server);
}

static void
do_unix(struct worker *w)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };

	serve_on(w, AF_UNIX, &address, sizeof(address));
}

static void
do_loopback(struct worker *w)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	serve_on(w, AF_INET, &address, sizeof(address));
}

/* ---- shared memory ------------------------------------------------------------------------ */

static void
shm_name_of(const struct worker *w, char out[64])
{
	(void)snprintf(out, 64, "/%s-%u", w->token, w->number);
}

static void
do_shm(struct worker *w)
{
	char name[64];
	int fd;

	shm_name_of(w, name);
	fd = (int)CALL(w, shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
	if (fd < 0) {
		return;
	}
	check(w, ftruncate(fd, 4096) == 0, "the size of shared memory");
	(void)close(fd);
	fd = (int)CALL(w, shm_open(name, O_RDWR, 0));
	(void)close(fd);
	(void)CALL(w, shm_unlink(name));
}

/* ---- what must not work ------------------------------------------------------------------- */

static void
do_forbidden(struct worker *w)
{
	struct sockaddr_in foreign = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)w->foreign),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd;

	check_refused(w, open("../.git/config", O_WRONLY | O_TRUNC), "a protected file was opened");
	check_refused(w, open(".git", O_CREAT | O_WRONLY, 0644), "a protected name was made");
	check_refused(w, mkdir(".claude", 0755), "a protected directory was made");
	check_refused(w, chmod("../.git/config", 0600), "a protected file's mode was changed");
	check_refused(w, unlink("../.git/config"), "a protected file was removed");
	check_refused(w, rename("../.git", "git"), "a protected directory was moved");
	check_refused(w, link("../.git/config", "config"), "a protected file was linked");
	check_refused(w, open("../../outside", O_WRONLY), "a file outside was opened");
	check_refused(w, utimensat(AT_FDCWD, "../../outside", NULL, 0), "times outside were set");
	fd = w->foreign != 0 ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	if (fd >= 0) {
		check_refused(w, connect(fd, (void *)&foreign, sizeof(foreign)),
			      "a server outside was reached");
		(void)close(fd);
	}
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* An entry, if need be with the one that do_directories() makes in it. */
static bool
remove_entry(const char *name)
{
	char inside[NAME_MAX + 8];

	if (unlink(name) == 0) {
		return true;
	}
	(void)snprintf(inside, sizeof(inside), "%s/link", name);
	(void)unlink(inside);
	return rmdir(name) == 0;
}

/* A fault of the broker passes. */
static void
remove_surely(const char *name)
{
	for (unsigned int i = 0; i < REMOVE_TRIES && !remove_entry(name); i++) {
		(void)usleep(1000);
	}
}

static void
remove_shm(struct worker *w)
{
	char name[64];
	unsigned int tries = 0;

	shm_name_of(w, name);
	while (shm_unlink(name) != 0 && errno != ENOENT && ++tries < REMOVE_TRIES) {
		(void)usleep(1000);
	}
}

static void
remove_all(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			remove_surely(entry->d_name);
		}
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
}

/* Without signals, which would use up the tries. */
void
scrub(struct worker *w)
{
	sigset_t alarm;

	(void)sigemptyset(&alarm);
	(void)sigaddset(&alarm, SIGALRM);
	(void)sigprocmask(SIG_BLOCK, &alarm, NULL);
	remove_all();
	remove_shm(w);
	(void)sigprocmask(SIG_UNBLOCK, &alarm, NULL);
}

void
work_once(struct worker *w)
{
	static void (*const deeds[])(struct worker *) = {
		do_files, do_directories, do_metadata, do_descriptors, do_fork,	 do_fifo,
		do_unix,  do_loopback,	  do_shm,      do_forbidden,   do_files, do_descriptors,
	};

	deeds[next_random(w) % COUNT_OF(deeds)](w);
	atomic_fetch_add(&w->tally->beats[w->number], 1);
}
