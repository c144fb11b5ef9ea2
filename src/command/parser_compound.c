/* SPDX-License-Identifier: MIT */
/*
 * Compound commands: if, for, case and the like, functions and coprocesses.
 */
#include "command/reader.h"

/* Steps over the reserved word at the reader. */
static void
take(struct reader *r, uint32_t end)
{
	r->pos = end;
	r->last_end = end;
}

/* A word that is none of the numbers in front of a redirection. */
static struct word *
plain_word(struct reader *r)
{
	rd_blanks(r);
	if (!rd_word_starts(r) || rd_redirect_starts(r)) {
		return rd_unexpected(r);
	}
	return rd_word(r, 0);
}

/* ---- what bash prints ----------------------------------------------------------------------- */

/* The last word of what the node looks like when bash prints it, or NULL. */
static const struct word *
last_printed(const struct node *node)
{
	const struct redirect *redirect;
	const struct word *word;

	while (node->kind == NODE_AND || node->kind == NODE_OR) {
		node = node->second;
	}
	while (node->kind == NODE_PIPELINE || node->kind == NODE_COPROC) {
		node = node->first;
		while (node->next != NULL) {
			node = node->next;
		}
	}
	for (redirect = node->redirects; redirect != NULL; redirect = redirect->next) {
		if (redirect->next == NULL) {
			return redirect->op != REDIR_HEREDOC ? redirect->word : NULL;
		}
	}
	word = node->kind == NODE_SIMPLE ? node->words : NULL;
	if (word == NULL && node->kind == NODE_SIMPLE) {
		for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
			word = a->array ? NULL : a->value;
		}
	}
	while (word != NULL && word->next != NULL) {
		word = word->next;
	}
	return word;
}

/* A list that is a condition or in braces. In $( ) bash 5.2 prints it without the ; behind it when
 * its last character is a &, quoted or not; and some here-documents of conditions too late. */
static struct script *
list_in_parens(struct reader *r, bool condition)
{
	uint32_t start = r->pos;
	unsigned bodies = r->bodies;
	struct script *script = parse_compound_list(r);
	const struct item *item = script != NULL && r->in_parens ? script->items : NULL;
	const struct word *word;

	while (item != NULL && item->next != NULL) {
		item = item->next;
	}
	word = item != NULL && !item->background ? last_printed(item->node) : NULL;
	if (word != NULL && word->span.end > word->span.start &&
	    r->text[word->span.end - 1] == '&') {
		rd_doubt(r, "ends a list in $( ) with a &, behind which bash loses the ;",
			 word->span.start, word->span.end);
	}
	if (item != NULL && condition && r->bodies > bodies) {
		rd_doubt(r, "has a here-document in a condition in $( ), which bash misplaces",
			 start, r->pos);
	}
	return script;
}

/* ---- if, while, until ----------------------------------------------------------------------- */

/* condition; then body; and what follows: the reader behind `if` or `elif`. */
static bool
if_rest(struct reader *r, struct node *node)
{
	uint32_t end = r->pos;
	uint32_t start;
	enum keyword keyword;
	bool read;

	node->condition = list_in_parens(r, true);
	if (node->condition == NULL || !rd_expect(r, KW_THEN)) {
		return false;
	}
	node->body = parse_compound_list(r);
	if (node->body == NULL) {
		return false;
	}
	start = r->pos;
	keyword = rd_keyword(r, &end);
	if (keyword == KW_ELSE) {
		take(r, end);
		node->other = parse_compound_list(r);
		return node->other != NULL && rd_expect(r, KW_FI);
	}
	if (keyword != KW_ELIF) {
		return rd_expect(r, KW_FI);
	}
	take(r, end);
	node->other = parse_new_script(r);
	if (node->other == NULL || !rd_enter(r)) {
		return false;
	}
	node->other->items = rd_alloc(r, sizeof(*node->other->items));
	if (node->other->items == NULL) {
		rd_leave(r);
		return false;
	}
	node->other->items->line = r->line;
	node->other->items->node = parse_new_node(r, NODE_IF, start);
	read = !r->stopped && if_rest(r, node->other->items->node);
	rd_leave(r);
	if (read) {
		node->other->span = (struct bailey_span){ start, r->last_end };
		node->other->items->node->span.end = r->last_end;
	}
	return read;
}

/* do body done, the reader in front of `do`. */
static bool
do_body(struct reader *r, struct node *node)
{
	if (!rd_expect(r, KW_DO)) {
		return false;
	}
	node->body = parse_compound_list(r);
	return node->body != NULL && rd_expect(r, KW_DONE);
}

static bool
while_rest(struct reader *r, struct node *node)
{
	node->condition = list_in_parens(r, true);
	return node->condition != NULL && do_body(r, node);
}

/* ---- groups --------------------------------------------------------------------------------- */

static bool
group_rest(struct reader *r, struct node *node)
{
	node->body = list_in_parens(r, false);
	return node->body != NULL && rd_expect(r, KW_RBRACE);
}

/* ( list ), the reader on the parenthesis. */
static bool
subshell(struct reader *r, struct node *node)
{
	rd_next(r);
	node->body = parse_compound_list(r);
	if (node->body == NULL) {
		return false;
	}
	if (rd_at(r, r->pos) != ')') {
		(void)rd_unexpected(r);
		return false;
	}
	r->pos++;
	r->last_end = r->pos;
	return true;
}

/* (( expression )), or what turns out to be a subshell in a subshell. */
static bool
arith_or_subshell(struct reader *r, struct node *node)
{
	struct mark mark = rd_mark(r);
	uint32_t start;
	struct parts parts;
	int found;

	parts_init(&parts);
	rd_next(r);
	r->pos++;
	start = r->pos;
	found = rd_arith(r, &parts, true);
	if (found < 0) {
		return false;
	}
	if (found == 0) {
		if (rd_at(r, r->pos) == '\n') { /* bash loses track when it goes back */
			(void)rd_unexpected(r);
			return false;
		}
		return rd_back(r, &mark) && subshell(r, node);
	}
	rd_only_bash(r, "has ((, which sh does not know", node->span.start, start);
	node->kind = NODE_ARITH;
	node->words = rd_make_word(r, &parts, start);
	if (node->words == NULL) {
		return false;
	}
	node->words->span.end = r->pos - 2;
	r->last_end = r->pos;
	return true;
}

/* ---- for, select ---------------------------------------------------------------------------- */

/* do ... done, or { ... } when `brace` is allowed. */
static bool
loop_body(struct reader *r, struct node *node, bool brace)
{
	uint32_t end = r->pos;

	rd_blanks(r);
	if (brace && rd_keyword(r, &end) == KW_LBRACE) {
		rd_only_bash(r, "has a loop in braces, which sh does not know", r->pos, end);
		take(r, end);
		return group_rest(r, node);
	}
	return do_body(r, node);
}

/* Ends the reading. Gives NULL. */
static void *
bad_for(struct reader *r)
{
	rd_fail(r, "has a for (( that bash does not accept", r->pos, r->pos);
	return NULL;
}

/* One of the three expressions of for ((, up to the character behind it. */
static struct word *
for_expression(struct reader *r, char close)
{
	uint32_t start = r->pos;
	struct parts parts;
	struct word *word;

	parts_init(&parts);
	if (!rd_soft(r, &parts, SOFT_FOR)) {
		return NULL;
	}
	word = rd_make_word(r, &parts, start);
	return rd_at(r, r->pos) == close ? word : bad_for(r);
}

/* for ((a; b; c)), the reader on the first parenthesis. */
static bool
for_arith(struct reader *r, struct node *node)
{
	struct word **tail = &node->words;

	node->kind = NODE_FOR_ARITH;
	rd_only_bash(r, "has for ((, which sh does not know", r->pos, r->pos + 1);
	rd_next(r);
	r->pos++;
	for (int i = 0; i < 3; i++) {
		*tail = for_expression(r, i < 2 ? ';' : ')');
		if (*tail == NULL) {
			return false;
		}
		tail = &(*tail)->next;
		r->pos++;
	}
	if (rd_at(r, r->pos) != ')') {
		return bad_for(r) != NULL;
	}
	r->pos++;
	rd_blanks(r);
	if (rd_at(r, r->pos) == ';') {
		r->pos++;
	}
	(void)rd_newlines(r);
	return loop_body(r, node, true);
}

/* The variable of a loop. */
static bool
loop_name(struct reader *r, struct node *node)
{
	struct word *word = plain_word(r);
	size_t len = 0;
	const char *name = word != NULL ? rd_literal(r, word, &len) : NULL;

	if (word == NULL || r->stopped) {
		return false;
	}
	if (name == NULL || len == 0 || word->parts->quoted ||
	    rd_name_end(r, word->span.start) != rd_skip(r, word->span.end)) {
		rd_doubt(r, "has a loop over what is no name", word->span.start, word->span.end);
		name = name != NULL ? name : "";
	}
	node->name = rd_strndup(r, name, len);
	return node->name != NULL;
}

/* The words behind `in`, and what ends them. */
static bool
loop_words(struct reader *r, struct node *node)
{
	struct word **tail = &node->words;

	node->has_in = true;
	rd_blanks(r);
	while (!r->stopped && rd_at(r, r->pos) != ';' && rd_at(r, r->pos) != '\n') {
		*tail = plain_word(r);
		if (*tail == NULL) {
			return false;
		}
		tail = &(*tail)->next;
		rd_blanks(r);
	}
	if (rd_at(r, r->pos) == ';') {
		r->pos++;
	}
	(void)rd_newlines(r);
	return !r->stopped;
}

static bool
for_rest(struct reader *r, struct node *node)
{
	uint32_t end;
	bool apart;

	rd_blanks(r);
	if (node->kind == NODE_FOR && rd_at(r, r->pos) == '(' && rd_after(r, r->pos) == '(') {
		return for_arith(r, node);
	}
	if (!loop_name(r, node)) {
		return false;
	}
	apart = rd_newlines(r);
	if (rd_is_word(r, "in", &end)) {
		if (apart && r->in_case) {
			rd_fail(r, "has a newline before `in` in a `case`, where bash loses track",
				node->span.start, end);
			return false;
		}
		take(r, end);
		return loop_words(r, node) && loop_body(r, node, true);
	}
	if (!apart && rd_at(r, r->pos) == ';') {
		r->pos++;
		(void)rd_newlines(r);
		apart = true;
	}
	r->stray_in = r->stray_in || rd_keyword(r, &end) == KW_LBRACE;
	return loop_body(r, node, apart);
}

static bool
select_rest(struct reader *r, struct node *node)
{
	rd_only_bash(r, "has select, which sh does not know", node->span.start, r->pos);
	return for_rest(r, node);
}

/* ---- case ----------------------------------------------------------------------------------- */

/* pattern | pattern ) */
static bool
patterns(struct reader *r, struct case_arm *arm)
{
	struct word **tail = &arm->patterns;

	for (;;) {
		*tail = plain_word(r);
		if (*tail == NULL) {
			return false;
		}
		tail = &(*tail)->next;
		rd_blanks(r);
		if (rd_at(r, r->pos) != '|') {
			break;
		}
		r->pos++;
	}
	if (rd_at(r, r->pos) != ')') {
		(void)rd_unexpected(r);
		return false;
	}
	r->pos++;
	return true;
}

/* ;; ;& ;;& behind an arm; false when none stands there. */
static bool
arm_ends(struct reader *r, struct case_arm *arm)
{
	uint32_t start = r->pos;
	char next = rd_after(r, start);

	if (rd_at(r, start) != ';' || (next != ';' && next != '&')) {
		return false;
	}
	arm->end = next == '&' ? CASE_FALL : CASE_BREAK;
	rd_next(r);
	if (next == ';' && rd_after(r, r->pos) == '&') {
		arm->end = CASE_TEST;
		rd_next(r);
	}
	rd_next(r);
	if (arm->end != CASE_BREAK) {
		rd_only_bash(r, "has ;& or ;;&, which sh does not know", start, r->pos);
	}
	return true;
}

static struct case_arm *
case_arm(struct reader *r)
{
	struct case_arm *arm = rd_alloc(r, sizeof(*arm));

	if (arm == NULL) {
		return NULL;
	}
	if (rd_at(r, r->pos) == '(') {
		r->pos++;
	}
	if (!patterns(r, arm)) {
		return NULL;
	}
	arm->body = parse_new_script(r);
	if (arm->body == NULL || !parse_list(r, arm->body, false)) {
		return NULL;
	}
	arm->body->span.end = r->pos;
	return arm;
}

static bool
case_rest(struct reader *r, struct node *node)
{
	struct case_arm **tail = &node->cases;
	uint32_t end = r->pos;
	bool more = true;
	bool apart;

	r->in_case = true;
	node->words = plain_word(r);
	if (node->words == NULL) {
		return false;
	}
	(void)rd_newlines(r);
	if (!rd_is_word(r, "in", &end)) {
		(void)rd_unexpected(r);
		return false;
	}
	take(r, end);
	apart = rd_newlines(r);
	while (more && rd_keyword(r, &end) != KW_ESAC) {
		*tail = case_arm(r);
		if (*tail == NULL) {
			return false;
		}
		more = arm_ends(r, *tail);
		tail = &(*tail)->next;
		(void)rd_newlines(r);
		apart = true;
	}
	r->in_case = !apart; /* as bash has it: not behind `in esac` */
	return rd_expect(r, KW_ESAC);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static const struct {
	enum node_kind kind;
	bool (*rest)(struct reader *r, struct node *node);
} compounds[KW_COUNT_] = {
	[KW_IF] = { NODE_IF, if_rest },
	[KW_WHILE] = { NODE_WHILE, while_rest },
	[KW_UNTIL] = { NODE_UNTIL, while_rest },
	[KW_FOR] = { NODE_FOR, for_rest },
	[KW_SELECT] = { NODE_SELECT, select_rest },
	[KW_CASE] = { NODE_CASE, case_rest },
	[KW_LBRACE] = { NODE_GROUP, group_rest },
	[KW_COND] = { NODE_COND, parse_cond },
};

bool
parse_compound_starts(const struct reader *r)
{
	uint32_t end;

	return rd_at(r, r->pos) == '(' || compounds[rd_keyword(r, &end)].rest != NULL;
}

struct node *
parse_compound(struct reader *r)
{
	uint32_t start = r->pos;
	struct node *node = parse_new_node(r, NODE_SUBSHELL, start);
	bool read = false;
	uint32_t end;

	if (node == NULL || !rd_enter(r)) {
		return NULL;
	}
	if (rd_at(r, start) == '(') {
		read = rd_after(r, start) == '(' ? arith_or_subshell(r, node) : subshell(r, node);
	} else {
		enum keyword keyword = rd_keyword(r, &end);

		node->kind = compounds[keyword].kind;
		take(r, end);
		read = compounds[keyword].rest(r, node);
	}
	rd_leave(r);
	node->span.end = r->last_end;
	r->after_compound = true;
	return read && !r->stopped ? node : NULL;
}

struct node *
parse_body(struct reader *r)
{
	struct node *node;

	rd_blanks(r);
	if (!parse_compound_starts(r)) {
		return rd_unexpected(r);
	}
	node = parse_compound(r);
	return node != NULL && parse_redirects(r, node) ? node : NULL;
}

/* function NAME [( )] body */
struct node *
parse_function(struct reader *r)
{
	struct node *node = parse_new_node(r, NODE_FUNCTION, r->pos);
	struct word *word;
	const char *name;
	size_t len = 0;
	uint32_t end;

	(void)rd_keyword(r, &end);
	rd_only_bash(r, "has `function`, which sh does not know", r->pos, end);
	take(r, end);
	word = plain_word(r);
	name = word != NULL ? rd_literal(r, word, &len) : NULL;
	if (node == NULL || word == NULL || r->stopped) {
		return NULL;
	}
	if (name == NULL || word->parts->quoted || word->parts->next != NULL) {
		rd_doubt(r, "has a function with an odd name", word->span.start, word->span.end);
		name = name != NULL ? name : "";
	}
	node->name = rd_strndup(r, name, len);
	rd_blanks(r);
	if (rd_at(r, r->pos) == '(') {
		uint32_t open = r->pos;

		r->pos++;
		rd_blanks(r);
		r->pos = rd_at(r, r->pos) == ')' ? r->pos + 1 : open;
	}
	(void)rd_newlines(r);
	node->first = parse_body(r);
	node->span.end = r->last_end;
	return node->first != NULL ? node : NULL;
}

/* The name of a coprocess, which has been read. */
static void
coproc_name(struct reader *r, struct node *node, const struct word *word)
{
	size_t len = 0;
	const char *name = rd_literal(r, word, &len);

	node->name = name != NULL ? rd_strndup(r, name, len) : "";
	if (rd_name_end(r, word->span.start) != rd_skip(r, word->span.end)) {
		rd_doubt(r, "has a coprocess with an odd name", word->span.start, word->span.end);
	}
}

/* What runs as a coprocess, with the name in front when there is one. Behind the first word, too,
 * a reserved word is one. */
static struct node *
coproc_command(struct reader *r, struct node *node)
{
	uint32_t start = r->pos;
	uint32_t end;
	struct word *word;
	struct node *first;
	enum keyword keyword = rd_keyword(r, &end);

	if (parse_compound_starts(r)) {
		return parse_body(r);
	}
	if (keyword != KW_NONE && keyword != KW_TIME) {
		return rd_unexpected(r);
	}
	if (!rd_word_starts(r) || rd_redirect_starts(r)) {
		return parse_simple(r);
	}
	word = rd_word(r, 0);
	rd_blanks(r);
	keyword = rd_keyword(r, &end);
	if (word != NULL && parse_compound_starts(r)) {
		coproc_name(r, node, word);
		return parse_body(r);
	}
	if (word == NULL || (keyword != KW_NONE && keyword < KW_CLOSES_ && keyword != KW_TIME)) {
		return rd_unexpected(r);
	}
	if (keyword < KW_CLOSES_) {
		if (rd_array_starts(r)) {
			rd_fail(r, "has a subscript or an array where bash loses track", r->pos,
				r->pos);
		}
		r->pos = start;
		return r->stopped ? NULL : parse_simple(r);
	}
	first = parse_new_node(r, NODE_SIMPLE, start);
	if (first != NULL) {
		first->words = word;
		first->span.end = word->span.end;
	}
	r->after_compound = true;
	return first;
}

/* coproc [NAME] command */
struct node *
parse_coproc(struct reader *r)
{
	struct node *node = parse_new_node(r, NODE_COPROC, r->pos);
	uint32_t end = r->pos;

	if (node == NULL) {
		return NULL;
	}
	(void)rd_keyword(r, &end);
	rd_only_bash(r, "has coproc, which sh does not know", r->pos, end);
	take(r, end);
	rd_blanks(r);
	node->first = coproc_command(r, node);
	node->span.end = r->last_end;
	if (r->in_parens && node->first != NULL && node->first->kind == NODE_SIMPLE) {
		rd_doubt(r, "has a coprocess in $( ), whose name bash takes for a command",
			 node->span.start, node->span.end);
	}
	return node->first != NULL ? node : NULL;
}
