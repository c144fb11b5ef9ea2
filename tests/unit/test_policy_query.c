/* SPDX-License-Identifier: MIT */
/*
 * Tests of the questions: what may be read, written and reached. The lexical ones use no file
 * system; the others a directory of their own with symlinks and .git files.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "base/fd.h"
#include "policy/parts.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const struct bailey_scene lexical = {
	.cwd = "/home/u/work",
	.home = "/home/u",
	.tmpdir = "/scratch/t",
	.lexical = true,
};

static struct bailey_policy *
read_json(const char *text)
{
	struct bailey_policy *policy = NULL;
	struct bailey_error err = { 0 };
	char shown[1024];

	if (bailey_policy_from_json("p", text, strlen(text), &policy, &err) != BAILEY_OK) {
		fail_msg("%s", bailey_error_format(&err, shown, sizeof(shown)));
	}
	return policy;
}

#define RO "{\"type\":\"read_only\""
#define WW                                                                                         \
	"{\"type\":\"workspace_write\",\"exclude_slash_tmp\":true,\"exclude_tmpdir_env_var\":true"

struct question {
	const char *policy;
	bool write;
	const char *path;
	bool allowed;
	const char *rule;
	const char *entry; /* NULL: not looked at */
};

static void
ask(const struct bailey_scene *scene, const struct question *q, const char *path)
{
	AUTO_POLICY *policy = read_json(q->policy);
	struct bailey_answer answer = { 0 };
	struct bailey_error err = { 0 };
	int status = q->write ? bailey_policy_can_write(policy, scene, path, &answer, &err)
			      : bailey_policy_can_read(policy, scene, path, &answer, &err);

	if (status != BAILEY_OK) {
		fail_msg("%s: %s", path, err.message);
	}
	if (answer.allowed != q->allowed || strcmp(answer.rule, q->rule) != 0) {
		fail_msg("%s %s: %s, %s (%s)", q->write ? "write" : "read", path,
			 answer.allowed ? "allowed" : "refused", answer.rule, answer.text);
	}
	if (q->entry != NULL) {
		assert_string_equal(answer.entry, q->entry);
	}
	assert_int_not_equal(answer.text[0], '\0');
}

static const struct question lexical_questions[] = {
	/* reading */
	{ RO "}", false, "/etc/passwd", true, "read.default", "" },
	{ RO "}", false, "x", true, "read.default", "" },
	{ RO "}", false, "/", true, "read.default", "" },
	{ RO "}", false, "~", true, "read.default", "" },
	{ RO "}", false, "~/.ssh", false, "read.sensitive", "~/.ssh" },
	{ RO "}", false, "~/.ssh/id_rsa", false, "read.sensitive", "~/.ssh" },
	{ RO "}", false, "~/.ssh/", false, "read.sensitive", NULL },
	{ RO "}", false, "~//.ssh//id", false, "read.sensitive", NULL },
	{ RO "}", false, "~/.sshx", true, "read.default", NULL },
	{ RO "}", false, "/home/u/.ssh/../.ssh/id", false, "read.sensitive", NULL },
	{ RO "}", false, "../.ssh/id", false, "read.sensitive", NULL },
	{ RO "}", false, "../../../../home/u/./.ssh", false, "read.sensitive", NULL },
	{ RO "}", false, "~root/.ssh", true, "read.default", NULL }, /* a name in the cwd */
	{ RO "}", false, "/home/other/.ssh/id", true, "read.default", NULL },
	{ RO ",\"deny\":[\".env\"]}", false, ".env", false, "path.denied", ".env" },
	{ RO ",\"deny\":[\".env\"]}", false, "/home/u/work/.env/x", false, "path.denied", NULL },
	{ RO ",\"deny\":[\".env\"]}", false, "sub/.env", true, "read.default", NULL },
	{ RO ",\"deny\":[\"/\"]}", false, "/dev/null", false, "path.denied", "/" },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "/srv/x", true, "read.root", "/srv" },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "/srvx", false, "read.outside", NULL },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "..", false, "read.outside", NULL },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "x", true, "read.cwd", NULL },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "/usr/bin/cc", true, "read.system", "/usr" },
	{ RO ",\"read_roots\":[\"/\"]}", false, "/dev/sda", false, "read.other-device", NULL },
	{ RO ",\"read_roots\":[\"/\"],\"proc\":\"none\"}", false, "/proc/1/stat", false,
	  "read.proc", NULL },
	{ RO ",\"devices\":[\"kvm\"]}", false, "/dev/kvm", true, "read.device", NULL },
	{ RO ",\"devices\":[\"kvm\"]}", false, "/dev/dri/card0", false, "read.other-device", NULL },
	{ RO ",\"read_roots\":[\"~\"]}", false, "~/.ssh", false, "read.sensitive", NULL },
	{ WW ",\"read_roots\":[\"/usr\"]}", false, "x", true, "read.writable", NULL },
	{ RO ",\"proc\":\"none\"}", false, "/proc/cpuinfo", false, "read.proc", NULL },
	{ RO "}", false, "/proc/cpuinfo", true, "read.default", NULL },
	{ RO "}", false, "/proc/self/root/home/u/.ssh", false, "path.unresolvable", NULL },
	{ RO "}", false, "/proc/1/fd/3", false, "path.unresolvable", NULL },
	{ RO "}", false, "/dev/null", true, "read.device", NULL },
	{ RO "}", false, "/dev", true, "read.default", NULL },
	{ RO "}", false, "/dev/sda", false, "read.other-device", NULL },
	{ RO "}", false, "/dev/dri/card0", false, "read.other-device", NULL },
	{ RO ",\"devices\":[\"gpu\"]}", false, "/dev/dri/card0", true, "read.device", NULL },
	{ WW ",\"sensitive_paths\":[]}", false, "~/.ssh/id", true, "read.default", NULL },
	{ WW ",\"sensitive_paths\":[{\"path\":\"~/k\",\"block_read\":false}]}", false, "~/k", true,
	  "read.default", NULL },
	{ "{\"type\":\"danger_full_access\"}", false, "~/.ssh", true, "path.full-access", NULL },
	{ "{\"type\":\"external_sandbox\"}", false, "~/.ssh", true, "path.external", NULL },
	/* writing */
	{ RO "}", true, "x", false, "write.read-only", NULL },
	{ RO "}", true, "/tmp/x", false, "write.read-only", NULL },
	{ RO "}", true, "/dev/null", true, "write.device", NULL },
	{ RO "}", true, "~/.ssh/x", false, "write.sensitive", NULL },
	{ WW "}", true, "x", true, "write.cwd", "/home/u/work" },
	{ WW "}", true, ".", true, "write.cwd", NULL },
	{ WW "}", true, "..", false, "write.outside", NULL },
	{ WW "}", true, "../workx", false, "write.outside", NULL },
	{ WW "}", true, "a/../../work/x", true, "write.cwd", NULL },
	{ WW "}", true, "a/b/../../../x", false, "write.outside", NULL },
	{ WW "}", true, "x/", true, "write.cwd", NULL },
	{ WW "}", true, "~/work/new/deep", true, "write.cwd", NULL },
	{ WW "}", true, "/tmp/x", false, "write.outside", NULL },
	{ WW "}", true, "/scratch/t/x", false, "write.outside", NULL },
	{ "{\"type\":\"workspace_write\"}", true, "/tmp/x", true, "write.tmp", "/tmp" },
	{ "{\"type\":\"workspace_write\"}", true, "/scratch/t/x", true, "write.tmp", NULL },
	{ "{\"type\":\"workspace_write\"}", true, "/tmp/.git/x", false, "write.protected", NULL },
	{ WW ",\"writable_roots\":[{\"root\":\"~/out\"}]}", true, "/home/u/out/x", true,
	  "write.root", "~/out" },
	{ WW ",\"writable_roots\":[{\"root\":\"/home/u/.ssh\"}]}", true, "~/.ssh/x", false,
	  "write.sensitive", NULL },
	{ WW ",\"sensitive_paths\":[{\"path\":\"k\",\"block_write\":false}]}", true, "k", true,
	  "write.cwd", NULL },
	{ WW ",\"deny\":[\"k\"]}", true, "k/x", false, "path.denied", "k" },
	{ "{\"type\":\"danger_full_access\"}", true, "/etc/passwd", true, "path.full-access",
	  NULL },
	/* protected names */
	{ WW "}", true, ".git", false, "write.protected", "/home/u/work/.git" },
	{ WW "}", true, ".git/config", false, "write.protected", "/home/u/work/.git" },
	{ WW "}", true, ".Git/hooks/x", false, "write.protected", NULL },
	{ WW "}", true, "./x/../.git/x", false, "write.protected", NULL },
	{ WW "}", true, "sub/deep/.git/config", false, "write.protected",
	  "/home/u/work/sub/deep/.git" },
	{ WW "}", true, ".gitignore", true, "write.cwd", NULL },
	{ WW "}", true, ".github/x", true, "write.cwd", NULL },
	{ WW "}", true, "a.git/x", true, "write.cwd", NULL },
	{ WW "}", true, ".claude/settings.json", false, "write.protected", NULL },
	{ WW "}", true, ".CODEX", false, "write.protected", NULL },
	{ WW "}", true, ".vtcode/x", false, "write.protected", NULL },
	{ WW "}", true, ".agents", false, "write.protected", NULL },
	{ WW "}", true, ".bailey", false, "write.protected", NULL },
	{ WW "}", true, "sub/.claude/x", false, "write.protected", "/home/u/work/sub/.claude" },
	{ WW "}", true, ".husky/x", true, "write.cwd", NULL },
	{ WW ",\"protected\":[\".husky\"]}", true, ".Husky/x", false, "write.protected", NULL },
	{ WW ",\"protect\":false,\"protected\":[\".husky\"]}", true, ".git/config", true,
	  "write.cwd", NULL },
	{ WW ",\"protect\":false,\"protected\":[\".husky\"]}", true, ".husky", true, "write.cwd",
	  NULL },
	{ WW ",\"writable_roots\":[{\"root\":\"/r\"}]}", true, "/r/.claude", false,
	  "write.protected", "/r/.claude" },
	/* a root inside another: its names are protected too */
	{ WW ",\"writable_roots\":[{\"root\":\"/home/u/work/sub\"}]}", true, "sub/.claude", false,
	  "write.protected", NULL },
	{ WW ",\"protect_git\":\"none\"}", true, ".git/config", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"none\"}", true, ".claude", false, "write.protected", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git", false, "write.protected", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/index", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/objects/aa/bb", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/config", false, "write.protected", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/hooks/pre-commit", false, "write.protected",
	  NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/info/attributes", false, "write.protected",
	  NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/info/exclude", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/refs/heads/config", true, "write.cwd",
	  NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/worktrees/w/config.worktree", false,
	  "write.protected", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/worktrees/w/HEAD", true, "write.cwd",
	  NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/modules/a/b/hooks/x", false,
	  "write.protected", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, ".git/modules/a/index", true, "write.cwd", NULL },
};

static void
answers_without_a_file_system(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lexical_questions); i++) {
		ask(&lexical, &lexical_questions[i], lexical_questions[i].path);
	}
}

static void
takes_a_tilde_for_a_name_when_there_is_no_home(void **state)
{
	struct bailey_scene scene = lexical;
	struct question q = { WW "}", true, "~/.ssh/x", false, "write.sensitive", NULL };

	(void)state;
	scene.home = NULL;
	ask(&scene, &q, q.path);
	q = (struct question){ WW "}", true, "~/x", true, "write.cwd", NULL };
	ask(&scene, &q, q.path);
}

static void
opens_nothing_more_when_tmpdir_is_no_directory_of_its_own(void **state)
{
	static const char *const tmpdirs[] = { "/", "//", "/a/..", "", "rel" };
	struct question q = { "{\"type\":\"workspace_write\",\"exclude_slash_tmp\":true}",
			      true,
			      "/etc/x",
			      false,
			      "write.outside",
			      NULL };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(tmpdirs); i++) {
		struct bailey_scene scene = lexical;

		scene.tmpdir = tmpdirs[i];
		ask(&scene, &q, q.path);
	}
}

static void
opens_nothing_when_the_root_is_the_whole_file_system(void **state)
{
	struct bailey_scene scene = lexical;
	struct question q = { WW ",\"writable_roots\":[{\"root\":\"/x/..\"}]}",
			      true,
			      "/etc/x",
			      false,
			      "write.outside",
			      NULL };

	(void)state;
	scene.cwd = "/";
	ask(&scene, &q, q.path);
}

static void
fails_when_the_question_is_none(void **state)
{
	AUTO_POLICY *policy = read_json(RO "}");
	struct bailey_scene scene = lexical;
	struct bailey_answer answer;

	(void)state;
	assert_int_equal(bailey_policy_can_read(policy, &scene, "", &answer, NULL),
			 BAILEY_E_INVALID);
	scene.cwd = "rel";
	assert_int_equal(bailey_policy_can_read(policy, &scene, "x", &answer, NULL),
			 BAILEY_E_INVALID);
	scene.cwd = NULL;
	assert_int_equal(bailey_policy_can_write(policy, &scene, "x", &answer, NULL),
			 BAILEY_E_INVALID);
	scene = lexical;
	arena_fail_nth = 1;
	assert_int_equal(bailey_policy_can_write(policy, &scene, "x", &answer, NULL),
			 BAILEY_E_NOMEM);
	arena_fail_nth = 0;
}

/* ---- with a file system -------------------------------------------------------------------- */

static char top[64];
static char cwd[128];
static char home[128];

static void
make_dir(const char *path)
{
	char full[256];

	(void)snprintf(full, sizeof(full), "%s/%s", top, path);
	assert_int_equal(mkdir(full, 0700), 0);
}

static void
make_file(const char *path, const char *text)
{
	char full[256];
	int fd;

	(void)snprintf(full, sizeof(full), "%s/%s", top, path);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void
make_link(const char *path, const char *target)
{
	char full[256];

	(void)snprintf(full, sizeof(full), "%s/%s", top, path);
	assert_int_equal(symlink(target, full), 0);
}

/* A home with secrets, a workspace, and ways from one to the other. */
static int
set_up(void **state)
{
	static const char *const dirs[] = {
		"home",	       "home/.ssh", "home/dotfiles", "home/dotfiles/aws",
		"work",	       "work/sub",  "work/sub/deep", "work/store",
		"work/store2", "work/wt",   "work/common",   "work/common/wt",
		"work/linked", "out",	    "work/weird",
	};
	char text[256];

	(void)state;
	(void)snprintf(top, sizeof(top), "/tmp/bailey-query-XXXXXX");
	assert_non_null(mkdtemp(top));
	(void)snprintf(cwd, sizeof(cwd), "%s/work", top);
	(void)snprintf(home, sizeof(home), "%s/home", top);
	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		make_dir(dirs[i]);
	}
	make_file("home/.ssh/id", "key");
	make_link("home/.aws", "dotfiles/aws");
	make_link("work/ssh", "../home/.ssh");
	make_link("work/up", "..");
	make_link("work/out", "../out");
	make_link("work/dangling", "../out/new");
	make_link("work/loop", "loop");
	make_link("work/in", "sub/deep");
	make_link("work/notgit", ".git");
	make_link("rootlink", "work");
	make_file("work/sub/.git", "gitdir: ../store\n");
	(void)snprintf(text, sizeof(text), "gitdir: %s/work/store2", top);
	make_file("work/.git", text);
	make_file("work/wt/.git", "gitdir: ../common/wt\n");
	make_file("work/common/wt/commondir", "..\n");
	make_link("work/linked/.git", "../store");
	make_file("work/weird/.git", "nothing of the kind\n");
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return remove_tree(AT_FDCWD, top);
}

static const struct question real_questions[] = {
	{ RO "}", false, "ssh/id", false, "read.sensitive", "~/.ssh" },
	{ RO "}", false, "ssh", false, "read.sensitive", NULL },
	{ RO "}", false, "up/home/.ssh/id", false, "read.sensitive", NULL },
	{ RO "}", false, "in/../../../home/.ssh/id", false, "read.sensitive", NULL },
	{ RO "}", false, "~/.aws/credentials", false, "read.sensitive", "~/.aws" },
	{ RO "}", false, "~/dotfiles/aws/credentials", false, "read.sensitive", "~/.aws" },
	{ RO "}", false, "~/dotfiles/x", true, "read.default", NULL },
	{ RO "}", false, "loop/x", false, "path.unresolvable", NULL },
	{ RO "}", false, "missing/x", true, "read.default", NULL },
	{ RO ",\"deny\":[\"in\"]}", false, "sub/deep/x", false, "path.denied", "in" },
	/* what takes away counts in either form: as text this is "out/x" */
	{ RO ",\"deny\":[\"out\"]}", false, "in/../out/x", false, "path.denied", "out" },
	{ RO ",\"read_roots\":[\"in\"]}", false, "sub/deep/x", true, "read.root", "in" },
	{ RO ",\"read_roots\":[\".\"]}", false, "out/x", false, "read.outside", NULL },
	{ RO ",\"read_roots\":[\"/srv\"]}", false, "out/../work/x", true, "read.cwd", NULL },
	{ RO "}", false, "/proc/self/root/etc/passwd", true, "read.default", NULL },
	{ WW "}", true, "x", true, "write.cwd", NULL },
	{ WW "}", true, "in/x", true, "write.cwd", NULL },
	{ WW "}", true, "out/x", false, "write.outside", NULL },
	{ WW "}", true, "out", false, "write.outside", NULL },
	{ WW "}", true, "dangling", false, "write.outside", NULL },
	{ WW "}", true, "up/work/x", true, "write.cwd", NULL },
	{ WW "}", true, "up/x", false, "write.outside", NULL },
	/* ".." is taken behind the link, as the kernel does: sub, not the cwd */
	{ WW "}", true, "in/../x", true, "write.cwd", NULL },
	{ WW "}", true, "out/../work/x", true, "write.cwd", NULL },
	{ WW "}", true, "out/../x", false, "write.outside", NULL },
	{ WW "}", true, "ssh/x", false, "write.sensitive", NULL },
	{ WW "}", true, "loop", false, "path.unresolvable", NULL },
	/* .git files and symlinks */
	{ WW "}", true, ".git", false, "write.protected", NULL },
	{ WW "}", true, "notgit", false, "write.protected", NULL },
	{ WW "}", true, "store2/config", false, "write.protected", NULL },
	{ WW "}", true, "store2", false, "write.protected", NULL },
	{ WW "}", true, "store2x", true, "write.cwd", NULL },
	{ WW "}", true, "sub/.git", false, "write.protected", NULL },
	{ WW "}", true, "wt/x", true, "write.cwd", NULL },
	{ WW "}", true, "weird/x", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, "store2/index", true, "write.cwd", NULL },
	{ WW ",\"protect_git\":\"hooks\"}", true, "store2/hooks/x", false, "write.protected",
	  NULL },
	{ WW ",\"protect\":false}", true, "store2/config", true, "write.cwd", NULL },
};

static struct bailey_scene
real_scene(void)
{
	return (struct bailey_scene){ .cwd = cwd, .home = home };
}

static void
answers_with_symlinks_followed(void **state)
{
	struct bailey_scene scene = real_scene();

	(void)state;
	for (size_t i = 0; i < COUNT_OF(real_questions); i++) {
		ask(&scene, &real_questions[i], real_questions[i].path);
	}
}

static void
answers_the_same_when_the_workspace_is_reached_by_a_link(void **state)
{
	struct bailey_scene scene = real_scene();
	char linked[128];

	(void)state;
	(void)snprintf(linked, sizeof(linked), "%s/rootlink", top);
	scene.cwd = linked;
	for (size_t i = 0; i < COUNT_OF(real_questions); i++) {
		ask(&scene, &real_questions[i], real_questions[i].path);
	}
}

/* Repositories below a root are found when they are above the asked path or roots themselves. */
static void
protects_what_git_files_name_when_in_a_root(void **state)
{
	struct bailey_scene scene = real_scene();
	char policy[512];
	char sub[160];
	char path[160];
	struct question q = { policy, true, path, false, "write.protected", NULL };

	(void)state;
	(void)snprintf(policy, sizeof(policy),
		       WW ",\"writable_roots\":[{\"root\":\"%s/work/sub\"},"
			  "{\"root\":\"%s/work/wt\"},{\"root\":\"%s/work/linked\"}]}",
		       top, top, top);
	(void)snprintf(sub, sizeof(sub), "%s/work/sub", top);
	(void)snprintf(path, sizeof(path), "%s/work/store/config", top);
	ask(&scene, &q, path);
	(void)snprintf(path, sizeof(path), "%s/work/common/wt/HEAD", top);
	ask(&scene, &q, path);
	(void)snprintf(path, sizeof(path), "%s/work/common/config", top);
	ask(&scene, &q, path);
	scene.lexical = true;
	q.allowed = true;
	q.rule = "write.cwd";
	ask(&scene, &q, path);
}

/* ---- network ------------------------------------------------------------------------------- */

#define NET                                                                                        \
	",\"seccomp_profile\":{\"allow_network_sockets\":true},\"network_allowlist\":["            \
	"{\"domain\":\"*.example.org\"},{\"domain\":\"10.0.0.1\",\"port\":\"80-90\"},"             \
	"{\"domain\":\"dns.example\",\"port\":53,\"protocol\":\"udp\"}]"

static const struct {
	const char *policy;
	const char *host;
	uint16_t port;
	bool udp;
	bool allowed;
	const char *rule;
} hosts[] = {
	{ RO "}", "a.example", 443, false, false, "net.none" },
	{ RO "}", "127.0.0.1", 80, false, false, "net.none" },
	{ RO ",\"loopback\":\"own\"}", "127.0.0.1", 80, false, false, "net.own-loopback" },
	{ WW ",\"loopback\":\"own\"}", "::1", 80, false, false, "net.own-loopback" },
	{ WW ",\"loopback\":\"own\"}", "localhost", 80, false, false, "net.own-loopback" },
	{ WW ",\"loopback\":\"own\"}", "127.0.0.1", 80, true, false, "net.none" },
	{ WW ",\"loopback\":\"own\"}", "127.example", 80, false, false, "net.none" },
	{ WW "}", "127.0.0.1", 80, false, false, "net.none" },
	{ RO ",\"network_access\":true}", "a.example", 443, false, true, "net.full" },
	{ RO ",\"network_access\":true}", "a.example", 53, true, true, "net.full" },
	{ WW ",\"network_access\":true}", "a.example", 443, false, false, "net.no-sockets" },
	{ WW ",\"network_access\":true,\"seccomp_profile\":{\"allow_network_sockets\":true}}",
	  "a.example", 1, false, true, "net.full" },
	{ WW NET "}", "www.example.org", 443, false, true, "net.allowlist" },
	{ WW NET "}", "EXAMPLE.ORG.", 443, false, true, "net.allowlist" },
	{ WW NET "}", "www.example.org", 80, false, false, "net.not-listed" },
	{ WW NET "}", "www.example.org", 443, true, false, "net.not-listed" },
	{ WW NET "}", "example.com", 443, false, false, "net.not-listed" },
	{ WW NET "}", "10.0.0.1", 85, false, true, "net.allowlist" },
	{ WW NET "}", "::ffff:10.0.0.1", 90, false, true, "net.allowlist" },
	{ WW NET "}", "10.0.0.1", 91, false, false, "net.not-listed" },
	{ WW NET "}", "10.0.0.1", 79, false, false, "net.not-listed" },
	{ WW NET "}", "dns.example", 53, true, true, "net.allowlist" },
	{ WW NET "}", "dns.example", 53, false, false, "net.not-listed" },
	{ WW NET ",\"network_access\":true}", "example.com", 443, false, false, "net.not-listed" },
	{ "{\"type\":\"danger_full_access\"}", "a.example", 1, false, true, "net.full-access" },
	{ "{\"type\":\"external_sandbox\"}", "a.example", 1, true, true, "net.external" },
};

static void
answers_for_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(hosts); i++) {
		AUTO_POLICY *policy = read_json(hosts[i].policy);
		struct bailey_answer answer = { 0 };

		assert_int_equal(bailey_policy_can_connect(policy, hosts[i].host, hosts[i].port,
							   hosts[i].udp, &answer, NULL),
				 BAILEY_OK);
		if (answer.allowed != hosts[i].allowed || strcmp(answer.rule, hosts[i].rule)) {
			fail_msg("%s:%u in %s: %s", hosts[i].host, hosts[i].port, hosts[i].policy,
				 answer.rule);
		}
	}
}

static void
fails_when_the_host_is_none(void **state)
{
	static const char *const none[] = { "", "*", "*.a.example", "0x7f.1", "a b", "http://a" };
	AUTO_POLICY *policy = read_json(RO "}");
	struct bailey_answer answer;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(none); i++) {
		assert_int_equal(
			bailey_policy_can_connect(policy, none[i], 1, false, &answer, NULL),
			BAILEY_E_INVALID);
	}
	assert_int_equal(bailey_policy_can_connect(policy, "a", 0, false, &answer, NULL),
			 BAILEY_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_without_a_file_system),
		cmocka_unit_test(takes_a_tilde_for_a_name_when_there_is_no_home),
		cmocka_unit_test(opens_nothing_more_when_tmpdir_is_no_directory_of_its_own),
		cmocka_unit_test(opens_nothing_when_the_root_is_the_whole_file_system),
		cmocka_unit_test(fails_when_the_question_is_none),
		cmocka_unit_test(answers_with_symlinks_followed),
		cmocka_unit_test(answers_the_same_when_the_workspace_is_reached_by_a_link),
		cmocka_unit_test(protects_what_git_files_name_when_in_a_root),
		cmocka_unit_test(answers_for_hosts),
		cmocka_unit_test(fails_when_the_host_is_none),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
