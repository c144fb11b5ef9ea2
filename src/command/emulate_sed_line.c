/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: which lines a sed command is for, and what s and y make of them.
 */

#include "command/emulate_sed.h"

/* ---- addresses ---------------------------------------------------------------------------- */

/* 1, 0, or -1 for not known. */
static int
search(struct sed *sed, const struct emulate_regex *regex)
{
	struct emulate_match match;

	if (regex == NULL) {
		return -1;
	}
	return emulate_search(regex, sed->pattern.text.text, sed->pattern.text.len, 0, &sed->steps,
			      &match);
}

static int
address_matches(struct sed *sed, const struct sed_address *address,
		const struct emulate_regex *regex)
{
	switch (address->kind) {
	case SED_LINE:
		return sed->line == address->number;
	case SED_STEP:
		if (address->step == 0) {
			return sed->line == address->number;
		}
		return sed->line >= address->number &&
		       (sed->line - address->number) % address->step == 0;
	case SED_LAST:
		return sed_at_end(sed);
	case SED_REGEX:
		return search(sed, regex);
	case SED_NONE:
	case SED_PLUS:
	case SED_MULTIPLE:
	default:
		return -1;
	}
}

/* The line that ends a range that starts here, UINT64_MAX when that is not told by its number. */
static uint64_t
range_end(const struct sed *sed, const struct sed_address *address)
{
	switch (address->kind) {
	case SED_LINE:
		return address->number;
	case SED_PLUS:
		return sed->line + address->number;
	case SED_MULTIPLE:
		if (address->number == 0 || sed->line % address->number == 0) {
			return sed->line;
		}
		return sed->line + address->number - sed->line % address->number;
	case SED_NONE:
	case SED_STEP:
	case SED_LAST:
	case SED_REGEX:
	default:
		return UINT64_MAX;
	}
}

static int
inside_range(struct sed *sed, const struct sed_command *command, struct command_state *state)
{
	int ends;

	if (state->end != UINT64_MAX) {
		if (sed->line >= state->end) {
			state->range = RANGE_CLOSED;
		}
		return sed->line <= state->end ? 1 : -1;
	}
	ends = address_matches(sed, &command->second, state->second);
	if (ends == 1) {
		state->range = RANGE_CLOSED;
	}
	return ends < 0 ? -1 : 1;
}

static int
range_matches(struct sed *sed, const struct sed_command *command, struct command_state *state)
{
	bool numbered = command->first.kind == SED_LINE;
	int starts;

	if (state->range == RANGE_INSIDE) {
		return inside_range(sed, command, state);
	}
	if (state->range == RANGE_CLOSED && numbered) {
		return 0;
	}
	if (numbered && command->first.number == 0) {
		state->range = RANGE_INSIDE;
		state->end = UINT64_MAX;
		return inside_range(sed, command, state);
	}
	if (numbered && sed->line > command->first.number) {
		return -1; /* that line was read by n or N */
	}
	starts = address_matches(sed, &command->first, state->first);
	if (starts != 1) {
		return starts;
	}
	state->end = range_end(sed, &command->second);
	state->range = state->end <= sed->line ? RANGE_CLOSED : RANGE_INSIDE;
	if (command->second.kind == SED_LAST && sed_at_end(sed)) {
		state->range = RANGE_CLOSED;
	}
	return 1;
}

int
sed_is_selected(struct sed *sed, size_t index)
{
	const struct sed_command *command = &sed->program->commands[index];
	struct command_state *state = &sed->states[index];
	int selected = 1;

	if (command->second.kind != SED_NONE) {
		selected = range_matches(sed, command, state);
	} else if (command->first.kind != SED_NONE) {
		selected = address_matches(sed, &command->first, state->first);
	}
	return selected < 0 ? -1 : selected ^ command->negated;
}

/* ---- s and y ------------------------------------------------------------------------------ */

/* Adds the replacement of one match. false: it has a part that is not done here. */
static bool
put_replacement(struct sed *sed, const struct sed_command *command,
		const struct emulate_match *match, struct emulate_out *out)
{
	const char *text = sed->program->text;
	size_t end = command->other.to;
	size_t i = command->other.from;

	while (i < end) {
		char c = text[i++];
		int group = -1;

		if (c == '&') {
			group = 0;
		} else if (c == '\\' && i < end) {
			int escape = sed_escape(text, end, &i);

			c = escape >= 0 ? (char)escape : text[i++];
			group = escape < 0 && c >= '0' && c <= '9' ? c - '0' : -1;
			if (escape < 0 && strchr("LUElucadox", c) != NULL) {
				return false;
			}
		}
		if (group < 0) {
			emulate_put_byte(out, c);
		} else {
			emulate_put(out, sed->pattern.text.text + match->from[group],
				    match->to[group] - match->from[group]);
		}
	}
	return true;
}

static void
swap_scratch(struct sed *sed)
{
	struct emulate_out swap = sed->pattern.text;

	sed->pattern.text = sed->scratch;
	sed->scratch = swap;
	sed->scratch.len = 0;
}

/* One match: what becomes of it. *count is its number. 1: it was replaced, 0: it was not, -1: the
 * replacement is not done here. */
static int
replace_match(struct sed *sed, const struct sed_command *command, const struct emulate_match *match,
	      uint64_t *count)
{
	if (++*count < (command->has_number ? command->number : 1)) {
		emulate_put(&sed->scratch, sed->pattern.text.text + match->from[0],
			    match->to[0] - match->from[0]);
		return 0;
	}
	return put_replacement(sed, command, match, &sed->scratch) ? 1 : -1;
}

/* 1: something was replaced, 0: nothing, -1: not known. The result is in the scratch. */
static int
replace_matches(struct sed *sed, const struct sed_command *command,
		const struct emulate_regex *regex)
{
	const struct emulate_out *from = &sed->pattern.text;
	struct emulate_match match;
	uint64_t count = 0;
	size_t at = 0;
	size_t last = SIZE_MAX; /* the end of the match before: an empty one may not start there */
	int done = 0;

	while (at <= from->len && !sed->scratch.over && (done == 0 || command->global)) {
		int found = emulate_search(regex, from->text, from->len, at, &sed->steps, &match);

		if (found == 0) {
			break;
		}
		if (found == 1) {
			emulate_put(&sed->scratch, from->text + at, match.from[0] - at);
		}
		if (found == 1 && (match.to[0] > match.from[0] || match.from[0] != last)) {
			found = replace_match(sed, command, &match, &count);
			done |= found;
		}
		if (found < 0) {
			return -1;
		}
		at = last = match.to[0];
		if (match.to[0] == match.from[0] && (done == 0 || command->global)) {
			emulate_put(&sed->scratch, at < from->len ? from->text + at : "",
				    at < from->len);
			at++;
		}
	}
	if (at < from->len) {
		emulate_put(&sed->scratch, from->text + at, from->len - at);
	}
	return done;
}

enum step
sed_substitute(struct sed *sed, const struct sed_command *command)
{
	const struct emulate_regex *regex = sed->states[command - sed->program->commands].regex;
	int done;

	if (regex == NULL || command->file.to > command->file.from ||
	    (command->has_number && command->number == 0)) {
		return STEP_UNKNOWN;
	}
	done = replace_matches(sed, command, regex);
	if (done < 0) {
		return STEP_UNKNOWN;
	}
	if (done == 0) {
		sed->scratch.len = 0;
		return STEP_NEXT;
	}
	swap_scratch(sed);
	sed->replaced = true;
	if (command->print) {
		sed_print_pattern(sed);
	}
	return STEP_NEXT;
}

/* The next character of a list of y, or -1. */
static int
translate_char(const struct sed *sed, const struct sed_command *command, size_t end, size_t *at)
{
	const char *text = sed->program->text;
	char c = text[(*at)++];

	if (c != '\\' || *at >= end) {
		return c < 0 ? -1 : c;
	}
	c = text[(*at)++];
	if (c == 'n') {
		return '\n';
	}
	return c == '\\' || c == command->delimiter ? c : -1;
}

enum step
sed_translate(struct sed *sed, const struct sed_command *command)
{
	char map[128];
	size_t from = command->range.from;
	size_t to = command->other.from;
	size_t i;

	memset(map, 0, sizeof(map));
	while (from < command->range.to && to < command->other.to) {
		int a = translate_char(sed, command, command->range.to, &from);
		int b = translate_char(sed, command, command->other.to, &to);

		if (a <= 0 || b <= 0) {
			return STEP_UNKNOWN;
		}
		map[a] = map[a] == 0 ? (char)b : map[a];
	}
	if (from != command->range.to || to != command->other.to) {
		return STEP_UNKNOWN;
	}
	for (i = 0; i < sed->pattern.text.len; i++) {
		char *c = &sed->pattern.text.text[i];

		*c = map[*c & 127] != 0 ? map[*c & 127] : *c;
	}
	return STEP_NEXT;
}
