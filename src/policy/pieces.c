/* SPDX-License-Identifier: MIT */

/*
 * Parts of the wire form on their own. The writers of the whole form take a policy, so each part is
 * written from a view of the policy in which the part that is in force stands in for its own.
 */

#include "policy/pieces.h"

#include "policy/parts.h"

static int
take(struct strbuf *out, char **text, struct bailey_error *err)
{
	*text = strbuf_take(out);
	if (*text == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a part of a policy");
	}
	return BAILEY_OK;
}

int
policy_limits_json(const struct bailey_policy *policy, char **text, struct bailey_error *err)
{
	AUTO_STRBUF out = STRBUF_INIT;
	struct bailey_policy view = *policy; /* borrows everything */

	view.limits = policy_limits(policy);
	write_limits(&out, &view);
	return take(&out, text, err);
}

int
policy_seccomp_json(const struct bailey_policy *policy, char **text, struct bailey_error *err)
{
	AUTO_STRBUF out = STRBUF_INIT;
	struct bailey_policy view = *policy; /* borrows everything */

	view.seccomp = policy_seccomp(policy);
	write_seccomp(&out, &view);
	return take(&out, text, err);
}
