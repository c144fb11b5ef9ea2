/* SPDX-License-Identifier: MIT */
/*
 * Tests of the wire form: what is read, what is written back, and what is said of errors and where.
 */
#include "base/arena.h"
#include "base/attr.h"
#include "policy/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define DEFAULT_LIMITS                                                                             \
	"{\"max_memory_mb\":0,\"max_pids\":0,\"max_disk_mb\":0,\"cpu_time_secs\":0,"               \
	"\"timeout_secs\":300}"

static char shown[1024];

static struct bailey_policy *
read_json(const char *text)
{
	struct bailey_error err = { 0 };
	struct bailey_policy *policy = NULL;

	if (bailey_policy_from_json("p", text, strlen(text), &policy, &err) != BAILEY_OK) {
		fail_msg("%s: %s", text, bailey_error_format(&err, shown, sizeof(shown)));
	}
	assert_true(policy_check(policy));
	return policy;
}

static char *
write_json(const struct bailey_policy *policy)
{
	struct bailey_error err = { 0 };
	char *text = NULL;

	assert_int_equal(bailey_policy_to_json(policy, &text, &err), BAILEY_OK);
	return text;
}

/* The JSON of the strict list, for putting expected texts together. */
static void
add_strict(struct strbuf *out)
{
	size_t count;
	const char *const *names = bailey_blocked_syscalls(&count);

	for (size_t i = 0; i < count; i++) {
		strbuf_printf(out, "%s\"%s\"", i > 0 ? "," : "[", names[i]);
	}
	strbuf_putc(out, ']');
}

/* Replaces "@strict" and "@limits" in `text`. */
static char *
expand(const char *text)
{
	AUTO_STRBUF out = STRBUF_INIT;

	while (*text != '\0') {
		if (strncmp(text, "@strict", 7) == 0) {
			add_strict(&out);
			text += 7;
		} else if (strncmp(text, "@limits", 7) == 0) {
			strbuf_puts(&out, DEFAULT_LIMITS);
			text += 7;
		} else {
			strbuf_putc(&out, *text++);
		}
	}
	return strbuf_take(&out);
}

#define SECCOMP                                                                                    \
	"{\"blocked_syscalls\":@strict,\"allow_namespaces\":false,"                                \
	"\"allow_network_sockets\":false,\"log_only\":false}"

static const struct {
	const char *given;
	const char *written; /* NULL: as given */
} round_trips[] = {
	{ "{\"type\":\"read_only\"}",
	  "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[]}" },
	{ "{\"type\":\"danger_full_access\"}", NULL },
	{ "{\"type\":\"external_sandbox\",\"description\":\"a container\"}", NULL },
	{ "{\"type\":\"external_sandbox\"}",
	  "{\"type\":\"external_sandbox\",\"description\":\"\"}" },
	/* nothing but the type: every default of the seed */
	{ "{\"type\":\"workspace_write\"}",
	  "{\"type\":\"workspace_write\",\"writable_roots\":[],\"network_access\":false,"
	  "\"network_allowlist\":[],\"sensitive_paths\":null,\"resource_limits\":@limits,"
	  "\"seccomp_profile\":" SECCOMP ",\"exclude_tmpdir_env_var\":false,"
	  "\"exclude_slash_tmp\":false}" },
	/* the seed's own, in full */
	{ "{\"type\":\"workspace_write\",\"writable_roots\":[{\"root\":\"/srv/w\"},"
	  "{\"root\":\"~/x\"}],\"network_access\":true,\"network_allowlist\":["
	  "{\"domain\":\"example.org\",\"port\":443,\"protocol\":\"tcp\"},"
	  "{\"domain\":\"*.example.net\",\"port\":8080,\"protocol\":\"udp\"}],"
	  "\"sensitive_paths\":[],\"resource_limits\":{\"max_memory_mb\":1,\"max_pids\":2,"
	  "\"max_disk_mb\":3,\"cpu_time_secs\":4,\"timeout_secs\":5},\"seccomp_profile\":{"
	  "\"blocked_syscalls\":[\"ptrace\",\"bpf\"],\"allow_namespaces\":true,"
	  "\"allow_network_sockets\":true,\"log_only\":true},\"exclude_tmpdir_env_var\":true,"
	  "\"exclude_slash_tmp\":true}",
	  NULL },
	/* limits that are left out of an object are unlimited, also the wall clock */
	{ "{\"type\":\"workspace_write\",\"resource_limits\":{\"max_pids\":7}}",
	  "{\"type\":\"workspace_write\",\"writable_roots\":[],\"network_access\":false,"
	  "\"network_allowlist\":[],\"sensitive_paths\":null,\"resource_limits\":{"
	  "\"max_memory_mb\":0,\"max_pids\":7,\"max_disk_mb\":0,\"cpu_time_secs\":0,"
	  "\"timeout_secs\":0},\"seccomp_profile\":" SECCOMP ",\"exclude_tmpdir_env_var\":false,"
	  "\"exclude_slash_tmp\":false}" },
	/* hosts and ports come out in their normal form */
	{ "{\"type\":\"read_only\",\"network_allowlist\":[{\"domain\":\"EXAMPLE.org.\"},"
	  "{\"domain\":\"b\\u00fccher.example\",\"port\":\"80-90\"},"
	  "{\"domain\":\"::FFFF:10.0.0.1\",\"port\":\"22\"}]}",
	  "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":["
	  "{\"domain\":\"example.org\",\"port\":443,\"protocol\":\"tcp\"},"
	  "{\"domain\":\"xn--bcher-kva.example\",\"port\":\"80-90\",\"protocol\":\"tcp\"},"
	  "{\"domain\":\"10.0.0.1\",\"port\":22,\"protocol\":\"tcp\"}]}" },
	/* Bailey's keys at their defaults are not written */
	{ "{\"type\":\"read_only\",\"protect\":true,\"protected\":[],\"protect_git\":\"all\","
	  "\"deny\":[],\"caches\":\"private\",\"proc\":\"read\",\"hide_names\":false,"
	  "\"ipc\":false,\"unix_sockets\":[],\"loopback\":\"none\",\"bind_ports\":[],\"exec_"
	  "roots\":[],"
	  "\"read_roots\":[],\"devices\":[],\"resolve\":{},\"resource_limits\":{}}",
	  "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[]}" },
	/* and all of them elsewhere */
	{ "{\"type\":\"read_only\",\"network_access\":false,\"network_allowlist\":[],"
	  "\"resource_limits\":{\"max_memory_mb\":512,\"max_pids\":64,\"max_disk_mb\":1024,"
	  "\"cpu_time_secs\":60,\"timeout_secs\":9,\"max_open_files\":7},\"seccomp_profile\":{"
	  "\"blocked_syscalls\":@strict,\"allow_namespaces\":false,"
	  "\"allow_network_sockets\":false,\"log_only\":false,\"mode\":\"allowlist\","
	  "\"additional_blocked\":[\"chmod\"],\"allowed\":[\"read\",\"ProcessVm\"]},"
	  "\"protect\":false,\"protected\":[\".husky\"],\"protect_git\":\"hooks\","
	  "\"deny\":[\"secret \\\"x\\\"\\n\"],\"tmp\":\"none\",\"caches\":\"shared\","
	  "\"proc\":\"none\",\"hide_names\":true,\"ipc\":true,\"unix_sockets\":[\"/run/x\","
	  "\"*\"],\"loopback\":\"own\",\"bind_ports\":[8080,1],\"exec_roots\":[\"/"
	  "usr\"],\"read_roots\":[\"/usr\","
	  "\".\"],\"devices\":[\"gpu\"],\"resolve\":{\"a.example\":\"::1\"}}",
	  NULL },
	/* null is the defaults, as is nothing */
	{ "{\"type\":\"workspace_write\",\"sensitive_paths\":[{\"path\":\"~/k\","
	  "\"block_write\":false}]}",
	  "{\"type\":\"workspace_write\",\"writable_roots\":[],\"network_access\":false,"
	  "\"network_allowlist\":[],\"sensitive_paths\":[{\"path\":\"~/k\",\"block_read\":true,"
	  "\"block_write\":false}],\"resource_limits\":@limits,\"seccomp_profile\":" SECCOMP
	  ",\"exclude_tmpdir_env_var\":false,\"exclude_slash_tmp\":false}" },
};

static void
writes_what_it_read_when_valid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(round_trips); i++) {
		AUTO_FREE char *given = expand(round_trips[i].given);
		AUTO_FREE char *expected =
			expand(round_trips[i].written != NULL ? round_trips[i].written : given);
		AUTO_POLICY *policy = read_json(given);
		AUTO_FREE char *text = write_json(policy);
		AUTO_POLICY *again = read_json(text);
		AUTO_FREE char *text_again = write_json(again);

		assert_string_equal(text, expected);
		assert_string_equal(text_again, text);
	}
}

#define RO "{\"type\":\"read_only\","
#define WW "{\"type\":\"workspace_write\","

static const struct {
	const char *given;
	const char *expected;
} errors[] = {
	{ "[]", "p:1:1: expected an object with a 'type'" },
	{ "{}", "p:1:1: 'type' is missing; expected 'read_only', 'workspace_write', "
		"'danger_full_access' or 'external_sandbox'" },
	{ "{\"type\":\"readonly\"}", "p:1:9: unknown value 'readonly'; did you mean 'read_only'?" },
	{ "{\"type\":1}", "p:1:9: expected a string, found a number" },
	{ WW "\"writeable_roots\":[]}",
	  "p:1:27: unknown key 'writeable_roots'; did you mean 'writable_roots'?" },
	{ RO "\"writable_roots\":[]}",
	  "p:1:38: 'writable_roots' does not apply to a policy of type 'read_only'" },
	{ "{\"type\":\"danger_full_access\",\"network_access\":true}",
	  "p:1:47: 'network_access' does not apply to a policy of type 'danger_full_access'" },
	{ WW "\n \"writable_roots\":[{\"root\":\"a\"}]}",
	  "p:2:28: 'a' is relative; expected an absolute path, or one that begins with '~/'" },
	{ WW "\"writable_roots\":[{\"root\":\"\"}]}", "p:1:53: '' is empty" },
	{ WW "\"writable_roots\":[{\"root\":\"/a\\u0000\"}]}", NULL },
	{ WW "\"writable_roots\":[{}]}", "p:1:45: 'root' is missing" },
	{ WW "\"writable_roots\":[\"/a\"]}", "p:1:45: expected an object, found a string" },
	{ WW "\"writable_roots\":{}}", "p:1:44: expected an array" },
	{ RO "\"network_access\":1}", "p:1:38: expected true or false, found a number" },
	{ RO "\"network_allowlist\":[{\"port\":1}]}", "p:1:42: 'domain' is missing" },
	{ RO "\"network_allowlist\":[{\"domain\":\"\"}]}", "p:1:52: '' is empty" },
	{ RO "\"network_allowlist\":[{\"domain\":\"*\"}]}",
	  "p:1:52: '*' would be every host; to allow them all, set network_access without an "
	  "allowlist" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"port\":0}]}",
	  "p:1:63: 0 is not a port; expected 1 to 65535" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"port\":65536}]}",
	  "p:1:63: expected a number from 0 to 65535, found 65536" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"port\":-1}]}",
	  "p:1:63: expected a number from 0 to 65535, found -1" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"port\":1.5}]}",
	  "p:1:63: expected a whole number, found a fraction" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"port\":\"9-1\"}]}",
	  "p:1:63: '9-1' is a range whose end is below its beginning" },
	{ RO "\"network_allowlist\":[{\"domain\":\"a\",\"protocol\":\"udf\"}]}",
	  "p:1:67: unknown value 'udf'; did you mean 'udp'?" },
	{ RO "\"network_allowlist\":[\"a\"]}", "p:1:42: expected an object, found a string" },
	{ WW "\"resource_limits\":{\"max_pids\":-1}}",
	  "p:1:57: expected a number from 0 to 4294967295, found -1" },
	{ WW "\"resource_limits\":{\"preset\":\"moderate\"}}", NULL },
	{ WW "\"resource_limits\":null}", "p:1:45: expected an object, found null" },
	{ WW "\"sensitive_paths\":[{\"path\":\"\"}]}", "p:1:54: '' is empty" },
	{ WW "\"sensitive_paths\":[{\"block_read\":true}]}", "p:1:46: 'path' is missing" },
	{ WW "\"seccomp_profile\":{\"blocked_syscalls\":[\"a b\"]}}",
	  "p:1:66: 'a b' is not the name of a system call" },
	{ WW "\"seccomp_profile\":{\"mode\":\"deny\"}}", NULL },
	{ RO "\"seccomp_profile\":{\"log_only\":true}}",
	  "p:1:39: a read_only policy is always strict; expected no more than "
	  "'additional_blocked', 'mode' and 'allowed'" },
	{ RO "\"protected\":[\"a/b\"]}", "p:1:34: 'a/b' is not a single file name" },
	{ RO "\"unix_sockets\":[\"x\"]}", NULL },
	{ RO "\"loopback\":\"all\"}", NULL },
	{ RO "\"loopback\":true}", NULL },
	{ RO "\"bind_ports\":[0]}", "p:1:35: 0 is not a port; expected 1 to 65535" },
	{ RO "\"bind_ports\":[\"1-2\"]}", "p:1:35: expected a number, found a string" },
	{ RO "\"devices\":[\"usb\"]}",
	  "p:1:32: 'usb' is not a known group of devices; expected 'gpu', 'kvm', 'fuse' or 'pty'" },
	{ RO "\"resolve\":{\"a\":\"b\"}}", "p:1:36: 'b' is not an IPv4 or IPv6 address" },
	{ RO "\"resolve\":[]}", "p:1:31: expected an object of names and their addresses" },
	{ RO "\"deny\":[1]}", "p:1:29: expected a string, found a number" },
	{ RO "\"extends\":\"x\"}", NULL },
	{ RO "\"deny\":[],\"deny\":[]}", NULL },
	{ "{\"type\":\"read_only\"", NULL },
	{ "", NULL },
};

static void
says_what_is_wrong_and_where_when_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		struct bailey_error err = { 0 };
		struct bailey_policy *policy = NULL;
		int status = bailey_policy_from_json("p", errors[i].given, strlen(errors[i].given),
						     &policy, &err);

		if (status == BAILEY_OK) {
			fail_msg("accepted: %s", errors[i].given);
		}
		assert_null(policy);
		assert_int_equal(err.status, status);
		assert_int_not_equal(err.at.line, 0);
		if (errors[i].expected != NULL) {
			assert_string_equal(bailey_error_format(&err, shown, sizeof(shown)),
					    errors[i].expected);
		}
	}
}

static void
knows_strict_when_all_names_are_there(void **state)
{
	AUTO_STRBUF text = STRBUF_INIT;
	size_t count;
	const char *const *names = bailey_blocked_syscalls(&count);

	(void)state;
	strbuf_puts(&text, WW "\"seccomp_profile\":{\"blocked_syscalls\":[\"iopl\"");
	for (size_t i = count; i-- > 0;) {
		strbuf_printf(&text, ",\"%s\"", names[i]);
	}
	strbuf_puts(&text, "]}}");
	{
		AUTO_POLICY *policy = read_json(text.text);

		assert_true(policy->seccomp.strict);
		assert_int_equal(policy->seccomp.blocked.count, 0);
	}
	/* one name more or less is a list of its own */
	memcpy(strstr(text.text, "\"ptrace\""), "\"ptracf\"", 8);
	{
		AUTO_POLICY *policy = read_json(text.text);

		assert_false(policy->seccomp.strict);
		assert_int_equal(policy->seccomp.blocked.count, count + 1);
	}
}

static void
keeps_null_apart_from_none_when_reading_sensitive_paths(void **state)
{
	AUTO_POLICY *defaults = read_json(WW "\"sensitive_paths\":null}");
	AUTO_POLICY *none = read_json(WW "\"sensitive_paths\":[]}");
	struct bailey_sensitive entry;
	size_t count;

	(void)state;
	assert_true(bailey_policy_sensitive(defaults, 0, &entry));
	assert_string_equal(entry.path, "~/.ssh");
	assert_false(bailey_policy_sensitive(none, 0, &entry));
	(void)policy_sensitive(defaults, &count);
	assert_int_equal(count, policy_sensitive_default_count);
}

static void
has_the_profile_and_limits_of_its_type(void **state)
{
	AUTO_POLICY *read_only = read_json(RO "\"network_access\":true}");
	AUTO_POLICY *workspace = read_json(WW "\"network_access\":true}");
	AUTO_POLICY *full = read_json("{\"type\":\"danger_full_access\"}");
	struct bailey_limits limits = bailey_policy_limits(read_only);

	(void)state;
	assert_int_equal(limits.max_memory_mb, 512);
	assert_int_equal(limits.max_open_files, 1024);
	assert_int_equal(bailey_policy_limits(workspace).timeout_secs, 300);
	assert_int_equal(bailey_policy_limits(workspace).max_open_files, 0);
	assert_int_equal(bailey_policy_limits(full).timeout_secs, 0);
	assert_true(policy_seccomp(read_only).allow_network_sockets);
	assert_false(policy_seccomp(workspace).allow_network_sockets);
	assert_true(policy_seccomp(full).allow_network_sockets);
	assert_int_equal(policy_seccomp(full).blocked.count, 4);
	assert_false(policy_private_tmp(read_only));
	assert_true(policy_private_tmp(workspace));
}

/* The arena's blocks are large, so long values make many of them. */
static void
fails_cleanly_when_memory_runs_out(void **state)
{
	static char long_path[3000];
	AUTO_STRBUF text = STRBUF_INIT;
	unsigned int failures = 0;

	(void)state;
	memset(long_path, 'x', sizeof(long_path) - 1);
	strbuf_puts(&text, WW "\"deny\":[");
	for (int i = 0; i < 40; i++) {
		strbuf_printf(&text, "%s\"/%s\"", i > 0 ? "," : "", long_path);
	}
	strbuf_printf(&text,
		      "],\"sensitive_paths\":[{\"path\":\"/%s\"}],\"network_allowlist\":[{"
		      "\"domain\":\"a.example\"}],\"resolve\":{\"a\":\"1.2.3.4\"}}",
		      long_path);
	for (unsigned int n = 1; n < 40; n++) {
		struct bailey_error err = { 0 };
		struct bailey_policy *policy = NULL;
		int status;

		arena_fail_nth = n;
		status = bailey_policy_from_json("p", text.text, text.len, &policy, &err);
		arena_fail_nth = 0;
		assert_true(status == BAILEY_OK || status == BAILEY_E_NOMEM);
		assert_true((policy != NULL) == (status == BAILEY_OK));
		assert_int_equal(err.status, status);
		failures += status != BAILEY_OK;
		bailey_policy_free(policy);
	}
	assert_true(failures > 8);
}

/* The copy is looked at when the original is gone. */
static int
clone_once(const char *given, unsigned int nth)
{
	struct bailey_policy *policy = read_json(given);
	AUTO_POLICY *copy = NULL;
	AUTO_FREE char *expected = write_json(policy);
	AUTO_FREE char *text = NULL;
	int status;

	arena_fail_nth = nth;
	status = bailey_policy_clone(policy, &copy, NULL);
	arena_fail_nth = 0;
	if (status == BAILEY_OK) {
		AUTO_POLICY *noise = NULL;

		bailey_policy_free(policy);
		noise = read_json("{\"type\":\"read_only\",\"deny\":[\"what was there before\"]}");
		assert_true(policy_check(copy));
		text = write_json(copy);
		assert_string_equal(text, expected);
		return status;
	}
	bailey_policy_free(policy);
	return status;
}

static void
clones_everything_when_memory_lasts(void **state)
{
	unsigned int failures = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(round_trips); i++) {
		AUTO_FREE char *given = expand(round_trips[i].given);
		unsigned int n = 1;

		while (clone_once(given, n) != BAILEY_OK) {
			failures++;
			n++;
		}
	}
	assert_true(failures > 0);
}

/* Whoever wrote the wire form before there was a loopback meant none by a profile without sockets;
 * what is made here, and comes back, has one of its own. */
static void
has_an_own_loopback_where_sockets_are_or_the_key_says_so(void **state)
{
	static const struct {
		const char *text;
		bool own;
	} rows[] = {
		{ WW "\"protect\":true}", false },
		{ WW "\"seccomp_profile\":{\"allow_network_sockets\":true}}", true },
		{ WW "\"seccomp_profile\":{\"allow_network_sockets\":false}}", false },
		{ WW "\"loopback\":\"own\"}", true },
		{ WW "\"loopback\":\"none\",\"seccomp_profile\":{\"allow_network_sockets\":true}}",
		  false },
		{ RO "\"network_access\":true}", false },
		{ RO "\"loopback\":\"own\"}", true },
	};
	struct bailey_error err = { 0 };
	AUTO_POLICY *made = NULL;
	AUTO_FREE char *text = NULL;
	AUTO_POLICY *back = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_POLICY *policy = read_json(rows[i].text);

		assert_int_equal(policy_own_loopback(policy), rows[i].own);
	}
	assert_int_equal(bailey_policy_new(BAILEY_POLICY_WORKSPACE_WRITE, &made, &err), BAILEY_OK);
	assert_true(policy_own_loopback(made));
	text = write_json(made);
	back = read_json(text);
	assert_true(policy_own_loopback(back));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_it_read_when_valid),
		cmocka_unit_test(says_what_is_wrong_and_where_when_invalid),
		cmocka_unit_test(knows_strict_when_all_names_are_there),
		cmocka_unit_test(keeps_null_apart_from_none_when_reading_sensitive_paths),
		cmocka_unit_test(has_the_profile_and_limits_of_its_type),
		cmocka_unit_test(has_an_own_loopback_where_sockets_are_or_the_key_says_so),
		cmocka_unit_test(fails_cleanly_when_memory_runs_out),
		cmocka_unit_test(clones_everything_when_memory_lasts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
