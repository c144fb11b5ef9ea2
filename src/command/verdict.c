/* SPDX-License-Identifier: MIT */

/* The account of one judgement: commands, effects, reasons; and the verdict made of them. */

#include "command/account.h"

#include "base/attr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *
bailey_decision_name(enum bailey_decision decision)
{
	static const char *const names[] = { "allow", "prompt", "forbidden" };

	return (unsigned)decision < COUNT_OF(names) ? names[decision] : "";
}

const char *
bailey_effect_name(enum bailey_effect_kind kind)
{
	static const char *const names[] = { "reads",	   "writes",	"deletes", "executes",
					     "network",	   "privilege", "process", "system",
					     "disclosure", "unknown" };

	return (unsigned)kind < COUNT_OF(names) ? names[kind] : "";
}

struct account *
account_new(struct arena *arena, const struct bailey_scene *scene, const struct source *source)
{
	struct account *account = arena_alloc(arena, sizeof(*account));

	if (account != NULL) {
		account->arena = arena;
		account->scene = scene;
		account->source = source;
	}
	return account;
}

size_t
account_command(struct account *account, const struct bailey_simple *simple)
{
	struct bailey_simple *slot = arena_push(account->arena, &account->commands,
						&account->command_count, sizeof(*slot));

	if (slot == NULL) {
		return SIZE_MAX;
	}
	*slot = *simple;
	return account->command_count - 1;
}

enum bailey_decision
account_count(struct subject *subject, enum bailey_decision decision)
{
	struct account *account = subject->account;

	if (decision > subject->cap) {
		decision = subject->cap;
	}
	account->last[decision] = ++account->events;
	if (decision > account->decision) {
		account->decision = decision;
	}
	if (subject->command < account->command_count &&
	    decision > account->commands[subject->command].decision) {
		account->commands[subject->command].decision = decision;
	}
	return decision;
}

struct bailey_span
account_span(const struct subject *subject, const struct field *field)
{
	const struct account *account = subject->account;

	if (field != NULL && field->source != NULL) {
		return source_outermost(field->source, field->span);
	}
	if (subject->command < account->command_count) {
		return account->commands[subject->command].span;
	}
	return (struct bailey_span){ 0, (uint32_t)account->source->len };
}

/* Loops and alternatives come to the same place with the same words again and again. */
static bool
is_known_reason(const struct account *account, const struct bailey_reason *reason)
{
	size_t look = account->reason_count < 32 ? account->reason_count : 32;

	for (size_t i = account->reason_count - look; i < account->reason_count; i++) {
		const struct bailey_reason *old = &account->reasons[i];

		if (old->decision == reason->decision && old->span.start == reason->span.start &&
		    old->span.end == reason->span.end && strcmp(old->rule, reason->rule) == 0 &&
		    strcmp(old->message, reason->message) == 0) {
			return true;
		}
	}
	return false;
}

static void
keep_reason(struct subject *subject, const struct bailey_reason *reason)
{
	struct account *account = subject->account;
	struct bailey_reason *slot;

	if (reason->decision == BAILEY_ALLOW || is_known_reason(account, reason) ||
	    account->kept[reason->decision] >= ACCOUNT_KEPT_MAX) {
		return;
	}
	slot = arena_push(account->arena, &account->reasons, &account->reason_count, sizeof(*slot));
	if (slot == NULL) {
		return;
	}
	*slot = *reason;
	if (++account->kept[reason->decision] == ACCOUNT_KEPT_MAX) {
		slot->rule = "reasons.more";
		slot->message = "more reasons of this kind follow and are not listed";
	}
}

void
account_reason(struct subject *subject, enum bailey_decision decision, const char *rule,
	       const char *message, const struct source *source, struct bailey_span span)
{
	struct bailey_reason reason = {
		.decision = account_count(subject, decision),
		.rule = rule,
		.message = message,
		.span = source != NULL ? source_outermost(source, span)
				       : account_span(subject, NULL),
		.command = subject->command,
	};

	keep_reason(subject, &reason);
}

void
account_effect(struct subject *subject, enum bailey_effect_kind kind, enum bailey_place place,
	       enum bailey_decision decision, const char *target, struct bailey_span span)
{
	struct account *account = subject->account;
	struct bailey_effect *slot;

	if (account->effect_count >= (size_t)2 * ACCOUNT_KEPT_MAX) {
		return;
	}
	slot = arena_push(account->arena, &account->effects, &account->effect_count, sizeof(*slot));
	if (slot != NULL) {
		*slot = (struct bailey_effect){ kind, place, decision, target, subject->command,
						span };
	}
}

void
account_rule(struct subject *subject, const struct rule *rule, const struct field *target,
	     const struct field *fallback)
{
	const struct field *at = target != NULL ? target : fallback;
	struct bailey_span none = { 0, 0 };

	account_effect(subject, rule->kind, BAILEY_PLACE_NONE,
		       rule->decision < subject->cap ? rule->decision : subject->cap,
		       target != NULL && field_is_literal(target) ? target->text : NULL,
		       account_span(subject, at));
	account_reason(subject, rule->decision, rule->id, rule->message,
		       at != NULL ? at->source : NULL, at != NULL ? at->span : none);
}

void
account_sandbox(struct subject *subject)
{
	struct account *account = subject->account;

	account->requires_sandbox = true;
	if (subject->command < account->command_count) {
		account->commands[subject->command].requires_sandbox = true;
	}
}

void
account_unreadable(struct subject *subject, const struct trouble *trouble,
		   const struct source *source)
{
	bool deep = strcmp(trouble->rule, "nesting-too-deep") == 0;

	subject->account->unreadable = true;
	account_reason(subject, deep ? BAILEY_FORBIDDEN : BAILEY_PROMPT, trouble->rule,
		       trouble->message, source, trouble->span);
}

enum bailey_decision
account_decision(const struct account *account)
{
	return account->decision;
}

size_t
account_mark(const struct account *account)
{
	return account->events;
}

enum bailey_decision
account_since(const struct account *account, size_t mark)
{
	if (account->last[BAILEY_FORBIDDEN] > mark) {
		return BAILEY_FORBIDDEN;
	}
	return account->last[BAILEY_PROMPT] > mark ? BAILEY_PROMPT : BAILEY_ALLOW;
}

enum bailey_decision
account_command_decision(const struct account *account, size_t command)
{
	return command < account->command_count ? account->commands[command].decision
						: BAILEY_PROMPT;
}

/* The most severe first, then as they stand in the text. */
static int
compare_reasons(const void *a, const void *b)
{
	const struct bailey_reason *x = a;
	const struct bailey_reason *y = b;

	if (x->decision != y->decision) {
		return x->decision > y->decision ? -1 : 1;
	}
	if (x->span.start != y->span.start) {
		return x->span.start < y->span.start ? -1 : 1;
	}
	if (x->command != y->command) {
		return x->command < y->command ? -1 : 1;
	}
	return strcmp(x->rule, y->rule);
}

int
account_finish(struct account *account, struct bailey_verdict *verdict, struct bailey_error *err)
{
	if (account->arena->failed) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory to judge the command");
	}
	if (account->reason_count > 1) {
		qsort(account->reasons, account->reason_count, sizeof(account->reasons[0]),
		      compare_reasons);
	}
	assert(!account->unreadable || account->decision >= BAILEY_PROMPT);
	*verdict = (struct bailey_verdict){
		.decision = account->decision,
		.requires_sandbox = account->requires_sandbox,
		.readable = !account->unreadable,
		.text = account->source->text,
		.reasons = account->reasons,
		.reason_count = account->reason_count,
		.effects = account->effects,
		.effect_count = account->effect_count,
		.commands = account->commands,
		.command_count = account->command_count,
	};
	return BAILEY_OK;
}
