/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: small tools whose output follows from their arguments: seq, basename, dirname,
 * expr, which, command -v, type -P, pwd, and xargs without a command.
 */

#include "command/emulate_impl.h"
#include "command/model.h"

/* Are there so many arguments, all literal? */
static bool
has_literal_args(struct emulation *e, size_t from, size_t to)
{
	size_t i;

	if (e->argc < from + 1 || e->argc > to + 1) {
		return false;
	}
	for (i = 1; i < e->argc; i++) {
		if (!field_is_literal(&e->argv[i])) {
			return false;
		}
		e->out.taint |= e->argv[i].taint;
	}
	return true;
}

/* ---- seq ---------------------------------------------------------------------------------- */

static bool
read_signed(const char *text, int64_t *number)
{
	uint64_t value;
	bool minus = *text == '-';

	if (!emulate_number(text + minus, &value) || (text[minus] == '0' && text[minus + 1])) {
		return false;
	}
	*number = minus ? -(int64_t)value : (int64_t)value;
	return true;
}

static void
count_up(struct emulation *e, const int64_t range[3], const char *separator)
{
	int64_t at;
	bool first = true;

	for (at = range[0]; range[1] > 0 ? at <= range[2] : at >= range[2]; at += range[1]) {
		if (!first) {
			emulate_put(&e->out, separator, strlen(separator));
		}
		emulate_put_number(&e->out, at);
		first = false;
		if (e->out.over) {
			return;
		}
	}
	if (!first) {
		emulate_put_byte(&e->out, '\n');
	}
}

enum emulated
emulate_seq(struct emulation *e)
{
	int64_t range[3] = { 1, 1, 1 }; /* first, step, last */
	static const uint8_t places[3][3] = { { 2 }, { 0, 2 }, { 0, 1, 2 } };
	const char *separator = "\n";
	size_t at = 1;
	size_t i;

	if (!has_literal_args(e, 1, 5)) {
		return EMULATE_NO;
	}
	if (strncmp(e->argv[at].text, "-s", 2) == 0) {
		separator = e->argv[at].text + 2;
		at++;
		if (*separator == '\0' && at < e->argc) {
			separator = e->argv[at++].text;
		}
	}
	if (e->argc < at + 1 || e->argc > at + 3) {
		return EMULATE_NO;
	}
	for (i = at; i < e->argc; i++) {
		if (!read_signed(e->argv[i].text, &range[places[e->argc - at - 1][i - at]])) {
			return EMULATE_NO;
		}
	}
	if (range[1] == 0) {
		return EMULATE_UNKNOWN;
	}
	count_up(e, range, separator);
	return EMULATE_DONE;
}

/* ---- paths -------------------------------------------------------------------------------- */

static size_t
without_slashes(const char *path, size_t len)
{
	while (len > 1 && path[len - 1] == '/') {
		len--;
	}
	return len;
}

enum emulated
emulate_basename(struct emulation *e)
{
	const char *path;
	size_t len;
	size_t start;

	if (!has_literal_args(e, 1, 2) || e->argv[1].text[0] == '-') {
		return EMULATE_NO;
	}
	path = e->argv[1].text;
	len = without_slashes(path, e->argv[1].len);
	for (start = len; start > 0 && path[start - 1] != '/';) {
		start--;
	}
	if (start == len && len > 0) {
		start--; /* "/" */
	}
	if (e->argc == 3) {
		size_t size = e->argv[2].len;

		if (size > 0 && size < len - start &&
		    memcmp(path + len - size, e->argv[2].text, size) == 0) {
			len -= size;
		}
	}
	emulate_put(&e->out, path + start, len - start);
	emulate_put_byte(&e->out, '\n');
	return EMULATE_DONE;
}

enum emulated
emulate_dirname(struct emulation *e)
{
	const char *path;
	size_t len;

	if (!has_literal_args(e, 1, 1) || e->argv[1].text[0] == '-') {
		return EMULATE_NO;
	}
	path = e->argv[1].text;
	len = without_slashes(path, e->argv[1].len);
	while (len > 0 && path[len - 1] != '/') {
		len--;
	}
	if (len == 0) {
		emulate_put(&e->out, ".", 1);
	} else {
		emulate_put(&e->out, path, without_slashes(path, len));
	}
	emulate_put_byte(&e->out, '\n');
	return EMULATE_DONE;
}

enum emulated
emulate_pwd(struct emulation *e)
{
	struct emulate_text cwd;

	if (e->argc > 2 || (e->argc == 2 && !field_is(&e->argv[1], "-L")) || e->shell == NULL) {
		return EMULATE_NO;
	}
	cwd = emulate_field(&e->shell->cwd);
	e->out.taint |= e->shell->cwd.taint;
	emulate_put_text(&e->out, &cwd, 0, cwd.len);
	emulate_put_byte(&e->out, '\n');
	return EMULATE_DONE;
}

/* ---- expr --------------------------------------------------------------------------------- */

static bool
expr_arithmetic(int64_t a, char op, int64_t b, int64_t *result)
{
	bool divides = (op == '/' || op == '%') && b != 0 && b != -1;

	*result = 0;
	switch (op) {
	case '+':
		return !__builtin_add_overflow(a, b, result);
	case '-':
		return !__builtin_sub_overflow(a, b, result);
	case '*':
		return !__builtin_mul_overflow(a, b, result);
	case '/':
		*result = divides ? a / b : 0;
		return divides;
	case '%':
		*result = divides ? a % b : 0;
		return divides;
	default:
		return false;
	}
}

static void
put_substring(struct emulation *e, const struct field *text, int64_t from, int64_t count)
{
	size_t start = from > 0 ? (size_t)from - 1 : text->len;
	size_t len = count > 0 ? (size_t)count : 0;

	if (start < text->len) {
		len = len < text->len - start ? len : text->len - start;
		emulate_put(&e->out, text->text + start, len);
	}
	emulate_put_byte(&e->out, '\n');
}

/* Is the word nothing that expr takes for an operator? */
static bool
is_plain_word(const struct field *word)
{
	static const char *const words[] = { "substr", "length", "index", "match", "+", "(", ")" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (field_is(word, words[i])) {
			return false;
		}
	}
	return word->len > 0 && emulate_is_ascii(word->text, word->len);
}

enum emulated
emulate_expr(struct emulation *e)
{
	int64_t a;
	int64_t b;
	int64_t result;

	if (!has_literal_args(e, 2, 4)) {
		return EMULATE_NO;
	}
	if (e->argc == 5 && field_is(&e->argv[1], "substr") && is_plain_word(&e->argv[2]) &&
	    read_signed(e->argv[3].text, &a) && read_signed(e->argv[4].text, &b)) {
		put_substring(e, &e->argv[2], a, b);
		return EMULATE_DONE;
	}
	if (e->argc == 3 && field_is(&e->argv[1], "length") && is_plain_word(&e->argv[2])) {
		emulate_put_number(&e->out, e->argv[2].len);
		emulate_put_byte(&e->out, '\n');
		return EMULATE_DONE;
	}
	if (e->argc != 4 || e->argv[2].len != 1 || !read_signed(e->argv[1].text, &a) ||
	    !read_signed(e->argv[3].text, &b) ||
	    !expr_arithmetic(a, e->argv[2].text[0], b, &result)) {
		return EMULATE_NO;
	}
	emulate_put_number(&e->out, result);
	emulate_put_byte(&e->out, '\n');
	return EMULATE_DONE;
}

/* ---- names of programs -------------------------------------------------------------------- */

bool
emulate_is_everywhere(const char *name)
{
	static const char *const names[] = {
		"awk",	   "bash",  "basename", "cat",	"chmod", "cp",	  "cut",   "date",
		"dirname", "env",   "find",	"grep", "head",	 "ls",	  "mkdir", "mv",
		"rm",	   "rmdir", "sed",	"sh",	"sleep", "sort",  "tail",  "tee",
		"touch",   "tr",    "uname",	"uniq", "wc",	 "xargs",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Where the name of a program that has a model is looked for. Were it not there, nothing would be
 * printed. */
static bool
put_program(struct emulation *e, const struct field *name)
{
	size_t i;

	if (!field_is_literal(name) || model_find(name->text, name->len) == NULL) {
		return false;
	}
	for (i = 0; i < name->len; i++) {
		if (name->text[i] == '/') {
			return false;
		}
	}
	e->out.taint |= name->taint;
	if (!emulate_is_everywhere(name->text)) {
		e->doubted = true;
		if (e->sure) {
			return true;
		}
	}
	emulate_put(&e->out, "/usr/bin/", 9);
	emulate_put(&e->out, name->text, name->len);
	emulate_put_byte(&e->out, '\n');
	return true;
}

static enum emulated
put_programs(struct emulation *e, size_t first)
{
	size_t i;

	for (i = first; i < e->argc; i++) {
		if (!put_program(e, &e->argv[i])) {
			return EMULATE_UNKNOWN;
		}
	}
	return first < e->argc ? EMULATE_DONE : EMULATE_UNKNOWN;
}

enum emulated
emulate_which(struct emulation *e)
{
	return put_programs(e, 1);
}

static bool
is_builtin(const struct field *name)
{
	static const char *const builtins[] = {
		"alias",    "bg",      "bind",	  "break",  "builtin", "cd",	  "command",
		"continue", "declare", "dirs",	  "disown", "echo",    "enable",  "eval",
		"exec",	    "exit",    "export",  "false",  "fc",      "fg",	  "getopts",
		"hash",	    "help",    "history", "jobs",   "kill",    "let",	  "local",
		"logout",   "mapfile", "popd",	  "printf", "pushd",   "pwd",	  "read",
		"readonly", "return",  "set",	  "shift",  "shopt",   "source",  "suspend",
		"test",	    "times",   "trap",	  "true",   "type",    "typeset", "ulimit",
		"umask",    "unalias", "unset",	  "wait",   ":",       ".",	  "[",
	};
	size_t i;

	for (i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (field_is(name, builtins[i])) {
			return true;
		}
	}
	return false;
}

/* command -v and type -P; anything else that `command` does is the command's own output. */
enum emulated
emulate_command(struct emulation *e)
{
	const struct field *name = &e->argv[2];

	if (e->argc < 3) {
		return EMULATE_NO;
	}
	if (strcmp(e->name, "type") == 0) {
		return field_is(&e->argv[1], "-P") ? put_programs(e, 2) : EMULATE_NO;
	}
	if (e->argc != 3 || !field_is(&e->argv[1], "-v")) {
		return EMULATE_NO;
	}
	if (!field_is_literal(name)) {
		return EMULATE_UNKNOWN;
	}
	if (is_builtin(name) ||
	    (e->shell != NULL && shell_function(e->shell, name->text) != NULL)) {
		emulate_put(&e->out, name->text, name->len);
		emulate_put_byte(&e->out, '\n');
		return EMULATE_DONE;
	}
	return put_programs(e, 2);
}

/* ---- others ------------------------------------------------------------------------------- */

enum emulated
emulate_nothing(struct emulation *e)
{
	(void)e;
	return EMULATE_DONE;
}

/* xargs alone is xargs echo: the words of its input in one line. */
enum emulated
emulate_xargs(struct emulation *e)
{
	struct emulate_text text = emulate_input(e);
	bool between = false;
	size_t i;

	if (e->argc != 1) {
		return EMULATE_NO;
	}
	if (text.len > 100000) {
		return EMULATE_UNKNOWN;
	}
	for (i = 0; i < text.len; i++) {
		char c = text.text[i];

		if (emulate_is_unknown(&text, i) || strchr("'\"\\", c) != NULL) {
			return EMULATE_UNKNOWN; /* quotes, and NULs */
		}
		if (c == ' ' || c == '\t' || c == '\n') {
			between = e->out.len > 0;
			continue;
		}
		if (e->out.len == 0 && c == '-') {
			return EMULATE_UNKNOWN; /* maybe an option of echo */
		}
		if (between) {
			emulate_put_byte(&e->out, ' ');
			between = false;
		}
		emulate_put_byte(&e->out, c);
	}
	emulate_put_byte(&e->out, '\n');
	return EMULATE_DONE;
}

/* ---- one-liners of other languages --------------------------------------------------------- */

static const struct {
	const char *names;
	const char *option;
	const char *before;
	const char *after;
	bool newline;
	bool interpolates; /* in double quotes */
} printers[] = {
	{ "python python2 python3", "-c", "print(", ")", true, false },
	{ "perl", "-e", "print ", "", false, true },
	{ "perl", "-E", "say ", "", true, true },
	{ "ruby", "-e", "puts ", "", true, true },
	{ "ruby", "-e", "print ", "", false, true },
	{ "node nodejs", "-e", "console.log(", ")", true, false },
	{ "node nodejs", "-p", "", "", true, false },
	{ "php", "-r", "echo ", ";", false, true },
	{ "php", "-r", "print ", ";", false, true },
};

static bool
has_name(const char *names, const char *name)
{
	size_t len = strlen(name);
	const char *at;

	for (at = strstr(names, name); at != NULL; at = strstr(at + 1, name)) {
		if ((at == names || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0')) {
			return true;
		}
	}
	return false;
}

/* Puts the string of a program that prints one string and nothing else. */
static bool
put_printed(struct emulation *e, size_t i, const char *code, size_t len)
{
	size_t before = strlen(printers[i].before);
	size_t after = strlen(printers[i].after);
	const char *text = code + before + 1;
	char quote;
	size_t at;

	if (len > 0 && code[len - 1] == ';' && after == 0) {
		len--;
	}
	if (len < before + after + 2 || strncmp(code, printers[i].before, before) != 0 ||
	    strncmp(code + len - after, printers[i].after, after) != 0) {
		return false;
	}
	quote = code[before];
	len -= before + after + 2;
	if ((quote != '"' && quote != '\'') || text[len] != quote) {
		return false;
	}
	for (at = 0; at < len; at++) {
		if (text[at] == quote || text[at] == '\\' || text[at] == '\n' ||
		    (quote == '"' && printers[i].interpolates &&
		     strchr("$@#%{", text[at]) != NULL)) {
			return false;
		}
	}
	emulate_put(&e->out, text, len);
	emulate_put(&e->out, "\n", printers[i].newline);
	return true;
}

enum emulated
emulate_script(struct emulation *e)
{
	size_t i;

	if (e->argc != 3 || !field_is_literal(&e->argv[2])) {
		return EMULATE_NO;
	}
	e->out.taint |= e->argv[2].taint;
	for (i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
		if (has_name(printers[i].names, e->name) &&
		    field_is(&e->argv[1], printers[i].option) &&
		    put_printed(e, i, e->argv[2].text, e->argv[2].len)) {
			return EMULATE_DONE;
		}
	}
	return EMULATE_NO;
}
