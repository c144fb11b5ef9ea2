/* SPDX-License-Identifier: MIT */

/* What is told of refusals: the line for a person, the line of JSON, and each of them once. */

#include "sandbox/told.h"

#include "base/attr.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static struct broker_denial
denial(const char *rule, const char *call, const char *option, const char *subject)
{
	struct broker_denial d = { .pid = 7, .error = EACCES, .comm = "sh" };

	(void)snprintf(d.rule, sizeof(d.rule), "%s", rule);
	(void)snprintf(d.call, sizeof(d.call), "%s", call);
	(void)snprintf(d.option, sizeof(d.option), "%s", option);
	(void)snprintf(d.subject, sizeof(d.subject), "%s", subject);
	return d;
}

/* ---- for people --------------------------------------------------------------------------- */

static const struct {
	const char *rule;
	const char *call;
	const char *option;
	const char *subject;
	const char *line;
} lines[] = {
	{ "write.outside", "openat", "--write", "/nowhere/u/.bashrc",
	  "openat /nowhere/u/.bashrc: outside of the writable roots (--write /nowhere/u)" },
	/* what is a directory is named itself, unless its entry is what would change */
	{ "write.outside", "chmod", "--write", "/usr/bin",
	  "chmod /usr/bin: outside of the writable roots (--write /usr/bin)" },
	{ "write.outside", "rmdir", "--write", "/usr/bin",
	  "rmdir /usr/bin: outside of the writable roots (--write /usr)" },
	{ "write.outside", "mkdir", "--write", "/x",
	  "mkdir /x: outside of the writable roots (--write /)" },
	{ "write.outside", "openat", "--write", "/no where/it's/f",
	  "openat /no where/it's/f: outside of the writable roots (--write '/no where/it'\\''s')" },
	{ "protected", "mkdirat", "--no-protect", "/w/.git",
	  "mkdirat /w/.git: a protected name (--no-protect)" },
	{ "protected", "openat", "--no-protect", "/w/.git/index.lock",
	  "openat /w/.git/index.lock: a protected name (--protect-git hooks)" },
	{ "protected", "openat", "--no-protect", "/w/.git/hooks/pre-commit",
	  "openat /w/.git/hooks/pre-commit: a protected name (--no-protect)" },
	{ "protected", "openat", "--no-protect", "/w/.claude/settings.json",
	  "openat /w/.claude/settings.json: a protected name (--no-protect)" },
	{ "unix", "connect", "--allow-unix", "/run/x.sock",
	  "connect /run/x.sock: a local socket that this command did not make "
	  "(--allow-unix=/run/x.sock)" },
	{ "unix", "connect", "--allow-unix", "@name",
	  "connect @name: a local socket that this command did not make (--allow-unix)" },
	{ "some.rule", "ioctl", "", "x", "ioctl x: some.rule" },
	{ "denied", "unlink", "", "/w/no", "unlink /w/no: kept out by the policy" },
	{ "limit.tasks", "clone", "--pids", "",
	  "clone: the limit on processes and threads (--pids)" },
};

static void
line_says_what_and_why_and_what_would_allow_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct broker_denial d =
			denial(lines[i].rule, lines[i].call, lines[i].option, lines[i].subject);
		AUTO_STRBUF out = STRBUF_INIT;

		told_text(&d, &out);
		assert_string_equal(out.text, lines[i].line);
	}
}

/* ---- for programs ------------------------------------------------------------------------- */

static json_t *
json_of(const struct broker_denial *d)
{
	AUTO_FREE char *text = told_json(d);
	json_t *object;

	assert_non_null(text);
	assert_null(strchr(text, '\n'));
	object = json_loads(text, 0, NULL);
	assert_non_null(object);
	return object;
}

static void
assert_member(const json_t *object, const char *key, const char *value)
{
	assert_string_equal(json_string_value(json_object_get(object, key)), value);
}

static void
json_has_what_an_agent_needs(void **state)
{
	struct broker_denial d = denial("write.outside", "openat", "--write", "/nowhere/a b\n/f");
	json_t *object = json_of(&d);

	(void)state;
	assert_member(object, "event", "refused");
	assert_member(object, "rule", "write.outside");
	assert_member(object, "call", "openat");
	assert_member(object, "subject", "/nowhere/a b\n/f");
	assert_member(object, "errno", "EACCES");
	assert_member(object, "option", "--write");
	assert_member(object, "value", "/nowhere/a b\n");
	assert_member(object, "advice", "policy, do not retry");
	assert_member(object, "comm", "sh");
	assert_int_equal(json_integer_value(json_object_get(object, "pid")), 7);
	json_decref(object);
}

static void
json_of_any_bytes_is_json(void **state)
{
	struct broker_denial d =
		denial("protected", "mkdir", "--no-protect", "/w/\"\\\xff\x01/.git");
	json_t *object = json_of(&d);

	(void)state;
	assert_member(object, "subject", "/w/\"\\\\xff\\x01/.git");
	assert_null(json_object_get(object, "value"));
	json_decref(object);
	d.error = 4095; /* one without a name */
	memset(d.comm, '\xff', sizeof(d.comm) - 1);
	object = json_of(&d);
	assert_int_equal(json_integer_value(json_object_get(object, "errno")), 4095);
	json_decref(object);
}

/* The broker cuts bytes, not characters. */
static void
subject_that_was_cut_is_text_still(void **state)
{
	struct broker_denial d = denial("protected", "mkdir", "", "");
	json_t *object;

	(void)state;
	memset(d.subject, 'x', DENIAL_PATH_MAX - 1);
	d.subject[DENIAL_PATH_MAX - 3] = '\xe2'; /* two bytes of three */
	d.subject[DENIAL_PATH_MAX - 2] = '\x82';
	object = json_of(&d);
	assert_int_equal(json_string_length(json_object_get(object, "subject")),
			 DENIAL_PATH_MAX - 3);
	json_decref(object);
}

/* ---- collecting --------------------------------------------------------------------------- */

struct heard {
	size_t events[4]; /* by kind */
	bool deaf;
	char last[1024];
	size_t lines;
	char line[1024];
};

static bool
hear(void *data, enum bailey_event kind, const char *json)
{
	struct heard *heard = data;

	heard->events[kind]++;
	(void)snprintf(heard->last, sizeof(heard->last), "%s", json);
	return !heard->deaf;
}

static void
hear_line(void *data, const char *line)
{
	struct heard *heard = data;

	heard->lines++;
	(void)snprintf(heard->line, sizeof(heard->line), "%s", line);
}

static struct bailey_run
run_for(struct heard *heard)
{
	return (struct bailey_run){ .size = sizeof(struct bailey_run),
				    .event = hear,
				    .event_data = heard,
				    .tell = hear_line,
				    .tell_data = heard };
}

static void
add(struct told *told, const char *call, const char *subject)
{
	struct broker_event event = { .kind = BROKER_DENIED };

	event.denial = denial("write.outside", call, "--write", subject);
	told_add(told, &event);
}

static void
same_refusal_is_told_once(void **state)
{
	struct heard heard = { 0 };
	struct bailey_run run = run_for(&heard);
	AUTO_TOLD told = { .run = &run };

	(void)state;
	for (int i = 0; i < 3; i++) {
		add(&told, "openat", "/nowhere/a");
		add(&told, "openat", "/nowhere/b");
		add(&told, "unlink", "/nowhere/a");
	}
	assert_int_equal(told.count, 3);
	assert_int_equal(heard.events[BAILEY_EVENT_REFUSED], 3);
	told_list(&told);
	assert_int_equal(heard.lines, 3);
	assert_string_equal(heard.line, "refused: unlink /nowhere/a: outside of the writable roots "
					"(--write /nowhere)");
}

static void
nothing_refused_is_nothing_said(void **state)
{
	struct heard heard = { 0 };
	struct bailey_run run = run_for(&heard);
	AUTO_TOLD told = { .run = &run };

	(void)state;
	told_list(&told);
	assert_int_equal(heard.lines, 0);
	told_started(&told, 5);
	assert_string_equal(heard.last, "{\"event\":\"started\",\"pid\":5}");
	told_ended(&told, 3, "exit", NULL);
	assert_string_equal(heard.last, "{\"event\":\"ended\",\"status\":3,\"reason\":\"exit\","
					"\"refused\":0,\"lost\":0}");
	/* and where there is nobody at all */
	told_started(NULL, 5);
	told_add(NULL, &(struct broker_event){ .kind = BROKER_LOST, .error = 1 });
	told_list(NULL);
	told_ended(NULL, 0, "exit", NULL);
	run.event = NULL;
	run.tell = NULL;
	add(&told, "openat", "/nowhere/a");
	told_started(&told, 5);
	told_list(&told);
	told_ended(&told, 0, "exit", NULL);
}

static void
many_are_counted(void **state)
{
	struct heard heard = { 0 };
	struct bailey_run run = run_for(&heard);
	AUTO_TOLD told = { .run = &run };
	struct broker_event lost = { .kind = BROKER_LOST, .error = 40 };

	(void)state;
	for (size_t i = 0; i < TOLD_MAX + 5; i++) {
		char subject[32];

		(void)snprintf(subject, sizeof(subject), "/nowhere/%zu", i);
		add(&told, "openat", subject);
	}
	told_add(&told, &lost);
	assert_int_equal(told.count, TOLD_MAX);
	assert_int_equal(heard.events[BAILEY_EVENT_REFUSED], TOLD_MAX + 5);
	told_list(&told);
	assert_int_equal(heard.lines, 11);
	assert_string_equal(heard.line, "refused: 291 more (--json-status-fd lists all)");
	told_ended(&told, 0, "exit", NULL);
	assert_string_equal(heard.last, "{\"event\":\"ended\",\"status\":0,\"reason\":\"exit\","
					"\"refused\":301,\"lost\":40}");
}

static void
what_does_not_get_through_is_counted_too(void **state)
{
	struct heard heard = { .deaf = true };
	struct bailey_run run = run_for(&heard);
	AUTO_TOLD told = { .run = &run };

	(void)state;
	told_started(&told, 5);
	add(&told, "openat", "/nowhere/a");
	told_ended(&told, 125, "failed", "no \"such\" thing");
	assert_string_equal(heard.last,
			    "{\"event\":\"ended\",\"status\":125,\"reason\":\"failed\","
			    "\"refused\":1,\"lost\":2,\"message\":\"no \\\"such\\\" thing\"}");
}

/* A line for a terminal has nothing in it that a terminal obeys. */
static void
line_of_a_name_with_escapes_is_shown(void **state)
{
	struct heard heard = { 0 };
	struct bailey_run run = run_for(&heard);
	AUTO_TOLD told = { .run = &run };

	(void)state;
	add(&told, "openat", "/nowhere/\x1b]0;x\x07");
	told_list(&told);
	assert_null(strchr(heard.line, '\x1b'));
	assert_non_null(strstr(heard.line, "\\x1b]0;x\\x07"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_says_what_and_why_and_what_would_allow_it),
		cmocka_unit_test(json_has_what_an_agent_needs),
		cmocka_unit_test(json_of_any_bytes_is_json),
		cmocka_unit_test(subject_that_was_cut_is_text_still),
		cmocka_unit_test(same_refusal_is_told_once),
		cmocka_unit_test(nothing_refused_is_nothing_said),
		cmocka_unit_test(many_are_counted),
		cmocka_unit_test(what_does_not_get_through_is_counted_too),
		cmocka_unit_test(line_of_a_name_with_escapes_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
