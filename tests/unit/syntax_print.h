/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_SYNTAX_PRINT_H
#define TESTS_UNIT_SYNTAX_PRINT_H

/*
 * A syntax tree as one line of text, for tables of tests.
 *
 *   words       live text as it is, 'single' and "double" quoted text, <x> a parameter, <"x> one in
 *               double quotes, $[...] a command, $<[...] one that only reads a file, <[...] >[...]
 *               process substitutions, #[...] arithmetic, @[...] an extended pattern, .[i]= a
 *               subscript in front, =[a b] an array
 *   commands    a word after the other, {x=v} an assignment, 2>f a redirection
 *   lists       ; or & behind an item, / where a line of input ends
 */

#include "base/strbuf.h"
#include "command/syntax.h"

static void print_script(struct strbuf *out, const struct script *script);
static void print_word(struct strbuf *out, const struct word *word);

static void
print_words(struct strbuf *out, const struct word *word)
{
	for (; word != NULL; word = word->next) {
		print_word(out, word);
		strbuf_puts(out, word->next != NULL ? " " : "");
	}
}

static void
print_param(struct strbuf *out, const struct param *param, bool quoted)
{
	static const char *const ops[] = { [PARAM_PLAIN] = "",		 [PARAM_LENGTH] = "len",
					   [PARAM_DEFAULT] = "-",	 [PARAM_ASSIGN] = "=",
					   [PARAM_ERROR] = "?",		 [PARAM_ALTERNATE] = "+",
					   [PARAM_SUFFIX] = "%",	 [PARAM_SUFFIX_LONG] = "%%",
					   [PARAM_PREFIX] = "#",	 [PARAM_PREFIX_LONG] = "##",
					   [PARAM_REPLACE] = "/",	 [PARAM_REPLACE_ALL] = "//",
					   [PARAM_REPLACE_START] = "/#", [PARAM_REPLACE_END] = "/%",
					   [PARAM_UPPER] = "^",		 [PARAM_UPPER_ALL] = "^^",
					   [PARAM_LOWER] = ",",		 [PARAM_LOWER_ALL] = ",,",
					   [PARAM_SUBSTRING] = "sub",	 [PARAM_TRANSFORM] = "@",
					   [PARAM_NAMES] = "names",	 [PARAM_KEYS] = "keys" };

	strbuf_printf(out, "<%s%s%s", quoted ? "\"" : "", param->indirect ? "!" : "", param->name);
	if (param->index != NULL) {
		strbuf_puts(out, "[");
		print_word(out, param->index);
		strbuf_puts(out, "]");
	}
	strbuf_printf(out, "%s%s%s", param->op != PARAM_PLAIN ? " " : "", param->colon ? ":" : "",
		      ops[param->op]);
	if (param->transform != '\0') {
		strbuf_putc(out, param->transform);
	}
	if (param->arg != NULL) {
		strbuf_puts(out, " ");
		print_word(out, param->arg);
	}
	if (param->arg2 != NULL) {
		strbuf_puts(out, " ");
		print_word(out, param->arg2);
	}
	strbuf_puts(out, ">");
}

static void
print_part(struct strbuf *out, const struct part *part)
{
	static const char *const opens[] = {
		[PART_TEXT] = "",   [PART_PARAM] = "",	  [PART_COMMAND] = "$",
		[PART_FILE] = "$<", [PART_IN] = "<",	  [PART_OUT] = ">",
		[PART_ARITH] = "#", [PART_EXTGLOB] = "@", [PART_SUBSCRIPT] = ".",
		[PART_ARRAY] = "=",
	};
	const char *quote = !part->quoted ? "" : part->single ? "'" : "\"";

	if (part->kind == PART_TEXT) {
		strbuf_puts(out, quote);
		strbuf_add(out, part->text, part->len);
		strbuf_puts(out, quote);
		return;
	}
	if (part->kind == PART_PARAM) {
		print_param(out, part->param, part->quoted);
		return;
	}
	strbuf_printf(out, "%s%s[", opens[part->kind], quote);
	if (part->script != NULL) {
		print_script(out, part->script);
	}
	print_words(out, part->word);
	strbuf_puts(out, "]");
	if (part->kind == PART_SUBSCRIPT) {
		strbuf_add(out, part->text, part->len);
	}
}

static void
print_word(struct strbuf *out, const struct word *word)
{
	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		print_part(out, part);
	}
}

static void
print_assignment(struct strbuf *out, const struct assignment *assign)
{
	strbuf_printf(out, "{%s", assign->name);
	if (assign->index != NULL) {
		strbuf_puts(out, "[");
		print_word(out, assign->index);
		strbuf_puts(out, "]");
	}
	strbuf_printf(out, "%s=%s", assign->append ? "+" : "", assign->array ? "[" : "");
	print_words(out, assign->value);
	strbuf_puts(out, assign->array ? "]} " : "} ");
}

static void
print_redirects(struct strbuf *out, const struct redirect *redirect)
{
	static const char *const ops[] = {
		[REDIR_IN] = "<",	    [REDIR_OUT] = ">",	       [REDIR_APPEND] = ">>",
		[REDIR_CLOBBER] = ">|",	    [REDIR_BOTH] = "<>",       [REDIR_ALL] = "&>",
		[REDIR_ALL_APPEND] = "&>>", [REDIR_DUP_IN] = "<&",     [REDIR_DUP_OUT] = ">&",
		[REDIR_HEREDOC] = "<<",	    [REDIR_HERESTRING] = "<<<"
	};

	for (; redirect != NULL; redirect = redirect->next) {
		strbuf_puts(out, " ");
		if (redirect->variable != NULL) {
			strbuf_printf(out, "{%s}", redirect->variable);
		} else if (redirect->fd >= 0) {
			strbuf_printf(out, "%d", redirect->fd);
		}
		strbuf_puts(out, ops[redirect->op]);
		print_word(out, redirect->word);
	}
}

static void
print_block(struct strbuf *out, const struct script *script)
{
	strbuf_puts(out, "{");
	if (script != NULL) {
		print_script(out, script);
	}
	strbuf_puts(out, "}");
}

static void
print_case(struct strbuf *out, const struct node *node)
{
	static const char *const ends[] = {
		[CASE_BREAK] = ";;", [CASE_FALL] = ";&", [CASE_TEST] = ";;&"
	};

	strbuf_puts(out, "case ");
	print_words(out, node->words);
	for (const struct case_arm *arm = node->cases; arm != NULL; arm = arm->next) {
		strbuf_puts(out, " (");
		for (const struct word *word = arm->patterns; word != NULL; word = word->next) {
			print_word(out, word);
			strbuf_puts(out, word->next != NULL ? "|" : ")");
		}
		print_block(out, arm->body);
		strbuf_puts(out, ends[arm->end]);
	}
}

static void
print_cond(struct strbuf *out, const struct node *node)
{
	const char *role = node->roles;

	strbuf_puts(out, "[[");
	for (const struct word *word = node->words; word != NULL; word = word->next) {
		strbuf_printf(out, " %c:", *role++);
		print_word(out, word);
	}
	strbuf_puts(out, " ]]");
}

static void print_node(struct strbuf *out, const struct node *node);

static void
print_pipeline(struct strbuf *out, const struct node *node)
{
	strbuf_printf(out, "(%s%s", node->timed ? "time " : "", node->negated ? "! " : "");
	for (const struct node *stage = node->first; stage != NULL; stage = stage->next) {
		print_node(out, stage);
		strbuf_puts(out, stage->next == NULL ? ")" : stage->pipe_err ? " |& " : " | ");
	}
}

static void
print_loop(struct strbuf *out, const struct node *node)
{
	strbuf_printf(out, "%s %s", node->kind == NODE_FOR ? "for" : "select", node->name);
	if (node->has_in) {
		strbuf_puts(out, " in[");
		print_words(out, node->words);
		strbuf_puts(out, "]");
	}
	print_block(out, node->body);
}

/* What is a keyword, a condition and blocks. */
static void
print_blocks(struct strbuf *out, const struct node *node)
{
	static const char *const names[] = {
		[NODE_SUBSHELL] = "sub", [NODE_GROUP] = "grp",	 [NODE_IF] = "if",
		[NODE_WHILE] = "while",	 [NODE_UNTIL] = "until", [NODE_FOR_ARITH] = "for",
	};

	strbuf_puts(out, names[node->kind]);
	if (node->kind == NODE_FOR_ARITH) {
		strbuf_puts(out, "((");
		for (const struct word *word = node->words; word != NULL; word = word->next) {
			print_word(out, word);
			strbuf_puts(out, word->next != NULL ? ";" : "))");
		}
	}
	if (node->condition != NULL) {
		print_block(out, node->condition);
	}
	print_block(out, node->body);
	if (node->other != NULL) {
		print_block(out, node->other);
	}
}

static void
print_simple(struct strbuf *out, const struct node *node)
{
	for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
		print_assignment(out, a);
	}
	print_words(out, node->words);
}

static void
print_pair(struct strbuf *out, const struct node *node)
{
	strbuf_puts(out, "(");
	print_node(out, node->first);
	strbuf_puts(out, node->kind == NODE_AND ? " && " : " || ");
	print_node(out, node->second);
	strbuf_puts(out, ")");
}

static void
print_named(struct strbuf *out, const struct node *node)
{
	strbuf_printf(out, "%s %s ", node->kind == NODE_FUNCTION ? "fn" : "coproc",
		      node->name != NULL ? node->name : "-");
	print_node(out, node->first);
}

static void
print_arith(struct strbuf *out, const struct node *node)
{
	strbuf_puts(out, "((");
	print_words(out, node->words);
	strbuf_puts(out, "))");
}

static void
print_node(struct strbuf *out, const struct node *node)
{
	static void (*const printers[])(struct strbuf *, const struct node *) = {
		[NODE_SIMPLE] = print_simple,	[NODE_PIPELINE] = print_pipeline,
		[NODE_AND] = print_pair,	[NODE_OR] = print_pair,
		[NODE_SUBSHELL] = print_blocks, [NODE_GROUP] = print_blocks,
		[NODE_IF] = print_blocks,	[NODE_WHILE] = print_blocks,
		[NODE_UNTIL] = print_blocks,	[NODE_FOR] = print_loop,
		[NODE_SELECT] = print_loop,	[NODE_FOR_ARITH] = print_blocks,
		[NODE_CASE] = print_case,	[NODE_FUNCTION] = print_named,
		[NODE_COND] = print_cond,	[NODE_ARITH] = print_arith,
		[NODE_COPROC] = print_named,
	};

	printers[node->kind](out, node);
	print_redirects(out, node->redirects);
}

static void
print_script(struct strbuf *out, const struct script *script)
{
	for (const struct item *item = script->items; item != NULL; item = item->next) {
		print_node(out, item->node);
		strbuf_puts(out, item->background ? " &" : "");
		if (item->next != NULL) {
			strbuf_puts(out, item->next->line != item->line ? " / "
					 : item->background		? " "
									: "; ");
		}
	}
}

#endif /* TESTS_UNIT_SYNTAX_PRINT_H */
