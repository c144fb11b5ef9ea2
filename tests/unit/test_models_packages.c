/* SPDX-License-Identifier: MIT */
/* Package managers: what they list, install, run and publish. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_lists_when_packages_are_only_shown_rows[] = {
	{ "npm --version", "", NULL },
	{ "npm -v", "", NULL },
	{ "npm ls --depth=0", "sandbox", NULL },
	{ "npm list -g --json", "sandbox", NULL },
	{ "npm config list", "sandbox", NULL },
	{ "npm help install", "sandbox", NULL },
	{ "npm install --help", "", NULL },
	{ "pnpm ls", "sandbox", NULL },
	{ "pip list", "sandbox", NULL },
	{ "pip3.11 list --format=json", "sandbox", NULL },
	{ "pip show requests", "sandbox", NULL },
	{ "pip freeze", "sandbox", NULL },
	{ "pip --version", "", NULL },
	{ "pip check", "sandbox", NULL },
	{ "pipx list", "sandbox", NULL },
	{ "uv --version", "", NULL },
	{ "uv pip list", "sandbox", NULL },
	{ "uv python list", "sandbox", NULL },
	{ "conda list", "sandbox", NULL },
	{ "conda info", "sandbox", NULL },
	{ "conda env list", "sandbox", NULL },
	{ "poetry --version", "", NULL },
	{ "gem list", "sandbox", NULL },
	{ "gem environment", "sandbox", NULL },
	{ "gem --version", "", NULL },
	{ "composer --version", "", NULL },
	{ "opam list", "sandbox", NULL },
	{ "nvm list", "sandbox", NULL },
	{ "rustup show", "rule:package.run", NULL },
	{ "asdf current", "sandbox", NULL },
	{ "pyenv versions", "sandbox", NULL },
	{ "apt list --installed", "", NULL },
	{ "apt show bash", "", NULL },
	{ "apt-cache policy jq", "", NULL },
	{ "apt-get --version", "", NULL },
	{ "apt-mark showhold", "", NULL },
	{ "dpkg -l", "", NULL },
	{ "dpkg -L bash", "", NULL },
	{ "dpkg -S /bin/ls", "", NULL },
	{ "dpkg --get-selections", "", NULL },
	{ "dpkg-query -W -f '${Package}' bash", "", NULL },
	{ "rpm -qa", "", NULL },
	{ "rpm -qi bash", "", NULL },
	{ "rpm -ql bash", "", NULL },
	{ "dnf list installed", "", NULL },
	{ "pacman -Q", "", NULL },
	{ "pacman -Qi bash", "", NULL },
	{ "apk info", "", NULL },
	{ "apk list --installed", "", NULL },
	{ "brew list", "", NULL },
	{ "brew --version", "", NULL },
	{ "brew --prefix", "", NULL },
	{ "snap list", "", NULL },
	{ "flatpak list", "", NULL },
	{ "port installed", "", NULL },
	{ "cargo --version", "", NULL },
	{ "cargo -vV", "", NULL },
	{ "cargo --list", "", NULL },
	{ "cargo locate-project", "sandbox", NULL },
	{ "cargo fmt --check", "sandbox", NULL },
	{ "cargo fmt -- --check", "sandbox", NULL },
};

static void
reads_lists_when_packages_are_only_shown(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, reads_lists_when_packages_are_only_shown_rows,
				     COUNT_OF(reads_lists_when_packages_are_only_shown_rows)),
			 0);
}

static const struct fixture_row asks_when_packages_are_installed_rows[] = {
	{ "npm install", "rule:package.install net", NULL },
	{ "npm i -g x", "rule:package.install net", NULL },
	{ "npm ci", "rule:package.install net", NULL },
	{ "npm update", "rule:package.install net", NULL },
	{ "npm audit fix", "rule:package.install net", NULL },
	{ "npm view x", "rule:package.network net", NULL },
	{ "npm outdated", "rule:package.network net", NULL },
	{ "npm init -y", "rule:package.install net", NULL },
	{ "npm link", "rule:package.install net", NULL },
	{ "pnpm add x", "rule:package.install net", NULL },
	{ "yarn", "rule:package.install net", NULL },
	{ "yarn add x", "rule:package.install net", NULL },
	{ "yarn list", "rule:package.run", NULL },
	{ "yarn format x", "rule:package.run", NULL },
	{ "yarn prisma migrate reset", "rule:package.run [yarn!prompt: prisma migrate reset]",
	  NULL },
	{ "npx @openai/codex@1 --yolo", "rule:package.fetch-and-run [npx!prompt: codex --yolo] net",
	  NULL },
	{ "bun install", "rule:package.install net", NULL },
	{ "bun add -d x", "rule:package.install net", NULL },
	{ "corepack enable", "rule:package.run", NULL },
	{ "pip install requests", "rule:package.install net", NULL },
	{ "pip install -r requirements.txt", "rule:package.install read:requirements.txt net",
	  NULL },
	{ "pip install git+https://git.example.com/x.git", "rule:package.install net", NULL },
	{ "pip install -v x", "rule:package.install net", NULL },
	{ "pip list --outdated", "rule:package.network sandbox", NULL },
	{ "pip download x", "rule:package.install net", NULL },
	{ "pip uninstall -y x", "rule:package.remove", NULL },
	{ "pip cache purge", "rule:package.remove", NULL },
	{ "pip config set global.index-url x", "rule:package.change", NULL },
	{ "pipx install x", "rule:package.install net", NULL },
	{ "uv sync", "rule:package.install net", NULL },
	{ "uv add x", "rule:package.install net", NULL },
	{ "uv pip install x", "rule:package.install net", NULL },
	{ "uv venv", "rule:package.install net", NULL },
	{ "poetry install", "rule:package.install net", NULL },
	{ "poetry add x", "rule:package.install net", NULL },
	{ "pipenv install", "rule:package.install net", NULL },
	{ "conda install -y x", "rule:package.install net", NULL },
	{ "conda remove x", "rule:package.remove", NULL },
	{ "mamba create -n x", "rule:package.install net", NULL },
	{ "hatch build", "rule:package.install net", NULL },
	{ "gem install rails", "rule:package.install net", NULL },
	{ "gem install -v 1.0 rails", "rule:package.install net", NULL },
	{ "bundle install", "rule:package.install net", NULL },
	{ "bundle", "rule:package.install net", NULL },
	{ "composer install", "rule:package.install net", NULL },
	{ "composer require x/y -v", "rule:package.install net", NULL },
	{ "mix deps.get", "rule:package.install net", NULL },
	{ "dotnet restore", "rule:package.install net", NULL },
	{ "dotnet build -v q", "rule:package.run", NULL },
	{ "opam install x", "rule:package.install net", NULL },
	{ "stack build", "rule:package.install net", NULL },
	{ "luarocks install x", "rule:package.run", NULL },
	{ "cpanm Foo", "rule:package.run", NULL },
	{ "nvm install 20", "rule:package.install net", NULL },
	{ "rustup update", "rule:package.install net", NULL },
	{ "rustup default nightly", "rule:package.install net", NULL },
	{ "asdf install", "rule:package.install net", NULL },
	{ "apt-get install -y jq", "rule:package.install net", NULL },
	{ "apt-get update", "rule:package.network net", NULL },
	{ "apt upgrade", "rule:package.install net", NULL },
	{ "apt autoremove", "rule:package.remove", NULL },
	{ "apt remove jq", "rule:package.remove", NULL },
	{ "aptitude hold x", "rule:package.install net", NULL },
	{ "apt-mark hold x", "rule:package.change", NULL },
	{ "add-apt-repository ppa:x", "rule:package.change", NULL },
	{ "dpkg -i x.deb", "rule:package.install", NULL },
	{ "dpkg -r x", "rule:package.remove", NULL },
	{ "dpkg --configure -a", "rule:package.install", NULL },
	{ "rpm -ivh x.rpm", "rule:package.install", NULL },
	{ "rpm -Uvh x.rpm", "rule:package.install", NULL },
	{ "rpm -e x", "rule:package.remove", NULL },
	{ "rpm --eval '%{lua: os.execute()}'", "rule:rpm.eval", NULL },
	{ "dnf install x", "rule:package.install net", NULL },
	{ "yum remove x", "rule:package.remove", NULL },
	{ "zypper in x", "rule:package.install net", NULL },
	{ "pacman -S x", "rule:package.install", NULL },
	{ "pacman -Syu", "rule:package.install", NULL },
	{ "pacman -Rs x", "rule:package.remove", NULL },
	{ "yay x", "rule:package.install", NULL },
	{ "apk add x", "rule:package.install net", NULL },
	{ "apk del x", "rule:package.remove", NULL },
	{ "emerge x", "rule:package.install", NULL },
	{ "brew install x", "rule:package.install net", NULL },
	{ "brew info x", "rule:package.network net", NULL },
	{ "brew uninstall --force x", "rule:package.remove", NULL },
	{ "brew services start x", "rule:package.install net", NULL },
	{ "snap install x", "rule:package.install net", NULL },
	{ "snap remove x", "rule:package.remove", NULL },
	{ "flatpak install x", "rule:package.install net", NULL },
	{ "port install x", "rule:package.install net", NULL },
	{ "nix-env -i x", "rule:nix.evaluate", NULL },
	{ "nix build", "rule:nix.evaluate net", NULL },
	{ "nix-collect-garbage -d", "rule:package.delete-generations", NULL },
	{ "guix install x", "rule:nix.evaluate net", NULL },
	{ "winget install x", "rule:package.install net", NULL },
	{ "choco install x", "rule:package.install net", NULL },
	{ "xbps-install x", "rule:package.change", NULL },
	{ "npm --foo ls", "sandbox unknown", NULL },
	{ "npm nosuch", "rule:package.run", NULL },
	{ "yarn build --help", "rule:package.run", NULL },
};

static void
asks_when_packages_are_installed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_packages_are_installed_rows,
				     COUNT_OF(asks_when_packages_are_installed_rows)),
			 0);
}

static const struct fixture_row forbids_when_a_release_or_the_system_goes_rows[] = {
	{ "npm unpublish pkg-x --force", "rule:package.unpublish net", NULL },
	{ "npm unpublish x@1.0.0", "rule:package.unpublish net", NULL },
	{ "gem yank x -v 1", "rule:package.unpublish net", NULL },
	{ "dotnet nuget delete x 1.0", "rule:package.unpublish net", NULL },
	{ "mix ecto.drop", "rule:mix.drop", NULL },
	{ "apt purge -y sudo", "rule:package.remove-essential", NULL },
	{ "apt-get remove --allow-remove-essential x",
	  "rule:package.force rule:package.remove rule:package.remove-essential", NULL },
	{ "apt-get remove linux-image-6.1", "rule:package.remove-essential", NULL },
	{ "dpkg -P --force-all x",
	  "rule:package.force rule:package.remove rule:package.remove-essential", NULL },
	{ "dpkg --purge bash", "rule:package.remove-essential", NULL },
	{ "rpm -e --nodeps glibc", "rule:package.force rule:package.remove-essential", NULL },
	{ "yum remove -y '*'", "rule:package.remove-essential", NULL },
	{ "dnf remove systemd", "rule:package.remove-essential", NULL },
	{ "pacman -Rdd glibc", "rule:package.remove-essential", NULL },
	{ "apk del musl", "rule:package.remove-essential", NULL },
};

static void
forbids_when_a_release_or_the_system_goes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, forbids_when_a_release_or_the_system_goes_rows,
				     COUNT_OF(forbids_when_a_release_or_the_system_goes_rows)),
			 0);
}

static const struct fixture_row asks_when_a_release_or_an_account_changes_rows[] = {
	{ "npm publish", "rule:package.publish net", NULL },
	{ "npm deprecate x y", "rule:package.publish net", NULL },
	{ "npm owner add a b", "rule:package.access net", NULL },
	{ "npm token create", "rule:package.login net", NULL },
	{ "npm login", "rule:package.login net", NULL },
	{ "npm dist-tag add x", "rule:package.publish net", NULL },
	{ "cargo publish", "rule:package.publish net", NULL },
	{ "cargo yank --vers 1", "rule:package.publish net", NULL },
	{ "cargo owner --add x", "rule:package.access net", NULL },
	{ "cargo login", "rule:package.access net", NULL },
	{ "gem push x.gem", "rule:package.publish net", NULL },
	{ "poetry publish", "rule:package.publish net", NULL },
	{ "twine upload dist/x", "rule:package.publish net", NULL },
	{ "mix hex.publish", "rule:package.publish net", NULL },
	{ "uv publish", "rule:package.publish net", NULL },
};

static void
asks_when_a_release_or_an_account_changes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_a_release_or_an_account_changes_rows,
				     COUNT_OF(asks_when_a_release_or_an_account_changes_rows)),
			 0);
}

static const struct fixture_row finds_the_command_when_a_manager_runs_one_rows[] = {
	{ "npm run build", "rule:package.run", NULL },
	{ "npm test", "rule:package.run", NULL },
	{ "npm exec -- rimraf /", "rule:package.fetch-and-run [npx!prompt: rimraf /] net", NULL },
	{ "npm exec -c 'rm -rf ~'", "rule:package.fetch-and-run [npm sh: rm -rf ~] net", NULL },
	{ "npm x prisma migrate reset",
	  "rule:package.fetch-and-run [npx!prompt: prisma migrate reset] net", NULL },
	{ "npm explore x -- rm -rf y", "rule:package.run [npm explore!prompt: rm -rf y]", NULL },
	{ "npm config set script-shell 'rm -rf ~'",
	  "rule:package.change [npm config!later!prompt sh: rm -rf ~]", NULL },
	{ "npm set script-shell=./x", "rule:package.change [npm config!later!prompt sh: ./x]",
	  NULL },
	{ "npm --script-shell=./x test",
	  "rule:package.run rule:package.script-shell [npm!prompt!split sh: ./x]", NULL },
	{ "npx prisma@5 migrate reset --force",
	  "rule:package.fetch-and-run [npx!prompt: prisma migrate reset --force] net", NULL },
	{ "npx -y -p x -c 'rm -rf ~'", "rule:package.fetch-and-run [npx sh: rm -rf ~] net", NULL },
	{ "npx @scope/x@1 y", "rule:package.fetch-and-run [npx!prompt: @scope/x@1 y] net", NULL },
	{ "pnpm dlx rimraf /", "rule:package.fetch-and-run [npx!prompt: rimraf /] net", NULL },
	{ "pnpm exec rm -rf /", "rule:package.fetch-and-run [npx!prompt: rm -rf /] net", NULL },
	{ "yarn dlx x", "rule:package.fetch-and-run [npx!prompt: x] net", NULL },
	{ "yarn run rm -rf /", "rule:package.run [yarn: rm -rf /]", NULL },
	{ "bunx x", "rule:package.fetch-and-run [npx!prompt: x] net", NULL },
	{ "bun x rm -rf /", "rule:package.fetch-and-run [npx!prompt: rm -rf /] net", NULL },
	{ "bun run build", "rule:package.run", NULL },
	{ "bun index.ts", "rule:package.run [bun other file: index.ts]", NULL },
	{ "bun -e 'x'", "[bun other: x]", NULL },
	{ "uv run rm -rf /", "rule:package.run [uv: rm -rf /]", NULL },
	{ "uv run --with x python a.py", "rule:package.run [uv: python a.py]", NULL },
	{ "uvx ruff check", "rule:package.fetch-and-run [npx!prompt: ruff check] net", NULL },
	{ "uv tool run ruff", "rule:package.fetch-and-run [npx!prompt: ruff] net", NULL },
	{ "pipx run x", "rule:package.fetch-and-run [npx!prompt: x] net", NULL },
	{ "poetry run pytest", "rule:package.run [poetry: pytest]", NULL },
	{ "pipenv run rm -rf /", "rule:package.run [pipenv: rm -rf /]", NULL },
	{ "conda run -n e rm -rf /", "rule:package.run [conda: rm -rf /]", NULL },
	{ "hatch run rm -rf /", "rule:package.run [hatch: rm -rf /]", NULL },
	{ "bundle exec rails db:drop", "rule:package.run [bundle: rails db:drop]", NULL },
	{ "mise exec -- rm -rf /", "rule:package.run [nvm: rm -rf /]", NULL },
	{ "rbenv exec rm -rf /", "rule:package.run [nvm: rm -rf /]", NULL },
	{ "opam exec -- rm -rf /", "rule:package.run [opam: rm -rf /]", NULL },
	{ "nix-shell -p x --run 'rm -rf ~'", "rule:nix.evaluate [nix-shell sh: rm -rf ~]", NULL },
	{ "nix develop -c rm -rf /", "rule:package.run [nix: rm -rf /] net", NULL },
	{ "guix shell x -- rm -rf /", "rule:package.run [guix!prompt: rm -rf /]", NULL },
	{ "snap run x", "rule:package.run [port: x]", NULL },
	{ "apt-get -o APT::Update::Pre-Invoke::='rm -rf ~' update",
	  "rule:package.network rule:package.option [apt option!prompt sh: rm -rf ~] net", NULL },
	{ "apt-get -o Dpkg::Options::=--force-confold install x",
	  "rule:package.install rule:package.option net", NULL },
	{ "apt list -o Dir::Bin::dpkg=/tmp/x", "rule:package.option [apt option!prompt sh: /tmp/x]",
	  NULL },
	{ "dpkg --pre-invoke='rm -rf ~' -i x.deb", "rule:package.install [dpkg sh: rm -rf ~]",
	  NULL },
};

static void
finds_the_command_when_a_manager_runs_one(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, finds_the_command_when_a_manager_runs_one_rows,
				     COUNT_OF(finds_the_command_when_a_manager_runs_one_rows)),
			 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_lists_when_packages_are_only_shown),
		cmocka_unit_test(asks_when_packages_are_installed),
		cmocka_unit_test(forbids_when_a_release_or_the_system_goes),
		cmocka_unit_test(asks_when_a_release_or_an_account_changes),
		cmocka_unit_test(finds_the_command_when_a_manager_runs_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
