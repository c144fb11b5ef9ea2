/* SPDX-License-Identifier: MIT */
/*
 * Keys, certificates and password stores. Printing a private key or a stored password is taking a
 * secret, whoever asks for it. Public things (certificates, fingerprints, names) may be looked at.
 */
#include "command/models/basics.h"

RULE(secret_shown, "secret.shown", FORBIDDEN, DISCLOSURE, "prints a secret from a password store");
RULE(secret_changes, "secret.store-changes", PROMPT, DISCLOSURE,
     "changes or opens a password store");
RULE(secret_deletes, "secret.store-deletes", FORBIDDEN, DELETES, "deletes secrets for good");
RULE(key_exported, "gpg.exports-secret-key", FORBIDDEN, DISCLOSURE, "prints private keys");
RULE(key_deleted, "gpg.deletes-secret-key", FORBIDDEN, DELETES, "deletes private keys");
RULE(gpg_uses, "gpg.uses-keys", PROMPT, DISCLOSURE, "uses or changes the keys of this user");
RULE(key_printed, "openssl.private-key", PROMPT, DISCLOSURE, "may print a private key");
RULE(key_made, "key.makes", PROMPT, WRITES, "makes a key or a certificate");
RULE(agent_changes, "ssh-agent.changes", PROMPT, PRIVILEGE,
     "changes what the agent may log in with");

/* ---- gpg ---------------------------------------------------------------------------------------
 */

/* Options that ask: with one of them, and none that does more, gpg only looks. */
static const struct option_row gpg_options[] = {
	ROW_FLAG("qvnat", "batch no-tty quiet verbose armor textmode with-colons with-fingerprint "
			  "with-subkey-fingerprint with-keygrip with-key-data with-secret yes no "
			  "no-verbose no-armor fixed-list-mode with-wkd-hash no-options "
			  "no-default-keyring no-auto-check-trustdb no-greeting "
			  "no-permission-warning lock-never no-auto-key-retrieve dry-run with-"
			  "sig-list with-sig-check"),
	ROW_TAKES("uNz",
		  "keyid-format status-fd logger-fd attribute-fd list-options verify-options "
		  "display-charset trust-model charset"),
	ROW_DOUBT_TAKES("r",
			"homedir options keyserver keyserver-options recipient local-user "
			"passphrase passphrase-file passphrase-fd pinentry-mode command-fd "
			"photo-viewer agent-program dirmngr-program gpg-agent-program exec-path"),
	ROW_PATH(NULL, "keyring trustdb-name", DEED_READ),
	ROW_FLAG("k", "list-keys list-public-keys list-sigs list-signatures check-sigs fingerprint "
		      "list-packets verify list-config list-gcrypt-config show-keys print-md "
		      "print-mds export-options-list list-key"),
	ROW_FLAG("K", "list-secret-keys"),
	ROW_RULE(NULL, "export-secret-keys export-secret-subkeys export-secret-key", ARG_NONE,
		 &key_exported),
	ROW_RULE(NULL,
		 "delete-secret-keys delete-secret-and-public-keys delete-secret-key "
		 "delete-secret-and-public-key",
		 ARG_NONE, &key_deleted),
	ROW_RULE("desbc",
		 "decrypt encrypt sign detach-sign clear-sign clearsign symmetric import "
		 "export gen-key generate-key full-generate-key quick-generate-key "
		 "edit-key sign-key lsign-key delete-keys delete-key recv-keys receive-keys "
		 "send-keys search-keys refresh-keys fetch-keys export-ssh-key "
		 "update-trustdb check-trustdb import-ownertrust export-ownertrust store "
		 "decrypt-files encrypt-files verify-files quick-sign-key quick-add-key "
		 "quick-add-uid quick-set-expire quick-revoke-uid change-passphrase passwd "
		 "card-edit edit-card card-status gen-revoke generate-revocation "
		 "locate-keys locate-external-keys auto-key-retrieve server enarmor "
		 "dearmor",
		 ARG_NONE, &gpg_uses),
	ROW_OUTPUT("o", "output"),
	ROW_HELP("h", "help version warranty dump-options list-options-all"),
	OPTIONS_END,
};

static bool
gpg_only_asks(const struct match *match)
{
	static const char asks[] =
		"list-keys list-public-keys list-sigs list-signatures check-sigs "
		"fingerprint list-packets verify list-config list-gcrypt-config "
		"show-keys print-md print-mds list-key list-secret-keys";

	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];

		if (option->letter == 'k' || option->letter == 'K' ||
		    (option->name != NULL && service_word_in(option->name, asks))) {
			return true;
		}
	}
	return false;
}

static void
gpg_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		if (match->options[i].row->rule != NULL) {
			return;
		}
	}
	if (!gpg_only_asks(match)) {
		find_rule(found, &gpg_uses, NULL);
	}
}

static const struct option_row gpgv_options[] = {
	ROW_FLAG("vq", "verbose quiet"),
	ROW_TAKES(NULL, "status-fd logger-fd"),
	ROW_PATH(NULL, "keyring", DEED_READ),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct option_row gpgconf_options[] = {
	ROW_FLAG(NULL, "list-components list-dirs list-config check-programs list-options "
		       "check-options check-config show-versions show-socket"),
	ROW_RULE("KLRX",
		 "kill launch reload apply-defaults apply-profile change-options create-"
		 "socketdir remove-socketdir",
		 ARG_NONE, &gpg_uses),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ---- openssl --------------------------------------------------------------------------------- */

/* Every option has one dash and a whole name. */
#define ROW_SSL_FILES                                                                              \
	ROW_PATH(NULL, "in CAfile certs CA cert data sigfile signature content untrusted trusted", \
		 DEED_READ),                                                                       \
		ROW_PATH(NULL, "CApath verify_chain", DEED_LIST), ROW_OUTPUT(NULL, "out"),         \
		ROW_PATH(NULL, "inkey key CAkey keyfile", DEED_READ),                              \
		ROW_PATH(NULL, "config", DEED_CONFIG),                                             \
		ROW_DOUBT_TAKES(NULL, "engine provider provider-path rand writerand"),             \
		ROW_HELP("h", "help")

/* Certificates, requests and the like: shown, unless something is signed or written. */
static const struct option_row ssl_show_options[] = {
	ROW_SSL_FILES,
	ROW_FLAG(NULL,
		 "noout text subject issuer dates startdate enddate serial fingerprint pubkey "
		 "modulus hash subject_hash issuer_hash subject_hash_old issuer_hash_old email "
		 "purpose ocspid ocsp_uri alias subject_alt_name nocert trustout verify sha1 "
		 "sha224 sha256 sha384 sha512 md5 print_certs lastupdate nextupdate crlnumber "
		 "badsig extensions pubin pubout check i dump C utf8 multi no-CAfile "
		 "no-CApath crl_check crl_check_all partial_chain issuer_checks verbose "
		 "show_chain x509_strict pubcheck param_out nodes noenc nokeys info "
		 "nomacver clcerts cacerts noiter"),
	ROW_TAKES(NULL, "inform outform nameopt certopt checkend checkhost checkemail checkip ext "
			"dateopt purpose_name passin strparse offset length item oid genstr "
			"dlimit verify_depth attime verify_hostname"),
	ROW_RULE(NULL, "req new x509 signkey CAcreateserial newkey gendb sign", ARG_OPTIONAL,
		 &key_made),
	OPTIONS_END,
};

/* Keys: what is shown is private unless the text says otherwise. */
static void
ssl_key_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 0, "pubin") != NULL || match_option(match, 0, "pubout") != NULL ||
	    (match_option(match, 0, "noout") != NULL && match_option(match, 0, "text") == NULL)) {
		return;
	}
	find_rule(found, &key_printed, NULL);
	found->flags |= FIND_OUT_SECRET;
}

static const struct option_row ssl_digest_options[] = {
	ROW_SSL_FILES,
	ROW_FLAG("crdax",
		 "binary hex sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256 "
		 "sha3-224 sha3-256 sha3-384 sha3-512 md5 md4 blake2b512 blake2s256 rmd160 "
		 "ripemd160 sm3 shake128 shake256 list"),
	ROW_TAKES(NULL, "hmac mac macopt sigopt xoflen"),
	ROW_PATH(NULL, "verify prverify", DEED_READ),
	ROW_BOTH(NULL, "sign", ARG_ONE, DEED_READ, &gpg_uses),
	OPTIONS_END,
};

static const struct option_row ssl_enc_options[] = {
	ROW_SSL_FILES,
	ROW_FLAG("deaApPvz",
		 "base64 salt nosalt nopad pbkdf2 none debug ciphers list "
		 "aes-128-cbc aes-192-cbc aes-256-cbc aes-128-ecb aes-256-ecb aes-256-ctr "
		 "aes-128-ctr aes128 aes192 aes256 des3 des-ede3-cbc chacha20 bf rc4 "
		 "camellia-256-cbc"),
	ROW_TAKES("kKS", "iv pass md iter bufsize saltlen kfile"),
	OPTIONS_END,
};

static const struct option_row ssl_rand_options[] = {
	ROW_OUTPUT(NULL, "out"),
	ROW_FLAG(NULL, "hex base64 checks generate safe quiet reverse table 1 5 6 apr1 aixmd5 "
		       "noverify stdin"),
	ROW_TAKES(NULL, "bits salt"),
	ROW_PATH(NULL, "in", DEED_READ),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row ssl_client_options[] = {
	ROW_REMOTE(NULL, "connect host url proxy"),
	ROW_PATH(NULL, "cert key CAfile", DEED_READ),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

static const struct option_row ssl_version_options[] = {
	ROW_FLAG("abcdefnoprvsV1", "stdname tls1 tls1_1 tls1_2 tls1_3 psk srp ciphers commands "
				   "digest-commands cipher-commands digest-algorithms "
				   "cipher-algorithms public-key-algorithms disabled configdir"),
	ROW_TAKES(NULL, "seconds bytes evp"),
	OPTIONS_END,
};

static const struct program openssl_commands[] = {
	SUB("version|help|list|ciphers|errstr|info|speed|no-rsa|list-standard-commands|"
	    "list-cipher-commands",
	    ".*", ssl_version_options, NULL, NULL, NULL),
	SUB("x509|verify|crl|pkcs7|asn1parse|req|storeutl|sess_id|nseq|spkac|crl2pkcs7", "f*",
	    ssl_show_options, NULL, NULL, NULL),
	SUB("rsa|pkey|ec|dsa|pkcs8|pkcs12|dhparam|ecparam|pkeyparam", ".*", ssl_show_options, NULL,
	    NULL, ssl_key_refine),
	SUB("dgst|md5|sha1|sha224|sha256|sha384|sha512|sha3-256|sha3-512|blake2b512|rmd160|mac",
	    "f*", ssl_digest_options, NULL, NULL, NULL),
	{ .names = "enc|base64|aes-256-cbc|aes-128-cbc|des3|zlib",
	  .operands = "",
	  .options = ssl_enc_options,
	  .finds = FIND_DECODES },
	SUB("rand|prime|passwd", ".*", ssl_rand_options, NULL, NULL, NULL),
	SUB("genrsa|genpkey|gendsa|ca|rsautl|pkeyutl|cms|smime|ts|srp|cmp|kdf|fipsinstall|rehash|"
	    "tsget|CA.pl",
	    NULL, NULL, NULL, &key_made, NULL),
	{ .names = "s_client|s_server|s_time|ocsp",
	  .options = ssl_client_options,
	  .style = PARSE_LONG_ONE | PARSE_LOOSE | PARSE_OPTIONAL_NEXT,
	  .finds = FIND_NETWORK | FIND_OUT_NETWORK,
	  .rule = &basics_network },
	PROGRAMS_END,
};

/* ---- ssh keys -------------------------------------------------------------------------------- */

RULE(known_hosts, "ssh-keygen.changes-known-hosts", PROMPT, WRITES,
     "changes the list of known machines");

static const struct option_row ssh_keygen_options[] = {
	ROW_FLAG("qv", NULL),
	ROW_FLAG("lByeiLcApQHRFu", NULL),
	ROW_TAKES("bCEtNPmaZIOSVnWrJjGK", NULL),
	ROW("f", NULL, ARG_ONE, USE_NOTHING),
	ROW_RULE("sYMk", NULL, ARG_ONE, &key_made),
	ROW_DOUBT_TAKES("DwU", NULL),
	ROW_HELP("?", NULL),
	OPTIONS_END,
};

static bool
keygen_has(const struct match *match, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		if (match_option(match, *letters, NULL) != NULL) {
			return true;
		}
	}
	return false;
}

static void
ssh_keygen_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *file = match_option(match, 'f', NULL);
	const struct field *path = file != NULL ? file->arg : NULL;

	if (keygen_has(match, "lByeLFQ")) {
		if (path != NULL) {
			find_deed(found, DEED_LIST, path);
		}
		return;
	}
	if (keygen_has(match, "RH")) {
		find_rule(found, &known_hosts, NULL);
		return;
	}
	find_rule(found, &key_made, NULL);
	if (path != NULL) {
		find_deed(found, keygen_has(match, "pc") ? DEED_LIST : DEED_MAKE, path);
	}
}

static const struct option_row ssh_add_options[] = {
	ROW_FLAG("lLqv", NULL),
	ROW_FLAG("ckKAM", "apple-use-keychain apple-load-keychain"),
	ROW_TAKES("tEhH", NULL),
	ROW_FLAG("DdxX", NULL),
	ROW_DOUBT_TAKES("seSTC", NULL),
	ROW_HELP("?", NULL),
	OPTIONS_END,
};

static void
ssh_add_refine(const struct match *match, struct findings *found)
{
	if (!keygen_has(match, "lL")) {
		find_rule(found, &agent_changes, match->operands);
	}
}

static const struct option_row ssh_agent_options[] = {
	ROW_FLAG("csDd", NULL),
	ROW_RULE("k", NULL, ARG_NONE, &agent_changes),
	ROW_TAKES("atEOP", NULL),
	OPTIONS_END,
};

/* ---- password stores ------------------------------------------------------------------------- */

static const struct option_row pass_options[] = {
	ROW_FLAG("cqfnrime", "clip qrcode force no-symbols in-place recursive multiline echo"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

static const struct program pass_commands[] = {
	SUB("help|version", ".*", NULL, NULL, NULL, NULL),
	SUB("ls|list|find|search|git|init|insert|add|edit|generate|mv|rename|cp|copy|sync|mounts|"
	    "setup|audit|",
	    ".*", NULL, NULL, &secret_changes, NULL),
	SUB("show|grep|otp|cat|env|fscopy|", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("rm|remove|delete", ".*", NULL, NULL, &secret_deletes, NULL),
	PROGRAMS_END,
};

/* pass NAME is pass show NAME. */
static void
pass_refine(const struct match *match, struct findings *found)
{
	if (match->parent == NULL && match->operand_count > 0) {
		find_rule(found, &secret_shown, match->operands);
	}
}

static const struct program op_commands[] = {
	SUB("item get|document get|read|inject|connect token|service-account create|get item|"
	    "get document|get",
	    ".*", NULL, NULL, &secret_shown, NULL),
	SUB("item delete|document delete|vault delete|user delete", ".*", NULL, NULL,
	    &secret_deletes, NULL),
	SUB("item list|vault list|account list|whoami|user list|document list|item create|item "
	    "edit|"
	    "document create|document edit|vault create|vault edit|vault get|signin|signout|run|"
	    "account add|account get|update|plugin|list|user get",
	    ".*", NULL, NULL, &secret_changes, NULL),
	SUB("completion|help", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program bw_commands[] = {
	SUB("get|export|receive|list items|list", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("delete", ".*", NULL, NULL, &secret_deletes, NULL),
	SUB("login|logout|lock|unlock|sync|status|create|edit|restore|move|import|send|serve|"
	    "config|"
	    "confirm|encode|generate|update",
	    ".*", NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

static const struct program vault_commands[] = {
	SUB("read|kv get|kv list|token lookup|print token|unwrap|operator generate-root|operator "
	    "init|operator unseal|token create",
	    ".*", NULL, NULL, &secret_shown, NULL),
	SUB("delete|kv delete|kv destroy|kv metadata delete|secrets disable|auth disable|operator "
	    "seal|lease revoke|namespace delete",
	    ".*", NULL, NULL, &secret_deletes, NULL),
	SUB("version|version-history", ".*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

static const struct program secret_tool_commands[] = {
	SUB("lookup|search", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("store|lock", ".*", NULL, NULL, &secret_changes, NULL),
	SUB("clear", ".*", NULL, NULL, &secret_deletes, NULL),
	PROGRAMS_END,
};

static const struct program keyring_commands[] = {
	SUB("get", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("set|del|delete|diagnose|--list-backends", ".*", NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

/* The keychain of macOS. -w and -g print the password. */
static const struct program security_commands[] = {
	SUB("find-generic-password|find-internet-password|dump-keychain|export|dump-trust-settings|"
	    "find-identity-secret|authorizationdb-dump",
	    ".*", NULL, NULL, &secret_shown, NULL),
	SUB("delete-generic-password|delete-internet-password|delete-keychain|delete-certificate|"
	    "delete-identity",
	    ".*", NULL, NULL, &secret_deletes, NULL),
	SUB("list-keychains|default-keychain|login-keychain|find-certificate|find-identity|"
	    "verify-cert|show-keychain-info|cms|translocate-original-path|help|error|leaks|"
	    "list-smartcards",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("unlock-keychain|lock-keychain|create-keychain|add-generic-password|"
	    "add-internet-password|add-certificates|add-trusted-cert|remove-trusted-cert|import|"
	    "set-keychain-settings|set-key-partition-list|set-keychain-password|authorizationdb|"
	    "trust-settings-import|execute-with-privileges",
	    ".*", NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

static const struct program credential_helper_commands[] = {
	SUB("get|list", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("store|erase|version", ".*", NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

static const struct program keepassxc_commands[] = {
	SUB("show|export|clip|attachment-export", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("ls|search|open|add|edit|mv|rm|db-create|db-info|merge|generate|diceware|estimate|"
	    "mkdir|"
	    "rmdir|import|analyze",
	    ".*", NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

static const struct program lpass_commands[] = {
	SUB("show|export", ".*", NULL, NULL, &secret_shown, NULL),
	SUB("login|logout|ls|status|add|edit|generate|mv|sync|passwd|import|share", ".*", NULL,
	    NULL, &secret_changes, NULL),
	SUB("rm", ".*", NULL, NULL, &secret_deletes, NULL),
	PROGRAMS_END,
};

static const struct program sops_commands[] = {
	SUB("decrypt", ".*", NULL, NULL, &secret_changes, NULL),
	SUB("encrypt|rotate|edit|exec-env|exec-file|updatekeys|groups|publish|set|unset", ".*",
	    NULL, NULL, &secret_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row store_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

#define STORE .options = store_options, .style = PARSE_LOOSE

const struct program models_secrets[] = {
	{ .names = "gpg gpg2 gpg1",
	  .operands = "f*",
	  .options = gpg_options,
	  .refine = gpg_refine },
	{ .names = "gpgv gpgv2", .operands = "f*", .options = gpgv_options },
	{ .names = "gpgconf", .operands = ".*", .options = gpgconf_options },
	{ .names = "openssl libressl",
	  .options = store_options,
	  .subcommands = openssl_commands,
	  .style = PARSE_LONG_ONE | PARSE_NO_ABBREV },
	{ .names = "ssh-keygen", .options = ssh_keygen_options, .refine = ssh_keygen_refine },
	{ .names = "ssh-add",
	  .operands = "l*",
	  .options = ssh_add_options,
	  .refine = ssh_add_refine },
	{ .names = "ssh-agent",
	  .operands = "!",
	  .options = ssh_agent_options,
	  .style = PARSE_POSIX,
	  .rule = &agent_changes },
	{ .names = "pass gopass",
	  .operands = ".*",
	  .options = pass_options,
	  .subcommands = pass_commands,
	  .refine = pass_refine },
	{ .names = "op", .subcommands = op_commands, STORE },
	{ .names = "bw rbw", .subcommands = bw_commands, STORE },
	{ .names = "vault bao", .subcommands = vault_commands, STORE },
	{ .names = "secret-tool", .subcommands = secret_tool_commands, STORE },
	{ .names = "keyring", .subcommands = keyring_commands, STORE },
	{ .names = "security", .subcommands = security_commands, STORE },
	{ .names = "docker-credential-desktop docker-credential-osxkeychain "
		   "docker-credential-secretservice docker-credential-pass "
		   "docker-credential-wincred git-credential-osxkeychain "
		   "git-credential-manager git-credential-libsecret",
	  .subcommands = credential_helper_commands,
	  STORE },
	{ .names = "keepassxc-cli", .subcommands = keepassxc_commands, STORE },
	{ .names = "lpass", .subcommands = lpass_commands, STORE },
	{ .names = "sops",
	  .operands = ".*",
	  .subcommands = sops_commands,
	  STORE,
	  .rule = &secret_changes },
	{ .names = "kwallet-query",
	  .operands = ".*",
	  .options = store_options,
	  .style = PARSE_LOOSE,
	  .rule = &secret_shown },
	{ .names = "mimikatz mimipenguin lazagne unshadow ssh2john",
	  .operands = ".*",
	  .options = store_options,
	  .style = PARSE_LOOSE,
	  .rule = &secret_shown },
	PROGRAMS_END,
};
