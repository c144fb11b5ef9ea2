/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_CONTAINERS_IMPL_H
#define COMMAND_MODELS_CONTAINERS_IMPL_H

/* What containers.c (tables) has from containers_refine.c: what a container gets of its host, and
 * the commands that run inside. */

#include "command/models/services.h"

void containers_refine_run(const struct match *match, struct findings *found);
void containers_refine_exec(const struct match *match, struct findings *found);
void containers_refine_compose_run(const struct match *match, struct findings *found);
void containers_refine_copy(const struct match *match, struct findings *found);
void containers_refine_remove(const struct match *match, struct findings *found);
void containers_refine_prune(const struct match *match, struct findings *found);
void containers_refine_volume(const struct match *match, struct findings *found);
void containers_refine_volume_prune(const struct match *match, struct findings *found);
void containers_refine_down(const struct match *match, struct findings *found);
void containers_refine_files(const struct match *match, struct findings *found);
void containers_refine_lxc(const struct match *match, struct findings *found);
void containers_refine_host(const struct match *match, struct findings *found);
void containers_refine_lxc_exec(const struct match *match, struct findings *found);
void containers_refine_ssh(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_CONTAINERS_IMPL_H */
