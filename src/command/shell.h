/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_SHELL_H
#define COMMAND_SHELL_H

/*
 * The state of a shell while its script is walked: variables, functions, aliases, positional
 * parameters, the working directory and what is known of files that the script wrote.
 *
 * A subshell is a mark and a rollback: every change is logged, so entering costs nothing and
 * leaving costs what was changed.
 *
 * Values that hold only maybe: after a branch that may not have run, a variable is *unsure*. It
 * expands as unknown, and its alternatives (the values that it may have) are tried one by one to
 * find what is forbidden; shell.attempt says which. Attempt 0 is the truth (unsure is unknown).
 */

#include "command/field.h"

struct function_def {
	struct node *body;
	const struct source *source;
	bool *called; /* one for each body, whatever copies there are of the definition */
	bool unsure;  /* defined or removed in a branch: the name may mean a program instead */
	struct function_def *older; /* what it may be instead, after a branch; NULL */
	unsigned older_count;	    /* length of that chain: at most SHELL_ALTERNATIVES */
};

#define SHELL_ALTERNATIVES 8

struct var {
	const char *name;
	bool set;
	bool unsure; /* `values` are what it may be; it may be something else too */
	bool exported;
	bool secret;  /* expands with TAINT_SECRET: *_TOKEN, *_KEY ... of the environment */
	bool array;   /* elements by index order in `values`; else one value */
	bool open;    /* with `array`: a value is a pattern, which may be several elements, so what
		       * is behind it has other subscripts */
	bool assoc;   /* with `array`: declare -A; `values` are in the order of assignment */
	bool integer; /* declare -i: assignments are arithmetic */
	bool nameref; /* declare -n: the value is the name of another */
	bool readonly;
	const char *const *keys; /* of an array with given subscripts: as long as values, or NULL */
	struct field *values;
	size_t count;
	struct field *alternatives; /* unsure scalar: at most SHELL_ALTERNATIVES */
	size_t alternative_count;
	uint16_t taint; /* unsure: of everything that it may be */
};

/* A file that the script wrote, under its normal path. */
struct file_note {
	const char *path;
	struct stream content;
	bool executable;	 /* chmod +x */
	const char *link;	 /* a symlink or hard link to this path; NULL */
	bool unsure;		 /* written in a branch: may be what it was before */
	struct file_note *older; /* what it was before that branch; NULL */
};

struct shell {
	struct arena *arena;
	const struct bailey_scene *scene;
	enum dialect dialect;
	bool extglob;
	bool expand_aliases;
	bool aliases_unsure;	/* with it: set in a branch */
	bool noglob;		/* set -f */
	bool nullglob;		/* a pattern may become no word at all */
	bool noexec;		/* set -n, bash -n */
	bool expanding;		/* inside a substitution: no terminal on its standard output */
	unsigned attempt;	/* which alternative of unsure variables is tried; 0: none */
	unsigned attempts_seen; /* how many alternatives the last expansions would have had */
	bool attempts_text;	/* of a text that the script prints: what they do counts in full */
	unsigned evaluating;	/* texts that are evaluated inside of each other: expand.c */
	struct field cwd;	/* absolute and normal, or not literal */
	struct field *positional; /* $1 ... */
	size_t positional_count;
	bool positional_known;	     /* false: arguments that are not in the text */
	struct field zero;	     /* $0 */
	struct shell_tables *tables; /* variables, functions, aliases, files: by shell.c alone */
	/* Told of every variable that is set, in whatever way, before it is: `name` is
	 * what namerefs lead to, and `value` is NULL where it is not known. NULL: nobody. */
	void (*on_assign)(void *context, const char *name, const struct field *value);
	void *on_assign_context;
};

int shell_init(struct shell *shell, struct arena *arena, const struct bailey_scene *scene);

/* Subshells. A mark covers everything in struct shell and its tables, but for `attempt`,
 * `attempts_seen` and `attempts_text`. It may be rolled back to any number of times. */
struct shell_mark {
	struct shell saved;
	size_t log;
};
struct shell_mark shell_mark(struct shell *shell);
void shell_rollback(struct shell *shell, const struct shell_mark *mark);

/* From here to shell_join(), what is assigned may not happen: a branch. After the join, variables
 * that were assigned in between are unsure, with both values as alternatives, and so are cwd
 * (unknown when it differs), functions (both kept: see shell_function) and options.
 *
 * Each branch takes a mark of its own: for if/else
 *	m = shell_mark(); walk `then`; shell_join(m); m = shell_mark(); walk `else`; shell_join(m)
 * so the state afterwards is as if everything ran, and what may not have run is unsure. In `else`
 * the assignments of `then` are unsure already, which is careful. */
void shell_join(struct shell *shell, const struct shell_mark *mark);

/* Is it certain which of `items` has which number? The last one may be a pattern, that is several:
 * shell_positional_open() then. */
bool shell_countable(const struct shell *shell, const struct field *items, size_t count);
bool shell_positional_open(const struct shell *shell);

/* The directory changes: cwd, PWD and OLDPWD. `dir` is absolute and normal, or not literal. */
void shell_chdir(struct shell *shell, const struct field *dir);

/* Takes `bytes` of what copies and scans may cost in one judgement, SHELL_SPEND_MAX; false: it is
 * used up, and what would cost more is unknown instead. Rolling back gives nothing back. */
#define SHELL_SPEND_MAX ((size_t)64 << 20)
bool shell_spend(struct shell *shell, size_t bytes);

/* Known ones from the start: HOME PWD OLDPWD IFS, and whatever else cannot be otherwise. Gives
 * NULL when the text never set `name` and it is none of these; shell_is_secret_name() then says
 * what its value would be. */
struct var *shell_get(struct shell *shell, const char *name);
bool shell_is_secret_name(const char *name);
/* The home directory: HOME as the text set it, else the scene's. Not literal when unsure. */
struct field shell_home(struct shell *shell);

/* Assignments. `index` is a decimal number (negative: from the end), or a key of an associative
 * array; anything else leaves the array unsure. Setting IFS, HOME and the like has effect. Values
 * of integer variables have been through expand_arith_text() already. NULL: an empty value.
 * A struct var * holds until the next change to that variable. */
void shell_set(struct shell *shell, const char *name, const struct field *value);
void shell_set_element(struct shell *shell, const char *name, const struct field *index,
		       const struct field *value, bool append);
void shell_set_array(struct shell *shell, const char *name, const struct field *values,
		     const char *const *keys, size_t count, bool append);
void shell_append(struct shell *shell, const char *name, const struct field *value);
void shell_unset(struct shell *shell, const char *name);
void shell_unset_element(struct shell *shell, const char *name, const struct field *index);
/* The attributes of `name`, made when it is not there (unset). */
struct var *shell_declare(struct shell *shell, const char *name);
/* Something that is not known may have set any variable (eval of the unknown, source). */
void shell_forget(struct shell *shell);

struct function_def *shell_function(struct shell *shell, const char *name);
void shell_define(struct shell *shell, const char *name, struct node *body,
		  const struct source *source);
void shell_undefine(struct shell *shell, const char *name);
/* Every function that was defined and never called, in order; NULL at the end. */
struct function_def *shell_uncalled(struct shell *shell, size_t *cursor, const char **name);

/* The text of an alias, or NULL. An alias acts from the line after its definition, and ends from
 * the line after the one that was last asked for here; UINT32_MAX only looks. Text that is not
 * known is "\x1a". *unsure (may be NULL): it may not be there. */
const char *shell_alias(struct shell *shell, const char *name, uint32_t line, bool *unsure);
void shell_set_alias(struct shell *shell, const char *name, const char *text, uint32_t line);
void shell_unset_alias(struct shell *shell, const char *name); /* NULL: all */

/* Files, by normal absolute path; NULL: the script did not write it. */
struct file_note *shell_file(struct shell *shell, const char *path);
struct file_note *shell_note_file(struct shell *shell, const char *path);

/* `path` made absolute and normal against the shell's cwd: a field that is literal when all is
 * known, else with marks. Follows links that the script made, also in the last component. A path
 * that starts with an unknown part stays that way ("\x1a/y"), and a ".." behind a component that
 * is not literal turns that component into an unknown part and is gone ("/tmp/\x1a/y"): such a part
 * may hold slashes and dots. The empty path stays empty. */
struct field shell_path(struct shell *shell, const struct field *path);
/* The same, but the last component is not followed: for what is done to a name, not to what it
 * names (deleting, moving). */
struct field shell_path_name(struct shell *shell, const struct field *path);

#endif /* COMMAND_SHELL_H */
