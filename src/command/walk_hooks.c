/* SPDX-License-Identifier: MIT */
/*
 * What the expansion of words asks for: substitutions are walked in a subshell, and text that is
 * evaluated is read once more.
 */
#include "command/walk_impl.h"

#include <string.h>

static struct stream
without_newlines(struct walk *w, struct stream text)
{
	size_t len = text.data.len;

	while (len > 0 && text.data.text[len - 1] == '\n') {
		len--;
	}
	if (len == text.data.len) {
		return text;
	}
	if (len == 0) {
		uint16_t taint = text.data.taint;

		text.data = field_static("", NULL);
		text.data.taint = taint;
		return text;
	}
	text.data.text = arena_strndup(w->arena, text.data.text, len);
	if (text.data.text == NULL) {
		return stream_unknown(text.data.taint);
	}
	text.data.len = (uint32_t)len;
	return text;
}

/* A text that becomes words. When a part of it may not be there nothing is known of it, and of what
 * it may be, attempts take the most and the least. */
static struct stream
for_words(struct walk *w, struct stream text)
{
	struct shell *shell = &w->shell;

	if (text.sure == NULL) {
		return without_newlines(w, text);
	}
	if (shell->attempts_seen < 2) {
		shell->attempts_seen = 2;
	}
	shell->attempts_text = true;
	if (shell->attempt == 2) {
		text.data = *text.sure;
	} else if (shell->attempt != 1) {
		text = stream_unknown((uint16_t)(text.data.taint | text.sure->taint));
	}
	text.sure = NULL;
	text.bytes = NULL;
	return without_newlines(w, text);
}

/* Walks `script` in a subshell and gives what it writes. */
static struct stream
output_of(struct walk *w, const struct script *script)
{
	struct flow *out = walk_flow_new(w, FLOW_TEXT);
	struct subject subject = w->subject;
	struct outputs outputs;
	struct subshell sub;

	if (out == NULL || !walk_enter(w)) {
		return stream_unknown(TAINT_OUTPUT);
	}
	walk_outputs(w, &outputs);
	walk_fork(w, &sub);
	w->shell.expanding = true;
	w->io.fd[1] = out;
	walk_script(w, script);
	walk_fork_end(w, &sub);
	walk_outputs_doubt(w, &outputs);
	w->subject = subject;
	walk_leave(w);
	return walk_written(w, out);
}

static struct stream
hook_command(void *data, struct shell *shell, struct script *script)
{
	struct walk *w = data;

	(void)shell;
	return for_words(w, output_of(w, script));
}

static struct field
new_dev_fd(struct walk *w, struct flow *flow)
{
	struct flow **slot =
		arena_push(w->arena, &w->dev_fds, &w->dev_fd_count, sizeof(struct flow *));
	const char *path;

	if (slot == NULL || flow == NULL) {
		return field_unknown(TAINT_OUTPUT, false, NULL);
	}
	*slot = flow;
	path = arena_printf(w->arena, "/dev/fd/%zu", DEV_FD_FIRST + w->dev_fd_count - 1);
	return path != NULL ? field_static(path, NULL) : field_unknown(TAINT_OUTPUT, false, NULL);
}

/* The script of >(...) in a subshell, on `text`. */
static void
run_sink(struct walk *w, const struct flow *flow, const struct stream *text, bool touched)
{
	struct subject subject = w->subject;
	struct outputs outputs;
	struct subshell sub;

	if (flow->sink == NULL || !walk_enter(w)) {
		return;
	}
	walk_outputs(w, &outputs);
	walk_fork(w, &sub);
	w->forked++;
	w->io.fd[0] = walk_flow_text(w, text);
	if (w->io.fd[0] != NULL) {
		w->io.fd[0]->touched = touched;
	}
	walk_script(w, flow->sink);
	w->forked--;
	walk_fork_end(w, &sub);
	walk_outputs_doubt(w, &outputs);
	w->subject = subject;
	walk_leave(w);
}

/* It starts now, with the variables of now. What it reads is not known yet: walk_run_sinks() comes
 * back to it, for that and for what it prints. */
static void
start_sink(struct walk *w, const struct flow *flow)
{
	struct stream text = stream_unknown(TAINT_OUTPUT);
	struct flow *out = w->io.fd[1];
	struct flow *nothing = walk_flow_new(w, FLOW_NULL);

	if (nothing != NULL) {
		w->io.fd[1] = nothing;
		run_sink(w, flow, &text, true);
		w->io.fd[1] = out;
	}
}

static struct field
hook_process(void *data, struct shell *shell, const struct part *part)
{
	struct walk *w = data;
	struct flow *flow;
	struct field path;
	struct stream text;

	if (part->kind == PART_OUT) {
		flow = walk_flow_new(w, FLOW_TEXT);
		if (flow != NULL) {
			flow->sink = part->script;
			flow->source = w->source;
			start_sink(w, flow);
			flow->next_sink = w->sinks;
			w->sinks = flow;
		}
		return new_dev_fd(w, flow);
	}
	w->forked++;
	text = output_of(w, part->script);
	w->forked--;
	path = new_dev_fd(w, walk_flow_text(w, &text));
	if (field_is_literal(&path)) {
		struct file_note *note = shell_note_file(shell, path.text);

		if (note != NULL) {
			note->content = text;
		}
	}
	return path;
}

/* Runs the sinks that were made after `until`, each on what was written to it. */
void
walk_run_sinks(struct walk *w, struct flow *until)
{
	while (w->sinks != until && w->sinks != NULL && !w->arena->failed) {
		struct flow *flow = w->sinks;
		struct stream text = walk_written(w, flow);

		w->sinks = flow->next_sink;
		if (walk_spent(w)) {
			continue; /* it has been walked once, when it started */
		}
		if (flow->out.len == 0) {
			text = stream_unknown((uint16_t)(TAINT_OUTPUT | flow->out.taint));
		}
		/* The whole script wrote to it: it may have ended at any place. */
		run_sink(w, flow, &text, until == NULL);
	}
}

/* ${x@P} and subscripts: the text is read once more. */
static struct stream
hook_evaluate(void *data, struct shell *shell, const struct field *text)
{
	struct walk *w = data;
	struct source *source;
	struct trouble trouble = { .rule = NULL };
	struct field readable;
	struct word *word;
	struct expander ex;

	(void)shell;
	if (text->kind != BAILEY_WORD_LITERAL) {
		walk_reason(w,
			    (text->taint & TAINT_NETWORK) != 0 ? WHY_REMOTE_CODE : WHY_UNKNOWN_CODE,
			    text);
	} else if (strstr(text->text, "$(") == NULL && strchr(text->text, '`') == NULL &&
		   strchr(text->text, '$') == NULL) {
		return (struct stream){ .data = *text };
	}
	readable = walk_readable(w, text);
	source = walk_source(w, &readable);
	if (source == NULL || !walk_enter(w)) {
		return stream_unknown(text->taint);
	}
	word = syntax_parse_word(w->arena, source, true, &trouble);
	if (trouble.rule != NULL) {
		walk_unreadable(w, &trouble, source);
	}
	ex = walk_expander(w);
	ex.source = source;
	if (word != NULL) {
		struct stream value = { .data = expand_plain(&ex, word) };

		walk_leave(w);
		return value;
	}
	walk_leave(w);
	return stream_unknown(text->taint);
}

static struct stream
hook_file(void *data, struct shell *shell, const struct part *part)
{
	struct walk *w = data;
	const struct item *item = part->script != NULL ? part->script->items : NULL;
	const struct source *outer = w->source;
	struct io_scope scope = { .changed = 0 };
	struct stream text;

	(void)shell;
	if (item == NULL) {
		return stream_unknown(TAINT_FILE);
	}
	w->source = part->script->source;
	walk_redirect(w, item->node->redirects, true, &scope, NULL);
	text = walk_input(w, 0);
	walk_redirect_end(w, &scope);
	w->source = outer;
	return for_words(w, text);
}

static void
hook_note(void *data, const char *rule, const char *message, const struct part *part)
{
	struct walk *w = data;

	if (w->floor <= BAILEY_PROMPT) {
		account_reason(&w->subject, BAILEY_PROMPT, rule, message, w->source, part->span);
	}
}

const struct expand_hooks walk_hooks = {
	.command = hook_command,
	.process = hook_process,
	.evaluate = hook_evaluate,
	.file = hook_file,
	.note = hook_note,
};
