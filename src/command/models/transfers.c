/* SPDX-License-Identifier: MIT */

/*
 * Programs that fetch and send over HTTP, FTP and their like: curl, wget and others.
 *
 * Invariants:
 *   - all of them are prompt at least; where unknown options are let through, every option that
 *     reads, writes, runs or sends something has a row
 *   - a file whose content leaves this machine is DEED_SEND, a file that is fetched is written with
 *     EFFECT_FROM_NETWORK, so that to run it afterwards counts as running code of strangers
 */

#include "command/models/models.h"
#include "command/models/services.h"
#include "command/models/transfers_impl.h"

RULE(config_file, "transfer.config", PROMPT, EXECUTES,
     "takes options from a file that is not looked at");
RULE(wgetrc, "wget.execute", PROMPT, UNKNOWN, "sets an option of wget by its name in wgetrc");
RULE(interactive, "transfer.commands", PROMPT, EXECUTES,
     "obeys commands, of which some run programs");

/* ---- curl -------------------------------------------------------------------------------- */

static const struct option_row curl_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("VM", "version manual"),
	ROW_TAKES("o", "output"),
	ROW_TAKES(NULL, "output-dir"),
	ROW_FLAG("O", "remote-name remote-name-all"),
	ROW_FLAG("J", "remote-header-name"),
	ROW_TAKES("d", "data data-ascii data-binary json"),
	ROW_TAKES(NULL, "data-urlencode url-query"),
	ROW_TAKES(NULL, "data-raw form-string"),
	ROW_TAKES("F", "form"),
	ROW_TAKES("T", "upload-file"),
	ROW_TAKES("H", "header proxy-header"),
	ROW_TAKES("b", "cookie"),
	ROW_TAKES("w", "write-out"),
	ROW_TAKES(NULL, "url"),
	ROW_TAKES("X", "request"),
	ROW_TAKES(NULL, "unix-socket abstract-unix-socket"),
	ROW_BOTH("K", "config", ARG_ONE, USE_NOTHING, &config_file),
	ROW_PATH("c", "cookie-jar", DEED_WRITE),
	ROW_PATH("D", "dump-header", DEED_WRITE),
	ROW_PATH(NULL, "etag-save libcurl stderr trace trace-ascii hsts alt-svc", DEED_WRITE),
	ROW_PATH(NULL, "etag-compare", DEED_READ),
	ROW_TAKES("ECePQrYytzmuAUx",
		  "aws-sigv4 cacert capath cert cert-type ciphers connect-timeout connect-to "
		  "continue-at create-file-mode crlfile curves delegation dns-interface "
		  "dns-ipv4-addr dns-ipv6-addr dns-servers doh-url egd-file engine "
		  "expect100-timeout ftp-account ftp-alternative-to-user ftp-method ftp-port "
		  "ftp-ssl-ccc-mode happy-eyeballs-timeout-ms hostpubmd5 hostpubsha256 interface "
		  "keepalive-time key key-type krb limit-rate local-port login-options mail-auth "
		  "mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy "
		  "oauth2-bearer parallel-max pass pinnedpubkey preproxy proto proto-default "
		  "proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type "
		  "proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass "
		  "proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype "
		  "proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file "
		  "range rate referer request-target resolve retry retry-delay retry-max-time "
		  "sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service "
		  "socks5-hostname speed-limit speed-time telnet-option tftp-blksize time-cond "
		  "tls-max tls13-ciphers tlsauthtype tlspassword tlsuser user user-agent variable "
		  "ipfs-gateway haproxy-clientip ech trace-config keepalive-cnt vlan-priority "
		  "ip-tos"),
	ROW_FLAG("aqfgGIi0kj46lLnN:Z#pRSs123Bv",
		 "append silent show-error location location-trusted insecure fail fail-early "
		 "fail-with-body get head include verbose next parallel compressed netrc "
		 "netrc-optional create-dirs no-clobber remove-on-error http2 http1.1 http1.0 "
		 "progress-bar globoff anyauth basic digest ntlm negotiate ssl ssl-reqd "
		 "proxytunnel no-buffer no-progress-meter no-keepalive ipv4 ipv6 raw disable "
		 "path-as-is retry-all-errors retry-connrefused remote-time tlsv1.2 tlsv1.3 "
		 "use-ascii list-only styled-output xattr"),
	OPTIONS_END,
};

/* ---- wget -------------------------------------------------------------------------------- */

static const struct option_row wget_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_TAKES("O", "output-document"),
	ROW_TAKES("P", "directory-prefix"),
	ROW_FLAG("r", "recursive mirror page-requisites"),
	ROW_FLAG("mp", NULL),
	ROW_FLAG(NULL, "spider delete-after content-disposition"),
	ROW_BOTH("e", "execute", ARG_ONE, USE_NOTHING, &wgetrc),
	ROW_BOTH(NULL, "config", ARG_ONE, DEED_READ, &config_file),
	ROW_PROGRAM(NULL, "use-askpass"),
	ROW_PATH("o", "output-file", DEED_WRITE),
	ROW_PATH("a", "append-output", DEED_APPEND),
	ROW_PATH(NULL, "save-cookies rejected-log warc-file hsts-file", DEED_WRITE),
	ROW_PATH("i", "input-file", DEED_SEND),
	ROW_PATH(NULL, "post-file body-file", DEED_SEND),
	ROW_PATH(NULL, "load-cookies warc-dedup", DEED_READ),
	ROW_TAKES(
		"BtTwQUAlDIXR",
		"base tries timeout dns-timeout connect-timeout read-timeout wait waitretry quota "
		"bind-address limit-rate restrict-file-names prefer-family user password "
		"local-encoding remote-encoding cut-dirs http-user http-password default-page "
		"header compression max-redirect proxy-user proxy-password referer user-agent "
		"post-data method body-data secure-protocol certificate certificate-type "
		"private-key private-key-type ca-certificate ca-directory crl-file pinnedpubkey "
		"ciphers ftp-user ftp-password warc-header warc-max-size warc-tempdir level "
		"accept reject accept-regex reject-regex regex-type domains exclude-domains "
		"follow-tags ignore-tags include-directories exclude-directories report-speed "
		"start-pos progress retry-on-http-error"),
	ROW_MAYBE("n", "backups no-proxy"),
	ROW_FLAG("bdqvFcNSxEkKHL46", "background debug quiet verbose continue timestamping "
				     "show-progress no-check-certificate no-clobber no-verbose "
				     "server-response inet4-only inet6-only"),
	OPTIONS_END,
};

/* ---- others ------------------------------------------------------------------------------ */

static const struct option_row aria_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_TAKES("o", "out"),
	ROW_TAKES("P", NULL),
	ROW_PATH("d", "dir", DEED_EXTRACT),
	ROW_PATH("i", "input-file", DEED_SEND),
	ROW_PATH("l", "log", DEED_WRITE),
	ROW_PATH(NULL, "save-session save-cookies", DEED_WRITE),
	ROW_PATH(NULL, "load-cookies", DEED_READ),
	ROW_BOTH(NULL, "conf-path", ARG_ONE, DEED_READ, &config_file),
	ROW_PROGRAM(NULL, "on-download-start on-download-pause on-download-stop "
			  "on-download-complete on-download-error on-bt-download-complete"),
	ROW_TAKES("xsjkmt",
		  "split max-connection-per-server max-concurrent-downloads header user-agent "
		  "http-user http-passwd checksum"),
	OPTIONS_END,
};

static const struct option_row httpie_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_TAKES("o", "output"),
	ROW_FLAG("d", "download"),
	ROW_TAKES("paAsP",
		  "print auth auth-type style session session-read-only proxy verify timeout "
		  "max-redirects cert cert-key boundary raw pretty"),
	ROW_FLAG("jfvhbFIcqx",
		 "json form multipart verbose headers body follow check-status offline "
		 "ignore-stdin continue quiet stream"),
	OPTIONS_END,
};

static const struct option_row browser_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE(NULL, "version"),
	ROW_PATH(NULL, "cmd_script cfg lss", DEED_READ),
	ROW_BOTH(NULL, "eval", ARG_ONE, USE_NOTHING, &interactive),
	ROW_PATH(NULL, "cmd_log", DEED_WRITE),
	ROW_FLAG(NULL, "dump source nolist width"),
	OPTIONS_END,
};

static const struct option_row ftp_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_RULE("ce", NULL, ARG_ONE, &interactive),
	ROW_PATH("f", NULL, DEED_READ),
	ROW_TAKES("upPoqrTNs", "user port"),
	OPTIONS_END,
};

static const struct option_row downloader_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("h", "version"),
	ROW_TAKES("o", "output"),
	ROW_TAKES("P", "paths"),
	ROW_PROGRAM(NULL, "exec exec-before-download netrc-cmd downloader external-downloader"),
	ROW_PATH("a", "batch-file cookies config-location config-locations", DEED_READ),
	ROW_TAKES("fxScru", "format"),
	OPTIONS_END,
};

#define FETCHES(names, options, style, refine)                                                     \
	{                                                                                          \
		names, "h*", options, NULL, (style) | PARSE_LOOSE,                                 \
			FIND_NETWORK | FIND_OUT_NETWORK, NULL, refine                              \
	}

const struct program models_transfers[] = {
	FETCHES("curl", curl_options, 0, transfers_refine_curl),
	FETCHES("wget wget2", wget_options, 0, transfers_refine_wget),
	FETCHES("aria2c axel", aria_options, 0, transfers_refine_aria),
	FETCHES("http https httpie xh xhs", httpie_options, 0, transfers_refine_httpie),
	FETCHES("lynx w3m elinks links links2 browsh carbonyl", browser_options,
		PARSE_LONG_ONE | PARSE_NO_ABBREV, transfers_refine_browser),
	FETCHES("ftp lftp ncftp ncftpget ncftpput tftp atftp gftp", ftp_options, 0,
		transfers_refine_browser),
	FETCHES("fetch youtube-dl yt-dlp gallery-dl you-get httrack", downloader_options, 0,
		transfers_refine_aria),
	FETCHES("transmission-cli transmission-remote rtorrent qbittorrent-nox croc magic-wormhole "
		"wormhole ffsend transfer onionshare gdown kaggle huggingface-cli hf ipfs",
		downloader_options, 0, transfers_refine_upload),
	PROGRAMS_END,
};
