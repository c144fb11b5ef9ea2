/* SPDX-License-Identifier: MIT */
/*
 * Backup programs. Their repositories may lie anywhere and need a password, so even listing is
 * never harmless; what removes backups is forbidden.
 */
#include "command/models/basics.h"

RULE(backup_deletes, "backup.deletes", FORBIDDEN, DELETES, "deletes backups for good");
RULE(backup_uses, "backup.uses", PROMPT, NETWORK, "uses a store of backups, which may be remote");
RULE(backup_restores, "backup.restores", PROMPT, WRITES, "overwrites files with those of a backup");

/* Even a dry run looks into the store. */
static void
backup_refine(const struct match *match, struct findings *found)
{
	(void)match;
	find_rule(found, &backup_uses, NULL);
}

static const struct option_row restic_options[] = {
	ROW_FLAG("qv", "quiet verbose json no-lock no-cache insecure-tls cleanup-cache"),
	ROW_TAKES("rpo", "repo repository-file password-file option cacert tls-client-cert "
			 "key-hint limit-upload limit-download compression pack-size cache-dir"),
	ROW_RUNS_SHELL(NULL, "password-command"),
	ROW_DRY("n", "dry-run"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct program restic_commands[] = {
	SUB("forget|prune|rewrite|key remove", NULL, NULL, NULL, &backup_deletes, backup_refine),
	SUB("restore", NULL, NULL, NULL, &backup_restores, backup_refine),
	SUB("version|help|generate", ".*", NULL, NULL, NULL, NULL),
	SUB("backup|snapshots|ls|find|stats|check|diff|init|cat|list|copy|tag|key|key list|key "
	    "add|mount|dump|unlock|repair|recover|migrate|cache|self-update",
	    NULL, NULL, NULL, &backup_uses, NULL),
	PROGRAMS_END,
};

static const struct option_row borg_options[] = {
	ROW_FLAG("psvq", "critical error warning info debug progress stats list verbose "
			 "log-json show-version show-rc force"),
	ROW_TAKES("aPe", "lock-wait umask remote-path prefix glob-archives keep-daily keep-weekly "
			 "keep-monthly keep-hourly keep-last keep-within keep-yearly"),
	ROW_RUNS(NULL, "rsh"),
	ROW_DRY("n", "dry-run"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct program borg_commands[] = {
	SUB("delete|prune|compact|rdelete", NULL, NULL, NULL, &backup_deletes, backup_refine),
	SUB("extract", NULL, NULL, NULL, &backup_restores, backup_refine),
	SUB("help", ".*", NULL, NULL, NULL, NULL),
	SUB("create|list|info|check|diff|init|mount|umount|export-tar|import-tar|rename|recreate|"
	    "key|config|break-lock|serve|upgrade|with-lock|rlist|rinfo|rcreate",
	    NULL, NULL, NULL, &backup_uses, NULL),
	PROGRAMS_END,
};

static const struct option_row rsnapshot_options[] = {
	ROW_FLAG("vqVDx", NULL),
	ROW_PATH("c", NULL, DEED_CONFIG),
	ROW_FLAG("t", NULL),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row duplicity_options[] = {
	ROW_FLAG(NULL, "force full-if-older-than no-encryption progress allow-source-mismatch"),
	ROW_DRY(NULL, "dry-run"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct program duplicity_commands[] = {
	SUB("remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup", NULL,
	    NULL, NULL, &backup_deletes, backup_refine),
	SUB("restore", NULL, NULL, NULL, &backup_restores, backup_refine),
	SUB("full|incr|incremental|verify|collection-status|list-current-files", NULL, NULL, NULL,
	    &backup_uses, NULL),
	PROGRAMS_END,
};

const struct program models_archives_backup[] = {
	{ .names = "restic rustic",
	  .options = restic_options,
	  .subcommands = restic_commands,
	  .style = PARSE_LOOSE },
	{ .names = "borg borgbackup",
	  .options = borg_options,
	  .subcommands = borg_commands,
	  .style = PARSE_LOOSE },
	{ .names = "rsnapshot",
	  .operands = ".*",
	  .options = rsnapshot_options,
	  .rule = &backup_uses },
	{ .names = "duplicity",
	  .options = duplicity_options,
	  .subcommands = duplicity_commands,
	  .style = PARSE_LOOSE },
	PROGRAMS_END,
};
