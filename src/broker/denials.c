/* SPDX-License-Identifier: MIT */

/*
 * What was refused, told to the launcher. Telling is a service to people and changes no decision,
 * so it never waits: what the pipe has no room for is counted, what was told a moment ago is not
 * told again, and a command that makes up refusals by the thousand is heard a hundred times a
 * second.
 */

#include "broker/request.h"

#include "base/attr.h"
#include "base/path.h"
#include "broker/parts.h"
#include "plan/landlock_abi.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#define SEEN_MAX 256U /* a power of two */
#define TOLD_PER_SECOND 100U
#define ROOM_FOR_REFUSALS 32768 /* bytes of the pipe (64 KiB); what must arrive has the rest */

static_assert(sizeof(struct broker_event) <= 4096, "an event passes a pipe in one piece");

struct denials {
	pthread_mutex_t lock;
	uint64_t seen[SEEN_MAX]; /* hashes of what was recorded, each in the slot that it names */
	time_t second;
	unsigned int told; /* in that second */
	int lost;
};

bool
denials_set_up(struct broker *b)
{
	b->denials = calloc(1, sizeof(*b->denials));
	return b->denials != NULL && pthread_mutex_init(&b->denials->lock, NULL) == 0;
}

/* ---- the same again ----------------------------------------------------------------------- */

/* FNV-1a, with the NUL, so that two texts do not run together. */
static uint64_t
hash_text(uint64_t hash, const char *text)
{
	for (;; text++) {
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
		if (*text == '\0') {
			return hash;
		}
	}
}

static const char *
call_name(const struct request *r)
{
	return r->row != NULL ? r->row->name : "";
}

static uint64_t
hash_of(const struct request *r, const char *rule, const char *subject)
{
	uint64_t hash = hash_text(UINT64_C(0xcbf29ce484222325), rule);

	hash = hash_text(hash, call_name(r));
	return hash_text(hash, subject) | 1; /* 0 is a free slot */
}

/* Was it recorded already? Now it is. */
static bool
is_again(struct denials *d, uint64_t hash)
{
	uint64_t *slot = &d->seen[(hash >> 8) & (SEEN_MAX - 1)];
	bool again;

	(void)pthread_mutex_lock(&d->lock);
	again = *slot == hash;
	*slot = hash;
	(void)pthread_mutex_unlock(&d->lock);
	return again;
}

/* ---- the pipe ----------------------------------------------------------------------------- */

/* Refusals leave room for what must arrive. */
static bool
put(int events, const struct broker_event *event)
{
	int waiting = 0;

	return ioctl(events, FIONREAD, &waiting) == 0 && waiting < ROOM_FOR_REFUSALS &&
	       write(events, event, sizeof(*event)) == (ssize_t)sizeof(*event);
}

static bool
put_lost(struct denials *d, int events)
{
	const struct broker_event event = { .kind = BROKER_LOST, .error = d->lost };

	if (d->lost > 0 && put(events, &event)) {
		d->lost = 0;
	}
	return d->lost == 0;
}

/* At the end it must arrive: it takes of the room that refusals leave. */
static void
put_last(struct denials *d, int events)
{
	const struct broker_event event = { .kind = BROKER_LOST, .error = d->lost };

	if (d->lost > 0 && write(events, &event, sizeof(event)) == (ssize_t)sizeof(event)) {
		d->lost = 0;
	}
}

static bool
is_too_much(struct denials *d)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec != d->second) {
		d->second = now.tv_sec;
		d->told = 0;
	}
	return d->told++ >= TOLD_PER_SECOND;
}

/* What could not be told may be told when it happens again. */
static void
send(struct broker *b, uint64_t hash, const struct broker_event *event)
{
	struct denials *d = b->denials;

	(void)pthread_mutex_lock(&d->lock);
	if (is_too_much(d) || !put_lost(d, b->events) || !put(b->events, event)) {
		d->lost += d->lost < INT32_MAX ? 1 : 0;
		d->seen[(hash >> 8) & (SEEN_MAX - 1)] = 0;
	}
	(void)pthread_mutex_unlock(&d->lock);
}

void
denials_flush(struct broker *b)
{
	(void)pthread_mutex_lock(&b->denials->lock);
	put_last(b->denials, b->events);
	(void)pthread_mutex_unlock(&b->denials->lock);
}

/* ---- recording ---------------------------------------------------------------------------- */

/* Cut off where it is longer. */
static void
copy(char *out, size_t size, const char *text)
{
	size_t len = strnlen(text, size - 1);

	memcpy(out, text, len);
	out[len] = '\0';
}

static void
record(struct request *r, uint64_t hash, int error, const char *rule, const char *option,
       const char *subject)
{
	struct broker_event event = { .kind = BROKER_DENIED };
	struct broker_denial *denial = &event.denial;

	copy(denial->rule, sizeof(denial->rule), rule);
	copy(denial->call, sizeof(denial->call), call_name(r));
	copy(denial->option, sizeof(denial->option), option);
	copy(denial->subject, sizeof(denial->subject), subject);
	caller_comm(r, denial->comm);
	denial->pid = caller_tgid(r);
	denial->error = error;
	send(r->broker, hash, &event);
}

struct answer
refuse(struct request *r, int error, const char *rule, const char *option, const char *subject)
{
	uint64_t hash = hash_of(r, rule, subject);

	if (!is_again(r->broker->denials, hash)) {
		record(r, hash, error, rule, option, subject);
	}
	return answer_error(error);
}

struct answer
refuse_place(struct request *r, int error, const struct where *where)
{
	return refuse(r, error, where->rule, where->option, where->path);
}

/* ---- what the floor refuses --------------------------------------------------------------- */

/* Calls that need the directory and not the object, by what has to be there for them to get as far
 * as being refused. */
enum needs { NEEDS_NOTHING_THERE, NEEDS_SOMETHING_THERE, NEEDS_EITHER };

static const struct {
	const char *call;
	enum needs needs;
} entry_rules[] = {
	{ "link", NEEDS_NOTHING_THERE },     { "linkat", NEEDS_NOTHING_THERE },
	{ "mkdir", NEEDS_NOTHING_THERE },    { "mkdirat", NEEDS_NOTHING_THERE },
	{ "mknod", NEEDS_NOTHING_THERE },    { "mknodat", NEEDS_NOTHING_THERE },
	{ "rename", NEEDS_EITHER },	     { "renameat", NEEDS_EITHER },
	{ "renameat2", NEEDS_EITHER },	     { "rmdir", NEEDS_SOMETHING_THERE },
	{ "symlink", NEEDS_NOTHING_THERE },  { "symlinkat", NEEDS_NOTHING_THERE },
	{ "unlink", NEEDS_SOMETHING_THERE }, { "unlinkat", NEEDS_SOMETHING_THERE },
};

/* access(2) is nothing that Landlock judges: it says what the mode and the mount say. */
static bool
may_write(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static bool
may_write_parent(const char *path)
{
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (slash == NULL) {
		return false;
	}
	copy(parent, sizeof(parent), path);
	parent[slash == path ? 1 : slash - path] = '\0';
	return may_write(parent);
}

/* A call for an entry of a directory: would the directory's mode let it? */
static bool
entry_would_work(const char *path, enum needs needs, bool there)
{
	bool ready = needs == NEEDS_EITHER || there == (needs == NEEDS_SOMETHING_THERE);

	return ready && may_write_parent(path);
}

static bool
would_work_outside(const struct request *r, const char *path)
{
	bool there = faccessat(AT_FDCWD, path, F_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0;

	for (size_t i = 0; i < COUNT_OF(entry_rules); i++) {
		if (strcmp(entry_rules[i].call, call_name(r)) == 0) {
			return entry_would_work(path, entry_rules[i].needs, there);
		}
	}
	return there ? may_write(path) : may_write_parent(path);
}

/* Files on the standard streams, and others that have a rule of their own. */
static bool
is_granted(const struct request *r, const char *path)
{
	return (plan_granted(r->broker->plan, path) & LL_WRITE_FILE) != 0;
}

/*
 * Many programs try to write where they never could, such as Python next to its modules, and every
 * shell tries its terminal: nobody wants to hear of it.
 */
void
note_floor(struct request *r, const struct where *where)
{
	uint64_t hash;

	if (path_under(where->path, "/dev") || path_under(where->path, "/proc")) {
		return;
	}
	hash = hash_of(r, where->rule, where->path);
	if (is_again(r->broker->denials, hash) || is_granted(r, where->path) ||
	    !would_work_outside(r, where->path)) {
		return;
	}
	record(r, hash, EACCES, where->rule, where->option, where->path);
}
