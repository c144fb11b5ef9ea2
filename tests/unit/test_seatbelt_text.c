/* SPDX-License-Identifier: MIT */

/* The text of a Seatbelt profile: names that try to be rules, errors, symlinks, stable output. */

#include "sbpl.h"

#include "base/fd.h"

#include <bailey/version.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* ---- names that try to be rules ---------------------------------------------------------- */

static const char *const hostile[] = {
	"/w/\")) (allow default) (allow file-read* (subpath \"",
	"/w/\"))\n(allow default)\n(deny file-write* (literal \"",
	"/w/\\",
	"/w/\\\"",
	"/w/a\\\") (allow default) ;",
	"/w/; (allow default)",
	"/w/#\"^/\"",
	"/w/.*",
	"/w/^[a-z]+$(x|y)",
	"/w/a\nb\tc\rd",
	"/w/%s%n%d",
	"/w/(param \"X\")",
	"/w/\xc3\xa4\xff",
	"/w/ a  b ",
};

static void
lets_no_name_become_a_rule(void **state)
{
	AUTO_PROFILE plain = { 0 };
	struct bailey_policy policy = workspace();
	struct bailey_scene where = scene;

	(void)state;
	where.cwd = "/w/plain";
	load_at(&plain, &policy, &where);
	for (size_t i = 0; i < COUNT_OF(hostile); i++) {
		AUTO_ARENA arena = { 0 };
		AUTO_PROFILE profile = { 0 };
		const char *name[] = { hostile[i] };

		policy.deny = (struct strings)LIST(name);
		policy.unix_sockets = (struct strings)LIST(name);
		where.cwd = "/w/plain";
		load_at(&profile, &policy, &where);
		assert_false(may(&profile, "file-read-data", hostile[i]));
		assert_false(may(&profile, "default", NULL));

		policy = workspace();
		where.cwd = hostile[i];
		profile_finish(&profile);
		profile = (struct profile){ 0 };
		load_at(&profile, &policy, &where);
		assert_int_equal(profile.count, plain.count);
		assert_true(
			may(&profile, "file-write-data", arena_printf(&arena, "%s/a", hostile[i])));
		assert_false(may(&profile, "file-write-data",
				 arena_printf(&arena, "%s/.git/a", hostile[i])));
		assert_false(may(&profile, "file-write-data", "/w/a"));
		assert_false(may(&profile, "file-write-data", "/w/xx/a"));
	}
}

static void
refuses_control_characters(void **state)
{
	static const char *const bad[] = { "/w/a\001b", "/w/\033[2J", "/w/\177" };
	struct bailey_policy policy = workspace();
	struct bailey_scene where = scene;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct bailey_error err = { 0 };
		char *text = NULL;

		where.cwd = bad[i];
		assert_int_equal(bailey_export_seatbelt(&policy, &where, &text, &err),
				 BAILEY_E_UNSUPPORTED);
		assert_null(text);
		assert_non_null(strstr(err.message, "control character"));
	}
}

/* ---- errors ------------------------------------------------------------------------------ */

static void
refuses(struct bailey_policy policy, const struct bailey_scene *where, enum bailey_status status,
	const char *about)
{
	struct bailey_error err = { 0 };
	char *text = NULL;

	assert_int_equal(bailey_export_seatbelt(&policy, where, &text, &err), status);
	assert_null(text);
	if (strstr(err.message, about) == NULL) {
		fail_msg("'%s' does not speak of '%s'", err.message, about);
	}
}

static void
refuses_what_it_cannot_express(void **state)
{
	static struct net_entry host = { "example.org", 443, 443, false };
	static struct resolve_entry name = { "a", "127.0.0.1" };
	static const char *gpu[] = { "gpu" };
	struct bailey_policy policy = workspace();
	struct bailey_scene bare = { .cwd = "/w", .lexical = true };
	struct bailey_scene lost = { .cwd = "w", .lexical = true };
	struct bailey_scene nowhere = { .lexical = true };

	(void)state;
	refuses(policy, &bare, BAILEY_E_INVALID, "'~/other' names the home directory");
	refuses(policy, &lost, BAILEY_E_INVALID, "absolute");
	refuses(policy, &nowhere, BAILEY_E_INVALID, "absolute");
	policy.network_access = true;
	policy.allowlist = &host;
	policy.allowlist_count = 1;
	refuses(policy, &scene, BAILEY_E_UNSUPPORTED, "allowed hosts");
	policy.network_access = false;
	refuses(policy, &scene, BAILEY_E_UNSUPPORTED, "allowed hosts");
	policy = workspace();
	policy.resolve = &name;
	policy.resolve_count = 1;
	refuses(policy, &scene, BAILEY_E_UNSUPPORTED, "resolve");
	policy = workspace();
	policy.devices = (struct strings)LIST(gpu);
	refuses(policy, &scene, BAILEY_E_UNSUPPORTED, "devices");
	policy.type = BAILEY_POLICY_DANGER_FULL_ACCESS;
	refuses(policy, &scene, BAILEY_E_INVALID, "danger_full_access");
	policy.type = BAILEY_POLICY_EXTERNAL_SANDBOX;
	refuses(policy, &scene, BAILEY_E_INVALID, "external_sandbox");
}

static void
fails_when_memory_is_out(void **state)
{
	struct bailey_policy policy = workspace();
	bool finished = false;

	(void)state;
	for (unsigned int n = 1; n < 200 && !finished; n++) {
		struct bailey_error err = { 0 };
		AUTO_FREE char *text = NULL;

		arena_fail_nth = n;
		finished = bailey_export_seatbelt(&policy, &scene, &text, &err) == BAILEY_OK;
		assert_int_equal(err.status, finished ? BAILEY_OK : BAILEY_E_NOMEM);
		assert_true((text != NULL) == finished);
		assert_true(finished == (arena_fail_nth > 0));
	}
	arena_fail_nth = 0;
	assert_true(finished);
}

/* ---- symlinks ---------------------------------------------------------------------------- */

static char *
fake_resolve(void *data, struct arena *arena, const char *path)
{
	(void)data;
	if (path_under(path, "/link")) {
		return arena_printf(arena, "/real%s", path + strlen("/link"));
	}
	if (path_under(path, "/real/.git")) {
		return arena_printf(arena, "/store/git%s", path + strlen("/real/.git"));
	}
	if (path_under(path, "/Users/u/.ssh")) {
		return arena_printf(arena, "/vault%s", path + strlen("/Users/u/.ssh"));
	}
	if (path_under(path, "/loop")) {
		errno = ELOOP;
		return NULL;
	}
	return arena_strdup(arena, path);
}

static enum fs_type
fake_type(void *data, const char *path)
{
	(void)data;
	return strcmp(path, "/wt/.git") == 0 ? FS_FILE : FS_MISSING;
}

static char *
fake_first_line(void *data, struct arena *arena, const char *path)
{
	(void)data;
	if (strcmp(path, "/wt/.git") == 0) {
		return arena_strdup(arena, "gitdir: ../repo/store/worktrees/wt");
	}
	if (strcmp(path, "/repo/store/worktrees/wt/commondir") == 0) {
		return arena_strdup(arena, "../..");
	}
	return NULL;
}

static const struct {
	const char *dir;
	struct fs_entry entry;
} fake_entries[] = {
	{ "/real", { "nested", FS_DIR } },
	{ "/real", { "node_modules", FS_DIR } },
	{ "/real", { "file", FS_FILE } },
	{ "/real/nested", { ".git", FS_DIR } },
	{ "/real/nested", { ".CODEX", FS_DIR } },
	{ "/real/nested", { "1", FS_DIR } },
	{ "/real/nested/1", { "2", FS_DIR } },
	{ "/real/nested/1/2", { ".git", FS_FILE } },
	{ "/real/nested/1/2", { "3", FS_DIR } },
	{ "/real/nested/1/2/3", { ".git", FS_DIR } },
	{ "/real/node_modules", { ".git", FS_DIR } },
};

static bool
fake_list(void *data, struct arena *arena, const char *path, struct fs_entry **entries,
	  size_t *count)
{
	(void)data;
	*entries = NULL;
	*count = 0;
	for (size_t i = 0; i < COUNT_OF(fake_entries); i++) {
		if (strcmp(fake_entries[i].dir, path) == 0) {
			struct fs_entry *entry = arena_push(arena, entries, count, sizeof(*entry));

			*entry = fake_entries[i].entry;
		}
	}
	return *count > 0;
}

static const struct fs_view fake_fs = {
	.type = fake_type,
	.list = fake_list,
	.resolve = fake_resolve,
	.first_line = fake_first_line,
};

static const struct expectation resolved[] = {
	{ "file-write-data", "/real/a", true },
	{ "file-write-data", "/real/.git", false }, /* the link itself */
	{ "file-write-unlink", "/real/.git", false },
	{ "file-write-data", "/store/git/config", false }, /* what it leads to */
	{ "file-write-data", "/store/other", true },
	{ "file-read-data", "/vault/id", false },
	{ "file-read-data", "/Users/u/.ssh/id", false },
	/* names that are there already, as far as the search goes */
	{ "file-write-create", "/real/nested/.git/hooks/x", false },
	{ "file-write-unlink", "/real/nested", false },
	{ "file-write-create", "/real/nested/1/2/.git", false },
	{ "file-write-create", "/real/nested/1/2/3/.git/x", true },
	{ "file-write-create", "/real/node_modules/.git/x", true },
	{ "file-write-create", "/real/nested/.CODEX/x", false },
	{ "file-write-create", "/real/nested/.claude/x", true },
	{ "file-write-create", "/real/new/.git/config", true },
	/* a worktree: its own directory and the common one lie in another root */
	{ "file-write-data", "/wt/a", true },
	{ "file-write-data", "/wt/.git", false },
	{ "file-write-data", "/repo/a", true },
	{ "file-write-create", "/repo/store/worktrees/wt/config.worktree", false },
	{ "file-write-create", "/repo/store/hooks/x", false },
	{ "file-write-unlink", "/repo/store", false },
};

static void
names_what_symlinks_and_git_files_lead_to(void **state)
{
	static const char *roots[] = { "/store", "/wt", "/repo" };
	AUTO_PROFILE profile = { 0 };
	AUTO_FREE char *text = NULL;
	struct bailey_policy policy = workspace();
	struct bailey_scene where = { .cwd = "/link", .home = "/Users/u" };
	struct seatbelt_request request = { &policy, &where, &fake_fs };

	(void)state;
	policy.writable_roots = (struct strings)LIST(roots);
	assert_int_equal(seatbelt_write(&request, &text, NULL), BAILEY_OK);
	parse(&profile, text);
	expect(&profile, resolved, COUNT_OF(resolved));
}

static void
fails_when_a_path_cannot_be_resolved(void **state)
{
	struct bailey_policy policy = workspace();
	struct bailey_scene where = { .cwd = "/loop", .home = "/Users/u" };
	struct seatbelt_request request = { &policy, &where, &fake_fs };
	struct bailey_error err = { 0 };
	char *text = NULL;

	(void)state;
	assert_int_equal(seatbelt_write(&request, &text, &err), BAILEY_E_SYSTEM);
	assert_int_equal(err.sys, ELOOP);
	assert_null(text);
}

static void
make_dirs(const char *const dirs[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(mkdir(dirs[i], 0700), 0);
	}
}

/* The same on the real file system, where links are links and ".." goes up from their target. */
static void
looks_at_the_file_system_unless_it_is_told_not_to(void **state)
{
	static const char *const dirs[] = { "real", "far", "far/deep" };
	static const char *roots[] = { "up/../b" };
	AUTO_ARENA arena = { 0 };
	AUTO_PROFILE seen = { 0 };
	AUTO_PROFILE blind = { 0 };
	AUTO_FD old = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char dir[] = "/tmp/bailey-seatbelt-XXXXXX";
	struct bailey_policy policy = workspace();
	struct bailey_scene where = { .home = "/Users/u" };

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	make_dirs(dirs, COUNT_OF(dirs));
	assert_int_equal(symlink("real", "link"), 0);
	assert_int_equal(symlink("../far/deep", "real/up"), 0);
	policy.writable_roots = (struct strings)LIST(roots);
	where.cwd = arena_printf(&arena, "%s/link", dir);
	load_at(&seen, &policy, &where);
	where.lexical = true;
	load_at(&blind, &policy, &where);
	assert_int_equal(fchdir(old), 0);
	assert_int_equal(remove_tree(AT_FDCWD, dir), 0);

	assert_true(may(&seen, "file-write-data", arena_printf(&arena, "%s/real/a", dir)));
	assert_false(may(&seen, "file-write-data", arena_printf(&arena, "%s/real/.git/a", dir)));
	assert_true(may(&seen, "file-write-data", arena_printf(&arena, "%s/far/b/a", dir)));
	assert_false(may(&seen, "file-write-data", arena_printf(&arena, "%s/link/a", dir)));
	assert_false(may(&blind, "file-write-data", arena_printf(&arena, "%s/real/a", dir)));
	assert_true(may(&blind, "file-write-data", arena_printf(&arena, "%s/link/a", dir)));
}

/* ---- the text ---------------------------------------------------------------------------- */

static const char golden[] = "\n; programs\n"
			     "(allow process-exec)\n"
			     "\n; reading\n"
			     "(allow file-read*)\n"
			     "\n; writing\n"
			     "(allow file-write*\n"
			     "  (subpath \"/tmp/w \\\"x\\\"\")\n"
			     "  (subpath \"/private/tmp/w \\\"x\\\"\"))\n"
			     "\n; network\n"
			     "(allow system-socket (socket-domain AF_UNIX))\n"
			     "(allow network-bind network-inbound\n"
			     "  (local unix-socket (subpath \"/tmp/w \\\"x\\\"\"))\n"
			     "  (local unix-socket (subpath \"/private/tmp/w \\\"x\\\"\")))\n"
			     "(allow network-outbound\n"
			     "  (remote unix-socket (subpath \"/tmp/w \\\"x\\\"\"))\n"
			     "  (remote unix-socket (subpath \"/private/tmp/w \\\"x\\\"\")))\n"
			     "\n; sensitive: neither read nor written\n"
			     "(deny file-read* file-write* process-exec\n"
			     "  (literal \"/home/u/key\")\n"
			     "  (subpath \"/home/u/key\"))\n"
			     "(deny network-bind\n"
			     "  (local unix-socket (subpath \"/home/u/key\")))\n"
			     "(deny network-outbound\n"
			     "  (remote unix-socket (subpath \"/home/u/key\")))\n"
			     "\n; what holds the denials in place\n"
			     "(deny file-write-setugid)\n";

static const char golden_head[] =
	"(version 1)\n"
	"; A 'workspace_write' policy, written by Bailey " BAILEY_VERSION ".\n"
	"; The policy has resource limits. Seatbelt does not hold them: whoever starts the program "
	"has to.\n"
	"(deny default)\n";

static void
writes_the_same_text_every_time(void **state)
{
	static struct sensitive_path key[] = { { "~/key", true, true } };
	AUTO_FREE char *text = NULL;
	struct bailey_policy policy = {
		.type = BAILEY_POLICY_WORKSPACE_WRITE,
		.sensitive = key,
		.sensitive_count = 1,
		.exclude_tmpdir_env_var = true,
		.exclude_slash_tmp = true,
		.limits = { .timeout_secs = 1 },
	};
	struct bailey_scene where = { .cwd = "/tmp/w \"x\"", .home = "/home/u", .lexical = true };

	(void)state;
	assert_int_equal(bailey_export_seatbelt(&policy, &where, &text, NULL), BAILEY_OK);
	assert_string_equal(strstr(text, "\n; programs"), golden);
	assert_memory_equal(text, golden_head, strlen(golden_head));
}

static void
writes_other_spellings_as_a_constant_regex(void **state)
{
	AUTO_STRBUF out = STRBUF_INIT;

	(void)state;
	sbpl_other_case(&out, "deny x", ".git");
	assert_string_equal(out.text, "(deny x (regex #\"/(\\.G[iI][tT]|\\.[gG]I[tT]|"
				      "\\.[gG][iI]T)(/|$)\"))\n");
	strbuf_finish(&out);
	sbpl_other_case(&out, "deny x", "a\"b");
	sbpl_other_case(&out, "deny x", "a|b");
	sbpl_other_case(&out, "deny x", "1.2");
	assert_string_equal(out.text, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lets_no_name_become_a_rule),
		cmocka_unit_test(refuses_control_characters),
		cmocka_unit_test(refuses_what_it_cannot_express),
		cmocka_unit_test(fails_when_memory_is_out),
		cmocka_unit_test(names_what_symlinks_and_git_files_lead_to),
		cmocka_unit_test(fails_when_a_path_cannot_be_resolved),
		cmocka_unit_test(looks_at_the_file_system_unless_it_is_told_not_to),
		cmocka_unit_test(writes_the_same_text_every_time),
		cmocka_unit_test(writes_other_spellings_as_a_constant_regex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
