/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: echo, yes and what prints a few words.
 */

#include "command/emulate_impl.h"

/* Is this an option of echo? 1, 0, or -1 for maybe. */
static int
echo_option(const struct field *word)
{
	bool unknown = word->kind != BAILEY_WORD_LITERAL || word->many;
	size_t i;

	for (i = 0; i < word->len; i++) {
		if (word->marks != NULL && word->marks[i] != MARK_LITERAL) {
			continue;
		}
		if (word->text[i] == '-' ? i > 0 && !unknown
					 : strchr("neE", word->text[i]) == NULL) {
			return 0;
		}
	}
	if (unknown) {
		return -1;
	}
	return word->len >= 2 && word->text[0] == '-';
}

struct echo {
	bool escapes;
	bool no_newline;
	bool maybe; /* there may be options that are not known */
};

static void
set_echo_options(struct echo *echo, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		if (*letters == 'n') {
			echo->no_newline = true;
		} else {
			echo->escapes = *letters == 'e';
		}
	}
}

/* Goes over the options; gives the index of the first word that is printed. */
static size_t
read_echo_options(struct emulation *e, struct echo *echo)
{
	size_t i;

	for (i = 1; i < e->argc; i++) {
		int option = echo_option(&e->argv[i]);

		if (option <= 0) {
			echo->maybe = option < 0;
			break;
		}
		if (e->flavour == FLAVOUR_SH && strcmp(e->argv[i].text, "-n") != 0) {
			echo->maybe = true;
			break;
		}
		set_echo_options(echo, e->argv[i].text + 1);
	}
	return i;
}

static bool
has_backslash(const struct field *word)
{
	return memchr(word->text, '\\', word->len) != NULL;
}

/* One word. false: nothing is printed behind it. */
static bool
echo_word(struct emulation *e, const struct echo *echo, const struct field *word)
{
	struct emulate_text text = emulate_field(word);
	struct emulate_escape escape = { .out = &e->out, .text = &text, .flavour = e->flavour };

	e->out.taint |= word->taint;
	if (field_is_several(word)) {
		emulate_put_unknown(&e->out);
	} else if (has_backslash(word) && (echo->maybe || e->flavour == FLAVOUR_SH)) {
		emulate_put_unknown(&e->out);
	} else if (echo->escapes) {
		emulate_put_escaped(&escape);
		if (escape.bad) {
			emulate_put_unknown(&e->out);
		}
	} else {
		emulate_put_text(&e->out, &text, 0, text.len);
	}
	return !escape.stop && !escape.bad;
}

enum emulated
emulate_echo(struct emulation *e)
{
	struct echo echo = { .escapes = false };
	size_t first = read_echo_options(e, &echo);
	bool printed = false;
	size_t i;

	if (e->flavour == FLAVOUR_GNU && e->argc == 2 && strncmp(e->argv[1].text, "--", 2) == 0) {
		return EMULATE_UNKNOWN;
	}
	for (i = first; i < e->argc; i++) {
		if (echo.maybe && !printed && echo_option(&e->argv[i]) != 0) {
			e->out.taint |= e->argv[i].taint;
			emulate_put_unknown(&e->out);
			continue;
		}
		/* Nothing stands between an option and what is printed first. */
		if (printed) {
			emulate_put_byte(&e->out, ' ');
		}
		printed = true;
		if (!echo_word(e, &echo, &e->argv[i])) {
			return EMULATE_DONE;
		}
	}
	if (echo.maybe) {
		emulate_put_unknown(&e->out);
	} else if (!echo.no_newline) {
		emulate_put_byte(&e->out, '\n');
	}
	return EMULATE_DONE;
}

/* yes: as much of its endless output as a head that follows may want. */
#define YES_SIZE 4096

enum emulated
emulate_yes(struct emulation *e)
{
	size_t i;

	if (e->argc > 1 && e->argv[1].text[0] == '-') {
		return EMULATE_UNKNOWN;
	}
	for (i = 0; i < YES_SIZE && e->out.len < YES_SIZE && !e->out.over; i++) {
		size_t word;

		for (word = 1; word < e->argc; word++) {
			struct emulate_text text = emulate_field(&e->argv[word]);

			if (!field_is_literal(&e->argv[word])) {
				return EMULATE_UNKNOWN;
			}
			e->out.taint |= e->argv[word].taint;
			emulate_put_text(&e->out, &text, 0, text.len);
			emulate_put_byte(&e->out, word + 1 < e->argc ? ' ' : '\n');
		}
		if (e->argc == 1) {
			emulate_put(&e->out, "y\n", 2);
		}
	}
	emulate_put_unknown(&e->out);
	return EMULATE_DONE;
}
