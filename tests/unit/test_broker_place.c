/* SPDX-License-Identifier: MIT */

/* Where in a plan something lies: by path, by descriptor, and by names that look like others. */

#include "broker/request.h"

#include "base/attr.h"
#include "base/fd.h"
#include "plan/landlock_abi.h"
#include "plan/rights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a plan ------------------------------------------------------------------------------- */

static const char *roots[] = { "/home/u/ws", "/home/u/ws/inner/.claude/tree", "/opt/more" };
static const char *names[] = { ".git", ".claude", ".vtcode", "Desks" };

#define FULL (LL_WRITE_FILE | LL_MAKE_REG | LL_MAKE_DIR | LL_READ_FILE)
#define SERVED (LL_WRITE_FILE | LL_TRUNCATE | LL_REMOVE_FILE | LL_REMOVE_DIR)

static struct plan_rule rules[] = {
	{ .path = "/", .access = LL_READ_DIR, .directory = true },
	{ .path = "/usr", .access = RIGHTS_READ, .directory = true },
	{ .path = "/home/u/ws/src", .access = SERVED, .directory = true },
	{ .path = "/home/u/ws/cache", .access = FULL, .directory = true },
	{ .path = "/tmp/private", .access = FULL, .directory = true },
	{ .path = "/tmp/private/deeper", .access = FULL, .directory = true },
	{ .path = "/dev/null", .access = LL_WRITE_FILE, .directory = false },
	{ .path = "/var/log/one", .access = FULL, .directory = false },
};

/* By path, as the plan has them. */
static struct carve_out carves[] = {
	{ "/dev", "/dev", true, true, WHY_DEVICE, true },
	{ "/home/u/.ssh", "~/.ssh", true, true, WHY_SENSITIVE, true },
	{ "/home/u/ws/.git", ".git", false, true, WHY_PROTECTED, true },
	{ "/home/u/ws/missing/.git", ".git", false, true, WHY_PROTECTED, false },
	{ "/home/u/ws/read-only", "read-only", true, false, WHY_DENY, true },
	{ "/home/u/ws/secret", "secret", true, true, WHY_DENY, true },
	{ "/srv/git/repository", ".git", false, true, WHY_PROTECTED, true },
};

static void
make_broker(struct broker *b, struct plan *plan, bool hooks)
{
	*plan = (struct plan){ .rules = rules,
			       .rule_count = COUNT_OF(rules),
			       .carve_outs = carves,
			       .carve_out_count = COUNT_OF(carves) };
	plan->broker = (struct plan_broker){ .parts = PART_FILES | PART_SHM,
					     .roots = { roots, COUNT_OF(roots) },
					     .protected = { names, COUNT_OF(names) },
					     .git_hooks = hooks };
	*b = (struct broker){ .plan = plan, .spec = &plan->broker, .listener = -1 };
}

/* ---- by path ------------------------------------------------------------------------------ */

struct row {
	const char *path;
	enum place place;
	const char *rule;
};

static void
check_rows(const struct row rows[], size_t count, bool hooks)
{
	struct broker b;
	struct plan plan;
	struct where where;

	make_broker(&b, &plan, hooks);
	for (size_t i = 0; i < count; i++) {
		place_of_path(&b, rows[i].path, &where);
		if (where.place != rows[i].place) {
			print_error("%s\n", rows[i].path);
		}
		assert_int_equal(where.place, rows[i].place);
		if (rows[i].rule != NULL) {
			assert_string_equal(where.rule, rows[i].rule);
		}
	}
}

static const struct row by_path[] = {
	{ "/", PLACE_OUTSIDE, "write.outside" },
	{ "/home", PLACE_OUTSIDE, "write.outside" },
	{ "/home/u", PLACE_OUTSIDE, "write.outside" },
	{ "/home/u/w", PLACE_OUTSIDE, NULL },
	{ "/home/u/wsx", PLACE_OUTSIDE, NULL },
	{ "/home/u/ws", PLACE_SERVED, "" },
	{ "/home/u/ws/f", PLACE_SERVED, NULL },
	{ "/home/u/ws/src/d/e/f", PLACE_SERVED, NULL },
	{ "/opt/more", PLACE_SERVED, NULL },
	{ "/opt/more/x", PLACE_SERVED, NULL },
	/* protected names, at any depth */
	{ "/home/u/ws/.git", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/.git/hooks/x", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/a/b/c/d/e/.git", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/a/.GiT/x", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/desks", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/DESKS/x", PLACE_PROTECTED, "protected" },
	{ "/opt/more/.vtcode", PLACE_PROTECTED, "protected" },
	{ "/home/u/ws/.gitignore", PLACE_SERVED, NULL },
	{ "/home/u/ws/.gi", PLACE_SERVED, NULL },
	{ "/home/u/ws/x.git", PLACE_SERVED, NULL },
	{ "/home/u/ws/git", PLACE_SERVED, NULL },
	{ "/home/u/ws/inner/.claude/tree/f", PLACE_PROTECTED, "protected" },
	{ "/usr/.git", PLACE_OUTSIDE, NULL },
	/* carve-outs */
	{ "/home/u/.ssh", PLACE_PROTECTED, "write.sensitive" },
	{ "/home/u/.ssh/id", PLACE_PROTECTED, "write.sensitive" },
	{ "/home/u/.sshx", PLACE_OUTSIDE, NULL },
	{ "/home/u/ws/secret", PLACE_PROTECTED, "denied" },
	{ "/home/u/ws/secret/x", PLACE_PROTECTED, "denied" },
	{ "/home/u/ws/SECRET/x", PLACE_PROTECTED, "denied" },
	{ "/home/u/ws/secrets", PLACE_SERVED, NULL },
	{ "/home/u/ws/secret!", PLACE_SERVED, NULL },
	{ "/home/u/ws/read-only/x", PLACE_SERVED, NULL },
	{ "/srv/git/repository/config", PLACE_PROTECTED, "protected" },
	/* the floor, which opens devices too */
	{ "/dev/null", PLACE_OUTSIDE, NULL },
	{ "/dev/pts/3", PLACE_OUTSIDE, NULL },
	{ "/proc/self/comm", PLACE_OUTSIDE, NULL },
	{ "/tmp/private", PLACE_FLOOR, "" },
	{ "/tmp/private/x/.git/y", PLACE_FLOOR, NULL },
	{ "/tmp/private/deeper/x", PLACE_FLOOR, NULL },
	{ "/tmp/privately", PLACE_OUTSIDE, NULL },
	{ "/tmp", PLACE_OUTSIDE, NULL },
	{ "/var/log/one", PLACE_OUTSIDE, NULL },
	{ "/home/u/ws/cache", PLACE_FLOOR, NULL },
	{ "/home/u/ws/cache/x", PLACE_FLOOR, NULL },
	{ "/home/u/ws/cache/x/.git", PLACE_FLOOR, NULL },
	{ "/home/u/ws/cached", PLACE_SERVED, NULL },
	/* shared memory */
	{ "/dev/shm", PLACE_OUTSIDE, NULL },
	{ "/dev/shm/x", PLACE_SHM, NULL },
	{ "/dev/shm/sem.x", PLACE_SHM, NULL },
	{ "/dev/shm/d/x", PLACE_OUTSIDE, NULL },
	{ "/dev/shmx", PLACE_OUTSIDE, NULL },
};

static void
judges_by_path(void **state)
{
	(void)state;
	check_rows(by_path, COUNT_OF(by_path), false);
}

static void
judges_parts_of_git_when_only_hooks_are_kept(void **state)
{
	static const struct row rows[] = {
		{ "/home/u/ws/.git", PLACE_PROTECTED, "protected" },
		{ "/home/u/ws/.git/index", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/index.lock", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/refs/heads/main", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/hooks", PLACE_PROTECTED, "protected" },
		{ "/home/u/ws/.git/hooks/pre-commit", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/HOOKS/pre-commit", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/config", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/config.lock", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/info/attributes", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/info/exclude", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/modules/a/b/hooks/x", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/modules/a/b/index", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/.claude/x", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/a/b/.git", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/a/b/.git/index", PLACE_SERVED, NULL },
		{ "/home/u/ws/a/b/.Git/Config", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/a/.claude", PLACE_PROTECTED, NULL },
		/* outside of served roots, the floor would not let it write anyway */
		{ "/srv/git/repository/hooks/x", PLACE_PROTECTED, NULL },
		{ "/srv/git/repository/index", PLACE_OUTSIDE, NULL },
		/* names that some file systems take for these */
		{ "/home/u/ws/.git/ho\u200doks/x", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/hooks./x", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/hoo\u212as/x", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/config ", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/COMMON~1", PLACE_PROTECTED, NULL },
		{ "/home/u/ws/.git/COMMIT_EDITMSG~", PLACE_SERVED, NULL },
		{ "/home/u/ws/.git/refs/heads/\u00fcber", PLACE_SERVED, NULL },
		{ "/home/u/ws/GIT~1/hooks", PLACE_PROTECTED, NULL },
	};

	(void)state;
	check_rows(rows, COUNT_OF(rows), true);
}

/* ---- names -------------------------------------------------------------------------------- */

static const char *const spellings[] = {
	".git.",
	".git ",
	".git. . ",
	".GIT..",
	".git:x",
	".git::$INDEX_ALLOCATION",
	".g\u200cit",
	"\u200b.git",
	".git\ufeff",
	".gi\u00adt",
	".g\u2060\u2063it\u180e",
	".git\U000e0001",
	".gi\ufe0ft",
	"git~1",
	"GIT~1",
	"GIT~12",
	"GI~1",
	"GI7EBA~1",
	"git~1.x",
	".cla\u200dude",
	".CLAUDE.",
	"CLAUDE~1",
	"CLAUD~10",
	"VTCODE~1",
	"de\u017fk\u017f",
	"des\u212as",
	"DE\u017f\u212aS ",
	"de\u017fks:s",
};

static const char *const others[] = {
	".gitx",      ".g",	    ".gi.t",	".git.x",	"git",	    "git~",
	"git~x",      "g~1",	    ".git~",	"x~1",		"a:.git",   ".g\u00eft",
	".git\u0301", "de\u00dfks", "\xff\xfe", ".git\xff",	"\xe2\x80", "...",
	" ",	      ":",	    "~1",	".clau",	"claude",   "CLAUDEX~1",
	".gi\u200d",  "gitter~1",   "GXZZZZ~1", "\u00fc\u00fc", "claude~",  "12345678~1",
};

static void
takes_no_spelling_of_a_protected_name(void **state)
{
	struct broker b;
	struct plan plan;
	struct where dir;
	struct where where;

	(void)state;
	make_broker(&b, &plan, false);
	memcpy(dir.path, "/home/u/ws/a", sizeof("/home/u/ws/a"));
	place_of_path(&b, dir.path, &dir);
	for (size_t i = 0; i < COUNT_OF(spellings); i++) {
		place_of_entry(&b, &dir, spellings[i], &where);
		if (where.place != PLACE_PROTECTED) {
			print_error("%s\n", spellings[i]);
		}
		assert_int_equal(where.place, PLACE_PROTECTED);
	}
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		place_of_entry(&b, &dir, others[i], &where);
		if (where.place != PLACE_SERVED) {
			print_error("%s\n", others[i]);
		}
		assert_int_equal(where.place, PLACE_SERVED);
	}
}

static void
joins_names(void **state)
{
	struct broker b;
	struct plan plan;
	struct where dir = { .path = "/" };
	struct where where;
	char name[NAME_MAX + 1];

	(void)state;
	make_broker(&b, &plan, false);
	place_of_path(&b, dir.path, &dir);
	place_of_entry(&b, &dir, "home", &where);
	assert_string_equal(where.path, "/home");
	memcpy(dir.path, "/home/u/ws", sizeof("/home/u/ws"));
	place_of_path(&b, dir.path, &dir);
	place_of_entry(&b, &dir, "x", &where);
	assert_string_equal(where.path, "/home/u/ws/x");
	/* Deeper and deeper in place, up to where there is no room. */
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 15; i++) {
		place_of_entry(&b, &dir, name, &dir);
		assert_int_equal(dir.place, PLACE_SERVED);
		assert_int_equal(strlen(dir.path), 10 + (size_t)(i + 1) * 256);
	}
	place_of_entry(&b, &dir, name, &where);
	assert_int_equal(where.place, PLACE_PROTECTED);
	memcpy(dir.path, "/tmp/priva", 10);
	dir.path[10] = 't';
	dir.path[11] = 'e';
	dir.path[12] = '/';
	place_of_path(&b, dir.path, &dir);
	assert_int_equal(dir.place, PLACE_FLOOR);
	place_of_entry(&b, &dir, name, &where);
	assert_int_equal(where.place, PLACE_FLOOR);
}

static void
knows_what_must_not_be_moved(void **state)
{
	static const char *const held[] = {
		"/",
		"/home",
		"/home/u",
		"/home/u/ws",
		"/home/u/ws/.git",
		"/home/u/.ssh",
		"/home/u/ws/secret",
		"/home/u/ws/read-only",
		"/home/u/ws/cache",
		"/tmp/private",
		"/tmp",
	};
	static const char *const loose[] = {
		"/home/u/ws/.gi",	   "/home/u/ws/missing",
		"/home/u/ws/missing/.git", "/home/u/ws/src",
		"/home/u/ws/secrets",	   "/home/u/ws/secret/x",
		"/home/u/ws/cache/x",	   "/opt",
	};
	struct broker b;
	struct plan plan;

	(void)state;
	make_broker(&b, &plan, false);
	for (size_t i = 0; i < COUNT_OF(held); i++) {
		assert_true(place_holds_carve_out(&b, held[i]));
	}
	for (size_t i = 0; i < COUNT_OF(loose); i++) {
		assert_false(place_holds_carve_out(&b, loose[i]));
	}
}

/* ---- by descriptor ------------------------------------------------------------------------ */

struct live {
	struct broker broker;
	struct plan plan;
	char base[64];
	char served[80];
	char floor[80];
	const char *root;
	struct plan_rule rule;
	struct carve_out carve;
};

/* BASE/served and BASE/floor. */
static void
make_live(struct live *l)
{
	static const char *own[] = { ".git" };

	memcpy(l->base, "/tmp/broker-place-XXXXXX", sizeof("/tmp/broker-place-XXXXXX"));
	assert_non_null(mkdtemp(l->base));
	(void)snprintf(l->served, sizeof(l->served), "%s/served", l->base);
	(void)snprintf(l->floor, sizeof(l->floor), "%s/floor", l->base);
	assert_int_equal(mkdir(l->served, 0700), 0);
	assert_int_equal(mkdir(l->floor, 0700), 0);
	l->root = l->served;
	l->rule = (struct plan_rule){ .path = l->floor, .access = FULL, .directory = true };
	l->plan = (struct plan){ .rules = &l->rule, .rule_count = 1 };
	l->plan.broker = (struct plan_broker){ .parts = PART_FILES,
					       .roots = { &l->root, 1 },
					       .protected = { own, 1 } };
	l->broker = (struct broker){ .plan = &l->plan, .spec = &l->plan.broker };
	assert_int_equal(chdir(l->served), 0);
}

static void
free_live(const struct live *l)
{
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(remove_tree(AT_FDCWD, l->base), 0);
}

static enum place
place_at(const struct live *l, int fd, int error, const char *tail)
{
	struct where where;
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s%s", l->base, tail);
	assert_true(fd >= 0);
	assert_int_equal(place_of_fd(&l->broker, fd, &where), error);
	assert_string_equal(where.path, path);
	(void)close(fd);
	return where.place;
}

static void
judges_by_descriptor(void **state)
{
	struct live l;
	int fd;

	(void)state;
	make_live(&l);
	assert_int_equal(place_at(&l, open(".", O_PATH), 0, "/served"), PLACE_SERVED);
	assert_int_equal(place_at(&l, open("..", O_PATH), 0, ""), PLACE_OUTSIDE);
	assert_int_equal(place_at(&l, open("../floor", O_PATH), 0, "/floor"), PLACE_FLOOR);
	assert_int_equal(place_at(&l, open("a\nb", O_CREAT | O_RDWR, 0600), 0, "/served/a\nb"),
			 PLACE_SERVED);
	assert_int_equal(mkdir(".GIT", 0700), 0);
	assert_int_equal(place_at(&l, open(".GIT", O_PATH), 0, "/served/.GIT"), PLACE_PROTECTED);
	fd = open(".GIT/x", O_CREAT | O_RDWR, 0600);
	assert_int_equal(place_at(&l, dup(fd), 0, "/served/.GIT/x"), PLACE_PROTECTED);
	assert_int_equal(unlink(".GIT/x"), 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/served/.GIT/x"), PLACE_PROTECTED);
	/* What moves is judged where it is. */
	fd = open("m", O_CREAT | O_RDWR, 0600);
	assert_int_equal(rename("m", "../floor/m"), 0);
	assert_int_equal(place_at(&l, dup(fd), 0, "/floor/m"), PLACE_FLOOR);
	assert_int_equal(unlink("../floor/m"), 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/floor/m"), PLACE_FLOOR);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	assert_int_equal(fd >= 0, 1);
	(void)close(fd);
	free_live(&l);
}

static void
knows_what_was_removed(void **state)
{
	struct live l;
	struct where where;
	int fd;

	(void)state;
	make_live(&l);
	/* Really called so. */
	fd = open("x (deleted)", O_CREAT | O_RDWR, 0600);
	assert_int_equal(place_at(&l, dup(fd), 0, "/served/x (deleted)"), PLACE_SERVED);
	assert_int_equal(unlink("x (deleted)"), 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/served/x (deleted)"), PLACE_SERVED);
	/* Another of that name is not it. */
	fd = open("y", O_CREAT | O_RDWR, 0600);
	assert_int_equal(unlink("y"), 0);
	assert_true(close(open("y (deleted)", O_CREAT | O_RDWR, 0600)) == 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/served/y"), PLACE_SERVED);
	assert_int_equal(mkdir("d", 0700), 0);
	fd = open("d", O_PATH | O_DIRECTORY);
	assert_int_equal(rmdir("d"), 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/served/d"), PLACE_SERVED);
	/* One name of two is gone. */
	fd = open("one", O_CREAT | O_RDWR, 0600);
	assert_int_equal(link("one", "two"), 0);
	assert_int_equal(unlink("one"), 0);
	assert_int_equal(place_at(&l, fd, ENOENT, "/served/one"), PLACE_SERVED);
	fd = open("../floor", O_TMPFILE | O_RDWR, 0600);
	assert_int_equal(place_of_fd(&l.broker, fd, &where), ENOENT);
	assert_int_equal(where.place, PLACE_FLOOR);
	(void)close(fd);
	free_live(&l);
}

static void
knows_what_is_nowhere(void **state)
{
	struct live l;
	struct where where;
	int fds[2];
	int memory;

	(void)state;
	make_live(&l);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(place_of_fd(&l.broker, fds[0], &where), 0);
	assert_int_equal(where.place, PLACE_OUTSIDE);
	assert_true(where.path[0] != '/');
	(void)close(fds[0]);
	(void)close(fds[1]);
	memory = memfd_create("x", MFD_CLOEXEC);
	assert_int_equal(place_of_fd(&l.broker, memory, &where), ENOENT);
	assert_int_equal(where.place, PLACE_OUTSIDE);
	(void)close(memory);
	assert_int_equal(place_of_fd(&l.broker, 1000, &where), ENOENT);
	assert_int_equal(where.place, PLACE_OUTSIDE);
	free_live(&l);
}

/* Directories in directories until their path has no room. The innermost one. */
static int
go_deep(const char *from)
{
	char name[201];
	int at = open(from, O_PATH | O_DIRECTORY | O_CLOEXEC);

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 60; i++) {
		int next;

		assert_int_equal(mkdirat(at, name, 0700), 0);
		next = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		(void)close(at);
		at = next;
	}
	return at;
}

static void
knows_what_is_too_deep(void **state)
{
	struct live l;
	struct where where;
	int fd;

	(void)state;
	make_live(&l);
	fd = go_deep(l.served);
	assert_int_equal(place_of_fd(&l.broker, fd, &where), ENAMETOOLONG);
	(void)close(fd);
	fd = go_deep(l.floor);
	assert_int_equal(place_of_fd(&l.broker, fd, &where), 0);
	assert_int_equal(where.place, PLACE_FLOOR);
	(void)close(openat(fd, "f", O_CREAT | O_RDWR, 0600));
	(void)close(fd);
	fd = go_deep(l.base);
	assert_int_equal(place_of_fd(&l.broker, fd, &where), 0);
	assert_int_equal(where.place, PLACE_OUTSIDE);
	(void)close(fd);
	free_live(&l);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_by_path),
		cmocka_unit_test(judges_parts_of_git_when_only_hooks_are_kept),
		cmocka_unit_test(takes_no_spelling_of_a_protected_name),
		cmocka_unit_test(joins_names),
		cmocka_unit_test(knows_what_must_not_be_moved),
		cmocka_unit_test(judges_by_descriptor),
		cmocka_unit_test(knows_what_was_removed),
		cmocka_unit_test(knows_what_is_nowhere),
		cmocka_unit_test(knows_what_is_too_deep),
	};

	return cmocka_run_group_tests_name("broker place", tests, NULL, NULL);
}
