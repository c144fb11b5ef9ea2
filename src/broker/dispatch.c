/* SPDX-License-Identifier: MIT */

/* From the number of a system call to what serves it, and the answers that all share. */

#include "broker/request.h"

#include "base/attr.h"
#include "broker/parts.h"

static const struct call_table *const tables[] = {
	&open_calls,   &entry_calls, &metadata_calls, &process_calls,
	&socket_calls, &task_calls,  &domain_calls,
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

static bool
is_of(const struct call_table *table, const struct call_row *row)
{
	return row >= table->rows && row < table->rows + table->count;
}

/* Files are Landlock's business: a caller with a domain of its own is left to it. */
struct answer
call_serve(struct request *r)
{
	bool of_files = is_of(&open_calls, r->row) || is_of(&entry_calls, r->row);

	return of_files && caller_is_confined(r) ? answer_continue() : r->row->handle(r);
}

struct answer
answer_result(long rc)
{
	if (rc >= 0) {
		return answer_value(rc);
	}
	return answer_error(errno != 0 ? errno : EPERM); /* 0 would say that it was done */
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
