/* SPDX-License-Identifier: MIT */
/*
 * The keys of the wire form, once: which kinds of policy have them, how they are read and how they
 * are written. The reader and the writer walk this table, so that nothing can be in one of them
 * alone. Its order is the order in which keys are written; the seed's come first, in its order.
 */
#include "policy/parts.h"

#include "base/attr.h"

#include <string.h>

#define RO BIT(BAILEY_POLICY_READ_ONLY)
#define WW BIT(BAILEY_POLICY_WORKSPACE_WRITE)
#define EXTERNAL BIT(BAILEY_POLICY_EXTERNAL_SANDBOX)

const char *const protect_git_names[] = {
	[PROTECT_GIT_ALL] = "all",
	[PROTECT_GIT_HOOKS] = "hooks",
	[PROTECT_GIT_NONE] = "none",
};
const char *const tmp_names[] = { [TMP_PRIVATE] = "private", [TMP_NONE] = "none" };
const char *const caches_names[] = {
	[CACHES_PRIVATE] = "private",
	[CACHES_SHARED] = "shared",
	[CACHES_NONE] = "none",
};
const char *const proc_names[] = { [PROC_READ] = "read", [PROC_NONE] = "none" };
const char *const loopback_names[] = { [LOOPBACK_OWN] = "own", [LOOPBACK_NONE] = "none" };

#define AT(field) .offset = offsetof(struct bailey_policy, field)
#define BOOL(field) .kind = KEY_BOOL, AT(field)
#define WORD(field, names) .kind = KEY_WORD, AT(field), .words = (names), COUNT(names)
#define COUNT(names) .word_count = COUNT_OF(names)
#define STRINGS(field, check) .kind = KEY_STRINGS, AT(field), .form = (check)
#define SPECIAL(reader, writer) .kind = KEY_SPECIAL, .read = (reader), .write = (writer)

const struct key policy_keys[] = {
	{ .name = "writable_roots", .seed = WW, .types = WW, SPECIAL(read_roots, write_roots) },
	{ .name = "network_access",
	  .not_in_config = true,
	  .seed = RO | WW,
	  .types = RO | WW,
	  BOOL(network_access) },
	{ .name = "network_allowlist",
	  .not_in_config = true,
	  .seed = RO | WW,
	  .types = RO | WW,
	  SPECIAL(read_allowlist, write_allowlist) },
	{ .name = "sensitive_paths",
	  .not_in_config = true,
	  .seed = WW,
	  .types = WW,
	  SPECIAL(read_sensitive, write_sensitive) },
	{ .name = "resource_limits",
	  .not_in_config = true,
	  .seed = WW,
	  .types = RO | WW | EXTERNAL,
	  SPECIAL(read_limits, write_limits),
	  .differs = limits_differ },
	{ .name = "seccomp_profile",
	  .not_in_config = true,
	  .seed = WW,
	  .types = RO | WW,
	  SPECIAL(read_seccomp, write_seccomp),
	  .differs = seccomp_differs },
	{ .name = "exclude_tmpdir_env_var", .seed = WW, .types = WW, BOOL(exclude_tmpdir_env_var) },
	{ .name = "exclude_slash_tmp", .seed = WW, .types = WW, BOOL(exclude_slash_tmp) },
	{ .name = "description",
	  .not_in_config = true,
	  .seed = EXTERNAL,
	  .types = EXTERNAL,
	  SPECIAL(read_description, write_description) },
	{ .name = "protect", .types = RO | WW, BOOL(protect), .normal_bool = true },
	{ .name = "protected", .types = RO | WW, STRINGS(protected, VALUE_NAME) },
	{ .name = "protect_git", .types = RO | WW, WORD(protect_git, protect_git_names) },
	{ .name = "deny", .types = RO | WW, STRINGS(deny, VALUE_PATH) },
	{ .name = "tmp", .types = RO | WW, SPECIAL(read_tmp, write_tmp), .differs = tmp_differs },
	{ .name = "caches", .types = RO | WW, WORD(caches, caches_names) },
	{ .name = "proc", .types = RO | WW, WORD(proc, proc_names) },
	{ .name = "hide_names", .types = RO | WW, BOOL(hide_names) },
	{ .name = "ipc", .types = RO | WW, BOOL(ipc) },
	{ .name = "unix_sockets", .types = RO | WW, STRINGS(unix_sockets, VALUE_SOCKET) },
	{ .name = "loopback",
	  .types = RO | WW,
	  SPECIAL(read_loopback, write_loopback),
	  .differs = loopback_differs },
	{ .name = "bind_ports",
	  .types = RO | WW,
	  SPECIAL(read_bind_ports, write_bind_ports),
	  .differs = bind_ports_differ },
	{ .name = "exec_roots", .types = RO | WW, STRINGS(exec_roots, VALUE_PATH) },
	{ .name = "read_roots", .types = RO | WW, STRINGS(read_roots, VALUE_PATH) },
	{ .name = "devices", .types = RO | WW, STRINGS(devices, VALUE_DEVICE) },
	{ .name = "resolve",
	  .types = RO | WW,
	  SPECIAL(read_resolve, write_resolve),
	  .differs = resolve_differs },
};
const size_t policy_key_count = COUNT_OF(policy_keys);

_Static_assert(COUNT_OF(policy_keys) + 7 <= POLICY_KEYS_MAX, "room for all keys");
_Static_assert(sizeof(enum protect_git) == sizeof(unsigned int), "words are unsigned int");

const char *const limit_names[] = {
	"max_memory_mb", "max_pids",	 "max_disk_mb",
	"cpu_time_secs", "timeout_secs", "max_open_files",
};

uint64_t *
limit_at(struct limits *limits, size_t index)
{
	uint64_t *const fields[] = {
		&limits->max_memory_mb, &limits->max_pids,     &limits->max_disk_mb,
		&limits->cpu_time_secs, &limits->timeout_secs, &limits->max_open_files,
	};

	return fields[index];
}

/* The seed counts processes in 32 bits and the rest in 64; JSON's integers have 63 here. */
uint64_t
limit_max(size_t index)
{
	bool is_number = strcmp(limit_names[index], "max_pids") == 0 ||
			 strcmp(limit_names[index], "max_open_files") == 0;

	return is_number ? UINT32_MAX : INT64_MAX;
}

const struct key *
policy_key(const char *name)
{
	for (size_t i = 0; i < policy_key_count; i++) {
		if (strcmp(policy_keys[i].name, name) == 0) {
			return &policy_keys[i];
		}
	}
	return NULL;
}

void *
policy_field(struct bailey_policy *policy, const struct key *key)
{
	return (char *)policy + key->offset;
}

const void *
policy_field_const(const struct bailey_policy *policy, const struct key *key)
{
	return (const char *)policy + key->offset;
}
