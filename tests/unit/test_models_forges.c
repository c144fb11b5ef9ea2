/* SPDX-License-Identifier: MIT */
/* Forges and version control other than git. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_when_a_repository_of_this_machine_is_shown_rows[] = {
	{ "gh --version", "", NULL },	      { "gh --help", "", NULL },
	{ "gh pr --help", "", NULL },	      { "gh help", "", NULL },
	{ "glab version", "", NULL },	      { "svn status", "sandbox", NULL },
	{ "svn diff", "sandbox", NULL },      { "svn info", "sandbox", NULL },
	{ "hg status", "sandbox", NULL },     { "hg log -l 3", "sandbox", NULL },
	{ "hg diff -r 1", "sandbox", NULL },  { "hg --cwd x log", "sandbox", NULL },
	{ "hg help", "sandbox", NULL },	      { "jj log", "sandbox", NULL },
	{ "jj st", "sandbox", NULL },	      { "jj diff -r @-", "sandbox", NULL },
	{ "fossil status", "sandbox", NULL }, { "bzr status", "sandbox", NULL },
	{ "virsh list --all", "", NULL },     { "pre-commit --version", "", NULL },
	{ "svnversion", "sandbox", NULL },
};

static void
reads_when_a_repository_of_this_machine_is_shown(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, reads_when_a_repository_of_this_machine_is_shown_rows,
			    COUNT_OF(reads_when_a_repository_of_this_machine_is_shown_rows)),
		0);
}

static const struct fixture_row asks_when_a_forge_is_asked_rows[] = {
	{ "gh pr list", "rule:forge.network net", NULL },
	{ "gh -R o/r pr view 3", "rule:forge.network net", NULL },
	{ "gh issue create -t x -b y", "rule:forge.network net", NULL },
	{ "gh api repos/o/r", "rule:forge.network net", NULL },
	{ "gh api -X POST repos/o/r/issues -f title=x", "rule:forge.network net", NULL },
	{ "gh pr merge 3", "rule:forge.network net", NULL },
	{ "gh run view 1", "rule:forge.network net", NULL },
	{ "gh release create v1 a.tgz", "rule:forge.network send:a.tgz net", NULL },
	{ "gh release delete v1", "rule:forge.delete net", NULL },
	{ "gh gist create x.txt", "rule:forge.network send:x.txt net", NULL },
	{ "gh gist list", "rule:forge.network net", NULL },
	{ "gh secret set X -b y", "rule:forge.secret net", NULL },
	{ "gh secret list", "rule:forge.network net", NULL },
	{ "gh auth login", "rule:forge.login net", NULL },
	{ "gh auth status", "rule:forge.network net", NULL },
	{ "gh config get oauth_token", "rule:forge.login", NULL },
	{ "gh repo clone o/r", "rule:forge.network net", NULL },
	{ "gh repo rename x", "rule:forge.repo-archive net", NULL },
	{ "gh ssh-key add k.pub", "rule:forge.add-key send:k.pub net", NULL },
	{ "gh extension install x/y", "rule:forge.extension net", NULL },
	{ "gh alias set x '!rm -rf ~'", "rule:forge.extension", NULL },
	{ "gh workflow run x", "rule:forge.network net", NULL },
	{ "glab mr list", "rule:forge.network net", NULL },
	{ "glab variable get X", "rule:forge.secret net", NULL },
	{ "hub clone x", "rule:forge.network net", NULL },
	{ "tea pr ls", "rule:forge.network net", NULL },
	{ "jira issue list", "rule:forge.network net", NULL },
	{ "gh pr list --no-such-option --help", "rule:forge.network net", NULL },
};

static void
asks_when_a_forge_is_asked(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_a_forge_is_asked_rows,
				     COUNT_OF(asks_when_a_forge_is_asked_rows)),
			 0);
}

static const struct fixture_row forbids_when_a_forge_loses_a_repository_rows[] = {
	{ "gh repo delete o/r --yes", "rule:forge.repo-delete net", NULL },
	{ "gh api -X DELETE /repos/o/r", "rule:forge.network rule:forge.api-delete net", NULL },
	{ "gh api --method DELETE /repos/o/r", "rule:forge.network rule:forge.api-delete net",
	  NULL },
	{ "gh api graphql -f query='mutation{deleteRepository(input:{})}'",
	  "rule:forge.network rule:forge.api-delete net", NULL },
	{ "gh auth token", "rule:forge.token net", NULL },
	{ "gh auth status --show-token", "rule:forge.network rule:forge.token net", NULL },
	{ "glab repo delete g/p -y", "rule:forge.repo-delete net", NULL },
	{ "glab api -X DELETE projects/1", "rule:forge.network rule:forge.api-delete net", NULL },
	{ "hub delete o/r", "rule:forge.repo-delete net", NULL },
	{ "tea repos delete o/r", "rule:forge.repo-delete net", NULL },
};

static void
forbids_when_a_forge_loses_a_repository(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_a_forge_loses_a_repository_rows,
				     COUNT_OF(forbids_when_a_forge_loses_a_repository_rows)),
			 0);
}

static const struct fixture_row asks_when_another_version_control_changes_something_rows[] = {
	{ "svn update", "rule:vcs.network net", NULL },
	{ "svn commit -m x", "rule:vcs.network net", NULL },
	{ "svn log", "rule:vcs.network net", NULL },
	{ "svn status -u https://x.example/y", "rule:vcs.network rule:vcs.network net sandbox",
	  NULL },
	{ "svn revert x", "rule:vcs.changes", NULL },
	{ "svn rm x", "rule:vcs.changes", NULL },
	{ "svn --config-option servers:x:y=z status", "rule:vcs.config-program sandbox", NULL },
	{ "svn diff --diff-cmd ./x", "[svn sh: ./x] sandbox", NULL },
	{ "svnadmin create x", "rule:vcs.changes rule:vcs.changes", NULL },
	{ "hg commit -m x", "rule:vcs.changes", NULL },
	{ "hg pull", "rule:vcs.network net", NULL },
	{ "hg update tip", "rule:vcs.changes", NULL },
	{ "hg clone x", "rule:vcs.network net", NULL },
	{ "hg rebase", "rule:vcs.changes", NULL },
	{ "jj new", "rule:jj.changes", NULL },
	{ "jj abandon", "rule:jj.changes", NULL },
	{ "jj git push", "rule:vcs.network net", NULL },
	{ "jj --config=ui.editor=./x log", "rule:vcs.config-program sandbox", NULL },
	{ "fossil commit", "rule:vcs.changes", NULL },
	{ "fossil revert", "rule:fossil.revert", NULL },
	{ "bzr commit", "rule:vcs.changes", NULL },
	{ "p4 sync", "rule:vcs.network net", NULL },
	{ "cvs update", "rule:vcs.changes", NULL },
	{ "pre-commit run", "rule:hooks.run", NULL },
	{ "pre-commit install", "rule:hooks.install", NULL },
	{ "lefthook run x", "rule:hooks.run", NULL },
	{ "gitleaks detect", "rule:scanner.scan", NULL },
	{ "hg --config alias.x='!rm -rf ~' x",
	  "rule:vcs.config-program [hg --config!prompt sh: rm -rf ~] unknown", NULL },
	{ "hg --config hooks.update='rm -rf ~' status",
	  "rule:vcs.config-program [hg --config!prompt sh: rm -rf ~] sandbox", NULL },
	{ "hg pull -e 'rm -rf ~'", "rule:vcs.network [hg sh: rm -rf ~] net", NULL },
};

static void
asks_when_another_version_control_changes_something(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, asks_when_another_version_control_changes_something_rows,
			    COUNT_OF(asks_when_another_version_control_changes_something_rows)),
		0);
}

static const struct fixture_row forbids_when_another_version_control_loses_work_rows[] = {
	{ "svn revert -R .", "rule:vcs.revert-all rule:vcs.changes", NULL },
	{ "svn cleanup --remove-unversioned", "rule:vcs.purge", NULL },
	{ "hg update -C", "rule:vcs.changes rule:hg.update-clean", NULL },
	{ "hg up --clean tip", "rule:vcs.changes rule:hg.update-clean", NULL },
	{ "hg revert --all", "rule:vcs.changes rule:vcs.revert-all", NULL },
	{ "hg purge", "rule:vcs.purge", NULL },
	{ "hg strip tip", "rule:hg.strip", NULL },
	{ "fossil clean", "rule:fossil.clean", NULL },
	{ "bzr clean-tree", "rule:vcs.purge", NULL },
	{ "p4 obliterate -y //x", "rule:p4.obliterate net", NULL },
};

static void
forbids_when_another_version_control_loses_work(void **state)
{
	(void)state;
	assert_int_equal(
		fixture_run(NULL, forbids_when_another_version_control_loses_work_rows,
			    COUNT_OF(forbids_when_another_version_control_loses_work_rows)),
		0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_when_a_repository_of_this_machine_is_shown),
		cmocka_unit_test(asks_when_a_forge_is_asked),
		cmocka_unit_test(forbids_when_a_forge_loses_a_repository),
		cmocka_unit_test(asks_when_another_version_control_changes_something),
		cmocka_unit_test(forbids_when_another_version_control_loses_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
