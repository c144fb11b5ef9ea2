/* SPDX-License-Identifier: MIT */
/*
 * PowerShell, cmd.exe and the programs that come with Windows, also as WSL starts them from bash.
 * They are never known to be harmless: names and options do not care for case, and paths are of
 * another kind. What plainly destroys, or switches a protection off, is forbidden.
 */

#include "command/code_lex.h"
#include "command/code_windows.h"
#include "command/models/models.h"
#include "command/models/services.h"

#include "base/text.h"

#include <string.h>

RULE(foreign, "windows.program", PROMPT, EXECUTES, "runs a program of Windows");
RULE(formats, "windows.disk", FORBIDDEN, SYSTEM, "erases or changes a disk");
RULE(boot, "windows.boot", FORBIDDEN, SYSTEM, "changes how the machine starts");
RULE(shadows, "windows.shadow-copies", FORBIDDEN, DELETES, "deletes the copies that restore files");
RULE(power, "windows.power", FORBIDDEN, SYSTEM, "shuts the machine down or restarts it");
RULE(wipes, "windows.wipe", FORBIDDEN, DELETES, "overwrites what was deleted for good");
RULE(owner, "windows.ownership", FORBIDDEN, PRIVILEGE, "takes the ownership of files of Windows");
RULE(firewall, "windows.protection", FORBIDDEN, SYSTEM, "switches a protection off");
RULE(fetches, "windows.fetch", PROMPT, NETWORK, "fetches a file from the network");
RULE(remote, "code.from-network", FORBIDDEN, EXECUTES, "runs code that comes over the network");
RULE(logs, "windows.logs", FORBIDDEN, DELETES, "deletes the logs of the system");
RULE(hives, "windows.read-secrets", FORBIDDEN, DISCLOSURE,
     "copies the part of the registry that holds passwords");
RULE(removes_system, "wsl.unregister", FORBIDDEN, DELETES, "deletes a Linux system and its files");

/* ---- arguments ----------------------------------------------------------------------------- */

/* Is there an argument that is this word (lower case), whatever its case? */
static bool
has(const struct match *match, const char *word)
{
	for (size_t i = 1; i < match->argc; i++) {
		if (lex_same(match->argv[i].text, match->argv[i].len, word)) {
			return true;
		}
	}
	return false;
}

/* Is there an argument that begins so? */
static bool
has_start(const struct match *match, const char *start)
{
	size_t len = strlen(start);

	for (size_t i = 1; i < match->argc; i++) {
		if (match->argv[i].len >= len && lex_same(match->argv[i].text, len, start)) {
			return true;
		}
	}
	return false;
}

static bool
is_switch(const struct field *word)
{
	return word->len > 1 && word->text[0] == '/' && word->len <= 8 &&
	       memchr(word->text + 1, '/', word->len - 1) == NULL;
}

static void
deeds(const struct match *match, struct findings *found, enum deed deed, size_t most)
{
	for (size_t i = 1; i < match->argc && most > 0; i++) {
		if (!is_switch(&match->argv[i])) {
			windows_deed(found, deed, &match->argv[i]);
			most--;
		}
	}
}

/* The words from `first` on, with blanks between, as one text. */
static const struct field *
joined(const struct match *match, struct findings *found, size_t first)
{
	struct field *text = arena_alloc(found->arena, sizeof *text);
	struct field blank = field_static(" ", NULL);

	if (text == NULL || first >= match->argc) {
		return NULL;
	}
	*text = match->argv[first];
	for (size_t i = first + 1; i < match->argc && i < first + 64; i++) {
		*text = field_join(found->arena, text, &blank);
		*text = field_join(found->arena, text, &match->argv[i]);
	}
	return text;
}

/* ---- PowerShell ---------------------------------------------------------------------------- */

/* Is `word` the parameter `name` or a beginning of it, behind - or /? */
static bool
is_parameter(const struct field *word, const char *name)
{
	size_t len = word->len > 0 ? word->len - 1 : 0;

	if (len == 0 || len > strlen(name) || (word->text[0] != '-' && word->text[0] != '/')) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		if (lex_lower(word->text[i + 1]) != name[i]) {
			return false;
		}
	}
	return true;
}

/* The text of -EncodedCommand: base64 of UTF-16. NULL when it is none. */
static const struct field *
decoded(struct findings *found, const struct field *word)
{
	struct field *field = arena_alloc(found->arena, sizeof *field);
	char *text = arena_alloc(found->arena, word->len * 2 + 4);
	uint32_t bits = 0, unit = 0;
	unsigned count = 0, bytes = 0;
	size_t len = 0;

	if (field == NULL || text == NULL || !field_is_literal(word)) {
		return NULL;
	}
	for (size_t i = 0; i < word->len && word->text[i] != '='; i++) {
		int digit = text_base64(word->text[i]);

		if (digit < 0) {
			return NULL;
		}
		bits = bits << 6 | (uint32_t)digit;
		count += 6;
		if (count < 8) {
			continue;
		}
		count -= 8;
		unit |= (bits >> count & 0xff) << (bytes % 2 == 0 ? 0 : 8);
		bytes++;
		if (bytes % 2 == 0) {
			len += text_encode(unit == 0 || (unit >= 0xd800 && unit < 0xe000) ? 0xfffd
											  : unit,
					   text + len);
			unit = 0;
		}
	}
	*field = field_literal(found->arena, text, len, word);
	return field;
}

/* The word at `index` names the code, or is where it begins. false: it is another option. */
static bool
powershell_code(const struct match *match, struct findings *found, size_t index)
{
	const struct field *word = &match->argv[index];
	const struct field *next = index + 1 < match->argc ? word + 1 : NULL;
	bool option = word->len > 0 && (word->text[0] == '-' || word->text[0] == '/');

	if (is_parameter(word, "file")) {
		if (next != NULL) {
			find_file(found, LANG_POWERSHELL, next, 0, "powershell");
		}
		return true;
	}
	if (next != NULL && (is_parameter(word, "encodedcommand") ||
			     lex_in_nocase("-ec -enc", word->text, word->len))) {
		next = decoded(found, next);
	} else if (is_parameter(word, "command")) {
		next = joined(match, found, index + 1);
	} else if (!option) {
		next = joined(match, found, index);
	} else {
		return false;
	}
	if (next != NULL) {
		find_code(found, LANG_POWERSHELL, next, 0, "powershell");
	}
	return true;
}

static void
powershell_refine(const struct match *match, struct findings *found)
{
	static const char takes[] =
		"-executionpolicy -ex -exec -ep -windowstyle -w -version -psconsolefile "
		"-inputformat -outputformat -configurationname -workingdirectory "
		"-wd -settingsfile -custompipename";

	if (match->argc == 2 &&
	    (is_parameter(&match->argv[1], "version") || has(match, "--version") ||
	     has(match, "-help") || has(match, "-?"))) {
		return;
	}
	find_unknown(found, "commands of PowerShell", match->argv);
	for (size_t i = 1; i < match->argc; i++) {
		const struct field *word = &match->argv[i];

		if (lex_in_nocase(takes, word->text, word->len)) {
			i++;
		} else if (powershell_code(match, found, i)) {
			return;
		}
	}
	find_stdin(found, LANG_POWERSHELL, 0, "powershell");
}

/* ---- cmd.exe ------------------------------------------------------------------------------- */

/* The text behind /c: the rest of that word, as in "/cdel", or the words that follow. */
static void
cmd_text(const struct match *match, struct findings *found, size_t index)
{
	const struct field *word = &match->argv[index];
	const struct field *text = NULL;
	struct field *rest;

	if (word->len == 2) {
		text = joined(match, found, index + 1);
	} else if ((rest = arena_alloc(found->arena, sizeof(*rest))) != NULL) {
		*rest = field_tail(found->arena, word, 2);
		text = rest;
	}
	if (text != NULL) {
		find_code(found, LANG_CMD, text, 0, "cmd");
	}
}

static void
cmd_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 1; i < match->argc; i++) {
		const struct field *word = &match->argv[i];
		char letter = word->len > 1 && word->text[0] == '/' ? lex_lower(word->text[1]) : 0;

		if (letter == 'c' || letter == 'k' || letter == 'r') {
			cmd_text(match, found, i);
			return;
		}
	}
	find_stdin(found, LANG_CMD, 0, "cmd");
}

static void
delete_refine(const struct match *match, struct findings *found)
{
	deeds(match, found, has(match, "/s") ? DEED_DELETE_TREE : DEED_DELETE, 64);
}

static void
read_refine(const struct match *match, struct findings *found)
{
	deeds(match, found, DEED_READ, 64);
}

static void
move_refine(const struct match *match, struct findings *found)
{
	deeds(match, found, DEED_MOVE, 1);
}

/* ---- rules by words ------------------------------------------------------------------------ */

/* A program, words that must be there, and what that is. Lower case. */
static const struct {
	const char *program;
	const char *first;
	const char *second; /* a beginning; NULL: nothing more */
	const struct rule *rule;
} rows[] = {
	{ "format", NULL, NULL, &formats },
	{ "diskpart", NULL, NULL, &formats },
	{ "bcdedit", "/set", NULL, &boot },
	{ "bcdedit", "/delete", NULL, &boot },
	{ "bcdedit", "/deletevalue", NULL, &boot },
	{ "bootrec", NULL, NULL, &boot },
	{ "vssadmin", "delete", NULL, &shadows },
	{ "vssadmin", "resize", NULL, &shadows },
	{ "wmic", "shadowcopy", "delete", &shadows },
	{ "wbadmin", "delete", NULL, &shadows },
	{ "shutdown.exe", NULL, NULL, &power },
	{ "cipher", NULL, "/w", &wipes },
	{ "sdelete", NULL, NULL, &wipes },
	{ "takeown", NULL, NULL, &owner },
	{ "icacls", NULL, "everyone:", &owner },
	{ "netsh", "advfirewall", "off", &firewall },
	{ "netsh", "firewall", "disable", &firewall },
	{ "wevtutil", "cl", NULL, &logs },
	{ "wevtutil", "clear-log", NULL, &logs },
	{ "fsutil", "usn", "deletejournal", &logs },
	{ "fsutil", "file", "setzerodata", &wipes },
	{ "reg", "save", NULL, &hives },
	{ "reg", "add", NULL, &windows_registry_rule },
	{ "reg", "delete", NULL, &windows_registry_rule },
	{ "reg", "import", NULL, &windows_registry_rule },
	{ "reg", "load", NULL, &windows_registry_rule },
	{ "reg", "restore", NULL, &windows_registry_rule },
	{ "reg", "copy", NULL, &windows_registry_rule },
	{ "regedit", "/s", NULL, &windows_registry_rule },
	{ "setx", NULL, NULL, &foreign },
	{ "mshta", NULL, "http", &remote },
	{ "mshta", NULL, "javascript:", &remote },
	{ "mshta", NULL, "vbscript:", &remote },
	{ "regsvr32", NULL, "/i:http", &remote },
	{ "rundll32", NULL, "javascript:", &remote },
	{ "msiexec", NULL, "http", &remote },
	{ "certutil", "-urlcache", NULL, &fetches },
	{ "bitsadmin", "/transfer", NULL, &fetches },
	{ "wsl", "--unregister", NULL, &removes_system },
	{ "wslconfig", "/u", NULL, &removes_system },
	{ "manage-bde", "-off", NULL, &firewall },
	{ "sc", "stop", "windefend", &firewall },
	{ "sc", "config", "windefend", &firewall },
	{ "sc", "delete", NULL, &firewall },
};

/* The program's name without .exe, in lower case letters of `room`. */
static const char *
own_name(const struct field *program, char room[32])
{
	const char *slash = strrchr(program->text, '/');
	const char *name = slash != NULL ? slash + 1 : program->text;
	size_t len = strlen(name);

	if (len > 4 && lex_same(name + len - 4, 4, ".exe") &&
	    !lex_same(name, len, "shutdown.exe")) {
		len -= 4;
	}
	len = len < 31 ? len : 31;
	for (size_t i = 0; i < len; i++) {
		room[i] = lex_lower(name[i]);
	}
	room[len] = '\0';
	return room;
}

static void
words_refine(const struct match *match, struct findings *found)
{
	char room[32] = "";
	const char *name = own_name(&match->argv[0], room);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (strcmp(rows[i].program, name) == 0 &&
		    (rows[i].first == NULL || has(match, rows[i].first)) &&
		    (rows[i].second == NULL || has_start(match, rows[i].second))) {
			find_rule(found, rows[i].rule, NULL);
		}
	}
}

/* wsl COMMAND runs it in Linux; schtasks /create /tr COMMAND at another time. */
static void
wsl_refine(const struct match *match, struct findings *found)
{
	size_t i = 1;

	words_refine(match, found);
	while (i < match->argc && match->argv[i].text[0] == '-') {
		bool ends = field_is(&match->argv[i], "--") || field_is(&match->argv[i], "-e") ||
			    field_is(&match->argv[i], "--exec");
		bool takes = lex_in("-d -u --distribution --user --cd", match->argv[i].text,
				    match->argv[i].len);

		i += takes ? 2U : 1U;
		if (ends) {
			break;
		}
	}
	if (i < match->argc) {
		find_argv(found, &match->argv[i], match->argc - i,
			  INNER_PROMPT | INNER_PROGRAM_ONLY, "wsl");
	}
}

static void
task_refine(const struct match *match, struct findings *found)
{
	for (size_t i = 1; i + 1 < match->argc; i++) {
		if (lex_same(match->argv[i].text, match->argv[i].len, "/tr")) {
			find_code(found, LANG_CMD, &match->argv[i + 1], INNER_LATER, "schtasks");
		}
	}
}

/* runas /user:x "command". */
static void
runas_refine(const struct match *match, struct findings *found)
{
	if (match->argc > 1) {
		find_code(found, LANG_CMD, &match->argv[match->argc - 1], INNER_PRIVILEGED,
			  "runas");
	}
}

#define WINDOWS(names_, refine_)                                                                   \
	{                                                                                          \
		.names = (names_), .operands = ".*", .style = PARSE_NONE, .rule = &foreign,        \
		.refine = (refine_)                                                                \
	}

const struct program models_windows[] = {
	{ .names = "powershell pwsh powershell.exe pwsh.exe pwsh-preview",
	  .operands = ".*",
	  .style = PARSE_NONE,
	  .refine = powershell_refine },
	WINDOWS("cmd cmd.exe command.com", cmd_refine),
	WINDOWS("del erase rd", delete_refine),
	WINDOWS("copy xcopy robocopy xcopy.exe robocopy.exe", read_refine),
	WINDOWS("ren move", move_refine),
	WINDOWS("format format.com diskpart diskpart.exe bcdedit bcdedit.exe bootrec vssadmin "
		"vssadmin.exe wmic wmic.exe wbadmin wbadmin.exe shutdown.exe cipher cipher.exe "
		"sdelete "
		"sdelete.exe takeown takeown.exe icacls icacls.exe cacls netsh netsh.exe wevtutil "
		"wevtutil.exe fsutil fsutil.exe reg reg.exe regedit regedit.exe setx setx.exe "
		"mshta "
		"mshta.exe regsvr32 regsvr32.exe rundll32 rundll32.exe msiexec msiexec.exe "
		"certutil.exe "
		"bitsadmin bitsadmin.exe wslconfig manage-bde manage-bde.exe sc.exe net.exe net1 "
		"taskkill taskkill.exe tasklist cscript cscript.exe wscript wscript.exe "
		"explorer.exe "
		"notepad.exe attrib attrib.exe clip.exe",
		words_refine),
	WINDOWS("wsl wsl.exe", wsl_refine),
	WINDOWS("schtasks schtasks.exe", task_refine),
	WINDOWS("runas runas.exe", runas_refine),
	PROGRAMS_END,
};
