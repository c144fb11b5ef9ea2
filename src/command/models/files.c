/* SPDX-License-Identifier: MIT */
/*
 * Programs that make, change and remove files. Those that copy are in copying.c, those that only
 * look are in listing.c.
 */
#include "command/models/basics.h"

/* ---- removing ------------------------------------------------------------------------------ */

static const struct option_row rm_options[] = {
	ROW_FLAG("iIdvPWx", "one-file-system dir verbose"),
	ROW_FLAGGED("f", "force no-preserve-root", ARG_NONE, USE_NOTHING, EFFECT_FORCE),
	ROW_MODE("rR", "recursive", DEED_DELETE_TREE),
	ROW_MAYBE(NULL, "interactive preserve-root"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row rmdir_options[] = {
	ROW_FLAG("pv", "ignore-fail-on-non-empty parents verbose"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row version_options[] = {
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row shred_options[] = {
	ROW_FLAG("fuvxz", "force verbose exact zero"),
	ROW_TAKES("ns", "iterations size"),
	ROW_PATH(NULL, "random-source", DEED_READ),
	ROW_MAYBE(NULL, "remove"),
	ROW_VERSION,
	OPTIONS_END,
};

static void
shred_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'u', "remove") == NULL) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, DEED_DELETE, &match->operands[i])->flags |= EFFECT_FORCE;
	}
}

static const struct option_row wipe_options[] = {
	ROW_FLAG("DFZdefikqrsv", NULL),
	ROW_TAKES("bchlnoQRSTp", NULL),
	OPTIONS_END,
};

RULE(trash_emptied, "trash.empties", PROMPT, DELETES, "deletes what is in the trash for good");
RULE(trash_restored, "trash.restores", PROMPT, WRITES, "puts files from the trash back");

static const struct option_row trash_options[] = {
	ROW_FLAG("fidrRvVsFyl", "force interactive directory recursive verbose"),
	ROW_TAKES(NULL, "trash-dir"),
	ROW_RULE("e", "empty", ARG_NONE, &trash_emptied),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row trash_list_options[] = {
	ROW_FLAG("f", "size files all-users trash-dirs volumes verbose dry-run"),
	ROW_TAKES(NULL, "trash-dir sort"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ---- making -------------------------------------------------------------------------------- */

static const struct option_row mkdir_options[] = {
	ROW_FLAG("pvZ", "parents verbose"),
	ROW_TAKES("m", "mode"),
	ROW_MAYBE(NULL, "context"),
	ROW_VERSION,
	OPTIONS_END,
};

RULE(mknod_device, "mknod.device", PROMPT, SYSTEM, "makes a device file, a way to a raw device");

static void
mknod_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 1 && !field_is(&match->operands[1], "p")) {
		find_rule(found, &mknod_device, match->operands);
	}
}

static const struct option_row touch_options[] = {
	ROW_FLAG("acfhm", "no-create no-dereference"),
	ROW_TAKES("dtA", "date time"),
	ROW_PATH("r", "reference", DEED_LIST),
	ROW_VERSION,
	OPTIONS_END,
};

RULE(mktemp_makes, "mktemp.makes", PROMPT, WRITES, "makes a temporary file");

static const struct option_row mktemp_options[] = {
	ROW_FLAG("dqt", "directory quiet"),
	ROW_FLAG("u", "dry-run"),
	ROW_TAKES(NULL, "suffix"),
	ROW("p", NULL, ARG_ONE, USE_NOTHING),
	ROW_MAYBE(NULL, "tmpdir"),
	ROW_VERSION,
	OPTIONS_END,
};

static void
mktemp_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *dir = match_option(match, 'p', "tmpdir");

	if (match_option(match, 'u', "dry-run") != NULL) {
		return;
	}
	find_rule(found, &mktemp_makes, NULL);
	if (dir != NULL && dir->arg != NULL) {
		find_deed(found, DEED_MAKE, dir->arg);
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, DEED_MAKE, &match->operands[i]);
	}
}

/* ---- changing ------------------------------------------------------------------------------ */

static const struct option_row truncate_options[] = {
	ROW_FLAG("co", "no-create io-blocks"),
	ROW_TAKES("s", "size"),
	ROW_PATH("r", "reference", DEED_LIST),
	ROW_VERSION,
	OPTIONS_END,
};

/* A size that adds or rounds up keeps all content; a small one, and one that takes away, hardly
 * any. */
static bool
size_empties(const struct field *size)
{
	if (size == NULL || !field_is_literal(size)) {
		return true;
	}
	if (strchr("-</", size->text[0]) != NULL) {
		return true;
	}
	return size->text[0] == '0' ||
	       (size->len <= 3 && strspn(size->text, "0123456789") == size->len);
}

static void
truncate_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *size = match_option(match, 's', "size");
	enum deed deed = size != NULL && !size_empties(size->arg) ? DEED_EDIT : DEED_EMPTY;

	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, deed, &match->operands[i]);
	}
}

static const struct option_row tee_options[] = {
	ROW_FLAG("ip", "ignore-interrupts"),
	ROW_MAYBE(NULL, "output-error"),
	ROW_MODE("a", "append", DEED_APPEND),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row split_options[] = {
	ROW_FLAG("dxeu", "elide-empty-files unbuffered verbose"),
	ROW_TAKES("abClntp", "suffix-length additional-suffix bytes line-bytes lines number "
			     "separator"),
	ROW_RUNS_SHELL(NULL, "filter"),
	ROW_MAYBE(NULL, "numeric-suffixes hex-suffixes"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row csplit_options[] = {
	ROW_FLAG("ksqz", "keep-files suppress-matched quiet silent elide-empty-files"),
	ROW_TAKES("bfn", "suffix-format prefix digits"),
	ROW_VERSION,
	OPTIONS_END,
};

/* Pieces are called PREFIXaa, PREFIXab ...: the first stands for all of them. */
static void
split_refine(const struct match *match, struct findings *found)
{
	const struct field *first;

	if (match_option(match, 0, "filter") != NULL) {
		return;
	}
	first = match->operand_count > 1 ? basics_glue(found, &match->operands[1], "aa")
					 : basics_static(found, "xaa", match->argv);
	find_deed(found, DEED_WRITE, first);
}

static void
csplit_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *prefix = match_option(match, 'f', "prefix");

	find_deed(found, DEED_WRITE,
		  prefix != NULL ? basics_glue(found, prefix->arg, "00")
				 : basics_static(found, "xx00", match->argv));
}

/* Two programs have this name: one takes Perl code, the other two texts. Both are read. */
static const struct option_row rename_options[] = {
	ROW_FLAG("vfslioadPNz", "verbose force symlink last no-overwrite interactive all filename "
				"path fullpath nopath nofullpath null nono"),
	ROW_DRY("n", "no-act just-print"),
	ROW_CODE("eE", "expr", LANG_PERL),
	ROW_DOUBT_TAKES("u", "unicode"),
	ROW_HELP("hVm", "help version man"),
	OPTIONS_END,
};

RULE(rename_moves, "rename.moves", PROMPT, WRITES, "gives files other names");

static void
rename_refine(const struct match *match, struct findings *found)
{
	size_t first = 0;

	if (!match->dry) {
		find_rule(found, &rename_moves, NULL);
	}
	if (match->operand_count > 0 && match_option(match, 'e', "expr") == NULL) {
		find_code(found, LANG_PERL, match->operands, INNER_PROMPT, "rename");
		first = 1;
	}
	for (size_t i = first; i < match->operand_count && !match->dry; i++) {
		find_deed(found, DEED_MOVE, &match->operands[i]);
	}
}

RULE(patch_changes, "patch.changes", PROMPT, WRITES, "changes the files that the patch names");

static const struct option_row patch_options[] = {
	ROW_FLAG("bcelnNEfRstTuZvC", "backup context ed forward normal unified force batch reverse "
				     "quiet silent remove-empty-files ignore-whitespace verbose "
				     "set-time set-utc backup-if-mismatch no-backup-if-mismatch "
				     "posix binary follow-symlinks"),
	ROW_TAKES("BDFgpVYzx", "prefix ifdef fuzz get strip version-control basename-prefix "
			       "suffix debug quoting-style reject-format read-only"),
	ROW_MAYBE(NULL, "merge"),
	ROW("d", "directory", ARG_ONE, USE_DIR),
	ROW_PATH("i", "input", DEED_READ),
	ROW_PATH("or", "output reject-file", DEED_WRITE),
	ROW_DRY(NULL, "dry-run check"),
	ROW_VERSION,
	OPTIONS_END,
};

static void
patch_refine(const struct match *match, struct findings *found)
{
	if (!match->dry) {
		find_rule(found, &patch_changes, NULL);
	}
}

RULE(stow_links, "stow.links", PROMPT, WRITES, "makes or removes links in the target directory");

static const struct option_row stow_options[] = {
	ROW_FLAG("SDRv", "stow delete restow adopt no-folding dotfiles verbose"),
	ROW_TAKES(NULL, "ignore defer override"),
	ROW_PATH("d", "dir", DEED_LIST),
	ROW_PATH("t", "target", DEED_EXTRACT),
	ROW_DOUBT("np", "no simulate compat"),
	ROW_HELP("Vh", "help version"),
	OPTIONS_END,
};

static const struct option_row fdupes_options[] = {
	ROW_FLAG("rRsHnA1SmqfpNIvt",
		 "recurse recurse: symlinks hardlinks noempty nohidden sameline "
		 "size time summarize quiet omitfirst permissions noprompt "
		 "immediate reverse"),
	ROW_TAKES("oGLl", "order minsize maxsize log"),
	{ "d", "delete", ARG_NONE, USE_MODE, LANG_BASH, DEED_DELETE_TREE, NULL, EFFECT_FILTERED },
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row jdupes_options[] = {
	ROW_FLAG("01AfHIijmMNOpqQrRsStuvzZT",
		 "recurse symlinks hardlinks nohidden size summarize quiet "
		 "omitfirst permissions noprompt print-null json "
		 "one-file-system quick reverse zeromatch"),
	ROW_TAKES("CoPX", "chunksize order print extfilter ext-filter"),
	{ "dBLl", "delete dedupe linkhard linksoft", ARG_NONE, USE_MODE, LANG_BASH,
	  DEED_DELETE_TREE, NULL, EFFECT_FILTERED },
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ---- the desktop's file manager on the command line ----------------------------------------- */

RULE(gio_opens, "gio.opens", PROMPT, EXECUTES, "opens it with whatever program is set for it");
RULE(gio_mounts, "gio.mounts", PROMPT, SYSTEM, "mounts or unmounts a volume");

static const struct option_row gio_copy_options[] = {
	ROW_FLAG("TpibPd", "no-target-directory progress interactive backup preserve "
			   "no-dereference default-permissions preserve-mode no-copy-fallback"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row gio_read_options[] = {
	ROW_FLAG("wfhulndtc", "query-writable filesystem hidden follow-symlinks nofollow-symlinks "
			      "long print-uris print-display-names"),
	ROW_TAKES("a", "attributes"),
	ROW_HELP(NULL, "help"),
	OPTIONS_END,
};

static const struct option_row gio_trash_options[] = {
	ROW_FLAG("f", "force list"),
	ROW_RULE(NULL, "empty", ARG_NONE, &trash_emptied),
	ROW_RULE(NULL, "restore", ARG_NONE, &trash_restored),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct program gio_commands[] = {
	SUB("trash", "D*", gio_trash_options, NULL, NULL, basics_urls),
	SUB("remove", "d*", trash_list_options, NULL, NULL, basics_urls),
	SUB("copy", "f* w$", gio_copy_options, NULL, NULL, basics_urls),
	SUB("move", "v* w$", gio_copy_options, NULL, NULL, basics_urls),
	SUB("mkdir", "m*", rmdir_options, NULL, NULL, basics_urls),
	SUB("rename", "v .", version_options, NULL, NULL, basics_urls),
	SUB("set", "c .*", gio_read_options, NULL, NULL, basics_urls),
	SUB("cat", "f*", version_options, NULL, NULL, basics_urls),
	SUB("info|list|tree", "l*", gio_read_options, NULL, NULL, basics_urls),
	SUB("open|launch", "u*", version_options, NULL, &gio_opens, NULL),
	SUB("mount", "u*", version_options, NULL, &gio_mounts, NULL),
	SUB("mime", ". u?", version_options, NULL, NULL, NULL),
	SUB("help|version", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_files[] = {
	{ .names = "rm grm safe-rm srm",
	  .operands = "d*",
	  .options = rm_options,
	  .finds = FIND_QUIET },
	{ .names = "rmdir", .operands = "d*", .options = rmdir_options, .finds = FIND_QUIET },
	{ .names = "unlink", .operands = "d", .options = version_options, .finds = FIND_QUIET },
	{ .names = "shred",
	  .operands = "E*",
	  .options = shred_options,
	  .finds = FIND_QUIET,
	  .refine = shred_refine },
	{ .names = "wipe", .operands = "D*", .options = wipe_options, .finds = FIND_QUIET },
	{ .names = "trash trash-put rmtrash",
	  .operands = "D*",
	  .options = trash_options,
	  .finds = FIND_QUIET },
	{ .names = "trash-list", .operands = "l*", .options = trash_list_options },
	{ .names = "trash-empty trash-rm",
	  .operands = ".*",
	  .options = trash_list_options,
	  .rule = &trash_emptied },
	{ .names = "trash-restore restore-trash",
	  .operands = "l*",
	  .options = trash_list_options,
	  .rule = &trash_restored },
	{ .names = "mkdir gmkdir",
	  .operands = "m*",
	  .options = mkdir_options,
	  .finds = FIND_QUIET },
	{ .names = "mkfifo", .operands = "m*", .options = mkdir_options, .finds = FIND_QUIET },
	{ .names = "mknod",
	  .operands = "m .*",
	  .options = mkdir_options,
	  .finds = FIND_QUIET,
	  .refine = mknod_refine },
	{ .names = "touch gtouch",
	  .operands = "m*",
	  .options = touch_options,
	  .finds = FIND_QUIET },
	{ .names = "mktemp gmktemp",
	  .options = mktemp_options,
	  .finds = FIND_IGNORES_INPUT,
	  .refine = mktemp_refine },
	{ .names = "truncate",
	  .options = truncate_options,
	  .finds = FIND_QUIET,
	  .refine = truncate_refine },
	{ .names = "tee", .operands = "w*", .options = tee_options, .refine = basics_from_stdin },
	{ .names = "sponge",
	  .operands = "w?",
	  .options = tee_options,
	  .refine = basics_from_stdin },
	{ .names = "split gsplit",
	  .operands = "f? .?",
	  .options = split_options,
	  .style = PARSE_NUMBER,
	  .refine = split_refine },
	{ .names = "csplit gcsplit",
	  .operands = "f .*",
	  .options = csplit_options,
	  .refine = csplit_refine },
	{ .names = "rename prename file-rename perl-rename rename.ul",
	  .options = rename_options,
	  .refine = rename_refine },
	{ .names = "patch gpatch",
	  .operands = "e? f?",
	  .options = patch_options,
	  .refine = patch_refine },
	{ .names = "stow xstow",
	  .operands = ".*",
	  .options = stow_options,
	  .finds = FIND_QUIET,
	  .rule = &stow_links },
	{ .names = "fdupes",
	  .operands = "l*",
	  .options = fdupes_options,
	  .finds = FIND_IGNORES_INPUT },
	{ .names = "jdupes",
	  .operands = "l*",
	  .options = jdupes_options,
	  .finds = FIND_IGNORES_INPUT },
	{ .names = "gio",
	  .subcommands = gio_commands,
	  .options = version_options,
	  .finds = FIND_IGNORES_INPUT,
	  .style = PARSE_POSIX },
	PROGRAMS_END,
};
