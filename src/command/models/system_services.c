/* SPDX-License-Identifier: MIT */
/*
 * Services, logs, power and the kernel: what is shown, what is changed, and what switches a
 * protection off or the machine with it.
 */
#include "command/models/basics.h"

RULE(power_off, "power.off", FORBIDDEN, SYSTEM, "shuts the machine down or restarts it");
RULE(service_changes, "service.changes", PROMPT, SYSTEM, "changes what runs on this system");
RULE(service_stops_protection, "service.stops-protection", FORBIDDEN, SYSTEM,
     "stops a service that protects this system");
RULE(service_environment, "service.environment", PROMPT, DISCLOSURE,
     "shows environment variables, which may hold secrets");
RULE(protection_off, "protection.off", FORBIDDEN, SYSTEM,
     "switches a protection of the system off");
RULE(protection_changes, "protection.changes", PROMPT, SYSTEM,
     "changes a protection of the system");
RULE(log_deletes, "log.deletes", PROMPT, DELETES, "deletes or rotates logs");
RULE(kernel_changes, "kernel.changes", PROMPT, SYSTEM, "changes the running kernel");
RULE(kernel_weakens, "kernel.weakens", FORBIDDEN, SYSTEM,
     "switches a protection of the kernel off");
RULE(settings_changes, "settings.changes", PROMPT, SYSTEM, "changes a setting of the system");

static const struct option_row help_options[] = {
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* Where -h means something else. */
static const struct option_row long_help_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* ---- which services protect ------------------------------------------------------------------ */

static const char protections[] =
	"firewalld ufw iptables ip6tables nftables shorewall apparmor auditd selinux-autorelabel "
	"ssh "
	"sshd fail2ban crowdsec sshguard clamav-daemon clamd falcon-sensor mdatp wazuh-agent "
	"ossec osqueryd osquery snort suricata aide rkhunter usbguard rsyslog syslog syslog-ng "
	"systemd-journald auditbeat unattended-upgrades polkit cbdaemon sentinelone "
	"com.apple.alf com.apple.firewall";

/* The name of a unit without its kind. */
static bool
is_protection(struct findings *found, const struct field *unit)
{
	size_t len = unit->len;
	const char *name;

	if (!field_is_literal(unit)) {
		return false;
	}
	if (len > 8 && strcmp(unit->text + len - 8, ".service") == 0) {
		len -= 8;
	} else if (len > 7 && strcmp(unit->text + len - 7, ".socket") == 0) {
		len -= 7;
	}
	name = arena_strndup(found->arena, unit->text, len);
	return name != NULL && name[0] != '\0' && service_word_in(name, protections);
}

static void
stop_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (is_protection(found, &match->operands[i])) {
			find_rule(found, &service_stops_protection, &match->operands[i]);
		}
	}
}

/* ---- systemd --------------------------------------------------------------------------------- */

static const struct option_row systemctl_options[] = {
	ROW_FLAG("alrTiqf", "system user failed all full recursive reverse with-dependencies "
			    "show-transaction show-types value now quiet wait no-block no-wall "
			    "no-reload no-pager no-ask-password global runtime force "
			    "firmware-setup plain read-only mkdir marked no-legend no-warn"),
	ROW_TAKES("tpPsno", "type state property job-mode check-inhibitors kill-whom kill-who "
			    "kill-value signal what legend preset-mode lines output "
			    "boot-loader-menu boot-loader-entry timestamp drop-in when message"),
	ROW_REMOTE("H", "host"),
	ROW_DOUBT_TAKES("M", "machine root image"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* Only these have a dry run: for others the option is accepted, and the thing is done. */
static const struct option_row power_options[] = {
	ROW_DRY(NULL, "dry-run"),
	OPTIONS_END,
};

static void
isolate_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0 &&
	    !service_operand_is(match, 0,
				"multi-user.target graphical.target multi-user "
				"graphical default.target")) {
		find_rule(found, &power_off, match->operands);
	}
}

static const struct program systemctl_commands[] = {
	SUB("list-units|list-automounts|list-paths|list-sockets|list-timers|is-active|is-failed|"
	    "status|show|cat|help|list-dependencies|list-unit-files|is-enabled|get-default|"
	    "list-machines|list-jobs|is-system-running|whoami|",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("show-environment", "", NULL, NULL, &service_environment, NULL),
	SUB("start|reload|restart|try-restart|reload-or-restart|try-reload-or-restart|condrestart|"
	    "force-reload|thaw|set-property|bind|mount-image|service-log-level|"
	    "service-log-target|reset-failed|enable|reenable|preset|preset-all|unmask|link|revert|"
	    "add-wants|add-requires|edit|set-default|cancel|set-environment|unset-environment|"
	    "import-environment|daemon-reload|daemon-reexec|log-level|log-target|"
	    "service-watchdogs|clean|exit|suspend|hibernate|hybrid-sleep|"
	    "suspend-then-hibernate|sleep",
	    ".*", NULL, NULL, &service_changes, NULL),
	SUB("stop|kill|disable|mask|freeze", ".*", NULL, NULL, &service_changes, stop_refine),
	SUB("isolate", ".*", NULL, NULL, &service_changes, isolate_refine),
	SUB("halt|poweroff|reboot|kexec|soft-reboot|rescue|emergency|default|switch-root", ".*",
	    power_options, NULL, &power_off, NULL),
	PROGRAMS_END,
};

static const struct option_row journalctl_options[] = {
	ROW_FLAG("mkrxafqeN", "system user merge dmesg reverse show-cursor utc catalog no-hostname "
			      "no-full all follow no-tail quiet no-pager pager-end force fields "
			      "list-boots disk-usage verify header list-catalog dump-catalog full "
			      "list-invocations list-namespaces truncate-newline sync"),
	ROW_TAKES("SUcutpgoFT",
		  "since until cursor after-cursor unit user-unit identifier priority "
		  "facility grep output output-fields interval verify-key field "
		  "namespace exclude-identifier"),
	ROW_PATH("D", "directory file root image", DEED_READ),
	ROW_PATH(NULL, "cursor-file", DEED_EDIT),
	ROW_MAYBE("bn", "boot case-sensitive lines invocation"),
	ROW_DOUBT_TAKES("M", "machine"),
	ROW_RULE(NULL, "vacuum-size vacuum-files vacuum-time", ARG_ONE, &log_deletes),
	ROW_RULE(NULL, "rotate flush relinquish-var smart-relinquish-var update-catalog setup-keys",
		 ARG_NONE, &log_deletes),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row loginctl_options[] = {
	ROW_FLAG("al", "no-pager no-legend no-ask-password all value full"),
	ROW_TAKES("pPsno", "property kill-whom signal lines output"),
	ROW_REMOTE("H", "host"),
	ROW_DOUBT_TAKES("M", "machine"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

RULE(session_ends, "session.ends", FORBIDDEN, PROCESS,
     "ends a whole session and all that runs in it");

static const struct program loginctl_commands[] = {
	SUB("list-sessions|session-status|show-session|list-users|user-status|show-user|list-seats|"
	    "seat-status|show-seat|",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("activate|lock-session|unlock-session|lock-sessions|unlock-sessions|enable-linger|"
	    "disable-linger|attach|flush-devices",
	    ".*", NULL, NULL, &service_changes, NULL),
	SUB("terminate-session|kill-session|terminate-user|kill-user|terminate-seat", ".*", NULL,
	    NULL, &session_ends, NULL),
	PROGRAMS_END,
};

static const struct option_row analyze_options[] = {
	ROW_FLAG(NULL, "system user global no-pager order require fuzz generators"),
	ROW_TAKES("H", "from-pattern to-pattern man json iterations base-time threshold"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct program analyze_commands[] = {
	SUB("time|blame|critical-chain|unit-paths|exit-status|capability|calendar|timestamp|"
	    "timespan|unit-files|syscall-filter|filesystems|security|dump|",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("verify|cat-config|condition|inspect-elf", "f*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program networkctl_commands[] = {
	SUB("list|status|lldp|label|cat|help|", ".*", NULL, NULL, NULL, NULL),
	SUB("up|down|delete|renew|forcerenew|reconfigure|reload|edit|mask|unmask", ".*", NULL, NULL,
	    &settings_changes, NULL),
	PROGRAMS_END,
};

static const struct program udevadm_commands[] = {
	SUB("info|settle|help|version", "l*", analyze_options, NULL, NULL, NULL),
	SUB("trigger|control|monitor|test|test-builtin|hwdb|lock", ".*", NULL, NULL,
	    &kernel_changes, NULL),
	PROGRAMS_END,
};

/* ---- other managers of services -------------------------------------------------------------- */

/* service NAME COMMAND */
static void
service_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count == 0 ||
	    (match->operand_count == 2 && service_operand_is(match, 1, "status"))) {
		return;
	}
	find_rule(found, &service_changes, match->operands);
	if (match->operand_count > 1 &&
	    service_operand_is(match, 1, "stop disable off remove zap") &&
	    is_protection(found, match->operands)) {
		find_rule(found, &service_stops_protection, match->operands);
	}
}

/* COMMAND NAME: rc-update del sshd, initctl stop x, sv down x */
static void
manager_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count == 0 ||
	    service_operand_is(match, 0, "list status show version show-config check-config")) {
		return;
	}
	find_rule(found, &service_changes, match->operands);
	if (service_operand_is(match, 0, "stop del delete remove down d exit disable")) {
		stop_refine(match, found);
	}
}

static const struct option_row service_options[] = {
	ROW_FLAG("fsSnvqDiC", "status-all full-restart ifstarted ifstopped nodeps quiet verbose"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row chkconfig_options[] = {
	ROW_FLAG(NULL, "list"),
	ROW_RULE(NULL, "add del override", ARG_NONE, &service_changes),
	ROW_TAKES(NULL, "level type"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static void
chkconfig_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 0, "list") == NULL && match->operand_count > 1) {
		service_refine(match, found);
	}
}

static void
launchctl_stops(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const char *text = match->operands[i].text;

		if (strstr(text, "com.openssh.sshd") != NULL ||
		    strstr(text, "/ssh.plist") != NULL || strstr(text, ".alf") != NULL ||
		    strstr(text, "com.apple.auditd") != NULL ||
		    strstr(text, "crowdstrike") != NULL) {
			find_rule(found, &service_stops_protection, &match->operands[i]);
		}
	}
}

static const struct program launchctl_commands[] = {
	SUB("list|print|print-cache|print-disabled|blame|dumpstate|managername|managerpid|"
	    "manageruid|procinfo|hostinfo|resolveport|version|help|error|variant|plist|examine|",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("getenv|export", ".*", NULL, NULL, &service_environment, NULL),
	SUB("reboot", ".*", NULL, NULL, &power_off, NULL),
	SUB("unload|bootout|disable|remove|stop|kill", ".*", NULL, NULL, &service_changes,
	    launchctl_stops),
	SUB("load|bootstrap|enable|start|kickstart|attach|setenv|unsetenv|submit|limit|config|"
	    "uncache|asuser|bsexec",
	    ".*", NULL, NULL, &service_changes, NULL),
	PROGRAMS_END,
};

/* ---- power ----------------------------------------------------------------------------------- */

RULE(power_cancel, "power.cancels", PROMPT, SYSTEM, "cancels a shutdown that is waiting");

static const struct option_row shutdown_options[] = {
	ROW_FLAG("hrHPkfFntzx", "halt poweroff reboot no-wall show"),
	ROW_FLAG("c", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static void
shutdown_refine(const struct match *match, struct findings *found)
{
	find_rule(found, match_option(match, 'c', NULL) != NULL ? &power_cancel : &power_off, NULL);
}

static const struct option_row reboot_options[] = {
	ROW_FLAG("dfhiknpw", "halt poweroff reboot force wtmp-only no-wtmp no-wall no-sync"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row telinit_options[] = {
	ROW_FLAG(NULL, "no-wall"),
	ROW_TAKES("te", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static void
telinit_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count == 0) {
		find_unknown(found, "no state to change to", match->argv);
	} else if (service_operand_is(match, 0, "q Q u U 2 3 4 5 a b c")) {
		find_rule(found, &service_changes, match->operands);
	} else {
		find_rule(found, &power_off, match->operands);
	}
}

static const struct option_row kexec_options[] = {
	ROW_FLAG("sacdft", "status kexec-file-syscall debug no-ifdown reuse-cmdline"),
	ROW_RULE("eulp", "exec unload load load-panic force", ARG_NONE, &power_off),
	ROW_TAKES(NULL, "append command-line initrd ramdisk mem-min mem-max"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row pmset_options[] = {
	ROW_FLAG("g", NULL),
	ROW_RULE("abcu", NULL, ARG_NONE, &settings_changes),
	OPTIONS_END,
};

static void
pmset_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'g', NULL) == NULL) {
		find_rule(found, &settings_changes, match->operands);
	}
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static const struct option_row dmesg_options[] = {
	ROW_FLAG("HJkPprSuwWxdeTt", "human json kernel nopager force-prefix raw noescape syslog "
				    "userspace follow follow-new decode show-delta reltime ctime "
				    "notime"),
	ROW_TAKES("fls", "facility level buffer-size time-format since until"),
	ROW_PATH("FK", "file kmsg-file", DEED_READ),
	ROW_MAYBE("L", "color"),
	ROW_RULE("Cc", "clear read-clear", ARG_NONE, &log_deletes),
	ROW_RULE("DE", "console-off console-on", ARG_NONE, &kernel_changes),
	ROW_RULE("n", "console-level", ARG_ONE, &kernel_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row sysctl_options[] = {
	ROW_FLAG("aAXbeNnqoxdh", "all binary ignore names values quiet deprecated dry-run"),
	ROW_FLAG("w", "write"),
	ROW_TAKES("r", "pattern"),
	{ "pf", "load", ARG_OPTIONAL, USE_NOTHING, LANG_BASH, 0, &kernel_changes, 0 },
	ROW_RULE(NULL, "system", ARG_NONE, &kernel_changes),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* Settings that keep programs from each other, and values that give that up. */
static const struct {
	const char *name;
	const char *weak; /* blank-separated; NULL: any */
} kernel_protections[] = {
	{ "kernel.randomize_va_space", "0 1" },
	{ "kernel.yama.ptrace_scope", "0" },
	{ "kernel.kptr_restrict", "0" },
	{ "kernel.dmesg_restrict", "0" },
	{ "kernel.unprivileged_bpf_disabled", "0" },
	{ "kernel.kexec_load_disabled", "0" },
	{ "kernel.perf_event_paranoid", "-1" },
	{ "kernel.core_pattern", NULL },
	{ "kernel.modprobe", NULL },
	{ "kernel.apparmor_restrict_unprivileged_userns", "0" },
	{ "fs.protected_symlinks", "0" },
	{ "fs.protected_hardlinks", "0" },
	{ "fs.protected_fifos", "0" },
	{ "fs.protected_regular", "0" },
	{ "fs.suid_dumpable", "1 2" },
	{ "vm.mmap_min_addr", "0" },
	{ "net.core.bpf_jit_harden", "0" },
	{ "security.bsd.see_other_uids", "1" },
};

/* The name with dots, as it may also be written with slashes. */
static bool
same_setting(const char *text, size_t len, const char *name)
{
	if (strlen(name) != len) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] != name[i] && (text[i] != '/' || name[i] != '.')) {
			return false;
		}
	}
	return true;
}

static bool
weakens_kernel(struct findings *found, const struct field *setting)
{
	const char *equals = strchr(setting->text, '=');
	size_t len = equals != NULL ? (size_t)(equals - setting->text) : 0;
	const char *value;

	for (; len > 0 && setting->text[len - 1] == ' '; len--) {
	}
	for (size_t i = 0; i < sizeof(kernel_protections) / sizeof(kernel_protections[0]); i++) {
		if (len == 0 || !same_setting(setting->text, len, kernel_protections[i].name)) {
			continue;
		}
		value = arena_strdup(found->arena, equals + 1 + strspn(equals + 1, " "));
		return value != NULL && (kernel_protections[i].weak == NULL ||
					 service_word_in(value, kernel_protections[i].weak));
	}
	return false;
}

static void
sysctl_refine(const struct match *match, struct findings *found)
{
	bool writes = match_option(match, 'w', "write") != NULL;

	if (match_option(match, 0, "dry-run") != NULL) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *setting = &match->operands[i];

		if (!writes && strchr(setting->text, '=') == NULL && field_is_literal(setting)) {
			continue;
		}
		find_rule(found, &kernel_changes, setting);
		if (weakens_kernel(found, setting)) {
			find_rule(found, &kernel_weakens, setting);
		}
	}
}

static const struct option_row modprobe_options[] = {
	ROW_FLAG("abfqsvril",
		 "all use-blacklist force force-modversion force-vermagic quiet syslog "
		 "verbose remove first-time ignore-install ignore-remove wait"),
	ROW_FLAG("RDc", "resolve-alias show-depends showconfig show-modversions dump-modversions "
			"show-exports"),
	ROW_DRY("n", "dry-run show"),
	ROW_TAKES("CdSw", "config dirname set-version"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
modprobe_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'D', "show-depends") == NULL &&
	    match_option(match, 'c', "showconfig") == NULL &&
	    match_option(match, 'R', "resolve-alias") == NULL && !match->dry) {
		find_rule(found, &kernel_changes, match->operands);
	}
}

static const struct option_row modinfo_options[] = {
	ROW_FLAG("0adlpn", "null author description license parameters filename"),
	ROW_TAKES("Fbk", "field basedir set-version"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row hwclock_options[] = {
	ROW_FLAG("ruvl", "show get utc localtime directisa verbose noadjfile predict test"),
	ROW_TAKES("f", "rtc date delay adjfile param-get"),
	ROW_RULE("swa", "set hctosys systohc systz adjust update-drift param-set", ARG_NONE,
		 &settings_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- mandatory access control and audit ------------------------------------------------------ */

static void
setenforce_refine(const struct match *match, struct findings *found)
{
	bool off =
		match->operand_count == 0 || !service_operand_is(match, 0, "1 Enforcing enforcing");

	find_rule(found, off ? &protection_off : &protection_changes, match->operands);
}

static const struct option_row auditctl_options[] = {
	ROW_FLAG("lsvciq", NULL),
	ROW_TAKES("kFCSpm", NULL),
	ROW_RULE("D", NULL, ARG_NONE, &protection_off),
	ROW_FLAG("e", NULL),
	ROW_RULE("aAdwWRbfrt", "backlog_wait_time reset-lost loginuid-immutable signal", ARG_ONE,
		 &protection_changes),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static void
auditctl_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'e', NULL) != NULL) {
		find_rule(found,
			  match->operand_count > 0 && service_operand_is(match, 0, "1 2")
				  ? &protection_changes
				  : &protection_off,
			  match->operands);
	}
}

static const struct option_row ausearch_options[] = {
	ROW_FLAG("ilavebcdfhmnrstux", "interpret raw summary success failed auth avc config crypto "
				      "event file host log login account module mods mac anomaly "
				      "pid process response syscall terminal tty user executable "
				      "virt integrity comm key line-buffered just-one debug"),
	ROW_TAKES("kogp", "message start end"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row parser_options[] = {
	ROW_FLAG("aCdDfhINopQqrSTvVWXBMUbn",
		 "add replace verbose quiet skip-cache write-cache "
		 "skip-kernel-load names preprocess Complain stdout debug"),
	ROW_RULE("R", "remove", ARG_NONE, &protection_off),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row sestatus_options[] = {
	ROW_FLAG("vba", NULL),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row spctl_options[] = {
	ROW_FLAG("avt", "status assess verbose type raw context list"),
	ROW_RULE(NULL, "master-disable global-disable disable reset-default", ARG_NONE,
		 &protection_off),
	ROW_RULE(NULL, "master-enable global-enable enable add remove label path requirement",
		 ARG_NONE, &protection_changes),
	OPTIONS_END,
};

static const struct program csrutil_commands[] = {
	SUB("status|report|help|authenticated-root status", ".*", NULL, NULL, NULL, NULL),
	SUB("disable|authenticated-root disable", ".*", NULL, NULL, &protection_off, NULL),
	SUB("enable|clear|netboot|authenticated-root enable", ".*", NULL, NULL, &protection_changes,
	    NULL),
	PROGRAMS_END,
};

static const struct program fdesetup_commands[] = {
	SUB("status|list|isactive|supportsauthrestart|hasinstitutionalrecoverykey|"
	    "haspersonalrecoverykey|version|help",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("disable", ".*", NULL, NULL, &protection_off, NULL),
	PROGRAMS_END,
};

/* -------------------------------------------------------------------------------------------- */

#define LOOKS .finds = FIND_IGNORES_INPUT

const struct program models_system_services[] = {
	{ .names = "systemctl", .options = systemctl_options, .subcommands = systemctl_commands },
	{ .names = "journalctl", .options = journalctl_options, LOOKS },
	{ .names = "loginctl", .options = loginctl_options, .subcommands = loginctl_commands },
	{ .names = "systemd-analyze",
	  .options = analyze_options,
	  .subcommands = analyze_commands,
	  LOOKS },
	{ .names = "networkctl", .options = loginctl_options, .subcommands = networkctl_commands },
	{ .names = "udevadm",
	  .options = help_options,
	  .subcommands = udevadm_commands,
	  .style = PARSE_LOOSE },
	{ .names = "service rc-service invoke-rc.d",
	  .options = service_options,
	  .style = PARSE_POSIX,
	  .refine = service_refine },
	{ .names = "update-rc.d",
	  .options = service_options,
	  .style = PARSE_POSIX,
	  .refine = service_refine },
	{ .names = "rc-update rc-status initctl sv",
	  .options = service_options,
	  .style = PARSE_POSIX,
	  .refine = manager_refine },
	{ .names = "chkconfig", .options = chkconfig_options, .refine = chkconfig_refine },
	{ .names = "launchctl", .subcommands = launchctl_commands, .options = help_options },
	{ .names = "shutdown", .options = shutdown_options, .refine = shutdown_refine },
	{ .names = "reboot halt poweroff", .options = reboot_options, .rule = &power_off },
	{ .names = "init telinit", .options = telinit_options, .refine = telinit_refine },
	{ .names = "kexec", .operands = ".*", .options = kexec_options },
	{ .names = "pmset", .options = pmset_options, .refine = pmset_refine },
	{ .names = "dmesg", .operands = "", .options = dmesg_options, LOOKS },
	{ .names = "sysctl", .options = sysctl_options, .refine = sysctl_refine },
	{ .names = "modprobe", .options = modprobe_options, .refine = modprobe_refine },
	{ .names = "insmod rmmod depmod kextload kextunload kmutil",
	  .operands = ".*",
	  .options = help_options,
	  .style = PARSE_POSIX,
	  .rule = &kernel_changes },
	{ .names = "lsmod kextstat", .operands = "", .options = help_options, LOOKS },
	{ .names = "modinfo", .operands = "l*", .options = modinfo_options, LOOKS },
	{ .names = "hwclock", .options = hwclock_options, LOOKS },
	{ .names = "setenforce", .options = help_options, .refine = setenforce_refine },
	{ .names = "getenforce selinuxenabled", .options = help_options, LOOKS },
	{ .names = "sestatus", .options = sestatus_options, LOOKS },
	{ .names = "setsebool semanage restorecon chcon load_policy semodule",
	  .options = long_help_options,
	  .style = PARSE_LOOSE,
	  .rule = &protection_changes },
	{ .names = "aa-teardown aa-remove-unknown", .style = PARSE_LOOSE, .rule = &protection_off },
	{ .names = "aa-disable aa-complain",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &protection_off },
	{ .names = "aa-enforce aa-audit aa-genprof aa-logprof",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &protection_changes },
	{ .names = "aa-status apparmor_status aa-enabled aa-unconfined",
	  .options = parser_options,
	  LOOKS },
	{ .names = "apparmor_parser",
	  .operands = "f*",
	  .options = parser_options,
	  .rule = &protection_changes },
	{ .names = "auditctl", .options = auditctl_options, .refine = auditctl_refine },
	{ .names = "ausearch aureport", .operands = ".*", .options = ausearch_options },
	{ .names = "spctl", .operands = "l*", .options = spctl_options },
	{ .names = "csrutil", .subcommands = csrutil_commands, .options = help_options },
	{ .names = "fdesetup", .subcommands = fdesetup_commands, .options = help_options },
	PROGRAMS_END,
};
