/* SPDX-License-Identifier: MIT */
/*
 * ${...} in all its forms. What bash finds wrong only when it expands it ("bad substitution") is
 * noted and reading goes on behind the closing brace: the parameter has the name "" then.
 */
#include "command/reader.h"

#include <string.h>

static const char specials[] = "@*#?-$!";

static struct word *
soft_word(struct reader *r, enum soft_mode mode)
{
	uint32_t start = r->pos;
	struct parts parts;

	parts_init(&parts);
	(void)rd_soft(r, &parts, mode);
	return rd_make_word(r, &parts, start);
}

static struct word *
live_word(struct reader *r, enum live_mode mode)
{
	uint32_t start = r->pos;
	struct parts parts;

	parts_init(&parts);
	(void)rd_live(r, &parts, mode, 0);
	return rd_make_word(r, &parts, start);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* A name, a number or a sign; false and nothing read when there is none. */
static bool
name(struct reader *r, struct param *param)
{
	uint32_t start = r->pos;
	uint32_t end = rd_name_end(r, start);
	char c = rd_at(r, start);

	if (end == start) {
		while (char_is(rd_at(r, end), CHAR_DIGIT)) {
			end = rd_skip(r, end + 1);
		}
	}
	if (end == start && c != '\0' && strchr(specials, c) != NULL) {
		end = rd_skip(r, start + 1);
	}
	if (end == start) {
		return false;
	}
	param->name = rd_name(r, start, end);
	r->pos = end;
	return param->name != NULL;
}

/* A name with its subscript. */
static bool
reference(struct reader *r, struct param *param)
{
	bool identifier = char_is(rd_at(r, r->pos), CHAR_NAME);

	if (!name(r, param)) {
		return false;
	}
	if (identifier && rd_at(r, r->pos) == '[') {
		rd_only_bash(r, "has an array, which sh does not know", r->pos, r->pos + 1);
		param->index = rd_subscript(r, true);
		if (r->stopped || r->text[r->pos - 1] != ']') {
			return false;
		}
		(void)rd_cur(r);
	}
	return !r->stopped;
}

/* ${# is a length when a name and the brace follow, and else the number of arguments. */
static bool
length_or_count(struct reader *r, struct param *param)
{
	uint32_t count = rd_skip(r, r->pos + 1);
	char next = rd_at(r, count);

	if (next != '}') {
		r->pos = count;
		if (reference(r, param) && rd_at(r, r->pos) == '}') {
			param->op = PARAM_LENGTH;
			return true;
		}
		if (r->stopped || char_is(next, CHAR_NAME | CHAR_DIGIT)) {
			return false;
		}
	}
	r->pos = count;
	param->name = "#";
	param->index = NULL;
	return true;
}

/* ${!x is indirect, and ${!} and ${!-w} are the last background process. */
static bool
indirect_or_last(struct reader *r, struct param *param)
{
	uint32_t behind = rd_skip(r, r->pos + 1);
	char next = rd_at(r, behind);

	if (char_is(next, CHAR_NAME | CHAR_DIGIT) ||
	    (next != '\0' && strchr("#?@*", next) != NULL && rd_after(r, behind) == '}')) {
		rd_only_bash(r, "has ${!, which sh does not know", r->pos, behind);
		r->pos = behind;
		param->indirect = true;
		return reference(r, param);
	}
	r->pos = behind;
	param->name = "!";
	return true;
}

static bool
head(struct reader *r, struct param *param)
{
	char c = rd_cur(r);

	if (c == '#') {
		return length_or_count(r, param);
	}
	if (c == '!') {
		return indirect_or_last(r, param);
	}
	return reference(r, param);
}

/* ---- operators ------------------------------------------------------------------------------ */

static enum param_op
value_op(char c)
{
	switch (c) {
	case '-':
		return PARAM_DEFAULT;
	case '=':
		return PARAM_ASSIGN;
	case '?':
		return PARAM_ERROR;
	case '+':
		return PARAM_ALTERNATE;
	default:
		return PARAM_PLAIN;
	}
}

/* ${x-w} and its kind */
static bool
value(struct reader *r, struct param *param, bool soft)
{
	param->op = value_op(rd_at(r, r->pos));
	r->pos++;
	param->arg = soft ? soft_word(r, SOFT_BRACE) : live_word(r, LIVE_BRACE);
	return param->arg != NULL;
}

/* ${x:w:v} */
static bool
substring(struct reader *r, struct param *param)
{
	rd_only_bash(r, "has ${x:n}, which sh does not know", r->pos, r->pos + 1);
	r->pos++;
	if (rd_cur(r) == '}') {
		return false;
	}
	param->op = PARAM_SUBSTRING;
	param->arg = soft_word(r, SOFT_SUBSTRING);
	if (param->arg != NULL && rd_at(r, r->pos) == ':') {
		r->pos++;
		param->arg2 = soft_word(r, SOFT_SUBSTRING);
	}
	return !r->stopped;
}

/* Operators that are longer when the letter is doubled. */
static bool
doubled(struct reader *r, struct param *param)
{
	static const struct {
		char letter;
		enum param_op once, twice;
	} table[] = {
		{ '%', PARAM_SUFFIX, PARAM_SUFFIX_LONG },
		{ '#', PARAM_PREFIX, PARAM_PREFIX_LONG },
		{ '^', PARAM_UPPER, PARAM_UPPER_ALL },
		{ ',', PARAM_LOWER, PARAM_LOWER_ALL },
	};
	char c = rd_at(r, r->pos);
	bool twice = rd_after(r, r->pos) == c;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].letter == c) {
			param->op = twice ? table[i].twice : table[i].once;
		}
	}
	if (c == '^' || c == ',') {
		rd_only_bash(r, "changes case in ${, which sh does not know", r->pos, r->pos + 1);
	}
	if (twice) {
		rd_next(r);
	}
	rd_next(r);
	if ((c != '^' && c != ',') || rd_at(r, r->pos) != '}') {
		param->arg = live_word(r, LIVE_BRACE);
	}
	return !r->stopped;
}

/* ${x/w/v} */
static bool
replace(struct reader *r, struct param *param)
{
	char next = rd_after(r, r->pos);

	rd_only_bash(r, "has ${x/, which sh does not know", r->pos, r->pos + 1);
	param->op = next == '/'	  ? PARAM_REPLACE_ALL
		    : next == '#' ? PARAM_REPLACE_START
		    : next == '%' ? PARAM_REPLACE_END
				  : PARAM_REPLACE;
	rd_next(r);
	if (param->op != PARAM_REPLACE) {
		rd_next(r);
	}
	param->arg = live_word(r, LIVE_BRACE_SLASH);
	if (param->arg != NULL && rd_at(r, r->pos) == '/') {
		r->pos++;
		param->arg2 = live_word(r, LIVE_BRACE);
	}
	return !r->stopped;
}

/* ${x@Q} and ${!x@} */
static bool
transform(struct reader *r, struct param *param)
{
	char letter = rd_after(r, r->pos);

	rd_only_bash(r, "has ${x@, which sh does not know", r->pos, r->pos + 1);
	if (letter == '}' && param->indirect && param->index == NULL) {
		param->op = PARAM_NAMES;
		param->transform = '@';
		rd_next(r);
		return true;
	}
	if (letter == '\0' || strchr("UuLQEPAKak", letter) == NULL) {
		return false;
	}
	param->op = PARAM_TRANSFORM;
	param->transform = letter;
	rd_next(r);
	rd_next(r);
	return true;
}

/* ${!x[@]} and ${!x*} */
static bool
nothing(struct reader *r, struct param *param)
{
	const struct part *part = param->index != NULL ? param->index->parts : NULL;

	(void)r;
	if (param->indirect && part != NULL && part->next == NULL && part->kind == PART_TEXT &&
	    part->len == 1 && (part->text[0] == '@' || part->text[0] == '*')) {
		param->op = PARAM_KEYS;
	}
	return true;
}

static bool
names(struct reader *r, struct param *param)
{
	if (!param->indirect || param->index != NULL || rd_after(r, r->pos) != '}') {
		return false;
	}
	param->op = PARAM_NAMES;
	param->transform = '*';
	rd_next(r);
	return true;
}

static bool
operator(struct reader *r, struct param *param, bool soft)
{
	char c = rd_cur(r);

	switch (c) {
	case '}':
		return nothing(r, param);
	case ':':
		c = rd_after(r, r->pos);
		if (value_op(c) == PARAM_PLAIN) {
			return substring(r, param);
		}
		rd_next(r);
		param->colon = true;
		return value(r, param, soft);
	case '-':
	case '=':
	case '?':
	case '+':
		return value(r, param, soft);
	case '%':
	case '#':
	case '^':
	case ',':
		return doubled(r, param);
	case '/':
		return replace(r, param);
	case '@':
		return transform(r, param);
	case '*':
		return names(r, param);
	default:
		return false;
	}
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void
bad(struct reader *r, struct param *param, bool soft, uint32_t start)
{
	memset(param, 0, sizeof(*param));
	param->name = "";
	param->arg = soft ? soft_word(r, SOFT_BRACE) : live_word(r, LIVE_BRACE);
	rd_doubt(r, "has a ${ that bash does not accept", start, r->pos);
}

/* ${ list; } of bash 5.3, which is a bad substitution to those before it, up to the first } that is
 * not quoted. */
static bool
command(struct reader *r, struct parts *parts, bool soft, uint32_t start)
{
	struct mark mark;
	struct heredocs outer;
	uint32_t end = r->end;
	uint32_t close;
	bool listed = false;
	struct script *script = parse_new_script(r);
	struct param *param = rd_alloc(r, sizeof(*param));
	struct part *part;

	rd_doubt(r, "has ${ with a command, which depends on the version of bash", start, r->pos);
	mark = rd_mark(r);
	if (script == NULL || param == NULL) {
		return false;
	}
	bad(r, param, soft, start);
	close = r->pos;
	if (!r->stopped && rd_back(r, &mark)) {
		r->pos += rd_at(r, r->pos) == '|' ? 1 : 0;
		r->end = close + 1;
		rd_heredocs_aside(r, &outer);
		listed = parse_list(r, script, true) && rd_expect(r, KW_RBRACE);
		rd_heredocs_resume(r, &outer);
		r->end = end;
	}
	if (r->arena->failed || (r->stopped && close >= end)) {
		return false;
	}
	if (!listed) {
		r->stopped = false;
		*r->trouble = mark.trouble;
	}
	r->pos = close + 1;
	script->span.end = close;
	part = parts_add(r, parts, listed ? PART_COMMAND : PART_PARAM, soft, start, r->pos);
	if (part != NULL) {
		part->script = listed ? script : NULL;
		part->param = listed ? NULL : param;
	}
	return part != NULL;
}

bool
rd_param(struct reader *r, struct parts *parts, bool soft)
{
	uint32_t start = r->pos;
	struct param *param = rd_alloc(r, sizeof(*param));
	struct part *part = NULL;
	bool read = false;
	char c;

	if (param == NULL || !rd_enter(r)) {
		return false;
	}
	rd_next(r);
	rd_next(r);
	c = rd_at(r, r->pos);
	if (c == ' ' || c == '\t' || c == '\n' || c == '|') {
		read = command(r, parts, soft, start);
		rd_leave(r);
		return read;
	}
	read = head(r, param) && (param->op == PARAM_LENGTH || operator(r, param, soft)) &&
	       rd_cur(r) == '}';
	if (!r->stopped && !read) {
		bad(r, param, soft, start);
	}
	rd_leave(r);
	if (!r->stopped) {
		r->pos++;
		part = parts_add(r, parts, PART_PARAM, soft, start, r->pos);
	}
	if (part != NULL) {
		part->param = param;
	}
	return part != NULL;
}
