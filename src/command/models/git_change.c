/* SPDX-License-Identifier: MIT */

/*
 * Options of the git subcommands that change something. Those are prompt at least by the rule of
 * their row in git.c, so what matters here is that every option that runs a program or destroys
 * something is known, that options with arguments are known to have them, and that a prefix of a
 * destructive one is not taken for another.
 */

#include "command/models/git_impl.h"

const struct option_row git_reset_options[] = {
	ROW_FLAG("qpN", "quiet no-quiet refresh no-refresh mixed soft hard merge keep patch "
			"no-patch intent-to-add pathspec-file-nul no-recurse-submodules"),
	ROW_MAYBE(NULL, "recurse-submodules"),
	ROW_PATH(NULL, "pathspec-from-file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_clean_options[] = {
	ROW_FLAG("qnfidxX", "quiet no-quiet dry-run force interactive no-dry-run no-force "
			    "no-interactive"),
	ROW_TAKES("e", "exclude"),
	OPTIONS_END,
};

/* What checkout, switch and restore share. */
#define CHECKOUT_ROWS                                                                              \
	ROW_FLAG("qfdmplSWN23",                                                                    \
		 "guess no-guess overlay no-overlay quiet no-quiet progress no-progress merge "    \
		 "no-merge detach no-detach force no-force overwrite-ignore no-overwrite-ignore "  \
		 "ignore-other-worktrees no-ignore-other-worktrees ours theirs patch no-patch "    \
		 "ignore-skip-worktree-bits no-ignore-skip-worktree-bits pathspec-file-nul "       \
		 "no-track no-recurse-submodules discard-changes no-discard-changes staged "       \
		 "no-staged worktree no-worktree ignore-unmerged"),                                \
		ROW_MAYBE("t", "track recurse-submodules"),                                        \
		ROW_TAKES("bBsU", "orphan conflict source unified inter-hunk-context"),            \
		ROW_PATH(NULL, "pathspec-from-file", DEED_READ)

const struct option_row git_checkout_options[] = {
	CHECKOUT_ROWS,
	OPTIONS_END,
};

const struct option_row git_switch_options[] = {
	CHECKOUT_ROWS,
	ROW_TAKES("cC", "create force-create"),
	OPTIONS_END,
};

const struct option_row git_checkout_index_options[] = {
	ROW_FLAG("afqnuz", "all ignore-skip-worktree-bits force quiet no-create index stdin temp"),
	ROW_TAKES(NULL, "stage"),
	ROW_PATH(NULL, "prefix", DEED_EXTRACT),
	OPTIONS_END,
};

const struct option_row git_read_tree_options[] = {
	ROW_FLAG("muinv", "empty verbose trivial aggressive reset dry-run no-sparse-checkout "
			  "debug-unpack quiet"),
	ROW_MAYBE(NULL, "recurse-submodules"),
	ROW_TAKES(NULL, "prefix exclude-per-directory"),
	ROW_PATH(NULL, "index-output", DEED_WRITE),
	OPTIONS_END,
};

const struct option_row git_push_options[] = {
	ROW_FLAG("vqdnfu46",
		 "verbose quiet all branches mirror delete tags dry-run porcelain force "
		 "force-if-includes thin no-thin set-upstream progress no-progress prune "
		 "no-verify verify follow-tags no-follow-tags atomic no-atomic ipv4 ipv6 no-signed "
		 "no-force no-force-with-lease no-force-if-includes no-mirror no-delete no-prune "
		 "no-all no-tags no-dry-run no-porcelain no-recurse-submodules no-verbose "
		 "no-quiet no-set-upstream helper-status stdin stateless-rpc"),
	ROW_MAYBE(NULL, "force-with-lease signed"),
	ROW_TAKES("o", "recurse-submodules push-option"),
	ROW_HOST(NULL, "repo remote"),
	ROW_SHELL(NULL, "receive-pack exec"),
	OPTIONS_END,
};

/* fetch and pull, and what they hand on to merge and rebase */
const struct option_row git_fetch_options[] = {
	ROW_FLAG("vqapfktmnu46e",
		 "verbose quiet all append atomic force multiple tags no-tags prefetch prune "
		 "no-prune prune-tags dry-run write-fetch-head no-write-fetch-head keep "
		 "update-head-ok progress no-progress unshallow refetch update-shallow ipv4 ipv6 "
		 "negotiate-only auto-maintenance no-auto-maintenance auto-gc no-auto-gc "
		 "show-forced-updates no-show-forced-updates write-commit-graph "
		 "no-write-commit-graph stdin set-upstream no-recurse-submodules no-rebase stat "
		 "no-stat summary signoff squash no-squash commit no-commit edit no-edit ff no-ff "
		 "ff-only verify no-verify verify-signatures autostash no-autostash "
		 "allow-unrelated-histories porcelain"),
	ROW_MAYBE("Srj", "recurse-submodules rebase log gpg-sign jobs"),
	ROW_TAKES("oXs", "depth shallow-since shallow-exclude deepen submodule-prefix "
			 "recurse-submodules-default refmap server-option negotiation-tip filter "
			 "cleanup strategy strategy-option"),
	ROW_SHELL(NULL, "upload-pack exec"),
	OPTIONS_END,
};

RULE(git_template, "git.template", PROMPT, EXECUTES,
     "copies hooks from a template into the new repository");

const struct option_row git_clone_options[] = {
	ROW_FLAG("vqnls46",
		 "verbose quiet progress reject-shallow no-checkout bare naked mirror local "
		 "no-hardlinks recursive dissociate single-branch no-single-branch no-tags "
		 "shallow-submodules no-shallow-submodules ipv4 ipv6 also-filter-submodules "
		 "remote-submodules sparse checkout hardlinks tags no-recurse-submodules"),
	ROW_MAYBE(NULL, "recurse-submodules shared"),
	ROW_TAKES("job", "jobs reference reference-if-able origin branch depth shallow-since "
			 "shallow-exclude server-option filter initial-branch object-format "
			 "ref-format revision"),
	ROW_HOST(NULL, "bundle-uri"),
	ROW_BOTH(NULL, "template", ARG_ONE, DEED_READ, &git_template),
	ROW_PATH(NULL, "separate-git-dir", DEED_EXTRACT),
	ROW_SHELL("u", "upload-pack"),
	ROW("c", "config", ARG_ONE, USE_CONFIG),
	OPTIONS_END,
};

/* commit, and the others that make one: notes add, commit-tree */
const struct option_row git_commit_options[] = {
	ROW_FLAG("qvaiopnsez",
		 "quiet verbose reset-author signoff no-signoff edit no-edit status no-status all "
		 "include interactive patch only no-verify verify dry-run short branch porcelain "
		 "long null amend no-post-rewrite pathspec-file-nul allow-empty "
		 "allow-empty-message no-gpg-sign force ahead-behind"),
	ROW_MAYBE("Su", "gpg-sign untracked-files"),
	ROW_TAKES("mcC", "author date message reedit-message reuse-message fixup squash trailer "
			 "cleanup"),
	ROW_TAKES(NULL, "ref"),
	ROW_PATH("Ft", "file template pathspec-from-file", DEED_READ),
	OPTIONS_END,
};

/* merge, cherry-pick, revert */
const struct option_row git_merge_options[] = {
	ROW_FLAG("nvqexr",
		 "stat no-stat summary no-summary squash no-squash commit no-commit edit no-edit "
		 "ff no-ff ff-only rerere-autoupdate no-rerere-autoupdate verify-signatures "
		 "no-verify-signatures verbose quiet abort quit continue skip "
		 "allow-unrelated-histories progress no-progress autostash no-autostash "
		 "overwrite-ignore no-overwrite-ignore signoff verify no-verify no-gpg-sign "
		 "allow-empty allow-empty-message keep-redundant-commits reference no-log"),
	ROW_MAYBE("S", "log gpg-sign"),
	ROW_TAKES("mXsC", "cleanup strategy strategy-option message into-name mainline empty"),
	ROW_PATH("F", "file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_rebase_options[] = {
	ROW_FLAG("qvnfmikr",
		 "keep-base no-verify verify quiet verbose stat no-stat signoff "
		 "committer-date-is-author-date reset-author-date ignore-date ignore-whitespace "
		 "force-rebase no-ff continue skip abort quit edit-todo show-current-patch apply "
		 "merge interactive preserve-merges rerere-autoupdate no-rerere-autoupdate "
		 "keep-empty no-keep-empty autosquash no-autosquash update-refs no-update-refs "
		 "no-gpg-sign autostash no-autostash allow-empty-message no-rebase-merges "
		 "fork-point no-fork-point root reschedule-failed-exec no-reschedule-failed-exec "
		 "reapply-cherry-picks no-reapply-cherry-picks"),
	ROW_MAYBE("S", "gpg-sign rebase-merges"),
	ROW_TAKES("CsX", "onto whitespace empty strategy strategy-option"),
	ROW_SHELL("x", "exec"),
	OPTIONS_END,
};

const struct option_row git_stash_options[] = {
	ROW_FLAG("puakqS", "patch include-untracked no-include-untracked all keep-index "
			   "no-keep-index quiet staged index pathspec-file-nul only-untracked"),
	ROW_TAKES("m", "message"),
	ROW_PATH(NULL, "pathspec-from-file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_rm_options[] = {
	ROW_FLAG("nrqf", "dry-run cached quiet force ignore-unmatch sparse pathspec-file-nul"),
	ROW_PATH(NULL, "pathspec-from-file", DEED_READ),
	OPTIONS_END,
};

const struct option_row git_mv_options[] = {
	ROW_DRY("n", "dry-run"),
	ROW_FLAG("vfk", "verbose force sparse"),
	OPTIONS_END,
};

/* reflog expire, reflog delete, prune, prune-packed */
const struct option_row git_expire_options[] = {
	ROW_FLAG("nv", "dry-run verbose all single-worktree rewrite updateref stale-fix progress "
		       "no-progress exclude-promisor-objects quiet force recent "
		       "verify-remote no-verify-remote"),
	ROW_TAKES(NULL, "expire expire-unreachable"),
	OPTIONS_END,
};

const struct option_row git_gc_options[] = {
	ROW_FLAG("q", "quiet aggressive auto force cruft no-cruft keep-largest-pack no-prune "
		      "detach no-detach"),
	ROW_MAYBE(NULL, "prune"),
	ROW_TAKES(NULL, "max-cruft-size expire-to"),
	OPTIONS_END,
};

const struct option_row git_update_ref_options[] = {
	ROW_FLAG("dz", "no-deref deref stdin create-reflog batch-updates"),
	ROW_TAKES("m", NULL),
	OPTIONS_END,
};

const struct option_row git_symbolic_ref_options[] = {
	ROW_FLAG("qd", "quiet delete short recurse no-recurse"),
	ROW_TAKES("m", NULL),
	OPTIONS_END,
};

const struct option_row git_hash_object_options[] = {
	ROW_FLAG("w", "stdin stdin-paths no-filters literally"),
	ROW_TAKES("t", "path"),
	OPTIONS_END,
};

/* submodule deinit, submodule update, submodule add, sparse-checkout */
const struct option_row git_deinit_options[] = {
	ROW_FLAG("fqNi", "force all quiet init remote no-fetch checkout merge rebase recursive "
			 "recommend-shallow no-recommend-shallow single-branch progress cached "
			 "dissociate cone no-cone sparse-index no-sparse-index stdin"),
	ROW_TAKES("bj", "branch name depth jobs reference filter"),
	OPTIONS_END,
};

/* What is behind these belongs to the command that is run. */
const struct option_row git_foreach_options[] = {
	ROW_FLAG("qh", "quiet recursive"),
	OPTIONS_END,
};

const struct option_row git_filter_branch_options[] = {
	ROW_FLAG("fh", "force remap-to-ancestor prune-empty"),
	ROW_TAKES("d", "original state-branch subdirectory-filter"),
	ROW_SHELL(NULL, "setup env-filter tree-filter index-filter parent-filter msg-filter "
			"commit-filter tag-name-filter"),
	OPTIONS_END,
};

const struct option_row git_difftool_options[] = {
	ROW_FLAG("gdy", "gui dir-diff no-prompt prompt symlinks tool-help trust-exit-code "
			"no-index index cached staged"),
	ROW_TAKES("t", "tool"),
	ROW_SHELL("x", "extcmd"),
	OPTIONS_END,
};

const struct option_row git_apply_options[] = {
	ROW_FLAG("3NRvqz",
		 "no-add stat allow-binary-replacement binary numstat summary check index "
		 "intent-to-add cached unsafe-paths apply 3way ignore-space-change "
		 "ignore-whitespace reverse unidiff-zero reject allow-overlap verbose quiet "
		 "inaccurate-eof recount allow-empty ours theirs union"),
	ROW_TAKES("Cp", "exclude include whitespace directory"),
	ROW_PATH(NULL, "build-fake-ancestor", DEED_WRITE),
	OPTIONS_END,
};

const struct option_row git_bundle_options[] = {
	ROW_FLAG("q", "quiet progress all-progress all-progress-implied all branches tags"),
	ROW_TAKES("n", "version since max-count"),
	OPTIONS_END,
};

const struct option_row git_format_patch_options[] = {
	ROW_FLAG("nNskpqz", "numbered no-numbered signoff stdout cover-letter numbered-files rfc "
			    "keep-subject zero-commit ignore-if-in-upstream no-thread quiet "
			    "progress no-signature no-attach root"),
	ROW_MAYBE(NULL, "thread attach inline from base notes"),
	ROW_TAKES("v", "suffix start-number reroll-count filename-max-length subject-prefix "
		       "add-header to cc in-reply-to signature interdiff range-diff"),
	ROW_PATH(NULL, "signature-file description-file", DEED_READ),
	ROW_PATH("o", "output-directory output", DEED_EXTRACT),
	OPTIONS_END,
};

const struct option_row git_interpret_options[] = {
	ROW_FLAG(NULL, "trim-empty only-trailers only-input unfold parse no-divider divider"),
	ROW_TAKES(NULL, "where if-exists if-missing trailer"),
	ROW_MODE(NULL, "in-place", DEED_EDIT),
	OPTIONS_END,
};

const struct option_row git_remote_options[] = {
	ROW_FLAG("vfnad", "verbose tags no-tags fetch auto delete push add all dry-run prune "
			  "progress no-progress"),
	ROW_MAYBE(NULL, "mirror"),
	ROW_TAKES("tm", "track master"),
	OPTIONS_END,
};

const struct option_row git_worktree_options[] = {
	ROW_FLAG("fdnvqz", "force detach checkout no-checkout lock guess-remote no-guess-remote "
			   "track no-track quiet dry-run verbose porcelain orphan "
			   "relative-paths no-relative-paths"),
	ROW_TAKES("bB", "reason expire"),
	OPTIONS_END,
};

const struct option_row git_send_email_options[] = {
	ROW_FLAG(NULL, "annotate compose dry-run quiet suppress-from validate no-validate force "
		       "dump-aliases translate-aliases thread no-thread no-xmailer xmailer"),
	ROW_TAKES(NULL, "bcc cc from in-reply-to subject to reply-to 8bit-encoding "
			"compose-encoding transfer-encoding envelope-sender smtp-encryption "
			"smtp-domain smtp-pass smtp-server-port smtp-server-option "
			"smtp-ssl-cert-path smtp-user smtp-auth smtp-debug batch-size "
			"relogin-delay identity suppress-cc confirm"),
	ROW_HOST(NULL, "smtp-server"),
	ROW_SHELL(NULL, "to-cmd cc-cmd header-cmd sendmail-cmd"),
	OPTIONS_END,
};
