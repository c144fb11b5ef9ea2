/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: reading sed programs.
 *
 * Invariants:
 *   - one pass, no recursion: braces are kept on a chain of indices
 *   - what is not certain ends the reading
 */

#include "base/text.h"
#include "command/code_sed.h"

#include <string.h>

#define NO_COMMAND SIZE_MAX

struct reader {
	struct arena *arena;
	const char *text;
	size_t len;
	size_t at;
	size_t open; /* the innermost { that is not closed, or NO_COMMAND; its `partner` is the
		      * next one outwards as long as it is open */
	bool brackets;
	struct sed_program *program;
};

static bool
is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* The byte at the reader, or -1 at the end. */
static int
peek(const struct reader *r)
{
	return r->at < r->len ? (unsigned char)r->text[r->at] : -1;
}

static int
skip_blanks(struct reader *r)
{
	while (peek(r) == ' ' || peek(r) == '\t') {
		r->at++;
	}
	return peek(r);
}

static int
skip_spaces(struct reader *r)
{
	while (peek(r) != -1 && strchr(" \t\n\v\f;", peek(r)) != NULL && peek(r) != 0) {
		r->at++;
	}
	return peek(r);
}

static struct sed_range
to_end_of_line(struct reader *r)
{
	struct sed_range range = { .from = r->at, .to = r->at };
	const char *end = memchr(r->text + r->at, '\n', r->len - r->at);

	range.to = end == NULL ? r->len : (size_t)(end - r->text);
	r->at = range.to;
	return range;
}

static bool
read_number(struct reader *r, uint64_t *number)
{
	uint64_t value = 0;
	size_t start = r->at;

	while (is_digit(peek(r)) && r->at - start < 18) {
		value = value * 10 + (uint64_t)(peek(r) - '0');
		r->at++;
	}
	*number = value;
	return r->at > start && !is_digit(peek(r));
}

/* ---- regexes ------------------------------------------------------------------------------ */

/* The end of a [:class:], [.x.] or [=x=] whose inner [ is at `at`; 0 when it has none. */
static size_t
class_end(const struct reader *r, size_t at)
{
	char kind = at + 1 < r->len ? r->text[at + 1] : '\0';
	size_t i;

	if (kind != ':' && kind != '.' && kind != '=') {
		return at + 1;
	}
	for (i = at + 2; i + 1 < r->len && r->text[i] != '\n'; i++) {
		if (r->text[i] == kind && r->text[i + 1] == ']') {
			return i + 2;
		}
	}
	return 0;
}

/* Goes over the bracket expression at the reader. */
static bool
skip_bracket(struct reader *r, char delimiter)
{
	size_t i = r->at + 1;
	size_t first;

	if (i < r->len && r->text[i] == '^') {
		i++;
	}
	first = i;
	while (i < r->len && r->text[i] != '\n' && (r->text[i] != ']' || i == first)) {
		if (r->text[i] == delimiter) {
			r->program->bracketed = true;
			i++;
		} else if (r->text[i] == '[') {
			i = class_end(r, i);
		} else if (r->text[i] == '\\' && i + 1 < r->len && r->text[i + 1] == delimiter) {
			i += 2;
		} else {
			i++;
		}
		if (i == 0) {
			return false;
		}
	}
	r->at = i + 1;
	return i < r->len && r->text[i] == ']';
}

/* The text up to the delimiter; the reader goes behind that. */
static bool
read_part(struct reader *r, char delimiter, bool regex, struct sed_range *range)
{
	range->from = r->at;
	while (peek(r) != -1) {
		char c = r->text[r->at];

		if (c == delimiter) {
			range->to = r->at;
			r->at++;
			return true;
		}
		if (c == '\n') {
			return false;
		}
		if (c == '\\') {
			r->at += 2;
		} else if (c == '[' && regex && r->brackets) {
			if (!skip_bracket(r, delimiter)) {
				return false;
			}
		} else {
			r->at++;
		}
	}
	return false;
}

/* A delimiter that every sed takes in the same way. */
static bool
read_delimiter(struct reader *r, char *delimiter)
{
	int c = peek(r);

	if (c <= ' ' || c >= 0x7f || c == '\\') {
		return false;
	}
	*delimiter = (char)c;
	r->at++;
	return true;
}

/* ---- addresses ---------------------------------------------------------------------------- */

static bool
read_regex_address(struct reader *r, struct sed_address *address)
{
	if (peek(r) == '\\') {
		r->at++;
	}
	if (!read_delimiter(r, &address->delimiter) ||
	    !read_part(r, address->delimiter, true, &address->regex)) {
		return false;
	}
	address->kind = SED_REGEX;
	for (;; r->at++) {
		int c = skip_blanks(r);

		if (c == 'I') {
			address->nocase = true;
		} else if (c == 'M') {
			address->lines = true;
		} else {
			return true;
		}
	}
}

static bool
read_line_address(struct reader *r, struct sed_address *address)
{
	address->kind = SED_LINE;
	if (!read_number(r, &address->number)) {
		return false;
	}
	if (skip_blanks(r) != '~') {
		return true;
	}
	r->at++;
	skip_blanks(r);
	address->kind = SED_STEP;
	return read_number(r, &address->step);
}

/* *address stays SED_NONE when there is none. */
static bool
read_address(struct reader *r, struct sed_address *address, bool second)
{
	int c = peek(r);

	if (c == '/' || c == '\\') {
		return read_regex_address(r, address);
	}
	if (is_digit(c)) {
		return read_line_address(r, address);
	}
	if (c == '$') {
		r->at++;
		address->kind = SED_LAST;
		return true;
	}
	if (c == '+' || c == '~') {
		r->at++;
		skip_blanks(r);
		address->kind = c == '+' ? SED_PLUS : SED_MULTIPLE;
		return second && read_number(r, &address->number);
	}
	return true;
}

static bool
read_addresses(struct reader *r, struct sed_command *command)
{
	bool zero;

	if (!read_address(r, &command->first, false)) {
		return false;
	}
	if (command->first.kind != SED_NONE && skip_blanks(r) == ',') {
		r->at++;
		skip_blanks(r);
		if (!read_address(r, &command->second, true) || command->second.kind == SED_NONE) {
			return false;
		}
	}
	if (skip_blanks(r) == '!') {
		command->negated = true;
		r->at++;
		skip_blanks(r);
	}
	zero = command->first.kind == SED_LINE && command->first.number == 0;
	return !zero || command->second.kind == SED_REGEX;
}

/* ---- commands ----------------------------------------------------------------------------- */

/* Nothing but the end of the command is here. */
static bool
read_end(struct reader *r)
{
	int c = skip_blanks(r);

	if (c == ';' || c == '\n') {
		r->at++;
		return true;
	}
	return c == -1 || c == '}' || c == '#';
}

static bool
read_number_argument(struct reader *r, struct sed_command *command)
{
	if (is_digit(skip_blanks(r))) {
		command->has_number = true;
		if (!read_number(r, &command->number)) {
			return false;
		}
	}
	return read_end(r);
}

static bool
read_file(struct reader *r, struct sed_command *command)
{
	skip_blanks(r);
	command->range = to_end_of_line(r);
	return command->range.to > command->range.from;
}

/* Labels end at a blank or a semicolon, and what is right behind them is read as a command by some
 * seds and as part of the label by others: there may be none. */
static bool
read_label(struct reader *r, struct sed_command *command)
{
	skip_blanks(r);
	command->range.from = r->at;
	while (peek(r) > 0 && strchr(" \t\n\r\v\f;}#", peek(r)) == NULL) {
		r->at++;
	}
	command->range.to = r->at;
	if (peek(r) == '#' || (command->name == ':' && command->range.to == command->range.from)) {
		return false;
	}
	return read_end(r);
}

/* The text of a, c, i and e: to the end of the line, and on behind a backslash. */
static bool
read_text(struct reader *r, struct sed_command *command)
{
	if (skip_blanks(r) == '\\') {
		r->at++;
		skip_blanks(r);
		if (peek(r) == '\n') {
			r->at++;
		}
	}
	command->range.from = r->at;
	while (peek(r) != -1 && peek(r) != '\n') {
		r->at += peek(r) == '\\' && r->at + 1 < r->len ? 2 : 1;
	}
	command->range.to = r->at;
	return true;
}

static bool
read_needed_text(struct reader *r, struct sed_command *command)
{
	return skip_blanks(r) != -1 && read_text(r, command);
}

static bool
read_execute(struct reader *r, struct sed_command *command)
{
	int c = skip_blanks(r);

	if (c == -1 || c == '\n') {
		command->range.from = command->range.to = r->at;
		return true;
	}
	return read_text(r, command);
}

static bool
read_flag(struct reader *r, struct sed_command *command, int flag)
{
	switch (flag) {
	case 'i':
	case 'I':
		command->nocase = true;
		return true;
	case 'm':
	case 'M':
		command->lines = true;
		return true;
	case 'e':
		command->eval = true;
		return true;
	case 'p':
		command->print = true;
		return true;
	case 'g':
		command->global = true;
		return true;
	case 'w':
		skip_blanks(r);
		command->file = to_end_of_line(r);
		return command->file.to > command->file.from;
	default:
		return false;
	}
}

static bool
read_flags(struct reader *r, struct sed_command *command)
{
	for (;;) {
		int c = skip_blanks(r);

		if (c == -1 || c == ';' || c == '\n' || c == '}' || c == '#') {
			return read_end(r);
		}
		if (is_digit(c)) {
			if (command->has_number || !read_number(r, &command->number)) {
				return false;
			}
			command->has_number = true;
			continue;
		}
		r->at++;
		if (!read_flag(r, command, c)) {
			return false;
		}
	}
}

static bool
read_substitute(struct reader *r, struct sed_command *command)
{
	return read_delimiter(r, &command->delimiter) &&
	       read_part(r, command->delimiter, true, &command->range) &&
	       read_part(r, command->delimiter, false, &command->other) && read_flags(r, command);
}

static bool
read_translate(struct reader *r, struct sed_command *command)
{
	return read_delimiter(r, &command->delimiter) &&
	       read_part(r, command->delimiter, false, &command->range) &&
	       read_part(r, command->delimiter, false, &command->other) && read_end(r);
}

static bool
read_open(struct reader *r, struct sed_command *command)
{
	command->partner = r->open;
	r->open = r->program->count - 1;
	return true;
}

static bool
read_close(struct reader *r, struct sed_command *command)
{
	struct sed_command *open;

	if (r->open == NO_COMMAND || command->first.kind != SED_NONE) {
		return false;
	}
	open = &r->program->commands[r->open];
	command->partner = r->open;
	r->open = open->partner;
	open->partner = r->program->count - 1;
	return read_end(r);
}

static bool
read_plain(struct reader *r, struct sed_command *command)
{
	(void)command;
	return read_end(r);
}

static bool
read_comment(struct reader *r, struct sed_command *command)
{
	struct sed_range range = to_end_of_line(r);

	if (range.from == 1 && range.to == 2 && r->text[1] == 'n') {
		r->program->quiet = true;
	}
	return command->first.kind == SED_NONE;
}

static const struct {
	const char *names;
	bool (*read)(struct reader *r, struct sed_command *command);
} command_kinds[] = {
	{ "=dDFgGhHnNpPxz", read_plain },
	{ "s", read_substitute },
	{ "{", read_open },
	{ "}", read_close },
	{ "#", read_comment },
	{ "aci", read_needed_text },
	{ "btT:v", read_label },
	{ "rRwW", read_file },
	{ "qQl", read_number_argument },
	{ "y", read_translate },
	{ "e", read_execute },
};

/* What takes at most one address, or none. */
static bool
addresses_fit(const struct sed_command *command)
{
	if (command->name == ':' || command->name == '}') {
		return command->first.kind == SED_NONE && !command->negated;
	}
	return strchr("qQ", command->name) == NULL || command->second.kind == SED_NONE;
}

static bool
read_command(struct reader *r)
{
	struct sed_program *program = r->program;
	struct sed_command command = { .whole = { .from = r->at } };
	struct sed_command *kept;
	size_t i;
	int c;

	if (!read_addresses(r, &command)) {
		return false;
	}
	c = peek(r);
	if (c <= ' ' || c >= 0x7f) {
		return false;
	}
	command.name = (char)c;
	r->at++;
	for (i = 0; i < sizeof(command_kinds) / sizeof(command_kinds[0]); i++) {
		if (strchr(command_kinds[i].names, c) != NULL) {
			break;
		}
	}
	if (i == sizeof(command_kinds) / sizeof(command_kinds[0]) || !addresses_fit(&command)) {
		return false;
	}
	kept = arena_push(r->arena, &program->commands, &program->count, sizeof(command));
	if (kept == NULL) {
		return false;
	}
	*kept = command;
	if (!command_kinds[i].read(r, kept)) {
		program->count--;
		return false;
	}
	kept->whole.to = r->at < r->len ? r->at : r->len;
	return true;
}

bool
sed_read(struct arena *arena, const char *text, size_t len, bool brackets,
	 struct sed_program *program)
{
	struct reader r = {
		.arena = arena,
		.text = text,
		.len = len,
		.open = NO_COMMAND,
		.brackets = brackets,
		.program = program,
	};

	memset(program, 0, sizeof(*program));
	program->text = text;
	while (skip_spaces(&r) != -1) {
		if (!read_command(&r)) {
			program->error_at = r.at < len ? r.at : len;
			return false;
		}
	}
	program->error_at = len;
	return r.open == NO_COMMAND;
}

/* ---- escapes ------------------------------------------------------------------------------ */

static int
number_escape(const char *text, size_t end, size_t *at, int base, size_t digits)
{
	size_t i = *at;
	int value = 0;

	while (i < end && i - *at < digits && (unsigned)text_hex(text[i]) < (unsigned)base) {
		value = value * base + text_hex(text[i]);
		i++;
	}
	if (i == *at) {
		return -1;
	}
	*at = i;
	return value & 0xff;
}

int
sed_escape(const char *text, size_t end, size_t *at)
{
	static const char letters[] = "aftv";
	static const char values[] = "\a\f\t\v";
	const char *found;
	size_t behind = *at + 1;
	int value;

	if (*at >= end) {
		return -1;
	}
	switch (text[*at]) {
	case 'n':
		value = '\n';
		break;
	case 'x':
		value = number_escape(text, end, &behind, 16, 2);
		break;
	case 'o':
		value = number_escape(text, end, &behind, 8, 3);
		break;
	case 'd':
		value = number_escape(text, end, &behind, 10, 3);
		break;
	default:
		found = text[*at] == '\0' ? NULL : strchr(letters, text[*at]);
		value = found == NULL ? -1 : values[found - letters];
		break;
	}
	if (value >= 0) {
		*at = behind;
	}
	return value;
}
