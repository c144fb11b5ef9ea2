/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls in code do to files, as deeds.
 * Invariant: a path that is not known in full is handed on with its unknown parts, never guessed.
 */

#include "command/code_act.h"

#include "base/attr.h"

static struct effect *
deed(struct machine *machine, enum deed what, const struct value *path)
{
	return find_deed(machine->code->found, what, act_path_field(machine, path));
}

/* The deed on every path of a call. */
static void
deeds(struct machine *machine, const struct call *call, enum deed what)
{
	struct value *words = act_scratch(machine);
	size_t last = (call->row->flags & CALL_ALL) != 0 ? CALLS_ARGS_MAX : call->row->arg + 1U;
	size_t count = 0;

	if (words == NULL) {
		return;
	}
	if ((call->row->flags & CALL_RECEIVER) != 0 && call->args.count == 0) {
		count = act_spread(machine, &call->receiver, words, ARGV_MAX);
	}
	for (size_t i = call->row->arg; i < call->args.count && i < last; i++) {
		if (call->args.keys[i].text == NULL) {
			count += act_spread(machine, &call->args.items[i], words + count,
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
	field = act_shell_field(machine, data);
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
	const struct value *mode = act_argument(call, call->row->arg + 1U);
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
	const struct value *path = act_argument(call, call->row->arg);

	if ((call->row->flags & CALL_RECEIVER) != 0 && act_has_text(&call->receiver)) {
		path = &call->receiver;
	}
	if (act_starts(path, "|")) {
		struct value command = calls_text(path->text + 1, path->len - 1);

		act_run_text(machine, &command);
		return;
	}
	if (act_is_url(path)) {
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
	struct value mode = *act_argument(call, 1);
	struct value path = *act_argument(call, 2);
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
		words = act_scratch(machine);
		if (words != NULL && call->args.count > 3) {
			act_run_argv(machine, words, act_words_of(machine, call, 2, words));
		} else {
			act_run_text(machine, &path);
		}
		return;
	}
	if (call->args.count > 2) {
		deed(machine,
		     memmem(mode.text, mode.len, ">>", 2) != NULL ? DEED_APPEND
		     : memchr(mode.text, '>', mode.len) != NULL	  ? DEED_WRITE
								  : DEED_READ,
		     &path);
		return;
	}
	if (i < mode.len && mode.text[i] == '|') {
		path = calls_text(mode.text + i + 1, mode.len - i - 1);
		act_run_text(machine, &path);
		return;
	}
	if (mode.len > 0 && mode.text[mode.len - 1] == '|') {
		path = calls_text(mode.text, mode.len - 1);
		act_run_text(machine, &path);
		return;
	}
	path = mode;
	while (i < mode.len && memchr("<>+ ", mode.text[i], 4) != NULL) {
		i++;
	}
	path.text += i;
	path.len -= i;
	deed(machine,
	     act_starts(&mode, ">>")  ? DEED_APPEND
	     : act_starts(&mode, ">") ? DEED_WRITE
				      : DEED_READ,
	     &path);
}

static void
write_call(struct machine *machine, const struct call *call)
{
	bool receiver = call->row->act == ACT_WRITE_RECEIVER;
	const struct value *path = receiver ? &call->receiver : act_argument(call, call->row->arg);
	const struct value *data = act_argument(call, receiver ? 0 : call->row->arg + 1U);
	enum deed what = call->row->act == ACT_APPEND ? DEED_APPEND : DEED_WRITE;

	for (size_t i = call->args.from; i < call->args.to && i < call->args.from + 64; i++) {
		const struct token *token = &machine->tokens.items[i];

		if (token->kind == LEX_NAME &&
		    lex_in("FILE_APPEND append", machine->tokens.text + token->start, token->len)) {
			what = DEED_APPEND;
		}
	}
	if (act_has_text(path)) {
		set_data(machine, deed(machine, what, path), data);
	}
}

static void
data_call(struct machine *machine, const struct call *call)
{
	const struct value *file = &call->receiver;

	if (file->kind == VALUE_FILE) {
		set_data(machine, deed(machine, deed_of_mode(file->mode), file),
			 act_argument(call, 0));
	}
}

static void
copy_call(struct machine *machine, const struct call *call)
{
	const struct value *from = act_argument(call, call->row->arg);
	const struct value *to = act_argument(call, call->row->arg + 1U);
	struct effect *effect;

	if ((call->row->flags & CALL_RECEIVER) != 0 && act_has_text(&call->receiver)) {
		to = from;
		from = &call->receiver;
	}
	if (!act_has_text(from) && !act_has_text(to)) {
		return;
	}
	if (call->row->act == ACT_LINK) {
		effect = deed(machine, DEED_MAKE, to);
		if (effect != NULL) {
			effect->flags |= EFFECT_LINK;
			effect->other = act_path_field(machine, from);
		}
		return;
	}
	deed(machine, call->row->act == ACT_MOVE ? DEED_MOVE : DEED_READ, from);
	effect = deed(machine, DEED_WRITE, to);
	if (effect != NULL) {
		effect->flags |= EFFECT_FROM_FILE;
		effect->other = act_path_field(machine, from);
	}
}

static void
meta_call(struct machine *machine, const struct call *call)
{
	const struct value *path = act_argument(call, call->row->arg);
	const struct value *mode = act_argument(call, call->row->arg == 0 ? 1 : 0);
	struct effect *effect;

	if (call->row->act == ACT_META_TREE) {
		deeds(machine, call, DEED_META_TREE);
		return;
	}
	if ((call->row->flags & CALL_RECEIVER) != 0 && act_has_text(&call->receiver)) {
		mode = path;
		path = &call->receiver;
	}
	if (!act_has_text(path)) {
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

		if (token->kind == LEX_NAME &&
		    lex_in_nocase("recursive recurse", machine->tokens.text + token->start,
				  token->len)) {
			return true;
		}
	}
	return false;
}

void
act_fetch_call(struct machine *machine, const struct call *call)
{
	const struct value *path = act_argument(call, call->row->arg);
	struct effect *effect;

	machine->seen |= SEEN_FETCHED;
	if (act_has_text(path)) {
		effect = deed(machine, DEED_WRITE, path);
		if (effect != NULL) {
			effect->flags |= EFFECT_FROM_NETWORK;
		}
	}
}

void
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
