/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_BUILD_IMPL_H
#define COMMAND_MODELS_BUILD_IMPL_H

/* What build.c (tables) has from build_refine.c: command lines inside of options. */

#include "command/models/services.h"

/* cmake -E TOOL ARGUMENTS: `tool` is a word of match->argv, what follows are its arguments. */
void build_cmake_tool(const struct match *match, struct findings *found, const struct field *tool);

/* gcc -wrapper PROGRAM,ARGUMENT,...: a command. */
void build_split_commas(struct findings *found, const struct field *text);

#endif /* COMMAND_MODELS_BUILD_IMPL_H */
