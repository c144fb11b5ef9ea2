/* SPDX-License-Identifier: MIT */
/*
 * Texts, lists and pipelines: the upper half of the grammar. A text is read line by line, as the
 * shell runs it; with a line that cannot be read, those before it stay.
 */
#include "command/reader.h"

#include <assert.h>
#include <string.h>

/* ---- pieces --------------------------------------------------------------------------------- */

struct script *
parse_new_script(struct reader *r)
{
	struct script *script = rd_alloc(r, sizeof(*script));

	if (script != NULL) {
		script->source = r->source;
		script->span = (struct bailey_span){ r->pos, r->pos };
	}
	return script;
}

struct node *
parse_new_node(struct reader *r, enum node_kind kind, uint32_t start)
{
	struct node *node = rd_alloc(r, sizeof(*node));

	if (node != NULL) {
		node->kind = kind;
		node->span = (struct bailey_span){ start, start };
	}
	return node;
}

/* ---- pipelines ------------------------------------------------------------------------------ */

static struct node *
command(struct reader *r)
{
	uint32_t end;
	enum keyword keyword;
	struct node *node;

	rd_blanks(r);
	keyword = rd_keyword(r, &end);
	if (keyword == KW_FUNCTION) {
		return parse_function(r);
	}
	if (keyword == KW_COPROC) {
		return parse_coproc(r);
	}
	if (keyword >= KW_OPENS_ && keyword < KW_CLOSES_) {
		node = parse_compound(r);
		return node != NULL && parse_redirects(r, node) ? node : NULL;
	}
	if (keyword >= KW_CLOSES_ || keyword == KW_BANG) {
		return rd_unexpected(r);
	}
	if (rd_at(r, r->pos) == '(') {
		node = parse_compound(r);
		return node != NULL && parse_redirects(r, node) ? node : NULL;
	}
	return parse_simple(r);
}

/* The options of `time`. */
static void
time_options(struct reader *r)
{
	uint32_t end;

	rd_blanks(r);
	if (rd_is_word(r, "-p", &end)) {
		r->pos = end;
		r->last_end = end;
		rd_blanks(r);
	}
	if (rd_is_word(r, "--", &end)) {
		r->pos = end;
		r->last_end = end;
	}
}

/* `!` and `time` in front of a pipeline. */
static void
prefixes(struct reader *r, bool *negated, bool *timed)
{
	uint32_t end;
	enum keyword keyword;

	rd_blanks(r);
	keyword = rd_keyword(r, &end);
	while (keyword == KW_BANG || keyword == KW_TIME) {
		if (keyword == KW_TIME) {
			rd_only_bash(r, "times a pipeline, which sh does not know", r->pos, end);
		}
		r->pos = end;
		r->last_end = end;
		if (keyword == KW_TIME) {
			*timed = true;
			time_options(r);
		} else {
			*negated = !*negated;
		}
		rd_blanks(r);
		keyword = rd_keyword(r, &end);
	}
}

/* `time` and `!` may stand alone; and `time` in $(time). */
static bool
is_end(const struct reader *r, bool at_start)
{
	char c = rd_at(r, r->pos);

	return (c == ')' && at_start) || c == '\0' || c == '\n' ||
	       (c == ';' && rd_at(r, r->pos + 1) != ';');
}

/* Right behind $( bash takes `time` for a program at first, and only what reads the same with that
 * gets through. */
static struct node *
bad_time(struct reader *r, uint32_t start)
{
	rd_fail(r, "times a command right behind $(, which bash takes for a program", start,
		r->last_end);
	return NULL;
}

bool
parse_is_program_time(const struct node *first)
{
	bool plain = first->kind == NODE_SIMPLE;

	for (const struct assignment *a = first->assigns; a != NULL; a = a->next) {
		plain = plain && !a->array && a->index == NULL;
	}
	for (const struct word *word = first->words; word != NULL; word = word->next) {
		for (const struct part *part = word->parts; part != NULL; part = part->next) {
			plain = plain && part->kind != PART_ARRAY;
		}
	}
	return plain;
}

/* | or |& behind a stage, and the newlines behind it. */
static bool
pipe_follows(struct reader *r, struct node *stage)
{
	bool again = false;
	uint32_t end;
	char next;

	rd_blanks(r);
	if (rd_at(r, r->pos) != '|') {
		return false;
	}
	next = rd_after(r, r->pos);
	if (next == '|') {
		return false;
	}
	if (next == '&') {
		rd_only_bash(r, "has |&, which sh does not know", r->pos, r->pos + 1);
		stage->pipe_err = true;
		rd_next(r);
	}
	rd_next(r);
	rd_blanks(r);
	if (rd_at(r, r->pos) == '\n') {
		rd_newline(r);
		again = rd_newlines(r) || next == '&';
	}
	if (again && rd_keyword(r, &end) == KW_TIME) {
		(void)rd_unexpected(
			r); /* bash takes it for the reserved word there, and only there */
	}
	return true;
}

static bool
simple_starts(const struct reader *r)
{
	return rd_word_starts(r) || rd_redirect_starts(r);
}

/* `*pending`: the here-documents that are pending behind its first stage. */
static struct node *
pipeline(struct reader *r, unsigned *pending)
{
	bool negated = false;
	bool timed = false;
	uint32_t script_start = r->script_start;
	struct node *first;
	struct node *node;
	struct node *last;
	uint32_t start;
	uint32_t end;
	bool late;
	bool ends;

	rd_blanks(r);
	start = r->pos;
	*pending = r->pending_count;
	prefixes(r, &negated, &timed);
	late = timed && start == script_start;
	ends = r->pos > start && is_end(r, late);
	if (late && !ends && (rd_keyword(r, &end) != KW_NONE || !simple_starts(r))) {
		return bad_time(r, start);
	}
	if (ends) {
		first = parse_new_node(r, NODE_SIMPLE, r->last_end);
		r->after_compound = false;
		last = first;
	} else {
		first = command(r);
		last = first;
		*pending = r->pending_count;
		while (last != NULL && pipe_follows(r, last)) {
			last->next = command(r);
			last = last->next;
		}
	}
	if (last == NULL) {
		return NULL;
	}
	if (late && !parse_is_program_time(first)) {
		return bad_time(r, start);
	}
	if (first == last && first->span.start == start) {
		return first;
	}
	node = parse_new_node(r, NODE_PIPELINE, start);
	if (node != NULL) {
		node->first = first;
		node->negated = negated;
		node->timed = timed;
		node->span.end = last->span.end;
	}
	return node;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* A script that grows. */
struct list {
	struct script *script;
	struct item **tail;
	struct item *last;
};

static void
list_add(struct reader *r, struct list *list, struct node *node)
{
	struct item *item = rd_alloc(r, sizeof(*item));

	if (item != NULL) {
		item->node = node;
		item->line = r->line;
		*list->tail = item;
		list->tail = &item->next;
		list->last = item;
	}
}

/* `pending`: the here-documents that are pending behind the first command of what stands in front.
 * Behind those of others bash 5.2 prints the operator too late for reading it again. */
static bool
is_and_or(struct reader *r, enum node_kind *kind, unsigned pending)
{
	char c;

	rd_blanks(r);
	c = rd_at(r, r->pos);
	if ((c != '&' && c != '|') || rd_after(r, r->pos) != c) {
		return false;
	}
	*kind = c == '&' ? NODE_AND : NODE_OR;
	if (r->in_parens && r->pending_count > pending) {
		rd_doubt(r, "has an operator behind a here-document in $( ), which bash misplaces",
			 r->pos, r->pos + 2);
	}
	rd_next(r);
	rd_next(r);
	(void)rd_newlines(r);
	return true;
}

/*
 * Pipelines with && and || between them. The tree leans to the left, so each one more makes it
 * deeper; `deepest` keeps account, and where the tree would be too deep it is cut into two items.
 */
static bool
and_or(struct reader *r, struct list *list)
{
	uint32_t before = r->deepest;
	uint32_t deepest;
	enum node_kind kind;
	struct node *left;
	unsigned pending;

	r->deepest = r->depth;
	left = pipeline(r, &pending);
	deepest = r->deepest;
	while (left != NULL && is_and_or(r, &kind, pending)) {
		struct node *node = NULL;
		struct node *right;
		unsigned inner;

		r->deepest = r->depth;
		pending = r->pending_count;
		right = pipeline(r, &inner);
		if (right == NULL) {
			return false;
		}
		deepest = (deepest > r->deepest ? deepest : r->deepest) + 1;
		if (deepest > SYNTAX_DEPTH_MAX) {
			rd_doubt(r, "has too many && and || to follow", left->span.start,
				 right->span.end);
			list_add(r, list, left);
			deepest = r->deepest;
			left = right;
			continue;
		}
		node = parse_new_node(r, kind, left->span.start);
		if (node == NULL) {
			return false;
		}
		node->first = left;
		node->second = right;
		node->span.end = right->span.end;
		left = node;
	}
	r->deepest = deepest > before ? deepest : before;
	if (left != NULL) {
		list_add(r, list, left);
	}
	return left != NULL && !r->stopped;
}

/* Does a list end here? What ends it is for the caller to look at. */
static bool
list_ends(const struct reader *r)
{
	uint32_t end;
	char c = rd_at(r, r->pos);

	return c == '\0' || c == ')' || c == ';' || rd_keyword(r, &end) >= KW_CLOSES_;
}

static void
list_newlines(struct reader *r, bool lines)
{
	if (rd_newlines(r) && lines) {
		r->line++;
	}
}

#define LOST_SEPARATOR "has a separator behind a here-document in $( ), which bash may lose"

/*
 * In $( ) and <( ) bash 5.2 prints what it has read and reads that again. It forgets a ; that
 * stands behind a here-document's operator and more, and the first that stands between commands
 * behind its body, so that two commands become one. (A newline in that place is printed, and all is
 * well behind it.) `at`: where the separator is; what follows it has been reached.
 */
static void
doubt_lost_separator(struct reader *r, uint32_t at)
{
	if (r->text[at] == '&' || list_ends(r)) {
		return;
	}
	if (r->in_parens && r->after_body && r->text[at] == ';') {
		rd_doubt(r, LOST_SEPARATOR, at, at + 1);
	}
	r->after_body = false;
}

/* What stands between two items: 1: one may follow; 0: the list ends; -1: failed. */
static int
separator(struct reader *r, struct list *list, bool lines)
{
	bool pending;
	uint32_t at;
	char c;

	rd_blanks(r);
	at = r->pos;
	c = rd_at(r, at);
	if (c == '\n') {
		pending = r->pending != NULL;
		list_newlines(r, lines);
		if (!pending) {
			doubt_lost_separator(r, at);
		}
		return 1;
	}
	if (c == ';' || c == '&') {
		char next = rd_after(r, r->pos);

		if (c == ';' && (next == ';' || next == '&')) {
			return 0;
		}
		assert(list->last != NULL); /* it stands behind an item */
		list->last->background = c == '&';
		if (r->in_parens && r->pending != NULL) {
			rd_doubt(r, LOST_SEPARATOR, at, at + 1);
		}
		rd_next(r);
		list_newlines(r, lines);
		doubt_lost_separator(r, at);
		return 1;
	}
	if (c == '\0' || c == ')' || (r->after_compound && list_ends(r))) {
		return 0;
	}
	(void)rd_unexpected(r);
	return -1;
}

bool
parse_list(struct reader *r, struct script *script, bool lines)
{
	struct list list = { .script = script, .tail = &script->items };
	int more = 1;

	list_newlines(r, lines);
	while (more > 0 && !r->stopped && !list_ends(r)) {
		if (!and_or(r, &list)) {
			return false;
		}
		more = separator(r, &list, lines);
	}
	return more >= 0 && !r->stopped;
}

struct script *
parse_compound_list(struct reader *r)
{
	struct script *script = parse_new_script(r);

	if (script == NULL || !parse_list(r, script, false)) {
		return NULL;
	}
	if (script->items == NULL) {
		return rd_unexpected(r);
	}
	script->span.end = r->pos;
	return script;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Is it `shopt -s extglob` or `shopt -u extglob`? Gives the letter. */
static char
sets_extglob(struct reader *r, const struct node *node)
{
	static const char *const texts[] = { "shopt", NULL, "extglob" };
	const struct word *word;
	char letter = '\0';
	size_t i = 0;

	while (node->kind == NODE_AND || node->kind == NODE_OR) {
		node = node->first;
	}
	if (node->kind != NODE_SIMPLE) {
		return '\0';
	}
	for (word = node->words; word != NULL && i < 3; word = word->next, i++) {
		size_t len = 0;
		const char *text = rd_literal(r, word, &len);

		if (text == NULL) {
			return '\0';
		}
		if (i == 1 && len == 2 && text[0] == '-' && (text[1] == 's' || text[1] == 'u')) {
			letter = text[1];
		} else if (i == 1 || len != strlen(texts[i]) || memcmp(text, texts[i], len) != 0) {
			return '\0';
		}
	}
	return i == 3 && word == NULL ? letter : '\0';
}

static void
heed_options(struct reader *r, const struct script *unit)
{
	for (const struct item *item = unit->items; item != NULL; item = item->next) {
		char letter = item->background ? '\0' : sets_extglob(r, item->node);

		if (letter != '\0') {
			r->extglob = letter == 's';
		}
	}
}

/* The commands of one line of input: 1 when read whole. */
static bool
unit(struct reader *r, struct list *list)
{
	char c = ';';

	while (c != '\n' && c != '\0') {
		if (!and_or(r, list)) {
			return false;
		}
		rd_blanks(r);
		c = rd_at(r, r->pos);
		if (c == ';' || c == '&') {
			assert(list->last != NULL); /* it stands behind an item */
			list->last->background = c == '&';
			rd_next(r);
			rd_blanks(r);
			c = rd_at(r, r->pos) == '\n' || rd_at(r, r->pos) == '\0' ? rd_at(r, r->pos)
										 : c;
		} else if (c != '\n' && c != '\0') {
			(void)rd_unexpected(r);
			return false;
		}
	}
	if (c == '\n') {
		rd_newline(r);
	} else if (r->pending != NULL) {
		rd_heredocs(r);
	}
	return !r->stopped;
}

struct script *
parse_text(struct reader *r)
{
	struct script *script = parse_new_script(r);
	struct item **tail = script != NULL ? &script->items : NULL;

	if (script == NULL) {
		return NULL;
	}
	script->span.end = r->end;
	(void)rd_newlines(r);
	while (!r->stopped && r->pos < r->end) {
		struct script one = { 0 };
		struct list list = { .script = &one, .tail = &one.items };

		if (!unit(r, &list)) {
			break;
		}
		heed_options(r, &one);
		*tail = one.items;
		tail = list.tail;
		r->line++;
		(void)rd_newlines(r);
	}
	return script;
}
