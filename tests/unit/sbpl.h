/* SPDX-License-Identifier: MIT */
#ifndef TEST_SBPL_H
#define TEST_SBPL_H

/*
 * A small evaluator of the Seatbelt profile language for the tests of the export: it reads forms
 * as Scheme does and lets the last rule that matches decide. With it, the policies and the scene
 * that those tests share.
 */

#include "export/seatbelt.h"

#include "base/attr.h"
#include "base/path.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- reading a profile ------------------------------------------------------------------- */

enum form_kind { FORM_LIST, FORM_WORD, FORM_STRING, FORM_REGEX };

struct form {
	enum form_kind kind;
	char *text;
	struct form *items;
	size_t count;
};

struct reader {
	struct arena arena;
	const char *at;
};

static inline void read_form(struct reader *r, struct form *out, unsigned int depth);

static inline void
skip_blank(struct reader *r)
{
	for (;;) {
		r->at += strspn(r->at, " \n\t");
		if (*r->at != ';') {
			return;
		}
		r->at += strcspn(r->at, "\n");
	}
}

/* After the opening quote. `raw` is a regex literal, in which a backslash is itself. */
static inline char *
read_string(struct reader *r, bool raw)
{
	char *text = arena_alloc(&r->arena, strlen(r->at) + 1);
	size_t n = 0;

	for (; *r->at != '"'; r->at++) {
		assert_int_not_equal(*r->at, '\0');
		if (*r->at != '\\' || raw) {
			text[n++] = *r->at;
			continue;
		}
		r->at++;
		assert_non_null(strchr("\"\\ntr", *r->at));
		text[n++] = *r->at == 'n'   ? '\n'
			    : *r->at == 't' ? '\t'
			    : *r->at == 'r' ? '\r'
					    : *r->at;
	}
	r->at++;
	return text;
}

static inline void
read_list(struct reader *r, struct form *out, unsigned int depth)
{
	out->kind = FORM_LIST;
	for (skip_blank(r); *r->at != ')'; skip_blank(r)) {
		struct form *item;

		assert_int_not_equal(*r->at, '\0');
		item = arena_push(&r->arena, &out->items, &out->count, sizeof(*item));
		read_form(r, item, depth + 1);
	}
	r->at++;
}

static inline void
read_form(struct reader *r, struct form *out, unsigned int depth)
{
	size_t len;

	assert_true(depth < 8);
	if (*r->at == '(') {
		r->at++;
		read_list(r, out, depth);
		return;
	}
	if (*r->at == '"' || (r->at[0] == '#' && r->at[1] == '"')) {
		out->kind = *r->at == '#' ? FORM_REGEX : FORM_STRING;
		r->at += *r->at == '#' ? 2 : 1;
		out->text = read_string(r, out->kind == FORM_REGEX);
		return;
	}
	len = strcspn(r->at, " \n\t()\";");
	assert_true(len > 0);
	out->kind = FORM_WORD;
	out->text = arena_strndup(&r->arena, r->at, len);
	r->at += len;
}

/* ---- evaluating it ----------------------------------------------------------------------- */

struct profile {
	struct reader reader;
	struct form *rules;
	size_t count;
};

/* What is asked: an operation, and what it is about. */
struct question {
	const char *operation;
	const char *path;  /* of a file */
	const char *there; /* path of the unix socket that is connected to */
	const char *here;  /* path of the unix socket that is bound */
	const char *host;  /* "localhost:80" on either side */
	const char *name;  /* of a service, a sysctl, a piece of shared memory, a socket's domain */
};

static inline bool filter_matches(const struct form *filter, const struct question *q);

static inline bool
under(const char *path, const char *dir)
{
	return path != NULL && path_under(path, dir);
}

static inline bool
equal(const char *a, const char *b)
{
	return a != NULL && strcmp(a, b) == 0;
}

static inline bool
regex_matches(const char *pattern, const char *path)
{
	regex_t compiled;
	bool found;

	assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	found = path != NULL && regexec(&compiled, path, 0, NULL, 0) == 0;
	regfree(&compiled);
	return found;
}

/* (remote unix-socket), (remote unix-socket (subpath ...)), (local ip "...") and so on. */
static inline bool
endpoint_matches(const struct form *filter, const struct question *q)
{
	const char *socket = equal(filter->items[0].text, "remote") ? q->there : q->here;
	struct question about = { .path = socket };

	if (equal(filter->items[1].text, "ip")) {
		return equal(q->host, filter->items[2].text);
	}
	assert_string_equal(filter->items[1].text, "unix-socket");
	return socket != NULL && (filter->count == 2 || filter_matches(&filter->items[2], &about));
}

static inline bool
combined(const struct form *filter, const struct question *q, bool all)
{
	for (size_t i = 1; i < filter->count; i++) {
		if (filter_matches(&filter->items[i], q) != all) {
			return !all;
		}
	}
	return all;
}

static inline bool
prefixed(const char *text, const char *prefix)
{
	return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

static inline bool
filter_matches(const struct form *filter, const struct question *q)
{
	const char *kind = filter->items[0].text;
	const char *value = filter->count > 1 ? filter->items[1].text : NULL;

	if (equal(kind, "remote") || equal(kind, "local")) {
		return endpoint_matches(filter, q);
	}
	if (equal(kind, "require-all") || equal(kind, "require-any")) {
		return combined(filter, q, equal(kind, "require-all"));
	}
	if (equal(kind, "literal")) {
		return equal(q->path, value);
	}
	if (equal(kind, "subpath")) {
		return under(q->path, value);
	}
	if (equal(kind, "regex")) {
		assert_int_equal(filter->items[1].kind, FORM_REGEX);
		return regex_matches(value, q->path);
	}
	if (equal(kind, "sysctl-name-prefix") || equal(kind, "ipc-posix-name-prefix")) {
		return prefixed(q->name, value);
	}
	if (equal(kind, "global-name") || equal(kind, "local-name") ||
	    equal(kind, "socket-domain") || equal(kind, "target")) {
		return equal(q->name, value);
	}
	assert_string_equal(kind, "extension"); /* nothing has one here */
	return false;
}

static inline bool
operation_matches(const char *pattern, const char *operation)
{
	size_t n = strlen(pattern);

	if (equal(pattern, "default")) {
		return true;
	}
	return pattern[n - 1] == '*' ? strncmp(operation, pattern, n - 1) == 0
				     : equal(operation, pattern);
}

/* Operations are words and filters are lists; a rule without filters matches always. */
static inline bool
rule_matches(const struct form *rule, const struct question *q)
{
	bool operation = false;
	bool filters = false;
	bool matched = false;

	for (size_t i = 1; i < rule->count; i++) {
		const struct form *item = &rule->items[i];

		if (item->kind == FORM_WORD) {
			operation = operation || operation_matches(item->text, q->operation);
		} else {
			filters = true;
			matched = matched || filter_matches(item, q);
		}
	}
	return operation && (matched || !filters);
}

static inline bool
allowed(const struct profile *profile, const struct question *q)
{
	bool verdict = false;

	for (size_t i = 1; i < profile->count; i++) {
		const struct form *rule = &profile->rules[i];
		bool allow = equal(rule->items[0].text, "allow");

		assert_true(allow || equal(rule->items[0].text, "deny"));
		if (rule_matches(rule, q)) {
			verdict = allow;
		}
	}
	return verdict;
}

static inline void
parse(struct profile *profile, const char *text)
{
	struct reader *r = &profile->reader;

	r->at = text;
	for (skip_blank(r); *r->at != '\0'; skip_blank(r)) {
		struct form *rule;

		assert_int_equal(*r->at, '(');
		rule = arena_push(&r->arena, &profile->rules, &profile->count, sizeof(*rule));
		read_form(r, rule, 0);
		assert_int_equal(rule->kind, FORM_LIST);
		assert_int_equal(rule->items[0].kind, FORM_WORD);
	}
	if (profile->count < 2) {
		fail_msg("the profile has no rules");
		return;
	}
	assert_string_equal(profile->rules[0].items[0].text, "version");
	assert_string_equal(profile->rules[0].items[1].text, "1");
	assert_string_equal(profile->rules[1].items[1].text, "default");
}

static inline void
profile_finish(struct profile *profile)
{
	arena_finish(&profile->reader.arena);
}

#define AUTO_PROFILE __attribute__((cleanup(profile_finish))) struct profile

/* ---- policies ---------------------------------------------------------------------------- */

#define LIST(name)                                                                                 \
	{                                                                                          \
		.items = (name), .count = COUNT_OF(name)                                           \
	}

static const struct bailey_scene scene = {
	.cwd = "/Users/u/proj",
	.home = "/Users/u",
	.tmpdir = "/var/folders/x/T",
	.lexical = true,
};

static const char *other_root[] = { "~/other", "/tmp/build" };
static const char *denied[] = { "/Users/u/proj/secrets" };

static inline struct bailey_policy
workspace(void)
{
	return (struct bailey_policy){
		.type = BAILEY_POLICY_WORKSPACE_WRITE,
		.writable_roots = LIST(other_root),
		.sensitive_defaults = true,
		.exclude_tmpdir_env_var = true,
		.exclude_slash_tmp = true,
		.deny = LIST(denied),
		.protect = true,
	};
}

static inline struct bailey_policy
read_only(void)
{
	return (struct bailey_policy){
		.type = BAILEY_POLICY_READ_ONLY,
		.sensitive_defaults = true,
		.protect = true,
	};
}

static inline void
load_at(struct profile *profile, const struct bailey_policy *policy,
	const struct bailey_scene *where)
{
	AUTO_FREE char *text = NULL;
	struct bailey_error err = { 0 };

	if (bailey_export_seatbelt(policy, where, &text, &err) != BAILEY_OK) {
		fail_msg("%s", err.message);
	}
	parse(profile, text);
}

static inline void
load(struct profile *profile, const struct bailey_policy *policy)
{
	load_at(profile, policy, &scene);
}

static inline bool
may(const struct profile *profile, const char *operation, const char *path)
{
	return allowed(profile, &(struct question){ .operation = operation, .path = path });
}

struct expectation {
	const char *operation;
	const char *path;
	bool allowed;
};

static inline void
expect(const struct profile *profile, const struct expectation *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (may(profile, table[i].operation, table[i].path) != table[i].allowed) {
			fail_msg("%s %s must be %s", table[i].operation, table[i].path,
				 table[i].allowed ? "allowed" : "denied");
		}
	}
}

#endif /* TEST_SBPL_H */
