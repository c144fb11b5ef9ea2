/* SPDX-License-Identifier: MIT */
#ifndef COMMAND_MODELS_WRAPPERS_IMPL_H
#define COMMAND_MODELS_WRAPPERS_IMPL_H

/*
 * What the tables of wrappers, shells and search tools share. A wrapper adds nothing of its own to
 * the command that it runs unless its rows or its refinement say so.
 */

#include "command/models/models.h"
#include "command/models/services.h"

/* A wrapper: names, operands, options, refinement. Its own options end where its command starts. */
#define WRAPPER(names, operands, options, refine)                                                  \
	{                                                                                          \
		names, operands, options, NULL, PARSE_POSIX, 0, NULL, refine                       \
	}

/* Sets flags of enum inner_flag on all that is run. */
void wrapper_flag(struct findings *found, unsigned flags);

/* Refinements: what is run is somebody else's, is never harmless, or runs at another time. */
void wrapper_privileged(const struct match *match, struct findings *found);
void wrapper_prompt(const struct match *match, struct findings *found);

/* The number of words in front that set variables: NAME=VALUE. */
size_t wrapper_assignments(const struct field *argv, size_t argc);

/* Takes NAME=VALUE in front of the command of `inner` for its environment. */
void wrapper_take_assignments(struct findings *found, struct inner *inner);

/* A command of `first` and then `argv`, in the arena. */
struct inner *wrapper_command(struct findings *found, const char *first, const struct field *argv,
			      size_t argc, unsigned flags, const char *via);

/* `words` with blanks between them, as a text. NULL: there are none. */
const struct field *wrapper_join(struct findings *found, const struct field *words, size_t count);

/* env with its own splitting of words; sudo; su and runuser; watch. */
extern const struct option_row wrapper_env_options[];
void wrapper_env(const struct match *match, struct findings *found);
extern const struct option_row wrapper_sudo_options[];
void wrapper_sudo(const struct match *match, struct findings *found);
extern const struct option_row wrapper_doas_options[];
void wrapper_doas(const struct match *match, struct findings *found);
extern const struct option_row wrapper_su_options[];
void wrapper_su(const struct match *match, struct findings *found);
extern const struct option_row wrapper_runuser_options[];
void wrapper_runuser(const struct match *match, struct findings *found);
extern const struct option_row wrapper_pkexec_options[];

/* The rows of wrappers.c's tables, and their refinements. */
extern const struct option_row wrapper_plain_options[];
extern const struct option_row wrapper_util_options[];
extern const struct option_row wrapper_setsid_options[];
extern const struct option_row wrapper_nice_options[];
extern const struct option_row wrapper_ionice_options[];
extern const struct option_row wrapper_chrt_options[];
extern const struct option_row wrapper_taskset_options[];
extern const struct option_row wrapper_stdbuf_options[];
extern const struct option_row wrapper_timeout_options[];
extern const struct option_row wrapper_time_options[];
extern const struct option_row wrapper_chroot_options[];
extern const struct option_row wrapper_unshare_options[];
extern const struct option_row wrapper_nsenter_options[];
extern const struct option_row wrapper_numactl_options[];
extern const struct option_row wrapper_setarch_options[];
extern const struct option_row wrapper_flock_options[];
extern const struct option_row wrapper_watch_options[];
extern const struct option_row wrapper_script_options[];
extern const struct option_row wrapper_fakeroot_options[];
extern const struct option_row wrapper_faketime_options[];
extern const struct option_row wrapper_strace_options[];
extern const struct option_row wrapper_ltrace_options[];
extern const struct option_row wrapper_unbuffer_options[];
extern const struct option_row wrapper_rlwrap_options[];
extern const struct option_row wrapper_systemd_run_options[];
extern const struct option_row wrapper_dbus_run_session_options[];
extern const struct option_row wrapper_xvfb_run_options[];
extern const struct option_row wrapper_loose_options[];
extern const struct option_row wrapper_bwrap_options[];
extern const struct option_row wrapper_caffeinate_options[];
extern const struct option_row wrapper_chpst_options[];
extern const struct option_row wrapper_ssd_options[];
extern const struct option_row wrapper_daemonize_options[];
extern const struct option_row wrapper_loader_options[];
extern const struct option_row wrapper_proxychains_options[];
extern const struct option_row wrapper_entr_options[];
extern const struct option_row wrapper_run_parts_options[];
extern const struct option_row wrapper_hyperfine_options[];
extern const struct option_row wrapper_tini_options[];
extern const struct option_row wrapper_choom_options[];
extern const struct option_row wrapper_prlimit_options[];
extern const struct option_row wrapper_cpulimit_options[];
extern const struct option_row wrapper_cgexec_options[];
extern const struct option_row wrapper_aa_exec_options[];
extern const struct option_row wrapper_setpriv_options[];
extern const struct option_row wrapper_chronic_options[];
extern const struct option_row wrapper_busybox_options[];
void wrapper_refine_nohup(const struct match *match, struct findings *found);
void wrapper_refine_process(const struct match *match, struct findings *found);
void wrapper_refine_taskset(const struct match *match, struct findings *found);
void wrapper_refine_flock(const struct match *match, struct findings *found);
void wrapper_refine_watch(const struct match *match, struct findings *found);
void wrapper_refine_script(const struct match *match, struct findings *found);
void wrapper_refine_opens_shell(const struct match *match, struct findings *found);
void wrapper_refine_nsenter(const struct match *match, struct findings *found);
void wrapper_refine_strace(const struct match *match, struct findings *found);
void wrapper_refine_ssd(const struct match *match, struct findings *found);
void wrapper_refine_sg(const struct match *match, struct findings *found);
void wrapper_refine_texts(const struct match *match, struct findings *found);
void wrapper_refine_entr(const struct match *match, struct findings *found);
void wrapper_refine_run_parts(const struct match *match, struct findings *found);
void wrapper_refine_systemd_run(const struct match *match, struct findings *found);
void wrapper_refine_proxy(const struct match *match, struct findings *found);
void wrapper_refine_capsh(const struct match *match, struct findings *found);
void wrapper_refine_busybox(const struct match *match, struct findings *found);

#endif /* COMMAND_MODELS_WRAPPERS_IMPL_H */
