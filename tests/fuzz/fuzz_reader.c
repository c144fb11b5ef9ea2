/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are a tree, with trouble or without: its spans lie in their source and in what they are
 * part of, text that is said to stand in the source stands there, nothing is missing that a reader
 * of the tree relies on, and no path through it is longer than is promised.
 */
#include "must.h"

#include "command/syntax.h"

#include <string.h>

/* Nodes, words and scripts on a path: each level of nesting has a few of them. */
#define PATH_MAX_ (6 * SYNTAX_DEPTH_MAX)

struct check {
	const struct source *source;
	unsigned depth;
};

static void check_script(struct check check, const struct script *script);
static void check_words(struct check check, const struct word *word);

static void
check_span(const struct check *check, struct bailey_span span)
{
	struct bailey_span outer = source_outermost(check->source, span);

	MUST(span.start <= span.end);
	MUST(span.end <= check->source->len);
	MUST(outer.start <= outer.end);
	MUST(check->depth < PATH_MAX_);
}

static void
check_param(struct check check, const struct param *param)
{
	MUST(param->name != NULL);
	check_words(check, param->index);
	check_words(check, param->arg);
	check_words(check, param->arg2);
}

static void
check_part(struct check check, const struct part *part)
{
	check_span(&check, part->span);
	if (part->kind == PART_TEXT || part->kind == PART_EXTGLOB) {
		MUST(part->text != NULL);
		MUST(memchr(part->text, '\0', part->len) == NULL);
	}
	if (part->kind == PART_TEXT && part->exact != UINT32_MAX) {
		MUST(part->exact <= check.source->len);
		MUST(part->len <= check.source->len - part->exact);
		MUST(memchr(check.source->text, '\0', check.source->len) != NULL ||
		     memcmp(check.source->text + part->exact, part->text, part->len) == 0);
	}
	MUST(part->kind != PART_PARAM || part->param != NULL);
	MUST((part->kind != PART_ARITH && part->kind != PART_EXTGLOB) || part->word != NULL);
	if (part->kind >= PART_COMMAND && part->kind <= PART_OUT) {
		MUST(part->script != NULL);
		check_script(check, part->script);
	}
	if (part->param != NULL) {
		check_param(check, part->param);
	}
	check_words(check, part->word);
}

static void
check_words(struct check check, const struct word *word)
{
	check.depth++;
	for (; word != NULL; word = word->next) {
		check_span(&check, word->span);
		for (const struct part *part = word->parts; part != NULL; part = part->next) {
			check_part(check, part);
		}
	}
}

static void
check_redirects(struct check check, const struct redirect *redirect)
{
	for (; redirect != NULL; redirect = redirect->next) {
		check_span(&check, redirect->span);
		MUST(redirect->word != NULL);
		MUST(redirect->word->parts != NULL);
		check_words(check, redirect->word);
	}
}

static void
check_assigns(struct check check, const struct assignment *assign)
{
	for (; assign != NULL; assign = assign->next) {
		check_span(&check, assign->span);
		MUST(assign->name != NULL && assign->name[0] != '\0');
		check_words(check, assign->index);
		check_words(check, assign->value);
	}
}

/* What each kind of node has. */
static void
check_kind(const struct node *node)
{
	bool two = node->kind == NODE_AND || node->kind == NODE_OR;
	bool one = two || node->kind == NODE_PIPELINE || node->kind == NODE_FUNCTION ||
		   node->kind == NODE_COPROC;
	bool loop = node->kind == NODE_FOR || node->kind == NODE_SELECT;
	bool conditional =
		node->kind == NODE_IF || node->kind == NODE_WHILE || node->kind == NODE_UNTIL;
	bool body = loop || conditional || node->kind == NODE_SUBSHELL ||
		    node->kind == NODE_GROUP || node->kind == NODE_FOR_ARITH;

	MUST((node->first != NULL) == one);
	MUST((node->second != NULL) == two);
	MUST((node->condition != NULL) == conditional);
	MUST((node->body != NULL) == body);
	MUST(!loop || node->name != NULL);
	MUST(node->kind != NODE_FUNCTION || node->name != NULL);
	MUST(node->kind != NODE_COND || node->roles != NULL);
	MUST(node->kind != NODE_CASE || node->words != NULL);
	MUST(node->kind != NODE_ARITH || node->words != NULL);
	MUST(node->kind != NODE_FOR_ARITH || node->words->next->next != NULL);
}

static void
check_node(struct check check, const struct node *node)
{
	check.depth++;
	for (; node != NULL; node = node->next) {
		check_span(&check, node->span);
		check_kind(node);
		check_words(check, node->words);
		check_redirects(check, node->redirects);
		check_assigns(check, node->assigns);
		check_node(check, node->first);
		check_node(check, node->second);
		check_script(check, node->condition);
		check_script(check, node->body);
		check_script(check, node->other);
		for (const struct case_arm *arm = node->cases; arm != NULL; arm = arm->next) {
			MUST(arm->patterns != NULL && arm->body != NULL);
			check_words(check, arm->patterns);
			check_script(check, arm->body);
		}
	}
}

static void
check_script(struct check check, const struct script *script)
{
	uint32_t line = 0;

	if (script == NULL) {
		return;
	}
	check.depth++;
	check.source = script->source;
	check_span(&check, script->span);
	MUST(script->source->text[script->source->len] == '\0');
	for (const struct item *item = script->items; item != NULL; item = item->next) {
		MUST(item->node != NULL);
		MUST(item->line >= line);
		line = item->line;
		check_node(check, item->node);
	}
}

static void
check_trouble(const struct trouble *trouble, size_t len)
{
	static const char *const rules[] = { "syntax.unreadable", "syntax.characters",
					     "syntax.not-sh", "nesting-too-deep" };
	bool known = trouble->rule == NULL;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		known = known || strcmp(trouble->rule, rules[i]) == 0;
	}
	MUST(known);
	MUST((trouble->rule == NULL) == (trouble->message == NULL));
	MUST(trouble->span.start <= trouble->span.end && trouble->span.end <= len);
}

static void
read_all(const struct source *source, enum dialect dialect, bool extglob)
{
	AUTO_ARENA arena = { 0 };
	struct check check = { .source = source };
	struct trouble trouble;
	struct script *script = syntax_parse(&arena, source, dialect, extglob, &trouble);
	struct word *word;

	MUST(script != NULL);
	check_trouble(&trouble, source->len);
	check_script(check, script);
	word = syntax_parse_word(&arena, source, extglob, &trouble);
	MUST(word != NULL);
	check_trouble(&trouble, source->len);
	check_words(check, word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = { 0 };
	struct source source = { .len = size };

	source.text = arena_strndup(&arena, (const char *)data, size);
	if (source.text == NULL) {
		return 0;
	}
	read_all(&source, DIALECT_BASH, false);
	read_all(&source, DIALECT_BASH, true);
	read_all(&source, DIALECT_SH, false);
	return 0;
}
