/* SPDX-License-Identifier: MIT */
/*
 * Any bytes get a verdict, as a shell's text and, split at newlines, as an argv. What the verdict
 * says holds together: places are in the text, indexes are of commands, the decision is that of its
 * worst reason, what is not readable is not allowed; and it is the same when asked again.
 */
#include "must.h"

#include <bailey/command.h>

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64

static void
check_span(const struct bailey_verdict *verdict, struct bailey_span span, size_t len)
{
	(void)verdict;
	MUST(span.start <= span.end);
	MUST(span.end <= len);
}

static void
check_words(const struct bailey_verdict *verdict, const struct bailey_word *words, size_t count,
	    size_t len)
{
	for (size_t i = 0; i < count; i++) {
		MUST(words[i].text != NULL);
		check_span(verdict, words[i].span, len);
	}
}

static void
check_commands(const struct bailey_verdict *verdict, size_t len)
{
	for (size_t i = 0; i < verdict->command_count; i++) {
		const struct bailey_simple *command = &verdict->commands[i];

		MUST(command->parent < verdict->command_count);
		MUST(command->decision <= verdict->decision);
		check_span(verdict, command->span, len);
		check_words(verdict, command->words, command->word_count, len);
		for (size_t k = 0; k < command->assignment_count; k++) {
			MUST(command->assignments[k].name != NULL);
			check_words(verdict, &command->assignments[k].value, 1, len);
		}
		for (size_t k = 0; k < command->redirection_count; k++) {
			MUST(command->redirections[k].op != NULL);
			check_words(verdict, &command->redirections[k].target, 1, len);
		}
	}
}

static void
check_verdict(const struct bailey_verdict *verdict, size_t len)
{
	MUST(verdict->decision <= BAILEY_FORBIDDEN);
	MUST(verdict->readable || verdict->decision >= BAILEY_PROMPT);
	MUST((verdict->decision == BAILEY_ALLOW) == (verdict->reason_count == 0));
	for (size_t i = 0; i < verdict->reason_count; i++) {
		const struct bailey_reason *reason = &verdict->reasons[i];

		MUST(reason->decision <= verdict->reasons[0].decision);
		MUST(reason->rule != NULL && reason->message != NULL);
		MUST(reason->command == SIZE_MAX || reason->command < verdict->command_count);
		check_span(verdict, reason->span, len);
	}
	MUST(verdict->reason_count == 0 || verdict->reasons[0].decision == verdict->decision);
	for (size_t i = 0; i < verdict->effect_count; i++) {
		check_span(verdict, verdict->effects[i].span, len);
	}
	check_commands(verdict, len);
}

static void
judge_words(const char *text, size_t size)
{
	char *copy = strndup(text, size);
	const char *words[WORDS_MAX];
	size_t count = 0;
	struct bailey_verdict *verdict = NULL;
	char *rest = copy;

	while (copy != NULL && count < WORDS_MAX && rest != NULL) {
		words[count++] = strsep(&rest, "\n");
	}
	if (copy != NULL && bailey_judge_argv(words, count, NULL, &verdict, NULL) == BAILEY_OK) {
		check_verdict(verdict, strlen(verdict->text));
	}
	bailey_verdict_free(verdict);
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct bailey_verdict *verdict = NULL;
	struct bailey_verdict *again = NULL;

	MUST(bailey_judge_shell(text, size, NULL, &verdict, NULL) == BAILEY_OK);
	check_verdict(verdict, size);
	MUST(bailey_judge_shell(text, size, NULL, &again, NULL) == BAILEY_OK);
	MUST(again->decision == verdict->decision && again->reason_count == verdict->reason_count);
	bailey_verdict_free(again);
	bailey_verdict_free(verdict);
	judge_words(text, size);
	return 0;
}
