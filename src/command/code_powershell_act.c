/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what commands of PowerShell do, whatever their case, aliases and abbreviated
 * parameters.
 * Invariant: what is not in the table is handed on as a program of the system.
 */

#include "command/code_powershell.h"

#include "base/attr.h"

#include <string.h>

RULE(formats, "powershell.disk", FORBIDDEN, SYSTEM, "erases or changes a disk");
RULE(stops, "powershell.power", FORBIDDEN, SYSTEM, "shuts down or restarts the machine");
RULE(policy, "powershell.execution-policy", FORBIDDEN, SYSTEM, "lets any script run from now on");
RULE(defender, "powershell.protection", FORBIDDEN, SYSTEM, "switches a protection off");
RULE(com, "powershell.com-object", FORBIDDEN, EXECUTES, "drives another program by COM");
RULE(elevates, "powershell.elevate", PROMPT, PRIVILEGE, "starts a program as administrator");
RULE(accounts, "powershell.accounts", PROMPT, PRIVILEGE, "changes users or their groups");

enum ps_use {
	PS_REMOVE,
	PS_EMPTY,
	PS_WRITE,
	PS_APPEND,
	PS_READ,
	PS_COPY,
	PS_MOVE,
	PS_LIST, /* names what a pipe then removes */
	PS_ITEM, /* makes: files, or keys of the registry */
	PS_RULE,
	PS_POLICY,
	PS_DEFENDER,
	PS_FIREWALL,
	PS_EVAL,
	PS_FETCH,
	PS_OBJECT,
	PS_START,
	PS_LOCATION,
};

/* By name, in the order of strcmp. */
static const struct {
	const char *name;
	enum ps_use use;
	const struct rule *rule;
} rows[] = {
	{ "ac", PS_APPEND, NULL },
	{ "add-content", PS_APPEND, NULL },
	{ "add-localgroupmember", PS_RULE, &accounts },
	{ "add-mppreference", PS_DEFENDER, NULL },
	{ "cat", PS_READ, NULL },
	{ "cd", PS_LOCATION, NULL },
	{ "chdir", PS_LOCATION, NULL },
	{ "clc", PS_EMPTY, NULL },
	{ "clear-content", PS_EMPTY, NULL },
	{ "clear-disk", PS_RULE, &formats },
	{ "clear-item", PS_EMPTY, NULL },
	{ "clear-storagediagnosticinfo", PS_RULE, &formats },
	{ "cli", PS_EMPTY, NULL },
	{ "copy", PS_COPY, NULL },
	{ "copy-item", PS_COPY, NULL },
	{ "copy-itemproperty", PS_ITEM, NULL },
	{ "cp", PS_COPY, NULL },
	{ "cpi", PS_COPY, NULL },
	{ "curl", PS_FETCH, NULL },
	{ "del", PS_REMOVE, NULL },
	{ "dir", PS_LIST, NULL },
	{ "disable-bitlocker", PS_RULE, &defender },
	{ "disable-computerrestore", PS_RULE, &defender },
	{ "disable-netfirewallrule", PS_RULE, &defender },
	{ "erase", PS_REMOVE, NULL },
	{ "export-clixml", PS_WRITE, NULL },
	{ "export-csv", PS_WRITE, NULL },
	{ "format-volume", PS_RULE, &formats },
	{ "gc", PS_READ, NULL },
	{ "gci", PS_LIST, NULL },
	{ "get-childitem", PS_LIST, NULL },
	{ "get-content", PS_READ, NULL },
	{ "get-item", PS_LIST, NULL },
	{ "gi", PS_LIST, NULL },
	{ "iex", PS_EVAL, NULL },
	{ "import-clixml", PS_READ, NULL },
	{ "import-csv", PS_READ, NULL },
	{ "initialize-disk", PS_RULE, &formats },
	{ "invoke-expression", PS_EVAL, NULL },
	{ "invoke-restmethod", PS_FETCH, NULL },
	{ "invoke-webrequest", PS_FETCH, NULL },
	{ "irm", PS_FETCH, NULL },
	{ "iwr", PS_FETCH, NULL },
	{ "ls", PS_LIST, NULL },
	{ "md", PS_ITEM, NULL },
	{ "mi", PS_MOVE, NULL },
	{ "mkdir", PS_ITEM, NULL },
	{ "move", PS_MOVE, NULL },
	{ "move-item", PS_MOVE, NULL },
	{ "move-itemproperty", PS_ITEM, NULL },
	{ "mv", PS_MOVE, NULL },
	{ "new-item", PS_ITEM, NULL },
	{ "new-itemproperty", PS_ITEM, NULL },
	{ "new-localuser", PS_RULE, &accounts },
	{ "new-object", PS_OBJECT, NULL },
	{ "ni", PS_ITEM, NULL },
	{ "out-file", PS_WRITE, NULL },
	{ "push-location", PS_LOCATION, NULL },
	{ "pushd", PS_LOCATION, NULL },
	{ "rd", PS_REMOVE, NULL },
	{ "remove-item", PS_REMOVE, NULL },
	{ "remove-itemproperty", PS_ITEM, NULL },
	{ "remove-localuser", PS_RULE, &accounts },
	{ "remove-mpthreat", PS_RULE, &defender },
	{ "remove-netfirewallrule", PS_RULE, &defender },
	{ "remove-partition", PS_RULE, &formats },
	{ "remove-physicaldisk", PS_RULE, &formats },
	{ "remove-storagepool", PS_RULE, &formats },
	{ "remove-virtualdisk", PS_RULE, &formats },
	{ "remove-volume", PS_RULE, &formats },
	{ "ren", PS_MOVE, NULL },
	{ "rename-item", PS_MOVE, NULL },
	{ "rename-itemproperty", PS_ITEM, NULL },
	{ "reset-physicaldisk", PS_RULE, &formats },
	{ "restart-computer", PS_RULE, &stops },
	{ "ri", PS_REMOVE, NULL },
	{ "rm", PS_REMOVE, NULL },
	{ "rmdir", PS_REMOVE, NULL },
	{ "rni", PS_MOVE, NULL },
	{ "rp", PS_ITEM, NULL },
	{ "saps", PS_START, NULL },
	{ "sc", PS_WRITE, NULL },
	{ "set-content", PS_WRITE, NULL },
	{ "set-executionpolicy", PS_POLICY, NULL },
	{ "set-item", PS_ITEM, NULL },
	{ "set-itemproperty", PS_ITEM, NULL },
	{ "set-localuser", PS_RULE, &accounts },
	{ "set-location", PS_LOCATION, NULL },
	{ "set-mppreference", PS_DEFENDER, NULL },
	{ "set-netfirewallprofile", PS_FIREWALL, NULL },
	{ "si", PS_ITEM, NULL },
	{ "sl", PS_LOCATION, NULL },
	{ "sp", PS_ITEM, NULL },
	{ "start", PS_START, NULL },
	{ "start-bitstransfer", PS_FETCH, NULL },
	{ "start-process", PS_START, NULL },
	{ "stop-computer", PS_RULE, &stops },
	{ "tee-object", PS_WRITE, NULL },
	{ "type", PS_READ, NULL },
	{ "uninstall-windowsfeature", PS_RULE, &defender },
	{ "wget", PS_FETCH, NULL },
};

/* ---- parameters ---------------------------------------------------------------------------- */

/* Is the word the parameter `name`, or a beginning of it of `least` letters or more? */
static bool
is_parameter(const struct ps_word *word, const char *name, size_t least)
{
	size_t len = word->len > 0 ? word->len - 1 : 0;

	if (!word->dash || len < least || len > strlen(name)) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		if (lex_lower(word->text[i + 1]) != name[i]) {
			return false;
		}
	}
	return true;
}

static bool
has_parameter(const struct ps *ps, const char *name, size_t least)
{
	for (size_t i = 1; i < ps->count; i++) {
		if (is_parameter(&ps->words[i], name, least)) {
			return true;
		}
	}
	return false;
}

/* Is there a word that begins so, whatever its case? */
static bool
has_word(const struct ps *ps, const char *start)
{
	size_t len = strlen(start);

	for (size_t i = 1; i < ps->count; i++) {
		if (ps->words[i].len >= len && lex_same(ps->words[i].text, len, start)) {
			return true;
		}
	}
	return false;
}

static const struct field *
field_of(struct ps *ps, const struct ps_word *word)
{
	struct field *field = arena_alloc(ps->code->arena, sizeof *field);
	const struct field *made = code_made(ps->code, word->text, word->len);

	if (field == NULL || made == NULL) {
		return NULL;
	}
	*field = *made;
	field->tilde = word->len > 0 && word->text[0] == '~' &&
		       (word->len == 1 || word->text[1] == '/' || word->text[1] == '\\');
	return field;
}

/* The deed on every word that is a path: operands, and arguments of -Path and the like. */
static size_t
deeds(struct ps *ps, enum deed deed, size_t most)
{
	static const char switches[] =
		"-recurse -r -force -fo -f -confirm -verbose -v -whatif -rec "
		"-recu -recur -forc -for -append -nonewline -passthru "
		"-confirm:$false -recurse:$true -force:$true -hidden -raw";
	size_t count = 0;

	for (size_t i = 1; i < ps->count && count < most; i++) {
		const struct ps_word *word = &ps->words[i];
		const struct field *field;

		if (word->dash && !word->quoted) {
			if (!lex_in_nocase(switches, word->text, word->len) &&
			    !is_parameter(word, "path", 1) &&
			    !is_parameter(word, "literalpath", 1) &&
			    !is_parameter(word, "filepath", 4)) {
				i++; /* the argument of another parameter */
			}
			continue;
		}
		field = field_of(ps, word);
		if (field != NULL) {
			windows_deed(ps->code->found, deed, field);
			count++;
		}
	}
	return count;
}

/* ---- commands ------------------------------------------------------------------------------ */

static void
remove_item(struct ps *ps)
{
	bool tree = has_parameter(ps, "recurse", 1) || has_word(ps, "-recurse:");
	enum deed deed = tree ? DEED_DELETE_TREE : DEED_DELETE;

	if (has_parameter(ps, "whatif", 1)) {
		return;
	}
	/* rm -rf, which PowerShell on Unix hands to the system's own. */
	if (has_word(ps, "-rf") || has_word(ps, "-fr")) {
		deed = DEED_DELETE_TREE;
	}
	if (deeds(ps, deed, WORDS_MAX) == 0 && ps->listed != NULL) {
		windows_deed(ps->code->found, DEED_DELETE_TREE, ps->listed);
	}
}

static void
new_item(struct ps *ps)
{
	for (size_t i = 1; i < ps->count; i++) {
		const struct field *field = field_of(ps, &ps->words[i]);

		if (field != NULL && windows_is_registry(field)) {
			find_rule(ps->code->found, &windows_registry_rule, NULL);
			return;
		}
	}
	deeds(ps, DEED_MAKE, 1);
}

static void
new_object(struct ps *ps)
{
	if (has_parameter(ps, "comobject", 1)) {
		find_rule(ps->code->found, &com, NULL);
	}
	ps->fetches |= has_word(ps, "net.webclient") || has_word(ps, "system.net.webclient");
	ps->connects |= has_word(ps, "net.sockets.tcpclient") ||
			has_word(ps, "system.net.sockets.tcpclient");
}

/* Words from `first` on as a command of the system. */
static void
external(struct ps *ps, size_t first)
{
	struct field *argv = arena_array(ps->code->arena, ps->count, sizeof *argv);
	size_t argc = 0;

	for (size_t i = first; argv != NULL && i < ps->count; i++) {
		const struct field *field = field_of(ps, &ps->words[i]);

		if (field == NULL) {
			return;
		}
		argv[argc++] = *field;
	}
	if (argc > 0) {
		find_argv(ps->code->found, argv, argc, INNER_PROMPT | INNER_PROGRAM_ONLY,
			  "powershell");
	}
}

static void
start_process(struct ps *ps)
{
	size_t first = 1;

	if (has_word(ps, "runas")) {
		find_rule(ps->code->found, &elevates, NULL);
	}
	while (first < ps->count && ps->words[first].dash) {
		first += is_parameter(&ps->words[first], "filepath", 1) ||
					 is_parameter(&ps->words[first], "wait", 2) ||
					 is_parameter(&ps->words[first], "nonewwindow", 3)
				 ? 1U
				 : 2U;
	}
	external(ps, first);
}

static void
evaluate(struct ps *ps)
{
	ps->evals = true;
	for (size_t i = 1; i < ps->count && ps->depth < EVAL_DEPTH_MAX; i++) {
		if (!ps->words[i].dash) {
			ps_read(ps, ps->words[i].text, ps->words[i].len);
		}
	}
}

static void
protection(struct ps *ps)
{
	for (size_t i = 1; i < ps->count; i++) {
		const struct ps_word *word = &ps->words[i];

		if (word->dash && ((word->len > 8 && lex_same(word->text, 8, "-disable")) ||
				   (word->len > 8 && lex_same(word->text, 8, "-exclusi")))) {
			find_rule(ps->code->found, &defender, NULL);
			return;
		}
	}
}

static void
act(struct ps *ps, enum ps_use use, const struct rule *rule)
{
	switch (use) {
	case PS_REMOVE:
		remove_item(ps);
		break;
	case PS_EMPTY:
		deeds(ps, DEED_EMPTY, WORDS_MAX);
		break;
	case PS_WRITE:
	case PS_APPEND:
		deeds(ps, use == PS_WRITE ? DEED_WRITE : DEED_APPEND, 1);
		break;
	case PS_READ:
		deeds(ps, DEED_READ, WORDS_MAX);
		break;
	case PS_COPY:
		deeds(ps, DEED_READ, 1);
		break;
	case PS_MOVE:
		deeds(ps, DEED_MOVE, 1);
		break;
	case PS_ITEM:
		new_item(ps);
		break;
	case PS_RULE:
		find_rule(ps->code->found, rule, NULL);
		break;
	case PS_POLICY:
		if (has_word(ps, "bypass") || has_word(ps, "unrestricted")) {
			find_rule(ps->code->found, &policy, NULL);
		}
		break;
	case PS_DEFENDER:
		protection(ps);
		break;
	case PS_FIREWALL:
		if (has_word(ps, "false") || has_word(ps, "\x1a")) {
			find_rule(ps->code->found, &defender, NULL);
		}
		break;
	case PS_EVAL:
		evaluate(ps);
		break;
	case PS_FETCH:
		ps->fetches = true;
		break;
	case PS_OBJECT:
		new_object(ps);
		break;
	case PS_START:
		start_process(ps);
		break;
	case PS_LIST:
	case PS_LOCATION:
	default:
		break;
	}
}

/* The first operand of a listing, for a removal behind the pipe. */
static const struct field *
first_operand(struct ps *ps)
{
	for (size_t i = 1; i < ps->count; i++) {
		if (!ps->words[i].dash) {
			return field_of(ps, &ps->words[i]);
		}
	}
	return NULL;
}

static int
compare(const char *row, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = lex_lower(name[i]);

		if (row[i] != c) {
			return (unsigned char)row[i] < (unsigned char)c ? -1 : 1;
		}
	}
	return row[len] == '\0' ? 0 : 1;
}

/* The index of the row of a command; their number when there is none. */
static size_t
find_row(const char *name, size_t len)
{
	size_t low = 0;
	size_t high = COUNT_OF(rows);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare(rows[middle].name, name, len);

		if (order == 0) {
			return middle;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return COUNT_OF(rows);
}

void
ps_command(struct ps *ps, bool piped)
{
	const struct ps_word *name = &ps->words[0];
	size_t len = name->len;
	size_t row;

	if (ps->count == 0) {
		return;
	}
	if (len > 4 && lex_same(name->text + len - 4, 4, ".exe")) {
		len -= 4;
	}
	row = find_row(name->text, len);
	if (row < COUNT_OF(rows)) {
		act(ps, rows[row].use, rows[row].rule);
		ps->listed = rows[row].use == PS_LIST ? first_operand(ps) : NULL;
		ps->count = 0;
		return;
	}
	if (!piped && (!name->quoted || ps->count > 1) &&
	    memchr(name->text, FIELD_UNKNOWN, len) == NULL && len > 0 &&
	    (lex_is_alpha(name->text[0]) || name->text[0] == '/')) {
		external(ps, 0);
	}
	ps->listed = piped ? ps->listed : NULL;
	ps->count = 0;
}
