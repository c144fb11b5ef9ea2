/* SPDX-License-Identifier: MIT */
/*
 * Commands that get more words than the text shows: xargs and its like take them from the standard
 * input, when that is known.
 */
#include "command/walk_impl.h"

#include "base/path.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4096

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

static void
push(struct walk *w, struct fields *out, const struct field *word)
{
	size_t count = out->count;
	struct field *slot = arena_push(w->arena, &out->items, &count, sizeof(*slot));

	if (slot != NULL) {
		*slot = *word;
		slot->exact = UINT32_MAX;
		out->count = count;
	}
}

struct splitter {
	struct walk *w;
	const struct field *text;
	size_t at;
	char *word; /* room for all of the text */
	size_t len;
	bool unknown;
	bool lines;
};

static bool
ends_word(const struct splitter *split, char c)
{
	return split->lines ? c == '\n' || c == '\0' : is_blank(c);
}

static void
take(struct splitter *split)
{
	const struct field *text = split->text;

	split->unknown =
		split->unknown || (text->marks != NULL && text->marks[split->at] == MARK_UNKNOWN);
	split->word[split->len++] = text->text[split->at++];
}

/* One word, without the quotes and backslashes that xargs takes off. */
static void
take_word(struct splitter *split, bool quotes)
{
	const struct field *text = split->text;

	split->len = 0;
	split->unknown = false;
	while (split->at < text->len && !ends_word(split, text->text[split->at])) {
		char c = text->text[split->at];

		if (quotes && c == '\\' && split->at + 1 < text->len) {
			split->at++;
			take(split);
		} else if (quotes && (c == '\'' || c == '"') &&
			   memchr(text->text + split->at + 1, c, text->len - split->at - 1) !=
				   NULL) {
			split->at++;
			while (text->text[split->at] != c) {
				take(split);
			}
			split->at++;
		} else {
			take(split);
		}
	}
}

/* Splits at blanks, or at the ends of lines. */
void
walk_split_words(struct walk *w, const struct field *text, bool lines, bool quotes,
		 struct fields *out)
{
	struct splitter split = { .w = w, .text = text, .lines = lines };

	split.word = arena_alloc(w->arena, text->len + 1);
	while (split.word != NULL && split.at < text->len && out->count < WORDS_MAX) {
		size_t from;
		struct field word;

		while (split.at < text->len && is_blank(text->text[split.at])) {
			split.at++;
		}
		from = split.at;
		take_word(&split, quotes);
		if (split.at == from) {
			continue;
		}
		word = field_literal(w->arena, split.word, split.len, text);
		word.taint = text->taint;
		if (split.unknown) {
			word = field_unknown(text->taint, false, text);
		}
		push(w, out, &word);
	}
}

/* `word` with every `what` in it become `with`. */
static struct field
replaced(struct walk *w, const struct field *word, const struct field *what,
	 const struct field *with)
{
	struct field out = field_static("", word);
	size_t from = 0;
	const char *hit;

	if (what->len == 0 || word->kind != BAILEY_WORD_LITERAL) {
		return *word;
	}
	for (hit = strstr(word->text, what->text); hit != NULL;
	     hit = strstr(word->text + from, what->text)) {
		struct field before = field_literal(w->arena, word->text + from,
						    (size_t)(hit - word->text) - from, word);

		out = field_join(w->arena, &out, &before);
		out = field_join(w->arena, &out, with);
		from = (size_t)(hit - word->text) + what->len;
	}
	if (from == 0) {
		return *word;
	}
	if (from < word->len) {
		struct field rest = field_tail(w->arena, word, from);

		out = field_join(w->arena, &out, &rest);
	}
	return out;
}

static void
run_replaced(struct walk *w, const struct inner *inner, const struct field *value,
	     walk_argv_runner *run)
{
	struct field *argv = arena_array(w->arena, inner->argc, sizeof(*argv));

	if (argv == NULL) {
		return;
	}
	for (size_t i = 0; i < inner->argc; i++) {
		argv[i] = replaced(w, &inner->argv[i], inner->replace, value);
	}
	run(w, inner, argv, inner->argc);
}

static void
run_appended(struct walk *w, const struct inner *inner, const struct fields *words,
	     walk_argv_runner *run)
{
	size_t argc = inner->argc + words->count;
	struct field *argv = arena_array(w->arena, argc, sizeof(*argv));

	if (argv == NULL) {
		return;
	}
	for (size_t i = 0; i < inner->argc; i++) {
		argv[i] = inner->argv[i];
	}
	for (size_t i = 0; i < words->count; i++) {
		argv[inner->argc + i] = words->items[i];
	}
	run(w, inner, argv, argc);
}

/* xargs -n NUMBER and what else says how many words one command gets: 0 for all of them. *odd: the
 * words come in groups of another kind. What is not xargs runs its command for each. */
static size_t
group_size(const struct command *command, bool *odd)
{
	size_t number = 0;

	*odd = false;
	if (!field_is_literal(&command->argv[0]) ||
	    strcmp(path_base(command->argv[0].text), "xargs") != 0) {
		return 1;
	}
	for (size_t i = 1; i < command->argc && command->argv[i].text[0] == '-'; i++) {
		const char *word = command->argv[i].text;
		const char *n = word[1] == '-' ? NULL : strchr(word, 'n');
		const char *value = n != NULL ? n + 1 : "";

		if (strncmp(word, "--max-a", 7) == 0) {
			n = word;
			value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : "";
		}
		*odd = *odd || (word[1] == '-' ? strncmp(word, "--max-", 6) == 0 && n == NULL
					       : strpbrk(word, "lLs") != NULL);
		if (n != NULL && *value == '\0' && i + 1 < command->argc) {
			value = command->argv[++i].text;
		}
		if (n != NULL) {
			number = strtoul(value, NULL, 10);
			*odd = *odd || number == 0;
		}
	}
	return number;
}

#define GROUPS_MAX 64

static void
run_groups(struct walk *w, const struct inner *inner, const struct fields *words, size_t size,
	   walk_argv_runner *run)
{
	struct fields group = *words;
	size_t at = 0;

	if (size == 0 || size >= words->count) {
		run_appended(w, inner, words, run);
		return;
	}
	for (size_t i = 0; at < words->count && i < GROUPS_MAX; i++, at += group.count) {
		group.items = words->items + at;
		group.count = words->count - at < size ? words->count - at : size;
		run_appended(w, inner, &group, run);
	}
	if (at < words->count) {
		struct field unknown = field_unknown(words->items[at].taint, true, NULL);

		group = (struct fields){ &unknown, 1 };
		run_appended(w, inner, &group, run);
	}
}

static void
run_known(struct walk *w, const struct command *command, const struct inner *inner,
	  const struct field *text, bool lines, walk_argv_runner *run)
{
	struct fields words = { NULL, 0 };
	bool odd;
	size_t size = group_size(command, &odd);

	walk_split_words(w, text, lines, true, &words);
	if (words.count >= WORDS_MAX) {
		walk_reason(w, WHY_TOO_MUCH, NULL);
	}
	if (inner->replace == NULL) {
		if (odd) {
			walk_reason(w, WHY_UNKNOWN_USE, &command->argv[0]);
		}
		run_groups(w, inner, &words, size, run);
		return;
	}
	for (size_t i = 0; i < words.count && i < 64; i++) {
		run_replaced(w, inner, &words.items[i], run);
	}
	if (words.count > 64) {
		struct field unknown = field_unknown(text->taint, false, NULL);

		run_replaced(w, inner, &unknown, run);
	}
}

/* What find -print0 and the like print: the ends of words become ends of lines. */
static struct field
without_nuls(struct walk *w, const struct stream *input)
{
	char *text = arena_alloc(w->arena, input->byte_count + 1);
	struct field plain = field_static("", &input->data);

	if (text == NULL) {
		return plain;
	}
	for (size_t i = 0; i < input->byte_count; i++) {
		text[i] = input->bytes[i] == '\0' ? '\n' : input->bytes[i];
	}
	plain.text = text;
	plain.len = (uint32_t)input->byte_count;
	plain.taint = input->data.taint;
	return plain;
}

#define TRIED_LINES 32

/* Lines that are known in part: each is tried for what is forbidden with it. */
static void
try_lines(struct walk *w, const struct inner *inner, const struct field *text,
	  walk_argv_runner *run)
{
	size_t at = 0;

	for (unsigned i = 0; i < TRIED_LINES && at < text->len && text->marks != NULL; i++) {
		const char *end = memchr(text->text + at, '\n', text->len - at);
		size_t len = end != NULL ? (size_t)(end - text->text) - at : text->len - at;
		struct field line = *text;
		struct fields words = { &line, 1 };
		struct trial trial;

		line.text = arena_strndup(w->arena, text->text + at, len);
		line.marks = text->marks + at;
		line.len = (uint32_t)len;
		if (line.text != NULL && len > 0 && line.marks[0] == MARK_LITERAL) {
			walk_try(w, &trial, w->shell.attempt);
			if (inner->replace != NULL) {
				run_replaced(w, inner, &line, run);
			} else {
				run_appended(w, inner, &words, run);
			}
			walk_try_end(w, &trial);
		}
		at += len + 1;
	}
}

/* One of the texts that the words may come from. */
static void
try_known(struct walk *w, const struct command *command, const struct inner *inner,
	  const struct field *text, walk_argv_runner *run)
{
	bool lines = (inner->flags & INNER_INPUT_LINES) != 0;
	struct trial trial;

	if (text->kind != BAILEY_WORD_LITERAL) {
		try_lines(w, inner, text, run);
		return;
	}
	walk_try_in_full(w, &trial, w->shell.attempt);
	run_known(w, command, inner, text, lines, run);
	walk_try_end(w, &trial);
}

void
walk_inner_input(struct walk *w, const struct command *command, const struct inner *inner,
		 const struct stream *input, walk_argv_runner *run)
{
	bool reads = (inner->flags & INNER_INPUT) != 0;
	bool lines = (inner->flags & INNER_INPUT_LINES) != 0;
	uint16_t taint = TAINT_INPUT;
	struct field unknown;
	struct fields words;

	if (inner->kind != INNER_ARGV) {
		return;
	}
	if (reads && input->sure != NULL) {
		try_known(w, command, inner, &input->data, run);
		try_known(w, command, inner, input->sure, run);
	} else if (reads && input->bytes != NULL && input->byte_count <= EMULATE_MAX) {
		unknown = without_nuls(w, input);
		run_known(w, command, inner, &unknown, true, run);
		return;
	}
	if (reads && input->data.kind == BAILEY_WORD_LITERAL && !input->open &&
	    input->sure == NULL) {
		run_known(w, command, inner, &input->data, lines, run);
		return;
	}
	if (reads) {
		taint = (uint16_t)(input->data.taint != 0 ? input->data.taint : TAINT_INPUT);
		try_lines(w, inner, &input->data, run);
	}
	unknown = field_unknown(taint, inner->replace == NULL, NULL);
	if (inner->argc > 0) {
		unknown.source = inner->argv[0].source;
		unknown.span = inner->argv[0].span;
	}
	if (inner->replace != NULL) {
		run_replaced(w, inner, &unknown, run);
		return;
	}
	words = (struct fields){ &unknown, 1 };
	run_appended(w, inner, &words, run);
}
