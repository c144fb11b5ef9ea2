/* SPDX-License-Identifier: MIT */
/*
 * Aliases: the command is put together as the shell would read it, from the alias and the rest as
 * it is written, and walked as a text of its own.
 */
#include "command/walk_impl.h"

#include <string.h>

#define ALIAS_TEXT_MAX 65536

/* The word when it is one that an alias may stand for: plain, and not quoted at all. */
static const char *
alias_name(struct walk *w, const struct word *word)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	if (part == NULL || part->next != NULL || part->kind != PART_TEXT || part->quoted) {
		return NULL;
	}
	return arena_strndup(w->arena, part->text, part->len);
}

static const char *
alias_text(struct walk *w, const char *name, bool *unsure)
{
	for (const struct alias_use *use = w->aliases; use != NULL; use = use->outer) {
		if (strcmp(use->name, name) == 0) {
			return NULL;
		}
	}
	return shell_alias(&w->shell, name, w->line, unsure);
}

static bool
ends_in_blank(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t');
}

static void
add_text(struct walk *w, char **text, size_t *len, const char *more, size_t more_len)
{
	char *grown;

	if (*text == NULL || *len + more_len > ALIAS_TEXT_MAX) {
		*text = NULL;
		return;
	}
	grown = arena_alloc(w->arena, *len + more_len + 2);
	if (grown != NULL) {
		memcpy(grown, *text, *len);
		memcpy(grown + *len, more, more_len);
		*len += more_len;
	}
	*text = grown;
}

/* The command with its aliases put in; NULL when that cannot be done. */
static char *
build(struct walk *w, const struct node *node, const char *first, size_t *len)
{
	char *text = arena_alloc(w->arena, 1);
	const struct source *source = w->source;
	const struct word *word = node->words;
	const char *value = first;
	uint32_t at = node->span.start;

	*len = 0;
	while (text != NULL && value != NULL) {
		const char *next = NULL;

		add_text(w, &text, len, source->text + at, word->span.start - at);
		add_text(w, &text, len, value, strlen(value));
		at = word->span.end;
		word = word->next;
		if (ends_in_blank(value)) {
			const char *name = alias_name(w, word);

			next = name != NULL ? shell_alias(&w->shell, name, w->line, NULL) : NULL;
		}
		value = next;
	}
	if (at > node->span.end || node->span.end > source->len) {
		return NULL;
	}
	add_text(w, &text, len, source->text + at, node->span.end - at);
	if (text != NULL) {
		text[*len] = '\0';
	}
	return text;
}

static bool
has_heredoc(const struct node *node)
{
	for (const struct redirect *r = node->redirects; r != NULL; r = r->next) {
		if (r->op == REDIR_HEREDOC) {
			return true;
		}
	}
	return false;
}

enum alias_run
walk_alias(struct walk *w, const struct node *node)
{
	const char *name = alias_name(w, node->words);
	bool unsure = false;
	const char *value = name != NULL ? alias_text(w, name, &unsure) : NULL;
	struct alias_use use = { .name = name, .outer = w->aliases };
	struct field text = field_static("", NULL);
	struct branch branch;
	size_t len = 0;
	char *built;

	if (value == NULL) {
		return ALIAS_NONE;
	}
	text.source = w->source;
	text.span = node->span;
	built = has_heredoc(node) ? NULL : build(w, node, value, &len);
	if (built == NULL || strchr(built, FIELD_UNKNOWN) != NULL) {
		walk_reason(w, WHY_ALIAS, &text);
		return ALIAS_NONE;
	}
	text.text = built;
	text.len = (uint32_t)len;
	unsure = unsure || w->shell.aliases_unsure;
	if (unsure) {
		walk_branch(w, &branch);
	}
	w->aliases = &use;
	walk_text_here(w, &text, "alias");
	w->aliases = use.outer;
	if (unsure) {
		walk_branch_end(w, &branch);
	}
	return unsure ? ALIAS_MAYBE : ALIAS_RAN;
}

/* ---- alias and unalias -------------------------------------------------------------------- */

static bool
is_reserved(const char *name)
{
	static const char *const words[] = { "if",   "then",   "else",	 "elif",  "fi",
					     "case", "esac",   "for",	 "while", "until",
					     "do",   "done",   "select", "in",	  "function",
					     "time", "coproc", "{",	 "}",	  "[[",
					     "]]",   "!" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* An alias that nobody uses is asked about when it would do harm, and no more. */
static void
judge_alias(struct walk *w, const struct field *value)
{
	struct code_run run = { .language = LANG_BASH, .text = value };
	enum bailey_decision cap = w->subject.cap;

	w->subject.cap = BAILEY_PROMPT;
	w->quiet++;
	if (value->len > 0) {
		walk_code(w, &run);
	}
	w->quiet--;
	w->subject.cap = cap;
}

void
walk_alias_builtin(struct walk *w, const struct command *command)
{
	for (size_t i = walk_skip_options(w, command, "p"); i < command->argc; i++) {
		const struct field *word = &command->argv[i];
		size_t known = field_known_prefix(word);
		const char *equals = memchr(word->text, '=', known);
		const char *name;
		struct field value;

		if (equals == NULL) {
			if (!field_is_literal(word)) {
				walk_reason(w, WHY_ALIAS, word);
			}
			continue;
		}
		name = arena_strndup(w->arena, word->text, (size_t)(equals - word->text));
		value = field_tail(w->arena, word, (size_t)(equals - word->text) + 1);
		if (name == NULL) {
			return;
		}
		if (is_reserved(name)) {
			walk_reason(w, WHY_ALIAS, word);
		}
		judge_alias(w, &value);
		shell_set_alias(&w->shell, name, field_is_literal(&value) ? value.text : "\x1a",
				w->line);
	}
}

void
walk_unalias_builtin(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "a" };

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		if (c == 'a') {
			shell_unset_alias(&w->shell, NULL);
		}
	}
	for (size_t i = o.next; i < command->argc; i++) {
		if (field_is_literal(&command->argv[i])) {
			shell_unset_alias(&w->shell, command->argv[i].text);
		}
	}
}
