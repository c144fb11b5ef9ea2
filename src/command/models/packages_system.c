/* SPDX-License-Identifier: MIT */

/*
 * Package managers of systems: apt, dpkg, dnf, pacman, apk, brew, nix, winget and so on.
 *
 * Lists of what is installed are harmless. To install, to upgrade and to remove is prompt, and to
 * remove what the system cannot be without is forbidden.
 */

#include "command/models/models.h"
#include "command/models/services.h"

RULE(installs, "package.install", PROMPT, SYSTEM,
     "installs or changes packages of the system, whose scripts run");
RULE(removes, "package.remove", PROMPT, DELETES, "removes packages of the system");
RULE(removes_essential, "package.remove-essential", FORBIDDEN, DELETES,
     "removes packages without which the system does not work");
RULE(asks, "package.network", PROMPT, NETWORK, "asks a server for packages");
RULE(changes, "package.change", PROMPT, SYSTEM, "changes the sources or settings of packages");
RULE(runs, "package.run", PROMPT, EXECUTES, "runs a program from a package");
RULE(option_code, "package.option", PROMPT, EXECUTES,
     "sets an option of the package manager, which may name a command");
RULE(forces, "package.force", PROMPT, SYSTEM, "overrides what protects the system's packages");
RULE(deletes_old, "package.delete-generations", PROMPT, DELETES,
     "deletes what earlier states of the system need");

static const char essential[] =
	"apt base base-files base-passwd bash busybox coreutils dash dbus dpkg filesystem glibc "
	"grub "
	"grub-pc grub-efi-amd64 init initramfs-tools kernel libc-bin libc6 libc6:amd64 linux linux-"
	"firmware linux-generic linux-image-generic linux-image-amd64 linux-lts login mount musl "
	"network-manager NetworkManager openssh-server pacman passwd perl-base rpm sed shadow sudo "
	"systemd systemd-sysv tar util-linux dnf yum apk-tools alpine-base ubuntu-minimal python3 "
	"libpam-modules libpam-runtime openssl ca-certificates * .*";

/* What the operands name is removed. */
static void
refine_remove(const struct match *match, struct findings *found)
{
	const struct rule *rule = &removes;

	for (size_t i = 0; i < match->operand_count; i++) {
		if (service_word_in(match->operands[i].text, essential) ||
		    service_starts(&match->operands[i], "linux-image") ||
		    service_starts(&match->operands[i], "kernel-")) {
			rule = &removes_essential;
		}
	}
	service_find(match, found, rule);
}

#define READS(names, options)                                                                      \
	{                                                                                          \
		names, NULL, options, NULL, PARSE_NO_ABBREV, 0, NULL, NULL                         \
	}
#define REMOVES(names)                                                                             \
	{                                                                                          \
		names, NULL, NULL, NULL, PARSE_LOOSE, 0, NULL, refine_remove                       \
	}
#define RUNS(names, operands, options)                                                             \
	{                                                                                          \
		names, operands, options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, &runs, NULL          \
	}

static void
refine_rest(const struct match *match, struct findings *found)
{
	if (match->parent == NULL) {
		service_find(match, found, &changes);
	}
}

/* ---- apt --------------------------------------------------------------------------------- */

static const struct option_row apt_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("v", "version"),
	ROW_FLAG("yqdfsumV",
		 "yes assume-yes assume-no quiet download-only fix-broken simulate dry-run "
		 "just-print "
		 "no-act fix-missing no-install-recommends install-recommends purge reinstall "
		 "only-upgrade allow-downgrades no-upgrade auto-remove autoremove installed "
		 "upgradable all-versions verbose names-only full no-all-versions"),
	ROW_TAKES("ta", "target-release host-architecture default-release"),
	ROW_RULE(
		NULL,
		"allow-remove-essential force-yes allow-unauthenticated allow-change-held-packages",
		ARG_NONE, &forces),
	ROW("o", "option", ARG_ONE, USE_CONFIG),
	ROW_BOTH("c", "config-file", ARG_ONE, DEED_CONFIG, &option_code),
	OPTIONS_END,
};

/* apt-get -o 'APT::Update::Pre-Invoke::=CMD', -o Dir::Bin::dpkg=PROGRAM */
static void
refine_apt(const struct match *match, struct findings *found)
{
	for (size_t i = 0; i < match->option_count; i++) {
		const struct matched_option *option = &match->options[i];
		const char *equals;
		struct field *value;

		if (option->row->use != USE_CONFIG || option->arg == NULL) {
			continue;
		}
		find_rule(found, &option_code, option->arg);
		equals = memchr(option->arg->text, '=', option->arg->len);
		value = arena_alloc(found->arena, sizeof(*value));
		if (equals == NULL || value == NULL) {
			continue;
		}
		if (strcasestr(option->arg->text, "invoke") != NULL ||
		    strcasestr(option->arg->text, "pkgs") != NULL ||
		    strcasestr(option->arg->text, "dir::bin") != NULL ||
		    strcasestr(option->arg->text, "pager") != NULL ||
		    strcasestr(option->arg->text, "command") != NULL) {
			*value = field_tail(found->arena, option->arg,
					    (size_t)(equals + 1 - option->arg->text));
			find_code(found, LANG_SH, value, INNER_PROMPT, "apt option");
		}
	}
	refine_rest(match, found);
}

static void
refine_apt_remove(const struct match *match, struct findings *found)
{
	refine_remove(match, found);
	if (service_has(match, 0, "allow-remove-essential") || service_has(match, 0, "force-yes")) {
		service_find(match, found, &removes_essential);
	}
}

static const struct program apt_subs[] = {
	READS("list|show|search|policy|depends|rdepends|help|showpkg|stats|dump|pkgnames|madison"
	      "|unmet|showsrc|dotty|xvcg|why|why-not|moo|indextargets|check",
	      NULL),
	SUB_TALKS("update|source|download|changelog|showauto", &asks, NULL),
	SUB_TALKS(
		"install|reinstall|upgrade|safe-upgrade|full-upgrade|dist-upgrade|build-dep|satisfy"
		"|dselect-upgrade|hold|unhold|markauto|unmarkauto|keep|forbid-version",
		&installs, NULL),
	{ "remove|purge", NULL, NULL, NULL, PARSE_LOOSE, 0, NULL, refine_apt_remove },
	SUB_DOES("autoremove|autopurge|clean|autoclean|distclean", &removes),
	SUB_DOES("edit-sources|modernize-sources|gencaches|add|history-undo", &changes),
	PROGRAMS_END,
};

static const struct program apt_mark_subs[] = {
	READS("showauto|showmanual|showhold|showinstall|showremove|showpurge", NULL),
	SUB_DOES("auto|manual|hold|unhold|install|remove|purge|minimize-manual", &changes),
	PROGRAMS_END,
};

RULE(dpkg_installs, "package.install", PROMPT, SYSTEM,
     "installs or sets up packages, whose scripts run");

/* -l -L -s -S -p -V -C --get-selections: dpkg and dpkg-query */
static const struct option_row dpkg_options[] = {
	ROW_HELP("?", "help force-help"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("lLsSpVCe",
		 "list listfiles status search print-avail verify audit get-selections "
		 "print-architecture print-foreign-architectures compare-versions contents info "
		 "field show validate-pkgname validate-version no-pager robot assert-help"),
	ROW_FLAG("IcfW", NULL),
	ROW_RULE("i",
		 "install unpack configure triggers-only set-selections update-avail merge-avail "
		 "clear-avail forget-old-unavail clear-selections add-architecture "
		 "remove-architecture record-avail yet-to-unpack",
		 ARG_NONE, &dpkg_installs),
	ROW_FLAG("rP", "remove purge"),
	ROW_FLAG("aRBEGO", "pending recursive auto-deconfigure skip-same-version refuse-downgrade "
			   "selected-only no-debsig no-triggers triggers simulate dry-run no-act"),
	ROW_RULE(NULL,
		 "force-all force-remove-essential force-depends force-remove-protected "
		 "force-overwrite force-bad-verify force-things",
		 ARG_NONE, &forces),
	ROW_RULE(NULL, "force", ARG_ONE, &forces),
	ROW_TAKES("D", "debug refuse no-force abort-after path-exclude path-include verify-format"),
	ROW_TAKES(NULL, "status-fd showformat load-avail"),
	ROW_RULE(NULL, "root instdir admindir", ARG_ONE, &forces),
	ROW_PATH("X", "extract raw-extract control vextract", DEED_READ),
	ROW_SHELL(NULL, "pre-invoke post-invoke status-logger"),
	OPTIONS_END,
};

static void
refine_dpkg(const struct match *match, struct findings *found)
{
	if (service_has(match, 'r', "remove") || service_has(match, 'P', "purge")) {
		refine_remove(match, found);
		if (service_has(match, 0, "force-all") ||
		    service_has(match, 0, "force-remove-essential")) {
			service_find(match, found, &removes_essential);
		}
	}
	if (service_has(match, 'X', "extract") || service_has(match, 0, "raw-extract") ||
	    service_has(match, 0, "vextract") || service_has(match, 0, "control")) {
		for (size_t i = 0; i < match->operand_count; i++) {
			find_deed(found, DEED_EXTRACT, &match->operands[i]);
		}
	}
}

static const struct option_row dpkg_query_options[] = {
	ROW_HELP("?", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("lWsLSpc", "list show status listfiles search print-avail control-list "
			    "control-path control-show no-pager load-avail"),
	ROW_TAKES("f", "showformat admindir root"),
	OPTIONS_END,
};

/* ---- rpm, dnf, zypper -------------------------------------------------------------------- */

RULE(rpm_changes, "package.install", PROMPT, SYSTEM, "installs or upgrades packages");
RULE(rpm_eval, "rpm.eval", PROMPT, EXECUTES, "evaluates a macro, which may run commands");

static const struct option_row rpm_options[] = {
	ROW_HELP("?", "help"),
	ROW_ALONE(NULL, "version showrc"),
	ROW_FLAG(
		"qaflpRdcsV",
		"query all file list package requires provides docfiles configfiles info changelog "
		"scripts state verify queryformat-help quiet whatprovides last dump obsoletes "
		"conflicts triggers checksig nodigest nosignature recommends suggests "
		"filesbypkg querytags nofiles"),
	ROW_FLAG("vhite", "verbose hash percent test noscripts notriggers"),
	ROW_FLAG("K", NULL),
	ROW_TAKES(NULL, "queryformat qf whatrequires whatconflicts"),
	ROW_RULE("UF",
		 "install upgrade freshen reinstall import rebuilddb initdb setperms setugids "
		 "restore",
		 ARG_NONE, &rpm_changes),
	ROW_FLAG(NULL, "erase"),
	ROW_RULE(NULL, "nodeps force allmatches justdb", ARG_NONE, &forces),
	ROW_RULE(NULL, "root dbpath prefix relocate", ARG_ONE, &forces),
	ROW_BOTH("E", "eval", ARG_ONE, USE_NOTHING, &rpm_eval),
	ROW_RULE("D", "define undefine load macros rcfile pipe", ARG_ONE, &rpm_eval),
	OPTIONS_END,
};

/* Letters mean other things behind -q: "rpm -qi" informs, "rpm -i" installs. */
static void
refine_rpm(const struct match *match, struct findings *found)
{
	bool query = service_has(match, 'q', "query") || service_has(match, 'V', "verify") ||
		     service_has(match, 'K', "checksig");

	if (query) {
		for (size_t i = 0; i < match->operand_count; i++) {
			if (service_has(match, 'p', "package")) {
				found->flags |= strstr(match->operands[i].text, "://") != NULL
							? (unsigned)FIND_NETWORK
							: 0;
				find_deed(found, DEED_READ, &match->operands[i]);
			}
		}
		return;
	}
	if (service_has(match, 'e', "erase")) {
		refine_remove(match, found);
	} else if (service_has(match, 'i', NULL)) {
		service_find(match, found, &rpm_changes);
	}
}

static const struct option_row dnf_options[] = {
	ROW_HELP("h", "help help-cmd"),
	ROW_ALONE(NULL, "version"),
	ROW_FLAG("yqvbC", "assumeyes assumeno quiet verbose cacheonly best installed available all "
			  "recent updates extras autoremove nobest skip-broken allowerasing "
			  "downloadonly refresh nogpgcheck non-interactive no-refresh"),
	ROW_TAKES("cdexR", "config exclude enablerepo disablerepo repo repoid setopt installroot "
			   "releasever forcearch downloaddir"),
	OPTIONS_END,
};

static const struct program dnf_subs[] = {
	{ "help|list installed|list --installed|history list|history info|history|version|alias "
	  "list",
	  NULL, NULL, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	SUB_TALKS("list|info|search|se|repolist|repos|repoquery|provides|whatprovides|check-update"
		  "|makecache|deplist|updateinfo|group list|module list|repoinfo|lr|lu|packages|pa"
		  "|patterns|products|what-provides|list-updates|refresh|ref|if|wp",
		  &asks, NULL),
	SUB_TALKS("install|in|reinstall|upgrade|update|up|dup|dist-upgrade|downgrade|localinstall|"
		  "swap"
		  "|distro-sync|upgrade-minimal|group install|groupinstall|module|builddep|patch"
		  "|system-upgrade|offline-upgrade|copr|history undo|history "
		  "rollback|source-install|si",
		  &installs, NULL),
	REMOVES("remove|rm|erase|group remove|groupremove"),
	SUB_DOES("autoremove|clean", &removes),
	SUB_DOES("config-manager|mark|shell|addrepo|ar|removerepo|rr|modifyrepo|mr|addlock|al",
		 &changes),
	PROGRAMS_END,
};

/* ---- pacman, apk, xbps, emerge ----------------------------------------------------------- */

RULE(pacman_sync, "package.install", PROMPT, SYSTEM, "installs, upgrades or asks for packages");
RULE(pacman_cache, "package.remove", PROMPT, DELETES, "deletes stored packages");

static const struct option_row pacman_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("QTFqievlmnktdpoguscyR",
		 "query deptest files quiet info explicit verbose list foreign native check "
		 "unneeded "
		 "deps print owns groups upgrades search changelog remove recursive cascade nosave "
		 "noconfirm needed color nodeps dbonly noprogressbar unrequired machinereadable"),
	ROW_RULE("SUD", "sync upgrade database", ARG_NONE, &pacman_sync),
	ROW_FLAG("awxf", "downloadonly sysupgrade refresh clean asdeps asexplicit noscriptlet aur "
			 "repo"),
	ROW_TAKES("b", "dbpath root ignore ignoregroup assume-installed arch cachedir gpgdir "
		       "overwrite print-format"),
	ROW_RULE(NULL, "config hookdir logfile", ARG_ONE, &forces),
	OPTIONS_END,
};

static void
refine_pacman(const struct match *match, struct findings *found)
{
	if (service_has(match, 'R', "remove")) {
		refine_remove(match, found);
	}
	if (match->argc > 1 && match->option_count == 0 && match->operand_count > 0) {
		service_find(match, found, &pacman_sync);
	}
	if (service_has(match, 'F', "files") && service_has(match, 'y', NULL)) {
		service_find(match, found, &asks);
	}
	if (service_has(match, 'S', "sync") && service_has(match, 'c', "clean")) {
		service_find(match, found, &pacman_cache);
	}
}

static const struct program apk_subs[] = {
	READS("info|list|policy|version|audit|dot|stats|verify|manifest|query|search", NULL),
	SUB_TALKS("add|upgrade|fix|update|fetch|cache|index|mkndx|mkpkg|convndx", &installs, NULL),
	REMOVES("del"),
	PROGRAMS_END,
};

static const struct option_row apk_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE("V", "version"),
	ROW_FLAG("vqaeWLRPrdswi",
		 "verbose quiet all installed who-owns contents depends provides "
		 "upgradable description size webpage license no-network "
		 "no-cache update-cache virtual simulate interactive exact origin"),
	ROW_TAKES("pXt", "root repository repositories-file keys-dir wait arch cache-dir"),
	OPTIONS_END,
};

static const struct option_row emerge_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	ROW_RULE("C", "unmerge depclean prune", ARG_NONE, &removes),
	OPTIONS_END,
};

/* ---- brew, port, snap, flatpak ----------------------------------------------------------- */

static const struct program brew_subs[] = {
	READS("list|ls|leaves|config|doctor"
	      "|help|commands|tap-info|missing|services list|analytics state",
	      NULL),
	SUB_TALKS("info|deps|uses|desc|search|outdated|log|livecheck|home|abv|cat|formulae|casks|"
		  "readall|audit",
		  &asks, NULL),
	SUB_TALKS("install|reinstall|upgrade|update|tap|link|bundle|fetch|pin|unpin|postinstall|"
		  "migrate"
		  "|services|edit|create|extract|developer|style|test|sh|ruby|irb",
		  &installs, NULL),
	REMOVES("uninstall|remove|rm"),
	SUB_DOES("untap|unlink|cleanup|autoremove", &removes),
	PROGRAMS_END,
};

static const struct option_row brew_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version prefix cellar caskroom cache repository"),
	ROW_FLAG("1vdqlrtf", "versions verbose debug quiet formula cask full-name pinned tree "
			     "installed-on-request installed-as-dependency force include-build "
			     "include-optional for-each annotate json recursive topological "
			     "all zap ignore-dependencies installed multiple"),
	OPTIONS_END,
};

static const struct program store_subs[] = {
	READS("list|info|installed|connections|version|help|ps|history|interface|services|model"
	      "|remotes|config|get",
	      NULL),
	RUNS("run|enter", "!", NULL),
	SUB_TALKS("search|find|remote-ls|remote-info|show|outdated|echo|provides|variants|deps",
		  &asks, NULL),
	SUB_TALKS(
		"install|update|upgrade|refresh|revert|switch|enable|disable|mask|override|remote-"
		"add"
		"|remote-modify|connect|disconnect|set|login|logout|build|build-init|selfupdate|"
		"sync"
		"|activate|deactivate|classic|try|pack|start|stop|restart|add|import|configure|pin",
		&installs, NULL),
	REMOVES("uninstall|remove|remote-delete|erase"),
	SUB_DOES("repair|make-current|document-export|clean|cleanup|reclaim", &changes),
	PROGRAMS_END,
};

/* ---- nix and guix ------------------------------------------------------------------------ */

RULE(nix_evaluates, "nix.evaluate", PROMPT, EXECUTES,
     "evaluates an expression, which may build and fetch");

static const struct option_row nix_options[] = {
	ROW_HELP("h", "help"),
	ROW_ALONE(NULL, "version"),
	ROW_SHELL(NULL, "run"),
	ROW(NULL, "command", ARG_REST, USE_COMMAND),
	ROW("c", NULL, ARG_REST, USE_COMMAND),
	ROW_FLAG("iv",
		 "impure pure-eval pure recursive json verbose quiet offline refresh no-link"),
	ROW_TAKES("AIpEfj", "attr packages expr file option max-jobs override-input"),
	OPTIONS_END,
};

static const struct program nix_subs[] = {
	SUB_TALKS("run", &runs, NULL),
	{ "shell|develop", NULL, nix_options, NULL, PARSE_LOOSE, FIND_NETWORK, &runs, NULL },
	SUB_DOES("store gc|store delete|profile wipe-history|store optimise|upgrade-nix",
		 &deletes_old),
	SUB_TALKS("build|flake|profile|copy|eval|search|registry|bundle|print-dev-env|fmt|path-"
		  "info|log"
		  "|store|hash|derivation|repl|why-depends|edit|realisation|key|nar|daemon|show-"
		  "config"
		  "|config|doctor|env",
		  &nix_evaluates, NULL),
	PROGRAMS_END,
};

static const struct program guix_subs[] = {
	SUB_DOES("shell|environment|time-machine", &runs),
	SUB_DOES("gc", &deletes_old),
	REMOVES("remove"),
	SUB_TALKS("install|upgrade|pull|package|build|search|show|system|home|deploy|pack|import|"
		  "download",
		  &nix_evaluates, NULL),
	PROGRAMS_END,
};

/* "guix shell PACKAGES -- CMD" has no fixed place where the command starts. */
static void
refine_guix(const struct match *match, struct findings *found)
{
	refine_rest(match, found);
	service_after_dashes(match, found, INNER_PROMPT, "guix");
}

/* ---- others ------------------------------------------------------------------------------ */

static const struct option_row help_options[] = {
	ROW_HELP(NULL, "help"),
	ROW_ALONE("hV", "version"),
	OPTIONS_END,
};

static const struct program generic_subs[] = {
	READS("list|ls|info|show|query|which|version|help|installed|export --list", NULL),
	SUB_TALKS("search|find|outdated|source|status|home|audit|rquery", &asks, NULL),
	SUB_TALKS("install|add|upgrade|update|reinstall|download|import|full-upgrade|in|up|fetch",
		  &installs, NULL),
	REMOVES("remove|uninstall|delete|rm|autoremove|purge|deinstall|del"),
	PROGRAMS_END,
};

#define MANAGER(names, options, subs)                                                              \
	{                                                                                          \
		names, ".*", options, subs, PARSE_LOOSE, 0, NULL, refine_rest                      \
	}

const struct program models_installers[] = {
	{ "apt apt-get apt-cache aptitude nala apt-fast", ".*", apt_options, apt_subs, PARSE_GNU, 0,
	  NULL, refine_apt },
	{ "apt-mark", NULL, apt_options, apt_mark_subs, PARSE_GNU, 0, NULL, NULL },
	{ "apt-key add-apt-repository apt-config debconf-set-selections tasksel "
	  "dpkg-divert dpkg-statoverride apt-file unattended-upgrade "
	  "do-release-upgrade",
	  ".*", help_options, NULL, PARSE_LOOSE, 0, &changes, NULL },
	{ "dpkg", NULL, dpkg_options, NULL, PARSE_NO_ABBREV, 0, NULL, refine_dpkg },
	{ "dpkg-query", NULL, dpkg_query_options, NULL, PARSE_NO_ABBREV, 0, NULL, NULL },
	{ "rpm rpmquery rpmverify", NULL, rpm_options, NULL, PARSE_NO_ABBREV, 0, NULL, refine_rpm },
	{ "rpmbuild rpmsign rpmdb rpmkeys debuild dpkg-buildpackage makepkg pbuilder mock", ".*",
	  help_options, NULL, PARSE_LOOSE, 0, &runs, NULL },
	MANAGER("dnf yum dnf5 microdnf tdnf zypper rpm-ostree", dnf_options, dnf_subs),
	{ "pacman yay paru pamac", NULL, pacman_options, NULL, PARSE_GNU, 0, NULL, refine_pacman },
	{ "apk", NULL, apk_options, apk_subs, PARSE_GNU, 0, NULL, NULL },
	{ "emerge ebuild eix-sync layman", NULL, emerge_options, NULL, PARSE_LOOSE, 0, &installs,
	  NULL },
	{ "brew", NULL, brew_options, brew_subs, PARSE_GNU, 0, NULL, NULL },
	MANAGER("port snap flatpak", help_options, store_subs),
	{ "nix", ".*", nix_options, nix_subs, PARSE_LOOSE, 0, NULL, refine_rest },
	{ "nix-shell nix-build nix-env nix-instantiate nix-channel nix-store nixos-rebuild "
	  "home-manager darwin-rebuild nix-prefetch-url",
	  ".*", nix_options, NULL, PARSE_LOOSE, 0, &nix_evaluates, NULL },
	{ "nix-collect-garbage", ".*", help_options, NULL, PARSE_LOOSE, 0, &deletes_old, NULL },
	{ "guix", ".*", help_options, guix_subs, PARSE_LOOSE, 0, NULL, refine_guix },
	MANAGER("choco winget scoop pkg pkgin pkg_add pkg_delete pkg_info opkg ipkg swupd eopkg "
		"cards xbps-query xbps-install xbps-remove slackpkg installpkg removepkg "
		"upgradepkg "
		"pkcon mas",
		help_options, generic_subs),
	PROGRAMS_END,
};
