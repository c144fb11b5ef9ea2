/* SPDX-License-Identifier: MIT */
/*
 * env: sets variables and runs a command, or prints the environment. -S splits its argument by
 * rules of env's own: no shell is there, so ~ and * stay as they are.
 *
 * Invariant: a word of which something is not known may be any number of words, since the unknown
 * text is there before env splits it.
 */
#include "command/models/wrappers_impl.h"

#include "base/strbuf.h"

#include <string.h>

const struct option_row wrapper_env_options[] = {
	ROW_FLAG("i0v", "ignore-environment null debug list-signal-handling"),
	ROW_TAKES("ua", "unset argv0"),
	ROW("C", "chdir", ARG_ONE, USE_DIR),
	ROW("S", "split-string", ARG_REST, USE_NOTHING),
	ROW_MAYBE(NULL, "block-signal default-signal ignore-signal"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

RULE(env_prints, "env.prints", PROMPT, DISCLOSURE,
     "prints the environment, in which there may be secrets");

/* ---- -S ------------------------------------------------------------------------------------ */

/* The words that a text is split into. */
struct splitter {
	struct findings *found;
	const struct field *text;
	size_t at;
	struct field *words;
	size_t count;
	char *word; /* as long as the text: the word that is being put together */
	size_t len;
	bool started; /* also by quotes with nothing in them */
	bool unknown; /* a part of the word is not known */
	bool failed;  /* env would say that this is an error */
	bool done;    /* \c or a comment */
};

static void
end_word(struct splitter *split)
{
	struct field *word;

	if (!split->started) {
		return;
	}
	word = arena_push(split->found->arena, &split->words, &split->count, sizeof(*word));
	if (word == NULL) {
		split->done = true;
		return;
	}
	*word = split->unknown
			? field_unknown(split->text->taint, true, split->text)
			: field_literal(split->found->arena, split->word, split->len, split->text);
	word->taint = split->text->taint;
	split->len = 0;
	split->started = false;
	split->unknown = false;
}

static void
add_char(struct splitter *split, char c)
{
	split->word[split->len++] = c;
	split->started = true;
}

/* Behind a backslash, outside of single quotes. */
static void
take_escape(struct splitter *split, char quote)
{
	static const char from[] = "fnrtv#$\"'\\";
	static const char to[] = "\f\n\r\t\v#$\"'\\";
	char c = split->at < split->text->len ? split->text->text[split->at] : '\0';
	const char *found = c != '\0' ? strchr(from, c) : NULL;

	split->at++;
	if (found != NULL) {
		add_char(split, to[found - from]);
	} else if (c == '_' && quote != 0) {
		add_char(split, ' ');
	} else if (c == '_') {
		end_word(split);
	} else if (c == 'c' && quote == 0) {
		split->done = true;
	} else {
		split->failed = true;
	}
}

/* ${NAME}: what it is is not asked here. */
static void
take_variable(struct splitter *split)
{
	const char *text = split->text->text;
	const char *end = text[split->at] == '{' ? strchr(text + split->at, '}') : NULL;

	if (end == NULL) {
		split->failed = true;
		return;
	}
	split->at = (size_t)(end - text) + 1;
	split->started = true;
	split->unknown = true;
}

static void
take_single(struct splitter *split, char c)
{
	char next = split->text->text[split->at];

	if (c == '\\' && (next == '\\' || next == '\'')) {
		split->at++;
		c = next;
	}
	add_char(split, c);
}

static void
take_char(struct splitter *split, char *quote)
{
	char c = split->text->text[split->at++];

	if (c == *quote && c != 0) {
		*quote = 0;
	} else if (*quote == '\'') {
		take_single(split, c);
	} else if (c == '\\') {
		take_escape(split, *quote);
	} else if (c == '$') {
		take_variable(split);
	} else if (*quote == 0 && (c == '"' || c == '\'')) {
		*quote = c;
		split->started = true;
	} else if (*quote == 0 && c != '\0' && strchr(" \t\n\v\f\r", c) != NULL) {
		end_word(split);
	} else if (*quote == 0 && c == '#' && !split->started) {
		split->done = true;
	} else {
		add_char(split, c);
	}
}

static void
split_text(struct splitter *split)
{
	const struct field *text = split->text;
	char quote = 0;

	split->word = arena_alloc(split->found->arena, text->len + 1);
	if (split->word == NULL) {
		return;
	}
	while (split->at < text->len && !split->done && !split->failed) {
		if (text->marks != NULL && text->marks[split->at] != MARK_LITERAL) {
			split->started = true;
			split->unknown = true;
			split->at++;
			continue;
		}
		take_char(split, &quote);
	}
	split->failed |= quote != 0;
	end_word(split);
}

/* env -S TEXT ARG...: env again, with the words of the text in front of the others. */
static void
run_split(const struct match *match, struct findings *found, const struct matched_option *option)
{
	const struct field *rest = option->arg + 1;
	size_t rest_count = (size_t)(match->argv + match->argc - rest);
	struct splitter split = { .found = found, .text = option->arg };
	struct field *argv;
	struct inner *inner;

	split_text(&split);
	argv = arena_array(found->arena, split.count + rest_count, sizeof(*argv));
	if (split.failed || argv == NULL || split.word == NULL) {
		find_unknown(found, "text that env would not split", option->arg);
		return;
	}
	if (split.count > 0) {
		memcpy(argv, split.words, split.count * sizeof(*argv));
	}
	if (rest_count > 0) {
		memcpy(argv + split.count, rest, rest_count * sizeof(*argv));
	}
	inner = wrapper_command(found, "env", argv, split.count + rest_count, INNER_PROGRAM_ONLY,
				"env -S");
	inner->cwd = match->dir;
}

/* ---- env ----------------------------------------------------------------------------------- */

void
wrapper_env(const struct match *match, struct findings *found)
{
	const struct matched_option *split = match_option(match, 'S', "split-string");
	bool empty = match_option(match, 'i', "ignore-environment") != NULL;
	struct inner *inner = found->inners;

	if (split != NULL) {
		if (split->arg != NULL) {
			run_split(match, found, split);
		}
		return;
	}
	if (inner != NULL && field_is(&inner->argv[0], "-")) {
		inner->argv++;
		inner->argc--;
		empty = true;
	}
	if (inner != NULL) {
		wrapper_take_assignments(found, inner);
		inner->cwd = match->dir;
	}
	if (inner != NULL && inner->argc > 0) {
		return;
	}
	found->inners = NULL;
	found->inners_end = &found->inners;
	found->flags |= FIND_IGNORES_INPUT;
	if (!empty) {
		found->flags |= FIND_OUT_SECRET;
		find_rule(found, &env_prints, NULL);
	}
}
