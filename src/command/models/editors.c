/* SPDX-License-Identifier: MIT */
/*
 * Editors and pagers. An editor is never harmless: a person changes files with it, or its commands
 * do. So unknown options of editors are let pass, and only what names code is looked at. Pagers
 * read, but for the few options that write a log or bring commands.
 */
#include "command/models/basics.h"

RULE(editor_opens, "editor.opens", PROMPT, WRITES, "opens an editor, which can change files");

/* ---- vi ----------------------------------------------------------------------------------------
 */

#define ROW_VIM(letters, names)                                                                    \
	{                                                                                          \
		letters, names, ARG_ONE, USE_CODE, LANG_VIM, 0, NULL, 0                            \
	}

static const struct option_row vim_options[] = {
	ROW_VIM("c", "cmd"),
	{ NULL, "+", ARG_OPTIONAL, USE_NOTHING, LANG_VIM, 0, NULL, 0 },
	{ "Su", NULL, ARG_ONE, USE_CODE_FILE, LANG_VIM, 0, NULL, 0 },
	{ "l", NULL, ARG_ONE, USE_CODE_FILE, LANG_LUA, 0, NULL, 0 },
	{ NULL, "luamod-dev", ARG_ONE, USE_CODE_FILE, LANG_LUA, 0, NULL, 0 },
	ROW_VIM(NULL, "remote-expr remote-send"),
	ROW_TAKES("tTiU", "servername startuptime socketid windowid listen server gui-dialog-file "
			  "role"),
	ROW_PATH("wW", NULL, DEED_WRITE),
	ROW_FLAG("esEyRZmMbHFAnoOpqDdfgvXxCNrLV", "noplugin nofork clean not-a-term literal "
						  "remote remote-silent remote-wait "
						  "remote-wait-silent remote-tab headless embed "
						  "api-info ttyfail log"),
	ROW_HELP("h?", "help version"),
	OPTIONS_END,
};

/* A word with + brings a command, or a line number. */
static void
find_plus(const struct match *match, struct findings *found, enum language language)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->name != NULL && strcmp(option->name, "+") == 0 && option->arg != NULL) {
			find_code(found, language, option->arg, 0, "vim +");
		}
	}
}

static void
vim_refine(const struct match *match, struct findings *found)
{
	find_plus(match, found, LANG_VIM);
}

static void
ex_refine(const struct match *match, struct findings *found)
{
	find_plus(match, found, LANG_VIM);
	find_stdin(found, LANG_VIM, 0, "ex");
}

/* ---- others ------------------------------------------------------------------------------------
 */

static const struct option_row ed_options[] = {
	ROW_FLAG("EGlrsvn", "extended-regexp traditional loose-exit-status restricted quiet silent "
			    "script verbose strip-trailing-cr unsafe-names"),
	ROW_TAKES("p", "prompt"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* A file that starts with ! is a command whose output is edited. */
static void
ed_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (match->operands[i].text[0] == '!') {
			find_code(found, LANG_SH, basics_tail(found, &match->operands[i], 1), 0,
				  "ed");
		}
	}
	find_stdin(found, LANG_ED, 0, "ed");
}

static const struct option_row emacs_options[] = {
	{ NULL, "eval execute", ARG_ONE, USE_CODE, LANG_SCHEME, 0, NULL, 0 },
	{ "l", "load script", ARG_ONE, USE_CODE_FILE, LANG_SCHEME, 0, NULL, 0 },
	ROW_TAKES("fudtgGbfTL", "funcall user display terminal geometry directory chdir "
				"socket-name server-file alternate-editor"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row emacsclient_options[] = {
	{ "e", "eval", ARG_NONE, USE_MODE, LANG_SCHEME, USE_CODE, NULL, 0 },
	ROW_RUNS_SHELL("a", "alternate-editor"),
	ROW_TAKES("sfdFT", "socket-name server-file display frame-parameters tramp parent-id"),
	ROW_HELP("HV", "help version"),
	OPTIONS_END,
};

static const struct option_row nano_options[] = {
	ROW_BOTH("s", "speller", ARG_ONE, USE_PROGRAM, &basics_helper),
	ROW_PATH("f", "rcfile", DEED_CONFIG),
	ROW_TAKES("oCQTrXYJ", "operatingdir backupdir quotestr tabsize fill wordchars syntax "
			      "guidestripe"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row kak_options[] = {
	{ "eE", NULL, ARG_ONE, USE_CODE, LANG_OTHER, 0, NULL, 0 },
	{ "f", NULL, ARG_ONE, USE_CODE, LANG_OTHER, 0, NULL, 0 },
	ROW_TAKES("csdpi", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

RULE(code_extension, "editor.installs-extension", PROMPT, EXECUTES,
     "installs an extension of the editor, which is code");

static const struct option_row code_options[] = {
	ROW_RULE(NULL, "install-extension uninstall-extension update-extensions", ARG_ONE,
		 &code_extension),
	ROW_TAKES("g", "goto user-data-dir extensions-dir profile folder-uri file-uri locale log "
		       "remote"),
	ROW_HELP("hv", "help version status list-extensions"),
	OPTIONS_END,
};

static const struct option_row plain_editor_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* ---- pagers ------------------------------------------------------------------------------------
 */

static const struct option_row less_options[] = {
	ROW_FLAG("aABcCdeEfFgGiIJKLmMnNqQrRsSuUwWX~LB",
		 "search-skip-screen auto-buffers clear-screen CLEAR-SCREEN dumb quit-at-eof "
		 "QUIT-AT-EOF force quit-if-one-screen hilite-search HILITE-SEARCH ignore-case "
		 "IGNORE-CASE status-column quit-on-intr no-lessopen long-prompt LONG-PROMPT "
		 "line-numbers LINE-NUMBERS quiet silent QUIET SILENT raw-control-chars "
		 "RAW-CONTROL-CHARS squeeze-blank-lines chop-long-lines underline-special "
		 "UNDERLINE-SPECIAL hilite-unread HILITE-UNREAD no-init no-keypad mouse MOUSE "
		 "use-backslash use-color follow-name exit-follow-on-close incsearch "
		 "file-size save-marks wordwrap show-preproc-errors proc-return redraw-on-quit "
		 "intr-char"),
	ROW_TAKES("bhjptxyzD#\"",
		  "buffers max-back-scroll jump-target pattern tag tabs "
		  "max-forw-scroll window color quotes shift rscroll prompt PROMPT "
		  "wheel-lines line-num-width status-col-width header autosave "
		  "search-options modelines no-search-headers match-shift form-feed"),
	ROW_TAKES("P", NULL),
	ROW_PATH("T", "tag-file", DEED_READ),
	ROW_PATH("oO", "log-file LOG-FILE", DEED_WRITE),
	{ "k", "lesskey-file lesskey-src lesskey-content", ARG_ONE, USE_CODE_FILE, LANG_OTHER, 0,
	  NULL, 0 },
	ROW_MAYBE(NULL, "+"),
	ROW_HELP("?V", "help version"),
	OPTIONS_END,
};

/* Line numbers, percentages, searches and the moves to the start and the end are harmless. */
static bool
is_pager_move(const struct field *command)
{
	const char *text = command->text + (command->text[0] == '+' ? 1 : 0);

	if (!field_is_literal(command)) {
		return false;
	}
	if ((text[0] == '/' || text[0] == '?') && strchr(text, '\n') == NULL) {
		return true;
	}
	return text[strspn(text, "0123456789GgFpq%")] == '\0';
}

static void
less_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->name != NULL && strcmp(option->name, "+") == 0 && option->arg != NULL &&
		    !is_pager_move(option->arg)) {
			find_code(found, LANG_LESS, option->arg, INNER_PROMPT, "less +");
		}
	}
}

static const struct option_row more_options[] = {
	ROW_FLAG("dflcpesuVig",
		 "silent logical no-pause print-over clean-print exit-on-eof squeeze "
		 "plain"),
	ROW_TAKES("n", "lines"),
	ROW_MAYBE(NULL, "+"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row bat_options[] = {
	ROW_FLAG("pAPfnLdSu", "plain show-all force-colorization number list-languages list-themes "
			      "diff no-paging chop-long-lines unbuffered diagnostic "
			      "config-file config-dir cache-dir acknowledgements no-config "
			      "no-custom-assets set-terminal-title no-lessopen squeeze-blank"),
	ROW_TAKES("lHrm", "language highlight-line file-name diff-context tabs wrap "
			  "terminal-width color italic-text decorations paging map-syntax "
			  "ignored-suffix theme theme-light theme-dark style line-range "
			  "nonprintable-notation binary squeeze-limit strip-ansi completion"),
	ROW_RUNS_SHELL(NULL, "pager"),
	ROW_DOUBT(NULL, "lessopen generate-config-file"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

RULE(bat_cache, "bat.cache", PROMPT, WRITES, "builds or clears the cache of themes");

static const struct program bat_commands[] = {
	SUB("cache", ".*", NULL, NULL, &bat_cache, NULL),
	PROGRAMS_END,
};

/* ---- manuals ------------------------------------------------------------------------------------
 */

static const struct option_row man_options[] = {
	ROW_FLAG("DdfkKwWcdiIau7tZhFq", "debug default whatis apropos global-apropos where path "
					"location where-cat location-cat catman ignore-case "
					"match-case regex wildcard names-only all update "
					"no-subpages ascii no-justification nj troff ditroff"),
	ROW_MODE("l", "local-file", DEED_READ),
	ROW_TAKES("LmMsSeErp", "locale systems manpath sections extension prompt encoding "
			       "preprocessor recode"),
	ROW_TAKES("R", NULL),
	ROW_MAYBE("T", "warnings troff-device no-hyphenation nh"),
	ROW_DOUBT("X", "gxditview"),
	ROW_PATH("C", "config-file", DEED_CONFIG),
	ROW_RUNS_SHELL("P", "pager"),
	{ "H", "html", ARG_OPTIONAL, USE_NOTHING, LANG_BASH, 0, &basics_helper, 0 },
	ROW_HELP("?V", "help usage version"),
	OPTIONS_END,
};

static void
man_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *browser = match_option(match, 'H', "html");

	if (browser != NULL && browser->arg != NULL) {
		find_code(found, LANG_SH, browser->arg, 0, "man");
	}
}

static const struct option_row apropos_options[] = {
	ROW_FLAG("dverwal", "debug verbose exact regex wildcard and long"),
	ROW_TAKES("LmMsC", "locale systems manpath sections section config-file"),
	ROW_HELP("?hV", "help usage version"),
	OPTIONS_END,
};

static const struct option_row whereis_options[] = {
	ROW_FLAG("bmsuglBMSf", NULL),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row info_options[] = {
	ROW_FLAG("abOvwRHZ", "all strict-node-location show-options usage location where "
			     "raw-escapes no-raw-escapes show-malformed-multibytes "
			     "speech-friendly vi-keys subnodes verbose"),
	ROW_TAKES("kdnsx", "apropos directory node index-search debug variable"),
	ROW_PATH("f", "file", DEED_READ),
	ROW("o", "output", ARG_ONE, USE_STDOUT),
	ROW_DOUBT_TAKES(NULL, "restore dribble init-file"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row tldr_options[] = {
	ROW_FLAG("uvlamrqc", "update verbose list list-all render markdown"),
	ROW_TAKES("pLs", "platform language source search"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

#define EDITS .rule = &editor_opens, .operands = "e*"

const struct program models_editors[] = {
	{ .names =
		  "vi vim nvim view vimdiff nvimdiff rvim rview gvim gview mvim vimx evim nvi vile "
		  "elvis vim.tiny vim.basic",
	  EDITS,
	  .options = vim_options,
	  .style = PARSE_PLUS | PARSE_LOOSE,
	  .refine = vim_refine },
	{ .names = "ex exim",
	  EDITS,
	  .options = vim_options,
	  .style = PARSE_PLUS | PARSE_LOOSE,
	  .refine = ex_refine },
	{ .names = "ed gred", EDITS, .options = ed_options, .refine = ed_refine },
	{ .names = "red", EDITS, .options = ed_options },
	{ .names = "emacs emacs-nox emacs-gtk xemacs mg jove zile qemacs",
	  EDITS,
	  .options = emacs_options,
	  .style = PARSE_LOOSE | PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "emacsclient", EDITS, .options = emacsclient_options, .style = PARSE_LOOSE },
	{ .names = "nano rnano pico", EDITS, .options = nano_options, .style = PARSE_LOOSE },
	{ .names = "kak", EDITS, .options = kak_options, .style = PARSE_LOOSE },
	{ .names = "code code-insiders codium vscodium cursor windsurf zed zeditor subl atom",
	  EDITS,
	  .options = code_options,
	  .style = PARSE_LOOSE },
	{ .names = "micro joe jmacs jpico jstar ne hx helix gedit kate kwrite mousepad xed leafpad "
		   "pluma mcedit dte tilde sensible-editor editor select-editor sudoedit rsudoedit "
		   "visudo vipw vigr mate bbedit vidir",
	  EDITS,
	  .options = plain_editor_options,
	  .style = PARSE_LOOSE },
	{ .names = "less pager sensible-pager zless lessecho bzless xzless lzless zstdless",
	  .operands = "f*",
	  .options = less_options,
	  .style = PARSE_PLUS | PARSE_NUMBER | PARSE_ANY_WORD,
	  .refine = less_refine },
	{ .names = "more zmore bzmore xzmore lzmore most pg",
	  .operands = "f*",
	  .options = more_options,
	  .style = PARSE_PLUS | PARSE_NUMBER | PARSE_ANY_WORD,
	  .refine = less_refine },
	{ .names = "bat batcat",
	  .operands = "f*",
	  .options = bat_options,
	  .subcommands = bat_commands },
	{ .names = "man",
	  .options = man_options,
	  .finds = FIND_IGNORES_INPUT,
	  .refine = man_refine },
	{ .names = "apropos whatis", .options = apropos_options, .finds = FIND_IGNORES_INPUT },
	{ .names = "whereis", .options = whereis_options, .finds = FIND_IGNORES_INPUT },
	{ .names = "info", .options = info_options, .finds = FIND_IGNORES_INPUT },
	{ .names = "tldr cheat",
	  .options = tldr_options,
	  .finds = FIND_IGNORES_INPUT | FIND_NETWORK | FIND_OUT_NETWORK,
	  .rule = &basics_network },
	PROGRAMS_END,
};
