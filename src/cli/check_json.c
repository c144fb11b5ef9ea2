/* SPDX-License-Identifier: MIT */

/*
 * A verdict as JSON. The form is documented in bailey-check(1) and is an interface: members are
 * added, never changed. What is not UTF-8 is shown as in messages; spans are bytes of the text as
 * it was given.
 */

#include "cli/check.h"

#include "base/attr.h"
#include "base/strbuf.h"

#include <jansson.h>
#include <stdio.h>

static json_t *
text_of(const char *text)
{
	AUTO_STRBUF shown = STRBUF_INIT;
	json_t *string = json_string(text);

	if (string == NULL) {
		strbuf_shown(&shown, text);
		string = json_string(shown.text);
	}
	return string;
}

static json_t *
text_or_null(const char *text)
{
	return text != NULL ? text_of(text) : json_null();
}

/* "parent" and "command" are indexes, or null. */
static json_t *
index_of(size_t index)
{
	return index != SIZE_MAX ? json_integer((json_int_t)index) : json_null();
}

static json_t *
word_of(const struct bailey_word *word)
{
	static const char *const kinds[] = { "literal", "glob", "dynamic" };

	return json_pack("{s:o, s:s, s:b, s:i, s:i}", "text", text_of(word->text), "kind",
			 kinds[word->kind], "many", word->many, "start", (int)word->span.start,
			 "end", (int)word->span.end);
}

static json_t *
reasons_of(const struct bailey_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdict->reason_count; i++) {
		const struct bailey_reason *reason = &verdict->reasons[i];

		(void)json_array_append_new(
			list, json_pack("{s:s, s:s, s:o, s:i, s:i, s:o}", "decision",
					bailey_decision_name(reason->decision), "rule",
					reason->rule, "message", text_of(reason->message), "start",
					(int)reason->span.start, "end", (int)reason->span.end,
					"command", index_of(reason->command)));
	}
	return list;
}

static json_t *
effects_of(const struct bailey_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdict->effect_count; i++) {
		const struct bailey_effect *effect = &verdict->effects[i];

		(void)json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:o, s:o, s:i, s:i}", "kind",
					bailey_effect_name(effect->kind), "place",
					bailey_place_name(effect->place), "decision",
					bailey_decision_name(effect->decision), "target",
					text_or_null(effect->target), "command",
					index_of(effect->command), "start", (int)effect->span.start,
					"end", (int)effect->span.end));
	}
	return list;
}

static json_t *
assignments_of(const struct bailey_simple *command)
{
	json_t *list = json_array();

	for (size_t i = 0; i < command->assignment_count; i++) {
		const struct bailey_assignment *assignment = &command->assignments[i];

		(void)json_array_append_new(list, json_pack("{s:o, s:o, s:b}", "name",
							    text_of(assignment->name), "value",
							    word_of(&assignment->value), "appends",
							    assignment->appends));
	}
	return list;
}

static json_t *
redirections_of(const struct bailey_simple *command)
{
	json_t *list = json_array();

	for (size_t i = 0; i < command->redirection_count; i++) {
		const struct bailey_redirection *redirection = &command->redirections[i];

		(void)json_array_append_new(
			list, json_pack("{s:i, s:s, s:o}", "fd", redirection->fd, "op",
					redirection->op, "target", word_of(&redirection->target)));
	}
	return list;
}

static json_t *
commands_of(const struct bailey_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdict->command_count; i++) {
		const struct bailey_simple *command = &verdict->commands[i];
		json_t *words = json_array();

		for (size_t k = 0; k < command->word_count; k++) {
			(void)json_array_append_new(words, word_of(&command->words[k]));
		}
		(void)json_array_append_new(
			list, json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:i, s:i}", "decision",
					bailey_decision_name(command->decision), "requires_sandbox",
					command->requires_sandbox, "words", words, "assignments",
					assignments_of(command), "redirections",
					redirections_of(command), "via", text_or_null(command->via),
					"parent", index_of(command->parent), "start",
					(int)command->span.start, "end", (int)command->span.end));
	}
	return list;
}

void
check_print_json(const struct bailey_verdict *verdict)
{
	json_t *object =
		json_pack("{s:s, s:b, s:b, s:o, s:o, s:o, s:o}", "decision",
			  bailey_decision_name(verdict->decision), "requires_sandbox",
			  verdict->requires_sandbox, "readable", verdict->readable, "text",
			  text_of(verdict->text), "reasons", reasons_of(verdict), "effects",
			  effects_of(verdict), "commands", commands_of(verdict));
	AUTO_FREE char *line = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;

	(void)printf("%s\n", line != NULL ? line : "{\"error\":\"no memory\"}");
	json_decref(object);
}
