/* SPDX-License-Identifier: MIT */
/*
 * A policy as an object: making, copying and ending it, what it says at a glance, and whether one
 * may follow another.
 */
#include "policy/parts.h"

#include "base/attr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALL_CLOCK_SECS 300 /* of workspace_write, unless it says otherwise */

const char *const policy_type_names[] = {
	[BAILEY_POLICY_READ_ONLY] = "read_only",
	[BAILEY_POLICY_WORKSPACE_WRITE] = "workspace_write",
	[BAILEY_POLICY_DANGER_FULL_ACCESS] = "danger_full_access",
	[BAILEY_POLICY_EXTERNAL_SANDBOX] = "external_sandbox",
};

static int
fail_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a policy");
}

static void
set_defaults(struct bailey_policy *policy, enum bailey_policy_type type, bool wire)
{
	policy->type = type;
	policy->sensitive_defaults = true;
	policy->protect = true;
	policy_use_seccomp(&policy->seccomp, SECCOMP_NAME_STRICT);
	policy->loopback = LOOPBACK_NONE;
	if (type == BAILEY_POLICY_READ_ONLY) {
		policy->limits = policy_presets[PRESET_CONSERVATIVE];
	}
	if (type == BAILEY_POLICY_WORKSPACE_WRITE) {
		policy->limits.timeout_secs = WALL_CLOCK_SECS;
		policy->loopback = wire ? LOOPBACK_AS_SOCKETS : LOOPBACK_OWN;
		policy->exclude_tmpdir_env_var = !wire;
		policy->exclude_slash_tmp = !wire;
	}
}

int
policy_create(enum bailey_policy_type type, bool wire, struct bailey_policy **out,
	      struct bailey_error *err)
{
	struct bailey_policy *policy;

	if ((unsigned int)type >= POLICY_TYPES) {
		return bailey_fail(err, BAILEY_E_INVALID, "%d is not a kind of policy", (int)type);
	}
	policy = calloc(1, sizeof(*policy));
	if (policy == NULL) {
		return fail_memory(err);
	}
	set_defaults(policy, type, wire);
	*out = policy;
	return BAILEY_OK;
}

int
bailey_policy_new(enum bailey_policy_type type, struct bailey_policy **out,
		  struct bailey_error *err)
{
	return policy_create(type, false, out, err);
}

void
bailey_policy_free(struct bailey_policy *policy)
{
	if (policy != NULL) {
		arena_finish(&policy->arena);
		free(policy);
	}
}

bool
policy_append(struct bailey_policy *policy, struct strings *list, const char *text)
{
	const char *copy = arena_strdup(&policy->arena, text);
	const char **item;

	if (copy == NULL) {
		return false;
	}
	item = arena_push(&policy->arena, &list->items, &list->count, sizeof(*item));
	if (item == NULL) {
		return false;
	}
	*item = copy;
	return true;
}

/* Where the lists of strings in a policy are. */
static const size_t string_lists[] = {
	offsetof(struct bailey_policy, writable_roots),
	offsetof(struct bailey_policy, seccomp.blocked),
	offsetof(struct bailey_policy, seccomp.additional),
	offsetof(struct bailey_policy, seccomp.allowed),
	offsetof(struct bailey_policy, protected),
	offsetof(struct bailey_policy, deny),
	offsetof(struct bailey_policy, unix_sockets),
	offsetof(struct bailey_policy, exec_roots),
	offsetof(struct bailey_policy, read_roots),
	offsetof(struct bailey_policy, devices),
};

static struct strings *
list_at(struct bailey_policy *policy, size_t i)
{
	return (struct strings *)(void *)((char *)policy + string_lists[i]);
}

static const struct strings *
list_at_const(const struct bailey_policy *policy, size_t i)
{
	return (const struct strings *)(const void *)((const char *)policy + string_lists[i]);
}

/* Copies element by element, so that the copy can grow as the original could. NULL when empty. */
static void *
copy_array(struct arena *arena, const void *items, size_t count, size_t size)
{
	unsigned char *copy = NULL;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		void *slot = arena_push(arena, &copy, &n, size);

		if (slot == NULL) {
			return NULL;
		}
		memcpy(slot, (const unsigned char *)items + i * size, size);
	}
	return copy;
}

static void
copy_text(struct arena *arena, const char **text)
{
	if (*text != NULL) {
		*text = arena_strdup(arena, *text);
	}
}

/* `to` is a shallow copy of `from` with an empty arena: gives it arrays of its own. */
static void
deepen(struct bailey_policy *to, const struct bailey_policy *from)
{
	struct arena *arena = &to->arena;

	for (size_t i = 0; i < COUNT_OF(string_lists); i++) {
		const struct strings *list = list_at_const(from, i);

		*list_at(to, i) = (struct strings){ 0 };
		for (size_t k = 0; k < list->count; k++) {
			(void)policy_append(to, list_at(to, i), list->items[k]);
		}
	}
	to->allowlist =
		copy_array(arena, from->allowlist, from->allowlist_count, sizeof(*to->allowlist));
	for (size_t i = 0; to->allowlist != NULL && i < to->allowlist_count; i++) {
		copy_text(arena, &to->allowlist[i].domain);
	}
	to->sensitive =
		copy_array(arena, from->sensitive, from->sensitive_count, sizeof(*to->sensitive));
	for (size_t i = 0; to->sensitive != NULL && i < to->sensitive_count; i++) {
		copy_text(arena, &to->sensitive[i].path);
	}
	to->resolve = copy_array(arena, from->resolve, from->resolve_count, sizeof(*to->resolve));
	for (size_t i = 0; to->resolve != NULL && i < to->resolve_count; i++) {
		copy_text(arena, &to->resolve[i].name);
		copy_text(arena, &to->resolve[i].address);
	}
	to->bind_ports =
		copy_array(arena, from->bind_ports, from->bind_port_count, sizeof(*to->bind_ports));
	copy_text(arena, &to->description);
}

int
bailey_policy_clone(const struct bailey_policy *policy, struct bailey_policy **out,
		    struct bailey_error *err)
{
	AUTO_POLICY *copy = calloc(1, sizeof(*copy));

	if (copy == NULL) {
		return fail_memory(err);
	}
	*copy = *policy;
	copy->arena = (struct arena){ 0 };
	deepen(copy, policy);
	if (copy->arena.failed) {
		return fail_memory(err);
	}
	*out = take_ptr(copy);
	return BAILEY_OK;
}

bool
policy_has_network(const struct bailey_policy *policy)
{
	if (policy->type == BAILEY_POLICY_DANGER_FULL_ACCESS ||
	    policy->type == BAILEY_POLICY_EXTERNAL_SANDBOX) {
		return true;
	}
	return policy->network_access || policy->allowlist_count > 0;
}

bool
bailey_policy_has_network(const struct bailey_policy *policy)
{
	return policy_has_network(policy);
}

bool
bailey_policy_has_full_network(const struct bailey_policy *policy)
{
	return policy_has_network(policy) && policy->allowlist_count == 0;
}

enum bailey_policy_type
bailey_policy_type(const struct bailey_policy *policy)
{
	return policy->type;
}

const char *
bailey_policy_type_name(enum bailey_policy_type type)
{
	return (unsigned int)type < POLICY_TYPES ? policy_type_names[type] : NULL;
}

struct bailey_limits
bailey_policy_limits(const struct bailey_policy *policy)
{
	struct limits limits = policy_limits(policy);

	return (struct bailey_limits){
		.max_memory_mb = limits.max_memory_mb,
		.max_pids = limits.max_pids,
		.max_disk_mb = limits.max_disk_mb,
		.cpu_time_secs = limits.cpu_time_secs,
		.timeout_secs = limits.timeout_secs,
		.max_open_files = limits.max_open_files,
	};
}

const char *
bailey_policy_writable_root(const struct bailey_policy *policy, size_t index)
{
	return index < policy->writable_roots.count ? policy->writable_roots.items[index] : NULL;
}

bool
bailey_policy_net_entry(const struct bailey_policy *policy, size_t index,
			struct bailey_net_entry *out)
{
	const struct net_entry *entry;

	if (index >= policy->allowlist_count) {
		return false;
	}
	entry = &policy->allowlist[index];
	*out = (struct bailey_net_entry){ entry->domain, entry->port, entry->port_last,
					  entry->udp };
	return true;
}

bool
bailey_policy_sensitive(const struct bailey_policy *policy, size_t index,
			struct bailey_sensitive *out)
{
	size_t count;
	const struct sensitive_path *paths = policy_sensitive(policy, &count);

	if (index >= count) {
		return false;
	}
	*out = (struct bailey_sensitive){ paths[index].path, paths[index].block_read,
					  paths[index].block_write };
	return true;
}

/* ", no network" and the like, behind what is in `buf`. */
static void
describe_network(const struct bailey_policy *policy, char *buf, size_t size)
{
	size_t used = strlen(buf);

	if (!policy_has_network(policy)) {
		(void)snprintf(buf + used, size - used, ", no network");
	} else if (policy->allowlist_count == 0) {
		(void)snprintf(buf + used, size - used, ", full network");
	} else {
		(void)snprintf(buf + used, size - used, ", network to %zu destination%s",
			       policy->allowlist_count, policy->allowlist_count == 1 ? "" : "s");
	}
}

const char *
bailey_policy_describe(const struct bailey_policy *policy, char *buf, size_t size)
{
	size_t roots = policy->writable_roots.count;

	if (size == 0) {
		return buf;
	}
	switch (policy->type) {
	case BAILEY_POLICY_READ_ONLY:
		(void)snprintf(buf, size, "read only");
		break;
	case BAILEY_POLICY_WORKSPACE_WRITE:
		(void)snprintf(buf, size, "workspace write");
		if (roots > 0) {
			(void)snprintf(buf, size, "workspace write, %zu more root%s", roots,
				       roots == 1 ? "" : "s");
		}
		break;
	case BAILEY_POLICY_DANGER_FULL_ACCESS:
		(void)snprintf(buf, size, "full access, no sandbox");
		return buf;
	case BAILEY_POLICY_EXTERNAL_SANDBOX:
		(void)snprintf(buf, size, "external sandbox%s%s",
			       policy->description != NULL ? ": " : "",
			       policy->description != NULL ? policy->description : "");
		return buf;
	}
	describe_network(policy, buf, size);
	return buf;
}

int
bailey_policy_can_become(const struct bailey_policy *from, const struct bailey_policy *to,
			 struct bailey_error *err)
{
	if (from->type != BAILEY_POLICY_READ_ONLY ||
	    (to->type != BAILEY_POLICY_WORKSPACE_WRITE &&
	     to->type != BAILEY_POLICY_DANGER_FULL_ACCESS)) {
		return BAILEY_OK;
	}
	return bailey_fail(err, BAILEY_E_REFUSED,
			   "cannot escalate from 'read_only' to '%s' within a session; start a "
			   "new one under that policy",
			   policy_type_names[to->type]);
}

static bool
check_entries(const struct bailey_policy *policy)
{
	for (size_t i = 0; i < policy->allowlist_count; i++) {
		const struct net_entry *entry = &policy->allowlist[i];

		if (entry->domain == NULL || entry->domain[0] == '\0' || entry->port == 0 ||
		    entry->port_last < entry->port) {
			return false;
		}
		if (entry->domain[strlen(entry->domain) - 1] == '.') {
			return false;
		}
		for (const char *c = entry->domain; *c != '\0'; c++) {
			if ((unsigned char)*c > 0x7e || (*c >= 'A' && *c <= 'Z')) {
				return false;
			}
		}
	}
	return true;
}

bool
policy_check(const struct bailey_policy *policy)
{
	for (size_t i = 0; i < COUNT_OF(string_lists); i++) {
		const struct strings *list = list_at_const(policy, i);

		for (size_t k = 0; k < list->count; k++) {
			if (list->items[k] == NULL || list->items[k][0] == '\0') {
				return false;
			}
		}
	}
	if (policy->seccomp.strict && policy->seccomp.blocked.count > 0) {
		return false;
	}
	return !policy->arena.failed && check_entries(policy);
}
