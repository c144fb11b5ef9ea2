/* SPDX-License-Identifier: MIT */
/*
 * The [sandbox] table of a configuration file, as vtcode-safety's host program has it, with the
 * keys of the wire form and Bailey's additions beside its own.
 *
 * Where it cannot be followed to the letter, the result is stricter than what it says: "enabled =
 * false" and a disabled seccomp profile do not switch Bailey off, and exceptions to the sensitive
 * paths and looser seccomp profiles have no effect on read_only.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/path.h"
#include "base/text.h"

#include <string.h>

static int
fail_memory(struct node node, struct bailey_error *err)
{
	return node_fail(node, BAILEY_E_NOMEM, err, "no memory for a policy");
}

/* ---- sensitive paths ----------------------------------------------------------------------- */

/* Do two paths say the same, but for doubled and trailing slashes? */
static bool
same_path(struct arena *scratch, const char *a, const char *b)
{
	const char *x = path_normalize(scratch, "/", a);
	const char *y = path_normalize(scratch, "/", b);

	return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* Takes `path` out of the policy's own list. */
static bool
remove_sensitive(struct bailey_policy *policy, struct arena *scratch, const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < policy->sensitive_count; i++) {
		if (!same_path(scratch, policy->sensitive[i].path, path)) {
			policy->sensitive[kept++] = policy->sensitive[i];
		}
	}
	if (kept == policy->sensitive_count) {
		return false;
	}
	policy->sensitive_count = kept;
	return true;
}

static int
read_exceptions(struct bailey_policy *policy, struct node node, struct bailey_error *err)
{
	AUTO_ARENA scratch = { 0 };
	struct strings list = { 0 };
	int failed = policy_read_strings(policy, node, VALUE_PATH, &list, err);

	if (failed != BAILEY_OK || policy->type == BAILEY_POLICY_READ_ONLY) {
		return failed;
	}
	for (size_t i = 0; i < list.count; i++) {
		char shown[TEXT_SHOWN_MAX];

		if (!policy_own_sensitive(policy)) {
			return fail_memory(node, err);
		}
		if (!remove_sensitive(policy, &scratch, list.items[i])) {
			return scratch.failed
				       ? fail_memory(node, err)
				       : node_fail(node_at(node, i), BAILEY_E_INVALID, err,
						   "'%s' is not one of the sensitive paths; an "
						   "exception names one of them as a whole",
						   text_shown(shown, list.items[i],
							      strlen(list.items[i])));
		}
	}
	return BAILEY_OK;
}

/* A read_only policy has no list of its own; what is added is denied there, which is as strict. */
static int
read_additional(struct bailey_policy *policy, struct node node, struct bailey_error *err)
{
	struct strings list = { 0 };
	int failed;

	if (policy->type == BAILEY_POLICY_READ_ONLY) {
		return policy_read_strings(policy, node, VALUE_PATH, &policy->deny, err);
	}
	failed = policy_read_strings(policy, node, VALUE_PATH, &list, err);
	for (size_t i = 0; failed == BAILEY_OK && i < list.count; i++) {
		failed = bailey_policy_add_sensitive(policy, list.items[i], true, true, NULL);
	}
	return failed == BAILEY_E_NOMEM ? fail_memory(node, err) : failed;
}

int
policy_read_sensitive_table(struct bailey_policy *policy, struct node table,
			    struct bailey_error *err)
{
	static const char *const keys[] = { "use_defaults", "additional", "exceptions" };
	struct node additional = node_get(table, "additional");
	struct node exceptions = node_get(table, "exceptions");
	bool use_defaults = true;
	int failed = node_keys(table, keys, COUNT_OF(keys), err);

	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(table, "use_defaults"), &use_defaults, err);
	}
	if (failed == BAILEY_OK && !use_defaults && policy->type != BAILEY_POLICY_READ_ONLY) {
		failed = bailey_policy_clear_sensitive(policy, err);
	}
	if (failed == BAILEY_OK && exceptions.value != NULL) {
		failed = read_exceptions(policy, exceptions, err);
	}
	if (failed == BAILEY_OK && additional.value != NULL) {
		failed = read_additional(policy, additional, err);
	}
	return failed;
}

/* ---- network ------------------------------------------------------------------------------- */

enum network { NET_ALLOWLIST_ONLY, NET_ALLOW_ALL, NET_BLOCK_ALL };

/* "block_all" and "allow_all" are an older form of "policy", and go before it in this order. */
static int
read_network_policy(struct node table, enum network *out, struct bailey_error *err)
{
	static const char *const words[] = {
		[NET_ALLOWLIST_ONLY] = "allowlist_only",
		[NET_ALLOW_ALL] = "allow_all",
		[NET_BLOCK_ALL] = "block_all",
	};
	bool allow_all = false;
	bool block_all = false;
	size_t word = NET_ALLOWLIST_ONLY;
	int failed = node_enum(node_get(table, "policy"), words, COUNT_OF(words), &word, err);

	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(table, "allow_all"), &allow_all, err);
	}
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(table, "block_all"), &block_all, err);
	}
	if (block_all) {
		word = NET_BLOCK_ALL;
	} else if (allow_all) {
		word = NET_ALLOW_ALL;
	}
	*out = (enum network)word;
	return failed;
}

static int
read_network(struct reading *reading, struct node table, struct bailey_error *err)
{
	static const char *const keys[] = { "policy", "allowlist", "allow_all", "block_all" };
	struct bailey_policy *policy = reading->policy;
	struct node allowlist = node_get(table, "allowlist");
	enum network network = NET_ALLOWLIST_ONLY;
	int failed = node_keys(table, keys, COUNT_OF(keys), err);

	if (failed == BAILEY_OK) {
		failed = read_network_policy(table, &network, err);
	}
	if (failed == BAILEY_OK && allowlist.value != NULL) {
		failed = read_allowlist(reading, allowlist, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	if (network != NET_ALLOWLIST_ONLY) {
		policy->allowlist_count = 0; /* read for its errors only */
		policy->allowlist = NULL;
	}
	policy->network_access = network == NET_ALLOW_ALL || policy->allowlist_count > 0;
	return BAILEY_OK;
}

/* ---- limits and seccomp -------------------------------------------------------------------- */

/* A single value of 0 means the preset's, except with "custom", where it means no limit. */
static int
read_config_limits(struct bailey_policy *policy, struct node table, struct bailey_error *err)
{
	static const char *const presets[] = { "conservative", "moderate", "generous", "unlimited",
					       "custom" };
	const char *keys[COUNT_OF(limit_names) + 1];
	struct limits limits = policy->limits;
	size_t preset = COUNT_OF(presets);
	int failed;

	memcpy(keys, limit_names, sizeof(limit_names));
	keys[COUNT_OF(limit_names)] = "preset";
	failed = node_keys(table, keys, COUNT_OF(keys), err);
	if (failed == BAILEY_OK) {
		failed = node_enum(node_get(table, "preset"), presets, COUNT_OF(presets), &preset,
				   err);
	}
	if (failed == BAILEY_OK && preset < COUNT_OF(presets)) {
		limits = policy_presets[preset < POLICY_PRESETS ? preset : PRESET_UNLIMITED];
	}
	for (size_t i = 0; failed == BAILEY_OK && i < COUNT_OF(limit_names); i++) {
		uint64_t value = 0;

		failed = node_uint(node_get(table, limit_names[i]), limit_max(i), &value, err);
		if (value > 0) {
			*limit_at(&limits, i) = value;
		}
	}
	policy->limits = limits;
	return failed;
}

static int
read_config_seccomp(struct reading *reading, struct node table, struct bailey_error *err)
{
	static const char *const keys[] = { "enabled",	"profile",	    "additional_blocked",
					    "log_only", "allow_namespaces", "mode",
					    "allowed" };
	static const char *const profiles[] = { "strict", "permissive", "logging", "disabled" };
	struct seccomp_profile *seccomp = &reading->policy->seccomp;
	bool enabled = true;
	size_t profile = SECCOMP_NAME_STRICT;
	int failed = node_keys(table, keys, COUNT_OF(keys), err);

	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(table, "enabled"), &enabled, err);
	}
	if (failed == BAILEY_OK) {
		failed = node_enum(node_get(table, "profile"), profiles, COUNT_OF(profiles),
				   &profile, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!enabled || profile >= POLICY_SECCOMP_NAMES) {
		profile = SECCOMP_NAME_PERMISSIVE;
	}
	policy_use_seccomp(seccomp, profile);
	failed = read_seccomp_parts(reading, table, err);
	if (reading->policy->type == BAILEY_POLICY_READ_ONLY) {
		policy_use_seccomp(seccomp, SECCOMP_NAME_STRICT);
		seccomp->allow_namespaces = false;
	}
	return failed;
}

/* ---- the table ----------------------------------------------------------------------------- */

/* What a table of the external sandbox says beyond its kind is for the program that starts it. */
static int
read_external(struct bailey_policy *policy, struct node table, struct bailey_error *err)
{
	static const char *const keys[] = { "sandbox_type", "docker", "microvm" };
	const char *kind = "none";
	int failed = node_keys(table, keys, COUNT_OF(keys), err);

	if (failed == BAILEY_OK) {
		failed = node_string(node_get(table, "sandbox_type"), &kind, err);
	}
	if (failed != BAILEY_OK || policy->type != BAILEY_POLICY_EXTERNAL_SANDBOX) {
		return failed;
	}
	return bailey_policy_set_description(policy, kind, err);
}

static int
read_config_type(struct node sandbox, enum bailey_policy_type *type, struct bailey_error *err)
{
	static const char *const names[] = { "read_only", "workspace_write", "danger_full_access",
					     "external" };
	size_t word = BAILEY_POLICY_READ_ONLY;
	int failed =
		node_enum(node_get(sandbox, "default_policy"), names, COUNT_OF(names), &word, err);

	*type = (enum bailey_policy_type)word;
	return failed;
}

/* The tables of the seed's own form. */
static int
read_tables(struct reading *reading, struct node sandbox, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;
	struct node network = node_get(sandbox, "network");
	struct node sensitive = node_get(sandbox, "sensitive_paths");
	struct node limits = node_get(sandbox, "resource_limits");
	struct node seccomp = node_get(sandbox, "seccomp");
	int failed = BAILEY_OK;

	if (policy->type != BAILEY_POLICY_READ_ONLY) {
		policy->limits = policy_presets[PRESET_MODERATE];
	}
	if (network.value != NULL) {
		failed = read_network(reading, network, err);
	}
	if (failed == BAILEY_OK && sensitive.value != NULL) {
		failed = policy_read_sensitive_table(policy, sensitive, err);
	}
	if (failed == BAILEY_OK && limits.value != NULL) {
		failed = read_config_limits(policy, limits, err);
	}
	if (failed == BAILEY_OK && seccomp.value != NULL) {
		failed = read_config_seccomp(reading, seccomp, err);
	}
	if (policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		policy->seccomp.allow_network_sockets = policy_has_network(policy);
	}
	return failed;
}

/* Full and external access have no use for those tables: they are read for their errors, into a
 * policy that is thrown away. */
static int
read_unused_tables(struct node sandbox, struct bailey_error *err)
{
	AUTO_POLICY *scratch = NULL;
	struct reading reading = { .profile = true, .config = true };
	int failed = policy_create(BAILEY_POLICY_WORKSPACE_WRITE, false, &scratch, err);

	if (failed != BAILEY_OK) {
		return failed;
	}
	reading.policy = scratch;
	return read_tables(&reading, sandbox, err);
}

int
policy_read_config(struct node sandbox, struct bailey_policy **out, struct bailey_error *err)
{
	static const char *const more[] = { "enabled",	       "default_policy",  "network",
					    "sensitive_paths", "resource_limits", "seccomp",
					    "external" };
	AUTO_POLICY *policy = NULL;
	struct reading reading = { .profile = true, .config = true };
	struct node external = node_get(sandbox, "external");
	enum bailey_policy_type type = BAILEY_POLICY_READ_ONLY;
	bool enabled = true;
	int failed = read_config_type(sandbox, &type, err);

	if (failed == BAILEY_OK) {
		failed = policy_create(type, false, &policy, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	reading.policy = policy;
	failed = policy_read_keys(&reading, sandbox, more, COUNT_OF(more), err);
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(sandbox, "enabled"), &enabled, err);
	}
	if (failed == BAILEY_OK && external.value != NULL) {
		failed = read_external(policy, external, err);
	}
	if (failed == BAILEY_OK) {
		failed = type == BAILEY_POLICY_READ_ONLY || type == BAILEY_POLICY_WORKSPACE_WRITE
				 ? read_tables(&reading, sandbox, err)
				 : read_unused_tables(sandbox, err);
	}
	if (failed == BAILEY_OK) {
		*out = take_ptr(policy);
	}
	return failed;
}
