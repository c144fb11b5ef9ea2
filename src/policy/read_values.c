/* SPDX-License-Identifier: MIT */
/*
 * From a document to a policy: network entries, ports, limits and the seccomp profile, whose
 * values are more than strings.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/text.h"

#include <string.h>

static int
fail_memory(struct node node, struct bailey_error *err)
{
	return node_fail(node, BAILEY_E_NOMEM, err, "no memory for a policy");
}

static int
fail_text(struct node node, const char *text, const char *problem, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];

	return node_fail(node, BAILEY_E_INVALID, err, "'%s' %s",
			 text_shown(shown, text, strlen(text)), problem);
}

/* A port is a number; Bailey also takes a range, as a string. */
static int
read_port(struct node node, bool range, uint16_t *first, uint16_t *last, struct bailey_error *err)
{
	uint64_t port = *first;
	const char *problem;
	const char *text = NULL;
	int failed;

	if (range && json_is_string(node.value)) {
		failed = node_string(node, &text, err);
		if (failed != BAILEY_OK) {
			return failed;
		}
		problem = port_range(text, strlen(text), first, last);
		return problem == NULL ? BAILEY_OK : fail_text(node, text, problem, err);
	}
	failed = node_uint(node, UINT16_MAX, &port, err);
	if (failed == BAILEY_OK && port == 0) {
		failed = node_fail(node, BAILEY_E_INVALID, err,
				   "0 is not a port; expected 1 to 65535");
	}
	if (failed == BAILEY_OK) {
		*first = (uint16_t)port;
		*last = (uint16_t)port;
	}
	return failed;
}

/* What domain_normalize() and net_entry_parse() return, as an error at a place. */
static int
domain_status(struct node node, const char *text, int status, const char *problem,
	      struct bailey_error *err)
{
	if (status == BAILEY_E_INVALID) {
		return fail_text(node, text, problem, err);
	}
	return status == BAILEY_OK ? BAILEY_OK : fail_memory(node, err);
}

static int
read_domain(struct arena *arena, struct node object, struct net_entry *entry,
	    struct bailey_error *err)
{
	struct node node = node_get(object, "domain");
	const char *problem = NULL;
	const char *text = NULL;
	int failed;

	if (node.value == NULL) {
		return node_fail(object, BAILEY_E_INVALID, err, "'domain' is missing");
	}
	failed = node_string(node, &text, err);
	if (failed != BAILEY_OK) {
		return failed;
	}
	failed = domain_normalize(arena, text, true, &entry->domain, &problem);
	return domain_status(node, text, failed, problem, err);
}

static int
read_net_entry(struct reading *reading, struct node item, struct net_entry *entry,
	       struct bailey_error *err)
{
	static const char *const keys[] = { "domain", "port", "protocol" };
	static const char *const protocols[] = { "tcp", "udp" };
	struct arena *arena = &reading->policy->arena;
	const char *problem = NULL;
	const char *text = NULL;
	size_t protocol = 0;
	int failed;

	if (reading->profile && json_is_string(item.value)) {
		(void)node_string(item, &text, err);
		failed = net_entry_parse(arena, text, entry, &problem);
		return domain_status(item, text, failed, problem, err);
	}
	failed = node_keys(item, keys, COUNT_OF(keys), err);
	if (failed == BAILEY_OK) {
		failed = read_domain(arena, item, entry, err);
	}
	if (failed == BAILEY_OK && node_get(item, "port").value != NULL) {
		failed = read_port(node_get(item, "port"), true, &entry->port, &entry->port_last,
				   err);
	}
	if (failed == BAILEY_OK) {
		failed = node_enum(node_get(item, "protocol"), protocols, COUNT_OF(protocols),
				   &protocol, err);
	}
	entry->udp = protocol == 1;
	return failed;
}

int
read_allowlist(struct reading *reading, struct node node, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;

	if (!json_is_array(node.value)) {
		return node_fail(node, BAILEY_E_INVALID, err, "expected an array");
	}
	for (size_t i = 0; i < json_array_size(node.value); i++) {
		struct node item = node_at(node, i);
		struct net_entry entry = { .port = 443, .port_last = 443 };
		struct net_entry *slot;
		int failed = read_net_entry(reading, item, &entry, err);

		if (failed != BAILEY_OK) {
			return failed;
		}
		slot = arena_push(&policy->arena, &policy->allowlist, &policy->allowlist_count,
				  sizeof(*slot));
		if (slot == NULL) {
			return fail_memory(item, err);
		}
		*slot = entry;
	}
	return BAILEY_OK;
}

int
read_bind_ports(struct reading *reading, struct node node, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;

	if (!json_is_array(node.value)) {
		return node_fail(node, BAILEY_E_INVALID, err, "expected an array");
	}
	for (size_t i = 0; i < json_array_size(node.value); i++) {
		uint16_t port = 0;
		uint16_t last;
		uint16_t *slot;
		int failed = read_port(node_at(node, i), false, &port, &last, err);

		if (failed != BAILEY_OK) {
			return failed;
		}
		slot = arena_push(&policy->arena, &policy->bind_ports, &policy->bind_port_count,
				  sizeof(*slot));
		if (slot == NULL) {
			return fail_memory(node, err);
		}
		*slot = port;
	}
	return BAILEY_OK;
}

/* One "name": "address" of the table. */
static int
read_resolve_entry(struct arena *arena, const char *key, struct node node,
		   struct resolve_entry *entry, struct bailey_error *err)
{
	const char *problem = NULL;
	const char *text = NULL;
	int status = domain_normalize(arena, key, false, &entry->name, &problem);
	int failed = domain_status(node, key, status, problem, err);

	if (failed == BAILEY_OK) {
		failed = node_string(node, &text, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	status = domain_normalize(arena, text, false, &entry->address, &problem);
	failed = domain_status(node, text, status, problem, err);
	if (failed == BAILEY_OK && !domain_is_address(entry->address)) {
		return fail_text(node, text, "is not an IPv4 or IPv6 address", err);
	}
	return failed;
}

int
read_resolve(struct reading *reading, struct node node, struct bailey_error *err)
{
	struct bailey_policy *policy = reading->policy;
	const char *key;
	json_t *value;

	if (!json_is_object(node.value)) {
		return node_fail(node, BAILEY_E_INVALID, err,
				 "expected an object of names and their addresses");
	}
	if (json_object_size(node.value) > POLICY_RESOLVE_MAX - policy->resolve_count) {
		return node_fail(node, BAILEY_E_LIMIT, err, "more than %d names",
				 POLICY_RESOLVE_MAX);
	}
	json_object_foreach(node.value, key, value)
	{
		struct resolve_entry entry = { 0 };
		struct resolve_entry *slot;
		int failed =
			read_resolve_entry(&policy->arena, key, node_get(node, key), &entry, err);

		if (failed != BAILEY_OK) {
			return failed;
		}
		slot = arena_push(&policy->arena, &policy->resolve, &policy->resolve_count,
				  sizeof(*slot));
		if (slot == NULL) {
			return fail_memory(node, err);
		}
		*slot = entry;
	}
	return BAILEY_OK;
}

/*
 * In the wire form an object replaces the limits and what it leaves out is unlimited, as the seed
 * reads it; for read_only, where the key is Bailey's addition, what it leaves out stays. In a
 * profile everything that is left out stays, and "preset" sets all of them first.
 */
int
read_limits(struct reading *reading, struct node node, struct bailey_error *err)
{
	const char *keys[COUNT_OF(limit_names) + 1];
	struct bailey_policy *policy = reading->policy;
	struct limits limits = policy->limits;
	size_t preset = POLICY_PRESETS;
	size_t count = COUNT_OF(limit_names);
	int failed;

	memcpy(keys, limit_names, sizeof(limit_names));
	if (reading->profile) {
		keys[count++] = "preset";
	}
	failed = node_keys(node, keys, count, err);
	if (failed == BAILEY_OK && reading->profile) {
		failed = node_enum(node_get(node, "preset"), policy_preset_names, POLICY_PRESETS,
				   &preset, err);
	}
	if (preset < POLICY_PRESETS) {
		limits = policy_presets[preset];
	} else if (!reading->profile && policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		limits = (struct limits){ 0 };
	}
	for (size_t i = 0; failed == BAILEY_OK && i < COUNT_OF(limit_names); i++) {
		failed = node_uint(node_get(node, limit_names[i]), limit_max(i),
				   limit_at(&limits, i), err);
	}
	if (failed == BAILEY_OK) {
		policy->limits = limits;
	}
	return failed;
}

/* The list that a profile names as a whole; the full list is known as "strict". */
static int
read_blocked(struct bailey_policy *policy, struct node node, struct bailey_error *err)
{
	struct strings blocked = { 0 };
	int failed;

	if (node.value == NULL) {
		return BAILEY_OK;
	}
	failed = policy_read_strings(policy, node, VALUE_SYSCALL, &blocked, err);
	if (failed == BAILEY_OK) {
		policy->seccomp.strict = policy_is_strict_list(blocked.items, blocked.count);
		policy->seccomp.blocked = policy->seccomp.strict ? (struct strings){ 0 } : blocked;
	}
	return failed;
}

static int
read_seccomp_lists(struct bailey_policy *policy, struct node node, struct bailey_error *err)
{
	struct node additional = node_get(node, "additional_blocked");
	struct node allowed = node_get(node, "allowed");
	int failed = read_blocked(policy, node_get(node, "blocked_syscalls"), err);

	if (failed == BAILEY_OK && additional.value != NULL) {
		failed = policy_read_strings(policy, additional, VALUE_SYSCALL,
					     &policy->seccomp.additional, err);
	}
	if (failed == BAILEY_OK && allowed.value != NULL) {
		failed = policy_read_strings(policy, allowed, VALUE_SYSCALL,
					     &policy->seccomp.allowed, err);
	}
	return failed;
}

static int
read_seccomp_flags(struct reading *reading, struct node node, struct bailey_error *err)
{
	static const char *const modes[] = {
		[SECCOMP_DENYLIST] = "denylist",
		[SECCOMP_ALLOWLIST] = "allowlist",
	};
	struct seccomp_profile *profile = &reading->policy->seccomp;
	struct node sockets = node_get(node, "allow_network_sockets");
	size_t mode = profile->mode;
	int failed = node_enum(node_get(node, "mode"), modes, COUNT_OF(modes), &mode, err);

	profile->mode = (enum seccomp_mode)mode;
	reading->sockets_given |= sockets.value != NULL;
	if (failed == BAILEY_OK) {
		failed = node_bool(sockets, &profile->allow_network_sockets, err);
	}
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(node, "allow_namespaces"), &profile->allow_namespaces,
				   err);
	}
	if (failed == BAILEY_OK) {
		failed = node_bool(node_get(node, "log_only"), &profile->log_only, err);
	}
	return failed;
}

int
read_seccomp_parts(struct reading *reading, struct node node, struct bailey_error *err)
{
	int failed = read_seccomp_flags(reading, node, err);

	return failed == BAILEY_OK ? read_seccomp_lists(reading->policy, node, err) : failed;
}

/* read_only is always strict. Where a whole policy is read, asking for less is an error; a
 * launcher gets the profile beside the policy, and there it has no say. */
static int
keep_strict(const struct reading *reading, struct node node, struct bailey_error *err)
{
	struct seccomp_profile *profile = &reading->policy->seccomp;
	bool loose = !profile->strict || profile->log_only || profile->allow_namespaces;

	if (reading->policy->type != BAILEY_POLICY_READ_ONLY || !loose) {
		return BAILEY_OK;
	}
	policy_use_seccomp(profile, SECCOMP_NAME_STRICT);
	profile->allow_namespaces = false;
	if (!reading->whole) {
		return BAILEY_OK;
	}
	return node_fail(node, BAILEY_E_INVALID, err,
			 "a read_only policy is always strict; expected no more than "
			 "'additional_blocked', 'mode' and 'allowed'");
}

int
read_seccomp(struct reading *reading, struct node node, struct bailey_error *err)
{
	static const char *const keys[] = {
		"blocked_syscalls",
		"allow_namespaces",
		"allow_network_sockets",
		"log_only",
		"mode",
		"additional_blocked",
		"allowed",
		"profile",
	};
	size_t name = POLICY_SECCOMP_NAMES;
	int failed = node_keys(node, keys, COUNT_OF(keys) - (reading->profile ? 0 : 1), err);

	if (failed == BAILEY_OK && reading->profile) {
		failed = node_enum(node_get(node, "profile"), policy_seccomp_names,
				   POLICY_SECCOMP_NAMES, &name, err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	if (name < POLICY_SECCOMP_NAMES) {
		policy_use_seccomp(&reading->policy->seccomp, name);
	}
	failed = read_seccomp_parts(reading, node, err);
	return failed == BAILEY_OK ? keep_strict(reading, node, err) : failed;
}
