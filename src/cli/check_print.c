/* SPDX-License-Identifier: MIT */

/*
 * Verdicts for people. Whatever comes from the command is shown with its control and invisible
 * characters escaped, so that it can neither steer the terminal nor hide.
 */

#include "cli/check.h"

#include "base/attr.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define REASONS_SHOWN 12
#define LINE_WIDTH 100

/* The line of the text that holds `at`. */
static struct bailey_span
line_of(const char *text, size_t len, uint32_t at)
{
	struct bailey_span line = { at, at };

	while (line.start > 0 && text[line.start - 1] != '\n') {
		line.start--;
	}
	while (line.end < len && text[line.end] != '\n') {
		line.end++;
	}
	return line;
}

static void
add_shown(struct strbuf *out, const char *text, size_t len)
{
	AUTO_STRBUF piece = STRBUF_INIT;

	strbuf_add(&piece, text, len);
	strbuf_shown(out, piece.text);
}

/* How many columns a shown piece takes: characters, not bytes. */
static size_t
columns(const char *shown, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		n += ((unsigned char)shown[i] & 0xc0U) != 0x80U;
	}
	return n;
}

/* A long line is cut around the span, at whole characters. */
static struct bailey_span
window_of(const char *text, struct bailey_span line, struct bailey_span span)
{
	struct bailey_span window = line;

	if (line.end - line.start <= LINE_WIDTH) {
		return window;
	}
	if (span.start - line.start > LINE_WIDTH / 3) {
		window.start = span.start - LINE_WIDTH / 3;
	}
	if (line.end - window.start > LINE_WIDTH) {
		window.end = window.start + LINE_WIDTH;
	}
	while (window.start < span.start && ((unsigned char)text[window.start] & 0xc0U) == 0x80U) {
		window.start++;
	}
	while (window.end > span.start + 1 && window.end < line.end &&
	       ((unsigned char)text[window.end] & 0xc0U) == 0x80U) {
		window.end--;
	}
	return window;
}

static void
print_carets(const char *text, size_t len, struct bailey_span span)
{
	AUTO_STRBUF before = STRBUF_INIT;
	AUTO_STRBUF marked = STRBUF_INIT;
	AUTO_STRBUF after = STRBUF_INIT;
	struct bailey_span line;
	struct bailey_span window;
	uint32_t end;

	span.start = span.start < len ? span.start : (uint32_t)len;
	line = line_of(text, len, span.start);
	window = window_of(text, line, span);
	end = span.end < window.end ? span.end : window.end;
	end = end > span.start ? end : span.start;
	add_shown(&before, text + window.start, span.start - window.start);
	add_shown(&marked, text + span.start, end - span.start);
	add_shown(&after, text + end, window.end - end);
	(void)printf("  %s%s%s%s%s\n  ", window.start > line.start ? "..." : "", before.text,
		     marked.text, after.text, window.end < line.end ? "..." : "");
	for (size_t i = columns(before.text, before.len) + (window.start > line.start ? 3 : 0);
	     i > 0; i--) {
		(void)putchar(' ');
	}
	for (size_t i = columns(marked.text, marked.len); i > 1; i--) {
		(void)putchar('^');
	}
	(void)puts("^");
}

/* Messages hold paths from the command. */
static void
print_reason(const struct bailey_reason *reason)
{
	AUTO_STRBUF shown = STRBUF_INIT;

	strbuf_shown(&shown, reason->message);
	(void)printf("%-9s  %s: %s\n", bailey_decision_name(reason->decision), reason->rule,
		     shown.text);
}

void
check_print(const struct bailey_verdict *verdict)
{
	size_t len = strlen(verdict->text);
	size_t shown =
		verdict->reason_count < REASONS_SHOWN ? verdict->reason_count : REASONS_SHOWN;

	if (verdict->decision == BAILEY_ALLOW) {
		(void)puts(verdict->requires_sandbox
				   ? "allow      inside the sandbox only: it runs "
				     "what a repository's settings may name"
				   : "allow      only reads, prints or computes");
	}
	for (size_t i = 0; i < shown; i++) {
		const struct bailey_reason *last = i > 0 ? &verdict->reasons[i - 1] : NULL;
		const struct bailey_reason *reason = &verdict->reasons[i];

		if (last != NULL && (last->span.start != reason->span.start ||
				     last->span.end != reason->span.end)) {
			print_carets(verdict->text, len, last->span);
		}
		print_reason(reason);
	}
	if (shown > 0) {
		print_carets(verdict->text, len, verdict->reasons[shown - 1].span);
	}
	if (shown < verdict->reason_count) {
		(void)printf("and %zu more; --json lists all\n", verdict->reason_count - shown);
	}
}

void
check_print_line(const struct bailey_verdict *verdict)
{
	AUTO_STRBUF shown = STRBUF_INIT;

	strbuf_shown(&shown, verdict->text);
	(void)printf("%s\t%s\t%s\n", bailey_decision_name(verdict->decision),
		     verdict->reason_count > 0 ? verdict->reasons[0].rule : "-", shown.text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* A word as it is known: quoted where a blank would hide its end, unknown parts as "...". */
static void
add_word(struct strbuf *out, const struct bailey_word *word)
{
	bool quoted = word->text[0] == '\0' || strpbrk(word->text, " \t\n'\"\\") != NULL;

	strbuf_puts(out, quoted ? "'" : "");
	for (const char *p = word->text; *p != '\0';) {
		size_t plain = strcspn(p, "\x1a");

		add_shown(out, p, plain);
		p += plain;
		if (*p == '\x1a') {
			strbuf_puts(out, word->kind == BAILEY_WORD_DYNAMIC ? "..." : "\\x1a");
			p++;
		}
	}
	strbuf_puts(out, quoted ? "'" : "");
}

static void
add_surroundings(struct strbuf *out, const struct bailey_simple *command)
{
	for (size_t i = 0; i < command->redirection_count; i++) {
		const struct bailey_redirection *redirection = &command->redirections[i];

		strbuf_putc(out, ' ');
		if (redirection->fd > 1) {
			strbuf_printf(out, "%d", redirection->fd);
		}
		strbuf_puts(out, redirection->op);
		strbuf_putc(out, ' ');
		add_word(out, &redirection->target);
	}
}

static void
print_command(const struct bailey_verdict *verdict, size_t index)
{
	AUTO_STRBUF line = STRBUF_INIT;
	const struct bailey_simple *command = &verdict->commands[index];

	for (size_t i = 0; i < command->assignment_count; i++) {
		const struct bailey_assignment *assignment = &command->assignments[i];

		strbuf_printf(&line, "%s%s=", assignment->name, assignment->appends ? "+" : "");
		add_word(&line, &assignment->value);
		strbuf_putc(&line, ' ');
	}
	for (size_t i = 0; i < command->word_count; i++) {
		strbuf_puts(&line, i > 0 ? " " : "");
		add_word(&line, &command->words[i]);
	}
	add_surroundings(&line, command);
	(void)printf("%4zu  %-9s  %s%s%s%s\n", index + 1, bailey_decision_name(command->decision),
		     line.text, command->via != NULL ? "  (by " : "",
		     command->via != NULL ? command->via : "", command->via != NULL ? ")" : "");
}

void
check_explain(const struct bailey_verdict *verdict)
{
	for (size_t i = 0; i < verdict->command_count; i++) {
		print_command(verdict, i);
		for (size_t k = 0; k < verdict->effect_count; k++) {
			const struct bailey_effect *effect = &verdict->effects[k];
			AUTO_STRBUF shown = STRBUF_INIT;

			if (effect->command != i) {
				continue;
			}
			strbuf_shown(&shown, effect->target != NULL ? effect->target : "");
			(void)printf("                   %s%s%s%s%s%s\n",
				     bailey_effect_name(effect->kind), shown.len > 0 ? " " : "",
				     shown.text, effect->place != BAILEY_PLACE_NONE ? " [" : "",
				     bailey_place_name(effect->place),
				     effect->place != BAILEY_PLACE_NONE ? "]" : "");
		}
	}
}
