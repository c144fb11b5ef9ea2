/* SPDX-License-Identifier: MIT */

/*
 * What git's tables cannot say: whether a subcommand lists or changes, whether it takes the whole
 * working tree or one file, what a refspec does to the other side.
 */

#include "command/models/git_impl.h"

RULE(reset_merge, "git.reset-merge", FORBIDDEN, DELETES,
     "throws away all that is staged, in the index and in the files");
RULE(reset_hard, "git.reset-hard", FORBIDDEN, DELETES,
     "throws away every change that is not committed");
RULE(checkout_tree, "git.checkout-tree", FORBIDDEN, DELETES,
     "overwrites every changed file of the working tree");
RULE(checkout_force, "git.checkout-force", FORBIDDEN, DELETES,
     "switches and throws away every change that is not committed");
RULE(clean_force, "git.clean", FORBIDDEN, DELETES, "deletes every file that git does not track");
RULE(clean_path, "git.clean-path", PROMPT, DELETES, "deletes files that git does not track");
RULE(push_force, "git.push-force", FORBIDDEN, DELETES,
     "overwrites the history of the other repository");
RULE(push_delete, "git.push-delete", FORBIDDEN, DELETES, "deletes refs of the other repository");
RULE(push_lease, "git.push-force-with-lease", PROMPT, DELETES,
     "overwrites the history of the other repository when nobody else has pushed");
RULE(branch_delete, "git.branch-delete", PROMPT, DELETES, "deletes a branch");
RULE(branch_delete_many, "git.branch-delete-many", FORBIDDEN, DELETES,
     "deletes branches that are not named, whether they are merged or not");
RULE(tag_delete, "git.tag-delete", PROMPT, DELETES, "deletes a tag");
RULE(gc_now, "git.gc-now", FORBIDDEN, DELETES,
     "deletes every object that no ref needs, the last copies of lost work");
RULE(reflog_expire, "git.reflog-expire", FORBIDDEN, DELETES,
     "deletes the reflog, the way back to lost work");
RULE(ref_delete, "git.update-ref-delete", PROMPT, DELETES, "deletes a ref");
RULE(ref_delete_all, "git.update-ref-delete-many", FORBIDDEN, DELETES,
     "deletes refs on which much depends");
RULE(read_tree_reset, "git.read-tree-reset", FORBIDDEN, DELETES,
     "overwrites the index and every changed file");
RULE(deinit_all, "git.submodule-deinit", FORBIDDEN, DELETES,
     "deletes the working trees of all submodules");
RULE(config_write, "git.config", PROMPT, WRITES, "changes the configuration of git");
RULE(config_hidden, "git.config-hidden", PROMPT, UNKNOWN, "changes a key that is not known");
RULE(alias_unknown, "git.alias", PROMPT, EXECUTES,
     "runs a subcommand that git does not have: an alias, or a program git-...");
RULE(lfs_prune, "git.lfs-prune", PROMPT, DELETES, "deletes old large files that are stored here");
RULE(lfs_prune_force, "git.lfs-prune-force", FORBIDDEN, DELETES,
     "deletes large files without a look at whether the server has them");
RULE(remote_asks, "git.network", PROMPT, NETWORK, "talks to another repository");
RULE(writes_object, "git.writes-object", PROMPT, WRITES, "writes objects below .git");

static bool
has_any(const struct match *match, const char *letters, const char *name)
{
	for (; *letters != '\0'; letters++) {
		if (match_option(match, *letters, NULL) != NULL) {
			return true;
		}
	}
	return name != NULL && match_option(match, 0, name) != NULL;
}

/* Does a pathspec take in everything, or can that not be told? */
static bool
is_whole_tree(const struct field *spec)
{
	const char *text = spec->text;
	size_t known = field_known_prefix(spec);

	if (spec->kind == BAILEY_WORD_GLOB && spec->text[0] == '*' && spec->len == 1) {
		return true;
	}
	if (known == 0 || known < spec->len) {
		return false;
	}
	if (service_starts(spec, ":(") || service_starts(spec, ":!") ||
	    service_starts(spec, ":^")) {
		const char *close = strchr(text, ')');

		return close == NULL || close[1] == '\0' || service_word_in(close + 1, ". * ./ /");
	}
	return service_word_in(text, ". ./ ./. .. ../ * ** :/ :/* :/. :/: : ./* **/* :/** :*");
}

static bool
any_whole_tree(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (is_whole_tree(&match->operands[i])) {
			return true;
		}
	}
	return false;
}

/* The part of the path that leads out of the repository, for what reads files as they are. */
static bool
leaves_workspace(const struct field *path)
{
	return path->tilde || service_starts(path, "/") || service_starts(path, "..") ||
	       path->kind == BAILEY_WORD_DYNAMIC;
}

/* ---- the working tree -------------------------------------------------------------------- */

void
git_refine_reset(const struct match *match, struct findings *found)
{
	if (service_has(match, 0, "hard")) {
		service_find(match, found, &reset_hard);
	} else if (service_has(match, 0, "merge")) {
		service_find(match, found, &reset_merge);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_clean(const struct match *match, struct findings *found)
{
	bool force = has_any(match, "f", "force") || git_config_off(match, "clean.requireforce");

	if (has_any(match, "n", "dry-run") && !service_has(match, 0, "no-dry-run")) {
		found->flags |= FIND_SANDBOX;
		return;
	}
	if (!force || has_any(match, "i", "interactive") ||
	    (match->operand_count > 0 && !any_whole_tree(match))) {
		service_find(match, found, &clean_path);
		return;
	}
	service_find(match, found, &clean_force);
}

void
git_refine_checkout(const struct match *match, struct findings *found)
{
	if (has_any(match, "f", "force")) {
		service_find(match, found, &checkout_force);
	} else if (!has_any(match, "p", "patch") && any_whole_tree(match) && !match->uncertain) {
		service_find(match, found, &checkout_tree);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_restore(const struct match *match, struct findings *found)
{
	bool staged = has_any(match, "S", "staged");
	bool worktree = has_any(match, "W", "worktree") || !staged;

	if (worktree && !has_any(match, "p", "patch") && any_whole_tree(match) &&
	    !match->uncertain) {
		service_find(match, found, &checkout_tree);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_switch(const struct match *match, struct findings *found)
{
	if (has_any(match, "f", "force") || service_has(match, 0, "discard-changes")) {
		service_find(match, found, &checkout_force);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_checkout_index(const struct match *match, struct findings *found)
{
	if (has_any(match, "f", "force") && has_any(match, "a", "all") &&
	    !service_has(match, 0, "prefix")) {
		service_find(match, found, &checkout_tree);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_read_tree(const struct match *match, struct findings *found)
{
	if (service_has(match, 0, "reset") && has_any(match, "u", NULL)) {
		service_find(match, found, &read_tree_reset);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_deinit(const struct match *match, struct findings *found)
{
	if (has_any(match, "f", "force") &&
	    (service_has(match, 0, "all") || any_whole_tree(match))) {
		service_find(match, found, &deinit_all);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_rm(const struct match *match, struct findings *found)
{
	bool tree = has_any(match, "r", NULL);

	if (has_any(match, "n", "dry-run")) {
		found->flags |= FIND_SANDBOX;
		return;
	}
	service_find(match, found, &git_changes);
	if (!has_any(match, "f", "force") || service_has(match, 0, "cached")) {
		return; /* what is deleted is in the last commit, or stays */
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, tree ? DEED_DELETE_TREE : DEED_DELETE,
			  match_path(match, found->arena, &match->operands[i]));
	}
}

/* ---- refs and objects -------------------------------------------------------------------- */

void
git_refine_branch(const struct match *match, struct findings *found)
{
	static const char *const lists[] = { "list",   "contains",  "no-contains",
					     "merged", "no-merged", "points-at",
					     "with",   "without",   "show-current" };
	bool list = match->operand_count == 0 || has_any(match, "l", NULL);
	bool deletes = has_any(match, "dD", "delete");

	if (deletes) {
		bool force = has_any(match, "Df", "force");

		service_find(match, found,
			     force && service_many_operands(match) ? &branch_delete_many
								   : &branch_delete);
		return;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		list |= service_has(match, 0, lists[i]);
	}
	if (!list || has_any(match, "mMcCuf", "move") || service_has(match, 0, "copy") ||
	    service_has(match, 0, "force") || service_has(match, 0, "set-upstream-to") ||
	    service_has(match, 0, "unset-upstream") || service_has(match, 0, "edit-description")) {
		service_find(match, found, &git_changes);
	}
}

void
git_refine_tag(const struct match *match, struct findings *found)
{
	static const char *const lists[] = { "list",   "contains",  "no-contains",
					     "merged", "no-merged", "points-at",
					     "with",   "without",   "verify" };
	bool list = match->operand_count == 0 || has_any(match, "lnv", NULL);

	if (has_any(match, "d", "delete")) {
		service_find(match, found, &tag_delete);
		return;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		list |= service_has(match, 0, lists[i]);
	}
	if (!list || has_any(match, "aesmFuf", "annotate") || service_has(match, 0, "sign") ||
	    service_has(match, 0, "force") || service_has(match, 0, "message")) {
		service_find(match, found, &git_changes);
	}
}

void
git_refine_update_ref(const struct match *match, struct findings *found)
{
	if (!has_any(match, "d", NULL)) {
		service_find(match, found, &git_changes);
		return;
	}
	if (service_many_operands(match) || service_operand_is(match, 0, "HEAD refs/stash")) {
		service_find(match, found, &ref_delete_all);
		return;
	}
	service_find(match, found, &ref_delete);
}

void
git_refine_symbolic_ref(const struct match *match, struct findings *found)
{
	if (match->operand_count > 1 || has_any(match, "d", "delete")) {
		service_find(match, found, &git_changes);
	}
}

/* Is the argument of "expire" a time at which nothing is young enough to stay? */
static bool
is_now(const struct field *arg)
{
	return arg == NULL || !field_is_literal(arg) ||
	       service_word_in(arg->text, "now all 0 never.now");
}

void
git_refine_gc(const struct match *match, struct findings *found)
{
	const struct matched_option *prune = match_option(match, 0, "prune");

	if (prune != NULL && prune->arg != NULL && is_now(prune->arg)) {
		service_find(match, found, &gc_now);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_prune(const struct match *match, struct findings *found)
{
	const struct matched_option *expire = match_option(match, 0, "expire");

	if (!has_any(match, "n", "dry-run") && (expire == NULL || is_now(expire->arg))) {
		service_find(match, found, &gc_now);
	}
	service_find(match, found, &git_changes);
}

void
git_refine_reflog_expire(const struct match *match, struct findings *found)
{
	service_find(match, found, has_any(match, "n", "dry-run") ? &git_changes : &reflog_expire);
}

void
git_refine_lfs_prune(const struct match *match, struct findings *found)
{
	service_find(match, found, has_any(match, "f", "force") ? &lfs_prune_force : &lfs_prune);
}

void
git_refine_hash_object(const struct match *match, struct findings *found)
{
	if (has_any(match, "w", NULL)) {
		service_find(match, found, &writes_object);
	} else if (!service_has(match, 0, "no-filters")) {
		found->flags |= FIND_SANDBOX;
	}
}

/* ---- the other side ---------------------------------------------------------------------- */

/* What a refspec does to a ref of the other side, or NULL for an ordinary update. */
static const struct rule *
refspec_rule(const struct field *spec)
{
	if (service_starts(spec, "+")) {
		return &push_force;
	}
	if (service_starts(spec, ":") && spec->len > 1) {
		return &push_delete;
	}
	return NULL;
}

void
git_refine_push(const struct match *match, struct findings *found)
{
	bool dry = has_any(match, "n", "dry-run");

	git_find_ext(match, found);
	service_find(match, found, &remote_asks);
	if (dry) {
		return;
	}
	if (has_any(match, "f", "force")) {
		service_find(match, found, &push_force);
	}
	if (has_any(match, "d", "delete") || service_has(match, 0, "mirror") ||
	    service_has(match, 0, "prune")) {
		service_find(match, found, &push_delete);
	}
	if (service_has(match, 0, "force-with-lease")) {
		service_find(match, found, &push_lease);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct rule *rule = refspec_rule(&match->operands[i]);

		if (rule != NULL) {
			find_rule(found, rule, &match->operands[i]);
		}
	}
}

void
git_refine_urls(const struct match *match, struct findings *found)
{
	git_find_ext(match, found);
	service_find(match, found, &remote_asks);
}

void
git_refine_remote_show(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0 && !has_any(match, "n", NULL)) {
		service_find(match, found, &remote_asks);
	}
}

/* ---- files and text ---------------------------------------------------------------------- */

/* Paths outside of the repository make git diff compare files as they are. */
void
git_refine_diff(const struct match *match, struct findings *found)
{
	bool plain = service_has(match, 0, "no-index");

	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *path = &match->operands[i];

		if (plain || leaves_workspace(path)) {
			find_deed(found, DEED_READ, match_path(match, found->arena, path));
		}
	}
}

void
git_refine_grep(const struct match *match, struct findings *found)
{
	bool plain = service_has(match, 0, "no-index");
	size_t first = has_any(match, "ef", NULL) ? 0 : 1;

	for (size_t i = first; i < match->operand_count; i++) {
		if (plain || leaves_workspace(&match->operands[i])) {
			find_deed(found, DEED_READ,
				  match_path(match, found->arena, &match->operands[i]));
		}
	}
}

void
git_refine_merge_file(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		bool edits = i == 0 && !has_any(match, "p", "stdout");

		find_deed(found, edits ? DEED_EDIT : DEED_READ,
			  match_path(match, found->arena, &match->operands[i]));
	}
}

void
git_refine_apply(const struct match *match, struct findings *found)
{
	bool shows = service_has(match, 0, "stat") || service_has(match, 0, "numstat") ||
		     service_has(match, 0, "summary") || service_has(match, 0, "check");

	if (!shows || service_has(match, 0, "apply")) {
		service_find(match, found, &git_changes);
	}
}

void
git_refine_archive(const struct match *match, struct findings *found)
{
	const struct matched_option *remote = match_option(match, 0, "remote");
	struct match copy = *match;

	if (remote != NULL && remote->arg != NULL) {
		copy.operands = remote->arg;
		copy.operand_count = 1;
		git_find_ext(&copy, found);
	}
}

/* ---- what runs something ----------------------------------------------------------------- */

/* One word is a shell's text; the first of several is one as well, and gets the others. */
void
git_refine_foreach(const struct match *match, struct findings *found)
{
	service_find(match, found, &git_runs_helper);
	if (match->operand_count == 1) {
		find_code(found, LANG_SH, &match->operands[0], INNER_PROMPT,
			  "git submodule foreach");
	} else {
		service_inner(match, found, 0, INNER_PROMPT, "git submodule foreach");
	}
}

/* The operands are a git command line. */
void
git_refine_for_each_repo(const struct match *match, struct findings *found)
{
	struct field *argv = arena_alloc(found->arena, (match->operand_count + 1) * sizeof(*argv));

	service_find(match, found, &git_runs_helper);
	if (argv == NULL || match->operand_count == 0) {
		return;
	}
	argv[0] = field_static("git", &match->operands[0]);
	memcpy(argv + 1, match->operands, match->operand_count * sizeof(*argv));
	find_argv(found, argv, match->operand_count + 1, INNER_PROMPT, "git for-each-repo");
}

/* Runs for every command line of git, behind the subcommand's own refinement. */
void
git_refine_top(const struct match *match, struct findings *found)
{
	git_refine_all(match, found);
	if (match->parent == NULL && match->operand_count > 0) {
		service_find(match, found, &alias_unknown);
	}
}

/* ---- git config -------------------------------------------------------------------------- */

static void
config_write_of(const struct match *match, struct findings *found, size_t key_at)
{
	const struct matched_option *file = match_option(match, 'f', "file");
	const struct field *key = service_operand(match, key_at);
	const struct field *value = service_operand(match, key_at + 1);

	service_find(match, found, &config_write);
	if (file != NULL && file->arg != NULL) {
		find_deed(found, DEED_EDIT, match_path(match, found->arena, file->arg));
	}
	if (key == NULL) {
		return;
	}
	if (field_is_literal(key)) {
		git_config_key(match, found, key, value, true);
	} else {
		find_rule(found, &config_hidden, key);
	}
}

void
git_refine_config_set(const struct match *match, struct findings *found)
{
	config_write_of(match, found, 0);
}

/* The older form: options say what is done, and with none of them the number of operands. */
void
git_refine_config(const struct match *match, struct findings *found)
{
	static const char *const reads[] = { "get",	     "get-all",	  "get-regexp",
					     "get-urlmatch", "get-color", "get-colorbool",
					     "list" };
	static const char *const writes[] = { "add",	   "replace-all",    "unset",
					      "unset-all", "rename-section", "remove-section" };
	bool write = false;
	bool read = has_any(match, "l", NULL);

	if (match->program->refine != git_refine_config) {
		return; /* "git config set" has its own */
	}

	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		write |= service_has(match, 0, writes[i]);
	}
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		read |= service_has(match, 0, reads[i]);
	}
	if (write || (!read && match->operand_count > 1) || (!read && match->uncertain)) {
		config_write_of(match, found, 0);
	}
}
