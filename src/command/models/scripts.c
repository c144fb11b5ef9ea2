/* SPDX-License-Identifier: MIT */
/*
 * Tools whose programs are small enough to be read whole: awk, sed, jq, yq, bc, dc. The program is
 * an operand or the argument of an option; it may say that the tool only reads.
 */

#include "command/models/interpreters_impl.h"
#include "command/models/models.h"

#include <string.h>

/* The files that a program is read from. */
#define ROW_PROGRAM_FILE(letters, names, language)                                                 \
	{                                                                                          \
		letters, names, ARG_ONE, USE_CODE_FILE, language, 0, NULL, 0                       \
	}

static bool
has_program(const struct match *match, enum language language)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (match->options[i].row->language == language) {
			return true;
		}
	}
	return false;
}

/* Operands from `first` on are files. */
static void
files(const struct match *match, struct findings *found, size_t first, enum deed deed)
{
	for (size_t i = first; i < match->operand_count; i++) {
		if (!field_is(&match->operands[i], "-") || deed != DEED_READ) {
			find_deed(found, deed, &match->operands[i]);
		}
	}
}

/* The program, by options or as the first operand; gives the index of the first file. */
static size_t
program_text(const struct match *match, struct findings *found, enum language language,
	     const char *via)
{
	const struct field *code = interpreter_code(match, found, language);
	bool by_file = false;

	for (size_t i = 0; i < match->option_count; i++) {
		by_file |= match->options[i].row->use == USE_CODE_FILE;
	}
	if (code != NULL && !by_file) {
		find_code(found, language, code, 0, via);
		return 0;
	}
	if (by_file || has_program(match, language)) {
		find_unknown(found, "a program in a file", match->argv);
		if (code != NULL) {
			find_code(found, language, code, 0, via);
		}
		return 0;
	}
	if (match->operand_count == 0) {
		find_unknown(found, "no program", match->argv);
		return 0;
	}
	if (match->operands[0].many) {
		find_unknown(found, "a program that is not known", &match->operands[0]);
	}
	find_code(found, language, &match->operands[0], 0, via);
	return 1;
}

/* ---- awk ----------------------------------------------------------------------------------- */

static const struct option_row awk_options[] = {
	ROW_SHOWS("hV", "help version copyright"), /* some awks ignore them: only alone */
	ROW_PROGRAM_TEXT("e", "source", LANG_AWK),
	ROW_PROGRAM_FILE("fE", "file exec", LANG_AWK),
	ROW_TAKES("vF", "assign field-separator"),
	ROW("il", "include load", ARG_ONE, USE_UNKNOWN),
	ROW("opdDW", "pretty-print profile dump-variables debug", ARG_OPTIONAL, USE_UNKNOWN),
	ROW("I", "trace", ARG_NONE, USE_UNKNOWN),
	ROW_MAYBE("L", "lint"),
	ROW_FLAG("bcCgkMnNOPrsSt", "characters-as-bytes traditional gen-pot csv bignum "
				   "non-decimal-data use-lc-numeric optimize posix re-interval "
				   "no-optimize sandbox lint-old"),
	OPTIONS_END,
};

/* NAME=VALUE among the files sets a variable. */
static bool
is_assignment(const struct field *operand)
{
	const char *equals = memchr(operand->text, '=', operand->len);

	for (const char *c = operand->text; equals != NULL && c < equals; c++) {
		bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';

		if (!letter && (c == operand->text || *c < '0' || *c > '9')) {
			return false;
		}
	}
	return equals != NULL && equals > operand->text;
}

/* The variables that options set, for the program to be read with. */
static void
awk_variables(const struct match *match, struct findings *found)
{
	struct field *set = arena_alloc(found->arena, (match->option_count + 1) * sizeof(*set));
	size_t count = 0;

	for (size_t i = 0; set != NULL && i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->arg != NULL && is_assignment(option->arg)) {
			set[count++] = *option->arg;
		}
	}
	for (struct inner *inner = found->inners; inner != NULL && count > 0; inner = inner->next) {
		if (inner->language == LANG_AWK && inner->argc == 0) {
			inner->argv = set;
			inner->argc = count;
		}
	}
}

static void
awk_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *include = match_option(match, 'i', NULL);
	bool edits =
		include != NULL && include->arg != NULL && service_starts(include->arg, "inplace");
	size_t i;

	if (interpreter_shows(match)) {
		return;
	}
	if (service_has(match, 'h', "help") || service_has(match, 'V', "version")) {
		find_unknown(found, "an option that not every awk has", match->argv);
	}
	i = program_text(match, found, LANG_AWK, "awk");
	awk_variables(match, found);
	for (; i < match->operand_count; i++) {
		if (!is_assignment(&match->operands[i]) && !field_is(&match->operands[i], "-")) {
			find_deed(found, edits ? DEED_EDIT : DEED_READ, &match->operands[i]);
		}
	}
}

/* ---- sed ----------------------------------------------------------------------------------- */

static const struct option_row sed_options[] = {
	ROW_HELP("h", "help version"),
	ROW_PROGRAM_TEXT("e", "expression", LANG_SED),
	ROW_PROGRAM_FILE("f", "file", LANG_SED),
	ROW_MAYBE("i", "in-place"),
	ROW_TAKES("l", "line-length"),
	ROW_FLAG("nErsuzb", "quiet silent regexp-extended posix separate unbuffered null-data "
			    "zero-terminated debug follow-symlinks sandbox binary"),
	OPTIONS_END,
};

static void
sed_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *edit = match_option(match, 'i', "in-place");
	size_t first = program_text(match, found, LANG_SED, "sed");

	if (edit != NULL && edit->arg != NULL &&
	    (edit->arg->kind != BAILEY_WORD_LITERAL ||
	     memchr(edit->arg->text, '/', edit->arg->len) != NULL)) {
		find_unknown(found, "a copy in another directory", edit->arg);
	}
	files(match, found, first, edit != NULL ? DEED_EDIT : DEED_READ);
}

/* ---- jq and yq ----------------------------------------------------------------------------- */

static const struct option_row jq_options[] = {
	ROW_HELP("hV", "help version build-configuration"),
	ROW("f", "from-file", ARG_NONE, USE_UNKNOWN), /* the first operand is the program's file */
	ROW("L", "library-path", ARG_ONE, USE_UNKNOWN),
	ROW(NULL, "arg argjson", ARG_TWO, USE_NOTHING),
	{ NULL, "slurpfile rawfile argfile", ARG_TWO, USE_NOTHING, LANG_BASH, DEED_READ, NULL, 0 },
	ROW_TAKES(NULL, "indent"),
	ROW_FLAG("nrjasSCMceR0", "null-input raw-output join-output ascii-output slurp sort-keys "
				 "color-output monochrome-output compact-output exit-status "
				 "raw-input tab unbuffered stream stream-errors seq args jsonargs "
				 "raw-output0 ascii binary"),
	OPTIONS_END,
};

static void
jq_refine(const struct match *match, struct findings *found)
{
	bool by_file = service_has(match, 'f', "from-file");

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->row->operand == DEED_READ && option->arg >= match->argv &&
		    option->arg + 1 < match->argv + match->argc) {
			find_deed(found, DEED_READ, option->arg + 1);
		}
	}
	if (match->operand_count == 0) {
		return; /* it prints its usage, or its input as it is */
	}
	if (by_file) {
		find_file(found, LANG_JQ, &match->operands[0], 0, "jq");
	} else {
		find_code(found, LANG_JQ, &match->operands[0], 0, "jq");
	}
	files(match, found, 1, DEED_READ);
}

static const struct option_row yq_options[] = {
	ROW_HELP("hV", "help version"),
	ROW_MODE("i", "inplace in-place", DEED_EDIT),
	ROW("sfxL", "split-exp split-exp-file from-file front-matter library-path", ARG_ONE,
	    USE_UNKNOWN),
	ROW_TAKES("opI", "output-format input-format indent csv-separator tsv-separator "
			 "xml-attribute-prefix xml-content-name expression"),
	ROW(NULL, "arg argjson", ARG_TWO, USE_NOTHING),
	ROW_FLAG("nrPCMNejcySvD0R", "null-input unwrapScalar prettyPrint colors no-colors no-doc "
				    "exit-status tojson verbose yaml-output raw-output "
				    "sort-keys slurp compact-output string-interpolation"),
	OPTIONS_END,
};

static void
yq_refine(const struct match *match, struct findings *found)
{
	bool edits =
		service_has(match, 'i', "inplace in-place") || service_has(match, 'i', "inplace");
	size_t first = service_operand_is(match, 0, "e eval ea eval-all") ? 1 : 0;

	if (match->operand_count <= first) {
		return;
	}
	find_code(found, LANG_JQ, &match->operands[first], 0, "yq");
	files(match, found, first + 1, edits ? DEED_EDIT : DEED_READ);
	/* What looks like a file may be the expression's place when only a file is given. */
	if (match->operand_count == first + 1) {
		find_deed(found, edits ? DEED_EDIT : DEED_READ, &match->operands[first]);
	}
}

/* ---- calculators --------------------------------------------------------------------------- */

static const struct option_row bc_options[] = {
	ROW_HELP("hvV", "help version"),
	ROW_PROGRAM_TEXT("e", "expression", LANG_BC),
	ROW("f", "file", ARG_ONE, USE_UNKNOWN),
	ROW_TAKES("SI", "scale ibase obase seed"),
	ROW_FLAG("lqswiLrcgzRP", "mathlib quiet standard warn interactive no-line-length"),
	OPTIONS_END,
};

/* An expression is done before the options behind it are seen. */
static const struct option_row dc_options[] = {
	ROW_SHOWS("hV", "help version"),
	ROW_PROGRAM_TEXT("e", "expression", LANG_DC),
	ROW_PROGRAM_FILE("f", "file", LANG_DC),
	ROW_FLAG("xiPRr", "extended-register interactive"),
	OPTIONS_END,
};

static void
dc_refine(const struct match *match, struct findings *found)
{
	const struct field *code = interpreter_code(match, found, LANG_DC);

	if (interpreter_shows(match)) {
		return;
	}
	if (code != NULL && !service_has(match, 'f', "file")) {
		find_code(found, LANG_DC, code, 0, "dc");
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_file(found, LANG_DC, &match->operands[i], 0, "dc");
	}
	if (!has_program(match, LANG_DC) && match->operand_count == 0) {
		find_stdin(found, LANG_DC, 0, "dc");
	}
	if (match->operand_count > 0 || service_has(match, 'f', "file")) {
		find_unknown(found, "a program in a file", match->argv);
	}
}

const struct program models_scripts[] = {
	{ .names = "awk gawk mawk nawk original-awk",
	  .operands = ".*",
	  .options = awk_options,
	  .style = PARSE_POSIX,
	  .refine = awk_refine },
	{ .names = "sed gsed ssed",
	  .operands = ".*",
	  .options = sed_options,
	  .refine = sed_refine },
	{ .names = "jq gojq",
	  .operands = ".*",
	  .options = jq_options,
	  .style = PARSE_NO_ABBREV,
	  .refine = jq_refine },
	{ .names = "yq jaq",
	  .operands = ".*",
	  .options = yq_options,
	  .style = PARSE_NO_ABBREV,
	  .refine = yq_refine },
	{ .names = "bc", .operands = "u*", .options = bc_options },
	{ .names = "dc", .operands = ".*", .options = dc_options, .refine = dc_refine },
	PROGRAMS_END,
};
