/* SPDX-License-Identifier: MIT */
/*
 * May this host be reached?
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static int
answer_with(struct bailey_answer *answer, bool allowed, const char *rule, const char *entry,
	    const char *text)
{
	answer->allowed = allowed;
	answer->rule = rule;
	(void)snprintf(answer->entry, sizeof(answer->entry), "%s", entry);
	(void)snprintf(answer->text, sizeof(answer->text), "%s", text);
	return BAILEY_OK;
}

static const struct net_entry *
find_entry(const struct bailey_policy *policy, const char *host, uint16_t port, bool udp)
{
	for (size_t i = 0; i < policy->allowlist_count; i++) {
		const struct net_entry *entry = &policy->allowlist[i];

		if (entry->udp == udp && port >= entry->port && port <= entry->port_last &&
		    domain_matches(entry->domain, host)) {
			return entry;
		}
	}
	return NULL;
}

static int
answer_allowlist(const struct bailey_policy *policy, const char *host, uint16_t port, bool udp,
		 struct bailey_answer *answer)
{
	const struct net_entry *entry = find_entry(policy, host, port, udp);
	const char *kind = udp ? "udp" : "tcp";

	if (entry != NULL) {
		(void)answer_with(answer, true, "net.allowlist", entry->domain, "");
		(void)snprintf(answer->text, sizeof(answer->text),
			       "'%s' port %u/%s is allowed by the entry '%s'", host, port, kind,
			       entry->domain);
	} else {
		(void)answer_with(answer, false, "net.not-listed", "", "");
		(void)snprintf(answer->text, sizeof(answer->text),
			       "'%s' port %u/%s is not in the network allowlist", host, port, kind);
	}
	return BAILEY_OK;
}

static bool
is_loopback(const char *host)
{
	return (strncmp(host, "127.", 4) == 0 && domain_is_address(host)) ||
	       strcmp(host, "::1") == 0 || strcmp(host, "localhost") == 0;
}

static int
answer_closed(const struct bailey_policy *policy, const char *host, bool udp,
	      struct bailey_answer *answer)
{
	if (!udp && policy_own_loopback(policy) && is_loopback(host)) {
		return answer_with(answer, false, "net.own-loopback", "loopback",
				   "the policy allows no network; on the loopback interface the "
				   "command reaches the servers that it started itself");
	}
	return answer_with(answer, false, "net.none", "", "the policy allows no network");
}

static int
answer_network(const struct bailey_policy *policy, const char *host, uint16_t port, bool udp,
	       struct bailey_answer *answer)
{
	if (policy->type == BAILEY_POLICY_DANGER_FULL_ACCESS) {
		return answer_with(answer, true, "net.full-access", "",
				   "every host is open: there is no sandbox");
	}
	if (policy->type == BAILEY_POLICY_EXTERNAL_SANDBOX) {
		return answer_with(answer, true, "net.external", "",
				   "the network is left to the external sandbox");
	}
	if (!policy_has_network(policy)) {
		return answer_closed(policy, host, udp, answer);
	}
	if (!policy_seccomp(policy).allow_network_sockets) {
		return answer_with(answer, false, "net.no-sockets", "allow_network_sockets",
				   "the policy allows network, but its seccomp profile has "
				   "allow_network_sockets = false");
	}
	if (policy->allowlist_count == 0) {
		return answer_with(answer, true, "net.full", "network_access",
				   "the policy allows every host");
	}
	return answer_allowlist(policy, host, port, udp, answer);
}

int
bailey_policy_can_connect(const struct bailey_policy *policy, const char *host, uint16_t port,
			  bool udp, struct bailey_answer *answer, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	char shown[TEXT_SHOWN_MAX];
	const char *problem = NULL;
	const char *normal = NULL;
	int failed = domain_normalize(&arena, host, false, &normal, &problem);

	if (failed == BAILEY_E_INVALID) {
		return bailey_fail(err, BAILEY_E_INVALID, "host '%s' %s",
				   text_shown(shown, host, strlen(host)), problem);
	}
	if (failed != BAILEY_OK) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a question");
	}
	if (port == 0) {
		return bailey_fail(err, BAILEY_E_INVALID, "0 is not a port; expected 1 to 65535");
	}
	return answer_network(policy, normal, port, udp, answer);
}
