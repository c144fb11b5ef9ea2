/* SPDX-License-Identifier: MIT */

/* Which place a path is, and what deeds come to there. */

#include "command/account.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const roots[] = { "/srv/more" };
static const char *const secrets[] = { "~/vault", "/data/keys" };

static const struct bailey_scene scene = {
	.cwd = "/home/u/src/proj",
	.home = "/home/u",
	.tmpdir = "/var/folders/x",
	.roots = roots,
	.root_count = 1,
	.sensitive = secrets,
	.sensitive_count = 2,
};

/* A path with live globs where * ? [ ] stand, and unknown parts where $ stands. */
static struct field
path_of(struct arena *arena, const char *text)
{
	struct field field = field_literal(arena, text, strlen(text), NULL);
	uint8_t *marks = arena_alloc(arena, strlen(text) + 1);
	char *copy = arena_strdup(arena, text);

	assert_non_null(marks);
	assert_non_null(copy);
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (strchr("*?[]", text[i]) != NULL) {
			marks[i] = MARK_GLOB;
			field.kind =
				field.kind == BAILEY_WORD_LITERAL ? BAILEY_WORD_GLOB : field.kind;
		} else if (text[i] == '$') {
			marks[i] = MARK_UNKNOWN;
			copy[i] = FIELD_UNKNOWN;
			field.kind = BAILEY_WORD_DYNAMIC;
		}
	}
	if (field.kind != BAILEY_WORD_LITERAL) {
		field.marks = marks;
	}
	field.text = copy;
	return field;
}

struct place_row {
	const char *path;
	enum bailey_place place;
	bool all;
};

static const struct place_row place_rows[] = {
	{ "/", BAILEY_PLACE_ROOT, true },
	{ "/*", BAILEY_PLACE_ROOT, true },
	{ "/home/u", BAILEY_PLACE_ROOT, true },
	{ "/home/u/*", BAILEY_PLACE_ROOT, true },
	{ "/home/u/.[!.]*", BAILEY_PLACE_ROOT, true },
	{ "/home/u/Documents", BAILEY_PLACE_HOME, false },
	{ "/home/u/Documents/*", BAILEY_PLACE_HOME, true },
	{ "/home/u/src", BAILEY_PLACE_HOME, false },
	{ "/home/u/src/proj", BAILEY_PLACE_TOP, true },
	{ "/home/u/src/proj/*", BAILEY_PLACE_TOP, true },
	{ "/home/u/src/proj/a", BAILEY_PLACE_WORKSPACE, false },
	{ "/home/u/src/proj/*.o", BAILEY_PLACE_WORKSPACE, false },
	{ "/home/u/src/proj/b/*", BAILEY_PLACE_WORKSPACE, true },
	{ "/home/u/src/proj/.git", BAILEY_PLACE_PROTECTED, false },
	{ "/home/u/src/proj/sub/.git/config", BAILEY_PLACE_PROTECTED, false },
	{ "/home/u/src/proj/.claude/settings.json", BAILEY_PLACE_GUARD, false },
	{ "/home/u/src/proj/.vscode/settings.json", BAILEY_PLACE_GUARD, false },
	{ "/home/u/src/proj/.vscode/launch.json", BAILEY_PLACE_WORKSPACE, false },
	{ "/home/u/src/proj/.env", BAILEY_PLACE_PRIVATE, false },
	{ "/home/u/src/proj/.env.example", BAILEY_PLACE_WORKSPACE, false },
	{ "/home/u/src/proj/test/id_rsa", BAILEY_PLACE_PRIVATE, false },
	{ "/home/u/src/proj2", BAILEY_PLACE_HOME, false },
	{ "/srv/more/x", BAILEY_PLACE_WORKSPACE, false },
	{ "/srv/moreover", BAILEY_PLACE_SYSTEM, false },
	{ "/home/u/.bashrc", BAILEY_PLACE_STARTUP, false },
	{ "/home/u/.ssh/id_rsa", BAILEY_PLACE_SENSITIVE, false },
	{ "/home/u/.ssh/anything", BAILEY_PLACE_SENSITIVE, false },
	{ "/home/u/.ssh/known_hosts", BAILEY_PLACE_PRIVATE, false },
	{ "/home/u/.s*/id_rsa", BAILEY_PLACE_SENSITIVE, false },
	{ "/home/u/.aws/cred*", BAILEY_PLACE_SENSITIVE, false },
	{ "/home/u/.npmrc", BAILEY_PLACE_PRIVATE, false },
	{ "/home/u/.claude/hooks", BAILEY_PLACE_GUARD, false },
	{ "/home/u/vault/x", BAILEY_PLACE_SENSITIVE, false },
	{ "/data/keys", BAILEY_PLACE_SENSITIVE, false },
	{ "/data/k[e]ys/x", BAILEY_PLACE_SENSITIVE, false },
	{ "/data/other", BAILEY_PLACE_OTHER, false },
	{ "/home/other/.bashrc", BAILEY_PLACE_STARTUP, false },
	{ "/home/other/.ssh/id_ed25519", BAILEY_PLACE_SENSITIVE, false },
	{ "/home/other", BAILEY_PLACE_SYSTEM, false },
	{ "/etc", BAILEY_PLACE_SYSTEM, false },
	{ "/etc/hosts", BAILEY_PLACE_SYSTEM, false },
	{ "/etc/shadow", BAILEY_PLACE_SENSITIVE, false },
	{ "/etc/sh[a]dow", BAILEY_PLACE_SENSITIVE, false },
	{ "/e?c", BAILEY_PLACE_SYSTEM, false },
	{ "/usr/lib", BAILEY_PLACE_SYSTEM, false },
	{ "/tmp", BAILEY_PLACE_OTHER, false },
	{ "/tmp/x", BAILEY_PLACE_TMP, false },
	{ "/tmp/$", BAILEY_PLACE_OTHER, false },
	{ "/tmp/d/$", BAILEY_PLACE_TMP, false },
	{ "/var/folders/x/y", BAILEY_PLACE_TMP, false },
	{ "/dev/shm/x", BAILEY_PLACE_TMP, false },
	{ "/dev/null", BAILEY_PLACE_NULL, false },
	{ "/dev/sda", BAILEY_PLACE_DEVICE, false },
	{ "/dev/tcp/h/80", BAILEY_PLACE_NETWORK, false },
	{ "/proc/self/environ", BAILEY_PLACE_PRIVATE, false },
	{ "/proc/1/mem", BAILEY_PLACE_DEVICE, false },
	{ "/proc/self/root/etc/shadow", BAILEY_PLACE_SENSITIVE, false },
	{ "/proc/cpuinfo", BAILEY_PLACE_OTHER, false },
	{ "$", BAILEY_PLACE_UNKNOWN, false },
	{ "$/x", BAILEY_PLACE_UNKNOWN, false },
	{ "$/.ssh/id_rsa", BAILEY_PLACE_SENSITIVE, false },
	{ "$/.env", BAILEY_PLACE_PRIVATE, false },
	{ "/home/u/$", BAILEY_PLACE_ROOT, false },
	{ "/$", BAILEY_PLACE_ROOT, false },
};

static void
finds_places_of_paths(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(place_rows); i++) {
		AUTO_ARENA arena = { 0 };
		struct field path = path_of(&arena, place_rows[i].path);
		struct place place = place_of(&scene, &path);

		if (place.place != place_rows[i].place || place.all != place_rows[i].all) {
			fail_msg("%s is '%s'%s, expected '%s'%s", place_rows[i].path,
				 bailey_place_name(place.place), place.all ? " all" : "",
				 bailey_place_name(place_rows[i].place),
				 place_rows[i].all ? " all" : "");
		}
	}
}

static void
keeps_a_worktree_below_settings_a_workspace(void **state)
{
	static const struct bailey_scene inside = { .cwd = "/home/u/.claude/worktrees/a",
						    .home = "/home/u" };
	AUTO_ARENA arena = { 0 };
	struct field path = path_of(&arena, "/home/u/.claude/worktrees/a/src/x.c");
	struct field guard = path_of(&arena, "/home/u/.claude/settings.json");

	(void)state;
	assert_int_equal(place_of(&inside, &path).place, BAILEY_PLACE_WORKSPACE);
	assert_int_equal(place_of(&inside, &guard).place, BAILEY_PLACE_GUARD);
}

struct deed_case {
	enum deed deed;
	const char *path;
	unsigned flags;
	enum bailey_decision decision;
};

static const struct deed_case deed_cases[] = {
	{ DEED_READ, "a", 0, BAILEY_ALLOW },
	{ DEED_READ, "/etc/passwd", 0, BAILEY_ALLOW },
	{ DEED_READ, "/etc/shadow", 0, BAILEY_FORBIDDEN },
	{ DEED_READ, ".env", 0, BAILEY_PROMPT },
	{ DEED_READ, "/home/u", 0, BAILEY_PROMPT },
	{ DEED_READ, "/etc", 0, BAILEY_PROMPT },
	{ DEED_READ, "/home/u/.config", 0, BAILEY_PROMPT },
	{ DEED_READ, "/home/u/$", 0, BAILEY_PROMPT },
	{ DEED_LIST, "/home/u/.ssh", 0, BAILEY_PROMPT },
	{ DEED_LIST, "/home/u", 0, BAILEY_ALLOW },
	{ DEED_LIST, ".env", 0, BAILEY_ALLOW },
	{ DEED_WRITE, "a", 0, BAILEY_PROMPT },
	{ DEED_WRITE, "/dev/null", 0, BAILEY_ALLOW },
	{ DEED_WRITE, "/dev/sda", 0, BAILEY_FORBIDDEN },
	{ DEED_WRITE, "/etc/hosts", 0, BAILEY_FORBIDDEN },
	{ DEED_WRITE, ".claude/settings.json", 0, BAILEY_FORBIDDEN },
	{ DEED_WRITE, "/home/u/.bashrc", 0, BAILEY_FORBIDDEN },
	{ DEED_APPEND, "/home/u/.bashrc", 0, BAILEY_PROMPT },
	{ DEED_APPEND, "/home/u/.ssh/authorized_keys", 0, BAILEY_FORBIDDEN },
	{ DEED_APPEND, "/etc/sudoers", 0, BAILEY_FORBIDDEN },
	{ DEED_APPEND, "/etc/hosts", 0, BAILEY_PROMPT },
	{ DEED_DELETE, "a", 0, BAILEY_PROMPT },
	{ DEED_DELETE, "*", 0, BAILEY_FORBIDDEN },
	{ DEED_DELETE, "/home/u/.cache/lock", 0, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, "build", 0, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, ".", 0, BAILEY_FORBIDDEN },
	{ DEED_DELETE_TREE, ".", EFFECT_FILTERED, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, "..", 0, BAILEY_FORBIDDEN },
	{ DEED_DELETE_TREE, ".git", 0, BAILEY_FORBIDDEN },
	{ DEED_DELETE_TREE, "/", EFFECT_FILTERED, BAILEY_FORBIDDEN },
	{ DEED_DELETE_TREE, "/tmp/x", 0, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, "/tmp/../etc", 0, BAILEY_FORBIDDEN },
	{ DEED_DELETE_TREE, "$", 0, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, "./$", 0, BAILEY_PROMPT },
	{ DEED_DELETE_TREE, "/home/u/$", 0, BAILEY_FORBIDDEN },
	{ DEED_EMPTY, "/home/u/Documents/*", 0, BAILEY_FORBIDDEN },
	{ DEED_MOVE, "/home/u", 0, BAILEY_FORBIDDEN },
	{ DEED_META, "/usr/bin/x", EFFECT_SETUID, BAILEY_FORBIDDEN },
	{ DEED_META_TREE, "/usr", 0, BAILEY_FORBIDDEN },
	{ DEED_META_TREE, ".", 0, BAILEY_PROMPT },
	{ DEED_FORMAT, "/dev/sda", 0, BAILEY_FORBIDDEN },
	{ DEED_FORMAT, "disk.img", 0, BAILEY_PROMPT },
	{ DEED_SEND, ".env", 0, BAILEY_FORBIDDEN },
	{ DEED_SEND, "report.pdf", 0, BAILEY_PROMPT },
	{ DEED_SYNC, "/home/u", 0, BAILEY_FORBIDDEN },
	{ DEED_EXTRACT, "/", 0, BAILEY_PROMPT },
};

static void
decides_about_deeds_by_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(deed_cases); i++) {
		const struct deed_case *c = &deed_cases[i];
		AUTO_ARENA arena = { 0 };
		struct shell shell = { 0 };
		struct source source = { .text = c->path, .len = strlen(c->path) };
		struct field target = path_of(&arena, c->path);
		struct effect effect = { .deed = c->deed, .target = &target, .flags = c->flags };
		struct subject subject = { .account = account_new(&arena, &scene, &source),
					   .command = SIZE_MAX,
					   .cap = BAILEY_FORBIDDEN };
		enum bailey_decision decision;

		assert_int_equal(shell_init(&shell, &arena, &scene), 0);
		decision = account_deed(&subject, &shell, &effect);
		if (decision != c->decision) {
			fail_msg("deed %d on %s is %s, expected %s", c->deed, c->path,
				 bailey_decision_name(decision), bailey_decision_name(c->decision));
		}
		assert_int_equal(account_decision(subject.account), decision);
		assert_int_equal(subject.account->reason_count, decision != BAILEY_ALLOW);
	}
}

static void
caps_and_counts_decisions(void **state)
{
	static const struct rule rule = { "x.y", BAILEY_FORBIDDEN, BAILEY_EFFECT_SYSTEM,
					  "does it" };
	AUTO_ARENA arena = { 0 };
	struct source source = { .text = "x", .len = 1 };
	struct account *account = account_new(&arena, &scene, &source);
	struct subject subject = { .account = account, .command = SIZE_MAX, .cap = BAILEY_PROMPT };
	size_t mark;

	(void)state;
	account_rule(&subject, &rule, NULL, NULL);
	assert_int_equal(account_decision(account), BAILEY_PROMPT);
	mark = account_mark(account);
	assert_int_equal(account_since(account, mark), BAILEY_ALLOW);
	subject.cap = BAILEY_FORBIDDEN;
	account_rule(&subject, &rule, NULL, NULL);
	assert_int_equal(account_since(account, mark), BAILEY_FORBIDDEN);
	assert_int_equal(account->reason_count, 2);
	account_rule(&subject, &rule, NULL, NULL);
	assert_int_equal(account->reason_count, 2);
}

static void
goes_on_counting_when_reasons_are_many(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct source source = { .text = "x", .len = 1 };
	struct account *account = account_new(&arena, &scene, &source);
	struct subject subject = { .account = account,
				   .command = SIZE_MAX,
				   .cap = BAILEY_FORBIDDEN };
	struct bailey_verdict verdict = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 3 * ACCOUNT_KEPT_MAX; i++) {
		account_reason(&subject, BAILEY_PROMPT, "a.b", "does it", &source,
			       (struct bailey_span){ i, i + 1 });
	}
	account_reason(&subject, BAILEY_FORBIDDEN, "c.d", "is worse", &source,
		       (struct bailey_span){ 0, 1 });
	assert_int_equal(account_finish(account, &verdict, NULL), 0);
	assert_int_equal(verdict.reason_count, ACCOUNT_KEPT_MAX + 1);
	assert_string_equal(verdict.reasons[0].rule, "c.d");
	assert_int_equal(verdict.decision, BAILEY_FORBIDDEN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_places_of_paths),
		cmocka_unit_test(keeps_a_worktree_below_settings_a_workspace),
		cmocka_unit_test(decides_about_deeds_by_place),
		cmocka_unit_test(caps_and_counts_decisions),
		cmocka_unit_test(goes_on_counting_when_reasons_are_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
