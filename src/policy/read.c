/* SPDX-License-Identifier: MIT */
/*
 * From a document to a policy: the keys as a whole, and the lists of paths and strings. Every
 * reader works on top of what the policy already has, which for the wire form is nothing and for a
 * profile what it extends.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/text.h"

#include <assert.h>
#include <string.h>

static int
fail_memory(struct node node, struct bailey_error *err)
{
	return node_fail(node, BAILEY_E_NOMEM, err, "no memory for a policy");
}

/* "'x' is empty" at the value's place. */
static int
fail_value(struct node node, const char *text, const char *problem, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];

	assert(text != NULL);
	return node_fail(node, BAILEY_E_INVALID, err, "'%s' %s",
			 text_shown(shown, text, strlen(text)), problem);
}

static int
expect_array(struct node node, struct bailey_error *err)
{
	if (!json_is_array(node.value)) {
		return node_fail(node, BAILEY_E_INVALID, err, "expected an array");
	}
	return BAILEY_OK;
}

/* A string that must be there: the member `key` of `object`. */
static int
required_string(struct node object, const char *key, struct node *at, const char **out,
		struct bailey_error *err)
{
	*at = node_get(object, key);
	if (at->value == NULL) {
		return node_fail(object, BAILEY_E_INVALID, err, "'%s' is missing", key);
	}
	return node_string(*at, out, err);
}

static int
append_checked(struct bailey_policy *policy, struct node at, enum value_form form, const char *text,
	       struct strings *list, struct bailey_error *err)
{
	const char *problem = value_problem(form, text);

	if (problem != NULL) {
		return fail_value(at, text, problem, err);
	}
	return policy_append(policy, list, text) ? BAILEY_OK : fail_memory(at, err);
}

int
policy_read_strings(struct bailey_policy *policy, struct node array, enum value_form form,
		    struct strings *list, struct bailey_error *err)
{
	size_t count = json_array_size(array.value);
	int failed = expect_array(array, err);

	for (size_t i = 0; failed == BAILEY_OK && i < count; i++) {
		struct node item = node_at(array, i);
		const char *text = NULL;

		failed = node_string(item, &text, err);
		if (failed == BAILEY_OK) {
			failed = append_checked(policy, item, form, text, list, err);
		}
	}
	return failed;
}

int
read_roots(struct reading *reading, struct node node, struct bailey_error *err)
{
	static const char *const keys[] = { "root" };
	struct bailey_policy *policy = reading->policy;
	size_t count = json_array_size(node.value);
	int failed = expect_array(node, err);

	for (size_t i = 0; failed == BAILEY_OK && i < count; i++) {
		struct node item = node_at(node, i);
		struct node at = item;
		const char *text = NULL;

		if (reading->profile && json_is_string(item.value)) {
			failed = node_string(item, &text, err);
		} else {
			failed = node_keys(item, keys, COUNT_OF(keys), err);
			failed = failed == BAILEY_OK
					 ? required_string(item, "root", &at, &text, err)
					 : failed;
		}
		if (failed == BAILEY_OK) {
			failed = append_checked(policy, at, VALUE_ROOT, text,
						&policy->writable_roots, err);
		}
	}
	return failed;
}

static int
read_sensitive_entry(struct bailey_policy *policy, struct node item, struct bailey_error *err)
{
	static const char *const keys[] = { "path", "block_read", "block_write" };
	struct sensitive_path entry = { .path = "", .block_read = true, .block_write = true };
	struct sensitive_path *slot;
	struct node at;
	const char *problem;
	int failed = node_keys(item, keys, COUNT_OF(keys), err);

	if (failed == BAILEY_OK) {
		failed = required_string(item, "path", &at, &entry.path, err);
	}
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(item, "block_read"), &entry.block_read, err);
	}
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(item, "block_write"), &entry.block_write, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	problem = value_problem(VALUE_PATH, entry.path);
	if (problem != NULL) {
		return fail_value(at, entry.path, problem, err);
	}
	entry.path = arena_strdup(&policy->arena, entry.path);
	slot = arena_push(&policy->arena, &policy->sensitive, &policy->sensitive_count,
			  sizeof(*slot));
	if (entry.path == NULL || slot == NULL) {
		return fail_memory(item, err);
	}
	*slot = entry;
	return BAILEY_OK;
}

/*
 * In the wire form null is the defaults and an array, even an empty one, is all there is. In a
 * profile an array adds to what is there, and a table says more.
 */
int
read_sensitive(struct reading *reading, struct node node, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;
	size_t count = json_array_size(node.value);
	int failed;

	if (json_is_null(node.value)) {
		policy->sensitive_defaults = true;
		return BAILEY_OK;
	}
	if (reading->profile && json_is_object(node.value)) {
		return policy_read_sensitive_table(policy, node, err);
	}
	failed = expect_array(node, err);
	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!reading->profile) {
		policy->sensitive_defaults = false;
	} else if (count > 0 && !policy_own_sensitive(policy)) {
		return fail_memory(node, err);
	}
	for (size_t i = 0; failed == BAILEY_OK && i < count; i++) {
		failed = read_sensitive_entry(policy, node_at(node, i), err);
	}
	return failed;
}

int
read_description(struct reading *reading, struct node node, struct bailey_error *err)
{
	const char *text = NULL;
	int failed = node_string(node, &text, err);

	if (failed != BAILEY_OK || text[0] == '\0') {
		return failed;
	}
	reading->policy->description = arena_strdup(&reading->policy->arena, text);
	return reading->policy->description != NULL ? BAILEY_OK : fail_memory(node, err);
}

int
read_tmp(struct reading *reading, struct node node, struct bailey_error *err)
{
	size_t word = 0;
	int failed = node_enum(node, tmp_names, COUNT_OF(tmp_names), &word, err);

	if (failed == BAILEY_OK) {
		reading->policy->tmp = (enum tmp_mode)word;
		reading->policy->tmp_is_set = true;
	}
	return failed;
}

int
read_loopback(struct reading *reading, struct node node, struct bailey_error *err)
{
	size_t word = 0;
	int failed = node_enum(node, loopback_names, COUNT_OF(loopback_names), &word, err);

	if (failed == BAILEY_OK) {
		reading->policy->loopback = (enum loopback_mode)word;
	}
	return failed;
}

static int
read_word(struct bailey_policy *policy, const struct key *key, struct node node,
	  struct bailey_error *err)
{
	size_t word = 0;
	unsigned int value;
	int failed = node_enum(node, key->words, key->word_count, &word, err);

	if (failed == BAILEY_OK) {
		value = (unsigned int)word;
		memcpy(policy_field(policy, key), &value, sizeof(value));
	}
	return failed;
}

static int
read_key(struct reading *reading, const struct key *key, struct node node, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;

	switch (key->kind) {
	case KEY_BOOL:
		return node_bool(node, policy_field(policy, key), err);
	case KEY_WORD:
		return read_word(policy, key, node, err);
	case KEY_STRINGS:
		return policy_read_strings(policy, node, key->form, policy_field(policy, key), err);
	case KEY_SPECIAL:
		return key->read(reading, node, err);
	}
	return BAILEY_OK;
}

static bool
is_hidden(const struct reading *reading, const struct key *key)
{
	return reading->config && key->not_in_config;
}

/* A key that another kind of policy has deserves a better answer than "unknown". */
static int
check_keys(const struct reading *reading, struct node object, const char *const more[],
	   size_t more_count, struct bailey_error *err)
{
	enum bailey_policy_type type = reading->policy->type;
	const char *known[POLICY_KEYS_MAX];
	size_t count = 0;
	int failed;

	for (size_t i = 0; i < more_count; i++) {
		known[count++] = more[i];
	}
	for (size_t i = 0; i < policy_key_count; i++) {
		if (!is_hidden(reading, &policy_keys[i])) {
			known[count++] = policy_keys[i].name;
		}
	}
	failed = node_keys(object, known, count, err);
	for (size_t i = 0; failed == BAILEY_OK && i < policy_key_count; i++) {
		const struct key *key = &policy_keys[i];
		struct node node = node_get(object, key->name);

		if (node.value != NULL && !is_hidden(reading, key) &&
		    (key->types & BIT(type)) == 0) {
			failed = node_fail(node, BAILEY_E_INVALID, err,
					   "'%s' does not apply to a policy of type '%s'",
					   key->name, policy_type_names[type]);
		}
	}
	return failed;
}

int
policy_read_keys(struct reading *reading, struct node object, const char *const more[],
		 size_t more_count, struct bailey_error *err)
{
	int failed = check_keys(reading, object, more, more_count, err);

	for (size_t i = 0; failed == BAILEY_OK && i < policy_key_count; i++) {
		const struct key *key = &policy_keys[i];
		struct node node = node_get(object, key->name);

		if (node.value != NULL && !is_hidden(reading, key)) {
			failed = read_key(reading, key, node, err);
		}
	}
	return failed;
}

int
policy_read_type(struct node object, enum bailey_policy_type *type, struct bailey_error *err)
{
	struct node node;
	size_t word = 0;
	int failed;

	if (!json_is_object(object.value)) {
		return node_fail(object, BAILEY_E_INVALID, err, "expected an object with a 'type'");
	}
	node = node_get(object, "type");
	if (node.value == NULL) {
		return node_fail(object, BAILEY_E_INVALID, err,
				 "'type' is missing; expected 'read_only', 'workspace_write', "
				 "'danger_full_access' or 'external_sandbox'");
	}
	failed = node_enum(node, policy_type_names, POLICY_TYPES, &word, err);
	if (failed == BAILEY_OK) {
		*type = (enum bailey_policy_type)word;
	}
	return failed;
}

int
policy_read_wire(struct node object, struct bailey_policy **out, struct bailey_error *err)
{
	static const char *const more[] = { "type" };
	AUTO_POLICY *policy = NULL;
	struct reading reading = { .whole = true };
	enum bailey_policy_type type = BAILEY_POLICY_READ_ONLY;
	int failed = policy_read_type(object, &type, err);

	if (failed == BAILEY_OK) {
		failed = policy_create(type, true, &policy, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	reading.policy = policy;
	failed = policy_read_keys(&reading, object, more, COUNT_OF(more), err);
	if (failed == BAILEY_OK) {
		*out = take_ptr(policy);
	}
	return failed;
}

int
bailey_policy_from_json(const char *source, const char *text, size_t len,
			struct bailey_policy **out, struct bailey_error *err)
{
	AUTO_DOC *doc = NULL;
	int failed = doc_parse_json(source, text, len, &doc, err);

	return failed == BAILEY_OK ? policy_read_wire(doc_root(doc), out, err) : failed;
}
