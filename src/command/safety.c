/* SPDX-License-Identifier: MIT */

/*
 * The questions of vtcode-safety, answered by the verdict. Where that crate compared first words,
 * this reads the whole command; the names and the shape of the answers are what callers know.
 */

#include <bailey/command.h>

#include "base/attr.h"

#include <stdio.h>
#include <string.h>

static void
verdict_freep(struct bailey_verdict **verdict)
{
	bailey_verdict_free(*verdict);
}

#define AUTO_VERDICT __attribute__((cleanup(verdict_freep))) struct bailey_verdict

bool
bailey_command_might_be_dangerous(const char *const *argv, size_t argc)
{
	AUTO_VERDICT *verdict = NULL;

	return bailey_judge_argv(argv, argc, NULL, &verdict, NULL) != BAILEY_OK ||
	       verdict->decision == BAILEY_FORBIDDEN;
}

bool
bailey_shell_string_might_be_dangerous(const char *text)
{
	AUTO_VERDICT *verdict = NULL;

	return bailey_judge_shell(text, strlen(text), NULL, &verdict, NULL) != BAILEY_OK ||
	       verdict->decision == BAILEY_FORBIDDEN;
}

/* The base name of a command's program; "" when it is not known. */
static const char *
program_of(const struct bailey_simple *command)
{
	const char *slash;

	if (command->word_count == 0 || command->words[0].kind != BAILEY_WORD_LITERAL) {
		return "";
	}
	slash = strrchr(command->words[0].text, '/');
	return slash != NULL ? slash + 1 : command->words[0].text;
}

static bool
is_dynamic_find(const struct bailey_simple *command)
{
	if (strcmp(program_of(command), "find") != 0) {
		return false;
	}
	for (size_t i = 1; i < command->word_count; i++) {
		if (command->words[i].kind == BAILEY_WORD_DYNAMIC) {
			return true;
		}
	}
	return false;
}

/* Refused in a text that is to be taken as safe, whatever their arguments are. */
static const char *const never_safe[] = {
	"curl",	  "wget",     "rmdir",	"nc",	   "ncat",	"netcat", "telnet", "ftp",
	"scp",	  "sftp",     "ssh",	"chmod",   "chown",	"sudo",	  "su",	    "doas",
	"eval",	  "shutdown", "reboot", "halt",	   "poweroff",	"mkfs",	  "dd",	    "mount",
	"umount", "killall",  "pkill",	"crontab", "systemctl",
};

static int
refuse_command(const struct bailey_simple *command, struct bailey_error *err)
{
	const char *program = program_of(command);

	if (is_dynamic_find(command)) {
		return bailey_fail(err, BAILEY_E_REFUSED,
				   "'find' has arguments that are not known before it runs; write "
				   "them out");
	}
	for (size_t i = 0; i < COUNT_OF(never_safe); i++) {
		if (strcmp(program, never_safe[i]) == 0) {
			return bailey_fail(err, BAILEY_E_REFUSED,
					   "'%s' is never taken as safe; ask for approval",
					   program);
		}
	}
	return BAILEY_OK;
}

int
bailey_validate_command_safety(const char *text, struct bailey_error *err)
{
	AUTO_VERDICT *verdict = NULL;
	int rc = bailey_judge_shell(text, strlen(text), NULL, &verdict, err);

	if (rc != BAILEY_OK) {
		return rc;
	}
	if (verdict->decision == BAILEY_FORBIDDEN) {
		return bailey_fail(err, BAILEY_E_REFUSED, "%s: %s", verdict->reasons[0].rule,
				   verdict->reasons[0].message);
	}
	if (!verdict->readable) {
		return bailey_fail(err, BAILEY_E_SYNTAX, "%s: %s", verdict->reasons[0].rule,
				   verdict->reasons[0].message);
	}
	for (size_t i = 0; i < verdict->command_count && rc == BAILEY_OK; i++) {
		rc = refuse_command(&verdict->commands[i], err);
	}
	return rc;
}

/* ---- the registry -------------------------------------------------------------------------- */

static const char *const reading_programs[] = {
	"base64",   "cat",     "cut",	   "date",     "df",   "du",	"echo",	  "expr",
	"file",	    "find",    "git",	   "grep",     "head", "id",	"ls",	  "nl",
	"paste",    "pwd",     "rev",	   "rg",       "sed",  "seq",	"sort",	  "stat",
	"tail",	    "tr",      "uname",	   "uniq",     "wc",   "which", "whoami", "hostname",
	"basename", "dirname", "realpath", "printenv", "true", "false",
};

/* Builds write below the project alone, which the registry's users take as reading. */
static const char *const building_cargo[] = { "check", "build", "clippy" };

static bool
is_listed(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, list[i]) == 0) {
			return true;
		}
	}
	return false;
}

static bool
is_safe_cargo(const char *const *argv, size_t argc)
{
	if (argc < 2 || strcmp(argv[0], "cargo") != 0) {
		return false;
	}
	for (size_t i = 2; i < argc; i++) {
		if (strncmp(argv[i], "--config", 8) == 0) {
			return false;
		}
		if (strcmp(argv[1], "fmt") == 0 && strcmp(argv[i], "--check") == 0) {
			return true;
		}
	}
	return is_listed(argv[1], building_cargo, COUNT_OF(building_cargo));
}

static void
set_reason(char reason[BAILEY_SAFETY_REASON_MAX], const struct bailey_verdict *verdict)
{
	if (reason == NULL) {
		return;
	}
	if (verdict == NULL || verdict->reason_count == 0) {
		(void)snprintf(reason, BAILEY_SAFETY_REASON_MAX, "it cannot be judged");
		return;
	}
	(void)snprintf(reason, BAILEY_SAFETY_REASON_MAX, "%s: %s", verdict->reasons[0].rule,
		       verdict->reasons[0].message);
}

enum bailey_safety
bailey_safe_command(const char *const *argv, size_t argc, char reason[BAILEY_SAFETY_REASON_MAX])
{
	AUTO_VERDICT *verdict = NULL;
	bool cargo = argc > 0 && strcmp(argv[0], "cargo") == 0;

	if (reason != NULL) {
		reason[0] = '\0';
	}
	if (argc == 0 ||
	    (!cargo && !is_listed(argv[0], reading_programs, COUNT_OF(reading_programs)))) {
		return BAILEY_SAFETY_UNKNOWN;
	}
	if (bailey_judge_argv(argv, argc, NULL, &verdict, NULL) == BAILEY_OK &&
	    (verdict->decision == BAILEY_ALLOW ||
	     (verdict->decision == BAILEY_PROMPT && is_safe_cargo(argv, argc)))) {
		return BAILEY_SAFETY_ALLOW;
	}
	set_reason(reason, verdict);
	return BAILEY_SAFETY_DENY;
}

/* ---- one answer ----------------------------------------------------------------------------- */

const char *
bailey_evaluation_reason_name(enum bailey_evaluation_reason reason)
{
	static const char *const names[] = { "policy_allow", "policy_deny", "safety_allow",
					     "safety_deny", "dangerous_command" };

	return (unsigned)reason < COUNT_OF(names) ? names[reason] : "";
}

static void
evaluate(const struct bailey_verdict *verdict, const bool *policy, struct bailey_evaluation *out)
{
	if (policy != NULL && !*policy) {
		out->primary = BAILEY_BY_POLICY_DENY;
		(void)snprintf(out->reason, sizeof(out->reason), "the policy denies it");
		return;
	}
	if (verdict->decision == BAILEY_FORBIDDEN) {
		out->primary = BAILEY_BY_DANGER;
		set_reason(out->reason, verdict);
		return;
	}
	if (policy != NULL) {
		out->allowed = true;
		out->primary = BAILEY_BY_POLICY_ALLOW;
		return;
	}
	out->allowed = verdict->decision == BAILEY_ALLOW;
	out->primary = out->allowed ? BAILEY_BY_SAFETY_ALLOW : BAILEY_BY_SAFETY_DENY;
	if (!out->allowed) {
		set_reason(out->reason, verdict);
	}
}

int
bailey_evaluate(const char *const *argv, size_t argc, const struct bailey_scene *scene,
		const bool *policy, struct bailey_evaluation *out, struct bailey_error *err)
{
	AUTO_VERDICT *verdict = NULL;
	int rc = bailey_judge_argv(argv, argc, scene, &verdict, err);

	if (rc == BAILEY_OK) {
		*out = (struct bailey_evaluation){ 0 };
		evaluate(verdict, policy, out);
	}
	return rc;
}
