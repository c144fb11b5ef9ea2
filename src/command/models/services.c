/* SPDX-License-Identifier: MIT */

/* Questions that the refinements of git, forges, packages, containers, clouds and the network ask
 * of a matched command line. */

#include "command/models/services.h"

bool
service_word_in(const char *text, const char *words)
{
	while (words != NULL) {
		size_t len = 0;

		while (text[len] != '\0' && text[len] != ' ' && text[len] == words[len]) {
			len++;
		}
		if (text[len] == '\0' && len > 0 && (words[len] == ' ' || words[len] == '\0')) {
			return true;
		}
		words = strchr(words, ' ');
		if (words != NULL) {
			words++;
		}
	}
	return false;
}

bool
service_operand_is(const struct match *match, size_t index, const char *words)
{
	return index < match->operand_count && field_is_literal(&match->operands[index]) &&
	       service_word_in(match->operands[index].text, words);
}

/* A variable that is not known is taken for one word; what a command prints may be any number. */
bool
service_many_operands(const struct match *match)
{
	for (size_t i = 0; i < match->operand_count; i++) {
		if (match->operands[i].many && match->operands[i].taint != TAINT_VARIABLE) {
			return true;
		}
	}
	return false;
}

void
service_find(const struct match *match, struct findings *found, const struct rule *rule)
{
	find_rule(found, rule, match->operand_count > 0 ? &match->operands[0] : NULL);
}

void
service_inner(const struct match *match, struct findings *found, size_t index, unsigned flags,
	      const char *via)
{
	if (index < match->operand_count) {
		find_argv(found, match->operands + index, match->operand_count - index, flags, via);
	}
}

/* The command behind the first "--" of the words. */
void
service_after_dashes(const struct match *match, struct findings *found, unsigned flags,
		     const char *via)
{
	for (size_t i = 1; i + 1 < match->argc; i++) {
		if (field_is(&match->argv[i], "--")) {
			find_argv(found, &match->argv[i + 1], match->argc - i - 1, flags, via);
			return;
		}
	}
}

enum deed
service_copy_deed(const struct field *target)
{
	bool directory = service_word_in(target->text, ". ..") ||
			 (target->len > 0 && target->text[target->len - 1] == '/');

	return directory ? DEED_EXTRACT : DEED_WRITE;
}

const struct field *
service_part(struct findings *found, const struct field *field, size_t from, size_t end)
{
	struct field *part;

	if (from == 0 && end >= field->len) {
		return field;
	}
	part = arena_alloc(found->arena, sizeof(*part));
	if (part == NULL) {
		return field;
	}
	if (end >= field->len) {
		*part = field_tail(found->arena, field, from < field->len ? from : field->len);
		return part;
	}
	*part = field_literal(found->arena, field->text + from, end > from ? end - from : 0, field);
	if (field->kind != BAILEY_WORD_LITERAL &&
	    memchr(part->text, FIELD_UNKNOWN, part->len) != NULL) {
		*part = field_unknown(field->taint, false, field);
	}
	return part;
}

/* 169.254.169.254 and its relatives, as curl and others spell them. */
bool
service_is_metadata(const struct field *url)
{
	static const char *const names[] = {
		"169.254.169.254", "169.254.170.2",	  "169.254.170.23", "metadata.google",
		"100.100.100.200", "fd00:ec2::254",	  "0xa9fea9fe",	    "0xA9FEA9FE",
		"2852039166",	   "0251.0376.0251.0376", "169.16689662",   "a9fe:a9fe",
		"metadata.azure",  "instance-data"
	};
	char plain[256];
	size_t len = 0;

	for (size_t i = 0; i < url->len && len + 1 < sizeof(plain); i++) {
		if (strchr("{}[]", url->text[i]) == NULL) {
			plain[len++] = url->text[i];
		}
	}
	plain[len] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strstr(plain, names[i]) != NULL) {
			return true;
		}
	}
	return false;
}

bool
service_is_remote(const struct field *path)
{
	size_t len = strcspn(path->text, ":/");

	return len > 0 && path->text[len] == ':';
}
