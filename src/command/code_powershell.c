/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: PowerShell: its commands, whatever their case, aliases and abbreviated
 * parameters, one by one.
 *
 * Invariants:
 *   - nothing is known to be harmless; only what plainly destroys, takes or runs is found
 *   - every command is looked at once, in braces and parentheses too
 */

#include "command/code_impl.h"
#include "command/code_lex.h"
#include "command/code_windows.h"

#include "base/attr.h"

#include <string.h>

#define WORDS_MAX 48
#define EVAL_DEPTH_MAX 4

#define RULE(name, id_, decision_, kind_, message_)                                                \
	static const struct rule name = { .id = (id_),                                             \
					  .decision = BAILEY_##decision_,                          \
					  .kind = BAILEY_EFFECT_##kind_,                           \
					  .message = (message_) }

RULE(formats, "powershell.disk", FORBIDDEN, SYSTEM, "erases or changes a disk");
RULE(stops, "powershell.power", FORBIDDEN, SYSTEM, "shuts down or restarts the machine");
RULE(policy, "powershell.execution-policy", FORBIDDEN, SYSTEM,
     "lets any script run from now on");
RULE(defender, "powershell.protection", FORBIDDEN, SYSTEM, "switches a protection off");
RULE(remote_code, "code.from-network", FORBIDDEN, EXECUTES, "runs code that comes over the network");
RULE(com, "powershell.com-object", FORBIDDEN, EXECUTES, "drives another program by COM");
RULE(shell_out, "shell.reverse-shell", FORBIDDEN, NETWORK, "hands a shell to another machine");
RULE(elevates, "powershell.elevate", PROMPT, PRIVILEGE, "starts a program as administrator");
RULE(accounts, "powershell.accounts", PROMPT, PRIVILEGE, "changes users or their groups");
RULE(shadows, "powershell.shadow-copies", FORBIDDEN, DELETES, "deletes the copies that restore files");

enum ps_use {
	PS_REMOVE,
	PS_EMPTY,
	PS_WRITE,
	PS_APPEND,
	PS_READ,
	PS_COPY,
	PS_MOVE,
	PS_LIST,    /* names what a pipe then removes */
	PS_ITEM,    /* makes: files, or keys of the registry */
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

static const struct {
	const char *names;
	enum ps_use use;
	const struct rule *rule;
} rows[] = {
	{ "remove-item ri rm rmdir rd del erase", PS_REMOVE, NULL },
	{ "remove-itemproperty rp set-itemproperty sp new-itemproperty rename-itemproperty",
	  PS_ITEM, NULL },
	{ "new-item ni mkdir md set-item si copy-itemproperty move-itemproperty", PS_ITEM, NULL },
	{ "clear-content clc clear-item cli", PS_EMPTY, NULL },
	{ "set-content sc out-file tee-object export-csv export-clixml", PS_WRITE, NULL },
	{ "add-content ac", PS_APPEND, NULL },
	{ "get-content gc cat type import-csv import-clixml", PS_READ, NULL },
	{ "copy-item cp copy cpi", PS_COPY, NULL },
	{ "move-item mv move mi rename-item ren rni", PS_MOVE, NULL },
	{ "get-childitem gci ls dir get-item gi", PS_LIST, NULL },
	{ "format-volume clear-disk initialize-disk remove-partition remove-volume reset-physicaldisk "
	  "clear-storagediagnosticinfo remove-physicaldisk remove-virtualdisk remove-storagepool",
	  PS_RULE, &formats },
	{ "stop-computer restart-computer", PS_RULE, &stops },
	{ "set-executionpolicy", PS_POLICY, NULL },
	{ "set-mppreference add-mppreference", PS_DEFENDER, NULL },
	{ "set-netfirewallprofile", PS_FIREWALL, NULL },
	{ "uninstall-windowsfeature disable-netfirewallrule remove-netfirewallrule remove-mpthreat "
	  "disable-bitlocker disable-computerrestore",
	  PS_RULE, &defender },
	{ "invoke-expression iex", PS_EVAL, NULL },
	{ "invoke-webrequest iwr curl wget invoke-restmethod irm start-bitstransfer", PS_FETCH, NULL },
	{ "new-object", PS_OBJECT, NULL },
	{ "start-process saps start", PS_START, NULL },
	{ "new-localuser add-localgroupmember set-localuser remove-localuser", PS_RULE, &accounts },
	{ "set-location sl cd chdir push-location pushd", PS_LOCATION, NULL },
};

struct ps_word {
	const char *text;
	size_t len;
	bool quoted;
	bool dash; /* a parameter */
};

struct ps {
	struct code *code;
	const char *text;
	size_t len;
	size_t at;
	struct ps_word words[WORDS_MAX];
	size_t count;
	const struct field *listed; /* what the stage before names */
	unsigned depth;
	bool evals;
	bool fetches;
	bool connects;
};

static void ps_read(struct ps *outer, const char *text, size_t len);

/* ---- words --------------------------------------------------------------------------------- */

static char
peek(const struct ps *ps, size_t ahead)
{
	return ps->at + ahead < ps->len ? ps->text[ps->at + ahead] : '\0';
}

static bool
ends_word(char c)
{
	return c == '\0' || lex_is_space(c) || memchr(";|&(){},\"'", c, 10) != NULL;
}

/* $env:USERPROFILE, $HOME and ~ are home; other variables are not known. */
static size_t
variable(const struct ps *ps, size_t at, char *out)
{
	size_t end = at + 1;
	bool braces = end < ps->len && ps->text[end] == '{';

	end += braces ? 1U : 0U;
	while (end < ps->len && (lex_is_name(ps->text[end]) || ps->text[end] == ':')) {
		end++;
	}
	end += braces && end < ps->len && ps->text[end] == '}' ? 1U : 0U;
	*out = lex_in_nocase("$home $env:userprofile ${home} $env:home $env:homepath", ps->text + at,
			     end - at)
		       ? '~'
		       : FIELD_UNKNOWN;
	return end;
}

/* One word, its quotes and backticks off, into `out` (room for the rest of the text). */
static void
read_word(struct ps *ps, char *out)
{
	struct ps_word *word = &ps->words[ps->count];
	char quote = '\0';
	size_t len = 0;

	*word = (struct ps_word){ .text = out, .dash = peek(ps, 0) == '-' };
	while (ps->at < ps->len) {
		char c = ps->text[ps->at];

		if (quote == '\0' && (c == '"' || c == '\'')) {
			quote = c;
			word->quoted = true;
		} else if (quote == '\0' && ends_word(c)) {
			break;
		} else if (c == quote && peek(ps, 1) != quote) {
			quote = '\0';
		} else if (c == '`' && quote != '\'' && ps->at + 1 < ps->len) {
			ps->at++;
			out[len++] = ps->text[ps->at];
		} else if (c == '$' && quote != '\'' && (lex_is_name(peek(ps, 1)) || peek(ps, 1) == '{')) {
			ps->at = variable(ps, ps->at, &out[len]) - 1;
			len++;
		} else {
			ps->at += c == quote ? 1U : 0U;
			out[len++] = c;
		}
		ps->at++;
	}
	word->len = len;
	ps->count++;
}

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
	static const char switches[] = "-recurse -r -force -fo -f -confirm -verbose -v -whatif -rec "
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

static void
command(struct ps *ps, bool piped)
{
	const struct ps_word *name = &ps->words[0];
	size_t len = name->len;

	if (ps->count == 0) {
		return;
	}
	if (len > 4 && lex_same(name->text + len - 4, 4, ".exe")) {
		len -= 4;
	}
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (lex_in_nocase(rows[i].names, name->text, len)) {
			act(ps, rows[i].use, rows[i].rule);
			ps->listed = rows[i].use == PS_LIST ? first_operand(ps) : NULL;
			ps->count = 0;
			return;
		}
	}
	if (!piped && (!name->quoted || ps->count > 1) && memchr(name->text, FIELD_UNKNOWN, len) == NULL &&
	    len > 0 && (lex_is_alpha(name->text[0]) || name->text[0] == '/')) {
		external(ps, 0);
	}
	ps->listed = piped ? ps->listed : NULL;
	ps->count = 0;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Methods of .NET that appear in the text. */
static void
methods(struct ps *ps)
{
	static const struct {
		const char *text;
		bool fetches, evals, connects;
	} names[] = {
		{ "downloadstring", true, false, false }, { "downloaddata", true, false, false },
		{ "downloadfile", true, false, false },	  { "invoke-expression", false, true, false },
		{ "scriptblock]::create", false, true, false }, { "tcpclient(", false, false, true },
		{ "getstream(", false, false, true },
	};

	for (size_t i = 0; i + 8 < ps->len; i++) {
		char c = lex_lower(ps->text[i]);

		for (size_t n = 0; n < COUNT_OF(names); n++) {
			size_t len = strlen(names[n].text);

			if (c == names[n].text[0] && ps->len - i >= len &&
			    lex_same(ps->text + i, len, names[n].text)) {
				ps->fetches |= names[n].fetches;
				ps->evals |= names[n].evals;
				ps->connects |= names[n].connects;
			}
		}
	}
}

static void
skip_comment(struct ps *ps)
{
	const char *end;

	if (peek(ps, 0) == '<') {
		end = memmem(ps->text + ps->at, ps->len - ps->at, "#>", 2);
		ps->at = end == NULL ? ps->len : (size_t)(end - ps->text) + 2;
		return;
	}
	end = memchr(ps->text + ps->at, '\n', ps->len - ps->at);
	ps->at = end == NULL ? ps->len : (size_t)(end - ps->text);
}

static void
ps_read(struct ps *outer, const char *text, size_t len)
{
	struct ps ps = { .code = outer->code, .text = text, .len = len, .depth = outer->depth + 1 };
	char *room = arena_alloc(outer->code->arena, len * 2 + 2);
	bool piped = false;

	if (room == NULL) {
		return;
	}
	methods(&ps);
	while (ps.at < len) {
		char c = text[ps.at];

		if ((c == '#' && ps.count == 0) || (c == '<' && peek(&ps, 1) == '#')) {
			skip_comment(&ps);
		} else if (c == '\n' || (c != '\0' && memchr(";|&(){}=", c, 8) != NULL)) {
			command(&ps, piped);
			piped = c == '|' && peek(&ps, 1) != '|';
			ps.listed = piped ? ps.listed : NULL;
			ps.at++;
		} else if (lex_is_space(c) || c == ',' || c == '\0' || ps.count >= WORDS_MAX) {
			ps.at++;
		} else {
			size_t before = ps.at;

			read_word(&ps, room);
			room += ps.words[ps.count - 1].len;
			ps.at += ps.at == before ? 1U : 0U;
		}
	}
	command(&ps, piped);
	outer->evals |= ps.evals;
	outer->fetches |= ps.fetches;
	outer->connects |= ps.connects;
}

void
code_powershell(struct code *code)
{
	struct ps ps = { .code = code };

	find_unknown(code->found, "commands of PowerShell", code->field);
	ps_read(&ps, code->text, code->len);
	if (ps.evals && ps.fetches) {
		find_rule(code->found, &remote_code, NULL);
	}
	if (ps.connects && ps.evals) {
		find_rule(code->found, &shell_out, NULL);
	}
	if (memmem(code->text, code->len, "Win32_ShadowCopy", 16) != NULL &&
	    memmem(code->text, code->len, "elete", 5) != NULL) {
		find_rule(code->found, &shadows, NULL);
	}
}
