/* SPDX-License-Identifier: MIT */
/*
 * Options of an argument vector, as getopt_long() and its relatives read them, against the rows of
 * a table. What a row does is the affair of match_operands.c.
 */
#include "command/match_impl.h"

#include "base/text.h"

#include <string.h>

const struct field match_missing[2] = {
	{ .text = "", .exact = UINT32_MAX },
	{ .text = "", .exact = UINT32_MAX },
};

const struct field *
match_tail(struct matcher *matcher, const struct field *field, size_t from)
{
	struct field *tail = arena_alloc(matcher->arena, sizeof(*tail));

	if (tail == NULL) {
		return field;
	}
	*tail = field_tail(matcher->arena, field, from);
	return tail;
}

void
match_unknown(struct matcher *matcher, const char *what, const struct field *word)
{
	char shown[TEXT_SHOWN_MAX];
	const char *why = what;

	if (matcher->found->unknown == NULL && field_is_literal(word)) {
		why = arena_printf(matcher->arena, "%s %s", what,
				   text_shown(shown, word->text, word->len));
	}
	find_unknown(matcher->found, why != NULL ? why : what, word);
}

/* ---- words that are not known --------------------------------------------------------------- */

/* `word` may be an option, or several, or none. */
static void
word_is_uncertain(struct matcher *matcher, const struct field *word)
{
	size_t at = (size_t)(word - matcher->match.argv);

	matcher->match.uncertain = true;
	matcher->uncertain_at = at < matcher->uncertain_at ? at : matcher->uncertain_at;
	if (match_could_harm(matcher, false)) {
		find_unknown(matcher->found, "a word that may be an option", word);
	}
}

/* A pattern that starts with * may match a file with the name of an option. Names of options that
 * run something seldom end as files do, so *.c is not held for one. */
static void
glob_is_uncertain(struct matcher *matcher, const struct field *word)
{
	bool suffix = word->len >= 2 && word->marks != NULL &&
		      word->marks[word->len - 1] == MARK_LITERAL &&
		      word->marks[word->len - 2] == MARK_LITERAL;

	if (!suffix && match_could_harm(matcher, true)) {
		find_unknown(matcher->found, "a file's name that may be an option", word);
	}
}

/* ---- adding -------------------------------------------------------------------------------- */

static void add_operand(struct matcher *matcher, size_t index);

/* A pattern is the argument of an option: only the first name that it matches is that, and the
 * others are words in front of what follows. */
static void
argument_is_several(struct matcher *matcher, const struct field *word)
{
	size_t at = (size_t)(word - matcher->match.argv);

	if (matcher->levels[0]->subcommands != NULL || matcher->command_after != SIZE_MAX) {
		find_unknown(matcher->found, "a pattern that may be several words", word);
	} else if (field_known_prefix(word) == 0) {
		glob_is_uncertain(matcher, word);
	}
	matcher->match.uncertain = true;
	matcher->uncertain_at = at < matcher->uncertain_at ? at : matcher->uncertain_at;
	if (matcher->levels[0]->subcommands == NULL) {
		add_operand(matcher, at);
	}
}

/* The word behind the current one, as an argument. NULL: there is none. */
static const struct field *
next_word(struct matcher *matcher)
{
	const struct field *word;

	if (matcher->at >= matcher->match.argc) {
		return NULL;
	}
	word = &matcher->match.argv[matcher->at++];
	if ((word->many && word->kind == BAILEY_WORD_DYNAMIC) ||
	    (field_is_several(word) && matcher->match.shell != NULL &&
	     matcher->match.shell->nullglob)) {
		word_is_uncertain(matcher, word);
	} else if (field_is_several(word)) {
		argument_is_several(matcher, word);
	}
	return word;
}

static bool
is_certain(const struct matcher *matcher)
{
	return !matcher->match.uncertain && !matcher->guessed &&
	       (matcher->found->flags & FIND_KNOWN) != 0;
}

/* A pointer into the old words, moved to the new ones. */
static const struct field *
moved(const struct matcher *matcher, const struct field *field, const struct field *words)
{
	const struct field *old = matcher->match.argv;

	return field >= old && field < old + matcher->match.argc ? words + (field - old) : field;
}

/*
 * Puts a word in front of the next one, in a copy of all words, and takes it. So the words that
 * ARG_REST takes always stand side by side, at the end of argv: also in -xVALUE.
 */
static const struct field *
insert_word(struct matcher *matcher, const struct field *word)
{
	struct match *match = &matcher->match;
	size_t at = matcher->at;
	struct field *words = arena_array(matcher->arena, match->argc + 1, sizeof(*words));

	if (words == NULL) {
		return NULL;
	}
	memcpy(words, match->argv, at * sizeof(*words));
	words[at] = *word;
	if (at < match->argc) {
		memcpy(words + at + 1, match->argv + at, (match->argc - at) * sizeof(*words));
	}
	for (size_t i = 0; i < match->option_count; i++) {
		matcher->options[i].word = moved(matcher, matcher->options[i].word, words);
		matcher->options[i].arg = moved(matcher, matcher->options[i].arg, words);
	}
	if (match->operand_count > 0) {
		match->operands = moved(matcher, match->operands, words);
	}
	match->argv = words;
	match->argc++;
	return &words[at];
}

/* The argument of an option that takes the rest; `arg` is its value from the same word, or NULL. */
static void
take_rest(struct matcher *matcher, struct matched_option *option)
{
	struct match *match = &matcher->match;
	bool missing = option->arg == NULL && matcher->at >= match->argc;

	if (missing || option->arg != NULL) {
		option->arg = insert_word(matcher, missing ? match_missing : option->arg);
	} else {
		option->arg = &match->argv[matcher->at];
	}
	if (option->arg == NULL) {
		option->arg = match->argv;
	}
	matcher->at = match->argc;
	if (missing) {
		match_unknown(matcher, "nothing behind option", option->word);
	}
}

/* The argument of an option; `arg` is its value from the same word, or NULL. */
static void
take_argument(struct matcher *matcher, struct matched_option *option)
{
	enum arity arity = option->row->arity;
	bool glued = option->arg != NULL;

	if (arity == ARG_REST) {
		take_rest(matcher, option);
		return;
	}
	if (arity == ARG_NONE || arity == ARG_OPTIONAL) {
		return;
	}
	if (!glued) {
		option->arg = next_word(matcher);
	}
	if (arity == ARG_TWO && (glued || next_word(matcher) == NULL)) {
		option->arg = NULL;
	}
	if (option->arg == NULL) {
		option->arg = match_missing;
		match_unknown(matcher, "nothing behind option", option->word);
	}
}

static void
note_option(struct matcher *matcher, const struct matched_option *option)
{
	struct match *match = &matcher->match;

	switch (option->row->use) {
	case USE_VERSION:
		match->help |= match->argc == 2 && is_certain(matcher);
		break;
	case USE_HELP:
		/* Behind a subcommand that is not known it may be anybody's. */
		match->help |= is_certain(matcher) && (matcher->levels[0]->subcommands == NULL ||
						       match->operand_count == 0);
		break;
	case USE_DRY:
		match->dry = true;
		break;
	case USE_DIR:
		match->dir = match_enter(matcher->arena, match->dir, option->arg);
		break;
	case USE_COMMAND:
		if (option->row->arity == ARG_NONE) {
			matcher->command_after = match->operand_count;
		}
		break;
	default:
		break;
	}
}

/* `glued` is the value in the same word, or NULL. */
static void
add_option(struct matcher *matcher, const struct field *word, char letter,
	   const struct match_name *name, const struct field *glued)
{
	const struct option_row *row = name->row;
	struct matched_option *option = arena_push(matcher->arena, &matcher->options,
						   &matcher->match.option_count, sizeof(*option));

	if (option == NULL) {
		return;
	}
	matcher->match.options = matcher->options;
	/* Room that looking ahead gave back is used again. */
	*option = (struct matched_option){
		.row = row,
		.letter = letter,
		.word = word,
		.arg = glued,
	};
	if (name->name != NULL) {
		option->name = name->name[name->len] == '\0'
				       ? name->name
				       : arena_strndup(matcher->arena, name->name, name->len);
	}
	take_argument(matcher, option);
	note_option(matcher, option);
}

static void
add_operand(struct matcher *matcher, size_t index)
{
	struct match *match = &matcher->match;
	const struct field *word = &match->argv[index];

	if (match->operand_count == 0) {
		match->operands = word;
		match->first_operand = index;
	} else if (matcher->copied == NULL && match->operands + match->operand_count != word) {
		struct field *copied = arena_array(matcher->arena, match->argc, sizeof(*copied));
		size_t *at = arena_array(matcher->arena, match->argc, sizeof(*at));

		if (copied == NULL || at == NULL) {
			return;
		}
		memcpy(copied, match->operands, match->operand_count * sizeof(*copied));
		for (size_t i = 0; i < match->operand_count; i++) {
			at[i] = match->first_operand + i;
		}
		matcher->copied = copied;
		matcher->operand_at = at;
		match->operands = copied;
	}
	if (matcher->copied != NULL) {
		matcher->copied[match->operand_count] = *word;
		matcher->operand_at[match->operand_count] = index;
	}
	match->operand_count++;
}

size_t
match_operand_at(const struct matcher *matcher, size_t index)
{
	return matcher->operand_at != NULL ? matcher->operand_at[index]
					   : matcher->match.first_operand + index;
}

/* An option that no row has. */
static void
unknown_option(struct matcher *matcher, const struct field *word, bool is_long)
{
	if (is_long && (matcher->style & PARSE_OPTIONAL_NEXT) != 0 &&
	    matcher->at < matcher->match.argc && memchr(word->text, '=', word->len) == NULL &&
	    matcher->match.argv[matcher->at].text[0] != '-') {
		matcher->at++;
	}
	if ((matcher->style & PARSE_LOOSE) == 0) {
		match_unknown(matcher, "option", word);
	}
	matcher->guessed = true;
}

/* ---- words --------------------------------------------------------------------------------- */

/* "--name", "--name=value"; `from` is 2, or 1 for "-name". `known` bytes of the word are known.
 * false: no such option. */
static bool
take_long(struct matcher *matcher, const struct field *word, size_t from, size_t known)
{
	const char *equals = memchr(word->text + from, '=', known - from);
	size_t len = equals != NULL ? (size_t)(equals - word->text) - from : word->len - from;
	const struct field *value = NULL;
	struct match_name name;

	if (!match_name(matcher, word->text + from, len, &name)) {
		return false;
	}
	if (equals != NULL) {
		value = match_tail(matcher, word, from + len + 1);
		if (name.row->arity == ARG_NONE) {
			match_unknown(matcher, "option", word);
			return true;
		}
	}
	add_option(matcher, word, 0, &name, value);
	return true;
}

/* The letters of a word from `from` on. */
static void
take_cluster(struct matcher *matcher, const struct field *word, size_t from, size_t known)
{
	for (size_t i = from; i < known && !matcher->match.help; i++) {
		char letter = word->text[i];
		struct match_name name = { .row = match_letter(matcher, letter) };
		bool last = i + 1 == word->len;
		bool no_more = (matcher->style & PARSE_NO_CLUSTER) != 0 && i > from;

		if (name.row == NULL && (matcher->style & PARSE_NUMBER) != 0 && letter >= '0' &&
		    letter <= '9') {
			continue;
		}
		if (name.row == NULL || no_more) {
			unknown_option(matcher, word, false);
			return;
		}
		if (name.row->arity == ARG_NONE || last) {
			add_option(matcher, word, letter, &name, NULL);
			continue;
		}
		if ((matcher->style & PARSE_LONG_ONE) != 0 && word->text[i + 1] == '=') {
			i++;
		}
		add_option(matcher, word, letter, &name, match_tail(matcher, word, i + 1));
		return;
	}
	if (known < word->len) {
		word_is_uncertain(matcher, word);
	}
}

/* A word that starts with a dash and more. */
static void
take_option(struct matcher *matcher, const struct field *word, size_t known)
{
	bool is_long = known >= 2 && word->text[1] == '-';
	bool named = known == word->len || memchr(word->text, '=', known) != NULL;

	if (is_long && word->len == 2) {
		matcher->ended = true;
		matcher->match.operands_after_dashes = true;
		return;
	}
	if (is_long && !named) {
		word_is_uncertain(matcher, word);
	} else if (is_long) {
		if (!take_long(matcher, word, 2, known)) {
			unknown_option(matcher, word, true);
		}
	} else if ((matcher->style & PARSE_LONG_ONE) == 0 || !named ||
		   !take_long(matcher, word, 1, known)) {
		take_cluster(matcher, word, 1, known);
	}
	if (word->many && word->kind == BAILEY_WORD_DYNAMIC) {
		word_is_uncertain(matcher, word);
	}
}

/* "+name", or "+value" for a row with the name "+". */
static void
take_plus(struct matcher *matcher, const struct field *word)
{
	struct match_name name;

	if (match_name(matcher, word->text, word->len, &name) && name.exact) {
		add_option(matcher, word, 0, &name, NULL);
	} else if (match_name(matcher, "+", 1, &name) && name.exact) {
		add_option(matcher, word, 0, &name,
			   word->len > 1 ? match_tail(matcher, word, 1) : NULL);
	} else {
		unknown_option(matcher, word, false);
	}
}

/* The next word. true: it is an operand, and still to be taken. */
static bool
take_word(struct matcher *matcher)
{
	const struct field *word = &matcher->match.argv[matcher->at];
	size_t known = field_is_literal(word) ? word->len : field_known_prefix(word);
	char first = word->text[0];

	if (matcher->ended || (matcher->style & PARSE_NONE) != 0) {
		return true;
	}
	if (known == 0) {
		if (word->kind == BAILEY_WORD_DYNAMIC) {
			word_is_uncertain(matcher, word);
		} else if (word->kind == BAILEY_WORD_GLOB) {
			glob_is_uncertain(matcher, word);
		}
		return true;
	}
	if (first == '-' && (word->len > 1 || known < word->len)) {
		matcher->at++;
		take_option(matcher, word, known);
		return false;
	}
	if (first == '+' && (matcher->style & PARSE_PLUS) != 0) {
		matcher->at++;
		take_plus(matcher, word);
		return false;
	}
	if (word->many && word->kind == BAILEY_WORD_DYNAMIC) {
		word_is_uncertain(matcher, word);
	}
	return true;
}

/* The first word without a dash is letters; their arguments are the next words, in order. */
static void
take_old_cluster(struct matcher *matcher)
{
	const struct field *word = &matcher->match.argv[matcher->at];

	if (!field_is_literal(word) && field_known_prefix(word) == 0) {
		word_is_uncertain(matcher, word);
	}
	if (!field_is_literal(word) || word->len == 0 || word->text[0] == '-') {
		return;
	}
	matcher->at++;
	for (size_t i = 0; i < word->len && !matcher->match.help; i++) {
		struct match_name name = { .row = match_letter(matcher, word->text[i]) };

		if (name.row == NULL) {
			unknown_option(matcher, word, false);
			return;
		}
		add_option(matcher, word, word->text[i], &name, NULL);
	}
}

/* So many operands stand before a command, by the pattern. */
static size_t
command_in_pattern(const char *pattern)
{
	size_t slots = 0;

	for (; pattern != NULL && *pattern != '\0'; pattern++) {
		if (*pattern == '!') {
			return slots;
		}
		slots += *pattern != ' ' && *pattern != '*' && *pattern != '?' && *pattern != '$';
	}
	return SIZE_MAX;
}

void
match_words(struct matcher *matcher, bool to_operand)
{
	struct match *match = &matcher->match;

	if (!to_operand) {
		matcher->command_after = command_in_pattern(matcher->levels[0]->operands);
		if ((matcher->style & PARSE_OLD_TAR) != 0 && matcher->at < match->argc) {
			take_old_cluster(matcher);
		}
	}
	while (matcher->at < match->argc && !match->help) {
		if (!take_word(matcher)) {
			continue;
		}
		if (to_operand) {
			return;
		}
		matcher->ended |= (matcher->style & PARSE_POSIX) != 0 ||
				  match->operand_count >= matcher->command_after;
		add_operand(matcher, matcher->at++);
	}
}

const struct matched_option *
match_option(const struct match *match, char letter, const char *name)
{
	for (size_t i = match->option_count; i > 0; i--) {
		const struct matched_option *option = &match->options[i - 1];

		if ((letter != 0 && option->letter == letter) ||
		    (name != NULL && option->name != NULL && strcmp(option->name, name) == 0)) {
			return option;
		}
	}
	return NULL;
}
