/* SPDX-License-Identifier: MIT */

/* Plans are compiled against a file system that is a table, and a kernel that is a struct: no
 * system call decides about any of this. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/attr.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "plan/plan.h"
#include "plan/rights.h"

#include <jansson.h>
#include <string.h>

/* ---- a file system in a table -------------------------------------------------------------- */

struct file {
	const char *path;
	enum fs_type type;
	const char *text; /* of a link: its target; of a file: its first line */
};

static const struct file files[] = {
	{ "/", FS_DIR, NULL },
	{ "/bin", FS_LINK, "/usr/bin" },
	{ "/usr", FS_DIR, NULL },
	{ "/usr/bin", FS_DIR, NULL },
	{ "/usr/bin/tool", FS_FILE, NULL },
	{ "/etc", FS_DIR, NULL },
	{ "/proc", FS_DIR, NULL },
	{ "/tmp", FS_DIR, NULL },
	{ "/dev", FS_DIR, NULL },
	{ "/dev/null", FS_OTHER, NULL },
	{ "/dev/sda", FS_OTHER, NULL },
	{ "/dev/shm", FS_DIR, NULL },
	{ "/dev/pts", FS_DIR, NULL },
	{ "/dev/dri", FS_DIR, NULL },
	{ "/home", FS_DIR, NULL },
	{ "/home/other", FS_DIR, NULL },
	{ "/home/u", FS_DIR, NULL },
	{ "/home/u/.bashrc", FS_FILE, NULL },
	{ "/home/u/.ssh", FS_DIR, NULL },
	{ "/home/u/.ssh/id", FS_FILE, NULL },
	{ "/home/u/.aws", FS_LINK, "/home/u/moved/aws" },
	{ "/home/u/moved", FS_DIR, NULL },
	{ "/home/u/moved/aws", FS_DIR, NULL },
	{ "/home/u/moved/else", FS_FILE, NULL },
	{ "/home/u/.config", FS_DIR, NULL },
	{ "/home/u/.config/app", FS_DIR, NULL },
	{ "/home/u/plain", FS_DIR, NULL },
	{ "/home/u/plain/a", FS_FILE, NULL },
	{ "/home/u/link", FS_LINK, "/home/u/plain" },
	{ "/home/u/repo", FS_DIR, NULL },
	{ "/home/u/repo/.git", FS_DIR, NULL },
	{ "/home/u/repo/.git/config", FS_FILE, NULL },
	{ "/home/u/repo/src", FS_DIR, NULL },
	{ "/home/u/repo/src/x.c", FS_FILE, NULL },
	{ "/home/u/repo/src/deep", FS_DIR, NULL },
	{ "/home/u/repo/src/deep/.GIT", FS_DIR, NULL },
	{ "/home/u/repo/node_modules", FS_DIR, NULL },
	{ "/home/u/repo/node_modules/.git", FS_DIR, NULL },
	{ "/home/u/repo/top.txt", FS_FILE, NULL },
	{ "/home/u/tree", FS_DIR, NULL },
	{ "/home/u/tree/.git", FS_FILE, "gitdir: ../base/.git/worktrees/tree" },
	{ "/home/u/base", FS_DIR, NULL },
	{ "/home/u/base/.git", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees/tree", FS_DIR, NULL },
	{ "/home/u/base/.git/worktrees/tree/commondir", FS_FILE, "../.." },
	{ "/home/u/base/code", FS_DIR, NULL },
	{ "/home/u/linked", FS_DIR, NULL },
	{ "/home/u/linked/.git", FS_LINK, "store" },
	{ "/home/u/linked/store", FS_DIR, NULL },
	{ "/home/u/linked/work", FS_DIR, NULL },
};

static const struct file *
find_file(const char *path)
{
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		if (strcmp(files[i].path, path) == 0) {
			return &files[i];
		}
	}
	return NULL;
}

static enum fs_type
table_type(void *data, const char *path)
{
	const struct file *file = find_file(path);

	(void)data;
	return file != NULL ? file->type : FS_MISSING;
}

static bool
table_list(void *data, struct arena *arena, const char *path, struct fs_entry **entries,
	   size_t *count)
{
	size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);

	(void)data;
	*entries = NULL;
	*count = 0;
	if (table_type(NULL, path) != FS_DIR) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		const char *at = files[i].path;
		struct fs_entry *entry;

		if (strncmp(at, path, len) != 0 || at[len] != '/' || at[len + 1] == '\0' ||
		    strchr(at + len + 1, '/') != NULL) {
			continue;
		}
		entry = arena_push(arena, entries, count, sizeof(*entry));
		if (entry == NULL) {
			return false;
		}
		*entry = (struct fs_entry){ at + len + 1, files[i].type };
	}
	return true;
}

static char *
table_resolve(void *data, struct arena *arena, const char *path)
{
	char *real = path_normalize(arena, "/", path);

	for (int hops = 0; hops < 20; hops++) {
		bool changed = false;

		if (real == NULL) {
			errno = ENOMEM;
			return NULL;
		}
		for (size_t i = 0; i < COUNT_OF(files) && !changed; i++) {
			const struct file *link = &files[i];
			char *target;

			if (link->type != FS_LINK || !path_under(real, link->path)) {
				continue;
			}
			target = link->text[0] == '/'
					 ? arena_strdup(arena, link->text)
					 : arena_printf(arena, "%s/../%s", link->path, link->text);
			target = target != NULL ? arena_printf(arena, "%s/%s", target,
							       real + strlen(link->path))
						: NULL;
			real = target != NULL ? path_normalize(arena, "/", target) : NULL;
			changed = true;
		}
		if (!changed) {
			return real;
		}
	}
	(void)data;
	errno = ELOOP;
	return NULL;
}

static char *
table_first_line(void *data, struct arena *arena, const char *path)
{
	const struct file *file = find_file(path);

	(void)data;
	return file != NULL && file->text != NULL && file->type == FS_FILE
		       ? arena_strdup(arena, file->text)
		       : NULL;
}

static const struct fs_view table_fs = { NULL, table_type, table_list, table_resolve,
					 table_first_line };

/* ---- helpers ------------------------------------------------------------------------------- */

struct setup {
	struct bailey_policy *policy;
	struct host host;
	struct plan_request request;
	struct plan *plan;
	struct bailey_error err;
};

static void
set_abi(struct host *host, int abi)
{
	host->landlock_abi = abi;
	host->landlock_fs = plan_fs_rights(abi);
	host->landlock_net = plan_net_rights(abi);
	host->landlock_scope = plan_scopes(abi);
}

static void
begin(struct setup *s, enum bailey_policy_type type, const char *cwd)
{
	*s = (struct setup){ .host = { .seccomp = true } };
	set_abi(&s->host, 7);
	assert_int_equal(bailey_policy_new(type, &s->policy, &s->err), BAILEY_OK);
	s->request = (struct plan_request){ .policy = s->policy,
					    .host = &s->host,
					    .fs = &table_fs,
					    .cwd = cwd,
					    .home = "/home/u" };
}

static int
compile(struct setup *s)
{
	plan_free(s->plan);
	s->plan = NULL;
	s->err = (struct bailey_error){ 0 };
	return plan_compile(&s->request, &s->plan, &s->err);
}

static void
must_compile(struct setup *s)
{
	if (compile(s) != BAILEY_OK) {
		fail_msg("%s", s->err.message);
	}
}

static void
end(struct setup *s)
{
	plan_free(s->plan);
	bailey_policy_free(s->policy);
}

static bool
may(const struct setup *s, const char *path, uint64_t access)
{
	return (access & ~plan_granted(s->plan, path)) == 0;
}

static const struct plan_note *
find_note(const struct setup *s, const char *id)
{
	for (size_t i = 0; i < s->plan->note_count; i++) {
		if (strcmp(s->plan->notes[i].id, id) == 0) {
			return &s->plan->notes[i];
		}
	}
	return NULL;
}

static void
assert_no_rule_follows_a_link(const struct setup *s)
{
	for (size_t i = 0; i < s->plan->rule_count; i++) {
		assert_int_not_equal(table_type(NULL, s->plan->rules[i].path), FS_LINK);
	}
}

/* ---- reading ------------------------------------------------------------------------------- */

static const struct {
	const char *path;
	bool read;
} reads[] = {
	{ "/usr/bin/tool", true },
	{ "/etc/passwd", true },
	{ "/home/other/file", true },
	{ "/home/u/.bashrc", true },
	{ "/home/u/plain/a", true },
	{ "/home/u/plain/new", true },
	{ "/home/u/.config/app/x", true },
	{ "/home/u/moved/else", true },
	{ "/home/u/.ssh", false },
	{ "/home/u/.ssh/id", false },
	{ "/home/u/moved/aws", false }, /* the target of ~/.aws */
	{ "/home/u/moved/aws/creds", false },
	{ "/home/u/.config/gcloud/x", false }, /* does not exist at the start */
	{ "/home/u/.netrc", false },
	{ "/home/u/appears-later", false },
	{ "/dev/sda", false },
	{ "/dev/shm/x", false },
	{ "/dev/null", true },
};

static void
reads_everything_but_what_is_kept_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	for (size_t i = 0; i < COUNT_OF(reads); i++) {
		if (may(&s, reads[i].path, LL_READ_FILE) != reads[i].read) {
			fail_msg("%s: expected %s", reads[i].path, reads[i].read ? "yes" : "no");
		}
	}
	assert_true(may(&s, "/home/u/.ssh", LL_READ_DIR)); /* names stay visible */
	assert_no_rule_follows_a_link(&s);
	end(&s);
}

static void
read_only_writes_nothing_but_devices(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	for (size_t i = 0; i < s.plan->rule_count; i++) {
		const struct plan_rule *rule = &s.plan->rules[i];

		assert_true(rule->why == WHY_DEVICE || (rule->access & RIGHTS_WRITE) == 0);
	}
	assert_false(s.plan->filter.metadata);
	assert_false(s.plan->private_tmp);
	end(&s);
}

static void
hides_names_when_asked(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	assert_int_equal(bailey_policy_set_hide_names(s.policy, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(may(&s, "/home/u", LL_READ_DIR));
	assert_false(may(&s, "/home/u/.ssh", LL_READ_DIR));
	assert_true(may(&s, "/home/u/plain", LL_READ_DIR));
	end(&s);
}

static void
read_roots_limit_reading_to_them_and_the_system(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	assert_int_equal(bailey_policy_add_read_root(s.policy, "/home/other", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/home/other/x", LL_READ_FILE));
	assert_true(may(&s, "/usr/bin/tool", LL_READ_FILE | LL_EXECUTE));
	assert_true(may(&s, "/home/u/plain/a", LL_READ_FILE)); /* the working directory */
	assert_false(may(&s, "/home/u/.bashrc", LL_READ_FILE));
	assert_false(may(&s, "/", LL_READ_DIR));
	end(&s);
}

static void
exec_roots_limit_running(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_exec_root(s.policy, "/usr/bin", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/usr/bin/tool", LL_EXECUTE));
	assert_false(may(&s, "/home/u/plain/built", LL_EXECUTE));
	end(&s);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void
writes_the_working_directory_and_nothing_beside_it(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/link"); /* a symlink to plain */
	must_compile(&s);
	assert_true(may(&s, "/home/u/plain", RIGHTS_WRITE & s.plan->handled_fs));
	assert_true(may(&s, "/home/u/plain/new/file", LL_WRITE_FILE | LL_MAKE_REG));
	assert_false(may(&s, "/home/u/.bashrc", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u", LL_MAKE_REG));
	assert_false(may(&s, "/tmp/x", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_CHAR));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_BLOCK));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_SOCK));
	assert_non_null(find_note(&s, "metadata-not-confined"));
	assert_true(find_note(&s, "protected-names-can-be-made")->gap);
	end(&s);
}

static void
protected_names_are_granted_around(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	must_compile(&s);
	assert_false(may(&s, "/home/u/repo/.git/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo", LL_MAKE_REG));
	assert_true(may(&s, "/home/u/repo/top.txt", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo/src/x.c", LL_WRITE_FILE));
	/* a nested repository, with a name in capitals */
	assert_false(may(&s, "/home/u/repo/src/deep/.GIT/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/repo/src/deep", LL_MAKE_REG));
	/* other people's code is not searched: granted as it is */
	assert_true(may(&s, "/home/u/repo/node_modules/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo/.git/config", LL_READ_FILE));
	assert_non_null(find_note(&s, "protected-name"));

	assert_int_equal(bailey_policy_set_protect(s.policy, false, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/home/u/repo/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/repo", LL_MAKE_REG));
	assert_null(find_note(&s, "protected-name"));
	end(&s);
}

static void
git_file_of_a_worktree_protects_what_it_names(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/tree");
	assert_int_equal(bailey_policy_add_writable_root(s.policy, "/home/u/base", &s.err),
			 BAILEY_OK);
	must_compile(&s);
	assert_false(may(&s, "/home/u/tree/.git", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/worktrees/tree/HEAD", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/base/.git/config", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/base/code/x", LL_WRITE_FILE));
	end(&s);
}

static void
symlinked_git_protects_link_and_target(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/linked");
	must_compile(&s);
	assert_false(may(&s, "/home/u/linked/store/config", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/linked", LL_REMOVE_FILE));
	assert_true(may(&s, "/home/u/linked/work/x", LL_WRITE_FILE));
	assert_no_rule_follows_a_link(&s);
	end(&s);
}

static void
home_as_workspace_keeps_credentials_out(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u");
	must_compile(&s);
	assert_false(may(&s, "/home/u/.ssh/id", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/.ssh/id", LL_READ_FILE));
	assert_false(may(&s, "/home/u/moved/aws/x", LL_WRITE_FILE));
	assert_true(may(&s, "/home/u/plain/x", LL_WRITE_FILE));
	end(&s);
}

static void
denied_path_is_neither_read_nor_written(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_deny(s.policy, "a", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(may(&s, "/home/u/plain/a", LL_READ_FILE));
	assert_false(may(&s, "/home/u/plain/a", LL_WRITE_FILE));
	assert_false(may(&s, "/home/u/plain", LL_MAKE_REG));
	end(&s);
}

static void
real_tmp_is_writable_only_when_not_excluded(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_false(may(&s, "/tmp", LL_MAKE_REG));
	assert_int_equal(bailey_policy_set_real_tmp(s.policy, true, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/tmp", LL_MAKE_REG));
	end(&s);
}

static void
devices_are_opened_by_group(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	must_compile(&s);
	assert_false(may(&s, "/dev/dri/card0", LL_READ_FILE));
	assert_int_equal(bailey_policy_add_device(s.policy, "gpu", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(may(&s, "/dev/dri/card0", RIGHTS_DEVICE));
	assert_false(may(&s, "/dev/sda", LL_READ_FILE));
	end(&s);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void
refuse(struct setup *s, int status, const char *part)
{
	assert_int_equal(compile(s), status);
	if (strstr(s->err.message, part) == NULL) {
		fail_msg("'%s' is not in '%s'", part, s->err.message);
	}
}

static void
missing_and_impossible_roots_are_errors(void **state)
{
	static const struct {
		const char *root;
		int status;
		const char *part;
	} cases[] = {
		{ "/nowhere", BAILEY_E_NOT_FOUND, "does not exist" },
		{ "/", BAILEY_E_INVALID, "whole file system" },
		{ "/home/u/.ssh", BAILEY_E_INVALID, "keeps out" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
		assert_int_equal(bailey_policy_add_writable_root(s.policy, cases[i].root, &s.err),
				 BAILEY_OK);
		refuse(&s, cases[i].status, cases[i].part);
		end(&s);
	}
}

static void
policy_that_hides_cwd_or_program_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/.ssh");
	refuse(&s, BAILEY_E_INVALID, "hides the working directory");
	s.request.cwd = "/home/u/plain";
	s.request.program = "/home/u/.ssh/id";
	refuse(&s, BAILEY_E_INVALID, "hides the program");
	s.request.program = "/bin/tool"; /* through the link */
	must_compile(&s);
	assert_int_equal(bailey_policy_add_deny(s.policy, "/usr/bin", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_INVALID, "hides the program");
	end(&s);
}

static void
unknown_home_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	s.request.home = NULL;
	refuse(&s, BAILEY_E_INVALID, "HOME");
	end(&s);
}

static void
needs_of_the_broker_are_refused(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.best_effort = true; /* changes nothing about it */
	assert_int_equal(bailey_policy_allow_net(s.policy, "example.org", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "network_allowlist");
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_set_protect_git(s.policy, "hooks", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "protect_git");
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_unix_socket(s.policy, "/run/x.sock", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "unix_sockets");
	end(&s);
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	assert_int_equal(bailey_policy_add_bind_port(s.policy, 8080, &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_UNSUPPORTED, "bind_ports");
	end(&s);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void
older_kernels_are_refused_unless_the_loss_is_accepted(void **state)
{
	static const struct {
		int abi;
		const char *part;   /* of the error; NULL: none */
		const char *gap[3]; /* with best effort */
	} cases[] = {
		{ 1, "truncate", { "truncate", "signal-scope", NULL } },
		{ 2, "truncate", { "truncate", "signal-scope", NULL } },
		{ 3, "signal-scope", { "signal-scope", NULL, NULL } },
		{ 5, "signal-scope", { "signal-scope", NULL, NULL } },
		{ 6, NULL, { NULL, NULL, NULL } },
		{ 10, NULL, { NULL, NULL, NULL } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct setup s;

		begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
		set_abi(&s.host, cases[i].abi);
		if (cases[i].part != NULL) {
			refuse(&s, BAILEY_E_UNSUPPORTED, cases[i].part);
			assert_non_null(strstr(s.err.message, "--best-effort"));
			s.request.best_effort = true;
		}
		must_compile(&s);
		for (size_t k = 0; cases[i].gap[k] != NULL; k++) {
			assert_true(find_note(&s, cases[i].gap[k])->gap);
		}
		assert_int_equal(s.plan->handled_fs & ~plan_fs_rights(cases[i].abi), 0);
		for (size_t k = 0; k < s.plan->rule_count; k++) {
			assert_int_equal(s.plan->rules[k].access & ~s.plan->handled_fs, 0);
		}
		end(&s);
	}
}

static void
kernel_without_landlock_or_seccomp_is_refused_always(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	s.request.best_effort = true;
	set_abi(&s.host, 0);
	s.host.landlock_errno = EOPNOTSUPP;
	refuse(&s, BAILEY_E_UNSUPPORTED, "lsm=");
	s.host.landlock_errno = ENOSYS;
	refuse(&s, BAILEY_E_UNSUPPORTED, "5.13");
	set_abi(&s.host, 7);
	s.host.seccomp = false;
	refuse(&s, BAILEY_E_UNSUPPORTED, "seccomp");
	end(&s);
}

static void
handles_every_right_of_the_abi(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_READ_ONLY, "/home/u/plain");
	set_abi(&s.host, LL_ABI_KNOWN);
	must_compile(&s);
	assert_int_equal(s.plan->handled_fs, 0x1ffff);
	assert_int_equal(s.plan->handled_net, 0xf);
	assert_int_equal(s.plan->scoped, 0x3);
	end(&s);
}

static void
abi_table_matches_the_kernels_history(void **state)
{
	(void)state;
	assert_int_equal(plan_fs_rights(0), 0);
	assert_int_equal(plan_fs_rights(1), 0x1fff);
	assert_int_equal(plan_fs_rights(2), 0x3fff);
	assert_int_equal(plan_fs_rights(3), 0x7fff);
	assert_int_equal(plan_fs_rights(5), 0xffff);
	assert_int_equal(plan_fs_rights(9), 0x1ffff);
	assert_int_equal(plan_net_rights(3), 0);
	assert_int_equal(plan_net_rights(4), 0x3);
	assert_int_equal(plan_net_rights(10), 0xf);
	assert_int_equal(plan_scopes(5), 0);
	assert_int_equal(plan_scopes(6), 0x3);
	assert_string_equal(plan_fs_right_name(14), "truncate");
	assert_null(plan_fs_right_name(17));
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void
full_access_plans_nothing(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_DANGER_FULL_ACCESS, "/home/u/plain");
	set_abi(&s.host, 0);
	must_compile(&s);
	assert_false(s.plan->sandboxed);
	assert_int_equal(s.plan->rule_count, 0);
	assert_false(s.plan->filtered);
	assert_int_equal(s.plan->env.mode, ENV_KEEP);
	end(&s);
}

static void
network_opens_sockets_and_leaves_tcp_unhandled(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	must_compile(&s);
	assert_false(s.plan->filter.inet);
	assert_int_equal(s.plan->handled_net, 0x3);
	assert_int_equal(bailey_policy_set_network_access(s.policy, true, &s.err), BAILEY_OK);
	must_compile(&s);
	assert_true(s.plan->filter.inet);
	assert_int_equal(s.plan->handled_net, 0);
	s.request.no_inet = true;
	must_compile(&s);
	assert_false(s.plan->filter.inet);
	end(&s);
}

static void
in_place_refuses_what_needs_somebody_behind(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.in_place = true;
	refuse(&s, BAILEY_E_INVALID, "a timeout");
	assert_int_equal(bailey_policy_set_limits_preset(s.policy, "unlimited", &s.err), BAILEY_OK);
	refuse(&s, BAILEY_E_INVALID, "temp directory");
	assert_int_equal(bailey_policy_set_tmp(s.policy, "none", &s.err), BAILEY_OK);
	must_compile(&s);
	assert_false(s.plan->stay);
	assert_true(find_note(&s, "not-reaped")->gap);
	end(&s);
}

static void
caches_go_into_a_directory_of_the_workspace(void **state)
{
	struct setup s;
	bool found = false;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/plain");
	s.request.cache = "/home/u/.cache/bailey";
	must_compile(&s);
	for (size_t i = 0; i < s.plan->rule_count; i++) {
		const struct plan_rule *rule = &s.plan->rules[i];

		if (rule->why == WHY_CACHE) {
			found = rule->make && path_under(rule->path, "/home/u/.cache/bailey");
		}
	}
	assert_true(found);
	assert_true(s.plan->env.set_count > 5);
	end(&s);
}

static void
prints_as_text_and_as_json(void **state)
{
	struct setup s;
	AUTO_STRBUF text = STRBUF_INIT;
	AUTO_STRBUF json = STRBUF_INIT;
	json_t *root;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	must_compile(&s);
	plan_print(s.plan, &text);
	assert_non_null(strstr(text.text, "/home/u/.ssh"));
	assert_non_null(strstr(text.text, "metadata-not-confined"));
	plan_print_json(s.plan, &json);
	root = json_loads(json.text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(root, "landlock"), "rules")),
		s.plan->rule_count);
	json_decref(root);
	end(&s);
}

static void
every_failing_allocation_is_an_error(void **state)
{
	struct setup s;

	(void)state;
	begin(&s, BAILEY_POLICY_WORKSPACE_WRITE, "/home/u/repo");
	for (unsigned int nth = 1; nth < 200; nth++) {
		int rc;

		arena_fail_nth = nth;
		rc = compile(&s);
		if (arena_fail_nth > 0) {
			arena_fail_nth = 0;
			assert_int_equal(rc, BAILEY_OK);
			assert_true(nth > 1);
			end(&s);
			return;
		}
		assert_int_equal(rc, BAILEY_E_NOMEM);
	}
	fail();
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_everything_but_what_is_kept_out),
		cmocka_unit_test(read_only_writes_nothing_but_devices),
		cmocka_unit_test(hides_names_when_asked),
		cmocka_unit_test(read_roots_limit_reading_to_them_and_the_system),
		cmocka_unit_test(exec_roots_limit_running),
		cmocka_unit_test(writes_the_working_directory_and_nothing_beside_it),
		cmocka_unit_test(protected_names_are_granted_around),
		cmocka_unit_test(git_file_of_a_worktree_protects_what_it_names),
		cmocka_unit_test(symlinked_git_protects_link_and_target),
		cmocka_unit_test(home_as_workspace_keeps_credentials_out),
		cmocka_unit_test(denied_path_is_neither_read_nor_written),
		cmocka_unit_test(real_tmp_is_writable_only_when_not_excluded),
		cmocka_unit_test(devices_are_opened_by_group),
		cmocka_unit_test(missing_and_impossible_roots_are_errors),
		cmocka_unit_test(policy_that_hides_cwd_or_program_is_an_error),
		cmocka_unit_test(unknown_home_is_an_error),
		cmocka_unit_test(needs_of_the_broker_are_refused),
		cmocka_unit_test(older_kernels_are_refused_unless_the_loss_is_accepted),
		cmocka_unit_test(kernel_without_landlock_or_seccomp_is_refused_always),
		cmocka_unit_test(handles_every_right_of_the_abi),
		cmocka_unit_test(abi_table_matches_the_kernels_history),
		cmocka_unit_test(full_access_plans_nothing),
		cmocka_unit_test(network_opens_sockets_and_leaves_tcp_unhandled),
		cmocka_unit_test(in_place_refuses_what_needs_somebody_behind),
		cmocka_unit_test(caches_go_into_a_directory_of_the_workspace),
		cmocka_unit_test(prints_as_text_and_as_json),
		cmocka_unit_test(every_failing_allocation_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
