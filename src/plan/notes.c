/* SPDX-License-Identifier: MIT */

/* Notes of a plan: who holds which part of the policy, and what nobody holds in this run. */

#include "plan/compile.h"

#include <stdarg.h>
#include <stdio.h>

static struct plan_note *add(struct plan *plan, enum plan_enforcer by, const char *id,
			     const char *option, const char *format, va_list args)
	BAILEY_PRINTF(5, 0);

static struct plan_note *
add(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
    const char *format, va_list args)
{
	char text[1024];
	struct plan_note *note =
		arena_push(&plan->arena, &plan->notes, &plan->note_count, sizeof(*note));

	if (note == NULL) {
		return NULL; /* the arena remembers; plan_compile() fails at its end */
	}
	(void)vsnprintf(text, sizeof(text), format, args);
	note->by = by;
	note->id = id;
	note->option = option;
	note->text = arena_strdup(&plan->arena, text);
	return note;
}

struct plan_note *
plan_note(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
	  const char *format, ...)
{
	struct plan_note *note;
	va_list args;

	va_start(args, format);
	note = add(plan, by, id, option, format, args);
	va_end(args);
	return note;
}

struct plan_note *
plan_gap(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
	 const char *format, ...)
{
	struct plan_note *note;
	va_list args;

	va_start(args, format);
	note = add(plan, by, id, option, format, args);
	va_end(args);
	if (note != NULL) {
		note->gap = true;
	}
	return note;
}

int
compile_nomem(struct compile *c)
{
	return bailey_fail(c->err, BAILEY_E_NOMEM, "no memory for the plan");
}
