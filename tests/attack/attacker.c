/* SPDX-License-Identifier: MIT */

/*
 * The program `attacker`: runs one attack and reports its outcome.
 *
 *     attacker CLASS.NAME key=value ...
 *     attacker --list
 *
 * The report is two lines on standard output, so that run.py can tell an attack that was blocked
 * from a program that never started:
 *
 *     ATTACK-START
 *     ATTACK-END <outcome> <text>
 */

#include "attack.h"

#include "base/attr.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define TIME_LIMIT 15 /* seconds */

struct attack_class {
	const char *name;
	const struct attack *attacks;
};

static const struct attack_class classes[] = {
	{ "fswrite", fswrite_attacks },	  { "readonly", readonly_attacks },
	{ "meta", meta_attacks },	  { "protect", protect_attacks },
	{ "missing", missing_attacks },	  { "read", read_attacks },
	{ "readmeta", readmeta_attacks }, { "tmp", tmp_attacks },
	{ "start", start_attacks },	  { "proc", proc_attacks },
	{ "procsig", procsig_attacks },	  { "launcher", launcher_attacks },
	{ "net", net_attacks },		  { "unix", unix_attacks },
	{ "family", family_attacks },	  { "ns", ns_attacks },
	{ "kern", kern_attacks },	  { "ipc", ipc_attacks },
	{ "env", env_attacks },		  { "fd", fd_attacks },
	{ "tty", tty_attacks },		  { "limit", limit_attacks },
	{ "cgroup", cgroup_attacks },	  { "benign", benign_attacks },
	{ "info", info_attacks },	  { "broker", broker_attacks },
	{ "race", race_attacks },	  { "nested", nested_attacks },
};

static const char *const proof_names[] = {
	[PROOF_CALL] = "call",	       [PROOF_FILES] = "files",	  [PROOF_SECRET] = "secret",
	[PROOF_RECEIVED] = "received", [PROOF_VICTIM] = "victim", [PROOF_TERMINAL] = "terminal",
	[PROOF_LAUNCHER] = "launcher", [PROOF_LEFT] = "left",
};

/* ---- the report ------------------------------------------------------------------------------ */

/* The text of the one report that this process makes. */
static char report[700];

static void __attribute__((format(printf, 1, 0))) format_report(const char *format, va_list args)
{
	size_t i;

	(void)vsnprintf(report, sizeof(report), format, args);
	for (i = 0; report[i] != '\0'; i++) {
		if (report[i] < ' ' || report[i] > '~') {
			report[i] = ' ';
		}
	}
}

enum outcome
succeeded(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_report(format, args);
	va_end(args);
	return SUCCEEDED;
}

enum outcome
blocked(const char *format, ...)
{
	const char *reason = strerrorname_np(errno);
	size_t len;
	va_list args;

	va_start(args, format);
	format_report(format, args);
	va_end(args);
	len = strlen(report);
	(void)snprintf(report + len, sizeof(report) - len, " (%s)", reason ? reason : "?");
	return BLOCKED;
}

enum outcome
not_applicable(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_report(format, args);
	va_end(args);
	return NOT_APPLICABLE;
}

/* Async-signal-safe: also called from a handler. */
static void
send_line(const char *line)
{
	ssize_t n = write(STDOUT_FILENO, line, strlen(line));

	if (n < 0) {
		_exit(3);
	}
}

static void
send_report(enum outcome outcome)
{
	char line[sizeof(report) + 32];

	(void)snprintf(line, sizeof(line), "\nATTACK-END %d %s\n", (int)outcome, report);
	send_line(line);
}

static void
on_timeout(int signal_number)
{
	(void)signal_number;
	send_line("\nATTACK-END 1 no effect in time\n");
	_exit(1);
}

static void
on_bad_syscall(int signal_number)
{
	(void)signal_number;
	send_line("\nATTACK-END 1 the filter raised SIGSYS\n");
	_exit(1);
}

/* ---- the scene ------------------------------------------------------------------------------- */

struct scene_field {
	const char *key;
	bool number;
	size_t offset;
};

#define TEXT_FIELD(f)                                                                              \
	{                                                                                          \
#f, false, offsetof(struct scene, f)                                               \
	}
#define NUMBER_FIELD(f)                                                                            \
	{                                                                                          \
#f, true, offsetof(struct scene, f)                                                \
	}

static const struct scene_field fields[] = {
	TEXT_FIELD(home),
	TEXT_FIELD(workspace),
	TEXT_FIELD(work),
	TEXT_FIELD(outside),
	TEXT_FIELD(tag),
	TEXT_FIELD(keys),
	TEXT_FIELD(probe),
	TEXT_FIELD(cgroup),
	TEXT_FIELD(other_tmp),
	TEXT_FIELD(unix_stream),
	TEXT_FIELD(unix_datagram),
	TEXT_FIELD(abstract),
	TEXT_FIELD(queue),
	TEXT_FIELD(terminal),
	TEXT_FIELD(shared),
	NUMBER_FIELD(runner),
	NUMBER_FIELD(victim),
	NUMBER_FIELD(victim_secret),
	NUMBER_FIELD(victim_read_fd),
	NUMBER_FIELD(victim_write_fd),
	NUMBER_FIELD(namespace_victim),
	NUMBER_FIELD(tcp4),
	NUMBER_FIELD(tcp6),
	NUMBER_FIELD(udp),
	NUMBER_FIELD(dns),
	NUMBER_FIELD(prober),
	NUMBER_FIELD(ipc_key),
	NUMBER_FIELD(group),
	NUMBER_FIELD(disk_mb),
	NUMBER_FIELD(memory_mb),
	NUMBER_FIELD(pids),
	NUMBER_FIELD(tries),
};

static const char *
value_of(const char *key, char *const arguments[])
{
	size_t len = strlen(key);

	for (; *arguments != NULL; arguments++) {
		if (strncmp(*arguments, key, len) == 0 && (*arguments)[len] == '=') {
			return *arguments + len + 1;
		}
	}
	return "";
}

static void
read_scene(struct scene *scene, char *const arguments[])
{
	size_t i;

	for (i = 0; i < COUNT_OF(fields); i++) {
		const char *value = value_of(fields[i].key, arguments);
		char *field = (char *)scene + fields[i].offset;

		if (fields[i].number) {
			long number = strtol(value, NULL, 0);

			memcpy(field, &number, sizeof(number));
		} else {
			memcpy(field, &value, sizeof(value));
		}
	}
}

/* ---- the program ----------------------------------------------------------------------------- */

static void
list_attacks(void)
{
	const struct attack *attack;
	size_t i;

	for (i = 0; i < COUNT_OF(classes); i++) {
		for (attack = classes[i].attacks; attack->name != NULL; attack++) {
			(void)printf("%s.%s\t%s\t%s\n", classes[i].name, attack->name,
				     proof_names[attack->proof], attack->tries);
		}
	}
}

static const struct attack *
find_attack(const char *full_name)
{
	const char *dot = strchr(full_name, '.');
	const struct attack *attack;
	size_t i;

	for (i = 0; dot != NULL && i < COUNT_OF(classes); i++) {
		size_t len = (size_t)(dot - full_name);

		if (strlen(classes[i].name) != len ||
		    strncmp(classes[i].name, full_name, len) != 0) {
			continue;
		}
		for (attack = classes[i].attacks; attack->name != NULL; attack++) {
			if (strcmp(attack->name, dot + 1) == 0) {
				return attack;
			}
		}
	}
	return NULL;
}

int
main(int argc, char *argv[])
{
	const struct attack *attack;
	struct scene scene;
	enum outcome outcome;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list_attacks();
		return 0;
	}
	attack = argc >= 2 ? find_attack(argv[1]) : NULL;
	if (attack == NULL) {
		(void)fprintf(stderr, "usage: attacker CLASS.NAME key=value ... | --list\n");
		return 2;
	}
	read_scene(&scene, argv + 2);
	scene.row = attack;
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGALRM, on_timeout);
	(void)signal(SIGSYS, on_bad_syscall);
	(void)alarm(scene.tries > 0 ? 0 : TIME_LIMIT);
	send_line("\nATTACK-START\n");
	errno = 0;
	outcome = attack->run(&scene);
	send_report(outcome);
	return 0;
}
