/* SPDX-License-Identifier: MIT */
/*
 * Archives and compression. An archive program is a reader when it lists, tests or prints, and
 * makes files of unknown names when it unpacks; which of these it does is said by an option or by
 * the first word. tar and cpio are in archives_tar.c, backups in archives_backup.c.
 */
#include "command/models/basics.h"

RULE(source_removed, "compression.removes-source", PROMPT, DELETES,
     "removes the files that it has packed or unpacked");

/* ---- one file at a time ------------------------------------------------------------------------
 */

/* The file goes and its packed form comes, unless the result is printed. */
static const struct option_row gzip_options[] = {
	ROW_FLAG("dfhknNqrvLz0123456789a", "ascii decompress uncompress force keep no-name name "
					   "quiet recursive rsyncable verbose fast best license "
					   "synchronous compress zlib zip independent"),
	ROW_TAKES("Sbp", "suffix blocksize processes"),
	ROW_MODE("clt", "stdout to-stdout list test", DEED_READ),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row compress_options[] = {
	ROW_FLAG("dfvkrqn", NULL),
	ROW_TAKES("b", NULL),
	ROW_MODE("c", NULL, DEED_READ),
	OPTIONS_END,
};

static const struct option_row bzip2_options[] = {
	ROW_FLAG("dzfkqvs123456789L",
		 "decompress compress force keep quiet verbose small fast best "
		 "repetitive-fast repetitive-best exponential license"),
	ROW_MODE("ct", "stdout test", DEED_READ),
	ROW_FLAG("lr", "loadavg read"),
	ROW_MAYBE("bmpS", NULL),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row xz_options[] = {
	ROW_FLAG("zdkfqQve0123456789", "compress decompress uncompress keep force extreme quiet "
				       "no-warn verbose no-sparse single-stream robot fast best "
				       "ignore-check no-adjust"),
	ROW_TAKES("STFCMs", "suffix format check block-size block-list flush-timeout memlimit-"
			    "compress memlimit-decompress memlimit-mt-decompress memlimit memory "
			    "threads"),
	ROW_TAKES(NULL, "member-size dictionary-size match-length data-size"),
	ROW_MAYBE(NULL, "lzma1 lzma2 x86 arm armthumb arm64 powerpc ia64 sparc delta"),
	ROW_DOUBT_TAKES(NULL, "files files0"),
	ROW_MODE("clt", "stdout to-stdout list test", DEED_READ),
	ROW_HELP("hHV", "help long-help version"),
	OPTIONS_END,
};

/* Keeps its source unless told otherwise; what it makes lies beside it. */
static const struct option_row zstd_options[] = {
	ROW_FLAG("kdfvqrCzHSR0123456789",
		 "keep decompress uncompress compress force verbose quiet ultra single-thread "
		 "rsyncable exclude-compressed no-dictID check no-check content-size "
		 "no-content-size sparse no-sparse progress no-progress asyncio no-asyncio "
		 "pass-through no-pass-through row-match-finder no-row-match-finder mmap-dict "
		 "no-mmap-dict content-size favor-decSpeed"),
	ROW_TAKES("TMBbei", "threads memory block-size stream-size size-hint "
			    "target-compressed-block-size maxdict dictID priority"),
	ROW_MAYBE(NULL, "fast long adapt format auto-threads"),
	ROW_PATH("D", "patch-from dict", DEED_READ),
	ROW_DOUBT_TAKES(NULL, "filelist"),
	ROW_PATH("o", "output-dir-flat output-dir-mirror trace", DEED_WRITE),
	ROW_MODE("clt", "stdout list test", DEED_READ),
	ROW_RULE(NULL, "rm", ARG_NONE, &source_removed),
	ROW_DOUBT(NULL, "train train-cover train-fastcover train-legacy"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row lz4_options[] = {
	ROW_FLAG("123456789dzfkvqmrBX", "compress decompress force keep verbose quiet multiple "
					"content-size sparse no-sparse no-frame-crc frame-crc "
					"favor-decSpeed legacy best fast"),
	ROW_TAKES("Dbei", NULL),
	ROW_MODE("clt", "stdout to-stdout list test", DEED_READ),
	ROW_RULE(NULL, "rm", ARG_NONE, &source_removed),
	ROW_HELP("hHV", "help version"),
	OPTIONS_END,
};

static const struct option_row brotli_options[] = {
	ROW_FLAG("dfknv0123456789Zs", "decompress force keep no-copy-stat verbose best squash"),
	ROW_TAKES("qwDSC", "quality lgwin suffix large_window comment"),
	ROW_OUTPUT("o", "output"),
	ROW_RULE("j", "rm", ARG_NONE, &source_removed),
	ROW_PATH(NULL, "dictionary", DEED_READ),
	ROW_MODE("ct", "stdout test", DEED_READ),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* lz4, zstd and brotli keep the file, and put the result beside it under a name that follows. */
static void
beside_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *mode = NULL;

	for (size_t i = 0; i < match->option_count; i++) {
		mode = match->options[i].row->use == USE_MODE ? &match->options[i] : mode;
	}
	if ((mode != NULL && mode->row->operand == DEED_READ) ||
	    match_option(match, 'o', "output") != NULL) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, DEED_WRITE, basics_glue(found, &match->operands[i], ".new"));
	}
}

/* lz4 IN OUT names the result; with -m every word is a file of its own. */
static void
beside_lz4(const struct match *match, struct findings *found)
{
	if (match->operand_count == 1 || match_option(match, 'm', "multiple") != NULL) {
		beside_refine(match, found);
	}
}

static const struct option_row zcat_options[] = {
	ROW_FLAG("flLnNqrtvcdk", "force list quiet recursive test verbose stdout decompress"),
	ROW_TAKES("STM", "suffix threads memory"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row zdiff_options[] = {
	ROW_FLAG("qsuyiEZbwBarNpctTl", "brief unified ignore-case ignore-all-space "
				       "ignore-space-change ignore-blank-lines text"),
	ROW_TAKES("UCWFI", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

/* gzip and its kin remove the file that they pack, unless it is kept. */
static void
replace_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'k', "keep") == NULL) {
		return;
	}
	for (struct effect *effect = found->effects; effect != NULL; effect = effect->next) {
		if (effect->deed == DEED_MOVE) {
			effect->deed = DEED_READ;
			find_deed(found, DEED_WRITE, basics_glue(found, effect->target, ".new"));
		}
	}
}

/* ---- zip ---------------------------------------------------------------------------------------
 */

RULE(zip_moves, "zip.moves", PROMPT, DELETES, "removes the files that it has packed");
RULE(zip_tests, "zip.runs", PROMPT, EXECUTES, "runs a command to test the archive with");

/* zip reads two letters as one option where it can. */
static const struct option_row zip_options[] = {
	ROW_FLAG("fduor0123456789qvckXyDjJFFSlaAewgLzipUC@x",
		 "recurse-paths recurse-patterns quiet verbose junk-paths no-dir-entries no-extra "
		 "symlinks encrypt freshen update filesync delete copy grow fix fixfix include "
		 "exclude entry-comments archive-comment latest-time adjust-sfx junk-sfx "
		 "difference-archive show-files show-command show-debug show-options show-unicode "
		 "dot-size display-bytes display-counts display-dots display-globaldots "
		 "display-usize display-volume db dc dd dg du dv sc sd so sf sp sv su sU sb la li "
		 "ll ws wn UN names-stdin no-wild wild-stop-dirs force-zip64 store "
		 "compress-1 compress-9 strip-extra default DF FS FF"),
	ROW_TAKES("bnstPZ", "temp-path suffixes split-size from-date before-date password "
			    "compression-method tt ds latest"),
	ROW_OUTPUT("O", "output-file out lf logfile-path log-file"),
	ROW_RULE("m", "move", ARG_NONE, &zip_moves),
	ROW_FLAG("T", "test"),
	{ NULL, "TT unzip-command", ARG_ONE, USE_SHELL, LANG_BASH, 0, &zip_tests, 0 },
	ROW_HELP("h", "help more-help version license h2"),
	OPTIONS_END,
};

static void
zip_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'm', "move") == NULL) {
		return;
	}
	for (size_t i = 1; i < match->operand_count; i++) {
		find_deed(found, DEED_DELETE_TREE, &match->operands[i]);
	}
}

static const struct option_row unzip_options[] = {
	ROW_FLAG("fuvxnojaCLKqUWXV:MTDltpczZ12hsm/", NULL),
	ROW_TAKES("PdOI", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

/* An archive's own path first, then names of its members. */
static void
find_unpacking(struct findings *found, const struct match *match, const struct field *dir)
{
	find_deed(found, DEED_EXTRACT, dir != NULL ? dir : basics_static(found, ".", match->argv));
}

static bool
has_any(const struct match *match, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		if (match_option(match, *letters, NULL) != NULL) {
			return true;
		}
	}
	return false;
}

static void
unzip_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *dir = match_option(match, 'd', NULL);

	if (match->operand_count == 0 || has_any(match, "ltpcvzZ")) {
		return;
	}
	if (match_option(match, 'T', NULL) != NULL) {
		find_deed(found, DEED_META, match->operands);
		return;
	}
	find_unpacking(found, match, dir != NULL ? dir->arg : NULL);
}

static const struct option_row zipinfo_options[] = {
	ROW_FLAG("12hlmsvtzTCxMZ", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row zipgrep_options[] = {
	ROW_FLAG("EFGivwxnlLhHcqso", NULL),
	OPTIONS_END,
};

/* ---- programs whose first word says what they do ------------------------------------------------
 */

/* 7z and rar: switches have their values in the same word. */
static const struct option_row seven_options[] = {
	ROW_MAYBE("abimopqrstuvwxy", NULL),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row rar_options[] = {
	ROW_MAYBE("abcdefhiklmnopqrstuvwxyz@", NULL),
	OPTIONS_END,
};

static bool
begins_option(const struct match *match, const char *text)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (service_starts(match->options[i].word, text)) {
			return true;
		}
	}
	return false;
}

/* Where "-oDIR" leads. */
static void
seven_unpack(const struct match *match, struct findings *found)
{
	const struct matched_option *dir = match_option(match, 'o', NULL);

	if (!begins_option(match, "-so")) {
		find_unpacking(found, match, dir != NULL ? dir->arg : NULL);
	}
}

RULE(seven_deletes, "7z.deletes", PROMPT, DELETES, "removes the files that it has packed");

static void
seven_pack(const struct match *match, struct findings *found)
{
	if (begins_option(match, "-sdel")) {
		find_rule(found, &seven_deletes, NULL);
	}
}

static const struct program seven_commands[] = {
	SUB("l|t|i|b", "f? .*", NULL, NULL, NULL, NULL),
	SUB("h", "f*", NULL, NULL, NULL, NULL),
	SUB("x|e", "f .*", NULL, NULL, NULL, seven_unpack),
	SUB("a|u", "w f*", NULL, NULL, NULL, seven_pack),
	SUB("d|rn", "e .*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static void
rar_unpack(const struct match *match, struct findings *found)
{
	size_t count = match->operand_count;
	const struct field *last = count > 1 ? &match->operands[count - 1] : NULL;

	find_unpacking(found, match,
		       last != NULL && basics_is_directory(match->shell, last) ? last : NULL);
}

static const struct program rar_commands[] = {
	SUB("l|lt|lb|lta|v|vt|vb|vta|t|p", "f .*", NULL, NULL, NULL, NULL),
	SUB("x|e", "f .*", NULL, NULL, NULL, rar_unpack),
	SUB("a|u|f", "w f*", NULL, NULL, NULL, NULL),
	SUB("m|mf", "w v*", NULL, NULL, NULL, NULL),
	SUB("d|k|r|rn|c|cw|s|rc|rr", "e .*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

/* ---- ar, jar, packages as archives --------------------------------------------------------------
 */

static const struct option_row ar_options[] = {
	ROW_FLAG("abcDfilNoOPSTuUv", "thin"),
	ROW_MODE("tp", NULL, DEED_READ),
	ROW_MODE("rqmds", NULL, DEED_EDIT),
	ROW_MODE("x", NULL, DEED_READ),
	ROW_TAKES(NULL, "target record-libdeps"),
	ROW_PATH(NULL, "output", DEED_EXTRACT),
	ROW_DOUBT("M", NULL),
	ROW_DOUBT_TAKES(NULL, "plugin"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
ar_refine(const struct match *match, struct findings *found)
{
	basics_response_files(match, found);
	if (match_option(match, 'x', NULL) != NULL && match_option(match, 0, "output") == NULL) {
		find_unpacking(found, match, NULL);
	}
}

static const struct option_row ranlib_options[] = {
	ROW_FLAG("DUt", NULL),
	ROW_DOUBT_TAKES(NULL, "plugin"),
	ROW_HELP("hHvV", "help version"),
	OPTIONS_END,
};

/* jar: as tar in the old style, or with long options. */
static const struct option_row jar_options[] = {
	ROW_FLAG("0Mnv", "no-compress no-manifest verbose normalize no-compress"),
	ROW_FLAG("cuxti", "create update extract list describe-module validate"),
	ROW_TAKES("em", "main-class manifest release module-version date hash-modules module-path"),
	ROW("f", "file", ARG_ONE, USE_NOTHING),
	ROW("C", NULL, ARG_TWO, USE_NOTHING),
	ROW_TAKES(NULL, "dir"),
	ROW_HELP("?h", "help version"),
	OPTIONS_END,
};

static void
jar_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *file = match_option(match, 'f', "file");
	bool makes = match_option(match, 'c', "create") != NULL ||
		     match_option(match, 'u', "update") != NULL ||
		     match_option(match, 'i', NULL) != NULL;

	basics_response_files(match, found);
	if (file != NULL && file->arg != NULL) {
		find_deed(found, makes ? DEED_WRITE : DEED_READ, file->arg);
	} else if (match_option(match, 'i', NULL) != NULL && match->operand_count > 0) {
		find_deed(found, DEED_EDIT, match->operands);
	}
	for (size_t i = 0; makes && i < match->operand_count; i++) {
		find_deed(found, DEED_READ, &match->operands[i]);
	}
	if (match_option(match, 'x', "extract") != NULL) {
		find_unpacking(found, match, NULL);
	}
}

static const struct option_row dpkg_deb_options[] = {
	ROW_FLAG("vD", "verbose debug nocheck root-owner-group no-uniform-compression "
		       "uniform-compression"),
	ROW_TAKES("zZS", "deb-format threads-max showformat"),
	ROW_FLAG("cIWf", "contents info show field fsys-tarfile ctrl-tarfile"),
	ROW_FLAG("xXeR", "extract vextract control raw-extract"),
	ROW_FLAG("b", "build"),
	ROW_HELP("?", "help version"),
	OPTIONS_END,
};

static void
dpkg_deb_refine(const struct match *match, struct findings *found)
{
	const struct field *second = service_operand(match, 1);

	if (match_option(match, 'b', "build") != NULL) {
		find_deed(found, DEED_WRITE,
			  second != NULL ? second : basics_static(found, ".", match->argv));
	} else if (has_any(match, "xXeR") || match_option(match, 0, "extract") != NULL ||
		   match_option(match, 0, "vextract") != NULL ||
		   match_option(match, 0, "control") != NULL ||
		   match_option(match, 0, "raw-extract") != NULL) {
		find_unpacking(found, match, second);
	}
}

static const struct option_row rpm2cpio_options[] = {
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

RULE(unar_makes, "unar.unpacks", PROMPT, WRITES, "unpacks files into a directory");

static const struct option_row unar_options[] = {
	ROW_FLAG("fsrqdDiLt", "force-overwrite force-skip force-rename quiet no-directory "
			      "force-directory no-recursion indexes"),
	ROW_TAKES("pekE", "password encoding"),
	ROW_PATH("o", "output-directory", DEED_EXTRACT),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row lsar_options[] = {
	ROW_FLAG("tlLvjJn", "test long verylong json json-ascii no-recursion"),
	ROW_TAKES("pe", "password encoding"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

#define UNPACKS .finds = FIND_DECODES

const struct program models_archives[] = {
	{ .names = "gzip gunzip pigz unpigz",
	  .operands = "v*",
	  .options = gzip_options,
	  .refine = replace_refine,
	  UNPACKS },
	{ .names = "compress uncompress",
	  .operands = "v*",
	  .options = compress_options,
	  .refine = replace_refine,
	  UNPACKS },
	{ .names = "bzip2 bunzip2 pbzip2 lbzip2 lbunzip2",
	  .operands = "v*",
	  .options = bzip2_options,
	  .refine = replace_refine,
	  UNPACKS },
	{ .names = "xz unxz lzma unlzma pixz lzip plzip lunzip clzip lzop",
	  .operands = "v*",
	  .options = xz_options,
	  .refine = replace_refine,
	  UNPACKS },
	{ .names = "zstd unzstd zstdmt pzstd",
	  .operands = "f*",
	  .options = zstd_options,
	  .style = PARSE_NUMBER,
	  .refine = beside_refine,
	  UNPACKS },
	{ .names = "lz4 unlz4 lz4c",
	  .operands = "f? w*",
	  .options = lz4_options,
	  UNPACKS,
	  .refine = beside_lz4 },
	{ .names = "brotli",
	  .operands = "f*",
	  .options = brotli_options,
	  .refine = beside_refine,
	  UNPACKS },
	{ .names = "zcat gzcat bzcat xzcat lzcat zstdcat lz4cat lzmadec xzdec bz2cat",
	  .operands = "f*",
	  .options = zcat_options,
	  UNPACKS },
	{ .names = "zcmp zdiff bzcmp bzdiff xzcmp xzdiff lzcmp lzdiff",
	  .operands = "f*",
	  .options = zdiff_options },
	{ .names = "zip",
	  .operands = "w? f*",
	  .options = zip_options,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV,
	  .refine = zip_refine },
	{ .names = "unzip",
	  .operands = "f? .*",
	  .options = unzip_options,
	  .refine = unzip_refine,
	  UNPACKS },
	{ .names = "zipinfo funzip", .operands = "f? .*", .options = zipinfo_options, UNPACKS },
	{ .names = "zipgrep", .operands = "p f .*", .options = zipgrep_options },
	{ .names = "7z 7za 7zr 7zz p7zip",
	  .options = seven_options,
	  .subcommands = seven_commands,
	  .style = PARSE_NO_CLUSTER,
	  UNPACKS },
	{ .names = "rar unrar unrar-free",
	  .options = rar_options,
	  .subcommands = rar_commands,
	  .style = PARSE_NO_CLUSTER,
	  UNPACKS },
	{ .names = "ar gar llvm-ar",
	  .operands = "u .*",
	  .options = ar_options,
	  .style = PARSE_OLD_TAR,
	  .refine = ar_refine },
	{ .names = "ranlib llvm-ranlib", .operands = "e*", .options = ranlib_options },
	{ .names = "jar fastjar",
	  .options = jar_options,
	  .style = PARSE_OLD_TAR,
	  .refine = jar_refine },
	{ .names = "dpkg-deb",
	  .operands = "f? .*",
	  .options = dpkg_deb_options,
	  .refine = dpkg_deb_refine },
	{ .names = "rpm2cpio rpm2archive", .operands = "f?", .options = rpm2cpio_options, UNPACKS },
	{ .names = "unar",
	  .operands = "f .*",
	  .options = unar_options,
	  .style = PARSE_LONG_ONE,
	  .rule = &unar_makes },
	{ .names = "lsar", .operands = "f*", .options = lsar_options, .style = PARSE_LONG_ONE },
	PROGRAMS_END,
};
