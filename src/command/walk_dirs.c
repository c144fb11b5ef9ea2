/* SPDX-License-Identifier: MIT */
/*
 * Where the shell is: cd, pushd and popd, and what becomes of it when one of them fails.
 *
 * Invariant: cwd is where the shell is when every one of them did what it should; where it may be
 * otherwise, and what OLDPWD may be then, is in walk->at.
 */
#include "command/walk_impl.h"

#include "base/path.h"

#include <string.h>

#define DIRECTORIES_MAX 16

/* ---- lists -------------------------------------------------------------------------------- */

static bool
same_dir(const struct field *a, const struct field *b)
{
	return field_is_literal(a) ? field_is(b, a->text) : !field_is_literal(b);
}

static bool
put(struct walk *w, struct dir_entry **list, const struct dir_entry *like)
{
	struct dir_entry *entry = arena_alloc(w->arena, sizeof(*entry));

	if (entry == NULL) {
		return false;
	}
	*entry = *like;
	entry->next = *list;
	*list = entry;
	return true;
}

/* Puts it in front, unless it is there; where only the failures differ it is no matter which from
 * then on. Lists are shared with older states: what is in them is never changed. false: it is full.
 */
static bool
add(struct walk *w, struct dir_entry **list, const struct dir_entry *like)
{
	const struct dir_entry *all[DIRECTORIES_MAX];
	const struct dir_entry *same = NULL;
	struct dir_entry merged = *like;
	size_t count = 0;

	for (const struct dir_entry *at = *list; at != NULL && count < DIRECTORIES_MAX;
	     at = at->next) {
		if (at->stayed == like->stayed && same_dir(&at->dir, &like->dir)) {
			same = at;
		} else {
			all[count++] = at;
		}
	}
	if (same == NULL) {
		return count < DIRECTORIES_MAX && put(w, list, like);
	}
	if (same->failed == NULL || same->failed == like->failed) {
		return true;
	}
	merged.failed = NULL;
	*list = NULL;
	while (count-- > 0) {
		(void)put(w, list, all[count]);
	}
	return put(w, list, &merged);
}

/* The shell may be there as well. An unknown place is one only when it is where a failure leads. */
static void
may_be_in(struct walk *w, const struct dir_entry *like)
{
	if (!like->stayed && !field_is_literal(&like->dir)) {
		return;
	}
	if (!add(w, &w->at.maybe, like)) {
		walk_reason(w, WHY_TOO_MUCH, NULL);
	}
}

static void
may_have_stayed(struct walk *w, const struct dir_entry *list)
{
	for (; list != NULL; list = list->next) {
		if (list->stayed) {
			may_be_in(w, list);
		}
	}
}

/* ---- going -------------------------------------------------------------------------------- */

static struct field
variable(struct walk *w, const char *name)
{
	const struct var *var = shell_get(&w->shell, name);

	if (var == NULL || var->unsure || var->array || !var->set || var->count == 0) {
		return field_unknown(TAINT_VARIABLE, false, NULL);
	}
	return var->values[0];
}

/* Is there a directory of that name for certain? */
static bool
is_there(const struct walk *w, const struct field *dir)
{
	static const char *const names[] = {
		"/", "/bin", "/etc", "/tmp", "/usr", "/usr/bin", "/var"
	};
	const struct bailey_scene *scene = w->scene;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (field_is(dir, names[i])) {
			return true;
		}
	}
	return field_is_literal(dir) &&
	       ((scene->home != NULL && path_under(scene->home, dir->text)) ||
		(scene->cwd != NULL && path_under(scene->cwd, dir->text)));
}

void
walk_chdir(struct walk *w, const struct field *dir)
{
	w->at.maybe = NULL;
	shell_chdir(&w->shell, dir);
}

/* A change of directory: from where, and what OLDPWD was. */
struct change {
	struct directories was;
	struct dir_entry from, old;
	const struct node *node;
	bool sure;
};

/* OLDPWD is where the shell was, wherever that is, or, after a failure, what it was. */
static void
note_old(struct walk *w, const struct change *change)
{
	struct dir_entry *list = NULL;
	struct shell_mark mark;
	size_t count = 0;
	bool fits = true;

	for (const struct dir_entry *at = change->was.maybe; at != NULL; at = at->next) {
		fits = add(w, &list, at) && fits;
	}
	if (!change->sure && change->was.old == NULL) {
		fits = add(w, &list, &change->old) && fits;
	}
	for (const struct dir_entry *at = change->was.old; at != NULL && !change->sure;
	     at = at->next) {
		struct dir_entry entry = *at;

		entry.stayed = true;
		entry.failed = change->node;
		fits = add(w, &list, &entry) && fits;
	}
	if (list == NULL) {
		return;
	}
	mark = shell_mark(&w->shell);
	shell_set(&w->shell, "OLDPWD", &list->dir);
	shell_join(&w->shell, &mark);
	for (const struct dir_entry *at = list; at != NULL; at = at->next) {
		count++;
	}
	if (fits && count < DIRECTORIES_MAX && put(w, &list, &change->from)) {
		w->at.old = list;
	} /* else the variable is unsure, and may be anything */
}

/* To `dir`, which is `word` from where it is (may be NULL). When there is no such directory it
 * stays where it was; and from wherever else it may be it goes elsewhere. */
static void
go_to(struct walk *w, const struct command *command, const struct field *dir,
      const struct field *word)
{
	struct change change = {
		.was = w->at,
		.from = { .dir = w->shell.cwd },
		.old = { .dir = variable(w, "OLDPWD"), .stayed = true, .failed = command->node },
		.node = command->node,
		.sure = is_there(w, dir),
	};
	struct field now;

	walk_chdir(w, dir);
	note_old(w, &change);
	if (change.sure) {
		return;
	}
	w->at.maybe = change.was.maybe;
	change.from.stayed = true;
	change.from.failed = command->node;
	may_be_in(w, &change.from);
	if (word == NULL || !field_is_literal(word) || strstr(word->text, "..") == NULL) {
		return;
	}
	now = w->shell.cwd;
	for (const struct dir_entry *at = change.was.maybe; at != NULL; at = at->next) {
		struct dir_entry other = { .stayed = true, .failed = at->failed };

		w->shell.cwd = at->dir;
		other.dir = shell_path(&w->shell, word);
		w->shell.cwd = now;
		may_be_in(w, &other);
	}
}

/* To OLDPWD: whatever that may be, and when there is none it stays. */
static void
go_back(struct walk *w, const struct command *command)
{
	const struct dir_entry *old = w->at.old;
	const struct dir_entry *maybe = w->at.maybe;
	struct field dir = old != NULL ? old->dir : variable(w, "OLDPWD");
	const struct field *values = NULL;
	const struct var *var = NULL;
	size_t count = 0;

	if (!field_is_literal(&dir)) {
		var = shell_get(&w->shell, "OLDPWD");
	}
	if (var != NULL && var->unsure) {
		count = var->alternative_count;
		values = var->alternatives;
	}
	go_to(w, command, &dir, NULL);
	for (size_t i = 0; i < count; i++) {
		may_be_in(w, &(struct dir_entry){ .dir = values[i] });
	}
	if (old == NULL || old->next == NULL) {
		return;
	}
	for (old = old->next; old != NULL; old = old->next) {
		may_be_in(w, old);
	}
	may_have_stayed(w, maybe);
}

/* To the directory that word `at` is; the home directory where there is none. */
static void
go(struct walk *w, const struct command *command, size_t at)
{
	const struct field *word = at < command->argc ? &command->argv[at] : NULL;
	struct field dir;

	if (word != NULL && field_is(word, "-")) {
		go_back(w, command);
		return;
	}
	if (word == NULL) {
		dir = shell_home(&w->shell);
	} else {
		dir = word->len == 0 ? w->shell.cwd : shell_path(&w->shell, word);
	}
	go_to(w, command, &dir, word);
}

void
walk_cd(struct walk *w, const struct command *command)
{
	size_t at = walk_skip_options(w, command, "LPe@");

	if (at < command->argc &&
	    (!field_is_literal(&command->argv[at]) || field_is(&command->argv[at], "-"))) {
		walk_emit_unknown(w, 0);
	}
	go(w, command, at);
}

/* ---- the stack ---------------------------------------------------------------------------- */

static void
push(struct walk *w, const struct field *dir)
{
	struct dir_entry *entry = arena_alloc(w->arena, sizeof(*entry));

	if (entry != NULL) {
		entry->dir = *dir;
		entry->next = w->at.stack;
		w->at.stack = entry;
	}
}

/* It is in one of them, or elsewhere. */
static void
may_be_in_any(struct walk *w, const struct dir_entry *list)
{
	for (; list != NULL; list = list->next) {
		may_be_in(w, &(struct dir_entry){ .dir = list->dir });
	}
}

/* To what is on top of the stack, which is taken off. It may have been there alone, or not at all.
 */
static void
go_to_top(struct walk *w, const struct command *command)
{
	struct field dir = field_unknown(TAINT_VARIABLE, false, NULL);
	struct directories was = w->at;
	struct dir_entry other = { .stayed = true };

	if (was.lost || was.stack == NULL) {
		go_to(w, command, &dir, NULL);
		may_be_in_any(w, was.stack);
		return;
	}
	dir = was.stack->dir;
	w->at.stack = was.stack->next;
	go_to(w, command, &dir, NULL);
	if (was.missing == NULL) {
		return;
	}
	other.failed = was.more_missing ? NULL : was.missing;
	for (const struct dir_entry *at = w->at.stack; at != NULL; at = at->next) {
		other.dir = at->dir;
		may_be_in(w, &other);
	}
	may_have_stayed(w, was.maybe);
}

static void
may_be_missing(struct walk *w, const struct node *node)
{
	w->at.lost = w->at.lost || node == NULL;
	w->at.more_missing = w->at.more_missing || w->at.missing != NULL;
	if (w->at.missing == NULL) {
		w->at.missing = node;
	}
}

void
walk_pushd(struct walk *w, const struct command *command)
{
	const struct field *word = command->argc > 1 ? &command->argv[1] : NULL;
	struct field from = w->shell.cwd;
	struct field dir;

	if (word != NULL && field_is(word, "-n")) {
		w->at.lost = w->at.lost || command->argc != 3;
		dir = command->argc == 3 ? shell_path(&w->shell, &command->argv[2]) : from;
		push(w, &dir);
		return;
	}
	if (word == NULL) {
		go_to_top(w, command);
		push(w, &from);
		w->at.lost = w->at.lost || w->at.missing != NULL;
		return;
	}
	push(w, &from);
	if (word->text[0] == '+' || (word->text[0] == '-' && word->len > 1)) {
		w->at.lost = true;
		go_to_top(w, command);
		return;
	}
	go(w, command, 1);
	if (!is_there(w, &w->shell.cwd)) {
		may_be_missing(w, command->node);
	}
}

void
walk_popd(struct walk *w, const struct command *command)
{
	w->at.lost = w->at.lost || command->argc > 1;
	go_to_top(w, command);
}

void
walk_dirs(struct walk *w, const struct command *command)
{
	struct options o = { .command = command, .letters = "clpv0123456789" };

	for (char c = walk_option(w, &o); c != 0; c = walk_option(w, &o)) {
		w->at.lost = w->at.lost || c == 'c';
	}
	walk_emit_unknown(w, 0);
}

/* ---- branches ----------------------------------------------------------------------------- */

/* Unless it is an unknown place without a reason. */
static void
join_list(struct walk *w, struct dir_entry **list, const struct dir_entry *other)
{
	for (; other != NULL; other = other->next) {
		if ((other->stayed || field_is_literal(&other->dir)) && !add(w, list, other)) {
			walk_reason(w, WHY_TOO_MUCH, NULL);
		}
	}
}

void
walk_dirs_join(struct walk *w, const struct field *before, const struct directories *at)
{
	const struct field *after = &w->shell.cwd;
	struct dir_entry *old = NULL;
	const struct dir_entry nowhere = { .dir = field_unknown(TAINT_VARIABLE, false, NULL) };
	bool same = field_is_literal(before) && field_is_literal(after) &&
		    field_is(before, after->text);

	for (const struct dir_entry *entry = at->maybe; entry != NULL && at->maybe != w->at.maybe;
	     entry = entry->next) {
		may_be_in(w, entry);
	}
	if (!same) {
		may_be_in(w, &(struct dir_entry){ .dir = *before });
		may_be_in(w, &(struct dir_entry){ .dir = *after });
	}
	if (w->at.stack != at->stack) {
		join_list(w, &w->at.stack, at->stack);
		w->at.lost = true;
	}
	w->at.lost = w->at.lost || at->lost;
	if (at->missing != NULL && at->missing != w->at.missing) {
		may_be_missing(w, at->missing);
	}
	w->at.more_missing = w->at.more_missing || at->more_missing;
	if (w->at.old != at->old) {
		join_list(w, &old, at->old);
		join_list(w, &old, w->at.old);
		/* In front: which of them it is, is not known. */
		w->at.old = add(w, &old, &nowhere) ? old : NULL;
	}
}

/* Takes out of a list what is there only when `node` failed. */
static struct dir_entry *
without(struct walk *w, struct dir_entry *list, const struct node *node, struct dir_entry **hidden,
	bool *fits)
{
	const struct dir_entry *all[DIRECTORIES_MAX];
	struct dir_entry *kept = NULL;
	size_t count = 0;
	size_t left = 0;

	for (const struct dir_entry *at = list; at != NULL && count < DIRECTORIES_MAX;
	     at = at->next) {
		left += at->failed != node;
		all[count++] = at;
	}
	if (left == count) {
		return list;
	}
	while (count-- > 0) {
		struct dir_entry entry = *all[count];

		if (entry.failed != node) {
			(void)put(w, &kept, &entry);
			continue;
		}
		entry.failed = NULL; /* that has been asked */
		*fits = add(w, hidden, &entry) && *fits;
	}
	return kept;
}

void
walk_dirs_hide(struct walk *w, const struct node *node, struct directories *hidden)
{
	bool fits = true;

	w->at.maybe = without(w, w->at.maybe, node, &hidden->maybe, &fits);
	if (!fits) {
		walk_reason(w, WHY_TOO_MUCH, NULL);
	}
	fits = true;
	w->at.old = without(w, w->at.old, node, &hidden->old, &fits);
	hidden->lost = hidden->lost || !fits;
	if (w->at.missing == node && !w->at.more_missing) {
		hidden->missing = node;
		w->at.missing = NULL;
	}
}

void
walk_dirs_show(struct walk *w, const struct directories *hidden)
{
	struct dir_entry *old = NULL;
	bool fits = !hidden->lost;

	for (const struct dir_entry *at = hidden->maybe; at != NULL; at = at->next) {
		may_be_in(w, at);
	}
	if (hidden->missing != NULL) {
		may_be_missing(w, hidden->missing);
	}
	if (w->at.old == NULL || hidden->old == NULL) {
		return;
	}
	for (const struct dir_entry *at = hidden->old; at != NULL; at = at->next) {
		fits = add(w, &old, at) && fits;
	}
	for (const struct dir_entry *at = w->at.old->next; at != NULL; at = at->next) {
		fits = add(w, &old, at) && fits;
	}
	fits = add(w, &old, w->at.old) && fits;
	w->at.old = fits ? old : NULL;
}
