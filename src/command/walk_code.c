/* SPDX-License-Identifier: MIT */
/*
 * Code that is run: the text of sh -c, what comes in on a pipe, files; and code in other languages,
 * which is read elsewhere and comes back as findings.
 */
#include "command/walk_impl.h"

#include <string.h>

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
WALK_APART static void
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

/* What it is made of came over the network, by itself or as the input. */
static bool
is_remote(struct walk *w, const struct field *text)
{
	unsigned taint = text->taint;

	if (text->kind != BAILEY_WORD_DYNAMIC) {
		return false;
	}
	/* Code in another language does not say what it has read. */
	if (taint == 0 || (taint & TAINT_INPUT) != 0) {
		taint |= walk_input(w, 0).data.taint;
	}
	return (taint & TAINT_NETWORK) != 0;
}

static void
say_unknown_text(struct walk *w, const struct code_run *run)
{
	const struct field *text = run->text;

	if (is_remote(w, text)) {
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
	bool known = (run->flags & INNER_MORE) == 0 && /* by the options of who expanded them */
		     shell_countable(&w->shell, run->argv, run->argc) &&
		     (run->argc == 0 || !field_is_several(&run->argv[0]));

	shell_child(&w->shell);
	w->shell.dialect = run->language == LANG_SH ? DIALECT_SH : DIALECT_BASH;
	w->shell.extglob = false;
	w->shell.expand_aliases = false;
	w->shell.aliases_unsure = false;
	w->shell.noglob = false;
	w->shell.nullglob = false;
	w->shell.expanding = false;
	w->at.stack = NULL;
	w->at.missing = NULL;
	w->shell.positional_count = 0;
	w->shell.zero = run->argc > 0 ? run->argv[0] : field_static("bash", NULL);
	positional = run->argc > 1 ? arena_array(w->arena, run->argc, sizeof(*positional)) : NULL;
	w->shell.positional = positional;
	for (size_t i = 1; i < run->argc && positional != NULL; i++) {
		positional[i - 1] = run->argv[i];
		w->shell.positional_count++;
	}
	w->shell.positional_known = known;
}

WALK_APART static void
walk_shell_text(struct walk *w, const struct code_run *run)
{
	struct field text = *run->text;
	struct visit visit;

	say_unknown_text(w, run);
	if (text.kind == BAILEY_WORD_DYNAMIC) {
		walk_emit_unknown(w, text.taint);
	}
	if (!walk_come_in(w, &visit, run->flags, run->via, run->text)) {
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
	walk_go_out(w, &visit);
}

/* ---- code in any language ----------------------------------------------------------------- */

WALK_APART static void
judge_code(struct walk *w, const struct code_run *run)
{
	struct stream input = walk_input(w, 0);
	struct command command = { .argv = run->argv, .argc = run->argc };
	struct findings found;

	if (is_remote(w, run->text)) {
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
	if (walk_come_in(w, &visit, run->flags & ~(unsigned)INNER_HERE, run->via, run->text)) {
		judge_code(w, run);
		walk_go_out(w, &visit);
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
	if (text->sure != NULL) {
		walk_reason(w, WHY_UNKNOWN_PART, &data);
		(void)walk_code_try(w, text->sure, run->language);
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

/* A pattern may stand for a file that the script wrote. */
WALK_APART static void
try_pattern(struct walk *w, const struct code_run *run, const struct field *path)
{
	for (size_t i = 0; path->kind == BAILEY_WORD_GLOB && i < w->file_count && i < 64; i++) {
		const char *name = w->files[i];
		struct field file = field_static(name, path);
		struct trial trial;

		if (pattern_match(path, name, strlen(name), false) == 1) {
			walk_try(w, &trial, w->shell.attempt);
			(void)run_notes(w, run, &file);
			walk_try_end(w, &trial);
		}
	}
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
	try_pattern(w, run, &path);
	(void)walk_deed_on(w, DEED_EXECUTE, run->text);
	walk_reason(w, WHY_UNKNOWN_FILE, run->text);
	walk_emit_unknown(w, TAINT_FILE);
	if ((run->flags & INNER_HERE) != 0) {
		shell_forget(&w->shell);
	}
}
