/* SPDX-License-Identifier: MIT */
/*
 * The reader's entry points: what is looked at before anything is read, and where spans lead.
 */
#include "command/reader.h"

#include <string.h>

/* A copy of the text with newlines for NUL bytes, which end a command for whoever runs it. */
static const char *
without_nul(struct arena *arena, const struct source *source)
{
	char *text;

	if (memchr(source->text, '\0', source->len) == NULL) {
		return source->text;
	}
	text = arena_strndup(arena, source->text, source->len);
	for (size_t i = 0; text != NULL && i < source->len; i++) {
		text[i] = text[i] != '\0' ? text[i] : '\n';
	}
	return text;
}

static bool
reader_init(struct reader *r, struct arena *arena, const struct source *source,
	    struct trouble *trouble)
{
	size_t bad_len;
	size_t bad = characters_check(source->text, source->len, &bad_len);

	*trouble = (struct trouble){ 0 };
	*r = (struct reader){
		.arena = arena,
		.source = source,
		.end = (uint32_t)source->len,
		.budget = 4 * source->len + 4096,
		.script_start = UINT32_MAX,
		.trouble = trouble,
	};
	r->pending_end = &r->pending;
	if (source->len > BAILEY_COMMAND_MAX) {
		r->end = 0;
		rd_fail(r, "is too long", 0, 0);
	} else if (bad < source->len) {
		rd_note(r, "syntax.characters",
			"has a control character, an invisible one, or bytes that are not UTF-8",
			(uint32_t)bad, (uint32_t)(bad + bad_len));
	}
	r->text = bad < source->len ? without_nul(arena, source) : source->text;
	return r->text != NULL;
}

struct script *
syntax_parse(struct arena *arena, const struct source *source, enum dialect dialect, bool extglob,
	     struct trouble *trouble)
{
	struct reader r;
	struct script *script;

	if (!reader_init(&r, arena, source, trouble)) {
		return NULL;
	}
	r.dialect = dialect;
	r.extglob = extglob;
	script = parse_text(&r);
	return arena->failed ? NULL : script;
}

struct word *
syntax_parse_word(struct arena *arena, const struct source *source, bool quoted,
		  struct trouble *trouble)
{
	struct reader r;
	struct parts parts;
	struct word *word;

	if (!reader_init(&r, arena, source, trouble)) {
		return NULL;
	}
	parts_init(&parts);
	if (quoted) {
		(void)rd_soft(&r, &parts, SOFT_RANGE);
	} else {
		(void)rd_live(&r, &parts, LIVE_RANGE, 0);
	}
	r.stopped = arena->failed;
	r.pos = r.end;
	word = rd_make_word(&r, &parts, 0);
	return arena->failed ? NULL : word;
}

struct bailey_span
source_outermost(const struct source *source, struct bailey_span span)
{
	while (source->outer != NULL) {
		if (source->exact) {
			span.start += source->at.start;
			span.end += source->at.start;
		} else {
			span = source->at;
		}
		source = source->outer;
	}
	return span;
}
