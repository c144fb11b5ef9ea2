/* SPDX-License-Identifier: MIT */
/* Tools that search in files and directories, and those that run commands on what was found. */
#include "command/models/search_impl.h"

#include <string.h>

RULE(rule_unpacks, "search.decompressor", PROMPT, EXECUTES,
     "runs the decompressors that it finds on the path");
RULE(rule_pager, "search.pager", PROMPT, EXECUTES, "hands what it finds to a program");
RULE(rule_updates, "locate.updates", PROMPT, WRITES, "builds the list of all files anew");

/* ---- ripgrep ------------------------------------------------------------------------------- */

static const struct option_row rg_options[] = {
	ROW_FLAG("aFILHnNobcilpPqsSuUvwx0.",
		 "text fixed-strings no-ignore no-ignore-vcs no-ignore-dot no-ignore-global "
		 "no-ignore-parent no-ignore-exclude no-ignore-files no-ignore-messages ignore "
		 "ignore-vcs ignore-dot ignore-global ignore-parent ignore-exclude ignore-files "
		 "ignore-messages follow no-follow with-filename no-filename line-number "
		 "no-line-number only-matching byte-offset no-byte-offset count count-matches "
		 "ignore-case files-with-matches files-without-match pretty pcre2 no-pcre2 quiet "
		 "case-sensitive smart-case unrestricted multiline no-multiline multiline-dotall "
		 "no-multiline-dotall invert-match no-invert-match word-regexp line-regexp null "
		 "null-data hidden no-hidden column no-column heading no-heading json no-json "
		 "passthru passthrough stats no-stats trim no-trim vimgrep debug trace crlf "
		 "no-crlf binary no-binary no-text mmap no-mmap messages no-messages unicode "
		 "no-unicode one-file-system no-one-file-system auto-hybrid-regex "
		 "no-auto-hybrid-regex block-buffered no-block-buffered line-buffered "
		 "no-line-buffered glob-case-insensitive no-glob-case-insensitive "
		 "ignore-file-case-insensitive no-ignore-file-case-insensitive include-zero "
		 "no-include-zero max-columns-preview no-max-columns-preview require-git "
		 "no-require-git no-config no-pre no-search-zip no-encoding no-fixed-strings "
		 "no-context-separator sort-files no-sort-files stop-on-nonmatch "
		 "no-pcre2-unicode pcre2-unicode"),
	ROW_TAKES("ABCgjmMrtTEd",
		  "after-context before-context context glob iglob threads max-count max-columns "
		  "replace type type-not type-add type-clear encoding color colors "
		  "context-separator field-context-separator field-match-separator "
		  "path-separator sort sortr max-depth maxdepth max-filesize dfa-size-limit "
		  "regex-size-limit engine pre-glob hyperlink-format generate"),
	ROW("e", "regexp", ARG_ONE, USE_PATTERN),
	{ "f", "file", ARG_ONE, USE_PATTERN, LANG_BASH, DEED_READ, NULL, 0 },
	ROW(NULL, "files type-list", ARG_NONE, USE_PATTERN),
	ROW_PATH(NULL, "ignore-file", DEED_READ),
	ROW_PROGRAM(NULL, "pre hostname-bin"),
	ROW_RULE("z", "search-zip", ARG_NONE, &rule_unpacks),
	ROW_HELP("hV", "help version pcre2-version"),
	OPTIONS_END,
};

/* ---- ag, ack ------------------------------------------------------------------------------- */

/* Kinds of files: --python. */
#define SEARCH_KINDS                                                                               \
	ROW_FLAG(NULL, "actionscript ada asm asp batch bazel cc cfmx clojure cmake coffeescript "  \
		       "coffee cpp csharp css dart delphi elisp elixir elm erlang fortran go "     \
		       "golang groovy haskell hh hpp html java javascript jade js json jsp julia " \
		       "kotlin less lisp lua make markdown md matlab objc objcpp ocaml org perl "  \
		       "php plone powershell proto puppet python py racket rake restructuredtext " \
		       "rst rs ruby rb rust salt sass scala scheme scss sh shell smalltalk sql "   \
		       "stylus svg swift tcl terraform tex tf toml ts tt typescript vb verilog "   \
		       "vhdl vim vue xml yaml yml zephir zig")

static const struct option_row ag_options[] = {
	SEARCH_KINDS,
	ROW_FLAG("acDfFHhiLlnNoQrRsStuUvVw0z",
		 "ackmate affinity noaffinity all-types all-text break nobreak color nocolor "
		 "column count debug follow nofollow filename nofilename group nogroup heading "
		 "noheading hidden ignore-case invert-match line-numbers numbers nonumbers "
		 "files-with-matches files-without-matches fixed-strings literal match-case "
		 "no-numbers norecurse recurse null one-device only-matching print-all-files "
		 "print-long-lines passthrough passthru silent skip-vcs-ignores smart-case stats "
		 "stats-only unrestricted word-regexp vimgrep all-types no-recurse search-binary "
		 "search-files list-file-types"),
	ROW_MAYBE("ABC", "after before context"),
	ROW_TAKES("Gm", "file-search-regex ignore ignore-dir max-count depth width "
			"color-line-number color-match color-path workers"),
	ROW("g", NULL, ARG_ONE, USE_PATTERN),
	ROW_PATH("p", "path-to-ignore path-to-agignore", DEED_READ),
	ROW_BOTH(NULL, "pager", ARG_ONE, USE_SHELL, &rule_pager),
	ROW_FLAG(NULL, "nopager"),
	ROW_RULE(NULL, "search-zip", ARG_NONE, &rule_unpacks),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row ack_options[] = {
	SEARCH_KINDS,
	ROW_FLAG("acfhHiILlnoPQRrsSuvwx1k",
		 "break nobreak color colour nocolor nocolour column nocolumn count "
		 "dump env noenv files-with-matches files-without-matches follow "
		 "nofollow group nogroup heading noheading ignore-case no-ignore-case smart-case "
		 "no-smart-case invert-match known-types literal no-filename with-filename "
		 "no-recurse recurse passthru print0 show-types sort-files word-regexp underline "
		 "nounderline bar cathy thpppt ignore-ack-defaults create-ackrc proximate filter "
		 "nofilter help-types"),
	ROW_TAKES("ABCm", "after-context before-context context color-filename color-match "
			  "color-colno color-lineno ignore-dir ignore-directory noignore-dir "
			  "noignore-directory ignore-file max-count range-start range-end type "
			  "type-add type-del type-set match not and or lines"),
	ROW("g", NULL, ARG_ONE, USE_PATTERN),
	ROW_PATH(NULL, "files-from", DEED_READ),
	/* A file of options, and a text in which expressions of perl may stand. */
	ROW(NULL, "ackrc output", ARG_ONE, USE_UNKNOWN),
	ROW_BOTH(NULL, "pager", ARG_ONE, USE_SHELL, &rule_pager),
	ROW_FLAG(NULL, "nopager noackrc"),
	ROW_HELP("?", "help version man help-colors help-rgb-colors"),
	OPTIONS_END,
};

/* ---- fd ------------------------------------------------------------------------------------ */

static const struct option_row fd_options[] = {
	ROW_FLAG("HIusigFaLp0q1",
		 "hidden no-hidden no-ignore ignore unrestricted case-sensitive ignore-case glob "
		 "regex fixed-strings literal absolute-path relative-path follow no-follow "
		 "full-path print0 quiet has-results no-ignore-vcs ignore-vcs no-ignore-parent "
		 "no-global-ignore-file no-require-git require-git one-file-system mount xdev "
		 "prune show-errors"),
	ROW_FLAG("l", "list-details"),
	ROW_MAYBE(NULL, "strip-cwd-prefix hyperlink gen-completions"),
	ROW_TAKES("dEteSocj", "max-depth maxdepth min-depth exact-depth exclude type extension "
			      "size changed-within change-newer-than newer changed-after "
			      "changed-before change-older-than older owner and format batch-size "
			      "color threads max-buffer-time max-results path-separator"),
	ROW_PATH(NULL, "search-path", DEED_LIST),
	ROW_PATH(NULL, "ignore-file", DEED_READ),
	ROW("C", "base-directory", ARG_ONE, USE_DIR),
	ROW("xX", "exec exec-batch", ARG_REST, USE_NOTHING),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- locate, xargs, parallel --------------------------------------------------------------- */

static const struct option_row locate_options[] = {
	ROW_FLAG("AbceHiLqSsPpwN0t",
		 "all basename count existing follow ignore-case quiet statistics "
		 "null nofollow wholename nobasename regex transliterate literal "
		 "mmap stdio non-existing ignore-spaces max-database-age"),
	ROW_TAKES("ln", "limit regextype"),
	ROW_PATH("d", "database", DEED_READ),
	ROW("r", "regexp", ARG_ONE, USE_NOTHING),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row xargs_options[] = {
	ROW_FLAG("0oprtx", "null open-tty interactive no-run-if-empty verbose exit show-limits"),
	ROW_PATH("a", "arg-file", DEED_READ),
	ROW_TAKES("dEILnPsJRS", "delimiter max-args max-procs max-chars process-slot-var"),
	ROW_MAYBE("eil", "eof replace max-lines"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row parallel_options[] = {
	ROW_FLAG("0kmqrtuvXxp",
		 "null keep-order group line-buffer lb ungroup verbose xargs no-run-if-empty quote "
		 "bar eta progress will-cite citation silent no-notice bg fg plain shuf tag link "
		 "linebuffer round-robin interactive dry-run dryrun "
		 "keeporder"),
	ROW_FLAG(NULL, "pipe pipepart"),
	ROW_TAKES("jPnNLsICdED",
		  "jobs max-procs max-args max-replace-args max-lines max-chars replace "
		  "colsep delimiter delay timeout retries halt load memfree nice arg-sep "
		  "arg-file-sep block tagstring header recstart recend trim "
		  "max-line-length-allowed"),
	ROW_PATH("a", "arg-file", DEED_READ),
	ROW_PATH(NULL, "joblog results tmpdir", DEED_WRITE),
	ROW("S", "sshlogin sshloginfile slf", ARG_ONE, USE_HOST),
	ROW(NULL, "basefile transferfile return profile env workdir wd tollef gnu", ARG_ONE,
	    USE_UNKNOWN),
	/* Code in perl, and a command that is asked before each job. */
	ROW("U", "rpl limit filter hgrp", ARG_ONE, USE_UNKNOWN),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- fzf ----------------------------------------------------------------------------------- */

static const struct option_row fzf_options[] = {
	ROW_FLAG("xeis10+",
		 "extended exact no-exact no-extended no-sort tac disabled no-mouse cycle "
		 "no-multi keep-right no-hscroll filepath-word no-bold no-color no-unicode reverse "
		 "inline-info print0 read0 print-query select-1 exit-0 sync ansi literal "
		 "no-input track sort phony no-info no-separator no-scrollbar no-clear no-height"),
	ROW_MAYBE("m", "multi border"),
	ROW_TAKES("fqndtbp",
		  "filter query nth with-nth delimiter tiebreak scheme height min-height "
		  "layout margin padding info prompt pointer marker header header-lines "
		  "color tabstop scroll-off hscroll-off jump-labels expect border-label "
		  "preview-window preview-label ellipsis separator scrollbar tmux algo "
		  "accept-nth ghost"),
	ROW_PATH(NULL, "history", DEED_EDIT),
	ROW_BOTH(NULL, "preview", ARG_ONE, USE_SHELL, &rule_pager),
	ROW_PROGRAM(NULL, "with-shell"),
	/* Keys that run commands, and a server that takes them. */
	ROW(NULL, "bind listen listen-unsafe", ARG_ONE, USE_UNKNOWN),
	ROW_FLAG(NULL, "bash zsh fish"),
	ROW_HELP("h", "help version man"),
	OPTIONS_END,
};

/* execute(rm x), become(...), reload:... in a binding: a text for a shell. */
static void
refine_fzf(const struct match *match, struct findings *found)
{
	static const char *const actions[] = { "execute", "become", "reload", "transform",
					       "preview" };
	const struct matched_option *bind = match_option(match, 0, "bind");

	for (size_t i = 0;
	     bind != NULL && bind->arg != NULL && i < sizeof(actions) / sizeof(actions[0]); i++) {
		const char *at = strstr(bind->arg->text, actions[i]);
		size_t skip = at != NULL ? strcspn(at, "(:[{<") : 0;
		struct field *text = at != NULL && at[skip] != '\0'
					     ? arena_alloc(found->arena, sizeof(*text))
					     : NULL;
		size_t from;
		size_t len;

		if (text == NULL) {
			continue;
		}
		from = (size_t)(at - bind->arg->text) + skip + 1;
		len = bind->arg->len - from;
		len -= len > 0 && at[skip] != ':' ? 1 : 0;
		*text = field_literal(found->arena, bind->arg->text + from, len, bind->arg);
		find_code(found, LANG_SH, text, INNER_LATER, "fzf --bind");
	}
}

/* ---- programs ------------------------------------------------------------------------------ */

const struct program models_search[] = {
	{ "find gfind", ".*", NULL, NULL, PARSE_NONE, FIND_IGNORES_INPUT, NULL, search_find },
	{ "fd fdfind", "p l*", fd_options, NULL, 0, FIND_IGNORES_INPUT, NULL, search_fd },
	{ "rg", "p f*", rg_options, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "ag", "p f*", ag_options, NULL, 0, 0, NULL, NULL },
	{ "ack ack-grep", "p f*", ack_options, NULL, 0, 0, NULL, NULL },
	{ "locate plocate mlocate slocate", ".*", locate_options, NULL, 0, FIND_IGNORES_INPUT, NULL,
	  NULL },
	{ "updatedb", ".*", NULL, NULL, PARSE_NONE, 0, &rule_updates, NULL },
	{ "xargs gxargs", "!", xargs_options, NULL, PARSE_POSIX, 0, NULL, search_xargs },
	{ "parallel", ".*", parallel_options, NULL, PARSE_POSIX, 0, NULL, search_parallel },
	{ "fzf sk", ".*", fzf_options, NULL, 0, 0, NULL, refine_fzf },
	PROGRAMS_END,
};
