/* SPDX-License-Identifier: MIT */
/*
 * Expands the words of small scripts and prints what is known of them, for comparison with bash.
 *
 * Input: scripts, each ended by a NUL. Of their commands only these do anything: assignments,
 * `declare` and `export` (-A, -a, -i, -n), `set --`, `unset`, (( )), `echo` in substitutions, and
 * `p`, which prints its arguments, and case. One line of output for each script: the last p's
 * arguments, "L:", "G:" or "D:" and the bytes in hexadecimal, with "*" in front when there may be
 * many; "!" when the script cannot be read, "-" when it has no p.
 */
#include "command/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump {
	struct arena arena;
	struct shell shell;
	struct expander ex;
	struct fields last;
	bool printed;
};

static void walk(struct dump *dump, const struct script *script);

/* ---- hooks -------------------------------------------------------------------------------- */

/* $(echo ...): its words, joined by blanks. */
static struct stream
hook_command(void *data, struct shell *shell, struct script *script)
{
	struct dump *dump = data;
	struct stream out = stream_unknown(TAINT_OUTPUT);
	struct fields words = { 0 };
	struct field blank = field_static(" ", NULL);
	const struct item *item = script != NULL ? script->items : NULL;
	struct shell_mark mark = shell_mark(shell);

	if (item == NULL || item->next != NULL || item->node->kind != NODE_SIMPLE) {
		return out;
	}
	expand_words(&dump->ex, item->node->words, &words);
	shell_rollback(shell, &mark);
	if (words.count < 2 || !field_is(&words.items[0], "echo")) {
		return out;
	}
	out.data = words.items[1];
	for (size_t i = 1; i < words.count; i++) {
		/* If it turns out as no word, or as several, it is not clear which blanks there
		 * are. */
		if (words.items[i].many || words.items[i].kind == BAILEY_WORD_GLOB) {
			return stream_unknown(TAINT_OUTPUT);
		}
	}
	for (size_t i = 2; i < words.count; i++) {
		out.data = field_join(&dump->arena, &out.data, &blank);
		out.data = field_join(&dump->arena, &out.data, &words.items[i]);
	}
	while (out.data.len > 0 && out.data.kind == BAILEY_WORD_LITERAL &&
	       out.data.text[out.data.len - 1] == '\n') {
		out.data = field_literal(&dump->arena, out.data.text, out.data.len - 1, NULL);
	}
	return out;
}

static struct stream
hook_evaluate(void *data, struct shell *shell, const struct field *text)
{
	struct dump *dump = data;
	struct source *source = arena_alloc(&dump->arena, sizeof(*source));
	struct trouble trouble = { 0 };
	struct word *word;

	(void)shell;
	if (source == NULL || !field_is_literal(text)) {
		return stream_unknown(TAINT_OUTPUT);
	}
	source->text = text->text;
	source->len = text->len;
	word = syntax_parse_word(&dump->arena, source, true, &trouble);
	if (word == NULL || trouble.rule != NULL) {
		return stream_unknown(TAINT_OUTPUT);
	}
	return (struct stream){ .data = expand_plain(&dump->ex, word) };
}

static const struct expand_hooks hooks_template = {
	.command = hook_command,
	.evaluate = hook_evaluate,
};

/* ---- commands ----------------------------------------------------------------------------- */

static struct field
as_integer(struct dump *dump, const char *name, struct field value)
{
	const struct var *var = shell_get(&dump->shell, name);
	char *text;
	int64_t number;

	if (var == NULL || !var->integer) {
		return value;
	}
	if (!expand_arith_text(&dump->ex, &value, &number)) {
		return field_unknown(0, false, NULL);
	}
	text = arena_printf(&dump->arena, "%lld", (long long)number);
	return text != NULL ? field_static(text, NULL) : value;
}

static void
assign_array(struct dump *dump, const struct assignment *a)
{
	struct field *values = NULL;
	const char **keys = NULL;
	size_t count = 0;
	size_t key_count = 0;

	for (const struct word *word = a->value; word != NULL; word = word->next) {
		struct word alone = { .parts = word->parts, .span = word->span };
		struct fields fields = { 0 };
		struct field key = { 0 };

		if (word->parts != NULL && word->parts->kind == PART_SUBSCRIPT) {
			alone.parts = word->parts->next;
			key = expand_index(&dump->ex, a->name, word->parts->word);
			fields.items = arena_alloc(&dump->arena, sizeof(*fields.items));
			fields.items[0] = expand_value(&dump->ex, &alone);
			fields.count = 1;
		} else {
			expand_words(&dump->ex, &alone, &fields);
		}
		for (size_t i = 0; i < fields.count; i++) {
			struct field *slot =
				arena_push(&dump->arena, &values, &count, sizeof(*slot));
			const char **key_slot =
				arena_push(&dump->arena, &keys, &key_count, sizeof(*key_slot));

			*slot = fields.items[i];
			*key_slot = key.text;
		}
	}
	shell_set_array(&dump->shell, a->name, values, keys, count, a->append);
}

static void
assign(struct dump *dump, const struct assignment *a)
{
	struct field value;
	struct field index;

	if (a->array) {
		assign_array(dump, a);
		return;
	}
	if (a->index != NULL) {
		index = expand_index(&dump->ex, a->name, a->index);
	}
	value = expand_value(&dump->ex, a->value);
	value = as_integer(dump, a->name, value);
	if (a->index != NULL) {
		shell_set_element(&dump->shell, a->name, &index, &value, a->append);
	} else if (a->append) {
		shell_append(&dump->shell, a->name, &value);
	} else {
		shell_set(&dump->shell, a->name, &value);
	}
}

static void
declare(struct dump *dump, const struct fields *words)
{
	const char *flags = "";

	for (size_t i = 1; i < words->count; i++) {
		const struct field *word = &words->items[i];
		const char *equals = strchr(word->text, '=');
		struct field value;
		struct var *var;
		char *name;

		if (word->text[0] == '-') {
			flags = word->text;
			continue;
		}
		if (equals == NULL && word->kind == BAILEY_WORD_DYNAMIC) {
			shell_forget(&dump->shell);
			continue;
		}
		name = arena_strndup(&dump->arena, word->text,
				     equals != NULL ? (size_t)(equals - word->text) : word->len);
		var = shell_declare(&dump->shell, name);
		var->assoc = var->assoc || strchr(flags, 'A') != NULL;
		var->array = var->assoc || strchr(flags, 'a') != NULL;
		var->integer = strchr(flags, 'i') != NULL;
		var->nameref = strchr(flags, 'n') != NULL;
		if (equals != NULL) {
			value = field_tail(&dump->arena, word, (size_t)(equals + 1 - word->text));
			value = as_integer(dump, name, value);
			if (var->nameref) {
				var->nameref = false;
				shell_set(&dump->shell, name, &value);
				shell_declare(&dump->shell, name)->nameref = true;
			} else {
				shell_set(&dump->shell, name, &value);
			}
		}
	}
}

static void
simple(struct dump *dump, const struct node *node)
{
	struct fields words = { 0 };
	const char *name;

	if (node->words == NULL) {
		for (const struct assignment *a = node->assigns; a != NULL; a = a->next) {
			assign(dump, a);
		}
		return;
	}
	expand_words(&dump->ex, node->words, &words);
	name = words.count > 0 ? words.items[0].text : "";
	if (strcmp(name, "p") == 0) {
		dump->last.items = words.items + 1;
		dump->last.count = words.count - 1;
		dump->printed = true;
	} else if (strcmp(name, "set") == 0 && words.count > 1) {
		dump->shell.positional = words.items + 2;
		dump->shell.positional_count = words.count - 2;
		for (size_t i = 1; i < words.count; i++) {
			if (words.items[i].many) {
				dump->shell.positional_known = false;
			}
		}
	} else if (strcmp(name, "unset") == 0 && words.count > 1) {
		shell_unset(&dump->shell, words.items[1].text);
	} else if (strcmp(name, "declare") == 0 || strcmp(name, "export") == 0) {
		declare(dump, &words);
	}
}

static void
choose(struct dump *dump, const struct node *node)
{
	struct field word = expand_plain(&dump->ex, node->words);

	for (const struct case_arm *arm = node->cases; arm != NULL; arm = arm->next) {
		struct field pattern = expand_pattern(&dump->ex, arm->patterns);
		int is = field_is_literal(&word)
				 ? pattern_match(&pattern, word.text, word.len, false)
				 : -1;

		if (is < 0) {
			dump->last.items = arena_alloc(&dump->arena, sizeof(word));
			dump->last.items[0] = field_unknown(0, false, NULL);
			dump->last.count = 1;
			dump->printed = true;
			return;
		}
		if (is == 1) {
			walk(dump, arm->body);
			return;
		}
	}
}

static void
walk(struct dump *dump, const struct script *script)
{
	int64_t value;

	for (const struct item *item = script->items; item != NULL; item = item->next) {
		const struct node *node = item->node;

		if (node->kind == NODE_ARITH) {
			(void)expand_arith(&dump->ex, node->words, &value);
		} else if (node->kind == NODE_CASE) {
			choose(dump, node);
		} else if (node->kind == NODE_SIMPLE) {
			simple(dump, node);
		}
	}
}

/* ---- output ------------------------------------------------------------------------------- */

static void
show(const struct field *field)
{
	bool glob = field->marks != NULL && memchr(field->marks, MARK_GLOB, field->len) != NULL;

	if (field->many || (glob && field->kind == BAILEY_WORD_DYNAMIC)) {
		putchar('*');
	}
	putchar("LGD"[field->kind]);
	putchar(':');
	for (size_t i = 0; i < field->len; i++) {
		if (field->marks != NULL && field->marks[i] == MARK_UNKNOWN) {
			fputs("??", stdout);
		} else {
			printf("%02x", (unsigned char)field->text[i]);
		}
	}
	putchar(' ');
}

static void
one(const char *text, size_t len, const struct bailey_scene *scene)
{
	struct dump dump = { .printed = false };
	struct expand_hooks hooks = hooks_template;
	struct source source = { .text = text, .len = len };
	struct trouble trouble = { 0 };
	struct script *script;

	if (shell_init(&dump.shell, &dump.arena, scene) != BAILEY_OK) {
		exit(1);
	}
	hooks.data = &dump;
	dump.ex = (struct expander){ .shell = &dump.shell, .hooks = &hooks, .source = &source };
	script = syntax_parse(&dump.arena, &source, DIALECT_BASH, true, &trouble);
	if (script == NULL || trouble.rule != NULL) {
		puts("!");
		arena_finish(&dump.arena);
		return;
	}
	walk(&dump, script);
	for (size_t i = 0; i < dump.last.count; i++) {
		show(&dump.last.items[i]);
	}
	puts(dump.printed ? "" : "-");
	arena_finish(&dump.arena);
}

int
main(int argc, char **argv)
{
	struct bailey_scene scene = { .home = "/home/u" };
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (argc != 2) {
		fputs("usage: expand_dump CWD <scripts\n", stderr);
		return 2;
	}
	scene.cwd = argv[1];
	while ((n = getdelim(&line, &room, '\0', stdin)) > 0) {
		one(line, (size_t)n - 1, &scene);
	}
	free(line);
	return 0;
}
