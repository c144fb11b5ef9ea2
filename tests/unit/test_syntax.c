/* SPDX-License-Identifier: MIT */
/*
 * The reader: trees of texts, troubles, spans, and that it is linear and survives want of memory.
 */
#include "syntax_print.h"
#include "syntax_rows.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct source
source_of(const char *text)
{
	return (struct source){ .text = text, .len = strlen(text) };
}

/* Reads the text; the tree as text is the caller's to free. */
static char *
tree_of(const char *text, enum dialect dialect, bool extglob, struct trouble *trouble)
{
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF out = STRBUF_INIT;
	struct source source = source_of(text);
	struct script *script = syntax_parse(&arena, &source, dialect, extglob, trouble);

	assert_non_null(script);
	print_script(&out, script);
	return strbuf_take(&out);
}

/* ---- trees ---------------------------------------------------------------------------------- */

static void
check_rows(const struct syntax_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct trouble trouble;
		AUTO_FREE char *tree = tree_of(rows[i].text, DIALECT_BASH, false, &trouble);

		if (trouble.rule != NULL) {
			print_message("%s: %s\n", rows[i].text, trouble.message);
		}
		assert_null(trouble.rule);
		assert_string_equal(tree != NULL ? tree : "", rows[i].tree);
	}
}

#define READS(name)                                                                                \
	static void reads_##name##_as_bash_does(void **state)                                      \
	{                                                                                          \
		(void)state;                                                                       \
		check_rows(rows_##name, COUNT_OF(rows_##name));                                    \
	}

READS(words)
READS(parameters)
READS(doubled_quotes)
READS(substitutions)
READS(lists)
READS(compound)
READS(conditions)
READS(redirections)
READS(here_documents)
READS(assignments)

/* ---- troubles ------------------------------------------------------------------------------- */

static void
check_troubles(const struct trouble_row *rows, size_t count, enum dialect dialect, bool late)
{
	for (size_t i = 0; i < count; i++) {
		struct trouble trouble;
		AUTO_FREE char *tree = tree_of(rows[i].text, dialect, false, &trouble);
		bool same = trouble.rule != NULL && strcmp(trouble.rule, rows[i].rule) == 0 &&
			    trouble.span.start == rows[i].start && trouble.late == late;

		if (!same) {
			print_message("%s: %s at %u\n", rows[i].text,
				      trouble.rule != NULL ? trouble.rule : "no trouble",
				      trouble.span.start);
		}
		assert_true(same);
		assert_string_equal(tree != NULL ? tree : "", rows[i].tree);
		assert_true(trouble.span.start <= trouble.span.end);
		assert_true(trouble.span.end <= strlen(rows[i].text));
	}
}

static void
stops_before_the_line_that_bash_does_not_read(void **state)
{
	(void)state;
	check_troubles(rows_stops, COUNT_OF(rows_stops), DIALECT_BASH, false);
}

static void
reads_on_when_bash_would_find_out_late(void **state)
{
	(void)state;
	check_troubles(rows_late, COUNT_OF(rows_late), DIALECT_BASH, true);
}

static void
keeps_the_tree_when_sh_lacks_a_construct(void **state)
{
	(void)state;
	check_troubles(rows_not_sh, COUNT_OF(rows_not_sh), DIALECT_SH, true);
	for (size_t i = 0; i < COUNT_OF(rows_sh); i++) {
		struct trouble trouble;
		AUTO_FREE char *tree = tree_of(rows_sh[i].text, DIALECT_SH, false, &trouble);

		assert_null(trouble.rule);
		assert_string_equal(tree != NULL ? tree : "", rows_sh[i].tree);
	}
}

static void
reads_a_nul_as_the_end_of_a_line(void **state)
{
	static const char text[] = "a \0b\0'c\0'";
	AUTO_ARENA arena = { 0 };
	AUTO_STRBUF out = STRBUF_INIT;
	struct source source = { .text = text, .len = sizeof(text) - 1 };
	struct trouble trouble;

	(void)state;
	print_script(&out, syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble));
	assert_string_equal(out.text, "a / b / 'c\n'");
	assert_string_equal(trouble.rule, CHARACTERS);
	assert_int_equal(trouble.span.start, 2);
}

static void
finds_bytes_that_are_no_utf8(void **state)
{
	static const char *const texts[] = { "a \xff", "a \xc3", "a \xc0\xaf", "a \xed\xa0\x80" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct trouble trouble;
		AUTO_FREE char *tree = tree_of(texts[i], DIALECT_BASH, false, &trouble);

		assert_string_equal(trouble.rule, CHARACTERS);
		assert_int_equal(trouble.span.start, 2);
		assert_string_equal(tree != NULL ? tree : "", texts[i]);
	}
}

static void
finds_hidden_characters_at_any_alignment(void **state)
{
	(void)state;
	for (size_t at = 0; at < 40; at++) {
		char text[64];
		struct trouble trouble;
		AUTO_FREE char *tree = NULL;

		memset(text, 'a', sizeof(text));
		text[sizeof(text) - 1] = '\0';
		text[at] = '\x7f';
		tree = tree_of(text, DIALECT_BASH, false, &trouble);
		assert_string_equal(trouble.rule, CHARACTERS);
		assert_int_equal(trouble.span.start, at);
	}
}

/* ---- options and words ---------------------------------------------------------------------- */

static void
reads_extended_patterns_when_the_option_is_on(void **state)
{
	static const struct syntax_row rows[] = {
		{ "a !(b) c?(d|e)f *($g|'h i') @(j(k)l) +(\"m\")",
		  "a @[!(b)] c@[?(d|e)]f @[*(<g>|'h i')] @[@(j(k)l)] @[+(\"m\")]" },
		{ "!(a)", "@[!(a)]" },
		{ "! (a)", "(! sub{a})" },
		{ "${x##*( )}", "<x ## @[*( )]>" },
		{ "case x in @(a|b)) c;; esac", "case x (@[@(a|b)]){c};;" },
		{ "f?() { a; }", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct trouble trouble;
		AUTO_FREE char *tree = tree_of(rows[i].text, DIALECT_BASH, true, &trouble);

		if (rows[i].tree == NULL) {
			assert_string_equal(trouble.rule, UNREADABLE);
			continue;
		}
		assert_null(trouble.rule);
		assert_string_equal(tree != NULL ? tree : "", rows[i].tree);
	}
}

static void
reads_a_word_by_itself(void **state)
{
	static const struct {
		const char *text;
		bool quoted;
		const char *tree;
	} rows[] = {
		{ "a b", false, "a b" },
		{ "a $x 'b c' \"d\";&|< > ()", false, "a <x> 'b c' \"d\";&|< > ()" },
		{ "<(a)", false, "<[a]" },
		{ "", false, "" },
		{ "a $x 'b' `c` \\$d", true, "\"a \"<\"x>\" 'b' \"$\"[c]\" $d\"" },
		{ "1 + a[$(b)]", true, "\"1 + a[\"$\"[b]\"]\"" },
		{ "", true, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		AUTO_STRBUF out = STRBUF_INIT;
		struct source source = source_of(rows[i].text);
		struct trouble trouble;
		struct word *word = syntax_parse_word(&arena, &source, rows[i].quoted, &trouble);

		assert_non_null(word);
		print_word(&out, word);
		assert_null(trouble.rule);
		assert_string_equal(out.text, rows[i].tree);
	}
}

/* ---- spans ---------------------------------------------------------------------------------- */

static void
show_span(struct strbuf *out, const struct source *source, struct bailey_span span)
{
	strbuf_puts(out, "<");
	strbuf_add(out, source->text + span.start, span.end - span.start);
	strbuf_puts(out, ">");
}

static void
show_word_spans(struct strbuf *out, const struct source *source, const struct word *word)
{
	show_span(out, source, word->span);
	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		show_span(out, source, part->span);
		if (part->exact != UINT32_MAX) {
			assert_memory_equal(source->text + part->exact, part->text, part->len);
		}
	}
	strbuf_puts(out, " ");
}

/* The spans of the first command: its own, then those of its words, assignments, redirections. */
static void
spans_are_what_stands_in_the_text(void **state)
{
	static const struct syntax_row rows[] = {
		{ " a  'b c'd # e", "<a  'b c'd> <a><a> <'b c'd><'b c'><d> " },
		{ "a \"b$c\" \\d${e-f}`g`; h",
		  "<a \"b$c\" \\d${e-f}`g`> <a><a> <\"b$c\"><\"b><$c\"> "
		  "<\\d${e-f}`g`><\\d><${e-f}><`g`> " },
		{ "x=1 y[2]=$z a >f 2>&1 # g",
		  "<x=1 y[2]=$z a >f 2>&1> <a><a> <x=1><y[2]=$z><>f><2>&1>" },
		{ "a $(b) <(c) $((1)) $[2];", "<a $(b) <(c) $((1)) $[2]> <a><a> <$(b)><$(b)> "
					      "<<(c)><<(c)> <$((1))><$((1))> <$[2]><$[2]> " },
		{ "a <<E && c\nb\nE\n", "<a <<E> <a><a> <<<E>" },
		{ "{ a; } >f; b", "<{ a; } >f> <>f>" },
		{ "f() { a; } >g", "<f() { a; } >g> " },
		{ "if a; then b; fi 2>g; c", "<if a; then b; fi 2>g> <2>g>" },
		{ "a=(b c) ; d", "<a=(b c)> <a=(b c)>" },
		{ "$'a\\n' b\\\nc;", "<$'a\\n' b\\\nc> <$'a\\n'><$'a\\n'> <b\\\nc><b\\\nc> " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_ARENA arena = { 0 };
		AUTO_STRBUF out = STRBUF_INIT;
		struct source source = source_of(rows[i].text);
		struct trouble trouble;
		const struct node *node;

		node = syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble)->items->node;
		node = node->kind == NODE_AND ? node->first : node;
		show_span(&out, &source, node->span);
		strbuf_puts(&out, " ");
		for (const struct word *w = node->words; w != NULL; w = w->next) {
			show_word_spans(&out, &source, w);
		}
		for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
			show_span(&out, &source, a->span);
		}
		for (const struct redirect *r = node->redirects; r != NULL; r = r->next) {
			show_span(&out, &source, r->span);
		}
		assert_string_equal(out.text, rows[i].tree);
	}
}

static void
maps_a_span_through_sources(void **state)
{
	AUTO_ARENA arena = { 0 };
	struct source outer = source_of("x `a b` `c \\`d\\` \\\\e`");
	struct trouble trouble;
	struct word *word;
	const struct script *script;
	struct bailey_span span;

	(void)state;
	word = syntax_parse(&arena, &outer, DIALECT_BASH, false, &trouble)->items->node->words;
	script = word->next->parts->script;
	assert_true(script->source->exact);
	span = source_outermost(script->source, script->items->node->words->next->span);
	assert_int_equal(span.start, 5);
	assert_int_equal(span.end, 6);
	script = word->next->next->parts->script;
	assert_false(script->source->exact);
	span = source_outermost(script->source, script->items->node->words->span);
	assert_int_equal(span.start, 9);
	assert_int_equal(span.end, 20);
	script = script->items->node->words->next->parts->script;
	span = source_outermost(script->source, script->span);
	assert_int_equal(span.start, 9);
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* `count` times `unit`, then as often `closing`, between the two others. */
static char *
repeat(const char *before, const char *unit, const char *closing, const char *after, size_t count)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_puts(&text, before);
	for (size_t i = 0; i < count; i++) {
		strbuf_puts(&text, unit);
	}
	for (size_t i = 0; i < count && closing[0] != '\0'; i++) {
		strbuf_puts(&text, closing);
	}
	strbuf_puts(&text, after);
	return strbuf_take(&text);
}

static const struct {
	const char *before, *unit, *closing, *after;
} shapes[] = {
	{ "", "a", "", "" },
	{ "", "a ", "", "" },
	{ "", "a\n", "", "" },
	{ "", "a|", "", "b" },
	{ "a", "&& a", "", "" },
	{ "", "(a;", ")", "" },
	{ "", "{ a; ", "} ", "" },
	{ "", "$(", ")", "" },
	{ "", "`", "", "" },
	{ "", "\\`", "", "`" },
	{ "", "'", "", "" },
	{ "", "\"", "", "" },
	{ "", "${", "", "" },
	{ "", "${${", "", "" },
	{ "", "\"${x:-\"", "\"}\"", "" },
	{ "", "$((", "))", "" },
	{ "", "$((a) ", ")", "" },
	{ "", "((a);", ")", "" },
	{ "", "((", "", "" },
	{ "", "$((1;", "", "" },
	{ "", "a <<E\nb\nE\n", "", "" },
	{ "a <<E\n", "E\\\n", "", "E\n" },
	{ "a <<E\n", "$(b", ")", "\nE\n" },
	{ "a=(", "b ", "", ")" },
	{ "", "a[", "]", "=b" },
	{ "", "if a; then b; el", "", "" },
	{ "if a; then b; ", "elif a; then b; ", "", "fi" },
	{ "case x in ", "a) b;; ", "", "esac" },
	{ "[[ ", "( ", ") ", "]]" },
	{ "[[ a =~ ", "(", ")", " ]]" },
	{ "[[ a == ", "@(", ")", " ]]" },
	{ "", "! ", "", "a" },
	{ "", "\\\n", "", "a" },
	{ "", "a\\\n", "", "" },
	{ "", "1", "", ">f" },
	{ "", "<<A ", "", "" },
	{ "", "f() { ", "} ", "" },
	{ "", "${ a; ", "", "" },
	{ "", "${ a; ", "}", "" },
	{ "", "for x; { a; } ", "", "" },
};

static double
seconds_to_read(const char *text)
{
	AUTO_ARENA arena = { 0 };
	struct source source = source_of(text);
	struct trouble trouble;
	struct timespec start;
	struct timespec end;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start), 0);
	assert_non_null(syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble));
	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end), 0);
	return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
}

/* Eight times the text may take as much as 40 times the time: a square would be 64 and more. */
static void
takes_linear_time_for_any_shape(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(shapes); i++) {
		size_t count = 65536 / strlen(shapes[i].unit);
		AUTO_FREE char *small = repeat(shapes[i].before, shapes[i].unit, shapes[i].closing,
					       shapes[i].after, count);
		AUTO_FREE char *large = repeat(shapes[i].before, shapes[i].unit, shapes[i].closing,
					       shapes[i].after, 8 * count);
		double once = seconds_to_read(small);
		double eight = seconds_to_read(large);

		if (eight > 40 * once && eight > 0.1) {
			print_message("%s: %f s and %f s\n", shapes[i].unit, once, eight);
			fail();
		}
	}
}

/* The height of what hangs below a node. */
static unsigned height_of_script(const struct script *script);

static unsigned
higher(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned
height_of_node(const struct node *node)
{
	unsigned height = 0;

	for (; node != NULL; node = node->next) {
		unsigned below = node->first != NULL ? height_of_node(node->first) : 0;

		if (node->second != NULL) {
			below = higher(below, height_of_node(node->second));
		}
		below = higher(below, height_of_script(node->condition));
		below = higher(below, height_of_script(node->body));
		below = higher(below, height_of_script(node->other));
		height = higher(height, below);
	}
	return height + 1;
}

static unsigned
height_of_script(const struct script *script)
{
	unsigned height = 0;

	for (const struct item *i = script != NULL ? script->items : NULL; i != NULL; i = i->next) {
		height = higher(height, height_of_node(i->node));
	}
	return height;
}

static void
stops_where_the_tree_gets_too_deep(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(shapes); i++) {
		AUTO_ARENA arena = { 0 };
		AUTO_FREE char *text = repeat(shapes[i].before, shapes[i].unit, shapes[i].closing,
					      shapes[i].after, 1000);
		struct source source = source_of(text);
		struct trouble trouble;
		struct script *script;

		script = syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble);
		assert_true(height_of_script(script) <= 2 * SYNTAX_DEPTH_MAX);
	}
}

static void
says_so_when_it_is_nested_too_deeply(void **state)
{
	AUTO_FREE char *deep = repeat("", "(a; ", ")", "", SYNTAX_DEPTH_MAX + 1);
	AUTO_FREE char *allowed = repeat("", "(a; ", ")", "", SYNTAX_DEPTH_MAX - 1);
	AUTO_FREE char *chain = repeat("a", " && a", "", "", 1000);
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *same = NULL;
	AUTO_FREE char *cut = NULL;
	struct trouble trouble;

	(void)state;
	tree = tree_of(deep, DIALECT_BASH, false, &trouble);
	assert_string_equal(trouble.rule, "nesting-too-deep");
	assert_false(trouble.late);
	same = tree_of(allowed, DIALECT_BASH, false, &trouble);
	assert_null(trouble.rule);
	cut = tree_of(chain, DIALECT_BASH, false, &trouble);
	assert_string_equal(trouble.rule, UNREADABLE);
	assert_true(trouble.late);
	assert_non_null(strstr(cut, "); ("));
}

/* Every allocation of a block fails once; nothing but NULL may come of it. */
static void
gives_nothing_when_memory_is_out(void **state)
{
	static const struct {
		const struct syntax_row *rows;
		size_t count;
	} tables[] = {
		{ rows_words, COUNT_OF(rows_words) },
		{ rows_parameters, COUNT_OF(rows_parameters) },
		{ rows_substitutions, COUNT_OF(rows_substitutions) },
		{ rows_compound, COUNT_OF(rows_compound) },
		{ rows_conditions, COUNT_OF(rows_conditions) },
		{ rows_here_documents, COUNT_OF(rows_here_documents) },
		{ rows_assignments, COUNT_OF(rows_assignments) },
	};
	struct strbuf text = STRBUF_INIT;
	bool whole = false;

	(void)state;
	for (size_t t = 0; t < COUNT_OF(tables); t++) {
		for (size_t i = 0; i < tables[t].count * 40; i++) {
			strbuf_printf(&text, "%s\n", tables[t].rows[i % tables[t].count].text);
		}
	}
	for (unsigned int n = 1; !whole; n++) {
		AUTO_ARENA arena = { 0 };
		struct source source = source_of(text.text);
		struct trouble trouble;
		struct script *script;

		arena_fail_nth = n;
		script = syntax_parse(&arena, &source, DIALECT_BASH, false, &trouble);
		whole = arena_fail_nth > 0;
		arena_fail_nth = 0;
		assert_true((script != NULL) == whole);
		assert_true(arena.failed == !whole);
	}
	strbuf_finish(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_words_as_bash_does),
		cmocka_unit_test(reads_parameters_as_bash_does),
		cmocka_unit_test(reads_doubled_quotes_as_bash_does),
		cmocka_unit_test(reads_substitutions_as_bash_does),
		cmocka_unit_test(reads_lists_as_bash_does),
		cmocka_unit_test(reads_compound_as_bash_does),
		cmocka_unit_test(reads_conditions_as_bash_does),
		cmocka_unit_test(reads_redirections_as_bash_does),
		cmocka_unit_test(reads_here_documents_as_bash_does),
		cmocka_unit_test(reads_assignments_as_bash_does),
		cmocka_unit_test(stops_before_the_line_that_bash_does_not_read),
		cmocka_unit_test(reads_on_when_bash_would_find_out_late),
		cmocka_unit_test(keeps_the_tree_when_sh_lacks_a_construct),
		cmocka_unit_test(reads_a_nul_as_the_end_of_a_line),
		cmocka_unit_test(finds_bytes_that_are_no_utf8),
		cmocka_unit_test(finds_hidden_characters_at_any_alignment),
		cmocka_unit_test(reads_extended_patterns_when_the_option_is_on),
		cmocka_unit_test(reads_a_word_by_itself),
		cmocka_unit_test(spans_are_what_stands_in_the_text),
		cmocka_unit_test(maps_a_span_through_sources),
		cmocka_unit_test(takes_linear_time_for_any_shape),
		cmocka_unit_test(stops_where_the_tree_gets_too_deep),
		cmocka_unit_test(says_so_when_it_is_nested_too_deeply),
		cmocka_unit_test(gives_nothing_when_memory_is_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
