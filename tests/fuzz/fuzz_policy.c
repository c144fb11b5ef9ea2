/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are a policy or an error that can be shown. What is read is also written, and what is
 * written reads back as the same text; under read_only nothing that may be read may be written,
 * and what is in a sensitive path may not be read.
 *
 * Input whose first byte is "{" is the wire form; anything else is a TOML profile or
 * configuration.
 */
#include "check.h"

#include "policy/parts.h"

#include "base/attr.h"

#include <string.h>

static const struct bailey_scene scene = {
	.cwd = "/home/u/work",
	.home = "/home/u",
	.tmpdir = "/scratch",
	.lexical = true,
};

static struct bailey_policy *
read_any(const char *text, size_t len, struct bailey_error *err)
{
	struct bailey_policy *policy = NULL;
	struct doc *doc = NULL;
	int status;

	if (len > 0 && text[0] == '{') {
		status = bailey_policy_from_json("fuzz", text, len, &policy, err);
	} else {
		status = doc_parse_toml("fuzz", text, len, &doc, err);
		if (status == BAILEY_OK) {
			status = policy_read_doc(doc, "fuzz.toml", NULL, &policy, err);
		}
	}
	MUST((policy != NULL) == (status == BAILEY_OK));
	MUST(status == err->status);
	return policy;
}

static void
check_writing(const struct bailey_policy *policy)
{
	struct bailey_error err = { 0 };
	AUTO_FREE char *text = NULL;
	AUTO_FREE char *again = NULL;
	AUTO_POLICY *copy = NULL;
	AUTO_POLICY *read = NULL;

	MUST(policy_check(policy));
	MUST(bailey_policy_to_json(policy, &text, &err) == BAILEY_OK);
	MUST(bailey_policy_from_json("again", text, strlen(text), &read, &err) == BAILEY_OK);
	MUST(policy_check(read));
	MUST(bailey_policy_to_json(read, &again, &err) == BAILEY_OK);
	MUST(strcmp(text, again) == 0);
	free(again);
	again = NULL;
	MUST(bailey_policy_clone(policy, &copy, &err) == BAILEY_OK);
	MUST(bailey_policy_to_json(copy, &again, &err) == BAILEY_OK);
	MUST(strcmp(text, again) == 0);
}

static void
check_path(const struct bailey_policy *policy, const char *path)
{
	struct bailey_answer read = { 0 };
	struct bailey_answer write = { 0 };
	struct bailey_error err = { 0 };

	if (path[0] == '\0') {
		return;
	}
	MUST(bailey_policy_can_read(policy, &scene, path, &read, &err) == BAILEY_OK);
	MUST(bailey_policy_can_write(policy, &scene, path, &write, &err) == BAILEY_OK);
	MUST(read.rule != NULL && read.text[0] != '\0');
	MUST(write.rule != NULL && write.text[0] != '\0');
	if (bailey_policy_type(policy) == BAILEY_POLICY_READ_ONLY) {
		MUST(!write.allowed || strcmp(write.rule, "write.device") == 0);
	}
}

/* The paths that the policy names itself are the ones at the borders of its answers. */
static void
check_paths(const struct bailey_policy *policy)
{
	struct bailey_answer answer = { 0 };
	struct bailey_error err = { 0 };

	for (size_t i = 0; i < 16 && i < policy->writable_roots.count; i++) {
		check_path(policy, policy->writable_roots.items[i]);
	}
	for (size_t i = 0; i < 16 && i < policy->read_roots.count; i++) {
		check_path(policy, policy->read_roots.items[i]);
	}
	for (size_t i = 0; i < 16 && i < policy->deny.count; i++) {
		check_path(policy, policy->deny.items[i]);
	}
	check_path(policy, "x");
	check_path(policy, "/dev/null");
	MUST(bailey_policy_can_read(policy, &scene, "~/.ssh/id", &answer, &err) == BAILEY_OK);
	MUST(!answer.allowed || bailey_policy_type(policy) != BAILEY_POLICY_READ_ONLY);
	for (size_t i = 0; i < 16 && i < policy->allowlist_count; i++) {
		const struct net_entry *entry = &policy->allowlist[i];
		const char *host = entry->domain + (entry->domain[0] == '*' ? 2 : 0);

		MUST(bailey_policy_can_connect(policy, host, entry->port, entry->udp, &answer,
					       &err) == BAILEY_OK);
		MUST(answer.allowed || !policy_seccomp(policy).allow_network_sockets);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct bailey_error err = { 0 };
	AUTO_POLICY *policy = read_any(text, size, &err);
	char line[256];

	if (policy == NULL) {
		(void)bailey_error_format(&err, line, sizeof(line));
		MUST(err.message[0] != '\0');
		return 0;
	}
	check_writing(policy);
	check_paths(policy);
	MUST(strlen(bailey_policy_describe(policy, line, sizeof(line))) > 0);
	return 0;
}
