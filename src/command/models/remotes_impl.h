/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_REMOTES_IMPL_H
#define COMMAND_MODELS_REMOTES_IMPL_H

/* What remotes.c (tables) has from remotes_refine.c (ssh, scp, rsync) and remotes_socket.c (nc,
 * socat and what else joins a program to a connection). */

#include "command/models/services.h"

void remotes_refine_ssh(const struct match *match, struct findings *found);
void remotes_refine_mosh(const struct match *match, struct findings *found);
void remotes_refine_scp(const struct match *match, struct findings *found);
void remotes_refine_rsync(const struct match *match, struct findings *found);
void remotes_refine_sshfs(const struct match *match, struct findings *found);

void remotes_refine_nc(const struct match *match, struct findings *found);
void remotes_refine_socat(const struct match *match, struct findings *found);
void remotes_refine_websocat(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_REMOTES_IMPL_H */
