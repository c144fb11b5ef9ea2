/* SPDX-License-Identifier: MIT */
/*
 * Variables of the shell's state: reading, assigning, unsetting, and what they may be after a
 * branch. Arrays are in shell_arrays.c.
 */
#include "command/shell_vars.h"

#include "base/attr.h"

#include <string.h>
#include <stdlib.h>

#define NAMEREF_DEPTH 8

/* ---- names -------------------------------------------------------------------------------- */

/* ASCII only: `upper` is in capitals. */
static bool
same_in_capitals(const char *name, const char *upper)
{
	for (; *name != '\0' && *upper != '\0'; name++, upper++) {
		char c = *name >= 'a' && *name <= 'z' ? (char)(*name - 32) : *name;

		if (c != *upper) {
			return false;
		}
	}
	return *name == *upper;
}

bool
shell_is_secret_name(const char *name)
{
	/* Whole names; those with a '_' in front are also endings. */
	static const char *const names[] = {
		"_TOKEN",
		"_KEY",
		"_SECRET",
		"_PASS",
		"_PASSWORD",
		"_PASSWD",
		"_CREDENTIALS",
		"_CREDENTIAL",
		"_PASSPHRASE",
		"_APIKEY",
		"_SECRETS",
		"_TOKENS",
		"_PAT",
		"_PWD",
		"AWS_ACCESS_KEY_ID",
		"PGPASSWORD",
		"DATABASE_URL",
		"MONGODB_URI",
		"REDIS_URL",
		"REDISCLI_AUTH",
		"SSHPASS",
		"APIKEY",
		"AUTH_TOKEN",
		"NPM_CONFIG__AUTH",
		"DOCKER_AUTH_CONFIG",
	};
	size_t len = strlen(name);
	char last = len > 0 ? (char)(name[len - 1] & ~32) : 'a';

	/* What all of them end in, so that most names take no comparison. */
	if (strchr("NYTSDEILHG", last) == NULL) {
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		size_t n = strlen(names[i]);

		if (len >= n && (*names[i] == '_' || len == n) &&
		    same_in_capitals(name + len - n, names[i])) {
			return true;
		}
		/* TOKEN, SECRET, PASSWORD by themselves; a shell needs PWD. */
		if (*names[i] == '_' && len == n - 1 && n > 4 &&
		    same_in_capitals(name, names[i] + 1)) {
			return true;
		}
	}
	return false;
}

/* ---- what is known from the start --------------------------------------------------------- */

static struct var *
new_scalar(struct shell *shell, const char *name, struct field value)
{
	struct var *var = arena_alloc(shell->arena, sizeof(*var));
	struct field *values = arena_alloc(shell->arena, sizeof(*values));

	if (var == NULL || values == NULL) {
		return NULL;
	}
	*values = value;
	var->name = name;
	var->set = true;
	var->values = values;
	var->count = 1;
	return var;
}

/* The value that `name` has before the text sets it, or NULL. */
static struct var *
initial(struct shell *shell, const char *name)
{
	const char *text = NULL;
	struct var *var;

	if (strcmp(name, "IFS") == 0) {
		text = " \t\n";
	} else if (strcmp(name, "HOME") == 0) {
		text = shell->scene->home != NULL ? shell->scene->home : SHELL_NO_HOME;
	} else if (strcmp(name, "TMPDIR") == 0) {
		text = shell->scene->tmpdir;
	} else if (strcmp(name, "OPTIND") == 0) {
		text = "1";
	} else if (strcmp(name, "PWD") == 0) {
		var = new_scalar(shell, "PWD", shell->cwd);
		if (var != NULL) {
			var->exported = true;
		}
		return var;
	}
	if (text == NULL) {
		return NULL;
	}
	var = new_scalar(shell, name, field_static(text, NULL));
	if (var != NULL) {
		var->exported = *name == 'H' || *name == 'T';
	}
	return var;
}

static bool
has_initial(const char *name)
{
	return strchr("IHTOP", *name) != NULL && *name != '\0';
}

/* ---- unsure ------------------------------------------------------------------------------- */

static void
add_alternative(struct shell *shell, struct var *var, const struct field *value)
{
	struct field *more;
	size_t n = var->alternative_count;

	var->taint |= value->taint;
	for (size_t i = 0; i < n; i++) {
		if (shell_same(&var->alternatives[i], value)) {
			return;
		}
	}
	if (n >= SHELL_ALTERNATIVES || (value->kind == BAILEY_WORD_DYNAMIC && value->len == 1)) {
		return;
	}
	more = arena_array(shell->arena, n + 1, sizeof(*more));
	if (more == NULL) {
		return;
	}
	if (n > 0) {
		memcpy(more, var->alternatives, n * sizeof(*more));
	}
	more[n] = *value;
	var->alternatives = more;
	var->alternative_count = n + 1;
}

/* Adds what `from` is or may be to the alternatives of `var`. */
static void
add_alternatives(struct shell *shell, struct var *var, const struct var *from)
{
	struct field empty = field_static("", NULL);

	if (from->unsure) {
		var->taint |= from->taint;
		for (size_t i = 0; i < from->alternative_count; i++) {
			add_alternative(shell, var, &from->alternatives[i]);
		}
	} else if (!from->set) {
		add_alternative(shell, var, &empty);
	} else if (!from->array && from->count > 0) {
		add_alternative(shell, var, &from->values[0]);
	}
}

void
shell_make_unsure(struct shell *shell, struct var *var)
{
	struct var was = *var;

	if (was.unsure) {
		return;
	}
	var->alternatives = NULL;
	var->alternative_count = 0;
	var->taint = 0;
	add_alternatives(shell, var, &was);
	var->unsure = true;
	var->set = true;
}

static bool
same_var(struct shell *shell, const struct var *a, const struct var *b)
{
	if (a->set != b->set || a->unsure != b->unsure || a->array != b->array ||
	    a->count != b->count || a->nameref != b->nameref || a->integer != b->integer) {
		return false;
	}
	if (a->alternatives != b->alternatives) {
		return false;
	}
	if (a->values == b->values && a->keys == b->keys) {
		return true;
	}
	if (a->keys != NULL || b->keys != NULL || !shell_spend(shell, a->count * 8)) {
		return false;
	}
	for (size_t i = 0; i < a->count; i++) {
		if (!shell_same(&a->values[i], &b->values[i])) {
			return false;
		}
	}
	return true;
}

void
shell_join_var(struct shell *shell, struct shell_entry *entry, struct var *old)
{
	struct var *var = entry->value;

	if (var == NULL) {
		return;
	}
	if (old != NULL && same_var(shell, old, var)) {
		return;
	}
	var = shell_writable(shell, entry, sizeof(*var));
	if (var == NULL) {
		return;
	}
	shell_make_unsure(shell, var);
	if (old != NULL) {
		add_alternatives(shell, var, old);
		var->exported = var->exported || old->exported;
		var->secret = var->secret || old->secret;
	}
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A shell_forget() since the value was set: it may be something else now. */
static void
refresh(struct shell *shell, struct shell_entry *entry)
{
	struct var *var;

	if (entry->value == NULL || entry->generation == shell->tables->generation) {
		return;
	}
	var = shell_writable(shell, entry, sizeof(*var));
	if (var != NULL) {
		shell_make_unsure(shell, var);
		entry->generation = shell->tables->generation;
	}
}

static struct shell_entry *
read_entry(struct shell *shell, const char *name, bool make)
{
	struct shell_entry *entry;

	make = make || has_initial(name);
	entry = shell_entry(shell, SHELL_VAR, name, make);
	if (entry == NULL) {
		return NULL;
	}
	if (entry->value == NULL && has_initial(name)) {
		entry->value = initial(shell, name);
		entry->generation = 0;
	}
	refresh(shell, entry);
	return entry;
}

struct var *
shell_get(struct shell *shell, const char *name)
{
	struct shell_entry *entry;

	if (*name == 'P' && strcmp(name, "PWD") == 0) {
		entry = shell_entry(shell, SHELL_VAR, name, false);
		/* Until something sets it, it follows cwd. */
		if (entry == NULL || entry->value == NULL) {
			return initial(shell, name);
		}
	}
	entry = read_entry(shell, name, false);
	return entry != NULL ? entry->value : NULL;
}

bool
shell_untouched(struct shell *shell, const char *name)
{
	const struct shell_entry *entry = shell_entry(shell, SHELL_VAR, name, false);

	return (entry == NULL || entry->value == NULL) && shell->tables->generation == 0;
}

struct field
shell_home(struct shell *shell)
{
	const struct var *home = shell_get(shell, "HOME");

	if (home == NULL || home->array || home->unsure) {
		return field_unknown(TAINT_VARIABLE, false, NULL);
	}
	if (home->set) {
		return home->values[0];
	}
	return field_static(shell->scene->home != NULL ? shell->scene->home : SHELL_NO_HOME, NULL);
}

/* ---- writing ------------------------------------------------------------------------------ */

struct var *
shell_var_for_writing(struct shell *shell, struct shell_entry *entry)
{
	struct var *var = shell_writable(shell, entry, sizeof(*var));

	if (var != NULL) {
		var->name = entry->name;
		entry->generation = shell->tables->generation;
	}
	return var;
}

/* Where an assignment to `name` goes, namerefs followed. NULL: nowhere that is known. `*element`
 * gets "x[i]" when that is what a nameref says. */
struct shell_entry *
shell_target(struct shell *shell, const char *name, const char **element)
{
	*element = NULL;
	for (int i = 0; i < NAMEREF_DEPTH; i++) {
		struct shell_entry *entry = read_entry(shell, name, true);
		const struct var *var = entry != NULL ? entry->value : NULL;

		if (entry == NULL || var == NULL || !var->nameref || !var->set) {
			return entry;
		}
		if (var->unsure || var->count != 1 || !field_is_literal(&var->values[0])) {
			break;
		}
		name = var->values[0].text;
		if (strchr(name, '[') != NULL) {
			*element = name;
			return NULL;
		}
	}
	shell_forget(shell);
	return NULL;
}

static bool
is_decimal(const struct field *value)
{
	const char *s = value->text;

	if (!field_is_literal(value) || value->len == 0 || value->len > 18) {
		return false;
	}
	s += *s == '-';
	return *s != '\0' && s[strspn(s, "0123456789")] == '\0' && (*s != '0' || s[1] == '\0');
}

/* Puts one value into `var`, which is no array. */
void
shell_put_scalar(struct shell *shell, struct var *var, const struct field *value)
{
	struct field *values = arena_alloc(shell->arena, sizeof(*values));
	struct var was = *var;

	if (values == NULL) {
		return;
	}
	*values = value != NULL ? *value : field_static("", NULL);
	values->many = false;
	values->tilde = false;
	if (var->integer && !is_decimal(values)) {
		*values = field_unknown(values->taint, false, values);
	}
	var->values = values;
	var->count = 1;
	var->keys = NULL;
	var->set = true;
	var->unsure = false;
	var->alternatives = NULL;
	var->alternative_count = 0;
	if (var->readonly) {
		shell_make_unsure(shell, var);
		add_alternatives(shell, var, &was);
	}
}

/* x[i] of a nameref, as name and index. */
static void
set_element_named(struct shell *shell, const char *element, const struct field *value, bool append)
{
	size_t start = strcspn(element, "[");
	size_t len = strlen(element + start);
	char *name = arena_strndup(shell->arena, element, start);
	struct field index = field_literal(shell->arena, element + start + (len > 0 ? 1 : 0),
					   len > 2 ? len - 2 : 0, NULL);

	if (name != NULL) {
		shell_set_element(shell, name, &index, value, append);
	}
}

void
shell_tell(struct shell *shell, const struct shell_entry *entry, const struct field *value)
{
	if (shell->on_assign != NULL) {
		shell->on_assign(shell->on_assign_context, entry->name, value);
	}
}

void
shell_set(struct shell *shell, const char *name, const struct field *value)
{
	const char *element;
	struct shell_entry *entry = shell_target(shell, name, &element);
	struct field zero = field_static("0", NULL);
	struct var *var;

	if (element != NULL) {
		set_element_named(shell, element, value, false);
	}
	if (entry == NULL) {
		return;
	}
	shell_tell(shell, entry, value);
	var = shell_var_for_writing(shell, entry);
	if (var == NULL) {
		return;
	}
	if (var->array) {
		shell_set_element(shell, entry->name, &zero, value, false);
		return;
	}
	shell_put_scalar(shell, var, value);
}

/* a + b of integers, or a followed by b. */
struct field
shell_concat(struct shell *shell, const struct var *var, const struct field *a,
	     const struct field *b)
{
	long long sum;
	char *text;

	if (!var->integer) {
		if (!shell_spend(shell, (size_t)a->len + b->len)) {
			return field_unknown((uint16_t)(a->taint | b->taint), false, a);
		}
		return field_join(shell->arena, a, b);
	}
	if (!is_decimal(a) || !is_decimal(b)) {
		return field_unknown((uint16_t)(a->taint | b->taint), false, a);
	}
	sum = strtoll(a->text, NULL, 10) + strtoll(b->text, NULL, 10);
	text = arena_printf(shell->arena, "%lld", sum);
	return text != NULL ? field_static(text, b) : field_unknown(0, false, b);
}

/* NAME+=VALUE where the value so far is unsure: each of what it may be grows. */
static void
append_unsure(struct shell *shell, struct var *var, const struct field *value)
{
	struct var was = *var;

	var->alternatives = NULL;
	var->alternative_count = 0;
	for (size_t i = 0; i < was.alternative_count; i++) {
		struct field grown = shell_concat(shell, var, &was.alternatives[i], value);

		add_alternative(shell, var, &grown);
	}
}

void
shell_append(struct shell *shell, const char *name, const struct field *value)
{
	const char *element;
	struct shell_entry *entry = shell_target(shell, name, &element);
	struct field zero = field_static("0", NULL);
	struct field grown;
	struct var *var;

	if (element != NULL) {
		set_element_named(shell, element, value, true);
	}
	if (entry == NULL) {
		return;
	}
	shell_tell(shell, entry, value);
	/* From the environment, or never set: then the text alone says what it is. */
	if (entry->value == NULL) {
		var = shell_var_for_writing(shell, entry);
		if (var != NULL) {
			shell_put_scalar(shell, var, value);
			var->secret = shell_is_secret_name(name);
			shell_make_unsure(shell, var);
		}
		return;
	}
	var = shell_var_for_writing(shell, entry);
	if (var == NULL) {
		return;
	}
	if (var->array) {
		shell_set_element(shell, entry->name, &zero, value, true);
	} else if (var->unsure) {
		append_unsure(shell, var, value);
	} else if (!var->set) {
		shell_put_scalar(shell, var, value);
	} else {
		grown = shell_concat(shell, var, &var->values[0], value);
		shell_put_scalar(shell, var, &grown);
	}
}

void
shell_unset(struct shell *shell, const char *name)
{
	const char *element;
	struct shell_entry *entry = shell_target(shell, name, &element);
	struct var *var;

	if (entry == NULL) {
		return;
	}
	var = shell_var_for_writing(shell, entry);
	if (var != NULL && !var->readonly) {
		*var = (struct var){ .name = entry->name };
	}
}

struct var *
shell_declare(struct shell *shell, const char *name)
{
	struct shell_entry *entry = read_entry(shell, name, true);
	bool environment = entry != NULL && entry->value == NULL;
	struct var *var = entry != NULL ? shell_var_for_writing(shell, entry) : NULL;

	/* It may have come with the environment: what it is stays unknown. */
	if (var != NULL && environment) {
		var->unsure = true; /* and not `set`: an element makes an array of its own */
		var->secret = shell_is_secret_name(name);
	}
	return var;
}

void
shell_forget(struct shell *shell)
{
	shell_log(shell, NULL);
	shell->tables->generation++;
	shell->cwd = field_unknown(TAINT_VARIABLE, false, NULL);
	shell->positional_known = false;
}

void
shell_chdir(struct shell *shell, const struct field *dir)
{
	const struct var *pwd = shell_get(shell, "PWD");
	struct field old = pwd != NULL && pwd->set && !pwd->unsure && pwd->count > 0
				   ? pwd->values[0]
				   : field_unknown(TAINT_VARIABLE, false, NULL);

	(void)read_entry(shell, "PWD", true);
	shell_set(shell, "OLDPWD", &old);
	shell_set(shell, "PWD", dir);
	shell->cwd = *dir;
}
