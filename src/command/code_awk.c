/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what an awk program does beyond printing: system(), pipes, redirections,
 * getline from files and commands, the environment, the network of gawk.
 *
 * Invariants:
 *   - a program whose tokens are not certain, and one that does what is not understood, is not
 * known
 *   - what it hands to a shell is at least prompt, so a command that is guessed (the one value that
 *     a variable gets) makes a verdict worse at most
 */

#include "command/code_awk.h"
#include "command/code_impl.h"
#include "base/attr.h"
#include "base/path.h"

/* How often the whole program may be searched for a name. */
#define SEARCHES_MAX 64

struct awk {
	struct code *code;
	struct awk_tokens tokens;
	struct emulate_out out; /* for values */
	struct awk_eval eval;
	unsigned searches;
	bool network;  /* /inet/... */
	bool executes; /* commands that are not all known */
	bool follows;  /* takes the last assignment before the use: good enough for a command */
};

static const struct rule environment_rule = {
	.id = "awk.environment",
	.decision = BAILEY_PROMPT,
	.kind = BAILEY_EFFECT_DISCLOSURE,
	.message = "reads what the environment holds",
};

static const struct rule network_rule = {
	.id = "awk.network",
	.decision = BAILEY_PROMPT,
	.kind = BAILEY_EFFECT_NETWORK,
	.message = "opens a network connection",
};

static const struct rule remote_shell_rule = {
	.id = "awk.remote-shell",
	.decision = BAILEY_FORBIDDEN,
	.kind = BAILEY_EFFECT_EXECUTES,
	.message = "runs commands and has a network connection: whoever is at its other end may "
		   "give them",
};

static void
unknown_at(struct awk *awk, const char *why, size_t token)
{
	const struct awk_token *at = &awk->tokens.items[token];

	code_unknown(awk->code, why, at->start, at->end);
}

/* ---- variables ---------------------------------------------------------------------------- */

static bool
same_name(const struct awk_tokens *tokens, size_t a, size_t b)
{
	const struct awk_token *x = &tokens->items[a];
	const struct awk_token *y = &tokens->items[b];

	return y->kind == AWK_NAME && x->end - x->start == y->end - y->start &&
	       memcmp(tokens->text + x->start, tokens->text + y->start, x->end - x->start) == 0;
}

/* Is the name at `at` changed there other than by a plain assignment? */
static bool
changes(const struct awk_tokens *tokens, size_t at)
{
	const struct awk_token *next = &tokens->items[at + 1];
	const struct awk_token *before = at > 0 ? next - 2 : next;

	if (next->kind == AWK_OP &&
	    (next->op >> 8 == '='
		     ? strchr("+-*/%^", (int)(next->op & 0xff)) != NULL
		     : next->op == AWK_OP2('+', '+') || next->op == AWK_OP2('-', '-') ||
			       next->op == '[' || next->op == AWK_OP2('*', '*'))) {
		return true;
	}
	if (at == 0) {
		return false;
	}
	if (before->kind == AWK_OP &&
	    (before->op == AWK_OP2('+', '+') || before->op == AWK_OP2('-', '-'))) {
		return true;
	}
	/* sub(/x/, "y", name), for (name in a), function f(name) and the like */
	return awk_is_word(tokens, at - 1, "getline") || awk_is_word(tokens, at + 1, "in") ||
	       (before->kind == AWK_OP && (before->op == ',' || before->op == '(') &&
		next->kind == AWK_OP && (next->op == ')' || next->op == ',') &&
		!awk_is_one_of(tokens, at >= 2 ? at - 2 : at, "system close"));
}

static bool
ends_expression(const struct awk_tokens *tokens, size_t at)
{
	const struct awk_token *token = &tokens->items[at];

	return token->kind == AWK_END || token->kind == AWK_NEWLINE ||
	       (token->kind == AWK_OP && token->op < 0x80 &&
		strchr(";,)}]:", (int)token->op) != NULL);
}

static size_t
expression_end(const struct awk_tokens *tokens, size_t from)
{
	while (from < tokens->count && !ends_expression(tokens, from)) {
		from = awk_skip(tokens, from);
	}
	return from;
}

/* The last plain assignment that is over before `at`; 0: there is none. */
static size_t
assignment_before(struct awk *awk, size_t at)
{
	const struct awk_tokens *tokens = &awk->tokens;
	size_t found = 0;

	for (size_t i = 0; i + 2 < at && awk->searches <= SEARCHES_MAX; i++) {
		if (same_name(tokens, at, i) && awk_is_op(tokens, i + 1, '=') &&
		    expression_end(tokens, i + 2) <= at) {
			found = i + 2;
		}
	}
	return found;
}

/* The only assignment to the name at `at`: the index of its first value token. 0: there is none, or
 * not only one. */
static size_t
only_assignment(struct awk *awk, size_t at, bool *changed)
{
	const struct awk_tokens *tokens = &awk->tokens;
	bool again = false;
	size_t found = 0;
	size_t i;

	*changed = ++awk->searches > SEARCHES_MAX;
	for (i = 0; i + 1 < tokens->count && !*changed; i++) {
		if (!same_name(tokens, at, i)) {
			continue;
		}
		if (awk_is_op(tokens, i + 1, '=')) {
			again = again || found != 0;
			found = i + 2;
		} else if (changes(tokens, i)) {
			*changed = true;
		}
	}
	if (again && !*changed) {
		found = awk->follows ? assignment_before(awk, at) : 0;
		*changed = found == 0;
	}
	return *changed ? 0 : found;
}

/* A variable that was given to awk: NAME=VALUE among the arguments of the code. */
static bool
given_variable(const struct awk *awk, size_t at, struct awk_value *value)
{
	const struct awk_token *name = &awk->tokens.items[at];
	size_t len = name->end - name->start;
	size_t i;

	for (i = 0; i < awk->code->arg_count; i++) {
		const struct field *arg = &awk->code->args[i];

		if (field_is_literal(arg) && arg->len > len && arg->text[len] == '=' &&
		    memcmp(arg->text, awk->tokens.text + name->start, len) == 0) {
			*value = (struct awk_value){ .text = { .text = arg->text + len + 1,
							       .len = arg->len - len - 1 } };
			return memchr(value->text.text, '\\', value->text.len) == NULL;
		}
	}
	return false;
}

static bool
variable_value(void *data, size_t at, unsigned depth, struct awk_value *value)
{
	struct awk *awk = data;
	bool changed;
	size_t from = only_assignment(awk, at, &changed);

	if (changed || depth >= AWK_DEPTH_MAX) {
		return false;
	}
	if (from == 0) {
		return given_variable(awk, at, value);
	}
	*value = awk_evaluate(&awk->eval, from, expression_end(&awk->tokens, from));
	return true;
}

/* The value of an expression as a field; NULL when memory is out. */
static const struct field *
value_field(struct awk *awk, size_t from, size_t to)
{
	struct awk_value value;
	struct emulate_text text;

	if (from >= to) {
		return code_unknown_text(awk->code);
	}
	value = awk_evaluate(&awk->eval, from, to);
	text = awk_text(&awk->eval, &value);
	return code_made(awk->code, text.text, text.len);
}

/* ---- commands and files -------------------------------------------------------------------- */

static bool
is_inet(const struct field *text)
{
	return text != NULL && strncmp(text->text, "/inet", 5) == 0;
}

/* A command: the expression in [from, to). */
static void
find_command(struct awk *awk, size_t from, size_t to, const char *via)
{
	const struct field *text;

	awk->follows = true;
	text = value_field(awk, from, to);
	awk->follows = false;
	if (is_inet(text)) {
		awk->network = true;
		return;
	}
	awk->executes = true;
	code_shell(awk->code, text, via);
}

/* print "text" | "sh": what is printed is code. */
static void
find_fed_shell(struct awk *awk, size_t print, size_t pipe, size_t end)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "ash" };
	const struct field *shell = value_field(awk, pipe + 1, end);
	const struct field *text;
	const char *name = shell != NULL ? path_base(shell->text) : "";

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(name, shells[i]) == 0 &&
		    awk_comma(&awk->tokens, print + 1, pipe) >= pipe) {
			awk->follows = true;
			text = value_field(awk, print + 1, pipe);
			awk->follows = false;
			code_shell(awk->code, text, "awk");
			return;
		}
	}
}

static bool
is_stream_name(const struct field *file, bool reads)
{
	return field_is(file, reads ? "/dev/stdin" : "/dev/stdout") ||
	       field_is(file, reads ? "-" : "/dev/stderr");
}

/* A name that the program puts together from what it reads may be that of any file. */
static const struct field *
named_by_data(struct awk *awk, const struct field *file)
{
	struct field *copy;

	if (file->kind != BAILEY_WORD_DYNAMIC) {
		return file;
	}
	copy = arena_alloc(awk->code->arena, sizeof(*copy));
	if (copy == NULL) {
		return file;
	}
	*copy = *file;
	copy->taint |= TAINT_FILE;
	return copy;
}

static void
find_file_at(struct awk *awk, size_t from, size_t to, enum deed deed)
{
	const struct field *file = value_field(awk, from, to);

	if (file == NULL) {
		find_unknown(awk->code->found, "a file that is not known", awk->code->field);
	} else if (is_inet(file)) {
		awk->network = true;
	} else if (!is_stream_name(file, deed == DEED_READ)) {
		(void)find_deed(awk->code->found, deed, named_by_data(awk, file));
	}
}

/* ---- print -------------------------------------------------------------------------------- */

/* Does a statement go on behind a newline that follows this token? */
static bool
goes_on_behind(const struct awk_token *token)
{
	if (token->kind != AWK_OP) {
		return false;
	}
	return !token->value && token->op != ';' && token->op != '{' && token->op != '}';
}

/* The end of a print statement, or of the expression in it, that goes on at `at`. */
static size_t
statement_end(const struct awk_tokens *tokens, size_t at)
{
	const struct awk_token *last = &tokens->items[at - 1]; /* that is no newline */

	for (; tokens->items[at].kind != AWK_END; at = awk_skip(tokens, at)) {
		const struct awk_token *token = &tokens->items[at];

		if (token->kind == AWK_NEWLINE) {
			if (!goes_on_behind(last)) {
				break;
			}
			continue;
		}
		if (token->kind == AWK_OP && (token->op == ';' || token->op == '}' ||
					      token->op == ')' || token->op == ']')) {
			break;
		}
		last = &tokens->items[awk_skip(tokens, at) - 1];
	}
	return at;
}

static void
find_redirection(struct awk *awk, size_t at, size_t end)
{
	switch (awk->tokens.items[at].op) {
	case '>':
		find_file_at(awk, at + 1, end, DEED_WRITE);
		break;
	case AWK_OP2('>', '>'):
		find_file_at(awk, at + 1, end, DEED_APPEND);
		break;
	default:
		find_command(awk, at + 1, end, "awk");
		break;
	}
}

/* print and printf: what stands behind > >> | and |& outside of brackets. */
static void
find_print(struct awk *awk, size_t print)
{
	const struct awk_tokens *tokens = &awk->tokens;
	size_t end = statement_end(tokens, print + 1);
	size_t at;

	for (at = print + 1; at < end; at = awk_skip(tokens, at)) {
		const struct awk_token *token = &tokens->items[at];
		bool pipe = token->kind == AWK_OP &&
			    (token->op == '|' || token->op == AWK_OP2('|', '&'));

		if (pipe && awk_is_word(tokens, at + 1, "getline")) {
			continue;
		}
		if (pipe || (token->kind == AWK_OP &&
			     (token->op == '>' || token->op == AWK_OP2('>', '>')))) {
			if (pipe && at > print + 1) {
				find_fed_shell(awk, print, at, end);
			}
			find_redirection(awk, at, end);
			return;
		}
	}
}

/* ---- getline ------------------------------------------------------------------------------ */

/* Where the expression begins that a pipe at `pipe` reads from. */
static size_t
command_start(const struct awk_tokens *tokens, size_t pipe)
{
	size_t at = pipe;

	while (at > 0) {
		const struct awk_token *token = &tokens->items[at - 1];

		if (token->kind == AWK_OP && token->match < at - 1) {
			at = token->match; /* a closing bracket */
			continue;
		}
		if (token->kind != AWK_STRING && token->kind != AWK_NUMBER &&
		    (token->kind != AWK_NAME || !token->value) && !awk_is_op(tokens, at - 1, '$')) {
			break;
		}
		at--;
	}
	return at;
}

/* Behind the variable that getline reads into, which may not be there. */
static size_t
skip_variable(const struct awk_tokens *tokens, size_t at)
{
	while (awk_is_op(tokens, at, '$')) {
		at++;
	}
	if (tokens->items[at].kind == AWK_NAME || tokens->items[at].kind == AWK_NUMBER) {
		at++;
	}
	if (awk_is_op(tokens, at, '[') || awk_is_op(tokens, at, '(')) {
		at = awk_skip(tokens, at);
	}
	return at;
}

static void
find_getline(struct awk *awk, size_t getline)
{
	const struct awk_tokens *tokens = &awk->tokens;
	size_t at;
	size_t end;

	if (getline > 0 && (awk_is_op(tokens, getline - 1, '|') ||
			    awk_is_op(tokens, getline - 1, AWK_OP2('|', '&')))) {
		find_command(awk, command_start(tokens, getline - 1), getline - 1, "awk");
		return;
	}
	at = skip_variable(tokens, getline + 1);
	if (!awk_is_op(tokens, at, '<')) {
		return;
	}
	end = awk_skip(tokens, at + 1);
	/* Some take what follows as part of the name, some do not. */
	if (!ends_expression(tokens, end) && tokens->items[end].kind != AWK_OP) {
		end = at;
	}
	find_file_at(awk, at + 1, end, DEED_READ);
}

/* ---- names -------------------------------------------------------------------------------- */

static void
find_system(struct awk *awk, size_t at)
{
	size_t open = at + 1;
	size_t close = awk->tokens.items[open].match;

	if (!awk_is_op(&awk->tokens, open, '(') || close == open) {
		unknown_at(awk, "system without its command", at);
		awk->executes = true;
		return;
	}
	find_command(awk, open + 1, close, "awk system");
}

/* ENVIRON["NAME"] of a name that is not secret is like $NAME. */
static void
find_environment(struct awk *awk, size_t at)
{
	const struct awk_tokens *tokens = &awk->tokens;
	const struct awk_token *key = &tokens->items[at + 1];
	const struct field *name;

	if (awk_is_op(tokens, at + 1, '[') && key->match == at + 3 &&
	    tokens->items[at + 2].kind == AWK_STRING) {
		name = code_piece(awk->code, tokens->items[at + 2].start,
				  tokens->items[at + 2].end);
		if (name != NULL && field_is_literal(name) && !shell_is_secret_name(name->text)) {
			return;
		}
	}
	(void)find_rule(awk->code->found, &environment_rule, NULL);
}

static void
find_unfollowed(struct awk *awk, size_t at)
{
	unknown_at(awk, "something that may stand for other parts of the program", at);
}

static const struct {
	const char *words;
	void (*find)(struct awk *awk, size_t at);
} special_names[] = {
	{ "system", find_system },
	{ "print printf", find_print },
	{ "getline", find_getline },
	{ "ENVIRON", find_environment },
	{ "ARGV SYMTAB FUNCTAB", find_unfollowed },
};

/* Is a function of this name defined in the program? */
static bool
is_defined(struct awk *awk, size_t name)
{
	const struct awk_tokens *tokens = &awk->tokens;
	size_t i;

	if (++awk->searches > SEARCHES_MAX) {
		return false;
	}
	for (i = 1; i < tokens->count; i++) {
		if (same_name(tokens, name, i) && awk_is_one_of(tokens, i - 1, "function func")) {
			return true;
		}
	}
	return false;
}

/* A function that is neither awk's nor the program's may come from anywhere. */
static void
check_call(struct awk *awk, size_t at)
{
	static const char functions[] =
		"atan2 cos exp int log rand sin sqrt srand asort asorti gensub gsub index length "
		"match patsplit split sprintf strtonum sub substr tolower toupper close fflush "
		"system mktime strftime systime and compl lshift or rshift xor isarray typeof "
		"mkbool if while for switch return print printf in getline exit delete case else "
		"do func function";

	if (awk_is_op(&awk->tokens, at + 1, '(') && awk->tokens.items[at + 1].glued &&
	    !awk_is_one_of(&awk->tokens, at, functions) && !is_defined(awk, at)) {
		unknown_at(awk, "a function that the program does not have", at);
	}
}

static void
find_name(struct awk *awk, size_t at)
{
	char first = awk->tokens.text[awk->tokens.items[at].start];
	size_t i;

	for (i = 0; i < COUNT_OF(special_names) && strchr("AEFSgps", first) != NULL; i++) {
		if (awk_is_one_of(&awk->tokens, at, special_names[i].words)) {
			special_names[i].find(awk, at);
			return;
		}
	}
	check_call(awk, at);
}

/* ---- the program --------------------------------------------------------------------------- */

/* A pipe belongs to a print statement or to getline. */
static void
find_operator(struct awk *awk, size_t at)
{
	const struct awk_token *token = &awk->tokens.items[at];

	if (token->op == AWK_OP2('|', '&')) {
		unknown_at(awk, "a command that runs beside the program", at);
	}
}

static void
find_token(struct awk *awk, size_t at)
{
	const struct awk_token *token = &awk->tokens.items[at];

	if (token->kind == AWK_NAME) {
		find_name(awk, at);
	} else if (token->kind == AWK_OP) {
		find_operator(awk, at);
	} else if (token->kind == AWK_STRING && token->end - token->start > 5 &&
		   memcmp(awk->tokens.text + token->start, "/inet", 5) == 0) {
		awk->network = true;
	}
}

void
code_awk(struct code *code)
{
	struct awk awk = { .code = code, .out = { .arena = code->arena } };
	size_t i;

	if (!awk_read(code->arena, code->text, code->len, &awk.tokens)) {
		find_unknown(code->found, "an awk program that is too long", code->field);
		return;
	}
	awk.eval = (struct awk_eval){
		.out = &awk.out, .tokens = &awk.tokens, .data = &awk, .variable = variable_value
	};
	for (i = 0; i + 1 < awk.tokens.count; i++) {
		find_token(&awk, i);
	}
	if (awk.network) {
		(void)find_rule(code->found, awk.executes ? &remote_shell_rule : &network_rule,
				NULL);
		code->found->flags |= FIND_NETWORK;
	}
	if (!awk.tokens.certain) {
		code_unknown(code, "an awk program that cannot be read", awk.tokens.odd_at,
			     code->len);
	}
	code_known(code);
}
