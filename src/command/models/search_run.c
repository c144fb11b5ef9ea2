/* SPDX-License-Identifier: MIT */
/*
 * Search tools that run commands on words which they are given or find: xargs, parallel, fd.
 *
 * parallel hands its command to a shell as text, with the words quoted; without a command, the
 * words themselves are such texts.
 */
#include "command/models/search_impl.h"
#include "command/models/wrappers_impl.h"

#include <string.h>

/* So many words of parallel's ::: lists are followed one by one. */
#define WORDS_MAX 32

RULE(rule_remote, "parallel.remote", PROMPT, NETWORK, "runs commands on other machines");

/* ---- xargs --------------------------------------------------------------------------------- */

static bool
input_is_known(const struct match *match)
{
	return match->input != NULL && !match->input->open && match->input->sure == NULL &&
	       field_is_literal(&match->input->data);
}

/* -I TEXT, -i[TEXT], --replace[=TEXT], and -J of BSD. */
static const struct field *
replaced_text(const struct match *match, struct findings *found)
{
	const struct matched_option *option = match_option(match, 'I', "replace");
	struct field *braces;

	option = option != NULL ? option : match_option(match, 'i', NULL);
	option = option != NULL ? option : match_option(match, 'J', NULL);
	if (option == NULL) {
		return NULL;
	}
	if (option->arg != NULL) {
		return option->arg;
	}
	braces = arena_alloc(found->arena, sizeof(*braces));
	if (braces != NULL) {
		*braces = field_static("{}", option->word);
	}
	return braces;
}

void
search_xargs(const struct match *match, struct findings *found)
{
	const struct matched_option *file = match_option(match, 'a', "arg-file");
	bool lines = match_option(match, '0', "null") != NULL ||
		     match_option(match, 'd', "delimiter") != NULL;
	struct inner *inner = found->inners;
	unsigned flags = 0;

	if (inner == NULL) {
		inner = wrapper_command(found, "echo", NULL, 0, INNER_PROGRAM_ONLY | INNER_PROMPT,
					"xargs");
	}
	inner->replace = replaced_text(match, found);
	flags |= inner->replace != NULL || lines ? INNER_INPUT_LINES : 0;
	flags |= file == NULL ? INNER_INPUT | INNER_NO_INPUT : 0;
	flags |= file != NULL || !input_is_known(match) ? INNER_MORE : 0;
	wrapper_flag(found, flags);
}

/* ---- parallel ------------------------------------------------------------------------------ */

/* `word` in single quotes, as a shell reads it back. What is not known stays inside of them. */
static struct field
quoted(struct findings *found, const struct field *word)
{
	static const char escaped[] = "'\\''";
	size_t quotes = 2;
	struct field out = *word;
	char *text;
	uint8_t *marks;
	uint32_t len = 0;

	for (size_t i = 0; i < word->len; i++) {
		quotes += word->text[i] == '\'' ? 3 : 0;
	}
	text = arena_alloc(found->arena, word->len + quotes + 1);
	marks = arena_alloc(found->arena, word->len + quotes + 1);
	if (text == NULL || marks == NULL) {
		return field_unknown(word->taint, true, word);
	}
	text[len++] = '\'';
	for (size_t i = 0; i < word->len; i++) {
		if (word->text[i] == '\'') {
			memcpy(text + len, escaped, 4);
			len += 4;
			continue;
		}
		marks[len] = word->marks != NULL ? word->marks[i] : MARK_LITERAL;
		text[len++] = word->text[i];
	}
	text[len++] = '\'';
	out.text = text;
	out.marks = word->marks != NULL ? marks : NULL;
	out.len = len;
	out.exact = UINT32_MAX;
	return out;
}

/* The command of parallel with one word in it: at each {}, or behind it. */
static void
run_with(struct findings *found, const struct field *command, const struct field *word,
	 unsigned flags)
{
	struct field *text = arena_alloc(found->arena, sizeof(*text));
	struct field *quote = arena_alloc(found->arena, sizeof(*quote));
	struct field blank;
	const struct field *replaced;

	if (command == NULL) {
		find_code(found, LANG_SH, word, flags, "parallel");
		return;
	}
	if (text == NULL || quote == NULL) {
		return;
	}
	*quote = quoted(found, word);
	replaced = search_replace(found, command, "{}", quote);
	if (replaced == command) {
		blank = field_static(" ", command);
		*text = field_join(found->arena, command, &blank);
		*text = field_join(found->arena, text, quote);
		replaced = text;
	}
	find_code(found, LANG_SH, replaced, flags, "parallel");
}

/* Is this ":::", "::::", ":::+" or "::::+"? */
static bool
is_list_sign(const struct field *word)
{
	return field_is_literal(word) && service_word_in(word->text, "::: :::+ :::: ::::+");
}

/* {= CODE =} in a word is perl, run for each word that is put in. */
static void
find_perl(struct findings *found, const struct field *word)
{
	size_t known = word != NULL ? word->len : 0;
	const char *at = known > 0 ? strstr(word->text, "{=") : NULL;
	struct field *code;

	if (at == NULL) {
		return;
	}
	code = arena_alloc(found->arena, sizeof(*code));
	if (code != NULL) {
		*code = field_tail(found->arena, word, (size_t)(at - word->text) + 2);
		find_code(found, LANG_PERL, code, 0, "parallel");
	}
	find_unknown(found, "code in perl", word);
}

static void
find_all_perl(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		find_perl(found, match->options[i].arg);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_perl(found, &match->operands[i]);
	}
}

/* The words behind the signs. A file of words is not read here. */
static void
run_lists(struct findings *found, const struct field *command, const struct field *words,
	  size_t count, unsigned flags)
{
	bool files = false;
	size_t done = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_list_sign(&words[i])) {
			files = words[i].len >= 4 && words[i].text[3] == ':';
			continue;
		}
		if (files) {
			find_deed(found, DEED_READ, &words[i]);
			find_unknown(found, "words that are read from a file", &words[i]);
		}
		if (done++ == WORDS_MAX) {
			find_unknown(found, "so many words", &words[i]);
		}
		if (!files && done <= WORDS_MAX) {
			run_with(found, command, &words[i], flags);
		}
	}
}

/* Words from the standard input, when no list is there. */
static void
run_input(const struct match *match, struct findings *found, const struct field *command,
	  unsigned flags)
{
	struct field *word = arena_alloc(found->arena, sizeof(*word));

	if (word == NULL) {
		return;
	}
	if (command == NULL) {
		find_stdin(found, LANG_SH, flags, "parallel");
		return;
	}
	*word = field_unknown(TAINT_INPUT, false, command);
	if (input_is_known(match) && match->input->data.len < 4096) {
		size_t len = match->input->data.len;

		len -= len > 0 && match->input->data.text[len - 1] == '\n' ? 1 : 0;
		*word = field_literal(found->arena, match->input->data.text, len, command);
	}
	run_with(found, command, word, flags);
}

void
search_parallel(const struct match *match, struct findings *found)
{
	size_t words = 0;
	unsigned flags = 0;
	const struct field *command;

	while (words < match->operand_count && !is_list_sign(&match->operands[words])) {
		words++;
	}
	command = wrapper_join(found, match->operands, words);
	find_all_perl(match, found);
	if (match_option(match, 'S', "sshlogin") != NULL ||
	    match_option(match, 0, "sshloginfile") != NULL ||
	    match_option(match, 0, "slf") != NULL) {
		find_rule(found, &rule_remote, NULL);
		flags |= INNER_REMOTE;
	}
	if (match_option(match, 0, "pipe") != NULL || match_option(match, 0, "pipepart") != NULL) {
		if (command != NULL) {
			find_code(found, LANG_SH, command, flags, "parallel");
		}
	} else if (words < match->operand_count) {
		run_lists(found, command, match->operands + words, match->operand_count - words,
			  flags);
	} else if (match_option(match, 'a', "arg-file") != NULL) {
		find_unknown(found, "words that are read from a file", &match->argv[0]);
	} else {
		run_input(match, found, command, flags);
	}
}

/* ---- fd ------------------------------------------------------------------------------------ */

/* Does the search leave most of what is there out? */
static bool
fd_filters(const struct match *match)
{
	const struct field *pattern = match->operand_count > 0 ? &match->operands[0] : NULL;

	if (match_option(match, 'e', "extension") != NULL ||
	    match_option(match, 'S', "size") != NULL || match_option(match, 'o', "owner") != NULL ||
	    match_option(match, 0, "changed-within") != NULL ||
	    match_option(match, 0, "changed-before") != NULL) {
		return true;
	}
	return pattern != NULL &&
	       !(field_is_literal(pattern) &&
		 (pattern->len == 0 || service_word_in(pattern->text, ". .* * ^ $ .+ ^.*$")));
}

static const struct field *
fd_command(struct findings *found, const struct matched_option *exec, const struct field *path,
	   size_t argc, size_t *out)
{
	static const char *const marks[] = { "{}", "{.}", "{/}", "{//}", "{/.}" };
	struct field *argv = arena_array(found->arena, argc + 1, sizeof(*argv));
	bool placed = false;

	if (argv == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < argc; i++) {
		const struct field *word = &exec->arg[i];

		for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++) {
			const struct field *replaced = search_replace(found, word, marks[m], path);

			placed |= replaced != word;
			word = replaced;
		}
		argv[i] = *word;
	}
	if (!placed) {
		argv[argc] = *path;
	}
	*out = argc + (placed ? 0 : 1);
	return argv;
}

static void
fd_run(const struct match *match, struct findings *found, const struct matched_option *exec,
       const struct field *start)
{
	size_t rest = (size_t)(match->argv + match->argc - exec->arg);
	const struct field *path = fd_filters(match) ? search_below(found, start, NULL) : start;
	size_t argc = 0;
	const struct field *argv;
	size_t count = 0;

	while (argc < rest && !field_is(&exec->arg[argc], ";")) {
		argc++;
	}
	if (argc < rest && argc + 1 < rest) {
		find_unknown(found, "what stands behind the command", &exec->arg[argc]);
	}
	argv = argc > 0 ? fd_command(found, exec, path, argc, &count) : NULL;
	if (argv != NULL) {
		find_argv(found, argv, count, INNER_PROGRAM_ONLY | INNER_NO_INPUT, "fd --exec");
	}
}

void
search_fd(const struct match *match, struct findings *found)
{
	struct field *here = arena_alloc(found->arena, sizeof(*here));

	for (size_t i = 0; i < match->option_count && here != NULL; i++) {
		const struct matched_option *exec = &match->options[i];

		if (exec->row->arity != ARG_REST || exec->arg == NULL) {
			continue;
		}
		*here = match->dir != NULL ? *match->dir : field_static(".", exec->word);
		for (size_t at = 1; at < match->operand_count && at <= SEARCH_STARTS_MAX; at++) {
			fd_run(match, found, exec,
			       match_path(match, found->arena, &match->operands[at]));
		}
		if (match->operand_count <= 1) {
			fd_run(match, found, exec, here);
		}
	}
	if (match->operand_count > SEARCH_STARTS_MAX) {
		find_unknown(found, "so many starting points", &match->operands[0]);
	}
}
