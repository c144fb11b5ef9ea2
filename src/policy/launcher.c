/* SPDX-License-Identifier: MIT */

/* What a sandbox manager hands its launcher beside the policy: a seccomp profile and limits, each
 * as JSON of its own in the wire form. */

#include "base/doc.h"
#include "policy/parts.h"

#include <string.h>

static int
read_piece(struct bailey_policy *policy, const char *source, const char *text,
	   int (*read)(struct reading *reading, struct node node, struct bailey_error *err),
	   struct bailey_error *err)
{
	AUTO_DOC *doc = NULL;
	struct reading reading = { .policy = policy };
	int rc = doc_parse_json(source, text, strlen(text), &doc, err);

	return rc == BAILEY_OK ? read(&reading, doc_root(doc), err) : rc;
}

int
bailey_policy_use_seccomp_json(struct bailey_policy *policy, const char *source, const char *text,
			       struct bailey_error *err)
{
	return read_piece(policy, source, text, read_seccomp, err);
}

int
bailey_policy_use_limits_json(struct bailey_policy *policy, const char *source, const char *text,
			      struct bailey_error *err)
{
	return read_piece(policy, source, text, read_limits, err);
}

bool
bailey_policy_has_network_sockets(const struct bailey_policy *policy)
{
	return policy->seccomp.allow_network_sockets;
}
