/* SPDX-License-Identifier: MIT */
/*
 * Tests of host names and network entries: every spelling of a host comes to one form, or is
 * refused.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "policy/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *given;
	const char *normal; /* NULL: refused */
} hosts[] = {
	{ "example.org", "example.org" },
	{ "EXAMPLE.Org.", "example.org" },
	{ "localhost", "localhost" },
	{ "my_service", "my_service" },
	{ "*.Example.ORG", "*.example.org" },
	{ "*.org", "*.org" },
	{ "b\xc3\xbc"
	  "cher.example",
	  "xn--bcher-kva.example" },
	{ "B\xc3\x9c"
	  "CHER.EXAMPLE",
	  "xn--bcher-kva.example" },
	{ "*.b\xc3\xbc"
	  "cher.example",
	  "*.xn--bcher-kva.example" },
	{ "stra\xc3\x9f"
	  "e.example",
	  "xn--strae-oqa.example" }, /* not "strasse": non-transitional */
	{ "XN--BCHER-KVA.example", "xn--bcher-kva.example" },
	{ "a\xe3\x80\x82"
	  "example",
	  "a.example" }, /* ideographic full stop */
	{ "127.0.0.1", "127.0.0.1" },
	{ "127.0.0.1.", "127.0.0.1" },
	{ "::1", "::1" },
	{ "[::1]", "::1" },
	{ "0:0:0:0:0:0:0:1", "::1" },
	{ "2001:DB8::00ff", "2001:db8::ff" },
	{ "::ffff:127.0.0.1", "127.0.0.1" },
	{ "[::ffff:7f00:1]", "127.0.0.1" },
	{ "", NULL },
	{ ".", NULL },
	{ "*", NULL },
	{ "*.", NULL },
	{ "a..b", NULL },
	{ ".a", NULL },
	{ "a.*.b", NULL },
	{ "**.a", NULL },
	{ "a*.b", NULL },
	{ "*.*.b", NULL },
	{ "*.127.0.0.1", NULL },
	{ "0x7f.1", NULL },
	{ "0x7f000001", NULL },
	{ "0X7F.0.0.1", NULL },
	{ "017700000001", NULL },
	{ "0177.0.0.1", NULL },
	{ "127.1", NULL },
	{ "2130706433", NULL },
	{ "127.0.0.1.1", NULL },
	{ "256.0.0.1", NULL },
	{ "127.0.0.01", NULL },
	{ "example.0x", NULL },
	{ "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1", NULL }, /* fullwidth digits */
	{ "\xef\xbc\x8a.example", NULL },		    /* fullwidth asterisk */
	{ "a\xef\xbc\x9a"
	  "80",
	  NULL }, /* fullwidth colon */
	{ "fe80::1%eth0", NULL },
	{ "1:2", NULL },
	{ "[::1", NULL },
	{ "[]", NULL },
	{ "[", NULL },
	{ "[127.0.0.1]", NULL },
	{ "https://example.org", NULL },
	{ "user@example.org", NULL },
	{ "example.org/x", NULL },
	{ "exa mple.org", NULL },
	{ "-a.example", NULL },
	{ "a-.example", NULL },
	{ "a\x01.example", NULL },
	{ "\xff\xfe.example", NULL },
	{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b", NULL }, /* 64 */
};

static void
brings_hosts_to_one_form_or_refuses_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(hosts); i++) {
		AUTO_ARENA arena = { 0 };
		const char *out = NULL;
		const char *again = NULL;
		const char *problem = NULL;
		int status = domain_normalize(&arena, hosts[i].given, true, &out, &problem);

		if (status != (hosts[i].normal != NULL ? BAILEY_OK : BAILEY_E_INVALID)) {
			fail_msg("'%s': status %d, '%s'", hosts[i].given, status,
				 out != NULL ? out : problem);
		}
		if (hosts[i].normal == NULL) {
			assert_non_null(problem);
			continue;
		}
		assert_string_equal(out, hosts[i].normal);
		assert_int_equal(domain_normalize(&arena, out, true, &again, &problem), BAILEY_OK);
		assert_string_equal(again, out);
	}
}

static void
refuses_a_pattern_when_a_host_is_asked_for(void **state)
{
	AUTO_ARENA arena = { 0 };
	const char *out = NULL;
	const char *problem = NULL;

	(void)state;
	assert_int_equal(domain_normalize(&arena, "*.a.example", false, &out, &problem),
			 BAILEY_E_INVALID);
	assert_non_null(problem);
}

static void
refuses_names_when_longer_than_dns_allows(void **state)
{
	char name[1200];
	const char *out = NULL;
	const char *problem = NULL;

	(void)state;
	for (size_t len = 240; len < 1200; len++) {
		AUTO_ARENA arena = { 0 };
		int expected = len <= 253 ? BAILEY_OK : BAILEY_E_INVALID;

		for (size_t i = 0; i < len; i++) {
			name[i] = i % 2 == 1 && i + 1 < len ? '.' : 'a';
		}
		name[len] = '\0';
		assert_int_equal(domain_normalize(&arena, name, true, &out, &problem), expected);
	}
}

static const struct {
	const char *pattern;
	const char *host;
	bool matches;
} matching[] = {
	{ "example.org", "example.org", true },
	{ "example.org", "www.example.org", false },
	{ "*.example.org", "example.org", true },
	{ "*.example.org", "www.example.org", true },
	{ "*.example.org", "a.b.example.org", true },
	{ "*.example.org", "badexample.org", false },
	{ "*.example.org", "example.org.evil", false },
	{ "*.example.org", "org", false },
	{ "*.example.org", ".example.org", false },
	{ "127.0.0.1", "127.0.0.1", true },
	{ "127.0.0.1", "127.0.0.10", false },
};

static void
matches_the_name_and_what_is_below_when_wild(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(matching); i++) {
		if (domain_matches(matching[i].pattern, matching[i].host) != matching[i].matches) {
			fail_msg("%s and %s", matching[i].pattern, matching[i].host);
		}
	}
}

static const struct {
	const char *text;
	const char *domain; /* NULL: refused */
	uint16_t first;
	uint16_t last;
	bool udp;
} entries[] = {
	{ "example.org", "example.org", 443, 443, false },
	{ "example.org:8080", "example.org", 8080, 8080, false },
	{ "example.org:8000-8010", "example.org", 8000, 8010, false },
	{ "example.org:*", "example.org", 1, 65535, false },
	{ "example.org:53/udp", "example.org", 53, 53, true },
	{ "example.org/udp", "example.org", 443, 443, true },
	{ "example.org:80/tcp", "example.org", 80, 80, false },
	{ "*.example.org:80", "*.example.org", 80, 80, false },
	{ "10.0.0.1:22", "10.0.0.1", 22, 22, false },
	{ "[::1]:80", "::1", 80, 80, false },
	{ "[::1]", "::1", 443, 443, false },
	{ "::1", "::1", 443, 443, false },
	{ "2001:db8::1", "2001:db8::1", 443, 443, false },
	{ "[2001:db8::1]:1-65535/udp", "2001:db8::1", 1, 65535, true },
	{ "", NULL, 0, 0, false },
	{ ":80", NULL, 0, 0, false },
	{ "*:80", NULL, 0, 0, false },
	{ "a:", NULL, 0, 0, false },
	{ "a:0", NULL, 0, 0, false },
	{ "a:65536", NULL, 0, 0, false },
	{ "a:99999999999999999999", NULL, 0, 0, false },
	{ "a:-1", NULL, 0, 0, false },
	{ "a:1-", NULL, 0, 0, false },
	{ "a:2-1", NULL, 0, 0, false },
	{ "a:1-2-3", NULL, 0, 0, false },
	{ "a:https", NULL, 0, 0, false },
	{ "a:80/sctp", NULL, 0, 0, false },
	{ "a/", NULL, 0, 0, false },
	{ "[::1]80", NULL, 0, 0, false },
	{ "[::1]:", NULL, 0, 0, false },
	{ "https://a", NULL, 0, 0, false },
	{ "a b:80", NULL, 0, 0, false },
};

static void
splits_host_port_and_protocol(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(entries); i++) {
		AUTO_ARENA arena = { 0 };
		struct net_entry entry = { 0 };
		const char *problem = NULL;
		int status = net_entry_parse(&arena, entries[i].text, &entry, &problem);

		if (status != (entries[i].domain != NULL ? BAILEY_OK : BAILEY_E_INVALID)) {
			fail_msg("'%s': status %d", entries[i].text, status);
		}
		if (entries[i].domain == NULL) {
			assert_non_null(problem);
			continue;
		}
		assert_string_equal(entry.domain, entries[i].domain);
		assert_int_equal(entry.port, entries[i].first);
		assert_int_equal(entry.port_last, entries[i].last);
		assert_int_equal(entry.udp, entries[i].udp);
	}
}

static void
says_so_when_memory_runs_out(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct net_entry entry;
	const char *problem = NULL;

	(void)state;
	arena_fail_nth = 1;
	assert_int_equal(net_entry_parse(&arena, "a.example:80", &entry, &problem), BAILEY_E_NOMEM);
	arena_fail_nth = 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(brings_hosts_to_one_form_or_refuses_them),
		cmocka_unit_test(refuses_a_pattern_when_a_host_is_asked_for),
		cmocka_unit_test(refuses_names_when_longer_than_dns_allows),
		cmocka_unit_test(matches_the_name_and_what_is_below_when_wild),
		cmocka_unit_test(splits_host_port_and_protocol),
		cmocka_unit_test(says_so_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
