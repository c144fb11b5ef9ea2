/* SPDX-License-Identifier: MIT */
/*
 * Accounts, and what belongs to no single user: alternatives, fonts, messages, macOS's settings.
 * Membership in a group that leads to root is a privilege that is given away.
 */
#include "command/models/basics.h"

RULE(account_changes, "account.changes", PROMPT, PRIVILEGE, "changes an account or a group");
RULE(account_privilege, "account.gives-privilege", FORBIDDEN, PRIVILEGE,
     "gives an account the rights of root");
RULE(account_deletes, "account.deletes-home", FORBIDDEN, DELETES,
     "deletes an account and its home directory");
RULE(account_password, "account.sets-password", PROMPT, PRIVILEGE,
     "sets the password of an account");
RULE(settings_changes, "settings.changes", PROMPT, SYSTEM, "changes a setting of the system");

#define LOOKS .finds = FIND_IGNORES_INPUT

/* ---- groups that lead to root ---------------------------------------------------------------- */

static const char root_groups[] =
	"sudo wheel root admin docker lxd lxc disk shadow adm kvm libvirt "
	"libvirtd incus incus-admin sudoers staff kmem";

/* Is one of the names between commas such a group? */
static bool
names_root_group(struct findings *found, const struct field *groups)
{
	const char *at = groups->text;

	while (*at != '\0') {
		size_t len = strcspn(at, ",");
		const char *name = arena_strndup(found->arena, at, len);

		if (name != NULL && len > 0 && service_word_in(name, root_groups)) {
			return true;
		}
		at += len;
		at += *at == ',' ? 1 : 0;
	}
	return false;
}

static void
check_groups(const struct match *match, struct findings *found, char letter, const char *name)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		bool fits = option->letter == letter ||
			    (option->name != NULL && strcmp(option->name, name) == 0);

		if (fits && option->arg != NULL && names_root_group(found, option->arg)) {
			find_rule(found, &account_privilege, option->arg);
		}
	}
}

/* ---- useradd and its kin --------------------------------------------------------------------- */

static const struct option_row useradd_options[] = {
	ROW_FLAG("DFlmMNorU", "badname btrfs-subvolume-home defaults add-subids-for-system "
			      "no-log-init create-home no-create-home no-user-group non-unique "
			      "system user-group"),
	ROW_TAKES("bcdefgGkKpPRsuZ",
		  "base-dir comment home-dir expiredate inactive gid groups skel "
		  "key password root prefix shell uid selinux-user"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row usermod_options[] = {
	ROW_FLAG("abLmorU", "append badname lock move-home non-unique remove unlock"),
	ROW_TAKES("cdefgGlpPRsuvVwWZ", "comment home expiredate inactive gid groups login password "
				       "root prefix shell uid add-subuids del-subuids add-subgids "
				       "del-subgids selinux-user"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
usermod_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *uid = match_option(match, 'u', "uid");

	check_groups(match, found, 'G', "groups");
	check_groups(match, found, 'g', "gid");
	if (uid != NULL && uid->arg != NULL && field_is(uid->arg, "0")) {
		find_rule(found, &account_privilege, uid->arg);
	}
}

static const struct option_row userdel_options[] = {
	ROW_FLAG("fZ", "force selinux-user quiet system backup only-if-empty"),
	ROW_RULE("r", "remove remove-home remove-all-files", ARG_NONE, &account_deletes),
	ROW_TAKES("RP", "root prefix backup-to conf"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row adduser_options[] = {
	ROW_FLAG("qvDHS", "disabled-password disabled-login system quiet debug force-badname "
			  "allow-badname no-create-home group ingroup-only encrypt-home "
			  "comment-none add-extra-groups"),
	ROW_TAKES("hgsGku", "home shell gecos uid gid ingroup firstuid lastuid conf comment"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* adduser NAME GROUP */
static void
adduser_refine(const struct match *match, struct findings *found)
{
	const struct field *group = service_operand(match, 1);

	check_groups(match, found, 'G', "ingroup");
	if (group != NULL && names_root_group(found, group)) {
		find_rule(found, &account_privilege, group);
	}
}

/* gpasswd -a NAME GROUP */
static const struct option_row gpasswd_options[] = {
	ROW_FLAG("rR", "remove-password restrict"),
	ROW_TAKES("daQMA", "add delete root members administrators"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
gpasswd_refine(const struct match *match, struct findings *found)
{
	const struct field *group = service_operand(match, 0);
	bool adds = match_option(match, 'a', "add") != NULL ||
		    match_option(match, 'M', "members") != NULL;

	if (adds && group != NULL && names_root_group(found, group)) {
		find_rule(found, &account_privilege, group);
	}
}

static const struct option_row group_options[] = {
	ROW_FLAG("for", "force non-unique system append"),
	ROW_TAKES("gKpRPUnalud", "gid key password root prefix users new-name add delete"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

/* ---- passwords ------------------------------------------------------------------------------- */

static const struct option_row passwd_options[] = {
	ROW_FLAG("Sadekluqf", "status all delete expire keep-tokens lock unlock quiet stdin"),
	ROW_TAKES("inRwxr", "inactive mindays root warndays maxdays repository"),
	ROW_HELP("h?", "help usage"),
	OPTIONS_END,
};

static void
passwd_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'S', "status") == NULL) {
		find_rule(found, &account_password, match->operands);
	}
	if (match_option(match, 'd', "delete") != NULL && match->operand_count > 0 &&
	    field_is(match->operands, "root")) {
		find_rule(found, &account_privilege, match->operands);
	}
}

static const struct option_row chpasswd_options[] = {
	ROW_FLAG("em", "encrypted md5"),
	ROW_TAKES("csR", "crypt-method sha-rounds root"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
chpasswd_refine(const struct match *match, struct findings *found)
{
	const struct field *input = match->input != NULL ? &match->input->data : NULL;

	if (input != NULL && input->text != NULL && strncmp(input->text, "root:", 5) == 0) {
		find_rule(found, &account_privilege, NULL);
	}
}

static const struct option_row chage_options[] = {
	ROW_FLAG("li", "list iso8601"),
	ROW_TAKES("dEImMRW", "lastday expiredate inactive mindays maxdays root warndays"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
chage_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'l', "list") == NULL) {
		find_rule(found, &account_changes, match->operands);
	}
}

static const struct option_row chsh_options[] = {
	ROW_TAKES("sRfhoprw", "shell root full-name home-phone office other work-phone room"),
	ROW_FLAG("lu", "list-shells"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row pwck_options[] = {
	ROW_FLAG("rq", "read-only quiet"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
pwck_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'r', "read-only") == NULL) {
		find_rule(found, &account_changes, NULL);
	}
}

/* ---- accounts of macOS ----------------------------------------------------------------------- */

static bool
any_operand_has(const struct match *match, const char *text)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (strstr(match->operands[i].text, text) != NULL) {
			return true;
		}
	}
	return false;
}

static void
dscl_refine(const struct match *match, struct findings *found)
{
	const struct field *verb = service_operand(match, 1);

	if (verb == NULL) {
		find_unknown(found, "commands from the standard input", match->argv);
		return;
	}
	if (service_operand_is(match, 1, "-list list ls -ls -search search")) {
		return;
	}
	if (service_operand_is(match, 1, "-read read -readall readall cat")) {
		if (any_operand_has(match, "ShadowHash") || any_operand_has(match, "hint")) {
			find_rule(found, &account_password, verb);
		}
		return;
	}
	find_rule(found, &account_changes, verb);
	if (any_operand_has(match, "/Groups/admin") || any_operand_has(match, "/Groups/wheel")) {
		find_rule(found, &account_privilege, verb);
	}
}

static const struct option_row dseditgroup_options[] = {
	ROW_FLAG("vpqL", NULL),
	ROW_TAKES("oadtnugmPicrsST", NULL),
	OPTIONS_END,
};

static void
dseditgroup_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *verb = match_option(match, 'o', NULL);

	if (verb == NULL || verb->arg == NULL || field_is(verb->arg, "read") ||
	    field_is(verb->arg, "checkmember")) {
		return;
	}
	find_rule(found, &account_changes, NULL);
	if (match_option(match, 'a', NULL) != NULL && match->operand_count > 0 &&
	    names_root_group(found, match->operands)) {
		find_rule(found, &account_privilege, match->operands);
	}
}

static const struct option_row sysadminctl_options[] = {
	ROW_HELP("h", NULL),
	OPTIONS_END,
};

/* ---- settings of macOS ----------------------------------------------------------------------- */

RULE(nvram_clears, "nvram.clears", FORBIDDEN, SYSTEM, "deletes the firmware's variables");
RULE(backup_deletes, "backup.deletes", FORBIDDEN, DELETES, "deletes backups for good");
RULE(backup_changes, "backup.changes", PROMPT, SYSTEM, "changes how or where backups are made");

static const struct option_row defaults_options[] = {
	ROW_FLAG("g", "currentHost globalDomain app"),
	ROW_TAKES(NULL, "host"),
	OPTIONS_END,
};

static const struct program defaults_commands[] = {
	SUB("read|read-type|domains|find|help", ".*", NULL, NULL, NULL, NULL),
	SUB("write|rename|delete|import|export", ".*", NULL, NULL, &settings_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row nvram_options[] = {
	ROW_FLAG("px", NULL),
	ROW_RULE("c", NULL, ARG_NONE, &nvram_clears),
	ROW_RULE("df", NULL, ARG_ONE, &settings_changes),
	OPTIONS_END,
};

static void
nvram_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (strchr(match->operands[i].text, '=') != NULL ||
		    !field_is_literal(&match->operands[i])) {
			find_rule(found, &settings_changes, &match->operands[i]);
		}
	}
}

static const struct program tmutil_commands[] = {
	SUB("status|listbackups|latestbackup|listlocalsnapshots|listlocalsnapshotdates|"
	    "destinationinfo|isexcluded|machinedirectory|uniquesize|calculatedrift|version|help|"
	    "compare|verifychecksums",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("delete|deletelocalsnapshots|deleteinprogress|disable|thinlocalsnapshots|"
	    "removedestination",
	    ".*", NULL, NULL, &backup_deletes, NULL),
	SUB("enable|startbackup|stopbackup|setdestination|addexclusion|removeexclusion|snapshot|"
	    "localsnapshot|restore|inheritbackup|associatedisk|setquota",
	    ".*", NULL, NULL, &backup_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row softwareupdate_options[] = {
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

/* ---- alternatives, libraries, messages ------------------------------------------------------- */

static const struct option_row alternatives_options[] = {
	ROW_FLAG(NULL, "verbose quiet debug"),
	ROW_TAKES(NULL, "altdir admindir instdir root log"),
	ROW_TAKES(NULL, "display list query"),
	ROW_FLAG(NULL, "get-selections"),
	ROW_RULE(NULL,
		 "install slave set remove remove-all config auto skip-auto force all "
		 "set-selections",
		 ARG_NONE, &settings_changes),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row ldconfig_options[] = {
	ROW_FLAG("v", "verbose"),
	ROW_FLAG("p", "print-cache"),
	ROW_TAKES("fCrlc", "format"),
	ROW_FLAG("nNXi", "ignore-aux-cache"),
	ROW_HELP("?V", "help version usage"),
	OPTIONS_END,
};

static void
ldconfig_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'p', "print-cache") == NULL) {
		find_rule(found, &settings_changes, NULL);
	}
}

RULE(logrotate_runs, "logrotate.runs", PROMPT, EXECUTES,
     "rotates logs and runs what its configuration names");
RULE(message_sends, "message.sends", PROMPT, WRITES,
     "sends a message to the system's log or users");
RULE(display_open, "xhost.opens-display", FORBIDDEN, PRIVILEGE,
     "lets everybody read and control the display");
RULE(display_changes, "xhost.changes", PROMPT, PRIVILEGE, "changes who may use the display");

static const struct option_row logrotate_options[] = {
	ROW_FLAG("dfv", "debug force verbose skip-state-lock"),
	ROW_PATH("s", "state", DEED_WRITE),
	ROW_PATH("l", "log", DEED_WRITE),
	ROW_RUNS("m", "mail"),
	ROW_HELP("?", "help usage version"),
	OPTIONS_END,
};

static const struct option_row logger_options[] = {
	ROW_FLAG("iesdT", "stderr skip-empty octet-count prio-prefix udp tcp rfc3164"),
	ROW_TAKES("pStPu", "priority size tag port sd-id sd-param msgid socket"),
	ROW_REMOTE("n", "server"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_MAYBE(NULL, "id rfc5424 socket-errors journald"),
	ROW_DRY(NULL, "no-act"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row wall_options[] = {
	ROW_FLAG("n", "nobanner"),
	ROW_TAKES("gt", "group timeout"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* Hosts come with a plus or a minus in front. */
static void
xhost_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_operand_is(match, i, "-help")) {
			continue;
		}
		find_rule(found,
			  field_is(&match->operands[i], "+") ? &display_open : &display_changes,
			  &match->operands[i]);
	}
}

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_system_users[] = {
	{ .names = "useradd",
	  .operands = ".*",
	  .options = useradd_options,
	  .rule = &account_changes,
	  .refine = usermod_refine },
	{ .names = "usermod",
	  .operands = ".*",
	  .options = usermod_options,
	  .rule = &account_changes,
	  .refine = usermod_refine },
	{ .names = "userdel deluser delgroup",
	  .operands = ".*",
	  .options = userdel_options,
	  .rule = &account_changes },
	{ .names = "adduser addgroup",
	  .operands = ".*",
	  .options = adduser_options,
	  .style = PARSE_LOOSE,
	  .rule = &account_changes,
	  .refine = adduser_refine },
	{ .names = "gpasswd",
	  .operands = ".*",
	  .options = gpasswd_options,
	  .rule = &account_changes,
	  .refine = gpasswd_refine },
	{ .names = "groupadd groupmod groupdel groupmems",
	  .operands = ".*",
	  .options = group_options,
	  .rule = &account_changes },
	{ .names = "passwd", .operands = ".*", .options = passwd_options, .refine = passwd_refine },
	{ .names = "chpasswd chgpasswd",
	  .operands = "",
	  .options = chpasswd_options,
	  .rule = &account_password,
	  .refine = chpasswd_refine },
	{ .names = "newusers",
	  .operands = "f?",
	  .options = chpasswd_options,
	  .rule = &account_changes },
	{ .names = "chage", .operands = ".*", .options = chage_options, .refine = chage_refine },
	{ .names = "chsh chfn",
	  .operands = ".*",
	  .options = chsh_options,
	  .rule = &account_changes },
	{ .names = "pwck grpck", .operands = "l*", .options = pwck_options, .refine = pwck_refine },
	{ .names = "dscl", .style = PARSE_NONE, .refine = dscl_refine },
	{ .names = "dseditgroup",
	  .operands = ".*",
	  .options = dseditgroup_options,
	  .refine = dseditgroup_refine },
	{ .names = "sysadminctl",
	  .options = sysadminctl_options,
	  .style = PARSE_LOOSE,
	  .rule = &account_changes },
	{ .names = "defaults",
	  .options = defaults_options,
	  .subcommands = defaults_commands,
	  .style = PARSE_LONG_ONE },
	{ .names = "nvram", .operands = ".*", .options = nvram_options, .refine = nvram_refine },
	{ .names = "tmutil", .subcommands = tmutil_commands, .style = PARSE_LOOSE },
	{ .names = "softwareupdate",
	  .operands = ".*",
	  .options = softwareupdate_options,
	  .style = PARSE_LOOSE,
	  .finds = FIND_NETWORK,
	  .rule = &settings_changes },
	{ .names = "update-alternatives alternatives",
	  .operands = ".*",
	  .options = alternatives_options },
	{ .names = "ldconfig",
	  .operands = "l*",
	  .options = ldconfig_options,
	  .refine = ldconfig_refine },
	{ .names = "logrotate",
	  .operands = "f*",
	  .options = logrotate_options,
	  .rule = &logrotate_runs },
	{ .names = "logger", .operands = ".*", .options = logger_options, .rule = &message_sends },
	{ .names = "wall write",
	  .operands = ".*",
	  .options = wall_options,
	  .rule = &message_sends },
	{ .names = "xhost", .style = PARSE_NONE, .refine = xhost_refine },
	{ .names = "update-grub update-grub2 update-initramfs grub-mkconfig grub2-mkconfig "
		   "grub-install mkinitcpio dracut ldconfig.real locale-gen dpkg-reconfigure",
	  .operands = ".*",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &settings_changes },
	PROGRAMS_END,
};
