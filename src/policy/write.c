/* SPDX-License-Identifier: MIT */
/*
 * From a policy to the wire form: one line of JSON, in the order of the table of keys.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* Escapes as serde_json does, so that the seed's own output comes back byte for byte. */
static void
put_string(struct strbuf *out, const char *text)
{
	static const char raw[] = "\"\\\b\f\n\r\t";
	static const char escaped[] = "\"\\bfnrt";

	strbuf_putc(out, '"');
	for (; *text != '\0'; text++) {
		const char *at = strchr(raw, *text);

		if (at != NULL) {
			strbuf_putc(out, '\\');
			strbuf_putc(out, escaped[at - raw]);
		} else if ((unsigned char)*text < 0x20) {
			strbuf_printf(out, "\\u%04x", (unsigned int)*text);
		} else {
			strbuf_putc(out, *text);
		}
	}
	strbuf_putc(out, '"');
}

static void
put_bool(struct strbuf *out, bool value)
{
	strbuf_puts(out, value ? "true" : "false");
}

static void
put_strings(struct strbuf *out, const char *const items[], size_t count)
{
	strbuf_putc(out, '[');
	for (size_t i = 0; i < count; i++) {
		strbuf_puts(out, i > 0 ? "," : "");
		put_string(out, items[i]);
	}
	strbuf_putc(out, ']');
}

void
write_roots(struct strbuf *out, const struct bailey_policy *policy)
{
	strbuf_putc(out, '[');
	for (size_t i = 0; i < policy->writable_roots.count; i++) {
		strbuf_puts(out, i > 0 ? ",{\"root\":" : "{\"root\":");
		put_string(out, policy->writable_roots.items[i]);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
}

void
write_allowlist(struct strbuf *out, const struct bailey_policy *policy)
{
	strbuf_putc(out, '[');
	for (size_t i = 0; i < policy->allowlist_count; i++) {
		const struct net_entry *entry = &policy->allowlist[i];

		strbuf_puts(out, i > 0 ? ",{\"domain\":" : "{\"domain\":");
		put_string(out, entry->domain);
		if (entry->port == entry->port_last) {
			strbuf_printf(out, ",\"port\":%u", entry->port);
		} else {
			strbuf_printf(out, ",\"port\":\"%u-%u\"", entry->port, entry->port_last);
		}
		strbuf_printf(out, ",\"protocol\":\"%s\"}", entry->udp ? "udp" : "tcp");
	}
	strbuf_putc(out, ']');
}

void
write_sensitive(struct strbuf *out, const struct bailey_policy *policy)
{
	if (policy->sensitive_defaults) {
		strbuf_puts(out, "null");
		return;
	}
	strbuf_putc(out, '[');
	for (size_t i = 0; i < policy->sensitive_count; i++) {
		const struct sensitive_path *entry = &policy->sensitive[i];

		strbuf_puts(out, i > 0 ? ",{\"path\":" : "{\"path\":");
		put_string(out, entry->path);
		strbuf_puts(out, ",\"block_read\":");
		put_bool(out, entry->block_read);
		strbuf_puts(out, ",\"block_write\":");
		put_bool(out, entry->block_write);
		strbuf_putc(out, '}');
	}
	strbuf_putc(out, ']');
}

void
write_limits(struct strbuf *out, const struct bailey_policy *policy)
{
	struct limits limits = policy->limits;
	uint64_t files = policy->type == BAILEY_POLICY_READ_ONLY
				 ? policy_presets[PRESET_CONSERVATIVE].max_open_files
				 : 0;

	strbuf_putc(out, '{');
	for (size_t i = 0; i < COUNT_OF(limit_names); i++) {
		const uint64_t *limit = limit_at(&limits, i);

		if (limit == &limits.max_open_files && *limit == files) {
			continue;
		}
		strbuf_printf(out, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", limit_names[i], *limit);
	}
	strbuf_putc(out, '}');
}

bool
limits_differ(const struct bailey_policy *policy)
{
	struct limits normal =
		policy_presets[policy->type == BAILEY_POLICY_READ_ONLY ? PRESET_CONSERVATIVE
								       : PRESET_UNLIMITED];

	return memcmp(&normal, &policy->limits, sizeof(normal)) != 0;
}

void
write_seccomp(struct strbuf *out, const struct bailey_policy *policy)
{
	const struct seccomp_profile *profile = &policy->seccomp;

	strbuf_puts(out, "{\"blocked_syscalls\":");
	if (profile->strict) {
		put_strings(out, policy_blocked_syscalls, policy_blocked_syscall_count);
	} else {
		put_strings(out, profile->blocked.items, profile->blocked.count);
	}
	strbuf_puts(out, ",\"allow_namespaces\":");
	put_bool(out, profile->allow_namespaces);
	strbuf_puts(out, ",\"allow_network_sockets\":");
	put_bool(out, profile->allow_network_sockets);
	strbuf_puts(out, ",\"log_only\":");
	put_bool(out, profile->log_only);
	if (profile->mode == SECCOMP_ALLOWLIST) {
		strbuf_puts(out, ",\"mode\":\"allowlist\"");
	}
	if (profile->additional.count > 0) {
		strbuf_puts(out, ",\"additional_blocked\":");
		put_strings(out, profile->additional.items, profile->additional.count);
	}
	if (profile->allowed.count > 0) {
		strbuf_puts(out, ",\"allowed\":");
		put_strings(out, profile->allowed.items, profile->allowed.count);
	}
	strbuf_putc(out, '}');
}

bool
seccomp_differs(const struct bailey_policy *policy)
{
	const struct seccomp_profile *profile = &policy->seccomp;

	return !profile->strict || profile->mode != SECCOMP_DENYLIST || profile->log_only ||
	       profile->allow_namespaces || profile->allow_network_sockets ||
	       profile->additional.count > 0 || profile->allowed.count > 0;
}

void
write_description(struct strbuf *out, const struct bailey_policy *policy)
{
	put_string(out, policy->description != NULL ? policy->description : "");
}

void
write_tmp(struct strbuf *out, const struct bailey_policy *policy)
{
	put_string(out, tmp_names[policy->tmp]);
}

bool
tmp_differs(const struct bailey_policy *policy)
{
	return policy->tmp_is_set;
}

/* What the reader of the wire form takes an absent key for. */
static enum loopback_mode
absent_loopback(const struct bailey_policy *policy)
{
	return policy->type == BAILEY_POLICY_WORKSPACE_WRITE ? LOOPBACK_AS_SOCKETS : LOOPBACK_NONE;
}

bool
loopback_differs(const struct bailey_policy *policy)
{
	return policy->loopback != absent_loopback(policy);
}

void
write_loopback(struct strbuf *out, const struct bailey_policy *policy)
{
	put_string(out, loopback_names[policy->loopback]);
}

void
write_bind_ports(struct strbuf *out, const struct bailey_policy *policy)
{
	for (size_t i = 0; i < policy->bind_port_count; i++) {
		strbuf_printf(out, "%c%u", i > 0 ? ',' : '[', policy->bind_ports[i]);
	}
	strbuf_putc(out, ']');
}

bool
bind_ports_differ(const struct bailey_policy *policy)
{
	return policy->bind_port_count > 0;
}

/* Names are unique: of a name that was set twice the last one counts. */
static bool
is_last(const struct bailey_policy *policy, size_t at)
{
	for (size_t i = at + 1; i < policy->resolve_count; i++) {
		if (strcmp(policy->resolve[i].name, policy->resolve[at].name) == 0) {
			return false;
		}
	}
	return true;
}

void
write_resolve(struct strbuf *out, const struct bailey_policy *policy)
{
	const char *separator = "";

	strbuf_putc(out, '{');
	for (size_t i = 0; i < policy->resolve_count; i++) {
		if (!is_last(policy, i)) {
			continue;
		}
		strbuf_puts(out, separator);
		put_string(out, policy->resolve[i].name);
		strbuf_putc(out, ':');
		put_string(out, policy->resolve[i].address);
		separator = ",";
	}
	strbuf_putc(out, '}');
}

bool
resolve_differs(const struct bailey_policy *policy)
{
	return policy->resolve_count > 0;
}

static unsigned int
word_of(const struct bailey_policy *policy, const struct key *key)
{
	unsigned int word;

	memcpy(&word, policy_field_const(policy, key), sizeof(word));
	return word;
}

/* Is a key that the seed does not have worth writing? */
static bool
differs(const struct bailey_policy *policy, const struct key *key)
{
	const struct strings *list;

	switch (key->kind) {
	case KEY_BOOL:
		return *(const bool *)policy_field_const(policy, key) != key->normal_bool;
	case KEY_WORD:
		return word_of(policy, key) != key->normal_word;
	case KEY_STRINGS:
		list = policy_field_const(policy, key);
		return list->count > 0;
	case KEY_SPECIAL:
		return key->differs(policy);
	}
	return false;
}

static void
put_value(struct strbuf *out, const struct bailey_policy *policy, const struct key *key)
{
	const struct strings *list;

	switch (key->kind) {
	case KEY_BOOL:
		put_bool(out, *(const bool *)policy_field_const(policy, key));
		return;
	case KEY_WORD:
		put_string(out, key->words[word_of(policy, key)]);
		return;
	case KEY_STRINGS:
		list = policy_field_const(policy, key);
		put_strings(out, list->items, list->count);
		return;
	case KEY_SPECIAL:
		key->write(out, policy);
		return;
	}
}

int
bailey_policy_to_json(const struct bailey_policy *policy, char **text, struct bailey_error *err)
{
	AUTO_STRBUF out = STRBUF_INIT;
	unsigned int bit = (unsigned int)BIT(policy->type);

	strbuf_printf(&out, "{\"type\":\"%s\"", policy_type_names[policy->type]);
	for (size_t i = 0; i < policy_key_count; i++) {
		const struct key *key = &policy_keys[i];

		if ((key->types & bit) == 0 || ((key->seed & bit) == 0 && !differs(policy, key))) {
			continue;
		}
		strbuf_printf(&out, ",\"%s\":", key->name);
		put_value(&out, policy, key);
	}
	strbuf_putc(&out, '}');
	if (!out.failed && text_valid(out.text, out.len) != out.len) {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "cannot write the policy as JSON: a path in it is not UTF-8");
	}
	*text = strbuf_take(&out);
	if (*text == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a policy");
	}
	return BAILEY_OK;
}
