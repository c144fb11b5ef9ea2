/* SPDX-License-Identifier: MIT */

/*
 * Building an environment. A table collects the variables by name, so that the last of several
 * entries counts and the order is that of first appearance; a hash index keeps that linear however
 * large an environment the caller hands in.
 */

#include "sandbox/environment.h"

#include "base/attr.h"
#include "base/strbuf.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct entry {
	const char *text; /* "NAME=value" */
	size_t name_len;
	bool keep; /* false: removed, but its place in the order is remembered */
};

/* Open addressing; a slot holds an index into `entries` plus 1. Never more than half full. */
struct table {
	struct arena *arena;
	struct entry *entries;
	size_t count;
	size_t *slots;
	size_t mask;
};

bool
env_name_valid(const char *name)
{
	return name != NULL && name[0] != '\0' && strchr(name, '=') == NULL;
}

/* ---- the table --------------------------------------------------------------------------- */

static size_t
hash(const char *name, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (size_t i = 0; i < len; i++) {
		h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	}
	return (size_t)(h ^ (h >> 32));
}

/* `most` is the largest number of entries that will be put. */
static bool
table_init(struct table *table, struct arena *arena, size_t most)
{
	size_t slots = 64;

	while (slots / 2 < most) {
		if (slots > SIZE_MAX / 4) {
			return false;
		}
		slots *= 2;
	}
	table->arena = arena;
	table->slots = arena_array(arena, slots, sizeof(*table->slots));
	table->entries = arena_array(arena, most, sizeof(*table->entries));
	table->mask = slots - 1;
	return table->slots != NULL && table->entries != NULL;
}

/* The slot of a name: its own, or the free one where it belongs. */
static size_t *
find(struct table *table, const char *name, size_t len)
{
	size_t at = hash(name, len) & table->mask;

	while (table->slots[at] != 0) {
		const struct entry *entry = &table->entries[table->slots[at] - 1];

		if (entry->name_len == len && memcmp(entry->text, name, len) == 0) {
			break;
		}
		at = (at + 1) & table->mask;
	}
	return &table->slots[at];
}

/* `text` must outlive the table; its name is `len` bytes long. */
static void
put(struct table *table, const char *text, size_t len)
{
	size_t *slot = find(table, text, len);

	if (*slot == 0) {
		*slot = ++table->count;
	}
	table->entries[*slot - 1] = (struct entry){ .text = text, .name_len = len, .keep = true };
}

/* Sets the variable, or removes it when `value` is NULL. An impossible name is passed over. */
static void
change(struct table *table, const char *name, const char *value)
{
	size_t slot;
	char *text;

	if (!env_name_valid(name)) {
		return;
	}
	if (value == NULL) {
		slot = *find(table, name, strlen(name));
		if (slot != 0) {
			table->entries[slot - 1].keep = false;
		}
		return;
	}
	text = arena_printf(table->arena, "%s=%s", name, value);
	if (text != NULL) {
		put(table, text, strlen(name));
	}
}

/* ---- what goes in ------------------------------------------------------------------------ */

static size_t
count_of(char *const *env)
{
	size_t n = 0;

	while (env != NULL && env[n] != NULL) {
		n++;
	}
	return n;
}

static void
put_all(struct table *table, char *const *env)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		const char *equals = strchr(env[i], '=');

		if (equals != NULL && equals != env[i]) {
			put(table, env[i], (size_t)(equals - env[i]));
		}
	}
}

static bool
stays(const struct entry *entry, enum env_mode mode, struct arena *arena)
{
	const char *name;

	if (mode == ENV_KEEP) {
		return true;
	}
	if (strncmp(entry->text + entry->name_len, "=() {", 5) == 0) {
		return false; /* bash before 4.3 patch 27 takes it for an exported function */
	}
	if (mode == ENV_FILTER) {
		return env_rule(entry->text, entry->name_len) == NULL;
	}
	name = arena_strndup(arena, entry->text, entry->name_len);
	return name != NULL && env_is_preserved(name);
}

/* PWD and OLDPWD are of no mode: the one is set anew in its old place, the other is dropped. */
static void
put_callers(struct table *table, const struct env_source *source)
{
	if (source->env->mode == ENV_CLEAR) {
		return;
	}
	put_all(table, source->base);
	put_all(table, source->overrides);
	for (size_t i = 0; i < table->count; i++) {
		struct entry *entry = &table->entries[i];

		entry->keep = stays(entry, source->env->mode, table->arena);
	}
	if (source->env->mode != ENV_KEEP || source->cwd != NULL) {
		change(table, "PWD", source->cwd);
		change(table, "OLDPWD", NULL);
	}
}

static void
put_set(struct table *table, const struct plan_env *env)
{
	for (size_t i = 0; i < env->set_count; i++) {
		change(table, env->set[i].name, env->set[i].value);
	}
}

/* ---- marks ------------------------------------------------------------------------------- */

/* How many names BAILEY_SANDBOX_ and VTCODE_SANDBOX_ stand in front of. */
#define MARK_COUNT ((size_t)4)

static void
join_roots(struct strbuf *out, const struct bailey_sandbox_marks *marks)
{
	for (size_t i = 0; i < marks->writable_root_count; i++) {
		const char *root = marks->writable_roots[i];

		if (strchr(root, ':') == NULL) {
			strbuf_printf(out, "%s%s", out->len > 0 ? ":" : "", root);
		}
	}
}

/*
 * A mark that does not apply is removed where it was inherited, but for NETWORK_DISABLED: what an
 * outer sandbox took away stays away.
 */
static void
put_marks(struct table *table, const struct bailey_sandbox_marks *marks, const char *prefix)
{
	AUTO_STRBUF roots = STRBUF_INIT;
	struct env_change changes[MARK_COUNT] = {
		{ "ACTIVE", "1" },
		{ "TYPE", bailey_sandbox_type_name(marks->type) },
		{ "WRITABLE_ROOTS", NULL },
		{ "NETWORK_DISABLED", "1" },
	};

	join_roots(&roots, marks);
	changes[2].value = roots.len > 0 ? roots.text : NULL;
	for (size_t i = 0; i < (marks->network_disabled ? MARK_COUNT : MARK_COUNT - 1); i++) {
		const char *name = arena_printf(table->arena, "%s%s", prefix, changes[i].name);

		change(table, name, changes[i].value);
	}
	table->arena->failed = table->arena->failed || roots.failed;
}

/* ---- the whole --------------------------------------------------------------------------- */

static char **
collect(const struct table *table)
{
	char **env = arena_array(table->arena, table->count + 1, sizeof(*env));
	size_t n = 0;

	for (size_t i = 0; env != NULL && i < table->count; i++) {
		if (table->entries[i].keep) {
			env[n++] = arena_strdup(table->arena, table->entries[i].text);
		}
	}
	return env != NULL && !table->arena->failed ? env : NULL;
}

char **
env_build(struct arena *arena, const struct env_source *source)
{
	struct table table = { 0 };
	size_t most = count_of(source->base) + count_of(source->overrides) +
		      source->env->set_count + 1 + 2 * MARK_COUNT;

	if (!table_init(&table, arena, most)) {
		return NULL;
	}
	put_callers(&table, source);
	put_set(&table, source->env);
	if (source->marks != NULL) {
		put_marks(&table, source->marks, "BAILEY_SANDBOX_");
	}
	if (source->marks != NULL && source->marks->vtcode_names) {
		put_marks(&table, source->marks, "VTCODE_SANDBOX_");
	}
	return collect(&table);
}

/* ---- the public side --------------------------------------------------------------------- */

/* One block: the array, and the strings behind it. NULL: out of memory. */
static char **
flatten(char *const *env)
{
	size_t count = count_of(env);
	size_t size = (count + 1) * sizeof(*env);
	char **block;
	char *text;

	for (size_t i = 0; i < count; i++) {
		size += strlen(env[i]) + 1;
	}
	block = malloc(size);
	if (block == NULL) {
		return NULL;
	}
	text = (char *)(block + count + 1);
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(env[i]) + 1;

		block[i] = memcpy(text, env[i], len);
		text += len;
	}
	block[count] = NULL;
	return block;
}

static int
build_public(const struct env_source *source, char ***out, struct bailey_error *err)
{
	AUTO_ARENA arena = { 0 };
	char **env = env_build(&arena, source);

	*out = env != NULL ? flatten(env) : NULL;
	if (*out == NULL) {
		return bailey_fail(err, BAILEY_E_NOMEM, "no memory for the environment");
	}
	return BAILEY_OK;
}

int
bailey_filter_sensitive_env(char *const env[], char ***out, struct bailey_error *err)
{
	const struct plan_env mode = { .mode = ENV_FILTER };
	const struct env_source source = { .base = env, .env = &mode };

	return build_public(&source, out, err);
}

int
bailey_build_sanitized_env(char *const env[], bool only_preserved, const char *cwd,
			   const struct bailey_sandbox_marks *marks, char ***out,
			   struct bailey_error *err)
{
	const struct plan_env mode = { .mode = only_preserved ? ENV_SANITIZE : ENV_FILTER };
	const struct env_source source = {
		.base = env,
		.env = &mode,
		.cwd = cwd,
		.marks = marks,
	};

	return build_public(&source, out, err);
}

const char *
bailey_sandbox_type_name(enum bailey_sandbox_type type)
{
	static const char *const names[] = {
		[BAILEY_SANDBOX_NONE] = "none",
		[BAILEY_SANDBOX_MACOS_SEATBELT] = "macos_seatbelt",
		[BAILEY_SANDBOX_LINUX_LANDLOCK] = "linux_landlock",
		[BAILEY_SANDBOX_WINDOWS_RESTRICTED_TOKEN] = "windows_restricted_token",
	};

	return (size_t)type < COUNT_OF(names) ? names[type] : "unknown";
}

int
bailey_setup_parent_death_signal(pid_t parent, struct bailey_error *err)
{
	if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) {
		return bailey_fail_sys(err, errno, "cannot ask for a signal at the parent's end");
	}
	/* The parent may have gone before the kernel was asked. */
	if (getppid() != parent) {
		return bailey_fail(err, BAILEY_E_NOT_FOUND, "the parent process %d is gone",
				   (int)parent);
	}
	return BAILEY_OK;
}
