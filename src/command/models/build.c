/* SPDX-License-Identifier: MIT */

/*
 * Build tools, compilers, test runners and linters.
 *
 * A build or a test is code of the project: prompt, also when it only shows what it would do, since
 * a makefile runs commands while it is read. Harmless are versions, help, and the few tools that
 * read what they are given and run nothing of the project.
 */

#include "command/models/build_impl.h"
#include "command/models/models.h"

RULE(project, "build.project-code", PROMPT, EXECUTES, "runs code of the project");
RULE(compiles, "build.compile", PROMPT, WRITES, "compiles, and writes what comes of it");
RULE(formats, "build.format", PROMPT, WRITES, "rewrites files");
RULE(lints, "build.lint", PROMPT, EXECUTES,
     "checks the project by rules that its own settings may extend with code");
RULE(plugin, "build.plugin", PROMPT, EXECUTES, "loads code into the program");
RULE(shell_escape, "build.shell-escape", PROMPT, EXECUTES, "lets the document run commands");
RULE(network, "build.network", PROMPT, NETWORK, "fetches what the build needs");
RULE(publishes, "package.publish", PROMPT, NETWORK, "publishes a release for everybody");
RULE(installs, "package.install", PROMPT, EXECUTES, "fetches, builds and installs packages");
RULE(access, "package.access", PROMPT, PRIVILEGE, "changes who may publish, or who is logged in");
RULE(go_env_write, "go.env-write", PROMPT, WRITES, "changes the settings of go for good");

/* Help in its usual spellings: -h; with -v or -V for the version as well. */
static const struct option_row help_h[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	OPTIONS_END,
};
static const struct option_row help_v[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	OPTIONS_END,
};
static const struct option_row help_V[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	OPTIONS_END,
};
static const struct option_row help_long[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	OPTIONS_END,
};

/* ---- make -------------------------------------------------------------------------------- */

static const struct option_row make_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW("C", "directory", ARG_ONE, USE_DIR),
	{ "f", "file makefile", ARG_ONE, USE_CODE_FILE, LANG_MAKE, 0, NULL, 0 },
	ROW_CODE("E", "eval", LANG_MAKE),
	ROW_PATH("I", "include-dir", DEED_LIST),
	ROW_TAKES("oW", "old-file assume-old what-if new-file assume-new"),
	ROW_MAYBE("jlO", "jobs load-average max-load output-sync debug shuffle"),
	ROW_FLAG(
		"bmBdeiknpqrRsStwNL",
		"always-make environment-overrides ignore-errors keep-going just-print dry-run "
		"recon print-data-base question no-builtin-rules no-builtin-variables silent quiet "
		"no-silent no-keep-going stop touch trace print-directory no-print-directory "
		"warn-undefined-variables check-symlink-times"),
	OPTIONS_END,
};

/* NAME=VALUE is read as a line of a makefile would be; SHELL names what runs the recipes. */
static void
refine_make(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *operand = &match->operands[i];
		struct field *value = NULL;

		if (memchr(operand->text, '=', operand->len) == NULL) {
			continue;
		}
		if (memchr(operand->text, '$', operand->len) != NULL ||
		    strstr(operand->text, "!=") != NULL) {
			find_code(found, LANG_MAKE, operand, INNER_PROMPT, "make");
		}
		if (service_starts(operand, "SHELL=")) {
			value = arena_alloc(found->arena, sizeof(*value));
		}
		if (value != NULL) {
			*value = field_tail(found->arena, operand, strlen("SHELL="));
			find_code(found, LANG_SH, value, INNER_PROMPT | INNER_SPLIT, "make");
		}
	}
}

/* ---- cmake ------------------------------------------------------------------------------- */

static const struct option_row cmake_options[] = {
	ROW_HELP("h", "help help-full help-command-list help-policy-list help-module-list"),
	ROW_ALONE("V", "version"),
	ROW_TAKES("GSBTAUDC", "build install preset config target toolchain parallel component "
			      "prefix"),
	ROW_TAKES("j", NULL),
	{ "P", NULL, ARG_ONE, USE_CODE_FILE, LANG_OTHER, 0, NULL, 0 },
	ROW("E", NULL, ARG_REST, USE_NOTHING),
	ROW_FLAG("LNW", "fresh trace verbose strip open debug-output"),
	OPTIONS_END,
};

static void
refine_cmake(const struct match *match, struct findings *found)
{
	const struct matched_option *tool = match_option(match, 'E', NULL);

	/* cmake takes -E in the first place only. */
	if (tool == NULL || tool->arg == NULL || tool->word != &match->argv[1]) {
		find_rule(found, &project, NULL);
		return;
	}
	build_cmake_tool(match, found, tool->arg);
}

/* ---- cargo and rustc --------------------------------------------------------------------- */

static const struct option_row cargo_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version list explain"),
	ROW_RULE("Z", "config", ARG_ONE, &project),
	ROW("C", NULL, ARG_ONE, USE_DIR),
	ROW_TAKES("pFj+", "package features bin example test bench target manifest-path target-dir "
			  "profile jobs color message-format exclude registry index token vers rev "
			  "branch tag git path root +"),
	ROW_FLAG("vqr", "verbose quiet release frozen locked offline all workspace lib bins tests "
			"examples benches all-targets all-features no-default-features keep-going"),
	OPTIONS_END,
};

static const struct option_row cargo_fmt_options[] = {
	ROW_FLAG(NULL, "check all"),
	ROW_TAKES("p", "package manifest-path message-format"),
	OPTIONS_END,
};

/* What is behind "--" is rustfmt's. */
static void
refine_cargo_fmt(const struct match *match, struct findings *found)
{
	bool check = service_has(match, 0, "check");

	for (size_t i = 0; i < match->operand_count; i++) {
		check |= service_operand_is(match, i, "--check");
	}
	if (!check) {
		find_rule(found, &formats, NULL);
	}
	found->flags |= FIND_SANDBOX;
}

#define DOES(names, options, rule)                                                                 \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE | PARSE_PLUS, 0, rule, NULL                \
	}
#define TALKS(names, rule)                                                                         \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE | PARSE_PLUS, FIND_NETWORK, rule, NULL        \
	}

static const struct program cargo_subs[] = {
	{ "version|help|locate-project|read-manifest|verify-project|pkgid", NULL, NULL, NULL,
	  PARSE_NO_ABBREV | PARSE_PLUS, FIND_SANDBOX, NULL, NULL },
	{ "fmt", ".*", cargo_fmt_options, NULL, PARSE_PLUS | PARSE_NO_ABBREV, 0, NULL,
	  refine_cargo_fmt },
	TALKS("install|binstall|add|update|fetch|generate-lockfile|vendor|search|info|init|new|tree"
	      "|metadata|outdated|audit|deny",
	      &installs),
	TALKS("publish|yank", &publishes),
	TALKS("owner|login|logout", &access),
	DOES("remove|rm|uninstall|clean|package|fix", NULL, &formats),
	DOES("build|b|check|c|test|t|run|r|bench|doc|d|clippy|rustc|rustdoc|miri|nextest|expand|"
	     "watch",
	     NULL, &project),
	PROGRAMS_END,
};

static void
refine_project(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &project);
	}
}

static const struct option_row rustc_options[] = {
	ROW_HELP("hV", "help version"),
	{ NULL, "explain", ARG_ONE, USE_HELP, LANG_BASH, 0, NULL, 0 },
	ROW_PATH("o", NULL, DEED_WRITE),
	ROW_PATH(NULL, "out-dir", DEED_EXTRACT),
	ROW_RULE("CZ", "codegen", ARG_ONE, &plugin),
	ROW_TAKES("LlAWDF", "print edition target crate-type crate-name emit cfg cap-lints extern "
			    "sysroot error-format color"),
	ROW_FLAG("vgO", "test verbose"),
	OPTIONS_END,
};

static const struct option_row rustfmt_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_MODE(NULL, "check", DEED_READ),
	ROW_TAKES(NULL, "edition config config-path color emit print-config style-edition"),
	ROW_FLAG("lvq", "files-with-diff verbose quiet backup"),
	OPTIONS_END,
};

/* ---- go ---------------------------------------------------------------------------------- */

static const struct option_row go_build_options[] = {
	ROW_PATH("o", NULL, DEED_WRITE),
	ROW_PROGRAM(NULL, "exec toolexec vettool"),
	ROW_TAKES("pC", "asmflags buildmode compiler gcflags gccgoflags ldflags mod modfile pkgdir "
			"tags overlay pgo run bench count cpu timeout parallel coverpkg covermode "
			"fuzz fuzztime benchtime list skip"),
	ROW_PATH(NULL,
		 "coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir",
		 DEED_WRITE),
	ROW_FLAG("anvxijc", "race msan asan cover work trimpath json short failfast benchmem v"),
	OPTIONS_END,
};

static const struct option_row go_env_options[] = {
	ROW_FLAG(NULL, "json changed"),
	ROW_RULE("wu", NULL, ARG_NONE, &go_env_write),
	OPTIONS_END,
};

static const struct option_row go_doc_options[] = {
	ROW_FLAG("cu", "all cmd short src"),
	OPTIONS_END,
};

static const struct option_row go_version_options[] = {
	ROW_FLAG("mv", NULL),
	OPTIONS_END,
};

static const struct program go_subs[] = {
	{ "version", "f*", go_version_options, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL,
	  NULL },
	{ "help", NULL, NULL, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "env", NULL, go_env_options, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "doc", NULL, go_doc_options, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, FIND_SANDBOX, NULL,
	  NULL },
	{ "get|install|mod|work|telemetry", NULL, go_build_options, NULL,
	  PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_LOOSE, FIND_NETWORK, &installs, NULL },
	{ "run", NULL, go_build_options, NULL,
	  PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_LOOSE | PARSE_POSIX, FIND_NETWORK, &project,
	  NULL },
	{ "build|test|vet|generate|list|tool|bug", NULL, go_build_options, NULL,
	  PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_LOOSE, 0, &project, NULL },
	{ "fmt|fix|clean", NULL, NULL, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_LOOSE, 0,
	  &formats, NULL },
	PROGRAMS_END,
};

static const struct option_row gofmt_options[] = {
	ROW_HELP("h", "help"),		ROW_FLAG("lds", "e"),
	ROW_TAKES("r", "local"),	ROW_PATH(NULL, "cpuprofile", DEED_WRITE),
	ROW_MODE("w", NULL, DEED_EDIT), OPTIONS_END,
};

/* ---- compilers --------------------------------------------------------------------------- */

static const struct option_row cc_options[] = {
	ROW_HELP(NULL, "help target-help"),
	ROW_ALONE(NULL, "version dumpversion dumpmachine dumpspecs"),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_PATH(NULL, "include imacros MF", DEED_READ),
	ROW_TAKES("xIDULlTuzA", "isystem idirafter iquote Xlinker Xassembler Xpreprocessor Xclang "
				"MT MQ arch target isysroot"),
	ROW_BOTH(NULL, "wrapper", ARG_ONE, USE_NOTHING, &plugin),
	ROW_RULE("B", "specs fplugin ld-path", ARG_ONE, &plugin),
	ROW_FLAG("cSEgOvwCPHM", "save-temps"),
	OPTIONS_END,
};

/* "-wrapper sh,-c,CMD" is a command with commas for blanks. */
static void
refine_cc(const struct match *match, struct findings *found)
{
	const struct matched_option *wrapper = match_option(match, 0, "wrapper");

	if (match->argc != 2 || !service_has(match, 'v', NULL)) {
		service_find(match, found, &compiles);
	}
	if (wrapper != NULL && wrapper->arg != NULL && field_is_literal(wrapper->arg)) {
		build_split_commas(found, wrapper->arg);
	}
}

static const struct option_row ld_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_ALONE("V", NULL),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_PATH(NULL, "Map", DEED_WRITE),
	ROW_RULE(NULL, "plugin", ARG_ONE, &plugin),
	ROW_TAKES("LlTemzuyh", "dynamic-linker rpath soname sysroot"),
	OPTIONS_END,
};

static const struct option_row java_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version full-version"),
	ROW_PATH("d", "sourcepath", DEED_EXTRACT),
	ROW_TAKES(NULL, "cp classpath class-path processor processorpath source target release"),
	ROW_RULE("J", "plugin", ARG_OPTIONAL, &plugin),
	OPTIONS_END,
};

/* ---- reading object files ---------------------------------------------------------------- */

static const struct option_row object_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("aAdDefghHilnprsStTuvwWxz",
		 "all disassemble disassemble-all source file-headers section-headers headers "
		 "symbols syms reloc dynamic-syms private-headers line-numbers demangle "
		 "no-show-raw-insn file-header program-headers segments sections dynamic notes "
		 "relocs wide defined-only undefined-only extern-only size-sort numeric-sort "
		 "print-size reverse-sort no-sort"),
	ROW_TAKES("jbmM", "section target architecture start-address stop-address radix "
			  "disassembler-options ifunc-chars dwarf-depth dwarf-start hex-dump "
			  "string-dump exe"),
	OPTIONS_END,
};

static const struct option_row objcopy_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version info"),
	ROW_PATH("o", "output-file", DEED_WRITE),
	ROW_BOTH(NULL, "dump-section", ARG_ONE, USE_NOTHING, &compiles),
	ROW_TAKES("IOBRjNKLGWFs",
		  "input-target output-target binary-architecture remove-section "
		  "only-section strip-symbol keep-symbol add-section rename-section "
		  "set-section-flags redefine-sym add-gnu-debuglink"),
	OPTIONS_END,
};

/* ---- linters ----------------------------------------------------------------------------- */

static const struct option_row shellcheck_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("V", "version list-optional"),
	ROW_FLAG("ax", "check-sourced external-sources norc"),
	ROW_MAYBE("C", "color"),
	ROW_TAKES("iefoPsSW", "include exclude format enable source-path shell severity "
			      "wiki-link-count extended-analysis"),
	ROW_PATH(NULL, "rcfile", DEED_READ),
	OPTIONS_END,
};

static const struct option_row clang_format_options[] = {
	ROW_HELP("h", "help help-list"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("n", "dry-run Werror verbose sort-includes output-replacements-xml dump-config"),
	ROW_TAKES(NULL,
		  "style fallback-style assume-filename lines offset length cursor ferror-limit"),
	ROW_PATH(NULL, "files", DEED_READ),
	ROW_MODE("i", NULL, DEED_EDIT),
	OPTIONS_END,
};

/* "--style=file:PATH" */
static void
refine_clang_format(const struct match *match, struct findings *found)
{
	const struct matched_option *style = match_option(match, 0, "style");

	if (style != NULL && style->arg != NULL && service_starts(style->arg, "file:")) {
		find_deed(found, DEED_READ,
			  service_part(found, style->arg, strlen("file:"), style->arg->len));
	}
}

static const struct option_row yamllint_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_FLAG("s", "strict no-warnings list-files"),
	ROW_TAKES("df", "config-data format"),
	ROW_PATH("c", "config-file", DEED_READ),
	OPTIONS_END,
};

static const struct option_row counter_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	OPTIONS_END,
};

/* ---- documents --------------------------------------------------------------------------- */

static const struct option_row tex_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_RULE(NULL, "shell-escape enable-write18", ARG_NONE, &shell_escape),
	ROW_PATH(NULL, "output-directory", DEED_EXTRACT),
	ROW_TAKES(NULL, "interaction jobname output-format"),
	ROW_PROGRAM("e", NULL),
	OPTIONS_END,
};

static const struct option_row watch_exec_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_SHELL("x", "exec"),
	ROW_TAKES("wei", "watch ext ignore delay"),
	OPTIONS_END,
};

/* ---- what node's tools run --------------------------------------------------------------- */

static void
refine_concurrently(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		find_code(found, LANG_SH, &match->operands[i], INNER_PROMPT, "concurrently");
	}
}

/* "cross-env NAME=VALUE ... CMD", "dotenv -- CMD" */
static void
refine_cross_env(const struct match *match, struct findings *found)
{
	size_t at = 0;

	while (at < match->operand_count &&
	       (memchr(match->operands[at].text, '=', match->operands[at].len) != NULL ||
		field_is(&match->operands[at], "--"))) {
		at++;
	}
	service_inner(match, found, at, INNER_PROMPT, "cross-env");
}

static const struct option_row remover_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("gvf", "glob verbose force preserve-root no-preserve-root"),
	OPTIONS_END,
};

static const struct option_row shx_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("s", "silent noglob"),
	OPTIONS_END,
};

#define TOOL(names, options, rule)                                                                 \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_LOOSE, 0, rule, NULL                             \
	}

const struct program models_build[] = {
	{ "make gmake bmake pmake remake colormake", ".*", make_options, NULL, PARSE_GNU, 0,
	  &project, refine_make },
	{ "cmake", NULL, cmake_options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV, 0,
	  NULL, refine_cmake },
	{ "cargo", ".*", cargo_options, cargo_subs, PARSE_LOOSE | PARSE_PLUS, 0, NULL,
	  refine_project },
	{ "rustc rustdoc", ".*", rustc_options, NULL, PARSE_LOOSE, 0, &compiles, NULL },
	{ "rustfmt cargo-fmt", "e*", rustfmt_options, NULL, PARSE_GNU, FIND_SANDBOX, NULL, NULL },
	{ "go", ".*", help_h, go_subs, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL, refine_project },
	{ "gofmt gofumpt", "f*", gofmt_options, NULL, PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, NULL,
	  NULL },
	{ "gcc g++ cc c++ clang clang++ cpp tcc c99 c89 gfortran gdc gccgo g77 icc icx nvcc "
	  "x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-none-eabi-gcc emcc em++ clang-cl",
	  "f*", cc_options, NULL,
	  PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_NO_CLUSTER | PARSE_VERSIONED, 0,
	  NULL, refine_cc },
	{ "ld ld.bfd ld.gold ld.lld lld mold gold as yasm nasm", "f*", ld_options, NULL,
	  PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_NO_CLUSTER, 0, &compiles, NULL },
	{ "javac kotlinc scalac groovyc javadoc jlink jpackage ecj", "f*", java_options, NULL,
	  PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_NO_CLUSTER, 0, &compiles, NULL },
	TOOL("tsc ghc ocamlc ocamlopt dmd ldc2 zig nim crystal v fpc swiftc valac mcs csc vbc "
	     "elixirc "
	     "erlc solc protoc swig flex bison yacc lex re2c gperf m4c thrift flatc capnp buf "
	     "glslc "
	     "sass less-compiler lessc stylus coffee babel swc elm purs dune",
	     help_v, &compiles),
	{ "llvm-nm llvm-objdump llvm-readelf llvm-size llvm-cxxfilt eu-readelf eu-nm", "f*",
	  object_options, NULL, PARSE_NO_ABBREV | PARSE_VERSIONED, 0, NULL, NULL },
	{ "objcopy llvm-objcopy llvm-strip elfedit lipo patchelf chrpath install_name_tool "
	  "codesign",
	  "e w?", objcopy_options, NULL, PARSE_LOOSE, 0, &compiles, NULL },
	{ "ldd", "x*", help_v, NULL, PARSE_LOOSE, 0, &project, NULL },

	/* builds and tests of projects */
	TOOL("ninja samu meson ctest cpack bazel bazelisk buck buck2 pants please scons waf "
	     "premake5 "
	     "xmake qmake autoconf automake autoreconf aclocal autoheader libtoolize configure "
	     "xcodebuild swift msbuild mage task just tup redo earthly dagger node-gyp grunt gulp "
	     "ament colcon catkin_make west idf.py pio platformio arduino-cli fastlane pod "
	     "carthage",
	     help_long, &project),
	TOOL("gradle mvn mvnw ant sbt mill lein-build maven", help_v, &project),
	TOOL("webpack vite rollup esbuild parcel turbo nx lerna rspack tsup tsdx microbundle "
	     "snowpack "
	     "next nuxt astro remix gatsby ng vue expo react-native metro storybook svelte-kit "
	     "jest vitest mocha ava tap tape cypress playwright karma jasmine wdio testcafe nyc c8 "
	     "husky-run lint-staged commitlint semantic-release changeset release-it npm-run-all "
	     "run-s run-p wait-on forever tsx-watch",
	     help_v, &project),
	TOOL("pytest py.test tox nox nosetests nose2 unittest coverage behave robot locust invoke "
	     "fab "
	     "doit phpunit pest codecept behat rspec minitest cucumber guard spring busted "
	     "prove ctags-run exunit bats shellspec shunit2 hurl k6 artillery newman",
	     help_h, &project),
	TOOL("eslint stylelint tslint xo standard biome oxlint markdownlint markdownlint-cli2 "
	     "htmlhint "
	     "prettier dprint alex textlint",
	     help_v, &lints),
	TOOL("black isort autopep8 yapf ruff flake8 pylint mypy pyright pyre bandit pydocstyle "
	     "vulture "
	     "radon pycodestyle rubocop reek brakeman phpcs phpcbf phpstan psalm php-cs-fixer "
	     "golangci-lint staticcheck golint goimports revive errcheck govulncheck clang-tidy "
	     "cppcheck "
	     "cpplint clippy-driver ktlint detekt checkstyle spotbugs pmd swiftlint swiftformat "
	     "buildifier hlint ormolu fourmolu credo dialyzer semgrep sonar-scanner codeql "
	     "actionlint ansible-lint tflint checkov tfsec trivy grype syft hadolint dockle snyk "
	     "codespell typos vale proselint sqlfluff shfmt",
	     help_h, &lints),
	{ "shellcheck", "f*", shellcheck_options, NULL, PARSE_GNU, 0, NULL, NULL },
	{ "clang-format", "f*", clang_format_options, NULL,
	  PARSE_LONG_ONE | PARSE_NO_ABBREV | PARSE_VERSIONED, 0, NULL, refine_clang_format },
	{ "yamllint", "f*", yamllint_options, NULL, PARSE_GNU, FIND_SANDBOX, NULL, NULL },
	{ "tokei scc cloc sloccount loc", "l*", counter_options, NULL, PARSE_GNU, 0, NULL, NULL },

	/* documents and sites */
	TOOL("doxygen sphinx-build sphinx-quickstart sphinx-apidoc mkdocs hugo jekyll hexo "
	     "eleventy "
	     "docusaurus antora asciidoctor asciidoc gitbook mdbook zola pelican typedoc jsdoc "
	     "yard rdoc pdoc pydoc-markdown dot neato plantuml mermaid mmdc",
	     help_h, &project),
	{ "latex pdflatex xelatex lualatex pdftex tex latexmk tectonic bibtex biber context luatex "
	  "xetex arara makeindex dvips",
	  "f*", tex_options, NULL, PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV, 0, &project,
	  NULL },

	/* what runs commands that it is given */
	{ "nodemon", NULL, watch_exec_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, &project, NULL },
	{ "concurrently", NULL, help_h, NULL, PARSE_LOOSE, 0, &project, refine_concurrently },
	{ "cross-env cross-env-shell dotenv env-cmd dotenvx", NULL, help_h, NULL,
	  PARSE_POSIX | PARSE_LOOSE, 0, &project, refine_cross_env },
	{ "rimraf del-cli", "D*", remover_options, NULL, PARSE_LOOSE, 0, NULL, NULL },
	{ "shx", "!", shx_options, NULL, PARSE_POSIX, 0, &project, NULL },
	{ "ccache sccache distcc icecc", "!", help_V, NULL, PARSE_POSIX | PARSE_LOOSE, 0, &compiles,
	  NULL },
	{ "bear compiledb scan-build intercept-build", "!", help_h, NULL, PARSE_POSIX | PARSE_LOOSE,
	  0, &network, NULL },
	PROGRAMS_END,
};
