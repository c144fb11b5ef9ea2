/* SPDX-License-Identifier: MIT */
/*
 * What the matched words of a command line do: the uses of options and their arguments, and the
 * operands against the pattern of the table.
 *
 * Invariant: behind an operand that may be several words or none, every slot of the pattern that
 * may be meant is applied, so what may be done is found.
 */
#include "command/match_impl.h"

#include <string.h>

#define SLOTS_MAX 8

/* Of the operands that may be where a command starts, so many are followed. */
#define GUESSES_MAX 4

struct slot {
	int use; /* enum deed or enum use */
	char letter;
	char suffix; /* * ? $ or 0 */
};

/* The pattern of operands, and which of its slots the next operand may be. */
struct slots {
	struct slot items[SLOTS_MAX];
	size_t count; /* without the slot of the last operand */
	struct slot last;
	bool has_last;
	size_t low, high;
	unsigned guesses; /* commands found where it was not certain that they start */
};

/* What the options make of the pattern. */
struct modes {
	const struct option_row *mode;
	unsigned flags; /* enum effect_flag for all operands */
	bool pattern;	/* USE_PATTERN */
	bool last;	/* USE_LAST */
	bool command;	/* USE_COMMAND without an argument */
};

static const struct {
	char letter;
	int use;
} letters[] = {
	{ '.', USE_NOTHING },	   { 'p', USE_NOTHING },    { 'f', DEED_READ },
	{ 'l', DEED_LIST },	   { 'w', DEED_WRITE },	    { 'a', DEED_APPEND },
	{ 'e', DEED_EDIT },	   { 'm', DEED_MAKE },	    { 'd', DEED_DELETE },
	{ 'D', DEED_DELETE_TREE }, { 'E', DEED_EMPTY },	    { 'v', DEED_MOVE },
	{ 'c', DEED_META },	   { 'C', DEED_META_TREE }, { 'x', DEED_EXECUTE },
	{ 's', DEED_SEND },	   { 'X', DEED_EXTRACT },   { 'h', USE_HOST },
	{ 'u', USE_UNKNOWN },	   { '!', USE_COMMAND },
};

/* ---- paths --------------------------------------------------------------------------------- */

const struct field *
match_join(struct arena *arena, const struct field *dir, const struct field *path)
{
	struct field *joined;
	struct field slash;

	if (dir == NULL || path->tilde || field_known_prefix(path) == 0 || path->text[0] == '/') {
		return path;
	}
	joined = arena_alloc(arena, sizeof(*joined));
	if (joined == NULL) {
		return path;
	}
	slash = field_static("/", path);
	slash = field_join(arena, dir, &slash);
	*joined = field_join(arena, &slash, path);
	joined->source = path->source;
	joined->span = path->span;
	return joined;
}

const struct field *
match_enter(struct arena *arena, const struct field *dir, const struct field *arg)
{
	return arg != NULL && arg->len > 0 ? match_join(arena, dir, arg) : dir;
}

const struct field *
match_path(const struct match *match, struct arena *arena, const struct field *path)
{
	return match_join(arena, match->dir, path);
}

/* ---- uses ---------------------------------------------------------------------------------- */

static const char *
via_of(const struct matcher *matcher)
{
	const struct program *program = matcher->levels[matcher->level_count - 1];
	size_t len = strcspn(program->names, " |");
	const char *name = program->names;

	/* The first name of most programs is the only one. */
	if (name[len] != '\0') {
		name = arena_strndup(matcher->arena, name, len);
	}
	return name != NULL ? name : program->names;
}

static void
apply_deed(struct matcher *matcher, enum deed deed, const struct field *target, unsigned flags)
{
	struct effect *effect;

	/* "-" is a standard stream to what reads. */
	if (target != NULL && (deed == DEED_READ || deed == DEED_LIST) && field_is(target, "-")) {
		return;
	}
	effect = find_deed(matcher->found, deed, target);
	effect->flags |= flags & 0xffff;
}

/* `arg` as code, a program or a file of code. false: it is none of these. */
static bool
apply_code(struct matcher *matcher, int use, enum language language, const struct field *arg)
{
	struct findings *found = matcher->found;
	const char *via = via_of(matcher);

	switch (use) {
	case USE_CODE:
		find_code(found, language, arg, 0, via);
		return true;
	case USE_CODE_FILE:
		if (arg != NULL && field_is(arg, "-")) {
			find_stdin(found, language, 0, via);
		} else {
			find_file(found, language, arg, 0, via);
		}
		return true;
	case USE_SHELL:
		find_code(found, LANG_SH, arg, 0, via);
		return true;
	case USE_PROGRAM:
		/* A helper may do more with what it is given than it would do alone. */
		find_code(found, LANG_SH, arg, INNER_SPLIT | INNER_PROMPT, via);
		return true;
	default:
		return false;
	}
}

static void
apply_output(struct matcher *matcher, const struct field *path, unsigned flags)
{
	if (path != NULL && !field_is(path, "-")) {
		apply_deed(matcher, DEED_WRITE, path, flags | EFFECT_FROM_OUTPUT);
	}
}

/* A command that an option names: its argument, with the words behind it when it takes the rest. */
static void
apply_command(struct matcher *matcher, const struct matched_option *option)
{
	const struct match *match = &matcher->match;
	bool rest = option->row->arity == ARG_REST;

	find_argv(matcher->found, option->arg,
		  rest ? (size_t)(match->argv + match->argc - option->arg) : 1, INNER_PROGRAM_ONLY,
		  via_of(matcher));
}

/* One option. `dir` is where its argument is relative to; `last` is the slot that USE_LAST means.
 */
static void
apply_option(struct matcher *matcher, const struct matched_option *option, const struct field *dir,
	     const struct slot *last)
{
	const struct option_row *row = option->row;
	const struct field *arg = option->arg;
	const struct field *path = arg != NULL ? match_join(matcher->arena, dir, arg) : NULL;
	struct findings *found = matcher->found;

	/* The argument is missing, and that was said. */
	if (arg == match_missing) {
		return;
	}
	found->flags |= row->flags >> 16;
	if (row->rule != NULL) {
		find_rule(found, row->rule, arg);
	}
	if (row->use > DEED_NONE && row->use < DEED_COUNT_) {
		apply_deed(matcher, (enum deed)row->use, path, row->flags);
	} else if (row->use == USE_PATTERN && row->operand > DEED_NONE) {
		apply_deed(matcher, (enum deed)row->operand, path, row->flags);
	} else if (row->use == USE_LAST && last->use > 0 && last->use < DEED_COUNT_) {
		apply_deed(matcher, (enum deed)last->use, path, row->flags);
	} else if (row->use == USE_STDOUT) {
		apply_output(matcher, path, row->flags);
	} else if (row->use == USE_HOST) {
		found->flags |= FIND_NETWORK;
	} else if (row->use == USE_UNKNOWN) {
		match_unknown(matcher, "option", option->word);
	} else if (row->use == USE_COMMAND && row->arity != ARG_NONE && arg != NULL) {
		apply_command(matcher, option);
	} else if (row->use >= USE_CODE && row->use <= USE_PROGRAM &&
		   (arg == NULL || !apply_code(matcher, row->use, row->language, arg))) {
		match_unknown(matcher, "option", option->word);
	}
}

static void
apply_operand_use(struct matcher *matcher, int use, size_t index, const struct field *path,
		  const struct modes *modes)
{
	const struct field *operand = &matcher->match.operands[index];

	if (use > DEED_NONE && use < DEED_COUNT_) {
		apply_deed(matcher, (enum deed)use, path, modes->flags);
	} else if (use == USE_HOST) {
		matcher->found->flags |= FIND_NETWORK;
	} else if (use == USE_UNKNOWN) {
		match_unknown(matcher, "operand", operand);
	} else if (use == USE_STDOUT) {
		apply_output(matcher, path, modes->flags);
	} else if (use == USE_COMMAND) {
		size_t at = match_operand_at(matcher, index);

		find_argv(matcher->found, &matcher->match.argv[at], matcher->match.argc - at,
			  INNER_PROGRAM_ONLY, via_of(matcher));
	} else {
		(void)apply_code(matcher, use,
				 modes->mode != NULL ? modes->mode->language : LANG_OTHER, operand);
	}
}

/* ---- the pattern --------------------------------------------------------------------------- */

static int
use_of_letter(char letter)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (letters[i].letter == letter) {
			return letters[i].use;
		}
	}
	return USE_UNKNOWN;
}

static struct modes
modes_of(const struct matcher *matcher)
{
	struct modes modes = { 0 };

	for (size_t i = 0; i < matcher->match.option_count; i++) {
		const struct option_row *row = matcher->options[i].row;

		switch (row->use) {
		case USE_MODE:
			modes.mode = row;
			modes.flags |= row->flags & 0xffff;
			break;
		case USE_NOTHING:
			modes.flags |= row->flags & 0xffff;
			break;
		case USE_PATTERN:
			modes.pattern = true;
			break;
		case USE_LAST:
			modes.last = true;
			break;
		case USE_COMMAND:
			modes.command |= row->arity == ARG_NONE;
			break;
		default:
			break;
		}
	}
	return modes;
}

static void
read_pattern(struct slots *slots, const char *pattern, const struct modes *modes)
{
	memset(slots, 0, sizeof(*slots));
	for (; pattern != NULL && *pattern != '\0'; pattern++) {
		struct slot slot = { .letter = *pattern, .use = use_of_letter(*pattern) };

		if (*pattern == ' ') {
			continue;
		}
		if (pattern[1] == '*' || pattern[1] == '?' || pattern[1] == '$') {
			slot.suffix = *++pattern;
		}
		if (modes->mode != NULL && strchr(".ph!", slot.letter) == NULL) {
			slot.use = modes->mode->operand;
		}
		if (slot.suffix == '$') {
			slots->last = slot;
			slots->has_last = true;
		} else if (slots->count < SLOTS_MAX) {
			slots->items[slots->count++] = slot;
		}
	}
	if (pattern == NULL && slots->count == 0) {
		slots->items[slots->count++] = (struct slot){
			.use = modes->mode != NULL ? modes->mode->operand : USE_NOTHING,
			.letter = '.',
			.suffix = '*',
		};
	}
	if (modes->pattern && slots->count > 0 && strchr(".p", slots->items[0].letter) != NULL &&
	    slots->items[0].suffix != '*') {
		slots->low = slots->high = 1;
	}
}

/* May this operand be several words, or none? */
static bool
is_many(const struct field *operand)
{
	return field_is_several(operand);
}

/* Applies the slots that the operand may be, and goes on to those of the next one. false: a
 * command starts here, and what follows is its own. */
static bool
apply_slots(struct matcher *matcher, struct slots *slots, size_t index, const struct field *path,
	    const struct modes *modes)
{
	const struct field *operand = &matcher->match.operands[index];
	uint64_t done = 0;

	if (slots->low >= slots->count) {
		match_unknown(matcher, "operand", operand);
		return true;
	}
	if (is_many(operand)) {
		slots->high = slots->count - 1;
	}
	for (size_t i = slots->low; i <= slots->high && i < slots->count; i++) {
		int use = slots->items[i].use;
		bool command = use == USE_COMMAND;

		if ((done & (UINT64_C(1) << use)) != 0 ||
		    (command && slots->guesses >= GUESSES_MAX)) {
			continue;
		}
		done |= UINT64_C(1) << use;
		apply_operand_use(matcher, use, index, path, modes);
		if (command && i == slots->low && !is_many(operand)) {
			return false;
		}
		if (command) {
			slots->guesses++;
			find_unknown(matcher->found, "where the command starts", operand);
		}
	}
	if (is_many(operand)) {
		return true;
	}
	slots->low += slots->items[slots->low].suffix != '*' ? 1 : 0;
	if (slots->high < slots->count && slots->items[slots->high].suffix != '*') {
		slots->high++;
	}
	slots->high = slots->high < slots->low ? slots->low : slots->high;
	return true;
}

/* The directory that operand `index` is relative to. `next` goes over the options. */
static const struct field *
dir_before(const struct matcher *matcher, size_t at, size_t *next, const struct field *dir)
{
	for (; *next < matcher->match.option_count; (*next)++) {
		const struct matched_option *option = &matcher->options[*next];

		if ((size_t)(option->word - matcher->match.argv) > at) {
			break;
		}
		if (option->row->use == USE_DIR) {
			dir = match_enter(matcher->arena, dir, option->arg);
		}
	}
	return dir;
}

static void
apply_operands(struct matcher *matcher, struct slots *slots, const struct modes *modes)
{
	const struct match *match = &matcher->match;
	size_t count = match->operand_count;
	size_t commands = modes->command ? matcher->command_after : SIZE_MAX;
	bool with_last = slots->has_last && !modes->last && count > 0;
	const struct field *dir = NULL;
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const struct field *operand = &match->operands[i];
		const struct field *path;

		if (slots->count > 0 && match_operand_at(matcher, i) >= matcher->uncertain_at) {
			slots->high = slots->count - 1;
		}
		dir = match->dir != NULL
			      ? dir_before(matcher, match_operand_at(matcher, i), &next, dir)
			      : NULL;
		path = match_join(matcher->arena, dir, operand);
		if (i == commands) {
			apply_operand_use(matcher, USE_COMMAND, i, path, modes);
			return;
		}
		if (with_last && i + 1 == count) {
			apply_operand_use(matcher, slots->last.use, i, path, modes);
			if (!is_many(operand) && !match->uncertain) {
				return;
			}
		}
		if (!apply_slots(matcher, slots, i, path, modes)) {
			return;
		}
	}
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* NAME=VALUE arguments of options, for whatever is run. */
static void
apply_assignments(struct matcher *matcher)
{
	const struct field **list;
	size_t count = 0;

	for (size_t i = 0; i < matcher->match.option_count; i++) {
		count += matcher->options[i].row->use == USE_ASSIGN ? 1 : 0;
	}
	if (count == 0 || matcher->found->inners == NULL) {
		return;
	}
	list = arena_array(matcher->arena, count + 1, sizeof(*list));
	if (list == NULL) {
		return;
	}
	count = 0;
	for (size_t i = 0; i < matcher->match.option_count; i++) {
		if (matcher->options[i].row->use == USE_ASSIGN && matcher->options[i].arg != NULL) {
			list[count++] = matcher->options[i].arg;
		}
	}
	for (struct inner *inner = matcher->found->inners; inner != NULL; inner = inner->next) {
		inner->assignments = list;
	}
}

/* Of a run on trial only what is looked at remains, and what it takes to look. */
static void
apply_dry(struct findings *found)
{
	for (struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		if (effect->deed != DEED_NONE && effect->deed != DEED_SEND) {
			effect->deed = DEED_LIST;
			effect->flags &= EFFECT_REMOTE;
		}
		if (effect->rule != NULL && (effect->rule->kind == BAILEY_EFFECT_WRITES ||
					     effect->rule->kind == BAILEY_EFFECT_DELETES ||
					     effect->rule->kind == BAILEY_EFFECT_PROCESS ||
					     effect->rule->kind == BAILEY_EFFECT_SYSTEM)) {
			effect->rule = NULL;
		}
	}
}

static void
apply_table(struct matcher *matcher)
{
	const struct match *match = &matcher->match;
	const struct field *dir = NULL;
	struct modes modes = modes_of(matcher);
	struct slots slots;

	read_pattern(&slots, matcher->levels[0]->operands, &modes);
	for (size_t level = 0; level < matcher->level_count; level++) {
		matcher->found->flags |= matcher->levels[level]->finds;
		if (matcher->levels[level]->rule != NULL) {
			find_rule(matcher->found, matcher->levels[level]->rule, NULL);
		}
	}
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		apply_option(matcher, option, dir, &slots.last);
		if (option->row->use == USE_DIR) {
			dir = match_enter(matcher->arena, dir, option->arg);
		}
	}
	apply_operands(matcher, &slots, &modes);
	apply_assignments(matcher);
}

void
match_apply(struct matcher *matcher)
{
	struct match *match = &matcher->match;

	if (match->help) {
		matcher->found->flags |= FIND_IGNORES_INPUT;
		return;
	}
	apply_table(matcher);
	for (size_t level = 0; level < matcher->level_count; level++) {
		if (matcher->levels[level]->refine != NULL) {
			matcher->levels[level]->refine(match, matcher->found);
		}
	}
	if (match->dry) {
		apply_dry(matcher->found);
	}
}
