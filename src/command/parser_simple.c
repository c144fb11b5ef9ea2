/* SPDX-License-Identifier: MIT */
/*
 * Simple commands, with the redirections of any command; and the definition of a function that
 * starts like one.
 */
#include "command/reader.h"

#include <string.h>

bool
parse_redirects(struct reader *r, struct node *node)
{
	struct redirect **tail = &node->redirects;

	while (*tail != NULL) {
		tail = &(*tail)->next;
	}
	rd_blanks(r);
	while (!r->stopped && rd_redirect_starts(r)) {
		*tail = rd_redirect(r);
		if (*tail == NULL) {
			return false;
		}
		tail = &(*tail)->next;
		node->span.end = r->last_end;
		r->after_compound = false;
		rd_blanks(r);
	}
	return !r->stopped;
}

/* A simple command that grows. */
struct simple {
	struct node *node;
	struct assignment **assigns;
	struct word **words;
	struct redirect **redirects;
	unsigned flags; /* enum word_flag for the words to come */
	bool lost;	/* a redirection behind an assignment: bash reads no subscripts then */
	bool known;	/* a word that takes arrays and does nothing else with them */
};

/* Words behind which NAME=( ... ) is read as an array. */
static bool
takes_arrays(const struct word *word, bool *known)
{
	static const struct {
		const char *text;
		bool known;
	} table[] = {
		{ "declare", true }, { "export", true }, { "local", true }, { "readonly", true },
		{ "typeset", true }, { "alias", false }, { "eval", false }, { "let", false },
	};
	const struct part *part = word->parts;

	if (part == NULL || part->quoted || part->kind != PART_TEXT || part->next != NULL) {
		return false;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (part->text[0] == table[i].text[0] && part->len == strlen(table[i].text) &&
		    memcmp(part->text, table[i].text, part->len) == 0) {
			*known = table[i].known;
			return true;
		}
	}
	return false;
}

static void
add_word(struct reader *r, struct simple *simple, struct word *word)
{
	bool first = simple->node->words == NULL;
	const struct part *second = word->parts != NULL ? word->parts->next : NULL;

	*simple->words = word;
	simple->words = &word->next;
	if (first && !simple->lost) {
		simple->flags = takes_arrays(word, &simple->known) ? WORD_ARRAYS : 0;
	} else if (simple->flags != 0 && !simple->known && second != NULL &&
		   second->kind == PART_ARRAY) {
		rd_doubt(r, "has an array where it is text", word->span.start, word->span.end);
	}
}

static bool
add_assignment_or_word(struct reader *r, struct simple *simple)
{
	struct assignment *assign = NULL;
	struct word *word = NULL;

	if (simple->node->words == NULL && !rd_assignment(r, &assign, &word)) {
		return false;
	}
	if (simple->lost && assign != NULL && (assign->array || assign->index != NULL)) {
		rd_fail(r, "has a subscript or an array where bash loses track", assign->span.start,
			assign->span.end);
		return false;
	}
	if (assign != NULL) {
		*simple->assigns = assign;
		simple->assigns = &assign->next;
		return true;
	}
	if (word == NULL) {
		word = rd_word(r, simple->flags);
	}
	if (word != NULL) {
		add_word(r, simple, word);
	}
	return word != NULL;
}

/* One assignment, word or redirection; false when there is none, or failed. */
static bool
simple_element(struct reader *r, struct simple *simple)
{
	rd_blanks(r);
	if (rd_redirect_starts(r)) {
		struct redirect *redirect = rd_redirect(r);

		if (redirect == NULL) {
			return false;
		}
		*simple->redirects = redirect;
		simple->redirects = &redirect->next;
		simple->flags = 0; /* as bash has it: no arrays behind an operator */
		simple->lost = simple->node->assigns != NULL;
		return true;
	}
	if (char_is(rd_at(r, r->pos), CHAR_ANGLE)) {
		simple->flags = 0;
	}
	return rd_word_starts(r) && add_assignment_or_word(r, simple);
}

/* NAME ( ): the rest of a function's definition, the reader on the parenthesis. */
static struct node *
function_rest(struct reader *r, struct node *node)
{
	const struct word *word = node->words;
	size_t len = 0;
	const char *name = rd_literal(r, word, &len);

	if (r->stopped) {
		return NULL;
	}
	if (name == NULL || word->parts->quoted || word->parts->next != NULL) {
		rd_doubt(r, "has a function with an odd name", word->span.start, word->span.end);
		name = name != NULL ? name : "";
	}
	rd_next(r);
	rd_blanks(r);
	if (rd_at(r, r->pos) != ')') {
		return rd_unexpected(r);
	}
	r->pos++;
	(void)rd_newlines(r);
	node->kind = NODE_FUNCTION;
	node->name = rd_strndup(r, name, len);
	node->words = NULL;
	node->first = parse_body(r);
	node->span.end = r->last_end;
	return node->first;
}

struct node *
parse_simple(struct reader *r)
{
	struct node *node = parse_new_node(r, NODE_SIMPLE, r->pos);
	struct simple simple = { .node = node };

	if (node == NULL) {
		return NULL;
	}
	simple.assigns = &node->assigns;
	simple.words = &node->words;
	simple.redirects = &node->redirects;
	r->last_end = r->pos;
	while (simple_element(r, &simple)) {
		bool alone = node->words != NULL && node->words->next == NULL &&
			     node->assigns == NULL && node->redirects == NULL;

		if (alone) {
			rd_blanks(r);
		}
		if (alone && rd_at(r, r->pos) == '(') {
			return function_rest(r, node) != NULL ? node : NULL;
		}
	}
	if (r->stopped) {
		return NULL;
	}
	if (r->last_end == node->span.start) {
		return rd_unexpected(r);
	}
	r->after_compound = false;
	node->span.end = r->last_end;
	return node;
}
