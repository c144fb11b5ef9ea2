/* SPDX-License-Identifier: MIT */
#ifndef BROKER_PARTS_H
#define BROKER_PARTS_H

/* What the parts of the broker keep from call to call, made before the first is served. */

#include "broker/request.h"

/* False and errno: a part that the plan needs cannot work. */
bool parts_set_up(struct broker *b);

bool denials_set_up(struct broker *b); /* denials.c */
bool sockets_set_up(struct broker *b); /* sockets.c */
bool tasks_set_up(struct broker *b);   /* tasks.c */

/* Says how many refusals could not be told; to be called before the command's end is. */
void denials_flush(struct broker *b);

#endif /* BROKER_PARTS_H */
