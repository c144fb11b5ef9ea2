/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls in code do to the world, as findings.
 * Invariant: a path or a command that is not known in full is handed on with its unknown parts,
 * never guessed.
 */

#include "command/code_act.h"

#include "base/attr.h"

#include <string.h>

static const struct rule remote_code = { "code.from-network", BAILEY_FORBIDDEN,
					 BAILEY_EFFECT_EXECUTES,
					 "runs code that comes over the network" };

/* ---- fields -------------------------------------------------------------------------------- */

static bool
is_absolute(const struct value *value)
{
	return value->len > 0 && (value->text[0] == '/' || value->text[0] == CALLS_HOME ||
				  (value->len > 1 && value->text[1] == ':'));
}

/* A path as a field. Home is ~, marked as such. */
const struct field *
act_path_field(struct machine *machine, const struct value *value)
{
	static const char tilde[] = { CALLS_HOME };
	struct value slash = calls_text("/", 1);
	struct value path = *value;
	struct value start = calls_text(tilde, sizeof tilde);
	const struct field *made;
	struct field *field;
	char *text;

	if (!act_has_text(value)) {
		return code_unknown_text(machine->code);
	}
	path.kind = VALUE_TEXT;
	if (path.len > 0 && path.text[0] == '~' && (machine->language->style & CALLS_TILDE) != 0 &&
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
const struct field *
act_shell_field(struct machine *machine, const struct value *value)
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

/* Room for the words of one call: nothing keeps them. */
struct value *
act_scratch(struct machine *machine)
{
	if (machine->words == NULL) {
		machine->words = arena_array(machine->arena, ARGV_MAX, sizeof *machine->words);
	}
	return machine->words;
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

	if (words[0].kind != VALUE_TEXT || (count > 1 && words[1].kind == VALUE_TEXT &&
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
		inner->cwd = act_path_field(machine, &machine->cwd);
	}
}

void
act_run_text(struct machine *machine, const struct value *value)
{
	sink(machine, value, 1);
	set_place(machine, code_shell(machine->code, act_shell_field(machine, value),
				      machine->language->via));
}

void
act_run_argv(struct machine *machine, const struct value *words, size_t count)
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

		if (field == NULL && act_has_text(&words[i])) {
			field = memchr(words[i].text, CALLS_HOME, words[i].len) != NULL
					? act_path_field(machine, &words[i])
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
size_t
act_spread(struct machine *machine, const struct value *value, struct value *out, size_t max)
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
size_t
act_words_of(struct machine *machine, const struct call *call, size_t first, struct value *out)
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
		count += act_spread(machine, &call->args.items[i], out + count, ARGV_MAX - count);
	}
	return count;
}

static void
shell_call(struct machine *machine, const struct call *call)
{
	const struct value *command = act_argument(call, call->row->arg);
	struct value *words;
	size_t count;

	if (call->args.count == 0 && call->receiver.kind == VALUE_TEXT) {
		command = &call->receiver;
	}
	words = act_scratch(machine);
	if (words == NULL) {
		return;
	}
	if (command->kind != VALUE_LIST && command->kind != VALUE_WORDS &&
	    ((call->row->flags & CALL_ALL) == 0 || call->args.count <= call->row->arg + 1U ||
	     act_argument(call, call->row->arg + 1U)->kind != VALUE_TEXT)) {
		act_run_text(machine, command);
		return;
	}
	count = (call->row->flags & CALL_ALL) != 0
			? act_words_of(machine, call, call->row->arg, words)
			: act_spread(machine, command, words, ARGV_MAX);
	if (count == 1 && command->kind == VALUE_LIST) {
		act_run_text(machine, &words[0]);
		return;
	}
	act_run_argv(machine, words, count);
}

static void
argv_call(struct machine *machine, const struct call *call)
{
	struct value *words = act_scratch(machine);
	size_t count;

	if (words == NULL) {
		return;
	}
	count = act_words_of(machine, call, call->row->arg, words);
	if (call->row->act == ACT_ARGV_ZERO && count > 1) {
		memmove(words + 1, words + 2, (count - 2) * sizeof *words);
		count--;
	}
	act_run_argv(machine, words, count);
}

void
calls_shell_token(struct machine *machine, const struct token *token)
{
	struct value value = calls_string(machine, token);

	act_run_text(machine, &value);
}

/* ---- code ---------------------------------------------------------------------------------- */

static void
eval_call(struct machine *machine, const struct call *call)
{
	const struct value *text = act_argument(call, call->row->arg);
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
	if (act_is_url(act_argument(call, call->row->arg)) ||
	    (act_argument(call, call->row->arg)->taint & TAINT_NETWORK) != 0) {
		find_rule(machine->code->found, &remote_code, NULL);
	}
}

static void
chdir_call(struct machine *machine, const struct call *call)
{
	const struct value *path = act_argument(call, 0);
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
		const struct value *first = act_argument(call, 0);

		if (first->kind != VALUE_LIST || first->from != first->to) {
			return;
		}
	}
	if (call->row->act == ACT_OBJECT) {
		const struct token *token = &machine->tokens.items[args->from];

		while (token < &machine->tokens.items[args->to] && token->kind != LEX_NAME &&
		       token->kind != LEX_STRING) {
			token++;
		}
		if (token >= &machine->tokens.items[args->to] ||
		    !lex_in_nocase(call->row->keys, machine->tokens.text + token->start,
				   token->len)) {
			return;
		}
	}
	find_rule(machine->code->found, call->row->rule, NULL);
}

/* array_map("unlink", [...]): the call of that name on each. */
static void
map_call(struct machine *machine, const struct call *call)
{
	const struct value *name = act_argument(call, 0);
	struct call inner = { .args.count = 1 };

	if (name->kind != VALUE_TEXT && name->kind != VALUE_NAME) {
		return;
	}
	inner.row = calls_row(machine->language, name->text, name->len, NULL, 0);
	inner.args.items[0] =
		call->row->act == ACT_CALLBACK ? call->receiver : *act_argument(call, 1);
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
		line = calls_join(machine, &line, act_argument(call, i));
		line = calls_join(machine, &line, &blank);
	}
	text = line.kind == VALUE_TEXT ? code_made(machine->code, line.text, line.len) : NULL;
	if (text != NULL) {
		find_code(machine->code->found, LANG_REDIS, text, INNER_PROMPT | INNER_REMOTE,
			  machine->language->via);
	}
}

/* ---- all of them --------------------------------------------------------------------------- */

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
		act_fetch_call(machine, call);
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
