/* SPDX-License-Identifier: MIT */
/* Tests of base/: arena, strbuf, text, error, path and suggest. Files are in test_fd.c. */
#include "base/arena.h"
#include "base/attr.h"
#include "base/doc.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <limits.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* arena */

static void
arena_gives_zeroed_aligned_pieces(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	for (size_t size = 0; size < 40000; size = size * 3 + 1) {
		unsigned char *piece = arena_alloc(&arena, size);

		assert_non_null(piece);
		assert_int_equal((uintptr_t)piece % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++) {
			assert_int_equal(piece[i], 0);
		}
		memset(piece, 0xff, size);
	}
	assert_false(arena.failed);
}

static void
arena_fails_and_stays_failed_when_size_overflows(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	assert_null(arena_array(&arena, SIZE_MAX / 2, 3));
	assert_true(arena.failed);
	assert_non_null(arena_alloc(&arena, 1));
	assert_true(arena.failed);
	arena_finish(&arena);
	assert_false(arena.failed);
	assert_null(arena_array(&arena, SIZE_MAX - 8, 1));
	assert_null(arena_array(&arena, SIZE_MAX - 16, 1));
	assert_null(arena_strndup(&arena, "", SIZE_MAX));
}

static void
arena_fails_at_nth_block(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	arena_fail_nth = 2;
	assert_non_null(arena_alloc(&arena, 16000));
	assert_null(arena_alloc(&arena, 16000));
	assert_true(arena.failed);
	assert_non_null(arena_alloc(&arena, 16000));
}

static void
arena_copies_text(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	assert_string_equal(arena_strdup(&arena, "abc"), "abc");
	assert_string_equal(arena_strndup(&arena, "abc", 2), "ab");
	assert_string_equal(arena_strndup(&arena, "abc", 0), "");
	assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
}

static void
arena_push_keeps_elements_while_growing(void **state)
{
	AUTO_ARENA arena = { 0 };
	uint32_t *items = NULL;
	size_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		uint32_t *item = arena_push(&arena, &items, &count, sizeof(*item));

		assert_non_null(item);
		assert_int_equal(*item, 0);
		*item = i;
		assert_int_equal(count, i + 1);
	}
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(items[i], i);
	}
}

static void
arena_push_changes_nothing_when_it_fails(void **state)
{
	AUTO_ARENA arena = { 0 };
	uint64_t *items = NULL;
	uint64_t *before;
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < 2048; i++) {
		*(uint64_t *)arena_push(&arena, &items, &count, sizeof(*items)) = i;
	}
	before = items;
	arena_fail_nth = 1;
	assert_null(arena_push(&arena, &items, &count, sizeof(*items)));
	assert_ptr_equal(items, before);
	assert_int_equal(count, 2048);
	assert_int_equal(items[2047], 2047);
}

/* strbuf */

static void
strbuf_is_a_string_when_empty(void **state)
{
	AUTO_STRBUF buf = STRBUF_INIT;

	(void)state;
	assert_string_equal(buf.text, "");
	strbuf_add(&buf, "", 0);
	strbuf_puts(&buf, "");
	assert_string_equal(buf.text, "");
	assert_int_equal(buf.len, 0);
}

static void
strbuf_grows_and_keeps_its_end(void **state)
{
	AUTO_STRBUF buf = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		strbuf_putc(&buf, (char)('a' + i % 26));
		assert_int_equal(buf.len, i + 1);
		assert_int_equal(buf.text[buf.len], '\0');
	}
	strbuf_printf(&buf, "%s%0200d", "!", 1);
	assert_int_equal(buf.len, 1201);
	assert_int_equal(buf.text[1000], '!');
	assert_int_equal(buf.text[1200], '1');
}

static void
strbuf_keeps_nul_bytes(void **state)
{
	AUTO_STRBUF buf = STRBUF_INIT;

	(void)state;
	strbuf_add(&buf, "a\0b", 3);
	assert_int_equal(buf.len, 3);
	assert_memory_equal(buf.text, "a\0b", 4);
}

static void
strbuf_gives_its_text_away_once(void **state)
{
	AUTO_STRBUF buf = STRBUF_INIT;
	char *text;

	(void)state;
	strbuf_puts(&buf, "abc");
	text = strbuf_take(&buf);
	assert_string_equal(text, "abc");
	free(text);
	text = strbuf_take(&buf);
	assert_string_equal(text, "");
	free(text);
}

static void
strbuf_stays_failed_when_length_overflows(void **state)
{
	AUTO_STRBUF buf = STRBUF_INIT;

	(void)state;
	strbuf_puts(&buf, "abc");
	strbuf_add(&buf, "x", SIZE_MAX - 1);
	assert_true(buf.failed);
	strbuf_puts(&buf, "def");
	assert_string_equal(buf.text, "abc");
	assert_null(strbuf_take(&buf));
	assert_false(buf.failed);
}

/* text */

static void
text_tells_utf8_from_other_bytes(void **state)
{
	static const struct {
		const char *text;
		size_t valid; /* bytes at the start that are UTF-8 */
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "\xc3\xa9", 2 },
		{ "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
		{ "a\x80", 1 },		   /* a continuation without a start */
		{ "a\xc3", 1 },		   /* cut short */
		{ "a\xe2\x82", 1 },	   /* cut short */
		{ "a\xc3(", 1 },	   /* no continuation */
		{ "\xc0\xaf", 0 },	   /* overlong */
		{ "\xe0\x80\xaf", 0 },	   /* overlong */
		{ "\xf0\x80\x80\xaf", 0 }, /* overlong */
		{ "\xed\xa0\x80", 0 },	   /* a surrogate */
		{ "\xed\x9f\xbf", 3 },	   /* the last before the surrogates */
		{ "\xee\x80\x80", 3 },	   /* the first behind them */
		{ "\xf4\x90\x80\x80", 0 }, /* above U+10FFFF */
		{ "\xf8\x88\x80\x80\x80", 0 },
		{ "\xff", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(text_valid(rows[i].text, strlen(rows[i].text)), rows[i].valid);
	}
}

static void
text_encodes_what_it_decodes(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code += 7) {
		char bytes[4];
		uint32_t back = 0;
		size_t n = text_encode(code, bytes);

		if (code >= 0xd800 && code <= 0xdfff) {
			assert_int_equal(text_decode(bytes, n, &back), 0);
			continue;
		}
		assert_int_equal(text_decode(bytes, n, &back), n);
		assert_int_equal(back, code);
	}
}

static void
text_counts_lines_and_bytes(void **state)
{
	static const char text[] = "ab\r\n\xc3\xa9x\n\nz";
	static const struct {
		size_t offset;
		struct bailey_position at;
	} rows[] = {
		{ 0, { 1, 1 } }, { 2, { 1, 3 } }, { 4, { 2, 1 } },  { 6, { 2, 3 } },
		{ 8, { 3, 1 } }, { 9, { 4, 1 } }, { 10, { 4, 2 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct bailey_position at = text_position(text, rows[i].offset);

		assert_int_equal(at.line, rows[i].at.line);
		assert_int_equal(at.column, rows[i].at.column);
	}
}

static void
text_shown_disarms_input(void **state)
{
	static const struct {
		const char *text;
		const char *shown;
	} rows[] = {
		{ "", "" },
		{ "plain \xc3\xa9", "plain \xc3\xa9" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "a\nb\x7f", "a\\x0ab\\x7f" },
		{ "\xff", "\\xff" },
		{ "\xc2\x9b", "\\xc2\\x9b" },			/* CSI in one character */
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },		/* line separator */
		{ "\xef\xbb\xbf", "\\xef\\xbb\\xbf" },		/* byte order mark */
		{ "\xf3\xa0\x80\xa1", "\\xf3\\xa0\\x80\\xa1" }, /* an invisible tag */
	};
	char buf[TEXT_SHOWN_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_string_equal(text_shown(buf, rows[i].text, strlen(rows[i].text)),
				    rows[i].shown);
	}
	assert_string_equal(text_shown(buf, "a\0b", 3), "a\\x00b");
}

static void
text_shown_cuts_long_text_between_characters(void **state)
{
	char text[400];
	char buf[TEXT_SHOWN_MAX];

	(void)state;
	for (size_t start = 0; start < 4; start++) {
		size_t len;

		memset(text, 'a', start);
		for (size_t i = start; i + 3 < sizeof(text); i += 3) {
			memcpy(text + i, "\xe2\x82\xac", 3);
		}
		(void)text_shown(buf, text, sizeof(text) - 4);
		len = strlen(buf);
		assert_in_range(len, TEXT_SHOWN_MAX - 5, TEXT_SHOWN_MAX - 1);
		assert_string_equal(buf + len - 3, "...");
		assert_int_equal(text_valid(buf, len), len);
	}
}

/* error */

static void
error_keeps_the_first(void **state)
{
	struct bailey_error err = { 0 };
	struct bailey_position at = { 3, 4 };

	(void)state;
	assert_int_equal(bailey_fail(&err, BAILEY_E_LIMIT, "first %d", 1), BAILEY_E_LIMIT);
	assert_int_equal(bailey_fail(&err, BAILEY_E_NOMEM, "second"), BAILEY_E_NOMEM);
	assert_int_equal(bailey_fail_sys(&err, ENOENT, "third"), BAILEY_E_SYSTEM);
	assert_int_equal(bailey_fail_at(&err, BAILEY_E_SYNTAX, "s", at, "x"), BAILEY_E_SYNTAX);
	assert_int_equal(err.status, BAILEY_E_LIMIT);
	assert_string_equal(err.message, "first 1");
	assert_int_equal(err.sys, 0);
	assert_int_equal(err.at.line, 0);
	assert_string_equal(err.source, "");
}

static void
error_may_be_null(void **state)
{
	struct bailey_position at = { 1, 1 };

	(void)state;
	assert_int_equal(bailey_fail(NULL, BAILEY_E_LIMIT, "x"), BAILEY_E_LIMIT);
	assert_int_equal(bailey_fail_sys(NULL, EPERM, "x"), BAILEY_E_SYSTEM);
	assert_int_equal(bailey_fail_at(NULL, BAILEY_E_SYNTAX, "s", at, "x"), BAILEY_E_SYNTAX);
	bailey_error_wrap(NULL, "x");
}

static void
error_names_what_the_system_said(void **state)
{
	struct bailey_error err = { 0 };

	(void)state;
	(void)bailey_fail_sys(&err, ENOENT, "cannot open '%s'", "f");
	assert_int_equal(err.sys, ENOENT);
	assert_string_equal(err.message, "cannot open 'f': No such file or directory");
	err = (struct bailey_error){ 0 };
	(void)bailey_fail_sys(&err, 99999, "cannot");
	assert_string_equal(err.message, "cannot: unknown error");
}

static void
error_is_wrapped_only_when_there_is_one(void **state)
{
	struct bailey_error err = { 0 };

	(void)state;
	bailey_error_wrap(&err, "context");
	assert_string_equal(err.message, "");
	(void)bailey_fail(&err, BAILEY_E_INVALID, "inner");
	bailey_error_wrap(&err, "in profile '%s'", "p");
	bailey_error_wrap(&err, "outer");
	assert_string_equal(err.message, "outer: in profile 'p': inner");
	assert_int_equal(err.status, BAILEY_E_INVALID);
}

static void
error_marks_what_it_cut(void **state)
{
	static const size_t lengths[] = { 510, 511, 512, 513, 2000 };
	char text[2001];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		struct bailey_error err = { 0 };
		bool fits = lengths[i] < BAILEY_ERROR_MESSAGE_MAX;

		memset(text, 'a', lengths[i]);
		text[lengths[i]] = '\0';
		(void)bailey_fail(&err, BAILEY_E_LIMIT, "%s", text);
		assert_int_equal(strlen(err.message), fits ? lengths[i] : 511);
		assert_string_equal(err.message + 511 - (fits ? 511 - lengths[i] : 0) - 3,
				    fits ? "aaa" : "...");
		bailey_error_wrap(&err, "c");
		assert_int_equal(strlen(err.message), 511);
		assert_string_equal(err.message + 508, "...");
		err = (struct bailey_error){ 0 };
		(void)bailey_fail_sys(&err, ENOENT, "%s", text);
		assert_int_equal(strlen(err.message), 511);
		assert_string_equal(err.message + 508, "...");
	}
}

static void
error_formats_the_parts_that_are_set(void **state)
{
	struct bailey_error err = { 0 };
	struct bailey_position at = { 3, 14 };
	char buf[64];
	char tiny[8];

	(void)state;
	(void)bailey_fail(&err, BAILEY_E_LIMIT, "m");
	assert_string_equal(bailey_error_format(&err, buf, sizeof(buf)), "m");
	err = (struct bailey_error){ 0 };
	(void)bailey_fail_at(&err, BAILEY_E_SYNTAX, "f.toml", at, "m");
	assert_string_equal(bailey_error_format(&err, buf, sizeof(buf)), "f.toml:3:14: m");
	assert_string_equal(bailey_error_format(&err, tiny, sizeof(tiny)), "f.toml:");
	err = (struct bailey_error){ 0 };
	(void)bailey_fail_at(&err, BAILEY_E_SYNTAX, NULL, at, "m");
	assert_string_equal(bailey_error_format(&err, buf, sizeof(buf)), "input:3:14: m");
	err = (struct bailey_error){ 0 };
	(void)bailey_fail_at(&err, BAILEY_E_SYNTAX, "f", (struct bailey_position){ 0 }, "m");
	assert_string_equal(bailey_error_format(&err, buf, sizeof(buf)), "f: m");
}

static void
error_names_every_status(void **state)
{
	(void)state;
	for (int status = BAILEY_E_REFUSED; status <= BAILEY_OK; status++) {
		assert_string_not_equal(bailey_status_name((enum bailey_status)status), "unknown");
	}
	assert_string_equal(bailey_status_name((enum bailey_status)1), "unknown");
}

/* path */

static void
path_normalize_is_lexical(void **state)
{
	static const char *const rows[][3] = {
		{ "/b", "/", "/" },	      { "/b", "/a/./b//c/", "/a/b/c" },
		{ "/b", "a", "/b/a" },	      { "/b", "", "/b" },
		{ "/b", ".", "/b" },	      { "/b", "..", "/" },
		{ "/b", "../../..", "/" },    { "/b/c/", "../x", "/b/x" },
		{ "/", "x/../..", "/" },      { "/", "...", "/..." },
		{ "/", "..x/.y", "/..x/.y" }, { "/a//b", "c", "/a/b/c" },
		{ "/b", "/..", "/" },	      { "/b", "//x", "/x" },
	};
	AUTO_ARENA arena = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_string_equal(path_normalize(&arena, rows[i][0], rows[i][1]), rows[i][2]);
	}
}

static void
path_expand_knows_home(void **state)
{
	static const char *const rows[][3] = {
		{ "/home/u", "~", "/home/u" },
		{ "/home/u", "~/", "/home/u" },
		{ "/home/u", "~/.ssh", "/home/u/.ssh" },
		{ "/home/u", "~/../me", "/home/me" },
		{ "/home/u", "~user/x", "/cwd/~user/x" },
		{ "/home/u", "a/~", "/cwd/a/~" },
		{ "/home/u/", "~/x", "/home/u/x" },
		{ "/", "~/x", "/x" },
		{ NULL, "~/x", "/cwd/~/x" },
		{ NULL, "/x", "/x" },
	};
	AUTO_ARENA arena = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_string_equal(path_expand(&arena, rows[i][0], "/cwd", rows[i][1]),
				    rows[i][2]);
	}
}

static void
path_under_goes_by_components(void **state)
{
	static const struct {
		const char *path;
		const char *dir;
		bool under;
	} rows[] = {
		{ "/a", "/a", true },	    { "/a/b", "/a", true }, { "/ab", "/a", false },
		{ "/", "/", true },	    { "/a", "/", true },    { "/a", "/a/b", false },
		{ "/a/bc", "/a/b", false }, { "/b", "/a", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(path_under(rows[i].path, rows[i].dir), rows[i].under);
	}
}

static void
path_is_taken_apart_and_joined(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	assert_string_equal(path_base("/a/b"), "b");
	assert_string_equal(path_base("/"), "");
	assert_string_equal(path_base("b"), "b");
	assert_string_equal(path_parent(&arena, "/a/b"), "/a");
	assert_string_equal(path_parent(&arena, "/a"), "/");
	assert_string_equal(path_parent(&arena, "/"), "/");
	assert_string_equal(path_join(&arena, "/", "a"), "/a");
	assert_string_equal(path_join(&arena, "/a", "b"), "/a/b");
	assert_true(path_has_dotdot("a/../b"));
	assert_true(path_has_dotdot(".."));
	assert_true(path_has_dotdot("/a//.."));
	assert_false(path_has_dotdot("/a/..b/...//b.."));
	assert_false(path_has_dotdot(""));
}

static void
path_functions_return_null_without_memory(void **state)
{
	AUTO_ARENA arena = { 0 };

	(void)state;
	arena_fail_nth = 1;
	assert_null(path_normalize(&arena, "/", "a"));
	arena_fail_nth = 1;
	assert_null(path_expand(&arena, "/home", "/", "~/a"));
	arena_fail_nth = 1;
	assert_null(path_parent(&arena, "/a/b"));
}

/* suggest */

static void
suggest_finds_the_nearest(void **state)
{
	static const char *const words[] = { "writable_roots", "network_access", "type", "tmp",
					     "caches",	       "bind_ports",	 "ipc",	 "x" };
	static const struct {
		const char *word;
		const char *near;
	} rows[] = {
		{ "writeable_roots", "writable_roots" },
		{ "writable-roots", "writable_roots" },
		{ "WritableRoots", "writable_roots" },
		{ "networkaccess", "network_access" },
		{ "network_acces", "network_access" },
		{ "tpe", "type" },
		{ "tpm", "tmp" },
		{ "cache", "caches" },
		{ "caceh", "caches" },
		{ "bindports", "bind_ports" },
		{ "icp", "ipc" },
		{ "y", NULL },
		{ "", NULL },
		{ "allowlist", NULL },
		{ "zzzzzz", NULL },
	};
	char longest[66];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *near = suggest(rows[i].word, words, COUNT_OF(words));

		if (rows[i].near == NULL) {
			assert_null(near);
		} else {
			assert_non_null(near);
			assert_string_equal(near, rows[i].near);
		}
	}
	memset(longest, 'a', sizeof(longest));
	for (size_t len = 63; len <= 65; len++) {
		const char *const same[] = { longest };

		longest[len] = '\0';
		assert_int_equal(suggest(longest, same, 1) != NULL, len <= 64);
		longest[len] = 'a';
	}
	assert_null(suggest("a", NULL, 0));
}

static void
values_digits_when_they_are_digits(void **state)
{
	static const char hex[] = "0123456789abcdef";
	static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";

	(void)state;
	for (int c = CHAR_MIN; c <= CHAR_MAX; c++) {
		int lower = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
		const char *digit = lower > 0 ? strchr(hex, lower) : NULL;
		const char *letter = c > 0 ? strchr(base64, c) : NULL;

		assert_int_equal(text_hex((char)c), digit != NULL ? digit - hex : -1);
		assert_int_equal(text_base64((char)c), letter != NULL ? letter - base64 : -1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_digits_when_they_are_digits),
		cmocka_unit_test(arena_gives_zeroed_aligned_pieces),
		cmocka_unit_test(arena_fails_and_stays_failed_when_size_overflows),
		cmocka_unit_test(arena_fails_at_nth_block),
		cmocka_unit_test(arena_copies_text),
		cmocka_unit_test(arena_push_keeps_elements_while_growing),
		cmocka_unit_test(arena_push_changes_nothing_when_it_fails),
		cmocka_unit_test(strbuf_is_a_string_when_empty),
		cmocka_unit_test(strbuf_grows_and_keeps_its_end),
		cmocka_unit_test(strbuf_keeps_nul_bytes),
		cmocka_unit_test(strbuf_gives_its_text_away_once),
		cmocka_unit_test(strbuf_stays_failed_when_length_overflows),
		cmocka_unit_test(text_tells_utf8_from_other_bytes),
		cmocka_unit_test(text_encodes_what_it_decodes),
		cmocka_unit_test(text_counts_lines_and_bytes),
		cmocka_unit_test(text_shown_disarms_input),
		cmocka_unit_test(text_shown_cuts_long_text_between_characters),
		cmocka_unit_test(error_keeps_the_first),
		cmocka_unit_test(error_may_be_null),
		cmocka_unit_test(error_names_what_the_system_said),
		cmocka_unit_test(error_is_wrapped_only_when_there_is_one),
		cmocka_unit_test(error_marks_what_it_cut),
		cmocka_unit_test(error_formats_the_parts_that_are_set),
		cmocka_unit_test(error_names_every_status),
		cmocka_unit_test(path_normalize_is_lexical),
		cmocka_unit_test(path_expand_knows_home),
		cmocka_unit_test(path_under_goes_by_components),
		cmocka_unit_test(path_is_taken_apart_and_joined),
		cmocka_unit_test(path_functions_return_null_without_memory),
		cmocka_unit_test(suggest_finds_the_nearest),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
