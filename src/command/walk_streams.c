/* SPDX-License-Identifier: MIT */
/*
 * What flows between commands: pipes, substitutions, here-documents, files that are written and
 * read again. A stage of a pipeline is walked to its end before the next one reads.
 */
#include "command/walk_impl.h"

#include <string.h>

/* ---- texts that grow ---------------------------------------------------------------------- */

static bool
grow(struct walk *w, struct growing *out, size_t more, bool marks)
{
	size_t need = out->len + more + 1;
	size_t room = out->room > 0 ? out->room : 64;
	uint8_t *new_marks = NULL;
	char *text;

	while (room < need) {
		room *= 2;
	}
	if (room == out->room && (!marks || out->marks != NULL)) {
		return true;
	}
	if (!shell_spend(&w->shell, room)) {
		return false;
	}
	text = arena_alloc(w->arena, room);
	if (marks || out->marks != NULL) {
		new_marks = arena_alloc(w->arena, room);
		if (new_marks == NULL) {
			return false;
		}
	}
	if (text == NULL) {
		return false;
	}
	if (out->len > 0) {
		memcpy(text, out->text, out->len);
	}
	if (out->marks != NULL && new_marks != NULL) {
		memcpy(new_marks, out->marks, out->len);
	}
	out->text = text;
	out->marks = new_marks;
	out->room = room;
	return true;
}

static void
put(struct walk *w, struct growing *out, const struct field *more)
{
	struct field unknown;

	out->taint |= more->taint;
	if (out->full || more->len == 0) {
		return;
	}
	if (out->len + more->len > EMULATE_MAX) {
		unknown = field_unknown(more->taint, false, NULL);
		more = &unknown;
		out->full = true;
	}
	if (!grow(w, out, more->len, more->marks != NULL)) {
		out->full = true;
		/* Even the mark of what is missing did not fit: nothing of it is known. */
		out->len = 0;
		out->text = NULL;
		return;
	}
	memcpy(out->text + out->len, more->text, more->len);
	if (out->marks != NULL && more->marks != NULL) {
		memcpy(out->marks + out->len, more->marks, more->len);
	} else if (out->marks != NULL) {
		memset(out->marks + out->len, MARK_LITERAL, more->len);
	}
	out->len += more->len;
	out->text[out->len] = '\0';
}

/* From here on, what is written for certain and what may be written are two texts; of what there is
 * so far, the first `len` bytes are certain. */
static void
split_sure(struct walk *w, struct growing *out, size_t len)
{
	const struct growing *from = out->sure != NULL ? out->sure : out;
	struct growing *sure = arena_alloc(w->arena, sizeof(*sure));
	struct field text = field_static("", NULL);

	if (sure == NULL) {
		return;
	}
	sure->full = from->full && from->text == NULL;
	text.taint = from->taint;
	if (from->text != NULL) {
		text.text = from->text;
		text.marks = from->marks;
		text.len = (uint32_t)(len < from->len ? len : from->len);
	}
	put(w, sure, &text);
	out->sure = sure;
}

static void
append(struct walk *w, struct growing *out, const struct stream *more)
{
	if (more->sure != NULL && out->sure == NULL) {
		split_sure(w, out, out->len);
	}
	if (out->sure != NULL) {
		put(w, out->sure, more->sure != NULL ? more->sure : &more->data);
	}
	if (more->bytes != NULL && out->len == 0 && out->bytes == NULL && !out->full) {
		out->bytes = more->bytes;
		out->byte_count = more->byte_count;
	} else if (more->data.len > 0) {
		out->bytes = NULL;
	}
	put(w, out, &more->data);
}

static struct field
view_data(const struct growing *out)
{
	struct field data = field_static("", NULL);

	if (out->full && out->text == NULL) {
		return field_unknown(out->taint, false, NULL);
	}
	data.taint = out->taint;
	if (out->len == 0) {
		return data;
	}
	data.text = out->text;
	data.len = (uint32_t)out->len;
	if (out->marks != NULL) {
		data.marks = out->marks;
		data.kind = memchr(out->marks, MARK_UNKNOWN, out->len) != NULL ? BAILEY_WORD_DYNAMIC
									       : BAILEY_WORD_GLOB;
	}
	return data;
}

static struct stream
view(struct walk *w, const struct growing *out)
{
	struct stream text = { .data = view_data(out) };
	struct field *sure;

	if (out->len > 0) {
		text.bytes = out->bytes;
		text.byte_count = out->byte_count;
	}
	if (out->sure != NULL) {
		sure = arena_alloc(w->arena, sizeof(*sure));
		if (sure != NULL) {
			*sure = view_data(out->sure);
		}
		text.sure = sure;
	}
	return text;
}

/* One text behind the other. */
struct stream
walk_join(struct walk *w, const struct stream *a, const struct stream *b)
{
	struct stream both = { .data = a->data };
	struct field *sure;

	if (a->sure != NULL || b->sure != NULL) {
		sure = arena_alloc(w->arena, sizeof(*sure));
		if (sure != NULL) {
			*sure = field_join(w->arena, a->sure != NULL ? a->sure : &a->data,
					   b->sure != NULL ? b->sure : &b->data);
		}
		both.sure = sure;
	}
	both.data = field_join(w->arena, &a->data, &b->data);
	return both;
}

/* ---- flows -------------------------------------------------------------------------------- */

struct flow *
walk_flow_new(struct walk *w, enum flow_kind kind)
{
	struct flow *flow = arena_alloc(w->arena, sizeof(*flow));

	if (flow != NULL) {
		flow->kind = kind;
		flow->text.data = field_static("", NULL);
	}
	return flow;
}

struct flow *
walk_flow_text(struct walk *w, const struct stream *text)
{
	struct flow *flow = walk_flow_new(w, FLOW_TEXT);

	if (flow != NULL) {
		flow->reads = true;
		flow->text = *text;
	}
	return flow;
}

struct flow *
walk_fd(struct walk *w, int fd)
{
	if (fd >= WALK_FDS && walk_is_network(w->io.fd[WALK_FDS - 1])) {
		return w->io.fd[WALK_FDS - 1];
	}
	return fd >= 0 && fd < WALK_FDS ? w->io.fd[fd] : NULL;
}

#define EITHER_DEPTH 8

static uint16_t
taint_of(const struct flow *flow, unsigned depth)
{
	if (flow == NULL || depth > EITHER_DEPTH) {
		return TAINT_INPUT;
	}
	if (flow->kind == FLOW_NETWORK) {
		return TAINT_NETWORK;
	}
	if (flow->kind == FLOW_EITHER) {
		return (uint16_t)(taint_of(flow->either[0], depth + 1) |
				  taint_of(flow->either[1], depth + 1));
	}
	return flow->text.data.taint;
}

struct stream
walk_input(struct walk *w, int fd)
{
	const struct flow *flow = walk_fd(w, fd);
	struct stream unknown = stream_unknown(TAINT_INPUT);

	if (flow == NULL || flow->kind == FLOW_OUTSIDE) {
		unknown.open = true;
		return unknown;
	}
	if (flow->kind == FLOW_EITHER) {
		return stream_unknown((uint16_t)(TAINT_INPUT | taint_of(flow, 0)));
	}
	switch (flow->kind) {
	case FLOW_NETWORK:
		return stream_unknown(TAINT_NETWORK);
	case FLOW_NULL:
	case FLOW_CLOSED:
		return (struct stream){ .data = field_static("", NULL) };
	case FLOW_TEXT:
	case FLOW_FILE:
		return flow->reads ? flow->text : unknown;
	case FLOW_OUTSIDE:
	case FLOW_EITHER:
	default:
		return unknown;
	}
}

bool
walk_is_network(const struct flow *flow)
{
	return flow != NULL &&
	       (flow->kind == FLOW_NETWORK ||
		(flow->kind == FLOW_EITHER && (taint_of(flow, 0) & TAINT_NETWORK) != 0));
}

struct stream
walk_written(struct walk *w, const struct flow *flow)
{
	return view(w, &flow->out);
}

/* The file as it is now: what it held, when that stays, and what was written. */
static void
note_file(struct walk *w, struct flow *flow)
{
	struct stream written = view(w, &flow->out);
	struct stream all = written;

	if (flow->path.text == NULL) {
		return;
	}
	if (!shell_spend(&w->shell, (size_t)flow->text.data.len + written.data.len)) {
		all = stream_unknown(written.data.taint);
	} else if (flow->text.data.len > 0 || flow->text.sure != NULL) {
		all = walk_join(w, &flow->text, &written);
	}
	walk_note_write(w, flow->path.text, &all, false);
	if (flow->watched) {
		walk_payload(w, &flow->path, &written);
	}
}

static void doubt(struct walk *w, struct flow *flow, size_t sure_len);

static size_t
sure_length(const struct flow *flow)
{
	return flow->out.sure != NULL ? flow->out.sure->len : flow->out.len;
}

/* `maybe`: it may go somewhere else. */
static void
emit(struct walk *w, struct flow *flow, const struct stream *text, unsigned depth, bool maybe)
{
	size_t sure_len;

	if (flow == NULL || depth > EITHER_DEPTH) {
		return;
	}
	sure_len = sure_length(flow);
	switch (flow->kind) {
	case FLOW_EITHER:
		emit(w, flow->either[0], text, depth + 1, true);
		emit(w, flow->either[1], text, depth + 1, true);
		return;
	case FLOW_TEXT:
		append(w, &flow->out, text);
		break;
	case FLOW_FILE:
		append(w, &flow->out, text);
		note_file(w, flow);
		break;
	case FLOW_NETWORK:
		if ((text->data.taint & TAINT_SECRET) != 0) {
			walk_reason(w, WHY_SECRET_SENT, NULL);
		}
		return;
	case FLOW_OUTSIDE:
	case FLOW_NULL:
	case FLOW_CLOSED:
	default:
		return;
	}
	if (maybe) {
		doubt(w, flow, sure_len);
	}
}

/* Of what was written, only the first `sure_len` bytes of what was certain then are certain. */
static void
doubt(struct walk *w, struct flow *flow, size_t sure_len)
{
	split_sure(w, &flow->out, sure_len);
	if (flow->kind == FLOW_FILE) {
		note_file(w, flow);
	}
}

void
walk_emit_stream(struct walk *w, struct flow *flow, const struct stream *text)
{
	emit(w, flow, text, 0, false);
}

static bool
is_written(const struct flow *flow)
{
	return flow != NULL && (flow->kind == FLOW_TEXT || flow->kind == FLOW_FILE);
}

void
walk_outputs(const struct walk *w, struct outputs *outputs)
{
	outputs->io = w->io;
	for (size_t fd = 0; fd < WALK_FDS; fd++) {
		if (is_written(w->io.fd[fd])) {
			outputs->len[fd] = (uint32_t)w->io.fd[fd]->out.len;
			outputs->sure_len[fd] = (uint32_t)sure_length(w->io.fd[fd]);
		}
	}
}

void
walk_outputs_doubt(struct walk *w, const struct outputs *outputs)
{
	for (size_t fd = 0; fd < WALK_FDS; fd++) {
		struct flow *flow = outputs->io.fd[fd];

		if (is_written(flow) && flow->out.len != outputs->len[fd] &&
		    (fd == 0 || flow != outputs->io.fd[fd - 1])) {
			doubt(w, flow, outputs->sure_len[fd]);
		}
	}
}

void
walk_emit(struct walk *w, int fd, const struct field *text)
{
	struct stream stream = { .data = *text };

	walk_emit_stream(w, walk_fd(w, fd), &stream);
}

void
walk_emit_unknown(struct walk *w, uint16_t taint)
{
	struct field unknown = field_unknown(taint | TAINT_OUTPUT, false, NULL);

	if (walk_wants_output(w, 1)) {
		walk_emit(w, 1, &unknown);
	}
}

bool
walk_wants_output(const struct walk *w, int fd)
{
	const struct flow *flow = w->io.fd[fd];

	return flow != NULL && (flow->kind == FLOW_TEXT || flow->kind == FLOW_FILE ||
				flow->kind == FLOW_NETWORK || flow->kind == FLOW_EITHER);
}

bool
walk_output_is_text(const struct walk *w, int fd)
{
	return walk_wants_output(w, fd) && w->io.fd[fd]->kind != FLOW_NETWORK;
}

/* ---- names of descriptors ----------------------------------------------------------------- */

static bool
read_number(const char *text, size_t *number)
{
	size_t n = 0;

	if (*text == '\0') {
		return false;
	}
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || n > 1000000) {
			return false;
		}
		n = n * 10 + (size_t)(*text - '0');
	}
	*number = n;
	return true;
}

/* Is `path` a name of a descriptor? Then *fd is its number. */
static bool
names_fd(const char *path, size_t *fd)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };

	if (path[0] != '/') {
		return false;
	}
	for (size_t i = 0; i < 3; i++) {
		if (strcmp(path, names[i]) == 0) {
			*fd = i;
			return true;
		}
	}
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(dirs[i]);

		if (strncmp(path, dirs[i], len) == 0 && read_number(path + len, fd)) {
			return true;
		}
	}
	return false;
}

bool
walk_dev_fd(struct walk *w, const char *path, struct flow **flow)
{
	size_t fd;

	if (!names_fd(path, &fd)) {
		return false;
	}
	*flow = NULL;
	if (fd < WALK_FDS) {
		*flow = w->io.fd[fd];
	} else if (fd >= DEV_FD_FIRST && fd - DEV_FD_FIRST < w->dev_fd_count) {
		*flow = w->dev_fds[fd - DEV_FD_FIRST];
	}
	return true;
}
