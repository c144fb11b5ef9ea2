/* SPDX-License-Identifier: MIT */
/*
 * Messages: what commands and the shell itself say on descriptor 2. They hold words of the script,
 * so where they are read again nothing is known of the text. What is certain to say nothing is
 * listed here; all else may.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- words and redirections --------------------------------------------------------------- */

static bool words_say(const struct word *word);

static bool
param_says(const struct param *param)
{
	return param->index != NULL || param->indirect || param->op == PARAM_ERROR ||
	       param->op == PARAM_ASSIGN || param->op == PARAM_SUBSTRING ||
	       param->op == PARAM_TRANSFORM || words_say(param->arg) || words_say(param->arg2);
}

/* What of an expansion may be an error that its result does not show? */
static bool
part_says(const struct part *part)
{
	switch (part->kind) {
	case PART_PARAM:
		return param_says(part->param);
	case PART_FILE:
	case PART_ARITH:
	case PART_SUBSCRIPT:
		return true;
	case PART_ARRAY:
		return words_say(part->word);
	case PART_TEXT: /* failglob */
		return !part->quoted && memchr(part->text, '*', part->len) != NULL;
	case PART_COMMAND:
	case PART_IN:
	case PART_OUT:
	case PART_EXTGLOB:
		break;
	}
	return false;
}

static bool
words_say(const struct word *word)
{
	for (; word != NULL; word = word->next) {
		for (const struct part *part = word->parts; part != NULL; part = part->next) {
			if (part_says(part)) {
				return true;
			}
		}
	}
	return false;
}

/* The one text that the word is, or "". */
static const char *
text_of(const struct word *word, size_t *len)
{
	const struct part *part = word != NULL ? word->parts : NULL;

	*len = 0;
	if (part == NULL || part->next != NULL || part->kind != PART_TEXT) {
		return "";
	}
	*len = part->len;
	return part->text;
}

static bool
is_closed(const struct io *io, char digit)
{
	const struct flow *flow = io->fd[digit - '0'];

	return flow != NULL && flow->kind == FLOW_CLOSED;
}

/* May it fail? */
static bool
redirect_says(const struct io *io, const struct redirect *redirect)
{
	size_t len;
	const char *text = text_of(redirect->word, &len);

	if (redirect->variable != NULL || words_say(redirect->word)) {
		return true;
	}
	switch (redirect->op) {
	case REDIR_HEREDOC:
	case REDIR_HERESTRING:
		return false;
	case REDIR_DUP_IN:
	case REDIR_DUP_OUT:
		return len != 1 || (text[0] != '-' &&
				    (text[0] < '0' || text[0] > '2' || is_closed(io, text[0])));
	case REDIR_IN:
	case REDIR_OUT:
	case REDIR_APPEND:
	case REDIR_CLOBBER:
	case REDIR_BOTH:
	case REDIR_ALL:
	case REDIR_ALL_APPEND:
		break;
	}
	return len != 9 || memcmp(text, "/dev/null", len) != 0;
}

/* ---- commands ----------------------------------------------------------------------------- */

/* May the shell fail to write what it prints? */
static bool
writing_fails(const struct io *io)
{
	const struct flow *flow = io->fd[1];

	if (flow == NULL || flow->kind == FLOW_OUTSIDE || flow->kind == FLOW_NULL) {
		return false;
	}
	if (flow->kind == FLOW_FILE && flow->path.text != NULL) {
		return flow->reads || strncmp(flow->path.text, "/dev/", 5) == 0;
	}
	return flow->kind != FLOW_TEXT || flow->reads;
}

/* A format of printf with nothing in it that an argument could be wrong for. */
static bool
is_plain_format(const struct field *format)
{
	const char *text = format->text;

	if (!field_is_literal(format) || text[0] == '-') {
		return false;
	}
	for (size_t i = 0; i < format->len; i++) {
		if (text[i] == '%' && text[++i] != 's' && text[i] != '%') {
			return false;
		}
		if (text[i] == '\\' && strchr("xuU", text[++i]) != NULL) {
			return false;
		}
	}
	return true;
}

/* The forms of test that cannot be wrong. */
static bool
is_plain_test(const struct command *command)
{
	static const char *const unary[] = { "!",  "-a", "-b", "-c", "-d", "-e", "-f", "-g",
					     "-h", "-k", "-n", "-p", "-r", "-s", "-u", "-w",
					     "-x", "-z", "-G", "-L", "-N", "-O", "-S" };
	static const char *const binary[] = { "=", "==", "!=", "<", ">", "-nt", "-ot", "-ef" };
	bool bracket = field_is(&command->argv[0], "[");
	size_t count = command->argc - 1;

	if (bracket && !field_is(&command->argv[count--], "]")) {
		return false;
	}
	for (size_t i = 0; count == 2 && i < sizeof(unary) / sizeof(unary[0]); i++) {
		if (field_is(&command->argv[1], unary[i])) {
			return true;
		}
	}
	for (size_t i = 0; count == 3 && i < sizeof(binary) / sizeof(binary[0]); i++) {
		if (field_is(&command->argv[2], binary[i])) {
			return true;
		}
	}
	return count < 2;
}

static bool
command_says(const struct io *io, const struct command *command)
{
	const struct field *name = &command->argv[0];

	if (command->argc == 0 || field_is(name, ":") || field_is(name, "true") ||
	    field_is(name, "false")) {
		return false;
	}
	if (field_is(name, "echo")) {
		return writing_fails(io);
	}
	if (field_is(name, "printf")) {
		return command->argc < 2 || !is_plain_format(&command->argv[1]) ||
		       writing_fails(io);
	}
	return !(field_is(name, "test") || field_is(name, "[")) || !is_plain_test(command);
}

/* May its expansions or assignments go wrong? */
static bool
expansion_says(struct walk *w, const struct command *command)
{
	const struct node *node = command->node;

	for (size_t i = 0; i < command->argc; i++) {
		if (command->argv[i].kind != BAILEY_WORD_LITERAL) {
			return true; /* failglob, or it is not known how it went */
		}
	}
	for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
		const struct var *var = shell_get(&w->shell, a->name);

		if (a->index != NULL || a->array || words_say(a->value) ||
		    (var != NULL && (var->readonly || var->integer))) {
			return true;
		}
	}
	return words_say(node->words);
}

/* Do compound commands say something themselves, behind their redirections? */
static bool
compound_says(const struct node *node)
{
	const char *role = node->roles;

	switch (node->kind) {
	case NODE_ARITH:
	case NODE_FOR_ARITH:
	case NODE_SELECT:
		return true;
	case NODE_PIPELINE:
		return node->timed; /* in a form that a variable has */
	case NODE_COND:
		for (const struct word *word = node->words; word != NULL; word = word->next) {
			size_t len;
			const char *text = text_of(word, &len);

			if (*role++ == 'o' && len > 1 && text[0] == '-' &&
			    (len > 2 || strchr("vRt", text[1]) != NULL)) {
				return true; /* -eq and the like: arithmetic */
			}
		}
		return words_say(node->words);
	case NODE_SIMPLE:
	case NODE_AND:
	case NODE_OR:
	case NODE_SUBSHELL:
	case NODE_GROUP:
	case NODE_IF:
	case NODE_WHILE:
	case NODE_UNTIL:
	case NODE_FOR:
	case NODE_CASE:
	case NODE_FUNCTION:
	case NODE_COPROC:
		break;
	}
	return words_say(node->words);
}

/* ---- saying it ---------------------------------------------------------------------------- */

static bool
is_heard(const struct walk *w)
{
	const struct flow *flow = w->io.fd[2];

	return flow != NULL &&
	       (flow->kind == FLOW_TEXT || flow->kind == FLOW_FILE || flow->kind == FLOW_EITHER);
}

static void
say(struct walk *w)
{
	struct field unknown = field_unknown(TAINT_OUTPUT, false, NULL);

	walk_emit(w, 2, &unknown);
}

void
walk_say_expansion(struct walk *w, const struct command *command)
{
	if (is_heard(w) && (w->traced || expansion_says(w, command))) {
		say(w);
	}
}

void
walk_say_redirect(struct walk *w, const struct redirect *redirect)
{
	if (is_heard(w) && redirect_says(&w->io, redirect)) {
		say(w);
	}
}

void
walk_say_command(struct walk *w, const struct command *command)
{
	if (is_heard(w) && (w->traced || command_says(&w->io, command) ||
			    (command->node->assigns != NULL && expansion_says(w, command)))) {
		say(w);
	}
}

void
walk_say_compound(struct walk *w, const struct node *node)
{
	if (is_heard(w) && compound_says(node)) {
		say(w);
	}
}
