/* SPDX-License-Identifier: MIT */

/* From the number of a system call to what serves it, and the answers that all share. */

#include "broker/request.h"

#include "base/attr.h"
#include "broker/parts.h"

static const struct call_table *const tables[] = {
	&open_calls, &entry_calls, &metadata_calls, &process_calls, &socket_calls, &task_calls,
};

const struct call_row *
call_find(int nr)
{
	for (size_t t = 0; t < COUNT_OF(tables); t++) {
		for (size_t i = 0; i < tables[t]->count; i++) {
			if (tables[t]->rows[i].nr == nr && nr >= 0) {
				return &tables[t]->rows[i];
			}
		}
	}
	return NULL;
}

struct answer
answer_result(long rc)
{
	return rc < 0 ? answer_error(errno) : answer_value(rc);
}

bool
parts_set_up(struct broker *b)
{
	static bool (*const set_up[])(struct broker * b) = { denials_set_up, sockets_set_up,
							     tasks_set_up };

	for (size_t i = 0; i < COUNT_OF(set_up); i++) {
		if (!set_up[i](b)) {
			return false;
		}
	}
	return true;
}
