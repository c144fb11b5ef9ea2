/* SPDX-License-Identifier: MIT */

/*
 * Programs that ask other machines: names, routes, ports, directories, mail.
 *
 * All of it is prompt at least: a name that is looked up may carry a secret out. Options are loose
 * where nothing that they do could be worse; what writes, reads or runs something has a row.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(looks_up, "network.lookup", PROMPT, NETWORK, "asks other machines for a name");
RULE(probes, "network.probe", PROMPT, NETWORK, "sends packets to other machines");
RULE(scans, "network.scan", PROMPT, NETWORK, "looks for open ports on other machines");
RULE(captures, "network.capture", PROMPT, DISCLOSURE, "records what goes over the network");
RULE(mails, "network.mail", PROMPT, NETWORK, "sends mail");
RULE(asks, "network.query", PROMPT, NETWORK, "asks another machine");
RULE(changes, "network.change", PROMPT, NETWORK, "changes data on another machine");
RULE(floods, "network.flood", PROMPT, NETWORK, "floods another machine with packets");
RULE(poisons, "network.attack", PROMPT, NETWORK, "attacks or impersonates other machines");
RULE(scripts, "network.script", PROMPT, EXECUTES, "runs a script for what it finds");
RULE(metadata, "network.metadata", FORBIDDEN, DISCLOSURE,
     "asks the service that gives out the credentials of this machine");
RULE(knocks, "network.keyscan", PROMPT, NETWORK, "asks other machines for their keys");

static void
refine_hosts(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_is_metadata(&match->operands[i])) {
			find_rule(found, &metadata, &match->operands[i]);
		}
	}
}

/* ---- names ------------------------------------------------------------------------------- */

static const struct option_row dig_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_PATH("f", NULL, DEED_SEND),
	ROW_PATH("k", NULL, DEED_LIST),
	ROW_TAKES("bcpqtxyR", "type"),
	ROW_FLAG("46aimurCdlnsTVwW", NULL),
	OPTIONS_END,
};

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	OPTIONS_END,
};

static const struct option_row version_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("V", "version"),
	OPTIONS_END,
};

static const struct option_row nsupdate_options[] = {
	ROW_ALONE("hV", NULL),
	ROW_PATH("k", NULL, DEED_LIST),
	ROW_TAKES("tLpruRy", NULL),
	OPTIONS_END,
};

/* ---- probes ------------------------------------------------------------------------------ */

static const struct option_row ping_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_RULE("f", NULL, ARG_NONE, &floods),
	ROW_TAKES("ciIlmMpQsStTwWFe", "count interval"),
	ROW_FLAG("46aAbBCdDLnOqrRUv", NULL),
	OPTIONS_END,
};

static const struct option_row nmap_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_PATH(NULL, "oN oX oG oS oA", DEED_WRITE),
	ROW_PATH(NULL, "iL excludefile resume", DEED_READ),
	ROW_RULE(NULL, "script script-args script-args-file servicedb versiondb datadir", ARG_ONE,
		 &scripts),
	ROW_RULE(NULL, "interactive script-updatedb", ARG_NONE, &scripts),
	ROW_TAKES("pTDSegM", "exclude top-ports max-rate min-rate dns-servers"),
	OPTIONS_END,
};

static const struct option_row tcpdump_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_PATH("w", NULL, DEED_WRITE),
	ROW_PATH("rFV", NULL, DEED_READ),
	ROW_BOTH("z", NULL, ARG_ONE, USE_PROGRAM, &scripts),
	ROW_TAKES("BcCEGijmMsTWyZQ", NULL),
	ROW_FLAG("AbdDefHIJKlLnNOpqStuUvxX", NULL),
	OPTIONS_END,
};

static const struct option_row tshark_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_PATH("w", NULL, DEED_WRITE),
	ROW_PATH("r", NULL, DEED_READ),
	ROW_RULE("X", NULL, ARG_ONE, &scripts),
	ROW_TAKES("abcBdeEfFGiKNoORsStTuUWyYz", NULL),
	OPTIONS_END,
};

static const struct option_row iperf_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_PATH("F", "file", DEED_SEND),
	ROW_PATH(NULL, "logfile pidfile", DEED_WRITE),
	ROW_TAKES("cpitnklbwMB", "client port"),
	ROW_FLAG("suRdJV46D", "server udp reverse json"),
	OPTIONS_END,
};

/* ---- mail -------------------------------------------------------------------------------- */

static const struct option_row mail_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_PATH("aA", "attach attachment", DEED_SEND),
	ROW_SHELL(NULL, "exec"),
	ROW_PATH("fiH", "file", DEED_READ),
	ROW_TAKES("sbcrSFqeQCXuo", "subject to from append set"),
	OPTIONS_END,
};

static const struct option_row swaks_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("tfshap", "to from server header body auth auth-user auth-password port data"),
	ROW_PROGRAM(NULL, "pipe"),
	ROW_TAKES(NULL, "attach attach-body"),
	ROW_BOTH(NULL, "config", ARG_ONE, DEED_READ, &scripts),
	OPTIONS_END,
};

/* swaks --attach @FILE, --body @FILE, --data @FILE */
static void
refine_swaks(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct field *arg = match->options[i].arg;

		if (arg != NULL && arg->text[0] == '@' && arg->len > 1) {
			find_deed(found, DEED_SEND, service_part(found, arg, 1, arg->len));
		}
	}
}

/* ---- directories and shares ------------------------------------------------------------------ */

static const struct option_row ldap_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_PATH("yf", NULL, DEED_READ),
	ROW_TAKES("abcdDeEFHhlopPsTUwXYzZRS", NULL),
	OPTIONS_END,
};

RULE(ldap_deletes_tree, "ldap.delete-tree", FORBIDDEN, DELETES,
     "deletes an entry of the directory and all below it");

static const struct option_row ldapdelete_options[] = {
	ROW_RULE("r", NULL, ARG_NONE, &ldap_deletes_tree),
	ROW_PATH("yf", NULL, DEED_READ),
	ROW_TAKES("deDHhlopPUwXYzZR", NULL),
	OPTIONS_END,
};

static const struct option_row smb_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("?V", "version"),
	ROW_PATH("A", "authentication-file", DEED_READ),
	ROW_TAKES("cDIULRpTbWBdlmnsO", "command user"),
	OPTIONS_END,
};

static const struct option_row grpcurl_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_PATH(NULL, "cacert cert proto protoset", DEED_READ),
	ROW_TAKES("dHP", "authority max-time import-path format"),
	OPTIONS_END,
};

#define ASKS(names, operands, options, style, rule, refine)                                        \
	{                                                                                          \
		names, operands, options, NULL, (style) | PARSE_LOOSE,                             \
			FIND_NETWORK | FIND_OUT_NETWORK, rule, refine                              \
	}

const struct program models_network[] = {
	ASKS("dig host nslookup drill kdig delv dog doggo q dnsx resolvectl-query dnslookup", "h*",
	     dig_options, 0, &looks_up, refine_hosts),
	ASKS("whois jwhois getent-hosts avahi-resolve avahi-browse dns-sd nmblookup dnsrecon "
	     "dnsenum "
	     "fierce amass subfinder sublist3r theHarvester",
	     "h*", version_options, 0, &looks_up, NULL),
	ASKS("nsupdate rndc-remote", "f*", nsupdate_options, 0, &changes, NULL),
	ASKS("ping ping6 fping gping arping oping", "h*", ping_options, 0, &probes, refine_hosts),
	ASKS("hping3 hping nping", "h*", ping_options, 0, &probes, NULL),
	ASKS("traceroute traceroute6 tracepath tracepath6 mtr tcptraceroute lft pathping trippy "
	     "speedtest speedtest-cli fast wakeonlan etherwake ether-wake ntpdate sntp rdate "
	     "netcheck",
	     "h*", version_options, 0, &probes, NULL),
	ASKS("nmap zenmap", "h*", nmap_options, PARSE_LONG_ONE | PARSE_NO_ABBREV, &scans, NULL),
	ASKS("masscan zmap rustscan naabu arp-scan netdiscover nbtscan unicornscan nikto gobuster "
	     "ffuf dirb dirbuster feroxbuster wfuzz sqlmap nuclei httpx whatweb wpscan enum4linux "
	     "smbmap crackmapexec netexec testssl testssl.sh sslscan sslyze wafw00f",
	     "h*", help_options, PARSE_LONG_ONE | PARSE_NO_ABBREV, &scans, NULL),
	ASKS("hydra medusa ncrack patator john hashcat msfconsole msfvenom responder mitmproxy "
	     "mitmdump "
	     "mitmweb ettercap bettercap arpspoof dnsspoof aircrack-ng airmon-ng airodump-ng "
	     "reaver "
	     "impacket-secretsdump evil-winrm bloodhound-python slowloris siege-attack setoolkit "
	     "beef-xss ghidra-server kerbrute",
	     ".*", help_options, 0, &poisons, NULL),
	ASKS("ab wrk wrk2 hey siege vegeta bombardier oha drill-bench autocannon h2load", "h*",
	     help_options, 0, &floods, NULL),
	{ "tcpdump ngrep dumpcap tcpflow netsniff-ng", ".*", tcpdump_options, NULL, PARSE_LOOSE, 0,
	  &captures, NULL },
	{ "tshark wireshark termshark", ".*", tshark_options, NULL, PARSE_LOOSE, 0, &captures,
	  NULL },
	ASKS("iperf iperf3 netperf qperf nuttcp", "h*", iperf_options, 0, &probes, NULL),
	ASKS("ssh-keyscan ssh-audit", "h*", help_options, 0, &knocks, NULL),

	ASKS("mail mailx Mail mutt neomutt s-nail nail heirloom-mailx alpine aerc", ".*",
	     mail_options, 0, &mails, NULL),
	ASKS("sendmail msmtp ssmtp exim4 postdrop nullmailer-inject esmtp mpack mutt-send "
	     "sendemail curl-mail git-send-email",
	     ".*", mail_options, 0, &mails, NULL),
	ASKS("swaks", ".*", swaks_options, 0, &mails, refine_swaks),
	ASKS("fetchmail getmail offlineimap mbsync isync imapsync fdm", ".*", help_options, 0,
	     &asks, NULL),

	ASKS("ldapsearch ldapwhoami ldapcompare", ".*", ldap_options, 0, &asks, NULL),
	ASKS("ldapmodify ldapadd ldapmodrdn ldappasswd", ".*", ldap_options, 0, &changes, NULL),
	ASKS("ldapdelete", ".*", ldapdelete_options, 0, &changes, NULL),
	ASKS("smbclient smbget rpcclient smbtree net-ads wbinfo", ".*", smb_options, 0, &asks,
	     NULL),
	ASKS("showmount rpcinfo nfsstat snmpwalk snmpget snmpbulkwalk snmpgetnext snmptable "
	     "rwho ruptime rup rusers ypcat ypmatch",
	     ".*", version_options, 0, &asks, NULL),
	ASKS("snmpset snmptrap", ".*", version_options, 0, &changes, NULL),
	ASKS("grpcurl evans ghz buf-curl", ".*", grpcurl_options, PARSE_LONG_ONE | PARSE_NO_ABBREV,
	     &asks, NULL),
	ASKS("mosquitto_sub mosquitto_pub kcat kafkacat kafka-console-consumer kafka-topics "
	     "rabbitmqadmin "
	     "nats natscli stan-pub irssi weechat finch-chat signal-cli telegram-cli "
	     "matrix-commander "
	     "slack-cli discordo toot tuir newsboat ntfy apprise pushover",
	     ".*", help_options, 0, &asks, NULL),
	PROGRAMS_END,
};
