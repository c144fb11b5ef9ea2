/* SPDX-License-Identifier: MIT */

/* What may be allowed or not: run.py prints these and judges none of them. */

#include "attack.h"
#include "reach.h"
#include "sockets.h"

#include "base/attr.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static enum outcome
write_to_tmp(const struct scene *s)
{
	return write_mark(open(path("/tmp/attack-%s", s->tag), O_WRONLY | O_CREAT, 0644));
}

/* Copies /bin/true to a descriptor. */
static bool
copy_true(int to)
{
	AUTO_FD from = open("/bin/true", O_RDONLY | O_CLOEXEC);
	char buf[1 << 14];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0) {
		if (write(to, buf, (size_t)n) != n) {
			return false;
		}
	}
	return n == 0;
}

static enum outcome
execute_memory(const struct scene *s)
{
	char *const argv[] = { NULL, NULL };
	int fd = memfd_create("program", 0);
	pid_t child;

	(void)s;
	if (fd < 0 || !copy_true(fd)) {
		return blocked("memfd_create");
	}
	child = fork();
	if (child == 0) {
		(void)syscall(SYS_execveat, fd, "", argv, argv, AT_EMPTY_PATH);
		_exit(99);
	}
	return exit_status(child) == 0 ? succeeded("execveat") : blocked("execveat");
}

static enum outcome
execute_from_workspace(const struct scene *s)
{
	const char *name = path("%s/true", s->work);
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	if (fd < 0 || !copy_true(fd)) {
		return blocked("create");
	}
	(void)close(fd);
	return shell(name) ? succeeded("execute") : blocked("execute");
}

static enum outcome
map_writable_code(const struct scene *s)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)s;
	return tried(memory == MAP_FAILED ? -1 : 0, "mmap");
}

static enum outcome
become_dumpable(const struct scene *s)
{
	(void)s;
	return tried(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "PR_SET_DUMPABLE");
}

static enum outcome
splice_memory(const struct scene *s)
{
	char byte = 'x';
	struct iovec data = { &byte, 1 };
	int pair[2];

	(void)s;
	if (pipe(pair) != 0) {
		return blocked("pipe");
	}
	return tried(vmsplice(pair[1], &data, 1, 0), "vmsplice");
}

static enum outcome
set_own_oom_score(const struct scene *s)
{
	(void)s;
	return tried(write_to("/proc/self/oom_score_adj", "500") ? 0 : -1, "oom_score_adj");
}

static enum outcome
read_kernel_symbols(const struct scene *s)
{
	(void)s;
	return tried(open("/proc/kallsyms", O_RDONLY | O_CLOEXEC), "open");
}

static enum outcome
commit(const struct scene *s)
{
	return shell(path("git -C '%s' -c user.email=a@b -c user.name=x commit -q --allow-empty "
			  "-m x >/dev/null 2>&1",
			  s->workspace))
		       ? succeeded("git commit")
		       : blocked("git commit");
}

static enum outcome
serve_in_workspace(const struct scene *s)
{
	struct address address = local_path(path("%s/socket", s->work));
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (server < 0 || client < 0 || bind(server, &address.as.any, address.len) != 0 ||
	    listen(server, 1) != 0) {
		return blocked("bind");
	}
	return tried(connect(client, &address.as.any, address.len), "connect");
}

static enum outcome
serve_on_loopback(const struct scene *s)
{
	struct address address = loopback4(0);
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)s;
	if (server < 0 || client < 0 || bind(server, &address.as.any, address.len) != 0 ||
	    listen(server, 1) != 0 || getsockname(server, &address.as.any, &address.len) != 0) {
		return blocked("bind");
	}
	return tried(connect(client, &address.as.any, address.len), "connect");
}

static enum outcome
share_memory(const struct scene *s)
{
	const char *name = path("/attack-%s-own", s->tag);
	int fd = shm_open(name, O_CREAT | O_RDWR, 0600);

	(void)shm_unlink(name);
	return tried(fd, "shm_open");
}

static enum outcome
attach_to_child(const struct scene *s)
{
	pid_t child = fork();
	long result;

	(void)s;
	if (child == 0) {
		(void)pause();
		_exit(0);
	}
	result = ptrace(PTRACE_ATTACH, child, NULL, NULL);
	return tried(result, "PTRACE_ATTACH");
}

static enum outcome
trace_child(const struct scene *s)
{
	pid_t child = fork();
	int status;

	(void)s;
	if (child == 0) {
		(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		(void)raise(SIGSTOP);
		_exit(0);
	}
	if (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) &&
	    ptrace(PTRACE_CONT, child, NULL, NULL) == 0) {
		return succeeded("PTRACE_TRACEME");
	}
	(void)kill(child, SIGKILL);
	return blocked("PTRACE_TRACEME");
}

/* Where the kernel writes core dumps to the working directory. */
static enum outcome
dump_core(const struct scene *s)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (chdir(s->work) == 0) {
			abort();
		}
		_exit(1);
	}
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) {
		return blocked("abort");
	}
	return WCOREDUMP(status) ? succeeded("core dump") : blocked("no core dump");
}

const struct attack info_attacks[] = {
	{ "tmp", PROOF_CALL, "creates a file in /tmp", write_to_tmp },
	{ "memfd_exec", PROOF_CALL, "executes a program that is no file", execute_memory },
	{ "workspace_exec", PROOF_CALL, "executes a program it wrote", execute_from_workspace },
	{ "writable_code", PROOF_CALL, "maps memory to write and execute", map_writable_code },
	{ "dumpable", PROOF_CALL, "makes itself dumpable", become_dumpable },
	{ "vmsplice", PROOF_CALL, "splices memory to a pipe", splice_memory },
	{ "oom_score", PROOF_CALL, "sets its own oom score", set_own_oom_score },
	{ "kallsyms", PROOF_CALL, "opens the kernel's symbols", read_kernel_symbols },
	{ "git_commit", PROOF_CALL, "commits", commit },
	{ "unix_server", PROOF_CALL, "serves a local socket in the workspace", serve_in_workspace },
	{ "loopback_server", PROOF_CALL, "serves on loopback for itself", serve_on_loopback },
	{ "posix_shm", PROOF_CALL, "shares memory with itself", share_memory },
	{ "ptrace_child", PROOF_CALL, "attaches to its own child", attach_to_child },
	{ "trace_child", PROOF_CALL, "traces a child that asks for it", trace_child },
	{ "core_dump", PROOF_CALL, "dumps core", dump_core },
	{ 0 },
};
