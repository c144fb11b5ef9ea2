/* SPDX-License-Identifier: MIT */
/* Build tools, compilers and linters: what runs code of the project. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row reads_when_a_tool_runs_nothing_of_the_project_rows[] = {
	{ "make --version", "", NULL },
	{ "make -v", "", NULL },
	{ "cmake --version", "", NULL },
	{ "ninja --version", "", NULL },
	{ "cmake -E echo x", "", NULL },
	{ "cmake -E cat a", "read:a", NULL },
	{ "rustc -V", "", NULL },
	{ "rustc --explain E0001", "", NULL },
	{ "rustc --version --verbose", "", NULL },
	{ "rustfmt --check src/a.rs", "read:src/a.rs sandbox", NULL },
	{ "go version", "", NULL },
	{ "go env GOPATH", "", NULL },
	{ "go help build", "", NULL },
	{ "go doc fmt.Println", "sandbox", NULL },
	{ "gofmt -l .", "read:.", NULL },
	{ "gofmt -d x.go", "read:x.go", NULL },
	{ "gcc --version", "", NULL },
	{ "gcc -v", "", NULL },
	{ "clang-14 --version", "", NULL },
	{ "gcc -dumpmachine", "", NULL },
	{ "javac -version", "", NULL },
	{ "tsc --version", "", NULL },
	{ "llvm-objdump -d x", "read:x", NULL },
	{ "shellcheck run.sh", "read:run.sh", NULL },
	{ "shellcheck -s bash -f json -e SC2086 x.sh", "read:x.sh", NULL },
	{ "clang-format x.c", "read:x.c", NULL },
	{ "clang-format --dry-run --Werror x.c", "read:x.c", NULL },
	{ "yamllint x.yml", "read:x.yml sandbox", NULL },
	{ "tokei src", "list:src", NULL },
	{ "eslint --version", "", NULL },
	{ "jest --version", "", NULL },
	{ "pytest --version", "", NULL },
	{ "mvn -v", "", NULL },
	{ "gradle --version", "", NULL },
	{ "black --version", "", NULL },
	{ "pdflatex --version", "", NULL },
	{ "doxygen --version", "", NULL },
	{ "cargo version", "sandbox", NULL },
	{ "rimraf --version", "", NULL },
};

static void
reads_when_a_tool_runs_nothing_of_the_project(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, reads_when_a_tool_runs_nothing_of_the_project_rows,
				     COUNT_OF(reads_when_a_tool_runs_nothing_of_the_project_rows)),
			 0);
}

static const struct fixture_row asks_when_code_of_the_project_runs_rows[] = {
	{ "make", "rule:build.project-code", NULL },
	{ "make -n", "rule:build.project-code", NULL },
	{ "make -j4 test", "rule:build.project-code", NULL },
	{ "make -C sub all", "rule:build.project-code", NULL },
	{ "gmake install", "rule:build.project-code", NULL },
	{ "ninja -C build", "rule:build.project-code", NULL },
	{ "cmake -S . -B build", "rule:build.project-code", NULL },
	{ "cmake --build build", "rule:build.project-code", NULL },
	{ "cmake -P x.cmake", "rule:build.project-code [cmake other file: x.cmake]", NULL },
	{ "cmake -E touch x", "make:x", NULL },
	{ "ctest", "rule:build.project-code", NULL },
	{ "bazel build //...", "rule:build.project-code", NULL },
	{ "gradle build", "rule:build.project-code", NULL },
	{ "mvn clean install", "rule:build.project-code", NULL },
	{ "ant", "rule:build.project-code", NULL },
	{ "sbt test", "rule:build.project-code", NULL },
	{ "cargo check", "rule:build.project-code", NULL },
	{ "cargo build --release", "rule:build.project-code", NULL },
	{ "cargo test --release", "rule:build.project-code", NULL },
	{ "cargo +nightly clippy", "rule:build.project-code", NULL },
	{ "cargo run -- -x", "rule:build.project-code", NULL },
	{ "cargo clean", "rule:build.format", NULL },
	{ "cargo tree", "rule:package.install net", NULL },
	{ "cargo metadata", "rule:package.install net", NULL },
	{ "cargo install ripgrep", "rule:package.install net", NULL },
	{ "cargo fmt", "rule:build.format sandbox", NULL },
	{ "cargo xtask --help", "rule:build.project-code", NULL },
	{ "go build ./...", "rule:build.project-code", NULL },
	{ "go test ./...", "rule:build.project-code", NULL },
	{ "go generate ./...", "rule:build.project-code", NULL },
	{ "go vet ./...", "rule:build.project-code", NULL },
	{ "go list -m all", "rule:build.project-code", NULL },
	{ "go run example.com/tool@latest", "rule:build.project-code net", NULL },
	{ "go get x", "rule:package.install net", NULL },
	{ "go mod tidy", "rule:package.install net", NULL },
	{ "go install x@latest", "rule:package.install net", NULL },
	{ "go env -w X=y", "rule:go.env-write", NULL },
	{ "go fmt ./...", "rule:build.format", NULL },
	{ "go clean -modcache", "rule:build.format", NULL },
	{ "gofmt -w x.go", "edit:x.go", NULL },
	{ "rustfmt x.rs", "edit:x.rs sandbox", NULL },
	{ "rustc x.rs", "rule:build.compile", NULL },
	{ "rustc -C linker=./x x.rs", "rule:build.compile rule:build.plugin", NULL },
	{ "gcc -o x x.c", "write:x read:x.c rule:build.compile", NULL },
	{ "gcc x.c", "read:x.c rule:build.compile", NULL },
	{ "clang++ -fplugin=./x.so x.cc", "rule:build.plugin read:x.cc rule:build.compile", NULL },
	{ "ld -o x x.o", "rule:build.compile write:x read:x.o", NULL },
	{ "javac X.java", "rule:build.compile read:X.java", NULL },
	{ "tsc", "rule:build.compile", NULL },
	{ "tsc --noEmit", "rule:build.compile", NULL },
	{ "ldd ./a.out", "rule:build.project-code execute:./a.out", NULL },
	{ "llvm-strip x", "rule:build.compile edit:x", NULL },
	{ "patchelf --set-rpath x y", "rule:build.compile edit:x write:y", NULL },
	{ "webpack", "rule:build.project-code", NULL },
	{ "vite build", "rule:build.project-code", NULL },
	{ "jest", "rule:build.project-code", NULL },
	{ "vitest run", "rule:build.project-code", NULL },
	{ "mocha", "rule:build.project-code", NULL },
	{ "pytest -p myplugin tests/", "rule:build.project-code", NULL },
	{ "tox", "rule:build.project-code", NULL },
	{ "rspec", "rule:build.project-code", NULL },
	{ "eslint .", "rule:build.lint", NULL },
	{ "prettier --check .", "rule:build.lint", NULL },
	{ "black .", "rule:build.lint", NULL },
	{ "ruff check", "rule:build.lint", NULL },
	{ "mypy src", "rule:build.lint", NULL },
	{ "golangci-lint run", "rule:build.lint", NULL },
	{ "clang-tidy x.c", "rule:build.lint", NULL },
	{ "clang-format -i x.c", "edit:x.c", NULL },
	{ "sphinx-build . out", "rule:build.project-code", NULL },
	{ "hugo", "rule:build.project-code", NULL },
	{ "pdflatex -shell-escape x.tex",
	  "rule:build.project-code rule:build.shell-escape read:x.tex", NULL },
	{ "nodemon x.js", "rule:build.project-code", NULL },
	{ "task build", "rule:build.project-code", NULL },
	{ "elfedit --plugin ./x.so y", "rule:build.compile edit:./x.so write:y", NULL },
};

static void
asks_when_code_of_the_project_runs(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, asks_when_code_of_the_project_runs_rows,
				     COUNT_OF(asks_when_code_of_the_project_runs_rows)),
			 0);
}

static const struct fixture_row finds_the_command_when_a_build_tool_runs_one_rows[] = {
	{ "make --eval='x:=$(shell rm -rf ~)'",
	  "rule:build.project-code [make other: x:=$(shell rm -rf ~)]", NULL },
	{ "make VAR='$(shell rm -rf ~)'",
	  "rule:build.project-code [make!prompt other: VAR=$(shell rm -rf ~)]", NULL },
	{ "make SHELL='rm -rf ~'", "rule:build.project-code [make!prompt!split sh: rm -rf ~]",
	  NULL },
	{ "make X!='rm -rf ~'", "rule:build.project-code [make!prompt other: X!=rm -rf ~]", NULL },
	{ "make -f x.mk", "rule:build.project-code [make other file: x.mk]", NULL },
	{ "cmake -E rm -rf /", "delete-tree:/", NULL },
	{ "cmake -E remove_directory x", "delete-tree:x", NULL },
	{ "cmake -E env A=b rm -rf /", "[cmake -E!prompt: rm -rf /]", NULL },
	{ "cmake -E chdir sub rm -rf x", "[cmake -E!prompt in sub: rm -rf x]", NULL },
	{ "cmake -E time rm -rf /", "[cmake -E!prompt: rm -rf /]", NULL },
	{ "cmake -E copy a b", "read:a write:b", NULL },
	{ "cmake -E rename a b", "move:a write:b", NULL },
	{ "cmake -E create_symlink a b", "list:a make:b", NULL },
	{ "cmake -E nosuch a", "rule:cmake.tool", NULL },
	{ "go test -exec 'rm -rf ~' ./...",
	  "rule:build.project-code [go!prompt!split sh: rm -rf ~]", NULL },
	{ "go build -toolexec=./x", "rule:build.project-code [go!prompt!split sh: ./x]", NULL },
	{ "go vet -vettool=./x ./...", "rule:build.project-code [go!prompt!split sh: ./x]", NULL },
	{ "gcc -wrapper sh,-c,'rm -rf ~' a.c",
	  "rule:build.plugin read:a.c rule:build.compile [gcc -wrapper!prompt: sh -c rm -rf ~]",
	  NULL },
	{ "nodemon --exec 'rm -rf ~'", "rule:build.project-code [nodemon sh: rm -rf ~]", NULL },
	{ "concurrently 'rm -rf a' 'rm -rf ~'",
	  "rule:build.project-code [concurrently!prompt sh: rm -rf a] [concurrently!prompt sh: rm "
	  "-rf ~]",
	  NULL },
	{ "cross-env A=b rm -rf /", "rule:build.project-code [cross-env!prompt: rm -rf /]", NULL },
	{ "rimraf /", "delete-tree:/", NULL },
	{ "rimraf dist", "delete-tree:dist", NULL },
	{ "shx rm -rf /", "rule:build.project-code [shx: rm -rf /]", NULL },
	{ "ccache gcc x.c", "rule:build.compile [ccache: gcc x.c]", NULL },
	{ "bear rm -rf /", "rule:build.network [bear: rm -rf /]", NULL },
};

static void
finds_the_command_when_a_build_tool_runs_one(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, finds_the_command_when_a_build_tool_runs_one_rows,
				     COUNT_OF(finds_the_command_when_a_build_tool_runs_one_rows)),
			 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_when_a_tool_runs_nothing_of_the_project),
		cmocka_unit_test(asks_when_code_of_the_project_runs),
		cmocka_unit_test(finds_the_command_when_a_build_tool_runs_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
