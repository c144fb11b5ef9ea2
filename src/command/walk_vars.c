/* SPDX-License-Identifier: MIT */
/*
 * Builtins that set variables: declare and its kin, unset, printf -v, getopts, let.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- names -------------------------------------------------------------------------------- */

static bool
is_name(const char *text, size_t len)
{
	if (len == 0 || (text[0] >= '0' && text[0] <= '9')) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		if (!walk_is_name_char(text[i])) {
			return false;
		}
	}
	return true;
}

/* A name with a subscript that runs something when it is looked at: a[$(...)]. */
bool
walk_name_is_code(struct walk *w, const struct field *name)
{
	if (!field_is_literal(name)) {
		return false;
	}
	if (strchr(name->text, '[') == NULL ||
	    (strstr(name->text, "$(") == NULL && strchr(name->text, '`') == NULL)) {
		return false;
	}
	walk_reason(w, WHY_NAME_CODE, name);
	(void)w->hooks.evaluate(w, &w->shell, name);
	return true;
}

/* NAME or NAME[i], as printf -v and read have it, becomes `value`. */
void
walk_set_named(struct walk *w, const struct field *name, const struct field *value)
{
	const char *open;
	struct field index;
	char *base;
	size_t len;

	if (walk_name_is_code(w, name)) {
		return;
	}
	if (!field_is_literal(name)) {
		walk_reason(w, WHY_BUILTIN_OPTION, name);
		shell_forget(&w->shell);
		return;
	}
	open = strchr(name->text, '[');
	len = open != NULL ? (size_t)(open - name->text) : name->len;
	if (!is_name(name->text, len)) {
		walk_reason(w, WHY_BUILTIN_OPTION, name);
		return;
	}
	base = arena_strndup(w->arena, name->text, len);
	if (base == NULL) {
		return;
	}
	walk_environment(w, base, value, ENV_SHELL);
	if (open == NULL) {
		shell_set(&w->shell, base, value);
		return;
	}
	index = field_literal(w->arena, open + 1, strlen(open) >= 2 ? strlen(open) - 2 : 0, name);
	shell_set_element(&w->shell, base, &index, value, false);
}

/* ---- declare ------------------------------------------------------------------------------ */

struct declaration {
	bool local, exports, unexports, integer, readonly, nameref, array, assoc, lists, functions;
	bool changes_case, global;
};

static bool
declare_letter(struct declaration *d, char letter, bool on)
{
	switch (letter) {
	case 'x':
		d->exports = on;
		d->unexports = !on;
		return true;
	case 'i':
		d->integer = on;
		return true;
	case 'r':
		d->readonly = on;
		return true;
	case 'n':
		d->nameref = on;
		return true;
	case 'a':
		d->array = on;
		return true;
	case 'A':
		d->assoc = on;
		return true;
	case 'g':
		d->local = false;
		d->global = true;
		return true;
	case 'p':
		d->lists = true;
		return true;
	case 'f':
	case 'F':
		d->functions = true;
		return true;
	case 'l':
	case 'u':
	case 'c':
		d->changes_case = on;
		return true;
	case 't':
	case 'I':
		return true;
	default:
		return false;
	}
}

static size_t
declare_options(struct walk *w, const struct command *command, struct declaration *d)
{
	size_t i = 1;

	for (; i < command->argc; i++) {
		const struct field *word = &command->argv[i];
		bool known = true;

		if (!field_is_literal(word) || word->len < 2 ||
		    (word->text[0] != '-' && word->text[0] != '+')) {
			break;
		}
		if (field_is(word, "--")) {
			return i + 1;
		}
		for (size_t k = 1; k < word->len; k++) {
			known = declare_letter(d, word->text[k], word->text[0] == '-') && known;
		}
		if (!known) {
			walk_reason(w, WHY_BUILTIN_OPTION, word);
		}
	}
	return i;
}

static void
set_attributes(struct walk *w, const struct declaration *d, const char *name)
{
	struct var *var = shell_declare(&w->shell, name);

	if (var == NULL) {
		return;
	}
	var->exported = (var->exported || d->exports) && !d->unexports;
	var->integer = var->integer || d->integer;
	var->nameref = var->nameref || d->nameref;
	if (d->array || d->assoc) {
		var->array = true;
		var->assoc = var->assoc || d->assoc;
	}
}

/* What is hidden by `local` or by an assignment in front of a command is reached all the same. */
static void
reach_hidden(struct walk *w, const struct declaration *d, const char *name)
{
	if ((d->global && w->frames != NULL) ||
	    (w->prefixed > 0 && (d->global || d->exports || d->readonly || !d->local))) {
		walk_loosen(w, name);
	}
}

/* A local variable hides the one outside: it has no value until it gets one. */
static void
make_local(struct walk *w, const struct declaration *d, const char *name)
{
	if (d->local && w->frames != NULL) {
		if (w->branches > w->frames->branches || w->forks > w->frames->forks) {
			walk_loosen(w, name);
		}
		walk_save_var(w, name, &w->frames->locals);
		shell_unset(&w->shell, name);
	}
}

static void
make_readonly(struct walk *w, const char *name)
{
	struct var *var = shell_declare(&w->shell, name);

	if (var != NULL) {
		var->readonly = true;
	}
}

static void
declare_one(struct walk *w, const struct declaration *d, struct assigned *a)
{
	const struct var *old = shell_get(&w->shell, a->name);
	bool exported = d->exports || (old != NULL && old->exported);

	walk_environment(w, a->name, &a->value, exported ? ENV_EXPORTED : ENV_SHELL);
	if (d->nameref && !field_is_literal(&a->value)) {
		walk_reason(w, WHY_BUILTIN_OPTION, &a->value);
	}
	reach_hidden(w, d, a->name);
	make_local(w, d, a->name);
	set_attributes(w, d, a->name);
	if (d->changes_case) {
		a->value = field_unknown(a->value.taint, false, &a->value);
	}
	if (d->array && !a->array && a->index.text == NULL) {
		a->index = field_static("0", NULL);
	}
	walk_put(w, a);
	if (d->readonly) {
		make_readonly(w, a->name);
	}
}

/* A name without a value: its attributes change. */
static void
declare_name(struct walk *w, const struct declaration *d, const struct field *word)
{
	const struct var *var;
	struct field unknown;

	if (!field_is_literal(word)) {
		walk_reason(w, WHY_BUILTIN_OPTION, word);
		return;
	}
	if (walk_name_is_code(w, word)) {
		return;
	}
	if (d->lists) {
		if (shell_is_secret_name(word->text)) {
			walk_reason(w, WHY_SECRET_SHOWN, word);
		}
		return;
	}
	if (!is_name(word->text, word->len)) {
		walk_reason(w, WHY_BUILTIN_OPTION, word);
		return;
	}
	if (d->exports && !d->local) {
		var = shell_get(&w->shell, word->text);
		unknown = field_unknown(TAINT_VARIABLE, false, word);
		/* What was not set here keeps the value that it has already. */
		if (var != NULL && var->set) {
			walk_environment(w, word->text,
					 !var->unsure && !var->array && var->count > 0
						 ? &var->values[0]
						 : &unknown,
					 ENV_EXPORTED);
		}
	}
	reach_hidden(w, d, word->text);
	make_local(w, d, word->text);
	set_attributes(w, d, word->text);
	if (d->readonly) {
		make_readonly(w, word->text);
	}
}

/* NAME[i]=VALUE as an argument. */
static bool
declare_element(struct walk *w, const struct declaration *d, const struct field *word)
{
	size_t known = field_known_prefix(word);
	const char *open = memchr(word->text, '[', known);
	const char *equals = memchr(word->text, '=', known);
	struct field name;

	if (open == NULL || equals == NULL || open > equals) {
		return false;
	}
	name = field_literal(w->arena, word->text, (size_t)(equals - word->text), word);
	(void)d;
	if (!walk_name_is_code(w, &name)) {
		struct field value = field_tail(w->arena, word, (size_t)(equals - word->text) + 1);

		walk_set_named(w, &name, &value);
	}
	return true;
}

static void
declare_words(struct walk *w, const struct command *command, const struct declaration *d,
	      size_t from)
{
	for (size_t i = from; i < command->argc; i++) {
		const struct field *word = &command->argv[i];
		struct assigned a;

		if (walk_split_assignment(w, word, &a)) {
			declare_one(w, d, &a);
		} else if (!declare_element(w, d, word)) {
			declare_name(w, d, word);
		}
	}
}

void
walk_declare(struct walk *w, const struct command *command)
{
	const struct field *name = &command->argv[0];
	struct declaration d = { .local = true };
	struct shell_mark mark;
	size_t from;

	d.exports = field_is(name, "export");
	d.readonly = field_is(name, "readonly");
	d.local = !d.exports && !d.readonly;
	from = declare_options(w, command, &d);
	if (d.exports && field_is(name, "export") && command->argc > 1 &&
	    field_is(&command->argv[1], "-n")) {
		d.exports = false;
		d.unexports = true;
		d.nameref = false;
	}
	if (d.changes_case) {
		walk_reason(w, WHY_BUILTIN_OPTION, name);
	}
	if (d.functions) {
		if (d.readonly) {
			walk_reason(w, WHY_BUILTIN_OPTION, name);
		}
		return;
	}
	if (from >= command->argc && command->declared_count == 0) {
		/* All of them are listed, with their values. */
		if (!field_is(name, "local")) {
			walk_reason(w, WHY_BUILTIN_SECRET, name);
		}
		return;
	}
	mark = shell_mark(&w->shell);
	declare_words(w, command, &d, from);
	for (size_t i = 0; i < command->declared_count; i++) {
		struct assigned a = command->declared[i];

		declare_one(w, &d, &a);
	}
	if (d.global && (w->frames != NULL || w->prefixed > 0)) {
		shell_join(&w->shell, &mark); /* it may be hidden here */
	}
}

/* ---- unset -------------------------------------------------------------------------------- */

/* NAME[INDEX]: what is no plain number or key is not known. */
static void
unset_element(struct walk *w, const struct field *word)
{
	const char *open = strchr(word->text, '[');
	char *name = arena_strndup(w->arena, word->text, (size_t)(open - word->text));
	size_t len = strlen(open + 1);
	struct field index;

	if (name == NULL || len < 2 || open[len] != ']' || !is_name(name, strlen(name))) {
		walk_reason(w, WHY_BUILTIN_OPTION, word);
		return;
	}
	walk_loosen(w, name);
	index = field_literal(w->arena, open + 1, len - 1, word);
	if (field_is(&index, "@") || field_is(&index, "*")) {
		shell_unset(&w->shell, name);
		return;
	}
	for (size_t i = 0; i < index.len; i++) {
		if (!walk_is_name_char(index.text[i])) {
			index = field_unknown(TAINT_VARIABLE, false, word);
		}
	}
	shell_unset_element(&w->shell, name, &index);
}

/* Is it local to the function that runs, so that nothing outside is reached? */
static bool
is_own_local(const struct walk *w, const char *name)
{
	const struct saved_var *saved = w->frames != NULL ? w->frames->locals : NULL;

	while (saved != NULL && strcmp(saved->name, name) != 0) {
		saved = saved->next;
	}
	return w->prefixed == 0 && (saved != NULL || w->frames == NULL);
}

/* What was hidden by the variable may be seen from here on. */
static void
unset_var(struct walk *w, const char *name)
{
	struct shell_mark mark = shell_mark(&w->shell);
	bool own = is_own_local(w, name);

	shell_unset(&w->shell, name);
	if (!own) {
		walk_loosen(w, name);
	}
	if (!own && (w->prefixed > 0 || w->frames->outer != NULL)) {
		shell_join(&w->shell, &mark);
	}
}

/* A function, when there is no variable of that name. */
static void
unset_either(struct walk *w, const char *name)
{
	const struct var *var = shell_get(&w->shell, name);
	struct shell_mark mark = shell_mark(&w->shell);

	if (var != NULL && var->set && !var->unsure) {
		return;
	}
	shell_undefine(&w->shell, name);
	shell_join(&w->shell, &mark); /* there may be one in the environment */
}

void
walk_unset(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "fvn" };
	struct field empty = field_static("", NULL);
	bool functions = false;
	bool variables = false;
	bool references = false;

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		functions = functions || c == 'f';
		variables = variables || c == 'v';
		references = references || c == 'n';
	}
	if (references) {
		walk_reason(w, WHY_BUILTIN_OPTION, &command->argv[1]);
	}
	for (size_t i = o.next; i < command->argc; i++) {
		const struct field *name = &command->argv[i];

		if (!field_is_literal(name)) {
			walk_reason(w, WHY_BUILTIN_OPTION, name);
			shell_forget(&w->shell);
			continue;
		}
		if (functions) {
			shell_undefine(&w->shell, name->text);
			continue;
		}
		if (walk_name_is_code(w, name)) {
			continue;
		}
		if (strchr(name->text, '[') != NULL) {
			unset_element(w, name);
			continue;
		}
		/* Without PATH, programs come from the working directory. */
		if (strncmp(name->text, "HIST", 4) == 0 || field_is(name, "PATH")) {
			walk_environment(w, name->text, &empty, ENV_SHELL);
		}
		if (!variables && shell_function(&w->shell, name->text) != NULL) {
			unset_either(w, name->text);
		}
		unset_var(w, name->text);
	}
}

/* ---- printf, getopts, let ----------------------------------------------------------------- */

void
walk_printf(struct walk *w, const struct command *command)
{
	struct field name = { .text = NULL };
	struct stream text;

	if (command->argc > 2 && field_is(&command->argv[1], "-v")) {
		name = command->argv[2];
	} else if (command->argc > 1 && field_is_literal(&command->argv[1]) &&
		   strncmp(command->argv[1].text, "-v", 2) == 0) {
		name = field_tail(w->arena, &command->argv[1], 2);
	}
	if (name.text == NULL) {
		walk_program(w, command);
		return;
	}
	if (!emulate_printf(w->arena, &w->shell, command->argv, command->argc, &text)) {
		text = stream_unknown(TAINT_OUTPUT);
	}
	walk_set_named(w, &name, &text.data);
}

void
walk_getopts(struct walk *w, const struct command *command)
{
	struct field unknown = field_unknown(TAINT_VARIABLE, false, NULL);

	if (command->argc > 2) {
		walk_set_named(w, &command->argv[2], &unknown);
	}
	shell_set(&w->shell, "OPTARG", &unknown);
	shell_set(&w->shell, "OPTIND", &unknown);
}

void
walk_let(struct walk *w, const struct command *command)
{
	struct expander ex = walk_expander(w);
	int64_t value;

	for (size_t i = 1; i < command->argc; i++) {
		(void)expand_arith_text(&ex, &command->argv[i], &value);
	}
}
