/* SPDX-License-Identifier: MIT */

/*
 * Programs that work on other machines or join programs to connections: ssh, scp, rsync, nc, socat.
 *
 * Invariants:
 *   - a command for another machine is an inner with INNER_REMOTE
 *   - a program that is joined to a connection obeys whoever is at the other end: forbidden
 */

#include "command/models/models.h"
#include "command/models/remotes_impl.h"

RULE(config_file, "ssh.config", PROMPT, EXECUTES,
     "takes options, of which some run programs, from another file");
RULE(loads, "ssh.provider", PROMPT, EXECUTES, "loads a library into the program");
RULE(batch, "sftp.batch", PROMPT, EXECUTES, "obeys commands from a file");
RULE(connects, "network.connect", PROMPT, NETWORK, "connects to another machine");
RULE(listens, "network.listen", PROMPT, NETWORK, "lets other machines connect");
RULE(daemon, "network.serve", PROMPT, NETWORK, "serves files to other machines");
RULE(mounts, "sshfs.mount", PROMPT, NETWORK, "mounts a directory of another machine");
RULE(gives_password, "sshpass.password", PROMPT, DISCLOSURE, "types a password for a program");
RULE(copies_key, "ssh.copy-id", PROMPT, PRIVILEGE, "gives a key access to another machine");
RULE(tunnels, "network.tunnel", PROMPT, NETWORK, "opens a way into this machine or network");

/* ---- ssh --------------------------------------------------------------------------------- */

#define SSH_ROWS                                                                                   \
	{ "Q", NULL, ARG_ONE, USE_HELP, LANG_BASH, 0, NULL, 0 }, ROW_ALONE("V", NULL),             \
		ROW_FLAG("46AaCfGgKkNnqsTtvXxYy", NULL), ROW("o", NULL, ARG_ONE, USE_CONFIG),      \
		ROW_BOTH("F", NULL, ARG_ONE, DEED_CONFIG, &config_file),                           \
		ROW_RULE("I", NULL, ARG_ONE, &loads), ROW_PATH("E", NULL, DEED_APPEND),            \
		ROW_TAKES("BbceiJlmOpSWwP", NULL), ROW_RULE("DLR", NULL, ARG_ONE, &tunnels)

static const struct option_row ssh_options[] = {
	ROW_FLAG("M", NULL),
	SSH_ROWS,
	OPTIONS_END,
};

static const struct option_row autossh_options[] = {
	ROW_TAKES("M", NULL),
	SSH_ROWS,
	OPTIONS_END,
};

static const struct option_row scp_options[] = {
	ROW_FLAG("346ABCpqRrTvO", NULL),
	ROW("o", NULL, ARG_ONE, USE_CONFIG),
	ROW_BOTH("F", NULL, ARG_ONE, DEED_CONFIG, &config_file),
	ROW_PROGRAM("SD", NULL),
	ROW_TAKES("ciJlPX", NULL),
	OPTIONS_END,
};

static const struct option_row sftp_options[] = {
	ROW_HELP("h", NULL),
	ROW_FLAG("46AaCfNpqrv", NULL),
	ROW("o", NULL, ARG_ONE, USE_CONFIG),
	ROW_BOTH("F", NULL, ARG_ONE, DEED_CONFIG, &config_file),
	ROW_BOTH("b", NULL, ARG_ONE, DEED_READ, &batch),
	ROW_PROGRAM("SD", NULL),
	ROW_TAKES("BciJlPRsX", NULL),
	OPTIONS_END,
};

static const struct option_row mosh_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	ROW_SHELL(NULL, "ssh client"),
	ROW_SHELL(NULL, "server"),
	ROW_TAKES("pP", "port predict family bind-server experimental-remote-ip"),
	ROW_FLAG("46an", "no-init no-ssh-pty local"),
	OPTIONS_END,
};

static const struct option_row sshfs_options[] = {
	ROW_HELP("h", "help"), ROW_ALONE("V", "version"), ROW("o", NULL, ARG_ONE, USE_CONFIG),
	ROW_TAKES("pF", NULL), ROW_FLAG("fdsCr1", NULL),  OPTIONS_END,
};

static const struct option_row sshpass_options[] = {
	ROW_HELP("h", NULL),	ROW_ALONE("V", NULL),		ROW_FLAG("ev", NULL),
	ROW_TAKES("pdP", NULL), ROW_PATH("f", NULL, DEED_READ), OPTIONS_END,
};

static const struct option_row copy_id_options[] = {
	ROW_HELP("h", NULL),
	ROW_FLAG("fnsx", NULL),
	ROW("o", NULL, ARG_ONE, USE_CONFIG),
	ROW_TAKES("ipF", NULL),
	OPTIONS_END,
};

/* ---- rsync ------------------------------------------------------------------------------- */

static const struct option_row rsync_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("n", "dry-run list-only"),
	ROW_FLAG(NULL, "delete del delete-before delete-during delete-delay delete-after "
		       "delete-excluded delete-missing-args"),
	ROW_FLAG(NULL, "remove-source-files remove-sent-files"),
	ROW_SHELL("e", "rsh"),
	ROW_TAKES(NULL, "rsync-path"),
	ROW_RULE("M", "remote-option", ARG_ONE, &connects),
	ROW_RULE(NULL, "daemon", ARG_NONE, &daemon),
	ROW_PATH(NULL, "log-file write-batch only-write-batch", DEED_WRITE),
	ROW_PATH(NULL, "exclude-from include-from files-from read-batch early-input", DEED_READ),
	ROW_PATH(NULL, "config", DEED_CONFIG),
	ROW_PATH(NULL, "backup-dir partial-dir temp-dir", DEED_EXTRACT),
	ROW_PATH("T", NULL, DEED_EXTRACT),
	ROW_FLAG("vqcaruRbdlLkKHpEAXogDtUNOJSWxCyzshi0PF846IGm",
		 "verbose quiet checksum archive recursive relative backup update inplace append "
		 "append-verify dirs links copy-links copy-unsafe-links safe-links munge-links "
		 "copy-dirlinks keep-dirlinks hard-links perms executability acls xattrs owner "
		 "group devices copy-devices write-devices specials times atimes open-noatime "
		 "crtimes omit-dir-times omit-link-times super fake-super sparse preallocate "
		 "whole-file no-whole-file one-file-system existing ignore-non-existing "
		 "ignore-existing ignore-missing-args ignore-errors force partial delay-updates "
		 "prune-empty-dirs numeric-ids ignore-times size-only fuzzy compress cvs-exclude "
		 "from0 old-args secluded-args protect-args trust-sender blocking-io stats "
		 "8-bit-output human-readable progress itemize-changes fsync ipv4 ipv6 mkpath "
		 "no-motd no-perms no-owner no-group no-times no-links no-recursive no-o no-g no-p "
		 "inc-recursive no-inc-recursive no-i-r no-implied-dirs no-compress old-dirs no-D"),
	ROW_TAKES("Bf@", "info debug stderr suffix chmod checksum-choice block-size max-delete "
			 "max-size min-size max-alloc usermap groupmap chown timeout contimeout "
			 "modify-window compare-dest copy-dest link-dest compress-choice "
			 "compress-level compress-threads skip-compress filter exclude include "
			 "copy-as address port sockopts outbuf out-format log-file-format "
			 "password-file bwlimit stop-after stop-at protocol iconv checksum-seed "
			 "confine-root log-format zc zl"),
	OPTIONS_END,
};

/* ---- sockets ----------------------------------------------------------------------------- */

static const struct option_row nc_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("e", "exec lua-exec"),
	ROW_TAKES("c", "sh-exec"),
	ROW_RULE("l", "listen", ARG_NONE, &listens),
	ROW_PATH(NULL, "ssl-key ssl-cert", DEED_LIST),
	ROW_PATH("o", "output hex-dump append-output", DEED_WRITE),
	ROW_TAKES("pswWxXqgGiIOPTVMm", "source source-port proxy proxy-type proxy-auth wait delay "
				       "idle-timeout max-conns allow allowfile deny denyfile"),
	ROW_FLAG("46bCDdFkNnrStUuvzZLa",
		 "keep-open udp sctp unixsock verbose zero crlf nodns telnet "
		 "ssl ssl-verify broker chat send-only recv-only no-shutdown "
		 "append-output-flag"),
	OPTIONS_END,
};

static const struct option_row socat_options[] = {
	ROW_HELP("h?", NULL),
	ROW_ALONE("V", NULL),
	ROW_PATH("rRL", NULL, DEED_WRITE),
	ROW_TAKES("bTtWf", NULL),
	ROW_FLAG("dDgsuUvx46yn", NULL),
	ROW_MAYBE("l", NULL),
	OPTIONS_END,
};

static const struct option_row telnet_options[] = {
	ROW_TAKES("lenXbk", NULL),
	ROW_FLAG("468EFKLadfrxc", NULL),
	OPTIONS_END,
};

static const struct option_row websocat_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_FLAG("kn1bstEu", "exit-on-eof binary text oneshot insecure"),
	ROW_TAKES("Hp", "header protocol origin basic-auth sh-c exec cmd"),
	OPTIONS_END,
};

static const struct option_row tunnel_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hv", "version"),
	OPTIONS_END,
};

#define CONNECTS(names, options, style, rule, refine)                                              \
	{                                                                                          \
		names, ".*", options, NULL, style, FIND_NETWORK | FIND_OUT_NETWORK, rule, refine   \
	}

const struct program models_remotes[] = {
	CONNECTS("ssh slogin dbclient tsh", ssh_options, PARSE_POSIX, NULL, remotes_refine_ssh),
	CONNECTS("autossh", autossh_options, PARSE_POSIX, NULL, remotes_refine_ssh),
	CONNECTS("rsh rlogin rexec", ssh_options, PARSE_POSIX | PARSE_LOOSE, NULL,
		 remotes_refine_ssh),
	CONNECTS("mosh et eternalterminal", mosh_options, PARSE_POSIX | PARSE_LOOSE, &connects,
		 remotes_refine_mosh),
	CONNECTS("scp pscp rcp", scp_options, PARSE_POSIX, NULL, remotes_refine_scp),
	CONNECTS("sftp psftp", sftp_options, PARSE_POSIX, &connects, remotes_refine_sshfs),
	CONNECTS("sshfs", sshfs_options, PARSE_GNU, &mounts, remotes_refine_sshfs),
	CONNECTS("ssh-copy-id", copy_id_options, PARSE_GNU, &copies_key, remotes_refine_sshfs),
	{ "sshpass", "!", sshpass_options, NULL, PARSE_POSIX, 0, &gives_password, NULL },
	{ "rsync", ".*", rsync_options, NULL, PARSE_GNU, 0, NULL, remotes_refine_rsync },
	CONNECTS("nc ncat netcat nc.openbsd nc.traditional cryptcat sbd pnc powercat", nc_options,
		 PARSE_LOOSE, NULL, remotes_refine_nc),
	CONNECTS("socat filan procan", socat_options, PARSE_LOOSE | PARSE_NO_CLUSTER, NULL,
		 remotes_refine_socat),
	CONNECTS("websocat wscat wsc", websocat_options, PARSE_LOOSE, &connects,
		 remotes_refine_websocat),
	CONNECTS("telnet tn5250 c3270 cu minicom picocom putty plink", telnet_options, PARSE_LOOSE,
		 &connects, NULL),
	CONNECTS("ngrok cloudflared localtunnel lt bore frpc frps chisel rathole pagekite zrok "
		 "serveo "
		 "sish inlets tunnelto expose devtunnel tmole localxpose gost stunnel stunnel4 "
		 "proxychains-ng ssf sshuttle revsocks ligolo",
		 tunnel_options, PARSE_LOOSE, &tunnels, NULL),
	CONNECTS("tailscale tailscaled zerotier-cli netbird nebula wg wg-quick openvpn openconnect "
		 "vpnc strongswan ipsec nordvpn mullvad protonvpn warp-cli pritunl-client xl2tpd "
		 "pptp",
		 tunnel_options, PARSE_LOOSE, &tunnels, NULL),
	CONNECTS("miniserve http-server live-server serve caddy webfsd darkhttpd thttpd "
		 "simplehttpserver "
		 "updog gatling lighttpd-once uftpd vsftpd-once browser-sync static-server",
		 tunnel_options, PARSE_LOOSE, &daemon, NULL),
	PROGRAMS_END,
};
