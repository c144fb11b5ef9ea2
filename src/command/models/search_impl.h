/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_SEARCH_IMPL_H
#define COMMAND_MODELS_SEARCH_IMPL_H

/* Search tools that run commands on what they find: what their files share. */

#include "command/models/models.h"
#include "command/models/services.h"

/* So many starting points are followed one by one. */
#define SEARCH_STARTS_MAX 16

/* The whole expression grammar of find. */
void search_find(const struct match *match, struct findings *found);

/* fd -x and -X. */
void search_fd(const struct match *match, struct findings *found);

void search_xargs(const struct match *match, struct findings *found);
void search_parallel(const struct match *match, struct findings *found);

/* `word` with every `mark` in it as `path`; `word` itself when it has none. */
const struct field *search_replace(struct findings *found, const struct field *word,
				   const char *mark, const struct field *path);

/* A path somewhere below `start`: `start`/ and then what is not known. `name`, when not NULL, is
 * the pattern of the last component: what is literal in it stays. */
const struct field *search_below(struct findings *found, const struct field *start,
				 const struct field *name);

#endif /* COMMAND_MODELS_SEARCH_IMPL_H */
