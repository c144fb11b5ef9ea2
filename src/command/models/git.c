/* SPDX-License-Identifier: MIT */

/*
 * git: its subcommands, and the options in front of them.
 *
 * Readers are allowed in the sandbox only: what a repository's own configuration names (fsmonitor,
 * a pager, textconv) runs when they do. A subcommand that is not here is an alias or a program
 * git-..., and prompt.
 */

#include "command/models/git_impl.h"
#include "command/models/models.h"

const struct rule git_runs_helper = { "git.runs-command", BAILEY_PROMPT, BAILEY_EFFECT_EXECUTES,
				      "runs a command for each commit, repository or step" };
const struct rule git_changes = { "git.changes", BAILEY_PROMPT, BAILEY_EFFECT_WRITES,
				  "changes the repository or its working tree" };
const struct rule git_history = { "git.rewrites-history", BAILEY_FORBIDDEN, BAILEY_EFFECT_DELETES,
				  "rewrites the whole history of the repository" };

RULE(network, "git.network", PROMPT, NETWORK, "talks to another repository");
RULE(pager, "git.paginate", PROMPT, EXECUTES, "runs the pager that the configuration names");
RULE(config_env, "git.config-env", PROMPT, EXECUTES, "takes configuration from the environment");
RULE(stash_clear, "git.stash-clear", FORBIDDEN, DELETES, "deletes every stash");
RULE(stash_drop, "git.stash-drop", PROMPT, DELETES, "deletes a stash");
RULE(reflog_delete, "git.reflog-expire", FORBIDDEN, DELETES,
     "deletes the reflog, the way back to lost work");
RULE(credential_fill, "git.credential-fill", FORBIDDEN, DISCLOSURE, "prints stored passwords");
RULE(credential_other, "git.credential", PROMPT, DISCLOSURE, "changes stored passwords");
RULE(serves, "git.serves", PROMPT, NETWORK, "serves the repository to others");
RULE(runs_tool, "git.runs-tool", PROMPT, EXECUTES, "runs a program that the configuration names");
RULE(schedules, "git.maintenance", PROMPT, SYSTEM, "schedules maintenance of repositories");
RULE(mails, "git.send-email", PROMPT, NETWORK, "sends patches by mail");
RULE(force_push, "git.push-force", FORBIDDEN, DELETES,
     "overwrites the history of the other repository");

/* A reader; one whose refinement also looks at its operands. */
#define READS(names, options)                                                                      \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NUMBER, FIND_SANDBOX | FIND_IGNORES_INPUT, NULL, \
			NULL                                                                       \
	}
#define READS_MORE(names, operands, options, refine)                                               \
	{                                                                                          \
		names, operands, options, NULL, PARSE_NUMBER, FIND_SANDBOX, NULL, refine           \
	}
#define CHANGES(names, options)                                                                    \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NUMBER, 0, &git_changes, NULL                    \
	}
#define CHANGES_BY(names, options, refine)                                                         \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NUMBER, 0, NULL, refine                          \
	}
#define TALKS(names, operands, options)                                                            \
	{                                                                                          \
		names, operands, options, NULL, PARSE_NUMBER, FIND_NETWORK | FIND_OUT_NETWORK,     \
			NULL, git_refine_urls                                                      \
	}
#define RULED(names, options, rule)                                                                \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NUMBER, 0, rule, NULL                            \
	}
/* Prompt whatever its options are, unless they are listed. */
#define LOOSE(names, rule)                                                                         \
	{                                                                                          \
		names, NULL, git_loose_options, NULL, PARSE_NUMBER | PARSE_LOOSE, 0, rule, NULL    \
	}
#define BELOW(names, options, below)                                                               \
	{                                                                                          \
		names, NULL, options, below, PARSE_NUMBER, 0, NULL, NULL                           \
	}

/* Letters that mean something else in front of the subcommand. */
static const struct option_row git_loose_options[] = {
	ROW_FLAG("pPcCv", NULL),
	OPTIONS_END,
};

/* Those that have the names of options in front. The others are loose: none does anything. */
static const struct option_row git_rev_parse_options[] = {
	ROW_FLAG("pPcCvhq", "git-dir bare namespace"),
	ROW_MAYBE(NULL, "exclude-hidden"),
	OPTIONS_END,
};

static const struct option_row git_each_options[] = {
	ROW_FLAG(NULL, "keep-going"),
	ROW_TAKES(NULL, "config"),
	OPTIONS_END,
};

/* ---- below a subcommand ------------------------------------------------------------------ */

static const struct program bisect_subs[] = {
	READS("log|terms", git_list_options),
	LOOSE("view|visualize", &git_runs_helper),
	LOOSE("start|good|bad|new|old|skip|reset|replay|next", &git_changes),
	{ "run", "!", NULL, NULL, PARSE_NONE, 0, &git_runs_helper, NULL },
	PROGRAMS_END,
};

static const struct program bundle_subs[] = {
	READS_MORE("verify|list-heads", "f .*", git_list_options, NULL),
	{ "create", "w .*", git_bundle_options, NULL, PARSE_NUMBER, 0, &git_changes, NULL },
	CHANGES("unbundle", git_bundle_options),
	PROGRAMS_END,
};

static const struct program config_subs[] = {
	READS_MORE("get|list", NULL, git_config_options, NULL),
	CHANGES_BY("set|unset|rename-section|remove-section", git_config_options,
		   git_refine_config_set),
	RULED("edit", git_config_options, &runs_tool),
	PROGRAMS_END,
};

static const struct program credential_subs[] = {
	RULED("fill|get", NULL, &credential_fill),
	LOOSE("approve|reject|store|erase|capability|exit", &credential_other),
	PROGRAMS_END,
};

static const struct program graph_subs[] = {
	READS("verify", git_verify_options),
	LOOSE("write|repack|expire", &git_changes),
	PROGRAMS_END,
};

static const struct program lfs_subs[] = {
	READS("ls-files|status|env|version", git_list_options),
	CHANGES_BY("prune", git_expire_options, git_refine_lfs_prune),
	LOOSE("logs|track|untrack|install|uninstall|update|migrate|checkout|lock|unlock|fsck|dedup|"
	      "clean"
	      "|smudge|filter-process|pointer|completion|post-checkout|post-commit|post-merge",
	      &git_changes),
	LOOSE("fetch|pull|push|locks|clone|pre-push", &network),
	PROGRAMS_END,
};

static const struct program maintenance_subs[] = {
	LOOSE("run", &git_changes),
	LOOSE("start|stop|register|unregister", &schedules),
	PROGRAMS_END,
};

static const struct program notes_subs[] = {
	READS("|list|show|get-ref", git_list_options),
	CHANGES("add|append|copy|edit|merge|prune|remove", git_commit_options),
	PROGRAMS_END,
};

static const struct program reflog_subs[] = {
	READS("|show|exists|list", git_log_options),
	CHANGES_BY("expire", git_expire_options, git_refine_reflog_expire),
	RULED("delete|drop", git_expire_options, &reflog_delete),
	PROGRAMS_END,
};

static const struct program remote_subs[] = {
	READS("|get-url", git_remote_options),
	{ "show", NULL, git_remote_options, NULL, PARSE_NUMBER, FIND_SANDBOX, NULL,
	  git_refine_remote_show },
	{ "add|set-url", NULL, git_remote_options, NULL, PARSE_NUMBER, 0, &git_changes,
	  git_refine_urls },
	CHANGES("rename|remove|rm|set-head|set-branches", git_remote_options),
	TALKS("update|prune", NULL, git_remote_options),
	PROGRAMS_END,
};

static const struct program rerere_subs[] = {
	READS("status|diff|remaining", git_list_options),
	LOOSE("|clear|forget|gc", &git_changes),
	PROGRAMS_END,
};

static const struct program sparse_subs[] = {
	READS("list|check-rules", git_list_options),
	CHANGES("init|set|add|reapply|disable", git_deinit_options),
	PROGRAMS_END,
};

static const struct program stash_subs[] = {
	READS("list|show", git_log_options),
	CHANGES("|push|save|pop|apply|branch|create|store", git_stash_options),
	RULED("drop", git_stash_options, &stash_drop),
	RULED("clear", git_stash_options, &stash_clear),
	PROGRAMS_END,
};

static const struct program submodule_subs[] = {
	READS("|status|summary", git_list_options),
	{ "foreach", NULL, git_foreach_options, NULL, PARSE_POSIX | PARSE_NO_ABBREV, 0, NULL,
	  git_refine_foreach },
	CHANGES_BY("deinit", git_deinit_options, git_refine_deinit),
	CHANGES("init|sync|set-branch|set-url|absorbgitdirs", git_deinit_options),
	TALKS("add|update", NULL, git_deinit_options),
	PROGRAMS_END,
};

static const struct program worktree_subs[] = {
	READS("list", git_list_options),
	CHANGES("add|lock|unlock|move|prune|remove|repair", git_worktree_options),
	PROGRAMS_END,
};

/* ---- subcommands ------------------------------------------------------------------------- */

static const struct program git_subs[] = {
	/* what only reads */
	READS("status", git_status_options),
	READS_MORE("log|show|whatchanged|diff-tree", NULL, git_log_options, NULL),
	READS_MORE("diff|diff-files|diff-index|range-diff", NULL, git_diff_options,
		   git_refine_diff),
	READS("rev-list", git_rev_list_options),
	READS("shortlog", git_shortlog_options),
	READS("blame|annotate|pickaxe", git_blame_options),
	READS_MORE("grep", NULL, git_grep_options, git_refine_grep),
	READS("describe", git_describe_options),
	READS("name-rev", git_name_rev_options),
	{ "rev-parse", NULL, git_rev_parse_options, NULL, PARSE_NUMBER | PARSE_LOOSE, FIND_SANDBOX,
	  NULL, NULL },
	READS("ls-files", git_ls_files_options),
	READS("ls-tree", git_ls_tree_options),
	READS("cat-file", git_cat_file_options),
	READS("for-each-ref", git_for_each_ref_options),
	READS("show-ref", git_show_ref_options),
	READS("show-branch", git_show_branch_options),
	READS("merge-base", git_merge_base_options),
	READS("check-attr|check-ignore|check-mailmap|check-ref-format", git_check_options),
	READS("verify-commit|verify-tag|count-objects|version|cherry|var|show-index"
	      "|get-tar-commit-id",
	      git_verify_options),
	READS_MORE("verify-pack", "f*", git_verify_options, NULL),
	READS("fsck|fsck-objects", git_fsck_options),
	READS("help", git_help_options),
	READS("column|stripspace|patch-id|fmt-merge-msg", git_text_options),
	READS_MORE("branch", NULL, git_branch_options, git_refine_branch),
	READS_MORE("tag", NULL, git_tag_options, git_refine_tag),
	READS_MORE("archive", NULL, git_archive_options, git_refine_archive),
	READS_MORE("symbolic-ref", NULL, git_symbolic_ref_options, git_refine_symbolic_ref),
	READS_MORE("hash-object", "f*", git_hash_object_options, git_refine_hash_object),
	READS_MORE("merge-file", NULL, git_merge_file_options, git_refine_merge_file),
	READS_MORE("interpret-trailers", "f*", git_interpret_options, NULL),
	READS_MORE("apply", "f*", git_apply_options, git_refine_apply),

	/* what has subcommands of its own */
	{ "config", ".*", git_config_options, config_subs, PARSE_NUMBER, FIND_SANDBOX, NULL,
	  git_refine_config },
	BELOW("bisect", NULL, bisect_subs),
	BELOW("bundle", git_bundle_options, bundle_subs),
	BELOW("credential|credential-store|credential-cache|credential-osxkeychain"
	      "|credential-libsecret|credential-manager|credential-manager-core|credential-wincred"
	      "|credential-gnome-keyring|credential-netrc|credential-oauth",
	      NULL, credential_subs),
	BELOW("commit-graph|multi-pack-index", git_verify_options, graph_subs),
	BELOW("lfs", NULL, lfs_subs),
	BELOW("maintenance", NULL, maintenance_subs),
	BELOW("notes", git_list_options, notes_subs),
	{ "reflog", ".*", git_log_options, reflog_subs, PARSE_NUMBER, FIND_SANDBOX, NULL, NULL },
	BELOW("remote", git_remote_options, remote_subs),
	BELOW("rerere", NULL, rerere_subs),
	BELOW("sparse-checkout", NULL, sparse_subs),
	BELOW("stash", git_stash_options, stash_subs),
	BELOW("submodule", git_list_options, submodule_subs),
	BELOW("worktree", NULL, worktree_subs),

	/* what changes the working tree or the repository */
	CHANGES_BY("reset", git_reset_options, git_refine_reset),
	CHANGES_BY("clean", git_clean_options, git_refine_clean),
	CHANGES_BY("checkout", git_checkout_options, git_refine_checkout),
	CHANGES_BY("restore", git_checkout_options, git_refine_restore),
	CHANGES_BY("switch", git_switch_options, git_refine_switch),
	CHANGES_BY("checkout-index", git_checkout_index_options, git_refine_checkout_index),
	CHANGES_BY("read-tree", git_read_tree_options, git_refine_read_tree),
	CHANGES_BY("rm", git_rm_options, git_refine_rm),
	CHANGES_BY("update-ref", git_update_ref_options, git_refine_update_ref),
	CHANGES_BY("gc", git_gc_options, git_refine_gc),
	CHANGES_BY("prune", git_expire_options, git_refine_prune),
	{ "mv", "v* w$", git_mv_options, NULL, PARSE_NUMBER, 0, &git_changes, NULL },
	CHANGES("commit|commit-tree|write-tree|mktree|mktag", git_commit_options),
	CHANGES("merge|cherry-pick|revert", git_merge_options),
	{ "rebase", NULL, git_rebase_options, NULL, PARSE_NUMBER, 0, &git_changes, NULL },
	{ "format-patch", NULL, git_format_patch_options, NULL, PARSE_NUMBER | PARSE_LOOSE, 0,
	  &git_changes, NULL },
	{ "init|init-db", NULL, git_clone_options, NULL, PARSE_NUMBER, 0, &git_changes, NULL },
	LOOSE("add|stage|am|update-index|update-server-info|pack-refs|pack-objects|pack-redundant"
	      "|prune-packed|repack|index-pack|unpack-objects|unpack-file|fast-import|merge-tree"
	      "|merge-index|merge-one-file|merge-octopus|merge-ours|merge-recursive|merge-resolve"
	      "|merge-subtree|merge-recursive-ours|merge-recursive-theirs|replace|replay|backfill"
	      "|mailinfo|mailsplit|bugreport|diagnose|fast-export|quiltimport|subtree|refs|repo"
	      "|cvsimport|cvsexportcommit|archimport|fsmonitor--daemon|sh-setup|flow|absorb|annex"
	      "|last-modified|submodule--helper|checkout--worker",
	      &git_changes),

	/* what talks to others */
	{ "push", "h? .*", git_push_options, NULL, PARSE_NUMBER, FIND_NETWORK, NULL,
	  git_refine_push },
	TALKS("fetch|pull|fetch-pack", "h? .*", git_fetch_options),
	{ "clone", "h m?", git_clone_options, NULL, PARSE_NUMBER, FIND_NETWORK, NULL,
	  git_refine_urls },
	TALKS("ls-remote", "h? .*", git_ls_remote_options),
	LOOSE("request-pull|http-fetch|http-push|svn|p4|imap-send|cvsserver|remote-http"
	      "|remote-https|remote-ftp|remote-ftps|remote-ext|remote-fd|bundle-uri",
	      &network),
	{ "send-pack", "h? .*", git_push_options, NULL, PARSE_NUMBER, FIND_NETWORK, NULL,
	  git_refine_push },
	{ "send-email", "s*", git_send_email_options, NULL, PARSE_NUMBER | PARSE_LOOSE,
	  FIND_NETWORK, &mails, NULL },
	LOOSE("daemon|instaweb|http-backend|shell|upload-pack|receive-pack|upload-archive",
	      &serves),

	/* what runs programs, or rewrites all */
	{ "difftool", NULL, git_difftool_options, NULL, PARSE_NUMBER | PARSE_LOOSE, 0, &runs_tool,
	  NULL },
	LOOSE("mergetool|gui|citool|gitk|hook|gitweb|web--browse|scalar|cola|tig", &runs_tool),
	{ "for-each-repo", NULL, git_each_options, NULL, PARSE_POSIX, 0, NULL,
	  git_refine_for_each_repo },
	{ "filter-branch", NULL, git_filter_branch_options, NULL, PARSE_NUMBER, 0, &git_history,
	  NULL },
	LOOSE("filter-repo|obliterate", &git_history),
	PROGRAMS_END,
};

static const struct option_row git_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version html-path man-path info-path"),
	{ NULL, "list-cmds", ARG_ONE, USE_HELP, LANG_BASH, 0, NULL, 0 },
	ROW("C", NULL, ARG_ONE, USE_DIR),
	ROW("c", NULL, ARG_ONE, USE_CONFIG),
	ROW_RULE(NULL, "config-env", ARG_ONE, &config_env),
	ROW_RULE("p", "paginate", ARG_NONE, &pager),
	ROW_MAYBE(NULL, "exec-path"),
	ROW_TAKES(NULL, "git-dir work-tree namespace super-prefix attr-source"),
	ROW_FLAG("P", "no-pager bare no-replace-objects no-lazy-fetch no-optional-locks no-advice "
		      "literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs"),
	OPTIONS_END,
};

static const struct option_row scalar_options[] = {
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct program scalar_subs[] = {
	READS("list|version|help", NULL),
	LOOSE("clone|register|unregister|run|reconfigure|delete|diagnose", &git_changes),
	PROGRAMS_END,
};

const struct program models_git[] = {
	{ "git", ".*", git_options, git_subs, PARSE_POSIX, 0, NULL, git_refine_top },
	{ "scalar", NULL, scalar_options, scalar_subs, PARSE_POSIX, 0, NULL, NULL },
	{ "gitk tig lazygit gitui git-gui git-cola", NULL, scalar_options, NULL, PARSE_LOOSE, 0,
	  &runs_tool, NULL },
	{ "git-filter-repo bfg", NULL, scalar_options, NULL, PARSE_LOOSE, 0, &git_history, NULL },
	{ "git-receive-pack git-upload-pack git-upload-archive git-shell", NULL, scalar_options,
	  NULL, PARSE_LOOSE, 0, &serves, NULL },
	{ "git-http-push", NULL, scalar_options, NULL, PARSE_LOOSE, FIND_NETWORK, &force_push,
	  NULL },
	PROGRAMS_END,
};
