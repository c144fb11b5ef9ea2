/* SPDX-License-Identifier: MIT */
/*
 * Responsible for: commands of redis, one a line, as redis-cli takes them.
 * Invariant: none is known to be harmless; they go to a server.
 */

#include "command/code_impl.h"
#include "command/code_lex.h"

#include "base/attr.h"

#include <string.h>

#define WORDS_MAX 4

struct redis_word {
	const char *text;
	size_t len;
};

#define RULE(name, id_, decision_, kind_, message_)                                                \
	static const struct rule name = {                                                          \
		.id = (id_), .decision = (decision_), .kind = (kind_), .message = (message_)       \
	}

RULE(flush, "redis.flush", BAILEY_FORBIDDEN, BAILEY_EFFECT_DELETES,
     "deletes every key of the store");
RULE(shutdown, "redis.shutdown", BAILEY_FORBIDDEN, BAILEY_EFFECT_SYSTEM, "stops the store");
RULE(config, "redis.config-files", BAILEY_FORBIDDEN, BAILEY_EFFECT_WRITES,
     "has the store write a file of that name");
RULE(replica, "redis.replica", BAILEY_FORBIDDEN, BAILEY_EFFECT_DELETES,
     "replaces the store's data by those of another server");
RULE(module, "redis.module", BAILEY_PROMPT, BAILEY_EFFECT_EXECUTES, "loads code into the store");

/* What the first words are, lower case. A second word NULL: whatever follows. */
static const struct {
	const char *first;
	const char *second;
	const struct rule *rule;
} rows[] = {
	{ "flushall flushdb", NULL, &flush },
	{ "shutdown", NULL, &shutdown },
	{ "slaveof replicaof", NULL, &replica },
	{ "module", "load loadex", &module },
	{ "cluster", "reset flushslots", &flush },
	{ "debug", "segfault panic restart crash-and-recover", &shutdown },
};

static size_t
words_of_line(const char *text, size_t len, struct redis_word *words)
{
	size_t count = 0;
	size_t i = 0;

	while (count < WORDS_MAX) {
		size_t start;
		char quote;

		while (i < len && lex_is_space(text[i])) {
			i++;
		}
		if (i >= len) {
			break;
		}
		quote = text[i];
		start = i;
		if (quote == '"' || quote == '\'') {
			start++;
			for (i++; i < len && text[i] != quote; i++) {
				i += text[i] == '\\' && quote == '"' && i + 1 < len ? 1U : 0U;
			}
		} else {
			while (i < len && !lex_is_space(text[i])) {
				i++;
			}
		}
		words[count].text = text + start;
		words[count].len = i - start;
		count++;
		i++;
	}
	return count;
}

static void
line(struct code *code, const char *text, size_t len)
{
	struct redis_word words[WORDS_MAX] = { 0 };
	size_t count = words_of_line(text, len, words);

	if (count == 0) {
		return;
	}
	if (words[0].len > 0 && lex_is_digit(words[0].text[0]) && count > 1) {
		memmove(words, words + 1, (WORDS_MAX - 1) * sizeof *words); /* a count in front */
		count--;
	}
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (lex_in_nocase(rows[i].first, words[0].text, words[0].len) &&
		    (rows[i].second == NULL ||
		     (count > 1 && lex_in_nocase(rows[i].second, words[1].text, words[1].len)))) {
			find_rule(code->found, rows[i].rule, NULL);
		}
	}
	if (count > 2 && lex_same(words[0].text, words[0].len, "config") &&
	    lex_same(words[1].text, words[1].len, "set") &&
	    lex_in_nocase("dir dbfilename appendfilename unixsocket logfile aclfile", words[2].text,
			  words[2].len)) {
		find_rule(code->found, &config, NULL);
	}
	if (count > 1 && lex_in_nocase("eval eval_ro", words[0].text, words[0].len)) {
		const struct field *script = code_made(code, words[1].text, words[1].len);

		if (script != NULL) {
			find_code(code->found, LANG_LUA, script, INNER_PROMPT | INNER_REMOTE,
				  "redis eval");
		}
	}
}

void
code_redis(struct code *code)
{
	size_t start = 0;

	find_unknown(code->found, "a command to a store", code->field);
	while (start < code->len) {
		const char *end = memchr(code->text + start, '\n', code->len - start);
		size_t stop = end == NULL ? code->len : (size_t)(end - code->text);

		line(code, code->text + start, stop - start);
		start = stop + 1;
	}
}
