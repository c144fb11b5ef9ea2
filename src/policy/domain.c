/* SPDX-License-Identifier: MIT */
/*
 * Names of hosts: bringing them to one form, and matching them. Every comparison of names in Bailey
 * is one of bytes between two results of domain_normalize(), so that no spelling of a host slips
 * past an entry or is let in by one.
 *
 * What the resolver would take as an address ("0x7f.1", "017700000001", "127.1") is refused as a
 * name: such forms exist to be misread.
 */
#include "policy/parts.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <string.h>

#define TEXT_MAX 1024 /* before the conversion; a name can shrink in it */
#define DOMAIN_MAX 253
#define LABEL_MAX 63

static int
invalid(const char **problem, const char *text)
{
	*problem = text;
	return BAILEY_E_INVALID;
}

static int
copy_out(struct arena *arena, const char *text, const char **out)
{
	*out = arena_strdup(arena, text);
	return *out != NULL ? BAILEY_OK : BAILEY_E_NOMEM;
}

/* An IPv4 address in an IPv6 one reaches the same host, so it gets the same name. */
static int
normal_ipv6(struct arena *arena, const char *text, const char **out, const char **problem)
{
	char buf[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (inet_pton(AF_INET6, text, &address) != 1) {
		return invalid(problem, "is not an IPv6 address");
	}
	if (IN6_IS_ADDR_V4MAPPED(&address)) {
		(void)inet_ntop(AF_INET, &address.s6_addr[12], buf, sizeof(buf));
	} else {
		(void)inet_ntop(AF_INET6, &address, buf, sizeof(buf));
	}
	return copy_out(arena, buf, out);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Would a resolver take a name that ends in this label for a number? */
static bool
label_is_number(const char *label, size_t len)
{
	bool hex = len >= 2 && label[0] == '0' && label[1] == 'x';

	for (size_t i = hex ? 2 : 0; i < len; i++) {
		if (!is_digit(label[i]) && !(hex && label[i] >= 'a' && label[i] <= 'f')) {
			return false;
		}
	}
	return len > 0;
}

static const char *
label_problem(const char *label, size_t len)
{
	if (len == 0) {
		return "has an empty label between dots";
	}
	if (len > LABEL_MAX) {
		return "has a label of more than 63 bytes";
	}
	if (label[0] == '-' || label[len - 1] == '-') {
		return "has a label that begins or ends with '-'";
	}
	for (size_t i = 0; i < len; i++) {
		char c = label[i];

		if (c == '*') {
			return "has a '*' that is not its first label, as in '*.example.org'";
		}
		if (!is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' && c != '_') {
			return "has a character that no host name has";
		}
	}
	return NULL;
}

/* `name` is ASCII: makes it lower case, takes one trailing dot off, and checks it. */
static const char *
check_name(char *name, const char **last_label)
{
	size_t len = strlen(name);
	const char *label = name;

	for (size_t i = 0; i < len; i++) {
		name[i] =
			name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + ('a' - 'A')) : name[i];
	}
	if (len > 1 && name[len - 1] == '.') {
		name[--len] = '\0';
	}
	if (len > DOMAIN_MAX) {
		return "is longer than 253 bytes";
	}
	for (;;) {
		size_t part = strcspn(label, ".");
		const char *problem = label_problem(label, part);

		if (problem != NULL) {
			return problem;
		}
		*last_label = label;
		if (label[part] == '\0') {
			return NULL;
		}
		label += part + 1;
	}
}

static bool
is_ascii(const char *text)
{
	while (*text != '\0' && (unsigned char)*text < 0x80) {
		text++;
	}
	return *text == '\0';
}

/* Letters beyond ASCII become A-labels (UTS 46, non-transitional). */
static int
to_ascii(struct arena *arena, const char *text, char **out, const char **problem)
{
	uint8_t *found = NULL;
	int failed;

	if (is_ascii(text)) {
		*out = arena_strdup(arena, text);
		return *out != NULL ? BAILEY_OK : BAILEY_E_NOMEM;
	}
	failed = idn2_lookup_u8((const uint8_t *)text, &found,
				IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
	if (failed == IDN2_MALLOC) {
		return BAILEY_E_NOMEM;
	}
	if (failed != IDN2_OK) {
		return invalid(problem, "is not a valid internationalised name");
	}
	*out = arena_strdup(arena, (const char *)found);
	idn2_free(found);
	return *out != NULL ? BAILEY_OK : BAILEY_E_NOMEM;
}

/* What the text is by its looks: NULL, or why it cannot be a host at all. */
static const char *
looks_wrong(const char *text, bool pattern)
{
	if (text[0] == '\0') {
		return "is empty";
	}
	if (strlen(text) > TEXT_MAX) {
		return "is longer than a host name can be";
	}
	if (strstr(text, "://") != NULL) {
		return "is a URL; expected the name of its host alone";
	}
	if (strcmp(text, "*") == 0 || strcmp(text, "*.") == 0) {
		return pattern ? "would be every host; to allow them all, set network_access "
				 "without an allowlist"
			       : "is not a host name";
	}
	return NULL;
}

static int
normal_name(struct arena *arena, const char *text, bool wild, const char **out,
	    const char **problem)
{
	char *name = NULL;
	const char *last = "";
	struct in_addr address;
	int failed = to_ascii(arena, text, &name, problem);

	if (failed != BAILEY_OK) {
		return failed;
	}
	*problem = check_name(name, &last);
	if (*problem != NULL) {
		return BAILEY_E_INVALID;
	}
	if (label_is_number(last, strlen(last))) {
		if (wild) {
			return invalid(problem, "has a '*' in front of an address");
		}
		if (inet_pton(AF_INET, name, &address) != 1) {
			return invalid(problem, "looks like an IPv4 address, but is not four "
						"decimal numbers without leading zeros");
		}
	}
	*out = wild ? arena_printf(arena, "*.%s", name) : name;
	return *out != NULL ? BAILEY_OK : BAILEY_E_NOMEM;
}

int
domain_normalize(struct arena *arena, const char *text, bool pattern, const char **out,
		 const char **problem)
{
	bool wild = pattern && text[0] == '*' && text[1] == '.';
	size_t len = strlen(text);

	*problem = looks_wrong(text, pattern);
	if (*problem != NULL) {
		return BAILEY_E_INVALID;
	}
	if (text[0] == '[' && text[len - 1] == ']') {
		const char *inner = arena_strndup(arena, text + 1, len - 2);

		return inner != NULL ? normal_ipv6(arena, inner, out, problem) : BAILEY_E_NOMEM;
	}
	if (strchr(text, ':') != NULL) {
		return normal_ipv6(arena, text, out, problem);
	}
	return normal_name(arena, wild ? text + 2 : text, wild, out, problem);
}

bool
domain_matches(const char *pattern, const char *host)
{
	size_t host_len = strlen(host);
	size_t suffix_len;

	if (pattern[0] != '*') {
		return strcmp(pattern, host) == 0;
	}
	if (strcmp(pattern + 2, host) == 0) {
		return true;
	}
	suffix_len = strlen(pattern + 1);
	return host_len > suffix_len && strcmp(host + host_len - suffix_len, pattern + 1) == 0;
}

bool
domain_is_address(const char *domain)
{
	struct in6_addr address;

	return inet_pton(strchr(domain, ':') != NULL ? AF_INET6 : AF_INET, domain, &address) == 1;
}

/* One port number; 0 when it is none. */
static uint16_t
parse_port(const char *text, size_t len)
{
	uint32_t port = 0;

	if (len == 0 || len > 5) {
		return 0;
	}
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i])) {
			return 0;
		}
		port = port * 10 + (uint32_t)(text[i] - '0');
	}
	return port <= UINT16_MAX ? (uint16_t)port : 0;
}

const char *
port_range(const char *text, size_t len, uint16_t *first, uint16_t *last)
{
	const char *dash = memchr(text, '-', len);
	size_t part = dash != NULL ? (size_t)(dash - text) : len;

	if (len == 1 && text[0] == '*') {
		*first = 1;
		*last = UINT16_MAX;
		return NULL;
	}
	*first = parse_port(text, part);
	*last = dash != NULL ? parse_port(dash + 1, len - part - 1) : *first;
	if (*first == 0 || *last == 0) {
		return "is not a port from 1 to 65535, nor a range such as '8000-8010'";
	}
	return *first <= *last ? NULL : "is a range whose end is below its beginning";
}

/* Takes "/tcp" or "/udp" off the end of `*len` bytes. */
static const char *
split_protocol(const char *text, size_t *len, bool *udp)
{
	const char *slash = memrchr(text, '/', *len);

	*udp = false;
	if (slash == NULL) {
		return NULL;
	}
	*udp = strcmp(slash, "/udp") == 0;
	if (!*udp && strcmp(slash, "/tcp") != 0) {
		return "does not end in '/tcp' or '/udp' behind its '/'";
	}
	*len = (size_t)(slash - text);
	return NULL;
}

/* Splits "host:port" in `len` bytes; the port's text is NULL when there is none. */
static const char *
split_port(const char *text, size_t len, size_t *host_len, const char **port)
{
	const char *colon = memrchr(text, ':', len);
	const char *close = memrchr(text, ']', len);

	*port = NULL;
	*host_len = len;
	if (text[0] == '[' && close != NULL) {
		*host_len = (size_t)(close + 1 - text);
		if (*host_len == len) {
			return NULL;
		}
		if (close[1] != ':') {
			return "has something other than a port behind its brackets";
		}
		*port = close + 2;
		return NULL;
	}
	/* Two colons without brackets: an IPv6 address alone. */
	if (colon != NULL && memchr(text, ':', len) == colon) {
		*host_len = (size_t)(colon - text);
		*port = colon + 1;
	}
	return NULL;
}

int
net_entry_parse(struct arena *arena, const char *text, struct net_entry *out, const char **problem)
{
	struct net_entry entry = { .port = 443, .port_last = 443 };
	size_t len = strlen(text);
	size_t host_len;
	const char *port;
	const char *host;
	int failed;

	*problem = strstr(text, "://") != NULL ? "is a URL; expected HOST[:PORT]"
					       : split_protocol(text, &len, &entry.udp);
	if (*problem == NULL) {
		*problem = split_port(text, len, &host_len, &port);
	}
	if (*problem == NULL && port != NULL) {
		*problem = port_range(port, len - (size_t)(port - text), &entry.port,
				      &entry.port_last);
	}
	if (*problem != NULL) {
		return BAILEY_E_INVALID;
	}
	host = arena_strndup(arena, text, host_len);
	if (host == NULL) {
		return BAILEY_E_NOMEM;
	}
	failed = domain_normalize(arena, host, true, &entry.domain, problem);
	if (failed == BAILEY_OK) {
		*out = entry;
	}
	return failed;
}
