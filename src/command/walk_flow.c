/* SPDX-License-Identifier: MIT */
/*
 * Nodes that hold others: pipelines, lists, branches and subshells. Every branch is walked; what
 * it assigns is unsure afterwards, unless it runs for certain.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- pipelines ---------------------------------------------------------------------------- */

/* Stages run at the same time: what more than one of them writes has no certain order. */
struct stages {
	struct outputs start, last;
	uint32_t once, twice; /* bits of descriptors */
};

static void
count_writers(struct stages *stages)
{
	for (unsigned fd = 0; fd < WALK_FDS; fd++) {
		const struct flow *flow = stages->start.io.fd[fd];

		if (flow != NULL && flow->out.len != stages->last.len[fd]) {
			stages->twice |= stages->once & 1U << fd;
			stages->once |= 1U << fd;
			stages->last.len[fd] = (uint32_t)flow->out.len;
		}
	}
}

/* The stage of a pipeline: a |& b is a 2>&1 | b, that redirection the last one. */
static const struct node *
with_errors(struct walk *w, const struct node *stage)
{
	struct redirect **tail;
	struct redirect *redirect;
	struct node *node;
	struct word *word;
	struct part *part;

	if (!stage->pipe_err || stage->kind == NODE_FUNCTION) {
		return stage;
	}
	node = arena_alloc(w->arena, sizeof(*node));
	redirect = arena_alloc(w->arena, sizeof(*redirect));
	word = arena_alloc(w->arena, sizeof(*word));
	part = arena_alloc(w->arena, sizeof(*part));
	if (node == NULL || redirect == NULL || word == NULL || part == NULL) {
		return stage;
	}
	*part = (struct part){ .text = "1", .len = 1, .exact = UINT32_MAX, .span = stage->span };
	*word = (struct word){ .parts = part, .span = stage->span };
	*redirect = (struct redirect){
		.op = REDIR_DUP_OUT, .fd = 2, .word = word, .span = stage->span
	};
	*node = *stage;
	tail = &node->redirects;
	for (const struct redirect *from = stage->redirects; from != NULL; from = from->next) {
		*tail = arena_alloc(w->arena, sizeof(**tail));
		if (*tail == NULL) {
			return stage;
		}
		**tail = *from;
		tail = &(*tail)->next;
	}
	*tail = redirect;
	return node;
}

WALK_APART static void
walk_stage(struct walk *w, const struct node *stage, struct flow *in, struct flow *out)
{
	struct subshell sub;

	walk_fork(w, &sub);
	if (in != NULL) {
		w->io.fd[0] = in;
	}
	if (out != NULL) {
		w->io.fd[1] = out;
	}
	walk_node(w, stage);
	walk_fork_end(w, &sub);
}

WALK_APART static void
walk_stages(struct walk *w, const struct node *node)
{
	struct flow *in = NULL;
	struct stages stages;

	w->forked++;
	stages.once = 0;
	stages.twice = 0;
	walk_outputs(w, &stages.start);
	stages.last = stages.start;
	for (const struct node *stage = node->first; stage != NULL && !w->arena->failed;
	     stage = stage->next) {
		struct flow *out = NULL;
		struct stream text;

		if (stage->next != NULL) {
			out = walk_flow_new(w, FLOW_TEXT);
		}
		walk_stage(w, with_errors(w, stage), in, out);
		if (out != NULL) {
			text = walk_written(w, out);
			in = walk_flow_text(w, &text);
		}
		count_writers(&stages);
	}
	w->forked--;
	if (stages.twice != 0) {
		walk_outputs_doubt(w, &stages.start);
	}
}

static void
walk_pipeline(struct walk *w, const struct node *node)
{
	if (node->first == NULL) {
		return;
	}
	if (node->first->next == NULL) {
		walk_node(w, node->first);
		return;
	}
	walk_stages(w, node);
}

/* ---- && and || ---------------------------------------------------------------------------- */

/*
 * a && b && c || d: what stands left of && has run when its right side runs, so its assignments
 * are certain there; behind a change of the operator they are not. The tree leans to the left and
 * is as deep as the list is long, so it is gone through without recursion.
 */
WALK_APART static void
walk_list(struct walk *w, const struct node *node)
{
	const struct node **chain = NULL;
	size_t count = 0;
	struct directories hidden = { .stack = NULL };
	struct branch branch;
	bool open = false;

	for (; node != NULL && (node->kind == NODE_AND || node->kind == NODE_OR);
	     node = node->first) {
		const struct node **slot = arena_push(w->arena, &chain, &count, sizeof(*chain));

		if (slot == NULL) {
			return;
		}
		*slot = node;
	}
	if (node == NULL) {
		return;
	}
	walk_node(w, node);
	for (size_t i = count; i-- > 0 && !w->arena->failed;) {
		bool changes = i + 1 < count && chain[i + 1]->kind != chain[i]->kind;

		if (open && changes) {
			walk_branch_end(w, &branch);
			walk_dirs_show(w, &hidden);
			hidden = (struct directories){ .stack = NULL };
		}
		if (chain[i]->kind == NODE_AND) {
			walk_dirs_hide(w, node, &hidden);
		}
		if (!open || changes) {
			walk_branch(w, &branch);
			open = true;
		}
		walk_node(w, chain[i]->second);
		node = chain[i]->second;
	}
	if (open) {
		walk_branch_end(w, &branch);
		walk_dirs_show(w, &hidden);
	}
}

/* ---- if and case -------------------------------------------------------------------------- */

WALK_APART static void
walk_body(struct walk *w, const struct script *body)
{
	struct branch branch;

	walk_branch(w, &branch);
	walk_script(w, body);
	walk_branch_end(w, &branch);
}

static void
walk_if(struct walk *w, const struct node *node)
{
	walk_script(w, node->condition);
	walk_body(w, node->body);
	if (node->other != NULL) {
		walk_body(w, node->other);
	}
}

static void
walk_case(struct walk *w, const struct node *node)
{
	struct expander ex = walk_expander(w);

	(void)expand_plain(&ex, node->words);
	walk_check_words(w, node->words);
	for (const struct case_arm *arm = node->cases; arm != NULL && !w->arena->failed;
	     arm = arm->next) {
		for (const struct word *word = arm->patterns; word != NULL; word = word->next) {
			(void)expand_pattern(&ex, word);
		}
		walk_body(w, arm->body);
	}
}

/* ---- subshells ---------------------------------------------------------------------------- */

WALK_APART static void
walk_subshell(struct walk *w, const struct script *body)
{
	struct subshell sub;

	walk_fork(w, &sub);
	walk_script(w, body);
	walk_fork_end(w, &sub);
}

WALK_APART static void
walk_coproc(struct walk *w, const struct node *node)
{
	struct field unknown = field_unknown(TAINT_OUTPUT, false, NULL);
	struct outputs outputs;
	struct subshell sub;

	walk_outputs(w, &outputs);
	walk_fork(w, &sub);
	w->forked++;
	w->io.fd[0] = walk_flow_new(w, FLOW_TEXT);
	if (w->io.fd[0] != NULL) {
		w->io.fd[0]->reads = true;
		w->io.fd[0]->text = stream_unknown(TAINT_INPUT);
	}
	w->io.fd[1] = walk_flow_new(w, FLOW_TEXT);
	walk_node(w, node->first);
	w->forked--;
	walk_fork_end(w, &sub);
	walk_outputs_doubt(w, &outputs);
	shell_set(&w->shell, node->name != NULL ? node->name : "COPROC", &unknown);
}

/* ---- functions ---------------------------------------------------------------------------- */

/* Functions that are being run at one time; deeper ones are not followed. */
#define FRAMES_MAX 32

/* How often `body` is being run already; notes the way back to it. */
static unsigned
count_running(struct walk *w, const struct node *body, bool *bomb, bool *forked)
{
	struct call_frame *nearest = NULL;
	unsigned count = 0;

	for (struct call_frame *frame = w->frames; frame != NULL; frame = frame->outer) {
		if (frame->body == body) {
			nearest = nearest != NULL ? nearest : frame;
			count++;
		}
	}
	*bomb = false;
	*forked = false;
	if (nearest == NULL) {
		return 0;
	}
	if (nearest->first_site == NULL) {
		nearest->first_site = nearest->site;
	}
	nearest->again = nearest->again || nearest->site != nearest->first_site;
	*forked = w->forked > nearest->forked;
	nearest->again_forked = nearest->again_forked || *forked;
	*bomb = nearest->again && nearest->again_forked;
	return count;
}

static bool
may_call(struct walk *w, const struct function_def *def, const struct field *at)
{
	unsigned frames = 0;
	unsigned running;
	bool bomb, forked;

	running = count_running(w, def->body, &bomb, &forked);
	if (bomb) {
		walk_reason(w, WHY_FORK_BOMB, at);
		return false;
	}
	for (const struct call_frame *frame = w->frames; frame != NULL; frame = frame->outer) {
		frames++;
	}
	if (running >= (forked ? 2 : BAILEY_COMMAND_DEPTH) || frames >= FRAMES_MAX) {
		walk_reason(w, WHY_RECURSIVE, at);
		w->cut = w->cut || running == 0;
		return false;
	}
	return !(*def->called && walk_spent(w));
}

/* $1 and so on from the words of a command. */
static void
set_positional(struct walk *w, const struct field *argv, size_t argc)
{
	struct field *copy = arena_array(w->arena, argc, sizeof(*copy));

	w->shell.positional = copy;
	w->shell.positional_count = 0;
	for (size_t i = 1; i < argc && copy != NULL; i++) {
		copy[i - 1] = argv[i];
		w->shell.positional_count++;
	}
	w->shell.positional_known =
		copy != NULL && shell_countable(&w->shell, copy, w->shell.positional_count);
}

WALK_APART static void
run_function(struct walk *w, struct function_def *def, const struct command *command)
{
	struct call_frame frame = { .def = def,
				    .body = def->body,
				    .forked = w->forked,
				    .forks = w->forks,
				    .branches = w->branches,
				    .outer = w->frames };
	struct field *positional = w->shell.positional;
	size_t count = w->shell.positional_count;
	bool known = w->shell.positional_known;
	const struct source *source = w->source;
	unsigned jump_loops = w->jump_loops;
	bool returned = w->returned;

	*def->called = true;
	set_positional(w, command->argv, command->argc);
	w->frames = &frame;
	w->source = def->source;
	w->returned = false;
	w->jump_loops = 0;
	walk_node(w, def->body);
	w->returned = returned;
	w->jump_loops = jump_loops;
	w->source = source;
	w->frames = frame.outer;
	walk_restore_vars(w, frame.locals);
	w->shell.positional = positional;
	w->shell.positional_count = count;
	w->shell.positional_known = known;
}

void
walk_call(struct walk *w, struct function_def *def, const struct command *command)
{
	for (; def != NULL; def = def->older) {
		struct branch branch;

		if (!may_call(w, def, &command->argv[0]) || !walk_enter(w)) {
			walk_emit_unknown(w, 0);
			return;
		}
		if (def->unsure || def->older != NULL) {
			walk_branch(w, &branch);
			run_function(w, def, command);
			walk_branch_end(w, &branch);
		} else {
			run_function(w, def, command);
		}
		walk_leave(w);
	}
}

/* Bodies that nothing calls: asked about when they would do harm, and no more. */
void
walk_uncalled(struct walk *w)
{
	struct function_def *def;
	const char *name;
	size_t cursor = 0;

	for (def = shell_uncalled(&w->shell, &cursor, &name); def != NULL && !w->arena->failed;
	     def = shell_uncalled(&w->shell, &cursor, &name)) {
		struct call_frame frame = { .def = def,
					    .body = def->body,
					    .forked = w->forked,
					    .forks = w->forks,
					    .branches = w->branches };
		struct subshell sub;

		walk_fork(w, &sub);
		*def->called = true;
		w->frames = &frame;
		w->source = def->source;
		w->subject.command = SIZE_MAX;
		w->subject.cap = w->cut ? BAILEY_FORBIDDEN : BAILEY_PROMPT;
		w->shell.positional_known = false;
		w->shell.positional_count = 0;
		walk_node(w, def->body);
		walk_fork_end(w, &sub);
		w->subject.cap = BAILEY_FORBIDDEN;
	}
}

/* ---- one node ----------------------------------------------------------------------------- */

static void
walk_kind(struct walk *w, const struct node *node)
{
	struct expander ex;
	int64_t value;

	switch (node->kind) {
	case NODE_SIMPLE:
		walk_simple(w, node);
		break;
	case NODE_PIPELINE:
		walk_pipeline(w, node);
		break;
	case NODE_AND:
	case NODE_OR:
		walk_list(w, node);
		break;
	case NODE_SUBSHELL:
		walk_subshell(w, node->body);
		break;
	case NODE_GROUP:
		walk_script(w, node->body);
		break;
	case NODE_IF:
		walk_if(w, node);
		break;
	case NODE_WHILE:
	case NODE_UNTIL:
	case NODE_FOR:
	case NODE_SELECT:
	case NODE_FOR_ARITH:
		walk_loop(w, node);
		break;
	case NODE_CASE:
		walk_case(w, node);
		break;
	case NODE_FUNCTION:
		shell_define(&w->shell, node->name, node->first, w->source);
		break;
	case NODE_COND:
		walk_cond(w, node);
		break;
	case NODE_ARITH:
		ex = walk_expander(w);
		(void)expand_arith(&ex, node->words, &value);
		break;
	case NODE_COPROC:
		walk_coproc(w, node);
		break;
	}
}

static void
walk_spoken_kind(struct walk *w, const struct node *node)
{
	walk_say_compound(w, node);
	walk_kind(w, node);
	walk_say_compound(w, node);
}

/* It does not run when one of its redirections fails. */
WALK_APART static void
walk_redirected_kind(struct walk *w, const struct node *node, const struct io_scope *scope)
{
	struct branch branch;

	walk_redirected(w, &branch, scope);
	walk_spoken_kind(w, node);
	walk_branch_end(w, &branch);
}

void
walk_node(struct walk *w, const struct node *node)
{
	struct io_scope scope = { .changed = 0 };

	if (w->arena->failed || !walk_enter(w)) {
		return;
	}
	w->visits++;
	if (w->traps != NULL && w->traps->any && !w->in_trap) {
		walk_traps_between(w);
	}
	w->read_line = false;
	if (node->redirects != NULL && node->kind != NODE_SIMPLE && node->kind != NODE_FUNCTION) {
		struct flow *sinks = w->sinks;

		walk_redirect(w, node->redirects, false, &scope, NULL);
		if (scope.fails) {
			walk_redirected_kind(w, node, &scope);
		} else {
			walk_spoken_kind(w, node);
		}
		walk_redirect_end(w, &scope);
		walk_run_sinks(w, sinks);
	} else {
		walk_spoken_kind(w, node);
	}
	walk_leave(w);
}
