/* SPDX-License-Identifier: MIT */
/* What goes on working under a filter, on the running kernel. */
#include "filter_live.h"

#include <netdb.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <syslog.h>

/* ---- what must go on working ------------------------------------------------------------- */

static void *
add_one(void *counter)
{
	__atomic_add_fetch((int *)counter, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void
spawn(const struct scene *scene, const char *const argv[])
{
	pid_t pid;
	int status;
	int rc = posix_spawn(&pid, argv[0], NULL, NULL, (char **)(uintptr_t)argv, environ);

	if (rc != 0) {
		FAIL("cannot start %s: %s", argv[0], strerror(rc));
	}
	WORKS(waitpid(pid, &status, 0));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		FAIL("%s ended with 0x%x", argv[0], (unsigned int)status);
	}
}

static void
use_processes_and_files(const struct scene *scene)
{
	static const char *const program[] = { "/bin/sh", "-c", "true | cat; (exit 0) & wait",
					       NULL };
	pthread_t threads[4];
	int counter = 0;
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	for (size_t i = 0; i < COUNT_OF(threads); i++) {
		if (pthread_create(&threads[i], NULL, add_one, &counter) != 0) {
			FAIL("no thread");
		}
	}
	for (size_t i = 0; i < COUNT_OF(threads); i++) {
		(void)pthread_join(threads[i], NULL);
	}
	spawn(scene, program);
	if (counter != 4 || system("exit 7") != 7 << 8) {
		FAIL("threads or processes are missing");
	}
	WORKS(epoll);
	WORKS(epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, EFD_CLOEXEC), &(struct epoll_event){ 0 }));
	WORKS(prctl(PR_SET_NAME, "busy"));
	WORKS(kill(getpid(), 0));
	WORKS(close(open(".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600)));
	WORKS(close(open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0666)));
	WORKS(rename("file", "dir"));
	WORKS(unlink("dir"));
}

static void
lets_processes_threads_and_files_be(void **state)
{
	run_case(state, &closed, use_processes_and_files, 0);
	run_case(state, &open_wide, use_processes_and_files, 0);
}

static void
run_python(const struct scene *scene)
{
	static const char *const program[] = {
		"/usr/bin/python3", "-I", "-c",
		"import asyncio, errno, os, socket, subprocess, threading\n"
		"from concurrent.futures import ThreadPoolExecutor\n"
		"async def main():\n"
		"    p = await asyncio.create_subprocess_exec('true')\n"
		"    assert await p.wait() == 0\n"
		"asyncio.run(main())\n"
		"a, b = socket.socketpair()\n"
		"a.sendall(b'x')\n"
		"assert b.recv(1) == b'x'\n"
		"assert subprocess.run(['sh', '-c', 'exit 3']).returncode == 3\n"
		"with ThreadPoolExecutor(4) as pool:\n"
		"    assert sum(pool.map(abs, [-1, 2, -3])) == 6\n"
		"os.sched_setaffinity(0, os.sched_getaffinity(0))\n"
		"os.nice(1)\n"
		"try:\n"
		"    socket.socket()\n"
		"except OSError as error:\n"
		"    assert error.errno == errno.ENETUNREACH\n",
		NULL
	};

	spawn(scene, program);
}

static void
runs_python(void **state)
{
	if (access("/usr/bin/python3", X_OK) != 0) {
		skip();
	}
	run_case(state, &closed, run_python, 0);
}

static void
run_node(const struct scene *scene)
{
	static const char *const program[] = {
		"/usr/bin/node", "-e",
		"const { execSync } = require('child_process');\n"
		"const { Worker } = require('worker_threads');\n"
		"execSync('true');\n"
		"require('os').networkInterfaces();\n"
		"require('fs').promises.readFile('/etc/passwd').then(() => {\n"
		"  const w = new Worker('process.exit(0)', { eval: true });\n"
		"  w.on('exit', code => process.exit(code));\n"
		"});\n",
		NULL
	};

	spawn(scene, program);
}

static void
runs_node(void **state)
{
	if (access("/usr/bin/node", X_OK) != 0) {
		skip();
	}
	run_case(state, &closed, run_node, 0);
}

static void
run_true(const struct scene *scene)
{
	WORKS(execl("/bin/true", "true", (char *)NULL));
}

static void
runs_a_dynamic_program_with_an_empty_allowlist(void **state)
{
	static const struct plan_filter spec = { .mode = SECCOMP_ALLOWLIST };

	run_case(state, &spec, run_true, 0);
}

static void
use_the_resolver_and_the_log(const struct scene *scene)
{
	struct addrinfo hints = { .ai_flags = AI_ADDRCONFIG, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;

	openlog("test", LOG_NDELAY, LOG_USER);
	syslog(LOG_DEBUG, "nobody hears this");
	closelog();
	(void)alarm(10);
	if (getaddrinfo("localhost", "80", &hints, &found) == 0) {
		freeaddrinfo(found);
	}
	if (getaddrinfo("name.invalid", "80", &hints, &found) == 0) {
		FAIL("name.invalid was resolved");
	}
	(void)scene;
}

static void
lets_the_resolver_and_syslog_give_up_quickly(void **state)
{
	run_case(state, &closed, use_the_resolver_and_the_log, 0);
}

static void
do_nothing(const struct scene *scene)
{
	WORKS(getppid());
}

static void
is_taken_by_the_kernel_in_all_standard_forms(void **state)
{
	for (unsigned int i = 0; i < FILTER_STANDARDS; i++) {
		struct plan_filter spec = filter_standard_spec(i);

		run_case(state, &spec, do_nothing, 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lets_processes_threads_and_files_be),
		cmocka_unit_test(runs_python),
		cmocka_unit_test(runs_node),
		cmocka_unit_test(runs_a_dynamic_program_with_an_empty_allowlist),
		cmocka_unit_test(lets_the_resolver_and_syslog_give_up_quickly),
		cmocka_unit_test(is_taken_by_the_kernel_in_all_standard_forms),
	};

	return cmocka_run_group_tests(tests, make_scene, remove_scene);
}
