/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_TRANSFERS_IMPL_H
#define COMMAND_MODELS_TRANSFERS_IMPL_H

/* What transfers.c (tables) has from transfers_refine.c: files in the arguments of options, names
 * that follow from URLs, and what a URL names. */

#include "command/models/services.h"

void transfers_refine_curl(const struct match *match, struct findings *found);
void transfers_refine_wget(const struct match *match, struct findings *found);
void transfers_refine_aria(const struct match *match, struct findings *found);
void transfers_refine_httpie(const struct match *match, struct findings *found);
void transfers_refine_browser(const struct match *match, struct findings *found);
void transfers_refine_upload(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_TRANSFERS_IMPL_H */
