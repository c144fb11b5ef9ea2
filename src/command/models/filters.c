/* SPDX-License-Identifier: MIT */
/*
 * Programs that search in text, convert it, check it, or show it in another form: grep and its
 * kin, character sets, markup, tables, object files.
 */
#include "command/models/basics.h"

/* ---- grep ------------------------------------------------------------------------------------ */

static const struct option_row grep_options[] = {
	ROW_FLAG("EFGPiywxzsvbnHhoqaIrRLlcTZUuSpO",
		 "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case "
		 "no-ignore-case word-regexp line-regexp null-data no-messages invert-match "
		 "byte-offset line-number line-buffered with-filename no-filename only-matching "
		 "quiet silent text recursive dereference-recursive files-without-match "
		 "files-with-matches count initial-tab null no-group-separator binary mmap "
		 "unix-byte-offsets decompress bz2decompress"),
	ROW_TAKES("mdDBAC", "max-count label binary-files directories devices include exclude "
			    "exclude-dir include-dir before-context after-context context "
			    "group-separator"),
	ROW_PATH(NULL, "exclude-from", DEED_READ),
	ROW_MAYBE(NULL, "color colour"),
	ROW_PATTERN("e", "regexp"),
	ROW_PATTERN("f", "file"),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* The row of -f says that it brings the pattern; its file is read besides. */
static void
grep_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		bool is_file = option->letter == 'f' ||
			       (option->name != NULL && strcmp(option->name, "file") == 0);

		if (is_file && option->arg != NULL && !field_is(option->arg, "-")) {
			find_deed(found, DEED_READ, option->arg);
		}
	}
}

static const struct option_row agrep_options[] = {
	ROW_FLAG("chilnosvwxyBGIkpqt0123456789", NULL),
	ROW_TAKES("DSMeEf", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* ---- character sets and line ends --------------------------------------------------------------
 */

static const struct option_row iconv_options[] = {
	ROW_FLAG("lcs", "list silent verbose"),
	ROW_TAKES("ft", "from-code to-code byte-subst widechar-subst unicode-subst"),
	ROW_OUTPUT("o", "output"),
	ROW_HELP("?V", "help usage version"),
	OPTIONS_END,
};

static const struct option_row recode_options[] = {
	ROW_FLAG("CdfgiknqsStTv", "force quiet silent verbose graphics diacritics colons touch "
				  "strict known source"),
	ROW_MAYBE("lh", "list header"),
	ROW_TAKES("x", "ignore"),
	ROW_VERSION,
	OPTIONS_END,
};

/* Edits in place, except with -n (which writes the second of two) and when it only informs. */
static const struct option_row dos2unix_options[] = {
	ROW_FLAG("7bcfklmqrsSFRuv", "ascii keep-bom force keepdate add-bom quiet safe "
				    "follow-symlink remove-bom verbose add-eol skip-symlink "
				    "keep-utf16 assume-utf16le assume-utf16be newline iso "
				    "oldfile allow-chown preserve-ownership"),
	ROW_FLAG("no", "newfile oldfile"),
	{ "O", "to-stdout", ARG_NONE, USE_MODE, LANG_BASH, DEED_READ, NULL, 0 },
	{ "i", "info", ARG_OPTIONAL, USE_MODE, LANG_BASH, DEED_READ, NULL, 0 },
	ROW_TAKES(NULL, "convmode display-enc"),
	ROW_HELP("hLV", "help license version"),
	OPTIONS_END,
};

static const struct option_row uconv_options[] = {
	ROW_FLAG("vcLl", "verbose list callback-skip list-code list-transliterators canon"),
	ROW_TAKES("ftxb", "from-code to-code callback fallback transliterator block-size"),
	ROW_OUTPUT("o", "output"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- markup ------------------------------------------------------------------------------------
 */

/* What may fetch, or read files that the document names, is not harmless. */
static const struct option_row xmllint_options[] = {
	ROW_FLAG(NULL, "debug debugent copy recover huge noenc noout load-trace nonet nocompact "
		       "htmlout nowrap quiet timing repeat insert compress html xmlout nodefdtd "
		       "push pushsmall memory nowarning noblanks nocdata format dropdtd c14n "
		       "c14n11 exc-c14n nsclean nocatalogs auto noxincludenode "
		       "nofixup-base-uris stream walker chkregister sax1 sax oldxml10"),
	ROW_TAKES(NULL, "maxmem encode pretty pattern xpath"),
	ROW_PATH(NULL, "relaxng schema schematron path dtdvalid", DEED_READ),
	ROW_DOUBT(NULL, "shell noent valid postvalid loaddtd dtdattr xinclude catalogs testIO"),
	ROW_DOUBT_TAKES(NULL, "dtdvalidfpi"),
	ROW_OUTPUT("o", "output"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

RULE(xslt_runs, "xsltproc.runs", PROMPT, EXECUTES,
     "runs a style sheet, which can read and write files");

static const struct option_row xsltproc_options[] = {
	ROW_FLAG("vV", "verbose dumpextensions timing repeat debug novalid noout nonet catalogs "
		       "xinclude loadtrace profile norman nodict nomkdir nowrite html huge "
		       "maxparserdepth"),
	ROW(NULL, "param stringparam", ARG_TWO, USE_NOTHING),
	ROW_TAKES(NULL, "maxdepth maxvars encoding path seed-rand"),
	ROW_OUTPUT("o", "output"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row tidy_options[] = {
	ROW_FLAG("iuncbqegxhv",
		 "indent upper omit clean bare numeric errors quiet xml asxml "
		 "asxhtml ashtml access ascii utf8 raw latin0 latin1 utf16 show-body-only"),
	ROW_TAKES("w", "wrap language doctype"),
	ROW_PATH("f", "file", DEED_WRITE),
	ROW_OUTPUT("o", "output"),
	ROW_PATH(NULL, "config", DEED_READ),
	{ "m", "modify", ARG_NONE, USE_MODE, LANG_BASH, DEED_EDIT, NULL, 0 },
	ROW_HELP(NULL, "help version help-config show-config"),
	OPTIONS_END,
};

/* Unknown options of pandoc are many, and none of those that are known here is harmless alone. */
static const struct option_row pandoc_options[] = {
	ROW_FLAG("spiCN", "standalone preserve-tabs incremental citeproc number-sections verbose "
			  "quiet toc table-of-contents ascii no-highlight section-divs "
			  "list-tables listings reference-links fail-if-warnings strip-comments "
			  "html-q-tags mathml mathjax katex file-scope sandbox"),
	ROW_TAKES("frtwMVbT", "from read to write metadata variable wrap columns dpi eol toc-depth "
			      "highlight-style top-level-division number-offset tab-stop "
			      "base-header-level shift-heading-level-by markdown-headings "
			      "id-prefix title-prefix track-changes ipynb-output "
			      "reference-location email-obfuscation"),
	ROW("o", "output", ARG_ONE, USE_STDOUT),
	ROW_PATH(NULL,
		 "metadata-file bibliography csl template abbreviations "
		 "reference-doc epub-cover-image epub-metadata",
		 DEED_READ),
	ROW_PATH("AB", "include-after-body include-before-body include-in-header", DEED_READ),
	ROW_PATH("H", NULL, DEED_READ),
	ROW_RUNS("F", "filter pdf-engine"),
	{ "L", "lua-filter", ARG_ONE, USE_CODE_FILE, LANG_LUA, 0, &basics_helper, 0 },
	ROW_PATH("d", "defaults", DEED_CONFIG),
	ROW_PATH(NULL, "extract-media data-dir log", DEED_WRITE),
	ROW_DOUBT_TAKES(NULL, "pdf-engine-opt request-header resource-path"),
	ROW_DOUBT(NULL, "self-contained embed-resources trace"),
	ROW_HELP("hv", "help version list-input-formats list-output-formats list-extensions "
		       "list-highlight-languages list-highlight-styles"),
	OPTIONS_END,
};

RULE(pandoc_includes, "pandoc.includes", PROMPT, READS,
     "reads whatever files the document includes");

static void
pandoc_refine(const struct match *match, struct findings *found)
{
	basics_urls(match, found);
	if (match_option(match, 0, "sandbox") == NULL) {
		find_rule(found, &pandoc_includes, match->operands);
	}
}

static const struct option_row markdown_options[] = {
	ROW_FLAG(NULL, "html4tags"),
	ROW_HELP(NULL, "version shortversion help"),
	OPTIONS_END,
};

static const struct option_row glow_options[] = {
	ROW_FLAG("alm", "all line-numbers mouse preserve-new-lines"),
	ROW_TAKES("sw", "style width"),
	ROW_DOUBT("pt", "pager tui"),
	ROW_DOUBT_TAKES(NULL, "config"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

/* github.com/owner/name is fetched, without a scheme. */
static void
glow_refine(const struct match *match, struct findings *found)
{
	basics_urls(match, found);
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *source = &match->operands[i];

		if (service_starts(source, "github.com/") ||
		    service_starts(source, "gitlab.com/") || !field_is_literal(source)) {
			found->flags |= FIND_NETWORK;
			find_rule(found, &basics_network, source);
		}
	}
}

/* ---- words -------------------------------------------------------------------------------------
 */

/* These let a person edit the file, unless they only list what is wrong in it. */
static const struct option_row spell_options[] = {
	ROW_FLAG("BCHmntuvL", "ignore-case all-chains verbose print-file-name number british"),
	{ "al", "list pipe", ARG_NONE, USE_MODE, LANG_BASH, DEED_READ, NULL, 0 },
	ROW_TAKES("d", "lang mode encoding size"),
	ROW_HELP("?", "help version usage"),
	OPTIONS_END,
};

static const struct program aspell_commands[] = {
	SUB("list|pipe|munch|expand|clean|soundslike|conv|norm", ".*", NULL, NULL, NULL, NULL),
	SUB("check", "e", NULL, NULL, NULL, NULL),
	SUB("dump|dicts|modes|filters|config|help|version", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct option_row gettext_options[] = {
	ROW_FLAG("enE", NULL),
	ROW_TAKES("dc", "domain context"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

RULE(envsubst_shows, "environment.substituted", PROMPT, DISCLOSURE,
     "puts values of environment variables into its output");

static const struct option_row envsubst_options[] = {
	ROW_FLAG("v", "variables no-unset no-empty"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
envsubst_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'v', "variables") == NULL) {
		find_rule(found, &envsubst_shows, NULL);
		found->flags |= FIND_OUT_SECRET;
	}
}

/* ---- tables and trees ---------------------------------------------------------------------------
 */

static const struct option_row csvkit_options[] = {
	ROW_FLAG("tHSnlLivrxyIRU123456789xa",
		 "tabs no-header-row skipinitialspace names "
		 "linenumbers no-inference ignore-case invert-match "
		 "reverse csv json count type nulls unique min max sum mean "
		 "median stdev len freq zero blanks not-columns delete-empty"),
	ROW_TAKES("dqubpezKcCgfmo", "delimiter quotechar quoting doublequote escapechar "
				    "maxfieldsize encoding skip-lines columns regex match "
				    "max-rows max-columns max-column-width freq-count decimal-"
				    "format snifflimit locale date-format datetime-format key "
				    "indent"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row gron_options[] = {
	ROW_FLAG("umcvsjk", "ungron stream monochrome colorize no-sort json values insecure"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ---- object files ---------------------------------------------------------------------------- */

static const struct option_row nm_options[] = {
	ROW_FLAG("aABDegjlnopPrSsuUWvfmx",
		 "debug-syms print-file-name no-demangle recurse-limit "
		 "no-recurse-limit dynamic extern-only just-symbols "
		 "line-numbers numeric-sort no-sort portability reverse-sort "
		 "print-size print-armap quiet size-sort special-syms "
		 "synthetic undefined-only defined-only no-weak "
		 "with-symbol-versions totals common"),
	ROW_TAKES("tX", "format ifunc-chars radix target unicode"),
	ROW_MAYBE("C", "demangle"),
	ROW_DOUBT_TAKES(NULL, "plugin"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row objdump_options[] = {
	ROW_FLAG("afpxdDsgeGtTrRlFwzhSLC",
		 "archive-headers file-headers private-headers all-headers disassemble-all source "
		 "full-contents debugging debugging-tags stabs syms dynamic-syms reloc "
		 "dynamic-reloc file-start-context line-numbers file-offsets recurse-limit "
		 "no-recurse-limit wide disassemble-zeroes no-addresses prefix-addresses "
		 "show-raw-insn no-show-raw-insn show-all-symbols special-syms inlines "
		 "section-headers headers process-links"),
	ROW_TAKES("PbmjMEU", "private target architecture section disassembler-options endian "
			     "unicode start-address stop-address insn-width adjust-vma prefix "
			     "prefix-strip dwarf-depth dwarf-start ctf-parent disassembler-color"),
	ROW_PATH("I", "include", DEED_LIST),
	ROW_MAYBE("W", "disassemble source-comment dwarf ctf sframe demangle visualize-jumps "
		       "dwarf-check"),
	ROW_HELP("vHi", "help version info"),
	OPTIONS_END,
};

static const struct option_row readelf_options[] = {
	ROW_FLAG("ahlSgtesnrudVAcDzPIWLT",
		 "all file-header program-headers segments section-headers sections "
		 "section-groups section-details headers syms symbols dyn-syms lto-syms "
		 "no-demangle recurse-limit no-recurse-limit notes relocs unwind dynamic "
		 "version-info arch-specific archive-index use-dynamic decompress process-links "
		 "histogram wide lint enable-checks silent-truncation ctf-symbols"),
	ROW_TAKES("UxpR", "sym-base unicode hex-dump string-dump relocated-dump dwarf-depth "
			  "dwarf-start ctf ctf-parent ctf-strings"),
	ROW_MAYBE("Cw", "demangle debug-dump sframe"),
	ROW_HELP("Hv", "help version"),
	OPTIONS_END,
};

static const struct option_row size_options[] = {
	ROW_FLAG("ABGdoxtfmls", "totals common"),
	ROW_TAKES(NULL, "format radix target"),
	ROW_HELP("hVv", "help version"),
	OPTIONS_END,
};

static const struct option_row addr2line_options[] = {
	ROW_FLAG("aipsfRr_n", "addresses inlines pretty-print basenames functions recurse-limit "
			      "no-recurse-limit no-strip-underscore strip-underscore no-params "
			      "no-verbose"),
	ROW_TAKES("bj", "target section format"),
	ROW_PATH("e", "exe", DEED_READ),
	ROW_MAYBE("C", "demangle"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

/* strip edits what it is given, or writes the file of -o. */
static const struct option_row strip_options[] = {
	ROW_FLAG("pDUsgSdMwxXvu", "preserve-dates enable-deterministic-archives "
				  "disable-deterministic-archives strip-all strip-debug strip-dwo "
				  "strip-unneeded only-keep-debug merge-notes no-merge-notes "
				  "keep-section-symbols keep-file-symbols wildcard discard-all "
				  "discard-locals verbose"),
	ROW_TAKES("IOFRNK", "input-target output-target target remove-section remove-relocations "
			    "strip-symbol keep-section keep-symbol"),
	ROW_PATH("o", NULL, DEED_WRITE),
	ROW_DOUBT_TAKES(NULL, "plugin"),
	ROW_HELP("hV", "help version info"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_filters[] = {
	{ .names = "grep egrep fgrep rgrep ggrep gegrep gfgrep zgrep zegrep "
		   "zfgrep bzgrep bzegrep bzfgrep lzegrep lzfgrep xzgrep xzegrep xzfgrep lzgrep "
		   "zstdgrep lz4grep",
	  .operands = "p f*",
	  .options = grep_options,
	  .style = PARSE_NUMBER | PARSE_ANY_WORD,
	  .refine = grep_refine },
	{ .names = "agrep tre-agrep", .operands = "p f*", .options = agrep_options },
	{ .names = "iconv", .operands = "f*", .options = iconv_options },
	{ .names = "uconv", .operands = "f*", .options = uconv_options },
	{ .names = "recode", .operands = ". e*", .options = recode_options },
	{ .names = "dos2unix unix2dos mac2unix unix2mac fromdos todos flip",
	  .operands = "e*",
	  .options = dos2unix_options },
	{ .names = "xmllint",
	  .operands = "f*",
	  .options = xmllint_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV,
	  .refine = basics_urls },
	{ .names = "xsltproc",
	  .operands = "f*",
	  .options = xsltproc_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV,
	  .rule = &xslt_runs,
	  .refine = basics_urls },
	{ .names = "tidy",
	  .operands = "f*",
	  .options = tidy_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "pandoc", .operands = "f*", .options = pandoc_options, .refine = pandoc_refine },
	{ .names = "markdown", .operands = "f*", .options = markdown_options },
	{ .names = "glow", .operands = "f?", .options = glow_options, .refine = glow_refine },
	{ .names = "aspell", .options = spell_options, .subcommands = aspell_commands },
	{ .names = "ispell hunspell", .operands = "e*", .options = spell_options },
	{ .names = "gettext ngettext", .options = gettext_options, .finds = FIND_IGNORES_INPUT },
	{ .names = "envsubst", .options = envsubst_options, .refine = envsubst_refine },
	{ .names = "csvcut csvgrep csvsort csvstat csvlook csvjson csvstack csvjoin csvformat "
		   "csvclean",
	  .operands = "f*",
	  .options = csvkit_options },
	{ .names = "gron", .operands = "f?", .options = gron_options, .refine = basics_urls },
	{ .names = "nm", .operands = "f*", .options = nm_options, .refine = basics_response_files },
	{ .names = "objdump",
	  .operands = "f*",
	  .options = objdump_options,
	  .refine = basics_response_files },
	{ .names = "readelf",
	  .operands = "f*",
	  .options = readelf_options,
	  .refine = basics_response_files },
	{ .names = "size",
	  .operands = "f*",
	  .options = size_options,
	  .refine = basics_response_files },
	{ .names = "addr2line c++filt",
	  .operands = ".*",
	  .options = addr2line_options,
	  .refine = basics_response_files },
	{ .names = "strip", .operands = "e*", .options = strip_options },
	PROGRAMS_END,
};
