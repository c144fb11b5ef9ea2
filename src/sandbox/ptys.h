/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_PTYS_H
#define SANDBOX_PTYS_H

#include "plan/plan.h"

/*
 * Which terminals there are: the ones on the descriptors 0 to 2, which the command gets, and
 * whether the user has others, whose input it could take if it could open every pseudo-terminal.
 */
void ptys_find(struct arena *arena, struct terminals *out);

#endif /* SANDBOX_PTYS_H */
