/* SPDX-License-Identifier: MIT */
/*
 * Disks, partitions and file systems. What overwrites a whole device or image says so as a deed, so
 * that a file of the workspace is something else than a disk; volumes have names instead of paths,
 * so removing one is a rule. Volume managers are in disks_volumes.c.
 */
#include "command/models/basics.h"

RULE(mounts, "mount.changes", PROMPT, SYSTEM, "mounts or unmounts a file system");
RULE(swaps, "swap.changes", PROMPT, SYSTEM, "changes what the system swaps to");
RULE(disk_changes, "disk.changes", PROMPT, SYSTEM, "changes a disk or file system");
RULE(loop_changes, "loop.changes", PROMPT, SYSTEM, "attaches or detaches a loop device");
RULE(partitions_read, "disk.reads-partitions", PROMPT, SYSTEM,
     "makes the kernel read partitions again");

#define LOOKS .finds = FIND_IGNORES_INPUT

/* ---- deeds that have no letter in a pattern -------------------------------------------------- */

/* All operands: the value of an option that is not known here does no harm among them. */
static void
format_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, DEED_FORMAT, &match->operands[i]);
	}
}

/* A mode row of an option that only shows makes all operands listed ones. */
static bool
only_shows(const struct match *match)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (match->options[i].row->use == USE_MODE &&
		    match->options[i].row->operand == DEED_LIST) {
			return true;
		}
	}
	return false;
}

static void
format_unless_shown(const struct match *match, struct findings *found)
{
	if (!only_shows(match)) {
		format_refine(match, found);
	}
}

static void
change_unless_shown(const struct match *match, struct findings *found)
{
	if (!only_shows(match)) {
		find_rule(found, &disk_changes, match->operands);
	}
}

/* ---- mounting -------------------------------------------------------------------------------- */

static const struct option_row lsblk_options[] = {
	ROW_FLAG("ADJMOPSabdfilmnprstyzNv", "noempty discard json merge output-all pairs scsi all "
					    "bytes nodeps fs ascii list perms noheadings paths raw "
					    "inverse topology shell zoned nvme virtio"),
	ROW_TAKES("EIeowxQ", "dedup include exclude output width sort sysroot filter highlight ct"),
	ROW_MAYBE("T", "tree"),
	ROW_HELP("hV", "help version list-columns"),
	OPTIONS_END,
};

static const struct option_row findmnt_options[] = {
	ROW_FLAG(
		"smkAabCcDefiJlnPRrUuvyxHI",
		"fstab mtab kernel all ascii bytes nocanonicalize canonicalize df evaluate "
		"first-only invert json list noheadings output-all pairs pseudo shadowed submounts "
		"raw real tree uniq notruncate nofsroot shell verify verbose vfs-all dfi"),
	ROW_TAKES("wdNOoSTMtQ",
		  "timeout direction task options output source target mountpoint types "
		  "filter"),
	ROW_PATH("F", "tab-file", DEED_READ),
	ROW_MAYBE("p", "poll"),
	ROW_HELP("hV", "help version list-columns"),
	OPTIONS_END,
};

static const struct option_row mountpoint_options[] = {
	ROW_FLAG("qdx", "quiet nofollow fs-devno devno"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row mount_options[] = {
	ROW_FLAG("cfFilnrvwBMRpd",
		 "no-canonicalize fake fork internal-only show-labels no-mtab "
		 "options-source-force read-only verbose rw read-write bind move rbind make-shared "
		 "make-slave make-private make-unbindable make-rshared make-rslave make-rprivate "
		 "make-runbindable onlyonce exclusive"),
	ROW_FLAG("a", "all"),
	ROW_TAKES("TotONLU",
		  "fstab options-mode options-source options test-opts types source target "
		  "target-prefix namespace label uuid map-groups map-users"),
	ROW_MAYBE("m", "mkdir"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* Without a word it lists what is mounted. */
static void
mount_refine(const struct match *match, struct findings *found)
{
	static const char *const acting[] = { "all",  "options", "source", "target", "label",
					      "uuid", "bind",	 "move",   "rbind",  "mkdir" };
	bool acts = match->operand_count > 0 || match_option(match, 'a', NULL) != NULL ||
		    match_option(match, 'L', NULL) != NULL ||
		    match_option(match, 'U', NULL) != NULL ||
		    match_option(match, 'o', NULL) != NULL;

	for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]); i++) {
		acts = acts || match_option(match, 0, acting[i]) != NULL;
	}
	if (acts) {
		find_rule(found, &mounts, match->operands);
	}
}

static const struct option_row umount_options[] = {
	ROW_FLAG("aAcdfinlRrvq", "all all-targets no-canonicalize detach-loop fake force "
				 "internal-only no-mtab lazy recursive read-only verbose quiet"),
	ROW_TAKES("OtN", "test-opts types namespace"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row swapon_options[] = {
	ROW_MODE("s", "summary", DEED_LIST),
	{ NULL, "show", ARG_OPTIONAL, USE_MODE, LANG_BASH, DEED_LIST, NULL, 0 },
	ROW_FLAG("aefv", "all ifexists fixpgsz noheadings raw bytes verbose output-all"),
	ROW_TAKES("opLUT", "options priority fstab"),
	ROW_MAYBE("d", "discard"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* Without a word, swapon lists. */
static void
swapon_refine(const struct match *match, struct findings *found)
{
	if (!only_shows(match) && match->argc > 1) {
		find_rule(found, &swaps, match->operands);
	}
}

static const struct option_row losetup_options[] = {
	ROW_MODE("al", "all list", DEED_LIST),
	{ "j", "associated", ARG_ONE, USE_MODE, LANG_BASH, DEED_LIST, NULL, 0 },
	ROW_FLAG("DfLPrvJn", "detach-all find nooverlap partscan read-only show verbose json "
			     "noheadings output-all raw"),
	ROW_TAKES("dcobO", "detach set-capacity offset sizelimit sector-size output"),
	ROW_MAYBE(NULL, "direct-io"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* A device alone, or nothing at all, is shown. */
static void
losetup_refine(const struct match *match, struct findings *found)
{
	bool changes = match_option(match, 'd', "detach") != NULL ||
		       match_option(match, 'D', "detach-all") != NULL ||
		       match_option(match, 'c', "set-capacity") != NULL ||
		       match->operand_count > 1 ||
		       (match_option(match, 'f', "find") != NULL && match->operand_count > 0);

	if (changes && !only_shows(match)) {
		find_rule(found, &loop_changes, match->operands);
	}
}

static const struct option_row blkid_options[] = {
	ROW_FLAG("dklpiD", "no-encoding list-filesystems list-one probe info no-part-details"),
	ROW_TAKES("ostLUHSOun", "output match-tag match-token label uuid hint size offset usages "
				"match-types"),
	ROW_PATH("c", "cache-file", DEED_EDIT),
	ROW_DOUBT("g", "garbage-collect"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- partitions ------------------------------------------------------------------------------ */

static const struct option_row wipefs_options[] = {
	ROW_FLAG("a", "all"),
	ROW_TAKES("o", "offset"),
	ROW_FLAG("fiJpq", "force noheadings json parsable quiet"),
	ROW_DRY("n", "no-act"),
	ROW_TAKES("Ot", "output types"),
	ROW_MAYBE("b", "backup lock"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
wipefs_refine(const struct match *match, struct findings *found)
{
	bool erases = match_option(match, 'a', "all") != NULL ||
		      match_option(match, 'o', "offset") != NULL;

	for (size_t i = 0; i < match->operand_count; i++) {
		find_deed(found, erases ? DEED_FORMAT : DEED_LIST, &match->operands[i]);
	}
}

static const struct option_row fdisk_options[] = {
	ROW_MODE("lsx", "list list-details getsz", DEED_LIST),
	ROW_FLAG("Bn", "protect-boot noauto-pt bytes"),
	ROW_TAKES("boytuCHSwWL",
		  "sector-size output type units cylinders heads sectors compatibility "
		  "wipe wipe-partitions color lock"),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

static const struct option_row sfdisk_options[] = {
	ROW_MODE("dJglFTsV",
		 "dump json show-geometry list list-free list-types show-size verify "
		 "show-pt-geometry",
		 DEED_LIST),
	ROW_FLAG("fNnqr",
		 "force no-act quiet reorder append bytes no-reread no-tell-kernel backup"),
	ROW_TAKES("oOuXYwW", "output backup-file unit label label-nested wipe wipe-partitions "
			     "sector-size move-data partno"),
	ROW_FLAG("A", "activate delete part-uuid part-label part-type part-attrs disk-id relocate "
		      "discard-free"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row parted_options[] = {
	ROW_MODE("l", "list", DEED_LIST),
	ROW_FLAG("smfj", "script machine fix json"),
	ROW_TAKES("a", "align"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static void
parted_refine(const struct match *match, struct findings *found)
{
	static const char asks[] =
		"print p unit align-check help version quit select free all list "
		"devices s kB KB MB MiB GB GiB TB B % compact chs cyl";
	bool shows = only_shows(match) || match->operand_count > 1;

	for (size_t i = 1; i < match->operand_count; i++) {
		shows = shows && (service_operand_is(match, i, asks) ||
				  (i > 1 && match->operands[i].text[0] >= '0' &&
				   match->operands[i].text[0] <= '9'));
	}
	if (match->operand_count > 0) {
		find_deed(found, shows ? DEED_LIST : DEED_FORMAT, match->operands);
	}
}

static const struct option_row gdisk_options[] = {
	ROW_MODE("lpviDEFfOL",
		 "print info verify display-alignment end-of-largest first-aligned-in-"
		 "largest first-in-largest print-mbr list-types pretend",
		 DEED_LIST),
	ROW_PATH("b", "backup", DEED_WRITE),
	ROW_FLAG("zZogGmhrsA", "zap zap-all clear mbrtogpt randomize-guids hybrid sort transpose "
			       "move-second-header move-main-table recompute-chs"),
	ROW_TAKES("ndtcuUaRSejC", "new delete typecode change-name partition-guid disk-guid "
				  "set-alignment replicate attributes load-backup resize-table"),
	ROW_HELP("?V", "help version"),
	OPTIONS_END,
};

static const struct option_row partx_options[] = {
	ROW_MODE("s", "show list-types", DEED_LIST),
	ROW_FLAG("adubgPrvl", "add delete update bytes noheadings output-all pairs raw verbose "
			      "list"),
	ROW_TAKES("noSt", "nr output sector-size type"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row partprobe_options[] = {
	ROW_FLAG("s", "summary"),
	ROW_DRY("d", "dry-run"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

/* ---- devices --------------------------------------------------------------------------------- */

static const struct option_row blkdiscard_options[] = {
	ROW_FLAG("fszvq", "force secure zeroout verbose quiet"),
	ROW_TAKES("olp", "offset length step"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row hdparm_options[] = {
	ROW_MODE("IigCtTvH", "Istdout direct fibmap verbose", DEED_LIST),
	ROW_TAKES(NULL, "user-master security-mode"),
	{ NULL,
	  "security-erase security-erase-enhanced security-set-pass security-disable write-sector "
	  "make-bad-sector fwdownload trim-sector-ranges fwdownload-mode3 dco-restore "
	  "sanitize-block-"
	  "erase sanitize-crypto-scramble sanitize-overwrite repair-sector",
	  ARG_OPTIONAL, USE_MODE, LANG_BASH, DEED_FORMAT, NULL, 0 },
	ROW_FLAG(NULL, "yes-i-know-what-i-am-doing please-destroy-my-drive "
		       "trim-sector-ranges-stdin"),
	ROW_RULE("yYfFzw", NULL, ARG_NONE, &disk_changes),
	ROW_RULE("WSBMmuAadDpXkKNRQEJbcx", NULL, ARG_OPTIONAL, &disk_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row nvme_options[] = {
	ROW_FLAG("vbHfr", "verbose raw-binary human-readable force reset"),
	ROW_TAKES("nosltipu", "namespace-id output-format ses lbaf ms pi pil"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct program nvme_commands[] = {
	SUB("list|list-subsys|id-ctrl|id-ns|list-ns|list-ctrl|smart-log|error-log|fw-log|get-log|"
	    "get-feature|show-regs|effects-log|endurance-log|self-test-log|sanitize-log|version|"
	    "help|get-ns-id|ns-descs|show-topology",
	    "l*", NULL, NULL, NULL, NULL),
	SUB("format|sanitize|write|write-zeroes|write-uncor|delete-ns|create-ns|dsm|set-property|"
	    "security-send|admin-passthru|io-passthru|fw-download|fw-commit|fw-activate",
	    NULL, NULL, NULL, &disk_changes, format_refine),
	SUB("connect|connect-all|disconnect|disconnect-all|discover|reset|subsystem-reset|attach-"
	    "ns|"
	    "detach-ns|set-feature|device-self-test|ns-rescan|read|flush|compare",
	    NULL, NULL, NULL, &disk_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row smartctl_options[] = {
	ROW_MODE("aiHAxcgj",
		 "all info health attributes xall capabilities scan scan-open json "
		 "identify",
		 DEED_LIST),
	ROW_TAKES("dlTbnrfvPq", "device log tolerance badsum nocheck report format vendorattribute "
				"presets quietmode get"),
	ROW_RULE("tsoSX", "test smart offlineauto saveauto set abort", ARG_OPTIONAL, &disk_changes),
	ROW_HELP("hV", "help version license copyright usage"),
	OPTIONS_END,
};

static const struct option_row blockdev_options[] = {
	ROW_MODE("qv",
		 "report getsz getro getdiscardzeroes getss getpbsz getiomin getioopt "
		 "getalignoff getmaxsect getbsz getsize getsize64 getra getfra getdiskseq "
		 "getzonesz",
		 DEED_LIST),
	ROW_RULE(NULL, "setro setrw flushbufs rereadpt", ARG_NONE, &disk_changes),
	ROW_RULE(NULL, "setbsz setra setfra", ARG_ONE, &disk_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row badblocks_options[] = {
	ROW_FLAG("sfvXB", NULL),
	ROW_RULE("n", NULL, ARG_NONE, &disk_changes),
	{ "w", NULL, ARG_NONE, USE_MODE, LANG_BASH, DEED_FORMAT, NULL, 0 },
	ROW_TAKES("bcdept", NULL),
	ROW_PATH("i", NULL, DEED_READ),
	ROW_OUTPUT("o", NULL),
	OPTIONS_END,
};

static const struct option_row fstrim_options[] = {
	ROW_FLAG("aAvX", "all fstab verbose quiet-unsupported quiet"),
	ROW_DRY("n", "dry-run"),
	ROW_TAKES("Iolmt", "listed-in offset length minimum types"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row fallocate_options[] = {
	ROW_FLAG("dinpzxvcw",
		 "dig-holes insert-range keep-size punch-hole zero-range posix verbose "
		 "collapse-range write-zeroes"),
	ROW_TAKES("lo", "length offset"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row help_options[] = {
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* ---- file systems ---------------------------------------------------------------------------- */

static const struct option_row mkfs_options[] = {
	ROW_FLAG("FKvqjDSVcfQ", "force quick verbose check quiet"),
	ROW_TAKES("tbiILmMNOTUEeGgJlrRsdCopn", "type label uuid"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row fsck_options[] = {
	ROW_MODE("nN", "check dry-run no-modify readonly", DEED_LIST),
	ROW_FLAG("AlMPRTpycfvaVDFdrk", "repair force"),
	ROW_TAKES("bBjLEztC", NULL),
	ROW_HELP("?h", "help version"),
	OPTIONS_END,
};

static const struct option_row dumpe2fs_options[] = {
	ROW_FLAG("bfghimx", NULL),
	ROW_TAKES("o", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row tune2fs_options[] = {
	ROW_MODE("l", NULL, DEED_LIST),
	ROW_FLAG("fj", NULL),
	ROW_TAKES("ceCEgiIJLmMoOQrTuUz", NULL),
	OPTIONS_END,
};

static const struct option_row resize_options[] = {
	ROW_MODE("P", NULL, DEED_LIST),
	ROW_FLAG("fFMpbs", NULL),
	ROW_TAKES("dSzL", NULL),
	OPTIONS_END,
};

static const struct option_row xfs_options[] = {
	ROW_MODE("nrV", NULL, DEED_LIST),
	ROW_FLAG("fdLvegiluj", NULL),
	ROW_TAKES("moDcptUR", NULL),
	OPTIONS_END,
};

/* A second word is the new label. */
static void
label_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 1) {
		find_rule(found, &disk_changes, match->operands);
	}
}

/* -------------------------------------------------------------------------------------------- */

const struct program models_disks[] = {
	{ .names = "lsblk", .operands = "l*", .options = lsblk_options, LOOKS },
	{ .names = "findmnt", .operands = "l*", .options = findmnt_options, LOOKS },
	{ .names = "mountpoint", .operands = "l*", .options = mountpoint_options, LOOKS },
	{ .names = "mount", .options = mount_options, LOOKS, .refine = mount_refine },
	{ .names = "umount fusermount fusermount3",
	  .operands = ".*",
	  .options = umount_options,
	  .rule = &mounts },
	{ .names = "swapon", .options = swapon_options, .refine = swapon_refine },
	{ .names = "swapoff", .operands = ".*", .options = swapon_options, .rule = &swaps },
	{ .names = "losetup",
	  .operands = "l*",
	  .options = losetup_options,
	  .refine = losetup_refine },
	{ .names = "blkid", .operands = "l*", .options = blkid_options, LOOKS },
	{ .names = "wipefs", .options = wipefs_options, .refine = wipefs_refine },
	{ .names = "fdisk", .options = fdisk_options, .refine = format_unless_shown },
	{ .names = "sfdisk", .options = sfdisk_options, .refine = format_unless_shown },
	{ .names = "cfdisk cgdisk",
	  .options = fdisk_options,
	  .style = PARSE_LOOSE,
	  .refine = format_refine },
	{ .names = "parted", .options = parted_options, .refine = parted_refine },
	{ .names = "gdisk sgdisk", .options = gdisk_options, .refine = format_unless_shown },
	{ .names = "partx",
	  .operands = "l*",
	  .options = partx_options,
	  .refine = change_unless_shown },
	{ .names = "partprobe addpart delpart resizepart",
	  .operands = "l*",
	  .options = partprobe_options,
	  .rule = &partitions_read },
	{ .names = "blkdiscard", .options = blkdiscard_options, .refine = format_refine },
	{ .names = "scrub nwipe",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .refine = format_refine },
	{ .names = "hdparm", .operands = "l*", .options = hdparm_options, LOOKS },
	{ .names = "nvme", .options = nvme_options, .subcommands = nvme_commands },
	{ .names = "smartctl", .operands = "l*", .options = smartctl_options, LOOKS },
	{ .names = "blockdev", .operands = "l*", .options = blockdev_options, LOOKS },
	{ .names = "badblocks", .operands = "l .*", .options = badblocks_options },
	{ .names = "fstrim", .operands = "l*", .options = fstrim_options, .rule = &disk_changes },
	{ .names = "fallocate posix_fallocate", .operands = "e*", .options = fallocate_options },
	{ .names = "eject", .operands = "l*", .options = help_options, .rule = &mounts },
	{ .names = "quota repquota", .operands = ".*", .options = fstrim_options, LOOKS },
	{ .names = "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat "
		   "mkfs.msdos mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.minix mkfs.bfs mkfs.cramfs "
		   "mkfs.jfs mkfs.reiserfs mkfs.nilfs2 mkfs.erofs mkfs.udf mkfs.ubifs mke2fs "
		   "mkdosfs "
		   "mkntfs mkreiserfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos newfs_exfat "
		   "swaplabel fdformat",
	  .options = mkfs_options,
	  .style = PARSE_LOOSE,
	  .refine = format_refine },
	{ .names = "fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.fat fsck.btrfs "
		   "e2fsck "
		   "dosfsck fsck_apfs fsck_hfs ntfsfix",
	  .operands = "l*",
	  .options = fsck_options,
	  .refine = change_unless_shown },
	{ .names = "dumpe2fs xfs_info filefrag",
	  .operands = "l*",
	  .options = dumpe2fs_options,
	  LOOKS },
	{ .names = "tune2fs",
	  .operands = "l*",
	  .options = tune2fs_options,
	  .refine = change_unless_shown },
	{ .names = "resize2fs xfs_growfs",
	  .operands = "l .*",
	  .options = resize_options,
	  .refine = change_unless_shown },
	{ .names = "xfs_repair xfs_admin",
	  .operands = "l*",
	  .options = xfs_options,
	  .refine = change_unless_shown },
	{ .names = "debugfs xfs_db xfs_io",
	  .operands = "f*",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &disk_changes },
	{ .names = "e2label fatlabel ntfslabel",
	  .operands = "l .?",
	  .options = help_options,
	  .refine = label_refine },
	PROGRAMS_END,
};
