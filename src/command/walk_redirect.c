/* SPDX-License-Identifier: MIT */
/*
 * Redirections: what each does to a file, and where the descriptors lead until they end.
 */
#include "command/walk_impl.h"

#include <string.h>

static const char *const op_names[] = {
	[REDIR_IN] = "<",	    [REDIR_OUT] = ">",		[REDIR_APPEND] = ">>",
	[REDIR_CLOBBER] = ">|",	    [REDIR_BOTH] = "<>",	[REDIR_ALL] = "&>",
	[REDIR_ALL_APPEND] = "&>>", [REDIR_DUP_IN] = "<&",	[REDIR_DUP_OUT] = ">&",
	[REDIR_HEREDOC] = "<<",	    [REDIR_HERESTRING] = "<<<",
};

static void
set_fd(struct walk *w, struct io_scope *scope, int fd, struct flow *flow)
{
	/* Of the many that are not followed, a connection alone is remembered. */
	if (fd >= WALK_FDS && walk_is_network(flow)) {
		fd = WALK_FDS - 1;
	}
	if (fd >= 0 && fd < WALK_FDS) {
		scope->changed |= 1U << (unsigned)fd;
		w->io.fd[fd] = flow;
	}
}

/* {name}>: the shell chooses a descriptor and puts its number into the variable. */
static int
choose_fd(struct walk *w, const char *name)
{
	struct field number;
	int fd = 10;
	char *text;

	while (fd < WALK_FDS - 1 && w->io.fd[fd] != NULL) {
		fd++;
	}
	text = arena_printf(w->arena, "%d", fd);
	number = text != NULL ? field_static(text, NULL) : field_unknown(0, false, NULL);
	shell_set(&w->shell, name, &number);
	return fd;
}

/* ---- files -------------------------------------------------------------------------------- */

static bool
is_network(const struct field *target)
{
	size_t known = field_known_prefix(target);

	return known >= 9 && (strncmp(target->text, "/dev/tcp/", 9) == 0 ||
			      strncmp(target->text, "/dev/udp/", 9) == 0);
}

static struct flow *
open_to_read(struct walk *w, const struct field *target, const struct field *path)
{
	struct flow *flow = walk_flow_new(w, FLOW_FILE);
	bool found = false;

	if (flow == NULL) {
		return NULL;
	}
	flow->reads = true;
	flow->text = walk_file_text(w, target, &found);
	if (!found) {
		flow->text = stream_unknown((uint16_t)(TAINT_FILE | walk_read_taint(w, target)));
	}
	flow->fifo = field_is_literal(path) && walk_is_fifo(w, path->text);
	return flow;
}

/* Places in which code runs by itself later. */
static bool
is_watched(const struct walk *w, const struct field *path)
{
	switch ((int)place_of(w->scene, path).place) {
	case BAILEY_PLACE_STARTUP:
	case BAILEY_PLACE_PROTECTED:
	case BAILEY_PLACE_SYSTEM:
		return true;
	default:
		return false;
	}
}

static struct flow *
open_to_write(struct walk *w, const struct field *target, const struct field *path, bool append)
{
	struct flow *flow = walk_flow_new(w, FLOW_FILE);
	bool found = false;

	if (flow == NULL) {
		return NULL;
	}
	if (append) {
		flow->text = walk_file_text(w, target, &found);
		if (!found) {
			flow->text = stream_unknown(TAINT_FILE);
		}
	}
	if (field_is_literal(path)) {
		flow->path = *path;
		flow->path.source = target->source;
		flow->path.span = target->span;
		flow->watched = is_watched(w, path);
		if (!append) {
			struct stream empty = { .data = field_static("", NULL) };

			walk_note_write(w, path->text, &empty, false);
		}
	}
	return flow;
}

static enum deed
deed_of(enum redir_op op, bool prints_nothing)
{
	switch ((int)op) {
	case REDIR_IN:
		return DEED_READ;
	case REDIR_APPEND:
	case REDIR_ALL_APPEND:
		return DEED_APPEND;
	case REDIR_BOTH:
		return DEED_WRITE;
	default:
		return prints_nothing ? DEED_EMPTY : DEED_WRITE;
	}
}

/* What a redirection to `target` leads to; its effect goes to the account. */
static struct flow *
open_target(struct walk *w, const struct redirect *redirect, const struct field *target,
	    bool prints_nothing)
{
	enum deed deed = deed_of(redirect->op, prints_nothing);
	struct flow *flow = NULL;
	struct field path;

	if (field_is(target, "/dev/null")) {
		return walk_flow_new(w, FLOW_NULL);
	}
	if (field_is_literal(target) && walk_dev_fd(w, target->text, &flow)) {
		return flow;
	}
	if (target->many || target->kind == BAILEY_WORD_DYNAMIC) {
		if (deed != DEED_READ) {
			walk_reason(w, WHY_UNKNOWN_TARGET, target);
		}
	}
	(void)walk_deed_on(w, deed, target);
	if (is_network(target)) {
		if ((target->taint & TAINT_SECRET) != 0) {
			walk_reason(w, WHY_SECRET_SENT, target);
		}
		return walk_flow_new(w, FLOW_NETWORK);
	}
	path = shell_path(&w->shell, target);
	if (deed == DEED_READ) {
		return open_to_read(w, target, &path);
	}
	if (redirect->op == REDIR_BOTH) {
		return open_to_read(w, target, &path);
	}
	return open_to_write(w, target, &path, deed == DEED_APPEND);
}

/* ---- copies of descriptors ---------------------------------------------------------------- */

static void
duplicate(struct walk *w, struct io_scope *scope, int fd, const struct field *target)
{
	const char *text = target->text;
	size_t digits = strspn(text, "0123456789");
	int from = 0;

	if (!field_is_literal(target)) {
		walk_reason(w, WHY_UNKNOWN_TARGET, target);
		set_fd(w, scope, fd, NULL);
		return;
	}
	if (field_is(target, "-")) {
		set_fd(w, scope, fd, walk_flow_new(w, FLOW_CLOSED));
		return;
	}
	if (digits == 0 || digits > 4 ||
	    (text[digits] != '\0' && !(text[digits] == '-' && text[digits + 1] == '\0'))) {
		walk_reason(w, WHY_UNKNOWN_TARGET, target);
		set_fd(w, scope, fd, NULL);
		return;
	}
	for (size_t i = 0; i < digits; i++) {
		from = from * 10 + (text[i] - '0');
	}
	set_fd(w, scope, fd, walk_fd(w, from));
	if (text[digits] == '-' && from != fd) {
		set_fd(w, scope, from, walk_flow_new(w, FLOW_CLOSED));
	}
}

/* ---- one redirection ---------------------------------------------------------------------- */

static struct field
body_of(struct walk *w, struct expander *ex, const struct redirect *redirect)
{
	struct field body = expand_plain(ex, redirect->word);
	struct field newline = field_static("\n", NULL);

	body.many = false;
	return redirect->op == REDIR_HERESTRING ? field_join(w->arena, &body, &newline) : body;
}

/* May it be that it cannot be made? Copies of descriptors that are not open, and files to be read,
 * but for those that are there on every system. What writes to a file is asked about anyway. */
static bool
may_fail(struct walk *w, const struct redirect *redirect, const struct field *target)
{
	const struct flow *flow = NULL;
	struct flow *of_name = NULL;

	switch ((int)redirect->op) {
	case REDIR_IN:
		break;
	case REDIR_DUP_IN:
	case REDIR_DUP_OUT:
		if (field_is(target, "-") || field_is(target, "0") || field_is(target, "1") ||
		    field_is(target, "2")) {
			return false;
		}
		if (field_is_literal(target) && target->len == 1) {
			flow = walk_fd(w, target->text[0] - '0');
		}
		return flow == NULL || flow->kind == FLOW_CLOSED || flow->kind == FLOW_EITHER;
	default:
		return false;
	}
	if (field_is_literal(target) && walk_dev_fd(w, target->text, &of_name)) {
		return of_name == NULL && strncmp(target->text, "/dev/std", 8) != 0;
	}
	return !field_is(target, "/dev/null");
}

static struct field
apply(struct walk *w, struct expander *ex, const struct redirect *redirect, bool prints_nothing,
      struct io_scope *scope)
{
	int fd = redirect->fd;
	struct field target;
	struct stream text = { 0 };
	struct flow *flow;

	if (redirect->op == REDIR_HEREDOC || redirect->op == REDIR_HERESTRING) {
		target = body_of(w, ex, redirect);
	} else {
		target = expand_target(ex, redirect->word);
	}
	if (redirect->variable != NULL) {
		fd = choose_fd(w, redirect->variable);
	}
	scope->fails = scope->fails || may_fail(w, redirect, &target);
	switch ((int)redirect->op) {
	case REDIR_HEREDOC:
	case REDIR_HERESTRING:
		text.data = target;
		set_fd(w, scope, fd, walk_flow_text(w, &text));
		break;
	case REDIR_DUP_IN:
	case REDIR_DUP_OUT:
		duplicate(w, scope, fd, &target);
		break;
	case REDIR_ALL:
	case REDIR_ALL_APPEND:
		flow = open_target(w, redirect, &target, prints_nothing);
		set_fd(w, scope, 1, flow);
		set_fd(w, scope, 2, flow);
		break;
	default:
		set_fd(w, scope, fd, open_target(w, redirect, &target, prints_nothing));
		break;
	}
	return target;
}

void
walk_redirect(struct walk *w, const struct redirect *list, bool prints_nothing,
	      struct io_scope *scope, struct redirected *out)
{
	struct expander ex = walk_expander(w);
	size_t count = 0;

	scope->saved = w->io;
	scope->changed = 0;
	scope->fails = false;
	for (const struct redirect *redirect = list; redirect != NULL; redirect = redirect->next) {
		count++;
	}
	if (out != NULL) {
		out->items = arena_array(w->arena, count, sizeof(*out->items));
		out->count = 0;
	}
	for (const struct redirect *redirect = list; redirect != NULL && !w->arena->failed;
	     redirect = redirect->next) {
		struct field target;

		walk_say_redirect(w, redirect);
		target = apply(w, &ex, redirect, prints_nothing, scope);
		if (out != NULL && out->items != NULL) {
			out->items[out->count++] = (struct bailey_redirection){
				.fd = redirect->variable != NULL ? -1 : redirect->fd,
				.op = op_names[redirect->op],
				.target = walk_word(&target),
			};
		}
	}
}

void
walk_redirect_end(struct walk *w, struct io_scope *scope)
{
	for (unsigned fd = 0; fd < WALK_FDS && scope->changed != 0; fd++) {
		if ((scope->changed & 1U << fd) != 0) {
			w->io.fd[fd] = scope->saved.fd[fd];
		}
	}
}
