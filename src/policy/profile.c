/* SPDX-License-Identifier: MIT */
/*
 * Policies from files and by name. A profile is the wire form with lists that may be written more
 * shortly, and it may extend another: the chain is read from the child to its base first, and then
 * applied from the base to the child.
 *
 * Invariant: a chain has at most LAYERS_MAX layers and no document twice.
 */
#include "policy/parts.h"

#include "base/attr.h"
#include "base/path.h"
#include "base/text.h"

#include <string.h>

#define LAYERS_MAX 9 /* a profile and the 8 that it may extend */

struct layer {
	struct doc *doc;
	const char *id;	 /* path of the file, or "profile NAME" of a built-in one */
	const char *dir; /* where relative paths in "extends" begin; NULL: nowhere */
};

struct chain {
	struct arena arena;
	struct layer layers[LAYERS_MAX]; /* child first */
	size_t count;
	const char *profile_dir;
};

static void
chain_finish(struct chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		doc_free(chain->layers[i].doc);
	}
	arena_finish(&chain->arena);
}

#define AUTO_CHAIN __attribute__((cleanup(chain_finish))) struct chain

static int
fail_memory(struct bailey_error *err)
{
	return bailey_fail(err, BAILEY_E_NOMEM, "no memory for a profile");
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text);
	size_t m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static bool
in_chain(const struct chain *chain, const char *id)
{
	for (size_t i = 0; i < chain->count; i++) {
		if (strcmp(chain->layers[i].id, id) == 0) {
			return true;
		}
	}
	return false;
}

static void
push_layer(struct chain *chain, struct doc *doc, const char *id, const char *dir)
{
	chain->layers[chain->count++] = (struct layer){ doc, id, dir };
}

static int
push_file(struct chain *chain, const char *path, struct bailey_error *err)
{
	struct doc *doc = NULL;
	const char *slash = strrchr(path, '/');
	const char *id = arena_strdup(&chain->arena, path);
	const char *dir = slash != NULL
				  ? arena_strndup(&chain->arena, path, (size_t)(slash + 1 - path))
				  : ".";
	int failed;

	if (id == NULL || dir == NULL) {
		return fail_memory(err);
	}
	failed = doc_load(path, &doc, err);
	if (failed == BAILEY_OK) {
		push_layer(chain, doc, id, dir);
	}
	return failed;
}

static int
push_builtin(struct chain *chain, const struct bailey_profile *profile, struct bailey_error *err)
{
	struct doc *doc = NULL;
	const char *id = arena_printf(&chain->arena, "profile %s", profile->name);
	int failed;

	if (id == NULL) {
		return fail_memory(err);
	}
	failed = doc_parse_toml(id, profile->text, strlen(profile->text), &doc, err);
	if (failed == BAILEY_OK) {
		push_layer(chain, doc, id, NULL);
	}
	return failed;
}

static int
fail_not_found(const char *name, struct bailey_error *err)
{
	size_t count;
	const struct bailey_profile *profiles = bailey_builtin_profiles(&count);
	const char *names[POLICY_PROFILES_MAX];
	AUTO_STRBUF advice = STRBUF_INIT;
	char shown[TEXT_SHOWN_MAX];
	const char *near;

	for (size_t i = 0; i < count; i++) {
		names[i] = profiles[i].name;
		strbuf_printf(&advice, "%s'%s'", i > 0 ? ", " : "the built-in ones are ", names[i]);
	}
	near = suggest(name, names, count);
	(void)text_shown(shown, name, strlen(name));
	if (near != NULL) {
		return bailey_fail(err, BAILEY_E_NOT_FOUND,
				   "there is no profile '%s'; did you mean '%s'?", shown, near);
	}
	return bailey_fail(err, BAILEY_E_NOT_FOUND, "there is no profile '%s'; %s", shown,
			   advice.text);
}

static int
fail_circular(const char *name, struct bailey_error *err)
{
	char shown[TEXT_SHOWN_MAX];

	return bailey_fail(err, BAILEY_E_INVALID, "'%s' extends itself, directly or through others",
			   text_shown(shown, name, strlen(name)));
}

/* PROFILE_DIR/NAME.toml or .json. BAILEY_E_NOT_FOUND without an error when there is neither, or
 * when it is `*circular`, in the chain already: a user's "node" may extend the built-in one. */
static int
push_from_dir(struct chain *chain, const char *name, bool *circular, struct bailey_error *err)
{
	static const char *const endings[] = { "toml", "json" };

	for (size_t i = 0; chain->profile_dir != NULL && i < COUNT_OF(endings); i++) {
		struct bailey_error found = { 0 };
		char *path = arena_printf(&chain->arena, "%s/%s.%s", chain->profile_dir, name,
					  endings[i]);
		int failed;

		if (path == NULL) {
			return fail_memory(err);
		}
		if (in_chain(chain, path)) {
			*circular = true;
			continue;
		}
		failed = push_file(chain, path, &found);
		if (failed != BAILEY_E_NOT_FOUND) {
			if (failed != BAILEY_OK && err != NULL && err->status == BAILEY_OK) {
				*err = found;
			}
			return failed;
		}
	}
	return BAILEY_E_NOT_FOUND;
}

static int
push_named(struct chain *chain, const char *name, struct bailey_error *err)
{
	size_t count;
	const struct bailey_profile *profiles = bailey_builtin_profiles(&count);
	const char *problem = value_problem(VALUE_NAME, name);
	char shown[TEXT_SHOWN_MAX];
	bool circular = false;
	int failed;

	if (problem != NULL) {
		return bailey_fail(err, BAILEY_E_INVALID, "profile name '%s' %s",
				   text_shown(shown, name, strlen(name)), problem);
	}
	failed = push_from_dir(chain, name, &circular, err);
	if (failed != BAILEY_E_NOT_FOUND) {
		return failed;
	}
	for (size_t i = 0; i < count; i++) {
		if (strcmp(profiles[i].name, name) == 0) {
			return push_builtin(chain, &profiles[i], err);
		}
	}
	return circular ? fail_circular(name, err) : fail_not_found(name, err);
}

/* A path in "extends" is relative to the file that it is written in. */
static int
push_path(struct chain *chain, const char *path, struct bailey_error *err)
{
	const char *dir = chain->count > 0 ? chain->layers[chain->count - 1].dir : NULL;

	while (dir != NULL && path[0] == '.' && path[1] == '/') {
		path += 2;
	}
	if (path[0] != '/' && dir != NULL) {
		path = path_join(&chain->arena, dir, path);
		if (path == NULL) {
			return fail_memory(err);
		}
	}
	return push_file(chain, path, err);
}

static int
push_any(struct chain *chain, const char *name, struct bailey_error *err)
{
	return strchr(name, '/') != NULL ? push_path(chain, name, err)
					 : push_named(chain, name, err);
}

static bool
last_is_repeated(const struct chain *chain)
{
	for (size_t i = 0; i + 1 < chain->count; i++) {
		if (strcmp(chain->layers[i].id, chain->layers[chain->count - 1].id) == 0) {
			return true;
		}
	}
	return false;
}

/* Reads what the last layer extends, if anything, as the next one. */
static int
push_extended(struct chain *chain, bool *more, struct bailey_error *err)
{
	struct node node = node_get(doc_root(chain->layers[chain->count - 1].doc), "extends");
	struct bailey_error inner = { 0 };
	const char *name = NULL;
	int failed = node_string(node, &name, err);

	*more = name != NULL;
	if (failed != BAILEY_OK || name == NULL) {
		return failed;
	}
	if (chain->count == LAYERS_MAX) {
		return node_fail(node, BAILEY_E_LIMIT, err,
				 "more than %d profiles extend each other", LAYERS_MAX - 1);
	}
	failed = push_any(chain, name, &inner);
	if (failed == BAILEY_OK && last_is_repeated(chain)) {
		failed = fail_circular(name, &inner);
	}
	if (failed != BAILEY_OK && inner.at.line == 0) {
		return node_fail(node, (enum bailey_status)failed, err, "%s", inner.message);
	}
	if (failed != BAILEY_OK && err != NULL && err->status == BAILEY_OK) {
		*err = inner;
	}
	return failed;
}

/* The type of a chain: the base names it, and nobody may name another. */
static int
chain_type(const struct chain *chain, enum bailey_policy_type *type, struct bailey_error *err)
{
	struct node base = doc_root(chain->layers[chain->count - 1].doc);
	int failed = policy_read_type(base, type, err);

	for (size_t i = chain->count - 1; failed == BAILEY_OK && i-- > 0;) {
		struct node root = doc_root(chain->layers[i].doc);
		enum bailey_policy_type own = *type;

		if (node_get(root, "type").value == NULL) {
			continue;
		}
		failed = policy_read_type(root, &own, err);
		if (failed == BAILEY_OK && own != *type) {
			failed = node_fail(node_get(root, "type"), BAILEY_E_INVALID, err,
					   "a profile cannot have another type than the one that "
					   "it extends, which is '%s'",
					   policy_type_names[*type]);
		}
	}
	return failed;
}

static int
apply_layer(struct reading *reading, const struct layer *layer, struct bailey_error *err)
{
	static const char *const more[] = { "type", "extends", "about" };
	struct node root = doc_root(layer->doc);
	const char *about = NULL;
	int failed = node_string(node_get(root, "about"), &about, err);

	return failed == BAILEY_OK ? policy_read_keys(reading, root, more, COUNT_OF(more), err)
				   : failed;
}

/* The chain begins with one layer: reads the rest of it and makes the policy. */
static int
chain_resolve(struct chain *chain, struct bailey_policy **out, struct bailey_error *err)
{
	AUTO_POLICY *policy = NULL;
	struct reading reading = { .profile = true, .whole = true };
	enum bailey_policy_type type = BAILEY_POLICY_READ_ONLY;
	bool more = true;
	int failed = BAILEY_OK;

	while (failed == BAILEY_OK && more) {
		failed = push_extended(chain, &more, err);
	}
	if (failed == BAILEY_OK) {
		failed = chain_type(chain, &type, err);
	}
	if (failed == BAILEY_OK) {
		failed = policy_create(type, false, &policy, err);
	}
	reading.policy = policy;
	for (size_t i = chain->count; failed == BAILEY_OK && i-- > 0;) {
		failed = apply_layer(&reading, &chain->layers[i], err);
	}
	if (failed != BAILEY_OK) {
		return failed;
	}
	if (!reading.sockets_given && type == BAILEY_POLICY_WORKSPACE_WRITE) {
		policy->seccomp.allow_network_sockets = policy_has_network(policy);
	}
	*out = take_ptr(policy);
	return BAILEY_OK;
}

int
policy_read_doc(struct doc *doc, const char *path, const char *profile_dir,
		struct bailey_policy **out, struct bailey_error *err)
{
	AUTO_CHAIN chain = { .profile_dir = profile_dir };
	struct node root = doc_root(doc);
	const char *slash = strrchr(path, '/');
	const char *dir;

	if (!json_is_object(root.value) ||
	    (!ends_with(path, ".toml") && node_get(root, "extends").value == NULL &&
	     node_get(root, "about").value == NULL && node_get(root, "sandbox").value == NULL)) {
		AUTO_DOC *own = doc;

		return policy_read_wire(doc_root(own), out, err);
	}
	if (node_get(root, "sandbox").value != NULL) {
		AUTO_DOC *own = doc;

		return policy_read_config(node_get(doc_root(own), "sandbox"), out, err);
	}
	push_layer(&chain, doc, path, NULL);
	dir = slash != NULL ? arena_strndup(&chain.arena, path, (size_t)(slash + 1 - path)) : ".";
	if (dir == NULL) {
		return fail_memory(err);
	}
	chain.layers[0].dir = dir;
	return chain_resolve(&chain, out, err);
}

int
bailey_policy_load(const char *path, const char *profile_dir, struct bailey_policy **out,
		   struct bailey_error *err)
{
	struct doc *doc = NULL;
	int failed = doc_load(path, &doc, err);

	return failed == BAILEY_OK ? policy_read_doc(doc, path, profile_dir, out, err) : failed;
}

int
bailey_policy_profile(const char *name, const char *profile_dir, struct bailey_policy **out,
		      struct bailey_error *err)
{
	AUTO_CHAIN chain = { .profile_dir = profile_dir };
	int failed;

	if (strchr(name, '/') != NULL) {
		return bailey_policy_load(name, profile_dir, out, err);
	}
	failed = push_named(&chain, name, err);
	return failed == BAILEY_OK ? chain_resolve(&chain, out, err) : failed;
}

const struct bailey_profile *
bailey_builtin_profiles(size_t *count)
{
	*count = policy_profile_count;
	return policy_profiles;
}
