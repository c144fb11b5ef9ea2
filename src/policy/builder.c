/* SPDX-License-Identifier: MIT */
/*
 * The setters. Which kind of policy has a setting, and what its values may be, is asked of the
 * table of keys and of values.c, so that nothing can be set that could not be written and read.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static int
fail_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a policy");
}

static int
fail_value(const char *key, const char *text, const char *problem, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];

	return bailey_fail(err, BAILEY_E_INVALID, "%s: '%s' %s", key,
			   text_shown(shown, text, strlen(text)), problem);
}

static int
fail_word(const char *what, const char *word, const char *const names[], size_t count,
	  struct bailey_error *err)
{
	AUTO_STRBUF advice = STRBUF_INIT;
	char shown[TEXT_SHOWN_MAX];
	const char *near = suggest(word, names, count);

	if (near != NULL) {
		strbuf_printf(&advice, "did you mean '%s'?", near);
	} else {
		for (size_t i = 0; i < count; i++) {
			strbuf_printf(&advice, "%s'%s'", i > 0 ? ", " : "expected one of ",
				      names[i]);
		}
	}
	return bailey_fail(err, BAILEY_E_INVALID, "unknown %s '%s'; %s", what,
			   text_shown(shown, word, strlen(word)), advice.text);
}

static bool
find_word(const char *word, const char *const names[], size_t count, size_t *at)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], word) == 0) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* Does this kind of policy have the setting? */
static int
find_key(const struct bailey_policy *policy, const char *name, const struct key **out,
	 struct bailey_error *err)
{
	const struct key *key = policy_key(name);

	if (key == NULL || (key->types & BIT(policy->type)) == 0) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "'%s' does not apply to a policy of type '%s'", name,
				   policy_type_names[policy->type]);
	}
	*out = key;
	return BAILEY_OK;
}

static int
append(struct bailey_policy *policy, const char *name, struct strings *list, enum value_form form,
       const char *text, struct bailey_error *err)
{
	const struct key *key = NULL;
	int failed = find_key(policy, name, &key, err);
	const char *problem = value_problem(form, text);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (problem != NULL) {
		return fail_value(name, text, problem, err);
	}
	return policy_append(policy, list, text) ? BAILEY_OK : fail_memory(err);
}

static int
set_bool(struct bailey_policy *policy, const char *name, bool on, struct bailey_error *err)
{
	const struct key *key = NULL;
	int failed = find_key(policy, name, &key, err);

	if (key != NULL) {
		*(bool *)policy_field(policy, key) = on;
	}
	return failed;
}

static int
set_word(struct bailey_policy *policy, const char *name, const char *word, struct bailey_error *err)
{
	const struct key *key = NULL;
	unsigned int value;
	size_t at;
	int failed = find_key(policy, name, &key, err);

	if (key == NULL) {
		return failed;
	}
	if (!find_word(word, key->words, key->word_count, &at)) {
		return fail_word(name, word, key->words, key->word_count, err);
	}
	value = (unsigned int)at;
	memcpy(policy_field(policy, key), &value, sizeof(value));
	return BAILEY_OK;
}

int
bailey_policy_type_parse(const char *name, enum bailey_policy_type *out, struct bailey_error *err)
{
	char word[32];
	size_t at;
	size_t len = strlen(name);

	if (len < sizeof(word)) {
		for (size_t i = 0; i <= len; i++) {
			word[i] = name[i] == '-' ? '_' : name[i];
		}
		if (find_word(word, policy_type_names, POLICY_TYPES, &at)) {
			*out = (enum bailey_policy_type)at;
			return BAILEY_OK;
		}
	}
	return fail_word("kind of policy", name, policy_type_names, POLICY_TYPES, err);
}

/* ---- paths --------------------------------------------------------------------------------- */

int
bailey_policy_add_writable_root(struct bailey_policy *policy, const char *dir,
				struct bailey_error *err)
{
	return append(policy, "writable_roots", &policy->writable_roots, VALUE_ROOT, dir, err);
}

int
bailey_policy_add_read_root(struct bailey_policy *policy, const char *path,
			    struct bailey_error *err)
{
	return append(policy, "read_roots", &policy->read_roots, VALUE_PATH, path, err);
}

int
bailey_policy_add_exec_root(struct bailey_policy *policy, const char *path,
			    struct bailey_error *err)
{
	return append(policy, "exec_roots", &policy->exec_roots, VALUE_PATH, path, err);
}

int
bailey_policy_add_deny(struct bailey_policy *policy, const char *path, struct bailey_error *err)
{
	return append(policy, "deny", &policy->deny, VALUE_PATH, path, err);
}

int
bailey_policy_add_sensitive(struct bailey_policy *policy, const char *path, bool block_read,
			    bool block_write, struct bailey_error *err)
{
	const struct key *key;
	struct sensitive_path *slot;
	const char *problem = value_problem(VALUE_PATH, path);
	bool defaults = policy->sensitive_defaults;
	const char *copy;
	int failed = find_key(policy, "sensitive_paths", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (problem != NULL) {
		return fail_value("sensitive_paths", path, problem, err);
	}
	copy = arena_strdup(&policy->arena, path);
	if (copy == NULL || !policy_own_sensitive(policy)) {
		return fail_memory(err);
	}
	slot = arena_push(&policy->arena, &policy->sensitive, &policy->sensitive_count,
			  sizeof(*slot));
	if (slot == NULL) {
		policy->sensitive_defaults = defaults;
		return fail_memory(err);
	}
	*slot = (struct sensitive_path){ copy, block_read, block_write };
	return BAILEY_OK;
}

int
bailey_policy_clear_sensitive(struct bailey_policy *policy, struct bailey_error *err)
{
	const struct key *key = NULL;
	int failed = find_key(policy, "sensitive_paths", &key, err);

	if (failed == BAILEY_OK) {
		policy->sensitive_defaults = false;
		policy->sensitive = NULL;
		policy->sensitive_count = 0;
	}
	return failed;
}

int
bailey_policy_add_unix_socket(struct bailey_policy *policy, const char *path,
			      struct bailey_error *err)
{
	return append(policy, "unix_sockets", &policy->unix_sockets, VALUE_SOCKET, path, err);
}

int
bailey_policy_add_device(struct bailey_policy *policy, const char *group, struct bailey_error *err)
{
	return append(policy, "devices", &policy->devices, VALUE_DEVICE, group, err);
}

int
bailey_policy_set_protect(struct bailey_policy *policy, bool on, struct bailey_error *err)
{
	return set_bool(policy, "protect", on, err);
}

int
bailey_policy_add_protected(struct bailey_policy *policy, const char *name,
			    struct bailey_error *err)
{
	return append(policy, "protected", &policy->protected, VALUE_NAME, name, err);
}

int
bailey_policy_set_protect_git(struct bailey_policy *policy, const char *how,
			      struct bailey_error *err)
{
	return set_word(policy, "protect_git", how, err);
}

/* ---- network ------------------------------------------------------------------------------- */

/* Without sockets an allowed network would be none. read_only derives this by itself. */
static void
follow_network(struct bailey_policy *policy)
{
	if (policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		policy->seccomp.allow_network_sockets = policy_has_network(policy);
	}
}

int
bailey_policy_set_network_access(struct bailey_policy *policy, bool allowed,
				 struct bailey_error *err)
{
	int failed = set_bool(policy, "network_access", allowed, err);

	if (failed == BAILEY_OK) {
		policy->allowlist = NULL;
		policy->allowlist_count = 0;
		follow_network(policy);
	}
	return failed;
}

int
bailey_policy_allow_net(struct bailey_policy *policy, const char *destination,
			struct bailey_error *err)
{
	const struct key *key;
	const char *problem = NULL;
	struct net_entry entry;
	struct net_entry *slot;
	int failed = find_key(policy, "network_allowlist", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	failed = net_entry_parse(&policy->arena, destination, &entry, &problem);
	if (failed == BAILEY_E_INVALID) {
		return fail_value("network_allowlist", destination, problem, err);
	}
	if (failed != BAILEY_OK) {
		return fail_memory(err);
	}
	slot = arena_push(&policy->arena, &policy->allowlist, &policy->allowlist_count,
			  sizeof(*slot));
	if (slot == NULL) {
		return fail_memory(err);
	}
	*slot = entry;
	policy->network_access = true;
	follow_network(policy);
	return BAILEY_OK;
}

int
bailey_policy_add_bind_port(struct bailey_policy *policy, uint16_t port, struct bailey_error *err)
{
	const struct key *key;
	uint16_t *slot;
	int failed = find_key(policy, "bind_ports", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (port == 0) {
		return fail_value("bind_ports", "0", "is not a port; expected 1 to 65535", err);
	}
	slot = arena_push(&policy->arena, &policy->bind_ports, &policy->bind_port_count,
			  sizeof(*slot));
	if (slot == NULL) {
		return fail_memory(err);
	}
	*slot = port;
	return BAILEY_OK;
}

int
bailey_policy_add_resolve(struct bailey_policy *policy, const char *name, const char *address,
			  struct bailey_error *err)
{
	const struct key *key;
	const char *problem = NULL;
	struct resolve_entry entry;
	struct resolve_entry *slot;
	int failed = find_key(policy, "resolve", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	failed = domain_normalize(&policy->arena, name, false, &entry.name, &problem);
	if (failed == BAILEY_E_INVALID) {
		return fail_value("resolve", name, problem, err);
	}
	if (failed == BAILEY_OK) {
		failed = domain_normalize(&policy->arena, address, false, &entry.address, &problem);
		if (failed == BAILEY_E_INVALID ||
		    (failed == BAILEY_OK && !domain_is_address(entry.address))) {
			return fail_value("resolve", address, "is not an IPv4 or IPv6 address",
					  err);
		}
	}
	if (policy->resolve_count >= POLICY_RESOLVE_MAX) {
		return bailey_fail(err, BAILEY_E_LIMIT, "resolve: more than %d names",
				   POLICY_RESOLVE_MAX);
	}
	slot = failed == BAILEY_OK ? arena_push(&policy->arena, &policy->resolve,
						&policy->resolve_count, sizeof(*slot))
				   : NULL;
	if (slot == NULL) {
		return fail_memory(err);
	}
	*slot = entry;
	return BAILEY_OK;
}

/* ---- limits, temp, caches and the like ----------------------------------------------------- */

int
bailey_policy_set_limit(struct bailey_policy *policy, const char *name, uint64_t value,
			struct bailey_error *err)
{
	const struct key *key;
	size_t at;
	int failed = find_key(policy, "resource_limits", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!find_word(name, limit_names, COUNT_OF(limit_names), &at)) {
		return fail_word("limit", name, limit_names, COUNT_OF(limit_names), err);
	}
	if (value > limit_max(at)) {
		return bailey_fail(err, BAILEY_E_INVALID, "%s: %" PRIu64 " is over %" PRIu64, name,
				   value, limit_max(at));
	}
	*limit_at(&policy->limits, at) = value;
	return BAILEY_OK;
}

int
bailey_policy_set_limits_preset(struct bailey_policy *policy, const char *preset,
				struct bailey_error *err)
{
	const struct key *key;
	size_t at;
	int failed = find_key(policy, "resource_limits", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!find_word(preset, policy_preset_names, POLICY_PRESETS, &at)) {
		return fail_word("preset", preset, policy_preset_names, POLICY_PRESETS, err);
	}
	policy->limits = policy_presets[at];
	return BAILEY_OK;
}

int
bailey_policy_set_tmp(struct bailey_policy *policy, const char *how, struct bailey_error *err)
{
	const struct key *key;
	size_t at;
	int failed = find_key(policy, "tmp", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!find_word(how, tmp_names, COUNT_OF(tmp_names), &at)) {
		return fail_word("tmp", how, tmp_names, COUNT_OF(tmp_names), err);
	}
	policy->tmp = (enum tmp_mode)at;
	policy->tmp_is_set = true;
	return BAILEY_OK;
}

int
bailey_policy_set_loopback(struct bailey_policy *policy, const char *how, struct bailey_error *err)
{
	const struct key *key = NULL;
	size_t at = 0;
	int failed = find_key(policy, "loopback", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!find_word(how, loopback_names, COUNT_OF(loopback_names), &at)) {
		return fail_word("loopback", how, loopback_names, COUNT_OF(loopback_names), err);
	}
	policy->loopback = (enum loopback_mode)at;
	return BAILEY_OK;
}

int
bailey_policy_set_real_tmp(struct bailey_policy *policy, bool tmpdir, bool slash_tmp,
			   struct bailey_error *err)
{
	int failed = set_bool(policy, "exclude_tmpdir_env_var", !tmpdir, err);

	return failed == BAILEY_OK ? set_bool(policy, "exclude_slash_tmp", !slash_tmp, err)
				   : failed;
}

int
bailey_policy_set_caches(struct bailey_policy *policy, const char *how, struct bailey_error *err)
{
	return set_word(policy, "caches", how, err);
}

int
bailey_policy_set_proc(struct bailey_policy *policy, const char *how, struct bailey_error *err)
{
	return set_word(policy, "proc", how, err);
}

int
bailey_policy_set_hide_names(struct bailey_policy *policy, bool on, struct bailey_error *err)
{
	return set_bool(policy, "hide_names", on, err);
}

int
bailey_policy_set_ipc(struct bailey_policy *policy, bool on, struct bailey_error *err)
{
	return set_bool(policy, "ipc", on, err);
}

/* ---- seccomp ------------------------------------------------------------------------------- */

int
bailey_policy_set_seccomp(struct bailey_policy *policy, const char *profile,
			  struct bailey_error *err)
{
	const struct key *key;
	size_t at;
	int failed = find_key(policy, "seccomp_profile", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!find_word(profile, policy_seccomp_names, POLICY_SECCOMP_NAMES, &at)) {
		return fail_word("seccomp profile", profile, policy_seccomp_names,
				 POLICY_SECCOMP_NAMES, err);
	}
	if (policy->type == BAILEY_POLICY_READ_ONLY && at != SECCOMP_NAME_STRICT) {
		return fail_value("seccomp_profile", profile,
				  "does not apply: a read_only policy is always strict", err);
	}
	policy_use_seccomp(&policy->seccomp, at);
	return BAILEY_OK;
}

int
bailey_policy_block_syscall(struct bailey_policy *policy, const char *name,
			    struct bailey_error *err)
{
	return append(policy, "seccomp_profile", &policy->seccomp.additional, VALUE_SYSCALL, name,
		      err);
}

int
bailey_policy_set_seccomp_allowlist(struct bailey_policy *policy, bool on, struct bailey_error *err)
{
	const struct key *key = NULL;
	int failed = find_key(policy, "seccomp_profile", &key, err);

	if (failed == BAILEY_OK) {
		policy->seccomp.mode = on ? SECCOMP_ALLOWLIST : SECCOMP_DENYLIST;
	}
	return failed;
}

int
bailey_policy_allow_syscall(struct bailey_policy *policy, const char *name,
			    struct bailey_error *err)
{
	return append(policy, "seccomp_profile", &policy->seccomp.allowed, VALUE_SYSCALL, name,
		      err);
}

int
bailey_policy_set_description(struct bailey_policy *policy, const char *text,
			      struct bailey_error *err)
{
	const struct key *key;
	const char *copy;
	int failed = find_key(policy, "description", &key, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	copy = arena_strdup(&policy->arena, text);
	if (copy == NULL) {
		return fail_memory(err);
	}
	policy->description = copy[0] != '\0' ? copy : NULL;
	return BAILEY_OK;
}
