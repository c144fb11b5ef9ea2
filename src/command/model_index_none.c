/* SPDX-License-Identifier: MIT */
/*
 * Takes the place of the index of programs where no program can run while Bailey is built: no
 * program is known then, and every command is a question.
 */
#include "command/model_index.h"

const struct program *const model_tables[] = { NULL };
const struct model_slot model_slots[] = { { 0 } };
const uint32_t model_slot_count = 1;
const struct model_sub model_subs[] = { { 0 } };
