/* SPDX-License-Identifier: MIT */
/*
 * Commands and code that commands run: the words behind a wrapper, the text of sh -c, what comes in
 * on the standard input, files. All of it is judged in a subshell unless it acts on this shell.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- coming in and going out -------------------------------------------------------------- */

struct visit {
	struct subshell sub;
	struct subject subject;
	struct trap_text *traps;
	const char *via;
	size_t parent;
	bool here;
};

static bool
too_deep(struct walk *w, const struct field *at)
{
	if (w->depth >= BAILEY_COMMAND_DEPTH) {
		walk_reason(w, WHY_TOO_DEEP, at);
		return true;
	}
	/* Texts that make texts could go on for ever: that is said, and they end. */
	return w->visits > 8 * w->budget && walk_spent(w);
}

static bool
come_in(struct walk *w, struct visit *visit, unsigned flags, const char *via,
	const struct field *at)
{
	if (too_deep(w, at) || !walk_enter(w)) {
		return false;
	}
	w->depth++;
	visit->subject = w->subject;
	visit->via = w->via;
	visit->parent = w->parent;
	visit->traps = w->traps;
	visit->here = (flags & INNER_HERE) != 0;
	if (!visit->here) {
		walk_fork(w, &visit->sub);
		w->traps = NULL;
	}
	if (via != NULL) {
		w->via = via;
	}
	if (w->subject.command != SIZE_MAX) {
		w->parent = w->subject.command;
	}
	if ((flags & INNER_REMOTE) != 0) {
		w->subject.remote = true;
		w->shell.cwd = field_unknown(0, false, NULL);
	}
	return true;
}

static void
go_out(struct walk *w, struct visit *visit)
{
	if (!visit->here) {
		walk_traps_end(w);
		w->traps = visit->traps;
		walk_fork_end(w, &visit->sub);
	}
	w->subject = visit->subject;
	w->via = visit->via;
	w->parent = visit->parent;
	w->depth--;
	walk_leave(w);
}

static void
say_flags(struct walk *w, unsigned flags, const struct field *at)
{
	static const struct {
		unsigned flag;
		enum why why;
	} rows[] = {
		{ INNER_REMOTE, WHY_ELSEWHERE },
		{ INNER_PRIVILEGED, WHY_PRIVILEGED },
		{ INNER_LATER, WHY_LATER },
		{ INNER_PROMPT, WHY_WRAPPER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((flags & rows[i].flag) != 0) {
			walk_reason(w, rows[i].why, at);
		}
	}
}

/* ---- shell text --------------------------------------------------------------------------- */

#define UNKNOWN_NAME "bailey_unknown_part"

static bool
has_known_part(const struct field *text)
{
	for (size_t i = 0; i < text->len; i++) {
		char c = text->text[i];

		if ((text->marks == NULL || text->marks[i] != MARK_UNKNOWN) && c != ' ' &&
		    c != '\n' && c != '\t') {
			return true;
		}
	}
	return false;
}

/* Does an unknown part stand where a command starts? */
static bool
unknown_command(const struct field *text)
{
	bool start = true;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->text[i];

		if (text->marks != NULL && text->marks[i] == MARK_UNKNOWN) {
			if (start) {
				return true;
			}
		} else if (strchr(";&|\n({`", c) != NULL) {
			start = true;
		} else if (c != ' ' && c != '\t') {
			start = false;
		}
	}
	return false;
}

/* A text with unknown parts becomes one with a variable in their places. What is wrong about that
 * (it may stand in quotes) does no harm: such a text is never harmless, and only what is seen in it
 * counts. */
struct field
walk_readable(struct walk *w, const struct field *text)
{
	static const char variable[] = "${" UNKNOWN_NAME "}";
	struct field value = field_unknown(text->taint, false, NULL);
	struct field plain;
	size_t unknown = 0;
	size_t len = 0;
	char *copy;

	if (text->kind != BAILEY_WORD_DYNAMIC) {
		return *text;
	}
	shell_set(&w->shell, UNKNOWN_NAME, &value);

	for (size_t i = 0; i < text->len && text->marks != NULL; i++) {
		unknown += text->marks[i] == MARK_UNKNOWN;
	}
	copy = arena_alloc(w->arena, text->len + unknown * sizeof(variable) + 1);
	for (size_t i = 0; i < text->len && copy != NULL; i++) {
		if (text->marks != NULL && text->marks[i] == MARK_UNKNOWN) {
			memcpy(copy + len, variable, sizeof(variable) - 1);
			len += sizeof(variable) - 1;
		} else {
			copy[len++] = text->text[i];
		}
	}
	plain = field_static(copy != NULL ? copy : "", text);
	plain.len = (uint32_t)len;
	return plain;
}

/* Walks a text whose every part is known, in the shell as it is now. */
static void
walk_known_text(struct walk *w, const struct field *text, enum dialect dialect)
{
	struct source *source = walk_source(w, text);
	struct trouble trouble = { .rule = NULL };
	struct script *script = NULL;

	if (source != NULL) {
		script = syntax_parse(w->arena, source, dialect, w->shell.extglob, &trouble);
	}
	if (script == NULL) {
		return;
	}
	walk_script(w, script);
	if (trouble.rule != NULL) {
		walk_unreadable(w, &trouble, source);
	}
}

static void
say_unknown_text(struct walk *w, const struct code_run *run)
{
	const struct field *text = run->text;

	if (text->kind == BAILEY_WORD_DYNAMIC && (text->taint & TAINT_NETWORK) != 0) {
		walk_reason(w, unknown_command(text) ? WHY_REMOTE_CODE : WHY_REMOTE_PART, text);
	}
	if (text->kind != BAILEY_WORD_LITERAL || text->many) {
		walk_reason(w, has_known_part(text) ? WHY_UNKNOWN_PART : WHY_UNKNOWN_CODE, text);
	} else if ((text->taint & TAINT_DECODED) != 0) {
		walk_reason(w, WHY_DECODED, text);
	}
}

/* A new shell: nothing of this one but what is exported. */
static void
start_shell(struct walk *w, const struct code_run *run)
{
	struct field *positional;

	shell_child(&w->shell);
	w->shell.dialect = run->language == LANG_SH ? DIALECT_SH : DIALECT_BASH;
	w->shell.extglob = false;
	w->shell.expand_aliases = false;
	w->shell.noglob = false;
	w->shell.expanding = false;
	w->shell.positional_known = (run->flags & INNER_MORE) == 0;
	w->shell.positional_count = 0;
	w->shell.zero = run->argc > 0 ? run->argv[0] : field_static("bash", NULL);
	positional = run->argc > 1 ? arena_array(w->arena, run->argc, sizeof(*positional)) : NULL;
	w->shell.positional = positional;
	for (size_t i = 1; i < run->argc && positional != NULL; i++) {
		positional[i - 1] = run->argv[i];
		w->shell.positional_count++;
		w->shell.positional_known = w->shell.positional_known && !run->argv[i].many;
	}
}

static void
walk_shell_text(struct walk *w, const struct code_run *run)
{
	struct field text = *run->text;
	struct visit visit;

	say_unknown_text(w, run);
	if (text.kind == BAILEY_WORD_DYNAMIC) {
		walk_emit_unknown(w, text.taint);
	}
	if (!come_in(w, &visit, run->flags, run->via, run->text)) {
		walk_emit_unknown(w, text.taint);
		return;
	}
	if (!visit.here) {
		start_shell(w, run);
		w->fails = run->fails;
	}
	text = walk_readable(w, &text);
	if (has_known_part(run->text)) {
		walk_known_text(w, &text, w->shell.dialect);
	}
	if (visit.here && run->text->kind != BAILEY_WORD_LITERAL) {
		shell_forget(&w->shell);
	}
	go_out(w, &visit);
}

/* ---- code in any language ----------------------------------------------------------------- */

static void
judge_code(struct walk *w, const struct code_run *run)
{
	struct stream input = walk_input(w, 0);
	struct command command = { .argv = run->argv, .argc = run->argc };
	struct findings found;

	if ((run->text->taint & TAINT_NETWORK) != 0 && run->text->kind == BAILEY_WORD_DYNAMIC) {
		walk_reason(w, has_known_part(run->text) ? WHY_REMOTE_PART : WHY_REMOTE_CODE,
			    run->text);
	}
	findings_init(&found, w->arena);
	code_judge(run->language, run->text, run->argv, run->argc, &input, &found);
	if ((found.flags & FIND_KNOWN) == 0) {
		walk_reason(w, WHY_OTHER_CODE, run->text);
	}
	if ((found.flags & FIND_NETWORK) != 0 && (input.data.taint & TAINT_SECRET) != 0) {
		walk_reason(w, WHY_SECRET_SENT, run->text);
	}
	found.flags |= FIND_OUT_NOTHING; /* who has the code run knows what comes out of it */
	walk_follow(w, &command, &found, &input);
}

void
walk_code(struct walk *w, const struct code_run *run)
{
	struct visit visit;

	if (run->language == LANG_BASH || run->language == LANG_SH) {
		walk_shell_text(w, run);
		return;
	}
	if (come_in(w, &visit, run->flags & ~(unsigned)INNER_HERE, run->via, run->text)) {
		judge_code(w, run);
		go_out(w, &visit);
	}
}

/* eval and its like: the text acts on this shell. */
void
walk_text_here(struct walk *w, const struct field *text, const char *via)
{
	struct code_run run = {
		.language = LANG_BASH, .text = text, .flags = INNER_HERE, .via = via
	};

	walk_code(w, &run);
}

/* Would `text` do something forbidden? Findings that are forbidden stay. */
bool
walk_code_try(struct walk *w, const struct field *text, enum language language)
{
	struct code_run run = { .language = language, .text = text };
	struct trial trial;
	size_t mark = account_mark(w->subject.account);

	walk_try(w, &trial, w->shell.attempt);
	walk_code(w, &run);
	walk_try_end(w, &trial);
	return account_since(w->subject.account, mark) == BAILEY_FORBIDDEN;
}

/* ---- streams and files -------------------------------------------------------------------- */

void
walk_code_stream(struct walk *w, const struct code_run *run, const struct stream *text,
		 const struct field *at)
{
	struct code_run with = *run;
	struct field data = text->data;
	struct flow *flow = walk_fd(w, 0);

	if (data.source == NULL && at != NULL) {
		data.source = at->source;
		data.span = at->span;
		data.exact = UINT32_MAX;
	}
	with.text = &data;
	if (text->open || (!has_known_part(&data) && data.kind == BAILEY_WORD_DYNAMIC)) {
		walk_reason(w,
			    (data.taint & TAINT_NETWORK) != 0 ? WHY_REMOTE_CODE : WHY_UNKNOWN_INPUT,
			    &data);
		walk_emit_unknown(w, data.taint);
		return;
	}
	if (flow != NULL && flow->touched && (run->flags & INNER_SOURCED) == 0) {
		walk_reason(w, WHY_UNKNOWN_INPUT, &data);
	}
	walk_code(w, &with);
}

/* #!/usr/bin/env python3 and the like; the shell itself runs what has no such line. */
static enum language
language_of(const struct field *text)
{
	static const struct {
		const char *name;
		enum language language;
	} rows[] = {
		{ "python", LANG_PYTHON }, { "perl", LANG_PERL },  { "ruby", LANG_RUBY },
		{ "node", LANG_NODE },	   { "php", LANG_PHP },	   { "lua", LANG_LUA },
		{ "tclsh", LANG_TCL },	   { "expect", LANG_TCL }, { "Rscript", LANG_R },
		{ "awk", LANG_AWK },	   { "sed", LANG_SED },	   { "bash", LANG_BASH },
		{ "zsh", LANG_BASH },	   { "ksh", LANG_BASH },   { "sh", LANG_SH },
		{ "dash", LANG_SH },
	};
	size_t len = field_known_prefix(text);
	const char *end = memchr(text->text, '\n', len);
	size_t line = end != NULL ? (size_t)(end - text->text) : len;

	if (len < 2 || text->text[0] != '#' || text->text[1] != '!') {
		return LANG_BASH;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (memmem(text->text, line, rows[i].name, strlen(rows[i].name)) != NULL) {
			return rows[i].language;
		}
	}
	return LANG_OTHER;
}

/* One of the contents that a file may have. */
static void
run_note(struct walk *w, const struct code_run *run, const struct stream *content)
{
	struct code_run with = *run;

	if (with.language == LANG_COUNT_) {
		with.language = language_of(&content->data);
	}
	with.fails = with.fails || strncmp(content->data.text, "#!", 2) == 0;
	if (content->data.kind == BAILEY_WORD_DYNAMIC && !has_known_part(&content->data)) {
		walk_reason(w,
			    (content->data.taint & TAINT_NETWORK) != 0 ? WHY_REMOTE_CODE
								       : WHY_UNKNOWN_FILE,
			    run->text);
		walk_emit_unknown(w, content->data.taint);
		if ((run->flags & INNER_HERE) != 0) {
			shell_forget(&w->shell);
		}
		return;
	}
	with.flags |= INNER_SOURCED;
	walk_code_stream(w, &with, content, run->text);
}

static bool
run_notes(struct walk *w, const struct code_run *run, const struct field *path)
{
	const struct file_note *note =
		field_is_literal(path) ? shell_file(&w->shell, path->text) : NULL;
	unsigned count = 0;

	if (note == NULL || note->link != NULL) {
		return false;
	}
	if (note->unsure) {
		walk_reason(w, WHY_UNKNOWN_FILE, run->text);
	}
	for (; note != NULL && count < SHELL_ALTERNATIVES; note = note->older, count++) {
		run_note(w, run, &note->content);
	}
	return true;
}

void
walk_code_file(struct walk *w, const struct code_run *run)
{
	struct field path = *run->text;
	struct flow *flow = NULL;
	struct stream text;

	if (field_is_literal(&path) && walk_dev_fd(w, path.text, &flow)) {
		text = stream_unknown(TAINT_INPUT);
		if (walk_is_network(flow)) {
			walk_reason(w, WHY_REMOTE_CODE, run->text);
			walk_emit_unknown(w, TAINT_NETWORK);
			return;
		}
		if (flow != NULL && flow->reads) {
			text = flow->text;
		}
		run_note(w, run, &text);
		return;
	}
	path = shell_path(&w->shell, run->text);
	if (run_notes(w, run, &path)) {
		return;
	}
	(void)walk_deed_on(w, DEED_EXECUTE, run->text);
	walk_reason(w, WHY_UNKNOWN_FILE, run->text);
	walk_emit_unknown(w, TAINT_FILE);
	if ((run->flags & INNER_HERE) != 0) {
		shell_forget(&w->shell);
	}
}

/* Has the shell an option with this letter? */
static bool
has_option(const struct command *command, char letter)
{
	for (size_t i = 1; i < command->argc; i++) {
		const struct field *word = &command->argv[i];

		if (word->text[0] == '-' && word->text[1] != '-' &&
		    strchr(word->text, letter) != NULL) {
			return true;
		}
	}
	return false;
}

/* The standard input is code. */
static void
walk_code_input(struct walk *w, const struct command *command, const struct code_run *run,
		const struct stream *input)
{
	struct flow *in = walk_fd(w, 0);
	struct flow *out = walk_fd(w, 1);
	bool shell = run->language == LANG_BASH || run->language == LANG_SH;
	bool to_network = walk_is_network(out);
	struct field hint = field_unknown(TAINT_OUTPUT | WALK_TAINT_SHELL, false, NULL);
	bool fifo = in != NULL && in->fifo;
	struct flow *rest;

	if (walk_is_network(in)) {
		walk_reason(w, WHY_REVERSE_SHELL, &command->argv[0]);
		return;
	}
	if (to_network && (input->open || shell)) {
		walk_reason(w, WHY_REVERSE_SHELL, &command->argv[0]);
	}
	rest = walk_flow_new(w, FLOW_TEXT);
	if (rest != NULL) {
		rest->reads = true;
		rest->text = stream_unknown(input->data.taint);
	}
	walk_code_stream(w, run, input, &command->argv[0]);
	if (in != NULL) {
		in->touched = true;
	}
	if (shell && (fifo || (input->open && has_option(command, 'i')))) {
		walk_emit(w, 1, &hint);
	}
}

/* ---- argument vectors --------------------------------------------------------------------- */

static void
set_environment(struct walk *w, const struct inner *inner)
{
	for (size_t i = 0; inner->assignments != NULL && inner->assignments[i] != NULL; i++) {
		struct assigned a;
		struct var *var;

		if (!walk_split_assignment(w, inner->assignments[i], &a)) {
			walk_reason(w, WHY_VARIABLE, inner->assignments[i]);
			continue;
		}
		walk_environment(w, a.name, &a.value, ENV_PREFIX);
		shell_set(&w->shell, a.name, &a.value);
		var = shell_declare(&w->shell, a.name);
		if (var != NULL) {
			var->exported = true;
		}
	}
}

static void
run_argv(struct walk *w, const struct inner *inner, const struct field *argv, size_t argc)
{
	struct command command = { .argv = argv, .argc = argc };
	struct bailey_span span = { 0, 0 };
	struct visit visit;

	if (argc == 0 || !come_in(w, &visit, inner->flags, inner->via, &argv[0])) {
		walk_emit_unknown(w, 0);
		return;
	}
	if (!visit.here) {
		command.flags = COMMAND_NO_FUNCTION | COMMAND_NO_BUILTIN;
	} else if ((inner->flags & INNER_PROGRAM_ONLY) != 0) {
		command.flags = COMMAND_NO_FUNCTION;
	}
	set_environment(w, inner);
	if (inner->cwd != NULL) {
		struct field dir = shell_path(&w->shell, inner->cwd);

		shell_chdir(&w->shell, &dir);
	}
	if ((inner->flags & INNER_NO_INPUT) != 0) {
		w->io.fd[0] = walk_flow_new(w, FLOW_NULL);
	}
	if (argv[0].source != NULL) {
		span = source_outermost(argv[0].source, argv[0].span);
	}
	walk_add_command(w, &command, NULL, span);
	walk_run(w, &command);
	go_out(w, &visit);
}

static void
split_argv(struct walk *w, const struct inner *inner)
{
	struct fields words = { NULL, 0 };

	walk_split_words(w, inner->text, false, false, &words);
	run_argv(w, inner, words.items, words.count);
}

void
walk_inner(struct walk *w, const struct command *command, const struct inner *inner,
	   const struct stream *input)
{
	struct code_run run = { .language = inner->language,
				.text = inner->text,
				.argv = inner->argv,
				.argc = inner->argc,
				.flags = inner->flags,
				.via = inner->via };
	const struct field *at = inner->text != NULL ? inner->text : inner->argv;

	run.fails =
		inner->kind != INNER_ARGV &&
		(has_option(command, 'e') || has_option(command, 'u') || has_option(command, 'o'));
	say_flags(w, inner->flags, inner->argc > 0 || inner->text != NULL ? at : NULL);
	if ((inner->flags & INNER_INPUT) != 0 || (inner->flags & INNER_MORE) != 0) {
		walk_inner_input(w, inner, input, run_argv);
		return;
	}
	switch (inner->kind) {
	case INNER_ARGV:
		run_argv(w, inner, inner->argv, inner->argc);
		break;
	case INNER_CODE:
		if ((inner->flags & INNER_SPLIT) != 0) {
			split_argv(w, inner);
		} else if (inner->text != NULL) {
			walk_code(w, &run);
		}
		break;
	case INNER_FILE:
		if (inner->text != NULL) {
			walk_code_file(w, &run);
		}
		break;
	case INNER_STDIN:
		walk_code_input(w, command, &run, input);
		break;
	}
}
