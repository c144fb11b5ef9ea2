/* SPDX-License-Identifier: MIT */
/*
 * Texts, lists, pipelines and simple commands: the upper half of the grammar. A text is read line
 * by line, as the shell runs it; with a line that cannot be read, those before it stay.
 */
#include "command/reader.h"

#include <string.h>

/* ---- pieces -------------------------------------------------------------------------------------
 */

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

/* ---- simple commands ----------------------------------------------------------------------------
 */

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

/* ---- pipelines ----------------------------------------------------------------------------------
 */

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
static bool
is_program_time(const struct node *first)
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
		again = rd_newlines(r);
	}
	if ((next == '&' || again) && rd_keyword(r, &end) == KW_TIME) {
		(void)rd_unexpected(
			r); /* bash takes it for the reserved word there, and only there */
	}
	return true;
}

static struct node *
pipeline(struct reader *r)
{
	bool negated = false;
	bool timed = false;
	uint32_t script_start = r->script_start;
	struct node *first;
	struct node *node;
	struct node *last;
	uint32_t start;

	rd_blanks(r);
	start = r->pos;
	prefixes(r, &negated, &timed);
	if (r->pos > start && is_end(r, timed && start == script_start)) {
		first = parse_new_node(r, NODE_SIMPLE, r->last_end);
		r->after_compound = false;
		last = first;
	} else {
		first = command(r);
		last = first;
		while (last != NULL && pipe_follows(r, last)) {
			last->next = command(r);
			last = last->next;
		}
	}
	if (last == NULL) {
		return NULL;
	}
	if (timed && start == script_start && !is_program_time(first)) {
		rd_fail(r, "times a command right behind $(, which bash takes for a program", start,
			r->last_end);
		return NULL;
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

/* ---- lists --------------------------------------------------------------------------------------
 */

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

static bool
is_and_or(struct reader *r, enum node_kind *kind)
{
	char c;

	rd_blanks(r);
	c = rd_at(r, r->pos);
	if ((c != '&' && c != '|') || rd_after(r, r->pos) != c) {
		return false;
	}
	*kind = c == '&' ? NODE_AND : NODE_OR;
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

	r->deepest = r->depth;
	left = pipeline(r);
	deepest = r->deepest;
	while (left != NULL && is_and_or(r, &kind)) {
		struct node *node = NULL;
		struct node *right;

		r->deepest = r->depth;
		right = pipeline(r);
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

/* What stands between two items: 1: one may follow; 0: the list ends; -1: failed. */
static int
separator(struct reader *r, struct list *list, bool lines)
{
	char c;

	rd_blanks(r);
	c = rd_at(r, r->pos);
	if (c == '\n') {
		list_newlines(r, lines);
		return 1;
	}
	if (c == ';' || c == '&') {
		char next = rd_after(r, r->pos);

		if (c == ';' && (next == ';' || next == '&')) {
			return 0;
		}
		list->last->background = c == '&';
		rd_next(r);
		list_newlines(r, lines);
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

/* ---- texts --------------------------------------------------------------------------------------
 */

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

/* ---- entry points -------------------------------------------------------------------------------
 */

/* A copy of the text with newlines for NUL bytes, which end a command for whoever runs it. */
static const char *
without_nul(struct arena *arena, const struct source *source)
{
	char *text;

	if (memchr(source->text, '\0', source->len) == NULL) {
		return source->text;
	}
	text = arena_strndup(arena, source->text, source->len);
	for (size_t i = 0; text != NULL && i < source->len; i++) {
		text[i] = text[i] != '\0' ? text[i] : '\n';
	}
	return text;
}

static bool
reader_init(struct reader *r, struct arena *arena, const struct source *source,
	    struct trouble *trouble)
{
	size_t bad_len;
	size_t bad = characters_check(source->text, source->len, &bad_len);

	*trouble = (struct trouble){ 0 };
	*r = (struct reader){
		.arena = arena,
		.source = source,
		.end = (uint32_t)source->len,
		.budget = 4 * source->len + 4096,
		.script_start = UINT32_MAX,
		.trouble = trouble,
	};
	r->pending_end = &r->pending;
	if (source->len > BAILEY_COMMAND_MAX) {
		r->end = 0;
		rd_fail(r, "is too long", 0, 0);
	} else if (bad < source->len) {
		rd_note(r, "syntax.characters",
			"has a control character, an invisible one, or bytes that are not UTF-8",
			(uint32_t)bad, (uint32_t)(bad + bad_len));
	}
	r->text = bad < source->len ? without_nul(arena, source) : source->text;
	return r->text != NULL;
}

struct script *
syntax_parse(struct arena *arena, const struct source *source, enum dialect dialect, bool extglob,
	     struct trouble *trouble)
{
	struct reader r;
	struct script *script;

	if (!reader_init(&r, arena, source, trouble)) {
		return NULL;
	}
	r.dialect = dialect;
	r.extglob = extglob;
	script = parse_text(&r);
	return arena->failed ? NULL : script;
}

struct word *
syntax_parse_word(struct arena *arena, const struct source *source, bool quoted,
		  struct trouble *trouble)
{
	struct reader r;
	struct parts parts;
	struct word *word;

	if (!reader_init(&r, arena, source, trouble)) {
		return NULL;
	}
	parts_init(&parts);
	if (quoted) {
		(void)rd_soft(&r, &parts, SOFT_RANGE);
	} else {
		(void)rd_live(&r, &parts, LIVE_RANGE, 0);
	}
	r.stopped = arena->failed;
	r.pos = r.end;
	word = rd_make_word(&r, &parts, 0);
	return arena->failed ? NULL : word;
}

struct bailey_span
source_outermost(const struct source *source, struct bailey_span span)
{
	while (source->outer != NULL) {
		if (source->exact) {
			span.start += source->at.start;
			span.end += source->at.start;
		} else {
			span = source->at;
		}
		source = source->outer;
	}
	return span;
}
