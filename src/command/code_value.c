/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: values of code that are literal or nearly so: strings, texts joined, names that
 * were bound to something, chains of calls.
 *
 * Invariants:
 *   - a value may be known less than it could be, never wrongly
 *   - *at only grows, by one token at least for each step
 */

#include "command/code_calls.h"

#include "base/attr.h"
#include "base/text.h"

#include <string.h>

bool
calls_burn(struct machine *machine, size_t amount)
{
	if (machine->fuel < amount) {
		machine->fuel = 0;
		return false;
	}
	machine->fuel -= amount;
	return true;
}

struct value
calls_text(const char *text, size_t len)
{
	return (struct value){ .kind = VALUE_TEXT, .text = text, .len = len };
}

struct value
calls_unknown(unsigned taint)
{
	return (struct value){ .kind = VALUE_UNKNOWN, .taint = (uint16_t)taint };
}

static bool
is_text(const struct value *value)
{
	return value->kind == VALUE_TEXT || value->kind == VALUE_NUMBER ||
	       value->kind == VALUE_WORDS;
}

struct value
calls_join(struct machine *machine, const struct value *a, const struct value *b)
{
	static const char hole[] = { FIELD_UNKNOWN };
	const char *left = is_text(a) ? a->text : hole;
	const char *right = is_text(b) ? b->text : hole;
	size_t left_len = is_text(a) ? a->len : sizeof hole;
	size_t right_len = is_text(b) ? b->len : sizeof hole;
	struct value joined = calls_unknown((unsigned)a->taint | b->taint);
	char *text;

	if ((!is_text(a) && !is_text(b)) || left_len + right_len > CALLS_TEXT_MAX ||
	    !calls_burn(machine, left_len + right_len)) {
		return joined;
	}
	text = arena_alloc(machine->arena, left_len + right_len + 1);
	if (text == NULL) {
		return joined;
	}
	memcpy(text, left, left_len);
	memcpy(text + left_len, right, right_len);
	joined.kind = VALUE_TEXT;
	joined.text = text;
	joined.len = left_len + right_len;
	return joined;
}

/* ---- names --------------------------------------------------------------------------------- */

static size_t
slot_of(const struct machine *machine, const char *name, size_t len)
{
	uint32_t hash = 2166136261U;
	size_t slot;

	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ (unsigned char)name[i]) * 16777619U;
	}
	slot = hash % VARS_SLOTS;
	while (machine->vars[slot].name != NULL &&
	       (machine->vars[slot].len != len ||
		memcmp(machine->vars[slot].name, name, len) != 0)) {
		slot = (slot + 1) % VARS_SLOTS;
	}
	return slot;
}

void
calls_bind(struct machine *machine, const char *name, size_t len, const struct value *value)
{
	size_t slot;

	if (machine->vars == NULL) {
		machine->vars = arena_array(machine->arena, VARS_SLOTS, sizeof *machine->vars);
	}
	if (machine->vars == NULL || len == 0) {
		return;
	}
	slot = slot_of(machine, name, len);
	if (machine->vars[slot].name == NULL) {
		if (machine->var_count >= VARS_MAX) {
			return;
		}
		machine->var_count++;
		machine->vars[slot].name = name;
		machine->vars[slot].len = len;
	}
	machine->vars[slot].value = *value;
}

const struct value *
calls_bound(const struct machine *machine, const char *name, size_t len)
{
	size_t slot;

	if (machine->vars == NULL || len == 0) {
		return NULL;
	}
	slot = slot_of(machine, name, len);
	return machine->vars[slot].name == NULL ? NULL : &machine->vars[slot].value;
}

/* ---- strings ------------------------------------------------------------------------------- */

struct builder {
	char *text;
	size_t len;
	size_t room;
};

static bool
reserve(struct machine *machine, struct builder *out, size_t more)
{
	size_t need = out->len + more;
	char *bigger;

	if (need > CALLS_TEXT_MAX || !calls_burn(machine, more)) {
		return false;
	}
	if (out->text != NULL && need <= out->room) {
		return true;
	}
	out->room = need * 2 + 8;
	bigger = arena_alloc(machine->arena, out->room);
	if (bigger == NULL) {
		return false;
	}
	if (out->len > 0) {
		memcpy(bigger, out->text, out->len);
	}
	out->text = bigger;
	return true;
}

/* Reads up to `max` digits of `base`; gives how many there were. */
static size_t
digits(const char *text, size_t len, unsigned base, size_t max, uint32_t *code)
{
	size_t i = 0;

	*code = 0;
	while (i < len && i < max) {
		int digit = text_hex(text[i]);

		if (digit < 0 || (unsigned)digit >= base) {
			break;
		}
		*code = *code * base + (uint32_t)digit;
		i++;
	}
	return i;
}

/* The escape behind a backslash at text[0]: its bytes go to `out`, what was used is returned. */
static size_t
escape(const char *text, size_t len, char out[4], size_t *size)
{
	static const char from[] = "ntrabfve";
	static const char to[] = "\n\t\r\a\b\f\v\x1b";
	const char *at = memchr(from, text[0], sizeof from - 1);
	uint32_t code = 0;
	size_t used = 0;
	bool braces = len > 1 && text[1] == '{';

	*size = 1;
	if (at != NULL) {
		out[0] = to[at - from];
		return 1;
	}
	if (text[0] == '\n') {
		*size = 0;
		return 1;
	}
	if (text[0] == 'x' || text[0] == 'u' || text[0] == 'U') {
		size_t skip = braces ? 2 : 1;
		size_t max = braces ? 8 : text[0] == 'x' ? 2 : text[0] == 'u' ? 4 : 8;

		used = skip + digits(text + skip, len - skip, 16, max, &code);
		used += braces && used < len && text[used] == '}' ? 1U : 0U;
	} else if (lex_is_digit(text[0])) {
		used = digits(text, len, 8, 3, &code);
	}
	if (used < 1 || (used == 1 && !lex_is_digit(text[0])) || code == 0) {
		out[0] = used == 0 || code != 0 ? text[0] : FIELD_UNKNOWN;
		return used == 0 ? 1 : used;
	}
	if (code < 0x80 || text[0] == 'x' || lex_is_digit(text[0])) {
		out[0] = (char)(code & 0xff);
		return used;
	}
	*size = text_encode(code > 0x10ffff ? 0xfffd : code, out);
	*size = *size == 0 ? 1 : *size;
	return used;
}

/* The bytes [from, to) of a string, its escapes resolved. */
static bool
plain_piece(struct machine *machine, struct builder *out, const char *text, size_t from, size_t to,
	    unsigned style)
{
	size_t i = from;

	if (!reserve(machine, out, to - from)) {
		return false;
	}
	while (i < to) {
		size_t size = 1;

		if (text[i] != '\\' || i + 1 >= to ||
		    (style & (STYLE_ESCAPES | STYLE_SINGLE)) == 0) {
			out->text[out->len] = text[i];
			out->len++;
			i++;
			continue;
		}
		if ((style & STYLE_ESCAPES) != 0) {
			char bytes[4];

			i += 1 + escape(text + i + 1, to - i - 1, bytes, &size);
			memcpy(out->text + out->len, bytes, size);
		} else {
			size = 0;
			if (text[i + 1] != '\\' && text[i + 1] != '\'') {
				out->text[out->len] = '\\';
				size = 1;
			}
			out->text[out->len + size] = text[i + 1];
			size++;
			i += 2;
		}
		out->len += size;
	}
	return true;
}

/* The value of the code in an interpolation. */
static struct value
interpolated(struct machine *machine, const char *text, size_t len)
{
	const struct value *bound = calls_bound(machine, text, len);
	struct tokens saved = machine->tokens;
	struct value value = calls_unknown(0);
	size_t at = 0;

	if (bound != NULL) {
		return *bound;
	}
	if (machine->depth >= CALLS_DEPTH_MAX || !calls_burn(machine, len) ||
	    !lex_tokens(machine->arena, text, len, machine->language->lex, &machine->tokens)) {
		machine->tokens = saved;
		return value;
	}
	machine->depth++;
	value = calls_expression(machine, &at, machine->tokens.count);
	machine->depth--;
	machine->tokens = saved;
	return value;
}

struct value
calls_string(struct machine *machine, const struct token *token)
{
	const char *text = machine->tokens.text + token->start;
	struct builder out = { 0 };
	struct value value = calls_text(text, token->len);
	unsigned taint = 0;
	size_t at = 0;

	value.kind = (token->style & STYLE_WORDS) != 0 ? VALUE_WORDS : VALUE_TEXT;
	if ((token->style & STYLE_INTERPOLATES) == 0 &&
	    (token->style == STYLE_RAW || memchr(text, '\\', token->len) == NULL)) {
		return value;
	}
	while (at < token->len) {
		size_t start = at;
		size_t from = 0;
		size_t to = 0;
		size_t stop = (token->style & STYLE_INTERPOLATES) == 0
				      ? token->len
				      : lex_interpolation(text, token->len, token->style, &at,
							  &from, &to);
		struct value part;

		if (!plain_piece(machine, &out, text, start, stop, token->style)) {
			return calls_unknown(taint);
		}
		if (stop >= token->len) {
			break;
		}
		part = interpolated(machine, text + from, to - from);
		taint |= part.taint;
		if (!reserve(machine, &out,
			     part.kind == VALUE_TEXT || part.kind == VALUE_NUMBER ? part.len : 1)) {
			return calls_unknown(taint);
		}
		if (part.kind == VALUE_TEXT || part.kind == VALUE_NUMBER) {
			memcpy(out.text + out.len, part.text, part.len);
			out.len += part.len;
		} else {
			out.text[out.len] = FIELD_UNKNOWN;
			out.len++;
		}
	}
	value.text = out.text == NULL ? "" : out.text;
	value.len = out.len;
	value.taint = (uint16_t)taint;
	return value;
}
