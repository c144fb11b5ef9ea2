/* SPDX-License-Identifier: MIT */
/*
 * The values that apply when a policy does not say otherwise, as tables, and the functions that
 * combine them with what a policy does say.
 */
#include "policy/parts.h"

#include "base/attr.h"

#include <string.h>

const char *const policy_protected_names[] = {
	".git", ".vtcode", ".codex", ".agents", ".bailey", ".claude",
};
const size_t policy_protected_name_count = COUNT_OF(policy_protected_names);

/*
 * Each path once, for the list of entries and the list of names. The first group is that of
 * vtcode-safety, in its order; its own data relies on these being there.
 */
#define SENSITIVE_PATHS(X)                                                                         \
	X("~/.ssh")                                                                                \
	X("~/.aws")                                                                                \
	X("~/.config/gcloud")                                                                      \
	X("~/.azure")                                                                              \
	X("~/.kube")                                                                               \
	X("~/.docker")                                                                             \
	X("~/.npmrc")                                                                              \
	X("~/.pypirc")                                                                             \
	X("~/.config/gh")                                                                          \
	X("~/.secrets")                                                                            \
	X("~/.gnupg")                                                                              \
	X("~/.config/op")                                                                          \
	X("~/.vault-token")                                                                        \
	X("~/.terraform.d/credentials.tfrc.json")                                                  \
	X("~/.cargo/credentials.toml")                                                             \
	X("~/.git-credentials")                                                                    \
	X("~/.netrc")                                                                              \
	/* Bailey's own configuration and state */                                                 \
	X("~/.config/bailey")                                                                      \
	X("~/.local/state/bailey")                                                                 \
	/* more credentials of tools */                                                            \
	X("~/.cargo/credentials")                                                                  \
	X("~/.config/git/credentials")                                                             \
	X("~/.config/glab-cli")                                                                    \
	X("~/.config/hub")                                                                         \
	X("~/.config/rclone")                                                                      \
	X("~/.config/sops")                                                                        \
	X("~/.gem/credentials")                                                                    \
	X("~/.my.cnf")                                                                             \
	X("~/.pgpass")                                                                             \
	X("~/.pulumi/credentials.json")                                                            \
	X("~/.s3cfg")                                                                              \
	/* keyrings and password stores */                                                         \
	X("~/.local/share/keyrings")                                                               \
	X("~/.local/share/kwalletd")                                                               \
	X("~/.password-store")                                                                     \
	/* browsers and mail */                                                                    \
	X("~/.config/BraveSoftware")                                                               \
	X("~/.config/chromium")                                                                    \
	X("~/.config/google-chrome")                                                               \
	X("~/.config/microsoft-edge")                                                              \
	X("~/.mozilla")                                                                            \
	X("~/.thunderbird")                                                                        \
	/* histories, where passwords end up */                                                    \
	X("~/.bash_history")                                                                       \
	X("~/.local/share/fish/fish_history")                                                      \
	X("~/.mysql_history")                                                                      \
	X("~/.node_repl_history")                                                                  \
	X("~/.psql_history")                                                                       \
	X("~/.python_history")                                                                     \
	X("~/.zsh_history")                                                                        \
	/* coding agents' credentials */                                                           \
	X("~/.claude/.credentials.json")                                                           \
	X("~/.codex/auth.json")                                                                    \
	X("~/.config/github-copilot")                                                              \
	X("~/.gemini/oauth_creds.json")                                                            \
	X("~/.local/share/opencode/auth.json")                                                     \
	X("~/.qwen/oauth_creds.json")

#define AS_ENTRY(name) { .path = (name), .block_read = true, .block_write = true },
#define AS_NAME(name) name,

/* clang-format off */
const struct sensitive_path policy_sensitive_defaults[] = { SENSITIVE_PATHS(AS_ENTRY) };
const size_t policy_sensitive_default_count = COUNT_OF(policy_sensitive_defaults);

static const char *const sensitive_names[] = { SENSITIVE_PATHS(AS_NAME) };
/* clang-format on */

const char *const policy_preset_names[] = {
	[PRESET_CONSERVATIVE] = "conservative",
	[PRESET_MODERATE] = "moderate",
	[PRESET_GENEROUS] = "generous",
	[PRESET_UNLIMITED] = "unlimited",
};

const struct limits policy_presets[] = {
	[PRESET_CONSERVATIVE] = { 512, 64, 1024, 60, 120, 1024 },
	[PRESET_MODERATE] = { 2048, 256, 4096, 300, 600, 2048 },
	[PRESET_GENEROUS] = { 8192, 1024, 16384, 0, 3600, 8192 },
	[PRESET_UNLIMITED] = { 0 },
};

/* Version 1 of vtcode-safety's list, family by family. */
const char *const policy_blocked_syscalls[] = {
	"ptrace",
	"kcmp",
	"pidfd_getfd",
	"process_madvise",
	"process_mrelease",
	"mount",
	"umount",
	"umount2",
	"pivot_root",
	"chroot",
	"open_tree",
	"move_mount",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"mount_setattr",
	"open_tree_attr",
	"open_by_handle_at",
	"name_to_handle_at",
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"bpf",
	"perf_event_open",
	"userfaultfd",
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"process_vm_readv",
	"process_vm_writev",
	"reboot",
	"swapon",
	"swapoff",
	"settimeofday",
	"clock_settime",
	"adjtimex",
	"clock_adjtime",
	"add_key",
	"request_key",
	"keyctl",
	"ioperm",
	"iopl",
	"acct",
	"quotactl",
	"quotactl_fd",
	"unshare",
	"setns",
	"personality",
};
const size_t policy_blocked_syscall_count = COUNT_OF(policy_blocked_syscalls);

static const char *const filtered_syscalls[] = { "clone", "clone3", "ioctl", "prctl", "socket" };

static const char *const permissive_list[] = {
	"ptrace",
	"kexec_load",
	"kexec_file_load",
	"reboot",
};

const char *const policy_seccomp_names[] = {
	[SECCOMP_NAME_STRICT] = "strict",
	[SECCOMP_NAME_PERMISSIVE] = "permissive",
	[SECCOMP_NAME_LOGGING] = "logging",
};

static bool
contains(const char *const items[], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(items[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* The newer ways to mount are not in every list that calls itself version 1. A list without them
 * still means all of what its writer knew. */
static bool
is_optional(const char *name)
{
	static const char *const names[] = {
		"pivot_root", "chroot",	 "open_tree", "move_mount",    "fsopen",
		"fsconfig",   "fsmount", "fspick",    "mount_setattr", "open_tree_attr",
	};

	return contains(names, COUNT_OF(names), name);
}

bool
policy_is_strict_list(const char *const items[], size_t count)
{
	/* Bounded, so that a long list cannot make this slow; a name may be there twice. */
	if (count > 2 * policy_blocked_syscall_count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!contains(policy_blocked_syscalls, policy_blocked_syscall_count, items[i])) {
			return false;
		}
	}
	for (size_t i = 0; i < policy_blocked_syscall_count; i++) {
		const char *name = policy_blocked_syscalls[i];

		if (!is_optional(name) && !contains(items, count, name)) {
			return false;
		}
	}
	return true;
}

/* `struct strings` is for lists that grow, so its elements are not const; nobody writes to one
 * that belongs to no policy. */
static struct strings
borrow(const char *const items[], size_t count)
{
	return (struct strings){ .items = (const char **)(uintptr_t)items, .count = count };
}

void
policy_use_seccomp(struct seccomp_profile *profile, size_t name)
{
	profile->strict = name != SECCOMP_NAME_PERMISSIVE;
	profile->log_only = name == SECCOMP_NAME_LOGGING;
	profile->blocked = profile->strict ? (struct strings){ 0 }
					   : borrow(permissive_list, COUNT_OF(permissive_list));
}

bool
policy_own_sensitive(struct bailey_policy *policy)
{
	struct sensitive_path *own;

	if (!policy->sensitive_defaults) {
		return true;
	}
	policy->sensitive = NULL;
	policy->sensitive_count = 0;
	for (size_t i = 0; i < policy_sensitive_default_count; i++) {
		own = arena_push(&policy->arena, &policy->sensitive, &policy->sensitive_count,
				 sizeof(*own));
		if (own == NULL) {
			policy->sensitive_count = 0;
			return false;
		}
		*own = policy_sensitive_defaults[i];
	}
	policy->sensitive_defaults = false;
	return true;
}

const struct sensitive_path *
policy_sensitive(const struct bailey_policy *policy, size_t *count)
{
	if (policy->type != BAILEY_POLICY_READ_ONLY &&
	    policy->type != BAILEY_POLICY_WORKSPACE_WRITE) {
		*count = 0;
		return NULL;
	}
	if (policy->type == BAILEY_POLICY_READ_ONLY || policy->sensitive_defaults) {
		*count = policy_sensitive_default_count;
		return policy_sensitive_defaults;
	}
	*count = policy->sensitive_count;
	return policy->sensitive;
}

const char *const policy_system_roots[] = {
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32",
	"/etc",
	"/opt",
	"/nix/store",
	"/proc",
	"/sys",
	"/run/systemd/resolve",
};
const size_t policy_system_root_count = COUNT_OF(policy_system_roots);

const char *const policy_devices[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
};
const size_t policy_device_count = COUNT_OF(policy_devices);

const struct device_group policy_device_groups[] = {
	{ "gpu", "/dev/dri" },	{ "gpu", "/dev/kfd" }, { "gpu", "/dev/nvidia" },
	{ "gpu", "/dev/dxg" },	{ "kvm", "/dev/kvm" }, { "fuse", "/dev/fuse" },
	{ "pty", "/dev/ptmx" }, { "pty", "/dev/pts" },
};
const size_t policy_device_group_count = COUNT_OF(policy_device_groups);

struct limits
policy_limits(const struct bailey_policy *policy)
{
	if (policy->type == BAILEY_POLICY_DANGER_FULL_ACCESS) {
		return policy_presets[PRESET_UNLIMITED];
	}
	return policy->limits;
}

struct seccomp_profile
policy_seccomp(const struct bailey_policy *policy)
{
	struct seccomp_profile profile = policy->seccomp;

	if (policy->type == BAILEY_POLICY_READ_ONLY) {
		profile.allow_network_sockets = policy_has_network(policy);
	}
	if (policy->type == BAILEY_POLICY_DANGER_FULL_ACCESS ||
	    policy->type == BAILEY_POLICY_EXTERNAL_SANDBOX) {
		profile = (struct seccomp_profile){ .allow_network_sockets = true };
		policy_use_seccomp(&profile, SECCOMP_NAME_PERMISSIVE);
	}
	return profile;
}

bool
policy_has_device_group(const struct bailey_policy *policy, const char *group)
{
	for (size_t i = 0; i < policy->devices.count; i++) {
		if (strcmp(policy->devices.items[i], group) == 0) {
			return true;
		}
	}
	return false;
}

bool
policy_is_sandboxed(const struct bailey_policy *policy)
{
	return policy->type == BAILEY_POLICY_READ_ONLY ||
	       policy->type == BAILEY_POLICY_WORKSPACE_WRITE;
}

bool
policy_own_loopback(const struct bailey_policy *policy)
{
	switch (policy->loopback) {
	case LOOPBACK_OWN:
		return true;
	case LOOPBACK_NONE:
		return false;
	case LOOPBACK_AS_SOCKETS:
		return policy->seccomp.allow_network_sockets;
	}
	return false;
}

bool
policy_private_tmp(const struct bailey_policy *policy)
{
	if (!policy_is_sandboxed(policy)) {
		return false;
	}
	if (policy->tmp_is_set) {
		return policy->tmp == TMP_PRIVATE;
	}
	return policy->type == BAILEY_POLICY_WORKSPACE_WRITE;
}

const char *const *
bailey_default_sensitive_paths(size_t *count)
{
	*count = COUNT_OF(sensitive_names);
	return sensitive_names;
}

const char *const *
bailey_protected_names(size_t *count)
{
	*count = policy_protected_name_count;
	return policy_protected_names;
}

const char *const *
bailey_blocked_syscalls(size_t *count)
{
	*count = policy_blocked_syscall_count;
	return policy_blocked_syscalls;
}

const char *const *
bailey_filtered_syscalls(size_t *count)
{
	*count = COUNT_OF(filtered_syscalls);
	return filtered_syscalls;
}
