/* SPDX-License-Identifier: MIT */
/*
 * From an argument vector to the table that describes it, subcommands included, and to findings.
 * Matching itself is in match.c and match_operands.c.
 *
 * Invariant: only a bare name, or a path of a directory where systems keep their programs, stands
 * for the program that a table describes.
 */
#include "command/match_impl.h"
#include "command/models/models.h"

#include "base/path.h"

#include <string.h>

/* Words of a subcommand's name: "compute instances delete". */
#define SUB_WORDS 4

/* ---- names --------------------------------------------------------------------------------- */

static const char *const program_dirs[] = {
	"/bin",
	"/sbin",
	"/usr/bin",
	"/usr/sbin",
	"/usr/local/bin",
	"/usr/local/sbin",
	"/usr/games",
	"/snap/bin",
	"/opt/homebrew/bin",
	"/opt/homebrew/sbin",
	"/opt/local/bin",
	"/opt/local/sbin",
	"/usr/pkg/bin",
	"/run/current-system/sw/bin",
};

/* /lib64/ld-linux-x86-64.so.2 and the like, which run the program that they are given. */
static bool
is_loader(const char *path, const char *base)
{
	return strncmp(base, "ld-", 3) == 0 &&
	       (strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0);
}

const char *
model_program_name(struct arena *arena, const struct field *program)
{
	const char *path;
	const char *base;
	size_t dir_len;

	if (!field_is_literal(program) || program->len == 0) {
		return NULL;
	}
	if (memchr(program->text, '/', program->len) == NULL) {
		return program->text;
	}
	path = program->text[0] == '/' ? path_normalize(arena, "/", program->text) : NULL;
	if (path == NULL) {
		return NULL;
	}
	base = path_base(path);
	dir_len = (size_t)(base - path) - 1;
	for (size_t i = 0; i < sizeof(program_dirs) / sizeof(program_dirs[0]); i++) {
		if (strlen(program_dirs[i]) == dir_len &&
		    memcmp(program_dirs[i], path, dir_len) == 0) {
			return base;
		}
	}
	if (strncmp(path, "/nix/store/", 11) == 0 && dir_len > 4 &&
	    memcmp(base - 5, "/bin/", 5) == 0) {
		return base;
	}
	return is_loader(path, base) ? base : NULL;
}

/* The length of a name without a version behind it: python3.11, gcc-12, perl5.36.0. */
static size_t
without_version(const char *name, size_t len)
{
	size_t end = len;

	while (end > 0 &&
	       ((name[end - 1] >= '0' && name[end - 1] <= '9') || name[end - 1] == '.')) {
		end--;
	}
	if (end > 0 && end < len && name[end - 1] == '-') {
		end--;
	}
	return end;
}

/* The slot of a program, NULL when there is none. */
static const struct model_slot *
find_slot(const char *name, size_t len)
{
	const struct model_slot *slot = model_index_find(name, len);
	size_t bare;

	if (slot != NULL) {
		return slot;
	}
	bare = without_version(name, len);
	slot = bare > 0 && bare < len ? model_index_find(name, bare) : NULL;
	return slot != NULL && (model_slot_program(slot)->style & PARSE_VERSIONED) != 0 ? slot
											: NULL;
}

const struct program *
model_find(const char *name, size_t len)
{
	const struct model_slot *slot = find_slot(name, len);

	return slot != NULL ? model_slot_program(slot) : NULL;
}

/* ---- subcommands --------------------------------------------------------------------------- */

/* How one name of a subcommand stands to the words so far. */
struct sub_search {
	const struct field *const *words;
	size_t count;
	bool abbrev;
	const struct program *whole; /* the words are its name */
	bool more;		     /* the words are the beginning of a longer name */
};

static bool
word_fits(const struct field *word, const char *name, size_t len, bool abbrev)
{
	if (abbrev ? word->len > len || word->len == 0 : word->len != len) {
		return false;
	}
	return memcmp(word->text, name, word->len) == 0;
}

/* One alternative of a name, `len` bytes: words with single blanks between them. */
static void
compare_sub(struct sub_search *search, const struct program *sub, const char *name, size_t len)
{
	size_t from = 0;

	for (size_t i = 0; i < search->count; i++) {
		const char *blank = memchr(name + from, ' ', len - from);
		size_t end = blank != NULL ? (size_t)(blank - name) : len;

		if (from >= len ||
		    !word_fits(search->words[i], name + from, end - from, search->abbrev)) {
			return;
		}
		from = end + (blank != NULL ? 1 : 0);
	}
	if (from < len) {
		search->more = true;
	} else if (search->whole == NULL) {
		search->whole = sub;
	}
}

/* The alternatives of one row that begin with the first letter of the first word. */
static void
search_row(struct sub_search *search, const struct program *sub)
{
	char first = search->words[0]->text[0];
	const char *name = sub->names;

	while (*name != '\0') {
		const char *end = name;

		while (*end != '\0' && *end != '|') {
			end++;
		}
		if (name[0] == first) {
			compare_sub(search, sub, name, (size_t)(end - name));
		}
		name = *end == '|' ? end + 1 : end;
	}
}

static void
search_subs(struct sub_search *search, const struct program *subs)
{
	for (; subs->names != NULL; subs++) {
		search_row(search, subs);
	}
}

/* The same for whole names, with the index. */
static void
search_index(struct sub_search *search, const struct model_slot *slot)
{
	const struct field *word = search->words[0];
	const struct program *subs = model_slot_program(slot)->subcommands;
	uint32_t end = slot->sub_from + slot->sub_count;

	for (uint32_t at = model_sub_find(slot, word->text, word->len);
	     at < end && model_sub_compare(subs, &model_subs[at], word->text, word->len) == 0;
	     at++) {
		search_row(search, &subs[model_subs[at].row]);
	}
}

/* Whole names first, then prefixes where the program takes them. */
static struct sub_search
find_sub(const struct matcher *matcher, const struct field *const *words, size_t count)
{
	const struct program *subs = matcher->levels[0]->subcommands;
	struct sub_search search = { .words = words, .count = count };

	if (matcher->slot != NULL && matcher->level_count == 1) {
		search_index(&search, matcher->slot);
	} else {
		search_subs(&search, subs);
	}
	if (search.whole == NULL && !search.more && (matcher->style & PARSE_SUB_ABBREV) != 0) {
		search.abbrev = true;
		search_subs(&search, subs);
	}
	return search;
}

/* What looking ahead may change and must be able to take back. */
struct ahead {
	struct matcher matcher;
	unsigned flags;
	const char *unknown;
	const struct field *unknown_at;
};

static void
remember(struct ahead *ahead, const struct matcher *matcher)
{
	ahead->matcher = *matcher;
	ahead->flags = matcher->found->flags;
	ahead->unknown = matcher->found->unknown;
	ahead->unknown_at = matcher->found->unknown_at;
}

static void
go_back(const struct ahead *ahead, struct matcher *matcher)
{
	*matcher = ahead->matcher;
	matcher->found->flags = ahead->flags;
	matcher->found->unknown = ahead->unknown;
	matcher->found->unknown_at = ahead->unknown_at;
}

/* The subcommand of levels[0] with the longest name that the next operands spell. */
static const struct program *
next_sub(struct matcher *matcher)
{
	const struct program *best = NULL;
	const struct field *words[SUB_WORDS];
	struct sub_search search = { .more = true };
	struct ahead ahead;

	match_words(matcher, true);
	remember(&ahead, matcher);
	for (size_t count = 0; search.more && count < SUB_WORDS; count++) {
		if (count > 0) {
			match_words(matcher, true);
		}
		if (matcher->at >= matcher->match.argc || matcher->match.help ||
		    !field_is_literal(&matcher->match.argv[matcher->at])) {
			break;
		}
		words[count] = &matcher->match.argv[matcher->at];
		search = find_sub(matcher, words, count + 1);
		matcher->at++;
		if (search.whole != NULL) {
			best = search.whole;
			remember(&ahead, matcher);
		}
	}
	if (!matcher->match.help) {
		go_back(&ahead, matcher);
	}
	return best;
}

static const struct program *
empty_sub(const struct program *program)
{
	struct sub_search search = { .count = 0 };

	for (const struct program *sub = program->subcommands; sub->names != NULL; sub++) {
		size_t len = strlen(sub->names);

		if (len == 0 || sub->names[0] == '|' || sub->names[len - 1] == '|') {
			search.whole = sub;
		}
	}
	return search.whole;
}

static void
descend(struct matcher *matcher, const struct program *sub)
{
	memmove(matcher->levels + 1, matcher->levels, matcher->level_count * sizeof(sub));
	matcher->levels[0] = sub;
	matcher->level_count++;
	matcher->style = sub->style != 0 ? sub->style : matcher->style;
	matcher->match.parent =
		matcher->match.parent != NULL ? matcher->match.parent : matcher->match.program;
	matcher->match.program = sub;
	/* What a loose program let through may have been an option whose argument looks like a
	 * subcommand. */
	if (matcher->guessed && (matcher->style & PARSE_LOOSE) == 0) {
		find_unknown(matcher->found, "an option that is not known", matcher->match.argv);
	}
}

static void
choose_subs(struct matcher *matcher)
{
	while (matcher->levels[0]->subcommands != NULL && matcher->level_count < MATCH_LEVELS &&
	       !matcher->match.help) {
		const struct program *sub = next_sub(matcher);
		bool at_end = matcher->at >= matcher->match.argc;

		if (sub == NULL && at_end && !matcher->match.help) {
			sub = empty_sub(matcher->levels[0]);
		}
		if (sub == NULL) {
			break;
		}
		descend(matcher, sub);
	}
	if (matcher->levels[0]->subcommands != NULL && matcher->levels[0]->operands == NULL &&
	    !matcher->match.help) {
		if (matcher->at < matcher->match.argc) {
			match_unknown(matcher, "subcommand", &matcher->match.argv[matcher->at]);
		} else {
			find_unknown(matcher->found, "no subcommand", matcher->match.argv);
		}
	}
}

/* ---- judging ------------------------------------------------------------------------------- */

void
match_program(const struct program *program, const struct model_slot *slot,
	      const struct match *words, struct findings *found)
{
	struct matcher matcher = {
		.match = *words,
		.arena = found->arena,
		.found = found,
		.levels = { program },
		.level_count = 1,
		.slot = slot,
		.style = program->style,
		.at = 1,
		.uncertain_at = SIZE_MAX,
		.command_after = SIZE_MAX,
	};

	matcher.match.program = program;
	matcher.match.first_operand = words->argc;
	found->flags |= FIND_KNOWN;
	choose_subs(&matcher);
	match_words(&matcher, false);
	match_apply(&matcher);
}

void
model_judge(const struct shell *shell, const struct field *argv, size_t argc,
	    const struct stream *input, struct findings *found)
{
	const char *name = argc > 0 ? model_program_name(found->arena, &argv[0]) : NULL;
	const struct model_slot *slot = name != NULL ? find_slot(name, strlen(name)) : NULL;
	struct match words = { .shell = shell, .input = input, .argv = argv, .argc = argc };

	if (slot != NULL) {
		match_program(model_slot_program(slot), slot, &words, found);
	} else if (name == NULL && argc > 1 && field_is_literal(&argv[0])) {
		framework_program(&argv[0], &argv[1], argc - 1, found);
	}
}
