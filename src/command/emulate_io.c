/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what emulated tools read and write, and their options.
 * Invariant: output beyond EMULATE_MAX, or beyond what the shell's account has, is `over`.
 */

#include "command/emulate_impl.h"

#include <stdio.h>

/* ---- output ------------------------------------------------------------------------------- */

static bool
grow(struct emulate_out *out, size_t len)
{
	size_t room = out->room < 128 ? 128 : out->room * 2;
	char *text;
	uint8_t *marks = NULL;

	while (room < out->len + len) {
		room *= 2;
	}
	if (out->over || out->len + len > EMULATE_MAX ||
	    (out->shell != NULL && !shell_spend(out->shell, room))) {
		out->over = true;
		return false;
	}
	text = arena_alloc(out->arena, room);
	if (out->marks != NULL) {
		marks = arena_alloc(out->arena, room);
	}
	if (text == NULL || (out->marks != NULL && marks == NULL)) {
		out->over = true;
		return false;
	}
	if (out->len > 0) {
		memcpy(text, out->text, out->len);
	}
	if (marks != NULL) {
		memcpy(marks, out->marks, out->len);
		out->marks = marks;
	}
	out->text = text;
	out->room = room;
	return true;
}

void
emulate_put(struct emulate_out *out, const char *text, size_t len)
{
	if (out->over || len == 0) {
		return;
	}
	if (len >= EMULATE_MAX) {
		out->over = true;
		return;
	}
	if (out->len + len >= out->room && !grow(out, len + 1)) {
		return;
	}
	memcpy(out->text + out->len, text, len);
	out->len += len;
}

void
emulate_put_byte(struct emulate_out *out, char c)
{
	emulate_put(out, &c, 1);
}

void
emulate_put_unknown(struct emulate_out *out)
{
	if (out->over ||
	    (out->marks != NULL && out->len > 0 && out->marks[out->len - 1] == MARK_UNKNOWN)) {
		return;
	}
	if (out->len + 1 >= out->room && !grow(out, 2)) {
		return;
	}
	if (out->marks == NULL) {
		out->marks = arena_alloc(out->arena, out->room);
		if (out->marks == NULL) {
			out->over = true;
			return;
		}
	}
	out->marks[out->len] = MARK_UNKNOWN;
	out->text[out->len++] = FIELD_UNKNOWN;
}

void
emulate_put_text(struct emulate_out *out, const struct emulate_text *text, size_t from, size_t to)
{
	size_t start = from;

	if (text->marks == NULL) {
		emulate_put(out, text->text + from, to - from);
		return;
	}
	for (; from < to; from++) {
		if (text->marks[from] == MARK_UNKNOWN) {
			emulate_put(out, text->text + start, from - start);
			emulate_put_unknown(out);
			start = from + 1;
		}
	}
	emulate_put(out, text->text + start, to - start);
}

void
emulate_put_number(struct emulate_out *out, int64_t number)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%lld", (long long)number);

	emulate_put(out, text, (size_t)len);
}

void
emulate_finish(struct emulate_out *out, struct stream *output)
{
	struct field *data = &output->data;
	bool nul = out->len > 0 && memchr(out->text, '\0', out->len) != NULL;

	memset(output, 0, sizeof(*output));
	if (out->over || nul) {
		*data = field_unknown(out->taint, false, NULL);
		if (!out->over && out->marks == NULL) {
			output->bytes = out->text;
			output->byte_count = out->len;
		}
		return;
	}
	*data = field_static("", NULL);
	data->taint = out->taint;
	if (out->len == 0) {
		return;
	}
	out->text[out->len] = '\0';
	data->text = out->text;
	data->len = (uint32_t)out->len;
	data->marks = out->marks;
	data->kind = out->marks != NULL ? BAILEY_WORD_DYNAMIC : BAILEY_WORD_LITERAL;
}

/* ---- input -------------------------------------------------------------------------------- */

struct emulate_text
emulate_field(const struct field *field)
{
	return (struct emulate_text){
		.text = field->text,
		.len = field->len,
		.marks = field->kind == BAILEY_WORD_DYNAMIC ? field->marks : NULL,
	};
}

struct emulate_text
emulate_stream(struct emulation *e, const struct stream *stream)
{
	static const uint8_t unknown[] = { MARK_UNKNOWN };
	static const char mark[] = { FIELD_UNKNOWN, '\0' };

	if (stream == NULL || stream->open || stream->data.text == NULL) {
		e->out.taint |= TAINT_INPUT;
		return (struct emulate_text){ .text = mark, .marks = unknown, .len = 1 };
	}
	e->out.taint |= stream->data.taint;
	if (stream->sure != NULL) {
		e->doubted = true;
		if (e->sure) {
			return emulate_field(stream->sure);
		}
	}
	if (stream->bytes != NULL) {
		return (struct emulate_text){ .text = stream->bytes, .len = stream->byte_count };
	}
	return emulate_field(&stream->data);
}

struct emulate_text
emulate_input(struct emulation *e)
{
	return emulate_stream(e, e->input);
}

bool
emulate_is_known(const struct emulate_text *text)
{
	return text->marks == NULL || memchr(text->marks, MARK_UNKNOWN, text->len) == NULL;
}

bool
emulate_is_ascii(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (text[i] == '\0' || (unsigned char)text[i] >= 0x80) {
			return false;
		}
	}
	return true;
}

/* ---- files -------------------------------------------------------------------------------- */

static bool
read_file(struct emulation *e, const struct field *name, struct emulate_text *text)
{
	static const char *const input_names[] = { "-", "/dev/stdin", "/dev/fd/0",
						   "/proc/self/fd/0" };
	struct field path;
	struct file_note *note;
	size_t i;

	if (!field_is_literal(name)) {
		return false;
	}
	for (i = 0; i < sizeof(input_names) / sizeof(input_names[0]); i++) {
		if (strcmp(name->text, input_names[i]) == 0) {
			*text = emulate_input(e);
			return true;
		}
	}
	if (strcmp(name->text, "/dev/null") == 0) {
		*text = (struct emulate_text){ .text = "" };
		return true;
	}
	if (e->shell == NULL) {
		return false;
	}
	path = shell_path(e->shell, name);
	note = field_is_literal(&path) ? shell_file(e->shell, path.text) : NULL;
	if (note == NULL) {
		return false;
	}
	if (note->unsure) {
		e->doubted = true;
		note = e->sure ? note->older : note;
	}
	if (note == NULL) {
		return false;
	}
	*text = emulate_stream(e, &note->content);
	return true;
}

/* Several texts as one. */
static bool
join_files(struct emulation *e, const struct emulate_args *args, size_t first,
	   struct emulate_text *text)
{
	struct emulate_out all = { .arena = e->arena, .shell = e->shell };
	size_t i;

	for (i = first; i < args->count; i++) {
		if (!read_file(e, args->operands[i], text)) {
			return false;
		}
		emulate_put_text(&all, text, 0, text->len);
	}
	*text = (struct emulate_text){ .text = all.text, .marks = all.marks, .len = all.len };
	if (all.text == NULL) {
		text->text = "";
	}
	return !all.over;
}

enum emulated
emulate_files(struct emulation *e, const struct emulate_args *args, size_t first,
	      struct emulate_text *text)
{
	bool known = true;

	if (first >= args->count) {
		*text = emulate_input(e);
	} else if (first + 1 == args->count) {
		known = read_file(e, args->operands[first], text);
	} else {
		known = join_files(e, args, first, text);
	}
	if (!known || (e->shell != NULL && !shell_spend(e->shell, text->len))) {
		return EMULATE_NO;
	}
	return EMULATE_DONE;
}

enum emulated
emulate_known_files(struct emulation *e, const struct emulate_args *args, size_t first,
		    struct emulate_text *text)
{
	enum emulated result = emulate_files(e, args, first, text);

	if (result == EMULATE_DONE && !emulate_is_known(text)) {
		return EMULATE_UNKNOWN;
	}
	text->marks = NULL;
	return result;
}

/* ---- options ------------------------------------------------------------------------------ */

/* The index of a letter among the options, or -1. */
static int
option_index(const char *letters, char letter)
{
	int index = 0;

	for (; *letters != '\0'; letters++) {
		if (*letters == ':') {
			continue;
		}
		if (*letters == letter) {
			return index < EMULATE_OPTIONS_MAX ? index : -1;
		}
		index++;
	}
	return -1;
}

static bool
takes_value(const char *letters, char letter)
{
	const char *at = strchr(letters, letter);

	return at != NULL && at[1] == ':';
}

/* The letter of a long option, or NUL. */
static char
long_letter(const char *names, const char *name, size_t len)
{
	const char *at = names;

	while (*at != '\0') {
		const char *end = strchr(at, ' ');
		size_t size = end == NULL ? strlen(at) : (size_t)(end - at);

		if (size == len + 2 && memcmp(at + 2, name, len) == 0) {
			return at[0];
		}
		at += size + (end != NULL ? 1 : 0);
	}
	return '\0';
}

/* The value of an option: what follows it in its word, or the next word. */
static const char *
option_value(struct emulation *e, const char *rest, size_t *at)
{
	if (rest != NULL) {
		return rest;
	}
	if (*at + 1 >= e->argc || !field_is_literal(&e->argv[*at + 1])) {
		return NULL;
	}
	(*at)++;
	return e->argv[*at].text;
}

static bool
set_option(struct emulation *e, struct emulate_args *args, char letter, const char *rest,
	   size_t *at)
{
	int index = option_index(args->letters, letter);

	if (index < 0) {
		return false;
	}
	args->given[index] = true;
	if (!takes_value(args->letters, letter)) {
		return true;
	}
	args->values[index] = option_value(e, rest, at);
	return args->values[index] != NULL;
}

static bool
read_long(struct emulation *e, struct emulate_args *args, const char *names, size_t *at)
{
	const char *name = e->argv[*at].text + 2;
	const char *equals = strchr(name, '=');
	size_t len = equals == NULL ? strlen(name) : (size_t)(equals - name);
	char letter = long_letter(names, name, len);

	if (letter == '\0' || (equals != NULL && !takes_value(args->letters, letter))) {
		return false;
	}
	return set_option(e, args, letter, equals == NULL ? NULL : equals + 1, at);
}

static bool
read_short(struct emulation *e, struct emulate_args *args, size_t *at)
{
	const char *word = e->argv[*at].text + 1;

	for (; *word != '\0'; word++) {
		bool value = takes_value(args->letters, *word);

		if (*word == ':' || (*word >= '0' && *word <= '9')) {
			return false;
		}
		if (!set_option(e, args, *word, value && word[1] != '\0' ? word + 1 : NULL, at)) {
			return false;
		}
		if (value) {
			break;
		}
	}
	return true;
}

/* Can the word not be an option, whatever its unknown parts turn out as? */
static bool
is_operand(const struct field *word)
{
	return !field_is_several(word) && (word->len == 0 || field_known_prefix(word) > 0) &&
	       (word->text[0] != '-' || field_is(word, "-"));
}

static bool
read_option(struct emulation *e, struct emulate_args *args, const char *names, size_t *at)
{
	const struct field *word = &e->argv[*at];

	if (!field_is_literal(word)) {
		return false;
	}
	if (word->text[1] != '-') {
		return read_short(e, args, at);
	}
	return word->len == 2 || read_long(e, args, names, at);
}

bool
emulate_args(struct emulation *e, const char *letters, const char *names, struct emulate_args *args)
{
	bool options = true;
	size_t i;

	memset(args, 0, sizeof(*args));
	args->letters = letters;
	args->operands = arena_array(e->arena, e->argc, sizeof(struct field *));
	if (args->operands == NULL) {
		return false;
	}
	for (i = 1; i < e->argc; i++) {
		const struct field *word = &e->argv[i];

		if (!options || is_operand(word)) {
			args->operands[args->count++] = word;
			if (field_is_several(word)) {
				return false;
			}
		} else if (!read_option(e, args, names, &i)) {
			return false;
		}
		options = options && !field_is(word, "--");
	}
	return true;
}

bool
emulate_given(const struct emulate_args *args, char letter)
{
	int index = option_index(args->letters, letter);

	return index >= 0 && args->given[index];
}

const char *
emulate_value(const struct emulate_args *args, char letter)
{
	int index = option_index(args->letters, letter);

	return index < 0 ? NULL : args->values[index];
}

bool
emulate_number(const char *text, uint64_t *number)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; text[i] >= '0' && text[i] <= '9'; i++) {
		if (i == 18) {
			return false;
		}
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	*number = value;
	return i > 0 && text[i] == '\0';
}
