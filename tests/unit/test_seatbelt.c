/* SPDX-License-Identifier: MIT */

/*
 * What the Seatbelt profile of a policy allows. The text is judged by the evaluator in sbpl.h: what
 * counts is what a profile allows, not how it looks.
 */

#include "sbpl.h"

/* ---- files ------------------------------------------------------------------------------- */

static const struct expectation workspace_files[] = {
	/* reading: everything but what is sensitive or denied */
	{ "file-read-data", "/usr/bin/git", true },
	{ "file-read-data", "/Users/u/notes", true },
	{ "file-read-data", "/Users/u/proj/.git/config", true },
	{ "file-read-data", "/Users/u/.ssh", false },
	{ "file-read-data", "/Users/u/.ssh/id_ed25519", false },
	{ "file-read-metadata", "/Users/u/.ssh/id_ed25519", false },
	{ "file-read-data", "/Users/u/.sshx", true },
	{ "file-read-data", "/Users/u/.netrc", false },
	{ "file-read-data", "/Users/u/Library/Keychains/login.keychain-db", false },
	{ "file-read-data", "/Users/u/Library/Fonts/a.ttf", true },
	{ "file-read-data", "/Users/u/proj/secrets", false },
	{ "file-read-data", "/Users/u/proj/secrets/key", false },
	/* writing: the roots, but not the protected names in them */
	{ "file-write-data", "/Users/u/proj/a.c", true },
	{ "file-write-create", "/Users/u/proj/sub/dir/a.c", true },
	{ "file-write-mode", "/Users/u/proj/a.c", true },
	{ "file-write-data", "/Users/u/other/a.c", true },
	{ "file-write-data", "/tmp/build/a", true },
	{ "file-write-data", "/private/tmp/build/a", true },
	{ "file-write-data", "/private/tmp/a", false },
	{ "file-write-data", "/Users/u/project/a.c", false },
	{ "file-write-data", "/Users/u/a.c", false },
	{ "file-write-create", "/Users/u", false },
	{ "file-write-data", "/etc/hosts", false },
	{ "file-write-data", "/private/var/folders/x/T/a", false },
	{ "file-write-data", "/Users/u/.ssh/authorized_keys", false },
	{ "file-write-create", "/Users/u/proj/secrets/new", false },
	{ "file-write-create", "/Users/u/proj/.git", false },
	{ "file-write-data", "/Users/u/proj/.git/config", false },
	{ "file-write-create", "/Users/u/proj/.git/hooks/pre-commit", false },
	{ "file-write-unlink", "/Users/u/proj/.git", false },
	{ "file-write-data", "/Users/u/proj/.gitignore", true },
	{ "file-write-create", "/Users/u/other/.claude/settings.json", false },
	{ "file-write-create", "/private/tmp/build/.bailey/x", false },
	{ "file-write-create", "/Users/u/proj/vendor/lib/.git/config", true },
	/* another spelling of a protected name is the same file on a usual macOS disk */
	{ "file-write-create", "/Users/u/proj/.GIT", false },
	{ "file-write-create", "/Users/u/proj/.Git/config", false },
	{ "file-write-create", "/Users/u/proj/.cLaude/settings.json", false },
	{ "file-write-create", "/Users/u/proj/.GITX", true },
	{ "file-write-create", "/Users/u/proj/x.GIT", true },
	/* a directory above a denied path keeps its name; a file beside it does not have to */
	{ "file-write-unlink", "/Users/u/proj", false },
	{ "file-write-unlink", "/Users/u/other", false },
	{ "file-write-unlink", "/private/tmp/build", false },
	{ "file-write-unlink", "/Users/u/proj/a.c", true },
	{ "file-write-unlink", "/Users/u/proj/sub", true },
	/* devices */
	{ "file-write-data", "/dev/null", true },
	{ "file-write-unlink", "/dev/null", false },
	{ "file-write-data", "/dev/disk0", false },
	{ "file-ioctl", "/dev/ttys001", false },
	{ "file-ioctl", "/dev/ptmx", true },
	{ "file-write-setugid", "/Users/u/proj/a", false },
	/* programs */
	{ "process-exec", "/bin/ls", true },
	{ "process-exec", "/Users/u/proj/a.out", true },
	{ "process-exec", "/Users/u/proj/secrets/tool", false },
	{ "process-fork", NULL, true },
};

static void
confines_files_of_a_workspace(void **state)
{
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	load(&profile, &policy);
	expect(&profile, workspace_files, COUNT_OF(workspace_files));
}

/* Nothing that was not asked for: the operations by which others have been left. */
static void
denies_what_is_not_listed(void **state)
{
	static const char *const never[] = {
		"default",
		"lsopen",
		"appleevent-send",
		"job-creation",
		"file-mount",
		"file-link",
		"iokit-open",
		"mach-register",
		"sysctl-write",
		"user-preference-write",
		"nvram-set",
		"system-audit",
		"ipc-posix-shm-write-data",
		"ipc-sysv-shm",
		"file-clone",
		"process-codesigning",
		"network-outbound",
		"network-inbound",
		"network-bind",
		"system-socket",
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	load(&profile, &policy);
	for (size_t i = 0; i < COUNT_OF(never); i++) {
		if (may(&profile, never[i], "/Users/u/proj/a")) {
			fail_msg("%s is allowed", never[i]);
		}
	}
}

static const struct {
	const char *operation;
	const char *name;
	bool allowed;
} names[] = {
	{ "mach-lookup", "com.apple.system.opendirectoryd.libinfo", true },
	{ "mach-lookup", "com.apple.cfprefsd.daemon", true },
	{ "mach-lookup", "com.apple.SecurityServer", false },
	{ "mach-lookup", "com.apple.securityd.xpc", false },
	{ "mach-lookup", "com.apple.coreservices.launchservicesd", false },
	{ "mach-lookup", "com.apple.pasteboard.1", false },
	{ "mach-lookup", "com.apple.trustd.agent", false },
	{ "sysctl-read", "hw.ncpu", true },
	{ "sysctl-read", "kern.procargs2", false },
	{ "ipc-posix-shm-read-data", "apple.cfprefs.501v1", true },
	{ "ipc-posix-shm-read-data", "other", false },
	{ "signal", "same-sandbox", true },
	{ "signal", "others", false },
	{ "user-preference-read", NULL, true },
	{ "system-socket", "AF_UNIX", true },
	{ "system-socket", "AF_SYSTEM", false },
};

static void
confines_services_by_name(void **state)
{
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	load(&profile, &policy);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct question q = { .operation = names[i].operation, .name = names[i].name };

		if (allowed(&profile, &q) != names[i].allowed) {
			fail_msg("%s %s", names[i].operation, names[i].name);
		}
	}
}

static void
lets_read_only_write_nothing_but_devices(void **state)
{
	static const struct expectation table[] = {
		{ "file-write-data", "/Users/u/proj/a.c", false },
		{ "file-write-create", "/private/tmp/a", false },
		{ "file-write-data", "/dev/null", true },
		{ "file-read-data", "/Users/u/proj/a.c", true },
		{ "file-read-data", "/Users/u/.aws/credentials", false },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = read_only();

	(void)state;
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

static void
opens_temp_directories_when_the_policy_says_so(void **state)
{
	static const struct expectation table[] = {
		{ "file-write-create", "/tmp/a", true },
		{ "file-write-create", "/private/tmp/.git/a", true },
		{ "file-write-create", "/private/var/folders/x/T/a", true },
		{ "file-write-create", "/private/var/folders/x/C/a", false },
		{ "file-write-create", "/Users/u/Library/Caches/pip/a", true },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.exclude_slash_tmp = false;
	policy.exclude_tmpdir_env_var = false;
	policy.caches = CACHES_SHARED;
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

static void
takes_the_sensitive_paths_of_the_policy(void **state)
{
	static struct sensitive_path own[] = {
		{ "~/only-read", false, true }, { "~/only-write", true, false },
		{ "inside", true, true },	{ "~/free", false, false },
		{ "~/twice", false, true },	{ "~/twice", true, false },
	};
	static const struct expectation table[] = {
		{ "file-read-data", "/Users/u/.ssh/id", true },
		{ "file-read-data", "/Users/u/Library/Keychains/a", true },
		{ "file-read-data", "/Users/u/only-read/a", true },
		{ "file-read-data", "/Users/u/only-write/a", false },
		{ "file-write-data", "/Users/u/only-write/a", false },
		{ "file-read-data", "/Users/u/proj/inside", false },
		{ "file-read-data", "/Users/u/free", true },
		{ "file-read-data", "/Users/u/twice", false },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.sensitive_defaults = false;
	policy.sensitive = own;
	policy.sensitive_count = COUNT_OF(own);
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

/* With the home directory as workspace every sensitive path lies in a writable root. */
static void
keeps_sensitive_paths_in_place_in_a_writable_home(void **state)
{
	static const struct expectation table[] = {
		{ "file-write-data", "/Users/u/notes", true },
		{ "file-write-create", "/Users/u/.ssh/config", false },
		{ "file-write-unlink", "/Users/u/.ssh", false },
		{ "file-write-unlink", "/Users/u/.config", false }, /* ~/.config/gh is below */
		{ "file-write-unlink", "/Users/u/Library", false },
		{ "file-write-create", "/Users/u/.config/new", true },
		{ "file-write-unlink", "/Users/u/src", true },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_scene home = { .cwd = "/Users/u", .home = "/Users/u", .lexical = true };
	struct bailey_policy policy = workspace();

	(void)state;
	load_at(&profile, &policy, &home);
	expect(&profile, table, COUNT_OF(table));
}

static void
keeps_what_git_runs_when_commits_are_allowed(void **state)
{
	static const struct expectation table[] = {
		{ "file-write-create", "/Users/u/proj/.git/objects/ab/cd", true },
		{ "file-write-data", "/Users/u/proj/.git/index", true },
		{ "file-write-create", "/Users/u/proj/.git/hooks/pre-commit", false },
		{ "file-write-create", "/Users/u/proj/.git/config", false },
		{ "file-write-create", "/Users/u/proj/.git/config.worktree", false },
		{ "file-write-create", "/Users/u/proj/.git/commondir", false },
		{ "file-write-create", "/Users/u/proj/.git/info/attributes", false },
		{ "file-write-create", "/Users/u/proj/.git/info/exclude", true },
		{ "file-write-create", "/Users/u/proj/.git/modules/m/refs/x", true },
		{ "file-write-create", "/Users/u/proj/.git/modules/m/config", false },
		{ "file-write-create", "/Users/u/proj/.git/modules/a/b/hooks/x", false },
		{ "file-write-create", "/Users/u/proj/.git/worktrees/w/config.worktree", false },
		{ "file-write-unlink", "/Users/u/proj/.git", false },
		{ "file-write-create", "/Users/u/proj/.git", false },
		{ "file-write-unlink", "/Users/u/proj/.git/info", false },
		{ "file-write-create", "/Users/u/proj/.Git/hooks/x", false },
		{ "file-write-create", "/Users/u/proj/.codex/x", false },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.protect_git = PROTECT_GIT_HOOKS;
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

static void
protects_as_much_as_the_policy_says(void **state)
{
	static const char *more[] = { "Makefile", "a+b" };
	static const struct expectation no_git[] = {
		{ "file-write-create", "/Users/u/proj/.git/config", true },
		{ "file-write-create", "/Users/u/proj/.GIT", true },
		{ "file-write-create", "/Users/u/proj/.vtcode/x", false },
		{ "file-write-create", "/Users/u/proj/Makefile", false },
		{ "file-write-create", "/Users/u/proj/makefile", false },
		{ "file-write-create", "/Users/u/proj/sub/Makefile", true },
		{ "file-write-create", "/Users/u/proj/a+b", false },
		{ "file-write-create", "/Users/u/proj/aab", true },
	};
	static const struct expectation none[] = {
		{ "file-write-create", "/Users/u/proj/.git/config", true },
		{ "file-write-create", "/Users/u/proj/.claude/x", true },
		{ "file-write-create", "/Users/u/proj/.CLAUDE/x", true },
		{ "file-write-create", "/Users/u/proj/Makefile", true },
	};
	AUTO_PROFILE some = { 0 };
	AUTO_PROFILE off = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.protect_git = PROTECT_GIT_NONE;
	policy.protected = (struct strings)LIST(more);
	load(&some, &policy);
	expect(&some, no_git, COUNT_OF(no_git));
	policy.protect = false;
	load(&off, &policy);
	expect(&off, none, COUNT_OF(none));
}

static void
narrows_reading_and_running_to_roots(void **state)
{
	static const char *reads[] = { "/opt/sdk" };
	static const char *execs[] = { "/opt/tools", "/bin" };
	static const struct expectation table[] = {
		{ "file-read-data", "/opt/sdk/include/a.h", true },
		{ "file-read-data", "/opt/tools/cc", true },
		{ "file-read-data", "/Users/u/proj/a.c", true },
		{ "file-read-data", "/usr/lib/libSystem.dylib", true },
		{ "file-read-data", "/Users/u/notes", false },
		{ "file-read-data", "/private/var/root/x", false },
		{ "file-read-metadata", "/Users/u", true },
		{ "file-read-metadata", "/Users/u/.ssh", false },
		{ "process-exec", "/opt/tools/cc", true },
		{ "process-exec", "/bin/sh", true },
		{ "process-exec", "/usr/bin/perl", false },
		{ "process-exec", "/Users/u/proj/a.out", false },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.read_roots = (struct strings)LIST(reads);
	policy.exec_roots = (struct strings)LIST(execs);
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

static void
withholds_names_when_asked_to(void **state)
{
	static const struct expectation table[] = {
		{ "file-read-data", "/Users/u", false },
		{ "file-read-data", "/Users", false },
		{ "file-read-data", "/", true },
		{ "file-read-metadata", "/Users/u", true },
		{ "file-read-data", "/Users/u/notes", true },
		{ "file-read-data", "/usr", true },
	};
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.hide_names = true;
	load(&profile, &policy);
	expect(&profile, table, COUNT_OF(table));
}

/* ---- against the policy's own answers ---------------------------------------------------- */

/* A path of up to four components from a small world, in which most of them mean something. */
static const char *
random_path(struct arena *arena, uint32_t *seed)
{
	static const char *const parts[] = {
		"Users", "u",	 "proj", "other", "tmp",     "build", "secrets", ".ssh",
		".git",	 ".GIT", "a",	 ".aws",  ".claude", "etc",   ".codex",	 "opt",
	};
	char *path = arena_strdup(arena, "");
	unsigned int count;

	*seed = *seed * 1664525 + 1013904223;
	count = 1 + (*seed >> 29) % 5;
	if ((*seed >> 16 & 3) != 0) {
		path = arena_strdup(arena, "/Users/u");
	}
	for (unsigned int i = 0; i < count; i++) {
		*seed = *seed * 1664525 + 1013904223;
		path = arena_printf(arena, "%s/%s", path, parts[*seed >> 28]);
	}
	return path;
}

/*
 * The queries keep protected names at any depth, for they cannot know which are there; a lexical
 * profile keeps those at the top of a root.
 */
static bool
is_protected_deeper(const struct bailey_answer *answer)
{
	static const char *const tops[] = { "/Users/u/proj/", "/Users/u/other/", "/tmp/build/",
					    "/private/tmp/build/" };
	size_t above = strlen(answer->entry) - strlen(path_base(answer->entry));

	for (size_t i = 0; i < COUNT_OF(tops); i++) {
		if (above == strlen(tops[i]) && strncmp(answer->entry, tops[i], above) == 0) {
			return false;
		}
	}
	return strcmp(answer->rule, "write.protected") == 0;
}

static void
agrees_with_the_answers_of_the_policy(void **state)
{
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();
	uint32_t seed = 1;
	unsigned int writable = 0;
	unsigned int unreadable = 0;

	(void)state;
	load(&profile, &policy);
	for (unsigned int i = 0; i < 3000; i++) {
		AUTO_ARENA arena = { 0 };
		const char *path = random_path(&arena, &seed);
		struct bailey_answer answer = { 0 };
		bool read = may(&profile, "file-read-data", path);
		bool write = may(&profile, "file-write-data", path);

		assert_int_equal(bailey_policy_can_read(&policy, &scene, path, &answer, NULL), 0);
		if (read != answer.allowed) {
			fail_msg("reading %s: %s", path, answer.text);
		}
		assert_int_equal(bailey_policy_can_write(&policy, &scene, path, &answer, NULL), 0);
		if (write != answer.allowed && !(write && is_protected_deeper(&answer))) {
			fail_msg("writing %s: %s", path, answer.text);
		}
		writable += write ? 1 : 0;
		unreadable += read ? 0 : 1;
	}
	assert_true(writable > 200 && unreadable > 200);
}

/* ---- the network ------------------------------------------------------------------------- */

enum network_case { NO_NETWORK, NETWORK, PORTS, SOCKET, ANY_SOCKET, NETWORK_CASES };

static const struct {
	struct question q;
	bool allowed[NETWORK_CASES];
} network[] = {
	{ { .operation = "network-outbound", .host = "example.org:443" }, { 0, 1, 0, 0, 0 } },
	{ { .operation = "network-inbound", .host = "localhost:8080" }, { 0, 1, 1, 0, 0 } },
	{ { .operation = "network-bind", .host = "localhost:8080" }, { 0, 1, 1, 0, 0 } },
	{ { .operation = "network-outbound", .host = "localhost:8080" }, { 0, 1, 1, 0, 0 } },
	{ { .operation = "network-outbound", .host = "localhost:22" }, { 0, 1, 0, 0, 0 } },
	{ { .operation = "network-outbound", .there = "/Users/u/proj/s" }, { 1, 1, 1, 1, 1 } },
	{ { .operation = "network-bind", .here = "/Users/u/proj/s" }, { 1, 1, 1, 1, 1 } },
	{ { .operation = "network-bind", .here = "/Users/u/proj/.git/s" }, { 0, 0, 0, 0, 0 } },
	{ { .operation = "network-outbound", .there = "/private/var/run/docker.sock" },
	  { 0, 0, 0, 0, 1 } },
	{ { .operation = "network-outbound", .there = "/private/var/run/mDNSResponder" },
	  { 0, 1, 0, 0, 1 } },
	{ { .operation = "network-outbound", .there = "/private/tmp/db/s" }, { 0, 0, 0, 1, 1 } },
	{ { .operation = "network-outbound", .there = "/Users/u/.gnupg/S.gpg-agent" },
	  { 0, 0, 0, 0, 0 } },
	{ { .operation = "mach-lookup", .name = "com.apple.trustd.agent" }, { 0, 1, 0, 0, 0 } },
	{ { .operation = "mach-lookup", .name = "com.apple.SecurityServer" }, { 0, 0, 0, 0, 0 } },
	{ { .operation = "system-socket", .name = "AF_SYSTEM" }, { 0, 1, 0, 0, 0 } },
};

static void
opens_the_network_as_far_as_the_policy_says(void **state)
{
	static uint16_t ports[] = { 8080 };
	static const char *one[] = { "/tmp/db" };
	static const char *any[] = { "*" };
	struct bailey_policy policies[NETWORK_CASES];

	(void)state;
	for (size_t k = 0; k < NETWORK_CASES; k++) {
		policies[k] = workspace();
	}
	policies[NETWORK].network_access = true;
	policies[PORTS].bind_ports = ports;
	policies[PORTS].bind_port_count = 1;
	policies[SOCKET].unix_sockets = (struct strings)LIST(one);
	policies[ANY_SOCKET].unix_sockets = (struct strings)LIST(any);
	for (size_t k = 0; k < NETWORK_CASES; k++) {
		AUTO_PROFILE profile = { 0 };

		load(&profile, &policies[k]);
		for (size_t i = 0; i < COUNT_OF(network); i++) {
			if (allowed(&profile, &network[i].q) != network[i].allowed[k]) {
				fail_msg("case %zu, row %zu", k, i);
			}
		}
	}
}

static void
opens_ipc_when_the_policy_says_so(void **state)
{
	AUTO_PROFILE profile = { 0 };
	struct bailey_policy policy = workspace();

	(void)state;
	policy.ipc = true;
	load(&profile, &policy);
	assert_true(may(&profile, "ipc-posix-shm-write-data", NULL));
	assert_true(may(&profile, "ipc-sysv-shm", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(confines_files_of_a_workspace),
		cmocka_unit_test(denies_what_is_not_listed),
		cmocka_unit_test(confines_services_by_name),
		cmocka_unit_test(lets_read_only_write_nothing_but_devices),
		cmocka_unit_test(opens_temp_directories_when_the_policy_says_so),
		cmocka_unit_test(takes_the_sensitive_paths_of_the_policy),
		cmocka_unit_test(keeps_sensitive_paths_in_place_in_a_writable_home),
		cmocka_unit_test(keeps_what_git_runs_when_commits_are_allowed),
		cmocka_unit_test(protects_as_much_as_the_policy_says),
		cmocka_unit_test(narrows_reading_and_running_to_roots),
		cmocka_unit_test(withholds_names_when_asked_to),
		cmocka_unit_test(agrees_with_the_answers_of_the_policy),
		cmocka_unit_test(opens_the_network_as_far_as_the_policy_says),
		cmocka_unit_test(opens_ipc_when_the_policy_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
