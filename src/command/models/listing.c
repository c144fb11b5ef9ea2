/* SPDX-License-Identifier: MIT */
/*
 * Programs that look at files and change none: names, sizes, rights, sums, differences.
 */
#include "command/models/basics.h"

/* ---- names ---------------------------------------------------------------------------------- */

static const struct option_row ls_options[] = {
	ROW_FLAG("aAbBcCdDfFgGhHiklLmnNoOPqQrRsStuUvWxXyZ1@%e,",
		 "all almost-all author escape ignore-backups directory dired file-type full-time "
		 "group-directories-first no-group human-readable si dereference-command-line "
		 "dereference-command-line-symlink-to-dir inode kibibytes dereference "
		 "numeric-uid-gid literal hide-control-chars show-control-chars quote-name reverse "
		 "recursive size context zero"),
	ROW_TAKES("IpTw", "block-size format hide indicator-style ignore quoting-style sort time "
			  "time-style tabsize width"),
	ROW_MAYBE(NULL, "color colour classify hyperlink"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row eza_options[] = {
	ROW_FLAG("1lGxRTFXaAdDfBbghHimMnoOPSsuUwZ@r",
		 "oneline long grid across recurse tree classify dereference all almost-all "
		 "list-dirs only-dirs only-files reverse group-directories-first "
		 "group-directories-last git git-ignore git-repos git-repos-no-status no-git "
		 "binary bytes group header links inode modified numeric flags blocksize "
		 "accessed created changed no-permissions octal-permissions no-filesize no-user "
		 "no-time no-icons extended context mounts hyperlink color-scale no-quotes "
		 "smart-group total-size show-symlinks no-symlinks follow-symlinks oneline blocks "
		 "long inode literal gitsort sizesort timesort extensionsort versionsort no-sort "
		 "icons"),
	ROW_TAKES("LtI", "level sort time time-style ignore-glob width color colour icons-auto "
			 "color-scale-mode absolute depth date size permission icon icon-theme "
			 "blocks-format group-dirs hyperlink-when truncate-owner-after"),
	ROW_HELP("?vV", "help version"),
	OPTIONS_END,
};

/* -R runs tree again in each directory and writes a page there. */
static const struct option_row tree_options[] = {
	ROW_FLAG("adflxQqNpugshDFvtcUrAnSCXJi",
		 "noreport si du inodes device dirsfirst filesfirst nolinks matchdirs "
		 "ignore-case prune fromfile fromtabfile gitignore info metafirst fflinks"),
	ROW_TAKES("LPIHT", "filelimit charset timefmt sort gitfile infofile hintro houtro scheme "
			   "authority"),
	ROW_OUTPUT("o", "output"),
	ROW_DOUBT("R", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row readlink_options[] = {
	ROW_FLAG("efmnqsvz", "canonicalize canonicalize-existing canonicalize-missing no-newline "
			     "quiet silent verbose zero"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row realpath_options[] = {
	ROW_FLAG("emLPqsz", "canonicalize-existing canonicalize-missing logical physical quiet "
			    "strip no-symlinks zero"),
	ROW_TAKES(NULL, "relative-to relative-base"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row basename_options[] = {
	ROW_FLAG("az", "multiple zero"),
	ROW_TAKES("s", "suffix"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row pathchk_options[] = {
	ROW_FLAG("pP", "portability"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row namei_options[] = {
	ROW_FLAG("xmolnvZ", "mountpoints modes owners long nosymlinks vertical context"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- metadata and sizes ---------------------------------------------------------------------- */

static const struct option_row stat_options[] = {
	ROW_FLAG("LFlnqrsx", "dereference terse"),
	ROW_FLAG("f", "file-system"),
	ROW_FLAG("t", NULL),
	ROW_TAKES("c", "cached printf format"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row df_options[] = {
	ROW_FLAG("abcgHhiklmnPTvY,", "all human-readable si inodes local no-sync portability sync "
				     "total print-type"),
	ROW_TAKES("Btx", "block-size type exclude-type"),
	ROW_MAYBE(NULL, "output"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row du_options[] = {
	ROW_FLAG("0abcDgHhkLlmnPrSsx", "null all apparent-size bytes total dereference-args "
				       "human-readable inodes dereference count-links "
				       "no-dereference separate-dirs si summarize one-file-system"),
	ROW_TAKES("BdtI", "block-size max-depth threshold time-style exclude"),
	ROW_PATH("X", "files0-from exclude-from", DEED_READ),
	ROW_MAYBE(NULL, "time"),
	ROW_VERSION,
	OPTIONS_END,
};

/* -C compiles the file of magic numbers. */
static const struct option_row file_options[] = {
	ROW_FLAG("vzZbciklLhnN0prsSdEIDj", "uncompress uncompress-noreport brief "
					   "checking-printout mime apple extension mime-type "
					   "mime-encoding keep-going list dereference "
					   "no-dereference no-buffer no-pad print0 preserve-date "
					   "raw special-files no-sandbox debug"),
	ROW_TAKES("eFP", "exclude exclude-quiet separator parameter"),
	ROW_PATH("fm", "files-from magic-file", DEED_READ),
	ROW_DOUBT("C", "compile"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row getfacl_options[] = {
	ROW_FLAG("acdeEsRLPtpn", "access omit-header default all-effective no-effective skip-base "
				 "recursive logical physical tabular absolute-names numeric "
				 "one-file-system"),
	ROW_HELP("vh", "version help"),
	OPTIONS_END,
};

static const struct option_row getfattr_options[] = {
	ROW_FLAG("dhRLP", "dump no-dereference recursive logical physical absolute-names "
			  "one-file-system only-values"),
	ROW_TAKES("nem", "name encoding match"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row getcap_options[] = {
	ROW_FLAG("vnr", NULL),
	ROW_HELP("h", NULL),
	OPTIONS_END,
};

static const struct option_row lsattr_options[] = {
	ROW_FLAG("RVadlpv", NULL),
	OPTIONS_END,
};

static const struct option_row sync_options[] = {
	ROW_FLAG("df", "data file-system"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row mdls_options[] = {
	ROW_FLAG("r", "raw"),
	ROW_TAKES("n", "name nullMarker"),
	OPTIONS_END,
};

static const struct option_row inotify_options[] = {
	ROW_FLAG("mrqscjvzP", "monitor recursive quiet syslog csv no-dereference zero "
			      "include-dirs"),
	ROW_TAKES("tef", "exclude excludei include includei timeout event format timefmt "
			 "ascending descending"),
	ROW_PATH(NULL, "fromfile", DEED_READ),
	ROW_OUTPUT("o", "outfile"),
	ROW_DOUBT("d", "daemon"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row ncdu_options[] = {
	ROW_FLAG("0123erxqL", "one-file-system extended read-only si disk-usage-only cross-file-"
			      "system follow-symlinks exclude-caches exclude-kernfs"),
	ROW_TAKES(NULL, "exclude color"),
	ROW_PATH("Xf", "exclude-from", DEED_READ),
	ROW_OUTPUT("o", NULL),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

RULE(ncdu_interactive, "ncdu.interactive", PROMPT, DELETES, "can delete files at a key press");

/* ---- sums ----------------------------------------------------------------------------------- */

static const struct option_row sum_options[] = {
	ROW_FLAG("bctzwrpqsUX01", "binary check tag text zero ignore-missing quiet status strict "
				  "warn sysv untagged raw debug base64 portable UNIVERSAL BITS"),
	ROW_TAKES("al", "algorithm length"),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

/* BSD and macOS: -c is followed by the sum to compare with, -s by a text. */
static const struct option_row md5_options[] = {
	ROW_FLAG("pqrntx", NULL),
	ROW_TAKES("cs", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* ---- differences ----------------------------------------------------------------------------- */

static const struct option_row cmp_options[] = {
	ROW_FLAG("blsvhxz", "print-bytes verbose quiet silent"),
	ROW_TAKES("in", "ignore-initial bytes"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row diff_options[] = {
	ROW_FLAG("qsenyptTlrNPiEZbwBadv",
		 "normal brief report-identical-files ed rcs side-by-side left-column "
		 "suppress-common-lines show-c-function expand-tabs initial-tab "
		 "suppress-blank-empty paginate recursive no-dereference new-file "
		 "unidirectional-new-file ignore-file-name-case no-ignore-file-name-case "
		 "ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change "
		 "ignore-all-space ignore-blank-lines text strip-trailing-cr minimal "
		 "speed-large-files"),
	ROW_TAKES("WFxSID", "width show-function-line label tabsize exclude starting-file "
			    "ignore-matching-lines ifdef old-group-format new-group-format "
			    "unchanged-group-format changed-group-format line-format "
			    "old-line-format new-line-format unchanged-line-format horizon-lines "
			    "palette"),
	ROW_TAKES("L", NULL),
	ROW_PATH("X", "exclude-from from-file to-file", DEED_READ),
	ROW_MAYBE("cCuU", "context unified color"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row colordiff_options[] = {
	ROW_TAKES(NULL, "difftype color-term-output-only fakeexitcode"),
	ROW_FLAG("qsenyptTlrNPiEZbwBad", "brief recursive new-file ignore-case "
					 "ignore-space-change ignore-all-space side-by-side text"),
	ROW_TAKES("WFxSIDL", "width label exclude"),
	ROW_MAYBE("cCuU", "context unified color"),
	ROW_HELP("v", "help version"),
	OPTIONS_END,
};

static const struct option_row diff3_options[] = {
	ROW_FLAG("AeE3xXimaTv", "show-all ed show-overlap easy-only overlap-only merge text "
				"strip-trailing-cr initial-tab"),
	ROW_TAKES("L", "label"),
	ROW_RUNS(NULL, "diff-program"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row sdiff_options[] = {
	ROW_FLAG("iEZbWBalstdHv",
		 "ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change "
		 "ignore-all-space ignore-blank-lines strip-trailing-cr text left-column "
		 "suppress-common-lines expand-tabs minimal speed-large-files"),
	ROW_TAKES("Iw", "ignore-matching-lines width tabsize"),
	ROW_OUTPUT("o", "output"),
	ROW_RUNS(NULL, "diff-program"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row wdiff_options[] = {
	ROW_FLAG("123aciIlnpstd", "copyright no-deleted no-inserted no-common ignore-case "
				  "less-mode avoid-wraps printer statistics auto-pager terminal "
				  "diff-input"),
	ROW_TAKES("wxyz", "start-delete end-delete start-insert end-insert"),
	ROW_HELP("hvC", "help version"),
	OPTIONS_END,
};

static const struct option_row diffstat_options[] = {
	ROW_FLAG("bcCkKlmqRrsSTtuv", NULL),
	ROW_TAKES("DefhnNpw", NULL),
	ROW_OUTPUT("o", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row lsdiff_options[] = {
	ROW_FLAG("nNsvzHbwqEB", "line-number number-files status verbose decompress with-filename "
				"no-filename annotate as-numbered-lines clean remove-timestamps "
				"ignore-case ignore-all-space ignore-space-change interpolate "
				"no-revert-omitted list"),
	ROW_TAKES("piIxXFU#d", "strip include exclude lines files hunks strip-match addprefix "
			       "addoldprefix addnewprefix unified drop-context format"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row delta_options[] = {
	ROW_FLAG("ns", "dark light line-numbers side-by-side navigate hyperlinks raw color-only "
		       "diff-highlight diff-so-fancy keep-plus-minus-markers show-config "
		       "show-syntax-themes show-themes show-colors list-languages "
		       "list-syntax-themes relative-paths no-gitconfig"),
	ROW_TAKES("w", "width features syntax-theme paging tabs true-color wrap-max-lines "
		       "max-line-length color-words file-style hunk-header-style minus-style "
		       "plus-style zero-style display context language sort-paths tab-width"),
	ROW_DOUBT_TAKES(NULL, "pager config"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

/* Paths from the root that are printed as they are: a glob, or with -d. */
static void
ls_refine(const struct match *match, struct findings *found)
{
	bool alone = match_option(match, 'd', "directory") != NULL;
	struct field *paths = arena_array(found->arena, match->operand_count, sizeof(*paths));

	if (paths == NULL || match_option(match, 'l', NULL) != NULL) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *path = &match->operands[i];

		if (path->text[0] == '/' && (alone || path->kind == BAILEY_WORD_GLOB)) {
			paths[found->listed_count++] = *path;
		}
	}
	found->listed = found->listed_count > 0 ? paths : NULL;
}

#define LOOKS .finds = FIND_IGNORES_INPUT

const struct program models_listing[] = {
	{ .names = "ls dir vdir gls",
	  .operands = "l*",
	  .options = ls_options,
	  .style = PARSE_ANY_WORD,
	  LOOKS,
	  .refine = ls_refine },
	{ .names = "eza exa lsd", .operands = "l*", .options = eza_options, LOOKS },
	{ .names = "tree",
	  .operands = "l*",
	  .options = tree_options,
	  .style = PARSE_NO_ABBREV,
	  LOOKS },
	{ .names = "readlink greadlink", .operands = "l*", .options = readlink_options, LOOKS },
	{ .names = "realpath grealpath", .operands = "l*", .options = realpath_options, LOOKS },
	{ .names = "basename dirname gbasename gdirname", .options = basename_options, LOOKS },
	{ .names = "pathchk", .options = pathchk_options, LOOKS },
	{ .names = "namei", .operands = "l*", .options = namei_options, LOOKS },
	{ .names = "stat gstat", .operands = "l*", .options = stat_options, LOOKS },
	{ .names = "df gdf", .operands = "l*", .options = df_options, LOOKS },
	{ .names = "du", .operands = "l*", .options = du_options },
	{ .names = "file", .operands = "l*", .options = file_options },
	{ .names = "getfacl", .operands = "l*", .options = getfacl_options },
	{ .names = "getfattr", .operands = "l*", .options = getfattr_options, LOOKS },
	{ .names = "getcap", .operands = "l*", .options = getcap_options, LOOKS },
	{ .names = "lsattr", .operands = "l*", .options = lsattr_options, LOOKS },
	{ .names = "sync", .operands = "l*", .options = sync_options, LOOKS },
	{ .names = "mdls GetFileInfo", .operands = "l*", .options = mdls_options, LOOKS },
	{ .names = "inotifywait inotifywatch",
	  .operands = "l*",
	  .options = inotify_options,
	  LOOKS },
	{ .names = "ncdu", .operands = "l*", .options = ncdu_options, .rule = &ncdu_interactive },
	{ .names = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum "
		   "shasum xxhsum xxh32sum xxh64sum xxh128sum sha3sum gmd5sum gsha1sum gsha256sum "
		   "gsha512sum gcksum",
	  .operands = "f*",
	  .options = sum_options },
	{ .names = "md5 sha1 sha256 sha512 crc32", .operands = "f*", .options = md5_options },
	{ .names = "cmp gcmp", .operands = "f f? .*", .options = cmp_options },
	{ .names = "diff gdiff", .operands = "f*", .options = diff_options },
	{ .names = "colordiff", .operands = "f*", .options = colordiff_options },
	{ .names = "diff3", .operands = "f*", .options = diff3_options },
	{ .names = "sdiff", .operands = "f*", .options = sdiff_options },
	{ .names = "wdiff dwdiff", .operands = "f*", .options = wdiff_options },
	{ .names = "diffstat", .operands = "f*", .options = diffstat_options },
	{ .names = "lsdiff grepdiff interdiff combinediff filterdiff",
	  .operands = "f*",
	  .options = lsdiff_options },
	{ .names = "delta difft", .operands = "f*", .options = delta_options },
	PROGRAMS_END,
};
