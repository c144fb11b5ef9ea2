/* SPDX-License-Identifier: MIT */
/*
 * find: starting points, then an expression whose actions may print, delete, write files and run
 * commands.
 *
 * Invariants:
 *   - every word is a starting point, an option, a predicate that is known, or an argument of one;
 *     anything else makes the command unknown
 *   - an action is filtered only when some test by name, age, size or owner holds for certain where
 *     it is reached; kinds (-type) and depths do not count, since they leave nearly everything
 */
#include "command/models/search_impl.h"

#include <string.h>

#define DEPTH_MAX 32

enum predicate {
	TEST_PLAIN, /* narrows nothing that matters */
	TEST_FILTER,
	TEST_NAME,   /* a filter by the last component */
	TEST_FILE,   /* a filter whose argument is a file that is looked at */
	TEST_STARTS, /* -files0-from */
	ACTION_DELETE,
	ACTION_WRITE, /* the first argument is a file that is written */
	ACTION_EXEC,
	ACTION_EXECDIR,
	OPERATOR_OR,
	OPERATOR_NOT,
	OPERATOR_OPEN,
	OPERATOR_CLOSE,
	PRINTS_HELP,
	PREDICATE_NONE,
};

static const struct {
	const char *names; /* without the dash */
	enum predicate predicate;
	unsigned args;
} predicates[] = {
	{ "name iname", TEST_NAME, 1 },
	{ "type xtype maxdepth mindepth regextype printf D", TEST_PLAIN, 1 },
	{ "print print0 ls a and prune quit true depth d daystart follow noleaf xdev mount warn "
	  "nowarn xautofs ignore_readdir_race noignore_readdir_race H L P E X x s",
	  TEST_PLAIN, 0 },
	{ "exec ok", ACTION_EXEC, 0 },
	{ "delete", ACTION_DELETE, 0 },
	{ "o or", OPERATOR_OR, 0 },
	{ "not", OPERATOR_NOT, 0 },
	{ "path ipath wholename iwholename regex iregex lname ilname size perm user group uid gid "
	  "mtime atime ctime mmin amin cmin used inum links fstype context flags",
	  TEST_FILTER, 1 },
	{ "empty executable readable writable nouser nogroup false", TEST_FILTER, 0 },
	{ "newer anewer cnewer samefile", TEST_FILE, 1 },
	{ "execdir okdir", ACTION_EXECDIR, 0 },
	{ "fprint fprint0 fls", ACTION_WRITE, 1 },
	{ "fprintf", ACTION_WRITE, 2 },
	{ "files0-from", TEST_STARTS, 1 },
	{ "help -help version -version", PRINTS_HELP, 0 },
};

/* One level of parentheses. */
struct group {
	bool outer;   /* what is outside filters already */
	bool branch;  /* the current chain of tests filters */
	bool all;     /* all chains before it, which "or" ended, do */
	bool several; /* there was an "or" */
	bool negated; /* the group as a whole stands behind a "not" */
};

struct finder {
	struct findings *found;
	const struct field *argv;
	size_t argc;
	size_t at;
	const struct field *starts; /* the starting points */
	size_t start_count;
	struct group groups[DEPTH_MAX];
	size_t depth;
	bool deleted[2];	  /* -delete was found without, or with a filter */
	bool negate;		  /* the next test stands behind a "not" */
	const struct field *name; /* the pattern of the last -name that holds */
	bool stopped;		  /* the rest is not read: an error, or help */
};

/* ---- filters ------------------------------------------------------------------------------- */

static bool
is_filtered(const struct finder *finder)
{
	const struct group *group = &finder->groups[finder->depth];

	return group->outer || group->branch;
}

static void
add_filter(struct finder *finder, bool filters)
{
	finder->groups[finder->depth].branch |= filters && !finder->negate;
	finder->negate = false;
}

static void
open_group(struct finder *finder)
{
	bool outer = is_filtered(finder);

	if (finder->depth + 1 == DEPTH_MAX) {
		find_unknown(finder->found, "so many parentheses", &finder->argv[0]);
		finder->stopped = true;
		return;
	}
	finder->depth++;
	finder->groups[finder->depth] = (struct group){
		.outer = outer,
		.all = true,
		.negated = finder->negate,
	};
	finder->negate = false;
}

static void
close_group(struct finder *finder)
{
	const struct group *group = &finder->groups[finder->depth];

	if (finder->depth == 0) {
		finder->stopped = true;
		return;
	}
	/* Which name it was is not known behind (-name a -o -name b). */
	finder->name = group->several ? NULL : finder->name;
	finder->negate = group->negated;
	finder->depth--;
	add_filter(finder, group->all && group->branch);
}

static void
take_operator(struct finder *finder, enum predicate predicate)
{
	struct group *group = &finder->groups[finder->depth];

	if (predicate == OPERATOR_NOT) {
		finder->negate = !finder->negate;
	} else if (predicate == OPERATOR_OR) {
		group->all &= group->branch;
		group->branch = false;
		group->several = true;
		finder->name = NULL;
	} else if (predicate == OPERATOR_OPEN) {
		open_group(finder);
	} else {
		close_group(finder);
	}
}

/* Does a pattern of -name leave anything out? */
static bool
pattern_filters(const struct field *pattern)
{
	for (size_t i = 0; i < pattern->len; i++) {
		if (pattern->text[i] != '*') {
			return true;
		}
	}
	return false;
}

/* ---- actions ------------------------------------------------------------------------------- */

/* What {} stands for, with this starting point. */
static const struct field *
found_path(struct finder *finder, const struct field *start)
{
	return is_filtered(finder) ? search_below(finder->found, start, finder->name) : start;
}

static void
run_at(struct finder *finder, const struct field *start, const struct field *argv, size_t argc,
       bool in_dir)
{
	struct field *words = arena_array(finder->found->arena, argc, sizeof(*words));
	const struct field *path = found_path(finder, start);
	struct inner *inner;
	struct field *here;

	if (words == NULL) {
		return;
	}
	if (in_dir && is_filtered(finder)) {
		here = arena_alloc(finder->found->arena, sizeof(*here));
		if (here == NULL) {
			return;
		}
		*here = field_static(".", start);
		path = search_below(finder->found, here, finder->name);
	}
	for (size_t i = 0; i < argc; i++) {
		words[i] = *search_replace(finder->found, &argv[i], "{}", path);
	}
	inner = find_argv(finder->found, words, argc, INNER_PROGRAM_ONLY,
			  in_dir ? "find -execdir" : "find -exec");
	if (in_dir && is_filtered(finder)) {
		inner->cwd = search_below(finder->found, start, NULL);
	}
}

/* -exec COMMAND... ; or {} +. */
static void
take_exec(struct finder *finder, bool in_dir)
{
	const struct field *argv = &finder->argv[finder->at];
	size_t argc = 0;

	while (finder->at < finder->argc) {
		const struct field *word = &finder->argv[finder->at++];

		if (field_is(word, ";") ||
		    (field_is(word, "+") && argc > 0 && field_is(word - 1, "{}"))) {
			break;
		}
		argc++;
		if (finder->at == finder->argc) {
			find_unknown(finder->found, "a command without an end", argv);
		}
	}
	if (argc == 0) {
		finder->stopped = true;
		return;
	}
	for (size_t i = 0; i < finder->start_count && i < SEARCH_STARTS_MAX; i++) {
		run_at(finder, &finder->starts[i], argv, argc, in_dir);
	}
	if (finder->start_count > SEARCH_STARTS_MAX) {
		find_unknown(finder->found, "so many starting points", argv);
	}
	finder->negate = false;
}

static void
take_delete(struct finder *finder)
{
	bool filtered = is_filtered(finder);

	if (finder->deleted[filtered]) {
		return;
	}
	finder->deleted[filtered] = true;
	for (size_t i = 0; i < finder->start_count; i++) {
		struct effect *effect =
			find_deed(finder->found, DEED_DELETE_TREE, &finder->starts[i]);

		effect->flags |= filtered ? EFFECT_FILTERED : 0;
	}
}

/* ---- words --------------------------------------------------------------------------------- */

static size_t
find_predicate(const struct field *word)
{
	size_t count = sizeof(predicates) / sizeof(predicates[0]);

	if (word->text[0] != '-' || word->len < 2) {
		return count;
	}
	for (size_t i = 0; i < count; i++) {
		if (service_word_in(word->text + 1, predicates[i].names)) {
			return i;
		}
	}
	return count;
}

static enum predicate
sign_of(const struct field *word)
{
	if (field_is(word, "(")) {
		return OPERATOR_OPEN;
	}
	if (field_is(word, ")")) {
		return OPERATOR_CLOSE;
	}
	if (field_is(word, "!")) {
		return OPERATOR_NOT;
	}
	return field_is(word, ",") ? OPERATOR_OR : PREDICATE_NONE;
}

/* May a pattern match a file that has the name of an action? */
static bool
may_be_action(const struct field *word)
{
	static const char *const actions[] = { "-delete",      "-exec",	  "-ok",  "-execdir",
					       "-okdir",       "-fprint", "-fls", "-fprint0",
					       "-files0-from", "-fprintf" };
	size_t known = field_known_prefix(word);
	size_t from = word->len;

	if (!field_is_several(word) || memchr(word->text, '/', word->len) != NULL) {
		return false;
	}
	while (from > known && word->marks[from - 1] == MARK_LITERAL) {
		from--;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		size_t len = strlen(actions[i]);
		size_t tail = word->len - from;

		if (known + tail <= len && strncmp(actions[i], word->text, known) == 0 &&
		    strcmp(actions[i] + len - tail, word->text + from) == 0) {
			return true;
		}
	}
	return false;
}

static void
take_predicate(struct finder *finder, enum predicate predicate, const struct field *arg)
{
	switch (predicate) {
	case TEST_PLAIN:
		add_filter(finder, false);
		break;
	case TEST_NAME:
		finder->name = !finder->negate ? arg : finder->name;
		add_filter(finder, pattern_filters(arg));
		break;
	case TEST_FILE:
		find_deed(finder->found, DEED_LIST, arg);
		add_filter(finder, true);
		break;
	case TEST_FILTER:
		add_filter(finder, true);
		break;
	case TEST_STARTS:
		find_deed(finder->found, DEED_READ, arg);
		find_unknown(finder->found, "starting points that are read from a file", arg);
		break;
	case ACTION_DELETE:
		take_delete(finder);
		break;
	case ACTION_WRITE:
		find_deed(finder->found, DEED_WRITE, arg)->flags |= EFFECT_FROM_OUTPUT;
		break;
	case ACTION_EXEC:
		take_exec(finder, false);
		break;
	case ACTION_EXECDIR:
		take_exec(finder, true);
		break;
	case PRINTS_HELP:
		finder->stopped = true;
		break;
	case OPERATOR_OR:
	case OPERATOR_NOT:
	case OPERATOR_OPEN:
	case OPERATOR_CLOSE:
	case PREDICATE_NONE:
		take_operator(finder, predicate);
		break;
	}
}

/* -newerXY, -O3. */
static bool
is_odd_test(const struct field *word, size_t *args)
{
	bool newer = word->len == 8 && strncmp(word->text, "-newer", 6) == 0;

	*args = newer ? 1 : 0;
	return newer || (word->len == 3 && strncmp(word->text, "-O", 2) == 0);
}

static void
take_word(struct finder *finder)
{
	const struct field *word = &finder->argv[finder->at++];
	enum predicate predicate = sign_of(word);
	size_t index;
	size_t args = 0;

	if (predicate != PREDICATE_NONE) {
		take_operator(finder, predicate);
		return;
	}
	if (!field_is_literal(word)) {
		find_unknown(finder->found, "a word that may be an action", word);
		return;
	}
	index = find_predicate(word);
	if (index < sizeof(predicates) / sizeof(predicates[0])) {
		args = predicates[index].args;
		predicate = predicates[index].predicate;
	} else if (is_odd_test(word, &args)) {
		predicate = TEST_FILTER;
	} else {
		find_unknown(finder->found, "an expression of find", word);
		return;
	}
	if (finder->argc - finder->at < args) {
		find_unknown(finder->found, "an expression without its argument", word);
		finder->stopped = true;
		return;
	}
	for (size_t i = 0; i < args; i++) {
		const struct field *arg = &finder->argv[finder->at + i];

		if ((arg->many && arg->kind == BAILEY_WORD_DYNAMIC) || may_be_action(arg)) {
			find_unknown(finder->found, "a word that may be an action", arg);
		}
	}
	finder->at += args;
	take_predicate(finder, predicate, word + (args > 0 ? 1 : 0));
}

/* ---- find ---------------------------------------------------------------------------------- */

/* Options that stand in front of the starting points. */
static void
take_options(struct finder *finder)
{
	while (finder->at < finder->argc) {
		const struct field *word = &finder->argv[finder->at];
		bool level = word->len == 3 && strncmp(word->text, "-O", 2) == 0;

		if (!field_is_literal(word) ||
		    !(level || service_word_in(word->text, "-H -L -P -E -X -x -s -D"))) {
			break;
		}
		finder->at += field_is(word, "-D") ? 2 : 1;
	}
	if (finder->at < finder->argc && field_is(&finder->argv[finder->at], "--")) {
		finder->at++;
	}
	if (finder->at > finder->argc) {
		finder->at = finder->argc;
	}
}

static void
take_starts(struct finder *finder)
{
	finder->starts = &finder->argv[finder->at];
	for (; finder->at < finder->argc; finder->at++) {
		const struct field *word = &finder->argv[finder->at];
		bool known = field_is_literal(word) || field_known_prefix(word) > 0;

		if (known && (word->text[0] == '-' || sign_of(word) != PREDICATE_NONE)) {
			break;
		}
		/* Even a word in quotes may be -delete. */
		if ((!known && word->kind == BAILEY_WORD_DYNAMIC) ||
		    (word->many && word->kind == BAILEY_WORD_DYNAMIC) || may_be_action(word)) {
			find_unknown(finder->found, "a word that may be an action", word);
		}
		finder->start_count++;
	}
}

static void
set_default_start(struct finder *finder)
{
	struct field *here = arena_alloc(finder->found->arena, sizeof(*here));

	if (here != NULL) {
		*here = field_static(".", &finder->argv[0]);
		finder->starts = here;
		finder->start_count = 1;
	}
}

/* What it prints: the starting points and what is below them. */
static void
list_found(struct finder *finder)
{
	static const char others[] =
		"-printf -ls -fprint -fprint0 -fprintf -fls -exec -ok -execdir "
		"-okdir -delete -help --help -version --version -files0-from";
	struct field *paths =
		arena_array(finder->found->arena, finder->start_count, sizeof(*paths));

	for (size_t i = 1; i < finder->argc; i++) {
		if (service_word_in(finder->argv[i].text, others)) {
			return;
		}
	}
	if (paths == NULL || finder->start_count > SEARCH_STARTS_MAX) {
		return;
	}
	for (size_t i = 0; i < finder->start_count; i++) {
		paths[i] = *found_path(finder, &finder->starts[i]);
	}
	finder->found->listed = paths;
	finder->found->listed_count = finder->start_count;
}

void
search_find(const struct match *match, struct findings *found)
{
	struct finder finder = {
		.found = found,
		.argv = match->argv,
		.argc = match->argc,
		.at = 1,
		.groups[0].all = true,
	};

	take_options(&finder);
	take_starts(&finder);
	if (finder.start_count == 0) {
		set_default_start(&finder);
	}
	for (size_t i = 0; i < finder.start_count; i++) {
		find_deed(found, DEED_LIST, &finder.starts[i]);
	}
	while (finder.at < finder.argc && !finder.stopped) {
		take_word(&finder);
	}
	list_found(&finder);
}
