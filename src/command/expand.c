/* SPDX-License-Identifier: MIT */
/*
 * Expansion as a whole: words into fields, part by part, and what asks the walker.
 *
 * Invariant: a word that is one piece of literal text takes neither a copy nor a builder.
 */
#include "command/expand_impl.h"

#include "base/attr.h"

#include <string.h>

/* ---- hooks -------------------------------------------------------------------------------- */

void
expand_note(struct expander *ex, const char *rule, const char *message, const struct part *part)
{
	struct part nowhere = { .kind = PART_TEXT, .text = "" };

	if (ex->hooks->note != NULL) {
		ex->hooks->note(ex->hooks->data, rule, message, part != NULL ? part : &nowhere);
	}
}

void
expand_check_foreign(struct expander *ex, const struct field *text)
{
	const unsigned foreign =
		TAINT_OUTPUT | TAINT_INPUT | TAINT_FILE | TAINT_NETWORK | TAINT_DECODED;

	if (text->kind == BAILEY_WORD_DYNAMIC && (text->taint & foreign) != 0) {
		expand_note(ex, "arithmetic.foreign",
			    "computes with text from elsewhere, in which a[$(...)] would be run",
			    NULL);
	}
}

struct stream
expand_evaluate(struct expander *ex, const struct field *text)
{
	struct shell *shell = ex->shell;
	struct stream result = stream_unknown((uint16_t)(text->taint | TAINT_OUTPUT));

	/* Each costs as if it were long, since evaluated text may evaluate itself again. */
	if (shell->evaluating >= EXPAND_EVALUATE_MAX || !shell_spend(shell, 4096 + text->len) ||
	    ex->hooks->evaluate == NULL) {
		expand_note(ex, "expansion.too-long", "evaluates text that evaluates itself", NULL);
		return result;
	}
	shell->evaluating++;
	result = ex->hooks->evaluate(ex->hooks->data, shell, text);
	shell->evaluating--;
	return result;
}

static struct stream
run_command(struct expander *ex, const struct part *part)
{
	const struct expand_hooks *hooks = ex->hooks;

	if (part->kind == PART_FILE) {
		return hooks->file != NULL ? hooks->file(hooks->data, ex->shell, part)
					   : stream_unknown(TAINT_FILE);
	}
	return hooks->command != NULL ? hooks->command(hooks->data, ex->shell, part->script)
				      : stream_unknown(TAINT_OUTPUT);
}

/* ---- live text ---------------------------------------------------------------------------- */

enum class {
	CLASS_BRACE = 1,
	CLASS_GLOB = 2,
	CLASS_TILDE = 4,
};

static unsigned
classes_of(const char *text, size_t len)
{
	static const uint8_t classes[256] = {
		['{'] = CLASS_BRACE, ['*'] = CLASS_GLOB,  ['?'] = CLASS_GLOB,
		['['] = CLASS_GLOB,  ['~'] = CLASS_TILDE,
	};
	unsigned found = 0;

	for (size_t i = 0; i < len; i++) {
		found |= classes[(unsigned char)text[i]];
	}
	return found;
}

/* Does the text that a part shares with the source end in a NUL? Both have one at their end. */
static bool
ends_here(const struct part *part)
{
	return part->text[part->len] == '\0';
}

/* ---- parts -------------------------------------------------------------------------------- */

static void
text_part(struct build *b, const struct part *part, bool first, bool quoted, bool result)
{
	bool colon = (b->mode & BUILD_COLON) != 0;
	size_t assign = 0;

	if (quoted || part->quoted) {
		build_quoted(b, part->text, part->len, ends_here(part));
		return;
	}
	if (part->len == 0 || memchr(part->text, '~', part->len) == NULL) {
		expand_live(b, part->text, part->len, result);
		return;
	}
	if (first && (b->mode & BUILD_ASSIGN) != 0) {
		assign = expand_assignment_length(part);
	}
	if (assign > 0) {
		expand_live(b, part->text, assign, result);
		expand_tilde(b, part, assign, true, true, result);
		return;
	}
	expand_tilde(b, part, 0, first && (b->mode & BUILD_TILDE) != 0, colon, result);
}

static void
extglob_part(struct build *b, const struct part *part)
{
	const struct part *inner = part->word != NULL ? part->word->parts : NULL;

	if (inner == NULL) {
		build_syntax(b, part->text, part->len);
		return;
	}
	for (; inner != NULL; inner = inner->next) {
		struct word one = { .parts = NULL };
		struct part alone = *inner;

		if (inner->kind == PART_TEXT && !inner->quoted) {
			build_syntax(b, inner->text, inner->len);
			continue;
		}
		alone.next = NULL;
		one.parts = &alone;
		expand_parts(b, &one, false, false);
	}
}

static void
number_part(struct build *b, const struct part *part, bool quoted)
{
	bool split = (b->mode & BUILD_SPLIT) != 0;
	struct field field;
	int64_t value;
	const char *text;

	b->ifs_touched = true;
	if (!expand_arith(b->ex, part->word, &value)) {
		split = split && !quoted && !build_ifs(b)->standard;
		build_unknown(b, 0, split);
		return;
	}
	text = expand_decimal(b->ex, value);
	field = text != NULL ? field_static(text, NULL) : field_unknown(0, false, NULL);
	build_result(b, &field, quoted);
}

static void
process_part(struct build *b, const struct part *part)
{
	const struct expand_hooks *hooks = b->ex->hooks;
	struct field path = field_unknown(TAINT_OUTPUT, false, &b->like);

	if (hooks->process != NULL) {
		path = hooks->process(hooks->data, b->ex->shell, part);
	}
	build_result(b, &path, true);
}

/* The elements of `declare a=(x y)` are read from the tree by who declares: here they only run. */
static void
array_part(struct build *b, const struct part *part)
{
	struct fields elements = { 0 };

	if (part->word != NULL) {
		expand_words(b->ex, part->word, &elements);
	}
	build_unknown(b, TAINT_VARIABLE, false);
}

void
expand_parts(struct build *b, const struct word *word, bool quoted, bool result)
{
	const struct part *part = word != NULL ? word->parts : NULL;
	struct stream stream;
	bool first = true;
	bool several = b->several;

	b->several = part != NULL && part->next != NULL;
	for (; part != NULL && !b->over; part = part->next, first = false) {
		bool inside = quoted || part->quoted;

		switch (part->kind) {
		case PART_TEXT:
			text_part(b, part, first, quoted, result);
			break;
		case PART_PARAM:
			param_emit(b, part, inside, result);
			break;
		case PART_COMMAND:
		case PART_FILE:
			stream = run_command(b->ex, part);
			build_result(b, &stream.data, inside);
			break;
		case PART_IN:
		case PART_OUT:
			process_part(b, part);
			break;
		case PART_ARITH:
			number_part(b, part, inside);
			break;
		case PART_EXTGLOB:
			extglob_part(b, part);
			break;
		case PART_ARRAY:
			array_part(b, part);
			break;
		case PART_SUBSCRIPT:
		default:
			break;
		}
		if (inside) {
			b->started = b->started || part->kind != PART_PARAM;
		}
	}
	b->several = several;
}

/* ---- one field ---------------------------------------------------------------------------- */

bool
expand_is_text(const struct word *word)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	while (part != NULL && part->kind == PART_TEXT) {
		part = part->next;
	}
	return part == NULL;
}

/* A word of one part of text in which nothing of `live_classes` is live. */
static bool
one_text(struct expander *ex, const struct word *word, unsigned live_classes, struct field *out)
{
	const struct part *part = word->parts;

	if (part == NULL || part->next != NULL || part->kind != PART_TEXT ||
	    part->len > EXPAND_BYTES_MAX ||
	    (!part->quoted && (classes_of(part->text, part->len) & live_classes) != 0)) {
		return false;
	}
	*out = (struct field){ .text = part->text,
			       .len = (uint32_t)part->len,
			       .source = ex->source,
			       .span = word->span,
			       .exact = part->exact };
	if (!ends_here(part)) {
		out->text = arena_strndup(ex->shell->arena, part->text, part->len);
		if (out->text == NULL) {
			*out = field_unknown(0, false, out);
		}
	}
	return true;
}

struct field
expand_one(struct expander *ex, const struct word *word, unsigned mode, bool quoted)
{
	unsigned live_classes = 0;
	struct field field;
	struct build b;

	if (word != NULL) {
		if ((mode & (BUILD_TILDE | BUILD_COLON)) != 0) {
			live_classes |= CLASS_TILDE;
		}
		if ((mode & (BUILD_PATTERN | BUILD_GLOB)) != 0) {
			live_classes |= CLASS_GLOB;
		}
		if ((mode & BUILD_REPLACEMENT) == 0 && one_text(ex, word, live_classes, &field)) {
			return field;
		}
	}
	build_init(&b, ex, mode, word);
	expand_parts(&b, word, quoted, false);
	return build_finish(&b);
}

struct field
expand_value(struct expander *ex, const struct word *word)
{
	return expand_one(ex, word, BUILD_TILDE | BUILD_COLON, false);
}

struct field
expand_plain(struct expander *ex, const struct word *word)
{
	return expand_one(ex, word, BUILD_TILDE, false);
}

struct field
expand_pattern(struct expander *ex, const struct word *word)
{
	return expand_one(ex, word, BUILD_TILDE | BUILD_PATTERN, false);
}

struct field
expand_target(struct expander *ex, const struct word *word)
{
	struct fields fields = { 0 };
	struct word alone = { 0 };
	struct field many;

	if (ex->shell->dialect == DIALECT_SH) {
		return expand_one(ex, word, BUILD_TILDE, false);
	}
	if (word != NULL) {
		alone = *word;
		alone.next = NULL;
		expand_words(ex, &alone, &fields);
	}
	if (fields.count == 1) {
		return fields.items[0];
	}
	/* bash refuses a target that is not one word. */
	many = field_unknown(0, true, NULL);
	many.source = ex->source;
	many.span = alone.span;
	for (size_t i = 0; i < fields.count; i++) {
		many.taint |= fields.items[i].taint;
	}
	return many;
}

void
expand_unused(struct expander *ex, const struct word *word)
{
	struct shell_mark mark;

	if (expand_is_text(word)) {
		return;
	}
	mark = shell_mark(ex->shell);
	(void)expand_one(ex, word, 0, true);
	shell_join(ex->shell, &mark);
}

/* ---- command words ------------------------------------------------------------------------ */

/* Builtins whose arguments of the form NAME=VALUE are assignments, by their names as written. */
static bool
declares(const struct word *word)
{
	static const char *const names[] = { "export",	 "declare", "typeset",
					     "readonly", "local",   "alias" };
	const struct part *part = word->parts;

	if (part == NULL || part->next != NULL || part->kind != PART_TEXT || part->quoted ||
	    part->len < 5 || part->len > 8) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (strlen(names[i]) == part->len && memcmp(names[i], part->text, part->len) == 0) {
			return true;
		}
	}
	return false;
}

static bool
is_literally(const struct word *word, const char *name)
{
	const struct part *part = word->parts;

	return part != NULL && part->next == NULL && part->kind == PART_TEXT && !part->quoted &&
	       part->len == strlen(name) && memcmp(part->text, name, part->len) == 0;
}

static bool
has_brace(const struct word *word)
{
	for (const struct part *part = word->parts; part != NULL; part = part->next) {
		if (part->kind == PART_TEXT && !part->quoted && part->len > 0 &&
		    memchr(part->text, '{', part->len) != NULL) {
			return true;
		}
	}
	return false;
}

/* NAME=VALUE for a builtin that declares: the name, and the value as an assignment has it. */
static void
declared_word(struct build *b, const struct word *word, size_t name)
{
	struct arena *arena = b->ex->shell->arena;
	struct part first = *word->parts;
	struct word rest = { .parts = &first, .span = word->span };
	struct field field = field_literal(arena, first.text, name, &b->like);
	struct field value;

	first.text += name;
	first.len -= name;
	if (first.len == 0) {
		rest.parts = first.next;
	}
	value = expand_one(b->ex, &rest, BUILD_TILDE | BUILD_COLON, false);
	field = field_join(arena, &field, &value);
	build_push(b, &field);
	b->base = b->count;
}

static void
split_word(struct build *b, const struct word *word, bool declaring)
{
	size_t name = declaring && word->parts != NULL ? expand_assignment_length(word->parts) : 0;

	b->like.span = word->span;
	if (name > 0) {
		declared_word(b, word, name);
		return;
	}
	expand_parts(b, word, false, false);
	build_finish_split(b);
}

static void
brace_word(struct build *b, const struct word *word, bool declaring)
{
	bool over = false;
	struct word *list = NULL;
	unsigned mode = b->mode;
	struct field unknown;

	if (b->ex->shell->dialect == DIALECT_BASH && has_brace(word)) {
		list = expand_braces(b->ex, word, &over);
	}
	if (over) {
		expand_note(b->ex, "expansion.too-long", "expands to more than can be followed",
			    word->parts);
		unknown = field_unknown(0, true, &b->like);
		unknown.span = word->span;
		build_push(b, &unknown);
		b->base = b->count;
		return;
	}
	if (list == NULL) {
		split_word(b, word, declaring);
	}
	/* What braces made is no assignment to bash. */
	b->mode &= ~(unsigned)BUILD_ASSIGN;
	for (; list != NULL && !b->ex->shell->arena->failed; list = list->next) {
		split_word(b, list, false);
	}
	b->mode = mode;
}

void
expand_words(struct expander *ex, const struct word *words, struct fields *out)
{
	bool declaring = false;
	bool leading = true; /* only "command" so far */
	size_t count = 0;
	struct build b;
	unsigned mode = BUILD_SPLIT | BUILD_TILDE;

	mode |= ex->shell->dialect == DIALECT_BASH ? BUILD_ASSIGN : 0;
	build_init(&b, ex, ex->shell->noglob ? mode : mode | BUILD_GLOB, words);
	for (const struct word *word = words; word != NULL; word = word->next) {
		count++;
	}
	build_room(&b, count);
	for (const struct word *word = words; word != NULL; word = word->next) {
		struct field field;

		if (one_text(ex, word, CLASS_BRACE | CLASS_GLOB | CLASS_TILDE, &field)) {
			build_push(&b, &field);
			b.base = b.count;
		} else {
			brace_word(&b, word, declaring);
		}
		declaring = declaring || (leading && declares(word));
		leading = leading && is_literally(word, "command");
	}
	out->items = b.items;
	out->count = b.count;
}
