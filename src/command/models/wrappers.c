/* SPDX-License-Identifier: MIT */
/*
 * Programs that run a command. Their own options end where the command starts, and apart from what
 * their rows say they add nothing: the command decides.
 */
#include "command/models/wrappers_impl.h"

RULE(rule_project, "wrapper.project", PROMPT, EXECUTES, "runs what the project's settings name");

/* ---- subcommands --------------------------------------------------------------------------- */

static const struct program direnv_subs[] = {
	WRAPPER("exec", ". !", NULL, wrapper_prompt),
	SUB("status|version|help|show_dump|fetchurl", "u*", NULL, NULL, NULL, NULL),
	PROGRAMS_END,
};

/* The architecture may be left out; options may stand behind it. */
static const struct program setarch_subs[] = {
	WRAPPER("linux32|linux64|x86_64|i386|i486|i586|i686|athlon|x86|aarch64|armv7l|armv8l|arm|"
		"ppc|ppc64|ppc64le|ppc32|s390|s390x|mips|mips64|riscv64|uname26",
		"!", NULL, NULL),
	PROGRAMS_END,
};

static const struct program perf_subs[] = {
	SUB("list|version|help", ".*", NULL, NULL, NULL, NULL),
	WRAPPER("stat|record|trace|mem|c2c|lock|kvm|kmem|sched", "!", wrapper_loose_options,
		wrapper_prompt),
	PROGRAMS_END,
};

/* ---- programs ------------------------------------------------------------------------------ */

const struct program models_wrappers[] = {
	WRAPPER("env", "!", wrapper_env_options, wrapper_env),
	WRAPPER("sudo", "!", wrapper_sudo_options, wrapper_sudo),
	WRAPPER("doas", "!", wrapper_doas_options, wrapper_doas),
	{ "su", ".*", wrapper_su_options, NULL, 0, 0, NULL, wrapper_su },
	{ "runuser", ".*", wrapper_runuser_options, NULL, 0, 0, NULL, wrapper_runuser },
	WRAPPER("pkexec", "!", wrapper_pkexec_options, wrapper_doas),
	WRAPPER("gosu su-exec setuidgid", ". !", wrapper_plain_options, wrapper_privileged),
	WRAPPER("setpriv", "!", wrapper_setpriv_options, wrapper_prompt),
	WRAPPER("nohup", "!", wrapper_plain_options, wrapper_refine_nohup),
	WRAPPER("setsid", "!", wrapper_setsid_options, NULL),
	{ "nice", "!", wrapper_nice_options, NULL, PARSE_POSIX | PARSE_NUMBER, 0, NULL, NULL },
	WRAPPER("ionice", "!", wrapper_ionice_options, wrapper_refine_process),
	WRAPPER("chrt", ". !", wrapper_chrt_options, wrapper_refine_process),
	WRAPPER("taskset", ". !", wrapper_taskset_options, wrapper_refine_taskset),
	WRAPPER("stdbuf", "!", wrapper_stdbuf_options, NULL),
	WRAPPER("timeout gtimeout", ". !", wrapper_timeout_options, NULL),
	WRAPPER("time gtime", "!", wrapper_time_options, NULL),
	WRAPPER("chroot", ". !", wrapper_chroot_options, wrapper_refine_opens_shell),
	WRAPPER("unshare", "!", wrapper_unshare_options, wrapper_refine_opens_shell),
	WRAPPER("nsenter", "!", wrapper_nsenter_options, wrapper_refine_nsenter),
	WRAPPER("numactl", "!", wrapper_numactl_options, NULL),
	{ "setarch", "!", wrapper_setarch_options, setarch_subs, PARSE_POSIX, 0, NULL,
	  wrapper_refine_process },
	WRAPPER("linux32 linux64 i386 x86_64 uname26", "!", wrapper_setarch_options,
		wrapper_refine_process),
	WRAPPER("flock", ". !", wrapper_flock_options, wrapper_refine_flock),
	WRAPPER("watch", "!", wrapper_watch_options, wrapper_refine_watch),
	{ "script", "w? !", wrapper_script_options, NULL, 0, 0, NULL, wrapper_refine_script },
	WRAPPER("busybox toybox", "!", wrapper_busybox_options, wrapper_refine_busybox),
	WRAPPER("fakeroot fakeroot-sysv fakeroot-tcp fakechroot", "!", wrapper_fakeroot_options,
		wrapper_prompt),
	{ "proot", "!", wrapper_loose_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  wrapper_prompt },
	WRAPPER("faketime", ". !", wrapper_faketime_options, NULL),
	WRAPPER("strace", "!", wrapper_strace_options, wrapper_refine_strace),
	WRAPPER("ltrace", "!", wrapper_ltrace_options, wrapper_refine_strace),
	{ "valgrind", "!", wrapper_loose_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  wrapper_prompt },
	{ "perf", NULL, wrapper_loose_options, perf_subs, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  wrapper_prompt },
	WRAPPER("unbuffer", "!", wrapper_unbuffer_options, NULL),
	WRAPPER("rlwrap", "!", wrapper_rlwrap_options, wrapper_prompt),
	WRAPPER("systemd-run", "!", wrapper_systemd_run_options, wrapper_refine_systemd_run),
	WRAPPER("dbus-run-session dbus-launch", "!", wrapper_dbus_run_session_options,
		wrapper_prompt),
	WRAPPER("xvfb-run", "!", wrapper_xvfb_run_options, wrapper_prompt),
	{ "firejail", "!", wrapper_loose_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  wrapper_prompt },
	WRAPPER("bwrap", "!", wrapper_bwrap_options, wrapper_prompt),
	WRAPPER("catchsegv eatmydata", "!", wrapper_plain_options, NULL),
	WRAPPER("caffeinate", "!", wrapper_caffeinate_options, NULL),
	WRAPPER("chpst", "!", wrapper_chpst_options, wrapper_prompt),
	{ "start-stop-daemon", ".*", wrapper_ssd_options, NULL, 0, 0, NULL, wrapper_refine_ssd },
	WRAPPER("daemonize", "!", wrapper_daemonize_options, wrapper_prompt),
	WRAPPER("ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 "
		"ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld.so",
		"!", wrapper_loader_options, wrapper_prompt),
	WRAPPER("torsocks torify proxychains proxychains4 tsocks", "!", wrapper_proxychains_options,
		wrapper_refine_proxy),
	{ "direnv", NULL, wrapper_plain_options, direnv_subs, PARSE_POSIX, 0, &rule_project, NULL },
	WRAPPER("entr", "!", wrapper_entr_options, wrapper_refine_entr),
	WRAPPER("run-parts", ".*", wrapper_run_parts_options, wrapper_refine_run_parts),
	{ "hyperfine", ".*", wrapper_hyperfine_options, NULL, 0, 0, NULL, wrapper_refine_texts },
	WRAPPER("tini dumb-init catatonit", "!", wrapper_tini_options, NULL),
	WRAPPER("choom", "!", wrapper_choom_options, wrapper_refine_process),
	WRAPPER("prlimit", "!", wrapper_prlimit_options, wrapper_refine_process),
	WRAPPER("cpulimit", "!", wrapper_cpulimit_options, wrapper_refine_process),
	WRAPPER("cgexec", "!", wrapper_cgexec_options, wrapper_prompt),
	WRAPPER("aa-exec", "!", wrapper_aa_exec_options, wrapper_prompt),
	WRAPPER("runcon", ". !", wrapper_util_options, wrapper_prompt),
	{ "capsh", ".*", wrapper_loose_options, NULL, PARSE_POSIX | PARSE_LOOSE, 0, NULL,
	  wrapper_refine_capsh },
	{ "sg", ".*", NULL, NULL, PARSE_NONE, 0, NULL, wrapper_refine_sg },
	WRAPPER("chronic ifne", "!", wrapper_chronic_options, NULL),
	{ "mispipe pee", ".*", NULL, NULL, 0, 0, NULL, wrapper_refine_texts },
	PROGRAMS_END,
};
