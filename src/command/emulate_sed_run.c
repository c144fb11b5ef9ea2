/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: running sed programs that only print, on input that is known.
 *
 * Invariants:
 *   - a command or an address that is not done exactly ends the run: the output is unknown then
 *   - the number of steps is bounded, whatever loops the program has
 */

#include "base/strbuf.h"
#include "command/emulate_sed.h"

#define STEPS_MAX ((size_t)1 << 18)
#define COMMANDS_MAX 256

/* ---- lines -------------------------------------------------------------------------------- */

static void
read_line(struct sed *sed)
{
	size_t end = emulate_line_end(&sed->input, sed->at);

	sed->pattern.newline = sed->input.text[end - 1] == '\n';
	emulate_put(&sed->pattern.text, sed->input.text + sed->at,
		    end - sed->at - sed->pattern.newline);
	sed->at = end;
	sed->line++;
}

void
sed_print_text(struct sed *sed, const char *text, size_t len, bool newline)
{
	if (sed->missing) {
		emulate_put_byte(sed->out, '\n');
	}
	emulate_put(sed->out, text, len);
	sed->missing = !newline;
	if (newline) {
		emulate_put_byte(sed->out, '\n');
	}
}

void
sed_print_pattern(struct sed *sed)
{
	sed_print_text(sed, sed->pattern.text.text, sed->pattern.text.len, sed->pattern.newline);
}

static void
end_cycle(struct sed *sed, bool print)
{
	if (print && !sed->quiet) {
		sed_print_pattern(sed);
	}
	if (sed->later.len > 0) {
		if (sed->missing) {
			emulate_put_byte(sed->out, '\n');
			sed->missing = false;
		}
		emulate_put(sed->out, sed->later.text, sed->later.len);
		sed->later.len = 0;
	}
}

/* ---- other commands ----------------------------------------------------------------------- */

static void
copy_space(struct space *to, const struct space *from, bool append)
{
	to->newline = from->newline;
	if (append) {
		emulate_put_byte(&to->text, '\n');
	} else {
		to->text.len = 0;
	}
	emulate_put(&to->text, from->text.text, from->text.len);
}

static void
exchange_spaces(struct sed *sed)
{
	struct space swap = sed->pattern;

	sed->pattern = sed->hold;
	sed->hold = swap;
}

/* a, i and c of one line without escapes. */
static enum step
do_text(struct sed *sed, const struct sed_command *command)
{
	const char *text = sed->program->text + command->range.from;
	size_t len = command->range.to - command->range.from;

	if (memchr(text, '\\', len) != NULL ||
	    (command->name == 'c' && (command->second.kind != SED_NONE || command->negated))) {
		return STEP_UNKNOWN;
	}
	if (command->name == 'a') {
		emulate_put(&sed->later, text, len);
		emulate_put_byte(&sed->later, '\n');
		return STEP_NEXT;
	}
	sed_print_text(sed, text, len, true);
	return command->name == 'i' ? STEP_NEXT : STEP_DELETE;
}

static enum step
do_next(struct sed *sed, bool append)
{
	if (sed_at_end(sed)) {
		return STEP_LAST; /* GNU sed prints the pattern space then */
	}
	if (append) {
		emulate_put_byte(&sed->pattern.text, '\n');
		end_cycle(sed, false);
	} else {
		end_cycle(sed, true);
		sed->pattern.text.len = 0;
	}
	read_line(sed);
	return STEP_NEXT;
}

static enum step
do_print_first(struct sed *sed)
{
	const struct emulate_out *text = &sed->pattern.text;
	const char *end = text->len == 0 ? NULL : memchr(text->text, '\n', text->len);

	if (end == NULL) {
		sed_print_pattern(sed);
	} else {
		sed_print_text(sed, text->text, (size_t)(end - text->text), true);
	}
	return STEP_NEXT;
}

static enum step
do_delete_first(struct sed *sed)
{
	struct emulate_out *text = &sed->pattern.text;
	const char *end = text->len == 0 ? NULL : memchr(text->text, '\n', text->len);
	size_t rest;

	if (end == NULL) {
		return STEP_DELETE;
	}
	rest = text->len - (size_t)(end + 1 - text->text);
	memmove(text->text, end + 1, rest);
	text->len = rest;
	return STEP_AGAIN;
}

/* The command behind a label, or the end. SIZE_MAX: there is no such label. */
static size_t
find_label(const struct sed *sed, struct sed_range label)
{
	const struct sed_program *program = sed->program;
	size_t len = label.to - label.from;
	size_t i;

	if (len == 0) {
		return program->count;
	}
	for (i = 0; i < program->count; i++) {
		const struct sed_range *other = &program->commands[i].range;

		if (program->commands[i].name == ':' && other->to - other->from == len &&
		    memcmp(program->text + other->from, program->text + label.from, len) == 0) {
			return i + 1;
		}
	}
	return SIZE_MAX;
}

static enum step
do_branch(struct sed *sed, const struct sed_command *command)
{
	bool jumps = command->name == 'b' || sed->replaced == (command->name == 't');

	if (command->name != 'b') {
		sed->replaced = false;
	}
	if (jumps) {
		sed->next = find_label(sed, command->range);
	}
	return sed->next == SIZE_MAX ? STEP_UNKNOWN : STEP_NEXT;
}

static enum step
do_number(struct sed *sed)
{
	if (sed->missing) {
		emulate_put_byte(sed->out, '\n');
		sed->missing = false;
	}
	emulate_put_number(sed->out, (int64_t)sed->line);
	emulate_put_byte(sed->out, '\n');
	return STEP_NEXT;
}

static enum step
do_space(struct sed *sed, char name)
{
	switch (name) {
	case 'g':
	case 'G':
		copy_space(&sed->pattern, &sed->hold, name == 'G');
		break;
	case 'h':
	case 'H':
		copy_space(&sed->hold, &sed->pattern, name == 'H');
		break;
	case 'x':
		exchange_spaces(sed);
		break;
	case 'z':
		sed->pattern.text.len = 0;
		break;
	default:
		sed_print_pattern(sed);
		break;
	}
	return STEP_NEXT;
}

static enum step
do_command(struct sed *sed, const struct sed_command *command)
{
	switch (command->name) {
	case 's':
		return sed_substitute(sed, command);
	case 'y':
		return sed_translate(sed, command);
	case 'a':
	case 'i':
	case 'c':
		return do_text(sed, command);
	case 'b':
	case 't':
	case 'T':
		return do_branch(sed, command);
	case 'n':
	case 'N':
		return do_next(sed, command->name == 'N');
	case 'd':
		return STEP_DELETE;
	case 'D':
		return do_delete_first(sed);
	case 'P':
		return do_print_first(sed);
	case '=':
		return do_number(sed);
	case 'q':
		return STEP_QUIT;
	case '{':
	case '}':
	case ':':
	case '#':
		return STEP_NEXT;
	default:
		return strchr("gGhHxzp", command->name) == NULL ? STEP_UNKNOWN
								: do_space(sed, command->name);
	}
}

/* ---- the program -------------------------------------------------------------------------- */

static enum step
run_cycle(struct sed *sed)
{
	const struct sed_program *program = sed->program;

	sed->next = 0;
	while (sed->next < program->count) {
		size_t index = sed->next++;
		const struct sed_command *command = &program->commands[index];
		int selected = sed_is_selected(sed, index);
		enum step step = STEP_NEXT;

		if (selected < 0 || sed->steps == 0 || sed->out->over) {
			return STEP_UNKNOWN;
		}
		sed->steps--;
		if (selected == 1) {
			step = do_command(sed, command);
		} else if (command->name == '{') {
			sed->next = command->partner + 1;
		}
		if (step != STEP_NEXT) {
			return step;
		}
		if (sed->pattern.text.over || sed->hold.text.over || sed->scratch.over ||
		    sed->later.over) {
			return STEP_UNKNOWN;
		}
	}
	return STEP_END;
}

static bool
run(struct sed *sed)
{
	enum step step = STEP_END;

	while (!sed_at_end(sed) || step == STEP_AGAIN) {
		if (step != STEP_AGAIN) {
			sed->pattern.text.len = 0;
			sed->replaced = false;
			read_line(sed);
		}
		step = run_cycle(sed);
		if (step == STEP_UNKNOWN) {
			return false;
		}
		end_cycle(sed, step == STEP_END || step == STEP_QUIT || step == STEP_LAST);
		if (step == STEP_QUIT && sed->missing) {
			emulate_put_byte(sed->out, '\n');
		}
		if (step == STEP_QUIT || step == STEP_LAST) {
			break;
		}
	}
	return true;
}

static struct emulate_regex *
compile(struct sed *sed, const struct sed_address *address)
{
	if (address->kind != SED_REGEX || address->lines) {
		return NULL;
	}
	return emulate_regex(sed->arena, sed->program->text + address->regex.from,
			     address->regex.to - address->regex.from, sed->extended,
			     address->nocase);
}

/* A delimiter that means something in a regex does not when it is escaped, or does: not done. */
static bool
is_special_delimiter(char c)
{
	return c != '\0' && strchr(".*[]^$+?(){}|&0123456789", c) != NULL;
}

/* Has the regex all groups that the replacement names? */
static bool
groups_are_there(const struct sed *sed, const struct sed_command *command,
		 const struct emulate_regex *regex)
{
	size_t i;

	for (i = command->other.from; i + 1 < command->other.to; i++) {
		char c = sed->program->text[i + 1];

		if (sed->program->text[i] != '\\') {
			continue;
		}
		if (c >= '1' && c <= '9' && (unsigned)(c - '0') > emulate_regex_groups(regex)) {
			return false;
		}
		i++;
	}
	return true;
}

static bool
prepare_substitute(struct sed *sed, const struct sed_command *command, struct command_state *state)
{
	if (command->lines) {
		return true;
	}
	state->regex = emulate_regex(sed->arena, sed->program->text + command->range.from,
				     command->range.to - command->range.from, sed->extended,
				     command->nocase);
	return state->regex == NULL || groups_are_there(sed, command, state->regex);
}

static bool
prepare(struct sed *sed)
{
	size_t i;

	sed->states = arena_array(sed->arena, sed->program->count, sizeof(*sed->states));
	if (sed->states == NULL || sed->program->count > COMMANDS_MAX) {
		return false;
	}
	for (i = 0; i < sed->program->count; i++) {
		const struct sed_command *command = &sed->program->commands[i];

		sed->states[i].first = compile(sed, &command->first);
		sed->states[i].second = compile(sed, &command->second);
		if (is_special_delimiter(command->delimiter) ||
		    is_special_delimiter(command->first.delimiter) ||
		    is_special_delimiter(command->second.delimiter)) {
			return false;
		}
		if (command->name == 's' && !prepare_substitute(sed, command, &sed->states[i])) {
			return false;
		}
		if (command->name == '{' && command->partner >= sed->program->count) {
			return false;
		}
	}
	return true;
}

bool
emulate_sed_program(struct emulate_out *out, const struct sed_program *program,
		    const struct emulate_text *input, bool quiet, bool extended)
{
	struct emulate_out empty = { .arena = out->arena, .shell = out->shell };
	struct sed sed = {
		.arena = out->arena,
		.shell = out->shell,
		.program = program,
		.quiet = quiet || program->quiet,
		.extended = extended,
		.input = *input,
		.out = out,
		.steps = STEPS_MAX,
	};

	empty.text = strbuf_empty;
	sed.pattern.text = sed.hold.text = sed.scratch = sed.later = empty;
	sed.pattern.newline = sed.hold.newline = true;
	if (!emulate_is_known(input) || !emulate_is_ascii(input->text, input->len) ||
	    !prepare(&sed)) {
		return false;
	}
	return run(&sed) && !out->over &&
	       (out->shell == NULL || shell_spend(out->shell, STEPS_MAX - sed.steps));
}
