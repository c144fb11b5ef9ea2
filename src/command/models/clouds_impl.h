/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_CLOUDS_IMPL_H
#define COMMAND_MODELS_CLOUDS_IMPL_H

/* What clouds.c (programs and options) has from clouds_refine.c: the verbs of the big clouds, whose
 * thousands of subcommands no table can hold. */

#include "command/models/services.h"

void clouds_refine_aws(const struct match *match, struct findings *found);
void clouds_refine_gcloud(const struct match *match, struct findings *found);
void clouds_refine_az(const struct match *match, struct findings *found);
void clouds_refine_host(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_CLOUDS_IMPL_H */
