/* SPDX-License-Identifier: MIT */
#include "sandbox/told.h"

#include "base/attr.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "policy/policy.h"
#include "sandbox/prepare.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#define LIST_MAX 10 /* lines for a person */

/* ---- what the broker's words mean --------------------------------------------------------- */

/* A rule that is not here is shown by its id. */
static const struct {
	const char *rule;
	const char *text;
} rules[] = {
	{ "write.outside", "outside of the writable roots" },
	{ "metadata", "outside of the writable roots" },
	{ "metadata.set-id", "setuid and setgid bits are not set" },
	{ "protected", "a protected name" },
	{ "denied", "kept out by the policy" },
	{ "write.sensitive", "a place of credentials" },
	{ "read.sensitive", "it would be read where it is moved or linked to" },
	{ "shm.foreign", "shared memory that this command did not make" },
	{ "process", "not one of this command's processes" },
	{ "limit.tasks", "the limit on processes and threads" },
	{ "connect", "there is no network" },
	{ "bind", "there is no network" },
	{ "listen", "there is no network" },
	{ "unix", "a local socket that this command did not make" },
	{ "undumpable", "a process whose memory may not be read" },
};

static const struct {
	int error;
	const char *name;
} errors[] = {
	{ EACCES, "EACCES" },
	{ EPERM, "EPERM" },
	{ EXDEV, "EXDEV" },
	{ EROFS, "EROFS" },
	{ ENOENT, "ENOENT" },
	{ EAGAIN, "EAGAIN" },
	{ ENOSYS, "ENOSYS" },
	{ EINVAL, "EINVAL" },
	{ ENOMEM, "ENOMEM" },
	{ EOPNOTSUPP, "EOPNOTSUPP" },
	{ EAFNOSUPPORT, "EAFNOSUPPORT" },
	{ EPROTONOSUPPORT, "EPROTONOSUPPORT" },
	{ EADDRNOTAVAIL, "EADDRNOTAVAIL" },
	{ ECONNREFUSED, "ECONNREFUSED" },
	{ ENETUNREACH, "ENETUNREACH" },
	{ EHOSTUNREACH, "EHOSTUNREACH" },
};

/* Calls for an entry of a directory, which the directory must allow. All others ask for the object.
 */
static const char *const entry_calls[] = {
	"link",	    "linkat",	 "mkdir", "mkdirat", "mknod",	  "mknodat", "rename",
	"renameat", "renameat2", "rmdir", "symlink", "symlinkat", "unlink",  "unlinkat",
};

static const char *
rule_text(const char *rule)
{
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		if (strcmp(rules[i].rule, rule) == 0) {
			return rules[i].text;
		}
	}
	return rule;
}

static const char *
error_name(int error)
{
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		if (errors[i].error == error) {
			return errors[i].name;
		}
	}
	return NULL;
}

static bool
is_entry_call(const char *call)
{
	for (size_t i = 0; i < COUNT_OF(entry_calls); i++) {
		if (strcmp(entry_calls[i], call) == 0) {
			return true;
		}
	}
	return false;
}

/* The directory that would have to be writable: the object itself, or the one that it is in. */
static void
add_directory(const struct broker_denial *denial, struct strbuf *out)
{
	const char *path = denial->subject;
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (slash == NULL) {
		return;
	}
	if (!is_entry_call(denial->call) && lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		strbuf_puts(out, path);
	} else {
		strbuf_add(out, path, slash == path ? 1 : (size_t)(slash - path));
	}
}

/* An abstract name has no option of its own. */
static void
add_path(const struct broker_denial *denial, struct strbuf *out)
{
	if (denial->subject[0] == '/') {
		strbuf_puts(out, denial->subject);
	}
}

/* Commits work where only the parts of .git that run code are kept. */
static bool
is_git_data(const struct broker_denial *denial)
{
	static const char git[] = "/.git/";
	const char *below = strstr(denial->subject, git);

	return below != NULL && !git_part_is_protected(PROTECT_GIT_HOOKS, below + sizeof(git) - 1);
}

static void
add_hooks(const struct broker_denial *denial, struct strbuf *out)
{
	if (is_git_data(denial)) {
		strbuf_puts(out, "hooks");
	}
}

/* What would allow it, with the value that it takes; `value` is empty where it takes none. */
struct advice {
	const char *option;
	const char *between; /* the two, on a command line */
	struct strbuf value;
};

/* Options with a value. The broker's word for one may stand for a milder one. */
static const struct {
	const char *word;
	const char *option;
	const char *between;
	void (*add)(const struct broker_denial *denial, struct strbuf *out);
} valued[] = {
	{ "--write", "--write", " ", add_directory },
	{ "--allow-unix", "--allow-unix", "=", add_path },
	{ "--no-protect", "--protect-git", " ", add_hooks },
};

static struct advice
advice_on(const struct broker_denial *denial)
{
	struct advice advice = { denial->option, " ", STRBUF_INIT };

	for (size_t i = 0; i < COUNT_OF(valued); i++) {
		if (strcmp(valued[i].word, denial->option) == 0) {
			valued[i].add(denial, &advice.value);
			advice.option = advice.value.len > 0 ? valued[i].option : denial->option;
			advice.between = valued[i].between;
		}
	}
	return advice;
}

/* ---- for people --------------------------------------------------------------------------- */

/* As a shell takes it, when it is copied. */
static void
add_quoted(const char *text, struct strbuf *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+,:@%=";

	if (text[strspn(text, plain)] == '\0') {
		strbuf_puts(out, text);
		return;
	}
	strbuf_putc(out, '\'');
	for (; *text != '\0'; text++) {
		strbuf_add(out, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
	}
	strbuf_putc(out, '\'');
}

void
told_text(const struct broker_denial *denial, struct strbuf *out)
{
	struct advice advice = advice_on(denial);

	strbuf_printf(out, "%s%s%s: %s", denial->call, denial->subject[0] != '\0' ? " " : "",
		      denial->subject, rule_text(denial->rule));
	if (advice.option[0] != '\0') {
		strbuf_printf(out, " (%s%s", advice.option,
			      advice.value.len > 0 ? advice.between : "");
		add_quoted(advice.value.text, out);
		strbuf_putc(out, ')');
	}
	strbuf_finish(&advice.value);
}

void
told_list(const struct told *told)
{
	AUTO_STRBUF last = STRBUF_INIT;
	size_t shown = 0;
	uint64_t rest;

	for (; told != NULL && shown < told->count && shown < LIST_MAX; shown++) {
		AUTO_STRBUF line = STRBUF_INIT;

		strbuf_puts(&line, "refused: ");
		told_text(told->items[shown], &line);
		prepare_tell(told->run, &line);
	}
	rest = told != NULL ? told->count - shown + told->more : 0;
	if (rest > 0) {
		strbuf_printf(&last, "refused: %llu more (--json-status-fd lists all)",
			      (unsigned long long)rest);
		prepare_tell(told->run, &last);
	}
}

/* ---- for programs ------------------------------------------------------------------------- */

/* Names may hold any bytes, JSON only UTF-8: a name with others is shown as in a message. One that
 * was cut off may end amid a character, which goes too. */
static json_t *
json_name(const char *name)
{
	size_t len = strlen(name);
	size_t valid = text_valid(name, len);
	AUTO_STRBUF shown = STRBUF_INIT;

	if (valid == len || (len == DENIAL_PATH_MAX - 1 && len - valid < 4)) {
		return json_stringn(name, valid);
	}
	strbuf_shown(&shown, name);
	return json_string(shown.text);
}

static json_t *
json_error(int error)
{
	const char *name = error_name(error);

	return name != NULL ? json_string(name) : json_integer(error);
}

/* Takes the object. */
static char *
dump(json_t *object)
{
	char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

char *
told_json(const struct broker_denial *denial)
{
	struct advice advice = advice_on(denial);
	json_t *object;

	object =
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:o}", "event", "refused",
			  "rule", json_name(denial->rule), "call", json_name(denial->call),
			  "subject", json_name(denial->subject), "errno", json_error(denial->error),
			  "option", json_name(advice.option), "advice", "policy, do not retry",
			  "pid", (int)denial->pid, "comm", json_name(denial->comm));
	if (object != NULL && advice.value.len > 0) {
		(void)json_object_set_new(object, "value", json_name(advice.value.text));
	}
	strbuf_finish(&advice.value);
	return dump(object);
}

/* Takes the text. */
static void
give(struct told *told, enum bailey_event kind, char *text)
{
	if (text == NULL || !told->run->event(told->run->event_data, kind, text)) {
		told->lost++;
	}
	free(text);
}

static bool
is_heard(const struct told *told)
{
	return told != NULL && told->run->event != NULL;
}

void
told_started(struct told *told, pid_t pid)
{
	if (is_heard(told)) {
		give(told, BAILEY_EVENT_STARTED,
		     dump(json_pack("{s:s, s:i}", "event", "started", "pid", (int)pid)));
	}
}

void
told_ended(struct told *told, int status, const char *reason, const char *message)
{
	json_t *object;

	if (!is_heard(told)) {
		return;
	}
	object = json_pack("{s:s, s:i, s:s, s:I, s:I}", "event", "ended", "status", status,
			   "reason", reason, "refused", (json_int_t)(told->count + told->more),
			   "lost", (json_int_t)told->lost);
	if (object != NULL && message != NULL) {
		(void)json_object_set_new(object, "message", json_name(message));
	}
	give(told, BAILEY_EVENT_ENDED, dump(object));
}

/* ---- collecting --------------------------------------------------------------------------- */

static bool
is_same(const struct broker_denial *a, const struct broker_denial *b)
{
	return strcmp(a->rule, b->rule) == 0 && strcmp(a->call, b->call) == 0 &&
	       strcmp(a->subject, b->subject) == 0;
}

/* False: it was there before. */
static bool
keep(struct told *told, const struct broker_denial *denial)
{
	struct broker_denial *item;

	for (size_t i = 0; i < told->count; i++) {
		if (is_same(told->items[i], denial)) {
			return false;
		}
	}
	item = told->count < TOLD_MAX ? malloc(sizeof(*item)) : NULL;
	if (item == NULL) {
		told->more++;
		return true;
	}
	*item = *denial;
	told->items[told->count++] = item;
	return true;
}

void
told_add(struct told *told, const struct broker_event *event)
{
	if (told == NULL) {
		return;
	}
	if (event->kind == BROKER_LOST && event->error > 0) {
		told->more += (unsigned int)event->error;
		told->lost += is_heard(told) ? (unsigned int)event->error : 0;
	} else if (event->kind == BROKER_DENIED && keep(told, &event->denial) && is_heard(told)) {
		give(told, BAILEY_EVENT_REFUSED, told_json(&event->denial));
	}
}

void
told_finish(struct told *told)
{
	for (size_t i = 0; i < told->count; i++) {
		free(told->items[i]);
	}
	told->count = 0;
}
