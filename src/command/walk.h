/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_WALK_H
#define COMMAND_WALK_H

/*
 * The walker: goes through a script as a shell would, keeps its state, expands every simple
 * command, asks the models what it does, follows what it runs in turn, and keeps the account.
 */

#include "command/verdict.h"

struct walk; /* opaque: one judgement */

/* Walks the text of `source` as bash -c would run it, or the argv, into `account`. */
int walk_text(struct arena *arena, struct account *account, const struct bailey_scene *scene,
	      const struct source *source, struct bailey_error *err);
int walk_argv(struct arena *arena, struct account *account, const struct bailey_scene *scene,
	      const struct field *argv, size_t argc, struct bailey_error *err);

#endif /* COMMAND_WALK_H */
