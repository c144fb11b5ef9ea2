/* SPDX-License-Identifier: MIT */
/* git: what each subcommand reads, changes, runs and destroys. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_the_repository_when_nothing_is_told_to_change_rows[] = {
	{ "git status", "sandbox", NULL },
	{ "git status --porcelain=v2 -b -uno", "sandbox", NULL },
	{ "git status -sb --ignored", "sandbox", NULL },
	{ "git log --oneline -20", "sandbox", NULL },
	{ "git log -p -1 --stat -- src", "sandbox", NULL },
	{ "git log --grep='rm -rf' --oneline", "sandbox", NULL },
	{ "git log --grep='--upload-pack=x'", "sandbox", NULL },
	{ "git log -S'DROP TABLE' --stat", "sandbox", NULL },
	{ "git log -L 1,5:src/a.c --no-ext-diff", "sandbox", NULL },
	{ "git log --author='!rm -rf ~' -1", "sandbox", NULL },
	{ "git log -n 5 --format=%H --since=2.weeks", "sandbox", NULL },
	{ "git log --graph --all --decorate", "sandbox", NULL },
	{ "git -C packages/core log --oneline -5", "sandbox", NULL },
	{ "git --no-pager diff main...HEAD -- '*.h'", "sandbox", NULL },
	{ "git --git-dir=x/.git --work-tree x status", "sandbox", NULL },
	{ "git diff --output-indicator-new='>' HEAD", "sandbox", NULL },
	{ "git diff --cached --name-only", "sandbox", NULL },
	{ "git diff -M -C --word-diff=color HEAD~1", "sandbox", NULL },
	{ "git show HEAD:src/main.c", "sandbox", NULL },
	{ "git show --stat v1.2.0", "sandbox", NULL },
	{ "git whatchanged -3", "sandbox", NULL },
	{ "git diff-tree --no-commit-id --name-only -r HEAD", "sandbox", NULL },
	{ "git diff-index HEAD", "sandbox", NULL },
	{ "git range-diff a...b", "sandbox", NULL },
	{ "git rev-list --count HEAD", "sandbox", NULL },
	{ "git shortlog -sn HEAD", "sandbox", NULL },
	{ "git blame -L 10,30 src/a.c", "sandbox", NULL },
	{ "git annotate src/a.c", "sandbox", NULL },
	{ "git grep -n -e main -- src", "sandbox", NULL },
	{ "git grep -hin pattern", "sandbox", NULL },
	{ "git describe --tags --always --dirty", "sandbox", NULL },
	{ "git name-rev --name-only HEAD", "sandbox", NULL },
	{ "git rev-parse --show-toplevel", "sandbox", NULL },
	{ "git rev-parse --abbrev-ref HEAD", "sandbox", NULL },
	{ "git rev-parse --git-dir", "sandbox", NULL },
	{ "git ls-files -o --exclude-standard", "sandbox", NULL },
	{ "git ls-tree -r HEAD --name-only", "sandbox", NULL },
	{ "git cat-file -p HEAD^{tree}", "sandbox", NULL },
	{ "git cat-file --batch-check", "sandbox", NULL },
	{ "git for-each-ref --sort=-committerdate --format=%(refname)", "sandbox", NULL },
	{ "git show-ref --heads", "sandbox", NULL },
	{ "git show-branch", "sandbox", NULL },
	{ "git merge-base main HEAD", "sandbox", NULL },
	{ "git merge-base --is-ancestor a b", "sandbox", NULL },
	{ "git check-ignore -v build/x.o", "sandbox", NULL },
	{ "git check-attr -a x", "sandbox", NULL },
	{ "git check-ref-format --branch x", "sandbox", NULL },
	{ "git count-objects -vH", "sandbox", NULL },
	{ "git verify-commit HEAD", "sandbox", NULL },
	{ "git verify-tag v1", "sandbox", NULL },
	{ "git cherry -v main", "sandbox", NULL },
	{ "git var GIT_AUTHOR_IDENT", "sandbox", NULL },
	{ "git fsck --full", "sandbox", NULL },
	{ "git help reset", "sandbox", NULL },
	{ "git version --build-options", "sandbox", NULL },
	{ "git stripspace -s", "sandbox", NULL },
	{ "git patch-id --stable", "sandbox", NULL },
	{ "git branch", "sandbox", NULL },
	{ "git branch -a --sort=-committerdate", "sandbox", NULL },
	{ "git branch --contains 1a2b3c4", "sandbox", NULL },
	{ "git branch --show-current", "sandbox", NULL },
	{ "git branch --list 'f*' -v", "sandbox", NULL },
	{ "git branch --merged", "sandbox", NULL },
	{ "git tag", "sandbox", NULL },
	{ "git tag -l 'v1.*'", "sandbox", NULL },
	{ "git tag -n3", "sandbox", NULL },
	{ "git tag --points-at HEAD", "sandbox", NULL },
	{ "git remote", "sandbox", NULL },
	{ "git remote -v", "sandbox", NULL },
	{ "git remote get-url origin", "sandbox", NULL },
	{ "git remote show", "sandbox", NULL },
	{ "git config --get user.email", "sandbox", NULL },
	{ "git config --get-regexp '^alias\\.'", "sandbox", NULL },
	{ "git config user.name", "sandbox", NULL },
	{ "git config --global --list", "sandbox", NULL },
	{ "git config get user.name", "sandbox", NULL },
	{ "git config list", "sandbox", NULL },
	{ "git stash list", "sandbox", NULL },
	{ "git stash show -p stash@{0}", "sandbox", NULL },
	{ "git reflog", "sandbox", NULL },
	{ "git reflog -10", "sandbox", NULL },
	{ "git reflog show main", "sandbox", NULL },
	{ "git reflog HEAD", "sandbox", NULL },
	{ "git worktree list --porcelain", "sandbox", NULL },
	{ "git submodule status", "sandbox", NULL },
	{ "git submodule", "sandbox", NULL },
	{ "git notes list", "sandbox", NULL },
	{ "git bisect log", "sandbox", NULL },
	{ "git symbolic-ref HEAD", "sandbox", NULL },
	{ "git symbolic-ref --short HEAD", "sandbox", NULL },
	{ "git archive HEAD", "sandbox", NULL },
	{ "git sparse-checkout list", "sandbox", NULL },
	{ "git lfs ls-files", "sandbox", NULL },
	{ "git bundle list-heads x.bundle", "read:x.bundle sandbox", NULL },
	{ "git commit-graph verify", "sandbox", NULL },
	{ "git hash-object x", "read:x sandbox", NULL },
	{ "git apply --stat x.patch", "read:x.patch sandbox", NULL },
	{ "git apply --check x.patch", "read:x.patch sandbox", NULL },
	{ "git interpret-trailers --parse msg", "read:msg sandbox", NULL },
	{ "git merge-file -p a b c", "read:a read:b read:c sandbox", NULL },
	{ "git clean -ndx", "sandbox", NULL },
	{ "git rm -n x", "sandbox", NULL },
	{ "git push --help", "", NULL },
	{ "git reset -h", "", NULL },
	{ "git reset --hard -h", "", NULL },
	{ "git --version", "", NULL },
	{ "git --exec-path", "", NULL },
	{ "git --html-path", "", NULL },
	{ "git", "", NULL },
	{ "git -c color.ui=always log", "sandbox", NULL },
	{ "git -c core.quotePath=false ls-files", "sandbox", NULL },
	{ "git -c USER.NAME=x log", "sandbox", NULL },
	{ "git diff --no-index a b", "read:a read:b sandbox", NULL },
};

static void
reads_the_repository_when_nothing_is_told_to_change(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, reads_the_repository_when_nothing_is_told_to_change_rows,
			    COUNT_OF(reads_the_repository_when_nothing_is_told_to_change_rows)),
		0);
}

static const struct fixture_row asks_when_the_repository_changes_rows[] = {
	{ "git add -A", "rule:git.changes", NULL },
	{ "git add -p src", "rule:git.changes", NULL },
	{ "git commit -m 'fix: do not rm -rf root'", "rule:git.changes", NULL },
	{ "git commit --amend --no-edit", "rule:git.changes", NULL },
	{ "git commit --no-verify -m wip", "rule:git.changes", NULL },
	{ "git checkout main", "rule:git.changes", NULL },
	{ "git checkout -b feature/x", "rule:git.changes", NULL },
	{ "git checkout -- src/a.c", "rule:git.changes", NULL },
	{ "git checkout -p .", "rule:git.changes", NULL },
	{ "git switch -c x", "rule:git.changes", NULL },
	{ "git restore src/a.c", "rule:git.changes", NULL },
	{ "git restore --staged .", "rule:git.changes", NULL },
	{ "git reset HEAD a.c", "rule:git.changes", NULL },
	{ "git reset --soft HEAD~1", "rule:git.changes", NULL },
	{ "git merge --no-ff topic", "rule:git.changes", NULL },
	{ "git rebase main", "rule:git.changes", NULL },
	{ "git rebase -i HEAD~3", "rule:git.changes", NULL },
	{ "git cherry-pick abc", "rule:git.changes", NULL },
	{ "git revert HEAD", "rule:git.changes", NULL },
	{ "git stash", "rule:git.changes", NULL },
	{ "git stash -u", "rule:git.changes", NULL },
	{ "git stash push -m wip", "rule:git.changes", NULL },
	{ "git stash pop", "rule:git.changes", NULL },
	{ "git stash drop", "rule:git.stash-drop", NULL },
	{ "git tag -d v0.1", "rule:git.tag-delete sandbox", NULL },
	{ "git tag v1", "rule:git.changes sandbox", NULL },
	{ "git tag -a v1 -m x", "rule:git.changes sandbox", NULL },
	{ "git branch x", "rule:git.changes sandbox", NULL },
	{ "git branch -d x", "rule:git.branch-delete sandbox", NULL },
	{ "git branch -D x", "rule:git.branch-delete sandbox", NULL },
	{ "git branch -m a b", "rule:git.changes sandbox", NULL },
	{ "git branch -f x HEAD~3", "rule:git.changes sandbox", NULL },
	{ "git branch -u origin/x", "rule:git.changes sandbox", NULL },
	{ "git branch -dr origin/x", "rule:git.branch-delete sandbox", NULL },
	{ "git clean -fd build/", "rule:git.clean-path", NULL },
	{ "git clean -id", "rule:git.clean-path", NULL },
	{ "git rm x", "rule:git.changes", NULL },
	{ "git rm -r --cached .", "rule:git.changes", NULL },
	{ "git mv a b", "rule:git.changes move:a write:b", NULL },
	{ "git worktree remove --force ../wt1", "rule:git.changes", NULL },
	{ "git worktree add ../x", "rule:git.changes", NULL },
	{ "git submodule update --init --recursive", "rule:git.network net", NULL },
	{ "git submodule add https://x.example/y", "rule:git.network net", NULL },
	{ "git submodule deinit x", "rule:git.changes", NULL },
	{ "git remote add x https://x.example/y", "rule:git.changes rule:git.network", NULL },
	{ "git remote remove x", "rule:git.changes", NULL },
	{ "git remote set-url origin x", "rule:git.changes rule:git.network", NULL },
	{ "git notes add -m x", "rule:git.changes", NULL },
	{ "git bisect start", "rule:git.changes", NULL },
	{ "git init", "rule:git.changes", NULL },
	{ "git init --template=/tmp/x", "rule:git.changes rule:git.template read:/tmp/x", NULL },
	{ "git gc", "rule:git.changes", NULL },
	{ "git gc --prune=2.weeks", "rule:git.changes", NULL },
	{ "git repack -ad", "rule:git.changes", NULL },
	{ "git update-ref refs/heads/x HEAD", "rule:git.changes", NULL },
	{ "git update-ref -d refs/heads/x", "rule:git.update-ref-delete", NULL },
	{ "git update-index --assume-unchanged x", "rule:git.changes", NULL },
	{ "git symbolic-ref HEAD refs/heads/x", "rule:git.changes sandbox", NULL },
	{ "git read-tree HEAD", "rule:git.changes", NULL },
	{ "git hash-object -w blob.txt", "read:blob.txt rule:git.writes-object sandbox", NULL },
	{ "git apply x.patch", "read:x.patch rule:git.changes sandbox", NULL },
	{ "git am x.patch", "rule:git.changes", NULL },
	{ "git format-patch -1", "rule:git.changes", NULL },
	{ "git bundle create x.bundle HEAD", "rule:git.changes write:x.bundle", NULL },
	{ "git config user.name x", "rule:git.config sandbox", NULL },
	{ "git config --global credential.helper store",
	  "rule:git.config rule:git.config-program sandbox", NULL },
	{ "git config --unset user.name", "rule:git.config sandbox", NULL },
	{ "git config set user.name x", "rule:git.config sandbox", NULL },
	{ "git config -e", "rule:git.config-edit sandbox", NULL },
	{ "git lfs track '*.bin'", "rule:git.changes", NULL },
	{ "git lfs prune", "rule:git.lfs-prune", NULL },
	{ "git maintenance start", "rule:git.maintenance", NULL },
	{ "git replace a b", "rule:git.changes", NULL },
	{ "git fast-import", "rule:git.changes", NULL },
	{ "git filter", "rule:git.alias", NULL },
	{ "git nosuch", "rule:git.alias", NULL },
	{ "git log --output=x", "write:x sandbox", NULL },
	{ "git diff --outp x", "sandbox unknown", NULL },
	{ "git diff --ext-diff HEAD~1", "rule:git.external-diff sandbox", NULL },
	{ "git log --textconv", "rule:git.textconv sandbox", NULL },
	{ "git --paginate show HEAD", "rule:git.paginate sandbox", NULL },
	{ "git -p log", "rule:git.paginate sandbox", NULL },
	{ "git fsck --lost-found", "rule:git.lost-found sandbox", NULL },
	{ "git show $x", "sandbox unknown", NULL },
	{ "git reflog expire --dry-run --all", "rule:git.changes sandbox", NULL },
	{ "git archive -o x.zip HEAD", "write:x.zip sandbox", NULL },
	{ "git worktree prune", "rule:git.changes", NULL },
	{ "git difftool -y HEAD~1", "rule:git.runs-tool", NULL },
	{ "git mergetool", "rule:git.runs-tool", NULL },
	{ "git help -w reset", "rule:git.opens-browser sandbox", NULL },
	{ "git log --no-such-option", "sandbox unknown", NULL },
	{ "git prune --expire=2.weeks.ago", "rule:git.changes", NULL },
};

static void
asks_when_the_repository_changes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_the_repository_changes_rows,
				     COUNT_OF(asks_when_the_repository_changes_rows)),
			 0);
}

static const struct fixture_row asks_when_another_repository_is_asked_rows[] = {
	{ "git fetch", "rule:git.network net", NULL },
	{ "git pull --rebase", "rule:git.network net", NULL },
	{ "git push origin feature/x", "rule:git.network net", NULL },
	{ "git push", "rule:git.network net", NULL },
	{ "git push --force-with-lease origin topic",
	  "rule:git.network rule:git.push-force-with-lease net", NULL },
	{ "git push --force --dry-run origin main", "rule:git.network net", NULL },
	{ "git push origin :", "rule:git.network net", NULL },
	{ "git clone https://git.example.com/x.git", "rule:git.network net", NULL },
	{ "git clone x y", "make:y rule:git.network net", NULL },
	{ "git ls-remote", "rule:git.network net", NULL },
	{ "git ls-remote -h origin", "rule:git.network net", NULL },
	{ "git remote show origin", "rule:git.network sandbox", NULL },
	{ "git remote update", "rule:git.network net", NULL },
	{ "git remote prune origin", "rule:git.network net", NULL },
	{ "git request-pull a b", "rule:git.network", NULL },
	{ "git send-email x.patch", "rule:git.send-email send:x.patch net", NULL },
	{ "git svn dcommit", "rule:git.network", NULL },
	{ "git archive --remote=x HEAD", "rule:git.asks-remote net sandbox", NULL },
	{ "git lfs pull", "rule:git.network", NULL },
	{ "git daemon", "rule:git.serves", NULL },
	{ "git instaweb", "rule:git.serves", NULL },
};

static void
asks_when_another_repository_is_asked(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_another_repository_is_asked_rows,
				     COUNT_OF(asks_when_another_repository_is_asked_rows)),
			 0);
}

static const struct fixture_row forbids_when_work_is_lost_rows[] = {
	{ "git reset --merge", "rule:git.reset-merge rule:git.changes", NULL },
	{ "git reset --hard", "rule:git.reset-hard rule:git.changes", NULL },
	{ "git reset --hard HEAD~3", "rule:git.reset-hard rule:git.changes", NULL },
	{ "git reset --har origin/main", "rule:git.reset-hard rule:git.changes", NULL },
	{ "git -C repo reset -q --hard", "rule:git.reset-hard rule:git.changes", NULL },
	{ "git -c foo.bar=1 --no-pager reset --hard",
	  "rule:git.reset-hard rule:git.changes rule:git.config-override", NULL },
	{ "git checkout .", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git checkout -- .", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git checkout HEAD~2 -- .", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git checkout HEAD -- :/", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git checkout ':(top)'", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git checkout -f main", "rule:git.checkout-force rule:git.changes", NULL },
	{ "git checkout --forc main", "rule:git.checkout-force rule:git.changes", NULL },
	{ "git checkout *", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git switch --discard-changes main", "rule:git.checkout-force rule:git.changes", NULL },
	{ "git switch -f main", "rule:git.checkout-force rule:git.changes", NULL },
	{ "git restore .", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git restore --staged --worktree :/", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git restore -SW .", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git restore --source=HEAD~2 ./", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git clean -fdx", "rule:git.clean", NULL },
	{ "git clean -xffd", "rule:git.clean", NULL },
	{ "git clean --forc -d", "rule:git.clean", NULL },
	{ "git clean -f .", "rule:git.clean", NULL },
	{ "git -c clean.requireForce=false clean -d", "rule:git.clean rule:git.config-override",
	  NULL },
	{ "git -c clean.requireforce=0 clean", "rule:git.clean rule:git.config-override", NULL },
	{ "git stash clear", "rule:git.stash-clear", NULL },
	{ "git reflog expire --expire=now --all", "rule:git.reflog-expire sandbox", NULL },
	{ "git reflog delete HEAD@{1}", "rule:git.reflog-expire sandbox", NULL },
	{ "git gc --prune=now", "rule:git.gc-now rule:git.changes", NULL },
	{ "git gc --pru=all", "rule:git.gc-now rule:git.changes", NULL },
	{ "git prune", "rule:git.gc-now rule:git.changes", NULL },
	{ "git filter-branch --force --index-filter 'git rm -r --cached data' HEAD",
	  "rule:git.rewrites-history [git sh: git rm -r --cached data]", NULL },
	{ "git filter-repo --path secret.txt --invert-paths --force", "rule:git.rewrites-history",
	  NULL },
	{ "git branch -D $x", "rule:git.branch-delete-many sandbox unknown", NULL },
	{ "git branch --delete --force $x", "rule:git.branch-delete-many sandbox unknown", NULL },
	{ "git update-ref -d refs/stash", "rule:git.update-ref-delete-many", NULL },
	{ "git checkout-index -f -a", "rule:git.checkout-tree rule:git.changes", NULL },
	{ "git read-tree --reset -u HEAD", "rule:git.read-tree-reset rule:git.changes", NULL },
	{ "git submodule deinit --all -f", "rule:git.submodule-deinit rule:git.changes", NULL },
	{ "git lfs prune --force", "rule:git.lfs-prune-force", NULL },
	{ "git credential fill", "rule:git.credential-fill", NULL },
	{ "git credential-store get", "rule:git.credential-fill", NULL },
	{ "bfg --delete-files x", "rule:git.rewrites-history", NULL },
};

static void
forbids_when_work_is_lost(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_work_is_lost_rows,
				     COUNT_OF(forbids_when_work_is_lost_rows)),
			 0);
}

static const struct fixture_row forbids_when_the_other_side_loses_history_rows[] = {
	{ "git push --force", "rule:git.network rule:git.push-force net", NULL },
	{ "git push -f origin main", "rule:git.network rule:git.push-force net", NULL },
	{ "git push -uf origin main", "rule:git.network rule:git.push-force net", NULL },
	{ "git push origin +main", "rule:git.network rule:git.push-force net", NULL },
	{ "git push origin +HEAD:refs/heads/main", "rule:git.network rule:git.push-force net",
	  NULL },
	{ "git push --mirr origin", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push --mirror", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push --prune origin", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push origin --delete x", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push -d origin x", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push origin :x", "rule:git.network rule:git.push-delete net", NULL },
	{ "git push --force --force-with-lease origin main",
	  "rule:git.network rule:git.push-force rule:git.push-force-with-lease net", NULL },
	{ "git send-pack --force x", "rule:git.network rule:git.push-force net", NULL },
};

static void
forbids_when_the_other_side_loses_history(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_the_other_side_loses_history_rows,
				     COUNT_OF(forbids_when_the_other_side_loses_history_rows)),
			 0);
}

static const struct fixture_row finds_the_code_when_git_runs_some_rows[] = {
	{ "git -c core.pager='less -R' log",
	  "rule:git.config-program [git config!prompt sh: less -R] sandbox", NULL },
	{ "git -c CORE.Pager='less -R' log",
	  "rule:git.config-program [git config!prompt sh: less -R] sandbox", NULL },
	{ "git -c alias.x='!rm -rf ~' x",
	  "rule:git.config-program rule:git.alias [git alias!prompt sh: rm -rf ~]", NULL },
	{ "git -c alias.x='reset --hard' x a",
	  "rule:git.config-program rule:git.alias [git alias!prompt!split sh: git reset --hard a]",
	  NULL },
	{ "git -c core.fsmonitor='rm -rf ~' status",
	  "rule:git.config-program [git config!prompt sh: rm -rf ~] sandbox", NULL },
	{ "git -c core.fsmonitor=true status", "rule:git.config-program sandbox", NULL },
	{ "git -c core.sshCommand='rm -rf ~ #' fetch git@h:x.git",
	  "rule:git.network rule:git.config-program [git config!prompt sh: rm -rf ~ #] net", NULL },
	{ "git -c diff.external='rm -rf ~ #' diff HEAD~1",
	  "rule:git.config-program [git config!prompt sh: rm -rf ~ #] sandbox", NULL },
	{ "git -c diff.x.textconv=./t diff",
	  "rule:git.config-program [git config!prompt sh: ./t] sandbox", NULL },
	{ "git -c filter.x.smudge=./t checkout x",
	  "rule:git.changes rule:git.config-program [git config!prompt sh: ./t]", NULL },
	{ "git -c credential.helper='!rm -rf ~' fetch",
	  "rule:git.network rule:git.config-program [git credential helper!prompt sh: rm -rf ~] "
	  "net",
	  NULL },
	{ "git -c core.hooksPath=/tmp/h commit",
	  "rule:git.changes rule:git.hooks-path [git hook!later sh file: /tmp/h/pre-commit] [git "
	  "hook!later sh file: /tmp/h/commit-msg] [git hook!later sh file: /tmp/h/post-commit] "
	  "[git hook!later sh file: /tmp/h/post-checkout] [git hook!later sh file: "
	  "/tmp/h/post-merge] [git hook!later sh file: /tmp/h/pre-push]",
	  NULL },
	{ "git -c include.path=/tmp/c log", "rule:git.config-include read:/tmp/c sandbox", NULL },
	{ "git -c gpg.program=/tmp/g log",
	  "rule:git.config-program [git config!prompt!split sh: /tmp/g] sandbox", NULL },
	{ "git -c protocol.ext.allow=always ls-remote 'ext::sh -c rm% -rf% ~'",
	  "rule:git.ext-transport rule:git.network rule:git.config-override [git ext::!prompt: sh "
	  "-c rm -rf ~] net",
	  NULL },
	{ "git --config-env=core.pager=P log", "rule:git.config-env sandbox", NULL },
	{ "git --exec-path=/tmp/x status", "rule:git.exec-path sandbox", NULL },
	{ "git clone -c core.sshCommand=./s git@h:x.git",
	  "rule:git.network rule:git.config-program [git config!prompt sh: ./s] net", NULL },
	{ "git config core.hooksPath .hooks",
	  "rule:git.config rule:git.hooks-path [git hook!later sh file: .hooks/pre-commit] [git "
	  "hook!later sh file: .hooks/commit-msg] [git hook!later sh file: .hooks/post-commit] "
	  "[git hook!later sh file: .hooks/post-checkout] [git hook!later sh file: "
	  ".hooks/post-merge] [git hook!later sh file: .hooks/pre-push] sandbox",
	  NULL },
	{ "git config --global alias.x '!rm -rf ~'",
	  "rule:git.config rule:git.config-program [git alias!later!prompt sh: rm -rf ~] sandbox",
	  NULL },
	{ "git config alias.co checkout",
	  "rule:git.config rule:git.config-program [git alias!later!prompt!split sh: git checkout] "
	  "sandbox",
	  NULL },
	{ "git ls-remote --upload-pack='rm -rf ~ #' .", "rule:git.network [git sh: rm -rf ~ #] net",
	  NULL },
	{ "git ls-remote --upload-pa='./up' .", "rule:git.network [git sh: ./up] net", NULL },
	{ "git clone -u ./up x", "rule:git.network [git sh: ./up] net", NULL },
	{ "git fetch --upload-pack ./up", "rule:git.network [git sh: ./up] net", NULL },
	{ "git push --receive-pack='rm -rf ~ #' . main",
	  "rule:git.network [git sh: rm -rf ~ #] net", NULL },
	{ "git push --exec ./x", "rule:git.network [git sh: ./x] net", NULL },
	{ "git archive --remote=. --exec='rm -rf ~ #' HEAD",
	  "rule:git.asks-remote [git sh: rm -rf ~ #] net sandbox", NULL },
	{ "git grep -O'rm -rf ~ #' main", "rule:git.opens-pager [git sh: rm -rf ~ #] sandbox",
	  NULL },
	{ "git grep --open=vim main", "rule:git.opens-pager [git sh: vim] sandbox", NULL },
	{ "git grep -O main", "rule:git.opens-pager sandbox unknown", NULL },
	{ "git rebase -x 'make test' HEAD~3", "rule:git.changes [git sh: make test]", NULL },
	{ "git rebase --exec='rm -rf ~' HEAD~2", "rule:git.changes [git sh: rm -rf ~]", NULL },
	{ "git bisect run rm -rf /", "rule:git.runs-command [git: rm -rf /]", NULL },
	{ "git bisect run --help", "rule:git.runs-command [git: --help]", NULL },
	{ "git submodule foreach --recursive 'rm -rf ~'",
	  "rule:git.runs-command [git submodule foreach!prompt sh: rm -rf ~]", NULL },
	{ "git submodule foreach git pull",
	  "rule:git.runs-command [git submodule foreach!prompt: git pull]", NULL },
	{ "git for-each-repo --config=x gc",
	  "rule:git.runs-command [git for-each-repo!prompt: git gc]", NULL },
	{ "git difftool -x 'rm -rf ~' HEAD", "rule:git.runs-tool [git sh: rm -rf ~]", NULL },
	{ "git send-email --to-cmd='rm -rf ~' x.patch",
	  "rule:git.send-email send:x.patch [git sh: rm -rf ~] net", NULL },
	{ "git filter-branch --tree-filter 'rm -rf /' HEAD",
	  "rule:git.rewrites-history [git sh: rm -rf /]", NULL },
};

static void
finds_the_code_when_git_runs_some(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, finds_the_code_when_git_runs_some_rows,
				     COUNT_OF(finds_the_code_when_git_runs_some_rows)),
			 0);
}

static const struct fixture_row judges_paths_when_git_reads_or_deletes_files_rows[] = {
	{ "git diff /etc/shadow x", "read:/etc/shadow sandbox", NULL },
	{ "git diff --no-index /dev/null ../x", "read:/dev/null read:../x sandbox", NULL },
	{ "git rm -rf .", "rule:git.changes delete-tree:.", NULL },
	{ "git -C sub rm -rf x", "rule:git.changes delete-tree:sub/x", NULL },
	{ "git config -f /etc/x a.b c", "read:/etc/x rule:git.config edit:/etc/x sandbox", NULL },
	{ "git config -f x --get a.b", "read:x sandbox", NULL },
	{ "git blame --contents /etc/shadow x", "read:/etc/shadow sandbox", NULL },
	{ "git hash-object /etc/shadow", "read:/etc/shadow sandbox", NULL },
	{ "git -C sub hash-object x", "read:sub/x sandbox", NULL },
};

static void
judges_paths_when_git_reads_or_deletes_files(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, judges_paths_when_git_reads_or_deletes_files_rows,
				     COUNT_OF(judges_paths_when_git_reads_or_deletes_files_rows)),
			 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_repository_when_nothing_is_told_to_change),
		cmocka_unit_test(asks_when_the_repository_changes),
		cmocka_unit_test(asks_when_another_repository_is_asked),
		cmocka_unit_test(forbids_when_work_is_lost),
		cmocka_unit_test(forbids_when_the_other_side_loses_history),
		cmocka_unit_test(finds_the_code_when_git_runs_some),
		cmocka_unit_test(judges_paths_when_git_reads_or_deletes_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
