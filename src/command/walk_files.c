/* SPDX-License-Identifier: MIT */
/*
 * Files that commands write: what is known of their content, and whether code that runs by itself
 * later is planted in them.
 */
#include "command/walk_impl.h"

#include "base/path.h"

#include <string.h>

/* A mark that is rolled back takes the notes with it, so the paths are remembered here. */
#define FILES_MAX 65536
#define COPIES_MAX 64 /* they are searched one by one */

/* What the script did not write. */
static const uint8_t unknown_marks[] = { MARK_UNKNOWN };
static const struct field unknown_file = { .text = "\x1a",
					   .marks = unknown_marks,
					   .len = 1,
					   .kind = BAILEY_WORD_DYNAMIC,
					   .taint = TAINT_FILE,
					   .exact = UINT32_MAX };

static struct file_note *
note_for(struct walk *w, const char *path)
{
	struct file_note *note = shell_note_file(&w->shell, path);
	const char **slot;

	if (note == NULL || w->file_count >= FILES_MAX) {
		return NULL;
	}
	if (w->file_count > w->file_floor && strcmp(w->files[w->file_count - 1], note->path) == 0) {
		return note;
	}
	slot = arena_push(w->arena, &w->files, &w->file_count, sizeof(*slot));
	if (slot != NULL) {
		*slot = note->path;
	}
	return note;
}

void
walk_note_write(struct walk *w, const char *path, const struct stream *content, bool append)
{
	struct file_note *note = note_for(w, path);

	if (note == NULL) {
		(void)walk_spent(w);
		return;
	}
	if (append) {
		if (!shell_spend(&w->shell, note->content.data.len)) {
			note->content = stream_unknown(note->content.data.taint);
		} else if (note->unsure && note->content.sure == NULL) {
			note->content.sure = &unknown_file;
			if (note->older != NULL) {
				note->content.sure = &note->older->content.data;
			}
		}
		note->content = walk_join(w, &note->content, content);
	} else {
		note->content = *content;
		note->unsure = false;
		note->older = NULL;
	}
	note->link = NULL;
}

struct stream
walk_file_text(struct walk *w, const struct field *target, bool *found)
{
	struct field path = shell_path(&w->shell, target);
	const struct file_note *note;
	struct stream text;

	*found = false;
	if (!field_is_literal(&path)) {
		return stream_unknown(TAINT_FILE);
	}
	note = shell_file(&w->shell, path.text);
	if (note == NULL || note->link != NULL) {
		return stream_unknown(TAINT_FILE);
	}
	*found = true;
	if (!note->unsure) {
		return note->content;
	}
	text = note->content;
	text.sure = note->older != NULL ? &note->older->content.data : &unknown_file;
	for (; note != NULL; note = note->older) {
		text.data.taint |= note->content.data.taint;
	}
	return text;
}

/* Did the script make it with mkfifo? */
bool
walk_is_fifo(const struct walk *w, const char *path)
{
	for (size_t i = 0; i < w->fifo_count; i++) {
		if (strcmp(w->fifos[i], path) == 0) {
			return true;
		}
	}
	return false;
}

uint16_t
walk_read_taint(struct walk *w, const struct field *target)
{
	struct field path = shell_path(&w->shell, target);
	struct place place = place_of(w->scene, &path);

	if (place.place == BAILEY_PLACE_SENSITIVE || place.place == BAILEY_PLACE_PRIVATE) {
		return TAINT_SECRET;
	}
	return field_is_literal(&path) && walk_is_fifo(w, path.text) ? WALK_TAINT_FIFO : 0;
}

/* ---- payloads ----------------------------------------------------------------------------- */

static bool
is_payload(struct walk *w, const struct stream *content, enum language language)
{
	const struct field *text = &content->data;
	struct code_run run = { .language = language, .text = text };
	struct aside aside;

	if (text->len == 0 && content->sure == NULL) {
		return false;
	}
	if ((text->taint & TAINT_NETWORK) != 0 && text->kind == BAILEY_WORD_DYNAMIC) {
		return true;
	}
	if (!walk_enter(w)) {
		return false;
	}
	if (!walk_aside(w, &aside)) {
		walk_leave(w);
		return false;
	}
	walk_code_stream(w, &run, &(struct stream){ .data = *text, .sure = content->sure }, text);
	walk_leave(w);
	return walk_aside_end(w, &aside) == BAILEY_FORBIDDEN;
}

/* Cron tables are no shell's text. */
static enum language
language_of(const char *path)
{
	return strstr(path, "/cron") != NULL ? LANG_CRONTAB : LANG_BASH;
}

void
walk_payload(struct walk *w, const struct field *target, const struct stream *content)
{
	struct field path = shell_path(&w->shell, target);

	if (!field_is_literal(&path)) {
		return;
	}
	switch ((int)place_of(w->scene, &path).place) {
	case BAILEY_PLACE_STARTUP:
	case BAILEY_PLACE_PROTECTED:
	case BAILEY_PLACE_SYSTEM:
		break;
	default:
		return;
	}
	if (is_payload(w, content, language_of(path.text))) {
		walk_reason(w, WHY_PAYLOAD, target);
	}
}

/* Files that the script wrote are made to run by itself from where they are: core.hooksPath. */
static void
check_directory(struct walk *w, const struct field *target)
{
	struct field path = shell_path(&w->shell, target);

	if (!field_is_literal(&path) || w->file_count > 64) {
		return;
	}
	for (size_t i = 0; i < w->file_count; i++) {
		const struct file_note *note;

		if (!path_under(w->files[i], path.text)) {
			continue;
		}
		note = shell_file(&w->shell, w->files[i]);
		if (note != NULL && is_payload(w, &note->content, LANG_BASH)) {
			walk_reason(w, WHY_PAYLOAD, target);
		}
	}
}

/* ---- effects ------------------------------------------------------------------------------ */

static struct stream
content_of(struct walk *w, const struct effect *effect, const struct stream *input,
	   const struct stream *output)
{
	struct stream text = stream_unknown(TAINT_FILE);
	bool found = false;

	if ((effect->flags & EFFECT_DATA) != 0) {
		return effect->data;
	}
	if ((effect->flags & EFFECT_FROM_STDIN) != 0) {
		return *input;
	}
	if ((effect->flags & EFFECT_FROM_OUTPUT) != 0) {
		return *output;
	}
	if ((effect->flags & EFFECT_FROM_NETWORK) != 0) {
		return stream_unknown(TAINT_NETWORK);
	}
	if ((effect->flags & EFFECT_FROM_FILE) != 0 && effect->other != NULL) {
		text = walk_file_text(w, effect->other, &found);
		if (!found) {
			text = stream_unknown(
				(uint16_t)(TAINT_FILE | walk_read_taint(w, effect->other)));
		}
	}
	return text;
}

/* A file and what becomes of it there: the name that `other` gets in directory `path`. */
static const char *
name_in(struct walk *w, const char *path, const struct field *other)
{
	const char *name;

	if (other == NULL || !field_is_literal(other)) {
		return NULL;
	}
	name = path_base(other->text);
	return name != NULL && *name != '\0' ? path_join(w->arena, path, name) : NULL;
}

static void
note_at(struct walk *w, const char *path, const struct effect *effect, const struct stream *content)
{
	struct file_note *note;
	struct field of;

	if ((effect->flags & EFFECT_LINK) != 0 && effect->other != NULL) {
		of = shell_path(&w->shell, effect->other);
		note = field_is_literal(&of) ? note_for(w, path) : NULL;
		if (note != NULL && strcmp(of.text, path) != 0) {
			note->link = of.text;
		}
		return;
	}
	walk_note_write(w, path, content, effect->deed == DEED_APPEND);
	note = shell_file(&w->shell, path);
	if (note != NULL && (effect->flags & EFFECT_FROM_FILE) != 0 && effect->other != NULL) {
		of = shell_path(&w->shell, effect->other);
		walk_note_copy(w, path, &of);
	}
}

/* A copy of a program of the system does what that program does. */
void
walk_note_copy(struct walk *w, const char *path, const struct field *of)
{
	const char *name = model_program_name(w->arena, of);
	struct hashed *copy;

	if (name == NULL || of->text[0] != '/' || w->copy_count >= COPIES_MAX) {
		return;
	}
	w->copy_count++;
	copy = arena_alloc(w->arena, sizeof(*copy));
	if (copy != NULL) {
		copy->name = arena_strdup(w->arena, path);
		copy->path = *of;
		copy->next = w->copies;
		w->copies = copy->name != NULL ? copy : w->copies;
	}
}

static bool
writes(const struct effect *effect)
{
	switch ((int)effect->deed) {
	case DEED_WRITE:
	case DEED_APPEND:
	case DEED_EDIT:
	case DEED_EMPTY:
		return true;
	case DEED_MAKE:
		return effect->flags != 0;
	default:
		return false;
	}
}

/* What is written to a descriptor's name goes there. */
static bool
wrote_to_fd(struct walk *w, const char *path, const struct stream *content)
{
	struct flow *flow = NULL;

	if (!walk_dev_fd(w, path, &flow)) {
		return false;
	}
	walk_emit_stream(w, flow, content);
	return true;
}

void
walk_note_effect(struct walk *w, const struct effect *effect, const struct stream *input,
		 const struct stream *output)
{
	struct stream content;
	struct field path;
	const char *inside;

	if (effect->target == NULL || (effect->flags & EFFECT_REMOTE) != 0 || w->subject.remote) {
		return;
	}
	if (effect->deed == DEED_CONFIG || effect->deed == DEED_EXECUTE) {
		check_directory(w, effect->target);
		return;
	}
	if ((effect->flags & EFFECT_EXECUTABLE) != 0 && field_is_literal(effect->target)) {
		return; /* what is run counts, executable or not */
	}
	if (!writes(effect)) {
		return;
	}
	path = (effect->flags & EFFECT_LINK) != 0 ? shell_path_name(&w->shell, effect->target)
						  : shell_path(&w->shell, effect->target);
	if (!field_is_literal(&path)) {
		return;
	}
	content = content_of(w, effect, input, output);
	if (wrote_to_fd(w, path.text, &content)) {
		return;
	}
	note_at(w, path.text, effect, &content);
	inside = name_in(w, path.text, effect->other);
	if (inside != NULL) {
		note_at(w, inside, effect, &content);
	}
	if ((effect->flags & EFFECT_LINK) == 0) {
		walk_payload(w, effect->target, &content);
	}
}
