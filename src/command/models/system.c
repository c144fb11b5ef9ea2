/* SPDX-License-Identifier: MIT */
/*
 * Programs that tell about the machine and its users. Most only print; a few of them also set what
 * they show, when they are given one word more.
 */
#include "command/models/basics.h"

#define LOOKS .finds = FIND_IGNORES_INPUT

/* ---- the machine -------------------------------------------------------------------------------
 */

static const struct option_row uname_options[] = {
	ROW_FLAG("asnrvmpioKUb", "all kernel-name nodename kernel-release kernel-version machine "
				 "processor hardware-platform operating-system"),
	ROW_VERSION,
	OPTIONS_END,
};

RULE(hostname_sets, "hostname.sets", PROMPT, SYSTEM, "sets the name of this machine");

static const struct option_row hostname_options[] = {
	ROW_FLAG("aAdfIisyv", "alias all-fqdns all-ip-addresses domain fqdn long ip-address short "
			      "yp nis"),
	ROW_RULE("F", "file", ARG_ONE, &hostname_sets),
	ROW_RULE("b", "boot", ARG_NONE, &hostname_sets),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static void
hostname_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0) {
		find_rule(found, &hostname_sets, match->operands);
	}
}

static const struct option_row nproc_options[] = {
	ROW_FLAG(NULL, "all"),
	ROW_TAKES(NULL, "ignore"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row version_options[] = {
	ROW_HELP("hV", "help version usage"),
	OPTIONS_END,
};

static const struct option_row uptime_options[] = {
	ROW_FLAG("psar", "pretty since raw container"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row free_options[] = {
	ROW_FLAG("bkmghltvwL", "bytes kilo mega giga tera peta kibi mebi gibi tebi pebi human si "
			       "lohi total committed wide line"),
	ROW_TAKES("sc", "seconds count"),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row vmstat_options[] = {
	ROW_FLAG("afmnsdDwty", "active forks slabs one-header stats disk disk-sum wide timestamp "
			       "no-first"),
	ROW_TAKES("pS", "partition unit"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row iostat_options[] = {
	ROW_FLAG("cdhkmNstxyzAnuCIKTw", "human compact pretty"),
	ROW_TAKES("fgjoPp", "dec"),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row lscpu_options[] = {
	ROW_FLAG("abBcJxyrnPimvtq", "all online bytes offline json hex physical output-all raw "
				    "noheadings pairs notruncate nowrap"),
	ROW_TAKES("soSQ", "sysroot output split task type filter time-format"),
	ROW_MAYBE("Cep", "caches extended parse summary"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row lsns_options[] = {
	ROW_FLAG("JlnruWbiGTPmqsgcetyzaLf",
		 "json list noheadings output-all raw notruncate nowrap bytes noinaccessible "
		 "shmems queues semaphores global creator export newline numeric-perms time "
		 "threads debug-filter dump-counters acc-expiration colon-separate failed "
		 "supp-groups last pwd system-accs user-accs shell context print0 persist"),
	ROW_TAKES("opQCdD", "output task type tree pid filter counter id time-format groups "
			    "logins wtmp-file btmp-file lastlog"),
	ROW_MAYBE(NULL, "summary"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row lspci_options[] = {
	ROW_FLAG("mvnkxbDtqQPMG", NULL),
	ROW_TAKES("sdipOHAF", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row lsusb_options[] = {
	ROW_FLAG("vt", "verbose tree"),
	ROW_TAKES("sdD", NULL),
	ROW_HELP("Vh", "help version"),
	OPTIONS_END,
};

static const struct option_row dmidecode_options[] = {
	ROW_FLAG("qu", "quiet dump no-sysfs no-quirks list-strings list-types"),
	ROW_TAKES("dstHa", "dev-mem string type handle oem-string"),
	ROW_PATH(NULL, "from-dump", DEED_READ),
	ROW_PATH(NULL, "dump-bin", DEED_WRITE),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row lshw_options[] = {
	ROW_FLAG("Xsq", "html xml json short businfo sanitize numeric notime quiet"),
	ROW_TAKES("cC", "class enable disable"),
	ROW_PATH(NULL, "dump", DEED_WRITE),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct option_row macos_options[] = {
	ROW_FLAG("ablrxwfisSty", "json xml listDataTypes productName productVersion buildVersion "
				 "productVersionExtra"),
	ROW_TAKES("cndpk", "detailLevel timeout"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row lsb_options[] = {
	ROW_FLAG("vidrcas", "id description release codename all short"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row sensors_options[] = {
	ROW_FLAG("fAujb", NULL),
	ROW_PATH("c", "config-file", DEED_READ),
	ROW_DOUBT("s", "set"),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

/* ---- users and sessions ------------------------------------------------------------------------
 */

static const struct option_row id_options[] = {
	ROW_FLAG("aZgGnruzFPpcAM", "context group groups name real user zero"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row who_options[] = {
	ROW_FLAG("abdHlmpqrstTwuhf", "all boot dead heading ips login lookup process count "
				     "runlevel short time mesg users message writable no-header "
				     "no-current from old-style ip-addr pids"),
	ROW_FLAG("io", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row last_options[] = {
	ROW_FLAG("adFiRwxy0123456789T", "hostlast dns fulltimes ip nohostname fullnames system"),
	ROW_TAKES("nstp", "limit since until present time-format"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row lastlog_options[] = {
	ROW_TAKES("btu", "before time user"),
	ROW_DOUBT("CS", "clear set"),
	ROW_DOUBT_TAKES("R", "root"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row finger_options[] = {
	ROW_FLAG("lmpshgk8", NULL),
	OPTIONS_END,
};

/* ---- time and language --------------------------------------------------------------------------
 */

RULE(date_sets, "date.sets", PROMPT, SYSTEM, "sets the system's clock");

static const struct option_row date_options[] = {
	ROW_FLAG("Rujn", "debug resolution rfc-email utc universal rfc-822 rfc-2822"),
	ROW_TAKES("drvz", "date rfc-3339 reference"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_MAYBE("I", "iso-8601"),
	ROW_RULE("s", "set", ARG_ONE, &date_sets),
	ROW_VERSION,
	OPTIONS_END,
};

/* An operand without a plus is a new time; BSD's -j says that it is only converted. */
static void
date_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (!service_starts(&match->operands[i], "+") &&
		    match_option(match, 'j', NULL) == NULL) {
			find_rule(found, &date_sets, &match->operands[i]);
		}
	}
}

static const struct option_row cal_options[] = {
	ROW_FLAG("13smjywJeoNhMSCbp", "one three sunday monday julian year twelve reform week "
				      "color columns vertical span"),
	ROW_TAKES("nABdH", "months"),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row locale_options[] = {
	ROW_FLAG("amckv", "all-locales charmaps category-name keyword-name verbose"),
	ROW_HELP("?V", "help usage version"),
	OPTIONS_END,
};

RULE(clock_sets, "settings.changes", PROMPT, SYSTEM, "changes a setting of the system");

static const struct option_row ctl_options[] = {
	ROW_FLAG("alj", "no-pager no-ask-password no-legend all value full monitor "
			"adjust-system-clock no-convert transient static pretty"),
	ROW_TAKES("pPsno", "property kill-whom signal lines output json"),
	ROW_REMOTE("H", "host"),
	ROW_DOUBT_TAKES("M", "machine"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct program timedatectl_commands[] = {
	SUB("status|show|list-timezones|timesync-status|show-timesync|", ".*", NULL, NULL, NULL,
	    NULL),
	SUB("set-time|set-timezone|set-local-rtc|set-ntp|ntp-servers|revert", ".*", NULL, NULL,
	    &clock_sets, NULL),
	PROGRAMS_END,
};

static const struct program localectl_commands[] = {
	SUB("status|list-locales|list-keymaps|list-x11-keymap-models|list-x11-keymap-layouts|"
	    "list-x11-keymap-variants|list-x11-keymap-options|",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("set-locale|set-keymap|set-x11-keymap", ".*", NULL, NULL, &clock_sets, NULL),
	PROGRAMS_END,
};

static void
hostnamectl_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0) {
		find_rule(found, &hostname_sets, match->operands);
	}
}

static const struct program hostnamectl_commands[] = {
	SUB("status|", "", NULL, NULL, NULL, NULL),
	SUB("hostname|icon-name|chassis|deployment|location", ".?", NULL, NULL, NULL,
	    hostnamectl_refine),
	SUB("set-hostname|set-icon-name|set-chassis|set-deployment|set-location", ".*", NULL, NULL,
	    &hostname_sets, NULL),
	PROGRAMS_END,
};

/* ---- environment and terminal ---------------------------------------------------------------- */

RULE(environment_shown, "environment.shown", PROMPT, DISCLOSURE,
     "shows environment variables, which may hold secrets");

static const struct option_row printenv_options[] = {
	ROW_FLAG("0", "null"),
	ROW_VERSION,
	OPTIONS_END,
};

static void
printenv_refine(const struct match *match, struct findings *found)
{
	bool plain = match->operand_count > 0;

	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *name = &match->operands[i];

		plain = plain && field_is_literal(name) && !shell_is_secret_name(name->text);
	}
	if (!plain) {
		find_rule(found, &environment_shown, match->operands);
		found->flags |= FIND_OUT_SECRET;
	}
}

RULE(getent_shadow, "getent.password-hashes", FORBIDDEN, DISCLOSURE, "prints password hashes");

static const struct option_row getent_options[] = {
	ROW_FLAG("iA", "no-idn no-addrconfig"),
	ROW_TAKES("s", "service"),
	ROW_HELP("?V", "help usage version"),
	OPTIONS_END,
};

static const struct program getent_commands[] = {
	SUB("passwd|group|services|protocols|rpc|networks|ethers|aliases|initgroups", ".*", NULL,
	    NULL, NULL, NULL),
	SUB("shadow|gshadow", ".*", NULL, NULL, &getent_shadow, NULL),
	{ .names = "hosts|ahosts|ahostsv4|ahostsv6|netgroup",
	  .operands = ".*",
	  .finds = FIND_NETWORK | FIND_OUT_NETWORK,
	  .rule = &basics_network },
	PROGRAMS_END,
};

static const struct option_row getconf_options[] = {
	ROW_FLAG("a", NULL),
	ROW_TAKES("v", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row tty_options[] = {
	ROW_FLAG("s", "silent quiet"),
	ROW_VERSION,
	OPTIONS_END,
};

/* Settings of stty may start with a dash, so all words are operands. */
static void
stty_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (!service_operand_is(match, i,
					"-a --all -g --save size speed --help "
					"--version")) {
			find_unknown(found, "settings for the terminal", &match->operands[i]);
		}
	}
}

static const struct option_row tput_options[] = {
	ROW_TAKES("T", NULL), ROW_DOUBT("S", NULL), ROW_FLAG("x", NULL),
	ROW_HELP("V", NULL),  OPTIONS_END,
};

/* init and reset run the program that the description of the terminal names. */
static void
tput_refine(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0 && service_operand_is(match, 0, "init reset")) {
		find_unknown(found, "a terminal to reset", match->operands);
	}
}

static const struct option_row clear_options[] = {
	ROW_FLAG("x", NULL),
	ROW_TAKES("T", NULL),
	ROW_HELP("V", NULL),
	OPTIONS_END,
};

static const struct option_row reset_options[] = {
	ROW_FLAG("cIQqrsw", NULL),
	ROW_TAKES("eikm", NULL),
	ROW_HELP("V", NULL),
	OPTIONS_END,
};

static const struct option_row dircolors_options[] = {
	ROW_FLAG("bcp", "sh bourne-shell csh c-shell print-database print-ls-colors"),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct option_row fc_options[] = {
	ROW_FLAG("vbqsa", "verbose brief quiet sort all"),
	ROW_TAKES("fi", "format index"),
	ROW_HELP("Vh", "help version"),
	OPTIONS_END,
};

static const struct option_row mesg_options[] = {
	ROW_FLAG("v", "verbose"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- settings of desktops -------------------------------------------------------------------- */

static const struct program gsettings_commands[] = {
	SUB("get|list-schemas|list-relocatable-schemas|list-keys|list-children|list-recursively|"
	    "range|describe|writable|monitor|help",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("set|reset|reset-recursively", ".*", NULL, NULL, &clock_sets, NULL),
	PROGRAMS_END,
};

static const struct program dconf_commands[] = {
	SUB("read|list|dump|watch|help", ".*", NULL, NULL, NULL, NULL),
	SUB("write|reset|load|update|compile", ".*", NULL, NULL, &clock_sets, NULL),
	PROGRAMS_END,
};

static const struct option_row dconf_options[] = {
	ROW_FLAG("df", NULL),
	ROW_VERSION,
	OPTIONS_END,
};

static const struct program xdg_mime_commands[] = {
	SUB("query", ".*", NULL, NULL, NULL, NULL),
	SUB("default|install|uninstall", ".*", NULL, NULL, &clock_sets, NULL),
	PROGRAMS_END,
};

static const struct option_row notify_options[] = {
	ROW_FLAG("epw", "print-id wait transient"),
	ROW_TAKES("utiacnhr", "urgency expire-time icon app-name category hint replace-id action"),
	ROW_HELP("?v", "help version"),
	OPTIONS_END,
};

RULE(opens_with, "open.runs", PROMPT, EXECUTES, "opens it with whatever program is set for it");
RULE(clipboard, "clipboard.uses", PROMPT, DISCLOSURE,
     "reads or changes the clipboard, which may hold secrets");

static const struct option_row loose_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_system[] = {
	{ .names = "uname arch", .operands = "", .options = uname_options, LOOKS },
	{ .names = "hostname domainname nisdomainname ypdomainname dnsdomainname",
	  .options = hostname_options,
	  LOOKS,
	  .refine = hostname_refine },
	{ .names = "nproc", .operands = "", .options = nproc_options, LOOKS },
	{ .names = "whoami logname hostid runlevel hostinfo", .options = version_options, LOOKS },
	{ .names = "uptime", .options = uptime_options, LOOKS },
	{ .names = "free", .options = free_options, LOOKS },
	{ .names = "vmstat", .options = vmstat_options, LOOKS },
	{ .names = "iostat mpstat", .options = iostat_options, LOOKS },
	{ .names = "lscpu lsmem", .options = lscpu_options, LOOKS },
	{ .names = "lsns lslocks lsipc lsfd lslogins", .options = lsns_options, LOOKS },
	{ .names = "lspci", .options = lspci_options, LOOKS },
	{ .names = "lsusb", .options = lsusb_options, LOOKS },
	{ .names = "dmidecode", .options = dmidecode_options, LOOKS },
	{ .names = "lshw", .options = lshw_options, .style = PARSE_LONG_ONE, LOOKS },
	{ .names = "sw_vers system_profiler ioreg",
	  .options = macos_options,
	  .style = PARSE_LONG_ONE,
	  LOOKS },
	{ .names = "lsb_release", .options = lsb_options, LOOKS },
	{ .names = "sensors", .options = sensors_options, LOOKS },
	{ .names = "id groups users gid ggroups", .options = id_options, LOOKS },
	{ .names = "who w", .options = who_options, LOOKS },
	{ .names = "last lastb", .options = last_options, LOOKS },
	{ .names = "lastlog", .options = lastlog_options, LOOKS },
	{ .names = "finger pinky", .options = finger_options, LOOKS },
	{ .names = "date gdate", .options = date_options, LOOKS, .refine = date_refine },
	{ .names = "cal ncal", .options = cal_options, LOOKS },
	{ .names = "locale", .options = locale_options, LOOKS },
	{ .names = "timedatectl",
	  .options = ctl_options,
	  .subcommands = timedatectl_commands,
	  LOOKS },
	{ .names = "localectl", .options = ctl_options, .subcommands = localectl_commands, LOOKS },
	{ .names = "hostnamectl",
	  .options = ctl_options,
	  .subcommands = hostnamectl_commands,
	  LOOKS },
	{ .names = "printenv", .options = printenv_options, LOOKS, .refine = printenv_refine },
	{ .names = "getent", .options = getent_options, .subcommands = getent_commands, LOOKS },
	{ .names = "getconf", .options = getconf_options, LOOKS },
	{ .names = "tty", .operands = "", .options = tty_options },
	{ .names = "stty", .style = PARSE_NONE, LOOKS, .refine = stty_refine },
	{ .names = "tput", .options = tput_options, LOOKS, .refine = tput_refine },
	{ .names = "clear", .operands = "", .options = clear_options, LOOKS },
	{ .names = "reset tset", .options = reset_options, LOOKS },
	{ .names = "dircolors", .operands = "f?", .options = dircolors_options },
	{ .names = "fc-list fc-match fc-pattern", .options = fc_options, LOOKS },
	{ .names = "fc-query fc-scan", .operands = "f*", .options = fc_options, LOOKS },
	{ .names = "mesg", .operands = "u?", .options = mesg_options, LOOKS },
	{ .names = "gsettings",
	  .subcommands = gsettings_commands,
	  .options = loose_options,
	  LOOKS },
	{ .names = "dconf", .subcommands = dconf_commands, .options = dconf_options },
	{ .names = "xdg-mime", .subcommands = xdg_mime_commands, .options = loose_options, LOOKS },
	{ .names = "notify-send", .options = notify_options, LOOKS },
	{ .names = "xdg-open open see run-mailcap gnome-open kde-open exo-open wslview cygstart "
		   "sensible-browser www-browser x-www-browser",
	  .operands = "f*",
	  .options = loose_options,
	  .style = PARSE_LOOSE,
	  .rule = &opens_with },
	{ .names = "pbcopy pbpaste xclip xsel wl-copy wl-paste clipboard",
	  .options = loose_options,
	  .style = PARSE_LOOSE,
	  .rule = &clipboard },
	PROGRAMS_END,
};
