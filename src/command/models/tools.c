/* SPDX-License-Identifier: MIT */
/*
 * Smaller programs that print or compute: about documents and media, numbers and chance, and parts
 * of the machine. What of them changes something is left unknown, or has a rule of its own.
 */
#include "command/models/basics.h"

#define LOOKS .finds = FIND_IGNORES_INPUT

RULE(tool_changes, "settings.changes", PROMPT, SYSTEM, "changes a setting of the system");

static const struct option_row help_options[] = {
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- data ---------------------------------------------------------------------------------------
 */

static const struct option_row pv_options[] = {
	ROW_FLAG("pterabTAInqWcfkQ",
		 "progress timer eta fineta rate average-rate bytes buffer-percent "
		 "numeric quiet wait cursor force line-mode null bits size"),
	ROW_TAKES("FLBwHNisDm", "format rate-limit buffer-size width height name interval "
				"last-written delay-start average-rate-window"),
	ROW_OUTPUT("o", "output"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row datamash_options[] = {
	ROW_FLAG("fisHWCz", "full ignore-case sort header-in header-out headers whitespace "
			    "zero-terminated narm no-strict skip-comments"),
	ROW_TAKES("gtRF", "group field-separator round format filler output-delimiter"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row htmlq_options[] = {
	ROW_FLAG("pBtnc", "pretty detect-base text ignore-whitespace number color plain"),
	ROW_TAKES("arbi", "attribute remove-nodes base indent limit charset"),
	ROW_PATH("f", "filename file", DEED_READ),
	ROW_OUTPUT("o", "output"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row pdf_options[] = {
	ROW_FLAG("rjq", "layout raw nopgbrk isodates rawdates meta js struct box custom dests url "
			"subst tsv bbox htmlmeta fixed nodiag list all png jpeg"),
	ROW_TAKES("flxyWH", "enc eol opw upw cropbox"),
	ROW_HELP("hv", "help"),
	OPTIONS_END,
};

/* pdftotext IN writes IN.txt, and IN OUT the second; "-" is the standard output. */
static void
pdftotext_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count == 1) {
		find_deed(found, DEED_WRITE, basics_glue(found, match->operands, ".txt"));
	} else if (match->operand_count > 1 && !field_is(&match->operands[1], "-")) {
		find_deed(found, DEED_WRITE, &match->operands[1]);
	}
}

static const struct option_row media_options[] = {
	ROW_FLAG("f", "full ParseSpeed"),
	ROW_HELP("hV", "help version help-output info-parameters"),
	OPTIONS_END,
};

static const struct option_row plutil_options[] = {
	ROW_FLAG("psln", "lint help"),
	ROW_MODE(NULL, "convert insert replace remove create", DEED_EDIT),
	ROW_TAKES(NULL, "extract type"),
	OPTIONS_END,
};

static const struct option_row otool_options[] = {
	ROW_FLAG("afhlLDtTrsdoGPxpcvVHIqQmXRMjBC", NULL),
	ROW_TAKES(NULL, "arch"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row pkg_config_options[] = {
	ROW_FLAG(NULL, "cflags cflags-only-I cflags-only-other libs libs-only-l libs-only-L "
		       "libs-only-other exists modversion list-all list-package-names print-errors "
		       "short-errors silence-errors static print-requires "
		       "print-requires-private print-provides print-variables uninstalled debug "
		       "validate path keep-system-cflags keep-system-libs env-only"),
	ROW_TAKES(NULL, "variable atleast-version exact-version max-version "
			"atleast-pkgconfig-version define-variable"),
	ROW_DOUBT_TAKES(NULL, "with-path personality"),
	ROW_HELP(NULL, "help version about"),
	OPTIONS_END,
};

/* ---- numbers, chance, letters -------------------------------------------------------------------
 */

static const struct option_row uuid_options[] = {
	ROW_FLAG("rtsxvL7", "random time md5 sha1 hex time-v6 time-v7 verbose"),
	ROW_TAKES("nNCm", "namespace name count max-size"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row jot_options[] = {
	ROW_FLAG("rcn", NULL),
	ROW_TAKES("bwsp", NULL),
	OPTIONS_END,
};

static const struct option_row vis_options[] = {
	ROW_FLAG("bcFhlmnostw", NULL),
	ROW_TAKES("e", NULL),
	OPTIONS_END,
};

static const struct option_row units_options[] = {
	ROW_FLAG("cmpqrst1ve",
		 "check compact minus product quiet silent round strict terse one-line "
		 "verbose exponential digits"),
	ROW_TAKES("dou", "output-format"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_HELP("hVU", "help version unitsfile"),
	OPTIONS_END,
};

/* Letters of a program that takes many, all of them about looks. */
static const struct option_row figlet_options[] = {
	ROW_FLAG("cklLrRpnDExXsSWotvNbdgytFHqaiu0123456789", NULL),
	ROW_TAKES("mwICMfeT", NULL),
	OPTIONS_END,
};

static const struct option_row errno_options[] = {
	ROW_FLAG("lsSqi", "list search search-all-locales quiet invert"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row zdump_options[] = {
	ROW_FLAG("viV", NULL),
	ROW_TAKES("ct", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

/* ---- the machine ----------------------------------------------------------------------------- */

static const struct option_row dust_options[] = {
	ROW_FLAG("bBcDfFHijLpPrRsStx",
		 "all apparent-size reverse no-percent-bars ignore-hidden "
		 "full-paths dereference-links limit-filesystem only-local json "
		 "warnings inodes"),
	ROW_TAKES("dnXevwzM",
		  "depth number-of-lines ignore-directory terminal-width sort output style "
		  "theme hide only hide-fs only-fs hide-mp only-mp width"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row procs_options[] = {
	ROW_FLAG("aoWtp", "and or nand nor tree thread json pager-never list"),
	ROW_TAKES("cisd", "color insert only sorta sortd theme interface"),
	ROW_DOUBT_TAKES(NULL, "pager load-config use-config"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row acpi_options[] = {
	ROW_FLAG("abBcfikstV",
		 "battery ac-adapter thermal cooling everything show-empty fahrenheit "
		 "kelvin details without-ac-adapter"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row upower_options[] = {
	ROW_FLAG("edmw", "enumerate dump wakeups monitor monitor-detail battery"),
	ROW_TAKES("i", "show-info"),
	ROW_HELP("h?", "help version"),
	OPTIONS_END,
};

static const struct option_row nvidia_options[] = {
	ROW_FLAG("Lqx", "list-gpus query xml-format unit dtd"),
	ROW_TAKES("idl", "id display loop loop-ms format query-gpu query-compute-apps "
			 "query-accounted-apps query-supported-clocks"),
	ROW_OUTPUT("f", "filename"),
	ROW_HELP("h", "help version help-query-gpu help-query-compute-apps"),
	OPTIONS_END,
};

static const struct option_row efibootmgr_options[] = {
	ROW_FLAG("vu", "verbose unicode"),
	ROW_RULE("aAbBcCDnNoOtTgGimrly",
		 "active inactive delete-bootnum create create-only remove-dups "
		 "bootnext delete-bootnext bootorder delete-bootorder timeout "
		 "delete-timeout",
		 ARG_OPTIONAL, &tool_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row ctl_options[] = {
	ROW_FLAG("alqr1",
		 "no-pager no-legend full all quiet reverse json user system acquired unique "
		 "activatable list verbose"),
	ROW_TAKES("noFDSU", "lines output field since until"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct program coredumpctl_commands[] = {
	SUB("list|info|", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program busctl_commands[] = {
	SUB("list|status|tree|introspect|get-property|help|", ".*", NULL, NULL, NULL, NULL),
	SUB("call|emit|set-property", ".*", NULL, NULL, &tool_changes, NULL),
	PROGRAMS_END,
};

static const struct program resolvectl_commands[] = {
	SUB("status|statistics|dns|domain|show-cache|log-level|", "", NULL, NULL, NULL, NULL),
	{ .names = "query|service|openpgp|tlsa",
	  .operands = ".*",
	  .finds = FIND_NETWORK | FIND_OUT_NETWORK,
	  .rule = &basics_network },
	SUB("flush-caches|reset-statistics|reset-server-features|revert|monitor", ".*", NULL, NULL,
	    &tool_changes, NULL),
	PROGRAMS_END,
};

static const struct program listing_commands[] = {
	SUB("list|status|show|info|devices|is-installed|list-images|list-transfers|show-image|"
	    "image-status|",
	    ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct option_row zramctl_options[] = {
	ROW_FLAG("bnr", "bytes noheadings raw output-all"),
	ROW_TAKES("o", "output"),
	ROW_RULE("fast", "find reset algorithm size streams", ARG_OPTIONAL, &tool_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- links ----------------------------------------------------------------------------------- */

static const struct option_row symlinks_options[] = {
	ROW_FLAG("rtv", NULL),
	ROW_MODE("cds", NULL, DEED_DELETE_TREE),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_tools[] = {
	{ .names = "pv", .operands = "f*", .options = pv_options },
	{ .names = "datamash", .options = datamash_options },
	{ .names = "htmlq pup", .options = htmlq_options },
	{ .names = "pdfinfo pdffonts",
	  .operands = "f",
	  .options = pdf_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "pdftotext",
	  .operands = "f .?",
	  .options = pdf_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV,
	  .refine = pdftotext_refine },
	{ .names = "mediainfo", .operands = "f*", .options = media_options, .refine = basics_urls },
	{ .names = "plutil",
	  .operands = "f*",
	  .options = plutil_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "otool",
	  .operands = "f*",
	  .options = otool_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "pkg-config pkgconf", .options = pkg_config_options, LOOKS },
	{ .names = "uuidgen mcookie", .options = uuid_options, LOOKS },
	{ .names = "jot", .options = jot_options, LOOKS },
	{ .names = "vis unvis", .operands = "f*", .options = vis_options, .finds = FIND_DECODES },
	{ .names = "units", .options = units_options },
	{ .names = "figlet toilet banner", .options = figlet_options },
	{ .names = "errno", .options = errno_options, LOOKS },
	{ .names = "isutf8 isosize", .operands = "f*", .options = errno_options },
	{ .names = "zdump", .options = zdump_options, LOOKS },
	{ .names = "dust duf", .operands = "l*", .options = dust_options, LOOKS },
	{ .names = "procs", .options = procs_options, LOOKS },
	{ .names = "acpi", .options = acpi_options, LOOKS },
	{ .names = "upower", .options = upower_options, LOOKS },
	{ .names = "nvidia-smi", .operands = "", .options = nvidia_options, LOOKS },
	{ .names = "efibootmgr", .operands = ".*", .options = efibootmgr_options, LOOKS },
	{ .names = "coredumpctl",
	  .options = ctl_options,
	  .subcommands = coredumpctl_commands,
	  LOOKS },
	{ .names = "busctl", .options = ctl_options, .subcommands = busctl_commands, LOOKS },
	{ .names = "resolvectl",
	  .options = ctl_options,
	  .subcommands = resolvectl_commands,
	  LOOKS },
	{ .names = "bootctl machinectl rfkill",
	  .options = ctl_options,
	  .subcommands = listing_commands,
	  LOOKS },
	{ .names = "zramctl", .options = zramctl_options, LOOKS },
	{ .names = "lsirq wdctl findfs e2freefrag",
	  .operands = "l*",
	  .options = help_options,
	  LOOKS },
	{ .names = "symlinks", .operands = "l*", .options = symlinks_options, LOOKS },
	PROGRAMS_END,
};
