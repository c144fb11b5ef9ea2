/* SPDX-License-Identifier: MIT */

/*
 * Options of the git subcommands that read, and of those that read unless told otherwise.
 *
 * Invariants:
 *   - an option that writes or names a program has a row of its own, and so has every option of
 *     which it could be a unique prefix: git accepts `--outp` for `--output`
 *   - a letter that means something else in front of the subcommand (-c, -C, -p) has a row
 */

#include "command/models/git_impl.h"

RULE(git_ext_diff, "git.external-diff", PROMPT, EXECUTES,
     "runs the diff program that the configuration names");
RULE(git_textconv, "git.textconv", PROMPT, EXECUTES,
     "runs the filter that the configuration names");
RULE(git_opens_pager, "git.opens-pager", PROMPT, EXECUTES, "opens what it finds in a pager");
RULE(git_edits_config, "git.config-edit", PROMPT, WRITES, "opens the configuration in an editor");
RULE(git_writes_lost, "git.lost-found", PROMPT, WRITES, "writes what it finds below .git");
RULE(git_batch_filters, "git.filters", PROMPT, EXECUTES, "runs the filters of the repository");
RULE(git_opens_browser, "git.opens-browser", PROMPT, EXECUTES, "opens a browser");
RULE(git_asks_remote, "git.asks-remote", PROMPT, NETWORK,
     "asks another repository for its content");

/* Whatever shows a diff: diff, log, show, blame and their like. */
#define DIFF_ROWS                                                                                  \
	ROW_FLAG("abcmprstuwzFPRW",                                                                \
		 "patch no-patch function-context raw patch-with-raw patch-with-stat numstat "     \
		 "shortstat check summary name-only name-status cumulative compact-summary "       \
		 "binary full-index no-color no-prefix default-prefix irreversible-delete "        \
		 "find-copies-harder no-renames rename-empty no-rename-empty follow no-follow "    \
		 "minimal no-minimal ignore-all-space ignore-space-change ignore-space-at-eol "    \
		 "ignore-cr-at-eol ignore-blank-lines indent-heuristic no-indent-heuristic "       \
		 "patience histogram no-color-moved no-color-moved-ws no-relative text no-text "   \
		 "exit-code no-exit-code quiet no-quiet no-ext-diff no-textconv "                  \
		 "ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex cc dd "    \
		 "combined-all-paths no-diff-merges no-abbrev dirstat-by-file"),                   \
		ROW_MAYBE("BCDMUX", "unified stat color abbrev dirstat break-rewrites "            \
				    "find-renames find-copies word-diff color-words color-moved "  \
				    "relative ignore-submodules submodule"),                       \
		ROW_TAKES("GSl", "stat-width stat-name-width stat-graph-width stat-count "         \
				 "ws-error-highlight src-prefix dst-prefix line-prefix "           \
				 "inter-hunk-context output-indicator-new output-indicator-old "   \
				 "output-indicator-context ignore-matching-lines diff-algorithm "  \
				 "anchored word-diff-regex color-moved-ws rotate-to skip-to "      \
				 "find-object diff-filter diff-merges"),                           \
		ROW_TAKES("I", NULL), ROW_PATH("O", NULL, DEED_READ),                              \
		ROW_PATH(NULL, "output", DEED_WRITE),                                              \
		ROW_RULE(NULL, "ext-diff", ARG_NONE, &git_ext_diff),                               \
		ROW_RULE(NULL, "textconv", ARG_NONE, &git_textconv)

/* Whatever chooses and shows commits. */
#define REVISION_ROWS                                                                              \
	ROW_FLAG("Egiqv",                                                                          \
		 "oneline graph no-graph reverse merges no-merges no-min-parents no-max-parents "  \
		 "first-parent exclude-first-parent-only date-order author-date-order topo-order " \
		 "simplify-merges simplify-by-decoration full-history dense sparse "               \
		 "boundary left-right left-only right-only cherry cherry-mark cherry-pick "        \
		 "walk-reflogs reflog merge stdin all not bisect single-worktree ignore-missing "  \
		 "parents children timestamp show-pulls show-signature no-notes standard-notes "   \
		 "no-standard-notes show-notes-by-default abbrev-commit no-abbrev-commit "         \
		 "relative-date clear-decorations no-decorate source no-source "                   \
		 "use-mailmap no-use-mailmap mailmap no-mailmap log-size full-diff "               \
		 "regexp-ignore-case extended-regexp basic-regexp fixed-strings perl-regexp "      \
		 "all-match invert-grep remove-empty do-walk unpacked objects objects-edge "       \
		 "objects-edge-aggressive indexed-objects no-object-names object-names count "     \
		 "root always no-commit-id remerge-diff alternate-refs no-expand-tabs "            \
		 "children-order linear combined"),                                                \
		ROW_MAYBE(NULL, "pretty decorate branches tags remotes notes show-notes no-walk "  \
				"show-linear-break abbrev expand-tabs ancestry-path "              \
				"disk-usage"),                                                     \
		ROW_TAKES("L", "max-count skip since after until before since-as-filter author "   \
			       "grep-reflog grep min-parents max-parents glob exclude "            \
			       "exclude-hidden format date encoding decorate-refs "                \
			       "decorate-refs-exclude max-age min-age filter missing")

const struct option_row git_log_options[] = {
	ROW_TAKES("n", "committer"),
	REVISION_ROWS,
	DIFF_ROWS,
	OPTIONS_END,
};

const struct option_row git_diff_options[] = {
	ROW_FLAG("q0123", "no-index cached staged merge-base base ours theirs root stdin always "
			  "dual-color no-dual-color left-only right-only no-notes "
			  "no-commit-id"),
	ROW_MAYBE(NULL, "notes pretty"),
	ROW_TAKES(NULL, "creation-factor format"),
	DIFF_ROWS,
	OPTIONS_END,
};

const struct option_row git_rev_list_options[] = {
	ROW_TAKES("n", "committer"),
	REVISION_ROWS,
	DIFF_ROWS,
	ROW_FLAG(NULL, "header use-bitmap-index bisect-vars bisect-all no-commit-header "
		       "commit-header in-commit-order unsorted-input test-bitmap"),
	ROW_TAKES(NULL, "progress"),
	OPTIONS_END,
};

const struct option_row git_shortlog_options[] = {
	ROW_FLAG("cnse", "committer no-committer numbered no-numbered summary no-summary email "
			 "no-email"),
	ROW_MAYBE("w", NULL),
	ROW_TAKES(NULL, "group"),
	REVISION_ROWS,
	OPTIONS_END,
};

const struct option_row git_status_options[] = {
	ROW_FLAG("svbz", "verbose no-verbose short no-short branch no-branch show-stash "
			 "no-show-stash ahead-behind no-ahead-behind long no-long null no-null "
			 "no-untracked-files no-ignored no-column no-renames renames"),
	ROW_MAYBE("uM", "porcelain untracked-files ignored ignore-submodules column "
			"find-renames"),
	OPTIONS_END,
};

const struct option_row git_blame_options[] = {
	ROW_FLAG("bcefklnpstw",
		 "incremental root no-root show-stats progress no-progress score-debug show-name "
		 "show-number porcelain line-porcelain show-email no-show-email color-lines "
		 "color-by-age minimal first-parent reverse no-ignore-rev no-ignore-revs-file "
		 "ignore-all-space ignore-space-change no-textconv"),
	ROW_MAYBE("CM", "abbrev color"),
	ROW_TAKES("L", "ignore-rev date since until"),
	ROW_PATH("S", "ignore-revs-file contents", DEED_READ),
	ROW_PATH(NULL, "output", DEED_WRITE),
	ROW_RULE(NULL, "textconv", ARG_NONE, &git_textconv),
	OPTIONS_END,
};

const struct option_row git_grep_options[] = {
	ROW_FLAG("viwarEGFPnhHlLzocpWqI",
		 "cached no-index index untracked no-untracked exclude-standard "
		 "no-exclude-standard recurse-submodules no-recurse-submodules invert-match "
		 "ignore-case no-ignore-case word-regexp text no-textconv recursive no-recursive "
		 "extended-regexp basic-regexp fixed-strings perl-regexp line-number "
		 "no-line-number column no-column full-name no-full-name files-with-matches "
		 "name-only files-without-match null only-matching count no-color break heading "
		 "no-heading show-function function-context and or not quiet all-match ext-grep "
		 "no-ext-grep no-open-files-in-pager"),
	ROW_MAYBE(NULL, "color"),
	ROW_TAKES("CBAm", "max-depth context before-context after-context threads max-count"),
	ROW("e", NULL, ARG_ONE, USE_PATTERN),
	ROW_PATH("f", NULL, DEED_READ),
	ROW_BOTH("O", "open-files-in-pager", ARG_OPTIONAL, USE_SHELL, &git_opens_pager),
	ROW_RULE(NULL, "textconv", ARG_NONE, &git_textconv),
	OPTIONS_END,
};

const struct option_row git_describe_options[] = {
	ROW_FLAG(NULL, "contains debug all tags long first-parent exact-match always "
		       "no-candidates no-match no-exclude"),
	ROW_MAYBE(NULL, "abbrev dirty broken"),
	ROW_TAKES(NULL, "candidates match exclude"),
	OPTIONS_END,
};

const struct option_row git_name_rev_options[] = {
	ROW_FLAG(NULL, "name-only tags no-refs no-exclude all stdin annotate-stdin undefined "
		       "no-undefined always peel-tag"),
	ROW_TAKES(NULL, "refs exclude"),
	OPTIONS_END,
};

const struct option_row git_ls_files_options[] = {
	ROW_FLAG("ztvfcdmoisku", "cached deleted modified others ignored stage killed directory "
				 "eol empty-directory no-empty-directory unmerged resolve-undo "
				 "exclude-standard full-name recurse-submodules error-unmatch "
				 "debug deduplicate sparse no-directory"),
	ROW_MAYBE(NULL, "abbrev"),
	ROW_TAKES("x", "exclude with-tree format exclude-per-directory"),
	ROW_PATH("X", "exclude-from", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_ls_tree_options[] = {
	ROW_FLAG("drtzl", "long name-only name-status object-only full-name full-tree"),
	ROW_MAYBE(NULL, "abbrev"),
	ROW_TAKES(NULL, "format"),
	OPTIONS_END,
};

const struct option_row git_cat_file_options[] = {
	ROW_FLAG("eptsz", "allow-unknown-type use-mailmap mailmap no-use-mailmap no-mailmap "
			  "batch-all-objects buffer follow-symlinks unordered"),
	ROW_MAYBE("Z", "batch batch-check batch-command filter"),
	ROW_TAKES(NULL, "path"),
	ROW_RULE(NULL, "textconv", ARG_NONE, &git_textconv),
	ROW_RULE(NULL, "filters", ARG_NONE, &git_batch_filters),
	OPTIONS_END,
};

const struct option_row git_for_each_ref_options[] = {
	ROW_FLAG("sp", "shell perl python tcl ignore-case no-color stdin omit-empty "
		       "include-root-refs"),
	ROW_MAYBE(NULL, "color merged no-merged contains no-contains"),
	ROW_TAKES(NULL, "count format sort points-at exclude"),
	OPTIONS_END,
};

const struct option_row git_show_ref_options[] = {
	ROW_FLAG("qdh", "tags heads branches verify head dereference quiet exists"),
	ROW_MAYBE("s", "hash abbrev exclude-existing"),
	OPTIONS_END,
};

const struct option_row git_show_branch_options[] = {
	ROW_FLAG("ar", "all remotes no-color list no-name current sha1-name merge-base "
		       "independent topo-order topics sparse date-order no-sparse"),
	ROW_MAYBE("g", "color more reflog"),
	OPTIONS_END,
};

const struct option_row git_merge_base_options[] = {
	ROW_FLAG("a", "all octopus independent is-ancestor fork-point"),
	OPTIONS_END,
};

/* check-attr, check-ignore, check-mailmap, check-ref-format */
const struct option_row git_check_options[] = {
	ROW_FLAG("aqvnz", "all cached stdin quiet verbose non-matching no-index branch normalize "
			  "allow-onelevel no-allow-onelevel refspec-pattern"),
	ROW_TAKES(NULL, "source"),
	OPTIONS_END,
};

/* verify-commit, verify-tag, verify-pack, commit-graph verify, count-objects, version, cherry */
const struct option_row git_verify_options[] = {
	ROW_FLAG("vsHz", "verbose no-verbose raw stat-only human-readable build-options progress "
			 "no-progress shallow stdin quiet"),
	ROW_MAYBE(NULL, "abbrev"),
	ROW_TAKES(NULL, "format object-format object-dir version-id"),
	OPTIONS_END,
};

const struct option_row git_fsck_options[] = {
	ROW_FLAG("v", "verbose unreachable dangling no-dangling tags root cache reflogs "
		      "no-reflogs full no-full connectivity-only strict progress no-progress "
		      "name-objects references no-references"),
	ROW_RULE(NULL, "lost-found", ARG_NONE, &git_writes_lost),
	OPTIONS_END,
};

const struct option_row git_help_options[] = {
	ROW_FLAG("amcgv", "all man config guides verbose no-external-commands no-aliases "
			  "user-interfaces developer-interfaces exclude-guides "
			  "config-for-completion config-sections-for-completion"),
	ROW_FLAG("i", "info"),
	ROW_RULE("w", "web", ARG_NONE, &git_opens_browser),
	OPTIONS_END,
};

/* Lists: worktree list, stash list, remote, notes, bundle list-heads. */
const struct option_row git_list_options[] = {
	ROW_FLAG("vqz", "verbose porcelain quiet push all cached recursive name-only"),
	ROW_TAKES(NULL, "ref expire"),
	OPTIONS_END,
};

/* Filters of text: column, stripspace, patch-id, interpret-trailers, fmt-merge-msg. */
const struct option_row git_text_options[] = {
	ROW_FLAG("sc", "strip-comments comment-lines unstable stable verbatim no-divider summary "
		       "no-log"),
	ROW_MAYBE(NULL, "mode log"),
	ROW_TAKES("m", "command raw-mode width indent nl padding message into-name"),
	ROW_PATH("F", "file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_merge_file_options[] = {
	ROW_FLAG("pq", "stdout diff3 zdiff3 ours theirs union quiet object-id"),
	ROW_TAKES("L", "marker-size diff-algorithm"),
	OPTIONS_END,
};

const struct option_row git_branch_options[] = {
	ROW_FLAG("vqarlitfdDmMcC",
		 "verbose no-verbose quiet remotes all list show-current ignore-case no-color "
		 "no-column no-abbrev no-track delete move copy force unset-upstream "
		 "create-reflog edit-description recurse-submodules no-force omit-empty"),
	ROW_MAYBE(NULL, "color contains no-contains with without merged no-merged abbrev column "
			"track"),
	ROW_TAKES("u", "sort points-at format set-upstream-to"),
	OPTIONS_END,
};

const struct option_row git_tag_options[] = {
	ROW_FLAG("ldvaesfi", "list delete verify annotate sign no-sign edit force create-reflog "
			     "ignore-case no-column no-color no-edit omit-empty"),
	ROW_MAYBE("n", "column contains no-contains with without merged no-merged color"),
	ROW_TAKES("mu", "sort points-at format message local-user cleanup trailer"),
	ROW_PATH("F", "file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_config_options[] = {
	ROW_FLAG("lz", "global system local worktree get get-all get-regexp get-urlmatch "
		       "replace-all add unset unset-all rename-section remove-section list "
		       "fixed-value get-color get-colorbool bool int bool-or-int bool-or-str path "
		       "expiry-date null name-only includes no-includes show-origin show-scope "
		       "no-type append all regexp show-names no-show-names"),
	ROW_TAKES("t", "type default blob value url comment"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_RULE("e", "edit", ARG_NONE, &git_edits_config),
	OPTIONS_END,
};

const struct option_row git_archive_options[] = {
	ROW_FLAG("lv0123456789", "list verbose worktree-attributes"),
	ROW_TAKES(NULL, "format prefix mtime"),
	ROW_PATH(NULL, "add-file", DEED_READ),
	ROW_TAKES(NULL, "add-virtual-file"),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_BOTH(NULL, "remote", ARG_ONE, USE_HOST, &git_asks_remote),
	ROW_SHELL(NULL, "exec"),
	OPTIONS_END,
};

const struct option_row git_ls_remote_options[] = {
	ROW_FLAG("qth", "quiet tags heads branches refs get-url exit-code symref"),
	ROW_TAKES("o", "sort server-option"),
	ROW_SHELL(NULL, "upload-pack exec"),
	OPTIONS_END,
};
