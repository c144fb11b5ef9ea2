/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: which code an interpreter runs: that of an option, a script, or what it reads.
 * Invariant: an interpreter is never known to be harmless, but for questions about itself.
 */

#include "command/models/interpreters_impl.h"
#include "command/code_lex.h"

#include <string.h>

RULE(remote_script, "code.from-network", FORBIDDEN, EXECUTES,
     "runs code that comes over the network");
RULE(listens, "python.server", PROMPT, NETWORK, "offers files to other machines");

/* ---- what all share ------------------------------------------------------------------------ */

bool
interpreter_shows(const struct match *match)
{
	return match->argc == 2 && match->option_count == 1 && match->operand_count == 0 &&
	       match->options[0].row == match->program->options &&
	       match->options[0].row->arity == ARG_NONE;
}

const struct field *
interpreter_code(const struct match *match, struct findings *found, enum language language)
{
	struct field newline = field_static("\n", NULL);
	const struct field *code = NULL;

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		struct field *joined;

		if (option->row->language != language || option->row->use != USE_NOTHING ||
		    option->arg == NULL) {
			continue;
		}
		if (code == NULL) {
			code = option->arg;
			continue;
		}
		joined = arena_alloc(found->arena, sizeof *joined);
		if (joined == NULL) {
			return code;
		}
		*joined = field_join(found->arena, code, &newline);
		*joined = field_join(found->arena, joined, option->arg);
		code = joined;
	}
	return code;
}

/* The name that the program was called by, for the account. */
static const char *
via(const struct match *match, struct findings *found)
{
	const char *name = model_program_name(found->arena, &match->argv[0]);

	return name != NULL ? name : "code";
}

/* Does the program take its code from somewhere else than the standard input? */
static bool
has_code_elsewhere(const struct match *match)
{
	for (size_t i = 0; i < match->option_count; i++) {
		int use = match->options[i].row->use;

		if (use == DEED_EXECUTE || use == USE_HOST) {
			return true;
		}
	}
	return false;
}

static void
script(const struct match *match, struct findings *found, enum language language,
       const struct field *path)
{
	if (field_is(path, "-") || field_is(path, "/dev/stdin")) {
		find_stdin(found, language, 0, via(match, found));
	} else if (service_starts(path, "http://") || service_starts(path, "https://")) {
		find_rule(found, &remote_script, path);
	} else {
		find_file(found, language, path, 0, via(match, found));
	}
}

void
interpreter_judge(const struct match *match, struct findings *found, enum language language)
{
	const struct field *code;

	if (interpreter_shows(match)) {
		return;
	}
	find_unknown(found, "a program in a language that can do anything", match->argv);
	code = interpreter_code(match, found, language);
	if (code != NULL) {
		find_code(found, language, code, 0, via(match, found));
	} else if (match->operand_count > 0) {
		script(match, found, language, &match->operands[0]);
	} else if (!has_code_elsewhere(match)) {
		find_stdin(found, language, 0, via(match, found));
	}
}

/* ---- Python -------------------------------------------------------------------------------- */

/* Modules that are programs of their own name. */
static const char modules[] =
	"pip pipx poetry uv black ruff mypy flake8 isort pylint pytest tox nox "
	"twine gunicorn uvicorn flask ansible";

static void
python_module(struct findings *found, const struct field *module, const struct field *words,
	      size_t count)
{
	struct field *argv = arena_array(found->arena, count + 1, sizeof *argv);

	if (!field_is_literal(module) || argv == NULL) {
		return;
	}
	argv[0] = *module;
	memcpy(argv + 1, words, count * sizeof *argv);
	if (service_word_in(module->text, modules) || field_is(module, "pip3")) {
		find_argv(found, argv, count + 1, INNER_PROMPT | INNER_PROGRAM_ONLY, "python -m");
	} else if (service_word_in(module->text, "http.server SimpleHTTPServer smtpd uvicorn")) {
		find_rule(found, &listens, NULL);
		found->flags |= FIND_NETWORK;
	} else if (service_word_in(module->text, "timeit IPython")) {
		for (size_t i = 0; i < count; i++) {
			if (words[i].len > 0 && words[i].text[0] != '-') {
				find_code(found, LANG_PYTHON, &words[i], 0, "python -m timeit");
			}
		}
	} else if (service_word_in(module->text, "venv virtualenv ensurepip") && count > 0) {
		find_deed(found, DEED_EXTRACT, &words[count - 1]);
	} else if (field_is(module, "json.tool") && count > 1) {
		find_deed(found, DEED_WRITE, &words[count - 1]);
	} else if (field_is(module, "django")) {
		framework_words(words, count, true, found);
	}
}

/* Is `name` the last component of the path? */
static bool
is_named(const struct field *path, const char *name)
{
	size_t len = strlen(name);

	return field_is_literal(path) && path->len >= len &&
	       strcmp(path->text + path->len - len, name) == 0;
}

void
interpreter_python(const struct match *match, struct findings *found)
{
	const struct matched_option *module = match_option(match, 'm', NULL);
	const struct field *words;

	if (module == NULL) {
		interpreter_judge(match, found, LANG_PYTHON);
		if (match->operand_count > 1 && is_named(&match->operands[0], "manage.py")) {
			framework_words(match->operands, match->operand_count, true, found);
		}
		return;
	}
	find_unknown(found, "a module of Python", match->argv);
	if (module->arg == NULL) {
		return;
	}
	words = module->word + (module->arg == module->word + 1 ? 2 : 1);
	if (words <= match->argv + match->argc) {
		python_module(found, module->arg, words,
			      (size_t)(match->argv + match->argc - words));
	}
}

/* ---- Perl and Ruby ------------------------------------------------------------------------- */

/* With -n and -p the operands are files that are read, with -i edited. */
static void
line_files(const struct match *match, struct findings *found, enum language language)
{
	bool edits = service_has(match, 'i', NULL);

	if (interpreter_code(match, found, language) == NULL ||
	    (!service_has(match, 'n', NULL) && !service_has(match, 'p', NULL))) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, edits ? DEED_EDIT : DEED_READ, &match->operands[i]);
	}
}

void
interpreter_perl(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_PERL);
	line_files(match, found, LANG_PERL);
	for (size_t i = 0; i < match->option_count; i++) {
		/* What -M says is the text of a use. */
		if (match->options[i].letter == 'M' && match->options[i].arg != NULL) {
			find_code(found, LANG_PERL, match->options[i].arg, 0, "perl -M");
		}
	}
}

void
interpreter_ruby(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_RUBY);
	line_files(match, found, LANG_RUBY);
	if (match->operand_count > 1) {
		framework_words(match->operands + 1, match->operand_count - 1, false, found);
	}
}

/* ---- JavaScript ---------------------------------------------------------------------------- */

void
interpreter_node(const struct match *match, struct findings *found)
{
	const struct matched_option *print = match_option(match, 'p', NULL);

	/* -pe is one option, whose argument is the next word. */
	if (print != NULL && print->arg != NULL &&
	    (field_is(print->arg, "e") || field_is(print->arg, "-e")) && match->operand_count > 0) {
		find_unknown(found, "a program in a language that can do anything", match->argv);
		find_code(found, LANG_NODE, &match->operands[0], 0, "node");
		return;
	}
	interpreter_judge(match, found, LANG_NODE);
}

void
interpreter_deno(const struct match *match, struct findings *found)
{
	const struct field *first = service_operand(match, 0);

	if (interpreter_shows(match)) {
		return;
	}
	find_unknown(found, "a program in a language that can do anything", match->argv);
	if (first == NULL) {
		find_stdin(found, LANG_NODE, 0, "deno");
	} else if (field_is(first, "eval") && match->operand_count > 1) {
		find_code(found, LANG_NODE, &match->operands[match->operand_count - 1], 0, "deno");
		find_code(found, LANG_NODE, &match->operands[1], 0, "deno");
	} else if (service_operand_is(match, 0, "run test bench serve install compile x")) {
		for (size_t i = 1; i < match->operand_count; i++) {
			if (service_starts(&match->operands[i], "-") &&
			    !field_is(&match->operands[i], "-")) {
				continue;
			}
			script(match, found, LANG_NODE, &match->operands[i]);
			break;
		}
	} else if (!service_operand_is(match, 0,
				       "fmt lint check info doc repl task upgrade cache "
				       "types coverage jupyter lsp add remove publish")) {
		script(match, found, LANG_NODE, first);
	}
}

/* ---- PHP and others ------------------------------------------------------------------------ */

void
interpreter_php(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_PHP);
	if (match->operand_count > 1) {
		framework_words(match->operands + 1, match->operand_count - 1, false, found);
	}
}

void
interpreter_lua(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_LUA);
}

void
interpreter_tcl(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_TCL);
}

void
interpreter_r(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_R);
}

void
interpreter_osascript(const struct match *match, struct findings *found)
{
	const struct matched_option *language = match_option(match, 'l', NULL);
	bool script_language = language != NULL && language->arg != NULL &&
			       lex_same(language->arg->text, language->arg->len, "javascript");
	const struct field *code = interpreter_code(match, found, LANG_OSASCRIPT);

	if (script_language && code != NULL) {
		find_unknown(found, "a program in a language that can do anything", match->argv);
		find_code(found, LANG_NODE, code, 0, "osascript");
		return;
	}
	interpreter_judge(match, found, LANG_OSASCRIPT);
}

void
interpreter_lisp(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_SCHEME);
}

void
interpreter_other(const struct match *match, struct findings *found)
{
	interpreter_judge(match, found, LANG_OTHER);
}

void
interpreter_m4(const struct match *match, struct findings *found)
{
	if (interpreter_shows(match)) {
		return;
	}
	find_unknown(found, "macros that may run programs", match->argv);
	for (size_t i = 0; i < match->operand_count; i++) {
		script(match, found, LANG_M4, &match->operands[i]);
	}
	if (match->operand_count == 0) {
		find_stdin(found, LANG_M4, 0, "m4");
	}
}

void
interpreter_gdb(const struct match *match, struct findings *found)
{
	const struct field *code;

	if (interpreter_shows(match)) {
		return;
	}
	find_unknown(found, "a debugger", match->argv);
	code = interpreter_code(match, found, LANG_GDB);
	if (code != NULL) {
		find_code(found, LANG_GDB, code, 0, "gdb");
	} else {
		find_stdin(found, LANG_GDB, 0, "gdb");
	}
	if (match->operand_count > 0) {
		find_deed(found, DEED_EXECUTE, &match->operands[0]);
	}
}
