/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls in code do to the world, as findings.
 * Invariant: a path or a command that is not known in full is handed on with its unknown parts,
 * never guessed.
 */

#include "command/code_calls.h"

#include "base/attr.h"

#include <string.h>

#define ARGV_MAX 128

static const struct rule remote_code = { "code.from-network", BAILEY_FORBIDDEN,
					 BAILEY_EFFECT_EXECUTES,
					 "runs code that comes over the network" };

static const struct value *
argument(const struct call *call, size_t index)
{
	static const struct value none = { 0 };

	return index < call->args.count ? &call->args.items[index] : &none;
}

static bool
has_text(const struct value *value)
{
	return value->kind == VALUE_TEXT || value->kind == VALUE_FILE;
}

static bool
starts(const struct value *value, const char *with)
{
	size_t len = strlen(with);

	return value->kind == VALUE_TEXT && value->len >= len &&
	       memcmp(value->text, with, len) == 0;
}

static bool
is_url(const struct value *value)
{
	return starts(value, "http://") || starts(value, "https://") || starts(value, "ftp://");
}

/* ---- fields -------------------------------------------------------------------------------- */

static bool
is_absolute(const struct value *value)
{
	return value->len > 0 && (value->text[0] == '/' || value->text[0] == CALLS_HOME ||
				  (value->len > 1 && value->text[1] == ':'));
}

/* A path as a field. Home is ~, marked as such. */
static const struct field *
path_field(struct machine *machine, const struct value *value)
{
	static const char tilde[] = { CALLS_HOME };
	struct value slash = calls_text("/", 1);
	struct value path = *value;
	struct value start = calls_text(tilde, sizeof tilde);
	const struct field *made;
	struct field *field;
	char *text;

	if (!has_text(value)) {
		return code_unknown_text(machine->code);
	}
	path.kind = VALUE_TEXT;
	if (path.len > 0 && path.text[0] == '~' &&
	    (machine->language->style & CALLS_TILDE) != 0 &&
	    (path.len == 1 || path.text[1] == '/')) {
		path = calls_text(path.text + 1, path.len - 1);
		path = calls_join(machine, &start, &path);
	} else if (machine->moved && !is_absolute(&path)) {
		path = calls_join(machine, &slash, &path);
		path = calls_join(machine, &machine->cwd, &path);
	} else if (path.len > 0 && path.text[0] == '~') {
		path = calls_join(machine, &slash, &path);
		start = calls_text(".", 1);
		path = calls_join(machine, &start, &path);
	}
	text = path.kind == VALUE_TEXT ? arena_strndup(machine->arena, path.text, path.len) : NULL;
	field = arena_alloc(machine->arena, sizeof *field);
	if (text == NULL || field == NULL) {
		return code_unknown_text(machine->code);
	}
	for (size_t i = 0; i < path.len; i++) {
		text[i] = text[i] != CALLS_HOME ? text[i] : i == 0 ? '~' : FIELD_UNKNOWN;
	}
	made = code_made(machine->code, text, path.len);
	if (made == NULL) {
		return code_unknown_text(machine->code);
	}
	*field = *made;
	field->tilde = path.len > 0 && path.text[0] == CALLS_HOME;
	return field;
}

/* A text for a shell, where home is $HOME, or an argument, where it is a path. */
static const struct field *
shell_field(struct machine *machine, const struct value *value)
{
	static const char name[] = "${HOME}";
	size_t homes = 0;
	size_t len = 0;
	char *text;

	if (value->kind != VALUE_TEXT && value->kind != VALUE_NUMBER) {
		return code_unknown_text(machine->code);
	}
	for (size_t i = 0; i < value->len; i++) {
		homes += value->text[i] == CALLS_HOME ? 1U : 0U;
	}
	if (homes == 0 || !calls_burn(machine, homes * sizeof name)) {
		return code_made(machine->code, value->text, value->len);
	}
	text = arena_alloc(machine->arena, value->len + homes * sizeof name);
	if (text == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < value->len; i++) {
		if (value->text[i] == CALLS_HOME) {
			memcpy(text + len, name, sizeof name - 1);
			len += sizeof name - 1;
		} else {
			text[len] = value->text[i];
			len++;
		}
	}
	return code_made(machine->code, text, len);
}

/* ---- commands ------------------------------------------------------------------------------ */

/* Does [at, len) of a command line say nothing but options and redirections? */
static bool
only_options(const char *text, size_t at, size_t len)
{
	while (at < len) {
		size_t start;

		while (at < len && lex_is_space(text[at])) {
			at++;
		}
		start = at;
		while (at < len && !lex_is_space(text[at])) {
			at++;
		}
		if (at > start && memchr(text + start, '&', at - start) == NULL &&
		    (text[start] != '-' || memchr(text + start, 'c', at - start) != NULL)) {
			return false;
		}
	}
	return true;
}

/* Does this command start a shell that talks to whatever its streams are? */
static bool
starts_shell(const struct value *words, size_t count)
{
	static const char shells[] = "sh bash dash zsh ksh ash csh tcsh fish cmd cmd.exe "
				     "powershell powershell.exe pwsh";
	size_t end = 0;
	size_t start = 0;

	if (words[0].kind != VALUE_TEXT ||
	    (count > 1 && words[1].kind == VALUE_TEXT &&
	     !only_options(words[1].text, 0, words[1].len))) {
		return false;
	}
	while (end < words[0].len && !lex_is_space(words[0].text[end])) {
		if (words[0].text[end] == '/' || words[0].text[end] == '\\') {
			start = end + 1;
		}
		end++;
	}
	return lex_in_nocase(shells, words[0].text + start, end - start) &&
	       only_options(words[0].text, end, words[0].len);
}

static void
sink(struct machine *machine, const struct value *words, size_t count)
{
	machine->seen |= SEEN_SINK;
	if (starts_shell(words, count)) {
		machine->seen |= SEEN_SHELL;
	}
	if ((words[0].taint & TAINT_NETWORK) != 0) {
		find_rule(machine->code->found, &remote_code, NULL);
	}
}

static void
set_place(struct machine *machine, struct inner *inner)
{
	if (inner != NULL && machine->moved) {
		inner->cwd = path_field(machine, &machine->cwd);
	}
}

static void
run_text(struct machine *machine, const struct value *value)
{
	sink(machine, value, 1);
	set_place(machine, code_shell(machine->code, shell_field(machine, value),
				      machine->language->via));
}

static void
run_argv(struct machine *machine, const struct value *words, size_t count)
{
	struct field *argv = arena_array(machine->arena, count, sizeof *argv);

	if (argv == NULL || count == 0) {
		find_unknown(machine->code->found, "a command that is not known",
			     machine->code->field);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const struct field *field =
			words[i].kind == VALUE_NUMBER
				? code_made(machine->code, words[i].text, words[i].len)
				: NULL;

		if (field == NULL && has_text(&words[i])) {
			field = memchr(words[i].text, CALLS_HOME, words[i].len) != NULL
					? path_field(machine, &words[i])
					: code_made(machine->code, words[i].text, words[i].len);
		}
		if (field == NULL) {
			field = code_unknown_text(machine->code);
		}
		if (field == NULL) {
			return;
		}
		argv[i] = *field;
	}
	sink(machine, words, count);
	set_place(machine, find_argv(machine->code->found, argv, count,
				     INNER_PROMPT | INNER_PROGRAM_ONLY, machine->language->via));
}

/* Splits a list of words without quotes. */
static size_t
split(const struct value *words, struct value *out, size_t max)
{
	size_t count = 0;
	size_t i = 0;

	while (i < words->len && count < max) {
		size_t start;

		while (i < words->len && lex_is_space(words->text[i])) {
			i++;
		}
		start = i;
		while (i < words->len && !lex_is_space(words->text[i])) {
			i++;
		}
		if (i > start) {
			out[count] = calls_text(words->text + start, i - start);
			count++;
		}
	}
	return count;
}

/* The words that `value` stands for, lists taken apart. */
static size_t
spread(struct machine *machine, const struct value *value, struct value *out, size_t max)
{
	if (value->kind == VALUE_WORDS) {
		return split(value, out, max);
	}
	if (value->kind == VALUE_LIST) {
		struct value last = calls_unknown(0);
		size_t count = calls_elements(machine, value, out, max);

		if (count > 0 && out[count - 1].kind == VALUE_LIST) {
			last = out[count - 1];
			count--;
			count += calls_elements(machine, &last, out + count, max - count);
		}
		return calls_burn(machine, count) ? count : 0;
	}
	if (max == 0 || value->kind == VALUE_NAME) {
		return 0;
	}
	out[0] = *value;
	return 1;
}

/* Arguments from `first` on as words; those with keywords are none. */
static size_t
words_of(struct machine *machine, const struct call *call, size_t first, struct value *out)
{
	size_t count = 0;

	for (size_t i = first; i < call->args.count; i++) {
		if (call->args.keys[i].text != NULL) {
			continue;
		}
		/* An object with options, as the last argument. */
		if (call->args.items[i].kind == VALUE_LIST && i > first + 1) {
			continue;
		}
		count += spread(machine, &call->args.items[i], out + count, ARGV_MAX - count);
	}
	return count;
}

static void
shell_call(struct machine *machine, const struct call *call)
{
	const struct value *command = argument(call, call->row->arg);
	struct value *words;
	size_t count;

	if (call->args.count == 0 && call->receiver.kind == VALUE_TEXT) {
		command = &call->receiver;
	}
	words = arena_array(machine->arena, ARGV_MAX, sizeof *words);
	if (words == NULL || !calls_burn(machine, ARGV_MAX)) {
		return;
	}
	if (command->kind != VALUE_LIST && command->kind != VALUE_WORDS &&
	    ((call->row->flags & CALL_ALL) == 0 || call->args.count <= call->row->arg + 1U ||
	     argument(call, call->row->arg + 1U)->kind != VALUE_TEXT)) {
		run_text(machine, command);
		return;
	}
	count = (call->row->flags & CALL_ALL) != 0
			? words_of(machine, call, call->row->arg, words)
			: spread(machine, command, words, ARGV_MAX);
	if (count == 1 && command->kind == VALUE_LIST) {
		run_text(machine, &words[0]);
		return;
	}
	run_argv(machine, words, count);
}

static void
argv_call(struct machine *machine, const struct call *call)
{
	struct value *words = arena_array(machine->arena, ARGV_MAX, sizeof *words);
	size_t count;

	if (words == NULL || !calls_burn(machine, ARGV_MAX)) {
		return;
	}
	count = words_of(machine, call, call->row->arg, words);
	if (call->row->act == ACT_ARGV_ZERO && count > 1) {
		memmove(words + 1, words + 2, (count - 2) * sizeof *words);
		count--;
	}
	run_argv(machine, words, count);
}

void
calls_shell_token(struct machine *machine, const struct token *token)
{
	struct value value = calls_string(machine, token);

	run_text(machine, &value);
}

/* ---- files --------------------------------------------------------------------------------- */

static struct effect *
deed(struct machine *machine, enum deed what, const struct value *path)
{
	return find_deed(machine->code->found, what, path_field(machine, path));
}

/* The deed on every path of a call. */
static void
deeds(struct machine *machine, const struct call *call, enum deed what)
{
	struct value *words = arena_array(machine->arena, ARGV_MAX, sizeof *words);
	size_t last = (call->row->flags & CALL_ALL) != 0 ? CALLS_ARGS_MAX : call->row->arg + 1U;
	size_t count = 0;

	if (words == NULL || !calls_burn(machine, ARGV_MAX)) {
		return;
	}
	if ((call->row->flags & CALL_RECEIVER) != 0 && call->args.count == 0) {
		count = spread(machine, &call->receiver, words, ARGV_MAX);
	}
	for (size_t i = call->row->arg; i < call->args.count && i < last; i++) {
		if (call->args.keys[i].text == NULL) {
			count += spread(machine, &call->args.items[i], words + count,
					ARGV_MAX - count);
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (words[i].kind != VALUE_NUMBER) {
			deed(machine, what, &words[i]);
		}
	}
}

static void
set_data(struct machine *machine, struct effect *effect, const struct value *data)
{
	const struct field *field;

	if (effect == NULL || (data->kind != VALUE_TEXT && (data->taint & TAINT_NETWORK) == 0)) {
		return;
	}
	if ((data->taint & TAINT_NETWORK) != 0) {
		effect->flags |= EFFECT_FROM_NETWORK;
		return;
	}
	field = shell_field(machine, data);
	if (field != NULL) {
		effect->data.data = *field;
		effect->flags |= EFFECT_DATA;
	}
}

static enum deed
deed_of_mode(char mode)
{
	switch (mode) {
	case 'w':
	case 'x':
	case '>':
		return DEED_WRITE;
	case 'a':
		return DEED_APPEND;
	case '+':
		return DEED_EDIT;
	default:
		return DEED_READ;
	}
}

char
calls_open_mode(const struct call *call)
{
	const struct value *mode = argument(call, call->row->arg + 1U);
	char found = 'r';

	if (call->row->act == ACT_READ) {
		return 'r';
	}
	for (size_t i = 0; i < call->args.count; i++) {
		if (call->args.keys[i].text != NULL &&
		    lex_in("mode open", call->args.keys[i].text, call->args.keys[i].len)) {
			mode = &call->args.items[i];
		}
	}
	if (mode->kind != VALUE_TEXT) {
		return call->args.count > call->row->arg + 1U && mode->kind == VALUE_UNKNOWN &&
				       call->args.keys[call->row->arg + 1U].text == NULL
			       ? '+'
			       : 'r';
	}
	for (size_t i = 0; i < mode->len && i < 8; i++) {
		if (memchr("wxa", mode->text[i], 3) != NULL) {
			return mode->text[i];
		}
		found = mode->text[i] == '+' ? '+' : found;
	}
	return found;
}

static void
open_call(struct machine *machine, const struct call *call)
{
	const struct value *path = argument(call, call->row->arg);

	if ((call->row->flags & CALL_RECEIVER) != 0 && has_text(&call->receiver)) {
		path = &call->receiver;
	}
	if (starts(path, "|")) {
		struct value command = calls_text(path->text + 1, path->len - 1);

		run_text(machine, &command);
		return;
	}
	if (is_url(path)) {
		machine->seen |= SEEN_FETCHED;
		return;
	}
	if (path->kind == VALUE_TEXT) {
		deed(machine, deed_of_mode(calls_open_mode(call)), path);
	}
}

/* open(HANDLE, MODE, ...) of Perl, where the mode may be part of the path, or a pipe. */
static void
open_perl(struct machine *machine, const struct call *call)
{
	struct value mode = *argument(call, 1);
	struct value path = *argument(call, 2);
	struct value *words;
	size_t i = 0;

	if (mode.kind != VALUE_TEXT) {
		return;
	}
	while (i < mode.len && lex_is_blank(mode.text[i])) {
		i++;
	}
	if (i < mode.len && memmem(mode.text, mode.len, "&", 1) != NULL && mode.text[i] != '|') {
		machine->seen |= SEEN_DUP;
		return;
	}
	if (call->args.count > 2 && memchr(mode.text, '|', mode.len) != NULL) {
		words = arena_array(machine->arena, ARGV_MAX, sizeof *words);
		if (words != NULL && call->args.count > 3) {
			run_argv(machine, words, words_of(machine, call, 2, words));
		} else {
			run_text(machine, &path);
		}
		return;
	}
	if (call->args.count > 2) {
		deed(machine,
		     memmem(mode.text, mode.len, ">>", 2) != NULL  ? DEED_APPEND
		     : memchr(mode.text, '>', mode.len) != NULL ? DEED_WRITE
								   : DEED_READ,
		     &path);
		return;
	}
	if (i < mode.len && mode.text[i] == '|') {
		path = calls_text(mode.text + i + 1, mode.len - i - 1);
		run_text(machine, &path);
		return;
	}
	if (mode.len > 0 && mode.text[mode.len - 1] == '|') {
		path = calls_text(mode.text, mode.len - 1);
		run_text(machine, &path);
		return;
	}
	path = mode;
	while (i < mode.len && memchr("<>+ ", mode.text[i], 4) != NULL) {
		i++;
	}
	path.text += i;
	path.len -= i;
	deed(machine,
	     starts(&mode, ">>") ? DEED_APPEND
	     : starts(&mode, ">") ? DEED_WRITE
				  : DEED_READ,
	     &path);
}

static void
write_call(struct machine *machine, const struct call *call)
{
	bool receiver = call->row->act == ACT_WRITE_RECEIVER;
	const struct value *path = receiver ? &call->receiver : argument(call, call->row->arg);
	const struct value *data = argument(call, receiver ? 0 : call->row->arg + 1U);
	enum deed what = call->row->act == ACT_APPEND ? DEED_APPEND : DEED_WRITE;

	for (size_t i = call->args.from; i < call->args.to && i < call->args.from + 64; i++) {
		const struct token *token = &machine->tokens.items[i];

		if (token->kind == LEX_NAME &&
		    lex_in("FILE_APPEND append", machine->tokens.text + token->start, token->len)) {
			what = DEED_APPEND;
		}
	}
	if (has_text(path)) {
		set_data(machine, deed(machine, what, path), data);
	}
}

static void
data_call(struct machine *machine, const struct call *call)
{
	const struct value *file = &call->receiver;

	if (file->kind == VALUE_FILE) {
		set_data(machine, deed(machine, deed_of_mode(file->mode), file),
			 argument(call, 0));
	}
}

static void
copy_call(struct machine *machine, const struct call *call)
{
	const struct value *from = argument(call, call->row->arg);
	const struct value *to = argument(call, call->row->arg + 1U);
	struct effect *effect;

	if ((call->row->flags & CALL_RECEIVER) != 0 && has_text(&call->receiver)) {
		to = from;
		from = &call->receiver;
	}
	if (!has_text(from) && !has_text(to)) {
		return;
	}
	if (call->row->act == ACT_LINK) {
		effect = deed(machine, DEED_MAKE, to);
		if (effect != NULL) {
			effect->flags |= EFFECT_LINK;
			effect->other = path_field(machine, from);
		}
		return;
	}
	deed(machine, call->row->act == ACT_MOVE ? DEED_MOVE : DEED_READ, from);
	effect = deed(machine, DEED_WRITE, to);
	if (effect != NULL) {
		effect->flags |= EFFECT_FROM_FILE;
		effect->other = path_field(machine, from);
	}
}

static void
meta_call(struct machine *machine, const struct call *call)
{
	const struct value *path = argument(call, call->row->arg);
	const struct value *mode = argument(call, call->row->arg == 0 ? 1 : 0);
	struct effect *effect;

	if (call->row->act == ACT_META_TREE) {
		deeds(machine, call, DEED_META_TREE);
		return;
	}
	if ((call->row->flags & CALL_RECEIVER) != 0 && has_text(&call->receiver)) {
		mode = path;
		path = &call->receiver;
	}
	if (!has_text(path)) {
		return;
	}
	effect = deed(machine, DEED_META, path);
	if (effect != NULL && mode->kind == VALUE_NUMBER && mode->len >= 3) {
		char user = mode->text[mode->len - 3];

		effect->flags |= (user - '0') % 2 == 1 ? EFFECT_EXECUTABLE : 0U;
		if (mode->len >= 4 && memchr("4567", mode->text[mode->len - 4], 4) != NULL) {
			effect->flags |= EFFECT_SETUID;
		}
	}
}

/* Is there a word in the arguments that says "and everything below"? */
static bool
recursive(const struct machine *machine, const struct args *args)
{
	for (size_t i = args->from; i < args->to && i < args->from + 64; i++) {
		const struct token *token = &machine->tokens.items[i];

		if (token->kind == LEX_NAME && lex_in_nocase("recursive recurse", machine->tokens.text + token->start, token->len)) {
			return true;
		}
	}
	return false;
}

static void
fetch_call(struct machine *machine, const struct call *call)
{
	const struct value *path = argument(call, call->row->arg);
	struct effect *effect;

	machine->seen |= SEEN_FETCHED;
	if (has_text(path)) {
		effect = deed(machine, DEED_WRITE, path);
		if (effect != NULL) {
			effect->flags |= EFFECT_FROM_NETWORK;
		}
	}
}

/* ---- code ---------------------------------------------------------------------------------- */

static void
eval_call(struct machine *machine, const struct call *call)
{
	const struct value *text = argument(call, call->row->arg);
	unsigned taint = 0;

	for (size_t i = 0; i < call->args.count; i++) {
		taint |= call->args.items[i].taint;
	}
	if ((taint & TAINT_NETWORK) != 0) {
		find_rule(machine->code->found, &remote_code, NULL);
		return;
	}
	if (text->kind == VALUE_TEXT) {
		calls_walk(machine, text->text, text->len);
	} else if (text->kind == VALUE_UNKNOWN && call->args.count > 0) {
		machine->seen |= SEEN_EVAL;
	}
}

static void
load_call(struct machine *machine, const struct call *call)
{
	if (is_url(argument(call, call->row->arg)) ||
	    (argument(call, call->row->arg)->taint & TAINT_NETWORK) != 0) {
		find_rule(machine->code->found, &remote_code, NULL);
	}
}

static void
chdir_call(struct machine *machine, const struct call *call)
{
	const struct value *path = argument(call, 0);
	struct value slash = calls_text("/", 1);

	if (path->kind == VALUE_TEXT && machine->moved && !is_absolute(path)) {
		machine->cwd = calls_join(machine, &machine->cwd, &slash);
		machine->cwd = calls_join(machine, &machine->cwd, path);
		return;
	}
	machine->cwd = *path;
	machine->moved = true;
	if (path->kind != VALUE_TEXT) {
		machine->cwd = calls_text("\x1a", 1);
	}
}

static void
rule_call(struct machine *machine, const struct call *call)
{
	const struct args *args = &call->args;

	if (call->row->act == ACT_RULE_EMPTY && args->count > 0) {
		const struct value *first = argument(call, 0);

		if (first->kind != VALUE_LIST || first->from != first->to) {
			return;
		}
	}
	if (call->row->act == ACT_OBJECT) {
		const struct token *token = &machine->tokens.items[args->from];

		while (token < &machine->tokens.items[args->to] &&
		       token->kind != LEX_NAME && token->kind != LEX_STRING) {
			token++;
		}
		if (token >= &machine->tokens.items[args->to] ||
		    !lex_in_nocase(call->row->keys, machine->tokens.text + token->start, token->len)) {
			return;
		}
	}
	find_rule(machine->code->found, call->row->rule, NULL);
}

/* array_map("unlink", [...]): the call of that name on each. */
static void
map_call(struct machine *machine, const struct call *call)
{
	const struct value *name = argument(call, 0);
	struct call inner = { .args.count = 1 };

	if (name->kind != VALUE_TEXT && name->kind != VALUE_NAME) {
		return;
	}
	inner.row = calls_row(machine->language, name->text, name->len, NULL, 0);
	inner.args.items[0] =
		call->row->act == ACT_CALLBACK ? call->receiver : *argument(call, 1);
	if (inner.row != NULL && inner.row->act != ACT_ARRAY_MAP &&
	    inner.row->act != ACT_CALLBACK) {
		calls_act(machine, &inner);
	}
}

/* redis.call("FLUSHALL") of a script that the server runs. */
static void
redis_call(struct machine *machine, const struct call *call)
{
	struct value line = calls_text("", 0);
	struct value blank = calls_text(" ", 1);
	const struct field *text;

	for (size_t i = 0; i < call->args.count; i++) {
		line = calls_join(machine, &line, argument(call, i));
		line = calls_join(machine, &line, &blank);
	}
	text = line.kind == VALUE_TEXT ? code_made(machine->code, line.text, line.len) : NULL;
	if (text != NULL) {
		find_code(machine->code->found, LANG_REDIS, text, INNER_PROMPT | INNER_REMOTE,
			  machine->language->via);
	}
}

/* ---- all of them --------------------------------------------------------------------------- */

static void
act_on_file(struct machine *machine, const struct call *call)
{
	switch (call->row->act) {
	case ACT_DELETE:
		deeds(machine, call, DEED_DELETE);
		break;
	case ACT_DELETE_TREE:
		deeds(machine, call, DEED_DELETE_TREE);
		break;
	case ACT_DELETE_HOW:
		deeds(machine, call,
		      recursive(machine, &call->args) ? DEED_DELETE_TREE : DEED_DELETE);
		break;
	case ACT_OPEN:
		open_call(machine, call);
		break;
	case ACT_OPEN_PERL:
		open_perl(machine, call);
		break;
	case ACT_READ:
		open_call(machine, call);
		break;
	case ACT_WRITE:
	case ACT_WRITE_RECEIVER:
	case ACT_APPEND:
		write_call(machine, call);
		break;
	case ACT_DATA:
		data_call(machine, call);
		break;
	case ACT_COPY:
	case ACT_MOVE:
	case ACT_LINK:
		copy_call(machine, call);
		break;
	case ACT_META:
	case ACT_META_TREE:
		meta_call(machine, call);
		break;
	case ACT_MAKE:
		deeds(machine, call, DEED_MAKE);
		break;
	case ACT_EMPTY:
		deeds(machine, call, DEED_EMPTY);
		break;
	default:
		break;
	}
}

void
calls_act(struct machine *machine, const struct call *call)
{
	switch (call->row->act) {
	case VAL_NET:
		machine->seen |= SEEN_FETCHED;
		break;
	case VAL_CONNECT:
		machine->seen |= SEEN_CONNECT;
		break;
	case ACT_SHELL:
		shell_call(machine, call);
		break;
	case ACT_ARGV:
	case ACT_ARGV_ZERO:
		argv_call(machine, call);
		break;
	case ACT_EVAL:
		eval_call(machine, call);
		break;
	case ACT_DUP:
		machine->seen |= SEEN_DUP;
		break;
	case ACT_FETCH:
		fetch_call(machine, call);
		break;
	case ACT_CHDIR:
		chdir_call(machine, call);
		break;
	case ACT_LOAD:
		load_call(machine, call);
		break;
	case ACT_RULE:
	case ACT_RULE_EMPTY:
	case ACT_OBJECT:
		rule_call(machine, call);
		break;
	case ACT_ARRAY_MAP:
	case ACT_CALLBACK:
		map_call(machine, call);
		break;
	case ACT_REDIS:
		redis_call(machine, call);
		break;
	default:
		act_on_file(machine, call);
		break;
	}
}
