/* SPDX-License-Identifier: MIT */

/* Notes of a plan: who holds which part of the policy, and what nobody holds in this run. */

#include "base/path.h"
#include "base/strbuf.h"
#include "plan/compile.h"

#include <stdarg.h>
#include <stdio.h>

static struct plan_note *add(struct plan *plan, enum plan_enforcer by, const char *id,
			     const char *option, const char *format, va_list args)
	BAILEY_PRINTF(5, 0);

static struct plan_note *
add(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
    const char *format, va_list args)
{
	char text[1024];
	struct plan_note *note =
		arena_push(&plan->arena, &plan->notes, &plan->note_count, sizeof(*note));

	if (note == NULL) {
		return NULL; /* the arena remembers; plan_compile() fails at its end */
	}
	(void)vsnprintf(text, sizeof(text), format, args);
	note->by = by;
	note->id = id;
	note->option = option;
	note->text = arena_strdup(&plan->arena, text);
	return note;
}

struct plan_note *
plan_note(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
	  const char *format, ...)
{
	struct plan_note *note;
	va_list args;

	va_start(args, format);
	note = add(plan, by, id, option, format, args);
	va_end(args);
	return note;
}

struct plan_note *
plan_gap(struct plan *plan, enum plan_enforcer by, const char *id, const char *option,
	 const char *format, ...)
{
	struct plan_note *note;
	va_list args;

	va_start(args, format);
	note = add(plan, by, id, option, format, args);
	va_end(args);
	if (note != NULL) {
		note->gap = true;
	}
	return note;
}

/* ---- writable roots ----------------------------------------------------------------------- */

/* Without the broker: which roots are walked around something, since new entries are refused there,
 * and what nobody looks for. */
static void
note_carved_roots(struct compile *c)
{
	for (size_t i = 0; i < c->plan->carve_out_count; i++) {
		const struct carve_out *carve = &c->plan->carve_outs[i];

		if (carve->why == WHY_PROTECTED && carve->exists) {
			plan_note(
				c->plan, BY_LANDLOCK, "protected-name", "--no-protect",
				"'%s' is protected: it cannot be written, and no entry can be made "
				"or removed directly in '%s'",
				carve->path, path_parent(c->arena, carve->path));
		}
	}
	if (c->policy->protect && c->plan->write_roots.count > 0) {
		plan_gap(c->plan, BY_NOTHING, "protected-names-can-be-made", NULL,
			 "protected names (.git and the like) that do not exist yet can be made "
			 "in writable directories; those that exist are looked for three "
			 "directories deep, and not in node_modules and the like");
	}
}

static void
note_served_roots(struct compile *c)
{
	const struct plan_broker *broker = &c->plan->broker;
	AUTO_STRBUF names = STRBUF_INIT;

	for (size_t i = 0; i < broker->protected.count; i++) {
		strbuf_printf(&names, "%s%s", i > 0 ? ", " : "", broker->protected.items[i]);
	}
	if (broker->protected.count > 0 && !names.failed) {
		plan_note(c->plan, BY_BROKER, "protected-names", "--no-protect",
			  "in writable directories and at any depth, nobody makes, changes, moves "
			  "or removes %s%s",
			  names.text,
			  broker->git_hooks
				  ? "; of .git only what runs code: hooks, configuration, "
				    "attributes"
				  : "");
	}
	if ((broker->parts & PART_READS) != 0) {
		plan_note(c->plan, BY_BROKER, "served-reads", NULL,
			  "what appears beside a path that is kept out can be read");
	}
}

static void
note_roots(struct compile *c)
{
	if ((c->plan->broker.parts & PART_FILES) != 0) {
		note_served_roots(c);
	} else {
		note_carved_roots(c);
	}
}

/* ---- system calls ------------------------------------------------------------------------- */

static void
note_metadata(struct compile *c)
{
	struct plan *plan = c->plan;

	if ((plan->broker.parts & PART_METADATA) != 0) {
		plan_note(plan, BY_BROKER, "metadata", NULL,
			  "chmod, chown, utimes and xattr calls change what lies in writable "
			  "places, and nothing else");
	} else if (plan->filter.metadata) {
		plan_gap(
			plan, BY_NOTHING, "metadata-not-confined", "--read-only",
			"chmod, chown, utimes and xattr calls reach every file that the user owns");
	} else {
		plan_note(plan, BY_SECCOMP, "metadata", NULL,
			  "chmod, chown, utimes and xattr calls are refused");
	}
}

static void
note_unix(struct compile *c)
{
	struct plan *plan = c->plan;

	if ((plan->broker.parts & PART_UNIX) != 0) {
		plan_note(plan, BY_BROKER, "unix-sockets", "--allow-unix",
			  "unix sockets reach what listens in writable places or was made by the "
			  "command%s, and nothing else",
			  plan->broker.unix_paths.count > 0 ? ", and those that are allowed" : "");
	} else if (plan->broker.any_unix && broker_excluded(c) == NULL) {
		plan_note(plan, BY_NOTHING, "unix-sockets-open", NULL,
			  "every unix socket that the user can reach is reachable, with what "
			  "listens there (docker, ssh-agent, the session bus)");
	} else if (plan->filter.unix_sockets) {
		plan_gap(
			plan, BY_NOTHING, "unix-sockets-not-confined", NULL,
			"every unix socket that the user can reach is reachable, with what listens "
			"there (docker, ssh-agent, the session bus)");
	} else {
		plan_note(plan, BY_SECCOMP, "unix-sockets", "--allow-unix",
			  "unix sockets are refused, but for stream socket pairs");
	}
}

static void
note_network(struct compile *c)
{
	struct plan *plan = c->plan;

	if (plan->network) {
		plan_note(plan, BY_NOTHING, "network-open", NULL,
			  "the whole network may be reached, the host's own services included");
	} else if ((plan->broker.parts & PART_LOOPBACK) != 0) {
		plan_note(plan, BY_BROKER, "network-loopback", "--net",
			  "TCP reaches the command's own servers on the loopback interface, and "
			  "nothing else");
	} else {
		plan_note(plan, BY_SECCOMP, "network-none", "--net",
			  "there are no INET sockets, not even for the loopback interface");
	}
}

static void
note_processes(struct compile *c)
{
	unsigned int parts = c->plan->broker.parts;

	if ((parts & PART_PROCESSES) != 0) {
		plan_note(c->plan, BY_BROKER, "processes", NULL,
			  "priority, scheduling and limits are changed of the command's own "
			  "processes, and of nobody else's");
	}
	if ((parts & PART_SHM) != 0) {
		plan_note(c->plan, BY_BROKER, "shared-memory", NULL,
			  "shared memory in /dev/shm is the command's own; what is left of it is "
			  "removed at the end");
	}
	if (c->plan->filter.log_only) {
		plan_gap(c->plan, BY_NOTHING, "seccomp-log-only", NULL,
			 "system calls on the denylist are logged, not refused");
	}
}

/* ---- limits ------------------------------------------------------------------------------- */

static void
note_tasks(struct compile *c)
{
	unsigned long long tasks = c->plan->limits.max_pids;

	if (tasks == 0) {
		return;
	}
	if ((c->plan->broker.parts & PART_TASKS) != 0) {
		plan_note(c->plan, BY_BROKER, "limit-pids", "--pids",
			  "tasks: at most %llu for the whole tree; one more cannot be made", tasks);
	} else {
		plan_note(c->plan, BY_WATCHER, "limit-pids", "--pids",
			  "tasks: at most %llu for the whole tree, measured by sampling", tasks);
	}
}

static void
note_limits(struct compile *c)
{
	const struct limits *limits = &c->plan->limits;
	static const char text[] = "%s: at most %llu%s for the whole tree, measured by sampling%s";

	note_tasks(c);
	if (limits->max_memory_mb > 0) {
		plan_note(c->plan, BY_WATCHER, "limit-memory", "--memory", text, "memory",
			  (unsigned long long)limits->max_memory_mb, " MiB",
			  "; RLIMIT_DATA for each process. Memory that no process has "
			  "mapped, such as that of a memfd or a file in a tmpfs, is not counted");
	}
	if (limits->max_disk_mb > 0) {
		plan_note(c->plan, BY_WATCHER, "limit-disk", "--disk", text, "written bytes",
			  (unsigned long long)limits->max_disk_mb, " MiB",
			  "; RLIMIT_FSIZE for each file. Not counted are files in a tmpfs, "
			  "and what a process wrote that nobody waited for");
	}
	if (limits->cpu_time_secs > 0) {
		plan_note(c->plan, BY_WATCHER, "limit-cpu", "--cpu", text, "cpu time",
			  (unsigned long long)limits->cpu_time_secs, " s",
			  "; RLIMIT_CPU for each process. The time of a process that has ended "
			  "counts if somebody waited for it");
	}
	if (limits->timeout_secs > 0) {
		plan_note(c->plan, BY_WATCHER, "limit-time", "--timeout",
			  "wall clock: %llu s, then TERM and KILL to the whole tree",
			  (unsigned long long)limits->timeout_secs);
	}
}

void
note_all(struct compile *c)
{
	note_roots(c);
	note_metadata(c);
	note_unix(c);
	note_network(c);
	note_processes(c);
	note_limits(c);
}

int
compile_nomem(struct compile *c)
{
	return bailey_fail(c->err, BAILEY_E_NOMEM, "no memory for the plan");
}
