/* SPDX-License-Identifier: MIT */
/*
 * TOML documents: lines, headers, keys, arrays and inline tables, and the rules on what may be
 * defined where. See toml_impl.h for the other files of the reader.
 */
#include "base/toml_impl.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct key {
	struct toml_string name;
	struct bailey_position at;
};

struct bailey_position
toml_here(const struct toml_reader *reader)
{
	return (struct bailey_position){
		.line = reader->line,
		.column = (uint32_t)(reader->pos - reader->line_start + 1),
	};
}

int
toml_fail(const struct toml_reader *reader, struct bailey_position at, const char *format, ...)
{
	char message[BAILEY_ERROR_MESSAGE_MAX] = "";
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return bailey_fail_at(reader->err, BAILEY_E_SYNTAX, reader->source, at, "%s", message);
}

int
toml_no_memory(const struct toml_reader *reader)
{
	return bailey_fail(reader->err, BAILEY_E_NOMEM, "no memory for '%s'", reader->source);
}

static int
fail_depth(const struct toml_reader *reader, struct bailey_position at)
{
	return bailey_fail_at(reader->err, BAILEY_E_LIMIT, reader->source, at,
			      "nested deeper than %d levels", TOML_DEPTH_MAX);
}

int
toml_expected(const struct toml_reader *reader, const char *what)
{
	char shown[TEXT_SHOWN_MAX];
	const char *at = reader->text + reader->pos;
	size_t len = strcspn(at, " \t\r\n=,[]{}\"'#");
	uint32_t code;

	if (*at == '\0') {
		return toml_fail(reader, toml_here(reader),
				 "expected %s, found the end of the text", what);
	}
	if (*at == '\n' || *at == '\r') {
		return toml_fail(reader, toml_here(reader),
				 "expected %s, found the end of the line", what);
	}
	if (len == 0) {
		len = text_decode(at, reader->len - reader->pos, &code);
	}
	return toml_fail(reader, toml_here(reader), "expected %s, found '%s'", what,
			 text_shown(shown, at, len));
}

static void
skip_blanks(struct toml_reader *reader)
{
	reader->pos += strspn(reader->text + reader->pos, " \t");
}

bool
toml_skip_line_end(struct toml_reader *reader)
{
	const char *at = reader->text + reader->pos;

	if (*at != '\n' && *at != '\r') {
		return false;
	}
	reader->pos += *at == '\r' ? 2 : 1; /* a carriage return is before a line feed: checked */
	reader->line++;
	reader->line_start = reader->pos;
	return true;
}

static void
skip_comment(struct toml_reader *reader)
{
	if (toml_peek(reader) == '#') {
		reader->pos += strcspn(reader->text + reader->pos, "\r\n");
	}
}

/* Blanks, line ends and comments. */
static void
skip_lines(struct toml_reader *reader)
{
	do {
		skip_blanks(reader);
		skip_comment(reader);
	} while (toml_skip_line_end(reader));
}

static int
finish_line(struct toml_reader *reader)
{
	skip_blanks(reader);
	skip_comment(reader);
	if (toml_peek(reader) == '\0' || toml_skip_line_end(reader)) {
		return BAILEY_OK;
	}
	return toml_expected(reader, "the end of the line");
}

/* One part of a key: bare or in quotes. */
static int
read_key(struct toml_reader *reader, struct key *key)
{
	const char *at = reader->text + reader->pos;
	size_t len = strspn(at, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-");

	key->at = toml_here(reader);
	if (*at == '"' || *at == '\'') {
		return toml_read_string(reader, false, &key->name);
	}
	if (len == 0) {
		return toml_expected(reader, "a key");
	}
	key->name = (struct toml_string){ .text = at, .len = len };
	reader->pos += len;
	return BAILEY_OK;
}

/* Is there a further part of the key? Then the position is at it. */
static bool
skip_dot(struct toml_reader *reader)
{
	skip_blanks(reader);
	if (toml_peek(reader) != '.') {
		return false;
	}
	reader->pos++;
	skip_blanks(reader);
	return true;
}

static int
fail_defined(const struct toml_reader *reader, const struct key *key, const struct toml_member *old)
{
	char shown[TEXT_SHOWN_MAX];

	return toml_fail(reader, key->at, "expected a new key, found '%s', defined in line %u",
			 text_shown(shown, key->name.text, key->name.len), old->at.line);
}

static struct toml_table *
new_table(struct toml_reader *reader, unsigned int depth, enum toml_origin origin)
{
	struct toml_table *table = arena_alloc(reader->arena, sizeof(*table));

	if (table != NULL) {
		table->depth = depth;
		table->origin = origin;
	}
	return table;
}

/* A new member that is a table. */
static int
add_table(struct toml_reader *reader, struct toml_table *parent, const struct key *key,
	  enum toml_origin origin, struct toml_table **out)
{
	struct toml_table *table = new_table(reader, parent->depth + 1, origin);
	struct toml_member *old;
	struct toml_member *member = toml_add(reader->arena, parent, &key->name, &old);

	if (parent->depth == TOML_DEPTH_MAX) {
		return fail_depth(reader, key->at);
	}
	if (table == NULL || member == NULL) {
		return toml_no_memory(reader);
	}
	member->at = key->at;
	member->value = (struct toml_value){ .type = TOML_TABLE, .at = key->at, .table = table };
	*out = table;
	return BAILEY_OK;
}

/* From table `*at` into its member `key`, a part of a [header] that is not the last. */
static int
enter_super(struct toml_reader *reader, const struct key *key, struct toml_table **at)
{
	struct toml_member *member = toml_find(*at, key->name.text, key->name.len);

	if (member == NULL) {
		return add_table(reader, *at, key, TOML_SUPER, at);
	}
	if (member->value.type == TOML_TABLE && member->value.table->origin != TOML_INLINE) {
		*at = member->value.table;
		return BAILEY_OK;
	}
	if (member->value.type == TOML_ARRAY && member->value.array->of_tables) {
		*at = member->value.array->items[member->value.array->count - 1].table;
		return BAILEY_OK;
	}
	return fail_defined(reader, key, member);
}

/* The same for a dotted key: it may add to what dotted keys made, but not to what has a header. */
static int
enter_dotted(struct toml_reader *reader, const struct key *key, struct toml_table **at)
{
	struct toml_member *member = toml_find(*at, key->name.text, key->name.len);
	struct toml_table *table;

	if (member == NULL) {
		return add_table(reader, *at, key, TOML_DOTTED, at);
	}
	table = member->value.type == TOML_TABLE ? member->value.table : NULL;
	if (table == NULL || (table->origin != TOML_DOTTED && table->origin != TOML_SUPER)) {
		return fail_defined(reader, key, member);
	}
	if (table->origin == TOML_SUPER) {
		table->origin = TOML_DOTTED;
		member->at = key->at;
		member->value.at = key->at;
	}
	*at = table;
	return BAILEY_OK;
}

static int
define_table(struct toml_reader *reader, struct toml_table *parent, const struct key *key)
{
	struct toml_member *member = toml_find(parent, key->name.text, key->name.len);

	if (member == NULL) {
		return add_table(reader, parent, key, TOML_HEADER, &reader->table);
	}
	if (member->value.type != TOML_TABLE || member->value.table->origin != TOML_SUPER) {
		return fail_defined(reader, key, member);
	}
	member->at = key->at;
	member->value.at = key->at;
	reader->table = member->value.table;
	reader->table->origin = TOML_HEADER;
	return BAILEY_OK;
}

/* A further table of the array `key`, which is made when it is not there. */
static int
define_element(struct toml_reader *reader, struct toml_table *parent, const struct key *key)
{
	struct toml_member *old = NULL;
	struct toml_member *member = toml_add(reader->arena, parent, &key->name, &old);
	struct toml_array *array;
	struct toml_value *item;

	if (old != NULL && (old->value.type != TOML_ARRAY || !old->value.array->of_tables)) {
		return fail_defined(reader, key, old);
	}
	if (parent->depth + 2 > TOML_DEPTH_MAX) {
		return fail_depth(reader, key->at);
	}
	array = old != NULL ? old->value.array : arena_alloc(reader->arena, sizeof(*array));
	reader->table = new_table(reader, parent->depth + 2, TOML_HEADER);
	if (array == NULL || reader->table == NULL || (old == NULL && member == NULL)) {
		return toml_no_memory(reader);
	}
	if (old == NULL) {
		array->of_tables = true;
		member->at = key->at;
		member->value = (struct toml_value){
			.type = TOML_ARRAY,
			.at = key->at,
			.array = array,
		};
	}
	item = arena_push(reader->arena, &array->items, &array->count, sizeof(*item));
	if (item == NULL) {
		return toml_no_memory(reader);
	}
	*item = (struct toml_value){ .type = TOML_TABLE, .at = key->at, .table = reader->table };
	return BAILEY_OK;
}

static int
read_header(struct toml_reader *reader)
{
	bool element = reader->text[reader->pos + 1] == '[';
	struct toml_table *table = reader->root;
	struct key key = { 0 };
	int rc;

	reader->pos += element ? 2 : 1;
	skip_blanks(reader);
	rc = read_key(reader, &key);
	while (rc == BAILEY_OK && skip_dot(reader)) {
		rc = enter_super(reader, &key, &table);
		rc = rc == BAILEY_OK ? read_key(reader, &key) : rc;
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	if (strncmp(reader->text + reader->pos, "]]", element ? 2 : 1) != 0) {
		return toml_expected(reader, element ? "'.' or ']]'" : "'.' or ']'");
	}
	reader->pos += element ? 2 : 1;
	return element ? define_element(reader, table, &key) : define_table(reader, table, &key);
}

static int read_value(struct toml_reader *reader, unsigned int depth, struct toml_value *out);

/* `key = value`, or with a dotted key, into `table`. */
static int
read_pair(struct toml_reader *reader, struct toml_table *table)
{
	struct toml_member *old = NULL;
	struct toml_member *member;
	struct key key = { 0 };
	int rc = read_key(reader, &key);

	while (rc == BAILEY_OK && skip_dot(reader)) {
		rc = enter_dotted(reader, &key, &table);
		rc = rc == BAILEY_OK ? read_key(reader, &key) : rc;
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	if (toml_peek(reader) != '=') {
		return toml_expected(reader, "'.' or '='");
	}
	member = toml_add(reader->arena, table, &key.name, &old);
	if (member == NULL) {
		return old != NULL ? fail_defined(reader, &key, old) : toml_no_memory(reader);
	}
	member->at = key.at;
	reader->pos++;
	skip_blanks(reader);
	return read_value(reader, table->depth, &member->value);
}

static int
read_array(struct toml_reader *reader, unsigned int depth, struct toml_value *out)
{
	struct toml_array *array = arena_alloc(reader->arena, sizeof(*array));
	int rc = array != NULL ? BAILEY_OK : toml_no_memory(reader);

	out->type = TOML_ARRAY;
	out->array = array;
	reader->pos++;
	skip_lines(reader);
	while (rc == BAILEY_OK && toml_peek(reader) != ']') {
		struct toml_value *item =
			arena_push(reader->arena, &array->items, &array->count, sizeof(*item));

		rc = item != NULL ? read_value(reader, depth, item) : toml_no_memory(reader);
		if (rc != BAILEY_OK) {
			return rc;
		}
		skip_lines(reader);
		if (toml_peek(reader) == ',') {
			reader->pos++;
			skip_lines(reader);
		} else if (toml_peek(reader) != ']') {
			rc = toml_expected(reader, "',' or ']'");
		}
	}
	reader->pos++;
	return rc;
}

/* On one line, and without a comma behind the last pair. */
static int
read_inline_table(struct toml_reader *reader, unsigned int depth, struct toml_value *out)
{
	struct toml_table *table = new_table(reader, depth, TOML_HEADER);
	int rc = BAILEY_OK;
	bool more;

	if (table == NULL) {
		return toml_no_memory(reader);
	}
	out->type = TOML_TABLE;
	out->table = table;
	reader->pos++;
	skip_blanks(reader);
	more = toml_peek(reader) != '}';
	while (rc == BAILEY_OK && more) {
		rc = read_pair(reader, table);
		skip_blanks(reader);
		more = toml_peek(reader) == ',';
		if (more) {
			reader->pos++;
			skip_blanks(reader);
		}
	}
	if (rc != BAILEY_OK) {
		return rc;
	}
	if (toml_peek(reader) != '}') {
		return toml_expected(reader, "',' or '}' on the same line");
	}
	reader->pos++;
	table->origin = TOML_INLINE;
	return BAILEY_OK;
}

/* `depth` is that of the container around the value. */
static int
read_value(struct toml_reader *reader, unsigned int depth, struct toml_value *out)
{
	char c = toml_peek(reader);

	out->at = toml_here(reader);
	if (c == '"' || c == '\'') {
		out->type = TOML_STRING;
		return toml_read_string(reader, true, &out->string);
	}
	if (c != '[' && c != '{') {
		return toml_read_scalar(reader, out);
	}
	if (depth == TOML_DEPTH_MAX) {
		return fail_depth(reader, out->at);
	}
	return c == '[' ? read_array(reader, depth + 1, out)
			: read_inline_table(reader, depth + 1, out);
}

static int
read_document(struct toml_reader *reader)
{
	int rc = BAILEY_OK;

	skip_lines(reader);
	while (rc == BAILEY_OK && toml_peek(reader) != '\0') {
		rc = toml_peek(reader) == '[' ? read_header(reader)
					      : read_pair(reader, reader->table);
		rc = rc == BAILEY_OK ? finish_line(reader) : rc;
		skip_lines(reader);
	}
	return rc;
}

/* What holds everywhere: UTF-8, no control characters but tab, a carriage return only before a
 * line feed. Everything that reads afterwards relies on it. */
static int
check_text(const struct toml_reader *reader)
{
	const char *text = reader->text;
	size_t pos = text_valid(text, reader->len);

	if (pos < reader->len) {
		return toml_fail(reader, text_position(text, pos),
				 "expected UTF-8, found the byte 0x%02x", (unsigned char)text[pos]);
	}
	for (pos = 0; pos < reader->len; pos++) {
		unsigned char c = (unsigned char)text[pos];
		bool line_end = c == '\n' || (c == '\r' && text[pos + 1] == '\n');

		if (c == '\r' && !line_end) {
			return toml_fail(reader, text_position(text, pos),
					 "expected a line feed behind the carriage return");
		}
		if ((c < 0x20 && c != '\t' && !line_end) || c == 0x7f) {
			return toml_fail(reader, text_position(text, pos),
					 "expected no control character but tab, found 0x%02x", c);
		}
	}
	return BAILEY_OK;
}

int
toml_parse(struct arena *arena, const char *source, const char *text, size_t len,
	   struct toml_table **root, struct bailey_error *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct toml_reader reader = {
		.arena = arena,
		.source = source,
		.text = text,
		.len = len,
		.line = 1,
		.err = err,
	};
	int rc = check_text(&reader);

	if (rc != BAILEY_OK) {
		return rc;
	}
	reader.pos = strncmp(text, mark, 3) == 0 ? 3 : 0;
	reader.scratch = arena_alloc(arena, len + 1);
	reader.root = new_table(&reader, 1, TOML_HEADER);
	reader.table = reader.root;
	if (reader.scratch == NULL || reader.root == NULL) {
		return toml_no_memory(&reader);
	}
	rc = read_document(&reader);
	if (rc == BAILEY_OK) {
		*root = reader.root;
	}
	return rc;
}
