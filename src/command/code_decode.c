/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: what calls give that compute a text: decoders, joins, formats, paths.
 * Invariant: what cannot be computed is unknown and keeps the taints of what went in.
 */

#include "base/text.h"
#include "command/code_calls.h"

#include "base/attr.h"

#include <string.h>

static const struct value *
argument(const struct call *call, size_t index)
{
	static const struct value none = { 0 };

	return index < call->args.count ? &call->args.items[index] : &none;
}

static bool
has_text(const struct value *value)
{
	return value->kind == VALUE_TEXT || value->kind == VALUE_NUMBER ||
	       value->kind == VALUE_WORDS;
}

/* The text that a call works on: what stands before the dot, or its argument. */
static const struct value *
subject(const struct call *call)
{
	bool before = has_text(&call->receiver) || call->receiver.kind == VALUE_LIST;

	return before ? &call->receiver : argument(call, 0);
}

static struct value
made(struct machine *machine, char *text, size_t len)
{
	if (text == NULL || !calls_burn(machine, len)) {
		return calls_unknown(TAINT_DECODED);
	}
	for (size_t i = 0; i < len; i++) {
		text[i] = text[i] == '\0' ? FIELD_UNKNOWN : text[i];
	}
	return calls_text(text, len);
}

/* The alphabet for URLs as well. */
static int
base64_digit(char c)
{
	return c == '-' ? 62 : c == '_' ? 63 : text_base64(c);
}

static struct value
base64(struct machine *machine, const struct value *from)
{
	char *out = has_text(from) ? arena_alloc(machine->arena, from->len) : NULL;
	uint32_t bits = 0;
	unsigned count = 0;
	size_t len = 0;

	if (out == NULL) {
		return calls_unknown(from->taint | (unsigned)TAINT_DECODED);
	}
	for (size_t i = 0; i < from->len; i++) {
		int digit = base64_digit(from->text[i]);

		if (from->text[i] == '=') {
			break;
		}
		if (digit < 0) {
			continue;
		}
		bits = bits << 6 | (uint32_t)digit;
		count += 6;
		if (count >= 8) {
			count -= 8;
			out[len] = (char)(bits >> count & 0xff);
			len++;
		}
	}
	return made(machine, out, len);
}

static struct value
hex(struct machine *machine, const struct value *from)
{
	char *out = has_text(from) ? arena_alloc(machine->arena, from->len) : NULL;
	size_t len = 0;
	int high = -1;

	if (out == NULL) {
		return calls_unknown(from->taint | (unsigned)TAINT_DECODED);
	}
	for (size_t i = 0; i < from->len; i++) {
		int digit = text_hex(from->text[i]);

		if (digit >= 0 && high >= 0) {
			out[len] = (char)(high << 4 | digit);
			len++;
			high = -1;
		} else if (digit >= 0) {
			high = digit;
		}
	}
	return made(machine, out, len);
}

static struct value
rot13(struct machine *machine, const struct value *from)
{
	char *out = has_text(from) ? arena_strndup(machine->arena, from->text, from->len) : NULL;

	if (out == NULL) {
		return calls_unknown(from->taint | (unsigned)TAINT_DECODED);
	}
	for (size_t i = 0; i < from->len; i++) {
		char c = lex_lower(out[i]);

		if (c >= 'a' && c <= 'z') {
			out[i] = (char)(out[i] + (c < 'n' ? 13 : -13));
		}
	}
	return made(machine, out, from->len);
}

static struct value
reversed(struct machine *machine, const struct value *from)
{
	char *out = has_text(from) ? arena_strndup(machine->arena, from->text, from->len) : NULL;

	if (out == NULL) {
		return calls_unknown(from->taint);
	}
	for (size_t i = 0; i < from->len; i++) {
		out[i] = from->text[from->len - 1 - i];
	}
	return made(machine, out, from->len);
}

/* Buffer.from(text, "base64"), codecs.decode(text, "hex"), text.decode("rot13"). */
static struct value
codec(struct machine *machine, const struct call *call)
{
	bool method = argument(call, 1)->kind != VALUE_TEXT && has_text(&call->receiver);
	const struct value *name = argument(call, method ? 0 : 1);
	const struct value *text = method ? &call->receiver : argument(call, 0);

	if (name->kind == VALUE_TEXT &&
	    lex_in_nocase("base64 base64url base64_codec", name->text, name->len)) {
		return base64(machine, text);
	}
	if (name->kind == VALUE_TEXT && lex_in_nocase("hex hex_codec", name->text, name->len)) {
		return hex(machine, text);
	}
	if (name->kind == VALUE_TEXT &&
	    lex_in_nocase("rot13 rot_13 rot-13", name->text, name->len)) {
		return rot13(machine, text);
	}
	return *text;
}

/* ["..."].pack("m") and the like, and their unpack. */
static struct value
pack(struct machine *machine, const struct call *call)
{
	const struct value *format = argument(call, 0);
	struct value text = *argument(call, 1);

	if (has_text(&call->receiver)) {
		text = call->receiver;
	} else if (call->receiver.kind == VALUE_LIST) {
		(void)calls_elements(machine, &call->receiver, &text, 1);
	}
	if (format->kind != VALUE_TEXT || format->len == 0) {
		return calls_unknown(text.taint);
	}
	switch (format->text[0]) {
	case 'm':
	case 'u':
		return format->text[0] == 'm' ? base64(machine, &text) : calls_unknown(text.taint);
	case 'H':
		return hex(machine, &text);
	case 'A':
	case 'a':
		return text;
	default:
		return calls_unknown(text.taint);
	}
}

#define CHARS_MAX 512

static size_t
number(const struct value *value)
{
	size_t result = 0;
	size_t i = 0;
	unsigned base = 10;

	if (value->len > 2 && value->text[0] == '0' && lex_lower(value->text[1]) == 'x') {
		base = 16;
		i = 2;
	}
	for (; i < value->len && result < 0x110000; i++) {
		int digit = text_hex(value->text[i]);

		if (digit < 0 || (unsigned)digit >= base) {
			return 0;
		}
		result = result * base + (size_t)digit;
	}
	return result;
}

static struct value
characters(struct machine *machine, const struct call *call)
{
	struct value *items = arena_array(machine->arena, CHARS_MAX, sizeof *items);
	char *out = arena_alloc(machine->arena, CHARS_MAX);
	struct value list = *argument(call, 0);
	size_t count;

	if (items == NULL || out == NULL || !calls_burn(machine, CHARS_MAX)) {
		return calls_unknown(0);
	}
	if (list.kind != VALUE_LIST) {
		list.kind = VALUE_LIST;
		list.from = (uint32_t)call->args.from;
		list.to = (uint32_t)call->args.to;
		list.tokens = machine->tokens;
	}
	if (argument(call, 0)->kind == VALUE_LIST && call->args.count == 0) {
		return calls_unknown(0);
	}
	count = calls_elements(machine, &list, items, CHARS_MAX);
	for (size_t i = 0; i < count; i++) {
		size_t code = items[i].kind == VALUE_NUMBER ? number(&items[i]) : 0;

		out[i] = code > 0 && code < 0x80 ? (char)code : FIELD_UNKNOWN;
	}
	return calls_text(out, count);
}

static struct value
join_list(struct machine *machine, const struct value *list, const struct value *between)
{
	struct value items[32];
	struct value result = calls_text("", 0);
	size_t count;

	if (list->kind == VALUE_WORDS || list->kind == VALUE_TEXT) {
		return *list;
	}
	count = calls_elements(machine, list, items, COUNT_OF(items));
	if (list->kind != VALUE_LIST || count == COUNT_OF(items)) {
		return calls_unknown(list->taint);
	}
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && has_text(between)) {
			result = calls_join(machine, &result, between);
		}
		result = calls_join(machine, &result, &items[i]);
	}
	return result;
}

/* " ".join(list), list.join(" "), join(" ", list). */
static struct value
join(struct machine *machine, const struct call *call)
{
	const struct value *first = argument(call, 0);

	if (call->receiver.kind == VALUE_LIST || call->receiver.kind == VALUE_WORDS) {
		return join_list(machine, &call->receiver, first);
	}
	if (has_text(&call->receiver)) {
		return join_list(machine, first, &call->receiver);
	}
	if (first->kind == VALUE_LIST) {
		return join_list(machine, first, argument(call, 1));
	}
	if (call->args.count == 2) {
		return join_list(machine, argument(call, 1), first);
	}
	if (call->args.count > 2) {
		struct value rest = calls_unknown(0);
		struct value result = *argument(call, 1);

		rest = *first;
		for (size_t i = 2; i < call->args.count; i++) {
			result = calls_join(machine, &result, &rest);
			result = calls_join(machine, &result, argument(call, i));
		}
		return result;
	}
	return calls_unknown(0);
}

static struct value
path(struct machine *machine, const struct call *call)
{
	struct value slash = calls_text("/", 1);
	struct value result = *argument(call, 0);
	size_t i = 1;

	if (has_text(&call->receiver)) {
		result = call->receiver;
		i = 0;
	}
	for (; i < call->args.count; i++) {
		const struct value *next = argument(call, i);

		if (has_text(next) && next->len > 0 &&
		    (next->text[0] == '/' || next->text[0] == CALLS_HOME)) {
			result = *next;
			continue;
		}
		result = calls_join(machine, &result, &slash);
		result = calls_join(machine, &result, next);
	}
	return result;
}

/* %s, %d and {} take the next argument. */
static struct value
format(struct machine *machine, const struct call *call)
{
	bool method = has_text(&call->receiver);
	const struct value text = method ? call->receiver : *argument(call, 0);
	size_t next = method ? 0 : 1;
	struct value result = calls_text("", 0);
	size_t start = 0;

	if (!has_text(&text)) {
		return calls_unknown(text.taint);
	}
	for (size_t i = 0; i + 1 < text.len; i++) {
		char c = text.text[i];
		struct value piece;
		size_t size = 2;

		if (c == '{') {
			const char *close = memchr(text.text + i, '}', text.len - i);

			size = close == NULL ? 0 : (size_t)(close - text.text) - i + 1;
			size = size > 8 ? 0 : size;
		} else if (c != '%' || !lex_is_alpha(text.text[i + 1])) {
			size = 0;
		}
		if (size == 0) {
			continue;
		}
		piece = calls_text(text.text + start, i - start);
		result = calls_join(machine, &result, &piece);
		result = calls_join(machine, &result, argument(call, next));
		next++;
		start = i + size;
		i = start - 1;
	}
	if (start < text.len) {
		struct value piece = calls_text(text.text + start, text.len - start);

		result = calls_join(machine, &result, &piece);
	}
	return result;
}

static struct value
home(void)
{
	static const char text[] = { CALLS_HOME };

	return calls_text(text, sizeof text);
}

static struct value
expand(struct machine *machine, const struct call *call)
{
	const struct value *text = subject(call);
	struct value rest;
	struct value start = home();

	if (text->kind != VALUE_TEXT || text->len == 0 || text->text[0] != '~') {
		return *text;
	}
	if (text->len > 1 && text->text[1] != '/' && text->text[1] != '\\') {
		return calls_unknown(text->taint); /* another user's */
	}
	rest = calls_text(text->text + 1, text->len - 1);
	return calls_join(machine, &start, &rest);
}

static struct value
variable(const struct call *call)
{
	const struct value *name = argument(call, 0);

	if (name->kind == VALUE_TEXT && lex_in("HOME USERPROFILE", name->text, name->len)) {
		return home();
	}
	return calls_unknown(TAINT_VARIABLE);
}

/* A module's or a function's own name: the last part of what the text says. */
static struct value
own_name(const struct value *text)
{
	struct value value = calls_unknown(0);
	size_t start = 0;

	if (text->kind != VALUE_TEXT || text->len == 0) {
		return value;
	}
	for (size_t i = 0; i < text->len; i++) {
		if (text->text[i] == '/' || text->text[i] == '.' || text->text[i] == ':') {
			start = i + 1;
		}
	}
	value.kind = VALUE_NAME;
	value.text = text->text + start;
	value.len = text->len - start;
	return value;
}

static struct value
list_value(const struct machine *machine, const struct call *call)
{
	struct value value = calls_unknown(0);

	value.kind = VALUE_LIST;
	value.from = (uint32_t)call->args.from;
	value.to = (uint32_t)call->args.to;
	value.tokens = machine->tokens;
	return value;
}

/* What an opened or read path gives. */
static struct value
opened(const struct call *call)
{
	const struct value *text = argument(call, call->row->arg);
	struct value value = calls_unknown(TAINT_FILE);

	if (has_text(&call->receiver) && (call->row->flags & CALL_RECEIVER) != 0) {
		text = &call->receiver;
	}
	if (text->kind != VALUE_TEXT) {
		return value;
	}
	for (size_t i = 0; i + 3 <= text->len && i < 8; i++) {
		if (memcmp(text->text + i, "://", 3) == 0) {
			return calls_unknown(TAINT_NETWORK);
		}
	}
	if (call->row->act == ACT_OPEN) {
		value.kind = VALUE_FILE;
		value.mode = calls_open_mode(call);
		value.text = text->text;
		value.len = text->len;
	}
	return value;
}

struct value
calls_value(struct machine *machine, const struct call *call)
{
	switch (call->row->act) {
	case VAL_HOME:
		return home();
	case VAL_EXPAND:
		return expand(machine, call);
	case VAL_GETENV:
		return variable(call);
	case VAL_PATH:
		return path(machine, call);
	case VAL_SAME:
		return *subject(call);
	case VAL_BASE64:
		return base64(machine, subject(call));
	case VAL_HEX:
		return hex(machine, subject(call));
	case VAL_ROT13:
		return rot13(machine, subject(call));
	case VAL_CODEC:
		return codec(machine, call);
	case VAL_PACK:
		return pack(machine, call);
	case VAL_REVERSE:
		return reversed(machine, subject(call));
	case VAL_CHARS:
		return characters(machine, call);
	case VAL_JOIN:
		return join(machine, call);
	case VAL_FORMAT:
		return format(machine, call);
	case VAL_MODULE:
		return own_name(argument(call, 0));
	case VAL_GETATTR:
		return own_name(argument(call, 1));
	case VAL_LIST:
		return list_value(machine, call);
	case VAL_NET:
	case VAL_CONNECT:
		return calls_unknown(TAINT_NETWORK);
	case ACT_OPEN:
	case ACT_READ:
		return opened(call);
	default:
		return calls_unknown(TAINT_OUTPUT);
	}
}
