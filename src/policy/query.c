/* SPDX-License-Identifier: MIT */
/*
 * May this path be read, may it be written? Each question is a row of rules, asked in order until
 * one decides; what takes away comes before what gives.
 */
#include "policy/places.h"

#include "base/attr.h"
#include "base/path.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

struct inquiry {
	const struct bailey_policy *policy;
	const struct bailey_scene *scene;
	struct arena arena;
	struct place asked;
	struct write_place *places;
	size_t place_count;
	struct bailey_answer *answer;
};

typedef bool (*rule_fn)(struct inquiry *);

/* What these are depends on who opens them: the command's own descriptors. */
static const char *const own_descriptors[] = {
	"/dev/fd",
	"/dev/stdin",
	"/dev/stdout",
	"/dev/stderr",
};

static bool
decide(struct inquiry *q, bool allowed, const char *rule, const char *entry, const char *why)
{
	char shown[TEXT_SHOWN_MAX];
	char shown_entry[TEXT_SHOWN_MAX];
	struct bailey_answer *answer = q->answer;

	answer->allowed = allowed;
	answer->rule = rule;
	(void)snprintf(answer->entry, sizeof(answer->entry), "%s", entry);
	(void)text_shown(shown, q->asked.name, strlen(q->asked.name));
	(void)text_shown(shown_entry, entry, strlen(entry));
	(void)snprintf(answer->text, sizeof(answer->text), "'%s' %s%s%s%s", shown, why,
		       entry[0] != '\0' ? " '" : "", shown_entry, entry[0] != '\0' ? "'" : "");
	return true;
}

/* ---- rules for both ------------------------------------------------------------------------ */

static bool
rule_unconfined(struct inquiry *q)
{
	if (q->policy->type == BAILEY_POLICY_DANGER_FULL_ACCESS) {
		return decide(q, true, "path.full-access", "", "is open: there is no sandbox");
	}
	if (q->policy->type == BAILEY_POLICY_EXTERNAL_SANDBOX) {
		return decide(q, true, "path.external", "", "is left to the external sandbox");
	}
	return false;
}

/* Without system calls nobody knows where the links below /proc lead. */
static bool
is_magic_link(const char *path)
{
	static const char *const names[] = { "/root", "/cwd", "/exe", "/fd", "/map_files" };

	for (size_t i = 0; path_under(path, "/proc") && i < COUNT_OF(names); i++) {
		const char *at = strstr(path, names[i]);
		size_t len = strlen(names[i]);

		if (at != NULL && (at[len] == '/' || at[len] == '\0')) {
			return true;
		}
	}
	return false;
}

static bool
rule_unresolvable(struct inquiry *q)
{
	if (q->scene->lexical && is_magic_link(q->asked.text)) {
		return decide(q, false, "path.unresolvable", q->asked.text,
			      "is a link whose target depends on a process:");
	}
	if (q->asked.real == NULL) {
		return decide(q, false, "path.unresolvable", q->asked.text,
			      "has symlinks that cannot be followed:");
	}
	return false;
}

static bool
rule_denied(struct inquiry *q)
{
	const struct strings *deny = &q->policy->deny;

	for (size_t i = 0; i < deny->count; i++) {
		struct place place;

		if (place_make(&q->arena, q->scene, deny->items[i], &place) == BAILEY_OK &&
		    place_touches(&place, &q->asked)) {
			return decide(q, false, "path.denied", deny->items[i],
				      "is denied by the policy:");
		}
	}
	return false;
}

static const char *
find_sensitive(struct inquiry *q, bool reading)
{
	size_t count;
	const struct sensitive_path *paths = policy_sensitive(q->policy, &count);

	for (size_t i = 0; i < count; i++) {
		struct place place;

		if ((reading ? paths[i].block_read : paths[i].block_write) &&
		    place_make(&q->arena, q->scene, paths[i].path, &place) == BAILEY_OK &&
		    place_touches(&place, &q->asked)) {
			return paths[i].path;
		}
	}
	return NULL;
}

static bool
is_open_device(const struct inquiry *q)
{
	for (size_t i = 0; i < policy_device_count; i++) {
		if (path_under(q->asked.real, policy_devices[i])) {
			return true;
		}
	}
	for (size_t i = 0; i < COUNT_OF(own_descriptors); i++) {
		if (path_under(q->asked.text, own_descriptors[i])) {
			return true;
		}
	}
	for (size_t i = 0; i < policy_device_group_count; i++) {
		const struct device_group *group = &policy_device_groups[i];

		if (strncmp(q->asked.real, group->prefix, strlen(group->prefix)) == 0 &&
		    policy_has_device_group(q->policy, group->name)) {
			return true;
		}
	}
	return false;
}

static const struct write_place *
find_writable(struct inquiry *q)
{
	const struct write_place *best = NULL;

	for (size_t i = 0; i < q->place_count; i++) {
		const struct write_place *place = &q->places[i];

		if (place_holds(&place->place, &q->asked) &&
		    (best == NULL || strlen(place->place.real) > strlen(best->place.real))) {
			best = place;
		}
	}
	return best;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool
rule_sensitive_read(struct inquiry *q)
{
	const char *entry = find_sensitive(q, true);

	return entry != NULL &&
	       decide(q, false, "read.sensitive", entry, "is in a sensitive path:");
}

static bool
rule_read_device(struct inquiry *q)
{
	if (!is_open_device(q)) {
		return false;
	}
	return decide(q, true, "read.device", "", "is a device that is open in this sandbox");
}

static bool
rule_read_writable(struct inquiry *q)
{
	const struct write_place *place = find_writable(q);

	return place != NULL && decide(q, true, "read.writable", place->place.name,
				       "is in a place that may be written:");
}

static bool
is_held_by(struct inquiry *q, const char *name)
{
	struct place place;

	return place_make(&q->arena, q->scene, name, &place) == BAILEY_OK &&
	       place_holds(&place, &q->asked);
}

static bool
rule_read_root(struct inquiry *q)
{
	const struct strings *roots = &q->policy->read_roots;

	for (size_t i = 0; i < roots->count; i++) {
		if (is_held_by(q, roots->items[i])) {
			return decide(q, true, "read.root", roots->items[i],
				      "is below a read root:");
		}
	}
	return false;
}

/* What is open although the policy names read roots. */
static bool
rule_read_system(struct inquiry *q)
{
	if (q->policy->read_roots.count == 0) {
		return false;
	}
	if (is_held_by(q, q->scene->cwd)) {
		return decide(q, true, "read.cwd", "", "is in the working directory");
	}
	for (size_t i = 0; i < policy_system_root_count; i++) {
		if (is_held_by(q, policy_system_roots[i])) {
			return decide(q, true, "read.system", policy_system_roots[i],
				      "is in a place that programs need to run:");
		}
	}
	return false;
}

static bool
rule_read_other_device(struct inquiry *q)
{
	return path_under(q->asked.real, "/dev") && strcmp(q->asked.real, "/dev") != 0 &&
	       decide(q, false, "read.other-device", "/dev", "is a device that is not opened:");
}

static bool
rule_read_proc(struct inquiry *q)
{
	return q->policy->proc == PROC_NONE && path_under(q->asked.real, "/proc") &&
	       decide(q, false, "read.proc", "/proc", "is hidden by 'proc':");
}

static bool
rule_read_rest(struct inquiry *q)
{
	if (q->policy->read_roots.count > 0) {
		return decide(q, false, "read.outside", "", "is in none of the read roots");
	}
	return decide(q, true, "read.default", "",
		      "may be read, as everything that is not sensitive or denied");
}

static const rule_fn read_rules[] = {
	rule_unconfined,	rule_unresolvable, rule_denied,
	rule_sensitive_read,	rule_read_device,  rule_read_writable,
	rule_read_other_device, rule_read_proc,	   rule_read_root,
	rule_read_system,	rule_read_rest,
};

/* ---- writing ------------------------------------------------------------------------------- */

static bool
rule_sensitive_write(struct inquiry *q)
{
	const char *entry = find_sensitive(q, false);

	return entry != NULL &&
	       decide(q, false, "write.sensitive", entry, "is in a sensitive path:");
}

static bool
rule_write_device(struct inquiry *q)
{
	if (!is_open_device(q)) {
		return false;
	}
	return decide(q, true, "write.device", "", "is a device that is open in this sandbox");
}

static bool
rule_write_read_only(struct inquiry *q)
{
	return q->policy->type == BAILEY_POLICY_READ_ONLY &&
	       decide(q, false, "write.read-only", "",
		      "cannot be written: the policy is read_only");
}

static bool
rule_write_outside(struct inquiry *q)
{
	return find_writable(q) == NULL &&
	       decide(q, false, "write.outside", "",
		      "is neither in the working directory nor in a writable root");
}

static bool
rule_write_protected(struct inquiry *q)
{
	const char *found = places_protected(&q->arena, q->policy, q->scene, q->places,
					     q->place_count, &q->asked);

	return found != NULL &&
	       decide(q, false, "write.protected", found, "is protected in a writable root:");
}

static bool
rule_write_inside(struct inquiry *q)
{
	const struct write_place *place = find_writable(q);

	return place != NULL &&
	       decide(q, true, place->rule, place->place.name, "is in a writable place:");
}

static const rule_fn write_rules[] = {
	rule_unconfined,      rule_unresolvable,    rule_denied,
	rule_sensitive_write, rule_write_device,    rule_write_read_only,
	rule_write_outside,   rule_write_protected, rule_write_inside,
};

/* ---- asking -------------------------------------------------------------------------------- */

static int
check_question(const struct bailey_scene *scene, const char *path, struct bailey_error *err)
{
	if (scene->cwd == NULL || scene->cwd[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the working directory of a scene must be an absolute path");
	}
	if (scene->home != NULL && scene->home[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "the home directory of a scene must be an absolute path");
	}
	if (path[0] == '\0') {
		return bailey_fail(err, BAILEY_E_INVALID, "the path is empty");
	}
	return BAILEY_OK;
}

static int
ask(const rule_fn rules[], size_t count, const struct bailey_policy *policy,
    const struct bailey_scene *scene, const char *path, struct bailey_answer *answer,
    struct bailey_error *err)
{
	struct inquiry q = { .policy = policy, .scene = scene, .answer = answer };
	int failed = check_question(scene, path, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	(void)place_make(&q.arena, scene, path, &q.asked);
	if (policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		(void)places_writable(&q.arena, policy, scene, &q.places, &q.place_count);
	}
	for (size_t i = 0; !q.arena.failed && i < count; i++) {
		if (rules[i](&q)) {
			break;
		}
	}
	failed = q.arena.failed ? bailey_fail(err, BAILEY_E_NOMEM, "no memory for a question")
				: BAILEY_OK;
	arena_finish(&q.arena);
	return failed;
}

int
bailey_policy_can_read(const struct bailey_policy *policy, const struct bailey_scene *scene,
		       const char *path, struct bailey_answer *answer, struct bailey_error *err)
{
	return ask(read_rules, COUNT_OF(read_rules), policy, scene, path, answer, err);
}

int
bailey_policy_can_write(const struct bailey_policy *policy, const struct bailey_scene *scene,
			const char *path, struct bailey_answer *answer, struct bailey_error *err)
{
	return ask(write_rules, COUNT_OF(write_rules), policy, scene, path, answer, err);
}
