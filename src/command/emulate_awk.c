/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: running awk programs of the plainest kind: actions that print or assign, for
 * BEGIN, END, every record, or the record of one number.
 *
 * Invariant: a program with anything else in it, in any place, is not run: what is not looked at
 * might print too, or change what is printed.
 */

#include "command/code_awk.h"

#define VARIABLES_MAX 32
#define RULES_MAX 32

struct variable {
	size_t name; /* a token */
	struct awk_value value;
};

struct rule_of_awk {
	size_t from; /* tokens of the statements; none: prints the record */
	size_t to;
	char when;	/* B, E, or r for records */
	int64_t number; /* of the record; 0: all */
	bool bare;
};

struct awk_run {
	struct emulation *e;
	struct awk_tokens tokens;
	struct awk_eval eval;
	struct variable variables[VARIABLES_MAX];
	size_t variable_count;
	struct rule_of_awk rules[RULES_MAX];
	size_t rule_count;
	const char *separator;
	const char *given[VARIABLES_MAX]; /* -v NAME=VALUE */
	size_t given_count;
	struct emulate_text record;
	int64_t number;
};

/* ---- what is allowed in it ----------------------------------------------------------------- */

static bool
is_allowed(const struct awk_tokens *tokens, size_t at)
{
	static const char known[] = "BEGIN END print printf sprintf substr toupper tolower length "
				    "NR NF OFS ORS FS";
	const struct awk_token *token = &tokens->items[at];

	switch ((enum awk_kind)token->kind) {
	case AWK_OP:
		return token->op == AWK_OP2('=', '=') ||
		       (token->op < 0x80 && strchr("{}();,=+-*/%$", (int)token->op) != NULL);
	case AWK_NAME:
		if (awk_is_one_of(tokens, at, known)) {
			return !awk_is_one_of(tokens, at, "NR NF") ||
			       !awk_is_op(tokens, at + 1, '=');
		}
		if (awk_is_one_of(tokens, at,
				  "RS RSTART RLENGTH SUBSEP FILENAME FNR ENVIRON ARGV "
				  "ARGC CONVFMT OFMT RT IGNORECASE FIELDWIDTHS FPAT "
				  "PROCINFO SYMTAB NF getline system close fflush")) {
			return false;
		}
		return token->value &&
		       !(awk_is_op(tokens, at + 1, '(') && tokens->items[at + 1].glued);
	case AWK_REGEX:
		return false;
	case AWK_END:
	case AWK_NEWLINE:
	case AWK_NUMBER:
	case AWK_STRING:
	default:
		return true;
	}
}

static bool
all_allowed(const struct awk_tokens *tokens)
{
	size_t i;

	for (i = 0; i < tokens->count; i++) {
		if (!is_allowed(tokens, i)) {
			return false;
		}
	}
	return tokens->certain;
}

static bool
ends_statement(const struct awk_tokens *tokens, size_t at)
{
	return tokens->items[at].kind == AWK_END || tokens->items[at].kind == AWK_NEWLINE ||
	       awk_is_op(tokens, at, ';') || awk_is_op(tokens, at, '}');
}

/* ---- fields and variables ------------------------------------------------------------------ */

static bool
separates(const struct awk_run *run, char c)
{
	if (run->separator == NULL) {
		return c == ' ' || c == '\t' || c == '\n';
	}
	return c == run->separator[0];
}

/* Field `wanted`, counted from 1, and how many there are. */
static int64_t
find_field(const struct awk_run *run, int64_t wanted, struct awk_value *value)
{
	const struct emulate_text *record = &run->record;
	bool blanks = run->separator == NULL;
	int64_t count = 0;
	size_t at = 0;

	while (at < record->len || (!blanks && count > 0 && at == record->len)) {
		size_t start;

		while (blanks && at < record->len && separates(run, record->text[at])) {
			at++;
		}
		if (blanks && at == record->len) {
			break;
		}
		for (start = at; at < record->len && !separates(run, record->text[at]);) {
			at++;
		}
		if (++count == wanted) {
			value->text.text = record->text + start;
			value->text.len = at - start;
		}
		at++;
		if (at > record->len) {
			break;
		}
	}
	return count;
}

static bool
field_value(void *data, int64_t number, struct awk_value *value)
{
	const struct awk_run *run = data;

	*value = (struct awk_value){ .text = { .text = "" } };
	if (number < 0) {
		return false;
	}
	if (number == 0) {
		value->text = run->record;
		return true;
	}
	if (!emulate_is_known(&run->record)) {
		return false;
	}
	(void)find_field(run, number, value);
	return true;
}

static bool
same_name(const struct awk_tokens *tokens, size_t a, size_t b)
{
	const struct awk_token *x = &tokens->items[a];
	const struct awk_token *y = &tokens->items[b];

	return x->end - x->start == y->end - y->start &&
	       memcmp(tokens->text + x->start, tokens->text + y->start, x->end - x->start) == 0;
}

/* A variable from -v. false: it has escapes in it. */
static bool
given_value(const struct awk_run *run, size_t at, struct awk_value *value)
{
	const struct awk_token *name = &run->tokens.items[at];
	size_t len = name->end - name->start;
	size_t i;

	for (i = run->given_count; i > 0; i--) {
		const char *given = run->given[i - 1];

		if (strncmp(given, run->tokens.text + name->start, len) == 0 && given[len] == '=') {
			value->text.text = given + len + 1;
			value->text.len = strlen(value->text.text);
			return memchr(value->text.text, '\\', value->text.len) == NULL;
		}
	}
	return true;
}

static bool
variable_value(void *data, size_t at, unsigned depth, struct awk_value *value)
{
	const struct awk_run *run = data;
	size_t i;

	(void)depth;
	*value = (struct awk_value){ .text = { .text = "" } };
	if (awk_is_word(&run->tokens, at, "NR")) {
		value->is_number = true;
		value->number = run->number;
		return true;
	}
	if (awk_is_word(&run->tokens, at, "NF")) {
		value->is_number = true;
		value->number = find_field(run, -1, value);
		return emulate_is_known(&run->record);
	}
	for (i = 0; i < run->variable_count; i++) {
		if (same_name(&run->tokens, run->variables[i].name, at)) {
			*value = run->variables[i].value;
			return true;
		}
	}
	if (awk_is_one_of(&run->tokens, at, "OFS ORS FS")) {
		return false;
	}
	return given_value(run, at, value);
}

static bool
assign(struct awk_run *run, size_t name, struct awk_value value)
{
	size_t i;

	for (i = 0; i < run->variable_count; i++) {
		if (same_name(&run->tokens, run->variables[i].name, name)) {
			run->variables[i].value = value;
			return true;
		}
	}
	if (run->variable_count == VARIABLES_MAX) {
		return false;
	}
	run->variables[run->variable_count].name = name;
	run->variables[run->variable_count++].value = value;
	return true;
}

/* The text of OFS or ORS, when the program sets it; else `text`. */
static struct emulate_text
separator_text(struct awk_run *run, const char *name, const char *text)
{
	size_t i;

	for (i = 0; i < run->variable_count; i++) {
		if (awk_is_word(&run->tokens, run->variables[i].name, name)) {
			return awk_text(&run->eval, &run->variables[i].value);
		}
	}
	return (struct emulate_text){ .text = text, .len = strlen(text) };
}

/* ---- statements --------------------------------------------------------------------------- */

static void
print_values(struct awk_run *run, size_t from, size_t to)
{
	struct emulate_text between = separator_text(run, "OFS", " ");
	struct emulate_text behind = separator_text(run, "ORS", "\n");
	struct emulate_out *out = &run->e->out;

	if (from == to) {
		emulate_put_text(out, &run->record, 0, run->record.len);
	}
	while (from < to) {
		size_t end = awk_comma(&run->tokens, from, to);
		struct awk_value value = awk_evaluate(&run->eval, from, end);
		struct emulate_text text = awk_text(&run->eval, &value);

		emulate_put_text(out, &text, 0, text.len);
		if (end < to) {
			emulate_put_text(out, &between, 0, between.len);
		}
		from = end + 1;
	}
	emulate_put_text(out, &behind, 0, behind.len);
}

/* One statement; its end is at *at afterwards. */
static bool
run_statement(struct awk_run *run, size_t *at)
{
	const struct awk_tokens *tokens = &run->tokens;
	size_t from = *at + 1;
	size_t to;
	bool prints = awk_is_word(tokens, *at, "print");

	for (to = *at; !ends_statement(tokens, to);) {
		to = awk_skip(tokens, to);
	}
	if (prints || awk_is_word(tokens, *at, "printf")) {
		/* print (a, b) is print a, b */
		if (awk_is_op(tokens, from, '(') && tokens->items[from].match == to - 1) {
			from++;
			to--;
		}
		if (prints) {
			print_values(run, from, to);
		} else {
			awk_format(&run->eval, from, to, &run->e->out);
		}
		*at = to + (from > *at + 1);
		return true;
	}
	if (tokens->items[*at].kind != AWK_NAME || !awk_is_op(tokens, from, '=') ||
	    awk_is_word(tokens, *at, "FS")) {
		return false;
	}
	from = *at;
	*at = to;
	return assign(run, from, awk_evaluate(&run->eval, from + 2, to));
}

static bool
run_rule(struct awk_run *run, const struct rule_of_awk *rule)
{
	size_t at = rule->from;

	if (rule->bare) {
		print_values(run, 0, 0);
		return true;
	}
	while (at < rule->to) {
		if (ends_statement(&run->tokens, at)) {
			at++;
			continue;
		}
		if (!run_statement(run, &at) || run->e->out.over) {
			return false;
		}
	}
	return true;
}

static bool
run_rules(struct awk_run *run, char when)
{
	size_t i;

	for (i = 0; i < run->rule_count; i++) {
		const struct rule_of_awk *rule = &run->rules[i];

		if (rule->when == when && (rule->number == 0 || rule->number == run->number) &&
		    !run_rule(run, rule)) {
			return false;
		}
	}
	return true;
}

/* ---- rules -------------------------------------------------------------------------------- */

/* The pattern at *at: nothing, BEGIN, END, 1, or NR==N. */
static bool
read_pattern(struct awk_run *run, struct rule_of_awk *rule, size_t *at)
{
	const struct awk_tokens *tokens = &run->tokens;
	struct awk_value value;

	if (awk_is_one_of(tokens, *at, "BEGIN END")) {
		rule->when = tokens->text[tokens->items[*at].start];
		(*at)++;
		return awk_is_op(tokens, *at, '{');
	}
	if (awk_is_word(tokens, *at, "NR") && awk_is_op(tokens, *at + 1, AWK_OP2('=', '=')) &&
	    tokens->items[*at + 2].kind == AWK_NUMBER) {
		value = awk_evaluate(&run->eval, *at + 2, *at + 3);
		rule->number = value.is_number ? value.number : 0;
		*at += 3;
		return rule->number > 0;
	}
	if (tokens->items[*at].kind == AWK_NUMBER) {
		value = awk_evaluate(&run->eval, *at, *at + 1);
		(*at)++;
		return value.is_number && value.number != 0;
	}
	return awk_is_op(tokens, *at, '{');
}

static bool
read_rule(struct awk_run *run, size_t *at)
{
	const struct awk_tokens *tokens = &run->tokens;
	struct rule_of_awk rule = { .when = 'r' };

	if (run->rule_count == RULES_MAX || !read_pattern(run, &rule, at)) {
		return false;
	}
	if (awk_is_op(tokens, *at, '{')) {
		rule.from = *at + 1;
		rule.to = tokens->items[*at].match;
		*at = rule.to + 1;
	} else if (ends_statement(tokens, *at)) {
		rule.bare = true;
	} else {
		return false;
	}
	run->rules[run->rule_count++] = rule;
	return true;
}

static bool
read_rules(struct awk_run *run)
{
	size_t at = 0;

	while (run->tokens.items[at].kind != AWK_END) {
		if (run->tokens.items[at].kind == AWK_NEWLINE || awk_is_op(&run->tokens, at, ';')) {
			at++;
		} else if (!read_rule(run, &at)) {
			return false;
		}
	}
	return run->rule_count > 0;
}

/* ---- the tool ----------------------------------------------------------------------------- */

static bool
has_rules(const struct awk_run *run, bool begin)
{
	size_t i;

	for (i = 0; i < run->rule_count; i++) {
		if ((run->rules[i].when == 'B') == begin) {
			return true;
		}
	}
	return false;
}

static bool
run_records(struct awk_run *run, const struct emulate_text *text)
{
	size_t at;

	for (at = 0; at < text->len;) {
		size_t end = emulate_line_end(text, at);

		run->record.text = text->text + at;
		run->record.len = end - at - (text->text[end - 1] == '\n');
		run->number++;
		if ((run->e->shell != NULL && !shell_spend(run->e->shell, 64)) ||
		    !run_rules(run, 'r')) {
			return false;
		}
		at = end;
	}
	return run_rules(run, 'E');
}

/* The arguments: -F, -v, the program. */
static bool
read_args(struct awk_run *run, struct emulate_args *args)
{
	struct emulation *e = run->e;
	size_t i;

	args->operands = arena_array(e->arena, e->argc, sizeof(struct field *));
	for (i = 1; i < e->argc && args->operands != NULL; i++) {
		const char *text = e->argv[i].text;

		if (!field_is_literal(&e->argv[i])) {
			return false;
		}
		e->out.taint |= e->argv[i].taint;
		if (args->count > 0 || text[0] != '-' || text[1] == '\0') {
			args->operands[args->count++] = &e->argv[i];
		} else if ((text[1] == 'F' || text[1] == 'v') &&
			   (text[2] != '\0' || i + 1 < e->argc)) {
			const char *value = text[2] != '\0' ? text + 2 : e->argv[++i].text;

			if (text[1] == 'F') {
				run->separator = value;
			} else if (run->given_count < VARIABLES_MAX) {
				run->given[run->given_count++] = value;
			}
		} else {
			return false;
		}
	}
	return args->operands != NULL && args->count > 0 && run->given_count < VARIABLES_MAX;
}

/* One character that is only itself, or a blank, which is what there is without -F. */
static bool
check_separator(struct awk_run *run)
{
	const char *separator = run->separator;

	if (separator == NULL || strcmp(separator, " ") == 0) {
		run->separator = NULL;
		return true;
	}
	return separator[1] == '\0' && separator[0] > 0 && strchr("t\\\n", separator[0]) == NULL;
}

/* Operands behind the program that assign are not followed. */
static bool
has_plain_files(const struct emulate_args *args)
{
	size_t i;

	for (i = 1; i < args->count; i++) {
		if (memchr(args->operands[i]->text, '=', args->operands[i]->len) != NULL) {
			return false;
		}
	}
	return true;
}

enum emulated
emulate_awk(struct emulation *e)
{
	struct awk_run run = { .e = e, .record = { .text = "" } };
	struct emulate_args args = { .letters = "" };
	struct emulate_text text;
	const struct field *program;
	enum emulated result;

	if (!read_args(&run, &args) || !check_separator(&run) || !has_plain_files(&args)) {
		return EMULATE_NO;
	}
	program = args.operands[0];
	run.eval = (struct awk_eval){ .out = &e->out,
				      .tokens = &run.tokens,
				      .data = &run,
				      .variable = variable_value,
				      .field = field_value };
	if (!awk_read(e->arena, program->text, program->len, &run.tokens) ||
	    !all_allowed(&run.tokens) || !read_rules(&run)) {
		return EMULATE_NO;
	}
	e->out.taint |= TAINT_DECODED;
	if (has_rules(&run, true) && !run_rules(&run, 'B')) {
		return EMULATE_UNKNOWN;
	}
	if (!has_rules(&run, false)) {
		return EMULATE_DONE;
	}
	result = emulate_known_files(e, &args, 1, &text);
	if (result == EMULATE_DONE && !run_records(&run, &text)) {
		return EMULATE_UNKNOWN;
	}
	return result;
}
