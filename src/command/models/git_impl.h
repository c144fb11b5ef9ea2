/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_GIT_IMPL_H
#define COMMAND_MODELS_GIT_IMPL_H

/*
 * What the parts of git's model share: git.c names the subcommands, git_read.c and git_change.c
 * hold their options, git_refine.c what no table can say, git_config.c the keys of configuration
 * that name programs, and the aliases.
 */

#include "command/models/services.h"

/* ---- options: readers -------------------------------------------------------------------- */

extern const struct option_row git_archive_options[];
extern const struct option_row git_blame_options[];
extern const struct option_row git_branch_options[];
extern const struct option_row git_cat_file_options[];
extern const struct option_row git_check_options[];
extern const struct option_row git_config_options[];
extern const struct option_row git_describe_options[];
extern const struct option_row git_diff_options[];
extern const struct option_row git_for_each_ref_options[];
extern const struct option_row git_fsck_options[];
extern const struct option_row git_grep_options[];
extern const struct option_row git_help_options[];
extern const struct option_row git_list_options[];
extern const struct option_row git_log_options[];
extern const struct option_row git_ls_files_options[];
extern const struct option_row git_ls_remote_options[];
extern const struct option_row git_ls_tree_options[];
extern const struct option_row git_merge_base_options[];
extern const struct option_row git_merge_file_options[];
extern const struct option_row git_name_rev_options[];
extern const struct option_row git_rev_list_options[];
extern const struct option_row git_show_branch_options[];
extern const struct option_row git_show_ref_options[];
extern const struct option_row git_shortlog_options[];
extern const struct option_row git_status_options[];
extern const struct option_row git_tag_options[];
extern const struct option_row git_text_options[];
extern const struct option_row git_verify_options[];

/* ---- options: what changes something ----------------------------------------------------- */

extern const struct option_row git_apply_options[];
extern const struct option_row git_bundle_options[];
extern const struct option_row git_checkout_options[];
extern const struct option_row git_checkout_index_options[];
extern const struct option_row git_clean_options[];
extern const struct option_row git_clone_options[];
extern const struct option_row git_commit_options[];
extern const struct option_row git_deinit_options[];
extern const struct option_row git_difftool_options[];
extern const struct option_row git_expire_options[];
extern const struct option_row git_fetch_options[];
extern const struct option_row git_filter_branch_options[];
extern const struct option_row git_foreach_options[];
extern const struct option_row git_format_patch_options[];
extern const struct option_row git_gc_options[];
extern const struct option_row git_hash_object_options[];
extern const struct option_row git_interpret_options[];
extern const struct option_row git_merge_options[];
extern const struct option_row git_mv_options[];
extern const struct option_row git_push_options[];
extern const struct option_row git_read_tree_options[];
extern const struct option_row git_rebase_options[];
extern const struct option_row git_remote_options[];
extern const struct option_row git_reset_options[];
extern const struct option_row git_rm_options[];
extern const struct option_row git_send_email_options[];
extern const struct option_row git_stash_options[];
extern const struct option_row git_switch_options[];
extern const struct option_row git_symbolic_ref_options[];
extern const struct option_row git_update_ref_options[];
extern const struct option_row git_worktree_options[];

/* ---- rules that several parts find ------------------------------------------------------- */

extern const struct rule git_runs_helper;
extern const struct rule git_changes;
extern const struct rule git_history;

/* ---- refinements ------------------------------------------------------------------------- */

void git_refine_all(const struct match *match, struct findings *found);
void git_refine_top(const struct match *match, struct findings *found);
void git_refine_apply(const struct match *match, struct findings *found);
void git_refine_archive(const struct match *match, struct findings *found);
void git_refine_branch(const struct match *match, struct findings *found);
void git_refine_checkout(const struct match *match, struct findings *found);
void git_refine_checkout_index(const struct match *match, struct findings *found);
void git_refine_clean(const struct match *match, struct findings *found);
void git_refine_config(const struct match *match, struct findings *found);
void git_refine_config_set(const struct match *match, struct findings *found);
void git_refine_deinit(const struct match *match, struct findings *found);
void git_refine_diff(const struct match *match, struct findings *found);
void git_refine_foreach(const struct match *match, struct findings *found);
void git_refine_for_each_repo(const struct match *match, struct findings *found);
void git_refine_gc(const struct match *match, struct findings *found);
void git_refine_grep(const struct match *match, struct findings *found);
void git_refine_hash_object(const struct match *match, struct findings *found);
void git_refine_lfs_prune(const struct match *match, struct findings *found);
void git_refine_merge_file(const struct match *match, struct findings *found);
void git_refine_prune(const struct match *match, struct findings *found);
void git_refine_push(const struct match *match, struct findings *found);
void git_refine_read_tree(const struct match *match, struct findings *found);
void git_refine_reflog_expire(const struct match *match, struct findings *found);
void git_refine_remote_show(const struct match *match, struct findings *found);
void git_refine_reset(const struct match *match, struct findings *found);
void git_refine_restore(const struct match *match, struct findings *found);
void git_refine_rm(const struct match *match, struct findings *found);
void git_refine_switch(const struct match *match, struct findings *found);
void git_refine_symbolic_ref(const struct match *match, struct findings *found);
void git_refine_tag(const struct match *match, struct findings *found);
void git_refine_update_ref(const struct match *match, struct findings *found);
void git_refine_urls(const struct match *match, struct findings *found);

/* ---- configuration (git_config.c) -------------------------------------------------------- */

/* What "key" (len bytes) with `value` (NULL: none) means when git is told so: `later` for a key
 * that is written to a file, else it holds for this call alone. */
void git_config_key(const struct match *match, struct findings *found, const struct field *key,
		    const struct field *value, bool later);

/* Is this "-c KEY=false" among the global options? `key` is lower case. */
bool git_config_off(const struct match *match, const char *key);

/* The command behind "ext::" in an operand. */
void git_find_ext(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_GIT_IMPL_H */
