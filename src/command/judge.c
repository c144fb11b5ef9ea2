/* SPDX-License-Identifier: MIT */

/* The room's front: a text or an argv and a scene in, a verdict out. */

#include "command/walk.h"

#include "base/attr.h"
#include "base/path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where commands are judged for whom no place was named: what they do is held against a workspace
 * and a home directory that cannot be mistaken for any other. */
#define NO_CWD "/workspace"
#define NO_HOME "/home/user"

struct owned {
	struct bailey_verdict verdict; /* first: a verdict is its owner */
	struct arena arena;
};

void
bailey_verdict_free(struct bailey_verdict *verdict)
{
	struct owned *owned = (struct owned *)verdict;

	if (owned != NULL) {
		arena_finish(&owned->arena);
		free(owned);
	}
}

static int
no_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory to judge the command");
}

/* `path` made normal, in the arena. `what` names it in the error. */
static int
normal_directory(struct arena *arena, const char *what, const char *path, const char **out,
		 struct bailey_error *err)
{
	if (path[0] != '/') {
		return bailey_fail(err, BAILEY_E_INVALID,
				   "%s of the scene is '%s'; it must be an absolute path", what,
				   path);
	}
	*out = path_normalize(arena, "/", path);
	return *out != NULL ? BAILEY_OK : no_memory(err);
}

static int
normal_roots(struct arena *arena, const struct bailey_scene *given, struct bailey_scene *scene,
	     struct bailey_error *err)
{
	const char **roots = NULL;
	int rc = BAILEY_OK;

	if (given->root_count == 0) {
		return BAILEY_OK;
	}
	roots = arena_array(arena, given->root_count, sizeof(*roots));
	if (roots == NULL) {
		return no_memory(err);
	}
	for (size_t i = 0; i < given->root_count && rc == BAILEY_OK; i++) {
		rc = normal_directory(arena, "a root", given->roots[i], &roots[i], err);
	}
	scene->roots = roots;
	return rc;
}

static int
normal_scene(struct arena *arena, const struct bailey_scene *given, struct bailey_scene *scene,
	     struct bailey_error *err)
{
	static const struct bailey_scene nowhere = { .cwd = NO_CWD, .home = NO_HOME };
	int rc;

	*scene = given != NULL ? *given : nowhere;
	scene->cwd = scene->cwd != NULL ? scene->cwd : NO_CWD;
	scene->home = scene->home != NULL ? scene->home : NO_HOME;
	rc = normal_directory(arena, "the working directory", scene->cwd, &scene->cwd, err);
	if (rc == BAILEY_OK) {
		rc = normal_directory(arena, "the home directory", scene->home, &scene->home, err);
	}
	if (rc == BAILEY_OK && scene->tmpdir != NULL) {
		/* A TMPDIR that is no absolute path names no place. */
		rc = scene->tmpdir[0] == '/' ? normal_directory(arena, "$TMPDIR", scene->tmpdir,
								&scene->tmpdir, err)
					     : BAILEY_OK;
	}
	return rc == BAILEY_OK ? normal_roots(arena, given != NULL ? given : &nowhere, scene, err)
			       : rc;
}

static int
too_long(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_LIMIT,
			   "the command is longer than the %zu bytes that are judged",
			   BAILEY_COMMAND_MAX);
}

/* What every judgement starts with: memory, the scene made normal, a source to be filled. */
struct front {
	struct owned *owned;
	struct arena *arena;
	struct bailey_scene *scene;
	struct source *source;
	struct account *account;
};

static void
front_finish(struct front *front)
{
	if (front->owned != NULL) {
		bailey_verdict_free(&front->owned->verdict);
	}
}

#define AUTO_FRONT __attribute__((cleanup(front_finish))) struct front

static int
front_start(struct front *front, const struct bailey_scene *scene, struct bailey_error *err)
{
	front->owned = calloc(1, sizeof(*front->owned));
	if (front->owned == NULL) {
		return no_memory(err);
	}
	front->arena = &front->owned->arena;
	front->scene = arena_alloc(front->arena, sizeof(*front->scene));
	front->source = arena_alloc(front->arena, sizeof(*front->source));
	if (front->scene == NULL || front->source == NULL) {
		return no_memory(err);
	}
	front->account = account_new(front->arena, front->scene, front->source);
	if (front->account == NULL) {
		return no_memory(err);
	}
	return normal_scene(front->arena, scene, front->scene, err);
}

/* `rc` is how walking went. The verdict is the caller's then. */
static int
front_end(struct front *front, int rc, struct bailey_verdict **verdict, struct bailey_error *err)
{
	if (rc == BAILEY_OK) {
		rc = account_finish(front->account, &front->owned->verdict, err);
	}
	if (rc == BAILEY_OK) {
		*verdict = &front->owned->verdict;
		front->owned = NULL;
	}
	return rc;
}

int
bailey_judge_shell(const char *text, size_t len, const struct bailey_scene *scene,
		   struct bailey_verdict **verdict, struct bailey_error *err)
{
	AUTO_FRONT front = { 0 };
	int rc;

	if (len > BAILEY_COMMAND_MAX) {
		return too_long(err);
	}
	rc = front_start(&front, scene, err);
	if (rc != BAILEY_OK) {
		return rc;
	}
	assert(front.source != NULL);
	front.source->text = arena_strndup(front.arena, text, len);
	front.source->len = len;
	if (front.source->text == NULL) {
		return no_memory(err);
	}
	rc = walk_text(front.arena, front.account, front.scene, front.source, err);
	return front_end(&front, rc, verdict, err);
}

/* A word as a shell would take it; gives the number of bytes, writes them when `out` is there. */
static size_t
quote(const char *word, char *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./:,@%";
	size_t n = 0;

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		n = strlen(word);
		if (out != NULL) {
			memcpy(out, word, n);
		}
		return n;
	}
#define PUT(c) (out != NULL ? (void)(out[n] = (c)) : (void)0, n++)
	PUT('\'');
	for (const char *p = word; *p != '\0'; p++) {
		if (*p == '\'') {
			PUT('\'');
			PUT('\\');
			PUT('\'');
		}
		PUT(*p);
	}
	PUT('\'');
#undef PUT
	return n;
}

/* Writes the argv as one text and makes a field of each word, with its span in there. */
static int
fields_of(struct arena *arena, const char *const *argv, size_t argc, struct source *source,
	  struct field *fields, struct bailey_error *err)
{
	size_t len = 0;
	char *text;

	assert(source != NULL);
	for (size_t i = 0; i < argc; i++) {
		len += quote(argv[i], NULL) + 1;
		if (len > BAILEY_COMMAND_MAX) {
			return too_long(err);
		}
	}
	text = arena_alloc(arena, len + 1);
	if (text == NULL) {
		return no_memory(err);
	}
	source->text = text;
	source->len = len > 0 ? len - 1 : 0;
	len = 0;
	for (size_t i = 0; i < argc; i++) {
		size_t size = quote(argv[i], text + len);

		fields[i] = field_literal(arena, argv[i], strlen(argv[i]), NULL);
		fields[i].source = source;
		fields[i].span = (struct bailey_span){ (uint32_t)len, (uint32_t)(len + size) };
		len += size;
		text[len++] = ' ';
	}
	text[source->len] = '\0';
	return arena->failed ? no_memory(err) : BAILEY_OK;
}

int
bailey_judge_argv(const char *const *argv, size_t argc, const struct bailey_scene *scene,
		  struct bailey_verdict **verdict, struct bailey_error *err)
{
	AUTO_FRONT front = { 0 };
	struct field *fields;
	int rc = front_start(&front, scene, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	fields = arena_array(front.arena, argc + 1, sizeof(*fields));
	if (fields == NULL) {
		return no_memory(err);
	}
	rc = fields_of(front.arena, argv, argc, front.source, fields, err);
	if (rc == BAILEY_OK) {
		rc = walk_argv(front.arena, front.account, front.scene, fields, argc, err);
	}
	return front_end(&front, rc, verdict, err);
}
