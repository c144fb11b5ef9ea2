/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_SHELL_TABLE_H
#define COMMAND_SHELL_TABLE_H

/*
 * The tables behind struct shell, and the log by which changes are undone. For shell*.c alone.
 *
 * Invariants:
 *   - an entry's value is changed in place only when the log holds what it was at the newest mark
 *   - entries are never removed; an entry without a value is as good as none
 *   - record i is the newest of its entry when entry->logged is i + 1
 */

#include "command/shell.h"

enum shell_kind { SHELL_VAR, SHELL_FUNCTION, SHELL_ALIAS, SHELL_FILE, SHELL_KINDS };

struct shell_entry {
	const char *name;
	uint64_t hash;
	void *value; /* struct var, function_def, shell_alias_def or file_note; NULL */
	size_t logged;
	uint32_t generation; /* variables: which shell_forget() it has been through */
	enum shell_kind kind;
};

struct shell_table {
	struct shell_entry **slots;
	size_t count;
	size_t room; /* a power of two, or 0 */
};

struct shell_record {
	struct shell_entry *entry; /* NULL: a shell_forget() */
	void *old;
	size_t old_logged;
	uint32_t old_generation;
};

struct shell_alias_def {
	const char *text; /* NULL: removed */
	uint32_t line;
	bool unsure;		       /* set or removed in a branch: it may not be there */
	struct shell_alias_def *older; /* what holds up to and with `line` */
};

struct shell_defined {
	const char *name;
	struct function_def *def;
};

struct shell_tables {
	struct shell_table kinds[SHELL_KINDS];
	uint64_t seed;
	struct shell_record *log;
	size_t log_count, log_room;
	bool marked;
	size_t floor; /* records before this are from before the newest mark */
	uint32_t generation;
	uint32_t alias_line; /* the line that was last asked for */
	bool noted;	     /* there is a note of a file: links are looked for */
	size_t spent;
	struct shell_defined *defined;
	size_t defined_count;
};

/* The entry of `name`; NULL when there is none, or when memory is out for `make`. */
struct shell_entry *shell_entry(struct shell *shell, enum shell_kind kind, const char *name,
				bool make);

/* Puts `value` in place of the entry's. */
void shell_replace(struct shell *shell, struct shell_entry *entry, void *value);

/* The entry's value, for changing in place: a copy of `size` bytes when the log needs the old one.
 * A zeroed one when there was none. NULL: out of memory. */
void *shell_writable(struct shell *shell, struct shell_entry *entry, size_t size);

void shell_log(struct shell *shell, struct shell_entry *entry);

/* What becomes of an entry after a branch that may not have run: `old` is what it was before. */
void shell_join_var(struct shell *shell, struct shell_entry *entry, struct var *old);
void shell_join_function(struct shell *shell, struct shell_entry *entry, struct function_def *old);
void shell_join_alias(struct shell *shell, struct shell_entry *entry, struct shell_alias_def *old);
void shell_join_file(struct shell *shell, struct shell_entry *entry, struct file_note *old);

/* Both literal and the same text? */
bool shell_same(const struct field *a, const struct field *b);

#endif /* COMMAND_SHELL_TABLE_H */
