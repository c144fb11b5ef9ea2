/* SPDX-License-Identifier: MIT */
/* The options of wrappers. */
#include "command/models/wrappers_impl.h"

/* ---- options ------------------------------------------------------------------------------- */

const struct option_row wrapper_plain_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_util_options[] = {
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_setsid_options[] = {
	ROW_FLAG("cfw", "ctty fork wait"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_nice_options[] = {
	ROW_TAKES("n", "adjustment"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_ionice_options[] = {
	ROW_FLAG("t", "ignore"),
	ROW_TAKES("cnpPu", "class classdata pid pgid uid"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_chrt_options[] = {
	ROW_FLAG("abdfimorRvG", "all-tasks batch deadline fifo idle max other rr reset-on-fork "
				"verbose reclaim"),
	ROW_TAKES("TPD", "sched-runtime sched-period sched-deadline"),
	ROW_FLAG("p", "pid"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_taskset_options[] = {
	ROW_FLAG("acp", "all-tasks cpu-list pid"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_stdbuf_options[] = {
	ROW_TAKES("ioe", "input output error"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_timeout_options[] = {
	ROW_FLAG("fpv", "foreground preserve-status verbose"),
	ROW_TAKES("ks", "kill-after signal"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_time_options[] = {
	ROW_FLAG("apqv", "append portability quiet verbose"),
	ROW_TAKES("f", "format"),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_chroot_options[] = {
	ROW_FLAG(NULL, "skip-chdir"),
	ROW_TAKES(NULL, "groups userspec"),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_unshare_options[] = {
	ROW_MAYBE("mnuipUCT", "mount net uts ipc pid user cgroup time mount-proc mount-binfmt "
			      "kill-child"),
	ROW_FLAG("frc", "fork map-root-user map-current-user map-auto keep-caps"),
	ROW_TAKES("SG",
		  "setuid setgid propagation setgroups map-user map-group map-users map-groups "
		  "monotonic boottime"),
	ROW("R", "root", ARG_ONE, USE_UNKNOWN),
	ROW("w", "wd", ARG_ONE, USE_DIR),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_nsenter_options[] = {
	ROW_FLAG("aFeZ",
		 "all no-fork env follow-context preserve-credentials keep-caps user-parent"),
	ROW_TAKES("tSG", "target setuid setgid"),
	ROW_MAYBE("muinpCUTrwW", "mount uts ipc net pid cgroup user time root wd wdns"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_numactl_options[] = {
	ROW_FLAG("abHslV", "all balancing hardware show localalloc verbose"),
	ROW_TAKES("iNmCpP", "interleave cpunodebind membind physcpubind preferred preferred-many "
			    "weighted-interleave"),
	ROW("S", "shm file", ARG_ONE, USE_UNKNOWN),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_setarch_options[] = {
	ROW_FLAG("vBLRSTXZFI3", "verbose 32bit addr-compat-layout addr-no-randomize whole-seconds "
				"sticky-timeouts read-implies-exec mmap-page-zero fdpic-funcptrs "
				"short-inode list show uname-2.6 4gb"),
	ROW_TAKES("p", "pid"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_flock_options[] = {
	ROW_FLAG("sxeunoF", "shared exclusive unlock nonblock nb close no-fork verbose"),
	ROW_TAKES("wE", "wait timeout conflict-exit-code"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_watch_options[] = {
	ROW_FLAG("bceCfgprtwx", "beep color no-color errexit follow chgexit precise no-rerun "
				"no-title no-wrap exec"),
	ROW_MAYBE("d", "differences"),
	ROW_TAKES("nq", "interval equexit"),
	/* What is on the screen is written to files of its own naming. */
	ROW("s", "shotsdir", ARG_ONE, USE_UNKNOWN),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_script_options[] = {
	ROW_FLAG("aefqkrF", "append return flush force quiet"),
	ROW("c", "command", ARG_ONE, USE_SHELL),
	ROW_PATH("IOBT", "log-in log-out log-io log-timing", DEED_WRITE),
	ROW("t", "timing", ARG_OPTIONAL, USE_STDOUT),
	ROW_TAKES("Emo", "echo logging-format output-limit"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_fakeroot_options[] = {
	ROW_FLAG("uv", "unknown-is-real"),     ROW_PATH("l", "lib", DEED_EXECUTE),
	ROW_PATH(NULL, "faked", DEED_EXECUTE), ROW_PATH("s", NULL, DEED_WRITE),
	ROW_PATH("i", NULL, DEED_READ),	       ROW_TAKES("b", NULL),
	ROW_HELP("h", "help version"),	       OPTIONS_END,
};

const struct option_row wrapper_faketime_options[] = {
	ROW_FLAG("m", "disable-monotonic exclude-monotonic"),
	ROW_TAKES("pf", NULL),
	ROW_PROGRAM(NULL, "date-prog"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_strace_options[] = {
	ROW_FLAG("ACcdDfFhikLnqrTtvVwxyYzZ", "output-append-mode summary-only summary follow-forks "
					     "output-separately instruction-pointer daemonize "
					     "quiet relative-timestamps syscall-number "
					     "no-abbrev strings-in-hex decode-fds decode-pids "
					     "successful-only failed-only stack-traces "
					     "argv0 summary-wall-clock syscall-times "
					     "absolute-timestamps const-print-style seccomp-bpf"),
	ROW_TAKES("abeIOPsSUXu", "columns trace abbrev verbose raw signal status read write fault "
				 "inject kvm interruptible summary-syscall-overhead trace-path "
				 "string-limit summary-sort-by summary-columns user detach-on "
				 "quiet-attach"),
	ROW_TAKES("o", "output"),
	ROW_TAKES("p", "attach"),
	ROW("E", "env", ARG_ONE, USE_ASSIGN),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_ltrace_options[] = {
	ROW_FLAG("cCfhiLrStTVb", "demangle no-signals indent-flag"),
	ROW_TAKES("aAeDlnsuwxX", "align indent where config library"),
	ROW_TAKES("p", NULL),
	ROW_PATH("F", NULL, DEED_READ),
	ROW_PATH("o", "output", DEED_WRITE),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_unbuffer_options[] = {
	ROW_FLAG("p", NULL),
	OPTIONS_END,
};

const struct option_row wrapper_rlwrap_options[] = {
	ROW_FLAG("cEGiIknNoRrUvW",
		 "complete-filenames case-insensitive pass-sigint-as-sigterm no-warnings "
		 "no-children one-shot remember"),
	ROW_MAYBE("aAmp", "always-readline ansi-colour-aware multi-line prompt-colour"),
	ROW_TAKES("bCDdegLMPqSstwX",
		  "break-chars command-name histsize extra-char-after-completion "
		  "forget-matching substitute-prompt set-term-name "
		  "wait-before-prompt quote-characters pre-given"),
	ROW_PATH("fH", "file history-filename", DEED_EDIT),
	ROW_PATH("l", "logfile", DEED_APPEND),
	ROW("z", "filter", ARG_ONE, USE_SHELL),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_systemd_run_options[] = {
	ROW_FLAG("GrtPqS", "user system scope no-block remain-after-exit send-sighup pty pipe "
			   "quiet collect same-dir wait no-ask-password slice-inherit shell "
			   "ignore-failure expand-environment pty-late"),
	ROW_TAKES("upHM",
		  "unit property description slice service-type host machine capsule uid gid nice "
		  "on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar "
		  "on-clock-change on-timezone-change path-property socket-property "
		  "timer-property background job-mode"),
	ROW("d", "working-directory", ARG_ONE, USE_DIR),
	ROW("E", "setenv", ARG_ONE, USE_ASSIGN),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_dbus_run_session_options[] = {
	ROW_PATH(NULL, "config-file", DEED_CONFIG),
	ROW("", "dbus-daemon", ARG_ONE, USE_PROGRAM),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_xvfb_run_options[] = {
	ROW_FLAG("al", "auto-servernum auto-display listen-tcp"),
	ROW_TAKES("npsw", "server-num xauth-protocol server-args wait"),
	ROW_PATH("ef", "error-file auth-file", DEED_WRITE),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

const struct option_row wrapper_loose_options[] = {
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_bwrap_options[] = {
	ROW_FLAG(NULL,
		 "unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts "
		 "unshare-cgroup unshare-cgroup-try unshare-all share-net clearenv new-session "
		 "die-with-parent as-pid-1 disable-userns assert-userns-disabled"),
	ROW_TAKES(NULL,
		  "args userns userns2 pidns uid gid hostname unsetenv lock-file sync-fd "
		  "exec-label file-label proc dev tmpfs mqueue dir seccomp add-seccomp-fd "
		  "block-fd userns-block-fd info-fd json-status-fd remount-ro cap-add cap-drop "
		  "perms size argv0 overlay-src tmp-overlay ro-overlay level-prefix"),
	ROW(NULL,
	    "setenv bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd "
	    "file bind-data ro-bind-data symlink chmod",
	    ARG_TWO, USE_NOTHING),
	ROW(NULL, "chdir", ARG_ONE, USE_DIR),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_caffeinate_options[] = {
	ROW_FLAG("dimsu", NULL),
	ROW_TAKES("tw", NULL),
	OPTIONS_END,
};

const struct option_row wrapper_chpst_options[] = {
	ROW_FLAG("vP012", NULL),
	ROW_TAKES("uUbnmdofpcrtl", NULL),
	ROW("e", NULL, ARG_ONE, USE_UNKNOWN),
	ROW("/", NULL, ARG_ONE, USE_UNKNOWN),
	OPTIONS_END,
};

const struct option_row wrapper_ssd_options[] = {
	ROW_FLAG("SKTqtovbmC", "start stop status quiet test oknodo verbose background no-close "
			       "make-pidfile remove-pidfile notify-await"),
	ROW_TAKES("psunxagcdNPIkRr",
		  "pidfile ppid user name exec startas group chuid chdir nicelevel "
		  "procsched iosched umask signal retry pid notify-timeout"),
	ROW_PATH("O", "output", DEED_WRITE),
	ROW_HELP("HV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_daemonize_options[] = {
	ROW_FLAG("av", NULL),
	ROW("c", NULL, ARG_ONE, USE_DIR),
	ROW_PATH("eopl", NULL, DEED_WRITE),
	ROW("u", NULL, ARG_ONE, USE_UNKNOWN),
	ROW("E", NULL, ARG_ONE, USE_ASSIGN),
	OPTIONS_END,
};

const struct option_row wrapper_loader_options[] = {
	ROW_FLAG(NULL, "list verify inhibit-cache list-diagnostics list-tunables"),
	ROW_TAKES(NULL, "library-path inhibit-rpath argv0 glibc-hwcaps-prepend glibc-hwcaps-mask"),
	ROW_PATH(NULL, "preload audit", DEED_EXECUTE),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_proxychains_options[] = {
	ROW_FLAG("qidau", "shell on off isolate quiet"),
	ROW_PATH("f", NULL, DEED_CONFIG),
	ROW_TAKES("Pp", "port address user pass"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_entr_options[] = {
	ROW_FLAG("acdnprsxz", NULL),
	OPTIONS_END,
};

const struct option_row wrapper_run_parts_options[] = {
	ROW_FLAG("v",
		 "test list verbose debug report reverse exit-on-error new-session lsbsysinit"),
	ROW_TAKES("au", "regex arg umask"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_hyperfine_options[] = {
	ROW("pscC", "prepare setup cleanup conclude", ARG_ONE, USE_SHELL),
	ROW("S", "shell", ARG_ONE, USE_PROGRAM),
	ROW_TAKES("wmMrnu", "warmup min-runs max-runs runs command-name time-unit style sort "
			    "reference input min-benchmarking-time"),
	ROW_FLAG("iN", "ignore-failure show-output"),
	ROW(NULL, "export-asciidoc export-csv export-json export-markdown export-orgmode", ARG_ONE,
	    DEED_WRITE),
	ROW(NULL, "output", ARG_ONE, USE_UNKNOWN),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_tini_options[] = {
	ROW_FLAG("gsvwcV", "single-child verbose"),
	ROW_TAKES("per", "rewrite"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_choom_options[] = {
	ROW_TAKES("np", "adjust pid"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_prlimit_options[] = {
	ROW_TAKES("po", "pid output"),
	ROW_FLAG(NULL, "noheadings raw verbose"),
	ROW_MAYBE("cdefilmnqrstuvxy", "core data nice fsize sigpending memlock rss nofile msgqueue "
				      "rtprio stack cpu nproc as locks rttime"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_cpulimit_options[] = {
	ROW_TAKES("lPecp", "limit path exe cpu pid"),
	ROW_FLAG("vzibfksmq", "verbose lazy include-children background foreground kill quiet"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

const struct option_row wrapper_cgexec_options[] = {
	ROW_FLAG("b", "sticky"),
	ROW_TAKES("g", NULL),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

const struct option_row wrapper_aa_exec_options[] = {
	ROW_TAKES("pn", "profile namespace"),
	ROW_FLAG("idv", "immediate debug verbose"),
	ROW_HELP("h", "help"),
	OPTIONS_END,
};

const struct option_row wrapper_setpriv_options[] = {
	ROW_FLAG("d", "dump nnp no-new-privs clear-groups keep-groups init-groups reset-env"),
	ROW_TAKES(NULL,
		  "ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups "
		  "securebits pdeathsig ptracer selinux-label apparmor-profile landlock-access "
		  "landlock-rule seccomp-filter"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

const struct option_row wrapper_chronic_options[] = {
	ROW_FLAG("ven", NULL),
	OPTIONS_END,
};

const struct option_row wrapper_busybox_options[] = {
	ROW_FLAG(NULL, "list list-full list-long install"),
	ROW_FLAG("s", NULL),
	ROW_HELP(NULL, "help version"),
	OPTIONS_END,
};
