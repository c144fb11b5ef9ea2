/* SPDX-License-Identifier: MIT */

/*
 * What this kernel, and this version of Bailey, can hold of a policy. A part that cannot be held
 * is an error that names it and the option which accepts the loss; it never vanishes silently.
 */

#include "base/attr.h"
#include "plan/compile.h"
#include "plan/kernel.h"
#include "plan/rights.h"

#include <string.h>

struct kernel_need {
	const char *id;
	enum right_kind kind;
	uint64_t bit;
	int abi;
	const char *loss; /* what a program could do without it */
};

/*
 * Rights without which a promise breaks. The others either only add comfort (REFER: without it
 * renames across directories are refused) or guard what is not granted anyway (IOCTL_DEV).
 */
static const struct kernel_need needs[] = {
	{ "truncate", RIGHTS_FS, LL_TRUNCATE, 3,
	  "files outside the writable roots can be truncated" },
	{ "signal-scope", RIGHTS_SCOPE, LL_SCOPE_SIGNAL, 6,
	  "processes outside the sandbox can be signalled" },
	{ "abstract-socket-scope", RIGHTS_SCOPE, LL_SCOPE_ABSTRACT_UNIX, 6,
	  "abstract unix sockets of other processes can be reached" },
};

static const char *
why_no_landlock(int sys)
{
	switch (sys) {
	case ENOSYS:
		return "the kernel was built without it or is older than 5.13";
	case EOPNOTSUPP:
		return "it is built in but not started; add landlock to the lsm= boot parameter";
	case EPERM:
	case EACCES:
		return "the container or sandbox around this process forbids it";
	default:
		return "it does not answer as documented";
	}
}

static uint64_t
host_mask(const struct host *host, enum right_kind kind)
{
	switch (kind) {
	case RIGHTS_FS:
		return host->landlock_fs;
	case RIGHTS_NET:
		return host->landlock_net;
	case RIGHTS_SCOPE:
		return host->landlock_scope;
	}
	return 0;
}

static int
check_need(struct compile *c, const struct kernel_need *need)
{
	if ((host_mask(c->request->host, need->kind) & need->bit) != 0) {
		return BAILEY_OK;
	}
	if (need->bit == LL_SCOPE_ABSTRACT_UNIX && !c->plan->filter.unix_sockets) {
		return BAILEY_OK; /* no unix socket exists that could connect */
	}
	if (!c->request->best_effort) {
		return bailey_fail(c->err, BAILEY_E_UNSUPPORTED,
				   "this kernel lacks Landlock's %s (it has ABI %d, the right came "
				   "with ABI %d): %s; --best-effort accepts that",
				   need->id, c->request->host->landlock_abi, need->abi, need->loss);
	}
	plan_gap(c->plan, BY_NOTHING, need->id, NULL,
		 "%s: the kernel has Landlock ABI %d, %d needed", need->loss,
		 c->request->host->landlock_abi, need->abi);
	return BAILEY_OK;
}

int
kernel_check(struct compile *c)
{
	const struct host *host = c->request->host;

	if (host->landlock_abi < 1) {
		return bailey_fail(c->err, BAILEY_E_UNSUPPORTED,
				   "this kernel offers no Landlock, without which nothing can be "
				   "confined: %s",
				   why_no_landlock(host->landlock_errno));
	}
	if (!host->seccomp) {
		return bailey_fail(c->err, BAILEY_E_UNSUPPORTED,
				   "this kernel offers no seccomp filters (CONFIG_SECCOMP_FILTER)");
	}
	for (size_t i = 0; i < COUNT_OF(needs); i++) {
		int rc = check_need(c, &needs[i]);

		if (rc != BAILEY_OK) {
			return rc;
		}
	}
	return BAILEY_OK;
}

/* What only a later version will hold. Refused, whatever the options. */
static int
check_later(struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	const char *what = NULL;
	const char *instead = "leave it out, or allow the whole network with --net";

	if (policy->allowlist_count > 0) {
		what = "network_allowlist (names of hosts that may be reached)";
		instead = "leave it empty for no network, or allow the whole network with --net";
	} else if (policy->bind_port_count > 0) {
		what = "bind_ports";
	} else if (policy->resolve_count > 0) {
		what = "resolve";
		instead = "leave it out";
	}
	if (what == NULL) {
		return BAILEY_OK;
	}
	return bailey_fail(c->err, BAILEY_E_UNSUPPORTED,
			   "the policy asks for %s, which this version of Bailey does not have; %s",
			   what, instead);
}

/* What the broker holds, and nobody else can. */
static int
check_broker(struct compile *c)
{
	const struct bailey_policy *policy = c->policy;
	const char *excluded = broker_excluded(c);
	const char *what = NULL;
	const char *instead = NULL;

	if (policy->protect && policy->protect_git == PROTECT_GIT_HOOKS &&
	    policy->type == BAILEY_POLICY_WORKSPACE_WRITE) {
		what = "protect_git = \"hooks\"";
		instead = "use \"all\", or \"none\" to leave repositories writable";
	} else if (policy->unix_sockets.count > 0 && !policy_any_unix_socket(policy)) {
		what = "unix_sockets with paths";
		instead =
			"leave it empty for none, or allow all of them with [\"*\"] (--allow-unix)";
	}
	if (what == NULL || excluded == NULL) {
		return BAILEY_OK;
	}
	return bailey_fail(c->err, BAILEY_E_UNSUPPORTED,
			   "the policy asks for %s, which needs the broker: %s; or %s", what,
			   excluded, instead);
}

int
version_check(struct compile *c)
{
	int rc = check_later(c);

	return rc == BAILEY_OK ? check_broker(c) : rc;
}

bool
policy_any_unix_socket(const struct bailey_policy *policy)
{
	for (size_t i = 0; i < policy->unix_sockets.count; i++) {
		if (strcmp(policy->unix_sockets.items[i], "*") == 0) {
			return true;
		}
	}
	return false;
}
