/* SPDX-License-Identifier: MIT */
/*
 * Interfaces, routes, sockets and packet filters of this machine. Looking is harmless; what empties
 * or switches off a packet filter is forbidden.
 */
#include "command/models/basics.h"

RULE(net_changes, "network.changes-settings", PROMPT, SYSTEM,
     "changes the network settings of this machine");
RULE(firewall_off, "firewall.off", FORBIDDEN, SYSTEM,
     "switches the packet filter off or empties it");
RULE(firewall_changes, "firewall.changes", PROMPT, SYSTEM, "changes the packet filter");
RULE(socket_kills, "ss.closes", PROMPT, NETWORK, "closes connections of other programs");
RULE(fuser_kills, "fuser.kills", PROMPT, PROCESS, "ends the processes that use a file");
RULE(wifi_secrets, "network.shows-secrets", FORBIDDEN, DISCLOSURE,
     "prints the passwords of networks");

#define LOOKS .finds = FIND_IGNORES_INPUT

/* ---- ip ----------------------------------------------------------------------------------------
 */

static const struct option_row ip_options[] = {
	ROW_FLAG("46BM0sdrhjpoaNc",
		 "statistics stats details resolve human-readable iec json pretty "
		 "oneline timestamp tshort ts brief br all Numeric color"),
	ROW_TAKES("fln", "family loops rcvbuf netns"),
	ROW_DOUBT_TAKES("b", "batch"),
	ROW_DOUBT(NULL, "force"),
	ROW_HELP("V", "Version help"),
	OPTIONS_END,
};

/* What every object has. A prefix is enough, and the first that fits is meant. */
static const struct program ip_object_commands[] = {
	SUB("show|list|lst|ls|get|help|save|showdump|stats|", ".*", NULL, NULL, NULL, NULL),
	SUB("add|del|delete|change|chg|replace|append|prepend|set|flush|restore|reset|property|"
	    "afstats|xstats|mod",
	    ".*", NULL, NULL, &net_changes, NULL),
	PROGRAMS_END,
};

/* Of `ip link` alone, "s" and "se" mean set. */
static const struct program ip_link_commands[] = {
	SUB("s|se|add|del|delete|change|chg|replace|set|property|afstats|xstats|mod", ".*", NULL,
	    NULL, &net_changes, NULL),
	SUB("show|list|lst|ls|help|", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program ip_netns_commands[] = {
	SUB("list|ls|show|identify|pids|list-id|monitor|help|", ".*", NULL, NULL, NULL, NULL),
	{ .names = "exec", .operands = ". !", .rule = &net_changes, .style = PARSE_POSIX },
	SUB("add|del|delete|set|attach", ".*", NULL, NULL, &net_changes, NULL),
	PROGRAMS_END,
};

static const struct program ip_vrf_commands[] = {
	SUB("show|list|identify|pids|help|", ".*", NULL, NULL, NULL, NULL),
	{ .names = "exec", .operands = ". !", .rule = &net_changes, .style = PARSE_POSIX },
	PROGRAMS_END,
};

static const struct program ip_commands[] = {
	SUB("link|l", NULL, NULL, ip_link_commands, NULL, NULL),
	SUB("address|addrlabel|maddress|mroute|neighbor|neighbour|neigh|netconf|nexthop|"
	    "ntable|"
	    "ntbl|route|rule|tunnel|tunl|tuntap|token|tcp_metrics|tcpmetrics|mptcp|sr|fou|"
	    "addr|a|n|r",
	    NULL, NULL, ip_object_commands, NULL, NULL),
	SUB("netns", NULL, NULL, ip_netns_commands, NULL, NULL),
	SUB("vrf", NULL, NULL, ip_vrf_commands, NULL, NULL),
	SUB("monitor|help", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

/* ---- older programs -------------------------------------------------------------------------- */

/* An interface alone is shown; with more words it is changed. */
static const struct option_row ifconfig_options[] = {
	ROW_FLAG("alsvmLC", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static const struct option_row route_options[] = {
	ROW_FLAG("nvedFC46tq", NULL),
	ROW_TAKES("A", NULL),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct program route_commands[] = {
	SUB("get|print|monitor|show|", ".*", NULL, NULL, NULL, NULL),
	SUB("add|del|delete|change|flush|append|replace", ".*", NULL, NULL, &net_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row arp_options[] = {
	ROW_FLAG("anelvxD", NULL),
	ROW_TAKES("iHA", "device hw-type protocol"),
	ROW_RULE("dsfS", "delete set file", ARG_NONE, &net_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row netstat_options[] = {
	ROW_FLAG("rigsMvWnNepoclaFCZtuwxSA46TLdmRPqbz",
		 "route groups statistics masquerade verbose wide numeric "
		 "numeric-hosts numeric-ports numeric-users symbolic extend programs timers "
		 "continuous listening all fib cache context tcp udp raw unix inet inet6 sctp "
		 "udplite ax25 x25 ipx netrom"),
	ROW_MAYBE("I", "interfaces"),
	ROW_TAKES("f", "protocol"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row ss_options[] = {
	ROW_FLAG("nraloempTisbEZz460tMSudwxHOQBW",
		 "numeric resolve all listening options extended memory processes threads info "
		 "tipcinfo summary tos cgroup bpf events context contexts ipv4 ipv6 packet tcp "
		 "mptcp sctp udp dccp raw unix tipc vsock xdp no-header oneline inet-sockopt "
		 "no-queues bound-inactive bpf-maps bpf-map-id"),
	ROW_TAKES("fA", "family query socket"),
	ROW_PATH("F", "filter", DEED_READ),
	ROW_PATH("D", "diag", DEED_WRITE),
	ROW_RULE("K", "kill", ARG_NONE, &socket_kills),
	ROW_DOUBT_TAKES("N", "net"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* Many options of lsof have a value in the same word, or none. */
static const struct option_row lsof_options[] = {
	ROW_FLAG("abCKlnNoOPRtUvVXEz", NULL),
	ROW_TAKES("AcdepSuk", NULL),
	ROW_MAYBE("fFgiLmMrsTxZ", "+"),
	ROW_DOUBT_TAKES("D", NULL),
	ROW_HELP("?h", NULL),
	OPTIONS_END,
};

/* -i @name looks the name up; the value may also be the next word. */
static void
lsof_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *where = match_option(match, 'i', NULL);
	bool named = where != NULL && where->arg != NULL && strchr(where->arg->text, '@') != NULL;

	for (size_t i = 0; where != NULL && i < match->operand_count; i++) {
		named = named || strchr(match->operands[i].text, '@') != NULL ||
			match->operands[i].kind == BAILEY_WORD_DYNAMIC;
	}
	if (named) {
		found->flags |= FIND_NETWORK;
		find_rule(found, &basics_network, where->arg);
	}
}

static const struct option_row fuser_options[] = {
	ROW_FLAG("aiIlmMsuvw46cf", "all interactive inode mount list-signals ismountpoint silent "
				   "user verbose writeonly ipv4 ipv6"),
	ROW_TAKES("nNS", "namespace"),
	ROW_RULE("k", "kill", ARG_NONE, &fuser_kills),
	ROW_FLAG("123456789ABCDEFGHJKLOPQRTUWXYZ", NULL),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* ---- wireless -------------------------------------------------------------------------------- */

static const struct program iw_commands[] = {
	SUB("list|phy|event|reg get|help|features|commands", ".*", NULL, NULL, NULL, NULL),
	SUB("dev", "", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct option_row iwconfig_options[] = {
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row nmcli_options[] = {
	ROW_FLAG("tpwa", "terse pretty ask active complete overview"),
	ROW_TAKES("mcfgeo", "mode colors fields get-values escape wait order rescan"),
	ROW_RULE("s", "show-secrets", ARG_NONE, &wifi_secrets),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

/* A name alone shows; behind it, what is not listed here changes something. */
static const struct program nmcli_commands[] = {
	SUB("general|g|networking|n|radio|r|connection|con|c|device|dev|d|device wifi|dev wifi|d "
	    "wifi|"
	    "d w|monitor|m|help|",
	    "", NULL, NULL, NULL, NULL),
	SUB("general status|general permissions|g status|g s|networking connectivity|n "
	    "connectivity|"
	    "connection show|con show|con s|c show|c s|device status|device show|device wifi list|"
	    "dev status|dev show|dev s|dev wifi list|d status|d show|d s|d wifi list|d w l|"
	    "connection monitor|device monitor",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("device wifi show-password|dev wifi show-password|d wifi show-password", ".*", NULL,
	    NULL, &wifi_secrets, NULL),
	SUB("connection up|connection down|connection add|connection modify|connection edit|"
	    "connection delete|connection clone|connection reload|connection load|connection "
	    "import|con up|con down|con add|con modify|con mod|con delete|con del|con reload|c up|"
	    "c down|c modify|c delete|device set|device connect|device disconnect|device modify|"
	    "device reapply|device delete|device wifi connect|device wifi rescan|device wifi "
	    "hotspot|dev connect|dev disconnect|dev set|dev wifi connect|dev wifi rescan|"
	    "networking on|networking off|general hostname|general logging|general reload|"
	    "radio wifi|radio wwan|radio all",
	    ".*", NULL, NULL, &net_changes, NULL),
	PROGRAMS_END,
};

/* ---- packet filters -------------------------------------------------------------------------- */

static const struct option_row iptables_options[] = {
	ROW_FLAG("LSnvx46", "list list-rules numeric verbose exact line-numbers wait ipv4 ipv6"),
	ROW_FLAG("C", "check"),
	ROW_FLAG("wW", NULL),
	ROW_TAKES("tpsdjiogcm",
		  "table protocol source src destination dst jump in-interface out-interface goto "
		  "set-counters match dport sport dports sports ctstate state limit limit-burst "
		  "comment reject-with to-destination to-source to-ports icmp-type log-prefix "
		  "log-level uid-owner gid-owner tcp-flags set-mark mark ports destination-port "
		  "source-port"),
	ROW_FLAG("yfb", "syn fragment"),
	ROW_RULE("F", "flush", ARG_NONE, &firewall_off),
	ROW_RULE("AIDRNXEZP",
		 "append insert delete replace new-chain delete-chain rename-chain zero "
		 "policy",
		 ARG_NONE, &firewall_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* A policy that lets everything through is no filter. */
static void
iptables_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'P', "policy") == NULL) {
		return;
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (field_is(&match->operands[i], "ACCEPT")) {
			find_rule(found, &firewall_off, &match->operands[i]);
		}
	}
}

static const struct option_row iptables_save_options[] = {
	ROW_FLAG("cv", "counters verbose"),
	ROW_TAKES("tM", "table modprobe"),
	ROW_PATH("f", "file", DEED_WRITE),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row iptables_restore_options[] = {
	ROW_FLAG("cvnwW", "counters verbose noflush wait"),
	ROW_FLAG("t", "test"),
	ROW_TAKES("TM", "table modprobe"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row nft_options[] = {
	ROW_FLAG("ajnNspSTtouyd",
		 "handle json numeric reversedns service numeric-priority "
		 "numeric-protocol numeric-time guid stateless terse echo optimize"),
	ROW_PATH("f", "file", DEED_READ),
	ROW_PATH("I", "includepath", DEED_LIST),
	ROW_TAKES("D", "define debug"),
	ROW_DOUBT("i", "interactive"),
	ROW_DRY("c", "check"),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

/* A command may be one word or several, and a semicolon starts another. */
static bool
nft_says(const struct match *match, const char *text)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (strstr(match->operands[i].text, text) != NULL) {
			return true;
		}
	}
	return false;
}

static void
nft_refine(const struct match *match, struct findings *found)
{
	const struct field *first = match->operands;
	bool several = nft_says(match, ";") || nft_says(match, "\n");

	if (match_option(match, 'f', "file") != NULL) {
		find_rule(found, &firewall_changes, NULL);
	}
	if (match->operand_count == 0 ||
	    (!several && (service_starts(first, "list") || service_starts(first, "monitor") ||
			  service_starts(first, "describe")))) {
		return;
	}
	find_rule(found, &firewall_changes, first);
	if (nft_says(match, "flush") || nft_says(match, "destroy") ||
	    nft_says(match, "delete table") || nft_says(match, "delete chain") ||
	    (nft_says(match, "delete") && (service_operand_is(match, 1, "table chain")))) {
		find_rule(found, &firewall_off, first);
	}
}

static const struct option_row ufw_options[] = {
	ROW_FLAG(NULL, "force"),
	ROW_DRY(NULL, "dry-run"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ufw default allow incoming */
static void
ufw_default(const struct match *match, struct findings *found)
{
	if (match->operand_count > 0 && service_operand_is(match, 0, "allow") &&
	    (match->operand_count == 1 || service_operand_is(match, 1, "incoming routed"))) {
		find_rule(found, &firewall_off, match->operands);
	}
}

static const struct program ufw_commands[] = {
	SUB("status|show|app list|app info|app default|version|help", ".*", NULL, NULL, NULL, NULL),
	SUB("disable|reset", ".*", NULL, NULL, &firewall_off, NULL),
	SUB("default", ".*", NULL, NULL, &firewall_changes, ufw_default),
	SUB("enable|reload|logging|allow|deny|reject|limit|delete|insert|prepend|route|"
	    "rule|"
	    "app update",
	    ".*", NULL, NULL, &firewall_changes, NULL),
	PROGRAMS_END,
};

/* What asks begins with get, list, query or info; the rest changes something. */
static const struct option_row firewall_cmd_options[] = {
	ROW_FLAG("vq", "state list-all list-all-zones list-services list-ports list-protocols "
		       "list-sources list-interfaces list-rich-rules list-forward-ports "
		       "list-icmp-blocks list-source-ports get-zones get-active-zones "
		       "get-default-zone get-services get-icmptypes get-ipsets get-helpers "
		       "get-policies get-target get-log-denied query-masquerade query-panic "
		       "verbose quiet permanent"),
	ROW_TAKES(NULL, "zone policy get-zone-of-interface get-zone-of-source query-service "
			"query-port query-protocol query-source query-interface query-rich-rule "
			"info-zone info-service info-ipset info-policy"),
	ROW_RULE(NULL,
		 "add-service add-port add-source add-interface add-rich-rule add-masquerade "
		 "add-forward-port add-protocol remove-service remove-port remove-source "
		 "remove-interface remove-rich-rule remove-masquerade set-default-zone "
		 "set-target set-log-denied new-zone delete-zone change-interface "
		 "timeout",
		 ARG_OPTIONAL, &firewall_changes),
	ROW_RULE(NULL,
		 "reload complete-reload runtime-to-permanent panic-on panic-off "
		 "reset-to-defaults",
		 ARG_NONE, &firewall_changes),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row pfctl_options[] = {
	ROW_FLAG("vqnrNmSPA", NULL),
	ROW_TAKES("siaDKkLox", NULL),
	ROW_RULE("d", NULL, ARG_NONE, &firewall_off),
	ROW_RULE("F", NULL, ARG_ONE, &firewall_off),
	ROW_RULE("eEXORz", NULL, ARG_NONE, &firewall_changes),
	ROW_BOTH("f", NULL, ARG_ONE, DEED_READ, &firewall_changes),
	ROW_RULE("tTp", NULL, ARG_ONE, &firewall_changes),
	OPTIONS_END,
};

/* ---- settings of macOS ----------------------------------------------------------------------- */

static void
networksetup_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		const struct field *word = &match->operands[i];

		if (i == 0 && !service_starts(word, "-get") && !service_starts(word, "-list") &&
		    !service_starts(word, "-help") && !service_starts(word, "-version")) {
			find_rule(found, &net_changes, word);
		}
	}
}

/* Without an option it reads commands from its input. */
static void
scutil_refine(const struct match *match, struct findings *found)
{
	if (match->option_count == 0) {
		find_unknown(found, "commands from the standard input", match->argv);
	}
}

static const struct option_row scutil_options[] = {
	ROW_FLAG("rw", "dns proxy nwi"),
	ROW_TAKES(NULL, "get"),
	ROW_RULE(NULL, "set prefs", ARG_ONE, &net_changes),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_system_net[] = {
	{ .names = "ip",
	  .options = ip_options,
	  .subcommands = ip_commands,
	  .style = PARSE_LONG_ONE | PARSE_SUB_ABBREV },
	{ .names = "ifconfig", .operands = ".? u*", .options = ifconfig_options, LOOKS },
	{ .names = "route", .options = route_options, .subcommands = route_commands, LOOKS },
	{ .names = "arp", .operands = ".*", .options = arp_options, LOOKS, .refine = basics_names },
	{ .names = "nstat", .operands = "", .options = netstat_options, LOOKS },
	{ .names = "netstat", .options = netstat_options, LOOKS },
	{ .names = "ss", .options = ss_options, LOOKS, .refine = basics_names },
	{ .names = "lsof",
	  .operands = "l*",
	  .options = lsof_options,
	  .style = PARSE_PLUS,
	  LOOKS,
	  .refine = lsof_refine },
	{ .names = "fuser", .operands = "l*", .options = fuser_options, LOOKS },
	{ .names = "iw", .subcommands = iw_commands, .options = iwconfig_options, LOOKS },
	{ .names = "iwconfig iwlist iwgetid",
	  .operands = ".? u*",
	  .options = iwconfig_options,
	  LOOKS },
	{ .names = "nmcli", .options = nmcli_options, .subcommands = nmcli_commands, LOOKS },
	{ .names = "iptables ip6tables iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy "
		   "arptables ebtables",
	  .operands = ".*",
	  .options = iptables_options,
	  .refine = iptables_refine },
	{ .names = "iptables-save ip6tables-save",
	  .operands = "",
	  .options = iptables_save_options,
	  LOOKS },
	{ .names = "iptables-restore ip6tables-restore",
	  .operands = "f?",
	  .options = iptables_restore_options,
	  .rule = &firewall_changes },
	{ .names = "nft", .options = nft_options, .style = PARSE_POSIX, .refine = nft_refine },
	{ .names = "ufw", .options = ufw_options, .subcommands = ufw_commands },
	{ .names = "firewall-cmd firewall-offline-cmd",
	  .operands = "",
	  .options = firewall_cmd_options },
	{ .names = "pfctl", .operands = ".*", .options = pfctl_options },
	{ .names = "networksetup systemsetup", .style = PARSE_NONE, .refine = networksetup_refine },
	{ .names = "scutil", .operands = "u*", .options = scutil_options, .refine = scutil_refine },
	PROGRAMS_END,
};
