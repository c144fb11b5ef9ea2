/* SPDX-License-Identifier: MIT */
/*
 * Volume managers, arrays, encrypted disks, and the disk tools of macOS. Their volumes have names:
 * removing one loses all that is in it.
 */
#include "command/models/basics.h"

RULE(volume_removes, "volume.removes", FORBIDDEN, DELETES,
     "removes a volume and all that is in it");
RULE(volume_changes, "volume.changes", PROMPT, SYSTEM, "changes volumes or what they are made of");
RULE(volume_rollback, "volume.rolls-back", FORBIDDEN, DELETES,
     "loses everything that was written since the snapshot");
RULE(volume_key, "volume.shows-key", FORBIDDEN, DISCLOSURE, "prints the key of an encrypted disk");

#define LOOKS .finds = FIND_IGNORES_INPUT

/* The operands from `first` on are overwritten. */
static void
format_from(const struct match *match, struct findings *found, size_t first)
{
	for (size_t i = first; i < match->operand_count; i++) {
		find_deed(found, DEED_FORMAT, &match->operands[i]);
	}
}

/* ---- lvm ------------------------------------------------------------------------------------- */

static const struct option_row lvs_options[] = {
	ROW_FLAG("abcdPqruvHmsSCn",
		 "all aligned binary foreign history ignorelockingfailure ignoreskippedcluster "
		 "noheadings nolocking nosuffix partial readonly rows segments shared unbuffered "
		 "unquoted verbose colon columns maps short nameprefixes"),
	ROW_TAKES("oO", "options sort select units separator reportformat logreport configreport "
			"devices devicesfile"),
	ROW_DOUBT_TAKES(NULL, "config profile"),
	ROW_HELP("h", "help longhelp version"),
	OPTIONS_END,
};

static const struct option_row lvchange_options[] = {
	ROW_FLAG("tfqvyrAZW", "test force quiet verbose yes resizefs"),
	ROW_TAKES("LlnsiIcpTmgx", "size extents name snapshot stripes stripesize type thinpool "
				  "chunksize permission addtag deltag alloc virtualsize"),
	ROW_HELP("h", "help longhelp version"),
	OPTIONS_END,
};

/* pvcreate's operands are devices. */
static void
pvcreate_refine(const struct match *match, struct findings *found)
{
	format_from(match, found, 0);
}

/* lvresize with a size that takes away. */
static void
lvresize_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *size = match_option(match, 'L', "size");

	if (size != NULL && size->arg != NULL && size->arg->text[0] == '-') {
		find_rule(found, &volume_removes, size->arg);
	}
}

/* ---- md -------------------------------------------------------------------------------------- */

static const struct option_row mdadm_options[] = {
	ROW_MODE("DEQYX", "detail examine query detail-platform examine-bitmap export brief",
		 DEED_LIST),
	ROW_FLAG("sbvqofaU", "scan verbose quiet test no-degraded force run"),
	ROW_TAKES("cnxlzeumNdpRyti", "config level raid-devices spare-devices chunk name metadata "
				     "uuid homehost bitmap layout size"),
	{ NULL, "zero-superblock", ARG_NONE, USE_MODE, LANG_BASH, DEED_FORMAT, NULL, 0 },
	{ "C", "create build", ARG_NONE, USE_MODE, LANG_BASH, DEED_FORMAT, NULL, 0 },
	ROW_RULE("ASGFrMBI",
		 "assemble stop grow follow monitor fail remove add re-add replace "
		 "set-faulty manage incremental readonly readwrite wait misc",
		 ARG_NONE, &volume_changes),
	ROW_HELP("hV", "help help-options version"),
	OPTIONS_END,
};

/* ---- zfs ------------------------------------------------------------------------------------- */

static const struct option_row zfs_options[] = {
	ROW_FLAG("rRHpPvLlgTDecdSiNfay0123456789j", "json"),
	ROW_DRY("n", NULL),
	ROW_TAKES("ots", NULL),
	ROW_HELP("?V", "help version"),
	OPTIONS_END,
};

/* -n is a dry run for some commands only; elsewhere it is something else. */
static const struct option_row zfs_read_options[] = {
	ROW_FLAG("rRHpPvLlgTDecdSiNfayn0123456789jFIqwlt", "json"),
	ROW_TAKES("osb", NULL),
	OPTIONS_END,
};

static const struct program zfs_commands[] = {
	SUB("list|get|diff|holds|version|userspace|groupspace|projectspace|allow", ".*",
	    zfs_read_options, NULL, NULL, NULL),
	SUB("destroy", ".*", zfs_options, NULL, &volume_removes, NULL),
	SUB("rollback", ".*", zfs_read_options, NULL, &volume_rollback, NULL),
	SUB("create|snapshot|snap|clone|promote|rename|set|inherit|upgrade|mount|unmount|umount|"
	    "share|"
	    "unshare|bookmark|send|receive|recv|unallow|hold|release|load-key|unload-key|change-"
	    "key|"
	    "program|jail|unjail|wait",
	    ".*", zfs_read_options, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

/* zpool create POOL DEVICE... */
static void
zpool_create(const struct match *match, struct findings *found)
{
	format_from(match, found, 1);
}

static const struct program zpool_commands[] = {
	SUB("list|status|get|iostat|history|events|version", ".*", zfs_read_options, NULL, NULL,
	    NULL),
	SUB("destroy", ".*", zfs_read_options, NULL, &volume_removes, NULL),
	SUB("labelclear", ".*", zfs_read_options, NULL, &volume_removes, NULL),
	SUB("create|add|attach|replace", NULL, zfs_read_options, NULL, &volume_changes,
	    zpool_create),
	SUB("import|export|scrub|trim|online|offline|detach|remove|clear|set|upgrade|split|"
	    "resilver|"
	    "initialize|checkpoint|reopen|reguid|sync|wait",
	    ".*", zfs_read_options, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

/* ---- btrfs ----------------------------------------------------------------------------------- */

static const struct option_row btrfs_options[] = {
	ROW_FLAG("vqhHkmgtbdlapcuosrTRfBn", "verbose quiet raw human-readable iec si kbytes mbytes "
					    "gbytes tbytes mounted all-devices commit-each "
					    "commit-after"),
	ROW_TAKES("GCiL", "sort subvolid uuid rootid"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct program btrfs_commands[] = {
	SUB("subvolume list|subvolume show|subvolume get-default|subvolume find-new|filesystem "
	    "show|"
	    "filesystem df|filesystem usage|filesystem du|device stats|device usage|scrub status|"
	    "qgroup show|balance status|property get|property list|version|help|fi show|fi df|"
	    "fi usage|sub list|sub show|quota rescan -s",
	    "l*", NULL, NULL, NULL, NULL),
	SUB("subvolume delete|sub delete|su delete|su de", "D*", NULL, NULL, NULL, NULL),
	SUB("subvolume create|subvolume snapshot|subvolume set-default|subvolume sync|sub create|"
	    "sub snapshot|filesystem resize|filesystem label|filesystem defragment|filesystem sync|"
	    "device add|device remove|device delete|device scan|device ready|scrub start|"
	    "scrub cancel|balance|balance start|balance cancel|qgroup|quota|property set|replace|"
	    "send|receive|check|rescue|restore|inspect-internal",
	    "l*", NULL, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

/* ---- encryption ------------------------------------------------------------------------------ */

static const struct option_row cryptsetup_options[] = {
	ROW_FLAG("qvryb", "batch-mode verbose debug readonly verify-passphrase"),
	ROW_TAKES("chsdlSTtoi", "cipher hash key-size key-file keyfile-size key-slot tries timeout "
				"type offset iter-time pbkdf label uuid header"),
	ROW_RULE(NULL, "dump-master-key dump-volume-key", ARG_NONE, &volume_key),
	ROW_HELP("?V", "help usage version"),
	OPTIONS_END,
};

static void
crypt_format(const struct match *match, struct findings *found)
{
	format_from(match, found, 0);
}

static const struct program cryptsetup_commands[] = {
	SUB("status|luksDump|isLuks|luksUUID|benchmark|tcryptDump|bitlkDump", "l*", NULL, NULL,
	    NULL, NULL),
	SUB("luksFormat|erase|luksErase|reencrypt|luksRemoveKey|luksKillSlot|luksConvertKey", NULL,
	    NULL, NULL, &volume_changes, crypt_format),
	SUB("open|close|luksOpen|luksClose|create|remove|resize|refresh|luksAddKey|luksChangeKey|"
	    "luksHeaderBackup|luksHeaderRestore|luksSuspend|luksResume|repair|config|token|convert|"
	    "plainOpen|attach|detach",
	    "l*", NULL, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

/* ---- macOS ----------------------------------------------------------------------------------- */

static const struct program diskutil_commands[] = {
	SUB("list|info|information|activity|listFilesystems|verifyDisk|verifyVolume|apfs list|"
	    "apfs listUsers|apfs listSnapshots|appleRAID list|coreStorage list|cs list|help",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("eraseDisk|eraseVolume|reformat|eraseOptical|zeroDisk|randomDisk|secureErase|"
	    "partitionDisk|mergePartitions|apfs deleteVolume|apfs deleteContainer|"
	    "apfs eraseVolume|apfs deleteSnapshot|appleRAID delete|coreStorage delete|cs delete|"
	    "apfs deleteVolumeGroup",
	    ".*", NULL, NULL, &volume_removes, NULL),
	SUB("mount|mountDisk|unmount|umount|unmountDisk|eject|rename|renameVolume|repairDisk|"
	    "repairVolume|enableJournal|disableJournal|resizeVolume|splitPartition|addPartition|"
	    "apfs addVolume|apfs resizeContainer|apfs create|apfs unlockVolume|apfs lockVolume|"
	    "apfs encryptVolume|apfs decryptVolume|setUUID|enableOwnership|disableOwnership|"
	    "resetUserPermissions|image",
	    ".*", NULL, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

static const struct program hdiutil_commands[] = {
	SUB("info|imageinfo|verify|checksum|isencrypted|plugins|help|pmap", "l*", NULL, NULL, NULL,
	    NULL),
	SUB("attach|mount|detach|eject|unmount|create|convert|compact|resize|burn|makehybrid|"
	    "segment|"
	    "internet-enable|udifrez|udifderez|chpass|erasekeys|unflatten|flatten|mountvol",
	    "l*", NULL, NULL, &volume_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* ---- images and copies ----------------------------------------------------------------------- */

static const struct option_row mkisofs_options[] = {
	ROW_OUTPUT("o", "output"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

RULE(image_makes, "image.makes", PROMPT, WRITES, "makes a disk image or burns a disc");

static const struct option_row ddrescue_options[] = {
	ROW_FLAG("AdDfFMnNOpPqrRStuvyX", "try-again idirect odirect force preallocate no-scrape "
					 "no-trim sparse verbose"),
	ROW_TAKES("bBcCeEHiIJKLmosTx", NULL),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_disks_volumes[] = {
	{ .names = "lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan lvmdiskscan",
	  .operands = "l*",
	  .options = lvs_options,
	  LOOKS },
	{ .names = "lvremove vgremove pvremove lvreduce vgreduce",
	  .operands = ".*",
	  .options = lvchange_options,
	  .style = PARSE_LOOSE,
	  .rule = &volume_removes },
	{ .names = "lvresize",
	  .operands = ".*",
	  .options = lvchange_options,
	  .style = PARSE_LOOSE,
	  .rule = &volume_changes,
	  .refine = lvresize_refine },
	{ .names = "pvcreate",
	  .options = lvchange_options,
	  .style = PARSE_LOOSE,
	  .rule = &volume_changes,
	  .refine = pvcreate_refine },
	{ .names = "lvcreate lvextend lvchange lvconvert lvrename vgcreate vgextend vgchange "
		   "vgrename "
		   "vgimport vgexport vgsplit vgmerge pvchange pvresize pvmove pvscan dmsetup",
	  .operands = ".*",
	  .options = lvchange_options,
	  .style = PARSE_LOOSE,
	  .rule = &volume_changes },
	{ .names = "mdadm", .operands = "l*", .options = mdadm_options },
	{ .names = "zfs", .options = help_options, .subcommands = zfs_commands },
	{ .names = "zpool", .options = help_options, .subcommands = zpool_commands },
	{ .names = "btrfs", .options = btrfs_options, .subcommands = btrfs_commands },
	{ .names = "cryptsetup",
	  .options = cryptsetup_options,
	  .subcommands = cryptsetup_commands },
	{ .names = "diskutil", .options = help_options, .subcommands = diskutil_commands },
	{ .names = "hdiutil",
	  .options = help_options,
	  .subcommands = hdiutil_commands,
	  .style = PARSE_LOOSE },
	{ .names = "asr", .operands = ".*", .options = help_options, .rule = &volume_removes },
	{ .names = "mkisofs genisoimage xorriso xorrisofs growisofs wodim cdrecord mksquashfs",
	  .operands = "f*",
	  .options = mkisofs_options,
	  .style = PARSE_LOOSE,
	  .rule = &image_makes },
	{ .names = "ddrescue", .operands = "f w .?", .options = ddrescue_options },
	PROGRAMS_END,
};
