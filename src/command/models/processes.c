/* SPDX-License-Identifier: MIT */
/*
 * Processes: who runs, who is signalled, and what is to run later. Terminal multiplexers, which run
 * things too, are in processes_terminals.c.
 */
#include "command/models/basics.h"

RULE(signals, "kill.signals", PROMPT, PROCESS, "signals processes");
RULE(signals_all, "kill.signals-everything", FORBIDDEN, PROCESS,
     "signals every process of this user or of the system");
RULE(signals_protection, "kill.stops-protection", FORBIDDEN, PROCESS,
     "ends a process that protects or holds up this system");
RULE(priority_changes, "process.changes", PROMPT, PROCESS, "changes how processes run");
RULE(jobs_change, "job.changes", PROMPT, SYSTEM, "changes what is to run later");
RULE(jobs_removed, "crontab.removes-all", FORBIDDEN, DELETES, "deletes all jobs of this user");
RULE(environment_shown, "environment.shown", PROMPT, DISCLOSURE,
     "shows environment variables, which may hold secrets");
RULE(memory_dumped, "process.dumps-memory", PROMPT, DISCLOSURE,
     "writes the memory of a process, secrets and all, to a file");

#define LOOKS .finds = FIND_IGNORES_INPUT

static const struct option_row help_options[] = {
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

/* ---- looking --------------------------------------------------------------------------------- */

/* Letters of ps that are followed by a value; with a dash, and without one. */
#define PS_DASHED_VALUES "CGgopqstuUOk"
#define PS_BARE_VALUES "opqtUkO"

/*
 * ps reads words without a dash as options too, and there an e means the environment. false: the
 * next word is a value.
 */
static bool
ps_word_is_last(const struct field *word, struct findings *found)
{
	const char *text = word->text;
	size_t bare = strcspn(text, PS_BARE_VALUES);

	if (text[0] == '\0' || (text[0] == '-' && text[1] == '-')) {
		return true;
	}
	if (text[0] == '-') {
		return strchr(PS_DASHED_VALUES, text[word->len - 1]) == NULL;
	}
	if (text[0] >= '0' && text[0] <= '9') {
		return true;
	}
	if (memchr(text, 'e', bare) != NULL) {
		find_rule(found, &environment_shown, word);
		found->flags |= FIND_OUT_SECRET;
	}
	return strchr(PS_BARE_VALUES, text[word->len - 1]) == NULL;
}

static void
ps_refine(const struct match *match, struct findings *found)
{
	bool value = false;

	for (size_t i = 0; i < match->operand_count; i++) {
		if (!field_is_literal(&match->operands[i]) && !value) {
			find_unknown(found, "a word that may be an option", &match->operands[i]);
			continue;
		}
		value = !value && !ps_word_is_last(&match->operands[i], found);
	}
}

static const struct option_row pgrep_options[] = {
	ROW_FLAG("lavwcfinoxLAIqe",
		 "list-name list-full inverse lightweight count full ignore-case "
		 "newest oldest exact logpidfile ignore-ancestors quiet"),
	ROW_TAKES("dgGOPstuUFrj", "delimiter pgroup group older parent session terminal euid uid "
				  "pidfile runstates cgroup ns nslist env"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row pidof_options[] = {
	ROW_FLAG("scnqxwzt", "single-shot check-root quiet with-workers lightweight"),
	ROW_TAKES("odS", "omit-pid separator"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row top_options[] = {
	ROW_FLAG("bcHiOSs1CMtaRrkxXY",
		 "batch-mode cmdline-toggle threads-show idle-toggle "
		 "list-fields accum-time-toggle secure-mode single-cpu-toggle "
		 "no-color no-mouse tree no-unicode readonly"),
	ROW_TAKES("dEenopUuljF", "delay scale-summary-mem scale-task-mem iterations sort-override "
				 "pid filter-any-user filter-only-euser user sort-key filter "
				 "highlight-changes max-iterations stats"),
	ROW_MAYBE("w", "width"),
	ROW_HELP("hVv", "help version"),
	OPTIONS_END,
};

static const struct option_row pstree_options[] = {
	ROW_FLAG("aAcgGlnpsStTuUZkwdh",
		 "arguments ascii compact-not show-pgids vt100 long "
		 "numeric-sort show-pids show-parents ns-changes thread-names "
		 "hide-threads uid-changes unicode security-context "
		 "highlight-all"),
	ROW_TAKES("CHNf", "color highlight-pid ns-sort"),
	ROW_HELP("V", "version help"),
	OPTIONS_END,
};

static const struct option_row pmap_options[] = {
	ROW_FLAG("xXdqpc", "extended device quiet show-path read-rc"),
	ROW_TAKES("A", "range"),
	ROW_PATH("C", "read-rc-from", DEED_READ),
	ROW_PATH("N", "create-rc-to", DEED_WRITE),
	ROW_DOUBT("n", "create-rc"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row ipcs_options[] = {
	ROW_FLAG("mqsatpclubo",
		 "shmems queues semaphores all time pid creator limits summary human "
		 "bytes once"),
	ROW_TAKES("id", "id delay sort scale"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row cgls_options[] = {
	ROW_FLAG("alkxptcmirqvb",
		 "all full no-pager raw recursive batch order depth vm container chroot "
		 "private-users cvm list quiet"),
	ROW_TAKES("uMdn", "unit user-unit machine xattr cgroup-id iterations delay"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

/* ---- signals --------------------------------------------------------------------------------- */

static const char held_up_by[] =
	"init systemd launchd sshd ssh-agent dbus-daemon Xorg auditd firewalld "
	"falcon-sensor osqueryd clamd fail2ban fail2ban-server rsyslogd "
	"systemd-journald systemd-logind dockerd containerd loginwindow "
	"WindowServer apparmor wazuh-agent mdatp crowdsec";

/* -l and -L only list. */
static bool
kill_lists(const struct match *match)
{
	return match->operand_count > 0 && service_operand_is(match, 0, "-l -L --list --table");
}

/* The operand that the process numbers start at; `*harmless` when the signal only asks. */
static size_t
kill_first_process(const struct match *match, bool *harmless)
{
	size_t at = 0;

	if (match->operand_count == 0) {
		return 0;
	}
	if (service_operand_is(match, 0, "-s -n --signal -q --queue")) {
		*harmless = match->operand_count > 1 && service_operand_is(match, 1, "0");
		at = 2;
	} else if (match->operands[0].text[0] == '-' && !field_is(&match->operands[0], "--")) {
		*harmless = service_operand_is(match, 0, "-0 -s0 -n0 --signal=0");
		at = 1;
	}
	if (at < match->operand_count && field_is(&match->operands[at], "--")) {
		at++;
	}
	return at;
}

static void
kill_refine(const struct match *match, struct findings *found)
{
	bool harmless = false;
	size_t first = kill_first_process(match, &harmless);

	if (kill_lists(match) || match->operand_count == 0 ||
	    (match->operand_count == 1 && service_operand_is(match, 0, "--help --version -V"))) {
		return;
	}
	if (harmless) {
		return;
	}
	find_rule(found, &signals, match->operands);
	for (size_t i = first; i < match->operand_count; i++) {
		if (service_operand_is(match, i, "-1 1")) {
			find_rule(found, &signals_all, &match->operands[i]);
		}
	}
}

static const struct option_row killall_options[] = {
	ROW_FLAG("eIgiqrvwdmzc0123456789",
		 "exact ignore-case process-group interactive quiet regexp "
		 "verbose wait"),
	ROW_TAKES("yosutnZj", "younger-than older-than signal user ns context"),
	ROW_HELP("lV", "list version help"),
	OPTIONS_END,
};

static const struct option_row pkill_options[] = {
	ROW_FLAG("ecfinoxLAIlav0123456789", "echo count full ignore-case newest oldest exact "
					    "logpidfile ignore-ancestors inverse"),
	ROW_TAKES("qgGOPstuUFrMNj",
		  "signal queue pgroup group older parent session terminal euid uid "
		  "pidfile runstates cgroup ns nslist"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* A pattern that fits every name. */
static bool
fits_all(const struct field *pattern)
{
	return field_is(pattern, ".") || field_is(pattern, ".*") || field_is(pattern, "") ||
	       field_is(pattern, "^") || field_is(pattern, ".+");
}

/* Without a name, all processes that the other conditions leave. */
static void
pkill_refine(const struct match *match, struct findings *found)
{
	bool by_user = match_option(match, 'u', "euid") != NULL ||
		       match_option(match, 'U', "uid") != NULL ||
		       match_option(match, 0, "user") != NULL;

	find_rule(found, &signals, match->operands);
	if (match->operand_count == 0 && (by_user || match_option(match, 'v', "inverse") != NULL)) {
		find_rule(found, &signals_all, NULL);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (fits_all(&match->operands[i]) || match_option(match, 'v', "inverse") != NULL) {
			find_rule(found, &signals_all, &match->operands[i]);
		} else if (field_is_literal(&match->operands[i]) &&
			   service_word_in(match->operands[i].text, held_up_by)) {
			find_rule(found, &signals_protection, &match->operands[i]);
		}
	}
}

static void
killall_refine(const struct match *match, struct findings *found)
{
	find_rule(found, &signals, match->operands);
	if (match->operand_count == 0 && match_option(match, 'u', "user") != NULL) {
		find_rule(found, &signals_all, NULL);
	}
	for (size_t i = 0; i < match->operand_count; i++) {
		if (match_option(match, 'r', "regexp") != NULL && fits_all(&match->operands[i])) {
			find_rule(found, &signals_all, &match->operands[i]);
		} else if (field_is_literal(&match->operands[i]) &&
			   service_word_in(match->operands[i].text, held_up_by)) {
			find_rule(found, &signals_protection, &match->operands[i]);
		}
	}
}

static const struct option_row gcore_options[] = {
	ROW_FLAG("a", NULL),
	ROW_PATH("o", NULL, DEED_WRITE),
	ROW_HELP("hv", "help version"),
	OPTIONS_END,
};

static const struct option_row ipcrm_options[] = {
	ROW_FLAG("v", "verbose queue"),
	ROW_MAYBE("a", "all"),
	ROW_TAKES("mMqQsSp",
		  "shmem-id shmem-key queue-id queue-key semaphore-id semaphore-key shmem "
		  "semaphore mode"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

static const struct option_row renice_options[] = {
	ROW_FLAG("pgu", "pid pgrp user relative"),
	ROW_TAKES("n", "priority"),
	ROW_HELP("hV", "help version"),
	OPTIONS_END,
};

/* ---- later ----------------------------------------------------------------------------------- */

static const struct option_row at_options[] = {
	ROW_FLAG("mMvbkc", NULL),
	ROW_FLAG("l", NULL),
	ROW_RULE("rd", NULL, ARG_NONE, &jobs_change),
	ROW_TAKES("qto", NULL),
	ROW("f", NULL, ARG_ONE, USE_NOTHING),
	ROW_HELP("V", NULL),
	OPTIONS_END,
};

static void
at_refine(const struct match *match, struct findings *found)
{
	const struct matched_option *file = match_option(match, 'f', NULL);

	if (match_option(match, 'c', NULL) != NULL) {
		find_rule(found, &environment_shown, NULL);
		found->flags |= FIND_OUT_SECRET;
		return;
	}
	if (match_option(match, 'l', NULL) != NULL || match_option(match, 'r', NULL) != NULL ||
	    match_option(match, 'd', NULL) != NULL) {
		return;
	}
	find_rule(found, &jobs_change, NULL);
	if (file != NULL && file->arg != NULL) {
		find_file(found, LANG_SH, file->arg, INNER_LATER, "at");
	} else {
		find_stdin(found, LANG_SH, INNER_LATER, "at");
	}
}

static const struct option_row crontab_options[] = {
	ROW_FLAG("lin", NULL),
	ROW_RULE("r", NULL, ARG_NONE, &jobs_removed),
	ROW_RULE("e", NULL, ARG_NONE, &jobs_change),
	ROW_TAKES("ux", NULL),
	ROW("c", NULL, ARG_ONE, USE_LAST),
	ROW_PATH("T", NULL, DEED_READ),
	ROW_HELP("V", "help version"),
	OPTIONS_END,
};

static void
crontab_refine(const struct match *match, struct findings *found)
{
	if (match_option(match, 'l', NULL) != NULL || match_option(match, 'r', NULL) != NULL ||
	    match_option(match, 'e', NULL) != NULL || match_option(match, 'T', NULL) != NULL) {
		return;
	}
	find_rule(found, &jobs_change, match->operands);
	if (match->operand_count == 0 || field_is(match->operands, "-")) {
		find_stdin(found, LANG_CRONTAB, INNER_LATER, "crontab");
	} else {
		find_file(found, LANG_CRONTAB, match->operands, INNER_LATER, "crontab");
	}
}

/* ---- managers of processes ------------------------------------------------------------------- */

static const struct program supervisor_commands[] = {
	SUB("status|avail|pid|version|help", ".*", NULL, NULL, NULL, NULL),
	SUB("start|stop|restart|signal|reload|reread|update|add|remove|clear|shutdown|fg|tail|"
	    "maintail",
	    ".*", NULL, NULL, &priority_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row supervisor_options[] = {
	ROW_PATH("c", "configuration", DEED_CONFIG),
	ROW_TAKES("up", "username password history-file"),
	ROW_REMOTE("s", "serverurl"),
	ROW_HELP("h", "help version"),
	OPTIONS_END,
};

static const struct program pm2_commands[] = {
	SUB("list|ls|l|status|ps|show|describe|info|desc|logs|monit|imonit|id|pid|report|examples|"
	    "help",
	    ".*", NULL, NULL, NULL, NULL),
	SUB("env|jlist|prettylist", ".*", NULL, NULL, &environment_shown, NULL),
	SUB("start|restart|reload|scale|sendSignal|trigger|attach|exec", "x*", NULL, NULL,
	    &priority_changes, NULL),
	SUB("stop|delete|del|kill|flush|save|dump|resurrect|startup|unstartup|update|reset|install|"
	    "uninstall|set|unset|link|unlink|deploy|init|ecosystem|plus|cleardump",
	    ".*", NULL, NULL, &priority_changes, NULL),
	PROGRAMS_END,
};

static const struct option_row pm2_options[] = {
	ROW_FLAG("sma", "silent mini-list no-color nostream raw json timestamp err out no-daemon"),
	ROW_TAKES("nio", "lines name instances sort"),
	ROW_HELP("hvV", "help version"),
	OPTIONS_END,
};

/* -------------------------------------------------------------------------------------------- */

const struct program models_processes[] = {
	{ .names = "ps", .style = PARSE_NONE, LOOKS, .refine = ps_refine },
	{ .names = "pgrep pidwait", .operands = ".*", .options = pgrep_options, LOOKS },
	{ .names = "pidof", .operands = ".*", .options = pidof_options, LOOKS },
	{ .names = "top htop", .operands = ".*", .options = top_options, LOOKS },
	{ .names = "pstree", .operands = ".*", .options = pstree_options, LOOKS },
	{ .names = "pmap pwdx", .operands = ".*", .options = pmap_options, LOOKS },
	{ .names = "ipcs slabtop tload", .operands = ".*", .options = ipcs_options, LOOKS },
	{ .names = "systemd-cgls systemd-cgtop systemd-detect-virt",
	  .operands = ".*",
	  .options = cgls_options,
	  LOOKS },
	{ .names = "kill", .style = PARSE_NONE, LOOKS, .refine = kill_refine },
	{ .names = "pkill", .options = pkill_options, LOOKS, .refine = pkill_refine },
	{ .names = "killall", .options = killall_options, LOOKS, .refine = killall_refine },
	{ .names = "killall5", .operands = ".*", .options = killall_options, .rule = &signals_all },
	{ .names = "skill snice xkill",
	  .operands = ".*",
	  .options = help_options,
	  .style = PARSE_LOOSE,
	  .rule = &signals },
	{ .names = "renice",
	  .operands = ".*",
	  .options = renice_options,
	  .style = PARSE_NUMBER,
	  .rule = &priority_changes },
	{ .names = "ipcrm ipcmk",
	  .operands = ".*",
	  .options = ipcrm_options,
	  .rule = &priority_changes },
	{ .names = "gcore procdump",
	  .operands = ".*",
	  .options = gcore_options,
	  .rule = &memory_dumped },
	{ .names = "at batch", .options = at_options, .refine = at_refine },
	{ .names = "atq", .operands = ".*", .options = at_options, LOOKS },
	{ .names = "atrm", .operands = ".*", .options = at_options, .rule = &jobs_change },
	{ .names = "crontab",
	  .operands = ".?",
	  .options = crontab_options,
	  .refine = crontab_refine },
	{ .names = "supervisorctl",
	  .options = supervisor_options,
	  .subcommands = supervisor_commands },
	{ .names = "pm2 pm2-dev", .options = pm2_options, .subcommands = pm2_commands },
	PROGRAMS_END,
};
