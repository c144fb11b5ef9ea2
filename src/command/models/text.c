/* SPDX-License-Identifier: MIT */
/*
 * The classic filters: text from files or the standard input comes out in another shape. A few of
 * them can write a file, and sort runs a program that it is told. Others are in filters.c.
 */
#include "command/models/basics.h"

/* ---- whole files, and parts of them ---------------------------------------------------------- */

static const struct option_row cat_options[] = {
	ROW_FLAG("AbelnstTuv", "show-all number-nonblank show-ends number squeeze-blank show-tabs "
			       "show-nonprinting"),
	ROW_FLAG("E", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row tac_options[] = {
	ROW_FLAG("br", "before regex"),
	ROW_TAKES("s", "separator"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row head_options[] = {
	ROW_FLAG("qvz", "quiet silent verbose zero-terminated"),
	ROW_TAKES("cn", "bytes lines"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row tail_options[] = {
	ROW_FLAG("Fqvzr", "quiet silent retry verbose zero-terminated"),
	ROW_FLAG("f", NULL),
	ROW_TAKES("cnsb", "bytes lines max-unchanged-stats pid sleep-interval"),
	ROW_MAYBE(NULL, "follow"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row nl_options[] = {
	ROW_FLAG("p", "no-renumber"),
	ROW_TAKES("bdfhilnsvw", "body-numbering section-delimiter footer-numbering "
				"header-numbering line-increment join-blank-lines number-format "
				"number-separator starting-line-number number-width"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row wc_options[] = {
	ROW_FLAG("cmlLw", "bytes chars lines max-line-length words"),
	ROW_PATH(NULL, "files0-from", DEED_READ),
	ROW_TAKES(NULL, "total"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row ts_options[] = {
	ROW_FLAG("rism", NULL),
	OPTIONS_END,
};

/* ---- bytes ----------------------------------------------------------------------------------- */

static const struct option_row od_options[] = {
	ROW_FLAG("vabcdfilosxBDeFHhILOX", "output-duplicates traditional"),
	ROW_TAKES("AjNt", "address-radix endian skip-bytes read-bytes format"),
	ROW_MAYBE("Sw", "strings width"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row hexdump_options[] = {
	ROW_FLAG("bcCdoxvX", "one-byte-octal one-byte-char one-byte-hex canonical "
			     "two-bytes-decimal two-bytes-octal two-bytes-hex no-squeezing"),
	ROW_TAKES("ens", "format length skip"),
	ROW_PATH("f", "format-file", DEED_READ),
	ROW_MAYBE("L", "color"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* The options of xxd may be cut short and have one dash. */
static const struct option_row xxd_options[] = {
	ROW_FLAG("aCEeirudbp", "autoskip capitalize EBCDIC bits include postscript plain ps revert "
			       "uppercase"),
	ROW_TAKES("cglonsR", "cols len seek skip name off color groupsize"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row hexyl_options[] = {
	ROW_FLAG("vCPpi", "no-squeezing no-characters no-position plain include characters"),
	ROW_TAKES("ncsobg", "length bytes skip block-size display-offset border color panels "
			    "group-size endianness base terminal-width character-table"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row strings_options[] = {
	ROW_FLAG("adfow", "data all print-file-name include-all-whitespace"),
	ROW_TAKES("ntTeUs", "bytes radix target encoding unicode output-separator"),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

/* macOS names the files with options. */
static const struct option_row base64_options[] = {
	ROW_FLAG("diD", "decode ignore-garbage base64 base64url base32 base32hex base16 base2msbf "
			"base2lsbf z85 base58"),
	ROW_TAKES("wb", "wrap break"),
	ROW_OUTPUT("o", "output"),
	ROW_PATH(NULL, "input", DEED_READ),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row uuencode_options[] = {
	ROW_FLAG("mr", "base64 encode-file-name"),
	ROW_OUTPUT("o", "output-file"),
	ROW_VERSION,
	OPTIONS_END,
};

RULE(uudecode_writes, "uudecode.writes", PROMPT, WRITES, "writes the file that the input names");

static const struct option_row uudecode_options[] = {
	ROW_FLAG("cimprs", "ignore-chmod"),
	ROW("o", "output-file", ARG_ONE, USE_STDOUT),
	ROW_VERSION,
	OPTIONS_END,
};

static void
uudecode_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *output = match_option(match, 'o', "output-file");

	if (match_option(match, 'p', NULL) != NULL ||
	    (output != NULL && output->arg != NULL && field_is(output->arg, "/dev/stdout"))) {
		return;
	}
	if (output == NULL) {
		find_rule(found, &uudecode_writes, NULL);
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

RULE(names_from_file, "input.names-files", PROMPT, READS, "reads whatever files its input names");

static const struct option_row sort_options[] = {
	ROW_FLAG("bcCdfgiMhnRrVmsuz", "ignore-leading-blanks dictionary-order ignore-case "
				      "general-numeric-sort ignore-nonprinting month-sort "
				      "human-numeric-sort numeric-sort random-sort reverse "
				      "version-sort debug merge stable unique zero-terminated "
				      "mmap radixsort qsort mergesort heapsort"),
	ROW_TAKES("kSt", "sort batch-size key buffer-size field-separator parallel"),
	ROW_PATH("T", "temporary-directory", DEED_LIST),
	ROW_MAYBE(NULL, "check"),
	ROW_OUTPUT("o", "output"),
	ROW_PATH(NULL, "random-source", DEED_READ),
	ROW_BOTH(NULL, "files0-from", ARG_ONE, DEED_READ, &names_from_file),
	ROW_RUNS(NULL, "compress-program"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row uniq_options[] = {
	ROW_FLAG("cdDiuz", "count repeated ignore-case unique zero-terminated"),
	ROW_TAKES("fsw", "skip-fields skip-chars check-chars"),
	ROW_MAYBE(NULL, "all-repeated group"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row shuf_options[] = {
	ROW_FLAG("rz", "repeat zero-terminated"),
	ROW_MODE("e", "echo", USE_NOTHING),
	ROW_TAKES("in", "input-range head-count"),
	ROW_OUTPUT("o", "output"),
	ROW_PATH(NULL, "random-source", DEED_READ),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row comm_options[] = {
	ROW_FLAG("123zif", "check-order nocheck-order total zero-terminated"),
	ROW_TAKES(NULL, "output-delimiter"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row join_options[] = {
	ROW_FLAG("iz", "ignore-case check-order nocheck-order header zero-terminated"),
	ROW_TAKES("aejotv12", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row version_options[] = {
	ROW_VERSION,
	OPTIONS_END,
};

/* ---- columns and lines ----------------------------------------------------------------------- */

static const struct option_row cut_options[] = {
	ROW_FLAG("nszMw", "complement only-delimited zero-terminated"),
	ROW_TAKES("bcdfO", "bytes characters delimiter fields output-delimiter"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row paste_options[] = {
	ROW_FLAG("sz", "serial zero-terminated"),
	ROW_TAKES("d", "delimiters"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row tr_options[] = {
	ROW_FLAG("cCdstu", "complement delete squeeze-repeats truncate-set1"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row rev_options[] = {
	ROW_FLAG("0", "zero"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row expand_options[] = {
	ROW_FLAG("ia", "initial all first-only"),
	ROW_TAKES("t", "tabs"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row fold_options[] = {
	ROW_FLAG("bcs", "bytes characters spaces"),
	ROW_TAKES("w", "width"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row fmt_options[] = {
	ROW_FLAG("cstumn", "crown-margin split-only tagged-paragraph uniform-spacing"),
	ROW_TAKES("pwgdl", "prefix width goal"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row pr_options[] = {
	ROW_FLAG("acdFfJmrtTvp", "across show-control-chars double-space form-feed join-lines "
				 "merge no-file-warnings omit-header omit-pagination "
				 "show-nonprinting"),
	ROW_TAKES("DhlNowWL", "columns date-format header length first-line-number indent width "
			      "page-width"),
	ROW_MAYBE(NULL, "+"),
	ROW_MAYBE("einsS", "expand-tabs output-tabs number-lines separator sep-string"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row column_options[] = {
	ROW_FLAG("tdeLJx", "table table-noheadings table-header-repeat keep-empty-lines json "
			   "fillrows table-maxout table-colorized-output"),
	ROW_TAKES("nONlEHRTWripcosC",
		  "table-name table-order table-columns table-columns-limit table-noextreme "
		  "table-hide table-right table-truncate table-wrap tree tree-id tree-parent "
		  "output-width output-separator separator table-column"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row col_options[] = {
	ROW_FLAG("bfphx2i", "no-backspaces fine pass tabs spaces half-lines indicated"),
	ROW_TAKES("ltT", "lines terminal"),
	ROW_HELP("HV", "help version"),
	OPTIONS_END,
};

static const struct option_row look_options[] = {
	ROW_FLAG("adf", "alternative alphanum ignore-case"),
	ROW_TAKES("t", "terminate"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row ptx_options[] = {
	ROW_FLAG("ARfrtC", "auto-reference right-side-refs ignore-case references "
			   "typeset-mode copyright"),
	ROW_TAKES("FMSWgw",
		  "flag-truncation macro-name format sentence-regexp word-regexp gap-size "
		  "width"),
	ROW_FLAG("OT", NULL),
	ROW_PATH("bio", "break-file ignore-file only-file", DEED_READ),
	/* The second operand is written then. */
	ROW_DOUBT("G", "traditional"),
	ROW_VERSION,
	OPTIONS_END,
};

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct option_row seq_options[] = {
	ROW_FLAG("w", "equal-width"),
	ROW_TAKES("fst", "format separator terminator"),
	ROW_FLAG("0123456789.", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row numfmt_options[] = {
	ROW_FLAG("zM", "debug grouping zero-terminated"),
	ROW_TAKES("d", "delimiter field format from from-unit invalid padding round suffix to "
		       "to-unit"),
	ROW_MAYBE(NULL, "header"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row factor_options[] = {
	ROW_FLAG("h", "exponents"),
	ROW_VERSION,
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_text[] = {
	{ .names = "cat gcat", .operands = "f*", .options = cat_options },
	{ .names = "tac gtac", .operands = "f*", .options = tac_options },
	{ .names = "head ghead", .operands = "f*", .options = head_options, .style = PARSE_NUMBER },
	{ .names = "tail gtail", .operands = "f*", .options = tail_options, .style = PARSE_NUMBER },
	{ .names = "nl", .operands = "f*", .options = nl_options },
	{ .names = "wc gwc", .operands = "f*", .options = wc_options },
	{ .names = "ts", .options = ts_options },
	{ .names = "od god", .operands = "f*", .options = od_options },
	{ .names = "hexdump hd", .operands = "f*", .options = hexdump_options },
	{ .names = "xxd",
	  .operands = "f? w?",
	  .options = xxd_options,
	  .style = PARSE_LONG_ONE,
	  .finds = FIND_DECODES,
	  .refine = basics_from_output },
	{ .names = "hexyl", .operands = "f*", .options = hexyl_options },
	{ .names = "strings gstrings",
	  .operands = "f*",
	  .options = strings_options,
	  .style = PARSE_NUMBER,
	  .refine = basics_response_files },
	{ .names = "base64 base32 basenc gbase64",
	  .operands = "f?",
	  .options = base64_options,
	  .finds = FIND_DECODES },
	{ .names = "uuencode",
	  .operands = "f? .?",
	  .options = uuencode_options,
	  .finds = FIND_DECODES },
	{ .names = "uudecode",
	  .operands = "f*",
	  .options = uudecode_options,
	  .finds = FIND_DECODES,
	  .refine = uudecode_refine },
	{ .names = "sort gsort", .operands = "f*", .options = sort_options },
	{ .names = "uniq guniq",
	  .operands = "f? w?",
	  .options = uniq_options,
	  .style = PARSE_NUMBER,
	  .refine = basics_from_output },
	{ .names = "shuf gshuf", .operands = "f*", .options = shuf_options },
	{ .names = "comm", .operands = "f f", .options = comm_options },
	{ .names = "join", .operands = "f f", .options = join_options },
	{ .names = "tsort", .operands = "f?", .options = version_options },
	{ .names = "cut gcut", .operands = "f*", .options = cut_options },
	{ .names = "paste", .operands = "f*", .options = paste_options },
	{ .names = "tr gtr", .options = tr_options, .finds = FIND_DECODES },
	{ .names = "rev", .operands = "f*", .options = rev_options, .finds = FIND_DECODES },
	{ .names = "expand unexpand",
	  .operands = "f*",
	  .options = expand_options,
	  .style = PARSE_NUMBER },
	{ .names = "fold", .operands = "f*", .options = fold_options, .style = PARSE_NUMBER },
	{ .names = "fmt", .operands = "f*", .options = fmt_options, .style = PARSE_NUMBER },
	{ .names = "pr",
	  .operands = "f*",
	  .options = pr_options,
	  .style = PARSE_NUMBER | PARSE_PLUS },
	{ .names = "column", .operands = "f*", .options = column_options },
	{ .names = "col colcrt ul", .operands = "f*", .options = col_options },
	{ .names = "colrm", .options = rev_options },
	{ .names = "look", .operands = "p f?", .options = look_options },
	{ .names = "ptx", .operands = "f*", .options = ptx_options },
	{ .names = "seq gseq", .options = seq_options, .finds = FIND_IGNORES_INPUT },
	{ .names = "numfmt gnumfmt", .options = numfmt_options },
	{ .names = "factor", .options = factor_options },
	{ .names = "expr gexpr", .style = PARSE_NONE, .finds = FIND_IGNORES_INPUT },
	{ .names = "yes gyes", .finds = FIND_IGNORES_INPUT, .options = version_options },
	PROGRAMS_END,
};
