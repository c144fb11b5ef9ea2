/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_ACCOUNT_H
#define COMMAND_ACCOUNT_H

/*
 * The account's inside, shared by verdict.c (which keeps it) and deeds.c (which decides about
 * deeds). Nobody else looks in.
 */

#include "command/verdict.h"

/* Reasons and effects are kept with their texts up to here; the decision always counts. */
#define ACCOUNT_KEPT_MAX 2000

struct account {
	struct arena *arena;
	const struct bailey_scene *scene;
	const struct source *source;
	struct bailey_reason *reasons;
	size_t reason_count;
	struct bailey_effect *effects;
	size_t effect_count;
	struct bailey_simple *commands;
	size_t command_count;
	enum bailey_decision decision;
	size_t events;	/* decisions counted so far */
	size_t last[3]; /* by decision: the number of the last event, from 1 */
	size_t kept[3]; /* by decision: reasons that are kept */
	bool requires_sandbox;
	bool unreadable;
};

/* Counts a decision; gives what it comes to under the subject's cap. */
enum bailey_decision account_count(struct subject *subject, enum bailey_decision decision);

/* An effect, with the place of its target. */
void account_effect(struct subject *subject, enum bailey_effect_kind kind, enum bailey_place place,
		    enum bailey_decision decision, const char *target, struct bailey_span span);

/* The span in the outermost text of `field`, or the command's. */
struct bailey_span account_span(const struct subject *subject, const struct field *field);

#endif /* COMMAND_ACCOUNT_H */
