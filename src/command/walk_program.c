/* SPDX-License-Identifier: MIT */
/*
 * Programs: what the model finds goes to the account, what it hands on is followed, and what it
 * prints goes where its output leads.
 */
#include "command/walk_impl.h"

#include "base/path.h"

#include <string.h>

/* ---- secrets and the network -------------------------------------------------------------- */

/* A secret in a header that is there for it: "Authorization: Bearer ...". */
static bool
is_login(const struct field *word)
{
	static const char *const headers[] = { "authorization:", "private-token:", "x-api-key:",
					       "x-auth-token:", "job-token:" };
	size_t known = field_known_prefix(word);

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		size_t len = strlen(headers[i]);

		if (known >= len && strncasecmp(word->text, headers[i], len) == 0) {
			return true;
		}
	}
	return false;
}

static void
check_secrets(struct walk *w, const struct command *command, const struct findings *found,
	      const struct stream *input)
{
	bool network = (found->flags & FIND_NETWORK) != 0;

	if (network && (input->data.taint & TAINT_SECRET) != 0 &&
	    (found->flags & FIND_IGNORES_INPUT) == 0) {
		walk_reason(w, WHY_SECRET_SENT, &command->argv[0]);
	}
	for (size_t i = 1; i < command->argc; i++) {
		const struct field *word = &command->argv[i];

		if ((word->taint & TAINT_SECRET) == 0) {
			continue;
		}
		if (!network) {
			walk_reason(w, WHY_SECRET_SHOWN, word);
		} else {
			walk_reason(w, is_login(word) ? WHY_SECRET_HEADER : WHY_SECRET_SENT, word);
		}
	}
}

/* ---- output ------------------------------------------------------------------------------- */

static uint16_t
taint_of_effects(struct walk *w, const struct findings *found)
{
	uint16_t taint = 0;

	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		bool known = false;
		struct stream text;

		if (effect->deed != DEED_READ || effect->target == NULL) {
			continue;
		}
		text = walk_file_text(w, effect->target, &known);
		taint |= known ? text.data.taint : walk_read_taint(w, effect->target);
		taint |= TAINT_FILE;
	}
	return taint;
}

static uint16_t
taint_of_output(struct walk *w, const struct command *command, const struct findings *found,
		const struct stream *input)
{
	const unsigned carried = TAINT_NETWORK | TAINT_SECRET | TAINT_DECODED;
	unsigned taint = taint_of_effects(w, found);

	if ((found->flags & FIND_IGNORES_INPUT) == 0 && !input->open) {
		taint |= input->data.taint;
	}
	for (size_t i = 1; i < command->argc; i++) {
		taint |= command->argv[i].taint & carried;
	}
	taint |= (found->flags & FIND_OUT_NETWORK) != 0 ? TAINT_NETWORK : 0;
	taint |= (found->flags & FIND_OUT_SECRET) != 0 ? TAINT_SECRET : 0;
	taint |= (found->flags & FIND_DECODES) != 0 ? TAINT_DECODED : 0;
	return (uint16_t)taint;
}

/* All that it prints comes from what it runs: env, timeout, xargs. */
static bool
only_wraps(const struct findings *found)
{
	for (const struct inner *inner = found->inners; inner != NULL; inner = inner->next) {
		if (inner->kind != INNER_ARGV && inner->language != LANG_BASH &&
		    inner->language != LANG_SH) {
			return false;
		}
	}
	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		/* nohup.out holds what is run as well: nothing else. */
		if (effect->deed != DEED_NONE && (effect->flags & EFFECT_FROM_OUTPUT) == 0) {
			return false;
		}
	}
	return found->inners != NULL;
}

/* The least that there may be. */
static const struct field nothing = { .text = "", .exact = UINT32_MAX };

/* Something unknown beside what the command that is run prints, and not in one line with it. */
static struct stream
unknown_beside(struct walk *w, uint16_t taint)
{
	struct field newline = field_static("\n", NULL);
	struct field unknown = field_unknown(taint, false, NULL);
	struct stream text = { .data = field_join(w->arena, &newline, &unknown), .sure = &nothing };

	return text;
}

/* The paths that it prints, and what is not known of them. */
static struct stream
listed_paths(struct walk *w, const struct findings *found, uint16_t taint)
{
	struct field unknown = field_unknown(taint, false, NULL);
	struct field newline = field_static("\n", NULL);
	struct field slash = field_static("/", NULL);
	struct stream text = { .data = field_static("", NULL), .sure = &nothing };

	for (size_t i = 0; i < found->listed_count; i++) {
		const struct field *path = &found->listed[i];

		text.data = field_join(w->arena, &text.data, path);
		text.data = field_join(w->arena, &text.data, &newline);
		/* And what is below it. */
		if (path->kind == BAILEY_WORD_LITERAL) {
			text.data = field_join(w->arena, &text.data, path);
			text.data = field_join(w->arena, &text.data, &slash);
			text.data = field_join(w->arena, &text.data, &unknown);
			text.data = field_join(w->arena, &text.data, &newline);
		}
	}
	text.data.taint = taint;
	return text;
}

/* Does it print numbers, and nothing that comes out of its input? */
static bool
prints_numbers(const struct command *command)
{
	static const struct {
		const char *name;
		const char *option; /* NULL: always */
	} table[] = {
		{ "wc", NULL },	   { "date", NULL },  { "nproc", NULL },     { "pgrep", NULL },
		{ "pidof", NULL }, { "tput", NULL },  { "getconf", NULL },   { "grep", "-c" },
		{ "grep", "-ic" }, { "grep", "-ci" }, { "grep", "-Ec" },     { "grep", "-cE" },
		{ "grep", "-vc" }, { "grep", "-cv" }, { "grep", "--count" }, { "egrep", "-c" },
		{ "fgrep", "-c" }, { "zgrep", "-c" }, { "id", "-u" },	     { "id", "-g" },
	};
	const char *name = path_base(command->argv[0].text);

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool fits = strcmp(table[i].name, name) == 0;

		for (size_t k = 1; fits && k < command->argc && table[i].option != NULL; k++) {
			if (field_is(&command->argv[k], table[i].option)) {
				return true;
			}
		}
		if (fits && table[i].option == NULL) {
			return true;
		}
	}
	return false;
}

/* Filters that are not followed, and let most of their input through as it is. */
static bool
passes_input(const struct command *command)
{
	static const char *const names[] = {
		"grep", "egrep",    "fgrep",  "rg",	"sort",	    "uniq",    "column",
		"fmt",	"pr",	    "iconv",  "expand", "unexpand", "strings", "dd",
		"pv",	"envsubst", "sponge", "ts",	"unbuffer", "awk",     "gawk",
		"sed",	"m4",	    "cut",    "fold"
	};
	const char *name = path_base(command->argv[0].text);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* The lines of the input may be there, among others. */
static struct stream
input_among(struct walk *w, const struct stream *input, uint16_t taint)
{
	struct field newline = field_static("\n", NULL);
	struct field unknown = field_unknown(taint, false, NULL);
	struct stream text = { .data = field_join(w->arena, &unknown, &newline), .sure = &nothing };

	text.data = field_join(w->arena, &text.data, &input->data);
	text.data = field_join(w->arena, &text.data, &newline);
	text.data = field_join(w->arena, &text.data, &unknown);
	text.data.taint |= taint;
	return text;
}

static struct stream
output_of(struct walk *w, const struct command *command, const struct findings *found,
	  const struct stream *input)
{
	struct stream output = { .data = field_static("", NULL) };
	uint16_t taint;

	if (only_wraps(found) || (found->flags & FIND_OUT_NOTHING) != 0) {
		return output;
	}
	taint = taint_of_output(w, command, found, input);
	if ((found->flags & FIND_OUT_NETWORK) == 0 &&
	    emulate(w->arena, &w->shell, command->argv, command->argc, input, &output)) {
		output.data.taint |= (uint16_t)(taint & (TAINT_DECODED | TAINT_SECRET));
		return output;
	}
	if (found->inners != NULL) {
		return unknown_beside(w, (uint16_t)(taint | TAINT_OUTPUT));
	}
	if (found->listed != NULL) {
		return listed_paths(w, found, (uint16_t)(taint | TAINT_OUTPUT));
	}
	if (prints_numbers(command)) {
		return stream_unknown(0);
	}
	if (input->data.kind == BAILEY_WORD_LITERAL && !input->open && input->data.len > 0 &&
	    passes_input(command) && shell_spend(&w->shell, input->data.len)) {
		return input_among(w, input, (uint16_t)(taint | TAINT_OUTPUT));
	}
	return stream_unknown((uint16_t)(taint | TAINT_OUTPUT));
}

static bool
needs_output(const struct walk *w, const struct findings *found)
{
	if (walk_wants_output(w, 1)) {
		return true;
	}
	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		if ((effect->flags & EFFECT_FROM_OUTPUT) != 0) {
			return true;
		}
	}
	return false;
}

/* ---- following ---------------------------------------------------------------------------- */

static void
follow_effect(struct walk *w, const struct effect *effect, const struct stream *input,
	      const struct stream *output)
{
	bool remote = w->subject.remote;

	w->subject.remote = remote || (effect->flags & EFFECT_REMOTE) != 0;
	if (effect->rule != NULL && effect->rule->decision >= w->floor) {
		account_rule(&w->subject, effect->rule, effect->target, NULL);
	}
	if (effect->deed != DEED_NONE) {
		(void)walk_deed(w, effect);
	}
	w->subject.remote = remote;
	if (effect->deed != DEED_NONE) {
		walk_note_effect(w, effect, input, output);
	}
}

/* Why the command is not known for certain, in words. */
static void
say_unknown(struct walk *w, const struct command *command, const struct findings *found)
{
	const struct field *at = found->unknown_at != NULL ? found->unknown_at : &command->argv[0];
	const char *message = NULL;

	if (w->floor > BAILEY_PROMPT) {
		return;
	}
	if (found->unknown != NULL) {
		message = arena_printf(w->arena, "uses %.64s with %s", command->argv[0].text,
				       found->unknown);
		walk_message(w, WHY_UNKNOWN_USE, message, at);
	} else if (found->effects != NULL || found->inners != NULL) {
		walk_reason(w, WHY_UNKNOWN_USE, at);
	} else {
		walk_reason(w, WHY_UNKNOWN_PROGRAM, at);
	}
}

void
walk_follow(struct walk *w, const struct command *command, const struct findings *found,
	    const struct stream *input)
{
	struct stream output = { .data = field_static("", NULL) };

	if (needs_output(w, found)) {
		output = output_of(w, command, found, input);
	}
	for (const struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		follow_effect(w, effect, input, &output);
	}
	for (const struct inner *inner = found->inners; inner != NULL && !w->arena->failed;
	     inner = inner->next) {
		walk_inner(w, command, inner, input);
	}
	if (output.data.len > 0 || output.bytes != NULL || output.data.taint != 0 ||
	    output.sure != NULL) {
		walk_emit_stream(w, walk_fd(w, 1), &output);
	}
}

/* ---- what a name leads to ----------------------------------------------------------------- */

/* The script wrote, linked or copied what is run here: true when it has been followed. */
static bool
run_written(struct walk *w, const struct command *command)
{
	struct field path = shell_path(&w->shell, &command->argv[0]);
	struct code_run run = { .language = LANG_COUNT_,
				.text = &command->argv[0],
				.argv = command->argv,
				.argc = command->argc };
	bool found = false;

	for (const struct hashed *copy = w->copies; copy != NULL; copy = copy->next) {
		if (field_is(&path, copy->name) && !field_is(&copy->path, copy->name)) {
			path = copy->path;
			break;
		}
	}
	if (!field_is(&path, command->argv[0].text) &&
	    model_program_name(w->arena, &path) != NULL) {
		struct command real = *command;
		struct field *argv = arena_array(w->arena, command->argc, sizeof(*argv));

		if (argv == NULL || !walk_enter(w)) {
			return true;
		}
		memcpy(argv, command->argv, command->argc * sizeof(*argv));
		argv[0] = path;
		real.argv = argv;
		walk_program(w, &real);
		walk_leave(w);
		return true;
	}
	(void)walk_file_text(w, &command->argv[0], &found);
	if (found) {
		walk_code_file(w, &run);
	}
	return found;
}

/* A function of the script that is called for names that nothing else has. */
static bool
run_handler(struct walk *w, const struct command *command)
{
	struct function_def *def = shell_function(&w->shell, "command_not_found_handle");
	struct command call = *command;
	struct field *argv;

	if (def == NULL) {
		return false;
	}
	argv = arena_array(w->arena, command->argc + 1, sizeof(*argv));
	if (argv == NULL) {
		return false;
	}
	argv[0] = command->argv[0];
	memcpy(argv + 1, command->argv, command->argc * sizeof(*argv));
	call.argv = argv;
	call.argc = command->argc + 1;
	walk_call(w, def, &call);
	return true;
}

static void
note_fifos(struct walk *w, const struct command *command)
{
	if (!field_is(&command->argv[0], "mkfifo") && !field_is(&command->argv[0], "mknod")) {
		return;
	}
	for (size_t i = 1; i < command->argc && w->fifo_count < 64; i++) {
		struct field path = shell_path(&w->shell, &command->argv[i]);
		const char **slot;

		if (field_is_literal(&path)) {
			slot = arena_push(w->arena, &w->fifos, &w->fifo_count, sizeof(*slot));
			if (slot != NULL) {
				*slot = path.text;
			}
		}
	}
}

void
walk_program(struct walk *w, const struct command *command)
{
	struct stream input = walk_input(w, 0);
	struct flow *in = walk_fd(w, 0);
	struct findings found;

	/* "./rm" in /bin is a program of the system as well. */
	if (strchr(command->argv[0].text, '/') != NULL &&
	    (w->file_count > 0 || w->copies != NULL || command->argv[0].text[0] != '/') &&
	    run_written(w, command)) {
		return;
	}
	findings_init(&found, w->arena);
	model_judge(&w->shell, command->argv, command->argc, &input, &found);
	if ((found.flags & FIND_KNOWN) == 0) {
		say_unknown(w, command, &found);
		if (found.effects == NULL && found.inners == NULL) {
			(void)run_handler(w, command);
		}
	}
	if ((found.flags & FIND_SANDBOX) != 0 && w->floor == BAILEY_ALLOW) {
		account_sandbox(&w->subject);
	}
	if ((found.flags & FIND_NETWORK) != 0 && (input.data.taint & WALK_TAINT_SHELL) != 0) {
		walk_reason(w, WHY_REVERSE_SHELL, &command->argv[0]);
	}
	if (!walk_is_test(&command->argv[0])) {
		check_secrets(w, command, &found, &input);
	}
	walk_follow(w, command, &found, &input);
	/* Whatever a table says or forgets to say of it. */
	if ((found.flags & FIND_NETWORK) != 0 &&
	    account_command_decision(w->subject.account, w->subject.command) == BAILEY_ALLOW) {
		walk_reason(w, WHY_NETWORK, &command->argv[0]);
	}
	note_fifos(w, command);
	if (in != NULL && (found.flags & FIND_IGNORES_INPUT) == 0) {
		in->touched = true;
	}
}
