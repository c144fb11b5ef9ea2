/* SPDX-License-Identifier: MIT */
/*
 * tar, cpio and pax: what they do with the archive, with the operands and with the directory that
 * they stand in depends on a mode that one option sets. Many options name programs to be run.
 */
#include "command/models/basics.h"

RULE(archive_remote, "archive.remote", PROMPT, NETWORK, "uses an archive on another machine");

/* "host:file" is a file on another machine, unless there is a slash before the colon. */
static bool
is_remote(const struct field *archive)
{
	const char *colon = memchr(archive->text, ':', archive->len);
	const char *slash = memchr(archive->text, '/', archive->len);

	return colon != NULL && (slash == NULL || slash > colon);
}

static void
find_remote(struct findings *found, const struct field *archive)
{
	find_rule(found, &archive_remote, archive);
	found->flags |= FIND_NETWORK;
}

/* ---- tar ---------------------------------------------------------------------------------------
 */

static const struct option_row tar_options[] = {
	/* the modes, and what they do to the operands, each of which has its own -C */
	ROW_MODE("cruA", "create append update catenate concatenate", DEED_READ),
	ROW_MODE("dtx", "diff compare list extract get delete test-label", USE_NOTHING),
	ROW("f", "file", ARG_ONE, USE_NOTHING),
	ROW("C", "directory cd", ARG_ONE, USE_DIR),
	ROW_FLAG("O", "to-stdout"),
	ROW_FLAG("P", "absolute-names"),
	ROW_FLAG(NULL, "remove-files recursive-unlink force-local"),
	/* what changes nothing that matters */
	ROW_FLAG("GnSkUWmpsBMiajJzZhlRvowyq0123456789",
		 "check-device incremental ignore-failed-read no-check-device no-seek seek sparse "
		 "exclude-backups exclude-caches exclude-caches-all exclude-vcs "
		 "exclude-vcs-ignores no-null no-recursion no-unquote no-verbatim-files-from null "
		 "recursion unquote verbatim-files-from anchored ignore-case no-anchored "
		 "no-ignore-case no-wildcards no-wildcards-match-slash wildcards "
		 "wildcards-match-slash keep-directory-symlink keep-newer-files keep-old-files "
		 "no-overwrite-dir overwrite overwrite-dir skip-old-files unlink-first verify "
		 "no-ignore-command-error ignore-command-error clamp-mtime "
		 "delay-directory-restore touch no-delay-directory-restore no-same-owner "
		 "no-same-permissions numeric-owner preserve-permissions same-permissions "
		 "same-owner preserve-order same-order acls no-acls no-selinux no-xattrs selinux "
		 "xattrs multi-volume read-full-records ignore-zeros old-archive portability "
		 "posix auto-compress bzip2 xz lzip lzma lzop no-auto-compress zstd gzip gunzip "
		 "ungzip compress uncompress hard-dereference dereference one-file-system "
		 "full-time check-links block-number show-defaults show-omitted-dirs "
		 "show-snapshot-field-ranges show-transformed-names show-stored-names utc verbose "
		 "interactive confirmation restrict fast-read lz4 no-mac-metadata mac-metadata "
		 "disable-copyfile no-fflags fflags nopreserveHFSCompression safe-writes "
		 "no-safe-writes read-sparse no-read-sparse clear-nochange-fflags"),
	ROW_TAKES("bHVKNL", "hole-detection level sparse-version exclude exclude-tag "
			    "exclude-tag-all exclude-tag-under exclude-caches-under group mode "
			    "mtime owner sort xattrs-exclude xattrs-include tape-length "
			    "blocking-factor record-size format pax-option label starting-file "
			    "newer-mtime newer after-date suffix strip-components transform xform "
			    "no-quote-chars quote-chars quoting-style warning include "
			    "newer-than older older-than uid gid uname gname options "
			    "passphrase exclude-ignore exclude-ignore-recursive"),
	ROW_MAYBE(NULL, "occurrence atime-preserve backup checkpoint totals"),
	ROW_PATH("X", "exclude-from newer-mtime-than newer-ctime-than group-map owner-map",
		 DEED_READ),
	ROW_PATH(NULL, "add-file", DEED_READ),
	ROW(NULL, "one-top-level", ARG_OPTIONAL, USE_NOTHING),
	/* files that are written besides the archive */
	ROW_PATH("g", "listed-incremental volno-file", DEED_EDIT),
	ROW_OUTPUT(NULL, "index-file"),
	/* a list of names can hold options, such as those below */
	ROW_DOUBT_TAKES("T", "files-from"),
	/* programs */
	ROW_RUNS_SHELL("IF", "use-compress-program info-script new-volume-script to-command "
			     "rsh-command rmt-command use-compress-prog"),
	ROW_TAKES(NULL, "checkpoint-action"),
	ROW_HELP("?", "help usage version"),
	OPTIONS_END,
};

RULE(tar_absolute, "tar.absolute-names", PROMPT, WRITES,
     "unpacks to absolute paths that the archive chooses");
RULE(tar_unlinks, "tar.recursive-unlink", PROMPT, DELETES,
     "empties directories that the archive names before it unpacks");

static bool
has(const struct match *match, char letter, const char *name)
{
	return match_option(match, letter, name) != NULL;
}

/* Every action of a checkpoint; the harmless ones print or wait. */
static void
tar_checkpoints(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->name == NULL || strcmp(option->name, "checkpoint-action") != 0 ||
		    option->arg == NULL) {
			continue;
		}
		if (service_starts(option->arg, "exec=")) {
			find_rule(found, &basics_helper, option->arg);
			find_code(found, LANG_SH, basics_tail(found, option->arg, 5), 0,
				  "tar --checkpoint-action");
		} else if (!field_is_literal(option->arg)) {
			find_unknown(found, "an action of tar that is not known", option->arg);
		}
	}
}

/* What happens to the archive. */
static void
tar_archive(const struct match *match, struct findings *found, enum deed deed)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		bool is_file = option->letter == 'f' ||
			       (option->name != NULL && strcmp(option->name, "file") == 0);

		if (!is_file || option->arg == NULL || field_is(option->arg, "-")) {
			continue;
		}
		if (is_remote(option->arg) && !has(match, 0, "force-local")) {
			find_remote(found, option->arg);
			continue;
		}
		find_deed(found, deed, option->arg);
	}
}

static void
tar_removes(const struct match *match, struct findings *found)
{
	if (!has(match, 0, "remove-files")) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, DEED_DELETE_TREE,
			  match_path(match, found->arena, &match->operands[i]));
	}
}

static void
tar_unpacks(const struct match *match, struct findings *found)
{
	const struct matched_option *top = match_option(match, 0, "one-top-level");
	const struct field *dir = match->dir;

	if (has(match, 'O', "to-stdout") || has(match, 0, "to-command")) {
		return;
	}
	if (dir == NULL) {
		dir = basics_static(found, ".", match->argv);
	}
	if (top != NULL && top->arg != NULL) {
		dir = basics_below(found, dir, top->arg);
	}
	find_deed(found, DEED_EXTRACT, dir);
	if (has(match, 'P', "absolute-names")) {
		find_rule(found, &tar_absolute, NULL);
	}
	if (has(match, 0, "recursive-unlink")) {
		find_rule(found, &tar_unlinks, dir);
	}
}

static void
tar_refine(const struct match *match, struct findings *found)
{
	tar_checkpoints(match, found);
	if (has(match, 'x', "extract") || has(match, 0, "get")) {
		tar_archive(match, found, DEED_READ);
		tar_unpacks(match, found);
	} else if (has(match, 'c', "create")) {
		tar_archive(match, found, DEED_WRITE);
		tar_removes(match, found);
	} else if (has(match, 'r', "append") || has(match, 'u', "update") ||
		   has(match, 'A', "catenate") || has(match, 0, "concatenate") ||
		   has(match, 0, "delete")) {
		tar_archive(match, found, DEED_EDIT);
		tar_removes(match, found);
	} else if (has(match, 't', "list") || has(match, 'd', "diff") || has(match, 0, "compare") ||
		   has(match, 0, "test-label")) {
		tar_archive(match, found, DEED_READ);
	} else if (!has(match, 0, "show-defaults") &&
		   !has(match, 0, "show-snapshot-field-ranges")) {
		find_unknown(found, "no mode that tar has", match->argv);
	}
}

/* ---- cpio --------------------------------------------------------------------------------------
 */

static const struct option_row cpio_options[] = {
	ROW_FLAG("iopt", "extract create pass-through list"),
	ROW_FLAG("0aABbcdfklLmnrsSuvV", "null reset-access-time append swap make-directories "
					"nonmatching link dereference preserve-modification-time "
					"numeric-uid-gid rename swap-bytes swap-halfwords "
					"unconditional verbose dot no-absolute-filenames "
					"absolute-filenames no-preserve-owner only-verify-crc "
					"force-local quiet sparse reproducible "
					"device-independent ignore-devno renumber-inodes debug"),
	ROW_FLAG(NULL, "to-stdout"),
	ROW_TAKES("CHMR", "block-size format message owner io-size warning"),
	ROW_PATH("E", "pattern-file", DEED_READ),
	ROW_PATH("I", NULL, DEED_READ),
	ROW_PATH("O", NULL, DEED_WRITE),
	ROW("F", "file", ARG_ONE, USE_NOTHING),
	ROW("D", "directory", ARG_ONE, USE_DIR),
	ROW_RUNS_SHELL(NULL, "rsh-command"),
	ROW_DOUBT_TAKES(NULL, "rename-batch-file"),
	ROW_HELP("?", "help usage version"),
	OPTIONS_END,
};

RULE(cpio_reads, "cpio.names-from-input", PROMPT, READS, "packs whatever files its input names");

static void
cpio_archive(const struct match *match, struct findings *found, enum deed deed)
{
	static const char letters[] = "FIO";
	const struct matched_option *file = match_option(match, 'F', "file");

	for (const char *letter = letters; *letter != '\0'; letter++) {
		const struct matched_option *one = match_option(match, *letter, NULL);

		if (one != NULL && one->arg != NULL && is_remote(one->arg) &&
		    !has(match, 0, "force-local")) {
			find_remote(found, one->arg);
		}
	}
	if (file != NULL && file->arg != NULL) {
		find_deed(found, deed, file->arg);
	}
}

static void
cpio_refine(const struct match *match, struct findings *found)
{
	if (has(match, 'o', "create")) {
		cpio_archive(match, found, DEED_WRITE);
		find_rule(found, &cpio_reads, NULL);
	} else if (has(match, 'p', "pass-through")) {
		find_rule(found, &cpio_reads, NULL);
		for (size_t i = 0; i < match->operand_count; i++) {
			find_deed(found, DEED_EXTRACT, &match->operands[i]);
		}
	} else if (has(match, 't', "list") || has(match, 0, "to-stdout")) {
		cpio_archive(match, found, DEED_READ);
	} else if (has(match, 'i', "extract")) {
		cpio_archive(match, found, DEED_READ);
		find_deed(found, DEED_EXTRACT,
			  match->dir != NULL ? match->dir : basics_static(found, ".", match->argv));
	} else {
		find_unknown(found, "no mode that cpio has", match->argv);
	}
}

/* ---- pax ---------------------------------------------------------------------------------------
 */

static const struct option_row pax_options[] = {
	ROW_FLAG("rwacdHikLlnOPtuvXYZ0Dz", NULL),
	ROW_TAKES("BbEeGgopsTUx", NULL),
	ROW("f", NULL, ARG_ONE, USE_NOTHING),
	OPTIONS_END,
};

static void
pax_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *file = match_option(match, 'f', NULL);
	bool reads = has(match, 'r', NULL), writes = has(match, 'w', NULL);

	if (file != NULL && file->arg != NULL) {
		find_deed(found, writes ? DEED_WRITE : DEED_READ, file->arg);
	}
	if (reads && writes && match->operand_count > 0) {
		find_deed(found, DEED_EXTRACT, &match->operands[match->operand_count - 1]);
	} else if (reads) {
		find_deed(found, DEED_EXTRACT, basics_static(found, ".", match->argv));
	}
	if (writes) {
		find_rule(found, &cpio_reads, NULL);
	}
	for (size_t i = 0; writes && i < match->operand_count; i++) {
		find_deed(found, DEED_READ, &match->operands[i]);
	}
}

/* -------------------------------------------------------------------------------------------- */

const struct program models_archives_tar[] = {
	{ .names = "tar gtar bsdtar gnutar",
	  .options = tar_options,
	  .style = PARSE_OLD_TAR,
	  .finds = FIND_DECODES,
	  .refine = tar_refine },
	{ .names = "cpio bsdcpio gcpio",
	  .options = cpio_options,
	  .finds = FIND_DECODES,
	  .refine = cpio_refine },
	{ .names = "pax", .options = pax_options, .finds = FIND_DECODES, .refine = pax_refine },
	PROGRAMS_END,
};
