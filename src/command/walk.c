/* SPDX-License-Identifier: MIT */
/*
 * The walk as a whole: the account that is kept, subshells and trials, the items of a script, and
 * the bounds that keep all of it finite.
 */
#include "command/walk_impl.h"

#include <bailey/error.h>

#include <string.h>

/* Each level takes some kilobytes of the stack with what expansion adds, and half a megabyte must
 * be enough for all of them. */
#define LEVEL_MAX 150

/* ---- the account -------------------------------------------------------------------------- */

void
walk_rule(struct walk *w, const struct rule *rule, const struct field *at)
{
	if (rule->decision >= w->floor) {
		account_rule(&w->subject, rule, NULL, at);
	}
}

void
walk_reason(struct walk *w, enum why why, const struct field *at)
{
	walk_rule(w, &walk_rules[why], at);
}

void
walk_message(struct walk *w, enum why why, const char *message, const struct field *at)
{
	const struct rule *rule = &walk_rules[why];
	struct bailey_span none = { 0, 0 };

	if (message == NULL) {
		walk_reason(w, why, at);
		return;
	}
	if (rule->decision >= w->floor) {
		account_reason(&w->subject, rule->decision, rule->id, message,
			       at != NULL ? at->source : NULL, at != NULL ? at->span : none);
	}
}

/* Code in other languages says ~ where a shell would have put the home directory already. */
static struct field
with_home(struct walk *w, const struct field *target)
{
	struct field home = shell_home(&w->shell);
	struct field rest = field_tail(w->arena, target, 1);

	home.source = target->source;
	home.span = target->span;
	return field_join(w->arena, &home, &rest);
}

static enum bailey_decision
deed(struct walk *w, const struct effect *effect)
{
	if (w->floor > BAILEY_ALLOW) {
		struct subject tried = w->subject;
		enum bailey_decision decision;

		tried.account = w->scratch;
		decision = account_deed(&tried, &w->shell, effect);
		if (decision < w->floor || w->subject.account == w->scratch) {
			return decision;
		}
	}
	return account_deed(&w->subject, &w->shell, effect);
}

enum bailey_decision
walk_deed(struct walk *w, const struct effect *effect)
{
	const struct field *target = effect->target;
	struct effect changed = *effect;
	struct field path;

	if (target == NULL || !target->tilde || target->text[0] != '~' || target->len == 0 ||
	    (target->len > 1 && target->text[1] != '/')) {
		return deed(w, effect);
	}
	path = with_home(w, target);
	changed.target = &path;
	return deed(w, &changed);
}

enum bailey_decision
walk_deed_on(struct walk *w, enum deed deed, const struct field *target)
{
	struct effect effect = { .deed = deed, .target = target };

	return walk_deed(w, &effect);
}

void
walk_unreadable(struct walk *w, const struct trouble *trouble, const struct source *source)
{
	bool deep = strcmp(trouble->rule, "nesting-too-deep") == 0;

	if (w->floor <= (deep ? BAILEY_FORBIDDEN : BAILEY_PROMPT)) {
		account_unreadable(&w->subject, trouble, source);
	}
}

/* ---- bounds ------------------------------------------------------------------------------- */

bool
walk_enter(struct walk *w)
{
	if (w->level >= LEVEL_MAX) {
		/* A body that is cut here is walked by itself at the end. */
		if (w->frames != NULL) {
			*w->frames->def->called = false;
			w->cut = true;
		}
		walk_reason(w, w->frames != NULL ? WHY_RECURSIVE : WHY_TOO_DEEP, NULL);
		return false;
	}
	w->level++;
	return true;
}

void
walk_leave(struct walk *w)
{
	w->level--;
}

bool
walk_spent(struct walk *w)
{
	if (w->visits < w->budget && !w->arena->failed) {
		return false;
	}
	if (!w->too_much) {
		struct subject always = { .account = w->account,
					  .command = SIZE_MAX,
					  .cap = BAILEY_FORBIDDEN };

		w->too_much = true;
		account_rule(&always, &walk_rules[WHY_TOO_MUCH], NULL, NULL);
	}
	return true;
}

/* ---- subshells and trials ----------------------------------------------------------------- */

/* The traps that a subshell has as well, if any: not those for the end. */
static struct trap_text *
inherited(const struct walk *w)
{
	struct trap_text *trap = w->traps;

	while (trap != NULL && trap->at_end) {
		trap = trap->next;
	}
	return trap;
}

void
walk_fork(struct walk *w, struct subshell *sub)
{
	sub->mark = shell_mark(&w->shell);
	sub->io = w->io;
	sub->files = w->file_count;
	sub->file_floor = w->file_floor;
	w->file_floor = w->file_count;
	sub->frames = w->frames;
	sub->traps = w->traps;
	w->traps = w->inherits_traps ? inherited(w) : NULL;
	sub->at = w->at;
	sub->jump_loops = w->jump_loops;
	sub->returned = w->returned;
	sub->ended = w->ended;
	sub->fails = w->fails;
	sub->consumed = w->consumed_count;
	w->jump_loops = 0;
	w->returned = false;
	w->ended = false;
	w->forks++;
}

/* Lines that were read off since `from` may not have been: the text is whole again, and it is not
 * known what of it is left. */
static void
give_back(struct walk *w, size_t from)
{
	while (w->consumed_count > from) {
		const struct consumed *last = &w->consumed[--w->consumed_count];

		last->flow->text.data = last->data;
		last->flow->touched = true;
	}
}

/* What a subshell writes to files stays when it ends. */
static struct file_note *
keep_files(struct walk *w, size_t from)
{
	size_t count = w->file_count - from;
	struct file_note *kept = arena_array(w->arena, count, sizeof(*kept));

	for (size_t i = 0; i < count && kept != NULL; i++) {
		const struct file_note *note = shell_file(&w->shell, w->files[from + i]);

		if (note != NULL) {
			kept[i] = *note;
		}
	}
	return kept;
}

void
walk_fork_end(struct walk *w, struct subshell *sub)
{
	size_t count;
	struct file_note *kept;

	if (w->traps != NULL) {
		walk_traps_end(w);
	}
	w->traps = sub->traps;
	count = w->file_count - sub->files;
	kept = count > 0 ? keep_files(w, sub->files) : NULL;
	shell_rollback(&w->shell, &sub->mark);
	for (size_t i = 0; i < count && kept != NULL; i++) {
		struct file_note *note = NULL;

		if (kept[i].path != NULL) {
			note = shell_note_file(&w->shell, kept[i].path);
		}
		if (note != NULL) {
			kept[i].path = note->path;
			*note = kept[i];
		}
	}
	w->file_floor = sub->file_floor;
	w->io = sub->io;
	w->frames = sub->frames;
	w->at = sub->at;
	w->jump_loops = sub->jump_loops;
	w->returned = sub->returned;
	w->ended = sub->ended;
	w->fails = sub->fails;
	w->forks--;
	give_back(w, sub->consumed);
}

void
walk_try(struct walk *w, struct trial *trial, unsigned attempt)
{
	walk_outputs(w, &trial->outputs);
	walk_fork(w, &trial->sub);
	trial->floor = w->floor;
	trial->attempt = w->shell.attempt;
	w->floor = BAILEY_FORBIDDEN;
	w->shell.attempt = attempt;
}

/* It is a text that the script itself prints. */
void
walk_try_in_full(struct walk *w, struct trial *trial, unsigned attempt)
{
	walk_try(w, trial, attempt);
	if (trial->floor < BAILEY_FORBIDDEN) {
		w->floor = BAILEY_PROMPT;
	}
}

void
walk_try_end(struct walk *w, struct trial *trial)
{
	w->file_count = trial->sub.files;
	walk_fork_end(w, &trial->sub);
	walk_outputs_doubt(w, &trial->outputs);
	w->floor = trial->floor;
	w->shell.attempt = trial->attempt;
}

bool
walk_aside(struct walk *w, struct aside *aside)
{
	if (w->subject.account == w->scratch || w->scratch == NULL) {
		return false;
	}
	walk_outputs(w, &aside->outputs);
	walk_fork(w, &aside->sub);
	aside->subject = w->subject;
	aside->floor = w->floor;
	aside->mark = account_mark(w->scratch);
	w->subject = (struct subject){ .account = w->scratch,
				       .command = SIZE_MAX,
				       .cap = BAILEY_FORBIDDEN };
	w->floor = BAILEY_ALLOW;
	return true;
}

enum bailey_decision
walk_aside_end(struct walk *w, struct aside *aside)
{
	w->file_count = aside->sub.files;
	walk_fork_end(w, &aside->sub);
	walk_outputs_doubt(w, &aside->outputs);
	w->subject = aside->subject;
	w->floor = aside->floor;
	return account_since(w->scratch, aside->mark);
}

/* ---- branches ----------------------------------------------------------------------------- */

void
walk_branch(struct walk *w, struct branch *branch)
{
	branch->mark = shell_mark(&w->shell);
	walk_outputs(w, &branch->outputs);
	branch->io = w->io;
	branch->at = w->at;
	branch->consumed = w->consumed_count;
	w->branches++;
}

void
walk_redirected(struct walk *w, struct branch *branch, const struct io_scope *scope)
{
	struct io now = w->io;

	walk_branch(w, branch);
	w->io = scope->saved;
	walk_outputs(w, &branch->outputs);
	w->io = now;
}

static void
join_io(struct walk *w, const struct io *before)
{
	for (size_t fd = 0; fd < WALK_FDS; fd++) {
		struct flow *either;

		if (w->io.fd[fd] == before->fd[fd]) {
			continue;
		}
		either = walk_flow_new(w, FLOW_EITHER);
		if (either != NULL) {
			either->either[0] = before->fd[fd];
			either->either[1] = w->io.fd[fd];
			w->io.fd[fd] = either;
		}
	}
}

void
walk_branch_end(struct walk *w, struct branch *branch)
{
	w->branches--;
	walk_dirs_join(w, &branch->mark.saved.cwd, &branch->at);
	shell_join(&w->shell, &branch->mark);
	walk_outputs_doubt(w, &branch->outputs);
	join_io(w, &branch->io);
	give_back(w, branch->consumed);
}

bool
walk_jumped(const struct walk *w)
{
	return w->jump_loops > 0 || w->returned || w->ended;
}

void
walk_end_shell(struct walk *w)
{
	w->ended = w->ended || w->forks > 0;
}

/* ---- scripts ------------------------------------------------------------------------------ */

WALK_APART static void
walk_background(struct walk *w, const struct node *node)
{
	struct subshell sub;
	struct outputs outputs;

	walk_outputs(w, &outputs);
	walk_fork(w, &sub);
	w->forked++;
	if (w->io.fd[0] == NULL) {
		w->io.fd[0] = walk_flow_new(w, FLOW_NULL);
	}
	walk_node(w, node);
	w->forked--;
	walk_fork_end(w, &sub);
	walk_outputs_doubt(w, &outputs);
}

static void
walk_item(struct walk *w, const struct item *item)
{
	if (w->aliases == NULL) {
		w->line = item->line;
	}
	if (item->background) {
		walk_background(w, item->node);
	} else {
		walk_node(w, item->node);
	}
}

/* Items that may not run: those behind a `break` or `return`. */
WALK_APART static void
walk_rest(struct walk *w, const struct item *item)
{
	struct branch branch;

	walk_branch(w, &branch);
	for (; item != NULL && !w->arena->failed; item = item->next) {
		walk_item(w, item);
	}
	walk_branch_end(w, &branch);
}

void
walk_script(struct walk *w, const struct script *script)
{
	const struct source *outer = w->source;
	const struct item *item = script->items;
	uint32_t line = w->line;

	w->source = script->source;
	for (; item != NULL && !w->arena->failed; item = item->next) {
		if (walk_jumped(w) || (w->fails && w->forks > 0 && item != script->items)) {
			walk_rest(w, item);
			break;
		}
		walk_item(w, item);
	}
	w->source = outer;
	w->line = line;
}

/* ---- the front ---------------------------------------------------------------------------- */

static int
start(struct walk *w, struct arena *arena, struct account *account,
      const struct bailey_scene *scene, const struct source *source)
{
	int rc;

	*w = (struct walk){
		.arena = arena,
		.scene = scene,
		.subject = { .account = account, .command = SIZE_MAX, .cap = BAILEY_FORBIDDEN },
		.account = account,
		.hooks = walk_hooks,
		.source = source,
		.parent = SIZE_MAX,
		.budget = 4096,
	};
	w->hooks.data = w;
	w->scratch = account_new(arena, scene, source);
	rc = shell_init(&w->shell, arena, scene);
	w->shell.on_assign = walk_assigned;
	w->shell.on_assign_context = w;
	if (rc == BAILEY_OK && w->scratch == NULL) {
		rc = BAILEY_E_NOMEM;
	}
	return rc;
}

static int
finish(const struct walk *w, int rc, struct bailey_error *err)
{
	if (rc == BAILEY_E_NOMEM || w->arena->failed) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory to judge the command");
	}
	return rc;
}

int
walk_text(struct arena *arena, struct account *account, const struct bailey_scene *scene,
	  const struct source *source, struct bailey_error *err)
{
	struct walk w;
	struct trouble trouble = { .rule = NULL };
	struct script *script;
	int rc = start(&w, arena, account, scene, source);

	if (rc != BAILEY_OK) {
		return finish(&w, rc, err);
	}
	w.budget += source->len * 2;
	script = syntax_parse(arena, source, DIALECT_BASH, false, &trouble);
	if (script == NULL) {
		return finish(&w, BAILEY_E_NOMEM, err);
	}
	walk_script(&w, script);
	if (trouble.rule != NULL) {
		w.subject.command = SIZE_MAX;
		walk_unreadable(&w, &trouble, source);
	}
	walk_traps_end(&w);
	walk_run_sinks(&w, NULL);
	walk_uncalled(&w);
	return finish(&w, BAILEY_OK, err);
}

int
walk_argv(struct arena *arena, struct account *account, const struct bailey_scene *scene,
	  const struct field *argv, size_t argc, struct bailey_error *err)
{
	struct walk w;
	struct command command = { .argv = argv,
				   .argc = argc,
				   .flags = COMMAND_NO_FUNCTION | COMMAND_NO_BUILTIN };
	const struct source *source = argc > 0 ? argv[0].source : NULL;
	struct bailey_span span = { 0, source != NULL ? (uint32_t)source->len : 0 };
	int rc = start(&w, arena, account, scene, source);

	if (rc != BAILEY_OK) {
		return finish(&w, rc, err);
	}
	if (argc == 0) {
		walk_reason(&w, WHY_UNKNOWN_NAME, NULL);
		return finish(&w, BAILEY_OK, err);
	}
	walk_add_command(&w, &command, NULL, span);
	walk_run(&w, &command);
	walk_uncalled(&w);
	return finish(&w, BAILEY_OK, err);
}
