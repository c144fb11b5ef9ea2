/* SPDX-License-Identifier: MIT */
/*
 * What a new process gets of a shell's state: variables that are exported. What is not may come
 * from the environment all the same (a variable that was there keeps being exported), so it is
 * unsure and not gone; so are functions, which may have been exported by name.
 */
#include "command/shell_table.h"
#include "command/walk_impl.h"

static void
child_variable(struct shell *shell, struct shell_entry *entry)
{
	struct var *var = entry->value;
	struct shell_mark mark;

	if (var->exported || (var->unsure && !var->set)) {
		return;
	}
	mark = shell_mark(shell);
	var = shell_declare(shell, entry->name);
	if (var != NULL) {
		var->readonly = false;
		var->nameref = false;
	}
	shell_unset(shell, entry->name);
	shell_join(shell, &mark);
}

static void
child_function(struct shell *shell, struct shell_entry *entry)
{
	struct shell_mark mark = shell_mark(shell);

	shell_undefine(shell, entry->name);
	shell_join(shell, &mark);
}

/* IFS and the like are not taken from the environment. */
static bool
is_own(const char *name)
{
	return (name[0] == 'I' && name[1] == 'F' && name[2] == 'S' && name[3] == '\0') ||
	       (name[0] == 'O' && name[1] == 'P');
}

void
shell_child(struct shell *shell)
{
	struct field blanks = field_static(" \t\n", NULL);

	if (shell_get(shell, "IFS") != NULL) {
		shell_set(shell, "IFS", &blanks);
	}
	for (int kind = SHELL_VAR; kind <= SHELL_FUNCTION; kind++) {
		const struct shell_table *table = &shell->tables->kinds[kind];

		for (size_t i = 0; i < table->room && !shell->arena->failed; i++) {
			struct shell_entry *entry = table->slots[i];

			if (entry == NULL || entry->value == NULL || is_own(entry->name)) {
				continue;
			}
			if (!shell_spend(shell, 64)) {
				shell_forget(shell);
				return;
			}
			if (kind == SHELL_VAR) {
				child_variable(shell, entry);
			} else {
				child_function(shell, entry);
			}
		}
	}
}
