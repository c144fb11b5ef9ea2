/* SPDX-License-Identifier: MIT */

/* What a command must be able to do: a sandbox in which nothing works is no sandbox. */

#include "attack.h"

#include "base/attr.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* ---- in the workspace ------------------------------------------------------------------------ */

static enum outcome
create(const struct scene *s)
{
	return write_mark(open(path("%s/new.txt", s->work), O_WRONLY | O_CREAT, 0644));
}

static enum outcome
change_existing(const struct scene *s)
{
	return write_mark(open(path("%s/README.md", s->workspace), O_WRONLY | O_APPEND));
}

static enum outcome
rename_across_directories(const struct scene *s)
{
	const char *from = path("%s/from", s->work);
	const char *to = path("%s/to", s->work);

	if (mkdir(from, 0755) != 0 || mkdir(to, 0755) != 0 || !make_file(path("%s/f", from))) {
		return blocked("mkdir");
	}
	return tried(rename(path("%s/f", from), path("%s/f", to)), "rename");
}

static enum outcome
link_across_directories(const struct scene *s)
{
	const char *to = path("%s/to", s->work);

	if (mkdir(to, 0755) != 0 || !make_file(path("%s/f", s->work))) {
		return blocked("create");
	}
	return tried(link(path("%s/f", s->work), path("%s/f", to)), "link");
}

static enum outcome
name_unnamed(const struct scene *s)
{
	int fd = open(s->work, O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);

	if (fd < 0) {
		return blocked("open with O_TMPFILE");
	}
	return tried(linkat(AT_FDCWD, path("/proc/self/fd/%d", fd), AT_FDCWD,
			    path("%s/named", s->work), AT_SYMLINK_FOLLOW),
		     "linkat");
}

/* Right beside .git, and beside a repository further down. */
static enum outcome
create_beside_protected(const struct scene *s)
{
	return tried(make_file(path("%s/%s", s->workspace, s->row->subject)) ? 0 : -1, "create");
}

static enum outcome
change_metadata(const struct scene *s)
{
	static const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	const char *name = path("%s/f", s->work);

	if (!make_file(name) || chmod(name, 0755) != 0) {
		return blocked("chmod");
	}
	return tried(utimensat(AT_FDCWD, name, times, 0), "utimensat");
}

static enum outcome
remove_tree(const struct scene *s)
{
	const char *directory = path("%s/tree", s->work);
	const char *file = path("%s/f", directory);

	if (mkdir(directory, 0755) != 0 || !make_file(file) || unlink(file) != 0) {
		return blocked("mkdir or unlink");
	}
	return tried(rmdir(directory), "rmdir");
}

static enum outcome
lock_and_map(const struct scene *s)
{
	const char *name = path("%s/f", s->work);
	int fd;

	if (!put_text(name, "text")) {
		return blocked("create");
	}
	fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
		return blocked("flock");
	}
	return tried(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? -1
											       : 0,
		     "mmap");
}

static enum outcome
git_status(const struct scene *s)
{
	return shell(path("git -C '%s' status --porcelain >/dev/null", s->workspace))
		       ? succeeded("git status")
		       : blocked("git status");
}

static enum outcome
compile_and_run(const struct scene *s)
{
	return shell(path("cd '%s' && echo 'int main(void){return 0;}' >c.c && cc -o c c.c && ./c",
			  s->work))
		       ? succeeded("cc")
		       : blocked("cc");
}

/* ---- programs and the system ----------------------------------------------------------------- */

/* A command line for the shell, which the row holds. */
static enum outcome
run_command(const struct scene *s)
{
	return shell(s->row->subject) ? succeeded("done") : blocked("the command");
}

static enum outcome
read_system_file(const struct scene *s)
{
	char buf[4];

	(void)s;
	return read_text("/usr/bin/env", buf, sizeof(buf)) > 0 ? succeeded("read")
							       : blocked("read");
}

static enum outcome
make_socketpair(const struct scene *s)
{
	int pair[2];

	(void)s;
	return tried(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "socketpair");
}

static enum outcome
open_pty(const struct scene *s)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	(void)s;
	if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0) {
		return blocked("posix_openpt");
	}
	return tried(open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC), "open");
}

static void *
do_nothing(void *argument)
{
	return argument;
}

static enum outcome
start_thread(const struct scene *s)
{
	pthread_t thread;

	(void)s;
	if (pthread_create(&thread, NULL, do_nothing, NULL) != 0) {
		return blocked("pthread_create");
	}
	return tried(-pthread_join(thread, NULL), "pthread_join");
}

static enum outcome
signal_own_child(const struct scene *s)
{
	pid_t child = fork();

	(void)s;
	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	return tried(kill(child, SIGTERM), "kill");
}

static enum outcome
open_own_proc(const struct scene *s)
{
	char buf[200];

	(void)s;
	return read_text("/proc/self/status", buf, sizeof(buf)) > 0 ? succeeded("read")
								    : blocked("read");
}

const struct attack benign_attacks[] = {
	{ "create", PROOF_CALL, "creates a file", create },
	{ "create_on_top", PROOF_CALL, "creates a file beside .git", create_beside_protected,
	  "new.txt" },
	{ "create_in_parent", PROOF_CALL, "creates a file above a nested repository",
	  create_beside_protected, "sub/new.txt" },
	{ "change", PROOF_CALL, "appends to a file", change_existing },
	{ "rename", PROOF_CALL, "renames across directories", rename_across_directories },
	{ "link", PROOF_CALL, "links across directories", link_across_directories },
	{ "metadata", PROOF_CALL, "changes mode and times", change_metadata },
	{ "remove", PROOF_CALL, "removes a directory", remove_tree },
	{ "lock_and_map", PROOF_CALL, "locks and maps a file", lock_and_map },
	{ "git_status", PROOF_CALL, "runs git status", git_status },
	{ "compile", PROOF_CALL, "compiles and runs a program", compile_and_run },
	{ "python", PROOF_CALL, "runs python with a thread and a child", run_command,
	  "python3 -c 'import subprocess, threading; t = threading.Thread(target=print); "
	  "t.start(); "
	  "t.join(); subprocess.check_call([\"true\"])' >/dev/null" },
	{ "node", PROOF_CALL, "runs node with a child", run_command,
	  "! command -v node || node -e 'require(\"child_process\").execSync(\"true\")' "
	  ">/dev/null 2>&1" },
	{ "mktemp", PROOF_CALL, "makes a temporary file", run_command,
	  "f=$(mktemp) && echo x >$f && rm -f $f" },
	{ "devices", PROOF_CALL, "reads and writes the usual devices", run_command,
	  "head -c 8 /dev/urandom >/dev/null && echo x >/dev/null && head -c 8 /dev/zero "
	  ">/dev/null" },
	{ "pipeline", PROOF_CALL, "runs a pipeline", run_command, "echo x | cat | grep -q x" },
	{ "read_usr", PROOF_CALL, "reads a file of the system", read_system_file },
	{ "socketpair", PROOF_CALL, "makes a pair of local sockets", make_socketpair },
	{ "pty", PROOF_CALL, "opens a pseudo-terminal", open_pty },
	{ "thread", PROOF_CALL, "starts a thread", start_thread },
	{ "signal_child", PROOF_CALL, "signals its own child", signal_own_child },
	{ "proc_self", PROOF_CALL, "reads about itself in /proc", open_own_proc },
	/* What the broker performs. */
	{ "create_fifo", PROOF_CALL, "makes a FIFO and uses it", run_command,
	  "cd work && mkfifo p && { echo x >p & } && grep -q x p && wait" },
	{ "create_unnamed", PROOF_CALL, "names a file that had none", name_unnamed },
	{ "create_replace", PROOF_CALL, "replaces a file as editors do", run_command,
	  "cd work && echo a >f && chmod 640 f && echo b >f.new && chmod --reference=f f.new && "
	  "mv f.new f && test \"$(stat -c %a f)\" = 640" },
	{ "create_tree", PROOF_CALL, "packs and unpacks a tree", run_command,
	  "mkdir -p work/t/a/b && ln -s a work/t/l && echo x >work/t/a/b/f && "
	  "tar -C work -cf work/t.tar t && mkdir work/u && tar -C work/u -xf work/t.tar && "
	  "diff -r work/t work/u/t && rm -r work/t work/u" },
	{ "create_pipelines", PROOF_CALL, "runs pipelines that end in a file", run_command,
	  "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "
	  "echo $i | cat | cat >>work/lines || exit 1; done; test $(wc -l <work/lines) = 20" },
	{ "memory_shared", PROOF_CALL, "shares memory by a name", run_command,
	  "python3 -c 'from multiprocessing import shared_memory as m; "
	  "a = m.SharedMemory(create=True, size=64); a.buf[0] = 7; "
	  "b = m.SharedMemory(name=a.name); x = b.buf[0]; b.close(); a.close(); a.unlink(); "
	  "exit(x != 7)'" },
	{ "own_loopback", PROOF_CALL, "talks to a server of its own", run_command,
	  "python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0)); "
	  "c = socket.create_connection(s.getsockname()); d, _ = s.accept(); c.sendall(b\"x\"); "
	  "exit(d.recv(1) != b\"x\")'" },
	{ "own_unix", PROOF_CALL, "talks to a local server of its own", run_command,
	  "cd work && python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); "
	  "s.bind(\"s\"); s.listen(); c = socket.socket(socket.AF_UNIX); c.connect(\"s\"); "
	  "d, _ = s.accept(); c.sendall(b\"x\"); exit(d.recv(1) != b\"x\")'" },
	{ "own_child", PROOF_CALL, "changes priority and limits of its child", run_command,
	  "sleep 5 & renice -n 5 -p $! >/dev/null && prlimit --core=0 --pid $! && kill $!" },
	{ 0 },
};
