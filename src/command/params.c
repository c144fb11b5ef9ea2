/* SPDX-License-Identifier: MIT */
/*
 * Parameters: what they are. How they go into a word is in params_emit.c, the operators on values
 * are in params_ops.c and params_transform.c, those that choose between a value and a word in
 * params_choice.c.
 *
 * Invariant: a variable that the text never set is unknown, not empty: it may be in the
 * environment.
 */
#include "command/expand_impl.h"

#include "base/attr.h"
#include "command/shell_vars.h"

#include <stdlib.h>
#include <string.h>

#define NAMEREF_DEPTH 8

/* ---- values ------------------------------------------------------------------------------- */

bool
param_is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (i == 0 || c < '0' || c > '9')) {
			return false;
		}
	}
	return len > 0;
}

void
param_scalar(struct pvalue *value, struct field field)
{
	value->own = field;
	value->items = &value->own;
	value->count = 1;
	value->set = true;
}

void
param_unknown(struct pvalue *value, uint16_t taint, bool word)
{
	value->unknown = true;
	value->word = word;
	value->taint = taint;
	value->count = 0;
}

/* One of several, nobody knows which: attempts try them one by one. */
static void
one_of(struct expander *ex, const struct field *items, size_t count, uint16_t taint,
       struct pvalue *value)
{
	struct shell *shell = ex->shell;

	count = count < SHELL_ALTERNATIVES ? count : SHELL_ALTERNATIVES;
	if (shell->attempts_seen < count) {
		shell->attempts_seen = (unsigned)count;
	}
	if (shell->attempt > 0 && shell->attempt <= count) {
		param_scalar(value, items[shell->attempt - 1]);
		value->own.taint |= taint;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		taint |= items[i].taint;
	}
	param_unknown(value, taint, false);
}

static void
list_of(struct pvalue *value, const struct field *items, size_t count)
{
	value->items = items;
	value->count = count;
	value->set = count > 0;
}

/* Variables that bash makes up when they are read: whatever was assigned, they are something else.
 * `word`: a number, or another single word. */
static bool
is_dynamic(const char *name, bool *word)
{
	static const char *const numbers[] = {
		"RANDOM",  "SRANDOM",	    "SECONDS",	     "LINENO",	"UID",	 "EUID",
		"PPID",	   "BASHPID",	    "EPOCHSECONDS",  "HISTCMD", "SHLVL", "BASH_SUBSHELL",
		"COLUMNS", "EPOCHREALTIME", "BASH_VERSINFO", "LINES",
	};
	static const char *const others[] = {
		"BASH_COMMAND", "BASH_ARGV0", "DIRSTACK",  "FUNCNAME",	  "GROUPS",
		"BASH_REMATCH", "PIPESTATUS", "BASH_ARGV", "BASH_SOURCE", "_",
	};

	if (*name < 'A' || *name > 'Z') {
		*word = false;
		return name[0] == '_' && name[1] == '\0';
	}
	*word = true;
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		if (strcmp(name, numbers[i]) == 0) {
			return true;
		}
	}
	*word = false;
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (strcmp(name, others[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* ---- variables ---------------------------------------------------------------------------- */

const struct var *
param_follow(struct shell *shell, const char **name, const char **element)
{
	const struct var *var = shell_get(shell, *name);

	*element = NULL;
	for (int i = 0; var != NULL && var->nameref && var->set && i < NAMEREF_DEPTH; i++) {
		if (var->unsure || var->count != 1 || !field_is_literal(&var->values[0])) {
			return NULL;
		}
		*name = var->values[0].text;
		if (strchr(*name, '[') != NULL) {
			*element = *name;
			return NULL;
		}
		var = shell_get(shell, *name);
	}
	return var;
}

static uint16_t
taint_of_all(const struct var *var)
{
	uint16_t taint = var->secret ? TAINT_SECRET : 0;

	for (size_t i = 0; i < var->count && i < 64; i++) {
		taint |= var->values[i].taint;
	}
	return taint;
}

/* An unsure variable is unknown, but for attempts. true: that is all there is to it. */
static bool
unsure(struct expander *ex, const struct var *var, struct pvalue *value)
{
	uint16_t taint = (uint16_t)(TAINT_VARIABLE | (var->secret ? TAINT_SECRET : 0));

	if (!var->unsure) {
		return false;
	}
	if (!var->array) {
		one_of(ex, var->alternatives, var->alternative_count, taint, value);
		value->taint |= value->unknown ? var->taint : 0;
		return true;
	}
	if (var->count > 0 && ex->shell->attempts_seen < 1) {
		ex->shell->attempts_seen = 1;
	}
	if (ex->shell->attempt >= 1 && var->count > 0) {
		return false;
	}
	param_unknown(value, (uint16_t)(taint | taint_of_all(var)), false);
	return true;
}

static void
never_set(const char *name, struct pvalue *value)
{
	bool secret = shell_is_secret_name(name);

	param_unknown(value, (uint16_t)(TAINT_VARIABLE | (secret ? TAINT_SECRET : 0)), false);
}

/* Is there a pattern in front of element `place`? Who knows what is there then. */
static bool
behind_several(const struct var *var, size_t place)
{
	for (size_t i = 0; i < place && i < var->count; i++) {
		if (field_is_several(&var->values[i])) {
			return true;
		}
	}
	return false;
}

static void
element_of(struct expander *ex, const struct var *var, const struct field *index,
	   struct pvalue *value)
{
	size_t place;
	bool found;

	if (!var->set && !var->unsure) {
		return;
	}
	if (unsure(ex, var, value)) {
		return;
	}
	if (!shell_place(ex->shell, var, index, &place, &found)) {
		one_of(ex, var->values, var->count, TAINT_VARIABLE, value);
		return;
	}
	if (var->open && (!found || behind_several(var, place))) {
		param_unknown(value, (uint16_t)(TAINT_VARIABLE | taint_of_all(var)), false);
		return;
	}
	if (found && place < var->count) {
		param_scalar(value, var->values[place]);
		value->own.taint |= var->secret ? TAINT_SECRET : 0;
	}
}

static void
scalar_of(struct expander *ex, const struct var *var, struct pvalue *value)
{
	static const char zero_text[] = "0";
	struct field zero = field_static(zero_text, NULL);

	if (var->array) {
		element_of(ex, var, &zero, value);
		return;
	}
	if (unsure(ex, var, value) || !var->set) {
		return;
	}
	param_scalar(value, var->values[0]);
	value->own.taint |= var->secret ? TAINT_SECRET : 0;
}

/* ${x[@]} */
static void
list_of_var(struct expander *ex, const struct var *var, struct pvalue *value)
{
	if (!var->set && !var->unsure) {
		return;
	}
	if (unsure(ex, var, value)) {
		return;
	}
	/* bash has an order of its own for the keys of associative arrays. */
	if (var->assoc && var->count > 1) {
		param_unknown(value, taint_of_all(var), false);
		return;
	}
	list_of(value, var->values, var->count);
}

/* The subscript of "x[i]" as text: what is code in it runs. */
static struct field
index_from_text(struct expander *ex, const char *name, const char *text, size_t len)
{
	struct field index = field_literal(ex->shell->arena, text, len, NULL);
	const struct var *var = shell_get(ex->shell, name);
	struct stream stream;
	int64_t number;
	const char *decimal;

	if (memchr(text, '$', len) != NULL || memchr(text, '`', len) != NULL) {
		stream = expand_evaluate(ex, &index);
		index = stream.data;
	}
	if (var != NULL && var->assoc) {
		return index;
	}
	if (!expand_arith_text(ex, &index, &number)) {
		return field_unknown(index.taint, false, NULL);
	}
	decimal = expand_decimal(ex, number);
	return decimal != NULL ? field_static(decimal, NULL) : field_unknown(0, false, NULL);
}

/* "x[i]" that a nameref or ${!y} names. */
static void
named_element(struct expander *ex, const char *element, struct pvalue *value)
{
	const char *open = element + strcspn(element, "[");
	size_t len = strlen(open);
	char *name = arena_strndup(ex->shell->arena, element, (size_t)(open - element));
	struct field index;
	const struct var *var;

	if (name == NULL || len < 3 || open[len - 1] != ']' || !param_is_name(name, strlen(name))) {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	if (len == 3 && (open[1] == '@' || open[1] == '*')) {
		var = shell_get(ex->shell, name);
		value->list = true;
		value->star = open[1] == '*';
		if (var == NULL) {
			never_set(name, value);
		} else {
			list_of_var(ex, var, value);
		}
		return;
	}
	index = index_from_text(ex, name, open + 1, len - 2);
	param_element(ex, name, &index, value);
}

void
param_variable(struct expander *ex, const char *name, struct pvalue *value)
{
	const char *element;
	const struct var *var;
	bool word;

	if (is_dynamic(name, &word)) {
		param_unknown(value, word ? 0 : TAINT_VARIABLE, word);
		return;
	}
	var = param_follow(ex->shell, &name, &element);
	if (element != NULL) {
		named_element(ex, element, value);
		return;
	}
	value->name = name;
	if (var == NULL) {
		never_set(name, value);
		return;
	}
	scalar_of(ex, var, value);
}

void
param_element(struct expander *ex, const char *name, const struct field *index,
	      struct pvalue *value)
{
	const char *element;
	const struct var *var;
	bool word;

	if (is_dynamic(name, &word)) {
		param_unknown(value, word ? 0 : TAINT_VARIABLE, word);
		return;
	}
	var = param_follow(ex->shell, &name, &element);
	value->name = name;
	if (var == NULL) {
		never_set(name, value);
		return;
	}
	element_of(ex, var, index, value);
}

struct field
expand_index(struct expander *ex, const char *name, const struct word *index)
{
	const char *element;
	const struct var *var = param_follow(ex->shell, &name, &element);
	int64_t number;
	const char *decimal;

	if (var != NULL && var->assoc) {
		return expand_one(ex, index, 0, true);
	}
	if (!expand_arith(ex, index, &number)) {
		return field_unknown(TAINT_VARIABLE, false, NULL);
	}
	decimal = expand_decimal(ex, number);
	return decimal != NULL ? field_static(decimal, NULL) : field_unknown(0, false, NULL);
}

/* ---- parameters by their names ------------------------------------------------------------ */

static void
positional(struct expander *ex, const char *name, struct pvalue *value)
{
	const struct shell *shell = ex->shell;
	unsigned long number = strlen(name) < 9 ? strtoul(name, NULL, 10) : 1000000000;

	if (number == 0) {
		param_scalar(value, shell->zero);
		return;
	}
	if (!shell->positional_known ||
	    (number > shell->positional_count && shell_positional_open(shell))) {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	if (number <= shell->positional_count) {
		param_scalar(value, shell->positional[number - 1]);
	}
}

static void
special(struct expander *ex, char name, struct pvalue *value)
{
	const struct shell *shell = ex->shell;
	const char *count;

	switch (name) {
	case '@':
	case '*':
		value->list = true;
		value->star = name == '*';
		if (!shell->positional_known) {
			param_unknown(value, TAINT_VARIABLE, false);
			return;
		}
		list_of(value, shell->positional, shell->positional_count);
		return;
	case '#':
		count = shell->positional_known && !shell_positional_open(shell)
				? expand_decimal(ex, (int64_t)shell->positional_count)
				: NULL;
		if (count != NULL) {
			param_scalar(value, field_static(count, NULL));
			return;
		}
		param_unknown(value, 0, true);
		return;
	case '?':
	case '$':
	case '-':
		param_unknown(value, 0, true);
		return;
	case '!':
		param_unknown(value, 0, false);
		return;
	default:
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
}

char
param_whole_index(const struct word *index)
{
	const struct part *part = index->parts;
	bool one = part != NULL && part->next == NULL && part->kind == PART_TEXT && part->len == 1;

	return one && !part->quoted && (*part->text == '@' || *part->text == '*') ? *part->text : 0;
}

static void
read_indexed(struct expander *ex, const struct param *param, struct pvalue *value)
{
	const char *name = param->name;
	const char *element;
	const struct var *var;
	struct field index;
	char whole = param_whole_index(param->index);
	bool word;

	if (whole == 0) {
		index = expand_index(ex, name, param->index);
		param_element(ex, name, &index, value);
		return;
	}
	value->list = true;
	value->star = whole == '*';
	if (is_dynamic(name, &word)) {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	var = param_follow(ex->shell, &name, &element);
	value->name = name;
	if (var == NULL) {
		never_set(name, value);
		return;
	}
	list_of_var(ex, var, value);
}

static void
read_direct(struct expander *ex, const struct param *param, struct pvalue *value)
{
	char c = *param->name;

	if (c >= '0' && c <= '9') {
		positional(ex, param->name, value);
	} else if (!param_is_name(param->name, strlen(param->name))) {
		special(ex, c, value);
	} else if (param->index != NULL) {
		read_indexed(ex, param, value);
	} else {
		param_variable(ex, param->name, value);
	}
}

/* ${!x}: the value of x is a name. */
static void
read_indirect(struct expander *ex, const struct param *param, struct pvalue *value)
{
	const struct var *var = NULL;
	struct pvalue name = { 0 };
	struct param direct = { 0 };
	struct field unknown;
	const char *text;

	if (param->index == NULL && param_is_name(param->name, strlen(param->name))) {
		var = shell_get(ex->shell, param->name);
	}
	if (var != NULL && var->nameref && var->set && !var->unsure) {
		param_scalar(value, var->values[0]);
		return;
	}
	read_direct(ex, param, &name);
	if (name.unknown || name.list || name.count != 1 || !field_is_literal(&name.items[0])) {
		unknown = field_unknown(name.count > 0 ? name.items[0].taint : name.taint, false,
					NULL);
		expand_check_foreign(ex, &unknown);
		param_unknown(value,
			      (uint16_t)(TAINT_VARIABLE |
					 (name.count > 0 ? name.items[0].taint : name.taint)),
			      false);
		return;
	}
	text = name.items[0].text;
	if (strchr(text, '[') != NULL) {
		named_element(ex, text, value);
		return;
	}
	direct.name = text;
	if (!param_is_name(text, strlen(text)) && text[strspn(text, "0123456789")] != '\0' &&
	    (strlen(text) != 1 || strchr("@*#?$!-", *text) == NULL)) {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	if (*text == '\0') {
		param_unknown(value, TAINT_VARIABLE, false);
		return;
	}
	read_direct(ex, &direct, value);
}

void
param_read(struct expander *ex, const struct param *param, struct pvalue *value)
{
	if (param->indirect) {
		read_indirect(ex, param, value);
	} else {
		read_direct(ex, param, value);
	}
}
